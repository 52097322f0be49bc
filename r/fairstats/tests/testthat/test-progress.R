# A bar of cli in an interactive session; cli's own handler "logger" writes what a bar is told.
fit_and_rows <- function() list(fit = og(people[c("age", "priors")], people["group"], k = 1), x = people[c("age", "priors")])
told_of <- function(code, interactive = TRUE, knitting = NULL) {
  old <- options(rlang_interactive = interactive, knitr.in.progress = knitting, cli.progress_handlers_force = "logger",
    cli.progress_show_after = 0)
  on.exit(options(old))
  drawn <- utils::capture.output(said <- utils::capture.output(code, type = "message"))
  list(steps = regmatches(drawn, regexpr("[0-9]+/[0-9]+ [a-z]+( \\(done\\))?", drawn)), all = c(drawn, said))
}

test_that("long calls say how far they are, and take the bar away", {
  skip_without_python()
  skip_on_os("windows")
  one <- fit_and_rows()
  seen <- told_of(fair_bootstrap_loadings(one$fit, one$x, people["group"], replicates = 25))$steps
  expect_identical(seen[[1L]], "0/25 created")
  expect_match(utils::tail(seen, 1L), "/25 terminated (done)", fixed = TRUE)
  seen <- told_of(fair_leakage(one$fit, one$x, people["group"], permutations = 19))$steps
  expect_identical(seen[[1L]], "0/19 created")
  seen <- told_of(fair_compare(people, outcome = "y", groups = "group", features = c("age", "priors"), k = 1,
    n_repeats = 3))$steps
  expect_identical(seen[[1L]], "0/3 created")
  expect_match(utils::tail(seen, 1L), "terminated (done)", fixed = TRUE)
})

test_that("scripts and documents are silent", {
  skip_without_python()
  one <- fit_and_rows()
  run <- function() invisible(fair_bootstrap_loadings(one$fit, one$x, people["group"], replicates = 20))
  expect_identical(told_of(run(), interactive = FALSE)$all, character())
  expect_identical(told_of(run(), knitting = TRUE)$all, character())
})

test_that("an interrupt while the bar is drawn ends the call, and takes the bar away", {
  skip_without_python()
  skip_on_os("windows")
  one <- fit_and_rows()
  old <- options(rlang_interactive = TRUE, cli.progress_handlers_force = "logger", cli.progress_show_after = 0)
  on.exit(options(old))
  drawn <- utils::capture.output(invisible(utils::capture.output(type = "message", {
    system(sprintf("(sleep 1; kill -INT %d) &", Sys.getpid()))
    ended <- tryCatch(fair_bootstrap_loadings(one$fit, one$x, people["group"], replicates = 1e5),
      interrupt = function(i) "interrupted")
  })))
  expect_identical(ended, "interrupted")
  expect_match(utils::tail(drawn, 1L), "terminated (done)", fixed = TRUE)
  expect_identical(nobs(one$fit), 300L)
})
