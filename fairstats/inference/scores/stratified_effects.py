"""The probability that a score of one group exceeds one of another, compared within strata only.

P(X>Y) of each stratum is averaged with the weights of van Elteren's test; effects need not be the same in all strata.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr

from fairstats.inference.rates.stratified_rates import FEWEST_DF, NO_OVERLAP
from fairstats.inference.scores.brunner_munzel import SAME, RelativeEffect, relative_effect_of
from fairstats.inference.scores.merged_samples import Blocks
from fairstats.inference.scores.stratified_blocks import StratifiedBlocks, in_strata
from fairstats.inference.scores.studentized_permutations import PERMUTATIONS, Studentized, studentized

Floats = NDArray[np.float64]
NAN = float("nan")
# people off the commonest score of their stratum, in the group that has fewer, below which people are permuted
FEW_DIFFERENT = 50
# permutations times people that are worked on at most
BUDGET = 4_000_000
FEWEST_PERMUTATIONS = 1_999
AVERAGED = "Brunner-Munzel within strata, weighted by n1 n0 / (n1 + n0 + 1)"
ONE_VALUE = "in every stratum all scores are the same: their spread is unknown"


def stratified_effect(
    x: ArrayLike, y: ArrayLike, x_strata: ArrayLike, y_strata: ArrayLike, *, seed: int = 0
) -> RelativeEffect:
    """Estimate the probability that a random x exceeds a random y of the same stratum, ties half, and test 1/2.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        The two samples.
    x_strata, y_strata : array_like, shape (n,) and (m,)
        The stratum of each person.
    seed : int
        Seed of the permutations.

    Returns
    -------
    RelativeEffect
        ``limits(conf_level)`` gives an interval. ``n`` and ``m`` are the people of strata that have both samples;
        ``reason`` says why there is no estimate.

    Raises
    ------
    InputError
        If a score is missing.

    Notes
    -----
    Strata weigh n m / (n + m + 1), as Kawaguchi, Koch and Wang have it. The variance of a stratum is the unbiased one
    of U / (n m); in strata with one person of a sample, where it cannot be seen, the squared distance of the stratum's
    estimate from the average stands in for it, as in `stratified_rates`. The statistic is the studentized logit: by
    Student's t with Satterthwaite's degrees of freedom, or, where fewer than 50 people of a sample differ from the
    commonest score of their stratum, by permutations of the people within strata, which are exact where the
    distributions of each stratum are equal. With one stratum all is `relative_effect`.

    References
    ----------
    van Elteren (1960), Bulletin of the International Statistical Institute 37, 351-361; Kawaguchi, Koch & Wang (2011),
    Statistics in Biopharmaceutical Research 3, 217-231; Neubert & Brunner (2007), CSDA 51, 5192-5204. R:
    ``sanon::sanon``.

    Examples
    --------
    >>> r = stratified_effect([3, 5, 6, 13, 15], [1, 2, 4, 10, 11, 14], [0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1])
    >>> round(r.estimate, 4), r.n, r.m
    (0.8646, 5.0, 6.0)
    """
    return stratified_effect_of(in_strata(x, y, x_strata, y_strata), seed=seed)


def stratified_effect_of(strata: StratifiedBlocks, *, seed: int = 0) -> RelativeEffect:
    """The same of samples that were sorted before; see `stratified_effect`.

    Examples
    --------
    >>> stratified_effect_of(in_strata([1, 2], [3, 4], [0, 0], [1, 1])).reason
    'no stratum has people of both groups'
    """
    if not strata.parts:
        return RelativeEffect(NAN, NAN, NAN, NAN, NAN, "", 0.0, 0.0, reason=NO_OVERLAP)
    if len(strata.parts) == 1:
        return relative_effect_of(strata.parts[0], seed=seed)
    theta, variance, df = _average(strata, [_moments(part.x[None], part.sizes, part) for part in strata.parts])
    n, m, estimate, se = float(strata.n.sum()), float(strata.m.sum()), float(theta[0]), float(np.sqrt(variance[0]))
    observed = studentized(theta, variance)
    reason = ONE_VALUE if all(part.values.size == 1 for part in strata.parts) else ""
    made = RelativeEffect(estimate, se, float(observed.logit[0]), float(df[0]), NAN, AVERAGED, n, m, reason=reason)
    few = min(sum(p.n - p.x.max() for p in strata.parts), sum(p.m - p.y.max() for p in strata.parts)) < FEW_DIFFERENT
    drawn = _permuted(strata, seed) if few or not se > 0 else None
    if drawn is None:
        p = 2 * float(stdtr(df[0], -abs(observed.logit[0]))) if se > 0 else NAN
        return replace(made, p_value=p, method=f"{AVERAGED}, logit, t")
    size = drawn.logit.size
    reached = int(np.sum(np.abs(drawn.logit) >= abs(observed.logit[0]) * (1 - SAME)))
    said = f"{AVERAGED}, logit, {size} permutations within strata, seed {seed}"
    return replace(made, p_value=(1 + reached) / (1 + size), method=said, null=drawn.plain)


def _moments(x: Floats, sizes: Floats, part: Blocks) -> tuple[Floats, Floats, Floats, Floats]:
    """Of one stratum, a division of its people a row of x: theta, its unbiased variance, the parts of both samples."""
    n, m = part.n, part.m
    y = sizes - x
    above = np.cumsum(y, axis=1) - y / 2
    places = above / m
    theta = (x * places).sum(axis=1) / n
    nothing = np.zeros_like(theta)
    if min(n, m) < 2:
        return theta, np.full_like(theta, np.nan), nothing, nothing
    others = (n - np.cumsum(x, axis=1) + x / 2) / n
    of_x = (x * places**2).sum(axis=1) - n * theta**2
    of_y = (y * others**2).sum(axis=1) - m * theta**2
    squares = (x * (above - y / 4)).sum(axis=1)  # of all n m comparisons: 1 above, 1/4 for a tie
    joint = squares - m * of_x - n * of_y - n * m * theta**2
    parts = of_x / (n * (n - 1)), of_y / (m * (m - 1))
    # both samples' variances hold that of a single comparison, which enters only once
    variance = parts[0] + parts[1] - joint / ((n - 1) * (m - 1) * n * m)
    return theta, np.where(np.abs(variance) < 1e-14, 0.0, variance), *parts


def _average(
    strata: StratifiedBlocks, moments: list[tuple[Floats, Floats, Floats, Floats]]
) -> tuple[Floats, Floats, Floats]:
    """The average over strata, its variance, and Satterthwaite's degrees of freedom."""
    share = strata.share
    theta = np.asarray(sum(w * m[0] for w, m in zip(share, moments, strict=True)))
    pieces, squares, whole, biased = (np.zeros_like(theta) for _ in range(4))
    for w, n, m, (own, variance, of_x, of_y) in zip(share, strata.n, strata.m, moments, strict=True):
        if min(n, m) < 2:
            piece = w**2 * (own - theta) ** 2
            squares += piece**2
            biased += piece
        else:
            piece = w**2 * variance
            squares += w**4 * (of_x**2 / (n - 1) + of_y**2 / (m - 1))
            biased += w**2 * (of_x + of_y)
        pieces += piece
        whole += np.abs(piece)
    # by chance the corrections may outweigh what they correct
    pieces = np.where(pieces > 1e-3 * whole, pieces, biased)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = np.where(squares > 0, biased**2 / squares, np.inf)
    return theta, pieces, np.fmax(df, FEWEST_DF)


def _permuted(strata: StratifiedBlocks, seed: int) -> Studentized | None:
    """The statistic of people who change places within their strata; None where that is out of reach."""
    cost = int(sum(part.values.size for part in strata.parts))
    if BUDGET // cost < FEWEST_PERMUTATIONS:
        return None
    draws, rng, moments = min(PERMUTATIONS, BUDGET // cost), np.random.default_rng(seed), []
    for part in strata.parts:
        sizes = part.sizes
        # people are shuffled, or, where many share few scores, drawn score by score
        way: Literal["marginals", "count"] = "marginals" if sizes.size < min(part.n, part.m) / 10 else "count"
        x = rng.multivariate_hypergeometric(sizes.astype(np.int64), int(part.n), draws, method=way)
        moments.append(_moments(x.astype(float), sizes, part))
    theta, variance, _ = _average(strata, moments)
    return studentized(theta, variance)
