# The rows and points that figures show, for both kinds of graphics.

# What figures of an audit and of a comparison may show; the first where nothing is said.
audit_kinds <- c("rates", "differences", "ratios", "roc", "ecdf", "calibration")
comparison_kinds <- c("rates", "changes", "differences")

# The figure of that name. What is no figure may be a metric, which is another argument.
picture_of <- function(x, kind, kinds) {
  if (is.null(kind) || identical(kind, kinds)) {
    return(kinds[[1L]])
  }
  one_name(kind, "kind", paste("name of one of", paste(kinds, collapse = ", ")))
  if (!kind %in% kinds) {
    hint <- if (kind %in% x$tidy$metric) paste0(" It is a metric: metric = \"", kind, "\".") else nearest(kind, kinds)
    present <- Filter(function(one) has_figure(x, one), kinds)
    fail("kind = \"", kind, "\" is none of ", paste(present, collapse = ", "), ", which are the figures of this result here; ",
      "fair_figure() draws those of the report.", hint)
  }
  kind
}

# Whether a result has what a figure shows; of figures that all results of a class have, yes.
has_figure <- function(x, kind) {
  if (kind %in% names(curve_axes)) {
    return(kind %in% x$curves$kind)
  }
  rows <- main_rows(x)
  switch(kind, differences = "difference" %in% rows$contrast, ratios = "ratio" %in% rows$contrast,
    changes = !all(is.na(rows$versus)), TRUE)
}

# Where the groups are equal; nowhere on the axis of a rate.
equality <- list(rates = NULL, differences = 0, ratios = 1)

curve_axes <- list(
  roc = c("false positive rate", "true positive rate"), ecdf = c("score", "share with at most this score"),
  calibration = c("mean score", "share with the outcome")
)

# Whether rows say how differences changed, as those of fair_compare_audits() do.
of_changes <- function(rows) length(rows$estimator) > 0L && all(rows$estimator %in% "change")

# Whether rows say how rates and differences of one model differ from those of another, as those of fair_compare_models() do.
of_models <- function(rows) {
  nrow(rows) > 0L && !anyNA(rows$model) && !anyNA(rows$versus) && all(is.na(rows$fit)) && all(rows$contrast == "difference")
}

# A metric in the words of the audit, as fair_figure() has it; of any other result, and of older ones, its name.
metric_in_words <- function(metric, x) {
  at <- match(metric, x$rate_names$metric)
  if (is.na(at)) metric else writable(x$rate_names$name[at])
}

axis_of <- function(rows, x = list()) {
  # beside those within strata the crude ones are open, whose metric figures are of
  if (!is.null(rows$filled) && length(unique(rows$metric)) > 1L) rows <- rows[!rows$filled, ]
  contrast <- rows$contrast[[1L]]
  if (of_changes(rows)) {
    return(paste("change of the", contrast, "in", rows$metric[[1L]]))
  }
  if (of_models(rows)) {
    what <- if (anyNA(rows$reference)) "change in" else paste("change of the", contrast, "in")
    bases <- unique(rows$versus)
    model <- if (length(unique(rows$model)) == 1L) paste0(rows$model[[1L]], " ")
    return(paste0(what, " ", rows$metric[[1L]], if (length(bases) == 1L) paste0(" (", model, "less ", bases, ")")))
  }
  named <- !contrast %in% c("difference", "ratio") || grepl("gap", rows$metric[[1L]], fixed = TRUE) # by the metric itself
  how <- if (named) "" else c(difference = ", difference from ", ratio = ", ratio to ")[[contrast]]
  from <- unique(ifelse(is.na(rows$reference), rows$versus, rows$reference))
  whom <- if (length(from) == 1L) from else "the reference"
  paste0(metric_in_words(rows$metric[[1L]], x), how, if (nzchar(how)) whom)
}

# What the rows of each metric are of; of a change from model to model that of everybody is no difference between groups.
axes_of <- function(rows) {
  kind <- paste(rows$metric, is.na(rows$reference))
  vapply(kind, function(one) axis_of(rows[kind == one, ]), "", USE.NAMES = FALSE)
}

# fair_table() takes the attribute first, figures the metric: a name of the one in the place of the other.
refuse_exchanged <- function(x, metric, attribute) {
  rows <- if (inherits(x, "fairstats")) x$tidy
  among <- function(name, column) is.character(name) && length(name) == 1L && name %in% rows[[column]]
  if (among(metric, "attribute") && !among(metric, "metric")) {
    fail("metric = \"", metric, "\" is an attribute here; write attribute = \"", metric, "\".")
  }
  if (among(attribute, "metric") && !among(attribute, "attribute")) {
    fail("attribute = \"", attribute, "\" is a metric here; write metric = \"", attribute, "\".")
  }
}

has_strata <- function(x) isTRUE(nzchar(x$protocol$strata))

# The differences within strata, or adjusted, that answer in the place of a metric's crude ones; no rows where none do.
within_rows <- function(x, metric, attribute) {
  answer <- x$within[x$within$crude %in% metric & x$within$attribute %in% attribute, ]
  of <- function(column) x$tidy[[column]] %in% answer[[column]]
  x$tidy[x$tidy$role == "main" & x$tidy$contrast == "difference" & of("attribute") & of("metric") & of("given"), ]
}

# What an audit answers by where no metric is asked for: its decisions or scores before outcomes, amounts where it has no rate.
answering_metric <- function(rows, x) c(intersect(x$first_rates, rows$metric), rows$metric)[1L]

# The headings of differences that hold something fixed, by which Python takes their metrics, too.
within_titles <- c(`Difference within strata` = "risk difference within strata",
  `Difference of means within strata` = "mean difference within strata", `Adjusted gap` = "adjusted gap")

# What differences within strata are of, for the error of an audit that has none.
within_of <- c(`risk difference within strata` = "a decision or a score", `mean difference within strata` = "an amount")

# A crude metric in the place of that of differences within strata, which are drawn beside it.
crude_metric <- function(x, metric) {
  name <- if (isTRUE(metric %in% names(within_titles))) within_titles[[metric]] else metric
  inside <- x$within[!is.na(x$within$metric), ]
  found <- inside$crude[inside$metric %in% name]
  if (length(found)) {
    return(found[[1L]])
  }
  if (!isTRUE(name %in% names(within_of)) || name %in% x$tidy$metric) {
    return(name)
  }
  if (!has_strata(x)) {
    fail("metric = \"", metric, "\", and this audit has no strata; give the names of their columns as strata.")
  }
  fail("metric = \"", metric, "\" needs ", within_of[[name]], ", and this audit has none",
    if (length(inside$metric)) paste0("; what it has is metric = \"", inside$metric[[1L]], "\""), ".")
}

# The figure of an audit: of differences where a metric of these is given and no kind.
audit_kind <- function(x, kind, metric) {
  contrasts <- x$tidy$contrast[x$tidy$metric %in% metric]
  differs <- isTRUE(metric %in% names(within_titles)) || (length(contrasts) && all(contrasts %in% "difference"))
  picture_of(x, if (differs && identical(kind, audit_kinds)) "differences" else kind, audit_kinds)
}

# Each difference within declared strata, before the crude one; `filled` says which of them has the verdict.
beside_crude <- function(x, crude) {
  within <- within_rows(x, crude$metric[[1L]], crude$attribute[[1L]])
  if (!nrow(within)) {
    return(crude)
  }
  within <- named_groups(with_ends(within, x), x)
  for (column in setdiff(names(within), names(crude))) crude[[column]] <- NA_real_
  for (column in setdiff(names(crude), names(within))) within[[column]] <- NA_real_
  key <- function(rows) paste(rows$group, rows$name, sep = "\r")
  within$filled <- TRUE
  crude$filled <- FALSE
  crude$verdict <- NA_character_
  rows <- rbind(within, crude)
  rows <- rows[order(match(key(rows), key(crude)), !rows$filled), ]
  of_class <- ifelse(is.na(rows$name), "", paste0(rows$name, ": "))
  held <- paste0(if (has_strata(x)) " " else ", ", x$within$heading[[1L]])
  rows$label <- paste0(of_class, rows$group, ifelse(rows$filled, held, ", crude"))
  rows
}

# The level of intervals that are adjusted for the number of comparisons.
adjusted_levels <- function(rows, x) {
  current <- rows$conf.level[!is.na(rows$conf.low)]
  if (!any(current > x$glance$conf.level + 1e-9)) return(NULL)
  levels <- unique(round(100 * sort(current), 2))
  each <- paste0("each ", paste0(levels, "%", collapse = ", "), ", together ", 100 * x$glance$conf.level, "%")
  paste0(if (length(levels) > 1L) "intervals of one rate: " else "intervals: ", each) # rates have families of their own
}

# The note on the lines of an audit: whether declared strata are held fixed, and what bars are.
figure_note <- function(rows, x, kind) {
  unadjusted <- if (kind != "rates" && any(rows$metric %in% x$within$crude)) paste("not adjusted for", x$within$factors[[1L]])
  if (!is.null(rows$filled)) unadjusted <- paste("open: crude,", unadjusted)
  levels <- adjusted_levels(rows, x)
  alone <- rows$status %in% "bounded" & (if (is.null(rows$bounds.low)) TRUE else is.na(rows$bounds.low))
  note <- c(levels, unadjusted, if (!all(is.na(rows$bounds.low))) of_bars, if (any(alone)) "no point: withheld people decide it",
    if (!is.null(rows$allowed.low)) "dotted: the margin")
  if (length(note)) paste(note, collapse = "; ")
}

audit_rows <- function(x, metric, attribute, kind) {
  metric <- crude_metric(x, metric)
  refuse_exchanged(x, metric, attribute)
  contrast <- c(rates = "none", differences = "difference", ratios = "ratio")[[kind]]
  all <- x$tidy
  rows <- all[all$role == "main" & all$contrast == contrast & all$status %in% c("ok", "bounded") & !is.na(all$group), ]
  rows <- with_metric(rows, metric %||% answering_metric(rows, x), attribute)
  rows <- named_groups(with_ends(rows, x), x)
  if (kind == "differences") rows <- beside_crude(x, rows)
  margins <- x[["margins"]] # none where no margin was declared
  at <- match(paste(rows$metric, rows$contrast), paste(margins$metric, margins$contrast))
  if (!all(is.na(at))) rows[c("allowed.low", "allowed.high")] <- margins[at, c("low", "high")]
  rows
}

# Groups and references by the names that print() has for them, which results of before do not know.
named_groups <- function(rows, x) {
  named <- x$shown_as
  for (column in intersect(c("group", "reference"), if (length(named)) names(rows))) {
    at <- match(paste(rows$attribute, rows[[column]], sep = "\r"), paste(named$attribute, named$group, sep = "\r"))
    rows[[column]] <- ifelse(is.na(rows[[column]]) | is.na(at), rows[[column]], named$group_name[at])
  }
  rows
}

named_attribute <- function(attribute, x) {
  at <- match(attribute, x$shown_as$attribute)
  ifelse(is.na(at), attribute, writable(x$shown_as$attribute_name[at]))
}

with_metric <- function(rows, metric, attribute) {
  metric <- metric_named(one_name(metric, "metric", "name of one metric") %||% rows$metric[1L], unique(rows$metric))
  available <- rows$attribute[rows$metric %in% metric]
  attribute <- attribute %||% available[!is.na(available)][1L]
  chosen <- rows[rows$metric %in% metric & (is.na(rows$attribute) | rows$attribute %in% attribute), ]
  if (!metric %in% rows$metric) {
    fail("there is no metric ", sQuote(metric, FALSE), " here; the metrics are ", paste(unique(rows$metric), collapse = ", "),
      ".", nearest(metric, unique(rows$metric)))
  }
  if (!nrow(chosen)) {
    available <- unique(available[!is.na(available)])
    fail("attribute = ", dQuote(attribute, FALSE), ", and ", metric, " is of ", paste(dQuote(available, FALSE), collapse = ", "),
      "; give one of these.", nearest(attribute, available))
  }
  chosen
}

# A metric by our name or by what other libraries call it, as fair_table() takes it.
metric_named <- function(metric, available) {
  if (metric %in% available) {
    return(metric)
  }
  word <- function(name) gsub("[ -]", "_", tolower(name))
  meant <- match(word(metric), word(available))
  if (is.na(meant)) meant <- match(names(which(vapply(other_names, function(names) word(metric) %in% names, NA))), available)
  if (length(meant) && !is.na(meant[[1L]])) available[[meant[[1L]]]] else metric
}

other_names <- list(
  `base rate` = "prev", `selection rate` = c("detection_prevalence", "pprev"),
  TPR = c("true_positive_rate", "sensitivity", "recall"), FPR = "false_positive_rate",
  TNR = c("true_negative_rate", "specificity"), FNR = "false_negative_rate",
  PPV = c("positive_predictive_value", "precision"), NPV = "negative_predictive_value", FDR = "false_discovery_rate",
  FOR = "false_omission_rate"
)

# Labels of groups, the one that others are compared with marked as such.
with_reference <- function(rows, x) {
  if (!is.null(rows$label)) return(rows$label)
  reference <- named_groups(data.frame(attribute = rows$attribute[[1L]], group = x$references[[rows$attribute[[1L]]]]), x)$group
  ifelse(rows$group %in% reference, paste(rows$group, "(reference)"), rows$group)
}

compared_rows <- function(x, metric, attribute, kind) {
  refuse_exchanged(x, metric, attribute)
  all <- x$tidy
  all <- all[all$role == "main" & all$status == "ok" & !is.na(all$estimate), ]
  current <- is.na(all$versus)
  rows <- switch(kind,
    rates = all[current & all$contrast == "none", ], changes = all[!current & is.na(all$group), ],
    differences = all[current & all$contrast == "difference", ]
  )
  if (!nrow(rows)) fail("kind = \"", kind, "\", and this comparison has no such rows; the kinds are rates, changes, differences.")
  # by the gap that print() speaks of, where there is one
  rows <- with_metric(rows, metric %||% c(intersect(predicted_rates, rows$metric), rows$metric)[[1L]], attribute)
  parts <- list(rows$fit, rows$model, ifelse(is.na(rows$k), NA, paste("k =", rows$k)))
  rows$method_label <- apply(do.call(cbind, parts), 1L, function(part) paste(part[!is.na(part)], collapse = " \u00b7 "))
  rows
}

# The share predicted favorable, or positive, in which methods are compared first.
predicted_rates <- c("selection rate", "positive rate")

# On intervals of several comparisons of methods, whose sentences in print() are adjusted for their number.
level_note <- function(rows) {
  compared <- sum(!is.na(rows$p.value))
  if (compared > 1L) paste0("each interval by itself, not adjusted for ", compared, " comparisons")
}

# What figures of any other result may show; of gaps that were watched the periods come first.
other_kinds <- function(x) c(if (nrow(period_rows(x))) "periods", "estimates")

# The gap of each period, of what fair_monitor() returns, with what was known of a gap that never changed, and what is allowed.
period_rows <- function(x, metric = NULL) {
  rows <- x$tidy
  if (is.null(x$new_alarms)) return(rows[0L, ])
  rows <- rows[rows$estimator %in% "of the period" & rows$contrast == "difference" & rows$status == "ok", ]
  if (!is.null(metric)) rows <- with_metric(rows, metric, NULL)
  several <- length(unique(rows$group)) > 1L
  rows$label <- if (several) paste0(rows$group, ", ", rows$given) else rows$given
  so_far <- x$tidy[x$tidy$estimator %in% "periods so far" & is.na(x$tidy$reason), ] # one limit alone is no interval
  known <- match(paste(rows$group, rows$given, sep = "\r"), paste(so_far$group, so_far$given, sep = "\r"))
  rows[c("so.far.low", "so.far.high")] <- so_far[known, c("conf.low", "conf.high")]
  if (!is.null(x$allowed)) { # which results of before have not
    rows[c("baseline", "allowed.low", "allowed.high")] <- x$allowed[match(rows$group, x$allowed$group), -1L]
  }
  rows[order(match(rows$group, unique(rows$group))), ]
}

# What the bars and lines of watched gaps are.
periods_note <- function(rows) {
  limits <- if (any(rows$allowed.high != 0, na.rm = TRUE)) {
    if (all(is.na(rows$baseline))) "dotted: the margin" else "dotted: beyond them a change counts"
  }
  paste(c("bar: limits of the gap so far, if it never changed", limits), collapse = "; ")
}

# The ends of the bars behind estimates: what people of withheld cells leave, or what was known of a gap so far.
bars_of <- function(rows) {
  end <- function(which) rows[[paste0("bounds.", which)]] %||% rows[[paste0("so.far.", which)]] %||% NA_real_
  data.frame(low = end("low"), high = end("high"))
}

# The lines of each row where nothing is different, and where a gap begins to count.
lines_of <- function(rows) {
  allowed <- unlist(rows[intersect(c("allowed.low", "allowed.high"), names(rows))], use.names = FALSE)
  baseline <- rows$baseline
  at <- c(baseline, allowed)
  lines <- data.frame(at = at, row = rep_len(seq_len(nrow(rows)), length(at)),
    dotted = rep(c(FALSE, TRUE), c(length(baseline), length(allowed))))
  lines[!is.na(lines$at) & lines$at != 0, ]
}

# Any other table: its main rows, with what tells them apart, and where there is no difference.
other_rows <- function(x, metric) {
  refuse_exchanged(x, metric, NULL)
  rows <- with_ends(main_rows(x), x)
  there <- rows$status == "ok" & !is.na(rows$estimate)
  rows <- rows[if (is.null(rows$bounds.low)) there else there | !is.na(rows$bounds.low), ]
  if (!is.null(metric)) rows <- with_metric(rows, metric, NULL)
  if (!nrow(rows)) fail("x has no estimates to draw; see print(x).")
  # rates, their differences and their ratios have no axis in common: the differences are the answer
  apart <- rows$metric[rows$contrast == "difference"]
  rows <- rows[rows$contrast == "difference" | !rows$metric %in% apart, ]
  without <- function(term, name) sub(writable(paste0(name, " \u00b7 ")), "", term, fixed = TRUE)
  rows$label <- mapply(without, rows$term, rows$metric, USE.NAMES = FALSE)
  # subgroups by the labels of their columns; what they are compared with is said by the axis
  models <- of_models(rows)
  if (of_changes(rows) || models) {
    rows <- named_groups(rows, x)
    pairs <- ifelse(is.na(rows$reference), everybody, paste(rows$group, "vs", rows$reference))
    if (models && nrow(unique(rows[c("model", "versus")])) > 1L) pairs <- paste0(pairs, ", ", rows$model, " less ", rows$versus)
    pairs <- ifelse(is.na(rows$given), pairs, paste0(pairs, ", ", rows$given))
    again <- duplicated(paste(rows$metric, pairs)) | duplicated(paste(rows$metric, pairs), fromLast = TRUE)
    rows$label <- ifelse(again, paste0(named_attribute(rows$attribute, x), ": ", pairs), pairs)
  } else if (all(rows$reference %in% everybody)) { # in the order of fair_figure(), the flagged ones filled as there
    rows$label <- mapply(subgroup_named, rows$attribute, rows$group, USE.NAMES = FALSE)
    rows$filled <- rows$verdict %in% "flagged"
    rows <- rows[order(rows$estimate), ]
  }
  chance <- grepl("^AUC|^P\\(X>Y\\)", rows$metric) & rows$contrast == "none"
  rows$equal <- ifelse(rows$contrast == "difference", 0, ifelse(rows$contrast == "ratio", 1, ifelse(chance, 0.5, NA)))
  rows
}

# What a subgroup is compared with, which is no other group (EVERYBODY in fairstats/estimates.py).
everybody <- "everybody"

# "colour:sex" and "Black:Male" are "colour = Black, sex = Male"; names with a colon of their own stay as they are.
subgroup_named <- function(attribute, group) {
  columns <- strsplit(attribute, ":", fixed = TRUE)[[1L]]
  labels <- strsplit(group, ":", fixed = TRUE)[[1L]]
  if (length(columns) == length(labels)) paste(columns, "=", labels, collapse = ", ") else paste(attribute, "=", group)
}

curves_of <- function(x, kind, attribute) {
  all <- x$curves
  present <- unique(all$attribute[all$kind == kind])
  if (!length(present)) {
    fail("kind = \"", kind, "\", and the audit has no such curves: it needs a score",
      if (kind != "ecdf") " and an outcome", if (kind == "calibration") ", and scores that are probabilities", ".")
  }
  points <- all[all$kind == kind & all$attribute == (attribute %||% present[[1L]]), ]
  # in the order of the table, so that a group has one color in all figures
  table <- unique(x$tidy$group[x$tidy$attribute %in% points$attribute])
  points <- named_groups(points[order(match(points$group, table)), ], x)
  if (!nrow(points)) {
    fail("there is no curve of the attribute ", sQuote(attribute, FALSE), "; there are those of ",
      paste(present, collapse = ", "), ".")
  }
  points$attribute <- named_attribute(points$attribute, x)
  points
}
