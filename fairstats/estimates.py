"""The tidy row that every statistic of the package becomes, and the table of such rows."""

from __future__ import annotations

import inspect
import math
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product, zip_longest
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args, overload, runtime_checkable

from fairstats.attached import attached
from fairstats.document import Block, Text, as_text
from fairstats.errors import (
    AbsentError,
    Call,
    InputError,
    InputTypeError,
    listing,
    nearest,
    snippet,
    visible,
    with_hint,
)
from fairstats.former import R_VERBS
from fairstats.language import ENGLISH, Message, mark, message, records, says
from fairstats.metrics import FAMILIAR, METRICS, Familiar, meaning, meant_by, way_to
from fairstats.text import compact, count, json_plain, number, p_equals, significant, span
from fairstats.validation import answering, items, one_of, plain, real, shown, word

if TYPE_CHECKING:
    import os
    from pathlib import Path

    import pandas as pd


# The verbs that every result has, and the one place through which a result finds its drawings and its file.


Figure = Literal[
    "calibration",
    "changes",
    "choice",
    "claims",
    "classes",
    "clusters",
    "crude_adjusted",
    "differences",
    "ecdf",
    "errors",
    "explained",
    "flow",
    "forest",
    "funnel",
    "gaps",
    "group_loss",
    "hundred",
    "matrix",
    "outcome_by_score",
    "path",
    "periods",
    "price_gap",
    "probes",
    "quarters",
    "rates",
    "ratios",
    "roc",
    "score_distribution",
    "scree",
    "study",
    "thresholds",
    "waterfall",
]
LONGEST = 400  # characters of a short form
MOST_LINES = 60  # of a summary that is shown unasked


@runtime_checkable
class Result(Protocol):
    """What every result of the package offers: its rows, and four ways to read them."""

    @property
    def estimates(self) -> Estimates:
        """Every number of the result, one row each."""

    def summary(self) -> str:
        """The result as text, at most 80 columns wide."""

    def tidy(self, **where: object) -> pd.DataFrame:
        """``estimates`` as a pandas frame with the columns of the glossary, all rows or those with the given values."""

    def glance(self) -> pd.DataFrame:
        """One row about the whole."""

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-ready; ``schema`` names the form."""

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the result to a file that ``fairstats.load`` reads."""


class Plot(Protocol):
    """A figure, as `plot` returns it: a `Drawing`."""

    name: str
    svg: str
    caption: str
    alt: str
    width: float
    height: float

    def save(self, path: str | os.PathLike[str], *, dpi: int = 300, overwrite: bool = False) -> Path:
        """Write the figure by itself, whole or not at all."""


class Saved:
    """What can be written to a file and read again."""

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        """Let every method that users call answer an unknown argument by the name that it has here."""
        super().__init_subclass__(**options)
        for name, method in list(vars(cls).items()):
            if inspect.isfunction(method) and not name.startswith("_") and not hasattr(method, "__wrapped__"):
                setattr(cls, name, answering(method))

    @answering
    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write it to an ``.npz`` file that ``fairstats.load`` reads; no pickle.

        An earlier result of ours is replaced, a file that fairstats did not write only with ``overwrite=True``.
        """
        saved: Path = attached.save(self, path, overwrite=overwrite)
        return saved


# Where the forms are that people look for on the result itself.
FORMS: dict[str, str] = {
    **{f"to_{form}": f"fs.table(result).to_{form}()" for form in ("csv", "html", "latex", "markdown", "gt")},
    **{f"to_{form}": f'fs.table(result).save("table.{end}")' for form, end in (("docx", "docx"), ("xlsx", "xlsx"))},
    "table": "fs.table(result)",
    "report": 'fs.report(result, to="report.pdf")',
    "to_excel": 'fs.table(result).save("table.xlsx")',
    "to_word": 'fs.report(result, to="report.docx")',
    "to_pdf": 'fs.report(result, to="report.pdf")',
    "to_json": "result.to_dict()",
    **dict.fromkeys(("to_frame", "to_pandas", "to_df", "to_dataframe"), "result.tidy()"),
    **dict.fromkeys(("p_value", "p_values", "pvalue", "pvalues"), "result.tidy()"),
    **dict.fromkeys(("conf_int", "params", "bse", "std_error", "summary_frame"), "result.tidy()"),
    "finding": "result.summary()",
    **dict.fromkeys(("head", "describe", "iterrows", "columns"), "the data frame result.tidy()"),
    "estimate": "result.tidy(), by its column estimate,",
}


def _parts_of(result: Any) -> list[str]:
    """The public names that a result has."""
    return [
        name for name in (*dir(type(result)), *getattr(type(result), "__dataclass_fields__", ())) if name[:1] != "_"
    ]


class Described(Saved):
    """What says its `summary` and its `_brief`, and is shown by these in a console and in a notebook."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in FORMS:
                kind = type(self).__name__
                raise AbsentError(f"{name} is no method of {kind}; {FORMS[name]} does that.")
            if hasattr(type(self), verb := R_VERBS.get(name, "")):
                raise AbsentError(f"{name} is no method of {type(self).__name__}; result.{verb}() does that.")
            if not name.startswith("_") and not hasattr(type(self), name) and (hint := nearest(name, _parts_of(self))):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}")
            return object.__getattribute__(self, name)  # once more: what a property raises stays what it is

    if TYPE_CHECKING:

        def summary(self) -> str:
            """The result as text."""

        def _brief(self) -> str:
            """What the short form says: how many, which groups, the first finding."""

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        text = visible(" ".join(self._brief().split()))
        return f"<{type(self).__name__}: {text if len(text) <= LONGEST else text[: LONGEST - 1] + '…'}>"

    def _repr_html_(self) -> str:
        shown: str = attached.html(self)
        return shown

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What IPython shows in a console: what is printed, its first lines where it is long."""
        printer.text(repr(self) if cycle else self._console())

    def _console(self) -> str:
        lines = str(self).split("\n")
        if len(lines) > MOST_LINES:
            more = len(lines) - MOST_LINES + 1
            lines = [*lines[: MOST_LINES - 1], f"... and {more} more lines; print(result) shows all"]
        return "\n".join(lines)


class Reads(Described):
    """A result says its `estimates`, `summary`, `glance`, `to_dict` and `_brief`; the rest follows from these."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getitem__(self, key: object) -> Any:  # which list(result) calls, too
            kind = type(self).__name__
            raise InputTypeError(f"{kind} is no table, and has no entry {key!r}; its rows are one: result.tidy().")

    if TYPE_CHECKING:

        @property
        def estimates(self) -> Estimates:
            """Every number of the result, one row each."""

    def tidy(self, **where: object) -> pd.DataFrame:
        """Return ``estimates`` as a pandas frame with the columns of the glossary.

        Of models or audits that are compared a column ``direction`` comes last: of a change that is shown "changed",
        of models also "smaller" or "larger" of a gap, "higher" or "lower" of a rate, and "within" the margin; else "".

        Parameters
        ----------
        **where
            Column and value, to choose rows as `Estimates.where` does: ``metric="TPR", role="main"``. The name of a
            known metric, status or verdict that no row has gives an empty frame; ``role="all"`` chooses nothing.

        Returns
        -------
        pandas.DataFrame
            One row an estimate.

        Raises
        ------
        InputError
            There is no such column, or no row has that value, which is no known name either.
        """
        rows = self.estimates.where(**where) if where else self.estimates
        frame = rows.to_frame()
        if (ways := self._directions(rows)) is not None:
            frame["direction"] = ways
        return frame

    def _directions(self, rows: Iterable[Estimate]) -> list[str] | None:
        """Of each row the direction of a change that is shown; None of results that compare no two of a kind."""
        return None

    def _other_disparities(self) -> tuple[str, Estimates]:
        """What shows a disparity where no verdict does, after the words for it; of most results nothing does."""
        return "", Estimates(())

    def _unanswerable(self) -> str:
        """Why no verdict could have shown a disparity, and the way out; "" where one could."""
        return ""

    @property
    def plots(self) -> tuple[Figure, ...]:
        """The kinds of figures that `plot` has of this result, its default first."""
        types: tuple[Figure, ...] = attached.plots(self)
        return types

    def plot(
        self,
        kind: Figure | None = None,
        *,
        metric: str | None = None,
        attribute: str | None = None,
        term: str | None = None,
        labels: Mapping[str, Any] | None = None,
        language: str = ENGLISH,
        ax: Any = None,
    ) -> Plot:
        """Draw one figure of the result, as it stands in the report; ``plots`` names the kinds.

        Parameters
        ----------
        kind : str, optional
            One of ``plots``; the first by default.
        metric, attribute, term : str, optional
            Which of the figures of that kind; the first by default. ``term``: method and model of a comparison,
            component of held-out scores, group of periods watched (that of the first alarm by default).
        labels : mapping, optional
            Of comparisons and fits, as `fairstats.table` takes them.
        language : str
            Of all words in the figure, its caption and its alternative text: ``"en"`` or ``"de"``.
        ax : matplotlib Axes, or an empty Figure or SubFigure, optional
            In which the figure is drawn as well, in the size and the fonts that they have.

        Returns
        -------
        Drawing

        Raises
        ------
        InputError
            The result has no such figure; the message names those it has.
        """
        drawing: Plot = attached.plot(
            self, kind, metric=metric, attribute=attribute, term=term, labels=labels, language=language, ax=ax
        )
        return drawing


class Worded(Reads):
    """A result that says what it says once, as a document: its text and what a notebook shows are renderings of it."""

    __slots__ = ()

    if TYPE_CHECKING:

        def _content(self) -> Iterable[Block]:
            """Headings, sentences and tables."""

    def summary(self) -> str:
        """The result as text, at most 80 columns wide."""
        return as_text(self._content())


# The one glossary of the columns of every table, and what may stand in them.


STATUSES = {
    "ok": "estimated",
    "bounded": "only bounded",
    "suppressed": "withheld: too few people",
    "unestimable": "not estimable",
    "excluded": "excluded by the protocol",
}
STATUS_NAMES = STATUSES | {"suppressed": mark("withheld")}  # without the reason, which a row has
TESTED = ("ok", "bounded")  # of rows that may have a p-value
Status = Literal["ok", "bounded", "suppressed", "unestimable", "excluded"]
Role = Literal[
    "main",
    "headline",
    "omnibus",
    "sensitivity",
    "bounds",
    "power",
    "supplementary",
    "shrunken",
    "component",
    "price",
    "guarantee",
]
Verdict = Literal["", "disparity shown", "flagged", "equivalence shown", "inconclusive"]
# What a row is for: the requested table is "main".
ROLES: tuple[Role, ...] = get_args(Role)
VERDICTS: tuple[Verdict, ...] = ("disparity shown", "flagged", "equivalence shown", "inconclusive")
UNSETTLED = "not settled"  # what reports and summaries call "inconclusive"


def verdict_text(verdict: Verdict) -> str:
    """A verdict in the words of reports and summaries.

    Examples
    --------
    >>> verdict_text("inconclusive"), verdict_text("disparity shown")
    ('not settled', 'disparity shown')
    """
    return UNSETTLED if verdict == "inconclusive" else verdict


# A difference, under a rule for any false claim or for their share.
SHOWN: tuple[Literal["disparity shown", "flagged"], ...] = ("disparity shown", "flagged")
# The reason of a row with one of these verdicts, which hold for the family of its rate alone.
TENTATIVE = message("tentative: beyond chance for this rate, not for all rates of page one together")


def alone(row: Estimate, level: float = math.nan) -> bool:
    """Whether a difference is shown for its own rate, and not with all rates of page one allowed for.

    level: up to which an adjusted p-value is a finding of page one, where the row does not say so itself.
    """
    return row.verdict in SHOWN and (row.p_adjusted > level or says(row.reason, TENTATIVE))


@dataclass(frozen=True, slots=True)
class Column:
    """One column of every table: its name, type, heading and meaning."""

    name: str
    dtype: str
    label: str
    meaning: str

    @property
    def r_name(self) -> str:
        """The column's name in R, broom's where broom has one."""
        return _BROOM.get(self.name, self.name.replace("_", "."))


_BROOM = {"p_adjusted": "adj.p.value"}


# One home for names, types, headings and meanings: tables, documentation, R and the tests derive from it.
_MEANINGS: dict[str, tuple[str, str, str]] = {
    "role": (
        "str",
        "role",
        "what the row is for: main (the table that was asked for), headline (the comparison that the "
        "protocol names for page one), omnibus (a test of all groups or a largest gap), "
        "sensitivity (another interval, threshold or selection), bounds (whatever the missing values are), power, "
        "supplementary (another look, without a verdict), shrunken (a rate drawn toward the mean of all groups, no "
        "verdict), component, price, guarantee",
    ),
    "metric": ("str", "metric", "what is measured"),
    "estimator": ("str", "estimator", "crude, Mantel-Haenszel, standardized ...: how strata or groups are combined"),
    "attribute": ("str", "attribute", "the group variable, or several joined by ':' for their intersection"),
    "group": (
        "str",
        "group",
        "the level that the row is about (in results.csv after an apostrophe, where a spreadsheet would run it)",
    ),
    "contrast": ("str", "contrast", "none, difference (group minus reference) or ratio (group over reference)"),
    "reference": ("str", "reference", "the level that the group is compared with"),
    "given": ("str", "given", "what is held fixed: strata, a threshold, a fold, or the selection that is changed"),
    "term": ("str", "term", "the name of the component, feature, cluster or guarantee that the row is about"),
    "fit": ("str", "fit", "the method that made the features or scores: none, pca, og ..."),
    "versus": ("str", "versus", "the method that the fit is compared with"),
    "model": ("str", "model", "the model that predicts from them"),
    "k": ("float", "k", "their number of components"),
    "n": ("float", "n", "the denominator: people (or summed weights) that the estimate rests on"),
    "n_unweighted": (
        "float",
        "rows",
        "rows of data behind n, where n are summed sampling weights (of rates, amounts, scores and their comparisons)",
    ),
    "events": ("float", "events", "the numerator: how many of n have the property; of a fit the sum of squares"),
    "estimate": ("float", "estimate", "the point estimate"),
    "std_error": ("float", "std. error", "its standard error, where the method has one"),
    "conf_low": ("float", "conf. low", "lower end of the interval"),
    "conf_high": ("float", "conf. high", "upper end of the interval"),
    "conf_level": ("float", "level", "confidence level of the interval, after any adjustment"),
    "statistic": ("float", "statistic", "the test statistic"),
    "df": ("float", "df", "its degrees of freedom"),
    "p_value": (
        "float",
        "p",
        "two-sided p-value, unadjusted; where it is found as the error at which an interval ends at equality, 1e-12 "
        "(for leaks 2e-10) stands for any smaller one",
    ),
    "p_adjusted": ("float", "adjusted p", "p-value adjusted within the declared family"),
    "p_equivalence": (
        "float",
        "equivalence p",
        "p-value of practical equality, within the declared margin, adjusted within the family",
    ),
    "margin_low": (
        "float",
        "margin low",
        "lower end of the interval of level 1 - 2 alpha, from which practical equality is read; equally adjusted",
    ),
    "margin_high": ("float", "margin high", "upper end of that interval"),
    "method": ("str", "method", "how the interval and the test were computed"),
    "status": ("str", "status", "ok, bounded, suppressed, unestimable or excluded"),
    "reason": ("str", "reason", "why the status is not ok, or a caution"),
    "verdict": (
        "str",
        "verdict",
        "disparity shown (flagged under a false discovery rate), equivalence shown or inconclusive, in the family of "
        "the rate; the reason says where an error is tentative with all rates of page one allowed for",
    ),
}
GLOSSARY: dict[str, Column] = {f: Column(f, *_MEANINGS[f]) for f in _MEANINGS}

# The columns that say what a row is about: together they are unique within a table.
IDENTITY = tuple(GLOSSARY)[: tuple(GLOSSARY).index("n")]

# values that a table may lack although they are spelled right
CLOSED: dict[str, tuple[str, ...]] = {
    "role": ROLES,
    "metric": tuple(METRICS),
    "contrast": ("none", "difference", "ratio"),
    "status": tuple(STATUSES),
    "verdict": VERDICTS,
}


def entry(argument: str, value: Any) -> Any:
    """Return a number of a table as Python's own: NaN is one that is not known, an end of an interval may be infinite.

    >>> import numpy as np
    >>> entry("n", 3), entry("conf_high", np.float64("inf"))
    (3, inf)
    """
    present = plain(value)
    if real(present) is None and not (isinstance(present, float) and not math.isfinite(present)):
        raise InputError(argument, f"has {shown(value)}; it is a number, NaN where it is not known; pass one.")
    return present


# How each entry of a row is checked, beside the type that it nearly always has.
COLUMN_CHECKS = tuple((c.name, str, word) if c.dtype == "str" else (c.name, float, entry) for c in GLOSSARY.values())
# Texts of ours are messages, and a row of every mixture of both is common.
SAID = ("estimator", "reference", "given", "term", "method", "reason")
KINDS = frozenset(product(*((str, Message) if name in SAID else (kind,) for name, kind, _ in COLUMN_CHECKS)))
ENTRIES = attrgetter(*(name for name, _, _ in COLUMN_CHECKS))
CHOICES: dict[str, tuple[str, ...]] = {"role": ROLES, "status": tuple(STATUSES), "verdict": ("", *VERDICTS)}
CHOSEN, WAYS = attrgetter(*CHOICES), frozenset(product(*CHOICES.values()))


def corrected(row: Any) -> Iterator[tuple[str, Any]]:
    """The entries of a row that are of another type than nearly always, as Python's own; InputError for a wrong one."""
    values = ENTRIES(row)
    if tuple(map(type, values)) not in KINDS:  # few rows differ, and there are many
        for (name, kind, check), value in zip(COLUMN_CHECKS, values, strict=True):
            if type(value) is not kind and not (kind is str and type(value) is Message):
                yield name, check(name, value)
    if CHOSEN(row) not in WAYS:
        for name, choices in CHOICES.items():
            one_of(name, getattr(row, name), choices)


def among_values(value: object, wanted: tuple[object, ...]) -> bool:
    """Whether a value is one of those wanted; an absent number is equal to an absent number."""
    return value in wanted or (value != value and any(other != other for other in wanted))


def checked_columns(values: dict[str, Any], argument: str = "") -> dict[str, Any]:
    """The same mapping, whose names are those of columns."""
    for column in values:
        if column not in GLOSSARY:
            name = f"{argument}={shown(column)}" if argument else shown(column)
            raise InputError(
                with_hint(
                    f"{name} is no column of a table of estimates",
                    nearest(column, GLOSSARY),
                    f"the columns are {', '.join(GLOSSARY)}.",
                )
            )
    return values


def wanted_values(values: dict[str, object]) -> dict[str, tuple[object, ...]]:
    """The values that rows are selected by, checked, as a tuple for each column."""
    listed = {k: tuple(v) if isinstance(v, (tuple, list, set)) else (v,) for k, v in checked_columns(values).items()}
    if listed.get("role") == ("all",):  # as R's tidy() has it
        del listed["role"]
    return {
        k: tuple(v if isinstance(v, str) or v is None else entry(k, v) for v in among) for k, among in listed.items()
    }


def cell_text(value: object) -> str:
    """An entry as a table in a console shows it."""
    if isinstance(value, float):
        if 1e4 <= abs(value) < 1e15:  # people and amounts, without an exponent
            return number(value, 0)
        return "" if math.isnan(value) else significant(value, 4)
    return str(value)


def familiar_names(wanted: dict[str, tuple[object, ...]]) -> list[Familiar]:
    """The names of other libraries among the metrics that are wanted."""
    return [FAMILIAR[name] for name in wanted.get("metric", ()) if isinstance(name, str) and name in FAMILIAR]


# A metric of other libraries that is made of those of all groups: "f1_score_group_min", "log_loss_difference".
OF_GROUPS = re.compile(r"([a-z]\w*_(?:score|loss|error))_(?:group_min|group_max|difference|ratio)")


def absent_value(column: str, value: object, there: list[str], label: str = "") -> InputError:
    """The error of a value that no row of a table has: the nearest one, what the table has, and what computes it.

    label: what the data have for a group that the value is the name of.
    """
    if column == "metric":  # names of what the table has: another would give no row either
        present = {*there, *(name for name, meant in FAMILIAR.items() if set(meant.metrics) & set(there))}
    else:
        present = {*there, *CLOSED.get(column, ())}
    parts = OF_GROUPS.fullmatch(str(value)) if column == "metric" and value not in FAMILIAR else None
    read = ""
    alone = column == "metric" and not (value in FAMILIAR and FAMILIAR[str(value)].contrast)
    hint = meant_by(str(value)) if alone else ""
    if column == "metric" and value in FAMILIAR and not hint:
        meant = FAMILIAR[str(value)]
        way = way_to(meant, there)
        read = f"; {way}" if way else ""
        read += f"; {Call(meant.call)} computes it from people" if meant.call else ""
    elif parts:
        read = f"; in every group {parts[1]} is estimated from people by {Call('stats.by_group', (parts[1], '...'))}"
    if not (hint or parts or (column == "metric" and value in FAMILIAR)):
        hint = nearest(str(value), sorted(present - {str(value)}))
    if label in there:
        hint = f"; did you mean {label!r}, the label of the data that is called so?"
    end = f"the table has {listing(sorted(there), 12) or 'nothing there'}."
    return InputError(column, with_hint(f"has {value!r}; no row has it{read}", hint, end))


def lined_up(cells: list[list[str]]) -> list[str]:
    """Lines of a table in a console, from its cells."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(t.ljust(w) for t, w in zip(row, widths, strict=True)).rstrip() for row in cells]


# Tables of estimates as a console shows them: the first rows within 80 columns, or every column of every row.


SHOWN_OF_CONSOLE = 20  # rows
LABEL = 32  # columns for what a row is about


def first_rows(rows: Sequence[Estimate]) -> str:
    """Return what each of the first rows is about, its number, interval and verdict; at most 80 columns.

    Three lines a row; where two rows would look alike, up to seven, the first and the last ones of each.
    """
    lines = [f"{'':<{LABEL}}  {'estimate':>9}  interval"] if rows else ["no estimates"]
    shown = rows[:SHOWN_OF_CONSOLE]
    cut = [tuple(_wrapped(row.label, LABEL, most=3)) for row in shown]
    alike = len(set(cut)) < len(cut)
    for row, short in zip(shown, cut, strict=True):
        whole = _wrapped(row.label, LABEL)
        of_both_ends = whole if len(whole) <= 7 else [*whole[:3], "  …", *whole[-3:]]
        about = of_both_ends if alike else short
        word = verdict_text(row.verdict) if row.verdict else "" if row.status == "ok" else row.status
        word = "tentative" if alone(row) else word or _p_in_short(row)  # as pages have it
        interval = _interval(row)
        why = _wrapped("" if interval or word else row.reason, 80 - LABEL - 13) or [f"{interval:<18}  {word}"]
        for j, (of, beside) in enumerate(zip_longest(about, why, fillvalue="")):
            lines.append(f"{of:<{LABEL}}  {'' if j else compact(row.estimate):>9}  {beside}".rstrip())
    if len(rows) > SHOWN_OF_CONSOLE:
        lines.append(f"... and {len(rows) - SHOWN_OF_CONSOLE} more; {snippet('all in to_frame()')}")
    return visible("\n".join(lines))


def _wrapped(text: str, width: int, most: int | None = None) -> list[str]:
    return textwrap.wrap(visible(text), width, subsequent_indent="  ", max_lines=most, placeholder=" …")


EVERYBODY = "everybody"  # what a subgroup is compared with, which is no other group


def label_of(row: Estimate) -> str:
    """What a row is about, its parts joined by dots."""
    of_all = row.reference == EVERYBODY and row.contrast == "difference"
    who = f"{row.group} vs {row.reference}" if row.reference and not of_all else row.group
    at = f"{row.attribute} = {who}" if row.attribute and who else row.attribute or who
    parts = ("" if row.role == "main" else row.role, row.metric, row.estimator, at)
    named = row.fit or row.model  # models by themselves, or on what a method made
    result = f"{named} vs {row.versus}" if row.versus else named
    kept = f"given {row.given}" if row.given else ""
    size = "" if math.isnan(row.k) else f"k = {row.k:g}"
    contrast = "" if row.contrast == "none" else f"{row.contrast} from {EVERYBODY}" if of_all else row.contrast
    return " · ".join(filter(None, (*parts, contrast, kept, row.term, result, row.model if row.fit else "", size)))


def brief(row: Estimate) -> str:
    """Return the number of one row, its interval and p-value, its verdict or why there is none."""
    level = "" if math.isnan(row.conf_level) else f"{100 * row.conf_level:.4g}% interval "
    interval = _interval(row)
    parts = [
        compact(row.estimate) if row.estimate == row.estimate else row.status.replace("ok", "no number"),
        f"{level}{interval}" if interval else "",
        "" if math.isnan(row.p_value) else p_equals(row.p_value),
        "" if math.isnan(row.n) else f"n = {count(row.n)}",
        row.verdict,
        row.reason,
    ]
    return "; ".join(filter(None, parts))


def _p_in_short(row: Estimate) -> str:
    """The p-value of a row without a verdict, adjusted where it is."""
    if row.p_adjusted == row.p_adjusted:
        return f"adj. {p_equals(row.p_adjusted)}"
    return p_equals(row.p_value) if row.p_value == row.p_value else ""


def _interval(row: Estimate) -> str:
    absent = math.isnan(row.conf_low) and math.isnan(row.conf_high)
    return "" if absent else span(row.conf_low, row.conf_high, _limit)


def _limit(value: float) -> str:
    return compact(value, 3) if abs(value) >= 1000 else significant(value, 3)


def every_column(rows: Sequence[Estimate]) -> str:
    """Return the rows with all columns that hold anything, as wide as they are."""
    shown = [c for c in GLOSSARY if any(cell_text(getattr(r, c)) for r in rows)]
    cells = [[GLOSSARY[c].label for c in shown]] + [[cell_text(getattr(r, c)) for c in shown] for r in rows]
    return visible("\n".join(lined_up(cells)))


NAN = float("nan")


@dataclass(frozen=True, slots=True, repr=False)
class Estimate:
    """One number with everything needed to defend it; absent text is ``""``, an absent number NaN."""

    metric: str
    attribute: str = ""
    group: str = ""
    contrast: str = "none"
    reference: str = ""
    term: str = ""
    n: float = NAN
    events: float = NAN
    estimate: float = NAN
    std_error: float = NAN
    conf_low: float = NAN
    conf_high: float = NAN
    conf_level: float = NAN
    statistic: float = NAN
    df: float = NAN
    p_value: float = NAN
    p_adjusted: float = NAN
    p_equivalence: float = NAN
    margin_low: float = NAN
    margin_high: float = NAN
    method: str = ""
    status: Status = "ok"
    reason: str = ""
    verdict: Verdict = ""
    role: Role = "main"
    estimator: str = ""
    given: str = ""
    fit: str = ""
    versus: str = ""
    model: str = ""
    k: float = NAN
    n_unweighted: float = NAN

    def __post_init__(self) -> None:
        for name, value in corrected(self):
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return visible(f"<Estimate: {self.label}: {brief(self)}>")

    def __str__(self) -> str:
        return str(Estimates([self]))

    def _repr_html_(self) -> str:
        return Estimates([self])._repr_html_()

    def with_interval(
        self,
        estimate: float,
        low: float,
        high: float,
        conf_level: float | None = None,
        *,
        std_error: float | None = None,
        **more: Any,
    ) -> Estimate:
        """The row with its estimate and interval; ``more`` are other columns, and what is not given stays.

        Examples
        --------
        >>> import fairstats as fs
        >>> fs.Estimate("TPR").with_interval(0.5, 0.4, 0.6, 0.95, method="Wilson").with_test(2.0, 0.0455).p_value
        0.0455
        """
        more |= {k: v for k, v in (("conf_level", conf_level), ("std_error", std_error)) if v is not None}
        ends = {"conf_low": entry("low", low), "conf_high": entry("high", high)}
        return replace(self, estimate=estimate, **ends, **checked_columns(more))

    def with_test(self, statistic: float, p_value: float, df: float | None = None, **more: Any) -> Estimate:
        """The row with its test statistic, p-value and degrees of freedom; what is not given stays."""
        more |= {} if df is None else {"df": df}
        return replace(self, statistic=statistic, p_value=p_value, **checked_columns(more))

    def changed(self, **values: Any) -> Estimate:
        """The row with other values, which are of the types of their columns already: quicker than `replace`."""
        row = object.__new__(Estimate)
        for put, value in zip(_PUT.values(), _ENTRIES(self), strict=True):
            put(row, value)
        return filled(row, **values)

    @property
    def key(self) -> tuple[object, ...]:
        """What the row is about: no other row of its table has the same."""
        return tuple(None if value != value else value for value in (getattr(self, name) for name in IDENTITY))

    @property
    def label(self) -> str:
        """What the row is about, as one text that no other row of its table has: the ``term`` of broom's tables."""
        return label_of(self)

    def blank(self, **more: Any) -> Estimate:
        """What the row is about, without its numbers and words; ``more`` are columns to set."""
        return Estimate(**{name: getattr(self, name) for name in IDENTITY} | checked_columns(more))


_NAMES = tuple(field.name for field in fields(Estimate))
_PUT = {name: getattr(Estimate, name).__set__ for name in _NAMES}
_ENTRIES = attrgetter(*_NAMES)


def filled(row: Estimate, **values: Any) -> Estimate:
    """The row itself with other values, as `Estimate.changed` gives a copy: only of a row that nobody else has yet.

    >>> filled(Estimate("FPR"), estimate=0.1).estimate
    0.1
    """
    for name, value in values.items():
        _PUT[name](row, value)
    return row


MANY_ROWS = 100  # from which on a table notes where the values of these columns are
INDEXED = ("attribute", "metric", "role", "group", "status")


def negated(row: Estimate) -> Estimate:
    """The same difference seen from the other side, the groups as they were.

    >>> row = negated(Estimate("FPR", estimate=0.1, conf_low=0.05, conf_high=0.3))
    >>> row.estimate, row.conf_low, row.conf_high
    (-0.1, -0.3, -0.05)
    """
    return row.changed(estimate=-row.estimate, conf_low=-row.conf_high, conf_high=-row.conf_low)


class Estimates(Reads, Sequence[Estimate]):
    """An immutable table of estimates.

    ``rows.where(metric="TPR")`` selects, ``rows.to_frame()`` a frame with the columns of the glossary, ``+`` appends.
    """

    __slots__ = ("_called", "_noted", "_rows", "_whole")

    def __init__(self, rows: Iterable[Estimate] = ()) -> None:
        self._rows = tuple(items("rows", rows, "estimates"))
        for row in self._rows:
            if type(row) is not Estimate:
                raise InputError("rows", f"has {shown(row)}; each is an Estimate; pass a list of them.")
        self._whole: Estimates = self  # the table that this one was selected from
        self._noted: dict[str, dict[object, list[int]]] = {}
        self._called: Callable[[], Mapping[str, str]] = dict  # what readers call a group, caseless -> its label

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Estimate]:
        return iter(self._rows)

    @overload
    def __getitem__(self, index: int) -> Estimate: ...
    @overload
    def __getitem__(self, index: slice) -> Estimates: ...
    def __getitem__(self, index: int | slice) -> Estimate | Estimates:
        return Estimates(self._rows[index]) if isinstance(index, slice) else self._rows[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Estimates) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def _values(self) -> tuple[object, ...]:
        return tuple(None if v != v else v for name in GLOSSARY for v in self.column(name))

    def __add__(self, other: Iterable[Estimate]) -> Estimates:
        return Estimates((*self._rows, *other))

    def where(self, **values: object) -> Estimates:
        """The rows whose columns equal the given values; a tuple or list of values means any of them.

        Parameters
        ----------
        **values
            Column and value. The name of a known metric, status or verdict that no row has gives an empty table.
            A metric may have its name in fairlearn, aequitas or yardstick (``"demographic_parity_difference"``).

        Returns
        -------
        Estimates

        Raises
        ------
        InputError
            If there is no such column, or a value that the whole table, before any selection, does not have: a
            misspelled name must not look like an absent result.

        Examples
        --------
        >>> import fairstats as fs
        >>> rows = fs.Estimates([fs.Estimate("TPR", "sex", "f"), fs.Estimate("TPR", "sex", "m")])
        >>> len(rows.where(metric="TPR", group="f")), len(rows.where(metric="FPR"))
        (1, 0)
        >>> rows.where(group="F")
        Traceback (most recent call last):
        fairstats.errors.InputError: group has 'F'; no row has it; did you mean 'f'? The table has f, m.
        """
        wanted = wanted_values(values)
        for column, among in wanted.items():
            for value in among:
                self._whole._check(column, value)
        return self._selected(wanted)

    def only(self, **values: object) -> Estimates:
        """As `where`, for values that a table need not have: no row is an answer, a misspelling is not noticed."""
        return self._selected(wanted_values(values))

    def _selected(self, wanted: dict[str, tuple[object, ...]]) -> Estimates:
        meant = familiar_names(wanted)
        means = meaning(meant, self._whole, "role" in wanted) if meant else None
        columns = {k: v for k, v in wanted.items() if not (means and k == "metric")}
        left = self._candidates(columns)
        if means:
            left = [r for r in left if means(r) or among_values(r.metric, wanted["metric"])]
        for column, values in columns.items():  # column by column: a report selects hundreds of times
            if any(value != value for value in values):
                left = [r for r in left if among_values(getattr(r, column), values)]
            else:
                left = [r for r, value in zip(left, map(attrgetter(column), left), strict=True) if value in values]
        rows = Estimates.__new__(Estimates)
        rows._rows, rows._whole, rows._noted, rows._called = tuple(left), self._whole, {}, self._called
        return rows

    def _naming(self, called: Callable[[], Mapping[str, str]]) -> Estimates:
        """The table with what readers call its groups, which an error that misses one says."""
        rows = self._selected({})
        rows._whole, rows._called = (rows if self._whole is self else self._whole), called
        return rows

    def _candidates(self, wanted: dict[str, tuple[object, ...]]) -> Sequence[Estimate]:
        """Rows among which all of the selection are, in order: a report selects hundreds of times from one table."""
        if len(self._rows) < MANY_ROWS:
            return self._rows
        best: list[int] | None = None
        for column in INDEXED:
            values = wanted.get(column, (None,))
            if not all(isinstance(value, str) for value in values):
                continue
            noted = self._places(column)
            places = [i for value in dict.fromkeys(values) for i in noted.get(value, ())]
            best = places if best is None or len(places) < len(best) else best
        return self._rows if best is None else [self._rows[i] for i in sorted(best)]

    def _check(self, column: str, value: object) -> None:
        if not self._rows or value in CLOSED.get(column, ()) or value in ("", None):
            return
        if isinstance(value, float) and (
            column != "conf_level" or value != value
        ):  # of numbers levels alone are chosen
            return
        there = self._places(column)
        if value in there or (column == "metric" and len(self._selected({column: (value,)}))):
            return
        label = self._called().get(str(value).casefold(), "") if column in ("group", "reference") else ""
        raise absent_value(column, value, [str(v) for v in there if v != "" and v == v], label)

    def _places(self, column: str) -> dict[object, list[int]]:
        """Where the values of a column are."""
        if column not in self._noted:
            places: dict[object, list[int]] = {}
            for i, row in enumerate(self._rows):
                places.setdefault(getattr(row, column), []).append(i)
            self._noted[column] = places  # whole, where several threads ask
        return self._noted[column]

    def map(self, change: Callable[[Estimate], Estimate]) -> Estimates:
        """The table with ``change`` applied to every row."""
        if not callable(change) or isinstance(change, type):
            raise InputError("change", f"has {shown(change)}; it is a function of a row; pass one that returns a row.")
        rows = [change(r) for r in self._rows]
        if not all(type(row) is Estimate for row in rows):
            raise InputError("change", f"has {shown(change)}, which returns no row; pass a function that returns one.")
        return Estimates(rows)

    def with_p_adjusted(self, adjusted: Iterable[float]) -> Estimates:
        """The table with its adjusted p-values set, in row order."""
        values = [float(entry("adjusted", p)) for p in items("adjusted", adjusted, "p-values")]
        if outside := [p for p in values if p < 0 or p > 1]:
            raise InputError("adjusted", f"has {outside[0]:g}; a p-value is from 0 to 1; pass NaN where there is none.")
        if len(values) != len(self):
            raise InputError("adjusted", f"has {len(values)} values for {len(self)} rows; pass one a row.")
        return Estimates(replace(r, p_adjusted=p) for r, p in zip(self._rows, values, strict=True))

    def column(self, name: str) -> list[Any]:
        """One column as a list."""
        checked_columns({word("name", name): None}, "name")
        return list(map(attrgetter(name), self._rows))

    def to_records(self) -> list[dict[str, Any]]:
        """Rows as dictionaries that JSON can hold: NaN is None, an infinite end of an interval "Inf" or "-Inf"."""
        names, entries = tuple(GLOSSARY), attrgetter(*GLOSSARY)
        return [json_plain(dict(zip(names, entries(r), strict=True))) for r in self._rows]

    def to_frame(self) -> pd.DataFrame:
        """A pandas frame with the columns of ``GLOSSARY``, in that order."""
        import pandas as pd

        return pd.DataFrame({c.name: pd.Series(self.column(c.name), dtype=c.dtype) for c in GLOSSARY.values()})

    @property
    def estimates(self) -> Estimates:
        """The table itself."""
        return self

    def summary(self) -> str:
        """How many rows, of which metrics and groups, with which status and verdict, and the first rows' numbers."""
        lines = [f"{len(self)} estimates"]
        for column in ("metric", "attribute", "group", "status", "verdict"):
            counts = Counter(value for value in self.column(column) if value)
            if counts:
                lines.append(f"  {column}: " + "; ".join(f"{value} ({count})" for value, count in counts.items()))
        text = visible("\n".join(textwrap.fill(line, 80, subsequent_indent="    ") for line in lines))
        return Text(f"{text}\n\n{first_rows(self._rows)}" if self._rows else text)

    def glance(self) -> pd.DataFrame:
        """One row: how many estimates, metrics, attributes and groups, and how many of each status and verdict."""
        import pandas as pd

        row: dict[str, Any] = {"estimates": len(self)}
        row |= {f"{column}s": len(set(self.column(column)) - {""}) for column in ("metric", "attribute", "group")}
        row |= {status: self.column("status").count(status) for status in STATUSES}
        row |= {word.replace(" ", "_"): self.column("verdict").count(word) for word in VERDICTS}
        return pd.DataFrame([row])

    def to_dict(self) -> dict[str, Any]:
        """The rows, JSON-ready (schema ``fairstats/estimates/1``)."""
        return {"schema": "fairstats/estimates/1", "estimates": self.to_records(), "messages": self.messages()}

    def messages(self) -> dict[str, list[Any]]:
        """The records of the texts of ours in the rows: with these a file can be said in another language."""
        return records(text for name in SAID for text in self.column(name))

    def _brief(self) -> str:
        metrics = list(dict.fromkeys(self.column("metric")))
        return f"{len(self)} rows; {listing(metrics, 6)}"

    def __str__(self) -> str:
        return every_column(self._rows)

    def __repr__(self) -> str:
        return self._console()

    def _console(self) -> str:
        return first_rows(self._rows)
