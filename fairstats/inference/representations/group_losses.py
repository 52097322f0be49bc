"""How much of each group's data a projection loses, beside what PCA of the same k loses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.arguments import confidence
from fairstats.data.columns import Tabular
from fairstats.data.design import Design
from fairstats.data.matrices import refuse_unsquarable
from fairstats.errors import InputError
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.representations.loss_rows import ROUNDING, group_rows, levels_of
from fairstats.methods.pca import pca
from fairstats.methods.results.crossfit import design_like
from fairstats.methods.results.price import dimension
from fairstats.methods.results.projection import Projection

Floats = NDArray[np.float64]
METRIC = "reconstruction loss"


def group_losses(
    fit: Projection,
    X: Any,
    groups: Any = None,
    *,
    data: Tabular | None = None,
    weights: Any = None,
    conf_level: float = 0.95,
) -> Estimates:
    """Return the mean reconstruction loss ‖x − x̃‖² of each group beside that of PCA of the same dimension.

    Parameters
    ----------
    fit : Projection
        A fit that can reconstruct.
    X : array (n, p), table or Design
        Rows as they were given to the fit. On the rows of the fit the losses are smaller than on new ones.
    groups : as in the fit
        Column names of `data` or labels (n,).
    data : table, optional
        Where column names are looked up.
    weights : str or array (n,), optional
        Probability weights: how many people a row stands for. A weighted fit needs those of its rows.
    conf_level : float
        Confidence level, in (0, 1).

    Returns
    -------
    Estimates
        Metric "reconstruction loss", in squared units of the fit (standardized features where it scales), by group;
        `fit` is the method, or "pca"; with `versus` "pca" it is the price of each person's adjustment, a paired
        difference.
        Rows with contrast "difference" compare a group with the largest one (Holm over the groups). OG takes
        the same from every person of a group; such a price has no interval, and `reason` says so. On the rows of the
        fit the losses are those of ``fit.price.by_group``; n are people, or their summed weights.

    Raises
    ------
    InputError
        A fit without a reconstruction, no groups, missing values, conf_level outside (0, 1), no weights for a weighted
        fit.

    Notes
    -----
    Losses are squared and skewed: a few people far from everybody carry much of the mean. Intervals and tests invert
    Hall's cubic transformation of the t statistic, which removes the effect of skewness to first order. PCA is that of
    the rows given, so its loss is the least that any projection of this dimension can have on them all together. It is
    about the same point as the fit: the means, 0 where the fit was not centered, the groups' means where they are part
    of the fit. With weights, errors are those of the linearized weighted mean (each row one person sampled).

    References
    ----------
    Samadi et al. (2018), The price of fair PCA, for the loss; Hall (1992), On the removal of skewness by
    transformation, and Zhou & Dinh (2005) for two samples.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> rng = np.random.default_rng(0)
    >>> g = np.repeat(["a", "b"], [60, 40])
    >>> X = rng.normal(size=(100, 4)) + 2 * (g == "b")[:, None]
    >>> rows = fs.group_losses(fs.og(X, g, k=2), X, g)
    >>> [(r.fit, r.group, round(r.estimate, 1)) for r in rows if r.contrast == "none"]
    [('og', 'a', 4.0), ('og', 'b', 7.4), ('pca', 'a', 1.5), ('pca', 'b', 1.8)]
    """
    conf_level = confidence(conf_level)
    if not hasattr(fit, "reconstruct"):
        raise InputError(f"fit is a {type(fit).__name__}, which has no reconstruction; its losses are not defined.")
    design = design_like(fit, X, groups, data, weights, use="name the groups whose losses are to be compared")
    if design.groups is None or not design.groups.names:
        raise InputError("groups are continuous; losses are compared between levels: cut them into classes.")
    losses = _losses(fit, design)
    rows: list[Estimate] = []
    # of losses, and of what they are losses of: where a fit keeps everything, what is left is rounding
    noise = ROUNDING * max(float(losses[0][2].max()), fit.total / fit.scaling.n)
    for levels in levels_of(design):
        for name, versus, values in losses:
            about = Estimate(METRIC, fit=name, versus=versus)
            rows += group_rows(about, levels, values, design.weights, noise, conf_level)
    return Estimates(rows)


def _losses(fit: Projection, design: Design) -> list[tuple[str, str, Floats]]:
    """(method, the one that it is compared with or "", loss of every row or its change), in the units of the fit."""
    refuse_unsquarable(design.X, design.features)
    own = _squared(fit, design)
    if fit.method == "pca":
        return [(fit.method, "", own)]
    best = _best(fit, design)
    return [(fit.method, "", own), ("pca", "", best), (fit.method, "pca", own - best)]


def _best(fit: Projection, design: Design) -> Floats:
    """Squared distance of every row from PCA of the same dimension as the fit, about the same point."""
    X = design.X.toarray() if hasattr(design.X, "toarray") else design.X
    X = X if fit.scaling.scale is None else X / fit.scaling.scale
    w = np.ones(design.n) if design.weights is None else design.weights
    d = min(dimension(fit), *X.shape)
    if fit.group_means is not None:
        assert design.groups is not None
        codes = design.groups.cells[0]
        mass = np.bincount(codes, w)
        sums = np.zeros((len(mass), X.shape[1]))
        np.add.at(sums, codes, w[:, None] * X)
        X = X - (sums / np.where(mass > 0, mass, 1.0)[:, None])[codes]
    elif fit.settings.get("center") is False:
        V = np.linalg.svd(np.sqrt(w)[:, None] * X, full_matrices=False)[2][:d].T
        return np.asarray(np.sum(X**2, axis=1) - np.sum((X @ V) ** 2, axis=1))
    rows = replace(design, X=X, groups=None, y=None)
    return _squared(pca(rows, k=d), rows)


def _squared(fit: Projection, design: Design) -> Floats:
    X = design.X.toarray() if hasattr(design.X, "toarray") else design.X
    rest = X - fit.reconstruct(design)
    rest = rest if fit.scaling.scale is None else rest / fit.scaling.scale
    return np.asarray(np.einsum("ij,ij->i", rest, rest))
