"""Laws that every result keeps: the same verbs, a short form, and nothing that a report refuses."""

from __future__ import annotations

import inspect
import json
import pkgutil
import textwrap
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.auditing.change import AuditComparison
from fairstats.auditing.group_studies import GroupStudy
from fairstats.data.design import Design
from fairstats.estimates import GLOSSARY, IDENTITY, Estimates, Reads, Result, Worded
from fairstats.methods.registry import refit
from fairstats.r.records import record
from fairstats.rvalues.convert import to_python
from tests.laws.every_result import MADE, X, made, people

pytestmark = pytest.mark.filterwarnings("ignore::fairstats.errors.FairstatsWarning")


def test_every_class_that_reads_as_a_result_is_among_them() -> None:
    for module in pkgutil.walk_packages(fairstats.__path__, "fairstats."):
        if not module.name.startswith(("fairstats.cli", "fairstats.r.", "fairstats.__main__")):
            import_module(module.name)
    result, classes = [Reads], set()
    while result:
        cls = result.pop()
        result += cls.__subclasses__()
        if cls not in (Reads, Worded) and not inspect.isabstract(cls) and cls.__module__.startswith("fairstats."):
            classes.add(cls)
    assert classes == {type(made(name)) for name in MADE}


@pytest.mark.parametrize("name", MADE)
def test_every_result_has_the_same_verbs(name: str) -> None:
    result = made(name)
    assert isinstance(result, Result) and isinstance(result.estimates, Estimates)
    compared = any(row.model and row.versus for row in result.estimates) and isinstance(result, GroupStudy)
    pd.testing.assert_frame_equal(result.tidy()[list(GLOSSARY)], result.estimates.to_frame())
    assert list(result.tidy().columns) == [
        *GLOSSARY,
        *["direction"] * (compared or isinstance(result, AuditComparison)),
    ]
    assert len(result.glance()) == 1
    written = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert written["schema"].startswith("fairstats/") and written["estimates"] == result.estimates.to_records()
    assert result.estimates is result.estimates
    lines = result.summary().splitlines()
    copied = [line for line in lines if line.startswith("fairstats.")]  # a call that is broken does not run
    assert lines and max(len(line) for line in lines if line not in copied) <= 80
    if isinstance(result, fairstats.Audit):  # printed, it is the answer; the summary has all numbers
        shown = str(result).splitlines()
        assert len(shown) <= 25 and max(map(len, shown)) <= 80 and len(shown) < len(lines)
        text = " ".join(str(result).split())
        whole = result.finding() in text
        assert whole or ("… finding() has the whole answer." in text and result.finding().split(". ")[0] in text)
    elif str(result).endswith("summary() has all."):  # a fit whose summary is long: its price and guarantees
        shown = str(result).splitlines()
        assert len(shown) <= 25 < len(lines) and set(shown[:-1]) <= set(lines)
        text = " ".join(str(result).split())
        assert all(guarantee.statement.split(":")[0] in text for guarantee in result.guarantees)
    elif isinstance(result, fairstats.Comparison):
        shown = str(result).splitlines()
        assert len(shown) <= 26 < len(lines) and set(shown[: shown.index("") + 1]) <= set(lines)
    elif compared and "models" in result.settings:  # the answer, and not every comparison
        assert len(str(result).splitlines()) <= 28 and max(map(len, str(result).splitlines())) <= 80
    elif isinstance(result, fairstats.GroupStudy) and len(
        result.by_bound()
    ):  # the answer of the bound, and each estimate with what it supposes
        shown = str(result).splitlines()
        assert len(shown) <= 25 < len(lines) and max(map(len, shown)) <= 80
        assert result.statements[0] in " ".join(str(result).split())
    elif not isinstance(result, Estimates):
        assert str(result) == result.summary()


@pytest.mark.parametrize("name", MADE)
def test_no_text_is_laid_out_wider_than_80_columns_whatever_it_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence that happens to break early does not hide the width that it was broken at."""
    widths = set()

    class Noted(textwrap.TextWrapper):
        def __init__(self, width: int = 70, **options: Any) -> None:
            widths.add(width)
            super().__init__(width, **options)

    result = made(name)
    monkeypatch.setattr(textwrap, "TextWrapper", Noted)
    result.summary()
    assert max(widths, default=80) == 80


@pytest.mark.parametrize("name", MADE)
def test_the_short_form_is_short_and_no_dump(name: str) -> None:
    result = made(name)
    if isinstance(result, Estimates):
        assert len(repr(result).splitlines()) <= 22
        return
    assert repr(result).startswith(f"<{type(result).__name__}: ") and "\n" not in repr(result)
    assert len(repr(result)) <= 440 and "array(" not in repr(result) and "Estimate(" not in repr(result)
    assert any(character.isdigit() for character in repr(result))


@pytest.mark.parametrize("name", MADE)
def test_a_report_takes_every_result(name: str) -> None:
    report = fairstats.report(made(name), title="t")
    rows = pd.read_csv(__import__("io").StringIO(report.csv), low_memory=False)
    assert len(rows) == len(made(name).estimates)


@pytest.mark.parametrize("name", MADE)
def test_no_two_rows_are_about_the_same(name: str) -> None:
    for rows in (made(name).estimates, getattr(made(name), "shares", Estimates())):
        frame = rows.to_frame()
        twice = frame[frame.duplicated(list(IDENTITY), keep=False)]
        assert twice.empty, twice[list(IDENTITY)].head(4).to_string()
        assert len({row.key for row in rows}) == len(rows)


def test_the_main_rows_of_an_audit_are_its_rates_and_comparisons() -> None:
    """One row a metric, group and contrast: what a statistician expects of ``tidy()``."""
    rows = made("audit").tidy().query("role == 'main'")
    assert not rows.duplicated(["metric", "attribute", "group", "contrast", "reference"]).any()
    assert set(rows.term) == {""} and set(rows.given) == {""} and (rows.group != "").all()
    others = made("audit").tidy().query("role != 'main'")
    assert set(others.role) == {"omnibus", "sensitivity", "power", "supplementary"}


@pytest.mark.parametrize("name", MADE)
def test_the_label_of_a_row_is_unique_and_is_the_term_in_r(name: str) -> None:
    rows = made(name).estimates
    assert len({row.label for row in rows}) == len(rows)
    table = to_python(record(made(name)).fields["tidy"], "")
    assert list(table["term"]) == [row.label for row in rows]
    assert [None if pd.isna(name) else name for name in table["name"]] == [name or None for name in rows.column("term")]


def test_a_fit_is_reproduced_by_the_call_that_its_settings_say() -> None:
    """The settings hold k as every other argument, so that a method and its settings make the fit again."""
    for name in ("pca", "og", "og, scaled", "minimax", "kernel", "leace", "residualize"):
        result = made(name)
        design = Design.of(X, None if name == "pca" else "sex", data=people())
        beside = {"groups": None} if name in ("kernel", "residualize") else {}
        again = refit(result)(design, **beside, **result.settings)
        np.testing.assert_allclose(again.transform(people()), result.transform(people()))
        assert again.settings == result.settings and (not hasattr(result, "k") or "k" in result.settings)


@pytest.mark.parametrize("cls", [fairstats.Projection, fairstats.KernelProjection, fairstats.Eraser])
def test_fits_are_constructed_by_the_names_of_their_fields(cls: type) -> None:
    with pytest.raises(TypeError, match=r"positional|not made by hand"):
        cls("og", "a title")
