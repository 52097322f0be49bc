"""Who pays: the error of each group beside that of principal components, and the table of several fits."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fairstats.language import say
from fairstats.methods.results.fit_parts import GroupPrice
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Fit, name_of
from fairstats.reporting.tables import Heading, Table, table, text

COUNTED = 5e-4  # of a whole: more than rounding shows


def by_group(fit: Fit) -> tuple[GroupPrice, ...]:
    """The errors by group, of a fit that keeps them."""
    return tuple(getattr(getattr(fit, "price", None), "by_group", ()))


def change_of(price: GroupPrice) -> float:
    """By which share the error of a group exceeds that of principal components; NaN where these make none."""
    return price.error / price.pca_error - 1 if price.pca_error > 0 else math.nan


def losses(fits: Sequence[Fit]) -> list[Table]:
    """Who pays: the mean squared error of each group, of principal components and of every method."""
    priced = [fit for fit in fits if fit.method != "pca" and by_group(fit)]
    if not priced:
        return []
    groups = [(p.attribute, p.level) for p in by_group(priced[0])]
    errors = [{(p.attribute, p.level): p for p in by_group(fit)} for fit in priced]
    headings = [text(say("group")), Heading("n"), Heading(say("principal components"))]
    headings += [h for fit in priced for h in (Heading(name_of(fit)), Heading(say("change"), "%"))]
    lines = []
    for group in groups:
        own = errors[0][group]
        line = [f"{group[0]} = {group[1]}", words.count(own.n), words.compact(own.pca_error)]
        for known in errors:
            price = known.get(group)
            line += (
                [words.DASH, words.DASH] if price is None else [words.compact(price.error), _percent(change_of(price))]
            )
        lines.append(line)
    others = " ".join(
        say(
            "{method} counts errors otherwise: those of principal components beside it are {values}, line by line.",
            method=name_of(fit),
            values=" · ".join(words.compact(known[group].pca_error) for group in groups),
        )
        for fit, known in zip(priced, errors, strict=True)
        if any(abs(known[g].pca_error / errors[0][g].pca_error - 1) > COUNTED for g in groups if g in known)
        and all(g in known for g in groups)
    )
    note = say(
        "Mean squared error: how far the features that are rebuilt from the components are from the true ones. Change: "
        "against as many principal components; above 0 the group is described worse."
    )
    note = f"{note} {others}".strip()
    return [table(say("Who pays: mean squared error of the reconstruction, by group"), headings, lines, note)]


def _percent(change: float) -> str:
    return words.DASH if change != change else f"{'+' if change > 0 else ''}{words.percent(change)}"
