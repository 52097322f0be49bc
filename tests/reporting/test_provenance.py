"""The last page says what made the results: of a fit its settings, rows and features, of a comparison its call."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pandas as pd

import fairstats
from fairstats.cli import run
from fairstats.reporting.bundle import gather
from fairstats.reporting.sections.audit import limits
from tests.laws.every_result import made


def _provenance(*results: object) -> dict[str, str]:
    return dict(limits(gather(list(results), None, ""))["provenance"])


def test_a_fit_says_its_settings_its_rows_and_its_features():
    fit = made("og")
    text = _provenance(fit)["og was made with"]
    assert f"{fit.to_dict()['n']} rows" in text and "k = 2" in text
    assert all(name in text for name in fit.to_dict()["features"])
    assert "numpy" in _provenance(fit)["Versions that wrote this"]


def test_a_comparison_says_its_call_and_seed():
    text = _provenance(made("comparison"))
    assert text["Call"] == made("comparison").provenance.call and text["Seed"] == "0"


def _people(tmp_path: Path) -> tuple[pd.DataFrame, Path]:
    people = fairstats.arrests()[["age", "checks", "year", "colour"]]
    people.to_csv(tmp_path / "people.csv", index=False)
    return people, tmp_path / "people.csv"


def test_a_call_has_no_value_of_a_person_and_no_type_of_numpy(tmp_path: Path) -> None:
    people, _ = _people(tmp_path)
    people = people.head(150)
    X, groups = people[["age", "checks"]].to_numpy().tolist(), people["colour"].tolist()
    folds = [i % 3 for i in range(len(X))]
    calls = {
        fairstats.tradeoff(X, groups, ["pca"], k=np.int64(1), conf_level=np.float64(0.9), folds=folds).provenance.call:
        "tradeoff(X, groups=groups, methods=['pca'], k=1, folds=folds, conf_level=0.9, seed=0)",
        fairstats.tradeoff(["age", "checks"], groups, ["pca"], k=1, data=people.to_dict("list")).provenance.call:
        "tradeoff(['age', 'checks'], groups=groups, methods=['pca'], k=1, data=data, seed=0)",
        fairstats.tradeoff([np.str_("age"), "checks"], ["colour"], ["pca"], k=1, data=people).provenance.call:
        "tradeoff(['age', 'checks'], groups=['colour'], methods=['pca'], k=1, data=data, seed=0)",
        fairstats.select_k(X, groups, "minimax_pca", permutations=0, max_k=1, max_iter=None).provenance.call:
        "select_k(X, groups=groups, method='minimax_pca', max_k=1, permutations=0, max_iter=None, seed=0)",
    }  # fmt: skip
    for call, expected in calls.items():
        assert call == f"fairstats.{expected}"


def test_studies_of_fits_say_their_call_their_seed_their_data_and_the_versions(tmp_path: Path) -> None:
    people, path = _people(tmp_path)
    fit = fairstats.og(["age", "checks"], "colour", k=1, data=people)
    methods = ["pca", ("fair_pca", {"k": [1]})]
    given = ["age", "checks"], "colour", methods
    read, held = (fairstats.tradeoff(*given, k=1, data=data, seed=3) for data in (path, people))
    assert read.estimates == held.estimates
    sha = hashlib.sha256(path.read_bytes()).hexdigest()
    assert _provenance(read) | {
        "Call": "fairstats.tradeoff(['age', 'checks'], groups='colour', methods=['pca', ('fair_pca', {'k': [1]})], "
        "k=1, data='people.csv', seed=3)",
        "Seed": "3",
        "Data file": "people.csv",
        "SHA-256 of the data": sha,
    } == _provenance(read)
    og = f"fairstats.og(X, groups, {', '.join(f'{a}={v!r}' for a, v in fit.settings.items())})"
    assert _provenance(fit)["Call"] == og
    price = fairstats.price_of_fairness(fit, ["age", "checks"], "colour", data=people, folds=3)
    chosen = fairstats.select_k(["age", "checks"], "colour", "og", data=people, permutations=0, basis="residual")
    extra = fairstats.extra_error(fit, people, permutations=9)
    plain = fairstats.tradeoff(people[["age", "checks"]].to_numpy(), people["colour"], ["pca"])
    calls = {
        price: f"price_of_fairness({og}, X=['age', 'checks'], groups='colour', data=data, folds=3, seed=0)",
        chosen: "select_k(['age', 'checks'], groups='colour', method='og', data=data, permutations=0, "
        "basis='residual', seed=0)",
        extra: f"extra_error({og}, X=X, permutations=9, seed=0)",
        plain: "tradeoff(X, groups=groups, methods=['pca'], seed=0)",
    }
    for result, call in calls.items():
        said = _provenance(result)
        assert said["Call"] == f"fairstats.{call}" and said["Seed"] == "0" and "numpy" in said["Versions"]
        assert said["SHA-256 of the data"] == "none (not read from a file)" and result.data[0].rows == len(people)
        result.save(tmp_path / "kept.npz")
        assert fairstats.load(tmp_path / "kept.npz").provenance == result.provenance


def test_studies_of_fits_at_the_command_line_say_their_file(tmp_path: Path) -> None:
    _, path = _people(tmp_path)
    rows = [str(path), "--groups", "colour", "--features", "age,checks"]
    for words in (
        ["tradeoff", *rows, "--methods", "pca,og", "-k", "1"],
        ["price", "og", *rows, "-k", "1"],
        ["select-k", "og", *rows, "--permutations", "0"],
        ["extra-error", "og", *rows, "-k", "1", "--permutations", "9"],
        ["leakage", "og", *rows, "-k", "1", "--permutations", "9"],
    ):
        assert run([*words, "--to", str(tmp_path / "kept.npz")]) == 0
        said = _provenance(fairstats.load(tmp_path / "kept.npz"))
        assert said["Data file"] == "people.csv" and len(said["SHA-256 of the data"]) == 64, words
        assert said["Call"].startswith(f"fairstats.{words[0].replace('-', '_')}") and said["Versions"]


def test_a_clustering_says_its_vertices():
    assert "30 vertices" in _provenance(made("partition"))["fair_spectral_clustering was made with"]


def test_a_price_of_nothing_is_nothing():
    """PCA that keeps every direction loses nothing of anybody; rounding is not printed as a loss."""
    people = fairstats.arrests()
    fit = fairstats.og(people[["age", "checks", "year"]], people["colour"], k=3)
    assert [row.pca_error for row in fit.price.by_group] == [0.0, 0.0]
    assert min(row.error for row in fit.price.by_group) > 0.1
    assert "e-1" not in fit.summary().partition("Mean squared error")[2].partition("Guarantees")[0]
