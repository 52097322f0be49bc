# The same figures by ggplot2.

#' @rdname plot
#' @exportS3Method ggplot2::autoplot
autoplot.fairstats_fit <- function(object, kind = "scree", ...) {
  refuse_others(...)
  picture_of(object, kind, "scree")
  shares <- component_shares(object)
  explained <- ifelse(is.na(shares$by_groups), 0, shares$by_groups)
  parts <- c("other", "explained by the groups")
  long <- data.frame(
    component = factor(rep(shares$component, 2L)), share = 100 * c(shares$share * (1 - explained), shares$share * explained),
    part = factor(rep(parts, each = nrow(shares)), parts)
  )
  ggplot2::ggplot(long, ggplot2::aes(.data$component, .data$share, fill = .data$part)) +
    ggplot2::geom_col() +
    ggplot2::scale_fill_manual(NULL, values = two_shades) +
    ggplot2::labs(x = scree_label(object), y = "% of total variation")
}

#' @rdname plot
#' @exportS3Method ggplot2::autoplot
autoplot.fairstats_kernel <- autoplot.fairstats_fit

#' @rdname plot
#' @exportS3Method ggplot2::autoplot
autoplot.fairstats_audit <- function(object, kind = c("rates", "differences", "ratios", "roc", "ecdf", "calibration"),
                                     metric = NULL, attribute = NULL, ...) {
  refuse_others(...)
  kind <- audit_kind(object, kind, metric)
  if (kind %in% names(curve_axes)) {
    return(ggcurves(curves_of(object, kind, attribute), kind))
  }
  rows <- audit_rows(object, metric, attribute, kind)
  tell_not_drawn(rows, object, attribute)
  rows$label <- with_reference(rows, object)
  drawn <- ggforest(rows, equality[[kind]]) +
    ggplot2::labs(x = axis_of(rows, object), y = named_attribute(rows$attribute[[1L]], object),
      caption = figure_note(rows, object, kind))
  if (is.null(rows$filled)) drawn else drawn + filled_points()
}

#' @rdname plot
#' @exportS3Method ggplot2::autoplot
autoplot.fairstats_comparison <- function(object, kind = c("rates", "changes", "differences"), metric = NULL,
                                          attribute = NULL, ...) {
  refuse_others(...)
  kind <- picture_of(object, kind, comparison_kinds)
  rows <- compared_rows(object, metric, attribute, kind)
  rows$label <- rows$method_label
  whom <- ifelse(is.na(rows$group), "everybody", rows$group)
  rows$whom <- factor(whom, rev(unique(c("everybody", whom)))) # from the top, as in plot()
  equal <- if (kind != "rates") 0
  if (nlevels(rows$whom) == 1L) {
    return(ggforest(rows, equal) + ggplot2::labs(x = axis_of(rows), y = NULL, caption = level_note(rows)))
  }
  drawn <- ggforest(rows, equal, ggplot2::aes(color = .data$whom)) +
    ggplot2::labs(x = axis_of(rows), y = NULL, color = rows$attribute[!is.na(rows$attribute)][1L], caption = level_note(rows))
  colors <- c("#000000", line_colors[line_colors != "#000000"])
  if (nlevels(rows$whom) > length(colors)) return(drawn + ggplot2::guides(color = ggplot2::guide_legend(reverse = TRUE)))
  in_order <- rev(levels(rows$whom))
  drawn + ggplot2::scale_color_manual(values = stats::setNames(colors[seq_along(in_order)], in_order), breaks = in_order)
}

#' @rdname plot
#' @exportS3Method ggplot2::autoplot
autoplot.fairstats_partition <- function(object, kind = "clusters", attribute = NULL, ...) {
  refuse_others(...)
  picture_of(object, kind, "clusters")
  shares <- cluster_shares(object, attribute)
  long <- data.frame(
    cluster = factor(rep(colnames(shares), each = nrow(shares)), colnames(shares)),
    group = factor(rep(rownames(shares), ncol(shares)), rownames(shares)), share = as.vector(shares)
  )
  ggplot2::ggplot(long, ggplot2::aes(.data$cluster, .data$share, fill = .data$group)) +
    ggplot2::geom_col(position = ggplot2::position_stack(reverse = TRUE)) + # the first at the foot, as in plot()
    ggplot2::scale_fill_manual(values = shades(nrow(shares)), guide = ggplot2::guide_legend(reverse = TRUE)) +
    ggplot2::labs(x = "cluster", y = "% of the cluster", fill = NULL)
}

#' @rdname plot
#' @exportS3Method ggplot2::autoplot
autoplot.fairstats <- function(object, kind = NULL, metric = NULL, ...) {
  refuse_others(...)
  kind <- picture_of(object, kind, other_kinds(object))
  if (kind == "periods") {
    rows <- period_rows(object, metric)
    return(ggforest(rows, 0) + ggplot2::labs(x = axis_of(rows), y = NULL, caption = periods_note(rows)))
  }
  rows <- other_rows(object, metric)
  rows$metric <- axes_of(rows)
  drawn <- ggforest(rows, NULL) + ggplot2::labs(x = NULL, y = NULL, caption = wrapped(notes_of(rows, object)))
  if (!is.null(rows$filled)) drawn <- drawn + filled_points()
  lines <- unique(rows[!is.na(rows$equal), c("metric", "equal")])
  if (nrow(lines)) {
    drawn <- drawn + ggplot2::geom_vline(ggplot2::aes(xintercept = .data$equal), data = lines, linetype = 2L)
  }
  drawn + ggplot2::facet_wrap(~metric, scales = "free", ncol = 1L)
}

wrapped <- function(note) if (!is.null(note)) paste(strwrap(note, 90L), collapse = "\n")

filled_points <- function() ggplot2::geom_point(ggplot2::aes(fill = I(ifelse(.data$filled, "black", "white"))), shape = 21)

# Estimates with their intervals, in the order of the table from the top.
ggforest <- function(rows, equal, colored = ggplot2::aes()) {
  rows$label <- factor(rows$label, rev(unique(rows$label)))
  side_by_side <- ggplot2::position_dodge(width = if (length(colored)) 0.5 else 0)
  rows[c("bar.low", "bar.high")] <- bars_of(rows)
  bars <- if (!all(is.na(rows$bar.low))) {
    ggplot2::geom_errorbarh(ggplot2::aes(xmin = .data$bar.low, xmax = .data$bar.high), height = 0, na.rm = TRUE,
      linewidth = 3, color = two_shades[[1L]])
  }
  lines <- lines_of(rows)
  lines$y <- as.integer(rows$label)[lines$row]
  lines <- if (nrow(lines)) {
    ggplot2::geom_segment(ggplot2::aes(.data$at, .data$y - 0.5, xend = .data$at, yend = .data$y + 0.5), data = lines,
      inherit.aes = FALSE, linetype = ifelse(lines$dotted, 3L, 2L))
  }
  ggplot2::ggplot(rows, ggplot2::aes(.data$estimate, .data$label)) +
    ggplot2::geom_vline(xintercept = equal %||% numeric(), linetype = 2L) +
    bars +
    ggplot2::geom_errorbarh(utils::modifyList(ggplot2::aes(xmin = .data$conf.low, xmax = .data$conf.high), colored),
      height = 0, na.rm = TRUE, position = side_by_side) +
    lines + # by numbers, on the scale of the labels above
    ggplot2::geom_point(colored, position = side_by_side, na.rm = TRUE) # what is only bounded has limits alone
}

ggcurves <- function(points, kind) {
  points$group <- factor(points$group, unique(points$group)) # as plot() has them
  step <- if (kind == "ecdf") ggplot2::geom_step else ggplot2::geom_line
  drawn <- ggplot2::ggplot(points, ggplot2::aes(.data$x, .data$y, color = .data$group)) +
    step() +
    ggplot2::labs(x = curve_axes[[kind]][[1L]], y = curve_axes[[kind]][[2L]], color = points$attribute[[1L]])
  if (length(unique(points$group)) <= length(line_colors)) {
    drawn <- drawn + ggplot2::scale_color_manual(values = line_colors)
  }
  if (kind == "ecdf") drawn else drawn + ggplot2::geom_abline(linetype = 2L)
}

utils::globalVariables(".data")
