#' Fair spectral clustering
#'
#' Clusters the vertices of a graph so that, before rounding, every cluster is made up of the groups as the graph is
#' (Kleindessner et al. 2019), and says what that costs beside plain spectral clustering.
#'
#' @param graph A data frame of edges (two columns of vertices, and one of weights where there is one), a symmetric matrix
#'   or \pkg{Matrix} of weights, an undirected graph of \pkg{igraph}, or what [simulate_sbm()] returns, with its `nodes`.
#' @param groups Names of columns of `nodes`, a one-sided formula of them, or one label a vertex.
#' @param k Number of clusters.
#' @param nodes A data frame with one row a vertex; its first column names the vertices where `graph` is a table of edges.
#' @param normalized Balance volumes (normalized cut) or, if `FALSE`, sizes (ratio cut).
#' @param normalize_rows Bring the rows of the embedding to length 1 before k-means.
#' @param component `"all"`, or `"largest"` for the largest connected component only.
#' @param missing Vertices without a group: `"raise"` an error, or make them a `"level"`.
#' @param n_init,seed Starts of k-means, and the seed of all that is random.
#' @param balance Move vertices after k-means, at the least rise of the cut, until the balance of every cluster is this
#'   share of that of all vertices; `NULL` to leave them.
#' @param weight The column of edges, or edge attribute of \pkg{igraph}, that holds weights; `"weight"` counts only where
#'   there is one. `NULL` for links without weights, whatever the graph holds.
#' @param compare_unconstrained Also cluster without the condition, for the price of fairness?
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return An object of class `fairstats_partition` with `labels` (a data frame of vertices and clusters), `tables` (clusters
#'   by groups), `eigenvalues`, `embedding`, `ratio_cut`, `ncut`, and the verbs' tables.
#' @references Kleindessner, M., Samadi, S., Awasthi, P. and Morgenstern, J. (2019). Guarantees for spectral clustering with
#'   fairness constraints. ICML, PMLR 97, 3458-3467. \doi{10.48550/arXiv.1901.08668}
#' @seealso [og()] for features in place of a graph; [fair_report()]
#' @name cluster
#' @examplesIf fairstats_available()
#' two <- kronecker(diag(2), matrix(1, 6, 6)) + 0.1
#' diag(two) <- 0
#' found <- fair_spectral_clustering(two, rep(c("f", "m"), 6), k = 2)
#' found$tables
#' spectral_clustering(two, rep(c("f", "m"), 6), k = 2)$tables
NULL

#' @rdname cluster
#' @export
fair_spectral_clustering <- function(graph, groups, k = 2, nodes = NULL, normalized = TRUE, normalize_rows = FALSE,
                                     component = "all",
                          missing = "raise", n_init = 10, seed = 0, balance = NULL, compare_unconstrained = TRUE,
                          weight = "weight", ...) {
  refuse_others(...)
  cluster("fair_spectral_clustering", graph, groups, k, nodes, normalized, normalize_rows, component, missing, n_init,
    seed, weight, list(balance = balance, compare_unconstrained = compare_unconstrained))
}

#' @rdname cluster
#' @export
spectral_clustering <- function(graph, groups = NULL, k = 2, nodes = NULL, normalized = TRUE, normalize_rows = FALSE,
                                component = "all",
                     missing = "raise", n_init = 10, seed = 0, weight = "weight", ...) {
  refuse_others(...)
  cluster("spectral_clustering", graph, groups, k, nodes, normalized, normalize_rows, component, missing, n_init, seed,
    weight)
}

cluster <- function(method, graph, groups, k, nodes, normalized, normalize_rows, component, missing, n_init, seed,
                    weight, options = list()) {
  call <- call_of(method, 1L)
  if (missing(groups)) fail(no_group)
  if (is.list(graph) && setequal(names(graph), c("graph", "nodes"))) { # as simulate_sbm() returns them
    nodes <- nodes %||% graph$nodes
    graph <- graph$graph
  }
  was_igraph <- inherits(graph, "igraph") # whose attribute the matrix has
  graph <- plain_graph(graph, weight)
  if (is.data.frame(graph)) {
    sent <- as.data.frame(graph)
  } else {
    given <- class(graph)[[1L]]
    graph <- plain_matrix(graph)
    if (is.null(graph)) {
      fail("graph is of class ", given, "; give a data frame of edges, a matrix, a Matrix, or a graph of igraph.")
    }
    sent <- if (is.matrix(graph)) unname(graph) else without_names(graph)
  }
  if (!is.null(nodes)) nodes <- labeled(plain_columns(as.data.frame(nodes), names(nodes)))
  current <- if (!is.null(groups)) groups_of(groups, nodes)
  matches <- fs_call("cluster", c(options, list(
    method = method, graph = sent, nodes = nodes, groups = as.list(current$names),
    data = if (is.null(nodes) || !all(group_names(current$names, names(nodes)) %in% names(nodes))) current$data,
    k = whole(k, "k"), normalized = normalized, normalize_rows = normalize_rows, component = component,
    missing = missing, n_init = whole(n_init, "n_init"), seed = whole(seed, "seed"),
    weight = if (!was_igraph) weight, weighted = !is.null(weight)
  )))
  # a matrix crosses without the names of its vertices
  names <- if (!is.data.frame(graph)) rownames(graph) %||% colnames(graph)
  if (!is.null(names)) matches$labels$node <- names[matches$rows]
  with_call(matches, call)
}

#' @rdname plot
#' @export
plot.fairstats_partition <- function(x, kind = "clusters", attribute = NULL, ...) {
  refuse_ungraphical(graphics::barplot.default, ...)
  picture_of(x, kind, "clusters")
  shares <- cluster_shares(x, attribute)
  old <- graphics::par(mar = graphics::par("mar") + c(0, 0, 0, 6), xpd = TRUE)
  on.exit(graphics::par(old))
  given <- list(...)
  given[["col"]] <- rep_len(given[["col"]] %||% shades(nrow(shares)), nrow(shares))
  at <- draw(graphics::barplot, list(height = shares, xlab = "cluster", ylab = "% of the cluster", border = NA), given)
  graphics::legend(max(at) + 0.7, 100, rev(rownames(shares)), fill = rev(given[["col"]]), border = NA, bty = "n")
  invisible(as.data.frame(shares))
}

# From dark to light, none as light as the paper.
shades <- function(n) grDevices::hcl.colors(n + 1L, "Blues 3")[seq_len(n)]

# In percent of each cluster (column), how many are of each group (row).
cluster_shares <- function(x, attribute) {
  if (!length(x$tables)) fail("x was clustered without groups; there is nothing to show.")
  counts <- x$tables[[attribute %||% names(x$tables)[[1L]]]]
  if (is.null(counts)) {
    fail("there is no attribute ", sQuote(attribute, FALSE), "; there are ", paste(names(x$tables), collapse = ", "), ".")
  }
  100 * t(counts / rowSums(counts))
}

#' @rdname verbs
#' @export
augment.fairstats_partition <- function(x, data, ...) {
  refuse_others(...)
  frame <- as.data.frame(augmentable(data, NULL))
  if (nrow(frame) != x$given) {
    fail("data has ", nrow(frame), " rows and the graph ", x$given, " vertices; give one row a vertex.")
  }
  frame$.cluster <- rep(NA_integer_, nrow(frame))
  frame$.cluster[x$rows] <- x$labels$cluster
  tibble::as_tibble(frame)
}
