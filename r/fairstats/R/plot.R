#' Figures
#'
#' `plot()` draws with base graphics, `autoplot()` with ggplot2. [fair_figure()] draws the figures of the report themselves,
#' which are more.
#'
#' @section Which figures there are:
#' | result | `kind` | what it shows |
#' |---|---|---|
#' | [fair_audit()] | `"rates"` | a metric by group with its intervals |
#' | | `"differences"` | of the groups from their reference; those within strata, or adjusted, first |
#' | | `"ratios"` | of the groups to their reference, not adjusted for strata |
#' | | `"roc"` | with a score and an outcome: true against false positive rates, a curve a group |
#' | | `"ecdf"` | with a score: the share of each group with at most this score |
#' | | `"calibration"` | with an outcome and a score that is a probability: how often the outcome came true |
#' | [fair_compare()] | `"rates"` | a metric by method, of everybody and of each group |
#' | | `"changes"` | how each method changes it against the first one |
#' | | `"differences"` | by method, of the groups from their reference |
#' | [og()], other linear and kernel fits | `"scree"` | each component's share of variation, and what of it groups explain |
#' | [fair_spectral_clustering()] | `"clusters"` | what each cluster is made of |
#' | [fair_monitor()] | `"periods"` | the gap of each period, with its limits |
#' | | `"estimates"` | the gap over all periods |
#' | all others, as [fair_leakage()] | `"estimates"` | estimates with their intervals |
#'
#' @param x,object A result of this package.
#' @param kind Which figure, by a name of the table below; the first of the result's where it is not given. Another name is
#'   an error that lists those there are.
#' @param metric,attribute Which metric and which group variable; where `NULL` the first, of an audit the metric that it
#'   answers by, of a comparison the share that is predicted. A message then names the group variables that a figure of rates,
#'   differences or ratios leaves out.
#' @param ... `plot()`: arguments of [graphics::barplot()] or [graphics::plot()] in place of ours, such as `main`, `xlim`,
#'   `xlab`, `pch`, `col` or, of bars, `names.arg`. `lwd` and `lty` are of the intervals or the curves; `col` of `"scree"` is
#'   the color of a bar, or that and the one of what groups explain. `autoplot()`: nothing.
#' @return `plot()`: what it drew, invisibly, as a data frame of the columns that have values. `autoplot()`: a ggplot.
#' @family reports
#' @name plot
#' @importFrom graphics plot
#' @examplesIf fairstats_available()
#' cars <- transform(mtcars, score = plogis(qsec - 18), fast = hp > 120)
#' audit <- fair_audit(cars, outcome = "vs", decision = "fast", score = "score", groups = "am")
#' plot(audit) # as plot(audit, "rates")
#' plot(audit, "differences")
#' plot(audit, "ratios")
#' plot(audit, "rates", metric = "FPR")
#' plot(audit, "roc")
#' plot(audit, "ecdf")
#' plot(audit, "calibration")
#'
#' fit <- og(~ hp + wt + qsec, groups = "am", k = 2, data = mtcars)
#' plot(fit, "scree")
#' plot(fair_reconstruction_error_by_group(fit, mtcars[c("hp", "wt", "qsec")], mtcars$am), "estimates")
#'
#' compared <- fair_compare(mtcars, "vs", "am", c("hp", "wt", "qsec"), methods = c("none", "og"),
#'   k = 1, n_repeats = 2)
#' plot(compared, "rates")
#' plot(compared, "changes")
#' plot(compared, "differences")
#'
#' two <- kronecker(diag(2), matrix(1, 6, 6)) + 0.1
#' diag(two) <- 0
#' plot(fair_spectral_clustering(two, rep(c("f", "m"), 6), k = 2), "clusters")
#' @examplesIf fairstats_available() && requireNamespace("ggplot2", quietly = TRUE)
#' ggplot2::autoplot(audit, "differences")
NULL

two_shades <- c("#9db4c8", "#b35c1e")
# distinct to all common kinds of color vision (Okabe and Ito), the lightest left out
line_colors <- c("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")

#' @rdname plot
#' @export
plot.fairstats_fit <- function(x, kind = "scree", ...) {
  refuse_ungraphical(graphics::barplot.default, ...)
  picture_of(x, kind, "scree")
  shares <- component_shares(x)
  given <- list(...)
  colors <- given[["col"]]
  if (length(colors) > 2L) fail("col has ", length(colors), " colors; give one, of a bar, or two, the other of its part.")
  fill <- c(colors, two_shades[seq_along(two_shades) > length(colors)])
  given[["col"]] <- fill[[1L]]
  ours <- list(height = 100 * shares$share, names.arg = shares$component, border = NA)
  axis <- if (isTRUE(given$horiz)) c("x", "y") else c("y", "x")
  ours[paste0(axis, "lab")] <- c("% of total variation", scree_label(x))
  if (is.null(given$log)) ours[[paste0(axis[[1L]], "lim")]] <- range(pretty(c(0, 100 * shares$share)))
  draw(graphics::barplot, ours, given)
  if (!all(is.na(shares$by_groups))) {
    draw(graphics::barplot, list(height = 100 * shares$share * shares$by_groups, border = NA),
      c(given[intersect(names(given), c("width", "space", "horiz", "density", "angle", "border", "xpd", "log"))],
        list(col = fill[[2L]], add = TRUE, axes = FALSE)))
    called <- c("variation", "of it, explained by the groups")
    # in one line right above the bars, below a title
    wide <- 2 * max(graphics::strwidth(called, "inches")) + 5 * letter_width()
    graphics::legend("bottom", called, fill = fill, border = NA, bty = "n", ncol = 2L, xpd = NA, inset = c(0, 1),
      y.intersp = 0.5, cex = max(min(0.9, graphics::par("pin")[[1L]] / wide), 0.5))
  }
  invisible(filled_columns(shares))
}

#' @rdname plot
#' @export
plot.fairstats_kernel <- plot.fairstats_fit

# What graphics would warn of, once for each thing that it draws.
refuse_ungraphical <- function(drawing, ...) {
  available <- setdiff(names(formals(sys.function(-1L))), c("x", "..."))
  given <- names(match.call(expand.dots = FALSE)$...) # without a look at what it is, which may draw
  for (name in given) refuse_former(name, c(available, graphical), "plot()")
  early <- intersect(given, c("panel.first", "panel.last"))
  if (length(early)) fail(early[[1L]], " would be drawn before there is a figure; draw it when plot() has returned.")
  unknown <- setdiff(given, c("", names(formals(drawing)), graphical))
  if (length(unknown)) {
    fail("plot() has no argument ", sQuote(unknown[[1L]], FALSE), "; it has ", paste(available, collapse = ", "),
      ", and those of graphics.", nearest(unknown[[1L]], c(available, names(formals(drawing)), graphical)))
  }
}

# The parameters of par() that drawing takes as well; to ask par() for them would open a device.
everywhere <- c("adj", paste0(rep(c("cex.", "col.", "font."), each = 4L), c("axis", "lab", "main", "sub")), "family", "fg",
  "font", "lab", "las", "lend", "mgp", "tck", "tcl", "xpd") # of all that is drawn, set while it is
graphical <- c(everywhere, "ann", "bg", "bty", "cex", "col", "lty", "lwd", "pch", "xaxp", "xaxs", "xaxt", "yaxp", "yaxs", "yaxt")

# A call of a function of graphics with what the user gave in place of our own.
draw <- function(drawing, ours, given) {
  names <- names(given) %||% character(length(given))
  do.call(drawing, c(ours[setdiff(names(ours), names)], given))
}

# Most columns of the tidy row say nothing of the few rows that are drawn.
filled_columns <- function(rows) rows[!vapply(rows, function(column) all(is.na(column)), NA)]

component_shares <- function(x) {
  rows <- x$tidy
  whole <- rows[rows$metric == "variance share", ]
  share <- whole$estimate
  explained <- rows$events[rows$metric == "R2"]
  # of the sum of squares, which R2 is not where that is about 0 and not about the mean
  by_groups <- if (length(explained) == length(share)) {
    explained / pmax(whole$events, .Machine$double.xmin)
  } else {
    rep(NA_real_, length(share))
  }
  data.frame(component = seq_along(share), share = share, by_groups = by_groups)
}

# og() takes out of its components what the groups explain, which is drawn.
scree_label <- function(x) paste0("component", if (identical(x$method, "og")) " before the adjustment")

#' @rdname plot
#' @export
plot.fairstats_audit <- function(x, kind = c("rates", "differences", "ratios", "roc", "ecdf", "calibration"), metric = NULL,
                                 attribute = NULL, ...) {
  refuse_ungraphical(graphics::plot.default, ...)
  kind <- audit_kind(x, kind, metric)
  if (kind %in% names(curve_axes)) {
    return(plot_curves(curves_of(x, kind, attribute), kind, ...))
  }
  rows <- audit_rows(x, metric, attribute, kind)
  tell_not_drawn(rows, x, attribute)
  plot_forest(rows, with_reference(rows, x), equality[[kind]], axis_of(rows, x), named_attribute(rows$attribute[[1L]], x),
    figure_note(rows, x, kind), ...)
}

# The other attributes of an audit, which a figure of one leaves out: for who draws it, not for who looks at it.
tell_not_drawn <- function(rows, audit, attribute) {
  others <- setdiff(audit$tidy$attribute, c(rows$attribute, NA))
  if (length(others) && is.null(attribute)) {
    message(writable(paste0("Not drawn: ", paste(others, collapse = ", "), "; give ",
      if (length(others) > 1L) "one of them" else "it", " as attribute.")))
  }
  same <- audit$tidy$attribute %in% rows$attribute & audit$tidy$metric %in% rows$metric
  suppressed <- audit$tidy[same & audit$tidy$status %in% "suppressed", ]
  withheld <- setdiff(named_groups(suppressed, audit)$group, c(rows$group, NA))
  if (length(withheld)) {
    message(writable(paste0("Not drawn, since they are withheld: ", paste(withheld, collapse = ", "), ".")))
  }
}

#' @rdname plot
#' @export
plot.fairstats_comparison <- function(x, kind = c("rates", "changes", "differences"), metric = NULL,
                                      attribute = NULL, ...) {
  refuse_ungraphical(graphics::plot.default, ...)
  kind <- picture_of(x, kind, comparison_kinds)
  rows <- compared_rows(x, metric, attribute, kind)
  labels <- ifelse(is.na(rows$group), rows$method_label, paste0(rows$method_label, ", ", rows$group))
  plot_forest(rows, labels, if (kind != "rates") 0, axis_of(rows), "", level_note(rows), ...)
}

#' @rdname plot
#' @export
plot.fairstats <- function(x, kind = NULL, metric = NULL, ...) {
  refuse_ungraphical(graphics::plot.default, ...)
  kind <- picture_of(x, kind, other_kinds(x))
  if (kind == "periods") {
    rows <- period_rows(x, metric)
    return(plot_forest(rows, rows$label, 0, axis_of(rows), "", periods_note(rows), ...))
  }
  rows <- other_rows(x, metric)
  rows <- rows[rows$metric == rows$metric[[1L]], ]
  plot_forest(rows, rows$label, rows$equal[[1L]], axis_of(rows), "", notes_of(rows, x), ...)
}

# What filled points and bars say.
flags_of <- function(rows) {
  if (!is.null(rows$filled)) "filled: flagged" else if (!all(is.na(rows$bounds.low))) of_bars
}

# The note on any other figure; of two audits also which groups it is not of, and why.
notes_of <- function(rows, x) {
  note <- c(adjusted_levels(rows, x), flags_of(rows), if (length(x$not_compared)) paste(writable(x$not_compared), collapse = " "))
  if (length(note)) paste(note, collapse = "; ")
}

of_bars <- "bar: what it may be over withheld people"

smallest_text <- 0.45

# Text in lines of no more than so many inches.
folded <- function(text, inches, size = 1) {
  if (!is.character(text)) return(text) # nothing, or an expression
  wide <- max(floor(inches / (letter_width() * size)), 8L)
  vapply(text, function(one) {
    if (nchar(one) <= wide) one else paste(strwrap(one, wide + 1L), collapse = "\n")
  }, "", USE.NAMES = FALSE)
}

lines_in <- function(text) if (is.null(text)) 0 else 1 + max(0L, nchar(gsub("[^\n]", "", as.character(text))))
letter_width <- function() 0.5 * graphics::par("csi") # of plain ones

# The names of these arguments are none that graphics::plot() might be given, nor begin like one.
plot_forest <- function(rows, called, at_equality, horizontal, title, note, ...) {
  given <- list(...)
  unused <- intersect(names(given), c("yaxp", "ygap.axis"))
  if (length(unused)) fail(unused[[1L]], " is of the ticks of the vertical axis, which has the name of each row instead.")
  old <- graphics::par(c(list(mar = graphics::par("mar")), given[intersect(names(given), everywhere)]))
  on.exit(graphics::par(old))
  n <- nrow(rows)
  bars <- bars_of(rows)
  lines <- lines_of(rows)
  drawn <- range(rows$estimate, rows$conf.low, rows$conf.high, unlist(bars), lines$at, at_equality, na.rm = TRUE, finite = TRUE)
  range <- range(pretty(drawn)) # so that the line of the axis goes to both ends
  # names of rows take part of the width, titles what is left
  line <- graphics::par("csi")
  panel <- graphics::par("fin")
  size <- max(min(1, 0.4 * panel[[1L]] / (letter_width() * max(nchar(called)))), 0.7)
  called <- folded(called, 0.4 * panel[[1L]], size)
  letters_in <- function(text) max(nchar(unlist(strsplit(text, "\n", fixed = TRUE))))
  beside <- 2 + if (is.null(given$ylab)) 0 else 1.5
  across <- panel[[1L]] - (beside - 1) * line - size * letter_width() * letters_in(called)
  main <- folded(given$main %||% title, across, 1.2 * graphics::par("cex.main")) # which is bold
  xlab <- folded(given$xlab %||% horizontal, across, graphics::par("cex.lab"))
  sub <- folded(given$sub, across, graphics::par("cex.sub"))
  above <- folded(note, across, 0.8)
  under <- graphics::par("mgp")[[1L]] + lines_in(xlab) - 1
  bottom <- under + 1 + lines_in(sub)
  top <- 1 + lines_in(above) + 1.2 * lines_in(main)
  # the size at which every row has its name: a line of text is par("csi") inches high, some of which is between lines
  height <- panel[[2L]] - (bottom + top) * line
  high <- n * 0.8 * line * max(vapply(called, lines_in, 0))
  size <- max(min(size, height / high), smallest_text)
  most <- max(1L, floor(height / (smallest_text * high / n)))
  if (n > most) { # the rest on further pages, on the same axis
    pages <- split(seq_len(n), (seq_len(n) - 1L) %/% most)
    given$xlim <- given$xlim %||% range
    for (page in pages) {
      do.call(plot_forest, c(list(rows[page, ], called[page], at_equality, horizontal, title, note), given))
    }
    return(invisible(filled_columns(rows)))
  }
  left <- beside + size * letter_width() * letters_in(called) / line
  graphics::par(mar = c(bottom, left, top, 1))
  # a thick rim would fill an open point
  of_intervals <- given[intersect(names(given), c("lwd", "lty"))]
  of_points <- given[setdiff(names(given), c("main", "sub", "xlab", "ylab", "lwd", "lty", "ann"))]
  draw(graphics::plot, list(x = rows$estimate, y = n:1, xlim = range, ylim = c(0.5, n + 0.5), yaxt = "n", ann = FALSE,
    pch = if (is.null(rows$filled)) 19 else ifelse(rows$filled, 19, 1), bty = "n",
    panel.first = bquote(graphics::segments(.(bars$low), .(n:1), .(bars$high), col = .(two_shades[[1L]]), lwd = 6, lend = 1L))),
    of_points)
  if (!isFALSE(given$ann)) {
    graphics::title(main = main, line = 0.3 + lines_in(above))
    graphics::title(xlab = xlab, line = under)
    graphics::title(sub = sub, line = under + lines_in(sub))
    graphics::title(ylab = given$ylab, line = left - 1.5) # beyond the labels
  }
  across <- n + 1 - lines$row
  if (nrow(lines)) graphics::segments(lines$at, across - 0.5, lines$at, across + 0.5, lty = ifelse(lines$dotted, 3L, 2L))
  do.call(graphics::segments, c(list(rows$conf.low, n:1, rows$conf.high, n:1, col = given[["col"]] %||% graphics::par("fg")),
    of_intervals))
  if (!is.null(at_equality) && !is.na(at_equality)) { # up to below the title
    graphics::segments(at_equality, graphics::par("usr")[[3L]], y1 = n + 0.4, lty = 2L)
  }
  # axis() leaves out labels that it thinks too close, unless they are drawn one by one
  for (i in if (!isFALSE(given$axes) && !identical(given$yaxt, "n")) seq_len(n)) {
    graphics::axis(2L, at = n + 1L - i, labels = called[[i]], las = given$las %||% 1L, tick = FALSE,
      cex.axis = size * graphics::par("cex.axis"))
  }
  if (lines_in(above)) graphics::mtext(above, side = 3L, line = 0.1, cex = 0.8 * graphics::par("cex"))
  invisible(filled_columns(rows))
}

plot_curves <- function(points, kind, ...) {
  given <- list(...)
  old <- graphics::par(c(list(mar = graphics::par("mar")), given[intersect(names(given), everywhere)]))
  on.exit(graphics::par(old))
  groups <- unique(points$group)
  each <- function(x) rep_len(x, length(groups))
  colors <- each(given[["col"]] %||% line_colors)
  types <- each(given$lty %||% (1L + (seq_along(groups) - 1L) %/% length(line_colors)))
  widths <- each(given$lwd %||% graphics::par("lwd"))
  of_points <- intersect(names(given), c("pch", "bg", "cex"))
  if (length(of_points)) fail(of_points[[1L]], " is of points, and curves have none; col, lty and lwd are of curves.")
  step <- if (kind == "ecdf") "s" else "l"
  draw(graphics::plot, list(x = range(points$x), y = c(0, 1), type = "n", xlab = curve_axes[[kind]][[1L]],
    ylab = curve_axes[[kind]][[2L]], main = folded(points$attribute[[1L]], graphics::par("pin")[[1L]],
      1.2 * graphics::par("cex.main")), bty = "n"), given[setdiff(names(given), c("col", "lty", "lwd"))])
  if (kind != "ecdf") graphics::abline(0, 1, lty = 2L)
  for (i in seq_along(groups)) {
    current <- points[points$group == groups[[i]], ]
    graphics::lines(current$x, current$y, type = step, col = colors[[i]], lty = types[[i]], lwd = widths[[i]])
  }
  graphics::legend("bottomright", groups, col = colors, lty = types, lwd = widths, bty = "n")
  invisible(points)
}
