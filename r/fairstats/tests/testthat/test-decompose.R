test_that("the parts of a gap are those of lm", {
  skip_without_python()
  found <- fair_decompose(mtcars, "mpg", "am", explained_by = ~ wt + hp, reference = 0, coefficients = "reference")
  fits <- lapply(split(mtcars, mtcars$am), function(d) lm(mpg ~ wt + hp, d))
  explained <- mean(predict(fits[["0"]], mtcars[mtcars$am == 1, ])) - mean(mtcars$mpg[mtcars$am == 0])
  rows <- subset(tidy(found), metric == "explained" & role == "main")
  expect_equal(rows$estimate[[1L]], explained)
  expect_match(paste(capture.output(print(found)), collapse = " "), "accounted for by wt and hp")
  by_name <- fair_decompose(mtcars, "mpg", "am", explained_by = c("wt", "hp"), reference = 0, coefficients = "reference")
  expect_equal(tidy(by_name), tidy(found))
  expect_error(fair_decompose(mtcars, "mpg", "am", explained_by = ~ weight), "weight")
})

test_that("the adjusted gap beside the coefficient of lm", {
  skip_without_python()
  rows <- fair_adjusted_gap(mtcars, "mpg", "am", adjust_for = ~ wt, reference = 0)
  expect_equal(subset(tidy(rows, role = "all"), metric == "group coefficient")$estimate, coef(lm(mpg ~ am + wt, mtcars))[["am"]])
})

test_that("an audit of amounts adjusts for covariates as a regression in R does", {
  skip_without_python()
  cars <- transform(mtcars, gears = factor(gear))
  found <- fair_audit(cars, amount = "mpg", groups = "am", reference = 0, adjust_for = ~ wt + gears)
  rows <- tidy(found, role = "all")
  plain <- rows[rows$metric == "group coefficient", ]
  expect_equal(plain$estimate, unname(coef(lm(mpg ~ am + wt + gears, cars))["am"]))
  adjusted <- rows[rows$metric == "adjusted gap of means", ]
  expect_equal(adjusted$given, "wt + gears")
  expect_error(fair_audit(cars, amount = "mpg", groups = "am", adjust_for = c("wt", "weight")), "weight")
})

test_that("a formula says amount or decision, groups and covariates, before the data or after them", {
  skip_without_python()
  by_name <- fair_decompose(mtcars, "mpg", "am", explained_by = ~ wt + hp, reference = 0)
  expect_identical(tidy(fair_decompose(mpg ~ am | wt + hp, mtcars, reference = 0)), tidy(by_name))
  expect_identical(tidy(fair_decompose(mtcars, mpg ~ am | wt + hp, reference = 0)), tidy(by_name))
  gap <- fair_adjusted_gap(vs ~ am | wt, mtcars)
  expect_identical(tidy(gap), tidy(fair_adjusted_gap(mtcars, decision = "vs", groups = "am", adjust_for = "~ wt")))
  expect_error(fair_decompose(mpg ~ wt + hp | am, mtcars), "groups, which are one column; write, say, mpg ~ am | wt + hp.",
    fixed = TRUE)
  for (gap in list(fair_decompose, fair_adjusted_gap)) { # numbers for the groups, as the package oaxaca has its formula
    expect_error(gap(mpg ~ wt | am, mtcars), "write mpg ~ am | wt to compare the groups of am, or, where", fixed = TRUE)
  }
  labels <- transform(mtcars, vs = as.character(vs), am = as.character(am))
  expect_error(fair_decompose(mpg ~ wt | am + vs, labels), "covariates; write mpg ~ am | wt + vs to compare", fixed = TRUE)
  expect_error(fair_adjusted_gap(mpg ~ gear | am, mtcars), "groups = \"gear\", adjust_for = ~ am.", fixed = TRUE)
  by_name <- fair_adjusted_gap(mtcars, "mpg", "gear", adjust_for = ~ am)
  numbers <- transform(mtcars, gear = factor(gear))
  expect_equal(tidy(fair_adjusted_gap(mpg ~ gear | am, numbers)), tidy(by_name))
  expect_error(fair_decompose(mpg ~ am | wt, mtcars, explained_by = "hp"), "explained_by is given, and mpg ~ am | wt says it")
  expect_error(fair_decompose(log(mpg) ~ am | wt, mtcars), "no name of an amount or a decision on its left-hand side")
  expect_error(fair_decompose(mpg ~ am | wt), "data is missing")
  expect_error(fair_adjusted_gap("mpg ~ am | wt", mtcars), "write the formula without quotes: mpg ~ am \\| wt")
})

test_that("labels name groups and columns in the print of a decomposition and in its report", {
  skip_without_python()
  named <- list(groups = list(am = list("0" = "automatic cars", "1" = "manual cars")), attributes = list(wt = "weight in tons"))
  found <- fair_decompose(mpg ~ am | wt, mtcars, reference = 0, labels = named)
  bare <- fair_decompose(mpg ~ am | wt, mtcars, reference = 0)
  expect_identical(tidy(found)$estimate, tidy(bare)$estimate)
  text <- function(x) gsub("\\s+", " ", paste(capture.output(print(x)), collapse = " "))
  page <- function(x) {
    path <- withr_tempfile(".md")
    fair_report(x, to = path)
    gsub("\\s+", " ", paste(readLines(path, encoding = "UTF-8"), collapse = " "))
  }
  for (name in c("automatic cars", "manual cars", "weight in tons")) {
    expect_match(text(found), name, fixed = TRUE)
    expect_match(page(found), name, fixed = TRUE)
    expect_no_match(paste(text(bare), page(bare)), name, fixed = TRUE)
  }
  expect_error(fair_decompose(mpg ~ am | wt, mtcars, labels = list("automatic cars")), "entry without a name")
})

test_that("an amount of two values is asked about as a decision", {
  skip_without_python()
  cars <- transform(mtcars, straight = ifelse(vs == 1, "yes", "no"))
  decomposed <- function(...) fair_decompose(..., explained_by = ~wt)
  for (call in list(decomposed, function(...) fair_adjusted_gap(..., adjust_for = ~wt))) {
    expect_error(call(cars, "straight", "am"), "for a decision pass decision = 'straight' in its place")
    expect_warning(call(cars, "vs", "am"), "0 and 1 alone; for a decision pass decision = 'vs' in its place")
  }
})
