"""A new method is one function and one row: laws, comparisons, commands and pipelines then know it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import fairstats
from fairstats.cli import cli
from fairstats.methods.registry import METHODS
from fairstats.sklearn import FairTransformer
from tests.toy_method import ROW, toy_pca

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    monkeypatch.setitem(METHODS, ROW.name, ROW)
    rng = np.random.default_rng(0)
    data = pd.DataFrame(rng.normal(size=(120, 4)), columns=list("abcd"))
    data["sex"] = rng.choice(["f", "m"], 120)
    data["a"] += 2.0 * (data["sex"] == "f")
    data["y"] = (data["a"] + data["b"] + rng.normal(size=120) > 1).astype(int)
    return data


def test_it_is_public_while_it_is_registered(table: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fairstats.toy_pca is toy_pca and "toy_pca" in dir(fairstats)
    monkeypatch.delitem(METHODS, "toy_pca")
    assert not hasattr(fairstats, "toy_pca")


def test_comparisons_and_reports_know_it(table: pd.DataFrame) -> None:
    arguments = {"outcome": "y", "groups": "sex", "features": list("abcd"), "n_repeats": 4, "progress": False}
    assert "toy_pca" in fairstats.compare(table, methods=["none", "toy_pca"], k=2, **arguments).summary()
    assert "Nobody (2026)" in fairstats.report(toy_pca(table[list("abcd")], table["sex"], 2)).html


def test_the_command_line_knows_it(table: pd.DataFrame, tmp_path: Path) -> None:
    source, target = tmp_path / "people.csv", tmp_path / "scores.csv"
    table.to_csv(source, index=False)
    done = CliRunner().invoke(
        cli, ["fit", "toy_pca", str(source), "--groups", "sex", "--features", "a,b,c,d", "-k", "2", "--to", str(target)]
    )
    assert done.exit_code == 0, done.output
    assert target.exists()


def test_pipelines_know_it(table: pd.DataFrame) -> None:
    X, g = table[list("abcd")].to_numpy(), table["sex"].to_numpy()
    scores = FairTransformer("toy_pca", k=2).fit_transform(X, sensitive_features=g)
    np.testing.assert_allclose(scores, fairstats.fair_pca(X, g, k=2).transform(X), atol=1e-9)


def test_fits_are_refitted_by_their_name(table: pd.DataFrame, tmp_path: Path) -> None:
    X, g = table[list("abcd")], table["sex"]
    fit = toy_pca(X, g, 2)
    again = fairstats.load(fit.save(tmp_path / "fit.npz"))
    np.testing.assert_array_equal(again.transform(X), fit.transform(X))
    assert fit.crossfit(X, g).scores.shape == (120, 2)


# Laws that are about labels, classes of results, lines of summaries and the defaults of R, not about every method.
OTHER_LAWS = {
    *("test_labels.py", "test_results.py", "test_fit_summaries.py", "test_defaults.py", "test_studies.py"),
    "test_one_way.py",
    "test_preserving.py",  # of methods that keep an outcome
    "test_hard_data.py",  # guarantees of each method by arithmetic of its own
}


def test_the_laws_reject_it() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "tests.toy_method", "-k", "toy_pca", "tests/laws"]
    command += ["-m", "not slow"]  # the long laws, too
    settings = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": ""}
    done = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
    kept = set(re.findall(r"^PASSED tests/laws/(test_\w+\.py)::", done.stdout, flags=re.M))
    assert kept == {file.name for file in (ROOT / "tests" / "laws").glob("test_*.py")} - OTHER_LAWS
