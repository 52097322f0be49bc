"""The bootstrap of every rate of an audit, from its count table: the cost does not grow with the number of people."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fairstats.arguments import MOST_PERMUTATIONS, whole
from fairstats.auditing.suppression.marking import reason
from fairstats.errors import InputError
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.rates.rate_bootstrap import REPLICATES, Scheme, bootstrap_rates

if TYPE_CHECKING:
    from fairstats.auditing.counts import Cell
    from fairstats.auditing.protocol import Protocol
    from fairstats.auditing.result import Audit


def bootstrap(audit: Audit, *, replicates: int = REPLICATES, scheme: Scheme = "people") -> Estimates:
    """Bootstrap standard errors and percentile intervals of every rate, with the seed of the audit.

    Parameters
    ----------
    audit : Audit
        Of outcomes and decisions, without probability weights or clusters.
    replicates : int
        Tables drawn for each attribute.
    scheme : {"people", "within groups"}
        Whether the sizes of the groups vary from sample to sample or are fixed by the design.

    Returns
    -------
    Estimates
        One row a rate and group; suppressed groups keep their status. At a rate of 0 or 1 the interval is Wilson's.

    Raises
    ------
    InputError
        If the audit has no table outcome × decision, or rests on weights or clusters.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> data = {"g": list("aabb") * 10, "y": [0, 1] * 20, "d": [0, 1, 1, 1] * 10}
    >>> rows = bootstrap(audit(data, outcome="y", decision="d", groups="g"), replicates=100)
    >>> rows.where(metric="PPV", group="b")[0].estimate
    0.5
    """
    replicates = whole("replicates", replicates, 1, MOST_PERMUTATIONS, "more would not change an interval")
    protocol = audit.protocol
    if not protocol.outcome or not (protocol.decision or protocol.threshold is not None):
        raise InputError("audit has no table of outcome and decision; a bootstrap of the rates needs both columns.")
    if protocol.weight_type == "probability" or protocol.clusters:
        raise InputError(
            "audit rests on weights or clusters; the bootstrap draws independent people; use its own intervals."
        )
    rows = Estimates()
    for attribute in audit.references:
        own = [cell for cell in audit.cells if cell.attribute == attribute]
        shown = [cell for cell in own if not math.isnan(cell.tp)]
        drawn = bootstrap_rates(
            np.array([[[c.tn, c.fp], [c.fn, c.tp]] for c in shown]).reshape(-1, 2, 2),
            [c.group for c in shown],
            attribute=attribute,
            conf_level=protocol.conf_level,
            replicates=replicates,
            scheme=scheme,
            seed=protocol.seed,
            favors=int(protocol.favorable == protocol.predicts),
        )
        hidden = [_hidden(cell, protocol) for cell in own if cell not in shown]
        rows += drawn + hidden
    return rows


def _hidden(cell: Cell, protocol: Protocol) -> Estimate:
    blank = Estimate("selection rate", cell.attribute, cell.group, status="suppressed")
    return replace(blank, reason=reason(protocol))
