# Names that results have in Python and not in R, of which `$` of a list would be silent.

# What R has in their place; where several things do the same, the one that R's users know.
parts_elsewhere <- list(
  `summary(x)` = c("finding", "heading", "notes", "null", "question", "title", "why"),
  `tidy(x)$estimate` = "estimate", `tidy(x)$std.error` = "std_error", `tidy(x)$statistic` = "statistic",
  `tidy(x)$p.value` = c("p_value", "p.value", "p_asymptotic", "p_permutation"), `tidy(x)$adj.p.value` = "p_adjusted",
  `tidy(x)$p.equivalence` = "p_equivalence", `tidy(x)$conf.low` = c("conf_low", "conf.low"),
  `tidy(x)$conf.high` = c("conf_high", "conf.high"), `tidy(x)$conf.level` = "conf_level", `tidy(x)$verdict` = "verdict",
  `tidy(x)$n.unweighted` = "n_unweighted",
  `tidy(x)` = c("estimates", "adjusted", "all_together", "attributes", "before", "chosen", "claims", "compared", "expected",
    "fits", "found", "joint_shares", "left", "observed", "pairs", "parts", "points", "probed", "recognized", "statements",
    "subtracted", "to_frame", "to_records"),
  `tidy(x, role = "all")` = c("answers", "by_bound", "by_candidate", "by_category", "by_model", "by_period", "by_rate",
    "changes_by_rate", "conditions", "differences", "not_subtracted", "only", "sensitivity", "where"),
  `subset(tidy(x), verdict == "flagged")` = "flagged", `subset(tidy(x), verdict == "disparity shown")` = "shown",
  `subset(tidy(x), direction == "changed")` = "drifts", `tidy(x, role = "all"), the estimators before and after` = "worsened",
  `tidy(x, role = "guarantee")` = "guarantees", `tidy(x, role = "price")` = "price",
  `glance(x)` = c("error", "extra_error", "pca_error", "total", "max_k", "p"), `nobs(x)` = c("n", "people"),
  `coef(x)` = "coefficients", `predict(x, newdata)` = c("transform", "transform_to", "scores"),
  `augment(x, data)` = "augment", `fair_crossfit(x)` = "crossfit", `fair_reconstruct(x)` = "reconstruct",
  `rownames(x$rotation)` = "features", `x$rotation` = c("components", "components_", "loadings"), `x$sdev` = "singular_values",
  `summary(x)$importance` = c("energy", "explained_variance_ratio_", "score_energy"), `tidy(x) of the metric R2` = "group_share",
  `fair_by_group(x)` = "rates", `fair_passes(x)` = "passes", `x$splits` = "splits_frame",
  `autoplot(x), plot(x) or fair_figure(x)` = c("plot", "plots"), `fair_save(x, path)` = "save",
  `fair_report(x, to = "x.json")` = c("to_dict", "provenance"), `fair_report(x)` = "report",
  `fair_table(x)` = "table", `fair_suppress_cells(x, min_n)` = c("withhold", "withheld"),
  `names(x)` = c("bootstrap", "collapse", "column", "columns", "count", "counted", "diagnostics", "digest", "encoding",
    "favorable", "index", "kind", "label", "map", "margin", "messages", "of", "periods", "scaling", "schema", "seed", "tested",
    "unit", "with_p_adjusted", "within_outcome")
)

# What else Python's results have, by the class in R; tools/r_arguments.py writes it.
python_parts <- list(
  fairstats_fit = c("group_means", "k", "linear", "settings", "weights"),
  fairstats_kernel = c("basis", "k", "kernel", "kernel_map", "parameters", "settings"),
  fairstats_eraser = c("canonical", "effect", "rank", "right", "settings"),
  fairstats_group_map = c("effect", "factors", "offset", "protected", "settings", "share", "slopes"),
  fairstats_audit = c("data", "flow"),
  fairstats_comparison = c("data", "flow"),
  fairstats_partition = c("compositions", "cuts", "edges", "eigenvalues", "embedding", "inertia", "k", "ncut",
    "normalized", "plain", "ratio_cut", "rows", "settings"),
  fairstats_held_out = c("before_of", "folds", "k", "promised", "weights"),
  fairstats_result = c("alarm", "alarms", "attribute", "bands", "conditional", "created", "data", "fdr", "fewest",
    "fingerprints", "folds", "inference_n", "k", "least_e", "max_order", "metric", "min_n", "of_scores", "p_adjust",
    "pairwise_n", "permutations", "q", "refits", "refitted", "settings", "signed", "too_few", "weighted"),
  fairstats_decomposition = c("data", "decomposed_by", "explained_by", "quantile"),
  fairstats_impact_table = c("attribute", "categories", "crossed", "highest", "in_order", "measure", "source",
    "unknown", "unknown_labels"),
  fairstats_tally = c("cuts", "factors", "file", "grids", "least", "lines", "most", "numbers", "roles", "rows",
    "square", "used", "weight", "weights"),
  fairstats_moments = c("by_cell", "continuous", "delta", "named", "numbers", "scatter", "shift", "source", "squares",
    "weight", "weighted")
)

#' @export
`$.fairstats` <- function(x, name) {
  if (name %in% names(x)) {
    return(.subset2(x, name))
  }
  # a part may be abbreviated, as of any list, unless the name is that of something else
  if (!name %in% unlist(parts_elsewhere) && !is.null(part <- .subset2(x, name, exact = FALSE))) {
    return(part)
  }
  places <- stats::setNames(rep(names(parts_elsewhere), lengths(parts_elsewhere)), unlist(parts_elsewhere))
  places <- c(stats::setNames(paste0("x$", names(x)), names(x)), places)
  away <- drop(utils::adist(name, names(places)))
  # a letter more, less or another, as of a plural; names of three letters are all near each other
  place <- setdiff(places[away == min(away) & away <= (nchar(name) > 4L)], "names(x)")
  if (is.null(.subset2(x, "rotation"))) place <- setdiff(place, c("rownames(x$rotation)", "x$rotation"))
  if (length(place)) {
    fail("x is of class ", class(x)[[1L]], ", which has no part ", sQuote(name, FALSE), "; see ", place[[1L]], ".")
  }
  dotted <- gsub("_", ".", name, fixed = TRUE)
  if (dotted %in% tryCatch(names(glance(x)), error = function(e) NULL)) {
    fail("x is of class ", class(x)[[1L]], ", which has no part ", sQuote(name, FALSE), "; see glance(x)$", dotted, ".")
  }
  if (name %in% python_parts[[class(x)[[1L]]]]) {
    fail("x is of class ", class(x)[[1L]], ", which has no part ", sQuote(name, FALSE), "; only Python's result has it.")
  }
  # functions of packages look for parts that a result may lack; who writes a name means one
  if (isNamespace(topenv(parent.frame()))) {
    return(NULL)
  }
  fail("x is of class ", class(x)[[1L]], ", which has no part ", sQuote(name, FALSE), "; names(x) has all.",
    nearest(name, names(x)))
}

# Of the other lists that functions return: all(x$passed) of a part that there is not would be TRUE.
known_part <- function(x, name) {
  if (name %in% names(x) || isNamespace(topenv(parent.frame()))) {
    return(.subset2(x, name))
  }
  fail("x is of class ", class(x)[[1L]], ", which has no part ", sQuote(name, FALSE), "; it has ",
    paste(names(x), collapse = ", "), ".", nearest(name, names(x)))
}

#' @export
`$.fairstats_passed` <- known_part

#' @export
`$.fairstats_verification` <- known_part

#' @export
`$.fairstats_table` <- known_part

#' @export
`$.fairstats_figure` <- known_part

#' @export
`$.fairstats_impact_tables` <- known_part

#' @export
`$.fairstats_model` <- known_part

#' @export
`$.fairstats_reduction` <- known_part

#' @export
`$.summary.fairstats` <- known_part

# That of base would give the rows of tidy(), where Python's users look for the scores of new rows.
#' @export
transform.fairstats <- function(`_data`, ...) {
  fits <- c("fairstats_fit", "fairstats_kernel", "fairstats_eraser", "fairstats_group_map")
  fail("`_data` is of class ", class(`_data`)[[1L]], ", and transform() is for data frames; ", if (inherits(`_data`, fits)) {
    "what a fit makes of new rows is predict(fit, people)."
  } else {
    "a result's rows are those of tidy()."
  })
}
