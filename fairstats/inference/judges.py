"""What an argument of a statistic may be, by its name: one table."""

from __future__ import annotations

from fairstats.arguments import between, flag, number, one_of, whole
from fairstats.arrays import LARGEST, array, row_labels
from fairstats.inference import kinds
from fairstats.inference.multiplicity import ADJUSTMENTS
from fairstats.vocabulary.familiar import STATISTICS

TWO_SAMPLES = ("cliffs_delta", "kolmogorov_smirnov", "mann_whitney", "relative_effect", "superiority")
OF_GROUPS = ("against_best", "chi_square", "equivalence_of_range", "permutation_test")
PROBABILITIES = ("brier", "calibration_curve", "calibration_error", "recalibration", "spiegelhalter")
OF_STRATA = (
    *("breslow_day", "cmh_test", "common_odds_ratio", "conditional_odds_ratio", "homogeneity_test"),
    *("pooled_shortfall", "rosenbaum_bound", "rosenbaum_p", "stratified_mid_p", "stratified_rates"),
)
OF_FAMILIES = ("joint_level", "rate_range", "worst_ratio")
# What an argument is, by its name; "function.argument" where it is something else in one of them.
JUDGES: dict[str, kinds.Judge] = {
    **dict.fromkeys(
        ("events", "n", "e1", "n1", "e0", "n0", "selected", "ref_selected", "ref_n"),
        kinds.counting(0, 1, 2, missing=True),
    ),
    **dict.fromkeys(("metric", "attribute", "group", "name"), kinds.word),
    **dict.fromkeys(("x_weights", "y_weights"), kinds.optional(kinds.weights)),
    **dict.fromkeys(("x_clusters", "y_clusters", "clusters"), kinds.optional(row_labels)),
    **dict.fromkeys(("scores", "other", "reference_scores"), kinds.sample),
    **dict.fromkeys(("contrast", "covariance"), kinds.elsewhere),
    **dict.fromkeys(("method", "adjust_method"), lambda name, value: one_of(name, value, ADJUSTMENTS)),
    **dict.fromkeys(("tarone", "correct", "mid"), flag),
    **dict.fromkeys(("exact", "permute"), kinds.optional(flag)),
    **dict.fromkeys(("y", "reference_y", "in_group"), kinds.binary),
    **dict.fromkeys(("p", "p1", "p0", "rate"), kinds.shares),
    **dict.fromkeys(("replicates", "permutations", "draws"), kinds.repeats),
    "at": lambda name, value: array(name, value, low=0, high=1, dims=(0, 1)),
    "codes": kinds.codes,
    "coefs": lambda name, value: array(name, value, low=0, high=LARGEST, dims=(1,)),
    "column": lambda name, value: whole(name, value, 0),
    "conf_level": kinds.one_level,
    "df": kinds.degrees,
    "dummies": kinds.columns,
    **dict.fromkeys(("ratio", "low", "high"), kinds.not_negative),
    "edges": kinds.optional(kinds.probabilities),
    "estimate": kinds.numbers,
    "fit": kinds.regression,
    "folds": kinds.codes,
    "gamma": lambda name, value: between(name, value, 1, kinds.MOST_PEOPLE, ends="[]"),
    "groups": kinds.samples,
    "labels": kinds.names,
    "m": kinds.positive,
    "margin": kinds.not_negative,
    "noncentrality": lambda name, value: array(name, value, low=0, high=kinds.MOST_PEOPLE, dims=(0, 1)),
    "observed": kinds.list_of_shares,
    "reference": kinds.optional(kinds.word),
    "se": lambda name, value: float(array(name, value, low=0, missing=True, dims=(0,))),
    "seed": kinds.one_seed,
    "standard": kinds.standard,
    "std_error": kinds.errors,
    "strata": row_labels,
    "target": kinds.inside,
    # people as arrays are judged together, since their rows are paired by their names
    **dict.fromkeys(
        ("y_true", "y_pred", "y_score", "sensitive_features", "sample_weight", "weight_type", "agg"), kinds.elsewhere
    ),
    **{f"{name}.{which}": kinds.elsewhere for name in STATISTICS for which in ("groups", "method")},
    **{f"by_group.{which}": kinds.elsewhere for which in ("metric", "groups", *"ydsw", "interval")},
    "theta": kinds.share,
    "weights": kinds.optional(kinds.weights),
    "x": kinds.sample,
    **{
        f"{name}.conf_level": kinds.levels
        for name in (
            *("wilson", "clopper_pearson", "jeffreys", "koopman", "miettinen_nurminen", "newcombe", "log_ratio"),
            "power",
        )
    },
    **{f"{name}.y": kinds.sample for name in TWO_SAMPLES},
    **{
        f"{name}.{which}": kinds.finite_sample for name in ("hodges_lehmann", "superiority_by_design") for which in "xy"
    },
    **{f"{name}.{which}": kinds.counting(1, 2) for name in OF_FAMILIES for which in ("events", "n")},
    **{
        f"{name}.{which}": kinds.counting(1)
        for name in ("adverse_impact", *OF_GROUPS)
        for which in ("events", "selected", "n")
    },
    **{f"{name}.{which}": kinds.by_stratum for name in OF_STRATA for which in ("e1", "n1", "e0", "n0")},
    **{f"{name}.p": kinds.list_of_shares for name in ("adjust", "adjusted_levels", "holm_levels")},
    **{f"{name}.scores": kinds.rows for name in ("distance_correlation", "mmd")},
    **{f"{name}.scores": kinds.probabilities for name in PROBABILITIES},
    **{f"minimal_detectable_difference.{which}": kinds.positive for which in ("n1", "n0")},
    **{f"{name}.n": kinds.positive for name in ("auc_interval", "newcombe_auc")},
    **dict.fromkeys(
        ("equivalence_of_range.margin", "equivalence_of_rates.margin", "equivalence_of_ratio.lower"), kinds.inside
    ),
    "tost_ratio.lower": kinds.inside,
    "equivalence_of_ratio.upper": kinds.optional(lambda name, value: between(name, value, 1, kinds.MOST_PEOPLE)),
    "average_marginal_effect.x": kinds.matrix,
    "average_marginal_effect.weights": kinds.weights,
    "distance_correlation.target": kinds.target,
    "effective_size.weights": kinds.weights,
    "weighted_rate.weights": kinds.weights,
    "rao_scott.weights": kinds.weights,
    "logistic.x": kinds.matrix,
    "max_t.observed": lambda name, value: array(name, value, missing=True, dims=(1,)),
    "max_t.replicates": lambda name, value: array(name, value, missing=True, dims=(2,)),
    "minimal_detectable_difference.p0": kinds.share,
    "minimal_detectable_difference.reference": kinds.word,
    "upper_tail.x": number,
    "upper_tail.df": kinds.positive,
}


def judge_of(function: str, argument: str) -> kinds.Judge:
    """Return what judges an argument of a statistic."""
    own = JUDGES.get(f"{function}.{argument}")
    return JUDGES[argument] if own is None else own
