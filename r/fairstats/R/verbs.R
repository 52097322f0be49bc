#' Print, summarize and tidy what fairstats returns
#'
#' Every result prints as text of at most 80 columns, and has `tidy()` and `glance()`; fits and partitions have `augment()`.
#' None of them needs Python, but for `augment()` of kernel fits and of maps that need the groups. `knitr::kable()` of an audit
#' shows a row a group, as `print()` answers: the rate and its difference from the reference group, within declared strata or
#' adjusted first, the errors with their verdict where there is one (of fewer than 30 people how many of how many; without
#' errors what scores say, and limits of the rates), the mean amount, with few digits,
#' attributes and groups by the names that `print()` has, verdicts in the words of [fair_table()], and where equivalence is
#' shown its own interval (`margin.low`, `margin.high`) and p-value (`p.equivalence`); of a comparison a row a method: how well
#' it predicts, and the gap that `print()` speaks of; of another result the columns that come first in `tidy()`, without those
#' that are `NA` in every row. `options(knitr.kable.NA = "")` leaves empty what a
#' reference group has no number of. `as.data.frame()` has the rows of all roles.
#'
#' @param x,object A fit, an audit, a comparison, or another result of this package.
#' @param conf.int Keep `conf.low`, `conf.high` and `conf.level`? An audit without intervals is half an audit: yes, unless
#'   you say no.
#' @param conf.level The level of the intervals, which is fixed when the result is made; any other is refused.
#' @param role Which rows: `"main"`, the main table, or all rows of a result that has none of these, as a fit; `"all"`; or
#'   some of `"headline"`, `"omnibus"` (all groups at once), `"sensitivity"` (the same by another test or count), `"power"`,
#'   `"bounds"`, `"supplementary"`, `"shrunken"`, `"component"`, `"price"` and `"guarantee"`.
#' @param matrix Of a linear fit, whose method has it second as \pkg{broom}'s has: `"rotation"` (or `"loadings"`, `"variables"`,
#'   `"v"`), for the loadings in the shape that \pkg{broom} has for [stats::prcomp()]: `column`, `PC` and `value`; or `"d"` (or
#'   `"eigenvalues"`, `"pcs"`), for the standard deviation of each score and its share of all variation.
#' @param exponentiate Nothing is on a log scale: `TRUE` is refused.
#' @param data,newdata The rows to add columns to, by either name: those of `newdata` where both are given. The features and
#'   groups of the fit are found by name.
#' @param adjusted Add the adjusted features, too?
#' @param groups,on_unknown As in [predict()][predict.fairstats_fit].
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return `tidy()`: a tibble, one row an estimate, of the main rows unless `role` asks for others, as Python's `tidy()` has all.
#'   First come the columns that tell the main rows apart (as `group`,
#'   `metric`, `contrast`), then `estimate`, `std.error`, `statistic`, `p.value`, `conf.low`, `conf.high`, `verdict` and `n`,
#'   then all others. Beside the limits stands the p-value that agrees with them, the other one after `n`: `adj.p.value` where
#'   the limits are adjusted for the other comparisons, as those of audits and in \pkg{broom}'s table of [stats::TukeyHSD()];
#'   `p.value` where each interval has its level by itself, as those of [fair_compare()] and [fair_leakage()].
#'   `verdict` is `"disparity shown"`, `"flagged"` (the same under a false discovery rate), `"equivalence shown"` (within the
#'   declared margin) or `"inconclusive"`, which is neither and which printed results and reports call "not settled", of a
#'   scan of subgroups "not flagged"; `NA` in rows that decide nothing. Where people of withheld cells decide a row,
#'   `bounds.low` and `bounds.high` stand in the place of its estimate ([fair_suppress_cells()]), if it is a rate, a
#'   difference or an impact ratio; other ratios have none.
#'   `events` are those of `n` whom a rate counts; fits have `sumsq` in its place, the sum of squares of a component, of what
#'   the groups explain of it, or of the extra error, as \pkg{broom} calls it.
#'   `term` says in one text what the row is about, unlike any other.
#'   `role`, `metric`, `estimator`, `attribute`, `group`, `contrast`, `reference`, `given` and `name` (a feature, a class, a
#'   stage, a period: Python's `term`; in comparisons also `fit`, `versus`, `model` and `k`) say the same apart, `NA` where there
#'   is nothing to say.
#'   `p.value` is from a test, or the error at which an interval just reaches equality: there 1e-12 (of [fair_leakage()]
#'   2e-10) stands for any smaller one.
#'   `n` are people, or with sampling weights their sums, beside which `n.unweighted` counts the rows of data; of
#'   [fair_compare_audits()] those of both groups, of a change in both audits;
#'   `method` and `df` say how limits and tests were made, `reason` why a row has none, or that its difference is
#'   tentative: shown for one error rate, not for all together, which `print()` marks by a dagger and `verdict` does not say.
#'   Columns that say nothing in any row, as `margin.low` without a margin, are left out; `estimate`, `std.error`, `p.value`,
#'   the limits and `verdict` stay, so that the tables of all results have them.
#'   Differences are the group less the reference, ratios the group over the reference. Gaps of amounts (`"gap of means"`,
#'   `"gap of medians"`) are the other way around, the reference less the group in per cent of the reference, as pay gaps
#'   of laws are; [fair_adjusted_gap()] is the group less the reference.
#'   `glance()`: a tibble of one row. That of an audit has how many rows of data (`nobs`), attributes, groups and `estimates` (of
#'   all roles) there are; the comparisons with each `verdict`, a rate and what is left of it to 100 % as one (TNR, FNR, FDR and
#'   FOR are not counted beside FPR, TPR, PPV and NPV); how many estimates are `ok` or why not; and how levels and p-values were
#'   set. `augment()`: the rows as a tibble, names of rows as `.rownames`, with the scores
#'   `.score_1`, `.score_2`, ... of fits that have components, as in Python ([predict()][predict.fairstats_fit] calls them `PC1`,
#'   as that of [stats::prcomp()] does, and \pkg{broom} `.fittedPC1`), and the features without the groups as `.adjusted_hp`, ...
#'   of fits that change data ([leace()], [residualize()]); of the first with `adjusted = TRUE`, see [fair_reconstruct()].
#' @family verbs
#' @name verbs
#' @examplesIf fairstats_available()
#' fit <- og(~ hp + wt + qsec, groups = "am", k = 2, data = mtcars)
#' tidy(fit)
#' glance(fit)
#' augment(fit, mtcars)
#' augment(leace(~ hp + wt, groups = "am", data = mtcars), mtcars)
NULL

#' @rdname verbs
#' @export
print.fairstats <- function(x, ...) {
  refuse_digits(...)
  cat(writable(printed(x)), "\n", sep = "")
  invisible(x)
}

# Numbers of a text have the digits that they carry; what print() cannot do is an error.
refuse_digits <- function(...) {
  unknown <- setdiff(names(list(...)), "")
  if (length(unknown)) {
    fail("print() of a result has no argument ", sQuote(unknown[[1L]], FALSE), ": its text is as it is; print(tidy(x)) has all ",
      "rows, and takes what tibbles take.")
  }
}

# What is printed of a result: of an audit its answer, whose summary is long; of what an older file holds its summary.
printed <- function(x) x$printed %||% x$summary

# In a page what a notebook of Python shows, in other documents of pandoc the same as Markdown; elsewhere, and of what a file
# without Python's side left, the text; within a line the answer.
#' @exportS3Method knitr::knit_print
knit_print.fairstats <- function(x, inline = FALSE, ...) {
  if (inline) {
    found <- .subset2(x, "finding")
    if (is.null(found)) fail("x is of class ", class(x)[[1L]], ", which has no sentence for a line; give a number of tidy(x).")
    return(writable(found))
  }
  here <- !is.null(attr(x, "python")) || !is.null(attr(x, "saved"))
  in_page <- in_html()
  if (!in_page && is.null(knitr::pandoc_to()) || inherits(x, "fairstats_estimates") || !here || !fairstats_available()) {
    return(knitr::normal_print(x, ...))
  }
  shown <- fs_call(if (in_page) "notebook" else "notebook_markdown", objects = list(result = python_object(x, "x")))
  as_block(if (in_page) paste0("```{=html}\n", shown, "\n```") else shown)
}

# Without the result in Python, of which str() would print all.
#' @importFrom utils str
#' @export
str.fairstats <- function(object, max.level = 1, ...) {
  attr(object, "python") <- attr(object, "saved") <- NULL
  cat("Class", paste(sQuote(class(object), FALSE), collapse = ", "), " ")
  utils::str(unclass(object), max.level = max.level, ...)
}

# Its first or last estimates, as of a data frame: the list that a result is would print its text several times over.
#' @importFrom utils head
#' @export
head.fairstats <- function(x, n = 6L, ...) {
  refuse_others(...)
  utils::head(tidy.fairstats(x), n)
}

#' @importFrom utils tail
#' @export
tail.fairstats <- function(x, n = 6L, ...) {
  refuse_others(...)
  utils::tail(tidy.fairstats(x), n)
}

#' @rdname verbs
#' @export
summary.fairstats <- function(object, conf.level = NULL, ...) {
  refuse_others(...)
  refuse_level(object$tidy, conf.level, "conf.level")
  result <- list(text = object$summary, coefficients = tidy.fairstats(object))
  # the same three rows as of prcomp(); shares are of the total variation of the features
  if (inherits(object, "fairstats_fit")) {
    # which fits that were saved before have among their rows only
    shares <- object$shares %||% object$tidy$estimate[object$tidy$metric == "variance share"]
    if (length(shares) == ncol(object$rotation)) {
      result$importance <- rbind(`Standard deviation` = object$sdev, `Proportion of Variance` = shares,
        `Cumulative Proportion` = cumsum(shares))
      colnames(result$importance) <- colnames(object$rotation)
    }
  }
  structure(result, class = "summary.fairstats")
}

#' @export
print.summary.fairstats <- function(x, ...) {
  refuse_digits(...)
  cat(writable(x$text), "\n", sep = "")
  invisible(x)
}

#' @export
format.summary.fairstats <- function(x, ...) writable(x$text)

#' @rdname verbs
#' @export
tidy.fairstats <- function(x, conf.int = TRUE, conf.level = NULL, exponentiate = FALSE, role = "main", matrix = NULL, ...) {
  others <- names(match.call(expand.dots = FALSE)$...)
  columns <- ifelse(others %in% names(x$tidy), others, sub("s$", "", others)) # metrics = c("TPR", "FPR")
  at <- which(columns %in% names(x$tidy))
  if (length(at)) {
    wanted <- list(...)[[at[[1L]]]]
    fail("tidy() has no argument ", sQuote(others[[at[[1L]]]], FALSE), "; rows are chosen by the column ", columns[[at[[1L]]]],
      ", as in subset(tidy(x), ", columns[[at[[1L]]]], if (length(wanted) == 1L) " == " else " %in% ", deparse1(wanted), ").")
  }
  refuse_others(...)
  if (!is.null(matrix)) {
    return(tidy_loadings(x, matrix))
  }
  yes_or_no(conf.int, "conf.int", "; rows are chosen by role = \"all\" and the like, and a level is conf.level")
  table <- rows_of(x, role)
  refuse_level(table, conf.level, "conf.level")
  if (yes_or_no(exponentiate, "exponentiate")) {
    fail("exponentiate = TRUE, and no estimate here is a logarithm: ratios are ratios already.")
  }
  if (!conf.int) table <- table[setdiff(names(table), c("conf.low", "conf.high", "conf.level"))]
  if (identical(role, "main") || identical(role, "all")) table <- with_ends(table, x)
  # broom's name: rows of fits have no events but sums of squares
  if (any(table[["role"]] %in% c("component", "price"))) names(table)[names(table) == "events"] <- "sumsq"
  tibble::as_tibble(table[in_order(setdiff(names(table), unused_columns(table)), x)])
}

# The second argument of broom's method for prcomp().
#' @rdname verbs
#' @export
tidy.fairstats_fit <- function(x, matrix = NULL, ...) tidy.fairstats(x, ..., matrix = matrix)

# Of rows that people of withheld cells decide, the ends of what these leave, before sampling error.
with_ends <- function(table, x) {
  of_change <- of_changes(table)
  bounded <- table$status %in% "bounded" & (of_change | is.na(table$given) | table$given %in% x$protocol$strata)
  ends <- if (any(bounded)) {
    x$tidy[if (of_change) x$tidy$estimator %in% "bounds of the change" else x$tidy$given %in% "withheld cells", ]
  }
  if (!length(ends) || !nrow(ends)) {
    return(table)
  }
  apart <- c("metric", "attribute", "group", "reference", if (!of_change) c("contrast", "name"))
  key <- function(rows) do.call(paste, c(unname(as.list(rows[apart])), sep = "\r"))
  at <- ifelse(bounded, match(key(table), key(ends)), NA)
  table[c("bounds.low", "bounds.high")] <- list(ends$conf.low[at], ends$conf.high[at])
  table
}

# Whether p-values were adjusted for the other comparisons, and limits with them, whose level then is above that of the result.
is_adjusted <- function(table, x) {
  any(table$adj.p.value > table$p.value * (1 + 1e-9), na.rm = TRUE) &&
    any(table$conf.level > x$glance$conf.level + 1e-9, na.rm = TRUE)
}

# The loadings of a linear fit, a row a feature and component, or the sizes of its scores, as broom has those of prcomp().
tidy_loadings <- function(x, matrix) {
  if (!inherits(x, "fairstats_fit")) {
    fail("matrix is given, and x is of class ", class(x)[[1L]], ", which has no loadings; leave matrix out.")
  }
  of_loadings <- c("rotation", "loadings", "variables", "v")
  of_sizes <- c("d", "eigenvalues", "pcs")
  available <- paste(c(of_loadings, of_sizes), collapse = ", ")
  if (!one_name(matrix, "matrix", paste("name of one of", available)) %in% c(of_loadings, of_sizes)) {
    fail("matrix = \"", matrix, "\" is none of ", available, "; scores are in augment(x, data).")
  }
  if (matrix %in% of_sizes) {
    sizes <- unname(summary(x)$importance)
    return(tibble::tibble(PC = seq_len(ncol(sizes)) + 0, std.dev = sizes[1L, ], percent = sizes[2L, ], cumulative = sizes[3L, ]))
  }
  rotation <- x$rotation
  tibble::tibble(column = rep(rownames(rotation) %||% seq_len(nrow(rotation)), each = ncol(rotation)),
    PC = rep(as.numeric(seq_len(ncol(rotation))), nrow(rotation)), value = as.vector(t(rotation)))
}

# The rows of a role, or of several; those that only support the main ones, as of power and of other tests, by their names alone.
rows_of <- function(x, role) {
  table <- x$tidy
  if (is.null(table)) fail("x is of class ", class(x)[[1L]], ", which has no table.")
  if (!is.character(role) || !length(role) || anyNA(role)) {
    fail("role is of class ", class(role)[[1L]], "; give \"main\", \"all\", or names of roles.")
  }
  if (identical(role, "main")) {
    return(main_rows(x))
  }
  if (identical(role, "all")) {
    return(table)
  }
  available <- unique(table$role)
  lost <- setdiff(role, available)
  if (length(lost)) {
    fail("role = ", encodeString(lost[[1L]], quote = "\""), ", of which x has no rows; it has ",
      if (length(available)) paste(available, collapse = ", ") else "none", ", and \"all\".", nearest(lost[[1L]], available))
  }
  table[table$role %in% role, ]
}

# As broom has them: what tells the main rows apart, their numbers, the verdict, so that a console of 80 columns shows these.
in_order <- function(columns, x) {
  first <- leading(columns, x)
  c(first, setdiff(columns, first))
}

leading <- function(columns, x) {
  if (!all(c("role", "verdict") %in% columns)) {
    return(columns)
  }
  rows <- main_rows(x)
  differs <- function(name) name == "metric" || length(unique(rows[[name]])) > 1L
  apart <- Filter(differs, intersect(c("fit", "model", "versus", "k", "given", "attribute", "group", "metric", "contrast",
    "name"), columns))
  # as in broom's table of TukeyHSD(): beside limits stands the p-value that agrees with them
  p <- if (is_adjusted(rows, x)) c("adj.p.value", "p.value") else c("p.value", "adj.p.value")
  numbers <- c("estimate", "bounds.low", "bounds.high", "std.error", "statistic", p[1L], "conf.low", "conf.high", "verdict",
    "direction", "n", p[2L])
  # what decides equivalence, where it is shown
  if (any(rows$verdict %in% "equivalence shown")) {
    numbers <- append(numbers, c("p.equivalence", "margin.low", "margin.high"), match("verdict", numbers) - 1L)
  }
  c(apart, intersect(unique(numbers), columns))
}

# Columns of the tidy row that say nothing of this result, as margins do where none was declared. Tables of another kind, as
# that of a tally, have none of these.
unused_columns <- function(table) {
  if (!nrow(table) || !all(c("role", "verdict") %in% names(table))) {
    return(character())
  }
  always <- c("term", "role", "metric", "estimate", "std.error", "conf.low", "conf.high", "conf.level", "p.value", "adj.p.value",
    "status", "verdict", "direction")
  setdiff(names(table)[vapply(table, function(column) all(is.na(column)), NA)], always)
}

#' @rdname verbs
#' @export
glance.fairstats <- function(x, ...) {
  refuse_others(...)
  if (is.null(x$glance)) fail("x is of class ", class(x)[[1L]], ", which has no glance; see tidy().")
  tibble::as_tibble(x$glance)
}

#' @rdname verbs
#' @export
augment.fairstats_fit <- function(x, data = NULL, newdata = NULL, adjusted = FALSE, groups = NULL, on_unknown = "raise", ...) {
  refuse_others(...)
  data <- augmentable(data, newdata)
  scores <- if (inherits(x, "fairstats_kernel")) stats::predict(x, data) else predict.fairstats_fit(x, data, groups, on_unknown)
  colnames(scores) <- paste0(".score_", seq_len(ncol(scores)))
  features <- if (yes_or_no(adjusted, "adjusted")) adjusted_columns(fair_reconstruct(x, data, groups, on_unknown))
  augmented(data, cbind(scores, features))
}

#' @rdname verbs
#' @export
augment.fairstats_kernel <- function(x, data = NULL, newdata = NULL, ...) {
  refuse_others(...)
  data <- augmentable(data, newdata)
  augment.fairstats_fit(x, data)
}

#' @rdname verbs
#' @export
augment.fairstats_eraser <- function(x, data = NULL, newdata = NULL, ...) {
  refuse_others(...)
  data <- augmentable(data, newdata)
  augmented(data, adjusted_columns(stats::predict(x, data)))
}

#' @rdname verbs
#' @export
augment.fairstats_group_map <- function(x, data = NULL, newdata = NULL, groups = NULL, on_unknown = "raise", ...) {
  refuse_others(...)
  data <- augmentable(data, newdata)
  augmented(data, adjusted_columns(stats::predict(x, data, groups = groups, on_unknown = on_unknown)))
}

#' @rdname verbs
#' @export
augment.fairstats_held_out <- function(x, data = NULL, newdata = NULL, ...) {
  refuse_others(...)
  data <- augmentable(data, newdata)
  if (nrow(data) != nrow(x$scores)) {
    fail("data has ", nrow(data), " rows and x the held-out scores of ", nrow(x$scores), "; give those of fair_crossfit().")
  }
  scores <- unname(x$scores)
  if (!all(startsWith(colnames(x$scores), "PC"))) return(augmented(data, adjusted_columns(x$scores)))
  colnames(scores) <- paste0(".score_", seq_len(ncol(scores)))
  augmented(data, scores)
}

# generics::augment() itself would name R's classes and no way out.
#' @export
augment.fairstats <- function(x, ...) {
  fail("x is of class ", class(x)[[1L]], ", which adds no column to rows; augment() takes fits and partitions, and tidy() ",
    "gives the table of x.")
}

augmentable <- function(data, newdata) {
  rows <- newdata %||% data # as broom has it: new rows go before those of the fit
  if (is.null(rows)) fail("data is missing; a fit keeps no rows of data, so give those to which columns are added.")
  if (length(dim(rows)) != 2L) fail("data is of class ", class(rows)[[1L]], "; give the data frame to which columns are added.")
  rows
}

adjusted_columns <- function(features) {
  # model.matrix() puts names with blanks into backticks, which are no part of them
  colnames(features) <- paste0(".adjusted_", gsub("`", "", colnames(features), fixed = TRUE))
  features
}

# As broom adds them: names of rows become a column, and what an earlier call added is replaced.
augmented <- function(data, added) {
  named <- is.character(if (is.data.frame(data)) attr(data, "row.names") else rownames(data))
  frame <- as.data.frame(data)
  names <- rownames(frame)
  frame[colnames(added)] <- as.data.frame(added)
  frame <- tibble::as_tibble(frame, rownames = NULL)
  if (named && !".rownames" %in% names(frame)) tibble::add_column(frame, .rownames = names, .before = 1L) else frame
}

#' @rdname verbs
#' @param row.names,optional,stringsAsFactors As in [base::as.data.frame()].
#' @export
as.data.frame.fairstats <- function(x, row.names = NULL, optional = FALSE, stringsAsFactors = FALSE, ...) {
  refuse_others(...)
  # knitr::kable() is no generic function; it asks for a data frame, and shows all that it is given
  in_page <- "knitr" %in% loadedNamespaces() && identical(topenv(parent.frame()), asNamespace("knitr"))
  rows <- if (!in_page) {
    tidy.fairstats(x, role = "all")
  } else if (inherits(x, "fairstats_audit")) {
    rows_in_short(x)
  } else if (inherits(x, "fairstats_comparison") && length(x$pair)) {
    methods_in_short(x)
  } else {
    leading_columns(x)
  }
  if (in_page) {
    for (name in grep("p[.](value|equivalence)$", names(rows), value = TRUE)) rows[[name]] <- p_written(rows[[name]])
    rows[] <- lapply(rows, function(column) if (is.character(column)) ifelse(is.na(column), "", column) else in_digits(column))
  }
  framed(rows, row.names, optional, stringsAsFactors)
}

# Numbers to three digits after the point, to the whole where all are large: all digits are in tidy().
in_digits <- function(column) {
  if (is.double(column)) round(column, if (all(abs(column) >= 100, na.rm = TRUE)) 0L else 3L) else column
}

# P-values as tables of the report have them.
p_written <- function(p) ifelse(is.na(p), NA, ifelse(p < 0.0005, "<0.001", sprintf("%.3f", p)))

# What comes first in tidy(), with the contrast and whom it is of where these are the same in every row, and one
# p-value where it agrees with the limits.
leading_columns <- function(x) {
  table <- tidy.fairstats(x)
  columns <- intersect(names(table), leading(names(table), x))
  if (all(c("metric", "contrast", "group") %in% names(table)) && !"contrast" %in% columns) {
    columns <- union(c(intersect("attribute", columns), "group"), columns)
    rows <- main_rows(x)
    if (of_changes(rows) || of_models(rows)) {
      columns <- append(columns, "reference", match("group", columns))
      table[c("group", "reference")] <- named_groups(rows, x)[c("group", "reference")]
      table$attribute <- named_attribute(table$attribute, x)
      if (of_models(rows)) table$group[is.na(table$group)] <- everybody
    }
    table$metric <- axes_of(rows)
  }
  one_p <- is_adjusted(main_rows(x), x) || identical(table[["p.value"]], table[["adj.p.value"]])
  if (one_p) columns <- setdiff(columns, "p.value")
  if ("verdict" %in% columns) table$verdict <- verdict_words(table, x)
  table <- table[columns]
  table[!vapply(table, function(column) all(is.na(column)), NA)]
}

# A row a method: how well it predicts, and the gap of the pair that print() speaks of, with the limits that it has there.
methods_in_short <- function(x) {
  rows <- x$tidy[is.na(x$tidy$versus), ]
  apart <- c("fit", "model", "k")
  key <- function(table) do.call(paste, c(unname(as.list(table[apart])), sep = "\r"))
  everybody <- rows[is.na(rows$group) & rows$contrast == "none", ]
  methods <- everybody[!duplicated(key(everybody)) & !is.na(everybody$model), apart]
  beside <- function(table) table[match(key(methods), key(table)), ]
  of_pair <- rows$attribute %in% x$pair[[1L]] & rows$group %in% x$pair[[2L]] & rows$reference %in% x$pair[[3L]]
  gaps <- rows[of_pair & (rows$contrast == "difference" & rows$metric %in% predicted_rates), ]
  if (!nrow(gaps)) gaps <- rows[of_pair & rows$metric == "P(X>Y)", ]
  picked <- "headline" %in% gaps$role
  gaps <- beside(gaps[gaps$role == if (picked) "headline" else "main", ])
  named <- paste0(stats::na.omit(gaps$metric)[[1L]], ", ", x$pair[[2L]], " vs ", x$pair[[3L]])
  parts <- c(
    lapply(stats::setNames(nm = intersect(c("AUC", "accuracy"), everybody$metric)),
      function(metric) beside(everybody[everybody$metric == metric, ])$estimate),
    stats::setNames(list(gaps$estimate, gaps$conf.low, gaps$conf.high), c(named, "conf.low", "conf.high")),
    if (picked) list(adj.p.value = gaps$adj.p.value) else list(p.value = gaps$p.value)
  )
  short <- data.frame(methods, parts, check.names = FALSE, row.names = NULL, stringsAsFactors = FALSE)
  if (length(unique(short$model)) == 1L) short$model <- NULL
  short[!vapply(short, function(column) all(is.na(column)), NA)]
}

# A row a group: what print() answers of it. Within declared strata comes first, with the verdict; beside a rate stand
# what scores say and the errors of decisions.
rows_in_short <- function(x) {
  rows <- with_ends(main_rows(x), x)
  rows <- rows[!is.na(rows$group), ]
  metric <- answering_metric(rows, x)
  rates <- rows[rows$metric == metric & rows$contrast == "none", ]
  apart <- c("attribute", "given", "name", "group")
  key <- function(table) do.call(paste, c(unname(as.list(table[apart])), sep = "\r"))
  of <- function(table) {
    table$given <- rep(rates$given[1L], nrow(table))
    table[match(key(rates), key(table)), ]
  }
  beside <- function(name) of(rows[rows$metric == name & rows$contrast == "none" & is.na(rows$given), ])$estimate
  crude <- of(rows[rows$metric == metric & rows$contrast == "difference" & is.na(rows$given), ])
  in_strata <- has_strata(x)
  inside <- function(metric) {
    within <- within_rows(x, metric, rows$attribute)
    if (nrow(within)) of(with_ends(within, x))
  }
  within <- inside(metric)
  ranks <- if (length(x$by_scores)) {
    of(rows[rows$metric == if (in_strata) "P(X>Y) within strata" else "P(X>Y)", ])
  }
  compared <- function(table, name) {
    table <- data.frame(reference = named_groups(table, x)$reference, difference = table$estimate,
      diff.bounds.low = ends(table, "low"), diff.bounds.high = ends(table, "high"), diff.low = table$conf.low,
      diff.high = table$conf.high, adj.p.value = table$adj.p.value, of_equivalence(table), verdict = verdict_words(table, x),
      stringsAsFactors = FALSE)
    stats::setNames(table, sub("difference", name, names(table), fixed = TRUE))
  }
  ends <- function(table, which) table[[paste0("bounds.", which)]] %||% NA_real_
  heading <- x$within$heading[1L]
  rate <- data.frame(rates$estimate, ends(rates, "low"), ends(rates, "high"), rates$conf.low, rates$conf.high)
  rate <- stats::setNames(rate, c(metric, "bounds.low", "bounds.high", "conf.low", "conf.high"))
  parts <- if (!is.null(ranks)) {
    list(compared(ranks, paste(c("P(X>Y)", if (in_strata) heading), collapse = " ")), rate[metric],
      stats::setNames(data.frame(crude$estimate), paste(c(if (in_strata) "crude", "difference"), collapse = " ")))
  } else if (any(!is.na(within$estimate) | within$status %in% "bounded")) {
    list(compared(within, heading), rate, data.frame(`crude difference` = crude$estimate, check.names = FALSE))
  } else {
    list(rate, compared(crude, "difference"))
  }
  # as print() has it: errors stand in the place of what else scores say and of the limits of rates, for which there is no room
  errors <- intersect(c("FNR", "FPR", "PPV"), setdiff(rows$metric, metric))
  of_scores <- isTRUE(nzchar(x$protocol$score)) && !length(errors)
  others <- c(if (of_scores) c(if (is.null(ranks) || in_strata) "P(X>Y)", "AUC"), errors)
  others <- intersect(others, setdiff(rows$metric, metric))
  called <- ifelse(others == "P(X>Y)" & in_strata, "crude P(X>Y)", others)
  written <- function(name) {
    about <- rows[rows$metric == name & is.na(rows$given), ]
    rate <- of(about[about$contrast == "none", ])
    gap <- of(about[about$contrast == "difference", ])
    few <- rate$n < 30 & abs(rate$events / rate$n - rate$estimate) < 1e-9 # as print() has it; not of sums of weights
    text <- ifelse(few, paste0(rate$events, "/", rate$n), sprintf("%.3f", rate$estimate))
    open <- is.na(gap$verdict) | gap$verdict == "inconclusive"
    verdict <- paste0(" (", sub(" \u2020", "", verdict_words(gap, x), fixed = TRUE), ")") # no dagger without a note below
    ifelse(is.na(rate$estimate), NA, paste0(text, ifelse(open, "", verdict)))
  }
  columns <- lapply(others, function(name) if (name %in% errors) written(name) else beside(name))
  further <- c(stats::setNames(columns, called), amounts_beside(x, rows, metric, of, inside))
  plainly <- list(check.names = FALSE, row.names = NULL, stringsAsFactors = FALSE)
  short <- do.call(data.frame, c(list(named_groups(rates, x)[apart], n = rates$n), parts, further, plainly))
  if (length(errors)) short[c("conf.low", "conf.high")] <- NULL
  # the row of a reference says so, where there is one
  at <- paste(rates$attribute, rates$group, sep = "\r") %in% paste(names(x$references), unlist(x$references), sep = "\r")
  if (all(rates$attribute %in% rates$attribute[at])) {
    short$verdict[at] <- "reference"
    short$reference <- NULL
  }
  short$attribute <- if (length(unique(short$attribute)) > 1L) named_attribute(short$attribute, x)
  short[!vapply(short, function(column) all(is.na(column)), NA)]
}

# The interval and the p-value that show equivalence, in the rows where they do.
of_equivalence <- function(table) {
  columns <- table[c("margin.low", "margin.high", "p.equivalence")]
  columns[!table$verdict %in% "equivalence shown", ] <- NA
  columns
}

# Verdicts in the words of fair_table(), which results of before do not know.
verdict_words <- function(table, x) {
  if (is.null(x$verdict_words)) table$verdict else x$verdict_words[match(table$term, x$tidy$term)]
}

# The means of amounts beside decisions or scores, each with its difference, within declared strata where these answer.
amounts_beside <- function(x, rows, metric, of, inside) {
  if (metric == "mean amount" || !"mean amount" %in% rows$metric) {
    return(NULL)
  }
  means <- rows[rows$metric == "mean amount" & is.na(rows$given), ]
  within <- inside("mean amount")
  gaps <- within %||% of(means[means$contrast == "difference", ])
  named <- paste("amount", if (is.null(within)) "difference" else x$within$heading[[1L]])
  columns <- c(list(of(means[means$contrast == "none", ])$estimate, gaps$estimate, gaps$conf.low, gaps$conf.high),
    of_equivalence(gaps), list(verdict_words(gaps, x)))
  stats::setNames(columns, c("mean amount", named, paste0("amount.", c("low", "high", "margin.low", "margin.high",
    "p.equivalence", "verdict"))))
}

# data.frame() asks every method of as.data.frame() about text.
framed <- function(rows, row.names, optional, stringsAsFactors) {
  rows <- as.data.frame(rows, row.names = row.names, optional = optional)
  if (stringsAsFactors) rows[] <- lapply(rows, function(column) if (is.character(column)) factor(column) else column)
  rows
}

#' Rates and scores by group, as a table
#'
#' The estimates of [tidy.fairstats()] laid out wide, a line for each group, to be printed or joined with other data.
#'
#' @param x What [fair_audit()] or [fair_compare()] returns.
#' @param attribute Which of the attributes; the first where `NULL`.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return A tibble with a line a group (of a comparison a line a method and group) and a column a metric, named as in
#'   `tidy(x)$metric`; `NA` where a group is suppressed, nobody is in a denominator, or the people of withheld cells decide:
#'   `tidy(x)` has the limits of such a rate, whose status is `"bounded"`. The column of the groups has the
#'   attribute's name, and the type that it has in the data frame that was audited: a factor stays one, days, instants and
#'   durations (`difftime`) do, too. Those without a group are `NA` there. Intersections, labeled values, integers of 64
#'   bits (\pkg{bit64}), groups of tallies, files and databases, and those of results that [fair_load()] read are text.
#' @seealso [tidy.fairstats()] for intervals, tests and comparisons.
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' fair_by_group(fair_audit(mtcars, decision = "vs", groups = "am"))
fair_by_group <- function(x, attribute = NULL, ...) {
  refuse_others(...)
  if (!inherits(x, c("fairstats_audit", "fairstats_comparison"))) {
    fail("x is of class ", class(x)[[1L]], "; give what fair_audit() or fair_compare() returns.")
  }
  available <- names(x$by_group)
  attribute <- one_name(attribute, "attribute", "name of one attribute") %||% available[[1L]]
  if (!attribute %in% available) {
    fail("attribute = \"", attribute, "\", which x does not have; its attributes are ", paste(available, collapse = ", "), ".",
      nearest(attribute, available))
  }
  table <- tibble::as_tibble(x$by_group[[attribute]], .name_repair = "minimal")
  values <- x$group_values[[attribute]]
  labels <- table[[attribute]]
  # what no value of the column is called stays text, but for those without a group, who are NA there
  known <- labels %in% label_text(values) | labels == "(missing)"
  if (!is.null(values) && all(known)) table[[attribute]] <- values[match(labels, label_text(values))]
  table
}
