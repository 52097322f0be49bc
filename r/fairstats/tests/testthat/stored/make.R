# What test-stored.R reads: Rscript make.R, in this folder, where the package and its Python are installed. To be run
# again when the shape of results changes. No pointers of a session go into the file.
library(fairstats)
source("../helper.R")
few <- people[1:120, ]
x <- few[c("age", "priors", "income")]
graph <- exp(-as.matrix(dist(scale(x[1:30, ]))))
diag(graph) <- 0
results <- list(
  formula = og(~ age * sex + priors, groups = "group", k = 2, data = few), fit = og(x, few$sex, k = 2),
  minimax = minimax_pca(x, "sex", k = 1, data = few), eraser = leace(x, few$sex),
  kernel = fair_kernel_pca(x, few$sex, k = 2, n_landmarks = 10, gamma = 0.01),
  audit = fair_audit(few, outcome = "y", decision = "yhat", score = "score", groups = c("sex", "group")),
  held = fair_crossfit(og(x, few$sex, k = 2), x, few$sex),
  compared = fair_compare(few, "y", "sex", names(x), methods = c("none", "og"), k = 1, n_repeats = 3),
  partition = fair_spectral_clustering(graph, few$sex[1:30], k = 2)
)
results$losses <- fair_reconstruction_error_by_group(results$fit, x, few$sex)
results <- lapply(results, function(result) {
  attr(result, "python") <- NULL
  attr(result, "saved") <- NULL
  result
})
saveRDS(results, "results.rds", version = 3, compress = "xz")
