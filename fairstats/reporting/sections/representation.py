"""Representation: what a fitted decomposition guarantees, what it costs, component by component."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairstats.estimates import Estimates
from fairstats.inference.representations.extra_error_result import ExtraError
from fairstats.inference.representations.leakage_result import Leakage
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle, Fit, name_of
from fairstats.reporting.columns import GENERAL, estimates_table
from fairstats.reporting.figures.group_loss import group_loss
from fairstats.reporting.figures.scree import scree
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.score_pictures import leakage_picture
from fairstats.reporting.tables import Heading, Table, methods_note, table, text

MOST_BARS = 20


def representation(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/representation.html.j2``."""
    parts = [_fit(i, fit, bundle.extra_errors) for i, fit in enumerate(bundle.fits)]
    for part in parts:
        if part["losses"] and bundle.audit is None:  # page one has the table
            part["losses"]["table"] = None
    parts += [_extra(extra) for extra in bundle.extra_errors]
    shown = bundle.audit is not None or not bundle.fits  # otherwise page one shows it
    leaks = leakage_picture([r for r in bundle.others if isinstance(r, Leakage)], "leakage") if shown else None
    return {"parts": parts, "leaks": leaks} if parts or leaks else None


def _fit(index: int, fit: Fit, extras: Sequence[ExtraError]) -> dict[str, Any]:
    name = name_of(fit)
    rows = fit.estimates
    held = [g.holds for g in fit.guarantees]
    verdict = "every guarantee holds as a number" if all(held) else f"{sum(held)} of {len(held)} guarantees hold"
    tested = any(extra.method == fit.method for extra in extras)  # then its table has the intervals too
    return {
        "heading": f"{name} with {fit.k} component{'s' if fit.k != 1 else ''}: {verdict}",
        "sentence": _price(fit),
        "guarantees": _guarantees(name, fit),
        "scree": scree_of(f"scree-{index}", rows),
        "components": None if tested else _components(name, rows.where(metric="R2")),
        "losses": losses_of(index, name, fit),
        "others": None,
    }


def losses_of(index: int, name: str, fit: Fit) -> dict[str, Any] | None:
    """Return who pays: the error of each group under PCA of the same dimension and under the fit."""
    price = getattr(getattr(fit, "price", None), "by_group", ())
    if not price:
        return None
    groups = sorted(price, key=lambda p: -p.n)
    changes = [(p, p.error / p.pca_error - 1) for p in groups if p.pca_error > 0]
    most = max(changes, key=lambda pair: pair[1], default=None)
    caption = "The error of each group."
    if most is not None and most[1] > 0:
        caption = f"The error grows most for {most[0].level}: by {words.percent(most[1])} % of what it is under PCA."
    labels = [f"{p.level} (n = {words.count(p.n)})" for p in groups]
    figure = group_loss(
        f"losses-{index}",
        [(label, p.pca_error, p.error) for label, p in zip(labels, groups, strict=True)],
        caption=caption,
        before="PCA",
        after=name,
    )
    headings = [text("group"), Heading("n"), Heading("PCA"), Heading(name), Heading("change", "%")]
    rows = [
        (
            f"{p.attribute} = {p.level}",
            words.count(p.n),
            words.compact(p.pca_error),
            words.compact(p.error),
            words.percent(p.error / p.pca_error - 1) if p.pca_error > 0 else words.DASH,
        )
        for p in groups
    ]
    note = "Mean squared error of a person, in squared units of the (scaled) features; PCA of the same dimension."
    return {
        "figure": figure,
        "table": table(f"Who pays: error by group, before and after {name}", headings, rows, note),
    }


def _price(fit: Fit) -> str:
    error, plain, total = (getattr(fit, key, None) for key in ("error", "pca_error", "total"))
    if error is None or plain is None or not total:
        return ""
    return (
        f"Principal components of the same number carry {words.percent(1 - plain / total, 2)} % of the variation, "
        f"these carry {words.percent(1 - error / total, 2)} %: "
        f"the condition costs {words.percent((error - plain) / total, 2)} %."
    )


def _guarantees(name: str, fit: Fit) -> Table | None:
    rows = [
        (g.statement, words.tiny(g.value), words.tiny(g.tolerance, 0), "holds" if g.holds else "does not hold")
        for g in fit.guarantees
    ]
    headings = [text("statement"), Heading("value"), Heading("at most"), text("checked")]
    return table(f"Guarantees of {name}, checked as numbers on the data of the fit", headings, rows) if rows else None


def scree_of(name: str, rows: Estimates) -> Drawing | None:
    """Draw what the components carry, and how much of it goes with the groups."""
    shares = [r.estimate for r in rows.where(metric="variance share")][:MOST_BARS]
    if not shares:
        return None
    explained = [r.estimate for r in rows.where(metric="R2")][: len(shares)]
    complete = len(explained) == len(shares)
    taken = sum(s * e for s, e in zip(shares, explained, strict=True)) if complete else 0.0
    caption = f"The components carry {words.percent(sum(shares), 2)} % of the total variation"
    caption += f"; {words.percent(taken, 2)} % goes with the groups (hatched)." if taken else "."
    return scree(name, shares, caption=caption, explained=explained if complete else ())


def _components(name: str, rows: Estimates) -> Table | None:
    if not len(rows):
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
            words.percent(r.estimate, 2),
            words.span(r.conf_low, r.conf_high, lambda v: words.percent(v, 2)),
            words.number(r.statistic, 2),
            words.p_value(r.p_value),
            words.p_value(r.p_adjusted),
        )
        for r in rows
    ]
    return table(f"{name}: share of each component that the groups explain", headings, cells, methods_note(rows), 12)


def _capital(text: str) -> str:
    """Return a reason as a sentence."""
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _extra(extra: ExtraError) -> dict[str, Any]:
    share = words.percent(extra.observed / extra.energy if extra.energy > 0 else 0.0, 2)
    times = f", {words.number(extra.observed / extra.expected)} times what chance alone would" if extra.expected else ""
    rows = extra.estimates
    others = Estimates(r for r in rows if r.metric != "R2")
    return {
        "heading": f"Extra error of {extra.method}: the groups explain {share} % of the components{times}",
        "sentence": " ".join(filter(None, (extra.tested, _capital(extra.why)))),
        "guarantees": None,
        "scree": None,
        "components": _components(extra.method, rows.where(metric="R2")),
        "losses": None,
        "others": estimates_table("The extra error in total", others, GENERAL),
    }
