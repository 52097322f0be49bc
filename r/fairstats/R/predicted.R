# What a fit of a known class predicts: one probability a row, or a matrix of them by outcome. fairstats/r/models.py sources this
# file alone, so base R and the namespaces that it names.
predicted_share <- function(fit, newdata) {
  if (inherits(fit, c("model_fit", "workflow"))) {
    return(as.matrix(stats::predict(fit, new_data = newdata, type = "prob")))
  }
  if (inherits(fit, "ranger")) {
    return(stats::predict(fit, data = newdata)$predictions)
  }
  if (inherits(fit, c("lda", "qda"))) {
    return(stats::predict(fit, newdata)$posterior)
  }
  if (inherits(fit, c("rpart", "randomForest", "naiveBayes", "train"))) {
    of_numbers <- identical(fit$method, "anova") || identical(fit$type, "regression") || identical(fit$modelType, "Regression")
    type <- if (of_numbers && inherits(fit, "rpart")) "vector" else if (of_numbers) "raw" else "prob"
    if (of_numbers && inherits(fit, "randomForest")) type <- "response"
    return(stats::predict(fit, newdata, type = if (inherits(fit, "naiveBayes")) "raw" else type))
  }
  if (inherits(fit, "svm") && isTRUE(fit$compprob)) {
    chances <- attr(stats::predict(fit, newdata, probability = TRUE), "probabilities")
    return(chances[, fit$levels]) # its columns are in the order in which the levels occur
  }
  if (inherits(fit, c("nnet", "multinom"))) {
    return(stats::predict(fit, newdata, type = if (inherits(fit, "multinom")) "probs" else "raw"))
  }
  if (inherits(fit, "lm") && !inherits(fit, "glm")) {
    return(pmin(pmax(stats::predict(fit, newdata), 0), 1))
  }
  chances <- stats::predict(fit, newdata, type = "response")
  if (length(dim(chances)) == 1L) as.vector(chances) else chances # as mgcv has it
}
