"""Minimax PCA: credit for every rank (from the reader's own copy, FAIRSTATS_DATA), and a synthetic of LFW's size."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from benchmarks.side_by_side import ratio, report  # first: it pins the thread pools

# isort: split
import numpy as np
from scipy import linalg

import fairstats

CREDIT = ["SEX", "LIMIT_BAL", "MARRIAGE", "AGE", *(f"PAY_{i}" for i in range(1, 7))]
CREDIT += [*(f"BILL_AMT{i}" for i in range(1, 7)), *(f"PAY_AMT{i}" for i in range(1, 6))]


def credit(folder: str) -> bool:
    import pandas as pd

    data = pd.read_csv(Path(folder) / "data" / "creditdata.csv")
    X, g = data[CREDIT].to_numpy(dtype=float), np.where(data.EDUCATION.isin([1, 2]), "higher", "lower")

    def ours() -> None:
        moments = fairstats.Moments.of(X, g)
        for k in range(1, 21):
            fairstats.minimax_pca(moments, k=k, scale=True)

    def bare() -> None:
        C = X.T @ X
        for _ in range(20):
            linalg.eigh(C)

    return report("minimax, credit, k = 1 ... 20", "one Gram + 20 eigh", ratio(ours, bare, 5), 20)


def faces(rng: np.random.Generator, n: int = 13232, p: int = 1764, k: int = 10) -> bool:
    basis = np.linalg.qr(rng.standard_normal((p, p)))[0]
    spread = 1 / np.arange(1, p + 1)
    g = np.where(rng.random(n) < 0.78, "men", "women")
    turned = np.linalg.qr(np.eye(p) + 0.02 * rng.standard_normal((p, p)))[0]
    X = (rng.standard_normal((n, p)) * spread) @ basis.T
    X[g == "women"] = X[g == "women"] @ turned

    def bare() -> None:
        linalg.eigh(X.T @ X, subset_by_index=(p - k, p - 1))

    measured = ratio(lambda: fairstats.minimax_pca(X, g, k=k), bare, 3)
    return report(f"minimax {n} x {p}, k {k}, spectrum 1/i^2", "Gram + top-k eigh", measured, 2.5)


if __name__ == "__main__":
    passed = faces(np.random.default_rng(0))
    if os.environ.get("FAIRSTATS_DATA"):
        passed &= credit(os.environ["FAIRSTATS_DATA"])
    else:
        print("minimax, credit: skipped, FAIRSTATS_DATA is unset")
    sys.exit(0 if passed else 1)
