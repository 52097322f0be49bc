"""The models that predict the outcome from features: logistic regression, or any scikit-learn estimator."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr
from scipy.special import expit

from fairstats.comparing.cache import identity_of
from fairstats.errors import InputError, NumericalError, listing, nearest
from fairstats.inference.logistic_likelihood import maximize

Floats = NDArray[np.float64]
COLLINEAR = 1e-9  # what the other columns leave of one, for it to count
PENALTY = 0.01
PENALIZED = (
    f"the logistic likelihood had no maximum within reach (features that separate the outcomes, or nearly), and was "
    f"penalized by {PENALTY}/2 times the squared coefficients of standardized features"
)


@dataclass(frozen=True)
class Trained:
    """A trained model: ``score(X)`` (n,), the scale of that score, and what went wrong (one text a problem)."""

    score: Callable[[Floats], Floats]
    scale: str
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Model:
    """A name and ``train(X, y, seed)``."""

    name: str
    train: Callable[..., Trained]  # (X, y, seed), and the groups where its attribute needs_groups says so

    @property
    def identity(self) -> str:
        """Text of all but the data that its results depend on; part of the key of a stored cell."""
        import fairstats

        return f"{self.name} {fairstats.__version__} {identity_of(self.train)}"


# what an estimator can be asked for, best first: method -> scale of the score
SCALES = {"predict_proba": "probability", "decision_function": "decision function", "predict": "prediction"}


def logistic(X: Floats, y: NDArray[np.intp], seed: int = 0) -> Trained:
    """Logistic regression by maximum likelihood; columns that are combinations of others are left out.

    Parameters
    ----------
    X : array (n, p)
        Features, any unit.
    y : array (n,)
        Outcomes 0 and 1.
    seed : int
        Not used; every model has it.

    Returns
    -------
    Trained
        R's ``glm`` where that converges; the steps are halved where they would overshoot, since on skewed interactions
        plain ones run off to infinity. Where the coefficients do not settle in 100 steps a small penalty makes the
        maximum finite, and `problems` says so.

    Raises
    ------
    NumericalError
        Not even the penalized likelihood could be maximized.

    References
    ----------
    Albert & Anderson (1984), On the existence of maximum likelihood estimates in logistic regression models.

    Examples
    --------
    >>> X = np.array([[0.0], [0.0], [1.0], [1.0], [1.0]])
    >>> logistic(X, np.array([0, 1, 0, 1, 1])).score(X).round(4).tolist()
    [0.5, 0.5, 0.6667, 0.6667, 0.6667]
    """
    center, spread = X.mean(axis=0), X.std(axis=0)
    # a component of length zero is rounding noise, which standardizing would make a feature
    varies = np.flatnonzero(spread > 1e-13 * max(float(spread.max(initial=0.0)), 1e-300))

    def rows(of: Floats, columns: NDArray[np.intp]) -> Floats:
        return np.column_stack([np.ones(len(of)), (of[:, columns] - center[columns]) / spread[columns]])

    kept = varies[_independent(rows(X, varies)[:, 1:])]
    plain = maximize(rows(X, kept), y)
    if plain.settled:
        return Trained(lambda new: expit(rows(new, kept) @ plain.coefficients), "probability")
    ridge = np.r_[0.0, np.full(len(varies), PENALTY)]
    bent = maximize(rows(X, varies), y, ridge=ridge)
    if not bent.settled:
        raise NumericalError("model='logistic' did not converge, even penalized; rescale or drop features.")
    return Trained(lambda new: expit(rows(new, varies) @ bent.coefficients), "probability", (PENALIZED,))


def _independent(X: Floats) -> NDArray[np.intp]:
    """Columns of which none is a combination of the others, in their order."""
    if not X.shape[1]:
        return np.arange(0)
    R, order = qr(X, mode="r", pivoting=True, check_finite=False)
    size = np.abs(np.diag(R))
    return np.sort(order[: int(np.sum(size > COLLINEAR * size[0]))])


@dataclass(frozen=True)
class Estimator:
    """A scikit-learn estimator, cloned and seeded for each split; its warnings become problems."""

    estimator: Any

    def __call__(self, X: Floats, y: NDArray[np.intp], seed: int) -> Trained:
        model = seeded(self.estimator, seed)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.fit(X, y)
        verb = next(v for v in SCALES if hasattr(model, v))

        def score(new: Floats) -> Floats:
            scores = np.asarray(getattr(model, verb)(new), dtype=float)
            return scores[:, 1] if verb == "predict_proba" else scores

        return Trained(score, SCALES[verb], said(caught))


def seeded(estimator: Any, seed: int) -> Any:
    """A fresh copy of an estimator, with the seed wherever it has none of its own."""
    from sklearn.base import clone

    copy = clone(estimator)
    open_ = (k for k, v in copy.get_params().items() if k.split("__")[-1] == "random_state" and v is None)
    return copy.set_params(**dict.fromkeys(open_, seed))


def said(caught: Iterable[warnings.WarningMessage]) -> tuple[str, ...]:
    """Warnings as problems, each once: its kind and first line."""
    return tuple(dict.fromkeys(f"{w.category.__name__}: {str(w.message).splitlines()[0]}" for w in caught))


@dataclass(frozen=True)
class Named:
    """A scikit-learn estimator of the papers by its name; made when trained, so that naming one loads nothing."""

    estimator: str  # module and class
    settings: tuple[tuple[str, Any], ...]

    def __call__(self, X: Floats, y: NDArray[np.intp], seed: int) -> Trained:
        from importlib import import_module

        module, name = self.estimator.rsplit(".", 1)
        cls = getattr(import_module(f"sklearn.{module}"), name)
        return Estimator(cls(**dict(self.settings)))(X, y, seed)


# the settings of Lee et al. (2022), section 5; the LASSO's penalty by cross-validation, as glmnet's users have it
_SVM = (("C", 1.0), ("gamma", 1.0))
_LASSO = (("l1_ratios", [1.0]), ("solver", "liblinear"), ("scoring", "neg_log_loss"), ("use_legacy_attributes", False))
MODELS: dict[str, Callable[[Floats, NDArray[np.intp], int], Trained]] = {
    "logistic": logistic,
    "linear-svm": Named("svm.SVC", (("kernel", "linear"), *_SVM)),
    "rbf-svm": Named("svm.SVC", (("kernel", "rbf"), *_SVM)),
    "mlp": Named("neural_network.MLPClassifier", (("hidden_layer_sizes", [10, 5]), ("max_iter", 20_000))),
    "lasso": Named("linear_model.LogisticRegressionCV", _LASSO),
    "random-forest": Named("ensemble.RandomForestClassifier", (("n_estimators", 500),)),
}


def models(asked: Any) -> tuple[Model, ...]:
    """The models that the argument ``model`` asks for, in its order.

    Parameters
    ----------
    asked : str, estimator, (name, estimator) or sequence of these
        "logistic", or estimators of scikit-learn with ``fit`` and one of ``predict_proba``, ``decision_function`` and
        ``predict``; or a `Model`, such as ``fairstats.r.model("glm", family="binomial")``.

    Returns
    -------
    tuple of Model

    Raises
    ------
    InputError
        An unknown name, something that is not an estimator, the same name twice.

    Examples
    --------
    >>> [m.name for m in models("logistic")]
    ['logistic']
    """
    several = list(asked) if isinstance(asked, (list, tuple)) and not _is_pair(asked) else [asked]
    models_asked = tuple(_model(m) for m in several)
    names = [m.name for m in models_asked]
    if not names:
        raise InputError("model is empty; pass 'logistic' or a scikit-learn estimator.")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"model has {listing(twice)} more than once; give pairs (name, estimator).")
    return models_asked


def _is_pair(value: Any) -> bool:
    # a list of two is two models: ["logistic", RandomForestClassifier()]
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str) and not isinstance(value[1], str)


def _model(asked: Any) -> Model:
    name, estimator = asked if isinstance(asked, (tuple, list)) and _is_pair(asked) else ("", asked)
    if isinstance(estimator, Model):
        return Model(name or estimator.name, estimator.train)
    if isinstance(estimator, str):
        if estimator not in MODELS:
            raise InputError(
                f"model has {estimator!r}, which is not known{nearest(estimator, MODELS)}; it can be "
                f"{listing(MODELS)}, or a scikit-learn estimator."
            )
        return Model(estimator, MODELS[estimator])
    if isinstance(estimator, type) or not (hasattr(estimator, "fit") and any(hasattr(estimator, v) for v in SCALES)):
        raise InputError(
            f"model has {estimator!r}, which cannot be fitted; pass 'logistic' or an instance of a scikit-learn "
            "estimator."
        )
    return Model(name or type(estimator).__name__, Estimator(estimator))
