"""A protocol file judges its entries as the call judges its arguments: the same values, the same errors, one result."""

from __future__ import annotations

import json
import warnings
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import fairstats
from fairstats.auditing.arguments import AuditArguments
from fairstats.errors import FairstatsError, FairstatsWarning
from tests.broken_files import PEOPLE
from tests.wrong_values import alarm

# What TOML can say, as it says it, and the value of Python that it is.
VALUES: dict[str, Any] = {
    '""': "",
    '"x"': "x",
    '"sex"': "sex",
    '"\\u0000\\u001b[2J"': "\0\x1b[2J",
    '"1"': "1",
    "true": True,
    "0": 0,
    "1": 1,
    "-1": -1,
    "2.5": 2.5,
    "nan": float("nan"),
    "-inf": -float("inf"),
    "1e308": 1e308,
    "9223372036854775808": 2**63,
    f"1{'0' * 400}": 10**400,
    "[]": [],
    "[[]]": [[]],
    '["x", "x"]': ["x", "x"],
    '["sex", "race"]': ["sex", "race"],
    "[1, 2]": [1, 2],
    "{}": {},
    "{ a = 1 }": {"a": 1},
    '{ sex = ["f", "m"] }': {"sex": ["f", "m"]},
    "1979-05-27": date(1979, 5, 27),
}
VALID: dict[str, Any] = {"decision": "hired", "groups": "sex", "outcome": "good"}
ENTRIES = [field.name for field in fields(AuditArguments)]


def outcome(**arguments: Any) -> str:
    """What an audit comes to: its rows, or the text of its error."""
    try:
        with alarm(), warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", FairstatsWarning)
            return str(fairstats.audit(PEOPLE, **arguments).estimates.to_records())
    except FairstatsError as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.long
@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_is_checked_as_the_argument_of_its_name(entry: str, tmp_path: Path) -> None:
    path, wording = tmp_path / "audit.toml", {}
    for text, value in VALUES.items():
        rest = {name: json.dumps(given) for name, given in VALID.items()} | {entry: text}
        path.write_text("".join(f"{name} = {given}\n" for name, given in rest.items()))
        declared, called = outcome(protocol=path), outcome(**{**VALID, entry: value})
        refused = "Error: " in declared and ("Error: " in called or called.startswith("OutOfRange: "))
        if declared != called and not (refused and entry in declared):
            wording[text] = (declared[:200], called[:200])
    assert wording == {}


@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000,
        'a = "' + "x" * 100_000 + '"',
        "groups = 'sex'\ngroups = 'race'",
        "[groups]\nsex = 1",
        "[[groups]]\nsex = 1",
        "groups = sex",
        "groups = 'sex'\r\ndecision = '''hired",
        "\ufeffgroups = 'sex'",
        "= 1",
        "groups.sex = 1",
        "'' = 1",
        "protocol = 'audit.toml'",
        "data = 'people.csv'",
        "decision = 'hired'\ngroups = ['sex', ['race']]",
        "decision = 'hired'\ngroups = 'sex'\n[words]\ndecision = 3",
        "decision = 'hired'\ngroups = 'sex'\n[focus]\nsex = 'f'",
    ],
)
def test_what_is_no_protocol_is_one_error(text: str, tmp_path: Path) -> None:
    path = tmp_path / "audit.toml"
    path.write_text(text)
    assert outcome(protocol=path).partition(": ")[0] in ("InputError", "FileError"), outcome(protocol=path)


@pytest.mark.parametrize(("entry", "table"), [("title", "labels"), ("system", "about")])
def test_an_entry_of_a_table_is_refused_with_its_place(entry: str, table: str, tmp_path: Path) -> None:
    (tmp_path / "audit.toml").write_text(f'decision = "hired"\ngroups = "sex"\n{entry} = "Hires of 2025"\n')
    assert f"it belongs to {table}: {table}.{entry};" in outcome(protocol=tmp_path / "audit.toml")
