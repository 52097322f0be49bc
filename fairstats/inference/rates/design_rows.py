"""The tidy rows of all groups at once under probability weights or clusters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from fairstats.estimates import Estimate, Estimates
from fairstats.inference.rates.design_families import DesignFamily
from fairstats.inference.rates.largest_gap import EXTREMES

OMNIBUS = "approximate Hotelling test on effective sizes, F"
METHOD = "simultaneous {} intervals on effective sizes, t (Bonferroni, all pairs)"
DESIGN_NAMES = {"difference": METHOD.format("Miettinen-Nurminen"), "ratio": METHOD.format("Koopman")}
TOO_FEW = "too few clusters or people for so many groups"


def design_family_rows(
    family: DesignFamily,
    events: ArrayLike,
    n: ArrayLike,
    labels: Sequence[str],
    *,
    metric: str = "proportion",
    attribute: str = "",
    conf_level: float = 0.95,
) -> Estimates:
    """The test that all groups have one rate, the largest difference and the worst ratio, as tidy rows.

    Parameters
    ----------
    family : DesignFamily
        The groups that have a variance.
    events, n : array_like, shape (G,)
        Summed weights (or people) with the property and all, of every group of the attribute.
    labels : sequence of str
        Their names.
    metric, attribute : str
        What the rows are about.
    conf_level : float
        Nominal coverage of the limits of all pairs together.

    Returns
    -------
    Estimates
        Three rows, ``"unestimable"`` with their reason where the design has too few units.

    Examples
    --------
    >>> from fairstats.inference.rates.design_sums import rates_of_weighted
    >>> e, n = np.array([20.0, 60.0, 55.0]), np.full(3, 100.0)
    >>> family = DesignFamily(rates_of_weighted(e, n, e, n, n, 300), (0, 1, 2))
    >>> rows = design_family_rows(family, e, n, "abc")
    >>> round(rows[1].estimate, 2), rows[1].reason
    (0.4, 'observed extremes: b (60.0 %) and a (20.0 %)')
    """
    places = list(family.places)
    e, size = np.asarray(events, dtype=float)[places], np.asarray(n, dtype=float)[places]
    about = Estimate(metric, attribute, role="all groups", n=float(size.sum()), events=float(e.sum()))
    if len(places) < 2:
        blank = replace(about, status="unestimable", reason="fewer than two groups with an error")
        return Estimates(replace(blank, contrast=c) for c in ("none", "difference", "ratio"))
    statistic, df, _, p = family.omnibus()
    test = replace(about, statistic=statistic, df=df, p_value=p, method=OMNIBUS)
    if math.isnan(p):
        test = replace(about, status="unestimable", reason=TOO_FEW)
    rates = family.of.rate[places]
    ends = [f"{labels[places[int(f(rates))]]} ({100 * float(rates[f(rates)]):.1f} %)" for f in (np.argmax, np.argmin)]
    rows = [test]
    found = {"difference": family.largest_difference(conf_level), "ratio": family.worst_ratio(conf_level)}
    for contrast, (estimate, low, high, p_joint) in found.items():
        row = replace(about, contrast=contrast, method=DESIGN_NAMES[contrast])
        if math.isnan(estimate):
            rows.append(replace(row, status="unestimable", reason="no events in any group: 0/0"))
            continue
        seen = " and ".join(ends if contrast == "difference" else ends[::-1])
        row = row.with_interval(estimate, low, high, conf_level, reason=f"{EXTREMES}{seen}")
        rows.append(replace(row, p_value=p_joint))
    return Estimates(rows)
