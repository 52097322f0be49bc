"""The results that a report was given, sorted once, and the one document that JSON and CSV are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

from fairstats.arguments import shown
from fairstats.auditing import subgroups_result
from fairstats.auditing.change import Change
from fairstats.auditing.resolved import Resolved
from fairstats.auditing.result import Audit
from fairstats.cluster.partition import Partition
from fairstats.comparing.result import Comparison
from fairstats.errors import InputError, listing, visible
from fairstats.estimates import Estimates
from fairstats.glossary import GLOSSARY
from fairstats.inference.representations.choice_of_k import ChoiceOfK
from fairstats.inference.representations.extra_error_result import ExtraError
from fairstats.inference.representations.fit_study import FitStudy
from fairstats.inference.representations.leakage_result import Leakage
from fairstats.language import ENGLISH, again, current, language, say, speaking
from fairstats.methods.registry import METHODS
from fairstats.metrics import in_text
from fairstats.presets.local_law_144_tables import ImpactTable
from fairstats.presets.notice import Notice
from fairstats.reporting.fingerprint import SHORT, results_hash
from fairstats.results import Result
from fairstats.studies.provenance import now
from fairstats.text import json_plain

SCHEMA = "fairstats/report/1"
# What begins a formula in a spreadsheet (OWASP ASVS 1.2.10), also in full width: labels come from the audited.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


@runtime_checkable
class Fit(Result, Protocol):
    """A fitted decomposition, as far as the report reads it."""

    method: str
    k: int
    guarantees: Any


@dataclass(frozen=True)
class Bundle:
    """The results of one report by kind, with the words on its cover."""

    title: str
    auditor: str
    audit: Audit | None
    fits: tuple[Fit, ...]
    extra_errors: tuple[ExtraError, ...]
    others: tuple[Result, ...]
    partitions: tuple[Partition, ...] = ()
    about: Notice = ()  # what Local Law 144 has published beside its tables
    language: str = ENGLISH  # of the page; results.json and results.csv are the same in every language

    @cached_property
    def created(self) -> str:
        """When the results were made (ISO 8601, UTC): of the audit, so that the same audit gives the same bytes."""
        if self.audit is not None:
            return self.audit.provenance.created
        return now()

    @cached_property
    def estimates(self) -> tuple[tuple[str, Estimates], ...]:
        """Name and rows of each result, in the order of the report."""
        rows = [] if self.audit is None else [("audit", self.audit.estimates)]
        rows += [(name_of(fit), fit.estimates) for fit in self.fits]
        rows += [(f"extra error of {extra.method}", extra.estimates) for extra in self.extra_errors]
        rows += [(name_of(partition), partition.estimates) for partition in self.partitions]
        return (*rows, *((name_of(other), other.estimates) for other in self.others))

    @cached_property
    def results(self) -> dict[str, Any]:
        """What was found, JSON-ready, without the words of the cover; in English, whatever the page is in."""
        with speaking(language(ENGLISH)):
            return {
                "audit": None if self.audit is None else self.audit.to_dict(),
                "fits": [{"name": name_of(f), **f.to_dict()} for f in self.fits],
                "extra_errors": [e.to_dict() for e in self.extra_errors],
                "partitions": [{"name": name_of(p), **p.to_dict()} for p in self.partitions],
                "others": [{"name": name_of(o), **o.to_dict()} for o in self.others],
            }

    @cached_property
    def _plain(self) -> dict[str, Any]:
        """``results`` as JSON holds them, which both the hash and the file are made of."""
        plain: dict[str, Any] = json_plain(self.results)
        return plain

    @cached_property
    def document(self) -> dict[str, Any]:
        """The results with their hash and what the cover says: what every form of a report holds."""
        cover = {"schema": SCHEMA, "title": self.title, "auditor": self.auditor, "created": self.created}
        cover["language"] = self.language
        return {**cover, "id": self.id, "results_sha256": self.sha256, **self._plain}

    @cached_property
    def csv(self) -> str:
        """Every row of every result with the columns of the glossary, and first the result that it is from.

        A text that a spreadsheet would run as a formula (it begins with =, +, -, @ and is no number) has an apostrophe
        before it; a character that a terminal obeys or that ends a row is its code. In ``json`` it is as it was.
        """
        import pandas as pd

        frames = [rows.to_frame().assign(result=name) for name, rows in self.estimates]
        columns = ["result", *GLOSSARY]
        table = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)
        shown = table[columns].map(lambda cell: inert(visible(cell)) if isinstance(cell, str) else cell)
        return str(shown.to_csv(index=False, lineterminator="\n"))

    @cached_property
    def sha256(self) -> str:
        """The hash of the results alone: the same audit run twice has the same."""
        return results_hash(self._plain)

    @property
    def id(self) -> str:
        """Eight hexadecimal digits of that hash: printed on every page."""
        return self.sha256[:SHORT]


def inert(cell: Any) -> Any:
    """Text that a spreadsheet would run as a formula gets an apostrophe before it; numbers stay as they are."""
    if not isinstance(cell, str) or not cell.startswith(_FORMULA):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def gather(results: Sequence[object], title: str | None, auditor: str, about: Notice = ()) -> Bundle:
    """Sort the results by kind; refuse what a report cannot hold; its language is the current one."""
    if not results:
        raise InputError("results has no result; pass an audit, a fit or a comparison")
    for position, result in enumerate(results, 1):
        if not isinstance(result, Result):
            raise InputError(
                f"results has {shown(result)} at place {position}; a report is made of audits, fits and comparisons; "
                "pass what fairstats.audit, a method such as fairstats.og, or fairstats.compare returned"
            )
    audits = [r for r in results if isinstance(r, Audit)]
    if len(audits) > 1:
        raise InputError(
            f"report() was given {len(audits)} audits; a report has one, so that its first page has one answer; "
            "write one report each, or pass what fairstats.change(before, after) returned"
        )
    audit = audits[0] if audits else None
    partitions = tuple(r for r in results if isinstance(r, Partition))
    fits = tuple(r for r in results if isinstance(r, Fit) and not isinstance(r, Audit))
    extras = tuple(r for r in results if isinstance(r, ExtraError))
    others = tuple(
        r for r in results if isinstance(r, Result) and not isinstance(r, (Audit, Fit, ExtraError, Partition))
    )
    return Bundle(
        title or _title(audit, fits, partitions, others), auditor, audit, fits, extras, others, partitions, about,
        current().code,
    )  # fmt: skip


def _title(audit: Audit | None, fits: Sequence[Fit], partitions: Sequence[Partition], others: Sequence[Result]) -> str:
    compared = next((other for other in others if isinstance(other, Comparison)), None)
    if audit is None and compared is not None:
        methods = _several(compared.protocol.methods)
        return say("Predicting {outcome}: {methods} compared", outcome=compared.protocol.outcome, methods=methods)
    if audit is None and partitions and not fits:
        return _title_of_clusters(partitions)
    leaks = [other for other in others if isinstance(other, Leakage)]
    if audit is None and leaks and not fits:
        told = list(dict.fromkeys(row.attribute for leak in leaks for row in leak.estimates))
        methods = _several(list(dict.fromkeys(leak.method for leak in leaks)))
        return say("What scores of {methods} tell of {groups}", methods=methods, groups=_several(told, 5))
    changed = next((other for other in others if isinstance(other, Change)), None)
    if audit is None and changed is not None and not fits:
        return title_of_change(changed)
    searched = next((other for other in others if isinstance(other, subgroups_result.Subgroups)), None)
    if audit is None and not fits and searched is not None:
        by = _several(subgroups_result.columns(searched), 5)
        rate = in_text(searched.metric)
        return say("Subgroups by {columns} whose {rate} differs from everybody's", columns=by, rate=rate)
    if audit is None:
        return _title_of_fits(fits) if fits else say("Report of results")
    if audit.protocol.words.title:
        return audit.protocol.words.title
    return say("Audit of {what} by {attributes}", **_asked(audit.protocol))


def _asked(protocol: Resolved) -> dict[str, str]:
    """What an audit is of, and by which attributes."""
    what = protocol.decision or protocol.words.score or protocol.score or protocol.outcome
    named = [a for a in protocol.groups if ":" not in a] or [protocol.groups[0]]
    return {"what": what, "attributes": f" {say('and')} ".join(map(protocol.words.attribute, named))}


def _title_of_clusters(partitions: Sequence[Partition]) -> str:
    """By which method a graph was clustered, and whose groups stand beside."""
    methods = _several(list(dict.fromkeys(map(name_of, partitions))))
    groups = _several(list(dict.fromkeys(made.attribute for part in partitions for made in part.compositions)), 5)
    if groups:
        return say("Clusters of a graph by {groups}: {methods}", groups=groups, methods=methods)
    return say("Clusters of a graph: {methods}", methods=methods)


def sources(changed: Change) -> tuple[str, str]:
    """The names of the data of the earlier and of the later audit."""
    before, _, after = changed.method.partition(" to ")
    return again(before), again(after)


def title_of_change(changed: Change) -> str:
    """What changed from when to when, where the data have names of their own; of what, or the protocol's title."""
    (before, after), own = sources(changed), changed.protocol.words.title
    if own and before == after:
        return say("{title}: change between two audits", title=own)
    if own:
        return say("{title}: change from {before} to {after}", title=own, before=before, after=after)
    if before == after:
        return say("Change between two audits of {what} by {attributes}", **_asked(changed.protocol))
    return say(
        "Change from {before} to {after}: {what} by {attributes}",
        before=before,
        after=after,
        **_asked(changed.protocol),
    )


def _several(names: Sequence[str], most: int = 6) -> str:
    """``og, pca``, shortened past ``most``."""
    if len(names) <= most:
        return ", ".join(names)
    return say("{shown} and {n} more", shown=", ".join(names[:most]), n=len(names) - most)


def _title_of_fits(fits: Sequence[Fit]) -> str:
    """What was taken out of what, by which methods."""
    lead = next((fit for fit in fits if fit.method != "pca"), fits[0])
    removed = list(dict.fromkeys(row.attribute for row in lead.estimates if row.attribute))
    methods, n = _several(list(dict.fromkeys(name_of(fit) for fit in fits))), len(getattr(lead, "features", ()))
    groups = _several(removed, 5)
    if len({tuple(getattr(fit, "features", ())) for fit in fits}) > 1:
        return say("Fits to different features: {methods}", methods=methods)
    if removed and not all(removing(fit) for fit in fits if fit.method != "pca"):
        return say("Components of {n} features, by {groups}: {methods}", n=n, groups=groups, methods=methods)
    if removed:
        return say("Taking {groups} out of {n} features: {methods}", groups=groups, n=n, methods=methods)
    return say("Components of {n} features: {methods}", n=n, methods=methods)


def removing(fit: Fit) -> bool:
    """Whether its method is meant to take the groups out of the features."""
    return fit.method not in METHODS or METHODS[fit.method].removes


def name_of(result: object) -> str:
    """A result's name in tables and files."""
    if isinstance(result, Estimates):
        return listing(list(dict.fromkeys(row.metric for row in result)), 3) or "estimates"
    if isinstance(result, ImpactTable):
        return f"impact ratios by {result.attribute}"
    if isinstance(result, FitStudy):
        return result.heading
    if isinstance(result, ChoiceOfK):
        return f"Number of components ({result.method})"
    return str(getattr(result, "method", "") or type(result).__name__.lower())
