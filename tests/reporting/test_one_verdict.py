"""One number, one verdict: page one and the tables after it say the same of a pair, in the same words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pandas as pd
import pytest

import fairstats
from benchmarks import gallery
from fairstats.auditing.answer import answers
from fairstats.auditing.sentences import level_of
from fairstats.cli import run
from fairstats.document import Table
from fairstats.estimates import SHOWN
from fairstats.reporting import words
from fairstats.reporting.bundle import gather
from fairstats.reporting.report import context
from tests.auditing.test_words import table
from tests.reporting.test_page_one import lines, page, text
from tests.reporting.test_page_one_claims import decided

DOT, DAGGER = "\N{BLACK CIRCLE}", "\N{DAGGER}"


def cells(value: Any, caption: str) -> dict[str, list[str]]:
    """The lines by their first cells of the table of a context whose caption has these words."""
    found = (row for table in tables_of(value) if caption in table.caption for row in table.rows)
    return {row[0]: list(row[1:]) for row in found}


def tables_of(value: Any) -> Iterator[Table]:
    if isinstance(value, Table):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from tables_of(part)


def built(*results: Any) -> dict[str, Any]:
    current: dict[str, Any] = context(gather(results, None, ""), "generic")
    return current


@pytest.fixture(scope="module")
def alone() -> Any:
    """Of 200 people each 100 and 122 were selected: p = 0.03, above a third of the level, below the level."""
    data = decided(("a", 1, 200, 100), ("a", 0, 200, 20), ("b", 1, 200, 122), ("b", 0, 200, 60))
    return fairstats.audit(data, "d", "g", outcome="y", favorable=1, reference="b")


def test_an_error_that_is_shown_for_its_rate_alone_has_a_dagger_on_page_one_and_in_its_table(alone: Any) -> None:
    card, html = page(alone)["card"], fairstats.report(alone).html
    missed, favors, _ = lines(card)["a"][-3:]
    assert missed == f"{DAGGER} 50.0" and favors == f"{DOT} 10.0"
    note = f"{DAGGER} Tentative: its interval leaves out 0, but of several rates compared in addition to the gap one"
    assert note in card.note and text(html).count(note) == 2
    rows = cells(built(alone), "Error rates by g")
    assert rows["Mistaken refusals (false negative rate)"][-1] == f"tentative {DAGGER}"
    assert rows["Mistaken approvals (false positive rate)"][-1] == "shown"
    assert f"mistaken refusals more frequent among a{DAGGER} (50.0%)" in text(html)


def test_no_dagger_where_every_difference_that_is_shown_is_one_of_page_one(alone: Any) -> None:
    strict = fairstats.audit(
        decided(("a", 1, 400, 100), ("a", 0, 200, 60), ("b", 1, 400, 300), ("b", 0, 200, 60)), "d", "g", outcome="y"
    )
    assert DAGGER not in text(fairstats.report(strict).html)


def test_the_share_with_the_outcome_has_a_dot_where_the_interval_of_its_gap_leaves_out_0() -> None:
    people = pd.DataFrame(
        {"g": np.repeat(["a", "b", "c"], 400), "y": np.arange(1200) % 2, "d": np.arange(1200) // 2 % 2}
    )
    people["y"] = np.where(people.g == "c", np.arange(1200) % 5 == 0, people.y).astype(int)
    result = fairstats.audit(people, "d", "g", outcome="y", reference="a")
    gaps = {r.group: r for r in result.estimates.where(metric="base rate", contrast="difference", role="main")}
    assert gaps["b"].conf_low < 0 < gaps["b"].conf_high and gaps["c"].conf_high < 0
    card = lines(page(result)["card"])
    assert [card[group][1] for group in "bc"] == ["50.0", f"{DOT} 20.0"]


@pytest.mark.long
def test_marks_of_page_one_and_of_the_tables_agree_on_every_pair_of_random_audits() -> None:
    """Each error of each group: a dot is "shown", a dagger "tentative †", no mark "not settled"."""
    rng = np.random.default_rng(3)
    seen = set()
    for _ in range(6):
        n = 900
        data = pd.DataFrame({"g": rng.choice(list("abc"), n), "y": rng.integers(0, 2, n)})
        data["d"] = (rng.random(n) < 0.4 + 0.2 * data.y + 0.12 * (data.g == "c") * rng.random()).astype(int)
        result = fairstats.audit(data, "d", "g", outcome="y", reference="a", favorable=1)
        card, current = lines(page(result)["card"]), built(result)
        level = level_of(result, answers(result))
        for column, name in ((-3, "Mistaken refusals"), (-2, "Mistaken approvals"), (-1, "Right when approved")):
            rows = cells(current, f"{name} ")
            for group in "bc":
                sign = card[group][column].partition(" ")[0]
                verdict = {DOT: "shown", DAGGER: f"tentative {DAGGER}"}.get(sign, "not settled")
                assert rows[group][-1] == verdict
                seen.add(verdict)
        for row in result.estimates.where(metric="FPR", contrast="difference", role="main"):
            assert words.alone(row, level) == (row.verdict in SHOWN and row.p_adjusted > level)
    assert "not settled" in seen and len(seen) > 1


def test_with_a_margin_page_one_and_the_table_have_the_same_words() -> None:
    data = table(a=(600, 1000), b=(300, 1000), c=(605, 1000), d=(530, 1000), e=(55, 100))
    result = fairstats.audit(data, "d", "g", reference="a", margin=0.08)
    card, html = lines(page(result)["card"]), fairstats.report(result).html
    rows = cells(built(result), "Selection rate by g, compared with a")
    expected = {"b": "beyond margin", "c": "within margin", "d": "shown; over 8.0 not settled", "e": "not settled"}
    assert {group: card[group][-1] for group in expected} == expected | {"d": "size open"}
    assert {group: rows[group][-1] for group in expected} == expected
    counts = "1 beyond the margin (band), 1 shown, whether beyond the margin not settled, 1 within it, 1 not settled"
    assert f"Of 4 differences from a: {counts}." in text(html)
    assert "disparity shown" not in text(html) and "equivalence shown" not in text(html)


def test_a_ratio_to_the_highest_has_an_interval_and_no_verdict() -> None:
    """Twenty regions: the declared comparisons are 19, the pairs 190; one pair is in both tables."""
    (result,) = gallery.regions()
    declared, ratios = (
        cells(built(result), words) for words in ("compared with Central Plains", "ratios to the highest")
    )
    assert declared["South Hills"][-1] == "shown" and " to " in ratios["Central Plains"][1]
    assert not any("shown" in cell for row in ratios.values() for cell in row)


def test_under_thirty_people_is_said_of_the_line_and_before_relying_on_it() -> None:
    data = decided(
        ("a", 1, 300, 200), ("a", 0, 300, 100), ("b", 1, 9, 5), ("b", 0, 13, 5), ("c", 1, 200, 90), ("c", 0, 90, 30)
    )
    matches = page(fairstats.audit(data, "d", "g", outcome="y", reference="a"))
    few = next(row for row in matches["card"].rows if row[0].text == "b")
    assert few[0].below == "under 30 people" and [(cell.text, cell.below) for cell in few[-3:]] == [
        ("4 of 9", ""), ("5 of 13", ""), ("5 of 10", "")]  # fmt: skip
    assert matches["rely"][0] == "Few people: b (22)."


@pytest.mark.parametrize("groups", [["sex", "ethnicity"], ["ethnicity"]])
def test_that_open_is_not_equal_is_said_wherever_a_line_of_the_report_is_open(groups: list[str]) -> None:
    (result,) = gallery.loans()
    matches = page(result)
    assert "not settled" in {row[-1] for row in lines(matches["card"]).values()}
    unproved = (
        "That groups whose gap is not settled are treated alike: nobody set beforehand how small a gap does not matter."
    )
    assert unproved in matches["unshown"]
    (equal,) = gallery.hired(margin=0.05)  # both attributes are within the margin, where they meet is not settled
    assert "That groups are treated equally: “not settled” does not mean equal." in page(equal)["unshown"]


def test_without_a_fingerprint_page_one_says_what_verify_cannot_show(tmp_path: Any) -> None:
    data = table(a=(60, 100), b=(30, 100))
    data.to_csv(tmp_path / "people.csv", index=False)
    plain = page(fairstats.audit(data, "d", "g"))["check"]
    read = page(fairstats.audit(tmp_path / "people.csv", "d", "g"))["check"]
    assert plain.text.endswith("Keep the data: the report has no copy.") and "has no copy" in plain.instead
    assert read.text == "To check every number: run fairstats verify with this report and the data."
    assert "no copy" not in read.instead
    audit = fairstats.audit(data, "d", "g")
    versions = {"fairstats in R": "0.3.0", **audit.provenance.versions}
    in_r = replace(audit, provenance=replace(audit.provenance, versions=versions))
    assert "run fair_verify_report() in R with this report" in page(in_r)["check"].text


def test_beside_an_audit_what_verify_runs_again_is_what_page_one_promises(tmp_path: Path) -> None:
    data = table(a=(60, 100), b=(30, 100)).assign(e=lambda frame: 1 - frame["d"])
    data.to_csv(tmp_path / "people.csv", index=False)
    result = fairstats.audit(tmp_path / "people.csv", "d", "g")
    models = fairstats.compare_models(tmp_path / "people.csv", models=["d", "e"], groups="g")
    page = fairstats.report(result, models, to=tmp_path / "joint.json").html
    assert "To check every number: run fairstats verify" in page
    assert fairstats.verify_report(tmp_path / "joint.json", tmp_path / "people.csv").status == "verified"
    written = json.loads((tmp_path / "joint.json").read_text())
    row = next(one for one in written["others"][0]["estimates"] if one["role"] == "main")
    row["estimate"] += 0.1
    (tmp_path / "changed.json").write_text(json.dumps(written))
    changed = fairstats.verify_report(tmp_path / "changed.json", tmp_path / "people.csv")
    assert any("estimate" in one.where for one in changed.differences)
    others = fairstats.compare_models(data.assign(f=1), models=["d", "e"], groups="g")  # of another table
    page = fairstats.report(result, others, to=tmp_path / "two.json").html
    assert fairstats.verify_report(tmp_path / "two.json", tmp_path / "people.csv").status == "partly verified"
    assert "To check every number of the audit: run fairstats verify" in page
    assert "Zum Prüfen jeder Zahl des Audits: fairstats verify" in fairstats.report(result, others, language="de").html
    assert "command verify" not in fairstats.report(models).html
    first, second = data.drop(columns="e").assign(x=0), data.rename(columns={"d": "f"})  # in memory, of one shape
    beside = fairstats.compare_models(second, models=["e", "f"], groups="g")
    fairstats.report(fairstats.audit(first, "d", "g"), beside, to=tmp_path / "memory.json")
    assert fairstats.verify_report(tmp_path / "memory.json", first).status == "partly verified"


@pytest.mark.parametrize("form", ["html", "json", "md", "docx"])
def test_a_file_that_verify_cannot_check_names_those_that_it_can(form: str, tmp_path: Path) -> None:
    source, target = tmp_path / "people.csv", tmp_path / f"report.{form}"
    table(a=(60, 100), b=(30, 100)).to_csv(source, index=False)
    fairstats.report(fairstats.audit(source, "d", "g"), to=target)
    checked = run(["verify", str(target), str(source)]) == 0
    assert checked == (form in ("html", "json"))
    if form == "json":  # has no sentences
        return
    whole = ZipFile(target).read("word/document.xml") if form == "docx" else target.read_bytes()
    said = " ".join(re.sub(r"<[^>]*>", "", whole.decode()).split())
    assert said.count("To check every number") == 1
    assert ("with this report and the data." in said) == checked
    assert (
        "with this report as PDF, HTML or JSON, and the data. This file holds no results to check." in said
    ) != checked


def test_what_subtraction_gives_of_withheld_groups_is_said_of_all_of_them_together() -> None:
    (small,) = gallery.small()
    people = {"White": 82, "Black": 6, "Hispanic": 8}
    promoted = 112 - sum(people.values())  # of 282 people less those who are shown
    said = " ".join(page(small)["context"])
    whole = f"Of the 24 employees in withheld groups of ethnicity, 67% ({promoted}) were promoted; this is not tested."
    assert whole in said and said.count("in withheld groups") == 1  # of the intersections nothing


def test_where_every_column_has_a_named_reference_they_are_crossed() -> None:
    rng = np.random.default_rng(1)
    data = pd.DataFrame({"race": rng.choice(["w", "b"], 900, p=[0.3, 0.7]), "sex": rng.choice(["m", "f"], 900)})
    data["d"] = rng.integers(0, 2, 900)
    named = {"race": "w", "sex": "f"}
    assert fairstats.audit(data, "d", ["race", "sex"], reference=named).references["race:sex"] == "w:f"
    one = fairstats.audit(data, "d", ["race", "sex"], reference={"race": "w"})
    assert one.references["race:sex"].startswith("b:")  # the largest, as one column has no name
    few = data[(data.race != "w") | (data.sex != "f") | (np.arange(900) % 90 == 0)]
    assert fairstats.audit(few, "d", ["race", "sex"], reference=named, min_n=10).references["race:sex"] != "w:f"


def test_a_picture_of_equal_rates_is_no_gradient() -> None:
    (equal,) = gallery.hired(margin=0.05)
    drawn = built(equal)["outcomes"]["parts"][-1]["matrix"].figure.axes[0].patches
    shades = [tile.get_facecolor()[:3] for tile in drawn if tile.get_facecolor()[3] > 0]
    assert len(shades) >= 4 and np.ptp(shades, axis=0).max() < 0.1


def test_contents_name_the_sections_that_there_are() -> None:
    (law,) = gallery.law()
    contents = context(gather([law], None, ""), "ll144")["contents"]
    assert ("local-law", "Annex: intervals, which the law does not ask for") in contents
    (loans,) = gallery.loans()
    assert ("further", "Appendix: further results") in built(loans)["contents"]


def test_methods_define_no_number_that_the_report_does_not_print() -> None:
    rng = np.random.default_rng(2)
    data = pd.DataFrame({"g": rng.choice(["a", "b"], 600), "y": rng.integers(0, 2, 600)})
    data["s"] = (0.3 * data.y + 0.7 * rng.random(600)).round(3)
    report = fairstats.report(fairstats.audit(data, groups="g", score="s", outcome="y", threshold=0.5))
    for name in ("Brier", "calibration slope", "AUC (differences)"):
        assert name not in text(report.html)
