"""Families of comparisons: how their p-values are adjusted, and the level of intervals that agree with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairstats.choices import BH, BONFERRONI, HOLM, NONE, Adjust
from fairstats.inference.margins import NO_MARGINS, Margins
from fairstats.inference.multiplicity import adjust


@dataclass(frozen=True)
class Family:
    """How the comparisons of groups with one reference are adjusted, and the declared margins of practical equality."""

    conf_level: float = 0.95
    adjust: Adjust = "bonferroni"
    all_pairs: bool = False  # the data chose the reference: whichever pair is shown, all pairs could have been
    over_audit: bool = False  # all families of the audit share one error rate
    margins: Margins = NO_MARGINS

    @property
    def rule(self) -> Adjust:
        """The adjustment in force: where the data chose the reference, Bonferroni over all pairs."""
        return BONFERRONI if self.all_pairs else self.adjust


def adjusted_p_and_level(
    p: Sequence[float], rule: Adjust, conf_level: float = 0.95, tests: int | None = None
) -> tuple[list[float], float]:
    """The adjusted p-values of one family, and the one level at which intervals agree with them.

    Parameters
    ----------
    p : sequence of float
        Unadjusted p-values; NaN is no member of the family.
    rule : {"bonferroni", "holm", "bh", "none"}
        Under Bonferroni test and interval have one level. Under Benjamini and Hochberg, with r of m comparisons
        flagged, all intervals have the level 1 - max(r, 1) alpha/m: a comparison is flagged exactly where its p is at
        most r alpha/m, and the expected share of flagged intervals that miss is at most alpha. Holm's steps have no
        such level; the one returned is that of the first step.
    conf_level : float
        One minus the error rate of the family.
    tests : int, optional
        How many tests share that error rate, where they are more than those of `p`.

    Returns
    -------
    p_adjusted : list of float
    level : float

    References
    ----------
    Holm (1979), Scand. J. Statist. 6; Benjamini & Yekutieli (2005), JASA 100 (false coverage rate); Hsu (1996),
    Multiple Comparisons, chapter 4 (why the best group needs simultaneous intervals).

    Examples
    --------
    >>> adjusted_p_and_level([0.01, 0.2], "bonferroni")
    ([0.02, 0.4], 0.975)
    >>> adjusted_p_and_level([0.01, 0.04], "bh")
    ([0.02, 0.04], 0.95)
    """
    values, alpha = np.asarray(p, dtype=float), 1 - conf_level
    known = int(np.sum(~np.isnan(values)))
    if rule == NONE or known == 0:
        return values.tolist(), conf_level
    if rule == BH:
        adjusted = adjust(values, BH)
        return adjusted.tolist(), 1 - max(int(np.sum(adjusted <= alpha)), 1) / known * alpha
    tests = max(known, tests or 0)
    if rule == HOLM:
        adjusted = np.minimum(adjust(values, HOLM) * tests / known, 1)
    else:
        adjusted = np.minimum(values * tests, 1)
    return adjusted.tolist(), 1 - alpha / tests


def pairs_of(others: int) -> int:
    """The number of pairs among a reference and so many other groups, at least 1.

    Examples
    --------
    >>> pairs_of(3)
    6
    """
    return max((others + 1) * others // 2, 1)
