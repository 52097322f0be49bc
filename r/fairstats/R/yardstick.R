# Metrics in yardstick's shape: a function of a column gives a function of data, truth and estimate.

#' Fairness metrics in the shape of yardstick
#'
#' Each takes the column of the groups and returns a metric: a function of `data`, `truth` and `estimate`, of the classes
#' that `yardstick::metric_set()` takes, whose estimates are those of `demographic_parity()`, `equal_opportunity()` and
#' `equalized_odds()` of \pkg{yardstick} for two classes, with simultaneous confidence limits beside them.
#'
#' * `fair_demographic_parity()`: the range over the groups of the share predicted to be the event;
#' * `fair_equal_opportunity()`: the range of the sensitivity;
#' * `fair_equalized_odds()`: the larger of the ranges of sensitivity and specificity.
#'
#' Of scores and probabilities [fair_audit()] has AUC, calibration and Brier score by group: give it `score` and `outcome`.
#'
#' 0 is parity. The limits of all pairs of groups hold together; the largest gap has the largest of them. They are
#' Miettinen-Nurminen intervals at a critical value of permuted groups (seed 0), since no formula has that of a maximum; of
#' two groups they may therefore differ by a little from those of [fair_audit()], whose critical value is the normal
#' distribution's. With weights that are no counts they are of effective sizes and t distributions, and hold together by
#' Bonferroni's correction. \pkg{yardstick} need not be there.
#'
#' @param by The column of the groups, not quoted; one alone. For the groups of several make it first:
#'   `mutate(data, both = interaction(sex, race))`.
#' @param conf_level Confidence level of the limits.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return A function of class `class_metric` with the arguments `data`, `truth` and `estimate` (columns, not quoted: factors
#'   of the same two levels), `estimator` (`"binary"` or `NULL`), `na_rm` (leave out rows without one of the two?),
#'   `case_weights` (a column; [recipes::frequency_weights()] count people, any other are inverse sampling probabilities)
#'   and `event_level` (`"first"` or `"second"` of the levels; `options(yardstick.event_first)` is not heeded). It returns a
#'   tibble with a line for each group of a grouped data frame, and the columns `.metric`, `.by`, `.estimator`, `.estimate`,
#'   `.lower` and `.upper`; these are `NA` where fewer than two groups have the rate. People without a group are a group. A group
#'   without anybody whom a rate is of, as the sensitivity of a group without events, is left out of its range, and a warning
#'   names it; of \pkg{yardstick} the range is then `NA`.
#' @references Hardt, Price and Srebro (2016). Equality of opportunity in supervised learning. Advances in Neural
#'   Information Processing Systems 29. \doi{10.48550/arXiv.1610.02413}
#' @seealso [fair_audit()] for every rate, with tests and a report.
#' @name parity
#' @examplesIf fairstats_available()
#' cars <- transform(mtcars,
#'   truth = factor(vs, 1:0), estimate = factor(as.integer(qsec > 18), 1:0), gears = factor(am)
#' )
#' by_gears <- fair_equalized_odds(gears)
#' by_gears(cars, truth, estimate)
#' fair_demographic_parity(gears)(cars, truth, estimate)
#' fair_equal_opportunity(gears)(cars, truth, estimate)
#'
#' # beside metrics of yardstick
#' if (requireNamespace("yardstick", quietly = TRUE)) {
#'   both <- yardstick::metric_set(yardstick::accuracy, by_gears)
#'   both(cars, truth = truth, estimate = estimate)
#' }
NULL

#' @rdname parity
#' @export
fair_demographic_parity <- function(by, conf_level = 0.95, ...) {
  by <- rlang::enquo(by)
  refuse_for_metric("demographic_parity", rlang::quo_get_expr(by), rlang::enquo(conf_level), names(rlang::enquos(...)))
  refuse_others(...)
  parity_metric("demographic_parity", by, conf_level)
}

#' @rdname parity
#' @export
fair_equal_opportunity <- function(by, conf_level = 0.95, ...) {
  by <- rlang::enquo(by)
  refuse_for_metric("equal_opportunity", rlang::quo_get_expr(by), rlang::enquo(conf_level), names(rlang::enquos(...)))
  refuse_others(...)
  parity_metric("equal_opportunity", by, conf_level)
}

#' @rdname parity
#' @export
fair_equalized_odds <- function(by, conf_level = 0.95, ...) {
  by <- rlang::enquo(by)
  refuse_for_metric("equalized_odds", rlang::quo_get_expr(by), rlang::enquo(conf_level), names(rlang::enquos(...)))
  refuse_others(...)
  parity_metric("equalized_odds", by, conf_level)
}

# What the metric takes, and two columns, which would be one and a level.
refuse_for_metric <- function(name, group, level, others) {
  if (any(others %in% c("", "data", "truth", "estimate", "estimator", "na_rm", "case_weights", "event_level"))) {
    fail("fair_", name, "() takes the column of the groups and returns the metric, which takes the rest: fair_", name,
      "(sex)(data, truth, estimate).")
  }
  second <- rlang::quo_get_expr(level)
  tables <- Filter(function(of) is.symbol(of[[1L]]) && nzchar(of[[1L]]) && is.data.frame(get0(as.character(of[[1L]]), of[[2L]])),
    list(list(group, parent.frame(2L)), list(second, rlang::quo_get_env(level))))
  if (length(tables)) {
    fail(as.character(tables[[1L]][[1L]]), " is a table; fair_", name, "() takes the column of the groups and returns the ",
      "metric, which takes the rest: fair_", name, "(sex)(data, truth, estimate).")
  }
  if (!is.symbol(second) || exists(as.character(second), envir = rlang::quo_get_env(level))) return(invisible())
  fail("conf_level = ", as.character(second), " names no object; the groups are those of one column: for the groups of several, ",
    "make it first, as in dplyr::mutate(data, both = interaction(", deparse1(group), ", ", as.character(second), ")).")
}

parity_metric <- function(name, by, conf_level) {
  if (rlang::quo_is_missing(by)) fail("by is missing; name the column of the groups, as in fair_", name, "(sex).")
  outside <- rlang::quo_get_env(by)
  by <- selected_by_value(by) %||% rlang::quo_get_expr(by)
  while (rlang::is_call(by, "(")) by <- by[[2L]]
  if (is.call(by) && length(all.vars(by))) {
    if (rlang::is_call(by, "c")) by[[1L]] <- quote(interaction)
    fail("by is no name of a column; make the column of the groups first, as in dplyr::mutate(data, both = ", deparse1(by),
      "), and name it: fair_", name, "(both).")
  }
  if (!is.symbol(by) && !rlang::is_string(by)) {
    fail("by = ", deparse1(by), " is no name of a column; name the column of the groups, as in fair_", name, "(sex).")
  }
  if (!is.numeric(conf_level) || length(conf_level) != 1L || !isTRUE(conf_level > 0 && conf_level < 1)) {
    given <- if (is.atomic(conf_level) && length(conf_level) == 1L) deparse1(conf_level) else class(conf_level)[[1L]]
    fail("conf_level = ", given, " is no number above 0 and below 1; give 0.95 for an interval of 95%.")
  }
  if (conf_level <= 0.2) {
    fail("conf_level = ", deparse1(conf_level), " is an interval that misses ", format(100 * (1 - conf_level)),
      " times in 100; if it is an error rate, give its complement, ", format(1 - conf_level), ".")
  }
  by <- as.character(by)
  metric <- function(data, truth, estimate, estimator = NULL, na_rm = TRUE, case_weights = NULL, event_level = "first", ...) {
    if (...length()) refuse_of_metric(names(rlang::enquos(...))[[1L]], setdiff(names(formals(sys.function())), "..."))
    if (!is.null(estimator) && !identical(estimator, "binary")) {
      fail("estimator = ", deparse1(estimator), " is not \"binary\", and parity is measured of two classes; leave it out.")
    }
    yes_or_no(na_rm, "na_rm")
    if (!is.data.frame(data)) fail("data is of class ", class(data)[[1L]], "; give a data frame, one row a person.")
    refuse_grouped(data, "data", by = NULL) # groups of dplyr's give a line each
    if (missing(event_level) && isFALSE(getOption("yardstick.event_first"))) {
      tell("options(yardstick.event_first = FALSE) is not heeded, and the first level is the event; for the other give ",
        "event_level = \"second\".")
    }
    column <- function(request, argument) chosen_column(request, data, argument)
    people <- list(
      truth = column(rlang::enquo(truth), "truth"), estimate = column(rlang::enquo(estimate), "estimate"),
      group = data[[pick_column(by, data, "by", outside)]], weights = column(rlang::enquo(case_weights), "case_weights")
    )
    if (is.factor(people$weights) || !is.null(people$weights) && !is.numeric(unclass(plain_column(people$weights)))) {
      fail("case_weights is of class ", class(people$weights)[[1L]], "; name a column of numbers.")
    }
    event <- event_of(people, event_level)
    kinds <- attr(data, "groups") # of a grouped data frame of dplyr: one row a group, with its rows
    if (!is.null(kinds) && by %in% names(kinds)) {
      fail("data is grouped by ", by, ", and the metric compares the groups of ", by, "; group by other columns, or by none.")
    }
    parts <- if (is.null(kinds)) list(seq_len(nrow(data))) else unclass(kinds$.rows)
    matches <- lapply(seq_along(parts), function(i) {
      labels <- vapply(kinds[i, setdiff(names(kinds), ".rows"), drop = FALSE], label_text, "")
      part <- if (length(labels)) paste0(" of ", paste(names(labels), labels, sep = " = ", collapse = ", "))
      one_parity(name, by, lapply(people, function(values) values[parts[[i]]]), event, na_rm, conf_level, part)
    })
    tibble::as_tibble(cbind(as.data.frame(kinds[setdiff(names(kinds), ".rows")])[rep(TRUE, length(matches)), , drop = FALSE],
      do.call(rbind, matches)))
  }
  # yardstick looks at the first class
  structure(metric, direction = "minimize", by = by, class = c("class_metric", "fairstats_metric", "metric", "function"))
}

refuse_of_metric <- function(name, available) {
  if (!nzchar(name)) fail("the metric was given more values than it takes; it has ", several(available), ".")
  refuse_former(name, available, "the metric")
  fail("the metric has no argument ", sQuote(name, FALSE), "; it has ", several(available), ".", nearest(name, available))
}

# As yardstick prints its own, without a page of source.
#' @export
print.fairstats_metric <- function(x, ...) {
  cat("A class metric | direction: ", attr(x, "direction"), ", group-wise on: ", attr(x, "by"), "\n", sep = "")
  invisible(x)
}

# The name that all_of() of tidyselect has of a variable, whether that package is attached or not.
selected_by_value <- function(request) {
  choices <- rlang::quo_get_expr(request)
  if (rlang::is_call(choices, c("all_of", "any_of"), 1L)) rlang::eval_tidy(choices[[2L]], env = rlang::quo_get_env(request))
}

# A column that may have been named by a variable, which would be looked for among the columns.
pick_column <- function(name, data, argument, outside) {
  value <- if (!name %in% names(data)) get0(name, outside)
  if (rlang::is_string(value) && value %in% names(data)) {
    fail(argument, " = ", name, " is no column of data but holds the name of one; write !!", name, ", or ", dQuote(value, FALSE),
      ".")
  }
  pick(name, data, argument)
}

# A column named without quotes, by its name as text, or as metric_set() hands it on.
chosen_column <- function(request, data, argument) {
  if (rlang::quo_is_null(request)) {
    return(NULL)
  }
  if (rlang::quo_is_missing(request)) fail(argument, " is missing; name a column of data.")
  choices <- rlang::quo_get_expr(request)
  if (is.symbol(choices)) {
    return(data[[pick_column(as.character(choices), data, argument, rlang::quo_get_env(request))]])
  }
  value <- selected_by_value(request) %||% tryCatch(rlang::eval_tidy(request, data), error = function(problem) {
    fail(argument, " = ", deparse1(choices), " cannot be computed: ", conditionMessage(problem), "; name a column of data.")
  })
  if (is.null(value) || !rlang::is_string(value)) value else data[[pick(value, data, argument)]]
}

# Which level is the event, once truth and estimate are seen to be alike.
event_of <- function(people, event_level) {
  for (argument in c("truth", "estimate")) {
    values <- people[[argument]]
    if (!is.factor(values) || nlevels(values) != 2L) {
      fail(argument, " is ", if (is.factor(values)) paste("a factor of", nlevels(values), "levels") else
        paste("of class", class(values)[[1L]]), "; give a factor of two levels, as in factor(x, c(\"yes\", \"no\")).")
    }
  }
  available <- levels(people$truth)
  if (!identical(available, levels(people$estimate))) {
    fail("estimate has the levels ", paste(levels(people$estimate), collapse = ", "), " and truth ",
      paste(available, collapse = ", "), "; give both the same levels in the same order.")
  }
  known <- is.character(event_level) && length(event_level) == 1L
  switch(if (known) event_level else "", first = available[[1L]], second = available[[2L]],
    fail("event_level = ", deparse1(event_level), " is neither \"first\" nor \"second\"; say which level is the event."))
}

one_parity <- function(name, by, people, event, na_rm, conf_level, part = NULL) {
  available <- !is.na(people$truth) & !is.na(people$estimate)
  row <- function(estimate, lower = NA_real_, upper = NA_real_) {
    tibble::tibble(.metric = name, .by = by, .estimator = "binary", .estimate = estimate, .lower = lower, .upper = upper)
  }
  if (!any(available)) tell(name, part, " is NA: no row has both truth and estimate.")
  if (!any(available) || !na_rm && !all(available)) {
    return(row(NA_real_))
  }
  group <- label_text(people$group)
  nobody <- utils::tail(make.unique(c(unique(stats::na.omit(group)), "nobody's")), 1L) # a label that is not shown
  group[is.na(group)] <- nobody
  undefined <- function() {
    tell(name, part, " is NA: fewer than two groups of ", by, " have the rate.")
    row(NA_real_)
  }
  if (length(unique(group[available])) < 2L) {
    return(undefined())
  }
  counts <- inherits(people$weights, "hardhat_frequency_weights")
  weights <- if (!is.null(people$weights)) as.numeric(unclass(plain_column(people$weights)))
  result <- fs_call("parity", list(
    name = name, truth = as.integer(people$truth[available] == event), estimate = as.integer(people$estimate[available] == event),
    groups = group[available], weights = weights[available],
    weight_type = if (counts) "frequency" else "probability", conf_level = conf_level
  ))
  if (is.na(result$estimate)) {
    return(undefined())
  }
  # the groups without anybody whom a rate is of
  rates <- list(demographic_parity = character(), equal_opportunity = "sensitivity",
    equalized_odds = c("sensitivity", "specificity"))[[name]]
  counted <- if (is.null(weights)) available else available & weights > 0
  for (rate in rates) {
    among <- if (rate == "sensitivity") event else setdiff(levels(people$truth), event)
    without <- setdiff(group[counted], group[counted & people$truth == among])
    without[without == nobody] <- "people without a group"
    if (length(without)) {
      tell(name, part, ": the range of the ", rate, " leaves out ", paste(without, collapse = ", "), ", where nobody has the ",
        "truth \"", among, "\".")
    }
  }
  row(result$estimate, result$lower, result$upper)
}
