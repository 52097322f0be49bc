# The verbs of package stats, where they mean something for a result; elsewhere one error that says what does.

#' Parts of a result under the names of package stats
#'
#' * `coef()`: of a linear fit the matrix that makes scores of the (centered and scaled) features; of everything else the
#'   estimates of the main rows, named by their `term`.
#' * `confint()`: their intervals. The level is that of the call, adjusted where comparisons are.
#' * `nobs()`: how many rows the result rests on.
#' * `formula()`, `terms()`: the formula in the call that made a result; `model.matrix()`: of a fit to a formula, the features
#'   that it makes of rows.
#' * `fitted()`: of a linear fit the adjusted data of the rows that it used, [fair_reconstruct()].
#' * `update()`: the call that made the result, anew with other arguments.
#'
#' The estimates of one result depend on each other in ways that no matrix here describes: `vcov()` is an error that says
#' where standard errors are. A fit keeps no rows of data, so `residuals()` says how they are computed.
#'
#' @param object,x A result of this package.
#' @param parm Which rows: places, values of `term`, or names of attributes, groups or metrics; all where missing.
#' @param level The level of the intervals, which is fixed when the result is made; any other is refused.
#' @param data Rows with the columns that the formula names.
#' @param formula. A change of the formula: of the features of a fit, `~ . + age` or `. ~ . + age`; of what an audit
#'   compares, `. ~ . + sex`, or within, `. ~ . | . + year`.
#' @param evaluate If `FALSE`, the new call is returned and not evaluated.
#' @param ... For `update()`: arguments of the call, with their new values. Otherwise not used.
#' @return See above.
#' @family verbs
#' @name stats-methods
#' @importFrom stats coef confint fitted formula model.matrix nobs residuals terms update vcov
#' @examplesIf fairstats_available()
#' fit <- og(~ hp + wt + qsec, groups = "am", k = 2, data = mtcars)
#' coef(fit)
#' formula(update(fit, ~ . + drat))
#' a <- fair_audit(mtcars, decision = "vs", groups = "am")
#' confint(a)
NULL

#' @rdname stats-methods
#' @export
coef.fairstats <- function(object, ...) {
  refuse_others(...)
  rows <- main_rows(object)
  stats::setNames(rows$estimate, rows$term)
}

#' @rdname stats-methods
#' @export
coef.fairstats_fit <- function(object, ...) {
  refuse_others(...)
  object$weights
}

#' @rdname stats-methods
#' @export
confint.fairstats <- function(object, parm, level = NULL, ...) {
  refuse_others(...)
  rows <- main_rows(object)
  refuse_level(rows, level, "level")
  chosen <- if (missing(parm)) {
    seq_len(nrow(rows))
  } else if (!is.atomic(parm)) {
    fail("parm is of class ", class(parm)[[1L]], "; give terms or metrics as text, or numbers of rows.")
  } else if (is.character(parm)) {
    places <- lapply(parm, function(name) {
      found <- Filter(length, lapply(rows[c("term", "attribute", "group", "metric")], function(column) which(column == name)))
      if (!length(found)) {
        fail("parm names ", sQuote(name, FALSE), ", which is no attribute, group, metric or term of tidy().",
          nearest(name, rows$term))
      }
      found[[1L]]
    })
    unique(unlist(places))
  } else {
    parm
  }
  if (all(is.na(rows$conf.low[chosen]))) fail("object has no intervals here; see tidy() for what it has.")
  limits <- as.matrix(rows[chosen, c("conf.low", "conf.high")])
  rownames(limits) <- rows$term[chosen]
  limits
}

# The main rows; of what has no such rows, all.
main_rows <- function(object) {
  table <- object$tidy
  if (is.null(table)) fail("object is of class ", class(object)[[1L]], ", which has no table.")
  main <- table$role == "main" # NULL of what has no roles, as a tally
  if (any(main)) table[main, ] else table
}

refuse_level <- function(rows, level, argument) {
  available <- unique(rows$conf.level[!is.na(rows$conf.level)])
  if (!is.null(level) && (!is.numeric(level) || length(level) != 1L || is.na(level))) {
    fail(argument, " is of class ", class(level)[[1L]], " and length ", length(level), "; give a number such as 0.95.")
  }
  if (!is.null(level) && length(available) && !any(abs(available - level) < 1e-12)) {
    fail(argument, " = ", format(level), " is not that of the intervals (", paste(signif(available, 4), collapse = ", "),
      "), which were computed with the result; give conf_level to the call that makes it, as in update(x, conf_level = ",
      format(level), ").")
  }
}

#' @rdname stats-methods
#' @export
nobs.fairstats <- function(object, ...) {
  refuse_others(...)
  count <- object$glance$nobs
  if (is.null(count)) fail("object is of class ", class(object)[[1L]], ", of which there are many counts; see tidy()$n.")
  count
}

#' @rdname stats-methods
#' @export
vcov.fairstats <- function(object, ...) {
  fail("vcov of a ", class(object)[[1L]], " is not defined: its estimates depend on each other in ways that no one matrix ",
    "here describes; ", if (inherits(object, "fairstats_fit")) {
      "how far loadings vary from sample to sample is in fair_bootstrap_loadings()."
    } else {
      "tidy() has the standard error of each, in std.error."
    })
}

#' @rdname stats-methods
#' @export
formula.fairstats <- function(x, ...) {
  refuse_others(...)
  if (!is.null(x$recipe)) {
    return(x$recipe$formula)
  }
  if (inherits(x$formula, "formula")) {
    return(x$formula)
  }
  if (is.null(x$formula)) {
    fail("x was made without a formula; ",
      if (is.null(x$rotation)) "update() takes arguments by their names, as in groups = \"race\"." else
        "its features are rownames(x$rotation).")
  }
  stats::as.formula(x$formula$text, env = baseenv())
}

#' @rdname stats-methods
#' @export
terms.fairstats <- function(x, ...) {
  refuse_others(...)
  x$recipe$terms %||% stats::terms(formula.fairstats(x))
}

#' @rdname stats-methods
#' @export
model.matrix.fairstats <- function(object, data = NULL, ...) {
  refuse_others(...)
  if (is.null(data)) fail("data is missing; a result keeps no rows of data, so give those whose features you want.")
  if (is.null(object$rotation) && is.null(object$center)) {
    fail("object is of class ", class(object)[[1L]], ", which has no features; give a fit.")
  }
  as.matrix(new_features(object, as_rows(data)))
}

#' @rdname stats-methods
#' @export
fitted.fairstats <- function(object, ...) {
  refuse_others(...)
  if (!inherits(object, "fairstats_fit")) {
    fail("object is of class ", class(object)[[1L]], ", which stands for no data; give a linear fit.")
  }
  fair_reconstruct(object)
}

#' @rdname stats-methods
#' @export
residuals.fairstats <- function(object, ...) {
  if (!inherits(object, "fairstats_fit")) {
    fail("object is of class ", class(object)[[1L]], ", which has no residuals; see tidy().")
  }
  x <- if (is.null(object$recipe)) "as.matrix(data[rownames(object$rotation)])" else "model.matrix(object, data)"
  fail("a fit keeps no rows of data, and residuals are what these differ by from fitted(object); with the rows that it used ",
    "as data: ", x, " - fitted(object).")
}

#' @rdname stats-methods
#' @export
update.fairstats <- function(object, formula., ..., evaluate = TRUE) {
  call <- object$call
  if (is.null(call)) fail("object does not know its call (it comes from a file, or was made by another function).")
  given <- attr(call, "values")
  attr(call, "values") <- NULL
  changes <- match.call(expand.dots = FALSE)$...
  if (!missing(formula.) && inherits(object$formula, "formula")) {
    call[[which(names(call) == "")[[2L]]]] <- changed_formula(object$formula, formula.) # the function's own name is the first
  } else if (!missing(formula.)) {
    if (length(formula.) == 3L && identical(formula.[[2L]], quote(.))) formula. <- formula.[-2L] # features have no left side
    changes$x <- stats::update(formula.fairstats(object), formula.)
  }
  lost <- setdiff(given, names(changes))
  if (length(lost)) {
    fail("object was made with ", paste(lost, collapse = ", "), " given as values, which it does not keep; give ",
      paste0(lost, " = ", collapse = ", "), "once more.")
  }
  for (name in names(changes)) call[[name]] <- changes[[name]]
  if (evaluate) eval(call, parent.frame()) else call
}

# `left ~ right | within` changed part by part, a dot standing for what the part was; without a bar the strata stay, and
# `| 1` takes them away.
changed_formula <- function(old, new) {
  parts <- function(formula) {
    right <- formula[[length(formula)]]
    barred <- rlang::is_call(right, "|")
    list(left = if (length(formula) == 3L) formula[[2L]] else quote(.), right = if (barred) right[[2L]] else right,
      within = if (barred) right[[3L]])
  }
  before <- parts(old)
  after <- parts(new)
  one <- function(part, change) stats::update(stats::as.formula(call("~", part)), stats::as.formula(call("~", change)))[[2L]]
  within <- one(before$within %||% 1, after$within %||% quote(.))
  right <- one(before$right, after$right)
  left <- if (identical(after$left, quote(.))) before$left else after$left
  stats::as.formula(call("~", left, if (is.numeric(within)) right else call("|", right, within)), env = environment(old))
}

# The call of an exported function, from where this is called in it, or `up` functions below; large values become names.
call_of <- function(name, up = 0L) {
  frame <- sys.parent(1L + up)
  result <- match.call(sys.function(frame), sys.call(frame), envir = sys.frame(sys.parents()[[frame]]))
  result[[1L]] <- as.name(name)
  values <- vapply(as.list(result)[-1L], function(part) {
    !is.language(part) && (is.recursive(part) || length(part) > 20L || !is.atomic(part)) && !is.null(part)
  }, NA)
  given <- names(values)[values]
  for (argument in given) result[[argument]] <- as.name(argument)
  attr(result, "values") <- if (length(given)) given
  result
}

# What a report says of the call: its text, the data it names, and R's versions.
call_record <- function(call, kind = "data frame") {
  attr(call, "values") <- attr(call, "formula") <- NULL
  data <- if (is.language(call$data)) deparse1(call$data) else ""
  list( # a long expression is no name
    call = deparse1(call), named = nzchar(kind) && nzchar(data) && nchar(data) <= 40L, kind = kind, code = data,
    R = paste(R.version$major, R.version$minor, sep = "."), `fairstats in R` = getNamespaceVersion("fairstats")[["version"]],
    counts = kind == "table"
  )
}

#' @rdname verbs
#' @export
format.fairstats <- function(x, ...) {
  refuse_others(...)
  strsplit(writable(printed(x)), "\n", fixed = TRUE)[[1L]]
}

# The list that a result is would come with every number of it.
#' @export
toString.fairstats <- function(x, ...) {
  refuse_others(...)
  paste(format.fairstats(x), collapse = "\n")
}

# What models have, and an audit or a comparison has not.
#' @export
predict.fairstats <- function(object, ...) {
  fail("object is of class ", class(object)[[1L]], ", which predicts nothing: predict() is for fits, as of og() and ",
    "leace(). tidy(object) has the numbers of each group.")
}

#' @importFrom stats model.frame
#' @export
model.frame.fairstats <- function(formula, data = NULL, ...) {
  refuse_others(...)
  if (is.null(data)) {
    fail("data is missing; a result keeps no rows of data, so give those that it was made of: model.frame(object, data).")
  }
  wanted <- all.vars(formula.fairstats(formula))
  as.data.frame(data)[pick(wanted, data, "data")]
}
