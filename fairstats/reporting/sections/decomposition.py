"""Decompositions: page one of what accounts for a gap, the waterfall, and the tables of parts and of coefficients."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from fairstats.auditing.decompose import (
    OF_GROUPS,
    ROBUST,
    TAINTED,
    WORDS,
    Decomposition,
    called,
    main_rows,
    part_text,
    share_of,
    signs,
    variable,
)
from fairstats.document import Heading, Table
from fairstats.estimates import Estimate
from fairstats.inference.parts.coefficients import CONSTANT, EXPLAINED, GAP, UNEXPLAINED
from fairstats.language import mark, say, says, translated
from fairstats.reporting import words
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.figures.parts import waterfall
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.shared import blank, source_line, who_and_when
from fairstats.reporting.tables import level_of, methods_note, table, text
from fairstats.text import listed, span

FORM_NAMES = {
    "pooled_with_group": mark("both groups together, with a coefficient of the group"),
    "pooled": mark("both groups together"),
    "reference": mark("the reference's"),
    "group": mark("the group's"),
    "average": mark("the mean of both"),
    "share": mark("both, by their share of people"),
}
MOST_DRAWN = 24
MOST_LINES = 40  # of a table on a page
PARTS = mark(
    "Accounted for: the part of the gap that goes with differences between the groups in these variables. Not "
    "accounted for: the part that remains between people who are alike in them."
)
ALL_ZERO = mark("all variables at 0 (constant)")
STANDARD_ERRORS = mark(
    "HC3: standard errors that hold where some people's values spread more than others'; t: limits of Student's "
    "distribution."
)


def decompositions(bundle: Bundle) -> list[Decomposition]:
    """The decompositions that a report was given."""
    return [other for other in bundle.others if isinstance(other, Decomposition)]


def decomposition_page(bundle: Bundle) -> dict[str, Any]:
    """The context of page one: the gap, what is accounted for, and what is not."""
    result = decompositions(bundle)
    people = _people(result[0])
    said = [[translated(text) for text in one.statements if not says(text, TAINTED)] for one in result]
    tainted = [translated(text) for one in result for text in one.statements if says(text, TAINTED)]
    answers = [translated(text) for text in result[0].statements if any(says(text, code) for code in OF_GROUPS)]
    further = [(_about(one), " ".join(lines)) for one, lines in zip(result[1:], said[1:], strict=True)]
    shown = [one for one in result if waterfalls(one)]
    return blank() | {
        "who": f"{people} · {who_and_when(bundle)}",
        "question": say(
            "How much of the gap is accounted for by {variables}, and how much is left? The gap is divided by a "
            "regression on them; each group is compared with the reference.",
            variables=listed(list(dict.fromkeys(variable(one, name) for one in shown for name in _variables(one)))),
        )
        if any(_variables(one) for one in shown)
        else "",
        "sentence": " ".join(answers),
        "context": [
            *(*(line for line in said[0] if line not in answers), say(PARTS), *dict.fromkeys(map(method_of, result))),
            say("Parts are computed before rounding: as printed they may not add up to the last digit."),
        ],
        "points": [*further, *(point for one in shown for point in _meaning(one))],
        "figures": [
            decomposition_picture(f"page-one-parts-{i}", one, waterfalls(one)[0]) for i, one in enumerate(shown)
        ],
        "unshown": [
            say("Not accounted for means: not by these covariates. Others, which the data do not have, may do so."),
            say("Accounted for does not mean justified: whether a covariate may decide is no question of these data."),
        ],
        "rely": tainted,
        "next": [],
        "source": source_line(bundle),
    }


def _about(result: Decomposition) -> str:
    """Which gap is divided by which variables, of one of several."""
    names = listed(list(dict.fromkeys(variable(result, name) for name in _variables(result))))
    question = translated(result.question)
    return say("{question}, by {variables}.", question=question, variables=names) if names else f"{question}."


def method_of(result: Decomposition) -> str:
    """How the gap is divided, and by whose coefficients."""
    name, method = result.coefficients, translated(result.method)
    if result.decomposed_by not in ("oaxaca", "yun", "rif"):
        return say("Method: {methods}.", methods=method)
    form = say(FORM_NAMES[name]) if name in FORM_NAMES else name
    return say("Method: {method}; coefficients of {form}.", method=method, form=form)


def _meaning(result: Decomposition) -> list[tuple[str, str]]:
    """What follows from the part of a single gap that is not accounted for."""
    rows = [row for row in _steps(result) if row.metric == UNEXPLAINED]
    if len(rows) != 1 or not _variables(result) or math.isnan(rows[0].conf_low):
        return []
    open_ = rows[0].conf_low <= 0 <= rows[0].conf_high
    text = mark(
        "People who are alike in {variables} still differ. Look for grounds that these data do not have before the "
        "rest is called unequal treatment."
    )
    if open_:
        text = mark("That people who are alike in {variables} still differ is not shown.")
    names = listed(list(dict.fromkeys(variable(result, name) for name in _variables(result))))
    return [(say("What this means for use."), say(text, variables=names))]


def _people(result: Decomposition) -> str:
    """How many people a result is of, and how many are of each group."""
    sizes = {
        (row.group if not row.given else next(gap.reference for gap in result.estimates if gap.reference)): row.n
        for row in result.estimates
        if row.role == "supplementary"
    }
    groups = [say("{n} {group}", n=words.count(n), group=translated(called(result, name))) for name, n in sizes.items()]
    return say("{n} people: {groups}", n=words.count(result.n), groups=words.listed(groups))


def waterfalls(result: Decomposition) -> list[str]:
    """The groups whose parts are known."""
    return list(dict.fromkeys(row.group for row in _steps(result) if row.status == "ok"))


def _variables(result: Decomposition) -> list[str]:
    """What a gap is divided by."""
    return [row.term for row in result.estimates if row.metric == EXPLAINED and row.term]


def _steps(result: Decomposition) -> list[Estimate]:
    """Variables of what is accounted for (the whole where it is not divided), and the rest as a whole."""
    rows = [row for row in result.estimates if row.estimator == result.coefficients and row.status == "ok"]
    divided = {row.group for row in rows if row.metric == EXPLAINED and row.term}
    return [
        row
        for row in rows
        if (row.metric == EXPLAINED and bool(row.term) == (row.group in divided))
        or (row.metric == UNEXPLAINED and not row.term)
    ]


def decomposition_picture(name: str, result: Decomposition, group: str) -> Drawing:
    """Draw the parts of a group's gap as a waterfall."""
    steps = [row for row in _steps(result) if row.group == group]
    gap = next(row for row in main_rows(result) if row.group == group and row.metric == GAP)
    if len(steps) > MOST_DRAWN:
        steps = [row for row in main_rows(result) if row.group == group and not row.term and row.metric != GAP]
    rows = [*steps, gap]
    labels = [_variable(result, row.term) or say(WORDS[row.metric]) for row in rows]
    numbers = [_number_and_limits(result, row) for row in rows]
    caption = say(
        "From {reference} (0) to {group}: each bar begins where the one above ends. Dark: the whole gap; light: what "
        "is not accounted for. Below 0: less than {reference}.",
        reference=translated(called(result, gap.reference)),
        group=translated(called(result, group)),
    )
    if result.kind != "decision":
        column = variable(result, result.value)
        unit = say("In {unit}.", unit=result.unit) if result.unit else say("In the unit of {column}.", column=column)
        caption = f"{caption} {unit}"
    axis = variable(result, result.value)
    axis = f"{axis} ({result.unit})" if result.unit else axis
    axis, factor = (say("percentage points"), 100) if result.kind == "decision" else (axis, 1)
    return waterfall(name, rows, labels, numbers, caption=caption, axis=axis, factor=factor)


def _number_and_limits(result: Decomposition, row: Estimate) -> str:
    limits = span(row.conf_low, row.conf_high, partial(part_text, result))
    return part_text(result, row.estimate) if limits == words.DASH else f"{part_text(result, row.estimate)} ({limits})"


def parts_table(result: Decomposition, most: int = MOST_LINES) -> Table:
    """A line a part and a variable: estimate, limits, share of the gap."""
    rows = main_rows(result)
    gaps = {row.group: row.estimate for row in rows if row.metric == GAP}
    unit = say("points") if result.kind == "decision" else result.unit
    headings = [text(say("group")), text(say("part")), text(say("variable"))]
    headings += [Heading(say("estimate"), unit), Heading(level_of(rows), unit), Heading(say("share"), "%")]
    lines = [
        [
            *(translated(called(result, row.group)), say(WORDS[row.metric]), _variable(result, row.term)),
            part_text(result, row.estimate),
            *(span(row.conf_low, row.conf_high, partial(part_text, result)), words.percent(share_of(row, gaps))),
        ]
        for row in rows
    ]
    note = " ".join((*signs(result), methods_note(rows)))
    if any(says(row.method, ROBUST) for row in rows):
        note = f"{note} {say(STANDARD_ERRORS)}"
    return table(say("Parts of the gap"), headings, lines, note, most)


def _variable(result: Decomposition, term: str) -> str:
    return say(ALL_ZERO) if term == CONSTANT else variable(result, term)


def forms_table(result: Decomposition, most: int = MOST_LINES) -> Table | None:
    """What is accounted for under every choice of coefficients; None where there is one."""
    rows = [r for r in result.estimates if r.metric == EXPLAINED and not r.term and r.estimator != "threefold"]
    if len({row.estimator for row in rows}) < 2:
        return None
    unit = say("points") if result.kind == "decision" else result.unit
    several = len(result.groups()) > 1
    headings = [*([text(say("group"))] if several else []), text(say("coefficients"))]
    headings += [Heading(say("accounted for"), unit), Heading(level_of(rows), unit), text(say("remark"))]
    lines = [
        [
            *([translated(called(result, row.group))] if several else []),
            say(FORM_NAMES[row.estimator]) if row.estimator in FORM_NAMES else row.estimator,
            *(
                part_text(result, row.estimate),
                span(row.conf_low, row.conf_high, partial(part_text, result)),
                translated(row.reason),
            ),
        ]
        for row in rows
    ]
    return table(say("What is accounted for, by whose coefficients"), headings, lines, "", most)
