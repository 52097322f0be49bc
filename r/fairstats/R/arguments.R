# What R itself would answer without the name that was meant: arguments that a function does not have.

# Exported functions end in `...`, so that what they do not know comes here, and not to R's "unused argument".
refuse_others <- function(...) {
  if (!...length()) {
    return(invisible())
  }
  call <- sys.call(-1L)
  name <- if (is.name(call[[1L]])) as.character(call[[1L]]) else if (is.call(call[[1L]])) as.character(call[[1L]])[[3L]]
  known <- setdiff(names(formals(sys.function(-1L))), "...")
  named <- setdiff(names(match.call(expand.dots = FALSE)$...), "") # without a look at their values
  called <- if (is.null(name)) "the function" else paste0(name, "()")
  if (!length(named)) {
    fail(called, " was given more values than it has arguments; name them: ", paste(known, collapse = ", "), ".")
  }
  fail(called, " has no argument ", sQuote(named[[1L]], FALSE), "; it has ", paste(known, collapse = ", "), ".",
    nearest(named[[1L]], known))
}
