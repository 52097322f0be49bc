"""``fairstats verify``: does a report follow from the data?"""

from __future__ import annotations

import click

from fairstats.cli.inputs import FILES, INPUT_FORMAT, expanded, source
from fairstats.cli.options import options
from fairstats.cli.terminal import say

CODES = {"verified": 0, "disagreement": 1, "partly verified": 4}


@click.command(short_help="Recompute a report from the data, and compare every number.")
@click.argument("report")
@FILES
@options(INPUT_FORMAT)
def verify(report: str, files: tuple[str, ...], input_format: str | None) -> int:
    """Repeat the audit of REPORT (.pdf, .html, .json) on FILE by the protocol inside it, and compare.

    Every number has to be the same within 1e-9, the SHA-256 of the data the one in the report, and the file byte for
    byte the one that these results give. Ends with exit code 1 where something differs, and with 4 where the numbers
    agree and the pages cannot be made again here (other software, templates of one's own, further results).

    \b
      fairstats verify audit.pdf people.csv
    """
    from fairstats.reporting.verify import verify as run_verification

    found = run_verification(report, source(expanded(files), input_format))
    say(found.summary())
    return CODES[found.status]
