# Everything but the bridge's own format needs Python; where FAIRSTATS_NEEDS_PYTHON is true it must be there.
skip_without_python <- function() {
  if (fairstats_available()) {
    return(invisible())
  }
  needed <- identical(Sys.getenv("FAIRSTATS_NEEDS_PYTHON"), "true")
  if (needed) fail("the Python package fairstats must be there (FAIRSTATS_NEEDS_PYTHON)")
  skip("the Python package fairstats is not installed")
}

condition_of <- function(expr) tryCatch(expr, condition = identity)

message_of <- function(expr) conditionMessage(tryCatch(expr, fairstats_input_error = identity))

through_python <- function(x) fs_call("echo", list(value = list(x)))[[1L]]

people <- local({
  set.seed(7)
  n <- 300
  group <- sample(c("a", "b", "c"), n, TRUE, c(0.5, 0.3, 0.2))
  sex <- sample(c("female", "male"), n, TRUE)
  age <- round(rnorm(n, 40 + 5 * (group == "b"), 10))
  priors <- rpois(n, 1 + (group == "a"))
  income <- rnorm(n, 3 + (sex == "male"))
  score <- plogis(0.04 * (age - 40) + 0.3 * priors + rnorm(n))
  data.frame(group, sex, age, priors, income, score,
    y = as.integer(runif(n) < score), yhat = as.integer(score > 0.6), stringsAsFactors = FALSE
  )
})

# A data frame as dplyr::group_by() gives it: its attribute "groups" has the keys, and the rows of each.
dplyr_like <- function(data, by) {
  rows <- unname(split(seq_len(nrow(data)), data[[by]]))
  keys <- stats::setNames(data.frame(sort(unique(data[[by]]))), by)
  keys$.rows <- structure(rows, class = c("vctrs_list_of", "vctrs_vctr", "list"), ptype = integer())
  structure(data, groups = keys, class = c("grouped_df", "tbl_df", "tbl", "data.frame"))
}

# S3 methods of a generic for one test: of packages that are not to be had.
local_methods <- function(..., generic, frame = parent.frame()) {
  methods <- list(...)
  home <- if (generic == "fit") asNamespace("generics") else asNamespace("stats")
  for (name in names(methods)) registerS3method(generic, sub(paste0(generic, "."), "", name, fixed = TRUE), methods[[name]], home)
  invisible()
}
