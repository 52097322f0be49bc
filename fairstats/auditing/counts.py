"""The count table group × outcome × decision: everything about rates is a function of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.coding import CodedTally
from fairstats.auditing.input import UNKNOWN
from fairstats.auditing.protocol import Protocol
from fairstats.metrics import METRICS, Cells, Metric, rates
from fairstats.studies.attribute import Attribute

Floats = NDArray[np.float64]
Fraction = tuple[Floats, Floats]

NO, YES, NONE = 0, 1, UNKNOWN


@dataclass(frozen=True)
class Cell:
    """The counts of one level of one attribute: the table group × outcome × decision (NaN where one is absent)."""

    attribute: str
    group: str
    n: float
    positives: float
    negatives: float
    favorable: float
    unfavorable: float
    tp: float  # decision "1" is the decision that says "positive" of the outcome
    fp: float
    fn: float
    tn: float


@dataclass(frozen=True)
class CountTable:
    """Counts (or summed weights) of one attribute: ``counts[group, outcome, decision]``, each 0, 1 or unknown."""

    attribute: str
    labels: tuple[str, ...]
    counts: Floats  # (G, 3, 3)
    favors: int
    has_outcome: bool
    has_decision: bool

    @property
    def n(self) -> Floats:
        """People (or summed weights) by group."""
        return np.asarray(self.counts.sum(axis=(1, 2)))


def tabulate(tally: CodedTally, levels: Attribute, sums: Floats) -> CountTable:
    """Sum the cells of a tally over one attribute, outcome and decision.

    Parameters
    ----------
    tally : CodedTally
        People by cell.
    levels : Attribute
        The attribute.
    sums : ndarray, shape (cells,)
        What is summed: ``tally.rows``, ``tally.weight``, ``tally.square``.

    Returns
    -------
    CountTable

    Examples
    --------
    >>> sex = Attribute("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> tally = CodedTally((sex,), np.ones(3), decision=np.array([1, 0, 1], dtype=np.int8))
    >>> tabulate(tally, sex, tally.rows).n.tolist()
    [2.0, 1.0]
    """
    unknown = np.int32(UNKNOWN)
    outcome = unknown if tally.outcome is None else tally.outcome
    decision = unknown if tally.decision is None else tally.decision
    place = levels.codes * np.int32(9) + outcome * np.int32(3) + decision
    counts = np.bincount(place, weights=sums, minlength=9 * len(levels.labels)).astype(float)
    return CountTable(
        levels.name,
        levels.labels,
        counts.reshape(-1, 3, 3),
        tally.favors,
        tally.outcome is not None,
        tally.decision is not None,
    )


@dataclass(frozen=True)
class Rate:
    """A rate: its numerator and denominator by group, what it needs, and what its denominator lacks when empty."""

    fraction: Callable[[CountTable], Fraction]
    outcome: bool
    decision: bool
    empty: str


def _rate(metric: Metric) -> Rate:
    def fraction(t: CountTable) -> Fraction:
        events, n = (_places(cells) for cells in metric.cells(t.favors))
        return t.counts[:, *events].sum(axis=1), t.counts[:, *n].sum(axis=1)

    return Rate(fraction, "outcome" in metric.columns, "decision" in metric.columns, metric.empty)


def _places(cells: Cells) -> tuple[list[int], list[int]]:
    return [y for y, _ in cells], [d for _, d in cells]


RATES: dict[str, Rate] = {metric.name: _rate(metric) for metric in rates("audit")}


def available(table: CountTable) -> dict[str, Rate]:
    """The rates that the columns at hand allow.

    Examples
    --------
    >>> list(available(CountTable("sex", ("a", "b"), np.ones((2, 3, 3)), 1, False, True)))
    ['selection rate']
    """
    have = (table.has_outcome, table.has_decision)
    return {name: r for name, r in RATES.items() if (have[0] or not r.outcome) and (have[1] or not r.decision)}


def cells(table: CountTable) -> tuple[Cell, ...]:
    """The counts by group for the report.

    Parameters
    ----------
    table : CountTable
        One attribute.

    Returns
    -------
    tuple of Cell
        NaN where a column is absent.

    Examples
    --------
    >>> cells(CountTable("sex", ("a",), np.ones((1, 3, 3)), 1, True, True))[0].tp
    1.0
    """
    c, y, d = table.counts, table.has_outcome, table.has_decision
    columns: dict[str, tuple[Any, bool]] = {
        "positives": (c[:, YES].sum(axis=1), y),
        "negatives": (c[:, NO].sum(axis=1), y),
        "favorable": (c[:, :, table.favors].sum(axis=1), d),
        "unfavorable": (c[:, :, 1 - table.favors].sum(axis=1), d),
        "tp": (c[:, YES, YES], y and d),
        "fp": (c[:, NO, YES], y and d),
        "fn": (c[:, YES, NO], y and d),
        "tn": (c[:, NO, NO], y and d),
    }
    n = table.n
    return tuple(
        Cell(
            table.attribute,
            label,
            float(n[i]),
            **{k: float(v[i]) if known else float("nan") for k, (v, known) in columns.items()},
        )
        for i, label in enumerate(table.labels)
    )


def block(metric: str, protocol: Protocol) -> str:
    """Return the block of counts that a metric is computed from; other metrics belong to the headline rate's block."""
    columns = METRICS[metric].columns if metric in METRICS else ()
    if "outcome" in columns and len(columns) > 1:
        return "joint"
    if columns in (("score",), ("outcome",)):
        return columns[0]
    if protocol.decision or protocol.threshold is not None:
        return "decision"
    return "score" if protocol.score else "outcome"
