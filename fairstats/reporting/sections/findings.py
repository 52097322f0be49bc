"""Page one: the answer in a sentence, at most eight claims, one forest plot."""

from __future__ import annotations

from collections import Counter
from typing import Any

from fairstats.auditing.result import Audit
from fairstats.auditing.words.families import count_text
from fairstats.choices import adjusted_note
from fairstats.comparing.result import Comparison
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.verdicts import decisive_p
from fairstats.methods.results.checking import failures
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle, name_of
from fairstats.reporting.figures.clusters import clusters
from fairstats.reporting.figures.forest import forest
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.clusters import caption_of, constraint_row
from fairstats.reporting.sections.clusters import finding as clustered
from fairstats.reporting.tables import Heading, Table, methods_note, table, text, word

MOST_CLAIMS = 8


def findings(bundle: Bundle) -> dict[str, Any]:
    """The context of ``sections/findings.html.j2``."""
    if bundle.audit is None:
        return _without_audit(bundle)
    audit = bundle.audit
    claims = audit.claims()[:MOST_CLAIMS]
    return {
        "sentence": " ".join([*_broken(bundle), audit.finding()]),
        "cover": _cover(bundle, audit),
        "claims": _claims_table(audit, claims) if len(claims) else None,
        "figure": figure_of(audit, claims),
        "readings": _readings(audit),
    }


def _broken(bundle: Bundle) -> list[str]:
    """What is said first: guarantees of the fits that do not hold."""
    return [
        f"{name_of(fit)}: a guarantee does not hold on its data: {told}."
        for fit in bundle.fits
        for told in failures(fit.guarantees)
    ]


def _cover(bundle: Bundle, audit: Audit) -> list[tuple[str, str]]:
    p = audit.protocol
    system = f"decision {p.decision}" if p.decision else f"score {p.score}" if p.score else f"outcome {p.outcome}"
    if p.threshold is not None and p.score:
        system = f"score {p.score}, decision at {words.setting(p.threshold)} or more"
    pairs = [
        ("System audited", system),
        ("Data", f"{audit.data.name or 'table in memory'}, {audit.data.rows} rows"),
        ("SHA-256", audit.data.sha256 or "none (not read from a file)"),
        ("Date", bundle.created[:10]),
        ("Auditor", bundle.auditor or "not named"),
        ("Audit id", bundle.id),
    ]
    return pairs


def _claims_table(audit: Audit, claims: Estimates) -> Table:
    headings = [
        text("claim"),
        Heading("estimate"),
        Heading("interval"),
        Heading("adjusted p"),
        word("verdict"),
    ]
    rows = [
        (words.claim(r), words.estimate(r), words.interval(r), words.p_value(decisive_p(r)), r.verdict or words.DASH)
        for r in claims
    ]
    asked = audit.protocol
    said = adjusted_note(asked.adjust, asked.reference, asked.family), count_text(audit)
    note = f"{'; '.join(filter(None, said))}."
    return table("Claims", headings, rows, methods_note(claims, note))


def figure_of(audit: Audit, claims: Estimates) -> Drawing | None:
    """Draw the claims of the most frequent kind as a forest plot, since one axis holds one kind of number."""
    kinds = Counter(r.contrast for r in claims if plottable(r))
    if not kinds:
        return None
    kind = max(kinds, key=lambda c: (kinds[c], c == "difference"))
    rows = [r for r in claims if r.contrast == kind and plottable(r)]
    apart = sum(r.verdict == "disparity shown" for r in rows)
    what = {"difference": "differences", "ratio": "ratios", "none": "comparisons"}[kind]
    caption = f"{apart} of {len(rows)} {what} on this page show a disparity." if len(rows) > 1 else words.claim(rows[0])
    labels = [f"{words.heading(r.metric)}: {r.group} against {r.reference}" for r in rows]
    return forest("page-one", rows, caption=caption, margin=audit.protocol.equivalence.difference, labels=labels)


def plottable(row: Estimate) -> bool:
    """Whether a claim has an axis: a rate's difference in points, or P(X>Y)."""
    return words.unit(row) != "" or (row.metric == "P(X>Y)" and row.contrast == "none")


def _readings(audit: Audit) -> list[str]:
    margins = audit.protocol.equivalence
    inside = (
        f"equivalence shown: the adjusted test of practical equality rejects, whether or not equality is "
        f"rejected too (margin: {margins.words}; the p beside it is of that test)"
        if margins
        else "equivalence was not asked for (no margin was declared)"
    )
    return [
        f"Disparity shown: the adjusted test rejects equality; {inside}; inconclusive: the data settle neither.",
        "A disparity in the data is not by itself discrimination; that none is shown is not evidence of equality.",
    ]


def _without_audit(bundle: Bundle) -> dict[str, Any]:
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
    held = sum(r[-1] == "holds" for r in rows)
    compared = [other.finding() for other in bundle.others if isinstance(other, Comparison)]
    said = [*compared, *(clustered(made) for made in bundle.partitions)]
    checked = f"{held} of {len(rows)} guarantees hold as numbers." if rows else "The results follow."
    sentence = " ".join([*_broken(bundle), *(said or [checked])])
    return {
        "sentence": sentence,
        "cover": [("Date", bundle.created[:10]), ("Auditor", bundle.auditor or "not named"), ("Report id", bundle.id)],
        "claims": table("Guarantees, checked on the data of the fit", headings, rows) if rows else None,
        "figure": _clusters(bundle),
        "readings": [],
    }


def _clusters(bundle: Bundle) -> Drawing | None:
    """The figure of the first clustering that has groups."""
    table = next((found for made in bundle.partitions for found in made.compositions), None)
    return None if table is None else clusters("page-one", table, caption=caption_of(table))
