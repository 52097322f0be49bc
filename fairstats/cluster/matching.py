"""How far two sets of cluster labels are apart when labels are names that may be exchanged."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment


def misclassified(labels: Any, truth: Any) -> float:
    """Share of the labels that differ under the matching of clusters that makes it smallest.

    Parameters
    ----------
    labels, truth : arrays (n,)
        Any labels; the numbers of clusters may differ, and a cluster without a partner is wrong as a whole.

    Returns
    -------
    float
        0 to 1.

    References
    ----------
    Kuhn (1955), "The Hungarian method for the assignment problem", Naval Research Logistics Quarterly 2, 83-97.

    Examples
    --------
    >>> misclassified([1, 1, 2, 2], ["b", "b", "a", "b"])
    0.25
    """
    ours, i = np.unique(np.asarray(labels), return_inverse=True)
    theirs, j = np.unique(np.asarray(truth), return_inverse=True)
    shared = np.bincount(i * len(theirs) + j, minlength=len(ours) * len(theirs)).reshape(len(ours), len(theirs))
    return float(1 - shared[linear_sum_assignment(shared, maximize=True)].sum() / len(i))
