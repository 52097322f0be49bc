"""Limits, readings, references and provenance: what each statistic assumes, and how to run the report again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairstats.choices import adjustment
from fairstats.comparing.result import Comparison
from fairstats.inference.representations.leakage_result import Leakage
from fairstats.language import again, say
from fairstats.reporting.bundle import SCHEMA, Bundle, name_of
from fairstats.reporting.readings import GENERAL, sources
from fairstats.reporting.worded import worded
from fairstats.results import Result
from fairstats.studies.provenance import Provenance, provenance
from fairstats.text import count, listed


def limits(bundle: Bundle) -> dict[str, Any]:
    """The context of ``sections/limits.html.j2``."""
    audit = bundle.audit
    return {
        "notes": [] if audit is None else [again(note) for note in worded(audit).notes],
        "general": [say(sentence) for sentence in GENERAL],
        "references": _references(bundle),
        "attested": _attested(bundle),
        "provenance": _provenance(bundle),
    }


def _attested(bundle: Bundle) -> list[str]:
    """What no file can prove, for the auditor to tick."""
    if bundle.audit is None:
        return []
    return [
        say(
            "The rules of this audit (groups, reference, comparison of page one, margin) were fixed before the data "
            "were seen."
        ),
        say("The auditor is independent of those whose decisions are audited."),
        say("The groups are as recorded; nobody's group was guessed from a name, a picture or an address."),
    ]


def _references(bundle: Bundle) -> list[str]:
    """The sources of the methods that the report's rows name."""
    audit = bundle.audit
    rules = "" if audit is None else adjustment(audit.protocol.adjust, audit.protocol.reference).name
    methods = [str(getattr(r, "method", "")) for r in (*bundle.fits, *bundle.partitions, *bundle.others)]
    methods += [m for other in bundle.others if isinstance(other, Comparison) for m in other.protocol.methods]
    return sources(((r.metric, r.method) for _, rows in bundle.estimates for r in rows), methods, rules)


def _provenance(bundle: Bundle) -> list[tuple[str, str]]:
    pairs = [(say("Results made"), bundle.created), (say("Schema of results.json"), SCHEMA)]
    pairs += [
        (say("Report id"), bundle.id),
        (say("SHA-256 of the results; the id is its start"), bundle.sha256),
    ]
    audit = bundle.audit
    if audit is None:
        return [*_without_audit(bundle), *pairs]
    versions = _listed(audit.provenance.versions)
    return [
        (say("Call"), audit.provenance.call),
        (say("Seed"), str(audit.provenance.seed)),
        (say("Data file"), again(audit.data.name) or say("table in memory")),
        (say("SHA-256 of the data"), audit.data.sha256 or say("none (not read from a file)")),
        (say("SHA-256 of the protocol"), audit.protocol.sha256 or say("none (given with the call)")),
        (say("Versions"), versions),
        *pairs,
    ]


def _listed(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def _without_audit(bundle: Bundle) -> list[tuple[str, str]]:
    """Of results that keep it the run; of fits and clusterings, which keep neither, how they were made."""
    pairs = []
    for made in bundle.others:
        run: Provenance | None = getattr(made, "provenance", None)
        source: Any = getattr(made, "data", ())
        if isinstance(made, Leakage):
            run = provenance(made.call, made.seed)
        if run is None:
            continue
        pairs += [(say("Call"), run.call), (say("Seed"), str(run.seed))]
        for data in source if isinstance(source, tuple) else (source,):
            pairs += [(say("Data file"), again(data.name) or say("table in memory"))]
            pairs += [(say("SHA-256 of the data"), data.sha256 or say("none (not read from a file)"))]
        pairs += [(say("Versions"), _listed(run.versions))]
    made_of: list[Result] = [*bundle.fits, *bundle.partitions]
    for fit in made_of:
        known = fit.to_dict()
        n = count(known["n"])
        size = [say("{n} rows", n=n) if known.get("features") else say("{n} vertices", n=n)]
        size += [say("features {names}", names=listed(known["features"], 8))] if known.get("features") else []
        settings = ", ".join(f"{name} = {value}" for name, value in known["settings"].items())
        pairs.append((say("{method} was made with", method=name_of(fit)), "; ".join(filter(None, [settings, *size]))))
    return [*pairs, (say("Versions that wrote this"), _listed(provenance("", 0).versions))] if made_of else pairs
