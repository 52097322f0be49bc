#' Audit decisions and scores by group
#'
#' Selection rates, error rates, ranking and calibration of each group, their differences and ratios against a reference
#' group, with intervals that hold what they promise and p-values adjusted within the declared family.
#'
#' @param data A data frame.
#' @param outcome,decision,score Names of columns: what happened, what was decided, the number it was decided by.
#' @param groups Names of the group columns; `"sex:race"` is the intersection.
#' @param favorable,positive The decision that helps the person, and the outcome that counts as 1.
#' @param predicts The decision that says "positive" of the outcome, where the two have different labels.
#' @param threshold With `score` alone: the decision is `score >= threshold`.
#' @param reference `"largest_group"`, another rule, or the level that others are compared with.
#' @param conf_level Confidence level.
#' @param adjust How p-values and intervals are adjusted: `"holm"`, `"none"`, ...
#' @param equivalence A margin within which rates count as equal, or `NULL`.
#' @param ... `strata`, `weights`, `weight_type`, `clusters`, `min_n`, `missing`, `seed`, `protocol` (a file).
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
fair_audit <- function(data, outcome = NULL, decision = NULL, score = NULL, groups, favorable = 1, positive = 1,
                       predicts = NULL, threshold = NULL, reference = "largest_group", conf_level = 0.95,
                       adjust = "holm", equivalence = NULL, ...) {
  if (inherits(groups, "formula")) groups <- attr(stats::terms(groups), "term.labels")
  more <- list(...)
  columns <- unique(c(outcome, decision, score, group_names(groups), more$strata, more$weights, more$clusters))
  frame <- as.data.frame(data)[pick(columns, data, "the call")]
  rownames(frame) <- NULL
  judged <- setdiff(columns, c(outcome, decision, score, more$weights))
  frame[judged] <- labelled(frame[judged])
  one <- function(label, column) if (is.logical(frame[[column]]) && label %in% 0:1) as.logical(label) else label
  if (!is.null(decision)) favorable <- one(favorable, decision)
  if (!is.null(outcome)) positive <- one(positive, outcome)
  said <- intersect(c(outcome, decision), names(frame))
  frame[said] <- labelled(frame[said])
  fs_call("audit", c(list(
    data = frame, outcome = outcome, decision = decision, score = score, groups = as.list(groups),
    favorable = label_of(favorable), positive = label_of(positive), predicts = label_of(predicts),
    threshold = threshold, reference = reference,
    conf_level = conf_level, adjust = adjust, equivalence = equivalence
  ), more))
}

# R writes TRUE where Python writes True: labels of logical columns cross as text.
label_of <- function(x) if (is.logical(x)) as.character(x) else x

#' Compare methods, models and groups over repeated splits
#'
#' @param data A data frame.
#' @param outcome Name of the outcome.
#' @param group Names of the group columns.
#' @param features A one-sided formula, or names of numeric columns.
#' @param methods Names of methods: `"none"`, `"og"`, `"fair_pca"`, ...
#' @param k Number of components, or several.
#' @param repeats Number of random splits.
#' @param positive The outcome that counts as 1.
#' @param ... `model` (`"logistic"`, `"linear-svm"`, `"rbf-svm"`, `"mlp"`, `"lasso"`, `"random-forest"`, or several),
#'   `representation`, `protocol`, `cache`, `scale`, `test_size`, `favorable`, `threshold`, `conf_level`, `missing`,
#'   `seed`, `jobs`.
#' @return An object of class `fairstats_comparison`.
#' @export
#' @examplesIf fairstats_available()
#' \donttest{
#' fair_compare(transform(mtcars, y = mpg > 20), "y", "am", ~ hp + wt + qsec,
#'   k = 2, repeats = 5, positive = TRUE
#' )
#' }
fair_compare <- function(data, outcome, group, features, methods = c("none", "og"), k = NULL, repeats = 50,
                         positive = 1, ...) {
  if (is.logical(data[[outcome]]) && positive %in% 0:1) positive <- as.logical(positive)
  frame <- as.data.frame(data)
  rownames(frame) <- NULL
  names <- c(outcome, group_names(group))
  frame[names] <- labelled(frame[pick(names, data, "group")])
  if (inherits(features, "formula")) {
    made <- features_of(features, frame[setdiff(base::names(frame), outcome)], group)$x
    kept <- frame[unique(names)]
    frame <- cbind(kept, made)
    features <- colnames(made)
  }
  fs_call("compare", list(
    data = frame, outcome = outcome, groups = as.list(group), features = as.list(features),
    methods = as.list(methods), k = if (!is.null(k)) as.list(vapply(k, whole, 1L, "k")),
    repeats = whole(repeats, "repeats"), positive = label_of(positive), ...
  ))
}

#' The tables of New York City's Local Law 144
#'
#' @param audit What [fair_audit()] returns.
#' @param small_share Categories with a smaller share of the people may be left out of the impact ratios.
#' @return A list of tibbles, one an attribute.
#' @export
#' @examplesIf fairstats_available()
#' df <- data.frame(sex = rep(c("female", "male"), c(40, 60)), hired = rep(c(1, 0, 1, 0), c(10, 30, 30, 30)))
#' local_law_144(fair_audit(df, decision = "hired", groups = "sex"))
local_law_144 <- function(audit, small_share = 0.02) {
  tables <- fs_call("local_law_144", list(small_share = small_share), list(audit = python_object(audit, "audit")))
  lapply(tables, tibble::as_tibble)
}
