"""Moments of data larger than memory: Parquet, Arrow and CSV data sets, iterators of chunks, Dask collections."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from fairstats.data.batches import reader_of
from fairstats.data.design import Design, once
from fairstats.data.formula import Formula, variables
from fairstats.data.groups import Continuous, label_names
from fairstats.data.moments import (
    Moments,
    chunk_design,
    chunk_moments,
    merge,
    refuse_names,
    regrouped,
    warn_of_groups_as_features,
)
from fairstats.data.scan import UNNAMED, Choice, Scan, open_scan, paths_of, write_parquet
from fairstats.data.tables import Columns, check_numeric_labels, is_table
from fairstats.errors import InputError, not_installed
from fairstats.files import check_targets
from fairstats.labels import column_parts, label, ordered, renamed
from fairstats.validation import Missing, answering, flag, items, renamed_arguments, shown, word


@answering
def moments(
    source: Any,
    groups: Any = None,
    *,
    features: Any = None,
    y: Any = None,
    weights: Any = None,
    missing: Missing = "raise",
    by_cell: bool = True,
    progress: bool = False,
) -> Moments:
    """Compute counts, means and second moments by group, in one pass over the data and in bounded memory.

    Parameters
    ----------
    source : path, glob, list of paths, where the rows are, table, array, or iterator of tables
        ``"folder/*.parquet"``, a folder, ``.parquet``, ``.feather``/``.arrow`` or ``.csv`` files. Labels of CSV files
        are text unless all of a column are numbers, spelled in one way. Or an Arrow data set or stream, a Dask
        collection, a polars lazy frame, a DuckDB relation or an Ibis table.
    groups : column name(s)
        As for every fit; labels (n,) where ``source`` is an array.
    features : formula or list of column names, optional
        Default: every column that ``groups``, ``y`` and ``weights`` do not name; all are then numbers.
    y, weights : column name, optional
    missing : {"raise", "level", "drop"}
    by_cell : bool
        Keep second moments by group (needed by methods that compare groups); False needs less memory.
    progress : bool
        Draw a progress bar on stderr.

    Returns
    -------
    Moments
        Methods that need no rows take it in the place of X; the others say so.

    Raises
    ------
    InputError
        A file that lacks a column, or holds another type, than the first.
    SourceError
        An engine does not answer.

    Notes
    -----
    An engine gives rows as Arrow batches. Memory is that of a few row groups plus G·p² numbers, whatever the number of
    rows. A formula with text columns reads those columns once before, for their levels. On Dask the partitions are
    reduced as a tree on the workers; only p × p matrices reach the client.

    Examples
    --------
    >>> import fairstats as fs
    >>> chunks = [{"x": [1.0, 2.0], "g": ["u", "v"]}, {"x": [3.0, 5.0], "g": ["u", "v"]}]
    >>> fs.moments(chunks, "g").n.tolist()
    [2, 2]
    """
    by_cell, progress = flag("by_cell", by_cell), flag("progress", progress)
    options = {"y": y, "weights": weights, "missing": missing}
    if _is_dask(source):
        m = dask_moments(source, groups, features, options, by_cell)
        warn_of_groups_as_features(m)
        return finished(m)
    if isinstance(source, np.ndarray) or sparse.issparse(source):
        refuse_names(features)
        with renamed_arguments(X="source"):
            return Moments.of(source, groups, by_cell=by_cell, **options)
    if is_table(source):
        if features is None:
            with renamed_arguments(X="source"):
                return Moments.of(source, groups, by_cell=by_cell, **options)
        with renamed_arguments(X="features", data="source"):
            return Moments.of(features, groups, data=source, by_cell=by_cell, **options)
    scan = open_scan(
        source,
        wanted(features, groups, y, weights),
        lambda names: {**_named_columns("groups", label_names(groups), names), **_named_columns("y", y, names)},
    )
    bound = bind(features, scan)
    total: Moments | None = None
    with renamed_arguments(X="source" if features is None else "features", data="source"):
        for part in _bar(scan, progress):
            result = chunk_moments(part, bound, groups, options, by_cell)
            total = result if total is None else merge(total, result)
    if total is None:
        raise InputError("source", "has no rows; nothing can be estimated from it.", value=scan.name)
    warn_of_groups_as_features(total)
    return finished(replace(total, source=scan.name), labels_are_text=scan.labels_are_text)


@dataclass(frozen=True)
class SourceRows:
    """The rows of a source, part by part, read anew at every ``read()`` unless they can be read ``once`` only."""

    name: str
    once: bool
    labels_are_text: bool
    read: Callable[[], Iterator[Design]]


PART_BYTES = 16 << 20  # of rows in memory that are looked at together


def parts_of(source: Any, groups: Any, features: Any, options: Mapping[str, Any], progress: bool) -> SourceRows:
    """Return the checked rows of a source as ``moments`` takes it, but for Dask collections."""
    if _is_dask(source):
        raise InputError("source", "is a Dask collection, whose parts lie elsewhere; pass files, or one part a time.")
    if isinstance(source, np.ndarray) or sparse.issparse(source) or is_table(source):
        if not is_table(source):
            refuse_names(features)
        X, data = (source, None) if features is None else (features, source)
        with renamed_arguments(X="source" if features is None else "features", data="source"):
            whole = Design.of(X, groups, data=data, at_least=1, **options)
        rows = max(1, PART_BYTES // (8 * whole.p))
        cuts = [slice(i, i + rows) for i in range(0, whole.n, rows)]
        return SourceRows("rows in memory", False, False, lambda: (whole.take(np.arange(whole.n)[cut]) for cut in cuts))

    def scanned() -> Scan:
        return open_scan(
            source,
            wanted(features, groups, None, options["weights"]),
            lambda names: _named_columns("groups", label_names(groups), names),
        )

    first = scanned()
    once = isinstance(source, Iterator) or reader_of(source) is not None
    bound = bind(features, first)

    def read() -> Iterator[Design]:
        with renamed_arguments(X="source" if features is None else "features", data="source"):
            for part in _bar(first if once else scanned(), progress):
                yield chunk_design(part, bound, groups, options)

    return SourceRows(first.name, once, first.labels_are_text, read)


def wanted(features: Any, groups: Any, y: Any, weights: Any) -> Choice:
    """Return which columns of a file have to be read, and which argument asks for them."""

    def choose(names: tuple[str, ...]) -> dict[str, str]:
        if features is None:
            arguments = dict.fromkeys(names, UNNAMED)
        else:
            current = variables(features, names) if isinstance(features, str) else _named(features)
            arguments = dict.fromkeys(current, "features")
        for argument, value in (("groups", groups), ("y", y), ("weights", weights)):
            role = _named_columns(argument, value, names)
            arguments = {**arguments, **role} if features is None else {**role, **arguments}
        return arguments

    return choose


def _named(features: Any) -> tuple[str, ...]:
    return once((word("features", name) for name in items("features", features, "columns")), "features")


def _named_columns(argument: str, value: Any, names: tuple[str, ...]) -> dict[str, str]:
    """The columns that an argument names, each with the argument."""
    if value is None:
        return {}
    if isinstance(value, Continuous):
        return _named_columns(argument, value.values, names)
    if isinstance(value, str):
        return dict.fromkeys(column_parts(value, names), argument)
    if not isinstance(value, (list, tuple)):
        raise InputError(argument, f"has {shown(value)}; the source is read from files; pass the name of a column.")
    return {name: argument for one in value for name in _named_columns(argument, one, names)}


def bind(features: Any, scan: Scan) -> Any:
    """Return a formula bound to the levels that its text columns have in the whole source."""
    if not (isinstance(features, str) and "~" in features):
        return features
    text = scan.text_levels(variables(features, scan.columns))
    return Formula.with_levels(features, text, scan.columns)


def finished(m: Moments, *, labels_are_text: bool = False) -> Moments:
    """Return the moments with the labels, and the order of levels, that the whole data in memory would give."""
    names, order, numbers = [], [], []
    for attribute, levels, current in zip(m.attributes, m.levels, m.numbers, strict=True):
        to, marks = renamed(levels, current) if labels_are_text else ({v: v for v in levels}, current)
        if attribute != m.outcome:
            check_numeric_labels(attribute, tuple(to.values()), marks)
        names.append(to)
        numbers.append(marks)
        order.append(tuple(ordered({*to.values()}, marks)))
    cells = [tuple(to[v] for to, v in zip(names, cell, strict=True)) for cell in m.cells]
    rank = [{v: i for i, v in enumerate(levels)} for levels in order]
    kept = sorted({*cells}, key=lambda cell: tuple(r[v] for r, v in zip(rank, cell, strict=True)))
    row = np.array([kept.index(cell) for cell in cells])  # TRUE and True are one
    return regrouped(replace(m, numbers=tuple(numbers)), row, m.attributes, tuple(order), tuple(kept), m.outcome)


def _is_dask(source: Any) -> bool:
    return type(source).__module__.split(".")[0] in ("dask", "dask_expr")


def _bar(scan: Scan, progress: bool) -> Iterator[Any]:
    if not progress:
        yield from scan
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task(scan.name[-40:], total=scan.rows or None)
        for part in scan:
            yield part
            bar.advance(task, Columns(part).n)


def transform_files(
    fit: Any, source: Any, to: str | Path, *, keep: list[str] | None = None, progress: bool = False
) -> Path:
    """Write the scores of a source larger than memory to Parquet, chunk by chunk.

    fit: with named features; the columns of its groups are read too, where its scores need them.
    to: one Parquet file with the columns ``score_1`` … ``score_k`` after those in ``keep``.
    keep: columns to copy beside the scores.
    Raises FileError: the folder of ``to`` is missing, or ``to`` is a file of the source.
    """
    import pyarrow as pa

    check_targets([to], paths_of(source))
    kept = [word("keep", name) for name in items("keep", [] if keep is None else keep, "columns")]
    progress = flag("progress", progress)
    needed = list(fit.scaling.formula.variables) if fit.scaling.formula is not None else list(fit.features)
    groups: list[str] = []
    if fit.coefficients is not None:
        groups = [*fit.encoding.names, *fit.encoding.continuous_names]
    scan = open_scan(
        source,
        lambda names: {
            **dict.fromkeys(kept, "keep"),
            **_named_columns("source", groups, names),
            **dict.fromkeys(needed, "source"),
        },
        lambda names: _named_columns("groups", groups, names),
    )

    def tables() -> Iterator[Any]:
        for part in _bar(scan, progress):
            scores = fit._mapped(part)
            columns = {name: part[name] for name in kept}
            yield pa.table({**columns, **{f"score_{j + 1}": scores[:, j] for j in range(fit.k)}})

    return write_parquet(tables(), to)


# Moments of Dask collections: a tree reduction on the workers; only p × p matrices reach the client.


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
        raise InputError("source", "has no rows; nothing can be estimated from it.")
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
        raise InputError("source", f"has {X.ndim} dimensions; give rows and columns.")
    X = X.rechunk({1: -1})
    rows = X.to_delayed()[:, 0]
    if groups is None:
        return [(x, None) for x in rows]
    if not hasattr(groups, "rechunk"):
        import dask.array as da

        groups = da.from_array(groups, chunks=X.chunks[0])
    if groups.shape[0] != X.shape[0]:
        raise InputError("groups", f"has {groups.shape[0]} values and source {X.shape[0]} rows; give one a row.")
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
