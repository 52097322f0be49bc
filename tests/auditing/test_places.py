"""The places of rows among combinations of labels: in blocks, with few bytes a row, as counted one by one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.auditing.tally import firsts, places
from fairstats.data.tables import BLOCK, Columns, Factor, counted, factor


@pytest.mark.long
@pytest.mark.parametrize("n", [1, 7, BLOCK - 1, BLOCK, 3 * BLOCK + 5])
@pytest.mark.parametrize("levels", [(2, 3), (2, 150, 3), (500, 40), (200, 200, 200)])
def test_places_are_those_of_numpys_unique(n: int, levels: tuple[int, ...], rng: np.random.Generator) -> None:
    columns = [rng.integers(-1, width, n) for width in levels]
    columns[0][columns[0] == 1] = 0  # a combination that does not occur
    items = [np.int8 if width < 120 else np.int16 for width in levels]
    factors = {
        str(i): Factor(codes.astype(kind), tuple(map(str, range(width))))
        for i, (codes, kind, width) in enumerate(zip(columns, items, levels, strict=True))
    }
    place, cells = places(factors)
    _, first, expected, rows = np.unique(
        np.column_stack(columns), axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    assert cells == rows.size and (place == expected.ravel()).all()
    assert firsts(place, cells).tolist() == first.tolist()
    assert counted(place, cells).tolist() == rows.tolist()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["i1", "u1", "i2", "u2", "i4", "i8", "u8"])
@pytest.mark.parametrize("low", [-128, -100, 0, 1])
@pytest.mark.parametrize("span", [1, 119, 120, 121, 228])
def test_small_integers_of_any_width_keep_their_labels(kind: str, low: int, span: int) -> None:
    limits = np.iinfo(kind)
    if low < limits.min or low + span > limits.max:
        pytest.skip("no such number")
    values = np.array([low, low + span, low + span // 2, low], dtype=kind)
    result = factor(values)
    assert [result.levels[code] for code in result.codes] == [str(v) for v in values.tolist()]
    assert result.codes.dtype == np.intp
    compact = Columns(pd.DataFrame({"g": values})).labels("g", "groups")
    assert [compact.levels[code] for code in compact.codes] == [str(v) for v in values.tolist()]


def test_logicals_keep_their_labels() -> None:
    for values in ([True, False, True], [True, True], [False]):
        result = factor(np.array(values))
        assert [result.levels[code] for code in result.codes] == [str(v) for v in values]


def test_many_groups_by_name_in_a_fit_are_distinguished(rng: np.random.Generator) -> None:
    """Codes of one byte must not be multiplied: 100 groups and three values of an outcome are 300 cells."""
    n = 3000
    data = pd.DataFrame(
        {"g": pd.Categorical([f"g{i % 100:02d}" for i in range(n)]), "y": np.repeat(["a", "b", "c"], n // 3)}
    )
    data["x"] = rng.normal(size=n)
    result = fairstats.moments(data, "g", features=["x"], y="y")
    expected = data.groupby(["g", "y"], observed=True)["x"].size()
    assert {tuple(cell): int(rows) for cell, rows in zip(result.cells, result.n, strict=True)} == expected.to_dict()
