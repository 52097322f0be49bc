"""The finding of an audit in a sentence, and the claims of page one, in an order that the design fixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairstats import metrics
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rows.focus import HEADLINES, ROLE
from fairstats.auditing.words.answer import answer, beside_margin, gap_text, verdict
from fairstats.auditing.words.page_one import PageOne, page_one
from fairstats.auditing.words.phrases import decision_text, outcome_text
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.rates.stratified_rows import LEFT_OUT
from fairstats.labels import holds_missing
from fairstats.language import again, mark, say
from fairstats.text import capital, level, number, percent, span

if TYPE_CHECKING:
    from fairstats.auditing.result import Audit

MOST_CLAIMS = 8
EFFECT = "risk difference within strata"
OTHERWISE = mark("The {metric} of {group} and {reference} ({attribute}) differ by {estimate} ({interval}).")


def roles(protocol: Protocol) -> dict[str, str]:
    """What the sentences of the vocabulary call outcome, decision and score."""
    return {
        "outcome": outcome_text(protocol),
        "decision": decision_text(protocol, protocol.favorable),
        "score": protocol.score,
    }


def finding(audit: Audit) -> str:
    """The key finding: the answer of page one with its verdict, and how the comparison was picked.

    Where legitimate factors were declared, a sentence says what remains when they are held fixed. A comparison with the
    reference goes the way of the tables, the other group first, so that "less" stands beside a minus; page one of a
    report begins with the group that fares worse.

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
    hired = 1 is less frequent where sex = f than where sex = m: 20.0 % (10 of 50) against 60.0 % (30 of 50), 40.0
    percentage points less (95 % confidence interval 21.0 to 55.2). Disparity shown.
    """
    page = page_one(audit)
    if page is None:
        return answer(audit, page)
    if audit.references.get(page.attribute) == page.group:
        page = page.other_way()
    said = answer(audit, page), verdict(page), beside_margin(audit, page), held_fixed(audit, page), page.picked
    return " ".join(filter(None, said))


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
    side = mark("lower") if row.estimate < 0 else mark("higher")
    interval = say("{low} to {high}", low=number(row.conf_low, 3), high=number(row.conf_high, 3))
    return say(
        template,
        **roles(audit.protocol),
        metric=say(known.heading) if known else capital(row.metric),
        group=row.group,
        reference=row.reference,
        attribute=row.attribute,
        given=row.given,
        own=own,
        base=base,
        gap=gap_text(row),
        estimate=number(row.estimate, 3),
        size=number(abs(row.estimate), 3),
        side=say(side),
        interval=say("{level} interval {interval}", level=level(row.conf_level), interval=interval),
    )


def held_fixed(audit: Audit, page: PageOne) -> str:
    """Say how large the difference of page one is when the declared legitimate factors are held fixed."""
    about = {"attribute": page.attribute, "status": "ok"}
    for effect in audit.estimates.only(metric=EFFECT, **about):
        if {effect.group, effect.reference} == {page.group, page.reference} and page.head.metric in HEADLINES:
            values = {"given": effect.given, "gap": gap_text(effect), "verdict": say(effect.verdict)}
            if effect.group != page.group:
                held = say(
                    "Within strata of {given}, the difference of {group} is {gap}: {verdict}",
                    group=effect.group,
                    **values,
                )
            else:
                held = say("Within strata of {given}, the difference is {gap}: {verdict}", **values)
            left_out = again(effect.reason.partition(";")[0]) if LEFT_OUT in effect.reason else ""
            return f"{held} ({left_out})." if left_out else f"{held}."
    return ""


def _rate(audit: Audit, row: Estimate, group: str) -> str:
    found = audit.estimates.where(metric=row.metric, attribute=row.attribute, group=group, contrast="none", role="main")
    return percent(float(found[0].estimate))


def range_text(row: Estimate) -> str:
    """The largest difference over all groups; its interval belongs to no one pair of them.

    Examples
    --------
    >>> range_text(Estimate("FPR", estimate=0.4, conf_low=0.2, conf_high=0.55, conf_level=0.95, reason="observed: a"))
    'The largest difference between any two groups is 20.0 to 55.0 points (simultaneous 95 % interval); 40.0 in these
    data (observed: a)'
    """
    said = say(
        "The largest difference between any two groups is {span} points (simultaneous {level} interval); {seen} in "
        "these data",
        span=span(row.conf_low, row.conf_high, percent),
        level=level(row.conf_level),
        seen=percent(row.estimate),
    )
    return f"{said} ({again(row.reason)})" if row.reason else said


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
        if row.verdict and row.role != ROLE and row.contrast != "ratio" and row.metric in order:
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
