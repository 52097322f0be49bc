# What R does before Python is asked, or without it: the wire, labels, and arguments.
there_and_back <- function(x) {
  packed <- wire_pack(x)
  wire_unpack(packed$header, packed$buffers)
}

test_that("what R packs, R unpacks unchanged", {
  values <- list(
    integers = c(1L, NA, -5L, .Machine$integer.max), doubles = c(0.1, NA, NaN, Inf, -Inf, -0, 5e-324, 2^53),
    logicals = c(TRUE, NA, FALSE), text = c("a", NA, "", "\u00e9\u4e2d", "a"), raw = as.raw(0:255), none = NULL,
    empty = character(), factor = factor(c("b", "a", NA), c("b", "a", "unused")), ordered = factor(1:2, ordered = TRUE),
    day = as.Date("2020-02-29"), instant = as.POSIXct("2020-01-01", tz = "Europe/Paris"), matrix = matrix(1:6, 2),
    named = c(a = 1, b = 2), frame = data.frame(x = 1:2, y = c("u", NA)), rows = data.frame(x = 1:2, row.names = c("p", "q")),
    list = list(1, "a", list(NULL, TRUE)), array = array(1:8, c(2, 2, 2)), difference = as.difftime(3, units = "mins")
  )
  for (name in names(values)) expect_identical(there_and_back(values[[name]]), values[[name]], label = name)
  # identical() takes 0 and -0 for one
  expect_identical(1 / there_and_back(-0), -Inf)
})

test_that("text that is not UTF-8 is refused, Latin-1 is translated", {
  latin <- "caf\xe9"
  Encoding(latin) <- "latin1"
  expect_identical(there_and_back(latin), "caf\u00e9")
  broken <- "\xff\xfe"
  Encoding(broken) <- "bytes"
  expect_error(wire_pack(list(a = broken)), "value\\$a has text that is not valid UTF-8", class = "fairstats_input_error")
  expect_identical(wire_pack(mean)$buffers, list())
  old <- sub("\"version\":2", "\"version\":99", wire_pack(1)$header, fixed = TRUE)
  expect_error(wire_unpack(old, list()), "speaks version 99.*update both")
})

test_that("labels are the text that R writes", {
  expect_identical(label_text(c(TRUE, NA)), c("TRUE", NA))
  expect_identical(label_text(c(1, 2.5, NA, 1e6)), c("1", "2.5", NA, "1000000"))
  expect_identical(label_text(as.Date("2020-01-01")), "2020-01-01")
  instants <- as.POSIXct(c("2020-01-01 00:00:00", "2020-01-01 08:00:00"), tz = "UTC")
  expect_identical(label_text(instants), c("2020-01-01", "2020-01-01 08:00:00"))
  expect_identical(label_text(factor("a")), "a")
  expect_identical(joined(list(c("a", "b:c"), c("d\\", "e"))), c("a:d\\\\", "b\\:c:e"))
  expect_identical(joined(list("a:b")), "a:b")
  frame <- labeled(data.frame(a = c(TRUE, FALSE), b = 1:2, c = as.Date(c("2021-01-01", "2020-01-01"))))
  expect_identical(levels(frame$a), c("FALSE", "TRUE"))
  expect_identical(frame$b, 1:2)
  expect_identical(levels(frame$c), c("2020-01-01", "2021-01-01"))
})

test_that("labeled columns of surveys become factors, and their missing values missing", {
  sex <- structure(c(1, 2, 9, NA), labels = c(male = 1, female = 2, refused = 9), na_values = 9, class = "haven_labelled")
  expect_identical(as.character(labels_of_survey(sex)), c("male", "female", NA, NA))
  expect_identical(values_of_survey(sex), c(1, 2, NA, NA))
  age <- structure(c(20, 30, -5), na_range = c(-9, -1), class = "haven_labelled")
  expect_identical(values_of_survey(age), c(20, 30, NA))
  frame <- plain_columns(data.frame(i = 1:4), "i")
  frame$sex <- sex
  expect_s3_class(plain_columns(frame, "sex")$sex, "factor")
  expect_identical(plain_columns(frame)$sex, c(1, 2, NA, NA))
})

test_that("groups are read from names, formulas and vectors", {
  expect_identical(attributes_of(~ sex + race), c("sex", "race"))
  expect_identical(attributes_of(~ sex:race), "sex:race")
  expect_identical(attributes_of(~`a b`), "a b")
  expect_identical(attributes_of(list("a", "b")), c("a", "b"))
  expect_identical(group_names(c("sex:race", "sex")), c("sex", "race"))
  expect_identical(group_names("a:b", "a:b"), "a:b")
  for (bad in list(y ~ sex, ~., ~ cut(age, 2), ~1)) {
    expect_error(attributes_of(bad), "^groups = ", class = "fairstats_input_error")
  }
  d <- data.frame(g = c("a", "b"), h = 1:2)
  expect_identical(groups_of("g", d)$data, d["g"])
  expect_identical(groups_of(c("x", "y"), d)$data$group, c("x", "y"))
  expect_error(groups_of(c("x", "y", "z"), d), "groups has 3 entries, of which none is a column of data")
  expect_error(groups_of("f", d), "groups names 'f', which data does not have; its columns are g, h.")
})

test_that("columns are picked by name, once each, with the nearest name where one is missing", {
  d <- data.frame(income = 1, outcome = 2)
  expect_identical(pick("income", d, "x"), "income")
  expect_error(pick("incme", d, "x"), "x names 'incme'.*Did you mean 'income'\\?")
  expect_error(pick(c("income", "income"), d, "x"), "'income' more than once")
  expect_error(pick("a", data.frame(a = 1, a = 2, check.names = FALSE), "x"), "several columns of that name")
  expect_null(nearest("xxxxxxxx", c("income", "outcome")))
  wide <- as.data.frame(matrix(0, 1, 20))
  expect_match(columns_of(wide), "V12 \\.\\.\\.$")
})

test_that("features are made of formulas, frames and matrices", {
  d <- data.frame(y = 1:4, a = c(1, 3, 2, 5), g = c("u", "v", "u", "v"))
  expect_identical(colnames(features_of(~., d, "g")$x), c("y", "a"))
  expect_identical(names(features_of(d, d, "g")$x), c("y", "a"))
  expect_identical(features_of("a", d, "g")$columns, "a")
  expect_equal(features_of(~ a + I(a^2), d, "g")$x[, 2L], d$a^2, ignore_attr = TRUE)
  expect_error(features_of(~a, NULL, "g"), "give the data frame it speaks of")
  expect_error(features_of(y ~ a, d, "g"), "has a left-hand side; give the features alone: ~a")
  expect_error(features_of(~ a + offset(y), d, "g"), "has an offset\\(\\)")
  expect_error(features_of(~ a + height, d, "g"), "cannot be computed: .*height")
  expect_error(features_of(mean, d, "g"), "x is of class function")
  expect_error(plain_graph(stats::dist(1:3)), "distances, large where")
  expect_identical(plain_matrix(stats::ts(matrix(1:4, 2))), matrix(1:4, 2, dimnames = list(NULL, c("Series 1", "Series 2"))))
})

test_that("single arguments are checked in R, by their names", {
  expect_identical(one_label(TRUE, "favorable"), "TRUE")
  expect_identical(one_label(1, "favorable"), 1)
  expect_identical(one_label(factor("a"), "favorable"), "a")
  expect_error(one_label(c(0, 1), "favorable"), "favorable = 0, 1 is not one label")
  expect_error(one_label(NA, "positive"), "positive is NA; give a label, or leave it out")
  expect_identical(whole(3, "k"), 3L)
  for (bad in list(2.5, NA_real_, "2", 1:2)) expect_error(whole(bad, "k"), "^k = .* is not a whole number")
  expect_error(one_name(c("a", "b"), "decision"), "decision is of class character and length 2")
  expect_identical(reference_of(c(sex = "male", race = "white")), list(sex = "male", race = "white"))
  expect_identical(reference_of("largest_group"), "largest_group")
  expect_identical(headline_of(list(race = c("Black", "White"))), list(race = list("Black", "White")))
  expect_error(headline_of("race"), "is no comparison; give one attribute and two of its groups")
  expect_error(named_entries(list("a", b = 1), "labels", "unit = \"people\""), "an entry without a name")
  expect_identical(named_parts(list(groups = c(a = "A"))), list(groups = list(a = "A")))
  expect_error(one_path(c("a", "b")), "give the name of one file")
  expect_error(declared_in(list(groups = "sex")), "protocol", class = "fairstats_input_error")
  expect_error(table_of("people.csv"), "\\(a path\\?\\); give a data frame")
  expect_identical(table_of(matrix(1:2, 1, dimnames = list(NULL, c("a", "b")))), data.frame(a = 1L, b = 2L))
})

test_that("what is no result is refused before Python is asked", {
  for (bad in list(1, "a", list(), NULL)) expect_error(python_object(bad, "fit"), "^fit is of class")
  expect_error(fair_by_group(1), "give what fair_audit\\(\\) or fair_compare\\(\\) returns")
  expect_error(fair_verify_report(1, people), "report is of class numeric")
  expect_error(fair_verify_report(NULL, people), "report is NULL; give the path", class = "fairstats_input_error")
  expect_error(fair_verify_report("a.json", 1), "data is of class numeric and length 1")
  expect_error(fair_report(), "nothing to report")
  expect_s3_class(fairlearn_reduction("equalized_odds"), "fairstats_reduction")
  expect_output(print(fairlearn_reduction(bound = 0.02)), "Reduction: demographic_parity within 0.02, at most 50 steps")
})

test_that("errors of Python's have R's classes, whatever their kind", {
  kinds <- c(InputError = "fairstats_input_error", FileError = "fairstats_file_error", SourceError = "fairstats_source_error",
    DependencyError = "fairstats_dependency_error", NumericalError = "fairstats_numerical_error",
    KeyError = "fairstats_internal_error")
  for (kind in names(kinds)) {
    found <- condition_of(python_error("k has 9", paste(kind, "Exception")))
    expect_s3_class(found, c(kinds[[kind]], "fairstats_error", "error", "condition"), exact = TRUE)
  }
  expect_s3_class(condition_of(tell("careful")), "fairstats_warning")
})

test_that("an argument that there is not is an error that names the nearest", {
  x <- people[c("age", "priors")]
  calls <- list(
    center = quote(og(x, people$sex, centering = TRUE)), decision = quote(fair_audit(people, decison = "yhat", groups = "sex")),
    conf_level = quote(fair_audit(people, decision = "yhat", groups = "sex", conf.level = 0.9)),
    permutations = quote(fair_leakage(x, x, "sex", permutation_count = 9)), gamma = quote(fair_kernel_pca(x, "sex", gama = 1)),
    n_repeats = quote(fair_compare(people, "y", "sex", "age", repeat_ = 3)),
    n_init = quote(fair_spectral_clustering(diag(2), 1:2, n_inits = 2)),
    overwrite = quote(fair_save(x, "a.npz", overwriet = TRUE)), title = quote(fair_report(x, to = "a.html", tittle = "T")),
    extras = quote(fairstats::install_fairstats(extra_s = "report")), folds = quote(fair_price_of_fairness(x, x, "sex",
      fold_ = 3))
  )
  for (meant in names(calls)) {
    found <- condition_of(eval(calls[[meant]]))
    expect_s3_class(found, "fairstats_input_error")
    expect_match(conditionMessage(found), paste0("has no argument .*Did you mean '", meant, "'\\?$"), label = meant)
  }
  expect_match(conditionMessage(condition_of(do.call(leace, list(x, "sex", wieghts = 1)))),
    "^the function has no argument 'wieghts'")
  expect_match(conditionMessage(condition_of(fair_by_group(1, 2, 3))),
    "more values than it takes without names; name them: x, attribute")
  # what it does not know is not computed
  expect_error(og(x, people$sex, centering = stop("computed")), "has no argument 'centering'")
})

test_that("every function that is exported refuses what it does not know", {
  own <- setdiff(getNamespaceExports("fairstats"), c("tidy", "glance", "augment", "fair_report", "fair_select_k",
    "fair_model", "fair_gt", grep("^step_", getNamespaceExports("fairstats"), value = TRUE)))
  for (name in own) {
    f <- getExportedValue("fairstats", name)
    if (length(formals(f)) < 2L) next
    required <- names(formals(f))
    expect_true("..." %in% required, label = name)
    expect_match(conditionMessage(condition_of(f(no_such_name = 1))), "no argument 'no_such_name'", label = name)
  }
})

test_that("a figure is named second, and what is none names the nearest, or the argument that was meant", {
  x <- list(tidy = data.frame(metric = c("selection rate", "FPR")))
  kinds <- c("rates", "ratios")
  expect_identical(picture_of(x, kinds, kinds), "rates")
  expect_identical(picture_of(x, NULL, kinds), "rates")
  expect_identical(picture_of(x, "ratios", kinds), "ratios")
  expect_error(picture_of(x, "ratio", kinds), "kind = \"ratio\" is none of rates, which are .* Did you mean 'ratios'\\?$",
    class = "fairstats_input_error")
  expect_error(picture_of(x, "selection rate", kinds), "It is a metric: metric = \"selection rate\"\\.$")
  expect_error(picture_of(x, 1, kinds), "kind is of class numeric and length 1; give the name of one of rates, ratios")
  expect_error(picture_of(x, c("a", "b"), kinds), "kind is of class character and length 2")
  for (name in c("audit", "fit", "kernel", "comparison", "partition")) {
    class <- c(paste0("fairstats_", name), "fairstats")
    expect_identical(names(formals(getS3method("plot", class[[1L]])))[1:2], c("x", "kind"), label = name)
    for (draw in list(graphics::plot, if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot)) {
      if (!is.null(draw)) expect_error(draw(structure(x, class = class), "pie"), "kind = \"pie\" is none of", label = name)
    }
  }
})

test_that("what models of R's predict becomes one probability a row", {
  expect_identical(one_column(data.frame(.pred_no = c(0.9, 0.2), .pred_yes = c(0.1, 0.8)), 2L, "yes", "m"), c(0.1, 0.8))
  expect_identical(one_column(cbind(c(0.9, 0.2), c(0.1, 0.8)), 2L, "yes", "m"), c(0.1, 0.8))
  expect_error(one_column(diag(3), 3L, "yes", "m"), "predicted 3 columns, none of which is yes")
  expect_error(one_column(c(0.1, 1.2), 2L, "yes", "m"), "some that are no probabilities")
  expect_identical(outcome_labels(c("No", "Yes", NA), 1), c("No", "Yes"))
  expect_identical(outcome_labels(c(FALSE, TRUE), 1), c("FALSE", "TRUE"))
  expect_identical(outcome_labels(c(0, 1), 1), c("0", "1"))
  expect_identical(outcome_labels("Yes", 1), c("not Yes", "Yes"))
  named <- as_models(list(mine = fair_model(stats::lm), "logistic"), quote(models))
  expect_identical(named$sent[[1L]]$name, "mine")
  expect_identical(named$here[[1L]]$name, "mine")
  expect_identical(named$sent[[2L]], "logistic")
})

test_that("protocols of lists are written as TOML writes them", {
  expect_identical(toml(factor("White")), "\"White\"")
  expect_identical(toml(as.Date("2026-01-31")), "\"2026-01-31\"")
  expect_identical(toml(list(sex = factor("f"), k = 0.1, old = TRUE)), "{ sex = \"f\", k = 0.1, old = true }")
  expect_error(protocol_entries(c(groups = "sex")), "protocol is of class character; give a list")
  expect_error(protocol_entries(list(grup = "sex")), "'grup'; an audit has no such argument.*Did you mean 'groups'")
  expect_error(protocol_entries(list(groups = "sex", groups = "race")), "'groups' twice")
})

test_that("parts of an audit are asked for by name before Python is", {
  expect_error(fair_tally(people, decision = "yhat"), "^groups is missing")
  expect_error(people_of(character(), list()), "data names no file")
  expect_error(label_parts(data.frame(sex = "f"), "sex:race"), "groups lacks race")
  expect_identical(label_parts(data.frame(sex = "f", race = 1), "sex:race"), list(sex = "f", race = "1"))
  expect_identical(tryCatch(interrupt(), interrupt = function(i) "heard"), "heard")
  expect_identical(wire_timezone("Europe/Paris"), "Europe/Paris")
  expect_identical(wire_timezone(NA), "UTC")
})

test_that("a matrix that is made by rows is the whole one, without what a fit does not need", {
  whole <- matrix(1:6 / 2, 3)
  rows <- structure(list(dim = dim(whole), make = function(i) whole[i, , drop = FALSE]), class = "fairstats_rows")
  expect_identical(whole_matrix(rows), whole)
  expect_identical(whole_matrix(whole), whole)
  made <- stats::model.matrix(~ sex + age, people)
  expect_identical(without_intercept(made), structure(made[, -1L], assign = NULL, contrasts = NULL))
  # as model.matrix() leaves it where there is no intercept to take away
  bare <- without_intercept(stats::model.matrix(~ sex - 1, people))
  expect_identical(names(attributes(bare)), c("dim", "dimnames"))
  expect_identical(unname(bare[, "sexmale"]), as.numeric(people$sex == "male"))
})

test_that("a score of a database may have many values, but not any number", {
  for (package in c("dbplyr", "RSQLite")) skip_if_not_installed(package)
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(connection))
  DBI::dbWriteTable(connection, "scores", data.frame(s = 1:7))
  expect_error(fair_audit(connection, "s", "g"), "one of its tables: dplyr::tbl\\(connection.*DBI::dbReadTable\\(connection",
    class = "fairstats_input_error")
  expect_error(og(~s, "g", data = dplyr::tbl(connection, "scores")), "needs its rows; give dplyr::collect\\(data\\)")
  few <- few_scores
  environment(few) <- list2env(list(most_scores = 6), parent = environment(few_scores))
  expect_error(few(dplyr::tbl(connection, "scores"), "s", "risk"), "score has 'risk' with 7 different values")
  expect_silent(few_scores(dplyr::tbl(connection, "scores"), "s", "risk"))
})

test_that("no function masks one of the packages that R users attach beside it", {
  packages <- c("base", "stats", "utils", "graphics", "methods", "broom", "dplyr", "ggplot2", "recipes", "survey", "MASS")
  theirs <- unlist(lapply(Filter(function(one) requireNamespace(one, quietly = TRUE), packages), getNamespaceExports))
  # of easystats, moments, gtsummary and yardstick
  theirs <- c(theirs, "report", "skewness", "moment", "as_gt", "demographic_parity", "equal_opportunity", "equalized_odds")
  generics <- c("tidy", "glance", "augment")
  expect_identical(intersect(setdiff(getNamespaceExports("fairstats"), generics), theirs), character())
})

test_that("names of 0.2 are errors that say the new one, and have a page", {
  expect_error(fs_save(1), "Use 'fair_save' instead", class = "defunctError")
  expect_error(fairstats::fair_change(mtcars, "am"), "fair_compare_audits", class = "defunctError")
  former <- Filter(function(name) identical(names(formals(getExportedValue("fairstats", name))), "..."),
    getNamespaceExports("fairstats"))
  expect_match(former, "^(fair|fs)_") # without these beginnings they would mask functions of other packages
  for (name in former) {
    new <- get("new", environment(getExportedValue("fairstats", name)))
    expect_true(new %in% setdiff(getNamespaceExports("fairstats"), former), label = name)
  }
})

test_that("terms of the field find help pages", {
  found <- function(term) unique(utils::help.search(term, package = "fairstats")$matches$Topic)
  expect_identical(found("four-fifths"), "fair_audit")
  expect_setequal(found("pay gap"), c("fair_gender_pay_gap", "fair_pay_transparency"))
  expect_identical(found("Oaxaca"), "fair_decompose")
})
