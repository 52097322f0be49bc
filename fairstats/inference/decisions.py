"""The verdict of a comparison, read from the adjusted p-values of its family: of the test, and of the equivalence test.

Whatever the sizes of the groups, the chance of a false word is that of the tests. Intervals stand beside the verdict;
where an edge of the interval says otherwise, the row says which decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from fairstats.inference.multiplicity import adjust

SHOWN_WITHOUT_INTERVAL = "border case: the test rejects, the interval contains the null value; the test decided"
INTERVAL_WITHOUT_TEST = "border case: the interval excludes the null value, the test does not reject; the test decided"


class Decision(NamedTuple):
    """A verdict, the adjusted p-values it was read from, and a caution where the interval disagrees."""

    verdict: str
    p_adjusted: float
    p_equivalence: float
    reason: str = ""


def decide(
    p: ArrayLike,
    p_equivalence: ArrayLike | None = None,
    intervals: Sequence[tuple[float, float]] | None = None,
    *,
    adjustment: str = "holm",
    conf_level: float = 0.95,
    null: float = 0.0,
) -> list[Decision]:
    """Decide every comparison of one family: two families of tests, each adjusted by itself.

    Parameters
    ----------
    p : array_like, shape (m,)
        Unadjusted p-values of no difference; NaN is no member of the family and has the verdict ``"inconclusive"``.
    p_equivalence : array_like, shape (m,), optional
        Unadjusted p-values of practical equality, the larger of two one-sided ones each (`equivalence_of_rates` and
        its kin). Without them, that is without a declared margin, no equivalence is shown.
    intervals : sequence of (float, float), optional
        The intervals that stand beside the verdicts, for the caution.
    adjustment : {"holm", "bh", "bonferroni", "none"}
        For the tests of no difference; equivalence is adjusted by Holm whichever of the first two is asked for, as a
        false discovery rate says nothing about any one claim of equality.
    conf_level : float
        One minus the error rate of each family.
    null : float
        The value of no difference that the intervals are held against.

    Returns
    -------
    list of Decision
        - *equivalence shown*: the adjusted equivalence p is at most alpha, also where a difference is shown, which is
          then real but smaller than what was declared to matter;
        - *disparity shown*: otherwise, the adjusted p is at most alpha;
        - *inconclusive*: neither, which is not evidence of equality.

    Notes
    -----
    The two families are adjusted apart because they answer apart: where groups are equal, only the first can err;
    where all lie at the margin or beyond, only the second.

    References
    ----------
    Holm (1979), Scand. J. Statist. 6, 65-70; Lauzon & Caffo (2009), The American Statistician 63, 147-154
    (equivalence of several groups); Tryon & Lewis (2008), Psychological Methods 13, 272-277.

    Examples
    --------
    >>> [d.verdict for d in decide([0.001, 0.6, 0.04], [0.9, 0.01, 0.3])]
    ['disparity shown', 'equivalence shown', 'inconclusive']
    """
    alpha = 1 - conf_level
    values = np.atleast_1d(np.asarray(p, dtype=float))
    equal = np.full(values.shape, np.nan)
    if p_equivalence is not None:
        rule = adjustment if adjustment in ("bonferroni", "none") else "holm"
        equal = adjust(np.atleast_1d(np.asarray(p_equivalence, dtype=float)), rule)
    adjusted = adjust(values, adjustment)
    decisions = []
    for i, (p_value, p_equal) in enumerate(zip(adjusted.tolist(), equal.tolist(), strict=True)):
        rejected = p_value <= alpha
        word = "equivalence shown" if p_equal <= alpha else "disparity shown" if rejected else "inconclusive"
        decisions.append(
            Decision(word, p_value, p_equal, _caution(rejected, intervals[i] if intervals else None, null))
        )
    return decisions


def _caution(rejected: bool, interval: tuple[float, float] | None, null: float) -> str:
    if interval is None or np.isnan(interval[0]) or np.isnan(interval[1]):
        return ""
    excluded = interval[0] > null or interval[1] < null
    if excluded == rejected:
        return ""
    return INTERVAL_WITHOUT_TEST if excluded else SHOWN_WITHOUT_INTERVAL
