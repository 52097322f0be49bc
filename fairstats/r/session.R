# What the embedded R does for the rpy2 bridge: one question at a time, asked and answered as bytes (wire.R).

# R's quit() ends the process, which is Python's; every caller of it gets an error instead.
session_mask_quit <- function() {
  refuse <- function(...) {
    stop("quit() would end Python too; return from the R code instead, or end Python", call. = FALSE)
  }
  for (name in c("quit", "q")) {
    unlockBinding(name, baseenv())
    assign(name, refuse, envir = baseenv())
    lockBinding(name, baseenv())
  }
}

# What Python holds on to, by the name that it gave.
session_kept <- new.env(parent = emptyenv())

# Sys.timezone() would ask systemd, which a container lacks, loudly.
session_know_zone <- function(zone) {
  if (is.na(get0(".sys.timezone", baseenv(), ifnotfound = "")) && zone %in% OlsonNames()) {
    unlockBinding(".sys.timezone", baseenv())
    assign(".sys.timezone", zone, envir = baseenv())
    lockBinding(".sys.timezone", baseenv())
  }
}

# The answer is list(header, buffers): what happened, and the value if Python asked to convert it.
session_ask <- function(header, buffers) {
  packed <- tryCatch(session_answer(header, buffers), interrupt = function(i) {
    wire_pack(list(state = "interrupt", warnings = character()))
  })
  list(charToRaw(packed$header), packed$buffers)
}

session_answer <- function(header, buffers) {
  request <- list()
  warned <- character()
  trace <- NULL
  fails <- function(state) {
    function(e) {
      call <- if (is.null(trace)) "" else session_line(conditionCall(e))
      if (call == "eval(code, where)" || startsWith(call, "parse(text = request$code")) call <- "" # ours
      list(state = state, message = conditionMessage(e), call = call, trace = trace, warnings = warned)
    }
  }
  report <- tryCatch(
    withCallingHandlers(
      {
        request <- wire_unpack(session_text(header), buffers)
        rm(list = request$released, envir = session_kept)
        request$arguments[request$held] <- mget(request$keys, envir = session_kept)
        object <- session_actions[[request$action]](request)
        list(state = "value", classes = class(object), warnings = warned, head = session_head(request))
      },
      warning = function(w) {
        warned <<- union(warned, conditionMessage(w))
        tryInvokeRestart("muffleWarning")
      },
      error = function(e) trace <<- session_trace(sys.calls())
    ),
    error = fails("error")
  )
  packed <- if (report$state == "value" && is.null(request$keep)) {
    tryCatch(wire_pack(c(report, list(value = object))), error = function(e) {
      e$message <- sub("value$value", "value", conditionMessage(e), fixed = TRUE)
      wire_pack(fails("conversion")(e))
    })
  } else {
    wire_pack(report)
  }
  if (report$state == "value" && !is.null(request$keep)) assign(request$keep, object, envir = session_kept)
  packed
}

# An object that another user of the same R has, under a name of ours.
session_take <- function(key, held) {
  assign(key, held[[1L]], envir = session_kept)
  class(held[[1L]])
}

session_text <- function(bytes) {
  text <- rawToChar(bytes)
  Encoding(text) <- "UTF-8"
  text
}

session_line <- function(call) {
  if (is.null(call)) "" else trimws(deparse(call, width.cutoff = 70L, nlines = 1L)[[1L]])
}

# The calls of the user's code: below those of this file, above those that R adds to handle the error.
session_trace <- function(calls) {
  names <- vapply(calls, function(call) if (is.name(call[[1L]])) as.character(call[[1L]]) else "", "")
  first <- match("session_run", names)
  if (is.na(first)) return(NULL)
  first <- first + 2L # eval() is two calls
  last <- match(".handleSimpleError", names, nomatch = length(calls)) - 1L
  mine <- calls[seq_along(calls) > first & seq_along(calls) <= last]
  if (length(mine) > 50L) mine <- c(utils::head(mine, 25L), list(quote(...)), utils::tail(mine, 25L))
  vapply(mine, session_line, "")
}

# The function that the answer is of: of code, that of the last expression, if no other may have changed the rows.
session_head <- function(request) {
  if (request$action == "call" && !is.null(request$name)) return(sub("^.*::", "", request$name))
  if (request$action != "eval") return("")
  code <- as.list(parse(text = request$code, keep.source = FALSE, encoding = "UTF-8"))
  frames <- names(Filter(is.data.frame, request$arguments))
  if (!all(vapply(code, session_keeps_rows, NA, frames))) return("")
  last <- if (length(code)) code[[length(code)]]
  while (is.call(last) && identical(last[[1L]], quote(`{`)) && length(last) > 1L) last <- last[[length(last)]]
  head <- if (is.call(last)) last[[1L]]
  if (is.call(head)) head <- head[[length(head)]] # stats::predict
  if (is.name(head)) as.character(head) else ""
}

# Whether data frames are nothing but the data of models and of their predictions in some code.
session_keeps_rows <- function(code, frames) {
  if (!is.call(code)) return(TRUE)
  parts <- as.list(code)[-1L]
  direct <- vapply(parts, function(part) is.name(part) && as.character(part) %in% frames, NA)
  of_model <- any(vapply(parts, function(part) is.call(part) && identical(part[[1L]], quote(`~`)), NA))
  head <- if (is.call(code[[1L]])) code[[1L]][[length(code[[1L]])]] else code[[1L]]
  if (any(direct) && !of_model && !identical(head, quote(predict))) return(FALSE)
  all(vapply(parts, session_keeps_rows, NA, frames))
}

session_run <- function(code, where) eval(code, where)

# Values are variables of a new environment, so that calls show their names and not the data.
session_scope <- function(values) {
  if (length(values)) list2env(values, parent = globalenv()) else globalenv()
}

session_call <- function(request) {
  values <- request$arguments
  labels <- as.character(names(values)) # none of no arguments
  if (is.null(request$name)) {
    fun <- values[[1L]]
    if (!is.function(fun)) stop("an object of class ", class(fun)[[1L]], " is no function", call. = FALSE)
    head <- quote(.function)
    values <- values[-1L]
    labels <- labels[-1L]
  } else {
    parts <- strsplit(request$name, "::", fixed = TRUE)[[1L]]
    if (length(parts) == 2L) {
      fun <- getExportedValue(parts[[1L]], parts[[2L]])
      head <- call("::", as.name(parts[[1L]]), as.name(parts[[2L]]))
    } else {
      fun <- get0(request$name, envir = globalenv(), mode = "function")
      if (is.null(fun)) stop(session_no_function(request$name), call. = FALSE)
      head <- as.name(request$name)
    }
  }
  labels <- session_dotted(labels, session_formals(fun, sub("^.*::", "", request$name), values))
  unnamed <- which(!nzchar(labels))
  variables <- make.unique(replace(labels, unnamed, paste0("x", unnamed)))
  scope <- list2env(c(stats::setNames(values, variables), list(.function = fun)), parent = globalenv())
  session_run(as.call(c(head, stats::setNames(lapply(variables, as.name), labels))), scope)
}

# A package that has a function of its own name is the one that is meant as a rule, as rpart.
session_no_function <- function(name) {
  home <- requireNamespace(name, quietly = TRUE) && name %in% getNamespaceExports(name)
  paste0("there is no function '", name, "' in this session; one of a package has the package before it, as in ",
    if (home) paste0(name, "::", name) else "MASS::lda")
}

# na_rm is na.rm where the function, or the method that the first argument leads to, has that argument.
session_formals <- function(fun, name, values) {
  classes <- if (length(name) && length(values)) c(.class2(values[[1L]]), "default") else character()
  home <- if (is.primitive(fun)) globalenv() else environment(fun)
  methods <- lapply(classes, function(class) utils::getS3method(name, class, optional = TRUE, envir = home))
  unlist(lapply(Filter(is.function, c(list(args(fun)), methods)), function(f) names(formals(f))))
}

session_dotted <- function(labels, known) {
  dotted <- gsub("_", ".", labels, fixed = TRUE)
  meant <- which(!labels %in% known & dotted %in% known)
  replace(labels, meant, dotted[meant])
}

session_actions <- list(
  eval = function(request) {
    session_run(parse(text = request$code, keep.source = FALSE, encoding = "UTF-8"), session_scope(request$arguments))
  },
  call = session_call,
  get = function(request) get(request$name, envir = globalenv()),
  assign = function(request) {
    assign(request$name, request$arguments[[1L]], envir = globalenv())
    NULL
  },
  identity = function(request) request$arguments[[1L]],
  print = function(request) utils::capture.output(print(request$arguments[[1L]]))
)
