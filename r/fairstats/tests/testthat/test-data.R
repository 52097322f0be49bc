test_that("the arrests are those of carData", {
  skip_without_python()
  skip_if_not_installed("carData")
  own <- arrests()
  wanted <- carData::Arrests
  expect_identical(dim(own), dim(wanted))
  for (name in names(wanted)) expect_identical(as.character(own[[name]]), as.character(wanted[[name]]))
})

test_that("a simulated graph has the clusters and groups that were asked for, and its seed alone decides", {
  skip_without_python()
  skip_if_not_installed("Matrix")
  state <- get0(".Random.seed", globalenv())
  made <- simulate_sbm(300, clusters = c(0.5, 0.25, 0.25), groups = 2, p = c(0.4, 0.1, 0.2, 0.05), seed = 4)
  expect_s4_class(made$graph, "dsCMatrix")
  expect_lte(max(abs(tabulate(made$nodes$cluster) - c(150, 75, 75))), 1) # its share of every group, in whole numbers
  expect_identical(tabulate(made$nodes$group), c(150L, 150L))
  expect_true(Matrix::isSymmetric(made$graph))
  same <- outer(made$nodes$cluster, made$nodes$cluster, `==`) & outer(made$nodes$group, made$nodes$group, `==`)
  expect_equal(mean(as.matrix(made$graph)[same & upper.tri(same)]), 0.4, tolerance = 0.03)
  expect_identical(simulate_sbm(300, c(0.5, 0.25, 0.25), p = c(0.4, 0.1, 0.2, 0.05), seed = 4)$graph@i, made$graph@i)
  expect_identical(get0(".Random.seed", globalenv()), state)
  expect_error(simulate_sbm(300, clusters = c(0.5, 0.6)), "clusters", class = "fairstats_input_error")
})

test_that("simulated rows have the shapes of their model", {
  skip_without_python()
  made <- simulate_shifted_factors(n = 50, p = 8, k = 3, seed = 2)
  expect_identical(dim(made$x), c(50L, 8L))
  expect_identical(dim(made$loadings), c(3L, 8L))
  fit <- og(made$x, made$group, k = 3)
  expect_lt(max(abs(cor(fit$x, made$group))), 1e-8)
  expect_identical(lengths(simulate_gaussian_groups(n = 30, p = 4)[c("group", "y")]), c(group = 30L, y = 30L))
})

test_that("rows are joined to their nearest ones, as by hand", {
  skip_without_python()
  skip_if_not_installed("Matrix")
  x <- as.matrix(people[1:40, c("age", "income", "score")])
  graph <- fair_kneighbors_graph(x, 3, scale = TRUE)
  away <- as.matrix(dist(scale(x)))
  nearest <- t(apply(away, 1, function(d) seq_along(d) %in% order(d)[2:4]))
  expect_identical(unname(as.matrix(graph)), unname((nearest | t(nearest)) * 1))
  expect_identical(rownames(graph), rownames(x))
  found <- fair_spectral_clustering(graph, people$sex[1:40], k = 2)
  expect_identical(found$labels$node, rownames(x))
  expect_null(rownames(fair_kneighbors_graph(people[c("age", "income")], 5)))
  expect_error(fair_kneighbors_graph("x"), "of class character", class = "fairstats_input_error")
})
