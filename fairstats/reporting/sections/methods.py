"""The appendix: scores in full, definitions, intervals and their levels, adjustments, references."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from fairstats.auditing.answer import answers, decisions_beside, flags, outcome_difference, quantities
from fairstats.auditing.change import CHANGE, AuditComparison
from fairstats.auditing.classes import IN_ORDER, PPV, SHARE, TPR
from fairstats.auditing.decompose import Decomposition, main_rows
from fairstats.auditing.group_studies import GroupStudy
from fairstats.auditing.protocol import Resolved
from fairstats.auditing.result import Audit, plain
from fairstats.auditing.sentences import ERRORS, by_size, cites_theorem, error_noun, level_of, short_name
from fairstats.auditing.subgroups import SubgroupScan
from fairstats.comparing.result import Comparison, called_term, families
from fairstats.document import Heading, Table
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.verdicts import comparisons_of, decisive_level
from fairstats.language import mark, say, translated, unjoined
from fairstats.metrics import GAPS_OF_AMOUNTS
from fairstats.reporting import words
from fairstats.reporting.bundle import Bundle, of_alternatives
from fairstats.reporting.sections.audit import SCORES, SCORING, scores_of
from fairstats.reporting.sections.decomposition import method_of
from fairstats.reporting.sections.shared import (
    EVERY,
    JointLimits,
    attribute_name,
    counted_rate,
    impact,
    in_plain_verbs,
    term,
)
from fairstats.reporting.sections.titles import scores_title
from fairstats.reporting.tables import has_limits, table, text
from fairstats.reporting.words import (
    ADJUSTMENTS,
    DRAWN,
    DRAWN_BY_DESIGN,
    DRAWN_CLUSTERS,
    GENERAL,
    OF_INTERVALS,
    STATISTICS,
    THEOREM,
    computed,
    sources,
)
from fairstats.text import capital, level, level_number, listed, span
from fairstats.validation import BH, BONFERRONI, adjustment

OF_SCORES = ("AUC", "P(X>Y)", "score shift")  # the columns of a table of scores
OF_CLASSES = (SHARE, TPR, PPV, IN_ORDER)
DEFINED = ("selection rate", "base rate", SCORING, *ERRORS, *OF_SCORES, "impact ratio", *OF_CLASSES)


def methods(bundle: Bundle) -> dict[str, Any]:
    """The context of ``sections/methods.html.j2``: of other results than audits limits and references alone."""
    rows = [row for _, estimates in bundle.estimates for row in estimates]
    uncertain = any(row.conf_low == row.conf_low or row.p_value == row.p_value for row in rows)
    general = [_general(bundle, text) for text in GENERAL if uncertain or text not in OF_INTERVALS]
    if bundle.audit is not None and cites_theorem(bundle.audit, answers(bundle.audit)):
        general.append(say(PREMISE, errors=error_noun(bundle.audit.protocol, "FPR")))
    result = {**_BLANK, "general": general, "references": _references(bundle)}
    audit = in_plain_verbs(bundle)
    result |= {} if audit is None else _of_audit(audit)
    for scan in bundle.others:
        if isinstance(scan, SubgroupScan):
            result["intervals"] = [*result["intervals"], *_of_rows(say("subgroups"), scan.tested())]
            result["adjustment"] = [*result["adjustment"], _flagging(scan)]
        elif isinstance(scan, AuditComparison):
            result["intervals"] = [*result["intervals"], *_of_change(scan)]
        elif isinstance(scan, Decomposition):
            result["intervals"] = [*result["intervals"], *_of_decomposition(scan)]
        elif isinstance(scan, Comparison):
            result["compared"] = [*result["compared"], *_of_comparison(scan)]
            result["intervals"] = [*result["intervals"], *_of_rows(say("means over the splits"), scan.estimates)]
            result["adjustment"] = [*result["adjustment"], JointLimits(scan, _compared_rows(scan)).reported]
    return result


PREMISE = mark(
    "Where outcomes differ between groups, all three errors can be equal only if there are no {errors} (Chouldechova "
    "2017)."
)


def _general(bundle: Bundle, text: str) -> str:
    """A standing limit of a report; who was drawn is another under clusters or a design."""
    if text != DRAWN or bundle.audit is None:
        return say(text)
    protocol = bundle.audit.protocol
    if protocol.design:
        return say(DRAWN_BY_DESIGN)
    return say(DRAWN_CLUSTERS, name=protocol.called(protocol.clusters)) if protocol.clusters else say(DRAWN)


def _of_decomposition(result: Decomposition) -> list[tuple[str, str]]:
    """How the gap is divided, and how the limits of its parts are made."""
    return [(say("parts of the gap"), method_of(result)), *_of_rows(say("limits of the parts"), main_rows(result))]


def _of_comparison(result: Comparison) -> list[tuple[str, str]]:
    """What a comparison splits, fits and trains, as a paper says it."""
    p = result.protocol
    values = {"n": words.count(p.n_repeats), "train": words.count(p.n_train), "test": words.count(p.n_test)}
    drawn = mark(
        "{n}, drawn at random within groups and outcomes: {train} people to train on, {test} held out. Numbers are "
        "means over the splits."
    )
    given = mark("{n}, as given: {train} people to train on, {test} held out. Numbers are means over the splits.")
    scaled = mark("{n} columns, each divided by its standard deviation in the training rows: {features}.")
    plain = mark("{n} columns, not scaled: {features}.")
    fitted = say("Each is fitted to the training rows; its fit transforms the people held out.")
    methods = dict.fromkeys(called_term(one, 1, words.plain_title) for one in result.terms)
    models = [words.method_words(name) or name for name in p.models]
    trained = mark("{models}, trained on the training rows after each method.")
    if p.train_on != "training":
        trained = mark("{models}, trained after each method on the rows that they are measured on.")
    likelihood = mark("Logistic regression: maximum likelihood; with a small penalty where that does not settle.")
    several = say("Components, where a method has them: {k}.", k=listed(list(map(str, p.k)))) if p.k else ""
    return [
        (say("splits"), say(given if p.given else drawn, **values)),
        (say("features"), say(scaled if p.scale else plain, n=words.count(p.n_features), features=p.features)),
        (say("methods"), " ".join(filter(None, (f"{capital(listed(list(methods)))}.", several, fitted)))),
        (
            say("models"),
            " ".join([capital(say(trained, models=listed(models))), *([say(likelihood)] * ("logistic" in p.models))]),
        ),
    ]


def _compared_rows(result: Comparison) -> Estimates:
    """The rows of a comparison that are tested: of groups, and of methods."""
    return Estimates(row for row in result.estimates.where(role="main") if row.p_value == row.p_value)


def _of_rows(name: str, rows: Iterable[Estimate]) -> list[tuple[str, str]]:
    used = steps(rows)
    return [(name, say("Method: {methods}.", methods="; ".join(used)))] if used else []


def steps(rows: Iterable[Estimate]) -> list[str]:
    """What rows are computed by, each interval and test once.

    >>> from fairstats.language import joined, message
    >>> wilson, dunn, pooled = map(message, ("Wilson score interval", "Dunn", "pooled Z"))
    >>> steps(Estimate("FPR", method=joined(both)) for both in ((wilson, pooled), (dunn, pooled)))
    ['Wilson score interval', 'pooled Z', 'Dunn']
    """
    methods = (row.method for row in rows if row.method and row.status == "ok")
    return list(dict.fromkeys(translated(step) for method in methods for step in unjoined(method)))


def _of_change(result: AuditComparison) -> list[tuple[str, str]]:
    """By which methods the gaps of both audits and their changes have their intervals."""
    rows = [row for row in result.estimates if row.contrast == "difference"]
    changes = [row for row in rows if row.estimator == CHANGE]
    gaps = [row for row in rows if row.estimator != CHANGE]
    return [*_of_rows(say("gap of either audit"), gaps), *_of_rows(say("change of a gap"), changes)]


def _flagging(scan: SubgroupScan) -> str:
    """How the p-values of a search are adjusted, and its limits."""
    return say(
        "p-values: {name}, a false discovery rate of {share}%. The limits of all subgroups hold together with {level} "
        "confidence.",
        name={"bh": "Benjamini-Hochberg", "by": "Benjamini-Yekutieli"}[scan.p_adjust],
        share=level_number(scan.fdr),
        level=level(scan.conf_level),
    )


def _of_audit(audit: Audit) -> dict[str, Any]:
    p = audit.protocol
    rows = Estimates(r for r in _printed(audit.estimates) if r.role == "main" and not p.is_crossed(r.attribute))
    used = adjustment(p.p_adjust, p.reference)
    return {
        "ratios": [*_gaps_beside(audit), *_ratios(audit)],
        "scores": _scores(audit),
        "definitions": _definitions(rows, p),
        "intervals": [*intervals(rows), *_exact(audit.estimates), *_equality(rows, p.conf_level), *_largest(audit)],
        "levels": _levels(audit),
        "adjustment": [say("{name} ({meaning}).", name=say(used.words), meaning=say(used.meaning))],
    }


def _printed(rows: Iterable[Estimate]) -> Iterator[Estimate]:
    """The rows of what a report of an audit prints; the others stand in results.csv alone."""
    unshown = {*UNSHOWN, *SCORES} - {*OF_SCORES}
    return (
        r
        for r in rows
        if r.metric not in unshown
        and (r.contrast != "ratio" or r.metric in EVERY)
        and (r.metric, r.contrast) != ("AUC", "difference")
    )


_BLANK: dict[str, Any] = {
    "ratios": [],
    "scores": [],
    "definitions": [],
    "compared": [],
    "intervals": [],
    "levels": None,
    "adjustment": [],
}


def _gaps_beside(audit: Audit) -> list[Table]:
    """Each gap in decisions beside that in outcomes: their difference, and the ratio of their ratios, with limits."""
    lines, compared, result = [], [], answers(audit)
    share = level_of(audit, result) / (1 - audit.protocol.conf_level)  # as page one reads them
    for one in result:
        gaps = {gap.group: gap for gap in one.compared if gap.verdict != "equivalence shown"}
        for group in (group for group in by_size(audit, one.attribute) if group in gaps):
            gap, had = gaps[group], outcome_difference(audit, one, gaps[group])
            found = None if had is None else decisions_beside(audit, had, gap, share)
            if had is None or found is None or math.isnan(found.difference[0]):
                continue
            compared.append(gap)
            pair = [short_name(audit.protocol, gap.attribute, label) for label in (group, gap.reference)]
            apart, low, high = found.difference
            factor, least, most = found.factor
            lines.append(
                (
                    say("{group} against {reference}", group=pair[0], reference=pair[1]),
                    *(words.percent(value) for value in (gap.estimate, had.estimate, apart)),
                    span(low, high, words.percent),
                    _with_hundredths(factor),
                    span(least, most, _with_hundredths),
                )
            )
    if not lines:
        return []
    many = round(comparisons_of((row.conf_level for row in compared), audit.protocol.conf_level) / share)
    confidence = level_number(audit.protocol.conf_level)
    limits_of = say("{share}% CI, adjusted", share=confidence) if many > 1 else say("{share}% CI", share=confidence)
    names = say("gap in decisions"), say("gap in outcomes"), say("difference"), limits_of
    headings = [text(say("group")), *(Heading(name, say("points")) for name in names)]
    headings += [Heading(say("ratio of ratios")), Heading(limits_of)]
    by = mark(
        "Difference: the gap in decisions less that in outcomes, of the same people. Ratio of ratios: the ratio of "
        "decisions over that of outcomes. Limits of both gaps, and of logarithms, are combined by their correlation "
        "(Zou and Donner), adjusted for {n} comparisons."
    )
    if audit.protocol.p_adjust == BH:
        by = mark(
            "Difference: the gap in decisions less that in outcomes, of the same people. Ratio of ratios: the ratio of "
            "decisions over that of outcomes. Limits of both gaps, and of logarithms, are combined by their "
            "correlation (Zou and Donner), adjusted for the false discovery rate."
        )
    note = say(by, n=many)
    return [table(say("Gaps in decisions beside gaps in outcomes"), headings, lines, note)]


def _with_hundredths(value: float) -> str:
    return words.number(value, 2)


def _ratios(audit: Audit) -> list[Table]:
    """Ratios to the highest rate of more than two groups, where no law puts them among the findings."""
    if audit.protocol.four_fifths:
        return []
    metric = "selection rate"
    every = [(a, by_size(audit, a)) for a in plain(audit)]
    tables = [
        impact(attribute_name(a, audit), audit.estimates.where(attribute=a), groups, metric, audit.protocol, note=False)
        for a, groups in every
        if (len(groups) > 2 or flags(audit.protocol)) and audit.estimates.only(attribute=a, metric="impact ratio")
    ]
    return [one for one in tables if one]


def _scores(audit: Audit) -> list[dict[str, Any]]:
    """Scores in full, where the errors have the body of the report."""
    shown = plain(audit) or list(audit.references)
    with_errors = [a for a in shown if audit.estimates.only(attribute=a, metric=ERRORS, contrast="none")]
    parts = [(a, *scores_of(audit, a, i)) for i, a in enumerate(shown) if a in with_errors]
    return [
        {
            "heading": f"{attribute_name(a, audit)}: {_scores_title(audit, a) or say('scores of all groups')}",
            "figures": drawn,
            "tables": tables,
        }
        for a, drawn, tables in parts
        if drawn or tables
    ]


def _scores_title(audit: Audit, attribute: str) -> str:
    rows = audit.estimates.where(metric="P(X>Y)", attribute=attribute, role="main", given="", term="")
    return scores_title(list(rows), audit.references[attribute])


def _definitions(rows: Estimates, protocol: Resolved) -> list[dict[str, str]]:
    """The metrics that the report shows: an id to link to, the name, what it says and what misleads."""
    present = {r.metric for r in rows if words.shown(r)}
    spoken = DEFINED if protocol.four_fifths else [m for m in DEFINED if m != "impact ratio"]  # which cites the rule
    items = [m for m in dict.fromkeys((*spoken, *quantities())) if m in present and words.reading(m)]
    result = [{"id": term(m), "name": words.heading(m), "meaning": words.reading(m)} for m in items]
    if flags(protocol):  # the tables count the people flagged
        counted = say("{rate}: 100% minus the selection rate.", rate=counted_rate(protocol)[0])
        result = [
            {**one, "meaning": f"{one['meaning']} {counted}"} if one["id"] == term("selection rate") else one
            for one in result
        ]
    return result


KINDS = {"none": mark("rates"), "difference": mark("differences"), "ratio": mark("ratios")}


def intervals(rows: Estimates) -> list[tuple[str, str]]:
    """By which methods the intervals and tests of each metric are computed; metrics of the same ones share a line."""
    items: dict[tuple[str, str], list[str]] = {}
    order = steps(rows)  # of lines with the same steps
    for metric in dict.fromkeys((*DEFINED, *quantities())):
        for contrast in KINDS:
            current = rows.only(metric=metric, contrast=contrast)
            if used := sorted(steps(current), key=order.index):
                items.setdefault((contrast, "; ".join(used)), []).append(words.in_text(metric))
    return [
        (f"{listed(names, 12)} ({say(KINDS[contrast])})", say("Method: {methods}.", methods=method))
        for (contrast, method), names in items.items()
    ]


def _exact(rows: Estimates) -> list[tuple[str, str]]:
    """What the exact unconditional test of small groups is."""
    if not any(
        "unconditional" in computed(*both) for both in {(r.metric, r.method) for r in rows if r.p_value == r.p_value}
    ):
        return []
    what = mark(
        "Statistic: pooled Z. The rate that both groups may have in common is looked for in its 99.999% interval "
        "(Clopper-Pearson); p is the largest there, plus 0.00001 (Berger and Boos)."
    )
    return [(say("exact unconditional test"), say(what))]


def _largest(audit: Audit) -> list[tuple[str, str]]:
    """By which method the largest gap of any two groups has its interval, where the report says one."""
    shown = plain(audit) or list(audit.references)
    rows = audit.estimates.only(attribute=shown, metric=DEFINED, role="omnibus", contrast="difference", status="ok")
    used = dict.fromkeys(translated(row.method) for row in rows if row.method)
    if not used:
        return []
    return [(say("largest gap of any two groups"), say("Method: {methods}.", methods="; ".join(used)))]


def _equality(rows: Estimates, conf_level: float) -> list[tuple[str, str]]:
    """How it is shown that a difference is within the margin, where a test of that was made."""
    if not any(row.p_equivalence == row.p_equivalence for row in rows):
        return []
    values = {"alpha": level_number(1 - conf_level), "equal": level_number(2 * conf_level - 1)}
    return [
        (
            say("within the margin"),
            say(
                "Method: two one-sided tests at {alpha}% each; shown where the {equal}% interval lies inside the "
                "margin.",
                **values,
            ),
        )
    ]


def _levels(audit: Audit) -> Table | None:
    """The level that one comparison has by itself, of every family."""
    conf_level = audit.protocol.conf_level
    families: dict[tuple[str, float], list[Estimate]] = {}
    for row in _printed(audit.estimates):
        if audit.protocol.is_crossed(row.attribute) and row.metric not in (*HEADLINES, *EVERY):
            continue  # of intersections the report has one rate
        if (
            row.role == "main"
            and row.metric in (*DEFINED, *quantities())
            and (row.contrast != "none" or row.metric in GAPS_OF_AMOUNTS)
            and has_limits(row)
            and row.conf_level > conf_level
        ):
            kind = "difference" if row.metric in GAPS_OF_AMOUNTS else row.contrast
            families.setdefault((kind, row.conf_level), []).append(row)
    lines, by_rate = [], audit.protocol.p_adjust == BH
    for (contrast, one), rows in families.items():
        names = listed([words.in_text(m) for m in dict.fromkeys(r.metric for r in rows)], 4)
        where = listed([attribute_name(a, audit) for a in dict.fromkeys(r.attribute for r in rows)], 4)
        many = str(comparisons_of([one], conf_level))
        if by_rate and rows[0].metric not in EVERY:  # whose level is that of all pairs
            many = say("false discovery rate")
        lines.append((f"{say(KINDS[contrast])}: {names}", where, many, level(one)))
        if equal := {decisive_level(row) for row in rows if row.verdict == "equivalence shown"}:
            joint = level(2 * conf_level - 1)
            called = say("within the margin ({level} together): {metrics}", level=joint, metrics=names)
            lines.append((called, where, many, listed(sorted(equal))))
    if not lines:
        return None
    headings = [text(say("comparisons")), text(say("attributes")), Heading(say("adjusted for"))]
    headings.append(Heading(say("level of each")))
    caption = mark("The level of each comparison by itself, so that those tested together have {level}")
    caption = mark("The level of each comparison by itself") if by_rate else caption
    return table(say(caption, level=level(conf_level)), headings, lines)


def _of_ratios(audit: Audit | None) -> Estimates:
    """The intervals of the ratios that tables show without a rule."""
    return Estimates() if audit is None else audit.estimates.only(metric="impact ratio", role="main", status="ok")


HEADLINES = ("selection rate", "base rate")
# Metrics of an audit whose rows stand in results.csv alone.
UNSHOWN = (
    "score distribution",
    "Cliff's delta",
    "Kolmogorov-Smirnov distance",
    "ABROCA",
    "mean rank",
    "equalized odds difference",
    "Spiegelhalter's z",
    "calibration error",
)


def _references(bundle: Bundle) -> list[str]:
    """The sources of the methods that the report's rows name."""
    audit = bundle.audit
    rules = "" if audit is None else adjustment(audit.protocol.p_adjust, audit.protocol.reference).name
    used = [str(getattr(r, "method", "")) for r in (*bundle.fits, *bundle.partitions, *bundle.others)]
    used += [m for other in bundle.others if isinstance(other, Comparison) for m in other.protocol.methods]
    printed = (lambda rows: rows) if audit is None else _printed
    pairs = [(r.metric, r.method) for _, rows in bundle.estimates for r in printed(rows)]
    if audit is None or not audit.protocol.four_fifths:  # ratios to the highest rate stand in tables, and no rule
        pairs = [pair for pair in pairs if pair[0] not in EVERY]
        pairs += [("", row.method) for row in _of_ratios(audit)]
    equal = any(row.p_equivalence == row.p_equivalence for _, rows in bundle.estimates for row in printed(rows))
    further = [STATISTICS["equivalence"]] if equal else []
    further += [THEOREM] if audit is not None and cites_theorem(audit, answers(audit)) else []
    if any(isinstance(other, GroupStudy) and of_alternatives(other) for other in bundle.others):
        further += [STATISTICS["data splitting"], STATISTICS["all claims"]]
    scans = [other for other in bundle.others if isinstance(other, SubgroupScan)]
    further += [(STATISTICS | ADJUSTMENTS)[scan.p_adjust] for scan in scans]
    studies = [other for other in bundle.others if isinstance(other, GroupStudy) and len(other.compared()) > 1]
    further += [ADJUSTMENTS[one.settings["p_adjust"]] for one in studies if one.settings.get("p_adjust") in ADJUSTMENTS]
    for other in bundle.others:
        if isinstance(other, Comparison) and max(families(_compared_rows(other)).values(), default=1) > 1:
            further += [ADJUSTMENTS[BONFERRONI], ADJUSTMENTS[other.protocol.p_adjust]]
    return sorted({*sources(pairs, used, rules), *further})
