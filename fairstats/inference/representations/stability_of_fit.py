"""Would other people of the same kind give the same components? Fits of bootstrap samples beside the fit."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from fairstats.arguments import confidence, instance, random_seed, whole
from fairstats.data.columns import Tabular
from fairstats.data.design import Design
from fairstats.errors import FairstatsError, FairstatsWarning, InputError
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.representations.fit_study import LOADING, FitStudy
from fairstats.language import stored
from fairstats.methods.registry import refit
from fairstats.methods.results.crossfit import design_to_refit
from fairstats.methods.results.projection import Projection
from fairstats.progress import steps
from fairstats.quiet import ignoring
from fairstats.text import level

Floats = NDArray[np.float64]
QUESTION, ANGLE = "Stability of the components", "angle"
TURNED = stored(
    "Half of the samples turn the span of the components of {method} by {half}° or more, {level} of them by {low}° to "
    "{high}°."
)
ALL = "all components"
FEWEST = 20  # replicates of which percentiles say something


def stability(
    fit: Projection,
    X: Any,
    groups: Any = None,
    *,
    data: Tabular | None = None,
    weights: Any = None,
    replicates: int = 200,
    conf_level: float = 0.95,
    seed: int = 0,
) -> FitStudy:
    """Estimate how far a fit's components would turn with other people: angles and loadings over bootstrap samples.

    Parameters
    ----------
    fit : Projection
        Of any method.
    X, groups, data, weights : as in the fit
        Its rows.
    replicates : int
        Samples of as many rows, drawn with replacement within the cells of the groups; the method is fitted to each.
    conf_level : float
    seed : int

    Returns
    -------
    FitStudy
        Metric "angle", in degrees from 0 to 90: of the spans of all components (the largest principal angle), and of
        each component and the one that stands for it. The estimate is the median over replicates, the limits are the
        middle ``conf_level`` of them. Metric "loading", given "component 1" and so on, term the feature: the fit's own
        loading, its standard error over replicates, and percentile limits.

    Raises
    ------
    InputError
        A fit without loadings; other weights than the fit's; rows of which fewer than 20 samples can be fitted.

    Warns
    -----
    FairstatsWarning
        Some replicates could not be fitted; what is told is of the others.

    Notes
    -----
    A sample's components come in another order and with other signs where their sizes are close: each of the fit's is
    matched with one of the sample's so that the absolute cosines have the largest sum, and its sign is turned. Where
    the span is stable and single components are not, they may be read together only; loadings then have wide limits.
    An angle is never below 0, and its limits never reach 0 for a fit of noise: they are no test.

    References
    ----------
    Daudin, Duby & Trecourt (1988), Stability of principal component analysis studied by the bootstrap method,
    Statistics 19, 241-258; Timmerman, Kiers & Smilde (2007), Estimating confidence intervals for principal component
    loadings, British Journal of Mathematical and Statistical Psychology 60, 295-314; Björck & Golub (1973), Mathematics
    of Computation 27 (principal angles).

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> rng = np.random.default_rng(0)
    >>> g = np.repeat(["a", "b"], 100)
    >>> X = rng.standard_normal((200, 4)) * [5, 3, 1, 1] + (g == "b")[:, None]
    >>> found = fs.stability(fs.fair_pca(X, g, k=2), X, g, replicates=50)
    >>> found.estimates[0].term, found.estimates[0].estimate < 20
    ('all components', True)
    """
    replicates = whole("replicates", replicates, FEWEST, 100_000, "samples; percentiles of fewer say nothing")
    conf_level, seed = confidence(conf_level), random_seed(seed)
    way = "pass what a method such as fairstats.fair_pca returned; kernels and maps of features have no loadings"
    instance("fit", fit, Projection, "a fit of components", way)
    design = design_to_refit(fit, X, groups, data, weights, use="people are drawn within them").counted()
    angles, loadings, lost = _replicates(fit, design, replicates, seed)
    kept, n = len(angles), float(design.n if design.weights is None else design.weights.sum())
    if kept < FEWEST:
        raise InputError(
            f"X has rows of which bootstrap samples cannot be fitted ({lost}); {kept} of {replicates} could: use fewer "
            "components, or merge small groups."
        )
    how = f"{kept} bootstrap samples within groups, seed {seed}"
    if kept < replicates:
        text = f"stability: {replicates - kept} of {replicates} bootstrap samples could not be fitted ({lost})."
        warnings.warn(text, FairstatsWarning, stacklevel=2)
    tail = (1 - conf_level) / 2
    middle = np.quantile(angles, [tail, 0.5, 1 - tail], axis=0)
    about = Estimate(ANGLE, fit=fit.method, n=n, role="component", conf_level=conf_level)
    rows = [
        replace(
            about,
            term=ALL if j == 0 else f"component {j}",
            estimate=float(middle[1, j]),
            conf_low=float(middle[0, j]),
            conf_high=float(middle[2, j]),
            method=f"median and middle of {how}, in degrees",
        )
        for j in range(middle.shape[1])
    ]
    lower, upper = np.quantile(loadings, [tail, 1 - tail], axis=0)
    error = loadings.std(axis=0, ddof=1)
    about = replace(about, metric=LOADING, method=f"percentiles of {how}, matched and turned to the fit")
    for j in range(fit.k):
        for i, feature in enumerate(fit.features):
            row = replace(about, term=feature, given=f"component {j + 1}", std_error=float(error[i, j]))
            own = float(fit.loadings[i, j])
            rows.append(replace(row, estimate=own, conf_low=float(lower[i, j]), conf_high=float(upper[i, j])))
    half, low, high = (f"{v:.0f}" for v in (rows[0].estimate, rows[0].conf_low, rows[0].conf_high))
    said = TURNED.format(method=fit.method, half=half, level=level(conf_level), low=low, high=high)
    return FitStudy(QUESTION, fit.method, (said,), design.n, seed, conf_level, Estimates(rows))


def _replicates(fit: Projection, design: Design, count: int, seed: int) -> tuple[Floats, Floats, str]:
    """Angles (B, 1 + k) in degrees and matched loadings (B, p, k) of the samples that can be fitted."""
    assert design.groups is not None
    method, rng, cells = refit(fit), np.random.default_rng(seed), design.groups.cells[0]
    order = np.argsort(cells, kind="stable")
    sizes = np.bincount(cells)
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    angles, loadings, lost = [], [], ""
    for _ in steps("samples", range(count)):
        rows = order[starts + (rng.random(design.n) * np.repeat(sizes, sizes)).astype(np.intp)]
        try:
            with ignoring(FairstatsWarning):
                made = method(design.take(rows), None, **dict(fit.settings))
        except FairstatsError as problem:
            lost = lost or str(problem)
            continue
        turned, cosines = matched(fit.loadings, made.loadings)
        whole_angle = largest_angle(fit.loadings, made.loadings)
        angles.append([whole_angle, *np.degrees(np.arccos(np.clip(cosines, 0, 1)))])
        loadings.append(turned)
    return np.array(angles), np.array(loadings), lost


def matched(U: Floats, V: Floats) -> tuple[Floats, Floats]:
    """Return the columns of V that stand for those of U, with their signs turned, and the cosines (k,).

    Each column of U has another of V, so that the absolute cosines have the largest sum; where V has too few, the
    columns that are left are 0.

    Examples
    --------
    >>> found = matched(np.eye(3)[:, :2], np.array([[0.0, -1.0], [1.0, 0.0], [0.0, 0.0]]))[0]
    >>> bool((found == np.eye(3)[:, :2]).all())
    True
    """
    lengths = np.outer(np.linalg.norm(U, axis=0), np.linalg.norm(V, axis=0))
    cosines = (U.T @ V) / np.where(lengths > 0, lengths, 1.0)
    mine, theirs = linear_sum_assignment(-np.abs(cosines))
    out, found = np.zeros_like(U), np.zeros(U.shape[1])
    signs = np.where(cosines[mine, theirs] < 0, -1.0, 1.0)
    out[:, mine] = V[:, theirs] * signs
    found[mine] = np.abs(cosines[mine, theirs])
    return out, found


def largest_angle(U: Floats, V: Floats) -> float:
    """Return the largest principal angle of two spans in degrees, of the smaller dimension of the two.

    Computed from sines where it is small, so that equal spans have 0.

    Examples
    --------
    >>> largest_angle(np.eye(3)[:, :2], np.eye(3)[:, 1:]), largest_angle(np.eye(3)[:, :2], np.eye(3)[:, 1::-1])
    (90.0, 0.0)
    """
    A, B = (np.linalg.qr(W)[0] for W in ((U, V) if U.shape[1] <= V.shape[1] else (V, U)))
    sine = float(np.linalg.norm(A - B @ (B.T @ A), 2))
    cosine = float(np.linalg.svd(A.T @ B, compute_uv=False).min())
    return float(np.degrees(np.arctan2(sine, cosine)))
