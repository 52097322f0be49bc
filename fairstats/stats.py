"""The statistics themselves: functions of counts, scores and samples that return numbers, arrays or tidy rows.

>>> from fairstats import stats
>>> [round(float(v), 3) for v in stats.wilson(8, 10)]
[0.49, 0.943]
"""

from __future__ import annotations

import numpy as np  # noqa: F401  the examples of the functions use it

from fairstats.inference.door import judged as _judged
from fairstats.inference.multiplicity import adjust, adjusted_levels, holm_levels, max_t
from fairstats.inference.rates.adverse_impact import adverse_impact
from fairstats.inference.rates.all_rates_equal import chi_square, permutation_test
from fairstats.inference.rates.any_metric import by_group
from fairstats.inference.rates.equivalence import tost, tost_rates, tost_ratio
from fairstats.inference.rates.familiar import (
    demographic_parity_difference,
    demographic_parity_ratio,
    equal_opportunity_difference,
    equal_opportunity_ratio,
)
from fairstats.inference.rates.familiar_odds import equalized_odds_difference, equalized_odds_ratio
from fairstats.inference.rates.familiar_use import (
    conditional_use_accuracy_equality,
    predictive_parity_difference,
    predictive_parity_ratio,
)
from fairstats.inference.rates.four_fifths import impact_ratio, shortfall
from fairstats.inference.rates.homogeneity import homogeneity_test
from fairstats.inference.rates.largest_gap import against_best, rate_range, worst_ratio
from fairstats.inference.rates.logistic import logistic
from fairstats.inference.rates.mantel_haenszel import breslow_day, cmh_test, common_odds_ratio
from fairstats.inference.rates.marginal_effects import average_marginal_effect
from fairstats.inference.rates.noninferiority import equivalence_of_range, equivalence_of_rates, equivalence_of_ratio
from fairstats.inference.rates.one_rate import clopper_pearson, effective_size, jeffreys, wilson
from fairstats.inference.rates.pooled_shortfall import pooled_shortfall
from fairstats.inference.rates.power import minimal_detectable_difference, power
from fairstats.inference.rates.score_intervals import koopman, miettinen_nurminen
from fairstats.inference.rates.simultaneous_level import joint_level
from fairstats.inference.rates.stratified_exact import conditional_odds_ratio, stratified_mid_p
from fairstats.inference.rates.stratified_people import stratified_rates_of_people
from fairstats.inference.rates.stratified_rates import stratified_rates
from fairstats.inference.rates.survey_rates import rao_scott, weighted_rate
from fairstats.inference.rates.treatment_equality import treatment_equality
from fairstats.inference.rates.two_rate_tests import fisher_exact, mid_p, z_test
from fairstats.inference.rates.two_rates import log_ratio, newcombe
from fairstats.inference.rates.unconditional import unconditional_test
from fairstats.inference.rates.unmeasured_factors import e_value, e_value_of_interval, rosenbaum_bound, rosenbaum_p
from fairstats.inference.representations.dependence import distance_correlation, mmd
from fairstats.inference.representations.quadratic_forms import upper_tail
from fairstats.inference.scores.abroca import abroca
from fairstats.inference.scores.auc_difference import auc_difference, auc_difference_paired
from fairstats.inference.scores.brier_score import brier
from fairstats.inference.scores.brunner_munzel import relative_effect
from fairstats.inference.scores.calibration_curve import calibration_curve
from fairstats.inference.scores.calibration_error import calibration_error, spiegelhalter
from fairstats.inference.scores.curves import ecdf, roc_curve
from fairstats.inference.scores.delong import auc, auc_interval
from fairstats.inference.scores.familiar_scores import (
    balance_for_the_negative_class,
    balance_for_the_positive_class,
    brier_parity,
)
from fairstats.inference.scores.hodges_lehmann import hodges_lehmann
from fairstats.inference.scores.kolmogorov_smirnov import kolmogorov_smirnov
from fairstats.inference.scores.kruskal_wallis import dunn, kruskal_wallis
from fairstats.inference.scores.mann_whitney import mann_whitney
from fairstats.inference.scores.recalibration import recalibration
from fairstats.inference.scores.roc_differences import roc_band
from fairstats.inference.scores.stratified_auc import stratified_auc
from fairstats.inference.scores.superiority import cliffs_delta, newcombe_auc, superiority
from fairstats.inference.scores.survey_ranks import superiority_by_design

__all__ = [
    "abroca",
    "adjust",
    "adjusted_levels",
    "adverse_impact",
    "against_best",
    "auc",
    "auc_difference",
    "auc_difference_paired",
    "auc_interval",
    "average_marginal_effect",
    "balance_for_the_negative_class",
    "balance_for_the_positive_class",
    "breslow_day",
    "brier",
    "brier_parity",
    "by_group",
    "calibration_curve",
    "calibration_error",
    "chi_square",
    "cliffs_delta",
    "clopper_pearson",
    "cmh_test",
    "common_odds_ratio",
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
    "hodges_lehmann",
    "holm_levels",
    "homogeneity_test",
    "impact_ratio",
    "jeffreys",
    "joint_level",
    "kolmogorov_smirnov",
    "koopman",
    "kruskal_wallis",
    "log_ratio",
    "logistic",
    "mann_whitney",
    "max_t",
    "mid_p",
    "miettinen_nurminen",
    "minimal_detectable_difference",
    "mmd",
    "newcombe",
    "newcombe_auc",
    "permutation_test",
    "pooled_shortfall",
    "power",
    "predictive_parity_difference",
    "predictive_parity_ratio",
    "rao_scott",
    "rate_range",
    "recalibration",
    "relative_effect",
    "roc_band",
    "roc_curve",
    "rosenbaum_bound",
    "rosenbaum_p",
    "shortfall",
    "spiegelhalter",
    "stratified_auc",
    "stratified_mid_p",
    "stratified_rates",
    "stratified_rates_of_people",
    "superiority",
    "superiority_by_design",
    "tost",
    "tost_rates",
    "tost_ratio",
    "treatment_equality",
    "unconditional_test",
    "upper_tail",
    "weighted_rate",
    "wilson",
    "worst_ratio",
    "z_test",
]

for _name in __all__:
    globals()[_name] = _judged(globals()[_name])


def __dir__() -> list[str]:
    return sorted(__all__)
