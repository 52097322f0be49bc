"""What is an intersection is a fact of the protocol: a column whose own name holds ":" is a column like any other."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import pandas as pd
import pytest

import fairstats


def people(n: int = 600) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    data = pd.DataFrame({"a:b": rng.choice(["x", "y:z"], n), "c": rng.choice(["u", "v"], n)})
    data["t"], data["s"] = rng.choice(list("pq"), n), rng.random(n).round(2)
    data["d"] = (rng.random(n) < 0.3 + 0.3 * (data["a:b"] == "x")).astype(int)
    data["y"] = (rng.random(n) < 0.5).astype(int)
    return data


def plainly(text: str) -> str:
    return " ".join(text.replace("a:b", "abb").replace("A:b", "Abb").split())


def pages(result: fairstats.Audit, **options: str) -> str:
    html = fairstats.report(result, **options).html
    text = re.sub(r"<svg.*?</svg>", " ", html[html.index("<main") :], flags=re.S)
    return plainly(re.sub(r"[0-9a-f]{6,}|\d{4}-[-:T+0-9]+", "", unescape(re.sub(r"<[^>]+>", " ", text))))


@pytest.mark.long
@pytest.mark.parametrize(
    "arguments",
    [{}, {"min_n": 5}, {"strata": "t"}, {"score": "s", "outcome": "y"}, {"p_adjust": "none"}, {"family": "audit"}],
    ids=str,
)
@pytest.mark.parametrize("groups", [["a:b"], ["a:b", "c"], "a:b:c"], ids=str)
def test_a_column_whose_name_has_a_colon_is_audited_as_one_without(groups, arguments, tmp_path) -> None:
    named = [g.replace("a:b", "abb") for g in groups] if isinstance(groups, list) else "abb:c"
    one = fairstats.audit(people(), "d", groups, **arguments)
    two = fairstats.audit(people().rename(columns={"a:b": "abb"}), "d", named, **arguments)
    one.save(tmp_path / "one.npz")
    loaded = fairstats.load(tmp_path / "one.npz")
    for result in (one, loaded):
        for text in ("summary", "finding", "__str__"):
            assert plainly(getattr(result, text)()) == " ".join(getattr(two, text)().split())
        ours, theirs = result.tidy(), two.tidy()
        assert [plainly(a) for a in ours.attribute] == list(theirs.attribute)
        pd.testing.assert_frame_equal(ours.drop(columns="attribute"), theirs.drop(columns="attribute"))
        assert [plainly(r.attribute) for r in result.claims()] == [r.attribute for r in two.claims()]


@pytest.mark.long
@pytest.mark.parametrize("groups", [["a:b"], ["a:b", "c"]], ids=str)
@pytest.mark.parametrize("preset", ["generic", "four_fifths", "ll144"])
def test_its_report_is_that_of_one_without(groups, preset, tmp_path) -> None:
    named = [g.replace("a:b", "abb") for g in groups]
    arguments = (
        {"decision": "d"} if preset == "ll144" else {"decision": "d", "strata": "t", "score": "s", "outcome": "y"}
    )
    words = {"attributes": {"c": "class"}}
    one = fairstats.audit(people(), groups=groups, **arguments, labels=words if "c" in groups else None)
    two = fairstats.audit(
        people().rename(columns={"a:b": "abb"}), groups=named, **arguments, labels=words if "c" in groups else None
    )
    one.save(tmp_path / "one.npz")
    ours, theirs = pages(fairstats.load(tmp_path / "one.npz"), preset=preset), pages(two, preset=preset)
    i = next((i for i, (x, y) in enumerate(zip(ours, theirs, strict=False)) if x != y), None)
    assert i is None, (ours[max(i - 80, 0) : i + 80], theirs[max(i - 80, 0) : i + 80])
    assert "a × b" not in ours and len(ours) == len(theirs)


def test_a_label_that_holds_the_words_of_a_rule_is_a_label() -> None:
    data = people().assign(g=lambda d: np.where(d["c"] == "u", "not highest_rate", "other"))
    audit = fairstats.audit(data, "d", "g", reference="not highest_rate", p_adjust="bh", family="audit")
    assert audit.references == {"g": "not highest_rate"} and "highest_rate" not in " ".join(audit.notes)


def meeting(draw: int, *, apart: bool = True, alone: float = 0.0) -> pd.DataFrame:
    """Decisions that differ where two attributes meet, and by neither alone unless ``alone`` is added to one."""
    rng, n = np.random.default_rng(draw), 1200
    data = pd.DataFrame({"sex": rng.choice(["f", "m"], n), "race": rng.choice(["b", "w"], n)})
    same = (data["sex"] == "f") == (data["race"] == "b")
    data["d"] = (rng.random(n) < 0.4 + 0.2 * (same & apart) + alone * (data["sex"] == "f")).astype(int)
    return data.assign(t=rng.choice(list("pq"), n))


SAID = "No difference is shown by sex and race alone; where they meet (sex × race) one is "


def test_an_intersection_is_pointed_at_where_only_that_differs() -> None:
    data = meeting(1)
    audit = fairstats.audit(data, "d", ["sex", "race"])
    rows = audit.estimates.only(attribute="sex:race", metric="selection rate", contrast="difference", role="main")
    worst = max((r for r in rows if r.verdict == "disparity shown"), key=lambda r: max(r.conf_low, -r.conf_high))
    rates = data.groupby(["sex", "race"])["d"].mean().mul(100).round(1)
    current, other = (tuple(label.split(":")) for label in (worst.group, worst.reference))
    pair = f"{' × '.join(current)} against {' × '.join(other)}"
    wording = f"{SAID}shown: {pair}, {rates[current]}% against {rates[other]}%, a gap of "
    for text in (audit.finding(), audit.summary(), str(audit), pages(audit)):
        assert wording in " ".join(text.split())
    assert "adjusted for 3 comparisons" in audit.finding()
    assert SAID + "flagged" in fairstats.audit(data, "d", ["sex", "race"], p_adjust="bh").finding()
    within = fairstats.audit(data, "d", ["sex", "race"], strata="t").finding()
    assert "Within the same t, no difference is shown by sex and race alone; where they meet (sex × race): " in within


@pytest.mark.parametrize(("apart", "alone", "groups"), [(False, 0, 2), (True, 0.3, 2), (True, 0, 1)])
def test_no_intersection_is_pointed_at_where_it_shows_nothing_or_an_attribute_does(apart, alone, groups) -> None:
    audit = fairstats.audit(meeting(2, apart=apart, alone=alone), "d", ["sex", "race"] if groups == 2 else "sex:race")
    assert "where they meet" not in audit.finding()


@pytest.mark.long
def test_a_printed_audit_says_which_tables_it_leaves_out() -> None:
    rng = np.random.default_rng(0)
    names = list("abcef")
    data = {name: rng.choice(list("xyz"), 900) for name in names} | {"d": rng.integers(0, 2, 900)}
    for k in range(1, 6):
        lines = str(fairstats.audit(data, "d", names[:k])).splitlines()
        tables = sum(line.startswith("Selection rate by") for line in lines)
        assert len(lines) <= 25 and max(map(len, lines)) <= 80
        if tables == k:
            assert "not printed" not in lines[-1]
        else:
            left = k - tables
            assert lines[-1].startswith(f"{left} table{'s are' if left > 1 else ' is'} not printed ({names[tables]}")
            assert lines[-1].endswith("summary() has all.")
    assert left == 3  # of the five: two lines name the combinations


def test_where_the_tables_do_not_fit_one_table_has_every_declared_attribute() -> None:
    rng = np.random.default_rng(1)
    data = pd.DataFrame({"sex": rng.choice(["f", "m"], 6000), "race": rng.choice(list("pqrsuvwxy"), 6000)})
    chance = 0.5 - 0.2 * (data["sex"] == "f") - 0.1 * data["race"].isin(["p", "q", "r"])
    data["d"] = (rng.random(6000) < chance).astype(int)
    names = ["sex", "race"]
    audit = fairstats.audit(data, "d", names, reference={"sex": "m", "race": "s"})
    lines = str(audit).splitlines()
    assert "not printed" not in lines[-1] and len(lines) <= 29 and max(map(len, lines)) <= 80
    assert not any(line.startswith("Selection rate by") for line in lines)
    for name in names:
        for group, rate in data.groupby(name)["d"].mean().items():
            called = {"f": "Women", "m": "Men"}.get(group, group)  # as in the sentences
            (line,) = (line for line in lines if re.match(rf"  {called} +[\d,]+ ", line))
            assert float(line.split()[2]) == pytest.approx(100 * rate, abs=0.051)
            about = {"metric": "selection rate", "attribute": name, "group": group, "contrast": "difference"}
            marks = [
                "D" if row.verdict == "disparity shown" else "?" for row in audit.estimates.where(**about, role="main")
            ]
            assert line.endswith(*marks or ["reference"])


def test_the_largest_shown_difference_of_combinations_is_printed_whatever_there_is_no_room_for() -> None:
    """Five attributes, of which combinations of two are 40 points apart, and each alone a few."""
    rng = np.random.default_rng(2)
    names = ["region", "sex", "age", "work", "citizen"]
    data = pd.DataFrame({name: rng.choice(list("pqrs")[: 2 + i % 3], 12_000) for i, name in enumerate(names)})
    both = (data.age == "p") & (data.work == "q")
    data["d"] = (rng.random(12_000) < 0.6 - 0.03 * (data.sex == "p") - 0.4 * both).astype(int)
    audit = fairstats.audit(data, "d", names, reference={name: "r" if name == "age" else "p" for name in names})
    text = " ".join(str(audit).split())
    assert len(str(audit).splitlines()) <= 25
    assert re.search(r"The farthest shown: .*\(age × work\), −\d\d\.\d points\.", text)
    sentences = audit.finding().split(". ")
    assert sentences[1].startswith("The farthest difference that is shown is one of combinations: ")


def test_an_intersection_that_was_named_is_in_the_answer_as_on_page_one() -> None:
    """Women of D alone: 15 of 100, everybody else 40 of 100."""
    rows = [(s, r, int(i < (15 if s + r == "fD" else 40))) for s in "fm" for r in "ABD" for i in range(100)]
    data = pd.DataFrame(rows, columns=["sex", "race", "hired"])
    of_men = {"sex": "m", "race": "A"}
    asked = fairstats.audit(data, "hired", ["sex", "race"], intersections=["sex:race"], reference=of_men)
    text = (
        r"Sex and race together: 15\.0% of women with race D against 40\.0% of men with race A had hired = 1\. Gap "
        r"25\.0 points \([\d.]+ to [\d.]+, adjusted for \d+ comparisons\)\. Of the "
        r"5 groups compared with men with race A a difference is shown "
        r"for women with race D\."
    )
    assert re.search(text, asked.finding().replace("`", "")) and re.search(text, pages(asked).replace(" .", "."))
    beside = fairstats.audit(data, "hired", ["sex", "race"], reference=of_men)
    assert "Sex and race together" not in beside.finding()


@pytest.mark.parametrize("reference", [None, {"sex": "m", "dis": "no"}])
def test_the_intersection_with_the_widest_gap_comes_first_on_page_one_and_in_print(reference: dict | None) -> None:
    """Exact counts: sex and dis differ alone, eth does not; women of eth D are 25 points below others, men above."""
    cells = [(s, e, d, a) for s in "fm" for e in "ABCD" for d in ("no", "yes") for a in ("old", "young")]
    apart = {("f", "D"): -0.25, ("m", "D"): 0.25}
    rates = [0.35 - 0.06 * (d == "yes") + apart.get((s, e), 0) for s, e, d, _ in cells]
    size = [500 if d == "no" else 400 for _, _, d, _ in cells]
    rows = pd.DataFrame(cells, columns=["sex", "eth", "dis", "age"]).loc[np.repeat(np.arange(len(cells)), size)]
    rows["hired"] = np.concatenate([np.arange(n) < round(n * rate) for n, rate in zip(size, rates, strict=True)]) * 1
    result = fairstats.audit(rows, "hired", ["age", "sex", "eth", "dis"], reference=reference or "largest_group")
    points = fairstats.report(result).contents.context["findings"]["points"]
    claims = [claim for claim, _ in points]
    claim, numbers = next(point for point in points if "together" in point[0])
    assert claim.startswith("Sex and eth together: 7.3% of women with `eth` D against 32.3% of ")
    assert re.match(r"Gap 25\.0 points \([\d.]+ to [\d.]+\)\.", numbers)
    assert "adjusted for 30 comparisons" in pages(result)  # over the table of combinations
    assert "57.3%" in pages(result)  # of men with eth D, whose gap from women of it no comparison has
    listed = " ".join(str(result).split()).partition("Also compared: ")[2]
    assert listed.startswith("sex × eth (") and listed.index("sex × eth") < listed.index("sex × dis")
    assert sum("Sex and dis" in claim for claim in claims) == 1


def test_of_a_survey_people_are_counted_and_no_weights() -> None:
    """Women of C are 20 rows that stand for 8,000: no group of 100 people, nor one that the data may pick."""
    cells = {("m", "A"): (300, 400), ("f", "A"): (200, 400), ("m", "C"): (250, 400), ("f", "C"): (0, 20)}
    rows = [(s, r, int(i < k)) for (s, r), (k, n) in cells.items() for i in range(n)]
    data = pd.DataFrame(rows, columns=["sex", "race", "hired"])
    data["w"] = np.where(data.sex.eq("f") & data.race.eq("C"), 400.0, 10.0)
    result = fairstats.audit(data, "hired", ["sex", "race"], weights="w", weight_type="probability",
                             reference={"sex": "m", "race": "A"})  # fmt: skip
    (claim, text), *_ = [point for point in fairstats.report(result).contents.context["findings"]["points"]
                         if "together" in point[0]]  # fmt: skip
    assert claim.startswith("Sex and race together: 50.0% of women with `race` A against 75.0% of men with `race` A")
    assert "`race` C" not in claim + text


def test_how_many_other_combinations_are_below_and_above_is_said_by_their_rates() -> None:
    """Of flags page one of COMPAS says it: tests/reporting/test_people_pages.py."""
    shares = {("a", "m"): 0.5, ("a", "f"): 0.35, ("b", "m"): 0.1, ("b", "f"): 0.75, ("c", "m"): 0.3, ("c", "f"): 0.5}
    rows = [(g, s, int(i < rate * 400)) for (g, s), rate in shares.items() for i in range(400)]
    data = pd.DataFrame(rows, columns=["g", "sex", "d"]).replace({"sex": {"m": "Male", "f": "Female"}})
    result = fairstats.audit(data, "d", ["g", "sex"], reference={"g": "a", "sex": "Male"})
    points = fairstats.report(result).contents.context["findings"]["points"]
    (numbers,) = (numbers for claim, numbers in points if "together" in claim)
    assert numbers.endswith(
        "Other combinations had `d = 1` less often than men with `g` a, beyond chance: 2; more often: 1."
    )
