# The one place that knows where Python is. Nothing here runs when the package is loaded.

state <- new.env(parent = emptyenv())
environment_name <- "r-fairstats"

#' Is the Python package there?
#'
#' Looks for Python where \pkg{reticulate} does, starts it and imports the package fairstats, as every function that computes
#' something would: for examples and tests that run only then.
#'
#' @return `TRUE` if Python starts and can import fairstats, else `FALSE`; never an error.
#' @family set-up
#' @export
#' @examples
#' fairstats_available()
fairstats_available <- function() {
  !inherits(try(remote(), silent = TRUE), "try-error")
}

# The Python module that answers; started when first needed.
remote <- function() {
  if (is.null(state$remote)) state$remote <- start_remote()
  state$remote
}

start_remote <- function() {
  # A child process inherits the variable, with the number of another process in it.
  host <- Sys.getenv("R_SESSION_INITIALIZED")
  if (grepl("rpy2", host, fixed = TRUE) && grepl(paste0("PID=", Sys.getpid(), ":"), host, fixed = TRUE)) {
    fail("R runs inside Python here (through rpy2), and a second Python in it would crash at exit; ",
      "call fairstats from that Python, or start R on its own.", class = "fairstats_dependency_error")
  }
  chosen <- Sys.getenv("RETICULATE_PYTHON")
  running <- reticulate::py_available()
  if (!nzchar(chosen) && !running && reticulate::virtualenv_exists(environment_name)) {
    reticulate::use_virtualenv(environment_name, required = TRUE)
  } else if (chosen %in% c("", "managed") && !(running && reticulate::py_module_available("fairstats"))) {
    require_python()
  }
  tryCatch(reticulate::import("fairstats.r.remote", convert = FALSE), error = function(problem) {
    python <- tryCatch(reticulate::py_config()$python, error = function(none) NULL)
    fail("The Python package fairstats cannot be found", if (!is.null(python)) paste0(" by the Python ", python), " (",
      trimws(conditionMessage(problem)), "); run install_fairstats(), or name a Python that has it: ",
      "Sys.setenv(RETICULATE_PYTHON = \"...\") in a fresh session.",
      class = "fairstats_dependency_error")
  })
}

# What a Python that reticulate (1.41 and later) makes itself has to have. The package is in no index, so it is declared by
# the place that it is had from, and where none is known its Python alone is.
require_python <- function(declare = get0("py_require", asNamespace("reticulate"), mode = "function"),
                           source = getOption("fairstats.source", installed_from(environment_home(environment_name)))) {
  if (!is.null(declare)) declare(packages = if (length(source)) references_of(source[[1L]]), python_version = ">=3.11")
}

# A place as pip and uv read it in a list of packages (PEP 508), with the table of arrests() where it is beside.
references_of <- function(source) {
  wanted <- with_extras(source, "report")
  if (startsWith(wanted, "fairstats[")) {
    return(wanted)
  }
  c(paste0("fairstats[report] @ ", file_address(source)),
    if (dir.exists(data_beside(source))) paste0("fairstats-data @ ", file_address(data_beside(source))))
}

file_address <- function(path) {
  path <- normalizePath(path, winslash = "/")
  paste0(if (startsWith(path, "/")) "file://" else "file:///", utils::URLencode(path))
}
