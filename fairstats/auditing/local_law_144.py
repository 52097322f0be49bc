"""New York City Local Law 144 from an audit: its tables of rates and impact ratios, one an attribute."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.auditing.result import Audit
from fairstats.auditing.tally import Tally
from fairstats.document import Block, Bullets, Paragraph, Table, Title, headings
from fairstats.errors import AbsentError, Call, InputError, Setting, in_code, listing, nearest, warn, with_hint
from fairstats.estimates import NAN, Estimate, Estimates, Worded
from fairstats.inference.rates.many_rates import ratio_to_best
from fairstats.inference.rates.one_rate import wilson
from fairstats.labels import holds_missing, is_unknown, label_cautions, split
from fairstats.language import DataText, Message, mark, message, translated
from fairstats.provenance import DataSource
from fairstats.text import count, impact_ratio, json_plain, level, percent, ratio_span, span
from fairstats.validation import answering, instance, items, one_of, shown, text

if TYPE_CHECKING:
    import pandas as pd


# The tables of New York City's Local Law 144 (bias audits of automated employment decision tools), from counts.


SMALL_SHARE = 0.02


@dataclass(frozen=True)
class Category:
    """One line of a table; the interval is of the rate and, as the law does not ask for it, marked as ours."""

    category: str
    n: float
    selected: float  # or scoring above the median of the sample
    rate: float
    conf_low: float
    conf_high: float
    share: float  # of all people, those of unknown category included
    impact_ratio: float
    ratio_low: float
    ratio_high: float
    status: str
    reason: str
    justification: str = ""  # the auditor's, of an excluded category


# The order of the rule's own tables: men before women; Hispanic or Latino first, then the races as the EEO-1 has them.
SEXES = (("male", "men", "man", "m"), ("female", "women", "woman", "f"))
RACES = (r"(?<!non[- ])(?<!not )(hispanic|latin)", "white|caucasian", "black|african", "hawaiian|pacific", "asian",
         "indian|native american|alaska", "two or more|multi")  # fmt: skip
SEX, RACE, OTHER = range(3)
HISPANIC = RACE, 0


def kind_and_place(label: str) -> tuple[int, int]:
    """Whether a label is of a sex, of a race or ethnicity, or of neither, and its place among those.

    >>> kind_and_place("Women") == (SEX, 1), kind_and_place("Asian") == (RACE, 4), kind_and_place("x") == (OTHER, 0)
    (True, True, True)
    """
    low = label.lower()
    for place, names in enumerate(SEXES):
        if low in names:
            return SEX, place
    place = next((i for i, pattern in enumerate(RACES) if re.search(pattern, low)), -1)
    return (RACE, place) if place >= 0 else (OTHER, 0)


LIMITS = message(
    "The intervals of these ratios hold together, whichever category truly has the highest rate: the one with 1.00 in "
    "these data has an interval, too. None goes beyond 1. "
    "That of a ratio in the audit is against one category, its reference, and may go beyond 1."
)


@dataclass(frozen=True, repr=False)
class ImpactTable(Worded):
    """Selection or scoring rates and impact ratios by category, with the people whose category is unknown."""

    attribute: str
    measure: str
    categories: tuple[Category, ...]
    highest: str  # the category that the ratios are taken against; "" where there is none
    unknown: float
    conf_level: float
    about: tuple[tuple[str, str], ...] = ()  # what is published beside it
    crossed: tuple[str, ...] | None = None  # the columns of the attribute, where the audit said them
    unknown_labels: tuple[str, ...] = ()  # of people of unknown category, beside a blank
    source: DataSource | None = None
    notes: tuple[Message, ...] = ()  # on what all tables of the audit are of, which the first has

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the categories are of: several of an intersection."""
        return tuple(self.attribute.split(":")) if self.crossed is None else self.crossed

    @property
    def kind(self) -> int:
        """Whether the categories are of a race or ethnicity, of a sex, or of neither by their names."""
        kinds = {kind_and_place(c.category)[0] for c in self.categories}
        return next((kind for kind in (RACE, SEX) if kind in kinds), OTHER)

    @property
    def in_order(self) -> tuple[Category, ...]:
        """The categories in the order of the rule's tables; others in that of the data."""

        def rank(one: Category) -> tuple[bool, list[tuple[int, int]]]:
            parts = split(one.category) if len(self.columns) > 1 else [one.category]
            places = sorted(map(kind_and_place, parts))
            return HISPANIC not in places, places

        return tuple(sorted(self.categories, key=rank))

    @cached_property
    def estimates(self) -> Estimates:
        """The table as tidy rows: a rate and a ratio for every category, excluded ones included."""
        return Estimates(row for c in self.categories for row in self._rows(c))

    def _rows(self, c: Category) -> tuple[Estimate, Estimate]:
        about = Estimate(self.measure, self.attribute, c.category, n=c.n, events=c.selected, conf_level=self.conf_level)
        rate = about.with_interval(
            c.rate,
            c.conf_low,
            c.conf_high,
            method=message("Wilson score interval"),
            status="ok" if c.n else "unestimable",
            reason="" if c.n else c.reason,
        )
        ratio = about.with_interval(
            c.impact_ratio,
            c.ratio_low,
            c.ratio_high,
            metric="impact ratio",
            contrast="ratio",
            reference=self.highest,
            method=message(
                "simultaneous intervals against the best other category (MOVER of exact limits, Bonferroni), at most 1"
            ),
            status=c.status,
            reason=c.reason,
        )
        return rate, ratio

    def _content(self) -> Iterator[Block]:
        """The table, excluded categories and unknown people; it draws no conclusion of law."""
        yield Title(1, f"Impact ratios of the {self.measure} by {self.attribute}")
        interval = f"{level(self.conf_level)} interval"
        selected = "above median" if self.measure == "scoring rate" else "selected"
        labels = "category", "people", selected, ("rate", "%"), (interval, "%"), "impact ratio", interval
        rows = tuple(
            (
                c.category,
                count(c.n),
                count(c.selected),
                percent(c.rate),
                span(c.conf_low, c.conf_high, percent),
                impact_ratio(c.impact_ratio),
                ratio_span(c.ratio_low, c.ratio_high),
            )
            for c in self.in_order
        )
        yield Table("", headings(*labels), rows)
        single = {self.attribute: [c.category for c in self.categories]} if len(self.columns) == 1 else {}
        cautions = label_cautions(single)  # of a combination they are those of its columns
        reasons = (f"{c.category}: {ended(c.reason)}" for c in self.categories if c.reason)
        yield Bullets((*reasons, *cautions, *self.notes))
        if self.unknown:
            yield Paragraph(f"{count(self.unknown)} people of unknown category{self._labels()} are in no rate.")
        if any(c.status == "ok" for c in self.categories):
            yield Paragraph(LIMITS)

    def _labels(self) -> str:
        return f" ({listing(map(repr, self.unknown_labels))}, or blank)" if self.unknown_labels else ""

    def _brief(self) -> str:
        least = min((c for c in self.categories if c.status == "ok"), key=lambda c: c.impact_ratio, default=None)
        worst = (
            "no impact ratio"
            if least is None
            else f"impact ratio of {least.category} {impact_ratio(least.impact_ratio)}"
        )
        people = count(sum(c.n for c in self.categories) + self.unknown)
        return f"{self.measure} of {people} people by {self.attribute} ({len(self.categories)}); {worst}, the smallest"

    def glance(self) -> pd.DataFrame:
        """One row about the whole."""
        import pandas as pd

        items = [c.impact_ratio for c in self.categories if c.status == "ok"]
        row = {"attribute": self.attribute, "measure": self.measure, "categories": len(self.categories)}
        row |= {"excluded": sum(c.status == "excluded" for c in self.categories), "unknown": self.unknown}
        row |= {"highest": self.highest, "smallest_ratio": min(items, default=NAN), "conf_level": self.conf_level}
        return pd.DataFrame([row])

    def to_dict(self) -> dict[str, Any]:
        """The table, JSON-ready (schema ``fairstats/impact-table/1``)."""
        return {
            "schema": "fairstats/impact-table/1",
            "attribute": self.attribute,
            "measure": self.measure,
            "highest": self.highest,
            "unknown": self.unknown,
            "unknown_labels": list(self.unknown_labels),
            "conf_level": self.conf_level,
            "about": dict(self.about),
            "categories": [json_plain(asdict(c)) for c in self.categories],
            "estimates": self.estimates.to_records(),
        }


def ended(text: str) -> str:
    """A sentence with one mark at its end, which an auditor's justification may have.

    >>> ended("few people"), ended("few people.")
    ('few people.', 'few people.')
    """
    return text if text.endswith((".", "!", "?")) else f"{text}."


class ImpactTables(tuple[ImpactTable, ...]):
    """The tables of one audit, which show themselves one after another."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n\n".join(map(str, self))

    def _repr_html_(self) -> str:
        return "".join(one._repr_html_() for one in self)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if hasattr(ImpactTable, name):
                raise AbsentError(f"{name} is of one table, and these are {len(self)}; take one: tables[0].{name}.")
            raise AttributeError(f"tables of Local Law 144 have no {name}.")


def impact_table(
    selected: ArrayLike,
    n: ArrayLike,
    labels: Sequence[str],
    *,
    attribute: str = "",
    measure: str = "selection rate",
    unknown: float = 0,
    exclude: Mapping[str, str] | None = None,
    conf_level: float = 0.95,
) -> ImpactTable:
    """Rates and impact ratios by category, against the highest rate among the categories that are not excluded.

    Which category is highest is itself a result of the data, so the intervals of the ratios hold together, whichever
    category truly has the highest rate; the category that has it in these data may not be it, and has an interval too.

    selected, n (G,): selections (or scores above the median) and people by known category. For the intersection of sex
        and race/ethnicity pass its cells.
    attribute, measure: sex, race/ethnicity or both; "selection rate" or "scoring rate".
    unknown: people whose category is not known: counted and shown, in no rate.
    exclude: category to the auditor's justification for leaving it out of the ratios, *before* the highest rate is
        taken; it is shown with its count, rate and justification. The rule permits that for categories of less than 2%
        of all data used, people of unknown category included, and leaves it to the auditor: nobody is excluded unasked.
    conf_level: nominal coverage of the intervals.
    Source: Rules of the City of New York, title 6, sections 5-300 (definitions) and 5-301 (bias audit; d: exclusion);
    Hsu (1996), Multiple Comparisons, chapter 4 (comparisons with the best).

    >>> few = {"x": "two people say nothing about a rate"}
    >>> table = impact_table([50, 30, 2], [100, 90, 2], ["men", "women", "x"], unknown=7, exclude=few)
    >>> table.highest, [round(c.impact_ratio, 2) for c in table.categories], table.categories[2].status
    ('men', [1.0, 0.67, nan], 'excluded')
    """
    e, size = (np.asarray(v, dtype=float) for v in (selected, n))
    everybody = size.sum() + unknown
    share = np.asarray(size / everybody if everybody else np.zeros(size.shape))
    justified = _justified(exclude or {}, {str(label): float(v) for label, v in zip(labels, share, strict=True)})
    rates = np.divide(e, size, out=np.full(size.shape, np.nan), where=size > 0)
    counted = (size > 0) & ~np.isin(np.array([str(label) for label in labels]), list(justified))
    best = int(np.argmax(np.where(counted, rates, -1.0))) if counted.any() else -1
    positive = best >= 0 and rates[best] > 0
    limits = np.concatenate([wilson(e, size, conf_level), np.full((2, size.size), np.nan)])
    if positive and counted.sum() > 1:
        # of a category that is truly the highest the ratio to the best other one is above 1, and its impact ratio is 1
        others = ratio_to_best(e[counted], size[counted], conf_level, contrast="ratio")
        limits[2:, counted] = np.minimum([others.low, others.high], 1.0)
    lines = [
        Category(
            category=str(label),
            n=float(size[i]),
            selected=float(e[i]),
            rate=float(rates[i]),
            conf_low=float(limits[0, i]),
            conf_high=float(limits[1, i]),
            share=float(share[i]),
            impact_ratio=float(rates[i] / rates[best]) if status == "ok" else NAN,
            ratio_low=float(limits[2, i]) if status == "ok" else NAN,
            ratio_high=float(limits[3, i]) if status == "ok" else NAN,
            status=status,
            reason=reason,
            justification=justified.get(str(label), ""),
        )
        for i, label in enumerate(labels)
        for status, reason in [_status(size[i], share[i], justified.get(str(label), ""), positive)]
    ]
    highest = str(labels[best]) if best >= 0 else ""
    return ImpactTable(attribute, measure, tuple(lines), highest, float(unknown), conf_level)


def _justified(exclude: Mapping[str, str], shares: Mapping[str, float]) -> dict[str, str]:
    """The categories to exclude with the auditor's words, each checked."""
    for category, words in exclude.items():
        if category not in shares:
            raise InputError(
                "exclude",
                with_hint(
                    f"has {shown(category)}; there is no such category",
                    nearest(str(category), shares),
                    f"the categories are {listing(list(shares), 12)}.",
                ),
            )
        if shares[category] >= SMALL_SHARE:
            raise InputError(
                "exclude",
                f"has {category!r}, which is {percent(shares[category], 2)}% of the data used, people of unknown "
                "category included; the rule "
                f"permits to exclude a category of less than {percent(SMALL_SHARE, 0)}%; leave it in.",
            )
        if not isinstance(words, str) or not words.strip():
            raise InputError(
                "exclude", f"has no justification for {category!r}; the rule asks for the auditor's; pass it as text."
            )
    return {category: " ".join(words.split()) for category, words in exclude.items()}


def _status(n: float, share: float, justification: str, has_ratio: bool) -> tuple[str, str]:
    if n == 0:
        return "unestimable", message("nobody in this category")
    small = {"n": percent(share, 2), "m": percent(SMALL_SHARE, 0)}
    if justification:
        excluded = message(
            "{n}% of the data used, people of unknown category included, under {m}%: not in the ratios; the auditor's "
            "justification: {words}"
        )
        return "excluded", excluded.format(**small, words=DataText(justification))
    if not has_ratio:
        return "unestimable", message("nobody was selected in any category: 0/0")
    may = message(
        "{n}% of the data used, people of unknown category included, under {m}%: may be excluded with a justification"
    )
    return "ok", may.format(**small) if share < SMALL_SHARE else ""


def above_median(scores: ArrayLike, codes: ArrayLike, categories: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the people who score above the median of the whole sample, by category.

    scores: all scores of the sample, those of people of unknown category included: the median is the sample's, shape
        (people,).
    codes: category of each person, 0 to ``categories - 1``; a negative code is unknown, shape (people,).
    Returns above, n: Strictly above the median, and all, shape (categories,).
    Source: Rules of the City of New York, title 6, section 5-300, "scoring rate".

    >>> above, n = above_median([1, 2, 3, 4, 5], [0, 0, 1, 1, -1], 2)
    >>> above.tolist(), n.tolist()
    ([0, 1], [2, 2])
    """
    score, code = np.asarray(scores, dtype=float), np.asarray(codes)
    high = score > np.median(score)
    present = code >= 0
    return (
        np.bincount(code[present & high], minlength=categories),
        np.bincount(code[present], minlength=categories),
    )


# What Local Law 144 has published beside its tables: the tool, who uses it, the data, the day of distribution.


# the order in which they stand on page one, with their words
FIELDS = {
    "tool": mark("Tool"),
    "vendor": mark("Vendor"),
    "version": mark("Version"),
    "employer": mark("Employer or employment agency"),
    "distributed": mark("Distribution date of the tool"),
    "data": mark("Source and explanation of the data"),
    "independence": mark("Independence of the auditor"),
}
Notice = tuple[tuple[str, str], ...]


def notice(value: Any, argument: str = "about") -> Notice:
    """Judge what is published beside the tables of Local Law 144.

    value: some of ``tool``, ``vendor``, ``version``, ``employer``, ``distributed`` (the day on which the tool came into
        use), ``data`` (their source, and whether they are historical or test data and why) and ``independence``.
    Returns: in the order of the law's notice, each (name, text).
    Source: Rules of the City of New York, title 6, section 5-302 (published results).

    >>> notice({"vendor": "Acme", "tool": "Ranker"})
    (('tool', 'Ranker'), ('vendor', 'Acme'))
    """
    if value is None:
        return ()
    if not isinstance(value, Mapping):
        raise InputError(
            argument,
            f"has {shown(value)}; it is a mapping of {listing(FIELDS, 12)}; pass some of them, as in "
            f"{in_code({'tool': 'Ranker'})}.",
        )
    for name in value:
        if name not in FIELDS:
            raise InputError(
                argument,
                with_hint(
                    f"has {shown(name)}; there is no such entry",
                    nearest(str(name), FIELDS),
                    f"the entries are {', '.join(FIELDS)}.",
                ),
            )
    return tuple((name, text(f"{argument}[{name!r}]", value[name])) for name in FIELDS if name in value)


Measure = Literal["selection rate", "scoring rate"]
MEASURES: tuple[Measure, ...] = get_args(Measure)


@answering
def local_law_144(
    audit: Audit,
    *,
    exclude: Mapping[str, str] | None = None,
    about: Mapping[str, str] | None = None,
    unknown: str | Sequence[str] | None = None,
    measure: Measure | None = None,
) -> ImpactTables:
    """Make the tables that Local Law 144 asks for, one for each attribute and one for their intersection.

    Selection rates where the audit has decisions, otherwise scoring rates (the share above the median of the sample).
    People of unknown category are counted and in no rate, as the rule says. A category of less than 2% of the data
    used, people of unknown category included, says so; the auditor may exclude it from the ratios, with a
    justification. The law sets no threshold: the tables state no conclusion.

    Parameters
    ----------
    audit : Audit
        Of decisions or scores, with ``missing="level"`` (so that unknown categories are counted) and ``min_n=1``.
    exclude : mapping of str to str, optional
        Category, as the audit or a report names it, to the auditor's justification: it is shown with its number, rate
        and justification, and left out before the highest rate is taken. Nobody is excluded unasked.
    about : mapping of str to str, optional
        What is published beside the tables: ``tool``, ``vendor``, ``version``, ``employer``, ``distributed`` (the day
        on which the tool came into use), ``data`` (their source, and whether they are historical or test data, and
        why), ``independence``. A report says which of them were not given.
    unknown : str or list of str, optional
        Labels of people whose category is not known, as those without a label, beside every label that says so in
        English or German, such as ``"Unknown"``, ``"Decline to state"`` or ``"Prefer not to say"``; an empty list for
        none, not even these.
    measure : {"selection rate", "scoring rate"}, optional
        ``"scoring rate"``: those whom the audit has as selected are those with a score above the median of the sample,
        as in counts of `from_counts`. By default the rate that the audit has.

    Returns
    -------
    tuple of ImpactTable

    Raises
    ------
    InputError
        If the audit has neither decisions nor scores, hides counts, or rests on weights or clusters; if a category
        cannot be excluded.

    References
    ----------
    Rules of the City of New York, title 6, sections 5-300 and 5-301; (b) and (c) ask for the number of people of
    unknown category, who are in no rate.

    Examples
    --------
    >>> import fairstats as fs
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> (table,) = fs.local_law_144(fs.audit(data, decision="hired", groups="sex"))
    >>> table.highest, [round(c.impact_ratio, 2) for c in table.categories]
    ('m', [0.33, 1.0])
    """
    if isinstance(audit, Tally):
        raise InputError("audit", f"has a tally, which is no audit yet; pass what {Call('audit')} makes of it.")
    instance("audit", audit, Audit, "an audit", f"pass what {Call('audit')} returned")
    beside = notice(about)
    nameless = _unknown(unknown, {part for cell in audit.cells for part in split(cell.group)})
    arguments = _exclusions(exclude, {cell.group for cell in audit.cells}, nameless)
    metric = _metric(audit, None if measure is None else one_of("measure", measure, MEASURES))
    _check(audit, metric)
    notes = _check_median(audit, measure or metric, metric)
    items = [
        replace(_table(audit, attribute, metric, arguments, nameless), measure=measure or metric)
        for attribute in audit.references
    ]
    items[:1] = [replace(one, notes=notes) for one in items[:1]]
    crossed = [audit.protocol.columns_of(one.attribute) for one in items]
    every = zip(items, crossed, strict=True)
    return ImpactTables(replace(one, about=beside, crossed=of, source=audit.data) for one, of in every)


_ABOVE_MEDIAN = re.compile(r"(.*[\W_])?(above|over|über)[\W_]*((the|dem|sample)[\W_]*)*median([\W_].*)?", re.IGNORECASE)


MORE_THAN_HALF = message(
    "'{name}' has {k} of {n} people above the median; more than half are never above that of their own sample: count "
    "those strictly above the median of all scores, not those at it or above another score. Where the median is of a "
    "larger sample, give its people of unknown category a row of their own, and say of others which sample it is of, "
    "in a report with {setting}."
)
BY_ITS_NAME = message(
    "'{name}' counts, by its name, people above the median, whom the tables call selected; pass 'scoring rate' as the "
    "measure."
)


def _check_median(audit: Audit, measure: str, metric: str) -> tuple[Message, ...]:
    """Of people counted above the median of a sample there are no more than half; of selections their name may tell.

    Returns: what was warned of.
    """
    if metric != "selection rate":
        return ()
    name = audit.protocol.decision
    rows = audit.estimates.where(metric=metric, contrast="none", role="main", attribute=next(iter(audit.references)))
    above, n = sum(row.events for row in rows if row.n), sum(row.n for row in rows)
    notes = list[Message]()
    if measure == "scoring rate" and above > n / 2:  # the audit may be of a part of the sample
        of = {"k": count(above), "n": count(n), "setting": Setting("ll144_notice", {"data": "..."})}
        notes.append(MORE_THAN_HALF.format(name=DataText(name), **of))
    if measure == "selection rate" and _ABOVE_MEDIAN.fullmatch(name):
        notes.append(BY_ITS_NAME.format(name=DataText(name)))
    for note in notes:
        warn(translated(note))
    return tuple(notes)


def _metric(audit: Audit, measure: str | None) -> str:
    """The rate of the audit that the tables are of; "" where it has none."""
    present = [metric for metric in MEASURES if audit.estimates.where(metric=metric)]
    if measure == "selection rate" and present and measure not in present:
        way = "name the column of decisions, or leave it out"
        raise InputError("measure", f"has {measure!r}, and the audit is of scores without decisions; {way}.")
    return measure if measure in present else next(iter(present), "")


def _unknown(given: str | Sequence[str] | None, labels: set[str]) -> set[str]:
    known = set(filter(is_unknown, labels))
    if given is None:
        return known
    chosen = {given} if isinstance(given, str) else set(items("unknown", given, "labels"))
    for label in chosen - labels:
        raise InputError(
            "unknown",
            with_hint(
                f"has {shown(label)}; there is no such label",
                nearest(str(label), labels),
                f"the labels are {listing(sorted(labels), 12)}.",
            ),
        )
    return chosen | known if chosen else chosen


def _exclusions(exclude: Any, categories: set[str], unknown: set[str]) -> Mapping[str, str]:
    if exclude is None:
        return {}
    if not isinstance(exclude, Mapping):
        raise InputError(
            "exclude",
            f"has {shown(exclude)}; it is a mapping of categories to the auditor's justifications; "
            f"pass {in_code({'category': 'justification'})}.",
        )
    printed = {" × ".join(split(category)): category for category in categories}  # as the tables of reports name them
    exclude = {category if category in categories else printed.get(category, category): why
               for category, why in exclude.items()}  # fmt: skip
    for category in exclude:
        if category in categories and _is_one_of(category, unknown):
            raise InputError(
                "exclude", f"has {shown(category)}, which is an unknown category, in no ratio; leave it out."
            )
        if category not in categories:
            raise InputError(
                "exclude",
                with_hint(
                    f"has {shown(category)}; there is no such category",
                    nearest(str(category), categories),
                    f"the categories are {listing(sorted(categories), 12)}.",
                ),
            )
    return exclude


def _check(audit: Audit, measure: str) -> None:
    if audit.protocol.decision and (classes := audit.protocol.classes):
        raise InputError(
            "audit",
            f"has a decision of {len(classes)} classes ({listing(classes, 12)}); Local Law 144 asks for the rate of "
            f"one; audit with {Setting('favorable')}, the label that helps the person.",
        )
    if not measure:
        raise InputError(
            "audit", "has neither decisions nor scores; Local Law 144 asks for one of them; name a column."
        )
    if audit.protocol.missing == "drop":
        raise InputError(
            "audit",
            f"has {Setting('missing', 'drop')}, so that nobody of unknown category is counted, whose number "
            f"Local Law 144 asks "
            f"for; pass {Setting('missing', 'level')}.",
        )
    if audit.protocol.weight_type == "probability" or audit.protocol.clusters:
        raise InputError(
            "audit rests on weights or clusters; Local Law 144 counts people; audit the people themselves."
        )
    if audit.estimates.where(metric=measure, contrast="none", status="bounded"):
        raise InputError(
            "audit",
            "has cells that those who counted withheld, and Local Law 144 asks for all counts; count the people whole.",
        )
    if audit.estimates.where(metric=measure, contrast="none", status="suppressed"):
        raise InputError(
            "audit",
            f"has {Setting('min_n', audit.protocol.min_n)}, which hides counts that Local Law 144 asks for; "
            f"pass {Setting('min_n', 1)}.",
        )


def _is_one_of(category: str, unknown: set[str]) -> bool:
    return any(part in unknown for part in split(category))


def _table(audit: Audit, attribute: str, measure: str, exclude: Mapping[str, str], unknown: set[str]) -> ImpactTable:
    rows = audit.estimates.where(metric=measure, attribute=attribute, contrast="none", role="main")
    items = [row for row in rows if not holds_missing(row.group) and not _is_one_of(row.group, unknown)]
    table = impact_table(
        [row.events if row.n else 0.0 for row in items],
        [row.n for row in items],
        [row.group for row in items],
        attribute=attribute,
        measure=measure,
        unknown=sum(row.n for row in rows) - sum(row.n for row in items),
        exclude={row.group: exclude[row.group] for row in items if row.group in exclude},
        conf_level=audit.protocol.conf_level,
    )
    parts = {part for row in rows for part in split(row.group)}
    return replace(table, unknown_labels=tuple(sorted(filter(str.strip, parts & unknown))))
