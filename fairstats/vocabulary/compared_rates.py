"""Comparisons of rates: within strata, over the highest rate, over all groups, one row each."""

from __future__ import annotations

from fairstats.vocabulary.metric import INFINITY, PEOPLE, PLAIN, RATIO, Metric

# fmt: off
COMPARED_RATES = (
    Metric(
        "risk difference within strata", "Difference within strata",
        "mean over the strata of the differences from the reference (Mantel-Haenszel)", needs=("decision",),
        range=(-1.0, 1.0), claim=3,
        question="Do people of {by} who are alike in the declared factors receive the same decisions?",
        matters="Matters when the declared factors justify a difference.",
        misleads="It is as good as the choice of the factors: what is itself unequal explains inequality away.",
        sentence="Within strata of {given}, the difference of {group} from {reference} ({attribute}) is {gap}.",
        reference="Greenland, S. and Robins, J. M. (1985). Estimation of a common effect parameter from sparse "
        "follow-up data. Biometrics 41, 55-68.",
        function="fairstats.inference.rates.stratified_rates:stratified_rates",
    ),
    Metric(
        "risk ratio within strata", "Ratio within strata",
        "ratio of the rates as they would be if both groups were spread over the strata alike", needs=("decision",),
        scale=RATIO, range=(0.0, INFINITY), null=1.0,
        matters="Holds the declared factors fixed.",
        misleads="A ratio of small rates is large where a difference is not.",
        function="fairstats.inference.rates.stratified_rates:stratified_rates",
    ),
    Metric(
        "standardized difference", "Standardized difference",
        "mean over everybody of the differences from the reference within strata", needs=("decision",),
        range=(-1.0, 1.0),
        matters="Matters when what is asked is about all people of both groups, each stratum with its own.",
        misleads="Strata with few people of one group weigh as much as their size, and say little.",
        function="fairstats.inference.rates.stratified_rates:stratified_rates",
    ),
    Metric(
        "conditional odds ratio", "Conditional odds ratio",
        "odds ratio against the reference by conditional maximum likelihood", needs=("decision",),
        scale=RATIO, range=(0.0, INFINITY), null=1.0,
        matters="Holds the declared factors fixed, however many strata they make.",
        misleads="An odds ratio is not a ratio of rates; it assumes one in all strata.",
        reference="Breslow, N. E. and Day, N. E. (1980). Statistical methods in cancer research, volume 1. IARC.",
        function="fairstats.inference.rates.stratified_exact:conditional_odds_ratio",
    ),
    Metric(
        "shortfall in people", "Shortfall within strata",
        "people of the group fewer than equal rates within strata would give", needs=("decision",), scale=PEOPLE,
        range=(-INFINITY, INFINITY), better="lower",
        matters="Says the difference in people, and in standard deviations.",
        misleads="A large group has a large shortfall at a small difference.",
        reference="Gastwirth, J. L. and Greenhouse, S. W. (1995). Biostatistical concepts and methods in the legal "
        "setting. Statistics in Medicine 14, 1641-1653.",
        function="fairstats.inference.rates.pooled_shortfall:pooled_shortfall",
    ),
    Metric(
        "common strata", "Common strata",
        "share of the people, in the group or in the reference where it is smaller, who are in strata that hold both",
        needs=("decision",), range=(0.0, 1.0), better="higher",
        matters="Says how much of the question the strata leave: who is alone in a stratum is compared with nobody.",
        misleads="It says nothing of how alike the people of a stratum are.",
    ),
    Metric(
        "E-value", "E-value",
        "the least risk ratio, with the group and with the decision, that an unmeasured factor would need to explain "
        "the ratio within strata away", needs=("decision",), scale=RATIO, range=(1.0, INFINITY), null=1.0,
        matters="Says how much the declared factors would have to lack; of the limit, to end significance.",
        misleads="A large value does not say that there is no such factor; for rejections it is another than for "
        "selections.",
        reference="VanderWeele, T. J. and Ding, P. (2017). Sensitivity analysis in observational research: introducing "
        "the E-value. Annals of Internal Medicine 167, 268-274.",
        function="fairstats.inference.rates.unmeasured_factors:e_value",
    ),
    Metric(
        "Rosenbaum bound", "Rosenbaum bound",
        "the factor by which people of one stratum may differ in their odds of being in the group before the disparity "
        "is no longer significant", needs=("decision",), scale=RATIO, range=(1.0, INFINITY), null=1.0,
        matters="Says how much of an unmeasured difference within strata the test withstands.",
        misleads="It is of the worst factor: one that everybody with the decision has and nobody else.",
        reference="Rosenbaum, P. R. (2002). Observational studies, 2nd edition, section 4.2. Springer.",
        function="fairstats.inference.rates.unmeasured_factors:rosenbaum_bound",
    ),
    Metric(
        "common odds ratio", "Common odds ratio", "odds ratio against the reference within strata (Mantel-Haenszel)",
        needs=("decision",), scale=RATIO, range=(0.0, INFINITY), null=1.0,
        matters="Holds the declared factors fixed.", misleads="It assumes one odds ratio in all strata.",
        reference="Mantel, N. and Haenszel, W. (1959). JNCI 22, 719-748.",
        function="fairstats.inference.rates.stratified_odds:stratified",
    ),
    Metric(
        "homogeneity of odds ratios", "Homogeneity of odds ratios",
        "test that the odds ratio is the same in all strata",
        needs=("decision",), scale=PLAIN, range=(0.0, INFINITY),
        reference="Breslow, N. E. and Day, N. E. (1980). Statistical methods in cancer research, volume 1. IARC.",
        function="fairstats.inference.rates.stratified_odds:stratified",
    ),
    Metric(
        "impact ratio", "Impact ratio", "selection rate over the highest one", needs=("decision",), scale=RATIO,
        range=(0.0, INFINITY), null=1.0, better="higher",
        question="Is a group selected less than four fifths as often as the group selected most?",
        matters="Matters where the four-fifths rule of thumb is looked at.",
        misleads="It is a rule of thumb of enforcement, and no test.", reference="29 CFR 1607.4(D)",
        function="fairstats.inference.rates.four_fifths:impact_ratio",
        aliases={"fairlearn": "demographic_parity_ratio"}, shown=("impact",),
    ),
    Metric(
        "shortfall", "Shortfall", "people more who would have to be selected to reach the highest rate",
        needs=("decision",), scale=PEOPLE, range=(-INFINITY, INFINITY), better="lower",
        matters="Says the ratio in people.", misleads="A large group has a large shortfall at a small difference.",
        reference="Gastwirth, J. L. (1988). Statistical Reasoning in Law and Public Policy, volume 1.",
        function="fairstats.inference.rates.four_fifths:shortfall", shown=("impact",),
    ),
    Metric(
        "scoring impact ratio", "Impact ratio of scoring rates", "scoring rate over the highest one",
        needs=("score",), scale=RATIO, range=(0.0, INFINITY), null=1.0, better="higher",
        matters="Matters where a rule asks for it; nobody was selected by it.",
        misleads="It is a rule of thumb about selections, applied to scores.",
        reference="Rules of the City of New York, title 6, section 5-300",
        function="fairstats.inference.rates.four_fifths:impact_ratio", shown=("scoring impact",),
    ),
    Metric(
        "scoring shortfall", "Shortfall of scores above the median",
        "people more who would have to score above the median to reach the highest rate", needs=("score",),
        scale=PEOPLE, range=(-INFINITY, INFINITY), better="lower",
        function="fairstats.inference.rates.four_fifths:shortfall", shown=("scoring impact",),
    ),
    Metric(
        "demographic parity difference", "Demographic parity difference",
        "largest less smallest selection rate over the groups", needs=("decision",), better="lower",
        misleads="A maximum over noisy rates is biased upward: compare methods, not with 0.",
        aliases={"fairlearn": "demographic_parity_difference", "yardstick": "demographic_parity"}, shown=("parity",),
    ),
    Metric(
        "equalized odds difference", "Equalized odds difference", "larger of the gaps of true and false positive rates",
        needs=("outcome", "decision"), better="lower",
        matters="Matters when both kinds of error do.",
        misleads="The larger of two gaps: it says that some error differs, not which one hurts more.",
        reference="Hardt, M., Price, E. and Srebro, N. (2016). Equality of opportunity in supervised learning. NIPS.",
        function="fairstats.inference.rates.largest_gap:rate_range",
        aliases={"fairlearn": "equalized_odds_difference", "yardstick": "equalized_odds"},
        shown=("at once", "parity"),
    ),
)
# fmt: on
