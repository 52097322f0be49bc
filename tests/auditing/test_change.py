"""Changes of a gap: Newcombe's limits of each gap joined, the size by enumeration, one door for two audits."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, norm, t

import fairstats
from fairstats.cli import run
from fairstats.errors import InputError
from fairstats.inference.rates.two_rates import change_limits, changed_gap
from fairstats.reporting.sections.other import rates
from fairstats.reporting.tables import FULL, _needs
from fairstats.text import percent

count = st.integers(1, 200)


def root(x: int, n: int, z: float, sign: int) -> float:
    """An end of Wilson's interval as the root of (x/n - p)^2 n = z^2 p (1 - p), by numpy's polynomial roots."""
    ends = np.sort(np.roots([n + z * z, -(2 * x + z * z), x * x / n]).real)
    return float(ends[0] if sign < 0 else ends[1])


@settings(max_examples=60, deadline=None)
@given(n=st.tuples(count, count, count, count), share=st.tuples(*[st.floats(0, 1)] * 4), level=st.floats(0.5, 0.999))
def test_the_interval_is_that_of_the_two_gaps_of_newcombe_joined_by_mover(n, share, level):
    n = np.array(n).reshape(2, 2) + 2
    events = np.round(np.array(share).reshape(2, 2) * n)
    estimate, low, high, p, df = changed_gap(events, n, level)
    v = [(x + 2) / (m + 4) * (1 - (x + 2) / (m + 4)) / m for x, m in zip(events.flat, n.flat, strict=True)]
    assert df == pytest.approx(sum(v) ** 2 / sum(u * u / max(m - 2, 1) for u, m in zip(v, n.flat, strict=True)))
    z = float(t.isf((1 - level) / 2, df))
    gaps = []
    for x, m in zip(events, n, strict=True):
        (a, b), (la, lb) = x / m, [root(x[i], m[i], z, -1) for i in (0, 1)]
        ua, ub = (root(x[i], m[i], z, 1) for i in (0, 1))
        gaps.append((a - b, np.hypot(a - la, ub - b), np.hypot(ua - a, b - lb)))
    (d1, down1, up1), (d2, down2, up2) = gaps
    assert estimate == pytest.approx(d2 - d1, abs=1e-12)
    assert low == pytest.approx(d2 - d1 - np.hypot(down2, up1), abs=1e-6)
    assert high == pytest.approx(d2 - d1 + np.hypot(up2, down1), abs=1e-6)
    if abs(p - (1 - level)) > 1e-6:
        assert (p < 1 - level) == (low > 0 or high < 0)


def test_large_samples_have_the_p_value_of_the_wald_test():
    events, n = np.array([[4000, 5200], [4300, 5100]]), np.full((2, 2), 10_000)
    rates = events / n
    z = (rates[1, 0] - rates[1, 1] - rates[0, 0] + rates[0, 1]) / np.sqrt((rates * (1 - rates) / n).sum())
    assert changed_gap(events, n)[3] == pytest.approx(2 * norm.sf(abs(z)), rel=0.02)


@pytest.mark.parametrize(("n", "p"), [((8, 8, 8, 8), (0.6, 0.5, 0.3, 0.2)), ((8, 8, 8, 8), (0.5, 0.5, 0.5, 0.5))])
def test_no_change_is_called_one_in_at_most_six_of_a_hundred(n, p):
    """Every table of four groups of eight; p is after, then before, of group and reference, and the gaps are equal."""
    assert p[0] - p[1] == pytest.approx(p[2] - p[3])
    size, present = 0.0, {}
    chance = [binom.pmf(np.arange(m + 1), m, q) for m, q in zip(n, p, strict=True)]
    for x in itertools.product(*(range(m + 1) for m in n)):
        weight = np.prod([c[i] for c, i in zip(chance, x, strict=True)])
        if weight < 1e-7:
            continue
        key = (min(x[0] + x[3], x[1] + x[2]), *sorted((x[0], x[3])), *sorted((x[1], x[2])))  # equal n: only sums matter
        if key not in present:
            low, high = change_limits(np.array([[x[2], x[3]], [x[0], x[1]]]), np.reshape([*n[2:], *n[:2]], (2, 2)))
            present[key] = low > 0 or high < 0
        size += weight * present[key]
    assert 0.03 < size <= 0.06


def people(seed: int, n: int, gap: float) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    group = rng.choice(["a", "b", "c"], n)
    y = rng.random(n) < 0.5
    d = rng.random(n) < 0.5 - gap * (group == "b") + 0.1 * y
    return pd.DataFrame({"g": group, "d": d.astype(int), "y": y.astype(int)})


def audits(gap: float, **more) -> tuple[fairstats.Audit, fairstats.Audit]:
    return tuple(
        fairstats.audit(people(i, 1500, current), "d", "g", outcome="y", **more) for i, current in enumerate((0.0, gap))
    )


def test_a_change_is_found_where_it_is_and_every_row_is_that_of_its_counts():
    before, after = audits(0.3, reference="a")
    result = fairstats.compare_audits(before, after)
    assert {(r.metric, r.group) for r in result.drifts()} >= {("selection rate", "b"), ("TPR", "b")}
    assert not any(r.group == "c" for r in result.drifts())
    rows = result.estimates.only(estimator="change")
    assert len(rows) == 2 * len({r.metric for r in rows}) and "FNR" not in {r.metric for r in rows}
    one = rows.only(metric="selection rate", group="b")[0]
    tables = [people(i, 1500, current) for i, current in enumerate((0.0, 0.3))]
    rates = [table.groupby("g")["d"].mean() for table in tables]
    assert one.estimate == pytest.approx(rates[1]["b"] - rates[1]["a"] - rates[0]["b"] + rates[0]["a"], abs=1e-12)
    adjusted = fairstats.stats.p_adjust([r.p_value for r in rows], "bonferroni")
    np.testing.assert_allclose([r.p_adjusted for r in rows], adjusted)
    for row in rows:
        assert (row.p_adjusted <= 0.05) == (row.conf_low > 0 or row.conf_high < 0), row
    assert "A change of a difference between groups is shown in" in result.statements[0]
    assert max(map(len, result.summary().splitlines())) <= 80
    assert fairstats.compare_audits(before, after, metric="TPR").estimates.only(estimator="change").column(
        "metric"
    ) == [
        "TPR",
        "TPR",
    ]


@pytest.mark.long
def test_nothing_is_said_of_what_cannot_be_compared():
    before, after = audits(0.0, reference="a")
    with pytest.raises(InputError, match="after is of the same data as before"):
        fairstats.compare_audits(before, before)
    with pytest.raises(InputError, match=r"after has favorable='0'; before has '1'"):
        fairstats.compare_audits(
            before, fairstats.audit(people(5, 300, 0), "d", "g", outcome="y", favorable=0, positive_prediction=1)
        )
    with pytest.raises(InputError, match="metric has 'AUC'; before has no such rate"):
        fairstats.compare_audits(before, after, metric="AUC")
    with pytest.raises(InputError, match="clusters or weighted by probability"):
        weighted = people(6, 300, 0).assign(w=1.5)
        fairstats.compare_audits(
            before, fairstats.audit(weighted, "d", "g", outcome="y", weights="w", weight_type="probability")
        )
    with pytest.raises(InputError, match="after has no rate of groups that before has"):
        other = people(7, 300, 0).replace({"g": {"a": "x", "b": "y", "c": "z"}})
        fairstats.compare_audits(before, fairstats.audit(other, "d", "g", outcome="y"))
    fewer = people(8, 600, 0)
    result = fairstats.compare_audits(
        before, fairstats.audit(fewer[fewer["g"] != "c"], "d", "g", outcome="y"), metric="selection rate"
    )
    lost = [row for row in result.estimates if row.status == "unestimable"]
    assert len(lost) == 1 and lost[0].reason == "c has no rate in the audit after"
    assert result.statements[1] == "Not compared: selection rate of c (g): c has no rate in the audit after."


def test_what_a_result_counts_is_said_where_the_result_is_alone():
    before, after = audits(0.3)
    result = fairstats.compare_audits(before, after)
    assert result.statements[-2:] == (
        "The favorable decision is d = 1.",
        "The positive outcome is y = 1, predicted by d = 1.",
    )
    data = people(4, 300, 0)
    assert fairstats.subgroup_scan(data, "d", "g").statements[-1] == "The favorable decision is d = 1."
    for language, text in (("en", "The favorable decision is d = 1."), ("de", "Die günstige Entscheidung ist d = 1.")):
        assert text in fairstats.report(result, language=language).html


def table(**hired: int) -> fairstats.Audit:
    """An audit of 400 people a group, of whom these were hired."""
    groups = np.repeat(list(hired), 400)
    return fairstats.audit(
        {"g": groups, "d": np.concatenate([np.arange(400) < k for k in hired.values()]) * 1}, "d", "g", reference="a"
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("before", "after", "worse", "by"),
    [((200, 200), (200, 100), True, True), ((200, 100), (200, 200), False, False),
     ((200, 190), (200, 160), False, False), ((200, 200), (200, 160), True, False),
     ((200, 120), (120, 200), False, False), ((200, 190), (120, 240), True, True)],
)  # fmt: skip
def test_a_gap_is_worse_where_it_is_larger_than_before_for_sure(before, after, worse, by, tmp_path):
    items = [table(a=a, b=b) for a, b in (before, after)]
    result = fairstats.compare_audits(*items)
    assert (len(result.worsened()), len(result.worsened(0.1))) == (worse, by)
    for name, audit in zip(("may", "june"), items, strict=True):
        audit.save(tmp_path / f"{name}.npz")
    files = [str(tmp_path / f"{name}.npz") for name in ("may", "june")]
    for gate, fails in (("worse", worse), ("worse>0.1", by), ("drift", len(result.drifts()) > 0)):
        assert run(["compare-audits", *files, "--fail-on", gate]) == int(fails)


def test_the_command_ends_with_one_where_something_drifted(tmp_path, capsys):
    for name, audit in zip(("may", "june", "july"), (*audits(0.3), audits(0.0)[1]), strict=True):
        audit.save(tmp_path / f"{name}.npz")
    may, june, july = (str(tmp_path / f"{name}.npz") for name in ("may", "june", "july"))
    assert run(["compare-audits", may, july, "--fail-on", "drift"]) == 0
    assert "No change of a difference" in capsys.readouterr().out
    assert (
        run(["compare-audits", may, june, "--metric", "selection rate", "--fail-on", "drift", "--format", "json"]) == 1
    )
    printed = capsys.readouterr()
    assert "gate failed: a change is shown in 1 comparison" in printed.err
    assert json.loads(printed.out)["others"][0]["schema"] == "fairstats/change/1"
    assert run(["compare-audits", may, june, "--to", str(tmp_path / "change.html")]) == 0
    page = (tmp_path / "change.html").read_text()
    assert "Change between two audits" in page and "Selection rate" in page
    assert run(["compare-audits", may, str(tmp_path / "none.npz")]) == 2


def hired(n: tuple[int, int], k: tuple[int, int]) -> fairstats.Audit:
    """Of so many women and men so many are hired."""
    sex, d = np.repeat(["f", "m"], n), np.concatenate([np.arange(v) < w for v, w in zip(n, k, strict=True)])
    return fairstats.audit({"sex": sex, "hired": d.astype(int)}, "hired", "sex")


def test_the_same_people_in_memory_are_no_two_samples():
    with pytest.raises(InputError, match="after is of the same data as before"):
        fairstats.compare_audits(hired((90, 110), (30, 60)), hired((90, 110), (30, 60)))
    assert fairstats.compare_audits(hired((90, 110), (30, 60)), hired((90, 110), (31, 60))).estimates


def test_the_same_people_in_two_files_are_no_two_samples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In another order, too; few people may have the same counts in two months."""
    people = pd.DataFrame({"sex": ["f", "m"] * 100, "hired": np.arange(200) % 3 % 2})
    for rows, refused in ((200, True), (40, False)):
        for name, part in (("a", people[:rows]), ("b", people[:rows][::-1])):
            part.to_csv(tmp_path / f"{name}.csv", index=False)
            fairstats.audit(tmp_path / f"{name}.csv", "hired", "sex").save(tmp_path / f"{name}.npz", overwrite=True)
        code = run(["compare-audits", str(tmp_path / "a.npz"), str(tmp_path / "b.npz")])
        assert (code == 2) == refused == ("after is of the same data as before" in capsys.readouterr().err)


def test_a_largest_group_that_is_another_one_later_is_said():
    result = fairstats.compare_audits(hired((90, 110), (30, 60)), hired((120, 100), (40, 60)))
    row = result.estimates.only(estimator="change")[0]
    assert (row.group, row.reference) == ("f", "m")
    assert row.estimate == pytest.approx((40 / 120 - 60 / 100) - (30 / 90 - 60 / 110))
    lines = [text for text in result.statements if "is m before and f after; both are compared with m here" in text]
    assert len(lines) == 1
    assert not any(
        "before and" in s and "here" in s
        for s in fairstats.compare_audits(hired((90, 110), (3, 6)), hired((9, 11), (3, 6))).statements
    )


def test_a_change_says_what_it_does_not_hold_fixed_and_flags_under_a_false_discovery_rate():
    """The decision depends on the stratum alone; the crude change was told without a word about strata."""

    def month(seed, share, lost):
        r, n = np.random.default_rng(seed), 6000
        g = r.choice(["a", "b"], n).astype(object)
        s = (r.random(n) < np.where(g == "a", 0.5, share)).astype(int)
        y = (r.random(n) < np.where(s == 1, 0.8, 0.2)).astype(int)
        g[r.random(n) < lost] = None
        return {"g": g, "s": s, "y": y}

    for lost, strata in ((0, "s"), (0.2, None)):
        both = [
            fairstats.audit(month(i, share, lost), "y", "g", strata=strata, reference="a", missing="drop")
            for i, share in ((1, 0.5), (2, 0.2))
        ]
        shown, flagged = (
            " ".join(fairstats.compare_audits(*both, p_adjust=p).statements) for p in ("bonferroni", "bh")
        )
        assert "is shown in 1" in shown and "is flagged in 1" in flagged and "shown" not in flagged
        assert ("Changes of selection rate are without regard to s" in shown) == (strata is not None)
        assert ("it may be none" in shown) == (lost > 0)  # what a fifth without a group may do to a change of 12 points
        assert ("All changes are of people whose group is known" in shown) == (lost > 0)


def test_declared_strata_are_answered_first_by_the_mantel_haenszel_differences(tmp_path):
    """A gap that closes within strata, while who is in which stratum moves too."""

    def month(seed, share, gap):
        r, n = np.random.default_rng(seed), 4000
        g = r.choice(["a", "b"], n)
        s = (r.random(n) < np.where(g == "a", 0.6, share)).astype(int)
        return pd.DataFrame({"g": g, "s": s, "y": (r.random(n) < 0.3 + 0.3 * s - gap * (g == "b")).astype(int)})

    months = [month(1, 0.3, 0.15), month(2, 0.6, 0.0)]
    before, after = (fairstats.audit(m, "y", "g", strata="s", reference="a") for m in months)
    result = fairstats.compare_audits(before, after)
    (row,) = result.estimates.only(estimator="change", metric="risk difference within strata")
    gaps, variances = [], []
    for m in months:
        cells = m.groupby(["s", "g"])["y"].agg(["mean", "size"]).unstack()
        p, n = cells["mean"].to_numpy(), cells["size"].to_numpy()
        w = n.prod(axis=1) / n.sum(axis=1)
        w = w / w.sum()
        gaps.append(float(w @ (p[:, 1] - p[:, 0])))
        variances.append(float(w**2 @ (p * (1 - p) / n).sum(axis=1)))
    error = np.sqrt(sum(variances))
    assert row.estimate == pytest.approx(gaps[1] - gaps[0], abs=1e-12)
    half = norm.isf(0.05 / 2 / 2) * error  # two comparisons
    assert [row.conf_low, row.conf_high] == pytest.approx([row.estimate - half, row.estimate + half], rel=0.03)
    assert row.p_value == pytest.approx(2 * norm.sf(abs(row.estimate) / error), rel=0.3)
    assert result.statements[1].startswith("risk difference within strata, b less a (g)")
    page = fairstats.report(result).html
    first = "The gap in the difference within strata between b and a narrowed"
    assert first in page and page.index(first) < page.index("Without regard to s: The gap in the selection rate")
    saved = tmp_path / "change.npz"
    result.save(saved)
    assert fairstats.load(saved).estimates == result.estimates


def test_a_change_within_strata_that_one_audit_lacks_is_an_unestimable_row():
    people = {"g": ["a", "b"] * 60, "s": ["x", "x", "y", "y"] * 30, "y": [0, 1, 1, 0, 1, 1] * 20}
    apart = people | {"s": ["x", "y"] * 60, "y": [1, 0, 1] * 40}
    result = fairstats.compare_audits(
        *(fairstats.audit(d, "y", "g", strata="s", reference="a") for d in (people, apart))
    )
    (row,) = result.estimates.only(estimator="change", metric="risk difference within strata")
    assert row.status == "unestimable" and "in the audit after" in row.reason


def tallied(b: tuple[int, int], a: tuple[int, int] = (400, 100), least: int = 30) -> fairstats.Audit:
    """Of two groups so many are hired and so many are not; smaller cells are withheld."""
    data = {"g": ["b"] * sum(b) + ["a"] * sum(a), "d": [1] * b[0] + [0] * b[1] + [1] * a[0] + [0] * a[1]}
    tally = fairstats.tally(data, decision="d", groups="g")
    return fairstats.audit(tally.withhold(min_n=least) if least else tally)


def page_one(result: fairstats.AuditComparison) -> dict[str, Any]:
    return fairstats.report(result).contents.context["findings"]


def of_three(b: tuple[int, int], c: tuple[int, int], **given: Any) -> fairstats.Audit:
    """Of three groups, of which the largest is the reference."""
    sizes = {"b": b, "a": (500, 200), "c": c}
    data = {"g": [g for g, n in sizes.items() for _ in range(sum(n))]}
    data["d"] = [d for n in sizes.values() for d, k in zip((1, 0), n, strict=True) for _ in range(k)]
    return fairstats.audit(fairstats.tally(data, decision="d", groups="g").withhold(min_n=30), **given)


def test_people_of_withheld_cells_leave_a_change_its_bounds_and_no_estimate(tmp_path, capsys):
    """100 of 129 are no change from 100 of 131, whichever of the two files lost its 29."""
    pairs = ((100, 31), (100, 29)), ((100, 29), (100, 31))
    for current in pairs:
        whole = fairstats.compare_audits(*(tallied(b, least=0) for b in current)).estimates.only(estimator="change")[0]
        result = fairstats.compare_audits(*map(tallied, current))
        row, bounds = (result.estimates.only(estimator=name)[0] for name in ("change", "bounds of the change"))
        assert (row.status, np.isnan(row.estimate), bounds.role) == ("bounded", True, "bounds")
        assert bounds.conf_low - 1e-9 <= whole.estimate <= bounds.conf_high + 1e-9
        assert row.conf_low <= whole.conf_low and whole.conf_high <= row.conf_high and row.p_adjusted > 0.5
        assert not len(result.drifts()) and not len(result.worsened())
        assert result.statements[0].startswith("No change") and "people of withheld cells" in result.statements[1]
        statuses = {r.estimator: r.status for r in result.estimates.only(contrast="difference", role="supplementary")}
        assert statuses == {
            name: "ok" if b == (100, 31) else "bounded" for name, b in zip(("before", "after"), current, strict=True)
        }
        for name, b in zip(("may", "june"), current, strict=True):
            tallied(b).save(tmp_path / f"{name}.npz")
        files = [str(tmp_path / f"{name}.npz") for name in ("may", "june")]
        assert [run(["compare-audits", *files, "--fail-on", gate]) for gate in ("drift", "worse")] == [0, 0]
        ends = f"{percent(bounds.conf_low)} to {percent(bounds.conf_high)}"
        limits = f"{percent(row.conf_low)} to {percent(row.conf_high)}"
        cells = fairstats.table(result, "changes").to_frame().iloc[0]
        assert list(cells[["change (points)", "95% interval (points)"]]) == [ends, limits]
        assert " to " in cells["after (points)" if current == pairs[0] else "before (points)"]
        assert f"change {ends} ({limits})" in result.plot("changes").alt and ends in str(result)
        page = str(fairstats.report(result, to=tmp_path / "change.html") and (tmp_path / "change.html").read_text())
        assert f"{ends} ({limits})" in page
        (table, *_) = fairstats.report(result, language="de").contents.context["findings"]["tables"]
        assert sum(least for least, *_ in _needs(table)) <= FULL  # nothing runs over its column
        assert "only bounded: it depends on the people of withheld cells" in page


def test_the_headline_blames_withheld_people_for_nothing():
    """Two of 1,000 people are withheld, and no change is shown whatever they are."""
    result = fairstats.compare_audits(tallied((1000, 2), (4000, 1000), 3), tallied((1000, 5), (4000, 1000), 3))
    assert result.estimates.only(estimator="change")[0].status == "bounded"
    page = page_one(result)
    assert page["sentence"] == "The gap in the selection rate between groups of g is not shown to have changed."
    assert any("only bounded: it depends on the people of withheld cells" in line for line in page["context"])


@pytest.mark.parametrize(("later", "said"), [(305, "None of 2 gaps"), (100, "widened from")])
def test_a_bounded_change_hides_no_other_result_and_is_counted(later, said):
    audits = (of_three((100, 31), (300, 300)), of_three((100, 29), (later, 600 - later)))
    result = fairstats.compare_audits(*audits)
    assert sorted(row.status for row in result.estimates.only(estimator="change")) == ["bounded", "ok"]
    assert "all 2 comparisons allowed for" in rates(result).note.replace("\N{NO-BREAK SPACE}", " ")
    page = page_one(result)
    assert said in page["sentence"] and "withheld" not in page["sentence"]
    assert any("only bounded: it depends on the people of withheld cells" in line for line in page["context"])
    assert ("A change is shown in 1 of 2 comparisons." in page["context"]) is (later == 100)
    shown = fairstats.compare_audits(of_three((300, 300), (300, 300)), of_three((20, 600), (300, 300)))
    assert "changed, whoever the people of withheld cells are" in page_one(shown)["sentence"]
    assert any(line.startswith("A change is shown in") for line in page_one(shown)["context"])
    for group in "bc":  # the difference that the audits are about comes first, whichever one has withheld cells
        asked = {"reference": "a", "headline": {"g": [group, "a"]}}
        of_b, of_c = ((100, 29), (100, 500)), ((620, 20), (300, 300))
        late = of_b if group == "b" else of_c
        early = of_three((100, 31) if group == "b" else (300, 300), (300, 300), **asked)
        sentence = page_one(fairstats.compare_audits(early, of_three(*late, **asked)))["sentence"]
        assert f"between {group} and a, which the audits are about, is not shown to have changed." in sentence


def of_groups(
    c: tuple[int, int], a: tuple[int, int] = (400, 100), reference: str = "a", **others: tuple[int, int]
) -> fairstats.Audit:
    """An audit of a tally of a, b, c and others, in which cells of fewer than 30 people are withheld."""
    cells = {"a": a, "b": (100, 40), "c": c} | others
    g = np.repeat(list(cells), [sum(n) for n in cells.values()])
    d = np.concatenate([np.repeat([1, 0], n) for n in cells.values()])
    return fairstats.audit(fairstats.tally({"g": g, "d": d}, "d", "g").withhold(min_n=30), reference=reference)


def test_a_group_that_could_not_be_compared_is_named_with_the_reason():
    whole, hidden = of_groups((90, 60)), of_groups((12, 9), (390, 100), e=(50, 50))
    for pair, place in ((whole, hidden), "after"), ((hidden, whole), "before"):
        result = fairstats.compare_audits(*pair)
        texts = [f"Not compared: selection rate of c (g): c is withheld in the audit {place}."]
        if place == "after":
            texts.append("Not compared: e (g), in the audit after only.")
        else:
            texts.insert(0, "Not compared: selection rate of e (g): e has no rate in the audit after.")
        assert list(result.statements[1 : 1 + len(texts)]) == texts
        assert all(text in " ".join(str(result).split()) for text in texts)
        assert all(text in fairstats.table(result, "changes").note for text in texts)
        page = fairstats.report(result).html
        assert f"c is withheld in the audit {place}" in page
        assert result.plot("changes").caption.endswith(" ".join(texts))
        assert ("in the audit after only" in page) == (place == "after")
    with pytest.raises(InputError, match=r"a is withheld in the audit after; .* declare a reference that neither"):
        fairstats.compare_audits(tallied((100, 40)), of_groups((90, 60), (12, 9), reference="b"))


def test_a_change_that_the_worst_case_leaves_is_shown_without_an_estimate():
    result = fairstats.compare_audits(tallied((300, 300)), tallied((20, 600)))
    (row,) = result.drifts()
    whole = fairstats.compare_audits(tallied((300, 300), least=0), tallied((20, 600), least=0)).drifts()[0]
    assert row.status == "bounded" and np.isnan(row.estimate) and row.p_adjusted >= whole.p_adjusted
    assert row.conf_low <= whole.conf_low and whole.conf_high <= row.conf_high


@pytest.mark.parametrize("hidden", range(1, 30, 7))
def test_limits_at_the_sent_counts_hold_those_of_every_number_that_was_withheld(hidden):
    sent = fairstats.compare_audits(tallied((100, 40)), tallied((100, hidden))).estimates.only(estimator="change")[0]
    whole = fairstats.compare_audits(tallied((100, 40), least=0), tallied((100, hidden), least=0))
    row = whole.estimates.only(estimator="change")[0]
    assert sent.conf_low <= row.conf_low and row.conf_high <= sent.conf_high


def test_the_printed_changes_say_the_level_of_their_intervals():
    rng = np.random.default_rng(2)
    before, after = (
        fairstats.audit(
            pd.DataFrame({"g": rng.choice([*"abc"], 900), "d": rng.integers(0, 2, 900)}), "d", "g", reference="a"
        )
        for _ in range(2)
    )
    result = fairstats.compare_audits(before, after)
    assert {row.conf_level for row in result.estimates.where(estimator="change")} == {0.975}
    assert "97.5% interval, points" in result._repr_html_()
    assert "97.5%" in str(result).partition("-----")[0]  # the heading is broken into lines


def test_a_withheld_group_counts_among_the_changes_and_is_named_once() -> None:
    """Of t nobody was sent, neither before nor after: it is one of two comparisons, as of all people."""

    def month(favored: list[int], others: list[int], least: int) -> fairstats.Audit:
        data = {
            "g": np.repeat([*"abt"] * 2, [*favored, *others]),
            "y": np.repeat([1, 1, 1, 0, 0, 0], [*favored, *others]),
        }
        tally = fairstats.tally(data, "y", "g")
        return fairstats.audit(tally.withhold(least) if least else tally, reference="a")

    pairs = [(month([200, 160, 3], [200, 240, 4], n), month([210, 200, 4], [190, 200, 3], n)) for n in (10, 0)]
    some, every = (fairstats.compare_audits(*pair) for pair in pairs)
    rows = [r.estimates.only(estimator="change", group="b", metric="selection rate")[0] for r in (some, every)]
    assert rows[0].p_adjusted == rows[1].p_adjusted > rows[0].p_value and rows[0].conf_level == rows[1].conf_level
    assert "Not compared: selection rate of t (g): t is withheld in both audits." in some.statements


def test_every_form_of_a_change_calls_groups_by_the_names_of_the_audits():
    """Printed text, sentences, tables and figures have one name for a group; files keep the labels of the data."""
    people = pd.DataFrame({"g": np.repeat(["f", "m"], 100), "x": np.tile(["u", "v"], 100)})
    named = {
        "labels": {"attributes": {"g": "gender"}, "groups": {"g": {"f": "Female", "m": "Male"}}},
        "reference": {"g": "m"},
    }
    few = np.arange(200) % 10 < np.where(people.g == "f", 1, 8)
    before, after = (
        fairstats.audit(people.assign(d=d.astype(int)), "d", ["g", "x"], intersections=[], **named) for d in (few, ~few)
    )
    change = fairstats.compare_audits(before, after, metric="selection rate")
    text = " ".join(str(change).split())
    assert "selection rate: Female less" in text
    assert "selection rate, Female less Male (gender): " in text
    assert "f less m" not in text
    assert any("f less m (g)" in sentence for sentence in change.statements)
    assert "Female less Male" in fairstats.table(change).to_frame()["groups"].tolist()
    assert "Female: " in fairstats.plot(change).alt


def test_changes_within_strata_have_bounds_and_count_where_people_are_withheld() -> None:
    """Two of six changes were no comparisons: the change of b was shown, as in no content of the withheld cells."""

    def audited(moved: int, few: tuple[int, int], least: int = 0) -> fairstats.Audit:
        n = [500, 500, 300 + moved, 300 - moved, few[0], 60, few[1], 50]
        n += [500, 500, 300 + moved, 300 - moved, 40, 40, 40, 40]
        cells = itertools.product("pq", "abcd", (1, 0))
        people = [cell for cell, k in zip(cells, n, strict=True) for _ in range(k)]
        data = {name: list(column) for name, column in zip("sgy", zip(*people, strict=True), strict=True)}
        tally = fairstats.tally(data, "y", "g", strata="s")
        return fairstats.audit(tally.withhold(least) if least else tally, reference="a")

    before, after = audited(0, (3, 4), 5), audited(-39, (3, 4), 5)
    result = fairstats.compare_audits(before, after).estimates
    rows = {(r.metric, r.group): r for r in result.only(estimator="change")}
    bounds = {(r.metric, r.group): r for r in result.only(estimator="bounds of the change")}
    assert len(rows) == 6 and {r.status for (_, g), r in rows.items() if g != "b"} == {"bounded"}
    ends: dict[tuple[str, str], list[float]] = {}
    for few, fewer in itertools.product(itertools.product((1, 2, 4), repeat=2), repeat=2):
        whole = fairstats.compare_audits(audited(0, few), audited(-39, fewer)).estimates.only(estimator="change")
        for one in whole:
            row = rows[one.metric, one.group]
            assert row.p_adjusted >= one.p_adjusted - 1e-9
            assert row.conf_low <= one.conf_low + 1e-9 and one.conf_high <= row.conf_high + 1e-9
            ends.setdefault((one.metric, one.group), []).append(one.estimate)
    for place, found in ends.items():
        if place[1] != "b":  # the bounds are attained
            assert (bounds[place].conf_low, bounds[place].conf_high) == pytest.approx((min(found), max(found)))
    assert rows["risk difference within strata", "b"].p_adjusted > 0.05
