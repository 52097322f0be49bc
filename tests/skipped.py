"""Which tests did not run and why: a table at the end, and in CI a failure where the reason is not among those known.

A test that is skipped everywhere proves nothing. What a machine set up by `make test` has must not be a reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

# What continuous integration may lack, or what is no lack: where (a beginning of the path) and why (a pattern).
KNOWN = (
    ("tests/", r"FAIRSTATS_DATA .*", "real data that we may not publish"),
    ("tests/", r"axe-core is not installed.*", "comes from npm"),
    ("tests/test_types.py", r"pyright (needs node|did not start).*", "comes from npm"),
    ("tests/test_docstrings.py", r"numpydoc is not installed; make docs installs it", "make docs runs it"),
    ("tests/test_site_built.py", r"no site is built; make docs builds it", "make docs runs it"),
    ("tests/oracle/test_combat_r.py", r"R's package sva .*", "300 packages of Bioconductor; its numbers are golden"),
    ("tests/test_installed", r"(no package index can be reached|Python [\d.]+ is not on this machine).*", "no network"),
    ("tests/test_sklearn.py", r"SCIPY_ARRAY_API is not set.*", "no such case"),
    ("tests/laws/", r".*", "a law that a method does not promise"),
    ("tests/cluster/test_spectral.py", r"a sparse matrix cannot hold text", "no such case"),
    ("tests/auditing/test_places.py", r"no such number", "no such case"),
    ("tests/auditing/test_columns_themselves.py", r"the table has no index", "no such case"),
)


def reasons(reports: Iterable[Any]) -> Counter[tuple[str, str]]:
    """Count skipped tests and modules by the file that was skipped and the reason."""
    result: Counter[tuple[str, str]] = Counter()
    for report in reports:
        text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        result[report.nodeid.partition("::")[0], text.removeprefix("Skipped: ").splitlines()[0]] += 1
    return result


def known(file: str, reason: str) -> str:
    """Return why a test may be skipped, "" where it may not."""
    return next((why for place, of, why in KNOWN if file.startswith(place) and re.fullmatch(of, reason)), "")


def unknown(result: Counter[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return files and reasons that are not among the known ones."""
    return sorted(pair for pair in result if not known(*pair))


def table(result: Counter[tuple[str, str]]) -> list[str]:
    """The lines of the table: how many, why, and whether that is known."""
    rows: Counter[tuple[str, str]] = Counter()
    for (file, reason), times in result.items():
        why = known(file, reason)
        rows[(why, "" if why.startswith(("a law", "no such")) else reason) if why else ("", f"{file}: {reason}")] += (
            times
        )
    lines = [
        f"{times:5}  {why or 'NOT KNOWN'}{': ' if text else ''}{text}" for (why, text), times in rows.most_common()
    ]
    return [line if len(line) <= 118 else f"{line[:117]}…" for line in lines]
