#' What accounts for the gap between groups in pay, another amount, or a decision
#'
#' The gap, of `fair_decompose()` and of `fair_adjusted_gap()`, is that of each group less that of the reference, below 0 where
#' the group has less (the gap of means of [fair_audit()] has the other sign); the package \pkg{oaxaca} prints the opposite
#' sign. It is decomposed into what covariates account for and what they do not, with limits that have the covariates' own
#' errors (Jann, 2008). People of whom an entry is missing are left out, and counted. A covariate that is itself a result of
#' the treatment hides a part of the gap.
#'
#' A formula says all three, before the data or after them: `fair_decompose(wage ~ sex | age + education, data)` is the gap in
#' `wage` between the groups of `sex`, and behind the bar stand the covariates, as the strata do in [fair_audit()]
#' (\pkg{oaxaca} writes the two the other way around; numbers before the bar and labels behind it are refused). A column of
#' numbers of more than two values is the amount, any other the decision.
#'
#' @param data A data frame, or the path of a file.
#' @param amount,decision Name of the column of a number, or of a decision of two values. One of both, or the formula as
#'   `amount`.
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
#' @param labels What pages call groups and columns: `list(groups = list(sex = list("1" = "women")))`; `attributes` names columns.
#'   Rows keep the names of the data; f, m and the like are called women and men without it.
#' @param conf_level Confidence level of the limits.
#' @param seed Seed of the samples of `"fairlie"`.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return `fair_decompose()`: a result that prints; its [tidy()] has a row a part (`metric`) and variable (`name`), with `role =
#'   "sensitivity"` those of other coefficients; its [fair_figure()] draws a waterfall. `fair_adjusted_gap()`: a table of
#'   estimates, the gap as it is, adjusted, and the plain coefficient of the group.
#' @references Oaxaca, R. (1973). Male-female wage differentials in urban labor markets. International Economic Review
#'   14, 693-709. \doi{10.2307/2525981}
#'
#'   Jann, B. (2008). The Blinder-Oaxaca decomposition for linear regression models. Stata Journal 8, 453-479.
#'   \doi{10.1177/1536867X0800800401}
#'
#'   Lin, W. (2013). Agnostic notes on regression adjustments to experimental data. Annals of Applied Statistics 7,
#'   295-318. \doi{10.1214/12-AOAS583}
#' @concept Oaxaca-Blinder decomposition
#' @concept Kitagawa decomposition
#' @concept unexplained gap
#' @concept adjusted gap
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' fair_decompose(mtcars, "mpg", "am", explained_by = ~ wt + hp, reference = 0)
#' fair_adjusted_gap(mpg ~ am | wt, mtcars)
fair_decompose <- function(data, amount = NULL, groups = NULL, ..., decision = NULL, explained_by = NULL, reference = NULL,
                           coefficients = NULL, method = NULL, threefold = FALSE, quantile = NULL, weights = NULL,
                           clusters = NULL, favorable = 1, unit = NULL, labels = NULL, conf_level = 0.95, seed = 0) {
  refuse_others(...)
  call <- call_of("fair_decompose")
  roles <- gap_roles(data, amount, decision, groups, list(explained_by = explained_by), weights, clusters)
  if (inherits(data, "formula") || inherits(amount, "formula")) call <- call_of_formula(call, data, amount, "amount")
  options <- list(
    reference = one_label(reference, "reference"), coefficients = coefficients,
    method = method, threefold = threefold, quantile = quantile, favorable = one_label(favorable, "favorable"),
    unit = unit, labels = names_of_groups(labels), conf_level = conf_level, seed = seed
  )
  recorded(call, "decompose", roles$data, roles$data, c(roles[-1L], options))
}

#' @rdname fair_decompose
#' @export
fair_adjusted_gap <- function(data, amount = NULL, groups = NULL, ..., decision = NULL, adjust_for = NULL, reference = NULL,
                              weights = NULL, clusters = NULL, favorable = 1, conf_level = 0.95) {
  refuse_others(...)
  call <- call_of("fair_adjusted_gap")
  roles <- gap_roles(data, amount, decision, groups, list(adjust_for = adjust_for), weights, clusters)
  if (inherits(data, "formula") || inherits(amount, "formula")) call <- call_of_formula(call, data, amount, "amount")
  options <- list(
    reference = one_label(reference, "reference"),
    favorable = one_label(favorable, "favorable"), conf_level = conf_level
  )
  recorded(call, "adjusted_gap", roles$data, roles$data, c(roles[-1L], options))
}

# The data, the columns, and under its name the argument of covariates; a formula says all but weights and clusters.
gap_roles <- function(data, amount, decision, groups, adjusted, weights, clusters) {
  refuse_quoted(list(data, amount, groups), c(names(data), names(amount)))
  if (inherits(data, "formula") || inherits(amount, "formula")) {
    parts <- parts_of_formula(data, amount, "amount or a decision", "wage ~ sex | age + education")
    way <- ": right of ~ it has the groups, and covariates behind a bar, as in wage ~ sex | age + education"
    named_once(c(list(groups = groups, decision = decision), if (!is.null(parts$within)) adjusted), parts$text, way)
    refuse_no_frame(parts$data, parts$text)
    if (is.null(parts$within) && is.null(unlist(adjusted))) {
      fail(parts$text, " names no covariates; write them behind a bar: ", parts$text, " | age + education.")
    }
    turned <- turned_formula(parts)
    if (!is.name(parts$right)) {
      fail(parts$text, " has ", deparse1(parts$right), " for the groups, which are one column; write, say, ",
        turned %||% "wage ~ sex | age + education", ".")
    }
    data <- parts$data
    if (!is.null(turned)) refuse_turned(parts, data, turned, names(adjusted))
    measured <- data[[pick(parts$left, data, "the formula")]]
    amount <- if (has_amounts(measured)) parts$left
    decision <- if (is.null(amount)) parts$left
    groups <- as.character(parts$right)
    if (!is.null(parts$within)) adjusted[[1L]] <- stats::as.formula(call("~", parts$within))
  } else if (!is.character(data)) {
    refuse_no_frame(data, "the call")
  }
  roles <- list(amount = amount, decision = decision, groups = groups, weights = weights, clusters = clusters)
  for (role in names(roles)) one_name(roles[[role]], role)
  if (is.null(unlist(adjusted))) {
    fail(names(adjusted), " is missing; name covariates, as in ", names(adjusted), " = ~ age + education.")
  }
  c(list(data = data), roles, lapply(adjusted, covariates))
}

has_amounts <- function(column) is.numeric(plain_column(column)) && length(unique(stats::na.omit(column))) > 2L

# The formula with the first covariate in the place of the groups.
turned_formula <- function(parts) {
  behind <- lapply(all.vars(parts$within), as.name)
  if (!length(behind)) return(NULL)
  others <- Reduce(function(left, right) call("+", left, right), c(list(parts$right), behind[-1L]))
  deparse1(call("~", as.name(parts$left), call("|", behind[[1L]], others)))
}

# Who knows the package oaxaca writes covariates first and the groups behind the bar: numbers beside columns of labels.
refuse_turned <- function(parts, data, turned, covariates) {
  column <- function(name) data[[pick(as.character(name), data, "the formula")]]
  right <- column(parts$right)
  behind <- all.vars(parts$within)
  amounts <- vapply(behind, function(name) has_amounts(column(name)), NA)
  if (!has_amounts(right) || is_worded(right) || any(amounts)) return(invisible())
  fail(parts$text, " compares groups of ", parts$right, ", which has numbers, and has ", paste(behind, collapse = " and "),
    if (length(behind) > 1L) " for covariates" else " for a covariate", "; write ", turned, " to compare the groups of ",
    behind[[1L]], ", or, where the numbers are groups, groups = \"", parts$right, "\", ", covariates, " = ~ ",
    deparse1(parts$within), ".")
}

# What has a row a person elsewhere, with the way to a data frame.
refuse_no_frame <- function(data, text) {
  if (is.data.frame(data)) {
    return(invisible())
  }
  way <- if (is_lazy(data)) "collect it first, with dplyr::collect()" else if (is_design(data)) {
    "give its data frame (design$variables), and the names of its columns as weights and clusters"
  } else {
    paste("give the data frame that", text, "speaks of")
  }
  fail("data is of class ", class(data)[[1L]], "; ", way, ".")
}

covariates <- function(given) {
  if (inherits(given, "formula")) {
    return(paste(deparse(given, width.cutoff = 500L), collapse = " "))
  }
  if (length(given) == 1L && is.character(given) && startsWith(trimws(given), "~")) given else as_list(given) # a formula's text
}
