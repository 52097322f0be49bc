# Designs of package survey (and srvyr, whose objects are such designs) as data, weights and clusters.

is_design <- function(data) inherits(data, c("survey.design", "svyrep.design", "twophase", "twophase2"))

# The people of a design as a data frame, with its weights and first-stage clusters as columns.
design_parts <- function(design, choices) {
  if (inherits(design, "svyrep.design")) {
    fail("data is a design of replicate weights, by which standard errors are not made here; give the design that it was ",
      "made of (svydesign(), with its clusters), or a data frame with the sampling weights as weights and ",
      "weight_type = \"probability\".")
  }
  if (!inherits(design, c("survey.design", "survey.design2")) || inherits(design, c("twophase", "twophase2"))) {
    fail("data is of class ", class(design)[[1L]], "; give the design that svydesign() or srvyr::as_survey_design() made, ",
      "whose intervals rest on its own clusters, or a data frame.")
  }
  given <- intersect(c("weights", "weight_type", "clusters"), choices)
  if (length(given)) {
    fail(given[[1L]], " is given and data is a design of survey, which has its own; leave ", given[[1L]], " out.")
  }
  frame <- as.data.frame(design$variables)
  names <- utils::tail(make.unique(c(names(frame), "sampling weight", "sampling unit")), 2L)
  frame[[names[[1L]]]] <- as.numeric(1 / design$prob)
  units <- as.character(design$cluster[[1L]])
  drawn <- 1 / design$prob > 0 # a subset keeps the others with weight 0
  clustered <- anyDuplicated(units[drawn]) > 0L
  if (clustered) frame[[names[[2L]]]] <- units
  unused <- c(if (isTRUE(design$has.strata)) "strata", if (!is.null(design$fpc$popsize)) "finite population correction",
    if (!is.null(design$postStrata)) "calibration")
  list(frame = frame, weights = names[[1L]], weight_type = "probability", clusters = if (clustered) names[[2L]],
    unused = unused)
}

# What was not used of a design, and what that changed here.
tell_unused <- function(design, unused, audit) {
  lost <- if (requireNamespace("survey", quietly = TRUE)) error_ratios(design, audit)
  several <- length(unused) > 1L || unused == "strata"
  tell("the ", paste(unused, collapse = " and "), " of the design ", if (several) "are" else "is", " not used, only its ",
    "weights and clusters", if (length(lost)) c(": the standard errors of the selection rates here are ",
      paste(unique(formatC(range(lost), format = "f", digits = 2L)), collapse = " to "), " times those of survey::svyby()"),
    ". Intervals and tests do without ", if (several) "them" else "it", " as well.")
}

# The standard errors of an audit's selection rates, each over the one that survey has of the whole design.
error_ratios <- function(design, audit) {
  choices <- audit$protocol
  rows <- audit$tidy
  rows <- rows[rows$metric == "selection rate" & rows$role == "main" & rows$contrast == "none" & rows$std.error %in% c(0, NA) ==
    FALSE & rows$attribute %in% names(design$variables), ]
  if (!choices$decision %in% names(design$variables)) {
    return(NULL)
  }
  favorable <- as.numeric(label_text(design$variables[[choices$decision]]) == choices$favorable)
  weight <- 1 / design$prob # 0 of people outside a subset
  influences <- lapply(seq_len(nrow(rows)), function(i) {
    current <- weight * (label_text(design$variables[[rows$attribute[[i]]]]) %in% rows$group[[i]] & !is.na(favorable))
    share <- current / sum(current)
    rate <- sum(share * favorable, na.rm = TRUE)
    # a rate that is another here is of other people
    if (isTRUE(all.equal(rate, rows$estimate[[i]]))) ifelse(share > 0, share * (favorable - rate), 0)
  })
  same <- !vapply(influences, is.null, NA)
  if (!any(same)) {
    return(NULL)
  }
  # survey itself refuses a stratum of one unit, unless its option says what that is worth
  covariance <- tryCatch(survey::svyrecvar(do.call(cbind, influences[same]), design$cluster, design$strata, design$fpc,
    postStrata = design$postStrata), error = function(problem) NULL)
  if (!is.null(covariance)) rows$std.error[same] / sqrt(diag(as.matrix(covariance)))
}
