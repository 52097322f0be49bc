"""The vocabulary of metrics by name, which tables, sentences, reports, R and the documentation read.

The order of the rows is the order of tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from fairstats.errors import InputError, listing, nearest, with_hint
from fairstats.language import current, mark, message, say

# What one metric is and how it is said; a rate is a conditional share of the count table.


PERCENT, SCORE, RATIO, PEOPLE, PLAIN = "percent", "score", "ratio", "people", "plain"
UNITS = {PERCENT: "%", SCORE: "", RATIO: "", PEOPLE: "people", PLAIN: ""}
INFINITY = float("inf")
UNKNOWN = 2  # the place of an unknown outcome or decision in the count table
Cells = tuple[tuple[int, int], ...]
# "D=+" is the decision that helps the person; a part holds where the cell (y, d) has it
_PARTS = {"": (None, None), "Y=1": (1, None), "Y=0": (0, None), "D=1": (None, 1), "D=0": (None, 0)}


PROBES = {"linear probe": "AUC of linear probe", "non-linear probe": "AUC of non-linear probe"}
# Of two distributions: one half, where they are equal; and areas beside which a margin of AUCs stands.
CHANCES = frozenset(
    {"P(X>Y)", "P(X>Y) of classes", "P(X>Y) within strata", "P(X>Y) of amounts", "P(X>Y) of amounts within strata"}
)
AREAS = CHANCES | {"AUC", *PROBES.values()}
# Amounts in per cent of the reference's: one less a ratio.
GAPS_OF_AMOUNTS = frozenset({"gap of means", "gap of means within strata", "gap of medians", "adjusted gap of means"})


@dataclass(frozen=True)
class Metric:
    """What one metric is and how it is said."""

    name: str  # in code and in tables
    heading: str
    meaning: str  # a noun phrase
    event: str = ""  # of a rate: which share is counted ...
    given: str = ""  # ... among whom; "" is everybody whose event is known
    complement: str = ""  # the metric that is 1 less this one
    needs: tuple[str, ...] = ()  # columns, where event and given do not say
    scale: str = PERCENT
    range: tuple[float, float] = (0.0, 1.0)
    null: float = 0.0  # the value that shows no disparity between a group and its reference
    better: str = ""  # "higher", "lower", or "" where neither is
    question: str = ""
    matters: str = ""
    misleads: str = ""
    sentence: str = ""  # of the finding
    empty: str = message("nobody in the denominator")  # what an empty denominator means
    reference: str = ""
    function: str = ""  # its name in `fairstats.stats`
    aliases: dict[str, str] = field(default_factory=dict, hash=False)  # library -> its name there
    short: str = ""  # over a narrow column
    claim: int = 0  # place among the claims of page one, 0 for none
    tables: tuple[str, ...] = ("audit", "compare")  # for rates: who estimates it
    shown: tuple[str, ...] = ()  # in which selections; everything else stands in the tidy rows

    @property
    def is_rate(self) -> bool:
        """Whether it is a share of the count table."""
        return bool(self.event)

    @property
    def columns(self) -> tuple[str, ...]:
        """Which of outcome, decision and score it needs."""
        text = self.event + self.given
        return self.needs or tuple(c for c, letter in (("outcome", "Y"), ("decision", "D")) if letter in text)

    @property
    def symbol(self) -> str:
        """The share as a conditional probability, "" for what is no rate."""
        if not self.is_rate:
            return ""
        return f"P({_spaced(self.event)}{' | ' + _spaced(self.given) if self.given else ''})"

    def cells(self, favors: int = 1) -> tuple[Cells, Cells]:
        """The cells (outcome, decision) of numerator and denominator, 2 for an unknown one.

        favors: the decision that helps the person.

        >>> Metric("PPV", "PPV", "of those predicted positive ...", event="Y=1", given="D=1").cells()
        (((1, 1),), ((0, 1), (1, 1)))
        """
        present = self.event + self.given
        among = [
            (y, d)
            for y in range(3)
            for d in range(3)
            if not (("Y" in present and y == UNKNOWN) or ("D" in present and d == UNKNOWN))
            and _holds(self.given, y, d, favors)
        ]
        return tuple(c for c in among if _holds(self.event, *c, favors)), tuple(among)


def _holds(part: str, y: int, d: int, favors: int) -> bool:
    if part == "D=Y":
        return y == d
    if part == "D≠Y":
        return y != d
    outcome, decision = (None, favors) if part == "D=+" else _PARTS[part]
    return outcome in (None, y) and decision in (None, d)


def _spaced(part: str) -> str:
    return part.replace("=", " = ").replace("≠", " ≠ ")


# The rates of groups: shares of the count table outcome × decision, one row each.


_AGAINST = " against {base}% of {reference}: {gap}."
_OF = "Of {group} ({attribute}) "

# fmt: off
RATES = (
    Metric(
        "base rate", "Base rate", "share of people with the positive outcome", event="Y=1", claim=2,
        question="Is {outcome} equally frequent in every group of {by}?",
        matters="Needed to interpret error rates.",
        misleads="If the label was recorded more readily for one group (more policing, more testing), it measures the "
        "recording.",
        sentence="{rate}% of {group} ({attribute}) have the positive outcome ({outcome})" + _AGAINST,
        empty=message("no known outcome"), aliases={"aequitas": "prev"},
        tables=("audit",), shown=("summary", "headline"),
    ),
    Metric(
        "selection rate", "Selection rate", "share of people who received the favorable decision", event="D=+",
        better="higher", claim=1, short="sel.",
        question="Is {decision} equally frequent in every group of {by}?",
        matters="Matters when the decision is what people want.",
        misleads="It ignores every difference in qualification; whether those differences are themselves just is not "
        "a question that these data answer.",
        sentence="{rate}% of {group} ({attribute}) received the favorable decision ({decision})" + _AGAINST,
        empty=message("no known decision"), reference="29 CFR 1607.4(D)",
        aliases={"fairlearn": "selection_rate", "yardstick": "detection_prevalence", "aequitas": "pprev"},
        shown=("summary", "headline", "levels", "gaps", "by group", "between"),
    ),
    Metric(
        "positive rate", "Positive rate", "share of people predicted positive", event="D=1", short="pos.",
        matters="Stands for the selection rate where no prediction was said to help the person.",
        empty=message("no known decision"), aliases={"fairlearn": "selection_rate", "aequitas": "pprev"},
        tables=("compare",),
        shown=("levels", "gaps", "by group", "between"),
    ),
    Metric(
        "TPR", "True positive rate", "of those with the positive outcome, the share predicted positive", event="D=1",
        given="Y=1", complement="FNR", better="higher",
        question="Are people with {outcome} predicted positive equally often in the groups of {by}?",
        matters="Matters when missing a true case harms.",
        misleads="It is only as good as the outcome records.",
        sentence=_OF + "with {outcome}, {rate}% were predicted positive" + _AGAINST, empty=message("no positives"),
        aliases={"fairlearn": "true_positive_rate", "yardstick": "sensitivity", "aequitas": "tpr"},
        shown=("summary", "errors", "contrasted", "forest", "levels", "gaps", "by group", "between"),
    ),
    Metric(
        "FPR", "False positive rate", "of those with the negative outcome, the share predicted positive", event="D=1",
        given="Y=0", complement="TNR", better="lower", claim=4,
        question="Are people without {outcome} predicted positive equally often in the groups of {by}?",
        matters="Matters when a wrong alarm harms.",
        misleads="Groups with different base rates can differ here although the score means the same in each.",
        sentence=_OF + "without {outcome}, {rate}% were predicted positive" + _AGAINST, empty=message("no negatives"),
        aliases={"fairlearn": "false_positive_rate", "aequitas": "fpr"},
        shown=("summary", "errors", "contrasted", "forest", "levels", "gaps", "by group", "between"),
    ),
    Metric(
        "TNR", "True negative rate", "of those with the negative outcome, the share predicted negative", event="D=0",
        given="Y=0", complement="FPR", better="higher",
        sentence=_OF + "without {outcome}, {rate}% were predicted negative" + _AGAINST, empty=message("no negatives"),
        aliases={"fairlearn": "true_negative_rate", "yardstick": "specificity", "aequitas": "tnr"},
        shown=("by group",),
    ),
    Metric(
        "FNR", "False negative rate", "of those with the positive outcome, the share predicted negative", event="D=0",
        given="Y=1", complement="TPR", better="lower", claim=5,
        sentence=_OF + "with {outcome}, {rate}% were predicted negative" + _AGAINST, empty=message("no positives"),
        aliases={"fairlearn": "false_negative_rate", "aequitas": "fnr"}, shown=("by group",),
    ),
    Metric(
        "PPV", "Positive predictive value", "of those predicted positive, the share with the positive outcome",
        event="Y=1", given="D=1", complement="FDR", better="higher", claim=6,
        question="Do people predicted positive have {outcome} equally often in the groups of {by}?",
        matters="Matters to whoever acts on the prediction.",
        misleads="It moves with the base rate even when the classifier does not.",
        sentence=_OF + "predicted positive, {rate}% have {outcome}" + _AGAINST,
        empty=message("nobody is predicted positive"),
        aliases={"yardstick": "ppv", "aequitas": "precision"}, shown=("summary", "errors", "contrasted"),
    ),
    Metric(
        "NPV", "Negative predictive value", "of those predicted negative, the share with the negative outcome",
        event="Y=0", given="D=0", complement="FOR", better="higher",
        question="Are people predicted negative without {outcome} equally often in the groups of {by}?",
        matters="Matters to whoever relies on a negative prediction.",
        misleads="It moves with the base rate even when the classifier does not.",
        sentence=_OF + "predicted negative, {rate}% do not have {outcome}" + _AGAINST,
        empty=message("nobody is predicted negative"), aliases={"yardstick": "npv", "aequitas": "npv"},
        shown=("summary", "errors"),
    ),
    Metric(
        "FDR", "False discovery rate", "of those predicted positive, the share with the negative outcome", event="Y=0",
        given="D=1", complement="PPV", better="lower",
        question="Are people predicted positive without {outcome} equally often in the groups of {by}?",
        matters="Matters to whoever is predicted positive by mistake.",
        misleads="It moves with the base rate even when the classifier does not.",
        sentence=_OF + "predicted positive, {rate}% do not have {outcome}" + _AGAINST,
        empty=message("nobody is predicted positive"), aliases={"aequitas": "fdr"},
    ),
    Metric(
        "FOR", "False omission rate", "of those predicted negative, the share with the positive outcome", event="Y=1",
        given="D=0", complement="NPV", better="lower",
        question="Do people predicted negative have {outcome} equally often in the groups of {by}?",
        matters="Matters where a missed case harms those who rely on a negative prediction.",
        misleads="It moves with the base rate even when the classifier does not.",
        sentence=_OF + "predicted negative, {rate}% have {outcome}" + _AGAINST,
        empty=message("nobody is predicted negative"),
        aliases={"aequitas": "for"},
    ),
    Metric(
        "accuracy", "Accuracy", "share of people whose prediction equals their outcome", event="D=Y",
        complement="classification error", better="higher", claim=7,
        question="Is the prediction right equally often in the groups of {by}?",
        matters="Says how often the prediction is right.",
        misleads="Mixes two kinds of error that rarely cost the same; equal accuracy can hide opposite errors.",
        sentence="{rate}% of {group} ({attribute}) were predicted correctly" + _AGAINST,
        empty=message("nobody with outcome and decision"), aliases={"yardstick": "accuracy"},
        shown=("summary", "errors", "overall"),
    ),
    Metric(
        "classification error", "Classification error", "share of people whose prediction is not their outcome",
        event="D≠Y", complement="accuracy", better="lower", short="error",
        empty=message("nobody with outcome and decision"),
        tables=("compare",), shown=("levels", "gaps", "by group", "costs"),
    ),
    Metric(
        "scoring rate", "Scoring rate", "share of people who score above the median of all scores", needs=("score",),
        better="higher", claim=10,
        question="Do the groups of {by} score above the median ({score}) equally often?",
        matters="Stands for the selection rate where scores have no threshold.",
        misleads="It looks at one point of the scores, which nobody may decide at.",
        sentence="{rate}% of {group} ({attribute}) score above the median of the sample ({score})" + _AGAINST,
        empty=message("no known score"), reference="Rules of the City of New York, title 6, section 5-300",
        shown=("summary",),
    ),
)


# Comparisons of rates: within strata, over the highest rate, over all groups, one row each.



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
        function="stratified_rates",
    ),
    Metric(
        "risk ratio within strata", "Ratio within strata",
        "ratio of the rates as they would be if both groups were spread over the strata alike", needs=("decision",),
        scale=RATIO, range=(0.0, INFINITY), null=1.0,
        matters="Holds the declared factors fixed.",
        misleads="A ratio of small rates is large where a difference is not.",
        function="stratified_rates",
    ),
    Metric(
        "standardized difference", "Standardized difference",
        "mean over everybody of the differences from the reference within strata", needs=("decision",),
        range=(-1.0, 1.0),
        matters="Matters when what is asked is about all people of both groups, each stratum with its own.",
        misleads="Strata with few people of one group weigh as much as their size, and say little.",
        function="stratified_rates",
    ),
    Metric(
        "conditional odds ratio", "Conditional odds ratio",
        "odds ratio against the reference by conditional maximum likelihood", needs=("decision",),
        scale=RATIO, range=(0.0, INFINITY), null=1.0,
        matters="Holds the declared factors fixed, however many strata they make.",
        misleads="An odds ratio is not a ratio of rates; it assumes one in all strata.",
        reference="Breslow, N. E. and Day, N. E. (1980). Statistical methods in cancer research, volume 1. IARC.",
        function="conditional_odds_ratio",
    ),
    Metric(
        "shortfall in people", "Shortfall within strata",
        "people of the group fewer than equal rates within strata would give", needs=("decision",), scale=PEOPLE,
        range=(-INFINITY, INFINITY), better="lower",
        matters="Says the difference in people, and in standard deviations.",
        misleads="A large group has a large shortfall at a small difference.",
        reference="Gastwirth, J. L. and Greenhouse, S. W. (1995). Biostatistical concepts and methods in the legal "
        "setting. Statistics in Medicine 14, 1641-1653.",
        function="pooled_shortfall",
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
        function="e_value",
    ),
    Metric(
        "Rosenbaum bound", "Rosenbaum bound",
        "the factor by which people of one stratum may differ in their odds of being in the group before the disparity "
        "is no longer significant", needs=("decision",), scale=RATIO, range=(1.0, INFINITY), null=1.0,
        matters="Says how much of an unmeasured difference within strata the test withstands.",
        misleads="It is of the worst factor: one that everybody with the decision has and nobody else.",
        reference="Rosenbaum, P. R. (2002). Observational studies, 2nd edition, section 4.2. Springer.",
        function="rosenbaum_bound",
    ),
    Metric(
        "common odds ratio", "Common odds ratio", "odds ratio against the reference within strata (Mantel-Haenszel)",
        needs=("decision",), scale=RATIO, range=(0.0, INFINITY), null=1.0,
        matters="Holds the declared factors fixed.", misleads="It assumes one odds ratio in all strata.",
        reference="Mantel, N. and Haenszel, W. (1959). JNCI 22, 719-748.",
        function="common_odds_ratio",
    ),
    Metric(
        "homogeneity of odds ratios", "Homogeneity of odds ratios",
        "test that the odds ratio is the same in all strata",
        needs=("decision",), scale=PLAIN, range=(0.0, INFINITY),
        reference="Breslow, N. E. and Day, N. E. (1980). Statistical methods in cancer research, volume 1. IARC.",
        function="breslow_day",
    ),
    Metric(
        "homogeneity of differences", "Homogeneity of differences",
        "test that the difference of rates is the same in all strata",
        needs=("decision",), scale=PLAIN, range=(0.0, INFINITY),
        matters="Where it is shown, one average of the strata hides what differs.",
        reference="Lipsitz, S. R. and others (1998). Tests for homogeneity of the risk difference when data are "
        "sparse. Biometrics 54, 148-160.",
    ),
    Metric(
        "impact ratio", "Impact ratio", "selection rate over the highest one", needs=("decision",), scale=RATIO,
        range=(0.0, INFINITY), null=1.0, better="higher",
        question="Is a group selected less than four fifths as often as the group selected most?",
        matters="Matters where the four-fifths rule of thumb is looked at.",
        misleads="It is a rule of thumb of enforcement, and no test.", reference="29 CFR 1607.4(D)",
        function="impact_ratio",
        aliases={"fairlearn": "demographic_parity_ratio"}, shown=("impact",),
    ),
    Metric(
        "shortfall", "Shortfall", "people more who would have to be selected to reach the highest rate",
        needs=("decision",), scale=PEOPLE, range=(-INFINITY, INFINITY), better="lower",
        matters="Says the ratio in people.", misleads="A large group has a large shortfall at a small difference.",
        reference="Gastwirth, J. L. (1988). Statistical Reasoning in Law and Public Policy, volume 1.",
        function="shortfall", shown=("impact",),
    ),
    Metric(
        "scoring impact ratio", "Impact ratio of scoring rates", "scoring rate over the highest one",
        needs=("score",), scale=RATIO, range=(0.0, INFINITY), null=1.0, better="higher",
        matters="Matters where a rule asks for it; nobody was selected by it.",
        misleads="It is a rule of thumb about selections, applied to scores.",
        reference="Rules of the City of New York, title 6, section 5-300",
        function="impact_ratio", shown=("scoring impact",),
    ),
    Metric(
        "scoring shortfall", "Shortfall of scores above the median",
        "people more who would have to score above the median to reach the highest rate", needs=("score",),
        scale=PEOPLE, range=(-INFINITY, INFINITY), better="lower",
        function="shortfall", shown=("scoring impact",),
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
        function="max_difference",
        aliases={"fairlearn": "equalized_odds_difference", "yardstick": "equalized_odds"},
        shown=("at once", "parity"),
    ),
)


# Scores and representations: order, distributions, calibration, what components keep, one row each.



# fmt: off
AMOUNTS = (
    Metric(
        "mean amount", "Mean amount", "mean of the amounts of a group", needs=("amount",), scale=PLAIN,
        range=(-INFINITY, INFINITY), matters="In the unit of the amount.",
        misleads="A few large amounts move it; no test of means holds for few people whose amounts are very unequal.",
        function="mean_difference", shown=("amounts", "amounts alone"),
    ),
    Metric(
        "gap of means", "Gap of means",
        "by how much the mean of a group is below that of the reference, in per cent of the latter", needs=("amount",),
        scale=PERCENT, range=(-INFINITY, 1.0), claim=11,
        question="How much less does a group of {by} get on average than the reference?",
        matters="The pay gap of laws and of official statistics.",
        misleads="It compares everybody, whatever their work; within strata it compares people who are alike in these.",
        sentence="The gap of the mean of {group} to that of {reference} ({attribute}), above 0 where it is lower, is "
        "{estimate} ({interval}).",
        function="mean_gap", shown=("amounts", "gaps", "between"),
    ),
    Metric(
        "geometric mean", "Geometric mean", "exponential of the mean logarithm of the amounts", needs=("amount",),
        scale=PLAIN, range=(0.0, INFINITY), matters="Where amounts are spread over factors, as pay is.",
        misleads="It is below the mean, and further so where the amounts of a group differ more.",
        function="geometric_mean_ratio", shown=("amounts", "amounts alone"),
    ),
    Metric(
        "median amount", "Median amount", "amount that half of a group do not exceed", needs=("amount",), scale=PLAIN,
        range=(-INFINITY, INFINITY), matters="What a person in the middle of the group gets.",
        misleads="It says nothing about the largest amounts.", function="quantile_difference",
        shown=("amounts", "amounts alone"),
    ),
    Metric(
        "gap of medians", "Gap of medians",
        "by how much the median of a group is below that of the reference, in per cent of the latter",
        needs=("amount",), scale=PERCENT, range=(-INFINITY, 1.0), claim=12,
        question="How much less does the middle of a group of {by} get than that of the reference?",
        matters="The second pay gap of laws.", misleads="On pay scales it may be 0 while many are one step apart.",
        sentence="The gap of the median of {group} to that of {reference} ({attribute}), above 0 where it is lower, is "
        "{estimate} ({interval}).",
        function="quantile_gap", shown=("amounts", "gaps"),
    ),
    Metric(
        "amount quantile", "Quantile of amounts", "amount that the named share of a group do not exceed",
        needs=("amount",), scale=PLAIN, range=(-INFINITY, INFINITY),
        matters="Whether groups differ at the bottom or at the top.", misleads="Far out it rests on few people.",
        function="quantile_difference", shown=("amounts", "amounts alone"),
    ),
    Metric(
        "P(X>Y) of amounts", "Probability of a higher amount",
        "P(X>Y), the chance that a random member of the group gets more than one of the reference, ties half",
        needs=("amount",), scale=SCORE, null=0.5,
        question="Who gets more, a random member of a group of {by} or one of the reference?",
        matters="It does not depend on how amounts are spread.", misleads="0.5 does not mean equal distributions.",
        function="relative_effect", shown=("amounts", "gaps", "between"),
    ),
    Metric(
        "share in quarter", "Share in quarter",
        "share of a group in a quarter of everybody's amounts; people tied at a cut are split in proportion",
        needs=("amount",), matters="Where in everybody's order of amounts the people of a group are.",
        misleads="The cuts are those of these data: the shares of all groups together are 25%.",
        function="quarter_shares", shown=("quarters",),
    ),
    Metric(
        "amount missing", "Amount missing",
        "share of a group whose amount is not known; where one decision comes with none, of the others",
        needs=("amount",),
        matters="Who is left out of every comparison of amounts.",
    ),
    Metric(
        "gap of means within strata", "Gap of means within strata",
        "by how much the mean of a group is below that of the reference in the same stratum, in per cent of the "
        "latter, strata weighted by n₁n₀/(n₁ + n₀), where n₁ and n₀ are their people of the two groups",
        needs=("amount",), scale=PERCENT,
        range=(-INFINITY, 1.0),
        question="How much less does a group of {by} get than people of the reference who are alike in the declared "
        "factors?",
        matters="Matters when the declared factors justify a difference.",
        misleads="It is as good as the choice of the factors: what is itself unequal explains inequality away.",
        shown=("amounts",),
    ),
    Metric(
        "mean difference within strata", "Difference of means within strata",
        "difference of the means of a group and of the reference in the same stratum, strata weighted by "
        "n₁n₀/(n₁ + n₀), where n₁ and n₀ are their people of the two groups",
        needs=("amount",), scale=PLAIN, range=(-INFINITY, INFINITY),
        matters="In the unit of the amount, the declared factors held fixed.",
        misleads="Where large strata differ from small ones it is the difference of neither.", shown=("amounts",),
    ),
    Metric(
        "adjusted gap of means", "Adjusted gap of means",
        "by how much the mean of a group would be below that of the reference, in per cent of the latter, had both the "
        "covariates of everybody", needs=("amount",), scale=PERCENT, range=(-INFINITY, 1.0),
        question="How much less does a group of {by} get than people of the reference who are alike in the declared "
        "covariates?",
        matters="Matters when the declared covariates justify a difference.",
        misleads="It is as good as the choice of the covariates: what is itself unequal explains inequality away; "
        "where one group alone is, nothing but the regression compares people.",
        shown=("amounts",),
    ),
    Metric(
        "adjusted gap", "Adjusted gap",
        "difference of the means of a group and of the reference, had both the covariates of everybody",
        needs=("amount",), scale=PLAIN, range=(-INFINITY, INFINITY),
        matters="In the unit of the amount, the declared covariates held fixed.",
        misleads="It is as good as the choice of the covariates.", shown=("amounts",),
    ),
    Metric(
        "group coefficient", "Coefficient of the group",
        "coefficient of the group in one linear regression with the declared covariates", needs=("amount",),
        scale=PLAIN, range=(-INFINITY, INFINITY),
        matters="What a regression without interactions says: the gap if covariates were worth the same to all.",
        misleads="Where they are not, it is the gap of no particular people.", shown=("amounts",),
    ),
    Metric(
        "P(X>Y) of amounts within strata", "Probability of a higher amount within strata",
        "chance that a random member of the group gets more than one of the reference of the same stratum, ties half",
        needs=("amount",), scale=SCORE, null=0.5, matters="Matters when the declared factors justify a difference.",
        misleads="It is as good as the choice of the factors: what is itself unequal explains inequality away.",
        shown=("amounts",),
    ),
    Metric(
        "amount shift within strata", "Shift of amounts within strata",
        "median of all differences of two amounts of one stratum, one from the group and one from the reference, each "
        "stratum weighted as in van Elteren's test", needs=("amount",), scale=PLAIN, range=(-INFINITY, INFINITY),
        matters="In the unit of the amount, the declared factors held fixed.",
        misleads="It is one number only if the shapes agree and the shift is the same in all strata.",
    ),
    Metric(
        "amount distribution within strata", "Distribution of amounts within strata",
        "test that groups have one distribution of amounts in every stratum", needs=("amount",), scale=PLAIN,
        range=(-INFINITY, INFINITY),
        misleads="It rejects for a difference of shape too, where neither group tends to get more.",
    ),
)  # fmt: skip


# Several classes of a decision or an outcome; the class is named beside each row.


# fmt: off
CLASSES = (
    Metric(
        "class share", "Share of a class", "share of people who got one of several classes", needs=("decision",),
        claim=13, question="Are the classes of {decision} equally frequent in every group of {by}?",
        matters="Matters where a decision is more than yes or no.",
        misleads="The shares of all classes add up to 100%: where one is lower another is higher.",
        sentence="{rate}% of {group} ({attribute}) have {decision}" + _AGAINST, empty=message("no known class"),
    ),
    Metric(
        "class TPR", "True positive rate of a class", "of those whose outcome is the class, the share predicted to be",
        needs=("outcome", "decision"), better="higher", matters="Whose cases of a class are found.",
        misleads="An average over classes hides a rare one; none is taken.",
        empty=message("nobody whose outcome is the class"),
    ),
    Metric(
        "class PPV", "Positive predictive value of a class",
        "of those predicted to be in the class, the share whose outcome is", needs=("outcome", "decision"),
        better="higher", matters="How far a prediction of the class can be relied on.",
        misleads="It moves with how frequent the class is in the group.",
        empty=message("nobody is predicted to be in the class"),
    ),
    Metric(
        "class distribution", "Classes at once", "test that all groups have the same shares of all classes",
        needs=("decision",), scale=PLAIN, range=(0.0, INFINITY),
        matters="One test, however many classes.", misleads="It does not say which class or which group differs.",
        reference="Patefield, W. M. (1981). Algorithm AS 159. Applied Statistics 30, 91-97.",
    ),
    Metric(
        "P(X>Y) of classes", "P(X>Y) of classes",
        "chance that a random member of the group has the better class than one of the reference, ties half",
        needs=("decision",), scale=SCORE, null=0.5,
        question="Who gets the better class, a random member of a group of {by} or one of the reference?",
        matters="Uses the order of the classes and no distance between them.",
        misleads="0.5 does not mean equal shares: one group may have more of the middle.",
        function="relative_effect",
    ),
    Metric(
        "cumulative share", "Cumulative share", "share of people with the class or a worse one", needs=("decision",),
        matters="Where on the scale of classes groups part.", misleads="It follows from the shares of the classes.",
        empty=message("no known class"),
    ),
)  # fmt: skip


# Scores and representations: order, distributions, calibration, what components keep, one row each.


SCORES = (
    Metric(
        "AUC", "AUC", "chance that a person with the positive outcome scores higher than one without",
        needs=("outcome", "score"), scale=SCORE, better="higher", claim=9,
        question="Does {score} order people with and without {outcome} equally well in the groups of {by}?",
        matters="Matters for ranking.",
        misleads="It says nothing of any one threshold and is blind to a shift of all scores.",
        sentence="The AUC of {score} is {size} {side} in {group} than in {reference} ({attribute}): difference "
        "{estimate} ({interval}).",
        function="auc", aliases={"yardstick": "roc_auc"},
        shown=("scores", "levels", "gaps", "by group", "overall", "costs"),
    ),
    Metric(
        "P(X>Y)", "Probability of a higher score",
        "P(X>Y), the chance that a random member of the group scores higher than one of the reference, ties half",
        needs=("score",), scale=SCORE, null=0.5, claim=8,
        question="Who has the higher {score}, a random member of a group of {by} or one of the reference?",
        matters="Matters when scores are compared across groups.",
        misleads="0.5 does not mean equal distributions.",
        sentence="With probability {estimate} ({interval}) a person of {group} scores higher ({score}) than one of "
        "{reference} ({attribute}), ties counted half.",
        function="relative_effect", shown=("scores", "gaps", "between"),
    ),
    Metric(
        "score shift", "Shift",
        "median of all differences of two scores, one from the group and one from the reference",
        needs=("score",), scale=PLAIN, range=(-INFINITY, INFINITY),
        matters="In the unit of the score.",
        misleads="It is one number only if the shapes agree; with a coarse score many differences are tied.",
        function="hodges_lehmann", shown=("scores",),
    ),
    Metric(
        "P(X>Y) within strata", "Probability of a higher score within strata",
        "chance that a random member of the group scores higher than one of the reference of the same stratum, ties "
        "half", needs=("score",), scale=SCORE, null=0.5,
        question="Who has the higher {score} among people of {by} who are alike in the declared factors?",
        matters="Matters when the declared factors justify a difference.",
        misleads="It is as good as the choice of the factors: what is itself unequal explains inequality away.",
        reference="Kawaguchi, A., Koch, G. G. and Wang, X. (2011). Stratified multivariate Mann-Whitney estimators for "
        "the comparison of two treatments with randomization based covariance adjustment. Statistics in "
        "Biopharmaceutical Research 3, 217-231.",
    ),
    Metric(
        "score shift within strata", "Shift within strata",
        "median of all differences of two scores of one stratum, one from the group and one from the reference, each "
        "stratum weighted as in van Elteren's test", needs=("score",), scale=PLAIN, range=(-INFINITY, INFINITY),
        matters="In the unit of the score, the declared factors held fixed.",
        misleads="It is one number only if the shapes agree and the shift is the same in all strata.",
        reference="Lehmann, E. L. (1975). Nonparametrics: statistical methods based on ranks. Holden-Day.",
    ),
    Metric(
        "score distribution within strata", "Score distribution within strata",
        "test that groups have one distribution of scores in every stratum", needs=("score",), scale=PLAIN,
        range=(-INFINITY, INFINITY),
        misleads="It rejects for a difference of shape too, where neither group tends to score higher.",
        reference="van Elteren, P. H. (1960). On the combination of independent two sample tests of Wilcoxon. Bulletin "
        "of the International Statistical Institute 37, 351-361.",
    ),
    Metric(
        "Cliff's delta", "Cliff's delta", "P(X>Y) less P(X<Y) of a group and the reference", needs=("score",),
        scale=SCORE, range=(-1.0, 1.0), matters="The probability of a higher score on another scale.",
        reference="Cliff, N. (1993). Dominance statistics. Psychological Bulletin 114, 494-509.",
        function="cliffs_delta",
    ),
    Metric(
        "Kolmogorov-Smirnov distance", "Kolmogorov-Smirnov distance",
        "largest vertical distance of two distribution functions of scores", needs=("score",), scale=SCORE,
        better="lower", matters="Sees any difference of two distributions.",
        misleads="It does not say in which direction they differ.",
        function="kolmogorov_smirnov",
    ),
    Metric(
        "score distribution", "Score distribution", "test that groups have one distribution of scores",
        needs=("score",), scale=PLAIN, range=(0.0, INFINITY),
        misleads="It rejects for any difference of shape, also where neither group tends to score higher.",
        reference="Kruskal, W. H. and Wallis, W. A. (1952). Use of ranks in one-criterion variance analysis. JASA 47.",
        function="kruskal_wallis",
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
        function="brier_score", aliases={"yardstick": "brier_class"},
        shown=("scores",),
    ),
    Metric(
        "share", "Share", "share of the people who are in the group", needs=("groups",), range=(-1.0, 1.0),
        question="Is a group represented as in the pool that the people came from?",
        misleads="Says nothing of who applied, or could have.",
        reference="Hazelwood School District v. United States, 433 U.S. 299 (1977).",
    ),
    Metric(
        "contribution of the stage", "Contribution of the stage",
        "part of the difference in the end that comes from one stage", needs=("groups",), range=(-1.0, 1.0),
        reference="Das Gupta, P. (1993). Standardization and decomposition of rates. U.S. Bureau of the Census.",
    ),
    Metric(
        "disagreement", "Disagreement", "share of pairs within a block that were decided differently",
        needs=("decision",),
    ),
    Metric(
        "share favored", "Share favored", "share of the blocks in which the group has the higher rate",
        needs=("decision",), range=(-1.0, 1.0),
        reference="Bertrand, M. and Mullainathan, S. (2004). Are Emily and Greg more employable than Lakisha and "
        "Jamal? American Economic Review 94, 991-1013.",
    ),
    Metric(
        "mean residual", "Mean residual",
        "share of people with the outcome less their mean score, 0 where scores are right on average",
        needs=("outcome", "score"), scale=PERCENT, range=(-1.0, 1.0), empty=message("no known outcome"),
        matters="A score may be right for everybody together and wrong for a subgroup.",
        misleads="Scores that are too high for some of a group and too low for others cancel out; bands of the score "
        "tell.",
        reference="La Cava, W. G., Lett, E. and Wan, G. (2023). Fair admission risk prediction with proportional "
        "multicalibration. CHIL, PMLR 209, 350-378.",
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
        function="spiegelhalter_z",
    ),
    Metric(
        "calibration error", "Calibration error",
        "mean distance of observed rates from mean scores of their bins, debiased for the number of people",
        needs=("outcome", "score"), scale=SCORE, better="lower",
        misleads="It depends on the bins, and what noise adds is taken out in part only.",
        reference="Kumar, A., Liang, P. and Ma, T. (2019). Verified uncertainty calibration. NeurIPS 32.",
        function="calibration_error",
    ),
    Metric(
        "ABROCA", "ABROCA", "area between the ROC curves of a group and the reference",
        needs=("outcome", "score"), scale=SCORE, better="lower",
        matters="Sees curves that cross, which have one AUC.", misleads="It is positive by chance.",
        reference="Gardner, J., Brooks, C. and Baker, R. (2019). Evaluating the fairness of predictive student models "
        "through slicing analysis. LAK 9, 225-234.",
        function="abroca",
    ),
    Metric(
        "AUC of features", "AUC of features",
        "chance that the feature, by what it told of other people, ranks a person of the level above one who is not",
        scale=SCORE, null=0.5, better="lower", matters="A feature that tells the group lets a model use the group.",
        misleads="A feature may tell the group and matter for the decision for good reasons.",
    ),
    Metric(
        "AUC added by feature", "AUC added by feature",
        "AUC that all features together lose when a model is trained again without one", scale=SCORE, range=(-1.0, 1.0),
        better="lower", misleads="It is near 0 where other features tell the same.",
    ),
    Metric(
        "AUC of pairs", "AUC of pairs",
        "chance that two features, by what they told together of other people, rank a person of the level above one "
        "who is not", scale=SCORE, null=0.5, better="lower",
        matters="Two features may tell the group together though neither does alone.",
    ),
    Metric(
        "AUC added by pair", "AUC added by pair",
        "AUC of a pair of features less the largest of each alone, both added up, and guessing", scale=SCORE,
        range=(-1.0, 1.0), better="lower",
        misleads="It is near 0 where each feature tells the group by itself, however well the pair does.",
    ),
    Metric(
        "AUC of features left", "AUC of features left",
        "chance that a model trained again without the features dropped so far ranks a person of the level above one "
        "who is not", scale=SCORE, null=0.5, better="lower",
        matters="Says what is still told of the group after features are dropped.",
        misleads="The order of dropping is not the only one; another may leave less.",
    ),
    Metric(
        "AUC of missing values", "AUC of missing values",
        "chance that whether a feature is missing, by what it told of other people, ranks a person of the level above "
        "one who is not", scale=SCORE, null=0.5, better="lower",
        matters="A model that sees what is missing sees the group, whatever the values are.",
        misleads="What the values tell is in the AUC of the feature, which counts missing as a value, too.",
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


# Names that other libraries give to metrics: which rows of our tables each of them means, and what computes it.



AT_ONCE, MAIN = "omnibus", "main"
GAPS = ("difference", "ratio")
EXTREMES = {"group_min": "smallest", "group_max": "largest"}  # fairlearn's ends of a name, which no row has
# Criteria by their names, and the rate whose largest difference and smallest ratio over the groups they are.
CRITERIA = {
    "demographic_parity": "selection rate",
    "statistical_parity": "selection rate",
    "equal_opportunity": "TPR",
    "predictive_equality": "FPR",
    "predictive_parity": "PPV",
    "accuracy_parity": "accuracy",
}
# The rates that a criterion wants to be equal, and further words about rates, of which none is the criterion.
EQUAL = {name: (rate,) for name, rate in CRITERIA.items()} | {"equalized_odds": ("TPR", "FPR")}
ABOUT = EQUAL | {
    "average_odds": ("TPR", "FPR"),
    "disparate_impact": ("selection rate",),
    "adverse_impact": ("selection rate",),
    "four_fifths": ("selection rate",),
}
# Further names of metrics, beside those that their rows have ("aliases"), their headings and their symbols.
OTHERS = {
    "recall": "TPR",
    "recall_score": "TPR",
    "sensitivity": "TPR",
    "hit_rate": "TPR",
    "specificity": "TNR",
    "precision": "PPV",
    "precision_score": "PPV",
    "accuracy_score": "accuracy",
    "zero_one_loss": "classification error",
    "prevalence": "base rate",
    "roc_auc_score": "AUC",
    "brier_score_loss": "Brier score",
    "disparate_impact": "impact ratio",
    "disparate_impact_ratio": "impact ratio",
}
# What is computed from people alone, and no table has.
FROM_PEOPLE = (
    "equalized_odds_ratio",
    "treatment_equality",
    "conditional_use_accuracy_equality",
    "balance_for_the_positive_class",
    "balance_for_the_negative_class",
    "brier_parity",
)
# Of which there are several rows at once.
INDICES = ("conditional_demographic_disparity", "generalized_entropy", "average_odds_difference")
STATISTICS = (
    *("demographic_parity_difference", "demographic_parity_ratio", "equal_opportunity_difference"),
    *("equal_opportunity_ratio", "equalized_odds_difference", "predictive_parity_difference"),
    *("predictive_parity_ratio", *FROM_PEOPLE, "abroca"),
)


@dataclass(frozen=True)
class Familiar:
    """What a familiar name means in our tables."""

    name: str
    metrics: tuple[str, ...] = ()  # the metric, or that whose largest gap it is
    contrast: str = ""  # of that gap; "" is the metric itself, whatever the contrast
    compared: str = ""  # the metric that a comparison of methods has under this name

    @property
    def call(self) -> str:
        """The public function that computes it from people, "" where there is none."""
        return f"stats.{self.name}" if self.name in (*STATISTICS, *INDICES) else ""

    def holds(self, row: Any, at_once: set[tuple[str, str, str]], any_role: bool) -> bool:
        """Whether a row is of this name."""
        if row.metric not in self.metrics:
            return False
        if not self.contrast:
            return True
        alone = row.role == MAIN and _place(row) not in at_once
        return bool(row.contrast == self.contrast and (any_role or row.role == AT_ONCE or alone))


def familiar(metrics: Iterable[Metric]) -> dict[str, Familiar]:
    """Return what every familiar name means, from the rows of the vocabulary and the tables above.

    >>> rate = Metric("TPR", "True positive rate", "share", event="D=1", given="Y=1")
    >>> present = familiar([rate])
    >>> present["true_positive_rate"].metrics, present["equal_opportunity_ratio"].contrast
    (('TPR',), 'ratio')
    """
    rows = {metric.name: metric for metric in metrics}
    plain: dict[str, list[str]] = {}
    for metric in rows.values():
        for name in dict.fromkeys(map(_word, (metric.name, metric.heading, *metric.aliases.values()))):
            plain.setdefault(name, []).append(metric.name)
    for name, meant in OTHERS.items():
        plain[name] = [meant]
    entries = {name: Familiar(name, tuple(meant)) for name, meant in plain.items() if name not in rows}
    gaps: dict[str, tuple[str, ...]] = {stem: (rate,) for stem, rate in CRITERIA.items()}
    gaps |= {name: tuple(meant) for name, meant in plain.items() if all(m in rows and rows[m].is_rate for m in meant)}
    compared = {_word(name): name for name in rows}
    for stem, meant_by in gaps.items():
        for contrast in GAPS:
            name = f"{stem}_{contrast}"
            entries[name] = Familiar(name, meant_by, contrast, compared.get(name, ""))
        for end in EXTREMES if stem not in CRITERIA else ():
            entries[f"{stem}_{end}"] = Familiar(f"{stem}_{end}", meant_by, end)
    area_gap = "equalized odds difference"
    entries[_word(area_gap)] = Familiar(_word(area_gap), (area_gap,))
    return entries | {name: Familiar(name) for name in (*FROM_PEOPLE, *INDICES) if name not in entries}


def meaning(wanted: Iterable[Familiar], rows: Iterable[Any], any_role: bool) -> Callable[[Any], bool]:
    """Return whether a row of a table is what one of some familiar names means in it.

    rows: the whole table. The gap of a criterion is the row over all groups; where an attribute has none, because it
        has two groups, it is their one comparison.
    any_role: whether rows of every role are meant, since the caller says which.
    """
    whole = tuple(rows)
    at_once = {_place(row) for row in whole if row.role == AT_ONCE}
    present = {row.metric for row in whole}
    names = [Familiar(f.name, (f.compared,)) if f.compared and f.compared in present else f for f in wanted]
    return lambda row: any(name.holds(row, at_once, any_role) for name in names)


def _place(row: Any) -> tuple[str, str, str]:
    return row.metric, row.contrast, row.attribute


def _word(name: str) -> str:
    """A name as code writes it, in American spelling."""
    return name.lower().replace(" ", "_").replace("-", "_").replace("equalised", "equalized")


METRICS: dict[str, Metric] = {metric.name: metric for metric in (*RATES, *COMPARED_RATES, *AMOUNTS, *CLASSES, *SCORES)}
# What other libraries call them, "demographic_parity_difference": wherever a metric is named, these are read too.
FAMILIAR: dict[str, Familiar] = familiar(METRICS.values())


def way_to(meant: Familiar, there: Collection[str]) -> str:
    """How what a familiar name means is read from a table whose metrics are `there`, where no row of it has the name.

    >>> way_to(FAMILIAR["zero_one_loss_difference"], ["accuracy"])
    "it is classification error difference, of the size of 'accuracy_difference', which is there"
    """
    if not meant.metrics:
        return ""
    rate = next((name for name in meant.metrics if name in there), "")
    other = next((METRICS[name].complement for name in meant.metrics if METRICS[name].complement in there), "")
    less = "" if rate else "1 less "
    if meant.contrast in EXTREMES:
        which = EXTREMES[meant.contrast if rate else next(end for end in EXTREMES if end != meant.contrast)]
        current = rate or other
        return f"it is {less}the {which} estimate of metric {current!r}, contrast 'none'" if current else ""
    text = f"it is {listing(meant.metrics)} {meant.contrast}".rstrip()
    if rate or not other:
        return text
    if meant.contrast == "difference":
        return f"{text}, of the size of {f'{_word(other)}_difference'!r}, which is there"
    return f"{text}; of a group {meant.metrics[0]} is {less}{other!r}, which is there"


def get(name: str) -> Metric:
    """The row of a metric, by our name or a familiar one.

    >>> get("TPR").heading, get("recall").symbol, get("true positive rate of a class").name
    ('True positive rate', 'P(D = 1 | Y = 1)', 'class TPR')
    """
    if name in METRICS:
        return METRICS[name]
    meant = _meant(name)
    if not meant:
        hint = meant_by(name) or nearest(name, (*METRICS, *FAMILIAR))
        raise InputError("metric", with_hint(f"has {name!r}; there is no such metric", hint))
    return METRICS[meant[0]]


def _meant(name: str) -> tuple[str, ...]:
    """The metrics under a familiar name, written as in code or as printed, with spaces; none of a gap."""
    meant = FAMILIAR.get(name) or FAMILIAR.get(_word(name))
    return () if meant is None or meant.contrast else meant.metrics


def named(name: str, there: Iterable[str]) -> tuple[Metric, ...]:
    """The rows of a metric, or of all rates that a criterion wants to be equal; ``there``: metrics to choose from.

    >>> [rate.name for rate in named("equalized odds", [])], named("recall", [])[0].name
    (['TPR', 'FPR'], 'TPR')
    """
    if not (rows := known(name)):
        present = dict.fromkeys(there)
        words = [word for word, one in FAMILIAR.items() if not one.contrast and present.keys() & {*one.metrics}]
        words += [word for word, rates in EQUAL.items() if present.keys() >= {*rates}]
        fact, hint = f"has {name!r}; there is no such metric", meant_by(name) or nearest(name, (*present, *words))
        raise InputError("metric", with_hint(fact, hint, f"there are {listing(present, 12)}."))
    return rows


def known(name: str) -> tuple[Metric, ...]:
    """The rows of a metric, or of all rates that a criterion wants to be equal; none of another word."""
    if rates := EQUAL.get(_word(name)):
        return tuple(METRICS[rate] for rate in rates)
    return (get(name),) if name in METRICS or _meant(name) else ()


def meant_by(name: str) -> str:
    """The hint that names the metrics of a criterion, "" of another word.

    >>> meant_by("Equalized odds"), meant_by("demographic parity difference"), meant_by("TPR")
    ("; pass 'TPR' and 'FPR'.", "; pass 'selection rate'.", '')
    """
    rates = ABOUT.get(re.sub("_(difference|ratio|rule)$", "", _word(name)), ())
    return f"; pass {' and '.join(map(repr, rates))}." if rates else ""


def ours(name: str) -> tuple[str, str]:
    """Our name of a metric that may have another, and the contrast that this other name says, "" for none.

    >>> ours("recall"), ours("demographic_parity_ratio"), ours("AUC"), ours("no such name")
    (('TPR', ''), ('selection rate', 'ratio'), ('AUC', ''), ('no such name', ''))
    """
    meant = FAMILIAR.get(name)
    return (name, "") if meant is None or not meant.metrics else (meant.metrics[0], meant.contrast)


def rates(table: str) -> tuple[Metric, ...]:
    """The rates that an ``"audit"`` or a comparison (``"compare"``) estimates, in order."""
    return tuple(m for m in METRICS.values() if m.is_rate and table in m.tables)


def shown(selection: str) -> tuple[str, ...]:
    """The names of a selection, in order.

    >>> shown("contrasted")
    ('TPR', 'FPR', 'PPV')
    """
    return tuple(m.name for m in METRICS.values() if selection in m.shown)


def claimed() -> tuple[str, ...]:
    """What page one looks at, in order."""
    return tuple(m.name for m in sorted(METRICS.values(), key=lambda m: m.claim) if m.claim)


def in_text(name: str) -> str:
    """A metric's heading inside a sentence: lower case unless it is an acronym, or of somebody.

    >>> in_text("TPR"), in_text("AUC"), in_text("Brier score")
    ('true positive rate', 'AUC', 'Brier score')
    """
    head = say(METRICS[name].heading)
    if head == name or not head[1:2].islower() or not current().small_nouns:
        return head
    return head[:1].lower() + head[1:]


# Names of metrics as results hold them, and headings of the quantities of fits, which are no metric of people.


SAID = (
    message("selection rate"),
    message("base rate"),
    message("scoring rate"),
    message("accuracy"),
    message("impact ratio"),
    message("risk difference within strata"),
    message("gap of means within strata"),
    message("gap of medians"),
    message("class share"),
    message("class distribution"),
)
HEADINGS = {
    "gap": mark("Gap"),
    "explained": mark("Accounted for"),
    "unexplained": mark("Not accounted for"),
    "endowments": mark("Covariates (endowments)"),
    "coefficients": mark("Coefficients"),
    "interaction": mark("Interaction"),
    "mean": mark("Mean"),
    "quantile": mark("Quantile"),
    "adjusted gap": mark("Adjusted gap"),
    "group coefficient": mark("Coefficient of the group"),
    "guarantee": mark("Guarantee"),
    "extra error, asymptotic": mark("Extra error, asymptotic"),
    "extra error expected by chance": mark("Extra error expected by chance"),
    "redundancy index": mark("Redundancy index"),
    "redundancy index, adjusted": mark("Redundancy index, adjusted"),
    "share of total variation": mark("Share of total variation"),
    "dispersion": mark("Dispersion"),
    "price": mark("Price"),
    "variance share": mark("Variance share"),
    "price, share of variation": mark("Price, share of variation"),
    "angle": mark("Angle"),
    "number of components": mark("Number of components"),
    "reconstruction loss": mark("Reconstruction loss"),
}
