"""The finding of an audit in a sentence, and the claims of page one, in an order that the design fixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairstats import metrics
from fairstats.auditing.protocol import Protocol
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.rates.stratified_rows import LEFT_OUT
from fairstats.labels import holds_missing
from fairstats.text import capital, level, listed, number, percent, span

if TYPE_CHECKING:
    from fairstats.auditing.result import Audit

MOST_CLAIMS = 8
EFFECT = "risk difference within strata"
NOTHING = "No group could be compared with its reference; the table of estimates states why."
OTHERWISE = "The {metric} of {group} and {reference} ({attribute}) differ by {estimate} ({interval})."


def decision_text(protocol: Protocol, label: str) -> str:
    """A decision in words: ``released: Yes``, or ``decile_score below 5``.

    Examples
    --------
    >>> decision_text(Protocol(("race",), score="decile_score", threshold=5.0), "0")
    'decile_score below 5'
    """
    if protocol.threshold is None:
        return f"{protocol.decision}: {label}"
    side = "at least" if label == "1" else "below"
    return f"{protocol.score} {side} {protocol.threshold:g}"


def roles(protocol: Protocol) -> dict[str, str]:
    """What the sentences of the vocabulary call outcome, decision and score."""
    return {
        "outcome": f"{protocol.outcome}: {protocol.positive}",
        "decision": decision_text(protocol, protocol.favorable),
        "score": protocol.score,
    }


def finding(audit: Audit) -> str:
    """The key finding in plain words: the first of the claims, with its interval and how it was picked.

    Where legitimate factors were declared, a second sentence says what remains when they are held fixed; where there
    were several comparisons, a last one says why this one leads.

    Parameters
    ----------
    audit : Audit
        The audit.

    Returns
    -------
    str

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> print(finding(audit(data, decision="hired", groups="sex", reference="m")))
    20.0 % of f (sex) received the favorable decision (hired: 1) against 60.0 % of m: 40.0 points less
    (95 % interval 21.0 to 55.2). Disparity shown.
    """
    ranked = claims(audit)
    if not ranked:
        return NOTHING
    row = ranked[0]
    said = [claim_text(audit, row), f"{row.verdict.capitalize()}."]
    if row.metric in metrics.shown("headline"):
        said.append(_given(audit, row))
    return " ".join(part for part in (*said, _picked(audit, row)) if part)


def claim_text(audit: Audit, row: Estimate) -> str:
    """One comparison as the sentence of its metric.

    Parameters
    ----------
    audit : Audit
        The audit.
    row : Estimate
        A row with a verdict.

    Returns
    -------
    str
    """
    known = metrics.METRICS.get(row.metric)
    template = (known.sentence if known else "") or OTHERWISE
    own, base = ("", "")
    if known is not None and "{own}" in template:
        own, base = (_rate(audit, row, group) for group in (row.group, row.reference))
    return template.format(
        **roles(audit.protocol),
        metric=known.heading if known else capital(row.metric),
        group=row.group,
        reference=row.reference,
        attribute=row.attribute,
        given=row.given,
        own=own,
        base=base,
        gap=gap_text(row),
        estimate=number(row.estimate, 3),
        size=number(abs(row.estimate), 3),
        side="lower" if row.estimate < 0 else "higher",
        interval=f"{level(row.conf_level)} interval {number(row.conf_low, 3)} to {number(row.conf_high, 3)}",
    )


def _given(audit: Audit, row: Estimate) -> str:
    """Say how large the difference of the key finding is when the declared legitimate factors are held fixed."""
    about = {"attribute": row.attribute, "group": row.group, "status": "ok"}
    for effect in audit.estimates.where(metric=EFFECT, **about):
        left_out = f" ({effect.reason.partition(';')[0]})" if LEFT_OUT in effect.reason else ""
        return f"Within strata of {effect.given}, the difference is {gap_text(effect)}: {effect.verdict}{left_out}."
    return ""


def _picked(audit: Audit, row: Estimate) -> str:
    """Say by which rule this comparison was chosen for the headline, where there were others."""
    single = [a for a in audit.references if ":" not in a]
    about = (row.metric, row.attribute, row.contrast)
    rivals = [r for r in audit.estimates if r.verdict and (r.metric, r.attribute, r.contrast) == about]
    reasons = []
    if len(single) > 1 and row.attribute == single[0]:
        reasons.append(f" {row.attribute} was declared before {listed(single[1:])}")
    if len(rivals) > 1:
        many = f"{len(rivals)} comparisons with {row.reference}"
        reasons.append(f", of its {many}, the interval of this one is furthest from equality")
    return f"It is named first because{' and'.join(reasons)}." if reasons else ""


def _rate(audit: Audit, row: Estimate, group: str) -> str:
    found = audit.estimates.where(metric=row.metric, attribute=row.attribute, group=group, contrast="none", role="main")
    return percent(float(found[0].estimate))


def gap_text(row: Estimate) -> str:
    """A difference in points with its interval, in the direction that makes it positive.

    Examples
    --------
    >>> gap_text(Estimate("selection rate", estimate=-0.117, conf_low=-0.143, conf_high=-0.091, conf_level=0.95))
    '11.7 points less (95 % interval 9.1 to 14.3)'
    >>> gap_text(Estimate("selection rate", estimate=-0.017, conf_low=-0.043, conf_high=0.011, conf_level=0.95))
    '1.7 points less (95 % interval 4.3 less to 1.1 more)'
    """
    side = "less" if row.estimate < 0 else "more"
    ends = sorted((row.conf_low, row.conf_high), key=abs)
    if row.conf_low < 0 < row.conf_high:
        interval = f"{percent(-row.conf_low)} less to {percent(row.conf_high)} more"
    else:
        interval = f"{percent(abs(ends[0]))} to {percent(abs(ends[1]))}"
    return f"{percent(abs(row.estimate))} points {side} ({level(row.conf_level)} interval {interval})"


def range_text(row: Estimate) -> str:
    """The largest difference over all groups; its interval belongs to no one pair of them.

    Examples
    --------
    >>> range_text(Estimate("FPR", estimate=0.4, conf_low=0.2, conf_high=0.55, conf_level=0.95, reason="observed: a"))
    'The largest difference between any two groups is 20.0 to 55.0 points (simultaneous 95 % interval); 40.0 in these
    data (observed: a)'
    """
    said = f"The largest difference between any two groups is {span(row.conf_low, row.conf_high, percent)} points"
    seen = f"{percent(row.estimate)} in these data"
    return f"{said} (simultaneous {level(row.conf_level)} interval); {seen}{f' ({row.reason})' if row.reason else ''}"


def claims(audit: Audit) -> Estimates:
    """At most eight comparisons for page one: of every rate and attribute the one furthest from equality, first.

    The order is fixed by the audit's design: single attributes before intersections, metrics in a set order, and
    attributes in the order in which they were declared; their names play no part. Within a metric and attribute the
    comparison whose interval is furthest from equality comes first, so no small group wins by noise.

    Parameters
    ----------
    audit : Audit
        The audit.

    Returns
    -------
    Estimates
        Rows with a verdict.

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> len(claims(audit(data, decision="hired", groups="sex")))
    1
    """
    order = metrics.claimed()
    declared = list(audit.references)
    by_question: dict[tuple[bool, int, int], list[Estimate]] = {}
    for row in audit.estimates:
        if row.verdict and row.contrast != "ratio" and row.metric in order:
            key = (":" in row.attribute, order.index(row.metric), declared.index(row.attribute))
            by_question.setdefault(key, []).append(row)
    ranked = [sorted(rows, key=_rank, reverse=True) for _, rows in sorted(by_question.items())]
    deepest = max((len(rows) for rows in ranked), default=0)
    ordered = [rows[depth] for depth in range(deepest) for rows in ranked if depth < len(rows)]
    return Estimates(ordered[:MOST_CLAIMS])


def _rank(row: Estimate) -> tuple[bool, tuple[float, float]]:
    """Return the sort key of a claim; comparisons of people without a group come last."""
    return not holds_missing(row.group), distance(row)


def distance(row: Estimate) -> tuple[float, float]:
    """How far the interval is from equality; where it covers it, how little the data speak for equality.

    Ordering by the size of the estimate would let the smallest groups win by noise.

    Examples
    --------
    >>> distance(Estimate("FPR", contrast="difference", conf_low=0.1, conf_high=0.3, p_value=0.001))
    (0.1, 0.999)
    """
    known = metrics.METRICS.get(row.metric)
    null = known.null if known else 0.0
    p = row.p_value if row.p_value == row.p_value else 1.0
    return max(row.conf_low - null, null - row.conf_high, 0.0), 1 - p
