"""``stages()``: at which stage of a selection the groups part, and what that does to the bottom line."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.group_studies import (
    MOST_SAID,
    SHOWN,
    WITHOUT_REGARD,
    GroupStudy,
    data_text,
    decided_rows,
    headline,
    largest,
    limits,
    result_of,
    without_value,
)
from fairstats.auditing.people import count_column, refuse_margins, refuse_sum, refuse_sums_beside, refuse_total
from fairstats.data.tables import Columns, check_labels, first_text
from fairstats.errors import InputError
from fairstats.estimates import NAN, Estimate
from fairstats.inference.multiplicity import ADJUSTMENTS
from fairstats.inference.rates.exact import decisive_test
from fairstats.inference.rates.one_rate import critical, wilson
from fairstats.inference.rates.strata_rows import StratifiedCounts, stratified, too_few
from fairstats.inference.rates.two_rates import koopman, miettinen_nurminen
from fairstats.language import DataText, Message, message
from fairstats.provenance import take_in
from fairstats.text import count, percent
from fairstats.validation import Adjust, answering, choose, confidence, items, one_column, word

Floats = NDArray[np.float64]
QUESTION = message("Stages of a selection")
BOTTOM_LINE = message("bottom line")
BOTTOM_LINE_FIRST = message("Bottom line")  # where a sentence begins with it
SHOWN_AT = message(
    "{stage}: {rate}% of {group} passed ({events} of {n}) and {other_rate}% of {reference} ({other_events} of "
    "{other_n}), a difference of {gap} percentage points ({limits})."
)
NOT_SETTLED_AT = message(
    "{stage}: {rate}% of {group} passed ({events} of {n}) and {other_rate}% of {reference} ({other_events} of "
    "{other_n}), a difference of {gap} percentage points ({limits}): not settled."
)
END_WITHIN = message(
    "Within {strata} {group} and {reference} differ by {gap} percentage points in the end ({limits}): not settled."
)
WITHIN_STRATA = message(
    "{stage}, {group}: within {strata} a difference of {gap} percentage points from {reference} ({limits}); without "
    "regard to {strata} {events} of {n} passed ({rate}%), a difference of {crude} percentage points."
)
CRUDE = message(
    "Groups are compared within {strata}; without regard to it {group} and {reference} differ by {crude} percentage "
    "points in the end ({limits}), which decides nothing here."
)
PART = message(
    "The largest part of the difference in the end between {group} and {reference} comes from {stage}: {part} of {gap} "
    "percentage points ({limits})."
)
TEST = message("exact unconditional test and Miettinen-Nurminen interval")
RATIO = message("Koopman's interval")
DELTA = message("product of the rates decomposed (Das Gupta), delta method")
WILSON = message("Wilson interval")
NOBODY = message("nobody of a group reached the stage")
NOBODY_OF = message("Nobody of {group} reached {stage}.")
UNREACHED: dict[str, Any] = {"status": "unestimable", "reason": NOBODY}
MOST_STAGES = 12
PASSED = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


@answering
def stages(
    data: Any,
    stages: Sequence[str],
    groups: str,
    *,
    total: str | None = None,
    weights: str | None = None,
    strata: str | None = None,
    reference: str | None = None,
    p_adjust: Adjust = "bonferroni",
    conf_level: float = 0.95,
) -> GroupStudy:
    """Compare groups at every stage of a selection, among those who reached it, and in the end.

    Parameters
    ----------
    data : table or path
        People, a row each, or counts, a line a group.
    stages : list of str
        The columns of the stages in their order: 1 or Yes for who passed, 0, No or missing for who did not or was not
        there any more; of counts how many passed.
    groups : str
        The column of groups.
    total : str, optional
        Of counts: the column that says how many began.
    weights : str, optional
        Of people: a column of whole numbers, how many people a row stands for.
    strata : str, optional
        A column within which groups are compared, such as the posting: verdicts are of the differences within it.
    reference : str, optional
        The group that others are compared with; the largest by default.
    p_adjust : {"bonferroni", "holm", "bh", "none"}
        Over all stages and groups; the bottom line is a family of its own.
    conf_level : float

    Returns
    -------
    GroupStudy
        Metric "selection rate" with the stage as ``term``: rates of those who reached it, differences with verdicts
        and ratios; of several stages, term "bottom line": of all who began. "contribution of the stage": parts of the
        difference in the bottom line, which add up to it. With strata "risk difference within strata" (Mantel and
        Haenszel's, with the exact stratified test) has the verdicts, those without regard to strata are supplementary,
        and every stage has the common odds ratio and the tests that it is the same in all strata.

    Raises
    ------
    InputError
        If a column is unknown or holds something else, somebody passes a stage who did not pass the one before, or
        there are fewer than two groups.

    Notes
    -----
    The bottom line is the product of the rates. Its difference is parted among the stages as Das Gupta does, so that
    the order of the replacement does not matter. Connecticut v. Teal, 457 U.S. 440 (1982): a fair bottom line is no
    answer to a stage that is not.

    References
    ----------
    Das Gupta (1993), Standardization and decomposition of rates; Kitagawa (1955), JASA 50, 1168-1194; Miettinen &
    Nurminen (1985), Statistics in Medicine 4.

    Examples
    --------
    >>> import fairstats as fs
    >>> teal = {"race": ["Black", "White"], "took": [48, 259], "passed": [26, 206], "promoted": [11, 35]}
    >>> result = fs.stages(teal, ["passed", "promoted"], "race", total="took")
    >>> [round(row.estimate, 4) for row in result.estimates.where(term="passed", contrast="none")]
    [0.7954, 0.5417]
    """
    names = [word("stages", name) for name in items("stages", stages, "names of columns")]
    if not 0 < len(names) <= MOST_STAGES or len(set(names)) < len(names):
        raise InputError("stages", f"has {len(names)} names; name 1 to {MOST_STAGES} different columns in order.")
    level, by = confidence(conf_level), one_column("groups", groups)
    choose("p_adjust", p_adjust, ADJUSTMENTS)
    strata = None if strata is None else word("strata", strata)
    columns, source = take_in(data, [by, *([] if strata is None else [strata])])
    passed = _passed(columns, names, total, weights)
    factor = columns.factor(by, "groups")
    check_labels(by, factor)
    stratum = columns.factor(strata, "strata") if strata is not None else None
    if total is not None or weights is not None:
        of_strata = {} if stratum is None or strata is None else {strata: stratum}
        factors = {by: factor} | of_strata
        if total is not None:
            refuse_margins(columns, (total, *names), {by: factor}, of_strata, passed[:, 0], passed[:, -1])
        for role, name in zip(("groups", "strata"), factors, strict=False):
            refuse_total(role, name, factors, passed[:, 0], passed[:, -1])
            refuse_sum(role, name, factors, passed[:, 0], passed[:, -1])
        if total is not None:
            refuse_sums_beside("data", columns, (total, *names), factors, passed[:, 0], passed[:, -1])
    known = factor.codes >= 0
    if stratum is not None:
        known &= stratum.codes >= 0
    width = 1 if stratum is None else len(stratum.levels)
    place = factor.codes.astype(np.intp) * width + (0 if stratum is None else stratum.codes.astype(np.intp))
    size = len(factor.levels) * width
    reached = np.stack([np.bincount(place[known], column[known], size) for column in passed.T], axis=-1)
    table = reached.astype(float).reshape(len(factor.levels), width, -1)
    sums = table.sum(axis=1)
    order = [i for i in np.argsort(-sums[:, 0], kind="stable") if sums[i, 0] > 0]
    labels, table, sums = [factor.levels[i] for i in order], table[order], sums[order]
    if len(labels) < 2:
        raise InputError("groups", f"has {by!r} with fewer than two groups that anybody is in; name another column.")
    base = largest(labels, sums[:, 0], reference)
    several = len(names) > 1  # of one stage the end is that stage
    ways = [(name, k, k + 1) for k, name in enumerate(names)] + ([(BOTTOM_LINE, 0, -1)] if several else [])
    rows: list[Estimate] = []
    crude, within = [], []
    for name, before, after in ways:
        events, n = sums[:, after], sums[:, before]
        rows += [rate_row(by, label, name, e, m, level) for label, e, m in zip(labels, events, n, strict=True)]
        for i, label in enumerate(labels):
            if i != base:
                about = Estimate("selection rate", by, label, "difference", labels[base], name)
                crude.append((about, events[i], n[i], events[base], n[base]))
                within.append((table[i, :, after], table[i, :, before], table[base, :, after], table[base, :, before]))
    beside: list[Estimate] = []
    if strata is None:
        compared = [(pair[0], rate_comparison(*pair)) for pair in crude if pair[2] * pair[4] > 0]
        beside = [about.changed(**UNREACHED) for about, _, n1, _, n0 in crude if not n1 * n0]
    else:
        both = [(pair[0], StratifiedCounts(*cells)) for pair, cells in zip(crude, within, strict=True)]
        compared = [(about, _within(about, counted, strata)) for about, counted in both]
        for pair in crude:
            apart = pair[0].changed(role="supplementary", estimator=WITHOUT_REGARD)
            reached = pair[2] * pair[4] > 0
            beside += rate_comparison(apart, *pair[1:])[1](level) if reached else [apart.changed(**UNREACHED)]
    built = []
    for final in (False, True):
        family = [one for about, one in compared if (about.term == BOTTOM_LINE) == final]
        built += decided_rows(family, level, p_adjust)
    rows += [row for both in built for row in both] + beside
    rows += _contributions(by, labels, names, sums, base, level) if several else []
    if strata is not None:
        rows += _common(by, labels, names, table, base, strata, level)
    decisive = [first for first, *_ in built]
    if strata is None:
        lines = headline(decisive, partial(_sentence, rows))
        open_ends = [row for row in decisive if row.term == ways[-1][0] and row.verdict not in ("", *SHOWN)]
        lines += [_sentence(rows, row) for row in open_ends][:MOST_SAID]
        lines += [*_largest_part(rows), *_unreached(rows)]
    else:
        lines = [*headline(decisive, partial(_sentence_within, rows)), *_without_regard(rows, strata)]
        lines += _unreached(rows)
    settings: dict[str, Any] = {"stages": names, "groups": by, "total": total, "weights": weights, "strata": strata}
    settings |= {"reference": reference, "p_adjust": p_adjust, "conf_level": level}
    lost = float(passed[factor.codes < 0, 0].sum())
    if stratum is not None and strata is not None:
        lines += without_value([strata], [stratum.codes >= 0], passed[:, 0])
    return result_of(QUESTION, "stages", source, rows, lines, sums[:, 0].sum(), level, by, settings, lost=lost)


def _passed(columns: Columns, names: Sequence[str], total: str | None, weights: str | None) -> Floats:
    """How many of every row began, and how many passed each stage, shape (rows, stages + 1)."""
    if total is not None and weights is not None:
        raise InputError("weights", f"has {weights!r} beside total, which says how many there are; pass one of them.")
    if total is not None:
        parts = [count_column(columns, "total", word("total", total))]
        parts += [count_column(columns, "stages", name) for name in names]
    else:
        parts = [np.ones(columns.n) if weights is None else count_column(columns, "weights", word("weights", weights))]
        for name in names:
            columns.series(name, "stages")  # refuses a name that the data do not have
            values = columns.numeric(name, "stages") if columns.is_numeric(name) else _answers(columns, name)
            values = np.nan_to_num(values, nan=0.0)
            if ((values != 0) & (values != 1)).any():
                raise InputError(
                    "stages", f"has {name!r} with values other than 0 and 1; of people a stage is passed (1) or not; "
                    "of counts name the column of all who began (total).",
                )  # fmt: skip
            parts.append(values * parts[0])
    for k, name in enumerate(names):
        if (beyond := parts[k + 1] > parts[k]).any():
            before = names[k - 1] if k else "the beginning"
            raise InputError(
                "stages",
                f"has more who passed {name!r} than who passed {before!r} (row {int(np.argmax(beyond)) + 1}); name the "
                "stages in their order, and correct the rows.",
            )
    return np.stack(parts, axis=1)


def _answers(columns: Columns, name: str) -> Floats:
    """A column of Yes and No as 1 and 0."""
    factor = columns.labels(name, "stages")
    answers = np.array([PASSED.get(one.strip().lower(), NAN) for one in factor.levels] + [0.0])
    if np.isnan(answers).any():
        raise InputError(
            "stages",
            f"has {name!r}, which holds text{first_text(columns.series(name, 'stages'))}; of people a stage is passed "
            "(1, Yes) or not (0, No); code it so.",
        )
    return answers[factor.codes]


def rate_row(by: str, label: str, stage: str, events: float, n: float, level: float) -> Estimate:
    about = Estimate("selection rate", by, label, term=stage, n=float(n), events=float(events), method=WILSON)
    if not n:
        return about.changed(**UNREACHED, method="")
    low, high = (float(v) for v in wilson(events, n, level))
    return about.with_interval(float(events / n), low, high, level)


def rate_comparison(about: Estimate, e1: float, n1: float, e0: float, n0: float) -> tuple[float, Any]:
    p = float(decisive_test(e1, n1, e0, n0))
    pooled = (e1 + e0) / (n1 + n0)
    spread = np.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n0))
    z = float((e1 / n1 - e0 / n0) / spread) if spread > 0 else 0.0
    of = about.changed(n=float(n1), events=float(e1), method=TEST)

    def rows(level: float) -> list[Estimate]:
        low, high = (float(v) for v in miettinen_nurminen(e1, n1, e0, n0, level))
        gap = of.with_interval(float(e1 / n1 - e0 / n0), low, high, level).with_test(z, p)
        ratio = of.changed(contrast="ratio", method=RATIO)
        if not e0:
            return [gap, ratio.changed(status="unestimable", reason=message("the rate of the reference is 0"))]
        least, most = (float(v) for v in koopman(e1, n1, e0, n0, level))
        return [gap, ratio.with_interval(float(e1 / n1 / (e0 / n0)), least, most, level)]

    return p, rows


def _contributions(
    by: str, labels: list[str], names: list[str], sums: Floats, base: int, level: float
) -> list[Estimate]:
    """What each stage adds to the difference of the products of rates, the others being averaged over both groups."""
    quantile = float(critical(level))
    with np.errstate(invalid="ignore", divide="ignore"):
        rates = sums[:, 1:] / sums[:, :-1]
        noise = rates * (1 - rates) / sums[:, :-1]
    result = []
    for i, label in enumerate(labels):
        if i == base or not np.isfinite(rates[[i, base]]).all():
            continue
        parts, slopes = parted(rates[i], rates[base])
        for k, name in enumerate(names):
            error = float(np.sqrt((slopes[k] ** 2 * noise[[i, base]]).sum()))
            about = Estimate("contribution of the stage", by, label, "difference", labels[base], name, method=DELTA)
            about = about.changed(role="supplementary", n=float(sums[i, k]))
            low, high = float(parts[k] - quantile * error), float(parts[k] + quantile * error)
            result.append(about.with_interval(float(parts[k]), low, high, level, std_error=error))
    return result


def parted(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """The parts of the difference of two products, shape (K,), and their derivatives by both groups' factors (K, 2, K).

    >>> parts, _ = parted(np.array([0.5, 0.5]), np.array([0.8, 0.25]))
    >>> parts.round(4).tolist(), round(float(parts.sum()), 4)
    ([-0.1125, 0.1625], 0.05)
    """
    size = one.size
    both = np.stack([one, other])
    parts, slopes = np.zeros(size), np.zeros((size, 2, size))
    for k in range(size):
        rest = [j for j in range(size) if j != k]
        for chosen in (set(c) for r in range(size) for c in combinations(rest, r)):
            weight = 1 / (size * comb(size - 1, len(chosen)))
            side = {j: int(j not in chosen) for j in rest}
            product = np.prod([both[side[j], j] for j in rest])
            parts[k] += weight * (one[k] - other[k]) * product
            slopes[k, 0, k] += weight * product
            slopes[k, 1, k] -= weight * product
            for j in rest:
                others = np.prod([both[side[m], m] for m in rest if m != j])
                slopes[k, side[j], j] += weight * (one[k] - other[k]) * others
    return parts, slopes


def _within(about: Estimate, counted: StratifiedCounts, strata: str) -> tuple[float, Any]:
    """The difference within strata, with the exact stratified test."""
    of = about.changed(metric="", given=strata)
    everybody = np.sum(counted.n1), np.sum(counted.n0)
    few = too_few(of, np.array([counted.effect.n1, counted.effect.n0]) / np.maximum(everybody, 1))

    def rows(level: float) -> list[Estimate]:
        row = counted.rows(of, level)[0]
        return [row.blank(n=row.n, status="unestimable", reason=few) if few else row]

    return NAN if few else counted.p_value, rows


def _common(
    by: str, labels: list[str], names: list[str], table: Floats, base: int, strata: str, level: float
) -> list[Estimate]:
    """The odds ratio common to the strata at every stage, and whether it is the same in all."""
    result = []
    for k, name in enumerate(names):
        for i, label in enumerate(labels):
            if i != base:
                cells = (table[i, :, k + 1], table[i, :, k], table[base, :, k + 1], table[base, :, k])
                pooled = stratified(
                    *cells, attribute=by, group=label, reference=labels[base], strata=strata, conf_level=level
                )
                result += [row.changed(term=name, role="supplementary") for row in pooled]
    return result


def _stage(row: Estimate) -> DataText | Message | str:
    return BOTTOM_LINE_FIRST if row.term == BOTTOM_LINE else DataText(row.term)


def _sentence(rows: Sequence[Estimate], row: Estimate) -> str:
    other = next(o for o in rows if (o.contrast, o.term, o.group) == ("none", row.term, row.reference))
    return (SHOWN_AT if row.verdict in SHOWN else NOT_SETTLED_AT).format(
        stage=_stage(row),
        events=count(row.events),
        n=count(row.n),
        group=data_text(row),
        rate=percent(row.events / row.n),
        gap=percent(row.estimate),
        reference=DataText(row.reference, row.attribute),
        limits=limits(row),
        other_events=count(other.events),
        other_n=count(other.n),
        other_rate=percent(other.events / other.n),
    )


def _crude(rows: Sequence[Estimate]) -> dict[tuple[str, str], Estimate]:
    """The differences without regard to strata, by stage and group."""
    found = (row for row in rows if row.estimator == WITHOUT_REGARD and row.contrast == "difference")
    return {(row.term, row.group): row for row in found}


def _sentence_within(rows: Sequence[Estimate], row: Estimate) -> str:
    crude = _crude(rows)[row.term, row.group]
    return WITHIN_STRATA.format(
        stage=_stage(row),
        group=data_text(row),
        strata=DataText(row.given),
        gap=percent(row.estimate),
        reference=DataText(row.reference, row.attribute),
        limits=limits(row),
        events=count(crude.events),
        n=count(crude.n),
        rate=percent(crude.events / crude.n),
        crude=percent(crude.estimate),
    )


def _without_regard(rows: Sequence[Estimate], strata: str) -> list[str]:
    """The differences in the end that strata may explain, of groups whose difference within them is not shown."""
    crude = list(_crude(rows).values())
    shown = {row.group for row in rows if row.verdict in SHOWN and row.term == crude[-1].term}
    last = [row for row in crude if row.term == crude[-1].term and row.status == "ok" and row.group not in shown]
    within = {(row.term, row.group): row for row in rows if row.metric == "risk difference within strata"}
    lines: list[str] = []
    for row in last[:MOST_SAID]:
        of = {"strata": DataText(strata), "group": data_text(row), "reference": DataText(row.reference, row.attribute)}
        end = within[row.term, row.group]
        if end.status == "ok":
            lines.append(END_WITHIN.format(**of, gap=percent(end.estimate), limits=limits(end)))
        lines.append(CRUDE.format(**of, crude=percent(row.estimate), limits=limits(row)))
    return lines


def _unreached(rows: Sequence[Estimate]) -> list[str]:
    """For every group of which nobody reached a stage, the first such stage."""
    first: dict[str, Estimate] = {}
    for row in rows:
        if row.contrast == "none" and row.status != "ok" and row.metric == "selection rate":
            first.setdefault(row.group, row)
    return [NOBODY_OF.format(group=data_text(row), stage=DataText(row.term)) for row in first.values()]


def _largest_part(rows: Sequence[Estimate]) -> list[str]:
    """For every group the stage that adds most to the difference in the end, where both are shown."""
    result: list[str] = []
    for row in rows:
        if row.term != BOTTOM_LINE or row.contrast != "difference" or row.verdict not in SHOWN:
            continue
        parts = [r for r in rows if r.metric == "contribution of the stage" and r.group == row.group]
        sign = 1 if row.estimate > 0 else -1
        part = max(parts, key=lambda r: sign * r.estimate, default=None)
        if part is not None and min(sign * part.conf_low, sign * part.conf_high) > 0:
            who = {"group": data_text(row), "reference": DataText(row.reference, row.attribute)}
            values = {"part": percent(part.estimate), "gap": percent(row.estimate), "limits": limits(part)}
            result.append(PART.format(stage=DataText(part.term), **who, **values))
    return result
