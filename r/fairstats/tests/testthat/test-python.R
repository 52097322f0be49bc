test_that("a Python without the package is told from one that has it, and the message says what to do", {
  # R's own search path may begin with an environment that has the package; this is the system's own Python.
  bare <- Filter(file.exists, c("/usr/bin/python3", "/usr/local/bin/python3", "C:/Windows/py.exe"))
  skip_if(!length(bare), "no Python but this one")
  out <- in_session(c("cat(fairstats_available(), '')", "message(tryCatch(og(mtcars, mtcars$am), error = conditionMessage))"),
    c(paste0("RETICULATE_PYTHON=", bare[[1L]]), "PYTHONPATH="))
  expect_match(paste(out, collapse = " "), "FALSE.*install_fairstats\\(\\)")
})

test_that("without any Python the message says what to do", {
  out <- in_session(c("cat(fairstats_available(), '')", "message(tryCatch(og(mtcars, mtcars$am), error = conditionMessage))"),
    "RETICULATE_PYTHON=/there/is/no/python")
  expect_match(paste(out, collapse = " "), "FALSE.*install_fairstats\\(\\)")
})

test_that("what was saved prints, tidies, positive_prediction and draws in a session without Python", {
  skip_without_python()
  skip_in_another_session()
  x <- people[c("age", "priors", "income")]
  saved <- list(
    og = og(~ age * sex, groups = "group", k = 2, data = people), minimax = minimax_pca(x, "sex", k = 1, data = people),
    eraser = leace(x, people$sex), audit = fair_audit(people, decision = "yhat", groups = "sex")
  )
  wanted <- list(
    scores = predict(saved$og, people[1:9, ]), data = fair_reconstruct(saved$minimax, people[1:9, ]),
    erased = predict(saved$eraser, x[1:9, ]), tidy = tidy(saved$audit), people = people[1:9, ]
  )
  file <- withr_tempfile(".rds")
  saveRDS(list(saved = saved, wanted = wanted), file)
  out <- in_session(c(
    sprintf("both <- readRDS(%s); saved <- both$saved; wanted <- both$wanted", deparse1(file)),
    "stopifnot(!fairstats_available())",
    "for (one in saved) { print(one); print(summary(one)); glance(one) }",
    "stopifnot(all.equal(predict(saved$og, wanted$people), wanted$scores, tolerance = 1e-14))",
    "stopifnot(all.equal(fair_reconstruct(saved$minimax, wanted$people), wanted$data, tolerance = 1e-14))",
    "stopifnot(all.equal(predict(saved$eraser, wanted$people), wanted$erased, tolerance = 1e-14))",
    "stopifnot(identical(tidy(saved$audit), wanted$tidy))",
    "grDevices::pdf(NULL); invisible(plot(saved$og)); invisible(plot(saved$audit))",
    "message(tryCatch(fair_report(saved$audit, to = 'a.html'), error = conditionMessage))", "cat('all well\n')"
  ), "RETICULATE_PYTHON=/there/is/no/python")
  expect_match(paste(out, collapse = " "), "Orthogonal to groups.*install_fairstats.*all well")
})

test_that("text and labels are whole in a session whose encoding is not UTF-8", {
  skip_without_python()
  skip_in_another_session()
  skip_on_os("windows")
  expect_passes("wire|labels|protocol|methods", "LC_ALL=C")
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
  crossfitted <- fair_crossfit(og(x, people$sex, k = 2), x, people$sex)
  system(sprintf("(sleep 1; kill -INT %d) &", Sys.getpid()))
  ended <- tryCatch(fair_leakage(crossfitted, permutations = 2e5), interrupt = function(i) "interrupted")
  expect_identical(ended, "interrupted")
  expect_s3_class(og(x, people$sex, k = 2), "fairstats_fit")
})
