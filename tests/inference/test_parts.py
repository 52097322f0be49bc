"""Parts of a gap against statsmodels, brute force and theorems; published numbers stand in tests of ``decompose``."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
import pytest

from fairstats.inference.parts.adjusted import NOBODY_ALIKE, RESTING, adjusted_gaps, one_sided
from fairstats.inference.parts.coefficients import FORMS, Decomposed, GapTerm, by_coefficients
from fairstats.inference.parts.matched import by_matching
from fairstats.inference.parts.models import SEPARATES, fitted, freedom
from fairstats.inference.parts.quantiles import APART, by_reweighting, quantile, recentered
from fairstats.inference.parts.strata import ONE_SIDED, by_strata
from fairstats.inference.parts.units import Pair, paired
from fairstats.language import says


def drawn(n: int = 240, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Amounts, covariates (a number, and a factor of three levels as two columns), groups and weights."""
    rng = np.random.default_rng(seed)
    member = rng.random(n) < 0.4
    level = rng.integers(0, 3, n)
    X = np.stack([rng.normal(size=n) - 0.5 * member, level == 1, level == 2], axis=1).astype(float)
    y = 2 + X @ [1.0, 0.5, -0.5] - 0.4 * member + 0.3 * member * X[:, 0] + rng.normal(size=n) * (1 + 0.5 * member)
    return y, X, member, rng.uniform(0.5, 2, n)


TERMS = (GapTerm("number", (0,)), GapTerm("factor", (1, 2), 3))


def values(result: Decomposed, form: str = "pooled_with_group") -> dict[tuple[str, str], float]:
    return {(p.component, p.term): p.estimate for p in result.parts if p.form in ("", form)}


@pytest.mark.parametrize(
    ("form", "named"),
    [("pooled_with_group", "pooled"), ("share", "cotton"), ("pooled", "nuemark"), ("reference", "self_submitted")],
)
def test_twofold_is_that_of_statsmodels(form: str, named: str):
    from statsmodels.stats.oaxaca import OaxacaBlinder

    y, X, member, _ = drawn()
    whole = np.column_stack([np.ones(len(y)), X, member])
    theirs = OaxacaBlinder(y, whole, whole.shape[1] - 1, hasconst=True, swap=False)
    weight = {"submitted_weight": 1.0} if named == "self_submitted" else {}
    result = values(by_coefficients(paired(y, X, member), TERMS, form), form)
    unexplained, explained, gap = -np.array(theirs.two_fold(two_fold_type=named, **weight).params)
    if named == "nuemark":  # statsmodels 0.15 keeps the column of the group in this one: Jann's, not Neumark's
        full = np.column_stack([np.ones(len(y)), X])
        slopes = np.linalg.lstsq(full, y, rcond=None)[0]
        explained = (full[member].mean(0) - full[~member].mean(0)) @ slopes
        unexplained = gap - explained
    ours = [result[name, ""] for name in ("unexplained", "explained", "gap")]
    np.testing.assert_allclose(ours, [unexplained, explained, gap], atol=1e-10)


def test_threefold_is_that_of_statsmodels():
    from statsmodels.stats.oaxaca import OaxacaBlinder

    y, X, member, _ = drawn()
    whole = np.column_stack([np.ones(len(y)), X, member])
    theirs = -np.array(OaxacaBlinder(y, whole, whole.shape[1] - 1, hasconst=True, swap=False).three_fold().params)
    result = values(by_coefficients(paired(y, X, member), TERMS, "share", threefold=True), "threefold")
    ours = [result[name, ""] for name in ("endowments", "coefficients", "interaction", "gap")]
    np.testing.assert_allclose(ours, theirs, atol=1e-10)


@pytest.mark.parametrize("link", ["identity", "logit"])
@pytest.mark.parametrize("form", [*FORMS, 0.3])
def test_terms_add_up_and_do_not_depend_on_the_omitted_level(link: str, form: str | float):
    y, X, member, w = drawn()
    y = (y > 2).astype(float) if link == "logit" else y
    other = np.column_stack([X[:, 0], 1 - X[:, 1] - X[:, 2], X[:, 2]])  # another level left out
    name = form if isinstance(form, str) else f"{form:g}"
    first, second = (
        values(by_coefficients(paired(y, Z, member, w), TERMS, form, link=link, threefold=True), name)
        for Z in (X, other)
    )
    for component in ("explained", "unexplained"):
        terms = [v for (c, term), v in first.items() if c == component and term]
        assert len(terms) in (2, 3) and np.isclose(sum(terms), first[component, ""], atol=1e-9)
    assert np.isclose(first["explained", ""] + first["unexplained", ""], first["gap", ""])
    np.testing.assert_allclose(list(second.values()), list(first.values()), atol=1e-7)


@pytest.mark.parametrize("clustered", [pytest.param(False, marks=pytest.mark.slow), True])
def test_errors_are_those_of_leaving_out_each_unit(clustered: bool):
    """Linearized errors of every part beside the jackknife, which computes it again without each person or cluster."""
    n = 400 if clustered else 200
    y, X, member, w = drawn(n)
    units = np.arange(n) % 25 if clustered else np.arange(n)
    result = by_coefficients(paired(y, X, member, w, units if clustered else None), TERMS, 0.3, threefold=True)
    again = []
    for unit in np.unique(units):
        keep = units != unit
        again.append([p.estimate for p in by_coefficients(paired(y[keep], X[keep], member[keep], w[keep]), TERMS, 0.3,
                                                          threefold=True).parts])  # fmt: skip
    left_out = np.array(again)
    K = len(left_out)
    jackknife = np.sqrt((K - 1) / K * ((left_out - left_out.mean(0)) ** 2).sum(0))
    ours = np.array([p.std_error for p in result.parts])
    # a product of two estimates has the variance of both together, too, which no unit alone moves
    np.testing.assert_allclose(ours, jackknife, rtol=0.15 if clustered else 0.07)


def test_the_error_of_a_gap_is_welch_s():
    y, X, member, _ = drawn()
    part = by_coefficients(paired(y, X, member), TERMS, "pooled").parts[0]
    welch = sum(y[side].var(ddof=1) / side.sum() for side in (member, ~member)) ** 0.5
    assert np.isclose(part.std_error, welch, rtol=1e-12)


def test_gelbach_is_the_change_of_the_group_s_coefficient():
    """Gelbach (2016): what adding covariates moves of the coefficient, divided among them by auxiliary regressions."""
    y, X, member, _ = drawn()
    ones = np.column_stack([np.ones(len(y)), member])
    base = np.linalg.lstsq(ones, y, rcond=None)[0][1]
    full = np.linalg.lstsq(np.column_stack([ones, X]), y, rcond=None)[0]
    auxiliary = np.linalg.lstsq(ones, X, rcond=None)[0][1]
    result = values(by_coefficients(paired(y, X, member), TERMS, "pooled_with_group", separate=False))
    assert np.isclose(result["explained", "number"], auxiliary[0] * full[2])
    assert np.isclose(result["explained", "factor"], auxiliary[1:] @ full[3:])
    assert np.isclose(result["unexplained", ""], full[1]) and np.isclose(result["gap", ""], base)


def test_yun_is_the_difference_of_mean_predictions():
    import statsmodels.api as sm

    y, X, member, _ = drawn(600)
    y = (y > 2).astype(float)
    slopes = sm.Logit(y[~member], sm.add_constant(X[~member])).fit(disp=0)
    predicted = slopes.predict(sm.add_constant(X[member])).mean()
    result = values(by_coefficients(paired(y, X, member), TERMS, "reference", link="logit"), "reference")
    assert np.isclose(result["explained", ""], predicted - y[~member].mean(), atol=1e-8)
    assert np.isclose(result["unexplained", ""], y[member].mean() - predicted, atol=1e-8)
    shift = (X[member].mean(0) - X[~member].mean(0)) * slopes.params[1:]
    assert np.isclose(result["explained", "number"], result["explained", ""] * shift[0] / shift.sum(), atol=1e-8)


def test_fairlie_divides_yun_s_explained_part_in_the_order_of_terms():
    y, X, member, _ = drawn(600)
    pair = paired((y > 2).astype(float), X, member)
    result, other = (values(by_matching(pair, terms, "reference", 1), "reference") for terms in (TERMS, TERMS[::-1]))
    whole = values(by_coefficients(pair, TERMS, "reference", link="logit"), "reference")["explained", ""]
    for one in (result, other):
        assert np.isclose(one["explained", "number"] + one["explained", "factor"], whole)
    assert result["explained", "number"] != other["explained", "number"]


def test_fairlie_with_one_term_is_the_whole_explained_part():
    y, X, member, _ = drawn(600)
    pair = paired((y > 2).astype(float), X, member)
    result = values(by_matching(pair, (GapTerm("all", (0, 1, 2)),), "pooled", 1), "pooled")
    assert np.isclose(result["explained", "all"], result["explained", ""])


# Strata.


def cell_pair(codes: np.ndarray, y: np.ndarray, member: np.ndarray) -> tuple[Pair, np.ndarray]:
    order = np.argsort(member, kind="stable")
    return paired(y, np.zeros((len(y), 0)), member), codes[order]


def test_kitagawa_is_the_formula_of_1955():
    rng = np.random.default_rng(3)
    n = 400
    member, level = rng.random(n) < 0.5, rng.integers(0, 4, n)
    y = (rng.random(n) < 0.2 + 0.1 * level + 0.1 * member).astype(float)
    pair, codes = cell_pair(level[:, None], y, member)
    result = values(by_strata(pair, codes, ["level"]), "average")
    frame = pd.DataFrame({"y": y, "member": member, "level": level})
    rate = frame.groupby(["member", "level"]).y.mean().unstack()
    share = pd.crosstab(frame.member, frame.level, normalize="index")
    composition = ((share.loc[True] - share.loc[False]) * (rate.loc[True] + rate.loc[False]) / 2).sum()
    rates = ((rate.loc[True] - rate.loc[False]) * (share.loc[True] + share.loc[False]) / 2).sum()
    assert np.isclose(result["explained", ""], composition) and np.isclose(result["unexplained", ""], rates)
    assert np.isclose(result["explained", "level"], composition)
    assert np.isclose(result["gap", ""], composition + rates)


def test_das_gupta_s_factors_are_averages_over_all_orders():
    """Three factors by brute force: each cell's share is a product of factors, changed one after the other."""
    rng = np.random.default_rng(4)
    n = 3000
    member = rng.random(n) < 0.5
    codes = np.stack(
        [rng.integers(0, 2, n), (rng.random(n) < 0.3 + 0.3 * member).astype(int), rng.integers(0, 3, n)], 1
    )
    y = codes @ [0.3, 0.5, 0.2] + rng.normal(size=n)
    pair, arranged = cell_pair(codes, y, member)
    result = values(by_strata(pair, arranged, ["a", "b", "c"]), "average")
    frame = pd.DataFrame(codes, columns=list("abc")).assign(y=y, member=member)
    rates = frame.groupby(["member", *"abc"]).y.mean().unstack("member")
    factors = {side: _factors(frame[frame.member == side]) for side in (True, False)}
    effect = dict.fromkeys("abc", 0.0)
    for order in permutations("abc"):
        now = dict.fromkeys("abc", False)
        for name in order:
            before = np.prod([factors[now[f]][f] for f in "abc"], axis=0)
            now[name] = True
            after = np.prod([factors[now[f]][f] for f in "abc"], axis=0)
            effect[name] += ((after - before) * rates.mean(axis=1).to_numpy()).sum() / 6
    for name, value in effect.items():
        assert np.isclose(result["explained", name], value)


def _factors(frame: pd.DataFrame) -> dict[str, np.ndarray]:
    """Das Gupta's formula for three factors: (N_ijk/N_.jk)^1/3 (N_ij./N_.j. N_i.k/N_..k)^1/6 (N_i../N_...)^1/3."""
    N = frame.groupby(list("abc")).size().unstack("c").stack().to_numpy().reshape(2, 2, 3).astype(float)
    out = {}
    for axis, name in enumerate("abc"):
        first, second = (other for other in range(3) if other != axis)

        def over(*axes: int) -> np.ndarray:
            return N.sum(axis=axes, keepdims=True)

        value = (N / over(axis)) ** (1 / 3) * (over(first, second) / over(0, 1, 2)) ** (1 / 3)
        value = value * (over(second) / over(axis, second) * over(first) / over(axis, first)) ** (1 / 6)
        out[name] = value.ravel()
    return out


def test_a_stratum_of_one_group_has_no_rates_to_compare():
    y, member = np.array([1.0, 0, 1, 0, 1]), np.array([True, True, False, False, False])
    pair, codes = cell_pair(np.array([[0], [1], [0], [0], [0]]), y, member)
    result = by_strata(pair, codes, ["a"])
    assert says(result.parts[1].reason, ONE_SIDED) and np.isnan(result.parts[1].estimate)
    assert np.isclose(result.parts[0].estimate, 0.5 - 2 / 3)


# Quantiles.


def test_reweighting_by_one_factor_is_standardization():
    """With a saturated model the weights are ratios of shares: the mean is that of the group's shares."""
    rng = np.random.default_rng(5)
    n = 500
    member = rng.random(n) < 0.4
    level = (rng.random(n) < 0.3 + 0.3 * member).astype(int)
    y = level + rng.normal(size=n)
    result = values(by_reweighting(paired(y, level[:, None].astype(float), member), "reference", None)[0], "reference")
    means = [y[~member & (level == one)].mean() for one in (0, 1)]
    standardized = np.average(means, weights=np.bincount(level[member]))
    assert np.isclose(result["explained", ""], standardized - y[~member].mean())
    assert np.isclose(result["unexplained", ""], y[member].mean() - standardized)


def test_reweighting_of_the_group_is_the_same_from_the_other_side():
    y, X, member, w = drawn(500)
    there = values(by_reweighting(paired(y, X, member, w), "group", 0.5)[0], "group")
    back = values(by_reweighting(paired(y, X, ~member, w), "reference", 0.5)[0], "reference")
    assert np.isclose(there["explained", ""], -back["explained", ""])
    assert np.isclose(there["unexplained", ""], -back["unexplained", ""])


def test_weights_without_overlap_are_said_to_be_infinite():
    y, X, member, _ = drawn()
    X[:, 0] += 100 * member
    result, balance = by_reweighting(paired(y, X, member), "reference", 0.5)
    assert balance is None and says(result.parts[1].reason, APART)


def test_weighted_quantiles_are_numpy_s_where_weights_are_equal():
    y = np.random.default_rng(6).normal(size=31)
    for at in (0.1, 0.5, 0.77):
        assert np.isclose(quantile(y, np.full(31, 3.0), at), np.quantile(y, at))


def test_recentered_influences_have_the_quantile_as_their_mean_under_ties():
    y, X, member, w = drawn()
    pair = paired(np.round(y), X, member, w)
    recent = recentered(pair, 0.5)
    for rows in pair.sides:
        wanted = quantile(pair.y[rows], pair.weights[rows], 0.5)
        assert np.isclose(np.average(recent.y[rows], weights=pair.weights[rows]), wanted)


# The adjusted gap.


def test_adjusted_gaps_are_regressions_with_interactions_and_hc3():
    """Lin (2013): the coefficient of the group where covariates are centered at everybody's means."""
    import statsmodels.api as sm

    y, X, member, w = drawn(500)
    result = adjusted_gaps(y, X, member.astype(int), 0, w)[1]
    centered = X - np.average(X, axis=0, weights=w)
    design = np.column_stack([np.ones(len(y)), member, centered, centered * member[:, None]])
    lin = sm.WLS(y, design, weights=w).fit(cov_type="HC3")
    assert np.isclose(result.estimate, lin.params[1])
    assert lin.bse[1] <= result.std_error < 1.05 * lin.bse[1]  # ours has the covariates' means, too
    plain = sm.WLS(y, np.column_stack([np.ones(len(y)), member, X]), weights=w).fit(cov_type="HC3")
    assert np.isclose(result.plain, plain.params[1]) and np.isclose(result.plain_error, plain.bse[1], rtol=1e-6)


def test_small_groups_have_common_slopes_and_say_so():
    y, X, member, _ = drawn(80)
    member[:] = np.arange(80) < 30
    result = adjusted_gaps(y, X, member.astype(int), 0)[1]
    assert result.common and result.reason and result.estimate == result.plain
    assert by_coefficients(paired(y, X, member), TERMS, "pooled_with_group").undivided


def test_clusters_have_satterthwaite_s_degrees_of_freedom():
    y, X, member, _ = drawn(400)
    clusters = np.arange(400) % 15
    result = adjusted_gaps(y, X, member.astype(int), 0, None, clusters)[1]
    assert 3 < result.plain_df < 15 and result.plain_error > 0


def test_degrees_of_freedom_are_bell_and_mccaffrey_s():
    """The moments of a quadratic form of residuals of equal variance, by matrices of all people."""
    y, X, member, w = drawn(90)
    pair, to = paired(y, X, member, w), np.array([1.0, 0.3, -0.2, 0.1])
    rows = pair.sides[0]
    fit = fitted("identity", rows, pair.y, pair)
    design, W = pair.common[rows], np.diag(pair.weights[rows])
    left = np.eye(len(design)) - design @ fit.bread @ design.T @ W
    A = np.diag(W @ design @ fit.bread @ to / np.diag(left))
    form = A @ left @ left.T @ A
    assert freedom(pair, rows, fit, to) == pytest.approx(np.trace(form) ** 2 / np.trace(form @ form))
    units = np.arange(90) // 3
    pair = paired(y, X, member, w, units)
    rows = pair.sides[0]
    fit, of = fitted("identity", rows, pair.y, pair), pair.clusters[rows]
    design, W = pair.common[rows], np.diag(pair.weights[rows])
    left, pull = np.eye(len(of)) - design @ fit.bread @ design.T @ W, W @ design @ fit.bread @ to
    A = np.zeros((len(np.unique(of)), len(of)))  # what each cluster brings, its residuals as without it
    for row, unit in zip(A, np.unique(of), strict=True):
        inside = np.flatnonzero(of == unit)
        row[inside] = np.linalg.solve(left[np.ix_(inside, inside)].T, pull[inside])
    form = A @ left @ left.T @ A.T
    assert freedom(pair, rows, fit, to) == pytest.approx(np.trace(form) ** 2 / np.trace(form @ form))
    balanced = paired(y, np.zeros((90, 0)), member)  # of means alone: Student's
    fit = fitted("identity", rows, balanced.y, balanced)
    assert freedom(balanced, rows, fit, np.ones(1)) == pytest.approx(member.sum() - 1)


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize(("few", "common"), [(1, True), (3, True), (40, False)])
def test_a_level_with_few_of_a_group_leaves_it_no_slopes(few: int, common: bool, clustered: bool):
    rng = np.random.default_rng(few)
    member = np.arange(600) < 200
    level = np.where(member, np.arange(600) < few, rng.random(600) < 0.4).astype(float)
    y = 20 + 6 * level + rng.normal(size=600)
    clusters = np.arange(600) // 4 if clustered else None  # the first holds four of the level
    result = adjusted_gaps(y, level[:, None], member.astype(int), 0, None, clusters)[1]
    assert result.common == common and says(result.reason, RESTING) == common
    design = np.column_stack([np.ones(600), member, level])
    assert not common or np.isclose(result.estimate, np.linalg.lstsq(design, y, rcond=None)[0][1])
    found = by_coefficients(paired(y, level[:, None], member, None, clusters), (GapTerm("level", (0,), 2),), "group")
    unexplained = next(p for p in found.parts if p.component == "unexplained" and not p.term)
    assert np.isfinite(unexplained.estimate) and np.isnan(unexplained.std_error) == common


def test_a_covariate_that_is_the_group_has_no_adjusted_gap():
    y, X, member, _ = drawn()
    result = adjusted_gaps(y, np.column_stack([X, member]), member.astype(int), 0)[1]
    assert np.isnan(result.estimate) and says(result.reason, NOBODY_ALIKE)


def test_levels_of_one_group_are_named():
    assert one_sided(np.array([0, 0, 1, 2, 2]), np.array([0, 1, 1, 0, 1]), 3) == [1]


def test_separated_decisions_have_no_parts_and_say_why():
    _, X, member, _ = drawn()
    result = by_coefficients(paired((X[:, 0] > 0).astype(float), X, member), TERMS, "pooled", link="logit")
    part = next(p for p in result.parts if p.form == "pooled")
    assert np.isnan(part.estimate) and says(part.reason, SEPARATES)


@pytest.mark.parametrize("weighted", [False, True])
def test_exchanged_residuals_are_those_of_freedman_and_lane(weighted: bool):
    """By hand: permute the residuals without the group, fit the whole again, divide the gap by its HC3 error."""
    rng = np.random.default_rng(5)
    X, member = rng.normal(size=(30, 1)), np.arange(30) < 8
    y = X[:, 0] + rng.exponential(size=30)
    w = rng.lognormal(0, 0.8, 30) if weighted else np.ones(30)
    found = adjusted_gaps(y, X, member.astype(int), 0, w if weighted else None)[1]
    observed, drawn = found.permuted.statistics(1.0, 0.0)
    design = np.column_stack([np.ones(30), X, member])
    bread = np.linalg.inv(design.T @ (w[:, None] * design))
    leverage = w * np.einsum("ij,jk,ik->i", design, bread, design)

    def studentized(values):
        beta = bread @ design.T @ (w * values)
        pull = w * (design @ bread)[:, -1] * (values - design @ beta) / (1 - leverage)
        return beta[-1] / np.sqrt(pull @ pull)

    root = np.sqrt(w)
    null = y - design[:, :2] @ np.linalg.lstsq(root[:, None] * design[:, :2], root * y, rcond=None)[0]
    ours = np.sort(drawn)
    brute = np.sort([studentized(rng.permutation(null)) for _ in range(4000)])
    assert np.isclose(observed, studentized(y)) and found.common
    assert np.abs(np.searchsorted(brute, ours) / 4000 - (np.arange(ours.size) + 0.5) / ours.size).max() < 0.06
    assert found.permuted.tails(1.0, found.estimate) == pytest.approx((0.5, 0.5), abs=0.15)
