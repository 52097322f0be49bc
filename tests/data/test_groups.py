"""Attributes as the reader of groups takes them."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import fairstats
from fairstats.cli import run
from fairstats.data.groups import Groups
from fairstats.errors import InputError


def test_an_attribute_named_twice_is_refused() -> None:
    with pytest.raises(InputError, match="groups has 'g' more than once"):
        Groups.of(["g", "g"], {"g": ["a", "b"]})


def test_no_labels_at_all_are_one_clear_error() -> None:
    for empty in ([], np.array([]), pd.Series([], dtype=object)):
        with pytest.raises(InputError, match="has no labels; name a column of data, or give one label a row"):
            Groups.of(empty)


def test_every_type_of_pandas_is_labels_or_one_clear_error() -> None:
    i = np.arange(12) % 2
    periods = pd.PeriodIndex(["2020", "2021"], freq="Y").take(i)
    days = pd.to_datetime(["2020-01-01", "2021-01-01"])[i]
    text = np.array(["u", "v"])[i]
    expected = {
        ("2020", "2021"): [periods, pd.Series(periods), list(periods), pd.Series(pd.Categorical(periods))],
        ("2020-01-01", "2021-01-01"): [days, days.tz_localize("UTC"), pd.Categorical(days), list(days)],
        ("(0, 1]", "(1, 2]"): [
            pd.IntervalIndex.from_breaks([0, 1, 2]).take(i),
            pd.cut(i, [-1, 0, 1]).rename_categories(pd.IntervalIndex.from_breaks([0, 1, 2])),
        ],
        ("0", "1"): [pd.arrays.SparseArray(i), pd.array(i, dtype="Int64")],
        ("u", "v"): [pd.array(text, dtype="string"), pd.array(text, dtype=pd.ArrowDtype(pa.string()))],
    }
    for levels, types in expected.items():
        for values in types:
            for groups in (values, pd.Series(values), {"g": values}, pd.DataFrame({"g": values})):
                assert Groups.of(groups).factors[0].levels == levels, type(values)
    gaps = pd.Series(periods).where(np.arange(12) > 0)
    assert Groups.of(gaps, missing="drop").n == 11
    lists = pd.Series([[int(j)] for j in i], dtype=pd.ArrowDtype(pa.list_(pa.int64())))
    with pytest.raises(InputError, match="holds list values, which are no labels"):
        Groups.of(lists)


def test_missing_groups_are_answered_with_what_the_call_takes(tmp_path, capsys):
    rng = np.random.default_rng(0)
    data = pd.DataFrame(rng.normal(size=(80, 4)), columns=list("abcd")).assign(sex=["f", "m", "m", None] * 20)
    features = list("abcd")
    fit = fairstats.og(features, "sex", k=2, data=data, missing="drop")
    alone = re.escape("leave these rows out first: data.dropna(subset=['sex']).")
    calls = (
        lambda: fit.crossfit(data),
        lambda: fairstats.tradeoff(features, "sex", ["pca", "og"], k=2, data=data),
        lambda: fairstats.leakage(fit, data),
        lambda: fairstats.price_of_fairness(fit, data),
    )
    for call in calls:
        with pytest.raises(InputError, match=alone):
            call()
    with pytest.raises(InputError, match="missing='level' to keep them as a group, or missing='drop' to leave"):
        fairstats.og(features, "sex", k=2, data=data)
    level = fairstats.og(features, "sex", k=2, data=data, missing="level")
    assert level.crossfit(data).groups.factors[0].codes.tolist().count(2) == 20
    data.to_csv(tmp_path / "d.csv", index=False)
    options = [str(tmp_path / "d.csv"), "--groups", "sex", "--features", "a,b,c,d", "-k", "2"]
    assert run(["fit", "og", *options]) == 2
    error = capsys.readouterr().err
    assert "pass --missing level to keep them as a group, or leave the rows without 'sex' out of the file" in error
    assert run(["tradeoff", *options]) == 2
    error = capsys.readouterr().err
    assert "leave the rows without 'sex' out of the file first" in error and "missing=" not in error
