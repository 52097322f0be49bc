"""The rates of groups: shares of the count table outcome × decision, one row each.

A rate is written as a conditional share: ``event="D=1", given="Y=1"`` is the true positive rate. A new rate is one row
here: audits, comparisons, the bootstrap, reports, R and the page of metrics in the documentation then have it.
"""

from __future__ import annotations

from fairstats.vocabulary.metric import Metric

_AGAINST = " against {base} % of {reference}: {gap}."
_OF = "Of {group} ({attribute}) "

# fmt: off
RATES = (
    Metric(
        "base rate", "Base rate", "share of people with the positive outcome", event="Y=1", claim=2,
        question="Is {outcome} equally frequent in every group of {by}?",
        matters="Matters as the ground on which errors stand.",
        misleads="If the label was recorded more readily for one group (more policing, more testing), it measures the "
        "recording.",
        sentence="{own} % of {group} ({attribute}) have the positive outcome ({outcome})" + _AGAINST,
        empty="no known outcome", aliases={"aequitas": "prev"}, tables=("audit",), shown=("summary", "headline"),
    ),
    Metric(
        "selection rate", "Selection rate", "share of people who received the favorable decision", event="D=+",
        better="higher", claim=1, short="sel.",
        question="Is {decision} equally frequent in every group of {by}?",
        matters="Matters when the decision is what people want.",
        misleads="It ignores every difference in qualification; whether those differences are themselves just is not "
        "a question that these data answer.",
        sentence="{own} % of {group} ({attribute}) received the favorable decision ({decision})" + _AGAINST,
        empty="no known decision", reference="29 CFR 1607.4(D)",
        aliases={"fairlearn": "selection_rate", "yardstick": "detection_prevalence", "aequitas": "pprev"},
        shown=("summary", "headline", "levels", "gaps", "by group", "between"),
    ),
    Metric(
        "positive rate", "Positive rate", "share of people predicted positive", event="D=1", short="pos.",
        matters="Stands for the selection rate where no prediction was said to help the person.",
        empty="no known decision", aliases={"fairlearn": "selection_rate", "aequitas": "pprev"}, tables=("compare",),
        shown=("levels", "gaps", "by group", "between"),
    ),
    Metric(
        "TPR", "True positive rate", "of those with the positive outcome, the share predicted positive", event="D=1",
        given="Y=1", complement="FNR", better="higher",
        question="Are people with {outcome} predicted positive equally often in the groups of {by}?",
        matters="Matters when missing a true case harms.",
        misleads="It trusts the label: mislabeled cases move it either way.",
        sentence=_OF + "with {outcome}, {own} % were predicted positive" + _AGAINST, empty="no positives",
        aliases={"fairlearn": "true_positive_rate", "yardstick": "sensitivity", "aequitas": "tpr"},
        shown=("summary", "errors", "contrasted", "forest", "levels", "gaps", "by group", "between"),
    ),
    Metric(
        "FPR", "False positive rate", "of those with the negative outcome, the share predicted positive", event="D=1",
        given="Y=0", complement="TNR", better="lower", claim=4,
        question="Are people without {outcome} predicted positive equally often in the groups of {by}?",
        matters="Matters when a wrong alarm harms.",
        misleads="Groups with different base rates can differ here although the score means the same in each.",
        sentence=_OF + "without {outcome}, {own} % were predicted positive" + _AGAINST, empty="no negatives",
        aliases={"fairlearn": "false_positive_rate", "aequitas": "fpr"},
        shown=("summary", "errors", "contrasted", "forest", "levels", "gaps", "by group", "between"),
    ),
    Metric(
        "TNR", "True negative rate", "of those with the negative outcome, the share predicted negative", event="D=0",
        given="Y=0", complement="FPR", better="higher",
        sentence=_OF + "without {outcome}, {own} % were predicted negative" + _AGAINST, empty="no negatives",
        aliases={"fairlearn": "true_negative_rate", "yardstick": "specificity", "aequitas": "tnr"},
        shown=("by group",),
    ),
    Metric(
        "FNR", "False negative rate", "of those with the positive outcome, the share predicted negative", event="D=0",
        given="Y=1", complement="TPR", better="lower", claim=5,
        sentence=_OF + "with {outcome}, {own} % were predicted negative" + _AGAINST, empty="no positives",
        aliases={"fairlearn": "false_negative_rate", "aequitas": "fnr"}, shown=("by group",),
    ),
    Metric(
        "PPV", "Positive predictive value", "of those predicted positive, the share with the positive outcome",
        event="Y=1", given="D=1", complement="FDR", better="higher", claim=6,
        question="Do people predicted positive have {outcome} equally often in the groups of {by}?",
        matters="Matters to whoever acts on the prediction.",
        misleads="It moves with the base rate even when the classifier does not.",
        sentence=_OF + "predicted positive, {own} % have {outcome}" + _AGAINST, empty="nobody is predicted positive",
        aliases={"yardstick": "ppv", "aequitas": "precision"}, shown=("summary", "errors", "contrasted"),
    ),
    Metric(
        "NPV", "Negative predictive value", "of those predicted negative, the share with the negative outcome",
        event="Y=0", given="D=0", complement="FOR", better="higher",
        question="Are people predicted negative without {outcome} equally often in the groups of {by}?",
        matters="Matters to whoever relies on a negative prediction.",
        misleads="It moves with the base rate even when the classifier does not.",
        sentence=_OF + "predicted negative, {own} % do not have {outcome}" + _AGAINST,
        empty="nobody is predicted negative", aliases={"yardstick": "npv", "aequitas": "npv"},
        shown=("summary", "errors"),
    ),
    Metric(
        "FDR", "False discovery rate", "of those predicted positive, the share with the negative outcome", event="Y=0",
        given="D=1", complement="PPV", better="lower",
        question="Are people predicted positive without {outcome} equally often in the groups of {by}?",
        matters="Matters to whoever is predicted positive by mistake.",
        misleads="It moves with the base rate even when the classifier does not.",
        sentence=_OF + "predicted positive, {own} % do not have {outcome}" + _AGAINST,
        empty="nobody is predicted positive", aliases={"aequitas": "fdr"},
    ),
    Metric(
        "FOR", "False omission rate", "of those predicted negative, the share with the positive outcome", event="Y=1",
        given="D=0", complement="NPV", better="lower",
        question="Do people predicted negative have {outcome} equally often in the groups of {by}?",
        matters="Matters where a missed case harms those who rely on a negative prediction.",
        misleads="It moves with the base rate even when the classifier does not.",
        sentence=_OF + "predicted negative, {own} % have {outcome}" + _AGAINST, empty="nobody is predicted negative",
        aliases={"aequitas": "for"},
    ),
    Metric(
        "accuracy", "Accuracy", "share of people whose prediction equals their outcome", event="D=Y",
        complement="classification error", better="higher", claim=7,
        question="Is the prediction right equally often in the groups of {by}?",
        matters="Says how often the prediction is right.",
        misleads="Mixes two kinds of error that rarely cost the same; equal accuracy can hide opposite errors.",
        sentence="{own} % of {group} ({attribute}) were predicted correctly" + _AGAINST,
        empty="nobody with outcome and decision", aliases={"yardstick": "accuracy"},
        shown=("summary", "errors", "overall"),
    ),
    Metric(
        "classification error", "Classification error", "share of people whose prediction is not their outcome",
        event="D≠Y", complement="accuracy", better="lower", short="error", empty="nobody with outcome and decision",
        tables=("compare",), shown=("levels", "gaps", "by group", "costs"),
    ),
    Metric(
        "scoring rate", "Scoring rate", "share of people who score above the median of all scores", needs=("score",),
        better="higher", claim=10,
        question="Do the groups of {by} score above the median ({score}) equally often?",
        matters="Stands for the selection rate where scores have no threshold.",
        misleads="It looks at one point of the scores, which nobody may decide at.",
        sentence="{own} % of {group} ({attribute}) score above the median of the sample ({score})" + _AGAINST,
        empty="no known score", reference="Rules of the City of New York, title 6, section 5-300",
        shown=("summary",),
    ),
)
# fmt: on
