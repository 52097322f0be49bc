# From what an R user has (a formula, a data frame, a matrix; names, factors, a formula of groups) to what a fit takes.

# Features as a matrix with names, and what is needed to make the same columns of new data.
features_of <- function(x, data, groups) {
  refuse_no_rows(data)
  if (inherits(x, "formula")) {
    return(formula_features(x, data, groups))
  }
  if (is.data.frame(x)) {
    keep <- if (names_columns(groups, x)) names(x)[!names(x) %in% group_names(groups, names(x))] else names(x)
    return(list(x = plain_columns(as.data.frame(x)[pick(keep, x, "x")]), columns = keep))
  }
  if (is.character(x) && !is.null(data)) {
    return(list(x = plain_columns(as.data.frame(data)[pick(x, data, "x")]), columns = x))
  }
  given <- class(x)[[1L]]
  x <- plain_matrix(x)
  if (is.null(x)) fail("x is of class ", given, "; give a formula with data, a data frame, a numeric matrix or a Matrix.")
  list(x = x, columns = colnames(x))
}

formula_features <- function(formula, data, groups) {
  if (is.null(data)) fail("x is a formula; give the data frame it speaks of as data.")
  if (length(formula) == 3L) {
    fail("x = ", deparse1(formula), " has a left-hand side; give the features alone: ",
      deparse1(formula[-2L]), ".")
  }
  data <- table_of(data)
  pick(intersect(all.vars(formula), names(data)), data, "x")
  data <- plain_columns(data, used = if ("." %in% all.vars(formula)) {
    c(setdiff(names(data), group_names(groups, names(data))), all.vars(formula))
  } else {
    all.vars(formula)
  })
  computed <- function(part) {
    tryCatch(part, error = function(problem) {
      fail("x = ", deparse1(formula), " cannot be computed: ", conditionMessage(problem), "; the columns of data are ",
        columns_of(data), ".")
    })
  }
  # A dot means all columns but the groups, as it means all but the outcome in a model.
  dotted <- "." %in% all.vars(formula) && names_columns(groups, data)
  terms <- computed(stats::terms(if (dotted) without_dot(formula, data, groups) else formula, data = data))
  if (!is.null(attr(terms, "offset"))) {
    fail("x = ", deparse1(formula), " has an offset(), which is no feature; subtract it from the data, or leave it out.")
  }
  # as of lm(), levels without rows make no features, and formula() has what a dot stood for
  frame <- computed(stats::model.frame(terms, data, na.action = stats::na.pass, drop.unused.levels = TRUE))
  result <- attr(frame, "terms")
  # Without factors the intercept changes no other column, and is not made to be taken out again.
  if (!any(attr(result, "dataClasses") %in% c("factor", "ordered", "character", "logical"))) attr(result, "intercept") <- 0L
  few <- if (nrow(frame) > many_rows) 1:2 else seq_len(nrow(frame))
  texts <- vapply(frame, is.character, NA)
  if (length(few) < nrow(frame)) frame[texts] <- lapply(frame[texts], factor) # as model.matrix() would, of all rows
  matrix <- computed(stats::model.matrix(result, if (length(few) < nrow(frame)) part_of(frame, few) else frame))
  recipe <- list(
    formula = if ("." %in% all.vars(formula)) stats::formula(terms) else formula,
    terms = stats::delete.response(attr(frame, "terms")), xlevels = stats::.getXlevels(terms, frame),
    contrasts = attr(matrix, "contrasts"), columns = intersect(all.vars(formula), names(data))
  )
  matrix <- without_intercept(matrix)
  if (length(few) == nrow(frame)) {
    return(list(x = matrix, recipe = recipe))
  }
  rows <- structure(list(
    dim = c(nrow(frame), ncol(matrix)), columns = colnames(matrix), names = if (.row_names_info(data) > 0L) row.names(data),
    make = function(rows) without_intercept(computed(stats::model.matrix(result, part_of(frame, rows))))
  ), class = "fairstats_rows")
  list(x = rows, recipe = recipe)
}

# The formula with its dot written out, and without the terms that it takes away.
without_dot <- function(formula, data, groups) {
  meant <- setdiff(names(data), group_names(groups, names(data)))
  if (!length(meant)) fail("x = ", deparse1(formula), " has a dot, and data has no columns but the groups; name features.")
  sum <- Reduce(function(left, right) call("+", left, right), lapply(meant, as.name))
  formula[[2L]] <- eval(call("substitute", formula[[2L]], list(. = sum)))
  stats::formula(stats::terms(formula, simplify = TRUE))
}

# Beyond so many rows a formula's matrix is made part by part, wherever it is needed.
many_rows <- 2e5

# Rows of a model frame; `[` of a data frame of very many rows would make names for them.
part_of <- function(frame, rows) {
  chosen <- lapply(frame, function(x) if (is.matrix(x)) x[rows, , drop = FALSE] else x[rows])
  structure(chosen, names = names(frame), row.names = .set_row_names(length(rows)), class = "data.frame",
    terms = attr(frame, "terms"))
}

# Such a matrix as a whole, for those who want one.
whole_matrix <- function(x) {
  if (!inherits(x, "fairstats_rows")) {
    return(x)
  }
  x$make(seq_len(x$dim[[1L]]))
}

without_intercept <- function(matrix) {
  if ("(Intercept)" %in% colnames(matrix)) matrix <- matrix[, colnames(matrix) != "(Intercept)", drop = FALSE]
  if (!is.null(attr(matrix, "assign"))) attr(matrix, "assign") <- NULL
  if (!is.null(attr(matrix, "contrasts"))) attr(matrix, "contrasts") <- NULL
  matrix
}

as_rows <- function(newdata) if (is.list(newdata) && !is.object(newdata)) as.data.frame(newdata) else newdata

# The same features of new rows, as a numeric matrix (or a dgCMatrix) whose columns are those of the fit.
new_features <- function(fit, newdata) {
  wanted <- rownames(fit$rotation) %||% names(fit$center)
  if (!is.null(fit$recipe) || !is.null(fit$formula)) {
    return(formula_matrix(fit, newdata)[, wanted, drop = FALSE])
  }
  if (is.data.frame(newdata)) {
    newdata <- plain_columns(newdata, used = wanted)
    pick(intersect(wanted, names(newdata)), newdata, "newdata")
    lost <- setdiff(wanted, names(newdata))
    if (length(lost)) {
      fail("newdata lacks the columns ", paste(utils::head(lost, 5L), collapse = ", "), " that the fit used.")
    }
    text <- !vapply(newdata[wanted], function(column) is.numeric(column) || is.logical(column), NA)
    if (any(text)) {
      fail("newdata has text in ", paste(sQuote(utils::head(wanted[text], 5L), FALSE), collapse = ", "),
        ", and the fit had numbers there; give numbers.")
    }
    return(numeric_matrix(newdata[wanted]))
  }
  given <- class(newdata)[[1L]]
  newdata <- plain_matrix(newdata)
  if (is.null(newdata) || is.character(newdata)) {
    fail("newdata is of class ", given, "; give a data frame or a numeric matrix with the features of the fit.")
  }
  if (ncol(newdata) != length(wanted)) {
    fail("newdata has ", ncol(newdata), " columns and the fit ", length(wanted), "; give the same features.")
  }
  if (is.null(colnames(newdata))) {
    return(newdata)
  }
  if (all(wanted %in% colnames(newdata))) {
    return(newdata[, wanted, drop = FALSE])
  }
  tell("newdata has the columns ", paste(utils::head(colnames(newdata), 5L), collapse = ", "), " and the fit ",
    paste(utils::head(wanted, 5L), collapse = ", "), "; they are taken by position.")
  newdata
}

# Terms such as poly() whose columns of new rows depend on the rows that the fit had.
learns_from_rows <- function(fit) {
  terms <- if (is.list(fit)) fit$recipe$terms
  !is.null(terms) && !identical(attr(terms, "predvars"), attr(terms, "variables"))
}

# `learned_from`: the rows that such terms are made from, in place of those of the fit.
formula_matrix <- function(fit, newdata, learned_from = NULL) {
  if (!is.data.frame(newdata)) {
    fail("newdata is of class ", class(newdata)[[1L]], "; the fit was given a formula, so give a data frame.")
  }
  result <- fit$recipe
  lost <- setdiff(intersect(all.vars(result$terms), result$columns), names(newdata))
  if (length(lost)) fail("newdata lacks the columns ", paste(lost, collapse = ", "), " that the fit used.")
  if (!nrow(newdata)) { # of which splines make an error
    wanted <- rownames(fit$rotation) %||% names(fit$center)
    return(matrix(0, 0L, length(wanted), dimnames = list(NULL, wanted)))
  }
  made_by_python <- is.null(result) # its formula as text, the levels beside it
  if (made_by_python) {
    terms <- stats::terms(stats::as.formula(fit$formula$text, env = baseenv()))
    result <- list(terms = terms, xlevels = fit$formula$levels)
  }
  newdata <- plain_columns(newdata, used = all.vars(result$terms))
  if (made_by_python) newdata[names(result$xlevels)] <- Map(factor, newdata[names(result$xlevels)], result$xlevels)
  newdata <- typed_absences(newdata, result)
  lost <- Filter(function(name) !exists(name, environment(result$terms), mode = "function"), functions_of(result$terms))
  if (length(lost)) {
    fail("newdata does not give the features of the fit, whose formula calls ", lost[[1L]], "(); attach the package that has ",
      lost[[1L]], "().")
  }
  tryCatch({
    if (!is.null(learned_from)) {
      attr(result$terms, "predvars") <- NULL
      part <- newdata[learned_from, , drop = FALSE]
      result$terms <- stats::terms(stats::model.frame(result$terms, part, xlev = result$xlevels, na.action = stats::na.pass))
    }
    frame <- stats::model.frame(result$terms, newdata, xlev = result$xlevels, na.action = stats::na.pass)
    classes <- attr(result$terms, "dataClasses")
    numbers <- intersect(names(classes)[classes == "numeric"], names(frame))
    others <- numbers[!vapply(frame[numbers], function(x) is.numeric(x) || is.logical(x), NA)]
    if (length(others)) {
      stop(paste(others, collapse = ", "), " was a number in the fit, and here it is ", class(frame[[others[[1L]]]])[[1L]])
    }
    without_intercept(stats::model.matrix(result$terms, frame, contrasts.arg = result$contrasts))
  }, error = function(problem) {
    fail("newdata does not give the features of the fit: ", conditionMessage(problem), "; give rows with the levels and ",
      "kinds of columns that the fit has seen.")
  })
}

# The functions that a formula calls by their names alone, without those of a named package.
functions_of <- function(part) {
  if (rlang::is_missing(part) || !is.call(part) || rlang::is_call(part, c("::", ":::"))) {
    return(character())
  }
  c(if (is.symbol(part[[1L]])) as.character(part[[1L]]), unlist(lapply(as.list(part), functions_of)))
}

# A column that is NA throughout is logical, whatever it was when the fit was made.
typed_absences <- function(newdata, result) {
  classes <- attr(result$terms, "dataClasses")
  for (name in intersect(all.vars(result$terms), names(newdata))) {
    if (!is.logical(newdata[[name]]) || !all(is.na(newdata[[name]])) || identical(classes[[name]] %||% "", "logical")) next
    levels <- result$xlevels[[name]]
    newdata[[name]] <- if (is.null(levels)) as.numeric(newdata[[name]]) else factor(newdata[[name]], levels)
  }
  newdata
}

numeric_matrix <- function(x) if (is.data.frame(x)) as.matrix(as.data.frame(x)) else x

# The attributes that a formula of groups asks for, by name: ~ sex:race is "sex:race". Anything else stays as it is.
attributes_of <- function(groups, argument = "groups") {
  single <- function(part) is.character(part) && length(part) == 1L
  if (is.list(groups) && !is.data.frame(groups) && length(groups) && all(vapply(groups, single, NA))) groups <- unlist(groups)
  if (!inherits(groups, "formula")) {
    return(groups)
  }
  choices <- paste(argument, "=", deparse1(groups))
  if (length(groups) != 2L) {
    fail(choices, " has a left-hand side; write ", deparse1(groups[-2L]), " or give names.")
  }
  if ("." %in% all.vars(groups)) fail(choices, " has a dot; name the columns.")
  terms <- stats::terms(groups)
  variables <- as.list(attr(terms, "variables"))[-1L]
  calls <- Filter(is.call, variables)
  if (length(calls)) {
    fail(choices, " has ", deparse1(calls[[1L]]), ", and columns are taken as they are; make it a column of data first.")
  }
  names <- vapply(variables, as.character, "")
  if (!length(names)) fail(choices, " names no column; write, say, ~ sex.")
  # not the labels of the terms: these keep the backticks of names that need them
  apply(attr(terms, "factors") > 0L, 2L, function(used) paste(names[used], collapse = ":")) |> unname()
}

# Names of the columns behind attributes; "sex:race" is two of them, unless a column has that very name.
group_names <- function(groups, columns = character(), argument = "groups") {
  groups <- attributes_of(groups, argument)
  if (!is.character(groups)) {
    return(character())
  }
  parts <- function(name) if (name %in% columns) name else strsplit(name, ":", fixed = TRUE)[[1L]]
  unique(as.character(unlist(lapply(unique(groups), parts))))
}

# Text that is no labels but names of columns: as many labels as rows are labels, unless all are names, each said once, as
# with one row.
names_columns <- function(groups, data) {
  groups <- attributes_of(groups)
  is.character(groups) && length(groups) > 0L && !is.null(nrow(data)) &&
    (length(groups) != nrow(data) || !anyDuplicated(groups) && all(group_names(groups, names(data)) %in% names(data)))
}

# What came to the place of data without a name is another argument, as a rule.
refuse_no_rows <- function(data) {
  if (is.null(data) || length(dim(data)) == 2L) return(invisible())
  fail("data is of class ", class(data)[[1L]], "; give the data frame whose columns are named, or NULL; where another argument ",
    "was meant, give it by its name.")
}

# Groups as names and a data frame that has them, with labels as R writes them.
groups_of <- function(groups, data) {
  refuse_no_rows(data)
  groups <- attributes_of(groups)
  if (is.null(groups)) {
    return(NULL)
  }
  # a list of columns by their names is a table
  if (is.list(groups) && !is.object(groups) && !is.null(names(groups)) && length(unique(lengths(groups))) == 1L) {
    groups <- as.data.frame(groups, stringsAsFactors = FALSE, optional = TRUE)
  }
  groups <- plain_column(groups, TRUE)
  if (names_columns(groups, data)) {
    groups <- plain_names(groups, "groups")
    if (length(groups) > 1L && !any(group_names(groups, names(data)) %in% names(data))) {
      fail("groups has ", length(groups), " entries, of which none is a column of data, and there are ", nrow(data),
        " rows; give one label a row, or names of columns.")
    }
    frame <- as.data.frame(data)[pick(group_names(groups, names(data)), data, "groups")]
  } else {
    frame <- tryCatch(
      if (is.data.frame(groups)) as.data.frame(groups) else data.frame(group = groups, stringsAsFactors = FALSE),
      error = function(problem) {
        fail("groups is of class ", class(groups)[[1L]], "; give names of columns of data, or one label a row.")
      }
    )
    pick(names(frame), frame, "groups")
    groups <- names(frame)
  }
  # Rows are paired by their order, as R pairs them; by their names, Python would refuse those of another subset.
  rownames(frame) <- NULL
  list(names = groups, data = labeled(plain_columns(frame, names(frame))))
}

# Columns whose labels Python would write otherwise (TRUE, days, instants) as factors of R's text.
labeled <- function(frame) {
  current <- vapply(frame, function(x) is.logical(x) || inherits(x, c("Date", "POSIXct")), NA)
  frame[current] <- lapply(frame[current], function(x) {
    values <- sort(unique(x)) # text is made of the distinct values alone, not of ten million rows
    # the bare numbers: match() would write dates as text
    factor_of(as.vector(unclass(x)), as.vector(unclass(values)), label_text(values))
  })
  frame
}

# Columns by their names, each of which there must be once: R itself takes the first of several.
pick <- function(wanted, data, argument) {
  if (anyNA(wanted)) fail(argument, " names NA; give names of columns.")
  twice <- intersect(wanted, names(data)[duplicated(names(data))])
  if (length(twice)) {
    fail(argument, " needs ", paste(sQuote(utils::head(twice, 5L), FALSE), collapse = ", "),
      ", and there are several columns of that name; rename all but one of each.")
  }
  if (anyDuplicated(wanted)) {
    fail(argument, " names ", sQuote(wanted[duplicated(wanted)][[1L]], FALSE), " more than once; name each column once.")
  }
  lost <- setdiff(wanted, names(data))
  if (length(lost)) {
    if (is.matrix(data)) {
      fail(argument, " names ", sQuote(lost[[1L]], FALSE), ", and data is a matrix; give a data frame, whose columns have types ",
        "of their own.")
    }
    refuse_quoted(lost, names(data))
    fail(argument, " names ", paste(sQuote(utils::head(lost, 5L), FALSE), collapse = ", "),
      ", which data does not have; its columns are ", columns_of(data), ".", nearest(lost[[1L]], names(data)))
  }
  wanted
}

columns_of <- function(data) {
  paste0(paste(utils::head(names(data), 12L), collapse = ", "), if (length(data) > 12L) " ...")
}

# A question after an error: the name that was meant, where one is near.
nearest <- function(name, available) {
  # the beginning of a name, as R completes it
  begun <- available[startsWith(tolower(available), tolower(name))]
  if (length(begun) && nchar(name) > 2L) return(paste0(" Did you mean ", sQuote(begun[which.min(nchar(begun))], FALSE), "?"))
  away <- drop(utils::adist(name, available, ignore.case = TRUE))
  best <- which.min(away)
  # short names that do not begin alike are near many others
  far <- nchar(name) > 6L || length(best) && tolower(substr(name, 1L, 1L)) == tolower(substr(available[[best]], 1L, 1L))
  # any letter is one away from any other
  if (length(best) && nchar(name) > 1L && away[[best]] <= max(1, nchar(name) / if (far) 2 else 3)) {
    paste0(" Did you mean ", sQuote(available[[best]], FALSE), "?")
  }
}

refuse_lazy <- function(data) {
  if (is_lazy(data)) fail("data is a table of a database, and this needs its rows; give dplyr::collect(data), a data frame.")
}

# The data of a call as a data frame, whatever kind of table they are.
table_of <- function(data) {
  refuse_grouped(data, "data")
  if (is.data.frame(data)) {
    return(as.data.frame(data))
  }
  if (is.matrix(data) && !is.table(data) && !is.null(colnames(data))) {
    return(as.data.frame(data, stringsAsFactors = FALSE))
  }
  if (is_design(data)) {
    fail("data is a design of survey, and fair_audit() alone takes one; give its data frame (design$variables) to leave out how ",
      "people were drawn.")
  }
  refuse_lazy(data)
  if (inherits(data, "DBIConnection")) {
    fail("data is a connection to a database; give one of its tables: dplyr::tbl(connection, \"table\"), which the database ",
      "counts for fair_audit() and fair_tally(), or DBI::dbReadTable(connection, \"table\"), a data frame.")
  }
  fail("data is of class ", class(data)[[1L]], if (is.character(data) && length(data) == 1L) " (a path?)",
    "; give a data frame, one row a person",
    if (is.table(data)) "; fair_audit(), fair_tally() and fair_subgroup_scan() take a table of counts as it is",
    if (is.character(data)) ", as read.csv() and the like return", ".")
}

# Counts that table() or xtabs() made, as rows with how many people each stands for.
rows_of_table <- function(counts) {
  if (inherits(counts, "svytable")) {
    fail("data is of class svytable, sums of sampling weights without how people were drawn; give the design of survey.")
  }
  wrong <- counts[is.na(counts) | counts < 0 | counts != round(counts)]
  if (length(wrong)) {
    fail("data is a table with the entry ", format(wrong[[1L]]), ", which is no count of people; give the counts, as table() ",
      "makes them.")
  }
  free <- make.unique(c(names(dimnames(counts)), "Freq"))
  as.data.frame(counts, responseName = free[[length(free)]], stringsAsFactors = TRUE)
}

# A table of counts among the first two arguments of the function that calls this, as rows and weights: whether there was one.
take_table <- function() {
  frame <- parent.frame()
  found <- Filter(function(name) is.table(get(name, frame)), c("data", "decision")) # after a formula the data come second
  for (name in found) {
    rows <- rows_of_table(get(name, frame))
    assign(name, rows, frame)
    assign("weights", get("weights", frame) %||% names(rows)[[length(rows)]], frame)
  }
  length(found) > 0L
}

# How the table's columns are named in a call, with the decision that was named; else rows are groups, and columns what was
# decided, more often than not.
way_of_table <- function(rows, decision) {
  columns <- names(rows)[seq_len(ncol(rows) - 1L)]
  if (is.null(decision) && length(columns) > 1L) decision <- columns[[2L]]
  others <- setdiff(columns, decision)
  paste0("; data is a table of counts by ", paste(columns, collapse = ", "),
    if (length(others)) paste0(": fair_audit(data, decision = \"", decision, "\", groups = \"", others[[1L]], "\")"))
}

# group_by() asks for one result a group, which these functions do not give.
refuse_grouped <- function(data, argument, by = setdiff(names(attr(data, "groups")), ".rows")) {
  if (inherits(data, "rowwise_df")) {
    fail(argument, " is rowwise, which asks for one result a row, and one result is of all rows; give dplyr::ungroup(",
      argument, ").")
  }
  if ((inherits(data, "grouped_df") || is_lazy(data)) && length(by)) {
    fail(argument, " is grouped by ", paste(by, collapse = ", "), ", and one result is of all rows; give dplyr::ungroup(",
      argument, ") with the columns whose groups are compared, as groups = ", deparse1(by), ", or make a result of each part ",
      "with dplyr::group_map().")
  }
}

# A column by its name, or the values themselves.
values_of <- function(x, data, argument) {
  x <- column_of(x)
  plain_column(if (is.character(x) && length(x) == 1L && !is.null(data)) data[[pick(x, data, argument)]] else x)
}

`%||%` <- function(x, y) if (is.null(x)) y else x
