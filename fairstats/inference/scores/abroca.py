"""ABROCA: the area between the ROC curves of groups, with an interval that holds where the curves are one, too."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.arguments import random_seed
from fairstats.choices import WeightType
from fairstats.estimates import Estimate
from fairstats.inference.rates.largest_gap import EXTREMES
from fairstats.inference.rates.people_by_group import Members, labels, people, without
from fairstats.inference.scores.roc_differences import area_between

Floats = NDArray[np.float64]
REPLICATES = 1999
FEWEST = 20  # people of an outcome in a group, from which on the bootstrap is known to hold (docs/verdicts.md)
POINTS = 1000  # false positive rates at which resampled curves are compared
AT_ONCE = 2_000_000  # numbers of resampled people that are held at a time
METHOD = "bootstrap of the area between estimated and resampled differences of curves"
NO_SPREAD = "no resampled curve differs from the estimated one, which leaves no error"


def abroca(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "probability",
    conf_level: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """Estimate the largest area between the ROC curves of two groups, with an interval.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        Outcomes 0 and 1.
    y_score : array_like, shape (n,)
        Scores; larger means more likely positive.
    groups, sensitive_features, sample_weight, weight_type, conf_level
        As in `demographic_parity_difference`.
    seed : int
        Of the bootstrap.

    Returns
    -------
    Estimate
        Between 0 and 1; at least the difference of the two AUCs, which it equals where the curves do not cross. A group
        without positives or without negatives is left out.

    Raises
    ------
    InputError
        If an argument cannot be used as it is.

    Notes
    -----
    It is positive by chance where all curves are one, and the more so the fewer people there are, so the percentiles of
    a bootstrap do not cover it. The area between two functions is a distance: the estimate differs from the truth by no
    more than the area between the estimated difference of the curves and the true one. The interval is the estimate
    less and plus the ``conf_level`` quantile of that area in 1999 bootstrap samples (people of each group and outcome
    resampled; the largest area over all pairs of groups), times the square root of n / (n - 1) of the smallest such
    sample, within 0 and 1. In large samples it covers at least as often as it says. With fewer than 20 people of an
    outcome in a group the row says that it is approximate.

    References
    ----------
    Gardner, Brooks & Baker (2019), Evaluating the fairness of predictive student models through slicing analysis,
    LAK 9, 225-234; Borchers & Baker (2025), ABROCA distributions for algorithmic bias assessment, LAK 15; Horváth,
    Horváth & Zhou (2008), Confidence bands for ROC curves, JSPI 138, 1894-1904 (the bootstrap of ROC curves).

    Examples
    --------
    >>> import fairstats as fs
    >>> y_true, y_score, groups = [0, 1, 0, 1] * 50, [1, 2, 3, 4, 1, 4, 3, 4] * 25, ["m"] * 4 + ["f"] * 4
    >>> row = fs.stats.abroca(y_true, y_score, groups=groups * 25)
    >>> round(row.estimate, 2), round(row.conf_low, 2), round(row.conf_high, 2)
    (0.25, 0.14, 0.36)
    """
    named = labels(groups, sensitive_features)
    who, (y, s) = people(named, sample_weight, weight_type, probabilities=False, y_true=y_true, y_score=y_score)
    own = [[who.of(g, y == label) for label in (0, 1)] for g in range(len(who.groups))]
    n = np.array([[who.weights[part].sum() for part in parts] for parts in own])
    used = np.flatnonzero(n.min(axis=1) > 0)
    row = Estimate("ABROCA", who.attribute, contrast="difference", role="all groups", n=float(n.sum()))
    absent = "; ".join(filter(None, (without(who, n[:, k], word) for k, word in ((1, "positives"), (0, "negatives")))))
    if used.size < 2:
        return replace(row, status="unestimable", reason=absent)
    samples = [_Sample.of(who, s, own[g]) for g in used]
    curves = [sample.observed for sample in samples]
    pairs = list(combinations(range(len(samples)), 2))
    areas = [area_between(curves[i], curves[j]) for i, j in pairs]
    i, j = pairs[int(np.argmax(areas))]
    seen = f"{EXTREMES}{who.groups[used[i]]} and {who.groups[used[j]]}"
    known = _distances(samples, pairs, random_seed(seed))
    fewest = min(min(sample.draws) for sample in samples)
    apart = float(np.quantile(known, conf_level, method="higher")) * math.sqrt(fewest / max(fewest - 1, 1))
    few = f"approximate: fewer than {FEWEST} of an outcome in a group" if fewest < FEWEST else ""
    estimate, reason = max(areas), "; ".join(filter(None, [seen, absent, few]))
    if apart == 0:
        return replace(row, estimate=estimate, reason=f"{reason}; {NO_SPREAD}")
    ends = max(0.0, estimate - apart), min(1.0, estimate + apart)
    return row.with_interval(estimate, *ends, conf_level, method=METHOD, reason=reason)


class _Sample(NamedTuple):
    """One group: by outcome, what its people count at each distinct score, from the highest, and how they are drawn."""

    place: tuple[NDArray[np.intp], NDArray[np.intp]]  # of the people of outcome 0 and 1 among the distinct scores
    chance: tuple[Floats, Floats]  # of a person to be drawn
    draws: tuple[int, int]
    value: tuple[Floats, Floats]  # what a person counts each time
    size: int

    @staticmethod
    def of(who: Members, s: Floats, parts: list[NDArray[np.bool_]]) -> _Sample:
        """Sort the people of a group; a frequency is so many people, an inverse probability one that counts more."""
        known, place = np.unique(-np.concatenate([s[part] for part in parts]), return_inverse=True)
        first, second = place[: parts[0].sum()], place[parts[0].sum() :]
        weights = [who.weights[part] for part in parts]
        if who.drawn:
            chance, value, draws = [np.full(w.size, 1 / w.size) for w in weights], weights, [w.size for w in weights]
        else:
            chance, value = [w / w.sum() for w in weights], [np.ones(w.size) for w in weights]
            draws = [int(w.sum()) for w in weights]
        return _Sample((first, second), tuple(chance), tuple(draws), tuple(value), known.size)  # type: ignore[arg-type]

    @property
    def observed(self) -> tuple[Floats, Floats]:
        """The curve: false and true positive rates from (0, 0) to (1, 1)."""
        fpr, tpr = (self._rising(k, (self.chance[k] * self.draws[k] * self.value[k])[None, :])[0] for k in (0, 1))
        return fpr, tpr

    def resampled(self, rng: np.random.Generator, times: int) -> tuple[Floats, Floats]:
        """Curves of people drawn again, a line a sample."""
        drawn = (rng.multinomial(self.draws[k], self.chance[k], size=times) * self.value[k] for k in (0, 1))
        fpr, tpr = (self._rising(k, counts) for k, counts in enumerate(drawn))
        return fpr, tpr

    def _rising(self, outcome: int, counts: Floats) -> Floats:
        """Shares of the people of an outcome at each score and above, from 0 to 1."""
        at = np.stack([np.bincount(self.place[outcome], line, self.size) for line in counts])
        sums = np.cumsum(at, axis=1)
        return np.hstack([np.zeros((len(sums), 1)), sums / sums[:, -1:]])


def _distances(samples: list[_Sample], pairs: list[tuple[int, int]], seed: int) -> Floats:
    """Of each bootstrap sample, the largest area between a resampled difference of two curves and the estimated one."""
    rng, at = np.random.default_rng(seed), (np.arange(POINTS) + 0.5) / POINTS
    base = [np.interp(at, *sample.observed) for sample in samples]
    found = []
    for times in _blocks(REPLICATES, max(max(map(len, sample.chance)) for sample in samples)):
        drawn = [sample.resampled(rng, times) for sample in samples]
        for k in range(times):
            off = [np.interp(at, fpr[k], tpr[k]) - b for (fpr, tpr), b in zip(drawn, base, strict=True)]
            found.append(max(float(np.abs(off[i] - off[j]).mean()) for i, j in pairs))
    return np.array(found)


def _blocks(times: int, people: int) -> Iterator[int]:
    size = max(1, AT_ONCE // people)
    for start in range(0, times, size):
        yield min(size, times - start)
