"""The validated input of a fit. This is the only place where X, groups, y and weights are checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from fairstats.arrays import array, one_column, unwrapped
from fairstats.data.formula import Formula
from fairstats.data.groups import Continuous, Groups
from fairstats.data.tables import (
    Columns,
    Factor,
    aligned,
    factor,
    first_index,
    is_table,
    row_index,
    same_order,
    warn_of_dropped_index,
    warn_of_row_numbers,
)
from fairstats.errors import Call, InputError, Setting, listing, named, rows_at, warn
from fairstats.labels import column_parts
from fairstats.validation import shown

# A matrix of features checked: what it holds is numbers, finite ones, whose squares are numbers too.


DATES = (np.datetime64, np.timedelta64, date, time, timedelta)  # and their subclasses, pandas' among them
SQUARABLE = 1e145  # sums of squares of 10¹⁵ such numbers are finite
UNDERFLOW = 1e-300  # sums of squares below have lost digits, or all of them


def as_matrix(X: Any, argument: str = "X") -> Any:
    """Return X as a float64 array or a CSR matrix, shape checked, values not yet (the moments check them for free)."""
    if isinstance(X, (str, PathLike)) and Path(X).is_file():
        raise InputError(argument, f"is the name of a file; pass {Call('read_table', (repr(str(X)),))}.")
    if getattr(getattr(X, "dtype", None), "kind", "") == "c":
        raise InputError(argument, "holds complex numbers; pass real ones, their parts as features of their own.")
    if sparse.issparse(X):
        # Arrays and matrices of scipy differ in what a row of them is; from here on it is an array's.
        X = sparse.csr_array(X.tocsr()).astype(float)
    else:
        if np.ma.is_masked(X):
            raise InputError(
                argument,
                f"has {int(np.ma.getmaskarray(X).sum())} masked entries, which are missing values; impute "
                "them or drop those rows.",
            )
        X = _real(X, argument)
    if X.ndim != 2:
        raise InputError(
            argument, f"has {X.ndim} dimension{'s' * (X.ndim != 1)}; give a table of n rows and p columns."
        )
    if 0 in X.shape:
        raise InputError(argument, f"is empty ({X.shape[0]} rows, {X.shape[1]} columns).")
    return X


def _real(X: Any, argument: str) -> np.ndarray:
    try:
        given = np.asarray(X)
        if given.dtype.kind == "O":  # pandas' NA is no number for numpy, None is a missing one
            given = np.asarray(np.frompyfunc(_without_na, 1, 1)(given), dtype=object)
        if given.dtype.kind in "biuf" or (given.dtype.kind == "O" and not any(map(_no_number, given.flat))):
            return np.asarray(given, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise _not_numbers(argument, "") from None
    values = given.ravel().tolist() if given.dtype.kind == "O" else [given.ravel()[0]] if given.size else [""]
    first = next(filter(_no_number, values), "")
    if isinstance(first, DATES):
        raise InputError(
            argument,
            "holds dates or lengths of time, which are no numbers (a missing one least of all); pass a "
            "number of days since some date, say.",
        )
    text = isinstance(first, (str, bytes)) and first != ""
    if text and given.ndim == 1 and argument == "X":
        raise InputError(
            argument,
            f"is one column of text ({shown(str(first))}), as groups are; give the features first, n rows and p "
            "columns, and the groups after them.",
        )
    raise _not_numbers(argument, f" (the text {shown(str(first))})" if text else "")


def _not_numbers(argument: str, which: str) -> InputError:
    text = f"holds values that are not numbers{which}; pass real numbers, or code them"
    if argument == "X":
        text += f"; a formula, with the table as {Setting('data')}, makes contrasts of levels"
    return InputError(argument, f"{text}.")


def _without_na(value: Any) -> Any:
    return None if type(value).__name__ == "NAType" else value


def _no_number(value: Any) -> bool:
    return isinstance(value, (str, bytes, *DATES))


def refuse_nonfinite(X: Any, features: tuple[str, ...], argument: str = "X", numbers: np.ndarray | None = None) -> None:
    """Say where X is NaN or infinite; called when a computation on X came out non-finite.

    numbers: of the rows among those that the user gave, from 0, where these are some of them, shape (n,).
    """
    if sparse.issparse(X):
        stored = X.tocoo()
        values, (at_rows, at_columns) = stored.data, stored.coords
    else:
        values = np.asarray(X)
        at_rows, at_columns = None, None
    bad = ~np.isfinite(values)
    if bad.any():
        rows, cols = np.nonzero(bad) if at_rows is None else (at_rows[bad], at_columns[bad])
        names = list(dict.fromkeys(features[j] for j in cols))
        rows = rows if numbers is None else numbers[rows]
        raise InputError(
            argument,
            f"has missing or infinite values ({rows_at(np.unique(rows))}; column{'s' * (len(names) > 1)} "
            f"{listing(names)}); impute them or drop those rows.",
        )
    at = int(np.argmax(np.abs(values)))
    largest = features[at % values.shape[1] if at_columns is None else int(at_columns[at])]
    raise InputError(argument, f"has numbers too large to be squared (column {largest}); rescale it.")


def check_squares(X: Any, squares: np.ndarray, names: tuple[str, ...], argument: str = "X") -> None:
    """Refuse columns of which a square is no finite number, or that vary by numbers whose squares are lost.

    X: shape (n, p).
    squares: sums of squares about the mean, shape (p,).
    """
    if not np.isfinite(squares).all():
        refuse_nonfinite(X, names, argument)
    small = np.flatnonzero(squares < UNDERFLOW)
    if not len(small):
        return
    part = X[:, small]  # at once: of sparse data most columns may be empty, and one column alone passes over all rows
    low, high = part.min(axis=0), part.max(axis=0)
    if sparse.issparse(X):
        low, high = low.toarray().ravel(), high.toarray().ravel()
    for j in small[high - low > 0.0][:1]:
        raise InputError(
            argument,
            f"has numbers too small to be squared (column {names[j]}), so that it would seem not to vary; rescale it.",
        )


def refuse_unsquarable(X: Any, features: tuple[str, ...], numbers: np.ndarray | None = None) -> None:
    """Say where X is NaN, infinite or so large that squares leave double precision, before something else meets it."""
    values = X.data if sparse.issparse(X) else X
    if values.size and not max(float(values.max()), -float(values.min())) <= SQUARABLE:
        refuse_nonfinite(X, features, numbers=numbers)


SMALLEST_WEIGHT = 1e-250


def neighbors(rows: np.ndarray) -> Any:
    """Return a mask (n,) of rows that all lie side by side as a slice, anything else as it is.

    >>> neighbors(np.array([False, True, True])), neighbors(np.array([2, 1])).tolist()
    (slice(1, 3, None), [2, 1])
    """
    if rows.dtype == bool and rows.any():
        start, stop = int(rows.argmax()), len(rows) - int(rows[::-1].argmax())
        return slice(start, stop) if rows[start:stop].all() else rows
    return rows


@dataclass(frozen=True)
class Design:
    """Checked rows: X (n × p, float64 or sparse), names, groups, outcome, weights.

    X: shape (n, p).
    weights: shape (n,).
    formula: where X came from a formula; new data go through the same one.
    named: whether the features had names of their own, so that new tables are matched by name.
    index: names of the rows, where the input carried some: what comes later is paired by them.
    spread: standard deviations of the rows of which these are a part (a fold, a sample), where a fit divided by them:
        they stand in for that of a column which is constant in this part, shape (p,).
    """

    X: Any
    features: tuple[str, ...]
    groups: Groups | None = None
    y: Factor | None = None
    weights: np.ndarray | None = None
    formula: Formula | None = None
    named: bool = False
    index: Any = None
    spread: np.ndarray | None = None

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    @property
    def p(self) -> int:
        """Number of features."""
        return int(self.X.shape[1])

    def take(self, rows: np.ndarray) -> Design:
        """Return the design of some of the rows (mask or indices); neighbors of a mask are not copied."""
        rows = neighbors(rows)
        y = None if self.y is None else self.y.take(rows)
        return Design(
            self.X[rows],
            self.features,
            None if self.groups is None else self.groups.take(rows),
            y,
            None if self.weights is None else self.weights[rows],
            self.formula,
            self.named,
            None if self.index is None else self.index[rows],
            self.spread,
        )

    def counted(self) -> Design:
        """Return the rows of positive weight: the others count for nothing, not even as a level of a group."""
        if self.weights is None or (self.weights > 0).all():
            return self
        used = self.take(self.weights > 0)
        refuse_unsquarable(used.X, self.features, np.flatnonzero(self.weights > 0))  # while rows have their numbers
        return used

    @staticmethod
    def of(
        X: Any,
        groups: Any = None,
        *,
        data: Any = None,
        y: Any = None,
        weights: Any = None,
        missing: str | None = None,
        at_least: int = 2,
        called: str = "X",
        among_features: bool = False,
        whole: bool = True,
    ) -> Design:
        """Check the input of a fit.

        X: the features; a formula, bound or as text, or column names need ``data``.
        groups: column names are looked up in ``data``, or in X when X is a table (and are then no features).
        y, weights: shape (n,).
        missing: what to do with rows whose group is missing; None: an error, and the caller has no such argument.
        at_least: fewest levels of a group variable.
        called: what messages call X.
        among_features: whether a group variable may be a feature: where nothing is adjusted for it.
        whole: whether these are all rows: those of a part may be of one value in each group by chance.
        """
        X, data, groups, y, weights = map(unwrapped, (X, data, groups, y, weights))
        table = data if data is not None else (X if is_table(X) else None)
        if data is not None and is_table(X):
            table = aligned(data, row_index(X), "data")
        columns = Columns(table, "data" if data is not None else called) if table is not None else None
        index, (groups, y, weights) = _paired(X, columns, groups, y, weights)
        present = columns.names if columns is not None else ()
        spoken_for = _column_names(groups, present) | _column_names(y, present) | _column_names(weights, present)
        if isinstance(X, (list, tuple)) and not among_features:  # before it is refused as no number
            claimed = _column_names(groups, present)
            _refuse_same([name for name in X if isinstance(name, str) and name in claimed])
        matrix, features, formula, by_name = _features(X, columns, data is not None, spoken_for, called)
        result = None if groups is None else Groups.of(groups, columns, missing=missing, at_least=at_least, index=index)
        if result is not None and by_name and not among_features:
            current = features if formula is None else tuple(formula.variables)
            _refuse_claimed_groups(
                current, result, _column_names(groups, present), Columns(X, called) if is_table(X) else columns
            )
        outcome = None if y is None else _outcome(y, columns)
        if outcome is not None and by_name:
            current = features if formula is None else tuple(formula.variables)
            _refuse_outcome(current, y, outcome, Columns(X, called) if is_table(X) else columns, called)
        mass = None if weights is None else _weights(weights, columns)
        if result is not None and result.keep is not None:
            index = None if index is None or len(index) != len(result.keep) else index[result.keep]
            matrix = matrix[result.keep]
            refuse_unsquarable(matrix, features, np.flatnonzero(result.keep))  # while the numbers of rows are known
            outcome = None if outcome is None else outcome.take(result.keep)
            mass = None if mass is None else mass[result.keep]
        n = matrix.shape[0]
        for name, length in (
            ("groups", result.n if result else n),
            ("y", n if outcome is None else len(outcome)),
            ("weights", len(mass) if mass is not None else n),
        ):
            if length != n:
                raise InputError(name, f"has {length} values and {named('X')} has {n} rows; give one a row.")
        if result is not None and by_name and not among_features and whole:
            warn_of_groups(matrix, features, result, mass)
        return Design(matrix, features, result, outcome, mass, formula, by_name, index)


def _paired(X: Any, columns: Columns | None, groups: Any, y: Any, weights: Any) -> tuple[Any, tuple[Any, Any, Any]]:
    """The names of the rows, and groups, y and weights in their order (`data.tables` says when)."""
    given = {"groups": groups, "y": y, "weights": weights}
    index = row_index(X) if is_table(X) else row_index(columns)
    to = "X" if is_table(X) else "data"
    if index is None:
        to, index = first_index(*given.items())
        for name, values in given.items():
            same_order(values, index, name, to)
        return index, (groups, y, weights)
    result = (aligned(values, index, name, to) for name, values in given.items())
    return index, tuple(result)  # type: ignore[return-value]


def _column_names(argument: Any, names: tuple[str, ...]) -> set[str]:
    """Columns that an argument claims, which are therefore not features."""
    if isinstance(argument, str):
        return set(column_parts(argument, names))
    if isinstance(argument, Continuous):
        return _column_names(argument.values, names)
    if isinstance(argument, (list, tuple)) and all(isinstance(a, (str, Continuous)) for a in argument):
        return set().union(*(_column_names(a, names) for a in argument)) if argument else set()
    return set()


def _refuse_claimed_groups(
    features: tuple[str, ...], groups: Groups, claimed: set[str], columns: Columns | None
) -> None:
    """Refuse a feature that is a group variable: by its name, or, where labels were given, by name and values."""
    same = [name for name in features if name in claimed]
    for name, current in zip(groups.names, groups.factors, strict=True):
        if name in features and name not in claimed and columns is not None and groups.keep is None:
            same += [name] if np.array_equal(columns.factor(name, "X").labels, current.labels) else []
    for j, name in enumerate(groups.continuous_names):
        if name in features and name not in claimed and columns is not None and groups.keep is None:
            same += [name] if np.array_equal(columns.numeric(name, "X"), groups.continuous[:, j]) else []
    _refuse_same(same)


def _refuse_outcome(features: tuple[str, ...], y: Any, outcome: Factor, columns: Any, called: str) -> None:
    """Refuse a feature that is the outcome: by its name, or, where values were given, by name and values."""
    name = y if isinstance(y, str) else getattr(y, "name", None)
    if name in features and (isinstance(y, str) or np.array_equal(columns.factor(name, called).labels, outcome.labels)):
        raise InputError(called, f"has {name!r}, which is the outcome; leave it out: a model would read the answer.")


def _refuse_same(same: Sequence[str]) -> None:
    if same:
        raise InputError(
            "groups",
            f"has {same[0]!r}, which is a feature too: it would be adjusted for itself; leave it out of the features.",
        )


FEWEST_BESIDE = 8  # rows, beside one of each group, whose values could be the group's by chance
HEAD = 512  # rows that rule out nearly every column before all rows are looked at


def warn_of_groups(
    X: np.ndarray, features: tuple[str, ...], groups: Groups, mass: np.ndarray | None
) -> list[tuple[str, str]]:
    """Warn of columns that are a group variable under another name, and return both names: one value in each group,
    and not the same one in all."""
    found = []
    counted = np.arange(groups.n) if mass is None else np.flatnonzero(mass > 0)
    first = counted[:HEAD]
    for j, feature in enumerate(features):
        for name, one in zip(groups.names, groups.factors, strict=True):
            if len(counted) - len(one.levels) < FEWEST_BESIDE:
                continue
            if _by_code(X[first, j], one.codes[first]):
                column = X[counted, j]
                if np.ptp(column) > 0 and _by_code(column, one.codes[counted]):
                    found.append((feature, name))
        for name, numbers in zip(groups.continuous_names, groups.continuous.T, strict=True):
            if np.array_equal(X[first, j], numbers[first]) and np.array_equal(X[counted, j], numbers[counted]):
                found.append((feature, name))
    for feature, name in found:
        warn_of_group(feature, name)
    return found


def _by_code(values: np.ndarray, codes: np.ndarray) -> bool:
    """Whether rows of one code have one value."""
    _, first, place = np.unique(codes, return_index=True, return_inverse=True)
    return bool(np.array_equal(values, values[first][place]))


def warn_of_group(feature: str, name: str) -> None:
    """Warn of a feature that is a group variable under another name."""
    warn(
        f"{feature} has one value in each group of {name}: this feature tells the group, and would be adjusted "
        "for itself; leave it out of the features."
    )


def _features(
    X: Any, columns: Columns | None, given: bool, spoken_for: set[str], called: str
) -> tuple[Any, tuple[str, ...], Formula | None, bool]:
    if isinstance(X, Formula) and columns is not None:  # of a fit, whose levels new rows have
        return X.matrix(columns), X.features, X, True
    if isinstance(X, str) or (isinstance(X, (list, tuple)) and len(X) and all(isinstance(x, str) for x in X)):
        if columns is None or not given:
            raise InputError(called, f"has {shown(X)}, which names columns; no data was given; pass {Setting('data')}.")
        if isinstance(X, str) and "~" in X:
            formula = Formula.bind(X, columns)
            return formula.matrix(columns), formula.features, formula, True
        names = (X,) if isinstance(X, str) else once(X, called)
        return _checked_table(columns, names, called), names, None, True
    if is_table(X):
        current = Columns(X, "X")
        names = tuple(c for c in current.features if c not in spoken_for)
        known = {*current.features, *spoken_for}
        warn_of_dropped_index((c for c in current.names if c not in known), called)
        matrix = _checked_table(current, names, "X")
        warn_of_row_numbers(matrix, names, called)
        return matrix, names, None, True
    matrix = as_matrix(X)
    return matrix, tuple(f"x{j + 1}" for j in range(matrix.shape[1])), None, False


def once(names: Iterable[str], argument: str) -> tuple[str, ...]:
    """Return the names of columns, or the error that says which of them stands twice: it would count twice."""
    names = tuple(names)
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(argument, f"names {twice!r} more than once; pass each column once.")
    return names


def _checked_table(columns: Columns, names: tuple[str, ...], argument: str) -> np.ndarray:
    if not names:
        raise InputError(argument, "has no feature columns left once groups, y and weights are taken out.")
    return columns.matrix(names, argument)


def _outcome(y: Any, columns: Columns | None) -> Factor:
    if isinstance(y, str):
        if columns is None:
            raise InputError(f"{Setting('y', y)} names a column, but no data was given; pass {Setting('data')}.")
        result = columns.factor(y, "y")
    else:
        result = factor(y, argument="y")
    if (result.codes < 0).any():
        raise InputError("y", f"has {int((result.codes < 0).sum())} missing values; drop those rows.")
    return result


def _weights(weights: Any, columns: Columns | None) -> np.ndarray:
    if isinstance(weights, str):
        if columns is None:
            raise InputError(
                "weights", f"names a column, but no data was given; pass {Setting('data')}.", value=weights
            )
        values = columns.numeric(weights, "weights")
    elif isinstance(weights, np.ma.MaskedArray):
        values = one_column(np.ma.filled(weights.astype(float), np.nan))
    else:
        values = array("weights", weights, missing=True, dims=(1,))
    bad = ~np.isfinite(values) | (values < 0)
    if bad.any():
        raise InputError(
            "weights",
            f"has negative, missing or infinite values ({rows_at(np.flatnonzero(bad))}); weights are finite "
            "and at least 0.",
        )
    if not values.any():
        raise InputError("weights", "are all zero; nothing would be counted.")
    if values.max() < SMALLEST_WEIGHT:
        raise InputError(
            "weights",
            f"has {values.max():.3g} as its largest value, too small to be multiplied with; multiply all of "
            "them by one number: only their proportions matter.",
        )
    return values
