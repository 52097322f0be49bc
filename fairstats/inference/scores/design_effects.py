"""P(X>Y), and the area under a ROC curve, of weighted or clustered people: estimate, error, limits and tests."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, stdtr, stdtrit

from fairstats.inference.rates.design_rates import FEW_CLUSTERS, FEWEST_CLUSTERS, LEAST_OVERLAP, ONE_CLUSTER, ONE_PERSON
from fairstats.inference.rates.design_sums import bessel, overlap_of
from fairstats.inference.rates.equivalence import p_outside, p_within
from fairstats.inference.scores.design_samples import Scored, influence
from fairstats.inference.scores.merged_samples import Floats, merge
from fairstats.inference.scores.rare_scores import under_ties
from fairstats.inference.scores.superiority import newcombe_auc

NAN = float("nan")
# shares sum to one only up to this
ROUNDING = 1e-12
WEIGHTED, CLUSTERED = "linearized, logit, t", "linearized by cluster (CR2), logit, t"
NEWCOMBE = "Newcombe 5, effective sizes"


@dataclass(frozen=True, eq=False)
class DesignEffect:
    """An estimated P(X>Y) + P(X=Y)/2 of a weighted or clustered sample.

    Attributes
    ----------
    estimate, std_error : float
        The estimate and its linearized standard error.
    variance : float
        What limits and tests rest on: of clusters CR2, and of each sample no smaller than its weights allow.
    df : float
        Satterthwaite's degrees of freedom.
    sizes : (float, float)
        Effective sizes of the samples, for the limits at 0 and 1.
    n : float
        Summed weights of the first sample.
    units, parts : ndarray
        Clusters, and what each adds to the estimate.
    clustered : bool
        Whether there are clusters.
    pooled : bool
        Whether the variance is, for lack of people who differ, the one under equality: the test is then a score test.
    reason : str
        Why there is no estimate.
    """

    estimate: float
    std_error: float = NAN
    variance: float = NAN
    df: float = NAN
    sizes: tuple[float, float] = (NAN, NAN)
    n: float = NAN
    units: NDArray[np.int64] | None = None
    parts: Floats | None = None
    clustered: bool = False
    pooled: bool = False
    reason: str = ""
    null: None = None  # no permutations under a design

    @property
    def auc(self) -> float:
        """The estimate, where x are positives and y negatives."""
        return self.estimate

    @property
    def method(self) -> str:
        """How limits and test are made."""
        return NEWCOMBE if self._flat else CLUSTERED if self.clustered else WEIGHTED

    @property
    def _flat(self) -> bool:
        return not self.variance > 0 or min(self.estimate, 1 - self.estimate) < ROUNDING

    @property
    def _scale(self) -> float:
        """The error on the logit scale."""
        return float(np.sqrt(self.variance)) / (self.estimate * (1 - self.estimate))

    @property
    def statistic(self) -> float:
        """Student's t of 1/2, on the logit scale but for a pooled variance; NaN at 0 and 1."""
        if self._flat or np.isnan(self.estimate):
            return NAN
        if self.pooled:
            return (self.estimate - 0.5) / float(np.sqrt(self.variance))
        return float(logit(self.estimate)) / self._scale

    def limits(self, conf_level: float) -> tuple[float, float]:
        """Confidence limits on the logit scale with t; at 0 and 1, and without a variance, Newcombe's."""
        if np.isnan(self.estimate):
            return NAN, NAN
        if self._flat:
            return newcombe_auc(min(max(self.estimate, 0.0), 1.0), *self.sizes, conf_level)
        center, half = logit(self.estimate), float(stdtrit(self.df, (1 + conf_level) / 2)) * self._scale
        return float(expit(center - half)), float(expit(center + half))

    @cached_property
    def p_value(self) -> float:
        """Two-sided p of 1/2: by t, at 0 and 1 the error at which the limits reach 1/2."""
        if np.isnan(self.estimate):
            return NAN
        if not self._flat:
            return 2 * float(stdtr(self.df, -abs(self.statistic)))
        return p_outside(self.limits, 0.5)

    def p_equivalence(self, margin: float) -> float:
        """p-value of the claim that the probability lies within 1/2 plus or minus a margin, by inverting the limits.

        1 at estimates of 0 and 1, and without a variance.
        """
        if np.isnan(self.estimate) or self._flat:
            return NAN if np.isnan(self.estimate) else 1.0
        return p_within(self.limits, 0.5 - margin, 0.5 + margin)

    def correlation(self, other: DesignEffect) -> float:
        """Of two estimates whose people share clusters."""
        if self.units is None or other.units is None or self.parts is None or other.parts is None:
            return 0.0
        _, mine, theirs = np.intersect1d(self.units, other.units, return_indices=True)
        scale = float(np.linalg.norm(self.parts) * np.linalg.norm(other.parts))
        return float(self.parts[mine] @ other.parts[theirs]) / scale if scale > 0 else 0.0


def design_effect(x: Scored, y: Scored, empty: str = "a group without scores", *, equal: bool = True) -> DesignEffect:
    """Estimate P(X>Y) + P(X=Y)/2 from cells of weighted or clustered people.

    Parameters
    ----------
    x, y : Scored
        The samples; with positives and negatives it is the AUC.
    empty : str
        The reason where a sample is empty.
    equal : bool
        Whether the question is if the two are alike; then heavily tied samples share their variance (`rare_scores`).
        False for an AUC, whose samples are expected to differ.

    Returns
    -------
    DesignEffect
        Without weights and clusters the error is DeLong's. NaN with its reason where a sample is empty, has one person
        or fewer than four clusters, or is mostly one cluster.

    References
    ----------
    Obuchowski (1997), Biometrics 53, 567-578; Binder (1983), International Statistical Review 51 (linearization); Kish
    (1965) for effective sizes; Bell & McCaffrey (2002), Survey Methodology 28 (CR2).

    Examples
    --------
    >>> one, two = np.ones(3), np.array([1.0, 2.0, 1.0])
    >>> x = Scored(np.array([1.0, 2.0, 4.0]), two, two**2, one)
    >>> found = design_effect(x, Scored(np.array([0.0, 2.0, 3.0]), one, one, one))
    >>> round(found.estimate, 4), round(found.df, 2)
    (0.5833, 3.65)
    """
    if min(x.values.size, y.values.size) == 0:
        return DesignEffect(NAN, n=x.total, reason=empty)
    theta, of = influence(x.values, y.values, x.share, y.share)
    known: dict[str, Any] = {"estimate": theta, "n": x.total}
    independent = [s.variances(part) for s, part in zip((x, y), of, strict=True)]
    floors = [floor for _, floor in independent]
    if x.clusters is None or y.clusters is None:
        if min(x.people.sum(), y.people.sum()) < 2:
            return DesignEffect(NAN, n=x.total, reason=ONE_PERSON)
        parts, uncertain = np.array(floors), np.zeros(2)
        if equal:
            parts, uncertain = under_ties((x, y), floors, floors, _places(x, y))
            known["pooled"] = bool(np.any(parts > floors))
        overlap = np.diag([1 / max(s.kish - 1, 1e-9) for s in (x, y)] + uncertain)
        known |= {"std_error": float(np.sqrt(sum(v for v, _ in independent))), "variance": float(parts.sum())}
        return DesignEffect(df=satterthwaite(parts, overlap), sizes=(x.kish, y.kish), **known)
    if min(np.unique(codes).size for codes in (x.clusters, y.clusters)) < FEWEST_CLUSTERS:
        return DesignEffect(NAN, n=x.total, reason=FEW_CLUSTERS)
    units, codes = np.unique(np.concatenate([x.clusters, y.clusters]), return_inverse=True)
    own = np.split(codes, [x.values.size])
    share = np.column_stack(
        [np.bincount(c, s.share, units.size).astype(float) for c, s in zip(own, (x, y), strict=True)]
    )
    overlap = overlap_of(share)
    if np.diag(overlap).max() > LEAST_OVERLAP:
        return DesignEffect(NAN, n=x.total, reason=ONE_CLUSTER)
    plain = np.column_stack([np.bincount(c, part, units.size) for c, part in zip(own, of, strict=True)])
    raised = plain / np.sqrt(1 - share)
    if equal:
        spread = np.fmax(np.sum(raised**2, axis=0), floors)
        lifted, uncertain = under_ties((x, y), floors, spread, _places(x, y), np.sum(share**2, axis=0))
        known["pooled"] = bool(np.any(lifted > spread))
        floors, overlap = lifted.tolist(), overlap + np.diag(uncertain)
    variance, parts = joined_variance(raised, floors)
    linearized = bessel(units.size) * float(np.sum(plain.sum(axis=1) ** 2))
    known |= {"std_error": float(np.sqrt(linearized)), "variance": variance, "clustered": True}
    known |= {"units": units, "parts": raised.sum(axis=1)}
    sizes = tuple(float(1 / np.sum(share[:, k] ** 2)) for k in range(2))
    return DesignEffect(df=satterthwaite(parts, overlap), sizes=(sizes[0], sizes[1]), **known)


def _places(x: Scored, y: Scored) -> tuple[Floats, Floats]:
    """Where every cell of both samples stands among y, and among x."""
    blocks = merge(x.values, y.values, x.share, y.share)
    at = np.searchsorted(blocks.values, np.concatenate([x.values, y.values]))
    return blocks.place_x()[at], blocks.place_y()[at]


def satterthwaite(parts: Floats, overlap: Floats) -> float:
    """Degrees of freedom of a sum of variances whose units overlap.

    Examples
    --------
    >>> satterthwaite(np.array([1.0, 1.0]), np.diag([1 / 5, 1 / 5]))
    10.0
    """
    spread = float(parts @ overlap @ parts)
    return float(parts.sum() ** 2 / spread) if spread > 0 else NAN


def joined_variance(raised: Floats, floors: list[float]) -> tuple[float, Floats]:
    """Variance of the sum of two means from what each cluster adds to them, no mean below its floor; and the parts.

    Examples
    --------
    >>> joined_variance(np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]), [0.5, 3.0])
    (5.0, array([2., 3.]))
    """
    sums = raised.T @ raised
    spread = np.sqrt(np.diag(sums))
    parts = np.fmax(np.diag(sums), floors)
    together = sums[0, 1] / (spread[0] * spread[1]) if spread.min() > 0 else 0.0
    return float(parts.sum() + 2 * together * np.sqrt(parts[0] * parts[1])), parts
