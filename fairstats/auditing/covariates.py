"""Covariates of people, by a formula: read, checked, and made columns of numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.data.formula import Formula, read
from fairstats.data.tables import Columns, Factor, counts_rows
from fairstats.errors import InputError, formula_in_code, listing, named, rows_at, warn
from fairstats.validation import shown

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Covariates:
    """What a formula says of the people whose entries are all known.

    keep: of everybody, who they are, shape (n,).
    table: they alone, in all their columns.
    X: one column a term, without an intercept.
    """

    keep: NDArray[np.bool_]
    table: Columns
    formula: Formula
    factors: Mapping[str, Factor]
    X: Floats

    @staticmethod
    def of(text: str, table: Columns, keep: NDArray[np.bool_], argument: str) -> Covariates:
        """Read a formula; ``keep`` says of whom everything else is known, ``argument`` what held the formula.

        Raises InputError: if a column is unknown, infinite, the same of everybody, follows from others, or has a level
        of one person.
        """
        with _under(argument):
            formula = Formula.bind(text, table)
        classes = set(read(text).levels_of)
        for name, levels in formula.variables.items():
            if levels is not None and name not in classes and table.is_text(name):
                _refuse_numbers_as_text(argument, name, table.labels(name, argument).used())
        keep = keep.copy()
        for name, levels in formula.variables.items():
            if levels is None:
                column = table.numeric(name, argument)
                refuse_infinite(argument, name, column)
                if counts_rows(column):
                    warn(
                        f"{named(argument)} has {name!r}, which counts the rows and says nothing of a person; drop it."
                    )
                keep &= ~np.isnan(column)
            else:
                keep &= table.labels(name, argument).codes >= 0
        if not keep.any():
            raise InputError(
                "data",
                f"has no person of whom the entries of {listing(formula.variables, 9)} and others are all known.",
            )
        some = table if keep.all() else table.some(keep)
        with _under(argument):
            if some is not table:  # levels may be gone
                formula = Formula.bind(text, some)
            X = formula.matrix(some)
        names = (name for name, levels in formula.variables.items() if levels is not None)
        factors = {name: some.labels(name, argument).used() for name in names}
        for name, factor in factors.items():
            _refuse_alone(argument, name, factor)
        _refuse_collinear(X, formula.features, argument)
        return Covariates(keep, some, formula, factors, X)


class _under:
    """Errors of a formula under the name of the argument that held it."""

    def __init__(self, argument: str) -> None:
        self._argument = argument

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, InputError) and error.argument == "features":
            error.argument = self._argument
        elif isinstance(error, InputError):
            written = named("features")
            raise InputError(error.fact.replace(written, named(self._argument), 1)) from None


def formula_text(argument: str, given: Any) -> str:
    """A formula, or columns, as the text of a formula.

    >>> formula_text("adjust_for", ["grade", "tenure"])
    '~ grade + tenure'
    """
    if isinstance(given, str) and (parts := re.sub("`[^`]*`", "", given).partition("~"))[0].strip() and parts[1]:
        raise InputError(
            argument,
            f"has {shown(given)}, with a left side; it names the covariates alone; pass "
            f"{formula_in_code('~ ' + given.partition('~')[2].strip())}.",
        )
    if isinstance(given, str) and ("~" in given or "+" in given):
        return f"~ {given.strip().removeprefix('~').strip()}"
    if isinstance(given, str) and given:
        return f"~ {_quoted(given)}"
    if isinstance(given, (list, tuple)) and given and all(isinstance(name, str) for name in given):
        return "~ " + " + ".join(map(_quoted, given))
    raise InputError(
        argument,
        f"has {shown(given)}; it is a formula such as {formula_in_code('~ age + education')}, or a list of columns; "
        "pass one.",
    )


def _quoted(name: str) -> str:
    return name if name.isidentifier() else f"`{name}`"


def refuse_infinite(argument: str, name: str, values: Floats) -> None:
    """Nobody's number is infinite."""
    if np.isinf(values).any():
        rows = rows_at(np.flatnonzero(np.isinf(values)))
        raise InputError(argument, f"has infinite values in {name!r} ({rows}); correct or drop them.")


MOST_CODES = 20  # whole numbers as text that are taken as codes of classes, as in columns of groups
MOSTLY = 0.9  # of the levels of a column: then words such as "unknown" among them stand for missing values
_NUMBER = re.compile(r"[+-]?(0|[1-9]\d*)([.,]\d+)?")  # leading zeros are of codes


def _refuse_numbers_as_text(argument: str, name: str, factor: Factor) -> None:
    """A covariate of numbers that a file or an import left as text would be one class a value."""
    sizes = np.bincount(factor.codes[factor.codes >= 0], minlength=len(factor.levels))
    numbers = [level for level in factor.levels if _NUMBER.fullmatch(level.strip())]
    others = [level for level in factor.levels if level not in numbers]
    if len(numbers) < MOSTLY * len(factor.levels) or (len(factor.levels) <= MOST_CODES and sizes.min() > 1):
        return
    example = next((level for level in numbers if "," in level), numbers[0])
    missing = f" ({listing(map(repr, others), 3)} as missing values)" if others else ""
    raise InputError(
        argument,
        f"has {name!r}, which holds numbers as text, such as {example!r}, and would be {len(factor.levels)} classes; "
        f"convert it to numbers{missing}, or write {formula_in_code(f'~ C({_quoted(name)})')}.",
    )


def _refuse_alone(argument: str, name: str, factor: Factor) -> None:
    sizes = np.bincount(factor.codes, minlength=len(factor.levels))
    alone = [one for one, size in zip(factor.levels, sizes, strict=True) if size == 1]
    if alone:
        raise InputError(
            argument,
            f"has {name!r}, whose level {alone[0]!r} holds one person, of whom no error can be known; join "
            "it with another level, or leave that person out.",
        )


def _refuse_collinear(X: Floats, names: Sequence[str], argument: str) -> None:
    """Every column says something that the ones before it do not."""
    flat = np.ptp(X, axis=0) <= 1e-9 * np.maximum(np.abs(X).max(axis=0), 1e-300)
    if flat.any():
        raise InputError(argument, f"has {names[int(flat.argmax())]!r}, which is the same of everybody; leave it out.")
    kept = independent(X)
    if len(kept) < len(names):
        j = next(j for j in range(len(names)) if j not in kept)
        raise InputError(
            argument,
            f"has {names[j]!r}, which follows from the columns before it (or there are fewer people "
            "than columns); leave it out.",
        )


def independent(X: Floats) -> list[int]:
    """The places of the columns that do not follow from a constant and the columns before them.

    >>> independent(np.array([[1.0, 0, 0], [0, 1, 0], [1, 0, 0]]))
    [0]
    """
    center = X.mean(axis=0)
    covariance = X.T @ X / len(X) - np.outer(center, center)
    spread = np.sqrt(np.diag(covariance).clip(0))
    varies = spread > 1e-9 * np.maximum(np.abs(center), 1e-300)
    spread = np.where(varies, spread, np.inf)
    left, kept = covariance / np.outer(spread, spread), []
    for j in range(X.shape[1]):  # Cholesky: what is left of a column's variance without those before it
        if left[j, j] > 1e-10:
            kept.append(j)
            left = left - np.outer(left[:, j], left[j]) / left[j, j]
    return kept
