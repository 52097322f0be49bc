# Labels and names of columns as R users have them: text beyond ASCII, days, logicals, missing values, names with a colon.
# This file is also run where the session's encoding is not UTF-8.
x <- people[c("age", "priors", "income")]
gr <- "gr\u00f6\u00dfe"
femme <- ifelse(people$sex == "female", "f\u00e9m", "\u7537")

test_that("labels and names beyond ASCII arrive as they are", {
  skip_without_python()
  expect_identical(through_python(gr), gr)
  df <- stats::setNames(data.frame(femme, people$yhat), c(gr, "yhat"))
  rows <- tidy(fair_audit(df, decision = "yhat", groups = gr))
  expect_setequal(rows$attribute[rows$group != ""], gr)
  expect_setequal(rows$group[rows$group != ""], unique(femme))
  fit <- og(x, stats::setNames(data.frame(femme), gr), k = 2)
  expect_setequal(fit$groups$levels[[gr]], unique(femme))
  expect_equal(fit$x, og(x, people$sex, k = 2)$x)
  expect_equal(predict(fit, x[1:5, ], groups = femme[1:5]), fit$x[1:5, ], ignore_attr = TRUE)
  report <- withr_tempfile(".json")
  fair_report(fair_audit(df, decision = "yhat", groups = gr), to = report)
  expect_in_page(report, "f\u00e9m|f\\\\u00e9m", fixed = FALSE)
})

test_that("people without a group are a level of the fit, with scores and all that follows from them", {
  skip_without_python()
  gone <- c(1:5, 100)
  group <- replace(people$sex, gone, NA)
  named <- replace(people$sex, gone, "(none)")
  fit <- og(x, group, k = 2, missing = "level")
  same <- og(x, named, k = 2)
  expect_equal(abs(fit$x), abs(same$x), tolerance = 1e-10)
  expect_false(anyNA(fit$x))
  expect_equal(predict(fit, x, groups = group), fit$x, tolerance = 1e-12)
  expect_equal(fair_reconstruct(fit), fair_reconstruct(same), tolerance = 1e-10)
  both <- transform(people, sex = group)
  expect_false(anyNA(augment(og(~ age + priors, "sex", k = 1, data = both, missing = "level"), both)$.score_1))
  crossed <- og(x, "sex:group", k = 2, data = both, missing = "level")
  expect_false(anyNA(crossed$x))
  expect_equal(predict(crossed, both), crossed$x, tolerance = 1e-12)
  crossfitted <- fair_crossfit(fit, x, group)
  expect_equal(abs(crossfitted$scores), abs(fair_crossfit(same, x, named)$scores), tolerance = 1e-8)
  losses <- tidy(fair_reconstruction_error_by_group(fit, x, group))
  expect_true("(missing)" %in% losses$group)
  expect_s3_class(fair_extra_error(fit, x, group, permutations = 19), "fairstats")
  expect_error(fair_crossfit(og(x, people$sex, k = 2), x, group), "missing value")
  dropped <- og(x, group, k = 2, missing = "drop")
  used <- names(fitted(lm(x[, 1] ~ group)))
  expect_identical(rownames(dropped$x), used)
  expect_identical(rownames(fitted(minimax_pca(x, group, k = 2, missing = "drop"))), used)
  expect_identical(nrow(fitted(dropped)), as.integer(nobs(dropped)))
  expect_equal(unname(dropped$x), unname(og(x[-gone, ], group[-gone], k = 2)$x), tolerance = 1e-10)
  named <- transform(people[1:50, ], sex = replace(sex, 3, NA), row.names = paste0("row", 1:50))
  kept <- og(~ age + priors, "sex", k = 1, data = named, missing = "drop")
  expect_identical(rownames(fitted(kept)), names(fitted(lm(age ~ sex, named))))
  expect_identical(nrow(suppressWarnings(predict(kept, named))), 50L)
  expect_equal(nrow(fair_crossfit(dropped, x, group, missing = "drop")$scores), nrow(x) - length(gone))
})

test_that("new rows without a group that matters get NA and a warning, not a number and not silence", {
  skip_without_python()
  fit <- og(x, people$sex, k = 2)
  expect_warning(scores <- predict(fit, x[1:3, ], groups = c("male", NA, "female")), "1 of the new rows have no group")
  expect_identical(unname(is.na(scores[, 1])), c(FALSE, TRUE, FALSE))
  for (map in list(residualize(x, people$sex), location_scale(x, people$sex), quadratic_leace(x, people$sex))) {
    expect_warning(part <- predict(map, x[1:3, ], groups = c("male", NA, "female")), "the adjusted features of .* are NA")
    expect_identical(unname(is.na(part[, 1])), c(FALSE, TRUE, FALSE))
    expect_equal(part[-2, ], predict(map, x[c(1, 3), ], groups = c("male", "female")))
    expect_warning(predict(map, x[1:2, ], groups = c(NA_character_, NA)), "2 of the new rows")
  }
})

test_that("new rows without a group, or of a level that the fit has not seen, are average where that is wanted", {
  skip_without_python()
  fit <- og(x, people$sex, k = 2)
  expect_error(predict(fit, x[1, , drop = FALSE], groups = "x"), "has not seen \\(x\\).*on_unknown = \"mean\"")
  expect_error(predict(fit, x[1, , drop = FALSE], groups = "x", on_unknown = "average"), "on_unknown has \"average\"; give")
  # the scores of PCA: nothing of the groups is taken out
  expect_equal(predict(fit, x[1:2, ], groups = c("x", NA), on_unknown = "mean"), predict(pca(x, k = 2), x[1:2, ]))
  map <- residualize(x, people$sex)
  out <- augment(map, x[1:3, ], groups = c("x", NA, "male"), on_unknown = "mean")
  expect_equal(unname(as.matrix(out[1:2, paste0(".adjusted_", colnames(x))])), unname(as.matrix(x[1:2, ])))
  expect_equal(augment(fit, x[1:2, ], groups = c("x", "male"), on_unknown = "mean")$.score_1[[2]],
    predict(fit, x[2, , drop = FALSE], groups = "male")[[1, 1]])
})

test_that("one attribute that is unknown is average, and the row is adjusted for the others", {
  skip_without_python()
  features <- as.matrix(mtcars[c("hp", "wt", "qsec")])
  fit <- og(features, mtcars[c("am", "vs")], k = 2, scale = TRUE)
  scores <- scale(features) %*% fit$rotation
  without_vs <- function(values) {
    values - outer(mtcars$vs - mean(mtcars$vs), stats::coef(stats::lm(values ~ am + vs, mtcars))["vs", ])
  }
  numbers <- og(features, mtcars[c("am", "vs")], k = 2, scale = TRUE, continuous = "vs")
  map <- residualize(features, mtcars[c("am", "vs")])
  for (unknown in c(9, NA)) {
    new <- transform(mtcars, am = unknown)
    expect_equal(predict(fit, new, on_unknown = "mean"), without_vs(scores), ignore_attr = TRUE)
    expect_equal(predict(numbers, new, on_unknown = "mean"), without_vs(scores), ignore_attr = TRUE)
    expect_equal(predict(map, new, on_unknown = "mean"), without_vs(features), ignore_attr = TRUE)
    # an intersection is one attribute, unknown as a whole
    crossing <- og(~ hp + wt + qsec, "am:vs", data = mtcars, scale = TRUE)
    expect_equal(predict(crossing, new, on_unknown = "mean"), scale(features) %*% crossing$rotation, ignore_attr = TRUE)
  }
})

test_that("fewer groups than new rows are refused wherever groups are taken", {
  skip_without_python()
  wanted <- "groups has 5 values and newdata has 10 rows; give one a row."
  few <- factor(people$sex[1:5])
  for (fit in list(og(x, people$sex, k = 2), minimax_pca(x, people$sex, k = 1), residualize(x, people$sex))) {
    expect_error(predict(fit, x[1:10, ], groups = few), wanted, class = "fairstats_input_error")
    expect_error(augment(fit, x[1:10, ], groups = few), wanted, class = "fairstats_input_error")
    if (inherits(fit, "fairstats_fit")) expect_error(fair_reconstruct(fit, x[1:10, ], groups = few), wanted)
  }
  slope <- og(x, "score", k = 1, data = people, continuous = "score")
  expect_error(predict(slope, x[1:10, ], groups = people$score[1:5]), wanted)
})

test_that("days and instants are groups with the labels that R writes", {
  skip_without_python()
  day <- as.Date("2020-01-01") + (people$sex == "male")
  fit <- og(x, day, k = 2)
  expect_identical(fit$groups$levels[[1]], c("2020-01-01", "2020-01-02"))
  expect_equal(fit$x, og(x, people$sex, k = 2)$x)
  expect_equal(predict(fit, x[1:4, ], groups = day[1:4]), fit$x[1:4, ], ignore_attr = TRUE)
  rows <- tidy(fair_audit(transform(people, day = day), decision = "yhat", groups = "day"))
  expect_setequal(rows$group[rows$group != ""], c("2020-01-01", "2020-01-02"))
  instant <- as.POSIXct("2020-01-01", tz = "UTC") + 3600 * (people$sex == "male")
  expect_identical(og(x, instant, k = 1)$groups$levels[[1]], c("2020-01-01", "2020-01-01 01:00:00"))
  expect_equal(og(x, instant, k = 2)$x, fit$x)
})

test_that("names that need backticks, and names with a colon, are names", {
  skip_without_python()
  df <- stats::setNames(people, sub("sex", "Gruppe a:b", names(people)))
  expect_equal(og(x, ~`Gruppe a:b`, k = 2, data = df)$x, og(x, people$sex, k = 2)$x)
  expect_equal(og(x, "Gruppe a:b", k = 2, data = df)$x, og(x, people$sex, k = 2)$x)
  fit <- og(x, ~ `Gruppe a:b` + group, k = 2, data = df)
  expect_equal(predict(fit, df), fit$x, tolerance = 1e-12)
  a <- fair_audit(df, decision = "yhat", groups = ~`Gruppe a:b`)
  expect_equal(tidy(a)$estimate, tidy(fair_audit(people, decision = "yhat", groups = "sex"))$estimate)
  both <- fair_audit(df, decision = "yhat", groups = c("Gruppe a:b", "group"))
  # power depends on the family, which a name with a colon leaves as intersections do
  estimates <- function(x) subset(tidy(x), role == "main")$estimate
  expect_equal(estimates(both), estimates(fair_audit(people, decision = "yhat", groups = c("sex", "group"))))
  expect_error(og(x, ~ cut(age, 2), k = 1, data = people), "has cut\\(age, 2\\).*make it a column")
  expect_error(og(x, ~., k = 1, data = people), "has a dot")
})

test_that("a label that is also the name of a column is a label", {
  skip_without_python()
  group <- ifelse(people$sex == "male", "age", "other")
  expect_identical(rownames(og(x, group, k = 2)$rotation), names(x))
})

test_that("of several columns with one name none is taken silently", {
  skip_without_python()
  twice <- stats::setNames(cbind(x, people["sex"]), c("age", "age", "income", "sex"))
  expect_error(og(twice, "sex", k = 1), "several columns of that name")
  expect_error(og(~ age + income, "sex", k = 1, data = twice), "several columns of that name")
  expect_error(predict(pca(x, k = 1), stats::setNames(x[c(1, 1, 2, 3)], c("age", "age", "priors", "income"))), "several columns")
  groups <- stats::setNames(people[c("yhat", "sex", "group")], c("yhat", "g", "g"))
  expect_error(fair_audit(groups, decision = "yhat", groups = "g"), "several columns of that name")
  expect_error(og(c("age", "age"), "sex", k = 1, data = people), "'age' more than once")
})

test_that("a level that is called (missing) is not merged with people without a group", {
  skip_without_python()
  df <- transform(people, sex = replace(sex, 1:40, "(missing)"))
  df$sex[41:60] <- NA
  expect_error(fair_audit(df, decision = "yhat", groups = "sex"), "(missing)", fixed = TRUE)
  expect_error(og(x, df$sex, k = 1, missing = "level"), "(missing)", fixed = TRUE)
})

test_that("labels with a colon stay apart in an intersection, and so do people of whom one part is missing", {
  skip_without_python()
  odd <- transform(people, sex = ifelse(sex == "male", "m:x", "f\\o"))
  odd$sex[1:9] <- NA
  fit <- og(x, "sex:group", k = 2, data = odd, missing = "level")
  same <- interaction(ifelse(is.na(odd$sex), "none", odd$sex), odd$group)
  expect_length(fit$groups$levels[[1]], nlevels(droplevels(same)))
  expect_equal(abs(fit$x), abs(og(x, same, k = 2)$x), tolerance = 1e-10)
  expect_equal(predict(fit, odd), fit$x, tolerance = 1e-12)
})

test_that("columns of numbers: codes are groups, many of them with a warning, measurements are none", {
  skip_without_python()
  expect_identical(nrow(fair_by_group(fair_audit(transform(people, code = rep(1:5, 60)), decision = "yhat",
    groups = "code"))), 5L)
  expect_error(fair_audit(people, decision = "yhat", groups = "age"), "look like a measurement.*\\(cut\\(data\\$age, c\\(")
  expect_error(fair_audit(people, decision = "yhat", groups = "score"), "score")
  days <- transform(people, day = as.Date("2024-01-01") + seq_along(yhat) %% 25)
  expect_error(fair_audit(days, decision = "yhat", groups = "day"), "has 25 distinct dates or times, which look like a meas")
  expect_error(og(x, "score", k = 1, data = people), "score")
})

test_that("rows are paired by their order, whatever their names", {
  skip_without_python()
  some <- people[c(200:101, 20:1), ]
  expect_equal(unname(og(some[names(x)], some["sex"], k = 2)$x), unname(og(as.matrix(some[names(x)]), some$sex, k = 2)$x))
  expect_equal(unname(og(x[1:120, ], some["sex"], k = 2)$x), unname(og(x[1:120, ], some$sex, k = 2)$x))
})

test_that("labeled columns of surveys are their labels, as haven has them, or their values where some have no label", {
  skip_without_python()
  labeled <- function(labels) {
    structure(as.numeric(people$sex == "male"), labels = labels, class = c("haven_labelled", "vctrs_vctr", "double"))
  }
  both <- labeled(c(female = 0, male = 1))
  expect_identical(through_python(both), factor(people$sex))
  if (requireNamespace("haven", quietly = TRUE)) expect_identical(through_python(both), haven::as_factor(both))
  expect_identical(through_python(labeled(c(male = 1))), as.numeric(people$sex == "male"))
})

test_that("tables have the groups of a factor in the order of its levels", {
  skip_without_python()
  order <- c("c", "a", "b")
  made <- transform(people, group = factor(group, order))
  rows <- function(a) tidy(a)[tidy(a)$metric == "selection rate" & tidy(a)$contrast == "none" & tidy(a)$role == "main", ]
  for (data in list(made, transform(made, group = factor(group, order, ordered = TRUE)))) {
    a <- fair_audit(data, "yhat", "group")
    expect_identical(as.character(fair_by_group(a)$group), order)
    expect_identical(rows(a)$group, order)
    expect_identical(fair_table(a, "rates")$cells$group, order)
    expect_identical(plot(a)$group, order)
    expect_identical(fair_by_group(fair_audit(fair_tally(data, "yhat", "group")))$group, order)
    expect_identical(a$references$group, names(which.max(table(people$group))))
  }
  # text has no order of its own: the largest group comes first
  expect_identical(fair_by_group(fair_audit(people, "yhat", "group"))$group, names(sort(table(people$group), decreasing = TRUE)))
  expect_equal(rows(fair_audit(made, "yhat", "group"))$estimate, as.vector(tapply(people$yhat, made$group, mean)))
})

test_that("tables by group keep the type of the column, as dplyr's do", {
  skip_without_python()
  n <- 60
  data <- data.frame(
    grade = factor(rep_len(c("lo", "mid", "hi"), n), c("lo", "mid", "hi"), ordered = TRUE),
    area = factor(rep_len(c("x", "y"), n)),
    code = rep_len(c(2, 1), n), old = rep_len(c(TRUE, TRUE, FALSE), n), day = as.Date("2026-01-01") + rep_len(0:1, n),
    name = rep_len(c("b", "a"), n), d = rep_len(c(0L, 1L, 1L, 0L, 0L), n)
  )
  a <- fair_audit(data, "d", setdiff(names(data), "d"))
  for (name in setdiff(names(data), "d")) {
    found <- fair_by_group(a, name)
    by_r <- stats::aggregate(data["d"], data[name], mean)
    expect_identical(class(found[[name]]), class(data[[name]]))
    expect_identical(levels(found[[name]]), levels(data[[name]]))
    expect_equal(found[["selection rate"]][match(by_r[[name]], found[[name]])], by_r$d)
  }
  data$area[3:9] <- NA
  expect_identical(levels(fair_by_group(fair_audit(data, "d", "area"))$area), c("x", "y"))
  expect_true(anyNA(fair_by_group(fair_audit(data, "d", "area"))$area))
  expect_type(fair_by_group(fair_audit(fair_tally(data, "d", "area")))$area, "character")
})
