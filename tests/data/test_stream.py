"""Chunks, files and Dask give what the whole gives; files that disagree are refused."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.errors import FairstatsWarning, FileError, InputError


@pytest.fixture
def people(rng: np.random.Generator) -> pd.DataFrame:
    n = 1000
    race = rng.choice(["b", "w", "o"], n)
    return pd.DataFrame(
        {
            "age": rng.normal(40, 10, n) + 3 * (race == "b"),
            "priors": rng.poisson(2, n).astype(float),
            "sex": rng.choice(["F", "M"], n),
            "race": race,
            "site": rng.choice([10, 9], n),
        }
    )


def parts(frame: pd.DataFrame, folder: Path) -> str:
    for i in range(4):
        frame.iloc[i * 250 : (i + 1) * 250].to_parquet(folder / f"part-{i}.parquet", index=False)
    return str(folder / "part-*.parquet")


def close(a: fairstats.Moments, b: fairstats.Moments) -> None:
    assert a.cells == b.cells and a.levels == b.levels and a.features == b.features
    np.testing.assert_array_equal(a.n, b.n)
    np.testing.assert_allclose(a.shift + a.delta, b.shift + b.delta, rtol=1e-12)
    np.testing.assert_allclose(a.scatter, b.scatter, rtol=1e-10)


@pytest.mark.parametrize("features", [["age", "priors"], "~ (age + priors + sex)^2"])
def test_parquet_parts_equal_the_frame(people: pd.DataFrame, tmp_path: Path, features) -> None:
    pytest.importorskip("pyarrow")
    whole = fairstats.Moments.of(features, ["race", "site"], data=people)
    close(fairstats.moments(parts(people, tmp_path), ["race", "site"], features=features), whole)
    close(fairstats.moments(tmp_path, ["race", "site"], features=features), whole)
    a, b = fairstats.og(whole, k=2, scale=True), fairstats.og(features, ["race", "site"], k=2, data=people, scale=True)
    np.testing.assert_allclose(a.loadings, b.loadings, atol=1e-9)


def test_an_iterator_of_frames_equals_the_frame(people: pd.DataFrame) -> None:
    chunks = (people.iloc[i : i + 170] for i in range(0, 1000, 170))
    close(
        fairstats.moments(chunks, "race", features=["age", "priors"]),
        fairstats.Moments.of(["age", "priors"], "race", data=people),
    )


def test_an_index_with_a_name_is_no_feature_in_silence(tmp_path: Path) -> None:
    """Known from what pandas notes in the file, it is left out; where an engine lost the note, by its numbers."""
    ds, pq, pl, duckdb = map(pytest.importorskip, ("pyarrow.dataset", "pyarrow.parquet", "polars", "duckdb"))
    rng = np.random.default_rng(0)
    named = pd.DataFrame({"x": rng.normal(size=50), "g": ["a", "b"] * 25}, index=pd.Index(np.arange(50) + 7, name="id"))
    file = str(tmp_path / "named.parquet")
    named.to_parquet(file)
    for source in (file, ds.dataset(file), pq.read_table(file)):
        with pytest.warns(FairstatsWarning, match=r"'id' as the index of a pandas table, which .* no feature") as seen:
            assert fairstats.moments(source, "g").features == ("x",)
        assert len(seen) == 1
        assert fairstats.moments(source, "g", features=["x", "id"]).features == ("x", "id")  # named: wanted
    counts = "'id' among its features, which counts the rows"
    for source in (pl.read_parquet(file), pl.scan_parquet(file), duckdb.sql(f"from '{file}'"), named.reset_index()):
        with pytest.warns(FairstatsWarning, match=counts):
            fairstats.moments(source, "g")
        assert fairstats.moments(source, "g", features=["x"]).features == ("x",)
    with pytest.warns(FairstatsWarning, match=counts):
        fairstats.og(pl.read_parquet(file), "g", k=1)
    rows = named.iloc[rng.permutation(50)].reset_index(drop=True)
    csv = tmp_path / "rows.csv"
    rows.iloc[rng.permutation(50)].to_csv(csv)
    for source in (csv, pd.read_csv(csv), rows.iloc[rng.permutation(50)].reset_index()):
        with pytest.warns(FairstatsWarning, match=r"'(|Unnamed: 0|index)' among its features, which by its name"):
            fairstats.moments(source, "g")
    fairstats.moments(rows.assign(id=rng.permutation(50)), "g")  # an order of its own is a feature


def test_scores_are_written_chunk_by_chunk(people: pd.DataFrame, tmp_path: Path) -> None:
    source = parts(people, tmp_path)
    fit = fairstats.og("~ age + priors + sex", "race", k=2, data=people)
    to = fit.transform_to(source, tmp_path / "scores.pq", keep=["race"])
    result = pd.read_parquet(to)
    np.testing.assert_allclose(result[["score_1", "score_2"]], fit.transform(people), atol=1e-10)
    assert list(result["race"]) == list(people["race"])


def test_a_folder_with_tables_that_are_not_read_from_one_is_refused(people: pd.DataFrame, tmp_path: Path) -> None:
    people.iloc[:250].to_csv(tmp_path / "a.csv", index=False)
    for name in (".hidden.tsv", "report.json", "readme.txt"):
        (tmp_path / name).write_text("x")
    assert sum(cell.n for cell in fairstats.audit(tmp_path, "sex", "race", favorable="F").cells) == 250
    people.iloc[250:].to_csv(tmp_path / "b.csv.gz", index=False)
    with pytest.raises(InputError, match=r"a folder that also holds b\.csv\.gz; from a folder are read \.parquet"):
        fairstats.audit(tmp_path, "sex", "race", favorable="F")


def test_an_interrupted_write_leaves_the_old_file(people: pd.DataFrame, tmp_path: Path, monkeypatch) -> None:
    fit = fairstats.og(["age", "priors"], "race", k=1, data=people)
    folder = tmp_path / "in"
    folder.mkdir()
    source = parts(people, folder)
    old = tmp_path / "scores.parquet"
    old.write_bytes(b"old")
    calls = iter([people[["age", "priors", "race"]].iloc[:5]])
    original = type(fit)._mapped

    def once(self, X, groups=None, **more):
        next(calls)
        return original(self, X, groups, **more)

    monkeypatch.setattr(type(fit), "_mapped", once)
    with pytest.raises((StopIteration, RuntimeError)):
        fit.transform_to(source, old)
    assert old.read_bytes() == b"old" and len(list(tmp_path.iterdir())) == 2


def test_a_file_that_lacks_a_column_or_has_another_type_is_refused(people: pd.DataFrame, tmp_path: Path) -> None:
    source = parts(people, tmp_path)
    people.drop(columns="priors").to_parquet(tmp_path / "part-5.parquet")
    with pytest.raises(InputError, match=r"part-5.parquet' lacks the column 'priors'"):
        fairstats.moments(source, "race", features=["age", "priors"])
    people.assign(priors=people.priors.astype(int)).to_parquet(tmp_path / "part-5.parquet")
    with pytest.raises(InputError, match=r"'priors' is int64 in .*part-5.parquet' and double"):
        fairstats.moments(source, "race", features=["age", "priors"])


def test_bad_sources(people: pd.DataFrame, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="names no file"):
        fairstats.moments(tmp_path / "none-*.parquet", "race")
    with pytest.raises(InputError, match="did you mean 'age'"):
        fairstats.moments(parts(people, tmp_path), "race", features=["agee"])
    with pytest.raises(InputError, match="source has no chunks"):
        fairstats.moments(iter([]), "race")
    with pytest.raises(InputError, match="whose levels an iterator does not tell"):
        fairstats.moments(iter([people]), "race", features="~ sex")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(FileError, match="cannot be read"):
        fairstats.moments(tmp_path / "broken.parquet", "race")


@pytest.mark.slow
def test_memory_stays_bounded(tmp_path: Path) -> None:
    import subprocess
    import sys

    n, p = 400_000, 20
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.standard_normal((n, p)), columns=[f"v{j}" for j in range(p)]).assign(
        g=rng.integers(0, 3, n)
    )
    for i in range(10):
        frame.to_parquet(tmp_path / f"{i}.parquet", row_group_size=100_000)
    code = (
        "import fairstats as fs, resource, sys; m = fs.moments(sys.argv[1], 'g', by_cell=False);"
        "print(int(m.n.sum()), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    )
    out = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True).stdout
    rows, megabytes = map(int, out.split())
    assert rows == 10 * n and megabytes < 1000  # the columns alone are 640 MB


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as result, distributed.Client(result) as client:
        yield client


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_dask_on_a_cluster_of_processes_equals_the_frame(people: pd.DataFrame, cluster) -> None:
    import dask.array as da
    import dask.dataframe as dd

    frame = dd.from_pandas(people, npartitions=5)
    close(
        fairstats.moments(frame, "race", features="~ (age + priors + sex)^2"),
        fairstats.Moments.of("~ (age + priors + sex)^2", "race", data=people),
    )
    X = people[["age", "priors"]].to_numpy()
    array = da.from_array(X, chunks=(300, 1))
    close(
        fairstats.moments(array, da.from_array(people.race.to_numpy().astype(str), chunks=250)),
        fairstats.Moments.of(X, people.race.to_numpy()),
    )


@pytest.mark.long
def test_an_index_that_pandas_wrote_is_no_feature(people: pd.DataFrame, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    duckdb, pl = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    from pyarrow import parquet

    data = people[["age", "priors", "race"]].sample(frac=1.0, random_state=0)
    for name, index in (("plain", None), ("named", "person")):
        file = str(tmp_path / f"{name}.parquet")
        data.rename_axis(index).to_parquet(file)
        table = parquet.read_table(file)
        assert len(table.column_names) == 4
        reads = [file, tmp_path / f"{name}*", table, table.to_reader(), iter([table])]
        if index is None:  # an engine passes on the names of columns only
            reads += [pl.scan_parquet(file), pl.read_parquet(file), duckdb.sql(f"select * from '{file}'")]
        for source in reads:
            source = str(source) if isinstance(source, Path) else source
            with nullcontext() if index is None else pytest.warns(FairstatsWarning, match="'person' as the index"):
                assert fairstats.moments(source, "race").features == ("age", "priors"), source
        with nullcontext() if index is None else pytest.warns(FairstatsWarning, match="'person' as the index"):
            assert fairstats.og(table, "race", 1).features == ("age", "priors")
    # Where it is named, it is a column like any other.
    assert fairstats.moments(file, "race", features=["person", "age"]).features == ("person", "age")
    assert fairstats.moments(file, fairstats.continuous("person"), features=["age"]).continuous == ("person",)
    parquet.write_table(pa.Table.from_pandas(data.set_index([data["race"].rename("of"), data.index])), file)
    assert fairstats.read_table(file).frame.columns.tolist() == ["of", "age", "priors", "race"]


@pytest.mark.long
def test_a_group_among_the_features_is_seen_in_all_rows_and_not_in_a_chunk(people: pd.DataFrame) -> None:
    """A rare dummy is of one value in each group of some chunk, by chance; a code is in all rows."""
    data = people[["age", "priors", "race"]].assign(rare=0.0, race=np.tile(["b", "w"], 500))
    data.loc[[5, 106, 500], "rare"] = 1.0
    chunks = [data.iloc[i : i + 2] for i in range(0, 1000, 2)]  # one row of each group: any value is the group's
    assert fairstats.moments(iter(chunks), "race").features == ("age", "priors", "rare")
    coded = data.assign(code=1e6 + 3.0 * (data.race == "b"))
    with pytest.warns(FairstatsWarning, match="code has one value in each group of race") as seen:
        fairstats.moments((coded.iloc[i : i + 100] for i in range(0, 1000, 100)), "race", by_cell=False)
    assert len(seen) == 1
