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
  said <- fair_audit(df, decision = "hired", groups = "sex", favorable = FALSE, strata = "area", conf_level = 0.9)
  expect_equal(tidy(a), tidy(said))
  expect_true(a$protocol$declared)
  expect_identical(a$protocol$source, basename(file))
  expect_identical(nchar(a$protocol$sha256), 64L)
  expect_false(said$protocol$declared)
})

test_that("what the file says may be said again, and not otherwise", {
  skip_without_python()
  file <- declaring('groups = "sex"', 'decision = "hired"', "favorable = true", 'strata = ["area"]')
  again <- fair_audit(df, decision = "hired", groups = "sex", favorable = TRUE, strata = "area", protocol = file)
  expect_equal(tidy(again), tidy(fair_audit(df, protocol = file)))
  expect_error(fair_audit(df, groups = "area", protocol = file), "has 'sex'")
  expect_error(fair_audit(df, favorable = FALSE, protocol = file), "has TRUE")
  expect_error(fair_audit(df, margin = 0.1, protocol = file), "margin has 0.1; it is not in the protocol")
})

test_that("columns of the file that data do not have, files that are none, and lists without groups are refused", {
  skip_without_python()
  expect_error(fair_audit(df, protocol = declaring('groups = "nope"', 'decision = "hired"')), "'nope'.*columns are")
  expect_error(fair_audit(df, protocol = declaring('group = "sex"')), "'group'.*did you mean 'groups'")
  expect_error(fair_audit(df, protocol = "no such file.toml"), "no file .no such file.toml.")
  expect_error(fair_audit(df, decision = "hired", protocol = list(conf_level = 0.9)), "groups is missing")
  expect_error(fair_audit(df, decision = "hired", protocol = declaring("conf_level = 0.9")), "groups is missing")
})

test_that("labels beyond ASCII are declared in UTF-8", {
  skip_without_python()
  marked <- transform(df, sex = ifelse(sex == "male", "m\u00e9n", "f"))
  a <- fair_audit(marked, protocol = declaring('groups = "sex"', 'decision = "hired"', 'reference = "m\u00e9n"'))
  expect_identical(a$references$sex, "m\u00e9n")
})

plan <- list(groups = ~ sex + area, decision = "hired", favorable = TRUE, conf_level = 0.9, strata = c("group"),
  reference = c(sex = "male", area = "north"), margin = 0.05, headline = list(sex = c("male", "female")),
  labels = list(unit = "applicants \"A\"", groups = list(sex = c(male = "men"))))

test_that("what describes an audit reaches its report, and a wrong entry is refused", {
  skip_without_python()
  about <- list(system = "Screener", next_review = as.Date("2027-01-31"))
  a <- fair_audit(df, decision = "hired", groups = "sex", law = "credit", about = about, action_plan = TRUE)
  expect_identical(a$protocol$about, list(system = "Screener", next_review = "2027-01-31"))
  expect_identical(a$protocol$law, "credit")
  expect_true(a$protocol$action_plan)
  expect_error(fair_audit(df, decision = "hired", groups = "sex", about = list(sytem = "x")), "did you mean 'system'")
  expect_error(fair_audit(df, decision = "hired", groups = "sex", about = "x"), "has an entry without a name")
  file <- withr_tempfile(".toml")
  fair_write_protocol(list(groups = "sex", decision = "hired", about = about, action_plan = TRUE), file)
  expect_identical(fair_audit(df, protocol = file)$protocol$about, a$protocol$about)
})

test_that("a list declares what a file of it does, and says that it is none", {
  skip_without_python()
  listed <- fair_audit(df, protocol = plan)
  said <- do.call(fair_audit, c(list(df), plan))
  expect_equal(tidy(listed), tidy(said))
  expect_false(listed$protocol$declared)
  file <- withr_tempfile(".toml")
  expect_identical(fair_write_protocol(plan, file), file)
  declared <- fair_audit(df, protocol = file)
  expect_equal(tidy(declared), tidy(said))
  expect_true(declared$protocol$declared)
  expect_identical(declared$finding, said$finding)
  expect_error(fair_audit(df, conf_level = 0.95, protocol = plan), "conf_level is given and protocol declares it, too",
    class = "fairstats_input_error")
})

test_that("a list that is no protocol is not written, and a protocol that is there stays", {
  wrong <- function(code, text) expect_error(code, text, class = "fairstats_input_error")
  file <- withr_tempfile(".toml")
  wrong(fair_write_protocol(list(grup = "sex"), file), "'grup'; an audit has no such argument. Did you mean 'groups'")
  wrong(fair_write_protocol(list("sex"), file), "without a name")
  wrong(fair_write_protocol(list(groups = "sex", groups = "sex"), file), "'groups' twice")
  wrong(fair_write_protocol("sex", file), "without a name")
  wrong(fair_write_protocol(plan, withr_tempfile(".txt")), "does not end in .toml")
  expect_false(file.exists(file))
  fair_write_protocol(list(groups = "sex", decision = "h\u00eft", seed = 3, threshold = 0.1, min_n = 1 / 3, favorable = FALSE,
    reference = c(sex = "m", "a b" = "x")), file)
  expect_identical(readLines(file, encoding = "UTF-8"), c('groups = ["sex"]', 'decision = "h\u00eft"', "seed = 3",
    "threshold = 0.1", "min_n = 0.3333333333333333", "favorable = false", 'reference = { sex = "m", "a b" = "x" }'))
  wrong(fair_write_protocol(plan, file), "exists; a protocol that was declared stays")
})
