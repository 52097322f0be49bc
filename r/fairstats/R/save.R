#' Save a result for Python, and read what Python saved
#'
#' `fair_save()` writes any result to the file that Python's `result.save()` writes, and `fair_load()` reads what either
#' wrote: arrays and a header, without code, so that a file of a stranger can be read. Within R it is not needed: results are
#' plain objects that [saveRDS()], a cache of knitr or a pipeline of targets keep whole, and that serve [fair_report()],
#' [fair_crossfit()], [fair_leakage()] and the like in any later session with Python.
#'
#' A file holds what Python knows. A fit to a formula that R made into a matrix is read back with the names of that
#' matrix's columns, and `predict()` then wants these; its scores of the rows it was fitted to stay in R. Use
#' [saveRDS()] to keep them.
#'
#' @param x What [og()], [fair_audit()], [fair_compare()], [fair_crossfit()] and the like return, and [fair_moments()].
#' @param path A file that ends in `.npz`. An earlier result is replaced, whole or not at all.
#' @param overwrite Whether a file that fairstats did not write is replaced.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return `fair_save()`: `path`, invisibly. `fair_load()`: the result, with its class.
#' @seealso [fair_report()] for files that people read.
#' @family verbs
#' @name fair_save
#' @examplesIf fairstats_available()
#' path <- tempfile(fileext = ".npz")
#' fair_save(fair_audit(mtcars, decision = "vs", groups = "am"), path)
#' fair_load(path)
NULL

#' @rdname fair_save
#' @export
fair_save <- function(x, path, overwrite = FALSE, ...) {
  refuse_others(...)
  fs_call("save", list(path = one_path(path), overwrite = overwrite), list(result = python_object(x, "x")))
  invisible(path)
}

#' @rdname fair_save
#' @export
fair_load <- function(path, ...) {
  refuse_others(...)
  fs_call("load", list(path = one_path(path)))
}

one_path <- function(path, argument = "path") {
  if (!is.character(path) || length(path) != 1L || is.na(path)) {
    fail(argument, " is of class ", class(path)[[1L]], " and length ", length(path), "; give the name of one file.")
  }
  path.expand(path)
}

# Names of files: what is none of these would be an error of R's own.
some_paths <- function(paths, argument, way) {
  if (!is.character(paths) || length(paths) == 0L || anyNA(paths)) {
    fail(argument, " is of class ", class(paths)[[1L]], " and length ", length(paths), "; give ", way, ".")
  }
  as.list(path.expand(paths))
}
