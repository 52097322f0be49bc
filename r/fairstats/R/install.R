# A virtual environment of the package's own, and what goes into it.

#' Install the Python package
#'
#' Makes a virtual environment of its own and installs the Python package fairstats, with what reports need, into it.
#' Later sessions find that environment by its name. Called again it adds to that environment.
#'
#' @param source What is installed: the folder of a checkout, a wheel, or an address (`"git+https://..."`). Where `NULL`, the
#'   checkout that the working directory is in, a wheel in it, or what the environment's fairstats came from. The package
#'   is in no index: a bare name is refused, since whatever has that name there is not this package.
#' @param extras What else to install: `"report"` (HTML and PDF reports), `"compare"` (for [fpca()], [mbf_pca()] and
#'   [fairlearn_reduction()]), `"scale"` (for [fair_moments()]).
#' @param envname Name (or path) of the virtual environment.
#' @param python The Python (3.11 or newer) to make a new environment with; found where `NULL`.
#' @param constraints A file of pinned versions for pip, or `NULL`.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return The path of the environment's Python, invisibly.
#'
#' @section Python that reticulate manages: reticulate (1.41 and later) makes a Python by itself where there is no environment
#'   of this name, and where `Sys.setenv(RETICULATE_PYTHON = "managed")` asks for it. With
#'   `options(fairstats.source = "path/of/the/checkout")` (or the path of a wheel, or an address) the first call declares this
#'   package by `reticulate::py_require()`, and nothing has to be installed; without it, what an earlier `install_fairstats()`
#'   installed from.
#' @seealso [fairstats_available()]
#' @family set-up
#' @export
#' @examples
#' \dontrun{
#' install_fairstats("path/of/the/checkout")
#' install_fairstats(extras = c("report", "compare")) # later: what is there, and more
#' }
install_fairstats <- function(source = NULL, envname = "r-fairstats", python = NULL, constraints = NULL,
                              extras = "report", ...) {
  refuse_others(...)
  home <- environment_home(one_name(envname, "envname", "name of one environment"))
  there <- file.path(home, if (.Platform$OS.type == "windows") "Scripts/python.exe" else "bin/python")
  source <- with_extras(source %||% found_source(home), extras)
  if (file.exists(there) && !is.null(python)) {
    fail("python = ", python, ", and the environment ", envname, " has its Python already; give another envname, or ",
      "remove it first: reticulate::virtualenv_remove(\"", envname, "\").")
  }
  finished <- file.exists(there)
  # One that was only half made would be found by later sessions.
  on.exit(if (!finished) unlink(home, recursive = TRUE))
  if (!file.exists(there)) {
    dir.create(dirname(home), recursive = TRUE, showWarnings = FALSE)
    run_python(found_python(python), c("-m", "venv", shQuote(home)), "make a virtual environment")
  }
  pinned <- if (is.null(constraints)) character() else c("--constraint", shQuote(normalizePath(constraints)))
  data <- data_beside(sub("\\[[^]]*\\]$", "", source))
  wanted <- shQuote(c(source, if (dir.exists(data)) data))
  arguments <- c("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade", pinned, wanted)
  run_python(there, arguments, paste("install", source))
  finished <- TRUE
  if (reticulate::py_available() && is.null(state$remote)) {
    message("Python runs in this session already; restart R before you use fairstats.")
  }
  invisible(there)
}

# Without the ~ of reticulate's root, which a quoted command line would take for the name of a folder.
environment_home <- function(name) {
  path.expand(if (grepl("/", name, fixed = TRUE)) name else file.path(reticulate::virtualenv_root(), name))
}

# The table of arrests() is a package of its own, which a checkout holds beside the other.
data_beside <- function(checkout) file.path(checkout, "packages", "fairstats-data")

found_python <- function(python) {
  matches <- if (is.null(python)) Sys.which(c("python3", "python")) else Sys.which(python)
  matches <- matches[nzchar(matches)]
  if (!length(matches)) {
    fail("there is no Python to make an environment with; install Python 3.11 or newer, or name one: python = \"...\".")
  }
  matches[[1L]]
}

# R's own library path would make Python load R's copies of libraries that it brings itself: then pip has no TLS.
run_python <- function(python, arguments, what) {
  if (system2(python, arguments, env = "LD_LIBRARY_PATH=") != 0L) {
    fail("Python could not ", what, "; its own message is above.")
  }
}

# What pip is to install, once it is known to be this package.
with_extras <- function(source, extras) {
  one_name(source, "source", "path of a checkout or of a wheel")
  wanted <- paste0("[", paste(extras, collapse = ","), "]")
  if (grepl("^[a-z0-9+]+://", source)) {
    return(paste0("fairstats", wanted, " @ ", source))
  }
  if (is_checkout(source) || file.exists(source) && grepl(archive, basename(source))) {
    return(paste0(normalizePath(source), wanted))
  }
  what <- if (dir.exists(source)) {
    "a folder without the pyproject.toml of fairstats"
  } else if (file.exists(source)) {
    "no wheel of fairstats"
  } else {
    "neither a folder nor a file; fairstats is in no package index, so a name is not enough"
  }
  fail("source = \"", source, "\" is ", what, "; ", give_source)
}

archive <- "^fairstats-[^-]+(-.*\\.whl|\\.tar\\.gz)$"
give_source <- "give the folder of a checkout, or the path of a wheel: install_fairstats(\"path/of/the/checkout\")."

is_checkout <- function(folder) {
  project <- file.path(folder, "pyproject.toml")
  file.exists(project) && any(grepl("^name *= *\"fairstats\"", readLines(project, warn = FALSE)))
}

# The checkout around the working directory, a wheel in it, or what this environment's fairstats was installed from.
found_source <- function(home) {
  above <- Reduce(function(folder, ...) dirname(folder), strsplit(getwd(), "/")[[1L]][-1L], getwd(), accumulate = TRUE)
  wheels <- list.files(getwd(), "^fairstats-.*\\.whl$", full.names = TRUE)
  newest <- wheels[order(file.mtime(wheels), decreasing = TRUE)]
  matches <- c(Filter(is_checkout, above), newest, installed_from(home))
  if (!length(matches)) {
    fail("source is missing: the working directory ", getwd(), " is in no checkout of fairstats and holds no wheel of it; ",
      give_source)
  }
  message("Installing fairstats from ", matches[[1L]])
  matches[[1L]]
}

# Pip writes beside each package where it came from (PEP 610).
installed_from <- function(home) {
  pattern <- c("lib/python*/site-packages", "Lib/site-packages")
  notes <- Sys.glob(file.path(home, pattern, "fairstats-*.dist-info", "direct_url.json"))
  urls <- vapply(notes, function(note) jsonlite::fromJSON(note)$url %||% "", "", USE.NAMES = FALSE)
  scheme <- if (.Platform$OS.type == "windows") "^file:///" else "^file://"
  paths <- vapply(sub(scheme, "", urls[startsWith(urls, "file:")]), utils::URLdecode, "", USE.NAMES = FALSE)
  paths[file.exists(paths)]
}
