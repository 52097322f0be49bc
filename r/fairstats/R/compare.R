#' Compare methods, models and groups over repeated splits
#'
#' Fits and models are made on a part of the rows and tested on the others, again and again, on the same splits: how well each
#' predicts and how far the groups are apart, and both less those of the first method.
#'
#' @param data A data frame.
#' @param outcome Name of the outcome.
#' @param groups Names of the group columns, or a one-sided formula of them.
#' @param features A one-sided formula, or names of numeric columns.
#' @param methods Names of methods, each compared with the first: `"none"`, `"pca"`, `"og"`, `"og-residual"`,
#'   `"fair_pca"`, `"fair_pca-s"`, `"fair_kernel_pca"`, `"minimax_pca"`, `"leace_pca"`, `"leace"`, `"fpca"`, `"mbf_pca"`,
#'   `"inlp_pca"`, `"inlp"`, `"rlace_pca"`, `"rlace"`, `"residualize"`, `"location_scale"`, `"quadratic_leace"`,
#'   `"with_groups"`, `"pope_sydnor"`, `"pope_sydnor_zero"`, `"correlation_remover"`.
#' @param k Number of components, or several; where `NULL` the largest that all methods allow, 10 at most.
#' @param n_repeats Number of random splits.
#' @param positive The outcome that counts as 1.
#' @param model `"logistic"`, `"linear-svm"`, `"rbf-svm"`, `"mlp"`, `"lasso"`, `"random-forest"`, or what [fairlearn_reduction()]
#'   returns; a model that R fits: a function such as [stats::glm()], what [fair_model()] returns, a specification of
#'   \pkg{parsnip}, a workflow; or a list of several, whose names tables use.
#' @param scale Divide the features by their standard deviations in the training rows?
#' @param test_size Share of the rows held out by a split.
#' @param train_on `"training"`: models are trained on the training rows; or `"measured"`: on the test rows that they are
#'   measured on, as the tables of Lee et al. (2022) and Kleindessner et al. (2023) were made.
#' @param representation Also measure the variance that each method keeps of the test rows, and the squared maximum mean
#'   discrepancy between groups?
#' @param cache A folder in which finished parts are kept for the next call, or `NULL`.
#' @param favorable The predicted outcome that helps the person: the share predicted so is then called selection rate;
#'   where `NULL` the share predicted positive is reported.
#' @param threshold A score of at least this predicts the positive outcome; decision functions are cut at 0.
#' @param conf_level Confidence level.
#' @param missing Rows without a group: `"raise"` an error, make them a `"level"`, or `"drop"` them.
#' @param seed Seed of the splits and of the models.
#' @param n_jobs Number of processes.
#' @param splits Splits that are given, in place of random ones: a list of pairs `list(training, test)` of row numbers or masks,
#'   or what `vfold_cv()`, `bootstraps()` or `initial_split()` of rsample return for `data`; `n_repeats` and `test_size` do not
#'   count then.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return An object of class `fairstats_comparison`.
#' @references Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52, 239-281.
#'   \doi{10.1023/A:1024068626366}
#'
#'   Pope, D. G. and Sydnor, J. R. (2011). Implementing anti-discrimination policies in statistical profiling models.
#'   American Economic Journal: Economic Policy 3, 206-231. \doi{10.1257/pol.3.3.206}
#' @family comparisons
#' @export
#' @examplesIf fairstats_available()
#' \donttest{
#' fair_compare(transform(mtcars, y = mpg > 20), "y", "am", ~ hp + wt + qsec,
#'   k = 2, n_repeats = 5, positive = TRUE
#' )
#' }
fair_compare <- function(data, outcome, groups, features, methods = c("none", "og"), k = NULL, n_repeats = 50,
                         positive = 1, model = "logistic", scale = TRUE, test_size = 0.25, train_on = "training",
                         representation = FALSE, cache = NULL, favorable = NULL, threshold = 0.5, conf_level = 0.95,
                         missing = "raise", seed = 0, n_jobs = 1, splits = NULL, ...) {
  refuse_others(...)
  call <- call_of("fair_compare")
  frame <- table_of(data)
  rownames(frame) <- NULL
  behind <- pick(group_names(groups, names(frame)), frame, "groups")
  spoken <- union(pick(one_name(outcome, "outcome"), frame, "outcome"), behind)
  positive <- one_label(positive, "positive")
  if (is_worded(frame[[outcome]])) {
    code <- if ("positive" %in% names(match.call())) positive
    positive <- label_of_code(code, frame[[outcome]], "positive") %||% positive
    if (!by_codes(frame[[outcome]], positive)) behind <- c(behind, outcome)
  }
  frame <- plain_columns(frame, behind, c(spoken, if (!inherits(features, "formula")) unlist(features)))
  frame[spoken] <- labeled(frame[spoken])
  if (inherits(features, "formula")) {
    result <- whole_matrix(features_of(features, frame[setdiff(names(frame), outcome)], groups)$x)
    frame <- cbind(frame[spoken], result)
    features <- colnames(result)
  }
  features <- pick(unlist(features), frame, "features")
  models <- as_models(argument_value("model", environment()), substitute(model))
  if (is.object(methods)) {
    fail("methods is of class ", class(methods)[[1L]], "; give names of methods, such as c(\"none\", \"og\").")
  }
  labels <- outcome_labels(frame[[outcome]], positive)
  result <- fs_call("compare", list(
    data = frame[unique(c(spoken, features))], outcome = outcome, groups = as.list(groups), features = as.list(features),
    methods = as.list(methods), k = if (!is.null(k)) as.list(vapply(k, whole, 1L, "k")),
    n_repeats = whole(n_repeats, "n_repeats"), positive = positive, model = models$sent,
    scale = scale, test_size = test_size, train_on = train_on, representation = representation,
    cache = if (!is.null(cache)) path.expand(one_name(cache, "cache", "path of one folder")),
    favorable = one_label(favorable, "favorable"),
    threshold = threshold, conf_level = conf_level, missing = missing, seed = whole(seed, "seed"),
    n_jobs = whole(n_jobs, "n_jobs"), splits = splits_of(splits, nrow(frame)), r_call = call_record(call)
  ), callbacks(models$here, outcome, labels))
  result$group_values <- group_values(table_of(data), result$by_group)
  with_call(result, call)
}

# Splits as Python reads them, rows counted from 0: of pairs of row numbers or masks, or of what rsample's functions return.
splits_of <- function(splits, n) {
  if (is.null(splits)) {
    return(NULL)
  }
  if (inherits(splits, "rsplit")) splits <- list(splits)
  if (is.data.frame(splits)) splits <- splits$splits
  splits <- lapply(splits, pair_of_rsample, n = n)
  if (!length(splits) || !all(vapply(splits, is.list, NA)) || !all(lengths(splits) == 2L)) {
    fail("splits is no list of pairs; give list(training, test), of row numbers or masks, for each, or ",
      "what rsample::vfold_cv() returns.")
  }
  lapply(seq_along(splits), function(i) {
    parts <- lapply(unname(splits[[i]]), row_numbers, n = n)
    if (!all(lengths(parts))) fail("splits[[", i, "]] has a part without rows; leave it out.")
    both <- intersect(parts[[1L]], parts[[2L]])
    if (length(both)) {
      fail("splits[[", i, "]] has the row ", both[[1L]], " (", length(both), " in all) in both parts; take it out of one.")
    }
    lapply(parts, function(rows) if (length(rows) == 1L) list(rows - 1L) else rows - 1L)
  })
}

# The rows of training and test in a split of rsample's, whose out_id is NA where it is the complement.
pair_of_rsample <- function(split, n) {
  if (!inherits(split, "rsplit")) {
    return(split)
  }
  if (nrow(split$data) != n) {
    fail("splits are of ", nrow(split$data), " rows, and data has ", n, "; split the rows that are compared.")
  }
  list(split$in_id, if (anyNA(split$out_id)) setdiff(seq_len(n), split$in_id) else split$out_id)
}

row_numbers <- function(rows, n) {
  if (is.logical(rows) && length(rows) == n && !anyNA(rows)) rows <- which(rows)
  wrong <- if (is.numeric(rows)) rows[is.na(rows) | rows != round(rows) | rows < 1 | rows > n] else rows
  if (length(wrong)) {
    fail("splits has the row ", wrong[[1L]], "; rows are whole numbers from 1 to ", n, ", or a mask of them.")
  }
  as.integer(rows)
}

# The two outcomes as R writes them, the positive one last: the levels of the factor that a model of R's sees.
outcome_labels <- function(values, positive) {
  available <- unique(label_text(values))
  positive <- label_text(positive)
  if (!positive %in% available) positive <- c(intersect(c("TRUE", "Yes", "yes"), available), positive)[[1L]] # 1 means these, too
  others <- setdiff(available, c(positive, NA))
  c(if (length(others)) others[[1L]] else paste("not", positive), positive)
}

#' A classifier within a fairness constraint, as a model of a comparison
#'
#' Agarwal et al. (2018): a randomized combination of logistic regressions whose rates differ between the groups by no
#' more than a bound, as fairlearn computes it.
#'
#' @param constraint `"demographic_parity"`, `"equalized_odds"`, `"true_positive_rate"` or `"false_positive_rate"`.
#' @param bound Allowed difference of a rate from that of everybody, between 0 and 1.
#' @param max_iter Most steps of the search.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return To be given to [fair_compare()] as `model`.
#' @references Agarwal, A., Beygelzimer, A., Dudik, M., Langford, J. and Wallach, H. (2018). A reductions approach to fair
#'   classification. ICML, PMLR 80, 60-69. \doi{10.48550/arXiv.1803.02453}
#' @family comparisons
#' @export
#' @examples
#' fairlearn_reduction("equalized_odds", bound = 0.02)
fairlearn_reduction <- function(constraint = "demographic_parity", bound = 0.01, max_iter = 50, ...) {
  refuse_others(...)
  structure(list(constraint = constraint, bound = bound, max_iter = whole(max_iter, "max_iter")),
    class = "fairstats_reduction")
}

#' @export
print.fairstats_reduction <- function(x, ...) {
  cat("Reduction: ", x$constraint, " within ", format(x$bound), ", at most ", x$max_iter, " steps\n", sep = "")
  invisible(x)
}
