"""Two rates watched period by period: e-processes of their gap, its confidence sequence, and when it began."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LEVELS = np.array([0.01, 0.03, 0.08, 0.2, 0.5, 0.8, 0.92, 0.97, 0.99])  # of the reference, within what is possible
SIZES = np.array([0.03, 0.06, 0.12, 0.25, 0.5, 1.0])  # by which a bet exceeds the null, in standard deviations
IDLE = 0.2  # the share of the wealth that is not bet at first
RENEWED = 0.02  # the share of the wealth that is bet anew every period: what had lost may win after a change
GRID = np.linspace(-0.999, 0.999, 162)
FINER = 24  # parts of an interval of the grid, twice


def log_bets(y_a: Floats, n_a: Floats, y_b: Floats, n_b: Floats, null: Floats) -> Floats:
    """Log of what every bet against "rate a less rate b is at most null" has become of 1 in one period.

    null: inside (-1, 1), of any shape that the counts broadcast with.
    Returns: shape (*null.shape, bets); of each the mean of its exponential is at most 1 where the hypothesis holds.

    Theta* is a point with rate a - rate b = null, theta a point beyond it with n_a (theta_a - theta*_a) / v_a =
    -n_b (theta_b - theta*_b) / v_b, so that theta* is the closest point of the hypothesis to theta (Kullback-Leibler).
    The ratio of their likelihoods then has a mean of prod(1 + (p - theta*)(theta - theta*) / v) <= 1, also where
    everybody has a chance p of his own and only their averages keep the hypothesis.
    Source: Turner, Ly & Grünwald (2024), Journal of Statistical Planning and Inference 230, 106116, theorem 1.

    >>> log_bets(np.array(30.0), np.array(40.0), np.array(10.0), np.array(40.0), np.array(0.0)).max().round(2)
    np.float64(10.46)
    """
    y_a, n_a, y_b, n_b, null = (np.asarray(v, dtype=float)[..., None, None] for v in (y_a, n_a, y_b, n_b, null))
    least = np.maximum(0.0, -null)
    b = least + (1 - np.abs(null)) * LEVELS[:, None]
    a = b + null
    v_a, v_b = a * (1 - a), b * (1 - b)
    part = v_a * n_b / (v_a * n_b + v_b * n_a)
    size = np.sqrt((v_a * n_a + v_b * n_b) / (n_a + n_b)) * SIZES
    size = np.minimum(size, 0.9 * np.minimum((1 - a) / part, b / (1 - part)))
    up, down = size * part, size * (1 - part)
    result: Floats = y_a * np.log1p(up / a) + (n_a - y_a) * np.log1p(-up / (1 - a))
    result = result + y_b * np.log1p(-down / b) + (n_b - y_b) * np.log1p(down / (1 - b))
    return result.reshape(*result.shape[:-2], -1)


def log_wealth(y_a: Floats, n_a: Floats, y_b: Floats, n_b: Floats, null: Floats) -> Floats:
    """Log of the largest wealth so far, of a portfolio of bets against "the gap is at most null in every period".

    The wealth is a nonnegative supermartingale that begins with 1: it ever reaches 1 / alpha with a chance of at most
    alpha (Ville). Bets that win are followed; a share of the wealth is bet anew every period (fixed share).

    y_a, n_a, y_b, n_b: shape (periods, ...); a period without anybody in a group changes nothing.
    null: the gap, of a shape that a period's counts broadcast with.
    Returns: shape (periods, *null.shape).
    Source: Waudby-Smith & Ramdas (2024), Journal of the Royal Statistical Society B 86, 1-27; Herbster & Warmuth
    (1998), Machine Learning 32, 151-178.

    >>> counts = np.full(6, 30.0), np.full(6, 100.0), np.full(6, 20.0), np.full(6, 100.0)
    >>> log_wealth(*counts, np.array(0.0)).round(1).tolist()
    [0.0, 0.5, 1.3, 2.3, 3.3, 4.3]
    """
    bets = LEVELS.size * SIZES.size
    begin = np.log(np.r_[IDLE, np.full(bets, (1 - IDLE) / bets)])
    weights = np.broadcast_to(begin, (*np.shape(null), bets + 1))
    total = best = np.zeros(np.shape(null))
    found = []
    for ya, na, yb, nb in zip(y_a, n_a, y_b, n_b, strict=True):
        played = (na > 0) & (nb > 0)
        gain = log_bets(ya, np.where(played, na, 1), yb, np.where(played, nb, 1), null)
        gain = np.where(np.asarray(played)[..., None], gain, 0.0)
        after = weights + np.concatenate([np.zeros((*gain.shape[:-1], 1)), gain], axis=-1)
        top = after.max(axis=-1, keepdims=True)
        growth = top[..., 0] + np.log(np.exp(after - top).sum(axis=-1))
        after = np.logaddexp(np.log1p(-RENEWED) + after - growth[..., None], np.log(RENEWED) + begin)
        weights = np.where(np.asarray(played)[..., None], after, weights)
        total = total + np.where(played, growth, 0.0)
        best = np.maximum(best, total)
        found.append(best)
    return np.array(found)


@dataclass(frozen=True)
class OneSide:
    """A group's rate against "it exceeds the reference's by at most null in every period", whatever the null."""

    y_a: Floats
    n_a: Floats
    y_b: Floats
    n_b: Floats

    def _log_wealth(self, nulls: Floats) -> Floats:
        return log_wealth(self.y_a, self.n_a, self.y_b, self.n_b, nulls)

    @cached_property
    def _coarse(self) -> Floats:
        """On the grid, shape (periods, nulls): what is said of a gap has to hold of all smaller ones."""
        return np.minimum.accumulate(self._log_wealth(GRID), axis=1)

    def log_e(self, null: float) -> Floats:
        """Log of the e-value of every period so far against every gap up to null, shape (periods,)."""
        smaller = np.searchsorted(GRID, null)
        here = self._log_wealth(np.array([null]))[:, 0]
        result: Floats = np.minimum(here, self._coarse[:, smaller - 1]) if smaller else here
        return result

    def lower(self, alpha: float, null: float) -> Floats:
        """Which gap is exceeded in some period, shape (periods,): all limits are right with a chance of 1 - alpha.

        null: a point of the grid, so that the limit exceeds it where the e-value does 1 / alpha.
        """
        cut = -np.log(alpha)
        points, known = self._with(null)
        for _ in range(2):
            last = (known >= cut).sum(axis=1) - 1  # the last gap that is excluded; known falls along the grid
            cells = np.unique(np.clip(last, 0, points.size - 2))
            fine = np.unique(np.concatenate([np.linspace(points[c], points[c + 1], FINER + 1) for c in cells]))
            fine = np.setdiff1d(fine, points)
            order = np.argsort(np.concatenate([points, fine]), kind="stable")
            points = np.concatenate([points, fine])[order]
            known = np.concatenate([known, self._log_wealth(fine)], axis=1)[:, order]
            known = np.minimum.accumulate(known, axis=1)
        last = (known >= cut).sum(axis=1) - 1
        at = np.clip(last, 0, points.size - 2)
        rows = np.arange(known.shape[0])
        left, right = known[rows, at], known[rows, at + 1]
        with np.errstate(invalid="ignore", divide="ignore"):
            part = np.where(left > right, np.clip((left - cut) / (left - right), 0, 1), 0.0)
        limit = points[at] + part * (points[at + 1] - points[at])
        return np.where(last < 0, -1.0, limit)

    def _with(self, null: float) -> tuple[Floats, Floats]:
        """The grid with one more point."""
        place = int(np.searchsorted(GRID, null))
        return np.insert(GRID, place, null), np.insert(self._coarse, place, self.log_e(null), axis=1)


@dataclass(frozen=True)
class WatchedGap:
    """The rate of a group less that of its reference, period by period: shape (periods,) of each count."""

    y: Floats
    n: Floats
    y_ref: Floats
    n_ref: Floats

    @cached_property
    def above(self) -> OneSide:
        """The group's rate above the reference's."""
        return OneSide(self.y, self.n, self.y_ref, self.n_ref)

    @cached_property
    def below(self) -> OneSide:
        """The group's rate below the reference's."""
        return OneSide(self.y_ref, self.n_ref, self.y, self.n)

    def log_e(self, within: tuple[float, float]) -> Floats:
        """Log of the e-value against "between two values in every period": half of the larger one of both sides."""
        low, high = within
        result: Floats = np.maximum(self.above.log_e(high), self.below.log_e(-low)) - np.log(2)
        return result

    def above_both(self, within: tuple[float, float]) -> NDArray[np.bool_]:
        """Whether the stronger evidence so far is of a gap above both values, shape (periods,)."""
        low, high = within
        return np.asarray(self.above.log_e(high) >= self.below.log_e(-low))

    def limits(self, alpha: float, within: tuple[float, float]) -> tuple[Floats, Floats]:
        """The confidence sequence: in some period the gap is above the first, in some below the second."""
        low, high = within
        return self.above.lower(alpha / 2, high), -self.below.lower(alpha / 2, -low)

    def after(self, start: int) -> WatchedGap:
        """The periods from a place on; those before have nobody."""
        later = np.arange(self.n.size) >= start
        return WatchedGap(*(v * later for v in (self.y, self.n, self.y_ref, self.n_ref)))

    def pooled(self, since: int = 0, until: int | None = None) -> float:
        """The mean gap of some periods, each of a weight of n n_ref / (n + n_ref) (Mantel-Haenszel)."""
        y, n, y_ref, n_ref = (v[since:until] for v in (self.y, self.n, self.y_ref, self.n_ref))
        both = (n > 0) & (n_ref > 0)
        y, n, y_ref, n_ref = (v[both] for v in (y, n, y_ref, n_ref))
        weights = n * n_ref / (n + n_ref)
        return float(np.average(y / n - y_ref / n_ref, weights=weights)) if weights.size else float("nan")

    def began(self, alarm: int, within: tuple[float, float]) -> int:
        """From which period on the bets won most until the alarm, where a CUSUM was restarted last."""
        above = self.above_both(within)[alarm]
        side, start = (self.above, within[1]) if above else (self.below, -within[0])
        y_a, n_a, y_b, n_b = (v[: alarm + 1] for v in (side.y_a, side.n_a, side.y_b, side.n_b))
        both = (n_a > 0) & (n_b > 0)
        null = np.full(alarm + 1, start)
        gains = log_bets(y_a, np.where(both, n_a, 1), y_b, np.where(both, n_b, 1), null) * both[:, None]
        later = np.cumsum(gains[::-1], axis=0)[::-1]
        return alarm - int(np.argmax(later.max(axis=1)[::-1]))
