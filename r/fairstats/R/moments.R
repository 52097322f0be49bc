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
    groups = as_list(attributes_of(groups)), continuous = as.list(continuous),
    features = if (length(features) == 1L && grepl("~", features)) features else as_list(features), y = y,
    weights = weights, missing = missing, by_cell = by_cell
  ))
}
