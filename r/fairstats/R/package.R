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
#' Functions begin with `fair_`, but for those that completion of `fair_` does not show:
#' * methods that fit or cluster, under the names of their field: [og()], [sog()], [pca()], [minimax_pca()],
#'   [disparity_pca()], [leace()], [leace_pca()], [spectral_clustering()], and those of other authors: [fpca()],
#'   [mbf_pca()], [inlp()], [inlp_pca()], [rlace()], [rlace_pca()], [quadratic_leace()], [location_scale()], [residualize()],
#'   [fairlearn_reduction()];
#' * [sog_path()] and [disparity_path()], fits along a setting of [sog()] and [disparity_pca()];
#' * data: [arrests()], [simulate_sbm()], [simulate_shifted_factors()], [simulate_gaussian_groups()];
#' * steps of recipes: [step_og()], [step_fair_pca()], [step_leace()], [step_residualize()];
#' * [install_fairstats()] and [fairstats_available()];
#' * verbs, which are R's: [tidy()], [glance()], [augment()], `predict()`, `summary()`, `plot()`.
#'
#' Tables have broom's column names: `estimate`, `std.error`, `conf.low`, `conf.high`, `statistic`, `p.value`,
#' `adj.p.value`. Fits have the fields of [stats::prcomp()].
#'
#' Parts of a result are values, as those of any list: `result$finding`, which Python has as a method, `result.finding()`. A name
#' that results have in Python alone is an error that says where R has it, or that it has none; any other that a result has not
#' is one that names the nearest part (`result[["name"]]` is `NULL`, as of any list).
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
