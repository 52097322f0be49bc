"""Models that R fits, as predictors in `fairstats.compare`."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairstats.arguments import one_of, text
from fairstats.comparing.models import Model, Trained
from fairstats.errors import InputError, NumericalError, RWarning
from fairstats.r.sessions import RObject, Session, session
from fairstats.rvalues.to_rvalue import to_rvalue

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

# How the outcome reaches R: numbers 0 and 1, or a factor with these levels, as classifiers want it.
Outcome = Literal["number", "factor"]
OUTCOMES = {"number": "y", "factor": "factor(y, levels = c(0, 1))"}
PREDICT = 'predict(fit, newdata, type = "response")'


def model(
    function: str, /, *, predict: str = PREDICT, outcome: Outcome = "number", name: str | None = None, **options: Any
) -> Model:
    """A model that R fits to the training rows of each split, for ``fairstats.compare(model=...)``.

    R is called as ``function(y ~ ., data = d, ...)``, where ``d`` has the adjusted features as columns ``x1``, ``x2``
    and so on, and the outcome as ``y``; ``predict`` gives the score of new rows.

    Parameters
    ----------
    function : str
        An R function with a formula and ``data``: ``"glm"``, ``"MASS::lda"``, ``"randomForest::randomForest"``...
    predict : str
        R code of ``fit`` and ``newdata``, for one probability a row, or a matrix of two columns of which the second is
        that of the outcome 1.
    outcome : {"number", "factor"}
        What ``y`` is: numbers 0 and 1, or a factor with the levels "0" and "1".
    name : str, optional
        How tables call the model; ``"glm (R)"`` by default.
    **options : any
        Further arguments of the function: ``family="binomial"``. Underscores are R's dots where it has such a name.

    Returns
    -------
    Model
        What R warns of becomes a problem of the fit: `Comparison` counts in how many splits it arose, and says it once.

    Raises
    ------
    InputError
        An unknown ``outcome``; no name of a function.
    ConversionError
        An option has no counterpart in R.
    RError
        R stopped, when the model is fitted.
    NumericalError
        R predicted something other than one probability a row, when it is asked to.
    DependencyError
        R or rpy2 is missing, when the model is fitted.

    Examples
    --------
    >>> glm = model("glm", family="binomial")
    >>> X = np.array([[0.0], [0.0], [1.0], [1.0], [1.0]])
    >>> glm.train(X, np.array([0, 1, 0, 1, 1]), 0).score(X).round(4).tolist()
    [0.5, 0.5, 0.6667, 0.6667, 0.6667]
    """
    if not isinstance(function, str) or not function.strip():
        raise InputError(f"function={function!r} is no name of an R function; give one such as 'glm' or 'MASS::lda'.")
    one_of("outcome", outcome, OUTCOMES)
    text("predict", predict, "pass R code of fit and newdata")
    name = f"{function} (R)" if name is None else text("name", name)
    for option, value in options.items():
        to_rvalue(value, option)
    return Model(name, _Training(function, predict, outcome, dict(options)))


@dataclass(frozen=True)
class _Training:
    """The settings of a model that R fits, as they are sent to other processes; each process starts its own R."""

    function: str
    predict: str
    outcome: str
    options: Mapping[str, Any]

    def __call__(self, X: Floats, y: NDArray[np.intp], seed: int) -> Trained:
        r = session()
        r.call("set.seed", seed)
        data = r.keep(f"data.frame(X, y = {OUTCOMES[self.outcome]})", X=_features(X), y=y)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", RWarning)
            fit = r.keep_call(self.function, r.keep("y ~ ."), data=data, **self.options)
            self._probabilities(r, fit, X)  # what predicting warns of is a problem of the fit as well
        problems = tuple(dict.fromkeys(str(w.message) for w in caught))

        def score(new: Floats) -> Floats:
            with warnings.catch_warnings():
                for words in problems:
                    warnings.filterwarnings("ignore", re.escape(words), RWarning)
                return self._probabilities(r, fit, new)

        return Trained(score, "probability", problems)

    def _probabilities(self, r: Session, fit: RObject, new: Floats) -> Floats:
        chances = np.asarray(r.eval(self.predict, fit=fit, newdata=_features(new)), dtype=float)
        column = chances[:, -1] if chances.ndim == 2 and chances.shape[1] == 2 else chances.reshape(-1)
        if len(column) != len(new) or not ((column >= 0) & (column <= 1)).all():
            raise NumericalError(
                f"predict={self.predict!r} gave {chances.size} numbers for {len(new)} rows, or some outside [0, 1]; it "
                "must give one probability a row."
            )
        return column


def _features(X: Floats) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(X, columns=[f"x{j + 1}" for j in range(X.shape[1])])
