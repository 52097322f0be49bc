"""From a table of people and a survey's design to its units, strata, populations and replicates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.designs import KINDS, UNIT, SurveyDesign
from fairstats.auditing.input import Observations, checked_weights, label_columns, observe
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.tally import Tally
from fairstats.data.engines import source_of
from fairstats.data.tables import Columns, Factor
from fairstats.errors import InputError, Setting, listing, named, nearest, rows_at, with_hint
from fairstats.inference.rates.sampling import Calibration, Sampling
from fairstats.language import DataText, message
from fairstats.provenance import READ, DataSource, FlowStep, take_in

Floats = NDArray[np.float64]


def with_design(data: Any, declared: Protocol) -> tuple[Tally, DataSource, tuple[Columns, Observations], Sampling]:
    """Count people by the unit that they were drawn in, keep their rows, and read how units were drawn.

    Raises InputError: if there are no rows of people in memory, or the columns of the design contradict each other.
    """
    if isinstance(data, Tally) or source_of(data, lambda names: ()) is not None:
        what = "a tally, which has no units" if isinstance(data, Tally) else "counted where it is, in parts"
        raise InputError(
            "design",
            f"is given, and {named('data')} is {what}; a design needs a row a person: pass one table in memory.",
        )
    design = declared.design
    units = [stage["clusters"] for stage in design.stages if "clusters" in stage]
    columns, source = take_in(data, [*label_columns(declared), *([design.strata] if design.strata else []), *units])
    roles = [("weights", design.weights), ("strata", design.strata)]
    roles += [pair for stage in design.stages for pair in stage.items()]
    roles += [("calibration", name) for name in design.calibration]
    roles += [("base_weights", design.base_weights), ("calibrated_weights", design.calibrated_weights)]
    roles += [("domain", design.domain)]
    for role, name in filter(all, roles):
        if name not in columns.names:
            raise InputError(
                "design",
                with_hint(
                    f"has {role} {name!r}; data have no such column",
                    nearest(name, columns.names),
                    "name one of data's.",
                ),
            )
    weights = checked_weights(columns, declared)
    assert weights is not None
    if design.replicate_weights:
        unit = np.arange(columns.n)
        sampling = _replicated(columns, design)
    else:
        unit, sampling = _drawn(columns, design)
    inside = _domain(columns, design, weights)
    if not inside.all():  # variances keep the units of all rows, as in R's subset of a design
        columns = columns.some(inside)
    seen = observe(columns, declared, weights[inside])
    labels = tuple(map(str, range(sampling.units)))
    seen = replace(seen, factors=seen.factors | {UNIT: Factor(unit[inside].astype(np.intp), labels)})
    return Tally.of(seen), source, (columns, seen), sampling


OUTSIDE = message("outside the domain {name}")
NO_WEIGHT = message("of weight 0")
OF_VARIANCES = message("in no count; their units stay in the variances")


def of_domain(steps: Sequence[FlowStep], source: DataSource, design: SurveyDesign) -> tuple[FlowStep, ...]:
    """The flow of counts with the rows outside the domain before those of the domain."""
    first = steps[0]
    if first.n == source.rows:
        return tuple(steps)
    label = OUTSIDE.format(name=DataText(design.domain)) if design.domain else NO_WEIGHT
    outside = FlowStep(label, source.rows - int(first.n), OF_VARIANCES)
    return (FlowStep(READ[0], source.rows), outside, replace(first, label=READ[2]), *steps[1:])


def _domain(columns: Columns, design: SurveyDesign, weights: Floats) -> NDArray[np.bool_]:
    """Who is audited: of the named column, and of a weight above 0."""
    inside = weights > 0
    if not design.domain:
        return inside
    way = "name a column of True and False, or of 1 and 0"
    if not columns.is_numeric(design.domain):
        first = listing(columns.labels(design.domain, "domain").levels, 3)
        raise InputError("design", f"has domain {design.domain!r}, with {first}; {way}.")
    values = _numbers(columns, "domain", design.domain)
    if not np.isin(values, (0, 1)).all():
        other = values[~np.isin(values, (0, 1))][0]
        raise InputError("design", f"has domain {design.domain!r}, with {other:g}; {way}.")
    inside &= values == 1
    if not inside.any():
        raise InputError("design", f"has domain {design.domain!r}, in which nobody is of a weight above 0; correct it.")
    return inside


def _labels(columns: Columns, role: str, name: str) -> Factor:
    factor = columns.labels(name, role)
    _known(factor.codes < 0, role, name)
    return factor


def _numbers(columns: Columns, role: str, name: str) -> Floats:
    values = columns.numeric(name, role)
    _known(np.isnan(values), role, name)
    return values


def _known(lost: NDArray[np.bool_], role: str, name: str) -> None:
    if lost.any():
        rows = rows_at(np.flatnonzero(lost))
        raise InputError(
            "design",
            f"has {role} {name!r} with {int(lost.sum())} missing values ({rows}); who was drawn how is known of "
            "everybody; fill them in.",
        )


def _drawn(columns: Columns, design: SurveyDesign) -> tuple[NDArray[np.intp], Sampling]:
    """The unit of every row at the last stage, and how units of all stages were drawn."""
    unit, plan = _first_stage(columns, design, design.stages[0])
    share, plans = np.ones(len(plan.drawn)), [plan]
    for stage in design.stages[1:]:
        share = (share * (1 - plans[-1].left))[plans[-1].stratum]
        unit, plan = _later_stage(columns, design, stage, unit, share)
        plans.append(plan)
    if all((plan.left < 1e-7).all() for plan in plans):
        raise InputError(
            "design",
            f"has fpc {listing([stage['fpc'] for stage in design.stages])} by which every unit was drawn; then nothing "
            "is uncertain; leave fpc out to think of these units as a sample, or audit people without a design.",
        )
    if design.calibration:  # rows are regressed: a last stage that draws all of them
        rows = np.bincount(unit).astype(float)
        plans.append(Sampling(unit.astype(np.intp), rows, np.zeros(len(rows))))
        unit = np.arange(columns.n)
    for i in reversed(range(len(plans) - 1)):
        plans[i] = replace(plans[i], later=plans[i + 1])
    return unit, replace(plans[0], calibration=_calibration(columns, design)) if design.calibration else plans[0]


def _calibration(columns: Columns, design: SurveyDesign) -> Calibration:
    """What weights were calibrated to, of every row."""
    parts = []
    for name in design.calibration:
        if columns.is_numeric(name):
            parts.append(_numbers(columns, "calibration", name)[:, None])
        else:
            labels = _labels(columns, "calibration", name)
            parts.append((labels.codes[:, None] == np.arange(len(labels.levels))).astype(float))
    base = _numbers(columns, "base_weights", design.base_weights)
    after = _numbers(columns, "calibrated_weights", design.calibrated_weights or design.weights)
    if not np.isfinite(base).all() or (base < 0).any():
        raise InputError("design", f"has base_weights {design.base_weights!r} below 0 or infinite; correct them.")
    return Calibration.of(np.concatenate(parts, axis=1), base, after)


def _later_stage(
    columns: Columns, design: SurveyDesign, names: dict[str, str], parent: NDArray[np.intp], share: Floats
) -> tuple[NDArray[np.intp], Sampling]:
    """The units that were drawn within those of the stage before, whose labels may begin anew in each.

    parent: the unit of every row at the stage before. share: of each such unit's stratum what was drawn until then.
    """
    labels = _labels(columns, "clusters", names["clusters"])
    pair = parent * np.intp(len(labels.levels)) + labels.codes
    _, first, unit = np.unique(pair, return_index=True, return_inverse=True)
    of_unit = parent[first]
    within = Factor(parent, tuple(map(str, range(len(share)))))
    counts, left = _counted(columns, names, parent, within, of_unit)
    single = (counts == 1) & (left >= 1e-7)
    if single.any() and design.single_units in ("fail", "average"):
        raise InputError(
            "design",
            f"has {int(single.sum())} units of the stage before with one unit of {names['clusters']!r}; name a rule "
            f"for them: {Setting('single_units', 'adjust')} or 'certainty'.",
        )
    return unit.ravel(), Sampling(of_unit, counts, left, design.single_units, share=share)


def _first_stage(columns: Columns, design: SurveyDesign, names: dict[str, str]) -> tuple[NDArray[np.intp], Sampling]:
    n = columns.n
    strata = _labels(columns, "strata", design.strata) if design.strata else Factor(np.zeros(n, dtype=np.intp), ("",))
    stratum = strata.codes.astype(np.intp)
    if "clusters" in names:
        clusters = _labels(columns, "clusters", names["clusters"])
        pair = stratum * np.intp(len(clusters.levels)) + clusters.codes
        present, first, unit = np.unique(
            pair if design.nest else clusters.codes, return_index=True, return_inverse=True
        )
        unit = unit.ravel()
        if not design.nest and len(np.unique(pair)) > len(present):
            row = int(np.flatnonzero(stratum != stratum[first][unit])[0])
            raise InputError(
                "design",
                f"has clusters {names['clusters']!r} with {clusters.levels[clusters.codes[row]]!r} in more than one "
                f"stratum of {design.strata!r}; where labels begin anew in each stratum, pass {Setting('nest', True)}; "
                "otherwise correct one of the columns.",
            )
    else:
        unit = first = np.arange(n)
    of_unit = stratum[first]
    counts, left = _counted(columns, names, stratum, strata, of_unit)
    if design.single_units == "fail":
        _refuse_strata(
            (counts == 1) & (left >= 1e-7), strata, "one drawn unit",
            f"; if the table was cut to a subset, pass all its rows and name who is audited by {named('domain')}; "
            f"otherwise name a rule for such strata: {Setting('single_units', 'adjust')}, 'average' or 'certainty'",
        )  # fmt: skip
    return unit, Sampling(of_unit, counts, left, design.single_units)


def _counted(
    columns: Columns, names: dict[str, str], stratum: NDArray[np.intp], strata: Factor, of_unit: NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """Units that were drawn of each stratum, and the share of its population that was not."""
    counts = rows = np.bincount(of_unit, minlength=len(strata.levels)).astype(float)
    if "drawn" in names:
        counts = _of_strata(columns, "drawn", names["drawn"], stratum, strata)
        _refuse_strata(counts < rows, strata, f"drawn {names['drawn']!r} below the units that have rows")
    if "fpc" not in names:
        return counts, np.ones(len(counts))
    population = _of_strata(columns, "fpc", names["fpc"], stratum, strata)
    if (population <= 0).any() or ((population < 1).any() and (population > 1).any()):
        raise InputError(
            "design",
            f"has fpc {names['fpc']!r} with {population.min():g} to {population.max():g}; it is the number of units "
            "in each stratum's population, or the share of them that was drawn, above 0 and at most 1; correct it.",
        )
    sizes = population if (population > 1).any() else counts / population
    _refuse_strata(sizes < counts - 1e-9, strata, f"fpc {names['fpc']!r} below the units that were drawn")
    return counts, 1 - counts / sizes


def _refuse_strata(bad: NDArray[np.bool_], strata: Factor, fact: str, way: str = "; correct the column") -> None:
    if bad.any():
        where = listing([strata.levels[i] for i in np.flatnonzero(bad)])
        which = f" in {'strata' if bad.sum() > 1 else 'stratum'} {where}" if len(strata.levels) > 1 else ""
        raise InputError("design", f"has {fact}{which}{way}.")


def _of_strata(columns: Columns, role: str, name: str, stratum: NDArray[np.intp], strata: Factor) -> Floats:
    """A number that is the same in all rows of a stratum."""
    values = _numbers(columns, role, name)
    least, most = np.full(len(strata.levels), np.inf), np.full(len(strata.levels), -np.inf)
    np.minimum.at(least, stratum, values)
    np.maximum.at(most, stratum, values)
    _refuse_strata(least != most, strata, f"{role} {name!r} with different values", "; it is one number a stratum")
    return least


NEARLY_ALIKE, MOST_ALIKE = 0.45, 0.5  # a jackknife of four units multiplies by 4/3, half samples by 0 or 2
LEAST_SUM = 0.5  # of replicate weights, by the sum of weights: factors of weights beyond 2 lie below


def _replicated(columns: Columns, design: SurveyDesign) -> Sampling:
    names: list[str] = []
    for name in design.replicate_weights:
        found = [name] if name in columns.names else [c for c in columns.names if "*" in name and fnmatchcase(c, name)]
        if not found:
            raise InputError(
                "design",
                with_hint(
                    f"has replicate_weights {name!r}; data have no such column",
                    nearest(name, columns.names),
                    "name a column of data.",
                ),
            )
        names += found
    weights = np.column_stack([_numbers(columns, "replicate_weights", name) for name in names])
    if not np.isfinite(weights).all() or (weights < 0).any():
        at = int(np.argmax(((weights < 0) | ~np.isfinite(weights)).any(axis=0)))
        raise InputError(
            "design", f"has replicate_weights {names[at]!r} with negative or infinite values; correct them."
        )
    whole = _numbers(columns, "weights", design.weights)
    weights = weights if design.combined_weights else weights * whole[:, None]
    R = len(names)
    if len(design.rscales) not in (0, R):
        raise InputError(
            "design",
            f"has {len(design.rscales)} rscales and {R} replicates; pass one of each; what is common to all is scale.",
        )
    share = float(weights.sum() / R / whole.sum())
    if not LEAST_SUM < share < 1 / LEAST_SUM:
        way, factors = "correct them", Setting("combined_weights", False)
        if design.combined_weights and share < 1:
            way = f"if they are factors of the weights, pass {factors}; otherwise correct them"
        elif not design.combined_weights and share > 1:
            way = f"if they are whole weights, leave out {factors}; otherwise correct them"
        raise InputError(
            "design",
            f"has replicate_weights {listing(names, 4)} whose sums are about {share:.3g} times that of the weights "
            f"{design.weights!r}, not the same; {way}.",
        )
    scale = design.scale
    if scale is None and design.kind == "BRR":  # each replicate has half of the units, with twice the weight
        near = np.abs(weights - whole[:, None]) <= NEARLY_ALIKE * whole[:, None]
        alike = float(near[whole > 0].mean())
        if alike > MOST_ALIKE:
            raise InputError(
                "design",
                f"has kind 'BRR', and {alike:.0%} of the replicate weights are about those of the whole, as of a "
                "jackknife; of half samples they are about 0 or twice as large; "
                f"pass {Setting('kind', 'JK1')} or 'JKn', or a scale.",
            )
    if scale is None:
        scale = dict(zip(KINDS, (1 / R, (R - 1) / R, 1.0, 1 / max(R - 1, 1)), strict=False))[design.kind]
    scales = np.full(R, scale) * (np.array(design.rscales) if design.rscales else 1.0)
    one = np.ones(1)
    return Sampling(np.zeros(columns.n, dtype=np.intp), one, one, replicates=weights, scales=scales, mse=design.mse)
