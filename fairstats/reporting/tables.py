"""Tables of rows of estimates: which columns, how each cell is worded, how wide each is on a page."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from fairstats.auditing.protocol import Resolved
from fairstats.auditing.rates import DESCRIPTIVE
from fairstats.comparing.result import ComparisonProtocol
from fairstats.document import Heading, Table
from fairstats.errors import Setting
from fairstats.estimates import TESTED, Estimate, Estimates
from fairstats.inference.verdicts import comparisons_of, decisive_interval, decisive_level, decisive_p
from fairstats.language import DataText, mark, say, says, translated, unjoined
from fairstats.reporting import words
from fairstats.reporting.sketch import width
from fairstats.text import DASH, capital, level_number, listed
from fairstats.text import level as level_text
from fairstats.validation import BH

MOST_ROWS = 20  # a longer table stands in results.csv: WeasyPrint needs 33 s for 5000 rows, a reader longer

EMPTY = ("", DASH)  # cells that hold nothing
HALF, FULL = 29.6, 60.0  # em of 8.5 points in a line of 88 mm and of 180 mm
LONGEST = 12.0  # em of a word that a column makes room for; a longer one is broken
SHORTEST = 6.0  # em that is left to a column of words
WHOLE = 24  # letters of cells that stay on one line where there is room
BOLD, GAP = 1.05, 0.75  # a letter of a heading; the space between two columns (0.7), and what rounded shares take
AFTER_UNDERSCORE = r"(?<=[^\W_]_)(?=[^\W_])"  # of a column's name, where a heading may be broken
_BREAKS = re.compile(
    r"[ \n]+(?!%)|(?<=\w-)(?=\w)"
)  # where a line of words may end; not at the narrow blanks of numbers
_BREAKS_OF_HEADINGS = re.compile(rf"{_BREAKS.pattern}|{AFTER_UNDERSCORE}")
_DIGITS = str.maketrans("123456789", "0" * 9)  # of tables all as wide as a zero


def size(table: Table) -> str:
    """One of the two widths of a report: "half" (88 mm) for few short columns, "full" (180 mm) for all others."""
    return "half" if sum(want for *_, want in _needs(table)) <= HALF else "full"


def widths(table: Table) -> tuple[float, ...]:
    """The width of each column in per cent: cells what they need, then headings, short words, long ones."""
    needs = _needs(table)
    room = float(HALF if size(table) == "half" else FULL)
    wide = [least for least, *_ in needs]
    words = [j for j, heading in enumerate(table.headings) if heading.kind == "text"]
    for j in sorted(words, key=lambda j: -wide[j]):  # a long word is broken before numbers run into each other
        wide[j] -= min(max(sum(wide) - room, 0.0), max(wide[j] - SHORTEST, 0.0))
    for stage in (1, 2, 3):  # what is short stays on one line where there is room, before anything long is given more
        spare, left = max(room - sum(wide), 0.0), len(wide)
        for j in sorted(range(len(wide)), key=lambda j: needs[j][stage] - wide[j]):  # who needs least has it first
            extra = min(needs[j][stage] - wide[j], spare / left)
            wide[j], spare, left = wide[j] + extra, spare - extra, left - 1
    return tuple(math.floor(10_000 * v / sum(wide)) / 100 for v in wide)  # together never more than the page


def _needs(table: Table) -> list[tuple[float, float, float, float]]:
    """For each column the width of numbers and words, of its heading too, of short cells whole, of all of it."""
    result: list[tuple[float, float, float, float]] = []
    for j, heading in enumerate(table.headings):
        cells = [row[j] for row in table.rows]
        head = [*map(_wide, _BREAKS_OF_HEADINGS.split(heading.label)), _wide(heading.unit)]
        top = BOLD * max(*head, sum(head) / 3)
        longest = max(map(_wide, cells), default=0.0)
        reasons = heading.kind == "number" and max(map(len, cells), default=0) > WHOLE  # broken into lines
        numbers = max((_wide(cell) for cell in cells if len(cell) <= WHOLE), default=longest) if reasons else longest
        word = min(max((_wide(w) for cell in cells for w in _BREAKS.split(cell)), default=0.0), LONGEST)
        whole = numbers if heading.kind == "number" or max(map(len, cells), default=0) <= WHOLE else word
        least = max(word if heading.kind == "text" else whole, min(BOLD * max(head), LONGEST))  # no heading is broken
        want = longest if heading.kind == "number" and not reasons else min(longest, 2.5 * LONGEST)
        more = max(least, top), max(whole, top), max(want, whole, top)
        result.append((least + GAP, more[0] + GAP, more[1] + GAP, more[2] + GAP))
    return result


def _wide(text: str) -> float:
    """How wide a cell is, in em."""
    return width(text.translate(_DIGITS), 1.0)


def text(label: str) -> Heading:
    """A column of words."""
    return Heading(label, kind="text")


def word(label: str) -> Heading:
    """A column of short words, each on one line."""
    return Heading(label, kind="word")


def table(
    caption: str,
    headings: Sequence[Heading],
    rows: Iterable[Sequence[str]],
    note: str | Sequence[str] = "",
    most: int = MOST_ROWS,
) -> Table:
    """A table of at most ``most`` rows that remembers how many there were; a column with nothing in it is left out.

    A note, of which sentences may be passed, sets no code.
    """
    every = [tuple(row) for row in rows]
    assert all(len(row) == len(headings) for row in every), caption
    shown = every[:most]
    kept = [j for j in range(len(headings)) if j == 0 or not shown or any(row[j] not in EMPTY for row in shown)]
    cells = tuple(tuple(row[j] for j in kept) for row in shown)
    parts = note if isinstance(note, TableNote) else TableNote([note] if isinstance(note, str) else note)
    if "`" in parts:
        parts = TableNote((one.replace("`", "") for one in parts.sentences), parts.methods)
    return Table(caption, tuple(headings[j] for j in kept), cells, parts, len(every))


MOST_OTHERS = 4  # attributes that a table or a figure names beside its own


def others_named(others: Sequence[str]) -> str:
    """How a table or a figure of the other attributes is had, for whoever looks at one by itself."""
    names, more = ", ".join(others[:MOST_OTHERS]), len(others) - MOST_OTHERS
    names = say("{shown} and {n} more", shown=names, n=more) if more > 0 else names
    return say("Other attributes: {names} ({setting}).", names=names, setting=Setting("attribute")) if others else ""


def level_of(rows: Iterable[Estimate], conf_level: float = math.nan) -> str:
    """The header of a column of intervals: their level, or the lowest and the highest where an adjustment gave several.

    With ``conf_level``, the level that a family has together, an adjusted interval is called by it: what each
    comparison has by itself stands in the appendix.

    Examples
    --------
    >>> level_of([Estimate("TPR", conf_level=0.95)]), level_of([])
    ('95% interval', 'interval')
    >>> level_of([Estimate("TPR", conf_level=0.99)], 0.95)
    '95% CI, adjusted'
    """
    present = [row for row in rows if row.conf_level == row.conf_level and row.status in TESTED]
    levels = sorted({row.conf_level for row in present})
    if not levels:
        return say("interval")
    many = comparisons_of(levels, conf_level)
    if _equal(present):
        conf_level = 2 * conf_level - 1
    if many > 1:
        return say("{share}% CI, adjusted", share=level_number(conf_level))
    if conf_level == conf_level:
        return say("{share}% CI", share=level_number(conf_level))
    ends = dict.fromkeys(level_number(v) for v in (levels[0], levels[-1]))
    if len(ends) == 1:
        return say("{level} interval", level=say("{share}%", share=next(iter(ends))))
    low, high = ends
    return say("{low} to {high}% interval", low=low, high=high)


def _equal(rows: Iterable[Estimate]) -> bool:
    """Whether all intervals are those of tests of practical equality, which have a level of their own."""
    present = [row for row in rows if row.status == "ok"]
    return bool(present) and all(decisive_level(row) != level_text(row.conf_level) for row in present)


def interval_below(rows: Iterable[Estimate]) -> Callable[..., str]:
    """What writes the intervals below `level_of`: where all are of practical equality, the heading says their level."""
    if _equal(rows):
        return lambda row, show=None: words.span(*decisive_interval(row), show or words.scale(row))
    return lambda row, show=None: words.interval(row, show=show)


BY_RATE = mark("Intervals are adjusted for the false discovery rate.")


def has_limits(row: Estimate) -> bool:
    """Whether a row has an interval, whose level notes name: Holm's steps give none."""
    return row.status == "ok" and row.conf_low == row.conf_low


def crude_levels(crude: Iterable[Estimate], rows: Iterable[Estimate], protocol: Resolved) -> str:
    """For how many comparisons crude intervals are adjusted, where it is for more than those beside them; else ""."""
    levels = ([row.conf_level for row in part if has_limits(row)] for part in (crude, rows))
    many, fewer = (comparisons_of(part, protocol.conf_level) for part in levels)
    if protocol.p_adjust == BH or many <= fewer:
        return ""
    return say("Those of crude gaps are adjusted for {n} comparisons.", n=many)


def adjusted_note(rows: Iterable[Estimate], protocol: Resolved | ComparisonProtocol) -> str:
    """For how many comparisons, or by which rule, the intervals of a table are adjusted; "" where they are not."""
    many = comparisons_of((row.conf_level for row in rows if has_limits(row)), protocol.conf_level)
    if protocol.p_adjust == BH:
        return say(BY_RATE) if many > 1 else ""
    return say("Intervals of differences are adjusted for {n} comparisons.", n=many) if many > 1 else ""


def equality_note(rows: Iterable[Estimate]) -> str:
    """Of which test p and interval of a difference within the margin are, and at which level; "" where none is."""
    equal = [row for row in rows if row.verdict == "equivalence shown"]
    levels = sorted({decisive_level(row) for row in equal if row.margin_low == row.margin_low})
    if levels:
        text = mark(
            "Of a difference within the margin, the p-value and the interval ({levels} by itself) are of two one-sided "
            "tests of equivalence."
        )
        return say(text, levels=listed(levels))
    return say("Of a difference within the margin, the p-value is of two one-sided tests of equivalence.") * bool(equal)


class TableNote(str):
    """A footnote that remembers its parts: methods with the groups that alone have them, and sentences."""

    __slots__ = ("methods", "sentences")
    methods: dict[str, tuple[str, ...]]  # () where all rows of a kind have it
    sentences: tuple[str, ...]

    def __new__(
        cls, sentences: Iterable[str], methods: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    ) -> TableNote:
        kept = tuple(filter(None, sentences))
        wording = [say("Method: {methods}.", methods="; ".join(methods))] if methods else []
        result = super().__new__(cls, " ".join((*wording, *kept)))
        result.methods, result.sentences = dict(methods), kept
        return result


def methods_note(rows: Iterable[Estimate], *extra: str) -> str:
    """The footnote that names the methods, each once and in order of appearance."""
    every = list(rows)
    items = [row for row in every if row.method]
    methods = list(dict.fromkeys(row.method for row in items))[:4]
    groups: dict[str, tuple[str, ...]] = {}
    for part in dict.fromkeys(part for method in methods for part in unjoined(method)):
        using = [row for row in items if part in unjoined(row.method)]
        kinds = {(row.metric, row.contrast) for row in using}
        is_of_all = len(using) == sum((row.metric, row.contrast) in kinds for row in items)
        names = () if is_of_all else tuple(dict.fromkeys(row.group or words.claim(row) for row in using))
        groups.setdefault(translated(part), names)
    return TableNote((equality_note(every), *extra), groups)


def notes_of_several(notes: Mapping[str, str]) -> str:
    """The footnotes of several tables by their names: what all of them say once, then what each of them has alone."""
    every = {name: note if isinstance(note, TableNote) else TableNote([note]) for name, note in notes.items()}
    first, *others = every.values()
    methods = dict(item for item in first.methods.items() if all(item in one.methods.items() for one in others))
    sentences = [part for part in first.sentences if all(part in one.sentences for one in others)]
    named = []
    for name, one in every.items():
        alone = _with_groups(dict(item for item in one.methods.items() if item not in methods.items()))
        own = [f"{'; '.join(alone)}."] * bool(alone) + [part for part in one.sentences if part not in sentences]
        named += [f"{name}: {' '.join(own)}"] * bool(own)
    return TableNote((*sentences, *named), dict.fromkeys(_with_groups(methods), ()))


def _with_groups(methods: Mapping[str, tuple[str, ...]]) -> list[str]:
    return [say("{what} ({of})", what=part, of=listed(list(of))) if of else part for part, of in methods.items()]


# Which columns a table of estimates shows, and how each cell is worded.


Column = tuple[Heading, Callable[[Estimate], str]]


def number_or_status(row: Estimate) -> str:
    """The estimate in the unit of its column, or in words why there is none."""
    return words.scale(row)(row.estimate) if words.shown(row) else words.status(row)


def number_or_dash(row: Estimate) -> str:
    """The estimate in the unit of its column; why there is none stands in the column of verdicts, or in the note."""
    return words.scale(row)(row.estimate) if words.shown(row) else words.DASH


def estimate_or_dash(row: Estimate) -> str:
    """The estimate with its unit; why there is none stands in the column of verdicts."""
    return words.estimate(row) if words.shown(row) else words.DASH


def verdict_cell(row: Estimate, margin: float | None = None, level: float = math.nan) -> str:
    """The verdict of a comparison in a cell; that there is none where it only describes, or why there is no number."""
    if not words.shown(row):
        return words.status(row)
    return words.verdict(row, margin, level) or (say("no verdict") if says(row.reason, DESCRIPTIVE) else words.DASH)


VERDICT = mark("verdict")
COUNTS = {"k": mark("events"), "n": mark("people")}  # in words where a report has the table
INTERVAL = mark("interval")  # its heading says the level of the rows in the column
RATE: tuple[Column, ...] = (
    (Heading("k"), lambda r: words.count(r.events)),
    (Heading("n"), lambda r: words.count(r.n)),
    (Heading(mark("rate"), "%"), number_or_dash),
    (Heading(INTERVAL, "%"), words.interval),
)
DIFFERENCE: tuple[Column, ...] = (
    (Heading(mark("difference"), mark("points")), number_or_dash),
    (Heading(INTERVAL, mark("points")), words.interval),
)
QUANTITY: tuple[Column, ...] = (
    (Heading("n"), lambda r: words.count(r.n)),
    (Heading(mark("estimate")), estimate_or_dash),
    (Heading(INTERVAL), words.interval),
)
APART: tuple[Column, ...] = ((Heading(mark("difference")), estimate_or_dash), (Heading(INTERVAL), words.interval))
RATIO: tuple[Column, ...] = ((Heading(mark("ratio")), number_or_dash), (Heading(INTERVAL), words.interval))


def with_error(columns: Sequence[Column], rows: Iterable[Estimate]) -> tuple[Column, ...]:
    """The columns with standard errors before their intervals, where these are no function of the counts."""
    *first, last = columns
    if not any(row.df == row.df and row.std_error == row.std_error for row in rows):
        return (*first, last)
    error = Heading(mark("std. error"), last[0].unit)
    return (*first, (error, _error_or_dash), last)


def with_rows(columns: Sequence[Column], rows: Estimates) -> tuple[Column, ...]:
    """The columns with the rows of the data behind each sum of weights after it."""
    if not any(row.n_unweighted == row.n_unweighted for row in rows):
        return tuple(columns)
    extra: Column = (Heading(mark("rows")), lambda r: words.count(r.n_unweighted))
    return tuple(c for one in columns for c in ((one, extra) if one[0].label == "n" else (one,)))


def sums_note(rows: Estimates, of: str = "") -> str:
    """What sums of weights are, and the rows behind them where these have a column."""
    shown = any(row.n_unweighted == row.n_unweighted for row in rows)
    return " ".join([of or say("n: sums of weights."), *([say("rows: unweighted n.")] if shown else [])])


def _error_or_dash(row: Estimate) -> str:
    """The standard error in the unit of the estimate."""
    return words.scale(row)(row.std_error) if words.shown(row) and row.std_error == row.std_error else DASH


OF_AMOUNTS = {  # what heads their column, and what a caption calls them
    "mean amount": (mark("mean"), mark("Mean {column}")),
    "median amount": (mark("median"), mark("Median {column}")),
    "geometric mean": (mark("geometric mean"), mark("Geometric mean of {column}")),
}


def quantity(metric: str, unit: str) -> tuple[Column, ...]:
    """The columns of numbers that are no shares of people; those of amounts are in their unit."""
    if metric not in OF_AMOUNTS:
        return QUANTITY
    head, of_data = OF_AMOUNTS[metric][0], DataText(unit)
    return (QUANTITY[0], (Heading(head, of_data), number_or_dash), (Heading(INTERVAL, of_data), words.interval))


def apart(metric: str, unit: str) -> tuple[Column, ...]:
    """The columns of their differences."""
    return tuple((replace(heading, unit=DataText(unit) if metric in OF_AMOUNTS else ""), get) for heading, get in APART)


def called(columns: Sequence[Column], label: str) -> tuple[Column, ...]:
    """Columns whose first has another heading, which is in the language of the report already."""
    (heading, get), *others = columns
    return ((replace(heading, label=label), get), *others)


def adjusted(margin: float | None = None, level: float = math.nan) -> tuple[Column, ...]:
    """Columns of p and verdict, beside the declared margin; level: of page one, above which a verdict has a dagger."""
    return (
        (Heading(mark("adjusted p")), lambda r: words.p_value(decisive_p(r))),
        (text(VERDICT), lambda r: verdict_cell(r, margin, level)),
    )


AREA: tuple[Column, ...] = ((Heading("AUC"), number_or_dash), (Heading(INTERVAL), words.interval))
HIGHER: tuple[Column, ...] = (
    (Heading(mark("probability of a higher score")), number_or_dash),
    (Heading(INTERVAL), words.interval),
    (Heading(mark("adjusted p")), lambda r: words.p_value(decisive_p(r))),
)


def shift(rows: Estimates) -> tuple[Column, ...]:
    """Shifts in the unit of the score: one digit where some exceed 1 or all are whole, three between 0 and 1."""
    values = [v for r in rows if words.shown(r) for v in (r.estimate, r.conf_low, r.conf_high) if v == v]
    coarse = any(abs(v) >= 1 for v in values) or all(v == round(v) for v in values)  # by the grain, not by the size
    digits = 1 if coarse else 3
    return (
        (Heading(mark("shift")), lambda r: words.number(r.estimate, digits) if words.shown(r) else words.DASH),
        (Heading(INTERVAL), lambda r: words.span(r.conf_low, r.conf_high, lambda v: words.number(v, digits))),
    )


def without_quotes(given: str) -> str:
    """What rows are given, without the backticks that a formula has around a name with blanks.

    >>> without_quotes("job + `years of work`")
    'job + years of work'
    """
    return given.replace("`", "")


def setting(row: Estimate, absent: str = words.DASH, *, claimed: bool = False) -> str:
    """What tells a row from others of its metric and groups; ``claimed``: `words.claim` beside it has the term."""
    name = say("{one} vs {other}", one=row.fit, other=row.versus) if row.versus else row.fit
    size = "" if math.isnan(row.k) else f"k = {row.k:g}"
    names = without_quotes(translated(row.given))
    given = say("given {given}", given=names) if names else ""
    parts = (translated(row.estimator), given, "" if claimed else translated(row.term), name, row.model, size)
    return ", ".join(filter(None, parts)) or absent


def _p_beside(row: Estimate, p: float) -> float:
    """The p-value beside an interval: of practical equality where that is shown, as the interval is."""
    return row.p_equivalence if row.verdict == "equivalence shown" else p


def estimate_or_status(row: Estimate) -> str:
    """The estimate with its unit, or that there is none; why stands in the note: a reason is too long for a number."""
    return words.estimate(row) if words.shown(row) or row.status == "ok" else words.short_status(row)


GENERAL: tuple[Column, ...] = (
    (text(mark("statistic")), words.claim),
    (text(mark("setting")), lambda r: setting(r, claimed=not (r.reference or r.group))),
    (Heading("n"), lambda r: words.count(r.n)),
    (Heading(mark("estimate")), estimate_or_status),
    (Heading(INTERVAL), words.interval),
    (Heading("p"), lambda r: words.p_value(_p_beside(r, r.p_value))),
)


def general(rows: Estimates) -> tuple[Column, ...]:
    """Columns for rows of any kind: beside p its correction where a family of tests has one."""
    adjusted: Column = (Heading(mark("adjusted p")), lambda r: words.p_value(_p_beside(r, r.p_adjusted)))
    return (*GENERAL, adjusted) if any(r.p_adjusted == r.p_adjusted for r in rows) else GENERAL


def with_levels(columns: Sequence[Column], rows: Iterable[Estimate]) -> Sequence[Column]:
    """The columns, with the level of each interval beside it where it is not that of all rows."""
    if len({decisive_level(row) for row in rows if row.status == "ok" and row.conf_level == row.conf_level}) < 2:
        return columns
    limits: list[Column] = [
        (Heading(mark("limits")), lambda r: words.span(*decisive_interval(r), words.scale(r))),
        (Heading(mark("level")), lambda r: decisive_level(r) if r.conf_level == r.conf_level else words.DASH),
    ]
    return [one for column in columns for one in (limits if column[0].label == INTERVAL else [column])]


def estimates_table(
    caption: str,
    rows: Estimates,
    columns: Sequence[Column],
    note: str = "",
    most: int = MOST_ROWS,
    methods: bool = True,
    conf_level: float = math.nan,
) -> Table:
    """A line a row: ``columns`` says which cells it shows; methods go to the footnote, where they are asked for.

    conf_level: as in `level_of`.
    """
    cells = [[get(row) for _, get in columns] for row in rows]
    if any(get is estimate_or_status for _, get in columns):
        reasons: dict[str, list[str]] = {}
        for row in [row for row in rows[:most] if row.reason and not words.shown(row) and row.status != "ok"]:
            reasons.setdefault(words.status(row), []).append(words.claim(row))
        note = " ".join(filter(None, (note, *(f"{'; '.join(named)}: {why}." for why, named in reasons.items()))))
    return table(
        caption,
        [leveled(h, rows, conf_level) for h, _ in columns],
        cells,
        methods_note(rows, note) if methods else note,
        most,
    )


def leveled(heading: Heading, rows: Sequence[Estimate], conf_level: float = math.nan) -> Heading:
    """The heading of a column in the language of the report, which of intervals says their level."""
    if conf_level == conf_level and heading.label in COUNTS:
        return replace(heading, label=say(COUNTS[heading.label]))
    label = level_of(rows, conf_level) if heading.label == INTERVAL else say(heading.label)
    unit = heading.unit if isinstance(heading.unit, DataText) else say(heading.unit)
    return replace(heading, label=label, unit=unit)


def groups_table(
    caption: str,
    groups: Sequence[str],
    blocks: Sequence[tuple[Estimates, Sequence[Column]]],
    note: str = "",
    reference: str | tuple[str, ...] = "",
    methods: bool = True,
    most: int = MOST_ROWS,
    conf_level: float = math.nan,
) -> Table:
    """A line a group: each block of columns reads the group's row of its own estimates.

    Blocks without estimates are left out; the reference, which has no contrast, says so in the column of verdicts. Why
    a group has no number stands there too, or where there is none in the note. Tables of the same methods name them
    once (``methods``).
    """
    filled = [({r.group: r for r in rows}, columns, interval_below(rows)) for rows, columns in blocks if len(rows)]
    headings = [
        text(say("group")),
        *(leveled(h, rows, conf_level) for rows, columns in blocks if len(rows) for h, _ in columns),
    ]
    lines = [
        [
            group,
            *(_cell(get, present.get(group), interval) for present, cols, interval in filled for _, get in cols),
        ]
        for group in groups
    ]
    at = next((j for j, heading in enumerate(headings) if heading.label == say(VERDICT)), -1)
    checked = at >= 0
    verdicts = [k for k, (_, columns, _) in enumerate(filled, 1) if any(h.label == VERDICT for h, _ in columns)]
    absent = {}
    for g in groups:
        rows_of = [(place, row) for place, (present, *_) in enumerate(filled) if (row := present.get(g))]
        before = [row for place, row in rows_of if place < max(verdicts, default=len(filled))]
        # behind the verdict stand numbers that it is not of, unless the group has no others
        absent[g] = next((row for row in before or [r for _, r in rows_of] if not words.shown(row)), None)
    references = (reference,) if isinstance(reference, str) else reference
    reasons: dict[str, list[str]] = {}
    for group, row in absent.items():
        if row is not None:
            reasons.setdefault(words.status(row), []).append(group)
    repeated = [why for why, named in reasons.items() if len(named) > 1]
    for line in lines:
        row = absent[line[0]]
        if checked and row is not None and (line[at] == words.DASH or words.status(row) in repeated):
            line[at] = words.short_status(row) if words.status(row) in repeated else words.status(row)
        elif checked and line[at] == words.DASH and line[0] in references:
            line[at] = say("reference")
    if checked:  # a reason of several groups stands once, under the table
        without = [f"{capital(why)}." for why in repeated]
    else:
        without = [f"{listed(named)}: {why}." for why, named in reasons.items()]
    every = [r for rows, _ in blocks for r in rows]
    wording = note, *without
    return table(caption, headings, lines, methods_note(every, *wording) if methods else wording, most)


def _cell(get: Callable[[Estimate], str], row: Estimate | None, interval: Callable[[Estimate], str]) -> str:
    if row is None:
        return words.DASH
    cell = get(row)
    return interval(row) if cell == words.interval(row) else cell
