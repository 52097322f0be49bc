"""Groups in lines, metrics in columns: the numbers of the rows, and nothing of a group that is suppressed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.errors import InputError
from tests.laws.every_result import made

RNG = np.random.default_rng(4)
N = 500
PEOPLE = pd.DataFrame(
    {
        "race": RNG.choice(["a", "b", "c"], N, p=[0.6, 0.37, 0.03]),
        "sex": RNG.choice(["f", "m"], N),
        "d": RNG.integers(0, 2, N),
        "y": RNG.integers(0, 2, N),
        "s": RNG.random(N),
    }
)


def test_the_matrix_has_the_rates_of_every_group():
    pytest.importorskip("fairlearn.metrics")
    from fairlearn.metrics import MetricFrame, false_positive_rate, selection_rate, true_positive_rate
    from sklearn.metrics import roc_auc_score

    audited = fairstats.audit(PEOPLE, "d", ["race", "sex"], outcome="y", score="s")
    names = {"selection rate": selection_rate, "TPR": true_positive_rate, "FPR": false_positive_rate}
    for attribute in ("race", "sex"):
        result = audited.by_group(attribute)
        theirs = MetricFrame(metrics=names, y_true=PEOPLE.y, y_pred=PEOPLE.d, sensitive_features=PEOPLE[attribute])
        assert result.index.name == attribute and sorted(result.index) == sorted(PEOPLE[attribute].unique())
        pd.testing.assert_frame_equal(
            result[list(names)], theirs.by_group.loc[result.index], check_names=False, check_index_type=False
        )
        auc = {group: roc_auc_score(current.y, current.s) for group, current in PEOPLE.groupby(attribute)}
        assert result["AUC"].to_dict() == pytest.approx(auc)
    pd.testing.assert_frame_equal(audited.by_group(), audited.by_group("race"))
    assert set(audited.by_group("race:sex").index) == {f"{r}:{s}" for r in "abc" for s in "fm"}
    worded = fairstats.audit(PEOPLE, "d", ["race", "sex"], labels={"attributes": {"sex": "gender"}})
    pd.testing.assert_frame_equal(worded.by_group("gender"), worded.by_group("sex"))
    assert not {"P(X>Y)", "score shift"} & set(audited.by_group())  # they compare two groups


def test_a_suppressed_group_is_there_without_numbers():
    result = fairstats.audit(PEOPLE, "d", "race", min_n=30).by_group()
    assert result.loc["c"].isna().all() and result["selection rate"].notna().sum() <= 2


def test_an_unknown_attribute_is_refused_by_name():
    with pytest.raises(InputError, match=r"attribute has 'rase'; .*did you mean 'race'\? It has race"):
        fairstats.audit(PEOPLE, "d", "race").by_group("rase")


def test_a_list_of_attributes_is_refused_with_the_text_to_pass():
    with pytest.raises(InputError, match=r"has \['race', 'sex'\]; .* pass one of race, sex, race:sex .*text: race:sex"):
        fairstats.audit(PEOPLE, "d", ["race", "sex"]).by_group(["race", "sex"])
    with pytest.raises(InputError, match=r"attribute has \['race'\]; it is the name of one; pass one of race\.$"):
        fairstats.audit(PEOPLE, "d", "race").by_group(["race"])


def test_a_comparison_has_a_line_a_method_and_group():
    result = made("comparison")
    matches = result.by_group()
    assert matches.index.names == ["method", "sex"]
    (row,) = (
        r for r in result.estimates.where(metric="TPR", contrast="none", role="main", group="f")
        if r.fit == "none" and r.model == "logistic" and not r.versus
    )  # fmt: skip
    assert matches.loc[(result.label(row), "f"), "TPR"] == row.estimate


def test_groups_of_an_ordered_category_stand_in_its_order_everywhere(tmp_path):
    sizes = {"low": 30, "middle": 50, "high": 40}
    band = pd.Categorical(
        np.repeat(list(sizes), list(sizes.values())), ["low", "middle", "high", "nobody"], ordered=True
    )
    table = pd.DataFrame({"band": band, "sex": np.tile(["m", "f", "m"], 40), "d": RNG.integers(0, 2, 120)})
    by_level, by_size = ["low", "middle", "high"], ["middle", "high", "low"]
    for people, order in ((table, by_level), (table.assign(band=table.band.astype(str)), by_size)):
        for result in (fairstats.audit(people, "d", "band"), fairstats.audit(fairstats.tally(people, "d", "band"))):
            assert list(result.by_group().index) == order
            assert list(dict.fromkeys(row.group for row in result.estimates if row.group)) == order
            assert result.references == {"band": "middle"}
            assert list(fairstats.table(result, "rates").to_frame().iloc[:, 0]) == order
    halves = fairstats.tally(table[:50], "d", "band") + fairstats.tally(table[50:], "d", "band")
    assert sorted(fairstats.audit(halves).by_group().index) == sorted(by_level)
    with_gap = table.assign(band=table.band.where(table.index != 3))
    assert list(fairstats.audit(with_gap, "d", "band").by_group().index) == [*by_level, "(missing)"]
    # numbers are the same to the last digit, simulated ones too; the order goes with the protocol, into a file of text
    ordered, plain = (
        fairstats.audit(table, "d", ["band", "sex"]),
        fairstats.audit(table.assign(band=table.band.astype(str)), "d", ["band", "sex"]),
    )
    key = ["attribute", "metric", "estimator", "contrast", "role", "given", "group", "term"]
    one, other = (a.tidy().sort_values(key).reset_index(drop=True) for a in (ordered, plain))
    pd.testing.assert_frame_equal(one, other)
    report = tmp_path / "audit.json"
    fairstats.report(fairstats.audit(table, "d", "band"), to=str(report))
    table.to_csv(tmp_path / "people.csv", index=False)
    assert fairstats.verify_report(str(report), pd.read_csv(tmp_path / "people.csv")).ok
    both = table.assign(sex=pd.Categorical(table.sex, ["m", "f"], ordered=True))
    crossed = list(fairstats.audit(both, "d", ["band", "sex"]).by_group("band:sex").index)
    assert crossed == [f"{band}:{sex}" for band in by_level for sex in "mf"]
    kept = fairstats.audit(both, "d", ["band", "sex"])
    kept.save(str(tmp_path / "a.npz"))
    assert list(fairstats.load(str(tmp_path / "a.npz")).by_group().index) == by_level


def test_the_order_of_an_ordered_category_stays_where_attribute_and_groups_have_other_names():
    """Tables, pictures and pages look the order up by the name that the attribute has there."""
    band = pd.Categorical(np.repeat(["low", "middle", "high"], [30, 50, 40]), ["low", "middle", "high"], ordered=True)
    people = pd.DataFrame({"band": band, "sex": np.tile(["m", "f", "m"], 40), "d": np.tile([0, 1, 1, 0], 30)})
    named = {"attributes": {"band": "salary"}, "groups": {"band": {"middle": "mid"}}}
    result = fairstats.audit(people, "d", "band", labels=named)
    order = ["low", "Mid", "high"]
    assert list(fairstats.table(result, "rates").to_frame().iloc[:, 0]) == order
    alt = fairstats.plot(result, "rates").alt
    assert sorted(order, key=alt.index) == order, alt
