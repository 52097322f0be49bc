# Classes of other packages as plain vectors, factors and dgCMatrix: what R users have, before anything is judged.

# Labeled columns of surveys (haven): where labels are groups, a factor of the labels; elsewhere the plain values.
# Values that the file declares missing are missing.
plain_columns <- function(frame, labels = character()) {
  own <- vapply(frame, inherits, NA, what = "haven_labelled")
  for (name in names(frame)[own]) {
    frame[[name]] <- if (name %in% labels) labels_of_survey(frame[[name]]) else values_of_survey(frame[[name]])
  }
  frame
}

values_of_survey <- function(x) {
  values <- as.vector(unclass(x))
  attributes(values) <- NULL
  declared <- values %in% attr(x, "na_values")
  range <- attr(x, "na_range")
  if (length(range) == 2L && is.numeric(values)) declared <- declared | (values >= range[[1L]] & values <= range[[2L]])
  replace(values, which(declared), NA)
}

labels_of_survey <- function(x) {
  values <- values_of_survey(x)
  named <- attr(x, "labels")
  known <- sort(unique(values[!is.na(values)]))
  words <- names(named)[match(known, named)]
  factor(values, known, ifelse(is.na(words), label_text(known), words))
}

# Numeric matrices of other classes as a matrix or a dgCMatrix; NULL where x is none.
plain_matrix <- function(x) {
  if (methods::is(x, "dgCMatrix")) {
    return(x)
  }
  if (methods::is(x, "Matrix")) {
    kind <- if (methods::is(x, "sparseMatrix")) c("dMatrix", "generalMatrix", "CsparseMatrix") else "matrix"
    for (class in kind) x <- methods::as(x, class)
    return(x)
  }
  if (!is.matrix(x)) {
    return(NULL)
  }
  if (inherits(x, "ts")) {
    attr(x, "tsp") <- NULL
    class(x) <- NULL
  }
  x
}

# A graph of igraph as its matrix of weights, with the names of its vertices.
plain_graph <- function(graph) {
  if (inherits(graph, "dist")) {
    fail("graph is of class dist: distances, large where vertices have little to do with each other; give similarities, ",
      "as in exp(-as.matrix(graph)^2).")
  }
  if (!inherits(graph, "igraph")) {
    return(graph)
  }
  if (igraph::is_directed(graph)) fail("graph is directed; give igraph::as.undirected(graph).")
  weights <- if ("weight" %in% igraph::edge_attr_names(graph)) "weight"
  plain_matrix(igraph::as_adjacency_matrix(graph, attr = weights))
}
