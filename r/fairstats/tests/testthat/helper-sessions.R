# A fresh R session with this package: what it prints, messages and errors included. `env` is "NAME=value", "" unsets.
in_session <- function(code, env = character()) {
  file <- tempfile(fileext = ".R")
  on.exit(unlink(file))
  writeLines(c(sprintf(".libPaths(%s)", deparse1(.libPaths())), "library(fairstats)", code), file, useBytes = TRUE)
  suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(file)),
    stdout = TRUE, stderr = TRUE, env = c("R_TESTS=", env)
  ))
}

# Files of these tests once more in a session of another kind; failures there are failures here.
expect_passes <- function(filter, env) {
  code <- sprintf("testthat::test_dir(%s, filter = %s, package = 'fairstats', load_package = 'installed',
    reporter = 'check', stop_on_failure = TRUE)", deparse1(normalizePath(".")), deparse1(filter))
  out <- in_session(c("library(testthat)", code, "cat('all passed\\n')"), c("FAIRSTATS_ANOTHER_SESSION=true", env))
  expect(identical(utils::tail(out, 1L), "all passed"), paste(out, collapse = "\n"))
  expect(!any(grepl("PASS 0", out, fixed = TRUE)), paste(c("no test ran:", out), collapse = "\n"))
}

# Sessions started by these tests start no further ones.
skip_in_another_session <- function() skip_if(nzchar(Sys.getenv("FAIRSTATS_ANOTHER_SESSION")), "another session already")
