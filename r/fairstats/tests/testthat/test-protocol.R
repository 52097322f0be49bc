# Protocol files: what is declared in them need not be said again, and R's own defaults do not contradict them.
declaring <- function(..., frame = parent.frame()) {
  file <- withr_tempfile(".toml", frame = frame)
  writeLines(enc2utf8(c(...)), file, useBytes = TRUE)
  file
}
df <- transform(people, hired = yhat == 1, area = ifelse(age > 40, "north", "south"))

test_that("a file says everything: groups, strata, a logical decision", {
  skip_without_python()
  file <- declaring('groups = ["sex"]', 'decision = "hired"', "favorable = false", 'strata = ["area"]', "conf_level = 0.9")
  a <- fair_audit(df, protocol = file)
  said <- fair_audit(df, decision = "hired", group = "sex", favorable = FALSE, strata = "area", conf_level = 0.9)
  expect_equal(tidy(a), tidy(said))
  expect_true(a$protocol$declared)
  expect_identical(a$protocol$source, basename(file))
  expect_identical(nchar(a$protocol$sha256), 64L)
  expect_false(said$protocol$declared)
})

test_that("what the file says may be said again, and not otherwise", {
  skip_without_python()
  file <- declaring('groups = "sex"', 'decision = "hired"', "favorable = true", 'strata = ["area"]')
  again <- fair_audit(df, decision = "hired", group = "sex", favorable = TRUE, strata = "area", protocol = file)
  expect_equal(tidy(again), tidy(fair_audit(df, protocol = file)))
  expect_error(fair_audit(df, group = "area", protocol = file), "declares 'sex'")
  expect_error(fair_audit(df, favorable = FALSE, protocol = file), "declares True")
  more <- fair_audit(df, equivalence = 0.1, protocol = file)
  expect_identical(more$protocol$equivalence[["difference"]], 0.1)
})

test_that("columns of the file that data do not have, files that are none, and lists are refused", {
  skip_without_python()
  expect_error(fair_audit(df, protocol = declaring('groups = "nope"', 'decision = "hired"')), "'nope'.*columns are")
  expect_error(fair_audit(df, protocol = declaring('group = "sex"')), "'group'.*did you mean 'groups'")
  expect_error(fair_audit(df, protocol = "no such file.toml"), "no file .no such file.toml.")
  expect_error(fair_audit(df, protocol = list(conf_level = 0.9)), "protocol is a list.*writeLines")
  expect_error(fair_audit(df, decision = "hired", protocol = declaring("conf_level = 0.9")), "group is missing")
})

test_that("labels beyond ASCII are declared in UTF-8", {
  skip_without_python()
  marked <- transform(df, sex = ifelse(sex == "male", "m\u00e9n", "f"))
  a <- fair_audit(marked, protocol = declaring('groups = "sex"', 'decision = "hired"', 'reference = "m\u00e9n"'))
  expect_identical(a$references$sex, "m\u00e9n")
})
