test_that("an audit and a fit become a report that escapes what data say", {
  skip_without_python()
  df <- transform(people, sex = ifelse(sex == "male", "<b>m</b>", "f"))
  a <- fair_audit(df, decision = "yhat", groups = "sex")
  fit <- og(~ age + priors, group = "sex", k = 1, data = df)
  html <- withr_tempfile(".html")
  json <- withr_tempfile(".json")
  expect_identical(basename(report(a, fit, to = c(html, json))), basename(c(html, json)))
  text <- paste(readLines(html, warn = FALSE), collapse = "\n")
  expect_match(text, "&lt;b&gt;m&lt;/b&gt;", fixed = TRUE)
  expect_false(grepl("<b>m</b>", text, fixed = TRUE))
  expect_gt(length(jsonlite::fromJSON(json, simplifyVector = FALSE)), 0)
})

test_that("what is no result is refused, and no file appears", {
  skip_without_python()
  file <- tempfile(fileext = ".html")
  expect_error(report(1, to = file), "class numeric")
  expect_error(report(fair_audit(people, decision = "yhat", groups = "sex"), to = "a.doc"), "'a.doc'; a report is written as .*\\.docx")
  expect_false(file.exists(file))
})

test_that("a PDF is written", {
  skip_without_python()
  file <- withr_tempfile(".pdf")
  report(fair_audit(people, decision = "yhat", groups = "sex"), to = file)
  expect_identical(readBin(file, "character", 1L, 4L) |> substr(1, 4), "%PDF")
})
