# From what an R user has (a formula, a data frame, a matrix; names, factors, a formula of groups) to what a fit takes.

# Features as a matrix with names, and what is needed to make the same columns of new data.
features_of <- function(x, data, group) {
  if (inherits(x, "formula")) {
    return(formula_features(x, data, group))
  }
  if (is.data.frame(x)) {
    keep <- setdiff(names(x), group_names(group))
    return(list(x = as.data.frame(x)[keep], columns = keep))
  }
  if (is.character(x) && !is.null(data)) {
    return(list(x = as.data.frame(data)[pick(x, data, "x")], columns = x))
  }
  if (!is.matrix(x) && !methods::is(x, "dgCMatrix")) {
    stop("x is of class ", class(x)[[1L]], "; give a formula with data, a data frame, a numeric matrix or a dgCMatrix.",
      call. = FALSE)
  }
  list(x = x, columns = colnames(x))
}

formula_features <- function(formula, data, group) {
  if (is.null(data)) stop("x is a formula; give the data frame it speaks of as data.", call. = FALSE)
  if (length(formula) == 3L) {
    stop("x = ", deparse1(formula), " has a left-hand side; give the features alone: ",
      deparse1(formula[-2L]), ".", call. = FALSE)
  }
  data <- as.data.frame(data)
  # A dot means all columns but the groups, as it means all but the outcome in a model.
  if ("." %in% all.vars(formula)) data <- data[setdiff(names(data), group_names(group))]
  terms <- stats::terms(formula, data = data)
  frame <- stats::model.frame(terms, data, na.action = stats::na.pass)
  matrix <- stats::model.matrix(attr(frame, "terms"), frame)
  made <- list(
    terms = stats::delete.response(attr(frame, "terms")), xlevels = stats::.getXlevels(terms, frame),
    contrasts = attr(matrix, "contrasts")
  )
  list(x = without_intercept(matrix), recipe = made)
}

without_intercept <- function(matrix) {
  matrix <- matrix[, colnames(matrix) != "(Intercept)", drop = FALSE]
  attr(matrix, "assign") <- attr(matrix, "contrasts") <- NULL
  matrix
}

# The same features of new rows, as a numeric matrix (or a dgCMatrix) whose columns are those of the fit.
new_features <- function(fit, newdata) {
  wanted <- rownames(fit$rotation) %||% names(fit$center)
  if (!is.null(fit$recipe) || !is.null(fit$formula)) {
    return(formula_matrix(fit, newdata)[, wanted, drop = FALSE])
  }
  if (is.data.frame(newdata)) {
    lost <- setdiff(wanted, names(newdata))
    if (length(lost)) {
      stop("newdata lacks the columns ", paste(utils::head(lost, 5L), collapse = ", "), " that the fit used.",
        call. = FALSE)
    }
    return(numeric_matrix(newdata[wanted]))
  }
  if (ncol(newdata) != length(wanted)) {
    stop("newdata has ", ncol(newdata), " columns and the fit ", length(wanted), "; give the same features.",
      call. = FALSE)
  }
  if (!is.null(colnames(newdata)) && all(wanted %in% colnames(newdata))) newdata <- newdata[, wanted, drop = FALSE]
  newdata
}

formula_matrix <- function(fit, newdata) {
  made <- fit$recipe
  if (is.null(made)) { # a fit that Python made: its formula as text, the levels beside it
    terms <- stats::terms(stats::as.formula(fit$formula$text, env = baseenv()))
    made <- list(terms = terms, xlevels = fit$formula$levels)
    newdata[names(made$xlevels)] <- Map(factor, newdata[names(made$xlevels)], made$xlevels)
  }
  frame <- stats::model.frame(made$terms, newdata, xlev = made$xlevels, na.action = stats::na.pass)
  without_intercept(stats::model.matrix(made$terms, frame, contrasts.arg = made$contrasts))
}

numeric_matrix <- function(x) if (is.data.frame(x)) as.matrix(as.data.frame(x)) else x

# Names of group columns: "race", c("sex", "race"), "sex:race", or a one-sided formula of these.
group_names <- function(group) {
  if (inherits(group, "formula")) {
    if (length(group) != 2L) {
      stop("group = ", deparse1(group), " has a left-hand side; write ", deparse1(group[-2L]), " or give names.",
        call. = FALSE)
    }
    group <- attr(stats::terms(group), "term.labels")
  }
  if (is.character(group)) unlist(strsplit(unique(group), ":", fixed = TRUE)) else character()
}

# Groups as names and a data frame that has them; labels of logical columns are R's TRUE and FALSE.
groups_of <- function(group, data, n = NULL) {
  if (is.null(group)) {
    return(NULL)
  }
  if (inherits(group, "formula")) group <- attr(stats::terms(group), "term.labels")
  # As many labels as rows are labels, unless they are names of columns, as with one row.
  columns <- is.character(group) && !is.null(data) &&
    (length(group) != nrow(data) || all(group_names(group) %in% names(data)))
  if (columns) {
    frame <- as.data.frame(data)[pick(group_names(group), data, "group")]
  } else {
    frame <- if (is.data.frame(group)) as.data.frame(group) else data.frame(group = group, stringsAsFactors = FALSE)
    group <- names(frame)
  }
  list(names = group, data = labelled(frame))
}

labelled <- function(frame) {
  logical <- vapply(frame, is.logical, NA)
  frame[logical] <- lapply(frame[logical], factor, levels = c(FALSE, TRUE))
  frame
}

pick <- function(wanted, data, argument) {
  lost <- setdiff(wanted, names(data))
  if (length(lost)) {
    stop(argument, " names ", paste(sQuote(lost, FALSE), collapse = ", "), ", which data does not have; its columns are ",
      paste(utils::head(names(data), 12L), collapse = ", "), if (length(data) > 12L) " ...", ".", call. = FALSE)
  }
  wanted
}

# A column by its name, or the values themselves.
values_of <- function(x, data, argument) {
  if (is.character(x) && length(x) == 1L && !is.null(data)) data[[pick(x, data, argument)]] else x
}

`%||%` <- function(x, y) if (is.null(x)) y else x
