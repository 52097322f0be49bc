"""The audit as text, at most 80 columns: protocol, flow, rates with their comparisons, cautions."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING

from fairstats import metrics
from fairstats.auditing.references import references_by_attribute
from fairstats.auditing.rows.rates import DESCRIPTIVE
from fairstats.auditing.words.answer import Answer
from fairstats.auditing.words.cautions import elsewhere
from fairstats.auditing.words.families import family_text
from fairstats.auditing.words.finding import finding
from fairstats.auditing.words.further import further_text
from fairstats.auditing.words.phrases import decision_text
from fairstats.auditing.words.summary_details import MOST_GROUPS, remarks
from fairstats.choices import BH, LARGEST_GROUP, MISSING, reference_rule
from fairstats.estimates import Estimate, Estimates
from fairstats.glossary import STATUSES
from fairstats.inference.margins import NO_MARGINS
from fairstats.inference.scores.rank_rows import NO_SHIFT_LIMITS
from fairstats.inference.verdicts import decisive_p
from fairstats.text import count, level, number, p_value, percent, signed, significant

if TYPE_CHECKING:
    from fairstats.auditing.result import Audit

WIDTH = 80
NUMBERS = 55  # columns that the numbers of a line take
MOST_PEOPLE = 1e10  # counts of up to ten digits are printed in full
SCORE_TABLES = {
    ("P(X>Y)", "none"): "P(X>Y) of {score} by {by}: chance to score higher than {reference}, ties half",
    ("score shift", "difference"): "Shift of {score} by {by} against {reference}, if the shapes agree; Mann-Whitney",
    ("AUC", "none"): "AUC of {score} by {by}",
    ("AUC", "difference"): "AUC of {score} by {by}: difference from {reference}",
    ("calibration slope", "none"): "Calibration slope of {score} by {by} (1 is calibrated)",
    ("calibration slope", "difference"): "Calibration slope of {score} by {by}: difference from {reference}",
}
# what the remarks below a table say
BESIDE = ("impact ratio", "scoring impact ratio", "risk difference within strata")
MARKS = {"disparity shown": "D", "flagged": "F", "equivalence shown": "E", "inconclusive": "i", "": ""}
UNJUDGED = "n"


def summarize(audit: Audit) -> str:
    """The text that ``print(audit.summary())`` shows.

    Parameters
    ----------
    audit : Audit
        The audit.

    Returns
    -------
    str

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> summarize(audit(data, decision="hired", groups="sex")).splitlines()[0]
    'Audit of data in memory'
    """
    lines = [f"Audit of {audit.data.name}", ""]
    lines += [*_wrapped(finding(audit)), ""]
    lines += [*_protocol(audit), ""]
    lines += [*_flow(audit), ""]
    for attribute in audit.references:
        lines += _attribute(audit, attribute)
    lines += _scores(audit)
    lines += _further(audit)
    lines += [*_legend(audit), ""]
    lines += _cautions(audit)
    return "\n".join(line.rstrip() for line in lines).rstrip()


def _wrapped(sentence: str, first: str = "", rest: str = "") -> list[str]:
    return textwrap.wrap(
        sentence, WIDTH, initial_indent=first, subsequent_indent=rest or " " * len(first), break_on_hyphens=False
    )


def _entry(name: str, content: str) -> list[str]:
    return _wrapped(content, f"  {name:<11}", " " * 13)


def _references(audit: Audit) -> str:
    """Whom each attribute's groups are compared with, and by which rule: the rest may be named, intersections not."""
    rules = references_by_attribute(audit.protocol.reference, audit.references)
    rules |= dict.fromkeys(elsewhere(audit.protocol, audit.references), LARGEST_GROUP)
    by_rule: dict[str, list[str]] = {}
    for attribute, group in audit.references.items():
        by_rule.setdefault(reference_rule(rules[attribute]).words, []).append(f"{attribute}: {group}")
    return "; ".join(f"{'; '.join(groups)} ({rule})" for rule, groups in by_rule.items())


def _protocol(audit: Audit) -> list[str]:
    p = audit.protocol
    declared = f"read from {p.source}, SHA-256 {p.sha256[:12]}…" if p.declared else "given with the call"
    lines = [f"Protocol ({declared})"]
    if p.outcome:
        lines += _entry("outcome", f"{p.outcome}; positive: {p.positive}")
    if p.decision or p.threshold is not None:
        predicts = f"; predicts the positive outcome: {decision_text(p, p.predicts)}" if p.outcome else ""
        lines += _entry("decision", f"favorable: {decision_text(p, p.favorable)}{predicts}")
    if p.score:
        lines += _entry("score", p.score)
    lines += _entry("reference", _references(audit))
    lines += _entry("intervals", f"{level(p.conf_level)}; of comparisons at the adjusted level")
    lines += _entry("family", family_text(audit))
    lines += _entry("margin", p.equivalence.words)
    lines += _entry("missing", MISSING[p.missing].words)
    if p.min_n > 1:
        lines += _entry("suppressed", f"groups and denominators of fewer than {p.min_n} people, and what tells them")
    if p.weights:
        lines += _entry("weights", f"{p.weights} ({p.weight_type})")
    if p.clusters:
        lines += _entry("clusters", p.clusters)
    if p.strata:
        lines += _entry("strata", p.strata)
    return lines


def _flow(audit: Audit) -> list[str]:
    lines = ["Data"]
    for step in audit.flow:
        lines += _wrapped(
            f"{step.label}{': ' + step.reason if step.reason else ''}",
            f"  {'' if math.isnan(step.n) else count(step.n):>10}  ",
        )
    return lines


def rates_of(audit: Audit, made: Answer) -> list[str]:
    """The table of the rate that an answer is about, with an empty line; nothing where it is no rate."""
    rows = audit.estimates.where(attribute=made.attribute, metric=made.metric, role="main", given="")
    levels = rows.where(contrast="none")
    if not levels or levels[0].reference:
        return []
    return _metric(made.metric, levels, rows.where(contrast="difference"), audit)


def _attribute(audit: Audit, attribute: str) -> list[str]:
    rows = audit.estimates.where(attribute=attribute, role="main")
    lines: list[str] = []
    printed = [metric for metric in metrics.shown("summary") if rows.where(metric=metric)]
    # What is said of strata, of missing values and of power is about the decision, where there is one.
    headline = "selection rate" if "selection rate" in printed else next(iter(printed), "")
    if ":" in attribute:
        printed = [headline] if headline else []
    for metric in printed:
        levels = rows.where(metric=metric, contrast="none")
        lines += _metric(metric, levels, rows.where(metric=metric, contrast="difference"), audit)
        if metric == headline and ":" not in attribute:
            every = audit.estimates.where(attribute=attribute)
            said = remarks(every, metric, audit.protocol.strata)
            lines[-1:] = [line for sentence in said for line in _wrapped(sentence, "  ", "    ")] + [""]
    if len(printed) == 1 and rows.where(metric="accuracy"):
        lines[-1:] = [f"  the other rates of {attribute} are in tidy()", ""]
    return lines


def _metric(metric: str, levels: Estimates, gaps: Estimates, audit: Audit) -> list[str]:
    attribute = levels[0].attribute
    by_group = {row.group: row for row in gaps}
    reference = audit.references[attribute]
    counts = [f"{_people(row.events)}/{_people(row.n)}" if row.status == "ok" else _people(row.n) for row in levels]
    counted = max(len(c) for c in counts)
    room = max(0, WIDTH - counted - NUMBERS)  # counts of billions leave no room beside a name
    named = min(room, max(len(_flat(row.group)) for row in levels))
    strata = audit.protocol.strata
    crude = f", without regard to {strata.replace(':', ' and ')}" if strata else ""
    head = f"{metric[0].upper()}{metric[1:]} by {attribute}, %; difference from {reference} in points{crude}"
    lines = _wrapped(head)
    for row, cell in list(zip(levels, counts, strict=True))[:MOST_GROUPS]:
        name = _flat(row.group)
        if len(name) > named:  # a long name has its own line, and is never cut
            lines += _wrapped(name, "  ", "    ")
            name = ""
        gap = "" if row.status != "ok" else "reference" if row.group == reference else _gap(by_group[row.group])
        lines += _kept(f"  {name:<{named}} {cell:>{counted}} {_rate(row)} {gap}")
    return [*lines, *_more(levels), ""]


def _more(rows: Estimates) -> list[str]:
    hidden = len(rows) - MOST_GROUPS
    return [f"  … and {hidden} more group{'s' * (hidden > 1)}, all in tidy()"] if hidden > 0 else []


def _people(n: float) -> str:
    """Return a count as text, "" where it is withheld; four digits of a sum of weights that would fill the line."""
    return "" if math.isnan(n) else number(n, 0) if n < MOST_PEOPLE else significant(n, 4)


def _flat(name: str) -> str:
    return " ".join(name.split())


def _kept(line: str) -> list[str]:
    """The line as it is laid out, or wrapped where its words are too many."""
    return textwrap.wrap(line, WIDTH, subsequent_indent="    ", replace_whitespace=False)


def _in_words(row: Estimate) -> str:
    return f"{STATUSES[row.status].split(':')[0]}: {row.reason}"


def _rate(row: Estimate) -> str:
    if row.status != "ok":
        return _in_words(row)
    return f"{percent(row.estimate):>5} {f'{percent(row.conf_low)} to {percent(row.conf_high)}':>13}"


def _gap(row: Estimate) -> str:
    if row.status != "ok":
        return _in_words(row).split(":")[0]
    interval = f"{signed(100 * row.conf_low)} to {signed(100 * row.conf_high)}"
    return f"{signed(100 * row.estimate):>6} {interval:>14} {p_value(decisive_p(row), ''):>7} {_mark(row)}"


def _mark(row: Estimate) -> str:
    return UNJUDGED if DESCRIPTIVE in row.reason and not row.verdict else MARKS[row.verdict]


def _scores(audit: Audit) -> list[str]:
    lines: list[str] = []
    for attribute in (a for a in audit.references if ":" not in a):
        for (metric, contrast), head in SCORE_TABLES.items():
            rows = audit.estimates.where(attribute=attribute, metric=metric, contrast=contrast, role="main")
            if rows:
                reference = audit.references[attribute]
                lines += _wrapped(head.format(score=audit.protocol.score, by=attribute, reference=reference))
                lines += _score_lines(rows)
    return lines


def _further(audit: Audit) -> list[str]:
    """What is settled in metrics that have no lines above."""
    printed = {*metrics.shown("summary"), *(metric for metric, _ in SCORE_TABLES), *BESIDE}
    said = [further_text(audit, a, printed) for a in audit.references if ":" not in a]
    lines = [line for sentence in said if sentence for line in _wrapped(sentence)]
    return [*lines, ""] if lines else []


def _score_lines(rows: Estimates) -> list[str]:
    counts = [_people(row.n) for row in rows]
    counted = max(len(c) for c in counts)
    named = min(max(len(_flat(row.group)) for row in rows), WIDTH - counted - NUMBERS + 12)
    lines = []
    for row, cell in list(zip(rows, counts, strict=True))[:MOST_GROUPS]:
        name = _flat(row.group)
        if len(name) > named:
            lines += _wrapped(name, "  ", "    ")
            name = ""
        numbers = _in_words(row)
        if row.status == "ok":
            interval = f"{number(row.conf_low, 3)} to {number(row.conf_high, 3)}"
            if row.conf_low != row.conf_low:  # its reason says why, in the table of estimates
                interval = "no interval, ties" if NO_SHIFT_LIMITS in row.reason else "no interval"
            numbers = (
                f"{number(row.estimate, 3):>7} {interval:>17} {p_value(decisive_p(row), ''):>7} {MARKS[row.verdict]}"
            )
        lines += _kept(f"  {name:<{named}} {cell:>{counted}} {numbers}")
    return [*lines, *_more(rows), ""]


def _legend(audit: Audit) -> list[str]:
    shown = "D disparity shown"
    if audit.protocol.adjust == BH:
        shown = "F flagged (of all that is flagged a share may be false)"
    words = (
        f"Verdicts, read from adjusted p: {shown}, E equivalence shown (the p beside it is of the test of practical "
    )
    words += "equality), i inconclusive (which does not show equality)"
    if audit.protocol.equivalence == NO_MARGINS:
        words = f"Verdicts, read from adjusted p: {shown}, i inconclusive (which does not show equality)"
    if any(DESCRIPTIVE in row.reason for row in audit.estimates.where(role="main", contrast="difference")):
        words += f", {UNJUDGED} no verdict (base rates describe the outcome, not the decisions)"
    last = "Rates: Wilson intervals. Differences: score intervals (Miettinen-Nurminen) and the exact unconditional "
    last += "test, which agree."
    if audit.protocol.weight_type == "probability" or audit.protocol.clusters:
        last = "Rates: Wilson intervals on effective sizes. Differences: limits that invert the score test on them; t."
    return _wrapped(f"{words}. {last}")


def _cautions(audit: Audit) -> list[str]:
    if not audit.notes:
        return []
    lines = ["Cautions"]
    for note in audit.notes:
        lines += _wrapped(note, "  - ", "    ")
    return lines
