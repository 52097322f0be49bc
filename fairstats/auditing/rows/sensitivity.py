"""How much the headline depends on choices and gaps: another interval, other thresholds, missing data, sample size."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.counts import CountTable
from fairstats.auditing.effective_counts import Evidence
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rows.missing import bound_rows
from fairstats.auditing.rows.score_samples import Sample, refused
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.rates.power import EXACT, NORMAL, detectable, detectable_rows
from fairstats.inference.rates.two_rates import INTERVAL_NAMES, difference, miettinen_nurminen
from fairstats.inference.rates.unconditional import decisive_test

THRESHOLD = "threshold "
MOST_THRESHOLDS = 19
Floats = NDArray[np.float64]
Compared = tuple[Estimate, int]  # a difference from the reference, and the place of its group
HEADLINES = {"selection rate": "decision", "base rate": "outcome"}


def sensitivity_rows(
    part: Evidence, table: CountTable, contrasts: Estimates, reference: str, protocol: Protocol
) -> Estimates:
    """What the comparisons of one rate would be with another method or other values for what is missing.

    Parameters
    ----------
    part : Evidence
        The headline rate.
    table : CountTable
        Its attribute.
    contrasts : Estimates
        Its comparisons as audited.
    reference : str
        The reference group.
    protocol : Protocol
        Level, adjustment, smallest group.

    Returns
    -------
    Estimates
        Rows of the roles sensitivity, bound and power: another interval, bounds for missing groups and missing values
        (the ends are bounds, not confidence limits), jointly and with sampling error, and the minimal detectable
        difference.

    References
    ----------
    Miettinen & Nurminen (1985), Statistics in Medicine 4; Manski (2003), Partial Identification, chapter 1.

    Examples
    --------
    >>> n = np.array([80.0, 40.0])
    >>> part = Evidence("selection rate", np.array([48.0, 12.0]), n, n, n, True, "")
    >>> table = CountTable("sex", ("m", "f"), np.zeros((2, 3, 3)), 1, False, True)
    >>> row = Estimate("selection rate", "sex", "f", "difference", "m", estimate=-0.3)
    >>> [(r.role, r.term) for r in sensitivity_rows(part, table, Estimates([row]), "m", Protocol(("sex",)))]
    [('sensitivity', ''), ('power', 'below'), ('power', 'above')]
    """
    base = table.labels.index(reference)
    compared = [(row, table.labels.index(row.group)) for row in contrasts.where(contrast="difference", status="ok")]
    # what has to be solved for is solved for all groups together
    others = _other_intervals(part, base, compared) if part.exact else [[] for _ in compared]
    detected = power_rows(part, base, compared, [row.conf_level for row, _ in compared])
    rows: list[Estimate] = []
    for (row, i), other, power in zip(compared, others, detected, strict=True):
        rows += [*other, *bound_rows(part, table, i, base, row), *power]
    return Estimates(rows)


def _other_intervals(part: Evidence, base: int, compared: list[Compared]) -> list[list[Estimate]]:
    """Return Newcombe's interval with the mid-p test beside each difference."""
    tables = [(*part.effective(i), *part.effective(base)) for _, i in compared]
    levels = [row.conf_level if row.conf_level == row.conf_level else 0.95 for row, _ in compared]
    out = []
    for (row, _), table, level in zip(compared, tables, levels, strict=True):
        other = difference(*table, metric=row.metric, interval="newcombe", test="mid-p", conf_level=level)
        other = replace(other, attribute=row.attribute, group=row.group, reference=row.reference, role="sensitivity")
        out.append([other])
    return out


def power_rows(part: Evidence, base: int, compared: list[Compared], levels: list[float]) -> list[list[Estimate]]:
    """The smallest differences that each comparison would show with power 0.8, below the reference and above it.

    Parameters
    ----------
    part : Evidence
        The rate.
    base : int
        The place of the reference.
    compared : list of (Estimate, int)
        Each comparison, and the place of its group.
    levels : list of float
        Level of each.

    Returns
    -------
    list of list of Estimate

    Examples
    --------
    >>> n = np.array([80.0, 40.0])
    >>> part = Evidence("selection rate", np.array([48.0, 12.0]), n, n, n, True, "")
    >>> rows = power_rows(part, 0, [(Estimate("selection rate", "sex", "f", "difference", "m"), 1)], [0.95])[0]
    >>> [row.term for row in rows]
    ['below', 'above']
    """
    sizes = [
        (part.effective(i)[1], part.effective(base)[1]) if part.design is None else part.design.pair(i, base).sizes(own)
        for (_, i), own in zip(compared, levels, strict=True)
    ]
    n1, n0 = np.array(sizes).reshape(-1, 2).T
    found = detectable(n1, float(part.rate[base]), n0, levels, exact=part.design is None)
    test = EXACT if part.design is None else NORMAL
    out = []
    for k, (row, _) in enumerate(compared):
        about = Estimate(row.metric, row.attribute, row.group, "difference", row.reference, n=float(n1[k]))
        out.append(list(detectable_rows(about, (found[0][k], found[1][k]), levels[k], test=test)))
    return out


def threshold_sweep(
    attribute: str, groups: tuple[Sample, ...], reference: str, favors: int, protocol: Protocol
) -> Estimates:
    """The difference of favorable shares that other thresholds on the same scores would have given.

    Parameters
    ----------
    attribute : str
        Its name.
    groups : tuple of Sample
        Its groups.
    reference : str
        The reference group.
    favors : int
        1 where a score at or above the threshold is favorable, 0 where one below it is.
    protocol : Protocol
        Level and smallest group.

    Returns
    -------
    Estimates
        One row a group and threshold, at the unadjusted level: every distinct score where there are few, otherwise
        the twentieths of the scores.

    Examples
    --------
    >>> none = np.array([])
    >>> a, b = (Sample(g, np.arange(4.0) + k, none, none) for g, k in (("a", 0), ("b", 1)))
    >>> threshold_sweep("g", (a, b), "a", 1, Protocol(("g",))).column("given")
    ['threshold 1', 'threshold 2', 'threshold 3', 'threshold 4']
    """
    if refused(protocol):
        return Estimates()
    shown = [g for g in groups if g.scores.size >= max(protocol.min_n, 1)]
    base = next((g for g in shown if g.label == reference), None)
    if base is None:
        return Estimates()
    thresholds = _thresholds(np.concatenate([g.scores for g in shown]))
    counts = {g.label: _favored(g.scores, thresholds, favors) for g in shown}
    rows: list[Estimate] = []
    e0, n0 = counts[reference], float(base.scores.size)
    for g in shown:
        if g is base:
            continue
        e1, n1 = counts[g.label], float(g.scores.size)
        low, high = miettinen_nurminen(e1, n1, e0, n0, protocol.conf_level)
        # as the audited row: where the test does not reject, the limits do not leave equality out either
        apart = decisive_test(e1, n1, e0, n0) <= 1 - protocol.conf_level
        low, high = np.where(apart, low, np.minimum(low, 0)), np.where(apart, high, np.maximum(high, 0))
        about = Estimate("selection rate", attribute, g.label, "difference", reference, n=n1)
        rows += [
            about.with_interval(
                float(e1[k] / n1 - e0[k] / n0),
                float(low[k]),
                float(high[k]),
                protocol.conf_level,
                role="sensitivity",
                given=f"{THRESHOLD}{t:g}",
                events=float(e1[k]),
                method=INTERVAL_NAMES["miettinen-nurminen"],
            )
            for k, t in enumerate(thresholds.tolist())
        ]
    return Estimates(rows)


def threshold_of(row: Estimate) -> float:
    """The threshold that a row of the sweep is given; NaN for any other row."""
    return float(row.given.removeprefix(THRESHOLD)) if row.given.startswith(THRESHOLD) else float("nan")


def _thresholds(scores: Floats) -> Floats:
    distinct = np.unique(scores)[1:]
    if distinct.size <= MOST_THRESHOLDS:
        return distinct
    return np.unique(np.quantile(scores, np.arange(1, 20) / 20, method="inverted_cdf"))


def _favored(scores: Floats, thresholds: Floats, favors: int) -> Floats:
    below = np.searchsorted(np.sort(scores), thresholds, side="left").astype(float)
    return scores.size - below if favors else below
