# What is decided before anybody looks at the data: a file, or a list that becomes one.

#' Write a protocol
#'
#' What an audit is about, decided before anyone looks at the data: the file that [fair_audit()] takes as `protocol`, and
#' whose hash the report prints.
#'
#' @param protocol A list of arguments of [fair_audit()] by their names, `groups` among them.
#' @param path A file that ends in `.toml`. One that is there already is an error: a protocol is not changed silently.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return `path`, invisibly.
#' @family audits
#' @export
#' @examples
#' plan <- tempfile(fileext = ".toml")
#' declared <- list(groups = "sex", decision = "hired", reference = "male", margin = 0.05)
#' fair_write_protocol(declared, plan)
#' cat(readLines(plan), sep = "\n")
fair_write_protocol <- function(protocol, path, ...) {
  refuse_others(...)
  path <- one_path(path)
  if (!grepl("\\.toml$", path)) fail("path = \"", path, "\" does not end in .toml, as protocols do.")
  if (file.exists(path)) fail("path = \"", path, "\" exists; a protocol that was declared stays as it is: give another name.")
  entries <- protocol_entries(protocol)
  lines <- paste(names(entries), "=", vapply(entries, toml, ""))
  connection <- file(path, "wb")
  on.exit(close(connection))
  writeLines(enc2utf8(lines), connection, useBytes = TRUE)
  invisible(path)
}

# The entries of a file, by their names.
declared_in <- function(protocol) {
  one_name(protocol, "protocol", "path of a file, or a list")
  fs_call("declared", list(protocol = path.expand(protocol)))
}

# A list of arguments as a file would declare them, by the names that files use.
protocol_entries <- function(protocol) {
  entries <- named_entries(protocol, "protocol", "groups = \"sex\"")
  if (!is.list(protocol) || !length(protocol)) {
    fail("protocol is of class ", class(protocol)[[1L]], "; give a list of arguments of fair_audit().")
  }
  available <- names(audit_forms)
  lost <- setdiff(names(entries), available)
  if (length(lost)) {
    fail("protocol has the entry ", sQuote(lost[[1L]], FALSE), "; an audit has no such argument.",
      nearest(lost[[1L]], available))
  }
  if (anyDuplicated(names(entries))) {
    fail("protocol has ", sQuote(names(entries)[duplicated(names(entries))][[1L]], FALSE), " twice; leave one out.")
  }
  if (!is.null(entries$groups)) entries$groups <- as.list(attributes_of(entries$groups))
  entries[!vapply(entries, is.null, NA)]
}

# The arguments of a call joined with a list that declares some; what both say is an error, as with a file.
with_declared <- function(arguments, protocol) {
  entries <- protocol_entries(protocol)
  both <- intersect(names(entries), names(arguments)[!vapply(arguments, is.null, NA)])
  if (length(both)) {
    fail(both[[1L]], " is given and protocol declares it, too; leave one of the two out.")
  }
  c(arguments[setdiff(names(arguments), names(entries))], in_forms(entries))
}

# A value as TOML writes it.
toml <- function(value) {
  if (is.factor(value) || inherits(value, c("Date", "POSIXct"))) value <- label_text(value)
  if (length(names(value))) {
    keys <- ifelse(grepl("^[A-Za-z0-9_-]+$", names(value)), names(value), vapply(names(value), toml, ""))
    return(paste0("{ ", paste(keys, "=", vapply(as.list(value), toml, ""), collapse = ", "), " }"))
  }
  if (is.list(value) || length(value) > 1L) {
    return(paste0("[", paste(vapply(as.list(value), toml, ""), collapse = ", "), "]"))
  }
  if (is.character(value)) {
    return(as.character(jsonlite::toJSON(value, auto_unbox = TRUE)))
  }
  if (is.logical(value)) {
    return(if (value) "true" else "false")
  }
  # the fewest digits that are this very number
  texts <- vapply(15:17, function(digits) format(value, digits = digits, scientific = FALSE), "")
  texts[match(TRUE, as.numeric(texts) == value)]
}
