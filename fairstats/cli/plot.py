"""``fairstats plot``: one figure of one saved result."""

from __future__ import annotations

from typing import Any

import click

from fairstats.cli.options import options
from fairstats.cli.outputs import Outputs, outputs
from fairstats.cli.terminal import say
from fairstats.errors import InputError


@click.command(short_help="Draw one figure of a saved result.")
@click.argument("saved")
@options(
    click.option("--kind", metavar="KIND", help="Which figure; without --to all kinds are listed. [the first]"),
    click.option("--metric", metavar="METRIC", help="Of which metric. [the first that the figure can show]"),
    click.option("--attribute", metavar="COLUMN", help="By which group column. [the first]"),
    click.option("--term", metavar="NAME", help="Of a comparison the method and model, of scores the component."),
    outputs(".svg, .png, .pdf", "drawing", default="svg", can_open=True),
)  # fmt: skip
def plot(saved: str, out: Outputs, **choices: Any) -> None:
    """Draw one figure of the result in SAVED, a file that audit, fit, compare, cluster or leakage wrote (.npz).

    \b
      fairstats audit people.csv --groups race --decision hired --to audit.npz
      fairstats plot audit.npz                                   (lists its figures)
      fairstats plot audit.npz --kind differences --attribute race --to race.svg
    """
    out.check([saved])
    import fairstats

    result: Any = fairstats.load(saved)
    if not out:
        kinds = getattr(result, "plots", ())
        if not kinds:
            raise InputError(f"{saved!r} holds a result of which there is nothing to draw.")
        say("\n".join(kinds))
        return
    drawing = fairstats.plot(result, **{name: value for name, value in choices.items() if value is not None})
    out.write(drawing=lambda: drawing, read=drawing.sources)
    if not out.on_stdout:
        say(drawing.caption)
