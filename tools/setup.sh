#!/usr/bin/env bash
# Install what is missing, and nothing else:  tools/setup.sh VENV EXTRAS GROUP...
# VENV is the folder of the virtual environment, EXTRAS the extras of pyproject.toml (comma-separated), each GROUP a
# line of tools/system-packages.txt. Without root it names the missing system packages and stops.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$1 extras=$2
shift 2

say() { printf '%s\n' "$*" >&2; }

python=${PYTHON:-python3}
command -v "$python" >/dev/null || { say "$python is not installed; fairstats needs Python 3.11 or newer."; exit 1; }
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    say "$("$python" --version) is too old; fairstats needs Python 3.11 or newer (PYTHON=python3.12 make ... names another)."
    exit 1
}

wanted=()
for group in "$@"; do
    read -r -a names <<<"$(sed -n "s/^$group: //p" tools/system-packages.txt | tr '\n' ' ')"
    wanted+=("${names[@]}")
done
# Debian splits pip's bootstrap from Python; other Pythons carry it.
"$python" -c 'import ensurepip, venv' 2>/dev/null || wanted+=(python3-venv)
# R in Python is compiled on this machine, against the headers of both.
headers='import os, sys, sysconfig; sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))'
[[ " $* " != *" r "* ]] || "$python" -c "$headers" ||
    wanted+=("$("$python" -c 'import sys; print("python%d.%d-dev|python3-dev" % sys.version_info[:2])')")

pip=("$venv/bin/python" -m pip install -qq --disable-pip-version-check)

wheels() { # install what is not compiled here: R in Python waits for R
    [ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
    exec "${pip[@]}" --require-hashes -r <(awk '/^[^ ]/ { keep = !/^rpy2/ } keep' "locks/$extras.txt")
}

installed() { # is one of the alternatives a|b there?
    local name
    for name in ${1//|/ }; do
        dpkg-query -W -f='${Status}\n' "$name" 2>/dev/null | grep -q 'install ok installed' && return 0
    done
    return 1
}

choice() { # the alternative that this distribution has
    local name
    for name in ${1//|/ }; do
        apt-cache show "$name" >/dev/null 2>&1 && break
        name=${1%%|*}
    done
    echo "$name"
}

if command -v dpkg-query >/dev/null; then
    missing=()
    for name in "${wanted[@]}"; do
        installed "$name" || missing+=("$name")
    done
    if ((${#missing[@]})); then
        if (($(id -u) == 0)); then
            say "Installing system packages: ${missing[*]}"
            export DEBIAN_FRONTEND=noninteractive
            # Python's packages come beside Debian's; what goes wrong with them is said below, where they are installed again.
            if "$python" -c 'import ensurepip, venv' 2>/dev/null; then
                wheels >/dev/null 2>&1 & beside=$!
                trap 'kill "$beside" 2>/dev/null || true' EXIT
            fi
            apt-get update -qq >&2
        fi
        for i in "${!missing[@]}"; do
            missing[i]=$(choice "${missing[i]}")
        done
        if (($(id -u) != 0)); then
            say "These system packages are missing. Install them, then run make again:"
            say "  sudo apt-get install --no-install-recommends ${missing[*]}"
            exit 1
        fi
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
        [ -z "${beside:-}" ] || wait "$beside" || true
        trap - EXIT
    fi
else
    say "Not a Debian or Ubuntu system: please see to these yourself: ${wanted[*]}"
fi

[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
say "Installing Python packages into $venv ..."
# Every file must have the hash that locks/ tells, what builds fairstats in place included: no isolated build fetches more.
"${pip[@]}" --require-hashes -r "locks/$extras.txt" >&2
"${pip[@]}" --no-deps --no-build-isolation -e . >&2

# What judges the accessibility of pages is no Python package; its version and its hash are in tools/axe.
axe=$venv/share/axe-core
if [[ " $* " == *" checks "* ]] && ! cmp -s tools/axe/package-lock.json "$axe/package-lock.json"; then
    box=$(mktemp -d)
    cp tools/axe/package.json tools/axe/package-lock.json "$box"
    if command -v npm >/dev/null && npm ci --prefix "$box" --ignore-scripts --no-audit --no-fund --silent >&2; then
        mkdir -p "$axe"
        cp "$box/node_modules/axe-core/axe.min.js" "$box/package-lock.json" "$axe"
    else
        say "axe-core could not be had (npm is missing, or reaches no index): the tests of pages with axe are skipped."
    fi
    rm -rf "$box"
fi
