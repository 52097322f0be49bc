"""What each extra gives, tried in a fresh environment: run by `tests/test_installed_extras.py`, without pytest.

The folder holds ``people.csv``; each check compares with what the plain frame gives.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd

import fairstats


def numbers(result: fairstats.Audit) -> np.ndarray:
    return result.estimates.to_frame()[["n", "estimate", "conf_low", "conf_high"]].to_numpy(dtype=float)


def same(data: object, people: pd.DataFrame) -> None:
    """An audit of the people, wherever they are, is the audit of the frame."""
    expected = fairstats.audit(people, "hired", ["race", "sex"], outcome="good")
    audit = fairstats.audit(data, "hired", ["race", "sex"], outcome="good")  # type: ignore[arg-type]
    np.testing.assert_allclose(numbers(audit), numbers(expected), rtol=1e-9, atol=1e-12)


def tables(folder: Path, people: pd.DataFrame) -> None:
    result = fairstats.audit(people, "hired", "race")
    built = fairstats.table(result, "rates")
    for ending in ("docx", "xlsx"):
        assert built.save(folder / f"rates.{ending}").stat().st_size > 1000
    assert "Selection rate" in built.to_gt().as_raw_html()
    assert pd.read_excel(folder / "rates.xlsx", header=2)["n"].dropna().sum() == len(people)
    fairstats.report(result, to=folder / "audit.docx")


def duckdb(folder: Path, people: pd.DataFrame) -> None:
    import duckdb

    same(duckdb.from_df(people), people)
    same(duckdb.read_csv(str(folder / "people.csv")), people)


def sql(folder: Path, people: pd.DataFrame) -> None:
    import ibis

    same(ibis.duckdb.connect().create_table("people", people), people)


def scale(folder: Path, people: pd.DataFrame) -> None:
    import dask.dataframe as dd
    import pyarrow as pa

    people.to_parquet(folder / "people.parquet")
    same(folder / "people.parquet", people)
    same(pa.Table.from_pandas(people).to_reader(max_chunksize=200), people)
    same(dd.from_pandas(people, npartitions=3), people)
    whole = fairstats.og(["x", "z"], "race", data=people, k=1)
    parts = fairstats.og(fairstats.moments(folder / "people.csv", "race", features=["x", "z"]), k=1)
    np.testing.assert_allclose(parts.components_, whole.components_, atol=1e-9)
    scores = pd.read_parquet(whole.transform_to(folder / "people.csv", folder / "scores.parquet"))
    np.testing.assert_allclose(scores.to_numpy(), whole.transform(people).to_numpy(), atol=1e-9)


def compare(folder: Path, people: pd.DataFrame) -> None:
    sexes = people.assign(y=people["hired"])
    for method in (fairstats.comparators.fpca, fairstats.comparators.mbf_pca):
        assert method(["x", "z", "score"], "sex", k=1, data=people).summary()
    comparison = fairstats.compare(
        sexes, outcome="y", groups="sex", features=["x", "z", "score"], methods=["none", "correlation_remover"],
        model=["logistic", fairstats.fairlearn_reduction("demographic_parity")], n_repeats=2, progress=False,
    )  # fmt: skip
    assert len(comparison.terms) == 4 and comparison.finding()


if __name__ == "__main__":
    place = Path(fairstats.__file__).resolve()
    assert "site-packages" in place.parts, f"this is not the wheel: {place}"
    at = Path(sys.argv[1])
    known = pd.read_csv(at / "people.csv")
    for check in (tables, duckdb, sql, scale, compare):
        check(at, known)
        print(check.__name__, flush=True)
