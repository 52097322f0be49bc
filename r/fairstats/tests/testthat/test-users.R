# What an R user who never saw the package stumbled over, by the numbers of that review.

arrested <- function() as.data.frame(arrests())

test_that("1: many rows of every class of labels are audited as few rows are", {
  skip_without_python()
  n <- 260000L # above wire_large
  codes <- rep_len(c(2L, 1L, 3L), n)
  day <- as.Date("2024-01-01") + codes
  columns <- list(
    factor(letters[codes]), factor(letters[codes], c("c", "a", "b"), ordered = TRUE), codes == 1L, day,
    as.POSIXct("2024-01-01", tz = "UTC") + 86400 * codes, structure(codes + 0, labels = c(A = 1, B = 2, C = 3),
      class = c("haven_labelled", "vctrs_vctr", "double"))
  )
  labels <- list(c("a", "b", "c"), c("c", "a", "b"), c("FALSE", "TRUE"), format(as.Date("2024-01-01") + 1:3),
    format(as.Date("2024-01-01") + 1:3), c("A", "B", "C"))
  decided <- as.integer(seq_len(n) %% 4L == 0L)
  for (i in seq_along(columns)) {
    data <- data.frame(decided)
    data$g <- columns[[i]]
    found <- fair_by_group(fair_audit(data, "decided", "g"))
    expect_identical(class(found$g), if (i == 6L) "character" else class(data$g))
    found$g <- as.character(found$g)
    expect_setequal(found$g, labels[[i]])
    words <- if (i == 6L) c("A", "B", "C")[codes] else as.character(columns[[i]])
    expect_equal(found[["selection rate"]], as.vector(tapply(decided, words, mean)[found$g]))
  }
  people <- data.frame(x = rep_len(c(1, 5, 2, 7, 3), n), y = rep_len(c(2, 1, 4, 9), n), g = columns[[1L]])
  expect_s3_class(og(~ x + y, "g", k = 1, data = people), "fairstats_fit")
})

test_that("labels of days, instants, flags and codes are those of each row, missing ones stay missing", {
  data <- data.frame(flag = c(TRUE, NA, FALSE, TRUE))
  data$day <- as.Date("2024-03-01") + c(1, 0, NA, 1)
  data$instant <- as.POSIXct("2024-03-01 12:00:00", tz = "UTC") + c(60, NA, 0, 60)
  made <- labeled(data)
  expect_identical(as.character(made$flag), as.character(data$flag))
  expect_identical(as.character(made$day), as.character(data$day))
  expect_identical(as.character(made$instant), format(data$instant))
  expect_identical(levels(made$day), c("2024-03-01", "2024-03-02"))
  two_codes <- structure(c(3, 1, NA, 2, 1), labels = c(low = 1, low = 2, high = 3), class = "haven_labelled")
  expect_identical(as.character(labels_of_survey(two_codes)), c("high", "low", NA, "low", "low"))
})

test_that("2: people whose cells were suppressed leave no verdict that they could overturn", {
  skip_without_python()
  tally <- fair_suppress_cells(fair_tally(arrested(), "released", "sex"), min_n = 70)
  result <- tidy(fair_audit(tally, favorable = "Yes"))
  expect_false(any(result$verdict %in% "disparity shown"))
})

test_that("8: an audit can be asked for by a formula, before the data or after them", {
  skip_without_python()
  cars <- transform(mtcars, many = as.integer(gear > 4))
  wanted <- fair_audit(cars, decision = "vs", groups = c("am", "many", "am:many"), strata = "cyl")
  first <- fair_audit(vs ~ am + many + am:many | cyl, cars)
  expect_identical(tidy(first), tidy(wanted))
  expect_identical(tidy(cars |> fair_audit(vs ~ am + many + am:many | cyl)), tidy(wanted))
  expect_identical(tidy(fair_audit(vs ~ am * many | cyl, data = cars)), tidy(wanted))
  expect_identical(first$call$data, quote(cars))
  expect_identical(update(first, conf_level = 0.9)$protocol$conf_level, 0.9)
  refused <- function(code, text) expect_error(code, text, class = "fairstats_input_error")
  refused(fair_audit(vs ~ am), "data is missing")
  refused(fair_audit(~am, cars), "no name of a decision")
  refused(fair_audit(vs ~ log(am), cars), "columns are taken as they are")
  refused(fair_audit(vs ~ am, cars, groups = "gear"), "groups is given")
  refused(fair_audit(vs ~ am | cyl, cars, strata = "gear"), "strata is given")
  refused(fair_audit(vs ~ am, cars, conf_levle = 0.9), "Did you mean 'conf_level'")
})

test_that("9, tidy columns: a table has the columns that say something, and no empty text", {
  skip_without_python()
  plain <- tidy(fair_audit(mtcars, "vs", "am"))
  expect_false(any(c("margin.low", "p.equivalence", "fit", "versus", "model", "k") %in% names(plain)))
  expect_true(all(c("term", "estimate", "std.error", "conf.low", "conf.high", "p.value", "adj.p.value") %in% names(plain)))
  declared <- fair_audit(mtcars, "vs", "am", margin = 0.05)
  expect_true(all(c("margin.low", "margin.high", "p.equivalence") %in% names(tidy(declared))))
  # broom's columns are there, also where no row has them
  expect_true(all(c("std.error", "conf.low", "p.value", "verdict") %in% names(tidy(pca(mtcars, k = 1)))))
  for (table in list(plain, declared$flow, declared$cells, declared$curves, glance(declared))) {
    expect_false(any(vapply(table, function(column) any(column %in% "" | is.nan(column) %in% TRUE), NA)))
  }
})

test_that("11, 12, types: durations are numbers in their unit; grouped data are refused where one result is of all rows", {
  skip_without_python()
  cars <- mtcars
  cars$time <- as.difftime(mtcars$qsec, units = "mins")
  paid <- fair_audit(cars, amount = "time", groups = "am")
  expect_identical(paid$protocol$unit, "mins")
  expect_equal(tidy(paid)$estimate, tidy(fair_audit(mtcars, amount = "qsec", groups = "am"))$estimate)
  expect_identical(og(cars[c("time", "hp", "wt")], cars$am, k = 1)$sdev, og(mtcars[c("qsec", "hp", "wt")], mtcars$am, k = 1)$sdev)
  fit <- og(~ hp + wt, "am", k = 1, data = mtcars)
  expect_error(fair_crossfit(fit, dplyr_like(mtcars, "cyl")), "grouped by cyl", class = "fairstats_input_error")
  expect_error(fair_leakage(fit, data = dplyr_like(mtcars, "cyl")), "grouped by cyl", class = "fairstats_input_error")
})

test_that("18, 19: figures take the names of metrics that tables take; a second audit is no second page", {
  skip_without_python()
  audit <- fair_audit(transform(mtcars, fast = hp > 120), "fast", "am", outcome = "vs")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (metric in names(other_names)) {
    for (name in c(other_names[[metric]], tolower(metric))) {
      expect_identical(unique(plot(audit, metric = name)$metric), metric)
      expect_identical(fair_table(audit, metric = name)$caption, fair_table(audit, metric = metric)$caption)
    }
  }
  expect_error(plot(audit, metric = "what"), "the metrics are", class = "fairstats_input_error")
  expect_error(fair_report(audit, audit, to = tempfile(fileext = ".html")), "2 audits", class = "fairstats_input_error")
})

test_that("22: a folder that is gone is an error of the system", {
  skip_without_python()
  skip_on_os("windows")
  audit <- fair_audit(mtcars, "vs", "am")
  gone <- tempfile()
  dir.create(gone)
  before <- setwd(gone)
  on.exit(setwd(before))
  unlink(gone, recursive = TRUE)
  expect_error(fair_report(audit, to = "x.html"), "folder", class = "fairstats_file_error")
})

test_that("23: a step bakes rows without groups where its scores need none, and names its terms before it is trained", {
  skip_without_python()
  skip_if_not_installed("recipes", "1.0.2")
  step <- function(adjust) {
    recipes::recipe(vs ~ hp + wt + qsec + am, mtcars) |>
      recipes::update_role("am", new_role = "group") |>
      recipes::update_role_requirements("group", bake = FALSE) |>
      adjust(hp, wt, qsec, groups = "am")
  }
  new <- mtcars[1:3, c("hp", "wt", "qsec", "vs")]
  for (adjust in list(step_leace, \(...) step_fair_pca(..., num_comp = 2))) {
    expect_identical(tidy(step(adjust), 1)$terms, c("hp", "wt", "qsec"))
    trained <- recipes::prep(step(adjust))
    with_groups <- recipes::bake(trained, mtcars[1:3, ])
    without <- recipes::bake(trained, new)
    expect_equal(without, with_groups[names(without)])
  }
  expect_error(recipes::bake(recipes::prep(step(step_residualize)), new), "groups", class = "fairstats_input_error")
})
test_that("what models have is answered or refused with a reason for audits", {
  skip_without_python()
  d <- arrests()
  a <- fair_audit(released ~ colour | checks, d, favorable = "Yes")
  expect_error(predict(a), "predicts nothing")
  expect_error(model.frame(a), "data is missing")
  expect_identical(model.frame(a, d), d[c("released", "colour", "checks")])
  expect_error(fair_audit(d, "released", attribute = "colour"), "it is called groups here")
  expect_error(plot(a, "rates", attribute = "race"), "attribute = \"race\", and selection rate is of \"colour\"", fixed = TRUE)
})

test_that("tables of Local Law 144 are tidied together", {
  skip_without_python()
  l <- fair_local_law_144(fair_audit(arrests(), "released", c("colour", "sex"), favorable = "Yes"))
  rows <- tidy(l)
  expect_identical(unique(rows$attribute), names(l))
  expect_identical(rows$estimate, unlist(lapply(l, function(one) tidy(one)$estimate), use.names = FALSE))
  expect_identical(glance(l)$attribute, names(l))
  expect_identical(nrow(as.data.frame(l)), nrow(rows))
})

test_that("durations are converted to the unit that is asked for, and to no other thing", {
  skip_without_python()
  cars <- transform(mtcars, time = as.difftime(qsec, units = "mins"))
  paid <- fair_audit(cars, amount = "time", groups = "am", unit = "hours")
  mean_of <- function(am) mean(mtcars$qsec[mtcars$am == am]) / 60
  means <- tidy(paid)[tidy(paid)$metric == "mean amount" & tidy(paid)$contrast == "none", ]
  expect_equal(means$estimate, vapply(means$group, mean_of, 0, USE.NAMES = FALSE))
  planned <- fair_audit(cars, protocol = list(amount = "time", groups = "am", unit = "h"))
  expect_equal(tidy(planned)$estimate, tidy(paid)$estimate)
  expect_error(fair_audit(cars, amount = "time", groups = "am", unit = "EUR"), "durations in mins; give one of",
    class = "fairstats_input_error")
  cut <- function(threshold) tidy(fair_audit(cars, score = "time", groups = "am", threshold = threshold))$estimate
  expect_identical(cut(as.difftime(0.3, units = "hours")), cut(18))
  expect_error(fair_audit(mtcars, score = "hp", groups = "am", threshold = as.difftime(1, units = "hours")),
    "score is none", class = "fairstats_input_error")
})

test_that("a table of estimates prints as in Python, and what is not flagged is called so wherever it is printed", {
  skip_without_python()
  gap <- fair_adjusted_gap(mtcars, "mpg", "am", adjust_for = "wt")
  expect_match(utils::capture.output(print(gap))[[1L]], "^ +estimate +interval$")
  expect_output(print(summary(gap)), "^3 estimates")
  none <- fair_subgroup_scan(people, "yhat", c("sex"))
  shown <- c(utils::capture.output(print(none)), fair_table(none)$cells$verdict, fair_figure(none)$alt)
  expect_match(shown, "not flagged", all = FALSE)
  expect_no_match(shown, "not settled|inconclusive|\\bno$")
  expect_setequal(fair_table(none)$cells$verdict, "not flagged")
  expect_match(fair_figure(none)$alt, "not flagged", fixed = TRUE)
})

test_that("knitr::kable() shows a row a method, with the gap and the limits of print()", {
  skip_without_python()
  skip_if_not_installed("knitr")
  made <- fair_compare(people, "y", "group", c("age", "priors", "income"), methods = c("none", "og"), k = 2, n_repeats = 5)
  short <- methods_in_short(made)
  expect_identical(short$fit, c("none", "og"))
  expect_length(knitr::kable(made), 2L + 2L)
  gap <- grep(" vs ", names(short), value = TRUE)
  limits <- sprintf("%.1f", 100 * c(short$conf.low[[1L]], short$conf.high[[1L]]))
  said <- gsub("\u2212", "-", gsub("\\s+", " ", made$finding), fixed = TRUE)
  expect_match(said, sprintf("%.1f", 100 * abs(short[[gap]][[1L]])), fixed = TRUE)
  for (limit in sub("-", "", limits, fixed = TRUE)) expect_match(said, limit, fixed = TRUE)
  rows <- tidy(made)
  rows <- rows[rows$contrast == "none" & is.na(rows$group) & is.na(rows$versus), ]
  everybody <- function(metric) rows$estimate[rows$metric == metric]
  expect_equal(short$AUC, everybody("AUC"))
  expect_equal(short$accuracy, everybody("accuracy"))
})

test_that("knitr::kable() shows a row a group; head, str, confint and print mean something of a result", {
  skip_without_python()
  skip_if_not_installed("knitr")
  a <- fair_audit(arrests(), "released", c("colour", "sex"), favorable = "Yes")
  shown <- knitr::kable(a)
  expect_length(shown, 2L + 8L) # two groups, two groups, four combinations
  expect_match(shown[[1L]], "attribute *.group *. *n. *selection rate. *conf.low. *conf.high. *difference")
  expect_match(shown[[4L]], "^.colour *.Black *.")
  share <- with(arrests(), tapply(released == "Yes", colour, mean))
  short <- rows_in_short(a)[1:2, ]
  expect_equal(short$`selection rate`, unname(c(share[short$group])))
  expect_match(shown[[4L]], "|<0.001 ", fixed = TRUE) # its p is no 0
  expect_equal(short$difference[short$group == "Black"], share[["Black"]] - share[["White"]])
  expect_identical(nrow(as.data.frame(a)), nrow(tidy(a, role = "all")))
  scores <- rows_in_short(fair_audit(people, outcome = "y", score = "score", groups = "group"))
  expect_true(all(c("scoring rate", "difference", "verdict", "P(X>Y)", "AUC") %in% names(scores)))
  cut <- rows_in_short(fair_audit(people, outcome = "y", score = "score", threshold = 0.5, groups = "group"))
  # errors stand in the place of what is beside them in fair_table(); no page has room for both
  expect_identical(names(cut), c("group", "n", "selection rate", "difference", "diff.low", "diff.high", "adj.p.value", "verdict",
    "FNR", "FPR", "PPV"))
  expect_identical(cut$verdict[is.na(cut$difference)], "reference")
  # errors: of few people how many of them, and the verdict where there is one, as print() has it
  gap <- tidy(fair_audit(people, outcome = "y", score = "score", threshold = 0.5, groups = "group"), role = "all")
  few <- people[c(which(people$group == people$group[1L]), which(people$group != people$group[1L])[1:24]), ]
  of_few <- rows_in_short(fair_audit(few, outcome = "y", score = "score", threshold = 0.5, groups = "group"))
  expect_match(of_few$FNR[of_few$n < 30], "^[0-9]+/[0-9]+$")
  expect_match(cut$FNR, "^0[.][0-9]{3}( [(](shown|tentative)[)])?$")
  main <- gap[gap$role == "main" & gap$metric == "FNR" & gap$contrast == "difference", ]
  shown_there <- main$group[main$verdict == "disparity shown"]
  expect_identical(sort(cut$group[grepl("(", cut$FNR, fixed = TRUE)]), sort(shown_there))
  both <- fair_audit(people, decision = "yhat", outcome = "y", score = "score", groups = c("group", "sex"),
    labels = list(attributes = list(group = "Origin")))
  expect_lte(ncol(rows_in_short(both)), 12L)
  expect_identical(unique(rows_in_short(both)$attribute), c("Origin", "sex", writable("Origin \u00d7 sex")))
  counted <- tidy(both)[!tidy(both)$metric %in% c("TNR", "FNR", "FDR", "FOR"), ] # as the help of glance() says
  expect_identical(sum(counted$verdict %in% "disparity shown"), as.integer(glance(both)$disparity.shown))
  expect_identical(sum(counted$verdict %in% "inconclusive"), as.integer(glance(both)$inconclusive))
  # whether scores answer is decided in Python
  answers <- function(...) fair_audit(people, outcome = "y", score = "score", groups = "group", ...)
  for (audit in list(answers(strata = "sex"), answers(margin = list(auc = 0.1)))) {
    expect_identical(audit$by_scores, "group")
    expect_match(names(rows_in_short(audit)), "^P\\(X>Y\\)", all = FALSE)
  }
  for (audit in list(answers(), answers(strata = "sex", threshold = 0.5), answers(decision = "yhat", margin = list(auc = 0.1)))) {
    expect_length(audit$by_scores, 0L)
  }
  ordered <- rows_in_short(fair_audit(mtcars, "gear", "am", class_order = list(3, 4, 5)))
  expect_identical(ordered$name, rep(c("3", "4", "5"), each = 2L))
  expect_no_match(shown[-(1:2)], "[0-9][.][0-9]{4}") # all digits are in tidy()
  expect_no_match(knitr::kable(a)[[3L]], "|NA ", fixed = TRUE) # text that is missing is empty
  equal <- fair_audit(arrests(), "released", "sex", favorable = "Yes", margin = 0.2)
  row <- tidy(equal)[which(tidy(equal)$verdict == "equivalence shown"), ][1L, ]
  short <- rows_in_short(equal)[2L, ] # what shows equivalence beside the test and the interval of a difference
  expect_identical(unlist(short[c("diff.low", "diff.high", "adj.p.value", "margin.low", "margin.high", "p.equivalence")],
    use.names = FALSE), unlist(row[c("conf.low", "conf.high", "adj.p.value", "margin.low", "margin.high", "p.equivalence")],
    use.names = FALSE))
  expect_identical(short$verdict, "within margin") # the words of the report's tables
  cells <- fair_table(equal, "differences")$cells
  expect_true("within margin" %in% cells$verdict)
  expect_no_match(names(rows_in_short(a)), "margin|equivalence")
  expect_false("inconclusive" %in% rows_in_short(a)$verdict)
  expect_lt(match("p.equivalence", names(tidy(equal))), match("verdict", names(tidy(equal))))
  paid <- rows_in_short(fair_audit(mtcars, decision = "vs", amount = "hp", groups = "am"))
  expect_equal(paid$`mean amount`, unname(c(tapply(mtcars$hp, mtcars$am, mean)[paid$group])))
  expect_equal(paid$`amount difference`[[2L]], diff(paid$`mean amount`))
  expect_identical(head(a, 2L), tidy(a)[1:2, ])
  inline <- function(code) knitr::knit(text = paste0("So: `r ", code, "`"), quiet = TRUE)
  expect_identical(inline("a"), paste("So:", a$finding))
  expect_error(inline("og(~ hp, groups = 'am', k = 1, data = mtcars)"), "has no sentence for a line; give a number of tidy(x)",
    fixed = TRUE)
  expect_identical(toString(a), paste(utils::capture.output(print(a)), collapse = "\n"))
  expect_error(update(a, . ~ sex), "made without a formula; update() takes arguments by their names", fixed = TRUE)
  expect_identical(tail(a, 1L), tidy(a)[nrow(tidy(a)), ])
  expect_lt(length(utils::capture.output(str(a))), 21L)
  expect_match(toLatex(a)[[2L]], "begin\\{table\\}")
  expect_identical(confint(a, "sex"), confint(a)[grepl(" sex = ", rownames(confint(a))), ])
  refused <- function(code, text) expect_error(code, text, class = "fairstats_input_error")
  refused(print(a, digits = 2), "no argument 'digits'")
  refused(print(summary(a), digits = 2), "no argument 'digits'")
  refused(head(a, m = 3), "head\\(\\) has no argument 'm'; it has x, n")
  refused(tail(a, m = 3), "tail\\(\\) has no argument 'm'; it has x, n")
  refused(toString(a, sep = ""), "toString\\(\\) has no argument 'sep'")
  fit <- og(mtcars, ~ hp + wt, "am", k = 1)
  for (verb in list(formula, stats::terms)) refused(verb(fit, zzz = 1), "no argument 'zzz'; it has x")
  for (verb in list(stats::model.matrix, stats::model.frame)) {
    refused(verb(fit, mtcars, zzz = 1), "no argument 'zzz'")
    refused(verb(fit, new_data = mtcars), "'new_data': it is called data here")
  }
  for (verb in list(summary, tidy, confint)) refused(verb(a, conf_level = 0.9), "update\\(x, conf_level = 0.9\\)")
})

test_that("what an R user types by habit is refused with the argument that is meant", {
  skip_without_python()
  refused <- function(code, text) expect_error(code, text, class = "fairstats_input_error", fixed = TRUE)
  d <- transform(arrests(), w = 1)
  refused(fair_audit(d, "released", "sex", ref = "Male"), "it is called reference here")
  refused(fair_audit(d, "released", by = "sex"), "it is called groups here")
  refused(fair_audit(d, "released", "sex", fav = "Yes"), "Did you mean 'favorable'?")
  refused(fair_audit(d, "released", "sex", alpha = 0.1), "give conf_level")
  refused(fair_audit(released ~ sex, d, subset = age > 20), "as subset() returns them")
  refused(fair_audit(formula = released ~ sex, data = d), "write the formula first")
  refused(fair_audit(d, "released", "sex", weights = w), "weights = \"w\".")
  refused(fair_audit(d, "released", "sex", reference = Male), "reference = \"Male\".")
  refused(fair_audit(d, "released", "sex", favorable = yes), "favorable = \"yes\".")
  refused(fair_audit(d, amount = "age", groups = "sex", adjust_for = year + checks), "a formula: ~ year + checks")
  refused(fair_audit(d$released, d$sex), "data is of class character; give a data frame")
  refused(fair_audit(d, "released", "sex", conf_level = c(0.9, 0.95)), "conf_level has 2 values")
  refused(fair_audit(d, "released", "sex", strata = d$checks), "strata = \"checks\"")
  refused(fair_audit(dplyr_like(d, "sex"), "released"), "groups = \"sex\"")
  refused(og(mtcars, "am", ncomp = 2), "it is called k here")
  refused(og(formula = ~ hp + wt, groups = "am", data = mtcars), "it is called x here")
})

test_that("a comparison takes functions that fit, and says so of what is fitted already", {
  skip_without_python()
  refused <- function(code, text) expect_error(code, text, class = "fairstats_input_error", fixed = TRUE)
  compared <- function(...) fair_compare(mtcars, "vs", "am", c("hp", "wt"), n_repeats = 2, k = 1, ...)
  fit <- og(~ hp + wt, "am", k = 1, data = mtcars)
  refused(compared(model = fit), "model is of class fairstats_fit, fitted already")
  refused(compared(model = list("logistic", glm(vs ~ hp, binomial, mtcars))), "model is of class glm, fitted already")
  refused(compared(methods = fit), "methods is of class fairstats_fit")
  refused(compared(model = "glm"), "without quotes: glm.")
  refused(compared(model = nowhere), "model = nowhere names no object")
  refused(fair_model(), "fit is missing")
  refused(fair_compare(fit, fit), "data is of class fairstats_fit, a result")
  refused(fair_compare(vs ~ hp, "am", data = mtcars), "name its columns: outcome, groups, features.")
  refused(fair_compare(mtcars, "vs", "am", hp + wt), "a formula: ~ hp + wt.")
  several <- utils::capture.output(compared(methods = "og", model = c("logistic", "lasso")))
  expect_match(several[[1L]], "1 method and 2 models")
  expect_true(any(grepl("the first of 2 models", several)) && any(grepl("lasso", several)))
})

test_that("a fit takes the data frame first and the formula second, as a pipe gives them", {
  skip_without_python()
  usual <- og(~ hp + wt, groups = "am", k = 1, data = mtcars)
  formula <- ~ hp + wt
  within <- list(formula = ~ hp + wt)
  turned <- list(og(mtcars, ~ hp + wt, groups = "am", k = 1), og(mtcars, ~ hp + wt, "am", 1), og(mtcars, formula, ~am, k = 1),
    og(mtcars, within$formula, "am", k = 1), og(mtcars, stats::reformulate(c("hp", "wt")), groups = "am", k = 1),
    og(mtcars, ~ hp + wt, factor(mtcars$am), k = 1), og(mtcars, ~ hp + wt, mtcars$am, 1))
  for (fit in turned) {
    expect_equal(fit$rotation, usual$rotation)
    expect_equal(update(fit, ~ . + qsec)$rotation, update(usual, ~ . + qsec)$rotation)
  }
  expect_identical(rownames(pca(mtcars, ~ hp + wt, groups = "am")$rotation), c("hp", "wt"))
  expect_identical(names(leace(mtcars, ~ hp + wt, "am")$center), c("hp", "wt"))
  outcome <- fair_pca(mtcars, ~ hp + wt, groups = "am", k = 1, y = "vs", target = "equal_opportunity")
  expect_identical(rownames(outcome$rotation), c("hp", "wt"))
  path <- sog_path(mtcars, ~ hp + wt, "am", k = 1, ts = 1.2)
  expect_identical(path, sog_path(~ hp + wt, "am", k = 1, ts = 1.2, data = mtcars))
  # the formula is of the features, whether groups are needed or not
  plain <- pca(~ hp + wt, k = 1, data = mtcars)
  forwarded <- function(data, ...) pca(data, ...)
  for (fit in list(pca(mtcars, ~ hp + wt, k = 1), pca(mtcars, ~ hp + wt, 1), pca(mtcars, c("hp", "wt"), k = 1, groups = NULL),
    pca(~ hp + wt, mtcars, 1), forwarded(mtcars, ~ hp + wt, k = 1))) {
    expect_equal(fit$rotation, plain$rotation)
  }
  expect_match(message_of(og(mtcars, ~ hp + wt, k = 1)), "^groups is missing; .* of the features; of groups it is groups = ~hp")
  expect_match(message_of(leace(mtcars, ~ hp + wt)), "^groups is missing")
  expect_identical(og(mtcars[c("hp", "wt")], ~am, k = 1, mtcars)$rotation, og(mtcars[c("hp", "wt")], mtcars$am, k = 1)$rotation)
  wrapped <- function(data, ...) og(data, ...)
  expect_equal(wrapped(mtcars, ~ hp + wt, groups = "am", k = 1)$rotation, usual$rotation)
  expect_match(message_of(og(x = mtcars, ~ hp + wt, groups = "am")), "give the formula first and the data frame as data")
})

test_that("a fit takes the data frame second, as lm() does, and names of columns after it", {
  skip_without_python()
  usual <- og(~ hp + wt, groups = "am", k = 1, data = mtcars)
  for (fit in list(og(~ hp + wt, mtcars, "am", k = 1), og(~ hp + wt, mtcars, "am", 1), og(~ hp + wt, mtcars, ~am, k = 1),
    og(c("hp", "wt"), mtcars, "am", 1), og(mtcars, c("hp", "wt"), "am", 1), og(mtcars, c("hp", "wt"), groups = "am", k = 1),
    og(~ hp + wt, mtcars["am"], 1, mtcars), do.call(og, list(mtcars, ~ hp + wt, groups = "am", k = 1)))) {
    expect_equal(fit$rotation, usual$rotation)
    expect_lt(nchar(deparse1(fit$call)), 90L)
  }
  expect_identical(names(leace(mtcars, c("hp", "wt"), "am")$center), c("hp", "wt"))
  expect_identical(nrow(og(mtcars, "am", 2)$rotation), 10L) # two names and a number: the groups and k
  expect_match(message_of(og(~ hp + wt, mtcars, k = 1)), "^groups is missing")
  expect_match(message_of(og(mtcars, ~ hp + wt, "amm")), "groups names 'amm'.*Did you mean 'am'")
})

test_that("choices of k and trade-offs take the data frame first, and tests of components say what they take", {
  skip_without_python()
  chosen <- function(...) tidy(fair_select_k(..., folds = 2, permutations = 9))
  wanted <- chosen(~ hp + wt + qsec, "am", "og", data = mtcars)
  expect_equal(chosen(mtcars, ~ hp + wt + qsec, groups = "am", method = "og"), wanted)
  expect_equal(chosen(mtcars, ~ hp + wt + qsec, "am", "og"), wanted)
  expect_match(message_of(fair_select_k(mtcars, ~am, "og")), "^groups is missing; .* of groups it is groups = ~am")
  expect_equal(chosen(mtcars[c("hp", "wt", "qsec", "am")], "am", "og"), wanted)
  both <- tidy(fair_tradeoff(~ hp + wt, "am", c("pca", "og"), k = 1, data = mtcars))
  expect_equal(tidy(fair_tradeoff(mtcars, ~ hp + wt, groups = "am", methods = c("pca", "og"), k = 1)), both)
  expect_equal(tidy(fair_tradeoff(mtcars, ~ hp + wt, "am", c("pca", "og"), 1)), both)
  fit <- og(~ hp + wt, "am", k = 1, data = mtcars)
  expect_match(message_of(fair_component_tests(fit, mtcars)), "of class fairstats_fit.*pass fair_crossfit")
})

test_that("a pipe computes its data once, and its fit has the call as it was written", {
  skip_without_python()
  computed <- 0L
  people <- function() {
    computed <<- computed + 1L
    mtcars
  }
  fit <- people() |> og(~ hp + wt, factor(mtcars$am), k = 1)
  expect_identical(computed, 1L)
  expect_identical(deparse1(fit$call), "og(x = ~hp + wt, groups = factor(mtcars$am), k = 1, data = people())")
  people() |> sog_path(~ hp + wt, "am", k = 1, ts = 1.2)
  expect_identical(computed, 2L)
})

test_that("names of other packages' arguments are answered with ours", {
  skip_without_python()
  ours <- c(pred = "decision", target = "outcome", response = "outcome", delta = "margin",
    baseline = "reference", ref_group = "reference", psu = "clusters", sampling_weights = "weights", ci = "conf_level",
    correction = "p_adjust", control_features = "strata", privileged_groups = "reference", epsilon = "margin", tau = "margin",
    ref_groups_dict = "reference", protected_attribute_names = "groups", unprivileged_groups = "groups", wts = "weights",
    sample_weight = "weights", random_state = "seed", conf.int = "conf_level", conf_int = "conf_level")
  for (name in names(ours)) {
    parts <- c(list(quote(fair_audit), mtcars, "vs", "am"), stats::setNames(list("x"), name))
    expect_match(message_of(eval(as.call(parts))), paste0("'", name, "': it is called ", ours[[name]], " here"), fixed = TRUE)
  }
  # labels are named, and not by their places among the levels
  expect_match(message_of(fair_audit(mtcars, "vs", "am", outcome = "gear", event_level = "second")),
    "'event_level'; favorable names the label of the decision that is counted, positive names that of the outcome.", fixed = TRUE)
  handed_on <- function(...) fair_audit(mtcars, "vs", "am", ...) # its `...` is all that the call has
  expect_match(message_of(handed_on(control_features = "gear")), "it is called strata here")
  expect_match(message_of(fair_audit(mtcars, amount = "hp", groups = "am", controls = "wt")), "it is called adjust_for here")
  expect_match(message_of(fair_audit(mtcars, "vs", "am", na_rm = TRUE)), "; rows without a value are left out")
  expect_match(message_of(fair_compare(mtcars, n_boot = 9)), "; limits here need no bootstrap")
  expect_match(message_of(spectral_clustering(diag(9), centers = 2)), "it is called k here")
  expect_match(message_of(fair_spectral_clustering(diag(9), n_clusters = 2)), "it is called k here")
  expect_match(message_of(og(mtcars, "am", standardize = TRUE)), "it is called scale here")
  expect_match(message_of(fair_monitor(mtcars, "vs", "am", by = "gear")), "it is called period here")
  expect_match(message_of(fair_bootstrap_loadings(mtcars, n_boot = 9)), "it is called replicates here")
  expect_match(message_of(fair_audit(mtcars, "vs", "am", data = mtcars)), "given data by its name; .* groups only")
  expect_match(message_of(pca(mtcars[1:3], 2)), "groups = 2 is one number, .*the number of components is k: pca\\(x, k = 2\\)")
  expect_match(message_of(og(mtcars, 2)), "og\\(x, groups, k = 2\\)")
  audit <- fair_audit(mtcars, "vs", "am")
  expect_match(message_of(fair_local_law_144(mtcars, "vs", "am")), "^audit is of class data.frame; give what fair_audit\\(\\)")
  expect_match(message_of(fair_by_group(audit, group = "am")), "it is called attribute here")
  tally <- fair_tally(mtcars, "vs", "am")
  expect_match(message_of(fair_suppress_cells(tally, threshold = 5)), "it is called min_n here")
  expect_match(message_of(fair_suppress_cells(tally, n = 5)), "it is called min_n here")
})

test_that("names that other functions of R have are answered where ours differ by function", {
  skip_without_python()
  people <- transform(mtcars, a = vs, b = am)
  called <- function(call, ours) {
    expect_match(message_of(eval(substitute(call))), paste0("it is called ", ours, " here"), label = deparse1(substitute(call)))
  }
  called(fair_audit(people, "vs", "am", eps = 0.1), "margin")
  called(fair_audit(people, "vs", variables = "am"), "groups")
  called(fair_audit(people, "vs", "am", vcov = ~cyl), "clusters")
  called(fair_audit(people, "vs", "am", case_weights = "cyl"), "weights")
  called(fair_proxies(people, "am", variables = "wt"), "features")
  called(fair_compare_models(people, predictions = c("a", "b"), groups = "am"), "models")
  called(fair_alternatives(people, predictions = c("a", "b"), groups = "am"), "candidates")
  called(fair_representation(people, "am", reference = c(a = 1)), "benchmark")
  called(disparity_pca(people, ~ hp + wt, "am", lambda = 0.5, advantaged = 1, disadvantaged = 0), "lam")
  called(og(people, ~ hp + wt, "am", num_comp = 1), "k")
  for (name in c("features", "variables", "formula")) {
    parts <- c(list(quote(og), data = people, groups = "am"), stats::setNames(list(~ hp + wt), name))
    expect_match(message_of(eval(as.call(parts))), paste0("'", name, "': it is called x here"), fixed = TRUE)
  }
  fit <- og(people, ~ hp + wt, "am", k = 1)
  called(predict(fit, data = people), "newdata")
  called(predict(fit, new_data = people), "newdata")
  for (one in list(fit, leace(people, ~ hp + wt, "am"), residualize(people, ~ hp + wt, "am"), fair_crossfit(fit, people))) {
    called(augment(one, new_data = people), "newdata")
    expect_match(message_of(augment(one, zzz = people)), "augment() has no argument 'zzz'; it has x, data", fixed = TRUE)
  }
  # no argument does the same
  expect_match(message_of(fair_audit(people, "vs", "am", survey_design = 1)), "give the design, as survey::svydesign")
  expect_match(message_of(fair_audit(people, groups = "am", model = fit)), "data\\$p <- predict\\(model, data\\), and give score")
  expect_match(message_of(sog(people, ~ hp + wt, "am", lambda = 1)), "t bounds the sum of absolute loadings")
  # what is true of other functions only is not said
  audit <- fair_audit(people, "vs", "am")
  for (name in c("formula", "alpha", "subset", "na.rm")) {
    parts <- c(list(quote(tidy), audit), stats::setNames(list(1), name))
    expect_match(message_of(eval(as.call(parts))), paste0("no argument '", name, "'; it has x, conf.int"), fixed = TRUE)
  }
  expect_match(message_of(fair_audit(people, "vs", "am", models = "a")), "; it has data, decision, groups") # and not: labels?
})

test_that("a one-sided formula names columns in every function of data", {
  skip_without_python()
  people <- transform(mtcars, a = vs, b = 1 - vs, month = rep(1:4, 8), job = rep(1:16, each = 2), pay = mpg,
    sex = rep(c("f", "m"), 16))
  same <- function(by_formula, by_name) expect_identical(tidy(by_formula), tidy(by_name))
  same(fair_audit(people, decision = ~vs, groups = ~am, strata = ~cyl, weights = ~gear),
    fair_audit(people, "vs", "am", strata = "cyl", weights = "gear"))
  same(fair_proxies(people, ~am, features = ~ wt + hp), fair_proxies(people, "am", features = c("wt", "hp")))
  same(fair_monitor(people, "vs", ~sex, period = ~month), fair_monitor(people, "vs", "sex", period = "month"))
  same(fair_matched_pairs(people, "vs", ~sex, ~job), fair_matched_pairs(people, "vs", "sex", "job"))
  same(fair_compare_models(people, ~ a + b, ~sex), fair_compare_models(people, c("a", "b"), "sex"))
  same(fair_gender_pay_gap(people, pay = ~pay, groups = ~sex, min_n = 1),
    fair_gender_pay_gap(people, "pay", "sex", min_n = 1))
  same(fair_stages(people, ~vs, ~sex), fair_stages(people, "vs", "sex"))
  # names of their own would be lost
  same(fair_stages(people, c(vs = "vs"), c("sex")), fair_stages(people, "vs", "sex"))
  for (named in list(c(first = "vs"), list(first = "vs"))) {
    expect_match(message_of(fair_stages(people, named, "sex")), "stages has the names first.*give stages = \"vs\"[.]")
  }
  expect_match(message_of(fair_audit(people, "vs", c(Sex = "sex"))), "groups has the names Sex.*give groups = \"sex\"[.]")
  expect_match(message_of(og(people, ~ wt + hp, c(Sex = "sex"), k = 1)), "groups has the names Sex.*give groups = \"sex\"[.]")
  same(og(people, ~ wt + hp, "sex", k = 1, weights = ~gear), og(people, ~ wt + hp, "sex", k = 1, weights = "gear"))
  same(fair_pca(people, ~ wt + hp, groups = ~sex, k = 1, y = ~vs, target = "equal_opportunity"),
    fair_pca(people, ~ wt + hp, groups = "sex", k = 1, y = "vs", target = "equal_opportunity"))
  expect_match(message_of(fair_proxies(people, ~am, features = ~ log(wt))), "has log\\(wt\\), and columns are taken as they are")
  expect_match(message_of(fair_audit(people, ~am)), "no name of a decision on its left-hand side")
  expect_match(message_of(fair_monitor(people, "vs", "am", period = months)), "period = months names .*period = \"months\"")
  expect_match(message_of(fair_audit(people, "vs", "am", class_order = ~vs)), "class_order = ~vs is a formula; give a value")
  expect_match(message_of(fair_audit(people, "vs", no_such("am"))), "groups = no_such.* calls no_such\\(\\), which is no")
})

test_that("values of another type are refused by the name of the argument, and none is ignored", {
  skip_without_python()
  audit <- fair_audit(mtcars, "vs", "am")
  fit <- og(mtcars, ~ hp + wt, "am", k = 1)
  said <- function(code, text) expect_error(code, text, class = "fairstats_input_error")
  for (verb in list(coef, nobs)) said(verb(audit, foo = 1), "no argument 'foo'")
  said(toLatex(fair_table(audit), foo = 1), "no argument 'foo'")
  said(coef(fit, foo = 1), "no argument 'foo'")
  said(fitted(fit, foo = 1), "no argument 'foo'")
  said(tidy(audit, exponentiate = 1), "exponentiate = 1 is neither TRUE nor FALSE")
  said(tidy(audit, conf.level = "a"), "conf.level is of class character and length 1; give a number")
  said(confint(audit, list(1)), "parm is of class list")
  said(augment(fit, mtcars, adjusted = "yes"), "adjusted = \"yes\" is neither")
  said(augment(fit, newdata = 1), "data is of class numeric; give the data frame")
  said(fair_crossfit(fit, data = mtcars, continuous = "x"), "continuous has 'x', which is not among the groups \\(am\\)")
  said(fair_crossfit(fit, data = mtcars, missing = c("drop", "level")), "missing has 2 values")
  said(fair_crossfit(fit, data = ~am), "data = ~am is a formula")
  said(fair_extra_error(fit, groups = "am"), "groups goes with rows")
  said(fair_compare(mtcars, NULL, "am", ~wt), "outcome is NULL")
  said(fair_suppress_cells(fair_tally(mtcars, "vs", "am"), NULL), "min_n is NULL")
  said(fair_local_law_144(audit, unknown = NA), "unknown is NA")
  said(fair_table(audit, kind = mtcars), "kind is of class data.frame")
  said(fair_monitor(mtcars, "vs", "am", period = "gear", state = 1), "state is of class numeric")
  said(audit$report(), "no part 'report'; see fair_report\\(x\\)")
})

test_that("tables and figures of scans and changes say that they are of differences", {
  skip_without_python()
  skip_if_not_installed("knitr")
  skip_if_not_installed("ggplot2")
  a <- arrests()
  early <- fair_audit(a[a$year <= 1999, ], "released", "colour", favorable = "Yes")
  late <- fair_audit(a[a$year > 1999, ], "released", "colour", favorable = "Yes")
  change <- fair_compare_audits(early, late)
  scan <- fair_subgroup_scan(a, "released", c("colour", "sex"), favorable = "Yes")
  of_change <- "change of the difference in selection rate"
  of_scan <- "selection rate, difference from everybody"
  expect_match(knitr::kable(change)[[3L]], paste0("\\|Black *\\|White *\\|", of_change))
  expect_no_match(knitr::kable(change)[[1L]], "p.value.*p.value")
  expect_match(knitr::kable(scan)[-(1:2)], of_scan)
  expect_identical(axis_of(other_rows(change, NULL)), of_change)
  expect_identical(other_rows(change, NULL)$label, "Black vs White")
  rows <- other_rows(scan, NULL)
  expect_identical(axis_of(rows), of_scan)
  expect_false(is.unsorted(rows$estimate))
  expect_identical(rows$filled, rows$verdict == "flagged")
  for (pair in list(list(change, of_change), list(scan, of_scan))) {
    expect_identical(unique(ggplot2::autoplot(pair[[1L]])$data$metric), pair[[2L]])
  }
  named <- function(people) {
    people$colour <- ifelse(people$colour == "White", "everybody", "Black")
    fair_audit(people, "released", "colour", favorable = "Yes", reference = "everybody")
  }
  changed <- other_rows(fair_compare_audits(named(a[a$year <= 1999, ]), named(a[a$year > 1999, ])), NULL)
  expect_identical(changed$label, "Black vs everybody")
  expect_null(changed$filled)
  # their compact tables come first
  expect_identical(fair_table(change)$cells, fair_table(change, "changes")$cells)
  expect_identical(fair_table(scan)$cells, fair_table(scan, "subgroups", metric = "selection rate")$cells)
  expect_match(fair_table(scan, language = "de")$caption, "Unterschied jeder Untergruppe")
})

test_that("what is drawn and shown of models compared is called the change of a gap, of which model to which", {
  skip_without_python()
  skip_if_not_installed("knitr")
  skip_if_not_installed("ggplot2")
  cars <- transform(mtcars, old = as.integer(wt < 3), new = as.integer(hp < 120), third = as.integer(qsec > 18))
  study <- fair_compare_models(cars, c("old", "new"), "am", outcome = "vs", reference = 0)
  of_gap <- "change of the difference in selection rate (new less old)"
  shown <- knitr::kable(study)
  expect_match(gsub(" +", " ", shown), paste0("|1 |0 |", of_gap), fixed = TRUE, all = FALSE)
  expect_match(gsub(" +", " ", shown), "|everybody | |change in accuracy (new less old)", fixed = TRUE, all = FALSE)
  drawn <- other_rows(study, "selection rate")
  expect_identical(c(axis_of(drawn), drawn$label), c(of_gap, "1 vs 0"))
  expect_identical(axis_of(other_rows(study, "accuracy")), "change in accuracy (new less old)") # with that of everybody
  expect_true(all(c(of_gap, "change in accuracy (new less old)", "change of the difference in accuracy (new less old)") %in%
    ggplot2::autoplot(study)$data$metric))
  expect_match(tidy(study)$term[[1L]], "difference . new vs old$")
  pairs <- other_rows(fair_compare_models(cars, c("old", "new", "third"), "am", versus = "all", reference = 0), NULL)
  expect_identical(axis_of(pairs), "change of the difference in selection rate")
  expect_identical(pairs$label[[3L]], "1 vs 0, third less new")
  # the level of their intervals, which together have that of the call
  expect_identical(ggplot2::autoplot(study)$labels$caption, "intervals of one rate: each 95%, 97.5%, together 95%")
})

test_that("changes have the names of the audits, and figures of these the words for their rate and the level of intervals", {
  skip_without_python()
  skip_if_not_installed("knitr")
  skip_if_not_installed("ggplot2")
  words <- list(unit = "arrestees", favorable = "were released", unfavorable = "were detained",
    attributes = list(colour = "color"),
    groups = list(colour = list(Black = "Black people"), sex = list(Female = "females", Male = "males")))
  a <- arrests()
  early <- fair_audit(a[a$year <= 1999, ], "released", c("colour", "sex"), favorable = "Yes", labels = words,
    intersections = FALSE)
  late <- fair_audit(a[a$year > 1999, ], "released", c("colour", "sex"), favorable = "Yes", labels = words,
    intersections = FALSE)
  change <- fair_compare_audits(early, late)
  expect_match(gsub(" +", " ", knitr::kable(change)), "|color |Black people |White |", fixed = TRUE, all = FALSE)
  expect_identical(other_rows(change, NULL)$label, c("Black people vs White", "Females vs Males"))
  expect_output(print(change), "selection rate: Females less")
  axes <- ggplot2::autoplot(early, "differences", attribute = "colour")$labels
  expect_identical(axes$x, "share who were released, difference from White")
  expect_identical(axes$caption, "intervals: each 97.5%, together 95%")
  expect_identical(axis_of(audit_rows(fair_audit(mtcars, "vs", "am"), NULL, NULL, "rates")), "selection rate")
})

test_that("an attribute in the place of a metric is an error that says so, and a metric in that of an attribute", {
  skip_without_python()
  audit <- fair_audit(mtcars, "vs", c("am", "gear"))
  for (drawn in list(fair_figure, plot)) {
    expect_error(drawn(audit, "rates", "gear"), "write attribute = \"gear\"", class = "fairstats_input_error")
  }
  expect_error(fair_table(audit, "rates", "selection rate"), "write metric = \"selection rate\"",
    class = "fairstats_input_error")
})

test_that("a decision of many numbers is one error, without a warning before it", {
  skip_without_python()
  expect_no_warning(expect_error(fair_audit(arrests(), "age", "colour"), "53 values", class = "fairstats_input_error"))
})
