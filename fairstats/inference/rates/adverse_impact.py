"""Adverse impact of selections: impact ratio, four-fifths rule, shortfall, significance, one selection more.

The four-fifths rule is a rule of thumb of enforcement and not a test: the rows state the ratio, whether it lies below
0.8, and what the data can show, and leave the conclusion of law to lawyers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.errors import InputError, listing, nearest, with_hint
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.multiplicity import p_adjust, rejected
from fairstats.inference.rates.one_rate import counts
from fairstats.inference.rates.rate_tests import fisher_exact, z_test
from fairstats.inference.rates.two_rates import koopman
from fairstats.inference.validation import Counts, CountsByGroup, GroupLabels, Level, Rates
from fairstats.labels import holds_missing
from fairstats.language import mark, message, says
from fairstats.validation import ByP

Floats = NDArray[np.float64]


# The arithmetic of the four-fifths rule: impact ratio, shortfall, and what one selection more would change.


FOUR_FIFTHS = 0.8
# Rates are ratios of counts, so 10/30 over 20/48 is 0.8 and must not fall below it by rounding: three divisions err by
# less than this, and two different ratios of counts up to ten million are further apart.
ROUNDING = 1e-15
BELOW, WITHIN, ABOVE = "below", "within", "above"
SIDES = {BELOW: mark("below 0.8"), WITHIN: mark("within 0.8 to 1.25"), ABOVE: mark("above 1.25")}


def impact_ratio(selected: Counts, n: Counts, ref_selected: Counts, ref_n: Counts) -> Floats:
    """Return the selection rate of the group over that of the reference.

    Parameters
    ----------
    selected, n : array_like
        Selections and applicants of the group (broadcast).
    ref_selected, ref_n : array_like
        Those of the reference.

    Returns
    -------
    float or ndarray
        Infinite where only the reference selects nobody, NaN where neither does or a group is empty.

    References
    ----------
    Uniform Guidelines on Employee Selection Procedures (1978), 29 CFR 1607.4(D).

    Examples
    --------
    >>> import fairstats as fs
    >>> round(float(fs.stats.impact_ratio(12, 40, 48, 80)), 3)
    0.5
    """
    e1, n1, e0, n0 = counts(selected, n, ref_selected, ref_n)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((e1 / n1) / (e0 / n0))[()]


def below_line(ratio: ArrayLike, line: float = FOUR_FIFTHS) -> NDArray[np.bool_]:
    """Whether an impact ratio is below 0.8; false where it is NaN, and at 0.8 itself in spite of rounding.

    >>> [bool(v) for v in below_line([0.79, (10 / 30) / (20 / 48), float("nan")])]
    [True, False, False]
    """
    return np.asarray(np.asarray(ratio, dtype=float) < line - ROUNDING)[()]


def side(ratio: float) -> str:
    """Which of two rates is below four fifths of the other one; the only place where that line is drawn.

    ratio: rate of the group over that of its reference.
    Returns: ``"below"`` where the group's rate is below four fifths of the reference's, ``"above"`` where it is the
        other way round (a ratio above 1.25), "" where there is no ratio.

    >>> side(0.79), side((10 / 30) / (20 / 48)), side(1.38), side(float("nan"))
    ('below', 'within', 'above', '')
    """
    if np.isnan(ratio):
        return ""
    if below_line(ratio):
        return BELOW
    return ABOVE if ratio > 1 and below_line(1 / ratio) else WITHIN


def shortfall(selected: Counts, n: Counts, rate: Rates) -> Floats:
    """Return how many more selections would bring the group to a rate.

    Parameters
    ----------
    selected, n : array_like
        Selections and applicants of the group (broadcast).
    rate : array_like
        The rate to reach: the reference's, or 0.8 of it for the four-fifths rule.

    Returns
    -------
    float or ndarray
        n * rate - selected; not rounded (`numpy.ceil` gives people), negative above the rate.

    References
    ----------
    Gastwirth (1988), Statistical Reasoning in Law and Public Policy, volume 1.

    Examples
    --------
    >>> import fairstats as fs
    >>> float(fs.stats.shortfall(12, 40, 0.6))
    12.0
    """
    e, n, p = counts(selected, n, rate)
    reached = np.isclose(n * p, e, rtol=1e-14, atol=0)  # 0.8 of 3/4 is 0.6000000000000001
    return np.asarray(np.where(reached, 0.0, n * p - e))[()]


def one_more(selected: ArrayLike, n: ArrayLike, ref_selected: ArrayLike, ref_n: ArrayLike) -> Floats:
    """The impact ratio if the group had one selection more and the reference as many as it has.

    selected, n, ref_selected, ref_n: as in `impact_ratio`.
    Returns: NaN where all of the group are selected already.

    >>> float(one_more(1, 10, 3, 20)), float(impact_ratio(1, 10, 3, 20)) < 0.8
    (1.3333333333333335, True)
    """
    e1, n1, e0, n0 = counts(selected, n, ref_selected, ref_n)
    return np.where(e1 + 1 <= n1, impact_ratio(e1 + 1, n1, e0, n0), np.nan)[()]


def one_moved(selected: ArrayLike, n: ArrayLike, ref_selected: ArrayLike, ref_n: ArrayLike) -> Floats:
    """The impact ratio if one selection had gone to the group instead of the reference ("flip-flop").

    Above 1 the choice of a single person decides which group has the higher rate; the agencies then find it
    inappropriate to infer adverse impact.

    selected, n, ref_selected, ref_n: as in `impact_ratio`.
    Returns: NaN where there is no such selection or nobody to receive it.
    Source: Questions and Answers on the Uniform Guidelines (1979), 44 FR 11996, no. 21; Roth, Bobko & Switzer (2006),
    Journal of Applied Psychology 91, 507-522.

    >>> float(one_moved(1, 10, 3, 20))
    2.0
    """
    e1, n1, e0, n0 = counts(selected, n, ref_selected, ref_n)
    possible = (e1 + 1 <= n1) & (e0 >= 1)
    return np.where(possible, impact_ratio(e1 + 1, n1, e0 - 1, n0), np.nan)[()]


# (side of the four-fifths line, difference statistically significant) -> what the two together say
CONCLUSIONS = {
    (BELOW, True): message(
        "below four fifths and significant: a difference of practical size that chance hardly explains"
    ),
    (BELOW, False): message(
        "below four fifths, not significant: the size matters, but the data cannot rule out chance"
    ),
    (WITHIN, True): message(
        "not below four fifths, significant: chance hardly explains it, but its size is small by this rule"
    ),
    (WITHIN, False): message(
        "not below four fifths, not significant: chance is not ruled out, which is no proof of equality"
    ),
    (ABOVE, True): message("the reference is below four fifths of this group, and the difference is significant"),
    (ABOVE, False): message("the reference is below four fifths of this group; the data cannot rule out chance"),
}


SMALL_SHARE = 0.02  # of the people, in place of labor force or workforce (29 CFR 1607.15(A)(2)(a))
SMALL_GROUP = message("under {n}% of the people: the rule does not count this group", n=2)
# what the people of withheld cells leave open
EITHER_SIDE = message("below four fifths or not: that depends on the people of withheld cells")
OTHER_HIGHEST = message("another group may have the highest rate: that depends on the people of withheld cells")


def concluded_side(row: Estimate) -> str:
    """Which side of the line a row of an impact ratio concludes; "" where withheld people leave that open.

    >>> row = Estimate("impact ratio", estimate=0.0)
    >>> concluded_side(row), concluded_side(replace(row, reason=EITHER_SIDE))
    ('below', '')
    """
    if says(row.reason, EITHER_SIDE):
        return ""
    return next((at for (at, _), text in CONCLUSIONS.items() if says(row.reason, text)), side(row.estimate))


def counted_by_rule(ratios: Sequence[Estimate], rows: Iterable[Estimate] | None = None) -> list[Estimate]:
    """The ratios of groups that the rule counts, of which these or other rows say the size.

    Of an attribute of which it counts no known group, all.

    >>> small, other = Estimate("impact ratio", group="a", reason=SMALL_GROUP), Estimate("impact ratio", group="b")
    >>> [row.group for row in counted_by_rule([small, other])], [row.group for row in counted_by_rule([small])]
    (['b'], ['a'])
    """
    small = {(row.attribute, row.group) for row in rows or ratios if says(row.reason, SMALL_GROUP)}
    large = [not small & {(row.attribute, row.group), (row.attribute, row.reference)} for row in ratios]
    known = [row.status == "ok" and row.group and not holds_missing(row.group) for row in ratios]
    counted = {row.attribute for row, *both in zip(ratios, large, known, strict=True) if all(both)}
    return [row for row, is_large in zip(ratios, large, strict=True) if is_large or row.attribute not in counted]


@dataclass(frozen=True)
class AdverseImpact:
    """One group against the reference: everything that the practical and statistical rules look at."""

    attribute: str
    group: str
    reference: str
    n: float
    selected: float
    rate: float
    impact_ratio: float
    conf_low: float
    conf_high: float
    conf_level: float
    below_four_fifths: bool
    shortfall: float  # selections missing to the reference's rate
    shortfall_four_fifths: float  # and to four fifths of it
    statistic: float  # pooled z: the number of standard deviations
    p_value: float  # Fisher's exact test
    p_adjusted: float
    significant: bool
    ratio_one_more: float
    ratio_one_moved: float
    hangs_on_one: bool  # one selection more, or moved, takes the ratio from below four fifths to at least that
    conclusion: str

    @cached_property
    def estimates(self) -> Estimates:
        """The same as tidy rows: impact ratio, shortfall, and the ratio with one selection more or moved."""
        about = Estimate(
            "impact ratio", self.attribute, self.group, "ratio", self.reference, n=self.n, events=self.selected
        )
        changes = [
            {
                "estimate": self.impact_ratio,
                "conf_low": self.conf_low,
                "conf_high": self.conf_high,
                "conf_level": self.conf_level,
                "statistic": self.statistic,
                "p_value": self.p_value,
                "p_adjusted": self.p_adjusted,
                "method": message("Koopman interval; pooled z statistic; Fisher's exact test"),
            },
            {"metric": "shortfall", "contrast": "difference", "estimate": self.shortfall},
            {"role": "sensitivity", "given": message("one selection more"), "estimate": self.ratio_one_more},
            {"role": "sensitivity", "given": message("one selection moved"), "estimate": self.ratio_one_moved},
        ]
        return Estimates(_row(about, self.impact_ratio, self.conclusion, change) for change in changes)


def _row(about: Estimate, ratio: float, conclusion: str, change: dict[str, object]) -> Estimate:
    row = replace(about, **change)  # type: ignore[arg-type]
    if not np.isnan(row.estimate):
        return row
    reason = conclusion if np.isnan(ratio) else message("no such selection is possible")
    return replace(row, status="unestimable", reason=reason)


def adverse_impact(
    selected: CountsByGroup,
    n: CountsByGroup,
    labels: GroupLabels,
    *,
    reference: str | None = None,
    attribute: str = "",
    conf_level: Level = 0.95,
    p_adjust_method: ByP = "bonferroni",
) -> tuple[AdverseImpact, ...]:
    """Compare the selection rate of every group with that of one reference.

    Parameters
    ----------
    selected, n : array_like, shape (G,)
        Selections (the decision that helps the person) and applicants.
    labels : sequence of str
        Names of the groups.
    reference : str, optional
        The group to compare with; the one with the highest rate when absent, as the Guidelines do. Tests against a
        reference that the data chose are too eager: see `simultaneous.ratio_to_best`.
    attribute : str
        Name of the group variable.
    conf_level : float
        Nominal coverage; 1 - conf_level is the level of significance of the adjusted p-values. With "bonferroni" the
        limits of all ratios hold together, and each row has its own level; with another adjustment each has this one.
    p_adjust_method : {"bonferroni", "holm", "bh", "none"}
        Adjustment over the groups.

    Returns
    -------
    tuple of AdverseImpact
        One a group other than the reference, in the order of `labels`.

    Raises
    ------
    InputError
        If `reference` is not one of the groups, nobody applied, or a count is no whole number.

    References
    ----------
    29 CFR 1607.4(D); Morris & Dunleavy (2017), Adverse Impact Analysis.

    Examples
    --------
    >>> import fairstats as fs
    >>> (row,) = fs.stats.adverse_impact([48, 12], [80, 40], ["men", "women"])
    >>> row.impact_ratio, row.below_four_fifths, row.significant, row.shortfall
    (0.5, True, True, 12.0)
    """
    e, size = (np.asarray(v, dtype=float) for v in (selected, n))
    for name, whole in (("selected", e), ("n", size)):
        if (broken := whole[whole != np.floor(whole)]).size:
            raise InputError(name, f"has {broken[0]:g}; it counts people; pass whole numbers, a rate times its people.")
    base = _reference(reference, list(labels), e, size)
    others = [i for i in range(size.size) if i != base]
    p = np.array([float(fisher_exact(e[i], size[i], e[base], size[base])) for i in others])
    adjusted = p_adjust(p, p_adjust_method)
    many = int(np.isfinite(p).sum()) if p_adjust_method == "bonferroni" else 1
    level = 1 - (1 - conf_level) / max(many, 1)
    limits = zip(*koopman(e[others], size[others], e[base], size[base], level), strict=True)
    return tuple(
        _compare(
            (e[i], size[i], e[base], size[base]),
            (attribute, str(labels[i]), str(labels[base])),
            (float(low), float(high), level),
            (float(raw), float(adj)),
        )
        for i, (low, high), raw, adj in zip(others, limits, p, adjusted, strict=True)
    )


def _reference(reference: str | None, labels: list[str], e: Floats, size: Floats) -> int:
    if reference is not None:
        if reference not in labels:
            raise InputError(
                "reference",
                with_hint(f"has {reference!r}; the groups are {listing(labels)}", nearest(reference, labels)),
            )
        return labels.index(reference)
    if not (size > 0).any():
        raise InputError("n", "has only zeros; nobody applied; pass groups with applicants.")
    return int(np.nanargmax(np.divide(e, size, out=np.full(size.shape, np.nan), where=size > 0)))


def _compare(
    table: tuple[float, float, float, float],
    names: tuple[str, str, str],
    interval: tuple[float, float, float],
    p: tuple[float, float],
) -> AdverseImpact:
    e1, n1, e0, n0 = (float(v) for v in table)
    present = n1 > 0 and n0 > 0
    ratio, more, moved = (float(f(e1, n1, e0, n0)) for f in (impact_ratio, one_more, one_moved))
    low, high, conf_level = interval
    flagged, significant = bool(below_line(ratio)), rejected(p[1], conf_level)
    rate, target = (e1 / n1, e0 / n0) if present else (NAN, NAN)
    return AdverseImpact(
        *names,
        n=n1,
        selected=e1,
        rate=rate,
        impact_ratio=ratio,
        conf_low=low,
        conf_high=high,
        conf_level=conf_level,
        below_four_fifths=flagged,
        shortfall=float(shortfall(e1, n1, target)),
        shortfall_four_fifths=float(shortfall(e1, n1, FOUR_FIFTHS * target)),
        statistic=float(z_test(e1, n1, e0, n0)[0]),
        p_value=p[0],
        p_adjusted=p[1],
        significant=significant,
        ratio_one_more=more,
        ratio_one_moved=moved,
        hangs_on_one=flagged and any(v >= FOUR_FIFTHS - ROUNDING for v in (more, moved)),
        conclusion=CONCLUSIONS[side(ratio), significant] if present and not np.isnan(ratio) else _why(n1, n0),
    )


def _why(n1: float, n0: float) -> str:
    if n1 > 0 and n0 > 0:
        return message("nobody was selected in either group: 0/0")
    return f"nobody in {'the reference' if n1 > 0 else 'the group'}"
