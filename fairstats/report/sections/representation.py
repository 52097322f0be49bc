"""Representation: what a fitted decomposition guarantees, what it costs, component by component."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairstats.inference.estimate import Estimate, Estimates
from fairstats.report import words
from fairstats.report.bundle import Bundle, Fit, name_of, rows_of
from fairstats.report.columns import GENERAL, estimates_table
from fairstats.report.figures.scree import scree
from fairstats.report.figures.style import Drawing
from fairstats.report.tables import Heading, Table, methods_note, table, text


def representation(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/representation.html.j2``."""
    if not bundle.fits:
        return None
    return {"parts": [_part(i, fit) for i, fit in enumerate(bundle.fits)]}


def _part(index: int, fit: Fit) -> dict[str, Any]:
    name = name_of(fit)
    rows = rows_of(fit)
    held = [g.holds for g in fit.guarantees]
    verdict = "all guarantees hold as numbers" if held and all(held) else f"{sum(held)} of {len(held)} guarantees hold"
    explained = [r for r in rows if r.metric == "R2" and r.term.startswith("component")]
    others = Estimates(r for r in rows if r.metric != "R2")
    return {
        "name": name,
        "heading": f"{name} with {fit.k} component{'s' if fit.k != 1 else ''}: {verdict}",
        "guarantees": _guarantees(name, fit),
        "scree": _scree(index, fit, explained),
        "components": _components(explained),
        "others": estimates_table(f"{name}: what it costs", others, GENERAL) if len(others) else None,
    }


def _guarantees(name: str, fit: Fit) -> Table:
    rows = [
        (g.statement, words.compact(g.value), words.compact(g.tolerance), "holds" if g.holds else "does not hold")
        for g in fit.guarantees
    ]
    headings = [text("statement"), Heading("value"), Heading("tolerance"), text("checked")]
    return table(f"Guarantees of {name}, checked as numbers on the data of the fit", headings, rows)


def _scree(index: int, fit: Fit, explained: list[Estimate]) -> Drawing | None:
    total = float(getattr(fit, "total", 0.0) or 0.0)
    if total <= 0:
        return None
    after = (np.asarray(fit.singular_values, dtype=float) ** 2 / total)[:20].tolist()
    spectrum = getattr(fit, "spectrum", None)
    before = [] if spectrum is None else (np.asarray(spectrum, dtype=float) / total)[: len(after)].tolist()
    share = [r.estimate for r in explained][: len(after)]
    name = name_of(fit)
    caption = f"The components of {name} carry {words.percent(sum(after))} % of the total variation"
    if before:
        caption += f"; as many principal components carry {words.percent(sum(before))} %"
    complete = len(share) == len(after) == len(before)
    return scree(
        f"scree-{index}", after, caption=f"{caption}.", method=name, before=before, explained=share if complete else ()
    )


def _components(rows: list[Estimate]) -> Table | None:
    if not rows:
        return None
    headings = [
        text("component"),
        Heading("explained by groups", "%"),
        Heading("interval", "%"),
        Heading("F"),
        Heading("p"),
        Heading("adjusted p"),
    ]
    cells = [
        (
            r.term,
            words.percent(r.estimate),
            words.spread(r.conf_low, r.conf_high, words.percent),
            words.number(r.statistic, 2),
            words.p_value(r.p_value),
            words.p_value(r.p_adjusted),
        )
        for r in rows
    ]
    return table("Share of each component that the groups explain", headings, cells, methods_note(rows), most=12)
