"""Reasons to skip a test are a short list; another is a failure in CI."""

from __future__ import annotations

from types import SimpleNamespace

from tests import skipped


def report(nodeid: str, reason: str) -> SimpleNamespace:
    return SimpleNamespace(nodeid=nodeid, longrepr=("file", 1, f"Skipped: {reason}"))


def test_a_missing_package_is_no_known_reason_and_the_table_names_its_file() -> None:
    missing = "R is the oracle here and is missing: apt-get install r-cran-sandwich"
    reports = [report("tests/inference/test_cluster_robust.py", missing)] * 2
    reports += [report("tests/laws/test_routes.py::test_it[og]", "takes no weights")] * 3
    result = skipped.reasons(reports)
    assert skipped.unknown(result) == [("tests/inference/test_cluster_robust.py", missing)]
    first, second = skipped.table(result)
    assert first.split() == ["3", "a", "law", "that", "a", "method", "does", "not", "promise"]
    assert second.startswith("    2  NOT KNOWN: tests/inference/test_cluster_robust.py: R is the oracle here")


def test_a_reason_is_known_where_it_belongs_and_nowhere_else() -> None:
    assert skipped.known("tests/test_types.py", "pyright needs node")
    assert not skipped.known("tests/test_sklearn.py", "pyright needs node")
    assert not skipped.known("tests/reporting/test_pdf.py", "qpdf is not installed: sudo apt-get install")
