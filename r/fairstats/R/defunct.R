# What was called otherwise in 0.2.

#' Names of 0.2
#'
#' Functions that 0.3 calls otherwise. Former names that begin with `fair_` or `fs_` are errors that name the new one; the
#' others are gone, since other packages have functions of these names.
#'
#' | 0.2 | 0.3 |
#' |---|---|
#' | `as_gt()` | [fair_gt()] |
#' | `by_group()` | [fair_by_group()] |
#' | `choose_k()` | [fair_select_k()] |
#' | `component_tests()` | [fair_component_tests()] |
#' | `crossfit()` | [fair_crossfit()] |
#' | `demographic_parity()` | [fair_demographic_parity()] |
#' | `equal_opportunity()` | [fair_equal_opportunity()] |
#' | `equalized_odds()` | [fair_equalized_odds()] |
#' | `extra_error()` | [fair_extra_error()] |
#' | `fair_change()` | [fair_compare_audits()] |
#' | `fair_spectral()` | [fair_spectral_clustering()] |
#' | `fair_subgroups()` | [fair_subgroup_scan()] |
#' | `fs_figure()` | [fair_figure()] |
#' | `fs_load()` | [fair_load()] |
#' | `fs_save()` | [fair_save()] |
#' | `fs_table()` | [fair_table()] |
#' | `fs_verify()` | [fair_verify_report()] |
#' | `group_losses()` | [fair_reconstruction_error_by_group()] |
#' | `leakage()` | [fair_leakage()] |
#' | `local_law_144()` | [fair_local_law_144()] |
#' | `neighbor_graph()` | [fair_kneighbors_graph()] |
#' | `price()` | [fair_price_of_fairness()] |
#' | `reconstruct()` | [fair_reconstruct()] |
#' | `reduction()` | [fairlearn_reduction()] |
#' | `report()` | [fair_report()] |
#' | `spectral()` | [spectral_clustering()] |
#' | `stability()` | [fair_bootstrap_loadings()] |
#' | `suppress_cells()`, `withhold()` | [fair_suppress_cells()] |
#' | `write_protocol()` | [fair_write_protocol()] |
#'
#' @return Nothing: each is an error.
#' @name fairstats-defunct
#' @aliases fair_change fair_spectral fair_subgroups fs_figure fs_load fs_save fs_table fs_verify
#' @keywords internal
#' @rawNamespace export(fair_change, fair_spectral, fair_subgroups, fs_figure, fs_load, fs_save, fs_table, fs_verify)
NULL

renamed_to <- function(new) {
  force(new)
  function(...) .Defunct(new, "fairstats")
}

fair_change <- renamed_to("fair_compare_audits")
fair_spectral <- renamed_to("fair_spectral_clustering")
fair_subgroups <- renamed_to("fair_subgroup_scan")
fs_figure <- renamed_to("fair_figure")
fs_load <- renamed_to("fair_load")
fs_save <- renamed_to("fair_save")
fs_table <- renamed_to("fair_table")
fs_verify <- renamed_to("fair_verify_report")
