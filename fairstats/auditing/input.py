"""From a table of people to coded columns: the one place where the audit looks at data, and judges them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.attributes import audited, check_levels, code_column, code_strata, group_columns
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.resolved import Resolved, resolve
from fairstats.data.columns import Columns
from fairstats.data.factors import Factor
from fairstats.errors import InputError, listing
from fairstats.labels import MISSING_LEVEL, column_parts
from fairstats.metrics import UNKNOWN as UNKNOWN
from fairstats.studies.attribute import Levels, by_size
from fairstats.studies.flow import FlowStep

ANALYZED, COMPLETE = "rows analyzed", "with outcome and decision"  # steps of the flow of counts


@dataclass(frozen=True)
class Observations:
    """Coded columns of equal length: outcome and decision are 0, 1 or `UNKNOWN`; absent columns are None."""

    attributes: tuple[Levels, ...]
    rows: int
    outcome: NDArray[np.int8] | None = None
    decision: NDArray[np.int8] | None = None  # 1 is the decision that predicts the positive outcome
    favors: int = 1  # the code of the favorable decision
    score: NDArray[np.float64] | None = None
    weights: NDArray[np.float64] | None = None
    clusters: NDArray[np.int32] | None = None
    strata: Levels | None = None
    flow: tuple[FlowStep, ...] = field(default=())


def observe(columns: Columns, protocol: Protocol) -> tuple[Observations, Resolved]:
    """Code the columns that the protocol names, once, and resolve its labels against theirs.

    Parameters
    ----------
    columns : Columns
        The table.
    protocol : Protocol
        What to look at.

    Returns
    -------
    Observations, Resolved
        The data, and the protocol as they spell it; what was declared is left as it is.

    Raises
    ------
    InputError
        If a column is unknown or unusable for its role.

    Examples
    --------
    >>> data = Columns({"sex": ["f", "m", "m"], "hired": [1, 0, 1]})
    >>> seen, _ = observe(data, Protocol(groups=("sex",), decision="hired"))
    >>> seen.attributes[0].labels, seen.decision.tolist()
    (('m', 'f'), [1, 0, 1])
    """
    _check_roles(columns, protocol)
    outcome = _binary(columns, "outcome", protocol.outcome) if protocol.outcome else None
    decision = _binary(columns, "decision", protocol.decision) if protocol.decision else None
    score = _numbers(columns, "score", protocol.score) if protocol.score else None
    weights = _weights(columns, protocol)
    parts, steps = group_columns(columns, protocol)
    read = len(next(iter(parts.values())).codes)
    attributes = audited(parts, protocol)
    resolved = resolve(
        protocol,
        outcome=None if outcome is None else outcome[1],
        decision=None if decision is None else decision[1],
        attributes=tuple(levels.name for levels in attributes),
    )
    seen = Observations(
        attributes=attributes,
        rows=read,
        outcome=None if outcome is None else _coded(*outcome, resolved.positive),
        decision=_decisions(score, decision, resolved),
        favors=int(resolved.favorable == resolved.predicts or not resolved.predicts),
        score=score,
        weights=weights,
        clusters=_clusters(columns, protocol, parts),
        strata=code_strata(columns, protocol),
    )
    if protocol.missing == "drop":
        seen = _without_missing(seen, parts)
    return replace(seen, flow=_flow(seen, protocol, steps, read)), resolved


def label_columns(protocol: Protocol) -> list[str]:
    """The columns whose values are labels."""
    roles = (protocol.outcome, protocol.decision, protocol.clusters, protocol.strata)
    return [*protocol.groups, *filter(None, roles)]


def _check_roles(columns: Columns, protocol: Protocol) -> None:
    roles = {r: getattr(protocol, r) for r in ("outcome", "decision", "score")}
    for name in protocol.groups:
        for part in column_parts(name, columns.names):
            used = [role for role, column in roles.items() if column == part]
            if used:
                raise InputError(f"groups has {part!r}; it is also the {used[0]}; name another column for one of them.")


def _binary(columns: Columns, role: str, name: str) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    codes, labels = code_column(columns, role, name)
    if len(labels) > 2:
        raise InputError(
            f"{role} has {name!r} with {len(labels)} values ({listing(sorted(labels))}); it must have two; "
            f"recode it to two values, or leave out the rows with the others."
        )
    return codes, labels


def _coded(codes: NDArray[np.int32], labels: tuple[str, ...], one: str) -> NDArray[np.int8]:
    """1 where a column has a label (which may be one that nobody has), 0 elsewhere."""
    place = labels.index(one) if one in labels else len(labels)
    return np.where(codes < 0, UNKNOWN, codes == place).astype(np.int8)


def _decisions(
    score: NDArray[np.float64] | None,
    decision: tuple[NDArray[np.int32], tuple[str, ...]] | None,
    resolved: Resolved,
) -> NDArray[np.int8] | None:
    """The decisions of a column, or those that a threshold makes of scores; 1 predicts the positive outcome."""
    if decision is not None:
        return _coded(*decision, resolved.predicts or resolved.favorable)
    if score is None or resolved.threshold is None:
        return None
    _check_threshold(resolved, score)
    said = (score >= resolved.threshold) == (resolved.predicts == "1")
    return np.where(np.isnan(score), UNKNOWN, said).astype(np.int8)


def _check_threshold(protocol: Protocol, score: NDArray[np.float64]) -> None:
    low, high = float(np.nanmin(score)), float(np.nanmax(score))
    assert protocol.threshold is not None
    if not low < protocol.threshold <= high:
        raise InputError(
            f"threshold has {protocol.threshold:g}; the scores in {protocol.score!r} go from {low:g} to {high:g}, so "
            f"everybody would get the same decision; pass a threshold above {low:g} and at most {high:g}."
        )


def _numbers(columns: Columns, role: str, name: str) -> NDArray[np.float64]:
    values = columns.numeric(name, role)
    if np.isinf(values).any():
        rows = np.flatnonzero(np.isinf(values)) + 1
        raise InputError(f"{role} has infinite values in {name!r} (rows {listing(rows)}); correct or drop them.")
    if np.isnan(values).all():
        raise InputError(f"{role} has the column {name!r}; all its values are missing; name another column.")
    return values


def _weights(columns: Columns, protocol: Protocol) -> NDArray[np.float64] | None:
    if not protocol.weights:
        return None
    weights = _numbers(columns, "weights", protocol.weights)
    _refuse_rows(np.isnan(weights), protocol.weights, "missing values", "fill them in or drop the rows")
    _refuse_rows(weights < 0, protocol.weights, "negative values", "a weight is at least 0")
    if protocol.weight_type == "frequency":
        way = "a frequency counts people; round them, or pass weight_type='probability'"
        _refuse_rows(weights != np.round(weights), protocol.weights, "values that are not whole", way)
    if not weights.any():
        raise InputError(f"weights has {protocol.weights!r}; all weights are 0; name another column.")
    return weights


def _refuse_rows(bad: NDArray[np.bool_], name: str, fact: str, way: str) -> None:
    if bad.any():
        rows = listing(np.flatnonzero(bad) + 1)
        raise InputError(f"weights has {name!r} with {int(bad.sum())} {fact} (rows {rows}); {way}.")


def _clusters(columns: Columns, protocol: Protocol, parts: dict[str, Factor]) -> NDArray[np.int32] | None:
    """The cluster of every person who stays: nobody's dependence on others can be unknown."""
    if not protocol.clusters:
        return None
    codes = code_column(columns, "clusters", protocol.clusters)[0]
    stays = _known(parts, len(codes)) if protocol.missing == "drop" else np.ones(len(codes), dtype=bool)
    lost = np.flatnonzero((codes < 0) & stays)
    if len(lost):
        raise InputError(
            f"clusters has {protocol.clusters!r} with {len(lost)} missing values (rows {listing(lost + 1)}); fill them "
            "in (people on their own are clusters of one: give each a label of its own), or drop the rows."
        )
    return codes


def _known(parts: dict[str, Factor], n: int) -> NDArray[np.bool_]:
    """Rows whose every group is known."""
    keep = np.ones(n, dtype=bool)
    for part in parts.values():
        if MISSING_LEVEL in part.levels:
            keep &= part.codes != part.levels.index(MISSING_LEVEL)
    return keep


def _without_missing(seen: Observations, parts: dict[str, Factor]) -> Observations:
    keep = _known(parts, seen.rows)

    def subset(levels: Levels) -> Levels:
        return by_size(Levels(levels.name, levels.codes[keep], levels.labels))

    def kept(column: NDArray[Any] | None) -> NDArray[Any] | None:
        return None if column is None else column[keep]

    attributes = tuple(subset(a) for a in seen.attributes)
    for attribute in attributes:
        check_levels(attribute.name, attribute.labels)
    return replace(
        seen,
        attributes=attributes,
        rows=int(keep.sum()),
        strata=subset(seen.strata) if seen.strata else None,
        outcome=kept(seen.outcome),
        decision=kept(seen.decision),
        score=kept(seen.score),
        weights=kept(seen.weights),
        clusters=kept(seen.clusters),
    )


def _flow(seen: Observations, protocol: Protocol, steps: list[FlowStep], read: int) -> tuple[FlowStep, ...]:
    flow = [FlowStep("rows read", read), *steps]
    complete = np.ones(seen.rows, dtype=bool)
    absent = {
        "outcome": (seen.outcome, "left out of the rates that need the outcome"),
        "decision": (seen.decision, "left out of the rates that need the decision"),
    }
    for role, (codes, consequence) in absent.items():
        if codes is not None:
            flow.append(FlowStep(f"{role} missing", int(np.sum(codes == UNKNOWN)), consequence))
            complete &= codes != UNKNOWN
    if seen.score is not None and protocol.threshold is None:
        flow.append(FlowStep("score missing", int(np.isnan(seen.score).sum()), "left out of the comparison of scores"))
    flow.append(FlowStep(ANALYZED, seen.rows))
    if seen.outcome is not None and seen.decision is not None:
        flow.append(FlowStep(COMPLETE, int(complete.sum()), "the base of the error rates"))
    return tuple(flow)
