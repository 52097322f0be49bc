"""The statistics themselves: functions of counts, scores and samples that return numbers, arrays or tidy rows.

>>> from fairstats import stats
>>> [round(float(v), 3) for v in stats.wilson(8, 10)]
[0.49, 0.943]
"""

from __future__ import annotations

from typing import Any

import numpy as np  # noqa: F401  the examples of the functions use it

from fairstats.former import STATISTICS as _FORMER
from fairstats.former import missing as _missing
from fairstats.inference.amounts.two_samples import (
    geometric_mean_ratio,
    mean_difference,
    mean_gap,
    quantile_difference,
    quantile_gap,
    quarter_shares,
)
from fairstats.inference.disparity_indices import (
    average_odds_difference,
    conditional_demographic_disparity,
    generalized_entropy,
)
from fairstats.inference.fairness_metrics import (
    abroca,
    balance_for_the_negative_class,
    balance_for_the_positive_class,
    brier_parity,
    by_group,
    conditional_use_accuracy_equality,
    demographic_parity_difference,
    demographic_parity_ratio,
    equal_opportunity_difference,
    equal_opportunity_ratio,
    equalized_odds_difference,
    equalized_odds_ratio,
    predictive_parity_difference,
    predictive_parity_ratio,
    treatment_equality,
)
from fairstats.inference.multiplicity import adjusted_levels, holm_levels, max_t, p_adjust
from fairstats.inference.rates.adverse_impact import adverse_impact, impact_ratio, shortfall
from fairstats.inference.rates.equivalence import minimal_detectable_difference, power, tost, tost_rates, tost_ratio
from fairstats.inference.rates.exact import (
    barnard_test,
    equivalence_of_range,
    equivalence_of_rates,
    equivalence_of_ratio,
)
from fairstats.inference.rates.many_rates import (
    chi_square,
    max_difference,
    permutation_test,
    ratio_to_best,
    simultaneous_level,
    worst_ratio,
)
from fairstats.inference.rates.one_rate import clopper_pearson, effective_size, jeffreys, wilson
from fairstats.inference.rates.rate_tests import fisher_exact, mid_p, z_test
from fairstats.inference.rates.sensitivity import e_value, e_value_of_interval, rosenbaum_bound, rosenbaum_p
from fairstats.inference.rates.strata import (
    breslow_day,
    cmh_test,
    common_odds_ratio,
    conditional_odds_ratio,
    homogeneity_test,
    stratified_mid_p,
    stratified_rates,
)
from fairstats.inference.rates.strata_rows import pooled_shortfall, stratified_rates_from_data
from fairstats.inference.rates.survey import rao_scott, survey_rate
from fairstats.inference.rates.two_rates import katz, koopman, miettinen_nurminen, newcombe
from fairstats.inference.regression import average_marginal_effect, logistic
from fairstats.inference.representations.probes import distance_correlation, mmd
from fairstats.inference.representations.quadratic_forms import quadratic_form_sf
from fairstats.inference.scores.brunner_munzel import relative_effect
from fairstats.inference.scores.calibration import (
    brier_score,
    calibration_curve,
    calibration_error,
    recalibration,
    spiegelhalter_z,
)
from fairstats.inference.scores.hodges_lehmann import hodges_lehmann
from fairstats.inference.scores.merged import mann_whitney
from fairstats.inference.scores.rank_tests import (
    cliffs_delta,
    dunn,
    kolmogorov_smirnov,
    kruskal_wallis,
    newcombe_auc,
    probability_of_superiority,
)
from fairstats.inference.scores.roc import (
    auc,
    auc_difference,
    auc_difference_paired,
    auc_interval,
    ecdf,
    roc_band,
    roc_curve,
    stratified_auc,
)
from fairstats.inference.scores.survey import probability_of_superiority_survey
from fairstats.inference.validation import validated as _validated
from fairstats.metrics import FAMILIAR as _FAMILIAR

__all__ = [
    "abroca",
    "adjusted_levels",
    "adverse_impact",
    "auc",
    "auc_difference",
    "auc_difference_paired",
    "auc_interval",
    "average_marginal_effect",
    "average_odds_difference",
    "balance_for_the_negative_class",
    "balance_for_the_positive_class",
    "barnard_test",
    "breslow_day",
    "brier_parity",
    "brier_score",
    "by_group",
    "calibration_curve",
    "calibration_error",
    "chi_square",
    "cliffs_delta",
    "clopper_pearson",
    "cmh_test",
    "common_odds_ratio",
    "conditional_demographic_disparity",
    "conditional_odds_ratio",
    "conditional_use_accuracy_equality",
    "demographic_parity_difference",
    "demographic_parity_ratio",
    "distance_correlation",
    "dunn",
    "e_value",
    "e_value_of_interval",
    "ecdf",
    "effective_size",
    "equal_opportunity_difference",
    "equal_opportunity_ratio",
    "equalized_odds_difference",
    "equalized_odds_ratio",
    "equivalence_of_range",
    "equivalence_of_rates",
    "equivalence_of_ratio",
    "fisher_exact",
    "generalized_entropy",
    "geometric_mean_ratio",
    "hodges_lehmann",
    "holm_levels",
    "homogeneity_test",
    "impact_ratio",
    "jeffreys",
    "katz",
    "kolmogorov_smirnov",
    "koopman",
    "kruskal_wallis",
    "logistic",
    "mann_whitney",
    "max_difference",
    "max_t",
    "mean_difference",
    "mean_gap",
    "mid_p",
    "miettinen_nurminen",
    "minimal_detectable_difference",
    "mmd",
    "newcombe",
    "newcombe_auc",
    "p_adjust",
    "permutation_test",
    "pooled_shortfall",
    "power",
    "predictive_parity_difference",
    "predictive_parity_ratio",
    "probability_of_superiority",
    "probability_of_superiority_survey",
    "quadratic_form_sf",
    "quantile_difference",
    "quantile_gap",
    "quarter_shares",
    "rao_scott",
    "ratio_to_best",
    "recalibration",
    "relative_effect",
    "roc_band",
    "roc_curve",
    "rosenbaum_bound",
    "rosenbaum_p",
    "shortfall",
    "simultaneous_level",
    "spiegelhalter_z",
    "stratified_auc",
    "stratified_mid_p",
    "stratified_rates",
    "stratified_rates_from_data",
    "survey_rate",
    "tost",
    "tost_rates",
    "tost_ratio",
    "treatment_equality",
    "wilson",
    "worst_ratio",
    "z_test",
]

for _name in __all__:
    globals()[_name] = _validated(globals()[_name])
    globals()[_name].__module__ = __name__  # where pickle finds it


def __getattr__(name: str) -> Any:
    meant = _FAMILIAR.get(name) if name not in _FORMER else None
    if meant is not None and meant.metrics:
        raise AttributeError(
            f"module {__name__!r} has no attribute {name!r}; it is a metric of audits: "
            f"fairstats.audit(...).tidy(metric={name!r})"
        )
    raise _missing(__name__, name, _FORMER, __all__)


def __dir__() -> list[str]:
    return sorted(__all__)
