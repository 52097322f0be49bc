#' What accounts for the gap between groups in pay, another amount, or a decision
#'
#' The gap is that of each group less that of the reference: the package \pkg{oaxaca} prints the opposite sign. It is
#' decomposed into what covariates account for and what they do not, with limits that have the covariates' own errors (Jann,
#' 2008). People of whom an entry is missing are left out, and counted. A covariate that is itself a result of the treatment
#' hides a part of the gap.
#'
#' @param data A data frame, or the path of a file.
#' @param amount,decision Name of the column of a number, or of a decision of two values. One of both.
#' @param groups Name of the column of groups.
#' @param explained_by,adjust_for A formula such as `~ age + education`, or names of columns.
#' @param reference The group that the others are compared with; the largest by default.
#' @param coefficients Whose slopes the explained part takes: `"pooled_with_group"` (the default), `"pooled"`, `"reference"`,
#'   `"group"`, `"average"`, `"share"`, or a number: the weight of the reference's. Reweighting takes `"reference"` (its default)
#'   or `"group"`.
#' @param method `"oaxaca"` (of amounts the default), `"kitagawa"`, `"gelbach"`; of decisions `"yun"` (the default), `"fairlie"`;
#'   of quantiles `"reweighting"` (the default), `"rif"`.
#' @param threefold Whether the gap is split into endowments, coefficients and interaction.
#' @param quantile Decompose this quantile in place of the mean.
#' @param weights,clusters Names of columns: probability weights, and labels of people who depend on each other.
#' @param favorable The decision that helps the person.
#' @param unit What amounts are counted in, such as `"EUR/h"`.
#' @param conf_level Confidence level of the limits.
#' @param seed Seed of the samples of `"fairlie"`.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return `fair_decompose()`: a result that prints; its [tidy()] has a row a part (`metric`) and variable (`term`), those of
#'   other coefficients with the role `"sensitivity"`, its [plot()] draws a waterfall. `fair_adjusted_gap()`: a table of
#'   estimates, the gap as it is, adjusted, and the plain coefficient of the group.
#' @references Oaxaca, R. (1973). Male-female wage differentials in urban labor markets. International Economic Review
#'   14, 693-709. \doi{10.2307/2525981}
#'
#'   Jann, B. (2008). The Blinder-Oaxaca decomposition for linear regression models. Stata Journal 8, 453-479.
#'   \doi{10.1177/1536867X0800800401}
#'
#'   Lin, W. (2013). Agnostic notes on regression adjustments to experimental data. Annals of Applied Statistics 7,
#'   295-318. \doi{10.1214/12-AOAS583}
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' fair_decompose(mtcars, "mpg", "am", explained_by = ~ wt + hp, reference = 0)
#' fair_adjusted_gap(mtcars, "mpg", "am", adjust_for = ~ wt)
fair_decompose <- function(data, amount = NULL, groups = NULL, ..., decision = NULL, explained_by = NULL, reference = NULL,
                           coefficients = NULL, method = NULL, threefold = FALSE, quantile = NULL, weights = NULL,
                           clusters = NULL, favorable = 1, unit = NULL, conf_level = 0.95, seed = 0) {
  refuse_others(...)
  roles <- gap_roles(amount, decision, groups, weights, clusters)
  options <- list(
    explained_by = covariates(explained_by), reference = one_label(reference, "reference"), coefficients = coefficients,
    method = method, threefold = threefold, quantile = quantile, favorable = one_label(favorable, "favorable"),
    unit = unit, conf_level = conf_level, seed = seed
  )
  if (!"favorable" %in% names(match.call())) options$favorable <- NULL
  fs_call("decompose", c(list(data = data), roles, options))
}

#' @rdname fair_decompose
#' @export
fair_adjusted_gap <- function(data, amount = NULL, groups = NULL, ..., decision = NULL, adjust_for = NULL, reference = NULL,
                              weights = NULL, clusters = NULL, favorable = 1, conf_level = 0.95) {
  refuse_others(...)
  roles <- gap_roles(amount, decision, groups, weights, clusters)
  options <- list(
    adjust_for = covariates(adjust_for), reference = one_label(reference, "reference"),
    favorable = one_label(favorable, "favorable"), conf_level = conf_level
  )
  if (!"favorable" %in% names(match.call())) options$favorable <- NULL
  fs_call("adjusted_gap", c(list(data = data), roles, options))
}

gap_roles <- function(amount, decision, groups, weights, clusters) {
  roles <- list(amount = amount, decision = decision, groups = groups, weights = weights, clusters = clusters)
  for (role in names(roles)) one_name(roles[[role]], role)
  roles
}

covariates <- function(given) {
  if (inherits(given, "formula")) paste(deparse(given, width.cutoff = 500L), collapse = " ") else as_list(given)
}
