"""Several groups at once: intervals for the largest difference and against the best group that hold under equality.

The largest observed difference is positive even where all rates are equal, so a bootstrap percentile interval of it
never covers 0. Here all pairs of groups get intervals that hold jointly (`joint`). The largest rate minus the smallest
is the largest of the pairwise differences, so its limits are the largest of theirs; a group minus the best other one
is the smallest of its own differences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.arguments import choose
from fairstats.choices import Contrast
from fairstats.estimates import NAN, Estimate
from fairstats.inference.rates.all_rates_equal import REPLICATES, members
from fairstats.inference.rates.one_rate import clopper_pearson
from fairstats.inference.rates.simultaneous_level import Joint, joint_level, outermost_of_pairs
from fairstats.text import count

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class GapLimits:
    """Estimates with simultaneous limits (numbers, or arrays by group), and the joint test."""

    estimate: Any
    low: Any
    high: Any
    joint: Joint


def rate_range(events: ArrayLike, n: ArrayLike, conf_level: float = 0.95, **options: Any) -> GapLimits:
    """Estimate the largest rate minus the smallest, or the largest of such ranges (equalized odds), with limits.

    Parameters
    ----------
    events, n : array_like, shape (G,) or (m, G)
        Events and sizes; rows are families (TPR and FPR give the equalized odds difference). Empty groups do not
        count.
    conf_level : float
        Nominal coverage.
    **options
        ``replicates`` and ``seed`` of `joint_level`.

    Returns
    -------
    GapLimits
        NaN where a family has fewer than two groups with members. Under equality the lower limit is 0 in 93 to 97 %
        of samples wherever n p and n (1 - p) are at least 5 (the coverage page of the documentation).

    References
    ----------
    Tukey (1953), The Problem of Multiple Comparisons; Miettinen & Nurminen (1985), Statistics in Medicine 4.

    Examples
    --------
    >>> import fairstats as fs
    >>> limits = fs.stats.rate_range([50, 60, 55], [100, 100, 100])
    >>> round(limits.estimate, 3), float(limits.low), round(limits.high, 2)
    (0.1, 0.0, 0.26)
    """
    joint, parts = range_parts(events, n, conf_level, "difference", **options)
    estimate, low, high = np.max(parts, axis=0)
    return GapLimits(float(estimate), float(low), float(high), joint)


def range_parts(
    events: ArrayLike, n: ArrayLike, conf_level: float, contrast: Contrast, **options: Any
) -> tuple[Joint, Floats]:
    """The range of every family of rates, as difference or ratio, with limits that hold for all families together.

    Parameters
    ----------
    events, n, conf_level, contrast, **options
        As in `joint_level`.

    Returns
    -------
    Joint
    ndarray, shape (m, 3)
        Estimate and limits, one row a family; NaN where a family has fewer than two groups with members or is 0/0.

    Examples
    --------
    >>> range_parts([[50, 60], [5, 5]], [[100, 100], [90, 80]], 0.95, "ratio")[1][:, 0].round(3).tolist()
    [0.833, 0.889]
    """
    joint = joint_level(events, n, conf_level, contrast=contrast, **options)
    families = zip(np.atleast_2d(events), np.atleast_2d(n), strict=True)
    return joint, np.array([_range_limits(*members(e, size), joint.conf_level, contrast) for e, size in families])


def _range_limits(e: Floats, size: Floats, level: float, contrast: Contrast) -> tuple[float, float, float]:
    if size.size < 2 or (contrast == "ratio" and not e.any()):
        return NAN, NAN, NAN
    low, high = outermost_of_pairs(e, size, level, contrast)
    if contrast == "difference":
        return float(np.ptp(e / size)), max(0.0, low), high
    rates = e / size
    return float(rates.min() / rates.max()), low, min(1.0, high)


def worst_ratio(events: ArrayLike, n: ArrayLike, conf_level: float = 0.95, **options: Any) -> GapLimits:
    """Estimate the smallest rate over the largest, or the smallest of such ratios (equalized odds), with limits.

    Parameters
    ----------
    events, n : array_like, shape (G,) or (m, G)
        Events and sizes; rows are families, as in `rate_range`. Empty groups do not count.
    conf_level : float
        Nominal coverage.
    **options
        ``replicates`` and ``seed`` of `joint_level`.

    Returns
    -------
    GapLimits
        NaN where a family has fewer than two groups with members, or nobody with the property.

    References
    ----------
    Koopman (1984), Biometrics 40; Tukey (1953), The Problem of Multiple Comparisons.

    Examples
    --------
    >>> import fairstats as fs
    >>> limits = fs.stats.worst_ratio([50, 60, 55], [100, 100, 100])
    >>> round(limits.estimate, 3), round(limits.low, 2), limits.high
    (0.833, 0.62, 1.0)
    """
    joint, parts = range_parts(events, n, conf_level, "ratio", **options)
    estimate, low, high = np.min(parts, axis=0)
    if np.isnan(estimate):
        return GapLimits(NAN, NAN, NAN, Joint(NAN, NAN, NAN))
    return GapLimits(float(estimate), float(low), float(high), joint)


def against_best(
    events: ArrayLike, n: ArrayLike, conf_level: float = 0.95, *, contrast: Contrast = "difference", **options: Any
) -> GapLimits:
    """Compare each group with the best of the others: p_i minus (or over) the highest other rate, with joint limits.

    A plain interval against the group that happens to be highest covers 56 % under equality; these hold for all
    groups together, whichever is truly the best, and however much others differ.

    Parameters
    ----------
    events, n : array_like, shape (G,)
        Events and sizes; an empty group gets NaN.
    conf_level : float
        Nominal coverage of all intervals together.
    contrast : {"difference", "ratio"}
        What is compared.
    **options
        ``replicates`` and ``seed`` are taken as before; these limits need no permutations.

    Returns
    -------
    GapLimits
        Arrays of shape (G,). An upper limit below 0 (below 1 for a ratio) shows that the group is not the best.
        ``joint`` has the level of each pair.

    Raises
    ------
    InputError
        If `contrast` is unknown.

    Notes
    -----
    Each pair has limits made of the exact ones of its two rates (MOVER of Clopper and Pearson), at Bonferroni's level
    over all pairs; the smallest of a group's differences has the smallest of their limits. Labels exchanged among all
    groups, or score intervals at Bonferroni's level, fail where rates are near 0 or 1 and another group is far off:
    with 2000 people at .99, 2000 at .5 and five groups of 8 at .99 a group that is among the best was called worse in
    30 and 19 % of samples, here in 0.3 %.

    References
    ----------
    Edwards & Hsu (1983), JASA 78, 965-971; Hsu (1984), Annals of Statistics 12, 1136-1144 (multiple comparisons with
    the best; here two-sided and without his constraint at 0, so that the interval can also exclude equality); Donner &
    Zou (2012), Statistical Methods in Medical Research 21, 347-359; Clopper & Pearson (1934), Biometrika 26.

    Examples
    --------
    >>> import fairstats as fs
    >>> limits = fs.stats.against_best([20, 60, 55], [100, 100, 100])
    >>> limits.estimate.round(2).tolist(), (limits.high < 0).tolist()
    ([-0.4, 0.05, -0.05], [True, False, False])
    """
    reach = choose("contrast", contrast, OPERATIONS)
    e, n = np.asarray(events, dtype=float), np.asarray(n, dtype=float)
    known = n > 0
    out, groups = np.full((3, n.size), np.nan), int(known.sum())
    level = 1 - (1 - conf_level) / max(groups * (groups - 1) // 2, 1)
    if groups > 1:
        rates = e[known] / n[known]
        ends = clopper_pearson(e[known], n[known], level)
        low, high = (_difference_of if contrast == "difference" else _ratio_of)(rates, *ends)
        same = np.eye(groups, dtype=bool)
        others = np.where(same, -np.inf, rates).max(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            nearest = [np.where(same, np.inf, end).min(axis=1) for end in (low, high)]
            out[:, known] = reach(rates, others), *nearest
    return GapLimits(out[0], out[1], out[2], Joint(level if groups > 1 else NAN, NAN, NAN))


def _difference_of(p: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Limits of all differences from the limits of the rates (Zou and Donner)."""
    gap, down, up = p[:, None] - p, p - low, high - p
    return gap - np.hypot(down[:, None], up), gap + np.hypot(up[:, None], down)


def _ratio_of(p: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Limits of all ratios from the limits of the rates (Donner and Zou)."""
    product = p[:, None] * p

    def root(own: Floats, other: Floats) -> Floats:
        spread = (own * (2 * p - own))[:, None] * (other * (2 * p - other))
        return np.asarray(np.sqrt(np.maximum(product**2 - spread, 0)))

    with np.errstate(divide="ignore", invalid="ignore"):
        lower = (low * (2 * p - low))[:, None] / (product + root(low, high))
        upper = (product + root(high, low)) / (low * (2 * p - low))
    return np.where(low[:, None] > 0, lower, 0.0), np.where(low > 0, upper, np.inf)


OPERATIONS: dict[str, Callable[[Floats, Floats], Floats]] = {"difference": np.subtract, "ratio": np.divide}
RANGES: dict[str, Callable[..., GapLimits]] = {"difference": rate_range, "ratio": worst_ratio}
EXTREMES = "observed extremes: "
METHOD = "simultaneous {} intervals (permutation max-t)"
NAMES = {"difference": METHOD.format("Miettinen-Nurminen"), "ratio": METHOD.format("Koopman")}


def range_estimate(
    events: ArrayLike,
    n: ArrayLike,
    labels: Sequence[str],
    *,
    metric: str = "proportion",
    attribute: str = "",
    contrast: Contrast = "difference",
    conf_level: float = 0.95,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Estimate:
    """The largest difference (or worst ratio) between any two groups, as a tidy row.

    Parameters
    ----------
    events, n : array_like, shape (G,)
        Events and sizes.
    labels : sequence of str
        Names of the groups.
    metric, attribute : str
        What the row is about.
    contrast : {"difference", "ratio"}
        Highest minus lowest, or lowest over highest.
    conf_level, replicates, seed
        As in `joint_level`.

    Returns
    -------
    Estimate
        Its limits hold for the largest difference over all groups, whichever two that is; they are no interval of the
        pair that is furthest apart in these data, so ``group`` and ``reference`` are empty, n and events are
        everybody's, and the reason names the observed extremes and empty groups. Status ``"unestimable"`` where fewer
        than two groups have members, or a ratio is 0/0.

    Raises
    ------
    InputError
        If `contrast` is unknown.

    Examples
    --------
    >>> row = range_estimate([20, 60, 55], [100, 100, 100], ["a", "b", "c"])
    >>> row.group, round(row.estimate, 2), row.conf_low > 0, row.reason
    ('', 0.4, True, 'observed extremes: b (60 of 100) and a (20 of 100)')
    """
    limits = choose("contrast", contrast, RANGES)(events, n, conf_level, replicates=replicates, seed=seed)
    e, size = np.asarray(events, dtype=float), np.asarray(n, dtype=float)
    about = Estimate(metric, attribute, contrast=contrast, role="all groups", method=NAMES[contrast])
    empty = [name for name, count in zip(labels, size, strict=True) if count <= 0]
    left_out = f"nobody in {', '.join(empty)}" if empty else ""
    if np.isnan(limits.estimate):
        reason = left_out or "fewer than two groups" if (size > 0).sum() < 2 else "no events in any group: 0/0"
        return replace(about, status="unestimable", reason=reason)
    rates = np.divide(e, size, out=np.full(size.size, np.nan), where=size > 0)
    ends = [int(np.nanargmax(rates)), int(np.nanargmin(rates))][:: 1 if contrast == "difference" else -1]
    seen = " and ".join(f"{labels[i]} ({count(e[i])} of {count(size[i])})" for i in ends)
    return replace(
        about,
        n=float(size.sum()),
        events=float(e.sum()),
        reason="; ".join(filter(None, [f"{EXTREMES}{seen}", left_out])),
        **_ends(limits, conf_level),
    )


def _ends(limits: GapLimits, conf_level: float) -> dict[str, Any]:
    return {
        "estimate": limits.estimate,
        "conf_low": limits.low,
        "conf_high": limits.high,
        "conf_level": conf_level,
        "statistic": limits.joint.statistic,
        "p_value": limits.joint.p_value,
    }
