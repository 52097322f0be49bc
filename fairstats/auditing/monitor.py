"""``monitor()``: whether a gap between groups changed, period after period, with one error rate over all looks."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.arguments import AuditArguments, DefaultLabel
from fairstats.auditing.group_studies import OF_PERIOD, SINCE, SO_FAR, GroupStudy, largest, result_of
from fairstats.auditing.input import check_binary
from fairstats.auditing.people import people
from fairstats.auditing.protocol import Protocol, declare, resolve
from fairstats.auditing.tally import Tally
from fairstats.data.read import Several
from fairstats.errors import FileError, InputError, Setting, listing
from fairstats.estimates import Estimate
from fairstats.files import atomic_write, check_target, existing, file_path
from fairstats.inference.rates.monitoring import WatchedGap
from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.rates.two_rates import miettinen_nurminen
from fairstats.labels import one_label
from fairstats.language import DataText, message
from fairstats.provenance import DataSource
from fairstats.text import count, percent, significant
from fairstats.validation import answering, between, confidence, renamed_arguments, word

Floats = NDArray[np.float64]
SCHEMA = "fairstats/monitor/1"
LARGEST_E = 690.0  # the log of the largest e-value that is printed
QUESTION = message("Gaps between groups watched period by period")
METHOD = message("e-process of bets and confidence sequence, one error rate over all periods")
BAND = message("Miettinen-Nurminen interval; of period t a share 1/(t(t+1)) of the error, so that all hold together")
WILSON = message("Wilson interval")
NOBODY = message("nobody of a group in the period")
NEVER = message("no period has people of both groups")
QUIET = message("No alarm in {n} periods ({groups} compared with {reference}).")
LOWER = message(
    "Alarm in {period}: {group} had a lower rate than {reference} in some period by then; from about {since} to "
    "then the gap was {gap} percentage points."
)
HIGHER = message(
    "Alarm in {period}: {group} had a higher rate than {reference} in some period by then; from about {since} to "
    "then the gap was {gap} percentage points."
)
BEYOND_BELOW = message(
    "Alarm in {period}: the rate of {group} was more than {margin} percentage points below that of {reference} in some "
    "period by then; from about {since} to then the gap was {gap} percentage points."
)
BEYOND_ABOVE = message(
    "Alarm in {period}: the rate of {group} was more than {margin} percentage points above that of {reference} in some "
    "period by then; from about {since} to then the gap was {gap} percentage points."
)
MOVED = message(
    "The gap of {group} was not the same in all periods: in some it was above {low}, in some below {high} percentage "
    "points."
)
NOT_CONSTANT = message(
    "the gap was not the same in all periods: the limits are of one that is, the estimate of all people"
)
ONE_LIMIT = message("the gap was not the same in all periods: one limit stands alone")
MISSING = message("Nothing is known of {n} periods between {before} and {after}.")
MISSING_ONE = message("Nothing is known of the period between {before} and {after}.")
INCOMPLETE = message("{n} people lack a group, a decision or a period, and are left out.")
INCOMPLETE_ONE = message("One person lacks a group, a decision or a period, and is left out.")


@answering
def monitor(
    data: Any,
    decision: str,
    groups: str,
    *,
    period: str = "month",
    favorable: Any = AuditArguments.favorable,
    reference: str | None = None,
    margin: float = 0.0,
    conf_level: float = 0.95,
    state: str | Path | None = None,
) -> GroupStudy:
    """Watch the gap between groups period by period, with one error rate however often one looks.

    Parameters
    ----------
    data : table, path, list of paths, Tally or list of Tally
        People with the columns named here, or counts of them (`tally` or `from_counts` with the period as ``strata``).
    decision, groups : str
        The column of a decision of two values, and that of groups.
    period : str
        The column of periods: ``2024-03``, ``2024-Q1``, ``2024-W09``, dates, or whole numbers.
    favorable : label
        The decision that helps.
    reference : str, optional
        The group that others are compared with; the largest of the first period by default.
    margin : float
        The largest gap that raises no alarm, such as 0.02; fix it beforehand.
    conf_level : float
        One minus the chance of any alarm, in all periods and groups, while no gap exceeds the margin.
    state : path, optional
        A JSON file with the counts so far. Where it is there, ``data`` are the periods after its last, and the result
        is that of all periods at once; it is written anew.

    Returns
    -------
    GroupStudy
        ``alarm`` is the first period that raises it, or None. Of each group one row with the verdict: the confidence
        sequence after the last period. Role "supplementary": rates and gap of every period (``given``), the gap with a
        band that holds for all periods together; estimator "periods so far" with the e-value as ``statistic``; term
        "since the change" with the estimated period of the change as ``given``.

    Raises
    ------
    InputError
        If a column is unusable, periods cannot be ordered, or the state is of another question or has these periods.
    FileError
        If a file cannot be read, or the state is damaged.

    Notes
    -----
    The hypothesis is "in every period the rates differ by at most the margin"; the rates themselves may drift, and
    people of one period may have unlike chances. People have to be independent of each other. Bets are placed before
    a period's decisions are seen, the e-value is what they made of 1. The limits of the confidence sequence say that
    the gap was above the lower one in some period and below the upper one in some: if it never changed, both enclose
    it, in all periods at once. Of several groups each has its share of the error.

    References
    ----------
    Turner, Ly & Grünwald (2024), Journal of Statistical Planning and Inference 230, 106116; Waudby-Smith & Ramdas
    (2024), Journal of the Royal Statistical Society B 86, 1-27; Chugg, Cortes-Gomez, Wilder & Ramdas (2023), NeurIPS.

    Examples
    --------
    >>> import fairstats as fs
    >>> months = {"month": ["2024-01"] * 80 + ["2024-02"] * 80, "sex": ["f", "m"] * 80, "hired": [0, 1, 1, 1] * 40}
    >>> result = fs.monitor(months, "hired", "sex", reference="m")
    >>> result.alarm, result.compared()[0].verdict
    ('2024-01', 'disparity shown')
    """
    about = {"decision": word("decision", decision), "groups": word("groups", groups), "period": word("period", period)}
    if len(set(about.values())) < 3:
        raise InputError("period", f"has {period!r}, which has another role, too; name three columns.")
    level = confidence(conf_level)
    margin = between("margin", margin, 0, 1, "pass 0.02 for 2 percentage points", ends="[)")
    wanted = None if reference is None else one_label("reference", reference)
    label = "" if isinstance(favorable, DefaultLabel) else one_label("favorable", favorable)
    if state is not None:
        check_target(file_path("state", state))
    before = None if state is None or not Path(state).exists() else _read(existing(state, "state"))
    if before is not None:
        before.check(state, {**about, "favorable": label, "reference": wanted, "margin": margin, "conf_level": level})
        label = before.favorable
    new, source = _watched(data, about, label or favorable)
    if before is None:
        first = new.n[0]
        watched = replace(new, reference=new.labels[largest(new.labels, first, wanted)], margin=margin,
                          conf_level=level)  # fmt: skip
    else:
        watched = before.followed(new)
    rows, lines = _Found(watched).said()
    settings = {**about, "favorable": watched.favorable, "reference": watched.reference, "margin": margin or None}
    settings |= {"conf_level": level, "state": None if state is None else str(state)}
    people_of = int(watched.n.sum())
    result = result_of(QUESTION, "monitor", source, rows, lines, people_of, level, groups, settings)
    if state is not None:
        atomic_write(state, (json.dumps({"schema": SCHEMA, **asdict(watched)}, indent=1) + "\n").encode())
    return result


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
            if value not in ("", None) and getattr(self, name) != value:
                raise InputError(
                    "state",
                    f"has {str(path)!r}, which was begun with {Setting(name, getattr(self, name))}, not with "
                    f"{Setting(name, value)}; go on as it was begun, or begin another file.",
                )

    def followed(self, new: _Watched) -> _Watched:
        """With the periods after the last."""
        if unknown := [label for label in new.labels if label not in self.labels]:
            raise InputError(
                "groups",
                f"has {listing(unknown)}, which the state does not know; its groups are {listing(self.labels)}; give "
                "the same groups, or begin another state.",
            )
        known = [name for name in new.periods if name in self.periods]
        if not known:
            places = _places((*self.periods, *new.periods), self.period)
            last = places[len(self.periods) - 1]
            known = [name for name, at in zip(new.periods, places[len(self.periods) :], strict=True) if at < last]
        if known:
            raise InputError(
                "period",
                f"has {listing(known)}, and the state goes to {self.periods[-1]!r} already; pass only later periods.",
            )
        of = [new.labels.index(label) if label in new.labels else -1 for label in self.labels]
        more = [
            tuple(tuple(line[i] if i >= 0 else 0 for i in of) for line in lines)
            for lines in (new.people, new.selected)
        ]  # fmt: skip
        return replace(
            self, left_out=self.left_out + new.left_out, periods=(*self.periods, *new.periods),
            people=(*self.people, *more[0]), selected=(*self.selected, *more[1]),
        )  # fmt: skip


def _watched(data: Any, about: dict[str, str], favorable: Any) -> tuple[_Watched, DataSource]:
    """The counts of data by period and group."""
    if isinstance(data, (list, tuple)) and data:
        if all(isinstance(one, Tally) for one in data):
            data = sum(data[1:], data[0])
        elif all(isinstance(one, (str, Path)) for one in data):
            data = Several(tuple(map(str, data)))
    arguments = AuditArguments(
        decision=about["decision"], groups=about["groups"], strata=about["period"], favorable=favorable
    )
    declared = declare(arguments)
    with renamed_arguments(strata="period"):
        counted, source = people(data, declared)
    for role, name in about.items():
        if name not in counted.factors:
            raise InputError(role, f"has {name!r}; the counts are by {listing(counted.factors)}; name one of these.")
    if counted.weights or counted.most.any():
        raise InputError("data", "has weights or withheld cells; pass people who count once, or whole counts of them.")
    answer = counted.factors[about["decision"]]
    check_binary("decision", about["decision"], answer, declared.favorable)
    rules = resolve(
        Protocol((about["groups"],), decision=about["decision"], favorable=declared.favorable),
        outcome=None, decision=answer.levels, attributes=(about["groups"],),
    )  # fmt: skip
    group, when = counted.factors[about["groups"]], counted.factors[about["period"]]
    known = (group.codes >= 0) & (when.codes >= 0) & (answer.codes >= 0)
    favors = np.array([level == rules.favorable for level in (*answer.levels, "")])[answer.codes]
    shape = (len(when.levels), len(group.levels))
    n, y = np.zeros(shape), np.zeros(shape)
    np.add.at(n, (when.codes[known], group.codes[known]), counted.rows[known])
    np.add.at(y, (when.codes[known], group.codes[known]), (counted.rows * favors)[known])
    places = _places(when.levels, about["period"])
    order = [i for i in np.argsort(places) if n[i].any()]
    there = [i for i in range(shape[1]) if n[:, i].any()]
    if len(there) < 2:
        raise InputError(
            "groups", f"has {about['groups']!r} with fewer than two groups that anybody is in; name another column."
        )
    people_of, selected = (tuple(tuple(int(v[i, j]) for j in there) for i in order) for v in (n, y))
    labels, names = tuple(group.levels[j] for j in there), tuple(when.levels[i] for i in order)
    lost = int(counted.rows[~known].sum())
    rule = about["decision"], about["groups"], about["period"], rules.favorable
    return _Watched(*rule, "", 0.0, 0.0, lost, labels, names, people_of, selected), source


_FORMS = (
    (r"(\d{4})-?(0[1-9]|1[0-2])", lambda year, month: 12 * int(year) + int(month)),
    (r"(\d{4})-?Q([1-4])", lambda year, quarter: 4 * int(year) + int(quarter)),
    (r"(\d{4})-?W(\d\d)", lambda year, week: date.fromisocalendar(int(year), int(week), 1).toordinal() // 7),
    (r"(\d{4})-(\d\d)-01", lambda year, month: 12 * date(int(year), int(month), 1).year + int(month)),
    (r"(\d{4}-\d\d-\d\d)", lambda day: date.fromisoformat(day).toordinal()),
    (r"(\d{1,9})", int),
)


def _places(labels: Sequence[str], column: str) -> list[int]:
    """The place of every period in time, one apart where none is missing between them."""
    for form, place in _FORMS:
        found = [re.fullmatch(form, label) for label in labels]
        try:
            places = [place(*match.groups()) for match in found if match]
        except ValueError:  # no such day or week
            continue
        if len(places) == len(labels) and len(set(places)) == len(labels):
            return places
    raise InputError(
        "period",
        f"has {column!r} with {listing(labels, 4)}, which have no order that is sure; write months as 2024-03, "
        "quarters as 2024-Q1, weeks as 2024-W09, days as 2024-03-31, or whole numbers.",
    )


def _read(path: Path) -> _Watched:
    """The state of earlier periods, checked in every part."""
    try:
        content = json.loads(path.read_bytes().decode())
        if content.pop("schema") != SCHEMA:
            raise ValueError
        tables = {name: tuple(map(tuple, content[name])) for name in ("people", "selected")}
        found = _Watched(**{**content, **{name: tuple(content[name]) for name in ("labels", "periods")}, **tables})
        texts = (found.decision, found.groups, found.period, found.favorable, found.reference, *found.labels)
        places = _places(found.periods, found.period)
        numbers = [v for lines in (found.people, found.selected) for line in lines for v in line]
        sound = (
            all(type(text) is str for text in texts)
            and all(type(number) is int for number in (*numbers, found.left_out))
            and all(type(share) is float for share in (found.margin, found.conf_level))
            and found.n.shape == found.y.shape == (len(found.periods), len(found.labels))
            and bool((found.y >= 0).all() and (found.y <= found.n).all() and (found.n.sum(axis=1) > 0).all())
            and found.reference in found.labels
            and len(set(found.labels)) == len(found.labels) > 1
            and places == sorted(places)
            and found.left_out >= 0
            and 0 <= found.margin < 1
            and 0.5 <= found.conf_level < 1
        )
        if not sound:
            raise ValueError
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, InputError) as problem:
        raise FileError(
            f"{str(path)!r} is no state of monitor, or is damaged; name the file that it wrote, or a new one."
        ) from problem
    return found


class _Found:
    """The rows of what is watched, and the sentences on them."""

    def __init__(self, watched: _Watched) -> None:
        self.watched = watched
        self.base = watched.labels.index(watched.reference)
        self.others = [i for i in range(len(watched.labels)) if i != self.base]
        self.share = (1 - watched.conf_level) / len(self.others)  # of the error, for every group

    def said(self) -> tuple[list[Estimate], list[str]]:
        """Main rows first, then those of periods; alarms by their period, then what is missing."""
        watched, rows, beside = self.watched, list[Estimate](), list[Estimate]()
        alarms, moved = list[tuple[int, str]](), list[str]()
        for i in self.others:
            about = Estimate("selection rate", watched.groups, watched.labels[i], "difference", watched.reference)
            gap = WatchedGap(watched.y[:, i], watched.n[:, i], watched.y[:, self.base], watched.n[:, self.base])
            ends = gap.limits(self.share, watched.margin)
            main, late, alarm = self._of_group(about, gap, *ends)
            rows.append(main)
            beside += late
            if alarm is not None:
                alarms.append((alarm, self._alarm(about, gap, alarm, beside)))
            low, high = (float(v[-1]) for v in ends)
            if low > high:
                names = {"group": DataText(about.group, about.attribute)}
                moved.append(MOVED.format(low=percent(low), high=percent(high), **names))
        lines = [text for _, text in sorted(alarms, key=lambda pair: pair[0])]
        if not lines:
            others = count(len(self.others))
            lines = [QUIET.format(n=count(len(watched.periods)), groups=others, reference=DataText(watched.reference))]
        return [*rows, *beside, *self._rates()], [*lines, *moved, *self._missing()]

    def _of_group(
        self, about: Estimate, gap: WatchedGap, lows: Floats, highs: Floats
    ) -> tuple[Estimate, list[Estimate], int | None]:
        """The row with the verdict, those of periods, and where the alarm was."""
        watched, late = self.watched, []
        log_e = gap.log_e(watched.margin)
        sure = lows > highs  # the gap was not the same throughout: what stands is the side of the stronger evidence
        above = gap.above.log_e(watched.margin) >= gap.below.log_e(watched.margin)
        highs, lows = np.where(sure & above, 1.0, highs), np.where(sure & ~above, -1.0, lows)
        t = np.arange(1, len(watched.periods) + 1)
        levels = 1 - self.share / (t * (t + 1))
        both = (gap.n > 0) & (gap.n_ref > 0)
        running = about.changed(estimator=SO_FAR, role="supplementary", method=METHOD)
        alone = about.changed(estimator=OF_PERIOD, role="supplementary", method=BAND)
        for k, name in enumerate(watched.periods):
            row = alone.changed(given=name, n=float(gap.n[k]), events=float(gap.y[k]))
            if both[k]:
                counts = gap.y[k], gap.n[k], gap.y_ref[k], gap.n_ref[k]
                low, high = (float(v) for v in miettinen_nurminen(*counts, float(levels[k])))
                row = row.with_interval(gap.pooled(k, k + 1), low, high, float(levels[k]))
            else:
                row = row.changed(status="unestimable", reason=NOBODY)
            late.append(row)
            if both[: k + 1].any():
                late.append(self._sequence(running.changed(given=name), gap, k, log_e, lows, highs, sure))
        if not both.any():
            return about.changed(status="unestimable", reason=NEVER), late, None
        last = self._sequence(about.changed(method=METHOD), gap, len(watched.periods) - 1, log_e, lows, highs, sure)
        reached = log_e >= -np.log(self.share)
        verdict = "disparity shown" if reached.any() else "inconclusive"
        plain = last.changed(statistic=float("nan"), verdict=verdict)
        return plain, late, int(np.argmax(reached)) if reached.any() else None

    def _sequence(
        self,
        row: Estimate,
        gap: WatchedGap,
        k: int,
        log_e: Floats,
        lows: Floats,
        highs: Floats,
        sure: NDArray[np.bool_],
    ) -> Estimate:
        """The confidence sequence after a period, with the e-value."""
        n, y = float(gap.n[: k + 1].sum()), float(gap.y[: k + 1].sum())
        p = min(1.0, float(np.exp(-log_e[k])))
        row = row.with_interval(gap.pooled(0, k + 1), float(lows[k]), float(highs[k]), 1 - self.share)
        if sure[k] or not row.conf_low <= row.estimate <= row.conf_high:
            row = row.changed(reason=ONE_LIMIT if sure[k] else NOT_CONSTANT)
        e = float(np.exp(min(log_e[k], LARGEST_E)))
        return row.changed(n=n, events=y, statistic=e, p_value=p, p_adjusted=min(1.0, len(self.others) * p))

    def _alarm(self, about: Estimate, gap: WatchedGap, alarm: int, beside: list[Estimate]) -> str:
        """The sentence of an alarm, and the row of when the gap began."""
        watched, start = self.watched, gap.began(alarm, self.watched.margin)
        since = about.changed(term=SINCE, role="supplementary", given=watched.periods[start], method=METHOD)
        value = gap.pooled(start, alarm + 1)
        people_of = float(gap.n[start : alarm + 1].sum()), float(gap.y[start : alarm + 1].sum())
        beside.append(since.changed(estimate=value, n=people_of[0], events=people_of[1]))
        above = gap.above.log_e(watched.margin)[alarm] >= gap.below.log_e(watched.margin)[alarm]
        code = (BEYOND_ABOVE if above else BEYOND_BELOW) if watched.margin else (HIGHER if above else LOWER)
        names = {"group": DataText(about.group, about.attribute), "period": DataText(watched.periods[alarm])}
        names |= {"reference": DataText(about.reference, about.attribute), "since": DataText(watched.periods[start])}
        width = {"margin": significant(100 * watched.margin, 3)} if watched.margin else {}
        return code.format(gap=percent(value), **names, **width)

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

    def _missing(self) -> list[str]:
        """Periods without anybody, and people without a place."""
        names, lost = self.watched.periods, self.watched.left_out
        places, lines = _places(names, self.watched.period), list[str]()
        for k, (a, b) in enumerate(pairwise(places)):
            if b - a > 1:
                about = {"before": DataText(names[k]), "after": DataText(names[k + 1])}
                lines.append(MISSING_ONE.format(**about) if b - a == 2 else MISSING.format(n=count(b - a - 1), **about))
        if lost:
            lines.append(INCOMPLETE_ONE if lost == 1 else INCOMPLETE.format(n=count(lost)))
        return lines
