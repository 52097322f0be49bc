#' Figures
#'
#' `plot()` draws with base graphics, `autoplot()` with ggplot2. A fit: the share of variation of each component, and how
#' much of it the groups explain. An audit: a metric by group with its intervals, or the differences or ratios of the
#' groups from their reference.
#'
#' @param x,object A fit or an audit.
#' @param metric,attribute Of an audit: which metric and which group variable; the first where `NULL`.
#' @param kind Of an audit: `"rates"`, `"differences"` or `"ratios"`.
#' @param ... Passed on to [graphics::barplot()] or [graphics::plot()].
#' @return `plot()`: what it drew, invisibly, as a data frame. `autoplot()`: a ggplot.
#' @name plot
#' @examplesIf fairstats_available()
#' plot(og(~ hp + wt + qsec, group = "am", k = 2, data = mtcars))
NULL

#' @rdname plot
#' @export
plot.fairstats_fit <- function(x, ...) {
  shares <- component_shares(x)
  graphics::barplot(100 * shares$share,
    names.arg = shares$component, ylab = "% of total variation", xlab = "component",
    col = "#9db4c8", border = NA, ...
  )
  if (!all(is.na(shares$by_groups))) {
    graphics::barplot(100 * shares$share * shares$by_groups, col = "#b35c1e", border = NA, add = TRUE, axes = FALSE)
    graphics::legend("topright", c("variation", "of it, explained by the groups"),
      fill = c("#9db4c8", "#b35c1e"), border = NA, bty = "n"
    )
  }
  invisible(shares)
}

#' @rdname plot
#' @export
plot.fairstats_kernel <- plot.fairstats_fit

component_shares <- function(x) {
  rows <- x$tidy
  share <- rows$estimate[rows$metric == "variance share"]
  explained <- rows$estimate[rows$metric == "R2"]
  by_groups <- if (length(explained) == length(share)) explained else rep(NA_real_, length(share))
  data.frame(component = seq_along(share), share = share, by_groups = by_groups)
}

#' @rdname plot
#' @export
plot.fairstats_audit <- function(x, metric = NULL, attribute = NULL, kind = c("rates", "differences", "ratios"), ...) {
  kind <- match.arg(kind)
  rows <- audit_rows(x, metric, attribute, kind)
  equal <- equality[[kind]]
  n <- nrow(rows)
  range <- range(rows$estimate, rows$conf.low, rows$conf.high, equal, na.rm = TRUE, finite = TRUE)
  old <- graphics::par(mar = c(4, 2 + 0.6 * max(nchar(rows$group)), 2, 1))
  on.exit(graphics::par(old))
  graphics::plot(rows$estimate, n:1, xlim = range, ylim = c(0.5, n + 0.5), yaxt = "n", ylab = "", pch = 19,
    xlab = axis_of(rows), main = rows$attribute[[1L]], bty = "n", ...)
  graphics::segments(rows$conf.low, n:1, rows$conf.high, n:1)
  graphics::abline(v = equal, lty = 2L)
  graphics::axis(2L, at = n:1, labels = rows$group, las = 1L, tick = FALSE)
  invisible(rows)
}

# Where the groups are equal; nowhere on the axis of a rate.
equality <- list(rates = NULL, differences = 0, ratios = 1)

axis_of <- function(rows) {
  how <- c(none = "", difference = ", difference from ", ratio = ", ratio to ")[[rows$contrast[[1L]]]]
  paste0(rows$metric[[1L]], how, if (nzchar(how)) rows$reference[[1L]])
}

audit_rows <- function(x, metric, attribute, kind) {
  contrast <- c(rates = "none", differences = "difference", ratios = "ratio")[[kind]]
  all <- x$tidy
  rows <- all[all$role == "main" & all$contrast == contrast & all$status == "ok" & !is.na(all$group), ]
  metric <- metric %||% rows$metric[[1L]]
  attribute <- attribute %||% rows$attribute[[1L]]
  chosen <- rows[rows$metric == metric & rows$attribute == attribute, ]
  if (!nrow(chosen)) {
    fail("there is no metric ", sQuote(metric, FALSE), " of ", sQuote(attribute, FALSE), "; the metrics are ",
      paste(unique(rows$metric), collapse = ", "), ".")
  }
  chosen
}

#' @rdname plot
#' @exportS3Method ggplot2::autoplot
autoplot.fairstats_fit <- function(object, ...) {
  shares <- component_shares(object)
  long <- data.frame(
    component = factor(rep(shares$component, 2L)),
    share = 100 * c(shares$share * (1 - ifelse(is.na(shares$by_groups), 0, shares$by_groups)),
      shares$share * ifelse(is.na(shares$by_groups), 0, shares$by_groups)),
    part = factor(rep(c("other", "explained by the groups"), each = nrow(shares)), c("other", "explained by the groups"))
  )
  ggplot2::ggplot(long, ggplot2::aes(.data$component, .data$share, fill = .data$part)) +
    ggplot2::geom_col() +
    ggplot2::scale_fill_manual(NULL, values = c("#9db4c8", "#b35c1e")) +
    ggplot2::labs(x = "component", y = "% of total variation")
}

#' @rdname plot
#' @exportS3Method ggplot2::autoplot
autoplot.fairstats_kernel <- autoplot.fairstats_fit

#' @rdname plot
#' @exportS3Method ggplot2::autoplot
autoplot.fairstats_audit <- function(object, metric = NULL, attribute = NULL,
                                     kind = c("rates", "differences", "ratios"), ...) {
  kind <- match.arg(kind)
  rows <- audit_rows(object, metric, attribute, kind)
  ggplot2::ggplot(rows, ggplot2::aes(.data$estimate, .data$group)) +
    ggplot2::geom_vline(xintercept = equality[[kind]] %||% numeric(), linetype = 2L) +
    ggplot2::geom_pointrange(ggplot2::aes(xmin = .data$conf.low, xmax = .data$conf.high)) +
    ggplot2::labs(x = axis_of(rows), y = rows$attribute[[1L]])
}

utils::globalVariables(".data")
