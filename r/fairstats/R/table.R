#' A table of the report
#'
#' The report's own table of a result, by itself: shown in a console or in a document of R Markdown or Quarto, handed on
#' as text, HTML, LaTeX or Markdown, or written to a file. It needs Python, for a result of [readRDS()] too; [tidy()], which
#' does not, has the numbers.
#'
#' @param x What [fair_audit()], [og()], [fair_compare()], [fair_leakage()] and the like return, or a list of them, whose names
#'   then stand before their rows.
#' @param kind Which table: of an audit `"rates"`, `"differences"`, `"ratios"`, `"impact"` (ratios to the highest rate),
#'   `"impact by stratum"` (under the law of employment, those of each stratum), `"errors"`, `"error differences"`,
#'   `"scores"`, `"gaps"` and `"means"` (of amounts) or `"at once"` (all groups); of
#'   [fair_compare()] `"methods"`, `"groups"`, `"differences"` or `"ratios"`; of [fair_tradeoff()] `"methods"` or
#'   `"differences"`; of [fair_proxies()] `"features"`; of [fair_group_probabilities()] `"bounds"`; of [fair_monitor()]
#'   `"periods"`; of a fit `"components"`, `"guarantees"` or `"price"`; of a clustering `"clusters"` too; of
#'   [fair_compare_models()] `"changes"` (of gaps and rates) or `"models"`; of [fair_compare_audits()] `"changes"`; of
#'   [fair_subgroup_scan()] `"subgroups"`; of [fair_alternatives()] `"conditions"` and `"changes"` where one was tested, or
#'   `"candidates"`; of [fair_decompose()] `"parts"` or `"coefficients"`; of [fair_pay_transparency()] and
#'   [fair_gender_pay_gap()] `"gaps"`, `"shares"` or `"categories"`; and `"estimates"` of every result. The first that the
#'   result has where `NULL`; another name is an error that lists those there are. Of several results the first that all
#'   have.
#' @param attribute,metric Of an audit, comparison or clustering: by which attribute (of several names, each has a block
#'   of rows; of several results, a list has one by the name of each), and which metric (of several each has
#'   a block of rows), whose name may be that of another library. The first where `NULL`.
#' @param to A file that ends in `.html`, `.tex`, `.md`, `.txt`, `.csv`, `.docx` or `.xlsx` (the last two want the Python
#'   packages of the extra `tables`), or `NULL`.
#' @param overwrite Whether a file that fairstats did not write is replaced.
#' @param language Of caption, headings, cells and note: `"en"` or `"de"`.
#' @param labels Of fits, [fair_compare()], [fair_leakage()] and clusterings what columns and groups are called, as in
#'   [fair_report()]. Audits have the labels of their call; [fair_compare_models()] has the names of the data frame.
#' @return An object of class `fairstats_table`: a list with `cells` (a tibble of text, as shown), `numbers` (a tibble in
#'   which cells of numbers are numbers, and the limits of intervals columns), `caption`, `note`, and the table as `text`,
#'   `html`, `latex` and `markdown`. `as.data.frame()` gives the cells.
#' @seealso [fair_figure()], [fair_report()]
#' @family reports
#' @export
#' @examplesIf fairstats_available()
#' rates <- fair_table(fair_audit(mtcars, decision = "vs", groups = "am"), "rates")
#' rates
#' rates$cells
fair_table <- function(x, kind = NULL, attribute = NULL, metric = NULL, to = NULL, overwrite = FALSE,
  language = "en", labels = NULL, ...) {
  refuse_others(...)
  refuse_exchanged(x, metric, attribute)
  by_result <- !inherits(x, "fairstats") && !is.null(names(attribute))
  output <- fs_call("table", list(
    kind = one_name(kind, "kind", "name of one kind"), attribute = if (by_result) as.list(attribute) else unname(attribute),
    metric = metric,
    to = if (!is.null(to)) one_path(to, "to"),
    overwrite = overwrite, language = one_name(language, "language", "code of one language"),
    labels = named_parts(named_entries(labels, "labels", "unit = \"arrestees\""))
  ), list(result = one_or_several(x)))
  output$cells <- tibble::as_tibble(lapply(output$cells, as.character), .name_repair = "minimal")
  output$numbers <- tibble::as_tibble(output$numbers, .name_repair = "minimal")
  output$numbers[] <- lapply(output$numbers, function(column) replace(column, is.na(column), NA)) # no NaN
  structure(output, class = "fairstats_table")
}

# A result, or a list of results by their names, as Python objects.
one_or_several <- function(x) {
  if (!is.list(x) || is.object(x)) {
    return(python_object(x, "x"))
  }
  pointers <- unname(Map(python_object, x, paste("entry", seq_along(x), "of x")))
  if (is.null(names(x))) {
    return(pointers)
  }
  if (!all(nzchar(names(x))) || anyDuplicated(names(x))) {
    fail("x has entries of the same name or of none; give each result a name of its own, or none to all.")
  }
  stats::setNames(pointers, names(x))
}

#' @rdname fair_table
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @export
print.fairstats_table <- function(x, ...) {
  cat(writable(x$text), "\n\n", sep = "") # tables that are printed one after another stand apart
  invisible(x)
}

#' @export
as.data.frame.fairstats_table <- function(x, row.names = NULL, optional = TRUE, stringsAsFactors = FALSE, ...) {
  refuse_others(...)
  framed(x$cells, row.names, TRUE, stringsAsFactors) # headings stay what they are
}

#' @importFrom utils toLatex
#' @export
toLatex.fairstats_table <- function(object, ...) {
  refuse_others(...)
  structure(strsplit(object$latex, "\n", fixed = TRUE)[[1L]], class = "Latex")
}

#' @export
toLatex.fairstats <- function(object, ...) toLatex.fairstats_table(fair_table(object, ...))

# Whether a document becomes HTML itself, and not Markdown that GitHub shows, which is no place for raw HTML.
in_html <- function() knitr::is_html_output(excludes = c("markdown", "gfm"))

# In a page the table itself; elsewhere Markdown, which pandoc turns into the document's own tables.
#' @exportS3Method knitr::knit_print
knit_print.fairstats_table <- function(x, ...) {
  shown <- if (in_html()) paste0("```{=html}\n", x$html, "\n```") else x$markdown
  as_block(shown)
}

# A block of a document. knitr drops empty lines at the end of a chunk, but none with a blank: a heading right behind stays one.
as_block <- function(text) knitr::asis_output(paste0("\n\n", text, "\n\n "))
