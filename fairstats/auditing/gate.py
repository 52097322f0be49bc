"""What a gate asks of an audit: that every declared comparison is shown to be within the declared margin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairstats.auditing.words.answer import declared
from fairstats.errors import InputError
from fairstats.estimates import Estimate, Estimates
from fairstats.metrics import METRICS
from fairstats.vocabulary.metric import PERCENT

if TYPE_CHECKING:
    from fairstats.auditing.result import Audit


@dataclass(frozen=True)
class Passed:
    """Whether an audit passes: true where every comparison is within its margin; ``failures`` are those that are not.

    A comparison that is inconclusive, suppressed or not estimable fails as one with a disparity does: that nothing is
    known of a group is no reason to pass.
    """

    failures: Estimates
    compared: int

    def __bool__(self) -> bool:
        return not self.failures

    def __str__(self) -> str:
        if not self.failures:
            return f"passes: all {self.compared} comparisons are shown to be within the declared margin"
        lines = [f"fails: {len(self.failures)} of {self.compared} comparisons are not shown to be within the margin"]
        return "\n".join([*lines, *(f"  {place(row)}: {row.verdict or row.status}" for row in self.failures)])


def place(row: Estimate) -> str:
    """Which comparison a row is: the metric, the attribute, the groups."""
    given = f", within {row.given}" if row.given else ""
    among = f"{row.group} against {row.reference}" if row.reference else row.group or "its groups"
    return f"{row.metric} by {row.attribute} of {among}{given}"


def passes(audit: Audit) -> Passed:
    """Ask whether every declared comparison is shown to be within its margin.

    Parameters
    ----------
    audit : Audit
        With a margin.

    Returns
    -------
    Passed

    Raises
    ------
    InputError
        If no margin was declared: then nothing can be shown to be within it.

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f", "m"] * 900, "hired": [1, 1, 0, 0] * 450}
    >>> bool(passes(audit(data, "hired", "sex", equivalence=0.1)))
    True
    >>> print(passes(audit(data, "hired", "sex", equivalence=0.01)))
    fails: 1 of 1 comparisons are not shown to be within the margin
      selection rate by sex of m against f: inconclusive
    """
    if not audit.protocol.equivalence:
        raise InputError(
            "equivalence is absent; no margin was declared, so no comparison can be shown to be within it; declare it "
            "in advance: equivalence=0.05."
        )
    rows = compared(audit)
    return Passed(Estimates(row for row in rows if row.verdict != "equivalence shown"), len(rows))


def compared(audit: Audit) -> list[Estimate]:
    """The comparisons of the declared attributes that the declared margins are for, whatever became of them.

    A rate and what is left of it to 100 % are one comparison; an intersection counts where it was declared.
    """
    names, found = declared(audit), dict[tuple[object, ...], Estimate]()
    for row in audit.estimates.only(role="main", term=""):
        known = METRICS.get(row.metric)
        if row.attribute not in names or known is None or not row.reference or not _for_margin(row, audit):
            continue
        metric = min(row.metric, known.complement or row.metric, key=list(METRICS).index)
        if row.contrast == "ratio":  # a ratio of complements is another one than that of the rates
            metric = row.metric
        found.setdefault((metric, row.attribute, row.group, row.reference, row.contrast, row.given), row)
    return list(found.values())


def _for_margin(row: Estimate, audit: Audit) -> bool:
    """Whether a declared margin is for a row: one that was tested, or would have been had there been enough people."""
    margins, protocol = audit.protocol.equivalence, audit.protocol
    if row.status == "ok":
        return row.p_equivalence == row.p_equivalence
    decided = protocol.decision or protocol.score
    if row.metric == "base rate" and decided:  # it describes the outcome
        return False
    tested = {(r.metric, r.contrast) for r in audit.estimates.only(role="main", status="ok")
              if r.p_equivalence == r.p_equivalence}  # fmt: skip
    if (row.metric, row.contrast) in tested:
        return True
    rate = METRICS[row.metric].is_rate and METRICS[row.metric].scale == PERCENT
    return rate and not row.given and getattr(margins, row.contrast, None) is not None
