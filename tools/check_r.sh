#!/usr/bin/env bash
# The R package as CRAN would look at it, with this environment's Python:  tools/check_r.sh PYTHON
# Builds (which executes the vignettes), runs R CMD check --as-cran (which runs the examples and testthat), lintr, and a
# look at the help. Fails on any error or warning, on any note but that of a new submission, and on files left behind.
# Nothing is done twice: examples run once, with their \donttest parts, and vignettes while building. What does not need the
# check goes on beside it.
set -euo pipefail
python=$(realpath -s "$1")
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# A Python's own libraries on the loader's path would make R load them in place of its own.
unset LD_LIBRARY_PATH
# in continuous integration Python has to be there
export FAIRSTATS_NEEDS_PYTHON=${CI:-}
export RETICULATE_PYTHON=$python TZ=UTC LC_ALL=${LC_ALL:-C.UTF-8} _R_CHECK_FORCE_SUGGESTS_=false
Rscript --vanilla "$here/tools/house_r.R" "$here/r/fairstats" >house.log 2>&1 &
house=$!
R CMD build "$here/r/fairstats" >build.log 2>&1 || { cat build.log >&2; exit 1; }
# What asks servers elsewhere is left out (addresses, the clock, the index of CRAN). Examples are timed by CRAN's machines,
# not by ours, which do other work at the same time.
export _R_CHECK_CRAN_INCOMING_REMOTE_=false _R_CHECK_SYSTEM_CLOCK_=false _R_CHECK_EXAMPLE_TIMING_THRESHOLD_=60
# gt, parsnip, workflows and yardstick are not in Debian. Enhances names them: for a suggested package that is not there,
# the check would ask the index of CRAN, and stop where there is no way there.
export _R_CHECK_PACKAGE_DEPENDS_IGNORE_MISSING_ENHANCES_=true
# A home and a folder of temporary files of its own show what is left in them.
export HOME=$work/home TMPDIR=$work/temporary _R_CHECK_THINGS_IN_TEMP_DIR_=true
# where matplotlib keeps its list of the machine's fonts
export MPLCONFIGDIR=$work/matplotlib
mkdir "$HOME" "$TMPDIR"
R CMD check --as-cran --no-manual --no-vignettes --run-donttest fairstats_*.tar.gz >check.log 2>&1 &
check=$!
until grep -q 'checking installed package size' check.log || ! kill -0 "$check" 2>/dev/null; do sleep 1; done
# Once more as on a machine without Python, in the plainest locale, while that goes on: what R does by itself.
mkdir alone
HOME=$work/alone TMPDIR=$work/alone RETICULATE_PYTHON=/there/is/no/python FAIRSTATS_NEEDS_PYTHON='' LC_ALL=C R_LIBS="$work/fairstats.Rcheck" \
    Rscript --vanilla - "$here" >alone.log 2>&1 <<'R' || touch failed
library(testthat)
library(fairstats)
done <- as.data.frame(test_dir(file.path(commandArgs(TRUE), "r", "fairstats", "tests", "testthat"), package = "fairstats",
  load_package = "installed", reporter = "check"))
cat("Without Python:", sum(done$passed), "expectations\n")
stopifnot(sum(done$passed) >= 120L)
R
wait "$house" || touch failed
wait "$check" || true
log=fairstats.Rcheck/00check.log
grep -E '^Status' "$log" || { cat check.log; exit 1; }
grep -A3 -E '\.\.\. (\[[^]]*\] )?NOTE' "$log" || true
tail -n 5 fairstats.Rcheck/tests/testthat.Rout || true
tail -q -n 1 house.log alone.log
# a warning that a test does not expect is one that users see, too
grep -q 'WARN 0 ' fairstats.Rcheck/tests/testthat.Rout || { echo 'The tests of R warn.'; touch failed; }
left=$(find "$HOME" "$TMPDIR" alone -mindepth 1 -print)
notes=$(grep -E '\.\.\. (\[[^]]*\] )?NOTE' "$log" | grep -cv 'CRAN incoming feasibility' || true)
warnings=$(grep -cE '\.\.\. (\[[^]]*\] )?WARNING' "$log" || true)
if grep -qE '^Status:.*ERROR|not declared from' "$log" || [ "$warnings" != 0 ] || [ "$notes" != 0 ] || [ -n "$left" ]; then
    cat "$log" fairstats.Rcheck/tests/testthat.Rout.fail 2>/dev/null || cat "$log"
    printf 'Left behind: %s\n' "${left:-nothing}"
    exit 1
fi
if [ -e failed ]; then
    cat house.log alone.log
    exit 1
fi
