"""Models that R fits, as predictors in `fairstats.compare`."""

from __future__ import annotations

import base64
import html
import os
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairstats.comparing.methods import Model, Trained
from fairstats.errors import FileError, InputError, NumericalError, RError, RWarning, Setting, named
from fairstats.files import atomic_write, file_path
from fairstats.r.records import recorded
from fairstats.r.sessions import RObject, Session, from_r, session, shared_file
from fairstats.rvalues.convert import to_rvalue
from fairstats.rvalues.rds import write_rds as write_values
from fairstats.validation import answering, between, of_r, one_of, text, whole

if TYPE_CHECKING:
    import pandas as pd

    from fairstats.data.design import Design

Floats = NDArray[np.float64]


# How the outcome reaches R: numbers 0 and 1, or a factor with these levels, as classifiers want it.
Outcome = Literal["number", "factor"]
OUTCOMES = {"number": "y", "factor": "factor(y, levels = c(0, 1))"}


@answering
def model(
    function: str,
    /,
    *,
    predict: str | None = None,
    outcome: Outcome | None = None,
    name: str | None = None,
    **options: Any,
) -> Model:
    """A model that R fits to the training rows of each split, for ``fairstats.compare(model=...)``.

    R is called as ``function(y ~ x1 + x2, data = d, ...)``, where ``d`` has the adjusted features as columns ``x1``,
    ``x2`` and so on, and the outcome as ``y``; ``predict`` gives the score of new rows.

    Parameters
    ----------
    function : str
        An R function with a formula and ``data``: ``"glm"``, ``"MASS::lda"``, ``"randomForest::randomForest"``...
    predict : str, optional
        R code of ``fit`` and ``newdata``, for one probability a row, or a matrix of two columns of which the second is
        that of the outcome 1. What fits of stats, rpart, ranger, MASS, nnet, randomForest, e1071 and caret want is
        known; any other is asked for ``predict(fit, newdata, type = "response")``. Predictions of ``lm`` are cut off
        at 0 and 1.
    outcome : {"number", "factor"}, optional
        What ``y`` is: numbers 0 and 1, by default for ``lm``, or a factor with the levels "0" and "1".
    name : str, optional
        How tables call the model; ``"glm (R)"`` by default.
    **options : any
        Further arguments of the function: ``probability=True``. Underscores are R's dots where it has such a name.
        The ``family`` of ``glm`` is binomial where it is not given.

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
    >>> glm = model("glm")
    >>> X = np.array([[0.0], [0.0], [1.0], [1.0], [1.0]])
    >>> glm.train(X, np.array([0, 1, 0, 1, 1]), 0).score(X).round(4).tolist()
    [0.5, 0.5, 0.6667, 0.6667, 0.6667]
    """
    if not isinstance(function, str):
        raise InputError(
            f"function has a value of type {type(function).__name__}, and R fits a model anew to every split: give the "
            "name of an R function such as 'glm', or of one of your own, function(formula, data), in which a workflow "
            "is fitted."
        )
    if not function.strip():
        raise InputError(
            f"{Setting('function', function)} is no name of an R function; give one such as 'glm' or 'MASS::lda'."
        )
    outcome = outcome if outcome is not None else "number" if function in ("lm", "stats::lm") else "factor"
    one_of("outcome", outcome, OUTCOMES)
    if predict is not None:
        text("predict", predict, "pass R code of fit and newdata")
    name = f"{function} (R)" if name is None else text("name", name)
    if function in ("glm", "stats::glm") and outcome == "factor":
        options = {"family": "binomial", **options}  # R's own default is for numbers
    for option, value in options.items():
        to_rvalue(value, option)
    return Model(name, _Training(function, predict, outcome, dict(options)))


@dataclass(frozen=True)
class _Training:
    """The settings of a model that R fits, as they are sent to other processes; each process starts its own R."""

    function: str
    predict: str | None
    outcome: str
    options: Mapping[str, Any]

    def __call__(self, X: Floats, y: NDArray[np.intp], seed: int) -> Trained:
        r = session()
        r.call("set.seed", seed)
        data = r.keep(f"data.frame(X, y = {OUTCOMES[self.outcome]})", X=_features(X), y=y)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", RWarning)
            # each by its name: not every function knows what a dot stands for
            formula = r.keep(f"y ~ {' + '.join(_features(X).columns)}")
            fit = r.keep_call(self.function, formula, data=data, **self.options)
            self._probabilities(r, fit, X)  # what predicting warns of is a problem of the fit as well
        problems = tuple(dict.fromkeys(str(w.message) for w in caught))

        def score(new: Floats) -> Floats:
            with warnings.catch_warnings():
                for words in problems:
                    warnings.filterwarnings("ignore", re.escape(words), RWarning)
                return self._probabilities(r, fit, new)

        return Trained(score, "probability", problems)

    def _probabilities(self, r: Session, fit: RObject, new: Floats) -> Floats:
        chances = np.asarray(self._predicted(r, fit, _features(new)))
        column = chances[:, -1] if chances.ndim == 2 and chances.shape[1] == 2 else chances.reshape(-1)
        if len(column) != len(new):
            wrong = f"{chances.size} values for {len(new)} rows"
        elif chances.dtype.kind not in "biuf":
            wrong = "classes in place of probabilities"
        elif not ((column >= 0) & (column <= 1)).all():
            wrong = "some values that are no numbers in [0, 1]"
        else:
            return column.astype(float)
        raise NumericalError(
            f"{self.function} of R predicted {wrong}; pass an option by which it predicts probabilities, as "
            f"{Setting('probability', True)} of ranger is one, or {named('predict')}, R code of fit and newdata that "
            "gives one a row."
        )

    def _predicted(self, r: Session, fit: RObject, new: pd.DataFrame) -> Any:
        if self.predict is not None:
            return r.eval(self.predict, fit=fit, newdata=new)
        by_class = r.keep(f"local({{{shared_file('predicted.R').read_text()}}})")
        try:
            return r.call(by_class, fit, new)
        except RError as problem:
            advice = f"{problem.message}; pass {named('predict')}, R code of fit and newdata that gives probabilities"
            raise RError(advice, problem.call, tuple(problem.traceback)) from None


def _features(X: Floats) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(X, columns=[f"x{j + 1}" for j in range(X.shape[1])])


# R code as what other functions take: a metric for `fairstats.stats.by_group`, a method for `fairstats.compare`.


PREDICT_CALL = "predict(fit, newdata)"


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
            raise InputError(f"{Setting('code', self.code)} gave {type(value).__name__} in R; it must give one number.")
        return float(number[0])


@answering
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
        result = session().eval(self.code, fit=self.fit, newdata=_table(design), groups=_labels(design))
        out = np.asarray(result, dtype=float)
        out = out.reshape(-1, 1) if out.ndim == 1 else out
        if len(out) != design.n:
            raise NumericalError(
                f"{Setting('predict', self.code)} gave {len(out)} rows for {design.n}; it must give one for each."
            )
        return out


@dataclass(frozen=True)
class _Method:
    """The code of a method, as it is sent to other processes; each process starts its own R."""

    code: str
    predict: str

    def __call__(self, design: Design, k: int) -> _Fitted:
        return _Fitted(self.predict, session().keep(self.code, X=_table(design), groups=_labels(design), k=k))


@answering
def method(code: str, *, predict: str = PREDICT_CALL, name: str | None = None) -> tuple[str, _Method]:
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


# Figures that R draws, shown in notebooks and written to files.


# Each page a file; what the code's last expression makes visible is printed, as R's console does (ggplot2, lattice).
_DRAW = """
(function(code, width, height, values) {
  folder <- tempfile("pages")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  grDevices::svg(file.path(folder, "%06d.svg"), width, height, onefile = FALSE)
  device <- grDevices::dev.cur()
  grDevices::dev.control("enable")
  drawn <- FALSE
  tryCatch(
    {
      scope <- if (length(values)) list2env(values, parent = globalenv()) else globalenv()
      result <- withVisible(eval(parse(text = code, keep.source = FALSE, encoding = "UTF-8"), scope))
      if (result$visible && !is.null(result$value)) utils::capture.output(print(result$value))
      drawn <- !is.null(grDevices::recordPlot()[[1L]])
    },
    finally = if (device %in% grDevices::dev.list()) grDevices::dev.off(device)
  )
  pages <- if (drawn) sort(list.files(folder, full.names = TRUE)) # a device that nobody draws on leaves an empty one
  lapply(pages, function(page) paste(readLines(page, warn = FALSE, encoding = "UTF-8"), collapse = "\n"))
})(.code, .width, .height, .values)
"""


@dataclass(frozen=True)
class RPlot:
    """What R drew, a page an SVG text; notebooks show it."""

    pages: tuple[str, ...]
    alt: str

    def _repr_html_(self) -> str:
        # Images of their own: the names of their parts are the same in all that R draws, and must not meet.
        images = (base64.b64encode(page.encode()).decode() for page in self.pages)
        alt = html.escape(self.alt)
        return "".join(
            f'<p><img src="data:image/svg+xml;base64,{one}" alt="{alt}" style="max-width:100%"></p>' for one in images
        )

    def __repr__(self) -> str:
        return f"<RPlot: {len(self.pages)} page{'s' * (len(self.pages) != 1)}>"

    def save(self, path: str | os.PathLike[str], page: int = 1) -> Path:
        """Write one page to a file that ends in ``.svg``, whole or not at all.

        Parameters
        ----------
        path : str or path
            The file; its folder must exist.
        page : int
            Which page, from 1.

        Returns
        -------
        Path
        """
        target = Path(file_path("path", path))
        if target.suffix.lower() != ".svg":
            raise FileError(f"path has {os.fspath(path)!r}; a figure of R's is written as .svg; change its ending.")
        number = whole("page", page, 1, len(self.pages), "the pages that R drew")
        atomic_write(target, self.pages[number - 1].encode())
        return target


def plot(
    code: str, /, *, width: float = 7.0, height: float = 5.0, alt: str = "A figure drawn by R.", **values: Any
) -> RPlot:
    """Draw with R, by base graphics, grid, lattice or ggplot2.

    Parameters
    ----------
    code : str
        R code. What its last expression makes visible is printed, as at R's prompt: a ggplot is drawn.
    width, height : float
        In inches.
    alt : str
        What the figure shows, for those who do not see it.
    **values : any
        Variables of the code, as of `Session.eval`.

    Returns
    -------
    RPlot
        Notebooks show it; ``save(path)`` writes a page as SVG.

    Raises
    ------
    InputError
        The code drew nothing.
    RError
        R stopped.

    Examples
    --------
    >>> plot("plot(x, x^2)", x=[1, 2, 3])
    <RPlot: 1 page>
    """
    text("code", code, "pass R code that draws")
    sides = {"width": width, "height": height}
    size = {f".{side}": between(side, value, 0.1, 100, "pass inches", ends="[]") for side, value in sides.items()}
    variables = session().keep_call("list", **values)
    drawn = session().eval(_DRAW, **{".code": code, ".values": variables, **size})
    pages = (drawn,) if isinstance(drawn, str) else tuple(str(page) for page in drawn)
    if not pages:
        raise InputError(f"{Setting('code', code)} drew nothing; end it with a call that draws, or with a ggplot.")
    return RPlot(pages, text("alt", alt))


# R's data files as the public calls: values and results of this package to ``.rds`` and back.


@answering
def write_rds(obj: Any, path: str | os.PathLike[str]) -> None:
    """Write a file for R's ``readRDS``: a result of this package, a table, an array, a list...

    In R a fit, an audit, a comparison or a table of estimates is a list of plain vectors and data frames with a class.
    The R package's ``print``, ``tidy`` and ``predict`` work on it; without that package it is a list to look into.
    Neither needs Python. A file that exists is replaced in one step or left as it was.

    Parameters
    ----------
    obj : any
        A result of this package, a value of the table in the guide "R from Python", or an object of R that is data.
    path : str or path
        The file; its folder must exist.

    Raises
    ------
    ConversionError
        The object, or a part of it, has no counterpart in R.
    FileError
        The folder is missing or may not be written.

    Examples
    --------
    >>> import tempfile
    >>> import fairstats as fs
    >>> import numpy as np
    >>> fit = fs.pca(np.random.default_rng(0).normal(size=(50, 3)), k=2)
    >>> from fairstats.rvalues.rds import read_rds
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_rds(fit, f"{folder}/fit.rds")
    ...     read_rds(f"{folder}/fit.rds").classes
    ('fairstats_fit', 'fairstats', 'prcomp')
    """
    write_values(from_r(obj) if of_r(obj) else recorded(obj), path)
