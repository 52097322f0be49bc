"""Estimates as the report words them: names, units, statuses and claims; how numbers are written is in `text`."""

from __future__ import annotations

import math
from collections.abc import Callable

from fairstats import metrics
from fairstats.estimates import Estimate
from fairstats.glossary import STATUSES
from fairstats.language import again, mark, say
from fairstats.text import DASH as DASH
from fairstats.text import MINUS as MINUS
from fairstats.text import capital, number, percent
from fairstats.text import compact as compact
from fairstats.text import count as count
from fairstats.text import listed as listed
from fairstats.text import p_value as p_value
from fairstats.text import setting as setting
from fairstats.text import signed as signed
from fairstats.text import significant as significant
from fairstats.text import span as span
from fairstats.text import tiny as tiny
from fairstats.vocabulary.metric import PEOPLE, PERCENT, PLAIN, RATIO, SCORE, Metric


def known(metric: str) -> Metric:
    """The metric's row of the vocabulary; one that a result brings by itself has its name and no more."""
    return metrics.METRICS.get(metric) or Metric(metric, capital(metric), "", scale=PLAIN)


def heading(metric: str) -> str:
    """The metric's name as a heading."""
    return say(known(metric).heading) if metric in metrics.METRICS else again(capital(metric))


def in_text(metric: str) -> str:
    """The metric's name inside a sentence: lower case unless it is an acronym, or of somebody.

    >>> in_text("selection rate"), in_text("AUC"), in_text("Brier score")
    ('selection rate', 'AUC', 'Brier score')
    """
    return metrics.in_text(metric)


def meaning(metric: str) -> str:
    """What the metric says in plain words, "" where the vocabulary has no sentence for it."""
    return say(known(metric).meaning)


def reading(metric: str) -> str:
    """What the metric says, when it matters, what misleads, and what its complement is called.

    >>> reading("Cliff's delta")
    'P(X>Y) less P(X<Y) of a group and the reference. P(X>Y) on another scale.'
    """
    row = known(metric)
    other = row.complement and say(
        "The {rate} ({short}) is 100 % minus this.", rate=in_text(row.complement), short=row.complement
    )
    said = (capital(f"{say(row.meaning)}."), say(row.matters), say(row.misleads), other)
    return " ".join(part for part in said if part)


NUMBER_OF = "number of components"  # a metric that is a whole number
# how the numbers of a scale are written
SCALES: dict[str, Callable[[float], str]] = {
    PERCENT: percent,
    SCORE: lambda value: number(value, 3),
    RATIO: lambda value: number(value, 2),
    PEOPLE: number,
    PLAIN: compact,
}


def scale(row: Estimate) -> Callable[[float], str]:
    """How the row's numbers are printed: shares and their differences in per cent, ratios and scores as they are."""
    if row.contrast == "ratio":
        return lambda value: number(value, 2)
    if row.metric == NUMBER_OF:
        return count
    return SCALES[known(row.metric).scale]


def unit(row: Estimate) -> str:
    """The unit of the row's estimate, "" for a pure number."""
    if row.contrast == "ratio" or known(row.metric).scale != PERCENT:
        return ""
    return f" {say('points')}" if row.contrast == "difference" else say("{share} %", share="")


def unit_of(metric: str, contrast: str = "none") -> str:
    """The unit in the header of a column of one metric."""
    return unit(Estimate(metric, contrast=contrast)).strip()


def estimate(row: Estimate) -> str:
    """The estimate with its unit, or why there is none."""
    return f"{scale(row)(row.estimate)}{unit(row)}" if shown(row) else status(row)


def shown(row: Estimate) -> bool:
    """Whether the row has a number to print."""
    return row.status == "ok" and not math.isnan(row.estimate)


def interval(row: Estimate) -> str:
    """The row's interval as "a to b" in the unit of its estimate."""
    return span(row.conf_low, row.conf_high, scale(row)) if shown(row) else DASH


def status(row: Estimate) -> str:
    """The status in words, with its reason.

    >>> status(Estimate("TPR", status="unestimable", reason="no positives"))
    'not estimable: no positives'
    """
    if row.status == "ok":
        return say("not computed")
    if not row.reason:
        return say(STATUSES[row.status])
    return f"{say(_SHORT[row.status])}: {again(row.reason)}"


_SHORT = {**STATUSES, "suppressed": mark("suppressed")}


def pair(row: Estimate) -> str:
    """Both groups of a comparison; of one without a reference its group."""
    if not row.reference:
        return row.group
    return say("{group} against {reference}", group=row.group, reference=again(row.reference))


def claim(row: Estimate) -> str:
    """What a row of page one is about, in words."""
    what = heading(row.metric)
    attribute = f" ({row.attribute})" if row.attribute else ""
    if row.reference:
        kind = {"difference": mark("difference"), "ratio": mark("ratio"), "none": ""}[row.contrast]
        return f"{what}{', ' + say(kind) if kind else ''}: {pair(row)}{attribute}"
    return f"{what}: {row.group}{attribute}" if row.group else f"{what}{': ' + again(row.term) if row.term else ''}"
