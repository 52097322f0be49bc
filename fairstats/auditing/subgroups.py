"""``subgroup_scan()``: every combination of labels of several columns in, which of them differ from everybody out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.arguments import AuditArguments
from fairstats.auditing.audit import Column, Columns
from fairstats.auditing.input import check_answers
from fairstats.auditing.people import people, with_roles
from fairstats.auditing.protocol import Resolved, declare
from fairstats.auditing.sentences import measured
from fairstats.auditing.tally import CodedTally, Tally, code
from fairstats.data.tables import People, named_columns
from fairstats.document import Heading, Table, headings
from fairstats.errors import ANNOUNCED, InputError, Setting, announce, listing, snippet, steps
from fairstats.estimates import EVERYBODY, Estimate, Estimates
from fairstats.inference.multiplicity import benjamini_yekutieli
from fairstats.inference.multiplicity import p_adjust as p_adjusted_by
from fairstats.inference.rates.many_rates import METHOD, excess_limits, excess_p, joint_tail, largest_tail
from fairstats.inference.rates.one_rate import INTERVAL_NAMES, clopper_pearson
from fairstats.inference.rates.residuals import METHOD as RESIDUALS
from fairstats.inference.rates.residuals import ONE_GROUP, SumOfOutcomes, residual_limits, residual_p
from fairstats.inference.representations.fit_studies import FitStudy
from fairstats.labels import join, label_cautions, split
from fairstats.language import DataText, Message, enumerated, message, says
from fairstats.metrics import METRICS as ALL_METRICS
from fairstats.metrics import RATES, UNKNOWN, Metric
from fairstats.provenance import Attribute, DataSource, call_text, provenance, run_records
from fairstats.text import count, json_plain, level_number, p_value, percent, span
from fairstats.validation import (
    Missing,
    answering,
    between,
    choose,
    confidence,
    more,
    most,
    one_of,
    random_seed,
    shown,
    whole,
)

if TYPE_CHECKING:
    import pandas as pd


# Which subgroups there are in a tally: every combination of labels of up to so many columns that somebody has.


Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RatePeople:
    """The people of one rate by cell: a label of every column, numerator and denominator."""

    columns: tuple[Attribute, ...]
    events: Floats
    n: Floats


@dataclass(frozen=True, eq=False)
class ScoredPeople(RatePeople):
    """People with a score and an outcome by cell, and how many have each score, ascending."""

    scores: Floats
    people: Floats
    place: NDArray[np.intp]  # the cell of each score

    @property
    def variance(self) -> Floats:
        """Of the number of outcomes by cell, where scores are right."""
        spread = self.people * self.scores * (1 - self.scores)
        return np.bincount(self.place, spread, minlength=self.n.size).astype(float)

    def law(self, members: NDArray[np.bool_]) -> SumOfOutcomes:
        """How many of the people of some cells have the outcome, where scores are right."""
        some = members[self.place]
        return SumOfOutcomes.of(self.scores[some], self.people[some])


@dataclass(frozen=True, eq=False)
class Subgroup:
    """One combination of labels: who is in it."""

    attribute: str
    group: str
    members: NDArray[np.bool_]  # by cell
    events: float
    n: float


def people_of(tally: CodedTally, metric: Metric) -> RatePeople:
    """Return the people that a rate is about, by the labels of all columns.

    tally: its attributes are single columns.
    metric: a share of the count table.

    >>> from fairstats.metrics import METRICS
    >>> sex = Attribute("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> result = people_of(CodedTally((sex,), np.ones(3), decision=np.array([1, 0, 1])), METRICS["selection rate"])
    >>> result.events.tolist(), result.n.tolist()
    ([1.0, 1.0], [2.0, 1.0])
    """
    unknown = np.full(tally.rows.size, UNKNOWN, dtype=np.intp)
    outcome = unknown if tally.outcome is None else tally.outcome.astype(np.intp)
    decision = unknown if tally.decision is None else tally.decision.astype(np.intp)
    counted = np.zeros((2, 3, 3))
    for i, places in enumerate(metric.cells(tally.favors)):
        counted[i][tuple(zip(*places, strict=True))] = 1
    events, n = counted[:, outcome, decision] * tally.rows
    columns, place = _cells(tally.attributes)
    return RatePeople(columns, *(np.bincount(place, counts).astype(float) for counts in (events, n)))


def _cells(attributes: Sequence[Attribute]) -> tuple[tuple[Attribute, ...], NDArray[np.intp]]:
    """Every combination of labels that there is, and which of them each of the given ones is."""
    codes, place = np.unique(np.stack([a.codes for a in attributes]), axis=1, return_inverse=True)
    columns = tuple(Attribute(a.name, current, a.labels) for a, current in zip(attributes, codes, strict=True))
    return columns, place.ravel()


def scored_people_of(tally: CodedTally, name: str, bands: int) -> ScoredPeople:
    """Return the people with a score and an outcome, by the labels of all columns and by band of the score.

    tally: its attributes are single columns.
    name: the column of the score, whose labels are the bands.
    bands: how many, of equally many people; fewer where scores are tied, none where it is 1.

    >>> sex = Attribute("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> tally = CodedTally((sex,), np.full(3, 2.0), np.array([1, 0, 1]), numbers={"score": np.array([0.9, 0.1, 0.5])})
    >>> [(column.name, column.labels) for column in scored_people_of(tally, "risk", 2).columns]
    [('sex', ('m', 'f')), ('risk', ('0.1', '0.5 to 0.9'))]
    """
    score, outcome = tally.numbers["score"], tally.outcome
    assert outcome is not None  # the metric asks for it
    known = np.flatnonzero((outcome != UNKNOWN) & ~np.isnan(score) & (tally.rows > 0))
    known = known[np.argsort(score[known], kind="stable")]
    score, people, events = score[known], tally.rows[known], (tally.rows * (outcome == 1))[known]
    if not score.size or score[0] < 0 or score[-1] > 1:
        seen = f"numbers from {score[0]:g} to {score[-1]:g}" if score.size else "nobody with an outcome"
        raise InputError(
            "score",
            f"has {name!r} with {seen}; a residual is that of a chance; pass chances in [0, 1].",
        )
    attributes = [replace(a, codes=a.codes[known]) for a in tally.attributes]
    if bands > 1 and len((current := _bands(score, people, name, bands)).labels) > 1:
        attributes.append(current)
    columns, place = _cells(attributes)
    by_cell, n = (np.bincount(place, counts).astype(float) for counts in (events, people))
    return ScoredPeople(columns, by_cell, n, score, people, place)


def _bands(score: Floats, people: Floats, name: str, bands: int) -> Attribute:
    """The band of each score, by its least and its largest score in as few digits as tell all bands apart."""
    cuts = score[np.searchsorted(np.cumsum(people), people.sum() * np.arange(1, bands) / bands)]
    codes = np.unique(np.searchsorted(np.unique(cuts), score, side="right"), return_inverse=True)[1]
    ends = [(float(score[codes == band][0]), float(score[codes == band][-1])) for band in range(int(codes[-1]) + 1)]
    for digits in range(2, 18):
        texts = [(f"{low:.{digits}g}", f"{high:.{digits}g}") for low, high in ends]
        labels = tuple(low if low == high else f"{low} to {high}" for low, high in texts)
        if len(set(labels)) == len(labels):
            break
    return Attribute(name, codes.astype(np.int32), labels)


def subgroups_of(people: RatePeople, max_order: int, min_n: int, band: str = "") -> list[Subgroup]:
    """Every subgroup that somebody is in, by the number of its columns, then in the order of columns and labels.

    band: a column that is no part of the depth: each combination of the others is crossed with it.

    >>> sex = Attribute("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> old = Attribute("old", np.array([0, 1, 1], dtype=np.int32), ("no", "yes"))
    >>> result = subgroups_of(RatePeople((sex, old), np.array([1.0, 0, 2]), np.array([5.0, 4, 3])), 2, 1)
    >>> [(s.group, s.n) for s in result]
    [('m', 9.0), ('f', 3.0), ('no', 5.0), ('yes', 7.0), ('m:no', 5.0), ('m:yes', 4.0), ('f:yes', 3.0)]
    """
    result, allowed = [], most("FAIRSTATS_MAX_SUBGROUPS")
    sizes: list[float] = []  # of those of so many people
    by_depth: dict[int, int] = {}
    for depth, attribute, group, members in _combinations(people, max_order, band):
        subgroup = Subgroup(attribute, group, members, float(people.events @ members), float(people.n @ members))
        if subgroup.n >= min_n:
            sizes.append(subgroup.n)
        by_depth[depth] = len(sizes)
        if len(sizes) <= allowed:
            result.append(subgroup)
        elif len(sizes) == MOST_COUNTED * allowed:
            break
    if len(sizes) > allowed:
        bands = len(people.columns[-1].labels) if band else 0
        raise InputError("max_order", _too_many(people, sizes, by_depth, allowed, max_order, min_n, bands))
    return result


def _too_many(
    people: RatePeople,
    sizes: Sequence[float],
    by_depth: Mapping[int, int],
    allowed: int,
    max_order: int,
    min_n: int,
    bands: int,
) -> str:
    """How many subgroups were asked for, how long they would take, and what asks for as many as may be tested."""
    is_all = len(sizes) < MOST_COUNTED * allowed
    each = f", each also in {bands} bands of the score" if bands else ""
    found = f"{len(sizes)} subgroups{'' if is_all else ' or more'}"
    seconds = _seconds(len(sizes), people.n.size)
    took = f", which take about {_duration(seconds)}{'' if is_all else ' or more'}" if seconds >= 1 else ""
    depth = max((k for k, n in by_depth.items() if n <= allowed), default=0)
    less = f" ({Setting('max_order', depth)}: {by_depth[depth]} subgroups)" if depth else ""
    least = _least_size(sizes, allowed)
    larger = f" ({Setting('min_n', least)}: {sum(n >= least for n in sizes)} subgroups)" if is_all else ""
    return (
        f"has {max_order} and min_n {min_n}{each}; these are {found} with so many people{took}, and "
        f"{more('FAIRSTATS_MAX_SUBGROUPS')} can be tested together; look less deep{less}, "
        f"{'pass fewer bands, ' if bands else ''}or raise min_n{larger}."
    )


def _least_size(sizes: Sequence[float], allowed: int) -> int:
    """The fewest people from which no more subgroups than allowed have so many."""
    return int(sorted(sizes, reverse=True)[allowed]) + 1


def _seconds(many: int, cells: int) -> float:
    """About how long so many subgroups of so many cells take one core.

    Measured with 556, 1,850, 3,131 and 7,746 of 3,840 cells, and with 1,786 of 80,000.
    """
    times = many / 1000
    return 2 * times + (0.12 + 0.086 * cells / 1000) * times**2


def _duration(seconds: float) -> str:
    """Seconds, or minutes where these are many."""
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} minutes"


def _deeper(people: RatePeople, max_order: int, min_n: int, tested: Sequence[Subgroup], band: str) -> Message | None:
    """That deeper combinations were not looked at, how many the next ones are, and what looks at them."""
    columns, deep = [column for column in people.columns if column.name != band], max_order + 1
    if deep > len(columns):
        return None
    words: dict[str, Any] = {"k": deep, "setting": Setting("max_order", deep)}
    if len(columns) < len(people.columns) or comb(len(columns), deep) > MOST_LOOKS:
        return DEEPER_UNCOUNTED.format(**words)
    further: list[float] = []
    for chosen in combinations(columns, deep):
        place = np.unique(np.stack([column.codes for column in chosen]), axis=1, return_inverse=True)[1]
        further += np.bincount(place.ravel(), people.n).tolist()
    further = [n for n in further if n >= min_n]
    if not further:
        return None
    words |= {"n": count(len(further)), "least": count(min_n)}
    sizes, allowed = [*(one.n for one in tested if one.n >= min_n), *further], most("FAIRSTATS_MAX_SUBGROUPS")
    if len(sizes) <= allowed:
        return DEEPER.format(**words)
    return DEEPER_LARGER.format(**words, larger=Setting("min_n", _least_size(sizes, allowed)))


def _combinations(people: RatePeople, max_order: int, band: str) -> Iterator[tuple[int, str, str, NDArray[np.bool_]]]:
    for k in range(1, min(max_order + bool(band), len(people.columns)) + 1):
        for chosen in combinations(people.columns, k):
            if (depth := k - (chosen[-1].name == band)) > max_order:
                continue
            codes = np.stack([column.codes for column in chosen])
            for combination in np.unique(codes, axis=1).T:
                labels = [column.labels[code] for column, code in zip(chosen, combination, strict=True)]
                members = (codes == combination[:, None]).all(axis=0)
                yield depth, ":".join(c.name for c in chosen), join(labels) if k > 1 else labels[0], members


# ``SubgroupScan``: what was found about every subgroup, and its sentences.


QUESTION = message("Subgroups that differ from everybody")
OF_SCORES = message("Subgroups whose scores are not right")
SCORE = "score"  # what a subgroup is compared with where not with EVERYBODY: its own mean score
FLAGGED, WITHIN = "flagged", "equivalence shown"
PRINTED = {FLAGGED: "flagged", WITHIN: "within margin"}  # in the words of its tables
NOT_FLAGGED = "not flagged"  # of what is shown neither way, in the printed table
FOLLOWS = "follows"  # of what is flagged, and no longer without the people of others, in the printed table
WITHOUT = message("not flagged without the people of {list}")
FEW = message("fewer than {n} people")
ALIKE = message("the same people as {list}")
ALL = message("everybody is in it")
NONE_FLAGGED = message(
    "None of {count} subgroups is flagged at a false discovery rate of {fdr}% ({metric} of everybody: {rate}%)."
)
SOME_FLAGGED = message(
    "Flagged at a false discovery rate of {fdr}%: {flagged} of {count} subgroups ({metric} of everybody: {rate}%)."
)
NONE_WRONG = message(
    "None of {count} subgroups is flagged at a false discovery rate of {fdr}% (everybody: outcome {rate}%, mean score "
    "{score}%)."
)
SOME_WRONG = message(
    "Flagged at a false discovery rate of {fdr}%: {flagged} of {count} subgroups (everybody: outcome {rate}%, mean "
    "score {score}%)."
)
ONE_WRONG = message(
    "{list} (n = {n}): outcome {rate}%, mean score {score}%, a mean residual of {gap} percentage points ({low} to "
    "{high})."
)
FARTHEST = message("Farthest from 0: {list} (n = {n}), a mean residual of {gap} percentage points ({low} to {high}).")
WRONG = message(
    "A flag says that the outcomes of a subgroup do not have the chances that its scores say. Scores that are too "
    "extreme raise flags too, with a mean residual near 0."
)
NEAR_SCORE = message(
    "Mean residuals of up to {margin} percentage points are no disparity; shown to be so near: {within} of {count}."
)
TOLERATED = message(
    "Up to {margin} percentage points from everybody are no disparity; shown to be so near: {within} of {count}."
)
ONE = message("{list} (n = {n}): {rate}%, a difference of {gap} percentage points from everybody ({low} to {high}).")
TOGETHER = message(
    "The limits of all {count} subgroups hold together with {level}% confidence; how subgroups overlap is allowed for."
)
REACHED = message(
    "For {within} of the flagged subgroups these limits include no difference: they ask more than a flag, which allows "
    "a few to be wrong."
)
REACHED_MARGIN = message(
    "For {within} of the flagged subgroups these limits include differences within the margin: they ask more than a "
    "flag, which allows a few to be wrong."
)
SOME_REMAIN = message(
    "Flags that remain when the people of farther ones are left out: {left} of {flagged}. The others follow from them."
)
AND_MORE = message("And {n} more of these.")
SEARCHED_ONE = message("Searched: single attributes, of {least} people or more; no combinations of attributes.")
SEARCHED_ALL = message("Searched: single attributes and all their combinations, of {least} people or more.")
SEARCHED = message(
    "Searched: single attributes and combinations of up to {n} of the {total} attributes, of {least} people or more."
)
DEEPER = message(
    "Combinations of {k} or more attributes were not looked at; {n} of {k} attributes have {least} people or more: "
    "{setting} looks at these, too."
)
DEEPER_LARGER = message(
    "Combinations of {k} or more attributes were not looked at; {n} of {k} attributes have {least} people or more, too "
    "many to be tested together: {setting} with {larger} looks at the largest."
)
DEEPER_UNCOUNTED = message(
    "Combinations of {k} or more attributes were not looked at: {setting} looks at those of {k}, too."
)
LEFT = message("Further subgroups, not tested: {list}.")
LEFT_FEW = message("{left} of fewer than {n} people")
LEFT_ALIKE = message("{left} of the same people as another one")
LEFT_ALL = message("{left} of everybody")
LEFT_NOBODY = message("{left} of nobody whom the rate is about")
FARTHEST_FIRST = "Farthest first: by the limit nearer to no difference."
FOLLOWS_NOTE = "Follows: flagged, but not without the people of farther flagged subgroups."
MOST = 5
MOST_LINES = 30
MOST_LOOKS = 2000  # combinations of attributes whose subgroups are counted without being tested
MOST_COUNTED = 20  # times as many subgroups as may be judged, to say how many there are


@dataclass(frozen=True, repr=False)
class SubgroupScan(FitStudy):
    """What ``subgroup_scan`` found; ``estimates`` are the numbers, ``statements`` say them.

    Attributes
    ----------
    question, method : str
        A heading, and the name of the data.
    statements : tuple of str
    n, seed : int
        People in the denominator of the rate; the seed of the joint level.
    conf_level : float
        Of all limits together.
    estimates : Estimates
        A row a subgroup, against everybody; the first row is everybody's rate.
    metric : str
        The rate, or "mean residual" of scores.
    max_order, min_n, bands : int
        The most columns of a subgroup, its fewest people, and how many bands the score was cut into.
    fdr, margin : float
        The false discovery rate of flags, and how far from everybody is no disparity.
    p_adjust : str
        "bh" or "by".
    protocol : Resolved
        Columns and labels of decision and outcome, as the data spell them.
    data : tuple of DataSource
    provenance : Provenance, optional
        The call and the versions.
    """

    metric: str
    max_order: int
    min_n: int
    fdr: float
    margin: float
    p_adjust: str
    protocol: Resolved
    bands: int = 1

    def flagged(self) -> Estimates:
        """Return the rows of the subgroups that are flagged.

        Examples
        --------
        >>> import fairstats as fs
        >>> people = {"sex": ["f"] * 90 + ["m"] * 90, "hired": [1] * 20 + [0] * 100 + [1] * 60}
        >>> [(row.group, round(row.estimate, 2)) for row in fs.subgroup_scan(people, "hired", "sex").flagged()]
        [('f', -0.22), ('m', 0.22)]
        """
        return Estimates(row for row in self.estimates if row.verdict == FLAGGED)

    def tested(self) -> list[Estimate]:
        """Return the rows of subgroups with limits, first those that are for sure the farthest from everybody.

        Examples
        --------
        >>> import fairstats as fs
        >>> people = {"sex": ["f"] * 90 + ["m"] * 70 + ["x"] * 20, "hired": [1] * 20 + [0] * 100 + [1] * 60}
        >>> [row.group for row in fs.subgroup_scan(people, "hired", "sex").tested()]
        ['x', 'f', 'm']
        """
        return farthest_first(row for row in self.estimates if row.role == "main" and row.status == "ok")

    @property
    def _title(self) -> str:
        return f"{self.question}: {self.metric}, {self.method}"

    @property
    def of_scores(self) -> bool:
        """Whether scores are compared with outcomes, in place of a rate with everybody's."""
        return self.metric == RESIDUAL.name

    def _table(self) -> Table:
        """A line a subgroup: people, rate, difference from everybody, adjusted p-value."""
        numbers: list[str | tuple[str, str]] = [("rate", "%"), ("excess", "points")]
        if self.of_scores:
            numbers = [("outcome", "%"), ("score", "%"), ("residual", "points")]
        labels = headings("subgroup", "people", *numbers, ("limits", "points"), "adjusted p")
        rows = self.tested()
        lines = tuple(
            (
                who(row.attribute, row.group),
                count(row.n),
                *(percent(share) for share in shares_of(row)),
                percent(row.estimate),
                span(row.conf_low, row.conf_high, percent),
                p_value(row.p_adjusted),
                FOLLOWS if follows(row) else PRINTED.get(row.verdict, NOT_FLAGGED),
            )
            for row in rows[:MOST_LINES]
        )
        notes = [FARTHEST_FIRST] if len(rows) > 1 else []
        notes += [FOLLOWS_NOTE] if any(map(follows, rows[:MOST_LINES])) else []
        note = " ".join(notes)
        return Table("", (*labels, Heading("verdict", kind="word")), lines, note, len(rows), snippet("tidy() has all"))

    def _brief(self) -> str:
        return f"{self.heading}; {self.statements[0]}"

    def glance(self) -> pd.DataFrame:
        """One row: how many subgroups were tested and flagged, everybody's rate, and what was declared."""
        import pandas as pd

        everybody = {"residual" if self.of_scores else "rate": self.estimates[0].estimate}
        row = {"metric": self.metric, "n": self.n, **everybody, "tested": len(self.tested())}
        row |= {"flagged": len(self.flagged()), **self._declared(), "conf_level": self.conf_level, "seed": self.seed}
        return pd.DataFrame([row])

    def _declared(self) -> dict[str, Any]:
        names = ("max_order", "min_n", "margin", "fdr", "p_adjust", *(["bands"] if self.of_scores else []))
        return {name: getattr(self, name) for name in names}

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready (schema ``fairstats/subgroups/1``)."""
        arguments = {"protocol": json_plain(asdict(self.protocol)), **run_records(self.data, self.provenance)}
        return {
            **super().to_dict(),
            "schema": "fairstats/subgroups/1",
            "metric": self.metric,
            **self._declared(),
        } | arguments


def farthest_first(rows: Iterable[Estimate]) -> list[Estimate]:
    """Rows with limits, first those that are for sure the farthest from everybody.

    >>> near, far = (Estimate("m", group=name, conf_low=low, conf_high=0.3) for name, low in (("a", 0), ("b", 0.1)))
    >>> [row.group for row in farthest_first([near, far])]
    ['b', 'a']
    """
    return sorted(rows, key=lambda row: (-max(row.conf_low, -row.conf_high), row.p_value))


def follows(row: Estimate) -> bool:
    """Whether a subgroup is flagged, and no longer without the people of others that are flagged."""
    return says(row.reason, WITHOUT)


def shares_of(row: Estimate) -> tuple[float, ...]:
    """The rate of a subgroup; of scores the share with the outcome, and the mean score."""
    share = row.events / row.n
    return (share, share - row.estimate) if row.metric == RESIDUAL.name else (share,)


def who(attribute: str, group: str) -> str:
    """A subgroup by the labels of its columns.

    Examples
    --------
    >>> who("sex:age", "f:65 and more")
    'sex = f, age = 65 and more'
    """
    return ", ".join(f"{column} = {label}" for column, label in labels_of(attribute, group))


def labels_of(attribute: str, group: str) -> list[tuple[str, str]]:
    """The columns of a subgroup, each with its label."""
    columns, labels = attribute.split(":"), split(group) if ":" in attribute else [group]
    if len(columns) != len(labels):  # a column's own name has a colon
        return [(attribute, group)]
    return list(zip(columns, labels, strict=True))


def columns(scan: SubgroupScan) -> list[str]:
    """The columns that the subgroups are made of."""
    names = scan.protocol.groups
    return [name for name in names if ":" not in name or not set(name.split(":")) <= set(names)]  # no intersection


def statements_of(scan: SubgroupScan, deeper: Message | None = None) -> tuple[str, ...]:
    """How many subgroups are flagged, the first few of them, and what the numbers of all of them promise."""
    rows = scan.tested()
    flagged = [row for row in rows if row.verdict == FLAGGED]
    first = [row for row in flagged if not follows(row)]
    more = [AND_MORE.format(n=len(first) - MOST)] if len(first) > MOST else []
    everybody = scan.estimates[0]
    words = {"count": len(rows), "fdr": level_number(scan.fdr), "flagged": len(flagged)}
    if scan.of_scores:
        words |= dict(zip(("rate", "score"), map(percent, shares_of(everybody)), strict=True))
        lines = [(SOME_WRONG if flagged else NONE_WRONG).format(**words)]
        lines += [*(_said(ONE_WRONG, row) for row in first[:MOST]), *more] or [_said(FARTHEST, rows[0])]
        lines.append(WRONG)
    else:
        words |= {"metric": message(scan.metric), "rate": percent(everybody.estimate)}
        lines = [(SOME_FLAGGED if flagged else NONE_FLAGGED).format(**words)]
        lines += [*(_said(ONE, row) for row in first[:MOST]), *more]
    if len(first) < len(flagged):
        lines.insert(1, SOME_REMAIN.format(left=len(first), flagged=len(flagged)))
    if scan.margin:
        within = sum(row.verdict == WITHIN for row in rows)
        tolerated = NEAR_SCORE if scan.of_scores else TOLERATED
        lines.append(tolerated.format(margin=percent(scan.margin), within=within, count=len(rows)))
    lines.append(TOGETHER.format(count=len(rows), level=level_number(scan.conf_level)))
    reached = sum(row.conf_low <= scan.margin and row.conf_high >= -scan.margin for row in flagged)
    if reached:
        lines.append((REACHED_MARGIN if scan.margin else REACHED).format(within=reached))
    lines += [_searched(scan), *([] if deeper is None else [deeper])]
    left = list(_left(scan))
    return (*lines, LEFT.format(list=enumerated(left))) if left else tuple(lines)


def _searched(scan: SubgroupScan) -> Message:
    """Of how many attributes at once, and of how many people, a subgroup may be."""
    total = len(columns(scan))
    depth = SEARCHED_ONE if min(scan.max_order, total) == 1 else SEARCHED if scan.max_order < total else SEARCHED_ALL
    return depth.format(n=scan.max_order, total=total, least=count(scan.min_n))


def _left(scan: SubgroupScan) -> Iterator[Message]:
    """How many subgroups were not tested, for each reason."""
    rows = [row for row in scan.estimates if row.status != "ok"]
    reasons = [(LEFT_FEW, FEW), (LEFT_ALIKE, ALIKE), (LEFT_ALL, ALL)]
    for sentence, reason in reasons:
        if left := sum(says(row.reason, reason) for row in rows):
            yield sentence.format(left=count(left), n=count(scan.min_n))
    if left := sum(row.status == "unestimable" for row in rows):
        yield LEFT_NOBODY.format(left=count(left))


def _said(sentence: Message, row: Estimate) -> Message:
    """What a sentence says of one subgroup."""
    names = [name for name in ("rate", "score") if f"{{{name}}}" in sentence.template]
    return sentence.format(
        list=DataText(who(row.attribute, row.group)),
        n=count(row.n),
        gap=percent(row.estimate),
        low=percent(row.conf_low),
        high=percent(row.conf_high),
        **dict(zip(names, map(percent, shares_of(row)), strict=False)),
    )


ByFDR = Literal["bh", "by"]
FLAGGING = ("bh", "by")
RateName = Literal[
    "base rate",
    "selection rate",
    "positive rate",
    "TPR",
    "FPR",
    "TNR",
    "FNR",
    "PPV",
    "NPV",
    "FDR",
    "FOR",
    "accuracy",
    "classification error",
    "mean residual",
]
DEFAULT_BANDS = 5
RESIDUAL = ALL_METRICS["mean residual"]
METRICS = {metric.name: metric for metric in RATES if metric.is_rate} | {RESIDUAL.name: RESIDUAL}


@answering
def subgroup_scan(
    data: People | Tally | None = None,
    decision: Column = None,
    groups: Columns = None,
    *,
    outcome: Column = None,
    score: Column = None,
    metric: RateName | None = None,
    bands: int = DEFAULT_BANDS,
    favorable: Any = AuditArguments.favorable,
    positive: Any = AuditArguments.positive,
    positive_prediction: Any = AuditArguments.positive_prediction,
    max_order: int = 2,
    min_n: int = 10,
    margin: float = 0.0,
    conf_level: float = AuditArguments.conf_level,
    fdr: float = 0.05,
    p_adjust: ByFDR = "bh",
    missing: Missing = AuditArguments.missing,
    seed: int = AuditArguments.seed,
) -> SubgroupScan:
    """Test which subgroups of people differ from everybody in a rate, subgroups that nobody named included.

    The subgroups are all labels of each column of groups, and all combinations of labels of up to `max_order` columns.
    With `score`, test whose scores are not right: the mean of outcome less score of every subgroup, and of its people
    in every band of the score, beside 0.

    Parameters
    ----------
    data : table, path, where the rows are, or Tally, optional
        As in `audit`; of people already counted no column need be named again.
    decision, outcome : str, optional
        Columns of two values, of which the rate needs one or both.
    groups : str or list of str
        Single columns whose labels make the subgroups.
    score : str, optional
        The column of a score in [0, 1], the chance of the outcome: the metric is then "mean residual".
    metric : str, optional
        The rate, a share of people: "selection rate" (the default), "TPR", "accuracy" ...
    bands : int
        How many bands of equally many people the score is cut into; each subgroup is judged within each of them, too.
        With 1 it is not cut.
    favorable, positive, positive_prediction : label
        As in `audit`.
    max_order : int
        The most columns that a subgroup is a combination of.
    min_n : int
        The least number of people in the denominator of the rate; smaller subgroups are listed as excluded.
    margin : float
        How far from everybody's rate is no disparity, to either side, in [0, 1); of scores, how far from 0.
    conf_level : float
        Confidence that the limits of all subgroups hold together.
    fdr : float
        The expected share of subgroups flagged by mistake among all that are flagged, in (0, 1).
    p_adjust : {"bh", "by"}
        Benjamini and Hochberg's procedure, or Benjamini and Yekutieli's, which holds under any dependence and flags
        less.
    missing : {"level", "drop", "raise"}
        What happens to people without a group.
    seed : int
        Of the draws that find the joint level of the limits.

    Returns
    -------
    Subgroups
        A row a subgroup: its people, by how much its rate exceeds everybody's, with limits that hold for all subgroups
        together, and its p-value; the verdict is "flagged" (under a false discovery rate: of all flags a share may be
        false), "equivalence shown" where its limits are within the tolerance. ``flagged()`` are those flagged.

    Raises
    ------
    InputError
        If an argument has a value that no data make sensible, a column is unknown or unusable for its role, the rate
        needs a column that is absent, there are too many subgroups, none of `min_n` people, or people are weighted,
        clustered or withheld.

    Notes
    -----
    Limits and p-values join exact limits of the subgroup and of all others, and are meant for few people, too;
    p-values below 1e-15 are rounding. Their joint level is that of the largest of correlated normal variables (a
    multiplier bootstrap), never below Bonferroni's share. How often a limit is crossed, and which share of flags is
    false, is in the page of verdicts. Subgroups overlap, so that their p-values are dependent; Benjamini and Hochberg's
    bound is proved for independent and for positively dependent ones, and measured for these. Everybody includes the
    subgroup, so that a large one cannot be far from everybody.

    Of scores, a p-value is the exact chance of so many outcomes, or so few, where everybody in the subgroup has the
    outcome with the chance that the score says (Poisson-binomial distribution), and the joint level is that of the sums
    of such outcomes. Limits go with it: what they say of the size of a residual holds where the scores of the subgroup
    are wrong in one direction. The largest residual over all subgroups and bands is what multicalibration bounds.

    References
    ----------
    La Cava, Lett & Wan (2023), Fair admission risk prediction with proportional multicalibration, PMLR 209;
    Cherian & Candes (2024), Statistical inference for fairness auditing, Journal of Machine Learning Research 25;
    Benjamini & Hochberg (1995), JRSS B 57; Benjamini & Yekutieli (2001), Annals of Statistics 29.

    Examples
    --------
    >>> import fairstats as fs
    >>> people = fs.arrests()
    >>> result = fs.subgroup_scan(people, "released", ["colour", "sex", "employed"], favorable="Yes")
    >>> print(result.statements[2][-80:])
    60.7%, a difference of −22.2 percentage points from everybody (−29.1 to −15.5).
    """
    data, columns = named_columns(data, {"decision": decision, "outcome": outcome, "score": score}, {"groups": groups})
    cut = whole("bands", bands, 1)
    rate = _metric(columns, metric, cut)
    cut = cut if rate is RESIDUAL else 1
    deep, least = whole("max_order", max_order, 1), whole("min_n", min_n, 1)
    margin = between("margin", margin, 0, 1, ends="[)")
    level, share = confidence(conf_level), between("fdr", fdr, 0, 1)
    way, drawn = one_of("p_adjust", p_adjust, FLAGGING), random_seed(seed)
    sides = {
        "favorable": favorable,
        "positive": positive,
        "positive_prediction": positive_prediction,
        "missing": missing,
    }
    arguments = {"metric": rate.name, "max_order": deep, "min_n": least, "margin": margin, "fdr": share}
    arguments |= {"conf_level": level, "p_adjust": way, "seed": drawn} | ({"bands": cut} if rate is RESIDUAL else {})
    text = {name: value for name, value in {**columns, **sides}.items() if value is not None} | arguments
    coded, source, resolved = _coded(data, columns, rate, sides)
    name = str(columns.get("score") or resolved.score)
    counted = scored_people_of(coded, name, cut) if rate is RESIDUAL else people_of(coded, rate)
    band = name if cut > 1 else ""
    subgroups = subgroups_of(counted, deep, least, band)
    checked = _rows_of_subgroups(counted, subgroups, rate, least)
    tested = sum(row.status == "ok" for _, row in checked)  # those of scores tell their steps
    if rate is not RESIDUAL and (seconds := _seconds(tested, counted.n.size)) >= ANNOUNCED:
        announce(f"{tested:,} subgroups, tested together, take about {_duration(seconds)}")
    table = _decided(counted, checked, level, share, margin, way, drawn)
    n = int(counted.n.sum())
    scan = SubgroupScan(
        OF_SCORES if rate is RESIDUAL else QUESTION,
        source.name,
        (),
        n,
        drawn,
        level,
        table,
        rate.name,
        deep,
        least,
        fdr=share,
        margin=margin,
        p_adjust=way,
        protocol=resolved,
        data=(source,),
        provenance=provenance(call_text("fairstats.subgroup_scan", source, text), drawn),
        bands=cut,
    )
    labels = {column.name: column.labels for column in counted.columns if column.name in resolved.groups}
    deeper = _deeper(counted, deep, least, subgroups, band)
    return replace(scan, statements=(*statements_of(scan, deeper), *measured(resolved), *label_cautions(labels)))


def _metric(columns: Mapping[str, Any], metric: str | None, bands: int) -> Metric:
    """What is measured: of scores the mean residual, which a decision has no part in."""
    scored = columns.get("score") is not None
    usual = RESIDUAL.name if scored else "selection rate"
    rate = choose("metric", usual if metric is None else metric, METRICS)
    if scored and rate is not RESIDUAL:
        raise InputError("metric", f"has {rate.name!r}, which needs no score; drop {Setting('score')}, or the metric.")
    if scored and columns.get("decision") is not None:
        raise InputError(
            "decision",
            f"has {columns['decision']!r}; a score is compared with the outcome, and no decision with either; name one "
            "of the two.",
        )
    if rate is not RESIDUAL and bands != DEFAULT_BANDS:
        raise InputError("bands", f"has {shown(bands)}; they are of a score, and there is none; name it, or drop them.")
    return rate


def _coded(
    data: Any, columns: dict[str, Any], rate: Metric, sides: Mapping[str, Any]
) -> tuple[CodedTally, DataSource, Resolved]:
    """People counted by single columns, without what a subgroup's limits do not know."""
    text = columns
    if isinstance(data, Tally):
        columns = with_roles(data, columns)
        for name in ("weights", "clusters"):
            if columns.get(name):
                raise InputError(
                    "data",
                    f"has people with {name} ({columns[name]!r}); subgroups are judged of people who count once "
                    f"and are independent; count them without {Setting(name)}, or audit with it.",
                )
        if data.most.any():
            raise InputError(
                "data", "has cells that were withheld; subgroups are judged of whole counts; pass the tally as counted."
            )
    given: dict[str, Any] = {name: columns.get(name) for name in ("decision", "outcome", "groups")}
    if rate is RESIDUAL:
        given["score"] = columns.get("score")
        given.pop("decision")
    for name in rate.columns:
        if given[name] is None:
            if rate is RESIDUAL and given["score"] is not None:
                fact = f"has {shown(given['score'])}, which is compared with the {name}"
                raise InputError("score", f"{fact}; name its column with {Setting(name)}.")
            raise InputError(
                "metric", f"has {rate.name!r}, which needs the {name}; name its column with {Setting(name)}."
            )
    given |= {name: text[name] for name in ("decision", "outcome") if name in given and name not in rate.columns}
    declared = declare(AuditArguments(**given, **sides))
    counted, source = people(data, declared)
    joined = [name for name in declared.groups if name not in counted.factors]
    if joined and ":" not in joined[0]:
        listed_of = listing(list(counted.factors), 12)
        raise InputError("groups", f"has {joined[0]!r}; the tally has no such column; it has {listed_of}.")
    if joined:
        raise InputError(
            "groups", f"has {joined[0]!r}; subgroups are made of single columns; name {listing(joined[0].split(':'))}."
        )
    coded, resolved = code(counted, declared)
    check_answers(counted.factors, declared, several=False)
    current = tuple(a for a in coded.attributes if a.name in declared.groups)
    return replace(coded, attributes=current), source, resolved


def _rows_of_subgroups(
    counted: RatePeople, result: list[Subgroup], rate: Metric, min_n: int
) -> list[tuple[Subgroup, Estimate]]:
    """Every subgroup with the start of its row, which says why where it is not judged."""
    whole = float(counted.n.sum())
    seen: dict[bytes, Subgroup] = {}
    out = []
    for current in result:
        reference = SCORE if rate is RESIDUAL else EVERYBODY
        row = Estimate(
            rate.name, current.attribute, current.group, "difference", reference, n=current.n, events=current.events
        )
        alike = seen.setdefault(np.packbits(current.members & (counted.n > 0)).tobytes(), current)
        if current.n == 0:
            row = replace(row, status="unestimable", reason=rate.empty)
        elif current.n == whole:
            row = replace(row, status="excluded", reason=ALL)
        elif current.n < min_n:
            row = replace(row, status="excluded", reason=FEW.format(n=min_n))
        elif alike is not current:
            row = replace(row, status="excluded", reason=ALIKE.format(list=DataText(who(alike.attribute, alike.group))))
        out.append((current, row))
    if all(row.status != "ok" for _, row in out):
        raise InputError(
            "min_n",
            f"has {min_n}; no subgroup short of everybody has so many people in the denominator of the "
            f"{rate.name}; the largest has {max(current.n for current in result):g}; lower it, or name other groups.",
        )
    return out


def _decided(
    counted: RatePeople,
    checked: list[tuple[Subgroup, Estimate]],
    conf_level: float,
    fdr: float,
    margin: float,
    p_adjust: ByFDR,
    seed: int,
) -> Estimates:
    """Everybody's rate, and the rows of all subgroups at their joint level, each with its verdict."""
    items = [current for current, row in checked if row.status == "ok"]
    if isinstance(counted, ScoredPeople):
        current = _of_residuals(items, counted, conf_level, margin, seed)
    else:
        current = _of_rates(checked[0][1].metric, items, counted, conf_level, margin, seed)
    tail, p = current.tail, current.p
    adjusted = benjamini_yekutieli(p) if p_adjust == "by" else p_adjusted_by(p, "bh")
    numbers = iter(np.stack([current.estimate, current.low, current.high, p, adjusted], axis=1).tolist())
    rows = [current.everybody]
    for _, row in checked:
        if row.status == "ok":
            estimate, least, most, alone, together = next(numbers)
            row = row.with_interval(
                estimate, least, most, 1 - 2 * tail, p_value=alone, p_adjusted=together, method=current.method
            )
            within = -margin <= least and most <= margin
            row = replace(
                row,
                verdict="flagged" if together <= fdr else "equivalence shown" if within else "inconclusive",
            )
        rows.append(row)
    return Estimates(_thinned(rows, {row.key: one for one, row in checked}, counted, margin))


def _thinned(
    rows: list[Estimate], subgroups: Mapping[Any, Subgroup], counted: RatePeople, margin: float
) -> list[Estimate]:
    """The rows, with a reason where a subgroup is flagged only because of the people of others.

    The farthest flagged subgroup stands. Its people are left out, and the flagged ones that no longer have a p-value as
    small as the largest of a flag, on the same side of everybody who is left, follow from it; and so on.
    """
    left = farthest_first(row for row in rows if row.verdict == FLAGGED)
    most = max((row.p_value for row in left), default=0.0)
    out = np.zeros(counted.n.size, dtype=bool)
    above: list[str] = []
    reasons: dict[Any, Message] = {}
    while left:
        first = left.pop(0)
        above.append(who(first.attribute, first.group))
        out |= subgroups[first.key].members
        members = [subgroups[row.key].members & ~out for row in left]
        remain = _stand(members, ~out, counted, margin, np.array([row.estimate for row in left]), most)
        for row in (row for row, stands in zip(left, remain, strict=True) if not stands):
            reasons[row.key] = WITHOUT.format(list=DataText("; ".join(above)))
        left = [row for row, stands in zip(left, remain, strict=True) if stands]
    return [replace(row, reason=reasons[row.key]) if row.key in reasons else row for row in rows]


def _stand(
    members: Sequence[NDArray[np.bool_]],
    rest: NDArray[np.bool_],
    counted: RatePeople,
    margin: float,
    estimate: Floats,
    most: float,
) -> list[bool]:
    """Whether the people of each subgroup who are left still differ from everybody who is left, to the same side."""
    if isinstance(counted, ScoredPeople):
        return [_score_stands(one, counted, margin, gap, most) for one, gap in zip(members, estimate, strict=True)]
    events, n = (np.array([float(of[one].sum()) for one in members]) for of in (counted.events, counted.n))
    whole = float(counted.events[rest].sum()), float(counted.n[rest].sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = events / n - whole[0] / whole[1]  # NaN where nobody is left
    return list((excess_p(events, n, *whole, margin) <= most) & (gap * estimate > 0))


def _score_stands(
    members: NDArray[np.bool_], counted: ScoredPeople, margin: float, estimate: float, most: float
) -> bool:
    events, n = float(counted.events[members].sum()), float(counted.n[members].sum())
    if not n:
        return False
    law = counted.law(members)
    return bool(residual_p(law, int(events), margin) <= most and (events / n - law.mean) * estimate > 0)


class _Compared(NamedTuple):
    """All subgroups at their joint level, and everybody's row."""

    estimate: Floats
    low: Floats
    high: Floats
    p: Floats
    tail: float
    method: Message
    everybody: Estimate


def _of_rates(
    metric: str, items: list[Subgroup], counted: RatePeople, conf_level: float, margin: float, seed: int
) -> _Compared:
    """The rates of subgroups less everybody's."""
    events, n = (np.array([getattr(current, name) for current in items]) for name in ("events", "n"))
    whole = float(counted.events.sum()), float(counted.n.sum())
    some = counted.n > 0
    members = np.stack([current.members[some] for current in items])
    tail = joint_tail(members, counted.events[some], counted.n[some], conf_level, seed)
    low, high = excess_limits(events, n, *whole, tail)
    p = excess_p(events, n, *whole, margin)
    return _Compared(
        events / n - whole[0] / whole[1], low, high, p, tail, METHOD, _everybody(metric, *whole, conf_level)
    )


def _of_residuals(
    items: list[Subgroup], counted: ScoredPeople, conf_level: float, margin: float, seed: int
) -> _Compared:
    """The shares with the outcome of subgroups less their mean scores."""
    members = np.stack([current.members for current in items])
    spread = np.maximum(counted.variance, 1e-9)  # where all scores are 0 or 1 no outcome is left to chance
    tail = largest_tail((members * spread) @ members.T.astype(float), conf_level, seed)
    laws = [counted.law(current.members) for current in items]
    events = [int(current.events) for current in items]
    both = steps("subgroups", list(zip(laws, events, strict=True)))
    low, high = np.array([residual_limits(law, e, tail) for law, e in both]).T
    p = np.array([residual_p(law, e, margin) for law, e in zip(laws, events, strict=True)])
    estimate = np.array([e / law.n - law.mean for law, e in zip(laws, events, strict=True)])
    law, e = counted.law(np.ones(counted.n.size, dtype=bool)), int(counted.events.sum())
    ends = residual_limits(law, e, (1 - conf_level) / 2)
    about = Estimate(RESIDUAL.name, "", EVERYBODY, "difference", SCORE, n=law.n, events=e, role="supplementary")
    everybody = about.with_interval(e / law.n - law.mean, *ends, conf_level, method=ONE_GROUP)
    return _Compared(estimate, low, high, p, tail, RESIDUALS, everybody)


def _everybody(metric: str, events: float, n: float, conf_level: float) -> Estimate:
    low, high = map(float, clopper_pearson(events, n, conf_level))
    about = Estimate(metric, group=EVERYBODY, n=n, events=events, role="supplementary")
    return about.with_interval(events / n, low, high, conf_level, method=INTERVAL_NAMES["clopper-pearson"])
