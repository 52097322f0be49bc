"""The audit in a report's JSON is the audit that was written, and nothing else is taken for one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import fairstats
from fairstats.errors import FileError
from tests.results import results

AUDITS = ("audit", "audit of scores", "audit within strata")


@pytest.mark.long
@pytest.mark.parametrize("name", AUDITS)
def test_a_report_and_an_audit_as_json_are_read_back_whole(name: str, tmp_path: Path) -> None:
    result: Any = results()[name]
    file = tmp_path / "a.json"
    fairstats.report(result, results()["projection"], to=file)
    plain = tmp_path / "plain.json"
    plain.write_text(json.dumps(result.to_dict()))
    for read in (fairstats.load(file, fairstats.Audit), fairstats.load(plain, fairstats.Audit)):
        assert read.to_dict() == result.to_dict() and read.estimates == result.estimates
        assert str(read) == str(result) and read.plots == result.plots
        assert type(read.protocol) is type(result.protocol) and read.protocol == result.protocol
        assert fairstats.report(read).json == fairstats.report(result).json
        assert (
            read.save(tmp_path / "a.npz").is_file() and fairstats.load(tmp_path / "a.npz").to_dict() == result.to_dict()
        )
    rows = tmp_path / "rows.json"
    rows.write_text(json.dumps(result.estimates.to_dict()))
    assert fairstats.load(rows) == result.estimates


@pytest.mark.long
def test_a_report_without_an_audit_says_what_to_save(tmp_path: Path) -> None:
    fairstats.report(results()["projection"], to=tmp_path / "fit.json")
    with pytest.raises(FileError, match=r"a report without an audit.* result\.save\(path\)"):
        fairstats.load(tmp_path / "fit.json")
    fairstats.report(results()["audit"], to=tmp_path / "a.html")
    with pytest.raises(FileError, match=r"a\.html.*\.npz files, and the audit in a report's \.json"):
        fairstats.load(tmp_path / "a.html")


def _changed(change: Any) -> str:
    result = json.loads(fairstats.report(results()["audit"]).json)
    change(result)
    return json.dumps(result)


BROKEN = {
    "another schema": lambda result: result["audit"].update(schema="fairstats/audit/99"),
    "text for a number": lambda result: result["audit"]["cells"][0].update(n="many"),
    "a field too many": lambda result: result["audit"]["protocol"].update(path="/etc/passwd"),
    "a field too few": lambda result: result["audit"].pop("flow"),
    "a column too many": lambda result: result["audit"]["estimates"][0].update(colour="red"),
    "a column too few": lambda result: result["audit"]["estimates"][0].pop("n"),
    "a verdict that there is not": lambda result: result["audit"]["estimates"][0].update(verdict="fair"),
    "truth for a number": lambda result: result["audit"]["estimates"][0].update(n=True),
    "a list for a text": lambda result: result["audit"]["estimates"][0].update(metric=["TPR"]),
    "no list of cells": lambda result: result["audit"].update(cells={"@class": "Audit"}),
    "an audit that is text": lambda result: result.update(audit="audit"),
}


@pytest.mark.parametrize("change", BROKEN.values(), ids=BROKEN)
def test_a_changed_document_is_refused(change: Any, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(_changed(change))
    with pytest.raises(FileError, match="is not a result that this package saved, or it is damaged"):
        fairstats.load(file)


@pytest.mark.parametrize("text", ["{", "{}", '{"schema": NaN}', '{"a":' * 5000 + "1" + "}" * 5000, "\ufeff{}"])
def test_other_json_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match="is not a result that this package saved"):
        fairstats.load(file)
