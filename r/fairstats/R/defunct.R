# What was called otherwise in 0.2.

#' Names of 0.2
#'
#' Functions that 0.3 calls otherwise: most begin with `fair_`. Those that packages beside this one have, too, are gone
#' altogether: `as_gt()` is [fair_gt()], `report()` is [fair_report()], `demographic_parity()`, `equal_opportunity()` and
#' `equalized_odds()` are [fair_demographic_parity()] and its kin. Any other is an error that names the new one.
#'
#' @return Nothing: each is an error.
#' @name fairstats-defunct
#' @aliases as_gt report demographic_parity equal_opportunity equalized_odds by_group choose_k component_tests crossfit
#'   extra_error fair_change fair_spectral fair_subgroups fs_figure fs_load fs_save fs_table fs_verify group_losses leakage
#'   local_law_144 neighbor_graph price reconstruct reduction spectral stability suppress_cells withhold write_protocol
#' @keywords internal
#' @rawNamespace export(by_group, choose_k, component_tests, crossfit, extra_error, fair_change, fair_spectral,
#'   fair_subgroups, fs_figure, fs_load, fs_save, fs_table, fs_verify, group_losses, leakage, local_law_144, neighbor_graph,
#'   price, reconstruct, reduction, spectral, stability, suppress_cells, withhold, write_protocol)
NULL

renamed_to <- function(new) {
  force(new)
  function(...) .Defunct(new, "fairstats")
}

by_group <- renamed_to("fair_by_group")
choose_k <- renamed_to("fair_select_k")
component_tests <- renamed_to("fair_component_tests")
crossfit <- renamed_to("fair_crossfit")
extra_error <- renamed_to("fair_extra_error")
fair_change <- renamed_to("fair_compare_audits")
fair_spectral <- renamed_to("fair_spectral_clustering")
fair_subgroups <- renamed_to("fair_subgroup_scan")
fs_figure <- renamed_to("fair_figure")
fs_load <- renamed_to("fair_load")
fs_save <- renamed_to("fair_save")
fs_table <- renamed_to("fair_table")
fs_verify <- renamed_to("fair_verify_report")
group_losses <- renamed_to("fair_reconstruction_error_by_group")
leakage <- renamed_to("fair_leakage")
local_law_144 <- renamed_to("fair_local_law_144")
neighbor_graph <- renamed_to("fair_kneighbors_graph")
price <- renamed_to("fair_price_of_fairness")
reconstruct <- renamed_to("fair_reconstruct")
reduction <- renamed_to("fairlearn_reduction")
spectral <- renamed_to("spectral_clustering")
stability <- renamed_to("fair_bootstrap_loadings")
suppress_cells <- renamed_to("fair_suppress_cells")
withhold <- renamed_to("fair_suppress_cells")
write_protocol <- renamed_to("fair_write_protocol")
