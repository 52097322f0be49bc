#!/usr/bin/env bash
# Build the site: tools/docs.sh PYTHON. Pages run their examples in Python and in R; a warning, a broken link or a page
# that axe-core finds fault with fails. What did not change since the last build is not run again.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
library=$PWD/build/docs-r
mkdir -p "$library"
# An inherited library path would lead R to another Python's libraries.
unset LD_LIBRARY_PATH
bin=$(dirname "$python")
"$bin/codespell" README.md CONTRIBUTING.md ARCHITECTURE.md CHANGELOG.md docs fairstats templates r/fairstats/R vignettes & beside=$!
trap 'kill "$beside" 2>/dev/null || true' EXIT
R CMD INSTALL --no-lock --no-test-load --library="$library" r/fairstats >build/docs-r.log 2>&1 || { cat build/docs-r.log >&2; exit 1; }
export R_LIBS=$library RETICULATE_PYTHON=$python
wait "$beside"
# R's pages are made beside Sphinx, which uses one processor until its cells run; its pages lead there.
tools/docs_r.sh "$python" docs/_build/r "$library" >build/docs-r-pages.log 2>&1 & beside=$!
# Two at a time: more kernels than processors only wait for each other.
"$python" -m sphinx -j 2 -b html -d docs/_build/doctrees -W --keep-going -q docs docs/_build/html
wait "$beside" || { cat build/docs-r-pages.log >&2; exit 1; }
rm -rf docs/_build/html/r
cp -R docs/_build/r docs/_build/html/r
"$bin/linkchecker" --no-status --no-warnings -o failures docs/_build/html/index.html & beside=$!
"$python" -m pytest -q -n 2 --dist load -p no:cacheprovider tests/test_site_built.py tests/test_docstrings.py
wait "$beside"
echo "docs/_build/html/index.html"
