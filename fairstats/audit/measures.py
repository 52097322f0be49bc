"""From the strata of every split to metrics by group: each with its values, and what the strata add to its variance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairstats.audit.heldout import Plan, SplitResult, stack
from fairstats.inference.resampled import between_strata

Floats = NDArray[np.float64]
# Table 2 of Aliverti et al.: name there -> (outcome, prediction). "Positive" there is the outcome not predicted.
JOINT = {"TPR": (0, 0), "TNR": (1, 1), "FNR": (0, 1), "FPR": (1, 0)}
JOINT_METRIC = "joint share, {} of Aliverti et al."


@dataclass(frozen=True)
class Part:
    """One sample that a metric averages over: stratum means (T, P or 1, H), their shares (P, H), people (P,)."""

    means: Floats
    weights: Floats
    n: Floats


@dataclass(frozen=True)
class Measure:
    """A metric of every split (J, T, P), where P are panels, or pairs of panels; `n` (P,) people held out."""

    metric: str
    values: Floats
    n: Floats
    parts: tuple[Part, ...]
    bounded: bool = True  # between 0 and 1

    def of(self, term: int, less: int | None = None) -> tuple[Floats, Floats]:
        """Values (J, P) and the variance that strata add (P,), of a term, or of a term less another one."""
        values, added = self.values[:, term], np.zeros(len(self.n))
        if less is not None:
            values = values - self.values[:, less]
        for part in self.parts:
            means = part.means[term] if less is None else part.means[term] - part.means[less]
            added = added + between_strata(np.nan_to_num(means), part.weights, part.n)
        return values, added


def measures(plan: Plan, results: Sequence[SplitResult], selection: str) -> list[Measure]:
    """The metrics of every panel.

    Parameters
    ----------
    plan : Plan
        The data, their strata and panels.
    results : sequence of SplitResult
        The splits.
    selection : str
        What the share predicted as `plan.selects` is called here.

    Returns
    -------
    list of Measure
    """
    yes, score = stack(results, "predicted"), stack(results, "score")
    outcome = plan.stratum_y.astype(bool)
    right = np.where(outcome, yes, 1 - yes)
    everybody = np.ones_like(outcome)
    return [
        _area(plan, results),
        _linear(plan, "accuracy", right, everybody),
        _linear(plan, "classification error", 1 - right, everybody),
        _linear(plan, "TPR", yes, outcome),
        _linear(plan, "FPR", yes, ~outcome),
        _linear(plan, "TNR", 1 - yes, ~outcome),
        _linear(plan, "FNR", 1 - yes, outcome),
        _linear(plan, selection, yes if plan.selects else 1 - yes, everybody),
        _linear(plan, "mean score", score, everybody, bounded=False),
    ]


def joint(plan: Plan, results: Sequence[SplitResult]) -> Iterator[Measure]:
    """The four joint shares of outcome and prediction."""
    yes = stack(results, "predicted")
    everybody = np.ones(len(plan.held), dtype=bool)
    for name, (outcome, prediction) in JOINT.items():
        share = np.where(plan.stratum_y == outcome, yes if prediction else 1 - yes, 0.0)
        yield _linear(plan, JOINT_METRIC.format(name), share, everybody)


def superiority(plan: Plan, results: Sequence[SplitResult]) -> Measure:
    """P(X>Y) of the held-out scores of a group and its reference, one value a pair."""
    groups, references = (plan.members[[pair[side] for pair in plan.pairs]] for side in (0, 1))
    means = stack(results, "pair_places").mean(axis=0)
    n = groups @ plan.held
    parts = tuple(_part(plan, means, side) for side in (groups, references))
    return Measure("P(X>Y)", stack(results, "superiority"), n.astype(float), parts)


def distribution(plan: Plan, results: Sequence[SplitResult], term: int) -> tuple[Floats, Floats]:
    """Distribution functions of a term's scores (J, panels, points) and the variance that strata add to them."""
    by_stratum = np.nan_to_num(np.stack([r.curves[term] for r in results]))
    part = _part(plan, np.empty(0), plan.members)
    means = by_stratum.mean(axis=0).T
    added = between_strata(means[None], part.weights[:, None], part.n[:, None])
    return np.einsum("ph,jhx->jpx", _shares(plan.held, plan.members), by_stratum), added


def _area(plan: Plan, results: Sequence[SplitResult]) -> Measure:
    means = stack(results, "auc_places").mean(axis=0)
    parts = tuple(_part(plan, means, plan.members & (plan.stratum_y == y)) for y in (1, 0))
    n = (plan.members @ plan.held).astype(float)
    return Measure("AUC", stack(results, "auc"), n, parts)


def _linear(plan: Plan, metric: str, means: Floats, among: NDArray[np.bool_], bounded: bool = True) -> Measure:
    """A mean over the people of the strata `among`, from the means of the strata in every split (J, T, H)."""
    members = plan.members & among
    values = np.nan_to_num(means) @ _shares(plan.held, members).T
    part = _part(plan, means.mean(axis=0)[:, None], members)
    return Measure(metric, values, (members @ plan.held).astype(float), (part,), bounded)


def _part(plan: Plan, means: Floats, members: NDArray[np.bool_]) -> Part:
    return Part(means, np.nan_to_num(_shares(plan.sizes, members)), (members @ plan.sizes).astype(float))


def _shares(sizes: NDArray[np.intp], members: NDArray[np.bool_]) -> Floats:
    """Shares of the strata in each row of `members`; NaN where there is nobody."""
    counts = members * sizes
    with np.errstate(invalid="ignore"):
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))
