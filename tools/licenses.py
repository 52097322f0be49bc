"""End with 1 where a package of the environment has a license that we have not looked at; --table lists them all."""

from __future__ import annotations

import importlib.metadata
import re
import sys

# What may be used by a project under BSD-3-Clause, alone or joined by "or", "and".
FREE = (
    r"0BSD|BSD|[23]-clause BSD|BSD License|BSD-[23]-Clause|MIT|MIT License|MIT-0|MIT-CMU|ISC|ISC License \(ISCL\)"
    r"|Apache(-2\.0| 2\.0| License,? Version 2\.0| Software License)|PSF-2\.0|Python Software Foundation License"
    r"|CNRI-Python|Zlib|CC0-1\.0|Unlicense|Public Domain|OFL-1\.1|MPL-2\.0|Mozilla Public License 2\.0 \(MPL 2\.0\)"
)
# Looked at, each with what makes it no matter for our users.
SEEN = {
    "fairstats-data": "ours: the arrests table, a distribution of its own",
    "rpy2": "GPL: the extra r, which a user chooses; the README says what follows",
    "rpy2-rinterface": "GPL: as rpy2",
    "rpy2-robjects": "GPL: as rpy2",
    "atheris": "Apache-2.0 by its file, nothing in its metadata: development",
    "codespell": "GPL: development, a program of its own",
    "jupyter-sphinx": "BSD by its text: development",
    "pyphen": "GPL, LGPL or MPL, as one likes: hyphenation for WeasyPrint",
    "docutils": "BSD, GPL or public domain, file by file: development",
    "psycopg": "LGPL: development, to ask PostgreSQL",
    "LinkChecker": "GPL: development, a program of its own",
    "pdfua": "development, a program of its own",
}


def licenses_of(package: importlib.metadata.Distribution) -> list[str]:
    """The licenses that a package declares: one expression, its classifiers, or the first line of its text."""
    about = package.metadata
    classified = [c.split(" :: ")[-1] for c in about.get_all("Classifier", []) if c.startswith("License ::")]
    text = (about.get("License-Expression") or "").strip()
    plain = (about.get("License") or "").strip().splitlines()
    return [text] if text else [c for c in classified if c != "OSI Approved"] or plain[:1]


def table() -> str:
    """What fairstats itself is, then every package that is installed with it and its license, one a line."""
    packages = {p.metadata["Name"]: p for p in importlib.metadata.distributions()}
    ours = ["fairstats: BSD-3-Clause AND OFL-1.1 (the typeface Inter)", "fairstats-data: GPL-2.0-or-later", ""]
    lines = [f"{name} {p.version}: {'; '.join(licenses_of(p)) or SEEN.get(name, '')}" for name, p in packages.items()]
    return "\n".join([*ours, *sorted(set(lines), key=str.casefold)])


def main() -> int:
    """Print what is not known."""
    if "--table" in sys.argv:
        print(table())
        return 0
    unknown = []
    for package in importlib.metadata.distributions():
        name, licenses = package.metadata["Name"], licenses_of(package)
        parts = [part for text in licenses for part in re.split(r" (?:AND|OR|and|or|WITH) ", text)]
        if name not in SEEN and name != "fairstats" and not (parts and all(re.fullmatch(FREE, p) for p in parts)):
            unknown.append(f"{name}: {'; '.join(licenses) or 'no license declared'}")
    print("\n".join(sorted(set(unknown))) or "licenses: all known")
    return int(bool(unknown))


if __name__ == "__main__":
    sys.exit(main())
