#' Does a report follow from the data?
#'
#' Carries out the protocol inside a written report anew, or computes a report of pay ([fair_pay_transparency()],
#' [fair_gender_pay_gap()]), of models ([fair_compare_models()], [fair_alternatives()]), of
#' [fair_monitor()] (without earlier periods of a `state`) or of [fair_group_probabilities()] again, and compares every
#' number, verdict and label with the report.
#' Then the file is made again from its results, and has to be the same byte for byte. It does not show when the protocol
#' was fixed, nor that the data are true. Fits and other comparisons are not run again: a report of them alone is refused.
#' Of a joint report of an audit and other results, those of [fair_group_probabilities()] too, the audit alone is verified, and
#' the status is `"partly verified"`: write each to a report of its own.
#'
#' @param report A file that [fair_report()] wrote: `.pdf` (its attached results), `.html` (the results inside it) or `.json`.
#' @param data The audited data: a data frame with the columns of the report (a table of a database as
#'   `dplyr::collect()` gives it), a design of \pkg{survey}, a table of counts, what [fair_tally()] or [fair_from_counts()]
#'   returned, or the path of the file that they came from, whose SHA-256 is compared as well.
#' @return An object of class `fairstats_verification`: `ok` (`TRUE` where all of the report was verified, numbers
#'   within 1e-9), `status` (`"verified"`; `"partly verified"` where the numbers of the audit agree and there are other
#'   results beside it, or pages that cannot be made again here, for example by other software, or where a report of a data
#'   frame is verified against a file, of which it has no hash; `"disagreement"`),
#'   `differences` (a tibble: `where`, what is `written`, what was `recomputed`), `compared` (how many entries), `id` of
#'   the report, `data` (what is known of the data's hash), `unchecked` (what was not verified, in words) and `summary`.
#' @seealso [fair_report()]
#' @family reports
#' @export
#' @examplesIf fairstats_available()
#' df <- data.frame(
#'   sex = rep(c("female", "male"), c(40, 60)),
#'   hired = rep(c(1, 0, 1, 0), c(10, 30, 30, 30))
#' )
#' file <- tempfile(fileext = ".json")
#' fair_report(fair_audit(df, decision = "hired", groups = "sex"), to = file)
#' fair_verify_report(file, df)
#' df$hired[1] <- 0
#' fair_verify_report(file, df)$ok
fair_verify_report <- function(report, data, ...) {
  refuse_others(...)
  if (is.null(report)) fail("report is NULL; give the path of one report.")
  report <- path.expand(one_name(report, "report", "path of one report"))
  if (is_design(data)) data <- design_parts(data, character())$frame
  is_path <- is.character(data) && length(data) == 1L && !is.na(data)
  if (!is_path && !is.data.frame(data) && !is.table(data) && !inherits(data, "fairstats_tally")) {
    way <- if (is_lazy(data)) "dplyr::collect(data), the table as a data frame" else "the data frame that was audited"
    fail("data is of class ", class(data)[[1L]], " and length ", length(data), "; give ", way, ", or the path of its file.")
  }
  choices <- fs_call("verified", list(report = report))
  # counts that fair_tally() took as people, or that fair_audit() took with how many each row stands for
  if (is.table(data)) data <- if (is.null(choices$weights)) tally_of_table(data, choices) else rows_of_table(data)
  objects <- list()
  if (inherits(data, "fairstats_tally")) {
    objects$data <- python_object(data, "data")
    data <- NULL
  } else if (is.data.frame(data)) {
    data <- verified_columns(data, choices)
  } else {
    data <- path.expand(data)
  }
  result <- fs_call("verify_report", c(list(report = report), if (!length(objects)) list(data = data)), objects)
  result[c("differences", "unchecked")] <- list(
    tibble::as_tibble(lapply(result$differences, as.character)), as.character(result$unchecked)
  )
  structure(result, class = "fairstats_verification")
}

tally_of_table <- function(counts, choices) {
  named <- intersect(c("decision", "groups", "outcome", "score", "strata"), names(choices))
  do.call(fair_tally, c(list(counts), lapply(Filter(length, choices[named]), function(x) as.character(unlist(x)))))
}

# The columns of the audit in a report, as fair_audit() handed them over.
verified_columns <- function(data, choices) {
  counts <- choices$counts
  choices$counts <- NULL
  if (!is.null(counts)) {
    counts[c("groups", "strata")] <- lapply(counts[c("groups", "strata")], as_list)
    return(table_of_counts(data, counts, c(counts$selected, counts$total, counts$not_selected)))
  }
  if (!is.null(choices$models)) {
    roles <- list(groups = choices$groups, outcome = choices$outcome)
    models <- as.character(unlist(choices$models))
    labels <- as.character(unlist(choices$labels)) # of further results in the report
    return(people_of_models(data, models, roles, choices$threshold, "data", choices$split, labels))
  }
  if (!is.null(choices$probabilities)) {
    roles <- list(decision = choices$decision, groups = choices$groups)
    return(people_of(data, c(roles, list(weights = as.character(unlist(choices$probabilities))))))
  }
  drawn <- intersect(of_design, unlist(c(choices[c("weights", "clusters")], choices$design)))
  if (length(setdiff(drawn, names(data)))) {
    fail("data is a data frame, and the report is of a survey's design; give the design.")
  }
  choices$strata <- group_names(choices$strata, names(data))
  audited_columns(data, choices)
}

#' @rdname fair_verify_report
#' @param x What `fair_verify_report()` returns.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @export
print.fairstats_verification <- function(x, ...) {
  cat(writable(x$summary), "\n", sep = "")
  invisible(x)
}
