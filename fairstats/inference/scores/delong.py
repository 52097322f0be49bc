"""The area under the ROC curve with DeLong's standard error, from one sort."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit, ndtri

from fairstats.errors import InputError
from fairstats.inference.scores.merged_samples import Blocks, merge
from fairstats.inference.scores.superiority import newcombe_auc, placement_variances

NAN = float("nan")


@dataclass(frozen=True)
class AucResult:
    """An area under the ROC curve: estimate, DeLong standard error, interval, and how the interval was made."""

    auc: float
    std_error: float
    low: float
    high: float
    n_pos: int
    n_neg: int
    method: str = "DeLong"


def auc(scores: ArrayLike, y: ArrayLike, conf_level: float = 0.95) -> AucResult:
    """Estimate the area under the ROC curve, with DeLong's standard error and an interval that never has zero width.

    The interval is chosen by what the data can bear, and `method` names it:

    - "DeLong": estimate ± z standard errors, as in R's ``pROC::ci.auc``, while it stays inside (0, 1);
    - "DeLong, logit": the same on the logit scale where the plain interval would leave (0, 1) (pROC cuts it off);
    - "exact bound": at exactly 0 or 1, where DeLong's standard error is 0. With k = min(n_pos, n_neg) disjoint pairs a
      perfect separation has probability at most AUC^k, so AUC >= (alpha/2)^(1/k) holds with the stated confidence;
    - "Newcombe 5": where the standard error is undefined (one case or one control) or zero (a constant score).

    Parameters
    ----------
    scores : array_like, shape (n,)
        Larger means more likely positive.
    y : array_like, shape (n,)
        Outcomes 0 and 1 (or booleans).
    conf_level : float
        Confidence level.

    Returns
    -------
    AucResult
        NaN where nobody, or everybody, is positive.

    Raises
    ------
    InputError
        If a score is missing.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988); Sun & Xu (2014) for the O(n log n) form; Pepe (2003), section 5.2, for the
    logit scale. R: ``pROC::ci.auc(method = "delong")``.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.auc([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1]).auc
    0.75
    >>> round(fs.stats.auc([1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1]).low, 4)
    0.2924
    """
    return area(split_outcomes(scores, y), conf_level)


def split_outcomes(scores: ArrayLike, y: ArrayLike) -> Blocks:
    """Scores of the positive people merged with those of the negative ones.

    Parameters
    ----------
    scores, y : array_like, shape (n,)
        Scores and outcomes 0 and 1.

    Returns
    -------
    Blocks

    Raises
    ------
    InputError
        If the lengths differ or a score is missing.

    Examples
    --------
    >>> split_outcomes([1, 2], [0, 1]).u()
    1.0
    """
    values, positive = np.asarray(scores, dtype=float).ravel(), np.asarray(y).ravel() == 1
    if values.size != positive.size:
        raise InputError(f"y has {positive.size} values for {values.size} scores; give one outcome for each score.")
    return merge(values[positive], values[~positive])


def area(blocks: Blocks, conf_level: float = 0.95) -> AucResult:
    """As `auc`, of samples already merged (positives first).

    Parameters
    ----------
    blocks : Blocks
        Scores of the positive people, and of the negative ones.
    conf_level : float
        Confidence level.

    Returns
    -------
    AucResult

    Examples
    --------
    >>> area(merge([3, 4], [1, 2])).auc
    1.0
    """
    n, m = round(blocks.n), round(blocks.m)
    if min(n, m) == 0:
        return AucResult(NAN, NAN, NAN, NAN, n, m, "")
    theta = blocks.u() / (n * m)
    se = float(np.sqrt(sum(placement_variances(blocks))))
    low, high, method = auc_interval(theta, se, n, m, conf_level)
    return AucResult(theta, se, low, high, n, m, method)


def auc_interval(theta: float, se: float, n: int, m: int, conf_level: float = 0.95) -> tuple[float, float, str]:
    """Return the interval that `auc` describes, from the estimate and its standard error.

    Parameters
    ----------
    theta, se : float
        Area and DeLong's standard error (0 or NaN where there is none).
    n, m : int
        Numbers of positives and negatives.
    conf_level : float
        Confidence level.

    Returns
    -------
    low, high, method : float, float, str

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.auc_interval(1.0, 0.0, 1, 5, 0.5)
    (0.25, 1.0, 'exact bound')
    """
    half = float(ndtri((1 + conf_level) / 2)) * se
    if theta in (0.0, 1.0):
        bound = ((1 - conf_level) / 2) ** (1 / min(n, m))
        return (bound, 1.0, "exact bound") if theta == 1.0 else (0.0, 1 - bound, "exact bound")
    if not se > 0:
        return *newcombe_auc(theta, n, m, conf_level), "Newcombe 5"
    if theta - half > 0 and theta + half < 1:
        return theta - half, theta + half, "DeLong"
    reach = half / (theta * (1 - theta))
    return float(expit(logit(theta) - reach)), float(expit(logit(theta) + reach)), "DeLong, logit"
