"""R code as what other functions take: a metric for `fairstats.stats.by_group`, a method for `fairstats.compare`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairstats.arguments import text
from fairstats.errors import InputError, NumericalError
from fairstats.r.sessions import RObject, session

if TYPE_CHECKING:
    import pandas as pd

    from fairstats.data.design import Design

Floats = NDArray[np.float64]
PREDICT = "predict(fit, newdata)"


@dataclass(frozen=True)
class RMetric:
    """A number that R computes of people: called as ``metric(y, d, s, w)``."""

    code: str
    __name__: str

    def __call__(self, y: Any, d: Any, s: Any, w: Any) -> float:
        value = session().eval(self.code, y=y, d=d, s=s, w=w)
        try:
            number = np.asarray(value, dtype=float).reshape(-1)
        except (TypeError, ValueError):
            number = np.zeros(0)
        if len(number) != 1:
            raise InputError(f"code={self.code!r} gave {type(value).__name__} in R; it must give one number.")
        return float(number[0])


def metric(code: str, *, name: str | None = None) -> RMetric:
    """A metric that R computes, for ``fairstats.stats.by_group``.

    Parameters
    ----------
    code : str
        R code of ``y`` (outcomes), ``d`` (decisions), ``s`` (scores) and ``w`` (weights) of the people of one group,
        for one number; what the caller did not pass is ``NULL``: ``"as.numeric(pROC::auc(y, s, quiet = TRUE))"``.
    name : str, optional
        How tables call it; the code by default.

    Returns
    -------
    RMetric

    Raises
    ------
    InputError
        No R code; or, when it is computed, something other than one number.
    RError
        R stopped, when it is computed.

    Examples
    --------
    >>> share = metric("weighted.mean(d, w)", name="weighted share")
    >>> share(None, np.array([0.0, 1.0]), None, np.array([1.0, 3.0]))
    0.75
    """
    text("code", code, "pass R code of y, d, s and w")
    return RMetric(code, code if name is None else text("name", name))


@dataclass(frozen=True)
class _Fitted:
    """What R fitted to training rows, and the code that gives features of others."""

    code: str
    fit: RObject

    def transform(self, design: Design) -> Floats:
        """Features of these rows (n, any)."""
        made = session().eval(self.code, fit=self.fit, newdata=_table(design), groups=_labels(design))
        out = np.asarray(made, dtype=float)
        out = out.reshape(-1, 1) if out.ndim == 1 else out
        if len(out) != design.n:
            raise NumericalError(
                f"predict={self.code!r} gave {len(out)} rows for {design.n}; it must give one for each."
            )
        return out


@dataclass(frozen=True)
class _Method:
    """The code of a method, as it is sent to other processes; each process starts its own R."""

    code: str
    predict: str

    def __call__(self, design: Design, k: int) -> _Fitted:
        return _Fitted(self.predict, session().keep(self.code, X=_table(design), groups=_labels(design), k=k))


def method(code: str, *, predict: str = PREDICT, name: str | None = None) -> tuple[str, _Method]:
    """A method that R fits to the training rows of each split, for ``fairstats.compare(methods=...)``.

    Parameters
    ----------
    code : str
        R code of ``X`` (a data frame of features), ``groups`` (a data frame of factors and of numbers, one an
        attribute) and ``k``, for a fit: ``"prcomp(X, rank. = k)"``.
    predict : str
        R code of ``fit``, ``newdata`` and ``groups``, for the features of those rows: a numeric matrix or data frame.
    name : str, optional
        How tables call it; the code by default.

    Returns
    -------
    (str, callable)
        One entry of ``methods``.

    Raises
    ------
    InputError
        No R code.
    RError
        R stopped, when the method is fitted or applied.
    NumericalError
        R gave other than one row of features for each.

    Examples
    --------
    >>> name, pca = method("prcomp(X, rank. = k)", name="prcomp")
    >>> from fairstats.data.design import Design
    >>> rows = Design(np.diag([3.0, 2.0, 1.0]), ("a", "b", "c"))
    >>> pca(rows, 1).transform(rows).shape
    (3, 1)
    """
    text("code", code, "pass R code of X, groups and k")
    text("predict", predict, "pass R code of fit, newdata and groups")
    return (code if name is None else text("name", name)), _Method(code, predict)


def _table(design: Design) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(np.asarray(design.X, dtype=float), columns=list(design.features))


def _labels(design: Design) -> pd.DataFrame:
    import pandas as pd

    groups = design.groups
    if groups is None:
        return pd.DataFrame(index=pd.RangeIndex(design.n))
    factors = zip(groups.names, groups.factors, strict=True)
    labels = {name: pd.Categorical.from_codes(f.codes, pd.Index(list(f.levels), dtype="str")) for name, f in factors}
    return pd.DataFrame({**labels, **dict(zip(groups.continuous_names, groups.continuous.T, strict=True))})
