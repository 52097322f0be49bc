"""The headline comparison given legitimate factors: within strata, and as an adjusted difference."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.counts import RATES, tabulate
from fairstats.auditing.families import judged, plan
from fairstats.auditing.input import UNKNOWN, Observations
from fairstats.auditing.protocol import Protocol
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.rates.mantel_haenszel import cmh_test, stratified
from fairstats.inference.rates.marginal_effects import adjusted_rows
from fairstats.inference.rates.one_rate import critical
from fairstats.studies.attribute import Levels

Floats = NDArray[np.float64]
MOST_STRATA = 50
DESIGN = "the Mantel-Haenszel comparison needs independent people; see the average marginal effect"
NO_STRATUM = "no stratum has people with and without the property"
UNSTABLE = "too few people or clusters for a stable regression"
TOO_MANY = f"more than {MOST_STRATA} strata: a regression with so many constants is biased; see the common odds ratio"


def strata_rows(seen: Observations, levels: Levels, metric: str, reference: str, protocol: Protocol) -> Estimates:
    """Every group against the reference within strata of the legitimate factors.

    Parameters
    ----------
    seen : Observations
        With strata.
    levels : Levels
        The attribute.
    metric : {"selection rate", "base rate"}
        The rate that is compared.
    reference : str
        The group that the others are compared with.
    protocol : Protocol
        Level, adjustment, margin, design.

    Returns
    -------
    Estimates
        A group: the common odds ratio with the CMH test, the homogeneity test, the adjusted odds ratio of a logistic
        regression with a constant for every stratum (strata in which all or none have the property say nothing and
        are left out), and the average marginal effect, which carries the verdict.
        ``given`` names the factors. Clusters make the regression's errors cluster-robust, probability weights robust.

    References
    ----------
    Mantel & Haenszel (1959), JNCI 22; Agresti (2013), Categorical Data Analysis, chapters 5 and 6.

    Examples
    --------
    >>> sex, dept = (Levels(n, np.tile([0, 1], 8).astype(np.int32), ("m", "f")) for n in ("sex", "dept"))
    >>> seen = Observations((sex,), 16, decision=np.arange(16, dtype=np.int8) // 4 % 2, strata=dept)
    >>> strata_rows(seen, sex, "selection rate", "m", Protocol(("sex",), strata="dept"))[0].status
    'unestimable'
    """
    groups = [label for label in levels.labels if label != reference]
    return _within(seen, levels, metric, reference, groups, protocol) + _held_fixed(
        seen, levels, metric, reference, protocol
    )


def _within(
    seen: Observations, levels: Levels, metric: str, reference: str, groups: list[str], protocol: Protocol
) -> Estimates:
    if seen.clusters is not None or protocol.weight_type == "probability":
        blank = Estimate("common odds ratio", levels.name, contrast="ratio", reference=reference, given=protocol.strata)
        return Estimates(replace(blank, group=g, status="unestimable", reason=DESIGN) for g in groups)
    events, n = _counts(seen, levels, metric)
    base = levels.labels.index(reference)
    tables = {g: (*_of(events, n, levels.labels.index(g)), *_of(events, n, base)) for g in groups}
    shown = {g: min(t[1].sum(), t[3].sum()) >= protocol.min_n for g, t in tables.items()}
    p = [cmh_test(*tables[g], correct=False)[1] if shown[g] else NAN for g in groups]
    sizes = [float(tables[g][1].sum()) for g in groups]
    rows: list[Estimate] = []
    for g, (level, adjusted) in zip(groups, plan(p, sizes, float(n[base].sum()), protocol), strict=True):
        common, same = stratified(
            *tables[g],
            attribute=levels.name,
            group=g,
            reference=reference,
            strata=protocol.strata,
            conf_level=level,
        )
        if not shown[g]:
            rows += [_suppressed(row, protocol) for row in (common, same)]
        else:
            rows += [replace(common, p_adjusted=adjusted) if common.status == "ok" else common, same]
    return Estimates(rows)


def _suppressed(row: Estimate, protocol: Protocol) -> Estimate:
    return row.blank(status="suppressed", reason=f"fewer than {protocol.min_n} people")


def _of(events: Floats, n: Floats, group: int) -> tuple[Floats, Floats]:
    return events[group], n[group]


def _counts(seen: Observations, levels: Levels, metric: str) -> tuple[Floats, Floats]:
    """Events and people by group and stratum."""
    assert seen.strata is not None
    size = len(levels.labels), len(seen.strata.labels)
    cells = Levels("", levels.codes * np.int32(size[1]) + seen.strata.codes, ("",) * (size[0] * size[1]))
    events, n = RATES[metric].fraction(tabulate(seen, cells, seen.weights))
    return events.reshape(size), n.reshape(size)


def _held_fixed(seen: Observations, levels: Levels, metric: str, reference: str, protocol: Protocol) -> Estimates:
    assert seen.strata is not None
    rows = _regression(seen, levels, metric, reference, protocol, protocol.conf_level)
    if isinstance(rows, str):
        groups = [label for label in levels.labels if label != reference]
        blank = Estimate("average marginal effect", levels.name, contrast="difference", reference=reference)
        blank = replace(blank, given=protocol.strata, status="unestimable", reason=rows)
        return Estimates(replace(blank, group=g) for g in groups)
    effects = rows.where(metric="average marginal effect")
    base = float(np.sum(levels.codes == levels.labels.index(reference)))
    steps = plan(effects.column("p_value"), effects.column("n"), base, protocol)
    out = list(rows.where(metric="adjusted odds ratio"))
    for row, (level, adjusted) in zip(effects, steps, strict=True):
        if row.status != "ok":
            out.append(row)
        elif row.n < protocol.min_n:
            out.append(_suppressed(row, protocol))
        else:
            wide, narrow = (_wald(row, at) for at in (level, 1 - 2 * (1 - level)))
            row = replace(row, conf_low=wide[0], conf_high=wide[1], conf_level=level, p_adjusted=adjusted)
            out.append(judged(row, protocol, narrow=narrow))
    return Estimates(out)


def _wald(row: Estimate, level: float) -> tuple[float, float]:
    half = float(critical(level)) * row.std_error
    return row.estimate - half, row.estimate + half


def _regression(
    seen: Observations, levels: Levels, metric: str, reference: str, protocol: Protocol, conf_level: float
) -> Estimates | str:
    """A logistic regression on groups and strata, on the table of counts where people are independent; or why not."""
    assert seen.strata is not None
    if len(seen.strata.labels) > MOST_STRATA:
        return TOO_MANY
    y = seen.outcome if metric == "base rate" else seen.decision
    assert y is not None
    known = y != UNKNOWN
    happened = (y == (1 if metric == "base rate" else seen.favors)).astype(float)
    columns = levels.codes, seen.strata.codes, happened, np.ones(y.size) if seen.weights is None else seen.weights
    used = np.flatnonzero(known)
    used = used[_varied(seen.strata.codes[used], happened[used], columns[3][used])]
    if not used.size:
        return NO_STRATUM
    codes, strata, happened, weights = (column[used] for column in columns)
    strata = np.unique(strata, return_inverse=True)[1]
    clusters, covariance = None, "model"
    if seen.clusters is not None:
        clusters, covariance = seen.clusters[used], "cluster"
    elif protocol.weight_type == "probability":
        covariance = "robust"
    else:
        codes, strata, happened, weights = _aggregated(codes, strata, happened, weights)
    dummies = (strata[:, None] == np.arange(1, int(strata.max(initial=0)) + 1)).astype(float)
    with np.errstate(over="ignore", invalid="ignore"):  # an unstable fit shows in its errors, which are looked at below
        rows = adjusted_rows(
            happened,
            codes,
            levels.labels,
            dummies,
            reference=reference,
            attribute=levels.name,
            weights=weights,
            covariance=covariance,
            clusters=clusters,
            conf_level=conf_level,
        )
    counts = np.bincount(levels.codes[known], minlength=len(levels.labels))
    people = dict(zip(levels.labels, counts.tolist(), strict=True))
    known_rows = rows.map(lambda row: replace(row, given=protocol.strata, n=float(people[row.group]), events=NAN))
    return known_rows.map(_stable)


def _stable(row: Estimate) -> Estimate:
    """Return the row; without its numbers where its error is 0 or infinite, as its likelihood has no proper maximum."""
    if row.status != "ok" or (0 < row.std_error < np.inf and np.isfinite(row.conf_high)):
        return row
    return row.blank(n=row.n, status="unestimable", reason=UNSTABLE)


def _varied(strata: NDArray[np.int32], happened: Floats, weights: Floats) -> NDArray[np.bool_]:
    """Return whether each row is in a stratum in which some but not all people have the property."""
    events, n = np.bincount(strata, weights=weights * happened), np.bincount(strata, weights=weights)
    return np.asarray(((events > 0) & (events < n))[strata])


def _aggregated(
    codes: NDArray[Any], strata: NDArray[Any], happened: NDArray[Any], weights: NDArray[Any]
) -> tuple[NDArray[Any], ...]:
    """Sum the weights of each combination of group, stratum and event, which leaves the likelihood as it is."""
    width = int(strata.max(initial=0)) + 1
    cell = (codes.astype(np.int64) * width + strata) * 2 + happened.astype(np.int64)
    sums = np.bincount(cell, weights=weights)
    kept = np.flatnonzero(sums)
    return kept // 2 // width, kept // 2 % width, (kept % 2).astype(float), sums[kept]
