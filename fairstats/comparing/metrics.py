"""From the strata of every split to metrics by group: each with its values, and what the strata add to its variance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fairstats.comparing.plan import Plan
from fairstats.comparing.splits import SplitResult, stack
from fairstats.inference.means import between_strata
from fairstats.language import message
from fairstats.metrics import UNKNOWN, Metric, rates

PARITY, ODDS = "demographic parity difference", "equalized odds difference"
EXPLAINED, DISCREPANCY, SECONDS = "explained variance", "MMD²", "fit seconds"
Floats = NDArray[np.float64]
# where the values of a metric, and so its intervals, end
SHARE, POSITIVE, ANYWHERE = (0.0, 1.0), (0.0, float("inf")), (float("-inf"), float("inf"))
# Table 2 of Aliverti et al.: name there -> (outcome, prediction). "Positive" there is the outcome not predicted.
JOINT = {"TPR": (0, 0), "TNR": (1, 1), "FNR": (0, 1), "FPR": (1, 0)}
SELECTIONS = ("selection rate", "positive rate")  # the same share, named by whether a prediction helps
CERTAIN = message("no variation from split to split: no interval")
# held out of either outcome: below it the intervals of AUCs of 0.75 to 0.97 covered 85 to 93% in simulations
FEWEST_OF_AN_OUTCOME = 10
JOINT_METRIC = "joint share, {} of Aliverti et al."
# the two shares of everybody with the outcome, predicted or not
OUTCOMES = tuple(JOINT_METRIC.format(name) for name, (outcome, _) in JOINT.items() if outcome)


@dataclass(frozen=True)
class Part:
    """One sample of a metric: means by stratum (T, P or 1, H), shares of the strata (P, H), people (P,)."""

    means: Floats
    weights: Floats
    n: Floats


@dataclass(frozen=True)
class Shares:
    """Shares of the strata (T, H), how many of each are held out (H,), and their weights in a panel (P, H)."""

    means: Floats
    n: Floats
    weights: Floats

    def variance(self, term: int, less: int | None) -> Floats:
        """The variance within strata of a share among those held out in one split, (P,), for fixed models.

        Of the difference of two models it is the least that goes with it: nobody but those whom one of them predicts
        otherwise, all in one direction.
        """
        p = self.means[term]
        apart = None if less is None else np.abs(p - self.means[less])
        each = p * (1 - p) if apart is None else apart - apart**2
        return np.asarray(each / np.maximum(self.n, 1.0) @ (self.weights * self.weights).T)


@dataclass(frozen=True)
class Measure:
    """A metric of every split (J, T, P), where P are panels, or pairs; `n` (P,), or (T, P), people held out."""

    metric: str
    values: Floats
    n: Floats
    parts: tuple[Part, ...]
    within: tuple[float, float] = SHARE  # where its values lie
    few: NDArray[np.bool_] | None = None  # panels in which its interval is approximate only
    shares: Shares | None = None  # of the strata, where it is a share of people

    def at(self, term: int) -> Measure:
        """The measure with the people of one term, where who is looked at depends on the predictions."""
        return self if self.n.ndim == 1 else replace(self, n=self.n[term])

    def of(self, term: int, less: int | None = None) -> tuple[Floats, Floats, Floats]:
        """Values (J, P), the variance that strata add and the least within them (P,), of a term or less another one."""
        values, added = self.values[:, term], np.zeros(self.n.shape[-1])
        if less is not None:
            values = values - self.values[:, less]
        for part in self.parts:
            means = part.means[term] if less is None else part.means[term] - part.means[less]
            added = added + between_strata(np.nan_to_num(means), part.weights, part.n)
        return values, added, np.zeros_like(added) if self.shares is None else self.shares.variance(term, less)


def measures(plan: Plan, results: Sequence[SplitResult], selection: str) -> list[Measure]:
    """The metrics of every panel.

    plan: the data, their strata and panels.
    selection: what the share predicted as `plan.selects` is called here.
    """
    score = stack(results, "score")
    items = [metric for metric in rates("compare") if metric.name == selection or metric.name not in SELECTIONS]
    everybody = np.ones(len(plan.stratum_y), dtype=bool)
    return [
        _area(plan, results),
        *(_rate(plan, results, metric) for metric in items),
        _linear(plan, results, "mean score", score, everybody, within=ANYWHERE),
    ]


def joint(plan: Plan, results: Sequence[SplitResult]) -> Iterator[Measure]:
    """The four joint shares of outcome and prediction."""
    yes = stack(results, "predicted")
    everybody = np.ones(len(plan.sizes), dtype=bool)
    for name, (outcome, prediction) in JOINT.items():
        share = np.where(plan.stratum_y == outcome, yes if prediction else 1 - yes, 0.0)
        yield _linear(plan, results, JOINT_METRIC.format(name), share, everybody)


def superiority(plan: Plan, results: Sequence[SplitResult]) -> Measure:
    """P(X>Y) of the held-out scores of a group and its reference, one value a pair."""
    groups, references = (plan.members[[pair[side] for pair in plan.pairs]] for side in (0, 1))
    means = stack(results, "pair_places").mean(axis=0)
    parts = _parts(plan, means, (groups, references))
    return Measure("P(X>Y)", stack(results, "superiority"), _people(results, groups), parts)


def distribution(plan: Plan, results: Sequence[SplitResult], term: int) -> tuple[Floats, Floats]:
    """Distribution functions of a term's scores (J, panels, points) and the variance that strata add to them."""
    by_stratum = np.nan_to_num(np.stack([r.curves[term] for r in results]))
    means = by_stratum.mean(axis=0).T
    added: Floats = np.zeros((len(plan.members), len(means)))
    for part in _parts(plan, np.empty(0), (plan.members,)):
        added = between_strata(means[None], part.weights[:, None], part.n[:, None])
    return np.einsum("jph,jhx->jpx", _test_shares(results, plan.members), by_stratum), added


def _area(plan: Plan, results: Sequence[SplitResult]) -> Measure:
    means = stack(results, "auc_places").mean(axis=0)
    parts = _parts(plan, means, tuple(plan.members & (plan.stratum_y == y) for y in (1, 0)))
    sides = [_people(results, plan.members & (plan.stratum_y == y)) for y in (1, 0)]
    few = np.minimum(*sides) < FEWEST_OF_AN_OUTCOME
    return Measure("AUC", stack(results, "auc"), _people(results, plan.members), parts, few=few)


def _rate(plan: Plan, results: Sequence[SplitResult], metric: Metric) -> Measure:
    """A rate of the table outcome × prediction; where predictions decide its denominator, a ratio of means."""
    events, among = ([c for c in cells if UNKNOWN not in c] for cells in metric.cells(plan.selects))
    outcomes = {y for y, _ in among}
    if len(among) == 2 * len(outcomes):  # everybody with these outcomes, whatever the prediction
        chosen = np.isin(plan.stratum_y, list(outcomes))
        shares = _shares_of(plan, results, events)
        n, weights = stack(results, "holdout_counts").mean(axis=0), _test_shares(results, plan.members & chosen)
        of_strata = Shares(np.nan_to_num(shares.mean(axis=0)), n, np.nan_to_num(weights.mean(axis=0)))
        return replace(_linear(plan, results, metric.name, shares, chosen), shares=of_strata)
    return _ratio(plan, results, metric.name, _shares_of(plan, results, events), _shares_of(plan, results, among))


def _shares_of(plan: Plan, results: Sequence[SplitResult], cells: Sequence[tuple[int, int]]) -> Floats:
    """Share of the people of each stratum in cells (outcome, prediction), in every split (J, T, H)."""
    yes = stack(results, "predicted")
    shares: Floats = np.zeros_like(yes)
    for outcome, prediction in cells:
        shares = np.where(plan.stratum_y == outcome, shares + (yes if prediction else 1 - yes), shares)
    return shares


def _ratio(plan: Plan, results: Sequence[SplitResult], metric: str, events: Floats, among: Floats) -> Measure:
    """A ratio of two means over people, from the stratum means of both in every split (J, T, H).

    What the strata add to its variance is that of the linearized ratio, (event - ratio × among) / mean of among.
    """
    kept, members = _test_shares(results, plan.members), plan.members
    weights = _shares(plan.sizes, members)

    def means(parts: Floats) -> Floats:
        return np.einsum("jth,jph->jtp", np.nan_to_num(parts), kept)

    a, b = (np.nan_to_num(v.mean(axis=0)) for v in (events, among))  # (T, H)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = means(events) / means(among)
        base = np.einsum("th,ph->tp", b, np.nan_to_num(weights))
        level = np.einsum("th,ph->tp", a, np.nan_to_num(weights)) / base
        linear = (a[:, None, :] - level[:, :, None] * b[:, None, :]) / base[:, :, None]
    n = (stack(results, "holdout_counts")[:, None, :] * np.nan_to_num(among)).mean(axis=0) @ members.T
    return Measure(metric, values, n, _parts(plan, linear, (members,)))


def _linear(
    plan: Plan,
    results: Sequence[SplitResult],
    metric: str,
    means: Floats,
    among: NDArray[np.bool_],
    within: tuple[float, float] = SHARE,
) -> Measure:
    """A mean over the people of the strata `among`, from the means of the strata in every split (J, T, H)."""
    members = plan.members & among
    # one fixed order of summation: a batched product would round by how many terms there are
    values = np.einsum("jth,jph->jtp", np.nan_to_num(means), _test_shares(results, members))
    parts = _parts(plan, means.mean(axis=0)[:, None], (members,))
    return Measure(metric, values, _people(results, members), parts, within)


def _people(results: Sequence[SplitResult], members: NDArray[np.bool_]) -> Floats:
    """People held out of the strata in each row of `members`, in a split on average."""
    return np.asarray(members @ stack(results, "holdout_counts").mean(axis=0))


def _test_shares(results: Sequence[SplitResult], members: NDArray[np.bool_]) -> Floats:
    """Shares of the strata among those held out (J, P, H)."""
    return np.stack([_shares(r.holdout_counts, members) for r in results])


def _parts(plan: Plan, means: Floats, several: Sequence[NDArray[np.bool_]]) -> tuple[Part, ...]:
    """What stratified splits hold fixed; splits that the caller brings vary in it, and nothing is to be added."""
    if plan.given:
        return ()
    return tuple(Part(means, np.nan_to_num(_shares(plan.sizes, m)), (m @ plan.sizes).astype(float)) for m in several)


def _shares(sizes: NDArray[np.intp] | Floats, members: NDArray[np.bool_]) -> Floats:
    """Shares of the strata in each row of `members`; NaN where there is nobody."""
    counts = members * sizes
    with np.errstate(invalid="ignore"):
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))
