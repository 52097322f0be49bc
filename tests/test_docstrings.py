"""Docstrings of public names keep numpydoc's rules (its own validator), but for those that the house has otherwise."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from tests.test_pasted import public

validate = pytest.importorskip("numpydoc.validate", reason="numpydoc is not installed; make docs installs it")

# numpydoc's rules that ours differ from, with the reason.
OTHERWISE = {
    "ES01": "a first line that says it all needs no second one",
    "SA01": "the page of a name links those near it in its subject",
    "EX01": "tests/test_pasted.py sees to examples",
    "GL06": "Guarantees and Costs are sections of ours",
    "GL07": "Guarantees come before Notes",
    "PR04": "parameters that several functions share are documented together",
    "PR03": "and then stand where the first of them does",
    "PR07": "X, groups, data are said to be those of another function",
    "RT02": "a value that has no name of its own is described at once",
    "PR08": "a description may begin with a symbol, p or n",
    "RT04": "and so may that of a value",
    "RT03": "a class that has a page describes itself",
}
# Fields of results are Attributes, which the validator takes for undocumented parameters of the class.
OF_CLASSES = {"PR01", "PR02"}


def names() -> list[tuple[str, Any]]:
    """Every public function and class, by its path."""
    entries = {path.replace("fs.", "fairstats.", 1): thing for path, thing in public()}
    return sorted((path, thing) for path, thing in entries.items() if path.count(".") == 1 or ".stats." in path)


def faults(path: str, thing: Any) -> list[str]:
    """What the validator says beyond what we have otherwise."""
    apart = OTHERWISE.keys() | (OF_CLASSES if inspect.isclass(thing) else set())
    return [f"{path}: {code} {text}" for code, text in validate.validate(path)["errors"] if code not in apart]


@pytest.mark.filterwarnings("ignore:Unknown section")  # Guarantees, Costs
def test_docstrings_are_numpydocs():
    items = [fault for path, thing in names() if not inspect.ismodule(thing) for fault in faults(path, thing)]
    assert items == []
    assert len(names()) > 120


@pytest.mark.filterwarnings("ignore:Unknown section")
def test_the_validator_sees_a_parameter_that_is_not_there(monkeypatch):
    import fairstats

    monkeypatch.setattr(
        fairstats.stats.wilson, "__doc__", "Return x.\n\nParameters\n----------\nnobody : int\n    Who.\n"
    )
    assert any("PR02" in fault for fault in faults("fairstats.stats.wilson", fairstats.stats.wilson))
