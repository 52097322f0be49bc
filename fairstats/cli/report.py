"""``fairstats report``: saved results joined in one report."""

from __future__ import annotations

from typing import Any

import click

from fairstats.cli.inputs import expanded
from fairstats.cli.options import options, report_words
from fairstats.cli.outputs import Outputs, outputs, write_report


@click.command(short_help="Join saved results in one report.")
@click.argument("saved", nargs=-1, required=True, metavar="SAVED...")
@options(outputs(".html, .pdf, .json, .csv", "report", can_open=True), report_words)
def report(saved: tuple[str, ...], out: Outputs, words: dict[str, Any]) -> None:
    """Write one report on the results in SAVED, files that audit, fit, compare, cluster and leakage wrote (.npz).

    \b
      fairstats report audit.npz fit.npz leakage.npz --to report.pdf
    """
    read = expanded(saved)
    if not out:
        raise click.UsageError("nothing is to be written; name a file with --to report.html.")
    out.check(read)
    import fairstats

    write_report(out, [fairstats.load(path) for path in read], words)
