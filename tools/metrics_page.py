"""Write docs/metrics.md, the glossary of metrics, from their rows; with --check only say whether it is so."""

from __future__ import annotations

import sys
from pathlib import Path

from fairstats.metrics import METRICS, UNITS, Metric

PAGE = Path(__file__).parents[1] / "docs" / "metrics.md"
HEAD = """# Metrics

Y is the outcome, D the decision or prediction, 1 the positive value of either, `D = +` the decision that helps the
person. Names are those of the column `metric`. This page is written by `tools/metrics_page.py` from
the rows in `fairstats/metrics.py`.
"""


def entry(metric: Metric) -> str:
    """One metric as a section of the page."""
    facts = {
        "share": f"`{metric.symbol}`" if metric.symbol else "",
        "needs": ", ".join(metric.columns),
        "unit": UNITS[metric.scale],
        "range": f"{metric.range[0]:g} to {metric.range[1]:g}",
        "complement": f"`{metric.complement}`" if metric.complement else "",
        "better": metric.better,
        "elsewhere": ", ".join(f"{library} `{name}`" for library, name in metric.aliases.items()),
        "source": metric.reference,
        "computed by": f"`fs.stats.{metric.function}`" if metric.function else "",
    }
    title = f"## {metric.heading}" + (f" (`{metric.name}`)" if metric.name != metric.heading else "")
    text = " ".join(part for part in (f"{metric.meaning[:1].upper()}{metric.meaning[1:]}.", metric.matters) if part)
    misleads = [f"Misleading: {metric.misleads}"] if metric.misleads else []
    return "\n".join([title, "", text, *misleads, "", *(f"- {name}: {fact}" for name, fact in facts.items() if fact)])


def page() -> str:
    """The whole page."""
    return "\n\n".join([HEAD.strip(), *map(entry, METRICS.values())]) + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if PAGE.read_text(encoding="utf-8") == page() else f"{PAGE} is not what {__file__} writes; run it.")
    PAGE.write_text(page(), encoding="utf-8")
