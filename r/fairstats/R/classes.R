# Classes of other packages as plain vectors, factors and dgCMatrix: what R users have, before anything is checked.

# Labeled columns of surveys (haven): where labels are groups, a factor of the labels; elsewhere the plain values.
# Values that the file declares missing are missing. Columns that nobody uses stay as they are.
plain_columns <- function(frame, labels = character(), used = names(frame)) {
  current <- vapply(frame, inherits, NA, what = c("haven_labelled", "integer64", "difftime")) & names(frame) %in% used
  for (name in names(frame)[current]) frame[[name]] <- plain_column(frame[[name]], name %in% labels, name)
  frame
}

plain_column <- function(x, label = FALSE, name = "x") {
  if (inherits(x, "integer64")) {
    return(plain_integer64(x, label, name))
  }
  if (inherits(x, "difftime")) { # in its own unit, as lm() takes it
    return(as.numeric(x, units = units(x)))
  }
  if (!inherits(x, "haven_labelled")) {
    return(x)
  }
  if (label) labels_of_survey(x) else values_of_survey(x)
}

# Whether any value that occurs has a word.
is_worded <- function(x) inherits(x, "haven_labelled") && any(values_of_survey(x) %in% attr(x, "labels"))

yes_words <- c("TRUE", "True", "true", "Yes", "yes", "YES")

# The label of a labeled column that a code stands for. The default code is 1 where codes are 0 and 1 and no label is a
# plain Yes, which Python finds by itself.
label_of_code <- function(code, x, argument) {
  if (!is_worded(x) || !(is.null(code) || is.numeric(code))) {
    return(code)
  }
  codes <- values_of_survey(x)
  words <- labels_of_survey(x)
  yes <- intersect(levels(words), yes_words)
  if (is.null(code)) {
    if (length(yes) || !all(codes %in% c(0, 1, NA))) {
      return(NULL)
    }
    code <- 1
  }
  word <- as.character(words[match(code, codes)])
  if (is.na(word)) {
    return(code)
  }
  if (length(yes) && !word %in% yes) {
    fail(argument, " = ", format(code), " is the code of \"", word, "\", and there is \"", yes[[1L]], "\" as well; give the ",
      "label that is meant.")
  }
  word
}

# Labels of a call that were given as codes of labeled columns; those that a file declares stay as they are.
labels_of_codes <- function(arguments, data, choices, declared = character()) {
  for (request in list(c("favorable", "decision"), c("positive", "outcome"), c("positive_prediction", "decision"))) {
    column <- if (is.data.frame(data) && is.character(choices[[request[[2L]]]])) data[[choices[[request[[2L]]]]]]
    available <- choices[[request[[1L]]]] %||% arguments[[request[[1L]]]]
    if (request[[1L]] %in% declared || is.null(available) && request[[1L]] == "positive_prediction") next
    if (is_worded(column)) arguments[[request[[1L]]]] <- label_of_code(available, column, request[[1L]])
  }
  arguments
}

# Whether a labeled column is spoken of by its codes: a protocol in a file may.
by_codes <- function(x, label) {
  !is_worded(x) || !is.null(label) && !label_text(label) %in% levels(labels_of_survey(x)) &&
    label_text(label) %in% label_text(values_of_survey(x))
}

# Whole numbers of 64 bits (of bit64, data.table, databases) as numbers; beyond 2^53, where numbers are rounded, labels as
# text, and a number that would be rounded is refused. A double holds the bits.
plain_integer64 <- function(x, label = FALSE, name = "x") {
  bits <- matrix(readBin(writeBin(as.vector(unclass(x)), raw(), endian = "little"), "integer", 2L * length(x),
    endian = "little"), 2L)
  low <- as.numeric(bits[1L, ])
  low[is.na(bits[1L, ])] <- -2^31
  high <- as.numeric(bits[2L, ])
  high[is.na(bits[2L, ])] <- -2^31
  low <- ifelse(low < 0, low + 2^32, low)
  values <- high * 2^32 + low
  rounded <- values - high * 2^32 != low
  values[high == -2^31 & low == 0] <- NA
  if (!label && any(rounded & !is.na(values))) {
    fail(name, " has whole numbers of 64 bits beyond 2^53, which a number would hold rounded (the first near ",
      format(values[rounded & !is.na(values)][[1L]], digits = 16L), "); leave ", name,
      " out where it names rows (an ID), and give what it measures in a larger unit, as ", name, " %/% 1000 does.")
  }
  if (!label || !any(abs(values) >= 2^53, na.rm = TRUE)) {
    return(values)
  }
  rlang::check_installed("bit64", "to tell labels beyond 2^53 apart.")
  getExportedValue("bit64", "as.character.integer64")(x)
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
  available <- sort(unique(values[!is.na(values)]))
  words <- names(named)[match(available, named)]
  factor_of(values, available, ifelse(is.na(words), label_text(available), words))
}

# A factor by the words of its distinct values: factor() would write every value as text first.
factor_of <- function(values, distinct, words) {
  structure(match(words, unique(words))[match(values, distinct)], levels = unique(words), class = "factor")
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
plain_graph <- function(graph, weight = "weight") {
  if (inherits(graph, "dist")) {
    fail("graph is of class dist: distances, large where vertices have little to do with each other; give similarities, ",
      "as in exp(-as.matrix(graph)^2).")
  }
  if (!inherits(graph, "igraph")) {
    return(graph)
  }
  if (igraph::is_directed(graph)) fail("graph is directed; give igraph::as.undirected(graph).")
  present <- igraph::edge_attr_names(graph)
  if (!all(weight %in% c("weight", present))) {
    fail("weight = ", dQuote(weight, FALSE), " is not an attribute of the edges of graph; they have ",
      if (length(present)) paste(present, collapse = ", ") else "none", ".")
  }
  plain_matrix(igraph::as_adjacency_matrix(graph, attr = if (any(weight %in% present)) weight))
}
