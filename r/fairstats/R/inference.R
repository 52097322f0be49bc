#' Held-out scores
#'
#' Scores of rows by fits that did not see them: the only input to inference about prediction or leakage.
#'
#' The components of each fold are turned to those of the first one (orthogonal Procrustes on the loadings, of kernels on the
#' scores), so that a component means the same in all folds; of methods that adjust features nothing is turned. Scores of a later
#' fold are therefore not those of a fit to the other rows, but a rotation of them. Compare scores within a fold only.
#'
#' Terms whose columns depend on the rows, as those of `scale()`, `poly()`, `splines::ns()` and `splines::bs()`, are made for
#' each fold from the rows of the others, as `scale = TRUE` is. The other studies of a fit ([fair_leakage()] of a fit with its
#' rows, [fair_price_of_fairness()], [fair_select_k()], [fair_tradeoff()], [fair_bootstrap_loadings()]) make such terms once,
#' from all rows that they are given.
#'
#' @param fit What [og()] and the like return.
#' @param x,groups,data The rows, given as to the fit; `groups` need not be given again where the data have its columns.
#' @param folds Number of folds, or the fold of each row.
#' @param seed Seed of the folds.
#' @param continuous As in [og()].
#' @param missing Rows without a group: a `"level"` where they were one in the fit, else an error, where `NULL`; or
#'   `"raise"`, `"level"`, `"drop"`, as in [og()].
#' @param weights As in the fit: a weighted fit needs its weights again, another takes none.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return An object of class `fairstats_held_out` with `scores` and `folds`, which are numbered from 1.
#'   It keeps scores, folds and groups for R, and once more as bytes for Python in a later session: with two components
#'   about 50 bytes a row together. What [fair_leakage()] returns keeps no rows (some 10 kB).
#' @family studies of a fit
#' @export
#' @examplesIf fairstats_available()
#' x <- mtcars[c("hp", "wt", "qsec", "drat")]
#' scores <- fair_crossfit(og(x, mtcars$am, k = 2), x, mtcars$am)
#' fair_component_tests(scores)
fair_crossfit <- function(fit, x = NULL, groups = NULL, data = NULL, folds = 2, seed = 0, continuous = NULL, missing = NULL,
                     weights = NULL, ...) {
  refuse_others(...)
  if (inherits(fit, c("fairstats_audit", "fairstats_comparison"))) {
    fail("fit is of class ", class(fit)[[1L]], "; give a fit, as og() and leace() return it.")
  }
  rows <- rows_of_fit(fit, x, groups, data, continuous, missing, weights)
  rows <- c(rows, list(folds = numbered(folds, "folds"), seed = whole(seed, "seed")))
  fitted <- list(fit = python_object(fit, "fit"))
  frame <- if (is.null(x) || inherits(x, "formula")) data else x
  without <- rows_without_group(rows)
  if (learns_from_rows(fit) && is.data.frame(frame) && all(fit$recipe$columns %in% names(frame))) {
    rows$folds <- fs_call("folds", rows, fitted)
    used <- if (is.null(without) || length(rows$folds) == length(without)) seq_len(nrow(frame)) else which(!without)
    rows$by_fold <- lapply(seq_len(max(rows$folds)), function(fold) {
      without_names(formula_matrix(fit, as.data.frame(frame), learned_from = used[rows$folds != fold]))
    })
  }
  held_out <- fs_call("held_out", rows, fitted)
  names <- row_names_of(frame) # as those of the fit have them
  if (!is.null(without) && nrow(held_out$scores) < length(without)) names <- (names %||% seq_along(without))[!without]
  of_components <- inherits(fit, c("fairstats_fit", "fairstats_kernel"))
  columns <- if (of_components) paste0("PC", seq_len(ncol(held_out$scores))) else names(fit$center)
  dimnames(held_out$scores) <- list(names, columns)
  held_out
}

# The columns that held the groups of a fit, where the data have them.
declared_group <- function(fit, data) {
  available <- if (is.list(fit)) fit$groups$names
  if (is.null(available) || !is.data.frame(data) || !all(group_names(available, names(data)) %in% names(data))) return(NULL)
  available
}

# The features of a fit once more: of a data frame that has the columns which it was made from, these.
features_again <- function(fit, x, data, groups) {
  if (inherits(x, "formula")) {
    return(formula_matrix(fit, as.data.frame(data)))
  }
  if (is.data.frame(x) && inherits(fit, "fairstats")) {
    columns <- names(x)
    result <- rownames(fit$rotation) %||% names(fit$center)
    request <- if (!is.null(fit$recipe)) fit$recipe$columns else if (!is.null(fit$formula)) all.vars(formula.fairstats(fit))
    if (!is.null(request) && all(request %in% columns) && !all(result %in% columns)) {
      return(formula_matrix(fit, as.data.frame(x)))
    }
    if (!is.null(result) && all(result %in% columns)) x <- as.data.frame(x)[pick(result, x, "x")]
  }
  features_of(x, data, groups)$x
}

# The rows of a fit, given once more as they were to it.
rows_of_fit <- function(fit, x, groups, data, continuous, missing, weights = NULL) {
  if (!inherits(fit, "fairstats")) python_object(fit, "fit") # an error that says what it is
  if (is.null(x)) x <- data
  refuse_grouped(if (is.data.frame(x)) x else data, "data")
  if (is.null(x)) fail("x is missing; a fit keeps no rows of data, so give those that it was fitted to.")
  if (is.null(data) && is.data.frame(x)) data <- x
  if (is.null(groups)) {
    groups <- declared_group(fit, data)
    if (is.null(continuous)) continuous <- setdiff(groups, names(fit$groups$levels))
  }
  sent <- features_again(fit, x, data, groups)
  current <- groups_of(groups, data)
  rows <- list(X = without_names(sent), groups = as.list(current$names), data = current$data,
    continuous = as.list(continuous), missing = missing)
  if (is.null(weights)) rows else c(rows, list(weights = values_of(weights, data, "weights")))
}

#' What a fit costs, and what it leaves of the groups
#'
#' * `fair_extra_error()`: how much more error than PCA the condition costs, with its interval, null expectation and test.
#' * `fair_price_of_fairness()`: what the condition of a fit costs new people beyond PCA of as many components: in
#'   all, by group and by
#'   component, with intervals and tests, and the price in sample beside them.
#' * `fair_bootstrap_loadings()`: how far bootstrap samples turn the components, and percentile limits of the loadings.
#' * `fair_select_k()`: how many components the data support, by cross-validated error and parallel analysis, with the
#'   condition of a method and without it. A held-out entry is predicted from the other entries of its row: the scores that fit
#'   these best by least squares, times the loadings of a fit to the other rows.
#' * `fair_component_tests()`: Brunner and Munzel's and Mann and Whitney's tests of each held-out component, each group against
#'   all others, within the folds: scores of different folds come from different fits and are never pooled. The smallest
#'   p-value comes first.
#' * `fair_leakage()`: how well a probe tells the groups from the scores of new people (AUC), with a verdict: a leak is shown,
#'   no leak beyond the margin is shown, or neither; and two measures of dependence: the squared maximum mean
#'   discrepancy (MMD) and the distance correlation. Of a fit with its rows the null distribution is that of refits on
#'   exchanged rows; of held-out scores alone, and with weights that differ, whose rows cannot be exchanged, everything is
#'   conditional on the scores. Where a group is recognized in them, though not shown to be more than in refits, print() has
#'   the interval of these scores, and `tidy()` that of a leak beyond the refits', with the other in its `reason`.
#'   With rows that are not those of the fit, the fit itself is tested on them, and nothing is fitted again.
#' * `fair_reconstruction_error_by_group()`: reconstruction error by group, beside that of PCA of the rows that it is given. Of
#'   other rows than those of the fit, this PCA has seen them and the fit has not, so that the fit looks dearer than it is: the
#'   rows say "PCA of these rows", and the price for new people is that of `fair_price_of_fairness()`.
#' * `fair_tradeoff()`: several methods and their settings on the same held-out people: error and its gap between groups,
#'   or, with an outcome `y`, how well linear scores tell the outcome and the groups (AUC); all intervals hold together.
#'
#' @param fit A fit; for `fair_extra_error()` of [og()] or [pca()], for `fair_leakage()` also held-out scores.
#' @param method The name of a method that makes linear components, such as `"og"`.
#' @param methods Names of methods, or a list of them in which a named entry has settings, such as
#'   `list("og", fair_pca = list(tradeoff = c(0, 0.5, 1)))`: each value of a setting is a row. `NULL` for all that make
#'   components and need no setting.
#' @param k Number of components.
#' @param y An outcome of two values: the name of a column of `data`, or one value a row.
#' @param max_k The largest number of components to try; 10, or as many as the folds allow, where `NULL`.
#' @param replicates Bootstrap samples.
#' @param scale As in [og()].
#' @param ... Of `fair_select_k()`: further arguments of the method. Of the others nothing: a name that they do not
#'   know is an error
#'   that names the nearest.
#' @param scores What [fair_crossfit()] returns.
#' @param margin The margin: an AUC of less than 0.5 and this does not matter. A number, or `list(leakage = 0.05)`.
#'   Without it no absence of leakage can be shown.
#' @param folds As in [fair_crossfit()].
#' @param x,groups,data The rows, given as to the fit; `groups` need not be given again where the data have its columns.
#'   Of held-out scores `fair_leakage()` takes `groups` only: others than those of the fit, or names of columns of `data`.
#'   `fair_leakage()` takes other rows than the fit's, too, and `fair_reconstruction_error_by_group()`; the others refuse them.
#' @param conf_level Confidence level.
#' @param p_adjust How p-values are adjusted, `"bonferroni"`, `"holm"`, `"bh"` or `"none"`: of `fair_price_of_fairness()` over the
#'   groups of an attribute and over the components, of `fair_component_tests()` over all rows of a metric.
#' @param permutations,seed Number of permutations and their seed.
#' @param continuous,missing As in [fair_crossfit()].
#' @param weights As in the fit, one number a row: how many people it stands for. Of `fair_component_tests()` those of the fit
#'   that was crossfitted, where there are none.
#' @return An object with [tidy()] and print methods. Prices of single components, and errors and tests of each number of
#'   components, are rows of `tidy(x, role = "all")`.
#' @references Brunner, E. and Munzel, U. (2000). The nonparametric Behrens-Fisher problem. Biometrical Journal 42, 17-25.
#'   \doi{10.1002/(SICI)1521-4036(200001)42:1<17::AID-BIMJ17>3.0.CO;2-U}
#'
#'   DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988). Comparing the areas under two or more correlated
#'   receiver operating characteristic curves. Biometrics 44, 837-845. \doi{10.2307/2531595}
#'
#'   Székely, G. J., Rizzo, M. L. and Bakirov, N. K. (2007). Measuring and testing dependence by correlation of
#'   distances. Annals of Statistics 35, 2769-2794. \doi{10.1214/009053607000000505}
#'
#'   Phipson, B. and Smyth, G. K. (2010). Permutation p-values should never be zero. Statistical Applications in
#'   Genetics and Molecular Biology 9, 39. \doi{10.2202/1544-6115.1585}
#'
#'   Horn, J. L. (1965). A rationale and test for the number of factors in factor analysis. Psychometrika 30,
#'   179-185. \doi{10.1007/BF02289447}
#' @concept leakage
#' @concept maximum mean discrepancy
#' @concept distance correlation
#' @family studies of a fit
#' @name inference
#' @examplesIf fairstats_available()
#' x <- mtcars[c("hp", "wt", "qsec", "drat")]
#' fit <- og(x, mtcars$am, k = 2)
#' fair_extra_error(fit, x, mtcars$am)
#' tidy(fair_reconstruction_error_by_group(fit, x, mtcars$am))
#' fair_price_of_fairness(fit, x, mtcars$am)
#' fair_select_k(x, mtcars$am, "og", folds = 2, permutations = 19)
#' fair_tradeoff(x, mtcars$am, c("pca", "og"), k = 1)
#' fair_leakage(fair_crossfit(fit, x, mtcars$am))
#' fair_bootstrap_loadings(fit, x, mtcars$am, replicates = 20)
NULL

#' @rdname inference
#' @export
fair_extra_error <- function(fit, x = NULL, groups = NULL, data = NULL, permutations = 999, seed = 0, conf_level = 0.95,
                        continuous = NULL, missing = NULL, ...) {
  refuse_others(...)
  options <- list(permutations = whole(permutations, "permutations"), seed = whole(seed, "seed"), conf_level = conf_level,
    r_call = call_record(call_of("fair_extra_error")))
  if (is.null(x) && is.null(data)) {
    for (name in c("groups", "continuous", "missing")) {
      if (!is.null(get(name))) fail(name, " goes with rows; give those that fit was fitted to as data, or leave ", name, " out.")
    }
    return(fs_call("extra_error", options, list(fit = python_object(fit, "fit"))))
  }
  about_rows("extra_error", fit, x, groups, data, options, continuous, missing)
}

#' @rdname inference
#' @export
fair_price_of_fairness <- function(fit, x = NULL, groups = NULL, data = NULL, weights = NULL, folds = 5, seed = 0,
                                   conf_level = 0.95,
                  p_adjust = "holm", continuous = NULL, missing = NULL, ...) {
  refuse_others(...)
  options <- list(folds = numbered(folds, "folds"), seed = whole(seed, "seed"), conf_level = conf_level,
    p_adjust = p_adjust_of(p_adjust), r_call = call_record(call_of("fair_price_of_fairness")))
  about_rows("price_of_fairness", fit, x, groups, data, options, continuous, missing, weights = weights)
}

#' @rdname inference
#' @export
fair_bootstrap_loadings <- function(fit, x = NULL, groups = NULL, data = NULL, weights = NULL, replicates = 200,
                                    conf_level = 0.95, seed = 0,
                      continuous = NULL, missing = NULL, ...) {
  refuse_others(...)
  options <- list(replicates = whole(replicates, "replicates"), conf_level = conf_level, seed = whole(seed, "seed"),
    r_call = call_record(call_of("fair_bootstrap_loadings")))
  about_rows("bootstrap_loadings", fit, x, groups, data, options, continuous, missing, weights = weights)
}

#' @rdname inference
#' @export
fair_select_k <- function(x, groups, method = "fair_pca", data = NULL, weights = NULL, missing = "raise", scale = FALSE,
                     max_k = NULL, folds = 5, permutations = 99, conf_level = 0.95, seed = 0, continuous = NULL, ...) {
  refuse_others() # the dots are arguments of the method
  for (name in intersect(names(list(...)), c("ks", "k"))) {
    fail(name, " is what fair_select_k() chooses; give the largest that it looks at as max_k.")
  }
  again <- reordered(sys.nframe())
  if (!is.null(again)) return(eval(again$call, parent.frame()))
  if (missing(groups) || is.null(groups)) fail(no_group)
  if (is.null(data) && is.data.frame(x)) data <- x
  current <- groups_of(groups, data)
  if (!is.null(max_k)) max_k <- whole(max_k, "max_k")
  fs_call("select_k", list(
    X = without_names(features_of(x, data, groups)$x), groups = as.list(current$names), method = method,
    data = current$data, continuous = as.list(continuous), weights = values_of(weights, data, "weights"),
    missing = missing, scale = scale, max_k = max_k, folds = numbered(folds, "folds"),
    permutations = whole(permutations, "permutations"), conf_level = conf_level, seed = whole(seed, "seed"),
    r_call = call_record(call_of("fair_select_k")), ...
  ))
}

# Results are known by the names of methods.
refuse_functions <- function(methods, argument) {
  for (one in Filter(is.function, if (is.list(methods)) methods else list(methods))) {
    same <- Filter(function(name) identical(getExportedValue("fairstats", name), one), getNamespaceExports("fairstats"))
    fail(argument, " has a function; methods are given by name, as in ", argument, " = \"", c(sort(same), "og")[[1L]], "\".")
  }
}

#' @rdname inference
#' @export
fair_tradeoff <- function(x, groups, methods = NULL, k = 2, y = NULL, data = NULL, scale = FALSE, folds = 5,
                          conf_level = 0.95, seed = 0, ...) {
  refuse_others(...)
  again <- reordered(sys.nframe())
  if (!is.null(again)) return(eval(again$call, parent.frame()))
  if (missing(groups) || is.null(groups)) fail(no_group)
  if (is.null(data) && is.data.frame(x)) data <- x
  current <- groups_of(groups, data)
  options <- list(k = whole(k, "k"), scale = scale, folds = numbered(folds, "folds"), conf_level = conf_level,
    seed = whole(seed, "seed"), r_call = call_record(call_of("fair_tradeoff")))
  if (!is.null(y)) {
    options$y <- values_of(y, data, "y")
    if (is.character(y) && length(y) == 1L) { # a name, which the result has as well
      if (!y %in% names(current$data)) current$data[[y]] <- options$y
      options$y <- y
    }
  }
  if (!is.null(methods)) {
    items <- as.list(methods)
    named <- nzchar(names(items) %||% character(length(items)))
    options$methods <- unname(Map(function(item, name, pair) {
      if (!pair) return(item)
      settings <- as.list(item)
      if (is.numeric(settings$k)) settings$k <- vapply(settings$k, whole, 1L, argument = "k")
      list(name, settings)
    }, items, names(items) %||% "", named))
  }
  fs_call("tradeoff", c(list(X = without_names(features_of(x, data, groups)$x), groups = as.list(current$names),
    data = current$data), options))
}

#' @rdname inference
#' @export
fair_component_tests <- function(scores, conf_level = 0.95, p_adjust = "holm", weights = NULL, ...) {
  refuse_others(...)
  if (!inherits(scores, "fairstats_held_out")) {
    fail("scores is of class ", class(scores)[[1L]], ", and in-sample scores show nothing about new people; pass ",
      "fair_crossfit(fit, x, groups).")
  }
  fs_call("component_tests", list(weights = weights, conf_level = conf_level, p_adjust = p_adjust_of(p_adjust)),
    list(scores = python_object(scores, "scores")))
}

#' @rdname inference
#' @export
fair_leakage <- function(fit = NULL, x = NULL, groups = NULL, data = NULL, scores = NULL, weights = NULL, margin = NULL,
                    folds = 2, permutations = 199, conf_level = 0.95, seed = 0, continuous = NULL, missing = NULL,
                    ...) {
  refuse_others(...)
  options <- list(margin = margin, permutations = whole(permutations, "permutations"),
    conf_level = conf_level, seed = whole(seed, "seed"), r_call = call_record(call_of("fair_leakage")))
  if (is.null(scores) && inherits(fit, "fairstats_held_out")) {
    scores <- fit
    fit <- NULL
  }
  if (!is.null(scores) || is.null(fit) || is.null(x) && is.null(data)) {
    given <- list(fit = fit, scores = scores)
    given <- given[!vapply(given, is.null, logical(1))]
    if (!is.null(scores) && (!is.null(x) || !is.null(data) && is.null(groups))) {
      fail("x and data go with a fit; held-out scores bring their rows. Pass groups, with data the names of its columns, ",
        "or a fit.")
    }
    if (is.null(data) && is.character(groups) && length(groups) == 1L) {
      fail("groups has one text, ", sQuote(groups, FALSE), "; held-out scores bring no columns: give data, or one label a row.")
    }
    options <- c(options, list(weights = weights, folds = numbered(folds, "folds")))
    current <- groups_of(groups, data)
    if (!is.null(current)) options <- c(options, list(groups = as.list(current$names), data = current$data))
    return(fs_call("leakage", options, Map(python_object, given, names(given))))
  }
  about_rows("leakage", fit, x, groups, data, c(options, list(folds = numbered(folds, "folds"))), continuous, missing,
    weights = weights)
}

#' @rdname inference
#' @export
fair_reconstruction_error_by_group <- function(fit, x = NULL, groups = NULL, data = NULL, conf_level = 0.95,
                                               continuous = NULL, missing = NULL,
                         weights = NULL, ...) {
  refuse_others(...)
  about_rows("reconstruction_error_by_group", fit, x, groups, data, list(conf_level = conf_level), continuous, missing,
    weights = weights)
}

# A statistic of a fit and the rows it was fitted to; `called` is what the function calls the fit.
about_rows <- function(name, fit, x, groups, data, options, continuous = NULL, missing = NULL, called = "fit",
                       weights = NULL) {
  rows <- rows_of_fit(fit, x, groups, data, continuous, missing, weights)
  fs_call("rows", c(list(name = name), rows, options), stats::setNames(list(python_object(fit, "fit")), called))
}
