"""The calibration curve of predicted probabilities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from fairstats.arguments import choose
from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.scores.merged_samples import Floats
from fairstats.inference.scores.recalibration import probabilities


@dataclass(frozen=True)
class CalibrationCurve:
    """Observed rates against mean predictions, a row per occupied bin, with a simultaneous Wilson band."""

    predicted: Floats
    observed: Floats
    low: Floats
    high: Floats
    n: Floats
    events: Floats


def _quantile_edges(scores: Floats, bins: int) -> Floats:
    return np.unique(np.quantile(scores, np.arange(1, bins) / bins))


def _uniform_edges(scores: Floats, bins: int) -> Floats:
    return np.arange(1, bins) / bins


BINNINGS: dict[str, Callable[[Floats, int], Floats]] = {"quantile": _quantile_edges, "uniform": _uniform_edges}


def bin_edges(scores: ArrayLike, bins: int = 10, binning: str = "quantile") -> Floats:
    """Inner limits of the bins of a calibration curve, so that several groups can share them.

    Parameters
    ----------
    scores : array_like, shape (n,)
        Predicted probabilities of everybody.
    bins : int
        How many bins; fewer where scores repeat.
    binning : {"quantile", "uniform"}
        Equal numbers of people, or equal widths.

    Returns
    -------
    ndarray
        Ascending; a score equal to an edge belongs to the bin above it.

    Raises
    ------
    InputError
        If `binning` is not one of the two.

    Examples
    --------
    >>> bin_edges([0.1, 0.2, 0.3, 0.4], bins=2).tolist()
    [0.25]
    """
    return choose("binning", binning, BINNINGS)(np.asarray(scores, dtype=float), int(bins))


def calibration_curve(
    scores: ArrayLike, y: ArrayLike, edges: ArrayLike | None = None, conf_level: float = 0.95
) -> CalibrationCurve:
    """Return the observed rate and the mean prediction of each bin of the predicted probabilities.

    Parameters
    ----------
    scores, y : array_like, shape (n,)
        Predicted probabilities in [0, 1], and outcomes 0 and 1.
    edges : array_like, optional
        Inner limits of the bins; deciles of `scores` by default. Give those of everybody to compare groups.
    conf_level : float
        Level at which the intervals of all occupied bins hold together. Bins are of different people, so each has
        Wilson's interval at the root of that level (Sidak); pointwise ones would hold together in 61 % for ten bins.

    Returns
    -------
    CalibrationCurve
        Empty bins are left out.

    Raises
    ------
    InputError
        If a score is missing or outside [0, 1].

    References
    ----------
    Van Calster et al. (2019); the band: Wilson (1927); Sidak (1967), JASA 62, 626-633.

    Examples
    --------
    >>> import fairstats as fs
    >>> curve = fs.stats.calibration_curve([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1], edges=[0.5])
    >>> curve.predicted.round(2).tolist(), curve.observed.tolist()
    ([0.15, 0.85], [0.0, 1.0])
    """
    p, outcome = probabilities(scores, y)
    limits = bin_edges(p) if edges is None else np.asarray(edges, dtype=float)
    where = np.searchsorted(limits, p, side="right")
    n = np.bincount(where, minlength=limits.size + 1).astype(float)
    held = n > 0
    events = np.bincount(where, weights=outcome, minlength=n.size)[held].astype(float)
    total = np.bincount(where, weights=p, minlength=n.size)[held]
    low, high = wilson(events, n[held], conf_level ** (1 / max(held.sum(), 1)))
    return CalibrationCurve(total / n[held], events / n[held], low, high, n[held], events)
