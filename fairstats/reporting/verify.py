"""``verify()``: a written report compared with what its own protocol gives on the data."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from fairstats.auditing.audit import carry_out
from fairstats.auditing.result import Audit
from fairstats.errors import InputError, listing, visible
from fairstats.reporting.bundle import inert
from fairstats.reporting.comparing_documents import ABSENT, Difference, differences, typed
from fairstats.reporting.fingerprint import results_hash
from fairstats.reporting.rebuilding import protocol_of
from fairstats.reporting.written import Written, read_written

MOST_SHOWN = 12
OWN = "Title, auditor, dates, versions and the call are what the report says of itself."
# Kept apart: sentences are the version's that wrote them; the run and the file have a word of their own.
_APART = ("schema", "finding", "notes", "provenance", "data", "protocol")
_OTHERS = ("fits", "extra_errors", "partitions", "others")


@dataclass(frozen=True)
class Verification:
    """What came of recomputing a report: ``ok``, ``differences``, and what could not be compared.

    ``ok`` is True where every number, verdict and label of the audit was found again within 1e-9, and the data are the
    recorded ones. ``unchecked`` says in words what was not compared.
    """

    differences: tuple[Difference, ...]
    compared: int
    id: str
    data: str
    unchecked: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing differs."""
        return not self.differences

    def __bool__(self) -> bool:
        return self.ok

    def summary(self) -> str:
        """The answer first, then what differs, then what was not compared."""
        if self.ok:
            head = f"Report {self.id}: {self.compared} entries recomputed from the data; all agree within 1e-9."
        else:
            many = len(self.differences)
            head = f"Report {self.id} does not agree with the data: {many} of {self.compared} entries differ."
        shown = [f"  {difference}" for difference in self.differences[:MOST_SHOWN]]
        if len(self.differences) > MOST_SHOWN:
            shown.append(f"  and {len(self.differences) - MOST_SHOWN} more")
        said = [f"Not compared: {what}" for what in self.unchecked]
        return visible("\n".join([head, *shown, self.data, *said, OWN]))

    def __str__(self) -> str:
        return self.summary()


def verify(report: str | os.PathLike[str], data: Any) -> Verification:
    """Compare every number of a written report with what its protocol gives on the data.

    Parameters
    ----------
    report : str or path
        A report that `fairstats.report` wrote: the PDF (its attached results), the HTML page (the results inside it)
        or the JSON file.
    data : table, str, Path or Tally
        The audited data, as `fairstats.audit` takes them. Of a file the SHA-256 is compared as well.

    Returns
    -------
    Verification
        ``ok``, ``differences``, ``summary()``.

    Raises
    ------
    FileError
        If there is no such file.
    InputError
        If the report is not one of ours, or holds no audit; or a table in memory cannot be audited by its protocol (a
        file that cannot is not the audited one, which is a difference).

    Notes
    -----
    Numbers agree within 1e-9 (relative, above 1). The protocol inside the report is carried out anew, so what agrees
    was computed from these data by these rules. It does not show when the rules were fixed, nor that the data are true.
    Of an HTML page the words are compared as well, those of its figures too. What a PDF draws is compared where this
    installation sets most of it in the same way, bit for bit; ``unchecked`` says where it does not (another machine).
    Title, auditor, dates, versions and the call are what a report says of itself.

    Examples
    --------
    >>> import fairstats as fs
    >>> import tempfile, pathlib, fairstats as fs
    >>> people = {"sex": ["f", "m"] * 40, "hired": [0, 1, 1, 1] * 20}
    >>> file = str(pathlib.Path(tempfile.mkdtemp()) / "audit.json")
    >>> _ = fs.report(fs.audit(people, "hired", "sex"), to=file)
    >>> fs.verify(file, people).ok, fs.verify(file, people | {"hired": [0, 1] * 40}).ok
    (True, False)
    """
    written = read_written(report)
    recorded = written.document.get("audit")
    if not isinstance(recorded, dict):
        raise InputError(
            f"report has {os.path.basename(os.fspath(report))!r}; it holds no audit, and of other results a report "
            "keeps the numbers, not the call; run them again and compare the ids."
        )
    protocol = protocol_of(recorded.get("protocol"))
    try:
        audit = carry_out(data, protocol, {})
    except InputError as problem:
        if not isinstance(data, (str, os.PathLike)):
            raise
        found = [Difference("the audit", "carried out", f"impossible with these data: {problem}")]
        return Verification(tuple(found), 1, _id(written), "The file is not the data of the report.")
    return _compared(written, recorded, audit)


def _compared(written: Written, recorded: dict[str, Any], audit: Audit) -> Verification:
    made = audit.to_dict()
    found = [*_file(recorded, made), *_protocol(recorded, made)]
    parts = [name for name in dict.fromkeys([*recorded, *made]) if name not in _APART]
    for name in parts:
        found += differences(recorded.get(name), made.get(name), name)
    if written.kind == "pdf":
        found += _table(written, made["estimates"])
    ours, theirs = ((part.get("provenance") or {}).get("seed") for part in (recorded, made))
    found += differences(ours, theirs, "provenance, seed")
    found += _own_hash(written)
    unchecked = list(_unchecked(written))
    if _version(recorded) == _version(made):
        for name in ("finding", "notes"):
            found += differences(recorded.get(name), made[name], name)
        found += _pages(written, recorded, audit, unchecked)
    else:
        unchecked.append(
            f"sentences and pages: version {_version(recorded)} of fairstats wrote them, this is {_version(made)}."
        )
    compared = sum(_size(made[name]) for name in parts if name in made)
    return Verification(tuple(found), compared, _id(written), _about_data(recorded, made), tuple(unchecked))


def _file(recorded: dict[str, Any], made: dict[str, Any]) -> Iterator[Difference]:
    """The data's hash, rows and columns; a table in memory has no hash to compare."""
    ours, theirs = recorded.get("data") or {}, made["data"]
    for name in ("sha256", "rows") if ours.get("sha256") and theirs["sha256"] else ("rows",):
        yield from differences(ours.get(name), theirs[name], f"data, {name}")


def _protocol(recorded: dict[str, Any], made: dict[str, Any]) -> Iterator[Difference]:
    yield from differences(recorded.get("protocol"), made["protocol"], "protocol")


def _table(written: Written, records: list[dict[str, Any]]) -> Iterator[Difference]:
    """results.csv beside the recomputed rows: those of the audit, and none of a result that is not in the report."""
    if not written.table:
        yield Difference("results.csv", ABSENT, "attached")
        return
    lines = list(csv.DictReader(io.StringIO(written.table)))
    rows = [typed(row) for row in lines if row.get("result") == "audit"]
    rows = [{name: value for name, value in row.items() if name != "result"} for row in rows]
    if len(rows) < len(lines) and not any(written.document.get(name) for name in _OTHERS):
        yield Difference("results.csv", f"{len(lines) - len(rows)} rows of another result", "none")
    plain = [{name: inert(value) for name, value in record.items()} for record in records]
    for difference in differences(rows, plain, "estimates"):
        yield replace(difference, where=f"results.csv: {difference.where}")


def _own_hash(written: Written) -> Iterator[Difference]:
    """The hash that the file states of its own results."""
    document = written.document
    stated, taken = document.get("results_sha256"), results_hash(document)
    if stated != taken:
        yield Difference("results_sha256", stated, taken)
    if document.get("id") != str(stated)[:8]:
        yield Difference("id", document.get("id"), str(stated)[:8])


def _unchecked(written: Written) -> Iterator[str]:
    others = [part for name in _OTHERS for part in written.document.get(name) or ()]
    if others:
        names = [str(part.get("name") or part.get("method") or "a result") for part in others]
        yield f"{listing(names, 6)}: a report keeps their numbers, not the call that made them."


def _pages(written: Written, recorded: dict[str, Any], audit: Audit, unchecked: list[str]) -> Iterator[Difference]:
    """The words of a page; of a PDF whether it is the very file that these results give; else that it is unchecked."""
    if written.kind == "json":
        return
    lawful = written.preset == "ll144"  # what the law has published beside the tables is on the page only
    if any(written.document.get(name) for name in _OTHERS) or written.own_templates or lawful:
        unchecked.append("the words and pictures of the pages, which other results or other templates made as well.")
    elif written.kind == "html":
        from fairstats.reporting.verifying_pages import page_differences

        yield from page_differences(written, recorded, audit, unchecked)
    else:
        from fairstats.reporting.verifying_pages import pdf_differences

        yield from pdf_differences(written, recorded, audit, unchecked)


def _about_data(recorded: dict[str, Any], made: dict[str, Any]) -> str:
    ours, theirs = (recorded.get("data") or {}).get("sha256"), made["data"]["sha256"]
    if not ours:
        return "The report was made of a table in memory: no hash of the data is recorded."
    if not theirs:
        return f"The data were given in memory: their hash could not be compared with SHA-256 {ours}."
    same = "the recorded" if ours == theirs else "not the recorded"
    return f"SHA-256 of the data: {theirs}, {same} one."


def _version(audit: dict[str, Any]) -> str:
    return str(((audit.get("provenance") or {}).get("versions") or {}).get("fairstats", "unknown"))


def _id(written: Written) -> str:
    return str(written.document.get("id", "without an id"))


def _size(value: Any) -> int:
    if isinstance(value, (dict, list)):
        return sum(map(_size, value.values() if isinstance(value, dict) else value))
    return 1
