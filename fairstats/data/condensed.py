"""Rows condensed by whoever holds them: one row a combination of labels and scores, with counts and sums of weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any

import narwhals as nw
import numpy as np

from fairstats.data.batch_counts import counted_batch
from fairstats.data.columns import Columns
from fairstats.data.grids import EXACT, MOST_VALUES, expression, finest_level
from fairstats.errors import InputError, SourceError
from fairstats.quiet import ignoring

ROWS, WEIGHT = "n_", "w_"
SUMMED = ("u_count", "p_count", "m_count", "f_count", "least", "most", "u_sum", "s_sum")  # of weights
WHOLE_FROM = 2.0**52
LARGEST = 1e100  # products of such weights are finite; larger ones are refused by whoever judges weights


@dataclass(frozen=True)
class WeightFacts:
    """What has to be known of all weights before they are used, from parts that add up."""

    unusable: int = 0  # missing, not a number, infinite, or beyond any use
    fractions: int = 0  # not whole
    negative: int = 0
    least: float = np.inf  # of those above 0
    most: float = 0.0

    @staticmethod
    def usable(weights: np.ndarray) -> np.ndarray:
        """Return which weights are numbers that can be added up and squared."""
        return np.abs(weights) < LARGEST

    def __add__(self, other: WeightFacts) -> WeightFacts:
        return WeightFacts(
            self.unusable + other.unusable,
            self.fractions + other.fractions,
            self.negative + other.negative,
            min(self.least, other.least),
            max(self.most, other.most),
        )


@dataclass(frozen=True, eq=False)
class Condensed:
    """Combinations that occur, and of each how many rows there are, with the sums of their weights and squares."""

    columns: Columns
    sums: dict[str, np.ndarray]
    facts: WeightFacts
    grids: dict[str, int] = field(default_factory=dict)
    name: str = ""  # of the table that was condensed, where somebody else did
    weights: str = ""


def condensed(
    frame: Any, keys: Sequence[str], weights: str, name: str, score: str = "", cut: float | None = None
) -> Condensed | None:
    """Return the combinations of a table with their counts, made by the engine that holds it.

    Parameters
    ----------
    frame : narwhals LazyFrame or DataFrame
        The rows; one ``group_by().agg()`` is asked of them, and only its result comes here.
    keys : sequence of str
        Columns of labels and scores.
    weights : str
        The column of weights, or "".
    name : str
        What messages call the table.
    score : str
        Which of the keys is a score, or "". Where an engine has more than 2^20 distinct ones, it puts them on a grid.
    cut : float, optional
        A threshold of the score.

    Returns
    -------
    Condensed or None
        None where there are no rows.

    Raises
    ------
    SourceError
        If the engine does not answer.
    """
    # Names of our own: engines differ in which names they allow, and in whether they tell "A" from "a".
    short = {f"k{i}_": key for i, key in enumerate(keys)}
    wanted = {own: nw.col(key) for own, key in short.items()}
    grids: dict[str, int] = {}
    sums = [nw.len().alias(ROWS)]
    if weights:
        wanted[WEIGHT] = nw.col(weights).cast(nw.Float64)
    try:
        with quiet():
            if score and isinstance(frame, nw.LazyFrame):
                own, values = f"k{list(keys).index(score)}_", nw.col(score).cast(nw.Float64)
                if (level := _level(frame.select(values.alias("x_")), cut)) < EXACT:
                    wanted[own], grids = expression(values, level, cut, nw.when), {score: level}
            if weights or isinstance(frame, nw.LazyFrame):
                frame = frame.select(*(chosen.alias(own) for own, chosen in wanted.items()))
            if weights:
                frame, sums = _weighed(frame, sums)
            if isinstance(frame, nw.LazyFrame):
                made = _collected(frame.group_by(*short).agg(*sums))
            else:
                batch = frame.to_arrow()
                if not weights:
                    batch = batch.select(list(short.values())).rename_columns(list(short))
                made = nw.from_native(_of_arrow(batch, list(short), bool(weights)), eager_only=True)
    except Exception as problem:
        raise no_answer(name, [*keys, *([weights] if weights else [])], problem) from problem
    if not len(made):
        return None
    found = {c: made[c].to_numpy().astype(float) for c in made.columns if c not in short}
    columns = Columns(made.select(*short).rename(short).to_native())
    return Condensed(columns, *_read(found, bool(weights)), grids)


def from_counts(table: Any, weights: str, name: str) -> Condensed:
    """Return combinations that somebody else counted, with the sums that `condensed` asks an engine for.

    Parameters
    ----------
    table : data frame
        The labels and scores of each combination; ``n_``, its rows; where people are weighted ``u_count``, ``p_count``,
        ``m_count``, ``f_count``, ``least``, ``most``, ``u_sum`` and ``s_sum``.
    weights : str
        The column of weights, or "".
    name : str
        What messages call the table.

    Returns
    -------
    Condensed

    Examples
    --------
    >>> import pandas as pd
    >>> from_counts(pd.DataFrame({"sex": ["f", "m"], "n_": [3, 4]}), "", "people").sums["rows"].tolist()
    [3.0, 4.0]
    """
    frame = nw.from_native(table, eager_only=True)
    sums = [column for column in frame.columns if column in (ROWS, *SUMMED)]
    found = {column: frame[column].to_numpy().astype(float) for column in sums}
    return Condensed(Columns(frame.drop(sums).to_native()), *_read(found, bool(weights)), name=name, weights=weights)


def _level(scores: nw.LazyFrame[Any], cut: float | None) -> int:
    """The level of the grid on which an engine's scores are few enough: a question or a few, each a pass."""
    x = nw.col("x_")
    scores = scores.filter((x - x) == 0)  # not missing, no NaN, not infinite

    def ask(frame: nw.LazyFrame[Any]) -> dict[str, Any]:
        different = frame.group_by("x_").agg(nw.len().alias("rows_"))  # counting distinct values is not in every engine
        made = different.select(nw.len().alias("n"), x.min().alias("low"), x.max().alias("high")).collect()
        return {str(k): v for k, v in made.to_arrow().to_pylist()[0].items()}

    def distinct(level: int) -> int:
        return int(ask(scores.select(expression(x, level, cut, nw.when).alias("x_")))["n"])

    found = ask(scores)
    if found["n"] <= MOST_VALUES:
        return EXACT
    return finest_level(distinct, EXACT, int(np.floor(np.log2(MOST_VALUES / (found["high"] - found["low"])))))


def _collected(frame: nw.LazyFrame[Any]) -> Any:
    """What an engine answers. PostgreSQL works alone in a cursor, which is how Ibis asks it, and in parallel else."""
    native = frame.to_native()
    backend = native.get_backend() if hasattr(native, "to_pyarrow_batches") else None
    if backend is None or backend.name != "postgres":
        return frame.collect()
    import pyarrow as pa

    with closing(backend.raw_sql(str(backend.compile(native)))) as cursor:
        rows = cursor.fetchall()
    schema = native.schema().to_pyarrow()
    try:
        columns = list(zip(*rows, strict=True)) or [()] * len(schema)
        arrays = [pa.array(values, type=one.type) for values, one in zip(columns, schema, strict=True)]
    except (pa.ArrowException, TypeError):  # a type that only Ibis knows how to read
        return frame.collect()
    return nw.from_native(pa.table(arrays, schema=schema), eager_only=True)


def _of_arrow(table: Any, keys: list[str], weighted: bool) -> Any:
    """The combinations of one Arrow batch."""
    asked: dict[str, tuple[Any, str]] = {}
    if weighted:
        asked |= {f"{c}count": (c, "count") for c in ("u_", "p_", "m_", "f_")}
        asked |= {"least": ("p_", "min"), "most": ("u_", "max"), "u_sum": ("u_", "sum"), "s_sum": ("s_", "sum")}
    return counted_batch(table, keys, asked, ROWS)


def _weighed(frame: Any, sums: list[Any]) -> tuple[Any, list[Any]]:
    """Columns whose plain sums say all that is needed of weights: not every engine sums an expression."""
    w = nw.col(WEIGHT)
    usable = nw.when((w > -LARGEST) & (w < LARGEST)).then(w)
    frame = frame.with_columns(usable.alias("u_"))
    u = nw.col("u_")
    frame = frame.with_columns(
        nw.when(u > 0).then(u).alias("p_"),
        nw.when(u < 0).then(u).alias("m_"),
        # larger ones are whole; SQLite's floor goes no further than 64 bits
        nw.when((u < WHOLE_FROM) & (u > -WHOLE_FROM) & (u.floor() != u)).then(u).alias("f_"),
        (u * u).alias("s_"),
    )
    counts = [nw.col(c).count().alias(f"{c}count") for c in ("u_", "p_", "m_", "f_")]
    return frame, [*sums, *counts, nw.col("p_").min().alias("least"), nw.col("u_").max().alias("most")] + [
        nw.col(c).sum().alias(f"{c}sum") for c in ("u_", "s_")
    ]


def _read(values: Mapping[str, np.ndarray], weighted: bool) -> tuple[dict[str, np.ndarray], WeightFacts]:
    rows = values[ROWS]
    if not weighted:
        return {"rows": rows}, WeightFacts()
    sums = {"used": values["p_count"], "weight": values["u_sum"], "square": values["s_sum"]}
    facts = WeightFacts(
        int((rows - values["u_count"]).sum()),
        int(values["f_count"].sum()),
        int(values["m_count"].sum()),
        float(np.nanmin(np.append(values["least"], np.inf))),
        float(np.nanmax(np.append(values["most"], 0.0))),
    )
    return {"rows": rows, **{k: np.nan_to_num(v) for k, v in sums.items()}}, facts


def facts_of(weights: np.ndarray) -> WeightFacts:
    """Return the same facts of weights in memory.

    Examples
    --------
    >>> facts_of(np.array([1.0, 2.5, np.nan]))
    WeightFacts(unusable=1, fractions=1, negative=0, least=1.0, most=2.5)
    """
    usable = weights[WeightFacts.usable(weights)]
    positive = usable[usable > 0]
    return WeightFacts(
        weights.size - usable.size,
        int((usable != np.floor(usable)).sum()),
        int((usable < 0).sum()),
        float(positive.min(initial=np.inf)),
        float(positive.max(initial=0.0)),
    )


@contextmanager
def quiet() -> Iterator[None]:
    """Keep from the user what engines tell each other's authors."""
    with ignoring(DeprecationWarning):
        yield


def no_answer(name: str, columns: Sequence[str], problem: Exception, verb: str = "count") -> SourceError | InputError:
    """Return one error for what an engine said: the source, the columns asked for, and the engine's own words."""
    if isinstance(problem, InputError):
        return problem
    said = " ".join(str(problem).split())[:300].rstrip(".") or type(problem).__name__
    return SourceError(
        f"{name} did not {verb} the columns {', '.join(columns)} ({type(problem).__name__}: {said}); nothing was "
        "estimated; see that it can be reached, that these columns may be read, and that they can be grouped by."
    )
