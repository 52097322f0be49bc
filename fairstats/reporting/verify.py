"""``verify_report()``: a written report compared with what its protocol or call gives on the data, and made again."""

from __future__ import annotations

import math
import os
import typing
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal

from fairstats.auditing import monitor
from fairstats.auditing.arguments import AuditArguments
from fairstats.auditing.audit import carry_out
from fairstats.auditing.group_studies import GroupStudy
from fairstats.auditing.input import label_columns, numbers_of
from fairstats.auditing.local_law_144 import ImpactTable, ImpactTables, local_law_144
from fairstats.auditing.people import from_counts
from fairstats.auditing.protocol import Protocol, Resolved, declare
from fairstats.auditing.result import Audit
from fairstats.auditing.tally import Tally
from fairstats.document import Text
from fairstats.errors import (
    PAGES,
    DependencyError,
    FairstatsError,
    InputError,
    UnknownColumn,
    edge,
    listing,
    named,
    visible,
    writing_for,
)
from fairstats.estimates import IDENTITY, Estimates
from fairstats.language import language, speaking
from fairstats.provenance import IN_MEMORY, VERSIONS_IN_R, DataSource, Provenance, TableOfCounts
from fairstats.reporting.bundle import (
    CALLS,
    OTHERS,
    Written,
    gather,
    paper_size,
    read_written,
    results_hash,
    software,
    software_names,
)
from fairstats.reporting.report import WRITERS, Contents, context, noticed
from fairstats.saving import audit_of
from fairstats.text import json_plain
from fairstats.validation import answering

# The protocol of a written audit as the object that it was, checked again.


def protocol_of(written: Any) -> Protocol:
    """Build the protocol of an audit from the JSON of its report.

    written: its fields, as ``Audit.to_dict()["protocol"]`` has them.

    >>> protocol_of({"groups": ["sex"], "decision": "hired", "margin": {"ratio": 0.8}}).margin.ratio
    0.8
    """
    values = _values(Resolved, written, "protocol")
    members = {f.name for f in fields(AuditArguments)}
    found = {f.name for f in fields(Resolved)} - {f.name for f in fields(Protocol)}  # in the data, and found again
    defaults = {"favorable", "positive"} - set(values.get("chosen", ("favorable", "positive")))
    left = {name for name, value in values.items() if value == "" or (name == "class_order" and not value)}
    given = {name: values[name] for name in values if name in members - defaults - left}
    protocol = declare(AuditArguments(**given, **dict(values.get("measured", ()))))
    return replace(protocol, **{name: value for name, value in values.items() if name not in members | found})


def _values(cls: Any, written: Any, where: str) -> dict[str, Any]:
    if not isinstance(written, dict):
        raise InputError("report", f"has no {where} that can be read; pass the report as it was written.")
    hints = typing.get_type_hints(cls)
    strange = [name for name in written if name not in hints]
    if strange:
        raise InputError(
            "report",
            f"has a {where} with {listing(strange, 3)}, which this version of fairstats does not know; "
            "verify it with the version that wrote it.",
        )
    return {name: _value(hints[name], value, name) for name, value in written.items()}


def _value(hint: Any, value: Any, name: str) -> Any:
    return hint(**_values(hint, value, name)) if isinstance(hint, type) and is_dataclass(hint) else _frozen(value)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


# A report of a study that is called again says by its question which call made it, and holds its settings.


def studies_to_call(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The studies of a report, which are called again, all of the same data; none where it holds anything else."""
    results = [part for name in OTHERS for part in document.get(name, [])]
    known = document.get("audit") is None and all(str(part.get("question")) in CALLS for part in results)
    same_data = len({(_source(part).get("sha256"), _source(part).get("rows")) for part in results}) == 1
    return results if known and same_data else []


def beside_the_audit(document: dict[str, Any], audit: dict[str, Any]) -> list[dict[str, Any]]:
    """The studies beside the audit of a report that can be called again, of the same data."""
    ours = _source(audit)
    return [
        part
        for name in OTHERS
        for part in document.get(name, [])
        if str(part.get("question")) in CALLS
        and not monitor.resumed(_inside(part, "settings"))
        and all(_source(part).get(name) == ours.get(name) for name in ("sha256", "rows", "columns"))
    ]


def _as_written(study: GroupStudy, recorded: dict[str, Any]) -> GroupStudy:
    """A study that agrees with the recorded one, with the last bits of its numbers, its data and its run."""
    pairs = zip(study.estimates, recorded["estimates"], strict=True)
    rows = [row.changed(**{name: x for name, x in of.items() if isinstance(x, float)}) for row, of in pairs]
    source = DataSource(**_values(DataSource, _source(recorded), "data"))
    if source.name == IN_MEMORY:  # which pages translate, and the name of a file not
        source = replace(source, name=IN_MEMORY)
    run = Provenance(**_values(Provenance, recorded.get("provenance"), "provenance"))
    return replace(study, method=source.name, estimates=Estimates(rows), data=(source,), provenance=run)


# Two documents of results compared entry by entry: numbers within a tolerance, everything else exactly.


TOLERANCE = 1e-9  # absolute up to 1, relative beyond
ABSENT = "(absent)"
_NAMES = {"cells": ("attribute", "group"), "curves": ("kind", "attribute", "group"), "flow": ("label",)}


@dataclass(frozen=True)
class Difference:
    """One entry that a report has and the data do not give: where it stands, what is written, what is recomputed."""

    where: str
    written: Any
    recomputed: Any

    def __str__(self) -> str:
        one, other = self.written, self.recomputed
        if one == CARRIED_OUT:
            return f"{self.where} cannot be recomputed: {other}"
        if one == MADE_AGAIN:
            return f"{self.where} cannot be made again: {other}"
        if isinstance(one, str) and isinstance(other, str) and max(len(one), len(other)) > MOST_LETTERS:
            one, other = _from_where_they_differ(one, other)
        return f"{self.where}: {_shown(one)} in the report, {_shown(other)} recomputed"


def differences(written: Any, recomputed: Any, where: str) -> Iterator[Difference]:
    """Every entry in which two values differ, in the order of the first.

    Examples
    --------
    >>> [str(d) for d in differences({"n": 1.0, "p": 0.5}, {"n": 1.0 + 1e-12, "p": 0.25}, "cell")]
    ['cell, p: 0.5 in the report, 0.25 recomputed']
    """
    if isinstance(written, dict) and isinstance(recomputed, dict):
        for name in dict.fromkeys([*written, *recomputed]):
            yield from differences(written.get(name, ABSENT), recomputed.get(name, ABSENT), f"{where}, {name}")
    elif isinstance(written, list) and isinstance(recomputed, list):
        yield from _of_lists(written, recomputed, where)
    elif not same(written, recomputed):
        yield Difference(where, written, recomputed)


def _of_lists(written: list[Any], recomputed: list[Any], where: str) -> Iterator[Difference]:
    """Entries that are named are matched by name, so that one that is missing does not make all others differ."""
    kind = where.rsplit(", ", 1)[-1]
    ours, theirs = _by_name(written, kind), _by_name(recomputed, kind)
    order, right = [name for name in ours if name in theirs], [name for name in theirs if name in ours]
    if order != right:
        at = next(i for i, (one, other) in enumerate(zip(order, right, strict=True)) if one != other)
        one, other = (_difference_text(names[at], kind, where) for names in (order, right))
        yield Difference(f"{where}, order of the entries, place {at + 1}", one, other)
    for name in dict.fromkeys([*ours, *theirs]):
        yield from differences(ours.get(name, ABSENT), theirs.get(name, ABSENT), _difference_text(name, kind, where))


def _by_name(entries: list[Any], kind: str) -> dict[tuple[Any, ...], Any]:
    columns = IDENTITY if kind == "estimates" else _NAMES.get(kind, ())
    seen: Counter[tuple[Any, ...]] = Counter()
    named = {}
    for at, entry in enumerate(entries):
        name = tuple(str(entry.get(c, "")) for c in columns) if columns and isinstance(entry, dict) else (at,)
        seen[name] += 1
        named[(*name, seen[name])] = entry
    return named


def _difference_text(name: tuple[Any, ...], kind: str, where: str) -> str:
    *parts, repeat = name
    if kind == "estimates":
        row = dict(zip(IDENTITY, parts, strict=True))
        row = {c: v for c, v in row.items() if v not in ("", "none", "None", "main")}
        against = f"{row.pop('contrast', '')} against {row.pop('reference', '')}".strip()
        words = [row.pop("metric", ""), *(f"{c} {v}" for c, v in row.items())]
        words += [against] if against != "against" else []
        return ", ".join(filter(None, words)) + (f" ({repeat})" if repeat > 1 else "")
    if kind in _NAMES:
        return f"{where}: {' '.join(filter(None, map(str, parts)))}"
    return f"{where} {int(parts[0]) + 1}"


def same(written: Any, recomputed: Any) -> bool:
    """Whether two values are one: numbers within `TOLERANCE`, absent numbers alike, all else exactly.

    Examples
    --------
    >>> same(0.1 + 0.2, 0.3), same(0.3, 0.31), same("Inf", "Inf"), same(1, True)
    (True, False, True, False)
    """
    if isinstance(written, bool) or isinstance(recomputed, bool):
        return written is recomputed
    if isinstance(written, (int, float)) and isinstance(recomputed, (int, float)):
        if math.isnan(written) or math.isnan(recomputed):
            return math.isnan(written) and math.isnan(recomputed)
        largest = max(1.0, abs(written), abs(recomputed))
        return written == recomputed or abs(written - recomputed) <= TOLERANCE * largest
    return bool(written == recomputed)


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, dict):
        return "a row" if value else "nothing"
    text = "none" if value is None else str(value)
    return text if len(text) <= MOST_LETTERS + 2 else f"{text[:MOST_LETTERS]}…"


def _from_where_they_differ(one: str, other: str) -> tuple[str, str]:
    """Of two texts what stands around the first letter in which they differ."""
    at = sum(1 for _ in takewhile(bool, map(str.__eq__, one, other)))
    start = max(0, at - AROUND)
    stop = start + MOST_LETTERS
    first, second = (f"{'…' * (start > 0)}{text[start:stop]}{'…' * (len(text) > stop)}" for text in (one, other))
    return first, second


MOST_LETTERS = 80  # of a value that is shown
MOST_SHOWN = 12
AROUND = 40  # letters that are shown before and after the place where two texts differ
UNVERIFIED_PARTS = "Title, auditor, dates, versions and the call are what the report says of itself."
SENTENCE = 1000  # letters of a finding or a caution that are shown
CARRIED_OUT, MADE_AGAIN = "carried out", "made again"
THE_FILE, THE_HASH = "the file", "data, sha256"
# Kept apart: sentences are the version's that wrote them; the run and the data have a word of their own.
_SENTENCES = ("finding", "notes", "statements")
_APART = ("schema", "name", "method", "messages", "provenance", "data", "protocol", *_SENTENCES)
Status = Literal["verified", "partly verified", "disagreement"]


@dataclass(frozen=True)
class Verification:
    """What came of recomputing a report: ``status``, ``differences``, and what could not be verified.

    ``"verified"``: every number, verdict and label of the audit was found again within 1e-9, the data are the recorded
    ones, and the file is byte for byte the one that these results give. ``"partly verified"``: the numbers were found
    again; ``unchecked`` says in words what was not, such as the pages, which other software set. ``"disagreement"``:
    something differs. ``ok`` is True for the first alone.
    """

    differences: tuple[Difference, ...]
    compared: int
    id: str
    data: str
    unchecked: tuple[str, ...] = ()

    @property
    def status(self) -> Status:
        """The answer in a word."""
        return "disagreement" if self.differences else "partly verified" if self.unchecked else "verified"

    @property
    def ok(self) -> bool:
        """Whether all of the report was verified."""
        return self.status == "verified"

    def __bool__(self) -> bool:
        return self.ok

    def summary(self) -> str:
        """The answer first, then what differs, then what was not verified."""
        agree = f"Report {self.id}: {self.compared} entries recomputed from the data; all agree within 1e-9"
        many = sum(difference.where != THE_FILE for difference in self.differences)
        if {difference.where for difference in self.differences} == {THE_HASH}:
            head = f"{agree}. The data are another file than the report's; pages were not compared."
        elif any(difference.written == CARRIED_OUT for difference in self.differences):
            return Text(visible(f"Report {self.id}: {self.differences[0]}\n{self.data}"))
        elif many:
            head = f"Report {self.id} does not agree with the data: {many} of {self.compared} entries differ."
        elif any(difference.written == MADE_AGAIN for difference in self.differences):
            head = f"{agree}, but whether the file is the one that they give cannot be verified."
        elif self.differences:
            head = f"{agree}, but the file is not the one that they give: it was changed after it had been written."
        elif self.unchecked:
            head = f"{agree}. Not all of the report could be verified."
        else:
            head = f"{agree}, and the file is byte for byte the one that they give."
        shown = [f"  {difference}" for difference in self.differences[:MOST_SHOWN]]
        if len(self.differences) > MOST_SHOWN:
            shown.append(f"  and {len(self.differences) - MOST_SHOWN} more")
        lines = [f"Not verified: {what}" for what in self.unchecked]
        return Text(visible("\n".join([head, *shown, self.data, *lines, UNVERIFIED_PARTS])))

    def __repr__(self) -> str:
        return self.summary()


@answering
def verify_report(report: str | os.PathLike[str], data: Any) -> Verification:
    """Compare every number of a written report with what its protocol, or its call, gives on the data.

    Parameters
    ----------
    report : str or path
        A report that `fairstats.report` wrote: the PDF (its attached results), the HTML page (the results inside it)
        or the JSON file.
    data : table, str, Path or Tally
        The audited data, as `fairstats.audit` takes them, the workers of a report of pay, or the people of one of
        models, of a gap watched by period or of groups known as probabilities. Of a file the SHA-256 is compared as
        well. A table of counts is read as it was for the report.

    Returns
    -------
    Verification
        ``ok``, ``differences``, ``summary()``.

    Raises
    ------
    FileError
        If there is no such file.
    InputError
        If the report is not one of ours, or is of none of these; or a table in memory cannot be
        audited by its protocol (a file that cannot is not the audited one, which is a difference; or lacks columns of a
        table in memory that was audited).

    Notes
    -----
    Numbers agree within 1e-9 (relative, above 1). The protocol inside the report is carried out anew, or every call of
    `pay_transparency`, `gender_pay_gap`, `compare_models`, `alternatives`, `monitor` (in one call, without earlier
    periods of a state) or `group_probabilities` with its settings, so what agrees was computed from these data by these
    rules. It does not show when the rules were fixed, nor that the data are true.
    Then the file is made again from its results, with the title, the auditor, the date and the options that are in it,
    and has to be the same byte for byte: pages, pictures, attachments. That needs the software that wrote it (what
    ``pip`` installed, and for a PDF the libraries that set text). Where this is another one, or templates of somebody's
    own or another result beside the audit made the pages, the numbers of the audit are verified and the rest is not:
    ``"partly verified"``, at the command line exit code 4. So is a report of a table in memory beside a file: it
    records no hash by which the file could be known. Title, auditor, dates, versions and the call are what a
    report says of itself.

    Examples
    --------
    >>> import fairstats as fs
    >>> import tempfile, pathlib, fairstats as fs
    >>> people = {"sex": ["f", "m"] * 40, "hired": [0, 1, 1, 1] * 20}
    >>> file = str(pathlib.Path(tempfile.mkdtemp()) / "audit.json")
    >>> _ = fs.report(fs.audit(people, "hired", "sex"), to=file)
    >>> fs.verify_report(file, people).ok, fs.verify_report(file, people | {"hired": [0, 1] * 40}).ok
    (True, False)
    """
    written = read_written(report)
    name = os.path.basename(os.fspath(report))
    studies = studies_to_call(written.document)
    recorded = studies or [one for one in [written.document.get("audit")] if isinstance(one, dict)]
    if not recorded:
        raise InputError(
            "report",
            f"has {name!r}; it holds no audit and no report of pay, of models of one table, of a gap watched by period "
            "or of groups known as probabilities, and reports of other results are not verified; make them again, and "
            "compare the fingerprints.",
        )
    if any(monitor.resumed(_inside(one, "settings")) for one in studies):
        raise InputError(
            "report",
            f"has {name!r}, whose earlier periods are those of a state, which holds counts and no people; for a report "
            f"that can be verified pass all periods in one call without {named('state')}.",
        )
    try:
        found: list[Audit | GroupStudy] = [_called_again(one, data) for one in studies]
        if not found:
            found = [_carried_out(recorded[0], data)]
            for one in beside_the_audit(written.document, recorded[0]):
                with suppress(InputError):  # of another table in memory, which has not its columns: it is not verified
                    found.append(_called_again(one, data))
                    recorded.append(one)
    except InputError as problem:
        if isinstance(problem, UnknownColumn) and not studies and not _source(recorded[0]).get("sha256"):
            raise InputError("data", f"has no column {problem.value!r}; {_columns_of(recorded[0])}") from None
        if not isinstance(data, (str, os.PathLike)):
            raise
        why = f"these data have no column {problem.value!r}." if isinstance(problem, UnknownColumn) else str(problem)
        items = [Difference("the report" if studies else "the audit", CARRIED_OUT, why)]
        return Verification(tuple(items), 1, _id(written), "The file is not the data of the report.")
    with edge(f"report has {name!r}; what it holds", "pass the file as it was written", InputError):
        return _compared(written, recorded, found)


def _carried_out(recorded: dict[str, Any], data: Any) -> Audit:
    protocol = protocol_of(recorded.get("protocol"))
    counts = _inside(recorded, "data").get("counts")
    read = None if counts is None else _values(TableOfCounts, counts, "data")
    people = data if read is None or isinstance(data, Tally) else from_counts(data, **read)
    return carry_out(people, protocol, {})


def _columns_of(recorded: dict[str, Any]) -> str:
    """The columns that data need to be audited by a report's protocol, which those of arrays may lack."""
    protocol = protocol_of(recorded.get("protocol"))
    names = [*label_columns(protocol), *numbers_of(protocol).values(), *filter(None, [protocol.weights])]
    return (
        f"the report is of a table in memory with the columns {listing(list(dict.fromkeys(names)), 12)}; "
        "give those of the data these names."
    )


def _called_again(recorded: dict[str, Any], data: Any) -> GroupStudy:
    return CALLS[recorded["question"]](data, **_inside(recorded, "settings"))


def _compared(written: Written, every: Sequence[dict[str, Any]], found: Sequence[Audit | GroupStudy]) -> Verification:
    with writing_for(PAGES):  # whose words reports keep, whatever front end verifies
        results = [json_plain(one.to_dict()) for one in found]
    items, sentences, compared = list[Difference](), list[Difference](), 0
    for recorded, result in zip(every, results, strict=True):
        items += [one for one in _of_data(recorded, result) if one not in items]  # of all they are the same
        items += differences(recorded.get("protocol"), result.get("protocol"), "protocol")
        parts = [name for name in dict.fromkeys([*recorded, *result]) if name not in _APART]
        for name in parts:
            items += differences(recorded.get(name), result.get(name), name)
        seed = _inside(recorded, "provenance").get("seed")
        items += differences(seed, result["provenance"]["seed"], "provenance, seed")
        sentences += [d for name in _SENTENCES for d in differences(recorded.get(name), result.get(name), name)]
        compared += sum(_size(result[name]) for name in parts if name in result)
    items += _stated_hash(written)
    unchecked: list[str] = []
    first, again = every[0], results[0]
    if _source(first).get("sha256") in ("", None) and _source(again)["sha256"]:
        unchecked.append("which file the data were: the report records no hash of them.")
    by = _software(written).get("fairstats", "before 0.3")
    if by == software("json")["fairstats"]:
        items += sentences
    elif sentences:
        unchecked.append(f"the finding and the cautions, which fairstats {by} words otherwise.")
        unchecked += [_both(sentence) for sentence in sentences[:MOST_SHOWN]]
    foreign = [("software", name) for name in _software(written) if name not in software_names(written.kind)]
    expected = {*again["provenance"]["versions"], *VERSIONS_IN_R}
    stated = dict.fromkeys(name for one in every for name in _inside(_inside(one, "provenance"), "versions"))
    foreign += [("provenance, versions", name) for name in stated if name not in expected]
    if by == software("json")["fairstats"]:
        items += [Difference(where, name, ABSENT) for where, name in foreign]
    elif foreign:
        unchecked.append(f"what the file calls {listing([name for _, name in foreign], 6)} among its software.")
    if not items:  # of other numbers the pages are others
        items += _whole_file(written, every, found, unchecked)
    return Verification(tuple(items), compared, _id(written), _about_data(first, again), tuple(unchecked))


def _both(sentence: Difference) -> str:
    """What a report says and what is recomputed, whole sentences one after the other."""
    one, other = (str(text)[:SENTENCE] for text in (sentence.written, sentence.recomputed))
    return f"{sentence.where}: the report says: {one} Recomputed: {other}"


def _of_data(recorded: dict[str, Any], result: dict[str, Any]) -> Iterator[Difference]:
    """The data's hash, rows and columns; a table in memory has no hash, and may have further columns."""
    ours, theirs = _source(recorded), _source(result)
    for name in theirs if ours.get("sha256") and theirs["sha256"] else ("rows",):
        if name != "name":
            yield from differences(ours.get(name, ABSENT), theirs[name], f"data, {name}")


def _stated_hash(written: Written) -> Iterator[Difference]:
    """The hash that the file states of its own results."""
    document = written.document
    stated, taken = document.get("results_sha256"), results_hash(document)
    if stated != taken:
        yield Difference("results_sha256", stated, taken)
    if document.get("id") != str(stated)[:8]:
        yield Difference("id", document.get("id"), str(stated)[:8])


def _whole_file(
    written: Written,
    every: Sequence[dict[str, Any]],
    found: Sequence[Audit | GroupStudy],
    unchecked: list[str],
) -> Iterator[Difference]:
    """The file beside the one that its results give; `unchecked` is told what cannot be made again here, and why."""
    again_made = set(map(id, every))
    beside = [part for name in OTHERS for part in written.document.get(name, []) if id(part) not in again_made]
    law = [part for part in beside if part.get("schema") == OF_LAW]
    others = [part for part in beside if part not in law]
    pages = _inside(written.document, "pages")
    preset = str(pages.get("preset", "generic"))
    tables: tuple[ImpactTable, ...] = ()
    if law and isinstance(found[0], Audit):
        tables = _tables_of_law(audit_of(every[0]), law)
        written_tables = [{name: value for name, value in one.items() if name != "name"} for one in law]
        differing = list(differences(written_tables, [json_plain(one.to_dict()) for one in tables], "Local Law 144"))
        yield from differing
        if differing:
            return
    if others:
        names = listing([part["name"] for part in others], 6)
        unchecked.append(f"{names}, and the file as a whole: such results beside an audit are not run again.")
    elif pages.get("own_templates"):
        unchecked.append("the pages, which templates of somebody's own made.")
    elif not _has_preset(preset):
        unchecked.append(f"the pages, whose preset {preset!r} is none of this version.")
    else:
        try:
            again, letters = _remade(written, every, found, tables)
        except DependencyError as lacking:
            unchecked.append(f"the pages: {lacking}")
            return
        except FairstatsError as problem:
            yield Difference(THE_FILE, MADE_AGAIN, str(problem))
            return
        if again == written.raw:
            return
        strange = _other_software(written)
        if strange:
            unchecked.append(f"the sentences and pages, which other software wrote: {strange}.")
        elif letters and written.kind == "pdf":
            unchecked.append(f"the pages, whose letters {letters} are set in faces of the machine that wrote them.")
        else:
            yield _first(written, again)


def _has_preset(name: str) -> bool:
    from fairstats.reporting.render import template_folders

    return any((folder / "presets" / f"{name}.html.j2").is_file() for folder in template_folders())


OF_LAW = "fairstats/impact-table/1"


def _tables_of_law(audit: Audit, recorded: Sequence[dict[str, Any]]) -> ImpactTables:
    """The tables of Local Law 144 of an audit, with exclusions, unknown labels and the measure of the recorded ones."""
    categories = [one for table in recorded for one in table.get("categories", [])]
    return local_law_144(
        audit,
        exclude={one["category"]: one["justification"] for one in categories if one.get("justification")},
        about=recorded[0].get("about") or None,
        unknown=sorted({label for table in recorded for label in table.get("unknown_labels", [])}),
        measure=recorded[0].get("measure"),
    )


def _remade(
    written: Written,
    every: Sequence[dict[str, Any]],
    found: Sequence[Audit | GroupStudy],
    tables: Sequence[ImpactTable],
) -> tuple[bytes, str]:
    """The same form of the results in the file, and the letters in it that the machine's own faces draw.

    Of the results in the file, not of the recomputed ones, which agree with them within 1e-9: the last bits of a number
    are those of the machine that computed it.
    """
    document = written.document
    cover = [document.get(name) for name in ("title", "auditor", "language")]
    if not all(isinstance(text, str) for text in cover):
        raise InputError("the report has no title, no auditor or no language")
    title, auditor, code = map(str, cover)
    pages = _inside(document, "pages")
    preset = str(pages.get("preset", "generic"))
    with speaking(language(code)):
        results = [
            audit_of(recorded) if isinstance(again, Audit) else _as_written(again, recorded)
            for again, recorded in zip(found, every, strict=True)
        ]
        bundle = gather([*results, *tables], title, auditor, noticed(pages.get("about") or None, preset))
        bundle = replace(bundle, paper=paper_size(pages.get("paper", "a4")))
    contents = Contents(bundle, context, preset, None, _software(written))
    (file,) = WRITERS[f".{written.kind}"](contents, Path("-")).values()
    if written.kind == "json":
        return file, ""
    from fairstats.reporting.render import of_the_machine

    letters = of_the_machine(contents.rendered[0])
    return file, listing(letters, 6) if letters else ""


def _software(written: Written) -> dict[str, str]:
    return {name: str(value) for name, value in _inside(written.document, "software").items()}


def _other_software(written: Written) -> str:
    """What of the software that wrote a file is another one here, in words."""
    stated, here = _software(written), software(written.kind)
    if not stated:
        return f"a version of fairstats that did not note it (here {here['fairstats']})"
    other = [name for name in dict.fromkeys([*here, *stated]) if stated.get(name) != here.get(name)]
    return listing([f"{name} {stated.get(name, ABSENT)} (here {here.get(name, ABSENT)})" for name in other], 6)


def _first(written: Written, again: bytes) -> Difference:
    """Where two files begin to differ; of a PDF, whose bytes are packed, only that they do."""
    if written.kind == "pdf":
        return Difference(THE_FILE, "another PDF", "what the results give")
    ours, theirs = (raw.decode("utf-8", "replace") for raw in (written.raw, again))
    result, given = _from_where_they_differ(ours, theirs)
    return Difference(THE_FILE, result, given)


def _about_data(recorded: dict[str, Any], result: dict[str, Any]) -> str:
    ours, theirs = _source(recorded).get("sha256"), _source(result)["sha256"]
    if not ours:
        return "The report was made of a table in memory or in a database: no hash of the data is recorded."
    if not theirs:
        return f"The data were given in memory: their hash could not be compared with SHA-256 {ours}."
    same = "the recorded" if ours == theirs else "not the recorded"
    return f"SHA-256 of the {'counts' if _source(result).get('counts') else 'data'}: {theirs}, {same} one."


def _id(written: Written) -> str:
    return str(written.document.get("id", "without an id"))


def _source(document: dict[str, Any]) -> dict[str, Any]:
    """The data of a result; of a study the first of them."""
    sources = document.get("data")
    source = sources[0] if isinstance(sources, list) and sources else sources
    return source if isinstance(source, dict) else {}


def _inside(document: dict[str, Any], name: str) -> dict[str, Any]:
    """A part of a document, empty where it is none."""
    part = document.get(name)
    return part if isinstance(part, dict) else {}


def _size(value: Any) -> int:
    if isinstance(value, (dict, list)):
        return sum(map(_size, value.values() if isinstance(value, dict) else value))
    return 1
