"""Amounts by group: means, medians and other quantiles, places in everybody's amounts; each beside the reference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from fairstats.arrays import by_code
from fairstats.auditing.counts import Weighed
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rates import WILSON, as_focus, focus_apart
from fairstats.auditing.scores import ScorePair, effect_rows, score_groups, score_strata_rows, with_rows
from fairstats.auditing.suppression import NEAR, dominated
from fairstats.auditing.tally import CodedTally
from fairstats.data.grids import EXACT
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.amounts.means import (
    EMPTY,
    NO_LOGS,
    NO_RATIO,
    SAME_AMOUNT,
    Codes,
    LognormalMeans,
    Mean,
    MeanPair,
    StratumSums,
    lighter_than_lognormal,
    mean_of,
    permuted,
    surveyed_within,
    too_few_for_means,
)
from fairstats.inference.amounts.quantiles import NOT_ABOVE_0, TOO_FEW, QuantilePair, Quantiles
from fairstats.inference.amounts.quarters import PARTS, Quarters
from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.rates.rate_tests import z_test
from fairstats.inference.rates.sampling import KORN_GRAUBARD, korn_graubard
from fairstats.inference.rates.strata import NO_OVERLAP
from fairstats.inference.rates.survey import EFFECTIVE, FEW, student_size
from fairstats.inference.rates.two_rates import INTERVAL_NAMES as DIFFERENCES
from fairstats.inference.rates.two_rates import TEST_NAMES, miettinen_nurminen
from fairstats.inference.scores.survey import Scored
from fairstats.inference.verdicts import Comparison, Rows, Undecided
from fairstats.labels import holds_missing
from fairstats.language import joined, mark, message
from fairstats.provenance import Attribute
from fairstats.text import significant
from fairstats.validation import HOLM

Floats = NDArray[np.float64]

MEAN, GAP, GEOMETRIC = "mean amount", "gap of means", "geometric mean"
MEDIAN, MEDIAN_GAP, QUANTILE = "median amount", "gap of medians", "amount quantile"
QUARTER, ABSENT = "share in quarter", "amount missing"
GAP_WITHIN, DIFFERENCE_WITHIN = "gap of means within strata", "mean difference within strata"
WEIGHTS_WITHIN = mark(
    "The gap within strata averages over them with the weights n₁n₀/(n₁ + n₀), where n₁ and n₀ are a stratum's people "
    "of the two groups: none counts for more than its smaller group."
)
# statistics of scores that amounts have under another name
OF_SCORES = {
    "P(X>Y)": "P(X>Y) of amounts",
    "P(X>Y) within strata": "P(X>Y) of amounts within strata",
    "score distribution within strata": "amount distribution within strata",
    "score shift within strata": "amount shift within strata",
}

ONE_NEGATIVE, NEGATIVE = message("one amount is negative"), message("{n} amounts are negative")
OF_SCALE = message("amounts are points of a scale")
NO_UNIT = message("all amounts lie between 0 and 10 and no unit was declared")
POINTS = "points"  # the unit of such amounts
TOP = 10.0  # of a scale that nobody declared: a probability, or marks
UNEQUAL_SPREAD = message(
    "no verdict on means: the amounts of the two groups spread differently, and they are too few for a test of means "
    "that holds then; see the geometric mean and the median"
)
ENDLESS = message("the mean of the reference is too uncertain for limits of a ratio")
ALL_0 = message("all amounts of the reference group are 0, so that there is no ratio")
ALL_LESS = message("the median is 0, and there are no limits of a ratio")
TOO_EXTREME = message("fewer than {n} people lie beyond this quantile")
ENDS_OF_FEW = message("its limits are withheld: fewer than {n} people lie beyond one of them")
ON_A_GRID = message("amounts on a grid: off by at most {n}")
OF_LOGS = message("of logarithms: {method}")
ALL_OR_NONE = message("all or none are in this quarter, so there is no error to measure by")
SCORE_LIMITS = joined([DIFFERENCES["miettinen-nurminen"], TEST_NAMES["z"]])
TERM = "{percent:g}%"


# The amounts of the groups of an attribute, and each group's beside those of its reference.


@dataclass(frozen=True, eq=False)
class Group:
    """The known amounts of one group, in cells."""

    label: str
    cells: Scored
    sampled: bool
    strata: Codes = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # of the cells
    width: int = 1  # strata there are
    scale: str = ""  # why everybody's amounts have no ratio (`on_scale`)

    def counted(self, row: Estimate, protocol: Protocol) -> Estimate:
        """The row with how many people it is about."""
        return with_rows(row.changed(n=self.cells.total), self.cells.people.sum(), protocol)

    @cached_property
    def sums(self) -> StratumSums:
        """Of the amounts, by stratum."""
        return StratumSums.of(self.cells, self.sampled, self.strata, self.width)

    @cached_property
    def _by_stratum(self) -> list[NDArray[np.intp]]:
        ends = np.cumsum(np.bincount(self.strata, minlength=self.width))[:-1]
        return np.split(by_code(self.strata), ends)

    def mean_in(self, stratum: int) -> Mean:
        """Of the amounts of a stratum."""
        if self.cells.clusters is None:
            return self.sums.at(np.array([stratum])).averaged(np.ones(1))
        return mean_of(self.cells.take(self._by_stratum[stratum]), self.sampled)

    def negative_in(self, stratum: int) -> bool:
        """Whether an amount of a stratum is negative."""
        return self.least < 0 and bool((self.cells.values[self._by_stratum[stratum]] < 0).any())

    @cached_property
    def mean(self) -> Mean:
        """Of the amounts."""
        return mean_of(self.cells, self.sampled)

    @cached_property
    def log_mean(self) -> Mean:
        """Of their logarithms."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return mean_of(replace(self.cells, values=np.log(self.cells.values)), self.sampled)

    @cached_property
    def quantiles(self) -> Quantiles:
        """Any of them."""
        return Quantiles(self.cells, self.sampled)

    @cached_property
    def least(self) -> float:
        """The smallest amount; NaN where none is known."""
        return float(self.cells.values.min()) if self.cells.values.size else NAN


def on_scale(amounts: Floats, protocol: Protocol) -> str:
    """Why amounts are compared by differences alone: as points of a scale, such as a score or a probability, may be.

    A declared unit tells, and so does a margin, which is in per cent; else where the amounts lie.

    >>> amounts = np.array([0.2, 0.7])
    >>> on_scale(amounts, Protocol(("sex",))), on_scale(amounts, Protocol(("sex",), unit="EUR"))
    ('all amounts lie between 0 and 10 and no unit was declared', '')
    """
    if protocol.margin.gap is not None or (protocol.unit and protocol.unit != POINTS):
        return ""
    if protocol.unit or (protocol.score and protocol.argument("amount") == protocol.score):
        return OF_SCALE
    known = amounts[~np.isnan(amounts)]
    return NO_UNIT if known.size and known.min() >= 0 and known.max() <= TOP else ""


def amount_groups(tally: CodedTally, levels: Attribute, protocol: Protocol) -> dict[str, Group]:
    """The amounts of each group, by its label.

    >>> sex = Attribute("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> tally = CodedTally((sex,), np.ones(3), numbers={"amount": np.array([10.0, np.nan, 30.0])})
    >>> {k: g.cells.values.tolist() for k, g in amount_groups(tally, sex, Protocol(("sex",))).items()}
    {'m': [10.0], 'f': [30.0]}
    """
    whole, sampled = _cells(tally, protocol), protocol.weight_type == "probability"
    out, weighing = {}, whole.weight > 0
    scale = on_scale(whole.values[weighing], protocol)
    for label, known in tally.known("amount", levels).items():
        rows = known if weighing.all() else known[weighing[known]]
        out[label] = Group(label, whole.take(rows), sampled, scale=scale)
        if tally.strata is not None:
            width = len(tally.strata.labels)
            codes = tally.strata.codes[rows].astype(np.min_scalar_type(width))  # of many people: no byte too many
            out[label] = replace(out[label], strata=codes, width=width)
    return out


def _cells(tally: CodedTally, protocol: Protocol) -> Scored:
    """Everybody's amounts."""
    sampled = protocol.weight_type == "probability"
    people, squares = (tally.used, tally.square) if sampled else (tally.weight, tally.weight)
    clusters = None if tally.clusters is None else tally.clusters.astype(np.int64)
    return Scored(tally.numbers["amount"], tally.weight, squares, people, clusters, tally.sampling)


@dataclass(frozen=True, eq=False)
class AmountPair:
    """The amounts of a group and of its reference."""

    attribute: str
    group: Group
    base: Group
    protocol: Protocol

    def about(self, metric: str, contrast: str = "none", term: str = "") -> Estimate:
        """A row of the pair without numbers."""
        row = Estimate(metric, self.attribute, self.group.label, contrast, self.base.label, term)
        return self.group.counted(row, self.protocol)

    @cached_property
    def means(self) -> MeanPair:
        """Compared; where small samples seem to differ in spread, as lognormal means, too."""
        pair = MeanPair(self.group.mean, self.base.mean)
        if self.group.sampled:
            return pair
        pair = permuted(pair, self.group.cells, self.base.cells, self.protocol.seed)
        if pair.reason or not self.apart or self.logs_fail:
            return pair
        if lighter_than_lognormal(self.group.cells, self.base.cells):
            return pair
        return replace(pair, lognormal=LognormalMeans(self.group.log_mean, self.base.log_mean, self.protocol.seed))

    @cached_property
    def apart(self) -> bool:
        """Whether the samples are too small for tests of means by themselves."""
        return too_few_for_means(self.group.cells, self.base.cells)

    @property
    def logs_fail(self) -> bool:
        """Whether lognormal means are no help: an amount is not above 0, or people are weighted or clustered."""
        clustered = self.group.sampled or self.group.cells.clusters is not None
        return clustered or not self.least > 0 or not min(g.log_mean.variance for g in (self.group, self.base)) > 0

    @cached_property
    def logs(self) -> MeanPair:
        """The means of the logarithms compared."""
        return MeanPair(self.group.log_mean, self.base.log_mean)

    @property
    def no_ratio(self) -> str:
        """Why the amounts have no ratio: some are negative, or all lie on a scale."""
        return negative((self.group.cells, self.base.cells), self.protocol) or self.group.scale

    @property
    def least(self) -> float:
        """The smallest amount of both."""
        return min(self.group.least, self.base.least)

    def about_quantile(self, share: float) -> list[Estimate]:
        """The rows of a quantile's comparison without numbers: of the median the gap, and the difference."""
        if share == 0.5:
            return [self.about(MEDIAN_GAP), self.about(MEDIAN, "difference")]
        return [self.about(QUANTILE, "difference", _term(share))]

    def quantiles(self, share: float) -> QuantilePair:
        """One quantile compared."""
        return QuantilePair(self.group.quantiles, self.base.quantiles, share)


# From comparisons to rows: the gap in per cent of the reference first, which carries the verdict with the difference.


def _none(row: Estimate, reason: str) -> Estimate:
    return row.blank(n=row.n, n_unweighted=row.n_unweighted, status="unestimable", reason=reason)


@dataclass(frozen=True)
class _Test:
    """What a row says of its test."""

    p_value: float = NAN
    method: str = ""
    df: float = NAN

    def row(self, row: Estimate, estimate: float, ends: tuple[float, float], level: float) -> Estimate:
        """With an estimate and its limits."""
        return row.with_interval(
            estimate, *ends, conf_level=level, p_value=self.p_value, method=self.method, df=self.df
        )


def negative(cells: Iterable[Scored], protocol: Protocol) -> str:
    """Why amounts have no ratio: how many are negative, where small groups are not withheld; "" where none is."""
    n = sum(float(one.people[one.values < 0].sum()) for one in cells)
    if n and protocol.min_n > 1:
        return NO_RATIO
    return "" if not n else ONE_NEGATIVE if n == 1 else NEGATIVE.format(n=int(n))


def _gap_row(row: Estimate, ratio: float, ends: tuple[float, float], level: float, test: _Test) -> Estimate:
    """One less a ratio, with its limits."""
    low, high = 1 - ends[1], 1 - ends[0]
    return test.row(row, 1 - ratio, (low, high), level) if np.isfinite(low) else _none(row, ENDLESS)


def _bounds(protocol: Protocol) -> tuple[float, float] | None:
    """The declared margin of a gap, as ratios."""
    margin = protocol.margin.gap
    return None if margin is None else (1 - margin, 1 + margin)


def _compared(
    p: float, rows: Callable[[float], Sequence[Estimate]], equal: Callable[[float, float], float], protocol: Protocol
) -> Comparison:
    bounds = _bounds(protocol)
    of_gap = NAN if bounds is None or p != p else equal(*bounds)
    return Comparison(p, rows, (of_gap, of_gap))  # the difference is the gap in the unit of the amounts


def _mean_rows(pair: MeanPair, gap: Estimate, difference: Estimate, no_ratio: str, level: float) -> list[Estimate]:
    """The gap of two means and their difference, of one test."""
    if pair.reason:
        return [_none(row, pair.reason) for row in (gap, difference)]
    se, df, _ = pair.error()
    test = _Test(pair.p_value, pair.method, NAN if pair.permuted is not None else df)
    moved = test.row(difference, pair.difference, pair.difference_limits(level), level).changed(std_error=se)
    if why := no_ratio or pair.no_ratio:
        return [_none(gap, why), moved]
    return [_gap_row(gap, pair.ratio, pair.ratio_limits(level), level, test), moved]


def mean_comparison(pair: AmountPair, protocol: Protocol) -> Comparison:
    about = pair.about(GAP), pair.about(MEAN, "difference")
    rows = partial(_mean_rows, pair.means, *about, pair.no_ratio)
    if pair.means.reason:
        return Comparison(NAN, rows, (NAN, NAN))
    equal = _nothing if pair.no_ratio else pair.means.p_equivalence
    found = _compared(pair.means.p_value, rows, equal, protocol)
    return _unclaimed(found, protocol) if pair.apart and pair.logs_fail else found


def _unclaimed(found: Comparison, protocol: Protocol, why: str = UNEQUAL_SPREAD) -> Comparison:
    """A comparison whose test may reject too often: without a verdict where that would be a claim."""
    if not any(p <= 1 - protocol.conf_level for p in (found.p_value, *found.equal) if p is not None):
        return found
    return Comparison(NAN, lambda level: [_unread(row) for row in found.rows(level)], (NAN, NAN), why)


def _nothing(low: float, high: float) -> float:
    return NAN


def _unread(row: Estimate) -> Estimate:
    """A row whose test decides nothing."""
    return row.changed(p_value=NAN)


def _geometric(pair: AmountPair, protocol: Protocol) -> Comparison:
    about = pair.about(GEOMETRIC, "ratio")

    def rows(level: float) -> list[Estimate]:
        result = pair.logs
        low, high = result.difference_limits(level)
        test = _Test(result.p_value, OF_LOGS.format(method=result.method), result.error()[1])
        return [test.row(about, float(np.exp(result.difference)), (float(np.exp(low)), float(np.exp(high))), level)]

    if not pair.least > 0 or pair.group.scale:
        why = NO_LOGS if pair.least <= 0 else pair.group.scale or EMPTY
        return Comparison(NAN, lambda level: [_none(about, why)])
    if pair.logs.reason:
        return Comparison(NAN, lambda level: [_none(about, pair.logs.reason)])
    bounds = _bounds(protocol)
    return Comparison(pair.logs.p_value, rows, () if bounds is None else (NAN,))


def quantile_comparison(share: float, pair: AmountPair, protocol: Protocol) -> Comparison:
    result, median, out = pair.quantiles(share), share == 0.5, pair.about_quantile(share)
    gap, difference = out[0], out[-1]
    why = result.reason or _beyond(share, pair.group, protocol) or _beyond(share, pair.base, protocol)
    few_there = "" if protocol.p_adjust == HOLM else TOO_FEW  # Holm's steps have no limits, whatever the size
    method = message("order statistics, limits combined (MOVER)")
    if pair.group.sampled or pair.group.cells.clusters is not None:
        method = message("Woodruff's limits combined (MOVER)")

    def rows(level: float) -> list[Estimate]:
        if why:
            return [_none(row, why) for row in out]
        test, ends = _Test(result.p_value, method), _finite(result.difference_limits(level))
        reason = few_there
        if withheld := _of_few(share, level, (pair.group, pair.base), protocol):
            ends, reason = (NAN, NAN), withheld
        moved = test.row(difference, result.difference, ends, level)
        if few := np.isnan(ends).any():  # of a family, whose level is higher
            moved = replace(moved, reason=reason)
        if not median:
            return [moved]
        if not pair.no_ratio and result.both[0] == 0 < result.both[1]:
            return [replace(test.row(gap, 1.0, (NAN, NAN), level), reason=ALL_LESS), moved]
        if pair.no_ratio or not result.ratio > 0:
            return [_none(gap, pair.no_ratio or NOT_ABOVE_0), moved]
        if few:
            return [replace(test.row(gap, 1 - result.ratio, (NAN, NAN), level), reason=reason), moved]
        return [_gap_row(gap, result.ratio, result.ratio_limits(level), level, test), moved]

    if why:
        return Comparison(NAN, rows, (NAN,) * (1 + median))
    if not median:
        return Comparison(result.p_value, rows)
    return _compared(result.p_value, rows, _nothing if pair.no_ratio else result.p_equivalence, protocol)


def _term(share: float) -> str:
    return TERM.format(percent=round(100 * share, 10))


def _beyond(share: float, group: Group, protocol: Protocol) -> str:
    """Why a quantile is withheld: it is the amount of one of few people, where small groups are withheld."""
    fewest = protocol.min_n / 2
    few = protocol.min_n > 1 and group.cells.people.sum() * min(share, 1 - share) < fewest
    return TOO_EXTREME.format(n=significant(fewest, 3)) if few else ""


def _of_few(share: float, level: float, groups: Iterable[Group], protocol: Protocol) -> str:
    """Why the limits of a quantile are withheld: they are the amounts of single people, as quantiles far out are."""
    fewest = protocol.min_n / 2
    if protocol.min_n <= 1 or all(g.quantiles.beyond(g.quantiles.limits(share, level)) >= fewest for g in groups):
        return ""
    return ENDS_OF_FEW.format(n=significant(fewest, 3))


# The rows of one attribute.


def amount_rows(current: Weighed, reference: str, protocol: Protocol) -> list[Rows]:
    """Everything about the amounts of one attribute's groups, each beside the reference.

    current: the people, as they may be reported.
    reference: the group that the others are compared with.
    protocol: level, margin, quantiles, kind of weights.
    Returns: means with the gap in per cent of the reference's, geometric means, medians and other quantiles, P(X>Y),
        shares in the quarters of everybody's amounts; all but the last with verdicts, and within strata P(X>Y), the
        shift and the gap of means.
    """
    groups = amount_groups(current.joined, current.levels, protocol)
    rows: list[Rows] = [Estimates(row for group in groups.values() for row in _alone(group, current, protocol))]
    pairs = [_pair(label, reference, groups, current, protocol) for label in groups if label != reference]
    rows += [
        *_compared_groups(pairs, current, reference, protocol),
        _quarter_rows(groups, reference, current, protocol),
    ]
    if current.joined.strata is not None:
        rows.append(_by_stratum(groups, reference, current, protocol))
    if pair := focus_apart(protocol, current.levels.name, reference):
        apart = [_pair(pair[0], pair[1], groups, current, protocol)]
        rows += as_focus(_compared_groups(apart, current, pair[1], protocol))
    return rows


def _pair(label: str, reference: str, groups: dict[str, Group], current: Weighed, protocol: Protocol) -> AmountPair:
    return AmountPair(current.levels.name, groups[label], groups[reference], protocol)


def _compared_groups(pairs: Sequence[AmountPair], current: Weighed, reference: str, protocol: Protocol) -> list[Rows]:
    family = protocol.multiplicity
    rows: list[Rows] = []
    if pairs:
        rows = [
            Undecided([mean_comparison(pair, protocol) for pair in pairs], family, pairs[0].about(GAP)),
            Undecided([_geometric(pair, protocol) for pair in pairs], family, pairs[0].about(GEOMETRIC, "ratio")),
        ]
    for share in _shares(protocol) if pairs else ():
        about = pairs[0].about_quantile(share)[0]
        rows.append(Undecided([quantile_comparison(share, pair, protocol) for pair in pairs], family, about))
    labels = [pair.group.label for pair in pairs]
    as_scores = _as_scores(current.joined)
    _, scored = score_groups(as_scores, current.levels, reference, protocol)
    ours = [one for one in scored if one.group.label in labels]
    rows.append(_renamed(effect_rows(_one_by_one(ours), protocol)))
    if current.joined.strata is not None:
        within = score_strata_rows(as_scores, current.levels, reference, protocol, labels)
        rows += map(_renamed, within[:1] if current.levels.columns else within)  # second looks are of single attributes
        about = Estimate(GAP_WITHIN, current.levels.name, given=protocol.strata)
        inside = [_within(pair, current, protocol) for pair in pairs]
        rows.append(Undecided(inside, family, about))
    return rows


def _one_by_one(pairs: Iterable[ScorePair]) -> Iterator[ScorePair]:
    """Each pair, whose samples are let go when the next one is asked for."""
    for pair in pairs:
        yield pair
        pair.let_go()


def _as_scores(tally: CodedTally) -> CodedTally:
    """The amounts in the place of the scores, whose rank statistics they have."""
    grids = {"score": tally.grids.get("amount", EXACT)}
    return replace(tally, numbers={"score": tally.numbers["amount"]}, grids=grids, outcome=None)


def _renamed(rows: Undecided) -> Undecided:
    def named(row: Estimate) -> Estimate:
        return replace(row, metric=OF_SCORES[row.metric])

    def by_level(of: Comparison, level: float) -> list[Estimate]:
        return [named(row) for row in of.rows(level)]

    comparisons = [replace(one, rows=partial(by_level, one)) for one in rows.comparisons]
    return replace(rows, comparisons=comparisons, about=None if rows.about is None else named(rows.about))


def _alone(group: Group, current: Weighed, protocol: Protocol) -> Iterable[Estimate]:
    """The numbers of one group by itself."""
    level, n = protocol.conf_level, group.cells.total

    def about(metric: str, term: str = "") -> Estimate:
        return group.counted(Estimate(metric, current.levels.name, group.label, term=term), protocol)

    yield _mean_row(about(MEAN), group.mean, level)
    row = about(GEOMETRIC)
    if group.least > 0:
        logs = group.log_mean
        low, high = (float(np.exp(end)) for end in logs.limits(level))
        row = row.with_interval(float(np.exp(logs.mean)), low, high, level, reason=logs.reason)
        yield row if np.isnan(low) else replace(row, df=logs.df, method=OF_LOGS.format(method=logs.method))
    else:
        yield _none(row, NO_LOGS if n else EMPTY)
    for share in _shares(protocol):
        row = about(MEDIAN) if share == 0.5 else about(QUANTILE, _term(share))
        if why := EMPTY if not n else _beyond(share, group, protocol):
            yield _none(row, why)
            continue
        withheld = _of_few(share, level, [group], protocol)
        ends = (NAN, NAN) if withheld else _finite(group.quantiles.limits(share, level))
        row = row.with_interval(group.quantiles.at(share), *ends, level)
        if np.isnan(ends[0]):
            yield replace(row, reason=withheld or group.quantiles.lacking(share))
        else:
            yield replace(row, df=group.quantiles.df(share), method=group.quantiles.method)
    yield from _missing(group, current, protocol)


def _shares(protocol: Protocol) -> tuple[float, ...]:
    """The quantiles that are compared: those of the protocol, and the median."""
    return tuple(dict.fromkeys((*protocol.quantiles, 0.5)))


def _finite(ends: tuple[float, float]) -> tuple[float, float]:
    """Both limits, or neither where the sample is too small for one."""
    return ends if np.isfinite(ends).all() else (NAN, NAN)


def _mean_row(row: Estimate, mean: Mean, level: float) -> Estimate:
    if mean.reason and not np.isfinite(mean.mean):
        return _none(row, mean.reason)
    row = row.with_interval(mean.mean, *mean.limits(level), level, reason=mean.reason)
    return replace(row, std_error=mean.std_error, df=mean.df, method=mean.method) if mean.variance > 0 else row


def _missing(group: Group, current: Weighed, protocol: Protocol) -> Iterable[Estimate]:
    """How many of a group lack the amount, of those whose decision comes with one, where somebody lacks it."""
    tally, levels = current.joined, current.levels
    due = ~tally.without("amount")[1]
    absent = np.isnan(tally.numbers["amount"])
    if not absent[due].any():
        return
    mine = due & (levels.codes == levels.labels.index(group.label))
    people = tally.people(protocol.weight_type)
    n, events = float(people[mine].sum()), float(people[mine & absent].sum())
    row = Estimate(ABSENT, levels.name, group.label, n=n, events=events)
    if not n:
        yield _none(row, EMPTY)
        return
    low, high = wilson(events, n, protocol.conf_level)
    yield row.with_interval(events / n, float(low), float(high), protocol.conf_level, role="supplementary")


def _quarter_rows(groups: dict[str, Group], reference: str, current: Weighed, protocol: Protocol) -> Estimates:
    """The share of each group in each quarter of everybody's amounts, and its difference from the reference's."""
    whole = _cells(current.joined, protocol)
    whole = whole.take(~np.isnan(whole.values))
    if not whole.values.size:
        return Estimates()
    quarters, rows, level = Quarters.of(Quantiles(whole)), [], protocol.conf_level
    design = bool(protocol.clusters) or protocol.weight_type == "probability"
    n = {label: group.cells.total for label, group in groups.items()}
    inside = {label: quarters.events(group.quantiles) for label, group in groups.items()}
    for quarter in range(PARTS):
        events = {label: of[quarter] for label, of in inside.items()}
        means = (
            {label: mean_of(quarters.cells(group.cells, quarter), group.sampled) for label, group in groups.items()}
            if design
            else {}
        )
        for label in groups:
            row = Estimate(
                QUARTER, current.levels.name, label, term=str(quarter + 1), events=events[label], role="supplementary"
            )
            row = groups[label].counted(row, protocol)
            if not n[label]:
                rows.append(_none(row, EMPTY))
                continue
            if design:
                rows.append(_share_row(row, means[label], level))
                continue
            low, high = wilson(events[label], n[label], level)
            rows.append(row.with_interval(events[label] / n[label], float(low), float(high), level, method=WILSON))
        for label in groups:
            if label == reference:
                continue
            row = Estimate(
                QUARTER, current.levels.name, label, "difference", reference, str(quarter + 1), role="supplementary"
            )
            row = groups[label].counted(row, protocol)
            if not (n[label] and n[reference]):
                rows.append(_none(row, EMPTY))
                continue
            if design:
                pair = MeanPair(means[label], means[reference])
                if pair.reason:
                    rows.append(_none(row, pair.reason))
                    continue
                ends, test = pair.difference_limits(level), _Test(pair.p_value, pair.method, pair.error()[1])
            else:
                four = events[label], n[label], events[reference], n[reference]
                low, high = miettinen_nurminen(*four, level)
                ends, test = (float(low), float(high)), _Test(float(z_test(*four)[1]), SCORE_LIMITS)
            gap = events[label] / n[label] - events[reference] / n[reference]
            rows.append(test.row(row, gap, ends, level))
    return Estimates(rows)


def _share_row(row: Estimate, mean: Mean, level: float) -> Estimate:
    """The mean of 0 and 1 with the limits of a rate, which do not leave 0 to 1."""
    if not mean.variance > 0:
        found = _mean_row(row, mean, level)
        return replace(found, reason=ALL_OR_NONE) if found.reason == SAME_AMOUNT else found
    p = mean.mean
    size = p * (1 - p) / mean.variance
    if mean.moved is not None and size * min(p, 1 - p) < FEW:
        ends, method = korn_graubard(p, size, mean.n, mean.df, level), KORN_GRAUBARD
    else:
        as_if = student_size(size, mean.df, level)
        low, high = wilson(p * as_if, as_if, level)
        ends, method = (float(low), float(high)), EFFECTIVE
    return replace(row.with_interval(p, *ends, level, method=method), std_error=mean.std_error, df=mean.df)


def _by_stratum(groups: dict[str, Group], reference: str, current: Weighed, protocol: Protocol) -> Estimates:
    """The mean of each group in each stratum, and its gap: described, without a verdict.

    Where small groups are withheld, a stratum in which one is small is withheld, and with it further ones
    (see `small_strata`). None is given of intersections then.
    """
    tally, levels = current.joined, current.levels
    assert tally.strata is not None
    if protocol.min_n > 1 and levels.columns:
        return Estimates()
    hidden, level = _withheld_strata(reference, current, protocol), protocol.conf_level
    rows = []
    for h in _listed_strata(tally):
        means = {label: group.mean_in(h) for label, group in groups.items()}
        for label, mean in means.items():
            n = float(groups[label].sums.total[h])
            about = Estimate(
                MEAN, levels.name, label, term=tally.strata.labels[h], n=n, role="supplementary",
                given=protocol.strata,
            )  # fmt: skip
            about = with_rows(about, groups[label].sums.people[h], protocol)
            compared = replace(about, metric=GAP, reference=reference)
            if h in hidden.hidden:
                why = message(
                    "fewer than {n} people, one amount that dominates, or beside such a stratum", n=protocol.min_n
                )
                rows += [
                    row.blank(status="suppressed", reason=why) for row in (about, compared)[: 1 + (label != reference)]
                ]
                continue
            rows.append(_mean_row(about, mean, level))
            if label != reference:
                if groups[label].scale:
                    rows.append(_none(compared, groups[label].scale))
                    continue
                negative_there = any(groups[one].negative_in(h) for one in (label, reference))
                pair = MeanPair(mean, means[reference])
                rows.append(described_gap(pair, compared, level, negative=negative_there))
    return Estimates(rows)


def _listed_strata(tally: CodedTally) -> list[int]:
    """The strata that are described one by one."""
    assert tally.strata is not None
    present = ~np.isnan(tally.numbers["amount"]) & tally.strata_present
    return np.flatnonzero(np.bincount(tally.strata.codes, present)).tolist()[:MOST_STRATA]


def _withheld_strata(reference: str, current: Weighed, protocol: Protocol) -> WithheldStrata:
    """Which strata are withheld.

    Of several attributes all strata are: the sums of a stratum by one attribute are those by another.
    """
    tally, levels = current.joined, current.levels
    if protocol.min_n <= 1 or tally.strata is None:
        return WithheldStrata()
    whole, codes, strata = _cells(tally, protocol), tally.strata.codes, _listed_strata(tally)
    places = np.where(tally.strata_present & np.isin(codes, strata), codes, UNLISTED)
    cells = {
        (h, label): rows[places[rows] == h]
        for label, rows in tally.known("amount", levels).items()
        for h in (*strata, UNLISTED)
    }
    people = tally.people(protocol.weight_type)
    several = len(protocol.groups) > 1 or bool(levels.columns)
    return small_strata(cells, [whole.values], people, whole.weight, protocol.min_n, reference, none_shown=several)


MOST_STRATA = 100  # that are described one by one


def described_gap(pair: MeanPair, row: Estimate, level: float, *, negative: bool) -> Estimate:
    """The observed gap in a stratum, with limits where there is an error to make them of."""
    if negative or not (np.isfinite(pair.x.mean) and pair.y.mean > 0):
        return _none(row, NO_RATIO if negative else ALL_0 if pair.y.mean == 0 else EMPTY)
    plain = replace(row, estimate=1 - pair.ratio)
    if pair.reason or pair.no_ratio:
        return replace(plain, reason=pair.reason or pair.no_ratio)
    low, high = pair.ratio_limits(level)
    if not np.isfinite(high):
        return replace(plain, reason=ENDLESS)
    return row.with_interval(1 - pair.ratio, 1 - high, 1 - low, level)


@dataclass(frozen=True)
class WithheldStrata:
    """The strata whose numbers are withheld, by the first reason that holds; the others protect these."""

    hidden: frozenset[int] = frozenset()
    few: frozenset[int] = frozenset()
    dominated: frozenset[int] = frozenset()
    average: bool = False  # whether a gap within strata would still give a withheld number away


WITHIN_TELLS = message("it would tell the amounts of few people in a stratum")
GUESSED = 0.5  # of a sum; within this part of it whoever attacks may guess it
UNLISTED = -1  # people in no stratum that is shown: their number is what the strata leave of the total


def small_strata(
    cells: dict[tuple[int, str], NDArray[np.intp]],
    amounts: Sequence[Floats],
    people: Floats,
    weight: Floats,
    min_n: int,
    reference: str,
    *,
    none_shown: bool = False,
    strata_first: bool = False,
) -> WithheldStrata:
    """Withhold strata until no sum of a small or dominated cell follows from what is shown of its group.

    Of a group the total, the other strata and its averages within strata are shown: linear equations of its withheld
    sums, of which whoever knows how many people each has could solve for one, or nearly so. The withheld cells of a
    group with a small one also hold `min_n` people or more, of whom none dominates.

    cells: (stratum, group) → its rows; stratum `UNLISTED` is never shown.
    amounts: what sums are shown of.
    none_shown: whether all strata are withheld; strata_first: whether rather the averages within strata are than one.
    """
    if min_n <= 1:
        return WithheldStrata()
    strata, labels = list(dict.fromkeys(h for h, _ in cells)), list(dict.fromkeys(label for _, label in cells))

    def whole(h: Iterable[int], label: str) -> NDArray[np.intp]:
        return np.concatenate([cells[i, label] for i in h])

    def dominates(rows: NDArray[np.intp]) -> bool:
        return bool(rows.size) and any(dominated(values[rows], people[rows]) for values in amounts)

    n = {key: float(people[rows].sum()) for key, rows in cells.items()}
    few = {key for key in cells if 0 < n[key] < min_n}
    small = few | {key for key in cells if n[key] and dominates(cells[key])}
    order = sorted(strata, key=lambda h: sum(n[h, label] for label in labels))
    sizes = [weight * np.abs(values) for values in amounts]

    def lays_bare(label: str, hidden: set[int], *, average: bool = True) -> bool:
        mine = [h for h in strata if h in hidden and n[h, label]]
        secret = [i for i, h in enumerate(mine) if (h, label) in small]
        if not secret:
            return False
        rows = whole(mine, label)
        if people[rows].sum() < min_n or dominates(rows):
            return True
        others = [reference] if label != reference else [one for one in labels if one != label]
        inside = np.array([weight[cells[h, label]].sum() for h in mine])
        equations = [np.ones(len(mine))]
        for other in others if average else ():
            beside = np.array([0.0 if h == UNLISTED else weight[cells[h, other]].sum() for h in mine])
            equations.append(beside / (inside + beside))
        return any(
            _bounded(np.array(equations), [values[cells[h, label]].sum() for h in mine], secret) for values in sizes
        )

    def withheld(*, average: bool) -> set[int]:
        hidden = set(strata) if none_shown else {h for h, _ in small}
        while hidden:
            hidden |= {UNLISTED} & set(strata)
            bare = [label for label in labels if lays_bare(label, hidden, average=average)]
            more = (next((h for h in order if h not in hidden and n[h, label]), None) for label in bare)
            found = next((h for h in more if h is not None), None)
            if found is None:
                break
            hidden.add(found)
        return hidden

    hidden = withheld(average=not strata_first)
    if not none_shown and not {h for h in strata if h != UNLISTED} - hidden:  # rather the average than all strata
        hidden = withheld(average=False)
    return WithheldStrata(
        frozenset(hidden),
        frozenset(h for h, _ in few),
        frozenset(h for h, _ in small - few),
        any(lays_bare(label, hidden) for label in labels),
    )


def _bounded(equations: Floats, sums: Sequence[float], secret: Sequence[int]) -> bool:
    """Whether equations tell a secret sum of some nearly, to whoever knows each within a part of itself.

    Of all changes of the sums, as parts of themselves, that the equations allow and that move a secret one by `NEAR`,
    the one with the least square is looked for.

    >>> _bounded(np.array([[1.0, 1, 1], [0.9, 0.5, 0.5]]), [1, 4, 9], [0]), _bounded(np.ones((1, 3)), [1, 4, 9], [0])
    (True, False)
    """
    scale = np.maximum(sums, 1e-6 * max(sums)) if max(sums) > 0 else np.ones(len(sums))
    basis = np.linalg.svd(equations * scale, full_matrices=False)
    space = basis.Vh[1e-9 * basis.S[0] < basis.S]
    return bool(np.any((space[:, secret] ** 2).sum(axis=0) > 1 - (NEAR / GUESSED) ** 2))


def _within(of: AmountPair, current: Weighed, protocol: Protocol) -> Comparison:
    """The gap of means within strata.

    The weight of a stratum is n m / (n + m), as for risk differences: that of Mantel and Haenszel.
    """
    tally, levels, sides = current.joined, current.levels, (of.group, of.base)
    assert tally.strata is not None
    n, m = (side.sums.total for side in sides)
    known = ~np.array([holds_missing(label) for label in tally.strata.labels])
    both = (n > 0) & (m > 0) & known
    counted = float(n[both].sum() + m[both].sum())
    about = [
        Estimate(metric, levels.name, of.group.label, contrast, of.base.label, n=counted, given=protocol.strata)
        for metric, contrast in ((GAP_WITHIN, "none"), (DIFFERENCE_WITHIN, "difference"))
    ]
    if not both.any():
        return Comparison(NAN, lambda level: [_none(row, NO_OVERLAP) for row in about], (NAN, NAN))
    cells, codes = [side.cells for side in sides], [side.strata for side in sides]
    if not both.all():
        kept = [np.flatnonzero(both[code]) for code in codes]
        cells = [side.take(rows) for side, rows in zip(cells, kept, strict=True)]
        codes = [code[rows] for code, rows in zip(codes, kept, strict=True)]
    fewest = min(float(side.people.sum()) for side in cells)
    why = message("fewer than {n} people", n=protocol.min_n) if fewest < protocol.min_n else ""
    if not why and _withheld_strata(of.base.label, current, protocol).average:
        why = WITHIN_TELLS
    if why:
        return Comparison(NAN, lambda level: [row.blank(status="suppressed", reason=why) for row in about], (NAN, NAN))
    weight = np.divide(n * m, n + m, out=np.zeros(n.size), where=both)
    weight /= weight.sum()
    if tally.sampling is not None:
        one, other = surveyed_within(cells, (codes[0], codes[1]), tally.sampling)
    elif tally.clusters is None:
        one, other = (side.sums.at(np.flatnonzero(both)).averaged(weight[both]) for side in sides)
    else:
        one, other = (mean_of(*each, weight) for each in zip(cells, (of.group.sampled,) * 2, codes, strict=True))
    pair = MeanPair(one, other)
    no_ratio = negative(cells, protocol) or of.group.scale
    rows = partial(_mean_rows, pair, about[0], about[1], no_ratio)
    if pair.reason:
        return Comparison(NAN, rows, (NAN, NAN))
    found = _compared(pair.p_value, rows, _nothing if no_ratio else pair.p_equivalence, protocol)
    return _unclaimed(found, protocol) if too_few_for_means(cells[0], cells[1], (codes[0], codes[1])) else found
