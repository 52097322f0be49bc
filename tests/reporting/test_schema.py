"""results.json is what its shipped schema says, for every kind of result."""

from __future__ import annotations

import copy
import json
from importlib.resources import files

import pytest

import fairstats
from fairstats.estimates import GLOSSARY, ROLES, STATUSES, VERDICTS
from fairstats.reporting.bundle import SCHEMA
from tests.laws.every_result import MADE, made
from tests.reporting.sample import sample

DOCUMENT = json.loads(files("fairstats.reporting").joinpath("schema", "report.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def jsonschema():
    """Loaded when a test needs it: its checkers take seconds."""
    return pytest.importorskip("jsonschema")


@pytest.fixture(scope="module")
def check(jsonschema):
    return jsonschema.Draft202012Validator(DOCUMENT)


def _written(*results):
    return json.loads(fairstats.report(*results).json)


@pytest.fixture(scope="module")
def accepted(check):
    """A document that the schema accepts."""
    document = _written(made("audit"))
    check.validate(document)
    return document


@pytest.mark.long
def test_the_schema_is_one_and_names_the_version_that_reports_have(jsonschema):
    jsonschema.Draft202012Validator.check_schema(DOCUMENT)
    assert DOCUMENT["$id"] == SCHEMA == DOCUMENT["properties"]["schema"]["const"]


def test_a_row_has_the_columns_and_the_values_of_the_glossary():
    row = DOCUMENT["$defs"]["estimate"]
    assert list(row["properties"]) == list(GLOSSARY) == row["required"]
    assert {name: part["description"] for name, part in row["properties"].items()} == {
        column.name: column.meaning for column in GLOSSARY.values()
    }
    closed = {name: part["enum"] for name, part in row["properties"].items() if "enum" in part}
    contrasts = ["none", "difference", "ratio"]
    assert closed == {
        "role": list(ROLES), "contrast": contrasts, "status": list(STATUSES), "verdict": ["", *VERDICTS],
    }  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(MADE))
def test_the_json_of_every_result_is_as_the_schema_says(name, check):
    check.validate(_written(made(name)))


@pytest.mark.long
def test_a_report_of_everything_and_one_with_every_status(check):
    check.validate(_written(made("audit"), *(made(name) for name in sorted(MADE) if not name.startswith("audit"))))
    check.validate(_written(sample()))


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda d: d["audit"]["estimates"][0].update(estimate="0.5"), "estimate"),
        (lambda d: d["audit"]["estimates"][0].update(verdict="fair"), "verdict"),
        (lambda d: d["audit"]["estimates"][0].pop("conf_low"), "conf_low"),
        (lambda d: d["audit"]["estimates"][0].update(badge="green"), "badge"),
        (lambda d: d["audit"]["protocol"].update(conf_level=95), "95"),
        (lambda d: d["audit"]["cells"][0].update(n="many"), "many"),
        (lambda d: d.pop("results_sha256"), "results_sha256"),
        (lambda d: d.update(schema="fairstats/report/2"), "report/2"),
        (lambda d: d.update(audit=[]), r"\[\]"),
        (lambda d: d["others"].append({"name": "x", "schema": "other/1"}), "other/1"),
    ],
)
def test_what_is_not_as_the_schema_says_is_refused(change, where, jsonschema, check, accepted):
    document = copy.deepcopy(accepted)
    change(document)
    with pytest.raises(jsonschema.ValidationError, match=where):
        check.validate(document)
