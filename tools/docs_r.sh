#!/usr/bin/env bash
# The R package's pages, offline:  tools/docs_r.sh PYTHON FOLDER [LIBRARY]
# Its help with the examples run, its vignettes and news, by pkgdown, into FOLDER (made anew). A topic of the help that
# r/fairstats/pkgdown/_pkgdown.yml does not name, and a page that would load anything from elsewhere, are errors.
# LIBRARY has the package, installed from this tree; without it, one is made.
set -euo pipefail
python=$(realpath -s "$1")
mkdir -p "$2"
folder=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# An inherited library path would lead R to another Python's libraries.
unset LD_LIBRARY_PATH
cp -R "$here/r/fairstats" "$work/fairstats"
library=${3:-$work/library}
if [ -z "${3:-}" ]; then
    mkdir "$library"
    R CMD INSTALL --no-test-load --library="$library" "$work/fairstats" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
fi
rm -rf "${folder:?}"/*
export R_LIBS=$library RETICULATE_PYTHON=$python CI=true FAIRSTATS_NEEDS_PYTHON=true TZ=UTC
# where pkgdown's Sass and pandoc keep what they made before
export R_USER_CACHE_DIR=$work/cache HOME=$work TMPDIR=$work
Rscript --vanilla - "$work/fairstats" "$folder" >"$work/log" 2>&1 <<'R' || { cat "$work/log" >&2; exit 1; }
options(pkgdown.internet = FALSE, warn = 1)
paths <- commandArgs(TRUE)
pkgdown::check_pkgdown(paths[[1L]])
pkgdown::build_site(paths[[1L]], override = list(destination = paths[[2L]]), devel = FALSE, preview = FALSE,
  install = FALSE, new_process = FALSE)
R
# pkgdown's own script wants libraries from elsewhere; these pages have their own. Rplot001.png is of no page.
rm -f "$folder/pkgdown.js" "$folder/reference/Rplot001.png"
if grep -rlE '<(script|link|img)[^>]+(src|href)="(https?:)?//' "$folder" --include='*.html'; then
    echo "These pages load files from elsewhere." >&2
    exit 1
fi
if grep -rl 'class="error"' "$folder" --include='*.html'; then
    echo "Examples of these pages ended in an error." >&2
    exit 1
fi
echo "$folder/index.html"
