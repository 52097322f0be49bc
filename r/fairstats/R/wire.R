# R's values as bytes: one JSON header that describes them, and one raw vector for each R vector.
# fairstats/rvalues/wire.py does the same in Python. Base R and jsonlite only: the rpy2 bridge sources this file alone.

wire_version <- 2L

# An error of the caller's, by its class. (Here because this file is sourced alone, too.)
fail <- function(..., class = "fairstats_input_error") {
  stop(errorCondition(.makeMessage(...), class = c(class, "fairstats_error"), call = verb_call()))
}

# The call that R names before an error: of the function that the user called, without its arguments, which may be data.
verb_call <- function() {
  parents <- sys.parents()
  home <- topenv()
  if (!isNamespace(home)) {
    return(NULL)
  }
  called <- NULL
  frame <- sys.nframe()
  while (frame > 0L) {
    if (identical(environment(sys.function(frame)), home)) called <- frame
    above <- parents[[frame]]
    frame <- if (above < frame) above else frame - 1L # rlang::eval_tidy() has frames that are their own parents
  }
  if (is.null(called)) {
    return(NULL)
  }
  # do.call() and lapply() call it by no name, or by another one
  is_called <- function(name) identical(get(name, home), sys.function(called), ignore.bytecode = TRUE, ignore.srcref = TRUE)
  name <- Filter(is_called, intersect(getNamespaceExports(home), ls(home)))
  name <- c(name, get0(".Generic", sys.frame(called), inherits = FALSE))
  head <- sys.call(called)[[1L]]
  if (rlang::is_call(head, c("::", ":::"))) head <- head[[3L]]
  if (length(name)) call(name[[1L]]) else if (is.name(head)) as.call(list(head))
}

# Numbers of at least so many bytes stay where they are when `whole` is FALSE: a buffer is then the vector itself, which
# is written out part by part when it is handed over. Nothing large is copied as a whole.
wire_large <- 2e6

# `where` is what errors call x.
wire_pack <- function(x, whole = TRUE, where = "value") {
  buffers <- list()
  add <- function(bytes) {
    buffers[[length(buffers) + 1L]] <<- bytes
    length(buffers) - 1L
  }
  place <- function(x) wire_number(add(x))
  node <- function(x, where) {
    if (is.null(x)) {
      return("{\"type\":\"NULL\"}")
    }
    if (isS4(x) && methods::is(x, "dgCMatrix")) {
      slots <- vapply(list(x@i, x@p, x@x), function(slot) place(writeBin(slot, raw())), "")
      return(wire_object(
        type = "\"dgCMatrix\"", buffers = wire_array(slots),
        dim = wire_array(wire_number(x@Dim)), named = tolower(!all(vapply(x@Dimnames, is.null, NA)))
      ))
    }
    if (inherits(x, "fairstats_rows")) { # a matrix that is made row by row when it is handed over
      buffer <- place(x)
      return(wire_object(type = "\"double\"", n = wire_number(prod(x$dim)), buffer = buffer,
        attributes = attributes_of_node(list(dim = x$dim, dimnames = list(NULL, x$columns)), where)))
    }
    kind <- typeof(x)
    if (isS4(x) || !kind %in% c("logical", "integer", "double", "character", "raw", "list")) {
      classes <- vapply(class(x), wire_text, "")
      return(wire_object(type = "\"foreign\"", kind = wire_text(kind), class = wire_array(classes)))
    }
    current <- attributes(x)
    if (is.data.frame(x) && .row_names_info(x) < 0L) current$row.names <- .set_row_names(nrow(x))
    # Instants without a zone are shown in the session's; elsewhere that is another one, so it goes along by name.
    if (inherits(x, "POSIXct") && !any(nzchar(current$tzone))) current$tzone <- wire_timezone()
    attrs <- attributes_of_node(current, where)
    type <- paste0("\"", kind, "\"")
    if (!whole && kind %in% c("integer", "double") && length(x) * 8 >= wire_large) {
      return(wire_object(type = type, n = wire_number(length(x)), buffer = place(x), attributes = attrs))
    }
    plain <- x
    attributes(plain) <- NULL
    if (kind == "list") {
      labels <- names(x)
      inner <- vapply(seq_along(plain), function(i) {
        label <- if (is.null(labels) || is.na(labels[[i]]) || !nzchar(labels[[i]])) i else labels[[i]]
        node(plain[[i]], if (nzchar(where)) paste0(where, "$", label) else label)
      }, "")
      return(wire_object(type = type, values = wire_array(inner), attributes = attrs))
    }
    if (kind == "character") {
      distinct <- unique(plain)
      distinct <- distinct[!is.na(distinct)]
      codes <- match(plain, distinct, nomatch = 0L) - 1L
      distinct <- wire_utf8(distinct, where)
      return(wire_object(
        type = type, n = wire_number(length(plain)), buffer = place(writeBin(codes, raw())),
        distinct = wire_number(length(distinct)), strings = place(writeBin(distinct, raw(), useBytes = TRUE)), attributes = attrs
      ))
    }
    wire_object(type = type, n = wire_number(length(plain)), buffer = place(writeBin(plain, raw(), endian = "little")),
      attributes = attrs)
  }
  attributes_of_node <- function(x, where) {
    if (is.null(x)) {
      return("[]")
    }
    wire_array(vapply(names(x), function(name) {
      wire_object(name = wire_text(name), value = node(x[[name]], paste0(where, ", attribute ", name)))
    }, ""))
  }
  value <- node(x, where)
  list(header = wire_object(version = wire_number(wire_version), value = value), buffers = buffers)
}

# JSON of parts that are JSON already: jsonlite, which looks at every entry of a list, takes longer than most audits.
wire_object <- function(...) {
  parts <- c(...)
  paste0("{", paste0("\"", names(parts), "\":", parts, collapse = ","), "}")
}

wire_array <- function(parts) paste0("[", paste(parts, collapse = ","), "]")

wire_number <- function(x) sprintf("%.0f", x)

wire_text <- function(x) {
  plain <- !grepl("[^A-Za-z0-9_. ]", x, perl = TRUE, useBytes = TRUE)
  if (plain) paste0("\"", x, "\"") else as.character(jsonlite::toJSON(enc2utf8(x), auto_unbox = TRUE))
}

wire_timezone <- function(zone = suppressWarnings(Sys.timezone())) {
  if (is.na(zone)) "UTC" else zone
}

wire_utf8 <- function(x, where) {
  marked <- Encoding(x)
  # Text without a mark is in the session's encoding. Where that is UTF-8, or nothing (C), it is checked as it stands:
  # enc2utf8() would write a wrong byte out as "<ff>", and nobody would know.
  unmarked <- l10n_info()[["UTF-8"]] || Sys.getlocale("LC_CTYPE") %in% c("C", "POSIX")
  translated <- marked == "latin1" | (marked == "unknown" & !unmarked)
  x[translated] <- enc2utf8(x[translated])
  bad <- marked == "bytes" | !validUTF8(x)
  if (any(bad)) {
    fail(where, " has text that is not valid UTF-8 (", encodeString(x[bad][[1L]], quote = "\""),
      "); say how it is encoded, as in iconv(x, \"latin1\", \"UTF-8\").")
  }
  x
}

wire_unpack <- function(header, buffers) {
  described <- jsonlite::fromJSON(header, simplifyVector = FALSE)
  if (!identical(as.integer(described$version), wire_version)) {
    fail("the Python package speaks version ", described$version, " of the bridge and this R package version ",
      wire_version, "; update both to the same release.")
  }
  value <- function(node) {
    kind <- node$type
    if (kind == "NULL") {
      return(NULL)
    }
    if (kind == "dgCMatrix") {
      slots <- lapply(node$buffers, function(b) buffers[[b + 1L]])
      return(methods::new(methods::getClass("dgCMatrix", where = asNamespace("Matrix")),
        i = readBin(slots[[1L]], "integer", length(slots[[1L]]) / 4L),
        p = readBin(slots[[2L]], "integer", length(slots[[2L]]) / 4L),
        x = readBin(slots[[3L]], "double", length(slots[[3L]]) / 8L), Dim = as.integer(unlist(node$dim))
      ))
    }
    if (kind == "list") {
      out <- lapply(node$values, value)
    } else if (kind == "character") {
      distinct <- readBin(buffers[[node$strings + 1L]], "character", node$distinct)
      Encoding(distinct) <- "UTF-8"
      codes <- readBin(buffers[[node$buffer + 1L]], "integer", node$n)
      codes[codes < 0L] <- NA
      out <- distinct[codes + 1L]
    } else if (kind == "raw") {
      out <- buffers[[node$buffer + 1L]]
    } else {
      out <- readBin(buffers[[node$buffer + 1L]], kind, node$n, endian = "little")
    }
    if (length(node$attributes)) {
      names <- vapply(node$attributes, `[[`, "", "name")
      attributes(out) <- stats::setNames(lapply(node$attributes, function(a) value(a$value)), names)
      if (inherits(out, "integer64") && !requireNamespace("bit64", quietly = TRUE)) { # else R would show their bits
        fail("whole numbers beyond 2^53 need the package bit64 in R; install.packages(\"bit64\"), or pass them as text.")
      }
    }
    out
  }
  value(described$value)
}
