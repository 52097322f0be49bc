# Results that an earlier session left (stored/make.R), where there may be no Python: what R does with them by itself.
stored <- readRDS(test_path("stored", "results.rds"))
few <- people[1:120, ]
x <- few[c("age", "priors", "income")]
on_paper <- function(code) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  code
}

test_that("every stored result prints, formats and tidies", {
  for (name in names(stored)) {
    one <- stored[[name]]
    written <- capture.output(cat(format(one), sep = "\n")) # in the session's encoding
    expect_identical(capture.output(print(one)), written, label = name)
    # of a table of estimates that version left every column
    if (name != "losses") expect_true(all(nchar(format(one)) <= 80L), label = name)
    expect_identical(capture.output(print(summary(one))), written, label = name)
    table <- tidy(one)
    expect_s3_class(table, "tbl_df")
    expect_false(anyDuplicated(table$term) > 0L, label = name)
    expect_identical(as.data.frame(one)$estimate, tidy(one, role = "all")$estimate, label = name)
    expect_false(any(c("conf.low", "conf.high", "conf.level") %in% names(tidy(one, conf.int = FALSE))), label = name)
  }
})

test_that("a console of 80 columns shows whom a row is about and its numbers, in broom's order", {
  for (name in c("audit", "compared", "fit")) {
    table <- tidy(stored[[name]])
    p <- c("p.value", "adj.p.value")
    expect_true(all(p %in% names(table)), label = name)
    p <- p[[1L + is_adjusted(table, stored[[name]])]] # where comparisons are adjusted, the one that agrees with the limits
    numbers <- c("estimate", "std.error", "statistic", p, "conf.low", "conf.high", "verdict", "n")
    places <- match(intersect(numbers, names(table)), names(table))
    expect_identical(places, seq_along(places) + places[[1L]] - 1L, label = name)
    lines <- capture.output(print(table, n = 3, width = 80))
    expect_match(lines[[4L]], formatC(table$estimate[[1L]], digits = 3), fixed = TRUE, label = name)
  }
  table <- tidy(stored$audit)
  expect_identical(names(table)[1:5], c("attribute", "group", "metric", "contrast", "estimate"))
  one <- stored$audit
  one$tidy <- one$tidy[one$tidy$attribute %in% "sex", ]
  expect_identical(names(tidy(one))[1:4], c("group", "metric", "contrast", "estimate")) # that of all rows tells nothing apart
})

test_that("tidy has the main rows, and those of other roles where they are asked for", {
  main <- tidy(stored$audit)
  expect_identical(unique(main$role), "main")
  expect_false(anyDuplicated(main[intersect(c("attribute", "group", "metric", "contrast", "given", "estimator", "name"),
    names(main))]) > 0L)
  expect_gt(nrow(tidy(stored$audit, role = "all")), nrow(main))
  expect_identical(unique(tidy(stored$audit, role = c("power", "main"))$role), unique(c("main", "power")))
  expect_identical(tidy(stored$fit), tidy(stored$fit, role = "all")) # a fit has none
  expect_error(tidy(stored$audit, role = "Power"), "role = \"Power\", of which x has no rows.*Did you mean 'power'")
  expect_error(tidy(stored$audit, role = 1), "role is of class numeric")
  shown <- knitr::kable(stored$fit)
  expect_match(shown[[1L]], "|attribute |metric", fixed = TRUE)
  expect_no_match(shown[[1L]], "verdict|conf.low|std.error|term")
})

test_that("verbs refuse what they would ignore", {
  expect_error(summary(stored$audit, conf.level = 0.9), "not that of the intervals \\(0.95.*give conf_level to the call")
  expect_identical(summary(stored$audit, conf.level = 0.95), summary(stored$audit))
  expect_error(as.data.frame(stored$audit, foo = 1), "as.data.frame\\(\\) has no argument 'foo'")
  expect_error(format(stored$audit, foo = 1), "format\\(\\) has no argument 'foo'")
  expect_error(format(stored$losses, foo = 1), "format\\(\\) has no argument 'foo'")
  expect_error(on_paper(plot(stored$audit, kindd = "rates")), "no argument 'kindd'.*Did you mean 'kind'")
  expect_error(on_paper(plot(stored$audit, xlimm = 1)), "Did you mean 'xlim'")
  expect_silent(on_paper(plot(stored$audit, attribute = "sex", cex.axis = 0.5, las = 1, family = "serif", xlim = c(0, 1))))
  expect_s3_class(data.frame(stored$audit, stringsAsFactors = TRUE)$term, "factor")
})

test_that("tidy() refuses a level that the intervals do not have, and logarithms", {
  expect_error(tidy(stored$audit, conf.level = 0.9),
    "conf.level = 0.9 is not that of the intervals \\(0.95.*update\\(x, conf_level = 0.9\\)",
    class = "fairstats_input_error")
  expect_identical(tidy(stored$audit, conf.level = 0.95), tidy(stored$audit))
  expect_error(tidy(stored$audit, exponentiate = TRUE), "no estimate here is a logarithm")
})

test_that("rates of a stored audit are shares of the people, with Wilson's limits", {
  rows <- subset(tidy(stored$audit), role == "main" & metric == "selection rate" & contrast == "none" & attribute == "sex")
  expect_setequal(rows$group, c("female", "male"))
  for (i in seq_len(nrow(rows))) {
    chosen <- few$yhat[few$sex == rows$group[[i]]]
    wilson <- stats::prop.test(sum(chosen), length(chosen), correct = FALSE)$conf.int
    expect_equal(rows$estimate[[i]], mean(chosen))
    expect_equal(c(rows$conf.low[[i]], rows$conf.high[[i]]), as.numeric(wilson), tolerance = 1e-8)
  }
  expect_identical(nobs(stored$audit), 120L)
  expect_identical(glance(stored$audit)$nobs, 120L)
})

test_that("linear scores and adjusted data of stored fits are R's own algebra", {
  fit <- stored$fit
  scores <- sweep(as.matrix(x), 2L, fit$center) %*% fit$weights
  group <- stats::lm(scores ~ few$sex)
  expect_equal(unname(predict(fit)), unname(predict(fit, x, groups = few$sex)), tolerance = 1e-10)
  expect_equal(unname(predict(fit)), unname(stats::residuals(group)), tolerance = 1e-8)
  expect_equal(unname(fair_reconstruct(fit)), unname(sweep(predict(fit) %*% t(fit$rotation), 2L, fit$center, "+")),
    tolerance = 1e-10)
  expect_identical(fitted(fit), fair_reconstruct(fit))
  expect_identical(coef(fit), fit$weights)
  expect_equal(unname(stats::cor(predict(fit), few$sex == "male")), matrix(0, 2, 1), tolerance = 1e-8)
  expect_s3_class(stats::loadings(fit), "loadings")
})

test_that("a stored fit to a formula makes its features of new rows", {
  fit <- stored$formula
  expect_identical(deparse1(formula(fit)), "~age * sex + priors")
  expect_identical(attr(terms(fit), "term.labels"), c("age", "sex", "priors", "age:sex"))
  features <- model.matrix(fit, few[1:4, ])
  expect_equal(unname(features), unname(stats::model.matrix(~ age * sex + priors, few)[1:4, -1L]), ignore_attr = TRUE)
  expect_equal(predict(fit, few[1:4, ]), predict(fit)[1:4, ], ignore_attr = TRUE, tolerance = 1e-10)
  # one row has one level of sex only
  expect_equal(predict(fit, few[7, ]), predict(fit)[7, , drop = FALSE], ignore_attr = TRUE, tolerance = 1e-10)
  expect_error(predict(fit, few["age"]), "newdata lacks the columns sex, priors")
  expect_error(predict(fit, as.matrix(x)), "the fit was given a formula, so give a data frame")
  expect_error(model.matrix(fit), "data is missing")
})

test_that("an eraser stored leaves no linear trace, and a minimax fit takes the means of the groups", {
  erased <- predict(stored$eraser, x)
  expect_equal(unname(stats::cor(erased, few$sex == "male")), matrix(0, 3, 1), tolerance = 1e-8)
  expect_equal(colMeans(erased), colMeans(x), tolerance = 1e-10, ignore_attr = TRUE)
  expect_identical(dim(fair_reconstruct(stored$minimax, few)), c(120L, 3L))
  expect_error(fair_reconstruct(stored$minimax, x), "groups is missing")
})

test_that("what new rows lack or have too much of is said", {
  fit <- stored$fit
  expect_error(predict(fit, x[c("age", "priors")], groups = few$sex), "newdata lacks the columns income")
  expect_error(predict(fit, as.matrix(x)[, 1:2], groups = few$sex), "2 columns and the fit 3")
  expect_error(predict(fit, transform(x, age = as.character(age)), groups = few$sex), "newdata has text in 'age'")
  expect_error(predict(fit, 1:3, groups = "male"), "newdata is of class integer")
  expect_error(predict(fit, x), "groups is missing; the scores of og depend on the group")
  expect_error(predict(fit, x, groups = rep("other", 120)), "has a level that the fit has not seen \\(other\\)")
  expect_warning(part <- predict(fit, x[1:2, ], groups = c("male", NA)), "1 of the new rows have no group")
  expect_identical(is.na(unname(part[, 1L])), c(FALSE, TRUE))
  expect_identical(dim(predict(fit, x[0, ], groups = character())), c(0L, 2L))
})

test_that("scores are added to data, clusters too", {
  more <- augment(stored$formula, few)
  expect_identical(names(more), c(names(few), ".score_1", ".score_2"))
  expect_equal(more$.score_1, unname(predict(stored$formula)[, 1L]))
  expect_error(augment(stored$fit), "data is missing")
  clusters <- augment(stored$partition, few[1:30, ])$.cluster
  expect_identical(as.integer(table(clusters)), as.integer(rowSums(stored$partition$tables[[1L]])))
  expect_error(augment(stored$partition, few), "120 rows and the graph 30 vertices")
})

test_that("verbs of package stats mean something, or say why not", {
  limits <- confint(stored$audit)
  expect_true(all(limits[, 1L] <= coef(stored$audit)[rownames(limits)] + 1e-12, na.rm = TRUE))
  first <- rownames(limits)[[1L]]
  expect_identical(confint(stored$audit, first), limits[1L, , drop = FALSE])
  expect_identical(confint(stored$audit, 1:2), limits[1:2, ])
  expect_error(confint(stored$audit, sub("s", "z", first)), "or term of tidy\\(\\). Did you mean")
  expect_error(confint(stored$audit, level = 0.5), "level = 0.5 is not that of the intervals")
  expect_error(vcov(stored$fit), "vcov of a fairstats_fit is not defined")
  expect_error(residuals(stored$fit), "as.matrix\\(data.* - fitted\\(object\\)")
  expect_error(residuals(stored$audit), "see tidy\\(\\)")
  expect_error(fitted(stored$audit), "stands for no data")
  expect_error(formula(stored$fit), "made without a formula; its features are")
  expect_error(model.matrix(stored$audit, few), "has no features; give a fit")
  expect_identical(nobs(stored$fit), 120L)
  expect_identical(update(stored$formula, k = 1, evaluate = FALSE)$k, 1)
  expect_match(deparse1(update(stored$formula, ~ . - priors, evaluate = FALSE)), "~age + sex + age:sex", fixed = TRUE)
  expect_error(update(stored$held, k = 1), "does not know its call")
  importance <- summary(stored$fit)$importance
  expect_equal(importance[3L, ], cumsum(importance[2L, ]))
})

test_that("every stored result is drawn, by graphics and by ggplot2", {
  for (name in setdiff(names(stored), c("held", "eraser"))) {
    expect_s3_class(on_paper(plot(stored[[name]])), "data.frame")
  }
  for (kind in c("rates", "differences", "ratios", "roc", "ecdf", "calibration")) {
    expect_s3_class(on_paper(plot(stored$audit, kind = kind)), "data.frame")
  }
  for (kind in c("rates", "changes", "differences")) expect_s3_class(on_paper(plot(stored$compared, kind = kind)), "data.frame")
  expect_error(on_paper(plot(stored$audit, metric = "selction rate")), "Did you mean 'selection rate'")
  expect_error(on_paper(plot(stored$audit, kind = "pie")), "kind = \"pie\" is none of")
  expect_error(on_paper(plot(stored$partition, attribute = "race")), "there is no attribute 'race'")
  expect_error(on_paper(plot(stored$audit, "roc", attribute = "race")), "no curve of the attribute 'race'; there are those of ")
  alone <- stored$compared
  alone$tidy <- alone$tidy[is.na(alone$tidy$versus), ]
  expect_error(on_paper(plot(alone, "changes")), "has no such rows; the kinds are rates, changes, differences")
  metrics <- unique(stored$losses$tidy$metric[stored$losses$tidy$role == "main"])
  drawn <- on_paper(plot(stored$losses, metric = metrics[[length(metrics)]]))
  expect_identical(unique(drawn$metric), metrics[[length(metrics)]])
  empty <- stored$losses
  empty$tidy$estimate <- NA_real_
  expect_error(on_paper(plot(empty)), "no estimates to draw")
  skip_if_not_installed("ggplot2")
  for (name in setdiff(names(stored), c("held", "eraser"))) {
    drawn <- ggplot2::autoplot(stored[[name]])
    expect_s3_class(drawn, "ggplot")
    expect_gt(sum(vapply(ggplot2::ggplot_build(drawn)$data, nrow, 1L)), 0L)
  }
  for (kind in c("differences", "ratios", "roc", "ecdf", "calibration")) {
    expect_gt(nrow(on_paper(ggplot2::ggplot_build(ggplot2::autoplot(stored$audit, kind = kind)))$data[[1L]]), 0L)
  }
  # more groups than colors that all eyes tell apart: those of ggplot2, and none is lost
  many <- stored$compared
  own <- many$tidy[!is.na(many$tidy$group), ]
  many$tidy <- own[rep(seq_len(nrow(own)), 9L), ]
  many$tidy$group <- rep(letters[1:9], each = nrow(own))
  drawn <- ggplot2::autoplot(many)
  points <- ggplot2::layer_data(drawn, length(drawn$layers))
  expect_identical(length(unique(points$colour)), 9L)
})

test_that("what a result of an unknown kind does not have is said", {
  odd <- structure(list(), class = c("fairstats_odd", "fairstats"))
  expect_error(tidy(odd), "x is of class fairstats_odd, which has no table", class = "fairstats_input_error")
  expect_error(glance(odd), "which has no glance; see tidy\\(\\)")
  expect_error(nobs(odd), "many counts; see tidy\\(\\)\\$n")
  expect_error(confint(odd), "object is of class fairstats_odd, which has no table")
  expect_error(fair_reconstruct(odd), "give a linear fit")
})

test_that("numbers of a knitted table are whole only where all of a column are large", {
  expect_identical(in_digits(c(138.5712, 0.58213, NA)), c(138.571, 0.582, NA))
  expect_identical(in_digits(c(23000.4, 512.7)), c(23000, 513))
})
