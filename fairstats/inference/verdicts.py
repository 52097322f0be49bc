"""The verdict that two adjusted p-values give, and what an interval says of a value."""

from __future__ import annotations

from fairstats.choices import BH, Adjust
from fairstats.estimates import Estimate
from fairstats.glossary import Verdict
from fairstats.inference.multiplicity import rejected


def verdict_of(p: float, p_equal: float, conf_level: float, rule: Adjust = "bonferroni") -> Verdict:
    """The verdict of one comparison.

    Parameters
    ----------
    p, p_equal : float
        Adjusted p-values of no difference and of practical equality; NaN shows nothing.
    conf_level : float
        One minus the error rate of each.
    rule : str
        The adjustment: a false discovery rate says of no single comparison that it is shown, it flags.

    Returns
    -------
    str
        *equivalence shown*: within the declared margin, also where a difference is shown, which is then real but
        smaller than what was declared to matter; *disparity shown* (*flagged* under a false discovery rate): a
        difference, otherwise; *inconclusive*: neither, which is not evidence of equality.

    References
    ----------
    Lauzon & Caffo (2009), The American Statistician 63, 147-154 (equivalence of several groups); Tryon & Lewis (2008),
    Psychological Methods 13, 272-277.

    Examples
    --------
    >>> nan = float("nan")
    >>> verdict_of(0.01, nan, 0.95), verdict_of(0.01, nan, 0.95, "bh"), verdict_of(0.01, 0.02, 0.95)
    ('disparity shown', 'flagged', 'equivalence shown')
    """
    if rejected(p_equal, conf_level):
        return "equivalence shown"
    if not rejected(p, conf_level):
        return "inconclusive"
    return "flagged" if rule == BH else "disparity shown"


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
