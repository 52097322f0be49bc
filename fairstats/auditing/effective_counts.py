"""The counts behind a rate by group, as printed, and what they are worth under weights and clusters."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from fairstats.auditing.coding import CodedTally
from fairstats.auditing.counts import Rate, Table, available, tabulate
from fairstats.auditing.input import UNKNOWN
from fairstats.auditing.protocol import Protocol
from fairstats.studies.attribute import Levels

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Evidence:
    """One rate by group: the events and n that are printed, the people counted, and the effective sample size."""

    metric: str
    events: Floats
    n: Floats
    people: Floats  # rows in the denominator: what `min_n` looks at
    size: Floats  # effective sample size; n where every row is one independent person
    exact: bool  # whole counts of independent people: exact tests apply
    empty: str  # why it cannot be estimated when the denominator is empty
    units: NDArray[np.int64] | None = None  # weighted people or clusters behind a variance; None where it needs none
    correlation: Floats | None = None  # of the rates of two groups, where clusters hold people of both
    variance: Floats | None = None  # linearized, of each rate, under probability weights or clusters

    @property
    def rate(self) -> Floats:
        """Events over n, NaN in an empty group."""
        return np.divide(self.events, self.n, out=np.full(self.n.shape, np.nan), where=self.n > 0)

    def estimable(self, min_n: int) -> NDArray[np.bool_]:
        """Whether each group has enough people, and a variance where the design needs one."""
        enough = self.people >= max(min_n, 1)
        return enough if self.units is None else enough & (self.units > 1)

    def effective(self, i: int) -> tuple[float, float]:
        """Return the events and the size of a sample of independent people that would be worth as much as group i."""
        if self.size[i] == self.n[i]:
            return float(self.events[i]), float(self.n[i])
        return float(self.rate[i] * self.size[i]), float(self.size[i])

    def correlated(self, i: int, j: int) -> float:
        """Correlation of the rates of two groups."""
        return 0.0 if self.correlation is None else float(self.correlation[i, j])

    def std_error(self, i: int) -> float:
        """The linearized standard error of the rate of group i."""
        assert self.variance is not None
        return float(np.sqrt(self.variance[i]))


def evidence(tally: CodedTally, levels: Levels, protocol: Protocol) -> tuple[Table, tuple[Evidence, ...]]:
    """Count one attribute and weigh every rate that its table allows.

    Frequency weights count people. With probability weights or clusters a rate is worth the effective sample size
    p(1 - p)/v of its linearized variance v (Korn and Graubard), which makes the test of two rates that of Rao and
    Scott; at a rate of 0 or 1, where v is 0, it is Kish's size of the weights (of the clusters' totals). The sizes are
    those of `fairstats.inference.rates.survey_rates`, from tables instead of rows.

    Standard errors are those of a domain of the whole sample, as R's ``survey::svyby`` has them: a cluster (or a
    weighted person) outside the group counts as one that adds nothing. Sizes, hence intervals and tests, rest on the
    group's own clusters, of which there may be few.

    Parameters
    ----------
    tally : CodedTally
        People by cell.
    levels : Levels
        The attribute.
    protocol : Protocol
        Kind of weights, clusters, confidence level.

    Returns
    -------
    Table, tuple of Evidence

    References
    ----------
    Korn & Graubard (1998), Survey Methodology 24; Rao & Scott (1992), Biometrics 48; Kish (1965), section 11.7.

    Examples
    --------
    >>> sex = Levels("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> tally = CodedTally((sex,), np.ones(3), decision=np.array([1, 0, 1], dtype=np.int8))
    >>> evidence(tally, sex, Protocol(("sex",)))[1][0].rate.tolist()
    [0.5, 1.0]
    """
    table = tabulate(tally, levels, tally.weight)
    if tally.clusters is None and protocol.weight_type != "probability":
        return table, tuple(_plain(metric, rate, table) for metric, rate in available(table).items())
    used = tabulate(tally, levels, tally.used)
    if tally.clusters is None:
        return table, _weighted(tally, levels, table, used)
    return table, _clustered(tally, levels, table, used, protocol.conf_level)


def scoring(tally: CodedTally, levels: Levels, protocol: Protocol) -> tuple[Table, Evidence]:
    """The scoring rate: the share that scores above the median of the whole sample, people of unknown group included.

    Parameters
    ----------
    tally : CodedTally
        With scores.
    levels : Levels
        The attribute.
    protocol : Protocol
        Kind of weights, clusters, confidence level.

    Returns
    -------
    Table, Evidence
        Counts in which "decided favorably" is a score above the median.

    References
    ----------
    Rules of the City of New York, title 6, section 5-300, "scoring rate".

    Examples
    --------
    >>> sex = Levels("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> tally = CodedTally((sex,), np.ones(3), score=np.array([1.0, 2.0, 3.0]))
    >>> scoring(tally, sex, Protocol(("sex",)))[1].events.tolist()
    [0.0, 1.0]
    """
    above = above_median(tally, protocol.weight_type)
    table, parts = evidence(replace(tally, decision=above, outcome=None, favors=1), levels, protocol)
    return table, replace(parts[0], metric="scoring rate", empty="no known score")


def above_median(tally: CodedTally, weight_type: str) -> NDArray[np.int8]:
    """Whether a score exceeds the median of everybody's, `UNKNOWN` where there is none.

    Examples
    --------
    >>> above_median(CodedTally((), np.array([3.0, 1, 1]), score=np.array([1.0, 2, np.nan])), "frequency").tolist()
    [0, 1, 2]
    """
    assert tally.score is not None
    known = ~np.isnan(tally.score)
    people = tally.people(weight_type)[known].astype(np.int64)
    scores = np.repeat(tally.score[known], people)
    middle = np.median(scores) if scores.size else np.nan
    return np.where(known, tally.score > middle, UNKNOWN).astype(np.int8)


def _plain(metric: str, rate: Rate, table: Table) -> Evidence:
    events, n = rate.fraction(table)
    return Evidence(metric, events, n, n, n, True, rate.empty)


def _weighted(tally: CodedTally, levels: Levels, table: Table, people: Table) -> tuple[Evidence, ...]:
    squares = tabulate(tally, levels, tally.square)
    sampled = int(tally.used.sum())
    out = []
    for metric, rate in available(table).items():
        (events, n), (e2, n2), count = rate.fraction(table), rate.fraction(squares), rate.fraction(people)[1]
        with np.errstate(divide="ignore", invalid="ignore"):
            p = events / n
            squared = ((1 - p) ** 2 * e2 + p**2 * (n2 - e2)) / n**2
            size = _size(events, n, count / (count - 1) * squared, n**2 / n2, count)
            variance = _bessel(sampled) * squared
        units = count.astype(np.int64)
        out.append(Evidence(metric, events, n, count, size, False, rate.empty, units, variance=variance))
    return tuple(out)


def _clustered(
    tally: CodedTally, levels: Levels, table: Table, people: Table, conf_level: float
) -> tuple[Evidence, ...]:
    assert tally.clusters is not None
    groups, clusters = len(levels.labels), int(tally.clusters.max(initial=0)) + 1
    cells = Levels(levels.name, tally.clusters * np.int32(groups) + levels.codes, ("",) * (groups * clusters))
    by_cluster = tabulate(tally, cells, tally.weight)
    sampled = len(np.unique(tally.clusters[tally.used > 0]))
    out = []
    for metric, rate in available(table).items():
        (events, n), count = rate.fraction(table), rate.fraction(people)[1]
        e, d = (v.reshape(clusters, groups) for v in rate.fraction(by_cluster))
        units = (d > 0).sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            influence = np.nan_to_num((e - events / n * d) / n)
            sums = influence.T @ influence
            size = _size(events, n, units / (units - 1) * np.diag(sums), n**2 / np.sum(d * d, axis=0), count)
            variance = _bessel(sampled) * np.diag(sums)
            correlation = np.nan_to_num(sums / np.sqrt(np.outer(np.diag(sums), np.diag(sums))))
        size = size * _few(units, count, conf_level)
        out.append(Evidence(metric, events, n, count, size, False, rate.empty, units, correlation, variance))
    return tuple(out)


def _bessel(sampled: int) -> float:
    """Return n / (n − 1), Bessel's factor of the units drawn; NaN for one unit, which has no variance."""
    return sampled / (sampled - 1) if sampled > 1 else float("nan")


def _size(events: Floats, n: Floats, variance: Floats, kish: Floats, people: Floats) -> Floats:
    """Effective size, at most the number of people: a design effect under 1 is noise, not information."""
    p = events / n
    varied = (events > 0) & (n - events > n * 1e-12) & (variance > 0)
    size = np.where(varied, p * (1 - p) / variance, kish)
    return np.where(people > 0, np.minimum(size, people), 0.0)


def _few(clusters: NDArray[np.int64], people: Floats, conf_level: float) -> Floats:
    """Korn and Graubard's factor for a variance from few clusters: the square of two quantiles of Student's t."""
    upper = (1 + conf_level) / 2
    free = stdtrit(np.maximum(clusters - 1, 1).astype(float), upper)
    return np.where(clusters > 1, (stdtrit(np.maximum(people, 1.0), upper) / free) ** 2, 1.0)
