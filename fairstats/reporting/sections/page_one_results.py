"""Page one of a report without an audit: of fits, of a comparison, of a clustering."""

from __future__ import annotations

from typing import Any

from fairstats.comparing.result import Comparison
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle, name_of
from fairstats.reporting.figures.clusters import clusters
from fairstats.reporting.sections.clusters import caption_of, constraint_row
from fairstats.reporting.sections.clusters import finding as clustered
from fairstats.reporting.sections.page_one_parts import blank, source_line, unshown, who_and_when
from fairstats.reporting.sections.shared import broken_guarantees
from fairstats.reporting.tables import Heading, Table, table, text


def without_audit(bundle: Bundle) -> dict[str, Any]:
    """The context of page one of anything but an audit."""
    checked = _guarantees(bundle)
    compared = [other.finding() for other in bundle.others if isinstance(other, Comparison)]
    said = [*compared, *(clustered(made) for made in bundle.partitions)]
    held = 0 if checked is None else sum(row[-1] == "holds" for row in checked.rows)
    counted = "The results follow." if checked is None else f"{held} of {len(checked.rows)} guarantees hold as numbers."
    drawn = next((found for made in bundle.partitions for found in made.compositions), None)
    return blank() | {
        "who": who_and_when(bundle),
        "sentence": " ".join([*broken_guarantees(bundle), *(said or [counted])]),
        "tables": [checked] if checked else [],
        "figures": [] if drawn is None else [clusters("page-one", drawn, caption=caption_of(drawn))],
        "unshown": unshown(bundle),
        "source": source_line(bundle),
    }


def _guarantees(bundle: Bundle) -> Table | None:
    rows = [
        (
            f"{name_of(f)}, k = {f.k}: {g.statement}",
            words.compact(g.value),
            words.compact(g.tolerance),
            "holds" if g.holds else "does not hold",
        )
        for f in bundle.fits
        for g in f.guarantees
    ]
    rows += [constraint_row(made) for made in bundle.partitions if made.embedding.constraints]
    headings = [text("guarantee"), Heading("value"), Heading("tolerance"), text("checked")]
    return table("Guarantees, checked on the data of the fit", headings, rows) if rows else None
