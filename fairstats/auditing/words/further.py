"""What an audit decided and a page has no room for: every settled comparison is named somewhere."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from fairstats import metrics
from fairstats.estimates import Estimate
from fairstats.glossary import SHOWN
from fairstats.text import listed

if TYPE_CHECKING:
    from fairstats.auditing.result import Audit

SETTLED = (*SHOWN, "equivalence shown")


def further(audit: Audit, attribute: str, printed: Collection[str]) -> list[Estimate]:
    """The audited comparisons of an attribute that are settled, in metrics that are not printed elsewhere.

    Parameters
    ----------
    audit : Audit
        The audit.
    attribute : str
        An attribute, or intersection.
    printed : collection of str
        Names of the metrics whose comparisons are printed.

    Returns
    -------
    list of Estimate

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> made = audit({"g": ["a", "b"] * 40, "d": [1, 0] * 40}, "d", "g")
    >>> [(row.metric, row.group) for row in further(made, "g", {"impact ratio"})]
    [('selection rate', 'b')]
    """
    found: list[Estimate] = []
    told = set(printed)
    rows = [row for row in audit.estimates.only(attribute=attribute, role="main") if row.verdict in SETTLED]
    for metric in dict.fromkeys(row.metric for row in rows):
        if metric in told or metrics.METRICS[metric].complement in told:  # 100 % less it is the same fact
            continue
        told.add(metric)
        found += [row for row in rows if row.metric == metric]
    return found


def further_text(audit: Audit, attribute: str, printed: Collection[str]) -> str:
    """One sentence that names them, by verdict and metric; nothing where there are none.

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> made = audit({"g": ["a", "b"] * 40, "d": [1, 0] * 40}, "d", "g")
    >>> further_text(made, "g", {"impact ratio"})
    'Also settled by g, with numbers in tidy(): disparity shown in selection rate (b).'
    """
    rows = further(audit, attribute, printed)
    parts = []
    for verdict in SETTLED:
        named = []
        for metric in dict.fromkeys(row.metric for row in rows if row.verdict == verdict):
            groups = [r.group for r in rows if (r.verdict, r.metric) == (verdict, metric) and r.group]
            named.append(metrics.in_text(metric) + (f" ({listed(groups)})" if groups else ""))
        if named:
            parts.append(f"{verdict} in {listed(named)}")
    return f"Also settled by {attribute}, with numbers in tidy(): {'; '.join(parts)}." if parts else ""
