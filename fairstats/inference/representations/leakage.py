"""Leakage: what scores of new people still tell about the group, by probes and by measures of any dependence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from fairstats.arguments import MOST_PERMUTATIONS, confidence, random_seed, real, shown, whole
from fairstats.data.columns import Tabular
from fairstats.data.design import Design
from fairstats.data.groups import Groups
from fairstats.data.matrices import refuse_unsquarable
from fairstats.errors import FairstatsError, InputError
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.margins import margins
from fairstats.inference.representations.leakage_of_scores import ScoresRun
from fairstats.inference.representations.leakage_refits import Labels, RefitRun
from fairstats.inference.representations.leakage_result import Leakage, beside, numeric_statement, statement, unjudged
from fairstats.inference.representations.probes import PROBES
from fairstats.methods.results.crossfit import assign_folds, design_to_refit, unadjusted
from fairstats.methods.results.heldout import HeldOut

FEWEST = 10
FOLDS = 2
IN_SAMPLE = (
    "a fit leaves its own mark on the rows it has seen (in-sample OG scores of noise give a probe an AUC of 0.27), so "
    "leakage takes held-out scores only; pass leakage(fit, X, groups), leakage(fit.crossfit(X, groups)), or "
    "HeldOut(scores, folds, groups, method, seed) if the rows were held out by other means."
)


def leakage(
    fit: Any = None,
    X: Any = None,
    groups: Any = None,
    *,
    scores: HeldOut | None = None,
    data: Tabular | None = None,
    weights: Any = None,
    equivalence: Any = None,
    folds: Any = FOLDS,
    permutations: int = 199,
    conf_level: float = 0.95,
    seed: int = 0,
) -> Leakage:
    """Judge how much the scores of new people tell about the group, by probes and by measures of any dependence.

    Parameters
    ----------
    fit : fit or HeldOut
        A fit with its rows ``X``, ``groups`` and ``data``, given as to the fit: scores are held out by `crossfit`, and
        the fit is made again on exchanged rows, whose leakage is the null distribution. Or held-out scores alone.
    X, groups, data : as for the fit
        With held-out scores only ``groups`` may be given: other group variables than those of the fit, one value a row.
    scores : HeldOut, optional
        What ``fit.crossfit(X, groups)`` returned, in the place of ``fit``.
    weights : array (n,), optional
        Probability weights; by default those of held-out scores. Probes are trained and their AUCs computed with
        them, intervals and tests are linearized. MMD² and the distance correlation are computed on a random part of the
        rows, each kept with a probability proportional to its weight. Weighted rows are not exchangeable: a weighted
        fit is not made again, and what is said is conditional on its scores.
    equivalence : float or mapping, optional
        The margin: an AUC of less than 0.5 + margin does not matter. A number, or ``{"leakage": margin}``, as in
        `audit`. Without it, no absence of leakage can be shown.
    folds : int or array (n,)
        For a fit, as in `crossfit`.
    permutations : int
        Refits on exchanged rows; for held-out scores permutations of the labels within folds, for MMD² and the
        distance correlation.
    conf_level : float
        Level of the intervals and of the verdicts.
    seed : int
        For folds, probes, permutations and samples of rows.

    Returns
    -------
    Leakage
        "linear probe" and "non-linear probe": the AUC with which a probe tells a level from the others on rows that it
        was not trained on, with a verdict: *disparity shown* is a leak, *equivalence shown* no leak beyond the margin
        (the upper limit of the AUC lies below it), *inconclusive* neither. Probes are trained on other rows of the
        same fold (``probe_predictions`` in the source says why), so folds must not be small. An AUC under 0.5 is
        chance, not leakage; p-values are one-sided. "MMD²" (unbiased, median heuristic) and "distance correlation"
        (bias-corrected, squared) react to any dependence, without intervals or verdicts; above 2000 rows, of a fit
        400, they use a random sample. Components are scaled to unit variance first. What cannot be estimated has rows
        that say why.

    Raises
    ------
    InputError
        If the scores are not held out, are missing, or if the groups do not fit them.

    Notes
    -----
    A fit that equalizes the groups' means does so with means estimated from its training rows, and leaves their error
    in everybody else's scores. Given the scores, tests of enough rows find it: `og` of 10 features without any relation
    to the groups "leaks" in 21 to 45 % of samples, whatever n. Refits do the same to data that differ in nothing
    else, so that the method is judged against what it leaves by itself: of a fit that equalizes the groups' means on
    its own rows (to 1e-8 of the scores' squares) the means stay and residuals are exchanged between the groups, of any
    other (and of sparse rows) labels are permuted. Rows are exchanged within the parts of the folds.

    Features of few values (0 and 1, whole numbers; fewer distinct values than half of the rows) lie on a lattice, and
    there groups cannot differ in their means alone: the non-linear probe, MMD² and the distance correlation are judged
    against refits to data in which such features are independent of the groups, their values exchanged whole. A leak
    then says that the scores tell more of the group than they would if those features told nothing of it. `og`, which
    subtracts each group's mean, leaves every group a lattice of its own, and leaks by that where the means differ. The
    linear probe is still judged against exchanged residuals, at the cost of a second series of refits.

    For a fit probes are in closed form (least squares; ridge regression on Fourier features and classes of the
    scores), for scores alone logistic regression, and boosted trees averaged with kernel logistic regression. A leak
    also needs the limits of the AUC, which hold where spreads differ. That there is none beyond the margin needs an
    upper limit below the AUC that a linear probe trained on so few rows would attain if the best had 0.5 + margin
    (Raudys & Young 2004), with one more coefficient than components, and ten more for the non-linear probe; what that
    probe cannot learn, another adversary might.

    References
    ----------
    LeDell et al. (2015); Gretton et al. (2012); Székely & Rizzo (2014); Phipson & Smyth (2010); Rahimi & Recht (2007),
    Random features for large-scale kernel machines, NIPS 20; Westfall & Young (1993) for the largest AUC of all levels.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> rng = np.random.default_rng(0)
    >>> g = np.repeat(["a", "b"], 200)
    >>> X = rng.normal(size=(400, 4)) * np.where(g == "a", 1, 3)[:, None]
    >>> found = fs.leakage(fs.og(X, g, k=2), X, g, permutations=39, equivalence=0.2)
    >>> found.statements[0].split(", AUC")[0], found.estimates[1].verdict
    ('group: linear: no leak beyond AUC 0.70 shown', 'disparity shown')
    """
    permutations = whole("permutations", permutations, 0, MOST_PERMUTATIONS, "more would not change p")
    conf_level, seed = confidence(conf_level), random_seed(seed)
    margin = _margin(equivalence)
    if (fit is None) == (scores is None):
        raise InputError("leakage takes a fit with its rows, or held-out scores: pass fit and X, or scores.")
    called = "fit" if scores is None else "scores"
    asked = {"folds": folds, "permutations": permutations, "conf_level": conf_level, "equivalence": equivalence}
    call = _call(fit if scores is None else scores, asked, seed)
    if not hasattr(fit, "crossfit"):
        scores = fit if scores is None else scores
        if X is not None or data is not None:
            raise InputError("X and data go with a fit; held-out scores bring their rows. Pass groups=, or a fit.")
        if real(folds) != FOLDS:
            raise InputError(f"folds has {shown(folds)}; held-out scores have their own folds. Leave it out.")
        held = _held_out(called, scores)
        made = held.groups if groups is None else Groups.of(groups, missing="level", index=held.groups.index)
        own = replace(held, groups=_one_a_row(made, held))
        return replace(_of_scores(own, weights, permutations, conf_level, seed, margin), call=call)
    if X is None and data is None:
        raise InputError(f"X is missing: {IN_SAMPLE}")
    design = design_to_refit(fit, X, groups, data, weights, use="they are what leaks")
    return replace(_of_fit(fit, design, folds, permutations, conf_level, seed, margin), call=call)


def _call(fit: Any, given: dict[str, Any], seed: int) -> str:
    """What repeats it, of a fit with its settings and its rows, or of held-out scores."""
    usual = {"folds": FOLDS, "permutations": 199, "conf_level": 0.95, "equivalence": None}
    said = [
        f"{name}={value!r}" for name, value in given.items() if isinstance(value, (int, float)) and value != usual[name]
    ]
    first = "scores=scores"
    if hasattr(fit, "crossfit"):
        settings = [f"{name}={value!r}" for name, value in getattr(fit, "settings", {}).items()]
        first = f"fairstats.{fit.method}({', '.join(['X', 'groups', *settings])}), X, groups"
    return f"fairstats.leakage({', '.join([first, *said, f'seed={seed}'])})"


def _margin(equivalence: Any) -> float | None:
    return margins(equivalence).leakage if _named(equivalence) else margins({"leakage": equivalence}).leakage


def _named(equivalence: Any) -> bool:
    return hasattr(equivalence, "keys") or hasattr(equivalence, "leakage")


def _of_scores(
    held: HeldOut, weights: Any, permutations: int, conf_level: float, seed: int, margin: float | None
) -> Leakage:
    held = held.counted(weights)
    run = ScoresRun.of(held, permutations, conf_level, seed, margin)
    start = None if held.before is None else replace(held, scores=held.before)
    plain = None if start is None else ScoresRun.of(start, 0, conf_level, seed, None)
    before: list[Estimate] = []
    rows: list[Estimate] = []
    statements: list[str] = []
    for labels in _attributes(held.groups):
        found = run.of_levels(labels.name, labels.codes, labels.levels)
        rows += found
        own = [] if plain is None else plain.areas(labels.name, labels.codes, labels.levels)
        statements.append(statement(labels.name, found, PROBES, margin) + beside(found, own, PROBES, held.before_of))
        before += own
    for name, values in zip(held.groups.continuous_names, held.groups.continuous.T, strict=True):
        found = run.of_numbers(name, values)
        rows += found
        statements.append(numeric_statement(name, found[-1], 1 - conf_level))
    return Leakage(
        Estimates(rows),
        tuple(statements),
        held.method,
        len(held.scores),
        held.scores.shape[1],
        np.unique(held.folds).size,
        run.sample.size,
        permutations,
        seed,
        conf_level,
        margin,
        before=unjudged(before),
    )


def _of_fit(
    fit: Any, design: Design, folds: Any, permutations: int, conf_level: float, seed: int, margin: float | None
) -> Leakage:
    assert design.groups is not None
    refuse_unsquarable(design.X, design.features)
    attributes = list(_attributes(design.groups))
    weighted = design.weights is not None
    settings: dict[str, Any] = {"conf_level": conf_level, "seed": seed, "margin": margin}
    if design.n < FEWEST or np.bincount(design.groups.cells[0]).min() < 2:
        reason = f"a group of one row, or fewer than {FEWEST} rows: nothing can be held out"
        return _nothing(fit, design, attributes, reason, 0, permutations, settings)
    fold = assign_folds(design, folds, seed)
    count = np.unique(fold).size
    try:
        if weighted:
            start, what = unadjusted(fit, design, fold)
            held = replace(fit.crossfit(design, folds=fold, seed=seed), before=start, before_of=what)
            return _of_scores(held, None, permutations, conf_level, seed, margin)
        run = RefitRun.of(fit, design, fold, attributes, permutations, **settings)
        held = run.scores()
    except FairstatsError as problem:
        # What half of the rows do not allow is no fault of the question.
        reason = f"the fit to a part of the rows failed: {problem}"
        return _nothing(fit, design, attributes, reason, count, permutations, settings)
    made, failed = run.rows(held)
    start, what = unadjusted(fit, design, fold)
    before: list[list[Estimate]] = [[] for _ in attributes] if start is None else run.areas(start)
    statements = [
        statement(labels.name, rows, PROBES, margin) + beside(rows, own, PROBES, what)
        for labels, rows, own in zip(attributes, made, before, strict=False)
    ] + [numeric_statement(rows[0].attribute, rows[-1], 1 - conf_level) for rows in made[len(attributes) :]]
    lost = f"{failed} of {permutations} refits failed, and count as if they leaked everything"
    rows = [
        replace(r, reason="; ".join(filter(None, (r.reason, lost if failed else "")))) for part in made for r in part
    ]
    k, used = held.scores.shape[1], run.sample.size
    said = tuple(statements)
    about = {**settings, "refits": run.words, "before": unjudged([r for part in before for r in part])}
    return Leakage(Estimates(rows), said, fit.method, design.n, k, count, used, permutations, **about)


def _nothing(
    fit: Any,
    design: Design,
    attributes: list[Labels],
    reason: str,
    folds: int,
    permutations: int,
    settings: dict[str, Any],
) -> Leakage:
    """Every row as unestimable, with the reason."""
    assert design.groups is not None
    names = [*(a.name for a in attributes), *design.groups.continuous_names]
    metrics = (*(f"AUC of {probe}" for probe in PROBES), "MMD²", "distance correlation")
    rows = [Estimate(metric, name, status="unestimable", reason=reason) for name in names for metric in metrics]
    said = tuple(f"{name}: not estimable: {reason}." for name in names)
    k = getattr(fit, "k", 0)
    return Leakage(Estimates(rows), said, fit.method, design.n, k, folds, 0, permutations, **settings)


def _held_out(called: str, scores: Any) -> HeldOut:
    if not isinstance(scores, HeldOut):
        raise InputError(f"{called} has {shown(scores)}; {IN_SAMPLE}")
    matrix = np.asarray(scores.scores, dtype=float)
    if matrix.ndim != 2 or len(matrix) != len(scores.folds) or len(matrix) < FEWEST:
        raise InputError(
            f"{called} has shape {matrix.shape} with {len(scores.folds)} folds; leakage needs at least {FEWEST} rows, "
            "one fold number each."
        )
    if not np.isfinite(matrix).all():
        raise InputError(f"{called} has {int((~np.isfinite(matrix)).sum())} missing or infinite values.")
    return replace(scores, scores=matrix, folds=np.unique(scores.folds, return_inverse=True)[1])


def _one_a_row(groups: Groups, held: HeldOut) -> Groups:
    if groups.n != len(held.scores):
        raise InputError(f"groups has {groups.n} values and scores {len(held.scores)} rows; give one a row.")
    return groups


def _attributes(groups: Groups) -> Iterator[Labels]:
    for name, factor in zip(groups.names, groups.factors, strict=True):
        held, codes = np.unique(factor.codes, return_inverse=True)
        levels = tuple(factor.levels[i] for i in held)
        if len(levels) < 2:
            raise InputError(f"groups={name!r} has one level ({levels[0]}); leakage needs at least two groups.")
        yield Labels(name, np.asarray(codes, dtype=np.intp), levels)
