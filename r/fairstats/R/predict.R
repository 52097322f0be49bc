#' Scores of new rows
#'
#' Linear fits and erasers need no Python for this, also after `readRDS()`.
#'
#' @param object What [og()], [leace()] and the like return.
#' @param newdata Rows with the features of the fit: a data frame, or a matrix with the same columns.
#' @param groups The groups of these rows, where the scores depend on them: names of columns of `newdata`, or a vector,
#'   factor or data frame, of an intersection (`"sex:race"`) with the columns that it joins. Columns of
#'   `newdata` with the names of the fit's groups are found without it.
#' @param on_unknown `"raise"`: a level that the fit has not seen is an error, and rows without a group are NA, with a warning;
#'   or `"mean"`: both are treated as average, in that attribute alone where the fit has several; an intersection
#'   (`"sex:race"`) is one attribute, unknown as a whole.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return A numeric matrix: scores (columns `PC1`, `PC2`, ..., as of [stats::prcomp()]; [augment()][augment.fairstats_fit] has
#'   them as `.score_1`, ...), or for an eraser the adjusted features.
#' @family verbs
#' @name predict
#' @importFrom stats predict
#' @examplesIf fairstats_available()
#' fit <- og(~ hp + wt + qsec, groups = "am", k = 2, data = mtcars)
#' predict(fit, mtcars[1:3, ])
NULL

#' @rdname predict
#' @export
predict.fairstats_fit <- function(object, newdata, groups = NULL, on_unknown = "raise", ...) {
  refuse_others(...)
  if (missing(newdata)) {
    return(scores_of_fit(object))
  }
  newdata <- as_rows(newdata)
  matrix <- new_features(object, newdata)
  groups <- if (!is.null(object$groups$added)) groups_of_rows(object, newdata, groups, "the scores", on_unknown)
  linear_scores(object, matrix, groups)
}

scores_of_fit <- function(object) {
  if (is.null(object$x)) {
    fail("object has no rows of its own (it was fitted to moments, or comes from a file); give newdata.")
  }
  object$x
}

# The groups of new rows: as given, or columns of newdata; `what` depends on them.
new_groups <- function(object, newdata, groups, what) {
  available <- object$groups$names
  if (is.null(groups) && is.data.frame(newdata) && all(group_names(available, names(newdata)) %in% names(newdata))) {
    groups <- available
  }
  if (is.null(groups)) {
    fail("groups is missing; ", what, " of ", object$method, " depend on the group of a row (",
      paste(available, collapse = ", "), ").")
  }
  groups_of(groups, if (is.data.frame(newdata)) newdata else NULL)
}

# The same, with which rows have no level that the fit knows: NA, with a word about them, or average.
groups_of_rows <- function(object, newdata, groups, what, on_unknown) {
  if (!identical(on_unknown, "raise") && !identical(on_unknown, "mean")) {
    fail("on_unknown has ", deparse1(on_unknown), "; give \"raise\" or \"mean\".")
  }
  groups <- new_groups(object, newdata, groups, what)
  if (nrow(groups$data) != nrow(newdata)) {
    fail("groups has ", nrow(groups$data), " values and newdata has ", nrow(newdata), " rows; give one a row.")
  }
  groups$average <- on_unknown == "mean"
  nowhere <- Reduce(`|`, lapply(names(object$groups$levels), function(name) {
    is.na(labels_of(object$groups, groups, name))
  }), logical(nrow(groups$data)))
  if (any(nowhere) && !groups$average) {
    tell(sum(nowhere), " of the new rows have no group, and ", what, " of ", object$method,
      " depend on it: they are NA. on_unknown = \"mean\" treats them as average, and fits with missing = \"level\" know people ",
      "without a group.")
  }
  groups$nowhere <- nowhere
  groups
}

#' @rdname predict
#' @export
predict.fairstats_eraser <- function(object, newdata, ...) {
  refuse_others(...)
  if (missing(newdata)) fail("newdata is missing; an eraser keeps no rows of data, so give those to adjust.")
  rows <- as.matrix(new_features(object, as_rows(newdata)))
  centered <- sweep(rows, 2L, object$center)
  sweep(centered %*% t(object$matrix), 2L, object$center, "+")
}

#' @rdname predict
#' @export
predict.fairstats_kernel <- function(object, newdata, ...) {
  refuse_others(...)
  if (missing(newdata)) {
    return(object$x)
  }
  rows <- new_features(object, as_rows(newdata))
  kernel_scores(object, rows)
}

kernel_scores <- function(fit, rows) {
  scores <- fs_call("transform", list(X = as_fitted(rows)), list(fit = python_object(fit, "object")))
  dimnames(scores) <- list(rownames(rows), paste0("PC", seq_len(ncol(scores))))
  scores
}

# Rows in the order of the fit's features: by position, for names that only one side has are no names.
as_fitted <- function(x) if (methods::is(x, "dgCMatrix")) without_names(x) else unname(as.matrix(x))

#' @rdname predict
#' @export
predict.fairstats_group_map <- function(object, newdata, groups = NULL, on_unknown = "raise", ...) {
  refuse_others(...)
  if (missing(newdata)) fail("newdata is missing; a map keeps no rows of data, so give those to adjust.")
  newdata <- as_rows(newdata)
  rows <- new_features(object, newdata)
  groups <- groups_of_rows(object, newdata, groups, "the adjusted features", on_unknown)
  available <- object$groups
  labels <- lapply(stats::setNames(nm = names(available$levels)), function(name) {
    factor(available$levels[[name]][labels_of(available, groups, name)], available$levels[[name]])
  })
  sent <- c(labels, as.list(groups$data[setdiff(available$names, names(available$levels))]))
  attributes(sent) <- list(names = names(sent), class = "data.frame", row.names = .set_row_names(nrow(groups$data)))
  adjusted <- matrix(NA_real_, nrow(rows), ncol(rows), dimnames = list(rownames(rows), names(object$center)))
  found <- groups$average | !groups$nowhere
  if (any(found)) {
    adjusted[found, ] <- fs_call("rows_of", list(X = as_fitted(rows[found, , drop = FALSE]), groups = sent[found, , drop = FALSE],
      on_unknown = on_unknown), list(fit = python_object(object, "object")))
  }
  adjusted
}

# S = ((X - center) / scale) B + what each level adds; written once, for the rows of the fit and for new ones.
linear_scores <- function(fit, matrix, groups) {
  B <- fit$weights
  if (is.numeric(fit$scale)) B <- B / fit$scale
  names <- row_names_of(matrix)
  scores <- products(matrix, B) - rep(drop(fit$center %*% B), each = extent_of(matrix))
  if (!is.null(fit$groups$added)) scores <- scores + group_part(fit$groups, fit$groups$added, groups)
  dimnames(scores) <- list(names, colnames(B))
  scores
}

extent_of <- function(x) if (by_rows(x)) x$dim[[1L]] else nrow(x)

row_names_of <- function(x) {
  if (by_rows(x)) {
    return(x$names)
  }
  if (!is.data.frame(x) || .row_names_info(x) > 0L) rownames(x)
}

# Of a data frame a few columns at a time: as a matrix it would be there twice.
products <- function(x, B) {
  if (by_rows(x)) {
    out <- matrix(0, x$dim[[1L]], ncol(B))
    for (start in seq(1, x$dim[[1L]], by = step_of(x))) {
      rows <- start:min(start + step_of(x) - 1, x$dim[[1L]])
      out[rows, ] <- x$make(rows) %*% B
    }
    return(out)
  }
  if (!is.data.frame(x)) {
    return(as.matrix(x %*% B))
  }
  several <- split(seq_along(x), (seq_along(x) - 1L) %/% 4L)
  Reduce(`+`, lapply(several, function(j) unname(as.matrix(x[j])) %*% B[j, , drop = FALSE]))
}

# What the groups of rows add: a constant, something for each level, slopes of continuous attributes.
group_part <- function(available, added, groups) {
  frame <- groups$data
  n <- nrow(frame)
  part <- matrix(rep(added$constant, each = n), n, length(added$constant))
  for (name in names(added$offsets)) {
    offsets <- added$offsets[[name]][labels_of(available, groups, name), , drop = FALSE]
    if (isTRUE(groups$average)) offsets[is.na(offsets)] <- 0 # they are about the attribute's mean
    part <- part + offsets
  }
  for (name in rownames(added$slopes)) part <- part + outer(as.numeric(frame[[name]]), added$slopes[name, ])
  part
}

missing_level <- "(missing)"

# The level of each row in one attribute, as its place among those that the fit knows; NA where there is none.
labels_of <- function(available, groups, name) {
  levels <- available$levels[[name]]
  frame <- groups$data
  in_frame <- name %in% names(frame) || all(strsplit(name, ":", fixed = TRUE)[[1L]] %in% names(frame))
  alone <- !(name %in% groups$names || in_frame) && length(available$names) == 1L
  texts <- label_parts(frame, if (alone) groups$names[[1L]] else name)
  absent <- Reduce(`|`, lapply(texts, is.na))
  label <- joined(lapply(texts, function(text) replace(text, is.na(text), missing_level)))
  places <- match(label, levels)
  unknown <- unique(label[is.na(places) & !absent])
  if (length(unknown) && !isTRUE(groups$average)) {
    fail("groups has a level that the fit has not seen (", paste(utils::head(unknown, 3L), collapse = ", "),
      "); it knows ", paste(levels, collapse = ", "), ". on_unknown = \"mean\" treats such rows as average.")
  }
  places
}

# Labels as text, as Python writes them: one column, or each of those that "sex:race" joins.
label_parts <- function(frame, name) {
  if (name %in% names(frame)) {
    return(list(label_text(frame[[name]])))
  }
  parts <- strsplit(name, ":", fixed = TRUE)[[1L]]
  absent <- setdiff(parts, names(frame))
  if (length(absent)) {
    fail("groups lacks ", paste(absent, collapse = ", "), ", which the scores of this fit depend on.")
  }
  lapply(frame[parts], label_text)
}

# One label of several, as fairstats/labels.py joins them: a colon inside a part is written "\\:".
joined <- function(parts) {
  if (length(parts) == 1L) {
    return(parts[[1L]])
  }
  escaped <- lapply(parts, function(text) gsub(":", "\\:", gsub("\\", "\\\\", text, fixed = TRUE), fixed = TRUE))
  do.call(paste, c(unname(escaped), sep = ":"))
}

label_text <- function(x) {
  x <- plain_column(x, TRUE)
  if (inherits(x, "POSIXct")) {
    return(sub(" 00:00:00$", "", format(x, "%Y-%m-%d %H:%M:%S")))
  }
  if (is.logical(x) || !is.numeric(x) || is.object(x)) {
    return(as.character(x))
  }
  ifelse(is.na(x), NA, ifelse(x == round(x), sprintf("%.0f", x), as.character(x)))
}

#' The data that a fit stands for
#'
#' The adjusted data, `scores %*% t(rotation)`, in original units; [minimax_pca()] adds the mean of each row's group, and of
#' `og(center = FALSE)`, which takes the means out with the groups, they are about 0.
#'
#' @inheritParams predict
#' @param object A linear fit, as [og()] and [pca()] return it; the adjusted features of [leace()], [residualize()] and the like
#'   are what [predict()][predict.fairstats_eraser] gives.
#' @return A numeric matrix with the features as columns.
#' @family verbs
#' @export
#' @examplesIf fairstats_available()
#' fit <- pca(mtcars[c("hp", "wt", "qsec")], k = 2)
#' head(fair_reconstruct(fit))
fair_reconstruct <- function(object, newdata, groups = NULL, on_unknown = "raise", ...) {
  refuse_others(...)
  if (!inherits(object, "fairstats_fit")) {
    fail("object is of class ", class(object)[[1L]], "; give a linear fit.",
      if (inherits(object, c("fairstats_eraser", "fairstats_group_map"))) " Its adjusted features are those of predict().")
  }
  current <- object$means$rows
  if (missing(newdata)) {
    scores <- scores_of_fit(object)
  } else {
    scores <- predict.fairstats_fit(object, newdata, groups, on_unknown)
    if (!is.null(object$means)) current <- groups_of_rows(object, newdata, groups, "the data", on_unknown)
  }
  adjusted <- scores %*% t(object$rotation)
  # some fits center each group at its own mean, which comes back with the group
  if (!is.null(object$means)) adjusted <- adjusted + group_part(object$groups, object$means, current)
  if (is.numeric(object$scale)) adjusted <- sweep(adjusted, 2L, object$scale, "*")
  sweep(adjusted, 2L, object$origin, "+")
}
