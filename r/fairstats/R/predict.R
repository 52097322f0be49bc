#' Scores of new rows
#'
#' Linear fits and erasers need no Python for this, also after `readRDS()`.
#'
#' @param object What [og()], [leace()] and the like return.
#' @param newdata Rows with the features of the fit: a data frame, or a matrix with the same columns.
#' @param group The groups of these rows, where the scores depend on them: names of columns of `newdata`, or a vector,
#'   factor or data frame. Columns of `newdata` with the names of the fit's groups are found without it.
#' @param ... Not used.
#' @return A numeric matrix: scores (a column each component), or for an eraser the adjusted features.
#' @name predict
#' @examplesIf fairstats_available()
#' fit <- og(~ hp + wt + qsec, group = "am", k = 2, data = mtcars)
#' predict(fit, mtcars[1:3, ])
NULL

#' @rdname predict
#' @export
predict.fairstats_fit <- function(object, newdata, group = NULL, ...) {
  if (missing(newdata)) {
    return(object$x)
  }
  matrix <- new_features(object, newdata)
  groups <- NULL
  if (!is.null(object$groups$offsets)) {
    found <- is.data.frame(newdata) && all(group_names(object$groups$names) %in% names(newdata))
    if (is.null(group) && found) group <- object$groups$names
    if (is.null(group)) {
      stop("group is missing; the scores of ", object$method, " depend on the group of a row (",
        paste(object$groups$names, collapse = ", "), ").", call. = FALSE)
    }
    groups <- groups_of(group, if (is.data.frame(newdata)) newdata else NULL)
  }
  linear_scores(object, matrix, groups)
}

#' @rdname predict
#' @export
predict.fairstats_eraser <- function(object, newdata, ...) {
  rows <- as.matrix(new_features(object, newdata))
  centered <- sweep(rows, 2L, object$center)
  sweep(centered %*% t(object$matrix), 2L, object$center, "+")
}

#' @rdname predict
#' @export
predict.fairstats_kernel <- function(object, newdata, ...) {
  rows <- if (is.data.frame(newdata) && is.null(object$recipe)) as.data.frame(newdata) else new_features(object, newdata)
  fs_call("transform", list(X = without_names(rows)), list(fit = python_object(object, "object")))
}

#' @rdname predict
#' @export
predict.fairstats_adjuster <- function(object, newdata, group = NULL, ...) {
  rows <- if (is.data.frame(newdata) && is.null(object$recipe)) {
    as.data.frame(newdata)[names(object$center)]
  } else {
    new_features(object, newdata)
  }
  if (is.null(group)) group <- object$groups$names
  groups <- groups_of(group, if (is.data.frame(newdata)) newdata else NULL)
  adjusted <- fs_call("rows_of", list(X = without_names(rows), groups = as.list(groups$names), data = groups$data),
    list(fit = python_object(object, "object")))
  dimnames(adjusted) <- list(NULL, names(object$center))
  adjusted
}

# S = ((X - center) / scale) B + what each level adds; written once, for the rows of the fit and for new ones.
linear_scores <- function(fit, matrix, groups) {
  B <- fit$weights
  if (is.numeric(fit$scale)) B <- B / fit$scale
  names <- rownames(matrix)
  scores <- as.matrix(matrix %*% B) - rep(drop(fit$center %*% B), each = nrow(matrix))
  if (!is.null(fit$groups$offsets)) scores <- scores + group_part(fit, groups)
  dimnames(scores) <- list(names, colnames(B))
  scores
}

group_part <- function(fit, groups) {
  known <- fit$groups
  frame <- groups$data
  n <- nrow(frame)
  part <- matrix(rep(known$constant, each = n), n)
  attributes <- known$names
  values <- function(name) crossed(frame, if (name %in% groups$names || name %in% names(frame)) name else
    if (length(attributes) == 1L) groups$names[[1L]] else name)
  for (name in names(known$offsets)) {
    label <- values(name)
    unknown <- setdiff(label[!is.na(label)], rownames(known$offsets[[name]]))
    if (length(unknown)) {
      stop("group has a level that the fit has not seen (", paste(utils::head(unknown, 3L), collapse = ", "),
        "); it knows ", paste(rownames(known$offsets[[name]]), collapse = ", "), ".", call. = FALSE)
    }
    part <- part + known$offsets[[name]][match(label, rownames(known$offsets[[name]])), , drop = FALSE]
  }
  for (name in rownames(known$slopes)) part <- part + outer(as.numeric(frame[[name]]), known$slopes[name, ])
  part
}

# Labels as text, as Python writes them; "sex:race" joins the columns.
crossed <- function(frame, name) {
  if (name %in% names(frame)) {
    return(label_text(frame[[name]]))
  }
  parts <- strsplit(name, ":", fixed = TRUE)[[1L]]
  absent <- setdiff(parts, names(frame))
  if (length(absent)) {
    stop("group lacks ", paste(absent, collapse = ", "), ", which the scores of this fit depend on.", call. = FALSE)
  }
  do.call(paste, c(lapply(frame[parts], label_text), sep = ":"))
}

label_text <- function(x) {
  if (is.logical(x)) {
    return(as.character(x))
  }
  if (!is.numeric(x)) {
    return(as.character(x))
  }
  ifelse(is.na(x), NA, ifelse(x == round(x), sprintf("%.0f", x), as.character(x)))
}

#' The data that a fit stands for
#'
#' The adjusted data, `scores %*% t(rotation)`, in original units.
#'
#' @inheritParams predict
#' @return A numeric matrix with the features as columns.
#' @export
#' @examplesIf fairstats_available()
#' fit <- pca(mtcars[c("hp", "wt", "qsec")], k = 2)
#' head(reconstruct(fit))
reconstruct <- function(object, newdata, group = NULL) {
  if (!inherits(object, "fairstats_fit")) {
    stop("object is of class ", class(object)[[1L]], "; give a linear fit.", call. = FALSE)
  }
  if (!is.null(object$group_means)) {
    stop("this fit adds the groups' means back, which is done in Python: see the vignette.", call. = FALSE)
  }
  scores <- if (missing(newdata)) object$x else predict.fairstats_fit(object, newdata, group)
  adjusted <- scores %*% t(object$rotation)
  if (is.numeric(object$scale)) adjusted <- sweep(adjusted, 2L, object$scale, "*")
  sweep(adjusted, 2L, object$origin, "+")
}
