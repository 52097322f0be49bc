# Errors and warnings: one kind of condition, whichever side of the bridge found it. Python writes its messages in
# R's words (class InR in fairstats/words_in_r.py).

# R's classes of Python's errors; any other is a fault of the package's own.
error_classes <- c(
  InputError = "fairstats_input_error", AbsentError = "fairstats_input_error", InputTypeError = "fairstats_input_error",
  ConversionError = "fairstats_input_error", FileError = "fairstats_file_error", SourceError = "fairstats_source_error",
  DependencyError = "fairstats_dependency_error", NumericalError = "fairstats_numerical_error"
)

python_error <- function(text, kind, trace = "") {
  class <- error_classes[strsplit(kind, " ", fixed = TRUE)[[1L]]] # the names of Python's class and of those it is one of
  class <- class[!is.na(class)][1L]
  if (is.na(class)) {
    class <- "fairstats_internal_error"
    text <- paste0("fairstats failed as it should not, which is its own fault (", text, "); please report it, with what ",
      "the error says as python_trace: tryCatch(..., error = function(e) cat(e$python_trace)).")
  }
  stop(errorCondition(writable(text), class = c(unname(class), "fairstats_error"), call = verb_call(),
    python_trace = trace))
}

tell <- function(...) {
  warning(warningCondition(writable(.makeMessage(...)), class = "fairstats_warning", call = NULL))
}

# Signs that a session without UTF-8 would write as <U+2212>. (No names of a vector: these are written in its encoding.)
signs <- c("\u2212", "\u2013", "\u2014", "\u00b7", "\u00d7", "\u2026", "\u2018", "\u2019", "\u201c", "\u201d", "\u2264", "\u2265",
  "\u2260", "\u2248", "\u00b1", "\u2192", "\u00b2", "\u00a0", "\u202f")
plain_signs <- c("-", "-", "-", "*", "x", "...", "'", "'", "\"", "\"", "<=", ">=", "!=", "~", "+/-", "->", "2", " ", " ")

# Text as this session can show it.
writable <- function(text) {
  if (cli::is_utf8_output()) {
    return(text)
  }
  for (i in seq_along(signs)) text <- gsub(signs[[i]], plain_signs[[i]], text, fixed = TRUE)
  text
}
