# How far a long call is: a bar of cli where somebody sits before it, nothing in a script, a test or a document.

progress_bar <- function() {
  if (!rlang::is_interactive() || isTRUE(getOption("knitr.in.progress"))) {
    return(list(heard = NULL, close = function() NULL))
  }
  bar <- NULL
  shown <- ""
  home <- environment()
  close <- function() {
    if (!is.null(bar)) cli::cli_progress_done(id = bar, .envir = home)
    bar <<- NULL
    shown <<- ""
  }
  show <- function(what, done, total) {
    if (done >= total) {
      return(close())
    }
    if (what != shown) {
      close()
      bar <<- cli::cli_progress_bar(what, total = total, .auto_close = FALSE, .envir = home)
      shown <<- what
    }
    cli::cli_progress_update(set = done, id = bar, .envir = home)
  }
  # Whether to stop: an interrupt that R hears of while it draws is for the call. A bar that cannot be drawn is none.
  heard <- function(what, done, total) {
    tryCatch({
      show(reticulate::py_to_r(what), reticulate::py_to_r(done), reticulate::py_to_r(total))
      FALSE
    }, interrupt = function(condition) TRUE, error = function(condition) FALSE)
  }
  list(heard = reticulate::r_to_py(heard, convert = FALSE), close = close)
}
