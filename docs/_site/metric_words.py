"""What a metric's page says beside its row: interval and why, formulas of what is no share, questions and warnings.

A metric without an entry has the page of its kind: a share of the count table is a rate, everything else has none.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Interval:
    """How the uncertainty of a metric is told, why so, and which tables of ``docs/verdicts.md`` measure it."""

    method: str
    why: str
    tables: tuple[str, ...] = ()
    unmeasured: str = "Not measured: there is no interval and no verdict. What is printed is a number of these people."


EQUAL = 'Two groups of equal rates: largest chance of a false "disparity shown" over rates 0.005 to 0.995'
RATE = Interval(
    "Wilson's score interval for a rate; Newcombe's for a difference of two; Koopman's for a ratio; the exact unconditional test, "
    "under one error rate with the others of its family. Under weights or clusters the same on effective sizes.",
    "Wald's interval (p ± 1.96 standard errors) has no width at 0 and 1 and covers too little for small groups; Fisher's test "
    "rejects too seldom. Wilson and Newcombe hold at 0 and 1, the unconditional test is exact and loses little "
    "({doc}`coverage of every interval <../coverage>`).",
    (
        EQUAL,
        'Families of groups with one rate: chance of any false "disparity shown"',
        "Uneven probability weights (lognormal): two rates",
        "Clusters: two rates",
    ),
)
RATIO = Interval(
    "Koopman's score interval, with the exact unconditional test of equal rates; to the highest rate, simultaneous limits.",
    "A log interval fails at a rate of 0. A ratio to a group that the data picked needs limits that know of the picking: a plain "
    "one covers far less than it says.",
    ("Impact ratios of Local Law 144: all limits of a table hold", "Two groups at a ratio of 0.8: largest chance of a false "
     "\"equivalence shown\" (between 0.8 and 1.25)"),
)  # fmt: skip
RANGE = Interval(
    "Simultaneous Miettinen-Nurminen intervals of all pairs (max-t, its distribution by permutation).",
    "A largest gap is never below 0 and is positive by chance: the percentile bootstrap of it excludes 0 nearly always, also "
    "where all groups are alike. Limits that hold for all pairs at once hold for the largest.",
    (
        'Families of equal rates, through the rows of an audit: any false "disparity shown"',
        "Two groups of equal rates: chance of a false claim of difference, beside other packages",
    ),
)
STRATA = Interval(
    "Differences or ratios of the strata averaged with Mantel and Haenszel's weights, Wilson limits combined (MOVER) without assuming "
    "equal differences; an exact conditional test within strata (mid-p).",
    "Wald's limits cover 45 to 92 % where strata are small or events rare. The verdict needs both: the test rejects and the "
    "limits exclude no difference.",
    (
        'Strata of equal rates: chance of a false "disparity shown", and coverage of the difference',
        'Strata of a log odds ratio of 0.7: coverage of the difference, and chance of "disparity shown"',
    ),
)
ODDS = Interval(
    "The exact conditional limits (mid-p), or those of Robins, Breslow and Greenland for Mantel and Haenszel's estimate.",
    "Conditional on the margins of each stratum the distribution is known exactly, however many strata there are.",
    STRATA.tables,
)
AUC = Interval(
    "DeLong's variance on the logit scale with Student's t; differences combine the limits of the two areas (MOVER).",
    "On the plain scale limits leave 0 to 1, and an area of 1 has none.",
    ("Difference of two AUC: no difference", "Difference of two AUC of clustered people: no difference"),
)
RANKS = Interval(
    "Brunner and Munzel's, with Student's t on the logit scale; the rank test beside it is Mann-Whitney's, exact for few people.",
    "Mann-Whitney's test assumes equal spreads where groups are equal in tendency; Brunner and Munzel's does not, and its limits "
    "stay between 0 and 1.",
    (
        'Scores with P(X>Y) = 1/2: chance of a false "disparity shown", and coverage',
        "Scores of weighted and clustered people, P(X>Y) = 1/2",
    ),
)
BRIER = Interval(
    "The mean with Student's t corrected for skewness (Hall); differences combine the limits (MOVER).",
    "Squared errors are skewed: a few people carry most of the mean.",
    ("Brier scores: coverage of their intervals", "Brier parity of three groups: coverage of its interval"),
)
RECALIBRATION = Interval(
    "Logistic recalibration with Wald limits; the curve has a band for all bins at once.",
    "Intercept and slope are coefficients of one regression, well behaved but for few events.",
    ("Calibration curves of ten bins: all of them within the band",),
)
RANK_TEST = Interval(
    "A test: Mann-Whitney's of two groups (exact for few people), Kruskal and Wallis's of several; no interval.",
    "It is a yes or no about equality of whole distributions, of which there is no amount.",
    ('Scores with P(X>Y) = 1/2: chance of a false "disparity shown", and coverage',),
)
NO_LIMITS = Interval(
    "None.",
    "No interval is known that covers: it is positive by chance, the more the fewer people there are.",
)
SECONDS = Interval("None.", "It is a time of one run, on one machine.")
INTERVALS: dict[str, Interval] = {
    "rate": RATE,
    "none": Interval("None in an audit.", "It describes these people; what can be claimed is told by its neighbors."),
    "risk difference within strata": STRATA,
    "risk ratio within strata": STRATA,
    "standardized difference": STRATA,
    "shortfall in people": STRATA,
    "conditional odds ratio": ODDS,
    "common odds ratio": ODDS,
    "homogeneity of odds ratios": Interval(
        "Breslow and Day's test with Tarone's correction; an exact one where strata are small.",
        "Breslow and Day's calls one and the same odds ratio uneven in up to three of four cases where strata hold a few people.",
        ("Strata of one odds ratio: chance of a false claim that it is not common",),
    ),
    "E-value": Interval(
        "That of the limit of the risk ratio stands beside that of the estimate.",
        "The limit says what a factor would have to be to explain away what sampling error leaves.",
        ("E-value of the limit: chance that it excludes the factor that made the data",),
    ),
    "Rosenbaum bound": Interval(
        "The bound is the end of an interval already: the least factor at which the exact test no longer rejects.",
        "It is found by the exact conditional test (mid-p) at each factor.",
        ("Rosenbaum's bound: chance that it excludes the factor that made the data",),
    ),
    "impact ratio": RATIO,
    "scoring impact ratio": RATIO,
    "shortfall": Interval("Counts of people, with the test of the ratio beside them.", "It is the ratio said in people.", RATIO.tables),
    "scoring shortfall": Interval("Counts of people, with the test of the ratio beside them.", "It is the ratio said in people.", RATIO.tables),
    "demographic parity difference": RANGE,
    "equalized odds difference": RANGE,
    "AUC": AUC,
    "P(X>Y)": RANKS,
    "Cliff's delta": Interval("P(X>Y)'s limits, rescaled to −1 to 1.", "It is 2 P(X>Y) − 1, and nothing else.", RANKS.tables),
    "score shift": Interval(
        "Hodges and Lehmann's estimate with Moses's limits, where the shapes agree.",
        "They invert the Mann-Whitney test, and so need its assumption: one shape, shifted.",
        RANKS.tables,
    ),
    "Kolmogorov-Smirnov distance": Interval(
        "A test, exact for few people; no interval.", "A largest distance is positive by chance.", (),
        "The test's p-value is compared with R's; no verdict is read from it.",
    ),
    "score distribution": RANK_TEST,
    "Brier score": BRIER,
    "calibration intercept": RECALIBRATION,
    "calibration slope": RECALIBRATION,
    "Spiegelhalter's z": Interval(
        "A normal test.", "Under right probabilities mean and variance of the Brier score are known.",
        ("Spiegelhalter's test of right probabilities",),
    ),
    "calibration error": Interval(
        "None.", "A mean of distances is positive by chance; the debiased estimate takes that out in part only."
    ),
    "ABROCA": Interval(
        "None in an audit; ``fs.stats.abroca`` has limits by the bootstrap, marked approximate below 20 people of an outcome.",
        "An area between curves is positive by chance, so its plain bootstrap misses 0 always.",
        ("ABROCA of two groups: coverage of its interval",),
    ),
    "extra error": Interval(
        "The non-central quadratic form inverted, a p-value by permutation, which is told beside its tail (``fs.extra_error``).",
        "It cannot be negative: a percentile bootstrap of it covers nothing where the truth is 0.",
        ("Extra error: coverage of its interval, and chance of p ≤ .05 (a size where the effect is 0)",),
    ),
    "R2": Interval(
        "The non-central F inverted, one component at a time (``fs.extra_error``).",
        "It cannot be negative: a percentile bootstrap of it covers nothing where the truth is 0.",
        ("Extra error: coverage of its interval, and chance of p ≤ .05 (a size where the effect is 0)",),
    ),
    "MMD²": NO_LIMITS,
    "fit seconds": SECONDS,
}  # fmt: skip

FORMULAS = {
    "scoring rate": "P(score > median of all scores)",
    "risk difference within strata": "Σ w_s (p₁ₛ − p₀ₛ) / Σ w_s,  w_s = n₁ₛ n₀ₛ / (n₁ₛ + n₀ₛ)",
    "risk ratio within strata": "Σ e₁ₛ n₀ₛ / n_s  over  Σ e₀ₛ n₁ₛ / n_s",
    "standardized difference": "Σ n_s (p₁ₛ − p₀ₛ) / Σ n_s",
    "conditional odds ratio": "argmax_ψ Π P(e₁ₛ | margins of stratum s; ψ)",
    "common odds ratio": "Σ e₁ₛ (n₀ₛ − e₀ₛ) / n_s  over  Σ e₀ₛ (n₁ₛ − e₁ₛ) / n_s",
    "homogeneity of odds ratios": "Σ (e₁ₛ − E e₁ₛ)² / Var e₁ₛ under one odds ratio",
    "shortfall in people": "Σ (n₁ₛ e_s / n_s − e₁ₛ)",
    "E-value": "RR + √(RR (RR − 1))",
    "Rosenbaum bound": "the least Γ with max p(Γ) > α",
    "impact ratio": "P(D = + | group) / max over groups of P(D = +)",
    "scoring impact ratio": "scoring rate of the group / the highest one",
    "shortfall": "n · highest rate − selected of the group",
    "scoring shortfall": "n · highest scoring rate − those of the group above the median",
    "demographic parity difference": "max P(D = +) − min P(D = +) over groups",
    "equalized odds difference": "max(max TPR − min TPR, max FPR − min FPR) over groups",
    "AUC": "P(score of Y = 1 > score of Y = 0) + ½ P(equal)",
    "P(X>Y)": "P(X > Y) + ½ P(X = Y)",
    "score shift": "median of all X − Y",
    "Cliff's delta": "P(X > Y) − P(X < Y)",
    "Kolmogorov-Smirnov distance": "max |F(s) − G(s)|",
    "score distribution": "H₀: F = G",
    "mean score": "mean of the scores",
    "Brier score": "mean of (score − Y)²",
    "calibration intercept": "a in logit P(Y = 1) = a + logit(score)",
    "calibration slope": "b in logit P(Y = 1) = a + b logit(score)",
    "Spiegelhalter's z": "Σ (Y − s)(1 − 2s) / √Σ (1 − 2s)² s (1 − s)",
    "calibration error": "Σ n_b / n |mean Y − mean score| over bins b, debiased",
    "ABROCA": "∫ |ROC of the group − ROC of the reference|",
    "R2": "1 − within-group sum of squares / total, of one component",
    "extra error": "‖X_c − X̃‖² − ‖X_c − X_k‖², X_k the best of that rank",
    "explained variance": "1 − ‖X_c − X̃‖² / ‖X_c‖²",
    "MMD²": "E k(x, x') + E k(y, y') − 2 E k(x, y)",
    "fit seconds": "wall time",
}
QUESTIONS = {
    "scoring rate": "Do the groups score above the median of all scores equally often?",
    "risk ratio within strata": "By what factor do the rates differ among people who are alike in the declared factors?",
    "standardized difference": "How far would the rates be apart if both groups were spread over the strata as everybody is?",
    "conditional odds ratio": "By what factor do the odds differ within strata, exactly?",
    "common odds ratio": "By what factor do the odds differ within strata?",
    "shortfall in people": "How many people of the group would have been selected besides, had rates within strata been equal?",
    "E-value": "How strong would an unmeasured factor have to be to explain the ratio away?",
    "Rosenbaum bound": "How uneven would the chances of people of one stratum have to be to explain the disparity away?",
    "shortfall": "How many people more would have to be selected for the group to reach the highest rate?",
    "scoring impact ratio": "Does a group score above the median less than four fifths as often as the group that does most often?",
    "scoring shortfall": "How many people more would have to score above the median for the group to reach the highest rate?",
    "P(X>Y)": "Who has the higher score, a random member of the group or one of the reference (the effect behind Mann-Whitney's test)?",
    "score shift": "By how much are the scores of the group shifted?",
    "Cliff's delta": "Who has the higher score more often, the group or the reference?",
    "Kolmogorov-Smirnov distance": "How far are the distributions of the scores apart, at the point where they are farthest?",
    "mean score": "How high does the group score on average?",
    "Brier score": "How far are the probabilities from what happened?",
    "calibration error": "How far are the rates from the probabilities, bin by bin?",
    "ABROCA": "How far are the ROC curves of two groups apart?",
    "R2": "How much of a component do the groups explain?",
    "fit seconds": "How long does the method take?",
    "positive rate": "How often is a person of the group predicted positive?",
    "TNR": "How often is a person without {outcome} predicted negative?",
    "FNR": "How often is a person with {outcome} missed?",
    "classification error": "How often is the prediction wrong?",
    "homogeneity of odds ratios": "Is the odds ratio the same in all strata, so that one number can stand for them?",
    "demographic parity difference": "How far are the highest and the lowest selection rate apart?",
    "equalized odds difference": "How far apart are the groups in the worse of the two error rates (equalized odds)?",
    "extra error": "How much more of the data does a method lose than plain components would?",
    "explained variance": "How much of the data do the components keep?",
    "MMD²": "How far are the distributions of two groups' scores apart, in whatever way?",
    "Spiegelhalter's z": "Are the probabilities right?",
    "calibration intercept": "Are the probabilities right on average?",
    "calibration slope": "Does a higher probability mean as much more risk as it says?",
    "score distribution": "Do the groups have one distribution of scores?",
    "impact ratio": "Is a group selected less than four fifths as often as the group selected most (the four fifths rule)?",
}
MISLEADS = {
    "positive rate": "It says nothing of whether being predicted positive helps or harms.",
    "homogeneity of odds ratios": "A test that does not reject does not show that the odds ratios are equal: few people never show anything.",
    "scoring shortfall": "A large group has a large shortfall at a small difference.",
    "Cliff's delta": "0 does not mean equal distributions.",
    "mean score": "A mean follows its tail, and says nothing of who passes a threshold.",
    "calibration intercept": "Errors of high and low scores may cancel.",
    "calibration slope": "It is of a straight line on the logit scale; a bent curve has a slope, too. Few people make it noisy.",
    "extra error": "In the units of the features: scale them, or the widest one decides.",
    "explained variance": "It may be high in all and low in a small group; see the losses by group.",
    "MMD²": "It depends on the kernel's width, and is above 0 by chance: about 1/n₀ + 1/n₁ for equal distributions.",
    "fit seconds": "One run, on one machine.",
}
