"""Two rates compared within strata: the Mantel-Haenszel risk difference and ratio, and direct standardization.

A stratum in which nobody or everybody has the property has a difference of 0, and that belongs in the average; only
strata in which one group is absent say nothing. Differences need not be the same in all strata: what is estimated is
their average, with weights that the row names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.arguments import choose
from fairstats.inference.rates.one_rate import counts
from fairstats.inference.rates.standardized_rates import StratifiedRates

Floats = NDArray[np.float64]
NAN = float("nan")
# the reference distribution is never wider than Student's t on this many degrees of freedom
FEWEST_DF = 3.0
NO_OVERLAP = "no stratum has people of both groups"

Standard = Literal["mantel-haenszel", "group", "everybody"]
STANDARDS = {
    "mantel-haenszel": "the mean over strata of the differences of rates, each weighted by n1 n0 / (n1 + n0)",
    "everybody": "the mean over strata of the differences of rates, each weighted by its people of both groups",
    "group": "the mean over strata of the differences of rates, each weighted by its people of the group",
}


@dataclass(frozen=True)
class StratumCells:
    """One group by stratum: people or weights, rate, variance of the rate, people counted, effective size."""

    n: Floats
    rate: Floats
    variance: Floats
    people: Floats
    size: Floats

    def of(self, chosen: NDArray[np.bool_]) -> StratumCells:
        """Some of the strata."""
        return StratumCells(*(v[chosen] for v in (self.n, self.rate, self.variance, self.people, self.size)))


def _cells(e: Floats, n: Floats) -> StratumCells:
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = np.where(n > 0, e / n, 0.0)
        variance = np.where(n > 1, rate * (1 - rate) / (n - 1), 0.0)
    return StratumCells(n, rate, variance, n, n)


def stratified_rates(
    e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, standard: Standard | ArrayLike = "mantel-haenszel"
) -> StratifiedRates:
    """Estimate the rates of two groups with the strata held fixed, and their difference (Mantel-Haenszel's) and ratio.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like, shape (K,)
        Events and sizes of the group and of the reference by stratum (whole counts).
    standard : {"mantel-haenszel", "everybody", "group"} or array_like, shape (K,)
        How the strata are weighted: most precisely; as the people of both groups are spread; as the group is; or as a
        declared population is (any weights, strata where one group is absent do not count).

    Returns
    -------
    StratifiedRates
        ``difference``, ``std_error``, ``limits(conf_level)``, ``ratio``, ``ratio_limits(conf_level)``.

    Raises
    ------
    InputError
        If `standard` is unknown.

    Notes
    -----
    The variance does not assume that the difference is the same in all strata. In strata with two or more people of
    each group it is the sum of the unbiased variances of their rates (Qiu et al.: consistent with few large strata,
    with many small ones, and with both). In strata with one person of a group that variance cannot be seen; there the
    squared distance of the stratum's difference from the average stands, which is unbiased where differences are equal
    and too large where they are not. Coverage in 21 settings (2 to 1600 people, 1 to 100 strata, rates .01 to .95,
    equal and unequal differences) is 94.5 to 99.7 %; Sato's and the plain Wald interval have 47 to 98 % there.

    References
    ----------
    Greenland & Robins (1985), Biometrics 41, 55-68; Sato (1989), Biometrics 45, 1323-1324; Klingenberg (2014),
    Statistics in Medicine 33, 2968-2983; Noma & Nagashima (2016), Epidemiologic Methods 5, 19-35; Qiu, Qian, Yi, Wang,
    Du, Yi & Ye (2025), arXiv 2408.12541 (the estimand without equal differences, and the variance); Donner & Zou
    (2012), SMMR 21, 347-359 (MOVER). R: ``RobinCar::robincar_mh``.

    Examples
    --------
    >>> import fairstats as fs
    >>> r = fs.stats.stratified_rates([30, 12], [50, 40], [20, 10], [50, 50])
    >>> round(r.difference, 4), round(r.std_error, 4), [round(v, 3) for v in r.limits()]
    (0.1529, 0.0683, [0.017, 0.282])
    >>> round(r.ratio, 3), [round(v, 3) for v in r.ratio_limits()]
    (1.5, [1.045, 2.164])
    """
    arrays = [np.atleast_1d(v) for v in counts(e1, n1, e0, n0)]
    return standardized(_cells(arrays[0], arrays[1]), _cells(arrays[2], arrays[3]), standard, unweighted=True)


def strata_weights(standard: Standard | ArrayLike, group: StratumCells, reference: StratumCells) -> tuple[Floats, str]:
    """Return the weight of each stratum under a standard, and what is then estimated, in words."""
    if not isinstance(standard, str):
        return np.asarray(standard, dtype=float), "the mean of the strata's differences of rates, weighted as declared"
    words = choose("standard", standard, STANDARDS)
    n1, n0 = group.n, reference.n
    total = n1 + n0
    if standard == "mantel-haenszel":
        return np.where(total > 0, n1 * n0 / np.where(total > 0, total, 1.0), 0.0), words
    return (total if standard == "everybody" else n1), words


def variance_floor(cells: StratumCells, share: Floats, rate: float) -> float:
    """Return the variance of a standardized rate of independent people, each stratum's rate drawn toward it.

    As much as by one more person with that rate: so a stratum of two people who are alike has a variance too.
    """
    return float(_floors(cells, share, rate).sum())


def _floors(cells: StratumCells, share: Floats, rate: float) -> Floats:
    near = (cells.size * cells.rate + rate) / (cells.size + 1)
    return np.asarray(share**2 * near * (1 - near) / cells.size)


def _at_least(seen: Floats, guessed: Floats, floors: Floats) -> Floats:
    """The strata's parts of a variance; those of its floor less what is guessed, where that is more in all."""
    missing = np.maximum(floors - guessed, 0.0)
    return missing if floors.sum() > (seen + guessed).sum() else seen


def standardized(
    group: StratumCells, reference: StratumCells, standard: Standard | ArrayLike, *, unweighted: bool
) -> StratifiedRates:
    """Return the rates of both groups, averaged over the strata in which both have people."""
    w, estimand = strata_weights(standard, group, reference)
    both = (group.people > 0) & (reference.people > 0) & (w > 0)
    left_out = float(group.n[~both].sum() + reference.n[~both].sum())
    group, reference, w = group.of(both), reference.of(both), w[both]
    n1, n0, total = float(group.n.sum()), float(reference.n.sum()), float(w.sum())
    about: dict[str, Any] = {
        "n1": n1,
        "n0": n0,
        "left_out": left_out,
        "total": total,
        "strata": int(both.sum()),
    }
    if not both.any():
        nothing: dict[str, Any] = dict.fromkeys(("variance1", "variance0", "covariance", "size1", "size0", "df"), NAN)
        return StratifiedRates(NAN, NAN, **nothing, **about, estimand=estimand, reason=NO_OVERLAP)
    share = w / total
    rates = float(share @ group.rate), float(share @ reference.rate)
    gap = group.rate - reference.rate - (rates[0] - rates[1])
    alone = (group.people < 2) | (reference.people < 2)
    seen = [np.where(alone, 0.0, share**2 * c.variance) for c in (group, reference)]
    guessed = np.where(alone, (share * gap) ** 2, 0.0)
    # the distance of a stratum's difference is shared between the groups as their variances would be
    part = reference.people / (group.people + reference.people)
    if not (isinstance(standard, str) and standard == "mantel-haenszel"):
        # a stratum may weigh much and hold two people who are alike: their variance of 0 is not to be believed
        sides = zip((group, reference), seen, (part, 1 - part), rates, strict=True)
        seen = [_at_least(v, guessed * own, _floors(c, share, p)) for c, v, own, p in sides]
    variances = float((seen[0] + guessed * part).sum()), float((seen[1] + guessed * (1 - part)).sum())
    pieces = np.concatenate([*seen, guessed])
    dfs = np.concatenate([np.maximum(group.size - 1, 1), np.maximum(reference.size - 1, 1), np.ones(w.size)])
    if not unweighted and not pieces.any():  # what a common rate would make of them
        pieces = np.concatenate([share**2 / group.size, share**2 / reference.size, guessed])
    squares = float(np.sum(pieces**2 / dfs))
    df = max(float(pieces.sum()) ** 2 / squares, FEWEST_DF) if squares > 0 else np.inf
    sizes = []
    for rate, variance, cells in ((rates[0], variances[0], group), (rates[1], variances[1], reference)):
        plain = 1 / float(np.sum(share**2 / cells.size))
        size = rate * (1 - rate) / variance if variance > 0 and 0 < rate < 1 else plain
        sizes.append(size if unweighted else min(size, plain))
    return StratifiedRates(*rates, *variances, 0.0, sizes[0], sizes[1], df, **about, estimand=estimand)
