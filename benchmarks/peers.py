"""The numbers of the README's table that are measured: fairlearn, AIF360 and aequitas themselves, beside an audit.

People of equal chances: how often does an audit show a disparity, how often does fairlearn's own bootstrap interval
of the largest difference exclude 0, how often is AIF360's disparate impact outside 0.8 to 1.25, which its pages call
the fair range, and how often does aequitas deny impact parity, or find significance? 100 000 people: what do three
rates with one bootstrap replicate cost, and what an audit with 10 000 replicates of every rate? Packages that are not
installed are skipped. ``--samples 500`` sets how many samples of people are drawn.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from time import process_time

from benchmarks.side_by_side import report  # first: it pins the thread pools

# isort: split
import numpy as np
import pandas as pd

import fairstats
from benchmarks.audit import people

SAMPLES = int(sys.argv[sys.argv.index("--samples") + 1]) if "--samples" in sys.argv else 50
REPLICATES = 60
EQUAL = ((12, 2000, 0.01), (60, 60, 0.1), (400, 1000, 0.3))


def by_audit(people: pd.DataFrame, seed: int) -> bool:
    result = fairstats.audit(people, "hired", "group").tidy()
    return bool((result["verdict"] == "disparity shown").any())


def by_fairlearn(people: pd.DataFrame, seed: int) -> bool:
    from fairlearn.metrics import MetricFrame, selection_rate

    frame = MetricFrame(
        metrics=selection_rate, y_true=people.hired, y_pred=people.hired, sensitive_features=people.group,
        n_boot=REPLICATES, ci_quantiles=[0.025, 0.975], random_state=seed,
    )  # fmt: skip
    return bool(frame.difference_ci()[0] > 0)


def by_aif360(people: pd.DataFrame, seed: int) -> bool:
    from aif360.datasets import BinaryLabelDataset
    from aif360.metrics import BinaryLabelDatasetMetric

    table = people.assign(group=(people.group == "b").astype(int))
    data = BinaryLabelDataset(df=table, label_names=["hired"], protected_attribute_names=["group"])
    impact = BinaryLabelDatasetMetric(data, [{"group": 0}], [{"group": 1}]).disparate_impact()
    return bool(impact < 0.8 or impact > 1.25)


def _of_aequitas(people: pd.DataFrame, significance: bool) -> pd.Series:
    """What aequitas says of the first group beside the second."""
    from aequitas.bias import Bias
    from aequitas.fairness import Fairness
    from aequitas.group import Group

    table = pd.DataFrame({"score": people.hired, "label_value": people.hired, "group": people.group})
    rates = Group().get_crosstabs(table, attr_cols=["group"])[0]
    beside = Bias().get_disparity_predefined_groups(
        rates,
        original_df=table,
        ref_groups_dict={"group": "b"},
        check_significance=significance,
        mask_significance=True,
    )
    return Fairness().get_group_value_fairness(beside).set_index("attribute_value").loc["a"]


def by_aequitas(people: pd.DataFrame, seed: int) -> bool:
    return not _of_aequitas(people, significance=False)["Impact Parity"]


def by_aequitas_test(people: pd.DataFrame, seed: int) -> bool:
    return bool(_of_aequitas(people, significance=True)["pprev_significance"])


RULES = {
    "an audit shows a disparity": ("fairstats", by_audit),
    "fairlearn's bootstrap interval excludes 0": ("fairlearn", by_fairlearn),
    "AIF360's disparate impact is outside 0.8 to 1.25": ("aif360", by_aif360),
    "aequitas denies impact parity": ("aequitas", by_aequitas),
    "aequitas finds its difference significant": ("aequitas", by_aequitas_test),
}


def claims(rule: Callable[[pd.DataFrame, int], bool], n1: int, n0: int, rate: float) -> float:
    """The share of samples of equal rates in which a rule claims a difference."""
    rng, group = np.random.default_rng(18), np.repeat(["a", "b"], [n1, n0])
    samples = (pd.DataFrame({"group": group, "hired": rng.binomial(1, rate, n1 + n0)}) for _ in range(SAMPLES))
    return float(np.mean([rule(sample, seed) for seed, sample in enumerate(samples)]))


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
    warnings.simplefilter("ignore")  # of rates without people, in samples that have none
    fine = True
    installed = {name: rule for name, (package, rule) in RULES.items() if find_spec(package)}
    for name in RULES.keys() - installed.keys():
        print(f"skipped, as the package is not installed: {name}")
    for n1, n0, rate in EQUAL:
        print(f"{n1} and {n0} people, rate {rate:g}, {SAMPLES} samples:")
        for name, rule in installed.items():
            share = claims(rule, n1, n0, rate)
            if rule is by_audit:
                fine &= report(f"  {name}", "samples", share, round(0.05 + 4 * (0.05 * 0.95 / SAMPLES) ** 0.5, 2))
            else:
                print(f"  {name}: {share:.1%}", flush=True)
    if find_spec("fairlearn"):
        ours, theirs = seconds()
        print(f"10^5 people, 7 groups: an audit {ours:.2f} s, fairlearn {theirs:.2f} s a replicate of three rates")
    return fine


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
