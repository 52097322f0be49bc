"""A fit gives back the kind of table that it was given, with names; and has its parts under the names others use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.decomposition import PCA

import fairstats
from fairstats.errors import AbsentError, InputError

FEATURES = ["age", "checks"]
PEOPLE = fairstats.arrests().head(200)[[*FEATURES, "colour"]].set_index(np.arange(200) + 1000)


def fits() -> dict[str, Any]:
    return {
        "projection": fairstats.og(FEATURES, "colour", k=1, data=PEOPLE),
        "kernel": fairstats.fair_kernel_pca(FEATURES, "colour", k=2, data=PEOPLE),
        "eraser": fairstats.leace(FEATURES, "colour", data=PEOPLE),
        "group map": fairstats.comparators.residualize(FEATURES, "colour", data=PEOPLE),
    }


FITS = fits()
VERBS = [
    (name, verb) for name in FITS for verb in ("transform", "reconstruct") if (name, verb) != ("kernel", "reconstruct")
]


@pytest.mark.parametrize(("name", "verb"), VERBS)
def test_the_kind_of_table_that_came_in_comes_back_with_names(name: str, verb: str) -> None:
    call = getattr(FITS[name], verb)
    expected = call(PEOPLE[FEATURES].to_numpy(), PEOPLE["colour"].to_numpy())
    assert type(expected) is np.ndarray
    frame = call(PEOPLE)
    names = (
        [f"score_{j + 1}" for j in range(expected.shape[1])]
        if name in ("projection", "kernel") and verb == "transform"
        else FEATURES
    )
    assert list(frame.columns) == names and frame.index.equals(PEOPLE.index)
    np.testing.assert_array_equal(frame.to_numpy(), expected)
    polars, arrow = call(pl.from_pandas(PEOPLE)), call(pa.Table.from_pandas(PEOPLE, preserve_index=False))
    assert isinstance(polars, pl.DataFrame) and isinstance(arrow, pa.Table)
    assert polars.columns == arrow.column_names == names
    np.testing.assert_array_equal(polars.to_numpy(), expected)
    mapping = call({name: PEOPLE[name].to_numpy() for name in PEOPLE})
    assert list(mapping) == names
    np.testing.assert_array_equal(np.column_stack(list(mapping.values())), expected)


def test_a_table_without_the_groups_is_refused_with_the_way_out() -> None:
    with pytest.raises(InputError, match="X has no column colour; pass groups="):
        FITS["projection"].transform(PEOPLE[FEATURES])
    shown = FITS["projection"].transform(PEOPLE[FEATURES], PEOPLE["colour"])
    pd.testing.assert_frame_equal(shown, FITS["projection"].transform(PEOPLE))


def test_the_parts_of_pca_have_scikit_learns_and_rs_names() -> None:
    X = PEOPLE[FEATURES].to_numpy()
    fit, other = fairstats.pca(X, k=2), PCA(2).fit(X)
    np.testing.assert_allclose(np.abs(fit.components_), np.abs(other.components_), atol=1e-12)
    np.testing.assert_allclose(fit.explained_variance_ratio_, other.explained_variance_ratio_, rtol=1e-12)
    np.testing.assert_allclose(fit.sdev**2, other.explained_variance_, rtol=1e-12)
    np.testing.assert_array_equal(fit.rotation, fit.components_.T)


def test_what_a_fit_has_not_says_the_way_out() -> None:
    fit, kernel = FITS["projection"], FITS["kernel"]
    with pytest.raises(AbsentError, match=r"fit\.transform\(X\) gives the scores"):
        fit.x  # noqa: B018
    with pytest.raises(AbsentError, match="has no loadings"):
        kernel.components_  # noqa: B018
    assert not hasattr(fit, "x") and not hasattr(kernel, "rotation")
    np.testing.assert_allclose(kernel.sdev**2 * 199, kernel.energy)


def test_tidy_has_the_loadings_one_row_a_feature_and_component() -> None:
    fit = fairstats.pca(FEATURES, k=2, data=PEOPLE)
    table = fit.tidy("loadings")
    assert list(table.columns) == ["feature", "component", "loading"] and len(table) == 4
    wide = table.pivot(index="feature", columns="component", values="loading").loc[FEATURES]
    np.testing.assert_array_equal(wide.to_numpy(), fit.loadings)
    pd.testing.assert_frame_equal(fit.tidy(), fit.estimates.to_frame())
    with pytest.raises(
        InputError, match="table has 'loading'; the choices are estimates, loadings; did you mean 'loadings'"
    ):
        fit.tidy("loading")  # type: ignore[arg-type]


def test_augment_keeps_the_kind_of_table() -> None:
    fit = FITS["projection"]
    for table in (PEOPLE, pl.from_pandas(PEOPLE), pa.Table.from_pandas(PEOPLE)):
        assert type(fit.augment(table)) is type(table)


def test_a_table_of_a_file_is_a_table_to_every_verb(tmp_path: Path) -> None:
    frame = pd.DataFrame({"u": [1.0, 2, 4, 8], "v": [3.0, 1, 2, 2], "g": ["a", "b", "a", "b"]})
    frame.to_csv(tmp_path / "people.csv", index=False)
    table = fairstats.read_table(tmp_path / "people.csv")
    fit = fairstats.fair_pca("~ u + v", "g", 1, data=frame)
    pd.testing.assert_frame_equal(fit.transform(table), fit.transform(frame))
    named = fairstats.fair_pca(["u", "v"], "g", 1, data=table)
    pd.testing.assert_frame_equal(named.transform(table), named.transform(frame))
