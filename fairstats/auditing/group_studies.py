"""``GroupStudy``: what is asked of groups beside an audit (representation, stages, matched pairs, pay), in one form."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairstats.attached import attached
from fairstats.auditing.amounts import GAP, MEDIAN_GAP
from fairstats.auditing.answer import IF_OVERTURNED, OVERTURNED, MarginWord, beside_gap
from fairstats.auditing.input import check_people
from fairstats.auditing.people import count_column, refuse_total
from fairstats.auditing.tally import Tally
from fairstats.data.read import Several
from fairstats.data.tables import Columns, Factor, check_labels
from fairstats.document import Block, Heading, Table, Text, as_text
from fairstats.errors import AbsentError, InputError, Setting, listing, nearest, snippet, strong, visible, with_hint
from fairstats.estimates import UNSETTLED, Estimate, Estimates, negated
from fairstats.inference.multiplicity import Family
from fairstats.inference.representations.fit_studies import FitStudy
from fairstats.inference.verdicts import (
    ABOVE,
    Comparison,
    Undecided,
    decided,
    decisive_interval,
    decisive_level,
    decisive_p,
    remains,
)
from fairstats.labels import in_words, is_missing, is_number, label, label_cautions, one_label
from fairstats.language import DataText, mark, message, says, translated
from fairstats.metrics import GAPS_OF_AMOUNTS
from fairstats.provenance import DataSource, call_text, provenance, run_records, take_in
from fairstats.text import (
    DASH,
    capital,
    compact,
    count,
    json_plain,
    level,
    listed,
    number,
    p_equals,
    p_value,
    percent,
    setting,
    significant,
    small,
    span,
)
from fairstats.validation import Adjust, answering

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
SHOWN = ("disparity shown", "flagged")
SIGNS = {"disparity shown": "D", "flagged": "D", "equivalence shown": "=", "inconclusive": "?"}
SIGNS_OF_CHANGES = {"smaller": "S", "larger": "L", "changed": "C", "higher": "D", "lower": "D", "within": "=", "": "?"}
WHAT_CHANGED = {
    "S": "the gap is shown to be smaller", "L": "larger", "C": "changed, and which is larger is not settled",
    "D": "a difference is shown", "=": "within the margin", "?": UNSETTLED,
}  # fmt: skip
MOST_LINES, FEWEST_LINES, MOST_SAID, NARROW = 40, 12, 5, 20
ALONE, CHI_SQUARE = "*", "\N{GREEK SMALL LETTER CHI}²"  # a p-value in no family; of tests that strata are alike
OF_PERIOD, SO_FAR = message("of the period"), message("periods so far")  # of rows of `monitor`
ONE_LIMIT = message("the gap was not the same in all periods: one limit stands alone")
NOT_CONSTANT = message(
    "the gap was not the same in all periods: the limits are of one that is, the estimate of all people"
)
AFTER_ALARM = message(
    "after an alarm no interval is about the mean gap of all periods, in which it need not have been the same"
)
NO_LIMITS = "\N{EN DASH}\N{DAGGER}"  # of an estimate that the limits are not about
SINCE, BEFORE = message("since the change"), message("baseline")
BOUND, WEIGHTED, LINEAR = message("bound"), message("weighted"), message("linear")  # of groups known as probabilities
CORRECTED, ENDS, CALIBRATION = message("corrected"), message("ends of the bound"), message("calibration")
AT_RANDOM, AT_WORST = message("drawn at random"), message("bound at worst")
ASSOCIATION, EXCLUDED = message("rank association"), message("in a group of probability 0")
WITHOUT_REGARD = message("without regard to strata")  # of differences of stages beside those within strata
PER_HOUR, AS_GIVEN = message("pay per hour"), message("pay as given")  # of what gaps of pay are
RECIPIENTS, EVERYBODY = message("variable pay, those who get any"), message("variable pay, everybody")
RECIPIENTS_PER_HOUR = message("variable pay per hour, those who get any")
EVERYBODY_PER_HOUR = message("variable pay per hour, everybody")
BONUS = message("bonus, those who get one")
BASIC_OF, VARIABLE_OF = message("{category}: basic pay"), message("{category}: variable pay")
GIVEN_OF = message("{category}: pay as given")
HEADS = (
    (BASIC_OF, mark("basic pay")),
    (VARIABLE_OF, mark("variable pay of everybody")),
    (GIVEN_OF, mark("pay as given")),
)
OF_VARIABLE_PAY = (RECIPIENTS, EVERYBODY, RECIPIENTS_PER_HOUR, EVERYBODY_PER_HOUR, BONUS)
MEN = ("m", "male", "males", "man", "men", "mann", "männer", "männlich")
WOMEN = ("f", "female", "females", "w", "woman", "women", "frau", "frauen", "weiblich")
SEXES = {**dict.fromkeys(WOMEN, message("women")), **dict.fromkeys(MEN, message("men"))}
# The letter of Article 9(1) and the number of the British regulation, by metric and whether it is of variable pay.
PROVISIONS = {
    (GAP, False): ("a", "8"),
    (GAP, True): ("b", "10"),
    (MEDIAN_GAP, False): ("c", "9"),
    (MEDIAN_GAP, True): ("d", "11"),
    ("selection rate", False): ("e", "12"),
    ("share", False): ("f", "13"),
}
LACKING, TOO_MUCH = message("what weighted lacks"), message("what linear has too much")  # of known people
OF_BOUNDS = (BOUND, WEIGHTED, LINEAR, CORRECTED, ENDS, AT_WORST, CALIBRATION, LACKING, TOO_MUCH)
MARGIN_NOTE = "Beyond or within: what the limits show of a gap and that margin."
NOT_KNOWN = message("not known")  # of a category whose gap is withheld
LIMITS = message("{low} to {high}")
IS_SMALLER = message("the gap is smaller")
IS_SMALLER_IN_SIZE = message("the gap is smaller in size (sum of both gaps: {sum}, {limits})")
BY_BOTH = message("Smaller in size: the limits of the change and those of the sum of both gaps leave out 0.")
NO_LESS_ACCURATE = message("accuracy is at most {margin} points less")
NO_LARGER_THAN = message("the gap is at most {margin} points larger in size (upper limit: {most})")
SUM = message("sum of both gaps")  # of two models: its sign says which gap is the larger in size
ADJUSTED = message("adjusted {p}")
NONE = message("No difference is shown ({count} compared).")
ONLY = message("A difference is shown (1 compared).")
SOME = message("A difference is shown in {shown} of {count} comparisons.")
SMALL = message("A difference is shown in {small} of {count} comparisons, smaller than the margin.")
SOME_SMALL = message(
    "A difference is shown in {shown} of {count} comparisons, and one smaller than the margin in {small} more."
)
IN_SOME_PERIOD = " Intervals are of a gap in some period, not of the mean gap."
NO_INTERVAL = (
    " \N{DAGGER}: no interval is about the mean gap of all periods, in which it need not have been the same; what is "
    "known of a gap in some period stands below (so far)."
)
NO_INTERVAL_OF_LOOKS = (
    " \N{DAGGER}: no interval is about the mean gap of all periods, in which it need not have been the same; limits of "
    "a gap that is the same until then stand below (so far)."
)
GAP_SO_FAR = "So far (confidence sequence): the gap was above the lower limit in some period, below the upper in some."
GAP_OF_LOOKS = "So far: limits of a gap that is the same in all periods until then."
SHOWN_BESIDE = message("Further differences that are shown, which the table has: {n}.")
SHOWN_IN_PART = message("Further differences that are shown, of which the table has some: {n}.")
UNKNOWN_GROUP_OF_ONE = message("The group of one person is not known, who is left out.")
WITHOUT_VALUE = message("Left out, without a value of {column}: {n}.")
UNKNOWN_GROUP = message("The group of {n} people is not known; they are left out.")
IN_POINTS = (
    "share",
    "selection rate",
    "contribution of the stage",
    "TPR",
    "FPR",
    "PPV",
    "accuracy",
    "disagreement",
    "share favored",
    "risk difference within strata",
    *sorted(GAPS_OF_AMOUNTS),
)


@dataclass(frozen=True, repr=False)
class GroupStudy(FitStudy):
    """What ``representation``, ``stages``, ``matched_pairs`` or a report of pay found, and the sentences on it.

    Attributes
    ----------
    question, method : str
        A heading, and the name of the data.
    statements : tuple of str
    n, seed : int
        People, and the seed of what is drawn.
    conf_level : float
    estimates : Estimates
        Contrast "difference" and gaps of amounts have the verdicts, other rows of contrast "none" are shares or rates;
        ``statistic`` is in standard deviations.
    attribute : str
        The column of groups.
    settings : dict
        The other arguments.
    data : tuple of DataSource
    provenance : Provenance, optional
        The call and the versions.
    """

    attribute: str
    settings: dict[str, Any] = field(default_factory=dict)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name == "passes":
                raise AbsentError("passes is of an audit; result.shown() has the differences that are shown.")
            return super().__getattr__(name)

    def _directions(self, rows: Iterable[Estimate]) -> list[str] | None:
        """Of each row the direction of what it shows, "" of rows that are no change of a gap or of a rate."""
        if not any(map(of_change, self.estimates)):
            return None

        def compared(row: Estimate) -> bool:
            plain = row.contrast == "difference" and row.status == "ok" and not (row.estimator or row.given)
            return of_change(row) and plain

        return [direction(row, self.estimates) if compared(row) else "" for row in rows]

    def shown(self) -> Estimates:
        """Return the comparisons in which a difference is shown.

        Examples
        --------
        >>> import fairstats as fs
        >>> result = fs.representation({"Black": 15, "White": 390}, benchmark={"Black": 0.154, "White": 0.846})
        >>> [row.group for row in result.shown()]
        ['Black', 'White']
        """
        return Estimates(row for row in self.estimates if row.verdict in SHOWN)

    def compared(self) -> list[Estimate]:
        """Return the comparisons that have a verdict, or would have one.

        Examples
        --------
        >>> import fairstats as fs
        >>> result = fs.representation({"Black": 15, "White": 390}, benchmark={"Black": 0.154, "White": 0.846})
        >>> [round(row.statistic, 1) for row in result.compared()]
        [-6.5, 6.5]
        """
        return [row for row in self.estimates if row.role == "main" and (row.contrast == "difference" or is_gap(row))]

    @property
    def alarm(self) -> str | None:
        """The first period in which `monitor` raised an alarm; None where there was none, and of other studies."""
        return min(self.alarms.values(), key=list(self.periods).index, default=None)

    @property
    def alarms(self) -> dict[str, str]:
        """Of `monitor` each group of which there was an alarm, and its first period."""
        error = (1 - self.conf_level) * ABOVE
        first: dict[str, str] = {}
        for row, *_ in watched_rows(self):
            if row.p_adjusted <= error:
                first.setdefault(row.group, row.given)
        return dict(sorted(first.items(), key=lambda one: list(self.periods).index(one[1])))

    @property
    def new_alarms(self) -> dict[str, str]:
        """Of `alarms` those in periods that the state of `monitor` had not before this call."""
        until = self.settings.get("known_until")
        known = self.periods[: self.periods.index(until) + 1] if until else ()
        return {group: period for group, period in self.alarms.items() if period not in known}

    @property
    def periods(self) -> tuple[str, ...]:
        """The periods of `monitor` in their order."""
        return tuple(dict.fromkeys(row.given for row in self.estimates if of_period(row)))

    def by_period(self) -> pd.DataFrame:
        """Return a line a period and group of `monitor`, those of the baseline left out.

        Columns: period; group, reference; n, n_reference people of the period; share, share_reference; gap, conf_low,
        conf_high, conf_level: of the period; so_far, the mean gap of all periods until then, so_far_low, so_far_high,
        so_far_level; statistic (e-value, or z of planned looks), p_adjusted: of all periods until then; alarm, whether
        the group's first alarm was in this period.

        Examples
        --------
        >>> import fairstats as fs
        >>> months = {"month": [1] * 80 + [2] * 80, "sex": ["f", "m"] * 80, "hired": [0, 1, 1, 1] * 40}
        >>> fs.monitor(months, "hired", "sex", reference="m").by_period()[["period", "group", "gap", "alarm"]]
          period group  gap  alarm
        0      1     f -0.5   True
        1      2     f -0.5  False
        """
        import pandas as pd

        ends, so_far = ("conf_low", "conf_high", "conf_level"), ("so_far_low", "so_far_high", "so_far_level")
        alarms, lines = self.alarms, list[dict[str, Any]]()
        for known, gap, mine, other in watched_rows(self):
            line: dict[str, Any] = {"period": known.given, "group": known.group, "reference": known.reference}
            for suffix, row in (("", mine), ("_reference", other)):
                line |= {f"n{suffix}": row.n if row else 0.0, f"share{suffix}": row.estimate if row else math.nan}
            line |= {"gap": gap.estimate} | {name: getattr(gap, name) for name in ends}
            line |= {"so_far": known.estimate} | {
                so: getattr(known, name) for so, name in zip(so_far, ends, strict=True)
            }
            line |= {"statistic": known.statistic, "p_adjusted": known.p_adjusted}
            lines.append(line | {"alarm": alarms.get(known.group) == known.given})
        names = ["period", "group", "reference", "n", "n_reference", "share", "share_reference", "gap", *ends]
        names += ["so_far", *so_far, "statistic", "p_adjusted", "alarm"]
        return pd.DataFrame(lines, columns=names)

    def by_bound(self) -> pd.DataFrame:
        """Return a line a difference of `group_probabilities`: its bound, and the estimates beside it.

        Columns: group, reference; n, the people expected in the group; low, high: the ends of the bound; conf_low,
        conf_high, conf_level: with sampling error; p_adjusted, verdict; weighted, linear, corrected (NaN where it is
        not there), whose limits are in `tidy`.

        Examples
        --------
        >>> import fairstats as fs
        >>> people = {"hired": [0, 1, 1, 0] * 50, "f": [0.1, 0.2, 0.8, 0.9] * 50, "m": [0.9, 0.8, 0.2, 0.1] * 50}
        >>> result = fs.group_probabilities(people, "hired", {"f": "f", "m": "m"}, reference="m")
        >>> result.by_bound()[["group", "weighted", "verdict"]]
          group  weighted       verdict
        0     f       0.0  inconclusive
        """
        import pandas as pd

        names, ends = ("group", "reference", "n"), ("conf_low", "conf_high", "conf_level", "p_adjusted", "verdict")
        lines = []
        for row, bound, beside in bounded_rows(self):
            line = {name: getattr(row, name) for name in names} | {"low": bound.conf_low, "high": bound.conf_high}
            line |= {name: getattr(row, name) for name in ends}
            lines.append(line | {str(one.estimator): one.estimate for one in beside})
        estimators = [str(name) for name in (WEIGHTED, LINEAR, CORRECTED)]
        return pd.DataFrame(lines, columns=[*names, "low", "high", *ends, *estimators])

    def conditions(self) -> pd.DataFrame:
        """What `alternatives` asks of the candidate, a line each; an alternative is found where all are shown.

        Columns: condition; rate; group ("" is everybody), reference (of a gap, else ""); n of the group; change;
        conf_low, conf_high of the change, conf_level; shown. Without lines where no candidate was tested, and of other
        studies.

        Examples
        --------
        >>> import fairstats as fs
        >>> people = {"sex": ["f", "m"] * 200, "y": [0, 0, 1, 1] * 100, "old": [0, 1] * 200, "new": [0, 0, 1, 1] * 100}
        >>> result = fs.alternatives(people, ["old", "new"], "sex", outcome="y", reference="m")
        >>> result.conditions()[["condition", "shown"]]
                                    condition  shown
        0                  the gap is smaller   True
        1  accuracy is at most 2.0 points less   True
        """
        import pandas as pd

        names = ("group", "reference", "n")
        ends = ("conf_low", "conf_high", "conf_level")
        lines = [
            {"condition": str(condition), "rate": row.metric, "change": row.estimate, "shown": shown}
            | {name: getattr(row, name) for name in (*names, *ends)}
            for condition, row, shown in conditions_of(self)
        ]
        return pd.DataFrame(lines, columns=["condition", "rate", *names, "change", *ends, "shown"])

    @property
    def found(self) -> bool | None:
        """Whether `alternatives` found an alternative; None of other studies."""
        if "candidates" not in self.settings:
            return None
        conditions = conditions_of(self)
        return bool(conditions) and all(shown for _, _, shown in conditions)

    @property
    def margin(self) -> float | None:
        """The gap of a category from which a law asks for reasons, where one was declared."""
        return self.settings.get("margin")

    @answering
    def finding(self) -> str:
        """The answer: every sentence; of groups known as probabilities those that print() begins with."""
        lines = attached.bounds_answered(self) if bounded_rows(self) else self.statements
        return Text(visible(" ".join(map(translated, lines))))

    @property
    def _title(self) -> str:
        return f"{self.question}: {self.method}, {self.n:,} {'applications' if of_blocks(self) else 'people'}"

    def __str__(self) -> str:
        """The summary; in short of models, of groups known as probabilities and of several watched groups."""
        if bounded_rows(self):
            bounds: str = attached.bounds_in_short(self)
            return bounds
        if self.periods:
            return as_text(self._content(brief=True))
        if not {"models", "candidates"} & {*self.settings} or not any(map(of_change, self.estimates)):
            return self.summary()
        short: str = attached.models_in_short(self)
        return short

    def _condition_table(self) -> Table:
        """The conditions of an alternative, a line each, and whether each is shown."""
        heads = [Heading("condition", kind="text"), Heading("of", kind="text")]
        heads += [*map(Heading, ("n", "change", "interval")), Heading("shown", kind="word")]
        lines = [
            (str(what_of), what(row), count(row.n), percent(row.estimate),
             span(row.conf_low, row.conf_high, percent), strong("yes" if shown else "no"))
            for what_of, row, shown in conditions_of(self)
        ]  # fmt: skip
        note = (
            f"Changes in points, among those who tested. Intervals: {level(self.conf_level)}; all claims have to hold."
        )
        if any(says(what_of, IS_SMALLER_IN_SIZE) for what_of, *_ in conditions_of(self)):
            note += f" {BY_BOTH}"
        return Table("", tuple(heads), tuple(lines), note)

    def _table(self) -> Table:
        if "candidates" in self.settings:
            return self._condition_table()
        tested = any(row.p_adjusted == row.p_adjusted or row.term == AT_RANDOM for row in self.estimates)
        rows = [row for row in self.estimates if not of_category(row) and not of_period(row) and not of_model(row)]
        rows = [as_gap(row) for row in in_law_order(self, rows)] if of_pay(self) else rows
        every = len(rows)
        if self.settings.get("strata") and every > FEWEST_LINES:
            rows = [row for row in rows if not _beside_strata(row)]
        if every > MOST_LINES:  # those that are shown stay
            rows = shown_kept(rows)[:MOST_LINES]
        shifted = [row for row in self.compared() if row.statistic == row.statistic]
        shifts = any(not is_gap(row) for row in shifted)
        shifts = shifts and not any(map(is_gap, rows))
        decided = any(row.verdict for row in rows)
        labels = ["n", "estimate", "interval", *(["SD"] if shifts else []), *(["adj. p"] if tested else [])]
        law = [Heading("9(1)" if self.margin is not None else "reg.", kind="text")] if of_pay(self) else []
        lines, signs, absent = [], dict[str, None](), absent_signs(rows) if of_pay(self) else {}

        alike = any(
            name in WHAT_CHANGED for row in rows for name in (row.model, row.versus)
        )  # a model is named as a sign

        def decides(row: Estimate) -> bool:  # whether the limits are those of its verdict
            return bool(row.model) or of_pay(self)

        for row in rows:
            how = _written(row)
            n = count(row.n) if row.n == row.n else ""
            estimate = f"{CHI_SQUARE} {how(row.estimate)}" if of_homogeneity(row) else how(row.estimate)
            estimate = absent.get(row.reason, estimate) if row.estimate != row.estimate else estimate
            cells = [provision(self, row)] if of_pay(self) else []
            low, high = decisive_interval(row) if decides(row) else (row.conf_low, row.conf_high)
            no_limits = absent.get(row.reason, "") if row.estimate == row.estimate and low != low else ""
            quoted = row.changed(model=f"“{row.model}”", versus=f"“{row.versus}”") if alike and row.versus else row
            cells += [what(quoted), n, estimate, no_limits or one_limit(row) or span(low, high, how)]
            cells += [number(row.statistic, 2) if row in shifted else ""] if shifts else []
            cells += [study_p(row)] if tested else []
            sign = SIGNS_OF_CHANGES.get(direction(row, self.estimates)) if of_change(row) else SIGNS.get(row.verdict)
            signs[sign or ""] = None
            sign = f"{sign or ''}{OVERTURNED * overturned(row, self.estimates)}"
            lines.append((*cells, *([strong(sign)] if decided else [])))
        left = every - len(lines)
        note = "Shares, rates and their differences in %."
        if any(map(of_change, rows)):
            note += " " + ", ".join(f"{sign}: {text}" for sign, text in WHAT_CHANGED.items() if sign in signs) + "."
            note += " Changes: the gap with the first model less that with the second; smaller, larger: in size."
        elif decided:
            note += f" D: disparity shown, ?: {UNSETTLED}."
            note += f" {OVERTURNED}: {IF_OVERTURNED}." * any(overturned(row, self.estimates) for row in rows)
        within = any(row.verdict == "equivalence shown" for row in rows)
        of_law = self.margin is not None and not self.periods and not any(map(of_change, rows))
        note += " =: within the margin." if within and of_law else ""
        apart = [row for row in rows if decides(row) and row.verdict == "equivalence shown"]
        equal = {decisive_level(row) for row in apart}
        note += f" Intervals and p of lines with = are of the test of it ({', '.join(sorted(equal))})." if equal else ""
        note += "".join(f" {sign}: {why}." for why, sign in absent.items())
        if "known" in self.settings:
            empty = dict.fromkeys(row.reason for row in rows if row.status != "ok" and row.reason)
            note += f" Corrected, without a number: {'; '.join(empty)}." if empty else ""
        note += " n: applications, and blocks of shares favored." if of_blocks(self) else ""
        if self.periods:
            beside = " unlike the baseline's" * bool(self.settings.get("baseline")) + " beyond the margin" * bool(
                self.settings.get("margin")
            )
            planned = bool(self.settings.get("looks"))
            note += (NO_INTERVAL_OF_LOOKS if planned else NO_INTERVAL) if any(map(outside, rows)) else ""
            note += "" if planned or all(map(outside, self.compared())) else IN_SOME_PERIOD
            note += f" p: of a gap{beside}, not of a gap of 0." if beside else ""
        note += "".join(f" {text}" for text in (levels_together(self), self._levels_of_bounds()) if text)
        note += f" {ALONE}: p by itself, not adjusted." if tested and any(map(by_itself, rows)) else ""
        note += f" {left} more: {snippet('tidy()')}." if left > 0 else ""
        heads = *law, Heading("of", kind="text"), *map(Heading, labels)
        return Table("", (*heads, *([Heading("", kind="word")] if decided else [])), tuple(lines), note)

    def _levels_of_bounds(self) -> str:
        """Of groups known as probabilities the level of the limits of every kind of row."""
        bounds = [row for row, *_ in bounded_rows(self)]
        if not bounds:
            return ""
        each = ", ".join(sorted({level(row.conf_level) for row in bounds if row.conf_low == row.conf_low}))
        ends = "ends of the bound: without sampling error"
        known = self.estimates.only(contrast="difference", estimator=CORRECTED)
        of_known = ", ".join(sorted({level(row.conf_level) for row in known if row.conf_low == row.conf_low}))
        if {each, of_known} <= {"", level(self.conf_level)}:
            return f"Intervals: {level(self.conf_level)}; {ends}."
        beside = f", corrected differences {of_known}" * bool(of_known)
        return f"Intervals: bounds of differences {each}{beside}, other rows {level(self.conf_level)}; {ends}."

    def by_category(self) -> list[tuple[Estimate, ...]]:
        """Return the gap of every category, each with those of its basic, variable and given pay where they are there.

        Examples
        --------
        >>> import fairstats as fs
        >>> staff = {"sex": ["f", "m"] * 20, "grade": ["a", "a", "b", "b"] * 10, "pay": [9.5, 10.5, 18, 21] * 10}
        >>> result = fs.pay_transparency(staff, pay="pay", groups="sex", category="grade")
        >>> [(str(row.term), round(row.estimate, 3)) for row, in result.by_category()]
        [('a', 0.095), ('b', 0.143)]
        """
        rows = [row for row in self.estimates if of_category(row)]
        main = [row for row in rows if row.role == "main"]
        rest = [row for row in rows if row.role != "main"]
        parts = len(rest) // len(main) if main else 0
        return [(row, *rest[i * parts : (i + 1) * parts]) for i, row in enumerate(main)]

    def _content(self, *, brief: bool = False) -> Iterator[Block]:
        """The statements, a line a number, and a line a category, a period or a model.

        Models that are compared come before their comparisons, of which there may be many. brief: of several watched
        groups the periods of one.
        """
        statements = tuple(capital(translated(one)) for one in self.statements) if of_pay(self) else self.statements
        blocks = FitStudy._content(replace(worded(self), statements=statements))
        models = self._model_tables(self.by_model())
        first = () if "candidates" in self.settings else models
        for block in blocks:
            if isinstance(block, Table):
                yield from first
            if not isinstance(block, Table) or block.rows:
                yield block
        if lines := worded(self).by_category():
            yield from self._category_tables(lines[:MOST_LINES])
        if watched := watched_rows(self):
            yield from self._period_tables(watched, brief)
        yield from models
        if "candidates" in self.settings and (changes := self.changes_by_rate()):
            yield self._change_table(changes)

    def changes_by_rate(self) -> list[tuple[Estimate, Estimate, Estimate]]:
        """Return every change from a model to another, and the number of either, that compared with first.

        Examples
        --------
        >>> import fairstats as fs
        >>> people = {"sex": ["f", "m"] * 40, "a": [0, 1, 1, 1] * 20, "b": [1, 1, 1, 0] * 20}
        >>> result = fs.compare_models(people, ["a", "b"], "sex", reference="m")
        >>> [(change.estimate, old.estimate, new.estimate) for change, old, new in result.changes_by_rate()]
        [(1.0, -0.5, 0.5)]
        """
        rows: list[tuple[Estimate, Estimate, Estimate]] = []
        for row in self.estimates:
            changed = of_change(row) and row.contrast == "difference" and row.status == "ok"
            if changed and not row.estimator and not row.given:
                about = {"metric": row.metric, "group": row.group, "versus": "", "given": "", "estimator": ""}
                about["contrast"] = "difference" if row.reference else "none"
                old, new = (self.estimates.only(model=name, **about)[0] for name in (row.versus, row.model))
                rows.append((row, old, new))
        return rows

    def by_rate(self) -> pd.DataFrame:
        """What changes from a model to another: a line a rate and group, and a line a rate and gap.

        Columns: rate; group ("" is everybody), reference (of a gap, else ""); model, versus; n of the group; before
        (with ``versus``), after (with ``model``), change; conf_low, conf_high of the change, conf_level: of
        `compare_models` that of one row, above that of the call, so that those of one rate hold together; p_adjusted,
        verdict (of `alternatives` that of the two changes which decide); margin_low, margin_high: with a margin the
        limits of the test of it, which sentences and tables print of changes within it (at a level that is lower than
        conf_level, so that they are narrower); direction: of a change that is shown, by its limits where it has no
        verdict, "smaller", "larger" or "changed" (which is larger is not settled) of a gap, "higher" or "lower" of a
        rate; "within" the margin; else "".

        Examples
        --------
        >>> import fairstats as fs
        >>> people = {"sex": ["f", "m"] * 40, "a": [0, 1, 1, 1] * 20, "b": [1, 1, 1, 0] * 20}
        >>> fs.compare_models(people, ["a", "b"], "sex", reference="m").by_rate()[["group", "before", "after"]]
          group  before  after
        0     f    -0.5    0.5
        """
        import pandas as pd

        names = ("group", "reference", "model", "versus", "n")
        ends = ("conf_low", "conf_high", "conf_level", "p_adjusted", "verdict", "margin_low", "margin_high")
        lines = list[dict[str, Any]]()
        for row, old, new in self.changes_by_rate():
            line: dict[str, Any] = {"rate": row.metric} | {name: getattr(row, name) for name in names}
            line |= {"before": old.estimate, "after": new.estimate, "change": row.estimate}
            line |= {name: getattr(row, name) for name in ends}
            lines.append(line | {"direction": direction(row, self.estimates)})
        return pd.DataFrame(lines, columns=["rate", *names, "before", "after", "change", *ends, "direction"])

    def by_candidate(self) -> pd.DataFrame:
        """Return a line a model, rate and group: the gap that the model leaves, and how often it is right.

        Columns: model; half ("chose" or "tested" of `alternatives`, else ""); rate; group, reference; n of the
        group; share, share_reference; gap, conf_low, conf_high, conf_level; accuracy of everybody (NaN without an
        outcome), and with `alternatives` its change from the model in use, change_low, change_high.

        Examples
        --------
        >>> import fairstats as fs
        >>> people = {"sex": ["f", "m"] * 40, "a": [0, 1, 1, 1] * 20, "b": [1, 1, 1, 0] * 20}
        >>> fs.compare_models(people, ["a", "b"], "sex", reference="m").by_candidate()[["model", "gap"]]
          model  gap
        0     a -0.5
        1     b  0.5
        """
        import pandas as pd

        lines = []
        searched = "candidates" in self.settings
        for row in self.estimates.only(contrast="difference", versus="", estimator="", status="ok"):
            if not row.model:
                continue
            alone = {"model": row.model, "versus": "", "given": row.given, "contrast": "none"}
            shares = [
                self.estimates.only(metric=row.metric, group=group, **alone)[0].estimate
                for group in (row.group, row.reference)
            ]
            right = [one.estimate for one in self.estimates.only(metric="accuracy", group="", **alone)]
            half = ("chose" if row.given else "tested") if searched else ""
            line: dict[str, Any] = {"model": row.model, "half": half, "rate": row.metric, "group": row.group}
            line |= {"reference": row.reference, "n": row.n, "share": shares[0], "share_reference": shares[1]}
            line |= {"gap": row.estimate, "conf_low": row.conf_low, "conf_high": row.conf_high}
            line |= {"conf_level": row.conf_level, "accuracy": right[0] if right else float("nan")}
            about = {"metric": "accuracy", "group": "", "contrast": "difference", "given": row.given}
            for change in self.estimates.only(model=row.model, **about) if searched else ():
                line |= {"change": change.estimate, "change_low": change.conf_low, "change_high": change.conf_high}
            lines.append(line)
        names = ["model", "half", "rate", "group", "reference", "n", "share", "share_reference", "gap"]
        names += ["conf_low", "conf_high", "conf_level", "accuracy"]
        return pd.DataFrame(lines, columns=names + ["change", "change_low", "change_high"] * searched)

    def by_model(self) -> list[tuple[Estimate, ...]]:
        """Return a line a model and group: accuracy and AUC of everybody if known, and the gap in every rate.

        Examples
        --------
        >>> import fairstats as fs
        >>> people = {"sex": ["f", "m"] * 40, "a": [0, 1, 1, 1] * 20, "b": [1, 1, 1, 0] * 20}
        >>> result = fs.compare_models(people, ["a", "b"], "sex", reference="m")
        >>> [(row.model, row.metric, row.estimate) for row, in result.by_model()]
        [('a', 'selection rate', -0.5), ('b', 'selection rate', 0.5)]
        """
        rows = [row for row in self.estimates if of_model(row) and not row.versus]
        rows = [row for row in rows if row.given == rows[0].given]
        whole: dict[str, list[Estimate]] = {}
        for row in rows:
            if not row.group:
                whole.setdefault(row.model, []).append(row)
        lines: dict[tuple[str, str], list[Estimate]] = {}
        for row in rows:
            if row.contrast == "difference":
                lines.setdefault((row.model, row.group), [*whole.get(row.model, ())]).append(row)
        return [tuple(line) for line in lines.values()]

    def _category_tables(self, lines: Sequence[tuple[Estimate, ...]]) -> Iterator[Table]:
        """Of total pay, and of its parts: in one, or in two where there is pay per hour and as given."""
        several = len({row[0].group for row in lines}) > 1
        least = f"{setting(100 * (self.margin or 0))}% or more"
        heads = [
            *map(Heading, ("people" if several else lines[0][0].group, lines[0][0].reference, "gap", "interval")),
            Heading(least, kind="word"),
            Heading("beyond or within", kind="text"),
        ]
        beside = [Heading(next(head for of, head in HEADS if says(part.term, of))) for part in lines[0][1:]]
        signs = absent_signs([row for line in lines for row in line if row.estimate != row.estimate])

        def gap(row: Estimate) -> str:
            return percent(row.estimate) if row.estimate == row.estimate else signs.get(row.reason, DASH)

        def reasons(cells: Sequence[tuple[str, ...]]) -> str:
            return " ".join(f"{sign}: {why}." for why, sign in signs.items() if any(sign in line for line in cells))

        cells, of_parts = list[tuple[str, ...]](), list[tuple[str, ...]]()
        for row, *apart in lines:
            name = f"{row.term}, {row.group}" if several else str(row.term)
            people = [count(n) if n == n else "" for n in (row.events, row.n - row.events)]
            line = [name, *people, gap(row), span(*decisive_interval(row), percent)]
            line += beside_margin(row, self.margin or 0.0, as_given(apart))
            cells.append(tuple(line))
            of_parts.append(tuple(map(gap, apart)))
        first, given = Heading(lines[0][0].given, kind="text"), as_given(lines[0]) is not None
        left = len(beside) - given if given else 0  # in a table of their own: all would be too wide
        whole = tuple((*line, *part[left:]) for line, part in zip(cells, of_parts, strict=True))
        limited = (row for row, *_ in lines if all(end == end for end in decisive_interval(row)))
        levels = dict.fromkeys(map(decisive_level, limited))
        intervals = f"Intervals: {listed(list(levels))}." if levels else ""
        note = ["Columns of groups: people. Gaps in % of the reference.", intervals, reasons(whole), MARGIN_NOTE]
        yield Table("", (first, *heads, *beside[left:]), whole, " ".join(filter(None, note)))
        if left:
            parts = tuple((line[0], *part[:left]) for line, part in zip(cells, of_parts, strict=True))
            yield Table("", (first, *beside[:left]), parts, reasons(parts))

    def _model_tables(self, lines: Sequence[tuple[Estimate, ...]]) -> Iterator[Table]:
        """Of everybody and of gaps in one, or in two where one would be too wide; nothing of no models."""
        if not lines:
            return
        if len([row for row in lines[0] if not row.group]) > 1:
            models = {line[0].model: line for line in lines}
            yield self._model_table([tuple(row for row in line if not row.group) for line in models.values()])
            lines = [tuple(row for row in line if row.group) for line in lines]
        yield self._model_table(lines)

    def _model_table(self, lines: Sequence[tuple[Estimate, ...]]) -> Table:
        if not lines[0][-1].group:
            heads = [Heading("model", kind="text"), *(Heading(row.metric) for row in lines[0])]
            whole = [(line[0].model, *(_written(row)(row.estimate) for row in line)) for line in lines[:MOST_LINES]]
            return Table("", tuple(heads), tuple(whole), "Of everybody.")
        groups = len({line[-1].group for line in lines})
        heads = [Heading("model", kind="text"), *([Heading("group", kind="text")] if groups > 1 else [])]
        columns = dict.fromkeys((row.metric, bool(row.group)) for line in lines for row in line)
        of_all = ", all" * (groups > 1)  # of everybody, beside gaps of a group
        heads += [Heading(f"{metric} gap" if gap else f"{metric}{of_all}") for metric, gap in columns]
        cells: list[tuple[str, ...]] = []
        for line in lines[:MOST_LINES]:
            found = {(row.metric, bool(row.group)): _written(row)(row.estimate) for row in line}
            names = (line[0].model, line[-1].group) if groups > 1 else (line[0].model,)
            cells.append((*names, *(found.get(column, "") for column in columns)))
        of = "group − " if groups > 1 else f"{lines[0][-1].group} − "
        about = f" among {lines[0][0].given}" if lines[0][0].given else ""
        note = (
            f"Of each model{about}; gaps are {of}{lines[0][-1].reference}. Limits, rates by group: {snippet('tidy()')}."
        )
        return Table("", tuple(heads), tuple(cells), note)

    def _change_table(self, changes: Sequence[tuple[Estimate, Estimate, Estimate]]) -> Table:
        """What changes from the model in use to the candidate, a line a rate and group or gap."""
        first = changes[0][0]
        heads = [Heading("rate", kind="text"), Heading("of", kind="text")]
        heads += map(Heading, (first.versus, first.model, "change", "interval"))
        lines = []
        for row, old, new in sorted(changes, key=lambda line: (bool(line[0].reference), bool(line[0].group))):
            who = f"{row.group} − {row.reference}" if row.reference else row.group or "everybody"
            numbers = [*map(percent, (old.estimate, new.estimate, row.estimate))]
            lines.append((row.metric, who, *numbers, span(row.conf_low, row.conf_high, percent)))
        left = len(lines) - MOST_LINES
        note = f"Among those who tested, in %. Intervals: {percent(first.conf_level, 0)}%, each by itself."
        return Table(
            "",
            tuple(heads),
            tuple(lines[:MOST_LINES]),
            note + (f" {left} more: {snippet('tidy()')}." if left > 0 else ""),
        )

    def _period_tables(
        self, watched: Sequence[tuple[Estimate, Estimate, Estimate | None, Estimate | None]], brief: bool
    ) -> Iterator[Table]:
        """The last periods, a table a group; brief: of the group of the first alarm, or with the most evidence."""
        groups = list(dict.fromkeys(known.group for known, *_ in watched))
        left_out = len(groups) - 1 if brief else 0
        if left_out:
            evidence = {row.group: row.p_adjusted for row in self.compared()}
            groups = [next(iter(self.alarms), min(groups, key=lambda name: evidence[name]))]
        planned = bool(self.settings.get("looks"))
        letter = "z" if planned else "e"
        of = "standard errors, against limits that share the error" if letter == "z" else ""
        of = of or f"alarm from {significant(self.least_e, 3)} on"
        most = FEWEST_LINES if left_out else max(MOST_LINES // len(groups), FEWEST_LINES)
        for name in groups:
            lines = list[tuple[str, ...]]()
            every = [of_group for of_group in watched if of_group[0].group == name]
            for known, gap, mine, other in every[-most:]:
                rates = [percent(row.estimate) if row else "" for row in (mine, other)]
                ends = span(gap.conf_low, gap.conf_high, percent)
                band = [percent(gap.estimate), ends] if gap.status == "ok" else ["", ""]
                sequence = one_limit(known) or span(known.conf_low, known.conf_high, percent)
                seen = number(known.statistic, 2) if planned else significant(known.statistic, 3)
                lines.append((known.given, *rates, *band, sequence, seen))
            reference = every[0][0].reference
            narrow = len(groups) == 1 and not left_out and len(name) + len(reference) <= NARROW
            title, sides = ("", (name, reference)) if narrow else (f"{name} − {reference}", ("group", "reference"))
            heads = map(Heading, (*sides, "gap", "band", "so far", letter))
            left = len(every) - most
            notes = [f"{left} earlier: {snippet('tidy()')}."] if left > 0 else []
            notes += [f"Periods of the other groups: {snippet('all in tidy()')}."] if left_out else []
            if name == groups[-1]:
                known_so_far = GAP_OF_LOOKS if planned else GAP_SO_FAR
                error = f"Chance of any false alarm, in all periods: at most {level(1 - self.conf_level)}."
                notes[:0] = [
                    f"Rates and gaps in %; gap and band are of the period. {known_so_far} {letter}: {of}. {error}"
                ]
            yield Table(title, (Heading("period", kind="text"), *heads), tuple(lines), " ".join(notes))

    @property
    def least_e(self) -> float:
        """The e-value from which on `monitor` raises an alarm: several groups share the error."""
        return len(self.compared()) / (1 - self.conf_level)

    def _brief(self) -> str:
        return f"{self.question}; {self.statements[0]}"

    def glance(self) -> pd.DataFrame:
        """One row: people, comparisons, in how many of them a difference is shown, and what was declared."""
        import pandas as pd

        row = {"question": str(self.question), "n": self.n, "attribute": self.attribute}
        row |= {"compared": len(self.compared()), "shown": len(self.shown()), "conf_level": self.conf_level}
        return pd.DataFrame([row if self.found is None else {**row, "found": self.found}])

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready (schema ``fairstats/group-study/1``)."""
        about = {"attribute": self.attribute, "settings": json_plain(self.settings)}
        about |= {} if self.found is None else {"found": self.found}
        records = run_records(self.data, self.provenance)
        return {**super().to_dict(), "schema": "fairstats/group-study/1", **about, **records}


def shown_kept(rows: Sequence[Estimate], most: int = MOST_LINES) -> list[Estimate]:
    """The rows that a table of so many lines prints, in their order and those that are decided among them, then others.

    >>> rows = [Estimate("share"), Estimate("TPR", verdict="flagged"), Estimate("FPR", verdict="equivalence shown")]
    >>> [row.metric for row in shown_kept(rows, 2)]
    ['TPR', 'FPR', 'share']
    """
    order = {**dict.fromkeys(SHOWN, 0), "equivalence shown": 1}
    first = set(sorted(range(len(rows)), key=lambda i: order.get(rows[i].verdict, 2))[:most])
    return [row for kept in (True, False) for i, row in enumerate(rows) if (i in first) is kept]


EACH_BY_ITSELF = message("Intervals: {level}, each by itself.")
TOGETHER = message("Intervals of the comparisons of one rate hold together at {level} (each at {each}).")


def levels_together(result: GroupStudy) -> str:
    """Of models compared the level at which the intervals of one rate hold, but those of equality, together or each."""
    rows = [row for row in result.compared() if of_change(row) and row.conf_low == row.conf_low]
    joint = {row.conf_level for row in rows if decisive_level(row) == level(row.conf_level)}
    if not joint or "candidates" in result.settings:
        return ""
    if joint == {result.conf_level}:
        return EACH_BY_ITSELF.format(level=level(result.conf_level))
    return TOGETHER.format(level=level(result.conf_level), each=", ".join(sorted(map(level, joint))))


def by_itself(row: Estimate) -> bool:
    """Whether the row has a p-value that no family adjusts."""
    return row.p_adjusted != row.p_adjusted and row.p_value == row.p_value


MUCH_LESS = 0.001  # than the level of a test: no p that chance alone gives often; the least that draws give


def study_p(row: Estimate) -> str:
    """The p-value that decides, or the marked one of a row by itself.

    >>> study_p(Estimate("share", p_value=0.02, p_adjusted=0.04)), study_p(Estimate("share", p_value=0.02))
    ('0.040', '0.020*')
    """
    return f"{p_of_draws(row.p_value)}{ALONE}" if by_itself(row) else p_value(decisive_p(row))


def p_of_draws(p: float) -> str:
    """A p-value that may come from draws, of which the least says that none was farther out.

    >>> p_of_draws(0.001), p_of_draws(0.002)
    ('<0.001', '0.002')
    """
    return p_value(p if p > MUCH_LESS else 0.0)


def overturned(row: Estimate, rows: Estimates) -> bool:
    """Whether people of whom neither group nor probabilities are known could overturn a gap that a bound shows."""
    worst = rows.only(estimator=AT_WORST, group=row.group) if row.estimator == BOUND and row.verdict in SHOWN else ()
    return any(one.conf_low <= 0 <= one.conf_high for one in worst)


def of_homogeneity(row: Estimate) -> bool:
    """Whether the row's number is a chi-square."""
    return row.metric in ("homogeneity of odds ratios", "homogeneity of differences") and row.status == "ok"


def _beside_strata(row: Estimate) -> bool:
    """Whether a row only goes with the differences within strata: a summary has their verdicts, not these."""
    common = row.metric in ("common odds ratio", "homogeneity of odds ratios", "homogeneity of differences")
    return common or (row.estimator == WITHOUT_REGARD and row.contrast == "ratio")


def of_blocks(result: GroupStudy) -> bool:
    """Whether a result is of applications in blocks, such as pairs."""
    return any(row.metric == "share favored" for row in result.estimates)


def is_gap(row: Estimate) -> bool:
    """Whether the row is a gap of amounts in per cent of the reference's."""
    return row.metric in GAPS_OF_AMOUNTS


def of_pay(result: GroupStudy) -> bool:
    """Whether a result is a report of pay, whose figures a law lists."""
    return any(map(is_gap, result.estimates))


def called(result: GroupStudy, label: str) -> str:
    """What pages call a group: by the words given, and women and men of a report of pay by these."""
    given = result.settings.get("labels", {}).get("groups", {}).get(result.attribute, {})
    usual = SEXES.get(label.strip().lower(), label) if of_pay(result) else label
    return str(given.get(label) or in_words(translated(usual)))


def worded(result: GroupStudy) -> GroupStudy:
    """The same with groups as pages call them."""
    labels = {label for row in result.estimates for label in (row.group, row.reference) if label}
    names = {label: called(result, label) for label in labels}
    rows = [
        row.changed(group=names.get(row.group, ""), reference=names.get(row.reference, "")) for row in result.estimates
    ]
    return replace(result, estimates=Estimates(rows))


def as_gap(row: Estimate) -> Estimate:
    """A difference of shares as a report of pay prints it: above 0 where the group has less, as its gaps are."""
    if is_gap(row) or row.contrast != "difference":
        return row
    return negated(row).changed(group=row.reference, reference=row.group)


def absent_signs(rows: Sequence[Estimate]) -> dict[str, str]:
    """Why rows have no number or no limits, and what stands there: a dash, with asterisks where reasons differ.

    >>> absent_signs([Estimate("a", reason="few"), Estimate("b", reason="none"), Estimate("c", reason="few")])
    {'few': '–*', 'none': '–**'}
    """
    reasons = dict.fromkeys(row.reason for row in rows if row.conf_low != row.conf_low and row.reason)
    return {why: DASH + "*" * (place + (len(reasons) > 1)) for place, why in enumerate(reasons)}


def provision(result: GroupStudy, row: Estimate) -> str:
    """The letter of Article 9(1), or the number of the British regulation, of a figure of a report of pay."""
    if of_category(row):
        return "g"
    found = PROVISIONS.get((row.metric, row.term in OF_VARIABLE_PAY)) if of_pay(result) else None
    return found[result.margin is None] if found else ""


def in_law_order(result: GroupStudy, rows: Iterable[Estimate]) -> list[Estimate]:
    """Rows of a report of pay in the order of the law, gaps within categories after them."""
    names = (of[result.margin is None] for of in PROVISIONS.values())
    order = [*sorted(names, key=lambda name: (len(name), name)), "", "g"]
    return sorted(rows, key=lambda row: order.index(provision(result, row)))


def at_margin(row: Estimate, margin: float) -> bool:
    """Whether the observed gap is as large as the margin.

    >>> at_margin(Estimate("gap of means", estimate=-0.05), 0.05)
    True
    """
    return abs(row.estimate) >= margin * (1 - 1e-12)


def margin_word(row: Estimate, margin: float) -> MarginWord:
    """Whether a gap is shown to be beyond the margin, within it, or neither."""
    return beside_gap(row, margin) if row.verdict else "not settled"


def as_given(rows: Iterable[Estimate]) -> Estimate | None:
    """The gap of a category's pay as given, among those beside its gap per hour."""
    return next((row for row in rows if says(row.term, GIVEN_OF)), None)


def beside_margin(row: Estimate, margin: float, given: Estimate | None) -> tuple[str, str]:
    """Whether the observed gap, per hour or as given, is as large as the margin, and what the limits of the first show;
    without a gap why there is none.
    """
    if row.estimate != row.estimate:
        return NOT_KNOWN, row.reason
    large, word = at_margin(row, margin), margin_word(row, margin)
    if given is None:
        return "yes" if large else "no", word
    if large or given.estimate != given.estimate:
        return ("both" if at_margin(given, margin) else "per hour") if large else NOT_KNOWN, word
    return "as given" if at_margin(given, margin) else "no", word


def of_category(row: Estimate) -> bool:
    """Whether the row is the gap of one category."""
    return row.metric == GAP and bool(row.given)


def of_period(row: Estimate) -> bool:
    """Whether the row is about one period of `monitor`, or about all until then."""
    return row.estimator in (OF_PERIOD, SO_FAR)


def watched_rows(result: GroupStudy) -> list[tuple[Estimate, Estimate, Estimate | None, Estimate | None]]:
    """Of every period and group what `monitor` knew by then, the gap, and both rates."""
    rows = [row for row in result.estimates if of_period(row)]
    rates = {(row.given, row.group): row for row in rows if row.contrast == "none"}
    gaps = {(row.given, row.group): row for row in rows if row.contrast != "none" and row.estimator == OF_PERIOD}
    return [
        (row, gaps[at], rates.get(at), rates.get((row.given, row.reference)))
        for row in rows
        if row.estimator == SO_FAR and (at := (row.given, row.group)) in gaps
    ]


def allowed_gaps(margin: float, baseline: Estimate | None) -> tuple[float, float]:
    """The gaps for which `monitor` raises no alarm: within the margin of 0, or of the limits of the baseline's gap.

    >>> allowed_gaps(0.05, None), allowed_gaps(0.25, Estimate("selection rate", conf_low=0.25, conf_high=0.5))
    ((-0.05, 0.05), (0.0, 0.75))
    """
    if baseline is None:
        return -margin, margin
    return max(-0.999, baseline.conf_low - margin), min(0.999, baseline.conf_high + margin)


def compared_periods(result: GroupStudy) -> list[str]:
    """The periods of `monitor` in which some group was compared with the reference, in their order.

    Raises
    ------
    InputError
        There is none.
    """
    there = {gap.given for _, gap, *_ in watched_rows(result)}
    periods = [period for period in result.periods if period in there]
    if not periods:
        raise InputError(
            "results",
            "have a watched gap, and no period yet in which a group could be compared with the reference; show it when "
            "there is one.",
        )
    return periods


def bounded_rows(result: GroupStudy) -> list[tuple[Estimate, Estimate, list[Estimate]]]:
    """Of every difference of `group_probabilities` the bound with limits, its ends, and the estimates."""
    rows = [row for row in result.estimates if row.contrast == "difference"]
    lines = []
    for row in rows:
        if row.estimator == BOUND:
            same = {one.estimator: one for one in rows if one.group == row.group}
            beside = [same[name] for name in (WEIGHTED, LINEAR, CORRECTED) if name in same]
            lines.append((row, same[ENDS], beside))
    return lines


def outside(row: Estimate) -> bool:
    """Whether an estimate of `monitor`, of all periods, has no limits, or is not within those, which are of some."""
    return row.reason in (ONE_LIMIT, NOT_CONSTANT, AFTER_ALARM) and not row.conf_low <= row.estimate <= row.conf_high


def one_limit(row: Estimate) -> str:
    """The limit of `monitor` that stands alone, where the gap was not the same in all periods; none of an estimate
    that is not within it.
    """
    if outside(row) and row.estimator != SO_FAR:
        return NO_LIMITS
    if row.reason != ONE_LIMIT:
        return ""
    return (
        f"\N{LESS-THAN OR EQUAL TO} {percent(row.conf_high)}"
        if row.conf_high < 1
        else (f"\N{GREATER-THAN OR EQUAL TO} {percent(row.conf_low)}")
    )


def of_model(row: Estimate) -> bool:
    """Whether the row stands beside a comparison of models."""
    return bool(row.model) and row.role == "supplementary"


def of_change(row: Estimate) -> bool:
    """Whether the row compares a model with another."""
    return bool(row.model and row.versus)


def is_improvement(row: Estimate, rows: Estimates) -> bool:
    """Whether a row says of a model that its gap is smaller, or its accuracy higher, than the baseline's.

    >>> better = Estimate("accuracy", model="b", versus="a", estimate=0.1, verdict="disparity shown")
    >>> is_improvement(better, Estimates())
    True
    """
    if not (row.model and row.versus and row.verdict in SHOWN):
        return False
    return larger(row, rows) < 0 if row.group else row.estimate > 0


def larger(row: Estimate, rows: Estimates) -> int:
    """1 where the gap of the model is shown to be larger in size than the baseline's, -1 smaller, 0 neither."""
    if not change_shown(row):
        return 0
    total = sum_of_gaps(row, rows)
    return (int(total.conf_low > 0) - int(total.conf_high < 0)) * (1 if row.estimate > 0 else -1)


def change_shown(row: Estimate) -> bool:
    """Whether a change is shown: by its verdict, and by its limits where it decides nothing and has none."""
    return row.verdict in SHOWN if row.verdict else row.conf_low > 0 or row.conf_high < 0


def direction(row: Estimate, rows: Estimates) -> str:
    """Of a change that is shown ``smaller``, ``larger`` or ``changed`` of a gap, ``higher`` or ``lower`` of a rate.

    ``within`` is a change that is shown to be less than the margin, "" one that is not shown.
    """
    if row.verdict == "equivalence shown":
        return "within"
    if not change_shown(row):
        return ""
    if row.reference:
        return {-1: "smaller", 1: "larger", 0: "changed"}[larger(row, rows)]
    return "higher" if row.estimate > 0 else "lower"


def way_shown(row: Estimate, rows: Estimates, margin: float = 0.0) -> str:
    """The direction of a change; of one within the margin that is shown not to be 0 both, such as "lower within".

    margin: "near" is accuracy of everybody that is shown to be at most so much lower, and nothing else.
    """
    way = direction(row, rows)
    if not way and row.metric == "accuracy" and not row.group and -margin < row.conf_low <= 0:
        return "near"
    if way != "within" or not remains(row):
        return way
    return f"{direction(row.changed(verdict=SHOWN[0]), rows)} within"


def before_and_after(row: Estimate, rows: Estimates) -> tuple[float, float]:
    """The gaps that both models of a change leave, or of a change of a rate the rates, that of the baseline first."""
    contrast = "difference" if row.reference else "none"
    about = {"metric": row.metric, "group": row.group, "contrast": contrast, "versus": "", "given": ""}
    before, after = (rows.only(model=name, **about)[0].estimate for name in (row.versus, row.model))
    return before, after


def sum_of_gaps(row: Estimate, rows: Estimates) -> Estimate:
    """The sum of both gaps of a change, whose sign says which is the larger in size where the change has one."""
    (total,) = rows.only(metric=row.metric, group=row.group, model=row.model, versus=row.versus, estimator=SUM)
    return total


def size_limit(row: Estimate, rows: Estimates) -> float:
    """By how much the gap of the model may be larger in size than the baseline's: the upper limit.

    Of gaps a and b, |b| - |a| < m where b - a < m and b + a > -m, or where b - a > -m and b + a < m.

    >>> change = Estimate("TPR", model="b", versus="a", conf_low=-0.2, conf_high=-0.06)  # from 0.11 to -0.02
    >>> size_limit(change, Estimates([change.changed(estimator=SUM, conf_low=-0.03, conf_high=0.2)]))
    0.03
    """
    total = sum_of_gaps(row, rows)
    sides = max(row.conf_high, -total.conf_low), max(-row.conf_low, total.conf_high)
    return min(*sides, max(-row.conf_low, row.conf_high))


def no_larger(row: Estimate, rows: Estimates, margin: float) -> bool:
    """Whether the gap of the model is shown to be at most the margin larger in size than the baseline's."""
    return size_limit(row, rows) < margin


def in_points(row: Estimate) -> bool:
    """Whether the row's numbers are shares."""
    return row.metric in IN_POINTS and row.contrast != "ratio"


def _written(row: Estimate) -> Callable[[float], str]:
    """How the row's numbers are written."""
    if row.metric == "AUC":
        return partial(small, digits=3)
    if of_homogeneity(row):
        return partial(number, digits=2)
    return percent if in_points(row) else compact


def what(row: Estimate) -> str:
    """What a row is of, in few words."""
    if row.role == "omnibus":
        return ", ".join(filter(None, ("all groups at once", row.term)))
    if is_gap(row):
        return f"{row.metric}: {row.term}, {row.group}"
    who = f"{row.group} / {row.reference}" if row.contrast == "ratio" else row.group
    who = f"{row.group} − {row.reference}" if row.contrast == "difference" and row.reference else who
    if row.metric == "share favored" and row.group and row.term:
        return f"{row.metric}, {row.group} {row.term}"
    metric = row.metric if row.metric not in ("share", "selection rate") or row.model else ""
    model = f"{row.model} − {row.versus}" if row.versus and row.model else row.model
    model = f"{model} ({row.given})" if row.model and row.given else model
    given = row.given if row.term == CALIBRATION else ""
    return ", ".join(filter(None, (metric, row.estimator, row.term, model, who, given)))


def result_of(
    question: str,
    call: str,
    source: DataSource,
    rows: Sequence[Estimate],
    statements: Sequence[str],
    n: float,
    conf_level: float,
    attribute: str,
    settings: dict[str, Any],
    *,
    seed: int = 0,
    lost: float = 0.0,
) -> GroupStudy:
    """A study with its sentences; what was left out is said last."""
    given = {name: value for name, value in settings.items() if value not in (None, ())}
    unknown = UNKNOWN_GROUP_OF_ONE if lost == 1 else UNKNOWN_GROUP.format(n=count(lost))
    labels = list(dict.fromkeys(row.group for row in rows if row.attribute == attribute and row.group))
    lines = [*statements, *([unknown] if lost else []), *label_cautions({attribute: labels})]
    return GroupStudy(
        question, source.name, tuple(lines), int(n), seed, conf_level, Estimates(rows), attribute, given,
        data=(source,), provenance=provenance(call_text(f"fairstats.{call}", source, given), seed),
    )  # fmt: skip


def decided_rows(
    items: Sequence[tuple[float, Callable[[float], Sequence[Estimate]]]], conf_level: float, p_adjust: Adjust
) -> list[list[Estimate]]:
    """One family of comparisons: every p-value, and its rows at a level, as rows with level, adjusted p and verdict."""
    if not items:
        return []
    size = len(items[0][1](conf_level))
    comparisons = [Comparison(p, rows) for p, rows in items]
    built = list(decided(Undecided(comparisons, Family(conf_level, p_adjust), alone=True)))
    return [built[i : i + size] for i in range(0, len(built), size)]


def headline(
    rows: Sequence[Estimate],
    sentence: Callable[..., str],
    before: Sequence[Estimate] = (),
    first: Sequence[Estimate] = (),
    alike: Callable[[Estimate], Any] = id,
    most: int = MOST_SAID,
) -> list[str]:
    """In how many comparisons a difference is shown, then a sentence on the first few of everybody and of groups.

    Those that are practically equal and yet not 0 are counted apart.

    before: those with a sentence of their own, which is not repeated.
    first: those that come before others, where there is no room for all.
    alike: the changes of groups for which this is the same have one sentence.
    most: sentences of everybody, those of groups, and changes of one sentence.
    """
    present = [row for row in rows if row.verdict]
    shown = sorted((row for row in present if row.verdict in SHOWN), key=lambda row: row.p_adjusted)
    small = sum(row.verdict == "equivalence shown" and remains(row) for row in present)
    if not shown:
        return [(SMALL if small else NONE).format(small=small, count=len(present))]
    rest = sorted((row for row in shown if row not in before), key=lambda row: row not in first)
    whole, of = [(row,) for row in rest if not row.group], dict[Any, list[Estimate]]()
    for row in [row for row in rest if row.group]:
        of.setdefault(alike(row), []).append(row)
    said = [*whole[:most], *(rows[:most] for rows in list(of.values())[:most])]
    left = len(rest) - sum(map(len, said))
    some = (SOME_SMALL if small else SOME).format(shown=len(shown), small=small, count=len(present))
    lines = [some if len(present) > 1 else ONLY, *(sentence(*rows) for rows in said)]
    beside = SHOWN_BESIDE if len(shown) <= MOST_LINES else SHOWN_IN_PART
    return [*lines, *([beside.format(n=left)] if left else [])]


def conditions_of(result: GroupStudy) -> list[tuple[str, Estimate, bool]]:
    """What `alternatives` asks of the candidate: what, the change, and whether that is shown.

    The change has no verdict here, which would be about a difference from 0.
    """
    if "candidates" not in result.settings:
        return []
    margin, apart = result.settings["margin"], result.settings.get("gap_margin", result.settings["margin"])
    changed = [row for row in result.estimates if of_change(row) and row.contrast == "difference"]
    found: list[tuple[str, Estimate, bool]] = []
    for row in [row for row in changed if row.role == "main"]:
        way = direction(row, result.estimates)
        if way == "changed":  # what is not shown is the sign of the sum
            total = sum_of_gaps(row, result.estimates)
            what = IS_SMALLER_IN_SIZE.format(sum=percent(total.estimate), limits=limits(total))
            found.append((what, row, False))
        elif row.group:
            found.append((IS_SMALLER, row, way == "smaller"))
        else:
            found.append((NO_LESS_ACCURATE.format(margin=percent(margin)), row, row.conf_low > -margin))
    gaps = [row for row in changed if row.reference and row.role != "main" and not row.estimator and not row.reason]
    for row in [row for row in gaps if row.metric == result.settings["metric"]]:
        limit = size_limit(row, result.estimates)
        most = percent(limit, margin_digits(apart, limit))
        what = NO_LARGER_THAN.format(margin=percent(apart), most=most)
        found.append((what, row, no_larger(row, result.estimates, apart)))
    return [(what, row.changed(verdict=""), shown) for what, row, shown in found]


def limits(row: Estimate, margin: float = 0.0) -> str:
    """The limits of a row in a sentence of a result, which every language says in its way; else its adjusted p.

    margin: a loss of which no other limit is printed.

    >>> rows = [Estimate("accuracy", conf_low=low, conf_high=0.1) for low in (-0.03, -0.02027, -0.0003)]
    >>> [str(limits(row, margin=0.02)) for row in rows]
    ['\N{MINUS SIGN}3.0 to 10.0', '\N{MINUS SIGN}2.03 to 10.00', '\N{MINUS SIGN}0.03 to 10.0']
    """
    if row.conf_low != row.conf_low:  # Holm and Benjamini-Hochberg have p-values only
        return ADJUSTED.format(p=p_equals(row.p_adjusted)) if row.p_adjusted == row.p_adjusted else ""
    digits = max(margin_digits(-margin, end) for end in (row.conf_low, row.conf_high))
    return LIMITS.format(low=percent(row.conf_low, digits), high=percent(row.conf_high, digits))


def margin_digits(margin: float, value: float, digits: int = 1) -> int:
    """Digits with which a number is not printed as a margin that it is not."""
    return digits + (value != margin and percent(value, digits) == percent(margin, digits))


def without_value(names: Sequence[str], known: Sequence[NDArray[np.bool_]], people: Floats | None = None) -> list[str]:
    """A sentence on every column in which rows have no value, with how many people they stand for."""
    lost = [float((~some if people is None else people[~some]).sum()) for some in known]
    return [WITHOUT_VALUE.format(column=DataText(name), n=count(n)) for name, n in zip(names, lost, strict=True) if n]


def data_text(row: Estimate) -> DataText:
    """The group of a row in a sentence."""
    return DataText(row.group, row.attribute)


# Counts by group, from people, from a table of counts, from a tally or from plain numbers.


@dataclass(frozen=True)
class Counts:
    """People by group."""

    labels: tuple[str, ...]
    n: Floats
    lost: float  # whose group is not known
    attribute: str
    source: DataSource


def by_label(data: Any) -> Any:
    """Numbers with labels as their names, such as pandas' ``value_counts()``, as a dictionary."""
    return data.to_dict() if type(data).__name__ == "Series" and data.index.is_unique else data


def counts_of(argument: str, data: Any, groups: str | None, weights: str | None = None) -> Counts:
    """People by group: of a column of people, of a table with counts in ``weights``, of a tally, or of plain counts."""
    data = by_label(data)
    if isinstance(data, Mapping) and data and all(is_number(value) for value in data.values()):
        every = ["" if is_missing(name) else label(name) for name in data]
        table = Columns({"group": every, "n": list(data.values())}, argument)
        source, people = DataSource(message("counts in memory"), "", len(every), 2), count_column(table, argument, "n")
        refuse_total(argument, "group", {"group": table.labels("group", "groups")}, people)
        known = np.array([bool(name.strip()) for name in every])
        labels = tuple(name for name in every if name.strip())
        return Counts(labels, people[known], float(people[~known].sum()), groups or "group", source)
    if groups is None:
        raise InputError(
            "groups", f"is missing; {argument} is a table of people, whose column of groups has to be named."
        )
    if isinstance(data, Tally):
        if groups not in data.factors:
            raise InputError("groups", f"has {groups!r}; the tally counts {listing(data.factors)}; name one of these.")
        rows = data.lines or int(data.rows.sum())
        source = DataSource(message("counts in memory"), data.digest(), rows, len(data.factors))
        return _summed(data.factors[groups], data.rows, groups, source)
    if not isinstance(data, (str, Path, Several)):
        Columns(data, argument)  # which says of the argument what is wrong
    columns, source = take_in(data, [groups])
    factor = columns.labels(groups, "groups")
    if argument == "benchmark" and weights is not None and weights not in columns:
        raise InputError(
            argument,
            f"has no column {weights!r}, in which data has its numbers of people (weights); name its numbers so, too, "
            "or pass numbers by label.",
        )
    people = np.ones(columns.n) if weights is None else count_column(columns, "weights", weights)
    numbers = [name for name in columns.names if name != groups and columns.is_numeric(name)]
    if weights is None and numbers and columns.n == len(factor.levels) > 1:
        way = "pass them by label" if argument == "benchmark" else f"name the column: {Setting('weights', numbers[0])}"
        raise InputError(
            argument, f"has one row for each of {listing(factor.levels)}, and numbers in {listing(numbers)}; {way}."
        )
    if weights is not None:
        refuse_total(argument, groups, {groups: factor}, people)
    return _summed(factor, people, groups, source)


def _summed(factor: Factor, people: Floats, attribute: str, source: DataSource) -> Counts:
    check_labels(attribute, factor)
    check_people(attribute, float(people.sum()))
    sums = np.bincount(factor.codes.astype(np.intp) + 1, weights=people, minlength=len(factor.levels) + 1)

    order = np.argsort(-sums[1:], kind="stable")
    return Counts(
        tuple(factor.levels[i] for i in order), sums[1:][order].astype(float), float(sums[0]), attribute, source
    )


def largest(labels: Sequence[str], n: Floats, reference: str | None) -> int:
    """The place of the reference: the named group, or the largest."""
    if reference is None:
        return int(np.argmax(n))
    if (one := one_label("reference", reference)) not in labels:
        way = f"the groups are {listing(labels)}; name one of these."
        raise InputError("reference", with_hint(f"has {one!r}", nearest(one, labels), way))
    return list(labels).index(one)
