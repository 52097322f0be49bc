#' Fair decompositions
#'
#' Each fits a linear map of the features to `k` scores that keeps what its name says away from the groups, and returns
#' an object with the fields of [stats::prcomp()].
#'
#' * `og()`: scores orthogonal to the groups with least squared error (Aliverti et al. 2021); `sog()` with sparse loadings.
#' * `fair_pca()`: components on which groups have equal means, or equal means and covariances (Kleindessner et al. 2023).
#' * `minimax_pca()`: the largest loss of a group is as small as can be (Samadi et al. 2018).
#' * `disparity_pca()`: trades reconstruction against the gap in losses of two groups.
#' * `leace_pca()`: principal components after least-squares concept erasure (Belrose et al. 2023).
#' * `pca()`: plain, to compare with.
#'
#' @param x A one-sided formula such as `~ (age + priors + sex)^2` (evaluated by R's [stats::model.matrix()], so contrasts
#'   and `^` mean what they always mean; the intercept is dropped), a data frame of numeric columns, column names of
#'   `data`, a numeric matrix, a `dgCMatrix`, or what [moments()] returns.
#' @param group Names of group columns (`"race"`, `c("sex", "race")`, `"sex:race"` for the intersection), a one-sided
#'   formula of them, or a vector, factor or data frame with one row for each row of `x`.
#' @param k Number of components.
#' @param data The data frame that `x`, `group`, `y` and `weights` speak of.
#' @param weights A column name or one non-negative number a row.
#' @param missing What to do with rows without a group: `"raise"` an error, make them a `"level"`, or `"drop"` them.
#' @param scale Divide each feature by its standard deviation?
#' @param continuous Names among `group` that are numbers, not sets of labels.
#' @param center Subtract means? `FALSE` keeps the columns' means in what is decomposed. For `minimax_pca()`: `"group"` puts
#'   each group about its own mean (new rows then need their group to be reconstructed), `"overall"` all about one.
#' @param basis Of `og()`: `"svd"` as in the paper, singular vectors of the centred features; or `"residual"`, those of what
#'   the groups do not explain, which loses less.
#' @param intercept Of `og()`: `FALSE` projects on uncentred indicators of the groups, the paper's formula taken literally.
#'   Scores are then *not* uncorrelated with the groups; for comparison only.
#' @return An object of class `fairstats_fit` (also `prcomp`): a list with `rotation`, `sdev`, `center`, `scale`, `x`, and
#'   `tidy`, `glance` and `summary` as the verbs return them.
#' @seealso [predict.fairstats_fit()], [tidy.fairstats()], [leakage()], [report()]
#' @name fits
#' @examplesIf fairstats_available()
#' fit <- og(~ (cyl + hp + wt)^2, group = "am", k = 3, data = mtcars)
#' fit
#' head(fit$x)
#' screeplot(fit)
NULL

#' @rdname fits
#' @export
og <- function(x, group, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE, continuous = NULL,
               center = TRUE, basis = "svd", intercept = TRUE) {
  fit_method("og", x, group, k, data, weights, missing, scale, continuous,
    center = center, basis = basis, intercept = intercept)
}

#' @rdname fits
#' @param t Bound on the sum of absolute loadings of a component, between 1 (one feature a component) and the square root of
#'   the number of features (no sparsity).
#' @param tolerance,max_iter A component has converged when its loadings move by less than this; most steps a component.
#' @export
sog <- function(x, group, k = 2, t, data = NULL, weights = NULL, missing = "raise", scale = FALSE, continuous = NULL,
                tolerance = 1e-10, max_iter = 5000) {
  fit_method("sog", x, group, k, data, weights, missing, scale, continuous,
    t = t, tolerance = tolerance, max_iter = whole(max_iter, "max_iter"))
}

#' @rdname fits
#' @param equalize What is equal between the groups: `"means"`, or `"covariance"` (fair PCA-S), which first keeps the `l`
#'   directions in which their covariances differ least.
#' @param l For `equalize = "covariance"`: a count of directions, or a fraction of the features below 1.
#' @param target `"parity"`, or `"equal_opportunity"`, which centers, constrains and fits on the rows with the positive
#'   outcome alone.
#' @param y,positive For `target = "equal_opportunity"`: a column name or one outcome a row, and its positive label.
#' @param tradeoff A number between 0 and 1: appends that many times the ordinary principal components, so that there are
#'   `2 * k` scores, of which only the first `k` are fair.
#' @export
fair_pca <- function(x, group, k = 2, data = NULL, y = NULL, weights = NULL, missing = "raise", scale = FALSE,
                     continuous = NULL, equalize = "means", l = NULL, target = "parity", positive = 1,
                     tradeoff = NULL) {
  # a whole number is a count of directions, a fraction a share of them
  if (is.numeric(l) && length(l) == 1L && isTRUE(l == round(l))) l <- as.integer(l)
  y <- values_of(y, data, "y")
  if (is.logical(y)) y <- as.integer(y)
  if (is.logical(positive)) positive <- as.integer(positive)
  fit_method("fair_pca", x, group, k, data, weights, missing, scale, continuous,
    y = y, equalize = equalize, l = l, target = target, positive = one_label(positive, "positive"), tradeoff = tradeoff)
}

#' @rdname fits
#' @export
minimax_pca <- function(x, group, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE,
                        center = "group", solver = "dual") {
  fit_method("minimax_pca", x, group, k, data, weights, missing, scale, NULL, center = center, solver = solver)
}

#' @rdname fits
#' @param solver Of `minimax_pca()`: `"dual"` (exact), or, to check it, `"mw"` (multiplicative weights) or `"sdp"` (a
#'   semidefinite program; `install_fairstats(extras = "compare")`).
#' @param lam How much the gap in losses counts, or `"balance"` for what makes it zero.
#' @param advantaged,disadvantaged Levels of the group.
#' @export
disparity_pca <- function(x, group, k = 2, lam, advantaged, disadvantaged, data = NULL, weights = NULL,
                          missing = "raise", scale = FALSE, center = TRUE) {
  fit_method("disparity_pca", x, group, k, data, weights, missing, scale, NULL, lam = lam,
    advantaged = label_text(advantaged), disadvantaged = label_text(disadvantaged), center = center)
}

#' @rdname fits
#' @export
leace_pca <- function(x, group, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE,
                      continuous = NULL) {
  fit_method("leace_pca", x, group, k, data, weights, missing, scale, continuous)
}

#' @rdname fits
#' @export
pca <- function(x, group = NULL, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE,
                continuous = NULL) {
  fit_method("pca", x, group, k, data, weights, missing, scale, continuous)
}

#' Fair kernel principal components
#'
#' Components in a kernel's feature space on which the groups have equal means (Kleindessner et al. 2023).
#'
#' @inheritParams fits
#' @param scale Standardize the features before the kernel? If not, rows stay as they are, uncentred too.
#' @param kernel `"rbf"`, `"polynomial"`, `"linear"` or `"sigmoid"`.
#' @param gamma Of the kernels but the linear one; 1 over the number of features times their variance where `NULL`.
#' @param degree,coef0 Of the polynomial kernel; `coef0` of the sigmoid one too.
#' @param center Center in feature space? Group means are equal either way.
#' @param landmarks Rows drawn for the Nystroem approximation; where `NULL` the kernel is exact, rows by rows.
#' @param seed Of that draw.
#' @return An object of class `fairstats_kernel` with the scores of its rows as `x`; [stats::predict()] scores new rows, in
#'   the session that fitted it.
#' @export
#' @examplesIf fairstats_available()
#' fit <- fair_kernel_pca(mtcars[c("mpg", "hp", "wt")], mtcars$am, k = 2)
#' head(predict(fit, mtcars))
fair_kernel_pca <- function(x, group, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE,
                            continuous = NULL, kernel = "rbf", gamma = NULL, degree = 3, coef0 = 1, center = TRUE,
                            landmarks = NULL, seed = 0) {
  if (!is.null(landmarks)) landmarks <- whole(landmarks, "landmarks")
  fit_method("fair_kernel_pca", x, group, k, data, weights, missing, scale, continuous, kernel = kernel, gamma = gamma,
    degree = whole(degree, "degree"), coef0 = coef0, center = center, landmarks = landmarks, seed = whole(seed, "seed"))
}

#' Least-squares concept erasure
#'
#' The affine map of the features that changes them least and leaves no linear trace of the groups (Belrose et al. 2023).
#'
#' @inheritParams fits
#' @return An object of class `fairstats_eraser`; [stats::predict()] gives the adjusted features of new rows.
#' @export
#' @examplesIf fairstats_available()
#' eraser <- leace(mtcars[c("mpg", "hp", "wt")], mtcars$am)
#' adjusted <- predict(eraser, mtcars)
#' round(cor(adjusted, mtcars$am), 12)
leace <- function(x, group, data = NULL, weights = NULL, missing = "raise", scale = FALSE, continuous = NULL) {
  fit_method("leace", x, group, NULL, data, weights, missing, scale, continuous)
}

fit_method <- function(method, x, group, k, data, weights, missing, scale, continuous, ...) {
  if (!is.null(k)) k <- whole(k, "k")
  options <- list(method = method, k = k, missing = missing, scale = scale, continuous = as.list(continuous), ...)
  if (inherits(x, "fairstats_moments")) {
    if (!missing(group)) {
      stop("group is given and x are moments, which have their groups already; leave group out.", call. = FALSE)
    }
    return(fs_call("fit", options, list(X = python_object(x, "x"))))
  }
  if (is.null(data) && is.data.frame(x)) data <- x
  features <- features_of(x, data, group)
  groups <- groups_of(group, data)
  sent <- without_names(features$x)
  fit <- fs_call("fit", c(options, list(
    X = sent, groups = as.list(groups$names), data = groups$data, weights = values_of(weights, data, "weights")
  )))
  finished(fit, features, groups)
}

# Row names stay in R, and a sparse matrix has nowhere to keep names on the way.
without_names <- function(x) {
  if (methods::is(x, "dgCMatrix")) {
    x@Dimnames <- list(NULL, NULL)
  } else if (is.matrix(x) && is.null(colnames(x))) {
    x <- unname(x)
  } else {
    rownames(x) <- NULL
  }
  x
}

# What R knows and Python need not: how to make the features again, names of a sparse matrix, the scores of the rows.
finished <- function(fit, features, groups) {
  pointer <- attr(fit, "python")
  fit$recipe <- features$recipe
  if (methods::is(features$x, "dgCMatrix") && !is.null(colnames(features$x))) fit <- renamed(fit, colnames(features$x))
  if (inherits(fit, "fairstats_fit")) fit$x <- linear_scores(fit, numeric_matrix(features$x), groups)
  if (inherits(fit, "fairstats_kernel")) fit$x <- kernel_scores(fit, features$x)
  if (!is.null(fit$means)) fit$means$rows <- groups
  attr(fit, "python") <- pointer
  fit
}

renamed <- function(fit, names) {
  for (field in c("rotation", "weights")) if (!is.null(fit[[field]])) rownames(fit[[field]]) <- names
  for (field in c("center", "origin")) if (!is.null(fit[[field]])) names(fit[[field]]) <- names
  fit
}

#' Moments of data larger than memory
#'
#' Reads files chunk by chunk and keeps what a linear fit needs: counts, means and second moments by group.
#'
#' @param source Files (`.csv`, `.parquet`, `.feather`), a pattern such as `"part-*.parquet"`, or a folder of Parquet
#'   files. Python reads them with pyarrow: `install_fairstats(extras = "scale")`.
#' @param group Names of the group columns in the files, or a one-sided formula of them.
#' @param features Names of the features, or a formula as text; all other numeric columns where `NULL`.
#' @param y,weights Names of columns: the outcome (for `fair_pca(target = "equal_opportunity")`) and weights.
#' @param missing Rows without a group: `"raise"` an error, make them a `"level"`, or `"drop"` them.
#' @param by_cell Keep second moments by group, as methods that compare groups need them? Less memory if not.
#' @param continuous Names among `group` that are numbers, not sets of labels.
#' @return An object of class `fairstats_moments`, to be given to [og()] and the like as `x`, without `group`. It prints,
#'   and has [tidy()] (the mean of each feature in each group) and [glance()].
#' @export
#' @examplesIf fairstats_available() && reticulate::py_module_available("pyarrow")
#' file <- tempfile(fileext = ".csv")
#' write.csv(mtcars, file, row.names = FALSE)
#' m <- moments(file, group = "am", features = c("hp", "wt", "qsec"))
#' tidy(m)
#' og(m, k = 2)
moments <- function(source, group = NULL, features = NULL, y = NULL, weights = NULL, missing = "raise", by_cell = TRUE,
                    continuous = NULL) {
  if (inherits(features, "formula")) features <- paste("~", deparse1(features[[length(features)]]))
  fs_call("moments_of", list(
    source = as.list(path.expand(source)), groups = as_list(attributes_of(group)), continuous = as.list(continuous),
    features = if (length(features) == 1L && grepl("~", features)) features else as_list(features), y = y,
    weights = weights, missing = missing, by_cell = by_cell
  ))
}

#' Fits along their parameter
#'
#' What a bound on the loadings, or a weight on the gap of losses, costs: one row a value.
#'
#' @inheritParams fits
#' @param ts Bounds, as `t` of [sog()].
#' @param fit What [disparity_pca()] returned.
#' @param lams Weights, as `lam` of [disparity_pca()]; a grid where `NULL`.
#' @return A tibble.
#' @name paths
#' @examplesIf fairstats_available()
#' x <- scale(mtcars[c("hp", "wt", "qsec", "drat")])
#' sog_path(x, mtcars$am, k = 1, ts = c(1, 1.5, 2))
NULL

#' @rdname paths
#' @export
sog_path <- function(x, group, k = 2, ts, data = NULL, continuous = NULL, weights = NULL, missing = "raise",
                     scale = FALSE, tolerance = 1e-10, max_iter = 5000) {
  if (is.null(data) && is.data.frame(x)) data <- x
  groups <- groups_of(group, data)
  tibble::as_tibble(fs_call("fit", list(
    method = "sog_path", X = without_names(features_of(x, data, group)$x), groups = as.list(groups$names),
    data = groups$data, continuous = as.list(continuous), k = whole(k, "k"), ts = as.list(ts),
    weights = values_of(weights, data, "weights"), missing = missing, scale = scale, tolerance = tolerance,
    max_iter = whole(max_iter, "max_iter")
  )))
}

#' @rdname paths
#' @export
disparity_path <- function(fit, x, group, data = NULL, lams = NULL) {
  options <- list(lams = if (!is.null(lams)) as.list(lams))
  tibble::as_tibble(about_rows("disparity_path", fit, x, group, data, options, called = "fitted"))
}

#' Comparators
#'
#' The systems that papers compare with: `fpca()` (Olfat and Aswani 2019, a semidefinite program), `mbf_pca()` (Lee et al.
#' 2022, maximum mean discrepancy), `inlp_pca()` and `rlace_pca()` (Ravfogel et al. 2020, 2022), as components; `inlp()`
#' and `rlace()` as maps of the features onto themselves; `residualize()` and `location_scale()`, which regress the groups
#' out of each feature or make its means and standard deviations equal, and need the group of new rows.
#'
#' @inheritParams fits
#' @param delta Of `fpca()`: bound on the distance of two groups' mean scores, in units of the features (of their standard
#'   deviations with `scale`).
#' @param mu Of `fpca()`: price of differences between the groups' covariances.
#' @param solver Of `fpca()`: `"auto"`, `"clarabel"` or `"scs"`.
#' @param tau,sigma Of `mbf_pca()`: bound on the squared discrepancy of the scores between groups, and the width of its
#'   kernel; where `NULL` the median distance of plain PCA's scores decides.
#' @param tolerance,starts,max_steps Of the search of `mbf_pca()`: the gradient at which it ends, starts, steps of a
#'   subproblem.
#' @param seed Of random starts.
#' @param rounds Of `inlp()`: probes, each of which takes one direction (or one for each of several levels).
#' @param penalty Of the probes of `inlp()` and `inlp_pca()`: C of the support vector machine.
#' @param rank Of `rlace()`: directions to take out; one less than there are levels where `NULL`.
#' @param max_iter Steps of the projection of `rlace()` and `rlace_pca()`.
#' @return As of [og()] for components; `fairstats_eraser` for `inlp()` and `rlace()`; `fairstats_adjuster` for the last two.
#' @name comparators
#' @examplesIf fairstats_available()
#' x <- mtcars[c("mpg", "hp", "wt", "qsec")]
#' inlp_pca(x, mtcars$am, k = 2)
#' head(predict(residualize(x, mtcars$am), x, group = mtcars$am))
NULL

#' @rdname comparators
#' @export
fpca <- function(x, group, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE, delta = 0, mu = 0.01,
                 solver = "auto") {
  fit_method("fpca", x, group, k, data, weights, missing, scale, NULL, delta = delta, mu = mu, solver = solver)
}

#' @rdname comparators
#' @export
mbf_pca <- function(x, group, k = 2, data = NULL, missing = "raise", scale = FALSE, tau = 0.001, sigma = NULL,
                    tolerance = 0.001, starts = 3, seed = 0, max_steps = 60) {
  fit_method("mbf_pca", x, group, k, data, NULL, missing, scale, NULL, tau = tau, sigma = sigma, tolerance = tolerance,
    starts = whole(starts, "starts"), seed = whole(seed, "seed"), max_steps = whole(max_steps, "max_steps"))
}

#' @rdname comparators
#' @export
inlp_pca <- function(x, group, k = 2, data = NULL, missing = "raise", scale = FALSE, penalty = 1) {
  fit_method("inlp_pca", x, group, k, data, NULL, missing, scale, NULL, penalty = penalty)
}

#' @rdname comparators
#' @export
rlace_pca <- function(x, group, k = 2, data = NULL, missing = "raise", scale = FALSE, max_iter = 300) {
  fit_method("rlace_pca", x, group, k, data, NULL, missing, scale, NULL, max_iter = whole(max_iter, "max_iter"))
}

#' @rdname comparators
#' @export
inlp <- function(x, group, data = NULL, missing = "raise", scale = FALSE, rounds = NULL, penalty = 1) {
  if (!is.null(rounds)) rounds <- whole(rounds, "rounds")
  fit_method("inlp", x, group, NULL, data, NULL, missing, scale, NULL, rounds = rounds, penalty = penalty)
}

#' @rdname comparators
#' @export
rlace <- function(x, group, data = NULL, missing = "raise", scale = FALSE, rank = NULL, max_iter = 300) {
  if (!is.null(rank)) rank <- whole(rank, "rank")
  fit_method("rlace", x, group, NULL, data, NULL, missing, scale, NULL,
    rank = rank, max_iter = whole(max_iter, "max_iter"))
}

#' @rdname comparators
#' @export
residualize <- function(x, group, data = NULL, weights = NULL, missing = "raise", continuous = NULL) {
  fit_method("residualize", x, group, NULL, data, weights, missing, NULL, continuous)
}

#' @rdname comparators
#' @export
location_scale <- function(x, group, data = NULL, missing = "raise") {
  fit_method("location_scale", x, group, NULL, data, NULL, missing, NULL, NULL)
}
