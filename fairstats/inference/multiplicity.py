"""Several questions asked at once: adjusted p-values, confidence levels that agree with them, single-step max-t.

A NaN stays NaN and is not counted: a statistic that cannot be estimated is not a member of the family.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats import metrics
from fairstats.errors import InputError, Setting, entry_of, nearest, with_hint
from fairstats.estimates import Estimate
from fairstats.inference.validation import DrawsOfStatistics, Level, PValues, Statistics
from fairstats.language import say
from fairstats.text import percent, significant
from fairstats.validation import BH, BONFERRONI, HOLM, NONE, Adjust, ByP, choose, real, shown

Floats = NDArray[np.float64]


def _holm(p: Floats) -> Floats:
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    return _scatter(np.minimum(steps, 1), order)


def _bh(p: Floats) -> Floats:
    order = np.argsort(p, kind="stable")[::-1]
    steps = np.minimum.accumulate(p[order] * p.size / np.arange(p.size, 0, -1))
    return _scatter(np.minimum(steps, 1), order)


def _bonferroni(p: Floats) -> Floats:
    return np.minimum(p * p.size, 1)


def _scatter(values: Floats, order: NDArray[np.intp]) -> Floats:
    out = np.empty_like(values)
    out[order] = values
    return out


ADJUSTMENTS: dict[str, Callable[[Floats], Floats]] = {
    "bonferroni": _bonferroni,
    "holm": _holm,
    "bh": _bh,
    "none": np.copy,
}


def p_adjust(p: PValues, method: ByP = "holm") -> Floats:
    """Adjust the p-values of one family.

    Parameters
    ----------
    p : array_like, shape (m,)
        p-values; NaN stays NaN and does not count toward m.
    method : {"bonferroni", "holm", "bh", "none"}
        Bonferroni and Holm bound the chance of any false claim, Benjamini-Hochberg the share of false claims.

    Returns
    -------
    ndarray, shape (m,)

    Raises
    ------
    InputError
        If `method` is unknown.

    References
    ----------
    Holm (1979), Scand. J. Statist. 6; Benjamini & Hochberg (1995), JRSS B 57. R: ``p.adjust``.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.p_adjust([0.01, 0.04, float("nan"), 0.02]).round(3).tolist()
    [0.03, 0.04, nan, 0.04]
    """
    values = np.asarray(p, dtype=float)
    out = np.full(values.shape, np.nan)
    present = ~np.isnan(values)
    out[present] = choose("p_adjust", method, ADJUSTMENTS)(values[present])
    return out


def benjamini_yekutieli(p: ArrayLike) -> Floats:
    """Adjust the p-values of one family so that the share of false claims is bounded under any dependence.

    Source: Benjamini & Yekutieli (2001), Annals of Statistics 29.

    >>> benjamini_yekutieli([0.01, 0.04, float("nan"), 0.02]).round(3).tolist()
    [0.055, 0.073, nan, 0.055]
    """
    values = p_adjust(p, "bh")
    return np.minimum(values * (1 / np.arange(1, 1 + np.isfinite(values).sum())).sum(), 1)


def rejected(p: float, conf_level: float) -> bool:
    """Whether an adjusted p-value rejects equality at the level of the audit; the only place where that is decided.

    >>> rejected(0.05, 0.95), rejected(0.0501, 0.95), rejected(float("nan"), 0.95)
    (True, False, False)
    """
    return bool(p <= 1 - conf_level)


def _holm_alphas(p: Floats, alpha: float) -> Floats:
    rejected = int(np.sum(_holm(p) <= alpha))
    ranks = np.empty(p.size)
    ranks[np.argsort(p, kind="stable")] = np.arange(p.size)
    return np.asarray(alpha / (p.size - np.minimum(ranks, min(rejected, p.size - 1))))


def _bh_alphas(p: Floats, alpha: float) -> Floats:
    flagged = int(np.sum(_bh(p) <= alpha))
    return np.full(p.size, alpha * max(flagged, 1) / p.size)


def _bonferroni_alphas(p: Floats, alpha: float) -> Floats:
    return np.full(p.size, alpha / p.size)


def _plain_alphas(p: Floats, alpha: float) -> Floats:
    return np.full(p.size, alpha)


LEVELS: dict[str, Callable[[Floats, float], Floats]] = {
    "holm": _holm_alphas,
    "bh": _bh_alphas,
    "bonferroni": _bonferroni_alphas,
    "none": _plain_alphas,
}


def adjusted_levels(p: PValues, method: ByP = "holm", conf_level: Level = 0.95) -> Floats:
    """Return confidence levels at which each interval excludes the null value exactly where the adjusted test rejects.

    Let r of m hypotheses be rejected at alpha = 1 - conf_level.

    - Holm: rank i <= r gets 1 - alpha/(m - i + 1), the threshold that it passed; every other one gets
      1 - alpha/(m - r), the first threshold that was not passed.
    - BH: 1 - alpha max(r, 1)/m for all, so the expected share of selected intervals that miss is at most alpha
      (false coverage rate).
    - Bonferroni: 1 - alpha/m for all, the only one of these sets with simultaneous coverage of all m.

    Parameters
    ----------
    p : array_like, shape (m,)
        Unadjusted p-values; NaN stays NaN and does not count toward m.
    method : {"bonferroni", "holm", "bh", "none"}
        As in `p_adjust`.
    conf_level : float
        Level of the family.

    Returns
    -------
    ndarray, shape (m,)

    Raises
    ------
    InputError
        If `method` is unknown.

    Notes
    -----
    They agree where p is the inversion of the interval. An audit makes sure that they do (`fairstats.audit`); of Holm's
    it shows no intervals, since these do not hold together.

    References
    ----------
    Holm (1979), Scand. J. Statist. 6; Benjamini & Yekutieli (2005), JASA 100 (false coverage rate).

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.adjusted_levels([0.001, 0.2, 0.04]).round(4).tolist()
    [0.9833, 0.975, 0.975]
    """
    values = np.asarray(p, dtype=float)
    out = np.full(values.shape, np.nan)
    present = ~np.isnan(values)
    if present.any():
        out[present] = 1 - choose("p_adjust", method, LEVELS)(values[present], 1 - conf_level)
    return out


def holm_levels(p: PValues, conf_level: Level = 0.95) -> Floats:
    """Return the confidence levels whose intervals agree with the Holm-adjusted tests; see `adjusted_levels`.

    Parameters
    ----------
    p : array_like, shape (m,)
        Unadjusted p-values; NaN stays NaN.
    conf_level : float
        Level of the family.

    Returns
    -------
    ndarray, shape (m,)

    References
    ----------
    Holm (1979), Scand. J. Statist. 6.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.holm_levels([0.5]).tolist()
    [0.95]
    """
    return adjusted_levels(p, "holm", conf_level)


def max_t(replicates: DrawsOfStatistics, observed: Statistics) -> Floats:
    """Adjust p-values by the resampled distribution of the largest absolute statistic (single-step max-t).

    It uses the dependence between the statistics, so it is sharper than Bonferroni wherever they are correlated.

    Parameters
    ----------
    replicates : array_like, shape (B, m)
        Statistics of B resamples drawn under the null hypothesis.
    observed : array_like, shape (m,)
        The statistics of the data; NaN stays NaN, and its column does not count.

    Returns
    -------
    ndarray, shape (m,)
        (1 + number of resamples whose maximum reaches the statistic) / (1 + B); ties count, with a relative
        tolerance of 1e-12.

    References
    ----------
    Westfall & Young (1993), Resampling-Based Multiple Testing.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.max_t([[0.0, 1.0], [2.0, 0.5], [0.1, 0.2]], [1.5, 0.1]).tolist()
    [0.5, 1.0]
    """
    statistic = np.abs(np.asarray(observed, dtype=float))
    drawn = np.abs(np.asarray(replicates, dtype=float))
    present = ~np.isnan(statistic)
    out = np.full(statistic.shape, np.nan)
    if present.any():
        largest = np.sort(np.max(np.nan_to_num(drawn[:, present], nan=0.0), axis=1))
        below = np.searchsorted(largest, statistic[present] * (1 - 1e-12), side="left")
        out[present] = (1 + largest.size - below) / (1 + largest.size)
    return out


# The margins of practical equality that a protocol declares, each on the scale of what it is for.


_WAYS = {
    "difference": (0.0, 1.0, "a difference of rates, above 0 and below 1; pass, say, 0.05"),
    "ratio": (0.0, 1.0, "the smallest tolerable ratio of rates, above 0 and below 1; pass, say, 0.8 (and its inverse)"),
    "auc": (0.0, 0.5, "a difference of AUCs, and of P(X>Y) from one half, above 0 and below 0.5; pass, say, 0.05"),
    "leakage": (0.0, 0.5, "how far an AUC of the groups may exceed one half, above 0 and below 0.5; pass, say, 0.05"),
    "gap": (0.0, 1.0, "a share of the reference's amount, above 0 and below 1; pass, say, 0.05"),
}


@dataclass(frozen=True)
class Margins:
    """From which size on a disparity matters; None where nothing was declared, and no equivalence can be shown."""

    difference: float | None = None  # of rates
    ratio: float | None = None  # the smallest tolerable ratio of rates; the largest is its inverse
    auc: float | None = None  # of AUCs, and of P(X>Y) from one half
    leakage: float | None = None  # of the AUC of groups told from scores, from one half
    gap: float | None = None  # of amounts, as a share of the reference's

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) is not None for field in fields(self))

    def around(self, row: Estimate) -> tuple[float, float]:
        """The declared bounds of what a row estimates; infinite where none was declared.

        >>> Margins(ratio=0.8, auc=0.05).around(Estimate("P(X>Y)"))
        (0.45, 0.55)
        """
        if row.contrast == "ratio":
            return (0.0, math.inf) if self.ratio is None else (self.ratio, 1 / self.ratio)
        margin = self.auc if row.metric in metrics.AREAS else self.difference
        margin = self.gap if row.metric in metrics.GAPS_OF_AMOUNTS else margin
        equal = 0.5 if row.metric in metrics.CHANCES and row.contrast == "none" else 0.0
        return (-math.inf, math.inf) if margin is None else (equal - margin, equal + margin)

    @property
    def words(self) -> str:
        """The margins that were declared, or that none was.

        >>> Margins(difference=0.05, ratio=0.8).words
        '±5.0 points for differences of rates; 0.8 to 1.25 for ratios of rates'
        """
        lines = []
        if self.difference is not None:
            lines.append(say("±{margin} points for differences of rates", margin=percent(self.difference)))
        if self.ratio is not None:
            lines.append(
                say(
                    "{low} to {high} for ratios of rates",
                    low=significant(self.ratio, 3),
                    high=significant(1 / self.ratio, 3),
                )
            )
        if self.auc is not None:
            lines.append(
                say("±{margin} for differences of AUCs and of P(X>Y) from 0.5", margin=significant(self.auc, 3))
            )
        if self.leakage is not None:
            lines.append(say("{margin} for the AUC of leakage above 0.5", margin=significant(self.leakage, 3)))
        if self.gap is not None:
            lines.append(say("±{margin}% of the reference's amount for gaps of amounts", margin=percent(self.gap)))
        return "; ".join(lines) or say("none declared, so equivalence cannot be shown")


NO_MARGINS = Margins()


LARGEST_PLAIN = 0.5  # a number above is rather meant as a ratio, such as 0.8


def margins(value: Any) -> Margins:
    """The declared margins of a number, which is one for differences of rates, or of a mapping.

    value: a mapping has some of the names ``difference``, ``ratio``, ``auc``, ``leakage`` and ``gap``.

    >>> margins(0.05) == margins({"difference": 0.05}), margins(None).difference
    (True, None)
    """
    if isinstance(value, Margins):
        return value
    if value is None:
        return NO_MARGINS
    if not isinstance(value, Mapping):
        difference = margin_of("margin", "difference", value)
        if difference > LARGEST_PLAIN:
            raise InputError(
                "margin",
                f"has {shown(value)}: hardly a gap is larger than {percent(difference, 0)} percentage points; for a "
                f"ratio of rates pass {Setting('margin', {'ratio': difference})}, for such a difference "
                f"{Setting('margin', {'difference': difference})}.",
            )
        return Margins(difference=difference)
    for name in value:
        if name not in _WAYS:
            raise InputError(
                "margin",
                with_hint(
                    f"has {name!r}; there is no such margin",
                    nearest(str(name), _WAYS),
                    f"the margins are {', '.join(_WAYS)}.",
                ),
            )
    return Margins(**{name: margin_of(entry_of("margin", name), name, v) for name, v in value.items() if v is not None})


def margin_of(text: str, name: str, value: Any) -> float:
    """One declared margin, checked; ``text`` is what an error calls it."""
    low, high, way = _WAYS[name]
    number = real(value)
    if number is None or not low < number < high:
        raise InputError(f"{text} has {shown(value)}; a margin is {way}.")
    return number


# Families of comparisons: how their p-values are adjusted, and the level of intervals that agree with them.


@dataclass(frozen=True)
class Family:
    """How the comparisons of groups with one reference are adjusted, and the declared margins of practical equality."""

    conf_level: float = 0.95
    p_adjust: Adjust = "bonferroni"
    all_pairs: bool = False  # the data chose the reference: whichever pair is shown, all pairs could have been
    over_audit: bool = False  # all families of the audit share one error rate
    margins: Margins = NO_MARGINS
    withholds: bool = False  # groups may be withheld: their comparisons count, though none of them is shown

    @property
    def rule(self) -> Adjust:
        """The adjustment in force: where the data chose the reference, Bonferroni over all pairs."""
        return BONFERRONI if self.all_pairs else self.p_adjust


def adjusted_p_and_level(
    p: Sequence[float], rule: Adjust, conf_level: float = 0.95, tests: int | None = None
) -> tuple[list[float], float]:
    """The adjusted p-values of one family, and the one level at which intervals agree with them.

    p: unadjusted p-values; NaN is no member of the family.
    rule: under Bonferroni test and interval have one level. Under Benjamini and Hochberg, with r of m comparisons
        flagged, all intervals have the level 1 - max(r, 1) alpha/m: a comparison is flagged exactly where its p is at
        most r alpha/m, and the expected share of flagged intervals that miss is at most alpha. Holm's steps have no
        such level; the one returned is that of the first step.
    conf_level: one minus the error rate of the family.
    tests: how many tests share that error rate, where they are more than those of `p`.
    Source: Holm (1979), Scand. J. Statist. 6; Benjamini & Yekutieli (2005), JASA 100 (false coverage rate); Hsu (1996),
    Multiple Comparisons, chapter 4 (why the best group needs simultaneous intervals).

    >>> adjusted_p_and_level([0.01, 0.2], "bonferroni")
    ([0.02, 0.4], 0.975)
    >>> adjusted_p_and_level([0.01, 0.04], "bh")
    ([0.02, 0.04], 0.95)
    """
    values, alpha = np.asarray(p, dtype=float), 1 - conf_level
    present = int(np.sum(~np.isnan(values)))
    if rule == NONE or present == 0:
        return values.tolist(), conf_level
    tests = max(present, tests or 0)
    # those that are not shown can reject nothing: as if they had p = 1
    every = np.concatenate([values, np.ones(tests - present)])
    if rule == BH:
        adjusted = p_adjust(every, BH)[: values.size]
        return adjusted.tolist(), 1 - max(int(np.sum(adjusted <= alpha)), 1) / tests * alpha
    adjusted = p_adjust(every, HOLM)[: values.size] if rule == HOLM else np.minimum(values * tests, 1)
    return adjusted.tolist(), 1 - alpha / tests


def pairs_of(others: int) -> int:
    """The number of pairs among a reference and so many other groups, at least 1.

    >>> pairs_of(3)
    6
    """
    return max((others + 1) * others // 2, 1)


# Which rows ask the same question, and which of them are tested: a rate and its complement are one.


# attribute, metric, what is held fixed
Question = tuple[str, str, str]


def question_of(row: Estimate) -> Question:
    """The family that a row belongs to: one metric of one attribute, given the same strata.

    A rate and its complement are one question: their differences have one test.

    >>> question_of(Estimate("FNR", "sex", "f", "ratio")), question_of(Estimate("TPR", "sex", "f"))
    (('sex', 'TPR', ''), ('sex', 'TPR', ''))
    """
    present = metrics.METRICS.get(row.metric)
    return row.attribute, min(row.metric, (present and present.complement) or row.metric, key=_place), row.given


def _place(metric: str) -> int:
    return list(metrics.METRICS).index(metric) if metric in metrics.METRICS else -1


def decided_families(rows: Iterable[Estimate]) -> dict[Question, list[Estimate]]:
    """The families whose comparisons have a verdict, and a row a comparison: the difference stands for its ratio.

    The comparison of page one is a second look at two groups, in a family of its own, and is not among them.

    >>> row = Estimate("FPR", "sex", "f", "difference", p_adjusted=0.5, verdict="inconclusive")
    >>> len(decided_families([row])), len(decided_families([Estimate("FPR", "sex", "f")]))
    (1, 0)
    """
    result: dict[Question, dict[tuple[str, str], Estimate]] = {}
    for row in rows:
        if row.verdict and row.role != "headline" and row.p_adjusted == row.p_adjusted:
            result.setdefault(question_of(row), {}).setdefault((row.group, row.reference), row)
    return {question: list(family.values()) for question, family in result.items()}
