"""Exact tests of effective counts, which keep a test with Student's t honest where few events are expected."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fairstats.inference.rates.all_rates_equal import permutation_test
from fairstats.inference.rates.unconditional import unconditional_test

# the expected number of events, or of non-events, in a group below which a normal approximation needs help
FEW = 15.0


def few_expected(rates: ArrayLike, sizes: ArrayLike) -> bool:
    """Whether under one common rate some group expects fewer than 15 events, or fewer than 15 without.

    Parameters
    ----------
    rates, sizes : array_like, shape (G,)
        Weighted rates and effective sizes.

    Returns
    -------
    bool

    Examples
    --------
    >>> few_expected([0.01, 0.01], [12, 2000]), few_expected([0.4, 0.5], [120, 2000])
    (True, False)
    """
    p, n = np.asarray(rates, dtype=float), np.asarray(sizes, dtype=float)
    pooled = float(p @ n / n.sum())
    return bool(n.min() * min(pooled, 1 - pooled) < FEW)


def exact_p_of_effective_counts(rates: ArrayLike, sizes: ArrayLike) -> float:
    """p-value of one rate for all groups, as if effective counts had been observed, rounded to whole people.

    With equal weights they are the people, but for one of each group (a variance divides by n - 1). The t test alone
    calls equal rates of 12 and 2000 people with weights between 1 and 2 different in 7 to 8 % of samples (1 or 99 % of
    them selected); where this p has to be below 5 % too, in 2 %.

    Parameters
    ----------
    rates, sizes : array_like, shape (G,)
        Weighted rates and effective sizes of two groups or more.

    Returns
    -------
    float
        Of the exact unconditional test of two groups; of the permutation test of more.

    Examples
    --------
    >>> round(exact_p_of_effective_counts([1 / 12, 0.01], [12, 2000]), 3)
    0.08
    """
    p, sizes = np.asarray(rates, dtype=float), np.asarray(sizes, dtype=float)
    n = np.maximum(np.round(sizes), 1.0)
    events = np.minimum(np.round(p * sizes), n)
    if n.size == 2:
        return float(unconditional_test(events[0], n[0], events[1], n[1]))
    return float(permutation_test(events, n))
