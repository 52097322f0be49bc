graph <- local({
  set.seed(3)
  n <- 60
  cluster <- rep(1:2, each = n / 2)
  group <- rep(c("f", "m"), n / 2)
  p <- 0.05 + 0.35 * outer(cluster, cluster, "==") + 0.2 * outer(group, group, "==")
  w <- 1 * (matrix(runif(n * n), n) < p)
  w[lower.tri(w, TRUE)] <- 0
  list(w = w + t(w), nodes = data.frame(id = sprintf("v%02d", 1:n), group), truth = cluster)
})

test_that("eigenvalues are R's own, with the constraint put in by hand", {
  skip_without_python()
  w <- graph$w
  d <- rowSums(w)
  laplacian <- diag(length(d)) - w / sqrt(outer(d, d))
  plain <- sort(eigen(laplacian, symmetric = TRUE)$values)[1:2]
  expect_equal(spectral_clustering(w, graph$nodes$group, k = 2)$eigenvalues, plain, tolerance = 1e-9)
  f <- (graph$nodes$group == "m") - mean(graph$nodes$group == "m")
  null <- qr.Q(qr(f / sqrt(d)), complete = TRUE)[, -1]
  fair <- sort(eigen(crossprod(null, laplacian %*% null), symmetric = TRUE)$values)[1:2]
  expect_equal(fair_spectral_clustering(w, graph$nodes$group, k = 2)$eigenvalues, fair, tolerance = 1e-9)
})

test_that("a matrix, a sparse matrix and a table of edges are one graph", {
  skip_without_python()
  skip_if_not_installed("Matrix")
  found <- fair_spectral_clustering(graph$w, graph$nodes$group, k = 2)
  sparse <- methods::as(graph$w, "dgCMatrix")
  expect_equal(fair_spectral_clustering(sparse, graph$nodes$group, k = 2)$eigenvalues, found$eigenvalues, tolerance = 1e-9)
  at <- which(upper.tri(graph$w) & graph$w > 0, arr.ind = TRUE)
  edges <- data.frame(from = graph$nodes$id[at[, 1]], to = graph$nodes$id[at[, 2]])
  listed <- fair_spectral_clustering(edges, "group", k = 2, nodes = graph$nodes)
  expect_equal(listed$eigenvalues, found$eigenvalues, tolerance = 1e-9)
  expect_identical(listed$labels$node, graph$nodes$id)
  counts <- table(augment(listed, graph$nodes)$.cluster, graph$nodes$group)
  expect_identical(unname(listed$tables$group), unname(unclass(counts)), ignore_attr = TRUE)
})

test_that("the verbs and the figure", {
  skip_without_python()
  found <- fair_spectral_clustering(graph$w, graph$nodes$group, k = 2)
  expect_output(print(found), "spectral clustering")
  expect_true(all(c("metric", "estimate") %in% names(tidy(found))))
  expect_equal(nrow(glance(found)), 1L)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_silent(plot(found))
})

test_that("a simulated graph goes in with its vertices", {
  skip_without_python()
  skip_if_not_installed("Matrix")
  net <- simulate_sbm(60, clusters = 2, seed = 1)
  whole <- fair_spectral_clustering(net, "group", k = 2)
  expect_identical(whole$labels, fair_spectral_clustering(net$graph, net$nodes$group, k = 2)$labels)
  expect_error(fair_spectral_clustering(net[1], "group", k = 2), "graph is of class list")
})

test_that("bad graphs are named", {
  skip_without_python()
  w <- graph$w
  w[1, 2] <- w[1, 2] + 1
  expect_error(fair_spectral_clustering(w, graph$nodes$group), "symmetric")
  expect_error(fair_spectral_clustering(-graph$w, graph$nodes$group), "negative")
  expect_error(fair_spectral_clustering(graph$w, c("f", "m")), "2 values")
  expect_error(fair_spectral_clustering("file.csv", "g"), "class character")
})
