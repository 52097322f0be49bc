"""A measure as a newcomer writes one: this function, its rows and its metric are all that the package knows of it."""

from __future__ import annotations

import numpy as np
from scipy import stats

from fairstats.auditing.arguments import MeasuredColumn
from fairstats.auditing.audit import Section
from fairstats.auditing.counts import Weighed
from fairstats.auditing.protocol import Protocol
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.verdicts import Comparison, Undecided
from fairstats.language import message
from fairstats.metrics import PLAIN, Metric

ROW = MeasuredColumn(
    message("wait missing"), message("left out of the mean waits"), numeric=True, metrics=("mean wait",)
)
METRIC = Metric(
    "mean wait", "Mean wait", "mean of the waits", needs=("wait",), scale=PLAIN, range=(-np.inf, np.inf), better="lower"
)


def mean_waits(current: Weighed, reference: str, protocol: Protocol) -> Section:
    """The mean wait of each group, and Welch's comparison with the reference."""
    people, levels = current.joined, current.levels
    waits = {}
    for i, label in enumerate(levels.labels):
        there = (levels.codes == i) & ~np.isnan(people.numbers["wait"])
        waits[label] = np.repeat(people.numbers["wait"][there], people.rows[there].astype(int))

    def mean(label: str) -> Estimate:
        x = waits[label]
        about = Estimate("mean wait", levels.name, label, n=float(x.size))
        if x.size < 2:
            return about.blank(n=about.n, status="unestimable", reason=message("fewer than two known waits"))
        low, high = stats.ttest_1samp(x, 0).confidence_interval(protocol.conf_level)
        return about.with_interval(x.mean(), low, high, conf_level=protocol.conf_level)

    def gap(label: str, level: float) -> list[Estimate]:
        one, other = waits[label], waits[reference]
        about = Estimate("mean wait", levels.name, label, "difference", reference, n=float(one.size))
        if min(one.size, other.size) < 2:
            return [about.blank(n=about.n, status="unestimable", reason=message("fewer than two known waits"))]
        test = stats.ttest_ind(one, other, equal_var=False)
        low, high = test.confidence_interval(level)
        row = about.with_interval(one.mean() - other.mean(), low, high, conf_level=level, p_value=test.pvalue)
        return [row]

    comparisons = [
        Comparison(gap(label, 0.95)[0].p_value, lambda level, label=label: gap(label, level))
        for label in levels.labels
        if label != reference
    ]
    return Section([Estimates(map(mean, levels.labels)), Undecided(comparisons, protocol.multiplicity)])
