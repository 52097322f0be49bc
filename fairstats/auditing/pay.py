"""Reports of pay that laws ask for: ``pay_transparency`` (European Union) and ``gender_pay_gap`` (Great Britain)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.arrays import LARGEST
from fairstats.auditing.amounts import (
    GAP,
    GAP_WITHIN,
    MEDIAN_GAP,
    UNLISTED,
    WITHIN_TELLS,
    AmountPair,
    Group,
    WithheldStrata,
    described_gap,
    mean_comparison,
    quantile_comparison,
    small_strata,
)
from fairstats.auditing.audit import audit
from fairstats.auditing.group_studies import (
    AS_GIVEN,
    BASIC_OF,
    BONUS,
    EVERYBODY,
    EVERYBODY_PER_HOUR,
    GIVEN_OF,
    MEN,
    PER_HOUR,
    RECIPIENTS,
    RECIPIENTS_PER_HOUR,
    SEXES,
    VARIABLE_OF,
    WOMEN,
    GroupStudy,
    at_margin,
    margin_word,
    result_of,
)
from fairstats.auditing.protocol import Protocol, Words, label_words
from fairstats.auditing.protocol import check_labels as check_words
from fairstats.auditing.result import BY_ONE_AMOUNT
from fairstats.auditing.stages import rate_comparison, rate_row
from fairstats.auditing.suppression import dominated
from fairstats.auditing.tally import Tally
from fairstats.data.tables import Factor, check_labels
from fairstats.document import Paragraph, Title, as_text
from fairstats.errors import Call, InputError, Setting, entry_of, listing, rows_at
from fairstats.estimates import Estimate
from fairstats.inference.amounts.quantiles import NOT_ABOVE_0, Quantiles
from fairstats.inference.amounts.quarters import PARTS, Quarters
from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.scores.survey import Scored
from fairstats.inference.verdicts import Comparison, Undecided, decided, decisive_interval, decisive_level
from fairstats.language import DataText, Message, enumerated, joined, message, parts, says, translated
from fairstats.language import listed as named
from fairstats.provenance import DataSource, take_in
from fairstats.text import capital, count, percent, setting
from fairstats.validation import answering, between, confidence, refuse_long, renamed_arguments, shown, whole, word
from fairstats.validation import text as one_text

Floats = NDArray[np.float64]
Ask = Callable[[AmountPair, Protocol], Comparison]

DIRECTIVE = message("Pay transparency (Directive (EU) 2023/970, Article 9)")
BRITISH = message("Gender pay gap (Great Britain, Regulations 2017)")
OF_EVERYBODY = EVERYBODY, EVERYBODY_PER_HOUR
GETTING = message("proportion receiving variable pay")
GETTING_BONUS = message("who gets a bonus")
QUARTER_TERMS = (
    message("lower quarter"),
    message("lower middle quarter"),
    message("upper middle quarter"),
    message("upper quarter"),
)
LIMIT_OF_ARTICLE_10 = 0.05  # the gap of its paragraph 1
FEW = message("fewer than {n} people")
BESIDE = message("fewer than {n} people, or beside such a group")
WILSON = message("Wilson interval; people tied at a cut are split in proportion")

LESS_PER_HOUR = message("{group} earn {gap}% less per hour than {reference} (mean; {limits}).")
MORE_PER_HOUR = message("{group} earn {gap}% more per hour than {reference} (mean; {limits}).")
LESS = message("{group} earn {gap}% less than {reference} (mean; {limits}).")
MORE = message("{group} earn {gap}% more than {reference} (mean; {limits}).")
LIMITS = message("{level}% confidence interval {low} to {high}")
LIMITS_OPEN = message("{level}% confidence interval {low} to {high}: a difference is not shown")
LIMITS_UNREAD = message("{level}% confidence interval {low} to {high}, from which no verdict is read")
NO_LIMITS = message("no confidence interval: {reason}")
TOTAL, TOTAL_PER_HOUR = message("total pay"), message("total pay per hour")
LESS_ALIKE = message(
    "In {what}, weighted over all categories (n₁n₀/(n₁ + n₀), of the people of both groups), {group} get {gap}% less "
    "than {reference} of the same category ({level}% confidence interval {low} to {high}): a figure that Article 10 "
    "does not ask for, and no finding on any one category."
)
MORE_ALIKE = message(
    "In {what}, weighted over all categories (n₁n₀/(n₁ + n₀), of the people of both groups), {group} get {gap}% more "
    "than {reference} of the same category ({level}% confidence interval {low} to {high}): a figure that Article 10 "
    "does not ask for, and no finding on any one category."
)
GIVEN_LESS = message("In pay as given, {group} get {gap}% less (mean; {limits}).")
GIVEN_MORE = message("In pay as given, {group} get {gap}% more (mean; {limits}).")
TAKEN_AS_HOURLY = message(
    "No hours are named: {pay} is taken as pay per hour. If it is of a month or a year, name its hours; gaps per hour "
    "are others where hours differ."
)
AS_HOURLY_TOO = message(
    "No hours are named: {pay} is taken as the pay of the year and as pay per hour. Article 3(1) has both as the pay "
    "level: name the hours; gaps per hour are others where hours differ."
)
NO_GAP = message("Of {group} and {reference} no gap of pay is given: {reason}.")
OBSERVED = message(
    "The observed gap of {group} in {what} is {margin}% or more in {beyond} of {count} categories{sides}, and smaller "
    "in {within}."
)
OBSERVED_IN_ALL = message(
    "The observed gap of {group} in {what} is {margin}% or more in all {count} categories{sides}."
)
OBSERVED_OF_SOME = message(
    "The observed gap of {group} in {what} is {margin}% or more in {beyond} of the {count} categories whose gap is "
    "given{sides}, and smaller in {within}. Further categories: {left}."
)
WITHHELD_LEFT, NONE_LEFT = message("{n} withheld"), message("{n} not computable")
SIDES = message(" ({group} get less in {less} of these, more in {more})")
LESS_IN_ALL, MORE_IN_ALL = message(" ({group} get less)"), message(" ({group} get more)")
OBSERVED_OF_NONE = message("Of no category is a gap of {group} in {what} given: {left}.")
NAMED = message("Categories with a gap of {group} of {margin}% or more in {what}, largest first: {names}.")
CATEGORY_LESS, CATEGORY_MORE = message("{category} ({gap}% less)"), message("{category} ({gap}% more)")
WITHOUT_GAP = message(
    "People in categories of which no gap of {group} is given: {people}. Categories by reason: {reasons}."
)
BY_REASON = message("{reason}: {n}")
NOBODY = message("no {group}")
FEW_OF_TWO = message("fewer than {n} {group} or {reference}")
DOMINATED = message("one person's pay dominates")
VARIABLE_OF_FEW = message("few people have most of the variable pay")
PROTECTING = message("withheld so that another cannot be computed")
PROTECTING_UNKNOWN = message("withheld so that the pay of people of unknown category cannot be computed")
BECAUSE_OF_UNKNOWN = message(
    "The pay of people of unknown category could be computed from the categories, if all were given. Of these people: "
    "{reason}."
)
RUN_AGAIN = message("To see what is withheld, run again with {setting}; that report is not for publication.")
NOTHING_WITHHELD = message(
    "Nothing is withheld: this report may tell what one person earns, and is not for publication."
)
LETTERS = message(
    "Article 9(1): (a) and (c) are the gaps of the mean and the median of pay, (b) and (d) those of variable pay, (e) "
    "is who gets any, (f) are the quarters, (g) the gaps by category. Gaps are in per cent of what {reference} get."
)
SETTLED = message(
    "The gap of {group} in {what} is shown to be larger than {margin}% in {beyond} of {count} categories given, and "
    "smaller in {within}; in {open} it is not settled."
)
NONE_SETTLED = message(
    "In none of the {count} categories given do the limits settle whether the gap of {group} in {what} is larger or "
    "smaller than {margin}%."
)
VARIABLE_APART = message(
    "In variable pay alone, a gap of {margin}% or more is observed in {large} of the {count} categories whose gap of "
    "it is given{sides}."
)
GIVEN_APART = message(
    "In pay as given, a gap of {margin}% or more is observed in {large} of the {count} categories whose gap of "
    "it is given{sides}."
)
NOT_NAMED = message("Not given, as the data have no such column: {list}.")
NO_VARIABLE_NAMED = message("(b), (d) and (e), without variable pay")
NOT_APART = message("(g) by basic and variable pay")
NO_CATEGORY_NAMED = message("(g), without categories of workers")
BOTH_LEVELS = message(
    "Article 3(1) takes as level of pay both the pay of the year and the corresponding pay per hour. Per hour and as "
    "given: {both}; per hour alone: {letters}."
)
NONE_IN_THE_MIDDLE = message("half of a group or more get none, so that its median is 0 and there is no ratio")
MEDIAN = message("Median: {group} get {gap}% less than {reference} ({limits}).")
MEDIAN_MORE = message("Median: {group} get {gap}% more than {reference} ({limits}).")
OF_BONUS = message(
    "A bonus is paid to {share}% of {group} and {other}% of {reference}; of those who get one, {group} get {mean} than "
    "{reference} (mean; median: {median})."
)
OF_VARIABLE = message(
    "Variable pay is paid to {share}% of {group} and {other}% of {reference}; counting everybody, {group} get "
    "{everybody} of it (mean), counting those who get any {mean} (mean; median: {median})."
)
OF_VARIABLE_PER_HOUR = message(
    "Variable pay is paid to {share}% of {group} and {other}% of {reference}; counting everybody, {group} get "
    "{everybody} of it per hour (mean), counting those who get any {mean} (mean; median: {median})."
)
MEDIAN_OF_NONE = message(
    "Of {group}, half or more get no variable pay: their median of it is 0, so that the gap of medians, counting "
    "everybody, is 100%."
)
PART_LESS, PART_MORE = message("{gap}% less"), message("{gap}% more")
NOT_SHOWN_IN = message("No difference is shown in {list}.")
PARTS_OF_VARIABLE = {
    "everybody": message("the mean counting everybody"),
    "mean": message("the mean of those who get any"),
    "median": message("the median of those who get any"),
}
BONUS_PAID = message("A bonus is paid to {share}% of {group} and {other}% of {reference}.")
VARIABLE_PAID = message("Variable pay is paid to {share}% of {group} and {other}% of {reference}.")
QUARTERS = message(
    "{group} among the people of each quarter of pay, lowest first: {first}%, {second}%, {third}%, {fourth}%."
)
QUARTERS_PER_HOUR = message(
    "{group} among the people of each quarter of pay per hour, lowest first: {first}%, {second}%, {third}%, {fourth}%."
)
NO_PAY_BY = message("{n} people whose pay or hours are not known are left out: {groups}.")
OF_GROUP = message("{n} of the group {group}")
NO_PAY = message("{n} people whose pay or hours are not known are left out.")
NO_PAY_BUT_BONUS = message(
    "People without known pay or hours, who are in regulations 10 to 12 (bonus) and not in 8, 9 and 13: {n}."
)
NO_PAY_OF_ONE = message("One person whose pay or hours are not known is left out.")
OTHERS = message(
    "People of other recorded groups: fewer than {n}; left out of the comparison of {group} and {reference}."
)
OTHERS_EACH = message(
    "People of other recorded groups: fewer than {n} of each; left out of the comparison of {group} and {reference}."
)
NO_CATEGORY = message("{n} people of unknown category are in no category.")
NO_CATEGORY_OF_ONE = message("One person of unknown category is in no category.")
NO_VARIABLE = message("{n} people without an entry of {what} count as getting none.")
NO_VARIABLE_OF_ONE = message("One person without an entry of {what} counts as getting none.")
VARIABLE_PAY, A_BONUS = message("variable pay"), message("a bonus")
AS_DRAWN = message(
    "Article 10 asks for the observed gaps; intervals treat these workers as if they were drawn at random from many."
)
EU_LAW = message(
    "The directive as published on 17 May 2023 (state of this note: November 2026). Check this: the national law that "
    "applies, what counts as pay and as its variable components, the year of the report, and who has to report. "
    "Management confirms the figures after it has consulted the workers' representatives (Article 9(6)); what is "
    "withheld here may have to be given to authorities and representatives (Article 12(3)). A gap does not by itself "
    "show unequal treatment."
)
EU_ASSESSMENT = message(
    "Article 10(1) asks for a joint pay assessment where the average pay of women and men differs by at least 5% in "
    "any category of workers, and the employer has neither justified the difference by objective, gender-neutral "
    "criteria nor remedied it within six months of the report: whether it did, pay cannot show."
)
ABOUT = "employer", "period"  # what a report is about, as page one says
MOST_NAMED = 6  # categories in a sentence
UK_LAW = message(
    "The Equality Act 2010 (Gender Pay Gap Information) Regulations 2017, SI 2017/172 (state of this note: November "
    "2026). Check this: who is a full-pay relevant employee, and what counts as ordinary pay and as bonus."
)


@answering
def pay_transparency(
    data: Any,
    pay: str,
    groups: str,
    *,
    variable_pay: str | None = None,
    category: str | None = None,
    hours: str | None = None,
    reference: str | None = None,
    margin: float = 0.05,
    min_n: int = 5,
    conf_level: float = 0.95,
    labels: Mapping[str, Any] | None = None,
    about: Mapping[str, str] | None = None,
) -> GroupStudy:
    """Report pay by group as Article 9(1)(a) to (g) of the European directive on pay transparency asks.

    Parameters
    ----------
    data : table or path
        Workers, a row each.
    pay : str
        The column of all pay, variable pay included; 0 or more.
    groups : str
        The column of groups.
    variable_pay : str, optional
        The column of complementary or variable pay, a part of `pay`; a missing entry is none.
    category : str, optional
        The column of categories of workers who do the same work or work of equal value.
    hours : str, optional
        The column of paid hours of the same time as the pay; pay is then per hour, and as given beside it.
    reference : str, optional
        The group whose average a gap is a share of: that of men, which is found where it is called so (m, male, men).
    margin : float
        The gap of a category that is counted; of Article 10(1) it is 5%.
    min_n : int
        Numbers of groups of fewer people are withheld, and of those in which one person's pay dominates; groups beside
        women and men that are so small are left out.
    conf_level : float
    labels : dict, optional
        What pages call the groups, as in `audit`: ``{"groups": {"sex": {"1": "women"}}}``. Rows keep the labels of the
        data; f, m and the like are called women and men without it.
    about : dict, optional
        What the report is about, for page one: "employer" and "period".

    Returns
    -------
    GroupStudy
        Metrics "gap of means" and "gap of medians", one less the ratio to the reference, with what they are of as
        ``term``; "gap of means within strata", of people of the same category; "selection rate", who gets variable pay;
        "share", the groups' shares in each quarter of pay. Rows with ``given`` are of a category: the gap of its pay,
        ``n`` people of both groups and ``events`` of the group, and with the role "supplementary" of basic, of variable
        and, beside pay per hour, of pay as given.

    Raises
    ------
    InputError
        If pay or hours are text, infinite or negative, hours are 0, variable pay is more than pay, or the group of
        men is not known; if weights or clusters are passed: the law counts every worker once. `audit` with ``amount=``
        takes both.

    Notes
    -----
    The directive's trigger is the observed gap. Beside it stands whether a gap beyond the margin is shown, one within
    it is shown, or neither is settled; the limits of categories hold for all of them together (Bonferroni). The gaps of
    variable pay are given of those who get any and of everybody, as the directive does not say which is meant; of a
    category they are of everybody. Of people tied at the cut of a quarter each quarter gets its part of every group.

    References
    ----------
    Directive (EU) 2023/970 of 10 May 2023, OJ L 132, 21-44, Articles 3, 9 and 10.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> rng = np.random.default_rng(0)
    >>> sex = np.repeat(["women", "men"], 200)
    >>> staff = {"sex": sex, "grade": ["a", "b"] * 200, "pay": np.where(sex == "women", 27, 30) + rng.normal(0, 3, 400)}
    >>> result = fs.pay_transparency(staff, pay="pay", groups="sex", category="grade")
    >>> round(result.compared()[0].estimate, 3)
    0.09
    """
    return _study(
        "pay_transparency", data, pay, groups, variable_pay, category, hours, reference,
        between("margin", margin, 0, 1), whole("min_n", min_n, 1), confidence(conf_level), labels, about,
    )  # fmt: skip


@answering
def gender_pay_gap(
    data: Any,
    pay: str,
    groups: str,
    *,
    bonus: str | None = None,
    hours: str | None = None,
    reference: str | None = None,
    min_n: int = 5,
    conf_level: float = 0.95,
    labels: Mapping[str, Any] | None = None,
    about: Mapping[str, str] | None = None,
) -> GroupStudy:
    """Report the six figures of the British regulations on the gender pay gap, to one decimal of a per cent.

    Parameters
    ----------
    data : table or path
        Relevant employees, a row each.
    pay : str
        The column of hourly pay, or of the pay of the period with its `hours`; 0 or more. It is missing for those who
        are not full-pay relevant employees: their bonuses count (regulations 10 to 12), their pay does not (8, 9, 13).
    groups : str
        The column of groups.
    bonus : str, optional
        The column of the bonus of the twelve months; 0 or missing for none.
    hours : str, optional
        The column of the hours that the pay is of.
    reference : str, optional
        The group whose average a gap is a share of: that of men, which is found where it is called so (m, male, men).
    min_n : int
        Numbers of groups of fewer people are withheld; groups beside women and men that are so small are left out.
    conf_level : float
    labels : dict, optional
        What pages call the groups, as in `pay_transparency`.
    about : dict, optional
        What the report is about, as in `pay_transparency`.

    Returns
    -------
    GroupStudy
        Metrics "gap of means" and "gap of medians" of pay per hour and of the bonus of those who get one; "selection
        rate", who gets a bonus; "share", the groups' shares in each quarter of hourly pay, of which regulation 13 has
        people with equal pay divided so that the groups' proportions are the same on both sides of a cut.

    Raises
    ------
    InputError
        If pay, bonus or hours are text, infinite or negative, hours are 0, or the group of men is not known; if
        weights or clusters are passed, as in `pay_transparency`.

    References
    ----------
    The Equality Act 2010 (Gender Pay Gap Information) Regulations 2017, SI 2017/172, regulations 2 and 8 to 13.

    Examples
    --------
    >>> import fairstats as fs
    >>> staff = {"sex": ["women", "men"] * 10, "pay": list(range(10, 30)), "bonus": [0, 100, 90, 0] * 5}
    >>> result = fs.gender_pay_gap(staff, pay="pay", groups="sex", bonus="bonus")
    >>> [(str(row.term), round(100 * row.estimate, 1)) for row in result.compared()][:2]
    [('pay per hour', 5.0), ('pay per hour', 5.0)]
    """
    return _study(
        "gender_pay_gap", data, pay, groups, bonus, None, hours, reference, None, whole("min_n", min_n, 1),
        confidence(conf_level), labels, about,
    )  # fmt: skip


# The workers, read and checked.


@dataclass(frozen=True, eq=False)
class _Payroll:
    """Workers whose group and pay are known; ``rate`` is per hour where hours are known, and so is variable pay.

    ``unpaid`` counts the others by group.
    """

    by: str
    words: Words
    labels: tuple[str, ...]
    base: int
    codes: NDArray[np.int64]
    rate: Floats
    given: Floats
    hourly: bool
    variable: Floats | None
    category: Factor | None
    source: DataSource
    lost: dict[str, int]
    unpaid: tuple[int, ...]
    relevant: tuple[NDArray[np.int64], Floats] | None = None  # groups and bonuses, of those without known pay too

    @property
    def women(self) -> int:
        """The place of the group that laws compare with men."""
        return _women(self.labels, np.bincount(self.codes, minlength=len(self.labels)), self.base)

    @property
    def others(self) -> list[str]:
        """The groups beside the reference, women first."""
        rest = (label for i, label in enumerate(self.labels) if i not in (self.base, self.women))
        return [self.labels[self.women], *rest]

    def called(self, label: str) -> str:
        """A group in a sentence: by the words given, women and men by these."""
        return (
            DataText(self.words.group(self.by, label), self.by)
            if self.words.group(self.by, label)
            else SEXES.get(label.strip().lower()) or DataText(label, self.by)
        )

    @property
    def parts(self) -> dict[Message, Floats]:
        """Basic and variable pay, and pay as given beside that per hour, by the term of their gaps in a category."""
        found = {GIVEN_OF: self.given} if self.hourly else {}
        if self.variable is None:
            return found
        return {BASIC_OF: self.rate - self.variable, VARIABLE_OF: self.variable} | found

    def pair(self, label: str, values: Floats, keep: NDArray[np.bool_], protocol: Protocol) -> AmountPair:
        """The amounts of a group and of the reference among some workers."""
        sides = []
        for name in (label, self.labels[self.base]):
            part = values[keep & (self.codes == self.labels.index(name))]
            sides.append(Group(name, Scored(part, *(np.ones(part.size),) * 3), False))
        return AmountPair(self.by, sides[0], sides[1], protocol)


def _amounts(columns: Any, name: str, argument: str, least: str) -> Floats:
    """A column of amounts that are not negative; hours are above 0."""
    values: Floats = columns.numeric(name, argument)
    with np.errstate(invalid="ignore"):
        bad = (np.abs(values) > LARGEST) | ((values <= 0) if argument == "hours" else (values < 0))
    if bad.any():
        raise InputError(
            argument,
            f"has {name!r} with values that are infinite, beyond {LARGEST:g} or {least}: {int(bad.sum())} ("
            f"{rows_at(np.flatnonzero(bad))}); correct them, or make them missing.",
        )
    return values


def _read(
    data: Any,
    pay: str,
    groups: str,
    variable: str | None,
    category: str | None,
    hours: str | None,
    reference: str | None,
    part: str,
    min_n: int,
    words: Words,
) -> _Payroll:
    named = {"pay": pay, "groups": groups, part: variable, "category": category, "hours": hours}
    roles = {role: word(role, name) for role, name in named.items() if name is not None}
    for i, (role, name) in enumerate(roles.items()):
        if name in list(roles.values())[:i]:
            first = next(other for other in roles if roles[other] == name)
            raise InputError(role, f"has {name!r}, which is {first}; name another column.")
    if isinstance(data, Tally):
        raise InputError(
            "data", f"is a tally, which has no row a worker; pass the table of workers; {Call('audit')} takes tallies."
        )
    columns, source = take_in(data, [name for name in (groups, category) if name is not None])
    factor = columns.labels(groups, "groups")
    check_labels(groups, factor)
    check_words(words, {groups: factor.levels})
    if len(factor.levels) < 2:
        raise InputError("groups", f"has {groups!r} with {len(factor.levels)} groups; two at least are compared.")
    given = _amounts(columns, pay, "pay", "negative")
    rate = given / _amounts(columns, hours, "hours", "not above 0") if hours is not None else given
    extra, blank = None, np.zeros(given.size, dtype=np.bool_)
    if variable is not None:
        extra = _amounts(columns, variable, part, "negative")
        blank = np.isnan(extra)
        extra = np.nan_to_num(extra)
        if part == "variable_pay" and (over := extra > given).any():
            raise InputError(
                part, f"has {variable!r} above all pay in {int(over.sum())} rows (first: {int(np.argmax(over)) + 1}); "
                "pay includes variable pay: add it to the pay, or correct it."
            )  # fmt: skip
        if part == "variable_pay" and hours is not None:
            extra = extra / columns.numeric(hours, "hours")
    known = (factor.codes >= 0) & ~np.isnan(rate)
    levels = columns.labels(category, "category") if category is not None else None
    lost = {"group": int((factor.codes < 0).sum()), "pay": int(((factor.codes >= 0) & np.isnan(rate)).sum())}
    factor, lost["others"] = _without_others(factor, known, _men(factor.levels, reference), min_n)
    unpaid = tuple(np.bincount(factor.codes[(factor.codes >= 0) & np.isnan(rate)], minlength=len(factor.levels)))
    known &= factor.codes >= 0
    whose = factor.codes >= 0 if part == "bonus" else known  # regulations 10 to 12 are of all relevant employees
    lost["variable"] = int(blank[whose].sum())
    lost["category"] = int((levels.codes[known] < 0).sum()) if levels is not None else 0
    return _Payroll(
        groups, words, factor.levels, _men(factor.levels, reference), factor.codes[known].astype(np.int64), rate[known],
        given[known], hours is not None, None if extra is None else extra[known],
        None if levels is None else replace(levels, codes=levels.codes[known]), source, lost,
        unpaid, None if extra is None else (factor.codes[whose].astype(np.int64), extra[whose]),
    )  # fmt: skip


def _words(labels: Mapping[str, Any] | None) -> Words:
    """What pages call the groups; a report of pay takes no other words."""
    words = label_words(labels)
    if others := [name for name in words.given() if name != "groups"]:
        raise InputError("labels", f"has {others[0]!r}; a report of pay takes 'groups' alone; leave it out.")
    return words


def _about(about: Mapping[str, str] | None) -> dict[str, str]:
    """The employer and the period, as text of one line."""
    if about is None:
        return {}
    way = "pass some of these, as in {'employer': 'Example Ltd', 'period': '2026'}."
    if not isinstance(about, Mapping):
        raise InputError("about", f"has {shown(about)}; it is a mapping of {listing(ABOUT)}; {way}")
    if others := [name for name in about if name not in ABOUT]:
        raise InputError("about", f"has {shown(others[0])}; the entries are {listing(ABOUT)}; {way}")
    given = {name: one_text(entry_of("about", name), entry, "pass text, in quotes") for name, entry in about.items()}
    refuse_long(**{entry_of("about", name): entry for name, entry in given.items()})
    return {name: " ".join(entry.split()) for name, entry in given.items()}


def _without_others(factor: Factor, known: NDArray[np.bool_], base: int, min_n: int) -> tuple[Factor, int]:
    """The groups without small ones beside the two that are compared, and how many people with known pay these have.

    Compared with the reference is the group that is called women, or the largest other one.
    """
    n = np.bincount(factor.codes[known & (factor.codes >= 0)], minlength=len(factor.levels))
    women = _women(factor.levels, n, base)
    kept = [i for i in range(n.size) if i in (base, women) or n[i] >= min_n]
    place = np.full(n.size + 1, -1)
    place[kept] = np.arange(len(kept))
    result = replace(factor, levels=tuple(factor.levels[i] for i in kept), codes=place[factor.codes])
    return result, int(n.sum() - n[kept].sum())


def _women(labels: Sequence[str], n: NDArray[np.int64], base: int) -> int:
    """The place of the group that is called women, or else of the largest beside the reference."""
    places = [i for i in range(n.size) if i != base]
    return next((i for i in places if labels[i].strip().lower() in WOMEN), max(places, key=n.__getitem__))


def _men(labels: Sequence[str], reference: str | None) -> int:
    """The place of the reference: the named group, or the one that is called men."""
    named = [str(reference)] if reference is not None else [name for name in labels if name.strip().lower() in MEN]
    if len(named) == 1 and named[0] in labels:
        return list(labels).index(named[0])
    if reference is None:
        raise InputError("reference", f"is missing; which of {listing(labels)} is the group of men, is not known.")
    raise InputError("reference", f"has {reference!r}; the groups are {listing(labels)}; name one of these.")


# The rows.


def _study(
    call: str,
    data: Any,
    pay: str,
    groups: str,
    variable: str | None,
    category: str | None,
    hours: str | None,
    reference: str | None,
    margin: float | None,
    min_n: int,
    level: float,
    labels: Mapping[str, Any] | None,
    about: Mapping[str, str] | None,
) -> GroupStudy:
    said = _about(about)
    european = call == "pay_transparency"
    part = "variable_pay" if european else "bonus"
    staff = _read(data, pay, groups, variable, category, hours, reference, part, min_n, _words(labels))
    base = staff.labels[staff.base]
    table: dict[str, Any] = {groups: np.array(staff.labels, dtype=object)[staff.codes], pay: staff.rate}
    if category is not None and staff.category is not None:
        table[category] = staff.category.labels
    with renamed_arguments(amount="pay", strata="category"):
        whole_staff = audit(
            table, amount=pay, groups=groups, strata=category, reference=base, conf_level=level, min_n=min_n,
            margin=None if margin is None else {"gap": margin},
        )  # fmt: skip
    protocol = whole_staff.protocol
    kept = (GAP, MEDIAN_GAP, GAP_WITHIN)
    term = PER_HOUR if hours is not None or not european else AS_GIVEN
    rows = [row.changed(term=term) for row in whole_staff.estimates if row.metric in kept and row.role == "main"]
    everybody = np.ones(staff.codes.size, dtype=np.bool_)
    rows = [_observed(row, staff.pair(row.group, staff.rate, everybody, protocol), level) for row in rows]
    among = float((staff.codes == staff.base).sum())  # a gap is of both groups
    rows = [row if row.metric == GAP_WITHIN else row.changed(n=row.n + among) for row in rows]
    rows += _rest(staff, european, hours is not None, protocol)
    rows = [_without_margin(row) if row.metric in kept else row for row in rows]
    rows += _quarters(staff, protocol)
    withheld: dict[str, WithheldStrata] = {}
    if staff.category is not None:
        withheld = _withheld_categories(staff, min_n, [staff.rate])
        rows = [
            row.blank(status="suppressed", reason=WITHIN_TELLS)
            if row.metric == GAP_WITHIN and withheld[row.group].average
            else row
            for row in rows
        ]
        rows += _categories(staff, str(category), withheld, protocol)
    settings: dict[str, Any] = {"pay": pay, "groups": groups, part: variable, "category": category, "hours": hours}
    settings |= {"reference": base, "margin": margin, "min_n": min_n, "conf_level": level}
    settings |= {"labels": staff.words.given() or None, "about": said or None}
    lines = _statements(staff, rows, hours is not None, margin, min_n, withheld)
    dominant = [of.values for one in whole_staff.notes for of in parts(one) if says(of, BY_ONE_AMOUNT)]
    lines[2:2] = [BY_ONE_AMOUNT.format(share=of["share"], group=staff.called(of["group"])) for of in dominant]
    if hours is None:
        lines.insert(-1, (AS_HOURLY_TOO if european else TAKEN_AS_HOURLY).format(pay=DataText(pay)))
    return result_of(
        DIRECTIVE if european else BRITISH, call, staff.source, rows, lines, staff.codes.size, level, groups,
        settings, lost=staff.lost["group"],
    )  # fmt: skip


def _without_margin(row: Estimate) -> Estimate:
    """A gap of everybody, or over all categories, as without a margin: the margin is of a single category."""
    verdict = row.verdict
    if verdict == "equivalence shown":
        verdict = "disparity shown" if row.conf_low > 0 or row.conf_high < 0 else "inconclusive"
    return row.changed(p_equivalence=nan, margin_low=nan, margin_high=nan, verdict=verdict)


def _rest(staff: _Payroll, european: bool, hourly: bool, protocol: Protocol) -> list[Estimate]:
    """The gaps of pay as given and of variable pay, and who gets any of it."""
    if staff.relevant is not None:
        codes, variable = staff.relevant
        staff = replace(staff, codes=codes, variable=variable) if not european else staff
    everybody = np.ones(staff.codes.size, dtype=np.bool_)
    rows = []
    if european and hourly:
        rows += _gaps(staff, staff.given, everybody, AS_GIVEN, protocol)
    if staff.variable is None:
        return rows
    got = staff.variable > 0
    per_hour = RECIPIENTS_PER_HOUR if hourly else RECIPIENTS
    rows += _gaps(staff, staff.variable, got, per_hour if european else BONUS, protocol)
    if european:
        rows += _gaps(staff, staff.variable, everybody, EVERYBODY_PER_HOUR if hourly else EVERYBODY, protocol)
    term = GETTING if european else GETTING_BONUS
    size = len(staff.labels)
    n, events = np.bincount(staff.codes, minlength=size), np.bincount(staff.codes, got, size)
    items = []
    for i, label in enumerate(staff.labels):
        row = rate_row(staff.by, label, term, events[i], n[i], protocol.conf_level)
        few = n[i] < protocol.min_n
        rows.append(row.blank(status="suppressed", reason=FEW.format(n=protocol.min_n)) if few else row)
        if i == staff.base or min(n[i], n[staff.base]) < max(protocol.min_n, 1):
            continue
        about = Estimate("selection rate", staff.by, label, "difference", staff.labels[staff.base], term)
        p, make = rate_comparison(about, events[i], n[i], events[staff.base], n[staff.base])
        items.append(Comparison(p, partial(_first, make)))
    apart = decided(Undecided(items, protocol.multiplicity, alone=True)) if items else ()
    n0, events0 = float(n[staff.base]), float(events[staff.base])  # a difference is of both groups
    return rows + [row.changed(n=row.n + n0, events=row.events + events0) for row in apart]


def _first(make: Callable[[float], Sequence[Estimate]], level: float) -> list[Estimate]:
    return list(make(level)[:1])


def _gaps(staff: _Payroll, values: Floats, keep: NDArray[np.bool_], term: str, protocol: Protocol) -> list[Estimate]:
    """Mean and median gaps of every group among some workers, a family each."""
    rows: list[Estimate] = []
    gaps: tuple[tuple[str, Ask], ...] = (GAP, mean_comparison), (MEDIAN_GAP, partial(quantile_comparison, 0.5))
    for metric, ask in gaps:
        items, pairs = [], {}
        for label in staff.others:
            pair = pairs[label] = staff.pair(label, values, keep, protocol)
            if any(_withheld(side, protocol) for side in (pair.group, pair.base)):
                why = FEW.format(n=protocol.min_n)
                rows.append(pair.about(metric, term=term).blank(status="suppressed", reason=why))
                continue
            items.append(ask(pair, protocol))
        compared = decided(Undecided(items, protocol.multiplicity, alone=True)) if items else ()
        found = [
            _observed(row.changed(term=term), pairs[row.group], protocol.conf_level)
            for row in compared
            if row.metric == metric
        ]
        rows += [row.changed(reason=NONE_IN_THE_MIDDLE) if row.reason == NOT_ABOVE_0 else row for row in found]
    among = float((keep & (staff.codes == staff.base)).sum())
    return [row.changed(n=row.n + among) for row in rows]


def _withheld(group: Group, protocol: Protocol) -> bool:
    n, cells = group.cells.total, group.cells
    few = n < protocol.min_n or 0 < np.count_nonzero(cells.values) < protocol.min_n  # of whom all the pay is
    return protocol.min_n > 1 and bool(n) and bool(few or dominated(cells.values, cells.people))


def _quarters(staff: _Payroll, protocol: Protocol) -> list[Estimate]:
    """The share of every group among the people of each quarter of pay."""
    quarters = Quarters.of(Quantiles(Scored(staff.rate, *(np.ones(staff.rate.size),) * 3)))
    sizes = np.bincount(staff.codes, minlength=len(staff.labels))
    rows = []
    for quarter in range(PARTS):
        members = quarters.membership(staff.rate, quarter)
        n = float(members.sum())
        for i, label in enumerate(staff.labels):
            events = float(members[staff.codes == i].sum())
            about = Estimate("share", staff.by, label, term=QUARTER_TERMS[quarter], method=WILSON)
            if sizes.min() < protocol.min_n:  # the shares of the others tell that of the small one
                rows.append(about.blank(status="suppressed", reason=BESIDE.format(n=protocol.min_n)))
                continue
            low, high = (float(v) for v in wilson(events, n, protocol.conf_level))
            share = events / n
            rows.append(about.changed(n=n, events=events).with_interval(share, low, high, protocol.conf_level))
    return rows


def _withheld_categories(staff: _Payroll, min_n: int, amounts: Sequence[Floats]) -> dict[str, WithheldStrata]:
    """The categories of every group beside the reference whose amounts of these kinds are withheld.

    A category in which only a third group is small has its gap of women and men. That of a third group is withheld
    wherever theirs is, so that of men nothing is shown beyond what is shown beside women.
    """
    assert staff.category is not None
    places = (*range(len(staff.category.levels)), UNLISTED)  # the code of people of unknown category
    people = np.ones(staff.codes.size)
    base = staff.labels[staff.base]
    found: dict[str, WithheldStrata] = {}
    for label in staff.others:
        cells = {
            (h, one): np.flatnonzero((staff.category.codes == h) & (staff.codes == staff.labels.index(one)))
            for h in places
            for one in (label, base)
        }
        of = small_strata(cells, amounts, people, people, min_n, base, strata_first=True)  # which Article 9(1)(g) lists
        first = next(iter(found.values()), of)
        average = of.average or (of is not first and bool(first.hidden))
        found[label] = replace(of, hidden=of.hidden | first.hidden, average=average)
    return found


def _apart(staff: _Payroll, min_n: int) -> dict[Message, dict[str, WithheldStrata]]:
    """The categories without a gap of basic and variable pay, of which few have one, and of pay as given."""
    of = {part: values for part, values in staff.parts.items() if part != GIVEN_OF}
    found = dict.fromkeys(of, _withheld_categories(staff, min_n, [staff.rate, *of.values()])) if of else {}
    return found | ({GIVEN_OF: _withheld_categories(staff, min_n, [staff.rate, staff.given])} if staff.hourly else {})


def _why_none(staff: _Payroll, pair: AmountPair, h: int, withheld: WithheldStrata, min_n: int) -> str:
    """Why a category has no gap; "" where it has one."""
    for side in (pair.group, pair.base):
        if not side.cells.total:
            return NOBODY.format(group=staff.called(side.label))
    if h in withheld.few:
        both = {
            "group": staff.called(pair.group.label),
            "reference": staff.called(pair.base.label),
        }
        return FEW_OF_TWO.format(n=min_n, **both)
    if h in withheld.dominated:
        return DOMINATED
    if h not in withheld.hidden:
        return ""
    return PROTECTING_UNKNOWN if withheld.few | withheld.dominated == {UNLISTED} else PROTECTING


def _tellable(staff: _Payroll, label: str, withheld: WithheldStrata, min_n: int) -> bool:
    """Whether the reasons leave open how many people a small cell has, any number below `min_n`.

    How many people all withheld cells of a group have together is known.
    """
    assert staff.category is not None
    hidden = [h for h in withheld.hidden if h != UNLISTED]
    places = staff.base, staff.labels.index(label)
    n = np.array([[np.sum((staff.category.codes == h) & (staff.codes == i)) for i in places] for h in hidden])
    least = np.array([np.where(of > 0, 1 if h in withheld.few else min_n, 0) for h, of in zip(hidden, n, strict=True)])
    return bool((n.sum(axis=0) - least.sum(axis=0) >= min_n - 2).all())


def _categories(
    staff: _Payroll,
    name: str,
    withheld: Mapping[str, WithheldStrata],
    protocol: Protocol,
) -> list[Estimate]:
    """The gap of means in every category, one family; of basic, of variable and of pay as given without a verdict.

    withheld: the categories without a gap.
    """
    assert staff.category is not None
    codes, labels = staff.category.codes, staff.category.levels
    of_pay, apart = staff.parts, _apart(staff, protocol.min_n)
    tellable = {label: _tellable(staff, label, of, protocol.min_n) for label, of in withheld.items()}
    items, rows = [], []
    for label in staff.others:
        for h, category in enumerate(labels):
            text, here = DataText(category, name), np.asarray(codes == h)
            terms = {part: part.format(category=text) for part in of_pay}
            pair = staff.pair(label, staff.rate, here, protocol)
            n = pair.group.cells.total + pair.base.cells.total
            about = pair.about(GAP).changed(given=name, term=text, n=n, events=pair.group.cells.total)
            if why := _why_none(staff, pair, h, withheld[label], protocol.min_n):
                none = about.blank(status="unestimable", n=n, events=about.events, reason=why)
                if h in withheld[label].hidden:
                    why = why if tellable[label] else BESIDE.format(n=protocol.min_n)
                    none = about.blank(status="suppressed", reason=why)
                rows += [none, *(none.changed(term=term, role="supplementary") for term in terms.values())]
                continue
            items.append(
                replace(compared := mean_comparison(pair, protocol), rows=partial(_named, compared, pair, about))
            )
            for part, values in of_pay.items():
                other = staff.pair(label, values, here, protocol)
                row = about.changed(term=terms[part], role="supplementary")
                if h in apart[part][label].hidden:
                    of_few = DOMINATED if part == GIVEN_OF else VARIABLE_OF_FEW
                    why = of_few if h in apart[part][label].dominated else BESIDE.format(n=protocol.min_n)
                    rows.append(row.blank(status="suppressed", n=n, events=about.events, reason=why))
                    continue
                rows.append(described_gap(other.means, row, protocol.conf_level, negative=other.least < 0))
    found_rows = decided(Undecided(items, protocol.multiplicity, alone=True)) if items else ()
    main = [row for row in [*found_rows, *rows] if row.role == "main"]
    order = {(label, category): i for i, (label, category) in enumerate(product(staff.others, labels))}
    return sorted(main, key=lambda row: order[row.group, row.term]) + [row for row in rows if row.role != "main"]


def _named(compared: Comparison, pair: AmountPair, about: Estimate, level: float) -> list[Estimate]:
    """The gap of a category; where there are no limits, the one that is observed."""
    row = compared.rows(level)[0]
    if row.status != "ok":
        return [described_gap(pair.means, about, level, negative=pair.least < 0)]
    return [row.changed(given=about.given, term=about.term, n=about.n, events=about.events)]


def _observed(row: Estimate, pair: AmountPair, level: float) -> Estimate:
    """A gap of means that has no limits with what is observed, which is what the law asks for."""
    if row.metric != GAP or row.status != "unestimable":
        return row
    plain = Estimate(GAP, row.attribute, row.group, row.contrast, row.reference, row.term)
    return described_gap(pair.means, plain.changed(n=row.n), level, negative=False)


# What is said of them.


def answer_of_pay(result: GroupStudy) -> str:
    """What a report of pay says of its groups, without its tables and what laws ask for.

    >>> people = {"sex": ["f", "m"] * 20, "pay": [9.5, 10.5, 18.0, 21.0] * 10}
    >>> answer_of_pay(gender_pay_gap(people, pay="pay", groups="sex")).splitlines()[1][:26]
    'Women earn 12.7% less than'
    """
    kept = (text for text in result.statements if any("group" in of.values for of in parts(text)))
    privacy = (text for text in result.statements if says(text, RUN_AGAIN) or says(text, NOTHING_WITHHELD))
    return as_text([Title(1, result._title), *(Paragraph(capital(translated(text))) for text in (*kept, *privacy))])


def _directed(row: Estimate) -> dict[str, str]:
    """A gap and the limits that its verdict is read from, as a number that is not negative."""
    ends = decisive_interval(row)
    low, high = ends if row.estimate >= 0 else (-ends[1], -ends[0])
    level = decisive_level(row).removesuffix("%")
    return {"gap": percent(abs(row.estimate)), "low": percent(low), "high": percent(high), "level": level}


def _limits(row: Estimate) -> Message:
    """The limits of a gap with whether they settle its direction, or why there are none."""
    if row.conf_low != row.conf_low:
        return NO_LIMITS.format(reason=row.reason)
    text = {"disparity shown": LIMITS, "inconclusive": LIMITS_OPEN}.get(row.verdict, LIMITS_UNREAD)
    return text.format(**_directed(row))


def _statements(
    staff: _Payroll,
    rows: Sequence[Estimate],
    hourly: bool,
    margin: float | None,
    min_n: int,
    withheld: Mapping[str, WithheldStrata],
) -> list[str]:
    lines: list[str] = []
    for label in staff.others:
        mine = [row for row in rows if row.group == label and row.role == "main"]
        whole_pay = [row for row in mine if not row.given and row.reference and row.metric in (GAP, MEDIAN_GAP)]
        lines += _of_group(staff, label, whole_pay, hourly)
        if margin is not None:
            lines += _of_categories(staff, label, rows, mine, margin)
            lines += _because_of_unknown(staff, label, withheld[label], min_n) if label in withheld else []
        lines += _variable(label, staff, rows, european=margin is not None)
        shares = [row for row in mine if row.metric == "share" and row.status == "ok"]
        if shares:
            places = zip(("first", "second", "third", "fourth"), shares, strict=True)
            shown = {place: percent(row.estimate) for place, row in places}
            quarters = QUARTERS_PER_HOUR if hourly else QUARTERS
            lines.append(quarters.format(group=staff.called(label), **shown))
    if any(row.status == "suppressed" for row in rows):
        lines.append(RUN_AGAIN.format(setting=Setting("min_n", 1)))
    elif min_n == 1:
        lines.append(NOTHING_WITHHELD)
    base = staff.called(staff.labels[staff.base])
    if staff.lost["others"]:
        text = OTHERS if staff.lost["others"] < min_n else OTHERS_EACH
        groups = joined((staff.called(label) for label in staff.others), ", ")
        lines.append(text.format(n=min_n, group=groups, reference=base))
    left = (
        (NO_PAY_OF_ONE, NO_PAY, "pay"),
        (NO_CATEGORY_OF_ONE, NO_CATEGORY, "category"),
        (NO_VARIABLE_OF_ONE, NO_VARIABLE, "variable"),
    )
    for one, many, what in left:
        if n := staff.lost[what]:
            by_group = _unpaid(staff, min_n) if what == "pay" else None
            if what == "pay" and margin is None and staff.variable is not None:
                by_group = NO_PAY_BUT_BONUS.format(n=count(n))
            lack = A_BONUS if margin is None else VARIABLE_PAY
            lines.append(by_group or (many.format(n=count(n), what=lack) if n > 1 else one.format(what=lack)))
    if margin is None:
        return [*lines, UK_LAW]
    absent = [] if staff.variable is not None else [NO_VARIABLE_NAMED]
    if staff.category is None:
        absent.append(NO_CATEGORY_NAMED)
    elif absent:
        absent.append(NOT_APART)
    lines += [NOT_NAMED.format(list=joined(absent))] if absent else []
    both, letters = ["(a)", "(c)"], ["(b)", "(d)"] * (staff.variable is not None) + ["(f)"]
    if staff.category is not None:
        both.append("(g)")
        letters += [NOT_APART] * (staff.variable is not None)
    lines += [BOTH_LEVELS.format(both=enumerated(both), letters=enumerated(letters))] if hourly else []
    return [*lines, LETTERS.format(reference=base), AS_DRAWN, EU_LAW, EU_ASSESSMENT]


def _unpaid(staff: _Payroll, min_n: int) -> Message | None:
    """Who is left out of which group, where all were of groups that are compared and none was of few."""
    if sum(staff.unpaid) < staff.lost["pay"] or not all(n >= min_n for n in staff.unpaid if n):
        return None
    each = zip(staff.labels, staff.unpaid, strict=True)
    groups = joined((OF_GROUP.format(n=count(n), group=staff.called(label)) for label, n in each if n), ", ")
    return NO_PAY_BY.format(n=count(staff.lost["pay"]), groups=groups)


def _of_group(staff: _Payroll, label: str, whole_pay: Sequence[Estimate], hourly: bool) -> list[str]:
    """The sentences on the pay of a group: mean and median."""
    base = staff.called(staff.labels[staff.base])
    group = staff.called(label)
    mean, median = whole_pay[0], next(row for row in whole_pay if row.metric == MEDIAN_GAP)
    if mean.estimate != mean.estimate:
        lines: list[str] = [NO_GAP.format(group=group, reference=base, reason=mean.reason)]
    else:
        less, more = (LESS_PER_HOUR, MORE_PER_HOUR) if hourly else (LESS, MORE)
        text = less if mean.estimate >= 0 else more
        lines = [text.format(group=group, reference=base, gap=percent(abs(mean.estimate)), limits=_limits(mean))]
    if median.estimate == median.estimate:
        text = MEDIAN if median.estimate >= 0 else MEDIAN_MORE
        shown = {"gap": percent(abs(median.estimate)), "limits": _limits(median)}
        lines.append(text.format(group=group, reference=base, **shown))
    given = [row for row in whole_pay if row.metric == GAP and row.term == AS_GIVEN and row.estimate == row.estimate]
    for row in given if hourly else ():
        text = GIVEN_LESS if row.estimate >= 0 else GIVEN_MORE
        lines.append(text.format(group=group, gap=percent(abs(row.estimate)), limits=_limits(row)))
    return lines


def _of_categories(
    staff: _Payroll, label: str, rows: Sequence[Estimate], mine: Sequence[Estimate], margin: float
) -> list[str]:
    """The sentences on the pay of a group within categories: observed, settled, averaged."""
    base, group = staff.called(staff.labels[staff.base]), staff.called(label)
    values: dict[str, Any] = {"group": group, "margin": setting(100 * margin)}
    values["what"] = TOTAL_PER_HOUR if staff.hourly else TOTAL
    lines: list[str] = []
    categories = [row for row in mine if row.given and row.metric == GAP]
    if categories:
        seen = [row for row in categories if row.estimate == row.estimate]
        large = sum(at_margin(row, margin) for row in seen)
        settled = [margin_word(row, margin) for row in seen]
        hidden = sum(row.status == "suppressed" for row in categories)
        none = len(categories) - len(seen) - hidden
        counts: dict[str, Any] = {"beyond": large, "count": len(seen), "within": len(seen) - large}
        left = [text.format(n=n) for text, n in ((WITHHELD_LEFT, hidden), (NONE_LEFT, none)) if n]
        counts |= {"left": joined(left, ", "), "sides": _in_which(seen, margin, group)}
        of_all = OBSERVED_IN_ALL if large == len(seen) > 1 else OBSERVED
        observed = of_all if len(seen) == len(categories) else OBSERVED_OF_SOME if seen else OBSERVED_OF_NONE
        lines.append(observed.format(**counts, **values))
        apart = [row for row in rows if row.group == label and row.given and row.estimate == row.estimate]
        given = [row for row in apart if says(row.term, GIVEN_OF)]
        if given:
            lines.append(_observed_apart(GIVEN_APART, given, margin, values))
        for what, rows_of in (values["what"], seen), (AS_GIVEN, given):
            if names := _named_largest(rows_of, margin):
                lines.append(NAMED.format(**values | {"what": what, "names": names}))
        if len(seen) < len(categories):
            lines.append(_without_gap(staff, label, [row for row in categories if row not in seen]))
        if known := [row for row in apart if says(row.term, VARIABLE_OF)]:
            lines.append(_observed_apart(VARIABLE_APART, known, margin, values))
        words = {
            "beyond": settled.count("beyond"),
            "within": settled.count("within"),
            "open": settled.count("not settled"),
        }
        settled_in = SETTLED if words["beyond"] or words["within"] else NONE_SETTLED
        lines += [settled_in.format(count=len(seen), **words, **values)] if seen else []
    within = next((row for row in mine if row.metric == GAP_WITHIN and row.estimate == row.estimate), None)
    if within is not None:
        text = LESS_ALIKE if within.estimate >= 0 else MORE_ALIKE
        lines.append(text.format(reference=base, **_directed(within), **values))
    return lines


def _observed_apart(text: Message, rows: Sequence[Estimate], margin: float, values: Mapping[str, Any]) -> str:
    """In how many categories the gap of one kind of pay is as large as the margin."""
    large = sum(at_margin(row, margin) for row in rows)
    return text.format(large=large, count=len(rows), sides=_in_which(rows, margin, values["group"]), **values)


def _named_largest(rows: Sequence[Estimate], margin: float) -> str:
    """The categories with a large gap, the largest first, each with it and its direction."""
    names = []
    for row in sorted((row for row in rows if at_margin(row, margin)), key=lambda row: -abs(row.estimate)):
        category = next((of.values["category"] for of in parts(row.term)), row.term)
        text = CATEGORY_LESS if row.estimate > 0 else CATEGORY_MORE
        names.append(text.format(category=category, gap=percent(abs(row.estimate))))
    return named(names, MOST_NAMED)


def _in_which(rows: Sequence[Estimate], margin: float, group: str) -> str:
    """In how many categories with a large gap a group gets less, and in how many more."""
    less = [row.estimate > 0 for row in rows if at_margin(row, margin)]
    if not less:
        return ""
    if len(set(less)) == 1:
        return (LESS_IN_ALL if less[0] else MORE_IN_ALL).format(group=group)
    return SIDES.format(group=group, less=sum(less), more=len(less) - sum(less))


def _without_gap(staff: _Payroll, label: str, rows: Sequence[Estimate]) -> str:
    """Why categories have no gap, and how many people are in them all: those of the total that no row is of."""
    assert staff.category is not None
    codes = [staff.category.levels.index(str(row.term)) for row in rows]
    both = np.isin(staff.codes, [staff.labels.index(label), staff.base])
    people = int((both & np.isin(staff.category.codes, codes)).sum())
    reasons = Counter(row.reason for row in rows)
    counted = [BY_REASON.format(reason=reason, n=n) for reason, n in reasons.items()]
    return WITHOUT_GAP.format(group=staff.called(label), people=count(people), reasons=joined(counted))


def _because_of_unknown(staff: _Payroll, label: str, withheld: WithheldStrata, min_n: int) -> list[str]:
    """Why the people of unknown category have categories withheld, where they do."""
    if UNLISTED not in withheld.few | withheld.dominated or withheld.hidden <= {UNLISTED}:
        return []
    both = {"group": staff.called(label), "reference": staff.called(staff.labels[staff.base])}
    few = FEW_OF_TWO.format(n=min_n, **both) if UNLISTED in withheld.few else DOMINATED
    reason = few if _tellable(staff, label, withheld, min_n) else BESIDE.format(n=min_n)
    return [BECAUSE_OF_UNKNOWN.format(reason=reason)]


def _variable(label: str, staff: _Payroll, rows: Sequence[Estimate], *, european: bool) -> list[str]:
    """The sentence on variable pay or bonuses: who gets any, and the gaps of those who do."""
    base = staff.labels[staff.base]
    recipients = RECIPIENTS, RECIPIENTS_PER_HOUR, BONUS
    gaps = {row.metric: row for row in rows if row.group == label and row.term in recipients}
    rates = {row.group: row for row in rows if row.metric == "selection rate" and row.contrast == "none"}
    if not rates or any(rates[one].status != "ok" for one in (label, base)):
        return []
    values: dict[str, str] = {"group": staff.called(label), "reference": staff.called(base)}
    values |= {"share": percent(rates[label].estimate), "other": percent(rates[base].estimate)}
    of_all = (row for row in rows if row.group == label and row.metric == GAP and not row.given)
    everybody = next((row for row in of_all if row.term in OF_EVERYBODY), None)
    medians = (row for row in rows if (row.group, row.metric) == (label, MEDIAN_GAP) and row.term in OF_EVERYBODY)
    beside = [MEDIAN_OF_NONE.format(group=values["group"])] if any(row.estimate == 1 for row in medians) else []
    if any(row.estimate != row.estimate for row in (*gaps.values(), *([everybody] if everybody else []))):
        return [(VARIABLE_PAID if european else BONUS_PAID).format(**values), *beside]
    shown = {"mean": gaps[GAP], "median": gaps[MEDIAN_GAP]} | ({"everybody": everybody} if everybody else {})
    for name, row in shown.items():
        less = PART_LESS if row.estimate >= 0 else PART_MORE
        values[name] = less.format(gap=percent(abs(row.estimate)))
    of_variable = OF_VARIABLE_PER_HOUR if gaps[GAP].term == RECIPIENTS_PER_HOUR else OF_VARIABLE
    not_shown = [
        text for name, text in PARTS_OF_VARIABLE.items() if name in shown and shown[name].verdict == "inconclusive"
    ]
    not_shown = [NOT_SHOWN_IN.format(list=enumerated(not_shown))] if not_shown else []
    return [(of_variable if european else OF_BONUS).format(**values), *not_shown, *beside]
