"""Other looks at the same scores: Cliff's delta, Brunner-Munzel, Kolmogorov-Smirnov, and all pairs by Dunn."""

from __future__ import annotations

from dataclasses import replace

from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rows.scores import Sample, refused
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.scores.kruskal_wallis import kruskal_estimates
from fairstats.inference.scores.rank_rows import brunner_munzel, cliffs_delta, kolmogorov_smirnov

BESIDE = "beside the family: unadjusted"
MOST_PAIRED = 12


def rank_test_rows(attribute: str, groups: tuple[Sample, ...], reference: str, protocol: Protocol) -> Estimates:
    """Statistics that stand beside the audited ones, unadjusted and without a verdict of their own.

    Parameters
    ----------
    attribute : str
        Its name.
    groups : tuple of Sample
        Its groups.
    reference : str
        The group that the others are compared with.
    protocol : Protocol
        Level, smallest group, adjustment of Dunn's pairs.

    Returns
    -------
    Estimates
        A group: Cliff's delta (the audited comparison on another scale), P(X>Y) by Brunner and Munzel, which does not
        assume equal shapes, and the Kolmogorov-Smirnov distance; for three to twelve groups Dunn's pairs. None for
        weighted or clustered people.

    References
    ----------
    Cliff (1993), Psychological Bulletin 114; Brunner & Munzel (2000), Biometrical Journal 42; Dunn (1964).

    Examples
    --------
    >>> import numpy as np
    >>> none = np.array([])
    >>> a, b = (Sample(g, np.arange(9.0) + k, none, none) for g, k in (("a", 0), ("b", 2)))
    >>> rank_test_rows("g", (a, b), "a", Protocol(("g",))).column("metric")
    ["Cliff's delta", 'P(X>Y)', 'Kolmogorov-Smirnov distance']
    """
    if refused(protocol):
        return Estimates()
    shown = [g for g in groups if g.scores.size >= max(protocol.min_n, 1)]
    base = next((g for g in shown if g.label == reference), None)
    rows = Estimates()
    for g in shown:
        if base is not None and g is not base:
            rows += _beside(attribute, g, base, protocol.conf_level)
    if 3 <= len(shown) <= MOST_PAIRED:
        rows += _pairs(attribute, shown, protocol)
    return rows


def _beside(attribute: str, group: Sample, base: Sample, conf_level: float) -> list[Estimate]:
    x, y = group.scores, base.scores
    blank = Estimate("", attribute, group.label, reference=base.label, n=float(x.size), reason=BESIDE, role="beside")
    delta, robust, distance = (
        cliffs_delta(x, y, conf_level),
        brunner_munzel(x, y, conf_level),
        kolmogorov_smirnov(x, y),
    )
    return [
        replace(
            blank,
            metric="Cliff's delta",
            estimate=delta.estimate,
            std_error=delta.std_error,
            conf_low=delta.low,
            conf_high=delta.high,
            conf_level=conf_level,
            method="Newcombe 5, rescaled",
        ),
        replace(
            blank,
            metric="P(X>Y)",
            estimator="Brunner-Munzel",
            estimate=robust.estimate,
            std_error=robust.std_error,
            conf_low=robust.low,
            conf_high=robust.high,
            conf_level=conf_level,
            statistic=robust.statistic,
            df=robust.df,
            p_value=robust.p_value,
            method=robust.method,
        ),
        replace(
            blank,
            metric="Kolmogorov-Smirnov distance",
            estimate=distance.statistic,
            statistic=distance.statistic,
            p_value=distance.p_value,
            method=distance.method,
        ),
    ]


def _pairs(attribute: str, shown: list[Sample], protocol: Protocol) -> Estimates:
    rule = protocol.adjust if protocol.adjust != "max-t" else "holm"
    rows = kruskal_estimates(
        {g.label: g.scores for g in shown}, attribute=attribute, method=rule, conf_level=protocol.conf_level
    )
    return Estimates(replace(row, role="beside") for row in rows[1:])
