"""Where strata were declared, the comparisons that hold none fixed say so."""

from __future__ import annotations

from dataclasses import replace

from fairstats.auditing.protocol import Protocol
from fairstats.estimates import Estimate, Estimates
from fairstats.metrics import METRICS

# shares of scores above the median, which are compared within strata as decisions are
SCORING = ("scoring rate", "scoring impact ratio", "scoring shortfall")
UNADJUSTED = "not adjusted for the strata"


def unadjusted(rows: Estimates, protocol: Protocol) -> Estimates:
    """Comparisons of scores and errors, where strata were declared: their reason says that they hold none fixed.

    Rates of decisions and outcomes stand beside the same comparison within strata; these do not.

    Examples
    --------
    >>> row = Estimate("AUC", "sex", "f", "difference", "m", estimate=0.1)
    >>> unadjusted(Estimates([row]), Protocol(("sex",), strata="dept"))[0].reason
    'not adjusted for the strata'
    """
    if not protocol.strata:
        return rows
    return rows.map(_unadjusted)


def _unadjusted(row: Estimate) -> Estimate:
    columns = METRICS[row.metric].columns if row.metric in METRICS else ()
    beside = row.metric in SCORING or not ("score" in columns or len(columns) > 1)
    if beside or row.given or row.status != "ok" or not (row.reference or row.p_value == row.p_value):
        return row
    return replace(row, reason="; ".join(filter(None, [row.reason, UNADJUSTED])))
