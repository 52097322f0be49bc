"""The verdict that two adjusted p-values and an interval give, and the caution where they disagree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from fairstats.choices import ByP
from fairstats.estimates import NAN, Estimate
from fairstats.glossary import Verdict
from fairstats.inference.families import Family, equivalence_adjusted
from fairstats.inference.multiplicity import adjust, rejected

BORDER = "border case: "
SHOWN_WITHOUT_INTERVAL = f"{BORDER}the adjusted test rejects, the interval contains the null value; the test decided"
INTERVAL_WITHOUT_TEST = (
    f"{BORDER}the interval excludes the null value, the adjusted test does not reject; the test decided"
)
NEEDS_BOTH = f"{BORDER}the adjusted test rejects, the limits contain the null value; within strata both must agree"


class Decision(NamedTuple):
    """A verdict, the adjusted p-values it was read from, and a caution where the interval disagrees."""

    verdict: Verdict
    p_adjusted: float
    p_equivalence: float
    reason: str = ""


def decide(
    p: ArrayLike,
    p_equivalence: ArrayLike | None = None,
    intervals: Sequence[tuple[float, float]] | None = None,
    *,
    adjustment: ByP = "holm",
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
    values = np.atleast_1d(np.asarray(p, dtype=float))
    equal = [float("nan")] * values.size
    if p_equivalence is not None:
        margins = np.atleast_1d(np.asarray(p_equivalence, dtype=float))
        equal = equivalence_adjusted(margins.tolist(), Family(conf_level, adjustment))
    return [
        verdict_of(p_value, p_equal, intervals[i] if intervals else (NAN, NAN), conf_level, null)
        for i, (p_value, p_equal) in enumerate(zip(adjust(values, adjustment).tolist(), equal, strict=True))
    ]


def verdict_of(
    p: float, p_equal: float, interval: tuple[float, float], conf_level: float, null: float, both: bool = False
) -> Decision:
    """The verdict of one comparison; with `both`, a disparity is shown only where the interval excludes it too.

    Examples
    --------
    >>> verdict_of(0.01, float("nan"), (0.1, 0.3), 0.95, 0.0).verdict
    'disparity shown'
    """
    test = rejected(p, conf_level)
    excluded = interval[0] > null or interval[1] < null
    known = not (np.isnan(interval[0]) or np.isnan(interval[1]))
    caution = ""
    if known and excluded != test:
        caution = INTERVAL_WITHOUT_TEST if excluded else NEEDS_BOTH if both else SHOWN_WITHOUT_INTERVAL
    shown = test and (excluded or not both)
    equal = rejected(p_equal, conf_level)
    word: Verdict = "equivalence shown" if equal else "disparity shown" if shown else "inconclusive"
    return Decision(word, p, p_equal, caution)


def decisive_p(row: Estimate) -> float:
    """The p-value that a row's verdict was read from: of practical equality where that is shown, else the adjusted one.

    Examples
    --------
    >>> decisive_p(Estimate("FPR", verdict="equivalence shown", p_adjusted=0.001, p_equivalence=0.02))
    0.02
    """
    if row.verdict == "equivalence shown":
        return row.p_equivalence
    return row.p_value if row.p_adjusted != row.p_adjusted else row.p_adjusted
