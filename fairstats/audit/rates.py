"""Rates by group and their comparison with the reference, as tidy rows with adjusted intervals and verdicts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fairstats.audit.protocol import RULES
from fairstats.audit.result import Protocol
from fairstats.audit.tables import Rate, Table, available
from fairstats.data.frames import MISSING_LEVEL
from fairstats.errors import InputError, listing, nearest
from fairstats.inference.contrasts import INTERVAL_NAMES, difference, fisher_exact, newcombe, ratio, z_test
from fairstats.inference.equivalence import verdict
from fairstats.inference.estimate import NAN, Estimate, Estimates
from fairstats.inference.exact import TEST_NAMES
from fairstats.inference.multiplicity import adjust, adjusted_levels
from fairstats.inference.proportions import proportion

Floats = NDArray[np.float64]
DESCRIPTIVE = "describes the outcome, not the decisions: no verdict"
BORDER = "border case: the test and the interval disagree; the verdict is read from the interval"


@dataclass(frozen=True)
class Evidence:
    """One rate by group: what is printed (events of n), how many people that is, and what it is worth (size)."""

    metric: str
    events: Floats
    n: Floats
    people: Floats  # rows in the denominator: what `min_n` looks at
    size: Floats  # effective sample size; n where every row is one independent person
    exact: bool  # whole counts of independent people: exact tests apply
    empty: str  # why it cannot be estimated when the denominator is empty

    @property
    def rate(self) -> Floats:
        """Events over n, NaN in an empty group."""
        return np.divide(self.events, self.n, out=np.full(self.n.shape, np.nan), where=self.n > 0)

    def effective(self, i: int) -> tuple[float, float]:
        """Events and size of group i that independent people of that information would have."""
        if self.size[i] == self.n[i]:
            return float(self.events[i]), float(self.n[i])
        return float(self.rate[i] * self.size[i]), float(self.size[i])


def evidence(table: Table, people: Table) -> tuple[Evidence, ...]:
    """Every rate that the table allows.

    Parameters
    ----------
    table : Table
        Counts, or sums of frequency weights.
    people : Table
        The same, every row counted once.

    Returns
    -------
    tuple of Evidence

    Examples
    --------
    >>> t = Table("sex", ("a", "b"), np.ones((2, 3, 3)), 1, False, True)
    >>> evidence(t, t)[0].rate.tolist()
    [0.5, 0.5]
    """

    def one(metric: str, rate: Rate) -> Evidence:
        events, n = rate.fraction(table)
        return Evidence(metric, events, n, rate.fraction(people)[1], n, True, rate.empty)

    return tuple(one(metric, rate) for metric, rate in available(table).items())


def choose_reference(rule: str, table: Table, parts: tuple[Evidence, ...], min_n: int) -> str:
    """The level that the others are compared with.

    Parameters
    ----------
    rule : str
        ``largest_group``, ``highest_rate`` (of the selection rate; of the base rate without decisions), or a level.
    table : Table
        One attribute.
    parts : tuple of Evidence
        Its rates.
    min_n : int
        A smaller group cannot be the reference by a rule.

    Returns
    -------
    str

    Raises
    ------
    InputError
        If the level does not exist, or there is no rate to be highest.

    Examples
    --------
    >>> t = Table("sex", ("a", "b"), np.ones((2, 3, 3)), 1, False, True)
    >>> choose_reference("largest_group", t, evidence(t, t), 1)
    'a'
    """
    if rule not in RULES:
        if rule in table.labels:
            return rule
        raise InputError(
            f"reference has {rule!r}; {table.attribute!r} has no such group{nearest(rule, table.labels)}; its groups "
            f"are {listing(table.labels)}; pass one of them, 'largest_group' or 'highest_rate'."
        )
    if rule == "highest_rate" and not parts:
        raise InputError("reference has 'highest_rate'; scores alone have no rate; pass 'largest_group' or a group.")
    known = np.array([MISSING_LEVEL not in label.split(":") for label in table.labels])
    by = table.n if rule == "largest_group" else _headline(parts).rate
    people = table.n if rule == "largest_group" else _headline(parts).people
    fit = known & ~np.isnan(by) & (people >= min_n)
    return table.labels[int(np.argmax(np.where(fit if fit.any() else known, by, -1.0)))]


def _headline(parts: tuple[Evidence, ...]) -> Evidence:
    by_metric = {part.metric: part for part in parts}
    return by_metric.get("selection rate", parts[0])


def rate_rows(part: Evidence, attribute: str, labels: tuple[str, ...], protocol: Protocol) -> Estimates:
    """One rate of every group with its own denominator and Wilson's interval.

    Parameters
    ----------
    part : Evidence
        The rate.
    attribute, labels : str, tuple of str
        The attribute and its groups.
    protocol : Protocol
        Confidence level and smallest group.

    Returns
    -------
    Estimates
        One row a group, whatever its status.

    Examples
    --------
    >>> t = Table("sex", ("a", "b"), np.ones((2, 3, 3)), 1, False, True)
    >>> rate_rows(evidence(t, t)[0], "sex", t.labels, Protocol(("sex",))).column("estimate")
    [0.5, 0.5]
    """
    rows = []
    for i, group in enumerate(labels):
        row = proportion(
            *part.effective(i),
            metric=part.metric,
            attribute=attribute,
            group=group,
            conf_level=protocol.conf_level,
        )
        row = replace(row, n=float(part.n[i]), events=float(part.events[i]))
        rows.append(_withheld(row, part, [i], protocol.min_n))
    return Estimates(rows)


def _withheld(row: Estimate, part: Evidence, places: list[int], min_n: int) -> Estimate:
    """The row with its numbers taken out where a group in it is too small, or its reason where it is empty."""
    people = min(part.people[i] for i in places)
    if 0 < people < min_n:
        return Estimate(
            row.metric,
            row.attribute,
            row.group,
            row.contrast,
            row.reference,
            n=row.n,
            status="suppressed",
            reason=f"fewer than {min_n} people",
        )
    if people == 0:
        side = "" if len(places) == 1 else (" in the group" if part.people[places[0]] == 0 else " in the reference")
        return replace(row, events=NAN, status="unestimable", reason=part.empty + side)
    return row


def contrast_rows(
    part: Evidence, attribute: str, labels: tuple[str, ...], reference: str, protocol: Protocol, verdicts: bool = True
) -> Estimates:
    """Differences from and ratios to the reference group; the family is these comparisons of one rate.

    Parameters
    ----------
    part : Evidence
        The rate.
    attribute, labels, reference : str, tuple of str, str
        The attribute, its groups and the one they are compared with.
    protocol : Protocol
        Confidence level, adjustment, margin, smallest group.
    verdicts : bool
        False for a rate that describes the outcome and not the audited decisions.

    Returns
    -------
    Estimates
        For every other group a difference (with the verdict) and a ratio: the same hypothesis, hence the same p.

    Examples
    --------
    >>> t = Table("sex", ("a", "b"), np.ones((2, 3, 3)), 1, False, True)
    >>> rows = contrast_rows(evidence(t, t)[0], "sex", t.labels, "a", Protocol(("sex",)))
    >>> rows.column("contrast"), rows[0].verdict
    (['difference', 'ratio'], 'inconclusive')
    """
    base = labels.index(reference)
    others = [i for i in range(len(labels)) if i != base]
    shown = [i for i in others if min(part.people[i], part.people[base]) >= max(protocol.min_n, 1)]
    p = {i: _p_value(part, i, base) for i in shown}
    plan = _plan([p[i] for i in shown], len(labels), protocol)
    rows = []
    for i in others:
        level, adjusted = plan[shown.index(i)] if i in shown else (protocol.conf_level, NAN)
        four = (*part.effective(i), *part.effective(base))
        for build in (difference, ratio):
            row = build(*four, metric=part.metric, reference=reference, test="z", conf_level=level)
            row = replace(row, attribute=attribute, group=labels[i], n=float(part.n[i]), events=float(part.events[i]))
            row = _withheld(row, part, [i, base], protocol.min_n)
            rows.append(_tested(row, part, p.get(i, NAN), adjusted))
        if i in shown:
            rows[-2] = _judged(rows[-2], four, protocol, verdicts)
    return Estimates(rows)


def _p_value(part: Evidence, i: int, base: int) -> float:
    four = (*part.effective(i), *part.effective(base))
    return float(fisher_exact(*four)) if part.exact else float(z_test(*four)[1])


def _plan(p: list[float], groups: int, protocol: Protocol) -> list[tuple[float, float]]:
    """Level of the interval and adjusted p of every comparison.

    Against the best group the reference is itself a result of the data: the family is then all pairs of groups.
    """
    if protocol.reference == "highest_rate":
        pairs = max(groups * (groups - 1) // 2, 1)
        level = 1 - (1 - protocol.conf_level) / pairs
        return [(level, min(1.0, value * pairs)) for value in p]
    levels = adjusted_levels(p, protocol.adjust, protocol.conf_level)
    return list(zip(levels.tolist(), adjust(p, protocol.adjust).tolist(), strict=True))


def _tested(row: Estimate, part: Evidence, p: float, adjusted: float) -> Estimate:
    """The exact p-value beside the Z statistic that the builder computed."""
    if row.status != "ok":
        return row
    test = TEST_NAMES["fisher"] + "; pooled Z" if part.exact else "pooled Z on effective sizes"
    interval = INTERVAL_NAMES["newcombe" if row.contrast == "difference" else "koopman"]
    return replace(row, p_value=p, p_adjusted=adjusted, method=f"{interval}; {test}")


def _judged(row: Estimate, four: tuple[float, float, float, float], protocol: Protocol, verdicts: bool) -> Estimate:
    if row.status != "ok":
        return row
    if not verdicts:
        return replace(row, reason=DESCRIPTIVE)
    narrow = newcombe(*four, 1 - 2 * (1 - row.conf_level))
    word = verdict(row.conf_low, row.conf_high, float(narrow[0]), float(narrow[1]), protocol.equivalence)
    excluded = row.conf_low > 0 or row.conf_high < 0
    rejected = row.p_adjusted <= 1 - protocol.conf_level
    return replace(row, verdict=word, reason=BORDER if excluded != rejected else row.reason)
