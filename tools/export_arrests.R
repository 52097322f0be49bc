# Usage: Rscript --vanilla tools/export_arrests.R packages/fairstats-data/fairstats_data/arrests.csv
# Writes carData::Arrests as it is: row order kept, no row names, UTF-8, one line a row.
target <- commandArgs(trailingOnly = TRUE)
stopifnot(length(target) == 1, requireNamespace("carData", quietly = TRUE))
write.csv(carData::Arrests, target, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
