#' Comparators
#'
#' The systems that papers compare with: `fpca()` (Olfat and Aswani 2019, a semidefinite program), `mbf_pca()` (Lee et al.
#' 2022, maximum mean discrepancy), `inlp_pca()` and `rlace_pca()` (Ravfogel et al. 2020, 2022), as components; `inlp()`
#' and `rlace()` as maps of the features onto themselves; `residualize()` and `location_scale()`, which regress the groups
#' out of each feature or make its means and standard deviations equal, and `quadratic_leace()` (Belrose et al. 2023),
#' which makes means and covariances equal by the least change; these need the group of new rows.
#'
#' @inheritParams fits
#' @param delta Of `fpca()`: bound on the distance of two groups' mean scores, in units of the features (of their standard
#'   deviations with `scale`).
#' @param mu Of `fpca()`: price of differences between the groups' covariances.
#' @param solver Of `fpca()`: `"auto"`, `"clarabel"` or `"scs"`.
#' @param tau,sigma Of `mbf_pca()`: bound on the squared discrepancy of the scores between groups, and the width of its
#'   kernel; where `NULL` the median distance of plain PCA's scores decides.
#' @param tolerance,n_init Of the search of `mbf_pca()`: the gradient at which it ends, and how often it starts.
#' @param seed Of random starts.
#' @param rounds Of `inlp()`: probes, each of which takes one direction (or one for each of several levels).
#' @param penalty Of the probes of `inlp()` and `inlp_pca()`: C of the support vector machine, or of the logistic
#'   regression.
#' @param probe Of `inlp()` and `inlp_pca()`: `"svm"` or `"logistic"`.
#' @param until_chance Of `inlp()`: end as soon as a probe does no better than the largest group's share.
#' @param rank Of `rlace()`: directions to take out; one less than there are levels where `NULL`.
#' @param max_iter Most steps: of `mbf_pca()` those of a subproblem, of `rlace()` and `rlace_pca()` the projection's.
#' @param protect Of `location_scale()`: names of features that stay as they are, with what they say of the others
#'   (ComBat's covariates); columns of a matrix without names are x1, x2 and so on.
#' @param empirical_bayes Of `location_scale()`: draw a group's shifts and variances toward those that it has in the other
#'   features, as parametric ComBat does?
#' @param shrinkage Of `quadratic_leace()`: draw each group's covariances toward a multiple of the identity first?
#' @return As of [og()] for components; `fairstats_eraser` for `inlp()` and `rlace()`; `fairstats_group_map` for
#'   `residualize()`, `location_scale()` and `quadratic_leace()`.
#' @references Olfat, M. and Aswani, A. (2019). Convex formulations for fair principal component analysis. AAAI 33, 663-670.
#'   \doi{10.1609/aaai.v33i01.3301663}
#'
#'   Lee, J., Kim, G., Olfat, M., Hasegawa-Johnson, M. and Yoo, C. D. (2022). Fast and efficient MMD-based fair PCA
#'   via optimization over Stiefel manifold. AAAI 36, 7363-7371. \doi{10.1609/aaai.v36i7.20699}
#'
#'   Ravfogel, S., Elazar, Y., Gonen, H., Twiton, M. and Goldberg, Y. (2020). Null it out: guarding protected
#'   attributes by iterative nullspace projection. ACL, 7237-7256. \doi{10.18653/v1/2020.acl-main.647}
#'
#'   Ravfogel, S., Twiton, M., Goldberg, Y. and Cotterell, R. (2022). Linear adversarial concept erasure. ICML, PMLR
#'   162, 18400-18421. \doi{10.48550/arXiv.2201.12091}
#'
#'   Johnson, W. E., Li, C. and Rabinovic, A. (2007). Adjusting batch effects in microarray expression data using
#'   empirical Bayes methods. Biostatistics 8, 118-127. \doi{10.1093/biostatistics/kxj037}
#' @family fits
#' @name comparators
#' @examplesIf fairstats_available()
#' x <- mtcars[c("mpg", "hp", "wt", "qsec")]
#' inlp_pca(x, mtcars$am, k = 2)
#' rlace_pca(x, mtcars$am, k = 2)
#' fpca(x, mtcars$am, k = 2)
#' mbf_pca(x, mtcars$am, k = 2, n_init = 1)
#'
#' # what is left of the features, without a projection on components
#' left <- function(fit) head(predict(fit, x, groups = mtcars$am), 2)
#' left(residualize(x, mtcars$am))
#' left(location_scale(x, mtcars$am))
#' left(quadratic_leace(x, mtcars$am))
#' head(predict(inlp(x, mtcars$am), x), 2)
#' head(predict(rlace(x, mtcars$am), x), 2)
NULL

#' @rdname comparators
#' @export
fpca <- function(x, groups, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE, delta = 0, mu = 0.01,
                 solver = "auto", ...) {
  refuse_others(...)
  fit_method("fpca", x, groups, k, data, weights, missing, scale, NULL, delta = delta, mu = mu, solver = solver)
}

#' @rdname comparators
#' @export
mbf_pca <- function(x, groups, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE, tau = 0.001,
                    sigma = NULL, tolerance = 0.001, n_init = 3, seed = 0, max_iter = 60, ...) {
  refuse_others(...)
  fit_method("mbf_pca", x, groups, k, data, weights, missing, scale, NULL, tau = tau, sigma = sigma, tolerance = tolerance,
    n_init = whole(n_init, "n_init"), seed = whole(seed, "seed"), max_iter = whole(max_iter, "max_iter"))
}

#' @rdname comparators
#' @export
inlp_pca <- function(x, groups, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE, penalty = 1,
                     probe = "svm", ...) {
  refuse_others(...)
  fit_method("inlp_pca", x, groups, k, data, weights, missing, scale, NULL, penalty = penalty, probe = probe)
}

#' @rdname comparators
#' @export
rlace_pca <- function(x, groups, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE, max_iter = 300,
                      ...) {
  refuse_others(...)
  fit_method("rlace_pca", x, groups, k, data, weights, missing, scale, NULL, max_iter = whole(max_iter, "max_iter"))
}

#' @rdname comparators
#' @export
inlp <- function(x, groups, data = NULL, weights = NULL, missing = "raise", scale = FALSE, rounds = NULL, penalty = 1,
                 probe = "svm", until_chance = FALSE, ...) {
  refuse_others(...)
  if (!is.null(rounds)) rounds <- whole(rounds, "rounds")
  fit_method("inlp", x, groups, NULL, data, weights, missing, scale, NULL, rounds = rounds, penalty = penalty,
    probe = probe, until_chance = until_chance)
}

#' @rdname comparators
#' @export
rlace <- function(x, groups, data = NULL, weights = NULL, missing = "raise", scale = FALSE, rank = NULL, max_iter = 300,
                  ...) {
  refuse_others(...)
  if (!is.null(rank)) rank <- whole(rank, "rank")
  fit_method("rlace", x, groups, NULL, data, weights, missing, scale, NULL,
    rank = rank, max_iter = whole(max_iter, "max_iter"))
}

#' @rdname comparators
#' @export
residualize <- function(x, groups, data = NULL, weights = NULL, missing = "raise", continuous = NULL, ...) {
  refuse_others(...)
  fit_method("residualize", x, groups, NULL, data, weights, missing, NULL, continuous)
}

#' @rdname comparators
#' @export
location_scale <- function(x, groups, data = NULL, weights = NULL, missing = "raise", protect = NULL,
                           empirical_bayes = FALSE, ...) {
  refuse_others(...)
  fit_method("location_scale", x, groups, NULL, data, weights, missing, NULL, NULL,
    protect = if (!is.null(protect)) as.list(protect), empirical_bayes = empirical_bayes)
}

#' @rdname comparators
#' @export
quadratic_leace <- function(x, groups, data = NULL, weights = NULL, missing = "raise", shrinkage = FALSE, ...) {
  refuse_others(...)
  fit_method("quadratic_leace", x, groups, NULL, data, weights, missing, NULL, NULL, shrinkage = shrinkage)
}
