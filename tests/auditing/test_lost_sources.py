"""What holds the rows stops, refuses, or cannot do what is asked: one clear error and nothing written."""

from __future__ import annotations

import tempfile
import threading
import time
from pathlib import Path

import pytest

import fairstats
from fairstats.errors import InputError, SourceError
from tests.auditing.engines import arrow, in_postgres, people
from tests.auditing.test_sources import same
from tests.postgres import server


@pytest.fixture(scope="module")
def result():
    with tempfile.TemporaryDirectory(prefix="pg") as folder, server(Path(folder)) as running:
        yield running


@pytest.mark.long
def test_a_connection_cut_in_the_middle_of_the_query_is_one_error(result, tmp_path):
    """The query waits in the server until its backend process is ended from another connection."""
    backend, other = result.connect(), result.connect()
    in_postgres(people(7, 50), backend)
    backend.con.execute("CREATE VIEW waiting AS SELECT people.* FROM people, (SELECT pg_sleep(60)) AS nap")
    backend.con.commit()
    process = backend.con.execute("SELECT pg_backend_pid()").fetchone()[0]
    backend.con.commit()
    source = backend.table("waiting")
    cut = []

    def cuts() -> None:
        running = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s AND wait_event = 'PgSleep'"
        while not other.con.execute(running, (process,)).fetchone()[0]:
            other.con.commit()
            time.sleep(0.02)
        cut.append(other.con.execute("SELECT pg_terminate_backend(%s)", (process,)).fetchone()[0])

    thread = threading.Thread(target=cuts, daemon=True)
    thread.start()
    with pytest.raises(
        SourceError, match=r"waiting .postgres. did not count the columns g, d \(.*(lost|terminat)"
    ) as error:
        fairstats.audit(source, "d", "g").report(tmp_path / "audit.html")
    thread.join(10)
    assert cut == [True]
    assert "\n" not in str(error.value) and "nothing was estimated" in str(error.value)
    assert list(tmp_path.iterdir()) == []
    other.disconnect()


@pytest.mark.long
@pytest.mark.parametrize(
    ("column", "kind", "words"),
    [
        ("j", SourceError, "odd .postgres. did not count the columns j, d .*equality operator for type json"),
        ("xs", InputError, "groups='xs' holds list values, which are no labels"),
        ("b", InputError, "groups='b' holds b'x', which is bytes and no text"),
        ("u", SourceError, "odd .postgres. did not count the columns u, d"),
    ],
)
def test_a_type_that_is_no_label_is_one_error(column, kind, words, result, tmp_path):
    backend = result.connect()
    backend.con.execute(
        "CREATE TABLE IF NOT EXISTS odd AS SELECT '{}'::json AS j, '{1}'::bigint[] AS xs, 'x'::bytea AS b, "
        "gen_random_uuid() AS u, d FROM generate_series(0, 1) AS d"
    )
    backend.con.commit()
    with pytest.raises(kind, match=words) as error:
        fairstats.tally(backend.table("odd"), "d", column).save(tmp_path / "odd.npz")
    assert "\n" not in str(error.value) and list(tmp_path.iterdir()) == []
    backend.disconnect()


@pytest.mark.parametrize("engine", ["duckdb", "polars", "reader"])
def test_lists_are_no_labels_of_any_engine(engine):
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"g": [[1], [2], [1]], "d": [0, 1, 1]})
    if engine == "duckdb":
        source = pytest.importorskip("duckdb").connect().from_arrow(table)
    else:
        source = table.to_reader() if engine == "reader" else pytest.importorskip("polars").from_arrow(table).lazy()
    with pytest.raises(fairstats.errors.FairstatsError, match=r"holds list values|Keys of type list") as error:
        fairstats.tally(source, "d", "g")
    assert "\n" not in str(error.value)


def test_a_query_that_fails_or_finds_nobody_is_one_error():
    connection = pytest.importorskip("duckdb").connect()
    connection.register("people", arrow(people(3, 60)))
    with pytest.raises(InputError, match=r"data has no rows \(DuckDB relation\)"):
        fairstats.audit(connection.sql("SELECT * FROM people WHERE false"), "d", "g")
    with pytest.raises(SourceError, match=r"did not count the columns g, d \(.*boom"):
        fairstats.audit(
            connection.sql("SELECT d, CASE WHEN d = 1 THEN error('boom') ELSE g END AS g FROM people"), "d", "g"
        )


@pytest.mark.long
def test_a_connection_that_is_lost_is_one_error(tmp_path):
    with tempfile.TemporaryDirectory(prefix="pg") as folder, server(Path(folder)) as built:
        backend = built.connect()
        source = in_postgres(people(7, 50), backend)
        backend.con.execute("CREATE ROLE nobody_asked; SET ROLE nobody_asked")
        with pytest.raises(
            fairstats.errors.SourceError, match=r"people .postgres. .*columns g, d .*permission denied"
        ) as error:
            fairstats.audit(source, "d", "g")
        assert "\n" not in str(error.value)
        backend.con.rollback()
        built.stop()
        with pytest.raises(fairstats.errors.SourceError, match=r"people .postgres. did not count the columns g, d \("):
            fairstats.audit(source, "d", "g").save(tmp_path / "audit.json")
        backend.con.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_dies_changes_nothing(tmp_path):
    """Dask gives the parts of a dead worker to another one; what is joined is the same."""
    dd, distributed = pytest.importorskip("dask.dataframe"), pytest.importorskip("distributed")
    table = people(8, 300)
    mark = tmp_path / "died"

    def dies_once(part):
        import os

        if not mark.exists():
            mark.touch()
            os._exit(1)
        return part

    frame = dd.from_pandas(table, npartitions=6).map_partitions(dies_once, meta=table.iloc[:0])
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as built, distributed.Client(built):
        theirs = fairstats.tally(frame, "d", "g", score="score", weights="w")
    assert mark.exists()
    same(fairstats.tally(table, "d", "g", score="score", weights="w"), theirs)
