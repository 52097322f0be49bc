"""Moments of Dask collections: a tree reduction on the workers; only p × p matrices reach the client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairstats.data.chunks import chunk_moments, refuse_names
from fairstats.data.formula import Formula, variables
from fairstats.data.moments import Moments, merge
from fairstats.errors import InputError, not_installed
from fairstats.labels import label

FAN_IN = 4


def dask_moments(source: Any, groups: Any, features: Any, options: Mapping[str, Any], by_cell: bool) -> Moments:
    """Return moments of a Dask DataFrame (groups by column name) or Array (groups: a Dask array of labels)."""
    try:
        import dask
    except ImportError:
        raise not_installed("a Dask collection", "dask", "scale") from None
    bound = _bind(features, source)
    work = dask.delayed(_part, pure=True)
    if hasattr(source, "to_delayed") and hasattr(source, "columns"):
        level = [work(part, groups, bound, options, by_cell) for part in source.to_delayed()]
    else:
        refuse_names(features)
        level = [work(x, g, None, options, by_cell) for x, g in _blocks(source, groups)]
    reduce = dask.delayed(_merge_all, pure=True)
    while len(level) > 1:
        level = [reduce(level[i : i + FAN_IN]) for i in range(0, len(level), FAN_IN)]
    total = dask.compute(level[0])[0]
    if total is None:
        raise InputError("source has no rows; nothing can be estimated from it.")
    return total


def _part(part: Any, groups: Any, features: Any, options: Mapping[str, Any], by_cell: bool) -> Moments | None:
    return chunk_moments(part, features, groups, options, by_cell) if len(part) else None


def _merge_all(parts: list[Moments | None]) -> Moments | None:
    total: Moments | None = None
    for part in parts:
        if part is not None:
            total = part if total is None else merge(total, part)
    return total


def _blocks(X: Any, groups: Any) -> list[tuple[Any, Any]]:
    """Blocks of rows of an array with the labels of the same rows."""
    if X.ndim != 2:
        raise InputError(f"source has {X.ndim} dimensions; give rows and columns.")
    X = X.rechunk({1: -1})
    rows = X.to_delayed()[:, 0]
    if groups is None:
        return [(x, None) for x in rows]
    if not hasattr(groups, "rechunk"):
        import dask.array as da

        groups = da.from_array(groups, chunks=X.chunks[0])
    if groups.shape[0] != X.shape[0]:
        raise InputError(f"groups has {groups.shape[0]} values and source {X.shape[0]} rows; give one a row.")
    return list(zip(rows, groups.rechunk(X.chunks[0]).to_delayed(), strict=True))


def _bind(features: Any, source: Any) -> Any:
    """Bind a formula to the levels of its text columns, which the workers collect."""
    if not (isinstance(features, str) and "~" in features):
        return features
    import pandas as pd

    names = [str(c) for c in source.columns]
    levels = {
        name: None
        if pd.api.types.is_numeric_dtype(source[name].dtype)
        else tuple(sorted(label(v) for v in source[name].dropna().unique().compute()))
        for name in variables(features, names)
    }
    return Formula.with_levels(features, levels, names)
