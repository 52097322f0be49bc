"""What the papers report of a comparison: several k and models, given splits, representations, stored cells."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import fairstats
from fairstats.comparing import splits as representation
from fairstats.comparing.splits import bandwidth_of_scores, explained, mmd2
from fairstats.data.design import Design
from fairstats.errors import FileError, InputError
from fairstats.inference.means import corrected


def people(n: int = 400, seed: int = 0, shift: float = 1.5) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    g = rng.choice(["a", "b"], n, p=[0.6, 0.4])
    X = rng.normal(size=(n, 5)) + shift * (g == "b")[:, None] * np.array([1, 0.5, 0, 0, 0])
    y = (X.sum(axis=1) + rng.logistic(size=n) > 1).astype(int)
    return {"g": g, "y": y, **{f"x{j}": X[:, j] for j in range(5)}}


ASKED: dict[str, Any] = {
    "outcome": "y",
    "groups": "g",
    "features": [f"x{j}" for j in range(5)],
    "n_repeats": 4,
    "progress": False,
}


def test_every_method_meets_every_k_and_model_and_is_compared_with_its_like():
    comparison = fairstats.compare(people(), **ASKED, methods=["pca", "og"], k=[2, 3], model=["logistic", "linear-svm"])
    assert [t.name for t in comparison.terms][:3] == [
        "pca, k = 2 · logistic",
        "pca, k = 2 · linear-svm",
        "og, k = 2 · logistic",
    ]
    assert len(comparison.terms) == 8
    against = {
        comparison.label(r) for r in comparison.estimates.where(metric="AUC", contrast="difference", attribute="")
    }
    assert "og, k = 3 vs pca, k = 3 · logistic" in against and not any("k = 3 vs pca, k = 2" in t for t in against)
    assert max(map(len, comparison.summary().splitlines())) <= 80


def test_no_adjustment_is_there_once_and_serves_every_k():
    comparison = fairstats.compare(people(), **ASKED, methods=["none", "og"], k=[2, 3])
    assert [t.name for t in comparison.terms] == ["none · logistic", "og, k = 2 · logistic", "og, k = 3 · logistic"]
    assert [t.baseline for t in comparison.terms] == [0, 0, 0]


def test_several_k_give_what_each_alone_gives():
    both = fairstats.compare(people(), **ASKED, methods=["pca"], k=[2, 3]).splits_frame()
    alone = fairstats.compare(people(), **ASKED, methods=["pca"], k=3).splits_frame()
    ours = both[both["term"] == "pca, k = 3 · logistic"]
    np.testing.assert_array_equal(ours["estimate"].to_numpy(), alone["estimate"].to_numpy())


def test_parity_gaps_are_those_of_fairlearn():
    metrics = pytest.importorskip("fairlearn.metrics")
    from sklearn.linear_model import LogisticRegression

    data = people()
    X = np.column_stack([data[f"x{j}"] for j in range(5)])
    rows = np.random.default_rng(1).permutation(400)
    train, test = rows[:300], rows[300:]
    estimates = fairstats.compare(
        data, **ASKED, methods=["none"], scale=False, splits=[(train, test)], model=LogisticRegression()
    ).estimates
    result = LogisticRegression().fit((X[train] - X[train].mean(axis=0)), data["y"][train])
    predicted = result.predict(X[test] - X[train].mean(axis=0))
    given = {"y_true": data["y"][test], "y_pred": predicted, "sensitive_features": data["g"][test]}
    (parity,) = estimates.where(metric="demographic parity difference")
    (odds,) = estimates.where(metric="equalized odds difference")
    assert parity.estimate == pytest.approx(metrics.demographic_parity_difference(**given), abs=1e-12)
    assert odds.estimate == pytest.approx(metrics.equalized_odds_difference(**given), abs=1e-12)


def test_the_largest_gap_has_no_interval_and_says_why() -> None:
    """A mean of maxima over few people lies above the models' own gap, which no corrected interval mends."""
    estimates = fairstats.compare(
        people(), **{**ASKED, "n_repeats": 4, "test_size": 0.3}, methods=["none", "og"]
    ).estimates
    for metric in ("demographic parity difference", "equalized odds difference"):
        rows = estimates.where(metric=metric, contrast="none")
        assert len(rows) == 2
        for row in rows:
            assert row.estimate > 0 and np.isnan([row.conf_low, row.conf_high, row.std_error]).all()
            assert "chance makes it larger" in row.reason


def test_given_splits_are_used_as_they_are():
    data = people()
    rng = np.random.default_rng(3)
    splits = [np.split(rng.permutation(400)[:350], [250]) for _ in range(3)]
    comparison = fairstats.compare(data, **ASKED, methods=["none"], splits=splits)
    assert (comparison.protocol.n_repeats, comparison.protocol.n_train, comparison.protocol.n_test) == (3, 250, 100)
    shares = [np.mean(data["y"][test] == 1) for _, test in splits]
    values = comparison.splits_frame().query("metric == 'TPR' and group == ''")
    assert len(values) == 3 and shares != sorted(shares, reverse=True)
    masks = [(np.isin(np.arange(400), a), np.isin(np.arange(400), b)) for a, b in splits]
    again = fairstats.compare(data, **ASKED, methods=["none"], splits=masks)
    assert again.splits_frame()["estimate"].round(12).equals(comparison.splits_frame()["estimate"].round(12))


@pytest.mark.long
def test_the_papers_protocol_trains_on_the_rows_measured():
    data = people(shift=0.0)
    rng = np.random.default_rng(0)
    data["y"] = rng.integers(0, 2, 400)  # nothing to learn: held out, nobody is right more often than by chance
    arguments = {**ASKED, "methods": ["none"], "model": "random-forest", "n_repeats": 2}
    estimate = fairstats.compare(data, **arguments).estimates.where(metric="accuracy", attribute="")[0].estimate
    paper = fairstats.compare(data, **arguments, train_on="measured")
    assert estimate < 0.65 and paper.estimates.where(metric="accuracy", attribute="")[0].estimate == 1.0
    assert "apparent" in paper.summary()


def test_representations_keep_what_they_say():
    data = people()
    estimates = fairstats.compare(data, **ASKED, methods=["pca", "og", "fair_pca"], k=2, representation=True).estimates
    share = {r.fit: r.estimate for r in estimates.where(metric="explained variance", contrast="none")}
    gap = {r.fit: r.estimate for r in estimates.where(metric="MMD²", contrast="none")}
    assert share["pca"] >= share["fair_pca"] and gap["fair_pca"] < gap["pca"] / 5
    assert all(r.estimate > 0 for r in estimates.where(metric="fit seconds", contrast="none"))
    assert all(r.conf_low >= 0 for m in ("MMD²", "fit seconds") for r in estimates.where(metric=m, contrast="none"))


def test_raw_features_have_no_share_and_predictions_no_other_features():
    """No difference from what cannot be estimated, and none from rounding where the features are the same."""
    arguments = {**ASKED, "methods": ["none", "pca", "pope_sydnor"], "k": 2, "representation": True}
    estimates = fairstats.compare(people(), **arguments).estimates
    assert not list(estimates.where(metric="explained variance", contrast="difference"))
    (row,) = estimates.where(metric="MMD²", contrast="difference", fit="pope_sydnor", versus="none")
    assert row.estimate == 0 and np.isnan(row.p_value) and "no variation" in row.reason


def test_explained_variance_and_bandwidth_by_brute_force(rng):
    X, new = rng.normal(size=(60, 4)) @ rng.normal(size=(4, 4)), rng.normal(size=(30, 4))
    fit = fairstats.pca(X, k=2)
    A = np.cov(new.T)
    assert explained(fit, new) == pytest.approx(np.trace(fit.loadings.T @ A @ fit.loadings) / np.trace(A))
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    S = Z @ np.linalg.svd(Z, full_matrices=False)[2][:2].T
    distances = cdist(S, S, "sqeuclidean")[np.triu_indices(60, 1)]
    assert bandwidth_of_scores(X, 2) == pytest.approx(np.sqrt(np.median(distances) / 2))


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_mmd_in_blocks_is_the_sum_over_all_pairs(rng, monkeypatch, offset):
    monkeypatch.setattr(representation, "BLOCK", 7)
    a, b = rng.normal(size=(23, 3)) + offset, rng.normal(size=(31, 3)) + 0.5 + offset

    def mean(u, v):
        return np.exp(-cdist(u, v, "sqeuclidean") / (2 * 1.3**2)).mean()

    assert mmd2(a, b, 1.3) == pytest.approx(mean(a, a) + mean(b, b) - 2 * mean(a, b), abs=1e-9)


class Counted:
    """A method that counts its fits in a file, so that also other processes count."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __call__(self, design: Design, k: int) -> Any:
        with self.file.open("a") as out:
            out.write("x")
        return fairstats.pca(design, k=k)


def test_a_run_goes_on_from_stored_cells_and_computes_only_what_is_new(tmp_path):
    log = tmp_path / "log"
    arguments = {**ASKED, "methods": [("counted", Counted(log))], "k": 2, "cache": tmp_path / "cells"}
    first = fairstats.compare(people(), **arguments)
    assert log.read_text() == "x" * 4
    again = fairstats.compare(people(), **arguments)
    assert log.read_text() == "x" * 4
    assert again.splits_frame().equals(first.splits_frame()) and again.tidy().equals(first.tidy())
    more = fairstats.compare(people(), **{**arguments, "model": ["logistic", "linear-svm"]})
    assert log.read_text() == "x" * 8  # a new model needs the features once more, of every split
    np.testing.assert_array_equal(
        more.splits_frame().query("term == 'counted · logistic'")["estimate"],
        first.splits_frame().query("term == 'counted · logistic'")["estimate"],
    )
    fairstats.compare(people(seed=1), **arguments)
    assert log.read_text() == "x" * 12  # other data, other cells


def test_a_damaged_cell_is_computed_again(tmp_path):
    arguments = {**ASKED, "methods": ["pca"], "k": 2, "cache": str(tmp_path)}
    first = fairstats.compare(people(), **arguments)
    damaged = sorted(tmp_path.glob("*.json"))[0]
    damaged.write_text(damaged.read_text()[:-20])
    assert fairstats.compare(people(), **arguments).tidy().equals(first.tidy())
    assert json.loads(damaged.read_text())


def test_processes_share_the_cells(tmp_path):
    arguments = {**ASKED, "methods": ["pca"], "k": 2}
    alone = fairstats.compare(people(), **arguments)
    shared = fairstats.compare(people(), **arguments, n_jobs=2, cache=tmp_path)
    assert shared.tidy().equals(alone.tidy()) and len(list(tmp_path.glob("*.json"))) == 8


def overlapping(rng: np.random.Generator, n: int = 80, J: int = 15) -> np.ndarray:
    """Differences of two fixed, equally good predictors over random test sets of one sample."""
    difference = rng.normal(size=n)
    return np.array([difference[rng.permutation(n)[: n // 4]].mean() for _ in range(J)])


def test_of_fixed_models_the_naive_test_over_splits_rejects_too_often_and_the_corrected_one_holds_its_size():
    rng = np.random.default_rng(2)
    naive = right = 0
    for _ in range(500):
        values = overlapping(rng)
        t = values.mean() / (values.std(ddof=1) / np.sqrt(len(values)))
        naive += abs(t) > 2.145  # t(14), 5%
        right += float(corrected(values, 1 / 3).p_value()) < 0.05
    assert naive / 500 > 0.25
    assert right / 500 < 0.08


@pytest.mark.parametrize(
    ("words", "match"),
    [
        ({"train_on": "train"}, "train_on has 'train'; the choices are training, measured"),
        ({"k": [2, 2]}, "different numbers"),
        ({"k": []}, "k has \\[\\]"),
        ({"k": [2, 9]}, "k has 9; it"),
        ({"splits": []}, "splits is empty"),
        ({"splits": [1]}, "no pair"),
        ({"splits": [([0, 1], [400])]}, "test row 400; there are 400 rows"),
        ({"splits": [([0, 1], [1, 2])]}, "row 1 .* in both parts"),
        ({"splits": [([0.5], [1])]}, "no row numbers"),
        ({"splits": [([], [1])]}, "no row numbers"),
        ({"model": "svm"}, "linear-svm"),
    ],
)
def test_bad_input_is_named(words, match):
    with pytest.raises(InputError, match=match):
        fairstats.compare(people(), **{**ASKED, "methods": ["pca"], **words})


def test_a_cache_that_cannot_be_a_folder_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cache="):
        fairstats.compare(people(), **ASKED, methods=["pca"], k=2, cache=tmp_path / "file" / "cells")


def test_functions_with_settings_have_separate_cells():
    from fairstats.comparing.methods import chosen_methods

    def result(scale):
        return lambda design, k: fairstats.pca(design, k=k, scale=scale)

    for both in ([partial(fairstats.pca, scale=s) for s in (True, False)], [result(True), result(False)]):
        first, second = (chosen_methods([("m", function)], True)[0].identity for function in both)
        assert first != second


def test_models_with_other_settings_have_separate_cells():
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import StandardScaler

    from fairstats.comparing.methods import Model, models

    first, second, same = (models(LogisticRegression(C=c))[0].identity for c in (1.0, 2.0, 1.0))
    assert first == same != second
    long = [("step " + "x" * 500, LogisticRegression(C=c)) for c in (1.0, 2.0)]  # longer than the repr of a pipeline
    first, second = (models(Pipeline([("a" * 400, StandardScaler()), step]))[0].identity for step in long)
    assert first != second
    first, second = (Model("m", train).identity for train in (lambda X, y, seed: None, lambda X, y, seed: 1))
    assert first != second
    assert "20000" in models("mlp")[0].identity and "0x" not in models("logistic")[0].identity


def test_one_method_with_several_k_says_what_the_last_changes():
    """A row that compares two numbers of components of one method need not exist: k is compared with its like."""
    rng = np.random.default_rng(4)
    group = rng.integers(0, 2, 200)
    x = rng.normal(size=(200, 3)) + group[:, None]
    data = {"g": group, "a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "y": rng.integers(0, 2, 200)}
    comparison = fairstats.compare(
        data, outcome="y", groups="g", features=["a", "b", "c"], methods="pca", k=(1, 2), n_repeats=2, progress=False
    )
    assert "pca, k = 2" in comparison.finding()
