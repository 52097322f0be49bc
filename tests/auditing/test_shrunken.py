"""Rates drawn toward the mean of all groups, beside those of an audit: which rows there are, where they are shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.errors import InputError
from fairstats.inference.rates.shrinkage import shrunken
from tests.reporting.test_page_one import page


def people(seed: int = 2, n: int = 500) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"site": rng.choice(list("abcdef"), n), "sex": rng.choice(["f", "m"], n, p=[0.3, 0.7])})
    step = np.array(["a", "b", "c"])[np.arange(n) % 3]
    return frame.assign(d=rng.integers(0, 2, n), y=rng.integers(0, 2, n), w=1.5, team=np.arange(n) // 9, step=step)


def of(frame: Any = None, **options: Any) -> fairstats.Audit:
    frame = people() if frame is None else frame
    return fairstats.audit(frame, **{"decision": "d", "groups": ["site", "sex"], "shrunken": True} | options)


@pytest.mark.long
def test_every_rate_of_ten_groups_and_more_has_its_rows_and_no_other_row_moves() -> None:
    result, plain = of(outcome="y"), of(outcome="y", shrunken=False)
    drawn = result.estimates.where(role="shrunken")
    assert {row.attribute for row in drawn} == {"site:sex"}
    raw = result.estimates.where(attribute="site:sex", contrast="none", role="main")
    assert {(row.metric, row.group) for row in drawn} == {(row.metric, row.group) for row in raw if row.events >= 0}
    for metric in ("selection rate", "TPR"):
        rows, beside = (rows.where(metric=metric) for rows in (drawn, raw))
        e, n = (np.array(beside.column(name)) for name in ("events", "n"))
        expected = shrunken(e, n)
        assert rows.column("estimate") == expected.estimate.tolist()
        assert rows.column("conf_low") == expected.low.tolist()
        assert set(rows.column("verdict")) == {""} and np.isnan(rows.column("p_value")).all()
    assert fairstats.Estimates(row for row in result.estimates if row.role != "shrunken") == plain.estimates


@pytest.mark.long
def test_console_report_and_file_show_them(tmp_path: Path) -> None:
    result = of()
    rows = result.estimates.where(role="shrunken", metric="selection rate")
    text = result.summary()
    start = text.index("Selection rate by site:sex, drawn toward the mean of all groups, %; limits")
    (first,) = rows.only(group="d:m")
    line = next(line for line in text[start:].splitlines() if line.startswith("  d:Men "))
    assert line.split()[1:] == [
        f"{100 * first.estimate:.1f}", f"{100 * first.conf_low:.1f}", "to", f"{100 * first.conf_high:.1f}"
    ]  # fmt: skip
    assert max(map(len, text.splitlines())) <= 80
    html = fairstats.report(result).html
    assert "drawn toward the mean of all groups" in html and "for each of them; no verdict is read from them" in html
    assert "zum Mittel aller Gruppen gezogen" in fairstats.report(result, language="de").html
    assert "drawn toward the mean" not in fairstats.report(of(shrunken=False)).html
    result.save(tmp_path / "audit.npz")
    assert fairstats.load(tmp_path / "audit.npz").estimates == result.estimates
    assert page(result)["sentence"] == page(of(shrunken=False))["sentence"]


def test_the_picture_of_rates_marks_what_they_are_drawn_to() -> None:
    result = of()
    (row,) = result.estimates.where(role="shrunken", metric="selection rate", group="a:m")
    drawing = fairstats.plot(result, "rates", metric="selection rate", attribute="site:sex")
    assert drawing.caption.endswith("Upright marks: the rates drawn toward the mean of all groups.")
    assert f", drawn to {100 * row.estimate:.1f}%." in drawing.alt
    assert "drawn to" not in fairstats.plot(result, "rates", metric="selection rate", attribute="site").alt
    html = fairstats.report(result).html  # where groups are crossed it has a matrix, and these rates in a table
    said = "drawn toward the mean of all groups"
    assert said in html and said not in fairstats.report(of(shrunken=False)).html


def test_small_groups_that_are_withheld_are_not_drawn() -> None:
    others, few = people(3), people(4).iloc[:2]
    result = of(
        pd.concat([people(), others.assign(site=others["site"].str.upper()), few.assign(site=["g", "h"], sex="f")]),
        min_n=9,
    )
    hidden = {row.group for row in result.estimates.where(status="suppressed", attribute="site:sex", contrast="none")}
    drawn = result.estimates.where(role="shrunken")
    assert {"g:f", "h:f"} <= hidden and len(drawn) and not hidden & set(drawn.column("group"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"groups": "sex"},
            "shrunken has True; rates are drawn toward the mean of 10 groups or more, and no attribute",
        ),
        ({"weights": "w"}, "shrunken has True; .* drop weights, or shrunken"),
        ({"clusters": "team"}, "shrunken has True; .* drop clusters, or shrunken"),
        ({"decision": "step"}, "shrunken has True; rates of two values .* there are several classes"),
        ({"shrunken": 1}, "shrunken has 1"),
    ],
)
def test_what_it_is_not_for_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        of(**options)
