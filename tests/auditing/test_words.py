"""The words of an audit say what its numbers say: finding, four fifths, adjustments, ranges, references."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import fairstats
from fairstats import validation
from fairstats.auditing.audit import audit
from fairstats.auditing.result import Audit
from fairstats.cli.audits import audit as command
from fairstats.errors import InputError
from fairstats.inference.multiplicity import ADJUSTMENTS
from fairstats.inference.rates.adverse_impact import below_line, impact_ratio, side
from fairstats.reporting.bundle import gather
from fairstats.reporting.sections.audit import data as data_section
from fairstats.reporting.sections.audit import errors, outcomes, protocol
from fairstats.reporting.sections.methods import methods
from fairstats.reporting.sections.page_one import findings


def people(rng: np.random.Generator, n: int = 1500) -> pd.DataFrame:
    sex, area = rng.choice(["f", "m"], n), rng.choice(["N", "S"], n)
    chance = np.where(sex == "m", 0.6, 0.3)
    columns = {"sex": sex, "area": area, "race": rng.choice(list("abc"), n), "age": rng.choice(["old", "young"], n)}
    columns |= {"y": (rng.random(n) < chance).astype(int), "d": (rng.random(n) < chance).astype(int)}
    return pd.DataFrame({**columns, "s": np.round(rng.random(n) + chance, 2)})


def table(**groups: tuple[int, int]) -> pd.DataFrame:
    """Groups of (selected, people)."""
    rows = [(g, int(i < e)) for g, (e, n) in groups.items() for i in range(n)]
    return pd.DataFrame(rows, columns=["g", "d"])


def flat(result: Audit) -> str:
    return " ".join(result.summary().split())


# the finding


def test_outcomes_within_strata_are_reported_as_outcomes_and_not_as_an_auc(rng):
    text = audit(people(rng), outcome="y", groups="sex", strata="age", reference="m").finding()
    assert re.match(r"Within the same age, women had `y = 1` less often than men \(\d+\.\d points", text)
    assert re.search(r"without regard to age \d\d\.\d% against \d\d\.\d%, a gap of", text) and "AUC" not in text


def test_every_declared_attribute_is_in_the_finding_whatever_their_order(rng):
    data = people(rng)
    one, other = (audit(data, decision="d", groups=names).finding() for names in (["sex", "area"], ["area", "sex"]))
    assert all("women" in text and "`area`" in text for text in (one, other))


@pytest.mark.parametrize("names", [("alpha", "mid", "zulu"), ("zulu", "mid", "alpha"), ("mid", "zulu", "alpha")])
def test_names_of_columns_change_neither_finding_nor_claims(names):
    data = people(np.random.default_rng(5), 400).rename(columns={"sex": "kind"})  # that of a sex has words of its own
    present = dict(zip(("kind", "area", "race"), names, strict=True))
    arguments = {"decision": "d"}
    one = audit(data, groups=list(present), **arguments)
    other = audit(data.rename(columns=present), groups=list(present.values()), **arguments)

    def renamed(text: str) -> str:
        return re.sub(r"\b(kind|area|race)\b", lambda m: present[m.group(0)], text)

    assert other.finding() == renamed(one.finding())
    claims = [(r.metric, renamed(r.attribute), r.group, r.estimate) for r in one.claims()]
    assert [(r.metric, r.attribute, r.group, r.estimate) for r in other.claims()] == claims


# adjustments


@pytest.mark.parametrize("p_adjust", validation.ADJUSTMENTS)
@pytest.mark.parametrize("reference", validation.REFERENCES)
def test_every_adjustment_is_reported_in_the_same_words_everywhere(rng, p_adjust, reference):
    result = audit(people(rng, 300), decision="d", groups="race", p_adjust=p_adjust, reference=reference)
    bundle = gather([result], None, "")
    text = validation.adjusted_by(p_adjust, reference)
    note, rules = findings(bundle)["card"].note, dict(protocol(bundle)["rules"])
    assert "pairs" not in note  # page one has no family of its own
    assert text in rules["Adjusted together"] and text in flat(result)
    assert rules["Multiplicity"].startswith(validation.adjustment(p_adjust, reference).words)


def test_code_help_and_docstring_know_the_same_adjustments():
    assert set(validation.ADJUSTMENTS) == set(ADJUSTMENTS)
    shown = " ".join(CliRunner().invoke(command, ["--help"]).output.split())
    listed = re.search(r"adjust : {(.*?)}", audit.__doc__ or "").group(1)
    assert re.findall(r'"(.*?)"', listed) == list(validation.ADJUSTMENTS)
    for name in validation.ADJUSTMENTS:
        assert name in shown
        with pytest.raises(InputError, match=name):
            audit({"g": ["a", "b"], "d": [0, 1]}, decision="d", groups="g", p_adjust="tukey")


# four fifths


def test_the_line_of_four_fifths_is_exact_for_all_tables_of_fewer_than_sixty_people():
    size = np.arange(1, 60)
    on_the_line = set()
    for n0 in size:
        e1, n1, e0 = (v.ravel() for v in np.meshgrid(np.arange(60), size, np.arange(1, n0 + 1), indexing="ij"))
        fits = e1 <= n1
        e1, n1, e0 = e1[fits], n1[fits], e0[fits]
        ratios = np.asarray(impact_ratio(e1, n1, e0, n0))
        current, other = e1 * n0, e0 * n1  # whole numbers: the ratio is own / other
        assert (below_line(ratios) == (5 * current < 4 * other)).all()
        with np.errstate(divide="ignore"):
            assert (below_line(1 / ratios) == (4 * current > 5 * other)).all()
        on_the_line |= set(ratios[(5 * current == 4 * other) | (4 * current == 5 * other)].tolist())
    assert len(on_the_line) > 2  # 0.8 and 1.25, and what rounding makes of them
    assert {side(ratio) for ratio in on_the_line} == {"within"}


@pytest.mark.parametrize("other", [(10, 30, 20, 48), (16, 40, 15, 30), (8, 20, 14, 28)])
def test_exactly_four_fifths_is_not_below_anywhere(other):
    e1, n1, e0, n0 = other
    assert Fraction(e1, n1) / Fraction(e0, n0) == Fraction(4, 5)
    counts = {"a": (e1, n1), "b": (e0, n0), "c": (e0, n0)}
    result = audit(table(**counts), decision="d", groups="g", law="employment")
    row = result.estimates.where(metric="impact ratio", role="main", group="a")[0]
    assert row.reason.startswith("not below four fifths")
    assert "Below 0.8: none." in flat(result)
    lines = {line[0]: line for line in outcomes(gather([result], None, ""))["parts"][0]["impact"].rows}
    assert lines["a"][-1].startswith("within 0.8 to 1.25")


def test_beside_the_dots_verdicts_are_counted():
    counts = table(A=(120, 200), B=(98, 190), C=(60, 120), D=(10, 100))
    result = audit(counts, decision="d", groups="g", reference="A", law="employment")
    rows = result.estimates.where(metric="selection rate", role="main")
    shown = [r for r in rows.where(contrast="difference") if r.verdict == "disparity shown"]
    line = next(r.estimate for r in rows.where(contrast="none") if r.group == "A")
    beside = [r for r in rows.where(contrast="none") if r.conf_high < line]
    assert len(shown) < len(beside)  # an interval beside the line of the reference is no verdict
    part = outcomes(gather([result], None, ""))["parts"][0]
    assert part["figures"][0].caption.startswith(
        f"Shown to have a lower rate than A (square, dashed line): {len(shown)} of 3 groups; a higher one: 0."
    )
    assert "95% CI, adjusted" in [h.label for h in part["impact"].headings]


def test_the_note_of_small_intersections_counts_intersections(rng):
    data = people(rng, 200)
    sizes = data.groupby(["race", "sex"]).size()
    (note,) = [text for text in audit(data, "d", ["race", "sex"]).notes if "intersections have" in text]
    assert f"{(sizes < 30).sum()} of {len(sizes)} intersections have fewer than 30 people." in note


def test_four_fifths_is_against_the_highest_rate_whatever_the_reference():
    data = table(A=(200, 500), B=(110, 200), C=(80, 200))
    for reference in ("largest_group", "highest_rate", "C"):
        result = audit(data, decision="d", groups="g", reference=reference, law="employment")
        rows = result.estimates.where(metric="impact ratio", role="main")
        assert {(r.group, r.reference) for r in rows} == {("A", "B"), ("C", "B")}
        assert rows.column("estimate") == pytest.approx([0.4 / 0.55] * 2)
        assert all(r.reason.startswith("below four fifths") for r in rows)
        assert "Below 0.8: A, C." in flat(result)
    assert result.references == {"g": "C"}  # differences keep the declared reference
    assert {
        r.reference for r in result.estimates.where(metric="selection rate", contrast="difference", role="main")
    } == {"C"}


def test_a_group_under_two_percent_is_not_the_highest_and_is_marked():
    data = table(A=(400, 1000), B=(470, 1000), C=(30, 30))
    result = audit(data, decision="d", groups="g")
    rows = {r.group: r for r in result.estimates.where(metric="impact ratio", role="main")}
    assert {r.reference for r in rows.values()} == {"B"}
    assert rows["C"].estimate > 1.25 and rows["C"].reason.startswith("the reference is below four fifths")
    assert "under 2% of the people" in rows["C"].reason and "2%" not in rows["A"].reason


def test_no_ratio_far_from_one_is_small_by_this_rule():
    from fairstats.inference.rates.adverse_impact import adverse_impact

    (row,) = adverse_impact([200, 110], [500, 200], ["A", "B"], reference="A")
    assert row.impact_ratio == pytest.approx(1.375)
    assert "small" not in row.conclusion and row.significant


# ranges, impact of scores, counts, references


def test_the_interval_of_a_range_belongs_to_no_pair():
    result = audit(table(a=(50, 100), b=(20, 60), c=(5, 50)), decision="d", groups="g")
    for row in result.estimates.where(role="omnibus", contrast=("difference", "ratio")):
        assert (row.group, row.reference) == ("", "")
        assert (row.n, row.events) == (210, 75)
        assert row.reason.startswith("observed extremes: ")
    texts = (flat(result), outcomes(gather([result], None, ""))["parts"][0]["at_once"])
    for text in texts:
        assert re.search(r"largest gap of any two groups is [\d.]+ to [\d.]+ points", text)
        assert "observed extremes: a (50 of 100) and c (5 of 50)" in text


def test_the_impact_of_scores_is_no_impact_of_outcomes(rng):
    bundle = gather([audit(people(rng), outcome="y", score="s", groups="sex")], None, "")
    assert outcomes(bundle)["parts"][0]["impact"] is None
    shown = errors(bundle)["parts"][0]["impact"]
    assert shown.caption.startswith("Scoring rate by sex")
    metrics = {r.metric for r in bundle.audit.estimates}
    assert {"scoring impact ratio", "scoring shortfall"} <= metrics and not {"impact ratio", "shortfall"} & metrics


def test_people_without_an_outcome_are_analyzed_and_counted_apart(rng):
    data = people(rng, 500).astype({"y": float})
    data.loc[:12, "y"] = np.nan
    bundle = gather([audit(data, outcome="y", decision="d", groups="sex")], None, "")
    text = data_section(bundle)["summary"]
    assert text == "all 500 rows read were analyzed; 487 of them have both outcome and decision"


@pytest.mark.long
def test_every_method_in_a_report_lists_its_source(rng):
    from fairstats.reporting.words import computed, of_method

    data = people(rng, 400)
    data["w"], data["c"], data["p"] = rng.gamma(2, 5, 400), rng.integers(0, 40, 400), rng.uniform(0.1, 0.9, 400)
    without: set[str] = set()
    for more in ({}, {"weights": "w", "weight_type": "probability"}, {"clusters": "c"}, {"score": "p"}):
        result = audit(data, outcome="y", decision="d", groups="race", strata="age", **more)
        without |= {str(r.method) for r in result.estimates if r.method and not computed(r.metric, r.method)}
    assert without == set()
    X = rng.normal(size=(60, 4))
    import fairstats

    groups = rng.choice(["a", "b"], 60)
    fits = [getattr(fairstats, name)(X, groups) for name in ("og", "fair_pca", "minimax_pca", "leace_pca", "leace")]
    fits += [fairstats.pca(X), fairstats.sog(X, groups, t=1.2)]
    for fit in fits:
        listed = methods(gather([fit], None, ""))["references"]
        assert of_method(fit.method) and set(of_method(fit.method)) <= set(listed), fit.method


# selecting rows


def test_a_misspelled_column_or_value_is_an_error_that_names_the_nearest(rng):
    rows = audit(people(rng, 200), decision="d", groups=["sex", "area"]).estimates
    with pytest.raises(InputError, match="'metrc' is no column of a table of estimates; did you mean 'metric'"):
        rows.where(metrc="TPR")
    with pytest.raises(InputError, match=r"metric has 'selection rates'; no row has it; did you mean 'selection rate'"):
        rows.where(metric="selection rates")
    with pytest.raises(InputError, match=r"attribute has 'Sex'; no row has it; did you mean 'sex'"):
        rows.where(attribute="Sex")
    with pytest.raises(InputError, match="status has 'okay'"):
        rows.where(status="okay")
    assert len(rows.where(metric="AUC")) == 0  # spelled right, absent here
    # measured against the whole table: a selection that lacks the group is no misspelling
    assert len(rows.where(attribute="sex").where(group="N")) == 0
    with pytest.raises(InputError, match="group has 'Q'"):
        rows.where(attribute="sex").where(group="Q")


def test_a_source_is_found_by_the_code_of_a_method_not_by_words_in_its_text() -> None:
    from fairstats.auditing.counts import DECISIVE
    from fairstats.language import joined, message
    from fairstats.reporting.words import computed, sources

    both = joined([message("Koopman interval"), message("exact unconditional test")])
    assert computed("PPV", both) == {"koopman", "unconditional"}  # and not the conditional one
    for test, name in (("unconditional", "unconditional"), ("fisher", "fisher")):
        assert computed("PPV", DECISIVE[test]) == {name, "pooled z"}
    assert computed("PPV", message("simultaneous {name} intervals (permutation max-t)", name="Koopman")) == {
        "max t",
        "koopman",
    }
    assert sources([("PPV", "a text in which Wilson, Fisher and a bootstrap are named")], (), "") == []


def test_the_other_label_of_a_column_is_not_made_up() -> None:
    """Coded 1 and 2, or 0 and 2, no label is the opposite of the one that is meant."""
    rng = np.random.default_rng(1)
    for others in ((1, 2), (0, 2), (0, 1)):
        d = pd.DataFrame({"g": rng.choice(["a", "b"], 800), "d": rng.choice(others, 800), "y": rng.choice(others, 800)})
        choices = {"favorable": others[1], "positive": others[1], "outcome": "y"}
        text = fairstats.report(audit(d, "d", "g", **choices)).html  # type: ignore[arg-type]
        said = set(re.findall(r"\b[dy] = \d", re.sub("<[^>]*>", "", text)))
        assert said <= {f"{column} = {label}" for column in "dy" for label in others}, said


@pytest.mark.parametrize(
    ("names", "first"),
    [
        (("Locals", "Migrants"), "Migrants"),
        (("the locals", "all others"), "all others"),
        (("Men", "Others"), "Others"),
        (("White", "Asian"), "Asian applicants"),
        (("White", "Native American"), "Native American applicants"),
        (("Religious", "Homeless"), "Homeless applicants"),
    ],
)
def test_names_that_are_plural_nouns_have_no_unit_after_them(names: tuple[str, str], first: str) -> None:
    table = pd.DataFrame({"g": ["a"] * 200 + ["b"] * 200, "d": [1] * 150 + [0] * 50 + [1] * 50 + [0] * 150})
    labels = {"unit": "applicants", "favorable": "were approved", "unfavorable": "were refused"}
    text = audit(
        table,
        "d",
        "g",
        favorable=1,
        reference="a",
        labels=labels | {"groups": {"g": dict(zip("ab", names, strict=True))}},
    ).finding()
    assert f"about three times as often as {first}: 75.0% against 25.0%" in text
    assert ("applicants" in text) == ("applicants" in first)


@pytest.mark.parametrize("names", [{"K1": "all", "K2": "all"}, {"K1": "K2"}, {"K1": "Coastal", "K2": "coastal"}])
def test_one_name_of_two_groups_is_refused_and_both_are_named(names) -> None:
    table = {"r": ["K1", "K2", "K3"] * 40, "d": [0, 1, 1, 0] * 30}
    with pytest.raises(InputError, match="'K1' of 'r', which the group 'K2' of 'r' would have too"):
        audit(table, "d", "r", labels={"groups": {"r": names}})


def test_names_may_be_exchanged_and_those_of_two_attributes_may_not_be_one() -> None:
    table = {"r": ["K1", "K2"] * 60, "q": ["a", "b", "b"] * 40, "d": [0, 1, 1, 0] * 30}
    assert audit(table, "d", "r", labels={"groups": {"r": {"K1": "K2", "K2": "K1"}}}).finding()
    with pytest.raises(InputError, match="the attribute 'r', which the attribute 'q' would have too"):
        audit(table, "d", ["r", "q"], labels={"attributes": {"r": "origin", "q": "origin"}})


def test_a_ratio_beside_four_fifths_is_printed_on_its_side_in_every_table() -> None:
    people = {"g": ["a", "b"], "n": [1000, 1000], "k": [500, 399]}
    result = audit(fairstats.from_counts(people, "g", "k", "n"), law="employment")
    for kind, column in (("ratios", "ratio"), ("impact", "ratio to the highest"), ("estimates", "estimate")):
        cells = fairstats.table(result, kind).to_frame()[column].tolist()
        assert "0.798" in cells, kind
    assert "at 0.798 of the rate" in result.finding() and "below four fifths" in result.finding()


def test_where_nobody_is_selected_no_table_says_which_rate_is_the_highest() -> None:
    people = {"g": ["a", "b"], "n": [80, 15], "k": [0, 0]}
    result = audit(fairstats.from_counts(people, "g", "k", "n"), law="employment")
    assert result.finding().startswith("No impact ratio: the rate of every group is 0")
    with pytest.raises(InputError, match="impact"):
        fairstats.table(result, "impact")
    assert "ratios to the highest, that of" not in fairstats.report(result).html


def test_a_level_that_no_row_has_is_an_error_that_names_the_levels_of_the_table() -> None:
    data = {"g": ["a", "b", "c"] * 60, "d": [0, 1, 1, 0] * 45}
    result = fairstats.audit(data, "d", "g")
    levels = {row.conf_level for row in result.estimates if row.conf_level == row.conf_level}
    with pytest.raises(InputError, match=r"conf_level has 0\.9; no row has it.* The table has [0-9., ]+\.$") as found:
        result.tidy(conf_level=0.9)
    assert len(levels) > 1 and all(str(level) in str(found.value) for level in levels)
    assert {*result.tidy(conf_level=0.95)["conf_level"]} == {0.95}
