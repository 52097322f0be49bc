"""The tables of Lee et al. (2022) and Kleindessner et al. (2023), split by split, from the authors' own programs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist

import fairstats

CASES = [("German", 2), ("German", 10), ("COMPAS", 2), ("COMPAS", 10), ("Adult", 2)]
LINEAR = {
    "PCA": lambda X, z, k: fairstats.pca(X, z, k),
    "FairPCA": lambda X, z, k: fairstats.fair_pca(X, z, k),
    "FairPCA-S_0.5": lambda X, z, k: fair_pca_s(X, z, k, 0.5),
    "FairPCA-S_0.85": lambda X, z, k: fair_pca_s(X, z, k, 0.85),
}


def fair_pca_s(X: np.ndarray, z: np.ndarray, k: int, share: float) -> Any:
    """Where ⌊share · p⌋ is below k the authors' program takes k directions; ours would refuse."""
    return fairstats.fair_pca(X, z, k, equalize="covariance", directions=max(int(share * X.shape[1]), k))


class Splits:
    """A data set's splits: 70% train, both parts standardized by the train mean and standard deviation (ddof 0)."""

    def __init__(self, shared: Path, name: str) -> None:
        self.data = pd.read_csv(shared / "data" / f"mbf_{name}_full.csv")
        self.rows = pd.read_csv(shared / "data" / f"mbf_{name}_split_rows.csv")
        self.features = [c for c in self.data if c.startswith("f")]

    def __call__(self, split: int) -> tuple[np.ndarray, ...]:
        rows = self.rows[f"split{split}"].to_numpy(int)
        train, test = np.split(rows, [int(0.7 * len(rows))])
        X = self.data[self.features].to_numpy(float)
        sd = X[train].std(axis=0)
        X = (X - X[train].mean(axis=0)) / np.where(sd == 0, 1, sd)
        Z, Y = self.data["Z"].to_numpy(int), self.data["Y"].to_numpy(int)
        return X[train], Z[train], X[test], Z[test], Y[test]


def table(shared: Path, name: str, k: int) -> pd.DataFrame:
    every = pd.read_csv(shared / "golden" / "paper_tables" / "table_splits.csv")
    return every[(every["data"] == name) & (every["k"] == k)].set_index(["method", "split"])


def mmd2(a: np.ndarray, b: np.ndarray, sigma: float) -> float:
    """Biased MMD² with a Gaussian kernel."""

    def mean(u: np.ndarray, v: np.ndarray) -> float:
        return float(np.exp(-cdist(u, v, "sqeuclidean") / (2 * sigma**2)).mean())

    return mean(a, a) + mean(b, b) - 2 * mean(a, b)


@pytest.mark.parametrize(("name", "k"), CASES)
def test_explained_variance_and_mmd_equal_the_authors_on_every_split(shared: Path, name: str, k: int) -> None:
    splits, theirs = Splits(shared, name), table(shared, name, k)
    compared = 0
    for split in range(10):
        X, z, X_test, z_test, _ = splits(split)
        A = np.cov(X_test.T)
        for method, fit in LINEAR.items():
            if (method, split) not in theirs.index:
                continue
            U, row = fit(X, z, k).loadings, theirs.loc[(method, split)]
            S = X_test @ U
            np.testing.assert_allclose(100 * np.trace(U.T @ A @ U) / np.trace(A), row["expvar"], rtol=1e-8)
            np.testing.assert_allclose(mmd2(S[z_test == 1], S[z_test == 0], row["sigma"]), row["mmd2"], atol=1e-7)
            compared += 1
    assert compared == 40


class Standardized:
    """A method on features standardized as the authors do, ddof 0, with its loadings."""

    def __init__(self, design: Any, k: int, method: str) -> None:
        self.center, sd = design.X.mean(axis=0), design.X.std(axis=0)
        self.sd = np.where(sd == 0, 1, sd)
        self.loadings = LINEAR[method]((design.X - self.center) / self.sd, design.groups, k).loadings
        self.scaling = SimpleNamespace(scale=self.sd)

    def transform(self, design: Any) -> np.ndarray:
        return (design.X - self.center) / self.sd @ self.loadings


@pytest.mark.filterwarnings("ignore:f. has one value in each group of Z")  # the group is a feature of the papers
@pytest.mark.parametrize(("name", "k"), [("German", 2), ("COMPAS", 10)])
def test_compare_under_the_papers_protocol_gives_the_authors_numbers_on_every_split(shared, name, k) -> None:
    splits, theirs = Splits(shared, name), table(shared, name, k)
    rows = [splits.rows[f"split{i}"].to_numpy(int) for i in range(10)]
    result = fairstats.compare(
        splits.data, outcome="Y", groups="Z", features=[f for f in splits.features if splits.data[f].nunique() > 1],
        methods=[(m, partial(Standardized, method=m)) for m in ("PCA", "FairPCA")], model="rbf-svm", k=k, scale=False,
        splits=[np.split(r, [int(0.7 * len(r))]) for r in rows], train_on="measured", representation=True,
        progress=False,
    ).splits_frame()  # fmt: skip
    for method in ("PCA", "FairPCA"):
        expected = theirs.loc[method].sort_index()

        def ours(metric: str, term: str) -> np.ndarray:
            chosen = result[(result["term"] == term) & (result["metric"] == metric)]
            return chosen.query("attribute == '' or metric != 'accuracy'").sort_values("split")["estimate"].to_numpy()

        model = f"{method} · rbf-svm"
        np.testing.assert_allclose(100 * ours("explained variance", method), expected["expvar"], rtol=1e-8)
        np.testing.assert_allclose(ours("MMD²", method), expected["mmd2"], atol=1e-7)
        np.testing.assert_allclose(ours("accuracy", model), expected["acc_rbf"], atol=1e-9)
        np.testing.assert_allclose(ours("demographic parity difference", model), expected["dp_rbf"], atol=1e-9)


@pytest.mark.parametrize(("name", "k"), CASES)
def test_classifiers_on_kernel_scores_decide_as_the_authors_did(shared: Path, name: str, k: int) -> None:
    """Accuracy and |difference of selection rates| of support vector machines fitted and scored on the test split."""
    from sklearn.svm import SVC

    splits, theirs = Splits(shared, name), table(shared, name, k)
    for split in (0, 3):
        X, z, X_test, z_test, y = splits(split)
        S: Any = fairstats.fair_kernel_pca(X, z, k, center=False).transform(X_test)
        row = theirs.loc[("FairKernelPCA", split)]
        for kernel, short in (("rbf", "rbf"), ("linear", "lin")):
            decided = SVC(kernel=kernel, C=1, gamma=1).fit(S, y).predict(S)
            gap = abs(decided[z_test == 1].mean() - decided[z_test == 0].mean())
            np.testing.assert_allclose(
                [np.mean(decided == y), gap], row[[f"acc_{short}", f"dp_{short}"]].to_numpy(float), atol=1e-9
            )
