# Designs of package survey (and srvyr, whose objects are such designs with one more class) as data and columns of a design.

is_design <- function(data) inherits(data, c("survey.design", "svyrep.design", "twophase", "twophase2"))

# The people of a design as a data frame, and how they were drawn: weights and clusters, or a whole design.
design_parts <- function(design, choices) {
  replicated <- inherits(design, "svyrep.design")
  if (!replicated) refuse_design(design)
  given <- intersect(c("weights", "weight_type", "clusters", "design"), choices)
  if (length(given)) {
    fail(given[[1L]], " is given and data is a design of survey, which has its own; leave ", given[[1L]], " out.")
  }
  frame <- as.data.frame(design$variables)
  if (replicated) replicated_parts(design, frame) else drawn_parts(design, frame)
}

# Strata, units, finite populations and calibration; a design with none of these is one of weights and clusters.
drawn_parts <- function(design, frame) {
  drawn <- 1 / design$prob > 0 # a subset keeps the others with weight 0
  units <- as.character(design$cluster[[1L]])
  clustered <- anyDuplicated(units[drawn]) > 0L
  columns <- list(weights = as.numeric(1 / design$prob), clusters = if (clustered) units)
  population <- design$fpc$popsize
  if (!isTRUE(design$has.strata) && is.null(population) && is.null(design$postStrata)) {
    added <- beside(frame, columns)
    return(list(frame = added$frame, weights = added$names$weights, weight_type = "probability",
      clusters = added$names$clusters))
  }
  columns$strata <- if (isTRUE(design$has.strata)) as.character(design$strata[[1L]])
  only_first <- is.null(population) || isTRUE(getOption("survey.ultimate.cluster"))
  stages <- if (only_first) 1L else seq_len(NCOL(population)) # those that add to the variance
  columns$fpc <- if (!is.null(population)) as.numeric(population[, 1L])
  columns$drawn <- as.numeric(design$fpc$sampsize[, 1L])
  later <- list()
  for (k in stages[-1L]) {
    later[[k - 1L]] <- list(clusters = as.character(design$cluster[[k]]), fpc = as.numeric(population[, k]),
      drawn = as.numeric(design$fpc$sampsize[, k]))
  }
  if (length(later)) columns$clusters <- units
  calibration <- if (!is.null(design$postStrata)) calibration_parts(design)
  added <- beside(frame, c(columns, calibration[-1L]))
  if (!is.null(calibration)) {
    added <- with_columns(added, calibration$calibration, rep("calibration", length(calibration$calibration)))
  }
  for (stage in later) added <- with_columns(added, stage, names(stage))
  added$names <- lapply(added$names, function(names) if (length(names) > 1L) as.list(names) else names)
  rule <- getOption("survey.lonely.psu", "fail")
  if (rule == "fail") refuse_single(design, seq_along(stages))
  if (rule == "average" && any(drawn & columns$drawn == 1)) {
    tell("options(survey.lonely.psu) is \"average\": standard errors average over the strata of the whole design, as those of ",
      "svyglm() with the groups as factor do; svyby() averages over the strata of each group alone.")
  }
  list(frame = added$frame, design = c(added$names, single_units = if (rule == "remove") "certainty" else rule))
}

# What weights were calibrated to, as columns, and the weights before and after, as svyrecvar() uses them.
calibration_parts <- function(design) {
  step <- design$postStrata[[1L]]
  if (inherits(step, "greg_calibration")) {
    base <- 1 / apply(as.matrix(design$allprob), 1L, prod)
    base[!is.finite(base) | base <= 0] <- 1
    X <- as.data.frame(qr.X(step$qr)[, order(step$qr$pivot), drop = FALSE] / sqrt(base))
    return(list(calibration = X, base_weights = base, calibrated_weights = as.numeric(step$w) * sqrt(base)))
  }
  margins <- if (inherits(step, "raking")) unclass(step) else list(step)
  after <- attr(margins[[length(margins)]], "weights")
  base <- if (inherits(step, "raking")) rep(1, length(after)) else attr(step, "oldweights") %||% rep(1, length(after))
  labels <- lapply(margins, function(margin) paste("class", as.integer(margin)))
  names(labels) <- paste(if (inherits(step, "raking")) "raking margin" else "post-stratum", seq_along(labels))
  list(calibration = as.data.frame(labels, optional = TRUE), base_weights = as.numeric(base),
    calibrated_weights = as.numeric(after))
}

replicated_parts <- function(design, frame) {
  replicates <- as.data.frame(as.matrix(stats::weights(design, type = "analysis")))
  names(replicates) <- paste("replicate", seq_along(replicates))
  added <- beside(frame, c(list(weights = as.numeric(stats::weights(design, type = "sampling"))), replicates))
  kind <- if (design$type %in% c("BRR", "JK1", "JKn", "bootstrap")) design$type else "other"
  rscales <- rep_len(as.numeric(design$rscales), length(replicates))
  list(frame = added$frame, design = list(weights = added$names$weights, kind = kind, scale = as.numeric(design$scale),
    replicate_weights = as.list(unlist(added$names[-1L], use.names = FALSE)), rscales = as.list(rscales),
    mse = isTRUE(design$mse)))
}

# What columns of a design are called beside its data.
of_design <- c(weights = "sampling weight", clusters = "sampling unit", strata = "sampling stratum",
  fpc = "units in the population", drawn = "units drawn", base_weights = "weight before calibration",
  calibrated_weights = "weight after calibration")

# Columns beside those of a data frame, under names that it has not; and these names.
beside <- function(frame, columns) {
  columns <- columns[!vapply(columns, is.null, NA)]
  wanted <- ifelse(names(columns) %in% names(of_design), of_design[names(columns)], names(columns))
  new <- utils::tail(make.unique(c(names(frame), wanted)), length(columns))
  frame[new] <- columns
  list(frame = frame, names = stats::setNames(as.list(new), names(columns)))
}

# What beside() returned, with further columns, whose names are added to those of each one's role.
with_columns <- function(added, columns, roles) {
  further <- beside(added$frame, columns)
  added$frame <- further$frame
  for (i in seq_along(roles)) added$names[[roles[[i]]]] <- c(added$names[[roles[[i]]]], further$names[[i]])
  added
}

# Strata of which one unit was drawn, and not all of them, say nothing of how units vary.
refuse_single <- function(design, stages) {
  for (k in stages) {
    population <- design$fpc$popsize[, k] %||% Inf
    single <- 1 / design$prob > 0 & design$fpc$sampsize[, k] == 1 & population > 1
    if (!any(single)) next
    strata <- unique(as.character(design$strata[[k]][single]))
    fail("data has one drawn unit in stratum ", paste(utils::head(strata, 5L), collapse = ", "),
      if (length(strata) > 5L) ", ...", if (k > 1L) paste0(" at stage ", k), ", which says nothing of how units vary; ",
      "if people were left out before svydesign(), give it all rows, and a subset() of the design; ",
      "otherwise, name a rule for such strata: ",
      "options(survey.lonely.psu = \"adjust\"), ", if (length(stages) == 1L) "\"average\", ",
      "\"certainty\" or \"remove\".")
  }
}

# Designs whose variances are not those of first-stage units within strata.
refuse_design <- function(design) {
  if (!inherits(design, c("survey.design", "survey.design2")) || inherits(design, c("twophase", "twophase2"))) {
    fail("data is of class ", class(design)[[1L]], "; give the design that svydesign() or srvyr::as_survey_design() made, ",
      "whose intervals rest on its own clusters, or a data frame.")
  }
  steps <- design$postStrata
  greg <- inherits(steps[[1L]], "greg_calibration")
  if (length(steps) > 1L || (greg && !(identical(as.numeric(steps[[1L]]$stage), 0) && is.qr(steps[[1L]]$qr)))) {
    fail("data is a design that was calibrated ", if (length(steps) > 1L) "more than once" else "within its units, or sparsely",
      ", which is not taken; calibrate its replicate weights in their place, which are: with the design before that, ",
      "calibrate(as.svrepdesign(design), ...).")
  }
  if (!isFALSE(design$pps %||% FALSE)) {
    fail("data is a design of unequal probabilities with joint ones (pps), which are not used here; give one without pps.")
  }
  within <- if (NCOL(design$fpc$popsize) > 1L) design$strata[-1L] else list()
  if (any(vapply(within, function(strata) anyDuplicated(unique(cbind(design$cluster[[1L]], strata))[, 1L]) > 0L, NA))) {
    fail("data is a design of several stages whose later stages have strata of their own, which are not used here; ",
      "give replicate weights: as.svrepdesign(data, type = \"mrbbootstrap\").")
  }
  if (isTRUE(getOption("survey.adjust.domain.lonely"))) {
    fail("options(survey.adjust.domain.lonely) is TRUE, a rule for single units of a domain that is not used here; set it ",
      "to FALSE.")
  }
}
