survey <- function(values, labels, ...) {
  structure(values, labels = labels, class = c("haven_labelled", "vctrs_vctr", typeof(values)), ...)
}

test_that("labeled columns of surveys are groups by their labels, numbers elsewhere", {
  skip_without_python()
  n <- nrow(people)
  code <- as.integer(people$sex == "male")
  d <- transform(people, sexc = code, agec = age, yhatc = yhat)
  d$sexc <- survey(code, c(female = 0L, male = 1L))
  d$agec <- survey(people$age, c(refused = -1))
  d$yhatc <- survey(people$yhat, c(no = 0L, yes = 1L))
  audit <- fair_audit(d, decision = "yhatc", group = "sexc")
  plain <- fair_audit(people, decision = "yhat", group = "sex")
  expect_identical(sort(by_group(audit)$sexc), c("female", "male"))
  expect_equal(tidy(audit)$estimate, tidy(plain)$estimate)
  expect_equal(og(d[c("agec", "priors")], d$sexc, k = 1)$rotation[, 1],
    og(people[c("age", "priors")], people$sex, k = 1)$rotation[, 1],
    ignore_attr = TRUE)
  fit <- og(~ agec + priors, "sexc", k = 1, data = d)
  expect_identical(fit$groups$levels$sexc, c("female", "male"))
  expect_equal(predict(fit, d[1:4, ]), fit$x[1:4, , drop = FALSE], tolerance = 1e-12)
})

test_that("values that a survey declares missing are missing, and values without a label are their own", {
  x <- survey(c(1, 2, 9, 97, 3), c(yes = 1, no = 2), na_values = 9, na_range = c(90, 99))
  expect_identical(values_of_survey(x), c(1, 2, NA, NA, 3))
  expect_identical(as.character(labels_of_survey(x)), c("yes", "no", NA, NA, "3"))
})

test_that("matrices of the package Matrix and of time series are matrices", {
  skip_without_python()
  skip_if_not_installed("Matrix")
  set.seed(2)
  S <- Matrix::rsparsematrix(nrow(people), 4, 0.4)
  wanted <- og(as.matrix(S), people$sex, k = 2)$sdev
  forms <- list(triplet = methods::as(S, "TsparseMatrix"), rows = methods::as(S, "RsparseMatrix"),
    dense = methods::as(S, "unpackedMatrix"), series = stats::ts(as.matrix(S)))
  for (name in names(forms)) expect_equal(og(forms[[name]], people$sex, k = 2)$sdev, wanted, tolerance = 1e-9, label = name)
  expect_equal(og(S != 0, people$sex, k = 2)$sdev, og(1 * as.matrix(S != 0), people$sex, k = 2)$sdev, tolerance = 1e-9)
})

test_that("a graph of igraph is its matrix of weights, and names of vertices stay", {
  skip_without_python()
  skip_if_not_installed("igraph")
  graph <- igraph::make_full_graph(4) + igraph::make_full_graph(6) + igraph::edge(1, 5)
  igraph::V(graph)$name <- letters[1:10]
  igraph::E(graph)$weight <- seq(0.5, 1.5, length.out = igraph::ecount(graph))
  W <- as.matrix(igraph::as_adjacency_matrix(graph, attr = "weight"))
  group <- rep(c("f", "m"), 5)
  one <- fair_spectral(graph, group, k = 2)
  two <- fair_spectral(W, group, k = 2)
  expect_identical(one$labels, two$labels)
  expect_identical(one$labels$node, letters[1:10])
  expect_equal(one$eigenvalues, fair_spectral(unname(W), group, k = 2)$eigenvalues)
  expect_error(fair_spectral(igraph::make_ring(4, directed = TRUE), c("f", "m", "f", "m")), "as.undirected")
  expect_error(fair_spectral(dist(1:4), c("f", "m", "f", "m")), "give similarities", class = "fairstats_input_error")
})

test_that("what is no table, and what no column, is said by the argument, with the name that was meant", {
  skip_without_python()
  x <- people[c("age", "priors")]
  told <- function(expr) conditionMessage(tryCatch(expr, fairstats_input_error = identity))
  expect_error(fair_audit("a.csv", decision = "yhat", group = "sex"), "there is no file 'a.csv'", class = "fairstats_file_error")
  expect_match(told(fair_audit(matrix(1:4, 2), decision = "yhat", group = "sex")), "data is of class matrix")
  expect_match(told(fair_audit(people, decision = "yhta", group = "sex")), "^decision names 'yhta'.* Did you mean 'yhat'\\?$")
  expect_match(told(fair_compare(people, "lowx", "sex", ~ age + priors)), "^outcome names 'lowx'")
  expect_match(told(og(x, people$sex[-1])), "group has 299 entries, of which none is a column of data, and there are 300 rows")
  expect_identical(og(~ age + priors, list("sex", "group"), k = 1, data = people)$groups$names, c("sex", "group"))
})

test_that("new rows: none, a list, text, the wrong class", {
  skip_without_python()
  fit <- og(~ age + priors, "sex", k = 2, data = people)
  x <- people[c("age", "priors")]
  by_vector <- og(x, people$sex, k = 2)
  expect_identical(dim(predict(fit, people[0, ])), c(0L, 2L))
  expect_identical(dim(predict(by_vector, x[0, ], group = character())), c(0L, 2L))
  expect_equal(predict(fit, as.list(people[1:3, ])), predict(fit, people[1:3, ]), ignore_attr = TRUE)
  told <- function(expr) conditionMessage(tryCatch(expr, fairstats_input_error = identity))
  expect_match(told(predict(by_vector, transform(x, age = "a"), group = people$sex)), "newdata has text in 'age'")
  expect_match(told(predict(by_vector, mean)), "newdata is of class function")
  expect_match(told(predict(fit, as.matrix(x))), "give a data frame")
  expect_match(told(predict(fit, people["age"])), "newdata lacks the columns priors")
})

test_that("a file of SPSS, as haven reads it, is audited and fitted by its labels", {
  skip_without_python()
  skip_if_not_installed("haven")
  survey <- transform(people[c("age", "income", "yhat")],
    sex = haven::labelled_spss(ifelse(people$sex == "male", 1, 2), c(Men = 1, Women = 2, Refused = 9), na_values = 9),
    age = haven::labelled(age, label = "Age in years"))
  survey$sex[1:4] <- 9
  file <- withr_tempfile(".sav")
  haven::write_sav(survey, file)
  read <- haven::read_sav(file, user_na = TRUE)
  a <- fair_audit(read, decision = "yhat", group = "sex")
  plain <- transform(people, sex = replace(ifelse(sex == "male", "Men", "Women"), 1:4, NA))
  expect_equal(tidy(a), tidy(fair_audit(plain, decision = "yhat", group = "sex")))
  fit <- og(~ age + income, "sex", data = read, k = 1, missing = "drop")
  expect_equal(fit$rotation, og(~ age + income, "sex", data = plain, k = 1, missing = "drop")$rotation)
})
