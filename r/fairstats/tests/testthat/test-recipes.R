test_that("step_og() gives og()'s scores, on new rows too", {
  skip_without_python()
  skip_if_not_installed("recipes")
  train <- people[1:200, ]
  test <- people[201:300, ]
  made <- recipes::recipe(y ~ ., data = train[c("y", "age", "priors", "income", "sex")])
  made <- recipes::prep(step_og(made, recipes::all_numeric_predictors(), groups = "sex", num_comp = 2))
  fit <- og(train[c("age", "priors", "income")], train["sex"], k = 2)
  baked <- recipes::bake(made, test)
  expect_equal(unname(as.matrix(baked[c("OG1", "OG2")])), unname(predict(fit, test)), tolerance = 1e-12)
  expect_setequal(names(baked), c("sex", "y", "OG1", "OG2"))
  expect_equal(nrow(tidy(made, 1)), 6L)
  expect_output(print(made), "orthogonal to the groups")
})

test_that("groups that stay predictors are named when a step is prepared, once, and others are not", {
  skip_without_python()
  skip_if_not_installed("recipes")
  rlang::local_options(rlib_message_verbosity = "verbose")
  start <- recipes::recipe(y ~ ., data = people[c("y", "age", "priors", "sex")])
  expect_message(recipes::prep(step_leace(start, age, priors, groups = sex)), "^step_leace\\(\\) leaves sex a predictor")
  apart <- recipes::update_role(start, sex, new_role = "group")
  expect_no_message(recipes::prep(step_leace(apart, age, priors, groups = sex)))
})

test_that("a step that is saved bakes without Python, and a lost group is named", {
  skip_without_python()
  skip_if_not_installed("recipes")
  made <- recipes::recipe(y ~ ., data = people[c("y", "age", "priors", "sex")])
  made <- recipes::prep(step_og(made, age, priors, groups = "sex", num_comp = 1))
  file <- withr_tempfile(".rds")
  saveRDS(made, file)
  expect_equal(recipes::bake(readRDS(file), people), recipes::bake(made, people))
  expect_error(step_og(recipes::recipe(y ~ ., people), age, groups = "nope", num_comp = 1) |> recipes::prep(), "'nope'")
})

test_that("case weights of a recipe are weights of the fit", {
  skip_without_python()
  skip_if_not_installed("recipes")
  columns <- c("age", "priors", "income")
  w <- rep(1:3, 100)
  wanted <- og(people[columns], people["sex"], k = 2, weights = w)
  for (kind in list(recipes::frequency_weights(w), recipes::importance_weights(w))) {
    train <- people[c("y", columns, "sex")]
    train$w <- kind
    made <- recipes::prep(step_og(recipes::recipe(y ~ ., data = train), age, priors, income, groups = "sex", num_comp = 2))
    expect_equal(made$steps[[1]]$res$rotation, wanted$rotation, tolerance = 1e-12)
    expect_output(print(made), "weighted")
    baked <- recipes::bake(made, train[1:9, ])
    expect_equal(unname(as.matrix(baked[c("OG1", "OG2")])), unname(wanted$x[1:9, ]), tolerance = 1e-12)
  }
})

test_that("people without a group are baked where the step knows them", {
  skip_without_python()
  skip_if_not_installed("recipes")
  df <- transform(people[c("y", "age", "priors", "sex")], sex = replace(sex, 1:5, NA))
  made <- recipes::recipe(y ~ ., data = df) |>
    step_og(age, priors, groups = "sex", num_comp = 1, options = list(missing = "level")) |>
    recipes::prep()
  expect_false(anyNA(recipes::bake(made, df)$OG1))
})

test_that("a group column that an earlier step took is named, with the way out", {
  skip_without_python()
  skip_if_not_installed("recipes")
  start <- recipes::recipe(y ~ ., data = people[c("y", "age", "priors", "sex")]) |>
    recipes::step_dummy(recipes::all_nominal_predictors())
  for (made in list(step_og(start, age, priors, groups = sex), step_og(start, age, priors, groups = "sex"))) {
    expect_error(suppressWarnings(recipes::prep(made)), "step_og\\(\\) needs the group column 'sex'.*an earlier step removed it")
  }
})

test_that("a level that a step has not seen is average where that is wanted", {
  skip_without_python()
  skip_if_not_installed("recipes")
  new <- transform(people[1:3, ], sex = c("other", NA, "male"))
  start <- recipes::recipe(y ~ ., data = people[c("y", "age", "priors", "sex")], strings_as_factors = FALSE)
  baked <- function(recipe) recipes::bake(suppressMessages(recipes::prep(recipe, strings_as_factors = FALSE)), new)
  expect_error(baked(step_og(start, age, priors, groups = "sex", num_comp = 1)), "has not seen \\(other\\).*on_unknown")
  fit <- og(c("age", "priors"), "sex", k = 1, data = people)
  expect_equal(baked(step_og(start, age, priors, groups = "sex", num_comp = 1, on_unknown = "mean"))$OG1,
    unname(predict(fit, new, on_unknown = "mean")[, 1]))
  adjusted <- baked(step_residualize(start, age, priors, groups = "sex", on_unknown = "mean"))
  expect_equal(adjusted$age[1:2], new$age[1:2]) # nothing is taken out
  expect_error(baked(step_og(start, age, groups = "sex", num_comp = 1, on_unknown = "no")), "give \"raise\" or \"mean\"")
})

test_that("groups are names, a formula, a variable that holds names, or a selection", {
  skip_without_python()
  skip_if_not_installed("recipes")
  train <- people[c("y", "age", "priors", "sex", "group")]
  start <- recipes::update_role(recipes::recipe(y ~ ., data = train), sex, new_role = "group")
  column <- "sex"
  of <- function(recipe) recipes::prep(recipe)$steps[[1L]]
  wanted <- of(step_og(start, age, priors, groups = "sex", num_comp = 1))$res$rotation
  expect_equal(of(step_og(start, age, priors, groups = ~sex, num_comp = 1))$res$rotation, wanted)
  expect_equal(of(step_og(start, age, priors, groups = sex, num_comp = 1))$res$rotation, wanted)
  expect_equal(of(step_og(start, age, priors, groups = column, num_comp = 1))$res$rotation, wanted)
  expect_equal(of(step_og(start, age, priors, groups = recipes::has_role("group"), num_comp = 1))$res$rotation, wanted)
  expect_identical(of(step_og(start, age, priors, groups = c(sex, group), num_comp = 1))$groups, c("sex", "group"))
  expect_identical(of(step_og(start, age, priors, groups = ~ sex:group, num_comp = 1))$groups, "sex:group")
  expect_error(step_og(start, age, priors, num_comp = 1), "^groups is missing", class = "fairstats_input_error")
  expect_error(step_og(num_comp = 2, groups = "sex"), "^recipe is missing; .* step_og", class = "fairstats_input_error")
  expect_error(step_leace(mtcars, hp, groups = "am"), "^recipe is of class data.frame; .* step_leace",
    class = "fairstats_input_error")
  expect_error(of(step_og(start, age, priors, groups = recipes::has_role("nobody"), num_comp = 1)), "selects no column")
})

test_that("other methods are steps, too, and say what can be tuned", {
  skip_without_python()
  skip_if_not_installed("recipes")
  columns <- c("age", "priors", "income")
  start <- recipes::recipe(y ~ ., data = people[c("y", columns, "sex")])
  baked <- function(recipe) recipes::bake(recipes::prep(recipe), people[1:9, ])
  pc <- step_fair_pca(start, recipes::all_numeric_predictors(), groups = sex, num_comp = 2, id = "a")
  expect_equal(unname(as.matrix(baked(pc)[c("FairPC1", "FairPC2")])),
    unname(predict(fair_pca(people[columns], people["sex"], k = 2), people[1:9, ])), tolerance = 1e-12)
  erased <- baked(step_leace(start, recipes::all_numeric_predictors(), groups = sex))
  expect_equal(as.matrix(erased[columns]), predict(leace(people[columns], people["sex"]), people[1:9, ]), ignore_attr = TRUE)
  level <- baked(step_residualize(start, recipes::all_numeric_predictors(), groups = sex))
  expect_equal(as.matrix(level[columns]), predict(residualize(people[columns], people["sex"]), people[1:9, ]),
    ignore_attr = TRUE)
  expect_identical(names(level), names(people[c(columns, "sex", "y")]))
  expect_identical(generics::tunable(pc$steps[[1L]])$name, "num_comp")
  expect_identical(generics::tunable(pc$steps[[1L]])$component_id, "a")
  expect_identical(nrow(generics::tunable(step_leace(start, age, groups = sex)$steps[[1L]])), 0L)
  erased <- tidy(recipes::prep(step_leace(start, age, income, groups = sex)), 1)
  expect_identical(erased$terms, c("age", "income"))
  expect_named(erased, c("terms", "id"))
  expect_warning(alone <- recipes::prep(step_leace(start, age, groups = sex)), "leaves nothing", class = "fairstats_warning")
  expect_output(print(alone), "erased from")
  expect_identical(generics::required_pkgs(pc$steps[[1L]]), "fairstats")
  # no number named: as many as there can be
  three <- baked(step_fair_pca(start, recipes::all_numeric_predictors(), groups = sex))
  expect_identical(setdiff(names(three), c("sex", "y")), c("FairPC1", "FairPC2"))
  # no column, no change
  nothing <- step_leace(start, dplyr::starts_with("zzz"), groups = sex)
  expect_equal(as.data.frame(baked(nothing))[columns], people[1:9, columns], ignore_attr = TRUE)
  skip_if_not_installed("hardhat")
  twice <- transform(people[c("y", columns, "sex")], w = hardhat::frequency_weights(rep(1:2, 150)))
  weighted <- recipes::recipe(y ~ ., data = twice)
  expect_error(recipes::prep(step_leace(weighted, age, groups = sex, options = list(weights = 1:300))),
    "leave one of the two out")
})

test_that("loadings are tidied by the names of the baked columns", {
  skip_without_python()
  skip_if_not_installed("recipes")
  start <- recipes::recipe(y ~ age + priors + sex, data = people)
  trained <- recipes::prep(step_og(start, age, priors, groups = sex, num_comp = 2))
  expect_true(all(tidy(trained, 1)$component %in% names(recipes::bake(trained, new_data = NULL))))
  expect_error(step_og(start, age, priors, group = sex), "called groups", class = "fairstats_input_error")
  expect_error(step_og(start, age, groups = sex, k = 1), "'k': it is called num_comp here", class = "fairstats_input_error")
  expect_error(step_og(start, age, groups = sex, num_compp = 1), "no argument 'num_compp'.* Did you mean 'num_comp'?",
    class = "fairstats_input_error")
  twice <- step_og(start, age, priors, groups = sex, num_comp = 2, options = list(k = 1))
  expect_error(recipes::prep(twice), "^options has k, .* give it as num_comp", class = "fairstats_input_error")
  expect_equal(trained$steps[[1L]]$res$sdev, unname(apply(recipes::bake(trained, NULL)[c("OG1", "OG2")], 2, sd)))
  expect_error(step_leace(start, age, groups = sex, scale = TRUE), "given in options", class = "fairstats_input_error")
  expect_error(tidy(trained, 1, type = "variance"), "is not \"coef\"", class = "fairstats_input_error")
})

test_that("tidy() of a recipe has one row a step, ours beside those of recipes", {
  skip_without_python()
  skip_if_not_installed("recipes")
  steps <- recipes::recipe(y ~ ., data = people[c("y", "age", "priors", "income", "sex")]) |>
    step_leace(income, priors, groups = sex) |>
    recipes::step_center(age) |>
    step_og(age, priors, groups = sex, num_comp = 2) |>
    recipes::step_center(income)
  for (recipe in list(steps, recipes::prep(steps))) {
    expect_identical(tidy(recipe)$type, c("leace", "center", "og", "center"))
    expect_identical(tidy(recipe)$operation, rep("step", 4L))
    for (i in 1:4) expect_identical(unique(tidy(recipe, number = i)$id), tidy(recipe)$id[[i]])
  }
})

test_that("fewer components than were wanted are told, and none at all is an error", {
  skip_without_python()
  skip_if_not_installed("recipes")
  start <- recipes::recipe(y ~ ., data = people[c("y", "age", "priors", "sex")])
  expect_warning(made <- recipes::prep(step_og(start, age, priors, groups = sex, num_comp = 9)),
    "num_comp = 9 of step_og\\(\\) is more than .* gives 2", class = "fairstats_warning")
  expect_identical(grep("^OG", names(recipes::bake(made, people)), value = TRUE), c("OG1", "OG2"))
  expect_error(recipes::prep(step_og(start, age, priors, groups = sex, num_comp = 0)), "num_comp has 0; it can be 1 to 2 here")
})

test_that("what lacks the groups says which step needs them, where one does", {
  skip_without_python()
  skip_if_not_installed("recipes")
  start <- recipes::update_role_requirements(recipes::update_role(recipes::recipe(mpg ~ hp + wt + am, mtcars), am,
    new_role = "group"), "group", bake = FALSE)
  one <- recipes::prep(step_og(start, hp, wt, groups = "am", num_comp = 1))
  expect_error(recipes::bake(one, mtcars[c("hp", "wt")]), "new_data has no column 'am', whose groups step_og\\(\\) needs")
  without <- recipes::prep(step_fair_pca(start, hp, wt, groups = "am", num_comp = 1))
  expect_identical(names(recipes::bake(without, mtcars[c("hp", "wt")])), "FairPC1")
})
