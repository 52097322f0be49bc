"""Whole audits, fits and comparisons of tables and arguments that hypothesis draws, and what each must keep."""

from __future__ import annotations

import contextlib
import inspect
import json
import math
import time
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

import fairstats
from fairstats.errors import FairstatsError
from fairstats.estimates import Estimate
from fairstats.methods.registry import METHODS
from fairstats.validation import ADJUSTMENTS, MISSING, WEIGHT_TYPES

LABELS = st.sampled_from(["a", "b", "c", "d", "ä:b", "", "1", "01", None, "(missing)", "<b>", "=1+1", "x" * 90])
PLAIN = st.sampled_from(["a", "b", "c", "d", "e", "f"])
ODD = st.sampled_from([float("nan"), float("inf"), 1e-200, 1e200, -1.0])
NUMBERS = st.one_of(*[st.floats(0, 3, width=16)] * 9, st.sampled_from([0.0, 1.0]), ODD)
PAIRS = st.sampled_from([[0, 1], ["no", "yes"], [0, 1, None], [0.0, 1.0], [False, True], [1], [0, 1, 2], [None, "x"]])
MARKS = st.sampled_from([0, 1, None, "yes", "no", 1.0, True])


@st.composite
def tables(draw: Any) -> pd.DataFrame:
    """A few people: labels, marks, numbers and weights; half of the tables are of ordinary ones only."""
    ordinary = draw(st.booleans())
    n = draw(st.integers(20 if ordinary else 1, 60))
    labels, pairs, numbers = (
        (PLAIN, st.just([0, 1]), st.floats(0, 3, width=16)) if ordinary else (LABELS, PAIRS, NUMBERS)
    )

    def column(values: Any, few: int) -> list[Any]:
        return mixed(draw(st.lists(values, min_size=2 if ordinary else 1, max_size=few, unique_by=repr)))

    def mixed(palette: list[Any]) -> list[Any]:
        rng = np.random.default_rng(draw(st.integers(0, 2**20)))
        return [palette[i] for i in rng.integers(0, len(palette), n)]

    columns = {name: column(labels, few) for name, few in (("g", 4), ("h", 3), ("c", 6))}
    columns |= {name: mixed(draw(pairs)) for name in ("d", "y")}
    columns |= {name: column(numbers, few) for name, few in (("s", 12), ("w", 4), ("u", 30), ("v", 30))}
    return pd.DataFrame(columns)


def some(needed: dict[str, Any], **choices: Any) -> Any:
    """Arguments of which some are there, and each other is there or is not."""
    return st.fixed_dictionaries(needed, optional=choices)


GROUPS = {"groups": st.sampled_from(["g", "h", ["g", "h"], ["g", "g:h"]])}
ASKED = some(
    {**GROUPS, "decision": st.sampled_from(["d", "y"])},
    outcome=st.sampled_from(["y", "d"]), score=st.sampled_from(["s", "u"]), favorable=MARKS,
    positive=MARKS, positive_prediction=MARKS,
    reference=st.sampled_from(["largest_group", "highest_rate", "a", {"g": "b"}]),
    conf_level=st.sampled_from([0.5, 0.9, 0.95, 0.999999, 1e-9]), p_adjust=st.sampled_from(list(ADJUSTMENTS)),
    margin=st.sampled_from([0.1, 0.999, {"selection rate": 0.1}]), strata=st.sampled_from(["h", "c", ["h", "c"]]),
    weights=st.sampled_from(["w", "s"]), weight_type=st.sampled_from(list(WEIGHT_TYPES)),
    clusters=st.sampled_from(["c", "h"]), min_n=st.integers(1, 12), missing=st.sampled_from(list(MISSING)),
)  # fmt: skip


def sound(rows: Iterable[Estimate]) -> None:
    """What every row of estimates keeps."""
    for row in rows:
        for p in (row.p_value, row.p_adjusted):
            assert math.isnan(p) or 0 <= p <= 1, row
        if row.status == "ok" and not math.isnan(row.conf_low) and math.isfinite(row.estimate):
            reach = 1e-9 * max(1.0, abs(row.estimate))
            assert row.conf_low - reach <= row.estimate <= row.conf_high + reach, row
        assert row.n >= 0 or math.isnan(row.n), row


def audits(table: pd.DataFrame, arguments: dict[str, Any]) -> None:
    """An audit is sound, says itself within 80 columns, is strict JSON, and does not know the order of the rows."""
    audit = fairstats.audit(table, **arguments)
    sound(audit.estimates)
    assert max(map(len, audit.summary().splitlines())) <= 80, audit.summary()
    json.dumps(audit.to_dict(), allow_nan=False)
    again = fairstats.audit(table[::-1].reset_index(drop=True), **arguments)
    for one, other in zip(audit.estimates, again.estimates, strict=True):
        assert one.key == other.key and (one.n == other.n or math.isnan(one.n))
        assert math.isclose(one.estimate, other.estimate, rel_tol=1e-6, abs_tol=1e-9) or math.isnan(one.estimate), one


def fits(table: pd.DataFrame, name: str, k: int, scale: bool) -> None:
    """A fit gives finite scores, and its guarantees hold."""
    row = METHODS[name]
    few = {"mbf_pca": {"n_init": 1, "max_iter": 5}, "rlace": {"max_iter": 20}, "rlace_pca": {"max_iter": 20}}
    options = {**row.needs, **few.get(name, {}), **({"k": k} if row.reduces else {})}
    if scale and "scale" in inspect.signature(row.function).parameters:
        options["scale"] = True
    fit = row.function("~ u + v + s", "g", data=table, **options)
    scores = np.asarray(fit.transform(table, table["g"]) if row.groups else fit.transform(table), dtype=float)
    assert np.isfinite(scores).all()
    assert max(map(len, fit.summary().splitlines())) <= 80
    json.dumps(fit.to_dict(), allow_nan=False)


def comparisons(table: pd.DataFrame, arguments: dict[str, Any]) -> None:
    """A comparison is sound."""
    comparison = fairstats.compare(
        pd.concat([table] * 3, ignore_index=True), outcome="y", groups="g", features=["u", "v"], methods=["og"], k=1,
        n_repeats=2, progress=False, **arguments,
    )  # fmt: skip
    sound(comparison.estimates)
    json.dumps(comparison.to_dict(), allow_nan=False)


LAWS: dict[str, tuple[Callable[..., None], Any]] = {
    "audits": (audits, st.tuples(tables(), ASKED)),
    "fits": (
        fits,
        st.tuples(
            tables(),
            st.sampled_from([name for name, row in METHODS.items() if not row.extra]),
            st.integers(1, 2),
            st.booleans(),
        ),
    ),
    "comparisons": (comparisons, st.tuples(tables(), some({}, threshold=NUMBERS, scale=st.booleans(), positive=MARKS))),
}


def hold(name: str, seconds: float) -> tuple[int, int]:
    """Hold a law against what is drawn, seed by seed, for some seconds; count the runs, and those with a result."""
    law, strategy = LAWS[name]
    end, begun, runs, results = time.monotonic() + seconds, int(time.time()), 0, 0

    def one(drawn: tuple[Any, ...]) -> None:
        nonlocal runs, results
        runs += 1
        with contextlib.suppress(FairstatsError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            law(*drawn)
            results += 1

    while time.monotonic() < end:
        begun += 1
        quiet = settings(max_examples=25, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        seed(begun)(quiet(given(strategy)(one)))()
    return runs, results
