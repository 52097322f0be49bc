"""What R asks of audits and of reports: tables by group and of a law, a report written, and one verified."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import fairstats
from fairstats.auditing.words.cautions import design_caution
from fairstats.r.records import record


def listed(values: Mapping[str, Any]) -> dict[str, Any]:
    """Options with R's vectors of text as Python's lists of names.

    Examples
    --------
    >>> listed({"groups": np.array(["sex"], dtype=object), "seed": 1})
    {'groups': ['sex'], 'seed': 1}
    """
    return {k: v.tolist() if isinstance(v, np.ndarray) and v.dtype == object else v for k, v in values.items()}


def impact_tables(audit: Any, **options: Any) -> dict[str, Any]:
    """Local Law 144's tables by attribute, and what is published beside them."""
    tables = fairstats.local_law_144(audit, **options)
    return {"tables": {t.attribute: record(t) for t in tables}, "about": dict(tables[0].about) or None}


def written_report(results: Mapping[str, Any] | Sequence[Any], **options: Any) -> dict[str, Any]:
    """A report as its files, its title and its id."""
    made = fairstats.report(*results, **listed(options))
    return {"files": list(made.files), "title": made.title, "id": made.id}


def figure(result: Any, to: str | None = None, overwrite: bool = False, **options: Any) -> dict[str, Any]:
    """A figure of the report by itself, as text and as a picture; written where it is asked for."""
    drawing = fairstats.plot(result, **options)
    if to is not None:
        drawing.save(to, overwrite=overwrite)
    return {
        "svg": drawing._repr_svg_(),
        "html": drawing._repr_html_(),
        "png": bytearray(drawing._repr_png_()[0]),
        "alt": drawing.alt,
        "caption": drawing.caption,
        "kinds": np.array(result.plots, dtype=object),
    }


def table(result: Any, to: str | None = None, overwrite: bool = False, **options: Any) -> dict[str, Any]:
    """A table of the report by itself: its cells as columns of text, and the forms that documents take."""
    made = fairstats.table(result, **{name: value or "" for name, value in options.items()})
    if to is not None:
        made.save(to, overwrite=overwrite)
    return {
        "cells": {name: column.to_numpy(dtype=object) for name, column in made.to_frame().items()},
        "caption": made.caption,
        "note": made.note,
        "text": str(made),
        "html": made.to_html(),
        "latex": made.to_latex(),
        "markdown": made.to_markdown(),
    }


def verified(report: str) -> dict[str, Any]:
    """The roles, columns and labels of the audit in a report, by which R finds the columns of a data frame.

    None where the report holds no audit, which `verification` then says.
    """
    from fairstats.reporting.written import read_written

    audit = read_written(report).document.get("audit")
    protocol = audit.get("protocol") if isinstance(audit, dict) else None
    roles = ("groups", "outcome", "decision", "score", "strata", "weights", "clusters", "favorable", "positive")
    return {role: protocol.get(role) or None for role in roles} if isinstance(protocol, dict) else {}


def verification(report: str, data: Any) -> dict[str, Any]:
    """What came of recomputing a report, with its differences as columns of text."""
    made = fairstats.verify(report, data)
    rows = made.differences
    return {
        "ok": made.ok,
        "status": made.status,
        "differences": {
            "where": np.array([row.where for row in rows], dtype=object),
            "written": np.array([str(row.written) for row in rows], dtype=object),
            "recomputed": np.array([str(row.recomputed) for row in rows], dtype=object),
        },
        "compared": made.compared,
        "id": made.id,
        "data": made.data,
        "unchecked": np.array(made.unchecked, dtype=object),
        "summary": made.summary(),
    }


def declared(protocol: str) -> dict[str, Any]:
    """Return the entries of a protocol file by their names."""
    from fairstats.auditing.protocol import read_protocol

    return read_protocol(protocol)[0]


def as_called(made: Any, said: Mapping[str, Any] | None) -> Any:
    """The result with what R's user called, on which data, and R's versions: whoever signs it can run it again."""
    if said is None:
        return made
    if said.get("unused"):
        protocol = replace(made.protocol, unused=tuple(said["unused"]))
        made = replace(made, protocol=protocol, notes=(*made.notes, design_caution(protocol)))
    origin = made.provenance
    known = {name: said[name] for name in ("R", "fairstats in R")}
    data = replace(made.data, name=said["data"] or made.data.name)
    return replace(
        made, data=data, provenance=replace(origin, call=said["call"], versions={**known, **origin.versions})
    )
