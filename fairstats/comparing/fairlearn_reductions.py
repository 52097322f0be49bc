"""fairlearn's reductions (Agarwal et al. 2018) as a model of a comparison: called, not rewritten."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairstats.arguments import between, one_of, shown, whole
from fairstats.comparing.models import Model, Trained, said, seeded
from fairstats.errors import InputError, not_installed

Constraint = Literal["demographic_parity", "equalized_odds", "true_positive_rate", "false_positive_rate"]
CONSTRAINTS = {
    "demographic_parity": "DemographicParity",
    "equalized_odds": "EqualizedOdds",
    "true_positive_rate": "TruePositiveRateParity",
    "false_positive_rate": "FalsePositiveRateParity",
}


@dataclass(frozen=True)
class Reduction:
    """Trains a randomized classifier within a constraint; its score is the probability of predicting 1."""

    constraint: str
    bound: float
    estimator: Any
    max_iter: int
    needs_groups = True

    def __call__(self, X: NDArray[np.float64], y: NDArray[np.intp], seed: int, groups: NDArray[np.intp]) -> Trained:
        try:
            from fairlearn import reductions
        except ImportError:
            raise not_installed("reduction", "fairlearn", "compare") from None
        constraint = getattr(reductions, CONSTRAINTS[self.constraint])(difference_bound=self.bound)
        base = seeded(self.estimator, seed)
        search = reductions.ExponentiatedGradient(base, constraint, eps=self.bound, max_iter=self.max_iter)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            search.fit(X, y, sensitive_features=groups)
        # its dependencies' deprecations are nobody's problem here
        problems = said(w for w in caught if not issubclass(w.category, (DeprecationWarning, FutureWarning)))
        return Trained(lambda new: np.asarray(search._pmf_predict(new))[:, 1], "probability", problems)


def reduction(
    constraint: Constraint = "demographic_parity", *, bound: float = 0.01, estimator: Any = None, max_iter: int = 50
) -> Model:
    """Make a model for ``fairstats.compare`` of fairlearn's ExponentiatedGradient (Agarwal et al. 2018).

    Parameters
    ----------
    constraint : {"demographic_parity", "equalized_odds", "true_positive_rate", "false_positive_rate"}
    bound : float
        Allowed difference of a rate from that of everybody, in (0, 1).
    estimator : scikit-learn classifier, optional
        That takes ``sample_weight``; logistic regression by default.
    max_iter : int
        Rounds.

    Returns
    -------
    Model
        The groups of the comparison are its sensitive features; predicting needs none. Predictions are random with
        the probability that is its score; cut at 0.5 they are the likelier label, for which the bound need not hold.

    Raises
    ------
    InputError
        An unknown constraint, a bound outside (0, 1).
    DependencyError
        When it is trained and fairlearn is not installed (the extra ``compare``).

    References
    ----------
    Agarwal, Beygelzimer, Dudík, Langford & Wallach (2018), "A reductions approach to fair classification", ICML.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.reduction("equalized_odds", bound=0.05).name
    'reduction, equalized_odds 0.05'
    """
    one_of("constraint", constraint, CONSTRAINTS)
    bound = between("bound", bound, 0, 1)
    steps = whole("max_iter", max_iter, 1, 1_000_000, "steps")
    if estimator is None:
        from sklearn.linear_model import LogisticRegression

        estimator = LogisticRegression(max_iter=1000)
    elif isinstance(estimator, type) or not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
        raise InputError(f"estimator has {shown(estimator)}; it is a classifier of scikit-learn; pass an instance.")
    model = Reduction(constraint, bound, estimator, steps)
    return Model(f"reduction, {constraint} {bound:g}", model)
