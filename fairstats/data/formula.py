"""Formulas: R's model language over named columns, with contrasts as R makes them, and nothing else evaluated."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairstats.data.columns import Columns
from fairstats.data.formula_terms import FUNCTIONS, compute, read, variables
from fairstats.errors import InputError, listing

__all__ = ["FUNCTIONS", "Formula", "variables"]


@dataclass(frozen=True)
class Formula:
    """A formula bound to its variables: their kinds and levels are all that new data need.

    Attributes
    ----------
    text : str
        The right-hand side as given, such as ``"~ (age + priors + sex)**2"``.
    variables : dict
        Column name → its levels (a categorical column, first level the baseline) or None (a numeric one).
    features : tuple of str
        Names of the columns made, as R names them (``sexMale``, ``age:sexMale``); the intercept is dropped.
    """

    text: str
    variables: dict[str, tuple[str, ...] | None]
    features: tuple[str, ...]

    def __post_init__(self) -> None:
        # However it came about, from a call, a copy or a file: only a text that was judged here is ever computed.
        if not _are_variables(self.variables) or not _are_texts(self.features):
            raise InputError("a formula's variables are names with levels or None, and its features are names.")
        used = variables(self.text, self.variables)
        if set(used) != set(self.variables):
            raise InputError(f"features={self.text[:80]!r} uses {listing(used)}, not {listing(self.variables)}.")

    @staticmethod
    def bind(text: str, columns: Columns) -> Formula:
        """Read a formula against a table."""
        used = variables(text, columns.names)
        categorical = {name for name in used if not columns.is_numeric(name)} | set(read(text).levels_of)
        levels = {v: columns.factor(v, "features").levels if v in categorical else None for v in used}
        _refuse_half_crossed(text, {v for v in used if v not in categorical and columns.is_logical(v)})
        return Formula.with_levels(text, levels, columns.names)

    @staticmethod
    def with_levels(text: str, variables: dict[str, tuple[str, ...] | None], known: Iterable[str]) -> Formula:
        """Return a formula whose variables' levels are known; C() of a number needs them too."""
        counted = [v for v in read(text).levels_of if variables[v] is None]
        if counted:
            raise InputError(
                f"features={text!r} makes levels of the numeric column {listing(counted)}, which data read in chunks "
                "do not tell beforehand; store it as text."
            )
        flat = [v for v, levels in variables.items() if levels is not None and len(levels) < 2]
        if flat:
            raise InputError(f"features={text!r} uses {listing(flat)}, which has one level only; leave it out.")
        names = _matrix(text, _first_rows(variables))[1]
        return Formula(text, variables, names)

    def matrix(self, columns: Columns) -> np.ndarray:
        """Return the model matrix X (n × p) of a table, without the intercept."""
        values: dict[str, Any] = {}
        for name, levels in self.variables.items():
            if levels is None:
                values[name] = columns.numeric(name, "features")
                _refuse_nan(name, ~np.isfinite(values[name]))
            else:
                values[name] = _categorical(name, levels, columns)
        model, names = _matrix(self.text, values, finite=True)
        if names != self.features:
            raise InputError(f"features={self.text[:80]!r} makes {listing(names)}, not {listing(self.features)}.")
        return model


def _refuse_half_crossed(text: str, logical: set[str]) -> None:
    """Refuse a logical column crossed with terms that do not stand alone: R makes columns of False and of True then."""
    terms = [frozenset(str(factor) for factor in term.factors) for term in read(text).spec]
    for term in terms:
        for name in sorted(term & logical):
            rest = term - {name}
            if rest and rest not in terms:
                alone = ":".join(sorted(rest))
                raise InputError(
                    f"features={text[:80]!r} crosses the logical column {name!r} with {alone!r}, which is no term of "
                    f"its own; R makes columns of both its values then: write C({name}) for these, or add {alone}."
                )


def _first_rows(variables: dict[str, tuple[str, ...] | None]) -> dict[str, Any]:
    import pandas as pd

    rows = max([len(levels) for levels in variables.values() if levels] or [1])
    return {
        name: np.ones(rows)
        if levels is None
        else pd.Categorical([levels[i % len(levels)] for i in range(rows)], categories=list(levels))
        for name, levels in variables.items()
    }


def _categorical(name: str, levels: tuple[str, ...], columns: Columns) -> Any:
    import pandas as pd

    factor = columns.factor(name, "features")
    _refuse_nan(name, factor.codes < 0)
    new = [level for level in factor.levels if level not in levels]
    if new:
        raise InputError(
            f"features use {name!r}, which has a level that the fit has not seen ({listing(new)}); it knows "
            f"{listing(levels)}."
        )
    to_code = np.array([levels.index(level) for level in factor.levels], dtype=np.intp)
    return pd.Categorical.from_codes(to_code[factor.codes], categories=list(levels))


def _refuse_nan(name: str, rows: np.ndarray) -> None:
    if rows.any():
        raise InputError(
            f"features use {name!r}, which has {int(rows.sum())} missing or infinite values (rows "
            f"{listing((np.flatnonzero(rows) + 1).tolist())}); impute them or drop those rows."
        )


def _matrix(text: str, values: dict[str, Any], *, finite: bool = False) -> tuple[np.ndarray, tuple[str, ...]]:
    import pandas as pd
    from formulaic import model_matrix

    terms = read(text)
    rows = len(next(iter(values.values())))
    factors = {}
    for name, expression in terms.factors.items():
        column = compute(expression, values, name)
        if not hasattr(column, "categories"):
            column = np.broadcast_to(np.asarray(column, dtype=float), (rows,))
            if finite:
                _refuse_infinite(name, ~np.isfinite(column))
        factors[name] = column
    # Every factor is looked up by its name: formulaic multiplies and makes contrasts, and evaluates nothing.
    frame = model_matrix(terms.spec, pd.DataFrame(factors), context={}, na_action="ignore", ensure_full_rank=True)
    # A column may be all zero in this chunk; formulaic keeps it, since the levels are declared.
    kept = [c for c in frame.columns if c != "Intercept"]
    names = tuple(re.sub(r"\[(?:T\.)?([^\]]*)\]", r"\1", str(c)) for c in kept)
    return np.asarray(frame[kept], dtype=float), names


def _refuse_infinite(name: str, rows: np.ndarray) -> None:
    if rows.any():
        raise InputError(
            f"features have the term {name!r}, which is not a finite number in {int(rows.sum())} rows (rows "
            f"{listing((np.flatnonzero(rows) + 1).tolist())}); use a term that is defined for all rows."
        )


def _are_variables(variables: Any) -> bool:
    return isinstance(variables, dict) and all(
        isinstance(name, str) and (levels is None or _are_texts(levels)) for name, levels in variables.items()
    )


def _are_texts(texts: Any) -> bool:
    return isinstance(texts, tuple) and all(isinstance(text, str) for text in texts)
