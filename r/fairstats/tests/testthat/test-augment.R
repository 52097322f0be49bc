# augment(): rows in, the same rows with columns of the fit out, as broom's.
features <- c("age", "priors", "income")

test_that("fits that change data add the adjusted features beside the rows", {
  skip_without_python()
  for (fit in list(leace(people[features], people["group"]), residualize(people[features], people["group"]),
    location_scale(people[features], people["group"]))) {
    out <- augment(fit, people)
    expect_s3_class(out, "tbl_df")
    expect_named(out, c(names(people), paste0(".adjusted_", features)))
    expect_identical(as.data.frame(out[names(people)]), people)
    expect_equal(unname(as.matrix(out[paste0(".adjusted_", features)])), unname(predict(fit, people)))
    # the condition: equal means in all groups
    means <- aggregate(out[paste0(".adjusted_", features)], out["group"], mean)[-1]
    expect_lt(max(vapply(means, function(m) diff(range(m)), 0)), 1e-8)
    expect_error(augment(fit), "data is missing", class = "fairstats_input_error")
  }
})

test_that("fits of components add scores, and the data without the groups where asked", {
  skip_without_python()
  fit <- og(people[features], people["group"], k = 2)
  out <- augment(fit, people, adjusted = TRUE)
  expect_named(out, c(names(people), ".score_1", ".score_2", paste0(".adjusted_", features)))
  expect_equal(unname(as.matrix(out[c(".score_1", ".score_2")])), unname(fit$x))
  expect_equal(unname(as.matrix(out[paste0(".adjusted_", features)])), unname(fair_reconstruct(fit)))
  expect_named(augment(fit, people), c(names(people), ".score_1", ".score_2"))
})

test_that("names of rows become a column, groups may come apart, and a second call replaces the first", {
  skip_without_python()
  fit <- residualize(~ hp + wt, "am", data = mtcars)
  out <- augment(fit, mtcars)
  expect_identical(out$.rownames, rownames(mtcars))
  expect_identical(augment(fit, out), out)
  expect_identical(rownames(predict(fit, mtcars[1:2, ])), rownames(mtcars)[1:2])
  apart <- augment(residualize(as.matrix(mtcars[c("hp", "wt")]), mtcars$am), as.matrix(mtcars[c("hp", "wt")]), groups = mtcars$am)
  expect_equal(apart$.adjusted_hp, unname(residuals(lm(hp ~ am, mtcars))) + mean(mtcars$hp))
  expect_identical(apart$.rownames, rownames(mtcars))
})

test_that("new rows go by the name that broom has for them", {
  skip_without_python()
  fit <- og(~ hp + wt + qsec, "am", k = 2, data = mtcars)
  new <- transform(mtcars[3:5, ], hp = hp + 10)
  out <- augment(fit, newdata = new)
  expect_identical(out, augment(fit, new))
  expect_identical(augment(fit, mtcars, newdata = new), out)
  usual <- stats::prcomp(~ hp + wt + qsec, mtcars)
  if (requireNamespace("broom", quietly = TRUE)) {
    expect_identical(nrow(out), nrow(broom::augment(usual, newdata = new)))
  }
  expect_identical(augment(leace(~ hp + wt, "am", data = mtcars), newdata = new)$.rownames, rownames(new))
  expect_error(augment(fit, newdata = new["hp"]), "lacks the columns wt, qsec", class = "fairstats_input_error")
})

test_that("adjusted features have the names of the data, with blanks but without backticks", {
  skip_without_python()
  spaced <- stats::setNames(people, replace(names(people), 3L, "test score %"))
  fit <- og(~ `test score %` + priors, "sex", data = spaced, k = 1)
  wanted <- c(".adjusted_test score %", ".adjusted_priors")
  expect_identical(grep("^\\.adjusted", names(augment(fit, spaced, adjusted = TRUE)), value = TRUE), wanted)
  expect_identical(grep("^\\.adjusted", names(augment(leace(~ `test score %` + priors, "sex", data = spaced), spaced)),
    value = TRUE), wanted)
})

test_that("held-out scores are added to the rows that they are of", {
  skip_without_python()
  x <- people[c("age", "priors", "income")]
  held <- fair_crossfit(og(x, people$sex, k = 2), x, people$sex)
  rows <- augment(held, people)
  expect_equal(unname(as.matrix(rows[c(".score_1", ".score_2")])), unname(held$scores))
  expect_identical(rows$age, people$age)
  adjusted <- augment(fair_crossfit(leace(x, people$sex), x, people$sex), people)
  expect_true(all(c(".adjusted_age", ".adjusted_priors") %in% names(adjusted)))
  expect_error(augment(held, people[1:9, ]), "data has 9 rows and x the held-out scores of 300", class = "fairstats_input_error")
})

test_that("tests of components print their p-values", {
  skip_without_python()
  x <- people[c("age", "priors", "income")]
  tests <- fair_component_tests(fair_crossfit(og(x, people$sex, k = 2), x, people$sex))
  p <- tidy(tests)$adj.p.value
  printed <- utils::capture.output(print(tests))
  expect_identical(sum(grepl("adj. p [=<] [0-9.]+$", printed)), sum(!is.na(tests$tidy$adj.p.value)))
  expect_true(any(grepl(sprintf("adj. p = %.3f", p[[1L]]), printed, fixed = TRUE)))
})
