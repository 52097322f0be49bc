people <- data.frame(
  group = rep(c("a", "b"), c(60, 40)),
  yhat = rep(c(1, 0, 1, 0), c(40, 20, 15, 25))
)

test_that("a table of the report has its numbers, in every form", {
  skip_without_python()
  audit <- fair_audit(people, decision = "yhat", groups = "group")
  made <- fair_table(audit, "rates")
  rates <- tidy(audit)
  rates <- rates[rates$metric == "selection rate" & rates$contrast == "none" & rates$role == "main", ]
  expect_identical(made$cells$group, rates$group)
  expect_equal(as.numeric(made$cells[["rate (%)"]]), round(100 * rates$estimate, 1))
  expect_s3_class(made$cells, "tbl_df")
  expect_identical(nrow(as.data.frame(made)), 2L)
  expect_identical(made$caption, "Selection rate by group")
  expect_output(print(made), "Selection rate by group\n")
  expect_match(made$latex, "\\begin{tabular}", fixed = TRUE)
  expect_match(made$html, "<table", fixed = TRUE)
  expect_match(made$markdown, "| --- |", fixed = TRUE)
  expect_match(fair_table(audit, metric = "demographic_parity_difference")$caption, "differences from a")
  german <- fair_table(audit, "rates", language = "de")$cells
  expect_identical(sub(",", ".", german[["Rate (%)"]], fixed = TRUE), made$cells[["rate (%)"]])
  expect_error(fair_table(audit, "ratess"), "rates", class = "fairstats_input_error")
  expect_error(fair_table(3), class = "fairstats_input_error")
})

test_that("numbers of a table that are missing are NA; labels that it does not take are refused in R's words", {
  skip_without_python()
  audit <- fair_audit(people, decision = "yhat", groups = "group")
  reference <- fair_table(audit, "differences")$numbers[[3L]][[1L]]
  expect_true(is.na(reference) && !is.nan(reference))
  study <- fair_compare_models(transform(people, other = 1 - yhat), c("yhat", "other"), "group")
  expect_error(fair_table(study, labels = list(unit = "applicants", groups = list(group = list(a = "A", b = "B")))),
    "^labels are of fits, fair_compare\\(\\), ", class = "fairstats_input_error")
  german <- fair_table(study, language = "de")
  expect_match(german$caption, "(Dataframe ", fixed = TRUE)
  expect_no_match(paste(german$caption, german$note), "Intervals|the data frame")
  expect_match(format(summary(audit)), "^Audit of the data frame people")
})

test_that("a table of several results names the rows of each", {
  skip_without_python()
  audit <- fair_audit(people, decision = "yhat", groups = "group")
  made <- fair_table(list(first = audit, again = audit), "rates")
  expect_identical(made$cells$result, rep(c("first", "again"), each = 2L))
  expect_identical(made$cells$group, rep(fair_table(audit, "rates")$cells$group, 2L))
  expect_identical(fair_table(list(audit, audit), "rates")$cells$result, rep(c("audit 1", "audit 2"), each = 2L))
  expect_error(fair_table(list(first = audit, audit)), "a name of its own", class = "fairstats_input_error")
  expect_error(fair_table(list(audit, 3)), "entry 2 of x is of class numeric", class = "fairstats_input_error")
})

test_that("a table is written, and no file of somebody else is replaced", {
  skip_without_python()
  audit <- fair_audit(people, decision = "yhat", groups = "group")
  file <- withr_tempfile(".tex")
  writeLines("mine", file)
  expect_error(fair_table(audit, to = file), "overwrite = TRUE", class = "fairstats_error")
  expect_identical(readLines(file), "mine")
  fair_table(audit, to = file, overwrite = TRUE)
  expect_match(readLines(file)[[1L]], "fairstats")
  fair_table(audit, "differences", to = file)
  expect_true(any(grepl("tabular", readLines(file))))
})

test_that("documents show a table", {
  skip_without_python()
  skip_if_not_installed("knitr")
  made <- fair_table(fair_audit(people, decision = "yhat", groups = "group"))
  shown <- knitr::knit_print(made)
  expect_match(shown, "| --- |", fixed = TRUE)
  expect_s3_class(shown, "knit_asis")
  old <- knitr::opts_knit$get("rmarkdown.pandoc.to")
  on.exit(knitr::opts_knit$set(rmarkdown.pandoc.to = old))
  knitr::opts_knit$set(rmarkdown.pandoc.to = "gfm")
  expect_match(knitr::knit_print(made), "| --- |", fixed = TRUE)
  knitr::opts_knit$set(rmarkdown.pandoc.to = "html")
  expect_match(knitr::knit_print(made), "<table", fixed = TRUE)
})

test_that("text right behind a chunk is apart from what the chunk shows", {
  skip_without_python()
  skip_if_not_installed("knitr")
  audit <- fair_audit(people, decision = "yhat", groups = "group")
  old <- knitr::opts_knit$get("rmarkdown.pandoc.to")
  on.exit(knitr::opts_knit$set(rmarkdown.pandoc.to = old))
  knitr::opts_knit$set(rmarkdown.pandoc.to = "docx")
  folder <- paste0(withr_tempfile(), "/")
  for (code in c("audit", "fair_table(audit)", "fair_figure(audit)")) {
    text <- c("```{r, echo = FALSE, fig.path = folder}", code, "```", "## Next")
    lines <- strsplit(knitr::knit(text = text, quiet = TRUE), "\n", fixed = TRUE)[[1L]]
    expect_identical(trimws(lines[match("## Next", lines) - 1L]), "", info = code)
  }
})

test_that("a table is one of flextable, with caption, headings, cells and note", {
  skip_without_python()
  skip_if_not_installed("flextable")
  made <- fair_table(fair_audit(people, decision = "yhat", groups = "group"), "rates")
  shown <- flextable::as_flextable(made)
  expect_s3_class(shown, "flextable")
  expect_identical(unname(unlist(shown$body$dataset[1, ])), unname(unlist(made$cells[1, ])))
  expect_match(paste(unlist(shown$caption), collapse = " "), made$caption, fixed = TRUE)
  expect_identical(unname(unlist(shown$header$dataset[1, ])), names(made$cells))
  expect_identical(flextable::nrow_part(shown, "footer"), as.integer(nzchar(made$note)))
  again <- flextable::as_flextable(fair_audit(people, decision = "yhat", groups = "group"), kind = "rates")
  expect_identical(again$body$dataset, shown$body$dataset)
})

test_that("a table is one of gt", {
  skip_without_python()
  made <- fair_table(fair_audit(people, decision = "yhat", groups = "group"), "rates")
  stands_in <- !requireNamespace("gt", quietly = TRUE)
  if (stands_in) {
    # gt is not to be had where this was written: a package of its name with the documented arguments
    home <- withr_tempfile()
    source <- file.path(withr_tempfile(), "gt")
    dir.create(file.path(source, "R"), recursive = TRUE)
    dir.create(home)
    writeLines(c("Package: gt", "Version: 0.8.0", "Title: Stand-In", "Description: None.", "License: none", "Author: none",
      "Maintainer: none <none@example.org>"), file.path(source, "DESCRIPTION"))
    writeLines("exportPattern('^[a-z]')", file.path(source, "NAMESPACE"))
    writeLines(c(
      "gt <- function(data, caption = NULL) structure(list(data = data), class = 'gt_tbl')",
      "tab_caption <- function(data, caption) { data$caption <- caption; data }",
      "cols_label <- function(.data, ..., .list = list(...)) { .data$labels <- .list; .data }",
      "cols_align <- function(data, align = 'auto', columns) { data[[align]] <- columns; data }",
      "tab_source_note <- function(data, source_note) { data$note <- source_note; data }"
    ), file.path(source, "R", "gt.R"))
    system2(file.path(R.home("bin"), "R"), c("CMD", "INSTALL", "--no-docs", "-l", shQuote(home), shQuote(source)),
      stdout = TRUE, stderr = TRUE)
    old <- .libPaths()
    .libPaths(c(home, old))
    on.exit({
      unloadNamespace("gt")
      .libPaths(old)
    })
  }
  shown <- fair_gt(made)
  expect_s3_class(shown, "gt_tbl")
  skip_if(!stands_in, "what follows is of the stand-in")
  expect_identical(shown$caption, made$caption)
  expect_identical(unlist(shown$labels, use.names = FALSE), names(made$cells))
  expect_identical(unname(as.matrix(shown$data)), unname(as.matrix(as.data.frame(made))))
  expect_identical(fair_gt(fair_audit(people, decision = "yhat", groups = "group"), kind = "rates")$data, shown$data)
  made$note <- "A note."
  expect_identical(fair_gt(made)$note, "A note.")
  expect_error(fair_gt(1), "of class numeric", class = "fairstats_input_error")
})

test_that("a flextable of an audit has no hint of the console; gaps say which way they go", {
  skip_without_python()
  skip_if_not_installed("flextable")
  audit <- fair_audit(transform(mtcars, four = cyl == 4), decision = "vs", groups = c("am", "four"))
  expect_false(any(grepl("attribute", unlist(flextable::as_flextable(audit)$footer$dataset))))
  expect_match(fair_table(fair_audit(mtcars, amount = "mpg", groups = "am"))$note, "below the reference, in % of it")
})

test_that("a table has a block of each attribute", {
  skip_without_python()
  audit <- fair_audit(mtcars, decision = "vs", groups = c("am", "gear"))
  both <- fair_table(audit, "rates", attribute = c("am", "gear"))$cells
  expect_identical(both$attribute, rep(c("am", "gear"), 2:3))
  named <- fair_table(list(x = audit, y = audit), "rates", attribute = list(x = "am", y = "gear"))$cells
  expect_identical(named[-1], both[-1])
})

test_that("a table has its numbers and limits as numbers, of several metrics too, and takes counts of those left out", {
  skip_without_python()
  counts <- data.frame(race = c("White", "Black"), hired = c(156, 36), rejected = c(364, 144))
  audit <- fair_audit(fair_from_counts(counts, "race", "hired", not_selected = "rejected"))
  table <- fair_table(audit, "rates", metric = c("selection rate", "selection rate"))
  expect_identical(table$numbers[["rate (%)"]], c(30, 20))
  rows <- tidy(audit)
  rows <- rows[rows$metric == "selection rate" & rows$contrast == "none" & rows$role == "main", ]
  lower <- 100 * rows$conf.low[match(table$numbers$group, rows$group)]
  expect_equal(table$numbers[["95% interval, lower limit (%)"]], lower, tolerance = 0.05 / 14)
  expect_type(table$cells[["rate (%)"]], "character")
})
