#' Write an audit, fits and comparisons as a report
#'
#' One document with the answer first, then tables, figures, methods and their sources: a web page that loads nothing, a PDF,
#' Word or Markdown, or the numbers alone. [fair_verify_report()] checks it against the data.
#'
#' @param ... What [fair_audit()], [og()], [fair_compare()] and the like return; at most one audit.
#' @param to Files that end in `.html`, `.pdf`, `.docx`, `.md` (its figures go to a folder beside it), `.json`, `.csv` or `.bib`
#'   (BibTeX: the software, and the sources of the methods that are used).
#' @param title,auditor Title, and who signs.
#' @param preset `"generic"`, `"four_fifths"`, `"ll144"`, `"method"`, `"comparison"` or `"monitoring"` (a change): what
#'   page one is about.
#' @param ll144_notice With `"ll144"`, what is published beside the tables, as [fair_local_law_144()] takes it.
#' @param overwrite Whether a file that fairstats did not write is replaced; an earlier report always is, an input never.
#' @param language Of the report: `"en"` or `"de"`; its data files, errors and messages stay English.
#' @param paper Of `.pdf` and `.docx`: `"a4"` or `"letter"`.
#' @param labels What a report of fits, comparisons, leakage and clusterings calls people, columns and groups, as a list: `unit`,
#'   `attributes`, `groups`, such as `list(unit = "arrestees", attributes = list(colour = "color"))`. Audits have those of
#'   their call.
#' @param templates A folder whose files take the place of the packaged templates, file by file; they shape `.html` and `.pdf`.
#' @return The paths written, invisibly.
#' @family reports
#' @export
#' @examplesIf fairstats_available()
#' \donttest{
#' df <- data.frame(
#'   sex = rep(c("female", "male"), c(40, 60)),
#'   hired = rep(c(1, 0, 1, 0), c(10, 30, 30, 30))
#' )
#' fair_report(fair_audit(df, decision = "hired", groups = "sex"), to = tempfile(fileext = ".html"))
#' }
fair_report <- function(..., to, title = NULL, auditor = "", preset = "generic", ll144_notice = NULL,
                   overwrite = FALSE, language = "en", paper = "a4", templates = NULL, labels = NULL) {
  results <- list(...)
  unknown <- setdiff(names(results), "")
  if (length(unknown)) {
    refuse_former(unknown[[1L]], names(formals(fair_report)), "fair_report()")
    fail("fair_report() has no argument ", sQuote(unknown[[1L]], FALSE), "; results are given without names.",
      nearest(unknown[[1L]], setdiff(names(formals(fair_report)), "...")))
  }
  if (!length(results)) fail("nothing to report; give an audit, a fit or a comparison.")
  if (missing(to)) fail("to is missing; name the files, as in to = \"report.html\".")
  one_name(title, "title", "text of one title")
  one_name(auditor, "auditor", "name of who signs")
  pointers <- Map(python_object, results, paste("argument", seq_along(results)))
  result <- fs_call("report", list(
    to = some_paths(to, "to", "the name of a file such as \"report.html\"; several for several formats"),
    title = title, auditor = auditor, preset = preset,
    ll144_notice = named_entries(ll144_notice, "ll144_notice", "tool = \"Ranker\""), overwrite = overwrite,
    language = language, paper = paper,
    labels = named_parts(named_entries(labels, "labels", "unit = \"arrestees\"")),
    templates = if (!is.null(templates)) path.expand(one_name(templates, "templates", "path of one folder"))
  ), list(results = unname(pointers)))
  invisible(unlist(result$files))
}
