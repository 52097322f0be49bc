#' Audit decisions and scores by group
#'
#' Selection rates, error rates, ranking and calibration of each group, their differences and ratios against a reference
#' group, with intervals that hold what they promise and p-values adjusted within the declared family.
#'
#' @param data A data frame, one row a person.
#' @param outcome,decision,score Names of columns: what happened, what was decided, the number it was decided by.
#' @param groups Names of the group columns; `"sex:race"` is the intersection. Several are audited one by one and then
#'   together. Or a one-sided formula of them.
#' @param favorable,positive The decision that helps the person, and the outcome that counts as 1; 1 also means `TRUE`.
#' @param predicts The decision that says "positive" of the outcome, where the two have different labels.
#' @param threshold With `score` alone: the decision is `score >= threshold`.
#' @param reference `"largest_group"`, `"highest_rate"`, or the level that others are compared with; `c(sex = "male", race
#'   = "white")` names one for each attribute.
#' @param conf_level Confidence level.
#' @param adjust How p-values and intervals are adjusted within the comparisons of one rate and attribute: `"holm"`,
#'   `"bh"`, `"bonferroni"`, `"max-t"` or `"none"`.
#' @param equivalence A margin within which rates count as equal, or `NULL`.
#' @param strata Names of columns of legitimate factors to adjust for.
#' @param weights Name of a column of weights, at least 0.
#' @param weight_type Whether a weight counts people (`"frequency"`) or is an inverse sampling `"probability"`.
#' @param clusters Name of a column of sampling clusters, whose members are dependent.
#' @param min_n Denominators with fewer people are shown without their numbers.
#' @param missing People without a group: a `"level"` of their own, `"drop"` them, or `"raise"` an error.
#' @param seed Seed of everything random.
#' @param protocol A file (TOML) that declares these arguments in advance, by their names; what it declares need not, and
#'   cannot otherwise, be given here.
#' @return An object of class `fairstats_audit`.
#' @seealso [report()], [tidy.fairstats()]
#' @export
#' @examplesIf fairstats_available()
#' df <- data.frame(
#'   sex = rep(c("female", "male"), c(40, 60)),
#'   hired = c(rep(1:0, c(10, 30)), rep(1:0, c(30, 30)))
#' )
#' a <- fair_audit(df, decision = "hired", groups = "sex")
#' tidy(a, conf.int = TRUE)
#'
#' # what was decided before looking at the data, in a file
#' plan <- tempfile(fileext = ".toml")
#' writeLines(c('groups = ["sex"]', 'decision = "hired"', 'reference = "male"', "equivalence = 0.05"), plan)
#' fair_audit(df, protocol = plan)
fair_audit <- function(data, outcome = NULL, decision = NULL, score = NULL, groups = NULL, favorable = 1, positive = 1,
                       predicts = NULL, threshold = NULL, reference = "largest_group", conf_level = 0.95,
                       adjust = "holm", equivalence = NULL, strata = NULL, weights = NULL, weight_type = "frequency",
                       clusters = NULL, min_n = 1, missing = "level", seed = 0, protocol = NULL) {
  arguments <- list(
    outcome = outcome, decision = decision, score = score, groups = as_list(attributes_of(groups, "groups")),
    favorable = one_label(favorable, "favorable"), positive = one_label(positive, "positive"),
    predicts = one_label(predicts, "predicts"), threshold = threshold, reference = reference_of(reference),
    conf_level = conf_level, adjust = adjust, equivalence = equivalence, strata = as_list(strata), weights = weights,
    weight_type = weight_type, clusters = clusters, min_n = min_n, missing = missing, seed = seed
  )
  declared <- list()
  if (!is.null(protocol)) {
    # Defaults of this function are no wishes of the user's: they must not contradict the file.
    arguments <- arguments[names(arguments) %in% names(match.call())]
    declared <- declared_in(protocol)
  }
  said <- c(declared, arguments[setdiff(names(arguments), names(declared))])
  if (is.null(said$groups)) stop("groups is missing; name the columns whose groups are compared.", call. = FALSE)
  for (role in c("outcome", "decision", "score", "weights", "clusters")) one_name(said[[role]], role)
  frame <- audited_columns(data, said)
  fs_call("audit", c(list(data = frame), arguments, list(protocol = if (!is.null(protocol)) path.expand(protocol))))
}

# The columns that an audit speaks of, with labels as R writes them; scores and weights stay numbers.
audited_columns <- function(data, said) {
  columns <- unique(c(said$outcome, said$decision, said$score, group_names(unlist(said$groups), names(data), "groups"),
    unlist(said$strata), said$weights, said$clusters))
  frame <- as.data.frame(data)[pick(columns, data, "the call")]
  rownames(frame) <- NULL
  labels <- setdiff(columns, c(said$score, said$weights))
  frame[labels] <- labelled(frame[labels])
  frame
}

declared_in <- function(protocol) {
  if (is.list(protocol)) {
    stop("protocol is a list; a protocol is a file that was there before anyone looked at the data: write the same names ",
      "and values into one, as in writeLines(c('groups = [\"sex\"]', 'conf_level = 0.95'), \"audit.toml\").", call. = FALSE)
  }
  one_name(protocol, "protocol", "path of a file")
  fs_call("declared", list(protocol = path.expand(protocol)))
}

one_name <- function(x, argument, what = "name of a column of data") {
  if (!is.null(x) && (!is.character(x) || length(x) != 1L || is.na(x))) {
    stop(argument, " is of class ", class(x)[[1L]], " and length ", length(x), "; give the ", what, ".", call. = FALSE)
  }
  x
}

# One label as Python is to read it: R writes TRUE where Python writes True, and a factor or a day is its text.
one_label <- function(x, argument) {
  if (is.null(x)) {
    return(NULL)
  }
  if (!is.atomic(x) || length(x) != 1L || is.na(x)) {
    stop(argument, " = ", paste(as.character(utils::head(x, 5L)), collapse = ", "), " is not one label; give one of the two.",
      call. = FALSE)
  }
  if (is.numeric(x) && !is.object(x)) x else label_text(x)
}

# A rule, a level, or a level by attribute, as a list or a named vector.
reference_of <- function(reference) {
  if (is.null(names(reference))) {
    return(one_label(reference, "reference"))
  }
  lapply(as.list(reference), one_label, "reference")
}

as_list <- function(x) if (is.null(x)) NULL else as.list(x)

#' Compare methods, models and groups over repeated splits
#'
#' @param data A data frame.
#' @param outcome Name of the outcome.
#' @param group Names of the group columns, or a one-sided formula of them.
#' @param features A one-sided formula, or names of numeric columns.
#' @param methods Names of methods, each compared with the first: `"none"`, `"pca"`, `"og"`, `"og-residual"`,
#'   `"fair_pca"`, `"fair_pca-s"`, `"leace"`, `"minimax_pca"`, `"fpca"`, `"mbf_pca"`, `"inlp"`, `"rlace"`, `"residualize"`,
#'   `"location_scale"`, `"with_groups"`, `"pope_sydnor"`, `"pope_sydnor_zero"`, `"correlation_remover"`.
#' @param k Number of components, or several.
#' @param repeats Number of random splits.
#' @param positive The outcome that counts as 1.
#' @param model `"logistic"`, `"linear-svm"`, `"rbf-svm"`, `"mlp"`, `"lasso"`, `"random-forest"`, or what [reduction()]
#'   returns; or a list of several.
#' @param scale Divide the features by their standard deviations in the training rows?
#' @param test_size Share of the rows held out by a split.
#' @param protocol `"holdout"`: models are trained on the training rows; or `"paper"`: on the test rows that they are
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
#' @param jobs Number of processes.
#' @return An object of class `fairstats_comparison`.
#' @export
#' @examplesIf fairstats_available()
#' \donttest{
#' fair_compare(transform(mtcars, y = mpg > 20), "y", "am", ~ hp + wt + qsec,
#'   k = 2, repeats = 5, positive = TRUE
#' )
#' }
fair_compare <- function(data, outcome, group, features, methods = c("none", "og"), k = NULL, repeats = 50,
                         positive = 1, model = "logistic", scale = TRUE, test_size = 0.25, protocol = "holdout",
                         representation = FALSE, cache = NULL, favorable = NULL, threshold = 0.5, conf_level = 0.95,
                         missing = "raise", seed = 0, jobs = 1) {
  frame <- as.data.frame(data)
  rownames(frame) <- NULL
  group <- attributes_of(group)
  spoken <- c(one_name(outcome, "outcome"), group_names(group, base::names(frame)))
  frame[spoken] <- labelled(frame[pick(spoken, data, "the call")])
  if (inherits(features, "formula")) {
    made <- features_of(features, frame[setdiff(names(frame), outcome)], group)$x
    frame <- cbind(frame[spoken], made)
    features <- colnames(made)
  }
  pick(features, frame, "features")
  fs_call("compare", list(
    data = frame[unique(c(spoken, features))], outcome = outcome, groups = as.list(group), features = as.list(features),
    methods = as.list(methods), k = if (!is.null(k)) as.list(vapply(k, whole, 1L, "k")),
    repeats = whole(repeats, "repeats"), positive = one_label(positive, "positive"), model = as_models(model),
    scale = scale, test_size = test_size, protocol = protocol, representation = representation,
    cache = if (!is.null(cache)) path.expand(cache), favorable = one_label(favorable, "favorable"),
    threshold = threshold, conf_level = conf_level, missing = missing, seed = whole(seed, "seed"),
    jobs = whole(jobs, "jobs")
  ))
}

as_models <- function(model) {
  if (inherits(model, "fairstats_reduction")) model <- list(model)
  lapply(as.list(model), unclass)
}

#' A classifier within a fairness constraint, as a model of a comparison
#'
#' Agarwal et al. (2018): a randomised combination of logistic regressions whose rates differ between the groups by no
#' more than a bound, as fairlearn computes it.
#'
#' @param constraint `"demographic_parity"`, `"equalized_odds"`, `"true_positive_rate"` or `"false_positive_rate"`.
#' @param bound Allowed difference of a rate from that of everybody, between 0 and 1.
#' @param max_iter Most steps of the search.
#' @return To be given to [fair_compare()] as `model`.
#' @references Agarwal, Beygelzimer, Dudik, Langford and Wallach (2018). A reductions approach to fair classification.
#'   Proceedings of the 35th International Conference on Machine Learning.
#' @export
#' @examples
#' reduction("equalized_odds", bound = 0.02)
reduction <- function(constraint = "demographic_parity", bound = 0.01, max_iter = 50) {
  structure(list(constraint = constraint, bound = bound, max_iter = whole(max_iter, "max_iter")),
    class = "fairstats_reduction")
}

#' @export
print.fairstats_reduction <- function(x, ...) {
  cat("Reduction: ", x$constraint, " within ", format(x$bound), ", at most ", x$max_iter, " steps\n", sep = "")
  invisible(x)
}

#' The tables of New York City's Local Law 144
#'
#' @param audit What [fair_audit()] returns.
#' @param small_share Categories with a smaller share of the people may be left out of the impact ratios.
#' @return A list of tibbles, one an attribute.
#' @export
#' @examplesIf fairstats_available()
#' df <- data.frame(
#'   sex = rep(c("female", "male"), c(40, 60)),
#'   hired = rep(c(1, 0, 1, 0), c(10, 30, 30, 30))
#' )
#' local_law_144(fair_audit(df, decision = "hired", groups = "sex"))
local_law_144 <- function(audit, small_share = 0.02) {
  tables <- fs_call("local_law_144", list(small_share = small_share), list(audit = python_object(audit, "audit")))
  lapply(tables, tibble::as_tibble)
}
