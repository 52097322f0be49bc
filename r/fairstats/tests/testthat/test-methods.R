x <- people[c("age", "priors", "income")]

test_that("verbs of stats answer for a fit, as R computes them", {
  skip_without_python()
  fit <- og(~ age + log1p(priors) + income, "sex", k = 2, data = people, scale = TRUE)
  X <- model.matrix(~ age + log1p(priors) + income, people)[, -1]
  expect_identical(nobs(fit), 300L)
  expect_identical(formula(fit), ~ age + log1p(priors) + income, ignore_formula_env = TRUE)
  expect_identical(attr(terms(fit), "term.labels"), c("age", "log1p(priors)", "income"))
  expect_equal(model.matrix(fit, people), X, ignore_attr = TRUE)
  centered <- scale(X, fit$center, fit$scale)
  residual <- lm.fit(cbind(1, people$sex == "male"), centered %*% coef(fit))$residuals
  expect_equal(residual, fit$x, ignore_attr = TRUE, tolerance = 1e-9)
  expect_equal(fitted(fit), fair_reconstruct(fit))
  expect_identical(unclass(loadings(fit)), fit$rotation)
  expect_match(message_of(residuals(fit)), "model\\.matrix\\(object, data\\) - fitted\\(object\\)")
  expect_match(message_of(vcov(fit)), "fair_bootstrap_loadings")
  expect_match(message_of(confint(fit)), "no intervals")
  expect_match(message_of(augment(fit)), "data is missing")
  expect_match(message_of(formula(og(x, people$sex))), "without a formula")
  expect_match(message_of(model.matrix(fit)), "data is missing")
})

test_that("a part that a result has not is an error where people look for it, and rows are chosen by subset()", {
  skip_without_python()
  fit <- og(x, people$sex)
  expect_error(fit$finding, "of class fairstats_fit, which has no part 'finding'; see summary\\(x\\)")
  scan <- fair_subgroup_scan(people, "yhat", "sex")
  expect_error(scan$flagged, "no part 'flagged'; see subset\\(tidy\\(x\\), verdict == \"flagged\"")
  expect_null(fit$nothing)
  # a letter away from a part, or from what has a place elsewhere
  expect_error(fit$rotations, "no part 'rotations'; see x\\$rotation[.]")
  audit <- fair_audit(people, decision = "yhat", groups = "sex")
  expect_error(audit$verdicts, "no part 'verdicts'; see tidy\\(x\\)\\$verdict[.]")
  expect_error(audit$findings, "no part 'findings'; see x\\$finding[.]")
  expect_error(audit$rates, "no part 'rates'; see fair_by_group\\(x\\)[.]")
  expect_identical(fit$rot, fit$rotation) # as of any list
  expect_error(audit$verdict, "see tidy\\(x\\)\\$verdict[.]")
  expect_error(audit$n, "see nobs\\(x\\)[.]")
  expect_error(tidy(fit, metric = "variance share"), "as in subset\\(tidy\\(x\\), metric == \"variance share\"\\)")
  expect_error(tidy(fit, group = c("a", "b")), "group %in% c\\(\"a\", \"b\"\\)")
})

test_that("what a result has in Python alone is an error that says where R has it", {
  skip_without_python()
  fit <- og(x, people$sex)
  audit <- fair_audit(people, decision = "yhat", groups = "sex")
  expect_error(fit$transform(people), "no part 'transform'; see predict\\(x, newdata\\)", class = "fairstats_input_error")
  expect_error(audit$p_value, "see tidy\\(x\\)\\$p.value")
  # parts that R looks for, and names of parts that other results have, are absent as those of any list
  expect_null(audit$call$nothing)
  for (name in c("x", "rotation", "terms", "coefs")) expect_null(do.call(`$`, list(audit, name)))
  expect_error(fit$group_means, "no part 'group_means'; only Python's result has it[.]")
  expect_error(audit$data, "no part 'data'; only Python's result has it[.]")
  # what a user wrote, and not a package that looks for a part
  typed <- function(code) eval(code, list2env(list(audit = audit, fit = fit), parent = globalenv()))
  eraser <- leace(~ age + priors + income, "group", data = people)
  expect_error(eraser$rank, "no part 'rank'; see glance\\(x\\)\\$rank[.]")
  expect_error(typed(quote(audit$seeds)), "no part 'seeds'; names(x) has all.", fixed = TRUE)
  objects <- list(gate = structure(list(passes = FALSE), class = "fairstats_passed"), table = fair_table(fit))
  of_others <- function(code) eval(code, list2env(objects, parent = globalenv()))
  expect_error(of_others(quote(gate$ok)), "fairstats_passed, which has no part 'ok'; it has passes.", fixed = TRUE)
  expect_error(of_others(quote(table$rows)), "fairstats_table, which has no part 'rows'")
  expect_error(typed(quote(audit$tidi)), "no part 'tidi'; names(x) has all. Did you mean 'tidy'?", fixed = TRUE)
  expect_error(typed(quote(audit$zzz)), "no part 'zzz'; names(x) has all.", fixed = TRUE)
  expect_error(typed(quote(fit$wieghts)), "Did you mean 'weights'?", fixed = TRUE)
  expect_identical(typed(quote(audit$find)), audit$finding)
  expect_null(audit$tidi)
  tally <- fair_tally(people, decision = "yhat", groups = "sex")
  for (name in c("weights", "rows", "lines", "least", "most")) expect_error(do.call(`$`, list(tally, name)), "only Python's")
  answered <- unlist(parts_elsewhere)
  expect_false(anyDuplicated(answered) > 0L)
  # every method of Python's classes
  inspect <- reticulate::import("inspect")
  classes <- reticulate::import("fairstats.result_classes")$RESULT_CLASSES
  load <- reticulate::import("importlib")$import_module
  parts <- c(names(fit), names(audit), "given", "terms")
  for (row in classes) {
    methods <- inspect$getmembers(load(row$home)[[row$name]], inspect$isfunction)
    named <- vapply(methods, function(method) method[[1L]], "")
    public <- named[!startsWith(named, "_")]
    expect_identical(setdiff(public, c(answered, unlist(python_parts), parts)), character(), label = row$name)
  }
})

test_that("transform() of base gives no rows of a result", {
  skip_without_python()
  expect_error(transform(og(x, people$sex), people), "of class fairstats_fit, .* is predict\\(fit, people\\)",
    class = "fairstats_input_error")
  audit <- fair_audit(people, decision = "yhat", groups = "sex")
  expect_error(transform(audit), "of class fairstats_audit, .* are those of tidy\\(\\)", class = "fairstats_input_error")
})

test_that("tidy() of a fit has the matrix second, and conf.int is TRUE or FALSE", {
  skip_without_python()
  fit <- og(x, people$sex)
  expect_identical(tidy(fit, "rotation"), tidy(fit, matrix = "rotation"))
  expect_identical(tidy(fit, "d")$std.dev, fit$sdev)
  expect_identical(tidy(fit, role = "all", conf.int = FALSE), tidy.fairstats(fit, conf.int = FALSE, role = "all"))
  audit <- fair_audit(people, decision = "yhat", groups = "sex")
  for (wrong in list("all", "yes", NA, 0.9, c(TRUE, FALSE))) {
    expect_error(tidy(audit, wrong), "neither TRUE nor FALSE; rows are chosen by role = \"all\"", class = "fairstats_input_error")
  }
  expect_error(tidy(audit, metrics = c("TPR", "FPR")), "subset\\(tidy\\(x\\), metric %in% c\\(\"TPR\", \"FPR\"\\)\\)")
})

test_that("importance of components is that of prcomp()", {
  skip_without_python()
  ours <- summary(pca(x, k = 3))$importance
  expect_equal(ours, summary(prcomp(x))$importance, tolerance = 1e-4) # which rounds to five places
})

test_that("estimates of an audit have names, intervals, and the level of the call", {
  skip_without_python()
  audit <- fair_audit(people, decision = "yhat", groups = c("sex", "group"))
  rows <- subset(tidy(audit), role == "main")
  expect_identical(anyDuplicated(tidy(audit)$term), 0L)
  expect_identical(coef(audit), stats::setNames(rows$estimate, rows$term))
  limits <- confint(audit)
  expect_identical(dimnames(limits), list(rows$term, c("conf.low", "conf.high")))
  one <- rows[rows$attribute == "sex" & rows$contrast == "none", ]
  wanted <- prop.test(one$events[[1]], one$n[[1]], correct = FALSE)$conf.int
  expect_equal(unname(confint(audit, one$term[[1]])[1, ]), as.numeric(wanted), tolerance = 1e-9)
  expect_identical(nobs(audit), 300L)
  expect_match(message_of(confint(audit, level = 0.9)), "update\\(x, conf_level = 0.9\\)")
  expect_match(message_of(tidy(audit, conf.level = 0.9)), "conf.level = 0.9 is not that of the intervals")
  expect_identical(tidy(audit, conf.level = 0.95), tidy(audit))
  expect_match(message_of(tidy(audit, exponentiate = TRUE)), "ratios already")
  expect_false(any(c("conf.low", "conf.high", "conf.level") %in% names(tidy(audit, conf.int = FALSE))))
  expect_match(message_of(confint(audit, "selection")), "or term of tidy")
  expect_match(message_of(fitted(audit)), "give a linear fit")
})

test_that("text that there is none of is NA, and nothing is empty text", {
  skip_without_python()
  for (result in list(fair_audit(people, decision = "yhat", groups = "sex"), og(x, people$sex))) {
    table <- result$tidy
    empty <- vapply(table, function(column) any(column == "", na.rm = TRUE), NA)
    expect_identical(names(table)[empty], character())
    expect_type(table$estimator, "character")
  }
})

test_that("update() makes the call anew, and large values given as such are asked for", {
  skip_without_python()
  mine <- people
  fit <- og(~ age + priors, groups = "sex", k = 1, data = mine)
  expect_identical(ncol(update(fit, k = 2)$rotation), 2L)
  expect_identical(rownames(update(fit, ~ . + income)$rotation), c("age", "priors", "income"))
  expect_identical(deparse1(update(fit, k = 2, evaluate = FALSE)), "og(x = ~age + priors, groups = \"sex\", k = 2, data = mine)")
  audit <- fair_audit(mine, decision = "yhat", groups = "sex")
  expect_equal(range(tidy(update(audit, conf_level = 0.9))$conf.level, na.rm = TRUE), c(0.9, 0.9))
  by_value <- do.call(og, list(x = x, groups = mine$sex, k = 1))
  expect_lt(as.numeric(utils::object.size(by_value$call)), 5000)
  expect_match(message_of(update(by_value, k = 2)), "given as values")
  expect_identical(ncol(update(by_value, k = 2, x = x, groups = mine$sex)$rotation), 2L)
  path <- withr_tempfile(".npz")
  fair_save(fit, path)
  expect_match(message_of(update(fair_load(path), k = 2)), "does not know its call")
})

test_that("rows of fits have sums of squares, and no events", {
  skip_without_python()
  features <- people[c("age", "priors", "income")]
  rows <- tidy(pca(features, k = 2))
  expect_false("events" %in% names(rows))
  expect_equal(rows$sumsq[rows$metric == "variance share"], (nrow(people) - 1) * prcomp(features)$sdev[1:2]^2)
  erased <- leace(features, people$sex)
  moved <- sum((as.matrix(features) - predict(erased, features))^2)
  expect_equal(tidy(erased)$sumsq[tidy(erased)$metric == "extra error"], moved)
  expect_true("events" %in% names(tidy(fair_audit(people, "yhat", "sex"))))
})

test_that("a fit prints at most 25 lines, and summary() has the rest", {
  skip_without_python()
  fit <- og(~ (age + priors + income)^2, groups = "sex", k = 6, data = people)
  shown <- format(fit)
  expect_lte(length(shown), 25)
  expect_match(shown[[length(shown)]], "^3 notes; summary\\(\\) has all\\.$")
  expect_gt(length(utils::capture.output(summary(fit))), 25)
})

test_that("terms can be read in the C locale, and labels of groups stay what they are", {
  skip_without_python()
  dotted <- "\u00b7"
  data <- transform(people, group = ifelse(group == "a", dotted, group))
  old <- options(cli.unicode = FALSE)
  on.exit(options(old))
  audit <- fair_audit(data, decision = "yhat", groups = "group")
  expect_false(any(grepl(dotted, tidy(audit)$term)))
  expect_true(dotted %in% tidy(audit)$group)
})

test_that("documents of pandoc show a result as tables, all else as text", {
  skip_without_python()
  skip_if_not_installed("knitr")
  audit <- fair_audit(people, decision = "yhat", groups = "group")
  expect_output(knitr::knit_print(audit), "Selection rate by group")
  old <- knitr::opts_knit$get("rmarkdown.pandoc.to")
  knitr::opts_knit$set(rmarkdown.pandoc.to = "html")
  on.exit(knitr::opts_knit$set(rmarkdown.pandoc.to = old))
  shown <- knitr::knit_print(audit)
  expect_s3_class(shown, "knit_asis")
  expect_match(shown, "<table", fixed = TRUE)
  knitr::opts_knit$set(rmarkdown.pandoc.to = "docx")
  shown <- knitr::knit_print(audit)
  expect_s3_class(shown, "knit_asis")
  expect_match(shown, audit$finding, fixed = TRUE)
  expect_match(shown, "| --- |", fixed = TRUE)
  attributes(audit)[c("python", "saved")] <- NULL
  expect_output(knitr::knit_print(audit), "Selection rate by group")
})

test_that("format() is the text of print()", {
  skip_without_python()
  fit <- og(x, people$sex)
  # a console of another encoding writes what it lacks as <U+2212>
  expect_identical(enc2native(format(fit)), utils::capture.output(print(fit)))
})

test_that("leace keeps an outcome, components nest, clusters reach a balance", {
  skip_without_python()
  x <- mtcars[c("mpg", "hp", "wt", "qsec")]
  adjusted <- predict(leace(x, mtcars$am, preserve = mtcars$vs), x)
  expect_equal(c(cov(as.matrix(adjusted), mtcars$vs)), c(cov(as.matrix(x), mtcars$vs)), tolerance = 1e-8)
  expect_lt(max(abs(cor(as.matrix(adjusted), mtcars$am))), 1e-8)
  two <- minimax_pca(x, mtcars$am, 2, scale = TRUE, nested = TRUE)
  one <- minimax_pca(x, mtcars$am, 1, scale = TRUE, nested = TRUE)
  expect_equal(unname(two$rotation[, 1]), unname(one$rotation[, 1]), tolerance = 1e-6)
  graph <- kronecker(diag(2), matrix(1, 6, 6)) + 0.1
  diag(graph) <- 0
  found <- fair_spectral_clustering(graph, rep(c("f", "m"), c(6, 6)), k = 2, balance = 1)
  expect_equal(unname(found$tables[[1]][, 1]), unname(found$tables[[1]][, 2]))
})

test_that("standard deviations are those of the scores, and with weights those of cov.wt()", {
  skip_without_python()
  x <- as.matrix(mtcars[c("hp", "wt", "qsec", "drat")])
  for (unit in c(0.01, 1, 100)) expect_equal(pca(x, k = 4, weights = rep(unit, 32))$sdev, prcomp(x)$sdev, tolerance = 1e-10)
  w <- mtcars$carb
  weighted <- pca(x, k = 4, weights = w)
  expect_equal(weighted$sdev^2, eigen(cov.wt(x, w)$cov)$values, tolerance = 1e-10)
  expect_equal(unname(summary(weighted)$importance[2L, ]), weighted$sdev^2 / sum(weighted$sdev^2), tolerance = 1e-10)
  for (basis in c("svd", "residual")) {
    fit <- og(x, mtcars$am, k = 2, basis = basis)
    expect_equal(fit$sdev, unname(apply(fit$x, 2, sd)), tolerance = 1e-8)
    shares <- apply(fit$x, 2, var) / sum(apply(x, 2, var))
    expect_equal(summary(fit)$importance[2L, ], shares, tolerance = 1e-8)
    expect_equal(sum(shares), glance(fit)$explained, tolerance = 1e-8)
    again <- og(x, mtcars$am, k = 2, basis = basis, weights = w)
    expect_equal(again$sdev^2, unname(diag(cov.wt(again$x, w)$cov)), tolerance = 1e-8)
  }
})

test_that("loadings are tidied as broom has those of prcomp()", {
  skip_without_python()
  fit <- pca(mtcars[c("hp", "wt", "qsec")], k = 3)
  rows <- tidy(fit, matrix = "rotation")
  own <- stats::prcomp(mtcars[c("hp", "wt", "qsec")])$rotation
  expect_named(rows, c("column", "PC", "value"))
  expect_equal(abs(rows$value), abs(own[cbind(match(rows$column, rownames(own)), rows$PC)]), tolerance = 1e-8)
  expect_identical(tidy(fit, matrix = "v"), rows)
  sizes <- tidy(fit, matrix = "d") # as broom has them
  own <- summary(stats::prcomp(mtcars[c("hp", "wt", "qsec")]))$importance
  expect_named(sizes, c("PC", "std.dev", "percent", "cumulative"))
  expect_equal(unname(t(as.matrix(sizes[-1L]))), unname(own), tolerance = 1e-4) # which rounds to five places
  expect_identical(tidy(fit, matrix = "pcs"), sizes)
  expect_match(message_of(tidy(fit, matrix = "u")), "eigenvalues, pcs; scores are in augment(x, data)", fixed = TRUE)
  expect_match(message_of(tidy(fair_audit(people, "yhat", "sex"), matrix = "v")), "which has no loadings; leave matrix out.")
})
