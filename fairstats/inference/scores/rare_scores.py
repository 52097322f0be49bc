"""Heavily tied scores of weighted or clustered people: those off the common score are rare events, as in a rate.

A sample in which nobody differs has no spread of its own, though others drawn like it would. Its variance is then not
taken to be below that of the pooled sample, and its degrees of freedom are as few as those of a rate of such events.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.inference.rates.design_rates import BURSTS
from fairstats.inference.scores.design_samples import Scored

Floats = NDArray[np.float64]
# people off the commonest score of their sample below which it says too little about its own variance
FEW_DIFFERENT = 5


def effective_sizes(
    samples: Sequence[Scored], independent: ArrayLike, parts: ArrayLike, concentration: Floats | None
) -> Floats:
    """What each sample is worth in independent people.

    Parameters
    ----------
    samples : sequence of Scored
        The samples.
    independent, parts : array_like
        Variance of each mean if people were independent, and as it is estimated.
    concentration : ndarray, optional
        Sum of squared shares of the clusters of each sample: without a variance it is worth that many clusters.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> one = np.ones(10)
    >>> effective_sizes([Scored(np.arange(10.0), one, one, one)], [0.01], [0.02], np.array([0.25])).tolist()
    [5.0]
    """
    kish, own, made = (np.array(v, dtype=float) for v in ([s.kish for s in samples], independent, parts))
    without = kish if concentration is None else 1 / concentration
    return np.where(made > 0, kish * own / np.where(made > 0, made, 1.0), without)


def pooled_floors(samples: Sequence[Scored], sizes: Floats, places: Sequence[Floats]) -> Floats:
    """Variance of each mean place if its sample were drawn from all together; 0 where enough people differ.

    Parameters
    ----------
    samples : sequence of Scored
        The samples.
    sizes : ndarray
        What each is worth in independent people.
    places : sequence of ndarray
        For each sample the place (or rank) that every cell of all samples would have in it.

    Returns
    -------
    ndarray
        Where less than half a sample, and fewer than 5 (effective) people of it, are off its commonest score.

    Examples
    --------
    >>> one = np.ones(4)
    >>> samples = [Scored(np.array(v), one, one, one) for v in ([0.0, 0, 0, 0], [0.0, 0, 0, 1])]
    >>> pooled_floors(samples, np.full(2, 4.0), [np.repeat([0.5, 1.0], [7, 1])] * 2).round(4).tolist()
    [0.0091, 0.0091]
    """
    mass = np.concatenate([size * s.share for size, s in zip(sizes, samples, strict=True)]) / sizes.sum()
    off = np.array([1 - _commonest(s.values, s.share) for s in samples])
    few = (off < 0.5) & (off * sizes < FEW_DIFFERENT)
    spread = np.array([float(mass @ (place - mass @ place) ** 2) for place in places])
    return np.where(few, spread / np.maximum(sizes - 1, 1.0), 0.0)


def rarity(samples: Sequence[Scored], sizes: Floats) -> Floats:
    """What heavy ties add to the uncertainty of each variance by clusters: half the excess kurtosis of rare events.

    Parameters
    ----------
    samples : sequence of Scored
        The samples.
    sizes : ndarray
        What each is worth in independent people.

    Returns
    -------
    ndarray
        One number a sample, as `DesignRates.uncertainty` has it for a rate; 0 where no score is that of four people
        in five.

    Examples
    --------
    >>> one = np.ones(10)
    >>> tied = Scored(np.array([0.0] * 9 + [1.0]), one, one, one)
    >>> rarity((tied, tied), np.array([10.0, 5.0])).round(2).tolist()
    [0.77, 1.53]
    """
    values = np.concatenate([s.values for s in samples])
    mass = np.concatenate([size * s.share for size, s in zip(sizes, samples, strict=True)]) / sizes.sum()
    off = 1 - _commonest(values, mass)
    product = off * (1 - off)
    if off > 0.5 or not 0 < product < 1 / 6:
        return np.zeros(len(samples))
    return np.asarray(BURSTS / 2 * (1 - 6 * product) / (sizes * product))


def under_ties(
    samples: Sequence[Scored],
    independent: ArrayLike,
    parts: ArrayLike,
    places: Sequence[Floats],
    concentration: Floats | None = None,
) -> tuple[Floats, Floats]:
    """Floors of the variances of mean places, and what to add to the uncertainty of each.

    Parameters
    ----------
    samples, independent, parts, concentration
        As in `effective_sizes`.
    places
        As in `pooled_floors`.

    Returns
    -------
    floors, uncertain : ndarray
        The floors are no lower than ``independent``.

    Examples
    --------
    >>> one = np.ones(40)
    >>> apart = Scored(np.arange(40.0), one, one, one)
    >>> [v.tolist() for v in under_ties([apart] * 2, [0.1, 0.2], [0.1, 0.2], [np.ones(80)] * 2)]
    [[0.1, 0.2], [0.0, 0.0]]
    """
    sizes = effective_sizes(samples, independent, parts, concentration)
    floors = np.fmax(np.asarray(independent, dtype=float), pooled_floors(samples, sizes, places))
    return floors, rarity(samples, sizes) if concentration is not None else np.zeros(len(samples))


def _commonest(values: Floats, mass: Floats) -> float:
    """The largest mass of one value."""
    distinct, place = np.unique(values, return_inverse=True)
    return float(np.bincount(place, mass, distinct.size).max())
