"""What each component of a fit keeps of each row, and principal components that have as many, made of the same rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from fairstats.data.design import Design, refuse_nonfinite, refuse_unsquarable
from fairstats.data.tables import Tabular
from fairstats.document import Block, Paragraph, Table, Title, headings
from fairstats.errors import Call, FairstatsError, FairstatsWarning, InputError, Setting, ignoring, snippet, steps, warn
from fairstats.estimates import EVERYBODY, Estimate, Estimates, Role, Worded
from fairstats.inference.means import LossSample, inference
from fairstats.inference.multiplicity import ADJUSTMENTS, p_adjust
from fairstats.inference.multiplicity import p_adjust as p_adjusted_by
from fairstats.inference.scores.brunner_munzel import relative_effect_estimate
from fairstats.inference.scores.rank_tests import shift_estimate
from fairstats.inference.scores.survey import design_estimate, probability_of_superiority_survey
from fairstats.labels import MISSING_LEVEL
from fairstats.language import DataText, joined, message, translated
from fairstats.methods.crossfit import OutOfFoldScores, counted_folds, design_like, design_to_refit, fits_without
from fairstats.methods.feature_maps import FeatureMap
from fairstats.methods.pca import pca
from fairstats.methods.registry import refit
from fairstats.methods.results import Projection, dimension, plain
from fairstats.provenance import DataSource, Provenance, recorded
from fairstats.text import compact, level, p_value, percent, significant, span
from fairstats.validation import ByP, answering, choose, confidence, instance, random_seed, shown, whole

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]


class Kept(NamedTuple):
    """Squared distance of each row from the fit's origin (n,), and what each component takes of it (n, k).

    What is left of a row after all components is ‖x − x̃‖²; in the units of the fit.
    """

    before: Floats
    by_component: Floats


def kept(fit: Projection, design: Design) -> Kept:
    """Return what the components of a fit keep of rows, one after the other.

    design: with groups, where the fit asks for them.

    >>> X = np.array([[3.0, 1.0], [-3.0, 1.0], [0.0, -2.0]])
    >>> result = kept(pca(X, k=2), Design.of(X))
    >>> result.before.round(6).tolist(), result.by_component.round(6).tolist()
    ([10.0, 10.0, 4.0], [[9.0, 1.0], [9.0, 1.0], [0.0, 4.0]])
    """
    U = fit.loadings
    scores, rest = fit._mapped(design), about_origin(fit, design)
    if not np.isfinite(rest).all():
        refuse_nonfinite(design.X, design.features)
    gram = U.T @ U
    # after the components before it: (rest − Σ_{l<j} s_l u_l)·u_j
    along = rest @ U - scores @ np.triu(gram, 1)
    return Kept(np.einsum("np,np->n", rest, rest), 2 * scores * along - scores**2 * np.diag(gram))


def pca_beside(fit: Projection, design: Design) -> Projection:
    """Return the PCA of the rows of a fit, of its dimension and about the point that its error is about."""
    used = design.counted()
    d = min(dimension(fit), used.n, used.p)
    if fit.group_means is None and fit.settings.get("center") is not False:
        X = used.X.toarray() if hasattr(used.X, "toarray") else used.X
        rows = replace(used, X=X if fit.scaling.scale is None else X / fit.scaling.scale, groups=None, y=None)
        return plain(fit, pca(rows, k=d).loadings)
    rest = about_origin(fit, used)
    rest = rest if used.weights is None else rest * np.sqrt(used.weights)[:, None]
    return plain(fit, np.linalg.svd(rest, full_matrices=False)[2][:d].T)


def about_origin(fit: Projection, design: Design) -> Floats:
    """Rows less the origin of a reconstruction, and less their group's mean where that is part of it (n × p)."""
    X = design.X.toarray() if hasattr(design.X, "toarray") else design.X
    rest = X - fit.origin
    rest = rest if fit.scaling.scale is None else rest / fit.scaling.scale
    if fit.group_means is not None:
        rest = rest - fit._encode(design, None, "raise", design.n) @ fit.group_means
    return np.asarray(rest)


# What was found about a fit on people that it did not see, or on other samples: the result, and its text.


IN_SAMPLE, LOADING = message("in sample"), "loading"
MOST_LINES = 40


@dataclass(frozen=True, repr=False)
class FitStudy(Worded):
    """What ``price_of_fairness`` or ``bootstrap_loadings`` found: ``estimates`` are numbers, ``statements`` say them.

    Attributes
    ----------
    question : str
        What was asked, as a heading.
    method : str
        Of the fit.
    statements : tuple of str
    n, seed : int
        Rows, and the seed of folds or samples.
    conf_level : float
    estimates : Estimates
    data : tuple of DataSource
    provenance : Provenance, optional
        The call and the versions.
    """

    question: str
    method: str
    statements: tuple[str, ...]
    n: int
    seed: int
    conf_level: float
    estimates: Estimates
    data: tuple[DataSource, ...] = field(default=(), kw_only=True)
    provenance: Provenance | None = field(default=None, kw_only=True, compare=False)

    @property
    def heading(self) -> str:
        """The question with the method that it was asked of."""
        return message("{text} ({name})", text=self.question, name=self.method)

    def _content(self) -> Iterator[Block]:
        """The statements, and a line a number; those in sample stand beside."""
        yield Title(1, self._title)
        yield from map(Paragraph, map(translated, self.statements))  # settings in the words of the front end
        yield self._table()

    @property
    def _title(self) -> str:
        return f"{self.heading}, {self.n} rows, seed {self.seed}"

    def _table(self) -> Table:
        beside = {about(row): row.estimate for row in self.estimates if row.estimator == IN_SAMPLE}
        rows = [row for row in self.estimates if row.estimator != IN_SAMPLE and row.metric != LOADING]
        tested = any(not math.isnan(row.p_value) for row in rows)
        labels = ["of", "estimate", f"{level(self.conf_level)} interval"]
        labels += [*(["adjusted p"] if tested else []), *(["in sample"] if beside else [])]
        lines = []
        for row in rows[:MOST_LINES]:
            cells = [about(row), compact(row.estimate), span(row.conf_low, row.conf_high, compact)]
            cells += [p_value(row.p_value if math.isnan(row.p_adjusted) else row.p_adjusted)] if tested else []
            lines.append((*cells, *([compact(beside.get(about(row), math.nan))] if beside else [])))
        left = len(rows) < len(self.estimates) - len(beside) or len(rows) > MOST_LINES
        return Table("", headings(*labels), tuple(lines), "All of it, loadings included: tidy()." if left else "")

    def _brief(self) -> str:
        return f"{self.heading}, {self.n} rows; {' '.join(self.statements)}"

    def glance(self) -> pd.DataFrame:
        """One row about the whole."""
        import pandas as pd

        row = {"question": self.question, "method": self.method, "n": self.n, "seed": self.seed}
        return pd.DataFrame([{**row, "conf_level": self.conf_level, "estimate": self.estimates[0].estimate}])

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready (schema ``fairstats/fit-study/1``)."""
        keep = ("question", "method", "n", "seed", "conf_level")
        return {
            "schema": "fairstats/fit-study/1",
            **{name: getattr(self, name) for name in keep},
            "statements": list(self.statements),
            "estimates": self.estimates.to_records(),
        }


def about(row: Estimate) -> str:
    """Return what a number of a study is about, in few words."""
    if row.metric == SHARE:
        return message("share of variation")
    if row.term or not row.group:
        return row.term or message("in all")
    if not row.reference:
        return f"{row.attribute} = {row.group}"
    reference = message(EVERYBODY) if row.reference == EVERYBODY else DataText(row.reference)
    return message("{group} less {reference}", group=DataText(row.group), reference=reference)


# Would other people of the same kind give the same components? Fits of bootstrap samples beside the fit.


STABILITY_QUESTION, ANGLE = message("Stability of the components"), "angle"
TURNED = message(
    "Half of the samples turn the span of the components of {method} by {half}° or more, {level} of them by {low}° to "
    "{high}°."
)
ALL = message("all components")
FEWEST = 20  # replicates of which percentiles say something


@answering
@recorded
def bootstrap_loadings(
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
        A fit without loadings; other rows, groups or weights than the fit's; rows of which fewer than 20 samples can be
        fitted.

    Warns
    -----
    FairstatsWarning
        Some replicates could not be fitted; what is reported is of the others.

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
    >>> result = fs.bootstrap_loadings(fs.fair_pca(X, g, k=2), X, g, replicates=50)
    >>> result.estimates[0].term, result.estimates[0].estimate < 20
    ('all components', True)
    """
    replicates = whole("replicates", replicates, FEWEST, 100_000, "samples; percentiles of fewer say nothing")
    conf_level, seed = confidence(conf_level), random_seed(seed)
    way = f"pass what a method such as {Call('fair_pca')} returned; kernels and maps of features have no loadings"
    instance("fit", fit, Projection, "a fit of components", way)
    design = design_to_refit(fit, X, groups, data, weights, use="people are drawn within them").counted()
    refuse_others(fit, of_target(fit, design))
    angles, loadings, lost = _replicates(fit, design, replicates, seed)
    kept, n = len(angles), float(design.n if design.weights is None else design.weights.sum())
    if kept < FEWEST:
        raise InputError(
            "X",
            f"has rows of which bootstrap samples cannot be fitted ({lost}); {kept} of {replicates} could: use fewer "
            "components, or merge small groups.",
        )
    how = message("{n} bootstrap samples within groups, seed {m}", n=kept, m=seed)
    if kept < replicates:
        text = f"stability: {replicates - kept} of {replicates} bootstrap samples could not be fitted ({lost})."
        warn(text)
    tail = (1 - conf_level) / 2
    middle = np.quantile(angles, [tail, 0.5, 1 - tail], axis=0)
    about = Estimate(ANGLE, fit=fit.method, n=n, role="component", conf_level=conf_level)
    rows = [
        replace(
            about,
            term=ALL if j == 0 else message("component {n}", n=j),
            estimate=float(middle[1, j]),
            conf_low=float(middle[0, j]),
            conf_high=float(middle[2, j]),
            method=message("median and middle of {text}, in degrees", text=how),
        )
        for j in range(middle.shape[1])
    ]
    lower, upper = np.quantile(loadings, [tail, 1 - tail], axis=0)
    error = loadings.std(axis=0, ddof=1)
    about = replace(
        about, metric=LOADING, method=message("percentiles of {text}, matched and turned to the fit", text=how)
    )
    for j in range(fit.k):
        for i, feature in enumerate(fit.features):
            row = replace(about, term=feature, given=message("component {n}", n=j + 1), std_error=float(error[i, j]))
            current = float(fit.loadings[i, j])
            rows.append(replace(row, estimate=current, conf_low=float(lower[i, j]), conf_high=float(upper[i, j])))
    half, low, high = (f"{v:.0f}" for v in (rows[0].estimate, rows[0].conf_low, rows[0].conf_high))
    wording = TURNED.format(method=fit.method, half=half, level=level(conf_level), low=low, high=high)
    return FitStudy(STABILITY_QUESTION, fit.method, (wording,), design.n, seed, conf_level, Estimates(rows))


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
                result = method(design.take(rows), None, **dict(fit.settings))
        except FairstatsError as problem:
            lost = lost or str(problem)
            continue
        turned, cosines = matched(fit.loadings, result.loadings)
        whole_angle = largest_angle(fit.loadings, result.loadings)
        angles.append([whole_angle, *np.degrees(np.arccos(np.clip(cosines, 0, 1)))])
        loadings.append(turned)
    return np.array(angles), np.array(loadings), lost


def matched(U: Floats, V: Floats) -> tuple[Floats, Floats]:
    """Return the columns of V that stand for those of U, with their signs turned, and the cosines (k,).

    Each column of U has another of V, so that the absolute cosines have the largest sum; where V has too few, the
    columns that are left are 0.

    >>> result = matched(np.eye(3)[:, :2], np.array([[0.0, -1.0], [1.0, 0.0], [0.0, 0.0]]))[0]
    >>> bool((result == np.eye(3)[:, :2]).all())
    True
    """
    lengths = np.outer(np.linalg.norm(U, axis=0), np.linalg.norm(V, axis=0))
    cosines = (U.T @ V) / np.where(lengths > 0, lengths, 1.0)
    mine, theirs = scipy.optimize.linear_sum_assignment(-np.abs(cosines))
    out, result = np.zeros_like(U), np.zeros(U.shape[1])
    signs = np.where(cosines[mine, theirs] < 0, -1.0, 1.0)
    out[:, mine] = V[:, theirs] * signs
    result[mine] = np.abs(cosines[mine, theirs])
    return out, result


def largest_angle(U: Floats, V: Floats) -> float:
    """Return the largest principal angle of two spans in degrees, of the smaller dimension of the two.

    Computed from sines where it is small, so that equal spans have 0.

    >>> largest_angle(np.eye(3)[:, :2], np.eye(3)[:, 1:]), largest_angle(np.eye(3)[:, :2], np.eye(3)[:, 1::-1])
    (90.0, 0.0)
    """
    A, B = (np.linalg.qr(W)[0] for W in ((U, V) if U.shape[1] <= V.shape[1] else (V, U)))
    sine = float(np.linalg.norm(A - B @ (B.T @ A), 2))
    cosine = float(np.linalg.svd(A.T @ B, compute_uv=False).min())
    return float(np.degrees(np.arctan2(sine, cosine)))


# Rows of means of squared distances, and of their differences, by group: t intervals adjusted for skewness.


METHOD = message("mean of squared distances; t, adjusted for skewness (Hall)")
WEIGHTED = message("weighted mean of squared distances, linearized; t, adjusted for skewness (Hall)")
ALONE = message("one person: no interval")
SAME = message("the same for every person: no interval")
ROUNDING = 1e-10  # of the losses: differences of two losses that vary by less do not vary


@dataclass(frozen=True)
class Level:
    """The people of one level of an attribute, and their number (their summed weights)."""

    attribute: str
    group: str
    rows: NDArray[np.bool_]
    n: float


def group_rows(
    about: Estimate, levels: list[Level], values: Floats, weights: Floats | None, noise: float, conf_level: float
) -> list[Estimate]:
    """Return a row for the mean of each level of an attribute, and for its difference from that of the largest.

    about: what the rows are about; with ``versus`` the values are changes, and their means are tested.
    levels: from ``levels_of``.
    values: the loss of each row, or its change, shape (n,).
    weights: shape (n,).
    noise: values that spread less do not vary.
    """
    items = [None if weights is None else weights[at.rows] for at in levels]
    samples = [LossSample.of(values[at.rows], noise, w) for at, w in zip(levels, items, strict=True)]
    rows = [*_levels(about, samples, levels, conf_level), *_gaps(about, samples, levels, conf_level)]
    return rows if weights is None else [weighted_method(row) for row in rows]


def weighted_method(row: Estimate) -> Estimate:
    """Return the row with the words for weighted means."""
    return replace(row, method=WEIGHTED) if row.method == METHOD else row


def levels_of(design: Design) -> Iterator[list[Level]]:
    """The levels of each attribute, largest first, people without a group last."""
    assert design.groups is not None
    for name, factor in zip(design.groups.names, design.groups.factors, strict=True):
        mass = np.bincount(factor.codes, design.weights, minlength=len(factor.levels))
        levels = [Level(name, v, factor.codes == code, float(mass[code])) for code, v in enumerate(factor.levels)]
        yield sorted((at for at in levels if at.n > 0), key=lambda at: (at.group == MISSING_LEVEL, -at.n, at.group))


def _levels(about: Estimate, samples: list[LossSample], levels: list[Level], conf_level: float) -> Iterator[Estimate]:
    contrast = "difference" if about.versus else "none"
    for at, current in zip(levels, samples, strict=True):
        row = about.blank(attribute=at.attribute, group=at.group, contrast=contrast, n=at.n, estimate=current.mean)
        yield filled(row, current.mean, (current,), conf_level, tested=bool(about.versus))


def _gaps(about: Estimate, samples: list[LossSample], levels: list[Level], conf_level: float) -> Iterator[Estimate]:
    base, rows = samples[0], []
    for at, current in zip(levels[1:], samples[1:], strict=True):
        gap = current.mean - base.mean
        row = about.blank(attribute=at.attribute, group=at.group, contrast="difference", reference=levels[0].group)
        row = replace(row, n=at.n, estimate=gap)
        rows.append(filled(row, gap, (current, base), conf_level, tested=True))
    estimates = Estimates(rows)
    yield from estimates.with_p_adjusted(p_adjust(estimates.column("p_value"), "holm"))


def filled(row: Estimate, estimate: float, samples: tuple[LossSample, ...], level: float, tested: bool) -> Estimate:
    if min(s.n for s in samples) < 2:
        return replace(row, reason=ALONE)
    if not any(s.variance for s in samples):
        return replace(row, std_error=0.0, reason=SAME)
    result = inference(estimate, samples, level)
    # a mean of squares, which cannot be below 0, where nothing is subtracted
    low = max(0.0, result.low) if len(samples) == 1 and row.versus != "pca" else result.low
    row = replace(row, std_error=result.std_error, conf_low=low, conf_high=result.high, conf_level=level)
    row = replace(row, df=result.df, method=METHOD)
    return replace(row, statistic=result.statistic, p_value=result.p_value) if tested else row


# What a fit costs new people, beyond principal components of the same number: in all, by group, by component.


METRIC, SHARE, HELD_OUT = "price", "price, share of variation", message("held out")
QUESTION = message("Price for new people, {n} folds")
EXCEEDS = message(
    "On new people the squared error of {method} exceeds that of as many principal components by {size}, {share}% "
    "of their variation."
)
FALLS_SHORT = message(
    "On new people the squared error of {method} is smaller than that of as many principal components by {size}, "
    "{share}% of their variation."
)
NOT_SHOWN_MORE = message(
    "On new people the squared error of {method} is not shown to differ from that of as many principal components; it "
    "is larger by {size}, {share}% of their variation."
)
NOT_SHOWN_LESS = message(
    "On new people the squared error of {method} is not shown to differ from that of as many principal components; it "
    "is smaller by {size}, {share}% of their variation."
)
MOVES = message(
    "On new people {method} moves the features by {size} squared units a person, {share}% of their variation."
)
MORE = message("{attribute}: it costs {group} more than {reference}.")
LESS = message("{attribute}: it costs {group} less than {reference}.")
LIMITS = message(
    "The limits take the fits of the folds as given and compare each new person's errors in pairs; how much the fits "
    "themselves would differ in another sample is not in them."
)
REFITS = message("Limits that include it need bootstrap samples, to each of which {method} is fitted again.")
FOLDS = message("{n} folds")
OPTIMISTIC = message("fit and PCA were chosen on these rows: no interval")


@answering
@recorded
def price_of_fairness(
    fit: Projection | FeatureMap,
    X: Any,
    groups: Any = None,
    *,
    data: Tabular | None = None,
    weights: Any = None,
    folds: int | Any = 5,
    seed: int = 0,
    conf_level: float = 0.95,
    p_adjust: ByP = "holm",
) -> FitStudy:
    """Estimate what a fit's condition costs new people: their squared error beyond that of PCA of as many components.

    Parameters
    ----------
    fit : Projection, Eraser or GroupAdjustment
        Of any method but ``pca``. Maps of features are compared with the features as they are.
    X, groups, data, weights : as in the fit
        The rows of the fit; others are refused. Groups need not be given again where the table has the fit's columns
        of them.
    folds : int or labels (n,)
        The method, and PCA beside it, are fitted without each fold in turn and evaluated on it. Fits of fewer folds
        learn from fewer rows; `tradeoff` has five as well.
    seed : int
        Of the folds, which are stratified by group.
    conf_level : float
    p_adjust : {"bonferroni", "holm", "bh", "none"}
        Of the p-values: over the groups of an attribute, and over the components.

    Returns
    -------
    FitStudy
        Metric "price": mean over people of ‖x − x̃‖² less that of PCA, in squared units of the fit (standardized
        features where it scales). ``estimator`` is "held out", or "in sample" for the rows that the fit was made of.
        In all (also as a share of their sum of squares), by group, between each group and the largest one, and by
        component: what PCA's component j takes of new people's variation and the fit's component j does not; these sum
        to the price in all.

    Raises
    ------
    InputError
        A fit of a kernel, which rebuilds no features; principal components themselves; other rows, groups or
        weights than the fit's; a group that cannot be divided into folds.

    Notes
    -----
    In sample the price is at least 0 whatever the condition costs in truth, since PCA has least error on the rows that
    it is made of: that number has no interval. On new people it may be below 0, where the condition spares the fit
    noise that PCA follows.

    The interval is about the price of the fits that the folds made, averaged over folds, for people like these: the
    errors of a fold's people are independent given the others, and where no row decides a fit their mean over folds is
    normal with the variance of single errors (Bayle, Bayle, Janson & Mackey 2020). It corrects for skewness (Hall), as
    ``reconstruction_error_by_group`` does; p-values are of no price. Fits of (folds − 1)/folds of the rows are a little
    dearer than that of all. With weights errors are linearized, each row one person sampled.

    With three groups, one a tenth of 4,000 people, limits of 95% cover the price of the fits of the folds in 96% of
    samples, and that of the fit to all rows in 90% (with two folds in 93% and 75%).

    In simulations limits of 95% cover 88 to 99% in all, 85 to 99% by group and component; where a few people carry
    the sum of squares (lognormal features, 200 rows) they cover 73 to 90% only. The price of ``og`` is the same for
    everybody of a group: its limits are about who is drawn, and ``extra_error`` is about the population.

    References
    ----------
    Bayle, Bayle, Janson & Mackey (2020), Cross-validation confidence intervals for test error, NeurIPS 33; Samadi et
    al. (2018), The price of fair PCA, NeurIPS 31; Hall (1992), JRSS B 54.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> rng = np.random.default_rng(0)
    >>> g = np.repeat(["a", "b"], 100)
    >>> X = rng.standard_normal((200, 4)) * [3, 2, 1, 1] + 2.0 * (g == "b")[:, None]
    >>> result = fs.price_of_fairness(fs.fair_pca(X, g, k=2), X, g)
    >>> [(r.estimator, round(r.estimate, 1), r.p_value < 0.05) for r in result.estimates if r.metric == "price"][:1]
    [('held out', 6.2, True)]
    """
    conf_level = confidence(conf_level)
    choose("p_adjust", p_adjust, ADJUSTMENTS)
    way = f"pass what a method such as {Call('fair_pca')} returned; fits of kernels rebuild no features"
    instance("fit", fit, (Projection, FeatureMap), "a fit that rebuilds features", way)
    if fit.method == "pca":
        raise InputError("fit is pca, and prices are compared with pca; pass a fit of another method.")
    design = of_target(fit, design_to_refit(fit, X, groups, data, weights))
    refuse_unsquarable(design.X, design.features)
    refuse_others(fit, design)
    design, fold = counted_folds(design, folds, seed)
    count = np.unique(fold).size
    noise = ROUNDING * fit.total / fit.scaling.weight
    rows: list[Estimate] = []
    for built in (_out_of_fold_price(fit, design, fold), _in_sample(fit, design)):
        versus = "pca" if isinstance(fit, Projection) else "none"
        about = Estimate(METRIC, fit=fit.method, versus=versus, estimator=built.estimator, contrast="difference")
        result = _rows(about, built, design, noise, conf_level, p_adjust)
        divided = [replace(r, method=joined([r.method, FOLDS.format(n=count)], "; ")) for r in result]
        rows += divided if built.estimator == HELD_OUT else [_described(row) for row in result]
    table = Estimates(rows)
    return FitStudy(
        QUESTION.format(n=count),
        fit.method,
        (*_price_statements(fit.method, table, conf_level), *_limits_with_refits(fit, table)),
        design.n,
        random_seed(seed),
        conf_level,
        table,
    )


def _price_statements(method: str, table: Estimates, conf_level: float) -> tuple[str, ...]:
    """The price as a sentence, and where one group pays more."""
    whole = table[0]
    less = whole.estimate < 0
    sign = -1 if less else 1
    size: str = compact(sign * whole.estimate)
    if not math.isnan(whole.conf_low):
        low, high = sorted((sign * whole.conf_low, sign * whole.conf_high))
        size = message("{n} ({low} to {high})", n=size, low=compact(low), high=compact(high))
    share = table.only(metric=SHARE, estimator=HELD_OUT)
    part = percent(sign * share[0].estimate, 2) if len(share) else "0"
    sides = (NOT_SHOWN_MORE, NOT_SHOWN_LESS) if whole.conf_low <= 0 <= whole.conf_high else (EXCEEDS, FALLS_SHORT)
    sentence = MOVES if whole.versus != "pca" else sides[less]
    what = sentence.format(method=method, size=size, share=part)
    gaps = [r for r in table if r.estimator == HELD_OUT and r.reference and r.p_adjusted <= 1 - conf_level]
    dearer = ((MORE if r.estimate > 0 else LESS, r) for r in gaps)
    return (
        what,
        *(
            s.format(
                attribute=DataText(r.attribute),
                group=DataText(r.group, r.attribute),
                reference=DataText(r.reference, r.attribute),
            )
            for s, r in dearer
        ),
        *([] if math.isnan(whole.conf_low) else [LIMITS.format()]),
    )


def _limits_with_refits(fit: Projection | FeatureMap, table: Estimates) -> list[str]:
    """What has limits for another sample, but of scores less their groups' means, of which extra_error has them."""
    less_means = isinstance(fit, Projection) and fit.coefficients is not None and fit.group_means is None
    return [] if less_means or math.isnan(table[0].conf_low) else [REFITS.format(method=fit.method)]


@dataclass(frozen=True)
class _Priced:
    """The price of every row by component (n, m), and the squared distance of the row that it is of (n,)."""

    estimator: str
    change: Floats
    before: Floats


def of_target(fit: Any, design: Design) -> Design:
    """The people whose components the fit promises something of: with equal opportunity those of positive outcome."""
    if fit.settings.get("target") != "equal_opportunity":
        return design
    if design.y is None:
        raise InputError(
            "X",
            "has no outcome, and a fit for equal opportunity is of people whose outcome is positive; pass a Design "
            f"made with {Setting('y')}.",
        )
    return design.take(design.y.codes == design.y.levels.index(str(fit.settings["positive"])))


def refuse_others(fit: Projection | FeatureMap, design: Design) -> None:
    """Refuse rows or groups that are not those of the fit."""
    if other := other_rows(fit, design):
        raise InputError("X", f"{other}; pass the rows of the fit.")
    if other := other_groups(fit, design):
        raise InputError("groups", f"{other}; pass the groups of the fit.")


def other_rows(fit: Any, design: Design) -> str:
    """Return how rows differ from those that the fit was made of, by their number or means; "" where they do not."""
    if fit.scaling.n not in (design.n, design.counted().n):
        return f"has {design.n} rows and the fit had {fit.scaling.n}"
    if fit.settings.get("center") is False:
        return ""
    X = design.X.toarray() if hasattr(design.X, "toarray") else design.X
    mean, center = np.average(X, axis=0, weights=design.weights), fit.scaling.center
    off = np.abs(mean - center) > 1e-6 * (X.std(axis=0) + np.abs(center))
    if not off.any():
        return ""
    j = int(off.argmax())
    one, other = significant(float(mean[j]), 8), significant(float(center[j]), 8)
    return f"has other rows than the fit (the mean of {design.features[j]} is {one}, and was {other})"


def other_groups(fit: Any, design: Design) -> str:
    """Return how the groups of a fit's rows differ from its own, by their shares or errors; "" where they do not."""
    if fit.encoding is None or design.groups is None:
        return ""
    try:
        Z = fit.encoding.encode(design.groups)
    except InputError:
        return "has other groups than the fit"
    means = np.abs(np.average(Z, axis=0, weights=design.weights))  # 0, but of labels that were not centered
    if fit.encoding.center.any() and means.max() > 1e-6 * max(1.0, float(Z.std(axis=0).max())):
        return "has groups of other sizes than the fit"
    if not isinstance(fit, Projection) or not fit.price.by_group:
        return ""
    losses, noise = squared_errors(fit, design), 1e-6 * fit.total / fit.scaling.weight
    prices = {(price.attribute, price.level): price.error for price in fit.price.by_group}
    w = np.ones(design.n) if design.weights is None else design.weights
    for known, levels in zip(fit.encoding.names, levels_of(design), strict=True):
        for one in levels:  # of an array without a name by position
            name = one.attribute if one.attribute in fit.encoding.names else known
            before = prices.get((name, one.group), math.nan)
            current = float(np.average(losses, weights=one.rows * w))
            if abs(current - before) > noise:
                text = f"the error of {name} = {one.group} is {significant(current, 8)}"
                return f"has other people in its groups than the fit ({text}, and was {significant(before, 8)})"
    return ""


def _in_sample(fit: Projection | FeatureMap, design: Design) -> _Priced:
    return _Priced(IN_SAMPLE, *_change(fit, design, design))


def _out_of_fold_price(fit: Projection | FeatureMap, design: Design, fold: NDArray[Any]) -> _Priced:
    parts = []
    for source, part in fits_without(fit, dict(fit.settings), design, fold):
        parts.append((source, *_change(part, design.take(~source), design.take(source))))
    change = np.zeros((design.n, max(part.shape[1] for _, part, _ in parts)))
    before = np.zeros(design.n)
    for source, part, size in parts:
        change[source, : part.shape[1]], before[source] = part, size
    return _Priced(HELD_OUT, change, before)


def _change(fit: Projection | FeatureMap, trained: Design, design: Design) -> tuple[Floats, Floats]:
    """What PCA's components keep of rows less what the fit's keep, one by one; and the rows' squared distances."""
    if isinstance(fit, FeatureMap):
        X = design.X.toarray() if hasattr(design.X, "toarray") else design.X
        scale = 1.0 if fit.scaling.scale is None else fit.scaling.scale
        moved, rest = (X - fit._mapped(design)) / scale, (X - fit.scaling.center) / scale
        return np.sum(moved**2, axis=1, keepdims=True), np.sum(rest**2, axis=1)
    plain = pca_beside(fit, trained)
    current, best = kept(fit, design), kept(plain, design)
    change = np.zeros((design.n, max(fit.k, plain.k)))
    change[:, : plain.k] += best.by_component
    change[:, : fit.k] -= current.by_component
    return change, current.before


def _rows(
    about: Estimate, built: _Priced, design: Design, noise: float, conf_level: float, p_adjust: ByP
) -> list[Estimate]:
    whole, n = built.change.sum(axis=1), float(design.n if design.weights is None else design.weights.sum())

    def row(values: Floats, **what: Any) -> Estimate:
        sample = LossSample.of(values, noise if what.get("metric") != SHARE else ROUNDING, design.weights)
        plain = filled(about.blank(n=n, estimate=sample.mean, **what), sample.mean, (sample,), conf_level, tested=True)
        return plain if design.weights is None else weighted_method(plain)

    rows = [row(whole)]
    mean = float(np.average(built.before, weights=design.weights))
    if mean > 0:  # a ratio of two means, linearized
        share = float(np.average(whole, weights=design.weights)) / mean
        rows.append(row((whole - share * built.before) / mean + share, metric=SHARE))
    if design.groups is not None:
        for levels in levels_of(design):
            result = group_rows(about, levels, whole, design.weights, noise, conf_level)
            rows += [*_adjusted(result[: len(levels)], p_adjust), *result[len(levels) :]]
    if about.versus != "pca":
        return rows
    terms = ({"term": message("component {n}", n=j + 1), "role": "component"} for j in range(built.change.shape[1]))
    return rows + _adjusted([row(v, **what) for v, what in zip(built.change.T, terms, strict=True)], p_adjust)


def _adjusted(rows: list[Estimate], how: ByP) -> list[Estimate]:
    table = Estimates(rows)
    return list(table.with_p_adjusted(p_adjusted_by(np.array(table.column("p_value"), dtype=float), how)))


def _described(row: Estimate) -> Estimate:
    """A row without inference."""
    method = message("mean of squared distances on the rows of the fit")
    role: Role = "component" if row.role == "component" else "supplementary"
    return replace(row.blank(), role=role, n=row.n, estimate=row.estimate, method=method, reason=OPTIMISTIC)


# How much of each group's data a projection loses, beside what PCA of the same k loses.


LOSS_METRIC = "reconstruction loss"
OF_THESE_ROWS = message("PCA of the rows given, not of those of the fit")
ITS_ROWS = message("PCA of these rows")  # the same in the few words of a label


@answering
def reconstruction_error_by_group(
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
        Rows as they were given to the fit. On the rows of the fit the losses are smaller than on new ones. PCA is that
        of these rows, not of the fit's: on new ones it has seen them and the fit has not, so that the fit looks dearer
        than it is; `term` says so, and `price_of_fairness` has the price for new people.
    groups : as in the fit
        Column names of `data` or labels (n,).
    data : table, optional
        Where column names are looked up.
    weights : str or array (n,), optional
        Probability weights: how many people a row stands for. A weighted fit needs those of its rows.
    conf_level : float
        Confidence level, above 0.2 and below 1.

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
    >>> rows = fs.reconstruction_error_by_group(fs.og(X, g, k=2), X, g)
    >>> [(r.fit, r.group, round(r.estimate, 1)) for r in rows if r.contrast == "none"]
    [('og', 'a', 4.0), ('og', 'b', 7.4), ('pca', 'a', 1.5), ('pca', 'b', 1.8)]
    """
    conf_level = confidence(conf_level)
    way = f"pass what a method such as {Call('fair_pca')} returned; kernels and maps of features have no such losses"
    instance("fit", fit, Projection, "a fit of components", way)
    design = design_like(fit, X, groups, data, weights, use="name the groups whose losses are to be compared")
    if design.groups is None or not design.groups.names:
        raise InputError("groups are continuous; losses are compared between levels: cut them into classes.")
    losses = _losses(fit, design)
    other = fit.method != "pca" and bool(other_rows(fit, design))
    rows: list[Estimate] = []
    # of losses, and of what they are losses of: where a fit keeps everything, what is left is rounding
    noise = ROUNDING * max(float(losses[0][2].max()), fit.total / fit.scaling.n)
    for levels in levels_of(design):
        for name, versus, values in losses:
            about = Estimate(LOSS_METRIC, fit=name, versus=versus)
            result = group_rows(about, levels, values, design.weights, noise, conf_level)
            if other and "pca" in (name, versus):  # its components are chosen on the rows that it is measured on
                result = [
                    replace(row, term=ITS_ROWS, method=joined([row.method, OF_THESE_ROWS], "; ")) for row in result
                ]
            rows += result
    return Estimates(rows)


def _losses(fit: Projection, design: Design) -> list[tuple[str, str, Floats]]:
    """(method, the one that it is compared with or "", loss of every row or its change), in the units of the fit."""
    refuse_unsquarable(design.X, design.features)
    values = squared_errors(fit, design)
    if fit.method == "pca":
        return [(fit.method, "", values)]
    best = _best(fit, design)
    return [(fit.method, "", values), ("pca", "", best), (fit.method, "pca", values - best)]


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
    return squared_errors(pca(rows, k=d), rows)


def squared_errors(fit: Projection, design: Design) -> Floats:
    X = design.X.toarray() if hasattr(design.X, "toarray") else design.X
    rest = X - fit.reconstruct(design)
    rest = rest if fit.scaling.scale is None else rest / fit.scaling.scale
    return np.asarray(np.einsum("ij,ij->i", rest, rest))


# Does a component, on rows that its fit did not see, still differ between the groups? By ranks, one at a time.


@answering
def component_tests(
    scores: OutOfFoldScores, *, weights: Any = None, conf_level: float = 0.95, p_adjust: ByP = "holm"
) -> Estimates:
    """Test every component of held-out scores for a difference between each group and the others, by two rank tests.

    Parameters
    ----------
    scores : OutOfFoldScores
        From ``fit.crossfit(X, groups)`` of any method.
    weights : array (n,), optional
        Probability weights; by default those of the fit that was crossfitted. Probabilities are then the weighted
        ones, with linearized errors, and the test is the Wald test on the logit scale that belongs to them; there is
        no Mann-Whitney test of weighted people.
    conf_level : float
    p_adjust : {"bonferroni", "holm", "bh", "none"}
        Over all rows of a metric.

    Returns
    -------
    Estimates
        Two rows a component, group and fold (term "component 1", given "fold 1"): the group against all others, or the
        second of two groups against the first; of each metric the smallest p-value first. Metric "P(X>Y)" has Brunner
        and Munzel's test, which lets the groups differ in spread. Metric "score shift" (role "beside") has Mann and
        Whitney's, of equal distributions, and the shift that Hodges and Lehmann estimate where the shapes agree.

    Raises
    ------
    InputError
        If ``scores`` are not held-out scores, or the groups have no categorical attribute.

    Notes
    -----
    Rows are compared within a fold: over folds, what the fit removed by chance from one comes back with the opposite
    sign in another, and the two cancel. A method whose map depends on the group (``og``) carries the sampling error of
    its coefficients into new rows; with few rows for each coefficient this test sees it, as an adversary would.

    References
    ----------
    Brunner & Munzel (2000), "The nonparametric Behrens-Fisher problem", Biometrical Journal 42; Mann & Whitney (1947),
    Annals of Mathematical Statistics 18; Hodges & Lehmann (1963), Annals of Mathematical Statistics 34.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> rng = np.random.default_rng(0)
    >>> g = np.repeat(["a", "b"], 100)
    >>> X = rng.standard_normal((200, 3)) + (g == "b")[:, None]
    >>> bool(fs.component_tests(fs.pca(X, g, k=1).crossfit(X, g))[0].p_adjusted < 0.001)
    True
    """
    source, conf_level = scores, confidence(conf_level)
    choose("p_adjust", p_adjust, ADJUSTMENTS)
    if not isinstance(source, OutOfFoldScores):
        raise InputError(
            "scores",
            f"has {shown(source)}; in-sample scores show nothing about new people; pass "
            f"{snippet('fit.crossfit(X, groups)')}.",
        )
    if not source.groups.names:
        raise InputError("scores", "has no categorical group variable to compare by; cross-fit with one.")
    source = source.counted(weights)
    order: list[Estimate] = []
    shifts: list[Estimate] = []
    for attribute, result in zip(source.groups.names, source.groups.factors, strict=True):
        pairs = [(result.levels[1], result.levels[0])] if len(result.levels) == 2 else [(v, "") for v in result.levels]
        for j in range(source.scores.shape[1]):
            for name, other in pairs:
                for number, fold in enumerate(np.unique(source.folds)):
                    part = source.folds == fold
                    mine = part & (result.codes == result.levels.index(name))
                    about: dict[str, Any] = {
                        "attribute": attribute,
                        "group": name,
                        "reference": other or message("all others"),
                        "term": message("component {n}", n=j + 1),
                        "given": message("fold {n}", n=number + 1),
                    }
                    row = _compared(source, j, mine, part & ~mine, conf_level)
                    order.append(replace(row, **about, method=joined([row.method, message("held-out scores")], ", ")))
                    if source.weights is None:
                        row = shift_estimate(
                            source.scores[mine, j], source.scores[part & ~mine, j], conf_level=conf_level
                        )
                        shifts.append(
                            replace(
                                row,
                                **about,
                                role="supplementary",
                                method=joined([row.method, message("held-out scores")], ", "),
                            )
                        )
    return _adjusted_tests(order, p_adjust) + _adjusted_tests(shifts, p_adjust)


def _adjusted_tests(rows: list[Estimate], how: ByP) -> Estimates:
    table = Estimates(sorted(rows, key=lambda row: math.inf if math.isnan(row.p_value) else row.p_value))
    return table.with_p_adjusted(p_adjusted_by(np.array(table.column("p_value"), dtype=float), how))


def _compared(
    scores: OutOfFoldScores, j: int, mine: NDArray[np.bool_], theirs: NDArray[np.bool_], conf_level: float
) -> Estimate:
    x, y = scores.scores[mine, j], scores.scores[theirs, j]
    if scores.weights is None:
        return relative_effect_estimate(x, y, conf_level=conf_level)
    v, w = scores.weights[mine], scores.weights[theirs]
    result = probability_of_superiority_survey(x, y, x_weights=v, y_weights=w, conf_level=conf_level)
    return design_estimate(Estimate("P(X>Y)", n=float(v.sum())), result, conf_level)
