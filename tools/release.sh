#!/usr/bin/env bash
# Build what is released, twice, and compare: tools/release.sh PYTHON [TAG]. Writes dist/: wheels and source archives of fairstats
# and of its data, their SHA-256, sbom.json (CycloneDX), LICENSES.txt of all that is shipped or installed with it, NOTES.md.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
tag=${2:-}
bin=$(dirname "$python")
version=$("$python" -c 'import fairstats; print(fairstats.__version__)')
if [ -n "$tag" ] && [ "$tag" != "v$version" ]; then
    echo "The tag is $tag, fairstats/__init__.py has $version: give them one version." >&2
    exit 1
fi
# The time inside archives is that of the last commit, whoever builds and whenever.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 1577836800)
export SOURCE_DATE_EPOCH
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
for turn in first second; do
    # A copy of its own: other folders, other times of files.
    git ls-files -z | xargs -0 cp --parents -t "$(mkdir -p "$box/$turn/tree" && echo "$box/$turn/tree")"
    for folder in . packages/fairstats-data; do
        "$python" -m build --no-isolation --outdir "$box/$turn/dist" "$box/$turn/tree/$folder" >"$box/build.log" 2>&1 || {
            cat "$box/build.log" >&2
            exit 1
        }
    done
done
diff -r "$box/first/dist" "$box/second/dist" || { echo "Built twice, the archives differ." >&2; exit 1; }
"$bin/twine" check --strict "$box"/first/dist/*
rm -rf dist
mkdir dist
cp "$box"/first/dist/* dist
"$bin/cyclonedx-py" environment --pyproject pyproject.toml --output-reproducible --of JSON -o dist/sbom.json "$python"
"$python" tools/licenses.py --table >dist/LICENSES.txt
"$python" tools/changelog.py "$version" >dist/NOTES.md
(cd dist && sha256sum -- *.whl *.tar.gz sbom.json >SHA256SUMS)
ls -l dist
