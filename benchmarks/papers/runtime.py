"""Run time against the number of features, and accuracy against fairness beside fairlearn's reductions on Adult.

    python -m benchmarks.papers.runtime

The figures of Kleindessner, Donini, Russell & Zafar (2023) print no numbers. Left: seconds for d = 20 ... 100, k = 5,
rows of two Gaussian groups (the paper's parameters are not printed; ours are those of `fs.simulate.gaussian_groups`).
Right: Adult (`fairml_adult.csv` from FAIRSTATS_DATA; sex), 5000 rows to train on and 5000 to test on, logistic
regression with C = 1/(2n · 0.01); fair PCA with k = d − 1 and its trade-off on a grid of 11, against
ExponentiatedGradient with bounds.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import benchmarks.side_by_side  # noqa: F401  first: it pins the thread pools

# isort: split
import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

import fairstats
from benchmarks.papers.table import Row, show

SHARED = Path(os.environ.get("FAIRSTATS_DATA", ""))
METHODS: dict[str, Callable[[Any, Any], Any]] = {
    "PCA": lambda X, g: fairstats.pca(X, g, 5),
    "OG": lambda X, g: fairstats.og(X, g, 5),
    "fair PCA": lambda X, g: fairstats.fair_pca(X, g, 5),
    "fair PCA-S (0.5)": lambda X, g: fairstats.fair_pca(X, g, 5, equalize="covariance", directions=0.5),
    "fair kernel PCA": lambda X, g: fairstats.fair_kernel_pca(X, g, 5),
    "INLP": lambda X, g: fairstats.comparators.inlp_pca(X, g, 5),
    "RLACE": lambda X, g: fairstats.comparators.rlace_pca(X, g, 5),
    "MbF-PCA (1e-3)": lambda X, g: fairstats.comparators.mbf_pca(X, g, 5, tau=1e-3, n_init=1),
    "FPCA (0, 0.01)": lambda X, g: fairstats.comparators.fpca(X, g, 5),
}
SLOW = {"FPCA (0, 0.01)": 60}  # features beyond which a run takes minutes


def against_features() -> list[Row]:
    """Seconds of one fit."""
    small = fairstats.simulate.gaussian_groups(100, 10, seed=0)
    for fit in METHODS.values():
        _seconds(lambda f=fit: f(small.X, small.groups))  # what a first call imports does not count
    rows = []
    for d in (20, 40, 60, 80, 100):
        result = fairstats.simulate.gaussian_groups(1000, d, seed=0)
        for name, fit in METHODS.items():
            if d <= SLOW.get(name, d):
                rows.append(Row(f"seconds, d={d}, {name}", np.nan, _seconds(lambda f=fit, m=result: f(m.X, m.groups))))
    return rows


def _seconds(run: Callable[[], Any]) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = perf_counter()
        run()
        return perf_counter() - start


def adult() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features with dummies, sex, income."""
    data = pd.read_csv(SHARED / "data" / "fairml_adult.csv")
    X = pd.get_dummies(data.drop(columns=["income", "sex"]), drop_first=True).to_numpy(float)
    return X, (data["sex"] == "Male").to_numpy(int), (data["income"] == ">50K").to_numpy(int)


def curves() -> list[Row]:
    """Accuracy and ΔDP on test rows, with seconds, along both methods' parameters."""
    X, z, y = adult()
    rows = np.random.default_rng(0).permutation(len(X))
    train, test = rows[:5000], rows[5000:10000]
    keep = X[train].std(axis=0) > 0
    X = (X[:, keep] - X[train][:, keep].mean(axis=0)) / X[train][:, keep].std(axis=0)
    model = LogisticRegression(C=1 / (2 * 5000 * 0.01), max_iter=1000)
    out = []
    for lam in np.linspace(0, 1, 11):

        def fair(lam: float = lam) -> np.ndarray:
            fit = fairstats.fair_pca(X[train], z[train], X.shape[1] - 1, tradeoff=float(lam))
            return model.fit(fit.transform(X[train]), y[train]).predict(fit.transform(X[test]))

        out += _point(f"fair PCA, λ={lam:.1f}", fair, y[test], z[test])
    for bound in (0.005, 0.02, 0.05, 0.1, 0.2):
        reduced = fairstats.fairlearn_reduction("demographic_parity", bound=bound, estimator=model).train

        def reduce(reduced: Any = reduced) -> np.ndarray:
            return (reduced(X[train], y[train], 0, z[train]).score(X[test]) >= 0.5).astype(int)

        out += _point(f"reduction, bound={bound:g}", reduce, y[test], z[test])
    return out


def against_rows() -> list[Row]:
    """Seconds to train, against n."""
    X, z, y = adult()
    X = (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1)
    model = LogisticRegression(C=0.01, max_iter=1000)
    reduced = fairstats.fairlearn_reduction("demographic_parity", bound=0.02, estimator=model).train
    rows = []
    for n in (1000, 2000, 4000, 8000, 16000):
        chosen = np.random.default_rng(1).permutation(len(X))[:n]
        A, g, t = X[chosen], z[chosen], y[chosen]

        def fair(A: Any = A, g: Any = g, t: Any = t) -> None:
            model.fit(fairstats.fair_pca(A, g, A.shape[1] - 1).transform(A), t)

        rows.append(Row(f"seconds, n={n}, fair PCA and logistic regression", np.nan, _seconds(fair)))
        rows.append(Row(f"seconds, n={n}, reduction", np.nan, _seconds(lambda A=A, g=g, t=t: reduced(A, t, 0, g))))
    return rows


def _point(name: str, predict: Callable[[], np.ndarray], y: np.ndarray, z: np.ndarray) -> list[Row]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = perf_counter()
        result = predict()
        seconds = perf_counter() - start
    gap = abs(result[z == 1].mean() - result[z == 0].mean())
    values = {"% accuracy": 100 * np.mean(result == y), "ΔDP": gap, "seconds": seconds}
    return [Row(f"{name}: {metric}", np.nan, float(value)) for metric, value in values.items()]


if __name__ == "__main__":
    missed = show("runtime_features", "Seconds against the number of features, 1000 rows, k = 5", against_features())
    if (SHARED / "data" / "fairml_adult.csv").exists():
        missed += show("runtime_curves", "Adult: accuracy against ΔDP (the poster's figure, no numbers)", curves())
        missed += show("runtime_rows", "Adult: seconds against the number of rows", against_rows())
    else:
        print("Adult: skipped; set FAIRSTATS_DATA to the folder with data/fairml_adult.csv.")
    sys.exit(missed > 0)
