# A formula in every function that takes one; formula() and update() of results; what a result calls its data.

cars <- transform(mtcars, job = rep(1:16, each = 2), year = rep(2020:2023, 8), grade = rep(1:2, 16))

test_that("a formula says the same as arguments, in every function that takes one", {
  skip_without_python()
  pairs <- list(
    list(fair_tally(vs ~ am + gear | cyl, cars), fair_tally(cars, "vs", c("am", "gear"), strata = "cyl")),
    list(fair_subgroup_scan(vs ~ am + gear, cars), fair_subgroup_scan(cars, "vs", c("am", "gear"))),
    list(fair_subgroup_scan(cars, vs ~ am + gear), fair_subgroup_scan(cars, "vs", c("am", "gear"))),
    list(fair_monitor(vs ~ am, cars, period = "year"), fair_monitor(cars, "vs", "am", period = "year")),
    list(cars |> fair_monitor(vs ~ am, period = "year"), fair_monitor(cars, "vs", "am", period = "year")),
    list(fair_monitor(vs ~ am, data = cars, period = "year"), fair_monitor(cars, "vs", "am", period = "year")),
    list(cars |> fair_matched_pairs(vs ~ am | job), fair_matched_pairs(cars, "vs", "am", "job")),
    list(cars |> fair_gender_pay_gap(mpg ~ am, reference = 0), fair_gender_pay_gap(cars, "mpg", "am", reference = 0)),
    list(cars |> fair_pay_transparency(mpg ~ am | grade, reference = 0),
      fair_pay_transparency(cars, "mpg", "am", category = "grade", reference = 0)),
    list(fair_matched_pairs(vs ~ am | job, cars), fair_matched_pairs(cars, "vs", "am", "job")),
    list(fair_gender_pay_gap(mpg ~ am, cars, reference = 0), fair_gender_pay_gap(cars, "mpg", "am", reference = 0)),
    list(fair_pay_transparency(mpg ~ am | grade, cars, reference = 0),
      fair_pay_transparency(cars, "mpg", "am", category = "grade", reference = 0))
  )
  for (pair in pairs) {
    expect_identical(tidy(pair[[1L]]), tidy(pair[[2L]]))
    expect_true(inherits(formula(pair[[1L]]), "formula"))
  }
  expect_match(message_of(fair_matched_pairs(vs ~ am, cars)), "blocks is missing, and vs ~ am has no bar")
  expect_match(message_of(fair_monitor(vs ~ am | cyl, cars)), "compared within strata here; leave it out: vs ~ am\\.$")
  expect_match(message_of(fair_stages(vs ~ am, cars)), "fair_stages() takes no formula", fixed = TRUE)
  expect_match(message_of(fair_monitor(cars, "vs")), "groups is missing; name one column of the data.", fixed = TRUE)
  expect_match(message_of(fair_audit(cars, vs, am)), "write columns in quotes, decision = \"vs\", or a formula")
  expect_match(message_of(fair_audit(cars, "vs", c(am, gear))), "quotes, groups = c(\"am\", \"gear\"), or", fixed = TRUE)
  # and in functions without such a formula; what a variable of a wrapper is called is no matter
  expect_match(message_of(og(~ hp + wt, groups = am, data = cars, k = 1)), "groups = \"am\", or a formula: groups = ~ am.",
    fixed = TRUE)
  expect_match(message_of(fair_proxies(cars, c(am, vs))), "groups = c(\"am\", \"vs\"), or", fixed = TRUE)
  expect_match(message_of(og(hp + wt, "am", data = cars)),
    "write columns in quotes, x = c(\"hp\", \"wt\"), or a formula: ~ hp + wt.", fixed = TRUE)
  expect_error(og(scale(absent), "am", data = cars), "object 'absent' not found")
  expect_match(message_of(fair_compare(cars, vs, "am", ~hp, k = 1)), "write columns in quotes, outcome = \"vs\".", fixed = TRUE)
  wrapper <- function(...) og(~ hp + wt, ..., data = cars, k = 1)
  within <- function(inside) wrapper(groups = inside)
  expect_equal(within("am")$rotation, og(~ hp + wt, "am", data = cars, k = 1)$rotation)
  inside <- "am"
  expect_error(within(stop("of my own")), "of my own")
  expect_match(message_of(fair_decompose(mpg ~ am, cars)), "names no covariates; write them behind a bar")
  expect_identical(tidy(fair_decompose(mpg ~ am, cars, explained_by = "wt")), tidy(fair_decompose(mpg ~ am | wt, cars)))
  expect_identical(tidy(fair_audit(vs ~ am, cars, weights = ~gear)), tidy(fair_audit(vs ~ am, cars, weights = "gear")))
  shares <- c("0" = 0.5, "1" = 0.5)
  expect_identical(tidy(fair_representation(cars, ~am, benchmark = shares)),
    tidy(fair_representation(cars, "am", benchmark = shares)))
})

test_that("formula() gives the formula back, and update() changes it part by part", {
  skip_without_python()
  audit <- fair_audit(vs ~ am | cyl, cars)
  expect_identical(formula(audit), vs ~ am | cyl, ignore_formula_env = TRUE)
  expect_identical(deparse1(stats::getCall(audit)), "fair_audit(vs ~ am | cyl, data = cars)")
  changed <- function(change) deparse1(formula(update(audit, change)))
  expect_identical(changed(. ~ . + gear), "vs ~ am + gear | cyl")
  expect_identical(changed(. ~ . | . + gear), "vs ~ am | cyl + gear")
  expect_identical(changed(. ~ . | 1), "vs ~ am")
  expect_identical(changed(~gear), "vs ~ gear | cyl")
  after <- fair_audit(cars, vs ~ am)
  expect_identical(tidy(update(after, . ~ gear | cyl)), tidy(fair_audit(vs ~ gear | cyl, cars)))
  gap <- fair_decompose(mpg ~ am | wt, cars)
  expect_identical(tidy(update(gap, . ~ . | . + hp)), tidy(fair_decompose(mpg ~ am | wt + hp, cars)))
  expect_match(message_of(formula(fair_audit(cars, "vs", "am"))), "made without a formula")
})

test_that("what was meant is said of a computed column, a model, a level and a label that is hardly there", {
  skip_without_python()
  expect_match(message_of(fair_audit(cars, decision = mpg > 20, groups = "am")),
    "decision = mpg > 20 is computed from mpg, which is no object here.*transform\\(data, new = mpg > 20\\)")
  expect_match(message_of(fair_audit(cars, cars$mpg > 20, "am")), "decision has a value a row")
  expect_match(message_of(fair_audit(lm(mpg ~ wt, cars))), "data is of class lm, a model; fair_audit\\(\\) takes the data frame")
  expect_match(message_of(fair_audit(cars, "vs", "am", confidence = 0.9)), "it is called conf_level here")
  many <- data.frame(sex = c("f", "m"), hired = rep(c(0, 1, 1, 0), 75))
  many$hired[[3L]] <- 2
  expect_warning(fair_audit(many, "hired", "sex"), "hired has 3 labels.*2 \\(1 of 300\\).*give favorable")
  expect_no_warning(fair_audit(many, "hired", "sex", class_order = c(2, 0, 1)))
  fit <- og(~ hp + wt + qsec, groups = "am", k = 2, data = cars)
  expect_match(message_of(residuals(fit)), "model.matrix(object, data) - fitted(object)", fixed = TRUE)
  expect_match(message_of(model.frame(fit)), "model.frame(object, data)", fixed = TRUE)
})

test_that("every result of an audit's family knows its call, and what its data are called", {
  skip_without_python()
  results <- list(
    fair_subgroup_scan(cars, "vs", c("am", "gear")), fair_monitor(cars, "vs", "am", period = "year"),
    fair_matched_pairs(cars, "vs", "am", "job"), fair_representation(cars, "am", benchmark = c("0" = 0.5, "1" = 0.5)),
    fair_gender_pay_gap(cars, "mpg", "am", reference = 0), fair_decompose(cars, "mpg", "am", explained_by = "wt"),
    fair_adjusted_gap(cars, "mpg", "am", adjust_for = "wt")
  )
  for (result in results) expect_true(any(tidy(update(result, conf_level = 0.9), role = "all")$conf.level < 0.95, na.rm = TRUE))
  for (result in results[1:5]) expect_match(paste(format(result), collapse = " "), "the data frame cars")
  few <- fair_audit(cars[cars$cyl > 4, ], "vs", "am")
  expect_match(few$printed, "the data frame cars[cars$cyl > 4, ]", fixed = TRUE)
  change <- fair_compare_audits(fair_audit(cars[1:16, ], "vs", "am"), fair_audit(cars[17:32, ], "vs", "am"))
  expect_match(paste(format(change), collapse = " "), "the data frame cars[1:16, ] to the data frame cars[17:32, ]", fixed = TRUE)
  expect_equal(min(tidy(update(change, conf_level = 0.9))$conf.level, na.rm = TRUE), 0.9)
  counted <- fair_tally(vs ~ am + gear, cars)
  expect_match(paste(format(fair_subgroup_scan(counted)), collapse = " "), "the tally counted")
})

test_that("values in place of a name are told with the name, NA with the argument, R's own names with ours", {
  wrong <- function(code, text) {
    said <- message_of(code)
    expect_match(said, text, fixed = TRUE)
  }
  wrong(fair_audit(cars, "vs", cars$am), "groups has a value a row; give the name of the column: groups = \"am\".")
  wrong(fair_tally(cars, cars$vs, "am"), "give the name of the column: decision = \"vs\".")
  wrong(fair_audit(cars, cars$mpg > 20, "am"), "decision has a value a row; give the name of the column, once it is one of data.")
  wrong(fair_leakage(cars$mpg, cars$am), "fit is of class numeric; give what og() and the like return.")
  wrong(fair_audit(cars, "vs", NA), "groups is NA; give the name of a column.")
  wrong(fair_audit(cars, "vs", "am", reference = NA), "reference is NA; give a label, or leave it out.")
  wrong(fair_audit(cars, "vs", "am", p.adjust.method = "BH"), "no argument 'p.adjust.method': it is called p_adjust here.")
  wrong(fair_audit(cars, "vs", "am", level = 0.9), "no argument 'level': it is called conf_level here.")
  wrong(fair_from_counts(table = cars), "no argument 'table': it is called data here.") # as in Python
  wrong(fair_table(result = cars), "no argument 'result': it is called x here.")
  wrong(og(X = cars, groups = "am"), "no argument 'X': it is called x here.")
  wrong(fair_proxies(cars, "am", variables = "wt"), "it is called features here.")
  wrong(fair_representation(cars, "am", reference = "wt"), "it is called benchmark here.")
  wrong(fair_compare_models(cars, predictions = "vs", groups = "am"), "it is called models here.")
  wrong(predict(structure(list(), class = c("fairstats_fit", "fairstats")), data = cars), "it is called newdata here.")
  wrong(fair_report(cars, output_file = "a.html"), "it is called to here.")
  wrong(fair_report(cars, file = "a.html"), "it is called to here.")
  wrong(fair_report(cars, path = "a.html"), "it is called to here.")
  wrong(fair_decompose(cars, outcome = "mpg", groups = "am"), "no argument 'outcome': it is called amount here.")
  wrong(fair_gender_pay_gap(cars, outcome = "mpg", groups = "am"), "no argument 'outcome': it is called pay here.")
  wrong(fair_stages(cars, "vs", "am", n = "cyl"), "no argument 'n': it is called total here.")
  wrong(fair_from_counts(cars, "am", "vs", n = "cyl"), "no argument 'n': it is called total here.")
  wrong(fair_from_counts(cars, "am", rejected = "vs"), "no argument 'rejected': it is called not_selected here.")
  quoted <- "\"~ (hp + wt)**2\" is text, and no column has that name; write the formula without quotes: ~ (hp + wt)**2."
  wrong(og("~ (hp + wt)**2", groups = "am", data = cars), quoted)
  wrong(fair_compare(cars, "vs", "am", "~ (hp + wt)**2"), quoted)
  wrong(fair_figure(cars, filename = "a.png"), "it is called to here.")
  wrong(fair_save(cars, file = "a.npz"), "it is called path here.")
  wrong(fair_audit(cars, "vs", "am", explained_by = "hp"), "it is called adjust_for here.")
  wrong(fair_adjusted_gap(cars, "hp", "am", explained_by = "wt"), "it is called adjust_for here.")
  wrong(fair_decompose(cars, "hp", "am", adjust_for = "wt"), "it is called explained_by here.")
  wrong(fair_decompose(cars, "hp", "am", covariates = "wt"), "it is called explained_by here.")
  wrong(fair_audit(cars, pay = "hp", groups = "am"), "it is called amount here.")
  wrong(fair_pay_transparency(cars, amount = "hp", groups = "am"), "it is called pay here.")
  wrong(fair_audit(cars, "vs", "am", method = "BH"), "it is called p_adjust here.")
  wrong(fair_table(cars, type = "html"), "it is called kind here.")
  wrong(fair_monitor(cars, time = "gear"), "it is called period here.")
  wrong(fair_leakage(cars, nperm = 9), "it is called permutations here.")
  wrong(fair_compare(cars, reps = 9), "it is called n_repeats here.")
  wrong(fair_audit(cars, "vs", "am", digits = 2), "'digits'; tidy() of the result has the numbers with all digits.")
  wrong(fair_audit(cars, "vs", "am", na.rm = TRUE), "'na.rm'; rows without a value are left out")
  wrong(og(cars, ~ hp + wt, groups = "am", na.rm = TRUE), "rows without a value of a feature are refused: leave them out first")
  wrong(fair_decompose(vs ~ wt + hp, cars, groups = "am"), "right of ~ it has the groups, and covariates behind a bar")
  expect_identical(message_of(fair_audit(cars, "vs", "am", conf.level = 0.9)),
    "fair_audit() has no argument 'conf.level'. Did you mean 'conf_level'?")
  skip_without_python()
  wrong(fair_audit(cars, "vs", "am", margin = NA), "margin is NA; give a value, or leave it out.")
  wrong(fair_audit(cars, amount = "mpg", groups = "am", margin = list(gap = NA)), "margin$gap is NA; give a value")
})

test_that("a table of counts whose counts nobody named is told, people are not", {
  skip_without_python()
  counts <- as.data.frame(table(vs = cars$vs, am = cars$am))
  expect_warning(fair_audit(counts, "vs", "am"), "give weights = \"Freq\" if it counts them", class = "fairstats_warning")
  expect_warning(fair_tally(stats::setNames(counts, c("vs", "am", "n")), "vs", "am"), "weights = \"n\"")
  expect_silent(weighted <- fair_audit(counts, "vs", "am", weights = "Freq"))
  rates <- fair_by_group(fair_audit(cars, "vs", "am"))$`selection rate`
  expect_equal(fair_by_group(weighted)$`selection rate`, rates)
  expect_silent(fair_audit(transform(cars, Freq = mpg), "vs", "am")) # cells that are rare among all, or rows alike
  expect_silent(fair_audit(rbind(counts, counts), "vs", "am"))
})

test_that("a table without groups is answered with the decision that was typed, and may have a dimension called Freq", {
  skip_without_python()
  expect_match(message_of(fair_audit(UCBAdmissions, "Admit")), "decision = \"Admit\", groups = \"Gender\"", fixed = TRUE)
  expect_match(message_of(fair_audit(UCBAdmissions)), "decision = \"Gender\", groups = \"Admit\"", fixed = TRUE)
  named <- fair_audit(table(Freq = cars$vs, am = cars$am), "Freq", "am")
  expect_equal(tidy(named)$estimate, tidy(fair_audit(table(vs = cars$vs, am = cars$am), "vs", "am"))$estimate)
})

test_that("a tally of a table counts people, also added up, in a file and beside a benchmark", {
  skip_without_python()
  tally <- fair_tally(UCBAdmissions, "Admit", "Gender")
  expect_output(print(tally), "Tally of 4,526 people of 24 rows in 4 cells\n  Gender  Male (2,691), Female (1,835)", fixed = TRUE)
  file <- tempfile(fileext = ".npz")
  fair_save(tally + tally, file)
  audits <- lapply(list(UCBAdmissions, 2 * UCBAdmissions), fair_audit, "Admit", "Gender", favorable = "Admitted")
  expect_identical(audits[[1L]]$notes, audits[[2L]]$notes) # no caution that weights are taken as counts
  for (twice in list(tally + tally, sum(tally, tally), fair_load(file))) {
    audit <- fair_audit(twice, favorable = "Admitted")
    expect_identical(audit$notes, audits[[2L]]$notes)
    expect_equal(tidy(audit), tidy(audits[[2L]]))
  }
  rows <- as.data.frame(UCBAdmissions)
  people <- rows[rep(seq_len(nrow(rows)), rows$Freq), c("Admit", "Gender")]
  expect_identical(tidy(tally)$.rows, c(1198L, 1493L, 557L, 1278L))
  expect_equal(tidy(tally + fair_tally(people, "Admit", "Gender"))$.rows, 2L * tidy(tally)$.rows) # with people
  expect_equal(tidy(fair_subgroup_scan(tally, favorable = "Admitted")),
    tidy(fair_subgroup_scan(people, "Admit", "Gender", favorable = "Admitted")))
  expect_output(print(fair_suppress_cells(tally, 600)), "withheld  1 cell of 1 to 599 people")
  report <- tempfile(fileext = ".json")
  fair_report(fair_audit(tally, favorable = "Admitted"), to = report)
  for (counts in list(tally, UCBAdmissions)) expect_true(fair_verify_report(report, counts)$ok)
  shares <- tidy(fair_representation(tally, "Gender", benchmark = c(Male = 0.5, Female = 0.5)))
  expect_equal(shares$estimate[1:2], unname(rev(sort(prop.table(apply(UCBAdmissions, 2, sum))))))
})

test_that("counts as table() makes them are those of as.data.frame(), and what counts nobody is refused", {
  skip_without_python()
  counts <- table(am = cars$am, vs = cars$vs)
  wanted <- tidy(fair_audit(as.data.frame(counts), "vs", "am", weights = "Freq"))
  expect_silent(audit <- fair_audit(counts, "vs", "am"))
  for (same in list(audit, fair_audit(vs ~ am, xtabs(~ am + vs, cars)), fair_audit(fair_tally(counts, "vs", "am")),
    fair_audit(counts, vs ~ am, weights = "Freq"), fair_audit(counts, protocol = list(decision = "vs", groups = "am")))) {
    expect_equal(tidy(same), wanted)
  }
  expect_match(format(audit)[[1L]], "Audit of the table counts: 32 people in 4 rows")
  expect_equal(tidy(update(audit, conf_level = 0.9))$estimate, wanted$estimate)
  file <- tempfile(fileext = ".json")
  fair_report(audit, to = file)
  expect_true(fair_verify_report(file, counts)$ok)
  expect_match(message_of(fair_audit(table(cars$am, cars$vs))), "by Var1, Var2: fair_audit(data, decision = \"Var2\", groups = ",
    fixed = TRUE)
  expect_match(message_of(fair_audit(prop.table(counts), "vs", "am")), "the entry 0.375, which is no count of people")
  expect_match(message_of(fair_from_counts(counts, "am", "0", "1")),
    "fair_audit(), fair_tally() and fair_subgroup_scan() take a table of counts", fixed = TRUE)
  skip_if_not_installed("survey")
  weighed <- survey::svytable(~ am + vs, survey::svydesign(ids = ~1, weights = ~gear, data = cars))
  expect_match(message_of(fair_audit(weighed, "vs", "am")), "give the design of survey")
})

test_that("a design is refused where its data frame is meant, a table becomes LaTeX, a metric is no page of source", {
  skip_without_python()
  audit <- fair_audit(cars, "vs", "am")
  expect_s3_class(utils::toLatex(fair_table(audit)), "Latex")
  expect_output(print(fair_demographic_parity(am)), "^A class metric \\| direction: minimize, group-wise on: am$")
  skip_if_not_installed("survey")
  design <- survey::svydesign(ids = ~1, weights = ~gear, data = cars)
  expect_match(message_of(fair_audit(vs ~ am, cars, design = design)), "give it in place of data")
  expect_match(message_of(fair_decompose(mpg ~ am | wt, design)), "design\\$variables")
})

test_that("a page of R Markdown says where the rest is in R's words", {
  skip_without_python()
  html <- fs_call("notebook", objects = list(result = python_object(fair_audit(cars, "vs", "am"), "x")))
  expect_match(html, "summary(): all of it as text; tidy(): every number", fixed = TRUE)
  expect_no_match(html, "result.tidy()", fixed = TRUE)
})

test_that("a column that data does not have is told with all that it has", {
  skip_without_python()
  wrong <- function(call, text) expect_error(call, text, class = "fairstats_input_error")
  wrong(fair_monitor(mtcars, "vs", "am", period = "month"), "period names 'month'.*its columns are mpg, cyl, disp")
  wrong(fair_compare_models(mtcars, c("vs", "gears"), "am"), "models names 'gears'.*Did you mean 'gear'")
  wrong(fair_matched_pairs(mtcars, "vs", "am", blocks = "gears"), "blocks names 'gears'.*Did you mean 'gear'")
  wrong(fair_group_probabilities(mtcars, "vs", c(a = "amm", b = "vs")), "groups names 'amm'.*Did you mean 'am'")
  wrong(fair_decompose(mtcars, "mpg", "am"), "^explained_by is missing")
})
