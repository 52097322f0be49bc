#' Count people once, and audit the counts
#'
#' A tally has the number of people of every combination of the labels that an audit looks at. Tallies of the same columns
#' add up (`may + june`): of months, of files, of sites that may not share rows. [fair_audit()] of a tally gives the numbers
#' that it gives of the people, and needs no column named again.
#'
#' A table of a database (`dplyr::tbl(connection, "people")`, \pkg{dbplyr}) is counted by the database: one query with a
#' `GROUP BY`, nothing is written, and no row leaves it. Files (CSV, Parquet, Arrow), patterns such as
#' `"people/*.parquet"` and folders of them are read by Python, batch by batch. [fair_audit()] takes the same kinds of
#' data.
#'
#' @param data A data frame; a lazy table of \pkg{dbplyr}; counts as [table()] makes them; or paths of files, a pattern, or a
#'   folder.
#' @param outcome,decision,score,amount,groups,strata,weights,clusters Names of columns, as in [fair_audit()], which may look at
#'   some of them.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @details A formula says decision, groups and strata: `fair_tally(released ~ sex + race | checks, data)`.
#' @family audits
#' @return An object of class `fairstats_tally`, which prints; [tidy()] has a line a combination, with its rows as `.rows`.
#'   Where [fair_suppress_cells()] withheld people, `.least` and `.most` say how many of a combination there are beside its
#'   `.rows`, at least and at most, 0 where none; `.rows` is `NA` where nothing of it was sent.
#'   It is as confidential as the people are: a combination may hold one person.
#' @seealso [fair_save()] and [fair_load()] keep a tally in a file.
#' @export
#' @examplesIf fairstats_available()
#' may <- fair_tally(mtcars[1:16, ], decision = "vs", groups = "am")
#' june <- fair_tally(mtcars[17:32, ], decision = "vs", groups = "am")
#' fair_audit(may + june)
#' cylinders <- lapply(split(mtcars, mtcars$cyl), fair_tally, decision = "vs", groups = "am")
#' do.call(sum, cylinders) # of a list of tallies
fair_tally <- function(data, decision = NULL, groups = NULL, ..., outcome = NULL, score = NULL, amount = NULL,
                       strata = NULL, weights = NULL, clusters = NULL) {
  refuse_others(...)
  of_counts <- take_table()
  call <- take_formula(call_of("fair_tally"), within = "strata", example = "released ~ sex + race")
  choices <- list(
    outcome = outcome, decision = decision, score = score, amount = amount, groups = as_list(groups),
    strata = as_list(strata), weights = weights, clusters = clusters
  )
  if (is.null(choices$groups)) fail("groups is missing; name the columns whose groups are compared.")
  for (role in c("outcome", "decision", "score", "amount", "weights", "clusters")) one_name(choices[[role]], role)
  recorded(call, "tally", data, people_of(data, choices), choices, if (of_counts) "table")
}

#' Take counts in place of people
#'
#' Of a wide table, a line a group with how many there were and how many were selected, this makes what [fair_audit()],
#' [fair_subgroup_scan()] and all that take people take. A long table, a line a group and decision, goes to [fair_audit()]
#' itself, with `weights`.
#'
#' @param data A data frame or the path of a file; rows of the same labels are added up.
#' @param groups Names of the columns of labels.
#' @param selected,total Names of the columns of counts: people with the favorable decision, and all people of the line.
#' @param not_selected In the place of `total` the column of the others of the line, such as the rejected.
#' @param strata Names of columns within which groups are compared, such as the job.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return An object of class `fairstats_tally`; the decision is the column `selected`, 1 for those who were selected.
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' counts <- data.frame(race = c("White", "Black"), applicants = c(520, 180), hires = c(156, 36))
#' fair_audit(fair_from_counts(counts, "race", selected = "hires", total = "applicants"))
fair_from_counts <- function(data, groups, selected, total = NULL, ..., not_selected = NULL, strata = NULL) {
  refuse_others(...)
  choices <- list(
    groups = as_list(groups), strata = as_list(strata), selected = selected, total = total, not_selected = not_selected
  )
  for (role in c("selected", "total", "not_selected")) one_name(choices[[role]], role)
  fs_call("from_counts", c(list(table = table_of_counts(data, choices, c(selected, total, not_selected))), choices))
}

# A table whose columns of labels are labels and whose counts are numbers; a column that is not there is Python's to name.
# Of counts of a total all columns of labels go along: lines of totals in one that is not named would count people twice.
table_of_counts <- function(data, choices, counts) {
  if (is.data.frame(data) && length(c(choices$total, choices$not_selected))) {
    labels <- vapply(data, function(x) is.character(x) || is.factor(x), NA)
    choices$strata <- union(unlist(choices$strata), setdiff(names(data)[labels], c(unlist(choices$groups), counts)))
  }
  rows_of_people(data, c(choices[c("groups", "strata")], list(weights = intersect(counts, colnames(data)))))
}

#' @rdname fair_tally
#' @param e1,e2 Tallies of the same columns; `sum()` adds any number of them.
#' @export
`+.fairstats_tally` <- function(e1, e2) {
  if (missing(e2) || !inherits(e2, "fairstats_tally") || !inherits(e1, "fairstats_tally")) {
    fail("a tally is added to what is no tally; give what fair_tally() returns on both sides of +.")
  }
  fs_call("added", objects = list(one = python_object(e1, "e1"), other = python_object(e2, "e2")))
}

#' @rdname fair_tally
#' @param na.rm Not used.
#' @export
Summary.fairstats_tally <- function(..., na.rm = FALSE) {
  if (.Generic != "sum") fail(.Generic, "() is not defined of tallies; sum() and + add them.")
  Reduce(`+`, list(...))
}

#' Withhold small cells before a tally leaves the site that counted it
#'
#' Scores are put on a grid first; then every combination of fewer than `min_n` people loses its count. What is left says
#' that it exists and has 1 to `min_n - 1` people: it keeps its row in `tidy()` of the
#' tally, with `NA` as `.rows` where nothing of it was sent. A combination without a row has nobody, and an audit takes that as
#' certain: who leaves a withheld one out says that it is empty.
#'
#' An audit of such tallies bounds what the withheld could change: a rate that they influence has no estimate but limits, its
#' status is `"bounded"`, and `bounds.low` and `bounds.high` of its `tidy()` are the least and the largest that it may be,
#' before sampling error. So it is with differences, also within strata, and with impact ratios; any other ratio (`contrast`
#' is `"ratio"`) is `"bounded"` without bounds.
#' `tidy(audit, role = "bounds")` has them in rows of their own. The rate of the cells that were sent stands in a row whose
#' `given` is `"cells that were sent"`; `tidy(audit, role = "all")` has these, too.
#'
#' @param tally What [fair_tally()] returns, of people without weights.
#' @param min_n The least number of people in a cell that may leave, at least 2.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return A tally.
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' fair_suppress_cells(fair_tally(mtcars, decision = "vs", groups = "am"), min_n = 7)
fair_suppress_cells <- function(tally, min_n, ...) {
  refuse_others(...)
  if (!inherits(tally, "fairstats_tally")) {
    fail("tally is of class ", class(tally)[[1L]], "; give what fair_tally() returns.")
  }
  fs_call("withheld", list(min_n = min_n), list(tally = python_object(tally, "tally")))
}

# What Python gets of the people: the columns of a data frame, paths, or what a database has counted.
people_of <- function(data, choices) {
  if (is_lazy(data)) {
    return(counted_by_database(data, choices))
  }
  if (is.character(data) && !is.matrix(data)) {
    if (!length(data) || anyNA(data)) fail("data names no file; give paths, a pattern or a folder.")
    return(if (length(data) == 1L) path.expand(data) else as.list(path.expand(data)))
  }
  audited_columns(data, choices)
}

# The same of what takes people and no counts, which is all that a database gives.
rows_of_people <- function(data, choices) {
  refuse_lazy(data)
  people_of(data, choices)
}

# Columns of a data frame; of a file or a tally one that is not there is Python's to name.
columns_there <- function(wanted, data, argument) {
  if (is.data.frame(data)) pick(wanted, data, argument) else intersect(wanted, colnames(data))
}

is_lazy <- function(data) inherits(data, "tbl_lazy") || inherits(data, "tbl_sql")

most_scores <- 2^20

# One query: combinations with their rows and, of weights, what has to be known before they are used.
counted_by_database <- function(data, choices) {
  for (package in c("dplyr", "dbplyr")) {
    if (!requireNamespace(package, quietly = TRUE)) {
      fail("data is a table of a database, which needs the package ", package, "; install.packages(\"", package, "\").")
    }
  }
  refuse_grouped(data, "data", dplyr::group_vars(data))
  columns <- colnames(data)
  available <- stats::setNames(as.list(columns), columns)
  roles <- roles_of(choices, columns)
  for (role in names(roles)) pick(unique(roles[[role]]), available, role)
  keys <- unique(unlist(roles[setdiff(names(roles), "weights")], use.names = FALSE))
  current <- paste0("k", seq_along(keys), "_") # databases differ in which names they allow
  name <- table_name(data)
  answered <- function(query) {
    tryCatch(query, error = function(problem) {
      stop(errorCondition(paste0(name, " did not count the columns ", paste(c(keys, choices$weights), collapse = ", "), " (",
        gsub("\\s+", " ", conditionMessage(problem)), "); nothing was estimated; see that it can be reached, that these ",
        "columns may be read, and that they can be grouped by."),
      class = c("fairstats_source_error", "fairstats_error"), call = verb_call()))
    })
  }
  frame <- answered({
    wanted <- stats::setNames(lapply(keys, as.name), current)
    if (!is.null(choices$weights)) wanted$w_ <- call("as.numeric", as.name(choices$weights))
    rows <- do.call(dplyr::transmute, c(list(data), wanted))
    for (number in c(choices$score, choices$amount)) few_scores(rows, current[match(number, keys)], number)
    sums <- list(n_ = quote(n()))
    if (!is.null(choices$weights)) {
      rows <- weighed(rows)
      sums <- c(sums, sums_of_weights)
    }
    rows <- do.call(dplyr::group_by, c(list(rows), lapply(current, as.name)))
    as.data.frame(dplyr::collect(do.call(dplyr::summarize, c(list(rows), sums, list(.groups = "drop")))))
  })
  if (!nrow(frame)) fail("data has no rows (", name, "); nothing can be estimated from it.")
  names(frame)[match(current, names(frame))] <- keys
  counts <- setdiff(names(frame), keys)
  frame <- plain_columns(frame, setdiff(keys, c(choices$score, choices$amount)))
  frame[counts] <- lapply(frame[counts], as.numeric)
  labels <- setdiff(keys, c(choices$score, choices$amount))
  frame[labels] <- labeled(frame[labels])
  list(counted = frame, weights = choices$weights %||% "", name = name)
}

# Columns whose plain sums say all that is needed of weights.
weighed <- function(rows) {
  for (result in list(
    list(u_ = quote(case_when(w_ > -1e100 & w_ < 1e100 ~ w_))),
    list(p_ = quote(case_when(u_ > 0 ~ u_)), m_ = quote(case_when(u_ < 0 ~ 1L)), s_ = quote(u_ * u_),
      f_ = quote(case_when(u_ > -4503599627370496 & u_ < 4503599627370496 & round(u_) != u_ ~ 1L)))
  )) rows <- do.call(dplyr::mutate, c(list(rows), result))
  rows
}

sums_of_weights <- list(
  u_count = quote(sum(case_when(is.na(u_) ~ 0L, TRUE ~ 1L), na.rm = TRUE)),
  p_count = quote(sum(case_when(is.na(p_) ~ 0L, TRUE ~ 1L), na.rm = TRUE)),
  m_count = quote(sum(case_when(is.na(m_) ~ 0L, TRUE ~ 1L), na.rm = TRUE)),
  f_count = quote(sum(case_when(is.na(f_) ~ 0L, TRUE ~ 1L), na.rm = TRUE)),
  least = quote(min(p_, na.rm = TRUE)), most = quote(max(u_, na.rm = TRUE)),
  u_sum = quote(sum(u_, na.rm = TRUE)), s_sum = quote(sum(s_, na.rm = TRUE))
)

few_scores <- function(rows, current, score) {
  different <- dplyr::distinct(do.call(dplyr::transmute, list(rows, x_ = as.name(current))))
  n <- as.numeric(dplyr::collect(do.call(dplyr::summarize, list(different, n_ = quote(n()))))$n_)
  if (n > most_scores) {
    fail("score has ", sQuote(score, FALSE), " with ", format(n, big.mark = ","), " different values, more than 2^20 in a ",
      "database that R asks; round them there, or give files, which are put on a grid.")
  }
}

table_name <- function(data) {
  name <- tryCatch(dbplyr::remote_name(data), error = function(problem) NULL)
  if (length(name) == 1L && !inherits(name, "sql")) paste("the database table", name) else "a query of a database"
}

#' Whether a group is represented as in the pool that it came from
#'
#' Shares of groups beside a benchmark: exact binomial tests beside known shares, hypergeometric ones beside a finite pool,
#' and tests of two rates beside another sample; differences in standard deviations, as courts print them.
#'
#' @param data A data frame with a row a person, the path of a file, or counts with names, `c(Black = 15, White = 390)`.
#' @param groups Name of the column of groups; of counts with names it is not needed.
#' @param benchmark Shares with names, `c(Black = 0.154)`; counts with names; or a data frame that has the column of groups.
#' @param kind What counts of a benchmark are: `"population"`, `"sample"` or the finite `"pool"`.
#' @param weights Name of the column that says how many people a row stands for.
#' @param method Simultaneous limits of the shares: `"goodman"`, `"sison-glaz"` or `"clopper-pearson"`.
#' @param p_adjust How p-values and intervals are adjusted, as in [fair_audit()].
#' @param conf_level Confidence level of all comparisons together.
#' @param seed Seed of the test of all shares, where it is drawn.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return A result that prints; its [tidy()] has shares, differences, ratios and shortfalls; [plot()] and [fair_figure()] draw
#'   the differences.
#' @references Goodman, L. A. (1965). On simultaneous confidence intervals for multinomial proportions. Technometrics 7,
#'   247-254. \doi{10.1080/00401706.1965.10490252}
#' @concept under-representation
#' @concept disparity index
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' fair_representation(c(Black = 15, White = 390), benchmark = c(Black = 0.154, White = 0.846))
fair_representation <- function(data, groups = NULL, ..., benchmark, kind = NULL, weights = NULL, method = "goodman",
                                p_adjust = "bonferroni", conf_level = 0.95, seed = 0) {
  refuse_others(...)
  call <- call_of("fair_representation")
  groups <- one_name(groups, "groups")
  one_name(weights, "weights")
  if (missing(benchmark)) fail("benchmark is missing; give shares with names, such as c(Black = 0.154).")
  choices <- list(groups = groups)
  benchmark <- named_shares(benchmark)
  people <- function(x) if (is.numeric(x) && !is.null(names(x))) as.list(x) else table_of_counts(x, choices, weights)
  recorded(call, "representation", data, people(data), list(
    groups = groups, benchmark = people(benchmark), kind = kind, weights = weights, method = method,
    p_adjust = p_adjust_of(p_adjust), conf_level = conf_level, seed = seed
  ))
}

# Shares of a benchmark are those of groups, whose names they carry.
named_shares <- function(benchmark) {
  number <- function(x) is.numeric(x) && length(x) == 1L
  if (is.list(benchmark) && !is.data.frame(benchmark) && all(vapply(benchmark, number, NA))) benchmark <- unlist(benchmark)
  if (is.numeric(benchmark) && length(names(benchmark)) && all(nzchar(names(benchmark)))) return(benchmark)
  if (is.numeric(benchmark) || is.list(benchmark) && !is.data.frame(benchmark)) {
    fail("benchmark is ", if (is.list(benchmark)) "a list" else "numbers without the names of the groups", "; give a share a ",
      "group, as in c(Black = 0.154, White = 0.846), or a data frame of the people compared with.")
  }
  benchmark
}

#' At which stage of a selection people are lost
#'
#' Groups are compared at every stage, among those who reached it, and in the end; the difference in the end is parted among
#' the stages (Das Gupta, 1978).
#'
#' @param data A data frame with a row a person or a line a group, or the path of a file.
#' @param stages Names of the columns of the stages in their order: 1 for who passed; of counts how many passed.
#' @param groups Name of the column of groups.
#' @param total Of counts: name of the column that says how many began.
#' @param weights Of people: name of a column of whole numbers, how many people a row stands for.
#' @param strata Name of a column within which groups are compared, such as the posting: verdicts are of differences within it.
#' @param reference The group that others are compared with; the largest where `NULL`.
#' @param p_adjust,conf_level As in [fair_audit()].
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return A result that prints; its [tidy()] has the stage as `name`, [fair_figure()] draws the differences.
#' @references Das Gupta, P. (1978). A general method of decomposing a difference between two rates into several components.
#'   Demography 15, 99-112. \doi{10.2307/2060493}
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' teal <- data.frame(race = c("Black", "White"), took = c(48, 259), passed = c(26, 206))
#' teal$promoted <- c(11, 35)
#' fair_stages(teal, c("passed", "promoted"), "race", total = "took")
fair_stages <- function(data, stages, groups, ..., total = NULL, weights = NULL, strata = NULL, reference = NULL,
                        p_adjust = "bonferroni", conf_level = 0.95) {
  refuse_others(...)
  call <- call_of("fair_stages")
  roles <- list(groups = groups, total = total, weights = weights, strata = strata)
  for (role in names(roles)) one_name(roles[[role]], role)
  table <- table_of_counts(data, roles, c(stages, total, weights))
  recorded(call, "stages", data, table, list(
    stages = as.list(stages), groups = groups, total = total, weights = weights, strata = strata,
    reference = group_label(reference), p_adjust = p_adjust_of(p_adjust), conf_level = conf_level
  ))
}

#' Audits by matched pairs: applications that are alike but for the group
#'
#' Resumes with other names, or prompts to a language model: groups are compared within blocks of any size, by the exact sign
#' test (McNemar's where all are pairs) and by conditional logistic regression.
#'
#' @param data A data frame with a row an application, or the path of a file.
#' @param decision,groups,blocks Names of the columns of the decision, of the groups, and of the blocks, such as the ad.
#' @param clusters Name of the column of what applications of several blocks share, such as the first name or the template.
#' @param favorable The decision that helps.
#' @param reference The group that others are compared with; the largest where `NULL`.
#' @param p_adjust,conf_level As in [fair_audit()].
#' @param seed Seed of the exchanges over clusters.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return A result that prints; [tidy()] has its rows, [fair_figure()] draws the differences.
#' @references Bertrand, M. and Mullainathan, S. (2004). Are Emily and Greg more employable than Lakisha and Jamal? American
#'   Economic Review 94, 991-1013. \doi{10.1257/0002828042002561}
#' @details A formula says decision, groups and blocks, before the data or after them:
#'   `fair_matched_pairs(called ~ race | job, data)`, in a pipe `data |> fair_matched_pairs(called ~ race | job)`.
#' @concept correspondence study
#' @concept audit study
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' called <- rep(c(0, 1, 0, 0, 1, 1), length.out = 40)
#' sent <- data.frame(pair = rep(1:20, each = 2), race = c("b", "w"), call = called)
#' fair_matched_pairs(sent, "call", "race", "pair", reference = "w")
fair_matched_pairs <- function(data, decision, groups, blocks, ..., clusters = NULL, favorable = 1, reference = NULL,
                               p_adjust = "bonferroni", conf_level = 0.95, seed = 0) {
  refuse_others(...)
  call <- take_formula(call_of("fair_matched_pairs"), within = "blocks", example = "called ~ race | job")
  roles <- list(decision = decision, groups = groups, blocks = blocks, clusters = clusters)
  for (role in names(roles)) one_name(roles[[role]], role)
  others <- c(columns_there(blocks, data, "blocks"), columns_there(clusters, data, "clusters"))
  table <- rows_of_people(data, list(decision = decision, groups = groups, strata = if (length(others)) others))
  recorded(call, "matched_pairs", data, table, list(
    decision = decision, groups = groups, blocks = blocks, clusters = clusters,
    favorable = one_label(favorable, "favorable"), reference = group_label(reference), p_adjust = p_adjust_of(p_adjust),
    conf_level = conf_level, seed = seed
  ))
}

#' A gap between groups watched period by period
#'
#' The difference of two rates is tested in every period with one error rate over all of them, however often one looks. The
#' rates may drift from period to period: it is the gap that is tested.
#'
#' @param data A data frame of people, a lazy table of \pkg{dbplyr}, the paths of files, or a tally whose strata are the
#'   periods ([fair_tally()], [fair_from_counts()]), whose columns need not be named again.
#' @param decision,groups Names of the columns of a decision, and of groups.
#' @param period Name of the column of periods: `2024-03`, `2024-Q1`, `2024-W09`, dates, or whole numbers; `"month"` where
#'   `NULL`.
#' @param levels All groups that will be watched, also those whom nobody is in yet; the groups of the first call where `NULL`.
#'   Any other group is refused.
#' @param favorable The decision that helps. The labels of decisions are those of the first period.
#' @param reference The group that others are compared with; the largest of the first period where `NULL`.
#' @param margin The largest gap that raises no alarm, such as 0.02; fix it beforehand.
#' @param baseline The last of the periods that later ones are compared with, fixed beforehand: a gap then raises the alarm
#'   where it is not as it was up to then.
#' @param looks How many periods there will be, 2 to 24, planned beforehand: tests by alpha spending take the place of bets.
#'   Those of a baseline are not counted. They see a small gap, or one at few looks, more often; a large gap that begins
#'   after many looks, later.
#' @param spending `"obrien-fleming"` or `"pocock"`: how the error is spent over planned looks.
#' @param conf_level One minus the chance of any alarm, in all periods and groups, while no gap exceeds the margin.
#' @param state Path of a JSON file with the counts so far: where it is there, `data` are the periods after its last; it is
#'   written anew. The last ones again, with the same counts, are not counted twice.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return A result that prints. Its `$alarm` is the first period that raises the alarm, `NA` without one; `$alarms` has that of
#'   each group, `NA` without one, `$new_alarms` those of this call. Its [tidy()] has a row a group, with the verdict, and
#'   `tidy(result, role = "all")` those of all periods, too, with the period as `given`: rates and gaps have the estimator
#'   "of the period", and what is known until then "periods so far", with the e-value as `statistic`. Its [fair_figure()] is
#'   a chart of periods.
#' @references Turner, R. J., Ly, A. and Grunwald, P. D. (2024). Generic E-variables for exact sequential k-sample tests that
#'   allow for optional stopping. Journal of Statistical Planning and Inference 230, 106116.
#'   \doi{10.1016/j.jspi.2023.106116}
#' @details A formula says decision and groups, before the data or after them:
#'   `fair_monitor(released ~ race, data, period = "year")`, in a pipe `data |> fair_monitor(released ~ race, period = "year")`.
#' @concept sequential test
#' @concept drift
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' people <- data.frame(month = rep(1:6, each = 100), sex = c("f", "m"), hired = c(0, 1, 1, 1))
#' fair_monitor(people, "hired", "sex", reference = "m")
fair_monitor <- function(data, decision = NULL, groups = NULL, ..., period = NULL, levels = NULL, favorable = 1,
                         reference = NULL, margin = 0, baseline = NULL, looks = NULL, spending = "obrien-fleming",
                         conf_level = 0.95, state = NULL) {
  refuse_others(...)
  call <- take_formula(call_of("fair_monitor"))
  counted <- inherits(data, "fairstats_tally")
  period <- column_of(period)
  if (is.null(period) && !counted) period <- "month"
  roles <- list(decision = decision, groups = groups, period = period)
  for (role in names(roles)) one_name(roles[[role]], role)
  there <- if (!counted && !is.null(decision) && !is.null(groups)) columns_there(period, data, "period")
  choices <- list(decision = decision, groups = groups, strata = if (length(there)) there)
  people <- if (!counted) people_of(data, choices)
  recorded(call, "monitor", data, people, list(
    decision = decision, groups = groups, period = period, levels = if (!is.null(levels)) as.list(levels),
    favorable = one_label(favorable, "favorable"), reference = group_label(reference), margin = margin,
    baseline = baseline, looks = looks, spending = spending,
    conf_level = conf_level, state = if (!is.null(state)) path.expand(one_name(state, "state", "path of one file"))
  ))
}

#' Models compared by the gaps between groups that they leave
#'
#' Models that decide about the same people are compared in pairs: the gap between groups that a model leaves, less that of
#' the baseline, and with an outcome their accuracy. What two models have in common cancels.
#'
#' @param data A data frame with a row a person whom no model was trained on, or the path of a file.
#' @param models Names of the columns of the models' decisions; names of the vector are those of the models.
#' @param groups Name of the column of groups.
#' @param outcome Name of the column of what happened: with it true and false positive rates, accuracy
#'   and the positive predictive value are compared too.
#' @param baseline The model that the others are compared with; the first where `NULL`.
#' @param versus `"baseline"`: each model beside the baseline; `"all"`: every pair of models.
#' @param threshold The columns hold scores; from here on the decision is 1. With an outcome their AUCs are compared too.
#' @param favorable,positive,positive_prediction The decision that helps, the outcome that counts as 1, the decision that
#'   predicts it.
#' @param reference The group that others are compared with; the largest where `NULL`.
#' @param margin From which change of a gap, or of accuracy, on it matters, such as 0.02.
#' @param p_adjust,conf_level As in [fair_audit()].
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return A result that prints; its [tidy()] has `model` and `versus`, and in `direction` what a change shows: `"smaller"`,
#'   `"larger"` or `"changed"` of a gap, `"higher"` or `"lower"` of a rate, `"within"` the margin. Its [fair_figure()] draws
#'   accuracy against the gap.
#' @references Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for the
#'   paired-sample design. Statistics in Medicine 17, 891-908.
#'   \doi{10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B}
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' cars <- transform(mtcars, old = as.integer(wt < 3), new = as.integer(hp < 120))
#' fair_compare_models(cars, c("old", "new"), "am", outcome = "vs")
fair_compare_models <- function(data, models, groups, ..., outcome = NULL, baseline = NULL, versus = "baseline",
                                threshold = NULL, favorable = 1, positive = 1, positive_prediction = NULL, reference = NULL,
                                margin = NULL, p_adjust = "bonferroni", conf_level = 0.95) {
  refuse_others(...)
  call <- call_of("fair_compare_models")
  if (is.list(models)) models <- unlist(models)
  people <- people_of_models(data, models, list(groups = groups, outcome = outcome), threshold, "models")
  recorded(call, "compare_models", data, people, list(
    models = models_of(models, "models"), groups = groups, outcome = outcome, baseline = baseline,
    versus = versus, threshold = threshold, favorable = one_label(favorable, "favorable"),
    positive = one_label(positive, "positive"),
    positive_prediction = one_label(positive_prediction, "positive_prediction"), reference = group_label(reference),
    margin = margin, p_adjust = p_adjust_of(p_adjust), conf_level = conf_level
  ))
}

#' Whether one of many candidates is as accurate and leaves a smaller gap
#'
#' One half of the people chooses the candidate, the other half tests it: however many are tried, a claim is as rare as if one
#' had been. Groups of fewer than 30 people in either half neither choose nor are tested.
#'
#' @inheritParams fair_compare_models
#' @param candidates Names of the columns of the candidates' decisions, the model in use among them; names of the vector are
#'   those of the candidates.
#' @param outcome Name of the column of what happened.
#' @param baseline The model in use; the first where `NULL`.
#' @param metric The rate whose gap is to be smaller: `"selection rate"`, `"TPR"` or `"FPR"`.
#' @param margin How much less accurate an alternative may be.
#' @param gap_margin By how much the gap of any other group may be larger; as much as `margin` where `NULL`.
#' @param split Name of a column that is 1 for who chooses and 0 for who tests; drawn by `seed` where `NULL`.
#' @param group The group whose gap to the reference decides; that with the largest gap where `NULL`.
#' @param conf_level As in [fair_audit()].
#' @param seed Seed of the halves.
#' @return A result that prints. Its `$found` says whether an alternative is found; its [tidy()] has the change of the gap and of
#'   accuracy among those who test, of every group and other rate what changes, and of every candidate both numbers among those
#'   who chose.
#' @references Cox, D. R. (1975). A note on data-splitting for the evaluation of significance levels. Biometrika 62, 441-444.
#'   \doi{10.1093/biomet/62.2.441}
#' @concept less discriminatory alternative
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' cars <- transform(mtcars[rep(1:32, 6), ], old = as.integer(wt < 3), new = as.integer(hp < 120))
#' fair_alternatives(cars, c("old", "new"), "am", outcome = "vs")
fair_alternatives <- function(data, candidates, groups, ..., outcome, baseline = NULL, metric = "selection rate", margin = 0.02,
                              gap_margin = NULL, split = NULL, threshold = NULL, favorable = 1, positive = 1,
                              positive_prediction = NULL, reference = NULL, group = NULL, conf_level = 0.95, seed = 0) {
  refuse_others(...)
  call <- call_of("fair_alternatives")
  if (is.list(candidates)) candidates <- unlist(candidates)
  people <- people_of_models(data, candidates, list(groups = groups, outcome = outcome), threshold, "candidates", split)
  recorded(call, "alternatives", data, people, list(
    candidates = models_of(candidates, "candidates"), groups = groups, outcome = outcome, baseline = baseline,
    metric = metric, margin = margin, gap_margin = gap_margin, split = split, threshold = threshold,
    favorable = one_label(favorable, "favorable"), positive = one_label(positive, "positive"),
    positive_prediction = one_label(positive_prediction, "positive_prediction"), reference = group_label(reference),
    group = group_label(group), conf_level = conf_level, seed = seed
  ))
}

# The columns that a comparison of models reads: those of scores, and who chooses, are numbers.
people_of_models <- function(data, models, roles, threshold, argument, split = NULL, labels = NULL) {
  if (!is.character(models)) fail(argument, " is of class ", class(models)[[1L]], "; give names of columns of data.")
  for (role in names(roles)) one_name(roles[[role]], role)
  there <- columns_there(unname(models), data, argument)
  numbers <- c(if (!is.null(threshold)) there, intersect(split, colnames(data)))
  rows_of_people(data, c(roles, list(strata = c(setdiff(there, numbers), labels), weights = numbers)))
}

models_of <- function(models, argument) {
  names(models) <- if (is.null(names(models))) models else ifelse(names(models) == "", models, names(models))
  twice <- names(models)[duplicated(names(models))]
  if (length(twice)) fail(argument, " has ", twice[[1L]], " twice; give every model its own name.")
  as.list(models)
}

#' A gap between groups that are known only as probabilities
#'
#' Groups that are known as a probability of each person, such as from surname and address: bounds of the difference of
#' selection rates, from which the verdict comes, and beside it the weighted and the linear estimate with what they miss.
#' Nobody is put into a group.
#'
#' @param data A data frame with a row a person, or the path of a file. Probabilities of another file are joined to it
#'   first, by what names a person (`merge(people, bisg, by = "id", all.x = TRUE)`).
#' @param decision Name of a column of two values.
#' @param groups Names of the columns of probabilities; names of the vector (or list) are the groups,
#'   `c(White = "p_white", ...)`.
#' @param known Name of a column of the group itself where it is known, `NA` elsewhere. These people are in their group
#'   with certainty, whether or not they have probabilities; those who do have to be drawn at random, and check them.
#' @param drawn_at_random Whether these people are declared to be drawn at random from all: the answer then begins with the
#'   corrected difference, under this condition, unless the data refute it.
#' @param favorable The decision that helps.
#' @param reference The group that others are compared with; that with the most expected people where `NULL`.
#' @param seed Of the folds in which people choose each other's terms of the bound.
#' @param p_adjust,conf_level As in [fair_audit()].
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return A result that prints; its [tidy()] has the bound, whose `estimate` is `NA`, and with `role = "all"` the estimates
#'   by `estimator`; [fair_table()] has a line a difference (`"bounds"`); [fair_figure()] draws them.
#' @references Kallus, N., Mao, X. and Zhou, A. (2022). Assessing algorithmic fairness with unobserved protected class using
#'   data combination. Management Science 68, 1959-1981. \doi{10.1287/mnsc.2020.3850}
#' @concept BISG
#' @concept proxy of race
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' # the race of seven in ten people, and probabilities of everybody's from another file
#' set.seed(1)
#' p <- runif(1000)
#' race <- ifelse(runif(1000) < p, "Black", "White")
#' hired <- rbinom(1000, 1, ifelse(race == "Black", 0.2, 0.7))
#' people <- data.frame(id = 1:1000, hired = hired, race = race)
#' people$race[runif(1000) < 0.3] <- NA
#' bisg <- data.frame(id = 1:1000, p_white = 1 - p, p_black = p)
#' table <- merge(people, bisg, by = "id", all.x = TRUE)
#' groups <- c(White = "p_white", Black = "p_black")
#' result <- fair_group_probabilities(table, "hired", groups, known = "race", reference = "White")
#' result
#' fair_table(result, "bounds")
fair_group_probabilities <- function(data, decision, groups, ..., known = NULL, drawn_at_random = FALSE, favorable = 1,
                                     reference = NULL, p_adjust = "bonferroni", conf_level = 0.95, seed = 0) {
  refuse_others(...)
  call <- call_of("fair_group_probabilities")
  groups <- unlist(groups)
  if (!is.character(groups)) fail("groups", " is of class ", class(groups)[[1L]], "; give names of columns of data.")
  one_name(decision, "decision")
  numbers <- columns_there(unname(groups), data, "groups")
  people <- rows_of_people(data, list(decision = decision, groups = known, weights = numbers))
  recorded(call, "group_probabilities", data, people, list(
    decision = decision, groups = models_of(groups), known = known, drawn_at_random = drawn_at_random,
    favorable = one_label(favorable, "favorable"), reference = group_label(reference),
    p_adjust = p_adjust_of(p_adjust), conf_level = conf_level, seed = seed
  ))
}

#' Pay by group as the European directive on pay transparency asks
#'
#' The figures of Article 9(1)(a) to (g) of Directive (EU) 2023/970, each with limits, and a table of categories of workers:
#' the observed gap, whether it is as large as the margin of Article 10, and whether that is beyond chance.
#'
#' @param data A data frame with a row a worker, or the path of a file.
#' @param pay,groups Names of the columns of all pay, variable pay included, and of the groups.
#' @param variable_pay Name of the column of complementary or variable pay, a part of `pay`; a missing entry is none.
#' @param category Name of the column of categories of workers who do the same work or work of equal value.
#' @param hours Name of the column of the hours that the pay is of.
#' @param reference The group of men, whose average a gap is a share of; that which is called so where `NULL`.
#' @param margin The gap from which Article 10 asks for reasons.
#' @param min_n Numbers of groups of fewer people are withheld.
#' @param conf_level As in [fair_audit()].
#' @param labels What pages call the groups: `list(groups = list(sex = list("1" = "women")))`. Rows keep the labels of the
#'   data; f, m and the like are called women and men without it.
#' @param about What the report is about, for page one: `list(employer = "Example Ltd", period = "2026")`.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return A result that prints; [tidy()] has its rows, [fair_figure()] draws the gaps.
#' @references Directive (EU) 2023/970 of 10 May 2023, Articles 3, 9 and 10.
#' @details A formula says pay, groups and category, before the data or after them:
#'   `fair_pay_transparency(wage ~ sex | grade, data)`, in a pipe `data |> fair_pay_transparency(wage ~ sex | grade)`.
#' @concept gender pay gap
#' @concept equal pay
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' pay <- c(9, 10, 11, 11.5) + 1:40 / 9
#' staff <- data.frame(sex = c("women", "men"), grade = rep(c("a", "b"), each = 20), pay = pay)
#' fair_pay_transparency(staff, "pay", "sex", category = "grade")
fair_pay_transparency <- function(data, pay, groups, ..., variable_pay = NULL, category = NULL, hours = NULL,
                                  reference = NULL, margin = 0.05, min_n = 5, conf_level = 0.95, labels = NULL,
                                  about = NULL) {
  refuse_weights(...)
  refuse_others(...)
  call <- take_formula(call_of("fair_pay_transparency"), "pay", within = "category", example = "wage ~ sex | grade")
  roles <- list(pay = pay, groups = groups, variable_pay = variable_pay, category = category, hours = hours)
  recorded(call, "pay_transparency", data, pay_of(data, roles), c(
    roles,
    list(reference = group_label(reference), margin = margin, min_n = min_n, conf_level = conf_level,
      labels = names_of_groups(labels), about = named_entries(about, "about", "employer = \"Example Ltd\""))
  ))
}

# The law counts every worker once, and compares them as they are.
refuse_weights <- function(...) {
  named <- intersect(names(match.call(expand.dots = FALSE)$...), c("weights", "clusters", "strata", "adjust_for"))
  if (length(named)) {
    fail(named[[1L]], " is no argument of a report of pay: the law counts every worker once, and compares them as they are; ",
      "pass a row a worker, or take fair_audit(amount = ), which has it.")
  }
}

names_of_groups <- function(labels) {
  if (!is.null(labels)) named_parts(named_entries(labels, "labels", "groups = list(sex = list(\"1\" = \"women\"))"))
}

# The columns of a report of pay.
pay_of <- function(data, roles) {
  for (role in names(roles)) one_name(roles[[role]], role)
  roles <- roles[lengths(roles) > 0L]
  others <- unlist(roles[setdiff(names(roles), c("pay", "groups"))])
  available <- stats::setNames(as.list(colnames(data)), colnames(data))
  if (length(available)) for (role in names(others)) pick(others[[role]], available, role)
  rows_of_people(data, list(amount = roles$pay, groups = roles$groups, strata = if (length(others)) others))
}

#' The six figures of the British gender pay gap
#'
#' Mean and median gap of hourly pay and of bonuses, who gets a bonus, and the groups' shares in each quarter of pay, as the
#' Equality Act 2010 (Gender Pay Gap Information) Regulations 2017 ask, each with limits.
#'
#' @param pay,groups Names of the columns of hourly pay (or of pay, with `hours`) and of the groups.
#' @param bonus Name of the column of the bonus of the twelve months; 0 or missing for none.
#' @inheritParams fair_pay_transparency
#' @return A result that prints; [tidy()] has its rows, [fair_figure()] draws the gaps.
#' @references The Equality Act 2010 (Gender Pay Gap Information) Regulations 2017, SI 2017/172.
#' @details A formula says pay and groups, before the data or after them: `fair_gender_pay_gap(wage ~ sex, data)`, in a pipe
#'   `data |> fair_gender_pay_gap(wage ~ sex)`.
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' staff <- data.frame(sex = c("women", "men"), pay = 10 + 1:40 / 9, bonus = c(0, 100, 90, 0))
#' fair_gender_pay_gap(staff, "pay", "sex", bonus = "bonus")
fair_gender_pay_gap <- function(data, pay, groups, ..., bonus = NULL, hours = NULL, reference = NULL, min_n = 5,
                                conf_level = 0.95, labels = NULL, about = NULL) {
  refuse_weights(...)
  refuse_others(...)
  call <- take_formula(call_of("fair_gender_pay_gap"), "pay", example = "wage ~ sex")
  roles <- list(pay = pay, groups = groups, bonus = bonus, hours = hours)
  recorded(call, "gender_pay_gap", data, pay_of(data, roles), c(
    roles,
    list(reference = group_label(reference), min_n = min_n, conf_level = conf_level, labels = names_of_groups(labels),
      about = named_entries(about, "about", "employer = \"Example Ltd\""))
  ))
}

#' Whether differences between groups changed from one audit to a later one
#'
#' A gap that is shown in one month and not in the next need not have changed. This compares the two gaps themselves, of
#' every rate and group, as differences of independent people: limits from Wilson's of each rate (Zou, Huang and Zhang,
#' 2009), with quantiles of Student's t whose degrees of freedom (`df` of [tidy()]) are Satterthwaite's, p-values adjusted over
#' all comparisons, so that a check that runs every month errs in at most 5 % of them.
#'
#' @param before,after What [fair_audit()] returns, of the same question and different people. The groups are compared
#'   with the reference group of `before`.
#' @param metric Rates to compare; all that both audits have, of complementary ones the first, where `NULL`.
#' @param conf_level Confidence level of all comparisons together.
#' @param p_adjust How p-values and intervals are adjusted: `"bonferroni"`, `"holm"` (p-values only), `"bh"` or `"none"`.
#' @return A result that prints; its [tidy()] has the change of each difference (`estimator` is `"change"`), without a
#'   verdict, since whether a change is for the better depends on the rate: `direction` is `"changed"` where it is shown, else
#'   `NA`. With `role = "all"` it has the differences before and after, too. Where people of withheld cells decide a change it
#'   has no estimate: `bounds.low` and `bounds.high` are the least and the largest that they leave, before sampling error, and
#'   figures have a bar between the two in place of a point.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @references Zou, G. Y., Huang, W. and Zhang, X. (2009). A note on confidence interval estimation for a linear function of
#'   binomial proportions. Computational Statistics and Data Analysis 53, 1080-1085. \doi{10.1016/j.csda.2008.09.033}
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' months <- lapply(c(10, 25), function(k) {
#'   hired <- rep(c(1, 0, 1, 0), c(k, 60 - k, 30, 30))
#'   df <- data.frame(sex = rep(c("female", "male"), each = 60), hired = hired)
#'   fair_audit(df, decision = "hired", groups = "sex")
#' })
#' fair_compare_audits(months[[1]], months[[2]])
fair_compare_audits <- function(before, after, metric = NULL, conf_level = 0.95, p_adjust = "bonferroni", ...) {
  refuse_others(...)
  call <- call_of("fair_compare_audits")
  for (argument in c("before", "after")) {
    given <- get(argument)
    if (!inherits(given, "fairstats_audit")) {
      fail(argument, " is of class ", class(given)[[1L]], "; give what fair_audit() returns.")
    }
  }
  compared <- fs_call("compare_audits", list(metric = as_list(metric), conf_level = conf_level, p_adjust = p_adjust_of(p_adjust)),
    list(before = python_object(before, "before"), after = python_object(after, "after")))
  with_call(compared, call)
}

#' Whether an audit passes: every comparison is shown to be within the declared margin
#'
#' A gate for pipelines. Comparisons that are inconclusive, suppressed or not estimable fail as those with a disparity do.
#'
#' @param audit What [fair_audit()] returns, with a `margin`.
#' @param metric Metrics that count, such as `c("TPR", "FPR")`; all where `NULL`, which seldom are equal at once: where base
#'   rates differ, the error rates and the predictive values of groups cannot all be.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @param x What `fair_passes()` returned.
#' @return A list that prints what it says: `passes` is `TRUE` or `FALSE`, `compared` the number of comparisons, `failures` a
#'   tibble of those that fail, and `summary` the text.
#' @references Chouldechova, A. (2017). Fair prediction with disparate impact: A study of bias in recidivism prediction
#'   instruments. Big Data 5, 153-163. \doi{10.1089/big.2016.0047}
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' people <- data.frame(sex = rep(c("female", "male"), 900), hired = rep(c(1, 1, 0, 0), 450))
#' audit <- fair_audit(people, decision = "hired", groups = "sex", margin = 0.1)
#' fair_passes(audit, "selection rate")
#' # in a pipeline
#' stopifnot(fair_passes(audit, "selection rate")$passes)
fair_passes <- function(audit, metric = NULL, ...) {
  refuse_others(...)
  if (!inherits(audit, "fairstats_audit")) {
    fail("audit is of class ", class(audit)[[1L]], "; give what fair_audit() returns.")
  }
  result <- fs_call("passes", list(metric = as_list(metric)), list(audit = python_object(audit, "audit")))
  result$failures <- tibble::as_tibble(lapply(result$failures, as.character))
  structure(result, class = "fairstats_passed")
}

#' @rdname fair_passes
#' @export
print.fairstats_passed <- function(x, ...) {
  cat(writable(x$summary), "\n", sep = "")
  invisible(x)
}

#' Which subgroups of people differ from everybody, subgroups that nobody named included
#'
#' The subgroups are all labels of each column of groups, and all combinations of labels of up to `max_order` columns. Of each
#' the rate is compared with everybody's: with limits that hold for all subgroups together, and with flags at a false
#' discovery rate (Cherian and Candes, 2024). Limits are meant for subgroups of few people, too. With a `score` the mean of
#' outcome less score of every subgroup, and of its people in every band of the score, is compared with 0: whose scores are not
#' right (La Cava, Lett and Wan, 2023).
#'
#' @param data A data frame, a table of counts as `table()` makes it, a lazy table of \pkg{dbplyr}, paths of files, or what
#'   [fair_tally()] returns, whose columns need not be named again.
#' @param outcome,decision Names of columns of two values, of which the rate needs one or both.
#' @param groups Names of the columns whose labels make the subgroups.
#' @param score Name of the column of a score from 0 to 1, the chance of the outcome; the metric is then `"mean residual"`.
#' @param bands How many bands of equally many people the score is cut into; 1 for none.
#' @param metric The rate: `"selection rate"` (the default), `"base rate"`, `"TPR"`, `"FPR"`, `"TNR"`, `"FNR"`, `"PPV"`,
#'   `"NPV"`, `"FDR"`, `"FOR"`, `"accuracy"`, `"classification error"` or `"positive rate"`.
#' @param favorable,positive,positive_prediction Labels, as in [fair_audit()].
#' @param max_order The most columns that a subgroup is a combination of.
#' @param min_n The least number of people in the denominator of the rate; smaller subgroups are listed as excluded.
#' @param margin How far from everybody's rate is no disparity, to either side; of scores, how far from 0.
#' @param conf_level Confidence that the limits of all subgroups hold together.
#' @param fdr The expected share of subgroups flagged by mistake among all that are flagged.
#' @param p_adjust `"bh"` (Benjamini and Hochberg), or `"by"` (Benjamini and Yekutieli), which holds under any dependence.
#' @param missing What happens to people without a group: `"level"`, `"drop"` or `"raise"`.
#' @param seed Seed of the draws that find the joint level of the limits.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return A result that prints; its [tidy()] has a row a subgroup (`verdict` is `"flagged"` where it is flagged), with
#'   `role = "all"` everybody's rate, too; its [fair_figure()] draws those that are farthest from everybody.
#' @references Cherian, J. J. and Candes, E. J. (2024). Statistical inference for fairness auditing. Journal of Machine
#'   Learning Research 25. \doi{10.48550/arXiv.2305.03712}
#'
#'   La Cava, W. G., Lett, E. and Wan, G. (2023). Fair admission risk prediction with proportional multicalibration. CHIL,
#'   Proceedings of Machine Learning Research 209, 350-378. \doi{10.48550/arXiv.2209.14613}
#' @details A formula says decision and groups: `fair_subgroup_scan(released ~ sex + race, data)`.
#' @concept intersectionality
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' fair_subgroup_scan(mtcars, decision = "vs", groups = c("am", "gear"), min_n = 5)
fair_subgroup_scan <- function(data, decision = NULL, groups = NULL, ..., outcome = NULL, score = NULL, metric = NULL,
                           bands = 5, favorable = 1, positive = 1, positive_prediction = NULL, max_order = 2, min_n = 10,
                           margin = 0, conf_level = 0.95, fdr = 0.05, p_adjust = "bh", missing = "level", seed = 0) {
  refuse_others(...)
  call <- take_formula(call_of("fair_subgroup_scan"), example = "released ~ sex + race")
  if (is.table(data)) data <- fair_tally(data, decision, groups, outcome = outcome, score = score)
  roles <- list(outcome = outcome, decision = decision, score = score, groups = as_list(groups))
  counted <- inherits(data, "fairstats_tally")
  if (is.null(roles$groups) && !counted) fail("groups is missing; name the columns whose labels make the subgroups.")
  for (role in c("outcome", "decision", "score")) one_name(roles[[role]], role)
  options <- list(
    metric = metric, bands = bands, favorable = one_label(favorable, "favorable"), positive = one_label(positive, "positive"),
    positive_prediction = one_label(positive_prediction, "positive_prediction"), max_order = max_order, min_n = min_n,
    margin = margin,
    conf_level = conf_level, fdr = fdr, p_adjust = p_adjust_of(p_adjust, BY = "by"), missing = missing, seed = seed
  )
  options[setdiff(c("favorable", "positive"), names(match.call()))] <- NULL
  options <- labels_of_codes(options, data, c(roles, options))
  roles <- c(roles, options[c("favorable", "positive")])
  recorded(call, "subgroup_scan", data, if (!counted) people_of(data, roles),
    c(roles[c("outcome", "decision", "score", "groups")], options))
}

#' Which features give the group away
#'
#' How well each feature tells the groups apart, alone and beside all others, among people that nothing was learned from.
#'
#' @param data A data frame, or the path of a file.
#' @param groups Names of columns of labels; each is looked at by itself.
#' @param features Names of columns of numbers, factors or text; all but those of the groups where `NULL`.
#' @param codes Names of features whose whole numbers are codes, such as postcodes and occupations: each value is a class of
#'   its own, as of a factor.
#' @param conf_level Confidence level of a family: all features alone, all that features add, all that pairs add, and
#'   whether each is missing; what all tell together, and what is left of them, is one of its own. Where nothing tells the
#'   group, each errs in at most 5 % by default, and all of them in more.
#' @param missing What happens to people without a group: they are left out (`"drop"`), are a group (`"level"`), or are an
#'   error (`"raise"`).
#' @param p_adjust How p-values and limits of a family are adjusted: `"bonferroni"`, `"holm"`, `"bh"` or `"none"`.
#' @param seed Of the parts that people are cut into, and the trees.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return A result that prints; its [tidy()] has rows of the metric `"AUC of features"` (`name` is the feature; with
#'   `role = "omnibus"` all together) and `"AUC added by feature"`, the AUC that is lost when trees are trained again without it;
#'   of pairs of features shown to tell more together than each alone `"AUC of pairs"` and `"AUC added by pair"`; as features are
#'   dropped in turn and models trained again `"AUC of features left"` (`name` is the last one dropped); and
#'   `"AUC of missing values"`, of whether a feature is missing. A feature that is the group itself in other values has a
#'   sentence and no row.
#' @references DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988). Comparing the areas under two or more correlated
#'   receiver operating characteristic curves. Biometrics 44, 837-845. \doi{10.2307/2531595}
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' fair_proxies(mtcars, "am", features = c("wt", "qsec"))
fair_proxies <- function(data, groups, ..., features = NULL, codes = NULL, conf_level = 0.95, p_adjust = "bonferroni",
                         missing = "drop", seed = 0) {
  refuse_others(...)
  people <- if (is.character(data)) data else table_of(data)
  recorded(call_of("fair_proxies"), "proxies", data, people, list(groups = as_list(groups),
    features = as_list(features), codes = as_list(codes), conf_level = conf_level,
    p_adjust = p_adjust_of(p_adjust), missing = missing, seed = whole(seed, "seed")))
}
