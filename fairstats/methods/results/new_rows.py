"""New rows as a fit knew those that it was fitted to: their features as a matrix, their groups."""

from __future__ import annotations

from typing import Any

from fairstats.data.alignment import aligned, row_index
from fairstats.data.columns import Columns, is_table
from fairstats.data.design import Design
from fairstats.data.encoding import Encoding
from fairstats.data.groups import Groups
from fairstats.data.matrices import as_matrix
from fairstats.data.scaling import Scaling
from fairstats.errors import InputError, listing
from fairstats.labels import column_parts


def groups_like(encoding: Encoding, X: Any, groups: Any, n: int, what: str) -> Groups:
    """Return the groups of n new rows as a fit knew them, given or columns of X; ``what`` says why they are needed."""
    if groups is None and isinstance(X, Design):
        groups = X.groups
    names = (*encoding.names, *encoding.continuous_names)
    if groups is None and is_table(X):
        lost = sorted({part for name in names for part in column_parts(name, Columns(X).names)} - {*Columns(X).names})
        if lost:
            raise InputError(
                f"groups is missing; {what} the group of a row, and X has no column {listing(lost)}; pass groups=, the "
                "groups of these rows, or a table with that column."
            )
        groups = list(names)
    if groups is None:
        raise InputError(f"groups is missing; {what} the group of a row ({listing(names)}); pass groups=, one a row.")
    index = X.index if isinstance(X, Design) else row_index(X)
    groups = aligned(groups, index, "groups")
    made = Groups.of(encoding.ask(groups), X if is_table(X) else None, missing="level", at_least=1, index=index)
    if made.n != n:
        raise InputError(f"groups has {made.n} values and X has {n} rows; give one a row.")
    return made


def matrix_like(scaling: Scaling, X: Any) -> Any:
    """Return new rows as the matrix (n × p) that a fit knew: through its formula, by column names, or by position."""
    if isinstance(X, Design):
        return X.X
    if scaling.formula is not None:
        if not is_table(X):
            raise InputError(
                "X must be a table here, since the fit came from a formula; pass one with the columns "
                f"{listing(scaling.formula.variables)}."
            )
        return scaling.formula.matrix(Columns(X, "X"))
    if is_table(X):
        columns = Columns(X, "X")
        lost = [f for f in scaling.features if f not in columns]
        if not scaling.named:  # the fit's names are made up, and are no names of a table's columns
            if len(columns.names) != len(scaling.features):
                raise InputError(
                    f"X has {len(columns.names)} columns and the fit {len(scaling.features)}, which came from an array "
                    "without names; give the same features in the same order, without further columns."
                )
            return columns.matrix(columns.names, "X")
        if lost:
            raise InputError(f"X lacks the columns {listing(lost)} that the fit used; add them, or refit without them.")
        return columns.matrix(scaling.features, "X")
    matrix = as_matrix(X)
    if matrix.shape[1] != len(scaling.features):
        raise InputError(
            f"X has {matrix.shape[1]} columns and the fit {len(scaling.features)}; give the same features in the "
            "same order, or a table with their names."
        )
    return matrix
