"""Page one of alternatives, of proxies, of uncertain groups and of a gap's parts, read as a reader would."""

import re
from dataclasses import replace
from html import unescape

import numpy as np
import pandas as pd
import pytest

import fairstats as fs
from fairstats import metrics
from fairstats.auditing.alternatives import people_needed
from fairstats.auditing.group_studies import bounded_rows
from fairstats.document import Bullets, Paragraph, Table
from fairstats.reporting import words
from fairstats.reporting.sections import studies
from fairstats.text import percent
from tests.auditing.test_models import candidates


def read(result: object) -> tuple[dict, str, list[Table]]:
    contents = fs.report(result).contents
    first = contents.context["findings"]
    text = " ".join([first["question"], first["sentence"], *first["context"], *(" ".join(p) for p in first["points"])])
    return first, text, [block for block in contents.blocks if isinstance(block, Table)]


def test_an_alternative_is_a_sentence_with_both_rates_and_a_table_of_all_candidates():
    result = fs.alternatives(candidates(0, True), ["now", "c0", "c1"], "g", outcome="y")
    first, text, tables = read(result)
    gap = result.compared()[0]
    assert first["sentence"].startswith("“c0” is a less discriminatory alternative to “now”, the model in use.")
    assert f"The gap is smaller by {100 * abs(gap.estimate):.1f} points (95% CI" in first["sentence"]
    rates = result.by_rate().query("rate == 'selection rate' and reference == 'u'").iloc[0]
    after, before = (f"{100 * rates[when]:.1f}".replace("-", "−") for when in ("after", "before"))
    assert f"the gap in selection rate is {after} points with “c0”, {before} with “now”." in first["sentence"]
    caption = first["figures"][0].caption  # in the same direction
    assert "v less u" in caption and f"with a gap of {after} points" in caption and f"with {before}." in caption
    assert "the share of a group less that of people with `g` u" in first["context"][-1].replace("<code>", "`")
    n = next(r.n for r in result.estimates if r.given and r.metric == "accuracy" and not r.group)
    assert f"{n:,.0f} people, drawn at random (seed 0), chose and {result.n - n:,.0f} others tested." in text
    first_table, candidates_tried = (
        tables[0],
        next(one for one in tables if [h.label for h in one.headings][:1] == ["candidate"]),
    )
    assert [line[-1] for line in first_table.rows] == ["yes"] * len(result.conditions())
    assert len(first["points"]) <= 5 and all(len(words) < 600 for _, words in first["points"])
    lines = {line[0]: line for line in candidates_tried.rows}
    assert list(lines) == ["now (in use)", "c0", "c1"]
    for name, tested in (("c0", True), ("c1", False)):
        rows = [r for r in result.estimates.only(model=name, metric="selection rate", contrast="difference") if r.given]
        assert lines[name][3].replace("−", "-") == f"{100 * rows[0].estimate:.1f}"
        assert ("–" not in lines[name]) is tested
    assert not any("the half that chose" in cell for table in tables for line in table.rows for cell in line)
    assert first["rely"] and not any("there is none" in line for line in first["unshown"])
    assert candidates_tried.note.startswith(
        "Gap: the share of people with g v less that of people with g u (selection rate)."
    )


@pytest.mark.parametrize(
    ("seed", "reason"),
    [
        (0, "Neither is it shown that the gap is smaller, nor that accuracy is at most 2.0 points less."),
        (5, "Not shown is that the gap is smaller; that accuracy is at most 2.0 points less is shown."),
        (1, ""),
    ],
)
def test_where_no_alternative_is_shown_the_nearest_candidate_and_what_it_lacks_are_named(seed: int, reason: str):
    result = fs.alternatives(candidates(seed, False), ["now", "c0", "c1"], "g", outcome="y")
    first, text, tables = read(result)
    (tried,) = (table for table in tables if [h.label for h in table.headings][:1] == ["candidate"])
    assert [line[0] for line in tried.rows] == ["now (in use)", "c0", "c1"]
    names = {row.model for row in result.compared()}
    assert bool(names) == bool(reason)
    handed = fs.table(result, "candidates").shown
    assert tried.caption.endswith(f". {handed.caption}") and handed.rows == tried.rows
    assert ("price_gap" in result.plots) and fs.plot(result, "price_gap").alt == first["figures"][0].alt
    if not names:
        assert fs.table(result).shown == handed and result.plots == ("price_gap",)
    if names:
        gap, accuracy = result.compared()
        assert gap.conf_low <= 0 <= gap.conf_high and (accuracy.conf_low > -0.02) == reason.startswith("Not shown")
        start = "No less discriminatory alternative to “now”, the model in use, is shown; "
        assert first["sentence"].startswith(f"{start}“{names.pop()}” came nearest among those who chose.")
        assert first["context"][0] == reason
    else:
        assert first["sentence"] == (
            "No less discriminatory alternative is shown. Candidates tried: 2; among those who chose, none is at most "
            "2.0 percentage points less accurate and has a smaller largest gap of any group."
        )
        assert all(any(f"“{name}”: change of accuracy " in text for text in first["context"]) for name in ("c0", "c1"))
        assert "chose; the 1,000 others were not needed." in text and "others tested" not in text
        assert [h.label for h in tables[0].headings] == [
            "candidate", "right, chose", "change of accuracy, chose", "gap, chose", "95% CI",
        ]  # fmt: skip
        assert tables[0].caption.endswith("Every candidate among those who chose")
        assert "came nearest" not in text


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_small_group_that_alone_refuses_a_candidate_is_named_in_the_answer_with_its_number(language: str):
    """Of 1,600 people of the group v the gap vanishes; of the 120 of w it may be larger, whichever way they differ."""
    rng = np.random.default_rng(4)
    g = np.repeat(["u", "v", "w"], [2400, 1600, 120])
    y = rng.integers(0, 2, g.size)
    right = rng.random((2, g.size)) < 0.9
    now = np.where(right[0] & ~((g == "v") & (rng.random(g.size) < 0.4)), y, (g == "u") * 1)
    data = {"g": g, "y": y, "now": now, "new": np.where(right[1], y, 1 - y)}
    result = fs.alternatives(data, ["now", "new"], "g", outcome="y", reference="u")
    row = next(r for r in result.estimates.only(metric="selection rate", role="supplementary", group="w", model="new")
               if r.versus == "now" and not r.given and r.reference)  # fmt: skip
    assert result.compared()[0].group == "v" and row.conf_high > 0.02 > -0.02 > row.conf_low
    page = fs.report(result, language=language).html
    text = unescape(re.sub(r"<[^>]+>", "", page))
    first, settles = result.statements[:2]
    assert first.startswith("“new” leaves a smaller gap between v and u than “now” (") and "both are shown" in first
    assert f"larger: that of w ({row.n:.0f} people who served to test) may be up to " in first
    needed = re.search(r"about ([0-9,]+) people of w, with u in proportion", settles)
    assert needed and float(needed[1].replace(",", "")) == people_needed(row, 0.02) > row.n
    assert (
        f"a wider gap_margin=, declared before the numbers are seen, of more than {percent(row.conf_high)}" in settles
    )
    most = float(re.search(r"may be up to ([0-9.]+) points", result.statements[0])[1])
    assert 2 < most <= 100 * max(row.conf_high, -row.conf_low) + 0.05
    start, them = ("larger: that of", settles) if language == "en" else ("größer ist: der von", "Was es klären würde: ")
    assert re.search(rf"{start} w \({row.n:.0f}", text) and them[:60] in text


def test_an_estimate_outside_of_the_bound_is_named():
    rng = np.random.default_rng(3)
    p = rng.uniform(0, 1, 6000)
    people = pd.DataFrame({"d": rng.random(6000) < 1 - 0.8 * p**2, "b": p, "w": 1 - p})
    result = fs.group_probabilities(people, "d", {"b": "b", "w": "w"}, reference="w", favorable=True)
    (_, ends, estimates), *_ = bounded_rows(result)
    linear = next(row for row in estimates if row.estimator == "linear")
    assert linear.estimate < ends.conf_low  # what the sentence says
    _, text, tables = read(result)
    gap = f"{100 * linear.estimate:.1f}".replace("-", "−")
    assert f"The linear estimate, {gap} points, lies outside the bound" in text
    assert all("." not in line[1] for line in tables[0].rows)  # people are whole


def test_proxies_say_who_was_tested_and_what_to_do():
    first, text, tables = read(fs.proxies(fs.arrests(), "sex", features=["age", "checks", "employed"]))
    assert "Every AUC is of people whom the model had not seen" in text
    below = " ".join(block.text for block in first["actions"])
    assert "whether the decision needs it; leave out" in below and "of them were tested" in below
    assert "95% CI, adjusted" in [heading.label for one in tables for heading in one.headings]


def test_calls_to_be_copied_stand_on_lines_of_their_own():
    report = fs.report(fs.proxies(fs.arrests(), "sex", features=["age", "checks", "employed"]))
    first = report.contents.context["findings"]
    below = [block for block in first["actions"] if isinstance(block, Paragraph)]
    calls = [block.text for block in below if block.kind == "command"]
    assert len(calls) == 2 and all(text.startswith("fairstats.") for text in calls)
    assert not any("fairstats.audit(" in block.text for block in below if block.kind != "command")
    for text in calls:
        assert f"<code>{text}</code></p>" in unescape(report.html)


def test_a_decomposition_has_its_question():
    rng = np.random.default_rng(1)
    people = pd.DataFrame({"g": rng.choice(["a", "b"], 400), "x": rng.normal(size=400)})
    people["pay"] = 20 + people["x"] + (people["g"] == "a") + rng.normal(size=400)
    first, *_ = read(fs.decompose(people, amount="pay", groups="g", explained_by="~ x"))
    assert "How much of the gap is accounted for by x, and how much is left?" in first["question"]


def test_a_report_of_models_and_an_audit_begins_with_the_comparison():
    d = candidates(0, True)
    compared = fs.compare_models(d, ["now", "c0"], "g", outcome="y")
    audit = fs.audit(d, decision="now", groups="g", outcome="y")
    report, alone = fs.report(compared, audit), fs.report(compared)
    first, other = (one.contents.context["findings"] for one in (report, alone))
    assert first["sentence"] == other["sentence"] and first["question"] == other["question"]
    right = {name: percent((d[name] == d["y"]).mean()) for name in ("c0", "now")}
    (row,) = (row for row in compared.compared() if row.metric == "accuracy" and not row.group)
    low, high = sorted(end * np.sign(row.estimate) for end in (row.conf_low, row.conf_high))
    by = f"{percent(abs(row.estimate))} points apart ({words.span(low, high, percent)})"
    numbers = f"for {right['c0']}% of people, “now” for {right['now']}%, {by}"
    assert "accuracy" not in {row.metric for row in compared.shown()}
    cost = f"“c0” is right {numbers}; no difference in this is shown."
    assert cost in other["context"] and cost in first["paragraphs"][0].text
    worse = d.assign(c0=np.where(d.index % 5 == 0, 1 - d["y"], d["c0"]))
    page = fs.report(fs.compare_models(worse, ["now", "c0"], "g", outcome="y")).contents.context["findings"]
    sentence = " ".join(page["context"])
    share = 100 * (worse["c0"] == worse["y"]).mean()
    less = f"“c0” is right less often, for {share:.1f}% of people against {right['now']}% with “now”, by "
    found = re.search(re.escape(less) + r"(about )?([0-9.]+) points \(([0-9.]+) to ([0-9.]+)\)", sentence)
    assert found is not None and float(found[3]) < float(found[2]) < float(found[4])
    assert float(found[2]) == pytest.approx(float(right["now"]) - share, abs=0.06)
    rates = d.groupby("g")["now"].mean()
    (begun,) = [part.text for part in first["paragraphs"] if part.text.startswith("The audit of `now`: ")]
    assert all(f"{100 * rates[label]:.1f}%" in begun for label in "uv")
    assert f"{100 * (d['c0'] == d['y']).mean():.1f}% with “c0”" in first["points"][0][1]


def test_page_one_of_an_alternative_says_what_changes_for_each_group_and_the_table_after_it_has_all_rates():
    d = candidates(0, True)
    result = fs.alternatives(d, ["now", "c0"], "g", outcome="y", split="first", group="v")
    first, text, tables = read(result)
    tested = d[d["first"] == 0]
    said = dict(first["points"])["What changes for each group."]
    assert said.endswith("Each interval is at 95% by itself, not adjusted for their number.")
    (asked,) = [table for table in tables if [h.label for h in table.headings][:1] == ["condition"]]
    assert [line[-1] for line in asked.rows] == ["yes", "yes"] and "All of these have to be shown." in asked.note
    sources = " ".join(str(block) for block in fs.report(result).contents.blocks)
    for name in ("Tango, T. (1998)", "Zou, G. Y. and Donner", "Cox, D. R. (1975)", "Berger, R. L. (1982)",
                 "Newcombe, R. G. (1998). Improved", "Wilson, E. B. (1927)", "Miettinen, O."):  # fmt: skip
        assert name in sources
    old, new = ((tested[tested["g"] == "v"][name]).mean() for name in ("now", "c0"))
    after = " ".join(" ".join(one.items) for one in fs.report(result).contents.blocks if isinstance(one, Bullets))
    assert f"v: selection rate rises from {100 * old:.1f}% to {100 * new:.1f}% (change " in after
    risen = result.by_rate().query("direction == 'higher' and reference == '' and group == 'v'").rate
    assert all(re.search(rf"{metrics.in_text(rate)} \(people with `g` v", said) for rate in risen) and len(risen) > 0
    assert "as this run was set" in text
    (changes,) = [table for table in tables if table.caption.endswith("What changes with the candidate")]
    assert len(changes.rows) == len(result.by_rate())
    by = {(line[0], line[1]): line for line in changes.rows}
    share = tested[tested["g"] == "v"]["c0"].mean()
    assert any(key[0] == "Selection rate" and line[4] == f"{100 * share:.1f}" for key, line in by.items())


def test_a_gap_on_the_other_side_is_said_with_the_sum_that_would_settle_it() -> None:
    rng = np.random.default_rng(4)
    sex = np.repeat(["f", "m"], 1500)
    rates = {"a": (0.40, 0.50), "b": (0.58, 0.50)}  # of women and of men
    data = {name: (rng.random(3000) < np.where(sex == "f", *of)).astype(int) for name, of in rates.items()}
    result = fs.compare_models({**data, "sex": sex, "y": data["a"]}, ["a", "b"], "sex", outcome="y", reference="m")
    frame = result.tidy().query("metric == 'selection rate' and contrast == 'difference'")
    (total,) = frame[frame.estimator == "sum of both gaps"].itertuples()
    women, men = ({name: values[sex == who].mean() for name, values in data.items()} for who in ("f", "m"))
    gaps = {name: women[name] - men[name] for name in data}
    assert gaps["a"] < 0 < gaps["b"] and np.isclose(total.estimate, gaps["a"] + gaps["b"])
    page = " ".join(re.sub("<[^>]*>", " ", fs.report(result).html).split())
    sides = f"from \N{MINUS SIGN}{-100 * gaps['a']:.1f} with “a” to {100 * gaps['b']:.1f} with “b”, by "
    assert f"The gap changes {sides}" in page and "other side" not in page
    ends = " to ".join(f"{100 * end:.1f}".replace("-", "\N{MINUS SIGN}") for end in (total.conf_low, total.conf_high))
    said = f"(sum of both gaps {100 * total.estimate:.1f}, {ends})".replace(" -", " \N{MINUS SIGN}")
    assert f"which is the smaller in size is not settled {said}." in page


def test_several_studies_have_the_answers_of_their_own_pages_and_a_picture_each():
    d = candidates(0, True)
    compared = fs.compare_models(d, ["now", "c0"], "g", outcome="y")
    sought = fs.alternatives(d, ["now", "c0", "c1"], "g", outcome="y")
    first = fs.report(compared, sought).contents.context["findings"]
    alone = [fs.report(one).contents.context["findings"] for one in (compared, sought)]
    assert first["sentence"] == alone[0]["sentence"] and "people with `g` v" in first["sentence"]
    assert first["paragraphs"] == alone[0]["paragraphs"] and len(first["paragraphs"]) == 2
    assert first["points"] == [("Search for a less discriminatory alternative.", alone[1]["sentence"])]
    assert first["tables"] == [table for page in alone for table in page["tables"]]
    names = [drawing.name for drawing in first["figures"]]
    assert len(set(names)) == len(names) == 2
    after = " ".join(str(block) for block in fs.report(compared, sought).contents.blocks)
    assert all(text in after for text in (compared.statements[0], sought.statements[1]))


@pytest.mark.long
def test_a_group_is_said_to_be_within_the_margin_where_every_comparison_of_it_is() -> None:
    """Of the small group the accuracies are near each other, and the selections are open."""
    rng = np.random.default_rng(4)
    sizes = {"White": 20_000, "Black": 20_000, "Asian": 1500}
    race = np.repeat([*sizes], [*sizes.values()])
    y = rng.integers(0, 2, len(race))
    first, second = (np.where(rng.random(len(race)) < share, y, 1 - y) for share in (0.97, 0.96))
    data = pd.DataFrame({"race": race, "y": y, "A": first, "B": second})
    result = fs.compare_models(data, ["A", "B"], "race", outcome="y", reference="White", margin=0.03)
    of = {g: {row.verdict for row in result.compared() if row.group == g} for g in ("Black", "Asian")}
    assert "equivalence shown" in of["Asian"] and "inconclusive" in of["Asian"] and of["Black"] == {"equivalence shown"}
    lines = " ".join(studies._others(result, set()))  # of whom the page says nothing else
    assert "For Black people gaps are shown to be less than the margin apart" in lines
    assert "For Asian people no change of any gap is shown" in lines


def tried(k: int) -> tuple[pd.DataFrame, list[str]]:
    """Candidates that change ever more decisions of the model in use, of which the last but one is an alternative."""
    rng, n = np.random.default_rng(0), 4000
    g, y = np.where(rng.random(n) < 0.4, "F", "M"), rng.integers(0, 2, n)
    d = pd.DataFrame({"g": g, "y": y, "now": np.where(rng.random(n) < 0.8, y, 1 - y)})
    d.loc[(g == "F") & (rng.random(n) < 0.25), "now"] = 0
    for i in range(k):
        d[f"c{i:02d}"] = np.where(rng.random(n) < 0.01 + 0.002 * i, 1 - d["now"], d["now"])
    d[f"c{k - 2:02d}"] = np.where(rng.random(n) < 0.82, y, 1 - y)
    return d, ["now", *(f"c{i:02d}" for i in range(k))]


def test_of_many_candidates_all_are_drawn_and_the_one_in_use_and_the_chosen_one_are_named() -> None:
    d, names = tried(30)
    result = fs.alternatives(d, names, "g", outcome="y")
    assert result.statements[0].startswith("“c28” is a less discriminatory alternative")
    drawing = fs.plot(result, "price_gap")
    axes = drawing.figure.axes[0]
    assert axes.get_xlabel() == "share of right decisions, %"
    assert axes.get_ylabel() == "gap in selection rate, points"
    texts = {text.get_text() for text in axes.texts}
    chose = [r for r in result.estimates.only(metric="selection rate", contrast="difference", group="F") if r.given]
    gaps = {r.model: abs(r.estimate) for r in chose if not r.estimator}
    nearest = sorted(gaps.keys() - {"now", "c28"}, key=gaps.__getitem__)[:4]
    assert texts == {"now", "c28", *nearest}
    dots = {(round(x, 6), round(y, 6)) for line in axes.lines for x, y in line.get_xydata() if line.get_marker() == "o"}
    right = {
        r.model: r.estimate for r in result.estimates.only(metric="accuracy", contrast="none", group="") if r.given
    }
    signed = {r.model: r.estimate for r in chose if not r.estimator}
    assert dots == {(round(100 * right[name], 6), round(100 * signed[name], 6)) for name in names}
    assert "the one chosen, and those with the smallest gaps; the others are dots." in drawing.caption
    assert "25 more are in results.csv." in drawing.alt
    change, accuracy = result.compared()
    tested = {
        line[0].metric: 100 * line[2].estimate for line in result.changes_by_rate() if line[0] in (change, accuracy)
    }
    said = (
        f"“c28” is right for {tested['accuracy']:.1f}%, with a gap of {tested['selection rate']:.1f} points, and “now” "
    )
    assert f"Not drawn: the others, who tested. Among them {said}".replace("-", "−") in drawing.caption
    few = fs.plot(fs.alternatives(d, [*names[:4], "c28"], "g", outcome="y"), "price_gap")
    assert len(few.figure.axes[0].texts) == 5 and "are dots" not in few.caption
    tables = read(result)[2]
    lines = next(one for one in tables if [h.label for h in one.headings][:1] == ["candidate"]).rows
    assert [line[0] for line in lines[:4]] == ["now (in use)", "c28", *nearest[:2]]


def test_of_many_models_page_one_has_those_with_the_smallest_gaps() -> None:
    d, names = tried(15)
    result = fs.compare_models(d, names, "g", outcome="y")
    first = read(result)[0]["tables"][0]
    gaps = {r.model: abs(r.estimate) for r in result.estimates.only(metric="selection rate", contrast="difference")
            if r.group == "F" and not r.versus and not r.estimator}  # fmt: skip
    assert [line[0] for line in first.rows] == ["now", *sorted(gaps.keys() - {"now"}, key=gaps.__getitem__)[:11]]
    assert first.note.endswith("4 more models, with larger gaps, are on the following pages.")


def of_four_models() -> pd.DataFrame:
    """now: a gap; new: a smaller one, as right; like: as now; kind: hardly any gap, and no better than one answer."""
    rng, n = np.random.default_rng(2), 4000
    d = pd.DataFrame({"g": rng.choice(["f", "m"], n), "y": (rng.random(n) < 0.65).astype(int)})
    wrong = rng.random(n) < np.where(d["g"] == "f", 0.35, 0.2)
    d = d.assign(now=np.where(wrong & (d["g"] == "f"), 0, d["y"]), kind=(rng.random(n) < 0.75).astype(int))
    return d.assign(new=np.where(wrong & (rng.random(n) < 0.5), 0, d["y"]), like=d["now"])


@pytest.mark.parametrize("versus", ["baseline", "all"])
def test_page_one_begins_with_the_models_that_one_answer_equals_and_speaks_of_their_gaps_last(versus: str) -> None:
    d = of_four_models()
    names = ["now", "kind", "new", "like"]
    result = fs.compare_models(d, names, "g", outcome="y", versus=versus, reference="m", margin=0.02)
    right = {name: (d[name] == d["y"]).mean() for name in names}
    assert right["kind"] < d["y"].mean() < min(right[name] for name in ("now", "new", "like"))
    gaps = {name: abs(d.groupby("g")[name].mean().diff().iloc[-1]) for name in names}
    assert min(gaps, key=gaps.__getitem__) == "kind"
    first, text, _ = read(result)
    (said,) = [str(text) for text in result.statements if str(text).startswith("The same decision for everybody")]
    assert f"{percent(right['kind'])}% with “kind”" in said and said not in map(str, result.statements[:4])
    assert said in first["context"] and said not in first["sentence"]  # the headline is of the others
    rest = first["sentence"]
    if versus == "all":
        assert rest.index("smaller with “new” than with “now”") < rest.index("smaller with “kind” than with “now”")
    else:
        assert "compared with “now”: shown to be smaller with “new” (change " in rest and "kind" not in rest
    assert percent(d[d["g"] == "f"]["new"].mean()) in first["tables"][0].rows[1]
    assert "smallest with “kind”" not in text and "Smallest gap: “kind”" not in text
    assert [line[0] for line in first["tables"][0].rows] == ["now", "new", "like", "kind"]
    assert [line[0] for line in first["tables"][1].rows] == ["new", "like", "kind"]
    for _, finding in first["points"][:-1]:
        assert "“kind”" not in finding.replace("Without “kind”", "").split("With “kind”: ")[0].split("no difference")[0]


def test_the_largest_change_for_a_group_is_of_thirty_people_or_more_with_its_number_and_limits() -> None:
    result = fs.alternatives(candidates(0, True), ["now", "c0", "c1"], "g", outcome="y")
    changes = result.by_rate()
    shown = changes[(changes.group != "") & (changes.reference == "") & changes.direction.isin(["higher", "lower"])]
    most = shown.loc[shown.change.abs().idxmax()]
    verb = "rises" if most.change > 0 else "falls"
    said = (
        f"The largest change shown for one group of 30 people or more: the {words.in_text(most.rate)} of people with "
    )
    said += f"`g` {most.group} ({most.n:,.0f} people) {verb} from {percent(most.before)}% to {percent(most.after)}%"
    sentence = read(result)[0]["sentence"]
    assert said in sentence and f": {percent(most.conf_low)} to {percent(most.conf_high)})." in sentence
    other = fs.compare_models(candidates(0, True), ["now", "c0"], "g", outcome="y")
    assert said in fs.report(other, result).contents.context["findings"]["points"][0][1]
    few = np.where(result.estimates.column("group"), 29.0, result.estimates.column("n"))
    rows = [row.changed(n=float(n)) for row, n in zip(result.estimates, few, strict=True)]
    assert studies._most_changed(replace(result, estimates=fs.Estimates(rows))) == []


def test_comparisons_by_other_groups_are_told_apart_and_further_results_are_a_list_of_sentences() -> None:
    d = candidates(0, True)
    d["h"] = np.arange(len(d)) % 2
    by = {name: fs.compare_models(d, ["now", "c0"], name, outcome="y", margin=0.02) for name in ("g", "h")}
    contents = fs.report(*by.values()).contents
    asked = "Models compared by the gaps that they leave, by {}"
    assert [lead for lead, _ in contents.context["findings"]["points"]] == [f"{asked.format('h')}."]
    parts = contents.context["comparison"]["parts"]
    for (name, result), part in zip(by.items(), parts, strict=True):
        assert part["heading"] == part["rows"].caption == asked.format(name)
        assert part["more"].caption == f"Accuracy and gaps by model, by {name}"
        assert part["sentence"] == "" and len(part["found"].items) == len(result.statements)
        assert not any(item[0].islower() for item in part["found"].items)
    captions = [block.caption for block in contents.blocks if isinstance(block, Table)]
    assert len(set(captions)) == len(captions)
    alone = fs.report(by["g"], fs.alternatives(d, ["now", "c0"], "g", outcome="y")).contents
    assert not any(", by " in part["heading"] for part in alone.context["comparison"]["parts"])


@pytest.mark.parametrize("versus", ["baseline", "all"])
def test_of_many_models_the_answer_counts_those_shown_and_names_the_one_that_changes_most(versus: str) -> None:
    d, names = tried(12)
    worse = [f"w{k}" for k in range(2)]
    for k, name in enumerate(worse):
        d[name] = np.where((d["g"] == "F") & (np.arange(len(d)) % (4 + k) == 0), 0, d["now"])
    for k in range(6):
        d[f"b{k}"] = np.where((d["g"] == "F") & (np.arange(len(d)) % (5 + k) == 0), 1, d["now"])
    names = ["now", *worse, *(f"b{k}" for k in range(6))]
    result = fs.compare_models(d, names, "g", outcome="y", versus=versus)
    sentence = read(result)[0]["sentence"]
    rates = result.by_rate()
    rates = rates[(rates.rate == "selection rate") & (rates.reference != "")]
    if versus == "all":
        n = int(rates.direction.isin(["smaller", "larger"]).sum())
        assert f"In {n} of {len(rates)} comparisons it is shown which gap is the smaller." in sentence
        assert sentence.count("The gap is shown to be smaller with") == 1
        return
    for side in ("smaller", "larger"):
        of = rates[rates.direction == side]
        most = of.loc[of.change.abs().idxmax()]
        said = f"Shown to leave a {side} gap than “now”: {len(of)} of 8 models, most of all “{most.model}”, by "
        assert said + ("" if f"{said}about" not in sentence else "about ") + percent(abs(most.change)) in sentence
    assert "is shown to be smaller with" not in sentence and "most of all “b0”" in sentence


def test_the_headline_of_page_one_says_which_models_leave_a_smaller_gap_and_at_what_cost() -> None:
    rng, n = np.random.default_rng(1), 8000
    d = pd.DataFrame({"g": rng.choice(["f", "m"], n), "y": rng.integers(0, 2, n)})
    d["now"] = np.where((rng.random(n) < 0.9) & ~((d.g == "f") & (rng.random(n) < 0.4)), d.y, 0)
    for name, share in (("a", 0.78), ("b", 0.8)):
        d[name] = np.where(rng.random(n) < share, d.y, 1 - d.y)
    d["c"] = np.where((d.g == "f") & (rng.random(n) < 0.5), 0, d.now)
    d["d"] = np.where(rng.random(n) < 0.03, 1 - d.now, d.now)
    result = fs.compare_models(d, ["now", "a", "b", "c", "d"], "g", outcome="y", reference="m")
    first, _, (table, *_) = read(result)
    shown = result.by_rate().query("rate == 'selection rate'").set_index("model").direction
    right = result.by_rate().query("rate == 'accuracy' and group == ''").set_index("model").direction
    assert shown[["a", "b", "c"]].tolist() == ["smaller", "smaller", "larger"] and set(right[["a", "b"]]) == {"lower"}
    assert "compared with “now”: shown to be smaller with “a”, “b”" in first["sentence"]
    assert "; shown to be larger with “c”" in first["sentence"]
    assert "Right decisions, compared with “now”: shown to be fewer with “a”, “b”" in first["sentence"]
    assert len(first["sentence"]) < 500
    _, table = first["tables"]
    changes = result.by_rate().query("rate == 'accuracy' and group == ''").set_index("model")
    for line in table.rows:
        row = changes.loc[line[0]]
        assert line[1:3] == (percent(row.change), f"{percent(row.conf_low)} to {percent(row.conf_high)}")
        right_of, gap_of = (line[i] for i, one in enumerate(table.headings) if one.label == "shown")
        assert (right_of, gap_of) == (right[line[0]] or "no", shown[line[0]] or "no")
    found = [str(one) for one in fs.report(result).contents.context["comparison"]["parts"][0]["found"].items]
    starts = ["Gaps that are shown to be smaller", "Gaps that are shown to be larger"]
    assert [one.startswith(start) for one, start in zip(found, starts, strict=False)] == [True, True]


def test_a_gap_on_the_other_side_is_not_said_to_be_smaller_by_its_change() -> None:
    n = 2000
    d = pd.DataFrame({"g": ["f", "m"] * n, "old": [0, 1] * (n // 2) + [1, 1] * (n // 2)})
    d["new"] = np.where(d.g == "f", np.arange(2 * n) % 20 < 19, np.arange(2 * n) % 20 < 18).astype(int)
    d["like"] = np.where(np.arange(2 * n) < 3, 1 - d.old, d.old)
    d["other"] = np.where(np.arange(2 * n) % 50 < 2, 1 - d.new, d.new)
    result = fs.compare_models(d, ["old", "new", "like", "other"], "g", reference="m")
    gap = d.groupby("g")[["old", "new"]].mean().diff().iloc[-1]
    assert gap["old"] * gap["new"] < 0  # of which the change is not how much smaller it is
    text = " ".join(read(result)[0]["context"])
    assert "smaller with “new” than with “old”, by " not in text and "other side" not in text
    two = " ".join(read(fs.compare_models(d, ["old", "new"], "g", outcome=None, reference="m"))[0]["context"])
    assert "smaller with “new” than with “old”, by " not in two and "other side" not in two


def test_accuracy_within_the_margin_says_lower_only_where_the_wider_limits_leave_out_0_too() -> None:
    seen = set()
    for wrong in (20, 34, 36, 38, 58):  # on both sides of where each limit comes to leave out 0
        rng = np.random.default_rng(wrong)
        y, g = rng.integers(0, 2, 3000), np.arange(3000) % 2
        old = np.where(rng.random(3000) < 0.85, y, 1 - y)
        right, false = np.flatnonzero(old == y), np.flatnonzero(old != y)
        new = old.copy()
        new[right[:wrong]] = 1 - new[right[:wrong]]
        new[false[:20]] = y[false[:20]]
        d = pd.DataFrame({"g": g, "y": y, "old": old, "new": new})
        result = fs.compare_models(d, ["old", "new"], "g", outcome="y", margin=0.03)
        (row,) = (r for r in result.compared() if r.metric == "accuracy" and not r.group)
        if row.verdict != "equivalence shown":
            continue
        narrow, wide = row.margin_high < 0, row.conf_high < 0
        seen.add((narrow, wide))
        text, page = " ".join(result.statements), read(result)[1]
        assert ("lower with “new”, within the margin of 3.0 percentage points" in text) == wide
        assert ("“new” is right less often than “old”, by less than 3.0 points" in page) == wide
        assert ("the limits include 0" in text) == ("the limits include 0" in page) == (narrow and not wide)
    assert seen == {(False, False), (True, False), (True, True)}


def test_further_candidates_that_were_not_chosen_stand_after_page_one_and_say_what_they_are() -> None:
    d, names = tried(4)
    for k in range(8):  # hardly anybody is selected
        d[f"z{k}"] = ((d["y"] == 1) & ((d["y"] == 1).cumsum() <= 20 * (k + 2))).astype(int)
    result = fs.alternatives(d, [*names, *(f"z{k}" for k in range(8))], "g", outcome="y")
    assert result.statements[0].startswith("“c02” is a less")
    passed = sum("was not chosen, although" in text for text in result.statements)
    (more,) = (text for text in result.statements if text.startswith("Further candidates"))
    n = int(re.fullmatch(r"Further candidates with a smaller gap that were not chosen, .*: (\d+)\.", more)[1])
    chose = [r for r in result.estimates.only(metric="selection rate", contrast="difference", group="F") if r.given]
    gaps = {r.model: abs(r.estimate) for r in chose if not r.estimator}
    assert n + passed == sum(gap < gaps["c02"] for gap in gaps.values())
    first, text, _ = read(result)
    assert more not in first["context"] and more not in text
    assert any(more in str(part["found"]) for part in fs.report(result).contents.context["comparison"]["parts"])
