"""The result of an audit: the declared protocol, the flow of the data, every estimate, the curves, the provenance."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from fairstats.auditing.counts import Cell
from fairstats.auditing.resolved import Resolved
from fairstats.errors import visible
from fairstats.estimates import Estimate, Estimates
from fairstats.glossary import STATUSES, VERDICTS
from fairstats.inference.rates.rate_bootstrap import Scheme
from fairstats.metrics import METRICS
from fairstats.results import Reads
from fairstats.studies.curve import Curve
from fairstats.studies.flow import FlowStep, read_and_analyzed
from fairstats.studies.group_matrix import group_matrix
from fairstats.studies.provenance import DataSource, Provenance
from fairstats.text import json_plain

if TYPE_CHECKING:
    import pandas as pd

    from fairstats.auditing.gate import Passed

SCHEMA = "fairstats/audit/1"


@dataclass(frozen=True, repr=False)
class Audit(Reads):
    """An audit: print it, ``tidy()`` it, ``fairstats.report`` it."""

    protocol: Resolved
    flow: tuple[FlowStep, ...]
    cells: tuple[Cell, ...]
    references: dict[str, str]  # attribute -> the level that the rule chose
    estimates: Estimates
    curves: tuple[Curve, ...]
    data: DataSource
    provenance: Provenance
    notes: tuple[str, ...] = field(default=())  # cautions in words, shown in the report

    @property
    def people(self) -> float:
        """Everybody who was read: rows, or the people that rows stand for."""
        return read_and_analyzed(self.flow)[0].n if self.flow else self.data.rows

    def summary(self) -> str:
        """The audit as text, at most 80 columns wide."""
        from fairstats.auditing.words.summary import summarize

        return visible(summarize(self))

    def __str__(self) -> str:
        from fairstats.auditing.words.printed import printed

        return visible(printed(self))

    def _console(self) -> str:
        return str(self)

    def finding(self) -> str:
        """The answer: a sentence for every declared attribute, in plain words."""
        from fairstats.auditing.words.finding import finding

        return visible(" ".join(finding(self).split()))

    def claims(self) -> Estimates:
        """At most eight comparisons for page one, the key finding first."""
        from fairstats.auditing.words.finding import claims

        return claims(self)

    def passes(self) -> Passed:
        """Whether every declared comparison is shown to be within the declared margin; ``failures`` are those not.

        Inconclusive, suppressed and unestimable comparisons fail. On the command line: ``--fail-on no-equivalence``.

        Examples
        --------
        >>> import fairstats as fs
        >>> data = {"sex": ["f", "m"] * 900, "hired": [1, 1, 0, 0] * 450}
        >>> if fs.audit(data, "hired", "sex", equivalence=0.1).passes():
        ...     print("within the margin")
        within the margin
        """
        from fairstats.auditing.gate import passes

        return passes(self)

    def bootstrap(self, *, replicates: int = 10_000, scheme: Scheme = "people") -> Estimates:
        """Bootstrap intervals of every rate, from the count table and with the audit's seed."""
        from fairstats.auditing.rows.bootstrap import bootstrap

        return bootstrap(self, replicates=replicates, scheme=scheme)

    def by_group(self, attribute: str = "") -> pd.DataFrame:
        """Every rate and score of every group, as a frame with a line a group and a column a metric.

        Parameters
        ----------
        attribute : str
            Which of the attributes; the first by default.

        Returns
        -------
        pandas.DataFrame
            NaN where a group is suppressed, or nobody is in a denominator.

        Examples
        --------
        >>> import fairstats as fs
        >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
        >>> fs.audit(data, "hired", "sex").by_group()["selection rate"].to_dict()
        {'f': 0.2, 'm': 0.6}
        """
        groups = {name: [cell.group for cell in self.cells if cell.attribute == name] for name in self.references}
        return group_matrix(self.estimates, groups, attribute)

    def glance(self) -> pd.DataFrame:
        """One row: rows, groups, comparisons, how many of each verdict and status.

        A rate and what is left of it to 100 % (TPR and FNR, FPR and TNR, PPV and FDR, NPV and FOR) have one verdict.
        """
        import pandas as pd

        counts: dict[str, Any] = {"rows": self.data.rows, "attributes": len(self.references), "groups": len(self.cells)}
        counts["estimates"] = len(self.estimates)
        judged = [row for row in self.estimates if row.verdict]
        known = {_question(row) for row in judged}
        judged = [row for row in judged if not (_mirrored(row) in known and _later(row))]
        counts |= {word.replace(" ", "_"): sum(row.verdict == word for row in judged) for word in VERDICTS}
        counts |= {status: len(self.estimates.where(status=status)) for status in STATUSES}
        settings = {"conf_level": self.protocol.conf_level, "adjust": self.protocol.adjust}
        return pd.DataFrame([{**counts, **settings, "declared": self.protocol.declared}])

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-ready (schema ``fairstats/audit/1``): absent numbers are None, infinite ones "Inf"."""
        return {
            "schema": SCHEMA,
            "finding": self.finding(),
            "protocol": json_plain(asdict(self.protocol)),
            "data": json_plain(asdict(self.data)),
            "flow": [json_plain(asdict(step)) for step in self.flow],
            "references": dict(self.references),
            "cells": [json_plain(asdict(cell)) for cell in self.cells],
            "estimates": self.estimates.to_records(),
            "curves": [json_plain(asdict(curve)) for curve in self.curves],
            "notes": list(self.notes),
            "provenance": json_plain(asdict(self.provenance)),
        }

    def _brief(self) -> str:
        levels = (f"{name} ({sum(c.attribute == name for c in self.cells)})" for name in self.references)
        from fairstats.auditing.words.printed import size

        return f"{size(self)}, groups {', '.join(levels)}; {self.finding()}"


def _question(row: Estimate) -> tuple[str, ...]:
    return row.role, row.metric, row.attribute, row.group, row.contrast, row.reference, row.given, row.term


def _mirrored(row: Estimate) -> tuple[str, ...]:
    """The same comparison of what is left of the rate to 100 %."""
    role, metric, *rest = _question(row)
    known = METRICS.get(metric)
    return role, known.complement if known else "", *rest


def _later(row: Estimate) -> bool:
    return list(METRICS).index(row.metric) > list(METRICS).index(METRICS[row.metric].complement)
