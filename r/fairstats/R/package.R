#' fairstats: fair decompositions, audit statistics and reports
#'
#' Data cross to Python as bytes and come back as plain R lists and data frames, so nothing changes its type on the way,
#' and every result prints, tidies and (for linear fits) predicts after `readRDS()` in a session without Python.
#'
#' Start with [install_fairstats()] (once), then [fair_audit()], [og()] and [fair_report()].
#'
#' @section Names:
#' Tables have broom's column names: `estimate`, `std.error`, `conf.low`, `conf.high`, `statistic`, `p.value`,
#' `adj.p.value`. Fits have the fields of [stats::prcomp()].
#'
#' @keywords internal
#' @importFrom generics tidy glance augment
"_PACKAGE"

#' @export
generics::tidy

#' @export
generics::glance

#' @export
generics::augment
