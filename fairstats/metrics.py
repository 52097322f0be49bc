"""The vocabulary of metrics: one row a metric, which tables, sentences, reports, R and the documentation read.

A rate is written as a conditional share of the count table outcome Y × decision D (1 is positive): ``event="D=1",
given="Y=1"`` is the true positive rate. A new rate is one row here: audits, comparisons, the bootstrap, reports and
the page of metrics in the documentation then have it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fairstats.errors import InputError, nearest

PERCENT, SCORE, RATIO, PEOPLE, PLAIN = "percent", "score", "ratio", "people", "plain"
UNITS = {PERCENT: "%", SCORE: "", RATIO: "", PEOPLE: "people", PLAIN: ""}
INFINITY = float("inf")
UNKNOWN = 2  # the place of an unknown outcome or decision in the count table
Cells = tuple[tuple[int, int], ...]
# "D=+" is the decision that helps the person; a part holds where the cell (y, d) has it
_PARTS = {"": (None, None), "Y=1": (1, None), "Y=0": (0, None), "D=1": (None, 1), "D=0": (None, 0)}
_AGAINST = " against {base} % of {reference}: {gap}."
_OF = "Of {group} ({attribute}) "


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
    empty: str = "nobody in the denominator"  # what an empty denominator means
    reference: str = ""
    function: str = ""  # "module:name" of the statistic
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
        said = self.event + self.given
        return self.needs or tuple(c for c, letter in (("outcome", "Y"), ("decision", "D")) if letter in said)

    @property
    def symbol(self) -> str:
        """The share as a conditional probability, "" for what is no rate."""
        if not self.is_rate:
            return ""
        return f"P({_spaced(self.event)}{' | ' + _spaced(self.given) if self.given else ''})"

    def cells(self, favors: int = 1) -> tuple[Cells, Cells]:
        """The cells (outcome, decision) of numerator and denominator, 2 for an unknown one.

        Parameters
        ----------
        favors : {0, 1}
            The decision that helps the person.

        Examples
        --------
        >>> METRICS["PPV"].cells()
        (((1, 1),), ((0, 1), (1, 1)))
        """
        known = self.event + self.given
        among = [
            (y, d)
            for y in range(3)
            for d in range(3)
            if not (("Y" in known and y == UNKNOWN) or ("D" in known and d == UNKNOWN))
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


def get(name: str) -> Metric:
    """The row of a metric.

    Raises
    ------
    InputError
        If there is no such metric.

    Examples
    --------
    >>> get("TPR").heading, get("TPR").symbol
    ('True positive rate', 'P(D = 1 | Y = 1)')
    """
    if name not in METRICS:
        raise InputError(f"metric has {name!r}; there is no such metric{nearest(name, METRICS)}.")
    return METRICS[name]


def rates(table: str) -> tuple[Metric, ...]:
    """The rates that an ``"audit"`` or a comparison (``"compare"``) estimates, in order."""
    return tuple(m for m in METRICS.values() if m.is_rate and table in m.tables)


def shown(selection: str) -> tuple[str, ...]:
    """The names of a selection, in order.

    Examples
    --------
    >>> shown("contrasted")
    ('TPR', 'FPR', 'PPV')
    """
    return tuple(m.name for m in METRICS.values() if selection in m.shown)


def claimed() -> tuple[str, ...]:
    """What page one looks at, in order."""
    return tuple(m.name for m in sorted(METRICS.values(), key=lambda m: m.claim) if m.claim)


# fmt: off
def _rows() -> Iterator[Metric]:
    yield Metric(
        "base rate", "Base rate", "share of people with the positive outcome", event="Y=1", claim=2,
        question="Is the positive outcome ({outcome}) equally frequent in the groups of {by}?",
        matters="Matters as the ground on which errors stand.",
        misleads="If the label was recorded more readily for one group (more policing, more testing), it measures the "
        "recording.",
        sentence="{own} % of {group} ({attribute}) have the positive outcome ({outcome})" + _AGAINST,
        empty="no known outcome", aliases={"aequitas": "prev"}, tables=("audit",), shown=("summary", "headline"),
    )
    yield Metric(
        "selection rate", "Selection rate", "share of people who received the favorable decision", event="D=+",
        better="higher", claim=1, short="sel.",
        question="Do the groups of {by} receive the favorable decision ({decision}) equally often?",
        matters="Matters when the decision is what people want.",
        misleads="It ignores every difference in qualification; whether those differences are themselves just is not "
        "a question that these data answer.",
        sentence="{own} % of {group} ({attribute}) received the favorable decision ({decision})" + _AGAINST,
        empty="no known decision", reference="29 CFR 1607.4(D)",
        aliases={"fairlearn": "selection_rate", "yardstick": "detection_prevalence", "aequitas": "pprev"},
        shown=("summary", "headline", "levels", "gaps", "by group", "between"),
    )
    yield Metric(
        "positive rate", "Positive rate", "share of people predicted positive", event="D=1", short="pos.",
        matters="Stands for the selection rate where no prediction was said to help the person.",
        empty="no known decision", aliases={"fairlearn": "selection_rate", "aequitas": "pprev"}, tables=("compare",),
        shown=("levels", "gaps", "by group", "between"),
    )
    yield Metric(
        "TPR", "True positive rate", "of those with the positive outcome, the share predicted positive", event="D=1",
        given="Y=1", complement="FNR", better="higher",
        question="Are people with {outcome} predicted positive equally often in the groups of {by}?",
        matters="Matters when missing a true case harms.",
        misleads="It trusts the label: mislabeled cases move it either way.",
        sentence=_OF + "with {outcome}, {own} % were predicted positive" + _AGAINST, empty="no positives",
        aliases={"fairlearn": "true_positive_rate", "yardstick": "sensitivity", "aequitas": "tpr"},
        shown=("summary", "errors", "contrasted", "forest", "levels", "gaps", "by group", "between"),
    )
    yield Metric(
        "FPR", "False positive rate", "of those with the negative outcome, the share predicted positive", event="D=1",
        given="Y=0", complement="TNR", better="lower", claim=4,
        question="Are people without {outcome} predicted positive equally often in the groups of {by}?",
        matters="Matters when a wrong alarm harms.",
        misleads="Groups with different base rates can differ here although the score means the same in each.",
        sentence=_OF + "without {outcome}, {own} % were predicted positive" + _AGAINST, empty="no negatives",
        aliases={"fairlearn": "false_positive_rate", "aequitas": "fpr"},
        shown=("summary", "errors", "contrasted", "forest", "levels", "gaps", "by group", "between"),
    )
    yield Metric(
        "TNR", "True negative rate", "of those with the negative outcome, the share predicted negative", event="D=0",
        given="Y=0", complement="FPR", better="higher",
        sentence=_OF + "without {outcome}, {own} % were predicted negative" + _AGAINST, empty="no negatives",
        aliases={"fairlearn": "true_negative_rate", "yardstick": "specificity", "aequitas": "tnr"},
        shown=("by group",),
    )
    yield Metric(
        "FNR", "False negative rate", "of those with the positive outcome, the share predicted negative", event="D=0",
        given="Y=1", complement="TPR", better="lower", claim=5,
        sentence=_OF + "with {outcome}, {own} % were predicted negative" + _AGAINST, empty="no positives",
        aliases={"fairlearn": "false_negative_rate", "aequitas": "fnr"}, shown=("by group",),
    )
    yield Metric(
        "PPV", "Positive predictive value", "of those predicted positive, the share with the positive outcome",
        event="Y=1", given="D=1", complement="FDR", better="higher", claim=6,
        question="Do people predicted positive have {outcome} equally often in the groups of {by}?",
        matters="Matters to whoever acts on the prediction.",
        misleads="It moves with the base rate even when the classifier does not.",
        sentence=_OF + "predicted positive, {own} % have {outcome}" + _AGAINST, empty="nobody is predicted positive",
        aliases={"yardstick": "ppv", "aequitas": "precision"}, shown=("summary", "errors", "contrasted"),
    )
    yield Metric(
        "NPV", "Negative predictive value", "of those predicted negative, the share with the negative outcome",
        event="Y=0", given="D=0", complement="FOR", better="higher",
        question="Are people predicted negative without {outcome} equally often in the groups of {by}?",
        matters="Matters to whoever relies on a negative prediction.",
        misleads="It moves with the base rate even when the classifier does not.",
        sentence=_OF + "predicted negative, {own} % do not have {outcome}" + _AGAINST,
        empty="nobody is predicted negative", aliases={"yardstick": "npv", "aequitas": "npv"},
        shown=("summary", "errors"),
    )
    yield Metric(
        "FDR", "False discovery rate", "of those predicted positive, the share with the negative outcome", event="Y=0",
        given="D=1", complement="PPV", better="lower",
        question="Are people predicted positive without {outcome} equally often in the groups of {by}?",
        matters="Matters to whoever is predicted positive by mistake.",
        misleads="It moves with the base rate even when the classifier does not.",
        sentence=_OF + "predicted positive, {own} % do not have {outcome}" + _AGAINST,
        empty="nobody is predicted positive", aliases={"aequitas": "fdr"},
    )
    yield Metric(
        "FOR", "False omission rate", "of those predicted negative, the share with the positive outcome", event="Y=1",
        given="D=0", complement="NPV", better="lower",
        question="Do people predicted negative have {outcome} equally often in the groups of {by}?",
        matters="Matters where a missed case harms those who rely on a negative prediction.",
        misleads="It moves with the base rate even when the classifier does not.",
        sentence=_OF + "predicted negative, {own} % have {outcome}" + _AGAINST, empty="nobody is predicted negative",
        aliases={"aequitas": "for"},
    )
    yield Metric(
        "accuracy", "Accuracy", "share of people whose prediction equals their outcome", event="D=Y",
        complement="classification error", better="higher", claim=7,
        question="Is the prediction right equally often in the groups of {by}?",
        matters="Says how often the prediction is right.",
        misleads="Mixes two kinds of error that rarely cost the same; equal accuracy can hide opposite errors.",
        sentence="{own} % of {group} ({attribute}) were predicted correctly" + _AGAINST,
        empty="nobody with outcome and decision", aliases={"yardstick": "accuracy"},
        shown=("summary", "errors", "overall"),
    )
    yield Metric(
        "classification error", "Classification error", "share of people whose prediction is not their outcome",
        event="D≠Y", complement="accuracy", better="lower", short="error", empty="nobody with outcome and decision",
        tables=("compare",), shown=("levels", "gaps", "by group", "costs"),
    )
    yield Metric(
        "scoring rate", "Scoring rate", "share of people who score above the median of all scores", needs=("score",),
        better="higher", claim=10,
        question="Do the groups of {by} score above the median ({score}) equally often?",
        matters="Stands for the selection rate where scores have no threshold.",
        misleads="It looks at one point of the scores, which nobody may decide at.",
        sentence="{own} % of {group} ({attribute}) score above the median of the sample ({score})" + _AGAINST,
        empty="no known score", reference="Rules of the City of New York, title 6, section 5-300",
        shown=("summary",),
    )
    yield Metric(
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
    )
    yield Metric(
        "risk ratio within strata", "Ratio within strata",
        "ratio of the rates as they would be if both groups were spread over the strata alike", needs=("decision",),
        scale=RATIO, range=(0.0, INFINITY), null=1.0,
        matters="Holds the declared factors fixed.",
        misleads="A ratio of small rates is large where a difference is not.",
        function="fairstats.inference.rates.stratified_rates:stratified_rates",
    )
    yield Metric(
        "standardized difference", "Standardized difference",
        "mean over everybody of the differences from the reference within strata", needs=("decision",),
        range=(-1.0, 1.0),
        matters="Matters when what is asked is about all people of both groups, each stratum with its own.",
        misleads="Strata with few people of one group weigh as much as their size, and say little.",
        function="fairstats.inference.rates.stratified_rates:stratified_rates",
    )
    yield Metric(
        "conditional odds ratio", "Conditional odds ratio",
        "odds ratio against the reference by conditional maximum likelihood", needs=("decision",),
        scale=RATIO, range=(0.0, INFINITY), null=1.0,
        matters="Holds the declared factors fixed, however many strata they make.",
        misleads="An odds ratio is not a ratio of rates; it assumes one in all strata.",
        reference="Breslow, N. E. and Day, N. E. (1980). Statistical methods in cancer research, volume 1. IARC.",
        function="fairstats.inference.rates.stratified_exact:conditional_odds_ratio",
    )
    yield Metric(
        "shortfall in people", "Shortfall within strata",
        "people of the group fewer than equal rates within strata would give", needs=("decision",), scale=PEOPLE,
        range=(-INFINITY, INFINITY), better="lower",
        matters="Says the difference in people, and in standard deviations.",
        misleads="A large group has a large shortfall at a small difference.",
        reference="Gastwirth, J. L. and Greenhouse, S. W. (1995). Biostatistical concepts and methods in the legal "
        "setting. Statistics in Medicine 14, 1641-1653.",
        function="fairstats.inference.rates.pooled_shortfall:pooled_shortfall",
    )
    yield Metric(
        "common odds ratio", "Common odds ratio", "odds ratio against the reference within strata (Mantel-Haenszel)",
        needs=("decision",), scale=RATIO, range=(0.0, INFINITY), null=1.0,
        matters="Holds the declared factors fixed.", misleads="It assumes one odds ratio in all strata.",
        reference="Mantel, N. and Haenszel, W. (1959). JNCI 22, 719-748.",
        function="fairstats.inference.rates.mantel_haenszel:stratified",
    )
    yield Metric(
        "homogeneity of odds ratios", "Homogeneity of odds ratios",
        "test that the odds ratio is the same in all strata",
        needs=("decision",), scale=PLAIN, range=(0.0, INFINITY),
        reference="Breslow, N. E. and Day, N. E. (1980). Statistical methods in cancer research, volume 1. IARC.",
        function="fairstats.inference.rates.mantel_haenszel:stratified",
    )
    yield Metric(
        "impact ratio", "Impact ratio", "selection rate over the highest one", needs=("decision",), scale=RATIO,
        range=(0.0, INFINITY), null=1.0, better="higher",
        question="Is a group selected less than four fifths as often as the group selected most?",
        matters="Matters where the four-fifths rule of thumb is looked at.",
        misleads="It is a rule of thumb of enforcement, and no test.", reference="29 CFR 1607.4(D)",
        function="fairstats.inference.rates.four_fifths:impact_ratio",
        aliases={"fairlearn": "demographic_parity_ratio"}, shown=("impact",),
    )
    yield Metric(
        "shortfall", "Shortfall", "people more who would have to be selected to reach the highest rate",
        needs=("decision",), scale=PEOPLE, range=(-INFINITY, INFINITY), better="lower",
        matters="Says the ratio in people.", misleads="A large group has a large shortfall at a small difference.",
        reference="Gastwirth, J. L. (1988). Statistical Reasoning in Law and Public Policy, volume 1.",
        function="fairstats.inference.rates.four_fifths:shortfall", shown=("impact",),
    )
    yield Metric(
        "scoring impact ratio", "Impact ratio of scoring rates", "scoring rate over the highest one",
        needs=("score",), scale=RATIO, range=(0.0, INFINITY), null=1.0, better="higher",
        matters="Matters where a rule asks for it; nobody was selected by it.",
        misleads="It is a rule of thumb about selections, applied to scores.",
        reference="Rules of the City of New York, title 6, section 5-300",
        function="fairstats.inference.rates.four_fifths:impact_ratio", shown=("scoring impact",),
    )
    yield Metric(
        "scoring shortfall", "Shortfall of scores above the median",
        "people more who would have to score above the median to reach the highest rate", needs=("score",),
        scale=PEOPLE, range=(-INFINITY, INFINITY), better="lower",
        function="fairstats.inference.rates.four_fifths:shortfall", shown=("scoring impact",),
    )
    yield Metric(
        "demographic parity difference", "Demographic parity difference",
        "largest less smallest selection rate over the groups", needs=("decision",), better="lower",
        misleads="A maximum over noisy rates is biased upward: compare methods, not with 0.",
        aliases={"fairlearn": "demographic_parity_difference", "yardstick": "demographic_parity"}, shown=("parity",),
    )
    yield Metric(
        "equalized odds difference", "Equalized odds difference", "larger of the gaps of true and false positive rates",
        needs=("outcome", "decision"), better="lower",
        matters="Matters when both kinds of error do.",
        misleads="The larger of two gaps: it says that some error differs, not which one hurts more.",
        reference="Hardt, M., Price, E. and Srebro, N. (2016). Equality of opportunity in supervised learning. NIPS.",
        function="fairstats.inference.rates.largest_gap:rate_range",
        aliases={"fairlearn": "equalized_odds_difference", "yardstick": "equalized_odds"},
        shown=("at once", "parity"),
    )
    yield Metric(
        "AUC", "AUC", "chance that a person with the positive outcome scores higher than one without",
        needs=("outcome", "score"), scale=SCORE, better="higher", claim=9,
        question="Does {score} order people with and without {outcome} equally well in the groups of {by}?",
        matters="Matters for ranking.",
        misleads="It says nothing of any one threshold and is blind to a shift of all scores.",
        sentence="The AUC of {score} is {size} {side} in {group} than in {reference} ({attribute}): difference "
        "{estimate} ({interval}).",
        function="fairstats.inference.scores.delong:auc", aliases={"yardstick": "roc_auc"},
        shown=("scores", "levels", "gaps", "by group", "overall", "costs"),
    )
    yield Metric(
        "P(X>Y)", "P(X>Y)",
        "chance that a random member of the group scores higher than one of the reference, ties half",
        needs=("score",), scale=SCORE, null=0.5, claim=8,
        question="Who has the higher {score}, a random member of a group of {by} or one of the reference?",
        matters="Matters when scores are compared across groups.",
        misleads="0.5 does not mean equal distributions.",
        sentence="With probability {estimate} ({interval}) a person of {group} scores higher ({score}) than one of "
        "{reference} ({attribute}), ties counted half.",
        function="fairstats.inference.scores.brunner_munzel:relative_effect", shown=("scores", "gaps", "between"),
    )
    yield Metric(
        "score shift", "Shift",
        "median of all differences of two scores, one from the group and one from the reference",
        needs=("score",), scale=PLAIN, range=(-INFINITY, INFINITY),
        matters="In the unit of the score.",
        misleads="It is one number only if the shapes agree; with a coarse score many differences are tied.",
        function="fairstats.inference.scores.hodges_lehmann:hodges_lehmann", shown=("scores",),
    )
    yield Metric(
        "Cliff's delta", "Cliff's delta", "P(X>Y) less P(X<Y) of a group and the reference", needs=("score",),
        scale=SCORE, range=(-1.0, 1.0), matters="P(X>Y) on another scale.",
        reference="Cliff, N. (1993). Dominance statistics. Psychological Bulletin 114, 494-509.",
        function="fairstats.inference.scores.superiority:cliffs_delta",
    )
    yield Metric(
        "Kolmogorov-Smirnov distance", "Kolmogorov-Smirnov distance",
        "largest vertical distance of two distribution functions of scores", needs=("score",), scale=SCORE,
        better="lower", matters="Sees any difference of two distributions.",
        misleads="It does not say in which direction they differ.",
        function="fairstats.inference.scores.kolmogorov_smirnov:kolmogorov_smirnov",
    )
    yield Metric(
        "score distribution", "Score distribution", "test that groups have one distribution of scores",
        needs=("score",), scale=PLAIN, range=(0.0, INFINITY),
        misleads="It rejects for any difference of shape, also where neither group tends to score higher.",
        reference="Kruskal, W. H. and Wallis, W. A. (1952). Use of ranks in one-criterion variance analysis. JASA 47.",
        function="fairstats.inference.scores.kruskal_wallis:kruskal_wallis",
    )
    yield Metric(
        "mean score", "Mean score", "mean of the scores", needs=("score",), scale=PLAIN,
        range=(-INFINITY, INFINITY), short="mean", aliases={"fairlearn": "mean_prediction"},
        shown=("levels", "gaps", "by group", "between", "costs"),
    )
    yield Metric(
        "Brier score", "Brier score", "mean squared distance of score and outcome; smaller is better",
        needs=("outcome", "score"), scale=SCORE, better="lower",
        misleads="Mixes calibration and spread; compare it only among groups with similar base rates.",
        function="fairstats.inference.scores.calibration:calibration_estimates", aliases={"yardstick": "brier_class"},
        shown=("scores",),
    )
    yield Metric(
        "calibration intercept", "Calibration intercept", "0 when the scores are right on average",
        needs=("outcome", "score"), scale=SCORE, range=(-INFINITY, INFINITY), shown=("scores",),
    )
    yield Metric(
        "calibration slope", "Calibration slope", "1 when a higher score means as much more risk as it says",
        needs=("outcome", "score"), scale=SCORE, range=(-INFINITY, INFINITY), shown=("scores",),
    )
    yield Metric(
        "R2", "R\N{SUPERSCRIPT TWO}", "share of a component's variation that the groups explain", scale=SCORE,
        better="lower", matters="Says what a component tells of the groups.",
        misleads="Linear association in the sample of the fit; a non-linear trace of the group may remain.",
    )
    yield Metric(
        "extra error", "Extra error", "variation that the method leaves out, beyond what it must", scale=PLAIN,
        range=(0.0, INFINITY), better="lower",
    )
    yield Metric(
        "explained variance", "Explained variance", "share of the variation that the components keep", scale=SCORE,
        better="higher", shown=("representation",),
    )
    yield Metric(
        "MMD²", "MMD²", "squared distance of two groups' scores in a kernel space; 0 where they are alike",
        scale=PLAIN, range=(0.0, INFINITY), better="lower", shown=("representation",),
    )
    yield Metric(
        "fit seconds", "Fit seconds", "time of fitting the method and transforming the rows", scale=PLAIN,
        range=(0.0, INFINITY), better="lower", shown=("representation",),
    )


# fmt: on
METRICS: dict[str, Metric] = {metric.name: metric for metric in _rows()}
