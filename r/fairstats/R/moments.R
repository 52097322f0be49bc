#' Moments of data larger than memory
#'
#' Reads files chunk by chunk and keeps what a linear fit needs: counts, means and second moments by group.
#'
#' @param source Files (`.csv`, `.parquet`, `.feather`), a pattern such as `"part-*.parquet"`, or a folder of Parquet
#'   files. Python reads them with pyarrow: `install_fairstats(extras = "scale")`.
#' @param groups Names of the group columns in the files, or a one-sided formula of them.
#' @param features Names of the features, or a formula as text; all other numeric columns where `NULL`.
#' @param y,weights Names of columns: the outcome (for `fair_pca(target = "equal_opportunity")`) and weights.
#' @param missing Rows without a group: `"raise"` an error, make them a `"level"`, or `"drop"` them.
#' @param by_cell Keep second moments by group, as methods that compare groups need them? Less memory if not.
#' @param continuous Names among `groups` that are numbers, not sets of labels.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return An object of class `fairstats_moments`, to be given to [og()] and the like as `x`, without `groups`. It prints,
#'   and has [tidy()] (the mean of each feature in each group) and [glance()].
#' @references Chan, T. F., Golub, G. H. and LeVeque, R. J. (1983). Algorithms for computing the sample variance. The American
#'   Statistician 37, 242-247. \doi{10.1080/00031305.1983.10483115}
#' @family fits
#' @export
#' @examplesIf fairstats_available() && reticulate::py_module_available("pyarrow")
#' file <- tempfile(fileext = ".csv")
#' write.csv(mtcars, file, row.names = FALSE)
#' m <- fair_moments(file, groups = "am", features = c("hp", "wt", "qsec"))
#' tidy(m)
#' og(m, k = 2)
fair_moments <- function(source, groups = NULL, features = NULL, y = NULL, weights = NULL, missing = "raise", by_cell = TRUE,
                    continuous = NULL, ...) {
  refuse_others(...)
  if (inherits(features, "formula")) features <- paste("~", deparse1(features[[length(features)]]))
  fs_call("moments_of", list(
    source = some_paths(source, "source", "names of files; a fit such as og() takes a data frame itself"),
    groups = as_list(groups), continuous = as.list(continuous),
    features = if (length(features) == 1L && grepl("~", features)) features else as_list(features), y = y,
    weights = weights, missing = missing, by_cell = by_cell
  ))
}

#' Fair PCA of very many columns, read part by part
#'
#' Where the products of all columns are too many for [fair_moments()] and the rows for memory: groups have exactly equal
#' means on the scores, as with [fair_pca()], and the result says how much more other components could explain. Memory is
#' that of a few hundred rows.
#'
#' @inheritParams fair_moments
#' @param groups Names of the group columns in the files, or a one-sided formula of them; labels, not numbers.
#' @param k Number of components.
#' @param features Names of the features, or a formula as text; all other columns where `NULL`.
#' @param weights Name of a column.
#' @param passes How often the files are read: the first pass gives the components, the second measures them, each further one
#'   improves them; 4 times where `NULL`.
#' @param sketch Rows that stand for all of them after the first pass: `max(50, 10 * k)` where `NULL`.
#' @return A fit as [fair_pca()] gives it from moments: `predict()` needs no group.
#' @references Lee, J., Cho, H., Yun, S.-Y. and Yun, C. (2023). Fair streaming principal component analysis: statistical and
#'   algorithmic viewpoint. Advances in Neural Information Processing Systems 36. \doi{10.48550/arXiv.2310.18593}
#'
#'   Ghashami, M., Liberty, E., Phillips, J. M. and Woodruff, D. P. (2016). Frequent directions: simple and deterministic
#'   matrix sketching. SIAM Journal on Computing 45, 1762-1792. \doi{10.1137/15M1009718}
#' @family fits
#' @export
#' @examplesIf fairstats_available() && reticulate::py_module_available("pyarrow")
#' file <- tempfile(fileext = ".csv")
#' write.csv(mtcars, file, row.names = FALSE)
#' fair_pca_stream(file, groups = "am", k = 2, features = c("hp", "wt", "qsec", "drat"))
fair_pca_stream <- function(source, groups, k = 2, features = NULL, weights = NULL, missing = "raise", passes = NULL,
                            sketch = NULL, ...) {
  refuse_others(...)
  if (inherits(features, "formula")) features <- paste("~", deparse1(features[[length(features)]]))
  fit <- fs_call("fair_pca_stream", list(
    source = some_paths(source, "source", "names of files; fair_pca() takes a data frame itself"),
    groups = as_list(groups), k = whole(k, "k"),
    features = if (length(features) == 1L && grepl("~", features)) features else as_list(features), weights = weights,
    missing = missing, passes = if (!is.null(passes)) whole(passes, "passes"),
    sketch = if (!is.null(sketch)) whole(sketch, "sketch")
  ))
  with_call(fit, call_of("fair_pca_stream"))
}
