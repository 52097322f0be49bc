"""One table of people in everything that may hold one."""

from __future__ import annotations

import sqlite3
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

COLUMNS = {
    "g": "text",
    "code": "bigint",
    "whole": "double precision",
    "flag": "boolean",
    "day": "date",
    "dept": "text",
    "d": "bigint",
    "y": "boolean",
    "w": "double precision",
    "score": "double precision",
}


def people(seed: int, n: int) -> pd.DataFrame:
    """Labels of every kind, with gaps: padded text, integers, whole floats, logicals, days."""
    rng = np.random.default_rng(seed)
    days = np.array(["2020-01-01", "2021-06-30"], dtype="datetime64[s]")
    table = pd.DataFrame(
        {
            "g": rng.choice(["a", "b", "01", "ä:'x"], n, p=[0.4, 0.3, 0.2, 0.1]),
            "code": rng.integers(8, 12, n),
            "whole": rng.choice([1.0, 2.0, 10.0], n),
            "flag": rng.random(n) < 0.4,
            "day": rng.choice(days, n),
            "dept": rng.choice(list("xyz"), n),
            "d": rng.integers(0, 2, n),
            "y": rng.random(n) < 0.5,
            "w": rng.gamma(2.0, 1.0, n) * (rng.random(n) > 0.05),
            "score": rng.integers(0, 9, n) / 3,
            "unread": rng.random(n),
        }
    )
    entries = {"code": "Int64", "flag": "boolean", "d": "Int64", "y": "boolean"}
    table = table.astype(entries)
    for column in ("g", "code", "whole", "flag", "day", "dept", "d", "y", "score"):
        table.loc[rng.random(n) < 0.08, column] = None
    return table


def arrow(table: pd.DataFrame) -> Any:
    import pyarrow as pa

    result = pa.Table.from_pandas(table, preserve_index=False)
    i = result.schema.get_field_index("day")
    return result.set_column(i, "day", result["day"].cast(pa.date32()))


def rows(table: pd.DataFrame) -> list[tuple]:
    """Rows as a database takes them."""
    return [tuple(row.values()) for row in arrow(table[list(COLUMNS)]).to_pylist()]


def in_duckdb(table: pd.DataFrame, folder: Path) -> Any:
    return pytest.importorskip("duckdb").connect().from_arrow(arrow(table))


def in_ibis_duckdb(table: pd.DataFrame, folder: Path) -> Any:
    backend = pytest.importorskip("ibis").duckdb.connect()
    people = arrow(table)
    backend.con.register("held", people)
    backend.con.execute("CREATE TABLE people AS SELECT * FROM held")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Ibis calls what this DuckDB has renamed
        return backend.table("people")


def in_sqlite(table: pd.DataFrame, folder: Path) -> Any:
    path = folder / f"people{len(table)}.sqlite"
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as connection:
        connection.execute(f"CREATE TABLE people ({', '.join(f'{k} {v}' for k, v in COLUMNS.items())})")
        places = ", ".join("?" * len(COLUMNS))
        days = [tuple(str(v) if hasattr(v, "year") else v for v in row) for row in rows(table)]
        connection.executemany(f"INSERT INTO people VALUES ({places})", days)
    connection.close()
    return pytest.importorskip("ibis").sqlite.connect(path).table("people")


def in_postgres(table: pd.DataFrame, backend: Any, name: str = "people") -> Any:
    with backend.con.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {name}")
        cursor.execute(f"CREATE TABLE {name} ({', '.join(f'{k} {v}' for k, v in COLUMNS.items())})")
        with cursor.copy(f"COPY {name} FROM STDIN") as copy:
            for row in rows(table):
                copy.write_row(row)
    backend.con.commit()
    return backend.table(name)


def in_polars(table: pd.DataFrame, folder: Path) -> Any:
    return pytest.importorskip("polars").from_arrow(arrow(table)).lazy()


def in_dask(table: pd.DataFrame, folder: Path) -> Any:
    return pytest.importorskip("dask.dataframe").from_pandas(table, npartitions=3)


def in_reader(table: pd.DataFrame, folder: Path) -> Any:
    import pyarrow as pa

    whole = arrow(table)
    return pa.RecordBatchReader.from_batches(whole.schema, whole.to_batches(max_chunksize=97))


def in_dataset(table: pd.DataFrame, folder: Path) -> Any:
    import pyarrow.dataset as ds

    return ds.dataset(arrow(table))


def _files(table: pd.DataFrame, folder: Path, suffix: str, write: Callable[[Any, Path], None]) -> Path:
    into = folder / suffix
    into.mkdir(exist_ok=True)
    for old in into.iterdir():
        old.unlink()
    for i in range(4):
        write(table.iloc[i::4], into / f"part-{i}.{suffix}")
    return into


def in_parquet_folder(table: pd.DataFrame, folder: Path) -> Any:
    import pyarrow.parquet as pq

    return _files(table, folder, "parquet", lambda part, path: pq.write_table(arrow(part), path, row_group_size=50))


def in_parquet_glob(table: pd.DataFrame, folder: Path) -> Any:
    return str(in_parquet_folder(table, folder) / "*.parquet")


def in_feather_files(table: pd.DataFrame, folder: Path) -> Any:
    from pyarrow import feather

    return sorted(
        _files(table, folder, "feather", lambda part, path: feather.write_feather(arrow(part), path)).iterdir()
    )


def in_csv_folder(table: pd.DataFrame, folder: Path) -> Any:
    return _files(table, folder, "csv", lambda part, path: part.to_csv(path, index=False))


def in_tables(table: pd.DataFrame, folder: Path) -> Any:
    return (table.iloc[i : i + 113] for i in range(0, len(table), 113))


HOLDERS = {name[3:]: make for name, make in list(globals().items()) if name.startswith("in_") and name != "in_postgres"}
