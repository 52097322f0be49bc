"""From a table of people to coded columns: the one place where the audit looks at data, and judges them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.attributes import audited, check_levels, code_column, code_strata, group_columns
from fairstats.auditing.protocol import Protocol
from fairstats.data.columns import Columns
from fairstats.data.factors import Factor
from fairstats.errors import InputError, listing, nearest
from fairstats.labels import MISSING_LEVEL, column_parts
from fairstats.metrics import UNKNOWN as UNKNOWN
from fairstats.studies.attribute import Levels, by_size
from fairstats.studies.flow import FlowStep

ANALYZED, COMPLETE = "rows analyzed", "with outcome and decision"  # steps of the flow of counts
TRUTH = {"1": "True", "0": "False"}


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


def observe(columns: Columns, protocol: Protocol) -> tuple[Observations, Protocol]:
    """Code the columns that the protocol names, and resolve the protocol's labels against them.

    Parameters
    ----------
    columns : Columns
        The table.
    protocol : Protocol
        What to look at.

    Returns
    -------
    Observations, Protocol
        The protocol comes back with the labels as the data spell them, `predicts` resolved and the intersection of
        several groups named.

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
    outcome, protocol = _outcome(columns, protocol)
    score = _numbers(columns, "score", protocol.score) if protocol.score else None
    decision, protocol = _decision(columns, protocol, score)
    weights = _weights(columns, protocol)
    parts, steps = group_columns(columns, protocol)
    read = len(next(iter(parts.values())).codes)
    seen = Observations(
        attributes=audited(parts, protocol),
        rows=read,
        outcome=outcome,
        decision=decision,
        favors=int(protocol.favorable == protocol.predicts or not protocol.predicts),
        score=score,
        weights=weights,
        clusters=_clusters(columns, protocol, parts),
        strata=code_strata(columns, protocol),
    )
    if protocol.missing == "drop":
        seen = _without_missing(seen, parts)
    names = tuple(levels.name for levels in seen.attributes)
    return replace(seen, flow=_flow(seen, protocol, steps, read)), replace(protocol, groups=names)


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


def _spelled(label: str, labels: tuple[str, ...]) -> str:
    tried = (label, TRUTH.get(label, label), TRUTH.get(label, label).upper(), label.capitalize())
    return next((spelling for spelling in tried if spelling in labels), "")


def _resolve(argument: str, label: str, labels: tuple[str, ...], column: str) -> str:
    """The label as the data spell it: 1, and R's TRUE, mean True where the column is logical."""
    spelling = _spelled(label, labels)
    if spelling:
        return spelling
    raise InputError(
        f"{argument} has {label!r}; {column!r} has no such label{nearest(label, labels)}; "
        f"its labels are {listing(sorted(labels))}; pass one of them."
    )


def _binary(columns: Columns, role: str, name: str) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    codes, labels = code_column(columns, role, name)
    if len(labels) > 2:
        raise InputError(
            f"{role} has {name!r} with {len(labels)} values ({listing(sorted(labels))}); it must have two; "
            f"recode it to two values, or leave out the rows with the others."
        )
    return codes, labels


def _second(labels: tuple[str, ...], *asked: str) -> tuple[str, ...]:
    """The two labels of a column in which one is never met: an audit in which nobody was selected is an audit."""
    if len(labels) != 1:
        return labels
    other = next((a for a in asked if a and not _spelled(a, labels)), "False" if labels == ("True",) else "True")
    return (*labels, other)


def _place(labels: tuple[str, ...], label: str) -> int:
    """The code of a label, one that nobody has where the label is never met."""
    return labels.index(label) if label in labels else len(labels)


def _coded(codes: NDArray[np.int32], one: int) -> NDArray[np.int8]:
    return np.where(codes < 0, UNKNOWN, codes == one).astype(np.int8)


def _outcome(columns: Columns, protocol: Protocol) -> tuple[NDArray[np.int8] | None, Protocol]:
    if not protocol.outcome:
        return None, protocol
    codes, labels = _binary(columns, "outcome", protocol.outcome)
    positive = _resolve("positive", protocol.positive, _second(labels, protocol.positive), protocol.outcome)
    return _coded(codes, _place(labels, positive)), replace(protocol, positive=positive)


def _decision(
    columns: Columns, protocol: Protocol, score: NDArray[np.float64] | None
) -> tuple[NDArray[np.int8] | None, Protocol]:
    if protocol.threshold is not None and score is not None:
        _check_threshold(protocol, score)
        predicts = protocol.predicts or "1"
        said = (score >= protocol.threshold) == (predicts == "1")
        return np.where(np.isnan(score), UNKNOWN, said).astype(np.int8), replace(protocol, predicts=predicts)
    if not protocol.decision:
        return None, protocol
    codes, met = _binary(columns, "decision", protocol.decision)
    labels = _second(met, protocol.favorable, protocol.predicts, protocol.positive if protocol.outcome else "")
    favorable = _resolve("favorable", protocol.favorable, labels, protocol.decision)
    protocol = replace(protocol, favorable=favorable)
    if not protocol.outcome:
        return _coded(codes, _place(met, favorable)), replace(protocol, predicts="")
    protocol = replace(protocol, predicts=_predicts(protocol, labels))
    return _coded(codes, _place(met, protocol.predicts)), protocol


def _predicts(protocol: Protocol, labels: tuple[str, ...]) -> str:
    """The decision label that says "positive": the outcome's own label where both columns speak of the same thing."""
    if protocol.predicts:
        return _resolve("predicts", protocol.predicts, labels, protocol.decision)
    for spelling in (protocol.positive, TRUTH.get(protocol.positive, protocol.positive)):
        if spelling in labels:
            return spelling
    if protocol.positive in TRUTH.values():
        numeric = {"True": "1", "False": "0"}[protocol.positive]
        if numeric in labels:
            return numeric
    raise InputError(
        f"decision has {protocol.decision!r} with the labels {listing(sorted(labels))}, and the positive label of "
        f"{protocol.outcome!r} is {protocol.positive!r}; which decision predicts it cannot be known from the names; "
        f"pass predicts= with one of the decision's labels."
    )


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
