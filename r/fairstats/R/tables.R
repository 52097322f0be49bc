# The report's tables as objects of packages for tables.

#' Tables of other packages
#'
#' A table of [fair_table()] for documents that are made with \pkg{flextable} (Word, PowerPoint) or \pkg{gt}: its cells as they
#' are printed, with caption and note.
#'
#' @param x What [fair_table()] returns, or a result of this package, of which [fair_table()] then makes a table.
#' @param ... For a result, further arguments of [fair_table()]: `kind`, `attribute`, `metric`.
#' @return An object of class `flextable`, or `gt_tbl`.
#' @family reports
#' @name fair_gt
#' @examplesIf fairstats_available() && requireNamespace("flextable", quietly = TRUE)
#' audit <- fair_audit(mtcars, decision = "vs", groups = "am")
#' flextable::as_flextable(fair_table(audit, "rates"))
#' @examplesIf fairstats_available() && requireNamespace("gt", quietly = TRUE)
#' fair_gt(fair_table(fair_audit(mtcars, decision = "vs", groups = "am"), "rates"))
NULL

#' @rdname fair_gt
#' @exportS3Method flextable::as_flextable
as_flextable.fairstats_table <- function(x, ...) {
  cells <- as.data.frame(x)
  result <- flextable::flextable(unique_columns(cells))
  result <- flextable::set_header_labels(result, values = stats::setNames(names(cells), names(unique_columns(cells))))
  result <- flextable::align(result, j = seq_along(cells)[numbers_in(cells)], align = "right", part = "all")
  if (nzchar(x$note)) result <- flextable::add_footer_lines(result, x$note)
  flextable::autofit(flextable::set_caption(result, x$caption))
}

#' @rdname fair_gt
#' @exportS3Method flextable::as_flextable
as_flextable.fairstats <- function(x, ...) as_flextable.fairstats_table(fair_table(x, ...))

#' @rdname fair_gt
#' @export
fair_gt <- function(x, ...) {
  rlang::check_installed("gt", "to make a table of gt.", version = "0.8.0")
  if (inherits(x, "fairstats")) x <- fair_table(x, ...)
  if (!inherits(x, "fairstats_table")) fail("x is of class ", class(x)[[1L]], "; give what fair_table() returns, or a result.")
  gt <- function(name) getExportedValue("gt", name)
  cells <- unique_columns(as.data.frame(x))
  result <- gt("tab_caption")(gt("gt")(cells), x$caption)
  result <- gt("cols_label")(result, .list = as.list(stats::setNames(names(as.data.frame(x)), names(cells))))
  result <- gt("cols_align")(result, align = "right", columns = names(cells)[numbers_in(cells)])
  if (nzchar(x$note)) gt("tab_source_note")(result, x$note) else result
}

# Columns that hold numbers, as they are printed.
numbers_in <- function(cells) {
  vapply(cells, function(column) any(grepl("[0-9]", column)) && !any(grepl("^[A-Za-z(]", column)), NA)
}

# Headings may be equal, or empty; columns may not.
unique_columns <- function(cells) stats::setNames(cells, make.unique(ifelse(nzchar(names(cells)), names(cells), " ")))
