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
  if (inherits(fit, c("rpart", "randomForest", "naiveBayes"))) {
    return(stats::predict(fit, newdata, type = if (inherits(fit, "naiveBayes")) "raw" else "prob"))
  }
  if (inherits(fit, c("nnet", "multinom"))) {
    return(stats::predict(fit, newdata, type = if (inherits(fit, "multinom")) "probs" else "raw"))
  }
  if (inherits(fit, "lm") && !inherits(fit, "glm")) {
    return(pmin(pmax(stats::predict(fit, newdata), 0), 1))
  }
  stats::predict(fit, newdata, type = "response")
}
