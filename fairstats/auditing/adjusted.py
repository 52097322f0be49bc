"""The gap of people who are alike in declared covariates, in an audit of amounts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.amounts import _compared, _gap_row, _none, _nothing, _Test
from fairstats.auditing.covariates import Covariates, independent
from fairstats.auditing.input import Observations, audited, label_columns, observe
from fairstats.auditing.protocol import Protocol, Resolved
from fairstats.auditing.rates import as_focus, focus_apart
from fairstats.auditing.suppression import View
from fairstats.auditing.tally import MISSING_COVARIATE, Tally
from fairstats.data.engines import source_of
from fairstats.data.formula import variables
from fairstats.data.tables import Columns, Factor
from fairstats.errors import InputError, Setting, named
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.amounts.means import EMPTY, NEAR_ZERO, NO_RATIO
from fairstats.inference.parts.adjusted import Adjusted, adjusted_gaps, one_sided
from fairstats.inference.parts.units import limits
from fairstats.inference.verdicts import Comparison, Rows, Undecided
from fairstats.language import DataText, joined, message
from fairstats.provenance import ANALYZED, Attribute, DataSource, FlowStep, take_in
from fairstats.text import compact, listed

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

ADJUSTED_GAP, ADJUSTED, PLAIN = "adjusted gap of means", "adjusted gap", "group coefficient"
STANDARDIZED = message("linear regression of each group, standardized to everybody; {text}")
ONE_COEFFICIENT = message("coefficient of the group in one linear regression; {text}")
HC3, CR2 = message("HC3, t"), message("CR2 of clusters, t with Satterthwaite's df")
ONE_GROUP = message("one group only: {list}")
IN_SOME_LEVELS = message("one group only in some levels of {list}")
APART = message("no value of {list} is between those of both groups")
IS_GROUP = message("what is adjusted for is the group, or a part of it: {name}")
NO_ERROR = message("the regression leaves no error to measure by")
FEW = message("fewer than {n} people")
FEW_IN_LEVEL = message("fewer than {n} people of a group in a level of {name}")
LEFT_OUT = message("left out of the adjusted gaps")
MOST_REPEATED = 1 << 24  # people that frequencies may count, each of whom is a row of a regression
EXACT = 1e-10  # errors below this share of the means are rounding

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
    return Tally.of(seen), source, (columns, seen)


@dataclass(frozen=True, eq=False)
class Alike:
    """People whose amounts and covariates are known, a row each.

    names: of the columns that are adjusted for.
    factors: those that have levels, numbers of two values included; numbers: the others.
    attributes: who is in which group, by the attribute's name.
    missing: how many people lack a covariate.
    """

    names: tuple[str, ...]
    factors: Mapping[str, Factor]
    numbers: Mapping[str, Floats]
    X: Floats
    amounts: Floats
    attributes: Mapping[str, Attribute]
    weights: Floats | None
    clusters: NDArray[np.intp] | None
    missing: float

    @staticmethod
    def of(rows: Rowed, protocol: Resolved) -> Alike:
        """Read the covariates of people.

        Raises InputError: if a covariate cannot be used, or is the amount itself.
        """
        columns, seen = rows
        amount, names = protocol.argument("amount"), tuple(variables(protocol.adjust_for, columns.names))
        if amount in names:
            raise InputError("adjust_for", f"has {amount!r}, which is {named('amount')}, too; leave it out.")
        parts = {name: seen.factors[name] for group in protocol.groups for name in protocol.columns_of(group)}
        count = np.ones(columns.n) if seen.weights is None else seen.weights
        keep = ~np.isnan(seen.numbers[amount]) & (count > 0)
        if protocol.missing == "drop":
            keep &= np.all([part.codes >= 0 for part in parts.values()], axis=0)
        known = Covariates.of(protocol.adjust_for, columns, keep, "adjust_for")
        missing = float(count[keep & ~known.keep].sum())
        chosen, again = np.flatnonzero(known.keep), np.arange(int(known.keep.sum()))
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
        by_name = {levels.name: levels for levels in attributes}
        X, amounts = known.X[again], seen.numbers[amount][chosen]
        return Alike(names, factors, numbers, X, amounts, by_name, weights, clusters, missing)

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
    least: float
    protocol: Protocol
    text: str
    reason: str = ""  # why there are no numbers
    status: str = "unestimable"

    @staticmethod
    def of(alike: Alike, view: View, label: str, reference: str, protocol: Protocol) -> _Pair:
        name, levels = view.levels.name, alike.attributes[view.levels.name]
        about = Estimate("", name, label, "none", reference, given=protocol.alike)
        text = HC3 if alike.clusters is None else CR2
        hidden = view.hidden.get("amount", frozenset())
        nothing = _Pair(about, None, np.nan, protocol, text)
        shared = [part for part in protocol.columns_of(name) if part in alike.names]
        if shared:
            return replace(nothing, reason=IS_GROUP.format(name=DataText(shared[0])))
        place = {one: i for i, one in enumerate(levels.labels) if one in view.levels.labels and one not in hidden}
        if label not in place or reference not in place:
            return replace(nothing, reason=EMPTY)
        member, base = (levels.codes == place[one] for one in (label, reference))
        pair = member | base
        about = replace(about, n=float(pair.sum()))
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
        found = adjusted_gaps(y[whole], X, codes, 0, weights, clusters, groups=(1,))[1]
        if not np.isfinite(found.estimate):
            return replace(nothing, reason=found.reason)
        if not found.std_error > EXACT * np.abs(found.means).max():
            return replace(nothing, reason=NO_ERROR)
        found = replace(found, reason=joined([found.reason, *_overlap(alike, member, base, protocol.min_n)]))
        return _Pair(about, found, float(y[pair].min()), protocol, text)

    def comparison(self) -> Comparison:
        """The gap in per cent and the difference, of one test."""
        gap = replace(self.about, metric=ADJUSTED_GAP)
        difference = replace(self.about, metric=ADJUSTED, contrast="difference")
        one = self.adjusted
        if one is None:
            nothing = [row.blank(n=row.n, status=self.status, reason=self.reason) for row in (gap, difference)]
            return Comparison(np.nan, lambda level: nothing, (np.nan, np.nan))
        how = ONE_COEFFICIENT if one.common else STANDARDIZED
        test = _Test(one.p_value, how.format(text=self.text), one.df)
        why = NO_RATIO if self.least < 0 else "" if np.isfinite(one.ratio_limits(0.95)[0]) else NEAR_ZERO

        def rows(level: float) -> list[Estimate]:
            low, high = limits(one.estimate, one.std_error, one.df, level)
            moved = test.row(difference, one.estimate, (float(low), float(high)), level)
            moved = moved.changed(std_error=one.std_error, reason=one.reason)
            if why:
                return [_none(gap, why), moved]
            shown = _gap_row(gap, one.ratio, one.ratio_limits(level), level, test)
            return [shown if shown.reason else shown.changed(reason=one.reason), moved]

        return _compared(one.p_value, rows, _nothing if why else one.p_equivalence, self.protocol)

    def coefficient(self) -> Estimate:
        """The coefficient of the group in one regression."""
        row, one = replace(self.about, metric=PLAIN, contrast="difference", role="sensitivity"), self.adjusted
        if one is None:
            return row.blank(n=row.n, status=self.status, reason=self.reason)
        level = self.protocol.conf_level
        low, high = (float(end) for end in limits(one.plain, one.plain_error, one.plain_df, level))
        method = ONE_COEFFICIENT.format(text=self.text)
        return row.with_interval(one.plain, low, high, level, std_error=one.plain_error, df=one.plain_df, method=method)


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
    return ""


def _overlap(alike: Alike, member: Mask, base: Mask, min_n: int) -> list[str]:
    """Where nothing but the regression compares people: levels of one group only, and numbers that lie apart."""
    pair, said = member | base, []
    alone = [
        (name, factor.levels[i])
        for name, factor in alike.factors.items()
        for i in one_sided(factor.codes[pair], member[pair].astype(np.intp), len(factor.levels))
    ]
    if alone and min_n > 1:  # that a level holds nobody of a group tells of its people
        said.append(IN_SOME_LEVELS.format(list=DataText(listed(list(dict.fromkeys(name for name, _ in alone))))))
    elif alone:
        said.append(ONE_GROUP.format(list=DataText(listed([f"{name} = {level}" for name, level in alone]))))
    apart = [
        name for name, x in alike.numbers.items() if x[member].max() < x[base].min() or x[base].max() < x[member].min()
    ]
    return [*said, APART.format(list=DataText(listed(apart)))] if apart else said
