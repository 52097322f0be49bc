file <- tempfile(fileext = ".csv")
utils::write.csv(people, file, row.names = FALSE)
x <- people[c("age", "priors", "income")]

skip_without_pyarrow <- function() {
  skip_without_python()
  if (reticulate::py_module_available("pyarrow")) return(invisible())
  if (identical(Sys.getenv("FAIRSTATS_NEEDS_PYTHON"), "true")) fail("pyarrow must be there (FAIRSTATS_NEEDS_PYTHON)")
  skip("pyarrow is not installed")
}

test_that("moments of a file fit as its rows do", {
  skip_without_pyarrow()
  m <- fair_moments(file, groups = "sex", features = names(x))
  expect_s3_class(m, "fairstats_moments")
  fit <- og(m, k = 2)
  rows <- og(x, people["sex"], k = 2)
  expect_equal(abs(fit$rotation), abs(rows$rotation), tolerance = 1e-8)
  expect_equal(fit$sdev, rows$sdev, tolerance = 1e-10)
  expect_equal(abs(predict(fit, people)), abs(rows$x), tolerance = 1e-8)
  expect_error(predict(fit), "fitted to moments")
  expect_error(fair_reconstruct(fit), "fitted to moments")
  expect_error(og(m, "sex", k = 2), "leave groups out")
})

test_that("moments print and tidy as R computes them", {
  skip_without_pyarrow()
  m <- fair_moments(file, groups = ~sex, features = ~ age + priors)
  expect_output(print(m), "Moments of 300 rows, 2 features, by sex")
  rows <- tidy(m)
  expect_equal(rows$estimate[rows$term == "age" & rows$group == "male"], mean(people$age[people$sex == "male"]))
  expect_equal(unique(rows$n[rows$group == "male"]), sum(people$sex == "male"))
  expect_identical(glance(m)$nobs, 300L)
})

test_that("weights, numeric groups and missing groups of files", {
  skip_without_pyarrow()
  w <- transform(people, w = rep(1:3, 100), sex = replace(sex, 1:7, NA))
  other <- withr_tempfile(".csv")
  utils::write.csv(w, other, row.names = FALSE, na = "")
  expect_error(fair_moments(other, groups = "sex", features = names(x)), "missing")
  fit <- og(fair_moments(other, groups = "sex", features = names(x), weights = "w", missing = "level"), k = 1)
  rows <- og(x, w["sex"], k = 1, weights = w$w, missing = "level")
  expect_equal(abs(fit$rotation), abs(rows$rotation), tolerance = 1e-8)
  numbers <- og(fair_moments(file, groups = "score", continuous = "score", features = names(x)), k = 2)
  expect_lt(max(abs(cor(predict(numbers, people), people$score))), 1e-8)
  expect_error(fair_moments("no such file.csv"), "no such file")
  for (source in list(people, 1, NULL, NA_character_)) {
    expect_error(fair_moments(source, groups = "sex"), "source is of class .*names of files", class = "fairstats_input_error")
  }
})

test_that("fair PCA of a file read in passes is that of its rows", {
  skip_without_pyarrow()
  fit <- fair_pca_stream(file, groups = "sex", k = 1, features = names(x))
  rows <- fair_pca(x, people["sex"], k = 1)
  expect_s3_class(fit, "fairstats_fit")
  expect_equal(abs(fit$rotation), abs(rows$rotation), tolerance = 1e-8)
  expect_equal(abs(predict(fit, people)), abs(rows$x), tolerance = 1e-8)
  expect_output(print(summary(fit)), "close to the best")
  expect_error(fair_pca_stream(people, groups = "sex"), "names of files; fair_pca", class = "fairstats_input_error")
  expect_error(fair_pca_stream(file, groups = "sex", k = 9, features = names(x)), "k has 9; it can be 1 to 2 here")
})

test_that("moments that were kept serve another session, by either file", {
  skip_without_pyarrow()
  skip_in_another_session()
  source <- withr_tempfile(".csv")
  utils::write.csv(people, source, row.names = FALSE)
  m <- fair_moments(source, groups = "sex", features = c("age", "priors", "income"))
  rds <- withr_tempfile(".rds")
  npz <- withr_tempfile(".npz")
  saveRDS(list(m, tidy(og(m, k = 2))), rds)
  fair_save(m, npz)
  out <- in_session(c(
    sprintf("options(cli.unicode = %s)", deparse1(getOption("cli.unicode"))), # terms are written as a session can show them
    sprintf("kept <- readRDS(%s); again <- fair_load(%s)", deparse1(rds), deparse1(npz)),
    "stopifnot(identical(tidy(again), tidy(kept[[1]])), identical(class(again), class(kept[[1]])))",
    "stopifnot(identical(tidy(og(kept[[1]], k = 2)), kept[[2]]), identical(tidy(og(again, k = 2)), kept[[2]]))",
    "cat('all well\n')"
  ))
  expect_identical(utils::tail(out, 1L), "all well", label = paste(out, collapse = "\n"))
})
