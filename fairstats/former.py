"""Names that there were before version 0.3, or that other libraries have, for the error that says today's."""

from __future__ import annotations

from collections.abc import Iterable

from fairstats.errors import nearest

FUNCTIONS = {
    "change": "compare_audits",
    "Change": "AuditComparison",
    "subgroups": "subgroup_scan",
    "Subgroups": "SubgroupScan",
    "price": "price_of_fairness",
    "stability": "bootstrap_loadings",
    "group_losses": "reconstruction_error_by_group",
    "choose_k": "select_k",
    "ChoiceOfK": "ComponentSelection",
    "reduction": "fairlearn_reduction",
    "HeldOut": "OutOfFoldScores",
    "GroupMap": "GroupAdjustment",
    "verify": "verify_report",
    "neighbor_graph": "kneighbors_graph",
    "spectral": "spectral_clustering",
    "fair_spectral": "fair_spectral_clustering",
}
STATISTICS = {
    "adjust": "p_adjust",
    "against_best": "ratio_to_best",
    "brier": "brier_score",
    "joint_level": "simultaneous_level",
    "log_ratio": "katz",
    "rate_range": "max_difference",
    "spiegelhalter": "spiegelhalter_z",
    "stratified_rates_of_people": "stratified_rates_from_data",
    "superiority": "probability_of_superiority",
    "superiority_by_design": "probability_of_superiority_survey",
    "unconditional_test": "barnard_test",
    "upper_tail": "quadratic_form_sf",
    "weighted_rate": "survey_rate",
}
COMMANDS = {"change": "compare-audits", "subgroups": "subgroup-scan"}

# What other libraries have, and what does it here.
ELSEWHERE = {
    "MetricFrame": "stats.by_group",
    "CorrelationRemover": "comparators.residualize",
    "ExponentiatedGradient": "fairlearn_reduction",
    "GridSearch": "fairlearn_reduction",
    **dict.fromkeys(("BinaryLabelDataset", "StandardDataset", "Group", "Bias", "Fairness"), "audit"),
    **dict.fromkeys(("BinaryLabelDatasetMetric", "ClassificationMetric"), "audit"),
    **dict.fromkeys(("generalized_entropy_index", "theil_index"), "stats.generalized_entropy"),
    **dict.fromkeys(("fairness_check", "compute_fairness", "plot_model_comparison"), "audit"),
    "make_derived_metric": "stats.by_group",
    **dict.fromkeys(("read_csv", "read_excel", "read_parquet"), "read_table"),
    **dict.fromkeys(("svymean", "svyby", "svyglm"), "audit"),
    "statistical_parity": "audit",
    **dict.fromkeys(("four_fifths", "four_fifths_rule"), "audit(..., law='employment')"),
}
# Verbs of R whose method has another name.
R_VERBS = {"predict": "transform", "figure": "plot", "autoplot": "plot"}
# What the command line alone has.
COMMANDS_ALONE = {"describe": "fairstats describe FILE"}
# Methods of other libraries that have no counterpart here; what they make can be audited.
NOT_HERE = (
    *("ThresholdOptimizer", "Reweighing", "DisparateImpactRemover", "AdversarialDebiasing", "PrejudiceRemover"),
    *("AdversarialFairnessClassifier", "AdversarialFairnessRegressor", "CalibratedEqOddsPostprocessing"),
    *("EqOddsPostprocessing", "RejectOptionClassification", "LFR", "OptimPreproc", "MetaFairClassifier"),
)
# What the results of other libraries have, and what an audit has in its place.
OF_RESULTS = {
    **dict.fromkeys(("difference", "disparity", "disparities"), 'result.tidy(contrast="difference")'),
    "ratio": 'result.tidy(contrast="ratio")',
    "rates": "result.by_group()",
    "mean_difference": 'result.tidy(metric="statistical_parity_difference")',
    "group_min": "result.by_group().min()",
    "group_max": "result.by_group().max()",
    **dict.fromkeys(("metrics", "results", "df", "to_table", "get_crosstabs", "get_disparity"), "result.tidy()"),
    **dict.fromkeys(("fairness", "fairness_check", "is_fair", "get_group_value_fairness"), "result.passes()"),
}


def missing(module: str, name: str, former: dict[str, str], present: Iterable[str] = ()) -> AttributeError:
    """Return the error of a name that a module, with the names present, does not have."""
    elsewhere = f"; fairstats.{ELSEWHERE[name]} does that here" if name in ELSEWHERE else nearest(name, present)
    called = f"; it is called {former[name]} now" if name in former else elsewhere
    return AttributeError(f"module {module!r} has no attribute {name!r}{called}")
