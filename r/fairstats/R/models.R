# Models that this session of R fits, within a comparison that Python carries out.

#' A model of R's, for a comparison
#'
#' [fair_compare()] fits it to the training rows of every split and asks it for the probability of the outcome on the test
#' rows. A function, a specification of \pkg{parsnip} or a workflow can be given to [fair_compare()] as they are;
#' `fair_model()` is for those that want arguments; of [stats::glm()] the family is `binomial` where none is given.
#'
#' The data frame that the model sees has the outcome under its own name and the features of the method as `x1`, `x2` and
#' so on, since most methods make new ones. A formula is `outcome ~ x1 + x2`; a workflow needs a preprocessor `outcome ~ .`,
#' or a recipe of that kind.
#'
#' @param fit A function of a formula and `data`, such as [stats::glm()], [stats::lm()], `rpart::rpart` or
#'   `ranger::ranger` (which outside of `fair_compare()` needs `factor(outcome)` and `probability = TRUE` to predict
#'   probabilities); a specification of a model of \pkg{parsnip}, or a workflow of \pkg{workflows}, in mode
#'   "classification".
#' @param ... Further arguments of the function: `family = binomial`, `probability = TRUE`.
#' @param predict A function of the fit and of new data that gives the probability of the positive outcome for each row, or
#'   a matrix with a column for it. Where `NULL`, what fits of \pkg{stats}, \pkg{rpart}, \pkg{ranger}, \pkg{MASS},
#'   \pkg{nnet}, \pkg{randomForest}, \pkg{e1071}, \pkg{caret}, \pkg{parsnip} and \pkg{workflows} want is known; any
#'   other is used through `predict(fit, newdata, type = "response")`. Predictions of [stats::lm()] are cut off at 0 and 1.
#' @param outcome What the outcome is: a `"factor"` whose second level is the positive one, or a `"number"`, 0 or 1, as
#'   [stats::lm()] wants it.
#' @param name How tables call it; where `NULL` the name of the function, or the class of the specification.
#' @return To be given to [fair_compare()] as `model`, alone or in a list.
#' @family comparisons
#' @export
#' @examplesIf fairstats_available()
#' \donttest{
#' cars <- transform(mtcars, quick = qsec < 18)
#' fair_compare(cars, "quick", "am", ~ hp + wt + disp, k = 2, n_repeats = 5, positive = TRUE,
#'   model = list("logistic", fair_model(stats::glm, family = binomial))
#' )
#' }
fair_model <- function(fit, ..., predict = NULL, outcome = NULL, name = NULL) {
  if (missing(fit)) fail("fit is missing; give a function of a formula and data, such as glm.")
  request <- substitute(fit)
  fit <- there_or_fail(argument_value("fit", environment()), request, "fit")
  available <- inherits(fit, c("model_spec", "workflow"))
  if (!is.function(fit) && !available) {
    refuse_no_model(fit, "fit")
    fail("fit is of class ", class(fit)[[1L]], "; give a function of a formula and data, such as glm, a specification of ",
      "parsnip, or a workflow.")
  }
  options <- list(...)
  if (available && length(options)) fail("fit is of class ", class(fit)[[1L]], ", which has its arguments already; leave out ",
    paste(names(options), collapse = ", "), ".")
  if (available) {
    class <- if (inherits(fit, "workflow")) "workflow" else "model_spec"
    package <- c(workflow = "workflows", model_spec = "parsnip")[[class]]
    fits <- requireNamespace(package, quietly = TRUE) ||
      !is.null(utils::getS3method("fit", class, optional = TRUE, envir = asNamespace("generics")))
    if (!fits) {
      fail("fit is of class ", class(fit)[[1L]], ", which needs the package ", package, "; install.packages(\"", package, "\").")
    }
  }
  if (length(options) && (is.null(names(options)) || !all(nzchar(names(options))))) {
    fail("an argument of the model has no name; give it one, as in family = binomial.")
  }
  if (!is.null(predict) && !is.function(predict)) {
    fail("predict is of class ", class(predict)[[1L]], "; give a function of fit and newdata.")
  }
  outcome <- outcome %||% if (identical(fit, stats::lm)) "number" else "factor"
  if (!is.character(outcome) || length(outcome) != 1L || !outcome %in% c("factor", "number")) {
    fail("outcome = ", deparse1(outcome), " is neither \"factor\" nor \"number\"; say what the model wants.")
  }
  # its own default is for numbers
  if (identical(fit, stats::glm) && is.null(options$family) && outcome == "factor") options$family <- stats::binomial
  name <- one_name(name, "name", "name of the model") %||% if (available) class(fit)[[1L]] else model_name(request)
  structure(list(fit = fit, options = options, predict = predict %||% predicted_share, outcome = outcome, name = name),
    class = "fairstats_model")
}

model_name <- function(request) {
  if (rlang::is_call(request, c("::", ":::"))) request <- request[[3L]]
  if (is.symbol(request)) as.character(request) else "function of R"
}

#' @export
print.fairstats_model <- function(x, ...) {
  cat("Model of R's: ", x$name, if (length(x$options)) paste0(" (", paste(names(x$options), collapse = ", "), ")"),
    ", outcome as ", x$outcome, "\n", sep = "")
  invisible(x)
}

# What Python calls while it compares: a model of this session is fitted, or predicts new rows.
models_here <- function(models, outcome, labels) {
  fits <- new.env(parent = emptyenv())
  latest <- 0L
  frame <- function(X) stats::setNames(as.data.frame(X), paste0("x", seq_len(ncol(X))))
  train <- function(request) {
    rm(list = intersect(as.character(unlist(request$done)), ls(fits)), envir = fits)
    model <- models[[request$model]]
    data <- frame(request$X)
    y <- as.integer(request$y)
    data[[outcome]] <- if (model$outcome == "number") y else factor(labels[y + 1L], labels)
    # each by its name: not every function knows what a dot stands for
    formula <- stats::reformulate(paste0("x", seq_len(ncol(request$X))), as.name(outcome), env = globalenv())
    fit <- with_seed(request$seed, if (is.function(model$fit)) {
      do.call(model$fit, c(list(formula, data = data), model$options), quote = TRUE)
    } else if (inherits(model$fit, "workflow")) {
      generics::fit(model$fit, data = data)
    } else {
      generics::fit(model$fit, formula, data = data)
    })
    latest <<- latest + 1L
    assign(as.character(latest), list(model = model, fit = fit), envir = fits)
    latest
  }
  score <- function(request) {
    kept <- get(as.character(request$fit), envir = fits)
    chances <- kept$model$predict(kept$fit, frame(request$X))
    one_column(chances, nrow(request$X), labels[[2L]], kept$model$name)
  }
  function(header, buffers) {
    heard <- character()
    answer <- tryCatch(withCallingHandlers({
      request <- wire_unpack(reticulate::py_to_r(header), lapply(reticulate::py_to_r(buffers), identity))
      packed <- wire_pack(if (is.null(request$fit)) train(request) else score(request))
      list(packed$header, packed$buffers, "")
    }, warning = function(w) {
      heard <<- c(heard, conditionMessage(w))
      invokeRestart("muffleWarning")
    }), error = function(e) list("", list(), conditionMessage(e)))
    c(answer, list(as.list(unique(heard))))
  }
}

# The same as Python's argument, where a comparison has such models.
callbacks <- function(models, outcome, labels) {
  if (!length(models)) {
    return(list())
  }
  list(answers = reticulate::r_to_py(models_here(models, outcome, labels), convert = FALSE))
}

# A function's name alone, whose package is not attached, is no object; what exists and fails is left to R.
there_or_fail <- function(model, request, argument) {
  tryCatch(model, error = function(problem) {
    if (!is.name(request) || exists(as.character(request))) stop(problem)
    fail(argument, " = ", request, " names no object; write a function of a package with the package, ", argument, " = ",
      "rpart::rpart, or attach the package.")
  })
}

# Names of models that Python fits.
python_models <- c("logistic", "linear-svm", "rbf-svm", "mlp", "lasso", "random-forest")

# What is no way to fit: a model that is fitted already, or the name of a function of R.
refuse_no_model <- function(model, argument) {
  if (is.character(model) && length(model) == 1L && !model %in% python_models) {
    name <- sub("^.*::", "", model)
    packages <- c("stats", if (requireNamespace(name, quietly = TRUE)) name)
    home <- Filter(function(package) name %in% getNamespaceExports(package), packages)
    if (length(home)) {
      fail(argument, " = ", dQuote(model, FALSE), " is text; give the function itself, without quotes: ",
        if (home[[1L]] != "stats") paste0(home[[1L]], "::"), name, ".")
    }
  }
  if (is.list(model) && is.object(model)) {
    fail(argument, " is of class ", class(model)[[1L]], ", fitted already, and every split fits anew; give the function that ",
      "fits, such as glm, or fair_model(glm, family = binomial).")
  }
}

# One probability a row, of the positive outcome.
one_column <- function(chances, n, positive, name) {
  if (is.data.frame(chances)) chances <- as.matrix(chances)
  if (is.matrix(chances) && ncol(chances) > 1L) {
    column <- match(TRUE, colnames(chances) %in% c(positive, paste0(".pred_", positive), "1"))
    if (is.na(column) && ncol(chances) == 2L) column <- 2L
    if (is.na(column)) {
      fail("model ", sQuote(name, FALSE), " predicted ", ncol(chances), " columns, none of which is ", positive,
        "; give predict, a function of fit and newdata.")
    }
    chances <- chances[, column]
  }
  wrong <- if (length(chances) != n) {
    paste(length(chances), "numbers for", n, "rows")
  } else if (!is.numeric(chances) && !is.logical(chances)) {
    "classes in place of probabilities"
  } else if (anyNA(chances) || any(chances < 0 | chances > 1)) {
    "some that are no probabilities"
  }
  if (!is.null(wrong)) {
    fail("model ", sQuote(name, FALSE), " predicted ", wrong, "; give an option by which it predicts probabilities, as ",
      "probability = TRUE of ranger is one, or predict, a function of fit and newdata.")
  }
  as.numeric(chances)
}

# A seed for one computation, after which the session's random numbers go on where they were.
with_seed <- function(seed, value) {
  before <- get0(".Random.seed", globalenv(), inherits = FALSE)
  on.exit(if (is.null(before)) rm(".Random.seed", envir = globalenv()) else assign(".Random.seed", before, globalenv()))
  set.seed(seed)
  value
}

# Models as Python is to hear of them: names, reductions, and the places of those that stay here.
as_models <- function(model, request) {
  model <- there_or_fail(model, request, "model")
  single <- is.function(model) || inherits(model, c("fairstats_reduction", "fairstats_model", "model_spec", "workflow"))
  if (single) model <- list(model) else refuse_no_model(model, "model")
  given <- if (single) list(request) else if (rlang::is_call(request, c("list", "c"))) as.list(request)[-1L]
  sent <- list()
  here <- list()
  for (i in seq_along(model)) {
    one <- model[[i]]
    if (!inherits(one, c("model_spec", "workflow", "fairstats_model", "fairstats_reduction"))) refuse_no_model(one, "model")
    if (is.function(one) || inherits(one, c("model_spec", "workflow"))) {
      name <- names(model)[i]
      if (is.null(name) || !nzchar(name)) name <- if (is.function(one)) model_name(given[[i]])
      one <- fair_model(one, name = name)
    } else if (inherits(one, "fairstats_model") && !is.null(names(model)) && nzchar(names(model)[i])) {
      one$name <- names(model)[i]
    }
    if (inherits(one, "fairstats_model")) {
      here[[length(here) + 1L]] <- one
      one <- list(here = length(here), name = one$name)
    }
    sent[[i]] <- unclass(one)
  }
  # a list that was made elsewhere does not show its functions' names
  unique_names <- make.unique(vapply(here, `[[`, "", "name"), " ")
  for (i in seq_along(sent)) if (is.list(sent[[i]]) && !is.null(sent[[i]]$here)) sent[[i]]$name <- unique_names[[sent[[i]]$here]]
  for (i in seq_along(here)) here[[i]]$name <- unique_names[[i]]
  list(sent = sent, here = here)
}
