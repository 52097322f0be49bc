# A file that is gone when the test is over.
withr_tempfile <- function(fileext = "", frame = parent.frame()) {
  file <- tempfile(fileext = fileext)
  do.call(on.exit, list(substitute(unlink(f, recursive = TRUE), list(f = file)), add = TRUE), envir = frame)
  file
}
# Whether a page says it. expect_match() prepares what it looked at for a message, pass or fail: of a page, for half a minute.
expect_in_page <- function(page, what, fixed = TRUE) {
  found <- grepl(what, readLines(page, encoding = "UTF-8", warn = FALSE), fixed = fixed)
  expect(any(found), paste0(basename(page), " does not say ", what, "."))
}
