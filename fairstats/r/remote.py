"""What the R package calls: one function, arguments and answers as bytes, errors and warnings as text."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fairstats
from fairstats.arrays import Lent
from fairstats.auditing.group_studies import GroupStudy
from fairstats.auditing.people import as_people
from fairstats.auditing.result import COUNTED
from fairstats.auditing.subgroups import SubgroupScan
from fairstats.auditing.tally import Tally
from fairstats.comparing.methods import Model, Trained
from fairstats.data import simulate
from fairstats.data.batches import from_counts as counted_rows
from fairstats.data.graphs import WEIGHT, Graph, kneighbors_graph
from fairstats.data.graphs import graph as make_graph
from fairstats.data.moments import Moments
from fairstats.errors import (
    Call,
    FairstatsError,
    FileError,
    InputError,
    heard_by,
    nearest,
    reason,
    with_hint,
    writing_for,
)
from fairstats.estimates import Reads
from fairstats.inference.fairness_metrics import (
    demographic_parity_difference,
    equal_opportunity_difference,
    equalized_odds_difference,
)
from fairstats.inference.representations.leakage import Leakage
from fairstats.labels import MISSING_LEVEL
from fairstats.language import DataText, message, says
from fairstats.methods.crossfit import OutOfFoldScores, assign_folds, design_to_refit
from fairstats.methods.feature_maps import FeatureMap
from fairstats.methods.registry import METHODS
from fairstats.methods.results import ComponentFit
from fairstats.provenance import VERSIONS_IN_R, DataSource
from fairstats.r.records import r_names, record
from fairstats.rvalues.convert import Items, Null, Record, Value, text, to_python, to_rvalue
from fairstats.rvalues.rds import serialize
from fairstats.rvalues.wire import pack, unpack
from fairstats.saving import from_bytes, save, to_bytes
from fairstats.validation import instance, one_of, renamed_arguments
from fairstats.words_in_r import InR

# What R asks of audits and of reports: tables by group and of a law, a report written, and one verified.


def listed(values: Mapping[str, Any]) -> dict[str, Any]:
    """Options with R's vectors of text as Python's lists of names.

    >>> listed({"groups": np.array(["sex"], dtype=object), "seed": 1})
    {'groups': ['sex'], 'seed': 1}
    """
    return {k: v.tolist() if isinstance(v, np.ndarray) and v.dtype == object else v for k, v in values.items()}


def impact_tables(audit: Any, **options: Any) -> dict[str, Any]:
    """Local Law 144's tables by attribute, and what is published beside them."""
    tables = fairstats.local_law_144(audit, **options)
    return {"tables": {t.attribute: record(t) for t in tables}, "about": dict(tables[0].about) or None}


def written_report(results: Mapping[str, Any] | Sequence[Any], **options: Any) -> dict[str, Any]:
    """A report as its files, its title and its id."""
    report = fairstats.report(*results, **listed(options))
    return {"files": list(report.files), "title": report.title, "id": report.id}


def figure(result: Any, to: str | None = None, overwrite: bool = False, **options: Any) -> dict[str, Any]:
    """A figure of the report by itself, as text and as a picture; written where it is asked for."""
    with renamed_arguments(result="x", path="to"):
        drawing = fairstats.plot(result, **options)
        if to is not None:
            drawing.save(to, overwrite=overwrite)
    return {
        "svg": drawing._repr_svg_(),
        "html": drawing._repr_html_(),
        "png": bytearray(drawing._repr_png_()[0]),
        "alt": drawing.alt,
        "caption": drawing.caption,
        "kinds": np.array(result.plots, dtype=object),
    }


def table(result: Any, to: str | None = None, overwrite: bool = False, **options: Any) -> dict[str, Any]:
    """A table of the report by itself: its cells as columns of text, and the forms that documents take."""
    given: dict[str, Any] = {k: v.tolist() if isinstance(v, np.ndarray) else v or "" for k, v in options.items()}
    with renamed_arguments(result="x", path="to"):
        built = fairstats.table(result, **given)
        if to is not None:
            built.save(to, overwrite=overwrite)
    return {
        "cells": {name: column.to_numpy(dtype=object) for name, column in built.to_frame().items()},
        "numbers": {name: column.to_numpy() for name, column in built.to_frame(numbers=True).items()},
        "caption": built.caption,
        "note": built.note,
        "hint": built.hint,
        "text": str(built),
        "html": built.to_html(),
        "latex": built.to_latex(),
        "markdown": built.to_markdown(),
    }


def verified(report: str) -> dict[str, Any]:
    """The roles, columns and labels of an audit or a study, by which R finds the columns of a data frame.

    ``counts``: the columns that a table of counts was read by, where it was one.

    None where the report is of none of these, which `verification` then says.
    """
    from fairstats.reporting.bundle import read_written
    from fairstats.reporting.verify import studies_to_call

    document = read_written(report).document
    every = [of for one in studies_to_call(document) if isinstance(of := one.get("settings"), dict)]
    if every:
        named, *others = every
        if named.get("models", named.get("candidates")):
            about = {role: named.get(role) for role in ("groups", "outcome", "threshold", "split")}
            columns = [dict(one.get("models", one.get("candidates", {}))).values() for one in (named, *others)]
            beside = [one.get(role) for one in others for role in ("groups", "outcome")]
            labels = [name for name in dict.fromkeys(beside) if name and name not in about.values()]
            return {"models": list(dict.fromkeys(name for of in columns for name in of)), "labels": labels} | about
        if isinstance(of := named.get("groups"), dict):
            return {"probabilities": list(of.values()), "decision": named.get("decision"), "groups": named.get("known")}
        if period := named.get("period"):
            return {"decision": named.get("decision"), "groups": named.get("groups"), "strata": period}
        strata = [named[role] for role in ("variable_pay", "bonus", "category", "hours") if named.get(role)]
        return {"amount": named.get("pay"), "groups": named.get("groups"), "strata": strata or None}
    audit = document.get("audit")
    protocol = audit.get("protocol") if isinstance(audit, dict) else None
    roles = ("groups", "outcome", "decision", "score", "strata", "weights", "clusters", "favorable", "positive")
    if not isinstance(audit, dict) or not isinstance(protocol, dict):
        return {}
    source = audit.get("data")
    counts = source.get("counts") if isinstance(source, dict) else None
    design = protocol.get("design")
    drawn = {name: value for name, value in design.items() if value} if isinstance(design, dict) else {}
    return {role: protocol.get(role) or None for role in roles} | {"counts": counts, "design": drawn or None}


def passed(audit: Any, metric: Any = None) -> dict[str, Any]:
    """Whether an audit passes, and what fails, a column each."""
    result = audit.passes(metric)
    columns = ("metric", "attribute", "group", "reference", "given", "term", "verdict", "status")
    texts = {name: [str(entry) or None for entry in result.failures.column(name)] for name in columns}
    failures = {"name" if name == "term" else name: np.array(texts[name], dtype=object) for name in columns}
    return {"passes": bool(result), "compared": result.compared, "failures": failures, "summary": str(result)}


def verification(report: str, data: Any) -> dict[str, Any]:
    """What came of recomputing a report, with its differences as columns of text."""
    result = fairstats.verify_report(report, data)
    rows = result.differences
    return {
        "ok": result.ok,
        "status": result.status,
        "differences": {
            "where": np.array([row.where for row in rows], dtype=object),
            "written": np.array([str(row.written) for row in rows], dtype=object),
            "recomputed": np.array([str(row.recomputed) for row in rows], dtype=object),
        },
        "compared": result.compared,
        "id": result.id,
        "data": result.data,
        "unchecked": np.array(result.unchecked, dtype=object),
        "summary": result.summary(),
    }


def declared(protocol: str) -> dict[str, Any]:
    """Return the entries of a protocol file by their names."""
    from fairstats.auditing.protocol import read_protocol

    return read_protocol(protocol)[0]


# What the table of R's user is, which reports say in their language.
TABLES = {
    "data frame": message("the data frame {code}"),
    "matrix": message("the matrix {code}"),
    "table": message("the table {code}"),
    "tally": message("the tally {code}"),
    "survey design": message("the survey design {code}"),
}


def table_of(r_call: Mapping[str, Any]) -> str:
    """What the table of a call is called, "" for a long expression, which is no name."""
    return TABLES[r_call["kind"]].format(code=DataText(r_call["code"])) if r_call["named"] else ""


def as_called(result: Any, r_call: Mapping[str, Any] | None) -> Any:
    """The result with what R's user called, on which data, and R's versions: whoever signs it can run it again."""
    of_counts = r_call is not None and r_call["counts"]
    if isinstance(result, Tally):
        return as_people(result) if of_counts else result
    if isinstance(result, Leakage) and r_call is not None:
        return replace(result, call=r_call["call"])
    origin = getattr(result, "provenance", None)
    if r_call is None or origin is None:
        return result
    entries = {name: r_call[name] for name in VERSIONS_IN_R}
    changes: dict[str, Any] = {
        "provenance": replace(origin, call=r_call["call"], versions={**entries, **origin.versions})
    }
    if isinstance(result.data, DataSource) and r_call["named"]:
        changes["data"] = replace(result.data, name=table_of(r_call))
    if of_counts:  # R's own column of a table(), which nobody took for anything else
        changes["notes"] = tuple(note for note in result.notes if not says(note, COUNTED))
    return replace(result, **changes)


# What R asks of tallies: people counted in a table, in files or in a database that R speaks to; added up, withheld.


def people_of(data: Any) -> Any:
    """Return what `fairstats.tally` takes: a table, paths, a tally; or what a database has counted for R.

    The latter comes as ``counted`` (a table), ``weights`` (a name) and ``name``, that of the database's table.
    """
    if isinstance(data, Mapping) and set(data) == {"counted", "weights", "name"}:
        return counted_rows(data["counted"], data["weights"], data["name"])
    return data.tolist() if isinstance(data, np.ndarray) and data.dtype == object else data


def counted(data: Any, **options: Any) -> Tally:
    """Return the tally of people, wherever R has them."""
    return fairstats.tally(people_of(data), **listed(options))


def from_counts(table: Any, **options: Any) -> Tally:
    """Return the tally of a table of counts."""
    return fairstats.from_counts(people_of(table), **listed(options))


def representation(data: Any, benchmark: Any, **options: Any) -> GroupStudy:
    """Return shares beside those of a benchmark."""
    return fairstats.representation(people_of(data), benchmark=people_of(benchmark), **listed(options))


def stages(data: Any, **options: Any) -> GroupStudy:
    """Return groups at every stage of a selection."""
    return fairstats.stages(people_of(data), **listed(options))


def matched_pairs(data: Any, **options: Any) -> GroupStudy:
    """Return groups within blocks of alike applications."""
    return fairstats.matched_pairs(people_of(data), **listed(options))


def compare_models(data: Any, **options: Any) -> GroupStudy:
    """Return models that decided about the same people, compared."""
    return fairstats.compare_models(people_of(data), **listed(options))


def monitor(data: Any, **options: Any) -> GroupStudy:
    """Return a gap watched period by period."""
    return fairstats.monitor(people_of(data), **listed(options))


def alternatives(data: Any, **options: Any) -> GroupStudy:
    """Return whether a candidate is as accurate and leaves a smaller gap."""
    return fairstats.alternatives(people_of(data), **listed(options))


def group_probabilities(data: Any, **options: Any) -> GroupStudy:
    """Return a gap between groups known as probabilities."""
    return fairstats.group_probabilities(people_of(data), **options)


def pay_transparency(data: Any, **options: Any) -> GroupStudy:
    """Return the report of pay of the European directive."""
    return fairstats.pay_transparency(people_of(data), **options)


def gender_pay_gap(data: Any, **options: Any) -> GroupStudy:
    """Return the six British figures on pay."""
    return fairstats.gender_pay_gap(people_of(data), **options)


def subgroup_scan(data: Any, **options: Any) -> SubgroupScan:
    """Return which subgroups differ from everybody, wherever R has the people."""
    return fairstats.subgroup_scan(people_of(data), **listed(options))


def added(one: Tally, other: Tally) -> Tally:
    """Return the tally of both sets of people."""
    return one + other


def withheld(tally: Tally, min_n: int) -> Tally:
    """Return the tally without the counts of its small cells."""
    return tally.withhold(min_n)


TALLIES: dict[str, Callable[..., Any]] = {
    "tally": counted,
    "from_counts": from_counts,
    "representation": representation,
    "stages": stages,
    "matched_pairs": matched_pairs,
    "compare_models": compare_models,
    "monitor": monitor,
    "alternatives": alternatives,
    "group_probabilities": group_probabilities,
    "pay_transparency": pay_transparency,
    "gender_pay_gap": gender_pay_gap,
    "subgroup_scan": subgroup_scan,
    "added": added,
    "withheld": withheld,
}


# What R asks for by other names than Python: simulated data, graphs of neighbors, the range of a rate over groups.


PARITIES = {
    "demographic_parity": demographic_parity_difference,
    "equal_opportunity": equal_opportunity_difference,
    "equalized_odds": equalized_odds_difference,
}


def parity(name: str, truth: Any, estimate: Any, groups: Any, weights: Any = None, **options: Any) -> dict[str, float]:
    """Return the range of a rate over the groups with its limits, as yardstick's tables call them.

    >>> result = parity("demographic_parity", [0, 1] * 20, [1] * 20 + [0] * 20, ["a"] * 20 + ["b"] * 20)
    >>> result["estimate"], result["lower"] > 0.5
    (1.0, True)
    """
    with renamed_arguments(y_true="truth", y_pred="estimate", sample_weight="case_weights"):
        row = PARITIES[name](truth, estimate, groups=groups, sample_weight=weights, **options)
    return {"estimate": row.estimate, "lower": row.conf_low, "upper": row.conf_high}


def simulated(kind: str, **options: Any) -> dict[str, Any]:
    """Return simulated rows, or a graph and its table of vertices, as parts that R knows.

    >>> sorted(simulated("gaussian_groups", n=30, p=3))
    ['group', 'loadings', 'scores', 'x', 'y']
    """
    one_of("kind", kind, ("sbm", "shifted_factors", "gaussian_groups"))
    result = getattr(simulate, kind)(**options)
    if isinstance(result, Graph):
        return {"graph": result.weights.tocsc(), "nodes": _frame(result.table)}
    return {"x": result.X, "group": result.groups, "y": result.y, "scores": result.scores, "loadings": result.loadings}


def neighbors(X: Any, **options: Any) -> Any:
    """Return the weights of the graph that joins each row to its nearest rows.

    >>> neighbors([[0.0], [1.0], [9.0]], n_neighbors=1).nnz
    4
    """
    return kneighbors_graph(X, **options).weights.tocsc()


def _frame(table: Any) -> Any:
    import pandas as pd

    return pd.DataFrame(table)


# Models that the R session fits which called Python: asked over the bridge while a comparison runs.


Floats = NDArray[np.float64]


@dataclass
class Caller:
    """The R session: one function of a header and buffers, and the numbers of fits that nobody needs any more."""

    answers: Callable[[str, list[Any]], Any]
    done: list[int] = field(default_factory=list)

    def ask(self, name: str, **arguments: Any) -> tuple[Any, tuple[str, ...]]:
        """R's answer as a Python value, and what R warned of."""
        header, buffers = pack(to_rvalue(arguments))
        answer, parts, error, reported = self.answers(header, list(buffers))
        if error:
            raise InputError("model", f"has {name!r}, at which R stopped: {error.strip()}")
        return to_python(unpack(answer, parts), ""), tuple(reported)


@dataclass
class _Fit:
    """A fit that R keeps; when it goes, R is told with the next call, never in the middle of anything else."""

    caller: Caller
    name: str
    number: int

    def __call__(self, X: Floats) -> Floats:
        chances, _ = self.caller.ask(self.name, fit=self.number, X=X)
        return np.asarray(chances, dtype=float)

    def __del__(self) -> None:
        self.caller.done.append(self.number)


@dataclass(frozen=True)
class TrainedInR:
    """``train(X, y, seed)`` of a model of the session's, by its place among them."""

    caller: Caller
    name: str
    place: int

    def __call__(self, X: Floats, y: NDArray[np.intp], seed: int) -> Trained:
        done, self.caller.done = self.caller.done, []
        number, reported = self.caller.ask(
            self.name, model=self.place, X=X, y=np.asarray(y, dtype=float), seed=int(seed), done=[str(i) for i in done]
        )
        return Trained(_Fit(self.caller, self.name, int(number)), "probability", reported)


def with_callers(arguments: Any, answers: Any, *, n_jobs: int, cache: Any) -> list[Any]:
    """The models of a call: names, reductions (the lists of their arguments), and those that the R session fits.

    >>> with_callers(["logistic"], None, n_jobs=1, cache=None)
    ['logistic']
    """
    import fairstats

    caller = Caller(answers)
    each = [arguments] if isinstance(arguments, (str, dict)) else list(arguments)
    out: list[Any] = []
    for one in each:
        if not isinstance(one, dict):
            out.append(one)
        elif "here" not in one:
            out.append(fairstats.fairlearn_reduction(**one))
        else:
            name = str(one["name"])
            if n_jobs != 1:
                raise InputError(
                    f"jobs = {n_jobs} and the model {name!r} is fitted by this session of R; leave n_jobs out."
                )
            if cache is not None:
                raise InputError(
                    f"cache is given and the model {name!r} is fitted by R, whose code no key of a cache knows; leave "
                    "cache out."
                )
            out.append(Model(name, TrainedInR(caller, name, int(one["here"]))))
    return out


# Large vectors on their way from R: memory that R fills part by part, so that nothing is there twice.


class Parcel:
    """Buffers of one call, in one block: numbers of a data frame's columns are those of a matrix, side by side.

    >>> parcel = Parcel(4)
    >>> parcel.open(4)
    >>> parcel.fill(b"ab")
    >>> parcel.fill(b"cd")
    >>> bytes(parcel.buffers[0])
    b'abcd'
    """

    def __init__(self, size: float) -> None:
        self._block = np.empty(int(size), np.uint8).view(Lent)
        self._used = self._filled = 0
        self.buffers: list[Any] = []

    def close(self) -> None:
        """Let go of the memory: R lets go of the parcel only when it next collects."""
        self.buffers.clear()
        self._block = np.empty(0, np.uint8).view(Lent)

    def add(self, data: Any) -> None:
        """One buffer as a whole."""
        self.buffers.append(data)

    def open(self, size: float) -> None:
        """One buffer of so many bytes, to be filled."""
        self.buffers.append(self._block[self._used : self._used + int(size)])
        self._used += int(size)
        self._filled = 0

    def fill(self, data: Any) -> None:
        """The next part of the buffer that was opened last."""
        part = np.frombuffer(data, np.uint8)
        self.buffers[-1][self._filled : self._filled + part.size] = part
        self._filled += part.size

    def fill_rows(self, data: Any, rows: float, columns: float) -> None:
        """The next rows of a matrix of doubles, which R stores by column."""
        part = np.frombuffer(data, "<f8").reshape((-1, int(columns)), order="F")
        matrix = self.buffers[-1].view("<f8").reshape((int(rows), int(columns)), order="F")
        matrix[self._filled : self._filled + len(part)] = part
        self._filled += len(part)


# Ctrl-C inside a call from R ends the Python half first, then R's.


_RETRY_SECONDS = 0.05


@contextmanager
def python_hears_interrupts() -> Iterator[None]:
    """SIGINT ends the block with KeyboardInterrupt, whoever listened before.

    R's own handler leaves by a long jump, over the heads of Python's frames, and the next call into Python then crashes
    (reticulate before 1.37). So Python listens while Python runs, and the listener of before is put back afterward; it
    is a C function, which the `signal` module can neither name nor restore.
    """
    if threading.current_thread() is not threading.main_thread() or sys.platform == "win32":
        yield
        return
    get, put = ctypes.pythonapi.PyOS_getsig, ctypes.pythonapi.PyOS_setsig
    get.restype = put.restype = ctypes.c_void_p
    get.argtypes, put.argtypes = [ctypes.c_int], [ctypes.c_int, ctypes.c_void_p]
    listener, named = get(signal.SIGINT), signal.getsignal(signal.SIGINT)
    heard: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        if _importing(frame):  # a module half made stays so for the rest of the session: a little later, then
            again = threading.Timer(_RETRY_SECONDS, os.kill, (os.getpid(), number))
            again.daemon = True
            again.start()
            return
        heard.append(number)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        if named is not None:
            signal.signal(signal.SIGINT, named)
        put(signal.SIGINT, listener)
        if heard:  # compiled code swallows it now and then, or makes another error of it
            raise KeyboardInterrupt


def _importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


# How far a call from R is, told to R now and then.


PAUSE = 0.1  # seconds between two looks; each takes the way over the bridge


@contextmanager
def shown_by(reported: Callable[[str, int, int], Any] | None) -> Iterator[None]:
    """Within the block R hears of the steps, in its one thread; True as its answer ends the call.

    >>> from fairstats.errors import steps
    >>> with shown_by(lambda *step: print(*step)):
    ...     sum(steps("sums", [1, 2]))
    sums 0 2
    sums 2 2
    3
    """
    if reported is None:
        yield
        return
    latest = -PAUSE

    def tell(what: str, done: int, total: int) -> None:
        nonlocal latest
        if threading.current_thread() is not threading.main_thread():
            return
        if done < total and time.monotonic() - latest < PAUSE:
            return
        if reported(what, done, total):
            raise KeyboardInterrupt
        latest = time.monotonic()

    with heard_by(tell):
        yield


@dataclass(frozen=True)
class Answer:
    """The answer to a call from R: a value of R's, the object behind it, or the text of an error."""

    value: Value = field(default_factory=Null)
    object: Any = None
    error: str = ""
    kind: str = ""
    trace: str = ""
    warnings: list[str] = field(default_factory=list)
    saved: bytearray | None = None  # the result as ``save`` writes it, for other sessions

    @property
    def packed(self) -> bytearray:
        """All but the object, as R's ``unserialize`` reads it: one way over the bridge, whatever there is to say."""
        texts = {"error": text(self.error), "kind": text(self.kind), "trace": text(self.trace)}
        entries = {**texts, "warnings": text(*self.warnings), "saved": to_rvalue(self.saved), "value": self.value}
        return serialize(Items(list(entries.values()), {"names": text(*entries)}))


def call(
    name: str,
    header: str,
    buffers: Any,
    objects: Mapping[str, Any] | None,
    reported: Callable[[str, int, int], Any] | None = None,
) -> Answer:
    """Call a function of the package on R's values.

    name: a public function of the package, or a verb of a result.
    header, buffers: the arguments, one named R list, as `fairstats.rvalues.wire` writes it.
    objects: arguments that are Python objects already: what earlier calls returned.
    reported: what R shows of how far a long call is; it answers True where the user wants to stop.
    Never raises: R words its own errors, and its own interrupt.
    """
    try:
        with python_hears_interrupts(), shown_by(reported), writing_for(InR()):
            return _answered(name, header, getattr(buffers, "buffers", buffers), objects or {})
    except KeyboardInterrupt:
        return Answer(error="interrupted", kind="interrupt")
    finally:
        if isinstance(buffers, Parcel):
            buffers.close()


def _answered(name: str, header: str, buffers: Sequence[Any], objects: Mapping[str, Any]) -> Answer:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        try:
            arguments = dict(to_python(unpack(header, buffers), "") or {})
            r_call = arguments.pop("r_call", None)
            with writing_for(InR(table_of(r_call), r_call["code"]) if r_call else InR()):
                answer = _answer(as_called(_function(name)(**arguments, **dict(objects)), r_call))
        except FairstatsError as problem:
            answer = Answer(error=str(problem), kind=_error_classes(problem))
        except OSError as problem:  # a working directory that is gone, a folder that takes no files
            text = f"the system took no file ({reason(problem)}); see that its folder is there and can be written to."
            answer = Answer(error=text, kind=FileError.__name__, trace=traceback.format_exc())
        except Exception as problem:  # noqa: BLE001  R must get the text of anything, with the trace to report it
            text, kind = f"{type(problem).__name__}: {problem}", _error_classes(problem)
            if isinstance(problem, UnicodeEncodeError) and problem.encoding == sys.getfilesystemencoding() != "utf-8":
                text, kind = (
                    f"{problem.object!r} cannot be written in the locale of this session ({problem.encoding}); start R "
                    "with one of UTF-8, as LC_ALL=C.UTF-8, or give names without such letters.",
                    FileError.__name__,
                )
            answer = Answer(error=text, kind=kind, trace=traceback.format_exc())
    items = list(dict.fromkeys(str(w.message) for w in caught if issubclass(w.category, UserWarning)))
    return replace(answer, warnings=items)


def _error_classes(problem: Exception) -> str:
    """The names of an error's classes, its own first: R has a class for the one that it knows."""
    return " ".join(kind.__name__ for kind in type(problem).__mro__)


def _answer(result: Any) -> Answer:
    kept = record(result) if _is_result(result) else result
    if isinstance(result, _Table):
        kept = r_names(result.frame)
    saved = bytearray(to_bytes(result)) if isinstance(result, (Reads, Moments, Tally)) else None
    return Answer(to_rvalue(kept), object=result if isinstance(kept, Record) else None, saved=saved)


def restored(saved: Any) -> Answer:
    """Answer with the result whose bytes an R object of another session carries."""
    try:
        return Answer(object=from_bytes(bytes(saved), "it"))
    except FairstatsError as problem:
        return Answer(error=str(problem), kind=_error_classes(problem))


def _is_result(result: Any) -> bool:
    # an array that R's bridge lent is of a class of ours, too
    return type(result).__module__.startswith("fairstats.") and not isinstance(result, (Record, _Table, np.ndarray))


@dataclass(frozen=True)
class _Table:
    """A table of the package's own, whose columns get R's names; a user's table never does."""

    frame: Any


def _as_table(result: Any) -> Any:
    return _Table(result) if hasattr(result, "columns") and hasattr(result, "index") else result


def _function(name: str) -> Callable[..., Any]:
    import fairstats

    if name in _R_FUNCTIONS:
        return _R_FUNCTIONS[name]
    if name in METHODS:
        function = METHODS[name].function
        return lambda *rows, **options: function(*rows, **listed(options))
    if name not in fairstats.__all__:
        raise InputError(
            with_hint(f"{name!r} is no function of fairstats", nearest(name, [*METHODS, *fairstats.__all__]))
        )
    function = getattr(fairstats, name)
    return lambda *rows, **options: function(*rows, **listed(options))


def _fit(method: str, X: Any, groups: Any = None, data: Any = None, continuous: Any = (), **options: Any) -> Any:
    """A fit: group columns come as the frame ``data``, those named in ``continuous`` are no sets of labels."""
    return _as_table(_function(method)(X, _marked(groups, continuous), data=data, **listed(options)))


def _select_k(X: Any, groups: Any = None, data: Any = None, continuous: Any = (), **options: Any) -> Any:
    """The number of components: groups come as those of a fit do."""
    import fairstats

    folds = options.pop("folds", 5)
    folds = int(folds) if np.ndim(folds) == 0 else np.asarray(folds)
    return fairstats.select_k(X, _marked(groups, continuous), data=data, folds=folds, **listed(options))


def _marked(groups: Any, continuous: Any) -> Any:
    from fairstats.data.groups import continuous as mark

    numbers = [continuous] if isinstance(continuous, str) else list(continuous or ())
    if groups is None or not len(groups):
        return None
    names = [groups] if isinstance(groups, str) else list(groups)
    for one in numbers:
        if not isinstance(one, str) or one not in names:
            text = f"has {one!r}, which is not among the groups ({', '.join(names)}); name one of them."
            raise InputError("continuous", text)
    return [mark(n) if n in numbers else n for n in names]


def _groups_of(fit: Any, groups: Any, data: Any, continuous: Any, missing: str | None) -> Any:
    """The groups of a fit's rows; people without one are a level where they were one in the fit, unless told else."""
    from fairstats.data.groups import Groups

    marked = _marked(groups, continuous)
    if marked is None:
        return None
    encoding = getattr(fit, "encoding", None)
    present = encoding is not None and any(MISSING_LEVEL in levels for levels in encoding.levels)
    default = "level" if present else "raise"
    return Groups.of(marked, data, missing=default if missing is None else missing)


def _moments_of(source: Any, groups: Any = None, continuous: Any = (), **options: Any) -> Any:
    import fairstats

    return fairstats.moments(list(source), _marked(groups, continuous), **listed(options))


def _fair_pca_stream(source: Any, groups: Any = None, **options: Any) -> Any:
    import fairstats

    return fairstats.fair_pca_stream(list(source), groups, **listed(options))


def _crossfit(
    fit: Any,
    X: Any,
    groups: Any,
    data: Any = None,
    continuous: Any = (),
    missing: str | None = None,
    weights: Any = None,
    folds: Any = 2,
    seed: int = 0,
    by_fold: Any = None,
) -> Any:
    """Held-out scores; ``by_fold`` has X as each fold's terms make it, where R's terms learn from rows."""
    folds = int(folds) if np.ndim(folds) == 0 else np.asarray(folds)
    way = f"pass what a method such as {Call('og')} returned"
    instance("fit", fit, (ComponentFit, FeatureMap), "a fit", way)
    result = _groups_of(fit, groups, data, continuous, missing)
    every = [X] if by_fold is None else by_fold
    parts = [fit.crossfit(one, result, weights=weights, folds=folds, seed=int(seed)) for one in every]
    if by_fold is None:
        return parts[0]
    return replace(parts[0], **{name: _of_each_fold(parts, name) for name in ("scores", "before", "features")})


def _of_each_fold(parts: list[OutOfFoldScores], name: str) -> Any:
    """The rows of each fold from the part that is of this fold."""
    arrays = [getattr(part, name) for part in parts]
    if any(values is None for values in arrays):
        return None
    widths = sorted({values.shape[1] for values in arrays})
    if len(widths) > 1:
        fact = f"gives {widths[0]} to {widths[-1]} {name} in the folds, as terms of the formula learn from the rows"
        raise InputError("fit", f"{fact}; take fewer folds, or terms that do not.")
    rows = np.empty((parts[0].n, widths[0]))
    for fold, values in enumerate(arrays):
        rows[parts[0].folds == fold] = values[parts[0].folds == fold]
    return rows


def _folds(
    fit: Any,
    X: Any,
    groups: Any,
    data: Any = None,
    continuous: Any = (),
    missing: str | None = None,
    weights: Any = None,
    folds: Any = 2,
    seed: int = 0,
) -> Any:
    """The fold of each row, from 1, as `_crossfit` draws it."""
    folds = int(folds) if np.ndim(folds) == 0 else np.asarray(folds)
    result = _groups_of(fit, groups, data, continuous, missing)
    return assign_folds(design_to_refit(fit, X, result, None, weights), folds, int(seed)).astype(np.int32) + 1


def _audit(data: Any, **options: Any) -> Any:
    import fairstats

    return fairstats.audit(people_of(data), **listed(options))


def _compare(
    data: Any,
    methods: Any = ("none", "og"),
    model: Any = "logistic",
    answers: Any = None,
    **options: Any,
) -> Any:
    import fairstats

    chosen = [methods] if isinstance(methods, str) else list(methods)
    models = with_callers(model, answers, n_jobs=options.get("n_jobs", 1), cache=options.get("cache"))
    return fairstats.compare(data, methods=chosen, model=models, progress=False, **listed(options))


def _save(result: Any, path: str, overwrite: bool = False) -> str:
    return str(save(result, path, overwrite=overwrite))


def _transform(fit: Any, X: Any) -> Any:
    return fit._mapped(X)


def _rows_of(fit: Any, X: Any, groups: Any, on_unknown: Any) -> Any:
    """Rows adjusted by a fit that asks for their groups, which come as a frame with one column an attribute."""
    from fairstats.data.groups import continuous

    numbers = fit.encoding.continuous_names
    columns = {name: continuous(groups[name], name) if name in numbers else groups[name] for name in groups}
    return fit._mapped(X, columns, on_unknown)


def _rows(
    name: str,
    X: Any,
    groups: Any = None,
    data: Any = None,
    continuous: Any = (),
    missing: str | None = None,
    **about: Any,
) -> Any:
    """Call a statistic that takes a fit and the rows it was fitted to."""
    return _as_table(_function(name)(X=X, groups=_groups_of(about["fit"], groups, data, continuous, missing), **about))


def _cluster(
    method: str,
    graph: Any,
    groups: Any = None,
    nodes: Any = None,
    data: Any = None,
    weight: str = WEIGHT,
    weighted: bool = True,
    **options: Any,
) -> Any:
    """A partition: group columns are those of ``nodes``, or come as the frame ``data``; R's NULL is not weighted."""
    result = [groups] if isinstance(groups, str) else list(groups or ())
    present: Any = result or None
    if data is not None:
        present = {name: data[name] for name in result}
    with renamed_arguments(data="graph"):
        current = make_graph(graph, nodes=nodes, weight=weight if weighted else None)
    return _function(method)(current, present, **options)


def _notebook_markdown(result: Any) -> str:
    from fairstats.reporting.display import markdown_of

    return markdown_of(result)


# What R asks for in other words than Python does; everything else is called by its public name.
_R_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "audit": _audit,
    "select_k": _select_k,
    "cluster": _cluster,
    "compare": _compare,
    "declared": declared,
    "echo": lambda value=None: value,
    "figure": figure,
    "table": table,
    **TALLIES,
    "fair_pca_stream": _fair_pca_stream,
    "fit": _fit,
    "folds": _folds,
    "held_out": _crossfit,
    "local_law_144": impact_tables,
    "moments_of": _moments_of,
    "notebook": lambda result: result._repr_html_(),
    "notebook_markdown": _notebook_markdown,
    "neighbors": neighbors,
    "parity": parity,
    "passes": passed,
    "report": written_report,
    "rows": _rows,
    "rows_of": _rows_of,
    "save": _save,
    "simulate": simulated,
    "transform": _transform,
    "verified": verified,
    "verify_report": verification,
}
