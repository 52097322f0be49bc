"""Other looks at the same scores: Cliff's delta, Kolmogorov-Smirnov, and all pairs by Dunn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rows.score_samples import Sample, ScorePair, refused
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.scores.kolmogorov_smirnov import distance_test
from fairstats.inference.scores.kruskal_wallis import kruskal_estimates
from fairstats.inference.scores.roc_differences import area_between_roc_curves

BESIDE = "beside the family: unadjusted"
BY_CHANCE = "positive by chance where the curves are one; no interval is known that covers"
MOST_PAIRED = 12


def rank_test_rows(pairs: tuple[ScorePair, ...], groups: tuple[Sample, ...], protocol: Protocol) -> Estimates:
    """Statistics that stand beside the audited ones, unadjusted and without a verdict of their own.

    Parameters
    ----------
    pairs : tuple of ScorePair
        The groups beside the reference.
    groups : tuple of Sample
        All groups.
    protocol : Protocol
        Level, smallest group, adjustment of Dunn's pairs.

    Returns
    -------
    Estimates
        A group: Cliff's delta (the audited comparison on another scale) and the Kolmogorov-Smirnov distance; with an
        outcome, the area between the ROC curves; for three
        to twelve groups Dunn's pairs. None for weighted or clustered people.

    References
    ----------
    Cliff (1993), Psychological Bulletin 114; Smirnov (1939); Dunn (1964), Technometrics 6.

    Examples
    --------
    >>> import numpy as np
    >>> from fairstats.auditing.rows.score_samples import score_pairs
    >>> none = np.array([])
    >>> a, b = (Sample(g, np.arange(9.0) + k, none, none) for g, k in (("a", 0), ("b", 2)))
    >>> protocol = Protocol(("g",))
    >>> rank_test_rows(score_pairs("g", (a, b), "a", protocol), (a, b), protocol).column("metric")
    ["Cliff's delta", 'Kolmogorov-Smirnov distance']
    """
    if refused(protocol):
        return Estimates()
    least = max(protocol.min_n, 1)
    rows = Estimates(row for pair in pairs if pair.people >= least for row in _beside(pair, protocol.conf_level))
    rows += [_area_between(pair) for pair in pairs if min(_outcomes(pair.group), _outcomes(pair.base)) >= least]
    shown = [g for g in groups if g.scores.size >= least]
    if 3 <= len(shown) <= MOST_PAIRED:
        rows += _pairs(pairs[0].attribute, shown, protocol)
    return rows


def _beside(pair: ScorePair, conf_level: float) -> tuple[Estimate, Estimate]:
    blank = replace(pair.about("Cliff's delta"), n=float(pair.group.scores.size), reason=BESIDE, role="beside")
    effect, distance = pair.effect, distance_test(pair.blocks)
    low, high = effect.limits(conf_level)
    delta = blank.with_interval(
        2 * effect.estimate - 1,
        2 * low - 1,
        2 * high - 1,
        conf_level if low == low else NAN,
        std_error=2 * effect.std_error if effect.std_error > 0 else NAN,
        method="P(X>Y), rescaled",
    )
    return delta, replace(
        blank,
        metric="Kolmogorov-Smirnov distance",
        estimate=distance.statistic,
        statistic=distance.statistic,
        p_value=distance.p_value,
        method=distance.method,
    )


def _outcomes(group: Sample) -> int:
    """People of the rarer outcome."""
    positives = int(np.sum(group.outcomes))
    return min(positives, int(group.judged.size) - positives)


def _area_between(pair: ScorePair) -> Estimate:
    """The area between two ROC curves, which has no interval."""
    group, base = pair.group, pair.base
    area = area_between_roc_curves(group.judged, group.outcomes, base.judged, base.outcomes)
    about = replace(pair.about("ABROCA"), n=float(group.judged.size), role="beside", estimate=area)
    return replace(about, method="area between ROC curves", reason=BY_CHANCE)


def _pairs(attribute: str, shown: list[Sample], protocol: Protocol) -> Estimates:
    rule = protocol.adjust
    rows = kruskal_estimates(
        {g.label: g.scores for g in shown}, attribute=attribute, method=rule, conf_level=protocol.conf_level
    )
    return Estimates(replace(row, role="beside") for row in rows[1:])
