"""``monitor()``: whether a gap between groups changed, period after period, with one error rate over all looks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import date
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.arguments import AuditArguments, DefaultLabel
from fairstats.auditing.group_studies import (
    AFTER_ALARM,
    BEFORE,
    MOST_SAID,
    NOT_CONSTANT,
    OF_PERIOD,
    ONE_LIMIT,
    SINCE,
    SO_FAR,
    GroupStudy,
    allowed_gaps,
    data_text,
    largest,
    limits,
    result_of,
)
from fairstats.auditing.input import CHECKED_LATER, check_binary, refuse_counts
from fairstats.auditing.people import people
from fairstats.auditing.protocol import Protocol, declare, resolve
from fairstats.auditing.tally import Tally
from fairstats.data.read import Several
from fairstats.document import Table, as_text
from fairstats.errors import FileError, InputError, Setting, UnknownColumn, listing, named, snippet
from fairstats.estimates import Estimate
from fairstats.files import atomic_write, check_target, existing, file_path
from fairstats.inference.rates.monitoring import WatchedGap
from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.rates.planned_looks import PlannedGap, Spending
from fairstats.inference.rates.strata import stratified_rates
from fairstats.inference.rates.two_rates import miettinen_nurminen
from fairstats.inference.verdicts import ABOVE
from fairstats.labels import odd_answers, one_label
from fairstats.language import DataText, Message, listed, message, says
from fairstats.provenance import DataSource, spelled
from fairstats.text import count, percent, significant
from fairstats.validation import answering, between, choose, confidence, one_column, renamed_arguments, shown, whole

Floats = NDArray[np.float64]
SCHEMA = "fairstats/monitor/1"
LARGEST_E = 690.0  # the log of the largest e-value that is printed
FOR_BASELINE = 0.2  # the share of the error that the limits of the baseline's gap have
MOST_LOOKS = 24
FEWEST_EXCHANGED = 30  # people of a group in each of two periods
LEAST_EXCHANGED, Z_EXCHANGED = 0.1, 2.576  # how far a rate moved at least, and in standard errors: beyond chance at 1%
SPENDINGS = get_args(Spending)
LEAST_JUMP, Z_JUMP = 0.1, 4.0  # how far a share of the people jumps at least, and in standard errors
MOST_GAPS = 3  # places without periods that have a sentence each
QUESTION = message("Gaps between groups watched period by period")
WITH_STATE = message("{name}, after {n} earlier periods of the state")
WITH_STATE_ONE = message("{name}, after one earlier period of the state")
METHOD = message("e-process of bets and confidence sequence, one error rate over all periods")
PLANNED_METHOD = message("stratified test and repeated confidence limits of planned looks, by alpha spending")
PLANNED = message("Looks planned: {planned}; so far: {done}.")
PLANNED_OVER = message("All {planned} planned looks are done.")
BAND = message("Miettinen-Nurminen interval; of period t a share 1/(t(t+1)) of the error, so that all hold together")
WILSON = message("Wilson interval")
NO_BASELINE = message("nobody of the group was compared in the baseline")
WITHOUT_BASELINE = message(
    "Not compared with the baseline, which ends with {last} before anybody of the group was compared: {groups}. Rates "
    "by period are given; for a comparison begin again with a later baseline."
)
OF_BASELINE = message("stratified difference (Mantel-Haenszel weights), a fifth of the error")
NOBODY = message("nobody of a group in the period")
NEVER = message("no period has people of both groups")
FALLEN = message(
    "Alarm in {period}: in some period after {last} the gap of {group} ({group} less {reference}) was below {limit}, "
    "the lower limit from the periods until then; {when}."
)
RISEN = message(
    "Alarm in {period}: in some period after {last} the gap of {group} ({group} less {reference}) was above {limit}, "
    "the upper limit from the periods until then; {when}."
)
SINCE_THEN = message(
    "from about {since} to then the gap was {gap} percentage points (chosen by the data, it is too large as a rule)"
)
IN_IT = message("in {since} the gap was {gap} percentage points (chosen by the data, it is too large as a rule)")
FAVORED = message("Rates are of {decision} = {label}.")
WITHOUT_LOOKS = message(
    "A small change is seen more often with {looks}, the number of looks, named before the periods are seen.",
    looks=Setting("looks"),
)
IS_THERE = message(
    "The question is whether there is a gap; to ask whether it changed, name a baseline before the periods are seen."
)
AFTER_IN = message(
    "After the alarm, in {first}, the gap of {group} was {gap} percentage points; whether it has changed again was not "
    "tested."
)
AFTER = message(
    "After the alarm, from {first} to {last}, the gap of {group} was between {low} and {high} percentage points, "
    "period by period; whether it has changed again was not tested."
)
NEXT = message(
    "Next: audit the decisions from {since} on to see why, and go on with the same settings; do not begin anew to see "
    "whether the alarm comes back."
)
NEXT_OVER = message(
    "Next: audit the decisions from {since} on to see why. All planned looks are done; do not begin anew to see "
    "whether the alarm comes back."
)
LARGEST = message(
    "Reference: {reference}, the largest group of {period}; it stays the same in later periods. If another is meant, "
    "name it as the reference before the periods are seen."
)
RESPELLED = message(
    "Decisions of {periods} are written otherwise than those of the state: {label} counts as its {favorable}."
)
REPEATED = message("The state had {period} already, with the same counts; nothing was counted twice.")
REPEATED_ALL = message(
    "The state had all periods from {first} to {last} already, with the same counts; nothing was counted twice."
)
NOT_NEW = message("An alarm in {last} or before is not new: the state had these periods before this call.")
BASELINE = message(
    "Baseline: up to {last} the gap of {group} ({group} less {reference}) was {gap} percentage points ({limits})."
)
SEVERAL = message("{n} groups")
CONSTANT = message("A constant gap of {limits} percentage points ({group} less {reference}) is not excluded.")
CONSTANT_EACH = message("Constant gaps that are not excluded, in percentage points less {reference}: {list}.")
CONSTANT_OF = message("{group} {limits}")
EXCHANGED = message(
    "In {list} the rates of all groups moved to the other side of 50% from the period before, each by {least} "
    "percentage points or more: check whether the labels of {decision} mean the same."
)
JUMPED = message(
    "In {period} shares of groups among the people jumped from the period before ({list}): check whether the labels of "
    "{groups} mean the same."
)
JUMPED_IN = message(
    "In {periods} shares of groups among the people jumped from the period before (in {period}: {list}): check whether "
    "the labels of {groups} mean the same."
)
SHARE_OF = message("{group} from {before}% to {now}%")
QUIET_ONE = message("No alarm in the one period so far, {period} ({groups} compared with {reference}).")
DAYS = message(
    "Every day is a period of its own; with few people a day, months are easier to read: name a column with the first "
    "seven characters of the date, such as 2024-03, or of weeks, such as 2024-W09."
)
MISSING_IN = message("Nothing is known of {n} periods between {before} and {after}, at {places} places.")
QUIET_OTHERS = message("No alarm of {groups}, compared with {reference}.")
NOT_COMPARED = message("Not compared: {groups}. No watched period has people of them and of {reference}.")
NOTHING = message("Nothing was compared: no watched period has people of {reference} and of another group.")
QUIET = message("No alarm in {n} periods ({groups} compared with {reference}).")
LOWER = message("Alarm in {period}: {group} had a lower rate than {reference} in some period by then; {when}.")
HIGHER = message("Alarm in {period}: {group} had a higher rate than {reference} in some period by then; {when}.")
BEYOND_BELOW = message(
    "Alarm in {period}: the rate of {group} was more than {margin} percentage points below that of {reference} in some "
    "period by then; {when}."
)
BEYOND_ABOVE = message(
    "Alarm in {period}: the rate of {group} was more than {margin} percentage points above that of {reference} in some "
    "period by then; {when}."
)
MOVED = message(
    "No one gap of {group} fits all periods: in at least one it was above {low} percentage points, in at least one "
    "other below {high}."
)
MISSING = message("Nothing is known of {n} periods between {before} and {after}.")
MISSING_ONE = message("Nothing is known of the period between {before} and {after}.")
ABSENT = message("In {list} there was nobody of {group}: they were not compared then.")
ABSENT_IN = message("In {n} periods, most recently {last}, there was nobody of {group}: they were not compared then.")
ABSENT_BASE = message("In {list} there was nobody of {group}, the reference: no group was compared then.")
ABSENT_BASE_IN = message(
    "In {n} periods, most recently {last}, there was nobody of {group}, the reference: no group was compared then."
)
INCOMPLETE = message("{n} people lack a group, a decision or a period, and are left out.")
INCOMPLETE_ONE = message("One person lacks a group, a decision or a period, and is left out.")


@answering
def monitor(
    data: Any,
    decision: str | None = None,
    groups: str | None = None,
    *,
    period: str | None = None,
    levels: Sequence[Any] | None = None,
    favorable: Any = AuditArguments.favorable,
    reference: str | None = None,
    margin: float = 0.0,
    baseline: str | None = None,
    looks: int | None = None,
    spending: Spending = "obrien-fleming",
    conf_level: float = 0.95,
    state: str | Path | None = None,
) -> GroupStudy:
    """Watch the gap between groups period by period, with one error rate however often one looks.

    Parameters
    ----------
    data : table, path, list of paths, Tally or list of Tally
        People with the columns named here, or counts of them (`tally` or `from_counts` with the period as ``strata``),
        whose columns need not be named again.
    decision, groups : str
        The column of a decision, and that of groups.
    period : str, optional
        The column of periods: ``2024-03``, ``2024-Q1``, ``2024-W09``, dates, or whole numbers; ``"month"`` by default.
    levels : list of label, optional
        All groups that will be watched, also those whom nobody is in yet: a group that comes later has its share of the
        error from the start. The groups of the first call by default; any other group is refused.
    favorable : label
        The decision that helps; one that is named is set against all others. The labels are those of the first period.
    reference : str, optional
        The group that others are compared with; the largest of the first period by default, and in all later ones.
    margin : float
        The largest gap that raises no alarm, such as 0.02; fix it beforehand.
    baseline : str, optional
        The last of the periods that later ones are compared with: the question is then whether the gap changed, not
        whether there is one. It raises the alarm where it is not as it was up to then (by more than the margin),
        however large it was. Fix it beforehand.
    looks : int, optional
        How many periods there will be, 2 to 24, planned beforehand, those of the baseline not counted: then tests by
        alpha spending take the place of bets. They see a small gap, or one at few looks, more often; a large gap that
        begins after many looks, later.
    spending : {"obrien-fleming", "pocock"}
        How the error is spent over planned looks: hardly any at first, or about as much at each.
    conf_level : float
        One minus the chance of any alarm, in all periods and groups, while no gap exceeds the margin.
    state : path, optional
        A JSON file with the counts so far. Where it is there, ``data`` are the periods after its last, and the result
        is that of all periods at once; it is written anew. The last ones again, with the same counts, are not counted
        twice.

    Returns
    -------
    GroupStudy
        ``alarm`` is the first period that raises it, or None; ``new_alarms`` those of this call's periods. Of each
        group one row with the verdict: the mean gap of all periods, with the confidence sequence after the last until
        an alarm, and without limits after it. Role
        "supplementary": rates and gap of every period (``given``), the gap with a band that holds for all periods
        together; term "baseline" that of the baseline; estimator "periods so far" with the e-value (z of planned looks)
        as ``statistic``; term "since the change" with the estimated period of the change as ``given``.

    Raises
    ------
    InputError
        If a column is unusable, periods cannot be ordered, or the state is of another question, has these periods, or
        does not know a group, or if a period has a label of the decision that none before it had.
    FileError
        If a file cannot be read, or the state is damaged.

    Notes
    -----
    The hypothesis is "in every period the rates differ by at most the margin"; the rates themselves may drift, and
    people of one period may have unlike chances. People have to be independent of each other. Bets are placed before
    a period's decisions are seen, the e-value is what they made of 1. The limits of the confidence sequence say that
    the gap was above the lower one in some period and below the upper one in some: if it never changed, both enclose
    it, in all periods at once. Of several groups each has its share of the error. A baseline's mean gap (of weights
    n m / (n + m)) is known up to limits that have a fifth of the error; beyond them, and the margin, later gaps count.

    References
    ----------
    Turner, Ly & Grünwald (2024), Journal of Statistical Planning and Inference 230, 106116; Waudby-Smith & Ramdas
    (2024), Journal of the Royal Statistical Society B 86, 1-27; Chugg, Cortes-Gomez, Wilder & Ramdas (2023), NeurIPS.
    Planned looks: Lan & DeMets (1983), Biometrika 70, 659-663; Jennison & Turnbull (1989), Journal of the Royal
    Statistical Society B 51, 305-361.

    Examples
    --------
    >>> import fairstats as fs
    >>> months = {"month": ["2024-01"] * 80 + ["2024-02"] * 80, "sex": ["f", "m"] * 80, "hired": [0, 1, 1, 1] * 40}
    >>> result = fs.monitor(months, "hired", "sex", reference="m")
    >>> result.alarm, result.compared()[0].verdict
    ('2024-01', 'disparity shown')
    """
    data = _one_tally(data)
    named_here = _columns_of(data, decision, groups, period)
    if absent := [role for role, name in named_here.items() if name is None]:
        found = f" of those counted: {listing(data.factors)}" if isinstance(data, Tally) else " of the data"
        raise InputError(absent[0], f"is missing; name one column{found}.")
    about = {role: one_column(role, name) for role, name in named_here.items()}
    if len(set(about.values())) < 3:
        raise InputError("period", f"has {period!r}, which has another role, too; name three columns.")
    level = confidence(conf_level)
    margin = between("margin", margin, 0, 1, "pass 0.02 for 2 percentage points", ends="[)")
    wanted = None if reference is None else one_label("reference", reference)
    choose("spending", spending, dict.fromkeys(SPENDINGS))
    planned = None if looks is None else whole("looks", looks, 2, MOST_LOOKS)
    if spending != SPENDINGS[0] and not planned:
        raise InputError(
            "spending", f"has {spending!r}, which is of planned looks; pass {Setting('looks')}, or drop it."
        )
    last = None if baseline is None else one_label("baseline", baseline)
    label = "" if isinstance(favorable, DefaultLabel) else one_label("favorable", favorable)
    every = None if levels is None else _levels(levels)
    if state is not None:
        check_target(file_path("state", state))
    before = None if state is None or not Path(state).exists() else _read(existing(state, "state"))
    if before is not None:
        now = {**about, "favorable": label, "reference": wanted, "margin": margin, "conf_level": level}
        now |= {"baseline": last, "looks": planned, "spending": spending if planned else None}
        before.check(state, now)
        if every is not None and {*every} != {*before.labels}:
            way = (
                f"has {listing(every)}; the state was begun with {listing(before.labels)}; pass these, or leave it out"
            )
            raise InputError("levels", f"{way}. For other groups begin another state with all periods.")
        label = before.favorable
    several = not isinstance(favorable, DefaultLabel)  # the label is set against all others
    try:
        new, source, notes = _watched(data, about, label or favorable, several, before, every)
    except UnknownColumn as error:
        if period is None and error.argument == "period":
            fact = f"is missing, and its default, {about['period']!r}, is not a column of data"
            raise InputError("period", f"{fact}; name the column of periods.") from None
        raise
    if before is None:
        first = new.n[0]
        base = new.labels[largest(new.labels, first, wanted)]
        watched = replace(new, reference=base, margin=margin, conf_level=level, baseline=last or "")
        watched = replace(watched, looks=planned or 0, spending=spending if planned else "")
        if last is not None and last not in new.periods[:-1]:
            fact = "after which no period follows" if last == new.periods[-1] else "which is no period of the data"
            have = f"{new.periods[0]} to {new.periods[-1]}; name one before the last" * (len(new.periods) > 1)
            raise InputError(
                "baseline",
                f"has {last!r}, {fact}; the data have {have or new.periods[0]}. The first call takes all periods up to "
                "the baseline and a later one at once.",
            )
    else:
        watched = before.followed(new)
    if watched.looks and watched.done > watched.looks:
        found = f"there are {watched.done} periods{' after the baseline' if watched.baseline else ''}"
        raise InputError("looks", f"has {watched.looks}, and {found}; plan as many, or watch without.")
    watched = replace(watched, reference_named=watched.reference_named or wanted is not None)
    rows, lines = _Found(watched).said()
    lines += notes
    if before is not None and new.favorable != before.favorable:
        of = {"periods": listed([DataText(name) for name in new.periods], MOST_GAPS), "label": DataText(new.favorable)}
        lines.append(RESPELLED.format(favorable=DataText(before.favorable), **of))
    again = before is not None and len(before.periods) == len(watched.periods)  # nothing but periods that it had
    n = 0 if before is None else len(before.periods) - again * len(new.periods)  # periods that were there before
    if again:
        ends = {"first": DataText(new.periods[0]), "last": DataText(new.periods[-1])}
        lines.append(REPEATED_ALL.format(**ends) if new.periods[1:] else REPEATED.format(period=ends["last"]))
    settings = {
        **about,
        "levels": None if every is None else list(every),
        "favorable": watched.favorable,
        "reference": watched.reference,
        "margin": margin or None,
        "baseline": watched.baseline or None,
        "looks": watched.looks or None,
        "spending": watched.spending or None,
    }
    settings |= {"conf_level": level, "state": None if state is None else str(state)}
    by_default = [name for name, named_so in (("favorable", several), ("reference", wanted)) if not named_so]
    people_of = int(watched.n.sum())
    result = result_of(QUESTION, "monitor", source, rows, lines, people_of, level, about["groups"], settings)
    unnamed, after = {"by_default": by_default} if by_default else {}, {} if before is None else {"resumed": True}
    result = replace(result, settings=result.settings | unnamed | after)
    if n:
        method = (WITH_STATE if n > 1 else WITH_STATE_ONE).format(name=DataText(source.name), n=n)
        last = watched.periods[n - 1]
        result = replace(result, method=method, settings=result.settings | {"known_until": last})
        if len(result.new_alarms) < len(result.alarms):
            old = NOT_NEW.format(last=DataText(last))
            result = replace(result, statements=(*result.statements, old))
    if state is not None:
        content = {"schema": SCHEMA, **asdict(watched)}
        atomic_write(state, (json.dumps({**content, "sha256": _checksum(content)}, indent=1) + "\n").encode())
    return result


def in_brief(result: GroupStudy) -> str:
    """The answer alone: alarms, what was after them, what to do, and what is wrong with the data; no table."""
    left_out = (MOVED, PLANNED, FAVORED, IS_THERE, WITHOUT_LOOKS, LARGEST)
    kept = tuple(text for text in result.statements if not any(says(text, code) for code in left_out))
    blocks = replace(result, statements=kept)._content(brief=True)
    return as_text(block for block in blocks if not isinstance(block, Table))


def resumed(settings: Mapping[str, Any]) -> bool:
    """Whether a result follows a state, whose people its call does not have."""
    return not {"known_until", "resumed"}.isdisjoint(settings)


def watched_again(data: Any, **settings: Any) -> GroupStudy:
    """The result of one call by the settings of another; what nobody named is found again, and no state is written."""
    left = {"state", "by_default", *settings.get("by_default", ())}
    result = monitor(data, **{name: value for name, value in settings.items() if name not in left})
    have = result.settings | {name: settings[name] for name in settings if name == "state"}
    return replace(result, settings={name: have[name] for name in (*settings, *have) if name in have})


@dataclass(frozen=True)
class _Watched:
    """What is watched, and the counts so far: all that the next period needs, and all that the state file holds."""

    decision: str
    groups: str
    period: str
    favorable: str
    reference: str
    margin: float
    conf_level: float
    left_out: int
    labels: tuple[str, ...]
    periods: tuple[str, ...]
    people: tuple[tuple[int, ...], ...]  # of each period by group
    selected: tuple[tuple[int, ...], ...]
    baseline: str = ""  # the last period of it
    looks: int = 0  # planned, 0 without an end
    spending: Spending | Literal[""] = ""
    decisions: tuple[str, ...] = ()  # labels of the decision so far; a state that was written before has none
    reference_named: bool = False  # in any call; else it is the largest group of the first period

    @property
    def start(self) -> int:
        """The first period that may raise an alarm."""
        return self.periods.index(self.baseline) + 1 if self.baseline else 0

    @property
    def done(self) -> int:
        """How many periods were looked at."""
        return len(self.periods) - self.start

    @property
    def over(self) -> bool:
        """Whether all looks that were planned are done."""
        return self.done == self.looks

    @property
    def n(self) -> Floats:
        """People, shape (periods, groups)."""
        return np.array(self.people, dtype=float)

    @property
    def y(self) -> Floats:
        """Who was selected, shape (periods, groups)."""
        return np.array(self.selected, dtype=float)

    def check(self, path: Any, now: dict[str, Any]) -> None:
        """Refuse a state of another question; what was not named now is what it says."""
        for name, value in now.items():
            if value not in ("", None) and (begun := getattr(self, name)) != value:
                way = f"with {Setting(name, begun)}; pass that"
                if name in ("baseline", "looks", "spending") and not begun:
                    way = f"without {named(name)}; leave it out"
                raise InputError("state", f"has {str(path)!r}, which was begun {way}, or begin another file.")

    def followed(self, new: _Watched) -> _Watched:
        """With the periods after the last; as it is where the last ones come again with the same counts."""
        if unknown := [label for label in new.labels if label not in self.labels]:
            raise InputError(
                "groups",
                f"has {listing(unknown)}, which the state does not know; its groups are {listing(self.labels)}; give "
                "the same groups, or, if a group is new, begin another state with all periods and the same settings, "
                f"and name all groups that may come with {named('levels')}.",
            )
        of = [new.labels.index(label) if label in new.labels else -1 for label in self.labels]
        more = [
            tuple(tuple(line[i] if i >= 0 else 0 for i in of) for line in lines)
            for lines in (new.people, new.selected)
        ]  # fmt: skip
        have = dict(zip(self.periods, zip(self.people, self.selected, strict=True), strict=True))
        come = dict(zip(new.periods, zip(*more, strict=True), strict=True))
        if other := [name for name in new.periods if name in have and come[name] != have[name]]:
            raise InputError(
                "period",
                f"has {listing(other)} with other counts than the state, which goes to {self.periods[-1]!r} already; "
                "pass only later periods. If people came late, or counts were corrected, begin another state with all "
                "periods and the same settings.",
            )
        if new.periods == self.periods[-len(new.periods) :]:
            return self
        known = [name for name in new.periods if name in self.periods]
        if not known:
            places = places_in_time((*self.periods, *new.periods), self.period, len(self.periods))
            last = places[len(self.periods) - 1]
            known = [name for name, at in zip(new.periods, places[len(self.periods) :], strict=True) if at < last]
        if known:
            raise InputError(
                "period",
                f"has {listing(known)}, and the state goes to {self.periods[-1]!r} already; pass only later periods. "
                "For one that came late, begin another state with all periods and the same settings, or leave it out.",
            )
        return replace(
            self, left_out=self.left_out + new.left_out, periods=(*self.periods, *new.periods),
            people=(*self.people, *more[0]), selected=(*self.selected, *more[1]),
            decisions=(*self.decisions, *new.decisions),
        )  # fmt: skip


def _one_tally(data: Any) -> Any:
    """The sum of a list of tallies; anything else is as it is."""
    several = isinstance(data, (list, tuple)) and data and all(isinstance(one, Tally) for one in data)
    return sum(data[1:], data[0]) if several else data


def _columns_of(data: Any, decision: str | None, groups: str | None, period: str | None) -> dict[str, str | None]:
    """The three columns; those that a call leaves out are the ones that a tally was counted for, where each is one."""
    roles = data.roles if isinstance(data, Tally) else {}
    counted = {role: names[0] for role, names in roles.items() if len(names) == 1}
    return {
        "decision": counted.get("decision") if decision is None else decision,
        "groups": counted.get("groups") if groups is None else groups,
        "period": counted.get("strata", "month") if period is None else period,
    }


def _watched(
    data: Any,
    about: dict[str, str],
    favorable: Any,
    several: bool,
    before: _Watched | None,
    every: tuple[str, ...] | None = None,
) -> tuple[_Watched, DataSource, list[Message]]:
    """The counts of data by period and group, and a caution on the decision; before: the state that they follow.

    every: the groups that were named, those without anybody included.
    """
    if isinstance(data, (list, tuple)) and data and all(isinstance(one, (str, Path)) for one in data):
        data = Several(tuple(map(str, data)))
    arguments = AuditArguments(
        decision=about["decision"], groups=about["groups"], strata=about["period"], favorable=favorable
    )
    declared = replace(declare(arguments), chosen=("favorable", CHECKED_LATER))
    with renamed_arguments(strata="period"):
        counted, source = people(data, declared)
    for role, name in about.items():
        if name not in counted.factors:
            raise InputError(role, f"has {name!r}; the counts are by {listing(counted.factors)}; name one of these.")
    if counted.weights or counted.most.any():
        raise InputError("data", "has weights or withheld cells; pass people who count once, or whole counts of them.")
    answer = counted.factors[about["decision"]]
    group, when = counted.factors[about["groups"]], counted.factors[about["period"]]
    taken = snippet("pass what fairstats.from_counts makes of them")
    sides = f"{Setting('selected', about['decision'])}, {Setting('total')} and {Setting('strata', about['period'])}"
    way = f"a row has to be one person; if these are numbers of people, {taken} with {sides}"
    refuse_counts(about["decision"], answer, [group, when], counted.rows, way=way)
    known = (group.codes >= 0) & (when.codes >= 0) & (answer.codes >= 0)
    met = np.zeros((len(when.levels), len(answer.levels)), dtype=bool)
    met[when.codes[known], answer.codes[known]] = True
    if before is None and len(when.levels) == int(counted.rows[when.codes >= 0].sum()) > MOST_LOOKS:
        raise InputError(
            "period",
            f"has {about['period']!r}, another value for every person; name a column of months, weeks or days.",
        )
    order = [i for i in np.argsort(places_in_time(when.levels, about["period"])) if met[i].any()]
    labels_of = {when.levels[i]: [answer.levels[j] for j in np.flatnonzero(met[i])] for i in order}
    decisions = _decisions(about["decision"], spelled(favorable, answer.levels) if several else "", labels_of, before)
    if not several:
        check_binary("decision", about["decision"], answer)
    rules = resolve(
        Protocol((about["groups"],), decision=about["decision"], favorable=declared.favorable),
        outcome=None, decision=answer.levels, attributes=(about["groups"],),
    )  # fmt: skip
    favors = np.array([level == rules.favorable for level in (*answer.levels, "")])[answer.codes]
    shape = (len(when.levels), len(group.levels))
    n, y = np.zeros(shape), np.zeros(shape)
    np.add.at(n, (when.codes[known], group.codes[known]), counted.rows[known])
    np.add.at(y, (when.codes[known], group.codes[known]), (counted.rows * favors)[known])
    there = [i for i in range(shape[1]) if n[:, i].any()]
    if len(there) < (2 if before is None and every is None else 1):
        fact = "nobody in a group" if before or every else "fewer than two groups that anybody is in"
        raise InputError("groups", f"has {about['groups']!r} with {fact}; name another column.")
    found = tuple(group.levels[j] for j in there)
    if every is not None and (other := [label for label in found if label not in every]):
        way = f"has {listing(every)}, and the data have {listing(other)}, too; name all groups, or leave those out"
        raise InputError("levels", f"{way}.")
    labels, names = every or found, tuple(when.levels[i] for i in order)
    at = [group.levels.index(label) if label in found else -1 for label in labels]
    people_of, selected = (tuple(tuple(int(v[i, j]) if j >= 0 else 0 for j in at) for i in order) for v in (n, y))
    lost = int(counted.rows[~known].sum())
    rule = about["decision"], about["groups"], about["period"], rules.favorable
    notes = odd_answers({about["decision"]: answer.levels})
    watched = _Watched(*rule, "", 0.0, 0.0, lost, labels, names, people_of, selected, decisions=decisions)
    return watched, source, notes


def _levels(levels: Any) -> tuple[str, ...]:
    """The groups that are named: two or more, each once."""
    if isinstance(levels, (str, bytes)) or not isinstance(levels, Iterable):
        raise InputError("levels", f"has {shown(levels)}; pass a list of all groups, such as ['a', 'b'].")
    found = tuple(one_label("levels", value) for value in levels)
    if twice := [label for label in dict.fromkeys(found) if found.count(label) > 1]:
        raise InputError("levels", f"has {listing(twice)} more than once; name every group once.")
    if len(found) < 2:
        raise InputError("levels", f"has {listing(found)}; name two groups or more, of whom one is the reference.")
    return found


def _decisions(
    column: str, favorable: str, labels_of: dict[str, list[str]], before: _Watched | None
) -> tuple[str, ...]:
    """Labels of decisions that are new to a state, or all; labels_of: those of each period, in time.

    A period with labels that none before it had may be coded otherwise, and is refused. A second label may come later.
    """
    first = next(iter(labels_of.values()), [])
    if before is None and not favorable and len(first) > 2:
        return ()  # too many without a change: a favorable one has to be named
    known = [favorable, *first] if before is None else [before.favorable, *before.decisions]
    known = [*dict.fromkeys(filter(None, known))]
    every = list(dict.fromkeys(one for labels in labels_of.values() for one in labels))
    new: list[str] = []
    for period, labels in labels_of.items():
        meant = {spelled(one, every) for one in (*known, *new)}
        others = [one for one in labels if one not in meant]
        if others and (len(known) + len(new) > 1 or len(others) == len(labels) > 1):
            again = "" if before is None else ", and begin another state with all periods and the same settings"
            raise InputError(
                "decision",
                f"has {column!r} with {listing(others)} in {period}, which no period before it has; the labels until "
                f"then are {listing(sorted({*known, *new}))}; write decisions in one way in all periods. If a label is "
                f"new, make a column of two labels, such as 1 and 0, in all periods{again}.",
            )
        new += others
    return tuple(new if before else dict.fromkeys((*known, *new)))


_DAY = r"(\d{4}-\d\d-\d\d)"
_FORMS = (
    (r"(\d{4})-?(0[1-9]|1[0-2])", lambda year, month: 12 * int(year) + int(month)),
    (r"(\d{4})-?Q([1-4])", lambda year, quarter: 4 * int(year) + int(quarter)),
    (r"(\d{4})-?W(\d\d)", lambda year, week: date.fromisocalendar(int(year), int(week), 1).toordinal() // 7),
    (r"(\d{4})-(\d\d)-01", lambda year, month: 12 * date(int(year), int(month), 1).year + int(month)),
    (_DAY, lambda day: date.fromisoformat(day).toordinal()),
    (r"(\d{1,9})", int),
)


def places_in_time(labels: Sequence[str], column: str, of_state: int = 0) -> list[int]:
    """The place of every period in time, one apart where none is missing between them.

    of_state: how many of the labels, the first ones, are those of a state.

    >>> places_in_time(["2024-11", "2025-02"], "month")[1] - places_in_time(["2024-11", "2025-02"], "month")[0]
    3
    """
    most: dict[str, int] = {}  # the places by the form that most labels have
    for form, place in _FORMS:
        places = {}
        for label in labels:
            with suppress(ValueError):  # no such day or week
                if match := re.fullmatch(form, label):
                    places[label] = place(*match.groups())
        if len(places) == len(set(places.values())) == len(labels):
            return list(places.values())
        most = places if len(places) > len(most) else most
    forms = "months as 2024-03, quarters as 2024-Q1, weeks as 2024-W09, days as 2024-03-31, or whole numbers"
    if others := [label for label in labels if label not in most]:
        fact = f"{listing(others, 4)}, which have no order that is sure; write {forms}"
        if len(most) > 1:
            beside = "those of the state" if set(most) <= set(labels[:of_state]) else "the others"
            last = list(most)[-1]
            fact = f"{listing(others, 4)} beside {beside}, such as {last}; write all in one way: {forms}"
    else:
        twice = next(at for at in most.values() if list(most.values()).count(at) > 1)
        same = [label for label, at in most.items() if at == twice]
        fact = f"{listing(same)}, which are one period; write it in one way"
    raise InputError("period", f"has {column!r} with {fact}.")


def _read(path: Path) -> _Watched:
    """The state of earlier periods, checked in every part."""
    try:
        content = json.loads(path.read_bytes().decode())
        stated = content.pop("sha256")
        edited = stated != _checksum(content)
        if content.pop("schema") != SCHEMA:
            raise ValueError
        tables = {name: tuple(map(tuple, content[name])) for name in ("people", "selected")}
        lists = {name: tuple(content[name]) for name in ("labels", "periods", "decisions") if name in content}
        found = _Watched(**{**content, **lists, **tables})
        texts = (found.decision, found.groups, found.period, found.favorable, found.reference, found.baseline)
        places = places_in_time(found.periods, found.period)
        numbers = [v for lines in (found.people, found.selected) for line in lines for v in line]
        sound = (
            all(type(text) is str for text in (*texts, *found.labels, *found.decisions))
            and all(type(number) is int for number in (*numbers, found.left_out))
            and all(type(share) is float for share in (found.margin, found.conf_level))
            and found.n.shape == found.y.shape == (len(found.periods), len(found.labels))
            and bool((found.y >= 0).all() and (found.y <= found.n).all() and (found.n.sum(axis=1) > 0).all())
            and found.reference in found.labels
            and found.baseline in ("", *found.periods[:-1])
            and len(set(found.labels)) == len(found.labels) > 1
            and places == sorted(places)
            and found.left_out >= 0
            and type(found.reference_named) is bool
            and type(found.looks) is int
            and (2 <= found.looks <= MOST_LOOKS if found.spending in SPENDINGS else found.looks == 0)
            and (found.spending != "" or not found.looks)
            and 0 <= found.margin < 1
            and 0.5 <= found.conf_level < 1
        )
        if not sound:
            raise ValueError
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, InputError) as problem:
        raise FileError(
            f"{str(path)!r} is no state of monitor, or is damaged; name the file that it wrote, or a new one."
        ) from problem
    if edited:
        raise FileError(
            f"{str(path)!r} is not as monitor wrote it: its counts or its rules were changed since; take a copy of it, "
            "or begin another file with all periods."
        )
    return found


def _checksum(content: dict[str, Any]) -> str:
    """Of a state, however its text is spaced: it shows a slip of the hand, and is no protection."""
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class _Evidence:
    """What is known of a gap after every period, shape (periods,) each: p, its statistic, limits, the side."""

    p: Floats
    statistic: Floats
    lows: Floats
    highs: Floats
    above: NDArray[np.bool_]
    method: str

    @classmethod
    def of(
        cls, gap: WatchedGap, within: tuple[float, float], share: float, spent: float, watched: _Watched
    ) -> _Evidence:
        """Of bets, or of planned looks; spent: the part of a group's share of the error that is for this."""
        if watched.looks and watched.spending:
            counts = gap.y, gap.n, gap.y_ref, gap.n_ref
            planned = PlannedGap(*counts, watched.looks, watched.spending, within, watched.start)
            lows, highs = planned.limits(spent)
            p = np.minimum(1.0, planned.p_values(spent) * share / spent)
            return cls(p, planned.z, lows, highs, lows - within[1] > within[0] - highs, PLANNED_METHOD)
        log_e = gap.log_e(within) + np.log(spent / share)
        p, e = np.minimum(1.0, np.exp(-log_e)), np.exp(np.minimum(log_e, LARGEST_E))
        return cls(p, e, *gap.limits(spent, within), gap.above_both(within), METHOD)

    @property
    def sure(self) -> NDArray[np.bool_]:
        """Whether the gap was not the same throughout: what stands is the side of the stronger evidence."""
        return np.asarray(self.lows > self.highs)

    def limits(self, k: int) -> tuple[float, float]:
        """After a period."""
        one = self.sure[k]
        low = -1.0 if one and not self.above[k] else float(self.lows[k])
        return low, 1.0 if one and self.above[k] else float(self.highs[k])


TAKEN = 0.5  # of the people of a missing group: as many more of the others may be these, under other labels


def exchanged(n: Floats, y: Floats) -> dict[int, float]:
    """Periods in which the rates of all groups are on the other side of 50% than before, and the smallest change.

    So they are where two labels of a decision change places. Two groups at least have to move beyond chance, and none
    of some people may stay; one of few people moves as far, though it may be by chance.

    n, y: people and those selected, shape (periods, groups).

    >>> exchanged(np.array([[100, 100], [100, 100]]), np.array([[25, 41], [72, 60]]))
    {1: 0.19}
    """
    enough = (n[1:] >= FEWEST_EXCHANGED) & (n[:-1] >= FEWEST_EXCHANGED)
    before, now = y[:-1] / np.maximum(n[:-1], 1), y[1:] / np.maximum(n[1:], 1)
    pooled = (y[:-1] + y[1:]) / np.maximum(n[:-1] + n[1:], 1)
    error = np.sqrt(pooled * (1 - pooled) * (1 / np.maximum(n[:-1], 1) + 1 / np.maximum(n[1:], 1)))
    change = np.abs(now - before)
    passed = ((before - 0.5) * (now - 0.5) < 0) & (change >= LEAST_EXCHANGED)
    clear = enough & passed & (change >= Z_EXCHANGED * error)
    found = (clear.sum(axis=1) > 1) & (passed | ~enough).all(axis=1)
    least = np.where(enough, change, 1.0).min(axis=1)
    return {int(k) + 1: round(float(least[k]), 12) for k in np.flatnonzero(found)}


def jumped(n: Floats, reference: int | None = None) -> dict[int, list[int]]:
    """Periods in which shares of groups among the people are far from those before, and these groups.

    So they are where two labels of the groups change places, or all of one group get the label of another. A group
    that is missing, or comes back, is another matter (`gone`): the others are then compared with each other alone. A
    period without the reference, which compares nobody, and the one after it are left out.

    n: people, shape (periods, groups).

    >>> jumped(np.array([[500, 300, 5], [510, 290, 6], [300, 500, 5]]))
    {2: [0, 1]}
    """
    far = _far(n)
    if reference is not None:
        there = n[:, reference] > 0
        far[~(there[1:] & there[:-1])] = False
        for k in np.flatnonzero(far.any(axis=1)):
            before, now, ever = n[k] > 0, n[k + 1] > 0, n[:k].any(axis=0)
            lost, back = (before & ~now).any(), (now & ~before & ever).any()
            both, moved = before & now, n[k + 1] - n[k]
            # people of a label that is new, or of others by so many more or fewer, may be those of the missing one
            taken = bool((now & ~before & ~ever).any()) or -moved[both].sum() / (moved[~both].sum() or 1) > TAKEN
            if lost != back and not taken:
                far[k] = False
                far[k, both] = _far(n[k : k + 2, both])[0]
    return {int(k) + 1: np.flatnonzero(far[k]).tolist() for k in np.flatnonzero(far.any(axis=1))}


def _far(n: Floats) -> NDArray[np.bool_]:
    """Which groups have another share of the people than in the period before."""
    total = np.maximum(n.sum(axis=1, keepdims=True), 1)
    share = n / total
    pooled = (n[1:] + n[:-1]) / (total[1:] + total[:-1])
    error = np.sqrt(pooled * (1 - pooled) * (1 / total[1:] + 1 / total[:-1]))
    return np.asarray(np.abs(share[1:] - share[:-1]) >= np.maximum(LEAST_JUMP, Z_JUMP * error))


def gone(n: Floats, group: int) -> list[int]:
    """Periods without anybody of a group, which had its usual share of the people in the period before.

    >>> gone(np.array([[500, 300], [0, 290], [0, 310], [510, 300]]), 0)
    [1]
    """
    return [k for k, groups in jumped(n).items() if group in groups and not n[k, group]]


def moved_labels(result: GroupStudy) -> list[str]:
    """The sentences on labels that may mean others than before, and on a reference that is gone, of this call alone."""
    rows = result.estimates.only(contrast="none", estimator=str(OF_PERIOD))
    labels, of = tuple(dict.fromkeys(row.group for row in rows)), {(row.given, row.group): row for row in rows}
    people, selected = (
        tuple(
            tuple(int(getattr(of[name, label], value)) if (name, label) in of else 0 for label in labels)
            for name in result.periods
        )
        for value in ("n", "events")
    )
    about = {name: result.settings[name] for name in ("decision", "groups", "period", "favorable", "reference")}
    watched = _Watched(**about, margin=0.0, conf_level=result.conf_level, left_out=0, labels=labels,
                       periods=result.periods, people=people, selected=selected)  # fmt: skip
    until = result.settings.get("known_until")
    found = _Found(watched, result.periods.index(until) + 1 if until else 0)
    return [*found.exchanged(), *found.jumped(), *found.gone()]


class _Found:
    """The rows of what is watched, and the sentences on them."""

    def __init__(self, watched: _Watched, first: int = 0) -> None:
        """first: the period from which on labels are asked about."""
        self.watched, self.first = watched, first
        self.base = watched.labels.index(watched.reference)
        self.others = [i for i in range(len(watched.labels)) if i != self.base]
        self.share = (1 - watched.conf_level) / len(self.others)  # of the error, for every group
        self.spent = self.share * (1 - FOR_BASELINE if watched.baseline else 1)  # on the periods that are watched

    def said(self) -> tuple[list[Estimate], list[str]]:
        """Main rows first, then those of periods; alarms by their period, then what is missing."""
        watched, rows, beside = self.watched, list[Estimate](), list[Estimate]()
        alarms, moved, said = list[tuple[int, str, str, Estimate]](), list[str](), list[str]()
        without = list[int]()  # groups of whom nobody was compared in the baseline
        for i in self.others:
            about = Estimate("selection rate", watched.groups, watched.labels[i], "difference", watched.reference)
            counts = watched.y[:, i], watched.n[:, i], watched.y[:, self.base], watched.n[:, self.base]
            both = (watched.n[:, [i, self.base]] > 0).all(axis=1)
            gap = WatchedGap(*(v * both for v in counts))  # nobody counts in a period without one of the groups
            before = None
            if watched.baseline:
                before = self._before(about, gap)
                if before is None:
                    rows.append(about.changed(status="unestimable", reason=NO_BASELINE))
                    beside += [self._of_period(about, gap, k) for k in range(len(watched.periods))]
                    without.append(i)
                    continue
                beside.append(before)
                said.append(self._of_baseline(before))
            within = allowed_gaps(watched.margin, before)
            later = gap.after(watched.start)
            evidence = _Evidence.of(later, within, self.share, self.spent, watched)
            ends = evidence.lows, evidence.highs
            main, late, alarm = self._of_group(about, gap, later, evidence)
            rows.append(main)
            beside += late
            if alarm is not None:
                line = self._alarm(about, later, alarm, within, evidence.above[alarm], beside)
                alarms.append((alarm, line, beside[-1].given, main))
            low, high = (float(v[-1]) for v in ends)
            if low > high:
                names = {"group": DataText(about.group, about.attribute)}
                moved.append(MOVED.format(low=percent(low), high=percent(high), **names))
        named_so = [DataText(watched.labels[i], watched.groups) for i in without]
        if len(without) == len(self.others):
            raise InputError(
                "baseline", f"ends before anybody of {listing(named_so)} was compared; name a later period."
            )
        alarms.sort(key=lambda alarm: alarm[0])
        lines = [text for _, text, *_ in alarms]
        if alarms:
            place, _, since, first = alarms[0]
            lines += self._after(first, place, beside)
            moved.append((NEXT_OVER if watched.over else NEXT).format(since=DataText(since)))
            if quiet := sorted((row for row in rows if row.verdict == "inconclusive"), key=lambda row: -row.n):
                of = {"reference": DataText(watched.reference, watched.groups)}
                moved.append(QUIET_OTHERS.format(groups=listed(map(data_text, quiet), MOST_GAPS), **of))
                limited = [row for row in quiet if row.conf_low <= row.conf_high]
                moved += [self._constant(limited)] if limited else []
        else:
            others = [data_text(row) for row in rows if row.status == "ok"]
            about_all: dict[str, str] = {"reference": DataText(watched.reference, watched.groups)}
            about_all["groups"] = SEVERAL.format(n=count(len(others))) if others[1:] else "".join(others)
            looked = watched.periods[watched.start :]
            if not others:
                lines = [NOTHING.format(**about_all)]
            elif len(looked) == 1:
                lines = [QUIET_ONE.format(period=DataText(looked[0]), **about_all)]
            else:
                lines = [QUIET.format(n=count(len(looked)), **about_all)]
            limited = sorted((row for row in rows if row.conf_low == row.conf_low), key=lambda row: -row.n)
            if limited and not moved:
                lines.append(self._constant(limited))
        never = [data_text(row) for row in rows if says(row.reason, NEVER)]
        if 0 < len(never) < len(rows):
            of = {"reference": DataText(watched.reference, watched.groups)}
            moved.append(NOT_COMPARED.format(groups=listed(never, MOST_GAPS), **of))
        if without:
            last = DataText(watched.baseline)
            moved.append(WITHOUT_BASELINE.format(groups=listed(named_so, MOST_GAPS), last=last))
        after = len(alarms) or 1  # before what is known of a constant gap, which rests on the labels, too
        lines[after:after] = [*self.exchanged(), *self.jumped()]
        if watched.looks:
            template = PLANNED_OVER if watched.over else PLANNED
            said.append(template.format(planned=watched.looks, done=watched.done))
        said = [
            *said[:MOST_SAID],
            FAVORED.format(decision=DataText(watched.decision), label=DataText(watched.favorable)),
        ]
        if not watched.baseline:
            said.append(IS_THERE)
        elif not watched.looks and not alarms:
            said.append(WITHOUT_LOOKS)
        if not watched.reference_named and largest(watched.labels, watched.n[0], None) == self.base:
            of = {"reference": DataText(watched.reference, watched.groups), "period": DataText(watched.periods[0])}
            said.append(LARGEST.format(**of))
        return [*rows, *beside, *self._rates()], [*lines, *moved, *said, *self._missing()]

    def _constant(self, rows: Sequence[Estimate]) -> str:
        """The constant gaps that are not excluded, that of the largest group first: few people exclude little."""
        of = {"reference": DataText(rows[0].reference, rows[0].attribute)}
        if not rows[1:]:
            return CONSTANT.format(group=data_text(rows[0]), limits=limits(rows[0]), **of)
        each = [CONSTANT_OF.format(group=data_text(row), limits=limits(row)) for row in rows]
        return CONSTANT_EACH.format(list=listed(each, MOST_GAPS), **of)

    def _before(self, about: Estimate, gap: WatchedGap) -> Estimate | None:
        """The mean gap of the baseline, limits with their share of the group's error; None where there is nobody."""
        until = slice(self.watched.start)
        y, n, y_ref, n_ref = (v[until] for v in (gap.y, gap.n, gap.y_ref, gap.n_ref))
        found, level = stratified_rates(y, n, y_ref, n_ref), 1 - FOR_BASELINE * self.share
        if found.reason:
            return None
        row = about.changed(term=BEFORE, role="supplementary", n=float(n.sum()), events=float(y.sum()))
        limits_of = found.limits(level)
        return row.with_interval(found.difference, *limits_of, level, std_error=found.std_error, method=OF_BASELINE)

    def _of_baseline(self, row: Estimate) -> str:
        names = {"group": data_text(row), "reference": DataText(row.reference, row.attribute)}
        last = DataText(self.watched.baseline)
        return BASELINE.format(last=last, gap=percent(row.estimate), limits=limits(row), **names)

    def _of_group(
        self, about: Estimate, gap: WatchedGap, later: WatchedGap, evidence: _Evidence
    ) -> tuple[Estimate, list[Estimate], int | None]:
        """The row with the verdict, those of periods, and where the alarm was; later: without the baseline."""
        watched, late = self.watched, []
        both = (gap.n > 0) & (gap.n_ref > 0)
        running = about.changed(estimator=SO_FAR, role="supplementary", method=evidence.method)
        for k, name in enumerate(watched.periods):
            late.append(self._of_period(about, gap, k))
            if both[watched.start : k + 1].any():
                late.append(self._sequence(running.changed(given=name), later, k, evidence))
        if not both[watched.start :].any():
            return about.changed(status="unestimable", reason=NEVER), late, None
        last = self._sequence(about.changed(method=evidence.method), later, len(watched.periods) - 1, evidence)
        reached = evidence.p <= self.share * ABOVE
        verdict = "disparity shown" if reached.any() else "inconclusive"
        plain = last.changed(statistic=float("nan"), verdict=verdict)
        if reached.any():
            plain = plain.changed(conf_low=float("nan"), conf_high=float("nan"), reason=AFTER_ALARM)
        return plain, late, int(np.argmax(reached)) if reached.any() else None

    def _of_period(self, about: Estimate, gap: WatchedGap, k: int) -> Estimate:
        """The gap of one period, with limits of a band over all periods."""
        row = about.changed(estimator=OF_PERIOD, role="supplementary", method=BAND, given=self.watched.periods[k])
        row = row.changed(n=float(gap.n[k]), events=float(gap.y[k]))
        if not (gap.n[k] > 0 and gap.n_ref[k] > 0):
            return row.changed(status="unestimable", reason=NOBODY)
        level = 1 - self.share / ((k + 1) * (k + 2))
        low, high = map(float, miettinen_nurminen(gap.y[k], gap.n[k], gap.y_ref[k], gap.n_ref[k], level))
        return row.with_interval(gap.pooled(k, k + 1), low, high, level)

    def _sequence(self, row: Estimate, gap: WatchedGap, k: int, evidence: _Evidence) -> Estimate:
        """The confidence sequence after a period, with the e-value, or z of planned looks."""
        n, y = float(gap.n[: k + 1].sum()), float(gap.y[: k + 1].sum())
        p, (low, high) = float(evidence.p[k]), evidence.limits(k)
        row = row.with_interval(gap.pooled(0, k + 1), low, high, 1 - self.share)
        if evidence.sure[k] or not row.conf_low <= row.estimate <= row.conf_high:
            row = row.changed(reason=ONE_LIMIT if evidence.sure[k] else NOT_CONSTANT)
        e = float(evidence.statistic[k])
        return row.changed(n=n, events=y, statistic=e, p_value=p, p_adjusted=min(1.0, len(self.others) * p))

    def _alarm(
        self,
        about: Estimate,
        gap: WatchedGap,
        alarm: int,
        within: tuple[float, float],
        above: bool,
        beside: list[Estimate],
    ) -> str:
        """The sentence of an alarm, and the row of when the gap began."""
        watched, start = self.watched, gap.began(alarm, within)
        since = about.changed(term=SINCE, role="supplementary", given=watched.periods[start], method=METHOD)
        value = gap.pooled(start, alarm + 1)
        people_of = float(gap.n[start : alarm + 1].sum()), float(gap.y[start : alarm + 1].sum())
        beside.append(since.changed(estimate=value, n=people_of[0], events=people_of[1]))
        names: dict[str, str] = {
            "group": DataText(about.group, about.attribute),
            "period": DataText(watched.periods[alarm]),
        }
        names |= {"reference": DataText(about.reference, about.attribute)}
        when = IN_IT if start == alarm else SINCE_THEN
        names |= {"when": when.format(since=DataText(watched.periods[start]), gap=percent(value))}
        if watched.baseline:
            limit = percent(within[1] if above else within[0])
            last = DataText(watched.baseline)
            return (RISEN if above else FALLEN).format(limit=limit, last=last, **names)
        code = (BEYOND_ABOVE if above else BEYOND_BELOW) if watched.margin else (HIGHER if above else LOWER)
        width = {"margin": significant(100 * watched.margin, 3)} if watched.margin else {}
        return code.format(**names, **width)

    def _after(self, first: Estimate, alarm: int, beside: Sequence[Estimate]) -> list[str]:
        """The sentence on how far the rates of the group of the first alarm were apart after it."""
        late = self.watched.periods[alarm + 1 :]
        rows = [row for row in beside if row.group == first.group and row.estimator == OF_PERIOD and row.given in late]
        gaps = {row.given: row.estimate for row in rows if row.status == "ok"}
        if not gaps:
            return []
        names = {"group": data_text(first), "first": DataText(next(iter(gaps))), "last": DataText([*gaps][-1])}
        low, high = (percent(end(gaps.values())) for end in (min, max))
        return [AFTER.format(low=low, high=high, **names) if len(gaps) > 1 else AFTER_IN.format(gap=low, **names)]

    def _rates(self) -> list[Estimate]:
        """The rate of every group in every period."""
        watched, rows = self.watched, []
        about = Estimate("selection rate", watched.groups, estimator=OF_PERIOD, role="supplementary", method=WILSON)
        for k, name in enumerate(watched.periods):
            for i, label in enumerate(watched.labels):
                n, y = float(watched.n[k, i]), float(watched.y[k, i])
                if n:
                    low, high = (float(v) for v in wilson(y, n, watched.conf_level))
                    row = about.changed(group=label, given=name, n=n, events=y)
                    rows.append(row.with_interval(y / n, low, high, watched.conf_level))
        return rows

    def exchanged(self) -> list[str]:
        """The sentence on periods whose decisions may be coded the other way round."""
        found = {k: least for k, least in exchanged(self.watched.n, self.watched.y).items() if k >= self.first}
        if not found:
            return []
        return [
            EXCHANGED.format(
                list=listed([DataText(self.watched.periods[k]) for k in found], MOST_GAPS),
                least=percent(min(found.values())),
                decision=DataText(self.watched.decision),
            )
        ]

    def gone(self) -> list[str]:
        """The sentences on periods without anybody of a group that had people before, the reference first."""
        watched, lines = self.watched, list[str]()
        said = jumped(watched.n, self.base)
        for i in sorted(range(len(watched.labels)), key=lambda i: i != self.base):
            found = [DataText(watched.periods[k]) for k in gone(watched.n, i) if k >= self.first and k not in said]
            of = {"group": DataText(watched.labels[i], watched.groups)}
            code = ABSENT_BASE if i == self.base else ABSENT
            lines += [code.format(list=listed(found, MOST_GAPS), **of)] if found else []
        return lines

    def jumped(self) -> list[str]:
        """The sentence on periods in which labels of groups may mean others than before."""
        watched = self.watched
        found = {k: groups for k, groups in jumped(watched.n, self.base).items() if k >= self.first}
        if not found:
            return []
        names, shares = watched.periods, watched.n / watched.n.sum(axis=1, keepdims=True)
        k, groups = next(iter(found.items()))
        each = [
            SHARE_OF.format(
                group=DataText(watched.labels[i], watched.groups),
                before=percent(shares[k - 1, i]),
                now=percent(shares[k, i]),
            )
            for i in sorted(groups, key=lambda i: -shares[k - 1, i])
        ]
        about = {"period": DataText(names[k]), "groups": DataText(watched.groups), "list": listed(each, MOST_GAPS)}
        if not list(found)[1:]:
            return [JUMPED.format(**about)]
        return [JUMPED_IN.format(periods=listed([DataText(names[at]) for at in found], MOST_GAPS), **about)]

    def _missing(self) -> list[str]:
        """Periods without anybody, or without anybody of a group, and people without a place."""
        names, lost = self.watched.periods, self.watched.left_out
        places, lines = places_in_time(names, self.watched.period), list[str]()
        missing = [k for k, (a, b) in enumerate(pairwise(places)) if b - a > 1]
        if len(missing) > MOST_GAPS:
            total = sum(places[k + 1] - places[k] - 1 for k in missing)
            ends = {"before": DataText(names[missing[0]]), "after": DataText(names[missing[-1] + 1])}
            lines.append(MISSING_IN.format(n=count(total), places=count(len(missing)), **ends))
        else:
            for k in missing:
                about = {"before": DataText(names[k]), "after": DataText(names[k + 1])}
                n = places[k + 1] - places[k] - 1
                lines.append(MISSING_ONE.format(**about) if n == 1 else MISSING.format(n=count(n), **about))
        for i, (label, there) in enumerate(zip(self.watched.labels, self.watched.n.T > 0, strict=True)):
            empty = [DataText(name) for name, some in zip(names, there, strict=True) if not some]
            of = {"group": DataText(label, self.watched.groups)}
            base = i == self.base
            if len(empty) > MOST_GAPS:
                lines.append((ABSENT_BASE_IN if base else ABSENT_IN).format(n=len(empty), last=empty[-1], **of))
            elif empty:
                lines.append((ABSENT_BASE if base else ABSENT).format(list=listed(empty), **of))
        if re.fullmatch(_DAY, names[-1]) and not all(name.endswith("-01") for name in names):
            lines.append(DAYS)
        if lost:
            lines.append(INCOMPLETE_ONE if lost == 1 else INCOMPLETE.format(n=count(lost)))
        return lines
