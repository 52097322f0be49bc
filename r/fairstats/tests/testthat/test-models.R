study <- transform(people, y = y == 1)
compared <- function(model, ...) {
  fair_compare(study, "y", "group", ~ age + priors + income, k = 2, n_repeats = 3, positive = TRUE, model = model, ...)
}

test_that("R's logistic regression is Python's, and leaves the session's random numbers alone", {
  skip_without_python()
  set.seed(5)
  state <- .Random.seed
  own <- compared(fair_model(stats::glm, family = binomial))
  expect_identical(.Random.seed, state)
  other <- compared("logistic")
  expect_identical(unique(na.omit(tidy(own)$model)), "glm")
  expect_equal(tidy(own)$estimate, tidy(other)$estimate, tolerance = 1e-6)
})

test_that("plain functions and what rpart, ranger, MASS and nnet fit are models, named by the list", {
  skip_without_python()
  skip_if_not_installed("ranger")
  # scores that decide the outcome: whoever predicts the other one is found out
  made <- fair_compare(transform(study, y = score > 0.6), "y", "sex", ~ score + age, k = 1, n_repeats = 2, positive = TRUE,
    methods = "none", model = list("logistic", lm = lm, tree = rpart::rpart,
      fair_model(ranger::ranger, probability = TRUE, num.trees = 20),
      lda = MASS::lda, fair_model(nnet::nnet, size = 1, trace = FALSE, maxit = 20)))
  rows <- tidy(made)
  models <- c("logistic", "lm", "tree", "ranger", "lda", "nnet")
  expect_identical(unique(rows$model[!is.na(rows$model)]), models)
  expect_gt(min(fair_by_group(made)$AUC), 0.9)
  ranger <- compared(fair_model(ranger::ranger, probability = TRUE, num.trees = 20))
  again <- compared(fair_model(ranger::ranger, probability = TRUE, num.trees = 20))
  of_ranger <- function(rows) rows$estimate[rows$model %in% "ranger" & rows$metric == "AUC"]
  expect_equal(of_ranger(tidy(again)), of_ranger(tidy(ranger)), tolerance = 1e-12)
})

test_that("a specification of parsnip and a workflow are fitted by their own verbs", {
  skip_without_python()
  # neither package is to be had here: stand-ins of their documented shape
  spec <- structure(list(mode = "classification", engine = "glm"), class = c("logistic_reg", "model_spec"))
  flow <- structure(list(fit = NULL), class = "workflow")
  probabilities <- function(fit, new_data) {
    chance <- stats::predict(fit, new_data, type = "response")
    stats::setNames(tibble::tibble(1 - chance, chance), c(".pred_FALSE", ".pred_TRUE"))
  }
  for (package in c("parsnip", "workflows")) {
    if (requireNamespace(package, quietly = TRUE)) next
    expect_error(fair_model(if (package == "parsnip") spec else flow), paste0("needs the package ", package, "; install"),
      class = "fairstats_input_error")
  }
  local_methods(
    fit.model_spec = function(object, formula, data, ...) {
      stopifnot(is.factor(data$y), identical(levels(data$y), c("FALSE", "TRUE")))
      structure(list(fit = stats::glm(formula, stats::binomial, data)), class = c("_glm", "model_fit"))
    },
    fit.workflow = function(object, data, ...) {
      object$fit <- stats::glm(y ~ ., stats::binomial, data)
      object
    },
    generic = "fit"
  )
  local_methods(
    predict.model_fit = function(object, new_data, type, ...) probabilities(object$fit, new_data),
    predict.workflow = function(object, new_data, type, ...) probabilities(object$fit, new_data),
    generic = "predict"
  )
  wanted <- tidy(compared("logistic"))$estimate
  expect_equal(tidy(compared(spec))$estimate, wanted, tolerance = 1e-6)
  made <- compared(list(flow = flow))
  expect_equal(tidy(made)$estimate, wanted, tolerance = 1e-6)
  expect_identical(unique(na.omit(tidy(made)$model)), "flow")
})

test_that("what R's model warns of, positive_prediction wrongly or stops at is said", {
  skip_without_python()
  expect_error(compared(fair_model(lm, predict = function(fit, newdata, ...) 2)), "'lm' predicted 1 numbers for 75 rows",
    class = "fairstats_input_error")
  broken <- function(formula, data) stop("no such luck")
  expect_error(compared(broken), "'model', at which R stopped: no such luck", class = "fairstats_input_error")
  expect_error(compared(lm, n_jobs = 2), "fitted by this session of R", class = "fairstats_input_error")
  expect_error(compared(lm, cache = tempfile()), "cache is given", class = "fairstats_input_error")
  noisy <- function(formula, data) {
    warning("only a rough fit")
    stats::lm(as.integer(y == "TRUE") ~ x1, data)
  }
  expect_output(print(summary(compared(noisy))), "only a rough fit")
})

test_that("models are checked before anything is fitted", {
  wrong <- function(code, text) expect_error(code, text, class = "fairstats_input_error")
  wrong(fair_model("glm"), "fit = \"glm\" is text; give the function itself, without quotes: glm.")
  wrong(fair_model("nope"), "of class character")
  wrong(fair_model(glm, binomial), "has no name")
  wrong(fair_model(glm, predict = 1), "predict is of class numeric")
  wrong(fair_model(glm, outcome = "text"), "neither \"factor\" nor \"number\"")
  wrong(fair_model(structure(list(), class = "workflow"), family = 1), "has its arguments already")
  expect_identical(fair_model(stats::glm)$name, "glm")
  expect_identical(as_models(list(glm, lm), quote(list(stats::glm, lm)))$sent[[1L]]$name, "glm")
  expect_identical(as_models(glm, quote(glm))$here[[1L]]$options, list(family = stats::binomial))
  several <- list(glm, lm)
  expect_identical(as_models(several, quote(several))$sent[[2L]]$name, "function of R 1")
  expect_identical(fair_model(lm)$outcome, "number")
  expect_output(print(fair_model(glm, family = binomial)), "glm (family), outcome as factor", fixed = TRUE)
  table <- matrix(c(0.1, 0.2, 0.3, 0.8, 0.7, 0.6), 3, dimnames = list(NULL, c("b", "a")))
  expect_identical(one_column(table, 3, "b", "m"), c(0.1, 0.2, 0.3))
  wrong(one_column(cbind(table, 0), 3, "z", "m"), "none of which is z")
  wrong(one_column(factor(c("b", "b", "b")), 3, "b", "m"), "predicted classes in place of probabilities")
  expect_identical(fair_model(glm)$options, list(family = stats::binomial))
  expect_identical(fair_model(glm, outcome = "number")$options, list())
})

test_that("what predict() of other packages returns is put in one form", {
  local_methods(
    predict.svm = function(object, newdata, probability) {
      structure(factor(rep("1", nrow(newdata))), probabilities = cbind(`1` = c(0.9, 0.8), `0` = c(0.1, 0.2)))
    },
    predict.train = function(object, newdata, type) {
      if (type == "prob") data.frame(no = c(0.4, 0.3), yes = c(0.6, 0.7)) else c(0.6, 0.7)
    },
    predict.gam = function(object, newdata, type) array(c(0.6, 0.7), 2L, list(c("1", "2"))),
    generic = "predict"
  )
  new <- data.frame(x1 = 1:2)
  svm <- structure(list(compprob = TRUE, levels = c("0", "1")), class = "svm")
  expect_identical(unname(predicted_share(svm, new)[, 2L]), c(0.9, 0.8))
  expect_identical(predicted_share(structure(list(modelType = "Classification"), class = "train"), new)$yes, c(0.6, 0.7))
  expect_identical(predicted_share(structure(list(modelType = "Regression"), class = "train"), new), c(0.6, 0.7))
  expect_identical(predicted_share(structure(list(), class = c("gam", "glm", "lm")), new), c(0.6, 0.7))
})
