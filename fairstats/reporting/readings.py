"""The sentences beside the numbers: when a statistic matters, what misleads, and where each method is from."""

from __future__ import annotations

# statistic -> when it matters, and what would make it misleading
READINGS: dict[str, str] = {
    "selection rate": "Matters when the decision is what people want. It ignores every difference in qualification; "
    "whether those differences are themselves just is not a question that these data answer.",
    "base rate": "Matters as the ground on which errors stand. If the label was recorded more readily for one group "
    "(more policing, more testing), it measures the recording.",
    "TPR": "Matters when missing a true case harms. It trusts the label: mislabelled cases move it either way.",
    "FPR": "Matters when a wrong alarm harms. Groups with different base rates can differ here although the score "
    "means the same in each.",
    "PPV": "Matters to whoever acts on the prediction. It moves with the base rate even when the classifier does not.",
    "NPV": "Matters to whoever relies on a negative prediction. It moves with the base rate as the former does.",
    "accuracy": "Mixes two kinds of error that rarely cost the same; equal accuracy can hide opposite errors.",
    "AUC": "Matters for ranking. It says nothing of any one threshold and is blind to a shift of all scores.",
    "P(X>Y)": "Matters when scores are compared across groups. 0.5 does not mean equal distributions.",
    "score shift": "In the unit of the score; with a coarse score many differences are tied.",
    "Brier score": "Mixes calibration and spread; compare it only among groups with similar base rates.",
    "equalized odds": "The larger of two gaps: it says that some error differs, not which one hurts more.",
    "R2": "Linear association in the sample of the fit; a non-linear trace of the group may remain.",
}

GENERAL: tuple[str, ...] = (
    "The rows are treated as independent draws from the population that the report is read for. If the file is the "
    "whole population, the intervals describe the process that made it, not sampling.",
    "Who is in the data was decided before this audit. Selection into the file can make or hide a disparity.",
    "An interval that includes equality does not show equality; only an equivalence margin, declared in advance, can.",
    "A difference between groups is an association. Its causes are not in these tables.",
    "Groups are as recorded. Recording may differ from how people describe themselves, and missing groups are not "
    "random.",
)

# a word in the method or metric of a row -> its source
REFERENCES: dict[str, str] = {
    "wilson": "Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. "
    "JASA 22, 209-212.",
    "clopper": "Clopper, C. J. and Pearson, E. S. (1934). The use of confidence or fiducial limits. "
    "Biometrika 26, 404-413.",
    "newcombe interval": "Newcombe, R. G. (1998). Interval estimation for the difference between independent "
    "proportions. Statistics in Medicine 17, 873-890.",
    "newcombe 5": "Newcombe, R. G. (2006). Confidence intervals for an effect size measure based on the "
    "Mann-Whitney statistic, part 2. Statistics in Medicine 25, 559-573.",
    "miettinen": "Miettinen, O. and Nurminen, M. (1985). Comparative analysis of two rates. "
    "Statistics in Medicine 4, 213-226.",
    "koopman": "Koopman, P. A. R. (1984). Confidence intervals for the ratio of two binomial proportions. "
    "Biometrics 40, 513-517.",
    "fisher": "Fisher, R. A. (1935). The logic of inductive inference. JRSS 98, 39-82.",
    "delong": "DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988). Comparing the areas under two or more "
    "correlated receiver operating characteristic curves. Biometrics 44, 837-845.",
    "mann whitney": "Mann, H. B. and Whitney, D. R. (1947). On a test of whether one of two random variables is "
    "stochastically larger than the other. Ann. Math. Stat. 18, 50-60.",
    "brunner": "Brunner, E. and Munzel, U. (2000). The nonparametric Behrens-Fisher problem. "
    "Biometrical Journal 42, 17-25.",
    "hodges": "Hodges, J. L. and Lehmann, E. L. (1963). Estimates of location based on rank tests. "
    "Ann. Math. Stat. 34, 598-611.",
    "mantel": "Mantel, N. and Haenszel, W. (1959). Statistical aspects of the analysis of data from retrospective "
    "studies of disease. JNCI 22, 719-748.",
    "og": "Aliverti, E., Lum, K., Johndrow, J. E. and Dunson, D. B. (2021). Removing the influence of group variables "
    "in high-dimensional predictive modelling. JRSS A 184, 791-811.",
    "fair_spectral": "Kleindessner, M., Samadi, S., Awasthi, P. and Morgenstern, J. (2019). Guarantees for spectral "
    "clustering with fairness constraints. ICML. Wang, J., Lu, D., Davidson, I. and Bai, Z. (2023). Scalable spectral "
    "clustering with group fairness constraints. AISTATS.",
    "spectral": "von Luxburg, U. (2007). A tutorial on spectral clustering. Statistics and Computing 17, 395-416.",
    "holm": "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scand. J. Statist. 6, 65-70.",
    "bh": "Benjamini, Y. and Hochberg, Y. (1995). Controlling the false discovery rate. JRSS B 57, 289-300.",
}
