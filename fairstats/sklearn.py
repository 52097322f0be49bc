"""Transformers for scikit-learn pipelines. Groups come by metadata routing, or from columns of X."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from inspect import signature
from typing import Any, ClassVar

import narwhals as nw
import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import (
    _check_feature_names_in,
    check_array,
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from fairstats.data.groups import Continuous
from fairstats.data.tables import aligned, is_table, row_index
from fairstats.errors import InputError, InputTypeError, Setting, listing, nearest, with_hint
from fairstats.methods.registry import METHODS, Method
from fairstats.validation import Missing, OnUnknown, answering, choose, flag, instance, items, renamed_arguments, shown

ROUTING = "after sklearn.set_config(enable_metadata_routing=True)"


@contextmanager
def _as_errors_of_ours(argument: str = "X") -> Iterator[None]:
    """What scikit-learn says of an argument, as an error of this package that is also the one scikit-learn raised."""
    try:
        yield
    except (TypeError, ValueError, OverflowError) as problem:
        kind = InputTypeError if isinstance(problem, TypeError) else InputError
        raise kind(f"{argument} cannot be used: {problem}") from problem


def _frame(X: Any) -> Any:
    """A table of another library as the frame that scikit-learn takes apart by name; anything else as it is."""
    if hasattr(X, "iloc") or isinstance(X, np.ndarray) or not is_table(X) or isinstance(X, Mapping):
        return X
    import pandas as pd

    table = nw.from_native(X, eager_only=True)
    return pd.DataFrame({name: table[name].to_numpy() for name in table.columns})


def _mixed(X: Any) -> bool:
    """Whether an array or rows in lists hold more than numbers, as columns put side by side by a pipeline may."""
    if not isinstance(X, (np.ndarray, list, tuple)):
        return False
    result = X if isinstance(X, np.ndarray) else np.array(X, dtype=object)
    if result.ndim != 2 or result.dtype.kind not in "OUS":
        return False
    return result.dtype.kind != "O" or any(isinstance(v, str) for v in result.flat)


class FairTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """A fair decomposition as a scikit-learn transformer.

    Parameters
    ----------
    method : str
        The name of any method: one that makes components, such as "og", "fair_pca", "fair_kernel_pca" or
        "minimax_pca", or one that adjusts every feature, such as "leace" or "residualize".
    k : int
        Number of components; methods that adjust features have none, and give all of them back.
    group_columns : list of column names or positions, optional
        Columns of X that hold the groups, ``continuous("age")`` where they are no labels; they are not features.
        Otherwise pass ``sensitive_features`` to ``fit``, also through a pipeline's metadata routing; where columns are
        named, they are the groups, and ``sensitive_features`` are not used.
    scale : bool
        Divide by the standard deviations; not of "residualize" and "location_scale".
    missing : {"raise", "drop", "level"}
        Of groups in ``fit``, as in the method. "drop" leaves rows out of the fit alone: ``transform`` gives back every
        row, so that methods whose scores depend on the group also need ``on_unknown="mean"``.
    on_unknown : {"raise", "mean"}
        What ``transform`` does with a group that the fit has not seen, where scores depend on the group.
    options : mapping, optional
        Further arguments of the method, such as ``{"t": 3.0}`` for "sog".

    Attributes
    ----------
    fit_ : Projection, KernelProjection, Eraser or GroupAdjustment
        The result, with its ``summary()``.

    Raises
    ------
    InputError
        From ``fit`` when there are no groups: this never quietly becomes plain PCA. From ``transform`` when the
        method's scores depend on the group and none is given.

    Notes
    -----
    ``sensitive_features`` is fairlearn's word; scikit-learn's own ``groups`` means folds. After
    ``sklearn.set_config(enable_metadata_routing=True)`` a pipeline passes them on to ``fit`` and ``transform``, which
    ask for them by themselves.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((50, 4))
    >>> FairTransformer("fair_pca", k=2).fit_transform(X, sensitive_features=np.arange(50) % 2).shape
    (50, 2)
    """

    __metadata_request__fit: ClassVar = {"sensitive_features": True}  # what routing passes on without a request
    __metadata_request__transform: ClassVar = {"sensitive_features": True}

    @answering
    def __init__(
        self,
        method: str = "og",
        k: int = 2,
        *,
        group_columns: Sequence[Any] | None = None,
        scale: bool = False,
        missing: Missing = "raise",
        on_unknown: OnUnknown = "raise",
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.method = method
        self.k = k
        self.group_columns = group_columns
        self.scale = scale
        self.missing = missing
        self.on_unknown = on_unknown
        self.options = options

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def fit(
        self, X: Any, y: Any = None, *, sensitive_features: Any = None, sample_weight: Any = None
    ) -> FairTransformer:
        """Fit on X (n × p), with groups from ``sensitive_features`` (n,) or from ``group_columns``.

        ``sample_weight`` (n,) are the method's ``weights``: relative, at least 0.
        """
        row = choose("method", self.method, METHODS)
        function = row.function
        options = self._options(row)
        matrix, groups = self._split(X, sensitive_features, reset=True)
        if y is not None:  # it is not used, and rows that are not those of X are a mistake
            with _as_errors_of_ours("y"):
                check_consistent_length(X, y)
        if groups is None:
            raise InputError(
                "sensitive_features",
                f"is missing; pass it to fit (in a pipeline: {ROUTING}) or name group_columns of X. Without groups "
                "this would be plain PCA.",
            )
        parameters = signature(function).parameters
        if "scale" in parameters:
            options["scale"] = self.scale
        elif flag("scale", self.scale):
            raise InputError("scale", f"has True, and {self.method} treats every feature alike; leave it out.")
        options |= {"k": self.k} if "k" in parameters else {}
        if sample_weight is not None:
            options["weights"] = aligned(sample_weight, row_index(X), "sample_weight")
        features: Any = matrix
        if hasattr(self, "feature_names_in_") and isinstance(matrix, np.ndarray):  # for the summary of the fit
            features = dict(zip(self.feature_names_in_[self._kept], matrix.T, strict=True))
        with self._names(), renamed_arguments(weights="sample_weight"):
            self.fit_ = function(features, groups, missing=self.missing, **options)
        self._n_features_out = self.fit_.k if row.reduces else matrix.shape[1]
        return self

    def transform(self, X: Any, *, sensitive_features: Any = None) -> np.ndarray:
        """Scores (n × k); needs groups only where the method's scores depend on them."""
        check_is_fitted(self, "fit_")
        matrix, groups = self._split(X, sensitive_features, reset=False)
        if not self._by_group():
            return self.fit_.transform(matrix)
        if groups is None:
            way = (
                "Pass it to the pipeline's predict too: predict(X, sensitive_features=...), of a grid search "
                "best_estimator_.predict. What predicts by itself (scoring=, cross_val_predict) passes nothing on to "
                "transform: name group_columns of X, or leave scoring out, so that the pipeline's own score is used."
                if get_config()["enable_metadata_routing"]
                else f"Pass it to transform (in a pipeline to predict, {ROUTING}) or name group_columns of X."
            )
            raise InputError(
                "sensitive_features", f"is missing; scores of {self.method!r} depend on the group of a row. {way}"
            )
        with self._names():
            return self.fit_.transform(matrix, groups, on_unknown=self.on_unknown)

    def fit_transform(
        self, X: Any, y: Any = None, *, sensitive_features: Any = None, sample_weight: Any = None, **more: Any
    ) -> np.ndarray:
        """Fit, then the scores of the same rows."""
        fitted = self.fit(X, y, sensitive_features=sensitive_features, sample_weight=sample_weight)
        if self.missing == "drop" and self.on_unknown == "raise" and self._by_group():
            raise InputError(
                "missing",
                "has 'drop', which leaves rows out of the fit alone; a transformer gives back every row, and scores "
                f"of {self.method!r} depend on its group. Take these rows out of X and y before, or pass "
                f"{Setting('missing', 'level')} (a group of their own) or {Setting('on_unknown', 'mean')} (treated as "
                "average).",
            )
        return fitted.transform(X, sensitive_features=sensitive_features)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the columns that ``transform`` gives: those of X where the method keeps the features."""
        check_is_fitted(self, "fit_")
        if input_features is not None:
            input_features = items("input_features", input_features, "names of the columns of X")
            if not all(isinstance(name, str) for name in input_features):
                other = next(name for name in input_features if not isinstance(name, str))
                raise InputError(f"input_features holds {shown(other)}; names of columns are text; pass these.")
        with _as_errors_of_ours("input_features"):
            if METHODS[self.method].reduces:
                return np.asarray(super().get_feature_names_out(input_features))
            return np.asarray(_check_feature_names_in(self, input_features))[self._kept]

    def _split(self, X: Any, sensitive_features: Any, *, reset: bool) -> tuple[np.ndarray, Any]:
        """Checked numbers without the group columns, and the groups (None where there are none)."""
        if np.ma.is_masked(X):  # scikit-learn would take what is under the mask
            X = np.ma.filled(X.astype(float), np.nan)
        X = _frame(X)
        if hasattr(X, "iloc") and X.ndim == 1:  # of an array scikit-learn says so
            raise InputError("X", "has 1 dimension; give the table first, y second.")
        if self.group_columns is not None and not hasattr(X, "iloc") and _mixed(X):
            import pandas as pd

            X = pd.DataFrame(np.array(X, dtype=object))  # its columns are checked one by one: groups may be text
        checks = {"dtype": np.float64, "ensure_min_samples": 2 if reset else 1, "accept_sparse": "csr"}
        with _as_errors_of_ours():
            if hasattr(X, "iloc"):  # group columns of a frame may be text: first names and number, then features alone
                validate_data(self, X, reset=reset, skip_check_array=True)
            else:
                X = validate_data(self, X, reset=reset, **checks)
        columns = [] if self.group_columns is None else items("group_columns", self.group_columns, "columns of X")
        marked = [(c, self._position(c.values if isinstance(c, Continuous) else c, X)) for c in columns]
        taken = [j for _, j in marked]
        kept = [j for j in range(X.shape[1]) if j not in taken]
        if reset:
            self._kept = kept
        if not kept:
            raise InputError(
                "X", f"has {X.shape[1]} feature(s), of which group_columns takes {len(taken)}; none is left."
            )
        if hasattr(X, "iloc"):
            try:
                matrix = check_array(X.iloc[:, kept], **checks)
            except (TypeError, ValueError):
                for j in kept:
                    with _as_errors_of_ours(f"X, column {X.columns[j]!r},"):
                        check_array(X.iloc[:, [j]], **checks)
                with _as_errors_of_ours():
                    raise
        else:
            matrix = X[:, kept] if taken else X
        if marked:
            return matrix, dict(self._group(c, X, j) for c, j in marked)
        return matrix, aligned(sensitive_features, row_index(X), "sensitive_features")

    def _by_group(self) -> bool:
        """Whether scores of the fit depend on the group of a row."""
        return getattr(self.fit_, "coefficients", None) is not None

    def _options(self, row: Method) -> dict[str, Any]:
        """Further arguments of the method, by their names."""
        given = {} if self.options is None else self.options
        instance("options", given, Mapping, "a mapping of further arguments", 'pass one such as {"t": 3.0}')
        current = [
            name
            for name in signature(row.function).parameters
            if name not in ("X", "groups", "k", "data", "scale", "weights", "missing")
        ]
        for name in given:
            if name not in current:
                raise InputError(
                    "options",
                    with_hint(
                        f"has {shown(name)}, which is no further argument of {self.method}",
                        nearest(str(name), current),
                        f"these are {listing(current, 20)}.",
                    ),
                )
        lacking = [name for name in row.needs if name not in given]
        if lacking:
            example = ", ".join(f"{name!r}: {row.needs[name]!r}" for name in row.needs)
            raise InputError(
                f"options lacks {listing(lacking)}, which {self.method} needs; pass a mapping with it, such as "
                f"options={{{example}}}."
            )
        return dict(given)

    def _names(self) -> AbstractContextManager[None]:
        """What messages call the groups: as they were given."""
        return nullcontext() if self.group_columns is not None else renamed_arguments(groups="sensitive_features")

    @staticmethod
    def _group(column: Any, X: Any, j: int) -> tuple[str, Any]:
        name = X.columns[j] if hasattr(X, "columns") and isinstance(X.columns[j], str) else f"column {j}"
        values = np.asarray(X.iloc[:, j]) if hasattr(X, "iloc") else X[:, j]
        values = values.toarray().ravel() if hasattr(values, "toarray") else values
        return name, Continuous(values, name) if isinstance(column, Continuous) else values

    @staticmethod
    def _position(column: Any, X: Any) -> int:
        names = [str(c) for c in getattr(X, "columns", [])]
        if isinstance(column, str) and column in names:
            return names.index(column)
        if isinstance(column, (int, np.integer)) and 0 <= column < X.shape[1]:
            return int(column)
        if isinstance(column, (int, np.integer)):
            raise InputError(
                "group_columns", f"has {column}; the columns of X are 0 to {X.shape[1] - 1}; pass one of these."
            )
        if not any(isinstance(c, str) for c in getattr(X, "columns", [])):
            raise InputError(
                "group_columns",
                f"has {shown(column)}, and X is an array whose columns have no names; pass their positions, 0 to "
                f"{X.shape[1] - 1}, or have the step before give a table: set_output(transform='pandas').",
            )
        raise InputError(
            "group_columns",
            with_hint(
                f"has {shown(column)}, which is not a column of X",
                nearest(str(column), names),
                f"it has {listing(names, 12)}.",
            ),
        )
