"""Limits, readings, references and provenance: what each statistic assumes, and how to run the report again."""

from __future__ import annotations

from typing import Any

from fairstats.choices import adjustment
from fairstats.comparing.result import Comparison
from fairstats.reporting.bundle import SCHEMA, Bundle
from fairstats.reporting.readings import GENERAL, sources


def limits(bundle: Bundle) -> dict[str, Any]:
    """The context of ``sections/limits.html.j2``."""
    audit = bundle.audit
    return {
        "notes": [] if audit is None else list(audit.notes),
        "general": list(GENERAL),
        "references": _references(bundle),
        "attested": _attested(bundle),
        "provenance": _provenance(bundle),
    }


def _attested(bundle: Bundle) -> list[str]:
    """What no file can prove, for the auditor to tick."""
    if bundle.audit is None:
        return []
    return [
        "The rules of this audit (groups, reference, comparison of page one, margin) were fixed before the data were "
        "seen.",
        "The auditor is independent of those whose decisions are audited.",
        "The groups are as recorded; nobody's group was guessed from a name, a picture or an address.",
    ]


def _references(bundle: Bundle) -> list[str]:
    """The sources of the methods that the report's rows name."""
    audit = bundle.audit
    rules = "" if audit is None else adjustment(audit.protocol.adjust, audit.protocol.reference).name
    methods = [str(getattr(r, "method", "")) for r in (*bundle.fits, *bundle.partitions, *bundle.others)]
    methods += [m for other in bundle.others if isinstance(other, Comparison) for m in other.protocol.methods]
    return sources(((r.metric, r.method) for _, rows in bundle.estimates for r in rows), methods, rules)


def _provenance(bundle: Bundle) -> list[tuple[str, str]]:
    pairs = [("Results made", bundle.created), ("Schema of results.json", SCHEMA), ("Report id", bundle.id)]
    pairs.append(("SHA-256 of the results, which the id begins", bundle.sha256))
    audit = bundle.audit
    if audit is None:
        return pairs
    versions = ", ".join(f"{name} {version}" for name, version in audit.provenance.versions.items())
    return [
        ("Call", audit.provenance.call),
        ("Seed", str(audit.provenance.seed)),
        ("Data file", audit.data.name or "table in memory"),
        ("SHA-256 of the data", audit.data.sha256 or "none (not read from a file)"),
        ("SHA-256 of the protocol", audit.protocol.sha256 or "none (given with the call)"),
        ("Versions", versions),
        *pairs,
    ]
