"""One chunk of a table to its moments, wherever the chunk lives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fairstats.data.columns import Columns
from fairstats.data.design import Design
from fairstats.data.formula import Formula
from fairstats.data.moments import Moments, from_design
from fairstats.errors import InputError


def chunk_moments(part: Any, features: Any, groups: Any, options: Mapping[str, Any], by_cell: bool) -> Moments:
    """Return moments of one chunk; a group need not occur in it."""
    X = part if features is None else features
    data = None if features is None else part
    if isinstance(X, Formula):
        columns = Columns(part)
        design = Design.of(X.matrix(columns), groups, data=columns, at_least=1, **options)
        design = replace(design, features=X.features, formula=X, named=True)
    else:
        design = Design.of(X, groups, data=data, at_least=1, **options)
    return from_design(design, by_cell=by_cell)


def refuse_names(features: Any) -> None:
    """Refuse names of features where the data are an array, whose columns have none."""
    if features is not None:
        raise InputError(
            f"features={features!r} names columns, and source is an array, whose columns have no names; pass those "
            "columns of it, or a table."
        )
