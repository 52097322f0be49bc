people <- data.frame(
  group = rep(c("a", "b"), c(60, 40)),
  yhat = rep(c(1, 0, 1, 0), c(40, 20, 15, 25))
)

test_that("a table of the report has its numbers, in every form", {
  skip_without_python()
  audit <- fair_audit(people, decision = "yhat", group = "group")
  made <- fs_table(audit, "rates")
  rates <- tidy(audit)
  rates <- rates[rates$metric == "selection rate" & rates$contrast == "none" & rates$role == "main", ]
  expect_identical(made$cells$group, rates$group)
  expect_equal(as.numeric(made$cells[["rate (%)"]]), round(100 * rates$estimate, 1))
  expect_s3_class(made$cells, "tbl_df")
  expect_identical(nrow(as.data.frame(made)), 2L)
  expect_identical(made$caption, "Selection rate by group")
  expect_output(print(made), "Selection rate by group\n")
  expect_match(made$latex, "\\begin{tabular}", fixed = TRUE)
  expect_match(made$html, "<table")
  expect_match(made$markdown, "| --- |", fixed = TRUE)
  expect_match(fs_table(audit, metric = "demographic_parity_difference")$caption, "differences from a")
  expect_error(fs_table(audit, "ratess"), "rates", class = "fairstats_input_error")
  expect_error(fs_table(3), class = "fairstats_input_error")
})

test_that("a table is written, and no file of somebody else is replaced", {
  skip_without_python()
  audit <- fair_audit(people, decision = "yhat", group = "group")
  file <- withr_tempfile(".tex")
  writeLines("mine", file)
  expect_error(fs_table(audit, to = file), "overwrite = TRUE", class = "fairstats_error")
  expect_identical(readLines(file), "mine")
  fs_table(audit, to = file, overwrite = TRUE)
  expect_match(readLines(file)[[1L]], "fairstats")
  fs_table(audit, "differences", to = file)
  expect_true(any(grepl("tabular", readLines(file))))
})

test_that("documents show a table", {
  skip_without_python()
  skip_if_not_installed("knitr")
  shown <- knitr::knit_print(fs_table(fair_audit(people, decision = "yhat", group = "group")))
  expect_match(shown, "| --- |", fixed = TRUE)
  expect_s3_class(shown, "knit_asis")
})
