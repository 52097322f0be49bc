"""Estimates as the report words them: names, units, statuses and claims; how numbers are written is in `text`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from fairstats import metrics
from fairstats.auditing.naming import attribute_in_words as attribute_in_words
from fairstats.auditing.naming import worded as worded
from fairstats.auditing.sentences import column_name
from fairstats.auditing.subgroups import RESIDUAL
from fairstats.document import Strong
from fairstats.estimates import EVERYBODY, SHOWN, STATUS_NAMES, STATUSES, TESTED, Estimate, alone
from fairstats.inference.verdicts import beyond, decisive_interval, decisive_level
from fairstats.language import mark, parts, say, translated
from fairstats.methods.registry import METHODS, Method
from fairstats.metrics import PEOPLE, PERCENT, PLAIN, PROBES, RATIO, SCORE, Metric
from fairstats.text import DASH as DASH
from fairstats.text import MINUS as MINUS
from fairstats.text import NumberText, capital, number, percent, small
from fairstats.text import compact as compact
from fairstats.text import count as count
from fairstats.text import impact_ratio as impact_ratio
from fairstats.text import level as level
from fairstats.text import listed as listed
from fairstats.text import p_value as p_value
from fairstats.text import ratio_span as ratio_span
from fairstats.text import setting as setting
from fairstats.text import signed as signed
from fairstats.text import significant as significant
from fairstats.text import span as span
from fairstats.text import tiny as tiny


def metric_row(metric: str) -> Metric:
    """The metric's row of the vocabulary; one that a result brings by itself has its name and no more."""
    return metrics.METRICS.get(metric) or Metric(metric, capital(metric), "", scale=PLAIN)


def heading(metric: str) -> str:
    """The metric's name as a heading."""
    if metric in metrics.METRICS:
        return say(metric_row(metric).heading)
    return say(metrics.HEADINGS[metric]) if metric in metrics.HEADINGS else capital(translated(metric))


# metrics that are themselves a contrast of groups, which is not named twice
CONTRASTS = {
    "difference": {"standardized difference", "demographic parity difference", "equalized odds difference"},
    "ratio": {"impact ratio", "conditional odds ratio", "common odds ratio", "equalized odds ratio"},
}
# and those whose heading has it before other words: no "s" at their end makes several of them
LONGER_CONTRASTS = {
    "difference": {"risk difference within strata", "mean difference within strata", "homogeneity of differences"},
    "ratio": {"scoring impact ratio", "risk ratio within strata", "homogeneity of odds ratios"},
}


def is_contrast(row: Estimate) -> bool:
    """Whether the metric of a row is itself the contrast of groups that the row has.

    >>> [is_contrast(Estimate(metric, contrast="ratio")) for metric in ("impact ratio", "selection rate")]
    [True, False]
    """
    return any(row.metric in of.get(row.contrast, ()) for of in (CONTRASTS, LONGER_CONTRASTS))


def in_text(metric: str) -> str:
    """The metric's name inside a sentence: lower case unless it is an acronym, or of somebody.

    >>> in_text("selection rate"), in_text("AUC"), in_text("Brier score")
    ('selection rate', 'AUC', 'Brier score')
    """
    return metrics.in_text(metric) if metric in metrics.METRICS else heading(metric)


def meaning(metric: str) -> str:
    """What the metric says in plain words, "" where the vocabulary has no sentence for it."""
    return say(metric_row(metric).meaning)


def reading(metric: str) -> str:
    """What the metric says, when it matters, what misleads, and what its complement is called.

    >>> reading("Cliff's delta")
    'P(X>Y) less P(X<Y) of a group and the reference. The probability of a higher score on another scale.'
    """
    row = metric_row(metric)
    other = row.complement and say(
        "The {rate} ({short}) is 100% minus this.", rate=in_text(row.complement), short=row.complement
    )
    text = (capital(f"{say(row.meaning)}."), say(row.matters), say(row.misleads), other)
    return " ".join(part for part in text if part)


NUMBER_OF = "number of components"  # a metric that is a whole number
# how the numbers of a scale are written
SCALES: dict[str, Callable[[float], str]] = {
    PERCENT: percent,
    SCORE: lambda value: small(value, 3),
    RATIO: lambda value: number(value, 2),
    PEOPLE: number,
    PLAIN: compact,
}


def scale(row: Estimate) -> Callable[[float], str]:
    """How the row's numbers are printed: shares and their differences in per cent, ratios and scores as they are."""
    if row.contrast == "ratio":
        return impact_ratio
    if row.metric == NUMBER_OF:
        return count
    return SCALES[SCORE if row.metric in PROBES.values() else metric_row(row.metric).scale]


def unit(row: Estimate) -> str:
    """The unit of the row's estimate, "" for a pure number."""
    if row.contrast == "ratio" or metric_row(row.metric).scale != PERCENT:
        return ""
    return f" {say('points')}" if row.contrast == "difference" else say("{share}%", share="")


def unit_of(metric: str, contrast: str = "none") -> str:
    """The unit in the header of a column of one metric."""
    return unit(Estimate(metric, contrast=contrast)).strip()


def estimate(row: Estimate) -> str:
    """The estimate with its unit, or why there is none; a test and a bound have none."""
    if shown(row):
        value, of = scale(row)(row.estimate), unit(row)
        return NumberText(f"{value}{of}", value=value, unit=of.strip())
    return DASH if row.status == "ok" else status(row)


def estimate_or_ends(row: Estimate, ends: Estimate | None) -> str:
    """The estimate with its unit, or its ends over people who were withheld."""
    if ends is None:
        return estimate(row)
    both = span(ends.conf_low, ends.conf_high, scale(row))
    return both if both == DASH else f"{both}{unit(row)}"


def shown(row: Estimate) -> bool:
    """Whether the row has a number to print."""
    return row.status == "ok" and not math.isnan(row.estimate)


ALONE = "\N{DAGGER}"  # shown for its own rate, not with all rates of page one allowed for
VERDICTS = {
    "disparity shown": mark("shown"),
    "flagged": mark("flagged"),
    "equivalence shown": mark("within margin"),
    "inconclusive": mark("not settled"),
}


def verdict(row: Estimate, margin: float | None = None, level: float = math.nan) -> str:
    """The verdict in the words that every page has for it, "" where there is none.

    margin: the declared one of differences of shares, which a difference that is shown lies beyond or not.
    level: up to which an adjusted p-value is a finding of page one; one above it has a dagger.

    >>> gap = Estimate("FPR", contrast="difference", verdict="disparity shown", conf_low=0.01, conf_high=0.2)
    >>> verdict(gap), verdict(gap, 0.05), verdict(gap.changed(conf_low=0.06), 0.05), verdict(gap, level=0.01)
    ('shown', 'shown; over 5.0 not settled', 'beyond margin', 'shown')
    >>> verdict(gap.changed(p_adjusted=0.02), level=0.01), verdict(gap.changed(verdict="inconclusive"), level=0.01)
    ('tentative †', 'not settled')
    """
    if row.verdict == "disparity shown" and margin is not None and unit_of(row.metric, row.contrast):
        present = say("shown; over {margin} not settled", margin=percent(margin))
        present = say("beyond margin") if beyond(row, margin) else present
    elif row.verdict == "inconclusive" and (row.reference == EVERYBODY or row.metric == RESIDUAL.name):
        present = say("not flagged")  # in a scan of subgroups nothing is asked but that
    else:
        present = say(VERDICTS[row.verdict]) if row.verdict in VERDICTS else say(row.verdict)
    if alone(row, level):
        return say("tentative {sign}", sign=ALONE)
    return Strong(present) if row.verdict in SHOWN else present


def interval(row: Estimate, conf_level: float = math.nan, show: Callable[[float], str] | None = None) -> str:
    """The interval that the row's verdict is read from, as "a to b" in the unit of its estimate.

    That of practical equality, which has another level than the others of its column, says which; with ``conf_level``,
    the level of a family, that of its family. ``show`` writes a limit.

    Examples
    --------
    >>> row = Estimate("FPR", contrast="difference", estimate=0.01, conf_low=-0.06, conf_high=0.08, conf_level=0.95)
    >>> interval(row), interval(row.changed(verdict="equivalence shown", margin_low=-0.04, margin_high=0.06))
    ('−6.0 to 8.0', '90%: −4.0 to 6.0')
    """
    if row.status not in TESTED:
        return DASH
    low, high = decisive_interval(row)
    ends = ratio_span(low, high) if row.contrast == "ratio" and show is None else span(low, high, show or scale(row))
    other = decisive_level(row)
    if ends == DASH or other == level(row.conf_level):
        return ends
    if conf_level == conf_level:
        other = level(2 * conf_level - 1)
    text = say("{level}: {interval}", level=other, interval=ends)
    return NumberText(text, ends.low, ends.high) if isinstance(ends, NumberText) else text


def status(row: Estimate) -> str:
    """The status in words, with its reason.

    >>> status(Estimate("TPR", status="unestimable", reason="no positives"))
    'not estimable: no positives'
    """
    if row.status == "ok":
        return say("not computed")
    if not row.reason:
        return say(STATUSES[row.status])
    return f"{short_status(row)}: {translated(row.reason)}"


def short_status(row: Estimate) -> str:
    """The status in words, without its reason."""
    return say("not computed") if row.status == "ok" else say(STATUS_NAMES[row.status])


def pair(row: Estimate) -> str:
    """Both groups of a comparison; of one without a reference its group."""
    if not row.reference:
        return row.group
    if row.reference == EVERYBODY:
        return say("{group} against everybody", group=row.group)
    return say("{group} against {reference}", group=row.group, reference=translated(row.reference))


def less_baseline(row: Estimate) -> str:
    """The two models of a change, the one less the other."""
    return say("“{model}” less “{baseline}”", model=row.model, baseline=row.versus)


def claim(row: Estimate, what: str = "") -> str:
    """What a row of page one is about, in words; ``what``: its metric, where that is called otherwise."""
    what = what or heading(row.metric)
    attribute = f" ({column_name(row.attribute)})" if row.attribute else ""
    models = f", {less_baseline(row)}" if row.model and row.versus and not row.fit else ""
    if row.reference:
        kind = {"difference": mark("difference"), "ratio": mark("ratio"), "none": ""}[row.contrast]
        kind = mark("change of the difference") if models else "" if is_contrast(row) else kind
        return f"{what}{', ' + say(kind) if kind else ''}: {pair(row)}{attribute}{models}"
    if models:
        return f"{what}{models}"
    return (
        f"{what}: {row.group}{attribute}" if row.group else f"{what}{': ' + translated(row.term) if row.term else ''}"
    )


# The standing limits of a report, and the source of each method and statistic that it shows.


DRAWN = (
    "The rows are treated as independent draws from the population that the report is read for. If the file is the "
    "whole population, the intervals describe the process that made it, not sampling."
)
DRAWN_CLUSTERS = mark(
    "The clusters ({name}) are treated as independent draws from the population that the report is read for, the rows "
    "within a cluster are not. If the file is the whole population, the intervals describe the process that made it, "
    "not sampling."
)
DRAWN_BY_DESIGN = mark(
    "People are treated as drawn from the population by the declared sampling design: its units (clusters, where it "
    "names some) independently within its strata."
)
GENERAL: tuple[str, ...] = (
    DRAWN,
    "Who is in the data was decided before this audit. Selection into the file can make or hide a disparity.",
    "An interval that includes equality does not show equality; only an equivalence margin, declared in advance, can.",
    "A difference between groups is an association. Its causes are not in these tables.",
    "Rates are of groups: whether any one person was judged rightly is not in them.",
    "Groups are as recorded. Recording may differ from how people describe themselves, and missing groups may "
    "not be random.",
)
OF_INTERVALS = DRAWN, GENERAL[2]  # which a report without intervals and tests does not need

# what is no method of the registry -> where it is from
OTHERS: dict[str, tuple[str, ...]] = {
    "Oaxaca and Blinder": (
        "Oaxaca, R. (1973). Male-female wage differentials in urban labor markets. International Economic Review 14, "
        "693-709.",
        "Blinder, A. S. (1973). Wage discrimination: reduced form and structural estimates. Journal of Human Resources "
        "8, 436-455.",
        "Jann, B. (2008). The Blinder-Oaxaca decomposition for linear regression models. Stata Journal 8, 453-479.",
    ),
    "Kitagawa and Das Gupta": (
        "Kitagawa, E. M. (1955). Components of a difference between two rates. JASA 50, 1168-1194.",
    ),
    "Yun, logistic regression": (
        "Yun, M.-S. (2004). Decomposing differences in the first moment. Economics Letters 82, 275-280.",
    ),
    "Fairlie, in formula order": (
        "Fairlie, R. W. (2005). An extension of the Blinder-Oaxaca decomposition technique to logit and probit models. "
        "Journal of Economic and Social Measurement 30, 305-316.",
    ),
    "reweighting, DiNardo, Fortin and Lemieux": (
        "DiNardo, J., Fortin, N. M. and Lemieux, T. (1996). Labor market institutions and the distribution of wages, "
        "1973-1992: a semiparametric approach. Econometrica 64, 1001-1044.",
    ),
    "regression of recentered influences, RIF": (
        "Firpo, S., Fortin, N. M. and Lemieux, T. (2009). Unconditional quantile regressions. Econometrica 77, "
        "953-973.",
    ),
    "Gelbach": (
        "Gelbach, J. B. (2016). When do covariates matter? And which ones, and how much? Journal of Labor Economics "
        "34, 509-543.",
    ),
    "correlation_remover": (
        "Weerts, H., Dudík, M., Edgar, R., Jalali, A., Lutz, R. and Madaio, M. (2023). Fairlearn: assessing and "
        "improving fairness of AI systems. JMLR 24, 1-8.",
    ),
    "pope_sydnor": (
        "Pope, D. G. and Sydnor, J. R. (2011). Implementing anti-discrimination policies in statistical profiling "
        "models. American Economic Journal: Economic Policy 3, 206-231.",
    ),
    "spectral_clustering": (
        "von Luxburg, U. (2007). A tutorial on spectral clustering. Statistics and Computing 17, 395-416.",
    ),
    "fair_spectral_clustering": (
        "Kleindessner, M., Samadi, S., Awasthi, P. and Morgenstern, J. (2019). Guarantees for spectral clustering with "
        "fairness constraints. ICML.",
        "Wang, J., Lu, D., Davidson, I. and Bai, Z. (2023). Scalable spectral clustering with group fairness "
        "constraints. AISTATS.",
    ),
}
# the adjustment in force -> its source
ADJUSTMENTS: dict[str, str] = {
    "holm": "Holm, S. (1979). A simple sequentially rejective multiple test procedure. "
    "Scandinavian Journal of Statistics 6, 65-70.",
    "bh": "Benjamini, Y. and Hochberg, Y. (1995). Controlling the false discovery rate: a practical and powerful "
    "approach to multiple testing. JRSS B 57, 289-300.",
    "bonferroni": "Dunn, O. J. (1961). Multiple comparisons among means. JASA 56, 52-64.",
    "all pairs": "Hsu, J. C. (1996). Multiple comparisons: theory and methods, chapter 4. Chapman & Hall.",
}
THEOREM = (  # that error rates cannot all be equal
    "Chouldechova, A. (2017). Fair prediction with disparate impact: a study of bias in recidivism prediction "
    "instruments. Big Data 5, 153-163."
)
# what a row is computed by -> its source; of two, which are one method, both; in the form that `exports.bibtex` reads
STATISTICS: dict[str, str] = {
    "freedman": "Freedman, D. and Lane, D. (1983). A nonstochastic interpretation of reported significance levels. "
    "Journal of Business & Economic Statistics 1(4), 292-298.",
    "lognormal": "Krishnamoorthy, K. and Mathew, T. (2003). Inferences on the means of lognormal distributions using "
    "generalized p-values and generalized confidence intervals. Journal of Statistical Planning and Inference 115, "
    "103-121.",
    "lin": "Lin, W. (2013). Agnostic notes on regression adjustments to experimental data: reexamining Freedman's "
    "critique. Annals of Applied Statistics 7, 295-318.",
    "hc3": "MacKinnon, J. G. and White, H. (1985). Some heteroskedasticity-consistent covariance matrix estimators "
    "with improved finite sample properties. Journal of Econometrics 29, 305-325.",
    "fieller": "Fieller, E. C. (1954). Some problems in interval estimation. JRSS B 16, 175-185.",
    "studentized": "Janssen, A. (1997). Studentized permutation tests for non-i.i.d. hypotheses and the generalized "
    "Behrens-Fisher problem. Statistics & Probability Letters 36, 9-21.",
    "order statistics": "Scheffe, H. and Tukey, J. W. (1945). Non-parametric estimation. I. Validation of order "
    "statistics. Annals of Mathematical Statistics 16, 187-192.",
    "woodruff": "Woodruff, R. S. (1952). Confidence intervals for medians and other position measures. JASA 47, "
    "635-646.",
    "wilson": "Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. "
    "JASA 22, 209-212.",
    "clopper": "Clopper, C. J. and Pearson, E. S. (1934). The use of confidence or fiducial limits illustrated in "
    "the case of the binomial. Biometrika 26, 404-413.",
    "jeffreys": "Brown, L. D., Cai, T. T. and DasGupta, A. (2001). Interval estimation for a binomial proportion. "
    "Statistical Science 16, 101-133.",
    "newcombe interval": "Newcombe, R. G. (1998). Interval estimation for the difference between independent "
    "proportions: comparison of eleven methods. Statistics in Medicine 17, 873-890.",
    "newcombe paired": "Newcombe, R. G. (1998). Improved confidence intervals for the difference between binomial "
    "proportions based on paired data. Statistics in Medicine 17, 2635-2650.",
    "newcombe 5": "Newcombe, R. G. (2006). Confidence intervals for an effect size measure based on the "
    "Mann-Whitney statistic. Part 2: asymptotic methods and evaluation. Statistics in Medicine 25, 559-573.",
    "miettinen": "Miettinen, O. and Nurminen, M. (1985). Comparative analysis of two rates. "
    "Statistics in Medicine 4, 213-226.",
    "by": "Benjamini, Y. and Yekutieli, D. (2001). The control of the false discovery rate in multiple testing under "
    "dependency. Annals of Statistics 29, 1165-1188.",
    "equivalence": "Schuirmann, D. J. (1987). A comparison of the two one-sided tests procedure and the power approach "
    "for assessing the equivalence of average bioavailability. Journal of Pharmacokinetics and Biopharmaceutics 15, "
    "657-680.",
    "koopman": "Koopman, P. A. R. (1984). Confidence intervals for the ratio of two binomial proportions. "
    "Biometrics 40, 513-517.",
    "log interval": "Katz, D., Baptista, J., Azen, S. P. and Pike, M. C. (1978). Obtaining confidence intervals for "
    "the risk ratio in cohort studies. Biometrics 34, 469-474.",
    "unconditional": "Agresti, A. and Min, Y. (2001). On small-sample confidence intervals for parameters in discrete "
    "distributions. Biometrics 57, 963-971; Berger, R. L. and Boos, D. D. (1994). P values maximized over a confidence "
    "set for the nuisance parameter. JASA 89, 1012-1016.",
    "fisher": "Fisher, R. A. (1935). The logic of inductive inference. JRSS 98, 39-82.",
    "mid p": "Lancaster, H. O. (1961). Significance tests in discrete distributions. JASA 56, 223-234.",
    "pooled z": "Fleiss, J. L., Levin, B. and Paik, M. C. (2003). Statistical methods for rates and proportions, "
    "3rd edition, chapters 3 and 4. Wiley.",
    "chi square": "Pearson, K. (1900). On the criterion that a given system of deviations from the probable in the "
    "case of a correlated system of variables is such that it can be reasonably supposed to have arisen from random "
    "sampling. Philosophical Magazine 50, 157-175.",
    "max t": "Westfall, P. H. and Young, S. S. (1993). Resampling-based multiple testing: examples and methods "
    "for p-value adjustment, section 2.5. Wiley.",
    "rao scott": "Rao, J. N. K. and Scott, A. J. (1992). A simple method for the analysis of clustered binary data. "
    "Biometrics 48, 577-585.",
    "effective": "Korn, E. L. and Graubard, B. I. (1998). Confidence intervals for proportions with small expected "
    "number of positive counts estimated from survey data. Survey Methodology 24, 193-201; Dean, N. and Pagano, M. "
    "(2015). Evaluating confidence interval methods for binomial proportions in clustered surveys. "
    "Journal of Survey Statistics and Methodology 3, 484-503.",
    "complex survey": "Lumley, T. (2010). Complex Surveys: A Guide to Analysis Using R, chapter 2. Wiley.",
    "cr2": "Bell, R. M. and McCaffrey, D. F. (2002). Bias reduction in standard errors for linear regression with "
    "multi-stage samples. Survey Methodology 28, 169-181; Pustejovsky, J. E. and Tipton, E. (2018). Small-sample "
    "methods for cluster-robust variance estimation and hypothesis testing in fixed effects models. Journal of "
    "Business & Economic Statistics 36, 672-683.",
    "jackknife": "MacKinnon, J. G., Nielsen, M. Ø. and Webb, M. D. (2023). Fast and reliable jackknife and bootstrap "
    "methods for cluster-robust inference. Journal of Applied Econometrics 38, 671-694.",
    "hotelling": "Tipton, E. and Pustejovsky, J. E. (2015). Small-sample adjustments for tests of moderators and model "
    "fit using robust variance estimation in meta-regression. Journal of Educational and Behavioral Statistics 40, "
    "604-634.",
    "imbens": "Imbens, G. W. and Manski, C. F. (2004). Confidence intervals for partially identified parameters. "
    "Econometrica 72, 1845-1857.",
    "manski": "Manski, C. F. (2003). Partial identification of probability distributions, chapter 1. Springer.",
    "selections missing": "Gastwirth, J. L. (1988). Statistical reasoning in law and public policy, volume 1. "
    "Academic Press.",
    "recounted": "Roth, P. L., Bobko, P. and Switzer, F. S. (2006). Modeling the behavior of the 4/5ths rule for "
    "determining adverse impact: reasons for caution. Journal of Applied Psychology 91, 507-522.",
    "e value": "VanderWeele, T. J. and Ding, P. (2017). Sensitivity analysis in observational research: introducing "
    "the E-value. Annals of Internal Medicine 167, 268-274.",
    "rosenbaum": "Rosenbaum, P. R. (2002). Observational studies, 2nd edition, section 4.2. Springer.",
    "impact ratio": "Uniform Guidelines on Employee Selection Procedures (1978), 29 CFR 1607.4(D).",
    "logit limits": "Pepe, M. S. (2003). The statistical evaluation of medical tests for classification and "
    "prediction, section 5.2. Oxford University Press.",
    "delong": "DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988). Comparing the areas under two or more "
    "correlated receiver operating characteristic curves: a nonparametric approach. Biometrics 44, 837-845.",
    "tango": "Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for the "
    "paired-sample design. Statistics in Medicine 17, 891-908.",
    "data splitting": "Cox, D. R. (1975). A note on data-splitting for the evaluation of significance levels. "
    "Biometrika 62, 441-444.",
    "all claims": "Berger, R. L. (1982). Multiparameter hypothesis testing and acceptance sampling. Technometrics 24, "
    "295-300.",
    "mover": "Zou, G. Y. and Donner, A. (2008). Construction of confidence limits about effect measures: a "
    "general approach. Statistics in Medicine 27, 1693-1702.",
    "bets": "Turner, R. J., Ly, A. and Grünwald, P. D. (2024). Generic E-variables for exact sequential k-sample tests "
    "that allow for optional stopping. Journal of Statistical Planning and Inference 230, 106116; Waudby-Smith, I. and "
    "Ramdas, A. (2024). Estimating means of bounded random variables by betting. JRSS B 86, 1-27; Chugg, B., "
    "Cortes-Gomez, S., Wilder, B. and Ramdas, A. (2023). Auditing fairness by betting. NeurIPS 36.",
    "planned looks": "Lan, K. K. G. and DeMets, D. L. (1983). Discrete sequential boundaries for clinical trials. "
    "Biometrika 70, 659-663; Jennison, C. and Turnbull, B. W. (1989). Interim analyses: the repeated confidence "
    "interval approach. JRSS B 51, 305-361.",
    "bound": "Kallus, N., Mao, X. and Zhou, A. (2022). Assessing algorithmic fairness with unobserved protected class "
    "using data combination. Management Science 68, 1959-1981.",
    "weighted by probabilities": "Chen, J., Kallus, N., Mao, X., Svacha, G. and Udell, M. (2019). Fairness under "
    "unawareness: assessing disparity when protected class is unobserved. FAT* 2019, 339-348.",
    "linear in probabilities": "Elzayn, H., Smith, E., Hertz, T., Guage, C., Ramesh, A., Fisher, R., Ho, D. E. and "
    "Goldin, J. (2025). Measuring and mitigating racial disparities in tax audits. Quarterly Journal of Economics 140, "
    "113-163.",
    "design based rank": "Lumley, T. and Scott, A. J. (2013). Two-sample rank tests under complex sampling. "
    "Biometrika 100, 831-842.",
    "mann whitney": "Mann, H. B. and Whitney, D. R. (1947). On a test of whether one of two random variables is "
    "stochastically larger than the other. Annals of Mathematical Statistics 18, 50-60.",
    "brunner": "Brunner, E. and Munzel, U. (2000). The nonparametric Behrens-Fisher problem: asymptotic theory and a "
    "small-sample approximation. Biometrical Journal 42, 17-25; Neubert, K. and Brunner, E. (2007). A studentized "
    "permutation test for the non-parametric Behrens-Fisher problem. CSDA 51, 5192-5204.",
    "cliff": "Cliff, N. (1993). Dominance statistics: ordinal analyses to answer ordinal questions. "
    "Psychological Bulletin 114, 494-509.",
    "hodges": "Hodges, J. L. and Lehmann, E. L. (1963). Estimates of location based on rank tests. "
    "Annals of Mathematical Statistics 34, 598-611.",
    "moses": "Hollander, M., Wolfe, D. A. and Chicken, E. (2014). Nonparametric statistical methods, 3rd edition, "
    "section 4.3. Wiley.",
    "kolmogorov": "Smirnov, N. (1948). Table for estimating the goodness of fit of empirical distributions. "
    "Annals of Mathematical Statistics 19, 279-281.",
    "kruskal": "Kruskal, W. H. and Wallis, W. A. (1952). Use of ranks in one-criterion variance analysis. "
    "JASA 47, 583-621.",
    "dunn": "Dunn, O. J. (1964). Multiple comparisons using rank sums. Technometrics 6, 241-252.",
    "elteren": "van Elteren, P. H. (1960). On the combination of independent two-sample tests of Wilcoxon. "
    "Bulletin of the International Statistical Institute 37, 351-361.",
    "mantel": "Mantel, N. and Haenszel, W. (1959). Statistical aspects of the analysis of data from retrospective "
    "studies of disease. JNCI 22, 719-748.",
    "wilson limits combined": "Greenland, S. and Robins, J. M. (1985). Estimation of a common effect parameter from "
    "sparse follow-up data. Biometrics 41, 55-68; Klingenberg, B. (2014). A new and improved confidence interval for "
    "the Mantel-Haenszel risk difference. Statistics in Medicine 33, 2968-2983.",
    "standardization": "Lane, P. W. and Nelder, J. A. (1982). Analysis of covariance and standardization as instances "
    "of prediction. Biometrics 38, 613-621.",
    "linearized": "Binder, D. A. (1983). On the variances of asymptotically normal estimators from complex surveys. "
    "International Statistical Review 51, 279-292.",
    "conditional": "Birch, M. W. (1964). The detection of partial association, I: the 2 x 2 case. JRSS B 26, 313-324.",
    "robins": "Robins, J., Breslow, N. and Greenland, S. (1986). Estimators of the Mantel-Haenszel variance "
    "consistent in both sparse data and large-strata limiting models. Biometrics 42, 311-323.",
    "homogeneity": "Zelen, M. (1971). The analysis of several 2 x 2 contingency tables. Biometrika 58, 129-137.",
    "breslow day": "Breslow, N. E. and Day, N. E. (1980). Statistical methods in cancer research, volume 1: the "
    "analysis of case-control studies. IARC; "
    "Tarone, R. E. (1985). On heterogeneity tests based on efficient scores. Biometrika 72, 91-95.",
    "logistic recalibration": "Cox, D. R. (1958). Two further applications of a model for binary regression. "
    "Biometrika 45, 562-565.",
    "spiegelhalter": "Spiegelhalter, D. J. (1986). Probabilistic prediction in patient management and clinical "
    "trials. "
    "Statistics in Medicine 5, 421-433.",
    "expected calibration error": "Kumar, A., Liang, P. and Ma, T. (2019). Verified uncertainty calibration. "
    "NeurIPS 32.",
    "area between roc": "Gardner, J., Brooks, C. and Baker, R. (2019). Evaluating the fairness of predictive student "
    "models through slicing analysis. LAK 9, 225-234.",
    "hall": "Hall, P. (1992). On the removal of skewness by transformation. JRSS B 54, 221-228.",
    "brier": "Brier, G. W. (1950). Verification of forecasts expressed in terms of probability. Monthly Weather "
    "Review 78, 1-3.",
    "welch": "Welch, B. L. (1947). The generalization of Student's problem when several different population "
    "variances are involved. Biometrika 34, 28-35.",
    "equalized odds": "Hardt, M., Price, E. and Srebro, N. (2016). Equality of opportunity in supervised learning. "
    "NIPS 29.",
    "nadeau": "Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52, 239-281.",
    "bootstrap": "Efron, B. and Tibshirani, R. J. (1993). An introduction to the bootstrap. Chapman & Hall.",
    "distance correlation": "Székely, G. J., Rizzo, M. L. and Bakirov, N. K. (2007). Measuring and testing dependence "
    "by correlation of distances. Annals of Statistics 35, 2769-2794.",
    "mmd": "Gretton, A., Borgwardt, K. M., Rasch, M. J., Schölkopf, B. and Smola, A. (2012). A kernel two-sample test. "
    "JMLR 13, 723-773.",
}

_CORRELATED = (
    "Wilson limits of both rates combined by their correlation (MOVER)",
    "Wilson limits of both values combined by their correlation, then of both groups (MOVER)",
    "Wilson limits of both values combined by their correlation (MOVER)",
)
# what is computed -> the templates of methods, and the metrics, that say so
_COMPUTED: dict[str, tuple[str, ...]] = {
    "wilson": (
        *_CORRELATED,
        "Wilson interval",
        "Wilson interval, joint with that of the gap",
        "MOVER of Wilson limits, Student's t",
        "Wilson limits combined, variance without equal differences",
        "Wilson limits of the odds, combined (MOVER, Bonferroni over all pairs)",
        "Wilson score interval",
        "Wilson score interval (all bootstrap replicates are equal)",
        "Wilson score interval on the effective size, t",
        "linearized, Wilson limits combined",
    ),
    "clopper": ("Clopper-Pearson exact interval",),
    "newcombe paired": _CORRELATED,
    "bets": ("e-process of bets and confidence sequence, one error rate over all periods",),
    "planned looks": ("stratified test and repeated confidence limits of planned looks, by alpha spending",),
    "bound": (
        "bound with limits of both ends",
        "bound, without sampling error",
    ),
    "weighted by probabilities": (
        "weighted by the probabilities, delta method",
        "weighted and corrected by the people whose group is known, delta method",
    ),
    "linear in probabilities": ("linear regression on the probabilities, robust errors",),
    "jeffreys": ("Jeffreys interval",),
    "newcombe interval": (
        "Newcombe",
        "Newcombe interval",
    ),
    "newcombe 5": (
        "Newcombe 5",
        "Newcombe 5, effective sizes",
    ),
    "miettinen": (
        "Miettinen-Nurminen",
        "Miettinen-Nurminen interval",
        "Miettinen-Nurminen interval, joint with that of the accuracy",
        "Miettinen-Nurminen interval; of period t a share 1/(t(t+1)) of the error, so that all hold together",
        "Miettinen-Nurminen intervals of each group and all others, Bonferroni",
    ),
    "koopman": (
        "Koopman",
        "Koopman interval",
        "Koopman interval; pooled z statistic; Fisher's exact test",
        "Koopman intervals of each group and all others, Bonferroni",
    ),
    "log interval": ("log interval",),
    "unconditional": (
        "at least the p of the exact unconditional test of effective counts",
        "exact unconditional test and score test: the larger p",
        "exact unconditional test",
        "power {n} of the exact unconditional test with its score interval, at {m}",
    ),
    "fisher": (
        "Fisher's exact test and score test: the larger p",
        "Fisher's exact test",
        "Fisher's mid-p test",
        "Koopman interval; pooled z statistic; Fisher's exact test",
    ),
    "mid p": (
        "Fisher's mid-p test",
        "Rosenbaum bound, exact conditional mid-p",
        "exact conditional test within strata, mid-p",
    ),
    "pooled z": (
        "Koopman interval; pooled z statistic; Fisher's exact test",
        "pooled Z",
        "pooled z-test",
        "power {n} of the pooled z-test on effective sizes, at {m}",
    ),
    "chi square": (
        "Pearson's chi-square test",
        "permutation test of chi-square",
    ),
    "max t": ("simultaneous {name} intervals (permutation max-t)",),
    "rao scott": ("Rao-Scott score test on effective sizes, t",),
    "effective": (
        ", effective sizes, t",
        "Korn-Graubard interval of few effective events, t",
        "Newcombe 5, effective sizes",
        "Rao-Scott score test on effective sizes, t",
        "Wilson score interval on the effective size, t",
        "approximate Hotelling test on effective sizes, F",
        "at least the p of the exact unconditional test of effective counts",
        "linearized by cluster, limits of a score test on effective sizes (jackknife)",
        "variance of the survey's design, limits of a score test on effective sizes",
        "power {n} of the pooled z-test on effective sizes, at {m}",
        "simultaneous {name} intervals on effective sizes, t (Bonferroni, all pairs)",
    ),
    "complex survey": (
        "means with the variance of the survey's design, t",
        "variance of the survey's design, limits of a score test on effective sizes",
        "variance of the survey's design, logit, t",
        "variance of the survey's design, t",
    ),
    "cr2": (
        "CR2 of clusters, t with Satterthwaite's df",
        "cluster-robust errors (CR2), t",
    ),
    "jackknife": (
        "linearized by cluster (jackknife), logit, t",
        "linearized by cluster, limits of a score test on effective sizes (jackknife)",
    ),
    "hotelling": (
        "approximate Hotelling test on effective sizes, F",
        "design-based rank test, approximate Hotelling, F",
    ),
    "imbens": ("worst cases over what is missing, with sampling error (Imbens-Manski)",),
    "manski": (
        "worst cases over what is missing (Manski); without sampling error",
        "worst cases over what is missing, with sampling error (Imbens-Manski)",
    ),
    "selections missing": ("selections missing to the highest rate",),
    "recounted": ("recounted",),
    "e value": (
        "E-value",
        "E-value of the risk ratio",
    ),
    "rosenbaum": (
        "Rosenbaum bound",
        "Rosenbaum bound, exact conditional mid-p",
    ),
    "impact ratio": (
        "impact ratio",
        "scoring impact ratio",
    ),
    "logit limits": (
        "DeLong, logit",
        "logit limits",
    ),
    "delong": (
        "DeLong",
        "DeLong on the logit scale, within folds",
        "DeLong on the logit scale, within folds; van Elteren, and the limits, one-sided",
        "DeLong, logit",
        "DeLong, paired",
        "DeLong, paired (no variance)",
        "logit limits of both AUCs combined by DeLong's correlation (MOVER)",
        "logit limits of the AUCs combined by DeLong's correlation, then of both groups (MOVER)",
        "limits of the two areas combined (MOVER; DeLong on the logit scale, t)",
    ),
    "lognormal": ("{method}; as spreads seem to differ, the test of lognormal means where its p is larger",),
    "lin": ("linear regression of each group, standardized to everybody; {text}",),
    "hc3": (
        "HC3, t",
        "HC3, t without and with Hall's correction of skewness",
        "HC3, t without and with Hall's correction of skewness, and a permutation test of residuals: the larger p",
    ),
    "freedman": (
        "HC3, t without and with Hall's correction of skewness, and a permutation test of residuals: the larger p",
    ),
    "fieller": ("gap of means", "gap of means within strata", "adjusted gap of means"),
    "studentized": (
        "studentized permutation test and Welch's t: the larger p",
        "studentized permutation test, all permutations, and Welch's t: the larger p",
    ),
    "order statistics": ("order statistics", "order statistics, limits combined (MOVER)"),
    "woodruff": ("Woodruff's limits", "Woodruff's limits combined (MOVER)"),
    "tango": (
        "Tango's limits of both groups combined (MOVER), and the test that agrees with them",
        "Tango's limits of two rates of the same people, and the test that agrees with them",
    ),
    "mover": (
        *_CORRELATED,
        "Tango's limits of both groups combined (MOVER), and the test that agrees with them",
        "logit limits of both AUCs combined by DeLong's correlation (MOVER)",
        "logit limits of the AUCs combined by DeLong's correlation, then of both groups (MOVER)",
        "Woodruff's limits combined (MOVER)",
        "order statistics, limits combined (MOVER)",
        "Hall limits combined (MOVER)",
        "Hall limits of the means, combined (MOVER, Bonferroni over all pairs)",
        "MOVER of Wilson limits, Student's t",
        "Wilson limits of the odds, combined (MOVER, Bonferroni over all pairs)",
        "difference of two Mantel-Haenszel differences, their limits joined (MOVER), normal approximation",
        "limits of the two areas combined (MOVER; DeLong on the logit scale, t)",
        "limits of the two areas combined (MOVER; linearized, logit, t)",
        "simultaneous intervals against the best other category (MOVER of exact limits, Bonferroni), at most 1",
        "{text} (MOVER)",
    ),
    "design based rank": (
        "design-based rank test, approximate Hotelling, F",
        "design-based rank test, t",
    ),
    "mann whitney": (
        "Mann-Whitney, exact",
        "Mann-Whitney, exact given the ties",
        "Mann-Whitney, normal approximation",
    ),
    "brunner": (
        "Brunner-Munzel within strata, weighted by n1 n0 / (n1 + n0 + 1)",
        "Brunner-Munzel, logit, {text}",
        "Brunner-Munzel, t",
    ),
    "cliff": ("Cliff's delta",),
    "hodges": (
        "Hodges-Lehmann within strata, if the shapes agree",
        "Hodges-Lehmann, Moses, if the shapes agree",
        "Hodges-Lehmann, if the shapes agree",
    ),
    "moses": ("Hodges-Lehmann, Moses, if the shapes agree",),
    "kolmogorov": (
        "Kolmogorov-Smirnov distance",
        "Kolmogorov-Smirnov, asymptotic",
        "Kolmogorov-Smirnov, exact given the ties",
        "mean of {n} splits; twice the median p of Kolmogorov-Smirnov",
    ),
    "kruskal": ("Kruskal-Wallis",),
    "dunn": ("Dunn",),
    "elteren": (
        "DeLong on the logit scale, within folds; van Elteren, and the limits, one-sided",
        "van Elteren",
        "van Elteren, normal approximation",
    ),
    "mantel": (
        "stratified difference (Mantel-Haenszel weights), a fifth of the error",
        "Cochran-Mantel-Haenszel test",
        "Cochran-Mantel-Haenszel test with continuity correction",
        "Mantel-Haenszel",
        "Mantel-Haenszel, Robins-Breslow-Greenland interval",
        "Mantel-Haenszel, {text}",
        "difference of two Mantel-Haenszel differences, their limits joined (MOVER), normal approximation",
    ),
    "wilson limits combined": (
        "Wilson limits combined, variance without equal differences",
        "linearized, Wilson limits combined",
    ),
    "standardization": ("standardization, {text}",),
    "linearized": (
        "limits of the two areas combined (MOVER; linearized, logit, t)",
        "linearized by cluster (jackknife), logit, t",
        "linearized by cluster, limits of a score test on effective sizes (jackknife)",
        "linearized, Wilson limits combined",
        "linearized, logit, t",
        "weighted mean of squared distances, linearized; t, adjusted for skewness (Hall)",
    ),
    "conditional": (
        "Rosenbaum bound, exact conditional mid-p",
        "conditional maximum likelihood, limits by inversion of the test",
        "conditional odds ratio",
        "exact conditional test of homogeneity, {n} draws",
        "exact conditional test within strata",
        "exact conditional test within strata, mid-p",
    ),
    "robins": ("Mantel-Haenszel, Robins-Breslow-Greenland interval",),
    "homogeneity": (
        "exact conditional test of homogeneity, {n} draws",
        "homogeneity of differences",
        "homogeneity of odds ratios",
    ),
    "breslow day": ("Breslow-Day test with Tarone's correction",),
    "logistic recalibration": ("logistic recalibration, Wald (against {n})",),
    "spiegelhalter": (
        "Spiegelhalter's test",
        "Spiegelhalter's z",
    ),
    "expected calibration error": ("expected calibration error over {n} bins, debiased",),
    "area between roc": ("area between ROC curves",),
    "hall": (
        "HC3, t without and with Hall's correction of skewness",
        "HC3, t without and with Hall's correction of skewness, and a permutation test of residuals: the larger p",
        "Welch's t, without and with Hall's correction of skewness",
        "studentized permutation test and Welch's t: the larger p",
        "studentized permutation test, all permutations, and Welch's t: the larger p",
        "Hall limits combined (MOVER)",
        "Hall limits of the means, combined (MOVER, Bonferroni over all pairs)",
        "mean of squared distances; t, adjusted for skewness (Hall)",
        "mean, Student corrected for skewness (Hall)",
        "weighted mean of squared distances, linearized; t, adjusted for skewness (Hall)",
    ),
    "brier": ("Brier score",),
    "welch": (
        "Welch's t, without and with Hall's correction of skewness",
        "studentized permutation test and Welch's t: the larger p",
        "studentized permutation test, all permutations, and Welch's t: the larger p",
        "Welch-James form with each group's own spread",
        "score test that the differences are equal, F with Welch's degrees of freedom",
    ),
    "equalized odds": (
        "equalized odds difference",
        "equalized odds ratio",
    ),
    "nadeau": (
        "mean of {n} splits, Nadeau-Bengio",
        "mean of {n} splits, Nadeau-Bengio, strata added",
    ),
    "bootstrap": (
        "Wilson score interval (all bootstrap replicates are equal)",
        "bootstrap of the area between estimated and resampled differences of curves",
        "bootstrap percentiles",
        "studentized bootstrap",
        "{n} bootstrap samples within groups, seed {m}",
    ),
    "distance correlation": ("distance correlation",),
    "mmd": (
        "MMD²",
        "MMD² of the scores between the groups",
    ),
}


def of_method(name: str) -> tuple[str, ...]:
    """The sources of a method, also under the name of one of its variants.

    Examples
    --------
    >>> of_method("og-residual") == of_method("og"), of_method("none")
    (True, ())
    """
    for method in METHODS.values():
        if name == method.name or name in method.variants:
            return method.references
    return OTHERS.get(name, ())


def computed(metric: str, method: str) -> set[str]:
    """What a row is computed by, of which there is a source: by its metric and the templates of its method.

    >>> computed("FPR", "Wilson score interval"), computed("FPR", "an interval like that of Wilson")
    ({'wilson'}, set())
    """
    codes = {metric, method}
    for part in parts(method):
        codes |= {part.template, *(value for value in part.values.values() if isinstance(value, str))}
    return {key for key, texts in _COMPUTED.items() if not codes.isdisjoint(texts)}


def sources(rows: Iterable[tuple[str, str]], methods: Iterable[str], adjustment: str) -> list[str]:
    """The sources of what a report shows, in alphabetical order, each once.

    rows: of the report's estimates, each (metric, method).
    methods: names of the fitted methods.
    adjustment: the adjustment in force, "" where there is none.

    >>> [source[:8] for source in sources([("FPR", "Wilson score interval")], ["og"], "holm")]
    ['Aliverti', 'Holm, S.', 'Wilson, ']
    """
    used = {STATISTICS[key] for row in set(rows) for key in computed(*row)}
    used |= {source for method in methods for source in of_method(method)}
    return sorted(used | ({ADJUSTMENTS[adjustment]} if adjustment in ADJUSTMENTS else set()))


# What methods and models are, in clauses that a reader who knows no statistics can follow.


OTHER_METHODS = {"none": mark("the features as they are"), "logistic": mark("logistic regression")}


ADJUSTED = mark("{method} adjusted the features for {groups}")  # of a method that is not ours


def reduces(name: str) -> bool | None:
    """Whether a method makes components; None of a caller's own."""
    row = _method_called(name)
    return None if row is None else row.reduces


def method_words(name: str) -> str:
    """What a method makes of the features, or which model one is; "" of a caller's own.

    Examples
    --------
    >>> method_words("fair_pca-s"), method_words("mine")
    ('new numbers with the same mean in every group', '')
    """
    row = _method_called(name)
    present = OTHER_METHODS.get(name, "") if row is None else row.makes
    return say(present) if present else ""


def method_title(name: str) -> str:
    """A method in words; of a caller's own, and of a variant, its name.

    Examples
    --------
    >>> method_title("fair_pca"), method_title("fair_pca-s")
    ('fair PCA', '`fair_pca-s`')
    """
    row = METHODS.get(name)
    return say(row.title) if row else f"`{name}`"


def plain_title(name: str) -> str:
    """The same for titles, tables and figures, which set no code."""
    return method_title(name).replace("`", "")


def method_and_name(name: str) -> str:
    """A method in words as sentences say it; one of a caller's own by its name.

    Examples
    --------
    >>> method_and_name("fair_pca"), method_and_name("mine")
    ('fair PCA', '`mine`')
    """
    return method_title(name) if name in METHODS else f"`{name}`"


def _method_called(name: str) -> Method | None:
    return next((row for row in METHODS.values() if name == row.name or name in row.variants), None)


def method_did(name: str, groups: str, called: str = "") -> str:
    """What a method that takes groups out has done, as a clause; of a caller's own what it is meant to do.

    Examples
    --------
    >>> method_did("fair_pca", "sex")
    'fair_pca gave the new features the same mean in every group of sex'
    """
    row = _method_called(name.strip("`"))  # which sentences set as code
    return say(row.did if row and row.did else ADJUSTED, method=called or name, groups=groups)


def explained(names: Iterable[str]) -> str:
    """Each name with what it stands for, those that need it, in their order.

    Examples
    --------
    >>> explained(["og", "mine"])
    'Orthogonal PCA: principal components minus the average differences between groups.'
    """
    items = [(plain_title(name), method_words(name)) for name in dict.fromkeys(names)]
    return " ".join(say("{name}: {meaning}.", name=capital(name), meaning=result) for name, result in items if result)
