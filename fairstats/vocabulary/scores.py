"""Scores and representations: order, distributions, calibration, what components keep, one row each."""

from __future__ import annotations

from fairstats.vocabulary.metric import INFINITY, PLAIN, SCORE, Metric

# fmt: off
SCORES = (
    Metric(
        "AUC", "AUC", "chance that a person with the positive outcome scores higher than one without",
        needs=("outcome", "score"), scale=SCORE, better="higher", claim=9,
        question="Does {score} order people with and without {outcome} equally well in the groups of {by}?",
        matters="Matters for ranking.",
        misleads="It says nothing of any one threshold and is blind to a shift of all scores.",
        sentence="The AUC of {score} is {size} {side} in {group} than in {reference} ({attribute}): difference "
        "{estimate} ({interval}).",
        function="fairstats.inference.scores.delong:auc", aliases={"yardstick": "roc_auc"},
        shown=("scores", "levels", "gaps", "by group", "overall", "costs"),
    ),
    Metric(
        "P(X>Y)", "P(X>Y)",
        "chance that a random member of the group scores higher than one of the reference, ties half",
        needs=("score",), scale=SCORE, null=0.5, claim=8,
        question="Who has the higher {score}, a random member of a group of {by} or one of the reference?",
        matters="Matters when scores are compared across groups.",
        misleads="0.5 does not mean equal distributions.",
        sentence="With probability {estimate} ({interval}) a person of {group} scores higher ({score}) than one of "
        "{reference} ({attribute}), ties counted half.",
        function="fairstats.inference.scores.brunner_munzel:relative_effect", shown=("scores", "gaps", "between"),
    ),
    Metric(
        "score shift", "Shift",
        "median of all differences of two scores, one from the group and one from the reference",
        needs=("score",), scale=PLAIN, range=(-INFINITY, INFINITY),
        matters="In the unit of the score.",
        misleads="It is one number only if the shapes agree; with a coarse score many differences are tied.",
        function="fairstats.inference.scores.hodges_lehmann:hodges_lehmann", shown=("scores",),
    ),
    Metric(
        "P(X>Y) within strata", "P(X>Y) within strata",
        "chance that a random member of the group scores higher than one of the reference of the same stratum, ties "
        "half", needs=("score",), scale=SCORE, null=0.5,
        question="Who has the higher {score} among people of {by} who are alike in the declared factors?",
        matters="Matters when the declared factors justify a difference.",
        misleads="It is as good as the choice of the factors: what is itself unequal explains inequality away.",
        reference="Kawaguchi, A., Koch, G. G. and Wang, X. (2011). Stratified multivariate Mann-Whitney estimators for "
        "the comparison of two treatments with randomization based covariance adjustment. Statistics in "
        "Biopharmaceutical Research 3, 217-231.",
        function="fairstats.inference.scores.stratified_effects:stratified_effect",
    ),
    Metric(
        "score shift within strata", "Shift within strata",
        "median of all differences of two scores of one stratum, one from the group and one from the reference, each "
        "stratum weighted as in van Elteren's test", needs=("score",), scale=PLAIN, range=(-INFINITY, INFINITY),
        matters="In the unit of the score, the declared factors held fixed.",
        misleads="It is one number only if the shapes agree and the shift is the same in all strata.",
        reference="Lehmann, E. L. (1975). Nonparametrics: statistical methods based on ranks. Holden-Day.",
        function="fairstats.inference.scores.stratified_shift:stratified_shift",
    ),
    Metric(
        "score distribution within strata", "Score distribution within strata",
        "test that groups have one distribution of scores in every stratum", needs=("score",), scale=PLAIN,
        range=(-INFINITY, INFINITY),
        misleads="It rejects for a difference of shape too, where neither group tends to score higher.",
        reference="van Elteren, P. H. (1960). On the combination of independent two sample tests of Wilcoxon. Bulletin "
        "of the International Statistical Institute 37, 351-361.",
        function="fairstats.inference.scores.stratified_shift:van_elteren",
    ),
    Metric(
        "Cliff's delta", "Cliff's delta", "P(X>Y) less P(X<Y) of a group and the reference", needs=("score",),
        scale=SCORE, range=(-1.0, 1.0), matters="P(X>Y) on another scale.",
        reference="Cliff, N. (1993). Dominance statistics. Psychological Bulletin 114, 494-509.",
        function="fairstats.inference.scores.superiority:cliffs_delta",
    ),
    Metric(
        "Kolmogorov-Smirnov distance", "Kolmogorov-Smirnov distance",
        "largest vertical distance of two distribution functions of scores", needs=("score",), scale=SCORE,
        better="lower", matters="Sees any difference of two distributions.",
        misleads="It does not say in which direction they differ.",
        function="fairstats.inference.scores.kolmogorov_smirnov:kolmogorov_smirnov",
    ),
    Metric(
        "score distribution", "Score distribution", "test that groups have one distribution of scores",
        needs=("score",), scale=PLAIN, range=(0.0, INFINITY),
        misleads="It rejects for any difference of shape, also where neither group tends to score higher.",
        reference="Kruskal, W. H. and Wallis, W. A. (1952). Use of ranks in one-criterion variance analysis. JASA 47.",
        function="fairstats.inference.scores.kruskal_wallis:kruskal_wallis",
    ),
    Metric(
        "mean score", "Mean score", "mean of the scores", needs=("score",), scale=PLAIN,
        range=(-INFINITY, INFINITY), short="mean", aliases={"fairlearn": "mean_prediction"},
        shown=("levels", "gaps", "by group", "between", "costs"),
    ),
    Metric(
        "Brier score", "Brier score", "mean squared distance of score and outcome; smaller is better",
        needs=("outcome", "score"), scale=SCORE, better="lower",
        misleads="Mixes calibration and spread; compare it only among groups with similar base rates.",
        function="fairstats.inference.scores.calibration:calibration_estimates", aliases={"yardstick": "brier_class"},
        shown=("scores",),
    ),
    Metric(
        "calibration intercept", "Calibration intercept", "0 when the scores are right on average",
        needs=("outcome", "score"), scale=SCORE, range=(-INFINITY, INFINITY), shown=("scores",),
    ),
    Metric(
        "calibration slope", "Calibration slope", "1 when a higher score means as much more risk as it says",
        needs=("outcome", "score"), scale=SCORE, range=(-INFINITY, INFINITY), shown=("scores",),
    ),
    Metric(
        "Spiegelhalter's z", "Spiegelhalter's z", "0 on average when the scores are right; a test by the Brier score",
        needs=("outcome", "score"), scale=PLAIN, range=(-INFINITY, INFINITY),
        misleads="With many people it rejects for errors of no consequence.",
        reference="Spiegelhalter, D. J. (1986). Probabilistic prediction in patient management and clinical trials. "
        "Statistics in Medicine 5, 421-433.",
        function="fairstats.inference.scores.calibration_error:spiegelhalter",
    ),
    Metric(
        "calibration error", "Calibration error",
        "mean distance of observed rates from mean scores of their bins, debiased for the number of people",
        needs=("outcome", "score"), scale=SCORE, better="lower",
        misleads="It depends on the bins, and what noise adds is taken out in part only.",
        reference="Kumar, A., Liang, P. and Ma, T. (2019). Verified uncertainty calibration. NeurIPS 32.",
        function="fairstats.inference.scores.calibration_error:calibration_error",
    ),
    Metric(
        "ABROCA", "ABROCA", "area between the ROC curves of a group and the reference",
        needs=("outcome", "score"), scale=SCORE, better="lower",
        matters="Sees curves that cross, which have one AUC.", misleads="It is positive by chance.",
        reference="Gardner, J., Brooks, C. and Baker, R. (2019). Evaluating the fairness of predictive student models "
        "through slicing analysis. LAK 9, 225-234.",
        function="fairstats.inference.scores.abroca:abroca",
    ),
    Metric(
        "R2", "R\N{SUPERSCRIPT TWO}", "share of a component's variation that the groups explain", scale=SCORE,
        better="lower", matters="Says what a component tells of the groups.",
        misleads="Linear association in the sample of the fit; a non-linear trace of the group may remain.",
    ),
    Metric(
        "extra error", "Extra error", "variation that the method leaves out, beyond what it must", scale=PLAIN,
        range=(0.0, INFINITY), better="lower",
    ),
    Metric(
        "explained variance", "Explained variance", "share of the variation that the components keep", scale=SCORE,
        better="higher", shown=("representation",),
    ),
    Metric(
        "MMD²", "MMD²", "squared distance of two groups' scores in a kernel space; 0 where they are alike",
        scale=PLAIN, range=(0.0, INFINITY), better="lower", shown=("representation",),
    ),
    Metric(
        "fit seconds", "Fit seconds", "time of fitting the method and transforming the rows", scale=PLAIN,
        range=(0.0, INFINITY), better="lower", shown=("representation",),
    ),
)
# fmt: on
