"""Rank tests of weighted or clustered people: two samples, or several, from estimated population ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr

from fairstats.inference.rates.design_families import hotelling
from fairstats.inference.rates.design_sums import bessel, overlap_of
from fairstats.inference.scores.design_effects import joined_variance, satterthwaite
from fairstats.inference.scores.design_samples import Scored
from fairstats.inference.scores.merged_samples import Floats
from fairstats.inference.scores.rare_scores import under_ties

NAN = float("nan")


@dataclass(frozen=True)
class DesignRankTest:
    """A rank test of weighted or clustered people.

    Attributes
    ----------
    statistic, df, p_value : float
        Student's t with an error that few clusters and uneven weights do not make too small, its degrees of freedom.
    linearized : float
        t with the linearized error: the statistic of R's ``survey::svyranktest``.
    method : str
        Its name.
    """

    statistic: float
    df: float
    p_value: float
    linearized: float
    method: str = "design-based rank test, t"


def design_rank_test(x: Scored, y: Scored) -> DesignRankTest:
    """Test that two samples of weighted or clustered people have one distribution (Lumley and Scott).

    Parameters
    ----------
    x, y : Scored
        The samples.

    Returns
    -------
    DesignRankTest
        Of the difference in mean estimated population ranks.

    References
    ----------
    Lumley & Scott (2013), Biometrika 100, 831-842. R: ``survey::svyranktest``.

    Examples
    --------
    >>> one = np.ones(4)
    >>> x, y = (Scored(np.arange(4.0) + k, one, one, one) for k in (0, 1))
    >>> round(design_rank_test(x, y).linearized, 3)
    -1.117
    """
    means, (of_x, of_y), rank = _mean_ranks((x, y))
    gap, of = means[0] - means[1], (of_x, -of_y)
    floors = [s.variances(part)[1] for s, part in zip((x, y), of, strict=True)]
    if x.clusters is None or y.clusters is None:
        count = float(x.people.sum() + y.people.sum())
        parts, uncertain = under_ties((x, y), floors, floors, [rank] * 2)
        variance, overlap = float(parts.sum()), np.diag([1 / max(s.kish - 1, 1e-9) for s in (x, y)] + uncertain)
        plain = sum(float((s.square / s.weight**2) @ (part * part)) for s, part in zip((x, y), of, strict=True))
    else:
        _, codes = np.unique(np.concatenate([x.clusters, y.clusters]), return_inverse=True)
        own, count = np.split(codes, [x.values.size]), float(codes.max() + 1)
        share = np.column_stack(
            [np.bincount(c, s.share, int(count)).astype(float) for c, s in zip(own, (x, y), strict=True)]
        )
        sums = np.column_stack([np.bincount(c, part, int(count)) for c, part in zip(own, of, strict=True)])
        raised = sums / np.sqrt(np.maximum(1 - share, 1e-12))
        spread = np.fmax(np.sum(raised**2, axis=0), floors)
        lifted, uncertain = under_ties((x, y), floors, spread, [rank] * 2, np.sum(share**2, axis=0))
        variance, parts = joined_variance(raised, lifted.tolist())
        plain, overlap = float(np.sum(sums.sum(axis=1) ** 2)), overlap_of(share) + np.diag(uncertain)
    if not variance > 0 or not plain > 0:
        return DesignRankTest(NAN, NAN, 1.0 if gap == 0 else NAN, NAN)
    t, df = gap / float(np.sqrt(variance)), satterthwaite(parts, overlap)
    return DesignRankTest(t, df, 2 * float(stdtr(df, -abs(t))), gap / float(np.sqrt(plain * bessel(round(count)))))


def design_rank_omnibus(samples: tuple[Scored, ...]) -> tuple[float, float, float, float]:
    """Test that several samples of weighted or clustered people have one distribution.

    Parameters
    ----------
    samples : tuple of Scored
        Two or more, none empty.

    Returns
    -------
    statistic, df1, df2, p : float
        F of the mean estimated population ranks (`hotelling`); NaN where there are too few units.

    References
    ----------
    Lumley & Scott (2013), Biometrika 100, 831-842; Tipton & Pustejovsky (2015), J. Educ. Behav. Stat. 40.

    Examples
    --------
    >>> one = np.ones(6)
    >>> samples = tuple(Scored(np.arange(6.0) + k, one, one, one) for k in (0, 1, 2))
    >>> round(design_rank_omnibus(samples)[3], 2)
    0.28
    """
    means, of, rank = _mean_ranks(samples)
    floors = [s.variances(part)[1] for s, part in zip(samples, of, strict=True)]
    ranks = [rank] * len(samples)
    if samples[0].clusters is None:
        lifted, uncertain = under_ties(samples, floors, floors, ranks)
        return hotelling(
            np.array(means), np.diag(lifted), np.diag([1 / max(s.kish - 1, 1e-9) for s in samples] + uncertain)
        )
    joined = np.concatenate([s.clusters for s in samples if s.clusters is not None])
    codes = np.split(np.unique(joined, return_inverse=True)[1], np.cumsum([s.values.size for s in samples])[:-1])
    count = max(int(c.max()) for c in codes) + 1
    share = np.column_stack([np.bincount(c, s.share, count).astype(float) for c, s in zip(codes, samples, strict=True)])
    sums = np.column_stack([np.bincount(c, part, count) for c, part in zip(codes, of, strict=True)])
    raised = sums / np.sqrt(np.maximum(1 - share, 1e-12))
    covariance = raised.T @ raised
    spread = np.fmax(np.diag(covariance), floors)
    lifted, uncertain = under_ties(samples, floors, spread, ranks, np.sum(share**2, axis=0))
    scale = np.sqrt(np.fmax(spread, lifted) / np.maximum(np.diag(covariance), 1e-300))
    joined_covariance = covariance * np.outer(scale, scale)
    np.fill_diagonal(joined_covariance, np.fmax(spread, lifted))
    return hotelling(np.array(means), joined_covariance, overlap_of(share) + np.diag(uncertain))


def _mean_ranks(samples: tuple[Scored, ...]) -> tuple[list[float], list[Floats], Floats]:
    """Mean estimated population rank of each sample, what each cell adds to it, and the rank of every cell."""
    values, weight = (np.concatenate([getattr(s, name) for s in samples]) for name in ("values", "weight"))
    distinct, place = np.unique(values, return_inverse=True)
    mass = np.bincount(place, weight, distinct.size)
    rank = ((np.cumsum(mass) - mass / 2) / mass.sum())[place]
    ends = np.cumsum([s.values.size for s in samples])[:-1]
    means, influences = [], []
    for s, own in zip(samples, np.split(rank, ends), strict=True):
        mean = float(s.share @ own)
        means.append(mean)
        influences.append(s.share * (own - mean))
    return means, influences, rank
