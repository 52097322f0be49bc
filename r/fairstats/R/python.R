# The one place that knows where Python is. Nothing here runs when the package is loaded.

state <- new.env(parent = emptyenv())
environment_name <- "r-fairstats"

#' Is the Python package there?
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
  chosen <- nzchar(Sys.getenv("RETICULATE_PYTHON")) || reticulate::py_available()
  if (!chosen && reticulate::virtualenv_exists(environment_name)) {
    reticulate::use_virtualenv(environment_name, required = TRUE)
  }
  tryCatch(reticulate::import("fairstats.r.remote", convert = FALSE), error = function(problem) {
    fail("The Python package fairstats is not to be had (", trimws(conditionMessage(problem)), "); run ",
      "install_fairstats(), or name a Python that has it: Sys.setenv(RETICULATE_PYTHON = \"...\") in a fresh session.",
      class = "fairstats_dependency_error")
  })
}
