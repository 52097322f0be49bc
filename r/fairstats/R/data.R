#' Data to try things with
#'
#' * `arrests()`: 5226 arrests in Toronto for possession of small quantities of marijuana, as `Arrests` of \pkg{carData}
#'   has them: whether the person was `released` with a summons, and `colour`, `year`, `age`, `sex`, `employed`, `citizen`
#'   and `checks`, in how many police data bases the name was found;
#' * `simulate_sbm()`: a graph of the stochastic block model in which groups attract as well, the hard case of fair
#'   clustering (Kleindessner et al. 2019);
#' * `simulate_shifted_factors()`: factor scores shifted by group, and the data that they make (Aliverti et al. 2021);
#' * `simulate_gaussian_groups()`: three groups whose features differ in means and covariances (Kleindessner et al. 2023);
#' * `fair_kneighbors_graph()`: rows of features as a graph, each joined to its nearest ones.
#'
#' @param n Rows, or vertices.
#' @param p Number of features; of `simulate_sbm()` the probabilities of an edge within cluster and group, within the group
#'   only, within the cluster only, and else.
#' @param k Number of factors.
#' @param clusters,groups How many, of equal size, or their shares of the vertices.
#' @param shift,spread How far the groups are apart, in means and in covariances.
#' @param seed Seed of the draw; R's own is not touched.
#' @param x A data frame (of which the numeric columns are used), a numeric matrix or a \pkg{Matrix}.
#' @param n_neighbors Rows are joined where either is among so many nearest (Euclidean) of the other.
#' @param mutual Join rows only where each is among the nearest of the other?
#' @param weights `"equal"`, 1 each, or `"gaussian"`, which falls with the length of the edge (in units of the mean distance
#'   to the last of the nearest).
#' @param scale Divide every feature by its standard deviation first?
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return `arrests()`: a data frame. `simulate_sbm()`: a list of `graph` (a sparse \pkg{Matrix}) and `nodes` (a data frame
#'   with the true `cluster` and the `group` of each vertex). The other simulations: a list of `x` (a matrix), `group`, `y`
#'   (an outcome), `scores` (what an adjustment should come back to) and `loadings`. `fair_kneighbors_graph()`: a sparse symmetric
#'   \pkg{Matrix} for [fair_spectral_clustering()].
#' @references Aliverti, Lum, Johndrow and Dunson (2021), \doi{10.1111/rssa.12613}. Kleindessner, Samadi, Awasthi and
#'   Morgenstern (2019), Guarantees for spectral clustering with fairness constraints, ICML. von Luxburg (2007),
#'   \doi{10.1007/s11222-007-9033-z}.
#' @seealso [og()], [fair_spectral_clustering()]
#' @name data
#' @examplesIf fairstats_available() && requireNamespace("Matrix", quietly = TRUE)
#' network <- simulate_sbm(200, clusters = 2, seed = 1)
#' found <- fair_spectral_clustering(network, "group", k = 2)
#' table(found$labels$cluster, network$nodes$cluster)
#' rows <- simulate_gaussian_groups(90, p = 5)
#' dim(fair_kneighbors_graph(rows$x, n_neighbors = 5))
#' factors <- simulate_shifted_factors(200, p = 20, k = 3)
#' summary(og(factors$x, factors$group, k = 3))
NULL

#' @rdname data
#' @export
arrests <- function() fs_call("arrests")

#' @rdname data
#' @export
simulate_sbm <- function(n, clusters = 5, groups = 2, p = c(0.4, 0.3, 0.2, 0.1), seed = 0, ...) {
  refuse_others(...)
  result <- fs_call("simulate", list(kind = "sbm", n = whole(n, "n"), clusters = count_or_shares(clusters, "clusters"),
    groups = count_or_shares(groups, "groups"), p = as.list(p), seed = whole(seed, "seed")))
  list(graph = symmetric(result$graph), nodes = result$nodes)
}

#' @rdname data
#' @export
simulate_shifted_factors <- function(n = 1000, p = 200, k = 10, shift = 2, seed = 0, ...) {
  refuse_others(...)
  fs_call("simulate", list(kind = "shifted_factors", n = whole(n, "n"), p = whole(p, "p"), k = whole(k, "k"),
    shift = shift, seed = whole(seed, "seed")))
}

#' @rdname data
#' @export
simulate_gaussian_groups <- function(n = 240, p = 20, shift = 1, spread = 1, seed = 0, ...) {
  refuse_others(...)
  fs_call("simulate", list(kind = "gaussian_groups", n = whole(n, "n"), p = whole(p, "p"), shift = shift,
    spread = spread, seed = whole(seed, "seed")))
}

#' @rdname data
#' @export
fair_kneighbors_graph <- function(x, n_neighbors = 10, scale = FALSE, mutual = FALSE, weights = "equal", ...) {
  refuse_others(...)
  given <- class(x)[[1L]]
  names <- rownames(x)
  x <- if (is.data.frame(x)) plain_columns(as.data.frame(x)) else plain_matrix(x)
  if (is.null(x)) fail("x is of class ", given, "; give a data frame, a numeric matrix or a Matrix.")
  graph <- symmetric(fs_call("neighbors", list(
    X = without_names(x), n_neighbors = whole(n_neighbors, "n_neighbors"), scale = scale, mutual = mutual, weights = weights
  )))
  # row numbers of a data frame are no names
  if (!is.null(names) && !(is.data.frame(x) && .row_names_info(x) < 0L)) dimnames(graph) <- list(names, names)
  graph
}

count_or_shares <- function(x, argument) if (length(x) == 1L) whole(x, argument) else as.list(x)

symmetric <- function(x) methods::as(x, "symmetricMatrix")
