# One call to Python: arguments as bytes, Python objects by reference, the answer as a plain R object.

fs_call <- function(name, arguments = list(), objects = list()) {
  arguments <- arguments[!vapply(arguments, is.null, NA)]
  python <- remote()
  packed <- wire_pack(arguments)
  rm(arguments)
  header <- packed$header
  sent <- handed_over(packed$buffers)
  rm(packed)
  answer <- python$call(name, header, sent, do.call(reticulate::dict, objects))
  text <- function(field) reticulate::py_to_r(answer[[field]])
  for (told in text("warnings")) tell(told)
  if (text("kind") == "interrupt") interrupt()
  if (nzchar(text("error"))) python_error(text("error"), text("kind"), text("trace"))
  value <- wire_unpack(text("header"), lapply(reticulate::py_to_r(answer$buffers), identity))
  if (inherits(value, "fairstats")) {
    if (!is.null(value$summary)) value$summary <- for_r(value$summary, printed = TRUE)
    attr(value, "python") <- answer$object
    attr(value, "saved") <- text("saved")
  }
  value
}

# Large buffers one by one, so that R's copy of one is gone when the next is made Python's.
large <- 2e7

handed_over <- function(buffers) {
  if (sum(lengths(buffers)) < large) {
    return(buffers)
  }
  gc() # what packing left
  sent <- reticulate::r_to_py(list())
  while (length(buffers)) {
    sent$append(buffers[[1L]])
    buffers[[1L]] <- NULL
  }
  gc()
  sent
}

# What Ctrl-C does in R itself: whoever waits for interrupts hears of it, else back to the prompt.
interrupt <- function() {
  signalCondition(structure(class = c("interrupt", "condition"), list(message = "interrupted", call = NULL)))
  invokeRestart("abort")
}

# What earlier calls left in Python. A result of another session has none there, but carries the bytes to make it again.
python_object <- function(x, argument) {
  if (!inherits(x, "fairstats")) {
    fail(argument, " is of class ", class(x)[[1L]], "; give what og(), fair_audit() and the like return.")
  }
  pointer <- attr(x, "python")
  if (!is.null(pointer) && !reticulate::py_is_null_xptr(pointer)) {
    return(pointer)
  }
  saved <- attr(x, "saved")
  if (is.null(saved)) {
    fail(argument, " was made in another session, and objects of class ", class(x)[[1L]], " (or of older versions) ",
      "carry nothing to go on with; run the call that made it again.")
  }
  restored(saved, argument)
}

restored <- function(saved, argument) {
  answer <- remote()$restored(saved)
  text <- function(field) reticulate::py_to_r(answer[[field]])
  if (nzchar(text("error"))) {
    python_error(paste0(argument, " was made in another session: ", text("error")), text("kind"))
  }
  answer$object
}

whole <- function(x, argument) {
  if (!is.numeric(x) || length(x) != 1L || is.na(x) || x != round(x)) {
    fail(argument, " = ", paste(format(x), collapse = ", "), " is not a whole number.")
  }
  as.integer(x)
}
