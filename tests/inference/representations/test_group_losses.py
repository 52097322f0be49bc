"""Reconstruction losses by group: they add up to the fit's own error, and PCA's are the least."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import fairstats
from fairstats.errors import InputError
from fairstats.inference.representations.fit_studies import reconstruction_error_by_group


def table(rng, n=400) -> pd.DataFrame:
    g = rng.choice(["a", "b", "c"], n, p=[0.5, 0.3, 0.2])
    X = rng.normal(size=(n, 6)) @ np.diag([5.0, 3, 2, 1, 1, 0.5]) + np.outer(g == "b", [4.0, 0, 1, 0, 0, 0])
    return pd.DataFrame(X, columns=list("uvwxyz")).assign(g=g)


@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize("method", [fairstats.og, fairstats.pca])
def test_losses_of_the_rows_of_the_fit_add_up_to_its_error(rng, method, scale):
    data = table(rng)
    fit = method(list("uvwxyz"), "g", k=3, data=data, scale=scale)
    rows = reconstruction_error_by_group(fit, data, "g").where(contrast="none")
    current = rows.where(fit=fit.method)
    assert sum(r.n * r.estimate for r in current) == pytest.approx(fit.error)
    if fit.method == "og":
        assert sum(r.n * r.estimate for r in rows.where(fit="pca")) == pytest.approx(fit.pca_error)


def test_rows_are_losses_by_hand_with_the_largest_group_as_reference(rng):
    data = table(rng)
    X, g = data[list("uvwxyz")].to_numpy(), data.g.to_numpy()
    fit = fairstats.og(X, g, k=2)
    loss = ((X - fit.reconstruct(X, g)) ** 2).sum(axis=1)
    rows = reconstruction_error_by_group(fit, X, g).where(fit="og", versus="")
    assert [r.group for r in rows.where(contrast="none")] == ["a", "b", "c"]
    for row in rows.where(contrast="none"):
        assert row.estimate == pytest.approx(loss[g == row.group].mean())
        assert row.std_error == pytest.approx(stats.sem(loss[g == row.group]))
        assert row.conf_low < row.estimate < row.conf_high
    for row in rows.where(contrast="difference"):
        assert row.reference == "a"
        assert row.estimate == pytest.approx(loss[g == row.group].mean() - loss[g == "a"].mean())
        assert row.df == pytest.approx(stats.ttest_ind(loss[g == row.group], loss[g == "a"], equal_var=False).df)
        assert row.p_adjusted >= row.p_value


def test_the_price_is_a_paired_difference_with_a_smaller_error_than_the_losses(rng):
    data = table(rng)
    X, g = data[list("uvwxyz")].to_numpy(), data.g.to_numpy()
    rows = reconstruction_error_by_group(fairstats.og(X, g, k=2), X, g)
    total = 0.0
    for group in "abc":
        (price,) = rows.where(fit="og", versus="pca", group=group, reference="")
        parts = [rows.where(fit=t, versus="", group=group, contrast="none")[0] for t in ("og", "pca")]
        assert price.estimate == pytest.approx(parts[0].estimate - parts[1].estimate)
        total += price.n * price.estimate
    assert total > 0


def test_scaling_measures_in_standardized_units(rng):
    data = table(rng)
    X, g = data[list("uvwxyz")].to_numpy(), data.g.to_numpy()
    losses = [
        reconstruction_error_by_group(fairstats.og(Y, g, k=2, scale=True), Y, g)
        for Y in (X, X * [1e3, 1, 1e-3, 1, 50, 2] + 7)
    ]
    np.testing.assert_allclose(*(rows.column("estimate") for rows in losses), rtol=1e-8)


def test_new_rows_lose_more_than_the_rows_of_a_fit_with_many_components():
    rng = np.random.default_rng(0)
    X, g = rng.normal(size=(60, 30)), np.repeat(["a", "b"], 30)
    fit = fairstats.og(X, g, k=10)
    new = rng.normal(size=(2000, 30))
    seen, unseen = (
        reconstruction_error_by_group(fit, rows, labels).where(fit="og", versus="", contrast="none").column("estimate")
        for rows, labels in ((X, g), (new, np.repeat(["a", "b"], 1000)))
    )
    assert min(unseen) > max(seen)


def test_a_price_that_is_the_same_for_every_person_has_no_interval(rng):
    """OG shifts a group's scores as one: each of its people loses ‖Λz‖² more, to the last digit."""
    data = table(rng)
    fit = fairstats.og(list("uvwxyz"), "g", k=3, data=data)
    rows = [r for r in reconstruction_error_by_group(fit, data, "g") if r.versus == "pca"]
    assert {r.reason for r in rows} == {"the same for every person: no interval"}
    assert all(r.std_error == 0 and np.isnan([r.p_value, r.conf_low, r.statistic]).all() for r in rows)
    other = fairstats.fair_pca(list("uvwxyz"), "g", k=2, data=data)
    assert all(r.std_error > 0 for r in reconstruction_error_by_group(other, data, "g"))


def test_one_person_has_a_loss_and_no_interval(rng):
    X = rng.normal(size=(30, 4))
    g = np.array(["a"] * 29 + ["b"])
    row = reconstruction_error_by_group(fairstats.pca(X, k=2), X, g).where(group="b", contrast="none")[0]
    assert np.isfinite(row.estimate) and np.isnan(row.conf_low) and "one person" in row.reason


def test_limits_of_a_mean_of_squares_are_not_below_0():
    rng = np.random.default_rng(5)
    g = np.repeat(["a", "b"], [40, 4])
    X = rng.normal(size=(44, 4)) + 2 * (g == "b")[:, None]
    fit = fairstats.fair_pca(X, g, k=1)
    rows = reconstruction_error_by_group(fit, X, g, conf_level=0.99)
    assert min(r.conf_low for r in rows.where(contrast="none")) == 0  # Hall's own limit of four people is below it
    assert min(r.conf_low for r in rows.where(contrast="difference")) < 0
    fit = fairstats.comparators.residualize(X, g)
    prices = fairstats.price_of_fairness(fit, X, g, folds=2, conf_level=0.99).estimates
    moved = [r for r in prices if r.estimator == "held out" and not r.reference]
    assert len(moved) == 4 and all(0 <= r.conf_low < r.estimate for r in moved)


def test_bad_input(rng):
    X, g = rng.normal(size=(30, 4)), np.repeat(["a", "b"], 15)
    fit = fairstats.pca(X, k=2)
    with pytest.raises(InputError, match="groups is missing"):
        reconstruction_error_by_group(fit, X)
    with pytest.raises(InputError, match="conf_level has 95; it"):
        reconstruction_error_by_group(fit, X, g, conf_level=95)
    for other in (object(), fairstats.leace(X, g)):
        with pytest.raises(InputError, match="it is a fit of components; pass what a method"):
            reconstruction_error_by_group(other, X, g)
    with pytest.raises(InputError, match="missing or infinite"):
        reconstruction_error_by_group(fit, np.where(np.arange(120).reshape(30, 4) == 7, np.nan, X), g)
    with pytest.raises(InputError, match="groups are continuous"):
        reconstruction_error_by_group(fit, X, fairstats.continuous(X[:, 0]))


def test_a_fit_that_keeps_everything_loses_rounding_which_is_not_tested():
    rng = np.random.default_rng(0)
    X, groups = rng.normal(size=(90, 2)) * [1.0, 30.0], np.repeat(["a", "b", "c"], 30)
    for fit in (fairstats.pca(X, groups, k=2, scale=True), fairstats.og(X, groups, k=2, scale=True)):
        rows = fairstats.reconstruction_error_by_group(fit, X, groups)
        assert all(np.isnan(row.p_value) and np.isnan(row.conf_low) for row in rows)
        assert set(rows.column("reason")) == {"the same for every person: no interval"}


def test_the_summary_shows_the_numbers() -> None:
    people = fairstats.arrests()
    rows = fairstats.reconstruction_error_by_group(
        fairstats.og("~ age + checks + year", "colour", data=people, k=2), people
    )
    text = rows.summary()
    assert max(map(len, text.splitlines())) <= 80
    shown = next(row for row in rows if row.group == "White" and row.contrast == "none")
    assert f"{shown.estimate:.4g}" in text


def of_three(rng, levels: str, n: int = 300) -> pd.DataFrame:
    """People with a column of some levels, of which the first moves a feature."""
    x, z = rng.normal(size=(2, n))
    m, g = rng.choice(list(levels), n), rng.choice(["u", "v"], n)
    return pd.DataFrame({"x": x + 2 * (m == "a"), "z": z, "m": m, "g": g})


STUDIES = {
    "losses": fairstats.reconstruction_error_by_group,
    "leakage": lambda fit, *rows: fairstats.leakage(fit, *rows, permutations=0),
    "loadings": lambda fit, *rows: fairstats.bootstrap_loadings(fit, *rows, replicates=25),
    "held-out scores": lambda fit, *rows: fit.crossfit(*rows),
    "price": fairstats.price_of_fairness,
    "extra error": fairstats.extra_error,
}
OF_THE_FIT = ("price", "extra error", "loadings")


@pytest.mark.parametrize("name", STUDIES)
def test_new_rows_have_the_levels_of_the_fit(rng, name):
    fit = fairstats.og("~ x + z + m", "g", data=of_three(rng, "ab"), k=2)
    with pytest.raises(InputError, match=r"level that the fit has not seen \(c, rows"):
        STUDIES[name](fit, of_three(rng, "bc"), "g")


@pytest.mark.parametrize("name", STUDIES)
def test_a_level_of_the_fit_that_new_rows_lack_is_a_column_of_zeros(rng, name):
    data, new = of_three(rng, "abc"), of_three(rng, "ab", 200)
    fit = fairstats.og("~ x + z + m", "g", data=data, k=2)
    if name in OF_THE_FIT:
        with pytest.raises(InputError, match="X has 200 rows and the fit had 300; pass the rows of the fit"):
            STUDIES[name](fit, new, "g")
        return
    columns = [np.column_stack([of.x, of.z, of.m == "b", of.m == "c"]).astype(float) for of in (data, new)]
    by_hand = fairstats.og(columns[0], data.g.to_numpy(), k=2)
    found, same = STUDIES[name](fit, new, "g"), STUDIES[name](by_hand, columns[1], new.g.to_numpy())
    rows, others = (getattr(of, "estimates", of) for of in (found, same))
    np.testing.assert_allclose(rows.column("estimate"), others.column("estimate"), atol=1e-8)


def test_losses_of_new_rows_are_those_of_what_the_fit_makes_of_them(rng):
    fit, new = fairstats.og("~ x + z + m", "g", data=of_three(rng, "abc"), k=2), of_three(rng, "bc", 200)
    X = fit.scaling.formula.matrix(fairstats.data.tables.Columns(new, "X"))
    loss = ((X - np.asarray(fit.reconstruct(new, new.g))) ** 2).sum(axis=1)
    for row in fairstats.reconstruction_error_by_group(fit, new, "g").where(fit="og", versus="", contrast="none"):
        assert row.estimate == pytest.approx(loss[new.g == row.group].mean())


@pytest.mark.parametrize(
    ("X", "what"),
    [
        ("~ x + m", "has 2 features and the fit 3"),
        (["z", "x", "m2"], "has the feature z where the fit had x"),
        ("~ z + x + m", "has the feature z where the fit had x"),
    ],
)
def test_other_features_than_those_of_the_fit_are_refused(rng, X, what):
    data = of_three(rng, "ab").assign(m2=1.0)
    fit = fairstats.og("~ x + z + m", "g", data=data, k=2)
    with pytest.raises(InputError, match=what):
        fairstats.reconstruction_error_by_group(fit, X, "g", data=data)


def test_where_pca_is_of_other_rows_than_the_fit_the_rows_say_so(rng):
    data = table(rng)
    fit = fairstats.og(list("uvwxyz"), "g", k=2, data=data[:300])
    said = "PCA of the rows given, not of those of the fit"
    for rows, other in ((data[:300], False), (data[300:], True)):
        for row in reconstruction_error_by_group(fit, rows, "g"):
            assert (said in row.method) is (other and "pca" in (row.fit, row.versus))
            assert row.term == ("PCA of these rows" if said in row.method else "")
