"""Page one of a change between two audits: which difference changed, of whom, by how much, and what it leaves open."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape, unescape
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats
from benchmarks import gallery
from fairstats.cli import run
from fairstats.errors import InputError
from fairstats.reporting.bundle import gather
from fairstats.reporting.report import context
from fairstats.reporting.sections.other import defined
from fairstats.reporting.tables import level_of
from fairstats.text import percent, signed
from tests.auditing.test_change import people
from tests.reporting.test_page_one import page, text


@pytest.fixture(scope="module")
def tables() -> list[pd.DataFrame]:
    return [people(seed, 1500, gap) for seed, gap in ((0, 0.0), (1, 0.3), (2, 0.3))]


@pytest.fixture(scope="module")
def audits(tables: list[pd.DataFrame]) -> list[fairstats.Audit]:
    return [fairstats.audit(one, "d", "g", outcome="y", reference="a") for one in tables]


@pytest.fixture(scope="module")
def changed(audits: list[fairstats.Audit]) -> fairstats.AuditComparison:
    return fairstats.compare_audits(audits[0], audits[1])


def shares(table: pd.DataFrame) -> pd.Series:
    return 100 * table.groupby("g")["d"].mean()


def test_the_sentence_is_the_clearest_change_with_both_differences_and_its_limits(audits, changed, tables) -> None:
    result = page(changed)
    row = min(changed.drifts(), key=lambda r: r.p_adjusted)
    assert (row.metric, row.group) == ("selection rate", "b")
    before, after = (shares(one)["b"] - shares(one)["a"] for one in tables[:2])
    (wording,) = re.findall(
        r"The gap in the selection rate between b and a (\S+) from (\S+) to (\S+) percentage points, by (\S+) "
        r"\((\S+)% confidence interval (\S+) to ([^)]+), adjusted for all comparisons\)",
        result["sentence"],
    )
    assert before < 0 and after < before and wording[0] == "widened"  # both below the reference's
    expected = [-before, -after, before - after, 100 * changed.conf_level, -100 * row.conf_high, -100 * row.conf_low]
    assert [float(part) for part in wording[1:]] == pytest.approx(expected, abs=0.051)
    back = page(fairstats.compare_audits(audits[1], audits[0]))["sentence"]
    assert f"narrowed from {wording[2]} to {wording[1]} percentage points, by {wording[3]} " in back
    count = len(changed.estimates.only(estimator="change"))
    assert f"A change is shown in {len(changed.drifts())} of {count} comparisons." in result["context"]


def test_the_rates_of_both_groups_stand_in_sentence_and_table(changed, tables) -> None:
    result = page(changed)
    before, after = map(shares, tables[:2])
    rates = (
        f"For b it was {before['b']:.1f}% in the earlier audit and {after['b']:.1f}% in the later one; "
        f"for a {before['a']:.1f}% and {after['a']:.1f}%."
    )
    assert "Selection rate: the share of all people with d = 1." in result["context"] and rates in result["context"]
    built = result["tables"][0]
    lines = [row[-9:] for row in built.rows[:3]]
    assert [line[0] for line in lines] == ["a (reference)", "b", "c"]
    for line, group in zip(lines, "abc", strict=True):
        people_there = [str((table["g"] == group).sum()) for table in tables[:2]]
        assert line[1:5] == (people_there[0], f"{before[group]:.1f}", people_there[1], f"{after[group]:.1f}")
    gaps = [percent((after if i else before)["b"] / 100 - (after if i else before)["a"] / 100) for i in (0, 1)]
    assert list(lines[1][5:7]) == gaps  # of several rates without limits, for which there is no room
    assert "14 comparisons make 21 lines." in built.note and "Shown: 12 of 21;" in built.cut  # 7 rates of 3 groups
    alone = fairstats.compare_audits(*(fairstats.audit(t, "d", "g") for t in tables[:2]))
    early = next(r for r in alone.estimates.only(estimator="before", metric="selection rate", group="b"))
    (table_alone, *_) = page(alone)["tables"]
    assert table_alone.rows[1][5].endswith(f" ({percent(early.conf_low)} to {percent(early.conf_high)})")
    assert "make" not in table_alone.note and not table_alone.cut
    assert lines[1][-1] == "yes" and set(lines[0][5:]) == {"–"}
    assert "all 14 comparisons" in built.note and "a share of" in built.note
    assert built.rows[: len(changed.drifts())] != built.rows[-1:] and "all in results.csv" in built.cut


def test_the_picture_has_the_limits_of_both_differences_and_of_the_change(changed, audits) -> None:
    (drawn,) = page(changed)["figures"]
    row = next(r for r in changed.estimates.only(estimator="before", metric="selection rate", group="b"))
    current = audits[0].estimates.where(metric="selection rate", group="b", contrast="difference", role="main")[0]
    alone = fairstats.stats.miettinen_nurminen(
        *(v for g in "ba" for r in audits[0].estimates.where(metric="selection rate", group=g, contrast="none")[:1]
          for v in (r.events, r.n))
    )  # fmt: skip
    assert (row.conf_low, row.conf_high) == pytest.approx(alone) and row.estimate == pytest.approx(current.estimate)
    assert f"({percent(row.conf_low)} to {percent(row.conf_high)}) before" in drawn.alt
    assert re.search(r"Drawn: \d of 14 comparisons", drawn.caption) and "with its 95% interval" in drawn.caption
    shown = changed.estimates.only(estimator="change", status="ok")
    assert f"its {level_of(shown)}" in drawn.caption and "allow for all 14 comparisons" in drawn.caption


def test_where_nothing_changed_page_one_says_what_is_still_possible(audits) -> None:
    same = fairstats.compare_audits(audits[1], audits[2], metric="selection rate")
    assert not len(same.drifts())
    result = page(same)
    wording = "None of 2 gaps in the selection rate between groups of g is shown to have changed."
    assert result["sentence"] == wording
    row = same.estimates.only(estimator="change")[0]
    low, high = (signed(100 * v) for v in (row.conf_low, row.conf_high))
    compatible = f"These data are compatible with changes of their difference from {low} to {high} percentage points"
    assert f"{compatible} (97.5% interval; 0 is no change)." in result["context"]
    assert any("does not prove that nothing changed" in wording for wording in result["unshown"])
    every = fairstats.compare_audits(*audits[:2], metric="selection rate")
    only = replace(every, estimates=fairstats.Estimates(r for r in every.estimates if r.group != "c"))
    assert len(only.drifts()) == 1 and not any("does not prove" in wording for wording in page(only)["unshown"])
    built = result["tables"][0]
    assert built.caption.startswith("Selection rate. ") and built.headings[0].label == "group"
    assert "at most 5 times in 100, all 2 comparisons allowed for." in built.note
    (drawn,) = result["figures"]
    assert drawn.caption.startswith("Selection rate. Left: ") and ">difference from a<" in drawn.svg
    assert {"b", "c"} <= set(re.findall(r">([^<]*)</text>", drawn.svg)) and "less" not in drawn.svg


def test_the_focus_of_the_audits_is_what_page_one_is_about(tables) -> None:
    two = [fairstats.audit(one, "d", "g", outcome="y", reference="a", headline={"g": ["c", "a"]}) for one in tables[:2]]
    built = fairstats.compare_audits(*two, metric="selection rate")
    assert [row.group for row in built.drifts()] == ["b"]
    result = page(built)
    wording = "between c and a, which the audits are about, is not shown to have changed."
    assert result["sentence"] == f"The gap in the selection rate {wording}"
    assert "A change is shown in 1 of 2 comparisons." in result["context"]
    assert any("compatible with changes of their difference" in part for part in result["context"])
    away = [
        fairstats.audit(one, "d", "g", outcome="y", reference="a", headline={"g": ["b", "c"]}) for one in tables[:2]
    ]
    assert (
        "The gap in the selection rate between b and a widened"
        in page(fairstats.compare_audits(*away, metric="selection rate"))["sentence"]
    )


def test_a_lone_comparison_is_said_as_one_and_at_its_level(tables) -> None:
    two = [fairstats.audit(one[one["g"] != "c"], "d", "g", outcome="y", reference="a") for one in tables[1:]]
    result = page(fairstats.compare_audits(*two, metric="FPR"))
    wording = "The gap in the false positive rate between groups of g is not shown to have changed."
    assert result["sentence"] == wording
    built, (drawn,) = result["tables"][0], result["figures"]
    assert "at most 5 times in 100." in built.note and "allow for" not in drawn.caption
    assert "Whether the outcome (`y`) is the right measure for this use" in result["unshown"][0]


def test_the_words_of_the_audits_name_people_groups_and_rates(tables) -> None:
    entries = {
        "unit": "applicants",
        "favorable": "were hired",
        "unfavorable": "were turned down",
        "positive": "stayed",
        "negative": "left",
        "attributes": {"g": "branch"},
        "groups": {"g": {"a": "northern", "b": "southern"}},
    }
    two = [
        fairstats.audit(one, "d", "g", outcome="y", reference="a", favorable=1, labels=entries) for one in tables[:2]
    ]
    built = fairstats.compare_audits(*two, metric=["selection rate", "TPR"])
    result = page(built)
    n = f"{len(tables[0]):,}"
    assert result["who"].startswith(f"Earlier audit: {n} applicants; later audit: {n} · ")
    assert "between the groups of branch" in result["question"]
    assert "between southern applicants and northern applicants " in result["sentence"]
    assert "Selection rate: the share of all who were hired." in result["context"]
    assert any("For southern applicants it was" in wording for wording in result["context"])
    assert "The positive outcome is y = 1, predicted by d = 1." in result["context"]
    assert defined(built, "TPR") == "True positive rate: of those who stayed, the share who were hired."
    assert [row[-9] for row in result["tables"][0].rows[:3]] == ["Northern (reference)", "Southern", "c"]
    assert context(gather([built], None, ""))["comparison"] is None  # the table of page one has every comparison
    page_of = fairstats.report(built).html
    assert "Change between two audits of d by branch" in page_of


def test_the_title_of_the_audits_is_that_of_their_change(tables) -> None:
    two = [fairstats.audit(one, "d", "g", labels={"title": "Hiring"}) for one in tables[:2]]
    assert fairstats.report(fairstats.compare_audits(*two)).title == "Hiring: change between two audits"
    named = [replace(one, data=replace(one.data, name=f"{when}.csv")) for one, when in zip(two, "ab", strict=True)]
    assert fairstats.report(fairstats.compare_audits(*named)).title == "Hiring: change from a to b"


def test_the_title_calls_score_and_attribute_as_the_words_do(tables) -> None:
    entries = {"unit": "people", "score": "the risk score", "attributes": {"g": "branch"}}
    scored = [one.assign(s=np.arange(len(one)) % 7) for one in tables[:2]]
    arguments = {"score": "s", "threshold": 3, "groups": "g", "favorable": 0}
    two = [fairstats.audit(one, **arguments, labels=entries) for one in scored]
    assert (
        fairstats.report(fairstats.compare_audits(*two)).title
        == "Change between two audits of the risk score by branch"
    )
    plain = [fairstats.audit(one, **arguments) for one in scored]
    assert fairstats.report(fairstats.compare_audits(*plain)).title == "Change between two audits of s by g"


def test_a_group_that_is_gone_is_named_with_the_reason(audits, tables) -> None:
    fewer = tables[1][tables[1]["g"] != "c"]
    result = page(
        fairstats.compare_audits(
            audits[0], fairstats.audit(fewer, "d", "g", outcome="y", reference="a"), metric="selection rate"
        )
    )
    assert any(wording.startswith("Selection rate, c against a: not estimable") for wording in result["context"])
    assert "in the audit after" in " ".join(result["context"])


def test_every_difference_is_in_the_section_that_page_one_leads_to(changed) -> None:
    result: dict[str, Any] = context(gather([changed], None, ""))
    (part,) = result["comparison"]["parts"]
    assert len(part["rows"].rows) == len(changed.estimates.only(estimator="change"))
    assert result["findings"]["next"] == []  # the section stands below


def test_with_an_audit_the_preset_says_whose_page_one_it_is(audits, changed) -> None:
    assert page(audits[1], changed)["card"] and not page(audits[1], changed, preset="monitoring")["card"]
    assert "The gap in the" in page(audits[1], changed, preset="monitoring")["sentence"]


def test_a_gap_that_changed_its_sign_turned_around() -> None:
    early, late = (
        fairstats.audit(
            pd.DataFrame({"g": ["a"] * 400 + ["b"] * 400, "d": [*[1, 0, 0, 0] * 100, *current * 100]}), "d", "g",
                 reference="a")
        for current in ([1, 1, 0, 0], [0, 0, 0, 0])
    )  # fmt: skip
    wording = page(fairstats.compare_audits(early, late))["sentence"]
    assert (
        "was reversed: b less a was +25.0 percentage points and is −25.0, a change of 50.0 (95% confidence" in wording
    )


def test_a_gap_that_was_not_shown_is_not_reversed() -> None:
    early, late = (
        fairstats.audit({"g": ["a"] * 400 + ["b"] * 400, "d": [1, 0] * 200 + [1] * k + [0] * (400 - k)}, "d", "g",
                        reference="a")
        for k in (202, 120)
    )  # fmt: skip
    change = fairstats.compare_audits(early, late)
    wording = page(change)["sentence"]
    assert "changed from +0.5 (not shown) to −20.0 percentage points (b less a), by 20.5 (95% confidence" in wording
    assert "reversed" not in wording
    before = change.estimates.only(estimator="before", contrast="difference")[0]
    assert before.conf_low < 0 < before.conf_high


def test_what_a_change_is_of_stands_under_provenance(audits, changed) -> None:
    text = fairstats.report(changed).html
    for result in audits[:2]:
        assert escape(result.provenance.call, quote=False) in unescape(text).replace("&#39;", "'")
    assert "Versions" in text and "Seed" in text


def test_the_same_people_in_memory_are_no_later_audit(tables) -> None:
    one, again = (fairstats.audit(tables[0], "d", "g") for _ in range(2))
    with pytest.raises(InputError, match="same data as before"):
        fairstats.compare_audits(one, again)


def test_print_and_report_say_that_nobody_looked_for_people_in_both_audits(changed) -> None:
    sentence = "Whether people are in both audits was not checked: the intervals take the two audits to be of different"
    for wording in (str(changed), text(fairstats.report(changed).html)):
        assert " ".join(wording.split()).count(sentence) == 1


def test_in_german_nothing_of_a_change_is_english(changed) -> None:
    wording = text(fairstats.report(changed, language="de").html)
    assert "Der Abstand zwischen b und a (Auswahlrate) wuchs von" in wording
    assert not re.search(
        r"\b(rate|less|before|after|change|interval|comparisons?)\b", wording.partition("Literatur")[0]
    )


def test_files_of_two_audits_give_the_page_at_the_command_line(tmp_path, tables, capsys) -> None:
    for name, table in zip(("may", "june"), tables[:2], strict=True):
        table.to_csv(tmp_path / f"{name}.csv", index=False)
        fairstats.audit(tmp_path / f"{name}.csv", "d", "g", outcome="y", reference="a").save(tmp_path / f"{name}.npz")
    may, june, page_file = (str(tmp_path / name) for name in ("may.npz", "june.npz", "change.html"))
    items = ["--metric", "selection rate", "--language", "de", "--to", page_file, "--to", str(tmp_path / "c.npz")]
    assert run(["compare-audits", may, june, *items]) == 0
    assert "Änderung von may bis june" in (tmp_path / "change.html").read_text()
    assert run(["report", str(tmp_path / "c.npz"), "--to", str(tmp_path / "again.html")]) == 0
    assert (
        "Did the differences between the groups of g change from may to june?" in (tmp_path / "again.html").read_text()
    )
    capsys.readouterr()


def test_the_two_audits_are_named_by_data_people_fingerprint_and_time() -> None:
    """Two audits of data in memory, and the same again: only the fingerprints of the changed one differ."""
    people = {"sex": ["f"] * 90 + ["m"] * 90}
    one, two, same = (
        fairstats.audit(people | {"hired": [1] * k + [0] * (180 - k)}, "hired", "sex") for k in (20, 80, 20)
    )
    changed = fairstats.compare_audits(one, two)
    built = page(changed)["tables"][1]
    assert built.caption == "The two audits" and [row[0] for row in built.rows] == ["earlier", "later"]
    assert [row[2] for row in built.rows] == ["180", "180"]
    at = [audit.provenance.created[:16] for audit in (one, two)]
    assert {len(row) for row in built.rows} == {3 + (at[0] != at[1])}  # one time of both is no news
    apart = page(replace(changed, created=("2026-01-31T09:30:00", "2026-04-30T10:00:00")))["tables"][1]
    assert [row[3] for row in apart.rows] == ["2026-01-31 09:30 UTC", "2026-04-30 10:00 UTC"]
    html = fairstats.report(changed).html
    for digest in changed.fingerprints:  # beside what is needed to run it again, not on page one
        assert len(digest) == 64 and digest in html.partition('id="limits"')[2]
        assert digest[:12] not in html.partition('id="limits"')[0]
    assert changed.fingerprints[0] != changed.fingerprints[1]
    assert fairstats.compare_audits(two, same).fingerprints == changed.fingerprints[::-1]


@pytest.mark.parametrize(
    ("about", "names"),
    [
        (({"period": "1998", "version": "2"}, {"period": "1999", "version": "2"}), ("1998", "1999")),
        (({"system": "S", "version": "1"}, {"system": "S", "version": "2"}), ("S 1", "S 2")),
        (({"period": "1998"}, {}), ()),
        (({"period": "1998"}, {"period": "1998"}), ()),
    ],
)
def test_two_audits_are_called_what_was_said_about_them(tmp_path, about, names) -> None:
    people = {"sex": ["f"] * 90 + ["m"] * 90}
    changed = fairstats.compare_audits(
        *(
            fairstats.audit(people | {"hired": [1] * k + [0] * (180 - k)}, "hired", "sex", about=said)
            for k, said in zip((20, 80), about, strict=True)
        )
    )
    kept = fairstats.load(changed.save(tmp_path / "change.npz"))
    html = fairstats.report(kept).html
    assert kept.names == names
    first, both = str(kept).splitlines()[0], " to ".join(names)
    assert (f"Change from {both}: " in html) if names else "Change from" not in html
    assert all(f"{when}: {name}<" in html for when, name in zip(("earlier", "later"), names, strict=False))
    assert first == "Change between two audits" + (f": {both}" if names else "")
    assert "in memory" not in f"{first}{kept!r}"


def test_page_one_has_no_name_of_a_method_and_marks_say_what_is_shown() -> None:
    (changed,) = gallery.change()
    html = fairstats.report(changed).html
    first, _, rest = html.partition('id="methods"')
    assert "MOVER" not in first and "MOVER of Wilson limits" in rest and "Miettinen-Nurminen interval" in rest
    assert "the difference before (gray) and after (blue)" in first and "Filled: the interval leaves out 0." in first
    assert changed.data[0].name == "2025-Q1.csv"
    assert fairstats.report(changed).title == "Change from 2025-Q1 to 2025-Q2: shortlisted by sex"
