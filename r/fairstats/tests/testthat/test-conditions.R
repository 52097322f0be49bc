test_that("errors have one class, whichever side of the bridge found them, and the call of the user's function", {
  skip_without_python()
  x <- people[c("age", "priors")]
  found <- list(
    here = condition_of(og(~ age + height, "sex", data = people)), there = condition_of(og(x, people$sex, k = 9)),
    wire = condition_of(og(transform(x, age = structure(age, class = "odd")), people$sex)),
    old = condition_of(fair_report(1, to = "a.html")), none = condition_of(fair_audit(people, decision = "hired", groups = "sex"))
  )
  for (name in names(found)) {
    expect_s3_class(found[[name]], c("fairstats_input_error", "fairstats_error", "error", "condition"), exact = TRUE)
  }
  calls <- list(here = quote(og()), there = quote(og()), wire = quote(og()), old = quote(fair_report()),
    none = quote(fair_audit()))
  expect_identical(lapply(found, conditionCall), calls)
  expect_s3_class(condition_of(fair_load(tempfile(fileext = ".npz"))), "fairstats_file_error")
})

test_that("an error has the call of the function that the user wrote, however it was called", {
  wrong <- list(mtcars, decision = "nothing", groups = "am")
  alias <- fair_audit
  for (found in list(
    condition_of(do.call(fair_audit, wrong)), condition_of(do.call("fair_audit", wrong)), condition_of(do.call(alias, wrong)),
    condition_of(lapply(wrong[1L], fair_audit, decision = "nothing", groups = "am")),
    condition_of(fair_report(fair_audit(mtcars, decision = "nothing", groups = "am"), to = "a.html"))
  )) {
    expect_identical(conditionCall(found), quote(fair_audit()))
  }
  skip_without_python()
  audit <- fair_audit(mtcars, decision = "vs", groups = "am")
  expect_identical(conditionCall(condition_of(tidy(audit, conf.nothing = 1))), quote(tidy()))
  expect_identical(conditionCall(condition_of(predict(og(mtcars[1:3], mtcars$am, k = 1), mtcars[4:5]))), quote(predict()))
})

test_that("an argument without a value, and a function in its place, are errors of the function that the user called", {
  exported <- Filter(function(name) {
    # not generics of another package, and not what is gone
    is.function(get(name)) && identical(environment(get(name)), asNamespace("fairstats"))
  }, getNamespaceExports("fairstats"))
  expect_gt(length(exported), 60L)
  for (name in exported) {
    for (argument in setdiff(names(formals(name)), c("...", "by"))) { # which is read as it is written
      for (wrong in list(quote(nothing_here), quote(nothing$here), quote(mean))) {
        if (identical(wrong, quote(mean)) && argument %in% may_be_function) next
        found <- condition_of(eval(as.call(c(as.name(name), stats::setNames(list(wrong), argument)))))
        label <- paste0(name, "(", argument, " = ", deparse1(wrong), ")")
        expect_identical(conditionCall(found)[[1L]], as.name(name), label = label)
      }
    }
  }
  expect_error(fair_audit(df, "hired", "sex"), "^data = df is a function; give a data frame")
  expect_error(fair_audit(mtcars, "vs", class), "groups = class names a function; write columns in quotes, groups = \"class\"",
    fixed = TRUE)
  expect_error(og(mtcars[1:3], mtcars$am, missing = c), "^missing = c is a function")
  expect_error(fair_tally(mtcars, "vs", "am", strata = NA), "^strata names NA")
  for (name in c("most", "kmax", "max.components")) {
    said <- message_of(do.call(fair_select_k, c(list(mtcars[1:3], mtcars$am), stats::setNames(list(2), name))))
    expect_match(said, "it is called max_k here", fixed = TRUE)
  }
  expect_error(fair_kneighbors_graph(mtcars[1:3], k = 3), "it is called n_neighbors here", fixed = TRUE)
  expect_no_match(message_of(leace(mtcars[1:3], mtcars$am, k = 1)), "Did you mean") # one letter is near every other
  expect_error(fair_compare(mtcars, decision = "vs", groups = "am"), "it is called outcome here", fixed = TRUE)
  expect_error(fair_compare_models(mtcars, decision = "vs", groups = "am"), "it is called models here", fixed = TRUE)
  expect_error(fair_tally(mtcars, "vs", "am", favorable = 1), "fair_audit(tally, favorable = )", fixed = TRUE)
  expect_error(fair_compare(mtcars, "vs", "am", ~wt, R = 9), "it is called n_repeats here", fixed = TRUE)
  failing <- function() stop("deep")
  expect_identical(conditionCall(tryCatch(fair_audit(failing()), error = identity)), quote(failing())) # the user's own
})

test_that("what went wrong inside is said to be ours, with the trace to report", {
  found <- condition_of(python_error("KeyError: 'a'", "KeyError", "Traceback ..."))
  expect_s3_class(found, "fairstats_internal_error")
  expect_match(conditionMessage(found), "its own fault (KeyError: 'a'); please report it", fixed = TRUE)
  expect_identical(found$python_trace, "Traceback ...")
})

test_that("warnings have a class, and none has a call of ours", {
  skip_without_python()
  found <- condition_of(og(people[c("age", "priors")], people$sex, intercept = FALSE))
  expect_s3_class(found, c("fairstats_warning", "warning", "condition"), exact = TRUE)
  expect_null(conditionCall(found))
})

test_that("what is printed has no word of Python's", {
  skip_without_python()
  x <- people[c("age", "priors", "income")]
  expect_warning(fit <- og(x, people$sex, k = 2, intercept = FALSE), "a guarantee does not hold")
  scores <- suppressWarnings(fair_crossfit(fit, x, people$sex)) # the same, of each half
  printed <- list(
    audit = fair_audit(people, outcome = "y", decision = "yhat", score = "score", groups = c("sex", "group"), min_n = 3),
    fit = fit, leakage = fair_leakage(scores, permutations = 9),
    compared = fair_compare(people, "y", "sex", names(x), k = 1, n_repeats = 2),
    kernel = fair_kernel_pca(x, people$sex, scale = TRUE)
  )
  for (name in names(printed)) {
    words <- "True|False|None(?! of)|\\bX\\b,|fit\\.|fairstats\\.|\\bfs\\.|pip "
    expect_no_match(format(printed[[name]]), words, perl = TRUE, label = name)
    expect_true(all(nchar(format(printed[[name]])) <= 80L), label = name)
  }
})

test_that("a group that was not given is asked for", {
  x <- people[c("age", "priors")]
  for (found in list(condition_of(og(x)), condition_of(fair_spectral_clustering(diag(2))), condition_of(fair_audit(people)))) {
    expect_match(conditionMessage(found), "^groups is missing")
    expect_s3_class(found, "fairstats_input_error")
  }
})

test_that("an error of a narrower kind has the class of the wider one", {
  found <- condition_of(python_error("k has 9", "RangeError InputError FairstatsError Exception"))
  expect_s3_class(found, "fairstats_input_error")
})

test_that("texts that a session cannot write have plain signs", {
  kept <- options(cli.unicode = FALSE)
  on.exit(options(kept))
  expect_identical(writable("\u221211.7 \u2013 \u00b7 \u2265"), "-11.7 - * >=")
  expect_output(print(structure(list(summary = "\u22121"), class = "fairstats")), "^-1\n?$")
  options(cli.unicode = TRUE)
  expect_identical(writable("\u22121"), "\u22121")
})

test_that("arguments and their values are written as in R", {
  skip_without_python()
  x <- people[c("age", "priors")]
  said <- function(...) conditionMessage(condition_of(...))
  expect_match(said(fair_audit(people, groups = "sex", decision = "yhat", conf_level = 95)), "^conf_level has 95;")
  expect_match(said(og(cbind(x, one = 1), people$sex, scale = TRUE)), "pass scale = FALSE", fixed = TRUE)
  expect_match(said(og(x, people$sex, k = 9)), "^k has 9")
  expect_match(said(fair_audit(people, "yhat", "sex", intersections = TRUE)), "has TRUE; .* or FALSE for none\\.$")
  expect_match(
    said(fair_component_tests(suppressWarnings(og(x, people$sex)))), "pass fair_crossfit(fit, x, groups).",
    fixed = TRUE
  )
  expect_match(
    said(fair_audit(transform(people, age = age + 0.5), "yhat", "age")),
    "\\(cut\\(data\\$age, c\\(.*\\)\\)\\) and name"
  )
})

test_that("bad text is named by its argument", {
  skip_without_python()
  bad <- people
  bad$sex[1] <- "\xff"
  Encoding(bad$sex) <- "bytes"
  expect_error(fair_audit(bad, "yhat", "sex"), "^data\\$sex has text that is not valid UTF-8")
})

test_that("what an error advises is R", {
  skip_without_python()
  expect_error(fair_audit(people, amount = "income", groups = "sex", quantiles = 2), "as in c(0.1, 0.5, 0.9)", fixed = TRUE)
  expect_error(fair_audit(people, "yhat", "sex", weights = "income"), "weight_type = 'probability'", fixed = TRUE)
  expect_error(fair_audit(people, "yhat", "sex", design = list(weights = "income", nest = TRUE)), "nest is TRUE", fixed = TRUE)
})

test_that("errors name the argument that was given", {
  skip_without_python()
  audit <- fair_audit(people, "yhat", "sex")
  rows <- fair_tally(people, "yhat", "sex")
  said <- function(expr) conditionMessage(tryCatch(expr, fairstats_error = identity))
  for (verb in list(fair_table, fair_figure)) {
    expect_match(said(verb(audit, to = 3)), "^to is of class numeric")
    expect_match(said(verb(audit, to = "x.foo")), "^'x.foo' has another ending: .*\\.(html|svg)")
    expect_match(said(verb(rows)), "^x has a value of class fairstats_tally")
  }
  expect_match(said(fair_audit(people, "yhat", "sex", p_adjust = "BY")), "p_adjust has 'BY'", fixed = TRUE)
  for (nameless in list(c(0.5, 0.5), list(0.5, 0.5), list(sex = c(female = 0.5, male = 0.5)))) {
    expect_match(said(fair_representation(people, "sex", benchmark = nameless)), "^benchmark is .*; give a share a group")
  }
  expect_match(said(fair_audit("yhat", "sex", people)), "^groups is a data frame, which comes first")
  expect_match(said(fair_tally("yhat", people, "sex")), "^decision is a data frame, which comes first")
  x <- people[c("age", "priors", "income")]
  expect_match(said(fair_select_k(x, people$sex, ks = 1:2)), "^ks is what fair_select_k\\(\\) chooses; .* max_k")
  expect_match(said(fair_select_k(x)), "^groups is missing")
  expect_match(said(og(sex ~ age + priors, data = people)), "og(~age + priors, groups = \"sex\", data = ...)", fixed = TRUE)
})

test_that("arguments that a function hands on are answered by Python with the name that is near", {
  skip_without_python()
  expect_error(fair_select_k(mtcars[1:3], mtcars$am, max.k = 2), "did you mean 'max_k'[?]$")
  expect_error(fair_select_k(mtcars[1:3], mtcars$am, conf.level = 0.9), "did you mean 'conf_level'[?]$")
})
