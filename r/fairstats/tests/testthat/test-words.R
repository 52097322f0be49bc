# What page one compares, what its sentences call people, what stands beside the tables of a law: as Python has them.
python_audit <- function(...) {
  python <- reticulate::import("fairstats", convert = FALSE)
  python$audit(reticulate::r_to_py(people), decision = "yhat", groups = reticulate::r_to_py(list("group")), ...)
}
# R writes a minus as this session can
said_by <- function(audit) writable(reticulate::py_to_r(audit$finding()))
names_of_groups <- list(
  unit = "arrestees", favorable = "were released", unfavorable = "were held", attributes = c(group = "ethnic group"),
  groups = list(group = c(a = "Alpha", b = "Beta", c = "Gamma"))
)

test_that("headline names the two groups of the finding, with Python's numbers", {
  skip_without_python()
  a <- fair_audit(people, decision = "yhat", groups = "group", headline = list(group = c("b", "c")))
  theirs <- python_audit(headline = reticulate::r_to_py(list(group = list("b", "c"))))
  expect_identical(a$finding, said_by(theirs))
  expect_match(a$finding, "people with `group` b and those with c had ")
  row <- tidy(a, role = "all")
  row <- row[row$role == "headline" & row$metric == "selection rate" & row$contrast == "difference", ]
  rates <- tapply(people$yhat, people$group, mean)
  expect_equal(row$estimate[[1L]], rates[["b"]] - rates[["c"]])
  expect_identical(a$protocol$headline, list(group = c("b", "c")))
  again <- fair_audit(people, decision = "yhat", groups = "group", headline = a$protocol$headline)
  expect_equal(tidy(again), tidy(a))
})

test_that("labels of headline are R's: factors and logicals", {
  skip_without_python()
  old <- transform(people, old = age > 40, group = factor(group))
  compared <- function(...) fair_audit(old, decision = "yhat", ...)$protocol$headline
  expect_identical(compared(groups = "old", headline = list(old = c(TRUE, FALSE))), list(old = c("TRUE", "FALSE")))
  expect_identical(compared(groups = "group", headline = list(group = factor(c("a", "b")))), list(group = c("a", "b")))
})

test_that("what is no comparison of two groups is refused in R's labels", {
  skip_without_python()
  audited <- function(headline) fair_audit(people, decision = "yhat", groups = "group", headline = headline)
  expect_error(audited(c("b", "c")), 'headline = c\\("b", "c"\\) is no comparison; .*list\\(race = c\\("Black", "White"\\)\\)')
  expect_error(audited(c(groups = "b")), "is no comparison")
  expect_error(audited(list(group = c("a", "b", "c"))), "is no comparison")
  expect_error(audited(list(group = c("b", NA))), "is no comparison")
  expect_error(audited(list(group = c("b", "d"))), "names the group 'd'.*its groups are a, b, c")
  expect_error(audited(list(grop = c("b", "c"))), "did you mean 'group'")
})

test_that("labels are those of the sentences, as Python writes them", {
  skip_without_python()
  a <- fair_audit(people, decision = "yhat", groups = "group", favorable = 1, labels = names_of_groups)
  labels <- utils::modifyList(names_of_groups, list(attributes = list(group = "ethnic group"),
    groups = list(group = list(a = "Alpha", b = "Beta", c = "Gamma"))))
  expect_identical(a$finding, said_by(python_audit(favorable = 1, labels = reticulate::r_to_py(labels))))
  expect_match(a$finding, "compared with Alpha arrestees is shown to differ in how often they were released")
  expect_mapequal(a$protocol$labels, labels)
  again <- fair_audit(people, decision = "yhat", groups = "group", favorable = 1, labels = a$protocol$labels)
  expect_identical(again$finding, a$finding)
  expect_null(fair_audit(people, decision = "yhat", groups = "group")$protocol$labels)
})

test_that("labels that are none are refused", {
  skip_without_python()
  audited <- function(...) fair_audit(people, decision = "yhat", groups = "group", labels = c(...))
  expect_error(audited("arrestees"), 'labels = "arrestees" has an entry without a name.*list\\(unit = "arrestees"\\)')
  expect_error(audited(unt = "arrestees"), "did you mean 'unit'")
  expect_error(audited(favorable = "were released"), "'favorable' without 'unfavorable'")
  expect_error(audited(unit = 3), "it must be text")
})

test_that("what Local Law 144 has published beside its tables goes along, in the order of the law", {
  skip_without_python()
  a <- fair_audit(people, decision = "yhat", groups = "sex")
  tables <- fair_local_law_144(a, about = c(vendor = "Acme", tool = "Ranker <b>"))
  expect_identical(attr(tables, "about"), c(tool = "Ranker <b>", vendor = "Acme"))
  plain <- fair_local_law_144(a)
  expect_null(attr(plain, "about"))
  expect_equal(plain$sex, tables$sex)
  html <- withr_tempfile(".html")
  fair_report(a, to = html, preset = "ll144", ll144_notice = list(vendor = "Acme", tool = "Ranker <b>"))
  text <- paste(readLines(html, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  expect_match(text, "Ranker &lt;b&gt;", fixed = TRUE)
  expect_match(text, "Acme", fixed = TRUE)
})

test_that("what is published under no name of the law's is refused by the tables and by the report", {
  skip_without_python()
  a <- fair_audit(people, decision = "yhat", groups = "sex")
  file <- tempfile(fileext = ".html")
  reported <- function(x) fair_report(a, to = file, preset = "ll144", ll144_notice = x)
  for (described in list(function(x) fair_local_law_144(a, about = x), reported)) {
    expect_error(described(c(vendr = "Acme")), "did you mean 'vendor'")
    expect_error(described("Acme"), '(about|ll144_notice) = "Acme" has an entry without a name.*list\\(tool = "Ranker"\\)')
    expect_error(described(list(tool = 3)), "it must be text")
  }
  expect_error(fair_report(a, to = file, ll144_notice = c(tool = "Ranker")), "preset has 'generic'")
  expect_false(file.exists(file))
})

test_that("what may be given is said in R's words, and nothing is taken for NA", {
  skip_without_python()
  x <- people[c("age", "priors")]
  compared <- function(...) message_of(fair_compare(people, "y", "sex", names(x), k = 1, n_repeats = 1, ...))
  said <- c(
    compared(model = 3), compared(model = "nope"), compared(methods = "nope"),
    message_of(fair_tradeoff(x, people$sex, methods = 3)),
    message_of(fair_compare(people, "income", "sex", names(x), k = 1, n_repeats = 1))
  )
  expect_match(said[[1L]], "a function such as glm")
  expect_match(said[[4L]], "list of settings by that name")
  expect_no_match(said, "scikit|fairstats\\.|Python|pair", perl = TRUE)
  expect_match(message_of(fair_crossfit(og(x, people$sex, k = 1), x, people$sex, folds = "x")), "^folds is of class character")
  expect_match(message_of(og(x, people$sex, k = "a")), "^k = 'a' is not a whole number")
})

test_that("models are named by a list as by a vector", {
  skip_without_python()
  named <- c(old = "yhat", new = "y")
  expect_identical(tidy(fair_compare_models(people, as.list(named), "sex")), tidy(fair_compare_models(people, named, "sex")))
})
