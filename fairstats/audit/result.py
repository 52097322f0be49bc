"""The result of an audit: the declared protocol, the flow of the data, every estimate, the curves, the provenance."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from fairstats.inference.estimate import Estimates


@dataclass(frozen=True)
class Protocol:
    """What was decided before looking: labels are text, as the groups are."""

    groups: tuple[str, ...]  # audited attributes; "sex:race" is the intersection
    outcome: str = ""  # column names; "" where the audit has none
    decision: str = ""
    score: str = ""
    threshold: float | None = None  # decision = score >= threshold
    positive: str = "1"  # the outcome label that counts as 1
    favorable: str = "1"  # the decision label that helps the person
    reference: str = "largest_group"  # the rule, or a level
    conf_level: float = 0.95
    adjust: str = "holm"
    equivalence: float | None = None  # margin for differences of rates
    min_n: int = 1
    strata: str = ""
    weights: str = ""
    weight_type: str = ""
    clusters: str = ""
    seed: int = 0
    declared: bool = False  # True only when read from a protocol file
    source: str = ""  # that file's name
    sha256: str = ""  # and its hash


@dataclass(frozen=True)
class FlowStep:
    """One line of the flow of counts from rows read to rows analysed."""

    label: str
    n: int
    reason: str = ""


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
class Curve:
    """One line of a figure: kind is "roc", "ecdf" or "calibration"; low and high are a band, or empty."""

    kind: str
    attribute: str
    group: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True)
class DataSource:
    """Where the rows came from; the hash is of the file, "" for data in memory."""

    name: str
    sha256: str
    rows: int
    columns: int


@dataclass(frozen=True)
class Provenance:
    """What is needed to run it again."""

    call: str
    seed: int
    versions: dict[str, str]
    created: str  # ISO 8601, UTC; SOURCE_DATE_EPOCH is honoured


@dataclass(frozen=True)
class Audit:
    """An audit: print it, ``tidy()`` it, ``fairstats.report`` it."""

    protocol: Protocol
    flow: tuple[FlowStep, ...]
    cells: tuple[Cell, ...]
    references: dict[str, str]  # attribute -> the level that the rule chose
    estimates: Estimates
    curves: tuple[Curve, ...]
    data: DataSource
    provenance: Provenance
    notes: tuple[str, ...] = field(default=())  # cautions in words, shown in the report

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-ready."""
        raise AssertionError("see audit.py")
