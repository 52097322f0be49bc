#' A figure of the report
#'
#' The report's own drawing of one result, by itself: shown in a document of R Markdown, or written to a file.
#'
#' @param x What [fair_audit()], [og()], [fair_compare()], [fair_leakage()] and the like return.
#' @param kind Which figure; the first that the result has where `NULL`. Another name is an error that lists those there are.
#' @param metric,attribute,term Which metric, by which attribute, of which `name` of [tidy()][verbs]; of a comparison
#'   the method and model (`"og \u00b7 logistic"`). The first that the figure can show where `NULL`.
#' @param to A file that ends in `.svg`, `.png` or `.pdf`, or `NULL`.
#' @param overwrite Whether a file that fairstats did not write is replaced.
#' @param language Of all words in the figure, its caption and its text: `"en"` or `"de"`.
#' @param labels Of fits, [fair_compare()], [fair_leakage()] and clusterings what columns and groups are called, as in
#'   [fair_report()]. Audits have the labels of their call; [fair_compare_models()] has the names of the data frame.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return An object of class `fairstats_figure`: a list with `svg` and `html` (text), `png` (raw), `alt`
#'   (every number of it in words), `caption` and `kinds` (the figures that `x` has). Documents of \pkg{knitr} show it;
#'   the chunk options `fig.cap` and `fig.alt` stand in the place of its caption and text.
#' @seealso [plot.fairstats_audit()] for figures that R draws.
#' @family reports
#' @export
#' @examplesIf fairstats_available()
#' drawn <- fair_figure(fair_audit(mtcars, decision = "vs", groups = "am"), "differences")
#' drawn$kinds
#' cat(drawn$alt)
fair_figure <- function(x, kind = NULL, metric = NULL, attribute = NULL, term = NULL, to = NULL, overwrite = FALSE,
  language = "en", labels = NULL, ...) {
  refuse_others(...)
  refuse_exchanged(x, metric, attribute)
  output <- fs_call("figure", list(
    kind = kind, metric = metric, attribute = attribute, term = term, to = if (!is.null(to)) one_path(to, "to"),
    overwrite = overwrite, language = one_name(language, "language", "code of one language"),
    labels = named_parts(named_entries(labels, "labels", "unit = \"arrestees\""))
  ), list(result = python_object(x, "x")))
  structure(output, class = "fairstats_figure")
}

#' @export
print.fairstats_figure <- function(x, ...) {
  cat(strwrap(writable(paste0("Figure. ", x$caption)), 80), strwrap(writable(x$alt), 80, indent = 2, exdent = 2), sep = "\n")
  invisible(x)
}

# A picture in a file of its own: in a page drawn by lines, elsewhere of pixels. Chunk options go before our caption.
#' @exportS3Method knitr::knit_print
knit_print.fairstats_figure <- function(x, options = NULL, ...) {
  # a name of its own: knitr numbers what devices draw; its options end with the document, and this counter with them
  number <- (knitr::opts_knit$get("fairstats.figures") %||% 0L) + 1L
  knitr::opts_knit$set(fairstats.figures = number)
  file <- knitr::fig_path(paste0("-fairstats-", number, if (in_html()) ".svg" else ".png"), options, NULL)
  dir.create(dirname(file), recursive = TRUE, showWarnings = FALSE)
  if (in_html()) writeBin(charToRaw(enc2utf8(x$svg)), file) else writeBin(x$png, file)
  options$fig.cap <- options$fig.cap %||% x$caption
  if (knitr::is_html_output()) options$fig.alt <- options$fig.alt %||% x$alt # others have the caption for it
  # by the hook itself: what knitr has of an included picture are the chunk's options alone
  options[c("fig.num", "fig.cur")] <- 1L
  as_block(knitr::knit_hooks$get("plot")(file, options))
}
