#' Audit decisions and scores by group
#'
#' Selection rates, error rates, ranking and calibration of each group, their differences and ratios against a reference
#' group, with intervals that hold what they promise and p-values adjusted within the declared family.
#'
#' A formula (without quotes) says decision, groups and strata at once, before the data or after them:
#' `fair_audit(released ~ sex + race | checks, data)` is `decision = "released"`, `groups = c("sex", "race")` and
#' `strata = "checks"`.
#'
#' Under a design of \pkg{survey} standard errors are those of that package. Degrees of freedom of a group, in `df` of
#' [tidy()][tidy.fairstats], are those of `degf()` of its subset, the units less strata that hold people of it, or
#' Satterthwaite's where these are fewer: fewer the more units differ in weight. Between two groups they lie between theirs, and
#' are fewer where events are rare. With `degf()` alone up to 15% of equal rates in 12 to 40 units were called different at 5%,
#' where the log of their sizes has a standard deviation of 1.3; now 1 to 7% are. The printed audit says which of the two rules
#' a comparison has. Limits of means are those of `confint()` with this `df`.
#'
#' The p-value of two rates is that of a score test (Rao and Scott) with the variance of the design, and Student's t with these
#' degrees of freedom; `svyttest()` is a Wald test with those of the whole design, so the two differ in small samples. Where
#' every person is a unit, and fewer than 15 have or lack the event, it is not below the p-value of the exact test of as many
#' people as the groups are worth; `method` says so.
#'
#' A rate of a group in fewer than four units, or without a degree of freedom, is neither estimated nor compared, and `reason`
#' says so; a mean amount is estimated, without limits. A design of units and weights alone is taken as `weights` and
#' `clusters`, whose limits rest on a jackknife's error, the larger of the two.
#'
#' @param data A data frame, one row a person; a table of a database (\pkg{dbplyr}), files or a folder, as [fair_tally()]
#'   takes them; a tally, whose columns need not be named again; or a design of \pkg{survey} or \pkg{srvyr}, which is taken
#'   whole: strata, units and finite populations of every stage and the option `survey.lonely.psu` of `svydesign()`, its
#'   calibration by `calibrate()`, `postStratify()` or `rake()`, and replicates with their scales of `svrepdesign()`. Refused
#'   are strata within a later stage, two phases, joint probabilities, and a calibration within units or a second one. Or
#'   counts of people as [table()] and [xtabs()] make them:
#'   `fair_audit(UCBAdmissions, "Admit", "Gender", favorable = "Admitted")`.
#' @param outcome,decision,score Names of columns: what happened, what was decided, the number it was decided by.
#' @param amount Name of the column of a number that is given, as pay: compared by means, medians and other quantiles.
#'   The gap (metric `"gap of means"`) is the reference less the group, in per cent of the reference: above 0 where the group
#'   has less. Differences in the unit (`"mean amount"` with the contrast `"difference"`) are the group less the reference, as
#'   all differences are.
#' @param adjust_for A formula of covariates of the amounts, `~ grade + tenure + factor(site)`, or names of columns: the gap of
#'   people who are alike in them. It needs a data frame or one file.
#' @param unit What amounts are counted in, such as `"EUR/h"`. `"points"` says that they are points of a scale, such as a
#'   score, whose gaps are differences and not in per cent. So are, where neither a unit nor a margin is declared, those of
#'   amounts that all lie between 0 and 10, and those of the audited score. Durations (`difftime`) are in units of their own,
#'   or in the `"secs"`, `"mins"`, `"hours"`, `"days"` or `"weeks"` that are given.
#' @param quantiles Which quantiles of the amounts are compared beside the median.
#' @param groups Names of the group columns; `"sex:race"` is the intersection. Several are audited one by one and then
#'   together. Or a one-sided formula of them. Groups of a factor stand in the order of its levels, numbers, days
#'   and instants in theirs; all others, text and `TRUE` and `FALSE`, the largest first.
#' @param favorable,positive The decision that helps the person, and the outcome that counts as 1; 1 also means
#'   `TRUE`, and `"Yes"` where the labels are Yes and No. Of labeled columns (\pkg{haven}) a label, or its code.
#' @param positive_prediction The decision that says "positive" of the outcome, where the two have different labels.
#' @param class_order Three classes or more in their order, that which helps the person most last. A decision (or outcome)
#'   of several labels is compared class by class unless `favorable` chooses one; that of an ordered factor has an order.
#' @param threshold With `score` alone: the decision is `score >= threshold`.
#' @param reference `"largest_group"`, `"highest_rate"`, or the level that others are compared with; `c(sex = "male", race
#'   = "white")` names one for each attribute.
#' @param conf_level Confidence level.
#' @param p_adjust How p-values and intervals are adjusted within the comparisons of one rate over all attributes (those of
#'   intersections are a family of their own): `"bonferroni"`, which gives test and interval one level; `"holm"`, which shows a
#'   little more where much is shown, and has p-values only; `"bh"`, which bounds the share of false claims, and says *flagged*
#'   in place of *disparity shown*; or `"none"`. Against the highest rate it is Bonferroni over all pairs of groups, whatever
#'   is asked for. `"BH"` and `"fdr"`, as [stats::p.adjust()] has them, are `"bh"`. Its `"hochberg"`, `"hommel"` and `"BY"` are
#'   refused: every row has an interval that agrees with its adjusted p-value, and these have none here.
#' @param family Whose false claims are bounded together: those of one `"rate"`, or of the whole `"audit"`.
#' @param margin A margin within which rates count as equal, a list or a named vector such as `c(gap = 0.05)` for amounts, or
#'   `NULL`.
#' @param strata Names of columns of legitimate factors to adjust for.
#' @param weights Name of a column of weights, at least 0.
#' @param weight_type Whether a weight counts people (`"frequency"`) or is an inverse sampling `"probability"`. With the
#'   latter, and with clusters, intervals and tests rest on effective sizes and Student's t; standard errors are those of
#'   \pkg{survey}.
#' @param clusters Name of a column of sampling clusters, whose members are dependent; a group needs at least four.
#' @param design How the people of a survey were drawn, as a list of columns and rules, in place of `weights` and `clusters`:
#'   `list(weights = "w", strata = "stratum", clusters = "psu", fpc = "N", nest = TRUE)`, or `replicate_weights`, `kind`
#'   (`"BRR"`, `"JK1"`, `"JKn"`, `"bootstrap"`, `"other"`), `combined_weights` (`FALSE` where they are factors of the
#'   weights), `scale`, `rscales` and `mse`. `single_units` says what a stratum of one unit adds
#'   (`"fail"`, `"certainty"`, `"adjust"`, `"average"`), `drawn` names a column with how many units were drawn
#'   where not all have a row; `domain` names a logical column of who is audited; `calibration` names
#'   columns that the weights were calibrated to, with `base_weights` those
#'   before. A design of \pkg{survey} may be `data` itself.
#' @param min_n Denominators with fewer people are shown without their numbers.
#' @param missing People without a group (`NA`, or a blank label): a `"level"` of their own, `"drop"` them, or `"raise"` an error.
#' @param intersections Which intersections of several groups are audited beside them: `"pairs"` of every two columns,
#'   `"full"` the product of all, names such as `"sex:race"`, or `FALSE` for none.
#' @param shrunken Whether the rates of an attribute of ten groups or more, intersections above all, drawn toward the mean of
#'   all its groups stand beside the raw ones (`tidy(x, role = "shrunken")`, without a verdict; Armstrong, Kolesar and
#'   Plagborg-Moller, 2022, \doi{10.3982/ECTA18597}). Their limits hold for 95% of the groups on average, not for each.
#' @param headline One comparison, an attribute and two of its groups: `list(race = c("Black", "White"))`. It is the answer of
#'   that attribute, and the first. Without it every group is compared with the reference, and attributes with a difference come
#'   first.
#' @param labels What the report's sentences say, as a list: `title`, `unit` (the people, a plural noun), `population`,
#'   `favorable` and `unfavorable` (verb phrases of the decision, as "were released"), `positive` and `negative` (of the
#'   outcome), `false_positives` and `false_negatives` (plural nouns of the two errors), `score`, `amount` (a verb phrase, as
#'   "earn per hour"), `attributes` (column to name), `groups` (column to label to name, which the unit follows, or plural
#'   nouns where all names of the column are: "Migrants", "Locals"). Without them sentences speak of columns and labels. In a
#'   German report a verb that splits is in the perfect: "haben abgebrochen", not "brachen ab". Columns of the data that are
#'   not audited may have entries: several audits of one table share them.
#' @param law Under whose law the decisions are, `"employment"`, `"credit"` or `NULL`: only that of employment has the rule
#'   of four fifths (29 CFR 1607.4(D)).
#' @param about What the audited system is and who answers for the audit, as a list of text: `system`, `version`, `vendor`,
#'   `period`, `jurisdiction`, `intended_use`, `known_limits` (of the data or the system; page one has them), `prepared_by`,
#'   `reviewed_by`, `approved_by` (name and role), `next_review`. The report shows it; it changes no number.
#' @param action_plan Whether page one of the report ends with a table of what is to be decided, with blanks for who and
#'   until when.
#' @param seed Seed of everything random.
#' @param protocol A file (TOML) that declares these arguments in advance, by their names, or a list of the same; what it
#'   declares need not be given here, and contradicting it is an error, of a list also repeating it. Only a file shows that it
#'   was there before anyone looked, and the report prints its hash: [fair_write_protocol()] makes one of a list.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return An object of class `fairstats_audit`.
#' @seealso [fair_report()], [tidy.fairstats()]
#' @references Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of the
#'   American Statistical Association 22, 209-212. \doi{10.1080/01621459.1927.10502953}
#'
#'   Miettinen, O. and Nurminen, M. (1985). Comparative analysis of two rates. Statistics in Medicine 4, 213-226.
#'   \doi{10.1002/sim.4780040211}
#'
#'   Koopman, P. A. R. (1984). Confidence intervals for the ratio of two binomial proportions. Biometrics 40,
#'   513-517. \doi{10.2307/2531405}
#'
#'   Brunner, E. and Munzel, U. (2000). The nonparametric Behrens-Fisher problem. Biometrical Journal 42, 17-25.
#'   \doi{10.1002/(SICI)1521-4036(200001)42:1<17::AID-BIMJ17>3.0.CO;2-U}
#'
#'   DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988). Comparing the areas under two or more correlated
#'   receiver operating characteristic curves. Biometrics 44, 837-845. \doi{10.2307/2531595}
#'
#'   Benjamini, Y. and Hochberg, Y. (1995). Controlling the false discovery rate. Journal of the Royal Statistical
#'   Society B 57, 289-300. \doi{10.1111/j.2517-6161.1995.tb02031.x}
#'
#'   Mantel, N. and Haenszel, W. (1959). Statistical aspects of the analysis of data from retrospective studies of
#'   disease. Journal of the National Cancer Institute 22, 719-748. \doi{10.1093/jnci/22.4.719}
#' @concept fairness metrics
#' @concept disparate impact
#' @concept adverse impact
#' @concept four-fifths rule
#' @concept demographic parity
#' @concept equalized odds
#' @concept calibration by group
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' df <- data.frame(
#'   sex = rep(c("female", "male"), c(40, 60)),
#'   hired = c(rep(1:0, c(10, 30)), rep(1:0, c(30, 30)))
#' )
#' a <- fair_audit(df, decision = "hired", groups = "sex")
#' tidy(a, conf.int = TRUE)
#' # the same, as a formula
#' fair_audit(hired ~ sex, df)
#'
#' # an amount, such as a price
#' fair_audit(mtcars, amount = "mpg", groups = "am", margin = list(gap = 0.05))
#' # among cars of the same weight
#' fair_audit(mtcars, amount = "mpg", groups = "am", adjust_for = ~ wt)
#'
#' # what was decided before looking at the data, in a file
#' plan <- tempfile(fileext = ".toml")
#' writeLines(c(
#'   'groups = ["sex"]', 'decision = "hired"', 'reference = "male"', "margin = 0.05"
#' ), plan)
#' fair_audit(df, protocol = plan)
#'
#' @examplesIf fairstats_available() && requireNamespace("survey", quietly = TRUE)
#' # a survey: its design in place of the data frame
#' data("api", package = "survey")
#' schools <- survey::svydesign(ids = ~1, strata = ~stype, weights = ~pw, fpc = ~fpc, data = apistrat)
#' fair_audit(schools, decision = "sch.wide", groups = "yr.rnd", favorable = "Yes")
#'
#' @examplesIf fairstats_available() && all(vapply(c("RSQLite", "dbplyr"), requireNamespace, NA, quietly = TRUE))
#' # a table of a database, which does the counting
#' connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
#' DBI::dbWriteTable(connection, "applicants", df)
#' fair_audit(dplyr::tbl(connection, "applicants"), decision = "hired", groups = "sex")
#' DBI::dbDisconnect(connection)
fair_audit <- function(data, decision = NULL, groups = NULL, ..., outcome = NULL, score = NULL, amount = NULL,
                       unit = NULL, quantiles = c(0.1, 0.5, 0.9), adjust_for = NULL, threshold = NULL, favorable = 1,
                       positive = 1, positive_prediction = NULL, class_order = NULL, reference = "largest_group",
                       conf_level = 0.95, p_adjust = "bonferroni", family = "rate", margin = NULL, strata = NULL,
                       weights = NULL, weight_type = "frequency", clusters = NULL, design = NULL, min_n = 1,
                       missing = "level", intersections = "pairs", shrunken = FALSE, headline = NULL, labels = NULL,
                       law = NULL, about = NULL, action_plan = FALSE, seed = 0, protocol = NULL) {
  refuse_others(...)
  of_counts <- take_table()
  call <- take_formula(call_of("fair_audit"), within = "strata", example = "released ~ sex + race | checks")
  refuse_grouped(data, "data")
  refuse_values(list(outcome = outcome, score = score, amount = amount, strata = strata, weights = weights, clusters = clusters),
    data)
  given <- c(names(match.call()), if (!is.null(attr(call, "formula"))) c("decision", "groups", "strata"),
    if (of_counts) "weights")
  if (is_design(design)) {
    fail("design is a design of survey, which has its people: leave it out, and give it in place of data.")
  }
  sampled <- NULL
  if (is_design(data)) {
    sampled <- design_parts(data, names(match.call()))
    design <- sampled$design
    data <- sampled$frame
    if (is.null(sampled$design)) {
      weights <- sampled$weights
      weight_type <- sampled$weight_type
      clusters <- sampled$clusters
    }
  }
  # a column of durations, which have a unit of their own
  duration <- function(name) {
    column <- if (is.character(name) && length(name) == 1L && is.data.frame(data)) data[[name]]
    if (inherits(column, "difftime")) column
  }
  if (inherits(threshold, "difftime")) {
    scores <- duration(score)
    if (is.null(scores)) fail("threshold is a duration in ", units(threshold), ", and score is none; give a number.")
    threshold <- as.numeric(threshold, units = units(scores))
  }
  if (is.null(unit) && is.null(protocol) && !is.null(duration(amount))) unit <- units(duration(amount))
  arguments <- in_forms(mget(names(audit_forms)))
  # A default is not a label that somebody gave: words of the favorable decision need one.
  arguments[setdiff(c("favorable", "positive"), given)] <- NULL
  declared <- list()
  if (!is.null(protocol)) {
    # Defaults of this function are no wishes of the user's: they must not contradict the file.
    wishes <- c(given, names(sampled))
    arguments <- arguments[names(arguments) %in% wishes]
    if (is.list(protocol)) {
      arguments <- with_declared(arguments, protocol)
      protocol <- NULL
    } else {
      declared <- declared_in(protocol)
    }
  }
  choices <- c(declared, arguments[setdiff(names(arguments), names(declared))])
  arguments <- labels_of_codes(arguments, data, choices, names(declared))
  choices <- c(declared, arguments[setdiff(names(arguments), names(declared))])
  pay <- duration(choices$amount)
  if (!is.null(pay)) {
    units(pay) <- unit_of_time(choices$unit, units(pay))
    data[[choices$amount]] <- pay
  }
  counted <- inherits(data, "fairstats_tally")
  if (is.null(choices$groups) && !counted) {
    fail("groups is missing; name the columns whose groups are compared",
      if (of_counts) way_of_table(data, choices$decision), ".")
  }
  for (role in c("outcome", "decision", "score", "amount", "weights", "clusters")) one_name(choices[[role]], role)
  rules <- list(protocol = if (!is.null(protocol)) path.expand(protocol))
  result <- recorded(call, "audit", data, if (!counted) people_of(data, choices), c(arguments, rules),
    if (!is.null(sampled)) "survey design" else if (of_counts) "table")
  if (is.null(choices$favorable) && is.null(choices$class_order)) warn_of_rare(choices$decision %||% choices$outcome, data)
  result
}

# Three labels or more are compared class by class: one that hardly anybody has may be an error among decisions of 0 and 1.
warn_of_rare <- function(name, data) {
  column <- if (is.data.frame(data) && is.character(name) && length(name) == 1L) data[[name]]
  if (!is.atomic(column) || is.ordered(column) || (is.object(column) && !is.factor(column))) return(invisible())
  counts <- table(column)
  counts <- counts[counts > 0L]
  rare <- counts[counts < sum(counts) / 100]
  if (length(counts) < 3L || !length(rare)) return(invisible())
  labels <- paste0(names(rare), " (", rare, " of ", sum(counts), ")")
  tell(name, " has ", length(counts), " labels, which are compared class by class, and fewer than 1% of people have ",
    paste(utils::head(labels, 5L), collapse = ", "), "; if this is an error, correct the data, or give favorable, the one label ",
    "that counts.")
}

# A call with its formula as R writes it, first and without a name: fair_audit(released ~ sex, data = people).
call_of_formula <- function(call, data, second, argument) {
  first <- inherits(data, "formula")
  if (first) names(call)[match(c("data", argument), names(call))] <- c(argument, "data")
  names(call)[match(argument, names(call))] <- ""
  attr(call, "formula") <- if (first) data else second
  call
}

# What `left ~ groups | within` says, as values of the arguments of the function that calls this; its call comes back. The formula
# comes first and the data second, as of lm(), or after the data.
take_formula <- function(call, argument = "decision", within = NULL, example = "released ~ sex") {
  frame <- parent.frame()
  absent <- function(name) eval(call("missing", as.name(name)), frame)
  data <- if (!absent("data")) get("data", frame)
  given <- function(name) if (!absent(name)) get(name, frame)
  second <- given(argument)
  # a column in place of the data frame
  values <- is.atomic(data) && is.null(dim(data)) && length(data) > 1L
  if (values && (!is.character(data) || length(second) == length(data))) table_of(data)
  refuse_values(stats::setNames(list(second, given("groups")), c(argument, "groups")), data)
  refuse_quoted(list(data, second, given("groups")), c(names(data), names(second)))
  if (!inherits(data, "formula") && !inherits(second, "formula")) {
    if (is.data.frame(second) || is.data.frame(given("groups"))) {
      fail(if (is.data.frame(second)) argument else "groups", " is a data frame, which comes first; ", argument,
        " and groups are names of its columns.")
    }
    return(call)
  }
  parts <- parts_of_formula(data, second, argument, example)
  if (!is.null(parts$within) && is.null(within)) {
    fail(parts$text, " has a bar, and nothing is compared within strata here; leave it out: ", parts$left, " ~ ",
      deparse1(parts$right), ".")
  }
  said <- list(groups = given("groups"))
  if (!is.null(parts$within)) said[within] <- list(given(within))
  named_once(said, parts$text)
  one_sided <- function(part) stats::as.formula(call("~", part), env = environment(parts$formula))
  assign("data", parts$data, frame)
  assign(argument, parts$left, frame)
  assign("groups", attributes_of(one_sided(parts$right)), frame)
  if (is.null(parts$within) && identical(within, "blocks") && is.null(given(within))) {
    fail("blocks is missing, and ", parts$text, " has no bar; write, say, ", example, ".")
  }
  if (!is.null(parts$within)) assign(within, attributes_of(one_sided(parts$within), within), frame)
  call_of_formula(call, data, second, argument)
}

# left ~ right | within, from the first two arguments of a call, whichever of them is the formula and which the data.
parts_of_formula <- function(data, second, what, example) {
  formula <- if (inherits(data, "formula")) data else second
  data <- if (inherits(data, "formula")) second else data
  text <- deparse1(formula)
  if (is.null(data)) fail("data is missing; give the data frame that ", text, " speaks of.")
  label <- chosen_label(formula, names(data))
  if (what == "decision" && !is.null(label)) {
    fail(text, " computes the decision; write ", label$column, " ~ ", deparse1(formula[[3L]]), ", and favorable = ",
      deparse1(label$value), ".")
  }
  if (length(formula) != 3L || !is.name(formula[[2L]])) {
    fail(text, " has no name of ", if (grepl("^[aeiou]", what)) "an " else "a ", what, " on its left-hand side; write, say, ",
      example, ".")
  }
  right <- formula[[3L]]
  within <- if (rlang::is_call(right, "|")) right[[3L]]
  list(formula = formula, data = data, text = text, left = as.character(formula[[2L]]),
    right = if (is.null(within)) right else right[[2L]], within = within)
}

# The column and the label of a formula `released == "Yes" ~ sex`.
chosen_label <- function(formula, columns) {
  left <- if (length(formula) == 3L) formula[[2L]]
  if (!rlang::is_call(left, "==", 2L)) return(NULL)
  column <- Filter(function(part) is.name(part) && as.character(part) %in% columns, as.list(left)[-1L])
  value <- Filter(function(part) rlang::is_scalar_atomic(part), as.list(left)[-1L])
  if (length(column) == 1L && length(value) == 1L) list(column = as.character(column[[1L]]), value = value[[1L]])
}

# What a formula says is not said by an argument, too.
named_once <- function(arguments, text, way = "") {
  for (name in names(arguments)[!vapply(arguments, is.null, NA)]) {
    fail(name, " is given, and ", text, " says it, too; leave one of the two out", way, ".")
  }
}

# Values in place of the name of a column, which is one of data's as a rule.
refuse_values <- function(given, data) {
  for (name in names(given)) {
    x <- given[[name]]
    if (is.null(x) || !is.atomic(x)) next
    if (length(x) == 1L && is.na(x)) fail(name, " is NA; give the name of a column.")
    if (!is.data.frame(data) || length(x) < 2L || length(x) != nrow(data) || is.character(x) && all(x %in% names(data))) next
    same <- names(data)[vapply(data, identical, NA, x)]
    fail(name, " has a value a row; give the name of the column", if (length(same)) {
      paste0(": ", name, " = \"", same[[1L]], "\".")
    } else {
      ", once it is one of data."
    })
  }
}

# A formula in quotes is text, which would be looked for among the columns, or as a file.
refuse_quoted <- function(given, columns) {
  for (x in given) {
    if (!is.character(x) || length(x) != 1L || is.na(x) || x %in% columns) next
    if (rlang::is_call(tryCatch(str2lang(x), error = function(problem) NULL), "~")) {
      fail("\"", x, "\" is text, and no column has that name; write the formula without quotes: ", x, ".")
    }
  }
}

# The form of each argument of an audit; tools/r_arguments.py writes it, and the signature of fair_audit().
audit_forms <- c(
  decision = "column", groups = "columns", outcome = "column", score = "column", amount = "column", unit = "label",
  quantiles = "shares", adjust_for = "formula", threshold = "number", favorable = "label", positive = "label",
  positive_prediction = "label", class_order = "order", reference = "reference", conf_level = "level",
  p_adjust = "choice", family = "choice", margin = "margin", strata = "columns", weights = "column",
  weight_type = "choice", clusters = "column", design = "design", min_n = "count", missing = "choice",
  intersections = "intersections", shrunken = "flag", headline = "headline", labels = "labels", law = "choice",
  about = "about", action_plan = "flag", seed = "seed"
)

# Values of arguments as Python reads them, each by its form; what is absent stays so.
in_forms <- function(values) {
  for (name in names(values)[!vapply(values, is.null, NA)]) {
    form <- audit_forms[[name]]
    if (form %in% names(audit_values)) values[[name]] <- audit_values[[form]](values[[name]], name)
  }
  values
}

# Forms whose values R writes in another way than Python reads them.
audit_values <- list(
  column = function(value, name) one_name(column_of(value), name),
  columns = function(value, name) as.list(attributes_of(value, name)),
  label = function(value, name) one_label(value, name),
  choice = function(value, name) if (name == "p_adjust") p_adjust_of(value) else value,
  reference = function(value, name) reference_of(value),
  margin = function(value, name) if (is.null(names(value))) value else as.list(value),
  intersections = function(value, name) if (length(value) == 1L) value else as.list(value),
  headline = function(value, name) headline_of(value),
  order = function(value, name) lapply(as.list(plain_column(value)), one_label, name),
  labels = function(value, name) named_parts(named_entries(value, name, "unit = \"arrestees\"")),
  shares = function(value, name) as.list(value),
  formula = function(value, name) covariates(value),
  about = function(value, name) lapply(named_entries(value, name, "system = \"Screener\""), text_of_date),
  design = function(value, name) named_parts(named_entries(value, name, "weights = \"w\""))
)

# The columns that an audit speaks of, with labels as R writes them; scores and weights stay numbers. Tables have the groups
# of factors in the order of their levels, as R's own have them; Python keeps that of ordered ones.
audited_columns <- function(data, choices) {
  data <- table_of(data)
  roles <- roles_of(choices, names(data))
  for (role in names(roles)) pick(unique(roles[[role]]), data, role)
  drawn <- design_roles(choices$design, names(data))
  for (role in names(drawn)) pick(unique(drawn[[role]]), data, "design")
  columns <- unique(c(unlist(roles, use.names = FALSE), unlist(drawn, use.names = FALSE)))
  rows_of_counts(data, columns)
  worded <- c(if (!by_codes(data[[roles$decision %||% ""]], choices$favorable)) roles$decision,
    if (!by_codes(data[[roles$outcome %||% ""]], choices$positive)) roles$outcome,
    Filter(function(name) inherits(data[[name]], "integer64"), c(roles$decision, roles$outcome)))
  covariates <- setdiff(intersect(covariate_names(choices$adjust_for), names(data)), columns)
  cells <- setdiff(intersect(c(".rows", ".most"), names(data)), c(columns, covariates)) # of a tally, which Python refuses
  frame <- plain_columns(data[c(columns, covariates, cells)], c(roles$groups, roles$strata, roles$clusters, worded))
  rownames(frame) <- NULL
  numbers <- c(unlist(drawn[setdiff(names(drawn), c("strata", "clusters", "calibration"))]),
    Filter(function(name) is.numeric(frame[[name]]), unlist(drawn$calibration)))
  labels <- setdiff(columns, c(choices$score, choices$amount, choices$weights, numbers))
  kept <- intersect(roles$groups, names(frame)[!vapply(frame, is.logical, NA)])
  frame[labels] <- labeled(frame[labels])
  frame[kept] <- lapply(frame[kept], function(x) if (is.factor(x)) structure(x, class = c("ordered", "factor")) else x)
  frame
}

most_cells <- 1e4

# Counts that nobody named as such: as.data.frame() of a table makes Freq, dplyr::count() n.
rows_of_counts <- function(data, used) {
  count <- setdiff(intersect(c("Freq", "n"), names(data)), used)
  labels <- data[setdiff(names(data), count)]
  if (length(count) != 1L || !length(labels) || nrow(data) > most_cells || !is.numeric(data[[count]])) return(invisible())
  kinds <- vapply(labels, function(x) length(unique(x)), 0L)
  # a column that differs in all rows names them; a table has a row for most of its cells
  if (any(kinds == nrow(data)) || prod(kinds) > 2 * nrow(data) || anyDuplicated(labels)) return(invisible())
  tell("data has a column ", count, " and each combination of its other columns once, as a table of counts has: its rows are ",
    "read as people; give weights = \"", count, "\" if it counts them.")
}

# The columns of a formula of covariates, or of a list of them.
covariate_names <- function(given) {
  if (length(given) != 1L || !grepl("[~+]", given)) {
    return(unlist(given))
  }
  all.vars(stats::as.formula(paste("~", sub("^\\s*~", "", given))))
}

# The columns of each argument; "sex:race" is two.
roles_of <- function(choices, columns) {
  list(outcome = choices$outcome, decision = choices$decision, score = choices$score, amount = choices$amount,
    groups = group_names(unlist(choices$groups), columns), strata = unlist(choices$strata), weights = choices$weights,
    clusters = choices$clusters)
}

# The columns of a survey's design; "rw*" are all that begin so.
design_roles <- function(design, columns) {
  replicates <- lapply(design$replicate_weights, function(name) {
    if (name %in% columns || !grepl("*", name, fixed = TRUE)) name else grep(utils::glob2rx(name), columns, value = TRUE)
  })
  c(design[intersect(c(names(of_design), "calibration", "domain"), names(design))],
    if (length(replicates)) list(replicate_weights = unlist(replicates)))
}

one_name <- function(x, argument, what = "name of a column of data") {
  if (!is.null(x) && (!is.character(x) || length(x) != 1L || is.na(x))) {
    fail(argument, " is of class ", class(x)[[1L]], " and length ", length(x), "; give the ", what, ".")
  }
  x
}

# The unit of R's for an amount of durations, by any of its usual names.
unit_of_time <- function(unit, current) {
  if (is.null(unit)) {
    return(current)
  }
  names <- list(secs = c("s", "sec", "second", "seconds"), mins = c("min", "minute", "minutes"), hours = c("h", "hour"),
    days = c("d", "day"), weeks = c("week"))
  for (one in names(names)) if (identical(tolower(unit), one) || tolower(unit) %in% names[[one]]) return(one)
  fail("unit = ", deparse1(unit), ", and the amounts are durations in ", current, "; give one of ",
    paste(names(names), collapse = ", "), ", or as.numeric() of the column.")
}

# A column by a formula, as package survey takes it: ~ weight.
column_of <- function(x) {
  if (inherits(x, "formula") && length(x) == 2L && is.name(x[[2L]])) as.character(x[[2L]]) else x
}

# One label as Python is to read it: R writes TRUE where Python writes True, and a factor or a day is its text.
one_label <- function(x, argument) {
  if (is.null(x)) {
    return(NULL)
  }
  if (identical(is.na(x), TRUE)) fail(argument, " is NA; give a label, or leave it out.")
  if (!is.atomic(x) || length(x) != 1L) {
    together <- if (argument %in% c("favorable", "positive")) {
      "; to set these together against the others, write first data$COLUMN <- data$COLUMN %in% c(...), TRUE for them"
    }
    fail(argument, " = ", paste(as.character(utils::head(x, 5L)), collapse = ", "), " is not one label; give one", together, ".")
  }
  if (is.numeric(x) && !is.object(x)) x else label_text(x)
}

# A group: labels are text, also those that R writes as numbers.
group_label <- function(x) if (is.numeric(x)) label_text(one_label(x, "reference")) else one_label(x, "reference")

# A rule, a level, or a level by attribute, as a list or a named vector.
reference_of <- function(reference) {
  if (is.null(names(reference))) {
    if (length(reference) > 1L) {
      fail("reference has ", length(reference), " levels without names; name the attribute of each, as in ",
        "c(sex = \"male\", race = \"white\").")
    }
    return(one_label(reference, "reference"))
  }
  lapply(as.list(reference), one_label, "reference")
}

# The comparison of page one: one attribute, and two labels as R writes them.
headline_of <- function(headline) {
  if (is.null(headline)) {
    return(NULL)
  }
  two <- if (is.list(headline) && length(headline) == 1L) headline[[1L]]
  if (is.null(names(headline)) || length(two) != 2L || anyNA(two)) {
    fail("headline = ", deparse1(headline, nlines = 1L), " is no comparison; give one attribute and two of its groups: ",
      "list(race = c(\"Black\", \"White\")).")
  }
  lapply(headline, function(labels) lapply(unname(as.list(labels)), one_label, "headline"))
}

text_of_date <- function(x) if (inherits(x, "Date")) format(x) else x

# What is said under names of its own; each entry needs one.
named_entries <- function(x, argument, example) {
  if (is.null(x)) {
    return(NULL)
  }
  if (is.null(names(x)) || !all(nzchar(names(x)))) {
    fail(argument, " = ", deparse1(x, nlines = 1L), " has an entry without a name; give names, as in list(", example, ").")
  }
  as.list(x)
}

# Vectors with names, or of several values, as lists all the way down: Python reads mappings and lists.
named_parts <- function(x) {
  if (is.list(x) || length(x) > 1L || !is.null(names(x))) lapply(as.list(x), named_parts) else x
}

as_list <- function(x) if (is.null(x)) NULL else as.list(x)

#' The tables of New York City's Local Law 144
#'
#' Selection rates, or scoring rates, and impact ratios of every category and intersection of sex and race or ethnicity, as
#' the rules for automated employment decision tools ask an employer to publish them, beside the intervals that they do not
#' ask for.
#'
#' @param audit What [fair_audit()] returns.
#' @param exclude Categories of less than 2 % of the data to leave out of the impact ratios, as names, each with the
#'   auditor's justification: `c(Pacific = "nine people say nothing about a rate")`.
#' @param about What is published beside the tables, as a named vector of some of `tool`, `vendor`, `version`, `employer`,
#'   `distributed` (the day on which the tool came into use), `data` (their source, and whether they are historical or
#'   test data, and why) and `independence`.
#' @param unknown Labels of people whose category is not known, who are counted and in no rate, as those without a label,
#'   beside every label that says so, such as `"Unknown"` or `"Decline to state"`.
#' @param measure `"scoring rate"`: those whom the audit has as selected are those with a score above the median of the
#'   sample, as in counts of [fair_from_counts()]. `NULL`: the rate that the audit has.
#' @param ... Nothing: an argument of another name is an error that names the nearest.
#' @return A list that prints, with an entry for each attribute, and for their intersection: its `categories` are a tibble
#'   with a line a category (`n`, `selected`, `rate`, its share of all people, `impact.ratio`, intervals, and the `reason`
#'   where there is no ratio), beside `measure`, `highest` (the category that ratios are taken to) and `unknown` (how many
#'   people are in no category). [tidy()], of all or of an entry, has a line an estimate, `glance()` a line a table. What was
#'   given as `about` is the list's attribute of that name.
#' @seealso [fair_report()] with `preset = "ll144"`.
#' @references Department of Consumer and Worker Protection (2023). Automated employment decision tools. Rules of the City of
#'   New York, title 6, sections 5-300 to 5-304.
#' @concept bias audit
#' @concept automated employment decision tool
#' @family audits
#' @export
#' @examplesIf fairstats_available()
#' df <- data.frame(
#'   sex = rep(c("female", "male"), c(40, 60)),
#'   hired = rep(c(1, 0, 1, 0), c(10, 30, 30, 30))
#' )
#' fair_local_law_144(fair_audit(df, decision = "hired", groups = "sex"))
fair_local_law_144 <- function(audit, exclude = NULL, about = NULL, unknown = NULL, measure = NULL, ...) {
  refuse_others(...)
  audited <- python_object(audit, "audit")
  refuse_na(list(exclude = exclude, unknown = unknown))
  result <- fs_call("local_law_144", list(
    exclude = as_list(exclude), about = named_entries(about, "about", "tool = \"Ranker\""), unknown = as_list(unknown),
    measure = measure
  ), list(audit = audited))
  tables <- lapply(result$tables, function(table) {
    table$categories <- tibble::as_tibble(table$categories)
    table
  })
  structure(tables, about = unlist(result$about), class = "fairstats_impact_tables")
}

#' @rdname fair_local_law_144
#' @param x What `fair_local_law_144()` returns.
#' @export
print.fairstats_impact_tables <- function(x, ...) {
  for (i in seq_along(x)) cat(if (i > 1L) "\n", writable(x[[i]]$summary), "\n", sep = "")
  invisible(x)
}

#' @rdname fair_local_law_144
#' @export
tidy.fairstats_impact_tables <- function(x, ...) {
  tidy.fairstats(list(tidy = do.call(rbind, unname(lapply(x, `[[`, "tidy")))), ...)
}

#' @rdname fair_local_law_144
#' @export
glance.fairstats_impact_tables <- function(x, ...) {
  refuse_others(...)
  tibble::as_tibble(do.call(rbind, unname(lapply(x, `[[`, "glance"))))
}

#' @param row.names,optional,stringsAsFactors As in [base::as.data.frame()].
#' @rdname fair_local_law_144
#' @export
as.data.frame.fairstats_impact_tables <- function(x, row.names = NULL, optional = FALSE, stringsAsFactors = FALSE, ...) {
  refuse_others(...)
  framed(tidy.fairstats_impact_tables(x), row.names, optional, stringsAsFactors)
}

#' @export
plot.fairstats_impact_tables <- function(x, ...) python_object(x, "x") # an error: they have no figure

#' @exportS3Method ggplot2::autoplot
autoplot.fairstats_impact_tables <- function(object, ...) python_object(object, "object")
