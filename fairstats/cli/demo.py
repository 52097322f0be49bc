"""``fairstats demo``: an audit of the table that ships, two ways to take the groups out, what is left, the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from fairstats.cli.outputs import QUIET, Outputs, write_report
from fairstats.cli.terminal import say

FEATURES = "~ age + checks + employed + citizen + year"
WORDS = {
    "unit": "arrestees",
    "favorable": "were released",
    "unfavorable": "were held",
    "groups": {"colour": {"Black": "Black", "White": "White"}},
}


@click.command(short_help="Audit 5,226 arrests in Toronto, with a report.")
@click.option("--to-dir", default=".", show_default=True, metavar="DIR", help="Where to write; made when absent.")
@click.option("--force", is_flag=True, help="Replace also files that fairstats did not write.")
def demo(to_dir: str, force: bool) -> None:
    """Audit 5,226 arrests in Toronto: were Black arrestees released less often than White ones?

    Then it takes the groups out of what was known of them, by og and by fair_pca: at what price, and what still leaks.
    """
    from fairstats.data.datasets import arrests_file

    data, folder = arrests_file(), Path(to_dir)
    out = Outputs(tuple(str(folder / f"audit.{suffix}") for suffix in ("html", "pdf", "json")), force=force)
    folder.mkdir(parents=True, exist_ok=True)
    out.check()
    click.get_current_context().meta[QUIET] = True  # the files are the output of this command, and are printed as such
    results = _results(data)
    write_report(out, results, {"title": "Released on a summons: 5,226 arrests in Toronto"})
    say("\n".join(out.files))
    say(results[0].finding())


def _results(data: Path) -> list[Any]:
    """The audit; two fits of what was known of the arrestees; what scores of people not fitted still tell of them."""
    import sklearn.ensemble  # noqa: F401  loads the threads that are limited here
    from threadpoolctl import threadpool_limits

    import fairstats as fs

    with threadpool_limits(1):  # the table is small: threads would wait for each other
        found = fs.audit(data, groups="colour", decision="released", favorable="Yes", words=WORDS)
        known: dict[str, Any] = {"groups": "colour", "data": fs.arrests(), "k": 2, "scale": True}
        fits = [fs.og(FEATURES, **known), fs.fair_pca(FEATURES, **known)]
        leaks = [fs.leakage(fit.crossfit(known["data"]), permutations=0) for fit in fits]
    return [found, *fits, *leaks]
