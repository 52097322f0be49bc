# yardstick is not to be had where these tests were written. A stand-in of what its metric_set() does in versions 0.0.9 to
# 1.4.0 (R/aaa-metric_set.R): every class metric is called with `estimator` and all its other arguments, as quosures, and
# its failure is the parent of another error. Its own metrics end in `...`, which has to be empty.
metric_set_like <- function(...) {
  metrics <- list(...)
  for (metric in metrics) {
    stopifnot(inherits(metric, c("class_metric", "metric", "function"), which = TRUE) > 0L)
    stopifnot(attr(metric, "direction") %in% c("minimize", "maximize", "zero"))
  }
  function(data, truth, ..., estimate, estimator = NULL, na_rm = TRUE, event_level = "first", case_weights = NULL) {
    arguments <- rlang::quos(data = data, truth = !!rlang::enquo(truth), estimate = !!rlang::enquo(estimate),
      estimator = estimator, na_rm = na_rm, event_level = event_level, case_weights = !!rlang::enquo(case_weights))
    rows <- lapply(metrics, function(metric) {
      called <- rlang::call2(metric, !!!arguments)
      tryCatch(rlang::eval_tidy(called), error = function(problem) rlang::abort("Failed to compute.", parent = problem))
    })
    do.call(rbind, rows)
  }
}

cases <- data.frame(
  truth = factor(people$y, 1:0, c("yes", "no")), estimate = factor(people$yhat, 1:0, c("yes", "no")),
  group = people$group, sex = people$sex, w = seq_len(nrow(people)) %% 3 + 1
)
range_of <- function(event, among, group) diff(range(tapply(event[among], group[among], mean)))

test_that("the metrics are ranges over the groups, with limits around them", {
  skip_without_python()
  y <- cases$truth == "yes"
  d <- cases$estimate == "yes"
  parity <- fair_demographic_parity(group)(cases, truth, estimate)
  expect_identical(names(parity), c(".metric", ".by", ".estimator", ".estimate", ".lower", ".upper"))
  expect_identical(unlist(parity[1:3], use.names = FALSE), c("demographic_parity", "group", "binary"))
  expect_equal(parity$.estimate, range_of(d, TRUE, cases$group), tolerance = 1e-12)
  expect_true(parity$.lower <= parity$.estimate && parity$.estimate <= parity$.upper)
  expect_equal(fair_equal_opportunity(sex)(cases, truth, estimate)$.estimate, range_of(d, y, cases$sex), tolerance = 1e-12)
  odds <- max(range_of(d, y, cases$group), range_of(!d, !y, cases$group))
  expect_equal(fair_equalized_odds(group)(cases, truth, estimate)$.estimate, odds, tolerance = 1e-12)
  second <- fair_equal_opportunity(sex)(cases, truth, estimate, event_level = "second")
  expect_equal(second$.estimate, range_of(!d, !y, cases$sex), tolerance = 1e-12)
})

test_that("an audit of three groups or more has the range among the rows of all groups at once", {
  skip_without_python()
  decided <- transform(cases, hired = estimate == "yes")
  range_in <- function(groups) {
    rows <- tidy(fair_audit(decided, "hired", groups), role = "all")
    rows$estimate[rows$metric == "selection rate" & rows$role == "omnibus" & rows$contrast == "difference"]
  }
  expect_equal(range_in("group"), fair_demographic_parity(group)(cases, truth, estimate)$.estimate, tolerance = 1e-12)
  expect_length(range_in("sex"), 0L) # of two the difference itself
})

test_that("they are parts of a metric set, alone and by group, with columns as names or text", {
  skip_without_python()
  both <- metric_set_like(fair_demographic_parity(group), fair_equalized_odds(sex))
  made <- both(cases, truth, estimate = estimate)
  expect_identical(made$.metric, c("demographic_parity", "equalized_odds"))
  expect_identical(made$.by, c("group", "sex"))
  expect_equal(both(cases, "truth", estimate = "estimate"), made)
  expect_equal(made$.estimate[[1L]], range_of(cases$estimate == "yes", TRUE, cases$group), tolerance = 1e-12)
  expect_identical(both(cases, truth, estimate = estimate, estimator = "binary"), made)
  expect_error(fair_demographic_parity(group)(cases, truth, estimate, estimator = "macro"), "two classes",
    class = "fairstats_input_error")
  expect_equal(both(cases, truth, estimate = estimate, case_weights = w, event_level = "second")$.estimate[[2L]],
    fair_equalized_odds(sex)(cases, truth, estimate, case_weights = w, event_level = "second")$.estimate)
  grouped <- dplyr_like(cases, "sex")
  parts <- fair_demographic_parity(group)(grouped, truth, estimate)
  expect_identical(names(parts)[1:2], c("sex", ".metric"))
  alone <- fair_demographic_parity(group)(cases[cases$sex == "male", ], truth, estimate)
  expect_equal(parts$.estimate[parts$sex == "male"], alone$.estimate)
  expect_error(fair_demographic_parity(sex)(grouped, truth, estimate), "grouped by sex", class = "fairstats_input_error")
})

test_that("case weights, missing values and people without a group are counted", {
  skip_without_python()
  d <- cases$estimate == "yes"
  weighted <- fair_demographic_parity(group)(cases, truth, estimate, case_weights = w)
  shares <- tapply(cases$w * d, cases$group, sum) / tapply(cases$w, cases$group, sum)
  expect_equal(weighted$.estimate, diff(range(shares)), tolerance = 1e-12)
  skip_if_not_installed("hardhat")
  counted <- transform(cases, w = hardhat::frequency_weights(as.integer(w)))
  often <- cases[rep(seq_len(nrow(cases)), cases$w), ]
  expect_equal(fair_demographic_parity(group)(counted, truth, estimate, case_weights = w),
    fair_demographic_parity(group)(often, truth, estimate), tolerance = 1e-9)
  holes <- cases
  holes$truth[1:9] <- NA
  expect_equal(fair_demographic_parity(group)(holes, truth, estimate),
    fair_demographic_parity(group)(cases[-(1:9), ], truth, estimate))
  expect_identical(fair_demographic_parity(group)(holes, truth, estimate, na_rm = FALSE)$.estimate, NA_real_)
  holes <- transform(cases, group = replace(group, 1:40, NA))
  found <- fair_demographic_parity(group)(holes, truth, estimate)$.estimate
  expect_equal(found, range_of(d, TRUE, replace(holes$group, 1:40, "nobody's")), tolerance = 1e-12)
})

test_that("a group in which fewer than two groups have the rate is NA with a warning, as the help page says", {
  skip_without_python()
  odd <- transform(cases, part = ifelse(sex == "male", "one level", "rest"))
  odd$truth[odd$sex == "male"] <- "no"
  expect_warning(one <- fair_equal_opportunity(group)(dplyr_like(odd, "part"), truth, estimate),
    "equal_opportunity of part = one level is NA: fewer than two groups of group have the rate", class = "fairstats_warning")
  limits <- unlist(one[one$part == "one level", c(".estimate", ".lower", ".upper")])
  expect_identical(unname(limits), rep(NA_real_, 3L))
  expect_false(any(is.nan(limits)))
  rest <- odd[odd$part == "rest", ]
  expect_equal(one$.estimate[one$part == "rest"], range_of(rest$estimate == "yes", rest$truth == "yes", rest$group),
    tolerance = 1e-12)
  # one group alone has no other to be compared with
  expect_warning(alone <- fair_demographic_parity(sex)(odd[odd$sex == "male", ], truth, estimate), "is NA")
  expect_identical(alone$.estimate, NA_real_)
})

test_that("a group that a rate is not of is left out of its range with a warning that names it", {
  skip_without_python()
  odd <- transform(cases, truth = replace(truth, group == "c", "no"))
  rest <- odd[odd$group != "c", ]
  expect_warning(chance <- fair_equal_opportunity(group)(odd, truth, estimate),
    "^equal_opportunity: the range of the sensitivity leaves out c, where nobody has the truth \"yes\"[.]$",
    class = "fairstats_warning")
  expect_equal(chance$.estimate, range_of(rest$estimate == "yes", rest$truth == "yes", rest$group), tolerance = 1e-12)
  expect_warning(fair_equalized_odds(group)(odd, truth, estimate, event_level = "second"), "specificity leaves out c,")
  expect_warning(fair_equal_opportunity(group)(transform(odd, group = replace(group, group == "c", NA)), truth, estimate),
    "leaves out people without a group,")
  unweighted <- transform(cases, w = ifelse(group == "c" & truth == "yes", 0, 1))
  expect_warning(fair_equal_opportunity(group)(unweighted, truth, estimate, case_weights = w), "leaves out c,")
  expect_no_warning(fair_demographic_parity(group)(odd, truth, estimate))
})

test_that("warnings of a grouped data frame say of which part, and rows without a prediction are said to be none", {
  skip_without_python()
  odd <- transform(cases, truth = replace(truth, group == "c", "no"), part = "first")
  expect_warning(fair_equal_opportunity(group)(dplyr_like(odd, "part"), truth, estimate),
    "^equal_opportunity of part = first: the range")
  expect_warning(none <- fair_demographic_parity(group)(cases[0L, ], truth, estimate),
    "^demographic_parity is NA: no row has both truth and estimate[.]$", class = "fairstats_warning")
  expect_identical(none$.estimate, NA_real_)
})

test_that("groups of several columns, weights of text and an audit's names are answered with the way out", {
  wrong <- function(code, text) expect_error(code, text, class = "fairstats_input_error")
  way <- "dplyr::mutate\\(data, both = interaction\\(group, sex\\)\\)"
  wrong(fair_demographic_parity(interaction(group, sex)), way)
  wrong(fair_demographic_parity((interaction(group, sex))), way)
  wrong(fair_demographic_parity(c(group, sex)), way)
  wrong(fair_demographic_parity(group, sex), way)
  metric <- fair_demographic_parity(group)
  wrong(metric(transform(cases, w = "1"), truth, estimate, case_weights = w), "case_weights is of class character; name")
  wrong(metric(transform(cases, w = factor("1")), truth, estimate, case_weights = w), "case_weights is of class factor")
  wrong(metric(cases, outcome = truth, estimate), "called truth here")
  wrong(metric(cases, truth, decision = estimate), "called estimate here")
  wrong(metric(cases, truth, .pred_class = estimate), "called estimate here")
  wrong(metric(cases, truth, prediction = estimate), "called estimate here")
})

test_that("names that yardstick and models have, rows one by one and its former option are answered", {
  wrong <- function(code, text) expect_error(code, text, class = "fairstats_input_error")
  wrong(fair_demographic_parity(groups = group), "has no argument 'groups': it is called by here")
  wrong(fair_demographic_parity(group, sex), "conf_level = sex names no object; the groups are those of one column")
  metric <- fair_demographic_parity(group)
  wrong(metric(cases, truth, estimate, na.rm = TRUE), "no argument 'na.rm': it is called na_rm here")
  wrong(metric(cases, truth, estimate, weights = w), "no argument 'weights': it is called case_weights here")
  wrong(metric(cases, truth, estimate, case_weight = w, cutoff = 1), "no argument 'cutoff'; it has data, truth")
  wrong(metric(cases, truth, estimate, "binary", TRUE, NULL, "first", 1), "more values than it takes")
  wrong(metric(structure(cases, class = c("rowwise_df", "tbl_df", "tbl", "data.frame")), truth, estimate), "data is rowwise")
  skip_without_python()
  old <- options(yardstick.event_first = FALSE)
  on.exit(options(old))
  expect_warning(first <- metric(cases, truth, estimate), "yardstick.event_first = FALSE\\) is not heeded")
  expect_no_warning(same <- metric(cases, truth, estimate, event_level = "first"))
  expect_identical(first, same)
})

test_that("a variable that holds the name of a column is taken by all_of() and !!, and named by the error", {
  skip_without_python()
  wrong <- function(code, text) expect_error(code, text, class = "fairstats_input_error")
  chosen <- "truth"
  attribute <- "group"
  wanted <- fair_demographic_parity(group)(cases, truth, estimate)
  expect_identical(fair_demographic_parity(all_of(attribute))(cases, all_of(chosen), estimate), wanted)
  expect_identical(fair_demographic_parity(!!attribute)(cases, !!chosen, estimate), wanted)
  expect_identical(metric_set_like(fair_demographic_parity(group))(cases, all_of(chosen), estimate = estimate), wanted)
  by_variable <- fair_demographic_parity(attribute)
  wrong(by_variable(cases, truth, estimate), "by = attribute is no column .*write !!attribute, or \"group\"")
  metric <- fair_demographic_parity(group)
  wrong(metric(cases, chosen, estimate), "truth = chosen is no column of data .*write !!chosen, or \"truth\"")
  wrong(metric(cases, truth, no_such("e")), "estimate = no_such.* cannot be computed: .*; name a column")
  wrong(metric(cases, truth, prediction = estimate), "no argument 'prediction': it is called estimate here")
  wrong(metric(cases, truth, estimate, na_rm = "no"), "na_rm = \"no\" is neither TRUE nor FALSE")
  wrong(fair_demographic_parity(group = group), "no argument 'group': it is called by here")
})

test_that("what is no column, no factor of two levels or no event is said", {
  wrong <- function(code, text) expect_error(code, text, class = "fairstats_input_error")
  wrong(fair_demographic_parity(), "by is missing")
  for (level in list("third", NULL, c("first", "second"), 2, NA, factor("first"))) {
    wrong(fair_demographic_parity(group)(cases, truth, estimate, event_level = level), "neither \"first\" nor \"second\"")
  }
  wrong(fair_demographic_parity(group, conf.level = 0.9), "Did you mean 'conf_level'")
  wrong(fair_demographic_parity(group + sex), "no name of a column")
  metric <- fair_demographic_parity(grup)
  wrong(metric(cases, truth, estimate), "Did you mean 'group'")
  metric <- fair_demographic_parity(group)
  wrong(metric(as.list(cases), truth, estimate), "of class list")
  wrong(metric(cases, truth), "estimate is missing")
  wrong(metric(cases, w, estimate), "of class numeric; give a factor of two levels")
  wrong(metric(transform(cases, truth = factor(group)), truth, estimate), "factor of 3 levels")
  wrong(metric(transform(cases, truth = factor(truth, c("no", "yes"))), truth, estimate), "same order")
})

test_that("what the metric takes is no argument of the function that returns it", {
  for (name in c("demographic_parity", "equal_opportunity", "equalized_odds")) {
    make <- getExportedValue("fairstats", paste0("fair_", name))
    way <- paste0("fair_", name, "(sex)(data, truth, estimate).")
    wrong <- function(code) expect_error(code, way, fixed = TRUE, class = "fairstats_input_error")
    wrong(make(cases, truth, estimate))
    wrong(make(data = cases, truth = truth, estimate = estimate, by = group))
    wrong(make(group, event_level = "second"))
    wrong(make(group, na_rm = FALSE))
    wrong(make(cases, "truth", "estimate", "group"))
  }
  skip_without_python()
  expect_error(fair_demographic_parity(group)(cases, truth, estimate, case_weights = -w), "^case_weights has -[123];",
    class = "fairstats_input_error")
})

test_that("the limits of equalized odds do not depend on which level is the event", {
  skip_without_python()
  metric <- fair_equalized_odds(group)
  first <- metric(cases, truth, estimate)
  expect_equal(metric(cases, truth, estimate, event_level = "second"), first, tolerance = 1e-12)
})

test_that("a level that is none is refused where the metric is made", {
  for (make in list(fair_demographic_parity, fair_equal_opportunity, fair_equalized_odds)) {
    for (level in list(95, 0, 1, NA, "0.95", c(0.9, 0.95))) {
      expect_error(make(sex, conf_level = level), "give 0.95 for an interval of 95%", class = "fairstats_input_error")
    }
    expect_error(make(sex, conf_level = NULL), "conf_level is NULL; .* its default, 0.95", class = "fairstats_input_error")
  }
})

test_that("a table in the place of the column is refused without its contents", {
  for (wrong in list(quote(fair_demographic_parity("am", mtcars)), quote(fair_equalized_odds(mtcars, by = am)))) {
    problem <- expect_error(eval(wrong), "takes the column of the groups", class = "fairstats_input_error")
    expect_lt(nchar(conditionMessage(problem)), 200)
  }
})

test_that("an error inside tidy evaluation, whose frames may be their own parents, is an error", {
  setTimeLimit(elapsed = 60, transient = TRUE)
  on.exit(setTimeLimit())
  expect_error(rlang::eval_tidy(quote(fair_equalized_odds(am, conf_level = 95))), class = "fairstats_input_error")
  metric <- rlang::eval_tidy(quote(fair_equalized_odds(am)))
  expect_error(rlang::eval_tidy(quote(metric(mtcars, nothing, vs))), class = "fairstats_input_error")
})
