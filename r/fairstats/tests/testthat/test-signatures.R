# Arguments of R's functions beside those of Python's: the same, in the same order, with the same defaults, but for what differs
# on purpose.

# Python's, which R has no need of, or calls otherwise
only_python <- c(
  only_in_python,
  list(fair_from_counts = "table", fair_report = "results", fair_table = "result", fair_figure = "result"), # data, ..., x, x here
  list(fair_select_k = "settings", sog_path = "options") # Python's ** arguments
)
# R's: a fit takes columns of numbers and people without a group by arguments, where Python marks them in `groups`
marks <- c("continuous", "missing")
only_r <- list(
  fair_from_counts = "data", fair_table = c("x", "to", "overwrite"), fair_figure = c("x", "to", "overwrite"),
  fair_spectral_clustering = "weight", spectral_clustering = "weight", # of a graph that Python's graph() takes
  sog_path = c("data", "weights", "scale", "tolerance", "max_iter")
)

test_that("what Python alone has is in the guide and in the error", {
  for (name in names(only_in_python)) {
    for (argument in only_in_python[[name]]) {
      expect_error(do.call(name, stats::setNames(list(1), argument)), paste0("no argument '", argument, "' in R"))
    }
  }
  guide <- test_path("../../../../docs/guide/r-and-python.md")
  skip_if_not(file.exists(guide), "the guide")
  text <- paste(readLines(guide, encoding = "UTF-8", warn = FALSE), collapse = " ")
  rule <- sub("Methods that fit or.*", "", sub(".*Arguments have the same names on both sides", "", text))
  for (argument in c(unlist(only_python), unlist(only_r), marks)) expect_match(rule, paste0("`", argument, "`"), fixed = TRUE)
  own <- c(names(only_python), names(only_r)) # Python's names of these functions
  own <- ifelse(own == "fair_figure", "plot", sub("^fair_(?!spectral|pca)", "", own, perl = TRUE))
  for (name in setdiff(own, c("spectral_clustering", "fair_spectral_clustering"))) expect_match(rule, paste0("\\b", name, "`"))
})

test_that("functions have the arguments of Python's, in its order, with its defaults", {
  skip_without_python()
  inspect <- reticulate::import("inspect", convert = FALSE)
  python <- reticulate::import("fairstats", convert = FALSE)
  defunct <- function(name) identical(names(formals(getExportedValue("fairstats", name))), "...")
  exported <- Filter(Negate(defunct), getNamespaceExports("fairstats"))
  compared <- 0
  for (name in reticulate::py_to_r(python$`__all__`)) {
    function_there <- python[[name]]
    here <- intersect(if (name == "plot") "fair_figure" else c(name, paste0("fair_", name)), exported)
    if (!reticulate::py_to_r(inspect$isfunction(function_there)) || !length(here)) next
    here <- here[[1L]] # pca() and fair_pca() are two functions in both
    parameters <- reticulate::iterate(inspect$signature(function_there)$parameters$values())
    theirs <- vapply(parameters, function(one) reticulate::py_to_r(one$name), "")
    by_place <- vapply(parameters, function(one) reticulate::py_to_r(one$kind$value) == 1L, NA) # POSITIONAL_OR_KEYWORD
    theirs[theirs == "X"] <- "x"
    formals_here <- formals(getExportedValue("fairstats", here))
    ours <- setdiff(as.character(names(formals_here)), "...") # `...` names the nearest argument
    expect_setequal(setdiff(as.character(theirs), ours), as.character(unlist(only_python[names(only_python) == here])))
    expect_setequal(setdiff(ours, c(theirs, marks)), as.character(unlist(only_r[here])))
    shared <- intersect(theirs[by_place], ours)
    expect_identical(intersect(ours, shared), shared)
    defaults <- stats::setNames(lapply(parameters, function(one) reticulate::py_to_r(one$default)), theirs)
    plain <- Filter(function(value) is.atomic(value) && length(value) == 1L && !identical(value, ""), defaults)
    for (argument in intersect(names(plain), ours)) {
      expect_equal(eval(formals_here[[argument]]), plain[[argument]], info = paste(here, argument))
    }
    for (argument in intersect(names(Filter(is.null, defaults)), ours)) {
      default <- formals_here[[argument]]
      expect_true(rlang::is_missing(default) || is.null(default), info = paste(here, argument))
    }
    compared <- compared + 1
  }
  expect_gt(compared, 40)
  without <- setdiff(reticulate::py_to_r(python$`__all__`), c(exported, sub("^fair_", "", exported)))
  functions <- Filter(function(name) reticulate::py_to_r(inspect$isfunction(python[[name]])), without)
  # marks and names of columns are arguments here; a graph is a matrix or a table; plot() and read.csv() are R's
  expect_setequal(functions, c("continuous", "graph", "plot", "read_table", "survey_design"))
})
