"""The largest difference and the worst ratio of one rate or of several, between groups or to everybody, with limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from fairstats.choices import Contrast
from fairstats.estimates import NAN
from fairstats.inference.rates.design_families import DesignFamily
from fairstats.inference.rates.design_rates import DesignRates
from fairstats.inference.rates.design_rows import DESIGN_NAMES
from fairstats.inference.rates.design_sums import rates_of_weighted
from fairstats.inference.rates.largest_gap import NAMES, range_parts
from fairstats.inference.rates.people_by_group import Members, RateSums
from fairstats.inference.rates.score_intervals import koopman, miettinen_nurminen

Floats = NDArray[np.float64]
Limits = tuple[float, float, float]  # estimate, low, high
Against = Literal["between_groups", "to_overall"]
Agg = Literal["worst_case", "mean"]
AGAINST = ("between_groups", "to_overall")
WORST: Final = "worst_case"
AGGS = (WORST, "mean")
TO_OVERALL = {
    "difference": "Miettinen-Nurminen intervals of each group and all others, Bonferroni",
    "ratio": "Koopman intervals of each group and all others, Bonferroni",
}
DESIGNED = ", effective sizes, t"


@dataclass(frozen=True)
class Gap:
    """A gap with its limits, the test of no gap, and how they were made."""

    estimate: float
    low: float
    high: float
    statistic: float
    p_value: float
    method: str


def gap(
    rates: Sequence[RateSums],
    people: Members,
    contrast: Contrast,
    against: Against,
    agg: Agg,
    conf_level: float,
    seed: int,
) -> Gap:
    """The largest difference (or smallest ratio) of some rates, or the mean of theirs, with limits that hold jointly.

    Parameters
    ----------
    rates : sequence of RateSums
        One a rate; groups without anybody in a denominator do not count there.
    people : Members
        Whose weights say which kind of inference there is.
    contrast : {"difference", "ratio"}
    against : {"between_groups", "to_overall"}
        The highest rate and the lowest, or the group furthest from the rate of everybody.
    agg : {"worst_case", "mean"}
        Of several rates.
    conf_level, seed
        Of the limits, and of the permutations behind them.

    Returns
    -------
    Gap
        NaN where a rate has fewer than two groups, a ratio is 0/0, or a weighted group has one person only.

    Examples
    --------
    >>> from fairstats.inference.rates.people_by_group import people
    >>> made, (y,) = people(["a"] * 50 + ["b"] * 50, None, "frequency", y=[1] * 40 + [0] * 10 + [1, 0] * 25)
    >>> found = gap([made.sums(y == 1, y >= 0)], made, "difference", "between_groups", "worst_case", 0.95, 0)
    >>> round(found.estimate, 2), found.low > 0
    (0.3, True)
    """
    how = _to_overall if against == "to_overall" else _by_design if people.drawn else _by_counts
    parts, statistic, p, method = how(rates, people, contrast, conf_level, seed)
    if np.isnan(parts).any():
        return Gap(NAN, NAN, NAN, NAN, NAN, method)
    worst = np.max if contrast == "difference" else np.min
    estimate, low, high = (np.mean if agg == "mean" else worst)(parts, axis=0)
    return Gap(float(estimate), float(low), float(high), statistic, p, method)


Found = tuple[Floats, float, float, str]


def _by_counts(rates: Sequence[RateSums], people: Members, contrast: Contrast, conf_level: float, seed: int) -> Found:
    events, n = np.array([r.events for r in rates]), np.array([r.n for r in rates])
    joint, parts = range_parts(events, n, conf_level, contrast, seed=seed)
    return parts, joint.statistic, joint.p_value, NAMES[contrast]


def _by_design(rates: Sequence[RateSums], people: Members, contrast: Contrast, conf_level: float, seed: int) -> Found:
    """Each rate has its share of the error: nothing is asked of how several rates depend on each other."""
    level = 1 - (1 - conf_level) / len(rates)
    found = []
    for rate in rates:
        design = _design(rate, people)
        family = DesignFamily(design, tuple(np.flatnonzero(rate.n > 0).tolist()))
        whole = design.estimable[rate.n > 0].all()
        of = family.largest_difference if contrast == "difference" else family.worst_ratio
        found.append(of(level) if whole else (NAN, NAN, NAN, NAN))
    p = min(1.0, len(rates) * float(np.min([row[3] for row in found])))
    return np.array(found)[:, :3], NAN, p, DESIGN_NAMES[contrast]


def _design(rate: RateSums, people: Members) -> DesignRates:
    return rates_of_weighted(*rate, int(np.sum(people.weights > 0)))


def _to_overall(rates: Sequence[RateSums], people: Members, contrast: Contrast, conf_level: float, seed: int) -> Found:
    """A group against everybody is a group against the others, less its own share; limits given the groups' shares."""
    groups = sum(int(np.sum(rate.n > 0)) for rate in rates)
    level = 1 - (1 - conf_level) / max(groups, 1)
    parts = [_furthest(rate, people, contrast, level) for rate in rates]
    return np.array(parts), NAN, NAN, TO_OVERALL[contrast] + DESIGNED * people.drawn


def _furthest(rate: RateSums, people: Members, contrast: Contrast, level: float) -> Limits:
    places = np.flatnonzero(rate.n > 0)
    total = float(rate.events.sum() / rate.n.sum()) if places.size else NAN
    if places.size < 2 or (contrast == "ratio" and not total > 0):
        return NAN, NAN, NAN
    found = np.array([_one_to_all(rate, people, int(i), contrast, level) for i in places])
    return tuple((np.max if contrast == "difference" else np.min)(found, axis=0).tolist())


def _one_to_all(rate: RateSums, people: Members, i: int, contrast: Contrast, level: float) -> Limits:
    two = RateSums(*(np.array([part[i], part.sum() - part[i]]) for part in rate))
    share = float(two.n[0] / two.n.sum())
    ratio, others = float(two.events[0] / two.n[0]), float(two.events[1] / two.n[1])
    overall = float(two.events.sum() / two.n.sum())
    if contrast == "difference":
        low, high = ((1 - share) * end for end in _limits(two, people, contrast, level))
        return abs(ratio - overall), max(0.0, low, -high), max(abs(low), abs(high))
    if ratio == others == 0:
        return NAN, NAN, NAN
    low, high = (_to_all(end, share) for end in _limits(two, people, contrast, level))
    ends = sorted((_at_most_one(low), _at_most_one(high)))
    return _at_most_one(ratio / overall), ends[0], 1.0 if low <= 1 <= high else ends[1]


def _limits(two: RateSums, people: Members, contrast: Contrast, level: float) -> tuple[float, float]:
    """Of the first group against the second."""
    if people.drawn:
        design = _design(two, people)
        pair = design.pair(0, 1)
        if not design.estimable.all():
            return NAN, NAN
        return pair.limits(level) if contrast == "difference" else pair.ratio_limits(level)
    interval: Callable[..., tuple[Floats, Floats]] = miettinen_nurminen if contrast == "difference" else koopman
    low, high = interval(two.events[0], two.n[0], two.events[1], two.n[1], level)
    return float(low), float(high)


def _to_all(ratio: float, share: float) -> float:
    """The ratio of a group to everybody from that to the others."""
    return 1 / share if np.isinf(ratio) else ratio / (share * ratio + 1 - share)


def _at_most_one(ratio: float) -> float:
    return min(ratio, 1 / ratio) if ratio > 0 else 0.0
