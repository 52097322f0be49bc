# Reports compared with the data that they came from.
seen <- transform(people, old = age > 40, day = as.Date("2020-01-01") + (sex == "male"))
wide <- transform(seen, other = "not audited", more = I(as.list(yhat)))
written <- function(fileext, ..., frame = parent.frame()) {
  file <- withr_tempfile(fileext, frame = frame)
  audit <- fair_audit(seen, outcome = "y", decision = "yhat", score = "score", groups = c("old", "sex"),
    strata = c("group", "day"), ...)
  fair_report(audit, to = file)
  file
}

test_that("a report follows from its data, with labels as R writes them", {
  skip_without_python()
  json <- written(".json")
  for (file in c(json, written(".html"))) {
    v <- fair_verify_report(file, wide)
    expect_true(v$ok, info = v$summary)
    expect_identical(dim(v$differences), c(0L, 3L))
    expect_gt(v$compared, 100)
    expect_output(print(v), "all agree within 1e-9")
    expect_identical(v$id, jsonlite::fromJSON(json, simplifyVector = FALSE)$id)
  }
})

test_that("one changed decision is found, and where", {
  skip_without_python()
  changed <- transform(wide, yhat = replace(yhat, 1, 1 - yhat[1]))
  v <- fair_verify_report(written(".json"), changed)
  expect_false(v$ok)
  expect_named(v$differences, c("where", "written", "recomputed"))
  expect_true(any(grepl("selection rate", v$differences$where)))
  expect_output(print(v), "does not agree with the data")
})

test_that("a file is the data, with its hash", {
  skip_without_python()
  csv <- withr_tempfile(".csv")
  utils::write.csv(people, csv, row.names = FALSE)
  json <- withr_tempfile(".json")
  fair_report(fair_audit(people, decision = "yhat", groups = "sex"), to = json)
  v <- fair_verify_report(json, csv)
  # its numbers agree; which file they were of, the report does not say
  expect_identical(v$status, "partly verified", info = v$summary)
  expect_identical(nrow(v$differences), 0L)
  expect_match(v$data, "no hash of the data")
})

test_that("what is no report, no data, or lacks a column is refused", {
  skip_without_python()
  file <- written(".json")
  expect_error(fair_verify_report("no such report.json", people), "no file .no such report.json.")
  expect_error(fair_verify_report(c(file, file), people), "report is of class character and length 2")
  expect_error(fair_verify_report(file, 1:3), "data is of class integer and length 3")
  expect_error(fair_verify_report(file, people), "'old'.*which data does not have")
  other <- withr_tempfile(".json")
  fair_report(pca(people[c("age", "priors", "income")], k = 1), to = other)
  expect_error(fair_verify_report(other, people), "holds no audit")
})

test_that("a report of pay is computed again from the workers", {
  skip_without_python()
  staff <- data.frame(
    sex = factor(rep(c("women", "men"), 60)), grade = rep(c("a", "b", "b"), 40), hours = rep(c(80, 160), each = 60),
    pay = 2000 + 10 * seq_len(120) + rep(c(0, 300), 60), bonus = rep(c(0, 100, 150, 0, 50), 24), name = "x"
  )
  file <- withr_tempfile(".json")
  fair_report(
    fair_pay_transparency(staff, "pay", "sex", variable_pay = "bonus", category = "grade", hours = "hours"), to = file
  )
  expect_true(fair_verify_report(file, staff)$ok)
  staff$pay[1] <- 9000
  expect_identical(fair_verify_report(file, staff)$status, "disagreement")
  expect_error(fair_verify_report(file, staff[c("sex", "pay")]), "which data does not have")
})

test_that("a report of models is computed again from the people", {
  skip_without_python()
  people <- data.frame(
    sex = rep(c("f", "m"), 60), y = rep(c(0, 1, 1), 40), old = rep(c(0.2, 0.9, 0.6, 0.4), 30), new = rep(c(0.7, 0.8, 0.1), 40)
  )
  file <- withr_tempfile(".json")
  models <- c("old", "new")
  fair_report(fair_compare_models(people, models, "sex", outcome = "y", threshold = 0.5), to = file)
  expect_true(fair_verify_report(file, people)$ok)
  expect_error(fair_verify_report(file, people[c("sex", "y", "old")]), "new")
  changed <- transform(people, new = rev(new))
  expect_identical(fair_verify_report(file, changed)$status, "disagreement")
  fair_report(fair_compare_models(transform(people, old = old > 0.5, new = new > 0.5), models, "sex"), to = file)
  expect_true(fair_verify_report(file, transform(people, old = old > 0.5, new = new > 0.5))$ok)
})

test_that("a report of a gap that is watched is computed again from the people, not one that goes on from a state", {
  skip_without_python()
  people <- data.frame(month = rep(1:3, each = 80), sex = c("f", "m"), hired = c(0, 1, 1, 1), other = 1)
  file <- tempfile(fileext = ".json")
  fair_report(fair_monitor(people, "hired", "sex"), to = file)
  expect_true(fair_verify_report(file, people)$ok)
  expect_false(fair_verify_report(file, transform(people, hired = c(1, 1, 1, 0)))$ok)
  state <- tempfile(fileext = ".json")
  fair_monitor(people[people$month < 3, ], "hired", "sex", state = state)
  last <- people[people$month == 3, ]
  fair_report(fair_monitor(last, "hired", "sex", state = state), to = file)
  expect_error(fair_verify_report(file, last), "earlier periods are those of a state", class = "fairstats_input_error")
})
