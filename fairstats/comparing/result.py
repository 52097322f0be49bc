"""The result of ``compare()``: what each method costs and what it changes between groups, on held-out people."""

from __future__ import annotations

import itertools
import math
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from scipy.special import stdtrit

from fairstats import metrics
from fairstats.comparing.metrics import CERTAIN, DISCREPANCY, EXPLAINED, ODDS, OUTCOMES, PARITY, SECONDS, SELECTIONS
from fairstats.comparing.splits import BROKEN
from fairstats.document import Block, Bullets, Definitions, Heading, Paragraph, Table, Text, Title, as_text
from fairstats.errors import snippet, visible
from fairstats.estimates import NAN, Estimate, Estimates, Reads, Role
from fairstats.inference.verdicts import comparisons_of
from fairstats.language import DataText, joined, mark, message, say, says, translated
from fairstats.provenance import Curve, DataSource, FlowStep, Provenance, group_matrix
from fairstats.text import capital, count, difference_in_points, json_plain, level, listed, number, p_value, percent
from fairstats.validation import answering, flag, instance

if TYPE_CHECKING:
    import pandas as pd


SCHEMA = "fairstats/comparison/1"


@dataclass(frozen=True)
class Term:
    """One method with one model; `problems` counts the splits in which something went wrong, by what."""

    name: str  # "og · logistic", or "og, k = 2 · logistic" among several k
    method: str
    model: str
    variant: str = ""  # the method, with its k among several
    k: int = 0  # components; 0 where the method has none
    baseline: int = 0  # which term it is compared with
    scale: str = "probability"  # of its scores: or "decision function", "prediction"
    threshold: float = 0.5  # on that scale
    splits: int = 1
    problems: dict[str, int] = field(default_factory=dict)
    versus: str = ""  # of a difference: the baseline's method

    @property
    def caution(self) -> str:
        """The problems in words, for the rows that rest on them."""
        return joined(
            message("in {k} of {n} splits {text}", k=count, n=self.splits, text=what)
            for what, count in self.problems.items()
        )


@dataclass(frozen=True)
class ScoreCurve(Curve):
    """A curve of one term: the distribution of held-out scores of a group (`group` is "" for everybody)."""

    term: str = ""


@dataclass(frozen=True)
class ComparisonProtocol:
    """What was compared, and how."""

    outcome: str
    groups: tuple[str, ...]
    features: str  # the formula, or the names
    n_features: int
    methods: tuple[str, ...]
    models: tuple[str, ...]
    k: tuple[int, ...]
    scale: bool
    n_repeats: int
    test_size: float
    n_train: int
    n_test: int
    positive: str
    favorable: str  # "" where no prediction was said to help: then "positive rate" stands for "selection rate"
    threshold: float
    conf_level: float
    missing: str
    seed: int
    p_adjust: str = "holm"
    given: bool = False  # the splits came from the caller
    train_on: str = "training"  # or "measured": the rows that it is measured on
    representation: bool = False


@dataclass(frozen=True)
class SplitValues:
    """One metric of one term and group in every split."""

    term: str
    metric: str
    attribute: str
    group: str
    n: float
    values: tuple[float, ...]


@dataclass(frozen=True, repr=False)
class Comparison(Reads):
    """Methods × models × groups on held-out people: print it, ``tidy()`` it, ``fairstats.report`` it.

    Attributes
    ----------
    protocol : ComparisonProtocol
    terms : tuple of Term
        Methods × models in the order given; the first method is what the others are compared with.
    references : dict
        Attribute → the group that the others are compared with (the largest).
    estimates : Estimates
        `fit`, `model` and `k` say which term: the method, the model, the components.
        ``contrast="none"``: a metric of one term in a group (`group`; "" is everybody).
        ``contrast="difference"`` with `reference`: the group less its reference, within a term.
        The limits of each row of role main have their level by themselves, as `p_value` has; `p_adjusted` has not.
        With `versus`: the method less that one; with `reference` also, it is the change of the gap between groups.
        "P(X>Y)" and "Kolmogorov-Smirnov distance" compare the held-out scores of a group with its reference's.
    shares : Estimates
        The joint shares of Table 2 of Aliverti et al.; not rates, and kept apart for that reason.
    curves : tuple of ScoreCurve
    splits : tuple of SplitValues
    """

    protocol: ComparisonProtocol
    terms: tuple[Term, ...]
    references: dict[str, str]
    flow: tuple[FlowStep, ...]
    estimates: Estimates
    shares: Estimates
    curves: tuple[ScoreCurve, ...]
    splits: tuple[SplitValues, ...]
    data: DataSource
    provenance: Provenance
    notes: tuple[str, ...] = ()

    @answering
    def summary(self) -> str:
        """The comparison as text, at most 80 columns wide."""
        return as_text(content(self))

    def __str__(self) -> str:
        return printed(self)

    def finding(self) -> str:
        """The gap between groups and the AUC of every method, in a sentence or two."""

        return Text(visible(" ".join(finding(self).split())))

    def joint_shares(self) -> Estimates:
        """The rows of Table 2 of Aliverti et al. (2021) under their names.

        They are shares of everybody in a group that sum to 1, "positive" meaning the outcome that is *not* predicted:
        TPR is the share with neither outcome nor prediction, TNR with both, FNR with the prediction alone, FPR with
        the outcome alone. The conditional rates are in ``estimates``.
        """
        return self.shares

    def splits_frame(self) -> pd.DataFrame:
        """One row a split, term, metric and group: the values behind the means."""
        import pandas as pd

        rows = [
            (i + 1, s.term, s.metric, s.attribute, s.group, s.n, value)
            for s in self.splits
            for i, value in enumerate(s.values)
        ]
        return pd.DataFrame(rows, columns=["split", "term", "metric", "attribute", "group", "n", "estimate"])

    def by_group(self, attribute: str = "") -> pd.DataFrame:
        """Every metric of every group under each method, as a frame with a line a method and group.

        Parameters
        ----------
        attribute : str
            Which of the attributes; the first by default.

        Returns
        -------
        pandas.DataFrame
            The index is the method with its model, and the group; NaN where there is no estimate.
        """
        return group_matrix(self.estimates, dict.fromkeys(self.references, ()), attribute, self.label)

    def glance(self) -> pd.DataFrame:
        """One row: people, splits, methods, models, groups, and splits with problems."""
        import pandas as pd

        p = self.protocol
        row: dict[str, Any] = {"rows": p.n_train + p.n_test, "n_train": p.n_train, "n_test": p.n_test}
        ks = ", ".join(map(str, p.k))
        row |= {"features": p.n_features, "methods": len(p.methods), "models": len(p.models), "k": ks}
        row |= {"attributes": len(p.groups), "n_repeats": p.n_repeats, "estimates": len(self.estimates)}
        row["problems"] = sum(max(t.problems.values(), default=0) for t in self.terms)
        return pd.DataFrame([{**row, "conf_level": p.conf_level, "seed": p.seed}])

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-ready (schema ``fairstats/comparison/1``): absent numbers are None."""
        return {
            "schema": SCHEMA,
            "finding": self.finding(),
            "protocol": json_plain(asdict(self.protocol)),
            "terms": [json_plain(asdict(term)) for term in self.terms],
            "data": json_plain(self.data.to_dict()),
            "flow": [json_plain(asdict(step)) for step in self.flow],
            "references": dict(self.references),
            "estimates": self.estimates.to_records(),
            "joint_shares": self.shares.to_records(),
            "curves": [json_plain(asdict(curve)) for curve in self.curves],
            "splits": [json_plain(asdict(values)) for values in self.splits],
            "notes": list(self.notes),
            "provenance": json_plain(asdict(self.provenance)),
        }

    def label(self, row: Estimate) -> str:
        """The name of the term that a row is about, "og · logistic", or of a difference, "og vs none · logistic"."""
        instance("row", row, Estimate, "a row of the comparison", "pass one of its estimates")
        one, other = self._sides_of(row)
        return f"{one} vs {other}" if other else one

    def _sides_of(self, row: Estimate) -> tuple[str, str]:
        """The name of the term that a row is about, and of the one that it is compared with, "" where there is none."""
        instance("row", row, Estimate, "a row of the comparison", "pass one of its estimates")
        items = [t for t in self.terms if t.method == row.fit and float(t.k) == (0 if math.isnan(row.k) else row.k)]
        return self._sides(items[0], row) if items else (row.term, "")

    def _sides(self, term: Term, row: Estimate) -> tuple[str, str]:
        model = f" · {row.model}" if row.model else ""
        if row.versus:
            return term.variant, f"{self.terms[term.baseline].variant}{model}"
        return f"{term.variant}{model}", ""

    def of(self, term: Term, versus: bool = False) -> dict[str, Any]:
        """What `where` selects the rows of a term by, or those of its difference from its baseline."""
        instance("term", term, Term, "a term of the comparison", "pass one of its terms")
        at = self.terms[term.baseline].method if flag("versus", versus) else ""
        return {"fit": term.method, "model": term.model, "versus": at, "k": float(term.k) if term.k else NAN}

    def _brief(self) -> str:
        p = self.protocol
        tried = f"{', '.join(p.methods)} with {', '.join(p.models)}"
        return (
            f"{p.n_train + p.n_test} rows, groups {', '.join(p.groups)}; {tried}, {p.n_repeats} splits; "
            f"{self.finding()}"
        )


# The pair of groups that a comparison speaks of first, and its rows with intervals that know how it was picked.


FOCUS: Role = "headline"
UNADJUSTED = "none"  # the features as they are, among methods
FEW = 30  # held out: the finding does not rest on a smaller group


def headline_pairs(rows: Estimates, term: Term) -> list[Estimate]:
    """P(X>Y) of every pair that may be picked: those with at least 30 people, or all where there is none.

    rows: the rows of a comparison.
    term: one of its methods and models.
    """
    about = {"fit": term.method, "model": term.model, "versus": "", "k": float(term.k) if term.k else math.nan}
    items = [r for r in rows.where(metric="P(X>Y)", role="main", **about) if not math.isnan(r.estimate)]
    return [r for r in items if r.n >= FEW] or items


def furthest(pairs: Sequence[Estimate]) -> Estimate:
    """The pair whose scores are furthest apart; of equal ones the first."""
    return max(pairs, key=lambda row: abs(row.estimate - 0.5))


def comparison_headline(result: Comparison) -> tuple[Estimates, int]:
    """P(X>Y) of the pair that the first method sets furthest apart, a row a method, and of how many it was picked.

    Returns: in the order of ``result.terms``; empty where no two groups could be compared. The intervals hold for all
        pairs that could have been picked, method by method.
    """
    among = headline_pairs(result.estimates, result.terms[0])
    picked = result.estimates.where(role=FOCUS, metric="P(X>Y)")
    if not among or len(picked):
        return picked, len(among)
    one = furthest(among)
    like = {"metric": one.metric, "attribute": one.attribute, "group": one.group, "reference": one.reference}
    return result.estimates.where(role="main", versus="", **like), 1


def reversals(result: Comparison, first: Estimate) -> list[tuple[Term, Term, Estimate, Estimate]]:
    """Where a method turned the gap of a pair around: the first method and this one, and their rows.

    first: a row of the pair.
    Returns: of the share predicted favorable (or positive), where both intervals exclude equality, on opposite sides.
    """
    rows, items = predicted_gaps(result, first), []
    for term in result.terms[1:]:
        start = next((t for t in result.terms if t.model == term.model), term)
        old, new = rows.only(**result.of(start)), rows.only(**result.of(term))
        if old and new and (old[0].conf_low > 0 > new[0].conf_high or old[0].conf_high < 0 < new[0].conf_low):
            items.append((start, term, old[0], new[0]))
    return items


def called_term(term: Term, models: int, coded: Callable[[str], str] = str) -> str:
    """A term in a sentence, where the method "none" is no adjustment; with its model where there are several."""
    name = term.name if models > 1 else term.variant
    return say("no adjustment") + name.removeprefix(UNADJUSTED) if term.variant == UNADJUSTED else coded(name)


def holding(rows: Estimates, terms: Sequence[Term], names: dict[str, str], result: Comparison) -> list[str]:
    """With which methods the interval leaves it open whether there is a difference at all."""
    items = [
        (names[t.name], current[0])
        for t in terms
        if (current := rows.where(**result.of(t))) and current[0].conf_low == current[0].conf_low
    ]
    inside = [name for name, row in items if row.conf_low <= 0.5 <= row.conf_high]
    outside = [name for name, _ in items if name not in inside]
    if not items:
        return []
    if not inside:
        return [say("No interval holds 50: a difference is shown with each.")]
    if not outside:
        return [say("Every interval holds 50, which shows neither a difference nor that there is none.")]
    values = {"inside": listed(inside), "outside": listed(outside)}
    return [
        say(
            "A difference is shown with {outside}; with {inside} the limits include 50, which shows neither a "
            "difference nor that there is none.",
            **values,
        )
    ]


# A comparison as text: the finding, rates by group, gaps between groups, what each method costs, cautions.


MOST_GROUPS = 8
GAPS, LEVELS = metrics.shown("gaps"), metrics.shown("levels")
PAPER = message(
    "Models were trained on the rows that they are measured on, as some papers do: these are apparent rates, too good, "
    "and serve only for comparison with such tables."
)
FEW_TESTED = message("Fewer than {few} people are held out of {groups}: their rates say little.")
LOST = message("Rates that are not estimable ({groups}): {text}.")
CONSTANT = message(
    "Some rates do not vary from split to split ({groups}); they and their differences have no interval and no test, "
    "since what another sample would change in them is not known."
)
ABOUT_MODELS = message(
    "Intervals and tests are about models trained on these people and applied to others of the same population. They "
    "know that splits share people and are stratified. They cover chance in who is predicted, not in who the model was "
    "trained on: with other training data shares predicted and mean scores would vary more."
)
RECORDED = message("The outcome is taken as recorded; where its recording differs between groups, so do these rates.")
COSTS = metrics.shown("costs")


def cautions(result: Comparison, more: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the cautions that belong beside the numbers, the problems of each term first."""
    notes = [message("{term}: {text}.", term=DataText(t.name), text=t.caution) for t in result.terms if t.problems]

    def of(rows: Iterable[Estimate]) -> str:
        return joined(itertools.starmap(DataText, sorted({(r.group, r.attribute) for r in rows})), ", ")

    small = [r for r in result.estimates.where(metric="accuracy", contrast="none") if r.n < FEW]
    if small:
        notes.append(FEW_TESTED.format(few=FEW, groups=of(small)))
    lost = [r for r in result.estimates if r.status == "unestimable" and r.group]
    for reason in sorted({r.reason for r in lost}):
        notes.append(LOST.format(groups=of(r for r in lost if r.reason == reason), text=reason))
    certain = [r for r in result.estimates if r.group and says(r.reason, CERTAIN)]
    if certain:
        notes.append(CONSTANT.format(groups=of(certain)))
    notes.append(ABOUT_MODELS)
    if result.protocol.train_on == "measured":
        notes.insert(0, PAPER)
    notes.append(RECORDED)
    return (*more, *notes)


def finding(result: Comparison) -> str:
    """Return the finding: guarantees that failed, then the gap and the price of every method."""
    return " ".join(finding_paragraphs(result))


def finding_paragraphs(result: Comparison) -> list[str]:
    """The finding, the answer first, then a paragraph a point."""
    answer, more = answer_and_more(result)
    return [answer, *(text for _, text in more)]


@dataclass(frozen=True)
class Naming:
    """How sentences call methods, the groups of a column, and a label of a column."""

    method: Callable[[str], str] = str
    people: Callable[[str, str], str] = lambda attribute, group: say("the group {group}", group=group)
    value: Callable[[str, str], str] = lambda column, label: f"{column} = {label}"

    def sides(self, row: Estimate) -> dict[str, str]:
        """Both groups of a row."""
        one, other = (self.people(row.attribute, label) for label in (row.group, row.reference))
        return {"group": one, "reference": other}


def answer_and_more(result: Comparison, naming: Naming = Naming()) -> tuple[str, list[tuple[str, str]]]:
    """Return the finding in two parts: guarantees that failed and the gap; what else, each with what it is about."""
    answer, more = _summary_lines(result, naming)
    return " ".join([*_broken(result), *answer]), [(about, " ".join(lines)) for about, lines in more if lines]


def _broken(result: Comparison) -> list[str]:
    """A sentence for each guarantee that did not hold, with the most splits that one term met it in."""
    most: dict[tuple[str, str], tuple[int, int]] = {}
    for term in result.terms:
        for what, times in term.problems.items():
            if says(what, BROKEN):
                at = (term.variant or term.method, what)
                most[at] = max(most.get(at, (0, 0)), (times, term.splits))
    return [
        say("{method}: in {k} of {n} splits {what}.", method=name, k=times, n=splits, what=translated(what))
        for (name, what), (times, splits) in most.items()
    ]


def _summary_lines(result: Comparison, naming: Naming = Naming()) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """How far the groups are apart with every method; then, by what it is about, right predictions and scores."""
    first = result.terms[0]
    rows, among = comparison_headline(result)
    if not rows:
        return [say("No two groups could be compared on held-out people.")], []
    row = rows[0]
    terms = [term for term in result.terms if term.model == first.model]
    names = {t.name: called_term(t, len(result.protocol.models), naming.method) for t in terms}
    gaps = [_with(rows.where(**result.of(t))[0], names[t.name], 100) for t in terms]
    areas = result.estimates.only(metric="AUC", attribute="", contrast="none")
    prices = [_with(current[0], names[t.name], 1) for t in terms if (current := areas.only(**result.of(t)))]
    values = {**naming.sides(row), "gaps": ", ".join(gaps)}
    if result.protocol.train_on == "training":
        text = say(
            "Of 100 random pairs of people held out ({group} and {reference}) the first has "
            "the higher score in {gaps}; 50 is no difference.",
            **values,
        )
    else:
        text = say(
            "Of 100 random pairs of people ({group} and {reference}) the first has the higher "
            "score in {gaps}; 50 is no difference.",
            **values,
        )
    if among > 1 and row.conf_level == row.conf_level:
        picked = say(
            "Of {n} comparisons of two groups this one is furthest from 50 with {method}; the intervals hold for all "
            "{n} at once (Bonferroni: {level} each).",
            n=among,
            method=names[first.name],
            level=level(row.conf_level),
        )
    else:
        picked = ""
    scored = (say("Order of the scores."), [text, *holding(rows, terms, names, result), *filter(None, [picked])])
    quality = (say("Quality of the scores (AUC)."), _areas(result, prices, terms, names))
    decided, beside = _decided(result, row, terms, names, naming)
    reversed_ = _reversed(result, row, names)
    if not decided:
        return [*reversed_, *scored[1]], [quality]
    return [*reversed_, *decided], [(say("Right predictions."), beside), scored, quality]


def _decided(
    result: Comparison, pair: Estimate, terms: Sequence[Term], names: dict[str, str], naming: Naming
) -> tuple[list[str], list[str]]:
    """How far the shares predicted are apart with each method, whether that is shown; and how often it is right."""
    every = predicted_gaps(result, pair)
    rows = {names[t.name]: current[0] for t in terms if (current := every.only(**result.of(t)))}
    gaps = {name: row for name, row in rows.items() if row.status == "ok" and not math.isnan(row.conf_low)}
    if not gaps:
        return [], []
    lines = _changes(result, pair, terms, names, gaps, naming)
    if not lines:
        shown = [name for name, row in gaps.items() if row.conf_low > 0 or row.conf_high < 0]
        lines = [_each_gap(result, pair, rows, naming), _settled(shown, [name for name in gaps if name not in shown])]
    rates = result.estimates.only(metric="accuracy", attribute="", contrast="none")
    right = [_with(current[0], names[t.name], 100) for t in terms if (current := rates.only(**result.of(t)))]
    if not right:
        return lines, []
    each = say("Predictions that are right, in percent: {each}.", each=", ".join(right))
    return [*lines, *_one_for_all(result, rates, naming)], [each, *_more_or_fewer_right(result, terms, names)]


def _more_or_fewer_right(result: Comparison, terms: Sequence[Term], names: dict[str, str]) -> list[str]:
    """With which methods more or fewer predictions are shown to be right than with the first one, by how much."""
    family = result.estimates.only(metric="accuracy", attribute="", contrast="difference")
    lines, unsettled = [], []
    for term in terms[1:]:
        changes = family.only(**result.of(term, versus=True))
        if not changes or math.isnan(changes[0].conf_low):
            continue
        low, high = changed_limits(changes[0], len(family), result.protocol.conf_level)
        least, most = sorted((abs(low), abs(high)))
        values = {
            "method": names[term.name],
            "change": percent(abs(changes[0].estimate)),
            "low": percent(least),
            "high": percent(most),
        }
        if high < 0:
            lines.append(say("With {method} fewer are right, by {change} points ({low} to {high}).", **values))
        elif low > 0:
            lines.append(say("With {method} more are right, by {change} points ({low} to {high}).", **values))
        else:
            unsettled.append(values["method"])
    lines += _adjusted(lines, family)
    if unsettled:
        lines.append(say("That more or fewer are right with {methods} is not shown.", methods=listed(unsettled)))
    return lines


def _adjusted(changes: Sequence[str], family: Estimates) -> list[str]:
    """For how many comparisons the intervals of changes in sentences are adjusted; nothing of one, or without any."""
    if not changes or len(family) < 2:
        return []
    return [say("The intervals of these changes are adjusted for {n} comparisons.", n=len(family))]


def _settled(shown: list[str], unsettled: list[str]) -> str:
    """With which methods a difference is shown."""
    if not unsettled and len(shown) > 1:
        still = {"first": shown[0], "methods": listed(shown[1:])}
        return say("With {first} a difference is shown, and it is still shown with {methods}.", **still)
    if not unsettled:
        return say("A difference is shown with {methods}.", methods=shown[0])
    if not shown:
        return say("With {methods} neither a difference nor its absence is shown.", methods=listed(unsettled))
    return say(
        "A difference is shown with {shown}; with {methods} neither it nor its absence is.",
        shown=listed(shown),
        methods=listed(unsettled),
    )


def _each_gap(result: Comparison, pair: Estimate, rows: Mapping[str, Estimate], naming: Naming) -> str:
    """The difference of the shares predicted with every method, in one sentence."""
    return say(
        "The share of {group} for which {value} is predicted, less that of {reference}, is {gaps}, in percentage "
        "points.",
        **naming.sides(pair),
        value=predicted_value(result, naming),
        gaps=", ".join(_with(row, name, 100) for name, row in rows.items()),
    )


def predicted_value(result: Comparison, naming: Naming) -> str:
    """What is predicted of the people whose share the gap is of."""
    return naming.value(result.protocol.outcome, result.protocol.favorable or result.protocol.positive)


LESS_OFTEN = mark(
    "With {method} the model predicts {value} less often for {group} than for {reference}, by {gap} percentage points "
    "({interval})."
)
MORE_OFTEN = mark(
    "With {method} the model predicts {value} more often for {group} than for {reference}, by {gap} percentage points "
    "({interval})."
)
NOT_SHOWN = mark(
    "With {method} it is not shown that the model predicts {value} more or less often for {group} than for "
    "{reference}: the gap, {group} less {reference}, is {gap} percentage points ({interval})."
)
NARROWER = mark(
    "With {method} the gap narrows by {change} points ({least} to {most}); a gap of {gap} remains ({low} to {high})."
)
NARROWER_OPEN = mark(
    "With {method} the gap narrows by {change} points ({least} to {most}), to {gap} ({low} to {high}): that one "
    "remains is not shown."
)
WIDER = mark("With {method} the gap widens to {gap} ({low} to {high}), by {change} points ({least} to {most}).")
NO_CHANGE = mark("With {method} the gap is {gap} ({low} to {high}); no change of it is shown.")
ALL_WITH = {  # the gap of each method in brackets
    NARROWER: mark("It is shown to be narrower with {methods}."),
    WIDER: mark("It is shown to be wider with {methods}."),
    NO_CHANGE: mark("No change of it is shown with {methods}."),
}
MOST_SENTENCES = 3


def _changes(
    result: Comparison,
    pair: Estimate,
    terms: Sequence[Term],
    names: dict[str, str],
    gaps: Mapping[str, Estimate],
    naming: Naming,
) -> list[str]:
    """The gap with the first method and what others change in it; below 0 it is reversed.

    Returns: nothing where a gap or its change has no interval, or a method turned it around and made it larger.
    """
    first = terms[0]
    if len(gaps) < len(terms) or len(terms) < 2:
        return []
    start = gaps[names[first.name]]
    sign = 1 if start.estimate > 0 else -1
    shown = not start.conf_low <= 0 <= start.conf_high
    if shown and min(sign * row.estimate for row in gaps.values()) < -abs(start.estimate):
        return []
    sign = sign if shown else 1  # a gap that is not shown has no direction
    p, at = result.protocol, {name: _ends(row, sign) for name, row in gaps.items()}
    who = naming.sides(pair)
    begins = at[names[first.name]]
    ends = {"level": level(p.conf_level), "low": begins["low"], "high": begins["high"]}
    interval = say("{level} CI {low} to {high}", **ends)
    if (many := comparisons_of([start.conf_level], p.conf_level)) > 1:
        interval = say("{level} CI {low} to {high}, adjusted for {n} comparisons", n=many, **ends)
    about = {"method": names[first.name], "value": predicted_value(result, naming), "gap": begins["gap"]}
    text = NOT_SHOWN if not shown else MORE_OFTEN if sign > 0 else LESS_OFTEN
    lines = [say(text, interval=interval, **about, **who)]
    family = result.estimates.only(metric=SELECTIONS, contrast="difference", attribute=pair.attribute, role="main")
    family = Estimates(row for row in family if row.versus and row.reference)
    changed: dict[str, list[str]] = {NARROWER: [], WIDER: [], NO_CHANGE: []}
    for term in terms[1:]:
        changes = family.only(**result.of(term, versus=True), group=pair.group, reference=pair.reference)
        if not changes or math.isnan(changes[0].conf_low):
            return []
        values = {"method": names[term.name], **at[names[term.name]]}
        low, high = changed_limits(changes[0], len(family), p.conf_level)
        least, most = sorted((abs(low), abs(high)))
        values |= {"least": percent(least), "most": percent(most)}
        after = gaps[names[term.name]]
        change = difference_in_points(abs(changes[0].estimate), start.estimate, after.estimate)
        values["change"] = translated(change)
        larger = sign * changes[0].estimate > 0 if shown else abs(after.estimate) > abs(start.estimate)
        kind = NO_CHANGE if low <= 0 <= high else WIDER if larger else NARROWER
        changed[kind].append(say("{method} ({gap})", method=values["method"], gap=values["gap"]))
        open_after = kind is NARROWER and after.conf_low <= 0 <= after.conf_high
        lines.append(say(NARROWER_OPEN if open_after else kind, **values))
    if len(terms) <= MOST_SENTENCES:
        return [*lines, *_adjusted([*changed[NARROWER], *changed[WIDER]], family)]
    return [lines[0], *(say(ALL_WITH[kind], methods=listed(each)) for kind, each in changed.items() if each)]


def _ends(row: Estimate, sign: int) -> dict[str, str]:
    """A gap and its limits in the direction of the first method's."""
    low, high = sorted(sign * end for end in possible(row, row.conf_low, row.conf_high))
    return {"gap": percent(sign * row.estimate), "low": percent(low), "high": percent(high)}


def changed_limits(row: Estimate, family: int, conf_level: float) -> tuple[float, float]:
    """The limits of a change that hold for all changes of its family at once (Bonferroni)."""
    half = float(stdtrit(row.df, 1 - (1 - conf_level) / (2 * family))) * row.std_error
    return possible(row, row.estimate - half, row.estimate + half)


def possible(row: Estimate, low: float, high: float) -> tuple[float, float]:
    """Limits cut where the number cannot be: those of few splits may lie beyond.

    >>> possible(Estimate("positive rate", contrast="difference", group="b", reference="a"), -1.4, 0.2)
    (-1.0, 0.2)
    """
    least, most = metrics.METRICS[row.metric].range if row.metric in metrics.METRICS else (-math.inf, math.inf)
    if row.contrast != "none":
        width = (most - least) * (2 if row.versus and row.reference else 1)  # a change of a difference
        least, most = -width, width
    return max(low, least), min(high, most)


def families(rows: Iterable[Estimate]) -> Mapping[tuple[Any, ...], int]:
    """How many comparisons the intervals of the finding and of reports hold for together."""
    return Counter(family_of(row) for row in rows if not math.isnan(row.p_value))


def family_of(row: Estimate) -> tuple[Any, ...]:
    """What these comparisons have in common: of groups a rate and a method, of methods a rate and an attribute."""
    if row.versus:
        return row.metric, row.attribute, bool(row.reference)
    return row.metric, row.fit, row.model, str(row.k)


def _one_for_all(result: Comparison, rates: Estimates, naming: Naming) -> list[str]:
    """How often one prediction for everybody would be right, where no method does better."""
    positive = result.shares.only(metric=OUTCOMES, attribute="", **result.of(result.terms[0]))
    share = sum(row.estimate for row in positive)
    best = max(share, 1 - share)
    if len(positive) < len(OUTCOMES) or any(row.estimate >= best for row in rates):
        return []
    p, right = result.protocol, sorted(row.estimate for row in rates)
    low, high = percent(right[0]), percent(right[-1])
    values = {"share": percent(best), "right": high if low == high else say("{low} to {high}", low=low, high=high)}
    values["value"] = naming.value(p.outcome, p.positive)
    if all(row.conf_high < best for row in rates):
        to_all = mark(
            "Every model is right less often ({right}% of people) than the answer {value} for everybody ({share}%)."
        )
        to_none = mark(
            "Every model is right less often ({right}% of people) than the answer {value} for nobody ({share}%)."
        )
        return [say(to_all if share == best else to_none, **values)]
    return [
        say(
            "To predict the same for everybody would be right for {share}% of people; the best method is right for "
            "{high}%.",
            share=values["share"],
            high=high,
        )
    ]


def predicted_gaps(result: Comparison, pair: Estimate) -> Estimates:
    """The gaps of a pair in the share predicted favorable (or positive), with the intervals of the finding."""
    about = {"attribute": pair.attribute, "group": pair.group, "reference": pair.reference, "versus": ""}
    every = result.estimates.only(metric=SELECTIONS, contrast="difference", **about)
    return every.only(role=FOCUS) or every.only(role="main")


def _reversed(result: Comparison, row: Estimate, names: dict[str, str]) -> list[str]:
    """A sentence on every method with which the gap runs the other way."""
    higher = mark(
        "With {method} the gap is reversed: the {rate} of {group} is now higher than that of {reference}, by {new} "
        "percentage points ({low} to {high}); with {first} it was {old} lower."
    )
    lower = mark(
        "With {method} the gap is reversed: the {rate} of {group} is now lower than that of {reference}, by {new} "
        "percentage points ({low} to {high}); with {first} it was {old} higher."
    )
    lines = []
    for start, term, before, after in reversals(result, row):
        low, high = sorted((abs(after.conf_low), abs(after.conf_high)))
        lines.append(
            say(
                higher if after.estimate > 0 else lower,
                method=names.get(term.name, term.name),
                rate=metrics.in_text(after.metric),
                group=row.group,
                reference=row.reference,
                first=names[start.name],
                old=percent(abs(before.estimate)),
                new=percent(abs(after.estimate)),
                low=percent(low),
                high=percent(high),
            )
        )
    return lines


def _areas(result: Comparison, prices: Sequence[str], terms: Sequence[Term], names: dict[str, str]) -> list[str]:
    """The AUC of every method, and which methods are shown to lower or raise it, by how much."""
    if not prices:
        return []
    lines = [f"AUC: {', '.join(prices)}."]
    family = result.estimates.only(metric="AUC", attribute="", contrast="difference")
    for term in terms[1:]:
        changes = family.only(**result.of(term, versus=True))
        if not changes or math.isnan(changes[0].conf_low):
            continue
        low, high = changed_limits(changes[0], len(family), result.protocol.conf_level)
        begun = str if names[term.name] in (term.name, term.variant) else capital  # a code keeps its case
        values = {"method": names[term.name], "change": number(abs(changes[0].estimate), 3)}
        least, most = sorted((abs(low), abs(high)))
        values |= {"low": number(least, 3), "high": number(most, 3)}
        if high < 0:
            lines.append(begun(say("{method} lowers AUC by {change} ({low} to {high}).", **values)))
        elif low > 0:
            lines.append(begun(say("{method} raises AUC by {change} ({low} to {high}).", **values)))
    return [*lines, *_adjusted(lines[1:], family)]


def _with(row: Estimate, name: str, times: int) -> str:
    """The number of one method, with its interval."""
    digits = 1 if times == 100 else 3
    if math.isnan(row.estimate):
        return say("not estimable with {method}", method=name)
    value = number(times * row.estimate, digits)
    if math.isnan(row.conf_low):
        return say("{value} with {method}", value=value, method=name)
    low, high = possible(row, row.conf_low, row.conf_high)
    ends = {"low": number(times * low, digits), "high": number(times * high, digits)}
    return say("{value} with {method} ({interval})", value=value, method=name, interval=say("{low} to {high}", **ends))


# What a comparison says, as blocks; a notebook shows a selection (`fairstats.reporting.display`).


def content(result: Comparison) -> Iterator[Block]:
    """The finding, what was compared, the tables of levels and of gaps, and cautions."""
    yield _title(result)
    yield Paragraph(" ".join(finding(result).split()), "finding")
    yield Definitions(_protocol(result))
    yield Paragraph(_columns(result))
    for attribute in ("", *result.references):
        yield _levels(result, attribute)
    for attribute, reference in result.references.items():
        yield from _gaps(result, attribute, reference)
    yield from _costs(result)
    yield from _parity(result)
    yield from _representation(result)
    yield Title(2, "Cautions")
    yield Bullets(tuple(result.notes))


MOST_LINES = 20  # that a table of several models may add to them
PRINTED = 25  # lines of print(comparison), as of print(audit)


def printed(result: Comparison) -> str:
    """The text of ``print(comparison)``: the finding, and the tables of levels for which there is room."""
    text = as_text([_title(result), Paragraph(result.finding(), "finding")]).splitlines()
    many = {0: "No caution", 1: "1 caution"}.get(len(result.notes), f"{len(result.notes)} cautions")
    last = f"{many}; {snippet('summary() has all numbers')}."
    models = result.protocol.models
    if len(models) > 1:
        last = f"The sentences are about {models[0]}, the first of {len(models)} models. {last}"
    if len(text) > PRINTED - 2:
        text, last = text[: PRINTED - 2], f"… {snippet('finding() has the whole answer')}. {last}"
    # of several models the sentences have one, and the table all
    room = PRINTED - 2 + (min(len(result.terms), MOST_LINES) if len(models) > 1 else 0)
    for attribute in ("", *result.references):
        table = as_text([_levels(result, attribute)]).splitlines()
        if len(text) + 1 + len(table) <= room:
            text += ["", *table]
    return "\n".join([*text, "", *textwrap.wrap(last, 80)])


def _title(result: Comparison) -> Title:
    methods, models = len(result.protocol.methods), len(result.protocol.models)
    many = f"{methods} method{'s' * (methods != 1)}" + (f" and {models} models" if models > 1 else "")
    return Title(1, f"Comparison of {many} on {result.data.name}")


def _protocol(result: Comparison) -> tuple[tuple[str, str], ...]:
    p = result.protocol
    helps = f", {p.favorable} helps" if p.favorable else ""
    components = f"; {', '.join(map(str, p.k))} components where a method has them" if p.k else ""
    sampled = "as given" if p.given else "by group and outcome"
    people = f"{count(p.n_train)} people trained on and {count(p.n_test)} held out"
    return (
        ("Outcome", f"{p.outcome} = {p.positive}{helps}"),
        ("Groups", "; ".join(f"{a} (reference {r})" for a, r in result.references.items())),
        ("Features", f"{p.n_features} columns{' (standardized)' if p.scale else ''}: {p.features}"),
        ("Methods", f"{', '.join(p.methods)}{components}"),
        ("Models", ", ".join(p.models)),
        ("Splits", f"{p.n_repeats}, {people}, {sampled}; seed {p.seed}"),
        ("Adjusted p", "Holm; a family is one metric within one attribute"),
        (
            "Intervals",
            f"{_levels_of(result)}, in tables each of one number by itself: not adjusted as p is; of changes in the "
            "finding for all of a kind together",
        ),
    )


def _levels_of(result: Comparison) -> str:
    """The levels of the intervals in the tables, which are those of single comparisons."""
    return ", ".join(
        dict.fromkeys(level(r.conf_level) for r in result.estimates.only(role="main") if r.conf_low == r.conf_low)
    )


def _columns(result: Comparison) -> str:
    p = result.protocol
    share = f"sel.: share predicted {p.favorable}" if p.favorable else f"pos.: share predicted {p.positive}"
    return f"Means over the splits, of n people held out; {share}; mean: mean score."


def _levels(result: Comparison, attribute: str) -> Table:
    """One line a term and group: the means of the metrics over splits."""
    rows = result.estimates.where(attribute=attribute, contrast="none", reference="")
    columns = [m for m in LEVELS if any(r.metric == m for r in rows)]
    rows = rows.where(metric=(*columns, "accuracy"))
    groups = list(dict.fromkeys(r.group for r in rows))
    lines = []
    for term in result.terms:
        for group in groups[:MOST_GROUPS]:
            entries = {r.metric: r for r in rows.where(**result.of(term), group=group)}
            numbers = (number(entries["accuracy"].n, 0), *(_number(entries[m].estimate) for m in columns))
            lines.append((term.name, *([group] if attribute else []), *numbers))
    heads = (Heading("method and model", kind="text"), *([Heading(attribute, kind="text")] if attribute else []))
    metric_heads = tuple(Heading(metrics.get(m).short or m) for m in columns)
    caption = f"By {attribute}" if attribute else "Everybody"
    return Table(caption, (*heads, Heading("n"), *metric_heads), tuple(lines), _more(groups))


def _more(groups: Sequence[str]) -> str:
    hidden = len(groups) - MOST_GROUPS
    return f"... and {hidden} more groups; {snippet('all in tidy()')}" if hidden > 0 else ""


def _number(value: float) -> str:
    return "" if math.isnan(value) else number(value, 3)


BY_ITSELF = "difference, interval by itself, adjusted p"


def _gaps(result: Comparison, attribute: str, reference: str) -> Iterator[Table]:
    """Group less reference for each term, then how the method changes that gap."""
    rows = result.estimates.where(attribute=attribute, reference=reference, role="main")
    groups = list(dict.fromkeys(r.group for r in rows))
    columns = [m for m in GAPS if any(r.metric == m for r in rows)]
    for place, group in enumerate(groups[:MOST_GROUPS], 1):
        blocks = {metric: rows.where(group=group, metric=metric) for metric in columns}
        null = "P(X>Y): no difference is 0.5." if "P(X>Y)" in columns else ""
        note = " ".join(filter(None, (null, _more(groups) if place == MOST_GROUPS else "")))
        yield _metrics_table(result, f"{group} less {reference} ({attribute}): {BY_ITSELF}", blocks, note)


def _costs(result: Comparison) -> Iterator[Table]:
    rows = result.estimates.where(attribute="", contrast="difference", metric=COSTS)
    if rows:
        blocks = {metric: rows.where(metric=metric) for metric in COSTS}
        yield _metrics_table(result, f"Between methods, everybody: {BY_ITSELF}", blocks)


def _parity(result: Comparison) -> Iterator[Table]:
    """Gaps over all groups of each attribute, where there are more than two or several are asked for."""
    for attribute in result.references:
        rows = result.estimates.where(attribute=attribute, contrast="none", metric=(PARITY, ODDS))
        caption = f"Largest less smallest rate over the groups of {attribute}; chance makes it larger: compare methods"
        yield _metrics_table(result, caption, {metric: rows.where(metric=metric) for metric in (PARITY, ODDS)})


def _representation(result: Comparison) -> Iterator[Table]:
    """What each variant keeps of the variance, and what its scores give away, on the test rows."""
    rows = result.estimates.where(contrast="none", metric=(EXPLAINED, DISCREPANCY, SECONDS))
    if rows:
        blocks: dict[str, Estimates] = {}
        for metric in (EXPLAINED, DISCREPANCY, SECONDS):
            for attribute, group, against in dict.fromkeys(
                (r.attribute, r.group, r.reference) for r in rows.where(metric=metric)
            ):
                current = rows.where(metric=metric, attribute=attribute, group=group, reference=against)
                blocks[f"{metric}{f', {group} against {against}' if against else ''}"] = current
        yield _metrics_table(result, "Representations of the test rows: mean, interval", blocks)


def _metrics_table(result: Comparison, caption: str, blocks: Mapping[str, Estimates], note: str = "") -> Table:
    """A line a metric and method; the metric stands beside its first line."""
    lines = []
    for metric, rows in blocks.items():
        for row in rows:
            missing = math.isnan(row.estimate)
            interval = "" if math.isnan(row.conf_low) else f"{number(row.conf_low, 3)} to {number(row.conf_high, 3)}"
            numbers = (
                ("not estimable", "", "")
                if missing
                else (number(row.estimate, 3), interval, p_value(row.p_adjusted, ""))
            )
            lines.append((metric if row is rows[0] else "", result.label(row), *numbers))
    return Table(caption, METRIC_HEADINGS, tuple(lines), note)


METRIC_HEADINGS = (
    *(Heading(h, kind="text") for h in ("metric", "method and model")),
    *(Heading(h) for h in ("estimate", "interval", "p")),
)
