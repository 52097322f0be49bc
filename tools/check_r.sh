#!/usr/bin/env bash
# The R package as CRAN would look at it, with this environment's Python:  tools/check_r.sh PYTHON
# Builds (which executes the vignettes), then runs R CMD check (which runs the examples and testthat). Fails on any
# error or warning, and on more than one note.
set -euo pipefail
python=$(realpath -s "$1")
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# A Python's own libraries on the loader's path would make R load them in place of its own.
unset LD_LIBRARY_PATH
export RETICULATE_PYTHON=$python TZ=UTC LC_ALL=${LC_ALL:-C.UTF-8} _R_CHECK_FORCE_SUGGESTS_=false
R CMD build --quiet "$here/r/fairstats"
R CMD check --no-manual --no-build-vignettes fairstats_*.tar.gz
log=fairstats.Rcheck/00check.log
grep -E '^Status' "$log"
cat fairstats.Rcheck/tests/testthat.Rout | tail -n 5 || true
if grep -qE '^Status:.*(ERROR|WARNING)' "$log" || grep -qE '^Status: ([2-9]|[0-9]{2,}) NOTE' "$log"; then
    cat "$log"
    exit 1
fi
