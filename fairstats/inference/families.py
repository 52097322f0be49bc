"""Families of comparisons: how their p-values are adjusted, and the levels at which their intervals hold together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from fairstats.choices import BH, MAX_T, NONE, Adjust, ByP
from fairstats.estimates import NAN
from fairstats.inference.gatekeeping import Together, across
from fairstats.inference.multiplicity import adjust, adjusted_levels, max_t

Floats = NDArray[np.float64]
REPLICATES = 10_000


@dataclass(frozen=True)
class Family:
    """How the comparisons of groups with one reference are adjusted; `all_pairs` where the data chose the reference."""

    conf_level: float = 0.95
    adjust: Adjust = "holm"
    all_pairs: bool = False
    seed: int = 0
    over_audit: bool = False  # all families of the audit share one error rate
    together: Together | None = None  # what they tell each other, once all are known


@dataclass(frozen=True)
class Null:
    """Absolute statistics of the family when nothing differs, (B, m), and the observed ones, (m,)."""

    replicates: Floats
    observed: Floats


def shared_reference(p: Sequence[float], sizes: Sequence[float], base: float, seed: int) -> Null:
    """The null distribution of comparisons with one reference: they share its noise (Dunnett's correlation).

    Parameters
    ----------
    p : sequence of float
        Unadjusted p-values; their normal quantiles are the statistics.
    sizes, base : sequence of float, float
        (Effective) sizes of the groups and of the reference.
    seed : int
        Seed of the generator.

    Returns
    -------
    Null

    References
    ----------
    Dunnett (1955), JASA 50; Hothorn, Bretz & Westfall (2008), Biometrical Journal 50.

    Examples
    --------
    >>> shared_reference([0.04], [50], 50, 0).observed.round(3).tolist()
    [2.054]
    """
    noise = np.random.default_rng(seed).standard_normal((REPLICATES, len(sizes) + 1))
    own = 1 / np.sqrt(np.maximum(np.asarray(sizes, dtype=float), 1e-9))
    common = 1 / np.sqrt(max(base, 1e-9))
    drawn = (noise[:, 1:] * own - noise[:, :1] * common) / np.hypot(own, common)
    return Null(np.abs(drawn), -ndtri(np.asarray(p, dtype=float) / 2))


def adjusted_levels_and_p(
    p: Sequence[float],
    family: Family,
    sizes: Sequence[float],
    base: float,
    null: Callable[[], Null] | None = None,
    others: Sequence[float] = (),
) -> list[tuple[float, float]]:
    """The level of the interval and the adjusted p of every comparison of one family.

    Under Holm the intervals have Bonferroni's level, which covers all of them together; Holm's own steps do not. Under
    Benjamini and Hochberg the expected share of selected intervals that miss is bounded (false coverage rate).

    Parameters
    ----------
    p : sequence of float
        Unadjusted p-values of the groups against the reference; NaN is no member of the family.
    family : Family
        Adjustment and level. Where the data chose the reference, the family is all pairs of groups, whichever of them
        is shown (Bonferroni).
    sizes, base : sequence of float, float
        (Effective) sizes of the groups and of the reference; only max-t looks at them.
    null : callable, optional
        The null distribution for max-t; `shared_reference` when absent.
    others : sequence of float
        What the other families bring that share the error rate (`Together`); intervals then have Bonferroni's level
        over families, too.

    Returns
    -------
    list of (float, float)

    References
    ----------
    Hsu (1996), Multiple Comparisons, chapter 4 (why the best group needs simultaneous intervals); Benjamini &
    Yekutieli (2005), JASA 100; Westfall & Young (1993), section 2.5 (max-t).

    Examples
    --------
    >>> adjusted_levels_and_p([0.01, 0.2], Family(), [50, 50], 50)
    [(0.975, 0.02), (0.975, 0.2)]
    >>> [round(v, 4) for v, _ in adjusted_levels_and_p([0.01, 0.2], Family(all_pairs=True), [50, 50], 50)]
    [0.9833, 0.9833]
    """
    if others and family.adjust != BH:
        share = replace(family, conf_level=1 - (1 - family.conf_level) / (1 + len(others)))
        alone = adjusted_levels_and_p(p, share, sizes, base, null)
        return [(level, q) for (level, _), q in zip(alone, across([q for _, q in alone], others), strict=True)]
    if others:
        pooled = np.concatenate([np.asarray(p, dtype=float), others])
        known = adjusted_levels(pooled, BH, family.conf_level), adjust(pooled, BH)
        return [(float(v), float(q)) for v, q in list(zip(*known, strict=True))[: len(p)]]
    if family.all_pairs:
        pairs = pairs_of(len(p))
        level = 1 - (1 - family.conf_level) / pairs
        return [(level, float(np.minimum(1.0, value * pairs))) for value in p]
    if family.adjust == MAX_T:
        return _single_step(p, (null or (lambda: shared_reference(p, sizes, base, family.seed)))(), family)
    levels = adjusted_levels(p, "bonferroni" if family.adjust == "holm" else family.adjust, family.conf_level)
    return [
        (family.conf_level if level != level else level, value)
        for level, value in zip(levels.tolist(), adjust(p, family.adjust).tolist(), strict=True)
    ]


def equivalence_adjusted(p: Sequence[float], family: Family) -> list[float]:
    """The p-values of practical equality, adjusted as a family of their own.

    Holm wherever any adjustment of claims of difference was asked for: a false discovery rate or the correlation of
    statistics under equality says nothing about claims of equality.

    Examples
    --------
    >>> equivalence_adjusted([0.01, 0.04], Family(adjust="bh"))
    [0.02, 0.04]
    >>> equivalence_adjusted([0.01, 0.04], Family(adjust="none"))
    [0.01, 0.04]
    """
    if family.all_pairs:
        return [float(np.minimum(1.0, value * pairs_of(len(p)))) for value in p]
    rule: ByP = family.adjust if family.adjust == "bonferroni" or family.adjust == NONE else "holm"
    return [float(v) for v in adjust(p, rule)]


def pairs_of(others: int) -> int:
    """The number of pairs among a reference and so many other groups, at least 1.

    Examples
    --------
    >>> pairs_of(3)
    6
    """
    return max((others + 1) * others // 2, 1)


def _single_step(p: Sequence[float], null: Null, family: Family) -> list[tuple[float, float]]:
    known = ~np.isnan(np.asarray(p, dtype=float))
    if not known.any():
        return [(family.conf_level, NAN)] * len(p)
    adjusted = max_t(null.replicates, np.where(known, null.observed, np.nan))
    critical = float(np.quantile(null.replicates[:, known].max(axis=1), family.conf_level))
    return [(1 - 2 * float(ndtr(-critical)), value) for value in adjusted.tolist()]
