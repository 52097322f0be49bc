"""The headline comparison given legitimate factors: within strata, all of them in the average."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.coding import CodedTally
from fairstats.auditing.counts import RATES, tabulate
from fairstats.auditing.input import UNKNOWN
from fairstats.auditing.protocol import Protocol
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.decisions import After, Comparison, Rows, Undecided
from fairstats.inference.rates.mantel_haenszel import cmh_test
from fairstats.inference.rates.stratified_odds import stratified
from fairstats.inference.rates.stratified_people import CountedPeople
from fairstats.inference.rates.stratified_rates import NO_OVERLAP
from fairstats.inference.rates.stratified_rows import StratifiedCounts, StratifiedPeople
from fairstats.inference.rates.unmeasured_factors import unmeasured_rows
from fairstats.studies.attribute import Attribute

Floats = NDArray[np.float64]
DESIGN = "the common odds ratio needs independent people; see the risk difference within strata"


def strata_rows(tally: CodedTally, levels: Attribute, metric: str, reference: str, protocol: Protocol) -> list[Rows]:
    """Every group against the reference within strata of the legitimate factors.

    Parameters
    ----------
    tally : CodedTally
        With strata.
    levels : Attribute
        The attribute.
    metric : {"selection rate", "base rate"}
        The rate that is compared.
    reference : str
        The group that the others are compared with.
    protocol : Protocol
        Level, adjustment, margin, design.

    Returns
    -------
    list of Estimates or Undecided
        A group: the Mantel-Haenszel risk difference, which carries the verdict (a disparity is shown only where the
        exact stratified test rejects *and* the limits exclude 0), the risk ratio, the difference standardized to
        everybody, the conditional odds ratio, the shortfall in people, the common odds ratio with the CMH test, and
        the test of its homogeneity, the share of the people in strata that hold both groups, and how strong an
        unmeasured factor would have to be (E-values, Rosenbaum's bound). Strata in which nobody or everybody has the
        property have a difference of 0 and are averaged. Under probability weights or clusters the two differences,
        with linearized errors and t.
        ``given`` names the factors, n is everybody who is averaged.

    References
    ----------
    Greenland & Robins (1985), Biometrics 41; Mantel & Haenszel (1959), JNCI 22; Agresti (2013), Categorical Data
    Analysis, chapters 5 to 7.

    Examples
    --------
    >>> from fairstats.inference.decisions import decide_all
    >>> sex, dept = (Attribute(n, np.tile([0, 1], 8).astype(np.int32), ("m", "f")) for n in ("sex", "dept"))
    >>> tally = CodedTally((sex,), np.ones(16), decision=np.arange(16, dtype=np.int8) // 4 % 2, strata=dept)
    >>> decide_all([strata_rows(tally, sex, "selection rate", "m", Protocol(("sex",), strata="dept"))])[0][0].status
    'unestimable'
    """
    groups = [label for label in levels.labels if label != reference]
    events, n = _counts(tally, levels, metric, tally.weight)
    people = n if protocol.weight_type != "probability" else _counts(tally, levels, metric, tally.rows)[1]
    base = levels.labels.index(reference)
    places = [levels.labels.index(g) for g in groups]
    abouts = [Estimate("", levels.name, g, "difference", reference, given=protocol.strata) for g in groups]
    shown = [min(people[i].sum(), people[base].sum()) >= protocol.min_n for i in places]
    same = Estimates()
    if tally.clusters is None and protocol.weight_type != "probability":
        tables = [(events[i], n[i], events[base], n[base]) for i in places]
        compared: list[StratifiedCounts | StratifiedPeople] = [StratifiedCounts(*table) for table in tables]
        odds = [_odds(*of, protocol) for of in zip(tables, abouts, shown, strict=True)]
        for of in zip(tables, abouts, shown, strict=True):
            same += _mantel_haenszel(*of, protocol)[1:]
    else:
        compared = [_people(tally, levels, metric, i, base) for i in places]
        blank = replace(abouts[0], metric="common odds ratio", contrast="ratio", status="unestimable", reason=DESIGN)
        odds = [Comparison(NAN, _always(replace(blank, group=g))) for g in groups]
    within = [_within(*of, protocol) for of in zip(compared, abouts, shown, strict=True)]
    families = [Undecided(family, protocol.multiplicity) for family in (within, odds)]
    common = Estimates(
        _common(about, n[[i, base]]) if out else _suppressing(protocol)(_alone(about))
        for about, out, i in zip(abouts, shown, places, strict=True)
    )
    return [*families, same, common, After(families[0], unmeasured_rows)]


def _alone(about: Estimate) -> Estimate:
    return replace(about, metric="common strata", contrast="none", role="beside")


def _common(about: Estimate, n: Floats) -> Estimate:
    """The share of the group, or of the reference where it is smaller, in strata that hold both."""
    row, totals, both = _alone(about), n.sum(axis=1), (n > 0).all(axis=0)
    if not totals.min() > 0:
        return row.blank(status="unestimable", reason=NO_OVERLAP)
    share = float((n[:, both].sum(axis=1) / totals).min())
    return replace(row, n=float(totals.sum()), estimate=share)


def _within(
    compared: StratifiedCounts | StratifiedPeople, about: Estimate, shown: bool, protocol: Protocol
) -> Comparison:
    margin = protocol.equivalence.difference
    if not shown:
        return Comparison(NAN, lambda level: compared.rows(about, level).map(_suppressing(protocol)))
    equal = () if margin is None else (compared.p_equivalence(margin),)
    return Comparison(compared.p_value, lambda level: compared.rows(about, level), equal)


def _odds(table: tuple[Floats, Floats, Floats, Floats], about: Estimate, shown: bool, protocol: Protocol) -> Comparison:
    p = cmh_test(*table, correct=False)[1] if shown else NAN
    rows = partial(_mantel_haenszel, table, about, shown, protocol)
    return Comparison(p, lambda level: rows(level)[:1], without="")


def _mantel_haenszel(
    table: tuple[Floats, Floats, Floats, Floats],
    about: Estimate,
    shown: bool,
    protocol: Protocol,
    level: float | None = None,
) -> Estimates:
    """The common odds ratio, and the test that it is common."""
    made = stratified(
        *table,
        attribute=about.attribute,
        group=about.group,
        reference=about.reference,
        strata=protocol.strata,
        conf_level=level or protocol.conf_level,
        seed=protocol.seed,
    )
    return made if shown else made.map(_suppressing(protocol))


def _always(row: Estimate) -> Callable[[float], list[Estimate]]:
    return lambda level: [row]


def _suppressing(protocol: Protocol) -> Callable[[Estimate], Estimate]:
    return lambda row: row.blank(status="suppressed", reason=f"fewer than {protocol.min_n} people")


def _counts(tally: CodedTally, levels: Attribute, metric: str, sums: Floats) -> tuple[Floats, Floats]:
    """Events and people by group and stratum."""
    assert tally.strata is not None
    size = len(levels.labels), len(tally.strata.labels)
    cells = Attribute("", levels.codes * np.int32(size[1]) + tally.strata.codes, ("",) * (size[0] * size[1]))
    events, n = RATES[metric].fraction(tabulate(tally, cells, sums))
    return events.reshape(size), n.reshape(size)


def _people(tally: CodedTally, levels: Attribute, metric: str, group: int, base: int) -> StratifiedPeople:
    """The rows of two groups whose property is known: weights and clusters need the people themselves."""
    assert tally.strata is not None
    y = tally.outcome if metric == "base rate" else tally.decision
    assert y is not None
    used = np.flatnonzero((y != UNKNOWN) & ((levels.codes == group) | (levels.codes == base)))
    weighted = tally.weights is not None
    return StratifiedPeople(
        y[used] == (1 if metric == "base rate" else tally.favors),
        levels.codes[used] == group,
        tally.strata.codes[used],
        tally.weight[used] if weighted else None,
        None if tally.clusters is None else tally.clusters[used],
        CountedPeople(tally.rows[used], tally.weight[used], tally.square[used]),
    )
