"""``fairstats change``: two saved audits in; by how much each difference between groups changed, and a gate, out."""

from __future__ import annotations

from typing import Any

import click

from fairstats.cli.gates import CHANGE, Gate, fail_on, judged
from fairstats.cli.inputs import loaded
from fairstats.cli.options import columns, options, report_words
from fairstats.cli.outputs import Outputs, outputs, write_report
from fairstats.cli.terminal import say


@click.command(short_help="Test whether differences changed between two audits.")
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="AFTER")
@options(
    click.option("--metric", multiple=True, callback=columns, metavar="RATE",
                 help="Rates to compare, by commas. [all that both audits have]"),
    click.option("--conf-level", type=float, help="Confidence level, of all comparisons together. [0.95]"),
    click.option("--adjust", metavar="METHOD", help="Multiplicity: bonferroni, holm, bh, none. [bonferroni]"),
    fail_on(CHANGE),
    outputs(".html, .pdf, .json, .csv: report; .npz: the result", "report", "saved", "table", can_open=True),
    report_words,
)  # fmt: skip
def change(before: str, after: str, gates: list[Gate], out: Outputs, words: dict[str, Any], **choices: Any) -> int:
    """Test whether the differences between groups changed from the audit in BEFORE to that in AFTER, of other people.

    Both are audits that were saved: fairstats audit may.csv ... --to may.npz.

    \b
      fairstats change may.npz june.npz --fail-on drift
      fairstats change may.npz june.npz --fail-on "worse>0.05"
    """
    out.check([before, after])
    import fairstats

    audits = [loaded(name, fairstats.Audit, "audit", "fairstats audit") for name in (before, after)]
    result = fairstats.change(*audits, **{name: value for name, value in choices.items() if value not in (None, [])})
    write_report(out, [result], words, saved=lambda: result, table=result.tidy)
    if not out.on_stdout:
        say(result.summary())
    return judged(gates, result)
