"""Leakage: what held-out scores still tell about the group, by probes and by two measures of any dependence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from fairstats.arguments import MOST_PERMUTATIONS, confidence, random_seed, whole
from fairstats.data.groups import Groups
from fairstats.errors import InputError
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.multiplicity import adjust
from fairstats.inference.representations.dependence import Permuted, distance_correlation, mmd
from fairstats.inference.representations.leakage_result import Leakage, numeric_statement, statement
from fairstats.inference.representations.probes import PROBES, probe_predictions
from fairstats.inference.scores.merged_samples import Floats
from fairstats.inference.scores.stratified_auc import stratified_auc, stratified_by_design
from fairstats.inference.scores.survey_ranks import design_estimate
from fairstats.methods.results.heldout import HeldOut

MOST_ROWS = 2000
FEWEST = 10
NOISE = "a fit that equalizes the groups leaks its own estimation noise, up to about"


def leakage(
    scores: HeldOut,
    groups: Any = None,
    *,
    weights: Any = None,
    permutations: int = 999,
    conf_level: float = 0.95,
    seed: int = 0,
) -> Leakage:
    """Estimate how much held-out scores tell about the group, by probes and by measures of any dependence.

    Parameters
    ----------
    scores : HeldOut
        What ``fit.crossfit(X, groups)`` returns: each row's scores come from a fit that has not seen it.
    groups : as for the fit, optional
        Other group variables than those of the fit, one value a row.
    weights : array (n,), optional
        Probability weights; by default those of the fit that was crossfitted. Probes are trained and their AUCs
        computed with them, intervals and tests are linearized. MMD² and the distance correlation are computed on a
        random part of the rows, each kept with a probability proportional to its weight: a sample of the weighted
        population, in which their permutations are valid.
    permutations : int
        Permutations of the labels within folds, for MMD² and the distance correlation.
    conf_level : float
        Level of the intervals and of the statements.
    seed : int
        For the probes, the permutations and the sample of rows.

    Returns
    -------
    Leakage
        "linear probe" and "non-linear probe": the AUC with which logistic regression, and boosted trees averaged with
        kernel logistic regression, tell a level from the others on rows that they were not trained on. Probes are
        trained on other rows of the same fold (`probe_predictions` says why), so folds must not be small: with few
        rows prefer ``crossfit(folds=2)``. An AUC under 0.5 is chance, not leakage. "MMD²" (unbiased, median heuristic)
        and "distance correlation" (bias-corrected, squared) react to any dependence, without intervals; above 2000
        rows they use a random sample of 2000. Components are scaled to unit variance first.

        A fit that equalizes the groups' means does so with means estimated from its training rows, and leaves their
        error in everybody else's scores. Tests of enough rows find it, and it is leakage of that fit; `reason`
        gives the AUC to be expected from it alone.

    Raises
    ------
    InputError
        If the scores are not held out, are missing, or if the groups do not fit them.

    References
    ----------
    LeDell et al. (2015); Gretton et al. (2012); Székely & Rizzo (2014); Phipson & Smyth (2010).

    Examples
    --------
    >>> import fairstats as fs
    >>> rng = np.random.default_rng(0)
    >>> g = np.repeat(["a", "b"], 200)
    >>> X = rng.normal(size=(400, 4)) * np.where(g == "a", 1, 3)[:, None]
    >>> found = leakage(fs.pca(X, k=2).crossfit(X, g, folds=2), permutations=99)
    >>> found.statements[0].split(" (")[0], found.estimates[1].conf_low > 0.7
    ('group: linear guarantee holds', True)
    """
    permutations = whole("permutations", permutations, 0, MOST_PERMUTATIONS, "more would not change p")
    conf_level, seed = confidence(conf_level), random_seed(seed)
    held = _held_out(scores)
    made = held.groups if groups is None else Groups.of(groups, missing="level", index=held.groups.index)
    if made.n != len(held.scores):
        raise InputError(f"groups has {made.n} values and scores {len(held.scores)} rows; give one a row.")
    held = replace(held, groups=made).counted(weights)
    made, w = held.groups, held.weights
    run = _Run(held, _scaled(held.scores, w), _sample(held.folds, seed, w), permutations, conf_level, seed)
    rows: list[Estimate] = []
    statements: list[str] = []
    for name, codes, levels in _attributes(made):
        found = run.of_levels(name, codes, levels)
        rows += found
        statements.append(statement(name, found, PROBES, 1 - conf_level, run.noises(codes, levels)))
    for name, values in zip(made.continuous_names, made.continuous.T, strict=True):
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
    )


def _held_out(scores: Any) -> HeldOut:
    if not isinstance(scores, HeldOut):
        raise InputError(
            f"scores has type {type(scores).__name__}; a fit leaves its own mark on the rows it has seen (in-sample OG "
            "scores of noise give a probe an AUC of 0.27), so leakage takes held-out scores only; pass "
            "fit.crossfit(X, groups), or HeldOut(scores, folds, groups, method, seed) if the rows were held out "
            "by other means."
        )
    matrix = np.asarray(scores.scores, dtype=float)
    if matrix.ndim != 2 or len(matrix) != len(scores.folds) or len(matrix) < FEWEST:
        raise InputError(
            f"scores has shape {matrix.shape} with {len(scores.folds)} folds; leakage needs at least {FEWEST} rows, "
            "one fold number each."
        )
    if not np.isfinite(matrix).all():
        raise InputError(f"scores has {int((~np.isfinite(matrix)).sum())} missing or infinite values.")
    return replace(scores, scores=matrix, folds=np.unique(scores.folds, return_inverse=True)[1])


def _scaled(scores: Floats, weights: Floats | None) -> Floats:
    centered = scores - np.average(scores, axis=0, weights=weights)
    spread = np.sqrt(np.average(centered**2, axis=0, weights=weights))
    return np.asarray(centered / np.where(spread > 0, spread, 1.0))


def _sample(folds: NDArray[np.intp], seed: int, weights: Floats | None) -> NDArray[np.intp]:
    """Rows for the statistics of all pairs: all, or at random; with weights, in proportion to them."""
    rng = np.random.default_rng(seed)
    rows = np.arange(folds.size)
    if weights is not None:
        rows = rows[rng.random(rows.size) < weights / weights.max()]
    return rows if rows.size <= MOST_ROWS else np.sort(rng.choice(rows, MOST_ROWS, replace=False))


def _attributes(groups: Groups) -> Iterator[tuple[str, NDArray[np.intp], tuple[str, ...]]]:
    for name, factor in zip(groups.names, groups.factors, strict=True):
        held, codes = np.unique(factor.codes, return_inverse=True)
        levels = tuple(factor.levels[i] for i in held)
        if len(levels) < 2:
            raise InputError(f"groups={name!r} has one level ({levels[0]}); leakage needs at least two groups.")
        yield name, codes.astype(np.intp), levels


@dataclass(frozen=True)
class _Run:
    held: HeldOut
    scores: Floats
    sample: NDArray[np.intp]
    permutations: int
    conf_level: float
    seed: int

    def of_levels(self, name: str, codes: NDArray[np.intp], levels: tuple[str, ...]) -> list[Estimate]:
        """All rows of one attribute: two levels give one row a statistic, more give one a level."""
        shown = [1] if len(levels) == 2 else list(range(len(levels)))
        found: list[Estimate] = []
        for probe in PROBES:
            probabilities, strata = probe_predictions(
                self.scores, codes, self.held.folds, probe, self.seed, self.held.weights
            )
            found += _adjusted([self._auc(probe, name, codes, levels, j, probabilities, strata) for j in shown])
        part = codes[self.sample]
        scores, folds = self.scores[self.sample], self.held.folds[self.sample]
        discrepancies = mmd(scores, part, folds, permutations=self.permutations, seed=self.seed)
        found += _adjusted(
            [
                self._permuted("MMD²", name, _about(levels, j), float((part == j).sum()), discrepancies[j])
                for j in shown
                if j < len(discrepancies)
            ]
        )
        return [*found, self._correlation(name, part)]

    def of_numbers(self, name: str, values: Floats) -> list[Estimate]:
        """The rows of a continuous attribute, for which there is no AUC."""
        reason = "a continuous attribute has no AUC; see its distance correlation"
        blank = [Estimate(f"AUC of {p}", name, status="unestimable", reason=reason) for p in PROBES]
        return [*blank, self._correlation(name, values[self.sample])]

    def _auc(
        self,
        probe: str,
        name: str,
        codes: NDArray[np.intp],
        levels: tuple[str, ...],
        level: int,
        probabilities: Floats,
        strata: NDArray[np.intp],
    ) -> Estimate:
        tested = strata >= 0
        result, z, p = stratified_auc(
            probabilities[tested, level], codes[tested] == level, strata[tested], self.conf_level
        )
        group, reference = _about(levels, level)
        n, events = float(result.n_pos + result.n_neg), float(result.n_pos)
        row = Estimate(f"AUC of {probe}", name, group, reference=reference, n=n, events=events)
        if np.isnan(result.auc):
            reason = "no fold in which a probe could be trained and tested on this level"
            return replace(row, status="unestimable", reason=reason)
        row = row.with_interval(
            result.auc,
            result.low,
            result.high,
            self.conf_level,
            std_error=result.std_error,
            method=f"{result.method}; van Elteren",
            reason=f"{NOISE} {self.noise(codes == level):.2f}",
        ).with_test(z, p)
        if self.held.weights is None:
            return row
        return self._weighted(row, probabilities[tested, level], codes[tested] == level, strata[tested], tested)

    def _weighted(
        self, row: Estimate, predicted: Floats, positive: NDArray[np.bool_], strata: NDArray[np.intp], tested: Any
    ) -> Estimate:
        """The row of an AUC with weights; where none varies (complete separation) the test without them stands."""
        assert self.held.weights is not None
        w = self.held.weights[tested]
        found = stratified_by_design(predicted, positive, strata, w, self.conf_level)
        made = design_estimate(row, found, self.conf_level)
        n, events = float(w.sum()), float(w[positive].sum())
        if np.isnan(found.p_value):
            return replace(made, n=n, events=events, p_value=row.p_value, method=f"{found.method}; van Elteren")
        z = (found.estimate - 0.5) / found.std_error
        return replace(made, n=n, events=events, statistic=z, method=f"{found.method}, within folds")

    def noises(self, codes: NDArray[np.intp], levels: tuple[str, ...]) -> dict[str, float]:
        """`noise` of each level."""
        return {level: self.noise(codes == j) for j, level in enumerate(levels)}

    def noise(self, chosen: NDArray[np.bool_]) -> float:
        """The AUC to which a fit leaks its own estimate of the group means.

        Subtracting a mean estimated from few rows shifts everybody else's scores by its error: a squared distance
        of about k (1/a + 1/b) between a level of a training rows and b others, and the best probe's AUC is then
        Phi(distance/sqrt(2)).
        """
        share = 1 - 1 / max(np.unique(self.held.folds).size, 2)
        w = np.ones(chosen.size) if self.held.weights is None else self.held.weights
        inside, outside = (share * w[side].sum() ** 2 / (w[side] @ w[side]) for side in (chosen, ~chosen))
        return float(ndtr(np.sqrt(self.scores.shape[1] * (1 / inside + 1 / outside) / 2)))

    def _correlation(self, name: str, target: NDArray) -> Estimate:
        found = distance_correlation(
            self.scores[self.sample],
            target,
            self.held.folds[self.sample],
            permutations=self.permutations,
            seed=self.seed,
        )
        return _adjusted([self._permuted("distance correlation", name, ("", ""), float("nan"), found)])[0]

    def _permuted(self, metric: str, name: str, about: tuple[str, str], events: float, found: Permuted) -> Estimate:
        row = Estimate(metric, name, about[0], reference=about[1], n=float(self.sample.size), events=events)
        if np.isnan(found.statistic):
            return replace(row, status="unestimable", reason="no fold with enough rows of both sides")
        some = f" on a random {self.sample.size} rows" if self.sample.size < len(self.scores) else ""
        some += ", drawn by weight" if some and self.held.weights is not None else ""
        method = f"{found.permutations} permutations within folds{some}"
        return replace(row, estimate=found.statistic, p_value=found.p_value, method=method)


def _about(levels: tuple[str, ...], level: int) -> tuple[str, str]:
    return levels[level], levels[1 - level] if len(levels) == 2 else "all others"


def _adjusted(rows: list[Estimate]) -> list[Estimate]:
    return list(Estimates(rows).with_p_adjusted(adjust([r.p_value for r in rows])))
