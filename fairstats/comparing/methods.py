"""The methods that ``compare()`` knows by name, and those that a caller brings."""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import CodeType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr
from scipy.special import expit

from fairstats.data.centered_view import Scaling
from fairstats.data.design import Design
from fairstats.data.groups import Encoding
from fairstats.errors import (
    FileError,
    InputError,
    NumericalError,
    Setting,
    edge,
    listing,
    nearest,
    not_installed,
    snippet,
    with_hint,
)
from fairstats.files import atomic_write
from fairstats.inference.regression import maximize
from fairstats.language import Message, as_record, of_record
from fairstats.methods.arguments import most_components
from fairstats.methods.crossfit import matrix_like
from fairstats.methods.pca import pca
from fairstats.methods.registry import METHODS
from fairstats.validation import answering, between, items, one_of, shown, whole

# Methods that show a model the groups while it learns, and hide them when it predicts (Pope & Sydnor 2011).


@dataclass(frozen=True)
class WithGroups:
    """Standardized features beside the group indicators Z; ``shown`` makes Z of new rows from their encoded one."""

    scaling: Scaling
    encoding: Encoding
    shown: Callable[[np.ndarray, Encoding], np.ndarray]

    def training(self, design: Design) -> np.ndarray:
        """Features and Z of the rows that a model learns from."""
        return np.hstack([self._rows(design), self._encoded(design)])

    def transform(self, design: Design) -> np.ndarray:
        """Features of new rows, and of Z what is shown."""
        return np.hstack([self._rows(design), self.shown(self._encoded(design), self.encoding)])

    def _rows(self, design: Design) -> np.ndarray:
        rows = np.asarray(matrix_like(self.scaling, design)) - self.scaling.center
        return rows if self.scaling.scale is None else rows / self.scaling.scale

    def _encoded(self, design: Design) -> np.ndarray:
        assert design.groups is not None
        return self.encoding.encode(design.groups)


def _all(Z: np.ndarray, encoding: Encoding) -> np.ndarray:
    return Z


def _mean(Z: np.ndarray, encoding: Encoding) -> np.ndarray:
    """Set Z to its training mean, which is 0 after centering, for everybody."""
    return np.zeros_like(Z)


def _zero(Z: np.ndarray, encoding: Encoding) -> np.ndarray:
    """Set the part of Z in the prediction to 0, as if everybody were a member of the first level."""
    return np.tile(-encoding.center, (len(Z), 1))


SHOWN = {"with_groups": _all, "pope_sydnor": _mean, "pope_sydnor_zero": _zero}


@dataclass(frozen=True)
class GroupsShownInTraining:
    """A method that shows a model the groups in training; calling it makes `WithGroups` of training rows."""

    shown: str
    scale: bool

    def __call__(self, design: Design, k: int) -> WithGroups:
        fit = pca(design, k=1, scale=self.scale)  # for its checked center, scale and encoding
        assert fit.encoding is not None
        return WithGroups(fit.scaling, fit.encoding, SHOWN[self.shown])


@dataclass(frozen=True)
class CorrelationRemoved:
    """fairlearn's CorrelationRemover, fitted to training rows; it regresses features on uncentered indicators."""

    scale: bool
    alpha: float = 1.0

    def __call__(self, design: Design, k: int) -> Any:
        try:
            from fairlearn.preprocessing import CorrelationRemover
        except ImportError:
            raise not_installed("the method correlation_remover", "fairlearn", "compare") from None

        beside = GroupsShownInTraining("with_groups", self.scale)(design, k)
        q = beside.encoding.center.size
        p = len(beside.scaling.features)
        remover = CorrelationRemover(sensitive_feature_ids=list(range(p, p + q)), alpha=self.alpha)
        return _Remover(remover.fit(beside.training(design)), beside)


@dataclass(frozen=True)
class _Remover:
    remover: Any
    beside: WithGroups

    def transform(self, design: Design) -> np.ndarray:
        """The features with their correlation with Z removed."""
        return np.asarray(self.remover.transform(self.beside.training(design)))


# Finished cells on disk: a comparison that was interrupted, or grows, computes only what is new.


def digest(*facts: Any) -> str:
    """One hash of arrays, numbers, text and tuples of these; equal only for equal content.

    >>> digest("a", 1.0, np.arange(3)) == digest("a", 1.0, np.arange(3))
    True
    >>> digest("ab", "c") == digest("a", "bc")
    False
    """
    hasher = hashlib.sha256()
    for fact in facts:
        if isinstance(fact, np.ndarray):
            hasher.update(f"array{fact.dtype.str}{fact.shape}".encode())
            hasher.update(np.ascontiguousarray(fact).tobytes())
        else:
            text = repr(fact).encode()
            hasher.update(f"text{len(text)}:".encode() + text)
    return hasher.hexdigest()


def identity_of(thing: Any) -> str:
    """Return a function, an estimator or an instance as text (source and settings), different for different ones.

    What a function reads from its module, or calls there, is not in it.

    >>> identity_of(functools.partial(digest, 1)) == identity_of(functools.partial(digest, 2))
    False
    """
    if isinstance(thing, functools.partial):
        return f"{identity_of(thing.func)} {_settings(dict(enumerate(thing.args)) | thing.keywords)}"
    named = inspect.isroutine(thing) or inspect.isclass(thing)
    present = thing if named else type(thing)
    if hasattr(present, "get_params"):  # an estimator's repr leaves out what is long
        settings = {} if named else thing.get_params(deep=True)
        return f"{present.__module__}.{present.__qualname__} {_settings(settings)}"
    try:
        source = inspect.getsource(present)
    except (OSError, TypeError):
        source = f"{present.__module__}.{present.__qualname__}"
    return f"{source} {_settings(_captured(thing) if named else vars(thing))}"


def _captured(function: Any) -> dict[Any, Any]:
    """Return what a function's source does not show: its compiled code, its defaults, the variables it captures."""
    entries = {f"default {i}": v for i, v in enumerate(getattr(function, "__defaults__", None) or ())}
    entries |= getattr(function, "__kwdefaults__", None) or {}
    code, cells = getattr(function, "__code__", None), getattr(function, "__closure__", None) or ()
    if code is not None:
        entries |= {name: cell.cell_contents for name, cell in zip(code.co_freevars, cells, strict=True)}
        entries["code"] = _instructions(code)
    owner = getattr(function, "__self__", None)
    return entries if owner is None or inspect.ismodule(owner) else entries | {"self": repr(owner)}


def _instructions(code: CodeType) -> tuple[Any, ...]:
    plain = (sorted(map(repr, c)) if isinstance(c, frozenset) else c for c in code.co_consts)
    return code.co_code.hex(), code.co_names, [_instructions(c) if isinstance(c, CodeType) else c for c in plain]


def _settings(values: dict[Any, Any]) -> list[tuple[str, str]]:
    deep = {k: identity_of(v) if callable(v) or hasattr(v, "get_params") else repr(v) for k, v in values.items()}
    return sorted((str(k), v) for k, v in deep.items())


class Store:
    """A folder of cells, one JSON file each, named by the hash of all that the numbers depend on.

    ``Store("")`` keeps nothing.
    """

    def __init__(self, folder: str, about: str = "") -> None:
        self.folder, self.about = folder, about
        if folder:
            try:
                os.makedirs(folder, exist_ok=True)
            except OSError as problem:
                raise FileError(f"{Setting('cache', folder)} cannot be a folder ({problem.strerror}).") from None

    def cell(self, key: tuple[Any, ...], make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return the cell of a key: read from its file where that is whole, otherwise computed and written."""
        if not self.folder:
            return make()
        name = digest(self.about, *_flat(key))
        file = Path(self.folder) / f"{name[:40]}.json"
        stored = _read(file, name)
        if stored is None:
            stored = make()
            cell = {part: _plain(v) for part, v in stored.items()}
            atomic_write(file, json.dumps({"key": name, "sha256": _seal(cell), "cell": cell}).encode())
        return stored


def _flat(key: Any) -> list[Any]:
    return [leaf for part in key for leaf in _flat(part)] if isinstance(key, tuple) else [key]


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return {"shape": list(value.shape), "values": value.ravel().tolist()}
    if isinstance(value, list):
        return [as_record(part) if isinstance(part, Message) else part for part in value]
    return value


def _seal(cell: Any) -> str:
    """The hash of a cell's content, by which one that was changed or cut is known."""
    return hashlib.sha256(json.dumps(cell, sort_keys=True).encode()).hexdigest()


def _read(file: Path, name: str) -> dict[str, Any] | None:
    """Read a stored cell; None, as where there is no file, for one of other content than was written for this key."""
    try:
        with edge(f"the cell {file}", "take it away"):
            stored = json.loads(file.read_bytes())
            cell = stored["cell"]
            if stored["key"] != name or stored["sha256"] != _seal(cell):
                return None
            return {part: _array(v) for part, v in cell.items()}
    except FileError:
        return None


def _array(value: Any) -> Any:
    if isinstance(value, dict):
        return np.array(value["values"], dtype=float).reshape(value["shape"])
    if isinstance(value, list):
        return [of_record(part) if isinstance(part, list) else part for part in value]
    return value


MOST_K = 10  # where nothing is said


@dataclass(frozen=True)
class Standardized:
    """No method: the features less their training means, over their training standard deviations if scaled."""

    center: np.ndarray
    scale: np.ndarray

    def transform(self, design: Design) -> np.ndarray:
        """Standardized rows (n, p)."""
        return np.asarray((design.X - self.center) / self.scale)


@dataclass(frozen=True)
class ComparedMethod:
    """One method: ``make(design, k)`` fits training rows, and the fit's ``transform(other)`` gives features."""

    name: str
    make: Callable[[Design, int], Any]

    @property
    def reduces(self) -> bool:
        """Whether it makes components, so that their number matters."""
        return not isinstance(self.make, (Unadjusted, Whole, GroupsShownInTraining, CorrelationRemoved))

    def most(self, design: Design) -> int:
        """Return the largest number of components that one of the package's methods allows; others are not asked."""
        if not isinstance(self.make, Built):
            return design.p
        try:
            return most_components(METHODS[self.make.function].function, design, self.make.settings)
        except InputError:  # it says so when it is fitted, with its name
            return design.p

    @functools.cached_property  # the sources are read once, not at every cell
    def identity(self) -> str:
        """Text of all but the data that its results depend on; part of the key of a stored cell."""
        import fairstats

        return f"{self.name} {fairstats.__version__} {identity_of(self.make)}"

    def features(self, train: Design, design: Design, k: int) -> tuple[Any, np.ndarray, np.ndarray]:
        """A fit of the training rows, and adjusted features of these and of the rows held out by it."""
        try:
            fit = self.make(train, k)
        except InputError as refused:
            raise InputError(
                "methods", f"has {self.name!r}, which refused the training rows of a split: {refused}"
            ) from None
        # What a model learns from is not what it is shown later, where it learns with the groups.
        seen = getattr(fit, "training", fit.transform)(train)
        return fit, self._checked(seen, train.n), self._checked(fit.transform(design), design.n)

    def _checked(self, result: Any, n: int) -> np.ndarray:
        out = np.asarray(result, dtype=float)
        if out.ndim != 2 or len(out) != n:
            raise InputError(
                "methods",
                f"has {self.name!r}, whose transform gave an array of shape {out.shape} for {n} rows; "
                "it must give one row of numbers for each.",
            )
        if not np.isfinite(out).all():
            raise NumericalError(f"methods has {self.name!r}, whose transform gave missing or infinite numbers.")
        return out


def most_allowed(methods: Sequence[ComparedMethod], design: Design) -> int:
    """Return the largest number of components that all methods allow, and no more than are tried by default."""
    return min(MOST_K, *(one.most(design) for one in methods))


def chosen_methods(methods: Any, scale: bool) -> tuple[ComparedMethod, ...]:
    """Return the methods that the argument ``methods`` asks for, in its order.

    methods: ``callable(design, k)`` returns an object with ``transform(design) -> array (n, any)``.
    scale: whether features are divided by their standard deviations.

    >>> [a.name for a in chosen_methods(("none", "og"), scale=True)]
    ['none', 'og']
    """
    arguments = (
        [methods] if isinstance(methods, str) or _is_pair(methods) else items("methods", methods, "names of methods")
    )
    result = tuple(
        ComparedMethod(str(m[0]), m[1]) if _is_pair(m) else ComparedMethod(str(m), _built_in(m, scale))
        for m in arguments
    )
    names = [a.name for a in result]
    if not names:
        raise InputError(f"methods is empty; name at least one of {listing(method_names(), 12)}.")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError("methods", f"has {listing(twice)} more than once; give each a name of its own.")
    return result


def method_names() -> list[str]:
    """Names that ``methods`` may hold.

    >>> method_names()[:3]
    ['none', 'pca', 'og']
    """
    rows = [row for row in METHODS.values() if not row.needs]
    return ["none", *(name for row in rows for name in (row.name, *row.variants)), *SHOWN, "correlation_remover"]


def _is_pair(value: Any) -> bool:
    return isinstance(value, (tuple, list)) and len(value) == 2 and isinstance(value[0], str) and callable(value[1])


def _built_in(name: Any, scale: bool) -> Callable[[Design, int], Any]:
    names = method_names()
    if not isinstance(name, str) or name not in names:
        raise InputError(
            "methods",
            with_hint(
                f"has {shown(name)}, which is not known",
                nearest(str(name), names),
                f"it can hold {listing(names, 12)}{snippet(', or a pair (name, function of a design and k)')}.",
            ),
        )
    if name == "none":
        return Unadjusted(scale)
    if name in SHOWN:
        return GroupsShownInTraining(name, scale)
    if name == "correlation_remover":
        return CorrelationRemoved(scale)
    row = next(row for row in METHODS.values() if name == row.name or name in row.variants)
    if not row.reduces:
        return Whole(row.name, scale)
    return Built(row.name, {**row.variants.get(name, {}), "scale": scale})


@dataclass(frozen=True)
class Built:
    """One of the package's methods with its settings; a class, so that other processes can be sent it."""

    function: str
    settings: dict[str, Any]

    def __call__(self, design: Design, k: int) -> Any:
        return METHODS[self.function].function(design, None, k=k, **self.settings)


@dataclass(frozen=True)
class Whole:
    """A method that gives every feature back, adjusted; the features are then standardized as without it."""

    function: str
    scale: bool

    def __call__(self, design: Design, k: int) -> WholeRows:
        fit = METHODS[self.function].function(design, None)
        center, spread = design.X.mean(axis=0), design.X.std(axis=0, ddof=1)
        return WholeRows(fit, Standardized(center, spread if self.scale else np.ones_like(spread)))


@dataclass(frozen=True)
class WholeRows:
    """A fit of whole rows, and their units."""

    fit: Any
    units: Standardized

    def transform(self, design: Design) -> np.ndarray:
        """Adjusted rows (n, p), standardized by the training rows as they were."""
        return self.units.transform(replace(design, X=self.fit.transform(design)))


@dataclass(frozen=True)
class Unadjusted:
    """Every feature, as it is or standardized."""

    scale: bool

    def __call__(self, design: Design, k: int) -> Standardized:
        spread = design.X.std(axis=0, ddof=1)
        return Standardized(design.X.mean(axis=0), spread if self.scale else np.ones_like(spread))


# The models that predict the outcome from features: logistic regression, or any scikit-learn estimator.


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

    @functools.cached_property
    def identity(self) -> str:
        """Text of all but the data that its results depend on; part of the key of a stored cell."""
        import fairstats

        return f"{self.name} {fairstats.__version__} {identity_of(self.train)}"


# what an estimator can be asked for, best first: method -> scale of the score
SCALES = {"predict_proba": "probability", "decision_function": "decision function", "predict": "prediction"}


def logistic(X: Floats, y: NDArray[np.intp], seed: int = 0) -> Trained:
    """Logistic regression by maximum likelihood; columns that are combinations of others are left out.

    X: features, any unit, shape (n, p).
    y: outcomes 0 and 1, shape (n,).
    seed: not used; every model has it.
    Returns: R's ``glm`` where that converges; the steps are halved where they would overshoot, since on skewed
        interactions plain ones run off to infinity. Where the coefficients do not settle in 100 steps a small penalty
        makes the maximum finite, and `problems` says so.
    Raises NumericalError: not even the penalized likelihood could be maximized.
    Source: Albert & Anderson (1984), On the existence of maximum likelihood estimates in logistic regression models.

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
        raise NumericalError(
            f"{Setting('model', 'logistic')} did not converge, even penalized; rescale or drop features."
        )
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

        return Trained(score, SCALES[verb], problems_of(caught))


def seeded(estimator: Any, seed: int) -> Any:
    """A fresh copy of an estimator, with the seed wherever it has none of its own."""
    from sklearn.base import clone

    copy = clone(estimator)
    open_ = (k for k, v in copy.get_params().items() if k.split("__")[-1] == "random_state" and v is None)
    return copy.set_params(**dict.fromkeys(open_, seed))


def problems_of(caught: Iterable[warnings.WarningMessage]) -> tuple[str, ...]:
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


def models(arguments: Any) -> tuple[Model, ...]:
    """The models that the argument ``model`` asks for, in its order.

    asked: "logistic", or estimators of scikit-learn with ``fit`` and one of ``predict_proba``, ``decision_function``
        and ``predict``; or a `Model`, such as ``fairstats.r.model("glm", family="binomial")``, each (name, estimator).

    >>> [m.name for m in models("logistic")]
    ['logistic']
    """
    several = (
        list(arguments) if isinstance(arguments, (list, tuple)) and not _is_named_model(arguments) else [arguments]
    )
    chosen_models = tuple(_model(m) for m in several)
    names = [m.name for m in chosen_models]
    if not names:
        raise InputError(f"model is empty; pass 'logistic' {snippet('or a scikit-learn estimator')}.")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError("model", f"has {listing(twice)} more than once; {snippet('give pairs (name, estimator)')}.")
    return chosen_models


def _is_named_model(value: Any) -> bool:
    # a list of two is two models: ["logistic", RandomForestClassifier()]
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str) and not isinstance(value[1], str)


def _model(arguments: Any) -> Model:
    name, estimator = (
        arguments if isinstance(arguments, (tuple, list)) and _is_named_model(arguments) else ("", arguments)
    )
    if isinstance(estimator, Model):
        return Model(name or estimator.name, estimator.train)
    if isinstance(estimator, str):
        if estimator not in MODELS:
            raise InputError(
                "model",
                with_hint(
                    f"has {estimator!r}, which is not known",
                    nearest(estimator, MODELS),
                    f"it can be {listing(MODELS)}, {snippet('or a scikit-learn estimator')}.",
                ),
            )
        return Model(estimator, MODELS[estimator])
    if isinstance(estimator, type) or not (hasattr(estimator, "fit") and any(hasattr(estimator, v) for v in SCALES)):
        raise InputError(
            "model",
            f"has {shown(estimator)}, which cannot be fitted; "
            "pass 'logistic', "
            f"{snippet('an instance of a scikit-learn estimator, or a model of R by fairstats.r.model()')}.",
        )
    return Model(name or type(estimator).__name__, Estimator(estimator))


# fairlearn's reductions (Agarwal et al. 2018) as a model of a comparison: called, not rewritten.


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
        problems = problems_of(w for w in caught if not issubclass(w.category, (DeprecationWarning, FutureWarning)))
        return Trained(lambda new: np.asarray(search._pmf_predict(new))[:, 1], "probability", problems)


@answering
def fairlearn_reduction(
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
    >>> fs.fairlearn_reduction("equalized_odds", bound=0.05).name
    'reduction, equalized_odds 0.05'
    """
    one_of("constraint", constraint, CONSTRAINTS)
    bound = between("bound", bound, 0, 1)
    steps = whole("max_iter", max_iter, 1, 1_000_000, "steps")
    if estimator is None:
        from sklearn.linear_model import LogisticRegression

        estimator = LogisticRegression(max_iter=1000)
    elif isinstance(estimator, type) or not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
        raise InputError("estimator", f"has {shown(estimator)}; it is a classifier of scikit-learn; pass an instance.")
    model = Reduction(constraint, bound, estimator, steps)
    return Model(f"reduction, {constraint} {bound:g}", model)
