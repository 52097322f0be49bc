"""Which sentences and tables a notebook shows of each class of results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fairstats import metrics
from fairstats.auditing.result import Audit
from fairstats.auditing.tally import Tally
from fairstats.auditing.tally_shown import NEXT, contents, title
from fairstats.auditing.words.printed import size
from fairstats.cluster.partition import Partition
from fairstats.comparing.result import Comparison
from fairstats.estimates import Estimates
from fairstats.inference.representations.choice_of_k import ERROR, NUMBER, ChoiceOfK
from fairstats.inference.representations.extra_error_result import ExtraError
from fairstats.inference.representations.fit_study import FitStudy
from fairstats.inference.representations.leakage_result import Leakage
from fairstats.labels import MISSING_LEVEL
from fairstats.methods.results.component_fit import ComponentFit
from fairstats.methods.results.feature_map import FeatureMap
from fairstats.methods.results.heldout import HeldOut
from fairstats.presets.local_law_144_tables import ImpactTable
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import name_of
from fairstats.reporting.columns import ADJUSTED, DIFFERENCE, RATE, groups_table
from fairstats.reporting.display import MOST_LINES, Shown, markup, rows_table
from fairstats.reporting.sections.clusters import finding
from fairstats.reporting.sections.local_law import table_of
from fairstats.reporting.sections.methods_compared import BETWEEN
from fairstats.reporting.sections.shared import attribute_name, by_size, sized
from fairstats.reporting.tables import Heading, Table, table, text

AFTER = "print(result): all of it as text; result.tidy(): every number; result.plots: the figures."


def html_of(result: Any) -> str:
    """Return the HTML of a result for a notebook.

    Examples
    --------
    >>> from fairstats.estimates import Estimate
    >>> rows = Estimates([Estimate("TPR", "sex", "<f>", estimate=0.5, conf_low=0.4, conf_high=0.6)])
    >>> "&lt;f&gt;" in html_of(rows), "<style" in html_of(rows)
    (True, False)
    """
    return markup(shown_of(result))


def shown_of(result: Any) -> Shown:
    """What a notebook shows of a result; a class without a row of its own shows its first rows."""
    for cls, show in _CLASSES.items():
        if isinstance(result, cls):
            return show(result)
    return _rows(result)


def _audit(audit: Audit) -> Shown:
    metric = "selection rate" if audit.estimates.only(metric="selection rate") else "base rate"
    plain = [a for a in audit.references if ":" not in a]
    tables = [made for a in plain for made in [_rates(audit, a, metric)] if made.rows]
    claims = audit.claims()
    if any(row.metric != metric or row.attribute not in plain for row in claims):  # else the tables of rates say it
        tables.insert(0, rows_table("Comparisons with the reference", claims, without=("setting",)))
    rows = size(audit) + (f" of {audit.data.name}" if audit.data.name else "")
    return Shown(f"Audit of {rows}", [audit.finding()], tables, AFTER)


def _rates(audit: Audit, attribute: str, metric: str) -> Table:
    order = by_size(audit, attribute)
    rates, differences = (
        sized(audit.estimates.only(attribute=attribute, metric=metric, contrast=c, role="main"), order)
        for c in ("none", "difference")
    )
    reference = audit.references[attribute]
    against = f"; difference from {reference}" if len(differences) else ""
    title = f"{words.heading(metric)} by {attribute_name(attribute)}{against}"
    blocks = [(rates, RATE), (differences, DIFFERENCE), (differences, ADJUSTED)]
    return groups_table(title, rates.column("group"), blocks, reference=reference)


def _components(fit: ComponentFit) -> Shown:
    shares, explained = fit.estimates.only(metric="variance share"), fit.estimates.only(metric="R2")
    known = {row.term: row for row in explained}
    headings = [
        text("component"),
        Heading("share of the total", "%"),
        Heading("explained by groups", "%"),
        Heading("p"),
    ]
    lines = [
        [
            row.term.removeprefix("component "),
            words.percent(row.estimate, 2),
            words.percent(known[row.term].estimate, 2) if row.term in known else words.DASH,
            words.p_value(known[row.term].p_value) if row.term in known else words.DASH,
        ]
        for row in shares
    ]
    sizes = f"{fit.scaling.n} rows, {len(fit.features)} features, {fit.k} components"
    price = f"Extra error over principal components: {_share(fit.extra_error, fit.total)}." if fit.total else ""
    tables = [table("Components", headings, lines, most=MOST_LINES), _guarantees(fit)]
    return Shown(f"{fit.title}: {sizes}", [price] if price else [], [t for t in tables if t.rows], AFTER)


def _share(part: float, total: float) -> str:
    return f"{words.percent(part / total, 2)} % of the total"


def _guarantees(fit: ComponentFit | FeatureMap) -> Table:
    headings = [text("guarantee"), Heading("value"), Heading("at most"), text("checked")]
    rows = [
        (g.statement, words.tiny(g.value), words.tiny(g.tolerance, 0), "holds" if g.holds else "does not hold")
        for g in fit.guarantees
    ]
    return table("Guarantees, checked as numbers on the data of the fit", headings, rows, most=MOST_LINES)


def _features(fit: FeatureMap) -> Shown:
    rows = [row for row in fit.estimates if row.role == "component"]
    lines = [(row.term, words.percent(row.estimate, 2)) for row in sorted(rows, key=lambda r: -r.estimate)]
    headings = [text("taken out"), Heading("explained by groups before", "%")]
    moved = (
        f"The data moved by {words.percent(fit.error / fit.total, 2)} % of their sum of squares." if fit.total else ""
    )
    tables = [table("What the groups explained", headings, lines, most=MOST_LINES), _guarantees(fit)]
    about = f"{fit.title}: {fit.scaling.n} rows, {len(fit.features)} features"
    return Shown(about, [moved] if moved else [], [t for t in tables if t.rows], AFTER)


def _comparison(result: Comparison) -> Shown:
    rows = [r for r in result.estimates.only(attribute="", contrast="none") if not r.group]
    known = {r.metric for r in rows}
    chosen = [m for m in metrics.shown("overall") if m in known]
    cell = {(result.label(r), r.metric): r for r in rows}
    headings = [text("method and model"), *(Heading(words.heading(m), words.unit_of(m)) for m in chosen)]
    lines = [[term.name, *(_number(cell.get((term.name, m))) for m in chosen)] for term in result.terms]
    between = {name: place for place, name in enumerate(BETWEEN)}
    gaps = [r for r in result.estimates.only(role="main") if r.reference and not r.versus and r.metric in between]
    gaps.sort(key=lambda row: between[row.metric])
    tables = [
        table("Everybody, means over the splits", headings, lines, most=MOST_LINES),
        rows_table("Differences between groups", gaps),
    ]
    asked = result.protocol
    people = f"{asked.n_train} people trained on, {asked.n_test} held out, {asked.repeats} splits"
    return Shown(f"Comparison of {len(result.terms)} methods and models: {people}", [result.finding()], tables, AFTER)


def _number(row: Any) -> str:
    return words.scale(row)(row.estimate) if row is not None and words.shown(row) else words.DASH


def _partition(made: Partition) -> Shown:
    tables = []
    for composition in made.compositions:
        headings = [text("cluster"), Heading("n"), Heading("balance"), *map(Heading, composition.levels[:8])]
        lines = [
            [
                str(c + 1),
                words.count(made.cuts.sizes[c]),
                words.number(float(composition.balance[c]), 3),
                *(words.count(v) for v in composition.counts[c, :8]),
            ]
            for c in range(made.k)
        ]
        tables.append(table(f"Clusters by {composition.attribute}, counts", headings, lines, most=MOST_LINES))
    return Shown(made.title, [finding(made)], tables, AFTER)


def _leakage(made: Leakage) -> Shown:
    about = f"Leakage of held-out scores: {made.method}, {made.n} rows, k = {made.k}, {made.folds} folds"
    return Shown(about, made.statements, [rows_table("Probes and dependence", made.estimates)], AFTER)


def _extra(made: ExtraError) -> Shown:
    rows = [row for row in made.estimates if row.metric == "R2"]
    others = [row for row in made.estimates if row.metric != "R2"]
    tables = [rows_table("Share of each component that the groups explain", rows), rows_table("In total", others)]
    return Shown(f"Extra error of {made.method}, {made.n} rows", [made.tested] if made.tested else [], tables, AFTER)


def _choice(made: ChoiceOfK) -> Shown:
    chosen = rows_table("Number of components", made.estimates.only(metric=NUMBER))
    errors = rows_table("Cross-validated error", made.estimates.only(metric=ERROR))
    about = f"Number of components of {made.method}, 1 to {made.most} tried on {made.n} rows"
    return Shown(about, [f"k = {made.k} has the least cross-validated error."], [chosen, errors], AFTER)


def _study(made: FitStudy) -> Shown:
    return Shown(f"{made.heading}, {made.n} rows", made.statements, [rows_table("Estimates", made.estimates)], AFTER)


def _impact(made: ImpactTable) -> Shown:
    about = f"Impact ratios of the {made.measure} by {attribute_name(made.attribute)}"
    unknown = f"{words.count(made.unknown)} people of unknown category are in no rate."
    return Shown(about, [unknown], [table_of(made)], AFTER)


def _held(made: HeldOut) -> Shown:
    return Shown(made.summary(), [], [rows_table("Mean score by group and fold", made.estimates)], AFTER)


def _estimates(rows: Estimates) -> Shown:
    made = rows_table("Estimates", rows)
    return Shown(f"{len(rows)} estimates", [], [made] if made.rows else [], "result.tidy(): all columns of every row.")


def _tally(made: Tally) -> Shown:
    known = contents(made)
    columns = table("What was counted", [text("column"), text("labels or numbers, with how many rows")], known)
    frame = made.to_frame()
    largest = frame.sort_values(".rows", ascending=False, kind="stable").head(MOST_LINES)
    places = [name for name in frame.columns if not name.startswith(".") or name in (".rows", ".weight")]
    headings = [Heading(n.removeprefix(".")) if n in (".rows", ".weight") else text(n) for n in places]
    lines = [[_cell(value) for value in line] for line in largest[places].itertuples(index=False)]
    cells = replace(table("Cells, the largest first", headings, lines), total=len(frame))
    return Shown(title(made), [], [columns, cells], f"tally.to_frame(): every cell; {NEXT}")


def _cell(value: Any) -> str:
    missing = value is None or value != value
    return MISSING_LEVEL if missing else value if isinstance(value, str) else f"{value:.6g}"


def _rows(result: Any) -> Shown:
    return Shown(name_of(result), [], [rows_table("Estimates", result.estimates)], AFTER)


_CLASSES: dict[type, Callable[[Any], Shown]] = {
    Audit: _audit,
    Comparison: _comparison,
    ComponentFit: _components,
    FeatureMap: _features,
    Partition: _partition,
    Leakage: _leakage,
    ExtraError: _extra,
    ChoiceOfK: _choice,
    FitStudy: _study,
    ImpactTable: _impact,
    HeldOut: _held,
    Estimates: _estimates,
    Tally: _tally,
}
