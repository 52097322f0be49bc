"""Numbers as a statistician writes them, and the one-sentence finding."""

from __future__ import annotations

import math

from fairstats.auditing.result import Audit, Protocol
from fairstats.data.columns import MISSING_LEVEL
from fairstats.estimates import Estimate, Estimates

RATES_IN_WORDS = {
    "selection rate": "received the favourable decision ({decision})",
    "scoring rate": "score above the median of the sample ({score})",
    "base rate": "have the positive outcome ({outcome})",
    "TPR": "of those with {outcome} were predicted positive",
    "FPR": "of those without {outcome} were predicted positive",
    "TNR": "of those without {outcome} were predicted negative",
    "FNR": "of those with {outcome} were predicted negative",
    "PPV": "of those predicted positive have {outcome}",
    "NPV": "of those predicted negative do not have {outcome}",
    "accuracy": "were predicted correctly",
}
# what page one looks at first; complements (TNR, FNR) say nothing that FPR and TPR do not
CLAIMED = (
    "selection rate",
    "average marginal effect",
    "base rate",
    "FPR",
    "FNR",
    "PPV",
    "accuracy",
    "P(X>Y)",
    "AUC",
    "scoring rate",
)
MOST_CLAIMS = 8
NULLS = {"P(X>Y)": 0.5}


def percent(share: float, digits: int = 1) -> str:
    """A share in per cent.

    Examples
    --------
    >>> percent(0.7414)
    '74.1'
    """
    return "" if math.isnan(share) else f"{100 * share:.{digits}f}"


def p_text(p: float) -> str:
    """A p-value, never 0.

    Examples
    --------
    >>> p_text(0.00004), p_text(0.0312), p_text(0.4)
    ('<0.0001', '0.0312', '0.4000')
    """
    if math.isnan(p):
        return ""
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


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


def finding(audit: Audit) -> str:
    """The key finding in plain words: the comparison that is furthest from equality, with its interval.

    Where legitimate factors were declared, a second sentence says what remains when they are held fixed.

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
    20.0 % of f (sex) received the favourable decision (hired: 1) against 60.0 % of m: 40.0 points less
    (95 % interval 21.0 to 55.2). Disparity shown.
    """
    ranked = claims(audit)
    if not ranked:
        return "No group could be compared with its reference; the table of estimates states why."
    row = ranked[0]
    if row.metric not in RATES_IN_WORDS:
        return _score_finding(row, audit.protocol)
    rate, base = (_rate(audit, row, group) for group in (row.group, row.reference))
    words = RATES_IN_WORDS[row.metric].format(
        decision=decision_text(audit.protocol, audit.protocol.favorable),
        score=audit.protocol.score,
        outcome=f"{audit.protocol.outcome}: {audit.protocol.positive}",
    )
    crude = (
        f"{percent(rate)} % of {row.group} ({row.attribute}) {words} against {percent(base)} % of {row.reference}: "
        f"{gap_text(row)}. {row.verdict.capitalize()}."
    )
    return crude + _given(audit, row)


def _given(audit: Audit, row: Estimate) -> str:
    """What remains of the key finding when the declared legitimate factors are held fixed."""
    about = {"attribute": row.attribute, "group": row.group, "status": "ok"}
    for effect in audit.estimates.where(metric="average marginal effect", **about):
        return f" Given {effect.term}, the adjusted difference is {gap_text(effect)}: {effect.verdict}."
    return ""


def _rate(audit: Audit, row: Estimate, group: str) -> float:
    found = audit.estimates.where(metric=row.metric, attribute=row.attribute, group=group, contrast="none", term="")
    return float(found[0].estimate)


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
    return f"{percent(abs(row.estimate))} points {side} ({level_text(row.conf_level)} interval {interval})"


def level_text(level: float) -> str:
    """A confidence level in per cent, adjusted ones with their decimals.

    Examples
    --------
    >>> level_text(0.95), level_text(1 - 0.05 / 6)
    ('95 %', '99.17 %')
    """
    return f"{100 * level:.4g} %"


def _score_finding(row: Estimate, protocol: Protocol) -> str:
    interval = f"{level_text(row.conf_level)} interval {row.conf_low:.3f} to {row.conf_high:.3f}"
    if row.metric == "P(X>Y)":
        what = f"a person of {row.group} has a higher {protocol.score} than one of {row.reference} ({row.attribute})"
        return (
            f"With probability {row.estimate:.3f} ({interval}) {what}, ties counted half. {row.verdict.capitalize()}."
        )
    side = "lower" if row.estimate < 0 else "higher"
    return (
        f"The AUC of {protocol.score} is {abs(row.estimate):.3f} {side} in {row.group} than in {row.reference} "
        f"({row.attribute}): difference {row.estimate:.3f} ({interval}). {row.verdict.capitalize()}."
    )


def claims(audit: Audit) -> Estimates:
    """At most eight comparisons for page one: of every rate and attribute the one furthest from equality, first.

    The order is fixed by the audit's design (metrics in a set order, single attributes before intersections); within a
    metric the comparison whose interval is furthest from equality comes first, so no small group wins by noise.

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
    judged = [r for r in audit.estimates if r.verdict and r.metric in CLAIMED]
    by_question: dict[tuple[bool, int, str], list[Estimate]] = {}
    for row in judged:
        key = (":" in row.attribute, CLAIMED.index(row.metric), row.attribute)
        by_question.setdefault(key, []).append(row)
    ranked = [sorted(rows, key=_rank, reverse=True) for _, rows in sorted(by_question.items())]
    deepest = max((len(rows) for rows in ranked), default=0)
    ordered = [rows[depth] for depth in range(deepest) for rows in ranked if depth < len(rows)]
    return Estimates(ordered[:MOST_CLAIMS])


def _rank(row: Estimate) -> tuple[bool, tuple[float, float]]:
    """People without a group are no group: they never make the headline while another comparison can."""
    return MISSING_LEVEL not in row.group.split(":"), distance(row)


def distance(row: Estimate) -> tuple[float, float]:
    """How far the interval is from equality; where it covers it, how little the data speak for equality.

    Ordering by the size of the estimate would let the smallest groups win by noise.

    Examples
    --------
    >>> distance(Estimate("FPR", contrast="difference", conf_low=0.1, conf_high=0.3, p_value=0.001))
    (0.1, 0.999)
    """
    null = NULLS.get(row.metric, 0.0)
    p = row.p_value if row.p_value == row.p_value else 1.0
    return max(row.conf_low - null, null - row.conf_high, 0.0), 1 - p
