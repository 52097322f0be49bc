"""Where the numbers come from: the data, the call, the versions, the time."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from fairstats.arguments import shown
from fairstats.data.columns import Columns
from fairstats.errors import InputError
from fairstats.files import existing

PACKAGES = ("fairstats", "numpy", "scipy", "pandas", "scikit-learn")


@dataclass(frozen=True)
class DataSource:
    """Where the rows came from; the hash is of the file, "" for data in memory."""

    name: str
    sha256: str
    rows: int
    columns: int


@dataclass(frozen=True)
class Provenance:
    """The data, the call, the versions, the seed and the time of a run: what is needed to run it again."""

    call: str
    seed: int
    versions: dict[str, str]
    created: str  # ISO 8601, UTC; SOURCE_DATE_EPOCH is honored


def take_in(data: Any, labels: Iterable[str] = ()) -> tuple[Columns, DataSource]:
    """A table in memory, or one read from a file, with its origin.

    Parameters
    ----------
    data : table, str or Path
        A pandas, polars or pyarrow table, a dictionary of columns, or the path of a CSV, Parquet or Arrow file; what
        `read_table` returned; several files as one table.
    labels : iterable of str
        Columns that hold labels: what a text file says of them is not made numbers that are fewer.

    Returns
    -------
    Columns, DataSource

    Raises
    ------
    InputError, FileError
        If it is not a table, or the file cannot be read.

    Examples
    --------
    >>> take_in({"sex": ["f", "m"]})[1].name
    'data in memory'
    """
    from fairstats.data.several import Several
    from fairstats.data.sources import Table, read_table

    if isinstance(data, (str, Path, Table, Several)):
        if isinstance(data, (str, Path)):
            table = read_table(existing(data, "data"), labels=labels)
        else:
            table = data if isinstance(data, Table) else data.table(labels)
        return Columns(table.frame), DataSource(table.name, table.sha256, table.rows, table.columns)
    columns = Columns(data)
    return columns, DataSource("data in memory", "", columns.n, len(columns.names))


def provenance(call: str, seed: int) -> Provenance:
    """The versions, the seed and the time (``SOURCE_DATE_EPOCH`` is honored) of a run.

    Parameters
    ----------
    call : str
        The call that repeats it.
    seed : int
        The seed of everything random.

    Returns
    -------
    Provenance

    Examples
    --------
    >>> provenance("audit(...)", 0).seed
    0
    """
    versions = {"python": platform.python_version(), **{p: version(p) for p in PACKAGES}}
    return Provenance(call, seed, versions, now())


def run_records(data: Iterable[DataSource], run: Provenance | None) -> dict[str, Any]:
    """Where the rows came from and how it was run, JSON-ready, for results that keep them apart from their numbers.

    Examples
    --------
    >>> run_records((), None)
    {'data': [], 'provenance': None}
    """
    return {"data": [asdict(one) for one in data], "provenance": None if run is None else asdict(run)}


def now() -> str:
    """The time of a run, ISO 8601 in UTC: that of the variable ``SOURCE_DATE_EPOCH`` where it is set."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        moment = datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)
    except (ValueError, OverflowError, OSError) as problem:
        raise InputError(
            f"the variable SOURCE_DATE_EPOCH has {shown(epoch)}; it is a time in whole seconds since 1970; correct or "
            "unset it."
        ) from problem
    return moment.isoformat(timespec="seconds")


def digests(results: Iterable[object]) -> tuple[str, ...]:
    """SHA-256 of the data and of the protocol of each result that was read from files."""
    parts = [getattr(result, name, None) for result in results for name in ("data", "protocol")]
    return tuple(dict.fromkeys(digest for part in parts if (digest := getattr(part, "sha256", ""))))


@cache
def version(package: str) -> str:
    """The version of a package that runs here."""
    if package == "fairstats":  # the code that runs, not what an installer once noted beside it
        import fairstats

        return fairstats.__version__
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def call_text(name: str, source: DataSource, given: dict[str, Any]) -> str:
    """The call as text, default arguments left out.

    Examples
    --------
    >>> call_text("audit", DataSource("a.csv", "c0ffee", 1, 1), {"groups": "sex", "seed": 1})
    "audit('a.csv', groups='sex', seed=1)"
    """
    first = repr(source.name) if source.sha256 else "data"
    return f"{name}({', '.join([first, *(f'{k}={_plain(v)!r}' for k, v in given.items())])})"


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value
