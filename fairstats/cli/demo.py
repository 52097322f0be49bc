"""``fairstats demo``: the audit of the table that ships, with its report."""

from __future__ import annotations

from pathlib import Path

import click

from fairstats.cli.outputs import QUIET, Outputs, write_report
from fairstats.cli.terminal import say


@click.command(short_help="Audit 5226 arrests in Toronto, with a report.")
@click.option("--to-dir", default=".", show_default=True, metavar="DIR", help="Where to write; made when absent.")
@click.option("--force", is_flag=True, help="Replace also files that fairstats did not write.")
def demo(to_dir: str, force: bool) -> None:
    """Audit 5226 arrests in Toronto: were Black arrestees released less often than White ones?"""
    from fairstats.data.datasets import arrests_file

    data, folder = arrests_file(), Path(to_dir)
    out = Outputs(tuple(str(folder / f"audit.{suffix}") for suffix in ("html", "pdf", "json")), force=force)
    folder.mkdir(parents=True, exist_ok=True)
    out.check()
    from fairstats.auditing.audit import audit

    click.get_current_context().meta[QUIET] = True  # the files are the output of this command, and are printed as such
    result = audit(data, groups="colour", decision="released", favorable="Yes")
    write_report(out, [result], {"title": "Released on a summons: 5226 arrests in Toronto"})
    say("\n".join(out.files))
    say(result.finding())
