"""Representation: what a fitted decomposition guarantees, what it costs, component by component."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairstats.comparing.result import Comparison
from fairstats.estimates import Estimates
from fairstats.inference.representations.extra_error_result import ExtraError
from fairstats.inference.representations.leakage_result import Leakage
from fairstats.language import again, say, say_number
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
    compared = any(isinstance(other, Comparison) for other in bundle.others)
    shown = bundle.audit is not None or (compared and not bundle.fits)  # otherwise page one shows it
    leaks = leakage_picture([r for r in bundle.others if isinstance(r, Leakage)], "leakage") if shown else None
    return {"parts": parts, "leaks": leaks} if parts or leaks else None


def _fit(index: int, fit: Fit, extras: Sequence[ExtraError]) -> dict[str, Any]:
    name = name_of(fit)
    rows = fit.estimates
    held = [g.holds for g in fit.guarantees]
    if all(held):
        verdict = say("every guarantee holds as a number")
    else:
        verdict = say("{k} of {n} guarantees hold", k=sum(held), n=len(held))
    tested = any(extra.method == fit.method for extra in extras)  # then its table has the intervals too
    return {
        "heading": say_number(
            "{method} with {k} component: {verdict}",
            "{method} with {k} components: {verdict}",
            fit.k,
            method=name,
            k=fit.k,
            verdict=verdict,
        ),
        "sentence": _price(fit),
        "guarantees": _guarantees(name, fit),
        "scree": scree_of(f"scree-{index}", rows, adjusts_after(fit.method)),
        "components": None if tested else _components(name, rows.only(metric="R2"), adjusts_after(fit.method)),
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
    caption = say("The error of each group.")
    if most is not None and most[1] > 0:
        values = {"group": most[0].level, "share": words.percent(most[1])}
        caption = say("The error grows most for {group}: by {share} % of what it is under PCA.", **values)
    labels = [f"{p.level} (n = {words.count(p.n)})" for p in groups]
    figure = group_loss(
        f"losses-{index}",
        [(label, p.pca_error, p.error) for label, p in zip(labels, groups, strict=True)],
        caption=caption,
        before="PCA",
        after=name,
    )
    headings = [text(say("group")), Heading("n"), Heading("PCA"), Heading(name), Heading(say("change"), "%")]
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
    note = say("Mean squared error of a person, in squared units of the (scaled) features; PCA of the same dimension.")
    return {
        "figure": figure,
        "table": table(say("Who pays: error by group, before and after {method}", method=name), headings, rows, note),
    }


def _price(fit: Fit) -> str:
    error, plain, total = (getattr(fit, key, None) for key in ("error", "pca_error", "total"))
    if error is None or plain is None or not total:
        return ""
    if fit.method == "pca":
        return say("They carry {own} % of the variation.", own=words.percent(1 - error / total, 2))
    return say(
        "Principal components of the same number carry {plain} % of the variation, these carry {own} %: the condition "
        "costs {price} percentage points.",
        plain=words.percent(1 - plain / total, 2),
        own=words.percent(1 - error / total, 2),
        price=words.percent((error - plain) / total, 2),
    )


def _guarantees(name: str, fit: Fit) -> Table | None:
    rows = [
        (again(g.statement), words.tiny(g.value), words.tiny(g.tolerance, 0), holding(g.holds)) for g in fit.guarantees
    ]
    headings = [text(say("statement")), Heading(say("value")), Heading(say("at most")), text(say("checked"))]
    caption = say("Guarantees of {method}, checked as numbers on the data of the fit", method=name)
    return table(caption, headings, rows) if rows else None


def holding(holds: bool) -> str:
    """Whether a guarantee holds, in a cell."""
    return say("holds") if holds else say("does not hold")


def adjusts_after(method: str) -> bool:
    """Whether the groups are taken out of components that are found already: the rows of these are from before."""
    return method == "og"


def scree_of(name: str, rows: Estimates, before: bool) -> Drawing | None:
    """Draw what the components carry, and how much of it goes with the groups (or did, before adjustment)."""
    shares = [r.estimate for r in rows.only(metric="variance share")][:MOST_BARS]
    if not shares:
        return None
    explained = [r.estimate for r in rows.only(metric="R2")][: len(shares)]
    complete = len(explained) == len(shares)
    taken = sum(s * e for s, e in zip(shares, explained, strict=True)) if complete else 0.0
    carried = words.percent(sum(shares), 2)
    if before:
        caption = say(
            "Before adjustment the components carry {share} % of the total variation, {taken} % of it with the groups "
            "(hatched): that is taken out.",
            share=carried,
            taken=words.percent(taken, 2),
        )
    elif taken:
        caption = say(
            "The components carry {share} % of the total variation; {taken} % goes with the groups (hatched).",
            share=carried,
            taken=words.percent(taken, 2),
        )
    else:
        caption = say("The components carry {share} % of the total variation.", share=carried)
    return scree(name, shares, caption=caption, explained=explained if complete else ())


def _components(name: str, rows: Estimates, before: bool) -> Table | None:
    if not len(rows):
        return None
    headings = [
        text(say("component")),
        Heading(say("explained by groups"), "%"),
        Heading(say("interval"), "%"),
        Heading("F"),
        Heading("p"),
        Heading(say("adjusted p")),
    ]
    cells = [
        (
            again(r.term),
            words.percent(r.estimate, 2),
            words.span(r.conf_low, r.conf_high, lambda v: words.percent(v, 2)),
            words.number(r.statistic, 2),
            words.p_value(r.p_value),
            words.p_value(r.p_adjusted),
        )
        for r in rows
    ]
    caption = (
        say("{method}: share of each component that the groups explained before adjustment", method=name)
        if before
        else say("{method}: share of each component that the groups explain", method=name)
    )
    return table(caption, headings, cells, methods_note(rows), 12)


def _capital(text: str) -> str:
    """Return a reason as a sentence."""
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _extra(extra: ExtraError) -> dict[str, Any]:
    share = words.percent(extra.observed / extra.energy if extra.energy > 0 else 0.0, 2)
    values = {"method": extra.method, "share": share}
    if extra.expected:
        heading = say(
            "Extra error of {method}: the groups explain {share} % of the components, {times} times what chance alone "
            "would",
            times=words.number(extra.observed / extra.expected),
            **values,
        )
    else:
        heading = say("Extra error of {method}: the groups explain {share} % of the components", **values)
    rows = extra.estimates
    others = Estimates(r for r in rows if r.metric != "R2")
    return {
        "heading": heading,
        "sentence": " ".join(filter(None, (again(extra.tested), _capital(again(extra.why))))),
        "guarantees": None,
        "scree": None,
        "components": _components(extra.method, rows.where(metric="R2"), adjusts_after(extra.method)),
        "losses": None,
        "others": estimates_table(say("The extra error in total"), others, GENERAL),
    }
