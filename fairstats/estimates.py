"""The tidy row that every statistic of the package becomes, and the one glossary of its columns."""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, overload

from fairstats.arguments import entry, items, one_of, shown, word
from fairstats.errors import InputError, listing, nearest, visible
from fairstats.metrics import METRICS
from fairstats.results import Reads
from fairstats.text import json_plain

if TYPE_CHECKING:
    import pandas as pd

NAN = float("nan")

STATUSES = {
    "ok": "estimated",
    "suppressed": "suppressed: too few people",
    "unestimable": "not estimable",
    "excluded": "excluded by the protocol",
}
# What a row is for: the table that was asked for is "main".
ROLES = ("main", "all groups", "sensitivity", "bound", "power", "beside", "component", "price", "guarantee")
SHOWN = 20  # rows of a table in a console
VERDICTS = ("disparity shown", "equivalence shown", "inconclusive")


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


@dataclass(frozen=True, slots=True)
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
    method: str = ""
    status: str = "ok"
    reason: str = ""
    verdict: str = ""
    role: str = "main"
    estimator: str = ""
    given: str = ""
    fit: str = ""
    versus: str = ""
    model: str = ""
    k: float = NAN

    def __post_init__(self) -> None:
        for name, kind, judge in _JUDGES:
            value = getattr(self, name)
            if type(value) is not kind:  # most are, and there are many rows
                object.__setattr__(self, name, judge(name, value))
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                one_of(name, getattr(self, name), choices)

    def __str__(self) -> str:
        return str(Estimates([self]))

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
        >>> row = Estimate("TPR").with_interval(0.5, 0.4, 0.6, 0.95, method="Wilson").with_test(2.0, 0.0455)
        >>> row.conf_low, row.p_value
        (0.4, 0.0455)
        """
        known = {"conf_level": conf_level, "std_error": std_error}
        more |= {name: value for name, value in known.items() if value is not None}
        ends = {"conf_low": entry("low", low), "conf_high": entry("high", high)}
        return replace(self, estimate=estimate, **ends, **_columns(more))

    def with_test(self, statistic: float, p_value: float, df: float | None = None, **more: Any) -> Estimate:
        """The row with its test statistic, p-value and degrees of freedom; what is not given stays."""
        more |= {} if df is None else {"df": df}
        return replace(self, statistic=statistic, p_value=p_value, **_columns(more))

    @property
    def key(self) -> tuple[object, ...]:
        """What the row is about: no other row of its table has the same."""
        return tuple(None if value != value else value for value in (getattr(self, name) for name in IDENTITY))

    @property
    def label(self) -> str:
        """What the row is about, as one text that no other row of its table has: the ``term`` of broom's tables."""
        who = f"{self.group} vs {self.reference}" if self.reference else self.group
        at = f"{self.attribute} = {who}" if self.attribute and who else self.attribute or who
        parts = ("" if self.role == "main" else self.role, self.metric, self.estimator, at)
        made = f"{self.fit} vs {self.versus}" if self.versus else self.fit
        held = f"given {self.given}" if self.given else ""
        size = "" if math.isnan(self.k) else f"k = {self.k:g}"
        contrast = "" if self.contrast == "none" else self.contrast
        return " · ".join(filter(None, (*parts, contrast, held, self.term, made, self.model, size)))

    def blank(self, **more: Any) -> Estimate:
        """What the row is about, without its numbers and words; ``more`` are columns to set."""
        return Estimate(**{name: getattr(self, name) for name in IDENTITY} | _columns(more))


# One home for names, types, headings and meanings: tables, documentation, R and the tests derive from it.
_MEANINGS: dict[str, tuple[str, str, str]] = {
    "role": (
        "str",
        "role",
        "what the row is for: main (the table that was asked for), all groups (an omnibus test or a largest gap), "
        "sensitivity (another interval, threshold or selection), bound (whatever the missing values are), power, "
        "beside (another look, without a verdict), component, price, guarantee",
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
    "events": ("float", "events", "the numerator: how many of n have the property"),
    "estimate": ("float", "estimate", "the point estimate"),
    "std_error": ("float", "std. error", "its standard error, where the method has one"),
    "conf_low": ("float", "conf. low", "lower end of the interval"),
    "conf_high": ("float", "conf. high", "upper end of the interval"),
    "conf_level": ("float", "level", "confidence level of the interval, after any adjustment"),
    "statistic": ("float", "statistic", "the test statistic"),
    "df": ("float", "df", "its degrees of freedom"),
    "p_value": ("float", "p", "two-sided p-value, unadjusted"),
    "p_adjusted": ("float", "adjusted p", "p-value adjusted within the declared family"),
    "p_equivalence": (
        "float",
        "equivalence p",
        "p-value of practical equality, within the declared margin, adjusted within the family",
    ),
    "method": ("str", "method", "how the interval and the test were computed"),
    "status": ("str", "status", "ok, suppressed, unestimable or excluded"),
    "reason": ("str", "reason", "why the status is not ok, or a caution"),
    "verdict": ("str", "verdict", "disparity shown, equivalence shown or inconclusive"),
}
GLOSSARY: dict[str, Column] = {f: Column(f, *_MEANINGS[f]) for f in _MEANINGS}

# The columns that say what a row is about: together they are unique within a table.
IDENTITY = tuple(GLOSSARY)[: tuple(GLOSSARY).index("n")]

# How each entry of a row is judged, beside the type that it nearly always has.
_JUDGES = tuple((c.name, str, word) if c.dtype == "str" else (c.name, float, entry) for c in GLOSSARY.values())
_CHOICES: dict[str, tuple[str, ...]] = {"role": ROLES, "status": tuple(STATUSES), "verdict": ("", *VERDICTS)}

# values that a table may lack although they are spelled right
CLOSED: dict[str, tuple[str, ...]] = {
    "role": ROLES,
    "metric": tuple(METRICS),
    "contrast": ("none", "difference", "ratio"),
    "status": tuple(STATUSES),
    "verdict": VERDICTS,
}


class Estimates(Reads, Sequence[Estimate]):
    """An immutable table of estimates.

    ``rows.where(metric="selection rate")`` selects, ``rows.to_frame()`` is a pandas frame with the columns of
    ``GLOSSARY``, ``rows + more`` appends.
    """

    __slots__ = ("_known", "_rows", "_whole")

    def __init__(self, rows: Iterable[Estimate] = ()) -> None:
        self._rows = tuple(items("rows", rows, "estimates"))
        for row in self._rows:
            if type(row) is not Estimate:
                raise InputError(f"rows has {shown(row)}; each is an Estimate; pass a list of them.")
        self._whole: Estimates = self  # the table that this one was selected from
        self._known: dict[str, set[object]] = {}

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
        return isinstance(other, Estimates) and repr(self._rows) == repr(other._rows)

    def __hash__(self) -> int:
        return hash(repr(self._rows))

    def __add__(self, other: Iterable[Estimate]) -> Estimates:
        return Estimates((*self._rows, *other))

    def where(self, **values: object) -> Estimates:
        """The rows whose columns equal the given values; a tuple or list of values means any of them.

        Parameters
        ----------
        **values
            Column and value. The name of a known metric, status or verdict that no row has gives an empty table.

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
        >>> rows = Estimates([Estimate("TPR", "sex", "f"), Estimate("TPR", "sex", "m")])
        >>> len(rows.where(metric="TPR", group="f")), len(rows.where(metric="FPR"))
        (1, 0)
        >>> rows.where(group="F")
        Traceback (most recent call last):
        fairstats.errors.InputError: group has 'F'; no row has it; did you mean 'f'?; the table has f, m.
        """
        wanted = _wanted(values)
        for column, among in wanted.items():
            for value in among:
                self._whole._judge(column, value)
        return self._selected(wanted)

    def only(self, **values: object) -> Estimates:
        """As `where`, for values that a table need not have: no row is an answer, a misspelling is not noticed."""
        return self._selected(_wanted(values))

    def _selected(self, wanted: dict[str, tuple[object, ...]]) -> Estimates:
        rows = Estimates(r for r in self._rows if all(_among(getattr(r, k), v) for k, v in wanted.items()))
        rows._whole = self._whole
        return rows

    def _judge(self, column: str, value: object) -> None:
        if not self._rows or value in CLOSED.get(column, ()) or value in ("", None) or isinstance(value, float):
            return
        if column not in self._known:
            self._known[column] = {getattr(r, column) for r in self._rows}
        if value not in self._known[column]:
            names = [str(v) for v in self._known[column] if v != ""]
            hint = nearest(str(value), sorted({*names, *CLOSED.get(column, ())}))
            raise InputError(
                f"{column} has {value!r}; no row has it{hint}; the table has "
                f"{listing(sorted(names), 12) or 'nothing there'}."
            )

    def map(self, change: Callable[[Estimate], Estimate]) -> Estimates:
        """The table with ``change`` applied to every row."""
        if not callable(change) or isinstance(change, type):
            raise InputError(f"change has {shown(change)}; it is a function of a row; pass one that returns a row.")
        rows = [change(r) for r in self._rows]
        if not all(type(row) is Estimate for row in rows):
            raise InputError(f"change has {shown(change)}, which returns no row; pass a function that returns one.")
        return Estimates(rows)

    def with_p_adjusted(self, adjusted: Iterable[float]) -> Estimates:
        """The table with its adjusted p-values set, in row order."""
        values = [float(entry("adjusted", p)) for p in items("adjusted", adjusted, "p-values")]
        if len(values) != len(self):
            raise InputError(f"adjusted has {len(values)} values for {len(self)} rows; pass one a row.")
        return Estimates(replace(r, p_adjusted=p) for r, p in zip(self._rows, values, strict=True))

    def column(self, name: str) -> list[Any]:
        """One column as a list."""
        _columns({word("name", name): None}, "name")
        return [getattr(r, name) for r in self._rows]

    def to_records(self) -> list[dict[str, Any]]:
        """Rows as dictionaries that JSON can hold: NaN is None, an infinite end of an interval "Inf" or "-Inf"."""
        return [json_plain({c: getattr(r, c) for c in GLOSSARY}) for r in self._rows]

    def to_frame(self) -> pd.DataFrame:
        """A pandas frame with the columns of ``GLOSSARY``, in that order."""
        import pandas as pd

        return pd.DataFrame({c.name: pd.Series(self.column(c.name), dtype=c.dtype) for c in GLOSSARY.values()})

    @property
    def estimates(self) -> Estimates:
        """The table itself."""
        return self

    def summary(self) -> str:
        """How many rows, of which metrics and groups, with which status and verdict, at 80 columns."""
        lines = [f"{len(self)} estimates"]
        for column in ("metric", "attribute", "group", "status", "verdict"):
            counts = Counter(value for value in self.column(column) if value)
            if counts:
                lines.append(f"  {column}: " + "; ".join(f"{value} ({count})" for value, count in counts.items()))
        return visible("\n".join(textwrap.fill(line, 80, subsequent_indent="    ") for line in lines))

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
        return {"schema": "fairstats/estimates/1", "estimates": self.to_records()}

    def _brief(self) -> str:
        metrics = list(dict.fromkeys(self.column("metric")))
        return f"{len(self)} rows; {listing(metrics, 6)}"

    def __str__(self) -> str:
        shown = [c for c in GLOSSARY if any(_text(getattr(r, c)) for r in self._rows)]
        cells = [[GLOSSARY[c].label for c in shown]] + [[_text(getattr(r, c)) for c in shown] for r in self._rows]
        widths = [max(len(row[j]) for row in cells) for j in range(len(shown))]
        lines = ("  ".join(t.ljust(w) for t, w in zip(row, widths, strict=True)).rstrip() for row in cells)
        return visible("\n".join(lines))

    def __repr__(self) -> str:
        if len(self) <= SHOWN:
            return str(self)
        return f"{self[:SHOWN]}\n... and {len(self) - SHOWN} more; all in to_frame()"


def _among(value: object, wanted: tuple[object, ...]) -> bool:
    """Whether a value is one of those wanted; an absent number is equal to an absent number."""
    return value in wanted or (value != value and any(other != other for other in wanted))


def _columns(values: dict[str, Any], argument: str = "") -> dict[str, Any]:
    """The same mapping, whose names are those of columns."""
    for column in values:
        if column not in GLOSSARY:
            raise InputError(
                f"{f'{argument}={shown(column)}' if argument else shown(column)} is no column of a table of estimates"
                f"{nearest(column, GLOSSARY)}; the columns are {', '.join(GLOSSARY)}."
            )
    return values


def _wanted(values: dict[str, object]) -> dict[str, tuple[object, ...]]:
    listed = {k: tuple(v) if isinstance(v, (tuple, list, set)) else (v,) for k, v in _columns(values).items()}
    return {
        k: tuple(v if isinstance(v, str) or v is None else entry(k, v) for v in among) for k, among in listed.items()
    }


def _text(value: object) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.4g}"
    return str(value)
