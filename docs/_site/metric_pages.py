"""The page of a metric: question, formula, when it misleads, interval and why, how often these are wrong, other names.

The rows of ``fairstats/vocabulary`` and the tables of ``docs/verdicts.md`` say it; a new row has its page.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from metric_words import FORMULAS, INTERVALS, MISLEADS, QUESTIONS, Interval

from fairstats.metrics import METRICS, UNITS, Metric

VERDICTS = Path(__file__).resolve().parents[1] / "verdicts.md"
HEAD = """# Metrics

Y is the outcome, D the decision or prediction, 1 the positive value of either, `D = +` the decision that helps the
person. Names are those of the column `metric`; {doc}`all on one page <../metrics>`.
"""
HEADINGS = ("Question", "Formula", "When it misleads", "Interval and test", "How often that is wrong", "Elsewhere")


def name_of(metric: Metric) -> str:
    """The file of a metric's page."""
    return "metric-" + re.sub(
        r"[^a-z0-9]+", "-", metric.name.lower().replace(">", " greater ").replace("²", "2")
    ).strip("-")


@cache
def tables() -> dict[str, str]:
    """The tables of ``docs/verdicts.md`` by heading."""
    parts = re.split(r"^## (.*)\n", VERDICTS.read_text(encoding="utf-8"), flags=re.M)
    return dict(zip(parts[1::2], (text.strip() for text in parts[2::2]), strict=True))


def interval(metric: Metric) -> Interval:
    """How its uncertainty is told: of its own name, or of its kind."""
    return INTERVALS.get(metric.name) or INTERVALS["rate" if metric.is_rate else "none"]


def question(metric: Metric) -> str:
    """What it answers, in words of no data."""
    arguments = QUESTIONS.get(metric.name) or metric.question
    if not arguments:
        return f"What is it in each group: {metric.meaning}?"
    words = {
        "decision": "the favorable decision",
        "outcome": "the positive outcome",
        "by": "the attribute",
        "score": "the score",
    }
    return arguments.format_map(words)


def misleads(metric: Metric) -> str:
    """When not to trust it; the complement's answer where it has no other."""
    current = metric.misleads or MISLEADS.get(metric.name, "")
    if current or not metric.complement:
        return current or "Read it beside the others of its table: alone it settles nothing."
    other = METRICS[metric.complement]
    return f"As {{doc}}`{other.heading} <{name_of(other)}>`, of which it is the rest to 1: {misleads(other)}"


def page(metric: Metric) -> str:
    """The page, as MyST."""
    text = interval(metric)
    shares = [f"### {heading}\n\n{tables()[heading]}" for heading in text.tables]
    formula = metric.symbol or FORMULAS.get(metric.name, metric.name)
    meaning = f"{metric.meaning[:1].upper()}{metric.meaning[1:]}."
    facts = {
        "needs": ", ".join(metric.columns),
        "range": f"{metric.range[0]:g} to {metric.range[1]:g}"
        + (f" {UNITS[metric.scale]}" if UNITS[metric.scale] == "people" else ""),
        "no disparity": f"a difference of {metric.null:g}" if metric.is_rate else f"{metric.null:g}",
        "better": metric.better,
        "complement": f"{{doc}}`{name_of(METRICS[metric.complement])}`" if metric.complement else "",
    }
    elsewhere = [f"- {library}: `{name}`" for library, name in metric.aliases.items()]
    elsewhere += [f"- Source: {metric.reference}"] if metric.reference else []
    parts = {
        "Question": " ".join(filter(None, (question(metric), metric.matters))),
        "Formula": "\n\n".join(
            filter(
                None,
                (f"`{formula}`", meaning, "\n".join(f"- {k}: {v}" for k, v in facts.items() if v)),
            )
        ),
        "When it misleads": misleads(metric),
        "Interval and test": f"{text.method} {text.why}",
        "How often that is wrong": "\n\n".join(shares) or text.unmeasured,
        "Elsewhere": "\n".join(elsewhere) or "We know of no other name.",
    }
    called = f"`{metric.name}` in the column `metric` of every table."
    sections = (f"## {heading}\n\n{parts[heading]}" for heading in HEADINGS)
    return "\n\n".join([f"# {metric.heading}", called, *sections]) + "\n"


def index() -> str:
    """The list of all metrics."""
    lines = [HEAD, "| metric | what it is | formula |", "|---|---|---|"]
    for metric in METRICS.values():
        formula = (metric.symbol or FORMULAS.get(metric.name, "")).replace("|", r"\|")
        meaning = metric.meaning.replace("|", r"\|")
        link = f"{{doc}}`{metric.heading} <{name_of(metric)}>`"
        lines.append(f"| {link} | {meaning} | {f'`{formula}`' if formula else ''} |")
    return "\n".join([*lines, "", "```{toctree}", ":hidden:", "", *map(name_of, METRICS.values()), "```", ""])


def pages() -> dict[str, str]:
    """Every file of the metrics."""
    return {"metrics.md": index()} | {f"{name_of(metric)}.md": page(metric) for metric in METRICS.values()}
