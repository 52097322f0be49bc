audit <- function(...) fair_audit(people, outcome = "y", decision = "yhat", score = "score", groups = "sex", ...)

test_that("rates, tests and areas are those of R", {
  skip_without_python()
  table <- tidy(audit())
  wilson <- stats::prop.test(sum(people$yhat[people$sex == "male"]), sum(people$sex == "male"), correct = FALSE)
  row <- table[table$metric == "selection rate" & table$group == "male" & table$contrast == "none", ]
  expect_equal(c(row$conf.low, row$conf.high), as.vector(wilson$conf.int), tolerance = 1e-8)
  p <- stats::fisher.test(table(people$sex, people$yhat))$p.value
  difference <- table[table$metric == "selection rate" & table$contrast == "difference", ]
  # the exact unconditional test, which is never far above Fisher's
  expect_lt(difference$p.value[[1]], p)
  expect_gt(difference$p.value[[1]], p / 2)
  tpr <- with(people[people$sex == "female" & people$y == 1, ], mean(yhat))
  expect_equal(table$estimate[table$metric == "TPR" & table$group == "female" & table$contrast == "none"], tpr)
})

test_that("names are broom's, and the verbs answer", {
  skip_without_python()
  a <- audit()
  expect_true(all(c("estimate", "std.error", "statistic", "p.value", "conf.low", "conf.high", "adj.p.value")
  %in% names(tidy(a))))
  expect_false("conf.low" %in% names(tidy(a, conf.int = FALSE)))
  expect_s3_class(tidy(a), "tbl_df")
  expect_equal(nrow(glance(a)), 1L)
  expect_false(any(is.nan(unlist(Filter(is.numeric, tidy(a))))))
  expect_true(all(nchar(strsplit(a$summary, "\n")[[1]]) <= 80))
  expect_output(print(summary(a)), "Audit of")
})

test_that("groups that are columns of the data need not be named again", {
  skip_without_python()
  x <- c("hp", "wt", "qsec")
  fit <- fair_pca(x, "am", k = 1, data = mtcars)
  for (f in list(fair_price_of_fairness, fair_reconstruction_error_by_group)) {
    expect_identical(tidy(f(fit, x, data = mtcars)), tidy(f(fit, x, "am", data = mtcars)))
    expect_error(f(fit, mtcars[x]), "groups is missing")
  }
  expect_identical(fair_crossfit(fit, x, data = mtcars)$scores, fair_crossfit(fit, x, "am", data = mtcars)$scores)
})

test_that("every linear method has a price, a stability and a choice of k", {
  skip_without_python()
  x <- people[c("age", "priors", "income")]
  for (fit in list(fair_pca(x, people$sex, k = 1, scale = TRUE), minimax_pca(x, people$sex, k = 1, scale = TRUE))) {
    cost <- fair_price_of_fairness(fit, x, people$sex)
    expect_output(print(cost), "Price for new people, 5 folds")
    rows <- tidy(cost, role = "all")
    price <- rows[rows$estimator == "held out" & rows$metric == "price", ]
    parts <- price[!is.na(price$name) & grepl("component", price$name), ]
    expect_equal(sum(parts$estimate), price$estimate[[1]], tolerance = 1e-8)
    expect_true(price$conf.low[[1]] <= price$estimate[[1]] && price$estimate[[1]] <= price$conf.high[[1]])
    turned <- tidy(fair_bootstrap_loadings(fit, x, people$sex, replicates = 20))
    own <- turned[turned$metric == "loading", ]
    expect_equal(own$estimate, as.vector(fit$rotation))
  }
  chosen <- fair_select_k(x, people$sex, "sog", scale = TRUE, t = 1.5, permutations = 9, folds = 2)
  expect_output(print(chosen), "parallel analysis")
  expect_error(fair_select_k(x, people$sex, "leace"), "makes no linear components")
})

test_that("logical decisions and groups keep R's labels", {
  skip_without_python()
  df <- transform(people, yes = yhat == 1, old = age > 40)
  a <- fair_audit(df, decision = "yes", groups = "old", favorable = TRUE)
  rows <- tidy(a)
  expect_setequal(rows$group[rows$contrast == "none"], c("TRUE", "FALSE"))
  one <- fair_audit(df, decision = "yhat", groups = "old")
  expect_equal(rows$estimate, tidy(one)$estimate)
})

test_that("held-out scores are tested as R tests them", {
  skip_without_python()
  x <- people[c("age", "priors", "income")]
  fit <- pca(x, people$sex, k = 2)
  crossfitted <- fair_crossfit(fit, x, people$sex)
  rows <- tidy(fair_component_tests(crossfitted))
  fold <- crossfitted$folds == crossfitted$folds[[1]]
  # Brunner-Munzel's effect is Wilcoxon's W over the number of pairs
  w <- stats::wilcox.test(crossfitted$scores[fold, 1] ~ people$sex[fold], exact = FALSE)$statistic / prod(table(people$sex[fold]))
  expect_true(any(abs(rows$estimate - w) < 1e-8 | abs(1 - rows$estimate - w) < 1e-8, na.rm = TRUE))
  expect_output(print(fair_leakage(crossfitted, permutations = 19)), "Conditional on these scores")
  cars <- transform(mtcars, am = replace(am, 3L, NA))
  for (named in list(og(~ hp + wt, groups = "am", k = 2, data = cars, missing = "drop"),
    fair_kernel_pca(~ hp + wt, groups = "am", k = 2, data = mtcars))) {
    data <- if (inherits(named, "fairstats_kernel")) mtcars else cars
    of_rows <- fair_crossfit(named, groups = "am", data = data, missing = "drop")$scores
    expect_identical(dimnames(of_rows), dimnames(named$x))
  }
  adjusted <- fair_crossfit(leace(~ hp + wt, groups = "am", data = mtcars), groups = "am", data = mtcars)$scores
  expect_identical(dimnames(adjusted), list(rownames(mtcars), c("hp", "wt")))
  other <- rep(c("u", "v"), length.out = nrow(people))
  named <- fair_leakage(crossfitted, groups = "other", data = data.frame(other), permutations = 9)
  expect_identical(unique(tidy(named)$attribute), "other")
  expect_equal(tidy(named)$estimate, tidy(fair_leakage(crossfitted, groups = data.frame(other), permutations = 9))$estimate)
  expect_error(fair_leakage(crossfitted, x), "x and data go with a fit; held-out scores bring their rows")
  expect_error(fair_leakage(crossfitted, folds = 5), "held-out scores have their own folds")
  refitted <- fair_leakage(og(x, people$sex, k = 2), x, people$sex, permutations = 5, margin = list(leakage = 0.1))
  expect_output(print(refitted), "5 refits on exchanged residuals")
  half <- seq_len(nrow(people)) %% 2 == 0
  of_one <- fair_leakage(og(x[half, ], people$sex[half], k = 2), x[!half, ], people$sex[!half], permutations = 5)
  expect_output(print(of_one), paste("Leakage of one fit on", sum(!half), "rows that it was not made of: og, k = 2"))
  expect_error(fair_leakage(og(x, people$sex, k = 2)),
    "x is missing.*pass fair_leakage\\(fit, x, groups\\), or fair_leakage\\(fair_crossfit\\(fit, x, groups\\)\\)\\.")
  expect_output(print(fair_extra_error(og(x, people$sex, k = 2), x, people$sex, permutations = 19)), "Extra error")
})

test_that("a weighted fit asks for its weights again", {
  skip_without_python()
  x <- people[c("age", "priors", "income")]
  w <- seq_len(nrow(people)) / 10
  fit <- og(x, people$sex, k = 2, weights = w)
  expect_error(fair_crossfit(fit, x, people$sex), "weights is missing")
  expect_error(fair_reconstruction_error_by_group(fit, x, people$sex), "weights is missing")
  crossfitted <- fair_crossfit(fit, x, people$sex, weights = w)
  expect_equal(dim(crossfitted$scores), c(nrow(people), 2L))
  losses <- tidy(fair_reconstruction_error_by_group(fit, x, people$sex, weights = w))
  expect_equal(sum(losses$n[losses$fit == "og" & is.na(losses$versus) & losses$contrast == "none"]), sum(w))
})

test_that("Local Law 144's tables print as Python's do, and have a line a category", {
  skip_without_python()
  tables <- fair_local_law_144(fair_audit(people, decision = "yhat", groups = c("sex", "group")))
  for (use in list(function(x) fair_report(x, to = tempfile(fileext = ".html")), plot, fair_table)) {
    expect_error(use(tables), "preset = \"ll144\"", class = "fairstats_input_error")
  }
  expect_named(tables, c("sex", "group", "sex:group"), ignore.order = TRUE)
  rates <- tapply(people$yhat, people$sex, mean)
  lines <- tables$sex$categories
  expect_equal(lines$rate, as.vector(rates[lines$category]))
  expect_equal(lines$impact.ratio, as.vector(rates / max(rates))[match(lines$category, names(rates))])
  expect_identical(tables$sex$highest, names(which.max(rates)))
  expect_identical(lines$reason, c(NA_character_, NA_character_))
  expect_identical(sort(tidy(tables$sex)$estimate[tidy(tables$sex)$metric == "impact ratio"]), sort(lines$impact.ratio))
  expect_output(print(tables), "^Impact ratios of the selection rate by sex\n.*impact ratio.*by sex:group")
  expect_error(
    fair_local_law_144(fair_audit(people, decision = "yhat", groups = "sex"), exclude = c(nobody = "few")), "no such category"
  )
  expect_error(fair_local_law_144(fair_audit(people, decision = "yhat", groups = "sex"), exclude = "female"),
    "pass list(category = 'justification')", fixed = TRUE)
  unsaid <- transform(people, sex = ifelse(seq_along(sex) <= 9, "Decline to state", as.character(sex)))
  audit <- fair_audit(unsaid, decision = "yhat", groups = "sex")
  expect_identical(as.numeric(fair_local_law_144(audit)$sex$unknown), 9)
  expect_identical(as.numeric(fair_local_law_144(audit, unknown = character())$sex$unknown), 0)
  expect_error(fair_local_law_144(audit, unknown = "No answer"), "unknown has 'No answer'.*Decline to state")
  expect_identical(fair_local_law_144(audit, measure = "scoring rate")$sex$measure, "scoring rate")
})

test_that("a comparison runs over R's own model matrix", {
  skip_without_python()
  made <- fair_compare(people, "y", "sex", ~ age + priors + group, methods = c("none", "og"), k = 2, n_repeats = 3)
  expect_s3_class(made, "fairstats_comparison")
  expect_true("og" %in% unlist(strsplit(made$summary, "[^a-z]+")))
  more <- fair_compare(people, "y", "sex", c("age", "priors", "income"), methods = "pca", k = c(1, 2), n_repeats = 2,
    model = c("logistic", "linear-svm"), representation = TRUE)
  rows <- tidy(more)
  expect_true(any(rows$fit == "pca" & rows$k == 2 & rows$model == "linear-svm"))
  expect_equal(anyDuplicated(rows$term), 0L)
  expect_true("explained variance" %in% tidy(more)$metric)
})

test_that("figures of an audit", {
  skip_without_python()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_named(plot(audit())[c("group", "estimate")], c("group", "estimate"))
  expect_identical(unique(plot(audit(), kind = "differences")$contrast), "difference")
  expect_identical(unique(plot(audit(), kind = "ratios")$contrast), "ratio")
  expect_error(plot(audit(), kind = "nope"), "differences")
  expect_error(plot(audit(), metric = "nope"), "no metric 'nope'.*selection rate")
  if (requireNamespace("ggplot2", quietly = TRUE)) expect_s3_class(ggplot2::autoplot(audit()), "ggplot")
})

test_that("bad columns are named", {
  skip_without_python()
  expect_error(fair_audit(people, decision = "nope", groups = "sex"), "'nope'.*columns are")
  expect_error(fair_audit(people[0, ], decision = "yhat", groups = "sex"), "no rows")
  expect_error(fair_audit(transform(people, l = I(as.list(yhat))), decision = "l", groups = "sex"), "l is a column of class AsIs")
})

test_that("every method that Python compares can be named, and one that it does not know has a hint", {
  skip_without_python()
  features <- c("age", "priors", "income")
  made <- fair_compare(people, "y", "sex", features, methods = c("none", "og-residual", "fair_pca-s", "with_groups"),
    k = 1, n_repeats = 2)
  expect_true(all(c("og-residual", "fair_pca-s", "with_groups") %in% tidy(made)$fit))
  for (method in c("pope_sydnor", "residualize")) {
    expect_s3_class(fair_compare(people, "y", "sex", features, methods = method, n_repeats = 2), "fairstats_comparison")
  }
  expect_error(fair_compare(people, "y", "sex", features, methods = "report", k = 2), "'report', which is not known")
  expect_error(fair_compare(people, "y", "sex", features, methods = "og-residul", k = 2), "did you mean 'og-residual'")
})

test_that("a reduction is a model of a comparison", {
  skip_without_python()
  skip_if_not(reticulate::py_module_available("fairlearn"), "fairlearn is not installed")
  made <- fair_compare(people, "y", "sex", c("age", "priors"), methods = "none", n_repeats = 2,
    model = list("logistic", fairlearn_reduction("demographic_parity", bound = 0.05)))
  expect_true("reduction, demographic_parity 0.05" %in% tidy(made)$model)
  expect_output(print(fairlearn_reduction()), "demographic_parity within 0.01")
  expect_error(fair_compare(people, "y", "sex", "age", model = fairlearn_reduction("nope"), n_repeats = 2),
    "constraint has 'nope'")
})

test_that("a reference is a level, a rule, or one for each attribute, as a list or a named vector", {
  skip_without_python()
  both <- function(reference) fair_audit(people, decision = "yhat", groups = c("sex", "group"), reference = reference)
  expect_identical(both(c(sex = "female", group = "c"))$references[c("sex", "group")], list(sex = "female", group = "c"))
  expect_identical(both(list(sex = "male"))$references$sex, "male")
  old <- transform(people, old = age > 40)
  expect_identical(fair_audit(old, decision = "yhat", groups = "old", reference = TRUE)$references$old, "TRUE")
  expect_identical(fair_audit(old, decision = "yhat", groups = "sex", reference = factor("male"))$references$sex, "male")
  expect_error(both(c("male", "c")), "reference has 2 levels without names; name the attribute of each")
  expect_error(fair_audit(people, decision = "yhat", groups = "sex", favorable = c(0, 1)), "favorable = 0, 1 is not one label")
})

test_that("columns are named, not given", {
  skip_without_python()
  expect_error(fair_audit(people, decision = "yhat", groups = "sex", weights = people$age),
    "weights has a value a row; give the name of the column: weights = \"age\"")
})

test_that("rates by group are a table with a line a group", {
  skip_without_python()
  a <- audit()
  made <- fair_by_group(a)
  expect_s3_class(made, "tbl_df")
  expect_setequal(made$sex, c("female", "male"))
  expect_equal(made[["selection rate"]], as.vector(tapply(people$yhat, people$sex, mean)[made$sex]))
  expect_true(all(setdiff(names(made), "sex") %in% tidy(a)$metric))
  both <- fair_audit(people, decision = "yhat", groups = c("sex", "group"), min_n = 60)
  minutes <- transform(people, t = as.difftime(ifelse(sex == "male", 60, 30), units = "mins"))
  expect_identical(fair_by_group(fair_audit(minutes, "yhat", "t"))$t, as.difftime(c(30, 60), units = "mins"))
  small <- fair_by_group(both, "group")
  rows <- tidy(both)
  rows <- rows[rows$role == "main" & rows$metric == "selection rate" & rows$contrast == "none" & rows$attribute == "group", ]
  expect_identical(small[["selection rate"]], rows$estimate[match(small$group, rows$group)])
  expect_true(is.na(small[["selection rate"]][small$group == "c"]) && !any(is.nan(small[["selection rate"]])))
  expect_error(fair_by_group(both, "gruop"), "Did you mean 'group'")
  dropped <- fair_audit(transform(people, sex = replace(sex, 1:20, NA)), "yhat", "sex", min_n = 60, missing = "drop")
  expect_match(dropped$notes, "missing = 'level' keeps these people", all = FALSE)
  expect_match(dropped$notes, "each row's `reason` says why", all = FALSE)
  expect_true(all(nzchar(tidy(dropped)$reason[tidy(dropped)$status == "suppressed"])))
  expect_error(fair_by_group(people), "x is of class data.frame")
  compared <- fair_compare(people, "y", "sex", c("age", "priors"), methods = c("none", "og"), k = 1, n_repeats = 2)
  expect_named(fair_by_group(compared)[1:2], c("method", "sex"))
})

test_that("arguments without names are those of Python, and the former name is told of", {
  skip_without_python()
  python <- reticulate::import("fairstats", convert = FALSE)
  inspect <- reticulate::import("inspect", convert = FALSE)
  for (name in c("audit", "tally", "subgroup_scan")) {
    kinds <- reticulate::iterate(inspect$signature(python[[name]])$parameters$values(), function(p) {
      list(reticulate::py_to_r(p$name), reticulate::py_to_r(reticulate::import_builtins(convert = FALSE)$int(p$kind)))
    })
    without_names <- vapply(Filter(function(kind) kind[[2L]] < 2, kinds), `[[`, "", 1L) # positional only, or either
    ours <- names(formals(get(paste0("fair_", name))))
    expect_identical(ours[seq_len(match("...", ours) - 1L)], without_names, label = name)
  }
  expect_identical(tidy(fair_audit(people, "yhat", "sex")), tidy(fair_audit(people, decision = "yhat", groups = "sex")))
  expect_error(fair_audit(people, "yhat", "sex", "y"), "more values than it takes without names")
  x <- people[c("age", "priors")]
  fit <- og(x, people$sex, k = 1)
  for (former in list(quote(fair_audit(people, "yhat", group = "sex")), quote(fair_tally(people, "yhat", group = "sex")),
    quote(fair_subgroup_scan(people, "yhat", group = "sex")), quote(og(x, group = people$sex)),
    quote(fair_compare(people, "y", group = "sex", features = "age")), quote(predict(fit, x, group = people$sex)),
    quote(fair_crossfit(fit, x, group = people$sex)), quote(augment(fit, x, group = people$sex)),
    quote(do.call(leace, list(x, group = people$sex))), quote(fair_moments("a.csv", group = "sex")))) {
    expect_error(eval(former), "no argument 'group': it is called groups", class = "fairstats_input_error")
  }
})

test_that("the names of p.adjust() are taken", {
  skip_without_python()
  for (name in c("holm", "bonferroni", "none")) {
    expect_identical(fair_audit(people, "yhat", "group", p_adjust = name)$protocol$p_adjust, name)
  }
  for (name in c("BH", "fdr")) {
    rows <- tidy(fair_audit(people, "yhat", "group", p_adjust = name), role = "all")
    rows <- rows[rows$metric == "selection rate" & rows$contrast == "difference" & rows$role == "main", ]
    expect_equal(rows$adj.p.value, stats::p.adjust(rows$p.value, name))
    listed <- fair_audit(people, protocol = list(groups = "group", decision = "yhat", p_adjust = name))
    expect_identical(listed$protocol$p_adjust, "bh")
  }
})

test_that("what a verb does not know is no silent wish", {
  skip_without_python()
  a <- fair_audit(people, "yhat", "sex")
  expect_error(tidy(a, conf.intt = FALSE), "Did you mean 'conf.int'", class = "fairstats_input_error")
  expect_error(glance(a, digits = 2), "no argument 'digits'", class = "fairstats_input_error")
  expect_error(augment(a, people), "adds no column to rows", class = "fairstats_input_error")
  expect_no_match(utils::capture.output(utils::str(a)), "python")
})

test_that("amounts are compared by means and medians, and a tally of them as they are", {
  skip_without_python()
  cars <- transform(mtcars, am = ifelse(am == 1, "manual", "automatic"))
  audit <- fair_audit(cars, amount = "mpg", groups = "am", reference = "automatic", unit = "mpg", quantiles = c(0.25, 0.5),
    margin = list(gap = 0.05))
  rows <- tidy(audit)
  gap <- rows[rows$metric == "gap of means" & rows$role == "main", ]
  means <- tapply(cars$mpg, cars$am, mean)
  expect_equal(gap$estimate, 1 - means[["manual"]] / means[["automatic"]])
  median <- rows[rows$metric == "median amount" & rows$contrast == "difference", ]
  expect_equal(median$estimate, as.numeric(diff(tapply(cars$mpg, cars$am, stats::median))))
  logs <- rows[rows$metric == "geometric mean" & rows$contrast == "ratio", ]
  expect_gte(logs$p.value, stats::t.test(log(mpg) ~ am, data = cars)$p.value * (1 - 1e-9))
  counted <- fair_audit(fair_tally(cars, amount = "mpg", groups = "am"), reference = "automatic", quantiles = c(0.25, 0.5))
  again <- tidy(counted)
  expect_equal(again$estimate[again$metric == "gap of means"], gap$estimate)
  expect_error(fair_audit(cars, decision = "vs", groups = "am", unit = "mpg"), class = "fairstats_error")
})

test_that("a decision of several classes is compared class by class, an ordered factor in its order", {
  skip_without_python()
  d <- data.frame(
    sex = rep(c("f", "m"), each = 60),
    risk = rep(c("high", "middle", "low", "high", "middle", "low"), c(30, 20, 10, 15, 20, 25))
  )
  order <- c("high", "middle", "low")
  declared <- tidy(fair_audit(d, decision = "risk", groups = "sex", class_order = order, reference = "m"))
  d$risk <- factor(d$risk, order, ordered = TRUE)
  ordered <- tidy(fair_audit(d, decision = "risk", groups = "sex", reference = "m"))
  expect_equal(ordered$estimate, declared$estimate)
  d$risk <- factor(as.character(d$risk))
  plain <- tidy(fair_audit(d, decision = "risk", groups = "sex", reference = "m"))
  expect_true("P(X>Y) of classes" %in% ordered$metric)
  expect_false("P(X>Y) of classes" %in% plain$metric)
  shares <- plain[plain$metric == "class share" & plain$contrast == "none" & plain$group == "f", ]
  expect_equal(sort(shares$estimate), c(10, 20, 30) / 60)
  expect_error(fair_audit(d, decision = "risk", groups = "sex", class_order = order, favorable = "low"), "drop one of the two")
})

test_that("splits are given as pairs of rows or masks", {
  skip_without_python()
  compared <- function(splits) fair_compare(people, "y", "sex", c("age", "priors"), methods = "none", splits = splits)
  first <- 1:200
  rows <- compared(list(list(first, 201:300), list(201:300, first)))
  expect_identical(glance(rows)$n.repeats, 2L)
  mask <- seq_len(300) <= 200
  expect_equal(tidy(compared(list(list(mask, !mask), list(!mask, mask))))$estimate, tidy(rows)$estimate)
  expect_error(compared(list(list(1:10, 10:20))), "splits[[1]] has the row 10 (1 in all) in both parts", fixed = TRUE)
  expect_error(compared(list(list(0:9, 11:300))), "splits has the row 0; rows are whole numbers from 1 to 300")
  expect_error(compared(list(list(c(mask[-1], NA), 201:300))), "whole numbers from 1 to 300, or a mask")
  expect_error(compared(1:3), "splits is no list of pairs")
})

test_that("splits of rsample are those of its training and test rows", {
  skip_without_python()
  compared <- function(splits) {
    result <- fair_compare(people, "y", "sex", c("age", "priors"), methods = "none", splits = splits)
    tidy(result)$estimate
  }
  # as rsplit() and new_rset() of rsample 1.2 make them: out_id is NA where complement() computes it
  rsplit <- function(class, rows, others = NA, data = people) {
    structure(list(data = data, in_id = rows, out_id = others, id = data.frame(id = class)), class = c(class, "rsplit"))
  }
  rset <- function(class, ...) {
    structure(list(splits = list(...), id = paste0("Fold", seq_len(...length()))), row.names = seq_len(...length()),
      class = c(class, "rset", "tbl_df", "tbl", "data.frame"))
  }
  first <- 1:200
  folds <- rset("vfold_cv", rsplit("vfold_split", first), rsplit("vfold_split", 201:300))
  pairs <- compared(list(list(first, 201:300), list(201:300, first)))
  expect_equal(compared(folds), pairs)
  class(folds) <- c("tbl_df", "tbl", "data.frame") # as rows of it are
  expect_equal(compared(folds), pairs)
  set.seed(1)
  drawn <- sample(300, replace = TRUE)
  oob <- setdiff(1:300, drawn)
  expect_equal(compared(rset("bootstraps", rsplit("boot_split", drawn))), compared(list(list(drawn, oob))))
  origin <- rsplit("rof_split", 1:100, 101:150)
  expect_equal(compared(rset("rolling_origin", origin)), compared(list(list(1:100, 101:150))))
  expect_equal(compared(rsplit("initial_split", first)), compared(list(list(first, 201:300))))
  expect_error(compared(rset("bootstraps", rsplit("apparent_split", 1:300))), "splits[[1]] has a part without rows", fixed = TRUE)
  part <- rsplit("vfold_split", first, data = people[1:250, ])
  expect_error(compared(rset("vfold_cv", part)), "splits are of 250 rows, and data has 300")
})

test_that("the method of a comparison is the test that was computed", {
  skip_without_python()
  rows <- tidy(fair_audit(data.frame(g = rep(c("a", "b"), each = 100), d = rep(c(1, 0, 1), c(10, 90, 100))),
    decision = "d", groups = "g"))
  gap <- subset(rows, contrast == "difference" & role == "main")
  expect_match(gap$method[[1L]], "Fisher's exact test", fixed = TRUE)
  expect_equal(gap$p.value[[1L]], fisher.test(matrix(c(10, 90, 100, 0), 2))$p.value, tolerance = 1e-6)
})

test_that("a formula in quotes is refused with the way to write it", {
  skip_without_python()
  for (call in list(quote(fair_audit(people, "yhat ~ sex")), quote(fair_audit("yhat ~ sex", people)),
    quote(fair_audit(people, "yhat", "~ sex")))) {
    expect_error(eval(call), "is text, and no column has that name; write the formula without quotes: .*~ sex\\.$")
  }
  expect_error(fair_audit("~/nowhere.csv", "yhat", "sex"), "nowhere.csv")
  odd <- stats::setNames(people, sub("yhat", "yhat ~ y", names(people)))
  expect_identical(tidy(fair_audit(odd, "yhat ~ y", "sex"))$estimate, tidy(fair_audit(people, "yhat", "sex"))$estimate)
  expect_error(fair_audit(yhat ~ sex, people, groups = "group"), "groups is given, and yhat ~ sex says it, too")
})

test_that("beside adjusted limits stands the p-value that agrees with them, and the other comes after", {
  skip_without_python()
  many <- fair_audit(people, "yhat", "group")
  rows <- tidy(many)
  places <- match(c("adj.p.value", "conf.low", "n", "p.value"), names(rows))
  expect_identical(places, sort(places))
  both <- rows[!is.na(rows$p.value) & rows$metric == "selection rate" & rows$contrast == "difference", ]
  expect_equal(both$adj.p.value, stats::p.adjust(both$p.value, "bonferroni"))
  rows <- rows[rows$contrast == "difference" & !is.na(rows$adj.p.value), ]
  expect_identical(rows$adj.p.value <= 0.05, rows$conf.low > 0 | rows$conf.high < 0)
  one <- tidy(fair_audit(people, "yhat", "sex")) # one comparison, nothing to adjust
  expect_lt(match("p.value", names(one)), match("adj.p.value", names(one)))
  expect_no_match(knitr::kable(many)[[1L]], "[^.]p.value")
  # of methods each interval has its level by itself
  compared <- fair_compare(people, "y", "group", c("age", "priors", "income"), methods = c("none", "og"), k = 2, n_repeats = 3)
  rows <- tidy(compared)
  places <- match(c("p.value", "conf.low", "n", "adj.p.value"), names(rows))
  expect_identical(places, sort(places))
  rows <- rows[rows$contrast == "difference" & !is.na(rows$p.value), ]
  expect_gt(nrow(rows), 20)
  expect_identical(rows$p.value <= 0.05, rows$conf.low > 0 | rows$conf.high < 0)
  limit <- rows$estimate - stats::qt(0.975, rows$df) * rows$std.error
  expect_equal(rows$conf.low, limit)
})

test_that("NULL is no default but where the default is NULL, and the error has the way out", {
  skip_without_python()
  expect_error(fair_audit(people, "yhat", "sex", p_adjust = NULL),
    "p_adjust is NULL; .* \"bonferroni\"; for none pass \"none\"\\.$")
  expect_error(fair_audit(people, "yhat", "sex", intersections = NULL), "\"pairs\"; for none pass FALSE\\.$")
  expect_error(fair_audit(people, "yhat", "sex", conf_level = NULL), "conf_level is NULL; give a value, or leave it out")
  expect_error(og(people["age"], people$sex, k = NULL), "its default, 2\\.$")
  expect_error(fair_subgroup_scan(people, "yhat", "sex", min_n = NULL), "its default, 10\\.$")
  expect_s3_class(fair_audit(people, "yhat", "sex", strata = NULL, margin = NULL), "fairstats_audit")
})

test_that("a margin is a list or a named vector, and an error names its entry as R does", {
  skip_without_python()
  rows <- function(margin) tidy(fair_audit(people, "yhat", "sex", margin = margin))
  expect_identical(rows(c(ratio = 0.8)), rows(list(ratio = 0.8)))
  expect_error(rows(c(ratio = 2)), "^margin\\$ratio has 2")
})

test_that("cells of an audit count people as n, as Python's do", {
  skip_without_python()
  cells <- fair_audit(people, "yhat", "sex")$cells
  expect_identical(as.integer(cells$n[match(c("female", "male"), cells$group)]), as.vector(table(people$sex)))
})

test_that("a decision that a formula computes is a column and its favorable label", {
  skip_without_python()
  expect_match(message_of(fair_audit(yhat == 1 ~ sex | group, people)), "write yhat ~ sex | group, and favorable = 1.",
    fixed = TRUE)
  expect_match(message_of(fair_audit(people, "a" == group ~ sex)), "write group ~ sex, and favorable = \"a\".", fixed = TRUE)
  expect_match(message_of(fair_audit(nobody == 1 ~ sex, people)), "has no name of a decision")
})
