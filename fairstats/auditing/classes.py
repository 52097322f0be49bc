"""Decisions or outcomes of several classes: each against the rest in one family, all of them at once, and in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

from fairstats.auditing.counts import Against, CountTable, Evidence, Weighed, counts_left_out, evidence
from fairstats.auditing.protocol import Protocol, Resolved
from fairstats.auditing.rates import NOT_KNOWN, contrasts, rate_rows
from fairstats.auditing.scores import effect_rows, score_groups
from fairstats.auditing.sensitivity import bound_rows, strata_rows
from fairstats.auditing.tally import CodedTally
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.rates.many_rates import REPLICATES, TEST_NAMES
from fairstats.inference.rates.survey import DesignFamily
from fairstats.inference.verdicts import After, Rows, Undecided
from fairstats.labels import holds_missing
from fairstats.language import joined, message
from fairstats.metrics import UNKNOWN

Floats = NDArray[np.float64]

SHARE, TPR, PPV = "class share", "class TPR", "class PPV"
CUMULATIVE, AT_ONCE, IN_ORDER = "cumulative share", "class distribution", "P(X>Y) of classes"
# the rate of one class against the rest -> what it is called among those of all classes
OF_CLASSES = {"selection rate": SHARE, "TPR": TPR, "PPV": PPV}
MEANT = OF_CLASSES | {"P(X>Y)": IN_ORDER}  # by the name of a metric of two labels, or of scores
BESIDE = message("follows from the shares of the classes, which carry the verdict")
ONE_GROUP = message("fewer than two groups have a known class")
ONE_CLASS = message("everybody has the same class")
SMALLEST = message("the smallest p of the classes, times their number")
FEW_EXPECTED = 5.0


def against_rest(tally: CodedTally, protocol: Protocol, k: int, most: int | None = None) -> CodedTally:
    """The people with one class, or the classes up to one, against all others; as decisions and as outcomes.

    k: the place of the class.
    most: the place of the last class that counts as well, where it is another.
    """
    assert isinstance(protocol, Resolved) and tally.score is not None
    n, codes, last = len(protocol.classes), tally.score, k if most is None else most
    missing = np.isnan(codes)
    first, second = codes % n, codes // n

    def coded(values: Floats, unknown: NDArray[np.bool_]) -> NDArray[np.int8]:
        return np.where(unknown, UNKNOWN, (values >= k) & (values <= last)).astype(np.int8)

    assert tally.decision is not None
    outcome = None if tally.outcome is None else coded(second, missing | (tally.outcome == UNKNOWN))
    decision = coded(first, missing | (tally.decision == UNKNOWN))
    return replace(tally, decision=decision, outcome=outcome, favors=1, numbers={})


def codings(tally: CodedTally, protocol: Protocol) -> list[CodedTally]:
    """The same people once for every class, of which suppression withholds in all what it withholds in any."""
    assert isinstance(protocol, Resolved)
    known = {"score": np.where(np.isnan(tally.numbers["score"]), np.nan, 0.0)}
    return [replace(against_rest(tally, protocol, k), numbers=known) for k in range(len(protocol.classes))]


def class_rows(current: Weighed, reference: str, protocol: Protocol) -> list[Rows]:
    """Every class against the rest, the test of all classes at once, and with an order P(X>Y) and cumulative shares.

    Returns: ``term`` names the class. The shares of all classes, of all single attributes, are one family; with an
        order P(X>Y), that a person of the group has the better class than one of the reference, is in it too.
    """
    assert isinstance(protocol, Resolved)
    name, labels = current.table.attribute, current.table.labels
    rows: list[Rows] = []
    parts: list[Evidence] = []
    for k, label in enumerate(protocol.classes):
        people = against_rest(current.people, protocol, k)
        counts, every = evidence(people, current.levels, protocol)
        rates = {rate.metric: rate for rate in every}
        if current.joined is not current.people:  # whose errors are withheld, their shares need not be
            joined = against_rest(current.joined, protocol, k)
            rates |= {
                r.metric: r for r in evidence(joined, current.levels, protocol)[1] if r.metric != "selection rate"
            }
        called = [replace(rates[name], metric=ours) for name, ours in OF_CLASSES.items() if name in rates]
        parts += [part for part in called if part.metric == SHARE]
        mine: list[Rows] = []
        for part in called:
            compared = contrasts(part, name, labels, reference, protocol)
            mine += [rate_rows(part, name, labels, protocol), compared]
            if part.metric == SHARE:
                lost = counts_left_out(current, protocol, partial(against_rest, protocol=protocol, k=k))
                mine.append(After(compared, partial(_bounds, part=part, table=counts, left_out=lost)))
        if people.strata is not None:
            mine += strata_rows(people, current.levels, "selection rate", reference, protocol)
        rows += with_term(mine, label)
    rows.append(Estimates([classes_at_once(parts, name, labels, protocol)]))
    return [*rows, *_in_order(current, reference, protocol)] if protocol.ranked else rows


def _bounds(compared: Estimates, part: Evidence, table: CountTable, left_out: CountTable | None) -> Estimates:
    """The bounds over what is missing; those with sampling error are known by their level, as the class is the term."""
    places = {label: i for i, label in enumerate(table.labels)}
    return Estimates(
        row
        for gap in compared.only(contrast="difference", status="ok")
        for row in bound_rows(part, table, places[gap.group], places[gap.reference], gap, left_out)
    )


def _in_order(current: Weighed, reference: str, protocol: Resolved) -> list[Rows]:
    name, labels, rows = current.table.attribute, current.table.labels, list[Rows]()
    codes = current.people.numbers["score"] % len(protocol.classes)
    ranked = replace(current.people, outcome=None, decision=None, numbers={"score": codes})
    _, pairs = score_groups(ranked, current.levels, reference, protocol)
    effects = effect_rows(pairs, protocol)
    about = Estimate(SHARE, name, term=IN_ORDER)  # in the family of the shares
    family = mapped(effects, lambda row: row.changed(metric=IN_ORDER), about)
    rows.append(family)
    for k, label in enumerate(protocol.classes[:-1]):
        people = against_rest(current.people, protocol, 0, k)
        rate = next(r for r in evidence(people, current.levels, protocol)[1] if r.metric == "selection rate")
        part = replace(rate, metric=CUMULATIVE)
        base = labels.index(reference)
        against = Against(part, base, tuple(i for i in range(len(labels)) if i != base), protocol.min_n)

        def compared(decided: Estimates, against: Against = against, label: str = label) -> Estimates:
            pairs = against.rows(name, labels, decided[0].conf_level)
            return Estimates(
                row.changed(term=label, reason=joined([row.reason, BESIDE])) for pair in pairs for row in pair
            )

        rows += [*with_term([rate_rows(part, name, labels, protocol)], label), After(family, compared)]
    return rows


def with_term(rows: Iterable[Rows], term: str) -> list[Rows]:
    """Rows of one class, which name it; those that name something else already are left out."""
    present: dict[int, Undecided] = {}

    def named(row: Estimate) -> Estimate:
        return row.changed(term=term)

    def family(of: Undecided) -> Undecided:
        return present.setdefault(id(of), mapped(of, named, named(of.about or of.comparisons[0].rows(0.95)[0])))

    def entry(of: Rows) -> Rows:
        if isinstance(of, After):
            return After(family(of.of), partial(_terms, of.rows, named))
        return family(of) if isinstance(of, Undecided) else Estimates(named(row) for row in of if not row.term)

    return [entry(of) for of in rows if not (isinstance(of, Undecided) and not of.comparisons)]


def _terms(make: Callable[[Estimates], Estimates], named: Callable[[Estimate], Estimate], rows: Estimates) -> Estimates:
    return Estimates(named(row) for row in make(rows))


def mapped(of: Undecided, change: Callable[[Estimate], Estimate], about: Estimate) -> Undecided:
    """A family whose rows are changed when they are made.

    about: what its comparisons are about.
    """

    def one(make: Callable[[float], Sequence[Estimate]], level: float) -> list[Estimate]:
        return [change(row) for row in make(level)]

    def every(make: Callable[[float], Sequence[Sequence[Estimate]]], level: float) -> list[list[Estimate]]:
        return [[change(row) for row in rows] for rows in make(level)]

    comparisons = [replace(c, rows=partial(one, c.rows)) for c in of.comparisons]
    together = None if of.together is None else partial(every, of.together)
    return replace(of, comparisons=comparisons, together=together, about=about)


def classes_at_once(parts: Sequence[Evidence], attribute: str, labels: Sequence[str], protocol: Protocol) -> Estimate:
    """The test that all groups have the same shares of all classes; people without a group are none of them.

    parts: the shares of each class.
    Returns: Pearson's chi-square of the table of groups and classes; where a cell has fewer than five expected its
        p-value over 9,999 tables with the same margins (Patefield, 1981). Under a design the smallest p of the classes.

    >>> events, n = np.array([[9.0, 1.0], [1.0, 9.0], [2.0, 2.0]]), np.full(2, 12.0)
    >>> parts = [Evidence("class share", e, n, n, n, True, "") for e in events]
    >>> round(classes_at_once(parts, "g", ("a", "b"), Protocol(("g",))).p_value, 3)
    0.001
    """
    known = np.array([not holds_missing(label) for label in labels])
    about = Estimate(AT_ONCE, attribute, role="omnibus", reason="" if known.all() else NOT_KNOWN)
    shown = np.flatnonzero(known & np.all([part.estimable(protocol.min_n) for part in parts], axis=0))
    blank: dict[str, Any] = {"status": "unestimable", "reason": ONE_GROUP}
    if shown.size < 2:
        return about.changed(**blank)
    table = np.array([part.events[shown] for part in parts])
    about = about.changed(n=float(table.sum()))
    table = table[table.sum(axis=1) > 0]
    if len(table) < 2:
        return about.changed(status="unestimable", reason=ONE_CLASS)
    if not parts[0].exact:
        return about.changed(**_of_design(parts, shown))
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    statistic = float(((table - expected) ** 2 / expected).sum())
    df = (len(table) - 1) * (shown.size - 1)
    if expected.min() >= FEW_EXPECTED:
        p, test = float(chdtrc(df, statistic)), "chi-square"
    else:
        p, test = _permuted(table, expected, statistic, protocol.seed), "permutation"
    return about.changed(statistic=statistic, df=float(df), p_value=p, method=TEST_NAMES[test])


def _permuted(table: Floats, expected: Floats, statistic: float, seed: int) -> float:
    from scipy.stats import random_table

    rows, columns = (table.sum(axis=axis).astype(np.int64) for axis in (1, 0))
    rng, above = np.random.default_rng(seed), 0
    for size in (3333, 3333, 3333):  # in three parts, so that large tables fit into memory
        drawn = random_table(rows, columns).rvs(size=size, random_state=rng)
        above += int((((drawn - expected) ** 2 / expected).sum(axis=(1, 2)) >= statistic * (1 - 1e-9)).sum())
    return (above + 1) / (REPLICATES + 1)


def _of_design(parts: Sequence[Evidence], shown: NDArray[np.int64]) -> dict[str, Any]:
    values = []
    for part in parts:
        assert part.design is not None
        values.append(DesignFamily(part.design, tuple(shown.tolist())).omnibus()[3])
    known = [p for p in values if p == p]
    if not known:
        return {"status": "unestimable", "reason": ONE_GROUP}
    return {"p_value": min(1.0, len(known) * min(known)), "method": SMALLEST}
