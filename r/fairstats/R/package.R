#' fairstats: fair decompositions, audit statistics and reports
#'
#' Data cross to Python as bytes and come back as plain R lists and data frames, so nothing changes its type on the way,
#' and every result prints, tidies and (for linear fits) predicts after `readRDS()` in a session without Python.
#'
#' Start with [install_fairstats()] (once), then [fair_audit()], [og()] and [fair_report()].
#'
#' @section Which function for which question:
#' * Do decisions, errors or scores differ between groups? [fair_audit()]; with counts in place of people [fair_from_counts()].
#' * What accounts for a gap, in pay or in a decision? [fair_decompose()], [fair_adjusted_gap()].
#' * Which subgroups differ, those that nobody named included? [fair_subgroup_scan()].
#' * Has a gap changed? [fair_compare_audits()] of two audits, [fair_monitor()] period by period.
#' * Which model or method leaves the smaller gap? [fair_compare_models()], [fair_alternatives()], [fair_compare()].
#' * Features or scores without traces of groups: [og()], [fair_pca()], [leace()]; what they leave: [fair_leakage()].
#' * A page for others to read: [fair_report()]; one table or figure of it: [fair_table()], [fair_figure()].
#' * Within tidymodels: [step_og()], [fair_demographic_parity()].
#'
#' @section Names:
#' Functions begin with `fair_`, but for methods that have names of their own, which completion of `fair_` does not show: [og()],
#' [sog()], [pca()], [minimax_pca()], [disparity_pca()], [leace()], [leace_pca()] and those of other authors, as [inlp()],
#' [residualize()], [location_scale()]; and steps of recipes, `step_`.
#'
#' Tables have broom's column names: `estimate`, `std.error`, `conf.low`, `conf.high`, `statistic`, `p.value`,
#' `adj.p.value`. Fits have the fields of [stats::prcomp()].
#'
#' Methods that fit or cluster keep the names of their field ([og()], [leace()], [spectral_clustering()]), as do data
#' ([arrests()], [simulate_sbm()]) and steps of recipes ([step_og()]); verbs are R's; everything else begins with `fair_`.
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
