"""Rates of groups known only as probabilities: bounds, two estimators with a bias, a correction by known groups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, expit, ndtr, stdtr
from scipy.stats import rankdata

from fairstats.inference.rates.one_rate import critical
from fairstats.inference.regression import maximize

Floats = NDArray[np.float64]
FOLDS = 5
FEWEST_ALIKE = 30  # people with the same probabilities, whose own rate is taken
DRAWS, FEWEST_EXPECTED = 999, 25
SURE = 0.999  # probabilities above it, and below 1 less it, say nothing of groups that were filled in
PSEUDO = 1.0  # imagined people of each outcome whom each group of a difference gets (Agresti & Caffo)


@dataclass(frozen=True)
class WeightedRates:
    """A difference of ratios of sums, group after group, as a smooth function of people.

    terms: of every group what is summed above, shape (groups, n). shares: the probabilities below, the same shape.
    signs: 1 and -1 of a difference, 1 of a rate.
    """

    terms: Floats
    shares: Floats
    signs: Floats

    @property
    def estimate(self) -> float:
        return float(self.signs @ np.clip(self.terms.sum(axis=1) / self.shares.sum(axis=1), 0.0, 1.0))

    @cached_property
    def _products(self) -> Floats:
        both = np.concatenate([self.terms, self.shares])
        return both @ both.T

    def shrunken(self, pseudo: float) -> tuple[float, float]:
        """Estimate and standard error with so many more people, selected and not, who are certain of each group."""
        below = self.shares.sum(axis=1) + 2 * pseudo
        rates = (self.terms.sum(axis=1) + pseudo) / below
        of = np.concatenate([self.signs / below, -self.signs * rates / below])  # of terms and shares of each person
        imagined = (pseudo * ((1 - rates) ** 2 + rates**2) / below**2).sum()
        return float(self.signs @ rates), float(np.sqrt(max(of @ self._products @ of, 0.0) + imagined))


@dataclass(frozen=True)
class UncertainGroups:
    """Decisions of people whose groups are known as probabilities.

    selected: 0 or 1, shape (n,). shares: probabilities of all groups, shape (n, groups), that add up to 1.
    seed: of the folds.

    The rates of any groups that agree with the probabilities lie within the bound, whatever the branches are: a branch
    that is not the smaller of two upper terms makes it wider. Branches come from other people's decisions, so that no
    person chooses the term that the person enters. Whoever has a probability of 1 is in that group, and has no branch.
    Source: Kallus, Mao & Zhou (2022), Management Science 68, 1959-1981.
    """

    selected: Floats
    shares: Floats
    seed: int = 0

    @cached_property
    def _certain(self) -> NDArray[np.bool_]:
        return self.shares.max(axis=1) == 1

    @cached_property
    def _expected(self) -> Floats:
        """The rate of selection at everybody's probabilities, from uncertain people of other folds; shape (n,).

        Of those with the same probabilities where these are many, else by regression on the probabilities.
        """
        n, size = self.shares.shape
        pairs = [self.shares[:, i] * self.shares[:, j] for i in range(size) for j in range(i, size)]
        X = np.column_stack([self.shares, *pairs])
        fold = np.empty(n, dtype=int)  # drawn for people in the order of their values, so that no order of rows matters
        fold[np.lexsort((self.selected, *self.shares.T))] = np.random.default_rng(self.seed).permutation(n) % FOLDS
        result, (_, cell, counts) = np.empty(n), np.unique(self.shares, axis=0, return_inverse=True, return_counts=True)
        for k in range(FOLDS):
            out = fold == k
            others = ~out & ~self._certain
            fit = (
                np.linalg.lstsq(X[others], self.selected[others], rcond=1e-9)[0]
                if others.any()
                else np.zeros(X.shape[1])
            )
            sums = [np.bincount(cell[others], of, counts.size) for of in (self.selected[others], None)]
            alike = sums[0] / np.maximum(sums[1], 1.0)
            result[out] = np.where(counts[cell[out]] >= FEWEST_ALIKE, alike[cell[out]], X[out] @ fit)
        return result

    @cached_property
    def _most(self) -> Floats:
        """min(probability, rate of selection) by the branch that others choose, shape (n, groups)."""
        most = np.where(self.shares <= self._expected[:, None], self.shares, self.selected[:, None])
        return np.where(self._certain[:, None], self.shares * self.selected[:, None], most)

    @cached_property
    def _least(self) -> Floats:
        """max(0, probability + rate of selection - 1) likewise."""
        both = self.shares + self.selected[:, None] - 1
        least = np.where(self.shares + self._expected[:, None] > 1, both, 0.0)
        return np.where(self._certain[:, None], self.shares * self.selected[:, None], least)

    def ends(
        self, group: int, reference: int | None = None, nothing: Floats | None = None
    ) -> tuple[WeightedRates, WeightedRates]:
        """Lower and upper end of the bound of a group's rate, or of its difference to the reference.

        Both ends of a difference are attained together with those of the rates: whoever is selected counts first for
        one of the two groups, then for others, and last for the other of the two.

        nothing: of a difference, decisions of further people of whom neither group nor probabilities are known. At
            worst all who are selected are in the one group, and all who are not in the other.
        """
        low, high = self._least, self._most
        if reference is None:
            return self._mean(low, group), self._mean(high, group)
        pairs = ((low[:, group], high[:, reference]), (high[:, group], low[:, reference]))
        shares, signs = self.shares[:, [group, reference]].T, np.array([1.0, -1.0])
        further = np.zeros(0) if nothing is None else nothing
        no, terms = 1 - further, np.zeros_like(further)
        above = ((terms, further), (further, terms))  # of them, by end and group: who is selected
        below = ((no, further), (further, no))  # and who is in the group
        of_low, of_high = (
            WeightedRates(np.hstack([np.stack(pair), np.stack(more)]), np.hstack([shares, np.stack(sizes)]), signs)
            for pair, more, sizes in zip(pairs, above, below, strict=True)
        )
        return of_low, of_high

    def _mean(self, terms: Floats, group: int) -> WeightedRates:
        return WeightedRates(terms[:, [group]].T, self.shares[:, [group]].T, np.ones(1))

    def weighted(self, group: int, reference: int | None = None) -> WeightedRates:
        """Rates weighted by the probabilities (Chen et al., 2019)."""
        at = [group] if reference is None else [group, reference]
        shares = self.shares[:, at].T
        return WeightedRates(shares * self.selected, shares, np.array([1.0, -1.0])[: len(at)])

    def linear(self, group: int, reference: int) -> tuple[float, float] | None:
        """The difference of two coefficients of selection on the probabilities, and its robust standard error.

        None where the probabilities do not vary apart.
        Source: Elzayn et al. (2025), Quarterly Journal of Economics 140, 113-163 (of two groups).
        """
        n, size = self.shares.shape
        if n <= size or np.linalg.cond(self.shares) > 1e6:
            return None
        inverse = np.linalg.inv(self.shares.T @ self.shares)
        slopes = inverse @ (self.shares.T @ self.selected)
        contrast = inverse[group] - inverse[reference]
        scores = (self.shares @ contrast) * (self.selected - self.shares @ slopes)
        return float(slopes[group] - slopes[reference]), float(np.sqrt(scores @ scores * n / (n - size)))

    def corrected(
        self, known: Floats, group: int, reference: int | None = None, drawn_from: NDArray[np.bool_] | None = None
    ) -> tuple[float, float] | None:
        """The weighted rates, corrected by what is wrong with them among people whose group is known.

        known: 1 in the column of the group, shape (n, groups); NaN where it is not known.
        drawn_from: the people of whom these were drawn, everybody by default; nothing is wrong with the others.
        Returns: estimate and standard error; None where a group's corrected share is not positive.
        Source: the difference estimator of two-phase samples, Cochran (1977), Sampling techniques, section 12.
        """
        among = np.isfinite(known[:, 0])
        n, m = among.size, int(among.sum())
        part = 1.0 if drawn_from is None else float(drawn_from.mean())
        total, spread = 0.0, np.zeros(n)
        for sign, at in ((1.0, group), (-1.0, reference)):
            if at is None:
                continue
            share, wrong = self.shares[:, at], np.where(among, known[:, at] - self.shares[:, at], 0.0)
            below = share.mean() + part * wrong.sum() / m
            if below <= 0:
                return None
            rate = float(((share * self.selected).mean() + part * (wrong * self.selected).sum() / m) / below)
            everybody = share * (self.selected - rate)
            checked = wrong * (self.selected - rate)
            centered = np.where(among, checked - checked.sum() / m, 0.0)
            spread += sign * ((everybody - everybody.mean()) / n + part * centered / m) / below
            total += sign * rate
        return total, float(np.sqrt(spread @ spread))


def biases(selected: Floats, shares: Floats, known: Floats) -> list[tuple[float, float]]:
    """What the weighted difference of two groups lacks, and what that of linear regression has too much.

    selected: 0 or 1, shape (n,). shares: the probability of the group whose rate is compared. known: whether a person
        is in it.
    Returns: E Cov(selected, group | p) / Var(group) and E Cov(selected, p | group) / Var(p), each with its standard
        error (delta method); empty where a group has nobody or all probabilities are alike. The first supposes that the
        probabilities are right, which makes it a covariance of decisions with what is wrong with each of them.

    >>> selected, known = np.tile([1.0, 0, 1, 1], 25), np.tile([1.0, 1, 0, 0], 25)
    >>> [round(value, 2) for value, _ in biases(selected, np.tile([0.5, 0.3], 50), known)]
    [-0.6, 2.5]
    """
    n, apart, wrong = selected.size, known - known.mean(), known - shares
    if not 0 < known.sum() < n or np.ptp(shares) <= 1e-9:
        return []
    place = known.astype(int)
    sizes = np.bincount(place, minlength=2)
    within = [v - (np.bincount(place, v, 2) / sizes)[place] for v in (shares, selected)]
    products = (
        ((wrong - wrong.mean()) * (selected - selected.mean()), apart**2),
        (within[0] * within[1], (shares - shares.mean()) ** 2),
    )
    found = []
    for above, below in products:
        value = float(above.mean() / below.mean())
        found.append((value, float((above - value * below).std() / below.mean() / np.sqrt(n))))
    return found


def bound_limits(ends: tuple[WeightedRates, WeightedRates], conf_level: float) -> tuple[float, float]:
    """Limits that hold the whole bound with the confidence level, never within it.

    A rate gets z²/2 imagined people of each outcome (Agresti & Coull, 1998), the groups of a difference one of each
    (Agresti & Caffo, 2000), so that a small group has no error of zero.
    """
    z = float(critical(conf_level))
    alone = ends[0].signs.size == 1
    pseudo, floor = (z * z / 2, 0.0) if alone else (PSEUDO, -1.0)
    (low, below), (high, above) = (end.shrunken(pseudo) for end in ends)
    least = min(ends[0].estimate, low - z * below)
    most = max(ends[1].estimate, high + z * above)
    return max(floor, least), min(1.0, most)


def _score(shares: Floats) -> tuple[Floats, Floats]:
    """What surprises are multiplied by, of every group 1 and then its probability less the mean; their covariance."""
    slopes = shares - shares.mean(axis=0)
    both = np.concatenate([np.ones_like(slopes), slopes], axis=1)
    cov = (both.T * np.tile(shares, 2).T) @ both * np.tile(np.eye(shares.shape[1]), (2, 2))
    of = both * np.tile(shares, 2)
    return both, cov - of.T @ of


def departures(known: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """Of every group each term of `calibrated` in standard errors: on average, and by its probability.

    >>> departures(np.array([[1.0, 0.0]] * 4), np.full((4, 2), 0.5))[0].tolist()
    [2.0, -2.0]
    """
    both, cov = _score(shares)
    on_average, by_slope = ((known - shares)[:, None, :] * both.reshape(len(shares), 2, -1)).sum(axis=0)
    errors = np.sqrt(np.maximum(np.diag(cov), 1e-12))
    return on_average / errors[: len(on_average)], by_slope / errors[len(on_average) :]


def slopes(known: Floats, shares: Floats) -> Floats:
    """By how much each group is more frequent with more probability of it, 1 if that is right: least squares.

    >>> slopes(np.array([[1.0], [0.0]]), np.array([[0.75], [0.25]])).tolist()
    [2.0]
    """
    apart = shares - shares.mean(axis=0)
    return np.asarray((apart * known).sum(axis=0) / np.maximum((apart**2).sum(axis=0), 1e-12))


def calibrated(known: Floats, shares: Floats, seed: int) -> tuple[float, float, float]:
    """Whether known groups are as frequent as their probabilities say: on average, and where these are high or low.

    known: 0 or 1, shape (m, groups); shares: the same shape, adding up to 1. seed: of groups drawn by the
        probabilities, which give the p-value where fewer than `FEWEST_EXPECTED` surprises of a group are expected.
    Returns: the score statistic with the variance that the probabilities imply, degrees of freedom, p-value; 0 without
        a statistic where nobody can be in a group that somebody is in.
    """
    certain = (shares.max(axis=1) == 1).all()
    if known[:, ~shares.any(axis=0)].any() or (certain and (known != shares).any()):
        return float("nan"), float("nan"), 0.0  # somebody is in a group that nobody, or not this one, can be in
    if certain:
        return float("nan"), float("nan"), float("nan")
    in_order = np.lexsort(shares.T)  # so that the draws do not depend on the order of rows
    known, shares = known[in_order], shares[in_order]
    size = shares.shape[1]
    both, cov = _score(shares)
    values, vectors = np.linalg.eigh(cov)
    kept = values > values.max() * 1e-8
    scaled = vectors[:, kept] / np.sqrt(values[kept])

    def statistic(of_groups: Floats) -> float:
        parts = ((of_groups - shares)[:, None, :] * both.reshape(-1, 2, size)).sum(axis=0).ravel()
        return float(((parts @ scaled) ** 2).sum())

    found, df = statistic(known), float(kept.sum())
    if (shares * (1 - shares)).sum(axis=0).min() >= FEWEST_EXPECTED:
        return found, df, float(chdtrc(df, found))
    rng, edges, groups = np.random.default_rng(seed), shares.cumsum(axis=1)[:, :-1], np.eye(size)
    drawn = [statistic(groups[(rng.random((len(shares), 1)) > edges).sum(axis=1)]) for _ in range(DRAWS)]
    beyond = (np.array(drawn) >= found * (1 - 1e-12)).sum()
    return found, df, float((1 + beyond) / (1 + DRAWS))


def associations(known: Floats, shares: Floats) -> tuple[Floats, Floats, Floats]:
    """How often somebody in a group has a higher probability of it than somebody who is not, less 1/2, of every group.

    known: 0 or 1, shape (m, groups); shares: the same shape. Of the same probability one half counts.
    Returns: these areas less 1/2; those that the probabilities imply, if right; the standard errors of the first where
        groups and probabilities have nothing to do with each other (of the rank test, with ties). 0 of a group that
        nobody, or everybody, is in.

    >>> associations(np.array([[1.0], [1], [0], [0]]), np.array([[0.9], [0.8], [0.2], [0.1]]))[0].tolist()
    [0.5]
    """
    m, ranks = len(known), rankdata(shares, axis=0)

    def area(of: Floats) -> Floats:
        size = of.sum(axis=0)
        pairs = size * (m - size)
        above = (of * (ranks - 0.5)).sum(axis=0) - size**2 / 2
        return np.where(pairs > 0, above / np.where(pairs > 0, pairs, 1.0) - 0.5, 0.0)

    size = known.sum(axis=0)
    pairs = np.maximum(size * (m - size), 1.0)
    errors = np.sqrt(ranks.var(axis=0, ddof=1) / (m * pairs))
    return area(known), area(shares), np.where(size * (m - size) > 0, errors, 0.0)


def unordered(known: Floats, shares: Floats) -> Floats:
    """Of every group the p-value of an association with its probability at least half as large as these imply.

    It is small where a group is about as frequent at high as at low probabilities of it, or less, as where rows of
    people and of probabilities were mixed up or columns were swapped. A group that is known more often of those in it
    than of others has lower or higher probabilities than right, in the same order.
    """
    found, implied, errors = associations(known, shares)
    return np.where(errors > 0, ndtr((found - implied / 2) / np.where(errors > 0, errors, 1.0)), 1.0)


def jump_where_alike(known: Floats, shares: Floats) -> float:
    """The p-value of a group that is suddenly more frequent where it becomes the most probable one.

    How frequent a known group is changes steadily with its probabilities, also where these are wrong or one group is
    known more often; where the most probable group was filled in, it jumps. Of every group a logistic regression on
    its log odds and on the log ratio of its probability to the highest other one, with bends, has a score test of that
    jump, robust to people of the same probabilities being alike; one-sided, Bonferroni over the groups.
    """
    size = shares.shape[1]
    alike = np.unique(shares.round(6), axis=0, return_inverse=True)[1].ravel()
    found = []
    for group in range(size if size > 2 else 1):
        mine, other = shares[:, group], np.delete(shares, group, axis=1).max(axis=1)
        used = (mine != other) & (np.minimum(mine, other) > (1 - SURE)) & (np.maximum(mine, other) < SURE)
        mine, ratio = mine[used], np.log(mine[used] / other[used])
        if min((ratio > 0).sum(), (ratio < 0).sum()) < FEWEST_ALIKE:
            continue
        bend = np.tanh(ratio / 4)
        X = np.column_stack([np.ones_like(bend), ratio / 4, bend, bend**2, bend**3, np.log(mine / (1 - mine)) / 4])
        fit = maximize(X, known[used, group], ridge=np.full(X.shape[1], 1e-3))
        fitted = expit(X @ fit.coefficients)
        root, side = np.sqrt(fitted * (1 - fitted)), np.sign(ratio)
        left = side - X @ np.linalg.lstsq(X * root[:, None], side * root, rcond=1e-10)[0]
        parts = np.bincount(alike[used], left * (known[used, group] - fitted))
        parts = parts[parts != 0]
        df = parts.size - X.shape[1] - 1
        if fit.settled and df >= FEWEST_ALIKE:
            found.append(float(stdtr(df, -parts.sum() / np.sqrt((parts**2).sum()))))
    return min(1.0, len(found) * min(found)) if found else 1.0


def compared_terms(shares: Floats, selected: Floats, squares: Floats) -> Floats:
    """What `drawn_at_random` compares the means of, each with mean 0: decision, probabilities, products of deviations.

    squares: sum of the squared probabilities of each person, the last term: moved towards 0 and 1 they keep their mean.

    >>> compared_terms(np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([0.0, 1.0, 0.0, 1.0]), np.ones(4))[0].tolist()
    [-0.5, -0.5, 0.25, 0.0]
    """
    apart = np.column_stack([selected, shares])
    apart = apart - apart.mean(axis=0)
    products = apart[:, 1:] * apart[:, :1]
    return np.column_stack([apart, products - products.mean(axis=0), squares - squares.mean()])


def drawn_at_random(known: NDArray[np.bool_], shares: Floats, selected: Floats) -> tuple[float, float, float]:
    """Whether people whose group is known are like the others: decisions, probabilities, both together, squares.

    known: shape (n,). shares: probabilities, shape (n, groups). selected: 0 or 1, shape (n,).
    Returns: statistic of their means, which have the variance of a draw without replacement; degrees of freedom;
        p-value, NaN where nothing can differ. That they are alike is no proof: groups may tell more or less often.

    >>> known, selected = np.arange(40) < 20, np.arange(40) % 2.0
    >>> drawn_at_random(known, np.full((40, 2), 0.5), selected)[2]
    1.0
    >>> drawn_at_random(known, np.full((40, 2), 0.5), 1.0 * known)[2] < 0.001
    True
    """
    n, m = known.size, int(known.sum())
    of = compared_terms(shares[:, :-1], selected, (shares**2).sum(axis=1))
    values, vectors = np.linalg.eigh(of.T @ of / (n - 1))
    kept = values > max(values.max(), 0.0) * 1e-8
    if m == n or not kept.any():
        return float("nan"), float("nan"), float("nan")
    found = float((((of[known].mean(axis=0) @ vectors[:, kept]) ** 2) / values[kept]).sum() / (1 / m - 1 / n))
    return found, float(kept.sum()), float(chdtrc(kept.sum(), found))
