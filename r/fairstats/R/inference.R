#' Held-out scores
#'
#' Scores of rows by fits that did not see them: the only input to inference about prediction or leakage.
#'
#' @param fit What [og()] and the like return.
#' @param x,group,data The rows, given as to the fit.
#' @param folds Number of folds, or the fold of each row.
#' @param seed Seed of the folds.
#' @param continuous As in [og()].
#' @return An object of class `fairstats_held_out` with `scores` and `folds`.
#' @export
#' @examplesIf fairstats_available()
#' x <- mtcars[c("hp", "wt", "qsec", "drat")]
#' held <- crossfit(og(x, mtcars$am, k = 2), x, mtcars$am)
#' component_tests(held)
crossfit <- function(fit, x, group, data = NULL, folds = 2, seed = 0, continuous = NULL) {
  if (is.null(data) && is.data.frame(x)) data <- x
  sent <- if (inherits(x, "formula")) formula_matrix(fit, as.data.frame(data)) else features_of(x, data, group)$x
  sent <- without_names(sent)
  groups <- groups_of(group, data)
  fs_call("held_out", list(
    X = sent, groups = as.list(groups$names), data = groups$data, continuous = as.list(continuous),
    folds = as.integer(folds), seed = whole(seed, "seed")
  ), list(fit = python_object(fit, "fit")))
}

#' What a fit costs, and what it leaves of the groups
#'
#' * `extra_error()`: how much more error than PCA the condition costs, with its interval, null expectation and test.
#' * `component_tests()`: Mann-Whitney and Kruskal-Wallis tests of each held-out component by group.
#' * `leakage()`: how well a probe tells the groups from held-out scores (AUC), MMD and HSIC with permutation tests.
#' * `group_losses()`: reconstruction error by group.
#'
#' @param fit A linear fit.
#' @param held What [crossfit()] returns.
#' @param x,group,data The rows, given as to the fit.
#' @param conf_level Confidence level.
#' @param adjust How p-values are adjusted.
#' @param permutations,seed Number of permutations and their seed.
#' @return An object with [tidy()] and print methods.
#' @name inference
#' @examplesIf fairstats_available()
#' x <- mtcars[c("hp", "wt", "qsec", "drat")]
#' fit <- og(x, mtcars$am, k = 2)
#' extra_error(fit, x, mtcars$am)
#' tidy(group_losses(fit, x, mtcars$am))
NULL

#' @rdname inference
#' @export
extra_error <- function(fit, x = NULL, group = NULL, data = NULL, permutations = 999, seed = 0, conf_level = 0.95) {
  options <- list(permutations = whole(permutations, "permutations"), seed = whole(seed, "seed"), conf_level = conf_level)
  if (is.null(x)) {
    return(fs_call("extra_error", options, list(fit = python_object(fit, "fit"))))
  }
  about_rows("extra_error", fit, x, group, data, options)
}

#' @rdname inference
#' @export
component_tests <- function(held, conf_level = 0.95, adjust = "holm") {
  fs_call("component_tests", list(conf_level = conf_level, adjust = adjust), list(held = python_object(held, "held")))
}

#' @rdname inference
#' @export
leakage <- function(held, permutations = 999, conf_level = 0.95, seed = 0) {
  fs_call("leakage", list(
    permutations = whole(permutations, "permutations"), conf_level = conf_level, seed = whole(seed, "seed")
  ), list(scores = python_object(held, "held")))
}

#' @rdname inference
#' @export
group_losses <- function(fit, x, group, data = NULL, conf_level = 0.95) {
  about_rows("group_losses", fit, x, group, data, list(conf_level = conf_level))
}

# A statistic of a fit and the rows it was fitted to; `called` is what the function calls the fit.
about_rows <- function(name, fit, x, group, data, options, called = "fit") {
  if (is.null(data) && is.data.frame(x)) data <- x
  sent <- if (inherits(x, "formula")) formula_matrix(fit, as.data.frame(data)) else features_of(x, data, group)$x
  sent <- without_names(sent)
  groups <- groups_of(group, data)
  fs_call("rows", c(list(name = name, X = sent, groups = as.list(groups$names), data = groups$data), options),
    stats::setNames(list(python_object(fit, "fit")), called))
}
