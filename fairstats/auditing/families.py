"""Families of comparisons: the levels of their intervals, their adjusted p-values, and the verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from fairstats.auditing.protocol import Protocol
from fairstats.choices import ALL_PAIRS, MAX_T, adjustment
from fairstats.estimates import NAN, Estimate
from fairstats.inference.multiplicity import adjust, adjusted_levels, max_t, rejected
from fairstats.inference.rates.equivalence import verdict

Floats = NDArray[np.float64]
REPLICATES = 10_000

BORDER = "border case: the test and the interval disagree; the verdict is read from the interval"


@dataclass(frozen=True)
class Null:
    """The absolute statistics of a family's comparisons: resampled under equality (B, m), and observed (m,)."""

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


def plan(
    p: Sequence[float], sizes: Sequence[float], base: float, protocol: Protocol, null: Callable[[], Null] | None = None
) -> list[tuple[float, float]]:
    """The level of the interval and the adjusted p of every comparison of one family.

    Parameters
    ----------
    p : sequence of float
        Unadjusted p-values of the groups against the reference; NaN is no member of the family.
    sizes, base : sequence of float, float
        (Effective) sizes of the groups and of the reference; only max-t looks at them.
    protocol : Protocol
        Adjustment and level. Against the highest rate the reference is itself a result of the data, so the family is
        all pairs of groups, whichever of them is shown (Bonferroni).
    null : callable, optional
        The null distribution for max-t; `shared_reference` when absent.

    Returns
    -------
    list of (float, float)

    References
    ----------
    Hsu (1996), Multiple Comparisons, chapter 4 (why the best group needs simultaneous intervals); Westfall & Young
    (1993), section 2.5 (max-t).

    Examples
    --------
    >>> plan([0.01, 0.2], [50, 50], 50, Protocol(("g",)))
    [(0.975, 0.02), (0.95, 0.2)]
    >>> [round(v, 4) for v, _ in plan([0.01, 0.2], [50, 50], 50, Protocol(("g",), reference="highest_rate"))]
    [0.9833, 0.9833]
    """
    if adjustment(protocol.adjust, protocol.reference) is ALL_PAIRS:
        pairs = max((len(p) + 1) * len(p) // 2, 1)
        level = 1 - (1 - protocol.conf_level) / pairs
        return [(level, float(np.minimum(1.0, value * pairs))) for value in p]
    if protocol.adjust == MAX_T:
        return _single_step(p, (null or (lambda: shared_reference(p, sizes, base, protocol.seed)))(), protocol)
    levels = adjusted_levels(p, protocol.adjust, protocol.conf_level)
    adjusted = adjust(p, protocol.adjust)
    return [
        (protocol.conf_level if level != level else level, value)
        for level, value in zip(levels.tolist(), adjusted.tolist(), strict=True)
    ]


def _single_step(p: Sequence[float], null: Null, protocol: Protocol) -> list[tuple[float, float]]:
    known = ~np.isnan(np.asarray(p, dtype=float))
    if not known.any():
        return [(protocol.conf_level, NAN)] * len(p)
    adjusted = max_t(null.replicates, np.where(known, null.observed, np.nan))
    critical = float(np.quantile(null.replicates[:, known].max(axis=1), protocol.conf_level))
    return [(1 - 2 * float(ndtr(-critical)), value) for value in adjusted.tolist()]


def judged(
    row: Estimate,
    protocol: Protocol,
    *,
    null: float = 0.0,
    narrow: tuple[float, float] | None = None,
) -> Estimate:
    """The row with its verdict, read from its adjusted interval.

    Parameters
    ----------
    row : Estimate
        With interval and adjusted p.
    protocol : Protocol
        Level and margin.
    null : float
        The value of no disparity.
    narrow : (float, float), optional
        The 1 - 2 alpha interval of the same adjusted alpha, for equivalence; without it no margin applies.

    Returns
    -------
    Estimate
        The reason names a border case, where the test and the interval disagree.

    Examples
    --------
    >>> row = Estimate("FPR", contrast="difference", conf_low=0.1, conf_high=0.2, p_adjusted=0.01)
    >>> judged(row, Protocol(("g",))).verdict
    'disparity shown'
    """
    if row.status != "ok":
        return row
    margin = protocol.equivalence if narrow is not None else None
    low, high = narrow or (row.conf_low, row.conf_high)
    word = verdict(row.conf_low, row.conf_high, low, high, margin, null)
    excluded = row.conf_low > null or row.conf_high < null
    agree = excluded == rejected(row.p_adjusted, protocol.conf_level)
    return replace(row, verdict=word, reason=row.reason if agree else BORDER)
