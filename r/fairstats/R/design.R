# Designs of package survey (and srvyr, whose objects are such designs) as data, weights and clusters.

is_design <- function(data) inherits(data, c("survey.design", "svyrep.design", "twophase", "twophase2"))

# The people of a design as a data frame, with its weights and first-stage clusters as columns.
design_parts <- function(design, said) {
  if (!inherits(design, c("survey.design", "survey.design2")) || inherits(design, c("svyrep.design", "twophase", "twophase2"))) {
    fail("data is of class ", class(design)[[1L]], "; give the design that svydesign() or srvyr::as_survey_design() made, ",
      "whose intervals rest on its own clusters, or a data frame.")
  }
  given <- intersect(c("weights", "weight_type", "clusters"), said)
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
  if (length(unused)) {
    tell("the ", paste(unused, collapse = " and "), " of the design ", if (length(unused) > 1L) "are" else "is",
      " not used for errors, only its weights and clusters: these are, on average, larger than the design warrants.")
  }
  list(frame = frame, weights = names[[1L]], weight_type = "probability", clusters = if (clustered) names[[2L]])
}
