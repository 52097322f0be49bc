"""The pictures of scores: outcome by score, score distribution, leakage strip; and the curves that plot() knows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from fairstats.auditing.result import Audit
from fairstats.auditing.words.page_one import page_one
from fairstats.auditing.words.phrases import short_name
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.representations.leakage_result import Leakage
from fairstats.language import say
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import leakage_strip as strip
from fairstats.reporting.figures.calibration import calibration
from fairstats.reporting.figures.ecdf import ecdf
from fairstats.reporting.figures.outcome_by_score import outcome_by_score
from fairstats.reporting.figures.roc import roc
from fairstats.reporting.figures.score_distribution import flagged, score_distribution
from fairstats.reporting.figures.style import NARROW, Drawing
from fairstats.reporting.sections.shared import FEW, by_size, curves, sized, span
from fairstats.reporting.tables import level_of
from fairstats.studies.curve import BY_SCORE, HISTOGRAM, VALUES, Curve
from fairstats.text import capital, level

MOST_STRIPS = 6  # lines of a leakage strip


def outcome_picture(audit: Audit, attribute: str, name: str, first: Sequence[str] = ()) -> Drawing | None:
    """How often the outcome follows each score, by group; None where the audit has no score or no outcome.

    ``first`` are the groups that the picture is about ; absent, those of page one, else the largest two.
    """
    lines = curves(audit, BY_SCORE, attribute)
    if not lines:
        return None
    p = audit.protocol
    call = _names(audit, attribute, first)
    lines = [replace(c, group=call(c.group)) for c in lines]
    order = [call(g) for g in _order(audit, attribute, first)]
    return outcome_by_score(
        name,
        lines,
        caption=_same_score(audit, lines, order),
        order=order,
        sizes={call(g): n for g, n in _sizes(audit, attribute).items()},
        axis=p.score,
        outcome=p.words.positive or f"{p.outcome} = {p.positive}",
        threshold=p.threshold,
        level=level(p.conf_level),
    )


def distribution_picture(
    audit: Audit, attribute: str, name: str, first: Sequence[str] = (), most: int = 2, width: float = NARROW
) -> Drawing | None:
    """How the scores of the groups are distributed, flagged part colored; None where the audit has no score."""
    lines = curves(audit, VALUES, attribute) or curves(audit, HISTOGRAM, attribute)
    if not lines:
        return None
    call = _names(audit, attribute, first)
    lines = [replace(c, group=call(c.group)) for c in lines]
    order = [call(g) for g in _order(audit, attribute, first)]
    sizes = {call(g): n for g, n in _sizes(audit, attribute).items()}
    drawn = sorted(lines, key=lambda c: order.index(c.group))[:most]
    return score_distribution(
        name,
        lines,
        caption=_distributed(drawn, sizes, audit.protocol.score, audit.protocol.threshold),
        order=order,
        sizes=sizes,
        axis=audit.protocol.score,
        threshold=audit.protocol.threshold,
        most=most,
        width=width,
    )


def leakage_picture(results: Sequence[Leakage], name: str) -> Drawing | None:
    """What scores of new people still tell, by method and attribute: of each probe the level that it tells best."""
    strips = [
        (f"{made.method}: {attribute}", [w for probe in strip.PROBES if (w := _worst(made, attribute, probe))])
        for made in results
        for attribute in dict.fromkeys(r.attribute for r in made.estimates)
    ][:MOST_STRIPS]
    strips = [(label, rows) for label, rows in strips if rows]
    if not strips:
        return None
    label, row = max(((label, r) for label, rows in strips for r in rows), key=lambda pair: pair[1].estimate)
    kind = strip.PROBES[row.metric][1]
    told = say("Largest leakage: {group}, {probe} ({label}).", group=row.group, probe=say(kind), label=label)
    caption = f"{told} {say('Of each probe the group that it tells best is drawn.')}"
    limits = level_of(r for _, rows in strips for r in rows)
    caption = f"{caption} {say('Lines: {limits}.', limits=limits)}"
    return strip.leakage_strip(name, strips, caption=caption)


def _worst(made: Leakage, attribute: str, probe: str) -> Estimate | None:
    known = [r for r in made.estimates if (r.attribute, r.metric) == (attribute, probe) and words.shown(r)]
    return max(known, key=lambda r: r.estimate) if known else None


def _order(audit: Audit, attribute: str, first: Sequence[str] = ()) -> list[str]:
    """The groups, those of page one first: a group has the color of its place, in every picture of a report."""
    every = by_size(audit, attribute)
    page = None if first else page_one(audit)
    if page is not None and page.attribute == attribute:
        first = page.group, page.reference
    return [*first, *(g for g in every if g not in first)]


def _names(audit: Audit, attribute: str, first: Sequence[str]) -> Callable[[str], str]:
    """How a picture calls groups: on page one by the protocol's words, as its table does; later as the tables there."""
    return lambda group: short_name(audit.protocol, attribute, group) if first else group


def _sizes(audit: Audit, attribute: str) -> dict[str, float]:
    return {c.group: c.n for c in audit.cells if c.attribute == attribute}


def _same_score(audit: Audit, lines: Sequence[Curve], order: Sequence[str]) -> str:
    """Say where the shares of the first two groups differ most; whether intervals overlap is no test of it."""
    p = audit.protocol
    pair = sorted(lines, key=lambda c: order.index(c.group))[:2]
    if len(pair) < 2 or not pair[0].low:
        return say("Share with the outcome at each score.")
    a, b = pair
    # a place is a mean of equal scores and differs by rounding from group to group; means of bins differ by more
    same = [(i, j) for i, x in enumerate(a.x) for j, at in enumerate(b.x) if math.isclose(x, at, abs_tol=1e-9)]
    binned = 2 * len(same) < len(a.x) and _same_bins(a, b)
    places = [(i, i) for i in range(len(a.x))] if binned else same
    if not places:
        return say("Share with the outcome at each score.")
    i, j = max(places, key=lambda ij: abs(a.y[ij[0]] - b.y[ij[1]]))
    values = {"one": a.group, "other": b.group, "own": _with_limits(a, i), "others": _with_limits(b, j)}
    values |= {"outcome": capital(p.words.positive) or f"{p.outcome} = {p.positive}", "score": p.score}
    if binned:
        means = {"place": words.significant(a.x[i], 3), "beside": words.significant(b.x[j], 3)}
        return say(
            "{outcome}, in the range of {score} where the two groups differ most in these data: {own} of {one}, whose "
            "mean {score} there is {place}, and {others} of {other}, whose mean is {beside}. The data picked "
            "that range: this is no test.",
            **means,
            **values,
        )
    return say(
        "{outcome} at {score} = {place}, where the two groups differ most in these data: {own} of {one} and {others} "
        "of {other}. The data picked that place: this is no test.",
        place=words.significant(a.x[i], 6),
        **values,
    )


def _same_bins(a: Curve, b: Curve) -> bool:
    """Whether two lines have the same bins, whose means differ: no mean of the one is beyond a neighbor's of the other.

    A bin that holds nobody of a group has no point, so that as many points need not be of the same bins.
    """
    beyond = zip(a.x[:-1], b.x[:-1], a.x[1:], b.x[1:], strict=False)
    return len(a.x) == len(b.x) and all(max(x, y) < min(next_x, next_y) for x, y, next_x, next_y in beyond)


def _with_limits(curve: Curve, place: int) -> str:
    """A share with its interval, which says how few people it may be of."""
    low, high = (words.percent(ends[place]) for ends in (curve.low, curve.high))
    return say("{share} % ({low} to {high})", share=words.percent(curve.y[place]), low=low, high=high)


def _distributed(drawn: Sequence[Curve], sizes: dict[str, float], score: str, threshold: float | None) -> str:
    large = [c for c in drawn if sizes.get(c.group, FEW) >= FEW] or list(drawn)
    if threshold is None or len(large) < 2:
        return (
            say("How {score} is distributed in each group.", score=score)
            if len(drawn) > 1
            else say("How {score} is distributed.", score=score)
        )
    high, low = (end(large, key=lambda c: flagged(c, threshold)) for end in (max, min))
    values = {"score": score, "threshold": words.setting(threshold), "high": high.group, "low": low.group}
    if len(drawn) == 2:
        return say("{score} of {threshold} or more (blue) is more frequent among {high} than among {low}.", **values)
    if len(large) == len(drawn):
        return say("{score} of {threshold} or more (blue) is most frequent among {high}, least among {low}.", **values)
    return say(
        "{score} of {threshold} or more (blue) is most frequent among {high}, least among {low}, of groups of {few} "
        "people or more.",
        few=FEW,
        **values,
    )


def curves_of(kind: str, name: str, audit: Audit, attribute: str) -> Drawing:
    """The figure of one kind of curves of an attribute."""
    lines, order = curves(audit, kind, attribute), _order(audit, attribute)
    rows = sized(audit.estimates.where(attribute=attribute, role="main"), order)
    if kind == "ecdf":
        axis, threshold = audit.protocol.score, audit.protocol.threshold
        return ecdf(name, lines, caption=_ecdf_caption(rows), order=order, axis=axis, threshold=threshold)
    if kind == "roc":
        areas = {r.group: r for r in rows.where(metric="AUC", contrast="none")}
        return roc(name, lines, areas, caption=f"{span(list(areas.values()), 'AUC')}.", order=order)
    caption = say(
        "Share of positive outcomes at each score; on the diagonal 0.3 is followed by the outcome in 30 of 100."
    )
    return calibration(name, lines, caption=caption, order=order)


def _ecdf_caption(rows: Estimates) -> str:
    known = [r for r in rows.where(metric="P(X>Y)") if words.shown(r)]
    if not known:
        return say("Distribution of the scores by group.")
    row = max(known, key=lambda r: abs(r.estimate - 0.5))
    return say(
        "A random member of {group} scores higher than one of {reference} with probability {chance} ({interval}).",
        group=row.group,
        reference=row.reference,
        chance=words.estimate(row),
        interval=words.interval(row),
    )
