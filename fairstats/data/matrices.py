"""A matrix of features judged: what it holds is numbers, finite ones, whose squares are numbers too."""

from __future__ import annotations

from datetime import date, time, timedelta
from typing import Any

import numpy as np
from scipy import sparse

from fairstats.arguments import shown
from fairstats.errors import InputError, listing

DATES = (np.datetime64, np.timedelta64, date, time, timedelta)  # and their subclasses, pandas' among them
NOT_NUMBERS = (
    "{} holds values that are not numbers{}; pass real numbers, or a table with a formula, which makes contrasts of "
    "its levels."
)
SQUARABLE = 1e145  # sums of squares of 10¹⁵ such numbers are finite
UNDERFLOW = 1e-300  # sums of squares below have lost digits, or all of them


def as_matrix(X: Any, argument: str = "X") -> Any:
    """Return X as a float64 array or a CSR matrix, shape judged, values not yet (the moments judge them for free)."""
    if getattr(getattr(X, "dtype", None), "kind", "") == "c":
        raise InputError(f"{argument} holds complex numbers; pass real ones, their parts as features of their own.")
    if sparse.issparse(X):
        # Arrays and matrices of scipy differ in what a row of them is; from here on it is an array's.
        X = sparse.csr_array(X.tocsr()).astype(float)
    else:
        if np.ma.is_masked(X):
            raise InputError(
                f"{argument} has {int(np.ma.getmaskarray(X).sum())} masked entries, which are missing values; impute "
                "them or drop those rows."
            )
        X = _real(X, argument)
    if X.ndim != 2:
        raise InputError(
            f"{argument} has {X.ndim} dimension{'s' * (X.ndim != 1)}; give a table of n rows and p columns."
        )
    if 0 in X.shape:
        raise InputError(f"{argument} is empty ({X.shape[0]} rows, {X.shape[1]} columns).")
    return X


def _real(X: Any, argument: str) -> np.ndarray:
    try:
        given = np.asarray(X)
        if given.dtype.kind in "biuf" or (given.dtype.kind == "O" and not any(map(_no_number, given.flat))):
            return np.asarray(given, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InputError(NOT_NUMBERS.format(argument, "")) from None
    values = given.ravel().tolist() if given.dtype.kind == "O" else [given.ravel()[0]] if given.size else [""]
    first = next(filter(_no_number, values), "")
    if isinstance(first, DATES):
        raise InputError(
            f"{argument} holds dates or lengths of time, which are no numbers (a missing one least of all); pass a "
            "number of days since some date, say."
        )
    text = isinstance(first, (str, bytes)) and first != ""
    raise InputError(NOT_NUMBERS.format(argument, f" (the text {shown(first)})" if text else ""))


def _no_number(value: Any) -> bool:
    return isinstance(value, (str, bytes, *DATES))


def refuse_nonfinite(X: Any, features: tuple[str, ...], argument: str = "X") -> None:
    """Say where X is NaN or infinite; called when a computation on X came out non-finite."""
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
        raise InputError(
            f"{argument} has {len(rows)} missing or infinite values (rows "
            f"{listing((np.unique(rows) + 1).tolist())}; columns {listing(names)}); impute them or drop those rows."
        )
    at = int(np.argmax(np.abs(values)))
    largest = features[at % values.shape[1] if at_columns is None else int(at_columns[at])]
    raise InputError(f"{argument} has numbers too large to be squared (column {largest}); rescale it.")


def judge_squares(X: Any, squares: np.ndarray, names: tuple[str, ...], argument: str = "X") -> None:
    """Refuse columns of which a square is no finite number, or that vary by numbers whose squares are lost.

    Parameters
    ----------
    X : array or sparse matrix (n, p)
    squares : array (p,)
        Sums of squares about the mean.
    names : tuple of str
        Of the columns.
    argument : str
    """
    if not np.isfinite(squares).all():
        refuse_nonfinite(X, names, argument)
    for j in np.flatnonzero(squares < UNDERFLOW):
        column = X[:, [j]].toarray() if sparse.issparse(X) else X[:, j]
        if float(column.max()) - float(column.min()) > 0.0:
            raise InputError(
                f"{argument} has numbers too small to be squared (column {names[j]}), so that it would seem not to "
                "vary; rescale it."
            )


def refuse_unsquarable(X: Any, features: tuple[str, ...]) -> None:
    """Say where X is NaN, infinite or so large that squares leave double precision, before something else meets it."""
    values = X.data if sparse.issparse(X) else X
    if values.size and not max(float(values.max()), -float(values.min())) <= SQUARABLE:
        refuse_nonfinite(X, features)
