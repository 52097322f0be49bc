# Usage: Rscript --vanilla tools/export_data.R packages/fairstats-data/fairstats_data
# Writes carData's Arrests and Salaries as they are: row order kept, no row names, UTF-8, one line a row.
target <- commandArgs(trailingOnly = TRUE)
stopifnot(length(target) == 1, requireNamespace("carData", quietly = TRUE))
for (name in c("Arrests", "Salaries")) {
  data(list = name, package = "carData", envir = environment())
  table <- get(name)
  write.csv(table, file.path(target, paste0(tolower(name), ".csv")), row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
}
