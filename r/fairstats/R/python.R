# The one place that knows where Python is. Nothing here runs when the package is loaded.

state <- new.env(parent = emptyenv())
environment_name <- "r-fairstats"

#' Install the Python package
#'
#' Makes a virtual environment of its own and installs the Python package fairstats, with what reports need, into it.
#' Later sessions find that environment by its name. Called again it adds to that environment.
#'
#' @param source What pip installs: the name of the package, or the folder of a checkout.
#' @param extras What else to install: `"report"` (HTML and PDF reports), `"compare"` (for [fpca()], [mbf_pca()] and
#'   [reduction()]), `"scale"` (for [moments()]).
#' @param envname Name (or path) of the virtual environment.
#' @param python The Python (3.11 or newer) to make a new environment with; found where `NULL`.
#' @param constraints A file of pinned versions for pip, or `NULL`.
#' @return The path of the environment's Python, invisibly.
#' @seealso [fairstats_available()]
#' @export
#' @examples
#' \dontrun{
#' install_fairstats()
#' }
install_fairstats <- function(source = "fairstats", envname = "r-fairstats", python = NULL, constraints = NULL,
                              extras = "report") {
  wanted <- paste0("[", paste(extras, collapse = ","), "]")
  if (dir.exists(source)) {
    source <- paste0(normalizePath(source), wanted)
  } else if (!grepl("[", source, fixed = TRUE)) {
    source <- paste0(source, wanted)
  }
  home <- if (grepl("/", envname, fixed = TRUE)) envname else file.path(reticulate::virtualenv_root(), envname)
  there <- file.path(home, if (.Platform$OS.type == "windows") "Scripts/python.exe" else "bin/python")
  if (file.exists(there) && !is.null(python)) {
    stop("python = ", python, ", and the environment ", envname, " has its Python already; give another envname, or ",
      "remove it first: reticulate::virtualenv_remove(\"", envname, "\").", call. = FALSE)
  }
  finished <- file.exists(there)
  # One that was only half made would be found by later sessions.
  on.exit(if (!finished) unlink(home, recursive = TRUE))
  if (!file.exists(there)) {
    dir.create(dirname(home), recursive = TRUE, showWarnings = FALSE)
    run_python(found_python(python), c("-m", "venv", shQuote(home)), "make a virtual environment")
  }
  pinned <- if (is.null(constraints)) character() else c("--constraint", shQuote(normalizePath(constraints)))
  arguments <- c("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade", pinned, shQuote(source))
  run_python(there, arguments, paste("install", source))
  finished <- TRUE
  if (reticulate::py_available() && is.null(state$remote)) {
    message("Python runs in this session already; restart R before you use fairstats.")
  }
  invisible(there)
}

found_python <- function(python) {
  found <- if (is.null(python)) Sys.which(c("python3", "python")) else Sys.which(python)
  found <- found[nzchar(found)]
  if (!length(found)) {
    stop("there is no Python to make an environment with; install Python 3.11 or newer, or name one: python = \"...\".",
      call. = FALSE)
  }
  found[[1L]]
}

# R's own library path would make Python load R's copies of libraries that it brings itself: then pip has no TLS.
run_python <- function(python, arguments, what) {
  if (system2(python, arguments, env = "LD_LIBRARY_PATH=") != 0L) {
    stop("Python could not ", what, "; its own message is above.", call. = FALSE)
  }
}

#' Is the Python package there?
#'
#' @return `TRUE` if Python starts and can import fairstats, else `FALSE`; never an error.
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
    stop("R runs inside Python here (through rpy2), and a second Python in it would crash at exit; ",
      "call fairstats from that Python, or start R on its own.", call. = FALSE)
  }
  chosen <- nzchar(Sys.getenv("RETICULATE_PYTHON")) || reticulate::py_available()
  if (!chosen && reticulate::virtualenv_exists(environment_name)) {
    reticulate::use_virtualenv(environment_name, required = TRUE)
  }
  tryCatch(reticulate::import("fairstats.r.remote", convert = FALSE), error = function(problem) {
    stop("The Python package fairstats is not to be had (", trimws(conditionMessage(problem)), "); run ",
      "install_fairstats(), or name a Python that has it: Sys.setenv(RETICULATE_PYTHON = \"...\") in a fresh session.",
      call. = FALSE)
  })
}
