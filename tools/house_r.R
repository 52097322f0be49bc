# What R CMD check does not look at:  Rscript tools/house_r.R r/fairstats
# lintr finds nothing (its rules, each with a reason, are in .lintr); every page of the help stands alone, and is what roxygen
# makes of the comments.
package <- commandArgs(TRUE)[[1L]]

# Pages that compute what another page gives the sources of.
elsewhere <- c(
  fair_by_group = "the numbers of fair_audit(), side by side",
  fair_crossfit = "the fits of other pages, on folds",
  fair_model = "a model of the user's own",
  fair_tally = "counts, no statistic",
  fair_from_counts = "counts, no statistic",
  fair_local_law_144 = "the rule of a city, which is named",
  fair_gender_pay_gap = "the rule of a country, which is named",
  fair_pay_transparency = "the rule of the Union, which is named",
  fair_suppress_cells = "counts that stay away, no statistic",
  fair_write_protocol = "a file, no statistic"
)
computing <- c("audits", "fits", "studies of a fit", "comparisons", "metrics", "clusters")

faults_of <- function(file) {
  rd <- tools::parse_Rd(file)
  tags <- vapply(rd, attr, "", "Rd_tag")
  text <- function(tag) vapply(rd[tags == tag], function(x) paste(unlist(x), collapse = ""), "")
  name <- text("\\name")
  if ("internal" %in% text("\\keyword")) {
    return(NULL)
  }
  spoken <- function(tag) trimws(gsub("\\s+", " ", text(tag)))
  lacks <- setdiff(c("\\title", "\\description", "\\value", "\\examples", "\\seealso"), tags)
  sources <- paste(deparse(rd[tags == "\\references"]), collapse = "")
  if (any(text("\\concept") %in% computing) && !name %in% names(elsewhere) && !grepl("\\\\doi", sources)) {
    lacks <- c(lacks, "\\references with \\doi")
  }
  if (identical(spoken("\\title"), spoken("\\description"))) lacks <- c(lacks, "a description that is not the title")
  if (length(lacks)) paste0(basename(file), " lacks ", paste(lacks, collapse = ", "))
}

faults <- unlist(lapply(list.files(file.path(package, "man"), "[.]Rd$", full.names = TRUE), faults_of))

# Other versions of roxygen write other pages.
if (packageVersion("roxygen2") == read.dcf(file.path(package, "DESCRIPTION"))[, "RoxygenNote"]) {
  again <- file.path(tempfile(), "fairstats")
  dir.create(dirname(again))
  invisible(file.copy(package, dirname(again), recursive = TRUE))
  suppressMessages(roxygen2::roxygenise(again, load_code = "source"))
  written <- c("NAMESPACE", file.path("man", union(dir(file.path(package, "man")), dir(file.path(again, "man")))))
  same <- tools::md5sum(file.path(again, written)) == tools::md5sum(file.path(package, written))
  stale <- written[is.na(same) | !same]
  if (length(stale)) faults <- c(faults, paste(stale, "is not what roxygen makes; run make document-r"))
}
lints <- lintr::lint_package(package)
if (length(lints)) print(lints)
if (length(faults)) message(paste(faults, collapse = "\n"))
if (length(faults) || length(lints)) quit(status = 1L)
cat("lintr and the help: nothing to say\n")
