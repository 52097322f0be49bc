"""Leakage: what scores of new people still tell about the group, by probes and by measures of any dependence."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import ndtr, ndtri

from fairstats.data.design import Design, refuse_unsquarable
from fairstats.data.groups import Groups
from fairstats.data.tables import Tabular
from fairstats.document import Block, Bullets, Heading, Paragraph, Table, Title
from fairstats.errors import Call, FairstatsError, FairstatsWarning, InputError, Setting, ignoring, snippet, steps
from fairstats.estimates import NAN, Estimate, Estimates, Worded
from fairstats.inference.multiplicity import margin_of, margins, p_adjust, rejected
from fairstats.inference.representations.fit_studies import of_target, other_groups, other_rows
from fairstats.inference.representations.probes import (
    HOW,
    PROBES,
    RIDGE,
    TIE,
    Distances,
    Parts,
    Permuted,
    distance_correlation,
    mmd,
    probe_predictions,
)
from fairstats.inference.scores.merged import Floats
from fairstats.inference.scores.roc import AucResult, StudentArea, stratified_auc, stratified_survey
from fairstats.inference.scores.survey import design_estimate
from fairstats.inference.verdicts import verdict_of
from fairstats.language import DataText, joined, message
from fairstats.methods.crossfit import (
    OutOfFoldScores,
    assign_folds,
    design_to_refit,
    features_before,
    out_of_fold_scores,
    unadjusted,
)
from fairstats.methods.registry import METHODS
from fairstats.provenance import DataSource, call_of_fit
from fairstats.text import number, p_equals, p_value
from fairstats.validation import MOST_PERMUTATIONS, answering, confidence, random_seed, real, shown, whole

if TYPE_CHECKING:
    import pandas as pd


# The tidy rows of leakage: areas under the ROC curve with their verdicts, and the measures of any dependence.


NO_PROBE = message("no fold in which a probe could be trained and tested on this level")
NO_ROWS = message("no fold with enough rows of both sides")
NO_AREA = message("a continuous attribute has no AUC; see its distance correlation")
EXTENDED = message("interval extended to 0.5, since no leak is shown")
RECOGNIZED = message(
    "recognized in these scores, whose own interval is {low} to {high}; this one is of a leak beyond the refits'"
)
# what a probe learns beside one coefficient a component, rounded up: so the claim of no leak errs in less than 5%
LEARNED = {"AUC of linear probe": 1, "AUC of non-linear probe": 10}
SHORT = {"linear probe": "linear", "non-linear probe": "non-linear"}
SMALLEST = 1e-10  # p-values below are not told apart


@dataclass(frozen=True)
class Area:
    """The AUC of one level, with what its verdict is read from.

    row: with its estimate, or unestimable.
    limits: confidence limits at a level.
    p_value, p_adjusted: one-sided, of what else must reject: the ranks, or the refits.
    sizes: (Effective) numbers of tested rows of the level, and of the others.
    """

    row: Estimate
    limits: Callable[[float], tuple[float, float]] | None = None
    p_value: float = NAN
    p_adjusted: float = NAN
    sizes: tuple[float, float] = (NAN, NAN)


def one_sided(limits: Callable[[float], tuple[float, float]], estimate: float, value: float, *, above: bool) -> float:
    """Return the one-sided p-value of the claim that the parameter is above (or below) a value, by its limits.

    limits: confidence limits at a level, which widen with it.
    above: whether the claim is that the parameter lies above the value.

    >>> from scipy.special import ndtri
    >>> reach = lambda level: float(ndtri((1 + level) / 2))
    >>> round(one_sided(lambda level: (2 - reach(level), 2 + reach(level)), 2.0, 0.0, above=True), 4)
    0.0228
    """
    side = 0 if estimate > value else 1

    def left(log_alpha: float) -> float:
        return (limits(1 - float(np.exp(log_alpha)))[side] - value) * (1 if side == 0 else -1)

    least, most = np.log(2 * SMALLEST), np.log1p(-1e-9)
    if left(least) >= 0:
        tail = SMALLEST
    elif left(most) <= 0:
        tail = 0.5
    else:
        tail = float(np.exp(scipy.optimize.brentq(left, least, most, xtol=1e-9))) / 2
    return tail if (estimate > value) == above else 1 - tail


def within_strata(
    result: AucResult, strata: NDArray[np.intp], positive: NDArray[np.bool_]
) -> Callable[[float], tuple[float, float]]:
    """Return the limits of an area of pairs within strata, with Student's t of what its variances leave.

    Each stratum takes a mean of its own from either class, so with one case a stratum there is no variance, and the
    limits are Newcombe's.

    >>> from fairstats.inference.scores.roc import stratified_auc
    >>> y, strata = np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])
    >>> low, high = within_strata(stratified_auc([1, 2, 12, 11], y, strata)[0], strata, y == 1)(0.95)
    >>> low < 0.2, high > 0.8
    (True, True)
    """
    counted = np.array([(np.sum(positive[strata == s]), np.sum(strata == s)) for s in np.unique(strata)])
    mine, every = counted[(counted[:, 0] > 0) & (counted[:, 0] < counted[:, 1])].T
    left = [int((side - 1).sum()) for side in (mine, every - mine)]
    if min(left) < 1:
        return StudentArea(replace(result, std_error=NAN)).limits
    return StudentArea(replace(result, n_pos=left[0] + 1, n_neg=left[1] + 1)).limits


def attainable(margin: float, k: int, least: tuple[float, float]) -> float:
    """Return the AUC that a linear probe of k scores reaches where the best one has 0.5 + margin.

    least: the fewest rows of either side that a probe was trained on.
    Source: Raudys & Young (2004), Results in statistical discriminant analysis, Journal of Multivariate Analysis 89,
    1-35.

    >>> round(attainable(0.1, 4, (1e9, 1e9)), 3), round(attainable(0.1, 4, (50, 50)), 3)
    (0.6, 0.567)
    """
    squared = 2 * float(ndtri(0.5 + margin)) ** 2
    noise = k * sum(1 / max(n, 0.5) for n in least)
    return float(ndtr(squared / np.sqrt(2 * (squared + noise))))


def decided_areas(areas: Sequence[Area], margin: float | None, conf_level: float, k: int, folds: int) -> list[Estimate]:
    """Return the rows of one probe and attribute with their verdicts.

    A leak is shown where both the ranks (or refits) and the limits of either side reject an AUC of one half, adjusted
    over the levels; where none is shown, the interval is extended to one half. That there is none beyond the margin is
    shown where the limits reject what a probe trained on so few rows would attain if the best adversary's AUC were one
    half and the margin.

    k, folds: components, and folds: half of each fold is tested, by probes trained on as many rows or more.
    """
    items = [a.limits is not None for a in areas]
    by_limits = [  # of both sides, as the interval has two; an AUC below one half is no leak
        NAN if a.limits is None else min(1.0, 2 * one_sided(a.limits, a.row.estimate, 0.5, above=True)) for a in areas
    ]
    adjusted = p_adjust(by_limits)
    below = [
        NAN
        if a.limits is None or margin is None
        else one_sided(
            a.limits,
            a.row.estimate,
            attainable(margin, k + LEARNED[a.row.metric], (a.sizes[0] / folds, a.sizes[1] / folds)),
            above=False,
        )
        for a in areas
    ]
    equal = p_adjust(below)
    rows = []
    for i, area in enumerate(areas):
        if not items[i]:
            rows.append(area.row)
            continue
        p = max(area.p_value, by_limits[i])
        p_adjusted = min(max(area.p_adjusted, float(adjusted[i])), 1.0)
        word = verdict_of(p_adjusted, equal[i], conf_level)
        row = replace(area.row, p_value=p, p_adjusted=p_adjusted, p_equivalence=equal[i], verdict=word)
        rows.append(row if rejected(p_adjusted, conf_level) or p_adjusted != p_adjusted else _to_one_half(row))
    return rows


def _to_one_half(row: Estimate) -> Estimate:
    """A row that shows no leak, whose interval therefore includes one half, and says so where it was extended."""
    if row.conf_low <= 0.5 <= row.conf_high:
        return row
    low, high = min(row.conf_low, 0.5), max(row.conf_high, 0.5)
    return replace(row, conf_low=low, conf_high=high, reason=joined((row.reason, EXTENDED)))


def about(levels: tuple[str, ...], level: int) -> tuple[str, str]:
    """Return a level, and what it is told from."""
    return levels[level], levels[1 - level] if len(levels) == 2 else message("all others")


def levels_shown(levels: Sequence[str]) -> list[int]:
    """Return the levels that have a row: the second of two, or all."""
    return [1] if len(levels) == 2 else list(range(len(levels)))


def dependence_row(row: Estimate, result: Permuted, method: str) -> Estimate:
    """Return the row of MMD² or of a distance correlation."""
    if np.isnan(result.statistic):
        return replace(row, status="unestimable", reason=NO_ROWS)
    return replace(row, estimate=result.statistic, p_value=result.p_value, method=method)


def with_holm(rows: list[Estimate]) -> list[Estimate]:
    """Return the rows with p-values adjusted over them."""
    return list(Estimates(rows).with_p_adjusted(p_adjust([r.p_value for r in rows])))


def standardized(scores: NDArray[np.float64], weights: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """Return scores centered and scaled to unit variance; one that does not vary is 0."""
    centered = scores - np.average(scores, axis=0, weights=weights)
    spread = np.sqrt(np.average(centered**2, axis=0, weights=weights))
    rounding = 1e-12 * np.abs(scores).max(axis=0, initial=0.0)
    solid = spread > rounding
    return np.where(solid, centered / np.where(solid, spread, 1.0), 0.0)


# The result of a leakage analysis, and the sentences that say it.


MOST_LINES = 30  # of the printed table
NO_MARGIN = "No margin was declared ({setting}): without one, the absence of a leak cannot be shown."


@dataclass(frozen=True, repr=False)
class Leakage(Worded):
    """What held-out scores tell about the group; ``estimates`` are the numbers, ``statements`` say them.

    Attributes
    ----------
    estimates : Estimates
        AUC of both probes and MMD² for each level, distance correlation for each attribute.
    statements : tuple of str
        One an attribute.
    method : str
        What made the scores.
    n, k, folds, pairwise_n : int
        Rows, components, folds, and the rows that MMD² and the distance correlation used.
    permutations, seed : int
    conf_level : float
    margin : float or None
        An AUC of less than one half and this does not matter.
    refits : str
        What the method was fitted to again: permuted labels, or exchanged residuals; "" where all is conditional on the
        scores.
    before : Estimates
        The AUCs of the same probes on what the fit started from (principal components of the same number, or the
        features), where that is known.
    call : str
        What repeats it.
    data : tuple of DataSource
        The file that the rows are from, where a command read one.
    conditional : Estimates
        With refits: the same AUCs with the limits, p-values and verdicts that they have given these scores, whatever
        refits leak.
    refitted : Estimates
        The mean AUCs of the refits.
    features : Estimates
        The AUCs of the same probes on the features themselves, where ``before`` is of principal components.
    weighted : bool
        Whether rows count by weights that differ, with which no refits are made.
    """

    estimates: Estimates
    statements: tuple[str, ...]
    method: str
    n: int
    k: int
    folds: int
    pairwise_n: int
    permutations: int
    seed: int
    conf_level: float
    margin: float | None = None
    refits: str = ""
    before: Estimates = field(default_factory=lambda: Estimates(()))
    call: str = ""
    data: tuple[DataSource, ...] = ()
    conditional: Estimates = field(default_factory=lambda: Estimates(()))
    refitted: Estimates = field(default_factory=lambda: Estimates(()))
    features: Estimates = field(default_factory=lambda: Estimates(()))
    weighted: bool = False

    def _content(self) -> Iterator[Block]:
        """The statements and what they rest on."""
        used = "" if self.pairwise_n == self.n else f" (a random {self.pairwise_n} of the rows, seed {self.seed})"
        of = f"held-out scores: {self.method}, k = {self.k}, n = {self.n}, {self.folds} folds"
        of_one = f"one fit on {self.n} rows that it was not made of: {self.method}, k = {self.k}"
        yield Title(1, f"Leakage of {of if self.folds > 1 else of_one}")
        yield Bullets(self.statements)
        if lines := self._before_and_after():
            labels = [Heading(label, kind="text") for label in ("group", "probe")]
            numbers = [Heading(f"AUC {when}") for when in ("before", "after")]
            heads, shown = (*labels, *numbers, Heading("verdict", kind="word")), tuple(lines[:MOST_LINES])
            yield Table("", heads, shown, total=len(lines), rest=snippet("tidy() has all"))
        of = " Before in the table: as many principal components, which take no group out." if self.features else ""
        yield Paragraph(f"AUC: probes trained and tested on rows held out together; 0.5 is no leakage.{of}")
        yield Paragraph(self.null)
        if self.margin is None:
            yield Paragraph(NO_MARGIN.format(setting=Setting("margin")))
        if self.recognized:
            yield Paragraph(
                "Recognized: a model can tell the group from these scores, even if the refits leave as much to tell. "
                f"The interval here is of these scores alone; in {snippet('tidy()')} the reason has it, and the "
                "interval is that of a leak beyond the refits', which is not shown, so that it reaches 0.5. "
                f"How well boosted trees tell it: {snippet(OF_SCORES)}.",
                "finding",
            )
        yield from map(Paragraph, dependences(self.estimates))
        drawn = "refits" if self.refits else "permutations"
        rule = " They test whether scores depend on the group in any way; a verdict is of the AUC of its probe alone."
        yield Paragraph(f"MMD², distance correlation: {self.permutations} {drawn}{used}.{'' if self.refits else rule}")
        if self.too_few:
            least = p_value(1 / (1 + self.permutations))
            yield Paragraph(
                f"With {self.permutations} refits no leak beyond theirs can be shown: no p-value can be below "
                f"{least}. Take {self.fewest} or more.",
                "finding",
            )
        yield Paragraph(
            f"The p-value of an AUC is the larger of that of the {'refits' if self.refits else 'ranks'}, one-sided, "
            f"and that of the limits, two-sided; adjusted within attribute and statistic ({self.adjusted}). Its "
            "interval leaves 0.5 out where a leak is shown, and only there"
            f"{', but for a group that is recognized.' if self.recognized else '.'}"
        )

    @property
    def recognized(self) -> Estimates:
        """The AUCs given these scores of groups that a probe recognizes, though no leak beyond the refits' is shown."""
        verdicts = {_place(row): row.verdict for row in self.estimates}
        settled = ("disparity shown", "equivalence shown")
        shown = (r for r in self.conditional if r.verdict == settled[0])
        return Estimates(r for r in shown if verdicts.get(_place(r), settled[0]) not in settled)

    @property
    def probed(self) -> list[Estimate]:
        """The AUC of each probe and level; given these scores where the group is recognized."""
        recognized = {_place(row): row for row in self.recognized}
        return [recognized.get(_place(row), row) for row in self.estimates if row.metric in LEARNED]

    def _before_and_after(self) -> list[tuple[str, ...]]:
        """Of each group and probe the AUC before the adjustment beside that after it, and what that shows."""
        before = {_place(row): row for row in self.before if row.status == "ok"}
        recognized = set(map(_place, self.recognized))
        lines = []
        for row in self.probed:
            if row.status != "ok" or (start := before.get(_place(row))) is None:
                continue
            word = "recognized" if _place(row) in recognized else _word([row], self.margin)
            cells = [_auc_text(replace(r, reference="", p_adjusted=NAN)).removeprefix("AUC ") for r in (start, row)]
            probe = next(short for name, short in SHORT.items() if row.metric == f"AUC of {name}")
            lines.append((f"{row.attribute} = {row.group}", probe, *cells, word))
        return lines

    @property
    def fewest(self) -> int:
        """With how many refits the smallest p-value there can be shows a leak."""
        n = math.ceil(1 / (1 - self.conf_level)) - 2
        return n if rejected(1 / (1 + n), self.conf_level) else n + 1

    @property
    def too_few(self) -> bool:
        """Whether no leak could be shown, as there are too few refits."""
        return bool(self.refits) and self.permutations < self.fewest

    def _other_disparities(self) -> tuple[str, Estimates]:
        return "the group is recognized, if not more than in refits,", self.recognized

    def _unanswerable(self) -> str:
        if not self.too_few:
            return ""
        held_out = snippet("fairstats.leakage(fit.crossfit(X, groups))")
        return (
            f"with {self.permutations} refits no leak beyond theirs can be shown, so there is nothing to pass; take "
            f"{Setting('permutations', self.fewest)} or more, or {held_out}."
        )

    @property
    def null(self) -> str:
        """What the verdicts are compared with, as a sentence."""
        if self.refits:
            return (
                f"The method is compared with {self.permutations} refits on {self.refits}: what it leaks there, too, "
                "by estimation noise or a trace of its own, does not count as a leak."
            )
        if self.folds == 1:
            return "Nothing was fitted to these rows: a fit that had seen some of them would hide what it leaks."
        given = "Conditional on these scores: what a fit leaks of its own estimation noise counts as a leak"
        if self.weighted:
            return f"{given}. No refits tell how much that is: rows of unlike weights cannot be exchanged."
        return f"{given}; {Call('leakage', ())} of the fit and its rows compares it with refits."

    @property
    def adjusted(self) -> str:
        """How p-values are adjusted over levels."""
        return "largest AUC of the refits; Holm" if self.refits else "Holm"

    def _brief(self) -> str:
        return f"{self.method}, {self.n} rows, {self.k} components, {self.folds} folds; {' '.join(self.statements)}"

    def glance(self) -> pd.DataFrame:
        """One row about the run."""
        import pandas as pd

        return pd.DataFrame([self._about()])

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-ready."""
        return {
            "schema": "fairstats/leakage/1",
            **self._about(),
            "statements": list(self.statements),
            "estimates": self.estimates.to_records(),
            "before": self.before.to_records(),
            "conditional": self.conditional.to_records(),
            "refitted": self.refitted.to_records(),
            "features": self.features.to_records(),
            "data": [one.to_dict() for one in self.data],
        }

    def _about(self) -> dict[str, Any]:
        apart = ("estimates", "statements", "before", "conditional", "refitted", "features", "data", "call")
        return {k: v for k, v in vars(self).items() if k not in apart}


def _place(row: Estimate) -> tuple[str, str, str]:
    return row.metric, row.attribute, row.group


def statement(
    name: str,
    rows: Sequence[Estimate],
    probes: Iterable[str],
    margin: float | None,
    conditional: Sequence[Estimate] = (),
    refitted: Sequence[Estimate] = (),
) -> str:
    """Return one sentence about an attribute from the verdicts of its probes.

    probes: names of the linear and of the non-linear probe.
    margin: the declared one.
    conditional, refitted: of a method the same AUCs given its scores, and the mean ones of the refits.

    >>> statement("sex", [], ("linear probe", "non-linear probe"), None)
    'sex: no fold is large enough for a probe; cross-fit with fewer folds.'
    """
    parts = []
    for probe in probes:
        items = [r for r in rows if r.metric == f"AUC of {probe}" and r.status == "ok"]
        if not items:
            return f"{name}: no fold is large enough for a probe; cross-fit with fewer folds."
        worst = _headline(items, conditional)
        word = _word(items, margin)
        text = f"{word}, {_auc_text(worst)}"
        found = [r for r in conditional if r.metric == worst.metric and r.verdict == "disparity shown"]
        if found and word == INCONCLUSIVE:
            best = next(r for r in found if r.group == worst.group)
            means = [r.estimate for r in refitted if _place(r) == _place(best)]  # none without refits
            beyond = f", not shown to be more than in refits (mean AUC {number(means[0], 2)})" if means else ""
            p = next(r.p_adjusted for r in items if _place(r) == _place(best))
            text = f"recognized in these scores, {_auc_text(replace(best, p_adjusted=math.nan))}{beyond}"
            text += "" if math.isnan(p) else f", {p_equals(p)}"
        parts.append(f"{SHORT[probe]}: {text}")
    return f"{name}: {'; '.join(parts)}."


INCONCLUSIVE = "inconclusive"
FEW = 30  # people of a group that a sentence is about only where no larger group says as much


def _headline(rows: Sequence[Estimate], conditional: Sequence[Estimate] = ()) -> Estimate:
    """The row of a probe that its sentence is about: what is shown comes first, then the larger groups.

    >>> of = Estimate("AUC of linear probe", group="a", events=20, estimate=0.6, p_value=0.1)
    >>> _headline([of, replace(of, group="b", events=400, p_value=0.5)]).group
    'b'
    """
    apart = {_place(r): r for r in conditional if r.verdict == "disparity shown"}
    shown = [r for r in rows if r.verdict == "disparity shown"] or [r for r in rows if _place(r) in apart] or rows
    large = [r for r in shown if not r.events < FEW] or shown
    if shown[0].verdict != "disparity shown" and _place(shown[0]) in apart:
        return max(large, key=lambda r: apart[_place(r)].estimate)
    return max(large, key=lambda r: r.estimate if math.isnan(r.p_value) else -r.p_value)


def _word(rows: Sequence[Estimate], margin: float | None) -> str:
    """What the verdicts of all levels say of the attribute: as in every table, equivalence first."""
    verdicts = [r.verdict for r in rows]
    if margin is not None and all(v == "equivalence shown" for v in verdicts):
        return f"shown to leak no more than AUC {number(0.5 + margin, 2)}"
    return "leak shown" if "disparity shown" in verdicts else INCONCLUSIVE


def _auc_text(row: Estimate) -> str:
    about = "" if row.reference != "all others" else f" for {row.group}"
    p = "" if math.isnan(row.p_adjusted) else f", {p_equals(row.p_adjusted)}"
    return f"AUC {number(row.estimate, 2)} [{number(row.conf_low, 2)}, {number(row.conf_high, 2)}]{about}{p}"


def dependences(rows: Sequence[Estimate]) -> list[str]:
    """MMD² of each level and the distance correlation with their p-values, a line an attribute.

    >>> row = Estimate("MMD²", "sex", "f", reference="m", estimate=0.0213, p_value=0.04, p_adjusted=0.04)
    >>> dependences([row, replace(row, metric="distance correlation", group="", reference="", estimate=0.1)])
    ['sex: MMD² 0.0213 (f, m), p = 0.040; distance correlation 0.1000, p = 0.040.']
    """
    text: dict[str, list[str]] = {}
    for row in rows:
        if row.metric not in ("MMD²", "distance correlation"):
            continue
        about = f" ({row.group}{'' if row.reference == 'all others' else f', {row.reference}'})" if row.group else ""
        p = row.p_value if math.isnan(row.p_adjusted) else row.p_adjusted
        value = f"{number(row.estimate, 4)}{about}{'' if math.isnan(p) else f', {p_equals(p)}'}"
        if row.status != "ok":
            value = f"not estimable{about}: {row.reason}"
        text.setdefault(row.attribute, []).append(f"{row.metric} {value}")
    return [f"{attribute}: {'; '.join(values)}." for attribute, values in text.items()]


FEATURES = "the features themselves"
OF_OTHERS = message(
    "The guarantee of the method is of the rows that it was fitted to; this linear leak is in rows that the fit had "
    "not seen, where the guarantee holds up to the error of its estimates."
)
OF_NEW = message(
    "The guarantee of the method is of the rows that it was fitted to; this linear leak is in other rows. It can be of "
    "the error of its estimates, or of groups that differ in other ways than they did."
)
OF_FEW = message(
    "Each fit had seen {share}% of the rows: with more folds, such as {setting}, it learns from more, and that error "
    "is smaller."
)
FEW_FOLDS = 5  # fewer leave a fit less than four fifths of the rows
OF_FIRST = message(
    "The guarantee of the method is of the first {k} of the {n} scores; the others are ordinary components, which tell "
    "the groups apart."
)
NO_GROUP_OF_FIT = message("{name} is not a group of this fit, which promises nothing about it.")


def beside(
    rows: Sequence[Estimate],
    before: Sequence[Estimate],
    probes: Iterable[str],
    what: str,
    compared: Sequence[Estimate] = (),
) -> str:
    """Return what the same probes found before the adjustment, and whether they find more after it; "" if unknown.

    rows, before: of one attribute, after and before.
    what: what they were given before.
    compared: of a method the same AUCs after, compared with refits, which its sentence is about.

    >>> row = Estimate("AUC of linear probe", "sex", estimate=0.9, conf_low=0.8, conf_high=0.95)
    >>> beside([row], [replace(row, estimate=0.6, conf_low=0.5, conf_high=0.7)], ["linear probe"], "the features")
    ' Before (the features): linear AUC 0.60 [0.50, 0.70]; the linear probe finds more after than before.'
    """
    wording, more = [], []
    for probe in probes:
        after = {r.group: r for r in rows if r.metric == f"AUC of {probe}" and r.status == "ok"}
        items = [r for r in before if r.metric == f"AUC of {probe}" and r.status == "ok" and r.group in after]
        if not items:
            return ""
        tested = [r for r in compared if r.metric == f"AUC of {probe}" and r.status == "ok"]
        of = _headline(tested, rows) if tested else _headline([*after.values()])
        most = next((r for r in items if r.group == of.group), None)
        if most is None:
            return ""
        wording.append(f"{SHORT[probe]} {_auc_text(replace(most, p_adjusted=math.nan))}")
        more += [probe] if any(after[r.group].conf_low > r.conf_high for r in items) else []
    text = f"; the {' and the '.join(more)} {'finds' if len(more) == 1 else 'find'} more after than before"
    return f" Before ({what}): {', '.join(wording)}{text if more else ''}."


def without_verdict(rows: Iterable[Estimate]) -> Estimates:
    """Return rows of what is not in question, without tests and verdicts."""
    nan = math.nan
    return Estimates(
        replace(r, p_value=nan, p_adjusted=nan, p_equivalence=nan, statistic=nan, verdict="") for r in rows
    )


def numeric_statement(name: str, row: Estimate, alpha: float) -> str:
    """Return one sentence about a continuous attribute from its distance correlation.

    alpha: a p-value at most this shows dependence.

    >>> numeric_statement("age", Estimate("distance correlation", estimate=0.2, p_value=0.001), 0.05)
    'age: dependence shown (distance correlation 0.200, p = 0.001).'
    """
    if row.status != "ok":
        return f"{name}: not estimable: {row.reason}."
    shown = "dependence shown" if row.p_value <= alpha else "inconclusive"
    return f"{name}: {shown} (distance correlation {number(row.estimate, 3)}, {p_equals(row.p_value)})."


# Leakage of scores that were held out by whatever means: every statement is conditional on these scores.


MOST_ROWS = 2000
CONDITIONAL = message(
    "given these scores; what a fit that equalizes the groups leaks of its own estimation noise is in it, up to about "
    "{n}"
)


@dataclass(frozen=True)
class ScoresRun:
    """One analysis of held-out scores, which makes the rows of one attribute after the other."""

    out_of_fold: OutOfFoldScores
    scores: Floats
    sample: NDArray[np.intp]
    permutations: int
    conf_level: float
    seed: int
    margin: float | None

    @staticmethod
    def of(kept: OutOfFoldScores, permutations: int, conf_level: float, seed: int, margin: float | None) -> ScoresRun:
        """Prepare the scores, and the rows for the statistics of all pairs."""
        scores = standardized(kept.scores, kept.weights)
        sample = sampled(kept.folds, seed, MOST_ROWS, kept.weights)
        return ScoresRun(kept, scores, sample, permutations, conf_level, seed, margin)

    def of_levels(self, name: str, codes: NDArray[np.intp], levels: tuple[str, ...]) -> list[Estimate]:
        """All rows of one attribute: two levels give one row a statistic, more give one a level."""
        return [*self.areas(name, codes, levels), *self._pairs(name, codes, levels)]

    def areas(self, name: str, codes: NDArray[np.intp], levels: tuple[str, ...]) -> list[Estimate]:
        """The rows of both probes."""
        rows: list[Estimate] = []
        for probe in steps("probes", PROBES):
            predicted = probe_predictions(
                self.scores, codes, self.out_of_fold.folds, probe, self.seed, self.out_of_fold.weights
            )
            areas = [self._area(probe, name, codes, levels, j, *predicted) for j in levels_shown(levels)]
            ranks = p_adjust([a.p_value for a in areas])
            areas = [replace(a, p_adjusted=float(p)) for a, p in zip(areas, ranks, strict=True)]
            rows += decided_areas(areas, self.margin, self.conf_level, *self._size)
        return rows

    def _pairs(self, name: str, codes: NDArray[np.intp], levels: tuple[str, ...]) -> list[Estimate]:
        part = codes[self.sample]
        scores, folds = self.scores[self.sample], self.out_of_fold.folds[self.sample]
        discrepancies = mmd(scores, part, folds, permutations=self.permutations, seed=self.seed)
        rows = []
        for j in levels_shown(levels):
            if j < len(discrepancies):
                group, reference = about(levels, j)
                n, events = float(self.sample.size), float((part == j).sum())
                row = Estimate("MMD²", name, group, reference=reference, n=n, events=events)
                rows.append(dependence_row(row, discrepancies[j], self._method()))
        return [*with_holm(rows), self._correlation(name, part)]

    def of_numbers(self, name: str, values: Floats) -> list[Estimate]:
        """The rows of a continuous attribute, for which there is no AUC."""
        blank = [Estimate(f"AUC of {p}", name, status="unestimable", reason=NO_AREA) for p in PROBES]
        return [*blank, self._correlation(name, values[self.sample])]

    def _area(
        self,
        probe: str,
        name: str,
        codes: NDArray[np.intp],
        levels: tuple[str, ...],
        level: int,
        probabilities: Floats,
        strata: NDArray[np.intp],
    ) -> Area:
        tested = strata >= 0
        predicted, positive, within = probabilities[tested, level], codes[tested] == level, strata[tested]
        result, z, _ = stratified_auc(predicted, positive, within, self.conf_level)
        group, reference = about(levels, level)
        n, events = float(result.n_pos + result.n_neg), float(result.n_pos)
        row = Estimate(f"AUC of {probe}", name, group, reference=reference, n=n, events=events)
        if np.isnan(result.auc):
            return Area(replace(row, status="unestimable", reason=NO_PROBE))
        if self._size[1] > 1:  # how few rows a single fit has learned of the group from, its scores do not say
            row = replace(row, reason=CONDITIONAL.format(n=f"{self.noise(codes == level):.2f}"))
        if self.out_of_fold.weights is not None:
            return self._weighted(row, predicted, positive, within, self.out_of_fold.weights[tested], z)
        limits = within_strata(result, within, positive)
        method = message("DeLong on the logit scale, within folds; van Elteren, one-sided, and the limits")
        row = row.with_interval(
            result.auc, *limits(self.conf_level), self.conf_level, std_error=result.std_error, method=method
        ).with_test(z, float(ndtr(-z)))
        return Area(row, limits, float(ndtr(-z)), sizes=(events, n - events))

    def _weighted(
        self, row: Estimate, predicted: Floats, positive: NDArray[np.bool_], strata: Any, w: Floats, z: float
    ) -> Area:
        """The row of an AUC with weights; where none varies (complete separation) the test without them stands."""

        def limits(level: float) -> tuple[float, float]:
            output = stratified_survey(predicted, positive, strata, w, level)
            return output.low, output.high

        result = stratified_survey(predicted, positive, strata, w, self.conf_level)
        built = design_estimate(row, result, self.conf_level)
        built = replace(built, n=float(w.sum()), events=float(w[positive].sum()), reason=row.reason)
        mine, theirs = (float(w[side].sum() ** 2 / (w[side] @ w[side])) for side in (positive, ~positive))
        if np.isnan(result.p_value):
            return Area(
                replace(built, method=joined([result.method, "van Elteren"])),
                limits,
                float(ndtr(-z)),
                sizes=(mine, theirs),
            )
        z = (result.estimate - 0.5) / result.std_error
        p = result.p_value / 2 if z > 0 else 1 - result.p_value / 2
        return Area(
            replace(built, statistic=z, method=joined([result.method, message("within folds")], ", ")),
            limits,
            p,
            sizes=(mine, theirs),
        )

    @property
    def _size(self) -> tuple[int, int]:
        return self.scores.shape[1], np.unique(self.out_of_fold.folds).size

    def noise(self, chosen: NDArray[np.bool_]) -> float:
        """The AUC to which a fit leaks its own estimate of the group means.

        Subtracting a mean estimated from few rows shifts everybody else's scores by its error: a squared distance
        of about k (1/a + 1/b) between a level of a training rows and b others, and the best probe's AUC is then
        Phi(distance/sqrt(2)).
        """
        share = 1 - 1 / max(np.unique(self.out_of_fold.folds).size, 2)
        w = np.ones(chosen.size) if self.out_of_fold.weights is None else self.out_of_fold.weights
        inside, outside = (share * w[side].sum() ** 2 / (w[side] @ w[side]) for side in (chosen, ~chosen))
        return float(ndtr(np.sqrt(self.scores.shape[1] * (1 / inside + 1 / outside) / 2)))

    def _correlation(self, name: str, target: NDArray) -> Estimate:
        folds = self.out_of_fold.folds[self.sample]
        scores = self.scores[self.sample]
        result = distance_correlation(scores, target, folds, permutations=self.permutations, seed=self.seed)
        row = Estimate("distance correlation", name, n=float(self.sample.size), events=NAN)
        return with_holm([dependence_row(row, result, self._method())])[0]

    def _method(self) -> str:
        some, every = message("{text} on a random {n} rows"), self.sample.size == len(self.scores)
        by_weight = message("drawn by weight") if self.out_of_fold.weights is not None and not every else ""
        drawn = message("{n} permutations within folds", n=self.permutations)
        drawn = drawn if self.permutations else message("no permutations within folds")
        return joined([drawn if every else some.format(text=drawn, n=self.sample.size), by_weight], ", ")


def sampled(folds: NDArray[np.intp], seed: int, most: int, weights: Floats | None = None) -> NDArray[np.intp]:
    """Rows for the statistics of all pairs: all, or at random; with weights, in proportion to them.

    >>> sampled(np.zeros(5, int), 0, 3).size
    3
    """
    rng = np.random.default_rng(seed)
    rows = np.arange(folds.size)
    if weights is not None:
        rows = rows[rng.random(rows.size) < weights / weights.max()]
    return rows if rows.size <= most else np.sort(rng.choice(rows, most, replace=False))


# Data in which the groups differ in nothing that a method should hide: what refits are made to.


# a fit whose scores go with the groups by no more than this equalizes their means
EQUAL = 1e-8
LABELS, RESIDUALS = "permuted labels", "exchanged residuals"
COARSE = "exchanged residuals, and exchanged values of features of few values"
# a feature with fewer distinct values than this share of the rows lies on a lattice
FINE = 0.5


@dataclass(frozen=True)
class NullData:
    """Rows to be exchanged between the groups.

    means: what the groups explain of every row, which stays where it is; None where labels are permuted, shape (n, p).
    rest: the residuals, which are exchanged, shape (n, p).
    coarse: whether some features lie on a lattice, and are exchanged whole.
    """

    design: Design
    means: Floats | None = None
    rest: Floats | None = None
    coarse: bool = False

    @staticmethod
    def of(fit: Any, design: Design, *, lattice: bool = True) -> NullData:
        """Choose by what the fit does on its own rows.

        One that equalizes the groups' means leaves more of its estimation noise where there is a difference to be
        hidden than where there is none: the difference stays, and residuals are exchanged. Of any other fit a
        difference of means is a leak: labels are permuted.
        """
        assert design.groups is not None
        encoding = getattr(fit, "encoding", None)
        if encoding is None or sparse.issparse(design.X):
            return NullData(design)
        try:
            Z = encoding.encode(design.groups)
        except InputError:  # other groups than those of the fit, which it does not hide
            return NullData(design)
        Q = np.linalg.qr(Z - Z.mean(axis=0))[0]
        scores = fit.transform(design)
        scores = scores - scores.mean(axis=0)
        if np.sum((Q.T @ scores) ** 2) > EQUAL * np.sum(scores**2):
            return NullData(design)
        X = np.asarray(design.X, dtype=float)
        coarse = lattice & np.array([np.unique(column).size < FINE * len(column) for column in X.T], dtype=bool)
        if coarse.size and coarse.all():
            return NullData(design)
        means = X.mean(axis=0) + Q @ (Q.T @ (X - X.mean(axis=0)))
        means[:, coarse] = X.mean(axis=0)[coarse]
        return NullData(design, means, X - means, bool(coarse.any()))

    def drawn(self, order: NDArray[np.intp]) -> tuple[Design, NDArray[np.intp]]:
        """The design of one exchange of rows, and the row whose labels each has."""
        if self.means is None or self.rest is None:
            assert self.design.groups is not None
            return replace(self.design, groups=replace(self.design.groups.take(order), index=None)), order
        X = np.take(self.rest, order, axis=0)
        X += self.means
        return replace(self.design, X=X), np.arange(len(order))

    @property
    def words(self) -> str:
        """What the refits are made to."""
        return LABELS if self.means is None else COARSE if self.coarse else RESIDUALS


# Leakage of a method: its fit is made anew on exchanged rows, so what any such fit leaks by itself is no leak.


Codes = NDArray[np.intp]
# rows of the statistics of all pairs, which are computed for every refit
MOST_REFIT_ROWS = 400
LINEAR = next(iter(RIDGE))


@dataclass(frozen=True)
class Labels:
    """One attribute with levels, and the level of each row."""

    name: str
    codes: Codes
    levels: tuple[str, ...]


@dataclass(frozen=True)
class Statistics:
    """What is computed of one refit: areas by probe (2, m), MMD² (m,), distance correlations by attribute."""

    areas: Floats
    discrepancies: Floats
    correlations: Floats

    @property
    def flat(self) -> Floats:
        """All of them in one row."""
        return np.concatenate([self.areas.ravel(), self.discrepancies, self.correlations])


@dataclass(frozen=True)
class RefitRun:
    """One analysis of a method on rows of a design, which lie fold by fold, so that a fold is no copy.

    order: the rows (n,) as they were given.
    """

    order: Codes
    fit: Any
    null: NullData
    folds: Codes
    attributes: Sequence[Labels]
    plan: Parts
    sample: Codes
    permutations: int
    conf_level: float
    seed: int
    margin: float | None
    linear: NullData | None = None  # of the linear probe, where it is another

    @staticmethod
    def of(fit: Any, design: Design, folds: Codes, permutations: int, **about_it: Any) -> RefitRun:
        """Prepare the parts of the folds, and the rows for the statistics of all pairs."""
        assert design.groups is not None
        seed = about_it["seed"]
        order, plan = Parts.of(design.groups.cells[0], folds, seed)
        sample = np.flatnonzero(np.isin(order, sampled(folds, seed, MOST_REFIT_ROWS)))
        design, folds = design.take(order), folds[order]
        assert design.groups is not None
        attributes = list(_attributes(design.groups))
        null, linear = (NullData.of(fit, design, lattice=lattice) for lattice in (True, False))
        other = linear if linear.words != null.words else None
        return RefitRun(order, fit, null, folds, attributes, plan, sample, permutations, **about_it, linear=other)

    def scores(self, design: Design | None = None) -> OutOfFoldScores:
        """Held-out scores of the method, on the rows themselves or on others like them."""
        result: OutOfFoldScores = self.fit.crossfit(
            self.null.design if design is None else design, folds=self.folds, seed=self.seed
        )
        return result

    def rows(self, kept: OutOfFoldScores) -> tuple[list[list[Estimate]], list[Estimate], int]:
        """The rows of each attribute, labels before numbers; the mean AUCs of the refits; how many refits failed."""
        observed = self._statistics(kept.scores, np.arange(len(self.folds)))
        null, failed = self._refits(observed)
        reached = null >= observed.flat - TIE * np.maximum(np.abs(observed.flat), 1.0)
        p = (1 + reached.sum(axis=0)) / (1 + len(null)) if len(null) else np.full(observed.flat.size, NAN)
        m, result, at = observed.discrepancies.size, [], 0
        means: list[Estimate] = []
        scores = standardized(kept.scores)
        for which, labels in enumerate(self.attributes):
            columns = at + np.arange(len(levels_shown(labels.levels)))
            at += columns.size
            rows = []
            for i, probe in enumerate(RIDGE):
                areas = null[:, i * m + columns]
                adjusted = _largest(observed.areas[i, columns], areas)
                rows += self._areas(probe, labels, scores, columns, p[i * m + columns], adjusted)
                means += self._means(rows[-columns.size :], areas, probe)
            values, tails = observed.discrepancies[columns], p[2 * m + columns]
            rows += with_holm(
                [
                    self._pairs("MMD²", labels, j, v, t)
                    for j, v, t in zip(levels_shown(labels.levels), values, tails, strict=True)
                ]
            )
            rows += self._correlation(labels.name, observed.correlations[which], p[3 * m + which])
            result.append(rows)
        for name, place in zip(self._numbers[0], range(len(self.attributes), observed.correlations.size), strict=True):
            blank = [Estimate(f"AUC of {probe}", name, status="unestimable", reason=NO_AREA) for probe in RIDGE]
            result.append([*blank, *self._correlation(name, observed.correlations[place], p[3 * m + place])])
        return result, means, failed

    def _means(self, rows: Sequence[Estimate], areas: Floats, probe: str) -> Iterator[Estimate]:
        """The mean AUC of the refits (permutations, levels) beside each of the rows."""
        for row, values in zip(rows, areas.T, strict=True):
            plain = Estimate(row.metric, row.attribute, row.group, reference=row.reference, n=row.n, events=row.events)
            if row.status == "ok" and (finite := values[np.isfinite(values)]).size:
                yield replace(
                    plain, estimate=float(finite.mean()), method=message("mean of {text}", text=self._how(probe))
                )

    def areas(self, scores: Floats) -> list[list[Estimate]]:
        """The rows of both probes on other scores of the rows as they were given, compared with no refit."""
        return self._by_attribute(scores[self.order], NAN)

    def conditional(self, kept: OutOfFoldScores) -> list[list[Estimate]]:
        """The rows of both probes given the scores: by ranks and limits, whatever refits leak."""
        return self._by_attribute(kept.scores, None)

    def _by_attribute(self, scores: Floats, p: float | None) -> list[list[Estimate]]:
        scores, result, at = standardized(scores), [], 0
        for labels in self.attributes:
            columns = at + np.arange(len(levels_shown(labels.levels)))
            at += columns.size
            tails = None if p is None else np.full(columns.size, p)
            result.append([r for one in RIDGE for r in self._areas(one, labels, scores, columns, tails, tails)])
        return result

    @property
    def _numbers(self) -> tuple[tuple[str, ...], Floats]:
        groups = self.null.design.groups
        assert groups is not None
        return groups.continuous_names, groups.continuous

    def _members(self, order: Codes) -> Floats:
        """Indicators of the levels that have a row, of all attributes side by side."""
        return np.column_stack(
            [a.codes[order] == j for a in self.attributes for j in levels_shown(a.levels)]
            or [np.empty((len(order), 0))]
        ).astype(float)

    def _statistics(self, scores: Floats, order: Codes) -> Statistics:
        S, members = standardized(scores), self._members(order)
        areas = np.array([self._area_by_level(p, S, members) for p in RIDGE])
        near = Distances.of(S[self.sample], self.folds[self.sample])
        discrepancies, correlations = [], []
        for a in self.attributes:
            part = a.codes[order][self.sample]
            entries = {j: v.statistic for j, v in enumerate(near.mmd(part))}
            discrepancies += [entries.get(j, NAN) for j in levels_shown(a.levels)]
            correlations.append(near.correlation(part).statistic)
        for values in self._numbers[1].T:
            correlations.append(near.correlation(values[order][self.sample]).statistic)
        return Statistics(areas, np.array(discrepancies), np.array(correlations))

    def _area_by_level(self, probe: str, S: Floats, members: Floats) -> Floats:
        return self.plan.areas(self.plan.predictions(S, members, probe), members)

    def _refits(self, observed: Statistics) -> tuple[Floats, int]:
        """Statistics of the refits (permutations, ...); a refit that fails counts as if it leaked everything."""
        rng, failed = np.random.default_rng([self.seed, 1]), 0
        null = np.full((self.permutations, observed.flat.size), np.inf)
        linear = observed.discrepancies.size  # areas of the linear probe come first
        for b in steps("refits", range(self.permutations)):
            order = self.plan.permuted(rng)
            with ignoring(FairstatsWarning):  # of fits to data that nobody has
                try:
                    flat = self._statistics(*self._anew(self.null, order)).flat
                    if self.linear is not None:
                        scores, labels = self._anew(self.linear, order)
                        flat[:linear] = self._area_by_level(LINEAR, standardized(scores), self._members(labels))
                    null[b] = flat
                except FairstatsError:
                    failed += 1
        return np.where(np.isnan(null), -np.inf, null), failed

    def _anew(self, null: NullData, order: Codes) -> tuple[Floats, Codes]:
        """Scores of the method on exchanged rows, and the row whose labels each has."""
        design, labels = null.drawn(order)
        return self.scores(design).scores, labels

    def _areas(
        self,
        probe: str,
        labels: Labels,
        scores: Floats,
        columns: Codes,
        p: Floats | None,
        adjusted: Floats | None,
    ) -> list[Estimate]:
        """The rows of a probe: p-values (levels,) are those of the refits, or None for those of the ranks."""
        members = self._members(np.arange(len(self.folds)))
        predicted = self.plan.predictions(scores, members, probe)[:, columns]
        tested, matches, ranks = self.plan.strata >= 0, [], []
        how = message("van Elteren") if p is None else self._how(probe)
        for i, j in enumerate(levels_shown(labels.levels)):
            positive = labels.codes[tested] == j
            result, z, _ = stratified_auc(predicted[tested, i], positive, self.plan.strata[tested], self.conf_level)
            ranks.append(float(ndtr(-z)))
            group, reference = about(labels.levels, j)
            n, events = float(result.n_pos + result.n_neg), float(result.n_pos)
            row = Estimate(f"AUC of {probe}", labels.name, group, reference=reference, n=n, events=events)
            if np.isnan(result.auc):
                matches.append(Area(replace(row, status="unestimable", reason=NO_PROBE)))
                continue
            limits = within_strata(result, self.plan.strata[tested], positive)
            row = row.with_interval(
                result.auc,
                *limits(self.conf_level),
                self.conf_level,
                std_error=result.std_error,
                method=joined(
                    [
                        HOW[probe],
                        message("DeLong on the logit scale, within folds"),
                        message("{text}, one-sided, and the limits", text=how),
                    ]
                ),
            )
            matches.append(Area(row, limits, sizes=(events, n - events)))
        tails = (
            zip(ranks, p_adjust(ranks), strict=True) if p is None or adjusted is None else zip(p, adjusted, strict=True)
        )
        matches = [replace(a, p_value=float(p), p_adjusted=float(q)) for a, (p, q) in zip(matches, tails, strict=True)]
        return decided_areas(matches, self.margin, self.conf_level, scores.shape[1], len(self.plan.cuts))

    def _pairs(self, metric: str, labels: Labels, level: int, value: float, p: float) -> Estimate:
        group, reference = about(labels.levels, level)
        events = float((labels.codes[self.sample] == level).sum())
        row = Estimate(metric, labels.name, group, reference=reference, n=float(self.sample.size), events=events)
        return dependence_row(row, Permuted(float(value), float(p), self.permutations), self._how_pairs())

    def _correlation(self, name: str, value: float, p: float) -> list[Estimate]:
        row = Estimate("distance correlation", name, n=float(self.sample.size))
        return with_holm([dependence_row(row, Permuted(float(value), float(p), self.permutations), self._how_pairs())])

    @property
    def words(self) -> str:
        """What the refits are made to."""
        return self.null.words + (f" (linear probe: {self.linear.words})" if self.linear is not None else "")

    def _how(self, probe: str = "") -> str:
        null = self.linear if self.linear is not None and probe == LINEAR else self.null
        return f"{self.permutations} refits on {null.words}"

    def _how_pairs(self) -> str:
        some = f", a random {self.sample.size} rows" if self.sample.size < len(self.folds) else ""
        return f"{self._how()}{some}"


def _largest(observed: Floats, null: Floats) -> Floats:
    """Adjusted p-values of levels: how often the largest AUC of all levels, in standard units, is as large."""
    if not len(null):
        return np.full(observed.size, NAN)
    every = np.vstack([observed, null])  # the observed order is one of the orders
    finite = np.where(np.isfinite(every), every, np.nan)
    with ignoring(RuntimeWarning):  # a level that no probe could be tested on
        spread = np.nanstd(finite, axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    most = np.max((null - 0.5) / spread, axis=1, keepdims=True)
    reached = most >= (observed - 0.5) / spread * (1 - TIE) - TIE
    return np.asarray((1 + reached.sum(axis=0)) / (1 + len(null)))


FEWEST = 10
FOLDS = 2
OF_SCORES = "fairstats.leakage(fit.crossfit(X, groups))"
OF_A_STEP = (
    "a FairTransformer has the fit as its fit_, with which go the columns that this step gets: "
    "fairstats.leakage(pipe[1].fit_.crossfit(pipe[:1].transform(X), groups)) where it is the second step"
)
OTHERWISE = ", or OutOfFoldScores(scores, folds, groups, method, seed) if the rows were held out by other means"


@answering
def leakage(
    fit: Any = None,
    X: Any = None,
    groups: Any = None,
    *,
    scores: OutOfFoldScores | None = None,
    data: Tabular | None = None,
    weights: Any = None,
    margin: Any = None,
    folds: Any = FOLDS,
    permutations: int = 199,
    conf_level: float = 0.95,
    seed: int = 0,
) -> Leakage:
    """Estimate how much the scores of new people tell about the group, by probes and by measures of any dependence.

    Parameters
    ----------
    fit : fit or OutOfFoldScores
        A fit with its rows ``X``, ``groups`` and ``data``, given as to the fit: scores are held out by `crossfit`, and
        the fit is made again on exchanged rows, whose leakage is the null distribution. A fit with other rows: the
        fit itself is tested on them, and nothing is fitted again. Or held-out scores alone.
    X, groups, data : as for the fit
        Of a fit ``data`` alone is enough, a table with the features and the groups of the fit. With held-out scores
        only ``groups`` may be given, other group variables than those of the fit: one value a row, or names of columns
        of ``data``, whose rows are those of the scores.
    scores : OutOfFoldScores, optional
        What ``fit.crossfit(X, groups)`` returned, in the place of ``fit``.
    weights : array (n,), optional
        Probability weights; by default those of held-out scores. Probes are trained and their AUCs computed with
        them, intervals and tests are linearized. MMD² and the distance correlation are computed on a random part of the
        rows, each kept with a probability proportional to its weight. Rows of unlike weights are not exchangeable: a
        fit with such weights is not made again, and what is said is conditional on its scores.
    margin : float or mapping, optional
        The margin: an AUC of less than 0.5 + margin does not matter. A number, or ``{"leakage": margin}``, as in
        `audit`. Without it, no absence of leakage can be shown.
    folds : int or array (n,)
        For a fit, as in `crossfit`.
    permutations : int
        Refits on exchanged rows; for held-out scores permutations of the labels within folds, for MMD² and the
        distance correlation.
    conf_level : float
        Level of the intervals and of the verdicts.
    seed : int
        For folds, probes, permutations and samples of rows.

    Returns
    -------
    Leakage
        "linear probe" and "non-linear probe": the AUC with which a probe tells a level from the others on rows that it
        was not trained on, with a verdict: *disparity shown* is a leak, *equivalence shown* no leak beyond the margin
        (the upper limit of the AUC lies below it), *inconclusive* neither. Probes are trained on other rows of the
        same fold (``probe_predictions`` in the source says why), so folds must not be small. An AUC under 0.5 is
        chance, not leakage. The p-value of an AUC is the larger of a one-sided one and that at which its interval
        touches 0.5, and an interval of no leak is extended to 0.5: a leak is shown where it leaves 0.5 out. "MMD²"
        (unbiased, median heuristic) and "distance correlation" (bias-corrected, squared) react to any dependence,
        without intervals or verdicts; above 2000 rows, of a fit 400, they use a random sample. Components are scaled
        to unit variance first. What cannot be estimated has rows that say why.

    Raises
    ------
    InputError
        If the scores are not held out, are missing, or if the groups do not fit them.

    Notes
    -----
    A fit that equalizes the groups' means does so with means estimated from its training rows, and leaves their error
    in everybody else's scores. Given the scores, tests of enough rows find it: `og` of 10 features without any relation
    to the groups "leaks" in 21 to 45% of samples, whatever n. Refits do the same to data that differ in nothing
    else, so that the method is compared with what it leaves by itself: of a fit that equalizes the groups' means on
    its own rows (to 1e-8 of the scores' squares) the means stay and residuals are exchanged between the groups, of any
    other (and of sparse rows) labels are permuted. Rows are exchanged within the parts of the folds.

    Features of few values (0 and 1, whole numbers; fewer distinct values than half of the rows) lie on a lattice, and
    there groups cannot differ in their means alone: the non-linear probe, MMD² and the distance correlation are
    compared with refits to data in which such features are independent of the groups, their values exchanged whole. A
    leak then says that the scores tell more of the group than they would if those features told nothing of it. `og`,
    which subtracts each group's mean, leaves every group a lattice of its own, and leaks by that where the means
    differ. Where refits leak as much, no leak is shown, and yet a model recognizes the groups in the scores:
    ``recognized`` has such AUCs with their own intervals, ``refitted`` the mean ones of the refits. What the scores
    themselves tell, boosted trees included, says ``leakage(fit.crossfit(X, groups))``. The linear probe is still
    compared with exchanged residuals, at the cost of a second series of refits.

    For a fit probes are in closed form (least squares; ridge regression on Fourier features and classes of the
    scores), for scores alone logistic regression, and boosted trees averaged with kernel logistic regression. A leak
    also needs the limits of the AUC, which hold where spreads differ. That there is none beyond the margin needs an
    upper limit below the AUC that a linear probe trained on so few rows would attain if the best had 0.5 + margin
    (Raudys & Young 2004), with one more coefficient than components, and ten more for the non-linear probe; what that
    probe cannot learn, another adversary might.

    References
    ----------
    LeDell et al. (2015); Gretton et al. (2012); Székely & Rizzo (2014); Phipson & Smyth (2010); Rahimi & Recht (2007),
    Random features for large-scale kernel machines, NIPS 20; Westfall & Young (1993) for the largest AUC of all levels.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> rng = np.random.default_rng(0)
    >>> g = np.repeat(["a", "b"], 200)
    >>> X = rng.normal(size=(400, 4)) * np.where(g == "a", 1, 3)[:, None]
    >>> result = fs.leakage(fs.og(X, g, k=2), X, g, permutations=39, margin=0.2)
    >>> result.statements[0].split(", AUC")[0], result.estimates[1].verdict
    ('group: linear: shown to leak no more than AUC 0.70', 'disparity shown')
    """
    permutations = whole("permutations", permutations, 0, MOST_PERMUTATIONS, "more would not change p")
    conf_level, seed = confidence(conf_level), random_seed(seed)
    margin = _margin(margin)
    if (fit is None) == (scores is None):
        raise InputError("leakage takes a fit with its rows, or held-out scores: pass fit and X, or scores.")
    called = "fit" if scores is None else "scores"
    arguments = {"folds": folds, "permutations": permutations, "conf_level": conf_level, "margin": margin}
    call = _call(fit if scores is None else scores, arguments, seed)
    if not hasattr(fit, "crossfit"):
        scores = fit if scores is None else scores
        kept = _checked_scores(called, scores)
        if X is not None or (data is not None and groups is None):
            raise InputError(
                f"X and data go with a fit; held-out scores bring their rows. Pass {Setting('groups')}, with data the "
                "names of its columns, or a fit."
            )
        if real(folds) != FOLDS:
            raise InputError("folds", f"has {shown(folds)}; held-out scores have their own folds. Leave it out.")
        result = kept.groups if groups is None else Groups.of(groups, data, missing="level", index=kept.groups.index)
        current = replace(kept, groups=_one_a_row(result, kept))
        return replace(_of_scores(current, kept.groups, weights, permutations, conf_level, seed, margin), call=call)
    if X is None and data is None:
        raise InputError("X", f"is missing: {_held_out_only()}")
    if X is None:  # the features are the fit's; the table has them and the groups
        X, data = data, None
    design = design_to_refit(fit, X, groups, data, weights, use="they are what leaks")
    used = of_target(fit, design)
    if other_rows(fit, used):
        if real(folds) != FOLDS:
            raise InputError("folds", f"has {shown(folds)}; rows that the fit was not made of need none. Leave it out.")
        call = call.replace("), X, groups", "), X_new, groups_new")
        return replace(_of_other_rows(fit, design, permutations, conf_level, seed, margin), call=call)
    if other := other_groups(fit, used):
        one = Call("leakage", (snippet("fit.crossfit(X, groups)"), "groups=others"))
        raise InputError("groups", f"{other}, which has seen these rows; pass those of the fit, or {one}.")
    return replace(_of_fit(fit, design, folds, permutations, conf_level, seed, margin), call=call)


def _call(fit: Any, given: dict[str, Any], seed: int) -> str:
    """What repeats it, of a fit with its settings and its rows, or of held-out scores."""
    usual = {"folds": FOLDS, "permutations": 199, "conf_level": 0.95, "margin": None}
    lines = [
        f"{name}={value!r}" for name, value in given.items() if isinstance(value, (int, float)) and value != usual[name]
    ]
    first = "scores=scores"
    if hasattr(fit, "crossfit"):
        first = f"{call_of_fit(fit)}, X, groups"
    return f"fairstats.leakage({', '.join([first, *lines, f'seed={seed}'])})"


def _held_out_only() -> str:
    crossfit = snippet("fit.crossfit(X, groups)")
    return (
        "a fit leaves its own mark on the rows it has seen (in-sample OG scores of noise give a probe an AUC of 0.27), "
        f"so leakage takes held-out scores only; pass {Call('leakage', ('fit', 'X', 'groups'))}, or "
        f"{Call('leakage', (crossfit,))}{snippet(OTHERWISE)}."
    )


def _margin(margin: Any) -> float | None:
    if margin is None or _named(margin):
        return margins(margin).leakage
    return margin_of("margin", "leakage", margin)


def _named(margin: Any) -> bool:
    return hasattr(margin, "keys") or hasattr(margin, "leakage")


def _of_scores(
    scores: OutOfFoldScores,
    of_fit: Groups,
    weights: Any,
    permutations: int,
    conf_level: float,
    seed: int,
    margin: float | None,
) -> Leakage:
    promised = {
        name
        for name, factor in zip(scores.groups.names, scores.groups.factors, strict=True)
        if any(_settles(of.codes, factor.codes) for of in of_fit.factors)
    }
    scores = scores.counted(weights)
    run = ScoresRun.of(scores, permutations, conf_level, seed, margin)
    start = None if scores.before is None else replace(scores, scores=scores.before)
    plain = None if start is None else ScoresRun.of(start, 0, conf_level, seed, None)
    whole = None if scores.features is None else replace(scores, scores=scores.features)
    raw = None if whole is None else ScoresRun.of(whole, 0, conf_level, seed, None)
    before: list[Estimate] = []
    features: list[Estimate] = []
    rows: list[Estimate] = []
    statements: list[str] = []
    for labels in _attributes(scores.groups):
        result = run.of_levels(labels.name, labels.codes, labels.levels)
        rows += result
        current = [] if plain is None else plain.areas(labels.name, labels.codes, labels.levels)
        themselves = [] if raw is None else raw.areas(labels.name, labels.codes, labels.levels)
        statements.append(
            statement(labels.name, result, PROBES, margin)
            + beside(result, themselves, PROBES, FEATURES)
            + beside(result, current, PROBES, scores.before_of)
        )
        before += current
        features += themselves
    linear = f"AUC of {next(iter(PROBES))}"
    leaking = {str(row.attribute) for row in rows if row.metric == linear and row.verdict == "disparity shown"}
    if scores.method in METHODS and METHODS[scores.method].hides:
        statements += [NO_GROUP_OF_FIT.format(name=DataText(name)) for name in sorted(leaking - promised)]
        statements += _why(scores) if leaking & promised else []
    if leaking & promised:
        statements += scores.notes
    for name, values in zip(scores.groups.continuous_names, scores.groups.continuous.T, strict=True):
        result = run.of_numbers(name, values)
        rows += result
        statements.append(numeric_statement(name, result[-1], 1 - conf_level))
    return Leakage(
        Estimates(rows),
        tuple(statements),
        scores.method,
        len(scores.scores),
        scores.scores.shape[1],
        np.unique(scores.folds).size,
        run.sample.size,
        permutations,
        seed,
        conf_level,
        margin,
        before=without_verdict(before),
        features=without_verdict(features),
        weighted=scores.weights is not None,
    )


def _settles(codes: NDArray[Any], others: NDArray[Any]) -> bool:
    """Whether rows of the same level have the same other level: equal means of the levels make those equal, too."""
    return len(np.unique(np.column_stack([codes, others]), axis=0)) == len(np.unique(codes))


def _why(scores: OutOfFoldScores) -> list[str]:
    """Why a linear probe finds in held-out scores the group that the method takes out."""
    k, folds = scores.scores.shape[1], np.unique(scores.folds).size
    if scores.promised is not None and scores.promised < k:
        return [OF_FIRST.format(k=scores.promised, n=k)]
    if folds == 1:
        return [OF_NEW.format()]
    share = f"{100 * (1 - 1 / folds):.0f}"
    few = [OF_FEW.format(share=share, setting=Setting("folds", FEW_FOLDS))] if folds < FEW_FOLDS else []
    return [OF_OTHERS, *few]


def _of_other_rows(
    fit: Any, design: Design, permutations: int, conf_level: float, seed: int, margin: float | None
) -> Leakage:
    """Leakage of a fit as it is, on rows that are not its own; before it the features, as a PCA would be of them."""
    assert design.groups is not None
    refuse_unsquarable(design.X, design.features)
    fold = np.zeros(design.n, dtype=np.intp)
    kept = out_of_fold_scores(fit._mapped(design), fold, design, seed, fit, beside=False)
    reduces = METHODS[fit.method].reduces
    before, what = (features_before(fit, design), FEATURES) if reduces else unadjusted(fit, design, fold)
    kept = _checked_scores("X", replace(kept, before=before, before_of=what))
    of_fit = design.groups
    try:
        assert fit.encoding is not None
        fit.encoding.encode(of_fit, on_unknown="mean")
    except (AssertionError, InputError):  # other attributes, of which the fit promises nothing
        of_fit = replace(of_fit, names=(), factors=())
    return _of_scores(kept, of_fit, None, permutations, conf_level, seed, margin)


def _of_fit(
    fit: Any, design: Design, folds: Any, permutations: int, conf_level: float, seed: int, margin: float | None
) -> Leakage:
    assert design.groups is not None
    refuse_unsquarable(design.X, design.features)
    attributes = list(_attributes(design.groups))  # of every one it is said that it has levels
    weighted = design.weights is not None and bool(np.ptp(design.weights) > 0)
    settings: dict[str, Any] = {"conf_level": conf_level, "seed": seed, "margin": margin}
    if design.n < FEWEST or np.bincount(design.groups.cells[0]).min() < 2:
        reason = f"a group of one row, or fewer than {FEWEST} rows: nothing can be held out"
        return _nothing(fit, design, attributes, reason, 0, permutations, settings)
    fold = assign_folds(design, folds, seed)
    count = np.unique(fold).size
    try:
        if weighted:
            kept = fit.crossfit(design, folds=fold, seed=seed)
            kept = out_of_fold_scores(kept.scores, fold, design, seed, fit, beside=True)
            return _of_scores(kept, design.groups, None, permutations, conf_level, seed, margin)
        run = RefitRun.of(fit, design, fold, permutations, **settings)
        kept = run.scores()
    except FairstatsError as problem:
        # What half of the rows do not allow is no fault of the question.
        reason = f"the fit to a part of the rows failed: {problem}"
        return _nothing(fit, design, attributes, reason, count, permutations, settings)
    result, means, failed = run.rows(kept)
    given = run.conditional(kept)
    start, what = unadjusted(fit, design, fold)
    before: list[list[Estimate]] = [[] for _ in attributes] if start is None else run.areas(start)
    whole = features_before(fit, design)
    features: list[list[Estimate]] = [[] for _ in attributes] if whole is None else run.areas(whole)
    statements = [
        statement(labels.name, rows, PROBES, margin, alone, [r for r in means if r.attribute == labels.name])
        + beside(alone, themselves, PROBES, FEATURES, rows)
        + beside(alone, current, PROBES, what, rows)
        for labels, rows, alone, current, themselves in zip(attributes, result, given, before, features, strict=False)
    ] + [numeric_statement(rows[0].attribute, rows[-1], 1 - conf_level) for rows in result[len(attributes) :]]
    lost = f"{failed} of {permutations} refits failed, and count as if they leaked everything"
    rows = [replace(r, reason=joined((r.reason, lost if failed else ""))) for part in result for r in part]
    k, used = kept.scores.shape[1], run.sample.size
    text = tuple(statements)
    about = {
        **settings,
        "refits": run.words,
        "before": without_verdict([r for part in before for r in part]),
        "conditional": Estimates(r for part in given for r in part),
        "refitted": Estimates(means),
        "features": without_verdict([r for part in features for r in part]),
    }
    return _with_recognized(Leakage(Estimates(rows), text, fit.method, design.n, k, count, used, permutations, **about))


def _with_recognized(result: Leakage) -> Leakage:
    """Say in the row of a recognized group what its own scores show, which its interval and verdict do not."""
    reasons = {
        _place(r): RECOGNIZED.format(low=number(r.conf_low, 2), high=number(r.conf_high, 2)) for r in result.recognized
    }
    rows = (replace(r, reason=joined((r.reason, reasons.get(_place(r), "")))) for r in result.estimates)
    return replace(result, estimates=Estimates(rows))


def _nothing(
    fit: Any,
    design: Design,
    attributes: list[Labels],
    reason: str,
    folds: int,
    permutations: int,
    settings: dict[str, Any],
) -> Leakage:
    """Every row as unestimable, with the reason."""
    assert design.groups is not None
    names = [*(a.name for a in attributes), *design.groups.continuous_names]
    metrics = (*(f"AUC of {probe}" for probe in PROBES), "MMD²", "distance correlation")
    rows = [Estimate(metric, name, status="unestimable", reason=reason) for name in names for metric in metrics]
    text = tuple(f"{name}: not estimable: {reason}." for name in names)
    k = getattr(fit, "k", 0)
    return Leakage(Estimates(rows), text, fit.method, design.n, k, folds, 0, permutations, **settings)


def _checked_scores(called: str, scores: Any) -> OutOfFoldScores:
    names = isinstance(scores, (list, tuple)) and bool(scores) and all(isinstance(name, str) for name in scores)
    if names or hasattr(scores, "columns") or isinstance(scores, (Mapping, str, PathLike)):
        raise InputError(
            f"{called} has {shown(scores)}; it is a fit or held-out scores, as "
            f"{snippet('fit.crossfit(X, groups)')} gives them; "
            f"{Call('proxies', ('data', 'groups'))} says which columns of a table give the groups away."
        )
    if hasattr(scores, "get_params"):
        raise InputError(f"{called} has {shown(scores)}; {snippet(OF_A_STEP)}.")
    if not isinstance(scores, OutOfFoldScores):
        raise InputError(f"{called} has {shown(scores)}; {_held_out_only()}")
    matrix = np.asarray(scores.scores, dtype=float)
    if matrix.ndim != 2 or len(matrix) != len(scores.folds) or len(matrix) < FEWEST:
        raise InputError(
            f"{called} has shape {matrix.shape} with {len(scores.folds)} folds; leakage needs at least {FEWEST} rows, "
            "one fold number each."
        )
    if not np.isfinite(matrix).all():
        raise InputError(f"{called} has {int((~np.isfinite(matrix)).sum())} missing or infinite values.")
    return replace(scores, scores=matrix, folds=np.unique(scores.folds, return_inverse=True)[1])


def _one_a_row(groups: Groups, scores: OutOfFoldScores) -> Groups:
    if groups.n != len(scores.scores):
        raise InputError("groups", f"has {groups.n} values and scores {len(scores.scores)} rows; give one a row.")
    return groups


def _attributes(groups: Groups) -> Iterator[Labels]:
    for name, factor in zip(groups.names, groups.factors, strict=True):
        kept, codes = np.unique(factor.codes, return_inverse=True)
        levels = tuple(factor.levels[i] for i in kept)
        if len(levels) < 2:
            raise InputError(
                f"{Setting('groups', name)} has one level ({levels[0]}); leakage needs at least two groups."
            )
        yield Labels(name, np.asarray(codes, dtype=np.intp), levels)
