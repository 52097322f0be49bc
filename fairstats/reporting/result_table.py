"""A table of a result, to be looked at or handed on: as text, HTML, LaTeX, Markdown, Word, Excel or great_tables."""

from __future__ import annotations

import html
import math
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairstats import metrics
from fairstats.auditing.answer import (
    ALIKE,
    AMOUNTS,
    LEVELS,
    OVERTURNED,
    SCORES,
    answered_within,
    complement,
    held_fixed,
    metric_within,
    refuse_lacking,
    undone,
    unknown,
)
from fairstats.auditing.change import (
    AuditComparison,
    asked_otherwise,
    called,
    gaps_of,
    named_statements,
    not_compared_among,
)
from fairstats.auditing.classes import MEANT, PPV, SHARE, TPR
from fairstats.auditing.decompose import Decomposition
from fairstats.auditing.group_probabilities import LEVELS as LEVELS_OF_BOUNDS
from fairstats.auditing.group_studies import (
    ALONE,
    UNKNOWN_GROUP,
    GroupStudy,
    bounded_rows,
    by_itself,
    levels_together,
    of_pay,
    study_p,
)
from fairstats.auditing.local_law_144 import ImpactTable
from fairstats.auditing.protocol import NO_WORDS, Words
from fairstats.auditing.result import Audit, as_sent, bounds_over_withheld
from fairstats.auditing.sentences import column_name, errors_of, known_alone, labeled, strata_name, within_heading
from fairstats.auditing.subgroups import SubgroupScan
from fairstats.cluster.partition import Partition
from fairstats.comparing.result import Comparison, comparison_headline
from fairstats.document import Heading, Table, table_text
from fairstats.errors import Call, FileError, InputError, Setting, listing, nearest, not_installed, visible, with_hint
from fairstats.estimates import Estimate, Estimates, Result
from fairstats.files import GENERATOR, LATEX, MARKDOWN, atomic_write, check_kept, check_overwriting, file_path
from fairstats.inference.representations.proxies import Proxies
from fairstats.inference.representations.tradeoff import Tradeoff
from fairstats.inference.verdicts import comparisons_of
from fairstats.language import ENGLISH, in_language, mark, say, says, translated
from fairstats.language import language as known_language
from fairstats.provenance import digests
from fairstats.reporting import words
from fairstats.reporting.bundle import name_of, of_alternatives, report_labels
from fairstats.reporting.display import table_html
from fairstats.reporting.exports import (
    comma_separated,
    headed,
    latex,
    markdown,
    number_of,
    with_limits,
    word_file,
    workbook,
)
from fairstats.reporting.sections.amounts import (
    OF_BOTH,
    amounts_called,
    crude_gaps,
    decided,
    differences_without_gap,
    gap_called,
    means_table,
    people_of_both,
)
from fairstats.reporting.sections.audit import SCORES_IN_STRATA, UNADJUSTED, page_level, page_levels, shown_alone
from fairstats.reporting.sections.classes import up_to
from fairstats.reporting.sections.comparison import BETWEEN, rates_by_method
from fairstats.reporting.sections.comparison import gaps_table as gaps_by_method
from fairstats.reporting.sections.decomposition import forms_table, parts_table
from fairstats.reporting.sections.fits import (
    adjusts_after,
    differences_table,
    meant_by_costs,
    proxies_table,
    tradeoff_table,
)
from fairstats.reporting.sections.other import (
    category_table,
    composition_table,
    condition_table,
    finding_of,
    law_tables,
    model_table,
    ordered,
    period_table,
    points,
    price_table,
    subgroup_table,
)
from fairstats.reporting.sections.other import table_of as law_table
from fairstats.reporting.sections.page_one import price_and_gap
from fairstats.reporting.sections.shared import (
    CRUDE_NOTE,
    RANGES,
    as_counted,
    at_once,
    attribute_name,
    by_size,
    crude_metric,
    crude_note,
    impact,
    impact_by_stratum,
    of_flags,
    over_withheld,
    rate_name,
    sized,
    unadjusted,
    with_group_names,
)
from fairstats.reporting.sections.studies import candidates_table
from fairstats.reporting.sections.uncertain import bounds_table
from fairstats.reporting.tables import (
    AREA,
    BY_RATE,
    DIFFERENCE,
    EMPTY,
    GENERAL,
    HIGHER,
    OF_AMOUNTS,
    RATE,
    RATIO,
    Column,
    adjusted,
    apart,
    crude_levels,
    equality_note,
    estimates_table,
    general,
    groups_table,
    has_limits,
    interval_below,
    level_of,
    methods_note,
    notes_of_several,
    others_named,
    quantity,
    sums_note,
    text,
    with_error,
    with_levels,
    with_rows,
)
from fairstats.reporting.tables import called as named
from fairstats.reporting.tables import table as new_table
from fairstats.text import capital, level, listed, with_interval
from fairstats.validation import BH, answering, flag, shown, word

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class ResultTable:
    """A table of a result: print it, see it in a notebook, or write it with ``save``."""

    shown: Table  # caption, headings, cells as text, note
    sources: tuple[str, ...] = ()  # SHA-256 of what the result was read from: no file of these is written over
    created: str = ""  # of the result, ISO 8601
    hint: str = ""  # how the result's other tables are had: for whoever looks at it here, not for a publication
    language: str = ENGLISH  # in which it is worded

    @property
    def caption(self) -> str:
        """What the table shows."""
        return self.shown.caption

    @property
    def note(self) -> str:
        """The footnote: methods, and what is missing."""
        return self.shown.note

    @answering
    def to_frame(self, *, numbers: bool = False) -> pd.DataFrame:
        """The cells in a pandas frame, as text; ``result.tidy()`` has all digits.

        Parameters
        ----------
        numbers : bool
            Whether cells of numbers are numbers, those without one missing, and an interval is two columns, its lower
            and its upper limit. A column that holds other text, such as ``"<0.001"``, stays text.

        Examples
        --------
        >>> import fairstats as fs
        >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
        >>> frame = fs.table(fs.audit(data, "hired", "sex"), "rates").to_frame(numbers=True)
        >>> frame.columns.tolist()[3:], [float(v) for v in frame.iloc[0].tolist()[3:]]
        (['rate (%)', '95% interval, lower limit (%)', '95% interval, upper limit (%)'], [20.0, 11.2, 33.0])
        """
        import pandas as pd

        if not flag("numbers", numbers):
            return pd.DataFrame(list(self.shown.rows), columns=_names(self.shown), dtype=object)
        with in_language(known_language(self.language)):
            shown = with_limits(self.shown)
            columns = [_typed(row[j] for row in shown.rows) for j in range(len(shown.headings))]
        return pd.DataFrame(dict(zip(_names(shown), columns, strict=True)))

    @answering
    def to_html(self) -> str:
        """One ``<table>`` with its styles on the elements, and the note below; what comes from data is escaped."""
        style = "margin:0.3em 0;font-size:0.9em;opacity:0.75"
        below = f'<p style="{style}">{html.escape(visible(self.note))}</p>' if self.note else ""
        return f'<div style="overflow-x:auto">{table_html(self.shown)}{below}</div>'

    @answering
    def to_latex(self, *, caption: str = "", note: str | None = None, label: str = "", long: bool | None = None) -> str:
        r"""A ``table`` environment, or a ``longtable``; the first line names the packages that it needs.

        Parameters
        ----------
        caption : str
            In the place of the table's caption; plain text, which is escaped.
        note : str, optional
            In the place of the table's note, escaped as well; "" for none.
        label : str
            What ``\ref`` calls the table, such as "tab:rates".
        long : bool, optional
            Whether it is a ``longtable``, which pages break; by default where it has more than 40 lines. A document
            of two columns takes none.

        Returns
        -------
        str

        Raises
        ------
        InputError
            If the label holds a blank or a letter that LaTeX reads as a command.
        """
        label = word("label", label)
        if bad := sorted(set(label) & set("\\{}%#$~^&") | {letter for letter in label if letter.isspace()}):
            raise InputError(
                "label", f"has {label!r}; no label of LaTeX holds {bad[0]!r}; pass one such as 'tab:rates'."
            )
        is_long = None if long is None else flag("long", long)
        return latex(self._with(caption, note).shown, label, is_long)

    @answering
    def to_markdown(self, *, caption: str = "", note: str | None = None) -> str:
        """GitHub-flavored Markdown, which pandoc and Quarto read; ``caption`` and ``note`` in place of the table's."""
        return markdown([self._with(caption, note).shown])

    @answering
    def to_csv(self, *, numbers: bool = False) -> str:
        """Comma-separated text, numbers with a point; before a formula stands an apostrophe.

        Parameters
        ----------
        numbers : bool
            Whether an interval is two columns, its limits, and a dash is empty; else cells are as shown.
        """
        with in_language(known_language(self.language)):
            if not flag("numbers", numbers):
                return comma_separated(self.shown)
            shown = with_limits(self.shown)
            rows = tuple(tuple("" if cell == words.DASH else cell for cell in row) for row in shown.rows)
            return comma_separated(replace(shown, headings=tuple(map(Heading, _names(shown))), rows=rows))

    @answering
    def to_gt(self) -> Any:
        """The table as a ``great_tables.GT``, to be styled further.

        Raises
        ------
        DependencyError
            If great_tables is missing (extra ``tables``).
        """
        try:
            from great_tables import GT
        except ImportError as missing:
            raise not_installed("to_gt()", "great_tables", "tables") from missing
        frame = self.to_frame().map(visible)
        frame.columns = [f"c{place}" for place in range(frame.shape[1])]
        numbers = [name for name, h in zip(frame.columns, self.shown.headings, strict=True) if h.kind == "number"]
        others = [name for name in frame.columns if name not in numbers]
        result = GT(frame).tab_header(title=visible(self.caption))
        result = result.cols_label(**dict(zip(frame.columns, map(headed, self.shown.headings), strict=True)))
        result = result.cols_align(align="right", columns=numbers).cols_align(align="left", columns=others)
        return result.tab_source_note(visible(self.note)) if self.note else result

    @answering
    def to_docx(
        self, path: str | os.PathLike[str], *, caption: str = "", note: str | None = None, overwrite: bool = False
    ) -> Path:
        """Write a Word document that holds the table, under ``caption`` or its own, and ``note`` (extra ``tables``)."""
        return self._with(caption, note)._written(path, ".docx", overwrite)

    @answering
    def to_xlsx(
        self, path: str | os.PathLike[str], *, caption: str = "", note: str | None = None, overwrite: bool = False
    ) -> Path:
        """Write an Excel file in which numbers are numbers and no text is a formula (extra ``tables``)."""
        return self._with(caption, note)._written(path, ".xlsx", overwrite)

    @answering
    def save(
        self,
        path: str | os.PathLike[str],
        *,
        caption: str = "",
        note: str | None = None,
        label: str = "",
        overwrite: bool = False,
    ) -> Path:
        r"""Write the table to a file, in the form that its ending names; an input of the result is never written over.

        Parameters
        ----------
        path : str or path
            Ending in .html, .tex, .md, .txt, .csv, .docx or .xlsx.
        caption : str
            In the place of the table's caption.
        note : str, optional
            In the place of the table's note; "" for none.
        label : str
            What ``\ref`` calls the table in a .tex file; others have none.
        overwrite : bool
            Whether a file that fairstats did not write is replaced; an earlier table of ours always is.

        Returns
        -------
        Path

        Raises
        ------
        FileError
            If the ending is another, the folder is missing, or the file holds what the result was made of, or what
            fairstats did not write.
        DependencyError
            .docx and .xlsx need the extra ``tables``.
        """
        suffix = Path(file_path("path", path)).suffix.lower()
        if word("label", label) and suffix != ".tex":
            raise InputError("label", f"has {label!r}; only a .tex file has a label; leave it out.")
        return self._with(caption, note)._written(path, suffix, overwrite, label)

    def _with(self, caption: str, note: str | None) -> ResultTable:
        """The table under another caption and above another note, where one is given."""
        wording = self.note if note is None else word("note", note)
        return replace(self, shown=replace(self.shown, caption=word("caption", caption) or self.caption, note=wording))

    def _written(self, path: str | os.PathLike[str], suffix: str, overwrite: bool, label: str = "") -> Path:
        target = Path(file_path("path", path))
        if suffix not in WRITERS or target.suffix.lower() != suffix:
            wanted = listing(WRITERS, 9) if suffix not in WRITERS else suffix
            raise FileError(
                f"{os.fspath(path)!r} has another ending: such a table is written to a file ending in {wanted}."
            )
        check_kept([target], self.sources)
        with in_language(known_language(self.language)):
            content = (LATEX + self.to_latex(label=label)).encode() if suffix == ".tex" else WRITERS[suffix](self)
        check_overwriting([target], overwrite, {str(target): content})
        atomic_write(target, content)
        return target

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            ours = {"to_excel": "to_xlsx(path)", "to_word": "to_docx(path)", "write": "save(path)"}.get(name, "")
            raise AttributeError(f"a table has no {name}{f'; it is {ours} here' if ours else ''}.")

    @property
    def _hinted(self) -> ResultTable:
        return replace(self, shown=replace(self.shown, note=f"{self.note} {self.hint}".strip()))

    def __str__(self) -> str:
        return table_text(self._hinted.shown)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self._hinted.to_html()


def _names(table: Table) -> list[str]:
    """Headings with their units, each once: one that comes again stands behind the name of the column it belongs to."""
    names: list[str] = []
    every, owner = list(map(headed, table.headings)), ""
    for heading, name in zip(table.headings, every, strict=True):
        owner = heading.label if every.count(name) == 1 else owner
        if name in names and owner:
            name = f"{owner}, {name}"
        names.append(name if name not in names else f"{name} {names.count(name) + 1}")
    return names


def _typed(cells: Iterable[str]) -> list[Any]:
    """The cells of a column as numbers, where nothing else stands in it but dashes; else as they are."""
    every = list(cells)
    found = [number_of(cell) for cell in every]
    others = [cell for cell, number in zip(every, found, strict=True) if number is None and cell not in EMPTY]
    if others or not any(found):
        return every
    whole = all(number is not None and "." not in number[1] for number in found)
    return [math.nan if number is None else int(number[0]) if whole else number[0] for number in found]


def _document(result: ResultTable) -> bytes:
    created = result.created or "1980-01-01T00:00:00+00:00"
    tag = known_language(result.language).tag
    return word_file([result.shown], {}, title=result.caption, author="", created=created, language=tag)


WRITERS: dict[str, Callable[[ResultTable], bytes]] = {
    ".html": lambda result: f'<!doctype html>\n<meta charset="utf-8">\n{GENERATOR}\n{result.to_html()}\n'.encode(),
    ".tex": lambda result: (LATEX + result.to_latex()).encode(),
    ".md": lambda result: (result.to_markdown() + MARKDOWN).encode(),
    ".txt": lambda result: f"{table_text(result.shown)}\n".encode(),
    ".csv": lambda result: result.to_csv().encode(),
    ".docx": _document,
    ".xlsx": lambda result: workbook(result.shown),
}


def latex_file(results: Sequence[Any], language: str = ENGLISH) -> bytes:
    """Every table that has a name, of each result and of each of its attributes, as LaTeX; else all estimates."""
    with in_language(known_language(language)):
        return _latex_file(results)


def _latex_file(results: Sequence[Any]) -> bytes:
    tables: list[Table | None] = []
    for one in (words.worded(as_sent(result)) if isinstance(result, Audit) else result for result in results):
        makers, attributes = _table_makers(one), ([] if isinstance(one, Comparison) else _attributes(one)) or [""]
        named = [makers[kind](_Request(one, name, "")) for name in attributes for kind in makers if kind != "estimates"]
        tables += named if any(named) else [makers["estimates"](_Request(one, "", ""))]
    return (LATEX + "\n".join(latex(one) for one in dict.fromkeys(tables) if one)).encode()


# ``table()``: a result's tables by name, in one registry; each is a choice of rows and of columns.


EVERY = sys.maxsize  # a table that is handed on is whole
ALL = "estimates"  # the table of all rows


def _result() -> Heading:
    return text(say("result"))


@answering
def table(
    result: Any,
    kind: str = "",
    *,
    attribute: str | Sequence[str] | Mapping[str, str] = "",
    metric: str | Sequence[str] = "",
    language: str = ENGLISH,
    labels: Mapping[str, Any] | None = None,
) -> ResultTable:
    """Make a table of one or several results, as the report words it, to be shown, or written for another program.

    Parameters
    ----------
    result : any result, or a list of them, or a dict of names to them
        Of an audit, a comparison, a fit, a clustering ... Of several, the first column names each one's rows: by its
        name in the dict, or by its method.
    kind : str
        Audit: "rates" (of one metric; of scores alone "scores" come first), "differences", "ratios", "impact" (ratios
        to the highest rate), "impact by stratum" (those within strata and of each by itself, under the law of
        employment), "errors" (all rates of error), "error differences", "scores", "gaps" and "means" (of amounts),
        "at once" (all groups), "estimates".
        Methods compared: "methods" (a line each), "groups", "differences", "estimates"; a trade-off:
        "methods", "differences". Fit: "components", "guarantees", "price", "estimates". Clustering: "clusters" (sizes,
        shares of groups, balance), and those of a fit. Models compared: "changes" (of gaps and rates), "models",
        "estimates". Two audits compared: "changes". Subgroups scanned: "subgroups". Alternatives: "conditions" and
        "changes" where one was tested, "candidates". A gap that is watched: "periods".
        Groups known as probabilities: "bounds". Proxies: "features". A report of pay: "gaps", "shares", "categories",
        "estimates". A gap decomposed: "parts", "coefficients" (by others), "estimates". Everything else: "estimates".
        With declared strata "differences", "scores" and "gaps" have those within strata first, with their verdicts;
        of several results with other strata each line of the first two says within which.
        The first that the result has by default, of several results the first that all have.
    attribute : str, list of str, or dict of names to str
        Of an audit, comparison or clustering: by which, its column or what ``labels`` call it; by default the first.
        Of a list each has a block of rows; of several results in a dict, one has its attribute by its name.
    metric : str or list of str
        Which; by default the selection rate or base rate. It may have its familiar name. Of a list each has a block of
        rows.
    language : str
        Of caption, headings, cells and note: ``"en"`` or ``"de"``, which has its own decimal marks. Names of `kind` and
        `metric`, and the rows of ``tidy()``, are the same in every language.
    labels : mapping, optional
        Of `compare`, `leakage`, fits and clusterings, as in `report`: ``{"groups": {"sex": {"f": "women"}}}``.

    Returns
    -------
    ResultTable
        ``print`` it; ``to_html()``, ``to_latex()``, ``to_markdown()``, ``to_csv()``, ``to_frame()`` need no extra;
        ``to_gt()``, ``to_docx(path)`` and ``to_xlsx(path)`` need the extra ``tables``. ``save(path)`` goes by the
        ending.

    Raises
    ------
    InputError
        If the result has no such table, attribute or metric, or the table has none to choose.

    Examples
    --------
    >>> import fairstats as fs
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> print(fs.table(fs.audit(data, "hired", "sex"), "rates").to_markdown())
    **Selection rate by sex**
    <BLANKLINE>
    | group | k | n | rate (%) | 95% interval (%) |
    | --- | ---: | ---: | ---: | ---: |
    | Women | 10 | 50 | 20.0 | 11.2 to 33.0 |
    | Men | 30 | 50 | 60.0 | 46.2 to 72.4 |
    <BLANKLINE>
    Method: Wilson score interval. k of n: people counted by the rate, of those it is about.
    <BLANKLINE>
    >>> data["age"] = ["under 40", "40 or over"] * 50
    >>> crossed = fs.audit(data, "hired", ["sex", "age"])
    >>> fs.table(crossed, "rates", attribute=["sex", "age"]).to_frame()["group"].tolist()
    ['Women', 'Men', '40 or over', 'under 40']
    >>> data["hired"] = [1] * 20 + [0] * 30 + [1] * 30 + [0] * 20
    >>> later = fs.audit(data, "hired", "sex")
    >>> fs.table({"later": later, "again": later}, "rates").to_frame()["result"].tolist()
    ['later', 'later', 'again', 'again']
    """
    if isinstance(kind, Result):
        raise InputError("kind", f"has a result; of several results make a list: {Call('table', ('[one, other]',))}.")
    kind = word("kind", kind)
    names = metric if isinstance(metric, (list, tuple)) and metric else [metric]
    every = list(dict.fromkeys(word("metric", name) for name in names))
    with in_language(known_language(word("language", language))), labeled(_labels(labels, result)):
        tables = [_table(result, kind, attribute, name) for name in every]
        whole = tables[0]
        if len(tables) > 1:
            blocks = {_metric_called(name): one.shown for name, one in zip(every, tables, strict=True)}
            caption = "; ".join(dict.fromkeys(one.caption for one in tables))
            whole = replace(whole, shown=_stacked(caption, text(say("statistic")), blocks))
        return replace(whole, language=language)


def _table(result: Any, kind: str, attribute: str | Sequence[str] | Mapping[str, str], metric: str) -> ResultTable:
    """The table in the language that is spoken."""
    several = _named(result)
    if several and isinstance(attribute, (list, tuple)) and len(attribute) > 1:
        each = {(name := word("attribute", one)): _table(result, kind, name, metric) for one in attribute}
        caption = "; ".join(dict.fromkeys(one.caption for one in each.values()))
        first = next(iter(several.values()))
        called = [words.attribute_in_words(first, name) if isinstance(first, Audit) else name for name in each]
        titles = [_Request(_worded(first), name, "").name for name in called]
        blocks = {title: one.shown for title, one in zip(titles, each.values(), strict=True)}
        return replace(next(iter(each.values())), shown=_stacked(caption, text(say("attribute")), blocks))
    columns = _asked_attributes(attribute, several)
    given = list(several.values()) if several else [result] * len(columns)
    _refuse_other_labels([one for one in given if isinstance(one, Audit)])
    for one in given if metric else ():
        if isinstance(one, Audit) and kind in ("", "differences") and (crude := crude_metric(one, metric)):
            metric, kind = crude, "differences"
        if isinstance(one, Audit):
            refuse_lacking(one.protocol, metric)
            _refuse_amount(one, metric)
    metric, contrast = metrics.ours(metric)
    results = [_worded(one) for one in given]
    items = [name for name in _table_makers(results[0]) if all(name in _table_makers(one) for one in results)]

    of = [
        words.attribute_in_words(one, column) if isinstance(one, Audit) else column
        for one, column in zip(given, columns, strict=True)
    ]
    apart = len({one.protocol.strata for one in results if isinstance(one, Audit)}) > 1
    asked = {name: value for name, value in (("attribute", attribute), ("metric", metric)) if value}
    ignored: dict[str, list[str]] = {}  # by the kind of table: the arguments that it has nothing to choose by

    def of_all(name: str) -> list[Table]:
        # all rows have what was estimated of the cells that were sent in rows of its own
        each = [words.worded(one) if isinstance(one, Audit) else one for one in given] if name == ALL else results
        requests = [_Request(one, column, metric, apart) for one, column in zip(each, of, strict=True)]
        made = [_table_makers(one)[name](request) for one, request in zip(each, requests, strict=True)]
        ignored[name] = [one for one in asked if None not in made and any(one not in r.read for r in requests)]
        return [] if ignored[name] else [one for one in made if one is not None]

    kind = kind or (f"{contrast}s" if f"{contrast}s" in items else "")
    if kind and kind not in items:
        which = "these results have no such table in common" if several else "this result has no such table"
        it = "they have" if several else "it has"
        there = [name for name in items if len(of_all(name)) == len(results)]
        raise InputError(
            "kind", with_hint(f"has {kind!r}; {which}", nearest(kind, there), f"{it} {listing(there, 9)}.")
        )
    found = next(
        ((name, parts) for name in ([kind] if kind else items) if len(parts := of_all(name)) == len(results)), None
    )
    first, built = found or ("", None)
    if several and first == "estimates" and not kind:
        _refuse_unlike(dict(zip(several, results, strict=True)))
    if built is None:
        there = [name for name in items if name != kind and len(of_all(name)) == len(results)]
        which = "not all of these results have" if several else "this result has no"
        for name in ignored.get(kind, []):
            raise InputError(name, f"has {asked[name]!r}; the table {kind!r} has no {name} to choose; leave it out.")
        if kind and metric and there and all(_table_makers(one)[kind](_Request(one, "", "")) for one in results):
            raise InputError(
                "metric", f"has {metric!r}; the table {kind!r} has no rows of that, but {listing(there, 9)} have."
            )
        if not there:
            raise InputError("metric", f"has {metric!r}; {which} rows of that; name another metric, or none.")
        raise InputError("kind", f"has {kind!r}; {which} rows of that; its tables are {listing(there, 9)}.")
    created = max(getattr(getattr(one, "provenance", None), "created", "") for one in results)
    if several:
        whole = _joined(several, built)
    elif len(built) > 1:
        names = [_Request(one, column, "").name for one, column in zip(results, of, strict=True)]
        blocks = dict(zip(names, built, strict=True))
        whole = _stacked("; ".join(dict.fromkeys(one.caption for one in built)), text(say("attribute")), blocks)
    else:
        whole = built[0]
    others = [] if attribute else _attributes(results[0])[1:]
    named = others and _Request(results[0], "", metric).name in whole.caption
    hints = [others_named(others) if named else ""]
    if isinstance(result, Audit) and not kind and not metric:
        kinds = [repr(name) for name in items if name not in (first, ALL) and of_all(name)]
        hints += [say("Other tables: {names} ({setting}).", names=listed(kinds), setting=Setting("kind"))] * bool(kinds)
    return ResultTable(whole, digests(given), created, " ".join(filter(None, hints)))


def _labels(value: Mapping[str, Any] | None, result: Any) -> Words:
    return report_labels(value, list(_named(result).values()) or [result]) if value is not None else NO_WORDS


def _worded(result: Any) -> Any:
    """The result with its groups called as its labels, or those of the call, have them."""
    if isinstance(result, Comparison):
        return with_group_names(result)
    return words.worded(as_sent(result)) if isinstance(result, Audit) else result


def _metric_called(name: str) -> str:
    return words.heading(metrics.ours(name)[0])


def _asked_attributes(attribute: Any, several: Mapping[str, Any]) -> list[str]:
    """The attribute of each of several results, or those of one; "" for the first that it has."""
    if isinstance(attribute, Mapping):
        if not several or (unknown := [name for name in attribute if name not in several]):
            there = f"the results are {listing(several, 9)}" if several else "one result takes a list of names"
            raise InputError("attribute", f"has {shown(unknown[0] if several else attribute)}; {there}.")
        return [word("attribute", attribute.get(name, "")) for name in several]
    if isinstance(attribute, (list, tuple)) and attribute:
        names = list(dict.fromkeys(word("attribute", name) for name in attribute))
    else:
        names = [word("attribute", attribute)]
    return names * (len(several) or 1)


def _refuse_unlike(audits: Mapping[str, Any]) -> None:
    """Refuse to stack all rows of audits that have no table in common, where each has some of its own."""
    if not all(isinstance(one, Audit) for one in audits.values()):
        return
    own = {
        name: [
            kind for kind, maker in _table_makers(one).items() if kind != "estimates" and maker(_Request(one, "", ""))
        ]
        for name, one in audits.items()
    }
    if all(own.values()):
        each = "; ".join(f"{name!r} has {listing(kinds, 9)}" for name, kinds in own.items())
        raise InputError(
            "kind",
            f"is not given, and these results have no table in common but that of all estimates: {each}; make a table "
            f"of each, or pass {Setting('kind', 'estimates')}.",
        )


def _refuse_other_labels(audits: Sequence[Audit]) -> None:
    """Refuse audits of the same columns and other labels of them, whose differences may have opposite directions."""
    for one in audits[1:]:
        unlike = asked_otherwise(audits[0], one)
        is_same_data = not {"decision", "outcome", "score"} & {name for name, *_ in unlike}
        for name, old, new in unlike if is_same_data else ():
            if name in ("favorable", "positive", "positive_prediction"):
                raise InputError(
                    "result",
                    f"has audits with {Setting(name, old)} and with {Setting(name, new)}; compare audits of the same "
                    "question.",
                )


def _refuse_amount(audit: Audit, metric: str) -> None:
    """Refuse the column of amounts, or the bare word for their means, with the metrics that are meant."""
    column, medians = audit.protocol.argument("amount"), ("median", "medians")
    if column and metric not in metrics.METRICS and metric in (column, "amount", "mean", "means", *medians):
        named = "median amount" if metric in medians and metric != column else "mean amount"
        raise InputError(
            "metric",
            f"has {metric!r}; there is no such metric; pass {named!r}, or {Setting('kind', 'means')} for the table of "
            "means.",
        )


def _named(result: Any) -> dict[str, Any]:
    """Several results by their names, which differ; none for one result."""
    if isinstance(result, (Result, ImpactTable)):
        return {}
    entries = list(
        result.values() if isinstance(result, Mapping) else result if isinstance(result, (list, tuple)) else ()
    )
    if not entries:
        raise InputError(
            "result", f"has {shown(result)}; it is a result such as {Call('audit')} gives; pass one or more."
        )
    for one in entries:
        if not isinstance(one, (Result, ImpactTable)):
            raise InputError(
                "result", f"has {shown(one)} in it; its entries are results such as {Call('audit')} gives."
            )
    if isinstance(result, Mapping):
        return {word("result", name): one for name, one in result.items()}
    names = [attribute_name(translated(name_of(one))) for one in entries]
    of_each = (
        f"{name} {names[: at + 1].count(name)}" if names.count(name) > 1 else name for at, name in enumerate(names)
    )
    return dict(zip(of_each, entries, strict=True))


def _title(result: Any, title: str) -> str:
    """The caption of a table of any kind of result."""
    return f"{words.plain_title(attribute_name(translated(name_of(result))))}: {title}"


def _joined(several: Mapping[str, Any], tables: Sequence[Table]) -> Table:
    """One table of several results."""
    captions = list(dict.fromkeys(one.caption for one in tables))
    titles = {
        one.caption.removeprefix(_title(result, "")) for one, result in zip(tables, several.values(), strict=True)
    }
    of_all = say("{what} of {names}", what=capital(*titles), names=listed(list(several))) if len(titles) == 1 else ""
    caption = of_all if of_all and len(captions) > 1 else "; ".join(captions)
    return _stacked(caption, _result(), dict(zip(several, tables, strict=True)))


def _stacked(caption: str, first: Heading, tables: Mapping[str, Table]) -> Table:
    """One table of several: the columns that any of them has, in their order, after the name of each."""
    keys: list[tuple[Heading, int]] = []
    lines: list[dict[tuple[Heading, int], str]] = []
    for name, one in tables.items():
        items = [(heading, one.headings[:at].count(heading)) for at, heading in enumerate(one.headings)]
        place = 0
        for key in items:
            place = keys.index(key) + 1 if key in keys else place
            if key not in keys:
                keys.insert(place, key)
                place += 1
        lines += [{(first, 0): name, **dict(zip(items, row, strict=True))} for row in one.rows]
    if (first, 0) not in keys:  # else the tables are stacked so themselves
        keys.insert(0, (first, 0))
    note = notes_of_several({name: one.note for name, one in tables.items()})
    cells = [[line.get(key, words.DASH) for key in keys] for line in lines]
    return new_table(caption, [heading for heading, _ in keys], cells, note, EVERY)


def _attributes(result: Any) -> list[str]:
    """The attributes that a table can be of."""
    if isinstance(result, Partition):
        return [one.attribute for one in result.compositions]
    return list(getattr(result, "references", {}))


class _Request:
    """A result with the attribute and the metric that a table is of, and which of both its maker has read."""

    def __init__(self, result: Any, attribute: str, metric: str, apart: bool = False) -> None:
        self.result = result
        self.apart = apart  # whether other results of the table have other strata: each line names its own
        self.read: set[str] = set()
        self.rows: Estimates = result.estimates
        items = _attributes(result)
        if attribute and attribute not in items:
            end = f"it has {listing(items)}" if items else "it has none"
            raise InputError(
                "attribute",
                with_hint(
                    f"has {attribute!r}; the result has no such attribute",
                    nearest(attribute, items),
                    f"{end}.",
                ),
            )
        self._attribute, self._first = attribute, next(iter(items), "")
        if metric in self.classes and metric not in metrics.METRICS:
            raise InputError(
                "metric",
                f"has {metric!r}, which is a class: it has a line of each group in {Call('table', ('result',))}; of it "
                f"alone, against all others, {Call('audit')} with {Setting('favorable', metric)}.",
            )
        name = metrics.get(metric).name if metric else ""
        self._metric = MEANT.get(name, name) if self.classes else name

    @property
    def attribute(self) -> str:
        """The attribute that was asked for, or the first."""
        self.read.add("attribute")
        return self._attribute or self._first

    @property
    def only(self) -> dict[str, str]:
        """The rows to choose where an attribute was asked for."""
        return {"attribute": self.attribute} if self._attribute else {}

    @property
    def arguments(self) -> str:
        """The metric that was asked for, or ""."""
        self.read.add("metric")
        return self._metric

    @property
    def name(self) -> str:
        return attribute_name(self.attribute, self.result if isinstance(self.result, Audit) else None)

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of a decision that has several: each is a line of every group."""
        return self.result.protocol.classes if isinstance(self.result, Audit) else ()

    @property
    def metric(self) -> str:
        """The metric that was asked for, or the first of the headline."""
        present = set(self.rows.column("metric"))
        if not self.arguments and self.classes:
            return SHARE
        if self.arguments and self.arguments not in present:
            fact, hint = f"has {self.arguments!r}; the result has no such rows", metrics.meant_by(self.arguments)
            raise InputError("metric", with_hint(fact, hint, f"it has {listing(sorted(present), 9)}."))
        return self.arguments or next((m for m in metrics.shown("headline")[::-1] if m in present), "")

    def main(self, **values: Any) -> Estimates:
        """Rows of the attribute, in the order of its groups."""
        rows = self.rows.only(**{"attribute": self.attribute, "role": "main", "given": "", "estimator": "", **values})
        if not isinstance(self.result, Audit):
            return rows
        rows = sized(rows, by_size(self.result, self.attribute))
        if not any(row.term for row in rows):
            return rows
        ordered = sorted(rows, key=lambda row: self.classes.index(row.term))
        called = {row: up_to(self.result, row) for row in ordered}
        return Estimates(
            row.changed(group=f"{label}: {row.group}", reference=row.reference and f"{label}: {row.reference}")
            for row, label in called.items()
        )

    def overturned(self, contrast: str) -> set[str]:
        """The lines whose verdict those who are missing could overturn."""
        if not isinstance(self.result, Audit):
            return set()
        name = self.metric_within if contrast == "difference" else ""
        given = held_fixed(self.result.protocol) if name else ""
        about = {"attribute": self.attribute, "role": "main", "estimator": "", "given": given}
        rows = self.rows.only(metric=name or self.metric, contrast=contrast, **about)
        return {
            f"{up_to(self.result, row)}: {row.group}" if row.term else row.group
            for row in rows
            if undone(self.result, row) is not None
        }

    @property
    def left_out(self) -> str:
        """How many people without a group are left out; "" of none."""
        if not isinstance(self.result, Audit) or self.result.protocol.missing != "drop":
            return ""
        lost = unknown(self.result, self.attribute)
        return translated(UNKNOWN_GROUP.format(n=words.count(lost))) if lost > 0 else ""

    @property
    def within(self) -> Estimates:
        """The differences within declared strata that answer in the place of the crude ones of the metric."""
        if not (name := self.metric_within):
            return Estimates()
        given = held_fixed(self.result.protocol)
        return as_counted(self.result, self.main(metric=name, contrast="difference", given=given))

    @property
    def metric_within(self) -> str:
        """Their metric, "" where none answer."""
        return metric_within(self.result, self.attribute, self.metric) if isinstance(self.result, Audit) else ""

    def ranged(self, columns: Sequence[Column], contrast: str, metric: str = "") -> Sequence[Column]:
        """The columns with ranges in place of what people of withheld cells decide; metric: of rows within strata."""
        if not isinstance(self.result, Audit):
            return columns
        bounds = bounds_over_withheld(self.result, metric or self.metric, self.attribute)
        other = contrast != "ratio" and of_flags(self.result, self.metric)
        return over_withheld(columns, {key: complement(row) for key, row in bounds.items()} if other else bounds)

    def groups(self, *tables: Estimates) -> list[str]:
        return list(dict.fromkeys(row.group for rows in tables for row in rows if row.group))


def _called(arguments: _Request, contrast: str = "none") -> str:
    """What a caption calls the metric, of amounts by their column."""
    if arguments.metric not in OF_AMOUNTS or not isinstance(arguments.result, Audit):
        return rate_name(arguments.result, arguments.metric, contrast)[0]
    return amounts_called(arguments.result, arguments.metric)


def _rates(arguments: _Request) -> Table | None:
    rates = as_counted(arguments.result, arguments.main(metric=arguments.metric, contrast="none"))
    caption = say("{rate} by {name}", rate=_called(arguments), name=arguments.name)
    if not rates:
        return None
    metric = metrics.get(arguments.metric)
    counted = metric.is_rate or (metric.scale == metrics.PERCENT and any(row.events == row.events for row in rates))
    note = _counts_note(arguments.result, counted, rates)
    note = " ".join(filter(None, (note, unadjusted(arguments.result, arguments.metric), arguments.left_out)))
    of = RATE if counted else quantity(arguments.metric, arguments.result.protocol.unit)
    columns = with_rows(with_error(arguments.ranged(of, "none"), rates), rates)
    return groups_table(caption, arguments.groups(rates), [(rates, columns)], note, most=EVERY)


def _counts_note(result: Any, counted: bool, rows: Estimates) -> str:
    """What the counts of a table are: of people, or sums of weights."""
    if not isinstance(result, Audit) or result.protocol.weight_type != "probability":
        return say("k of n: people counted by the rate, of those it is about.") if counted else ""
    if not counted:
        return sums_note(rows)
    of = say("k of n: sums of weights of the people counted by the rate, of those it is about.")
    return sums_note(rows, of)


def _contrasts(contrast: str, columns: Sequence[Column], noted: bool = True) -> Callable[[_Request], Table | None]:
    def result(arguments: _Request) -> Table | None:
        rates = arguments.main(metric=arguments.metric, contrast="none")
        compared = arguments.main(metric=arguments.metric, contrast=contrast)
        if not len(compared):
            return None
        if contrast == "difference":  # beside ratios stand the rates that they are of
            rates, compared = (as_counted(arguments.result, rows) for rows in (rates, compared))
        rate = _called(arguments, contrast)
        references = dict.fromkeys(compared.column("reference"))
        reference = arguments.result.references[arguments.attribute] if arguments.classes else next(iter(references))
        of = {
            "difference": mark("{rate} by {name}: differences from {reference}"),
            "ratio": mark("{rate} by {name}: ratios to {reference}"),
        }
        values = {"rate": rate, "name": arguments.name, "reference": reference}
        caption = say(of[contrast], **values)
        within = arguments.within if contrast == "difference" else Estimates()
        strata = strata_name(arguments.result) if within else ""
        if within and not arguments.apart:
            both = mark("{rate} by {name}: differences from {reference} within {strata}, and crude")
            if not arguments.result.protocol.strata:
                both = mark("{rate} by {name}: differences from {reference} adjusted for {strata}, and crude")
            caption = say(both, strata=strata, **values)
        margin = arguments.result.protocol.margin.difference if contrast == "difference" else None
        page = page_level(arguments.result, arguments.metric)
        overturned = arguments.overturned(contrast)
        p, verdict = adjusted(margin, page)
        verdict = verdict[0], _signed(verdict[1], overturned)
        has_verdict = contrast == "difference" or any(compared.column("verdict"))
        decided: tuple[Column, ...] = (p, verdict) if has_verdict else (p,)
        share = metrics.get(arguments.metric).scale == metrics.PERCENT
        unit = arguments.result.protocol.unit
        of_each = columns
        if contrast == "difference":
            of_each = with_error(columns if share else apart(arguments.metric, unit), compared)
        inside = arguments.metric_within
        bare = rates.map(lambda row: row.changed(method=""))  # whose intervals the table does not have
        levels = bare, arguments.ranged(RATE[2:3] if share else quantity(arguments.metric, unit)[:2], contrast)
        if within and arguments.apart:
            in_line = _strata_of_line(strata), *of_each, *decided
            blocks, crude = [levels, (within, arguments.ranged(in_line, contrast, inside))], ""
        else:
            first: list[tuple[Estimates, Sequence[Column]]] = []
            if within:
                in_strata = *named(of_each, within_heading(arguments.result)), *decided
                first = [(within, arguments.ranged(in_strata, contrast, inside))]
            if (
                contrast == "difference"
                and isinstance(arguments.result, Audit)
                and answered_within(arguments.result, arguments.attribute, arguments.metric)
            ):
                of_each, decided = named(of_each, say("crude")), () if within else (p,)
            blocks = [*first, levels, (compared, arguments.ranged((*of_each, *decided), contrast))]
            crude = _crude_note(arguments, contrast)
            if within:
                crude = f"{crude} {crude_levels(compared, within, arguments.result.protocol)}".rstrip()
        note = _adjusted_note(arguments.result, [within or compared]) if noted else ""
        return groups_table(
            caption,
            arguments.groups(rates, compared),
            blocks,
            " ".join(filter(None, (note, *_missing_note(arguments, bool(overturned)), crude) * noted)),
            reference=tuple(references),
            most=EVERY,
            conf_level=arguments.result.protocol.conf_level,
            methods=noted,
        )

    return result


def _signed(cell: Callable[[Estimate], str], groups: set[str]) -> Callable[[Estimate], str]:
    """Cells of verdicts, with a sign in the lines of groups."""
    return lambda row: type(cell(row))(f"{cell(row)} {OVERTURNED}") if row.group in groups else cell(row)


def _missing_note(arguments: _Request, overturned: bool) -> list[str]:
    """What the sign of a verdict says, and how many people without a group are left out."""
    sign = mark("{sign} Among those who are known; those who are missing could overturn it.")
    return [*([say(sign, sign=OVERTURNED)] if overturned else []), arguments.left_out]


def _strata_of_line(strata: str) -> Column:
    """Within which strata a line compares, where those of several results differ."""
    return text(mark("within")), lambda row: strata


def _crude_note(arguments: _Request, contrast: str) -> str:
    """That differences or ratios are not adjusted for declared strata, which may have their own verdicts."""
    strata = strata_name(arguments.result)
    if contrast != "ratio" and answered_within(arguments.result, arguments.attribute, arguments.metric):
        return say(CRUDE_NOTE, strata=strata)
    if not arguments.result.protocol.strata:
        return ""
    if contrast == "ratio":
        return unadjusted(arguments.result, arguments.metric)
    return say(UNADJUSTED, strata=strata)


def _adjusted_note(result: Audit, of_each: Sequence[Estimates]) -> str:
    """For how many comparisons the intervals of each rate are adjusted, and what a dagger says."""
    conf_level, every = result.protocol.conf_level, [row for rows in of_each for row in rows]
    levels = [[row.conf_level for row in rows if has_limits(row)] for rows in of_each]
    many = sorted({comparisons_of(one, conf_level) for one in levels} - {0, 1})
    adjusted_for = mark("Intervals are adjusted for {many} comparisons, to hold together with {level}.")
    note = say(adjusted_for, many=_either(list(map(words.count, many))), level=level(conf_level)) if many else ""
    note = say(BY_RATE) if many and result.protocol.p_adjust == BH else note
    return shown_alone(every, page_levels(result, every), note)


def _either(items: Sequence[str]) -> str:
    """One of several, as a sentence says it."""
    return items[0] if len(items) == 1 else say("{first} or {last}", first=", ".join(items[:-1]), last=items[-1])


def _impact(arguments: _Request) -> Table | None:
    order, protocol = by_size(arguments.result, arguments.attribute), arguments.result.protocol
    rows = arguments.rows.only(attribute=arguments.attribute)
    names = [arguments.arguments] if arguments.arguments else ["selection rate", "scoring rate"]
    tables = (impact(arguments.name, rows, order, name, protocol, most=EVERY) for name in names)
    return next(filter(None, tables), None)


def _rates_of_error(arguments: _Request, rows: Estimates) -> list[str]:
    """The rates of error that rows are of, those of the figure first, or the one that was asked for."""
    present = set(rows.column("metric"))
    every = dict.fromkeys((*errors_of(arguments.result), *metrics.shown("errors"), TPR, PPV))
    return [name for name in every if name in present and arguments.arguments in ("", name)]


def _errors(arguments: _Request) -> Table | None:
    """A column a rate: the share with its interval."""
    names = _rates_of_error(arguments, arguments.rows)
    rows = arguments.main(metric=tuple(names), contrast="none")
    if not len(rows):
        return None
    cell = {(r.group, r.metric): r for r in rows}
    lines = [[g, *(_with_interval(cell.get((g, m))) for m in names)] for g in arguments.groups(rows)]
    headings = [text(say("group")), *(Heading(words.heading(m), "%") for m in names)]
    values = {"rate": words.heading(names[0]), "name": arguments.name}
    several = mark("Rates of errors and right decisions by {name}, with intervals")
    caption = say(several if len(names) > 1 else mark("{rate} by {name}, with intervals"), **values)
    note = " ".join(filter(None, (unadjusted(arguments.result, names[0]), arguments.left_out)))
    return new_table(caption, headings, lines, methods_note(rows, note), EVERY)


def _error_differences(arguments: _Request) -> Table | None:
    """The differences of every rate of error, a line a rate and group."""
    names = _rates_of_error(arguments, arguments.rows.only(attribute=arguments.attribute, contrast="difference"))
    requests = [_Request(arguments.result, arguments.attribute, name) for name in names]
    of_each = {
        words.heading(name): _contrasts("difference", DIFFERENCE, noted=False)(request)
        for name, request in zip(names, requests, strict=True)
    }
    tables = {name: one for name, one in of_each.items() if one}
    if not tables:
        return None
    caption = say("Rates of errors and right decisions by {name}: differences", name=arguments.name)
    whole = _stacked(caption, text(say("statistic")), tables)
    found = arguments.main(metric=tuple(names), contrast="difference")
    note = _adjusted_note(arguments.result, [found.only(metric=one) for one in names])
    missing = _missing_note(arguments, any(request.overturned("difference") for request in requests))
    note = " ".join(filter(None, (note, *missing, _crude_note(requests[0], "difference"))))
    return replace(whole, note=methods_note(found, note, whole.note))


def _with_interval(row: Estimate | None) -> str:
    if row is None:
        return words.DASH
    return with_interval(words.percent(row.estimate), words.interval(row)) if words.shown(row) else words.status(row)


def _scores(arguments: _Request) -> Table | None:
    area, higher = arguments.main(metric="AUC", contrast="none"), arguments.main(metric="P(X>Y)")
    groups = arguments.groups(area, higher)
    if not groups:
        return None
    known = known_alone(arguments.result, arguments.attribute)
    base = f"AUC: {known}." if known and area else ""
    strata, conf_level = arguments.result.protocol.strata, arguments.result.protocol.conf_level
    within = arguments.main(metric=SCORES, given=strata) if strata else Estimates()
    areas, chances = (
        over_withheld(columns, bounds_over_withheld(arguments.result, metric, arguments.attribute))
        for columns, metric in ((AREA, "AUC"), (HIGHER, "P(X>Y)"))
    )
    if within and not arguments.apart:  # declared strata are the question: what holds them fixed has the verdict
        reference = arguments.result.references[arguments.attribute]
        values = {"name": arguments.name, "strata": strata_name(arguments.result), "reference": reference}
        caption = say(SCORES_IN_STRATA, **values)
        inside = named(HIGHER[:2], say("within {strata}", **values))
        blocks = [
            (within, (*inside, *adjusted())),
            (higher, named(chances[:2], say("crude"))),
            (area, with_error(areas, area)),
        ]
        of_crude = crude_note(values["strata"], higher, within, arguments.result.protocol)
        note = " ".join(filter(None, (base, _adjusted_note(arguments.result, [within]), of_crude)))
        return groups_table(caption, groups, blocks, note, reference=reference, most=EVERY, conf_level=conf_level)
    answering, columns = (within, [*HIGHER]) if within else (higher, chances)
    apart = (*with_error(columns[:2], answering), *columns[2:])
    in_line = (_strata_of_line(strata_name(arguments.result)), *apart) if within else apart
    blocks = [(area, with_error(areas, area)), (answering, in_line)]
    caption, note = say("Scores by {name}", name=arguments.name), _adjusted_note(arguments.result, [answering])
    note = f"{base} {note}".strip()
    return groups_table(caption, groups, blocks, note, most=EVERY, conf_level=conf_level)


def _gaps(arguments: _Request) -> Table | None:
    """The gaps of amounts, first those of people who are alike, or of a stratum, where these answer."""
    names = [one for one in (ALIKE, AMOUNTS, *LEVELS) if arguments.arguments in ("", one)]
    about = {"attribute": arguments.attribute, "role": "main", "contrast": "none", "term": ""}
    rows = Estimates(row for name in names for row in arguments.rows.only(metric=name, **about))
    if not rows:
        return None
    metric = LEVELS.get(arguments.arguments, "mean amount")
    if differences_without_gap(arguments.result, arguments.attribute, metric):
        return means_table(arguments.result, arguments.attribute, arguments.name, metric, EVERY, unweighted=True)
    protocol = arguments.result.protocol
    crude = crude_gaps(arguments.result, arguments.attribute, rows)
    column, references = protocol.called(protocol.argument("amount")), dict.fromkeys(rows.column("reference"))
    values = {"column": column, "name": arguments.name, "reference": listed(list(references))}
    caption = say("Gaps in {column} by {name}, compared with {reference}", **values)
    columns: tuple[Column, ...] = (
        (text(mark("gap")), lambda row: gap_called(arguments.result, row, row in crude)),
        (text(mark("group")), lambda r: r.group),
        (OF_BOTH, people_of_both(arguments.result)),
        *with_error(GENERAL[3:5], rows),
        *decided(crude),
    )
    note = say("Gap: by how much a group is below the reference, in % of it; below 0 it is above.")
    note = f"{note} {_adjusted_note(arguments.result, [rows.only(metric=name) for name in names])}".rstrip()
    note += f" {say(CRUDE_NOTE, strata=strata_name(arguments.result))}" if crude else ""
    note += f" {say('People: sums of weights.')}" if protocol.weight_type == "probability" else ""
    return estimates_table(caption, rows, columns, note, most=EVERY, conf_level=protocol.conf_level)


def _means(arguments: _Request) -> Table | None:
    """The means of amounts, or their medians."""
    metric = arguments.arguments or "mean amount"
    if metric not in OF_AMOUNTS:
        return None
    return means_table(arguments.result, arguments.attribute, arguments.name, metric, EVERY, unweighted=True)


def _at_once(arguments: _Request) -> Table | None:
    measures = dict.fromkeys(arguments.rows.only(attribute=arguments.attribute).column("metric"))
    return at_once(arguments.result, arguments.attribute, [arguments.arguments] if arguments.arguments else [*measures])


def _clusters(arguments: _Request) -> Table:
    at = _attributes(arguments.result).index(arguments.attribute)
    return composition_table(arguments.result, at, most=EVERY, most_levels=EVERY, most_differences=2)


def _changes(arguments: _Request) -> Table | None:
    """What changes from a model to another: of every rate the gaps of both, or the numbers of everybody."""
    result = arguments.result
    changes = [one for one in result.changes_by_rate() if arguments.arguments in ("", one[0].metric)]
    changes = [one for one in changes if one[0].reference or not one[0].group]
    if not changes:
        return None
    pairs = list(dict.fromkeys((row.versus, row.model) for row, *_ in changes))
    gaps = list(dict.fromkeys((row.group, row.reference) for row, *_ in changes if row.reference))
    headings = [text(say("rate"))]
    headings += [text(say("models"))] * (len(pairs) > 1) + [text(say("of"))] * (len(gaps) > 1)
    names = pairs[0] if len(pairs) == 1 else (say("first"), say("second"))
    both = len(pairs) == 1 or len(gaps) == 1  # else the table would be too wide, and "models" has the gaps
    headings += [*(Heading(name, "%") for name in names if both), Heading(say("change"), say("points"))]
    rows = [row for row, *_ in changes]
    headings += [Heading(level_of(rows, result.conf_level)), Heading(say("adjusted p")), text(say("shown"))]
    lines, interval = [], interval_below(rows)
    for row, old, new in changes:
        who = f"{row.group} − {row.reference}" if row.reference else say("everybody")
        rate = words.heading(row.metric)
        if len(gaps) == 1:
            of = say("gap") if row.reference else say("everybody")
            rate = f"{rate}, {of}"
        pair = f"{row.versus}, {row.model}" if both else f"{row.model} − {row.versus}"
        line = [rate, *([pair] if len(pairs) > 1 else []), *([who] if len(gaps) > 1 else [])]
        scale = words.scale(row)
        line += [scale(one.estimate) for one in ([old, new, row] if both else [row])]
        lines.append([*line, interval(row, scale), study_p(row)])
        lines[-1].append(finding_of(row, result.estimates, result.margin))
    note = [say("Gaps, in points: the share of the group less that of the reference.")]
    if len(gaps) == 1:
        note = [
            say(
                "Gaps, in points: the share of the group less that of the reference ({pair}).", pair=" − ".join(gaps[0])
            )
        ]
    if not both:
        note.append(say("Smaller and larger: in size, with the model that stands first."))
    if any(row.metric == "AUC" for row in rows):
        note.append(say("AUC is not in %."))
    note += [equality_note(rows), translated(levels_together(result))]
    note += [say("{sign}: p by itself, not adjusted.", sign=ALONE)] if any(map(by_itself, rows)) else []
    return new_table(_title(result, say("changes")), headings, lines, " ".join(filter(None, note)), EVERY)


def _audit_changes(arguments: _Request) -> Table | None:
    """A line a comparison of two audits: the difference before and after, the change with its interval."""
    result: AuditComparison = arguments.result
    rows = Estimates(row for row in ordered(result) if arguments.arguments in ("", row.metric))
    if not rows:
        return None
    unit = say("points")
    headings = [text(say("rate")), text(say("groups"))]
    headings += [Heading(name, unit) for name in (say("before"), say("after"), say("change"))]
    headings += [Heading(level_of(rows), unit), Heading(say("adjusted p"))]
    lines = []
    for row in rows:
        group, reference = called(result, row)
        groups = say("{group} less {reference}", group=group, reference=reference)
        numbers = (points(result, one) for one in (*gaps_of(result.estimates, row), row))
        lines.append([words.heading(row.metric), groups, *numbers, words.interval(row)])
        lines[-1].append(words.p_value(row.p_adjusted))
    caption = say("Differences before and after, and their change")
    note = [say(RANGES)] if any(row.status == "bounded" for row in rows) else []
    note += map(translated, not_compared_among(named_statements(result)))
    return new_table(caption, headings, lines, methods_note(rows, *note), EVERY)


def _subgroups(arguments: _Request) -> Table | None:
    scan: SubgroupScan = arguments.result
    return subgroup_table(scan, EVERY) if arguments.arguments in ("", scan.metric) and scan.tested() else None


def _models(arguments: _Request) -> Table | None:
    """Accuracy and gaps of every model, by the short names of the rates, which the note spells out."""
    of, asked = [row.metric for row in arguments.result.by_model()[0]], arguments.arguments
    if asked and asked not in of:
        return None
    later = [] if asked else [name for name in ("accuracy", "AUC") if name in of]  # whose gaps make it too wide
    table = model_table(arguments.result, [asked] if asked else [n for n in of if n not in later], lambda name: name)
    known = [name for name in dict.fromkeys(of) if name != words.in_text(name) and asked in ("", name)]
    note = [table.note, *(f"{name}: {words.in_text(name)}." for name in known)]
    note += [say("Gaps in {names} are left out unless named as metric.", names=listed(later)) for _ in later[:1]]
    return replace(table, note=" ".join(note))


def _conditions(arguments: _Request) -> Table:
    return replace(condition_table(arguments.result), caption=_title(arguments.result, say("conditions")))


def _of_law(at: int) -> Callable[[_Request], Table]:
    return lambda arguments: law_tables(arguments.result)[at]


def _of_parts(title: str, made: Callable[[Decomposition, int], Table | None]) -> Callable[[_Request], Table | None]:
    """A table of a decomposition, whose caption says by itself which gap it is of, and by which method."""

    def result(arguments: _Request) -> Table | None:
        one = made(arguments.result, EVERY)
        return one and replace(one, caption=_title(arguments.result, say(title)))

    return result


def _general(title: str, **values: Any) -> Callable[[_Request], Table | None]:
    def result(arguments: _Request) -> Table | None:
        chosen = {**values, **arguments.only, **({"metric": arguments.arguments} if arguments.arguments else {})}
        rows = arguments.rows.only(**chosen)
        if not len(rows):
            return None
        before = adjusts_after(getattr(arguments.result, "method", "")) and len(rows.only(metric="R2"))
        of = say("Shares and R² are of the components before adjustment, which takes the groups out.")
        note = of if before else ""
        if isinstance(arguments.result, Comparison):
            note = say("n: people held out whom a number is about, on average over the splits.")
        return estimates_table(
            _title(arguments.result, say(title)), rows, with_levels(general(rows), rows), note, most=EVERY
        )

    return result


def _bounds(arguments: _Request) -> Table:
    """The bound of every gap and the estimates beside it, with the levels that the limits have."""
    found: GroupStudy = arguments.result
    of = bounds_table(found, EVERY)
    levels = [translated(line) for line in found.statements if any(says(line, one) for one in LEVELS_OF_BOUNDS)]
    return replace(of, caption=_title(found, say("bounds of gaps")), note=" ".join([of.note, *levels]))


def _features(arguments: _Request) -> Table:
    """Each feature alone, and what it adds, with the level that each interval has by itself."""
    found: Proxies = arguments.result
    of = proxies_table(found, EVERY)
    levels = sorted({row.conf_level for pair in found.features() for row in pair if row.conf_low == row.conf_low})
    first = found.estimates[0]
    whose = {row.group for row in found.estimates if row.group}
    pair = {"group": first.group, "reference": first.reference}
    note = [
        say("AUC: {group} against {reference}, 0.5 is guessing.", **pair)
        if len(whose) == 1
        else say("AUC: 0.5 is guessing."),
        say("Added: the AUC lost when the model is trained again without the feature."),
    ]
    note += [say("Each interval by itself: {levels}.", levels=listed(list(map(level, levels))))] if levels else []
    return replace(of, caption=_title(found, say("each alone, and what it adds")), note=" ".join(note))


def _costs(made: Callable[[Tradeoff, int], Table]) -> Callable[[_Request], Table]:
    def result(arguments: _Request) -> Table:
        of = made(arguments.result, EVERY)
        return replace(of, note=" ".join(filter(None, (meant_by_costs(arguments.result), of.note))))

    return result


def _methods(arguments: _Request) -> Table | None:
    """Page one's line a method; one metric has its own tables."""
    found: Comparison = arguments.result
    of = None if arguments.arguments else price_and_gap(found, EVERY, pairs=False)
    if of is None:
        return None
    gap = comparison_headline(found)[0][0]
    values = {"group": gap.group, "reference": gap.reference, "attribute": column_name(gap.attribute)}
    caption = say("{what}: {group} against {reference} ({attribute})", what=of.caption, **values)
    return replace(of, caption=caption, headings=(replace(of.headings[0], kind="word"), *of.headings[1:]))


def _rates_by_method(arguments: _Request) -> Table | None:
    return rates_by_method(arguments.result, arguments.attribute, arguments.arguments, EVERY)


def _differences_by_method(arguments: _Request) -> Table | None:
    """The differences of groups and methods in one metric, or in those of reports."""
    chosen = {"metric": arguments.arguments or BETWEEN, "contrast": "difference", "role": "main", **arguments.only}
    return gaps_by_method(arguments.result, arguments.rows.only(**chosen), most=EVERY)


TableMakers = dict[str, Callable[[_Request], Table | None]]
AUDIT: TableMakers = {
    "rates": _rates,
    "differences": _contrasts("difference", DIFFERENCE),
    "ratios": _contrasts("ratio", RATIO),
    "impact": _impact,
    "impact by stratum": lambda arguments: impact_by_stratum(arguments.result, arguments.attribute, EVERY),
    "errors": _errors,
    "error differences": _error_differences,
    "scores": _scores,
    "gaps": _gaps,
    "means": _means,
    "at once": _at_once,
    "estimates": _general(mark("estimates")),
}
DECOMPOSITION: TableMakers = {
    "parts": _of_parts(mark("parts"), parts_table),
    "coefficients": _of_parts(mark("by whose coefficients"), forms_table),
    "estimates": _general(mark("estimates")),
}
COMPARISON: TableMakers = {
    "methods": _methods,
    "groups": _rates_by_method,
    "differences": _differences_by_method,
    "estimates": _general(mark("estimates")),
}
ROLES: TableMakers = {
    "components": _general(mark("components"), role="component"),
    "guarantees": _general(mark("guarantees"), role="guarantee"),
    "price": _general(mark("price"), role="price"),
    "estimates": _general(mark("estimates")),
}


def _table_makers(result: Any) -> TableMakers:
    """The tables that a result has."""
    if isinstance(result, ImpactTable):
        return {"impact": lambda arguments: law_table(arguments.result, whole=True), "estimates": ROLES["estimates"]}
    if isinstance(result, Audit):  # of an audit of scores the base rate, which is of the outcome, comes after them
        of_scores = result.protocol.score and not result.protocol.decision and result.protocol.threshold is None
        return {"scores": AUDIT["scores"]} | AUDIT if of_scores else AUDIT
    if isinstance(result, Decomposition):
        return DECOMPOSITION
    if isinstance(result, Comparison):
        there = {f"{contrast}s" for contrast in result.estimates.column("contrast")}
        return {
            name: built
            for name, built in COMPARISON.items()
            if name in there or name in ("methods", "groups", "estimates")
        }
    if isinstance(result, GroupStudy) and of_pay(result):
        categories: TableMakers = {"categories": lambda arguments: category_table(arguments.result, most=EVERY)}
        of_pay_alone: TableMakers = {"gaps": _of_law(0), "shares": _of_law(1)}
        return of_pay_alone | (categories if result.by_category() else {}) | {"estimates": ROLES["estimates"]}
    if isinstance(result, GroupStudy) and of_alternatives(result):
        tested: TableMakers = {"conditions": _conditions, "changes": _changes}
        tried = tested if result.changes_by_rate() else {}
        tried |= {"candidates": lambda arguments: candidates_table(arguments.result, EVERY)}
        return tried | {"estimates": ROLES["estimates"]}
    if isinstance(result, GroupStudy) and result.periods:
        watched: TableMakers = {"periods": lambda arguments: period_table(arguments.result, most=EVERY)}
        return watched | {"estimates": ROLES["estimates"]}
    if isinstance(result, GroupStudy) and result.changes_by_rate():
        of_models: TableMakers = {"changes": _changes, "models": _models}
        return of_models | {"estimates": ROLES["estimates"]}
    if isinstance(result, GroupStudy) and bounded_rows(result):
        return {"bounds": _bounds, "estimates": ROLES["estimates"]}
    if isinstance(result, AuditComparison):
        return {"changes": _audit_changes, "estimates": ROLES["estimates"]}
    if isinstance(result, SubgroupScan):
        of_scan: TableMakers = {"subgroups": _subgroups}
        return of_scan | {"estimates": ROLES["estimates"]}
    if isinstance(result, Proxies):
        return {"features": _features, "estimates": ROLES["estimates"]}
    if isinstance(result, Tradeoff):
        paired: TableMakers = {"differences": _costs(differences_table)} if any(result.differences()) else {}
        return {"methods": _costs(tradeoff_table)} | paired | {"estimates": ROLES["estimates"]}
    roles = set(result.estimates.column("role"))
    named = {"guarantees": "guarantee", "price": "price", "components": "component"}
    tables = {name: built for name, built in ROLES.items() if name not in named or named[name] in roles}
    if isinstance(result, Partition):
        clusters: TableMakers = {"clusters": _clusters} if result.compositions else {}
        price: TableMakers = {"price": lambda arguments: price_table(arguments.result)} if "price" in tables else {}
        tables = clusters | tables | price
    return tables
