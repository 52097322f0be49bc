"""The results that a report was given, sorted once, and the one document that JSON and CSV are made of."""

from __future__ import annotations

import base64
import binascii
import gzip
import hashlib
import html
import json
import math
import os
import platform
import re
import string
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from fairstats.auditing import alternatives, group_probabilities, group_studies, models, monitor, pay, subgroups
from fairstats.auditing.answer import flags
from fairstats.auditing.change import AuditComparison
from fairstats.auditing.decompose import Decomposition
from fairstats.auditing.local_law_144 import ImpactTable, Notice
from fairstats.auditing.protocol import NO_WORDS, Resolved, Words, check_labels, label_words
from fairstats.auditing.result import Audit
from fairstats.auditing.sentences import as_word, column_name, parts, phrase, single_spaced, with_plain_verbs
from fairstats.cluster.partition import Partition
from fairstats.comparing.result import Comparison
from fairstats.document import PAPERS
from fairstats.errors import PAGES, Call, FrontEnd, InputError, Setting, listing, named, snippet, visible
from fairstats.estimates import GLOSSARY, Estimates, Reads, Result
from fairstats.files import existing
from fairstats.inference.representations.choosing_k import ComponentSelection
from fairstats.inference.representations.extra_error import ExtraError
from fairstats.inference.representations.fit_studies import FitStudy
from fairstats.inference.representations.leakage import Leakage
from fairstats.inference.representations.proxies import Proxies
from fairstats.inference.representations.tradeoff import Tradeoff
from fairstats.language import (
    ENGLISH,
    DataText,
    current,
    language,
    message,
    say,
    says,
    speaking,
    translated,
)
from fairstats.methods.crossfit import OutOfFoldScores
from fairstats.methods.registry import METHODS
from fairstats.provenance import VERSIONS_IN_R, now, version
from fairstats.reporting import words
from fairstats.text import capital, json_plain, listed
from fairstats.validation import shown, word
from fairstats.words_in_r import REPORT_FROM_R

# The hash of results: what was found, whoever prints it, when, under which title and in which language.


# Of the print, the hour, the machine or the language; not of what was found.
_LEFT_OUT = frozenset(
    {"auditor", "created", "finding", "id", "language", "notes", "provenance", "results_sha256", "schema", "title"}
)
_FORM = ("software", "pages")  # how the form was written that holds the results
_TIMES = frozenset({"fit seconds"})
SHORT = 8  # hexadecimal digits of a report's id


def results_hash(document: Any) -> str:
    """Return the SHA-256 of the results in a report's document: the same for the same audit run twice.

    Numbers count with nine significant digits, and as 0 below 1e-12, so that the last bits of another machine's
    arithmetic change nothing. Left out are date, title, auditor, sentences, versions, the name of the data's file, and
    how long a fit took.

    document: a report's JSON, as `Contents.results` writes it.
    Returns: 64 hexadecimal digits; the first eight are the report's id.

    >>> results_hash({"title": "a", "n": 1.0}) == results_hash({"title": "b", "n": 1.0 + 1e-13})
    True
    """
    entries = {name: value for name, value in document.items() if name not in _FORM}
    text = json.dumps(_kept(entries), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _kept(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _kept(v) for k, v in value.items() if k not in _LEFT_OUT and not (k == "name" and "sha256" in value)}
    if isinstance(value, (list, tuple)):
        return [_kept(v) for v in value if not (isinstance(v, dict) and v.get("metric") in _TIMES)]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _rounded(float(value))
    return value


def _rounded(value: float) -> float | str:
    if not math.isfinite(value):
        return str(value)
    return 0.0 if abs(value) < 1e-12 else float(f"{value:.9g}")


SCHEMA = "fairstats/report/1"
# What begins a formula in a spreadsheet (OWASP ASVS 1.2.10), also in full width: labels come from the audited.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


@runtime_checkable
class Fit(Result, Protocol):
    """A fitted decomposition, as far as the report reads it."""

    method: str
    k: int
    guarantees: Any


def paper_size(value: Any) -> str:
    """Judge the name of a size of paper.

    >>> paper_size("a5")
    Traceback (most recent call last):
    fairstats.errors.InputError: paper has 'a5'; the sizes are a4, letter; pass one of them.
    """
    if word("paper", value) not in PAPERS:
        raise InputError(f"paper has {shown(value)}; the sizes are {listing(PAPERS)}; pass one of them.")
    return str(value)


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
    paper: str = "a4"  # a key of `PAPERS`
    law_of_preset: str = ""  # the preset whose law is that of the page, where nobody declared it
    as_audited: str = ""  # the hash of the results as they are attached, which the page may show under another law
    labels: Words = NO_WORDS  # of columns and groups of results that have no labels
    asked_in_r: bool = False

    @property
    def from_r(self) -> bool:
        """Whether results say that R's user made them or, where none says by whom, R's user asked for the report."""
        runs = [getattr(result, "provenance", None) for result in (self.audit, *self.others)]
        known = [run for run in runs if run is not None]
        return any(not run.versions.keys().isdisjoint(VERSIONS_IN_R) for run in known) or (
            self.asked_in_r and not known
        )

    @property
    def front(self) -> FrontEnd:
        """Whose words the pages have; the same wherever they are made again."""
        return REPORT_FROM_R if self.from_r else PAGES

    @cached_property
    def created(self) -> str:
        """When the results were made (ISO 8601, UTC), so that the same result gives the same bytes."""
        runs = (getattr(result, "provenance", None) for result in (self.audit, *self.others))
        return next((run.created for run in runs if run is not None), None) or now()

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

        Where models or audits are compared, a column ``direction`` comes last, as in their `tidy`.

        A text that a spreadsheet would run as a formula (it begins with =, +, -, @ and is no number) has an apostrophe
        before it; a character that a terminal obeys or that ends a row is its code. In ``json`` it is as it was.
        """
        import pandas as pd

        frames = [rows.to_frame().assign(result=name) for name, rows in self.estimates]
        columns = ["result", *GLOSSARY]
        ways = {id(one.estimates): one._directions(one.estimates) for one in self.others if isinstance(one, Reads)}
        if any(way is not None for way in ways.values()):
            columns.append("direction")
            for frame, (_, rows) in zip(frames, self.estimates, strict=True):
                frame["direction"] = ways.get(id(rows)) or ""
        table = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)
        shown = table[columns].map(lambda cell: inert(visible(cell)) if isinstance(cell, str) else cell)
        return str(shown.to_csv(index=False, lineterminator="\n"))

    @cached_property
    def sha256(self) -> str:
        """The hash of the results alone: the same audit run twice has the same."""
        return self.as_audited or results_hash(self._plain)

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


def check_results(results: Sequence[object], preset: str = "generic") -> None:
    """Refuse what a report cannot hold, in the words of whoever asks for it, not of the report."""
    if not results:
        raise InputError("results", "has no result; pass an audit, a fit or a comparison")
    for position, result in enumerate(results, 1):
        if isinstance(result, tuple) and result and all(isinstance(one, ImpactTable) for one in result):
            raise InputError(
                "results",
                f"has the tables of {Call('local_law_144')} at place {position}; the law's report makes them of "
                f"the audit; pass the audit, with {Setting('preset', 'll144')}",
            )
        if isinstance(result, (str, Path)):
            raise InputError(
                "results",
                f"has {shown(result)} at place {position}; name the file: "
                f"{Setting('to', re.sub('[.]doc$', '.docx', str(result)))}",
            )
        if isinstance(result, (list, tuple)) and result and all(isinstance(one, Result) for one in result):
            raise InputError(
                "results",
                f"has a {type(result).__name__} of results at place {position}; pass them one by one: "
                f"{Call('report', ('first', 'second'))}",
            )
        if not isinstance(result, Result):
            raise InputError(
                "results",
                f"has {shown(result)} at place {position}; a report is made of audits, fits and comparisons; "
                f"pass what {Call('audit')}, a method such as {Call('og')}, or {Call('compare')} returned",
            )
    audits = sum(isinstance(r, Audit) for r in results)
    if audits > 1 and preset == "ll144":
        tables = snippet("report(one, *local_law_144(one), *local_law_144(other), preset='ll144')")
        raise InputError(
            f"{snippet('report() was given')} {audits} audits; the law's report has one, and the tables of others "
            f"beside its own; pass {tables}."
        )
    if audits > 1:
        raise InputError(
            f"{snippet('report() was given')} {audits} audits; a report has one, so that its first page has one "
            f"answer; write one report each, or pass what {Call('compare_audits', ('before', 'after'))} returned, "
            f"which calls each by the period that its {named('about')} has, or by its file."
        )


UNLABELED = ("unit", "attributes", "groups")  # the labels of a report, which has no decision


def report_labels(value: Any, results: Sequence[object]) -> Words:
    """Judge the labels of a report: of columns and groups of fits, of what leaks, and of clusterings."""
    if isinstance(value, Mapping) and "methods" in value:
        raise InputError(
            "labels",
            "has 'methods'; methods and models have the same names in all tables, figures and reports, which labels do "
            f"not change (they are of {listing(UNLABELED)}); where a paper calls a method otherwise, change the cells "
            f"of {snippet('table.to_frame()')} and the texts of {snippet('drawing.figure')}.",
        )
    named = label_words(value)
    if named == NO_WORDS:
        return named
    theirs = f"are of fits, {Call('compare')}, {Call('leakage')} and clusterings"
    if any(isinstance(r, (ComponentSelection, ExtraError, Proxies, Tradeoff)) for r in results):
        raise InputError(
            "labels",
            f"{theirs}; this study has the words of its data: give the features and groups the "
            "names that pages shall have, and call again.",
        )
    if any(isinstance(r, group_studies.GroupStudy) and "labels" not in r.settings for r in results):
        raise InputError(
            "labels",
            f"{theirs}; this study has the words of its data: give the groups and the decision in "
            "the table the names and labels that pages shall have, and call again.",
        )
    if any(not isinstance(r, (Fit, Leakage, Partition, Comparison)) or isinstance(r, Audit) for r in results):
        raise InputError(
            "labels",
            f"{theirs}; audits and decompositions have the labels of their call; pass them to {Call('audit')} or "
            f"{Call('decompose')}.",
        )
    if others := [name for name in named.given() if name not in UNLABELED]:
        raise InputError("labels", f"has {others[0]!r}; a report takes {listing(UNLABELED)}; leave it out.")
    columns: dict[str, dict[str, None]] = {}
    for one in results:
        features = getattr(one, "features", ())  # names in a fit, rows in a study of leaks
        columns |= {name: columns.get(name, {}) for name in features if isinstance(name, str)}
        items = [
            (row.attribute, group) for row in getattr(one, "estimates", ()) for group in (row.group, row.reference)
        ]
        if isinstance(one, Comparison):
            columns.setdefault(one.protocol.outcome, {})[one.protocol.positive] = None
        items += [(price.attribute, price.level) for price in getattr(getattr(one, "price", None), "by_group", ())]
        items += [(part.attribute, level) for part in getattr(one, "compositions", ()) for level in part.levels]
        for attribute, group in items:
            if attribute:
                columns.setdefault(attribute, {}).update({group: None} if group else {})
    check_labels(named, {column: list(groups) for column, groups in columns.items()})
    return named


def gather(
    results: Sequence[object], title: str | None, auditor: str, about: Notice = (), preset: str = "generic"
) -> Bundle:
    """Sort the results of `check_results` by kind; their language is the current one."""
    audit = next((r for r in results if isinstance(r, Audit)), None)
    partitions = tuple(r for r in results if isinstance(r, Partition))
    fits = tuple(r for r in results if isinstance(r, Fit) and not isinstance(r, Audit))
    extras = tuple(r for r in results if isinstance(r, ExtraError))
    others = tuple(
        r for r in results if isinstance(r, Result) and not isinstance(r, (Audit, Fit, ExtraError, Partition))
    )
    law = dict(about) if preset == "ll144" else None
    title = title or _title(audit, fits, partitions, (*extras, *others), law)
    language = current().code
    return Bundle(title, auditor, audit, fits, extras, others, partitions, about, language)


def _title(
    audit: Audit | None,
    fits: Sequence[Fit],
    partitions: Sequence[Partition],
    others: Sequence[Result],
    law: dict[str, str] | None,
) -> str:
    compared = next((other for other in others if isinstance(other, Comparison)), None)
    if audit is None and compared is not None:
        titles = [say("no adjustment") if m == "none" else words.plain_title(m) for m in compared.protocol.methods]
        outcome = column_name(compared.protocol.outcome)
        return say("Predicting {outcome}: {methods}", outcome=outcome, methods=listed(titles, 6))
    if audit is None and partitions and not fits:
        return _title_of_clusters(partitions)
    leaks = [other for other in others if isinstance(other, Leakage)]
    if audit is None and leaks and not fits:
        items = list(dict.fromkeys(column_name(row.attribute) for leak in leaks for row in leak.estimates))
        methods = listed(list(dict.fromkeys(words.plain_title(leak.method) for leak in leaks)), 6)
        return say(
            "Can the groups of {groups} still be told apart after {methods}?",
            groups=_several(items, 5),
            methods=methods,
        )
    changed = next((other for other in others if isinstance(other, AuditComparison)), None)
    if audit is None and changed is not None and not fits:
        return title_of_change(changed)
    searched = next((other for other in others if isinstance(other, subgroups.SubgroupScan)), None)
    if audit is None and not fits and searched is not None:
        by = listed(subgroups.columns(searched), 5)
        if searched.of_scores:
            return say("Scores and outcomes of subgroups by {columns}", columns=by)
        if (rate := searched_rate(searched)) != words.in_text(searched.metric):
            return say("Subgroups by {columns}: {rate}", columns=by, rate=rate.replace("`", ""))
        return say("{rate} of subgroups by {columns}", columns=by, rate=words.heading(searched.metric))
    studied = next((other for other in others if isinstance(other, group_studies.GroupStudy)), None)
    if audit is None and not fits and studied is not None:
        return _title_of_study(studied, others)
    gap = next((other for other in others if isinstance(other, Decomposition)), None)
    if audit is None and not fits and gap is not None:
        return translated(gap.question)
    if audit is None:
        return _title_of_fits(fits) if fits else _title_of_results(others)
    if audit.protocol.labels.title:
        return audit.protocol.labels.title
    if law is not None:
        if not law.get("tool"):  # which is what the law has audited, and no column of data
            return say("Local Law 144 bias audit by {attributes}", **_subject_of(audit.protocol))
        values = _subject_of(audit.protocol) | {"what": law["tool"]}
        return say("Local Law 144 bias audit of {what} by {attributes}", **values)
    return _title_of_audit(audit.protocol)


def searched_rate(scan: subgroups.SubgroupScan) -> str:
    """The rate of a search in a sentence: what was decided, where it is a decision of a column."""
    p = scan.protocol
    if scan.metric != "selection rate" or not p.decision or p.threshold is not None:
        return words.in_text(scan.metric)
    return say("share of people recorded as {value}", value=as_word(p.decision, p.favorable))


def of_models(studied: group_studies.GroupStudy) -> bool:
    """Whether models were compared."""
    return says(studied.question, models.QUESTION)


def of_periods(studied: group_studies.GroupStudy) -> bool:
    """Whether a gap was watched."""
    return says(studied.question, monitor.QUESTION)


def of_alternatives(studied: group_studies.GroupStudy) -> bool:
    """Whether a less discriminatory alternative was looked for."""
    return says(studied.question, alternatives.ALTERNATIVES)


def of_probabilities(studied: group_studies.GroupStudy) -> bool:
    """Whether groups were known as probabilities."""
    return says(studied.question, group_probabilities.QUESTION)


# The call that makes a study again, by its question.
CALLS: dict[str, Callable[..., group_studies.GroupStudy]] = {
    str(pay.DIRECTIVE): pay.pay_transparency,
    str(pay.BRITISH): pay.gender_pay_gap,
    str(models.QUESTION): models.compare_models,
    str(alternatives.ALTERNATIVES): alternatives.alternatives,
    str(group_probabilities.QUESTION): group_probabilities.group_probabilities,
    str(monitor.QUESTION): monitor.watched_again,
}


def _title_of_study(studied: group_studies.GroupStudy, others: Sequence[Result]) -> str:
    """How many models beside each other, which decision is watched from when to when, or what was asked."""
    if of_models(studied):
        beside = [one for one in others if isinstance(one, group_studies.GroupStudy) and of_models(one)]
        same = dict.fromkeys(one.attribute for one in beside if one.settings["models"] == studied.settings["models"])
        values = {"n": len(studied.settings["models"]), "groups": _several(list(same))}
        return say("{n} models on the same people: gaps between the groups of {groups}", **values)
    if of_alternatives(studied):
        baseline = studied.settings["baseline"]
        return say("Search for a less discriminatory alternative to “{model}”", model=baseline)
    if of_periods(studied):
        decision = as_word(studied.settings["decision"], str(studied.settings.get("favorable", ""))).replace("`", "")
        values = {"decision": decision, "groups": studied.attribute}
        watched = group_studies.compared_periods(studied)
        ends = {"first": watched[0], "last": watched[-1]}
        return say("Gap by {groups} in {decision}, watched from {first} to {last}", **values, **ends)
    if of_probabilities(studied):
        decision = as_word(studied.settings["decision"], str(studied.settings.get("favorable", ""))).replace("`", "")
        return say("Gap in {decision} between groups known as probabilities", decision=decision)
    return translated(studied.question)


def _title_of_audit(protocol: Resolved) -> str:
    """The system and who was decided on, in the protocol's words; what was decided by its column where it has none."""
    values, system = _subject_of(protocol), protocol.about.system
    if protocol.threshold is not None and protocol.labels.unit:
        protocol = with_plain_verbs(protocol)
    decided = protocol.decision or protocol.threshold is not None
    text = phrase(protocol, ("D=1" if flags(protocol) else "D=+") if decided else "Y=1")
    if protocol.labels.amount and protocol.labels.unit and not decided:
        values |= {"people": protocol.labels.unit, "system": system, "event": protocol.labels.amount}
        if system:
            return say("{system}: what {people} {event}, by {attributes}", **values)
        return say("Audit: what {people} {event}, by {attributes}", **values)
    if not (text and protocol.labels.unit):
        if system:
            return say("{system}: audit of {what} by {attributes}", system=system, **values)
        return say("Audit of {what} by {attributes}", **values)
    values |= {"people": protocol.labels.unit, "system": system, **parts(text)}
    if values["verb"] == "were" and values["rest"]:
        if system:
            return say("{system}: {people} {rest}, by {attributes}", **values)
        return say("Audit: {people} {rest}, by {attributes}", **values)
    if system:
        return single_spaced(say("{system}: {people} who {event}, by {attributes}", **values))
    return single_spaced(say("Audit: {people} who {event}, by {attributes}", **values))


def _title_of_results(others: Sequence[Result]) -> str:
    """What one result is called; of several there is none."""
    given_away = [name for one in others if isinstance(one, Proxies) for name in one.attributes()]
    if given_away and all(isinstance(one, Proxies) for one in others):
        groups = list(dict.fromkeys(given_away))
        return say("Which features give {groups} away", groups=listed(groups, 5))
    if others and all(isinstance(one, Tradeoff) for one in others):
        methods = dict.fromkeys(row.fit for one in others for row in one.estimates)
        return say("What methods cost and what they leave: {methods}", methods=listed(list(methods), 6))
    if len(others) != 1:
        return say("Report of results")
    (result,) = others
    if isinstance(result, ExtraError):
        return say("Extra error of {method}", method=result.method)
    if isinstance(result, OutOfFoldScores):
        return say("Held-out scores of {method}", method=result.method)
    if isinstance(result, Estimates):
        return capital(listed([words.in_text(metric) for metric in dict.fromkeys(row.metric for row in result)], 3))
    return capital(translated(name_of(result)))


def _subject_of(protocol: Resolved) -> dict[str, str]:
    """What an audit is of, and by which attributes."""
    columns = protocol.decision, protocol.labels.score, protocol.score, protocol.outcome
    what = next(filter(None, (*columns, *(column for _, column in protocol.measured))), "")
    named = [a for a in protocol.groups if not protocol.is_crossed(a)] or [protocol.groups[0]]
    return {"what": what, "attributes": f" {say('and')} ".join(map(protocol.called, named))}


def _title_of_clusters(partitions: Sequence[Partition]) -> str:
    """Whose groups stand beside the clusters of a graph."""
    groups = _several(
        list(dict.fromkeys(column_name(one.attribute) for part in partitions for one in part.compositions)), 5
    )
    if not groups:
        return say("Clusters of a network")
    return say("Clusters of a network by {groups}", groups=groups)


ENDING = re.compile(r"(?<=.)\.(csv|tsv|parquet|feather|arrow|rds|xlsx|json)(\.gz)?$")  # of a file of data


def sources(changed: AuditComparison) -> tuple[str, str]:
    """The names of the earlier and of the later audit, or of their data without the ending of a file."""
    if changed.names:
        return changed.names[0], changed.names[1]
    names = [translated(data.name) for data in changed.data]
    bare = [ENDING.sub("", name) for name in names]
    before, after = bare if len({*bare}) == len({*names}) else names
    return before, after


def title_of_change(changed: AuditComparison) -> str:
    """What changed from when to when, where the data have names of their own; of what, or the protocol's title."""
    (before, after), group_values = sources(changed), changed.protocol.labels.title
    if group_values and before == after:
        return say("{title}: change between two audits", title=group_values)
    if group_values:
        return say("{title}: change from {before} to {after}", title=group_values, before=before, after=after)
    if before == after:
        return say("Change between two audits of {what} by {attributes}", **_subject_of(changed.protocol))
    return say(
        "Change from {before} to {after}: {what} by {attributes}",
        before=before,
        after=after,
        **_subject_of(changed.protocol),
    )


def _several(names: Sequence[str], most: int = 6) -> str:
    """``og, pca``, shortened past ``most``."""
    if len(names) <= most:
        return ", ".join(names)
    return say("{shown} and {n} more", shown=", ".join(names[:most]), n=len(names) - most)


def _title_of_fits(fits: Sequence[Fit]) -> str:
    """What was taken out of what, by which methods."""
    lead = next((fit for fit in fits if fit.method != "pca"), fits[0])
    removed = list(dict.fromkeys(column_name(row.attribute) for row in lead.estimates if row.attribute))
    methods, n = (
        _several([words.plain_title(m) for m in dict.fromkeys(map(name_of, fits))]),
        len(getattr(lead, "features", ())),
    )
    groups = _several(removed, 5)
    if len({tuple(getattr(fit, "features", ())) for fit in fits}) > 1:
        return say("Fits to different features: {methods}", methods=methods)
    if removed and not all(removing(fit) for fit in fits if fit.method != "pca"):
        return say("Components of {n} features, by {groups}: {methods}", n=n, groups=groups, methods=methods)
    if removed:
        return say("Adjusting {n} features to hide {groups}: {methods}", groups=groups, n=n, methods=methods)
    return say("Components of {n} features: {methods}", n=n, methods=methods)


def removing(fit: Fit) -> bool:
    """Whether its method is meant to take the groups out of the features."""
    return fit.method not in METHODS or METHODS[fit.method].removes


def name_of(result: object) -> str:
    """A result's name in tables and files."""
    if isinstance(result, Estimates):
        return listing(list(dict.fromkeys(row.metric for row in result)), 3) or "estimates"
    if isinstance(result, ImpactTable):
        return message("impact ratios by {attribute}", attribute=DataText(result.attribute))
    if isinstance(result, FitStudy):
        return result.heading
    if isinstance(result, ComponentSelection):
        return message("Number of components ({method})", method=DataText(result.method))
    return str(getattr(result, "method", "") or type(result).__name__.lower())


# A report read back: the results inside its PDF, its HTML page or its JSON file, and nothing that runs.


LARGEST = 400_000_000  # bytes of one attachment unpacked: nobody's report, and less than a machine's memory
_STREAM = re.compile(rb"(?<!\d)\d+ \d+ obj\b((?:(?!endobj|stream).){0,4000})stream\r?\n", re.S)
_DATA = re.compile(r'href="data:application/gzip;base64,([A-Za-z0-9+/=]*)"')
_LINK = re.compile(r'<p class="data">[^<>]*<a download="results\.json\.gz" [^<>]*>results\.json\.gz</a></p>\n')

OTHERS = ("fits", "extra_errors", "partitions", "others")  # the results beside the audit

# What decides the bytes of a form, beside the results: the libraries that write it.
_OF_PAGES = ("jinja2", "markupsafe", "fonttools", "brotli", "matplotlib")
_OF_PDF = ("weasyprint", "pydyf", "tinycss2", "tinyhtml5", "cssselect2", "pyphen", "pillow")


@dataclass(frozen=True)
class Written:
    """A written report: its form ("pdf", "html" or "json"), the results in it, and the whole of it."""

    kind: str
    document: dict[str, Any]
    raw: bytes


def software(form: str) -> dict[str, str]:
    """The software on which the bytes of a form depend, with its versions.

    Examples
    --------
    >>> list(software("json"))
    ['fairstats']
    """
    elsewhere: dict[str, Callable[[], str]] = {
        "python": platform.python_version,
        "zlib": lambda: zlib.ZLIB_RUNTIME_VERSION,
        "specimen": specimen,
    }
    return {name: elsewhere[name]() if name in elsewhere else version(name) for name in software_names(form)}


def software_names(form: str) -> tuple[str, ...]:
    """The names of that software.

    Examples
    --------
    >>> software_names("json")
    ('fairstats',)
    """
    names = {"html": _OF_PAGES, "pdf": (*_OF_PAGES, *_OF_PDF)}.get(form, ())
    return ("fairstats", *names, *(("python", "zlib") if names else ()), *(("specimen",) if form == "pdf" else ()))


@cache
def specimen() -> str:
    """The hash of a small PDF: libraries of the system set its text and cut its faces, and tell no version."""
    from fairstats.reporting.render import faces_css, pdf

    letters = f"<p>{string.printable.split('<')[0]} Ta VA fi \u00e4\u2212\u2013</p>"
    drawing = '<svg viewBox="0 0 90 20"><text x="1" y="9" font-size="8">Va 0.1</text><path d="M1 1h9z"/></svg>'
    page = f"<html lang=en><title>specimen</title><style>{faces_css(letters)}*{{font-family:Inter}}</style>"
    data = pdf(f"{page}{letters}<b>{letters}</b>{drawing}", (), "2024-01-01T00:00:00+00:00", "specimen")
    return hashlib.sha256(data).hexdigest()[:16]


def with_data(page: str, document: str) -> str:
    """The page with its results inside, as a file that a reader can take out of it.

    Examples
    --------
    >>> "results.json" in with_data("<p>page</p></body>", "{}")
    True
    """
    small = json.dumps(json.loads(document), ensure_ascii=False, separators=(",", ":"))
    data = base64.b64encode(gzip.compress(small.encode(), mtime=0)).decode()
    link = (
        f'<p class="data">{html.escape(say("Every number of this report:"))} '
        f'<a download="results.json.gz" href="data:application/gzip;base64,{data}">results.json.gz</a></p>\n'
    )
    end = page.rfind("</main>")
    end = page.rfind("</body>") if end < 0 else end
    return page + link if end < 0 else f"{page[:end]}{link}{page[end:]}"


def without_data(page: str) -> str:
    """The page as it was before `with_data`.

    Examples
    --------
    >>> without_data(with_data("<p>page</p></body>", "{}"))
    '<p>page</p></body>'
    """
    return _LINK.sub("", page, count=1)


def read_written(path: str | os.PathLike[str]) -> Written:
    """Read what a report of ours holds, by what the file is and not by its name.

    path: a PDF, an HTML page or a JSON file that `report` wrote.
    Raises FileError if there is no such file.
    """
    file = existing(path, "report")
    raw = file.read_bytes()
    if raw.lstrip()[:5] == b"%PDF-":
        return _of_pdf(raw, file.name)
    if raw[:4] == b"PK\x03\x04" and file.suffix == ".npz":
        raise _foreign(file.name, "it holds a saved result, of which no page was written")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _foreign(file.name, "it is neither a PDF nor text") from None
    if text.lstrip()[:1] in ("{", "["):
        return Written("json", _document(text, file.name), raw)
    return _of_html(raw, text, file.name)


def _of_html(raw: bytes, text: str, name: str) -> Written:
    result = _DATA.findall(text)
    if len(result) != 1:
        raise _foreign(
            name, "no results are inside it" if not result else f"{len(result)} sets of results are inside it"
        )
    try:
        packed = base64.b64decode(result[0], validate=True)
        document = zlib.decompressobj(wbits=31).decompress(packed, LARGEST).decode("utf-8")
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        raise _foreign(name, "the results inside it are damaged") from None
    return Written("html", _document(document, name), raw)


def _of_pdf(raw: bytes, name: str) -> Written:
    """The attached results of a PDF: a stream that says what it is, packed or plain, wherever it stands."""
    texts = {content.decode("utf-8", "replace") for content in _attached(raw)}
    items = [text for text in texts if text.lstrip()[:1] == "{" and SCHEMA in text[:200]]
    if len(items) != 1:
        packed = "it is encrypted" if b"/Encrypt" in raw else "no results.json of a report is attached to it"
        raise _foreign(name, f"{len(items)} different sets of results are attached to it" if items else packed)
    return Written("pdf", _document(items[0], name), raw)


def _attached(raw: bytes) -> Iterator[bytes]:
    """The content of every attached file, unpacked."""
    for match in _STREAM.finditer(raw):
        head = re.sub(rb"#([0-9A-Fa-f]{2})", lambda code: bytes([int(code[1], 16)]), match.group(1))
        if b"/EmbeddedFile" in head:
            content = _unpacked(raw, head, match.end())
            if content is not None:
                yield content


def _unpacked(raw: bytes, head: bytes, start: int) -> bytes | None:
    if b"/FlateDecode" not in head and b"/Filter" in head:
        return None
    if b"/FlateDecode" in head:
        try:
            return zlib.decompressobj().decompress(raw[start:], LARGEST)
        except zlib.error:
            return None
    length = re.search(rb"/Length (\d+)(?! \d+ R)", head)
    end = raw.find(b"endstream", start)
    return raw[start : start + int(length.group(1))] if length else raw[start:end].rstrip(b"\r\n")


def _document(text: str, name: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except json.JSONDecodeError as wrong:
        raise _foreign(name, f"its JSON is broken at character {wrong.pos}") from None
    except RecursionError:
        raise _foreign(name, "its JSON is nested without end") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise _foreign(name, "its JSON is not that of a report of fairstats")
    for kind in OTHERS:
        results = document.get(kind, [])
        if not isinstance(results, list) or not all(map(_is_result, results)):
            raise _foreign(name, f"its JSON has {kind} that are no results")
    return document


def _is_result(entry: Any) -> bool:
    """Whether an entry has what every result of a report has: a name, and rows."""
    return isinstance(entry, dict) and bool(entry.get("name")) and bool(entry.get("estimates"))


def _foreign(name: str, why: str) -> InputError:
    forms = listing([".pdf", ".html", ".json"])
    first = "" if Path(name).suffix in (".pdf", ".html", ".json") else "; the report comes first, then the data"
    return InputError(
        "report", f"has {Path(name).name!r}; {why}; pass a file that fairstats wrote as a report ({forms}){first}."
    )
