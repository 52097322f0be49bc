"""Probability weights and clusters: against statsmodels' sandwich variances, and laws of effective sizes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm, t

from fairstats.auditing.audit import audit
from fairstats.auditing.counts import evidence
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rates import rate_rows
from fairstats.auditing.tally import CodedTally, WeightSums
from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.rates.survey import survey_rate
from fairstats.provenance import Attribute


def survey(rng: np.random.Generator, n: int = 600, clusters: int = 40) -> pd.DataFrame:
    """Decisions that vary between clusters more than chance, and weights that are anything."""
    cluster = rng.integers(0, clusters, n)
    effect = rng.normal(0, 0.8, clusters)[cluster]
    group = np.where(rng.random(n) < 0.6, "a", "b")
    decision = (rng.random(n) < 1 / (1 + np.exp(-effect - (group == "a")))).astype(int)
    return pd.DataFrame({"g": group, "d": decision, "w": rng.gamma(2.0, 10.0, n), "c": cluster})


def seen_of(data: pd.DataFrame, weights: bool, clusters: bool) -> tuple[CodedTally, Attribute]:
    levels = Attribute("g", (data["g"] == "b").to_numpy().astype(np.int32), ("a", "b"))
    w = data["w"].to_numpy()
    return (
        CodedTally(
            (levels,),
            np.ones(len(data)),
            decision=data["d"].to_numpy().astype(np.int8),
            weights=WeightSums(np.ones(len(data)), w, w * w) if weights else None,
            clusters=data["c"].to_numpy().astype(np.int32) if clusters else None,
        ),
        levels,
    )


def test_the_size_behind_probability_weights_is_the_smaller_of_the_sandwichs_and_kishs(rng):
    import statsmodels.api as sm

    data = survey(rng)
    seen, levels = seen_of(data, weights=True, clusters=False)
    part = evidence(seen, levels, Protocol(("g",), weights="w", weight_type="probability"))[1][0]
    smaller = set()
    for i, group in enumerate("ab"):
        current = data[data["g"] == group]
        fit = sm.WLS(current["d"], np.ones(len(current)), weights=current["w"]).fit(cov_type="HC1")
        p, kish = fit.params.iloc[0], current["w"].sum() ** 2 / (current["w"] ** 2).sum()
        size = p * (1 - p) / fit.cov_params().iloc[0, 0]
        smaller.add(size < kish)
        assert part.rate[i] == pytest.approx(p, rel=1e-12)
        assert part.size[i] == pytest.approx(min(size, kish), rel=1e-10)
        assert part.design.df(i) == pytest.approx(kish - 1)
    assert smaller == {True, False}  # both occur in these data


def jackknife(x: np.ndarray, y: np.ndarray, clusters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What least squares changes by without each cluster, fitted again: sums of squares, and weights of people."""
    whole, factors = np.linalg.pinv(x), []
    for c in np.unique(clusters):
        rest = np.flatnonzero(clusters != c)
        without = np.zeros_like(whole)
        without[:, rest] = np.linalg.pinv(x[rest])
        factors.append(without - whole)
    values = np.array(factors)  # cluster, coefficient, person
    sums = values @ y
    return sums.T @ sums, values


def test_the_variance_behind_clusters_is_the_jackknifes_and_so_are_correlation_and_degrees_of_freedom(rng):
    data = survey(rng, 160, 12)
    data.loc[:30, "c"] = 0  # one large cluster
    seen, levels = seen_of(data, weights=False, clusters=True)
    part = evidence(seen, levels, Protocol(("g",), clusters="c"))[1][0]
    x = np.column_stack([data["g"] == "a", data["g"] == "b"]).astype(float)
    cov, factors = jackknife(x, data["d"].to_numpy().astype(float), data["c"].to_numpy())
    raised = np.zeros(2)  # by the bound of effective clusters less one
    for i in range(2):
        p = part.rate[i]
        assert part.size[i] == pytest.approx(min(p * (1 - p) / cov[i, i], x[:, i].sum()), rel=1e-10)
        independent = factors[:, i] @ factors[:, i].T  # of people with one variance
        df = np.trace(independent) ** 2 / np.trace(independent @ independent)
        totals = np.bincount(data["c"].factorize()[0], x[:, i])
        effective = totals.sum() ** 2 / (totals @ totals)
        assert part.design.overlap[i, i] == pytest.approx(1 / min(df, effective - 1), rel=1e-10)
        raised[i] = 1 / min(df, effective - 1) - 1 / df
    assert part.design.correlation[0, 1] == pytest.approx(cov[0, 1] / np.sqrt(cov[0, 0] * cov[1, 1]), rel=1e-10)
    # of the difference: people of both groups have the variance that their effective sizes imply
    pair = part.design.pair(1, 0)
    trace = np.sum(factors**2, axis=(0, 2))  # of people with variance 1
    scale = 1 / np.sqrt(trace * part.size) @ x.T
    gap = (factors[:, 1] - factors[:, 0]) * scale
    independent = gap @ gap.T
    df = np.trace(independent) ** 2 / np.trace(independent @ independent)
    variance = 1 / part.size
    assert 1 / pair.df == pytest.approx(1 / df + variance**2 @ raised / variance.sum() ** 2, rel=1e-10)


@pytest.mark.parametrize("clustered", [False, True])
def test_rows_from_tables_equal_those_from_people(rng, clustered):
    """The same numbers by the other route, which goes through the people one by one."""
    data = survey(rng)
    data.loc[::7, "w"] = 0.0
    design = {"weights": "w", "weight_type": "probability", **({"clusters": "c"} if clustered else {})}
    rows = audit(data, decision="d", groups="g", **design).estimates.where(contrast="none", role="main")
    for row in rows:
        current = data[(data["g"] == row.group) & (data["w"] > 0)]
        wanted = survey_rate(current["d"], current["w"], current["c"] if clustered else None)
        size = wanted.effective_n * (norm.ppf(0.975) / t.ppf(0.975, wanted.df)) ** 2
        assert (row.estimate, row.conf_low, row.conf_high) == pytest.approx(
            (wanted.rate, *wilson(wanted.rate * size, size)), rel=1e-9
        )


def test_fewer_than_four_clusters_in_a_group_are_not_estimable(rng):
    data = survey(rng)
    data.loc[data["g"] == "b", "c"] %= 3
    rows = audit(data, decision="d", groups="g", reference="a", clusters="c").estimates.where(group="b", role="main")
    assert {r.status for r in rows} == {"unestimable"}
    assert {r.reason for r in rows} == {"fewer than four clusters in a group"}


@pytest.mark.parametrize(("last", "reason"), [(200, "one cluster holds most of a group"), (15, "")])
def test_a_group_that_is_mostly_one_cluster_is_not_estimable(rng, last, reason):
    sizes = [10] * 34 + [last]
    data = pd.DataFrame({"c": np.repeat(np.arange(35), sizes)})
    data["g"] = np.where(data["c"] < 30, "a", "b")
    data["d"], data["s"] = rng.integers(0, 2, len(data)), rng.normal(size=len(data))
    rows = audit(data, decision="d", score="s", groups="g", reference="a", clusters="c").estimates
    for metric in ("selection rate", "P(X>Y)"):
        result = rows.where(metric=metric, group="b", role="main")
        assert {(r.status, r.reason) for r in result} == {("unestimable" if reason else "ok", reason)}


@pytest.mark.parametrize("scale", [1e-40, 1000, 1e15, 1e40])
def test_the_scale_of_probability_weights_does_not_matter(rng, scale):
    data = survey(rng)
    arguments = {"decision": "d", "groups": "g", "weights": "w", "weight_type": "probability"}
    one = audit(data, **arguments).estimates.to_frame()
    scaled = audit(data.assign(w=data["w"] * scale), **arguments)
    two = scaled.estimates.to_frame()
    assert max(len(line) for line in scaled.summary().splitlines()) <= 80
    columns = ["estimate", "conf_low", "conf_high", "p_value", "statistic"]
    np.testing.assert_allclose(one[columns], two[columns], rtol=1e-9)


@pytest.mark.parametrize("reference", ["largest_group", "highest_rate"])
@pytest.mark.parametrize("min_n", [1, 30])
def test_the_scale_of_probability_weights_changes_neither_reference_nor_verdicts(rng, reference, min_n):
    """Also where people without a group weigh more than any group, and where all weights together are below 1."""
    data = survey(rng)
    data.loc[::7, "g"], data.loc[::7, "w"] = None, 500.0
    data.loc[1::40, "g"] = "few"
    arguments = {"decision": "d", "groups": "g", "weights": "w", "weight_type": "probability", "reference": reference}
    one, two = (audit(data.assign(w=data["w"] * k), **arguments, min_n=min_n) for k in (1.0, 1e-9))
    assert one.references == two.references and one.references["g"] in ("a", "b", "few")
    for left, right in zip(one.estimates, two.estimates, strict=True):
        assert (left.status, left.verdict, left.reference) == (right.status, right.verdict, right.reference)


def test_equal_probability_weights_are_worth_what_the_people_are(rng):
    data = survey(rng).assign(w=3.0)
    weighted = audit(data, decision="d", groups="g", weights="w", weight_type="probability").estimates
    plain = audit(data, decision="d", groups="g").estimates
    for left, right in zip(weighted.where(contrast="none"), plain.where(contrast="none"), strict=True):
        assert left.estimate == pytest.approx(right.estimate, rel=1e-12)
        assert left.conf_low == pytest.approx(right.conf_low, abs=1e-3)  # k/(k-1) and t


def test_clusters_of_one_person_change_little_and_clusters_of_copies_cost_their_size(rng):
    data = survey(rng).assign(c=np.arange(600))
    plain = audit(data, decision="d", groups="g").estimates.where(contrast="difference", role="main")[0]
    alone = audit(data, decision="d", groups="g", clusters="c").estimates.where(contrast="difference", role="main")[0]
    copies = pd.concat([data] * 4)
    copied = audit(copies, decision="d", groups="g", clusters="c").estimates.where(contrast="difference", role="main")[
        0
    ]
    naive = audit(copies, decision="d", groups="g").estimates.where(contrast="difference", role="main")[0]
    assert alone.conf_low == pytest.approx(plain.conf_low, abs=2e-3)  # k/(k-1), t, and limits that invert the test
    assert copied.conf_low == pytest.approx(alone.conf_low, abs=1e-3)
    assert naive.conf_high - naive.conf_low < 0.6 * (copied.conf_high - copied.conf_low)


def test_what_both_groups_of_a_cluster_share_does_not_blur_their_difference(rng):
    """Decisions that depend on the cluster alone: the difference within clusters is sharp, each rate is not."""
    cluster = np.repeat(np.arange(40), 10)
    base = rng.random(40)[cluster]
    data = pd.DataFrame({"g": np.tile(["a", "b"], 200), "d": (rng.random(400) < base).astype(int), "c": cluster})
    gap = audit(data, decision="d", groups="g", clusters="c").estimates.where(contrast="difference", role="main")[0]
    levels = audit(data, decision="d", groups="g", clusters="c").estimates.where(contrast="none", role="main")
    widths = [r.conf_high - r.conf_low for r in levels]
    assert gap.conf_high - gap.conf_low < 0.85 * np.hypot(*widths)


@pytest.mark.parametrize("design", [{"weights": "w", "weight_type": "probability"}, {"clusters": "c"}])
def test_exact_tests_and_rank_statistics_are_not_claimed_for_designs(rng, design):
    data = survey(rng).assign(s=rng.random(600), y=rng.integers(0, 2, 600))
    rows = audit(data, outcome="y", decision="d", score="s", groups="g", **design).estimates
    assert not any("Fisher" in row.method for row in rows)
    ranks = rows.where(metric=("score shift", "Brier score", "calibration slope"))
    assert ranks
    assert all(row.status == "unestimable" and row.reason for row in ranks)
    assert not any("Brunner" in row.method or "Mann" in row.method or "DeLong" in row.method for row in rows)


@pytest.mark.parametrize("design", [{"weights": "w", "weight_type": "probability"}, {"clusters": "c"}])
def test_scores_are_compared_by_design(rng, design):
    """P(X>Y), the test of equal distributions, AUC and its difference: the estimates of the statistics themselves."""
    from fairstats.inference.scores.survey import probability_of_superiority_survey

    data = survey(rng).assign(s=rng.normal(size=600).round(1), y=rng.integers(0, 2, 600))
    rows = audit(data, outcome="y", score="s", groups="g", reference="a", **design).estimates.where(role="main")
    sides = [data[data["g"] == g] for g in "ba"]
    weighted = "weights" in design

    def wanted(x, y):
        column, name = ("w", "weights") if weighted else ("c", "clusters")
        given = {f"x_{name}": x[column], f"y_{name}": y[column]}
        return probability_of_superiority_survey(x["s"], y["s"], **given)

    (effect,) = rows.where(metric="P(X>Y)")
    result = wanted(*sides)
    assert (effect.estimate, effect.std_error) == pytest.approx((result.estimate, result.std_error))
    assert (effect.conf_low, effect.conf_high, effect.p_value) == pytest.approx(
        (result.low, result.high, result.p_value)
    )
    assert effect.verdict in ("inconclusive", "disparity shown")
    for side, group in zip(sides, "ba", strict=True):
        (area,) = rows.where(metric="AUC", group=group, contrast="none")
        result = wanted(side[side["y"] == 1], side[side["y"] == 0])
        assert (area.estimate, area.conf_low) == pytest.approx((result.estimate, result.low))
    (gap,) = rows.where(metric="AUC", contrast="difference")
    assert (gap.p_value < 0.05) == (not gap.conf_low <= 0 <= gap.conf_high)


def test_at_rates_of_0_and_1_the_interval_still_has_a_width(rng):
    data = survey(rng)
    data.loc[data["g"] == "b", "d"] = 0
    for design in ({"weights": "w", "weight_type": "probability"}, {"clusters": "c"}):
        row = audit(data, decision="d", groups="g", **design).estimates.where(group="b", contrast="none", role="main")[
            0
        ]
        assert row.estimate == 0
        assert 0.005 < row.conf_high < 0.2


@pytest.mark.long
def test_coverage_under_clusters_reaches_the_nominal_level():
    """300 samples of 30 clusters with an intraclass correlation near 0.1; a plain interval covers about 80%."""
    rng = np.random.default_rng(11)
    covered = plain = 0
    for _ in range(300):
        cluster = np.repeat(np.arange(30), 20)
        shares = rng.beta(4.5, 4.5, 30)[cluster]
        data = pd.DataFrame({"g": np.tile(["a", "b"], 300), "d": rng.random(600) < shares, "c": cluster})
        for clustered in (True, False):
            seen, levels = seen_of(data.assign(w=1.0), weights=False, clusters=clustered)
            table, parts = evidence(seen, levels, Protocol(("g",), clusters="c" * clustered))
            row = rate_rows(parts[0], "g", table.labels, Protocol(("g",)))[0]
            inside = row.conf_low <= 0.5 <= row.conf_high
            covered, plain = covered + (inside and clustered), plain + (inside and not clustered)
    assert covered >= 276  # 92%: three standard errors below 95%
    assert plain < covered


def hostile() -> dict[str, dict[str, np.ndarray]]:
    """Columns that leave some rate, score or group without an error."""
    n = np.arange(240)
    return {
        "nobody selected": {"d": n * 0},
        "everybody selected": {"d": n * 0 + 1},
        "outcome and score agree": {"s": 0.1 + 0.8 * (n % 2), "y": n % 2},
        "groups separate decisions": {"d": (n % 3 == 0).astype(int), "s": np.where(n % 3 == 0, 0.9, 0.1)},
        "one cluster": {"c": n * 0},
        "a group is a cluster": {"c": n % 3},
        "three clusters": {"c": n % 7 % 3},
        "everybody a cluster": {"c": n},
        "couples of whom one is chosen": {"c": n // 2, "d": n % 2},
        "one weight is a billion": {"w": np.where(n == 0, 1e9, 1.0)},
        "a group without weight": {"w": np.where(n % 3 == 2, 0.0, 1.0 + n % 5)},
        "one person in a group": {"g": np.where(n == 0, "q", np.array(["a", "b", "c"])[n % 3])},
    }


@pytest.mark.long
@pytest.mark.parametrize("case", hostile())
@pytest.mark.filterwarnings("error")
def test_hostile_designs_give_rows_that_hold_together(rng, case):
    n = np.arange(240)
    data = {"g": np.array(["a", "b", "c"])[n % 3], "c": rng.integers(0, 12, 240), "w": rng.gamma(2, 5, 240)}
    data |= {"y": rng.integers(0, 2, 240), "d": rng.integers(0, 2, 240), "s": rng.random(240).round(2)}
    margins = {"difference": 0.1, "ratio": 0.8, "auc": 0.1}
    columns = hostile()[case]
    designs = {"w": {"weights": "w", "weight_type": "probability"}, "c": {"clusters": "c"}}
    for column in designs.keys() & columns or designs:  # a hostile weight is no matter of clusters, nor the reverse
        result = audit(data | columns, "d", "g", outcome="y", score="s", margin=margins, **designs[column])
        for row in result.estimates:
            if row.status != "ok":
                assert row.reason
                continue
            if not np.isnan(row.conf_low):
                assert row.conf_low - 1e-9 <= row.estimate <= row.conf_high + 1e-9, row
            items = [p for p in (row.p_value, row.p_adjusted, row.p_equivalence) if not np.isnan(p)]
            assert all(0 <= p <= 1 for p in items), row
        assert result.summary()


def test_people_without_weight_are_as_if_absent_with_their_clusters(rng):
    data = survey(rng, n=300)
    nobody = data.head(60).assign(w=0.0, c=data["c"].max() + 1 + np.arange(60))
    design = {"decision": "d", "groups": "g", "weights": "w", "weight_type": "probability", "clusters": "c"}
    alone, beside = (audit(rows, **design).estimates for rows in (data, pd.concat([data, nobody], ignore_index=True)))
    for one, other in zip(alone.only(role="main"), beside.only(role="main"), strict=True):
        numbers = ("estimate", "std_error", "conf_low", "conf_high", "df", "p_value")
        assert [getattr(one, name) for name in numbers] == pytest.approx(
            [getattr(other, name) for name in numbers], nan_ok=True, rel=1e-9
        )
