"""Results as R keeps them: plain lists and data frames with a class, that print and tidy without Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np

from fairstats.auditing.answer import FIRST_RATES, answered_by_scores, held_fixed, is_crude, metric_within
from fairstats.auditing.change import AuditComparison, group_called, named_statements, not_compared_among
from fairstats.auditing.group_studies import BEFORE, GroupStudy, allowed_gaps
from fairstats.auditing.local_law_144 import ImpactTable
from fairstats.auditing.naming import worded
from fairstats.auditing.result import Audit, glance_entries
from fairstats.auditing.result import texts as texts_of_audit
from fairstats.auditing.sentences import strata_name, within_heading
from fairstats.auditing.tally import Tally
from fairstats.cluster.partition import Partition
from fairstats.comparing.result import Comparison, comparison_headline
from fairstats.data.groups import Encoding
from fairstats.data.moments import Moments
from fairstats.errors import ConversionError
from fairstats.estimates import GLOSSARY, Estimates, Result
from fairstats.language import translated
from fairstats.methods.crossfit import OutOfFoldScores
from fairstats.methods.feature_maps import Eraser, GroupAdjustment
from fairstats.methods.kernel_result import KernelProjection
from fairstats.methods.results import Projection
from fairstats.metrics import METRICS
from fairstats.provenance import Curve
from fairstats.reporting import words
from fairstats.reporting.sections.shared import of_flags, rate_name
from fairstats.result_classes import classes_in_r
from fairstats.rvalues.convert import Items, Record, as_column, as_numbers, as_text, data_frame

if TYPE_CHECKING:
    import pandas as pd


# Tables as R keeps them: broom's names of columns, NA where there is nothing, one row a point of a curve.


def r_names(frame: pd.DataFrame) -> Items:
    """A table with broom's column names (``std.error``, ``adj.p.value``), and R's NA where there is nothing."""
    return _table(dict(zip(frame.columns, frame.to_numpy(dtype=object).T.tolist(), strict=True)))


@singledispatch
def glance(result: Any) -> Items:
    """Broom's one line about a result."""
    frame = result.glance()
    return _one_line({name: frame[name].tolist() for name in frame.columns})


@glance.register(Audit)
def _glance_of_audit(audit: Audit) -> Items:
    return _one_line({name: [value] for name, value in glance_entries(audit).items()})  # pandas takes ten times as long


def _one_line(entries: Mapping[str, Sequence[Any]]) -> Items:
    """Entries of a glance; of how many rows a result is, is what broom's friends look for as ``nobs``."""
    return _table({"nobs" if name in ("rows", "n") else name: values for name, values in entries.items()})


@singledispatch
def texts(result: Any) -> dict[str, str]:
    """What a result says of itself: its summary, and what is printed."""
    return {"summary": result.summary(), "printed": str(result)}


texts.register(Audit, texts_of_audit)


@texts.register(Estimates)
def _texts_of_rows(rows: Estimates) -> dict[str, str]:
    return {"summary": rows.summary(), "printed": repr(rows)}  # their text has every column, as wide as that is


def _table(columns: Mapping[str, Sequence[Any]]) -> Items:
    """Columns as R's data frame, each under the name that broom has for it."""
    heads = {name: GLOSSARY[name].r_name if name in GLOSSARY else _dotted(name) for name in columns}
    return data_frame({heads[name]: as_column(values, name) for name, values in columns.items()})


def _rows(items: Sequence[Any]) -> Items:
    """Dataclasses as a table with a line each."""
    return _table({f.name: [getattr(one, f.name) for one in items] for f in fields(items[0])} if items else {})


def _dotted(name: str) -> str:
    return name if name.startswith(".") else name.replace("_", ".")


def common_fields(result: Any) -> dict[str, Any]:
    """What every result says: its summary, its text, its rows under a unique ``term``, their verdicts, a ``glance``."""
    rows = result.estimates
    columns = {
        "name" if c.name == "term" else c.r_name: (as_text if c.dtype == "str" else as_numbers)(rows.column(c.name))
        for c in GLOSSARY.values()
    }
    # broom's friends want one column that is unique
    if (ways := result._directions(rows)) is not None:
        columns["direction"] = as_text(ways)
    tidy = data_frame({"term": as_text([row.label for row in rows]), **columns})
    margin = result.protocol.margin.difference if isinstance(result, Audit) else None
    said = as_text([words.verdict(row, margin) for row in rows])
    return {**texts(result), "tidy": tidy, "verdict_words": said, "glance": glance(result)}


def curve_rows(curves: Iterable[Curve]) -> Items:
    """The points of curves, a row a point: of which kind, attribute and group, with a band where there is one."""
    texts: dict[str, list[str | None]] = {name: [] for name in ("kind", "attribute", "group", "term")}
    points: dict[str, list[float | None]] = {name: [] for name in ("x", "y", "conf.low", "conf.high")}
    for one in curves:
        n = len(one.x)
        for name, entries in texts.items():
            entries += [getattr(one, name, None)] * n
        band = (one.x, one.y, one.low or [None] * n, one.high or [None] * n)
        for entries_of, values in zip(points.values(), band, strict=True):
            entries_of += values
    said = {name: as_text(entries) for name, entries in texts.items()}
    return data_frame(said | {name: as_numbers(entries) for name, entries in points.items()})


@singledispatch
def extra(result: Any) -> dict[str, Any]:
    """What the record of a class has beside what every result says; nothing without a function below."""
    return {}


def record(result: Any) -> Record:
    """A result of the package as a record: what every result says, and what its kind adds.

    Every record has ``summary`` (text), ``tidy`` and ``glance`` (data frames with broom's column names). A linear fit
    also has the fields of R's ``prcomp``, and what new rows need to be scored without Python.

    Raises ConversionError: ``result`` is no result of this package.
    """
    names = classes_in_r(result)
    if names is not None:
        common = {} if isinstance(result, (Moments, Tally)) else common_fields(result)  # which are no tidy rows
        return Record(names, {**common, **extra(result)})
    if isinstance(result, Result):
        return Record(("fairstats_result", "fairstats"), common_fields(result))
    raise ConversionError(
        f"a {type(result).__name__} is no result of this package; give a fit, an audit, a comparison or estimates."
    )


def recorded(value: Any) -> Any:
    """The value with every result of this package in it, however deep in lists and dictionaries, as a record.

    >>> recorded([1, {"a": 2.0}])
    [1, {'a': 2.0}]
    """
    if isinstance(value, Mapping):
        return {name: recorded(part) for name, part in value.items()}
    if type(value) in (list, tuple):
        return [recorded(part) for part in value]
    current = type(value).__module__.startswith("fairstats.") and not isinstance(value, Record)
    return record(value) if current else value


def _named_vector(values: np.ndarray, names: tuple[str, ...]) -> Any:
    import pandas as pd

    return pd.Series(values, index=pd.Index(names, dtype=object))


def matrix(values: np.ndarray, rows: tuple[str, ...] | None, columns: tuple[str, ...] | None) -> pd.DataFrame:
    """A frame that becomes an R matrix with these dimnames."""
    import pandas as pd

    index = None if rows is None else pd.Index(rows, dtype=object)
    frame = pd.DataFrame(values, index=index, columns=None if columns is None else pd.Index(columns, dtype=object))
    frame.attrs["r_class"] = "matrix"
    return frame


@extra.register(Projection)
def _projection(fit: Projection) -> dict[str, Any]:
    names = tuple(f"PC{j + 1}" for j in range(fit.k))
    scale = fit.scaling.scale
    return {
        "method": fit.method,
        "sdev": fit.sdev,
        "shares": fit.explained_variance_ratio_,
        "rotation": matrix(fit.loadings, fit.features, names),
        "center": _named_vector(fit.scaling.center, fit.features),
        "scale": False if scale is None else _named_vector(scale, fit.features),
        "weights": matrix(fit.weights, fit.features, names),
        "origin": _named_vector(fit.origin, fit.features),
        "n": int(fit.scaling.n),
        "k": fit.k,
        "formula": _formula(fit.scaling.formula),
        "groups": _groups(fit, names),
        "means": _means(fit),
        "settings": _plain(fit.settings),
    }


def _formula(formula: Any) -> dict[str, Any] | None:
    """Return a formula as text and levels, from which R's model.matrix() makes the same columns."""
    if formula is None:
        return None
    levels = {name: list(levels_of) for name, levels_of in formula.variables.items() if levels_of is not None}
    right = formula.text.split("~", 1)[-1].strip().replace("**", "^")
    return {"text": f"~ {right}", "levels": {k: np.array(v, dtype=object) for k, v in levels.items()}}


def _groups(fit: Projection, names: tuple[str, ...]) -> dict[str, Any] | None:
    """The attributes and their levels, and what the group of a row adds to its scores."""
    if fit.encoding is None:
        return None
    entries = _known(fit.encoding)
    return entries if fit.coefficients is None else {**entries, "added": _added(fit.encoding, -fit.coefficients, names)}


def _means(fit: Projection) -> dict[str, Any] | None:
    """Return what the group of a row adds to its data, where a fit centers each group at its own mean."""
    if fit.encoding is None or fit.group_means is None:
        return None
    return _added(fit.encoding, fit.group_means, fit.features)


def _added(encoding: Encoding, coefficients: np.ndarray, names: tuple[str, ...]) -> dict[str, Any]:
    """Return Z times coefficients (q, m) as a table by level, slopes of continuous attributes, and their constant.

    A table by level is about the attribute's mean, so that a level that is unknown adds nothing.
    """
    every = np.zeros((sum(len(lv) - 1 for lv in encoding.levels) + len(encoding.continuous_names), len(names)))
    center = np.zeros(len(every))
    every[list(encoding.kept)], center[list(encoding.kept)] = coefficients, encoding.center
    offsets, at = {}, 0
    for name, levels in zip(encoding.names, encoding.levels, strict=True):
        part = slice(at, at + len(levels) - 1)
        rows = np.vstack([np.zeros(len(names)), every[part]]) - center[part] @ every[part]
        offsets[name] = matrix(rows, levels, names)
        at = part.stop
    slopes = matrix(every[at:], encoding.continuous_names, names) if encoding.continuous_names else None
    return {"offsets": offsets, "slopes": slopes, "constant": -(center[at:] @ every[at:])}


def _known(encoding: Encoding) -> dict[str, Any]:
    names = np.array([*encoding.names, *encoding.continuous_names], dtype=object)
    levels = {n: np.array(lv, dtype=object) for n, lv in zip(encoding.names, encoding.levels, strict=True)}
    return {"names": names, "levels": levels}


@extra.register(Eraser)
def _eraser(fit: Eraser) -> dict[str, Any]:
    return {
        "method": fit.method,
        "center": _named_vector(fit.scaling.center, fit.features),
        "matrix": matrix(fit.matrix, fit.features, fit.features),
        "formula": _formula(fit.scaling.formula),
        "groups": _known(fit.encoding),
        "n": int(fit.scaling.n),
        "settings": _plain(fit.settings),
    }


@extra.register(GroupAdjustment)
def _group_map(fit: GroupAdjustment) -> dict[str, Any]:
    return {
        "method": fit.method,
        "center": _named_vector(fit.scaling.center, fit.features),
        "formula": _formula(fit.scaling.formula),
        "groups": _known(fit.encoding),
        "n": int(fit.scaling.n),
    }


@extra.register(KernelProjection)
def _kernel(fit: KernelProjection) -> dict[str, Any]:
    return {
        "method": fit.method,
        "center": _named_vector(fit.scaling.center, fit.features),
        "formula": _formula(fit.scaling.formula),
        "groups": None if fit.encoding is None else _known(fit.encoding),
        "n": int(fit.scaling.n),
        "k": fit.k,
        "settings": _plain(fit.settings),
    }


@extra.register(Audit)
def _audit(audit: Audit) -> dict[str, Any]:
    protocol = {f.name: _plain(getattr(audit.protocol, f.name)) for f in fields(audit.protocol)}
    declared = {name: value for name, value in vars(audit.protocol.margin).items() if value is not None}
    headline = {name: list(audit.protocol.headline[1:]) for name in audit.protocol.headline[:1]}
    given = {"margin": declared, "headline": headline, "labels": audit.protocol.labels.given()}
    given["design"] = audit.protocol.design.given()
    given["about"] = audit.protocol.about.given()
    protocol |= {name: value or None for name, value in given.items()}
    return {
        "protocol": protocol,
        "cells": _rows(audit.cells),
        "flow": _rows(audit.flow),
        "references": dict(audit.references),
        "notes": [translated(note) for note in audit.notes],
        "curves": curve_rows(audit.curves),
        "by_group": _by_group(audit),
        "first_rates": as_text([metric for metric in FIRST_RATES if audit.estimates.only(metric=metric)]),
        "within": _within(audit),
        "by_scores": as_text([one for one in audit.references if answered_by_scores(audit, one)]),
        "shown_as": _shown_as(audit),
        **_rate_names(audit),
    } | ({"margins": _margins(audit)} if audit.protocol.margin else {})


def _rate_names(audit: Audit) -> dict[str, Items]:
    """What figures call the rates that the audit answers by, where that is said in words of its own."""
    named = {m: rate_name(audit, m)[1] for m in FIRST_RATES if audit.estimates.only(metric=m)}
    declared = {m: name for m, name in named.items() if name != words.in_text(m) and not of_flags(audit, m)}
    columns = {"metric": as_text(list(declared)), "name": as_text(list(declared.values()))}
    return {"rate_names": data_frame(columns)} if declared else {}


def _shown_as(audit: Audit) -> Items:
    """What print() and reports call every attribute and group."""
    named = worded(audit)
    return _names_of_groups(
        {
            (old.attribute, old.group): (" × ".join(named.protocol.columns_of(new.attribute)), new.group)
            for old, new in zip(audit.cells, named.cells, strict=True)
        }
    )


def _names_of_groups(pairs: Mapping[tuple[str, str], tuple[str, str]]) -> Items:
    columns = "attribute", "group", "attribute_name", "group_name"
    lines = [(*codes, *names) for codes, names in pairs.items()]
    return data_frame({name: as_text([line[j] for line in lines]) for j, name in enumerate(columns)})


def _margins(audit: Audit) -> Items:
    """From where on a disparity matters, of every kind of comparison that a margin was declared for."""
    tested = {(r.metric, r.contrast): r for r in audit.estimates.only(role="main") if r.margin_low == r.margin_low}
    low, high = zip(*map(audit.protocol.margin.around, tested.values()), strict=True) if tested else ((), ())
    named = {name: as_text([kind[j] for kind in tested]) for j, name in enumerate(("metric", "contrast"))}
    return data_frame({**named, "low": as_numbers(low), "high": as_numbers(high)})


def _within(audit: Audit) -> Items:
    """What answers in the place of crude metrics: a row for each that holds no declared factor fixed."""
    p = audit.protocol
    held = held_fixed(p)
    rows = audit.estimates.only(role="main", given=tuple({"", p.alike} - {held})) if held else ()
    known = dict.fromkeys((row.attribute, row.metric) for row in rows if row.metric in METRICS)
    crude = [(attribute, metric) for attribute, metric in known if is_crude(p, metric)]
    columns = {
        "attribute": [attribute for attribute, _ in crude],
        "crude": [metric for _, metric in crude],
        "metric": [metric_within(audit, *one) for one in crude],
        "given": [held] * len(crude),
        "factors": [strata_name(audit)] * len(crude),
        "heading": [within_heading(audit)] * len(crude),
    }
    return data_frame({name: as_text(values) for name, values in columns.items()})


def _by_group(result: Audit | Comparison) -> dict[str, Any]:
    """The metrics of every group (and method) as a table for each attribute, under names that are not R's."""
    tables = {}
    for attribute in result.references:
        frame = result.by_group(attribute)
        heads = {name: frame.index.get_level_values(name).tolist() for name in frame.index.names}
        columns = heads | dict(zip(frame.columns, frame.to_numpy().T.tolist(), strict=True))
        tables[attribute] = data_frame({name: as_column(values, name) for name, values in columns.items()})
    return tables


@extra.register(ImpactTable)
def _impact(table: ImpactTable) -> dict[str, Any]:
    return {
        "attribute": table.attribute,
        "measure": table.measure,
        "highest": table.highest or None,
        "unknown": table.unknown,
        "categories": _rows(table.categories),
    }


@extra.register(GroupStudy)
def _study(study: GroupStudy) -> dict[str, Any]:
    entries: dict[str, Any] = {"finding": study.finding()} | ({} if study.found is None else {"found": study.found})
    if study.periods:
        watched = dict.fromkeys([*study.alarms, *(row.group for row in study.compared())])
        alarms = {group: as_text([study.alarms.get(group)]) for group in watched}
        entries |= {"alarm": as_text([study.alarm]), "alarms": alarms, "new_alarms": study.new_alarms}
        entries["allowed"] = _allowed(study)
    return entries


def _allowed(study: GroupStudy) -> Items:
    """Of every group that is watched the gap of the baseline, and the gaps that raise no alarm."""
    groups = list(dict.fromkeys(row.group for row in study.compared()))
    before = [next(iter(study.estimates.only(group=group, term=BEFORE)), None) for group in groups]
    low, high = zip(*(allowed_gaps(study.margin or 0.0, row) for row in before), strict=True)
    baseline = as_numbers([None if row is None else row.estimate for row in before])
    return data_frame(
        {"group": as_text(groups), "baseline": baseline, "low": as_numbers(low), "high": as_numbers(high)}
    )


@extra.register(AuditComparison)
def _change(change: AuditComparison) -> dict[str, Any]:
    groups = dict.fromkeys((row.attribute, group) for row in change.estimates for group in (row.group, row.reference))
    named = {(a, g): (change.protocol.called(a), group_called(change, a, g)) for a, g in groups if g}
    missed = not_compared_among(named_statements(change))
    return {"not_compared": as_text([str(text) for text in missed]), "shown_as": _names_of_groups(named)}


@extra.register(Comparison)
def _comparison(comparison: Comparison) -> dict[str, Any]:
    pair = list(comparison_headline(comparison)[0])[:1]
    return {
        "finding": comparison.finding(),
        "splits": r_names(comparison.splits_frame()),
        "curves": curve_rows(comparison.curves),
        "by_group": _by_group(comparison),
        "pair": as_text([getattr(row, name) for row in pair for name in ("attribute", "group", "reference")]),
    }


@extra.register(OutOfFoldScores)
def _out_of_fold(scores: OutOfFoldScores) -> dict[str, Any]:
    return {
        "scores": scores.scores,
        "folds": (np.asarray(scores.folds) + 1).astype(np.int32),
        "method": scores.method,
    }


@extra.register(Moments)
def _moments(m: Moments) -> dict[str, Any]:
    import pandas as pd

    attribute, groups = ":".join(m.attributes), [":".join(cell) for cell in m.cells]
    means = (m.shift + m.delta)[:, : m.p]
    rows = [
        {"attribute": attribute, "group": group, "term": feature, "n": float(n), "weight": weight, "estimate": mean}
        for group, n, weight, current in zip(groups, m.n, m.weight, means, strict=True)
        for feature, mean in zip(m.features, current, strict=True)
    ]
    counts = [f"  {group or 'everybody'}: {int(n)} rows" for group, n in zip(groups, m.n, strict=True)]
    head = f"Moments of {int(m.n.sum())} rows, {m.p} features" + (f", by {attribute}" if attribute else "")
    return {
        "summary": "\n".join([head, f"  from {m.source}", *counts]),
        "tidy": pd.DataFrame(rows),
        "glance": pd.DataFrame([{"nobs": int(m.n.sum()), "features": m.p, "groups": len(m.cells)}]),
        "features": np.array(m.features, dtype=object),
        "source": m.source,
    }


@extra.register(Tally)
def _tally(tally: Tally) -> dict[str, Any]:
    import pandas as pd

    columns = [*tally.factors, *tally.numbers]
    return {
        "summary": tally.summary(),
        "tidy": tally.to_frame(),
        "glance": pd.DataFrame([{"nobs": int(tally.rows.sum()), "cells": len(tally), "columns": len(columns)}]),
        "roles": {role: np.array(names, dtype=object) for role, names in tally.roles.items()},
    }


@extra.register(Partition)
def _partition(partition: Partition) -> dict[str, Any]:
    import pandas as pd

    clusters = tuple(str(j + 1) for j in range(partition.k))
    return {
        "labels": pd.DataFrame(
            {"node": [str(v) for v in partition.nodes], "cluster": partition.labels.astype(np.int32)}
        ),
        "rows": (np.asarray(partition.rows) + 1).astype(np.int32),
        "given": int(partition.given),
        "tables": {
            c.attribute: matrix(c.counts.astype(np.int32), clusters, tuple(c.levels)) for c in partition.compositions
        },
        "eigenvalues": np.asarray(partition.eigenvalues, dtype=float),
        "embedding": np.asarray(partition.embedding.H),
        "ratio_cut": float(partition.ratio_cut),
        "ncut": float(partition.ncut),
        "settings": _plain(partition.settings),
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value if isinstance(value, (bool, int, float, str, np.ndarray)) or value is None else str(value)
