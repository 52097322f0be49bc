x <- people[c("age", "priors", "income")]
results <- function() {
  fit <- og(x, people$sex, k = 2)
  graph <- exp(-as.matrix(stats::dist(scale(x[1:40, ])))^2)
  held <- crossfit(fit, x, people$sex)
  list(
    audit = fair_audit(people, outcome = "y", decision = "yhat", score = "score", group = "group"), fit = fit,
    kernel = fair_kernel_pca(x, people$sex, k = 2, scale = TRUE), eraser = leace(x, people$sex),
    map = residualize(x, people$sex),
    held = held, leakage = leakage(held, permutations = 9), losses = group_losses(fit, x, people$sex),
    tests = component_tests(held), extra = extra_error(fit, permutations = 0),
    compared = fair_compare(people, "y", "sex", names(x), methods = c("none", "og"), k = 1, repeats = 2),
    partition = fair_spectral(graph, people$sex[1:40], k = 2)
  )
}

test_that("every result has a picture, by base graphics and by ggplot2", {
  skip_without_python()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  made <- results()
  for (name in names(made)) {
    expect_s3_class(plot(made[[name]]), "data.frame")
    skip_if_not_installed("ggplot2")
    drawn <- ggplot2::autoplot(made[[name]])
    expect_s3_class(drawn, "ggplot")
    expect_gt(nrow(ggplot2::layer_data(drawn, length(drawn$layers))), 0)
  }
  audit <- made$audit
  for (kind in c("roc", "ecdf", "calibration", "differences", "ratios")) {
    expect_s3_class(plot(audit, kind = kind), "data.frame")
    expect_s3_class(ggplot2::autoplot(audit, kind = kind), "ggplot")
  }
  compared <- ggplot2::autoplot(made$compared)
  expect_identical(levels(compared$data$whom), c("everybody", "female", "male"))
  expect_identical(ggplot2::autoplot(made$compared, kind = "changes")$labels$x, "AUC, difference from none")
  for (kind in c("changes", "differences")) expect_s3_class(ggplot2::autoplot(made$compared, kind = kind), "ggplot")
})

test_that("a figure that is named is the one that is drawn", {
  skip_without_python()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  audit <- fair_audit(people, outcome = "y", decision = "yhat", score = "score", group = "group")
  expect_identical(plot(audit, "rates"), plot(audit))
  expect_identical(unique(plot(audit, "differences")$contrast), "difference")
  expect_identical(plot(audit, "rates", "FPR"), plot(audit, metric = "FPR"))
  expect_identical(unique(plot(audit, "roc")$kind), "roc")
  fit <- og(x, people$sex, k = 2)
  expect_identical(plot(fit, "scree"), plot(fit))
  expect_error(plot(fit, "rates"), "kind = \"rates\" is none of scree")
  expect_error(plot(leakage(fit, x, people$sex, permutations = 9), "rates"), "none of estimates, .*fs_figure\\(\\)")
  skip_if_not_installed("ggplot2")
  expect_identical(unique(ggplot2::autoplot(audit, "ratios")$data$contrast), "ratio")
  expect_error(ggplot2::autoplot(audit, metrc = "FPR"), "autoplot.* has no argument 'metrc'.*Did you mean 'metric'")
})

test_that("curves are those that R computes, and the reference is marked", {
  skip_without_python()
  audit <- fair_audit(people, outcome = "y", decision = "yhat", score = "score", group = "group")
  for (name in unique(people$group)) {
    own <- people$score[people$group == name]
    points <- subset(audit$curves, kind == "ecdf" & group == name)
    expect_equal(points$y, stats::ecdf(own)(points$x), label = name)
  }
  roc <- subset(audit$curves, kind == "roc" & group == "a")
  area <- sum(diff(roc$x) * (head(roc$y, -1) + tail(roc$y, -1)) / 2)
  auc <- subset(tidy(audit), metric == "AUC" & group == "a" & contrast == "none")$estimate
  expect_equal(area, auc, tolerance = 0.01)
  skip_if_not_installed("ggplot2")
  labels <- levels(ggplot2::autoplot(audit)$data$label)
  expect_identical(sum(grepl("(reference)", labels, fixed = TRUE)), 1L)
})

test_that("what cannot be drawn is one error that says what can", {
  skip_without_python()
  audit <- fair_audit(people, decision = "yhat", group = "sex")
  told <- function(expr) conditionMessage(tryCatch(expr, fairstats_input_error = identity))
  expect_match(told(plot(audit, kind = "roc")), "needs a score and an outcome")
  expect_match(told(plot(audit, metric = "selection rat")), "Did you mean 'selection rate'")
  expect_match(told(plot(spectral(matrix(1, 4, 4) - diag(4), k = 2))), "without groups")
})

test_that("the report's own figure is drawn, written and shown in documents", {
  skip_without_python()
  audit <- fair_audit(people, decision = "yhat", group = "group")
  drawn <- fs_figure(audit, "differences")
  expect_true(startsWith(drawn$svg, "<svg "))
  expect_true("rates" %in% drawn$kinds)
  expect_output(print(drawn), "Figure\\.")
  expect_identical(drawn$png[1:4], as.raw(c(0x89, 0x50, 0x4e, 0x47)))
  file <- withr_tempfile(".png")
  fs_figure(audit, to = file)
  expect_identical(readBin(file, "raw", 4L), as.raw(c(0x89, 0x50, 0x4e, 0x47)))
  expect_error(fs_figure(audit, "roc"), "rates", class = "fairstats_input_error")
  skip_if_not_installed("knitr")
  # beside a page: a picture in the document's folder of figures
  folder <- withr_tempfile()
  options <- list(fig.path = paste0(folder, "/"), label = "rates", fig.cur = 1L, fig.num = 1L)
  shown <- knitr::knit_print(drawn, options = options)
  picture <- list.files(folder, full.names = TRUE)
  expect_match(picture, "rates-1.png$")
  expect_identical(readBin(picture, "raw", length(drawn$png) + 1L), drawn$png)
  expect_identical(as.character(shown), picture)
  skip_if_not_installed("rmarkdown")
  skip_if_not(rmarkdown::pandoc_available())
  skip_in_another_session()
  source <- withr_tempfile(".Rmd")
  writeLines(c("---", "title: A", "output: html_document", "---", "", "```{r, echo=FALSE}",
    "fairstats::fs_figure(fairstats::fair_audit(mtcars, decision = 'vs', group = 'am'))", "```"), source)
  page <- rmarkdown::render(source, quiet = TRUE, envir = new.env())
  expect_in_page(page, "<figcaption")
  unlink(page)
})

test_that("the pictures that the README names are there", {
  skip_without_python()
  skip_if_not_installed("ggplot2")
  scored <- fair_audit(people, outcome = "y", decision = "yhat", score = "score", group = "sex")
  for (kind in c("rates", "differences", "ratios", "roc", "ecdf", "calibration")) {
    expect_s3_class(ggplot2::autoplot(scored, kind), "ggplot")
  }
  expect_true(all(c("rates", "differences", "ratios", "hundred") %in% fs_figure(scored)$kinds))
})
