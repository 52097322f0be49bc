"""``decompose`` and ``adjusted_gap``: published numbers, what is said, and what is refused."""

from __future__ import annotations

import re
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import fairstats
from fairstats.auditing.decompose import LEFT_OUT, ONE_GROUP, TAINTED, UNDIVIDED
from fairstats.data.formula import Formula
from fairstats.data.tables import Columns
from fairstats.errors import InputError
from fairstats.language import says

CHICAGO = "~ age + female + LTHS + some.college + college + advanced.degree"


def people(n: int = 400, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"sex": rng.choice(["f", "m"], n, p=[0.4, 0.6]), "grade": rng.choice(list("abc"), n)})
    frame["years"] = rng.integers(0, 30, n) + 3.0 * (frame.sex == "m")
    frame["pay"] = np.exp(2 + 0.02 * frame.years + 0.2 * (frame.grade == "c") + 0.3 * rng.normal(size=n))
    frame["hired"] = np.where(frame.pay + rng.normal(size=n) > 12, "yes", "no")
    frame["site"] = rng.integers(0, 20, n).astype(str)
    frame["w"] = rng.uniform(0.5, 2, n)
    return frame


def of(frame: pd.DataFrame | None = None, **options: Any) -> fairstats.Decomposition:
    declared = {"amount": "pay", "groups": "sex", "explained_by": "~ years + grade", "reference": "m"} | options
    return fairstats.decompose(people() if frame is None else frame, **declared)


@pytest.fixture(scope="module")
def chicago(shared: Path) -> pd.DataFrame:
    frame = pd.read_csv(shared / "cases" / "chicago.csv")
    return frame.assign(wage=np.exp(frame["ln.real.wage"]))


def native(chicago: pd.DataFrame, **options: Any) -> fairstats.Decomposition:
    return fairstats.decompose(chicago, "wage", "foreign.born", explained_by=CHICAGO, reference=0, **options)


def part(result: fairstats.Decomposition, component: str, form: str) -> float:
    return result.estimates.where(metric=component, estimator=form, term="")[0].estimate


# R's oaxaca 0.1.5 prints reference less group, so that signs are opposite.
@pytest.mark.parametrize(
    ("form", "explained"),
    [
        ("reference", 0.1822482),
        ("average", 0.8993911),
        ("share", 0.9984559),
        ("pooled", 1.3557222),
        ("pooled_with_group", 0.9525717),
    ],
)
def test_chicago_wages_are_decomposed_as_published(chicago: pd.DataFrame, form: str, explained: float):
    result = native(chicago, coefficients=form)
    assert round(part(result, "explained", form), 7) == -explained
    assert result.n == 666 and any(says(text, LEFT_OUT) for text in result.statements)
    means = [row.estimate for row in result.estimates.where(metric="mean")]
    assert [round(mean, 5) for mean in means] == [14.56725, 17.58282]
    assert round(result.parts().estimate[0], 6) == -3.015574


def test_chicago_in_three_parts_is_as_published(chicago: pd.DataFrame):
    result = native(chicago, threefold=True)
    names = ("endowments", "coefficients", "interaction")
    assert [round(part(result, name, "threefold"), 7) for name in names] == [-1.6165339, -2.8333261, 1.4342857]
    parts = " ".join(f"{abs(value):.2f}" for value in (1.6165339, 2.8333261))
    (said,) = (text for text in result.statements if text.startswith("In three parts: covariates "))
    assert all(number in said for number in parts.split()) and "−1.43" in said  # in the direction of the gap
    assert round(part(result, "unexplained", "pooled"), 6) == -1.659852


def test_wages_of_the_nlsy_are_those_of_ddecompose(shared: Path):
    """Fortin, Lemieux & Firpo (2011), table 3: 0.233 = 0.197 explained by men's coefficients + 0.036."""
    frame = pd.read_csv(shared / "cases" / "nlys00.csv")
    covariates = [name for name in frame.columns if name not in ("female", "wage")]
    result = fairstats.decompose(
        frame.assign(wage=np.log(frame.wage)),
        "wage",
        "female",
        explained_by=covariates,
        reference="no",
        coefficients="reference",
    )
    parts = [round(-v, 3) for v in result.parts().query("term == ''").estimate]
    assert parts == [0.233, 0.197, 0.036]


def test_of_few_women_what_is_left_is_not_divided_by_variable(shared: Path):
    frame = pd.read_csv(shared / "cases" / "salaries.csv")
    result = fairstats.decompose(frame, "salary", "sex", explained_by="~ rank + discipline", reference="Male")
    assert any(says(text, UNDIVIDED) for text in result.statements)
    assert result.parts().query("component == 'unexplained'").term.tolist() == [""]
    assert round(part(result, "unexplained", "pooled_with_group")) == -4492  # lm(salary ~ sex + rank + discipline)
    own = fairstats.decompose(
        frame,
        *("salary", "sex"),
        explained_by="~ rank + discipline + yrs.service",
        reference="Male",
        coefficients="group",
    )
    # difference of means times the slopes of lm(salary ~ rank + discipline + yrs.service), women alone, men alone
    found = [round(part(own, "explained", name), 1) for name in ("group", "reference")]
    assert found == [-10771.4, -9305.5] and "common" not in own.summary()


def test_who_is_too_few_is_named(shared: Path):
    frame = pd.read_csv(shared / "cases" / "salaries.csv")
    result = fairstats.decompose(frame, "salary", "sex", explained_by="~ rank + discipline", reference="Female")
    said = "not divided by variable where women are compared, because they have fewer than 10 people"
    assert said in " ".join(result.statements)
    matched = of(amount=None, decision="hired", favorable="yes", method="fairlie")  # divides nothing that is left
    assert "fewer than 10 people" not in " ".join(matched.statements)


METHODS: list[dict[str, Any]] = [
    {},
    {"threefold": True},
    {"coefficients": 0.25},
    {"method": "gelbach"},
    {"method": "kitagawa", "explained_by": "~ grade"},
    {"quantile": 0.5},
    {"quantile": 0.9, "method": "rif"},
    {"method": "reweighting", "coefficients": "group"},
    {"amount": None, "decision": "hired", "favorable": "yes"},
    {"amount": None, "decision": "hired", "favorable": "yes", "method": "fairlie"},
    {"amount": None, "decision": "hired", "favorable": "yes", "method": "kitagawa", "explained_by": ["grade"]},
    {"weights": "w", "clusters": "site"},
]


@pytest.mark.parametrize("options", METHODS, ids=str)
def test_parts_add_up_to_the_gap_and_summaries_fit(options: dict[str, Any]):
    result = of(**options)
    parts = result.parts()
    whole = parts[(parts.term == "") & (parts.component != "gap")]
    gap = parts[parts.component == "gap"].estimate.item()
    assert np.isclose(whole.estimate.sum(), gap) and np.isclose(whole.share.sum(), 1)
    for component, rows in parts[parts.term != ""].groupby("component"):
        assert np.isclose(rows.estimate.sum(), whole[whole.component == component].estimate.item())
    assert (parts.conf_low < parts.estimate).all() and (parts.estimate < parts.conf_high).all()
    text = result.summary()
    lines = text.split("\n")
    assert max(map(len, lines)) <= 80 and len([line for line in lines if not line.startswith("- ")]) <= 18
    assert "accounted for" in text and "discriminat" not in text and "caus" not in text
    assert any(says(statement, TAINTED) for statement in result.statements)
    assert "years" not in result.explained_by or "years" in text


def test_what_covariates_would_reverse_is_said_as_the_other_way():
    frame = people().assign(years=lambda rows: rows.years + 12.0 * (rows.sex == "f"))  # women have more, and get less
    frame["pay"] = np.exp(2 + 0.02 * frame.years - 0.5 * (frame.sex == "f"))
    result = of(frame, explained_by="~ years")
    means, slopes = frame.groupby("sex")[["years", "pay"]].mean(), pd.get_dummies(frame.sex)["f"].astype(float)
    design = np.column_stack([np.ones(len(frame)), frame.years, slopes])
    expected = np.linalg.lstsq(design, frame.pay, rcond=None)[0][1] * (means.years["f"] - means.years["m"])
    assert expected > 0 > means.pay["f"] - means.pay["m"]
    part = result.parts().query("component == 'explained' and term == ''").iloc[0]
    ends = f"{part.conf_low:.2f} to {part.conf_high:.2f}"
    assert f"By years alone the gap would go the other way ({expected:.2f} more, {ends}); " in result.statements[0]
    frame["pay"] = np.exp(2 - 0.02 * frame.years + 0.1 * (frame.sex == "f"))  # years alone would make the gap larger
    result = of(frame, explained_by="~ years")
    rest = result.parts().query("component == 'unexplained' and term == ''").iloc[0]
    assert "By years alone the gap would be larger (" in result.statements[0] and rest.estimate > 0
    assert f"the rest goes the other way, {rest.estimate:.2f}"[:-2] in result.statements[0]
    assert "depends on where their 0 is" in " ".join(result.summary().split())


def test_the_gap_of_decisions_is_printed_in_points():
    result = of(amount=None, decision="hired", favorable="yes")
    frame = people()
    rates = frame.groupby("sex").hired.apply(lambda column: (column == "yes").mean())
    assert np.isclose(result.parts().estimate[0], rates["f"] - rates["m"])
    said = f"The rate of hired = yes is {100 * rates['f']:.1f}% among women and {100 * rates['m']:.1f}% among men"
    width, side = 100 * abs(rates["f"] - rates["m"]), "less" if rates["f"] < rates["m"] else "more"
    assert result.statements[0].startswith(f"{said}, {width:.1f} percentage points {side} (95% confidence interval ")
    other = of(amount=None, decision="hired", favorable="no")
    assert np.isclose(other.parts().estimate[1], -result.parts().estimate[1])


def test_every_group_is_compared_with_the_reference():
    frame = people(900).assign(sex=lambda data: np.where(data.index % 3 == 0, "x", data.sex))
    result = of(frame)
    assert result.groups() == ["f", "x"] or result.groups() == ["x", "f"]
    alone = of(frame[frame.sex != "x"])
    pd.testing.assert_frame_equal(result.parts("f").reset_index(drop=True), alone.parts())


def test_a_level_that_two_groups_lack_changes_nothing():
    frame = people(600)
    other = frame[:60].assign(sex="x", grade="0")
    result = of(pd.concat([frame, other]), explained_by="~ grade + years").parts("f").estimate
    np.testing.assert_allclose(result, of(frame, explained_by="~ grade + years").parts().estimate, rtol=1e-8)


def test_shifting_and_scaling_a_covariate_changes_no_explained_part():
    frame = people()
    far = of(frame.assign(years=1e6 + 1e3 * frame.years))
    near = of(frame)
    for name in ("explained", "unexplained"):
        ours, theirs = (r.parts()[r.parts().component == name] for r in (near, far))
        kept = ~ours.term.isin(["(constant)", "years"]) if name == "unexplained" else ours.term != "nobody"
        np.testing.assert_allclose(ours.estimate[kept], theirs.estimate[kept], rtol=1e-5)


def test_saved_results_are_read_again(tmp_path: Path):
    result = of(threefold=True)
    loaded = fairstats.load(result.save(tmp_path / "parts.npz"))
    assert loaded == result and loaded.summary() == result.summary()


def test_arrays_are_taken_in_place_of_names():
    frame = people()
    result = fairstats.decompose(
        frame[["years", "grade"]], frame.pay, frame.sex, explained_by="~ years + grade", reference="m"
    )
    pd.testing.assert_frame_equal(result.parts(), of(frame).parts())


# What is refused, and what has no number with its reason.


@pytest.mark.parametrize(
    ("change", "options", "text"),
    [
        ({"pay": "x"}, {}, "amount='pay' holds"),
        ({"pay": lambda d: np.where(d.index == 3, np.inf, d.pay)}, {}, "amount has infinite values in 'pay' (row 4)"),
        ({"years": lambda d: np.where(d.index == 3, np.inf, d.years)}, {}, "explained_by has infinite values"),
        ({"grade": lambda d: np.where(d.index == 0, "z", d.grade)}, {}, "whose level 'z' holds one person"),
        ({"years": 1.0}, {}, "'years', which is the same of everybody"),
        ({"twice": lambda d: 2 * d.years}, {"explained_by": ["years", "twice"]}, "'twice', which follows from"),
        ({}, {"explained_by": "~ sex"}, "explained_by has 'sex', which is groups, too"),
        ({}, {"explained_by": "~ yeers"}, "did you mean 'years'"),
        ({}, {"explained_by": ""}, "explained_by"),
        ({}, {"explained_by": 3}, "explained_by has 3; it is a formula"),
        ({}, {"reference": "male"}, "reference has 'male'"),
        ({}, {"decision": "hired"}, "amount and decision are both given"),
        ({}, {"amount": None}, "amount is absent, and so is decision"),
        ({}, {"method": "yun"}, "which is of decisions"),
        ({}, {"method": "oaxaca", "quantile": 0.5}, "quantiles take"),
        ({}, {"method": "rif"}, "which is of a quantile"),
        ({}, {"quantile": 1.5}, "quantile has 1.5"),
        ({}, {"coefficients": 2}, "coefficients has 2"),
        ({}, {"coefficients": "men"}, "coefficients has 'men'"),
        ({}, {"method": "kitagawa"}, "'years', which is no factor"),
        ({}, {"method": "gelbach", "threefold": True}, "threefold has True"),
        ({}, {"weights": "grade"}, "weights"),
        ({"w": -1.0}, {"weights": "w"}, "are finite numbers of at least 0"),
        ({"sex": "f"}, {"reference": "f"}, "groups has 'sex'"),
    ],
)
def test_bad_input_is_one_clear_error(change: dict[str, Any], options: dict[str, Any], text: str):
    with pytest.raises(InputError) as error:
        of(people().assign(**change), **options)
    assert text in str(error.value), str(error.value)


def test_a_covariate_that_tells_the_group_leaves_other_forms():
    frame = people().assign(woman=lambda d: (d.sex == "f").astype(float))
    result = of(frame, explained_by=["years", "woman"])
    main = result.estimates.where(role="main", metric="explained")[0]
    assert main.status == "unestimable" and main.reason
    assert np.isfinite(result.parts().estimate[0])
    assert result.estimates.where(metric="explained", estimator="pooled", term="")[0].status == "ok"


def test_of_parts_that_are_unknown_no_other_division_says_anything():
    result = of(people().assign(copy=lambda d: d.sex.map({"f": "x", "m": "y"})), explained_by="~ years + copy")
    assert "the parts of this gap are unknown" in " ".join(result.statements)
    assert "to divide the gap" not in " ".join(result.statements)
    one = of(people().assign(one=lambda d: np.where(d.sex == "f", 1, d.years)), explained_by="~ years + one")
    assert "1 other ways" not in " ".join(one.statements)


@pytest.mark.parametrize("method", ["kitagawa", "reweighting"])
def test_a_gap_whose_parts_are_unknown_has_its_limits_and_a_way_out(method: str):
    """Those of Welch, by scipy."""
    frame = people().assign(grade=lambda d: np.where(d.sex == "f", "only f", "only m"))
    result = of(frame, explained_by="~ grade", method=method)
    gap = result.estimates.where(metric="gap")[0]
    pays = [frame.pay[frame.sex == sex] for sex in ("f", "m")]
    ends = stats.ttest_ind(*pays, equal_var=False).confidence_interval()
    assert [gap.conf_low, gap.conf_high] == pytest.approx([ends.low, ends.high], rel=1e-9)
    text = " ".join(result.summary().split())
    assert "– to –" not in text and "; the parts of this gap are unknown" in text and "leave" in text
    assert "rates" not in text and "decisions" not in text


def test_a_balance_has_two_digits_and_never_more_than_it_knows():
    """The largest standardized difference is 0 within rounding where one factor is balanced by its weights."""
    text = " ".join(of(explained_by="~ grade", method="reweighting").statements)
    before, after = re.search(r"falls from (.+) to (.+) standard deviations", text).groups()
    assert re.fullmatch(r"0\.\d\d", before) and after == "less than 0.01"


def test_a_covariate_that_is_constant_in_one_group_leaves_common_slopes():
    frame = people().assign(leave=lambda d: np.where(d.sex == "m", 0.0, d.index % 2))
    result = of(frame, explained_by=["years", "leave"])
    assert result.estimates.where(role="main", metric="explained", term="")[0].status == "ok"
    alone = result.estimates.where(metric="explained", estimator="reference", term="")[0]
    assert alone.status == "unestimable" and alone.reason
    assert "a column is constant" in result.summary() and "fewer than 10 people" not in result.summary()


def test_numbers_without_a_common_range_are_a_caution():
    apart = people().assign(years=lambda d: d.years + 50 * (d.sex == "m"))
    caution = "have no range of years in common"
    assert caution in " ".join(of(apart).summary().split()) and caution not in " ".join(of().summary().split())
    rows = fairstats.adjusted_gap(apart, "pay", "sex", adjust_for="~ years", reference="m")
    assert [caution in row.reason for row in rows] == [False, True, True]


def test_one_person_in_a_group_has_no_parts():
    frame = people()
    frame.loc[0, "sex"] = "x"
    assert {row.status for row in of(frame).estimates.where(group="x", contrast="difference")} == {"unestimable"}


def test_an_adjusted_gap_says_which_levels_hold_one_group():
    frame = people().assign(grade=lambda d: np.where((d.grade == "c") & (d.sex == "f"), "d", d.grade))
    rows = fairstats.adjusted_gap(frame, "pay", "sex", adjust_for="~ years + C(grade)", reference="m")
    assert [row.metric for row in rows] == ["gap", "adjusted gap", "group coefficient"]
    assert "grade = c" in rows[1].reason and "grade = d" in rows[1].reason
    alike = fairstats.adjusted_gap(people(), "pay", "sex", adjust_for="~ years", reference="m", clusters="site")
    assert not alike[1].reason and alike[1].df < 20
    assert ONE_GROUP.template


def test_a_gap_of_people_who_are_alike_is_recovered():
    """Amounts that are linear in each group, without noise: the gap at everybody's mean."""
    frame = people()
    exact = np.where(frame.sex == "f", 1 + 2 * frame.years, 3 + 1.5 * frame.years)
    row = fairstats.adjusted_gap(frame.assign(pay=exact), "pay", "sex", adjust_for="~ years", reference="m")[1]
    assert np.isclose(row.estimate, -2 + 0.5 * frame.years.mean())


def test_a_model_matrix_takes_the_memory_of_one_more_copy() -> None:
    table = Columns({f"x{i}": np.arange(1.0, 100_001.0) ** (i / 9) for i in range(10)}, "data")
    formula = Formula.bind(f"~ {' + '.join(f'x{i}' for i in range(10))}", table)
    formula.matrix(table)  # imports
    tracemalloc.start()
    size = formula.matrix(table).nbytes
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most <= 2.6 * size


def test_one_gap_has_one_error_and_the_limits_that_the_guide_names(shared: Path):
    """The guide says why an audit and an adjusted gap have other limits than a decomposition, and names them."""
    frame = pd.read_csv(shared / "cases" / "salaries.csv")
    formula = "~ rank + discipline + yrs.service"
    audited = fairstats.audit(frame, amount="salary", groups="sex", reference="Male").estimates
    rows = (
        audited.where(metric="mean amount", contrast="difference")[0],
        fairstats.adjusted_gap(frame, "salary", "sex", adjust_for=formula, reference="Male").where(metric="gap")[0],
        fairstats.decompose(frame, "salary", "sex", explained_by=formula, reference="Male").estimates[2],
    )
    pays = [frame.salary[frame.sex == sex] for sex in ("Female", "Male")]
    welch = np.sqrt(sum(pay.var() / len(pay) for pay in pays))
    assert [row.std_error for row in rows] == pytest.approx([welch] * 3, rel=1e-9)
    limits = [f"{-row.conf_high:,.0f} to {-row.conf_low:,.0f}" for row in rows]
    guide = (Path(__file__).parents[2] / "docs/guide/gaps.md").read_text()
    assert all(one in guide for one in limits) and len(set(limits)) == 3


@pytest.mark.parametrize(("weight", "name"), [(1, "reference"), (0, "group"), (0.5, "average")])
def test_a_weight_that_has_a_name_is_no_further_way_to_divide_the_gap(weight: float, name: str):
    by_weight, by_name = of(coefficients=weight), of(coefficients=name)
    assert by_weight.statements == by_name.statements and len(by_weight.sensitivity()) == 6


def test_a_quantile_says_by_which_rule_it_is_and_by_which_an_audit_has_it() -> None:
    rng = np.random.default_rng(1)
    data = pd.DataFrame(
        {"sex": ["f", "m"] * 45, "pay": rng.normal(3000, 500, 90).round(), "years": rng.integers(0, 20, 90)}
    )
    audit = fairstats.audit(data, amount="pay", groups="sex", quantiles=[0.9])
    levels = audit.estimates.where(metric="amount quantile", contrast="none")
    for at, said in ((0.9, True), (0.5, False)):
        result = fairstats.decompose(data, "pay", "sex", explained_by="~ years", quantile=at, method="rif")
        rows = {row.group: row.estimate for row in result.estimates.where(metric="quantile") if not row.given}
        for group, pay in data.groupby("sex").pay:
            if group in rows:
                assert rows[group] == pytest.approx(np.quantile(pay, at, method="linear"))
        assert any("type 7" in text and "type 2" in text for text in result.statements) == said
    for row in levels:
        pay = data.pay[data.sex == row.group]
        assert row.estimate == np.quantile(pay, 0.9, method="averaged_inverted_cdf")


def test_an_amount_of_two_values_is_asked_about_as_a_decision() -> None:
    frame = people().assign(one=lambda table: (table.hired == "yes").astype(int), flag=lambda table: table.one == 1)
    for made, argument in ((fairstats.decompose, "explained_by"), (fairstats.adjusted_gap, "adjust_for")):
        with pytest.raises(
            InputError, match=r"^amount has 'hired', .* 'no' and 'yes'; for a decision pass decision='hi"
        ):
            made(frame, "hired", "sex", **{argument: "~ years"})
        for name in ("one", "flag"):
            with pytest.warns(
                fairstats.errors.FairstatsWarning, match=f"0 and 1 alone; for a decision pass decision='{name}'"
            ):
                made(frame, name, "sex", **{argument: "~ years"})
        with pytest.raises(InputError, match=r"for a decision pass decision= in its place"):
            made(
                {"sex": frame.sex, "years": frame.years, "amount": frame.hired},
                "amount",
                "sex",
                **{argument: "~ years"},
            )
        with pytest.raises(InputError, match="amount='paid' holds text"):
            made(frame.assign(paid=np.where(frame.one, "12,5", "9,5")), "paid", "sex", **{argument: "~ years"})


def test_numbers_as_text_are_refused_with_the_way_out_and_codes_are_not() -> None:
    rng = np.random.default_rng(3)
    age = rng.integers(22, 66, 600)
    table = pd.DataFrame({"sex": ["m", "f"] * 300, "pay": rng.normal(50, 8, 600) + age / 10, "age": age.astype(str)})
    table["years"] = [f"{value / 8:.1f}".replace(".", ",") for value in age]
    unknown = table.assign(age=table["age"].where(table.index > 5, "unknown"))
    for data, terms, words in (
        (table, "~ age", r"such as '\d\d', and would be 44 classes; convert it to numbers, or write '~ C\(age\)'"),
        (unknown, "~ age", r"would be 45 classes; convert it to numbers \('unknown' as missing values\)"),
        (table, "~ years", r"holds numbers as text, such as '\d,\d'"),
    ):
        for made, argument in ((fairstats.decompose, "explained_by"), (fairstats.adjusted_gap, "adjust_for")):
            with pytest.raises(InputError, match=rf"{argument} has .*{words}"):
                made(data, "pay", "sex", **{argument: terms})
    by_class = fairstats.adjusted_gap(table, "pay", "sex", adjust_for="~ C(age)")
    assert by_class.estimates
    coded = table.assign(grade=(age % 5).astype(str), zip=[f"0{value}" for value in age])
    assert all(fairstats.adjusted_gap(coded, "pay", "sex", adjust_for=one).estimates for one in ("~ grade", "~ zip"))
