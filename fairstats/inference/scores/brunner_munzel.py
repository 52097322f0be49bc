"""Brunner and Munzel's test of P(X>Y) + P(X=Y)/2 = 1/2, which lets the groups differ in spread and shape.

Large groups use Student's t, small ones and those with heavy ties the permutation distribution of the studentized
statistic (Neubert & Brunner), which is exact where the distributions are equal and holds approximately where they are
not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, stdtr, stdtrit

from fairstats.errors import InputError
from fairstats.estimates import Estimate
from fairstats.inference.rates.equivalence import p_outside
from fairstats.inference.scores.mann_whitney import EMPTY
from fairstats.inference.scores.merged_samples import Blocks, merge
from fairstats.inference.scores.studentized_permutations import studentized, studentized_permutations
from fairstats.inference.scores.superiority import newcombe_auc, placement_variances

Floats = NDArray[np.float64]
NAN = float("nan")
# t limits reject 28 to 93 % of true hypotheses where fewer people than this differ from a group's commonest value
FEW_DIFFERENT = 15
# two statistics closer than this are equal up to rounding
SAME = 1e-9


@dataclass(frozen=True)
class RelativeEffect:
    """The estimated P(X>Y) + P(X=Y)/2 with its error, its test, and what its limits are made of.

    Attributes
    ----------
    estimate, std_error : float
        ``std_error`` is 0 where a variance cannot be seen (complete separation, groups of one value).
    statistic, df : float
        (estimate - 1/2) / std_error, positive where x is larger; Satterthwaite's degrees of freedom.
    p_value : float
        Two-sided.
    method : str
        How the p-value was computed.
    n, m : float
        Sizes.
    null : ndarray or None
        The statistic of the permutations; None where Student's t stands.
    reason : str
        Why there are no limits, where there are none.
    extended : bool
        Whether limits reach 1/2 wherever the test does not reject it.
    """

    estimate: float
    std_error: float
    statistic: float
    df: float
    p_value: float
    method: str
    n: float
    m: float
    null: Floats | None = None
    reason: str = ""
    extended: bool = False

    def quantile(self, level: float) -> float:
        """The critical value of the absolute statistic at a confidence level."""
        if self.null is None:
            return float(stdtrit(self.df, (1 + level) / 2))
        largest = np.sort(np.abs(self.null))
        return float(largest[min(int(np.ceil(level * (largest.size + 1))) - 1, largest.size - 1)])

    def limits(self, conf_level: float = 0.95) -> tuple[float, float]:
        """Confidence limits at any level, on the logit scale, hence within [0, 1].

        At an estimate of 0 or 1 they are Newcombe's (method 5), the only ones that need no variance; NaN where a
        group is a single value, about whose spread the data say nothing.
        """
        if self.reason:
            return NAN, NAN
        low, high = self._limits(conf_level)
        if self.extended and self.p_value > (1 - conf_level) * (1 + SAME):
            return min(low, 0.5), max(high, 0.5)
        return low, high

    def _limits(self, conf_level: float) -> tuple[float, float]:
        if not self.std_error > 0:
            return newcombe_auc(self.estimate, self.n, self.m, conf_level)
        half = self.quantile(conf_level) * self._scale
        center = logit(self.estimate)
        return float(expit(center - half)), float(expit(center + half))

    @property
    def _scale(self) -> float:
        """The error on the logit scale."""
        return self.std_error / (self.estimate * (1 - self.estimate))

    @cached_property
    def decided(self) -> RelativeEffect:
        """The same with the larger of two p-values: its own, and the error at which the limits reach 1/2.

        Its limits then exclude 1/2 exactly where its p-value is at most the error that they allow.
        """
        if self.reason or np.isnan(self.p_value):
            return self
        if not self.std_error > 0:
            return replace(self, p_value=max(self.p_value, p_outside(self.limits, 0.5)), extended=True)
        distance = float(logit(self.estimate)) / self._scale
        touching = min(1.0, 2 * self._beyond(abs(distance)))
        if touching <= self.p_value:
            return replace(self, extended=True)
        return replace(self, statistic=distance, p_value=touching, extended=True)

    def p_equivalence(self, margin: float) -> float:
        """p-value of the claim that the probability lies within 1/2 plus or minus a margin (two one-sided tests).

        Raises
        ------
        InputError
            If `margin` is not in (0, 1/2).
        """
        if not 0 < margin < 0.5:
            raise InputError(
                f"margin={margin!r} is not between 0 and 0.5; a margin for P(X>Y) is a distance from 0.5, like 0.05."
            )
        if self.reason or not self.std_error > 0:
            return NAN if np.isnan(self.estimate) else 1.0
        scale = self.std_error / (self.estimate * (1 - self.estimate))
        center = logit(self.estimate)
        distances = ((center - logit(0.5 - margin)) / scale, (logit(0.5 + margin) - center) / scale)
        return max(self._beyond(d) for d in distances)

    def _beyond(self, distance: float) -> float:
        """One-sided tail of the null distribution, symmetric."""
        if self.null is None:
            return float(stdtr(self.df, -distance))
        reached = int(np.sum(np.abs(self.null) >= abs(distance) * (1 - SAME)))
        tail = float((1 + reached) / (1 + self.null.size)) / 2
        return tail if distance > 0 else 1 - tail


def relative_effect(x: ArrayLike, y: ArrayLike, *, seed: int = 0, permute: bool | None = None) -> RelativeEffect:
    """Test that neither group tends to larger values (Brunner and Munzel), by t or by studentized permutation.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        The two samples.
    seed : int
        Seed of the permutations; all divisions are enumerated where they are at most 50,000.
    permute : bool, optional
        Ask for the permutation test (True) or Student's t (False); by default permutation wherever one group has
        fewer than 15 people off its commonest value, at any size.

    Returns
    -------
    RelativeEffect
        ``limits(conf_level)`` gives an interval, ``p_equivalence(margin)`` the test of practical equality.

    Raises
    ------
    InputError
        If a value is missing.

    Notes
    -----
    Both tests are of P(X>Y) + P(X=Y)/2 = 1/2 and do not assume equal shapes; Mann-Whitney's does, and rejects a true
    1/2 in up to 33 % of samples where the smaller group varies more; this one in 0 to 6.3 % over eleven settings (300
    draws each). What is permuted is the studentized *logit*: with
    eight people whose scores lie on both sides of the others' the plain statistic rejects 7 %, this one 1 to 6 %. The
    limits use the quantiles of the plain statistic on the logit scale, which are wider and cover (95 to 100 %), where
    the quantiles of the logit's own cover 90 % near 0 and 1; so at the border p may be below 5 % and the limits contain
    1/2. Statistics of permutations without any variance count as infinite. Where the smaller group has more than
    2000 people and there are as many distinct values, permuting is out of reach: Student's t stands, `method` says so.

    References
    ----------
    Brunner & Munzel (2000), Biometrical Journal 42, 17-25; Neubert & Brunner (2007), CSDA 51, 5192-5204; Pauly,
    Asendorf & Konietschke (2016), Biometrical Journal 58, 1319-1337 (limits by permutation). R: ``brunnermunzel``
    (both tests), ``lawstat``; scipy: ``brunnermunzel`` (t, statistic of the opposite sign).

    Examples
    --------
    >>> import fairstats as fs
    >>> r = fs.stats.relative_effect([1, 2, 3, 4, 6], [3, 4, 5, 6, 7])
    >>> r.estimate, round(r.p_value, 4), r.method
    (0.22, 0.1508, 'Brunner-Munzel, logit, all 252 permutations')
    >>> [round(v, 3) for v in r.limits()]
    [0.025, 0.753]
    """
    return relative_effect_of(merge(x, y), seed=seed, permute=permute)


def relative_effect_of(blocks: Blocks, *, seed: int = 0, permute: bool | None = None) -> RelativeEffect:
    """Brunner and Munzel's test of two samples already merged.

    Parameters
    ----------
    blocks : Blocks
        The samples, unweighted.
    seed, permute
        As in `relative_effect`.

    Returns
    -------
    RelativeEffect

    Examples
    --------
    >>> relative_effect_of(merge([1, 2], [3, 4])).estimate
    0.0
    """
    n, m = blocks.n, blocks.m
    if min(n, m) == 0:
        return RelativeEffect(NAN, NAN, NAN, NAN, NAN, "", n, m, reason=EMPTY)
    theta = blocks.u() / (n * m)
    parts = [0.0 if np.isnan(v) else v for v in placement_variances(blocks)]
    se = float(np.sqrt(sum(parts)))
    observed = studentized(np.array(theta), np.array(se**2))
    constant = [name for name, counts in (("x", blocks.x), ("y", blocks.y)) if np.count_nonzero(counts) == 1]
    reason = f"every value of {' and of '.join(constant)} is the same: its spread is unknown" if constant else ""
    df = NAN
    if se > 0 and min(n, m) > 1:
        df = sum(parts) ** 2 / (parts[0] ** 2 / (n - 1) + parts[1] ** 2 / (m - 1))
    made = RelativeEffect(theta, se, float(observed.plain), df, NAN, "Brunner-Munzel, t", n, m, reason=reason)
    small = min(n - blocks.x.max(), m - blocks.y.max()) < FEW_DIFFERENT
    needed = not se > 0 or np.isnan(df)
    wanted = (small or needed) if permute is None else permute or needed
    drawn = studentized_permutations(blocks, seed) if wanted else None
    if drawn is None:
        p = NAN if needed else 2 * float(stdtr(df, -abs(made.statistic)))
        return replace(made, p_value=p, method=made.method + (" (too many people to permute)" if wanted else ""))
    size = drawn.logit.size
    reached = int(np.sum(np.abs(drawn.logit) >= abs(observed.logit) * (1 - SAME)))
    p = reached / size if drawn.every else (1 + reached) / (1 + size)
    said = f"all {size} permutations" if drawn.every else f"{size} permutations, seed {seed}"
    return replace(made, p_value=p, method=f"Brunner-Munzel, logit, {said}", null=drawn.plain)


def relative_effect_estimate(
    x: ArrayLike,
    y: ArrayLike,
    *,
    metric: str = "P(X>Y)",
    attribute: str = "",
    group: str = "",
    reference: str = "",
    conf_level: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """The row of an audit for the probability that a score of the group exceeds one of its reference.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        Scores of the group and of the reference.
    metric, attribute, group, reference : str
        What the row says it is about.
    conf_level : float
        Confidence level.
    seed : int
        Seed of the permutations.

    Returns
    -------
    Estimate
        ``reason`` says why there are no limits, where a group is a single value.

    Examples
    --------
    >>> row = relative_effect_estimate([2, 3, 5], [1, 1, 4], group="b", reference="a")
    >>> round(row.estimate, 3), round(row.p_value, 2)
    (0.778, 0.3)
    """
    blank = Estimate(metric, attribute, group, reference=reference)
    return relative_effect_row(relative_effect(x, y, seed=seed), blank, conf_level)


def relative_effect_row(effect: RelativeEffect, about: Estimate, conf_level: float = 0.95) -> Estimate:
    """A row filled with an effect that was estimated before, with limits at any level.

    Parameters
    ----------
    effect : RelativeEffect
        The test.
    about : Estimate
        What the row says it is about.
    conf_level : float
        Confidence level.

    Returns
    -------
    Estimate

    Examples
    --------
    >>> effect = relative_effect([2, 3, 5, 6, 7, 9], [1, 1, 4, 2, 3, 8])
    >>> round(relative_effect_row(effect, Estimate("P(X>Y)"), 0.9).conf_low, 3)
    0.377
    """
    row = replace(about, n=effect.n, reason=effect.reason)
    if np.isnan(effect.estimate):
        return replace(row, status="unestimable")
    low, high = effect.limits(conf_level)
    return row.with_interval(
        effect.estimate,
        low,
        high,
        conf_level if not np.isnan(low) else NAN,
        std_error=effect.std_error if effect.std_error > 0 else NAN,
        method=f"{effect.method}; {'logit limits' if effect.std_error > 0 else 'Newcombe 5'}",
    ).with_test(effect.statistic, effect.p_value, effect.df if effect.null is None else NAN)
