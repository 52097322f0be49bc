test_that("step_og() gives og()'s scores, on new rows too", {
  skip_without_python()
  skip_if_not_installed("recipes")
  train <- people[1:200, ]
  test <- people[201:300, ]
  made <- recipes::recipe(y ~ ., data = train[c("y", "age", "priors", "income", "sex")])
  made <- recipes::prep(step_og(made, recipes::all_numeric_predictors(), group = "sex", num_comp = 2))
  fit <- og(train[c("age", "priors", "income")], train["sex"], k = 2)
  baked <- recipes::bake(made, test)
  expect_equal(unname(as.matrix(baked[c("OG1", "OG2")])), unname(predict(fit, test)), tolerance = 1e-12)
  expect_setequal(names(baked), c("sex", "y", "OG1", "OG2"))
  expect_equal(nrow(tidy(made, 1)), 6L)
  expect_output(print(made), "orthogonal to the groups")
})

test_that("a step that is saved bakes without Python, and a lost group is named", {
  skip_without_python()
  skip_if_not_installed("recipes")
  made <- recipes::recipe(y ~ ., data = people[c("y", "age", "priors", "sex")])
  made <- recipes::prep(step_og(made, age, priors, group = "sex", num_comp = 1))
  file <- withr_tempfile(".rds")
  saveRDS(made, file)
  expect_equal(recipes::bake(readRDS(file), people), recipes::bake(made, people))
  expect_error(step_og(recipes::recipe(y ~ ., people), age, group = "nope", num_comp = 1) |> recipes::prep(), "'nope'")
})
