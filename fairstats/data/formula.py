"""Formulas: R's model language over named columns, with contrasts as R makes them, and nothing else evaluated."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairstats.data.frames import Columns
from fairstats.errors import InputError, listing, nearest

# Stateless functions only: the columns of a chunk, or of new data, must not depend on which rows it holds.
FUNCTIONS = {
    "log": np.log,
    "log1p": np.log1p,
    "log2": np.log2,
    "log10": np.log10,
    "exp": np.exp,
    "sqrt": np.sqrt,
    "abs": np.abs,
}
_ALLOWED = (
    ast.Expression,
    ast.Call,
    ast.Name,
    ast.Load,
    ast.Constant,
    ast.BinOp,
    ast.UnaryOp,
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.Div,
    ast.Pow,
    ast.USub,
    ast.UAdd,
)


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

    @staticmethod
    def bind(text: str, columns: Columns) -> Formula:
        """Read a formula against a table."""
        used = variables(text, columns.names)
        categorical = {name for name in used if not columns.is_numeric(name)} | _forced(text, used)
        levels = {v: columns.factor(v, "features").levels if v in categorical else None for v in used}
        return Formula.with_levels(text, levels, columns.names)

    @staticmethod
    def with_levels(text: str, variables: dict[str, tuple[str, ...] | None], known: Iterable[str]) -> Formula:
        """A formula whose variables' levels are known; C() of a number needs them too."""
        counted = [v for v in _forced(text, variables) if variables[v] is None]
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
        """The model matrix X (n × p) of a table, without the intercept."""
        values: dict[str, Any] = {}
        for name, levels in self.variables.items():
            if levels is None:
                values[name] = columns.numeric(name, "features")
                _refuse_nan(name, ~np.isfinite(values[name]))
            else:
                values[name] = _categorical(name, levels, columns)
        return _matrix(self.text, values)[0]


def variables(text: str, known: Iterable[str]) -> list[str]:
    """Names of the columns that a formula uses, in no other way than by name, arithmetic and the listed functions."""
    return _variables(_parse(text), text, known)


def _parse(text: str) -> Any:
    from formulaic import Formula as Parsed

    if "{" in text or "[" in text:
        raise InputError(
            f"features={text!r} has braces or brackets; formulas here take column names, operators "
            f"and {listing(sorted(FUNCTIONS), 9)}."
        )
    right = text.split("~", 1)[-1].strip()
    if text.split("~", 1)[0].strip():
        raise InputError(f"features={text!r} has a left-hand side; give the features alone: '~ {right}'.")
    try:
        return Parsed(_plain(right))
    except Exception as problem:  # noqa: BLE001  formulaic raises several unrelated types
        raise InputError(
            f"features={text!r} is not a formula that can be read ({str(problem).splitlines()[0]})."
        ) from None


def _plain(right: str) -> str:
    """``^`` is power of a sum of terms, as in R."""
    return right.replace("^", "**")


def _variables(parsed: Any, text: str, known: Iterable[str]) -> list[str]:
    """Column names that a formula uses; any code beyond arithmetic and the listed functions is refused."""
    known = tuple(known)
    used: dict[str, None] = {}
    factors = {(str(f.expr), f.eval_method.value) for term in parsed for f in term.factors}
    for expression, how in sorted(factors):
        if how == "literal":
            continue
        # Only a name, plain or in backticks, is looked up; anything else would be evaluated, so it is judged first,
        # also where a column happens to be called like it.
        for name in [expression] if how == "lookup" else _names(expression, text):
            if name not in known:
                raise InputError(
                    f"features={text!r} uses {name!r}, which is not a column of data{nearest(name, known)}."
                )
            used[name] = None
    if not used:
        raise InputError(f"features={text!r} uses no column of data.")
    return list(used)


def _names(expression: str, text: str) -> list[str]:
    try:
        tree = ast.parse(expression.replace("`", ""), mode="eval")
    except SyntaxError:
        raise InputError(f"features={text!r} has the term {expression!r}, which cannot be read.") from None
    calls = {n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    bad = [type(n).__name__ for n in ast.walk(tree) if not isinstance(n, _ALLOWED)]
    unknown = calls - set(FUNCTIONS) - {"C", "I", "factor"}
    if bad or unknown:
        raise InputError(
            f"features={text!r} has the term {expression!r}; formulas here take column names, arithmetic, C() "
            f"and {listing(sorted(FUNCTIONS), 9)}."
        )
    return [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id not in calls]


def _forced(text: str, used: Iterable[str]) -> set[str]:
    """Variables inside C() or factor(): categorical though they hold numbers."""
    return {v for v in used if re.search(rf"\b(?:C|factor)\(\s*`?{re.escape(v)}`?\s*\)", text)}


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

    made = columns.factor(name, "features")
    _refuse_nan(name, made.codes < 0)
    new = [level for level in made.levels if level not in levels]
    if new:
        raise InputError(
            f"features use {name!r}, which has a level that the fit has not seen ({listing(new)}); it knows "
            f"{listing(levels)}."
        )
    to_code = np.array([levels.index(level) for level in made.levels], dtype=np.intp)
    return pd.Categorical.from_codes(to_code[made.codes], categories=list(levels))


def _refuse_nan(name: str, rows: np.ndarray) -> None:
    if rows.any():
        raise InputError(
            f"features use {name!r}, which has {int(rows.sum())} missing or infinite values (rows "
            f"{listing((np.flatnonzero(rows) + 1).tolist())}); impute them or drop those rows."
        )


def _matrix(text: str, values: dict[str, Any]) -> tuple[np.ndarray, tuple[str, ...]]:
    import pandas as pd
    from formulaic import model_matrix

    right = _plain(text.split("~", 1)[-1].strip())
    right = re.sub(r"\bfactor\(", "C(", right)
    made = model_matrix(right, pd.DataFrame(values), context=FUNCTIONS, na_action="raise", ensure_full_rank=True)
    # A column may be all zero in this chunk; formulaic keeps it, since the levels are declared.
    kept = [c for c in made.columns if c != "Intercept"]
    names = tuple(re.sub(r"\[(?:T\.)?([^\]]*)\]", r"\1", str(c)) for c in kept)
    return np.asarray(made[kept], dtype=float), names
