"""The verdict that two adjusted p-values give, and what an interval says of a value."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby
from typing import Any, Protocol

from fairstats import metrics
from fairstats.errors import Setting, steps
from fairstats.estimates import NAN, SHOWN, TESTED, Estimate, Estimates, Verdict, filled
from fairstats.inference.multiplicity import Family, adjusted_p_and_level, pairs_of, question_of, rejected
from fairstats.inference.rates.equivalence import p_outside, p_within
from fairstats.language import joined, message, parts
from fairstats.text import level as level_text
from fairstats.validation import BH, HOLM, NONE, Adjust


def verdict_of(p: float, p_equal: float, conf_level: float, rule: Adjust = "bonferroni") -> Verdict:
    """The verdict of one comparison.

    Returns
    -------
    str
        *equivalence shown*: within the declared margin, also where a difference is shown, which is then real but
        smaller than what was declared to matter; *disparity shown* (*flagged* under a false discovery rate): a
        difference, otherwise; *inconclusive*: neither, which is not evidence of equality.

    p, p_equal: adjusted p-values of no difference and of practical equality; NaN shows nothing.
    conf_level: one minus the error rate of each.
    rule: the adjustment: a false discovery rate says of no single comparison that it is shown, it flags.
    Source: Lauzon & Caffo (2009), The American Statistician 63, 147-154 (equivalence of several groups); Tryon & Lewis
    (2008), Psychological Methods 13, 272-277.

    >>> nan = float("nan")
    >>> verdict_of(0.01, nan, 0.95), verdict_of(0.01, nan, 0.95, "bh"), verdict_of(0.01, 0.02, 0.95)
    ('disparity shown', 'flagged', 'equivalence shown')
    """
    if rejected(p_equal, conf_level):
        return "equivalence shown"
    if not rejected(p, conf_level):
        return "inconclusive"
    return "flagged" if rule == BH else "disparity shown"


def decisive_p(row: Estimate) -> float:
    """The p-value that a row's verdict was read from: of practical equality where that is shown, else the adjusted one.

    >>> decisive_p(Estimate("FPR", verdict="equivalence shown", p_adjusted=0.001, p_equivalence=0.02))
    0.02
    """
    if row.verdict == "equivalence shown":
        return row.p_equivalence
    return row.p_value if row.p_adjusted != row.p_adjusted else row.p_adjusted


def remains(row: Estimate) -> bool:
    """Whether a difference is shown not to be 0, however small; without limits by the level that each row has.

    >>> remains(Estimate("FPR", verdict="equivalence shown", conf_low=0.01, conf_high=0.03))
    True
    """
    if row.conf_low != row.conf_low:
        return rejected(row.p_value, row.conf_level)
    return bool(row.conf_low > 0 or row.conf_high < 0)


def barely(row: Estimate) -> bool:
    """Whether the limits of a difference within the margin leave out 0, and the wider ones, which would show it, not.

    >>> barely(Estimate("FPR", verdict="equivalence shown", conf_low=0, conf_high=3, margin_low=0.1, margin_high=2.9))
    True
    """
    low, high = decisive_interval(row)
    return not remains(row) and (low > 0 or high < 0)


def beyond(row: Estimate, margin: float | None) -> bool:
    """Whether the whole interval of a difference lies beyond the margin."""
    return margin is not None and min(row.conf_high, margin) < max(row.conf_low, -margin)


def decisive_interval(row: Estimate) -> tuple[float, float]:
    """The interval that a row's verdict was read from: that of practical equality where it is shown and has one.

    >>> decisive_interval(Estimate("FPR", conf_low=-0.1, conf_high=0.1, margin_low=-0.08, margin_high=0.08))
    (-0.1, 0.1)
    """
    return (row.margin_low, row.margin_high) if _equality_interval(row) else (row.conf_low, row.conf_high)


def decisive_level(row: Estimate) -> str:
    """The level of `decisive_interval`: 1 − 2α of the two one-sided tests where practical equality is shown.

    >>> equal = Estimate("FPR", conf_level=0.95, verdict="equivalence shown", margin_low=-0.08, margin_high=0.08)
    >>> decisive_level(equal), decisive_level(Estimate("FPR", conf_level=0.95))
    ('90%', '95%')
    """
    if not _equality_interval(row):
        return level_text(row.conf_level)
    apart = next((part for part in parts(row.reason) if part.template == EQUALITY_APART.template), None)
    return level_text(2 * row.conf_level - 1) if apart is None else str(apart.values["level"])


def _equality_interval(row: Estimate) -> bool:
    return row.verdict == "equivalence shown" and row.margin_low == row.margin_low


# Every comparison of a family with one adjusted p-value, one interval and one verdict, which never contradict.


NO_INTERVAL = message(
    "Holm's steps have no intervals that agree with them; {setting} has", setting=Setting("p_adjust", "bonferroni")
)
EQUALITY_APART = message("practical equality is read from the {level} interval, adjusted by Bonferroni")
ABOVE = 1 + 1e-9  # what rounding leaves of a p-value at the level itself


@dataclass(frozen=True)
class Comparison:
    """One member of a family: its tests, and its rows at a level of confidence.

    p_value: unadjusted; NaN is no member of the family. Where the p-value at which the interval touches the value of no
        disparity is known, it is the larger of the two; otherwise it is searched for where it matters.
    rows: level → rows, the one that carries the verdict first.
    equal: row by row the unadjusted p-value of practical equality, None where no margin was declared. A row after the
        first has a verdict only where one was.
    without: why it has no verdict, where it has none.
    apart: whether it is in no family: it has an interval at the level of the others, and no test.
    smallest_p_equivalence: by row the least p of practical equality that withheld people allow: what it shows after
        adjustment is no disparity, which such people would overturn.
    """

    p_value: float
    rows: Callable[[float], Sequence[Estimate]]
    equal: tuple[float | None, ...] = ()
    without: str | None = None
    apart: bool = False
    smallest_p_equivalence: tuple[float, ...] = ()


class Ahead(Protocol):
    """Intervals to come."""

    def solve(self, many: Sequence[Any], levels: Sequence[float]) -> None:
        """Solve those of many families, each at its level, and keep them."""


@dataclass(frozen=True, eq=False)
class Undecided:
    """The comparisons of one attribute in one question, before their verdicts.

    comparisons: the groups against one reference.
    family: level, adjustment and margins.
    about: attribute, metric and what is held fixed; the first row says so otherwise.
    alone: whether it is a family by itself. Otherwise all single attributes are one family in one metric, and so are
        all intersections.
    together: level → the rows of every comparison, where they are made for all at once.
    ahead: what the rows are made of, where this is solved for many families at once.
    """

    comparisons: Sequence[Comparison]
    family: Family
    about: Estimate | None = None
    alone: bool = False
    together: Callable[[float], Sequence[Sequence[Estimate]]] | None = None
    ahead: Ahead | None = None

    @cached_property
    def first(self) -> Estimate:
        """Attribute, metric and what is held fixed."""
        return self.about or self.comparisons[0].rows(self.family.conf_level)[0]

    def rows_at(self, level: float, wanted: Sequence[bool]) -> Sequence[Sequence[Estimate]]:
        """The rows of the comparisons at a level, of those that are wanted."""
        if self.together is not None:
            return self.together(level) if any(wanted) else [()] * len(wanted)
        return [one.rows(level) if want else () for one, want in zip(self.comparisons, wanted, strict=True)]


@dataclass(frozen=True, eq=False)
class After:
    """Rows that are made of a family's own rows once these are decided."""

    of: Undecided
    rows: Callable[[Estimates], Estimates]


Rows = Estimates | Undecided | After


def decide_all(sections: Sequence[Sequence[Rows]], crossed: Sequence[bool] = ()) -> list[Estimates]:
    """Decide every family of an audit, and make the rows that rest on what was decided.

    sections: rows in their order, those of an attribute in one question as one entry.
    crossed: of each section whether its attribute is an intersection: these share no family with single attributes.

    >>> gap = Estimate("FPR", "g", "b", "difference", "a", estimate=0.2, conf_low=0.1, conf_high=0.3)
    >>> family = Undecided([Comparison(0.001, lambda level: [gap])], Family())
    >>> [len(rows) for rows in decide_all([[family, Estimates([gap])], [After(family, lambda rows: rows)]])]
    [2, 1]
    """
    families = list({id(f): f for rows in sections for entry in rows if (f := _family(entry)) is not None}.values())
    types = crossed or [False] * len(sections)
    joint = {id(_family(entry)) for rows, is_joint in zip(sections, types, strict=True) if is_joint for entry in rows}
    keyed = sorted((_shared(of, id(of) in joint), i) for i, of in enumerate(families))
    pools = [[families[i] for _, i in pool] for _, pool in groupby(keyed, key=lambda pair: pair[0])]
    plans = [plan for pool in pools for plan in _plans(pool)]
    _solve_ahead(plans)
    entries = {id(of): decided_rows for plan in steps("tests", plans) for of, decided_rows in plan.rows()}

    def rows_of(rows: Rows) -> Estimates:
        if isinstance(rows, After):
            return rows.rows(entries[id(rows.of)])
        return entries[id(rows)] if isinstance(rows, Undecided) else rows

    return [Estimates(row for rows in section for row in rows_of(rows)) for section in sections]


def decided(of: Undecided) -> Estimates:
    """Every row of one family with its level, adjusted p-values and verdict.

    Returns: the rows of each comparison in turn.

    >>> gap = Estimate("FPR", "g", "b", "difference", "a", estimate=0.2, conf_low=0.1, conf_high=0.3)
    >>> row = decided(Undecided([Comparison(0.001, lambda level: [gap])], Family()))[0]
    >>> row.verdict, row.p_adjusted
    ('disparity shown', 0.001)
    """
    return next(rows for plan in _plans([of]) for _, rows in plan.rows())


def _family(rows: Rows) -> Undecided | None:
    return rows.of if isinstance(rows, After) else rows if isinstance(rows, Undecided) else None


def _shared(of: Undecided, crossed: bool) -> tuple[str, ...]:
    """What families that share one error rate have in common."""
    members = of.comparisons if of.family.withholds else [of.comparisons[i] for i in _members(of)]
    if of.alone or not members:
        return "alone", str(id(of))
    about = of.first
    # how all pairs of one attribute share an error rate with others is known only of Bonferroni's sum
    pairs = of.family.all_pairs and of.family.p_adjust in (BH, NONE)
    apart = about.attribute if pairs or of.family.p_adjust == NONE else ""
    if of.family.over_audit and any(c.without is None for c in members):
        return "audit", apart
    return "rate", apart, about.metric, about.given, about.estimator, about.role, str(crossed)


class _Pool:
    """The comparisons that share one error rate.

    Hypotheses that are one question, as those of a rate and of its complement, count once. So do comparisons of groups
    that are withheld: how many people a report shows a group from decides no verdict about the others.
    """

    def __init__(self, families: Sequence[Undecided]) -> None:
        self.families = families
        self.conf_level = families[0].family.conf_level
        keys = [_question(of) if len(families) > 1 else () for of in families]
        self.key = {(id(of), i): (key, i) for of, key in zip(families, keys, strict=True) for i in _members(of)}
        counted: dict[tuple[str, ...], int] = {}
        sure: dict[tuple[str, ...], int] = {}
        for of, key in zip(families, keys, strict=True):
            tested = len(_members(of))
            size = sum(not c.apart for c in of.comparisons) if of.family.withholds else tested
            for sizes, n in ((counted, size), (sure, tested)):
                sizes[key] = max(sizes.get(key, 0), pairs_of(n) if of.family.all_pairs else n)
        self.tests = max(sum(counted.values()), 1)
        self.fewest = max(sum(sure.values()), 1)  # those that count whatever is withheld

    def adjusted(
        self, p: dict[tuple[int, int], float], rule: Adjust, tests: int = 0
    ) -> tuple[dict[tuple[int, int], float], float]:
        """Adjusted p-values of the members under one rule, by place, and the level of their intervals.

        tests: how many count; those of the family where 0.
        """
        largest: dict[Any, float] = {}
        for place, value in p.items():
            largest[self.key[place]] = max(value, largest.get(self.key[place], 0.0))
        result, level = adjusted_p_and_level(list(largest.values()), rule, self.conf_level, tests or self.tests)
        current = dict(zip(largest, result, strict=True))
        return {place: current[self.key[place]] for place in p}, level


def _question(of: Undecided) -> tuple[str, ...]:
    return (*question_of(of.first), of.first.term)


def _members(of: Undecided) -> list[int]:
    return [i for i, c in enumerate(of.comparisons) if not (c.apart or math.isnan(c.p_value))]


def _plans(families: Sequence[Undecided]) -> list[_Plan]:
    """How the rows of a pool are made, by rule."""
    pool = _Pool(families)
    rules = dict.fromkeys(of.family.rule for of in families)
    return [_plan(pool, [of for of in families if of.family.rule == rule], rule) for rule in rules]


def _solve_ahead(plans: Sequence[_Plan]) -> None:
    wanted = [(of.ahead, level) for plan in plans for of, level in plan.wanted() if of.ahead is not None]
    if wanted:
        wanted[0][0].solve(*zip(*wanted, strict=True))


def _plan(pool: _Pool, families: Sequence[Undecided], rule: Adjust) -> _Plan:
    members = {(id(of), i): of.comparisons[i] for of in families for i in _members(of)}
    p = {place: float(comparison.p_value) for place, comparison in members.items()}
    adjusted, level = pool.adjusted(p, rule)
    while rule == BH and (raised := _touching(families, p, adjusted, level, pool.conf_level)):
        p |= raised  # one flag less changes the level of all; there are only so many
        adjusted, level = pool.adjusted(p, rule)
    places = max((len(c.equal) for c in members.values()), default=0)
    # a false discovery rate among claims of difference says nothing about claims of equality
    equal_rule: Adjust = "bonferroni" if rule == BH else rule
    equal: list[dict[tuple[int, int], tuple[float, float]]] = []
    one_sided = level
    for k in range(places):
        entries = {at: v for at, c in members.items() if (v := _at(c, k)) is not None and not math.isnan(v)}
        adjusted_equal, at_level = pool.adjusted(entries, equal_rule)
        one_sided = at_level if entries else one_sided  # rows without a margin have no level to give
        equal.append({at: (entries[at], q) for at, q in adjusted_equal.items()})
    equal = equal if any(equal) else []
    smallest_p_equivalence = []
    for k in range(max((len(c.smallest_p_equivalence) for c in members.values()), default=0)):
        least = {
            at: c.smallest_p_equivalence[k]
            for at, c in members.items()
            if k < len(c.smallest_p_equivalence) and not math.isnan(c.smallest_p_equivalence[k])
        }
        smallest_p_equivalence.append(pool.adjusted(least, equal_rule, pool.fewest)[0])
    stepwise = rule == HOLM and pool.tests > 1
    return _Plan(
        families, _Way(pool.conf_level, rule, level, one_sided, stepwise), p, adjusted, equal, smallest_p_equivalence
    )


@dataclass(frozen=True, eq=False)
class _Plan:
    """Families under one rule: the levels of their intervals, and by comparison the p-values and the adjusted ones."""

    families: Sequence[Undecided]
    way: _Way
    p: dict[tuple[int, int], float]
    adjusted: dict[tuple[int, int], float]
    equal: list[dict[tuple[int, int], tuple[float, float]]]
    smallest_p_equivalence: list[dict[tuple[int, int], float]]

    def _equal(self, of: Undecided) -> list[list[tuple[float, float]]]:
        places = range(len(of.comparisons))
        return [[by_row.get((id(of), i), (NAN, NAN)) for by_row in self.equal] for i in places]

    def wanted(self) -> Iterator[tuple[Undecided, float]]:
        """The families with the levels at which their rows will be made."""
        for of in self.families:
            yield of, self.way.level
            if any(map(self.way.inner, self._equal(of))):
                yield of, self.way.thick

    def rows(self) -> Iterator[tuple[Undecided, Estimates]]:
        """Every family with its rows."""
        for of in self.families:
            places = [(id(of), i) for i in range(len(of.comparisons))]
            tested, equal = [(self.p.get(at, NAN), self.adjusted.get(at, NAN)) for at in places], self._equal(of)
            wanted = list(map(self.way.inner, equal))
            outer = of.rows_at(self.way.level, [True] * len(of.comparisons))
            thick = of.rows_at(self.way.thick, wanted)
            inner = [rows if want else () for rows, want in zip(thick, wanted, strict=True)]
            smallest_p_equivalence = [
                [entries.get(at, NAN) for entries in self.smallest_p_equivalence] for at in places
            ]
            each = zip(of.comparisons, outer, inner, tested, equal, smallest_p_equivalence, strict=True)
            rows = [self.way.rows(one, out, within, of.family, *rest) for one, out, within, *rest in each]
            yield of, Estimates(chain.from_iterable(rows))


def _at(comparison: Comparison, k: int) -> float | None:
    return comparison.equal[k] if k < len(comparison.equal) else None


def _touching(
    families: Sequence[Undecided],
    p: dict[tuple[int, int], float],
    adjusted: dict[tuple[int, int], float],
    level: float,
    conf_level: float,
) -> dict[tuple[int, int], float]:
    """The p-values of comparisons that are rejected while their interval holds the value of no disparity."""
    raised = {}
    for of in families:
        shown = [rejected(adjusted.get((id(of), i), NAN), conf_level) for i in range(len(of.comparisons))]
        for i, rows in enumerate(of.rows_at(level, shown)):
            if shown[i] and rows[0].status in TESTED and _holds(rows[0]):
                at = (id(of), i)
                raised[at] = _p_at_null(of.comparisons[i], 0, null_value(rows[0]), p[at], level)
    return raised


@dataclass(frozen=True)
class _Way:
    """How the rows of one comparison are made: the levels, and what follows of adjusted p-values."""

    conf_level: float
    rule: Adjust
    level: float  # of intervals that agree with tests of no difference
    one_sided: float  # that of the margin's intervals is 1 - 2 alpha of this one
    stepwise: bool  # p-values only

    @property
    def thick(self) -> float:
        """The level of the margin's intervals."""
        return 2 * self.one_sided - 1

    def inner(self, equal: Sequence[tuple[float, float]]) -> bool:
        """Whether a comparison has the margin's intervals."""
        return any(q == q for q, _ in equal) and not self.stepwise and self.thick > 0

    def rows(
        self,
        of: Comparison,
        outer: Sequence[Estimate],
        inner: Sequence[Estimate],
        family: Family,
        tested: tuple[float, float],
        equal: Sequence[tuple[float, float]],
        smallest_p_equivalence: Sequence[float],
    ) -> list[Estimate]:
        out: list[Estimate] = []
        decided: tuple[float, float] | None = None
        for k, row in enumerate(outer):
            checked = k == 0 or _at(of, k) is not None
            if row.status not in TESTED or not (checked or row.p_value == of.p_value):
                out.append(row)  # without numbers, or with a test of its own
                continue
            if k and decided is not None and not rejected(decided[1], self.conf_level):
                tested = decided  # one test, one decision: no further row shows what the first leaves open
            row = self._tested(row.changed(), of, k, *tested)
            if k == 0:
                decided = row.p_value, row.p_adjusted
            if k and k < len(equal) and equal[k] == equal[0] and row.metric != outer[0].metric:
                # the same gap in another unit, of which no margin is declared: as the first row
                filled(row, p_equivalence=out[0].p_equivalence)
                if inner and inner[k].status == "ok" and out[0].margin_low == out[0].margin_low:
                    filled(row, margin_low=inner[k].conf_low, margin_high=inner[k].conf_high)
            elif k < len(equal) and equal[k][0] == equal[k][0]:
                row = self._within(row, inner[k] if inner else None, of, k, family, *equal[k])
            if of.without is not None and checked:
                filled(row, reason=joined([row.reason, of.without]))
            elif checked:
                word = verdict_of(row.p_adjusted, row.p_equivalence, self.conf_level, self.rule)
                if (
                    word in SHOWN
                    and k < len(smallest_p_equivalence)
                    and rejected(smallest_p_equivalence[k], self.conf_level)
                ):
                    word = "inconclusive"
                filled(row, verdict=word)
            out.append(row)
        return out

    def _tested(self, row: Estimate, of: Comparison, k: int, p: float, adjusted: float) -> Estimate:
        """The row with its p-values, and an interval that agrees with them."""
        filled(row, p_value=p if row.p_value == of.p_value else row.p_value, p_adjusted=adjusted)
        if self.stepwise:
            return filled(row, conf_low=NAN, conf_high=NAN, reason=joined([row.reason, NO_INTERVAL]))
        null, shown = null_value(row), rejected(adjusted, self.conf_level)
        if shown and _has_p_value(row) and _holds(row):
            p = _p_at_null(of, k, null, p, self.level)
            adjusted = min(1.0, p * (1 - self.conf_level) / (1 - self.level))
            return filled(row, p_value=p, p_adjusted=adjusted)
        if not shown and p == p and _has_p_value(row) and not _holds(row):
            return filled(row, conf_low=min(row.conf_low, null), conf_high=max(row.conf_high, null))
        return row

    def _within(
        self, row: Estimate, inner: Estimate | None, of: Comparison, k: int, family: Family, p: float, adjusted: float
    ) -> Estimate:
        """The row with its p-value of practical equality, and the interval of level 1 - 2 alpha that agrees with it."""
        if inner is None or inner.status != "ok" or not _has_p_value(inner):
            return filled(row, p_equivalence=adjusted)
        low, high = family.margins.around(row)
        if math.isinf(high) and math.isinf(low):
            return filled(row, p_equivalence=adjusted)
        shown, inside = rejected(adjusted, self.conf_level), low < inner.conf_low and inner.conf_high < high
        ends = inner.conf_low, inner.conf_high
        if shown and not inside:
            level = self.one_sided
            result = p_within(lambda at: _limits(of, k, at), low, high, 1 - level)
            p = max(p, result if result == result else 0.0, (1 - level) * ABOVE)
            adjusted = min(1.0, p * (1 - self.conf_level) / (1 - level))
        elif not shown and inside:
            ends = _to_margin(ends, (low, high), row.contrast == "ratio")
        # under a false discovery rate the interval of the flags may be the narrower one
        nested = self.thick <= self.level
        outer = (min(row.conf_low, ends[0]), max(row.conf_high, ends[1])) if nested else (row.conf_low, row.conf_high)
        reason = row.reason
        if self.one_sided != self.level:  # the level of the intervals of flags says nothing about this one
            reason = joined([reason, EQUALITY_APART.format(level=level_text(self.thick))])
        return filled(
            row,
            reason=reason,
            p_equivalence=adjusted,
            margin_low=ends[0],
            margin_high=ends[1],
            conf_low=outer[0],
            conf_high=outer[1],
        )


def _has_p_value(row: Estimate) -> bool:
    return not (math.isnan(row.conf_low) or math.isnan(row.conf_high))


def _holds(row: Estimate) -> bool:
    """Whether the interval holds the value of no disparity."""
    return row.conf_low <= null_value(row) <= row.conf_high


def _limits(of: Comparison, k: int, level: float) -> tuple[float, float]:
    row = of.rows(level)[k]
    return row.conf_low, row.conf_high


def _p_at_null(of: Comparison, k: int, null: float, p: float, level: float) -> float:
    """The p-value at which an interval that holds the value at a level just touches it."""
    result = p_outside(lambda at: _limits(of, k, at), null, 1 - level)
    return min(1.0, max(p, result if result == result else 0.0, (1 - level) * ABOVE))


def _to_margin(ends: tuple[float, float], margin: tuple[float, float], logs: bool) -> tuple[float, float]:
    """An interval within the margin, with the end that is nearer to the margin moved there."""
    (low, high), (least, most) = ends, margin
    if logs:
        below, above = (math.log(low / least) if low > 0 else 0.0), math.log(most / high)
    else:
        below, above = low - least, most - high
    return (least, high) if below < above else (low, most)


def null_value(row: Estimate) -> float:
    """The value of no disparity: 0 of a difference, 1 of a ratio, the metric's own otherwise.

    >>> null_value(Estimate("P(X>Y)")), null_value(Estimate("FPR", contrast="ratio"))
    (0.5, 1.0)
    """
    if row.contrast != "none":
        return 1.0 if row.contrast == "ratio" else 0.0
    return metrics.METRICS[row.metric].null if row.metric in metrics.METRICS else 0.0


def comparisons_of(levels: Iterable[float], conf_level: float) -> int:
    """For how many comparisons intervals are adjusted by Bonferroni; 1 where they are not.

    >>> comparisons_of([0.95, 0.99], 0.95), comparisons_of([0.95], 0.95), comparisons_of([0.9], float("nan"))
    (5, 1, 1)
    """
    highest = max((v for v in levels if v == v), default=math.nan)
    return round((1 - conf_level) / (1 - highest)) if conf_level < highest < 1 else 1
