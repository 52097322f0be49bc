"""The table of figures: a new one is a row here, and its name in `results.Figure`."""

from __future__ import annotations

from typing import Any

from fairstats.auditing.change import Change
from fairstats.auditing.result import Audit
from fairstats.auditing.subgroups_result import Subgroups
from fairstats.cluster.partition import Partition
from fairstats.comparing.result import Comparison
from fairstats.estimates import Estimates
from fairstats.inference.representations.choice_of_k import ChoiceOfK
from fairstats.inference.representations.extra_error_result import ExtraError
from fairstats.inference.representations.fit_study import FitStudy
from fairstats.inference.representations.leakage_result import Leakage
from fairstats.methods.results.component_fit import ComponentFit
from fairstats.methods.results.feature_map import FeatureMap
from fairstats.methods.results.heldout import HeldOut
from fairstats.presets.local_law_144_tables import ImpactTable
from fairstats.reporting.drawings import of_audits, of_comparisons, of_fits, of_rows, of_subgroups
from fairstats.reporting.drawings.kind import Kind, Subject
from fairstats.studies.curve import BY_SCORE, HISTOGRAM, VALUES


def _rows_of(cls: type) -> tuple[Kind, ...]:
    """The figures of any table of rates by group."""
    difference, ratio = of_rows.contrasted("difference"), of_rows.contrasted("ratio")
    return (
        Kind("rates", cls, of_rows.choices(of_rows.rated), of_rows.rates),
        Kind("differences", cls, of_rows.choices(difference), of_rows.contrasts("difference")),
        Kind("ratios", cls, of_rows.choices(ratio), of_rows.contrasts("ratio")),
    )


# What a class has first is what `plot()` draws where nothing is asked.
KINDS: tuple[Kind, ...] = (
    *_rows_of(Audit),
    *_rows_of(Estimates),
    *_rows_of(ImpactTable),
    Kind("forest", Audit, of_audits.forest_choices, of_audits.forest),
    Kind("claims", Audit, of_audits.claims_choices, of_audits.claims),
    Kind("hundred", Audit, of_rows.choices(of_rows.rated), of_audits.hundred),
    Kind("flow", Audit, of_audits.flow_choices, of_audits.flow),
    Kind("funnel", Audit, of_audits.funnel_choices, of_audits.funnel),
    Kind("matrix", Audit, of_audits.matrix_choices, of_audits.matrix),
    Kind("crude_adjusted", Audit, of_audits.strata_choices, of_audits.strata),
    Kind("errors", Audit, of_audits.errors_choices, of_audits.error_rates),
    Kind("ecdf", Audit, of_audits.curve_choices("ecdf"), of_audits.curve("ecdf")),
    Kind("roc", Audit, of_audits.curve_choices("roc"), of_audits.curve("roc")),
    Kind("calibration", Audit, of_audits.curve_choices("calibration"), of_audits.curve("calibration")),
    Kind("outcome_by_score", Audit, of_audits.curve_choices(BY_SCORE), of_audits.outcome_by_score),
    Kind("score_distribution", Audit, of_audits.curve_choices(VALUES, HISTOGRAM), of_audits.score_distribution),
    Kind("thresholds", Audit, of_audits.threshold_choices, of_audits.thresholds),
    Kind("differences", Subgroups, of_subgroups.choices, of_subgroups.differences),
    Kind("differences", Comparison, of_comparisons.gap_choices, of_comparisons.gaps),
    Kind("changes", Comparison, of_comparisons.change_choices, of_comparisons.changes),
    Kind("rates", Comparison, of_comparisons.rate_choices, of_comparisons.rates),
    Kind("price_gap", Comparison, of_comparisons.price_choices, of_comparisons.price),
    Kind("ecdf", Comparison, of_comparisons.score_choices, of_comparisons.scores),
    Kind("scree", ComponentFit, of_fits.once, of_fits.scree),
    Kind("group_loss", ComponentFit, of_fits.loss_choices, of_fits.losses),
    Kind("explained", ComponentFit, of_rows.explained_choices, of_rows.explained),
    Kind("explained", FeatureMap, of_rows.explained_choices, of_rows.explained),
    Kind("explained", ExtraError, of_rows.explained_choices, of_rows.explained),
    Kind("clusters", Partition, of_fits.composition_choices, of_fits.clusters),
    Kind("ecdf", HeldOut, of_fits.held_choices, of_fits.held_scores),
    Kind("changes", Change, of_fits.change_choices, of_fits.changes),
    Kind("study", FitStudy, of_fits.study_choices, of_fits.study),
    Kind("choice", ChoiceOfK, of_fits.once, of_fits.choice),
    Kind("probes", Leakage, of_fits.probe_choices, of_fits.probes),
)


def offered(result: Any) -> dict[Kind, list[Subject]]:
    """The kinds of figures that a result has, each with what can be chosen; none where its class has no row."""
    found = {kind: list(kind.choices(result)) for kind in KINDS if isinstance(result, kind.of)}
    return {kind: choices for kind, choices in found.items() if choices}
