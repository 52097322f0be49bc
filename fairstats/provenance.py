"""Where the numbers come from: the data, the call, the versions, the time."""

from __future__ import annotations

import importlib.metadata
import inspect
import os
import platform
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import cache, cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairstats.arrays import by_code
from fairstats.data.tables import Columns, is_table
from fairstats.errors import InputError, listing, nearest, table_name, with_hint
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.files import existing
from fairstats.labels import holds_missing
from fairstats.language import Message, message
from fairstats.validation import Answer, Given, shown

if TYPE_CHECKING:
    import pandas as pd


PACKAGES = ("fairstats", "numpy", "scipy", "pandas", "scikit-learn")
VERSIONS_IN_R = ("R", "fairstats in R")  # of an audit that was called from there


@dataclass(frozen=True)
class TableOfCounts:
    """The columns that a table of counts was read by, as ``fairstats.from_counts`` takes them."""

    groups: tuple[str, ...]
    selected: str
    total: str
    strata: tuple[str, ...] = ()
    not_selected: str = ""  # in place of the total


IN_MEMORY = message("data in memory")


@dataclass(frozen=True)
class DataSource:
    """Where the rows came from; the hash is of the file, "" for data in memory."""

    name: str
    sha256: str
    rows: int
    columns: int
    counts: TableOfCounts | None = None  # where a row is not one person
    # columns whose decimal mark may be one of thousands, each with such a text: for the cautions, which results keep
    thousands: tuple[tuple[str, str], ...] = field(default=(), repr=False, compare=False)
    repeated: tuple[str, int] = field(default=("", 0), repr=False, compare=False)  # as of `Columns.repeated_rows`

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-ready; ``counts`` only of a table of counts."""
        entries = asdict(replace(self, thousands=()))
        del entries["repeated"]
        return {name: value for name, value in entries.items() if name not in ("counts", "thousands") or value}


@dataclass(frozen=True)
class Provenance:
    """The data, the call, the versions, the seed and the time of a run: what is needed to run it again."""

    call: str
    seed: int
    versions: dict[str, str]
    created: str  # ISO 8601, UTC; SOURCE_DATE_EPOCH is honored


def take_in(data: Any, labels: Iterable[str] = ()) -> tuple[Columns, DataSource]:
    """A table in memory, or one read from a file, with its origin.

    data: a pandas, polars or pyarrow table, a dictionary of columns, or the path of a CSV, Parquet or Arrow file; what
        `read_table` returned; several files as one table.
    labels: columns that hold labels: what a text file says of them is not made numbers that are fewer.
    Raises InputError, FileError: if it is not a table, or the file cannot be read.

    >>> take_in({"sex": ["f", "m"]})[1].name
    'data in memory'
    """
    from fairstats.data.read import THOUSANDS, Several, Table, read_table

    if isinstance(data, (str, Path, Table, Several)):
        if isinstance(data, (str, Path)):
            table = read_table(existing(data, "data"), labels=labels)
        else:
            table = data if isinstance(data, Table) else data.table(labels)
        source = DataSource(table.name, table.sha256, table.rows, table.columns)
        return Columns(table.frame), replace(source, thousands=tuple(table.frame.attrs.get(THOUSANDS, {}).items()))
    columns = Columns(data)
    return columns, DataSource(table_name() or IN_MEMORY, "", columns.n, len(columns.names))


def provenance(call: str, seed: int) -> Provenance:
    """The versions, the seed and the time (``SOURCE_DATE_EPOCH`` is honored) of a run.

    call: the call that repeats it.
    seed: the seed of everything random.

    >>> provenance("audit(...)", 0).seed
    0
    """
    versions = {"python": platform.python_version(), **{p: version(p) for p in PACKAGES}}
    return Provenance(call, seed, versions, now())


def run_records(data: Iterable[DataSource], run: Provenance | None) -> dict[str, Any]:
    """Where the rows came from and how it was run, JSON-ready, for results that keep them apart from their numbers.

    >>> run_records((), None)
    {'data': [], 'provenance': None}
    """
    return {"data": [one.to_dict() for one in data], "provenance": None if run is None else asdict(run)}


def now() -> str:
    """The time of a run, ISO 8601 in UTC: that of the variable ``SOURCE_DATE_EPOCH`` where it is set."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        moment = datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)
    except (ValueError, OverflowError, OSError) as problem:
        raise InputError(
            f"the variable SOURCE_DATE_EPOCH has {shown(epoch)}; it is a time in whole seconds since 1970; correct or "
            "unset it."
        ) from problem
    return moment.isoformat(timespec="seconds")


def digests(results: Iterable[object]) -> tuple[str, ...]:
    """SHA-256 of the data and of the protocol of each result that was read from files."""
    parts = [getattr(result, name, None) for result in results for name in ("data", "protocol")]
    return tuple(dict.fromkeys(digest for part in parts if (digest := getattr(part, "sha256", ""))))


@cache
def version(package: str) -> str:
    """The version of a package that runs here."""
    if package == "fairstats":  # the code that runs, not what an installer once noted beside it
        import fairstats

        return fairstats.__version__
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def call_text(name: str, source: DataSource, given: dict[str, Any]) -> str:
    """The call as text, default arguments left out.

    >>> call_text("audit", DataSource("a.csv", "c0ffee", 1, 1), {"groups": "sex", "seed": 1})
    "audit('a.csv', groups='sex', seed=1)"
    """
    first = repr(source.name) if source.sha256 and not isinstance(source.name, Message) else "data"
    if source.counts is not None:
        columns = {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(source.counts).items() if v}
        first = call_text("fairstats.from_counts", replace(source, counts=None), columns)
    return f"{name}({', '.join([first, *(f'{k}={_plain(v)!r}' for k, v in given.items())])})"


def _plain(value: Any) -> Any:
    """A value without the types of numpy and of paths, whose repr needs their imports."""
    if isinstance(value, Mapping):
        return {_plain(k): _plain(v) for k, v in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(_plain, value))
    if isinstance(value, np.generic):
        return value.item()
    return str(value) if isinstance(value, Path) else value


def call_of_fit(fit: Any) -> str:
    """The call that repeats a fit, with its settings; its rows have no name."""
    settings = [f"{name}={value!r}" for name, value in getattr(fit, "settings", {}).items()]
    return f"fairstats.{fit.method}({', '.join(['X', 'groups', *settings])})"


def recorded(study: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """A study of people, whose result keeps where they came from and the call that repeats it.

    A path in the place of ``data`` is read.
    """
    signature = inspect.signature(study)

    @wraps(study)
    def wrapper(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
        from fairstats.data.groups import label_names
        from fairstats.data.read import read_table

        given = signature.bind(*args, **kwargs).arguments
        people = given.get("data")
        if isinstance(people, (str, os.PathLike)):
            people = read_table(people, labels=[*label_names(given.get("groups")), *label_names(given.get("y"))])
            kwargs["data"] = people
        result: Any = study(*args, **kwargs)
        table: Any = given.get("X") if people is None else people
        if is_table(table):
            source = take_in(table)[1]
        else:
            source = DataSource(table_name() or IN_MEMORY, "", result.n, (*np.shape(table), 1, 1)[1])
        given |= given.pop("settings", {})  # of a method, which it passes on
        usual = {name: parameter.default for name, parameter in signature.parameters.items()}
        chosen = {name: value for name, value in given.items() if name not in usual or value is not usual[name]}
        columns = Columns(table).names if is_table(table) else ()
        told = {name: _in_call(value, name, columns) for name, value in chosen.items()}
        told |= {"data": repr(source.name)} if source.sha256 else {}
        first = [told.pop(name) for name in [*signature.parameters][:1] if name in told]
        said = {**told, "seed": str(result.seed)}
        call = f"fairstats.{study.__name__}({', '.join([*first, *(f'{a}={v}' for a, v in said.items())])})"
        return replace(result, data=(source,), provenance=provenance(call, result.seed))

    return wrapper


LONGEST = 200  # of a list that a call names in full
OF_PEOPLE = {"X", "groups", "y", "weights", "data", "folds", "preserve"}  # where a list may have a value of each person


def _in_call(value: Any, name: str, columns: Collection[str]) -> str:
    """An argument as code: names and numbers as they are, a fit as its call, rows by the argument's name."""
    if hasattr(value, "settings") and hasattr(value, "method"):
        return call_of_fit(value)
    return repr(_plain(value)) if _is_said(value, name, columns) else name


def _is_said(value: Any, name: str, columns: Collection[str]) -> bool:
    if isinstance(value, (Mapping, list, tuple)):
        entries = value.items() if isinstance(value, Mapping) else ((name, entry) for entry in value)
        if name in OF_PEOPLE:
            return all(isinstance(entry, str) and entry in columns for _, entry in entries)
        return len(value) <= LONGEST and all(_is_said(entry, str(part), columns) for part, entry in entries)
    return value is None or isinstance(value, (str, int, float, np.generic, Path))


# The flow of counts: how many rows were read, and where each went.


READ, ANALYZED = (
    (message("rows read"), message("people read"), message("rows of the domain")),
    (message("rows analyzed"), message("people analyzed")),
)  # rows may stand for several people


@dataclass(frozen=True)
class FlowStep:
    """One line of the flow of counts from rows read to rows analyzed."""

    label: str
    n: float  # NaN where it is the size of a suppressed group
    reason: str = ""


def read_and_analyzed(flow: Iterable[FlowStep]) -> tuple[FlowStep, FlowStep]:
    """The steps of everybody read and of everybody analyzed: people, where each row stands for as many as it says; of a
    survey's domain those of the domain.

    >>> steps = FlowStep("rows read", 8), FlowStep("people read", 900), FlowStep("people analyzed", 870)
    >>> [step.n for step in read_and_analyzed(steps)]
    [900, 870]
    """
    present = tuple(flow)
    read = [step for step in present if step.label in READ][-1]
    return read, next((step for step in present if step.label in ANALYZED), read)


# A line of a figure, of an audit or a comparison.


BY_SCORE, VALUES, HISTOGRAM = "outcome by score", "values of the score", "histogram of the score"


@dataclass(frozen=True)
class Curve:
    """One line of a figure; `kind` says of which ("roc", "ecdf", ...); low and high are a band, or empty."""

    kind: str
    attribute: str
    group: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


# Groups in lines, metrics in columns: the plain frame of what a result estimates of each group.


def group_matrix(
    rows: Estimates,
    attributes: Mapping[str, Sequence[str]],
    attribute: str = "",
    method: Callable[[Estimate], str] | None = None,
) -> pd.DataFrame:
    """The estimates of every group as a frame: a line a group, a column a metric.

    rows: of a result. Those of one group alone are shown, without comparisons and without conditions.
    attributes: the attributes of the result, with groups that stand first and whether they have rows or not.
    attribute: which one; the first by default.
    method: the name of what made a row, where several methods are compared: lines are then by method and group.
    Returns: not a number where a group is suppressed or its denominator is empty.

    >>> rows = Estimates([Estimate("TPR", "sex", "f", estimate=0.5), Estimate("TPR", "sex", "m", estimate=0.75)])
    >>> group_matrix(rows, {"sex": ()}).TPR.to_dict()
    {'f': 0.5, 'm': 0.75}
    """
    import pandas as pd

    if not isinstance(attribute, str):
        joined = listing((a for a in attributes if ":" in a), 2)
        raise InputError(
            "attribute",
            f"has {shown(attribute)}; it is the name of one; pass one of {listing(attributes)}"
            f"{f' (an intersection is one text: {joined})' * bool(joined)}.",
        )
    chosen = attribute or next(iter(attributes))
    if chosen not in attributes:
        fact = f"has {chosen!r}; the result has no such attribute"
        raise InputError("attribute", with_hint(fact, nearest(chosen, attributes), f"it has {listing(attributes)}."))
    items = [row for row in rows if row.attribute == chosen and _plain_matrix(row)]
    names = list(dict.fromkeys([*attributes[chosen], *(row.group for row in items)]))
    metrics = list(dict.fromkeys(row.metric for row in items))
    methods = list(dict.fromkeys(method(row) for row in items)) if method else []
    lines: list[Any] = [(m, g) for m in methods for g in names] if method else names
    cell = {((method(row), row.group) if method else row.group, row.metric): row for row in items}
    values = [[cell[line, m].estimate if (line, m) in cell else NAN for m in metrics] for line in lines]
    index = pd.MultiIndex.from_tuples(lines, names=["method", chosen]) if method else pd.Index(lines, name=chosen)
    return pd.DataFrame(values, index=index, columns=metrics, dtype=float)


def _plain_matrix(row: Estimate) -> bool:
    """Whether a row is about one group alone, as the data have it."""
    compared = row.contrast != "none" or row.reference or row.versus
    return row.role == "main" and bool(row.group) and not (compared or row.given or row.estimator or row.term)


# Which label of a column says yes: 1, True, or the Yes of Yes and No.


# The words of yes and of no: what is told as an argument, and the answers that it means where all labels are answers.
_MEANINGS = (
    (("1", "True", "TRUE", "true"), ("Yes", "YES", "yes")),
    (("0", "False", "FALSE", "false"), ("No", "NO", "no")),
)


def spelled(text: str, labels: Sequence[str]) -> str:
    """Return the label that a text means, "" where it means none: 1 also means True, or the Yes of Yes and No.

    >>> spelled("1", ("False", "True")), spelled("1", ("No", "Yes")), spelled("1", ("Maybe", "Yes"))
    ('True', 'Yes', '')
    """
    if text in labels:
        return text
    for reported, answers in _MEANINGS:
        if text in reported:
            plain = all(one.casefold() in ("yes", "no") for one in labels)
            return next((one for one in (*reported, *answers * plain) if one in labels), "")
    return ""


def truth(text: str) -> str:
    """Return "1" for 1 and the logical true in any spelling, "0" for the other, "" for every other text.

    >>> truth("TRUE"), truth("0"), truth("Yes")
    ('1', '0', '')
    """
    return next((reported[0] for reported, _ in _MEANINGS if text in reported), "")


def counterpart(text: str) -> str:
    """Return the other label of a column of which only one is met, "" where it cannot be known.

    >>> counterpart("0"), counterpart("FALSE"), counterpart("Yes"), counterpart("hired")
    ('1', 'TRUE', 'No', '')
    """
    (true, yes), (false, no) = _MEANINGS
    pairs = [*zip(true, false, strict=True), *zip(yes, no, strict=True)]
    return {a: b for pair in pairs for a, b in (pair, pair[::-1])}.get(text, "")


# One audited attribute: a code for every row, its labels in order of size.


@dataclass(frozen=True)
class Attribute:
    """One audited attribute: a code for every row, and the labels in order of size."""

    name: str
    codes: NDArray[np.int32]
    labels: tuple[str, ...]
    columns: tuple[str, ...] = ()  # of an intersection those that it is of

    @cached_property
    def rows(self) -> tuple[NDArray[np.intp], ...]:
        """The rows of each label, in their order."""
        codes = self.codes + 1  # those of nobody's label are −1
        ends = np.cumsum(np.bincount(codes, minlength=1 + len(self.labels)))[:-1]
        return tuple(np.split(by_code(codes), ends)[1:])


def by_size(levels: Attribute, people: NDArray[np.float64] | None = None, unsent: Collection[str] = ()) -> Attribute:
    """Observed levels from the largest to the smallest, ties by name, missing ones last: independent of row order.

    ``people`` says how many each code stands for; one each by default. Levels of nobody get the code −1, save those of
    ``unsent``: they have people whose number is not known.
    """
    sizes = np.bincount(levels.codes, weights=people, minlength=len(levels.labels))
    observed = [i for i in range(len(sizes)) if sizes[i] or levels.labels[i] in unsent]
    order = sorted(observed, key=lambda i: (holds_missing(levels.labels[i]), -sizes[i], levels.labels[i]))
    place = np.full(len(sizes), -1, dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return replace(levels, codes=place[levels.codes], labels=tuple(levels.labels[i] for i in order))
