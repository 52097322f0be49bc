"""A printed audit: the answer, the rates that it is about, how many cautions; `summary` has the whole."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from fairstats.auditing.words.answer import answers
from fairstats.auditing.words.cautions import design_caution
from fairstats.auditing.words.finding import finding
from fairstats.auditing.words.summary import WIDTH, rates_of
from fairstats.text import count

if TYPE_CHECKING:
    from fairstats.auditing.result import Audit

MOST_LINES = 25


def printed(audit: Audit) -> str:
    """The text that ``print(audit)`` shows, at most 25 lines of at most 80 columns.

    Parameters
    ----------
    audit : Audit
        The audit.

    Returns
    -------
    str

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> made = printed(audit(data, decision="hired", groups="sex")).splitlines()
    >>> made[0], made[-1]
    ('Audit of data in memory: 100 rows', '2 cautions; summary() has all numbers.')
    """
    said = textwrap.wrap(finding(audit), WIDTH, break_on_hyphens=False)
    if unused := design_caution(audit.protocol):
        said += ["", *textwrap.wrap(unused, WIDTH)]
    cautions = len(audit.notes)
    many = {0: "No caution", 1: "1 caution"}.get(cautions, f"{cautions} cautions")
    last = f"{many}; summary() has all numbers."
    room = MOST_LINES - 4
    if len(said) > room:
        said = [*said[: room - 1], "… finding() has the whole answer."]
    lines = [f"Audit of {audit.data.name}: {size(audit)}", "", *said, ""]
    for one in answers(audit):
        table = rates_of(audit, one)
        if table and len(lines) + len(table) + 1 <= MOST_LINES:
            lines += table
    return "\n".join(line.rstrip() for line in [*lines, last])


def size(audit: Audit) -> str:
    """How many rows were read, or how many people these stand for.

    Examples
    --------
    >>> import fairstats as fs
    >>> data = {"sex": ["f", "f", "m", "m"], "hired": [0, 1, 0, 1], "n": [300, 100, 200, 200]}
    >>> size(fs.audit(data, "hired", "sex", weights="n"))
    '800 people in 4 rows'
    """
    rows = f"{audit.data.rows:,} rows"
    return rows if audit.people == audit.data.rows else f"{count(audit.people)} people in {rows}"
