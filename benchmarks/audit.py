"""Audits of ten million people with 10 000 bootstrap replicates of every rate, and of the pay of a million in strata.

Both with the most memory that they take beside their columns; fairlearn's MetricFrame beside the first.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any

from benchmarks.side_by_side import cpu_seconds, report  # first: it pins the thread pools

# isort: split
import numpy as np
import pandas as pd

import fairstats


def people(n: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    g = rng.integers(0, 7, n)
    y = (rng.random(n) < 0.3).astype(np.int64)
    d = (rng.random(n) < 0.2 + 0.3 * y + 0.05 * (g == 2)).astype(np.int64)
    return pd.DataFrame({"g": g, "y": y, "d": d})


def ours(data: pd.DataFrame) -> float:
    start = perf_counter()
    audit = fairstats.audit(data, outcome="y", decision="d", groups="g", favorable=0)
    audit.bootstrap(replicates=10_000)
    return perf_counter() - start


def large() -> bool:
    data = people(10_000_000)
    ours(data.head(1000))  # imports are not the audit's
    fine = report("audit + 10 000 replicates, 10^7 rows, 7 groups", "5 seconds", ours(data) / 5, 1)
    return fine & memory(data, lambda: ours(data), 2)


def memory(data: pd.DataFrame, audit: Callable[[], Any], at_most: float) -> bool:
    tracemalloc.start()
    audit()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    case = f"  peak memory beside the columns ({peak / 1e6:.0f} MB)"
    return report(case, "the columns", peak / data.memory_usage(deep=True).sum(), at_most)


def pay() -> bool:
    rng, n = np.random.default_rng(0), 1_000_000
    levels = {"sex": ["f", "m"], "race": list("abcd"), "job": [f"job{i}" for i in range(12)]}
    labels = {name: pd.Series(rng.choice(of, n), dtype="str") for name, of in levels.items()}
    data = pd.DataFrame(labels | {"pay": rng.lognormal(10, 0.5, n)})
    audit = partial(fairstats.audit, amount="pay", groups=["sex", "race"], strata="job")
    audit(data.head(2000))  # imports are not the audit's
    seconds = cpu_seconds(lambda: audit(data))
    fine = report("pay of 10^6, two attributes, strata, of a processor", "3 seconds", seconds / 3, 1)
    return fine & memory(data, lambda: audit(data), 3)


def metric_frame() -> bool:
    try:
        from fairlearn.metrics import MetricFrame, false_positive_rate, selection_rate, true_positive_rate
    except ImportError:
        print("MetricFrame: skipped, fairlearn is not installed (pip install fairlearn)")
        return True
    data = people(100_000)
    metrics = {"TPR": true_positive_rate, "FPR": false_positive_rate, "selection rate": selection_rate}
    replicates = 5
    start = perf_counter()
    MetricFrame(
        metrics=metrics,
        y_true=data.y,
        y_pred=data.d,
        sensitive_features=data.g,
        n_boot=replicates,
        ci_quantiles=[0.025, 0.975],
        random_state=0,
    )
    each = (perf_counter() - start) / replicates
    total = ours(data)
    print(
        f"MetricFrame, 100 000 rows, 7 groups, 3 metrics: {each:.2f} s a replicate; "
        f"ours, every rate and 10 000 replicates with the audit: {total:.2f} s"
    )
    return report("  10 000 replicates, ours / MetricFrame's (x 10 000)", "MetricFrame", total / (each * 10_000), 0.01)


if __name__ == "__main__":
    passed = large() & pay()
    sys.exit(0 if metric_frame() & passed else 1)
