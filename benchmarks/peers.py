"""The numbers of the README's table that are measured: fairlearn itself, beside an audit, in processor seconds.

People of equal chances: how often does fairlearn's own bootstrap interval of the largest difference exclude 0, and how
often does an audit show a disparity? 100 000 people: what do three rates with one bootstrap replicate cost, and what an
audit with 10 000 replicates of every rate? The other packages of that table were not to be had here.
"""

from __future__ import annotations

import sys
import warnings
from time import process_time

from benchmarks.side_by_side import report  # first: it pins the thread pools

# isort: split
import numpy as np
import pandas as pd

import fairstats
from benchmarks.audit import people

SAMPLES, REPLICATES = 50, 60
EQUAL = ((60, 60, 0.1), (12, 2000, 0.01))


def claims(n1: int, n0: int, rate: float) -> tuple[float, float]:
    """The share of samples of equal rates in which each claims a difference: an audit, fairlearn's interval."""
    from fairlearn.metrics import MetricFrame, selection_rate

    rng, ours, theirs = np.random.default_rng(18), 0, 0
    group = np.repeat(["a", "b"], [n1, n0])
    for seed in range(SAMPLES):
        hired = rng.binomial(1, rate, n1 + n0)
        result = fairstats.audit(pd.DataFrame({"group": group, "hired": hired}), "hired", "group").tidy()
        ours += bool((result["verdict"] == "disparity shown").any())
        frame = MetricFrame(
            metrics=selection_rate, y_true=hired, y_pred=hired, sensitive_features=group,
            n_boot=REPLICATES, ci_quantiles=[0.025, 0.975], random_state=seed,
        )  # fmt: skip
        theirs += bool(frame.difference_ci()[0] > 0)
    return ours / SAMPLES, theirs / SAMPLES


def seconds() -> tuple[float, float]:
    """Processor seconds: an audit with 10 000 replicates of every rate; one replicate of three rates of fairlearn."""
    from fairlearn.metrics import MetricFrame, false_positive_rate, selection_rate, true_positive_rate

    data = people(100_000)
    fairstats.audit(data.head(1000), "d", "g", outcome="y", favorable=0).bootstrap(
        replicates=10
    )  # imports are not the audit's
    start = process_time()
    fairstats.audit(data, "d", "g", outcome="y", favorable=0).bootstrap(replicates=10_000)
    ours, start = process_time() - start, process_time()
    metrics = {"TPR": true_positive_rate, "FPR": false_positive_rate, "selection rate": selection_rate}
    MetricFrame(
        metrics=metrics, y_true=data.y, y_pred=data.d, sensitive_features=data.g,
        n_boot=3, ci_quantiles=[0.025, 0.975], random_state=0,
    )  # fmt: skip
    return ours, (process_time() - start) / 3


def main() -> bool:
    try:
        import fairlearn
    except ImportError:
        print("peers: skipped, fairlearn is not installed (pip install fairlearn)")
        return True
    warnings.simplefilter("ignore")  # of rates without people, in samples that have none
    fine = True
    for n1, n0, rate in EQUAL:
        ours, theirs = claims(n1, n0, rate)
        print(f"{n1} and {n0} people, rate {rate:g}: fairlearn {fairlearn.__version__} excludes 0 in {theirs:.0%}")
        fine &= report("  an audit shows a disparity", "samples", ours, 0.18)  # 5 % and four standard errors
    ours, theirs = seconds()
    print(f"10^5 people, 7 groups: an audit {ours:.2f} s, fairlearn {theirs:.2f} s a replicate of three rates")
    return fine


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
