#!/usr/bin/env bash
# How many lines of the R package its tests run:  tools/cover_r.sh PYTHON
# Percent by file, then every line that no test runs. Fails below 95 %. The tests that start R sessions of their own count,
# since covr's copy of the package is what those load.
set -euo pipefail
python=$(realpath -s "$1")
here=$(cd "$(dirname "$0")/.." && pwd)
# A Python's own libraries on the loader's path would make R load them in place of its own.
unset LD_LIBRARY_PATH
Rscript --vanilla -e 'quit(status = !requireNamespace("covr", quietly = TRUE))' || {
    echo "R's package covr is not installed: apt-get install r-cran-covr, or install.packages(\"covr\")." >&2
    exit 1
}
export RETICULATE_PYTHON=$python CI=true FAIRSTATS_NEEDS_PYTHON=true TZ=UTC LC_ALL=${LC_ALL:-C.UTF-8}
Rscript --vanilla - "$here/r/fairstats" <<'R'
least <- 95
covered <- tryCatch(covr::package_coverage(commandArgs(TRUE), type = "tests"), error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1L)
})
lines <- covr::tally_coverage(covered, by = "line")
run <- lines$value > 0L
files <- tapply(run, lines$filename, function(x) 100 * mean(x))
counts <- table(lines$filename)
cat(sprintf("%6.1f %%  %4d lines  %s\n", sort(files), counts[names(sort(files))], names(sort(files))), sep = "")
for (file in unique(lines$filename[!run])) {
  source <- readLines(file.path(commandArgs(TRUE), file), encoding = "UTF-8")
  missed <- lines$line[!run & lines$filename == file]
  cat("\n", file, "\n", sprintf("%5d: %s\n", missed, source[missed]), sep = "")
}
cat(sprintf("\n%.1f %% of %d lines\n", 100 * mean(run), length(run)))
if (100 * mean(run) < least) quit(status = 1L)
R
