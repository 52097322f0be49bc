"""All groups at once: omnibus tests, and the largest gap between any two groups with its simultaneous interval."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.effective_counts import Evidence
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rows.rates import range_equivalence
from fairstats.auditing.rows.score_designs import designed, distributions_at_once
from fairstats.auditing.rows.score_samples import Sample
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.rates.all_rates_equal import omnibus
from fairstats.inference.rates.design_families import DesignFamily
from fairstats.inference.rates.design_rows import DESIGN_NAMES, design_family_rows
from fairstats.inference.rates.largest_gap import NAMES, range_estimate, rate_range
from fairstats.inference.scores.kruskal_wallis import kruskal_wallis

ONE_GROUP = "fewer than two groups with both outcomes"
Floats = NDArray[np.float64]
Places = NDArray[np.int64]


def rates_at_once(part: Evidence, attribute: str, labels: tuple[str, ...], protocol: Protocol) -> Estimates:
    """Of three groups or more: the test that all have one rate, the largest difference and the worst ratio.

    Parameters
    ----------
    part : Evidence
        The rate.
    attribute, labels : str, tuple of str
        The attribute and its groups.
    protocol : Protocol
        Confidence level, smallest group, seed.

    Returns
    -------
    Estimates
        Rows of the role "all groups"; none for two groups, whose one comparison says it all. With a declared margin
        the largest difference has the p-value of the claim that all groups lie within it.

    References
    ----------
    See `fairstats.inference.rates.largest_gap` (never a percentile bootstrap of a maximum) and `omnibus`.

    Examples
    --------
    >>> ten = np.full(3, 10.0)
    >>> part = Evidence("FPR", np.array([1.0, 5.0, 9.0]), ten, ten, ten, True, "")
    >>> rates_at_once(part, "g", ("a", "b", "c"), Protocol(("g",))).column("contrast")
    ['none', 'difference', 'ratio']
    """
    shown = np.flatnonzero(part.estimable(protocol.min_n))
    if len(labels) < 3:
        return Estimates()
    left_out = [label for i, label in enumerate(labels) if i not in shown]
    caution = f"without {', '.join(left_out)}" if left_out else ""
    made = (
        _by_design(part, shown, attribute, labels, protocol)
        if part.design
        else _by_counts(part, shown, attribute, labels, protocol)
    )
    return made.map(lambda row: replace(row, reason="; ".join(filter(None, [row.reason, caution]))))


def _by_counts(part: Evidence, shown: Places, attribute: str, labels: tuple[str, ...], protocol: Protocol) -> Estimates:
    counts = np.array([part.effective(int(i)) for i in shown]).reshape(-1, 2)
    names = [labels[i] for i in shown]
    about: dict[str, Any] = {"metric": part.metric, "attribute": attribute}
    test = omnibus(counts[:, 0], counts[:, 1], **about)
    if test.reason and test.status == "ok" and part.exact:
        test = omnibus(counts[:, 0], counts[:, 1], **about, test="permutation", seed=protocol.seed)
    ranges = [
        range_estimate(
            counts[:, 0],
            counts[:, 1],
            names,
            **about,
            contrast=contrast,
            conf_level=protocol.conf_level,
            seed=protocol.seed,
        )
        for contrast in ("difference", "ratio")
    ]
    p_equal = range_equivalence(part, protocol)
    if p_equal is not None and ranges[0].status == "ok":
        ranges[0] = replace(ranges[0], p_equivalence=p_equal)
    return Estimates([test, *ranges])


def _by_design(part: Evidence, shown: Places, attribute: str, labels: tuple[str, ...], protocol: Protocol) -> Estimates:
    assert part.design is not None
    rows = design_family_rows(
        DesignFamily(part.design, tuple(shown.tolist())),
        part.events,
        part.n,
        labels,
        metric=part.metric,
        attribute=attribute,
        conf_level=protocol.conf_level,
    )
    p_equal = range_equivalence(part, protocol)
    if p_equal is not None and rows[1].status == "ok":
        rows = Estimates([rows[0], replace(rows[1], p_equivalence=p_equal), rows[2]])
    return rows


def equalized_odds(
    parts: tuple[Evidence, ...], attribute: str, labels: tuple[str, ...], protocol: Protocol
) -> Estimates:
    """The larger of the ranges of TPR and FPR over the groups, with a simultaneous interval.

    Parameters
    ----------
    parts : tuple of Evidence
        The rates of the attribute.
    attribute, labels : str, tuple of str
        The attribute and its groups.
    protocol : Protocol
        Confidence level, smallest group, seed.

    Returns
    -------
    Estimates
        One row; none without TPR and FPR.

    References
    ----------
    Hardt, Price & Srebro (2016), Equality of Opportunity in Supervised Learning, definition 2.1.

    Examples
    --------
    >>> equalized_odds((), "g", ("a", "b"), Protocol(("g",)))
    no estimates
    """
    both = [part for part in parts if part.metric in ("TPR", "FPR")]
    if len(both) < 2:
        return Estimates()
    blank = Estimate("equalized odds difference", attribute, contrast="difference", role="all groups")
    if any(part.design is not None for part in both):
        return Estimates([_odds_by_design(both, blank, protocol)])
    events, n = np.zeros((2, len(labels))), np.zeros((2, len(labels)))
    for row, part in enumerate(both):
        for i in np.flatnonzero(part.estimable(protocol.min_n)):
            events[row, i], n[row, i] = part.effective(int(i))
    limits = rate_range(events, n, protocol.conf_level, seed=protocol.seed)
    if np.isnan(limits.estimate):
        return Estimates([replace(blank, status="unestimable", reason=ONE_GROUP)])
    return Estimates(
        [
            blank.with_interval(
                limits.estimate,
                limits.low,
                limits.high,
                protocol.conf_level,
                n=float(np.sum([part.n[part.estimable(protocol.min_n)].sum() for part in both])),
                method=NAMES["difference"],
            ).with_test(limits.joint.statistic, limits.joint.p_value)
        ]
    )


def _odds_by_design(both: list[Evidence], blank: Estimate, protocol: Protocol) -> Estimate:
    """The larger of both ranges, each at half the error: people of one cluster tie TPR and FPR together."""
    level = 1 - (1 - protocol.conf_level) / len(both)
    ranges, n = [], 0.0
    for part in both:
        assert part.design is not None
        shown = part.estimable(protocol.min_n)
        n += float(part.n[shown].sum())
        ranges.append(DesignFamily(part.design, tuple(np.flatnonzero(shown).tolist())).largest_difference(level))
    if any(np.isnan(found[0]) for found in ranges):
        return replace(blank, status="unestimable", reason=ONE_GROUP)
    estimate, low, high, _ = (float(v) for v in np.max(ranges, axis=0))
    p = min(1.0, len(both) * min(found[3] for found in ranges))
    row = blank.with_interval(estimate, low, high, protocol.conf_level, n=n, method=DESIGN_NAMES["difference"])
    return replace(row, p_value=p)


def scores_at_once(attribute: str, groups: tuple[Sample, ...], protocol: Protocol) -> Estimates:
    """The Kruskal-Wallis (or design-based) test that three groups or more have one distribution of scores.

    Parameters
    ----------
    attribute : str
        Its name.
    groups : tuple of Sample
        Its groups.
    protocol : Protocol
        Smallest group, design.

    Returns
    -------
    Estimates

    Examples
    --------
    >>> none = np.array([])
    >>> groups = tuple(Sample(g, np.arange(9.0) + k, none, none) for g, k in (("a", 0), ("b", 2), ("c", 4)))
    >>> scores_at_once("g", groups, Protocol(("g",)))[0].method
    'Kruskal-Wallis'
    """
    if len(groups) < 3:
        return Estimates()
    blank = Estimate("score distribution", attribute, role="all groups")
    if designed(protocol):
        return distributions_at_once(blank, groups, max(protocol.min_n, 1))
    shown = [g.scores for g in groups if g.scores.size >= max(protocol.min_n, 1)]
    blank = replace(blank, n=float(sum(s.size for s in shown)))
    test = kruskal_wallis(shown)
    if np.isnan(test.statistic):
        return Estimates([replace(blank, status="unestimable", reason="fewer than two groups have scores")])
    return Estimates([replace(blank, statistic=test.statistic, df=test.df, p_value=test.p_value, method=test.method)])
