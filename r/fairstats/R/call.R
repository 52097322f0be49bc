# One call to Python: arguments as bytes, Python objects by reference, the answer as a plain R object.

fs_call <- function(name, arguments = list(), objects = list()) {
  arguments <- arguments[!vapply(arguments, is.null, NA)]
  refuse_na(arguments)
  python <- remote()
  packed <- wire_pack(arguments, whole = FALSE, where = "")
  rm(arguments)
  header <- packed$header
  sent <- handed_over(packed$buffers)
  rm(packed)
  bar <- progress_bar()
  on.exit(bar$close())
  answer <- python$call(name, header, sent, if (length(objects)) do.call(reticulate::dict, objects), bar$heard)
  said <- unpacked(answer)
  for (heard in said$warnings) tell(heard)
  if (said$kind == "interrupt") interrupt()
  if (nzchar(said$error)) python_error(said$error, said$kind, said$trace)
  value <- said$value
  if (inherits(value, "fairstats")) {
    if (!cli::is_utf8_output()) value <- writable_result(value)
    attr(value, "python") <- answer$object
    attr(value, "saved") <- said$saved
  }
  value
}

# NA says nothing of what is wanted; a vector of one value or more may be data.
refuse_na <- function(arguments, within = "") {
  for (name in names(arguments)) {
    x <- arguments[[name]]
    if (is.list(x) && !is.object(x)) refuse_na(x, paste0(within, name, "$"))
    if (is.atomic(x) && length(x) == 1L && is.null(dim(x)) && is.na(x)) {
      fail(within, name, " is NA; give a value, or leave it out.")
    }
  }
}

# The answer to an exported function: a result that knows its call, its formula and what its data are called. A tally goes along
# as the object that it is, anything else as `people`.
recorded <- function(call, name, data, people, arguments, kind = NULL) {
  # a label that nobody gave is found among those of the data
  unsaid <- setdiff(c("favorable", "positive"), names(call))
  arguments[Filter(function(name) identical(arguments[[name]], 1), unsaid)] <- NULL
  counted <- inherits(data, "fairstats_tally")
  kind <- kind %||% if (counted) "tally" else if (is.matrix(data)) "matrix" else if (is_lazy(data) || is.character(data)) {
    ""
  } else {
    "data frame"
  }
  answer <- fs_call(name, c(if (!counted) list(data = people), arguments, list(r_call = call_record(call, kind))),
    if (counted) list(data = python_object(data, "data")) else list())
  if (is.data.frame(data)) answer$group_values <- group_values(data, answer$by_group)
  with_call(answer, call)
}

# The distinct values of the columns whose groups were audited, which keep their class; labeled values and integers of
# 64 bits would need the methods of another package.
group_values <- function(data, by_group) {
  columns <- unclass(data)[intersect(names(by_group), names(data))]
  # of a factor its levels, without a look at its rows
  distinct <- function(x) {
    if (is.factor(x)) structure(seq_along(levels(x)), levels = levels(x), class = class(x)) else x[!duplicated(x)]
  }
  lapply(Filter(function(x) !inherits(x, c("integer64", "haven_labelled")), columns), distinct)
}

# An answer as R has it: all that it says comes in one piece.
unpacked <- function(answer) unserialize(reticulate::py_to_r(answer$packed))

# A result whose signs this session can show.
writable_result <- function(value) {
  if (is.character(value[["finding"]])) value$finding <- writable(value[["finding"]])
  # what is said of a row; labels of groups stay what they are
  said <- intersect(c("term", "name", "method", "reason"), names(value$tidy))
  value$tidy[said] <- lapply(value$tidy[said], writable)
  value
}

# Buffers as Python's. Large vectors go part by part into memory that Python has made ready, so that the vector and what
# Python has of it are all there is.
handed_over <- function(buffers) {
  kept <- !vapply(buffers, is.raw, NA)
  if (!any(kept)) {
    return(buffers)
  }
  parcel <- remote()$Parcel(sum(vapply(buffers[kept], bytes_of, 0)))
  since <- 0
  for (i in seq_along(buffers)) {
    if (!kept[[i]]) {
      parcel$add(buffers[[i]])
      next
    }
    parcel$open(bytes_of(buffers[[i]]))
    for (start in seq(1, extent(buffers[[i]]), by = step_of(buffers[[i]]))) {
      end <- min(start + step_of(buffers[[i]]) - 1, extent(buffers[[i]]))
      if (by_rows(buffers[[i]])) {
        parcel$fill_rows(writeBin(as.vector(buffers[[i]]$make(start:end)), raw(), endian = "little"), buffers[[i]]$dim[[1L]],
          buffers[[i]]$dim[[2L]])
      } else {
        parcel$fill(writeBin(plain_slice(buffers[[i]], start:end), raw(), endian = "little"))
      }
      since <- since + 1
      if (since %% 8 == 0) gc(FALSE) # R would let the parts that are gone pile up
    }
  }
  parcel
}

part <- 2^19 # numbers
by_rows <- function(x) inherits(x, "fairstats_rows")
# is.integer() says no of a factor
bytes_of <- function(x) if (by_rows(x)) 8 * prod(x$dim) else length(x) * if (typeof(x) == "integer") 4 else 8
extent <- function(x) if (by_rows(x)) x$dim[[1L]] else length(x)
step_of <- function(x) if (by_rows(x)) max(1, part %/% x$dim[[2L]]) else part

# Some entries as bare numbers, without a copy of all: a slice of a factor, a date or a labeled column keeps its class.
plain_slice <- function(x, entries) {
  slice <- .subset(x, entries)
  attributes(slice) <- NULL
  slice
}

# What Ctrl-C does in R itself: whoever waits for interrupts hears of it, else back to the prompt.
interrupt <- function() {
  signalCondition(structure(class = c("interrupt", "condition"), list(message = "interrupted", call = NULL)))
  invokeRestart("abort")
}

# What gives the value of an argument that only one kind of result can be.
makers <- c(audit = "fair_audit() returns", tally = "fair_tally() returns", fit = "og() and the like return")

# What earlier calls left in Python. A result of another session has none there, but carries the bytes to make it again.
python_object <- function(x, argument) {
  if (!inherits(x, "fairstats")) {
    way <- if (inherits(x, "fairstats_impact_tables")) {
      "the audit that they were made of, to fair_report() with preset = \"ll144\"."
    } else {
      paste0("what ", if (argument %in% names(makers)) makers[[argument]] else "og(), fair_audit() and the like return", ".")
    }
    fail(argument, " is of class ", class(x)[[1L]], "; give ", way)
  }
  pointer <- attr(x, "python")
  if (!is.null(pointer) && !reticulate::py_is_null_xptr(pointer)) {
    return(pointer)
  }
  saved <- attr(x, "saved")
  if (is.null(saved)) {
    fail(argument, " was made in another session, and its file holds what R prints and not what Python goes on with (Python's ",
      "write_rds() and older versions write such files); run the call that made it again, or keep results by fair_save() and ",
      "fair_load(), in Python result.save(\"x.npz\").")
  }
  restored(saved, argument)
}

restored <- function(saved, argument) {
  answer <- remote()$restored(saved)
  said <- unpacked(answer)
  if (nzchar(said$error)) python_error(paste0(argument, " was made in another session: ", said$error), said$kind)
  answer$object
}

whole <- function(x, argument) {
  if (!is.numeric(x) || length(x) != 1L || is.na(x) || x != round(x)) {
    if (is.data.frame(x)) fail(argument, " is a data frame; pass it as data = .")
    few <- utils::head(unlist(x), 3L)
    few <- substr(paste(if (is.character(few)) encodeString(few, quote = "'") else format(few), collapse = ", "), 1L, 60L)
    fail(argument, " = ", few, if (length(x) > 3L) paste0(", ... (", length(x), " values)"), " is not a whole number.")
  }
  as.integer(x)
}

# One whole number, or one for each row.
numbered <- function(x, argument) {
  if (!is.numeric(x) && !is.factor(x)) {
    fail(argument, " is of class ", class(x)[[1L]], "; give a whole number, or one for each row.")
  }
  as.integer(x)
}
