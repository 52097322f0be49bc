"""The finding of an audit in sentences, and the claims of page one, in an order that the design fixes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fairstats import metrics
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rows.focus import ROLE
from fairstats.auditing.words.answer import MOST, ORDER, Answer, answers
from fairstats.auditing.words.lead import distance, rest
from fairstats.auditing.words.phrases import bare, decision_text, label_of, outcome_text, where
from fairstats.auditing.words.sentence import SAME, others, sentence, strata_name
from fairstats.estimates import Estimate, Estimates
from fairstats.glossary import SHOWN
from fairstats.language import again, mark, say
from fairstats.text import capital, count, level, level_number, listed, number, p_equals, percent, span

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
    """The key finding: a sentence for every declared attribute, differences first, each with its verdict.

    Where legitimate factors were declared, the comparison within their strata is the answer, and the crude numbers
    stand in the same sentence. A comparison goes the way of the tables: the group, then the reference.

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
    hired = 1 is less frequent where sex = f than where sex = m: 20% (10 of 50) against 60% (30 of 50), a gap of 40
    percentage points (95% confidence interval ...). Disparity shown. At the rate of m it would have been 20 more of the
    50 people of sex = f.
    """
    made = answers(audit)
    said = [overview(audit, made)]
    for one in spoken_of(made):
        said += [sentence(audit, one), verdict(one), beside_margin(audit, one), others(audit, one), left_out(one)]
        said += [varying(audit, one)]
        said += [short_of(audit, one), unequal(one), largest_gap(audit, one)] if len(made) == 1 else []
    if len(made) > 1 and any(one.code == "inconclusive" for one in made):
        said.append(say(NO_EVIDENCE))
    return " ".join(filter(None, said))


NO_EVIDENCE = mark("Where no difference is shown, equality is not shown either.")


def spoken_of(made: Sequence[Answer]) -> Sequence[Answer]:
    """The answers that have a sentence: all of few attributes; of many the worst, or the first where none is bad."""
    if len(made) <= MOST:
        return made
    return [one for one in made if one.differs][:MOST] or made[:1]


def overview(audit: Audit, made: Sequence[Answer]) -> str:
    """Of many attributes how many show what; "" where each has its sentence."""
    if len(made) <= MOST:
        return ""
    each = []
    for code in ORDER:
        names = [audit.protocol.words.attribute(one.attribute) for one in made if one.code == code]
        if names:
            each.append(say(COUNTED[code], n=len(names), names=listed(names, 12)))
    return say("{n} attributes: {each}.", n=len(made), each="; ".join(each))


COUNTED = {
    "disparity shown": mark("{n} with a disparity shown ({names})"),
    "flagged": mark("{n} flagged ({names})"),
    "inconclusive": mark("{n} without a difference shown ({names})"),
    "unanswered": mark("{n} without an answer ({names})"),
    "equivalence shown": mark("{n} equivalent within the declared margin ({names})"),
}


def headline(audit: Audit, made: Sequence[Answer]) -> str:
    """The answers alone: what page one of a report begins with."""
    return " ".join(filter(None, (overview(audit, made), *(sentence(audit, one) for one in spoken_of(made)))))


def verdict(made: Answer) -> str:
    """The verdict in words; "" where the sentence has it beside its numbers, or there is no comparison."""
    if not made.known or made.first:
        return ""
    if made.code == "disparity shown":
        return say("Disparity shown.")
    if made.code == "flagged":
        return say("Flagged: of all that is flagged a share may be false.")
    return say("Equivalence shown.") if made.code == "equivalence shown" else ""


def unequal(made: Answer) -> str:
    """Of a difference that is not shown, that it is no evidence of equality, and what would have been shown."""
    if made.code != "inconclusive":
        return ""
    if made.first or made.detectable != made.detectable:
        return say("This does not show equality.")
    return say(
        "This does not show that the rates are equal: a true difference of {points} percentage points would have been "
        "shown with a chance of 80%.",
        points=percent(made.detectable),
    )


def beside_margin(audit: Audit, made: Answer) -> str:
    """Where the difference and the ratio lie beside the declared margins; "" where none was declared.

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> made = audit(data, decision="hired", groups="sex", equivalence={"difference": 0.25})
    >>> beside_margin(made, answers(made)[0])
    'A difference is shown; that it is beyond the declared margin of ±25.0 points is not.'
    """
    row = made.row
    if row is None or made.metric == "P(X>Y)":
        return ""
    said = [_beside_difference(audit, row), _beside_ratio(audit, made)]
    return " ".join(filter(None, said))


def _beside_difference(audit: Audit, row: Estimate) -> str:
    """Whether a difference that is shown is beyond the margin, or within it all the same."""
    margin = audit.protocol.equivalence.difference
    known = row.conf_low == row.conf_low
    if margin is None or not known:
        return ""
    points = percent(margin)
    if row.verdict == "equivalence shown" and (row.conf_low > 0 or row.conf_high < 0):
        low, high = sorted((abs(row.conf_low), abs(row.conf_high)))
        values = {"level": level_number(audit.protocol.conf_level), "low": percent(low), "high": percent(high)}
        return say("There is a difference ({level}% confidence interval {low} to {high}), within the margin.", **values)
    if row.verdict not in SHOWN:
        return ""
    if min(row.conf_high, margin) < max(row.conf_low, -margin):
        return say("The whole interval is beyond the declared margin of ±{points} points.", points=points)
    return say(
        "A difference is shown; that it is beyond the declared margin of ±{points} points is not.", points=points
    )


def _beside_ratio(audit: Audit, made: Answer) -> str:
    """Whether the ratio of both rates is within a margin that was declared for ratios."""
    least = audit.protocol.equivalence.ratio
    if least is None:
        return ""
    about = {"metric": made.metric, "attribute": made.attribute, "contrast": "ratio", "role": "main", "given": ""}
    for row in audit.estimates.only(**about):
        if (row.group, row.reference) == (made.group, made.reference) and row.margin_low == row.margin_low:
            values = {
                "ratio": number(row.estimate, 2),
                "level": level_number(2 * audit.protocol.conf_level - 1),
                "low": number(row.margin_low, 2),
                "high": number(row.margin_high, 2),
                "least": number(least, 2),
                "most": number(1 / least, 2),
            }
            if row.verdict == "equivalence shown":
                return say(
                    "The ratio is {ratio} ({level}% confidence interval {low} to {high}), within the declared margin "
                    "of {least} to {most}.",
                    **values,
                )
            return say(
                "The ratio is {ratio} ({level}% confidence interval {low} to {high}); that it is within the declared "
                "margin of {least} to {most} is not shown.",
                **values,
            )
    return ""


def varying(audit: Audit, made: Answer) -> str:
    """That the difference is not the same in all strata, where that is shown."""
    if made.within is None or not made.p_same < SAME:
        return ""
    values = {"strata": strata_name(audit), "p": p_equals(made.p_same)}
    return say("The difference is not the same in all strata of {strata} ({p}).", **values)


def left_out(made: Answer) -> str:
    """How many people of the two groups no stratum compares with the other group; "" where there are none."""
    if made.within is None or made.within.status != "ok" or made.own is None or made.other is None:
        return ""
    alone = made.own.n + made.other.n - made.within.n
    if not alone >= 0.5:
        return ""
    return say("{n} people are in strata without the other group, and are left out.", n=count(alone))


def short_of(audit: Audit, made: Answer) -> str:
    """How many more, or fewer, of the group would have been selected at the rate of the reference."""
    missing = made.shortfall
    if not made.differs or made.first or not abs(missing) >= 0.5 or made.own is None:
        return ""
    p, a = audit.protocol, made.attribute
    values = {"n": number(abs(missing), 0), "size": number(made.own.n, 0), "other": label_of(p, a, made.reference)}
    name = p.words.group(a, made.group)
    values["own"] = bare(p, a, made.group) if name else say("people of {group}", group=where(p, a, made.group))
    if missing > 0:
        return say("At the rate of {other} it would have been {n} more of the {size} {own}.", **values)
    return say("At the rate of {other} it would have been {n} fewer of the {size} {own}.", **values)


def largest_gap(audit: Audit, made: Answer) -> str:
    """The largest gap of any two groups, which the data pick, with its simultaneous interval; "" for two groups."""
    if made.largest is None or made.first:
        return ""
    labels = sorted({c.group for c in audit.cells if c.attribute == made.attribute}, key=len, reverse=True)
    known = "|".join(map(re.escape, labels))  # groups stand in the reason before their counts
    named = re.sub(
        rf"(?<!\w)({known})(?= \()",
        lambda found: audit.protocol.words.group(made.attribute, found[0]) or found[0],
        made.largest.reason,
    )
    return f"{range_text(replace(made.largest, reason=named))}."


def gap_text(row: Estimate) -> str:
    """A difference in points with its interval, in the direction that makes it positive.

    Examples
    --------
    >>> gap_text(Estimate("selection rate", estimate=-0.117, conf_low=-0.143, conf_high=-0.091, conf_level=0.95))
    '11.7 percentage points less (95 % confidence interval 9.1 to 14.3)'
    >>> gap_text(Estimate("selection rate", estimate=-0.017, conf_low=-0.043, conf_high=0.011, conf_level=0.95))
    '1.7 percentage points less (95 % confidence interval 4.3 less to 1.1 more)'
    """
    ends = sorted((row.conf_low, row.conf_high), key=abs)
    if row.conf_low < 0 < row.conf_high:
        low, high = percent(-row.conf_low), percent(row.conf_high)
        interval = say("{low} less to {high} more", low=low, high=high)
    else:
        interval = say("{low} to {high}", low=percent(abs(ends[0])), high=percent(abs(ends[1])))
    values = {"points": percent(abs(row.estimate)), "level": level(row.conf_level), "interval": interval}
    if row.estimate < 0:
        return say("{points} percentage points less ({level} confidence interval {interval})", **values)
    return say("{points} percentage points more ({level} confidence interval {interval})", **values)


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


def _rate(audit: Audit, row: Estimate, group: str) -> str:
    found = audit.estimates.where(metric=row.metric, attribute=row.attribute, group=group, contrast="none", role="main")
    return percent(float(found[0].estimate))


def range_text(row: Estimate) -> str:
    """The largest difference over all groups; its interval belongs to no one pair of them.

    Examples
    --------
    >>> range_text(Estimate("FPR", estimate=0.4, conf_low=0.2, conf_high=0.55, conf_level=0.95, reason="observed: a"))
    'The largest gap of any two groups is 20.0 to 55.0 points (95% simultaneous interval); 40.0 in these data (observed:
    a)'
    """
    said = say(
        "The largest gap of any two groups is {span} points ({level}% simultaneous interval); {seen} in these data",
        span=span(row.conf_low, row.conf_high, percent),
        level=level_number(row.conf_level),
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
    return not rest(row.group), distance(row)
