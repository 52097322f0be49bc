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
#' @param ... Further arguments of the method: see its section in the documentation of the Python package.
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
og <- function(x, group, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE, continuous = NULL, ...) {
  fit_method("og", x, group, k, data, weights, missing, scale, continuous, ...)
}

#' @rdname fits
#' @param t Bound on the sum of absolute loadings of a component, between 1 and the square root of the number of features.
#' @export
sog <- function(x, group, k = 2, t, data = NULL, weights = NULL, missing = "raise", scale = FALSE, continuous = NULL,
                ...) {
  fit_method("sog", x, group, k, data, weights, missing, scale, continuous, t = t, ...)
}

#' @rdname fits
#' @param y For `target = "opportunity"`: a column name or one outcome a row.
#' @export
fair_pca <- function(x, group, k = 2, data = NULL, y = NULL, weights = NULL, missing = "raise", scale = FALSE,
                     continuous = NULL, ...) {
  fit_method("fair_pca", x, group, k, data, weights, missing, scale, continuous, y = values_of(y, data, "y"), ...)
}

#' @rdname fits
#' @export
minimax_pca <- function(x, group, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE, ...) {
  fit_method("minimax_pca", x, group, k, data, weights, missing, scale, NULL, ...)
}

#' @rdname fits
#' @param lam How much the gap in losses counts, or `"balance"` for what makes it zero.
#' @param advantaged,disadvantaged Levels of the group.
#' @export
disparity_pca <- function(x, group, k = 2, lam, advantaged, disadvantaged, data = NULL, weights = NULL,
                          missing = "raise", scale = FALSE, ...) {
  fit_method("disparity_pca", x, group, k, data, weights, missing, scale, NULL,
    lam = lam, advantaged = as.character(advantaged), disadvantaged = as.character(disadvantaged), ...)
}

#' @rdname fits
#' @export
leace_pca <- function(x, group, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE,
                      continuous = NULL, ...) {
  fit_method("leace_pca", x, group, k, data, weights, missing, scale, continuous, ...)
}

#' @rdname fits
#' @export
pca <- function(x, group = NULL, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE,
                continuous = NULL, ...) {
  fit_method("pca", x, group, k, data, weights, missing, scale, continuous, ...)
}

#' Fair kernel principal components
#'
#' Components in a kernel's feature space on which the groups have equal means (Kleindessner et al. 2023).
#'
#' @inheritParams fits
#' @param ... `kernel` (`"rbf"`, `"poly"`, ...), `gamma`, `degree`, `coef0`, `landmarks` (Nystroem), `seed`.
#' @return An object of class `fairstats_kernel` with the scores of its rows as `x`; [stats::predict()] scores new rows, in
#'   the session that fitted it.
#' @export
#' @examplesIf fairstats_available()
#' fit <- fair_kernel_pca(mtcars[c("mpg", "hp", "wt")], mtcars$am, k = 2)
#' head(predict(fit, mtcars))
fair_kernel_pca <- function(x, group, k = 2, data = NULL, weights = NULL, missing = "raise", scale = FALSE,
                            continuous = NULL, ...) {
  fit_method("fair_kernel_pca", x, group, k, data, weights, missing, scale, continuous, ...)
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
leace <- function(x, group, data = NULL, weights = NULL, missing = "raise", scale = FALSE, continuous = NULL, ...) {
  fit_method("leace", x, group, NULL, data, weights, missing, scale, continuous, ...)
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
#' @param ... Further arguments of [sog()].
#' @return A tibble.
#' @name paths
#' @examplesIf fairstats_available()
#' x <- scale(mtcars[c("hp", "wt", "qsec", "drat")])
#' sog_path(x, mtcars$am, k = 1, ts = c(1, 1.5, 2))
NULL

#' @rdname paths
#' @export
sog_path <- function(x, group, k = 2, ts, data = NULL, continuous = NULL, ...) {
  if (is.null(data) && is.data.frame(x)) data <- x
  groups <- groups_of(group, data)
  tibble::as_tibble(fs_call("fit", list(
    method = "sog_path", X = without_names(features_of(x, data, group)$x), groups = as.list(groups$names),
    data = groups$data, continuous = as.list(continuous), k = whole(k, "k"), ts = as.list(ts), ...
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
#' @param ... Further arguments: `delta`, `mu` of `fpca()`; `tau` of `mbf_pca()`; `rounds` of `inlp()`; `rank` of `rlace()`.
#' @return As of [og()] for components; `fairstats_eraser` for `inlp()` and `rlace()`; `fairstats_adjuster` for the last two.
#' @name comparators
#' @examplesIf fairstats_available()
#' x <- mtcars[c("mpg", "hp", "wt", "qsec")]
#' inlp_pca(x, mtcars$am, k = 2)
#' head(predict(residualize(x, mtcars$am), x, group = mtcars$am))
NULL

#' @rdname comparators
#' @export
fpca <- function(x, group, k = 2, data = NULL, missing = "raise", scale = FALSE, ...) {
  fit_method("fpca", x, group, k, data, NULL, missing, scale, NULL, ...)
}

#' @rdname comparators
#' @export
mbf_pca <- function(x, group, k = 2, data = NULL, missing = "raise", scale = FALSE, ...) {
  fit_method("mbf_pca", x, group, k, data, NULL, missing, scale, NULL, ...)
}

#' @rdname comparators
#' @export
inlp_pca <- function(x, group, k = 2, data = NULL, missing = "raise", scale = FALSE, ...) {
  fit_method("inlp_pca", x, group, k, data, NULL, missing, scale, NULL, ...)
}

#' @rdname comparators
#' @export
rlace_pca <- function(x, group, k = 2, data = NULL, missing = "raise", scale = FALSE, ...) {
  fit_method("rlace_pca", x, group, k, data, NULL, missing, scale, NULL, ...)
}

#' @rdname comparators
#' @export
inlp <- function(x, group, data = NULL, missing = "raise", scale = FALSE, ...) {
  fit_method("inlp", x, group, NULL, data, NULL, missing, scale, NULL, ...)
}

#' @rdname comparators
#' @export
rlace <- function(x, group, data = NULL, missing = "raise", scale = FALSE, ...) {
  fit_method("rlace", x, group, NULL, data, NULL, missing, scale, NULL, ...)
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
