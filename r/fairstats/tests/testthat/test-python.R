test_that("without the Python package the message says what to do", {
  script <- c(
    sprintf(".libPaths(%s)", deparse1(.libPaths())), "library(fairstats)",
    "cat(fairstats_available(), '')", "message(tryCatch(og(mtcars, mtcars$am), error = conditionMessage))"
  )
  file <- tempfile(fileext = ".R")
  writeLines(script, file)
  bare <- Sys.which("python3")
  skip_if(!nzchar(bare), "no other Python")
  env <- c(paste0("RETICULATE_PYTHON=", bare), "PYTHONPATH=", "R_TESTS=")
  out <- suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(file)),
    stdout = TRUE, stderr = TRUE, env = env
  ))
  skip_if(any(grepl("^TRUE", out)), "the system's own Python has fairstats")
  expect_match(paste(out, collapse = " "), "FALSE.*install_fairstats\\(\\)")
})

test_that("inside a Python that embeds R, a second Python is refused", {
  kept <- state$remote
  old <- Sys.getenv("R_SESSION_INITIALIZED", NA)
  state$remote <- NULL
  on.exit({
    state$remote <- kept
    if (is.na(old)) Sys.unsetenv("R_SESSION_INITIALIZED") else Sys.setenv(R_SESSION_INITIALIZED = old)
  })
  Sys.setenv(R_SESSION_INITIALIZED = paste0("PID=", Sys.getpid(), ":NAME=\"rpy2\""))
  expect_error(remote(), "R runs inside Python")
  expect_false(fairstats_available())
})

test_that("an interrupted call leaves R and Python usable", {
  skip_without_python()
  skip_on_os("windows")
  x <- people[c("age", "priors", "income")]
  held <- crossfit(og(x, people$sex, k = 2), x, people$sex)
  system(sprintf("(sleep 1; kill -INT %d) &", Sys.getpid()))
  ended <- tryCatch(leakage(held, permutations = 2e5), interrupt = function(i) "interrupted")
  expect_identical(ended, "interrupted")
  expect_s3_class(og(x, people$sex, k = 2), "fairstats_fit")
})
