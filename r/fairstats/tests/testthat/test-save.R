x <- people[c("age", "priors", "income")]

test_that("every result is saved and loaded, with its class and all that it says", {
  skip_without_python()
  held <- fair_crossfit(og(x, people$group, k = 2), x, people$group)
  results <- list(
    pca = pca(x, k = 2), og = og(x, people$group, k = 2),
    kernel = fair_kernel_pca(x, people$group, k = 2, n_landmarks = 20, gamma = 0.01),
    eraser = leace(x, people$group), map = residualize(x, people$group), held = held,
    audit = fair_audit(people, outcome = "y", decision = "yhat", groups = "sex"),
    losses = fair_reconstruction_error_by_group(og(x, people$sex, k = 1), x, people$sex), leakage = fair_leakage(held,
      permutations = 19),
    extra = fair_extra_error(og(x, people$sex, k = 1), permutations = 0),
    compared = fair_compare(people, outcome = "y", features = names(x), groups = "sex", methods = c("none", "og"), k = 1,
      n_repeats = 2
    ),
    partition = fair_spectral_clustering(exp(-as.matrix(dist(scale(x[1:40, ])))), people$sex[1:40], k = 2)
  )
  for (name in names(results)) {
    path <- withr_tempfile(".npz")
    expect_identical(fair_save(results[[name]], path), path, label = name)
    again <- fair_load(path)
    expect_s3_class(again, class(results[[name]]), exact = TRUE)
    expect_identical(tidy(again), tidy(results[[name]]), label = name)
    expect_identical(glance(again), glance(results[[name]]), label = name)
    expect_identical(again$summary, results[[name]]$summary, label = name)
  }
})

test_that("a fit that was loaded scores new rows, and goes on", {
  skip_without_python()
  fit <- og(x, people$group, k = 2)
  path <- withr_tempfile(".npz")
  fair_save(fit, path)
  again <- fair_load(path)
  expect_equal(predict(again, x, groups = people$group), fit$x, tolerance = 1e-12, ignore_attr = TRUE)
  expect_error(predict(again), "comes from a file")
  expect_identical(fair_crossfit(again, x, people$group)$scores, fair_crossfit(fit, x, people$group)$scores)
})

test_that("what cannot be saved or read is one error that says why", {
  skip_without_python()
  audit <- fair_audit(people, decision = "yhat", groups = "sex")
  expect_error(fair_save(1, tempfile(fileext = ".npz")), "x is of class numeric")
  expect_error(fair_save(audit, c("a.npz", "b.npz")), "one file")
  expect_error(fair_save(audit, tempfile(fileext = ".rds")), "end in .npz", class = "fairstats_error")
  expect_error(fair_load(tempfile(fileext = ".npz")), "there is no file", class = "fairstats_error")
  path <- withr_tempfile(".npz")
  writeLines("no such thing", path)
  expect_error(fair_load(path), "package saved; fair_load() reads what fair_save() writes, .npz files", fixed = TRUE,
    class = "fairstats_error")
  path <- withr_tempfile(".rds")
  saveRDS(1, path)
  expect_error(fair_load(path), "read by readRDS() in R; fair_load() reads what fair_save()", fixed = TRUE)
})

test_that("results of another session serve all that comes after", {
  skip_without_python()
  skip_in_another_session()
  rbf <- fair_kernel_pca(x, people$group, k = 2, gamma = 0.01)
  og <- og(~ age + priors, groups = "group", k = 2, data = people)
  made <- list(
    people = people, og = og, held = fair_crossfit(og, ~ age + priors, "group", people), rbf = rbf,
    map = residualize(x, people$group), audit = fair_audit(people, decision = "yhat", groups = "sex")
  )
  wanted <- list(
    rbf = predict(rbf, x), map = predict(made$map, x, groups = people$group),
    leakage = tidy(fair_leakage(made$held, permutations = 19)), tests = tidy(fair_component_tests(made$held)),
    extra = tidy(fair_extra_error(og, ~ age + priors, "group", people, permutations = 19)),
    losses = tidy(fair_reconstruction_error_by_group(og, ~ age + priors, "group", people)),
    folds = fair_crossfit(og, ~ age + priors, "group", people)$scores, law = fair_local_law_144(made$audit)
  )
  file <- withr_tempfile(".rds")
  html <- withr_tempfile(".html")
  saveRDS(list(made = made, wanted = wanted), file)
  out <- in_session(c(
    sprintf("options(cli.unicode = %s)", deparse1(getOption("cli.unicode"))), # terms are written as a session can show them
    sprintf("both <- readRDS(%s); made <- both$made; wanted <- both$wanted; people <- made$people", deparse1(file)),
    "x <- people[c('age', 'priors', 'income')]",
    "stopifnot(identical(predict(made$rbf, x), wanted$rbf))",
    "stopifnot(identical(predict(made$map, x, groups = people$group), wanted$map))",
    "stopifnot(identical(tidy(fair_leakage(made$held, permutations = 19)), wanted$leakage))",
    "stopifnot(identical(tidy(fair_component_tests(made$held)), wanted$tests))",
    "og <- made$og",
    "stopifnot(identical(tidy(fair_extra_error(og, ~ age + priors, 'group', people, permutations = 19)), wanted$extra))",
    "stopifnot(identical(tidy(fair_reconstruction_error_by_group(og, ~ age + priors, 'group', people)), wanted$losses))",
    "stopifnot(identical(fair_crossfit(og, ~ age + priors, 'group', people)$scores, wanted$folds))",
    "stopifnot(identical(fair_local_law_144(made$audit), wanted$law))",
    sprintf("fair_report(made$audit, made$og, to = %s)", deparse1(html)), "cat('all well\n')"
  ))
  expect_identical(utils::tail(out, 1L), "all well", label = paste(out, collapse = "\n"))
  expect_true(file.exists(html))
})

test_that("a result whose bytes are damaged, or that has none, says so", {
  skip_without_python()
  fit <- pca(x, k = 1)
  attr(fit, "python") <- NULL
  attr(fit, "saved") <- as.raw(1:9)
  expect_error(fair_crossfit(fit, x, people$group), "fit was made in another session: it is not a result")
  attr(fit, "saved") <- NULL
  expect_error(fair_crossfit(fit, x, people$group), "another session.*write_rds.*made it again.*fair_save")
})

test_that("a tally that was kept is audited, and added to another", {
  skip_without_python()
  tally <- fair_tally(people, decision = "yhat", groups = "sex")
  kept <- unserialize(serialize(tally, NULL))
  expect_identical(format(kept), format(tally))
  expect_identical(tidy(fair_audit(kept)), tidy(fair_audit(tally)))
  expect_identical(tidy(fair_audit(kept + kept)), tidy(fair_audit(tally + tally)))
})
