"""``compare_audits()``: two audits of the same question in, by how much each difference between groups changed out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.protocol import Resolved
from fairstats.auditing.result import Audit, as_sent
from fairstats.auditing.sensitivity import IMPOSSIBLE, WITHHELD, decided_by_withheld
from fairstats.auditing.sentences import measured, name_of, short_name
from fairstats.document import Block, Paragraph, Table, Title, headings
from fairstats.errors import Call, InputError, Setting, listing, named
from fairstats.estimates import NAN, TESTED, Estimate, Estimates
from fairstats.inference.multiplicity import ADJUSTMENTS, Family, rejected
from fairstats.inference.rates.two_rates import METHOD, Reach, change_limits, changed_gap, miettinen_nurminen
from fairstats.inference.representations.fit_studies import FitStudy
from fairstats.inference.verdicts import Comparison, Undecided, decided
from fairstats.labels import split
from fairstats.language import DataText, Message, listed, message, renamed, says, translated
from fairstats.metrics import RATES
from fairstats.provenance import provenance, run_records
from fairstats.text import DASH, difference_in_points, json_plain, level, p_equals, p_value, percent, span
from fairstats.validation import BH, Adjust, answering, between, choose, confidence, instance, shown

# The statements of a change: how many are shown, and the first few of them.


CHANGE, BEFORE, AFTER, BOUNDS = "change", "before", "after", "bounds of the change"
# What results and consoles say in English; a report says it of the rows, in its language.
NONE_SHOWN = message("No change of a difference between groups is shown ({count} compared).")
SHOWN = message("A change of a difference between groups is shown in {shown} of {count} comparisons.")
NONE_FLAGGED = message("No change of a difference between groups is flagged ({count} compared).")
FLAGGED = message("A change of a difference between groups is flagged in {shown} of {count} comparisons.")
CRUDE = message(
    "Changes of {metrics} are without regard to {strata}: they may be of who is in which stratum. Differences within "
    "strata are averages over the people of each audit."
)
KNOWN_GROUPS = message(
    "All changes are of people whose group is known; rows of bounds say between which values those whose group is "
    "missing leave each change, before sampling error."
)
BOUNDED = message(
    "With the people whose group is missing, the change of {metric}, {group} less {reference} ({attribute}), lies "
    "between {low} and {high} percentage points, before sampling error: it may be none."
)
KNOWN_CELLS = message(
    "Rows of bounds say between which values the people of withheld cells leave each change, before sampling error."
)
DEPENDS = message(
    "it depends on the people of withheld cells, and lies between {low} and {high} percentage points before sampling "
    "error"
)
DEPENDING = message(
    "The change of {metric}, {group} less {reference} ({attribute}), depends on the people of withheld cells: it has "
    "no estimate, and lies between {low} and {high} percentage points before sampling error."
)
NOT_COMPARED = message("Not compared: {metrics} of {groups} ({attribute}): {reason}.")
ONLY_AFTER = message("Not compared: {groups} ({attribute}), in the audit after only.")
ONE = message(
    "{metric}, {group} less {reference} ({attribute}): {before} percentage points before, {after} after, "
    "a change of {change} ({limits})."
)
DIFFERENT_PEOPLE = message(
    "Whether people are in both audits was not checked: the intervals take the two audits to be of different people, "
    "and would be wrong otherwise."
)
FEWEST_SAME = 100  # people, all of whose counts two samples do not share by chance
MOST = 5


def place_of(row: Estimate) -> dict[str, str]:
    """What two rows of one comparison have in common."""
    return {"metric": row.metric, "attribute": row.attribute, "group": row.group, "reference": row.reference}


def gaps_of(table: Estimates, row: Estimate) -> tuple[Estimate | None, Estimate | None]:
    """The differences that a change is of, before and after; None where one could not be had."""
    where = {"contrast": "difference", "role": "supplementary", **place_of(row)}
    before, after = (next(iter(table.only(estimator=name, **where)), None) for name in (BEFORE, AFTER))
    return before, after


def ends_of(table: Estimates, row: Estimate | None) -> Estimate | None:
    """Between which values the people of withheld cells leave a number; None where they do not decide it."""
    if row is None or row.status != "bounded":
        return None
    where = {"estimator": BOUNDS if row.estimator == CHANGE else row.estimator, "contrast": row.contrast}
    return next(iter(table.only(role="bounds", **where, **place_of(row))), None)


def point_or_ends(table: Estimates, row: Estimate | None) -> str:
    """A number of a change in per cent or points, its two ends where people of withheld cells decide it."""
    if (ends := ends_of(table, row)) is not None:
        return span(ends.conf_low, ends.conf_high, percent)
    return DASH if row is None or np.isnan(row.estimate) else percent(row.estimate)


def estimated_gaps(table: Estimates, row: Estimate) -> tuple[float, float]:
    """The two differences of a change that was estimated: both are there."""
    before, after = gaps_of(table, row)
    assert before is not None and after is not None
    return before.estimate, after.estimate


def called(result: AuditComparison, row: Estimate) -> tuple[str, str]:
    """The names of the two groups of a line; a label beside its attribute where there are several."""
    protocol = result.protocol
    alone = len({r.attribute for r in result.estimates}) == 1 or len(protocol.columns_of(row.attribute)) > 1
    one, other = (
        group_called(result, row.attribute, g)
        if alone or name_of(protocol, row.attribute, g)
        else f"{protocol.called(row.attribute)} = {group_called(result, row.attribute, g)}"
        for g in (row.group, row.reference)
    )
    return one, other


def group_called(result: AuditComparison, attribute: str, group: str) -> str:
    """A group by name; one of several attributes by the names of its parts."""
    columns = result.protocol.columns_of(attribute)
    parts = split(group) if len(columns) > 1 else [group]
    return " × ".join(short_name(result.protocol, c, part) for c, part in zip(columns, parts, strict=True))


def named_statements(result: AuditComparison) -> list[str]:
    """The statements with the names of groups and attributes, which files of results have by the labels of the data."""
    group = partial(group_called, result)
    return [renamed(text, group, result.protocol.called) for text in result.statements]


def statements_of(table: Estimates, conf_level: float, p_adjust: Adjust = "bonferroni") -> tuple[str, ...]:
    """How many changes are shown, and each of the first few of them."""
    changes = [row for row in table.only(estimator=CHANGE) if row.status in TESTED]
    items = [row for row in changes if rejected(row.p_adjusted, conf_level)]
    depending = [
        _with_ends(DEPENDING, row)
        for change in changes
        if change.status == "bounded"
        for row in table.only(estimator=BOUNDS, **place_of(change))
    ][:MOST]
    if not items:
        return ((NONE_FLAGGED if p_adjust == BH else NONE_SHOWN).format(count=len(changes)), *depending)
    lines = [(FLAGGED if p_adjust == BH else SHOWN).format(shown=len(items), count=len(changes))]
    estimated = [row for row in items if row.status == "ok"]
    for row in sorted(estimated, key=lambda r: (r.metric != WITHIN, r.p_adjusted))[:MOST]:
        old, new = estimated_gaps(table, row)
        present = row.conf_low == row.conf_low  # Holm's steps have no intervals
        lines.append(
            ONE.format(
                metric=message(row.metric),
                group=DataText(row.group, row.attribute),
                reference=DataText(row.reference, row.attribute),
                attribute=DataText(row.attribute),
                before=percent(old),
                after=percent(new),
                change=difference_in_points(row.estimate, old, new),
                limits=span(row.conf_low, row.conf_high, percent) if present else p_equals(row.p_adjusted),
            )
        )
    return (*lines, *depending)


def _not_compared(table: Estimates, after: Audit) -> Iterator[str]:
    """Groups of which no change is known, with the reason; those that only the later audit has."""
    metrics: dict[tuple[str, str, str], list[str]] = {}
    for row in table.only(estimator=CHANGE, status="unestimable"):
        metrics.setdefault((row.attribute, row.reason, row.group), []).append(row.metric)
    groups: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for (attribute, reason, group), names in metrics.items():
        groups.setdefault((attribute, reason, tuple(names)), []).append(group)
    for (attribute, reason, of), these in groups.items():
        yield NOT_COMPARED.format(
            metrics=listed([message(name) for name in of]),
            groups=listed([DataText(group, attribute) for group in these]),
            attribute=DataText(attribute),
            reason=reason,
        )
    for attribute in dict.fromkeys(row.attribute for row in table.only(estimator=CHANGE)):
        known = {g for row in table.only(attribute=attribute) for g in (row.group, row.reference)}
        rows = after.estimates.only(attribute=attribute, role="main", contrast="none")
        if new := [group for group in dict.fromkeys(rows.column("group")) if group not in known]:
            named_new = listed([DataText(group, attribute) for group in new])
            yield ONLY_AFTER.format(groups=named_new, attribute=DataText(attribute))


def not_compared_among(statements: Sequence[str]) -> list[str]:
    """Those of the statements of a change that say which groups it is not of."""
    return [text for text in statements if says(text, NOT_COMPARED) or says(text, ONLY_AFTER)]


def _with_ends(text: Message, row: Estimate) -> str:
    """A sentence about the bounds of one change."""
    return text.format(
        metric=message(row.metric),
        group=DataText(row.group, row.attribute),
        reference=DataText(row.reference, row.attribute),
        attribute=DataText(row.attribute),
        low=percent(row.conf_low),
        high=percent(row.conf_high),
    )


QUESTION = message("Change between two audits")
COMPARED_ARGUMENTS = (
    "decision",
    "outcome",
    "score",
    "threshold",
    "favorable",
    "positive",
    "positive_prediction",
    "strata",
)
COMPLEMENTS = tuple(m.complement for i, m in enumerate(RATES) if any(o.name == m.complement for o in RATES[i:]))
METHOD_OF_GAPS = message("Miettinen-Nurminen interval")
METHOD_OF_BOUNDS = message("worst cases of both audits over what is missing; without sampling error")
Counts = NDArray[np.float64]
ABSENT = {
    BEFORE: message("{group} has no rate in the audit before"),
    AFTER: message("{group} has no rate in the audit after"),
}
HIDDEN = {
    (BEFORE,): message("{group} is withheld in the audit before"),
    (AFTER,): message("{group} is withheld in the audit after"),
    (BEFORE, AFTER): message("{group} is withheld in both audits"),
}
ABSENT_WITHIN = {
    BEFORE: message("the difference within strata is not estimated in the audit before"),
    AFTER: message("the difference within strata is not estimated in the audit after"),
}
WITHIN = "risk difference within strata"
METHOD_WITHIN = message(
    "difference of two Mantel-Haenszel differences, their limits joined (MOVER), normal approximation"
)
OTHER = message(
    "The reference of {attribute} is {group} before and {other} after; both are compared with {group} here. Declare it "
    "({setting}) where audits are read beside each other: a difference changes its sign with the reference."
)


@dataclass(frozen=True, repr=False)
class AuditComparison(FitStudy):
    """What ``change`` found between two audits; ``estimates`` are the numbers, ``statements`` say them.

    Attributes
    ----------
    question, method : str
        A heading, and the names of the two sources.
    statements : tuple of str
    n, seed : int
        People in both audits; 0, since nothing is drawn.
    conf_level : float
        Of the whole family.
    estimates : Estimates
        ``estimator`` is "change", or "before" and "after" for the differences themselves.
    protocol : Resolved
        What both audits asked, as the earlier one says it: its words are those of a report.
    people : tuple of int
        Of the earlier and of the later audit.
    data : tuple of DataSource
        Of both audits.
    created : tuple of str
        When each audit was made, ISO 8601 in UTC.
    fingerprints : tuple of str
        SHA-256 of the estimates of each audit.
    provenance : Provenance, optional
        The call, with those of the audits, and the versions.
    names : tuple of str
        What ``about`` calls both audits apart; none where it does not.
    """

    protocol: Resolved
    people: tuple[int, ...]
    created: tuple[str, ...] = ()
    fingerprints: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def _directions(self, rows: Iterable[Estimate]) -> list[str]:
        """Of each row whether it is a change that is shown, in a word."""
        return ["changed" if r.estimator == CHANGE and rejected(r.p_adjusted, self.conf_level) else "" for r in rows]

    def drifts(self) -> Estimates:
        """Return the rows whose change is shown.

        Examples
        --------
        >>> import fairstats as fs
        >>> may, june = (fs.audit({"sex": ["f"] * 90 + ["m"] * 90, "hired": [1] * k + [0] * (180 - k)}, "hired", "sex")
        ...              for k in (20, 80))
        >>> [(row.metric, round(row.estimate, 2)) for row in fs.compare_audits(may, june).drifts()]
        [('selection rate', -0.67)]
        """
        return Estimates(r for r, way in zip(self.estimates, self._directions(self.estimates), strict=True) if way)

    def worsened(self, by: float = 0.0) -> Estimates:
        """Return the rows of differences that are larger than before, and whose limits say so.

        Parameters
        ----------
        by : float
            How far the difference moved at least, of which the limits have to leave all smaller changes out.

        Examples
        --------
        >>> import fairstats as fs
        >>> may, june = (fs.audit({"sex": ["f"] * 90 + ["m"] * 90, "hired": [1] * k + [0] * (180 - k)}, "hired", "sex")
        ...              for k in (20, 80))
        >>> [len(fs.compare_audits(*pair).worsened(0.5)) for pair in ((may, june), (june, may))]
        [1, 0]
        """
        least, result = between("by", by, 0, 1, ends="[]"), []
        for row in self.estimates.only(estimator=CHANGE, status="ok"):
            old, new = estimated_gaps(self.estimates, row)
            low = row.conf_low if new > 0 else -row.conf_high
            if abs(new) > abs(old) and low > least:
                result.append(row)
        return Estimates(result)

    @property
    def _title(self) -> str:
        return f"{QUESTION}: {self.method}" if self._is_named else QUESTION

    @property
    def _is_named(self) -> bool:
        """Whether the names of both audits differ; those of data in memory do not."""
        return bool(self.names) or len({data.name for data in self.data}) != 1

    def _content(self) -> Iterator[Block]:
        yield Title(1, self._title)
        yield from map(Paragraph, map(translated, named_statements(self)))
        yield self._table()

    def _table(self) -> Table:
        """A line a comparison: the difference before and after, the change, its adjusted p."""
        lines = []
        for row in self.estimates.only(estimator=CHANGE):
            numbers = (point_or_ends(self.estimates, one) for one in (*gaps_of(self.estimates, row), row))
            limits = span(row.conf_low, row.conf_high, percent)
            group, reference = called(self, row)
            about = f"{row.metric}: {group} less {reference}"
            lines.append((about, *numbers, limits, p_value(row.p_adjusted)))
        unit = "points"
        levels = {row.conf_level for row in self.estimates.only(estimator=CHANGE) if row.conf_low == row.conf_low}
        interval = f"{level(levels.pop())} interval" if len(levels) == 1 else "interval"
        labels = "difference", ("before", unit), ("after", unit), ("change", unit), (interval, unit), "adjusted p"
        return Table("", headings(*labels), tuple(lines), translated(DIFFERENT_PEOPLE))

    def _brief(self) -> str:
        return f"{self.heading if self._is_named else QUESTION}; {self.statements[0]}"

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready (schema ``fairstats/change/1``)."""
        arguments = {"protocol": json_plain(asdict(self.protocol)), "people": list(self.people)}
        arguments |= {"created": list(self.created), "fingerprints": list(self.fingerprints)}
        arguments |= run_records(self.data, self.provenance) | ({"names": list(self.names)} if self.names else {})
        return {**super().to_dict(), "schema": "fairstats/change/1", **arguments}


@answering
def compare_audits(
    before: Audit,
    after: Audit,
    *,
    metric: str | Sequence[str] | None = None,
    conf_level: float = 0.95,
    p_adjust: Adjust = "bonferroni",
) -> AuditComparison:
    """Test whether the differences between groups changed from one audit to a later one of other people.

    Parameters
    ----------
    before, after : Audit
        Audits of the same question (columns, labels, threshold) of different people: two months, two versions of a
        model each tried on its own applicants. The groups of ``before`` are compared with its reference group in both.
        Each is called by the period, or else the version or system, that its ``about`` has, else by its data.
    metric : str or list of str, optional
        Rates to compare; all that both audits have, of complementary ones the first, where absent.
    conf_level : float
    p_adjust : {"bonferroni", "holm", "bh", "none"}
        Of all comparisons together: with the default the chance of any false alarm is at most 1 - conf_level.

    Returns
    -------
    Change
        A row a rate and group: the difference after less the difference before, with its interval and p-value; the
        two differences, and the rates that they are made of, each with an interval of its own. ``drifts()`` are the
        changes that are shown, whose ``direction`` in ``tidy()`` is "changed". ``n`` are the people of both groups, of
        a change in both audits. A row has no verdict: whether a change
        is for better or worse depends on the rate.

    Raises
    ------
    InputError
        If the audits ask different questions or are of the same data, if people are weighted by probability or come
        in clusters, or if no rate of two groups is in both.

    Notes
    -----
    Where both audits declare strata, the change of the difference within them (Mantel-Haenszel) stands first, from each
    audit's limits; 50 settings (2 to 25 strata, 2 to 600 people a stratum and group) have sizes of at most 5.5%. Rows
    of bounds say how far people of unknown group could move a change.

    A gap that is shown in one audit and not in the other need not have changed: that is a comparison of two p-values.
    People who are in both audits make the limits too wide or too narrow; this is not for them.

    Where people of withheld cells decide a rate, or a difference within strata, the change has the status "bounded" and
    no estimate: its limits and its p-value are approximately those of the worst case of both audits, at the bounds with
    the people sent, and ``worsened()`` leaves it out.

    References
    ----------
    Zou, Huang & Zhang (2009), Computational Statistics & Data Analysis 53, 1080-1085; Gelman & Stern (2006), The
    difference between "significant" and "not significant" is not itself statistically significant, American
    Statistician 60.

    Examples
    --------
    >>> import fairstats as fs
    >>> people = fs.arrests()
    >>> early, late = (fs.audit(people[people["year"].isin(years)], "released", "colour", favorable="Yes")
    ...                for years in ((1997, 1998, 1999), (2000, 2001, 2002)))
    >>> print(fs.compare_audits(early, late).statements[1][-42:])
    −8.2 after, a change of 7.3 (2.0 to 12.5).
    """
    for name, result in (("before", before), ("after", after)):
        instance(name, result, Audit, "an audit", f"pass what {Call('audit')} returned")
    level = confidence(conf_level)
    choose("p_adjust", p_adjust, ADJUSTMENTS)
    _comparable(before, after)
    prints, names = (_fingerprint(before), _fingerprint(after)), _names(before, after)
    called = names or (before.data.name, after.data.name)
    given = before, after
    before, after = as_sent(before), as_sent(after)
    crude = [_at_worst(_counted(current, before, after), given) for current in _compared_rows(before, metric)]
    items = [*(_within_strata(*given) if metric is None else ()), *crude]
    if not any(current.row.status in TESTED for current in crude):
        withheld = any(row.status == "suppressed" for audit in given for row in audit.estimates.only(role="main"))
        way = "or declare a reference that neither withholds" if withheld else "by the same columns"
        reason = next((f": {current.row.reason}" for current in crude), "")
        raise InputError("after", f"has no rate of groups that before has{reason}; audit the same groups {way}.")
    changes = _decided(items, level, p_adjust)
    bounds = [row for current in crude for row in _bounded(current.row, before, after)]
    table = Estimates([*changes, *bounds, *_rates([current.row for current in crude], *given)])
    people = int(before.people), int(after.people)
    first, *others = statements_of(table, level, p_adjust)
    return AuditComparison(
        QUESTION,
        message("{before} to {after}", before=called[0], after=called[1]),
        (
            first,
            *_not_compared(table, after),
            *others,
            *_without_regard(before, crude),
            *_bounds_in_words(table, level, [r for a in given for r in a.estimates.only(role="bounds")]),
            *_other_references(before, after),
            *measured(before.protocol),
        ),
        sum(people),
        0,
        level,
        table,
        before.protocol,
        people,
        (before.provenance.created, after.provenance.created),
        prints,
        names,
        data=(before.data, after.data),
        provenance=provenance(_call(before, after, {"metric": metric, "conf_level": level, "p_adjust": p_adjust}), 0),
    )


def _names(*audits: Audit) -> tuple[str, ...]:
    """The names of two audits: the first of period, version and system by which they differ."""
    every = [one.protocol.about for one in audits]
    for names in (
        [about.period for about in every],
        [about.version and f"{about.system} {about.version}".strip() for about in every],
        [about.system for about in every],
    ):
        if all(names) and len(set(names)) > 1:
            return tuple(names)
    return ()


def _fingerprint(audit: Audit) -> str:
    """SHA-256 of the estimates of an audit, by which two runs of the same numbers are known."""
    records = json_plain(audit.estimates.to_records())
    return hashlib.sha256(json.dumps(records, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()


def _call(before: Audit, after: Audit, given: dict[str, Any]) -> str:
    """What repeats it, with the calls of both audits."""
    usual = {"metric": None, "conf_level": 0.95, "p_adjust": "bonferroni"}
    lines = [f"{name}={value!r}" for name, value in given.items() if value != usual[name]]
    return f"fairstats.compare_audits({', '.join([before.provenance.call, after.provenance.call, *lines])})"


def _comparable(before: Audit, after: Audit) -> None:
    for name, old, new in asked_otherwise(before, after):
        raise InputError("after", f"has {Setting(name, new)}; before has {old!r}; compare audits of the same question.")
    for place, result in (("before", before), ("after", after)):
        if result.protocol.classes:
            way = f"audit one of them against the rest ({named('favorable')}) to see its change"
            raise InputError(place, f"has several classes ({listing(result.protocol.classes, 12)}); {way}.")
        if result.protocol.clusters or result.protocol.weight_type == "probability":
            raise InputError(
                place,
                "has people in clusters or weighted by probability; a change is estimated of counted people "
                "only; leave clusters and weights out, or compare the intervals of each audit by eye.",
            )
    of_files = before.data.sha256 and after.data.sha256
    by_chance = of_files and after.people < FEWEST_SAME  # of two files of few people all counts may agree
    same = of_files and before.data.sha256 == after.data.sha256
    if before is after or same or (not by_chance and _levels(before) == _levels(after)):
        raise InputError(
            "after is of the same data as before; a change is between different people; pass a later audit."
        )


def asked_otherwise(before: Audit, after: Audit) -> list[tuple[str, Any, Any]]:
    """The arguments by which two audits ask another question, each with what both have."""
    both = [(name, getattr(before.protocol, name), getattr(after.protocol, name)) for name in COMPARED_ARGUMENTS]
    return [(name, old, new) for name, old, new in both if old != new]


def _levels(audit: Audit) -> set[tuple[object, ...]]:
    """The rates and other levels of every group, which no two samples of many people share."""
    rows = audit.estimates.only(role="main", contrast="none", status="ok")
    return {(r.metric, r.attribute, r.group, r.n, r.events, r.estimate) for r in rows if r.estimate == r.estimate}


def _without_regard(before: Audit, crude: list[Change]) -> list[str]:
    """Which changes do not hold fixed what the audits do."""
    strata = before.protocol.strata
    if not strata:
        return []
    rates = listed([message(name) for name in dict.fromkeys(current.row.metric for current in crude)])
    columns = listed([DataText(name) for name in before.protocol.columns_of(strata)])
    return [CRUDE.format(metrics=rates, strata=columns)]


def _bounded(row: Estimate, before: Audit, after: Audit) -> Iterator[Estimate]:
    """The least and the largest change that what is missing leaves, before sampling error."""
    ends = []
    for current in (before, after):
        same = current.estimates.only(contrast="difference", **place_of(row))
        every = [r for r in same if r.role == "bounds" and r.conf_level != r.conf_level]
        points = [r.estimate for r in same if r.role == "main" and r.status == "ok"] * 2
        ends.append((min(r.conf_low for r in every), max(r.conf_high for r in every)) if every else tuple(points))
    (old, new), bounded = ends, [r for a in (before, after) for r in a.estimates.only(role="bounds", **place_of(row))]
    if row.status == "ok" and bounded and len(old) == len(new) == 2:
        about = row.blank(estimator=BOUNDS, role="bounds", n=row.n, method=METHOD_OF_BOUNDS)
        low, high = new[0] - old[1], new[1] - old[0]
        possible = low <= row.estimate <= high
        yield about.with_interval(row.estimate if possible else float("nan"), low, high, float("nan"),
                                  reason="" if possible else IMPOSSIBLE)  # fmt: skip


def _bounds_in_words(table: Estimates, conf_level: float, missing: Sequence[Estimate]) -> list[str]:
    """Of changes that are shown those that what is missing may undo; what bounds there are otherwise."""
    bounds = table.only(estimator=BOUNDS)
    shown_changes = [r for r in table.only(estimator=CHANGE, status="ok") if rejected(r.p_adjusted, conf_level)]
    lines = [
        _with_ends(BOUNDED, row)
        for change in shown_changes
        for row in bounds.only(**place_of(change))
        if row.conf_low <= 0 <= row.conf_high
    ]
    groups = any(row.given != WITHHELD for row in missing)
    cells = any(row.given == WITHHELD for row in missing)
    known = [text.format() for text, there in ((KNOWN_GROUPS, groups), (KNOWN_CELLS, cells)) if there]
    return [*lines[:MOST], *(known if bounds else [])]


def _other_references(before: Audit, after: Audit) -> tuple[str, ...]:
    """Where the later audit has a reference of its own, as with the largest group: which one stands."""
    return tuple(
        OTHER.format(
            setting=Setting("reference"),
            attribute=DataText(name),
            group=DataText(group, name),
            other=DataText(after.references[name], name),
        )
        for name, group in before.references.items()
        if after.references.get(name, group) != group
    )


def _compared_rows(before: Audit, metric: str | Sequence[str] | None) -> list[Estimate]:
    """The groups of every rate that is asked for, each against the reference of the earlier audit."""
    names = None if metric is None else _named(metric)
    rates = before.estimates.only(role="main", contrast="none")
    for name in names or ():
        if name not in {row.metric for row in rates if not np.isnan(row.events)}:
            there = listing(dict.fromkeys(row.metric for row in rates if not np.isnan(row.events)), 12)
            raise InputError("metric", f"has {name!r}; before has no such rate by group; it has {there}.")
    chosen = [r for r in rates if r.metric in (names or [m.name for m in RATES if m.name not in COMPLEMENTS])]
    return [r for r in chosen if r.attribute in before.references and r.group != before.references[r.attribute]]


def _named(metric: object) -> list[str]:
    names = [metric] if isinstance(metric, str) else list(metric) if isinstance(metric, (list, tuple)) else []
    if not names or not all(isinstance(name, str) for name in names):
        raise InputError("metric", f"has {shown(metric)}; a rate is named by text; pass one name or a list.")
    return names


class Change(NamedTuple):
    """A comparison with its p-value, its limits at a level, and what stands beside it.

    withheld: whether an audit withholds it: it counts in the adjustment.
    """

    row: Estimate
    limits: Callable[[float], tuple[float, float]]
    beside: Callable[[float], Iterable[Estimate]]
    withheld: bool = False


def _counted(current: Estimate, before: Audit, after: Audit) -> Change:
    """The change of a rate's difference, from the counts of both groups in both audits."""
    reference = before.references[current.attribute]
    about = Estimate(current.metric, current.attribute, current.group, "difference", reference, estimator=CHANGE)
    counts = np.full((2, 2, 2), np.nan)  # events or people, before or after, group or reference
    absent: dict[str, list[str]] = {}  # group -> the audits without its rate
    hidden: dict[str, list[str]] = {}  # those of them that withhold it
    for i, (place, result) in enumerate(((BEFORE, before), (AFTER, after))):
        for j, group in enumerate((current.group, reference)):
            where = {"metric": current.metric, "attribute": current.attribute, "group": group}
            rows = result.estimates.only(role="main", contrast="none", **where)
            for row in rows.only(status="ok"):
                counts[:, i, j] = row.events, row.n
            if np.isnan(counts[:, i, j]).any():
                (hidden if rows.only(status="suppressed") else absent).setdefault(group, []).append(place)
    limits, beside = partial(change_limits, counts[0], counts[1]), partial(_gaps, about, counts)
    reasons = [HIDDEN[tuple(at)].format(group=DataText(g, current.attribute)) for g, at in hidden.items()]
    reasons += [ABSENT[at[0]].format(group=DataText(g, current.attribute)) for g, at in absent.items()]
    if reasons:
        return Change(replace(about, status="unestimable", reason=reasons[0]), limits, beside, bool(hidden))
    estimate, _, _, p, df = changed_gap(counts[0], counts[1])
    n = float(counts[1].sum())
    return Change(replace(about, n=n, estimate=estimate, p_value=p, df=df, method=METHOD), limits, beside)


def _at_worst(change: Change, audits: tuple[Audit, Audit]) -> Change:
    """The change without an estimate where people of withheld cells decide a rate, with the limits of both extremes."""
    row = change.row
    counted, ends = (np.full(shape, np.nan) for shape in ((2, 2), (2, 2, 2)))  # ends: the least and the largest rate
    decides = [False, False]
    for i, audit in enumerate(audits):
        for j, group in enumerate((row.group, row.reference)):
            where = {"metric": row.metric, "attribute": row.attribute, "group": group, "contrast": "none"}
            for rate in audit.estimates.only(role="main", **where):
                counted[i, j], ends[:, i, j] = rate.n, rate.estimate
                decides[i] |= rate.status == "bounded"
            for bound in audit.estimates.only(role="bounds", given=WITHHELD, status="ok", **where):
                ends[:, i, j] = bound.conf_low, bound.conf_high
    if row.status != "ok" or not any(decides):
        return change
    # the least change: the later rate of the group and the earlier one of its reference at their least
    later = np.array([[False, True], [True, False]])
    least, most = np.where(later, ends[0], ends[1]), np.where(later, ends[1], ends[0])
    low, high = (float(e[1, 0] - e[1, 1] - e[0, 0] + e[0, 1]) for e in (least, most))
    # the people of withheld cells only add to those that were sent, so that these give no narrower limits
    tables = [(rates * counted, counted) for rates in (least, most)]

    def limits(level: float) -> tuple[float, float]:
        return change_limits(*tables[0], level)[0], change_limits(*tables[1], level)[1]

    def beside(level: float) -> Iterator[Estimate]:
        gaps = change.beside(level)
        for i, gap in enumerate(gaps):
            if not decides[i]:
                yield gap
                continue
            # after, the least gap is in the least change; before, in the largest
            events = [(tables[k][0][i], counted[i]) for k in ((1, 0), (0, 1))[i]]
            (lower, _), (_, upper) = (miettinen_nurminen(e[0], n[0], e[1], n[1], level) for e, n in events)
            yield replace(gap, status="bounded").with_interval(NAN, float(lower), float(upper), level)
            alone = gap.blank(estimator=gap.estimator, role="bounds", n=gap.n, method=METHOD_OF_BOUNDS)
            least_gap, most_gap = (float(ends[k, i, 0] - ends[1 - k, i, 1]) for k in (0, 1))
            yield alone.with_interval(NAN, least_gap, most_gap, NAN)
        about = row.blank(estimator=BOUNDS, role="bounds", n=row.n, method=METHOD_OF_BOUNDS)
        yield about.with_interval(NAN, low, high, NAN)

    p = changed_gap(*tables[0])[3] if low > 0 else changed_gap(*tables[1])[3] if high < 0 else 1.0
    reason = DEPENDS.format(low=percent(low), high=percent(high))
    bounded = replace(row, status="bounded", estimate=NAN, p_value=max(p, row.p_value), df=NAN, reason=reason)
    return Change(bounded, limits, beside)


def _within_strata(before: Audit, after: Audit) -> Iterator[Change]:
    """The change of each difference within strata; the people are others, so that squared distances add."""
    for old in before.estimates.only(metric=WITHIN, role="main"):
        if before.references.get(old.attribute) != old.reference:
            continue
        about = replace(old.blank(estimator=CHANGE), given=old.given, reason="")
        new = next(iter(after.estimates.only(metric=WITHIN, role="main", **_place(old))), None)
        absent = next((p for p, row in ((BEFORE, old), (AFTER, new)) if row is None or row.status not in TESTED), "")
        if absent or new is None:
            row = replace(about, status="unestimable", reason=ABSENT_WITHIN[absent or AFTER])
            withheld = any(
                one is not None and (one.status == "suppressed" or decided_by_withheld(one)) for one in (old, new)
            )
            yield Change(row, lambda _: (NAN, NAN), lambda _: (), withheld)
        elif "bounded" in (old.status, new.status):
            yield _joined_at_worst(about, (old, new), (before, after))
        else:
            yield _joined(about, old, new)


def _joined_at_worst(about: Estimate, rows: tuple[Estimate, Estimate], audits: tuple[Audit, Audit]) -> Change:
    """The change within strata where people of withheld cells decide a difference, as `_at_worst`.

    The limits of an audit are those of all that these people may be: from each of its bounds they reach farthest.
    """
    ends, reach = [], []
    for row, audit in zip(rows, audits, strict=True):
        bounds = audit.estimates.only(metric=row.metric, role="bounds", given=WITHHELD, status="ok", **_place(row))
        ends.append((bounds[0].conf_low, bounds[0].conf_high) if row.status == "bounded" else (row.estimate,) * 2)
        reach.append([Reach.of(end, row.conf_low, row.conf_high, row.conf_level) for end in ends[-1]])
    least, most = reach[1][0].less(reach[0][1]), reach[1][1].less(reach[0][0])
    low, high = least.estimate, most.estimate
    p = max(least.p_value, most.p_value) if low > 0 or high < 0 else 1.0
    n, reason = sum(row.n for row in rows), DEPENDS.format(low=percent(low), high=percent(high))
    change = replace(about, status="bounded", n=n, p_value=p, reason=reason, method=METHOD_WITHIN)

    def beside(level: float) -> Iterator[Estimate]:
        for name, row, of, (lower, upper) in zip((BEFORE, AFTER), rows, reach, ends, strict=True):
            alone = replace(
                row.blank(estimator=name, role="supplementary", n=row.n, method=row.method), given=row.given
            )
            limits = of[0].limits(level)[0], of[1].limits(level)[1]
            yield replace(alone, status=row.status).with_interval(row.estimate, *limits, level)
            if row.status == "bounded":
                bound = alone.blank(estimator=name, role="bounds", n=row.n, method=METHOD_OF_BOUNDS)
                yield replace(bound, given=row.given).with_interval(NAN, lower, upper, NAN)
        bound = about.blank(estimator=BOUNDS, role="bounds", n=n, method=METHOD_OF_BOUNDS)
        yield replace(bound, given=about.given).with_interval(NAN, low, high, NAN)

    return Change(change, lambda level: (least.limits(level)[0], most.limits(level)[1]), beside)


def _joined(about: Estimate, old: Estimate, new: Estimate) -> Change:
    reach = [Reach.of(row.estimate, row.conf_low, row.conf_high, row.conf_level) for row in (old, new)]
    change = reach[1].less(reach[0])
    row = replace(about, n=old.n + new.n, estimate=change.estimate, p_value=change.p_value, method=METHOD_WITHIN)

    def beside(level: float) -> Iterator[Estimate]:
        for name, current, of in zip((BEFORE, AFTER), (old, new), reach, strict=True):
            alone = current.blank(estimator=name, role="supplementary", n=current.n, method=current.method)
            yield replace(alone, given=current.given).with_interval(of.estimate, *of.limits(level), level)

    return Change(row, change.limits, beside)


def _place(row: Estimate) -> dict[str, str]:
    return {"attribute": row.attribute, "group": row.group, "reference": row.reference}


def _decided(result: list[Change], conf_level: float, p_adjust: Adjust) -> Estimates:
    """One family of all comparisons; beside each change the difference before and after."""
    comparisons = [
        Comparison(
            c.row.p_value, partial(_at_level, c), without="", apart=c.row.status not in TESTED and not c.withheld
        )
        for c in result
    ]
    family = Family(conf_level, p_adjust, withholds=True)
    every = zip(decided(Undecided(comparisons, family, alone=True)), result, strict=True)
    return Estimates(r for row, c in every for r in (row, *(c.beside(conf_level) if row.status in TESTED else ())))


def _at_level(change: Change, level: float) -> list[Estimate]:
    """The row at a level; one of bounds is tested as any other, at its worst case."""
    row = change.row
    return [row.with_interval(row.estimate, *change.limits(level), level) if row.status in TESTED else row]


def _gaps(row: Estimate, counts: Counts, conf_level: float) -> Iterator[Estimate]:
    """The difference before and after."""
    rates = counts[0] / counts[1]
    for i, name in enumerate((BEFORE, AFTER)):
        gap, n = float(rates[i, 0] - rates[i, 1]), float(counts[1, i].sum())
        alone = row.blank(estimator=name, role="supplementary", n=n, method=METHOD_OF_GAPS)
        (e1, e0), (n1, n0) = counts[0, i], counts[1, i]
        ends = miettinen_nurminen(e1, n1, e0, n0, conf_level)
        yield alone.with_interval(gap, float(ends[0]), float(ends[1]), conf_level)


def _rates(changes: list[Estimate], before: Audit, after: Audit) -> list[Estimate]:
    """The rate of every group and reference in either audit, as it stands there."""
    arguments = dict.fromkeys((r.metric, r.attribute, g) for r in changes for g in (r.reference, r.group))
    items = []
    for metric, attribute, group in arguments:
        where = {"metric": metric, "attribute": attribute, "group": group, "role": "main", "contrast": "none"}
        for name, result in ((BEFORE, before), (AFTER, after)):
            rates = result.estimates.only(**where)
            items += [replace(row, estimator=name, role="supplementary") for row in rates]
            if any(row.status == "bounded" for row in rates):
                bounds = result.estimates.only(**where | {"role": "bounds"}, given=WITHHELD)
                items += [replace(row, estimator=name) for row in bounds]
    return items
