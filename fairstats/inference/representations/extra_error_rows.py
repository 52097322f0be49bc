"""The tidy rows of an analysis of the extra error."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.multiplicity import adjust
from fairstats.inference.representations.extra_error_result import ExtraError
from fairstats.inference.representations.judged_rows import Judged
from fairstats.inference.representations.noncentral import null_tail, share_interval
from fairstats.inference.representations.quadratic_forms import STEEPEST, least_accurate
from fairstats.methods.results.projection import Projection

OWN_SPREAD = "Welch-James form with each group's own spread"


def total_rows(made: ExtraError, attribute: str, way: str, studentized: bool) -> Estimates:
    """Return the rows of the total, of what chance would give, and of the shares.

    Parameters
    ----------
    made : ExtraError
        Without rows.
    attribute : str
    way : str
        The least accurate of the ways in which tails were computed.
    studentized : bool
        Whether the permuted statistic was.
    """
    how = "" if way == STEEPEST else f" ({way})"
    n, q, part = float(made.n), made.q, _share(made.observed, made.energy)
    about: Any = {"attribute": attribute, "n": n}
    tested: Any = {**about, "df": float(q), "conf_level": made.conf_level, "estimate": made.observed}
    permuted, has_limits = not np.isnan(made.p_permutation), not np.isnan(made.conf_low)
    asymptotic = f"tail of the {OWN_SPREAD}" if has_limits else "tail of Σ d²/(n−1)·χ², equal distributions"
    kind = "studentized permutation" if studentized else "permutation, equal distributions"
    asymptotic = "sum of squares" if np.isnan(made.p_asymptotic) else asymptotic + how
    said = [f"{kind} ({made.permutations}, seed {made.seed})"] if permuted else [asymptotic]
    said += [f"interval by inverting the {OWN_SPREAD}{how}"] if has_limits else []
    return Estimates(
        [
            Estimate(
                "extra error",
                **tested,
                statistic=made.observed,
                conf_low=made.conf_low,
                conf_high=made.conf_high,
                p_value=made.p_permutation if permuted else made.p_asymptotic,
                reason=made.why,
                method="; ".join(said),
            ),
            Estimate("extra error, asymptotic", **tested, p_value=made.p_asymptotic, method=asymptotic),
            _known("extra error expected by chance", about, made.expected, "exact mean over permutations"),
            Estimate(
                "redundancy index",
                **about,
                estimate=part,
                method="share of the components' sum of squares (Stewart & Love)",
            ),
            _adjusted(made, about, part),
            Estimate(
                "share of total variation",
                **about,
                estimate=_share(made.observed, made.total),
                method="share of ‖X_c‖²",
            ),
        ]
    )


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0


def _adjusted(made: ExtraError, about: dict[str, Any], part: float) -> Estimate:
    left = made.n - 1 - made.q
    if left < 1 and not np.isnan(made.expected):
        reason = "no rows are left beside the groups"
        return Estimate("redundancy index, adjusted", **about, status="unestimable", reason=reason)
    value = NAN if np.isnan(made.expected) else 1 - (1 - part) * (made.n - 1) / left
    return _known("redundancy index, adjusted", about, value, "bias-adjusted")


def _known(metric: str, about: dict[str, Any], value: float, method: str) -> Estimate:
    """Return the row of a number about chance; it is unestimable for weighted rows, which are not exchangeable."""
    if np.isnan(value):
        return Estimate(metric, **about, status="unestimable", reason="weighted rows are not exchangeable")
    return Estimate(metric, **about, estimate=value, method=method)


def component_rows(fit: Projection, found: Judged, conf_level: float) -> Estimates:
    """Return a row for each component: its R², with a test and an interval that let the groups differ in spread.

    Where rows were split the components of the halves are others, and only the fit's R² are told.
    """
    rows = list(fit.estimates.where(metric="R2"))
    if found.part is None or found.part.unknown or found.split:
        keep_p = found.exchangeable
        made = [
            replace(
                r,
                conf_level=conf_level,
                statistic=r.statistic if keep_p else NAN,
                p_value=r.p_value if keep_p else NAN,
                reason=found.why,
                method="F-test, equal spread; Holm over components" if keep_p else "regression on the groups",
            )
            for r in rows
        ]
    else:
        made = [_component(r, found, j, conf_level) for j, r in enumerate(rows)]
    adjusted = adjust(np.array([r.p_value for r in made], dtype=float))
    return Estimates(replace(r, p_adjusted=float(p)) for r, p in zip(made, adjusted, strict=True))


def _component(row: Estimate, found: Judged, j: int, conf_level: float) -> Estimate:
    assert found.part is not None
    part = found.part.component(j)
    if part.unknown:
        return replace(row, conf_level=conf_level, statistic=NAN, p_value=NAN, reason=part.unknown)
    tested, limits = null_tail(part), share_interval(part, conf_level)
    way = least_accurate({tested.method, limits.method})
    how = "" if way == STEEPEST else f" ({way})"
    return replace(
        row,
        statistic=part.explained / float(np.trace(part.noise)),
        df=float(part.effect.shape[0]),
        p_value=tested.value,
        conf_low=limits.low,
        conf_high=limits.high,
        conf_level=conf_level,
        method=f"test and interval by the {OWN_SPREAD}{how}; Holm over components",
    )
