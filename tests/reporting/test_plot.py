"""One figure of one result: the same drawing as in the report, to look at or to save."""

from __future__ import annotations

import html
import itertools

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

import fairstats
from fairstats.errors import InputError
from fairstats.estimates import Estimate
from fairstats.reporting.figures.rates import funnel


def test_every_result_has_its_figures() -> None:
    people = fairstats.arrests()
    fit = fairstats.og(["age", "checks"], "colour", k=2, data=people)
    audit = fairstats.audit(people, decision="released", favorable="Yes", groups="colour")
    frame = fairstats.disparity_path(
        fairstats.disparity_pca(
            ["age", "checks"], "colour", 1, data=people, lam=0.5, advantaged="White", disadvantaged="Black"
        ),
        ["age", "checks"],
        "colour",
        data=people,
        lams=np.linspace(0, 1, 5),
    )
    path = fairstats.sog_path(["age", "checks"], "colour", 1, ts=[1.0, 1.2, 1.4], data=people)
    for drawn in (
        fit.plot(),
        fairstats.plot(audit),
        fairstats.plot(audit, "differences"),
        fairstats.plot(frame),
        fairstats.plot(path),
    ):
        assert drawn.svg.startswith("<svg") and drawn.alt
    assert "White" in fairstats.plot(audit).alt


def test_what_has_no_figure_says_so() -> None:
    with pytest.raises(InputError, match="kind has 'screen'; the choices are scree; did you mean 'scree'"):
        fairstats.plot(fairstats.pca(np.eye(3), k=1), "screen")
    with pytest.raises(InputError, match="result has 3, of which"):
        fairstats.plot(3)


def test_a_figure_of_another_size_is_laid_out_again() -> None:
    audit = fairstats.audit(fairstats.arrests(), decision="released", favorable="Yes", groups="colour")
    figure = fairstats.plot(audit).figure
    for size in ((3.5, 2.0), (9.0, 5.0)):
        figure.set_size_inches(*size)
        figure.draw_without_rendering()
        axes = figure.axes[0]
        names = [label.get_window_extent() for label in (*axes.get_yticklabels(), *axes.texts)]
        assert len(names) >= 4
        assert min(box.x0 for box in names) >= 0 and max(box.x1 for box in names) <= figure.bbox.x1, size
    figure.subplots_adjust(left=0.4)
    figure.draw_without_rendering()
    assert figure.axes[0].get_position().x0 == pytest.approx(0.4), "what a user sets stays"


def test_a_title_or_a_label_of_the_users_has_room() -> None:
    """Nothing leaves the figure or covers what stands over a frame, and frames stay as high as they were."""
    audit = fairstats.audit(fairstats.arrests(), decision="released", favorable="Yes", groups="colour", margin=0.05)
    for kind in ("rates", "differences"):
        for write in (
            lambda figure: figure.axes[0].set_title("A title of many words " * 8),
            lambda figure: figure.suptitle("A title of many words " * 8),
            lambda figure: figure.axes[0].set_xlabel("A label of many words " * 8),
            lambda figure: figure.axes[0].set_title("A title"),
        ):
            figure = audit.plot(kind).figure
            axes = figure.axes[0]
            before = axes.bbox.height
            text = write(figure) or axes.xaxis.label
            figure.draw_without_rendering()
            size = figure.get_size_inches().tolist()
            box, around = text.get_window_extent(), figure.bbox
            assert box.x0 >= 0 and box.x1 <= around.x1 and box.y0 >= 0 and box.y1 <= around.y1
            assert not [other for other in axes.texts if other.get_window_extent().overlaps(box)]
            assert axes.bbox.height == pytest.approx(before, abs=1)
            figure.draw_without_rendering()
            assert figure.get_size_inches().tolist() == size


def test_sizes_of_a_funnel_and_its_names_can_be_read() -> None:
    """Numbers of an axis do not touch, whatever the sizes; names that begin alike differ."""
    for sizes in ([1000 + i for i in range(12)], [20 * 4**i for i in range(12)], [40 * 2**i for i in range(9)]):
        rows = [
            Estimate("selection rate", group=f"The county of the number {i}", n=n, events=n * (i % 2), estimate=i % 2)
            for i, n in enumerate(map(float, sizes))
        ]
        figure = funnel("f", rows).figure
        figure.draw_without_rendering()
        axes = figure.axes[0]
        boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
        assert boxes and not [1 for one, other in itertools.pairwise(boxes) if one.x1 >= other.x0]
        names = [text.get_text() for text in axes.texts if text.get_text().startswith("The")]
        assert len(set(names)) == len(names) > 1


def test_names_of_methods_that_are_close_do_not_cover_each_other() -> None:
    rng = np.random.default_rng(3)
    groups = rng.integers(0, 2, 600)
    X = rng.normal(size=(600, 5)) + 0.5 * groups[:, None]
    several = ["pca", "og", "leace_pca", "minimax_pca", ("fair_pca", {"tradeoff": [0.0, 0.05, 0.1, 0.2]})]
    drawing = fairstats.plot(fairstats.tradeoff(X, groups, several, k=3))
    figure = drawing.figure
    figure.draw_without_rendering()
    boxes = [Text.get_window_extent(text) for text in figure.axes[0].texts]  # without the line to the point
    names = [text.get_text() for text in figure.axes[0].texts]
    assert [name for name in names if name.isdigit()] == [*"123456"] and len(names) == 14
    same = {f"6: fair_pca (tradeoff={weight})" for weight in (0.05, 0.1, 0.2)}
    assert same <= {*names}  # at one point, whatever their weight
    assert "fair_pca (tradeoff=0.2)" in drawing.alt
    assert not [1 for i, one in enumerate(boxes) for other in boxes[i + 1 :] if one.overlaps(other)]


@pytest.mark.parametrize(("outcome", "even"), [(False, 0.0), (True, 0.5)])
def test_the_line_of_a_tradeoff_is_where_nothing_is_left(outcome: bool, even: float) -> None:
    rng = np.random.default_rng(3)
    groups = rng.integers(0, 2, 300)
    X = rng.normal(size=(300, 4)) + 0.5 * groups[:, None]
    y = (X[:, 0] + rng.normal(size=300) > 0).astype(int) if outcome else None
    drawing = fairstats.plot(fairstats.tradeoff(X, groups, ["pca", "og"], y=y))
    figure = drawing.figure
    better = "right and the nearer to the line of guessing" if outcome else "left and the nearer to the line of no gap"
    assert f"The further {better}" in drawing.caption
    assert figure.axes[0].lines[0].get_ydata() == pytest.approx([even, even])


def test_the_picture_of_proxies_is_that_of_the_report_and_nothing_is_cut_off_when_it_is_saved() -> None:
    rng = np.random.default_rng(0)
    sex = rng.choice(["f", "m"], 600)
    people = pd.DataFrame({f"feature_number_{i}": rng.normal(size=600) + i / 4 * (sex == "m") for i in range(5)})
    found = fairstats.proxies(people.assign(sex=sex), "sex")
    drawing = found.plot()
    axes = drawing.figure.axes[0]
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == ["all together", *(row.term for row, _ in found.features())]
    described = [f"AUC of {row.term} by itself: m against f (sex): {row.estimate:.3f}" for row, _ in found.features()]
    assert [drawing.alt.index(one) for one in described] == sorted(drawing.alt.index(one) for one in described)
    assert any(list(line.get_xdata()) == [0.5, 0.5] for line in axes.lines)
    assert drawing.caption in html.unescape(fairstats.report(found).html)
    drawing.figure.dpi = 300
    drawing.figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in (*axes.texts, *axes.get_yticklabels())]
    assert min(box.x0 for box in boxes) >= -1 and max(box.x1 for box in boxes) <= drawing.figure.bbox.x1 + 1


def test_crossed_groups_show_the_decision_where_there_is_one_and_say_what_the_rate_is() -> None:
    rng = np.random.default_rng(0)
    people = pd.DataFrame(rng.integers(0, 2, (400, 4)), columns=["hired", "able", "sex", "old"])
    audit = fairstats.audit(people, decision="hired", outcome="able", groups=["sex:old"])
    drawing = audit.plot("matrix")
    assert drawing.figure.axes[0].get_xlabel() == "Selection rate" and drawing.alt.startswith("Selection rate")
    base = audit.plot("matrix", metric="base rate")
    assert base.figure.axes[0].get_xlabel() == "Base rate"


def test_the_caption_of_crossed_groups_tells_of_numbers_only_where_they_are_drawn() -> None:
    rng = np.random.default_rng(0)
    people = pd.DataFrame(rng.integers(0, 2, (400, 3)), columns=["hired", "sex", "old"])
    audit = fairstats.audit(people, decision="hired", groups=["sex:old"])
    for inches, numbers in ((3.3, False), (4.5, False), (7.1, True)):
        axes = Figure(figsize=(inches, 3)).subplots()
        caption = audit.plot("matrix", ax=axes).caption
        drawn = any(" · n = " in text.get_text() for text in axes.texts)
        assert drawn == ("With n and the difference" in caption) == ("adjusted for 3" in caption) == numbers, inches


def test_the_forest_of_several_attributes_begins_with_the_first() -> None:
    rng = np.random.default_rng(0)
    people = pd.DataFrame(rng.integers(0, 2, (400, 3)), columns=["hired", "sex", "old"])
    audit = fairstats.audit(people, "hired", ["sex", "old"])
    drawing = audit.plot("forest")
    assert drawing.caption.startswith("Selection rate by sex") and "old, sex:old (attribute=)" in drawing.hint
    for attribute, count in (("sex", 1), ("old", 1), ("sex:old", 3)):
        axes = audit.plot("forest", attribute=attribute).figure.axes[0]
        assert len(axes.get_yticks()) == count
    assert "forest" not in fairstats.audit(people, "hired", "sex").plots


def test_a_caption_counts_the_points_that_are_filled_and_the_default_is_one_rate() -> None:
    size, outcome, chosen = 400, (0.5, 0.3, 0.48), (0.5, 0.47, 0.2)
    people = pd.DataFrame({"race": np.repeat([*"abc"], size), "sex": [*"fm"] * (3 * size // 2)})
    people["y"] = np.concatenate([np.arange(size) < share * size for share in outcome]).astype(int)
    people["d"] = np.concatenate([np.arange(size)[::-1] < share * size for share in chosen]).astype(int)
    audit = fairstats.audit(people, "d", ["race", "sex"], outcome="y")

    def filled(drawing, panel: int) -> int:
        points = [line for line in drawing.figure.axes[panel].lines if line.get_marker() == "o"]
        return sum(line.get_markerfacecolor() != "white" for line in points)

    for metric in ("base rate", "selection rate"):
        rows = audit.tidy(metric=metric, attribute="race", contrast="difference", role="main")
        apart = int(((rows.conf_low > 0) | (rows.conf_high < 0)).sum())
        assert apart == 1
        forest = audit.plot("forest", metric=metric, attribute="race")
        assert filled(forest, 0) == apart and f": {apart} of 2 differences are beyond chance" in forest.caption
        differences = audit.plot("differences", metric=metric, attribute="race")
        assert f"{apart} of 2 intervals exclude equality" in differences.caption
        assert filled(audit.plot("rates", metric=metric, attribute="race"), 0) == apart
    for kind in ("rates", "differences", "forest"):
        drawing = audit.plot(kind)
        assert drawing.caption.startswith("Selection rate") and "by race" in drawing.caption
        assert "Other attributes: sex, race:sex (attribute=)" in drawing._repr_html_(), kind
        assert "Other attributes" not in audit.plot(kind, attribute="race")._repr_html_()


def test_figures_of_every_rate_have_the_groups_in_the_order_of_the_people() -> None:
    """Group a has most people, b most of those with the outcome: side by side each line is of one group."""
    people = pd.DataFrame(
        [("a", 0, i % 2) for i in range(60)]
        + [("b", 1, int(i % 3 == 0)) for i in range(40)]
        + [("a", 1, i % 2) for i in range(20)],
        columns=["g", "y", "d"],
    )
    audit = fairstats.audit(people, "d", "g", outcome="y")
    names = [
        [label.get_text().split()[0] for label in audit.plot("rates", metric=metric).figure.axes[0].get_yticklabels()]
        for metric in ("selection rate", "TPR", "FPR", "PPV")
    ]
    assert names == [["a", "b"]] * 4
    ages = pd.DataFrame({"age": pd.Categorical(["old"] * 60 + ["young"] * 40, ["young", "old"], ordered=True)})
    ordered = fairstats.audit(ages.assign(d=[0, 1] * 50), "d", "age")
    texts = [label.get_text().split()[0] for label in ordered.plot("rates").figure.axes[0].get_yticklabels()]
    assert texts == [row.group for row in ordered.cells] == fairstats.table(ordered).to_frame()["group"].tolist()
