"""What other packages say of two rates, written from their documentation: the rules beside which ours stand."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri
from scipy.stats import fisher_exact

from fairstats.inference.rates.rate_tests import z_test

Z = float(-ndtri(0.025))


def fairlearn_percentiles(counts: tuple[int, int, int, int], rng: np.random.Generator, replicates: int = 200) -> bool:
    """Return whether fairlearn's percentile bootstrap of the largest difference excludes 0.

    ``MetricFrame(n_boot=, ci_quantiles=).difference_ci()`` resamples people of all groups and takes quantiles of the
    largest difference between groups, which is never below 0.
    """
    e1, n1, e0, n0 = counts
    cells = np.array([e1, n1 - e1, e0, n0 - e0])
    drawn = rng.multinomial(n1 + n0, cells / cells.sum(), size=replicates).astype(float)
    first, second = drawn[:, :2].sum(axis=1), drawn[:, 2:].sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        gap = np.abs(drawn[:, 0] / first - drawn[:, 2] / second)
    return bool(np.nanquantile(gap, 0.025) > 0)


def fairmetrics_normal(counts: tuple[int, int, int, int]) -> bool:
    """Return whether fairmetrics (R) has "evidence that the model does not satisfy statistical parity".

    Its interval is the difference plus and minus normal quantiles of the bootstrap's standard deviation within groups,
    taken here at infinitely many bootstraps, where it has a closed form.
    """
    e1, n1, e0, n0 = counts
    p1, p0 = e1 / n1, e0 / n0
    return bool(abs(p1 - p0) > Z * np.sqrt(p1 * (1 - p1) / n1 + p0 * (1 - p0) / n0))


def jfa_fisher(counts: tuple[int, int, int, int]) -> bool:
    """Return whether jfa (R) rejects: Fisher's exact test of a group against the privileged one."""
    e1, n1, e0, n0 = counts
    return bool(fisher_exact([[e1, n1 - e1], [e0, n0 - e0]]).pvalue <= 0.05)


def statsmodels_z(counts: tuple[int, int, int, int]) -> bool:
    """Return whether statsmodels' ``proportions_ztest`` rejects, whose statistic is ours to the last digits."""
    e1, n1, e0, n0 = counts
    return bool(z_test(e1, n1, e0, n0)[1] <= 0.05)


def verdicts(counts: tuple[int, int, int, int], rng: np.random.Generator) -> dict[str, bool]:
    """What each of them says of the two rates e1 / n1 and e0 / n0."""
    return {
        "fairlearn": fairlearn_percentiles(counts, rng),
        "fairmetrics": fairmetrics_normal(counts),
        "jfa": jfa_fisher(counts),
        "statsmodels z": statsmodels_z(counts),
    }
