"""``fairstats apply``: a saved fit and new rows in, the adjusted rows out."""

from __future__ import annotations

import click

from fairstats.cli.fit import adjusted
from fairstats.cli.inputs import FILES, INPUT_FORMAT, expanded, loaded, table
from fairstats.cli.options import options
from fairstats.cli.outputs import Outputs, outputs


@click.command(short_help="Apply a saved fit to new rows.")
@click.argument("saved")
@FILES
@options(
    click.option("--on-unknown", type=click.Choice(["raise", "mean"]), default="raise", show_default=True,
                 help="A group that the fit has not seen is an error, or treated as average."),
    click.option("--scores", metavar="FILE", help="Write the input with the component scores added to this table."),
    INPUT_FORMAT,
    outputs(".csv, .parquet ...: the adjusted table", "table", default="csv"),
)  # fmt: skip
def apply(saved: str, files: tuple[str, ...], on_unknown: str, scores: str | None, input_format: str | None,
          out: Outputs) -> None:  # fmt: skip
    """Apply the fit in SAVED (from fairstats fit --to fit.npz) to the rows of FILE.

    \b
      fairstats apply fit.npz new.csv --to adjusted.csv
    """
    if not (out or scores):
        raise click.UsageError("nothing is to be written; name --to for the adjusted table, --scores for the scores.")
    read = expanded(files)
    out.check([saved, *read], [scores] if scores else [])
    import fairstats

    fit = loaded(saved, fairstats.Projection, "fit with components", "fairstats fit --to fit.npz")
    frame = table(read, fit.encoding.names if fit.encoding else (), input_format).frame
    beside = {scores: lambda: fit.augment(frame)} if scores else {}
    out.write(beside=beside, table=lambda: adjusted(fit, frame, on_unknown))
