"""The gap of people who are alike in declared covariates, in an audit of amounts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri, fdtr, fdtrc

from fairstats.auditing.amounts import _compared, _mean_rows, _nothing, _unclaimed, negative, on_scale
from fairstats.auditing.covariates import Covariates, independent
from fairstats.auditing.designs import UNIT
from fairstats.auditing.input import Observations, audited, label_columns, observe
from fairstats.auditing.protocol import Protocol, Resolved
from fairstats.auditing.rates import as_focus, focus_apart
from fairstats.auditing.scores import with_rows
from fairstats.auditing.suppression import View
from fairstats.auditing.tally import MISSING_COVARIATE, Tally
from fairstats.data.engines import source_of
from fairstats.data.tables import Columns, Factor
from fairstats.errors import InputError, Setting, named
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.amounts.means import (
    EMPTY,
    NEARLY,
    NEEDED,
    POWER,
    SPREAD_DIFFERS,
    SampleSpread,
    too_few_for_means,
)
from fairstats.inference.parts.adjusted import ONE_COEFFICIENT, Adjusted, AdjustedPair, adjusted_gaps, one_sided
from fairstats.inference.parts.surveyed import surveyed_gap
from fairstats.inference.parts.units import limits
from fairstats.inference.rates.sampling import Sampling
from fairstats.inference.scores.survey import Scored
from fairstats.inference.verdicts import Comparison, Rows, Undecided
from fairstats.language import DataText, enumerated, joined, message
from fairstats.provenance import ANALYZED, Attribute, DataSource, FlowStep, take_in
from fairstats.text import compact

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

ADJUSTED_GAP, ADJUSTED, PLAIN = "adjusted gap of means", "adjusted gap", "group coefficient"
ONE_GROUP = message("only one group has {list}")
IN_SOME_LEVELS = message("only one group has some levels of {list}")
APART = message("the groups have no range of {list} in common")
FEW_ALIKE = message("few people of the two groups have the same {list}: the gap rests on the form of the regression")
NO_ALIKE = message("no verdict: too few people of the two groups have the same {list}")
COMMON, HARDLY = 0.5, 0.2  # of a group in the usual range of the other: a caution below, below the other no verdict
USUAL = (1.0, 99.0)  # percentiles
IS_GROUP = message("what is adjusted for is the group, or a part of it: {name}")
FEW = message("fewer than {n} people")
FEW_LACK = message("fewer than {n} people of a group lack a covariate, and their mean would follow")
FEW_IN_LEVEL = message("fewer than {n} people of a group in a level of {name}")
TOO_FEW = message("no verdict: too few people for a test of adjusted means that holds for amounts so unequal")
LEFT_OUT = message("left out of the adjusted gaps")
SURE = 0.9  # of the upper limit of a spread
MOST_REPEATED = 1 << 24  # people that frequencies may count, each of whom is a row of a regression

Rowed = tuple[Columns, Observations]


def with_covariates(data: object, declared: Protocol) -> tuple[Tally, DataSource, Rowed]:
    """Count people and keep their rows, which a regression needs.

    Raises InputError: if there are no rows of people in memory.
    """
    if isinstance(data, Tally) or source_of(data, lambda names: ()) is not None:
        what = "a tally, which has no covariates" if isinstance(data, Tally) else "counted where it is, in parts"
        raise InputError(
            "adjust_for",
            f"has {declared.adjust_for!r}, and {named('data')} is {what}; a regression needs a row a person: pass one "
            f"table in memory, or compare people of the same level by {Setting('strata')}.",
        )
    columns, source = take_in(data, label_columns(declared))
    seen = observe(columns, declared)
    return Tally.of(seen), replace(source, repeated=columns.repeated_rows()), (columns, seen)


@dataclass(frozen=True, eq=False)
class Alike:
    """People whose amounts and covariates are known, a row each.

    names: of the columns that are adjusted for.
    factors: those that have levels, numbers of two values included; numbers: the others.
    attributes: who is in which group, by the attribute's name.
    missing: how many people lack a covariate; lost: by attribute and group.
    """

    names: tuple[str, ...]
    factors: Mapping[str, Factor]
    numbers: Mapping[str, Floats]
    X: Floats
    amounts: Floats
    attributes: Mapping[str, Attribute]
    weights: Floats | None
    clusters: NDArray[np.intp] | None  # under a survey's design its units
    missing: float
    lost: Mapping[str, Mapping[str, float]]
    sampling: Sampling | None = None

    @staticmethod
    def of(rows: Rowed, protocol: Resolved, sampling: Sampling | None = None) -> Alike:
        """Read the covariates of people, and under a survey's design their units.

        Raises InputError: if a covariate cannot be used, or is the amount itself.
        """
        columns, seen = rows
        amount, formula = protocol.argument("amount"), protocol.adjust_for
        parts = {name: seen.factors[name] for group in protocol.groups for name in protocol.columns_of(group)}
        count = np.ones(columns.n) if seen.weights is None else seen.weights
        keep = ~np.isnan(seen.numbers[amount]) & (count > 0)
        if protocol.missing == "drop":
            keep &= np.all([part.codes >= 0 for part in parts.values()], axis=0)
        known = Covariates.of(formula, columns, keep, "adjust_for")
        names = tuple(sorted(known.formula.variables, key=formula.find))
        if amount in names:
            raise InputError("adjust_for", f"has {amount!r}, which is {named('amount')}, too; leave it out.")
        missing = float(count[keep & ~known.keep].sum())
        chosen, again = np.flatnonzero(known.keep), np.arange(int(known.keep.sum()))
        lost: dict[str, dict[str, float]] = {}
        if missing:
            everybody = np.flatnonzero(keep)
            all_parts = {name: part.take(everybody).with_missing_level() for name, part in parts.items()}
            for one in audited(all_parts, protocol, np.ones(len(everybody))):
                without = np.where(known.keep, 0.0, count)[everybody]
                lost[one.name] = dict(zip(one.labels, np.bincount(one.codes, without).tolist(), strict=True))
        weights = None if seen.weights is None else seen.weights[chosen]
        if weights is not None and protocol.weight_type == "frequency":
            if weights.sum() > MOST_REPEATED:
                raise InputError(
                    "adjust_for",
                    f"needs a row a person, and the weights count {weights.sum():,.0f} people; pass at most "
                    f"{MOST_REPEATED:,}.",
                )
            again, weights = np.repeat(again, weights.astype(np.intp)), None
            chosen = chosen[again]
        some = {name: part.take(chosen).with_missing_level() for name, part in parts.items()}
        attributes = audited(some, protocol, np.ones(len(chosen)))
        factors = {name: factor.take(again) for name, factor in known.factors.items()}
        numbers = {}
        for name in names:
            if name not in factors:
                values = known.table.numeric(name, "adjust_for")[again]
                two = np.unique(values[::1])
                if len(two) == 2:
                    factors[name] = Factor((values == two[1]).astype(np.intp), tuple(map(compact, two)), (True, True))
                else:
                    numbers[name] = values
        clusters = None
        if protocol.clusters:
            clusters = np.unique(seen.factors[protocol.clusters].codes[chosen], return_inverse=True)[1].ravel()
        if sampling is not None:
            clusters = seen.factors[UNIT].codes[chosen]
        by_name = {levels.name: levels for levels in attributes}
        X, amounts = known.X[again], seen.numbers[amount][chosen]
        return Alike(names, factors, numbers, X, amounts, by_name, weights, clusters, missing, lost, sampling)

    def cells(self, rows: Mask) -> Scored:
        """The amounts of some."""
        w = np.ones(int(rows.sum())) if self.weights is None else self.weights[rows]
        return Scored(self.amounts[rows], w, w * w, np.ones(len(w)))

    def flow(self, steps: Sequence[FlowStep]) -> tuple[FlowStep, ...]:
        """The flow of counts with the people who lack a covariate."""
        if not self.missing:
            return tuple(steps)
        at = next(i for i, step in enumerate(steps) if step.label in ANALYZED)
        step = FlowStep(MISSING_COVARIATE.format(name=DataText(", ".join(self.names))), int(self.missing), LEFT_OUT)
        return (*steps[:at], step, *steps[at:])


def adjusted_rows(alike: Alike, view: View, reference: str, protocol: Protocol) -> list[Rows]:
    """The adjusted gap of each group of an attribute, in per cent and as a difference; the plain coefficient beside.

    view: which groups may be reported.
    """
    rows = _compared_groups(alike, view, view.levels.labels, reference, protocol)
    if pair := focus_apart(protocol, view.levels.name, reference):
        rows += as_focus(_compared_groups(alike, view, pair[:1], pair[1], protocol))
    return rows


def _compared_groups(alike: Alike, view: View, labels: Sequence[str], reference: str, protocol: Protocol) -> list[Rows]:
    pairs = [_Pair.of(alike, view, label, reference, protocol) for label in labels if label != reference]
    coefficients = Estimates(pair.coefficient() for pair in pairs)
    return [Undecided([pair.comparison() for pair in pairs], protocol.multiplicity), coefficients] if pairs else []


@dataclass(frozen=True, eq=False)
class _Pair:
    """A group and its reference, adjusted."""

    about: Estimate  # without metric and contrast
    adjusted: Adjusted | None
    no_ratio: str  # why the amounts have none
    protocol: Protocol
    reason: str = ""  # why there are no numbers, or a caution
    status: str = "unestimable"
    sides: Sequence[Scored] = ()
    unlike: Sequence[str] = ()  # numbers in which hardly anybody of a group is like the other

    @staticmethod
    def of(alike: Alike, view: View, label: str, reference: str, protocol: Protocol) -> _Pair:
        name, levels = view.levels.name, alike.attributes[view.levels.name]
        about = Estimate("", name, label, "none", reference, given=protocol.alike)
        hidden = view.hidden.get("amount", frozenset())
        nothing = _Pair(about, None, "", protocol)
        shared = [part for part in protocol.columns_of(name) if part in alike.names]
        if shared:
            return replace(nothing, reason=IS_GROUP.format(name=DataText(shared[0])))
        place = {one: i for i, one in enumerate(levels.labels) if one in view.levels.labels and one not in hidden}
        if label not in place or reference not in place:
            return replace(nothing, reason=EMPTY)
        member, base = (levels.codes == place[one] for one in (label, reference))
        pair = member | base
        n = float(pair.sum() if alike.weights is None else alike.weights[pair].sum())
        few_missing = 0 < alike.missing < protocol.min_n  # whose number would follow
        about = with_rows(replace(about, n=NAN if few_missing else n), pair.sum(), protocol)
        nothing = replace(nothing, about=about)
        if protocol.min_n > 1 and (why := _few(alike, member, base, protocol.min_n)):
            return replace(nothing, reason=why, status="suppressed")
        shown = np.isin(levels.codes, list(place.values()))
        whole = np.flatnonzero(shown & _comparable(alike.factors, pair, shown))
        columns = slice(None) if len(whole) == len(pair) else independent(alike.X[whole])
        codes = np.where(member, 1, np.where(base, 0, 2))[whole]
        weights = None if alike.weights is None else alike.weights[whole]
        clusters = None if alike.clusters is None else alike.clusters[whole]
        X, y = alike.X[whole][:, columns], alike.amounts
        if alike.sampling is None:
            found = adjusted_gaps(y[whole], X, codes, 0, weights, clusters, groups=(1,), seed=protocol.seed)[1]
        else:
            assert weights is not None and clusters is not None
            found = surveyed_gap(y[whole], X, (codes == 1, codes == 0), weights, clusters, alike.sampling)
        lost = [alike.lost.get(name, {}).get(one, 0) for one in (label, reference)]
        if protocol.min_n > 1 and _follows(alike, found, (member, base), lost, protocol.min_n):
            why = FEW_LACK.format(n=protocol.min_n)
            return replace(nothing, reason=why, status="suppressed")
        if separate := no_common_range(alike.numbers, member, base):  # nobody of one is like anybody of the other
            return replace(nothing, reason=APART.format(list=enumerated(map(DataText, separate))))
        inside = common_shares(alike.numbers, member, base)
        unlike = [name for name, share in inside.items() if share < HARDLY]
        few = [DataText(name) for name, share in inside.items() if HARDLY <= share < COMMON]
        caution = [FEW_ALIKE.format(list=enumerated(few))] if few else []
        reason = joined([found.reason, *_overlap(alike, member, base, protocol.min_n), *caution])
        if not np.isfinite(found.estimate):
            return replace(nothing, reason=reason)
        sides = [alike.cells(side) for side in (member, base)]
        no_ratio = negative(sides, protocol) or on_scale(alike.amounts, protocol)
        return _Pair(about, found, no_ratio, protocol, reason, sides=sides, unlike=unlike)

    def comparison(self) -> Comparison:
        """The gap in per cent and the difference, of one test."""
        gap = replace(self.about, metric=ADJUSTED_GAP)
        difference = replace(self.about, metric=ADJUSTED, contrast="difference")
        if self.adjusted is None:
            return Comparison(NAN, lambda level: [self._nothing(row) for row in (gap, difference)], (NAN, NAN))
        pair = AdjustedPair.of(self.adjusted)

        def rows(level: float) -> list[Estimate]:
            found = _mean_rows(pair, gap, difference, self.no_ratio, level)
            if pair.adjusted.linearized == pair.adjusted.linearized:
                found[1] = found[1].changed(std_error=pair.adjusted.linearized)
            return [row.changed(reason=joined([row.reason, self.reason])) for row in found]

        if pair.reason:
            return Comparison(NAN, rows, (NAN, NAN))
        equal = _nothing if self.no_ratio else pair.p_equivalence
        found = _compared(pair.p_value, rows, equal, self.protocol)
        if self.unlike:
            return _unclaimed(found, self.protocol, NO_ALIKE.format(list=enumerated(map(DataText, self.unlike))))
        one, other = self.sides
        fails = too_few(one, other) if pair.permuted is None else too_few_for_means(one, other)
        return _unclaimed(found, self.protocol, TOO_FEW) if fails else found

    def _nothing(self, row: Estimate) -> Estimate:
        return row.blank(n=row.n, n_unweighted=row.n_unweighted, status=self.status, reason=self.reason)

    def coefficient(self) -> Estimate:
        """The coefficient of the group in one regression."""
        row, one = replace(self.about, metric=PLAIN, contrast="difference", role="sensitivity"), self.adjusted
        if one is None:
            return self._nothing(row)
        level = self.protocol.conf_level
        low, high = (float(end) for end in limits(one.plain, one.plain_error, one.plain_df, level))
        method = ONE_COEFFICIENT.format(text=one.errors)
        return row.with_interval(one.plain, low, high, level, std_error=one.plain_error, df=one.plain_df, method=method)


def too_few(*sides: Scored) -> bool:
    """Whether the smaller of two groups has too few people for a verdict on adjusted means without permutations.

    >>> one, spread = np.ones(12), np.linspace(-1.5, 1.5, 12)
    >>> [too_few(*[Scored(np.exp(s * spread), one, one, one)] * 2) for s in (0.2, 1.0)]
    [False, True]
    """
    logs = min(side.values.min() for side in sides) > 0
    spreads = [SampleSpread.of(side, logs=logs) for side in sides]
    few, widest = min(one.people for one in spreads), max(spreads, key=lambda one: one.relative)
    needed = NEARLY * NEEDED * widest.relative**POWER
    if not few >= needed:
        return True
    one, other = spreads
    if not (one.variance > 0 and other.variance > 0):
        return False
    below, above = (of(one.df, other.df, one.variance / other.variance) for of in (fdtr, fdtrc))
    # where spreads seem to differ, that of a small sample may be larger than it shows: its upper limit of 90%
    larger = (widest.df / chdtri(widest.df, SURE)) ** (POWER / 2)
    return bool(2 * min(below, above) < SPREAD_DIFFERS and few < needed * larger)


def _comparable(factors: Mapping[str, Factor], pair: Mask, shown: Mask) -> Mask:
    """Who is at levels that the two groups have; of others a regression of the two knows nothing."""
    keep = shown.copy()
    for factor in factors.values():
        present = np.zeros(len(factor.levels), dtype=bool)
        present[factor.codes[pair]] = True
        keep &= present[factor.codes]
    return keep


def _few(alike: Alike, member: Mask, base: Mask, min_n: int) -> str:
    """Why an adjusted gap is withheld: means of few people could be told from it and from the crude ones."""
    if min(member.sum(), base.sum()) < min_n:
        return FEW.format(n=min_n)
    for name, factor in alike.factors.items():
        for side in (member, base):
            sizes = np.bincount(factor.codes[side], minlength=len(factor.levels))
            if ((sizes > 0) & (sizes < min_n)).any():
                return FEW_IN_LEVEL.format(n=min_n, name=DataText(name))
    for name, x in alike.numbers.items():
        for side in (member, base):  # numbers of two values in one group are levels there
            sizes = np.unique(x[side], return_counts=True)[1]
            if len(sizes) == 2 and sizes.min() < min_n:
                return FEW_IN_LEVEL.format(n=min_n, name=DataText(name))
    return ""


def _follows(alike: Alike, found: Adjusted, sides: Sequence[Mask], lost: Sequence[float], min_n: int) -> bool:
    """Whether the amounts of few who lack a covariate follow: adjusted means are nearly the plain ones of the others.

    What the crude mean of a group has more is then the sum of these few.
    """
    cells = [alike.cells(side) for side in sides]
    means = [float(one.share @ one.values) for one in cells]
    for one, mean, adjusted, k in zip(cells, means, found.means, lost, strict=True):
        off = min(abs(adjusted - mean), abs(found.plain - (means[0] - means[1])))
        if 0 < k < min_n and one.total * off <= float(one.values.std()):
            return True
    return False


def _overlap(alike: Alike, member: Mask, base: Mask, min_n: int) -> list[str]:
    """Where nothing but the regression compares people: levels of one group only."""
    pair = member | base
    alone = [
        (name, factor.levels[i])
        for name, factor in alike.factors.items()
        for i in one_sided(factor.codes[pair], member[pair].astype(np.intp), len(factor.levels))
    ]
    if alone and min_n > 1:  # that a level holds nobody of a group tells of its people
        return [IN_SOME_LEVELS.format(list=enumerated(map(DataText, dict.fromkeys(name for name, _ in alone))))]
    return [ONE_GROUP.format(list=enumerated(DataText(f"{name} = {level}") for name, level in alone))] if alone else []


def common_shares(numbers: Mapping[str, Floats], member: Mask, base: Mask) -> dict[str, float]:
    """By each number the share of a group in the usual range of the other, the smaller of both.

    >>> common_shares({"age": np.arange(20.0)}, np.arange(20) < 10, np.arange(20) >= 8)
    {'age': 0.08...}
    """
    shares = {}
    for name, x in numbers.items():
        one, other = x[member], x[base]
        ranges = (np.percentile(other, USUAL), np.percentile(one, USUAL))
        shares[name] = min(
            float(((side >= low) & (side <= high)).mean())
            for side, (low, high) in zip((one, other), ranges, strict=True)
        )
    return shares


def no_common_range(numbers: Mapping[str, Floats], member: Mask, base: Mask) -> list[str]:
    """The numbers of which two groups have no range in common.

    >>> no_common_range({"age": np.array([20.0, 35, 50, 65])}, np.array([1, 1, 0, 0]) > 0, np.array([0, 0, 1, 1]) > 0)
    ['age']
    """
    one, other = np.flatnonzero(member), np.flatnonzero(base)
    return [name for name, x in numbers.items() if _below(x[one], x[other]) or _below(x[other], x[one])]


def _below(x: Floats, y: Floats) -> bool:
    return bool(x.max() < y.min())
