"""Every figure that the package draws is a kind of `plot`, and every kind of every result draws."""

from __future__ import annotations

import gettext
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from matplotlib.figure import Figure

import fairstats
from fairstats.errors import InputError
from fairstats.estimates import Figure as Kinds
from fairstats.estimates import Worded
from fairstats.language import Language
from fairstats.reporting import figures, plot
from fairstats.reporting.figures import style
from fairstats.reporting.plot import FIGURES, offered
from tests.results import classes, results


def test_there_is_a_result_of_every_class() -> None:
    members = {type(result) for result in results().values()}
    assert members == {c for c in classes() if c.__module__.startswith("fair") and c is not Worded}


def drawings_of_files() -> Iterator[str]:
    """The files of figures that have a function which returns a drawing."""
    for file in sorted(Path(figures.__path__[0]).glob("*.py")):
        module = importlib.import_module(f"fairstats.reporting.figures.{file.stem}")
        current = (f for _, f in inspect.getmembers(module, inspect.isfunction) if f.__module__ == module.__name__)
        items = [f for f in current if "Drawing" in str(f.__annotations__.get("return", "")) and f.__name__[0] != "_"]
        if items and file.stem not in ("style", "interval_mark"):  # a mark in a cell
            yield file.stem


def test_every_kind_of_every_result_is_drawn_and_every_figure_is_a_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    reached, draw = set(), style.draw

    def noted(*given, **more):
        reached.add(sys._getframe(1).f_globals["__name__"].rpartition(".")[2])
        return draw(*given, **more)

    monkeypatch.setattr(style, "draw", noted)
    drawn = set()
    people = fairstats.arrests().head(500)
    amounts = fairstats.audit(people, amount="checks", groups="colour", unit="checks")
    classes = fairstats.audit(people.assign(step=lambda t: t["checks"].clip(upper=2)), "step", "colour")
    watched = fairstats.monitor(people, "released", "colour", period="year", favorable="Yes")
    chances = people.assign(p=people["checks"] / 8, q=1 - people["checks"] / 8)
    bounded = fairstats.group_probabilities(chances, "released", {"Black": "p", "White": "q"}, favorable="Yes")
    others = {"audit of amounts": amounts, "audit of classes": classes, "monitor": watched, "bounds": bounded}
    for name, result in {**results(), **others}.items():
        assert result.plots, name
        for kind in result.plots:
            drawing = result.plot(kind)
            assert drawing.svg.startswith("<svg"), (name, kind)
            assert drawing.caption.endswith((".", ")")) and drawing.alt, (name, kind)
            drawn.add(kind)
    table = fairstats.sog_path(["age", "checks"], "colour", 1, ts=[1.0, 1.2], data=people)
    assert fairstats.plot(table).svg == fairstats.plot(table, "path").svg
    assert drawn | {"path"} == set(get_args(Kinds)) == {kind.name for kind in FIGURES} | {"path"}
    assert reached == set(drawings_of_files())


# letters of the data of these results, and names of methods: what no language changes
OF_DATA = re.compile(
    "Black|White|[Cc]olour|Male|Female|sex|checks|score|released|Yes|age|employed|group|step|more|pca|logistic|term|"
    "attribute"
)


class Crossed(gettext.NullTranslations):
    """A language in which every letter of a message is crossed out: what can be read is of the data, or English."""

    def gettext(self, message: str) -> str:
        return re.sub(
            r"(\{\w+\})|[A-Za-z]", lambda found: found[1] or "\N{LATIN CAPITAL LETTER O WITH STROKE}", message
        )

    def ngettext(self, one: str, many: str, n: int) -> str:
        return self.gettext(one if n == 1 else many)


def test_no_word_of_a_figure_stays_english_in_another_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plot, "known_language", lambda code: Language(code, Crossed()))
    people = fairstats.arrests().head(500)
    amounts = fairstats.audit(people, amount="checks", groups="colour", unit="checks", strata="sex")
    step = people.assign(step=people["checks"].clip(upper=2))
    others = {"audit of amounts": amounts, "audit of classes": fairstats.audit(step, "step", "colour")}
    others["path"] = fairstats.sog_path(["age", "checks"], "colour", 1, ts=[1.0, 1.2], data=people)
    for name, result in {**results(), **others}.items():
        for kind in getattr(result, "plots", ["path"]):
            drawing = fairstats.plot(result, kind, language="de")
            shown = re.findall(r">([^<>]+)</text>", drawing.svg)
            whole = " ".join([drawing.caption, drawing.alt, drawing.hint, *shown])
            english = [word for word in re.findall("[A-Za-z][a-z]{2,}", whole) if not OF_DATA.fullmatch(word)]
            assert shown and not english, (name, kind, english)


def test_a_figure_is_german_in_axes_too() -> None:
    audit = results()["audit within strata"]
    drawing = audit.plot("differences", language="de")
    assert drawing.caption == (
        "Auswahlrate, Differenzen (nach checks innerhalb von sex): 4 von 7 Intervallen schließen Gleichheit aus. Grau: "
        "roh, nicht für sex adjustiert. Intervalle: 95\N{NO-BREAK SPACE}%, adjustiert für 8 Vergleiche "
        "(je 99,38\N{NO-BREAK SPACE}%)."
    )
    sheet = Figure(figsize=(7, 4), layout="constrained")
    drawing = audit.plot("rates", language="de", ax=sheet.add_subplot())
    texts = [text.get_text() for text in sheet.axes[0].texts]
    assert sheet.axes[0].get_xlabel() == "Auswahlrate, %" and "90,5 (87,5 bis 92,9)" in texts
    assert drawing.figure.axes[0].get_xlabel() == "Auswahlrate, %"  # made later, outside of the call
    with pytest.raises(InputError, match="language has 'fr'"):
        audit.plot(language="fr")


def test_metric_attribute_and_term_choose_among_the_figures_of_a_kind() -> None:
    audit = results()["audit of scores"]
    drawing = audit.plot("differences", metric="TPR", attribute="sex")
    assert "True positive rate" in drawing.alt and "Men" in drawing.alt and "White" not in drawing.alt
    assert audit.plot(metric="TPR").svg == audit.plot("rates", metric="TPR", attribute="colour").svg
    assert "sex" not in audit.plot("roc", attribute="colour").alt and "Men" in audit.plot("roc", attribute="sex").alt
    comparison = results()["comparison"]
    terms = [choice.term for kind, choices in offered(comparison).items() if kind.name == "ecdf" for choice in choices]
    assert len(terms) > 1 and len({comparison.plot("ecdf", term=term).svg for term in terms}) == len(terms)
    kept = results()["held out"]
    assert kept.plot().svg == kept.plot(term="component 1").svg != kept.plot(term="component 2").svg


def test_a_rate_is_filled_as_its_difference_is_and_the_caption_has_the_key() -> None:
    rng = np.random.default_rng(1)
    group = rng.integers(0, 2, 400)
    x = rng.normal(size=(400, 2)) + 2 * group[:, None]
    data = {"g": np.array(["a", "b"])[group], "x": x[:, 0], "z": x[:, 1]}
    data["y"] = (x.sum(axis=1) + rng.logistic(size=400) > 2).astype(int)
    comparison = fairstats.compare(data, outcome="y", groups="g", features=["x", "z"], n_repeats=5, progress=False)
    drawn = []
    for term in comparison.terms:
        drawing = comparison.plot("rates", metric="positive rate", term=term.name)
        key = "Filled points: the interval of the difference from b (95%, by itself) leaves 0 out."
        assert drawing.caption.endswith(key.replace("from b", f"from {comparison.references['g']}"))
        about = {"metric": "positive rate", "attribute": "g", "contrast": "difference"}
        gap = comparison.estimates.only(role="main", **about, **comparison.of(term))[0]
        points = [line for line in drawing.figure.axes[0].lines if line.get_marker() == "o"]
        drawn.append([line.get_markerfacecolor() != "white" for line in points])
        assert drawn[-1] == [gap.conf_low > 0 or gap.conf_high < 0]
    assert drawn == [[True], [False]]
    assert comparison.plot("differences").caption.endswith("Filled points: the interval (95%, by itself) leaves 0 out.")
    assert comparison.plot("rates").hint == "Other methods: og · logistic (term=)."


def test_differences_of_a_comparison_are_filled_by_the_limits_that_its_table_has() -> None:
    rng = np.random.default_rng(5)
    group = rng.choice(["a", "b", "c"], 900, p=[0.5, 0.3, 0.2])
    x = rng.normal(size=900) + 0.5 * (group == "b")
    data = {"g": group, "x": x, "z": rng.normal(size=900)}
    data["y"] = (x + rng.logistic(size=900) > 0).astype(int)
    methods = ["none", "og", "leace"]
    comparison = fairstats.compare(
        data, outcome="y", groups="g", features=["x", "z"], methods=methods, n_repeats=5, progress=False
    )
    opened = 0
    for metric in ("positive rate", "TPR", "FPR", "accuracy"):
        gaps = [
            r
            for r in comparison.estimates.only(metric=metric, contrast="difference", role="main")
            if r.reference and not r.versus
        ]
        drawing = comparison.plot("differences", metric=metric)
        assert drawing.caption.endswith("Filled points: the interval (95%, adjusted) leaves 0 out.")
        dots = [line for line in drawing.figure.axes[0].lines if line.get_marker() == "o"]
        filled = [dot.get_markerfacecolor() != "white" for dot in dots][: len(gaps)]
        # Bonferroni over the two groups of one method, of p-values that no interval was made from
        assert filled == [2 * r.p_value < 0.05 for r in gaps]
        opened += sum(0.025 <= r.p_value < 0.05 for r in gaps)
        ours = fairstats.table(comparison, "differences", metric=metric).shown.rows
        assert all(f"interval {row[4]}." in drawing.alt for row in ours[: len(gaps)])
    assert opened
    changes = comparison.plot("changes", metric="accuracy")
    assert "(95%, adjusted)" in changes.caption
    rows = fairstats.table(comparison, "differences", metric="accuracy").shown.rows
    every = [row[4] for row in rows if row[2] == "everybody"]
    assert len(every) == 2 and all(f"interval {interval}." in changes.alt for interval in every)


def test_the_errors_of_an_audit_have_the_level_of_their_intervals_in_the_caption() -> None:
    rng = np.random.default_rng(5)
    data = {"g": rng.choice(["a", "b", "c"], 600), "d": rng.integers(0, 2, 600), "y": rng.integers(0, 2, 600)}
    for p_adjust, key in (("bonferroni", "95%, adjusted for 2 comparisons (97.5% each)."), ("none", "Intervals: 95%.")):
        audit = fairstats.audit(data, "d", "g", outcome="y", p_adjust=p_adjust)
        assert audit.plot("errors").caption.endswith(key)


def test_the_errors_of_two_groups_are_drawn_as_those_of_several() -> None:
    counts = {("f", 1, 1): 40, ("f", 1, 0): 20, ("f", 0, 1): 15, ("f", 0, 0): 60}
    counts |= {("m", 1, 1): 70, ("m", 1, 0): 10, ("m", 0, 1): 30, ("m", 0, 0): 40}
    people = zip(*(key for key, n in counts.items() for _ in range(n)), strict=True)
    data = {name: list(values) for name, values in zip(("g", "y", "d"), people, strict=True)}
    audit = fairstats.audit(data, "d", "g", outcome="y", reference="m")
    points = f"{100 * (15 / 75 - 30 / 70):.1f}".replace("-", "−")
    assert f"False positive rate, difference: f against m (g): {points} points" in audit.plot("errors").alt


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"kind": "rok"}, "kind has 'rok'; the choices are .*; did you mean 'roc'"),
        ({"kind": "scree"}, "kind has 'scree'; the choices are rates, differences"),
        ({"metric": "TRP"}, "metric has 'TRP'; there are figures of .*; did you mean 'TPR'"),
        ({"kind": "roc", "metric": "TPR"}, "metric has 'TPR'; the figure of kind 'roc' has no metric to choose"),
        ({"attribute": "Sex"}, "attribute has 'Sex'; there are figures of .*; did you mean 'sex'"),
        ({"term": "og"}, "term has 'og'; the figure of kind 'rates' has no term to choose; leave it out"),
    ],
)
def test_what_is_not_there_is_named_with_the_nearest(arguments: dict[str, str], text: str) -> None:
    with pytest.raises(InputError, match=text):
        results()["audit of scores"].plot(**arguments)


def test_results_with_nothing_to_draw_say_so() -> None:
    empty = fairstats.Estimates([])
    assert empty.plots == ()
    with pytest.raises(InputError, match="result has a value of type Estimates, of which there is nothing to draw"):
        empty.plot()


def test_a_figure_of_differences_names_the_level_that_its_sentence_and_table_name() -> None:
    people = {"g": ["a", "b"] * 150, "h": [*"uvvwww"] * 50, "d": [0, 1, 1, 1] * 75}

    def of(**options: Any) -> fairstats.Audit:
        return fairstats.audit(people, "d", ["g", "h"], **options)

    result = of()  # one comparison by g and two by h
    for kind in ("differences", "ratios"):
        drawn, table = result.plot(kind, attribute="h"), fairstats.table(result, kind, attribute="h")
        assert drawn.caption.endswith("Intervals: 95%, adjusted for 3 comparisons (98.33% each).")
        assert any(name.startswith("95% CI, adjusted") for name in table.to_frame().columns)
    assert result.plot("claims").caption.endswith(
        "Intervals: 95%, adjusted for 3 to 4 comparisons (98.33% and 98.75% each)."
    )  # five combinations
    assert result.plot("rates").caption.endswith("Intervals: 95%.")
    equal = of(margin={"difference": 0.9})
    assert equal.plot("differences", attribute="h").caption.endswith(
        "Intervals of gaps within the margin: 90%, adjusted for 3 comparisons (96.67% each)."
    )
    assert of(p_adjust="none").plot("differences").caption.endswith("Intervals: 95%.")


def test_the_line_of_a_gap_within_the_margin_is_the_interval_printed_beside_it() -> None:
    people = {"g": ["a"] * 1500 + ["b"] * 1500 + ["c"] * 1500, "d": [1] * 750 + [0] * 750 + [1, 0] * 750 + [1] * 1500}
    result = fairstats.audit(people, "d", "g", margin=0.06)
    drawn = result.plot("differences")
    axes = drawn.figure.axes[0]
    rows = list(result.estimates.only(metric="selection rate", contrast="difference", role="main"))
    assert {row.verdict for row in rows} == {"equivalence shown", "disparity shown"}
    lines = [line.get_xdata() for line in axes.lines if len(line.get_xdata()) == 2 and len(set(line.get_ydata())) == 1]
    printed = [text.get_text() for text in axes.texts if "(" in text.get_text()]
    for row, ends, text in zip(rows, lines, printed, strict=True):
        equal = row.verdict == "equivalence shown"
        low, high = (row.margin_low, row.margin_high) if equal else (row.conf_low, row.conf_high)
        assert list(ends) == pytest.approx([100 * low, 100 * high])
        assert f"{ends[0]:.1f} to {ends[1]:.1f})" in text.replace("\N{MINUS SIGN}", "-")
        assert ("95%: " in text) == equal
    assert drawn.caption.endswith(
        "Intervals: 95%, adjusted for 2 comparisons (97.5% each). "
        "Intervals of gaps within the margin: 90%, adjusted for 2 comparisons (95% each)."
    )


def test_methods_keep_their_names_and_labels_of_them_are_refused_everywhere() -> None:
    given = {"methods": {"none": "Unadjusted", "og": "OG"}}
    for name in ("comparison", "tradeoff"):
        for function in (fairstats.table, fairstats.plot, fairstats.report):
            with pytest.raises(InputError, match="labels has 'methods'; methods and models have the same names in all"):
                function(results()[name], labels=given)
