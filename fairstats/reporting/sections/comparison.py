"""Comparisons of methods, and results that have no section of their own: one table each of their rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from fairstats import metrics
from fairstats.auditing.change import AuditComparison
from fairstats.auditing.decompose import Decomposition
from fairstats.auditing.group_studies import GroupStudy, of_pay
from fairstats.auditing.local_law_144 import ImpactTable
from fairstats.auditing.sentences import column_name
from fairstats.auditing.subgroups import SubgroupScan
from fairstats.comparing.metrics import DISCREPANCY, EXPLAINED, ODDS, PARITY, SELECTIONS
from fairstats.comparing.result import (
    FOCUS,
    Comparison,
    Term,
    called_term,
    comparison_headline,
    predicted_gaps,
)
from fairstats.document import Bullets, Heading, Table
from fairstats.estimates import Estimate, Estimates, Result
from fairstats.inference.representations.leakage import Leakage
from fairstats.inference.representations.proxies import Proxies
from fairstats.inference.representations.tradeoff import Tradeoff
from fairstats.language import mark, say, say_number, translated
from fairstats.reporting import words
from fairstats.reporting.bundle import Bundle, name_of, of_alternatives, of_probabilities, title_of_change
from fairstats.reporting.figures.fits import price_gap
from fairstats.reporting.figures.scores import ecdf
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.decomposition import decomposition_picture, forms_table, parts_table, waterfalls
from fairstats.reporting.sections.fits import (
    beside_answers,
    differences_table,
    figure_of,
    meant_by_costs,
    note_of,
    other_measures,
    rows_of,
    study_sentences,
    tradeoff_picture,
    tradeoff_table,
)
from fairstats.reporting.sections.other import (
    all_on_page_one,
    begun,
    by_groups,
    category_table,
    gaps,
    model_table,
    period_table,
    study_picture,
    study_table,
    subgroup_table,
)
from fairstats.reporting.sections.shared import JointLimits, attribute_name, term_name, with_group_names
from fairstats.reporting.sections.studies import beside_page_one, changes_table
from fairstats.reporting.sections.uncertain import beside_audit, bounds_table
from fairstats.reporting.tables import (
    estimates_table,
    general,
    level_of,
    methods_note,
    number_or_dash,
    number_or_status,
    table,
    text,
)
from fairstats.text import capital

# Tables of a comparison: gaps over all groups, and what the representations keep and give away.


def parity(result: Comparison) -> Table | None:
    """Gaps over all groups of an attribute; with two groups these are the differences above without their sign."""
    several = [a for a in result.references if len({r.group for r in result.estimates.where(attribute=a)} - {""}) > 2]
    rows = result.estimates.only(metric=(PARITY, ODDS), attribute=several, contrast="none")
    if not len(rows):
        return None
    columns = (
        (text(mark("method and model")), partial(term_name, result)),
        (text(mark("groups")), lambda row: attribute_name(row.attribute)),
        (text(mark("largest less smallest rate")), lambda row: words.heading(row.metric)),
        (Heading(mark("estimate")), words.estimate),
    )
    return estimates_table(
        say("Gaps over all groups, which chance makes larger: compare methods"), rows, columns, most=30
    )


def representation(result: Comparison) -> Table | None:
    """What a representation keeps of the features, and what it tells of the groups, on rows held out."""
    rows = result.estimates.only(metric=(EXPLAINED, DISCREPANCY), contrast="none")
    if not len(rows):
        return None
    columns = (
        (text(mark("method")), partial(term_name, result)),
        (text(mark("statistic")), _statistic),
        (Heading(mark("estimate")), number_or_dash),
        (Heading(mark("interval")), words.interval),
    )
    absent: dict[str, list[str]] = {}
    for row in rows:
        if not words.shown(row):
            absent.setdefault(f"{words.heading(row.metric)} {words.status(row)}", []).append(term_name(result, row))
    note = " ".join(f"{why} ({words.listed(which)})." for why, which in absent.items())
    return estimates_table(say("How much information the methods keep, people held out"), rows, columns, note, most=40)


def _statistic(row: Estimate) -> str:
    return words.heading(row.metric) + (f", {words.pair(row)}" if row.group else "")


# The section on a comparison: accuracy and scores before and after, by group; distributions of held-out scores.


MOST_FIGURES = 4
QUALITY, GAPS = "AUC", SELECTIONS
OMITTED = mark(
    "Distributions of held-out scores are drawn for the first methods and models; {n} more are in results.json."
)
OVERALL = metrics.shown("overall")  # classification error is one less accuracy
BY_GROUP = metrics.shown("by group")
BETWEEN = metrics.shown("between")


def adjusting(index: int, result: Comparison) -> dict[str, Any]:
    """The context of one comparison."""
    result = with_group_names(result)
    drawn = [(a, t) for a in result.references for t in result.terms]
    figures = [
        d
        for a, t in drawn[:MOST_FIGURES]
        if (d := scores_of(f"held-out-{index}-{result.terms.index(t)}", result, a, t))
    ]
    omitted = [say(OMITTED, n=len(drawn) - MOST_FIGURES)] if len(drawn) > MOST_FIGURES else []
    return {
        "heading": _heading(result),
        "sentence": result.finding(),
        "tables": [
            t
            for t in (
                *_overall(result),
                *(rates_by_method(result, a) for a in result.references),
                gaps_table(result, reported=True),
                parity(result),
                representation(result),
            )
            if t
        ],
        "price": [d for i, a in enumerate(result.references) if (d := price_of(f"price-{index}-{i}", result, a))],
        "figures": figures,
        "notes": [*map(translated, result.notes), *omitted],
    }


def _heading(result: Comparison) -> str:
    """What one adjustment did to the gap of the finding and to the AUC; of several how many there are."""
    gaps, _ = comparison_headline(result)
    areas = result.estimates.only(metric=QUALITY, attribute="", contrast="none")
    if gaps and len(result.terms) == 2:
        pairs = [
            [one for one in (next(iter(rows.only(**result.of(term))), None) for term in result.terms) if one]
            for rows in (predicted_gaps(result, gaps[0]), areas)
        ]
        if all(len(rows) == 2 and all(map(words.shown, rows)) for rows in pairs):
            (old, new), (before, after) = pairs
            sign = -1 if old.estimate < 0 else 1  # as page one has it
            return say(
                "From {first} to {method} the gap goes from {old} to {new} points, AUC from {before} to {after}",
                first=called_term(result.terms[0], len(result.protocol.models)),
                method=called_term(result.terms[1], len(result.protocol.models), words.plain_title),
                old=words.percent(sign * old.estimate),
                new=words.percent(sign * new.estimate),
                before=words.number(before.estimate, 3),
                after=words.number(after.estimate, 3),
            )
    outcome = column_name(result.protocol.outcome)
    return say("What adjusting costs: {n} ways to predict {outcome}", n=len(result.terms), outcome=outcome)


def _overall(result: Comparison) -> Iterator[Table]:
    """Yield two tables: how well each method and model predicts for everybody, and the same less the first method's."""
    rows = Estimates(r for r in result.estimates.where(metric=OVERALL, attribute="") if not r.group)
    levels, changes = rows.where(contrast="none"), rows.where(contrast="difference")
    together = JointLimits(result, changes)
    for caption, shown, contrast, cells, columns in (
        (
            say("How well each predicts: all people held out, means over the splits"),
            levels,
            "none",
            (number_or_status, words.interval),
            (Heading(""), Heading(level_of(levels))),
        ),
        (
            say(
                "Change from {method}",
                method=called_term(result.terms[0], len(result.protocol.models), words.plain_title),
            ),
            changes,
            "difference",
            (number_or_status, together.interval, together.p),
            (Heading(""), Heading(together.level), Heading(together.p_heading)),
        ),
    ):
        estimates = {(term_name(result, r), r.metric): r for r in shown}
        terms = dict.fromkeys(term_name(result, r) for r in shown)
        lines = [
            [
                term,
                *(
                    cell(estimates[term, m]) if (term, m) in estimates else words.DASH
                    for m in OVERALL
                    for cell in cells
                ),
            ]
            for term in terms
        ]
        headings = [_under(h, m, contrast) for m in OVERALL for h in columns]
        note = together.reported if contrast == "difference" else say("Intervals are of each number by itself.")
        if lines:
            yield table(
                caption, [text(say("method and model")), *headings], lines, f"{note} {methods_note(shown)}".strip(), 40
            )


def _under(heading: Heading, metric: str, contrast: str) -> Heading:
    """A heading of one metric's columns, with the unit of its numbers."""
    unit = "" if heading.label in (say("p"), say("adjusted p")) else words.unit_of(metric, contrast)
    return replace(heading, label=heading.label or words.heading(metric), unit=unit)


def rates_by_method(result: Comparison, attribute: str, metric: str = "", most: int = 40) -> Table | None:
    """A line a method and group, a column a rate: conditional rates, not joint shares; of one metric its interval."""
    rows = result.estimates.where(attribute=attribute, contrast="none")
    shown = [m for m in ([metric] if metric else BY_GROUP) if len(rows.where(metric=m))]
    lines = []
    for term in result.terms:
        current = rows.where(**result.of(term))
        for group in dict.fromkeys(r.group for r in current if r.group):
            estimates = {r.metric: r for r in current.where(group=group) if not r.reference}
            n = next((r.n for r in estimates.values()), float("nan"))
            interval = [words.interval(estimates[metric])] if metric in estimates else []
            lines.append(
                [
                    called_term(term, len(result.protocol.models), words.plain_title),
                    group,
                    words.count(n),
                    *(_digits(estimates[m]) if m in estimates else words.DASH for m in shown),
                    *interval,
                ]
            )
    headings = [
        text(say("method and model")),
        text(attribute_name(attribute)),
        Heading(say("people")),
        *(Heading(words.heading(m), words.unit_of(m)) for m in shown),
        *([Heading(level_of(rows.where(metric=metric)), words.unit_of(metric))] if metric else []),
    ]
    note = say("Means over the splits, people held out; each rate on its own denominator.")
    note = f"{note} {methods_note(rows.where(metric=metric))}".strip() if metric else note
    caption = say("Predictions by {attribute}", attribute=attribute_name(attribute))
    return table(caption, headings, lines, note, most) if lines and shown else None


def gaps_table(
    result: Comparison, chosen: Estimates | None = None, *, reported: bool = False, most: int = 30
) -> Table | None:
    """The gaps between groups and their changes, each with limits for all of its family; without any there is none.

    chosen: other differences, of everybody too; reported: whether the table stands in a report, beside which there is
        a file of all rows.
    """
    found = [r for r in result.estimates.where(metric=BETWEEN, role="main") if r.reference]
    found = found if chosen is None else [*chosen]
    order = {metric: i for i, metric in enumerate((*SELECTIONS, *BETWEEN))}
    rows = Estimates(
        sorted(found, key=lambda r: order.get(r.metric, len(order)))
    )  # each rate with every method, then its changes
    if not len(rows):
        return None
    together = JointLimits(result, rows)
    columns = (
        (text(mark("method and model")), partial(term_name, result)),
        (text(mark("rate")), lambda row: words.heading(row.metric)),
        (text(mark("groups")), lambda row: words.pair(row) or say("everybody")),
        (Heading(mark("difference")), _difference),
        (Heading(together.level), together.interval),
        (Heading(together.p_heading), together.p),
    )
    caption = say("Differences between groups (a probability of 0.5 is none)")
    return estimates_table(caption, rows, columns, together.reported if reported else together.note, most=most)


def _difference(row: Estimate) -> str:
    """With its unit; three digits of what is no share."""
    return words.estimate(row) if words.unit(row) else _digits(row)


def _digits(row: Estimate) -> str:
    """Without its unit; three digits of what is no share."""
    return number_or_status(row) if words.unit(row) or not words.shown(row) else words.number(row.estimate, 3)


def price_of(name: str, result: Comparison, attribute: str) -> Drawing | None:
    """Return what each method costs against the gap that it leaves between two groups.

    They are those of the finding, with its intervals; of another attribute the two that are furthest apart.
    """
    every = result.estimates.where(attribute=attribute, metric=GAPS, contrast="difference", versus="")
    rows = every.where(role=FOCUS) or every.where(role="main")
    gaps = Estimates(r for r in rows if r.reference and words.shown(r))
    first = gaps.where(**result.of(result.terms[0])) if result.terms else gaps
    if not len(first):
        return None
    widest = max(first, key=lambda r: abs(r.estimate))
    points = []
    for term in result.terms:
        current = result.estimates.where(metric=QUALITY, attribute="", contrast="none", **result.of(term))
        left = gaps.where(group=widest.group, **result.of(term))
        if len(current) and len(left):
            points.append((called_term(term, len(result.protocol.models), words.plain_title), current[0], left[0]))
    if len(points) < 2:
        return None
    before = points[0][2]
    smaller = sum(abs(gap.estimate) < abs(before.estimate) for _, _, gap in points[1:])
    worse = sum(quality.estimate < points[0][1].estimate for _, quality, _ in points[1:])
    others = len(points) - 1
    smaller_gap = (
        _one_left(points, widest)
        if others == 1
        else say_number(
            "{k} leaves a smaller gap between {group} and {reference} than {method} (open point)",
            "{k} leave a smaller gap between {group} and {reference} than {method} (open point)",
            smaller,
            k=smaller,
            group=widest.group,
            reference=widest.reference,
            method=points[0][0],
        )
    )
    lower = say_number(
        "{k} has a lower mean {metric}", "{k} have a lower mean {metric}", worse, k=worse, metric=QUALITY
    )
    caption = smaller_gap
    if others > 1:
        caption = say("Of {n} adjustments, {left}, and {lower}.", n=others, left=smaller_gap, lower=lower)
    turned = sum(gap.estimate * before.estimate < 0 for *_, gap in points[1:])
    if turned:
        caption += " " + (
            say("The gap now runs the other way.")
            if others == 1
            else say("With {k} of {n} the gap runs the other way.", k=turned, n=others)
        )
    caption += " " + say("Points: observed means over the splits; which differences a test shows is in the tables.")
    caption += " " + say(
        "Lines across: the {across} of {metric}; upright: the {upright} of the gap, which is the {rate} of {group} "
        "less that of {reference}; each by itself.",
        across=level_of([quality for _, quality, _ in points]),
        upright=level_of([gap for *_, gap in points]),
        metric=QUALITY,
        rate=_with_meaning(widest.metric),
        group=widest.group,
        reference=widest.reference,
    )
    return price_gap(
        name,
        points,
        caption=caption,
        price=say("{metric} on people held out (0.5: no better than chance)", metric=QUALITY),
        gap=say("gap in {rate}, points", rate=words.in_text(widest.metric)),
    )


def _one_left(points: Sequence[tuple[str, Estimate, Estimate]], widest: Estimate) -> str:
    """Of one adjustment, whether the gap is smaller with it, and what it does to the mean AUC."""
    (first, area, before), (name, other, after) = points
    smaller, lower = abs(after.estimate) < abs(before.estimate), other.estimate < area.estimate
    text = {
        (True, True): mark(
            "{method} leaves a smaller gap between {group} and {reference} than {first} (open point), at a lower mean "
            "{metric}."
        ),
        (True, False): mark(
            "{method} leaves a smaller gap between {group} and {reference} than {first} (open point), at no lower mean "
            "{metric}."
        ),
        (False, True): mark(
            "{method} leaves no smaller gap between {group} and {reference} than {first} (open point), and a lower "
            "mean {metric}."
        ),
        (False, False): mark(
            "{method} leaves no smaller gap between {group} and {reference} than {first} (open point), and no lower "
            "mean {metric}."
        ),
    }[smaller, lower]
    return say(text, method=capital(name), first=first, group=widest.group, reference=widest.reference, metric=QUALITY)


def _with_meaning(metric: str) -> str:
    meaning = words.meaning(metric)
    name = words.in_text(metric)
    return say("{name} ({meaning})", name=name, meaning=meaning) if meaning else name


def scores_of(name: str, result: Comparison, attribute: str, term: Term) -> Drawing | None:
    """Draw the distributions of one term's held-out scores by group."""
    lines = [c for c in result.curves if c.attribute == attribute and c.term == term.name and c.group]
    if not lines:
        return None
    order = [
        r.group for r in result.estimates.where(metric="AUC", contrast="none", **result.of(result.terms[0])) if r.group
    ]
    rows = result.estimates.where(metric="P(X>Y)", attribute=attribute, role="main", **result.of(term))
    caption = "; ".join(
        say(
            "{group} above {reference} with probability {chance}",
            group=r.group,
            reference=r.reference,
            chance=words.estimate(r),
        )
        for r in rows
    )
    method = called_term(term, len(result.protocol.models), words.plain_title)
    head = capital(say("{method}: held-out scores by group", method=method))
    prefix = f"{name}-{attribute_name(attribute)}"
    return ecdf(
        "".join(c if c.isalnum() or c == "-" else "-" for c in prefix),
        lines,
        order=order,
        axis=say(SCALES[term.scale]) if term.scale in SCALES else term.scale,
        caption=head + (f". {caption}." if caption else "."),
        threshold=term.threshold,
    )


def comparison(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/comparison.html.j2``."""
    compared = [other for other in bundle.others if isinstance(other, Comparison)]
    # the strip beside the fits shows what they leak; its rows are in results.csv
    drawn = (Comparison, Leakage) if bundle.fits else (Comparison,)
    rest = [other for other in bundle.others if not isinstance(other, drawn) and not _on_page_one(other, bundle)]
    if not (compared or rest):
        return None
    return {
        "heading": say("Comparison") if compared else _further_heading(rest, bundle),
        "comparisons": [_beside(adjusting(i + 1, c), bundle) for i, c in enumerate(compared)],
        "parts": [{"found": None} | _part(i, other, bundle) for i, other in enumerate(rest)],
    }


def law_comparison(bundle: Bundle) -> dict[str, Any] | None:
    """The other results beside the audit: the tables of the law stand on page one and in the annex."""
    return comparison(replace(bundle, others=tuple(one for one in bundle.others if not isinstance(one, ImpactTable))))


def _further_heading(rest: Sequence[Result], bundle: Bundle) -> str:
    """The heading of results beside an audit and fits; of those that page one is about."""
    alone = bundle.audit is None and not bundle.fits
    pay = all(isinstance(one, GroupStudy) and of_pay(one) for one in rest)
    return say("All numbers") if alone and pay else say("Further results")


def _on_page_one(result: Result, bundle: Bundle) -> bool:
    """Whether page one has all of a result, so that no section of it follows."""
    if bundle.audit is not None or bundle.fits:
        return False
    if isinstance(result, (Proxies, Tradeoff)):  # whose page has all only where it is about nothing else
        return all(isinstance(one, type(result)) for one in bundle.others) and not bundle.extra_errors
    return isinstance(result, AuditComparison) and all_on_page_one(result)


def _beside(section: dict[str, Any], bundle: Bundle) -> dict[str, Any]:
    """Without an audit the sentence and the first picture are page one's; they are not shown twice."""
    return section if bundle.audit is not None else {**section, "sentence": "", "price": section["price"][1:]}


SCALES = {name: name for name in (mark("probability"), mark("decision function"), mark("prediction"))}  # of scores


def _name(result: Result) -> str:
    if isinstance(result, Estimates):
        return capital(words.listed([words.in_text(metric) for metric in dict.fromkeys(r.metric for r in result)][:3]))
    return attribute_name(translated(name_of(result)))


MOST_SENTENCES = 3  # of a study, which more of are a list


def _part(index: int, result: Result, bundle: Bundle) -> dict[str, Any]:
    name, rows = _name(result), rows_of(result)
    alone = bundle.audit is None and not bundle.fits  # then page one is about the result
    if isinstance(result, AuditComparison):
        return {"heading": title_of_change(result), "sentence": "", "figure": None, "rows": gaps(result, not alone)}
    if isinstance(result, GroupStudy):
        wording, found = ("" if alone and len(bundle.others) == 1 else study_sentences(result)), None
        if wording and len(result.statements) > MOST_SENTENCES:
            beside = beside_audit(bundle.audit, result) if bundle.audit and of_probabilities(result) else []
            wording, found = "", Bullets((*(begun(result, text) for text in result.statements), *beside))
        asked = by_groups(translated(result.question), result, bundle)
        heading = "" if alone and of_pay(result) else asked  # which is the report's title
        more = {"more": category_table(result)} if result.by_category() else {}
        more = {"more": period_table(result)} if result.periods else more
        more = {"more": model_table(result)} if result.by_model() and "models" in result.settings else more
        more = {"more": changes_table(result)} if of_alternatives(result) and result.changes_by_rate() else more
        more = {key: replace(one, caption=by_groups(one.caption, result, bundle)) for key, one in more.items()}
        rows_by = study_table(result)
        rows_by = replace(rows_by, caption=by_groups(rows_by.caption, result, bundle))
        part = {"heading": heading, "sentence": wording, "found": found, "figure": None, "rows": rows_by, **more}
        if of_probabilities(result) and not alone:  # page one has them otherwise
            bounded = {"figure": study_picture(f"study-{index}", result), "rows": bounds_table(result)}
            return part | bounded | {"more": rows_by}
        return part | (beside_page_one(f"study-{index}", result) if alone and len(bundle.others) == 1 else {})
    if isinstance(result, SubgroupScan):
        heading = translated(result.heading)
        wording = "" if alone else study_sentences(result)  # which page one has
        return {"heading": heading, "sentence": wording, "figure": None, "rows": subgroup_table(result)}
    if isinstance(result, Decomposition):
        more = {"more": other} if (other := forms_table(result)) else {}
        wording = "" if alone else study_sentences(result)
        figure = (
            None
            if alone or not waterfalls(result)
            else decomposition_picture(f"study-{index}", result, waterfalls(result)[0])
        )
        heading = "" if alone and len(bundle.others) == 1 else translated(result.heading)  # which is the report's title
        return {"heading": heading, "sentence": wording, "figure": figure, "rows": parts_table(result), **more}
    if isinstance(result, Tradeoff):
        lines = (*map(translated, result.answers()), *beside_answers(result))
        return {
            "heading": translated(result.question),
            "sentence": meant_by_costs(result),
            "found": Bullets(lines),
            "figure": tradeoff_picture(f"study-{index}", result) if len(result.points()) > 1 else None,
            "rows": tradeoff_table(result),
            **({"more": differences_table(result)} if any(result.differences()) else {}),
        }
    if isinstance(result, Leakage) and alone:  # whose models page one has
        heading, wording, other = other_measures(result)
        return {"heading": heading, "sentence": wording, "figure": None, "rows": other}
    return {
        "heading": name,
        "sentence": study_sentences(result),
        "figure": figure_of(f"study-{index}", result),
        "rows": estimates_table(say("{name}: estimates", name=name), rows, general(rows), note_of(result), most=30),
    }
