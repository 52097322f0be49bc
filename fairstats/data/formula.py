"""Formulas: R's model language over named columns, with contrasts as R makes them, and nothing else evaluated."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from fairstats.data.tables import Columns
from fairstats.errors import InputError, Setting, in_code, listing, nearest, rows_at, with_hint
from fairstats.validation import more, most

# The text of a formula becomes terms whose arithmetic is done here: nothing of the text is ever run as code.


# Stateless functions only: the columns of a chunk, or of new data, must not depend on which rows it holds.
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "log": np.log,
    "log1p": np.log1p,
    "log2": np.log2,
    "log10": np.log10,
    "exp": np.exp,
    "sqrt": np.sqrt,
    "abs": np.abs,
}
_BINARY = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)
_UNARY = (ast.USub, ast.UAdd)
_OPERATIONS: dict[str, Callable[..., Any]] = FUNCTIONS | {
    "Add": np.add,
    "Sub": np.subtract,
    "Mult": np.multiply,
    "Div": np.true_divide,
    "Pow": np.power,
    "USub": np.negative,
    "UAdd": np.positive,
}
Expression = tuple[Any, ...]  # ("column", name), ("levels", name), ("number", value), or an operation and its parts
# A formula that people write is far below each; without them one line of text fills the memory.
LONGEST, MOST_TERMS, DEEPEST = 100_000, 10_000, 50
FEW_LEVELS = 20  # of which every row may have its own
_QUOTED = re.compile(r"`[^`]*`")


@dataclass(frozen=True)
class FormulaTerms:
    """A formula that was read and checked: what is computed, and what the computing takes.

    spec: terms whose factors are looked up by name, so that formulaic evaluates no text.
    factors: name of a factor → its arithmetic, for `compute`.
    columns: columns of data that the factors take.
    levels_of: those inside ``C()`` or ``factor()``: categorical though they may hold numbers.
    """

    spec: Any
    factors: Mapping[str, Expression]
    columns: tuple[str, ...]
    levels_of: tuple[str, ...]


@lru_cache(maxsize=64)
def read(text: str) -> FormulaTerms:
    """Read a formula's right-hand side; InputError where it holds anything but names, operators and the functions."""
    from formulaic import Formula, SimpleFormula
    from formulaic.parser.types import Factor, Term

    right = _right_hand_side(text)
    try:
        parsed = Formula(right, _parser=_parser())
    except InputError as refused:
        raise InputError(f"{Setting('features', text[:80])} {refused}") from None
    except Exception as problem:  # noqa: BLE001  formulaic raises several unrelated types
        reported = _first_line(problem)
        raise InputError(f"{Setting('features', text[:80])} is not a formula that can be read ({reported}).") from None
    if not isinstance(parsed, SimpleFormula):
        raise InputError(f"{Setting('features', text[:80])} has several parts; give one sum of terms.")
    written: dict[str, Expression] = {}
    kept = []
    for term in parsed:
        factors = []
        for factor in term.factors:
            if factor.eval_method.value != "literal":
                by_name = factor.eval_method.value == "lookup"
                expression = ("column", factor.expr) if by_name else _checked_expression(factor.expr, text)
                if written.setdefault(factor.expr, expression) != expression:
                    raise InputError(
                        f"{Setting('features', text[:80])} has {factor.expr!r} as a column and as a term; "
                        f"rename the column."
                    )
                factor = Factor(factor.expr, eval_method="lookup")
            factors.append(factor)
        kept.append(Term(factors))
    columns = dict.fromkeys(name for factor in sorted(written) for name in _columns_of(written[factor]))
    levels_of = tuple(inner[0] for kind, *inner in written.values() if kind == "levels")
    return FormulaTerms(Formula(kept), written, tuple(columns), levels_of)


def _right_hand_side(text: Any) -> str:
    if not isinstance(text, str):
        raise InputError(f"features is a {type(text).__name__}; a formula is text, such as '~ a + b'.")
    if len(text) > LONGEST:
        raise InputError("features", f"has {len(text)} characters, more than the {LONGEST} of a formula; name columns.")
    bare = _QUOTED.sub("", text)
    if any(sign in bare for sign in "{}[]") or "{" in text or "[" in text:
        taken = f"column names, operators and {listing(sorted(FUNCTIONS), 9)}"
        raise InputError(f"{Setting('features', text[:80])} has braces or brackets; formulas here take {taken}.")
    if re.search(r"(?<![\w.])\.(?![\w.])", bare):
        raise InputError(
            f"{Setting('features', text[:80])} has the dot of R; name its columns, or pass the table alone."
        )
    if "%" in bare:
        raise InputError(f"{Setting('features', text[:80])} has an operator with %; write a %in% b of R as a:b.")
    if any(sign in bare for sign in "|\"'\\"):
        raise InputError(
            f"{Setting('features', text[:80])} has a bar, a quotation mark or a backslash; formulas here "
            f"take one sum of terms, "
            "with names that are no words in backticks."
        )
    left, _, right = text.partition("~") if "~" in bare else ("", "", text)
    if left.strip():
        raise InputError(
            f"{Setting('features', text[:80])} has a left-hand side; give the features alone: '~ {right.strip()[:80]}'."
        )
    return _plain(right.strip())


def _plain(right: str) -> str:
    """``^`` is power of a sum of terms and ``factor()`` is ``C()``, as in R; words in backticks need none."""
    parts = re.split(r"(`[^`]*`)", right)
    for i, part in enumerate(parts):
        if i % 2 == 0:
            parts[i] = re.sub(r"\bfactor\(", "C(", part.replace("^", "**"))
        elif part[1:-1].isidentifier() and part[1:-1] not in ("in", *FUNCTIONS):
            parts[i] = part[1:-1]
    return "".join(parts)


def _parser() -> Any:
    """formulaic's parser with one part only, whose operators refuse to make more terms than anyone can use."""
    from formulaic.parser import DefaultFormulaParser
    from formulaic.parser.parser import DefaultOperatorResolver
    from formulaic.parser.types import OrderedSet

    def bounded(multiply: Callable[..., Any]) -> Callable[..., Any]:
        def to_terms(*sets: Any) -> Any:
            if np.prod([len(s) for s in sets], dtype=float) > 10 * MOST_TERMS:
                raise InputError(f"makes more than {MOST_TERMS} terms; name those that are meant.")
            return _few(multiply(*sets))

        return to_terms

    def power(base: Any, exponent: Any) -> Any:
        token, highest = str(next(iter(exponent)).factors[0].expr), most("FAIRSTATS_MAX_POWER")
        if not token.isdecimal() or not 1 <= len(token) <= 9 or not 1 <= int(token) <= highest:
            raise InputError(
                f"has the power {token[:20]!r}; a power of terms is a whole number from 1 to {highest} "
                "(write I(x**3) for a power of the values)."
            )
        product = base
        for _ in range(int(token) - 1):
            if len(product) * len(base) > 10 * MOST_TERMS:
                raise InputError(f"makes more than {MOST_TERMS} terms; name those that are meant.")
            more = _few(OrderedSet(a * b for a in product for b in base))
            if len(more) == len(product):
                break  # interactions of all terms are there: a higher power adds nothing
            product = more
        return product

    class Bounded(DefaultOperatorResolver):  # type: ignore[misc]
        @property
        def operators(self) -> list[Any]:
            current = super().operators
            for operator in current:
                if operator.symbol in ("*", ":"):
                    operator._to_terms = bounded(operator._to_terms)
                elif operator.symbol in ("**", "^"):
                    operator._to_terms = power
            return current

    return DefaultFormulaParser(operator_resolver=Bounded(), feature_flags=DefaultFormulaParser.FeatureFlags.NONE)


def _few(terms: Any) -> Any:
    if len(terms) > MOST_TERMS:
        raise InputError(f"makes {len(terms)} terms, more than {MOST_TERMS}; name those that are meant.")
    return terms


def _checked_expression(expression: str, text: str) -> Expression:
    """The arithmetic of a factor; only numbers, columns, operators and the listed functions pass."""
    quoted: dict[str, str] = {}

    def placeholder(match: re.Match[str]) -> str:
        name = f"_backtick_{len(quoted)}_"
        quoted[name] = match.group()[1:-1]
        return f" {name} "

    try:
        tree = ast.parse(_QUOTED.sub(placeholder, expression).strip(), mode="eval").body
        return _expression(tree, quoted, DEEPEST)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(
            f"{Setting('features', text[:80])} has the term {expression[:80]!r}, which cannot be read."
        ) from None
    except _NotAllowedError:
        raise InputError(
            f"{Setting('features', text[:80])} has the term {expression[:80]!r}; formulas here take column "
            f"names, arithmetic, "
            f"C() of one column, I() and {listing(sorted(FUNCTIONS), 9)} of one value."
        ) from None


class _NotAllowedError(Exception):
    """A piece of a formula that is no number, column, operator or listed function."""


def _expression(node: ast.AST, quoted: Mapping[str, str], deep: int) -> Expression:
    if deep == 0:
        raise _NotAllowedError
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and _is_number(node.value):
        return ("number", float(node.value))
    if isinstance(node, ast.Name):
        return ("column", quoted.get(node.id, node.id))
    if isinstance(node, ast.Attribute) and (dotted := ast.unparse(node)).replace(".", "").isidentifier():
        return ("column", dotted)  # a name such as R writes: years.of.service
    if isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
        return (type(node.op).__name__, _expression(node.operand, quoted, deep - 1))
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return (type(node.op).__name__, *(_expression(n, quoted, deep - 1) for n in (node.left, node.right)))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1 and not node.keywords:
        inner = _expression(node.args[0], quoted, deep - 1)
        if node.func.id == "C" and deep == DEEPEST and inner[0] == "column":
            return ("levels", inner[1])
        if node.func.id in ("I", *FUNCTIONS):
            return (node.func.id, inner)
    raise _NotAllowedError


def _is_number(value: int | float) -> bool:
    return not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _columns_of(expression: Expression) -> list[str]:
    kind, *inner = expression
    if kind in ("column", "levels"):
        return [inner[0]]
    return [] if kind == "number" else [name for part in inner for name in _columns_of(part)]


def compute(expression: Expression, values: Mapping[str, Any], name: str) -> Any:
    """Return the values (n,) of one factor, or a number.

    expression: as `read` checked it.
    values: column → numbers (n,), or a categorical.
    name: the factor as it was written, for errors.
    Returns: shape (n,).
    """
    kind, *inner = expression
    if kind == "number":
        return np.float64(inner[0])
    if kind in ("column", "levels"):
        return values[inner[0]]
    parts = [compute(part, values, name) for part in inner]
    if kind == "I":
        return parts[0]
    if any(hasattr(part, "categories") for part in parts):
        text = [c for c in _columns_of(expression) if hasattr(values[c], "categories")]
        raise InputError(
            "features",
            f"has {name!r}, but {listing(text)} holds text or levels; arithmetic and functions take numbers.",
        )
    with np.errstate(all="ignore"):  # what is not finite is told by the caller, with its rows
        return _OPERATIONS[kind](*parts)


def variables(text: str, names: Iterable[str]) -> list[str]:
    """Return names of the columns that a formula uses, by name, arithmetic and the listed functions only."""
    names = tuple(names)
    used = read(text).columns
    for name in used:
        if name not in names:
            fact = f"{Setting('features', text[:80])} uses {name!r}, which is not a column of data"
            if text.removeprefix("~").strip() == name:
                raise InputError(
                    "features", with_hint(f"has {name!r}, which is not a column of data", nearest(name, names))
                )
            terms = [term.strip() for term in re.split("[+*]", name)]
            if set(terms) <= set(names):
                raise InputError(f"{fact}; pass the formula {f'~ {name}'!r}, or the columns: {','.join(terms)}.")
            raise InputError(with_hint(fact, nearest(name, names)))
    if not used:
        raise InputError(f"{Setting('features', text[:80])} uses no column of data.")
    return list(used)


def _first_line(problem: Exception) -> str:
    return (str(problem).splitlines() or [type(problem).__name__])[0]


@dataclass(frozen=True)
class Formula:
    """A formula bound to its variables: their kinds and levels are all that new data need.

    text: the right-hand side as given, such as ``"~ (age + priors + sex)**2"``.
    variables: column name → its levels (a categorical column, first level the baseline) or None (a numeric one).
    features: names of the columns made, as R names them (``sexMale``, ``age:sexMale``); the intercept is dropped.
    """

    text: str
    variables: dict[str, tuple[str, ...] | None]
    features: tuple[str, ...]

    def __post_init__(self) -> None:
        # However it came about, from a call, a copy or a file: only a text that was checked here is ever computed.
        if not _are_variables(self.variables) or not _are_texts(self.features):
            raise InputError(
                f"a formula's variables are names with levels or {in_code(None)}, and its features are names."
            )
        used = variables(self.text, self.variables)
        if set(used) != set(self.variables):
            raise InputError(
                f"{Setting('features', self.text[:80])} uses {listing(used)}, not {listing(self.variables)}."
            )

    @staticmethod
    def bind(text: str, columns: Columns) -> Formula:
        """Read a formula against a table."""
        used = variables(text, columns.names)
        categorical = {name for name in used if not columns.is_numeric(name)} | set(read(text).levels_of)
        levels = {v: columns.factor(v, "features").levels if v in categorical else None for v in used}
        for name, of in levels.items():
            if of is not None and len(of) > max(FEW_LEVELS, columns.n / 2):
                raise InputError(
                    f"{Setting('features', text[:80])} uses {name!r}, whose {len(of):,} labels in {columns.n:,} rows "
                    "tell the rows apart, as a name or a number of people does; leave it out."
                )
        _refuse_half_crossed(text, {v for v in used if v not in categorical and columns.is_logical(v)})
        return Formula.with_levels(text, levels, columns.names)

    @staticmethod
    def with_levels(text: str, variables: dict[str, tuple[str, ...] | None], present: Iterable[str]) -> Formula:
        """Return a formula whose variables' levels are known; C() of a number needs them too."""
        counted = [v for v in read(text).levels_of if variables[v] is None]
        if counted:
            raise InputError(
                f"{Setting('features', text)} makes levels of the numeric column {listing(counted)}, which "
                f"data read in chunks "
                "do not tell beforehand; store it as text."
            )
        flat = [v for v, levels in variables.items() if levels is not None and len(levels) < 2]
        if flat:
            raise InputError(
                f"{Setting('features', text)} uses {listing(flat)}, which has one level only; leave it out."
            )
        for name, levels in variables.items():
            if levels is not None and len(levels) > most("FAIRSTATS_MAX_LEVELS"):
                raise InputError(
                    f"{Setting('features', text[:80])} uses {name!r}, which has {len(levels):,} labels; a formula "
                    f"takes {more('FAIRSTATS_MAX_LEVELS')} of a column: leave it out, or join labels."
                )
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
            raise InputError(
                f"{Setting('features', self.text[:80])} makes {listing(names)}, not {listing(self.features)}."
            )
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
                    f"{Setting('features', text[:80])} crosses the logical column {name!r} with {alone!r}, "
                    f"which is no term of "
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
        rows = np.flatnonzero(np.isin(factor.codes, [factor.levels.index(level) for level in new]))
        which = "a level" if len(new) == 1 else "levels"
        raise InputError(
            f"features use {name!r}, which has {which} that the fit has not seen ({listing(new)}, {rows_at(rows)}); it "
            f"knows {listing(levels)}; recode these rows to one of these, or leave them out."
        )
    to_code = np.array([levels.index(level) for level in factor.levels], dtype=np.intp)
    return pd.Categorical.from_codes(to_code[factor.codes], categories=list(levels))


def _refuse_nan(name: str, rows: np.ndarray) -> None:
    if rows.any():
        raise InputError(
            f"features use {name!r}, which has missing or infinite values ({rows_at(np.flatnonzero(rows))}); "
            "impute them or drop those rows."
        )


def _matrix(text: str, values: dict[str, Any], *, finite: bool = False) -> tuple[np.ndarray, tuple[str, ...]]:
    frame = _model(text, values, finite=finite)
    # A column may be all zero in this chunk; formulaic keeps it, since the levels are declared.
    kept = [c for c in frame.columns if c != "Intercept"]
    matrix = np.empty((len(frame), len(kept)), order="F")
    for j, column in enumerate(kept):  # one column at a time: the frame as a whole would be copied twice
        matrix[:, j] = frame.pop(column)
    return matrix, tuple(map(_as_r_names, kept))


def _as_r_names(column: Any) -> str:
    return re.sub(r"\[(?:T\.)?([^\]]*)\]", r"\1", str(column))


def _structure(text: str, values: dict[str, Any]) -> list[tuple[Any, list[str]]]:
    """Each term but the intercept, with the names of its columns."""
    spec = _model(text, values).model_spec
    names = list(map(_as_r_names, spec.column_names))
    return [(term, [names[i] for i in at]) for term, at in spec.term_indices.items() if str(term) != "1"]


def _model(text: str, values: dict[str, Any], *, finite: bool = False) -> Any:
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
    frame = pd.DataFrame(factors, copy=False)
    return model_matrix(terms.spec, frame, context={}, na_action="ignore", ensure_full_rank=True)


def _refuse_infinite(name: str, rows: np.ndarray) -> None:
    if rows.any():
        raise InputError(
            "features",
            f"has the term {name!r}, which is not a finite number in {rows_at(np.flatnonzero(rows))}; "
            "use a term that is defined for all rows.",
        )


def terms_of(formula: Formula) -> tuple[tuple[str, tuple[int, ...], int], ...]:
    """The terms of a formula: name, places of its columns, and the levels of a factor that stands alone, else 0."""
    names = {name: i for i, name in enumerate(formula.features)}
    rows = _first_rows(formula.variables)
    factors = read(formula.text).factors
    out = []
    for term, columns in _structure(formula.text, rows):
        inner = factors.get(str(term), ("", ""))
        levels = formula.variables.get(inner[1]) if inner[0] in ("column", "levels") else None
        out.append((str(term), tuple(names[c] for c in columns), len(levels or ())))
    return tuple(out)


def _are_variables(variables: Any) -> bool:
    return isinstance(variables, dict) and all(
        isinstance(name, str) and (levels is None or _are_texts(levels)) for name, levels in variables.items()
    )


def _are_texts(texts: Any) -> bool:
    return isinstance(texts, tuple) and all(isinstance(text, str) for text in texts)
