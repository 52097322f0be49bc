"""The tidy row that every statistic of the package becomes, and the table of such rows."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, overload

from fairstats.arguments import items, shown, word
from fairstats.console import brief, every_column, first_rows, label_of
from fairstats.errors import InputError, listing, visible
from fairstats.glossary import (
    CLOSED,
    GLOSSARY,
    IDENTITY,
    STATUSES,
    VERDICTS,
    Role,
    Status,
    Verdict,
    absent_value,
    among_values,
    corrected,
    entry,
    familiar_names,
    known_columns,
    wanted_values,
)
from fairstats.results import Reads
from fairstats.text import json_plain
from fairstats.vocabulary.familiar import meaning

if TYPE_CHECKING:
    import pandas as pd

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
        return replace(self, estimate=estimate, **ends, **known_columns(more))

    def with_test(self, statistic: float, p_value: float, df: float | None = None, **more: Any) -> Estimate:
        """The row with its test statistic, p-value and degrees of freedom; what is not given stays."""
        more |= {} if df is None else {"df": df}
        return replace(self, statistic=statistic, p_value=p_value, **known_columns(more))

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
        return Estimate(**{name: getattr(self, name) for name in IDENTITY} | known_columns(more))


class Estimates(Reads, Sequence[Estimate]):
    """An immutable table of estimates.

    ``rows.where(metric="TPR")`` selects, ``rows.to_frame()`` a frame with the columns of the glossary, ``+`` appends.
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
                self._whole._judge(column, value)
        return self._selected(wanted)

    def only(self, **values: object) -> Estimates:
        """As `where`, for values that a table need not have: no row is an answer, a misspelling is not noticed."""
        return self._selected(wanted_values(values))

    def _selected(self, wanted: dict[str, tuple[object, ...]]) -> Estimates:
        meant = familiar_names(wanted)
        means = meaning(meant, self._whole, "role" in wanted) if meant else None
        columns = {k: v for k, v in wanted.items() if not (means and k == "metric")}
        chosen = (r for r in self._rows if not means or means(r) or among_values(r.metric, wanted["metric"]))
        rows = Estimates(r for r in chosen if all(among_values(getattr(r, k), v) for k, v in columns.items()))
        rows._whole = self._whole
        return rows

    def _judge(self, column: str, value: object) -> None:
        if not self._rows or value in CLOSED.get(column, ()) or value in ("", None) or isinstance(value, float):
            return
        if column not in self._known:
            self._known[column] = {getattr(r, column) for r in self._rows}
        if value in self._known[column] or (column == "metric" and len(self._selected({column: (value,)}))):
            return
        raise absent_value(column, value, [str(v) for v in self._known[column] if v != ""])

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
        if outside := [p for p in values if p < 0 or p > 1]:
            raise InputError(f"adjusted has {outside[0]:g}; a p-value is from 0 to 1; pass NaN where there is none.")
        if len(values) != len(self):
            raise InputError(f"adjusted has {len(values)} values for {len(self)} rows; pass one a row.")
        return Estimates(replace(r, p_adjusted=p) for r, p in zip(self._rows, values, strict=True))

    def column(self, name: str) -> list[Any]:
        """One column as a list."""
        known_columns({word("name", name): None}, "name")
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
        return every_column(self._rows)

    def __repr__(self) -> str:
        return self._console()

    def _console(self) -> str:
        return first_rows(self._rows)
