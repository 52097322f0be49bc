"""The figures of scores: what is drawn is what was counted, and captions speak of nothing else."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.proportion import proportion_confint

import fairstats
from fairstats.auditing.curves import BINS, histogram_edges
from fairstats.provenance import BY_SCORE, HISTOGRAM, VALUES, Curve
from fairstats.reporting.figures.scores import (
    LINEAR,
    NONLINEAR,
    cut_at,
    firm,
    flagged,
    leakage_strip,
    outcome_by_score,
    score_distribution,
)
from fairstats.reporting.figures.style import spread


def people(rng: np.random.Generator, n: int = 900, digits: int = 1) -> pd.DataFrame:
    score = np.round(rng.random(n), digits)
    table = {"g": rng.choice(["a", "b", "c"], n), "s": score, "y": (rng.random(n) < score).astype(int)}
    return pd.DataFrame(table)


def of(result, kind):
    return {c.group: c for c in result.curves if c.kind == kind}


def test_the_outcome_at_each_score_is_the_share_that_pandas_counts(rng):
    from statsmodels.stats.proportion import proportion_confint

    data = people(rng)
    result = of(fairstats.audit(data, score="s", outcome="y", groups="g", threshold=0.5), BY_SCORE)
    for group, part in data.groupby("g"):
        counted = part.groupby("s")["y"].agg(["mean", "sum", "count"])
        line = result[group]
        assert line.x == pytest.approx(counted.index.tolist()) and line.y == pytest.approx(counted["mean"].tolist())
        low, high = proportion_confint(counted["sum"], counted["count"], 0.05, "wilson")
        assert line.low == pytest.approx(low.tolist()) and line.high == pytest.approx(high.tolist())


def test_the_shares_of_few_scores_are_those_that_pandas_counts_and_an_absent_score_has_none(rng):
    data = people(rng)
    data.loc[data["g"] == "b", "s"] = 0.5  # a straight run that a thinned line would lose
    result = of(fairstats.audit(data, score="s", groups="g"), VALUES)
    for group, part in data.groupby("g"):
        counted = part["s"].value_counts(normalize=True)
        assert dict(zip(result[group].x, result[group].y, strict=True)) == pytest.approx(
            {x: counted.get(x, 0.0) for x in sorted(data["s"].unique())}
        )


def test_no_bin_of_a_histogram_is_on_both_sides_of_the_threshold(rng):
    data = people(rng, digits=6)
    result = of(fairstats.audit(data, score="s", outcome="y", groups="g", threshold=0.37), HISTOGRAM)
    for group, part in data.groupby("g"):
        assert flagged(result[group], 0.37) == pytest.approx((part["s"] >= 0.37).mean(), abs=1e-12)
        assert sum(result[group].y) == pytest.approx(1)
    edges = histogram_edges(0.0, 1.0, 0.37)
    assert np.ptp(np.diff(edges)) < 1e-12 and edges.size - 1 <= BINS + 1
    assert edges[0] <= 0 and edges[-1] >= 1


def test_a_smallest_group_and_clusters_leave_no_picture_of_single_people(rng):
    data = people(rng).assign(c=lambda d: np.arange(len(d)) // 5)
    for arguments in ({"min_n": 10}, {"clusters": "c"}):
        audit = fairstats.audit(data, score="s", outcome="y", groups="g", **arguments)
        assert not [c for c in audit.curves if c.kind in (BY_SCORE, VALUES, HISTOGRAM)]


def test_the_line_of_a_threshold_cuts_no_step():
    assert cut_at(5.0, [1.0, 4.0, 5.0, 6.0]) == 4.5
    assert cut_at(4.7, [1.0, 4.0, 5.0]) == 4.7
    assert cut_at(1.0, [1.0, 4.0]) == 1.0


def test_labels_keep_apart_and_near():
    placed = spread([10.0, 10.5, 11.0, 90.0], 5.0, 0.0, 100.0)
    assert np.diff(placed).min() >= 5 - 1e-9 and placed[3] == 90.0
    assert np.mean(placed[:3]) == pytest.approx(10.5)


def line(group, low=0.1, high=0.3):
    n = 5
    x = tuple(float(i) for i in range(1, n + 1))
    return Curve(BY_SCORE, "g", group, x, (0.2,) * n, (low,) * n, (high,) * n)


def texts(drawing) -> str:
    return " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", drawing.svg))


def test_who_is_not_drawn_is_said_and_not_named_in_the_frame():
    drawn = outcome_by_score("o", [line("a"), line("b"), line("tiny", 0.0, 0.9)], caption="c", order=["a", "b"])
    assert "Not drawn, with too few people at each score: tiny." in drawn.caption and "tiny" not in texts(drawn)
    assert not firm(line("tiny", 0.0, 0.9)).x
    assert {"a", "b"} <= set(texts(drawn).split())


def test_no_legend_is_needed_and_at_most_six_lines_stand():
    drawn = outcome_by_score("o", [line(f"g{i}") for i in range(9)], caption="c")
    assert sum(f"g{i}" in texts(drawn) for i in range(9)) == 6
    assert "6 of 9 groups are drawn." in drawn.caption and "legend" not in drawn.svg


def test_the_flagged_part_is_in_the_title_and_in_the_text_that_replaces_the_figure():
    bars = Curve(VALUES, "g", "a", (1.0, 2.0, 3.0), (0.5, 0.2, 0.3))
    drawn = score_distribution("d", [bars], caption="c", sizes={"a": 10.0}, threshold=2)
    assert "a (n = 10): 50.0% at 2+" in texts(drawn) and "50.0% at 2+" in drawn.alt


def test_a_probe_below_a_coin_is_drawn_at_the_coin_and_printed_as_it_is():
    from fairstats.estimates import Estimate

    row = Estimate(LINEAR, "g", "a", estimate=0.43, conf_low=0.40, conf_high=0.46)
    other = Estimate(NONLINEAR, "g", "a", estimate=0.9887, conf_low=0.98, conf_high=0.993)
    drawn = leakage_strip("l", [("after", [row, other])], caption="c")
    assert "43.0 (40.0 to 46.0)" in texts(drawn)
    assert "98.9 (98.0 to 99.3)" in drawn.alt and "before" not in drawn.alt
    earlier = row.changed(estimate=0.6, conf_low=0.55, conf_high=0.65)
    both = leakage_strip("l", [("og", [row])], caption="c", before={"og": [earlier]})
    assert "43.0 (40.0 to 46.0), before 60.0." in both.alt and {"before", "after"} <= set(texts(both).split())


def test_captions_of_an_audit_speak_of_the_groups_that_are_drawn(rng):
    from fairstats.reporting.sections.shared import distribution_picture, outcome_picture

    data = people(rng, 3000)
    data.loc[data["g"] == "b", "s"] = np.minimum(1.0, data["s"] + 0.3).round(1)
    result = fairstats.audit(data, score="s", outcome="y", groups="g", threshold=0.5, favorable=0)
    by_score = outcome_picture(result, "g", "o", ("b", "c"))
    share = data[data["g"].isin(["b", "c"])].groupby(["s", "g"])["y"].mean().unstack().dropna()
    at = (share["b"] - share["c"]).abs().idxmax()
    limits = {}
    for group in "bc":
        current = data[(data["g"] == group) & (data["s"] == at)]["y"]
        low, high = proportion_confint(current.sum(), len(current), method="wilson")
        limits[group] = f"{100 * current.mean():.1f}% ({100 * low:.1f} to {100 * high:.1f})"
    where = f"y = 1 at s = {at:g}, where the two groups differ most in these data: "
    assert by_score.caption.startswith(f"{where}{limits['b']} of b and {limits['c']} of c.")
    bars = distribution_picture(result, "g", "d", ("b", "c"))
    assert bars.caption == "s of 0.5 or more (dark) is more frequent among b than among c."
    assert "b (n = " in texts(bars) and "a (n = " not in texts(bars)
    wide = distribution_picture(result, "g", "d", most=6, width=180.0)
    assert "is most frequent among b" in wide.caption and "a (n = " in texts(wide)
    plain = fairstats.audit(data.drop(columns="s"), "y", groups="g")
    assert outcome_picture(plain, "g", "o") is None and distribution_picture(plain, "g", "o") is None


def test_a_caption_of_bins_names_the_mean_score_of_either_group_there(rng):
    from fairstats.reporting.sections.shared import outcome_picture

    data = people(rng, 3000, digits=3)
    data.loc[data["g"] == "b", "s"] = np.minimum(1.0, data["s"] + 0.05)
    result = fairstats.audit(data, score="s", outcome="y", groups="g", threshold=0.5, favorable=0)
    bins = pd.cut(data["s"], np.quantile(data["s"], np.linspace(0, 1, 11)), right=False, labels=False).fillna(9)
    by = data.groupby([bins, "g"]).agg(share=("y", "mean"), at=("s", "mean")).unstack()
    most = (by["share"]["b"] - by["share"]["c"]).abs().idxmax()
    caption = outcome_picture(result, "g", "o", ("b", "c")).caption
    assert caption.startswith("y = 1, in the range of s where the two groups differ most in these data: ")
    for group in "bc":
        assert f"{100 * by['share'][group][most]:.1f}% (" in caption
        assert f"mean {'s there ' if group == 'b' else ''}is {by['at'][group][most]:.3g}" in caption


def test_as_many_points_are_not_taken_for_the_same_bins():
    from fairstats.reporting.sections.shared import _same_bins

    def line(group: str, x: tuple[float, ...]) -> Curve:
        return Curve(BY_SCORE, "g", group, x, tuple(0.5 for _ in x))

    first = line("a", (0.1, 1.2, 2.3))
    assert _same_bins(first, line("b", (0.4, 1.1, 2.9)))
    assert not _same_bins(first, line("b", (1.3, 2.2, 3.1)))  # nobody of b is in the first bin
    assert not _same_bins(first, line("b", (0.4, 1.1)))


def test_a_group_has_one_color_in_all_pictures_of_a_report(rng):
    from fairstats.auditing.sentences import page_one
    from fairstats.reporting.sections.shared import curves_of, outcome_picture

    data = people(rng, 3000)
    sizes = data["g"].value_counts()
    for pair in (list(sizes.index[[2, 0]]), list(sizes.index[[1, 2]])):  # the largest group is not the first one
        result = fairstats.audit(
            data, score="s", outcome="y", groups="g", threshold=0.5, favorable=0, headline={"g": pair}
        )
        page = page_one(result)
        first = outcome_picture(result, "g", "o", (page.group, page.reference))
        assert outcome_picture(result, "g", "o").svg == first.svg and {page.group, page.reference} == set(pair)
        later = curves_of("roc", "r", result, "g")
        assert re.findall(r"\b[abc]\b", texts(later))[:2] == [page.group, page.reference]


def test_of_each_probe_the_level_that_it_tells_best_is_drawn(rng):
    from fairstats.reporting.sections.shared import leakage_picture

    groups = np.repeat(["a", "b", "c"], 100)
    X = rng.standard_normal((300, 4))
    X[groups == "b", 0] *= 6  # no difference of means, a large one of spread
    leakage = fairstats.leakage(fairstats.og(X, groups, k=2), X, groups, permutations=9)
    drawn = leakage_picture([leakage], "l")
    assert "Told apart best: b, by a non-linear model (orthogonal PCA)." in drawn.caption
    assert leakage_picture([], "l") is None


def test_the_caption_of_roc_curves_says_the_level_of_their_bands():
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"g": rng.choice([*"ab"], 300), "s": rng.random(300)})
    table["y"] = (rng.random(300) < table["s"]).astype(int)
    drawing = fairstats.audit(table, score="s", outcome="y", groups="g", conf_level=0.9).plot("roc")
    assert drawing.caption.endswith("Shaded: 90% bands, each for a whole curve.")
