"""The one glossary of the columns of every table, and what may stand in them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Literal

from fairstats.arguments import one_of, plain, real, shown, word
from fairstats.errors import InputError, listing, nearest
from fairstats.metrics import FAMILIAR, METRICS
from fairstats.text import significant
from fairstats.vocabulary.familiar import Familiar

STATUSES = {
    "ok": "estimated",
    "suppressed": "suppressed: too few people",
    "unestimable": "not estimable",
    "excluded": "excluded by the protocol",
}
Status = Literal["ok", "suppressed", "unestimable", "excluded"]
Role = Literal[
    "main", "focus", "all groups", "sensitivity", "bound", "power", "beside", "component", "price", "guarantee"
]
Verdict = Literal["", "disparity shown", "flagged", "equivalence shown", "inconclusive"]
# What a row is for: the table that was asked for is "main".
ROLES = ("main", "focus", "all groups", "sensitivity", "bound", "power", "beside", "component", "price", "guarantee")
VERDICTS: tuple[Verdict, ...] = ("disparity shown", "flagged", "equivalence shown", "inconclusive")

# A difference, under a rule for any false claim or for their share.
SHOWN: tuple[Literal["disparity shown", "flagged"], ...] = ("disparity shown", "flagged")


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
        "what the row is for: main (the table that was asked for), focus (the comparison that the "
        "protocol names for page one), all groups (an omnibus test or a largest gap), "
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
    "margin_low": (
        "float",
        "margin low",
        "lower end of the interval of level 1 - 2 alpha, from which practical equality is read; equally adjusted",
    ),
    "margin_high": ("float", "margin high", "upper end of that interval"),
    "method": ("str", "method", "how the interval and the test were computed"),
    "status": ("str", "status", "ok, suppressed, unestimable or excluded"),
    "reason": ("str", "reason", "why the status is not ok, or a caution"),
    "verdict": (
        "str",
        "verdict",
        "disparity shown (flagged under a false discovery rate), equivalence shown or inconclusive",
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

    Examples
    --------
    >>> import numpy as np
    >>> entry("n", 3), entry("conf_high", np.float64("inf"))
    (3, inf)
    """
    known = plain(value)
    if real(known) is None and not (isinstance(known, float) and not math.isfinite(known)):
        raise InputError(f"{argument} has {shown(value)}; it is a number, NaN where it is not known; pass one.")
    return known


# How each entry of a row is judged, beside the type that it nearly always has.
JUDGES = tuple((c.name, str, word) if c.dtype == "str" else (c.name, float, entry) for c in GLOSSARY.values())
KINDS, ENTRIES = tuple(kind for _, kind, _ in JUDGES), attrgetter(*(name for name, _, _ in JUDGES))
CHOICES: dict[str, tuple[str, ...]] = {"role": ROLES, "status": tuple(STATUSES), "verdict": ("", *VERDICTS)}


def corrected(row: Any) -> Iterator[tuple[str, Any]]:
    """The entries of a row that are of another type than nearly always, as Python's own; InputError for a wrong one."""
    values = ENTRIES(row)
    if tuple(map(type, values)) != KINDS:  # few rows differ, and there are many
        for (name, kind, judge), value in zip(JUDGES, values, strict=True):
            if type(value) is not kind:
                yield name, judge(name, value)
    for name, choices in CHOICES.items():
        if getattr(row, name) not in choices:
            one_of(name, getattr(row, name), choices)


def among_values(value: object, wanted: tuple[object, ...]) -> bool:
    """Whether a value is one of those wanted; an absent number is equal to an absent number."""
    return value in wanted or (value != value and any(other != other for other in wanted))


def known_columns(values: dict[str, Any], argument: str = "") -> dict[str, Any]:
    """The same mapping, whose names are those of columns."""
    for column in values:
        if column not in GLOSSARY:
            raise InputError(
                f"{f'{argument}={shown(column)}' if argument else shown(column)} is no column of a table of estimates"
                f"{nearest(column, GLOSSARY)}; the columns are {', '.join(GLOSSARY)}."
            )
    return values


def wanted_values(values: dict[str, object]) -> dict[str, tuple[object, ...]]:
    """The values that rows are selected by, judged, as a tuple for each column."""
    listed = {k: tuple(v) if isinstance(v, (tuple, list, set)) else (v,) for k, v in known_columns(values).items()}
    return {
        k: tuple(v if isinstance(v, str) or v is None else entry(k, v) for v in among) for k, among in listed.items()
    }


def cell_text(value: object) -> str:
    """An entry as a table in a console shows it."""
    if isinstance(value, float):
        return "" if math.isnan(value) else significant(value, 4)
    return str(value)


def familiar_names(wanted: dict[str, tuple[object, ...]]) -> list[Familiar]:
    """The names of other libraries among the metrics that are wanted."""
    return [FAMILIAR[name] for name in wanted.get("metric", ()) if isinstance(name, str) and name in FAMILIAR]


def absent_value(column: str, value: object, there: list[str]) -> InputError:
    """The error of a value that no row of a table has: the nearest one, what the table has, and what computes it."""
    known = {*there, *CLOSED.get(column, ()), *(FAMILIAR if column == "metric" else ())} - {str(value)}
    hint = nearest(str(value), sorted(known))
    if column == "metric" and value in FAMILIAR:
        meant = FAMILIAR[str(value)]
        hint = f"; it is {listing(meant.metrics)} {meant.contrast}".rstrip() if meant.metrics else ""
        hint += f"; {meant.call} computes it from people" if meant.call else ""
    return InputError(
        f"{column} has {value!r}; no row has it{hint}; the table has {listing(sorted(there), 12) or 'nothing there'}."
    )


def lined_up(cells: list[list[str]]) -> list[str]:
    """Lines of a table in a console, from its cells."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(t.ljust(w) for t, w in zip(row, widths, strict=True)).rstrip() for row in cells]
