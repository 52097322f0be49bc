"""A tally in the codes that estimates are made of: 0 and 1 for answers, levels by size, intersections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.attributes import audited, check_levels, missing_refused, strata_levels
from fairstats.auditing.input import UNKNOWN, WHOLE, answers_of, check_binary, check_people, check_roles, no_cluster
from fairstats.auditing.own_words import known_focus, known_words
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.resolved import Resolved, resolve
from fairstats.auditing.tally import Tally
from fairstats.auditing.withheld_cells import Withheld, withheld_cells
from fairstats.data.factors import Factor
from fairstats.data.grids import EXACT, parted
from fairstats.errors import InputError, listing, nearest
from fairstats.labels import MISSING_LEVEL, column_parts
from fairstats.studies.attribute import Attribute, by_size
from fairstats.studies.flow import ANALYZED, READ, FlowStep

COMPLETE = "with outcome and decision"  # a step of the flow of counts
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class WeightSums:
    """Of every cell: rows of a weight above 0, the sum of the weights, and the sum of their squares."""

    used: Floats
    weight: Floats
    square: Floats

    def take(self, keep: NDArray[np.bool_]) -> WeightSums:
        """The sums of some cells."""
        return WeightSums(self.used[keep], self.weight[keep], self.square[keep])


@dataclass(frozen=True, eq=False)
class CodedTally:
    """Cells of people: outcome and decision are 0, 1 or `UNKNOWN`; absent columns are None."""

    attributes: tuple[Attribute, ...]
    rows: Floats  # people recorded, by cell
    outcome: NDArray[np.int8] | None = None
    decision: NDArray[np.int8] | None = None  # 1 is the decision that predicts the positive outcome
    favors: int = 1  # the code of the favorable decision
    score: Floats | None = None
    weights: WeightSums | None = None
    clusters: NDArray[np.int32] | None = None
    strata: Attribute | None = None
    flow: tuple[FlowStep, ...] = field(default=())
    level: int = EXACT  # of the grid that the scores are on
    withheld: Withheld | None = None  # what sites did not tell
    dropped: float = 0.0  # people left out because a group of theirs is missing

    @property
    def size(self) -> int:
        """Rows in all cells."""
        return int(self.rows.sum())

    @property
    def weight(self) -> Floats:
        """The sum of the weights by cell; the rows where nobody is weighted."""
        return self.rows if self.weights is None else self.weights.weight

    @property
    def used(self) -> Floats:
        """Rows of a weight above 0, by cell."""
        return self.rows if self.weights is None else self.weights.used

    @property
    def square(self) -> Floats:
        """The sum of the squared weights by cell."""
        return self.rows if self.weights is None else self.weights.square

    def people(self, weight_type: str) -> Floats:
        """People by cell: a frequency weight counts people, a probability weight does not."""
        return self.rows if weight_type == "probability" else self.weight

    def take(self, keep: NDArray[np.bool_]) -> CodedTally:
        """The tally of some cells."""

        def part(levels: Attribute) -> Attribute:
            return Attribute(levels.name, levels.codes[keep], levels.labels)

        return replace(
            self,
            attributes=tuple(map(part, self.attributes)),
            rows=self.rows[keep],
            outcome=None if self.outcome is None else self.outcome[keep],
            decision=None if self.decision is None else self.decision[keep],
            score=None if self.score is None else self.score[keep],
            weights=None if self.weights is None else self.weights.take(keep),
            clusters=None if self.clusters is None else self.clusters[keep],
            strata=None if self.strata is None else part(self.strata),
        )


def code(tally: Tally, declared: Protocol) -> tuple[CodedTally, Resolved]:
    """Say a tally in the codes of a protocol, and the protocol in the labels of the tally.

    Parameters
    ----------
    tally : Tally
        People counted.
    declared : Protocol
        What to look at.

    Returns
    -------
    CodedTally, Resolved
        The cells, and the protocol as the data spell it; what was declared is left as it is.

    Raises
    ------
    InputError
        If a column cannot be used in its role.

    Examples
    --------
    >>> from fairstats.auditing.input import Observations
    >>> columns = {"sex": Factor(np.array([0, 1, 1]), ("f", "m")), "hired": Factor(np.array([1, 0, 1]), ("0", "1"))}
    >>> coded, _ = code(Tally.of(Observations(columns, {})), Protocol(groups=("sex",), decision="hired"))
    >>> coded.attributes[0].labels, coded.decision.tolist(), coded.rows.tolist()
    (('m', 'f'), [1, 0, 1], [1.0, 1.0, 1.0])
    """
    _judge(tally, declared)
    outcome, decision = (_binary(tally, *answer) for answer in answers_of(declared))
    parts = _parts(tally, declared)
    attributes = audited({name: part.with_missing_level() for name, part in parts.items()}, declared, tally.rows)
    labels = {levels.name: levels.labels for levels in attributes}
    held = column_parts(declared.strata, tuple(tally.factors)) if declared.strata else ()
    known_words(declared.words, {**dict.fromkeys(held, ()), **labels})
    known_focus(declared.focus, labels)
    resolved = resolve(
        declared,
        outcome=None if outcome is None else outcome.levels,
        decision=None if decision is None else decision.levels,
        attributes=tuple(levels.name for levels in attributes),
    )
    score = tally.numbers[declared.score] if declared.score else None
    coded = CodedTally(
        attributes=attributes,
        rows=tally.rows,
        outcome=None if outcome is None else _coded(outcome, resolved.positive),
        decision=_decisions(score, decision, resolved, tally),
        favors=int(resolved.favorable == resolved.predicts or not resolved.predicts),
        score=score,
        weights=WeightSums(tally.used, tally.weight, tally.square) if declared.weights else None,
        clusters=tally.factors[declared.clusters].codes.astype(np.int32) if declared.clusters else None,
        strata=strata_levels(tally.factors, declared.strata, tally.rows) if declared.strata else None,
        level=tally.grids.get(declared.score, EXACT),
    )
    if tally.most.any():
        hidden = withheld_cells(tally, attributes, coded.outcome, coded.decision, not declared.decision)
        coded = replace(coded.take(tally.rows > 0), withheld=hidden)
        for attribute in coded.attributes:
            check_levels(attribute.name, attribute.labels)
    if declared.missing == "drop":
        shown = slice(None) if coded.withheld is None else tally.rows > 0
        coded = _without_missing(coded, {name: part.take(shown) for name, part in parts.items()})
    if coded.clusters is not None:
        no_cluster(declared.clusters, coded.rows[coded.clusters < 0].sum())
    return replace(coded, flow=_flow(coded, resolved, tally, parts)), resolved


def _judge(tally: Tally, declared: Protocol) -> None:
    """What a protocol asks for is in the tally, which may have been counted for another one."""
    check_roles([*tally.factors, *tally.numbers], declared)
    parts = [part for group in declared.groups for part in column_parts(group, tally.factors)]
    strata = column_parts(declared.strata, tally.factors) if declared.strata else []
    asked = [("groups", name) for name in parts] + [("strata", name) for name in strata]
    for role, name in [*asked, *(a[:2] for a in answers_of(declared)), ("clusters", declared.clusters)]:
        _present(role, name, tally.factors)
    _present("score", declared.score, tally.numbers)
    if declared.weights not in ("", tally.weights):
        fact = f"sums those of {tally.weights!r}" if tally.weights else "was counted without weights"
        raise InputError(f"weights has {declared.weights!r}; the tally {fact}; count it with these weights.")
    if declared.weights and declared.weight_type == "frequency":
        if (tally.weight != np.round(tally.weight)).any():
            raise InputError(f"weights has {declared.weights!r} with values that are not whole; {WHOLE}.")
        check_people(declared.weights, float(tally.weight.sum()))


def _present(role: str, name: str, columns: Mapping[str, object]) -> None:
    if name and name not in columns:
        raise InputError(
            f"{role} has {name!r}; the tally has no such column{nearest(name, columns)}; it has "
            f"{listing(columns, 12) or 'none'}; count it with {role}={name!r}."
        )


def _binary(tally: Tally, role: str, name: str, one: str) -> Factor | None:
    if not name:
        return None
    check_binary(role, name, tally.factors[name], one)
    return tally.factors[name]


def _parts(tally: Tally, declared: Protocol) -> dict[str, Factor]:
    """The single columns of the audited attributes, missing people coded −1."""
    names = dict.fromkeys(part for group in declared.groups for part in column_parts(group, tuple(tally.factors)))
    parts = {name: tally.factors[name] for name in names}
    for name, part in parts.items():
        check_levels(name, part.levels)
        if declared.missing == "raise":
            missing_refused(name, float(tally.rows[part.codes < 0].sum()))
    return parts


def _coded(factor: Factor, one: str) -> NDArray[np.int8]:
    """1 where a column has a label (which may be one that nobody has), 0 elsewhere."""
    place = factor.levels.index(one) if one in factor.levels else len(factor.levels)
    return np.where(factor.codes < 0, UNKNOWN, factor.codes == place).astype(np.int8)


def _decisions(
    score: Floats | None, decision: Factor | None, resolved: Resolved, tally: Tally
) -> NDArray[np.int8] | None:
    """The decisions of a column, or those that a threshold makes of scores; 1 predicts the positive outcome."""
    if decision is not None:
        return _coded(decision, resolved.predicts or resolved.favorable)
    if score is None or resolved.threshold is None:
        return None
    _check_threshold(resolved.score, score, resolved.threshold)
    unknown = tally.rows[parted(resolved.threshold, score, tally.grids.get(resolved.score, EXACT))].sum()
    if unknown:
        raise InputError(
            f"threshold has {resolved.threshold!r}; the tally has the scores of {resolved.score!r} on a grid, and "
            f"{unknown:g} people in the bin of the threshold; audit the rows with this threshold, or count the "
            "decision as a column of its own."
        )
    positive = (score >= resolved.threshold) == (resolved.predicts == "1")
    return np.where(np.isnan(score), UNKNOWN, positive).astype(np.int8)


def _check_threshold(name: str, score: Floats, threshold: float) -> None:
    low, high = float(np.nanmin(score)), float(np.nanmax(score))
    if not low < threshold <= high:
        raise InputError(
            f"threshold has {threshold:g}; the scores in {name!r} go from {low:g} to {high:g}, so "
            f"everybody would get the same decision; pass a threshold above {low:g} and at most {high:g}."
        )


def _without_missing(coded: CodedTally, parts: dict[str, Factor]) -> CodedTally:
    keep = np.all([part.codes >= 0 for part in parts.values()], axis=0)
    kept = coded.take(keep)
    attributes = tuple(by_size(levels, kept.rows) for levels in kept.attributes)
    for attribute in attributes:
        check_levels(attribute.name, attribute.labels)
    strata = None if kept.strata is None else by_size(kept.strata, kept.rows)
    return replace(kept, attributes=attributes, strata=strata, dropped=float(coded.rows[~keep].sum()))


def _flow(coded: CodedTally, resolved: Resolved, tally: Tally, parts: dict[str, Factor]) -> tuple[FlowStep, ...]:
    """How many rows were read, where each went, and how many are analyzed; of rows that stand for people, people."""
    kept = f"kept as the level {MISSING_LEVEL}" if resolved.missing == "level" else "left out"
    frequent = bool(resolved.weights) and resolved.weight_type == "frequency"
    everybody, people = (tally.weight, coded.weight) if frequent else (tally.rows, coded.rows)
    flow = [FlowStep(READ[0], int(tally.rows.sum()))]
    flow += [FlowStep(READ[1], int(everybody.sum()))] if frequent else []
    for name, part in parts.items():
        if lost := int(everybody[part.codes < 0].sum()):
            flow.append(FlowStep(f"{name} missing", lost, kept))
    complete = np.ones(coded.rows.size, dtype=bool)
    for role in ("outcome", "decision"):
        codes = getattr(coded, role)
        if codes is not None:
            lost = int(people[codes == UNKNOWN].sum())
            flow.append(FlowStep(f"{role} missing", lost, f"left out of the rates that need the {role}"))
            complete &= codes != UNKNOWN
    if coded.score is not None and resolved.threshold is None:
        lost = int(people[np.isnan(coded.score)].sum())
        flow.append(FlowStep("score missing", lost, "left out of the comparison of scores"))
    flow.append(FlowStep(ANALYZED[frequent], int(people.sum())))
    if coded.outcome is not None and coded.decision is not None:
        flow.append(FlowStep(COMPLETE, int(people[complete].sum()), "the base of the error rates"))
    return tuple(flow)
