# A file that is gone when the test is over.
withr_tempfile <- function(fileext = "", frame = parent.frame()) {
  file <- tempfile(fileext = fileext)
  do.call(on.exit, list(substitute(unlink(f, recursive = TRUE), list(f = file)), add = TRUE), envir = frame)
  file
}
