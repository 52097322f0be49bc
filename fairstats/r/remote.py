"""What the R package calls: one function, arguments and answers as bytes, errors and warnings as text."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from fairstats.edges import reason
from fairstats.errors import FairstatsError, FileError, InputError, nearest
from fairstats.labels import MISSING_LEVEL
from fairstats.methods.registry import METHODS
from fairstats.r.callers import with_callers
from fairstats.r.interrupts import python_hears_interrupts
from fairstats.r.parcels import Parcel as Parcel
from fairstats.r.records import r_names, record
from fairstats.r.reports import (
    as_called,
    declared,
    figure,
    impact_tables,
    listed,
    table,
    verification,
    verified,
    written_report,
)
from fairstats.r.samples import neighbors, parity, simulated
from fairstats.r.steps import shown_by
from fairstats.r.tallies import TALLIES, people_of
from fairstats.results import Reads
from fairstats.rvalues.to_python import to_python
from fairstats.rvalues.to_rvalue import to_rvalue
from fairstats.rvalues.values import Record
from fairstats.rvalues.wire import pack, unpack
from fairstats.saving.files import from_bytes, save, to_bytes


@dataclass(frozen=True)
class Answer:
    """The answer to a call from R: a value as header and buffers, the object behind it, or the text of an error."""

    header: str = ""
    buffers: list[bytearray] = field(default_factory=list)
    object: Any = None
    error: str = ""
    kind: str = ""
    trace: str = ""
    warnings: list[str] = field(default_factory=list)
    saved: bytearray | None = None  # the result as ``save`` writes it, for other sessions


def call(
    name: str, header: str, buffers: Any, objects: Mapping[str, Any], told: Callable[[str, int, int], Any] | None = None
) -> Answer:
    """Call a function of the package on R's values.

    Parameters
    ----------
    name : str
        A public function of the package, or a verb of a result.
    header, buffers : str, list of bytes or Parcel
        The arguments, one named R list, as `fairstats.rvalues.wire` writes it.
    objects : dict
        Arguments that are Python objects already: what earlier calls returned.
    told : callable, optional
        What R shows of how far a long call is; it answers True where the user wants to stop.

    Returns
    -------
    Answer
        Never raises: R words its own errors, and its own interrupt.
    """
    try:
        with python_hears_interrupts(), shown_by(told):
            return _told(name, header, getattr(buffers, "buffers", buffers), objects)
    except KeyboardInterrupt:
        return Answer(error="interrupted", kind="interrupt")
    finally:
        if isinstance(buffers, Parcel):
            buffers.close()


def _told(name: str, header: str, buffers: Sequence[Any], objects: Mapping[str, Any]) -> Answer:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        try:
            arguments = to_python(unpack(header, buffers), "") or {}
            answer = _answer(_function(name)(**dict(arguments), **dict(objects)))
        except FairstatsError as problem:
            answer = Answer(error=str(problem), kind=_kinds(problem))
        except OSError as problem:  # a working directory that is gone, a folder that takes no files
            text = f"the system took no file ({reason(problem)}); see that its folder is there and can be written to."
            answer = Answer(error=text, kind=FileError.__name__, trace=traceback.format_exc())
        except Exception as problem:  # noqa: BLE001  R must get the text of anything, with the trace to report it
            text = f"{type(problem).__name__}: {problem}"
            answer = Answer(error=text, kind=_kinds(problem), trace=traceback.format_exc())
    told = list(dict.fromkeys(str(w.message) for w in caught if issubclass(w.category, UserWarning)))
    return replace(answer, warnings=told)


def _kinds(problem: Exception) -> str:
    """The names of an error's classes, its own first: R has a class for the one that it knows."""
    return " ".join(kind.__name__ for kind in type(problem).__mro__)


def _answer(result: Any) -> Answer:
    kept = record(result) if _is_result(result) else result
    if isinstance(result, _Table):
        kept = r_names(result.frame)
    saved = bytearray(to_bytes(result)) if isinstance(result, Reads) else None
    return Answer(*pack(to_rvalue(kept)), object=result if isinstance(kept, Record) else None, saved=saved)


def restored(saved: Any) -> Answer:
    """Answer with the result whose bytes an R object of another session carries."""
    try:
        return Answer(object=from_bytes(bytes(saved), "it"))
    except FairstatsError as problem:
        return Answer(error=str(problem), kind=_kinds(problem))


def _is_result(result: Any) -> bool:
    # an array that R's bridge lent is of a class of ours, too
    return type(result).__module__.startswith("fairstats.") and not isinstance(result, (Record, _Table, np.ndarray))


@dataclass(frozen=True)
class _Table:
    """A table of the package's own, whose columns get R's names; a user's table never does."""

    frame: Any


def _own_table(made: Any) -> Any:
    return _Table(made) if hasattr(made, "columns") and hasattr(made, "index") else made


def _function(name: str) -> Callable[..., Any]:
    import fairstats

    if name in _OWN:
        return _OWN[name]
    if name in METHODS:
        function = METHODS[name].function
        return lambda *rows, **options: function(*rows, **listed(options))
    if name not in fairstats.__all__:
        raise InputError(f"{name!r} is no function of fairstats{nearest(name, [*METHODS, *fairstats.__all__])}.")
    function = getattr(fairstats, name)
    return lambda *rows, **options: function(*rows, **listed(options))


def _fit(method: str, X: Any, groups: Any = None, data: Any = None, continuous: Any = (), **options: Any) -> Any:
    """A fit: group columns come as the frame ``data``, those named in ``continuous`` are no sets of labels."""
    return _own_table(_function(method)(X, _marked(groups, continuous), data=data, **listed(options)))


def _choose_k(X: Any, groups: Any = None, data: Any = None, continuous: Any = (), **options: Any) -> Any:
    """The number of components: groups come as those of a fit do."""
    import fairstats

    folds = options.pop("folds", 5)
    folds = int(folds) if np.ndim(folds) == 0 else np.asarray(folds)
    return fairstats.choose_k(X, _marked(groups, continuous), data=data, folds=folds, **listed(options))


def _marked(groups: Any, continuous: Any) -> Any:
    from fairstats.data.continuous import continuous as mark

    numbers = {continuous} if isinstance(continuous, str) else set(continuous or ())
    if groups is None or not len(groups):
        return None
    names = [groups] if isinstance(groups, str) else list(groups)
    return [mark(n) if n in numbers else n for n in names]


def _groups_of(fit: Any, groups: Any, data: Any, continuous: Any, missing: str | None) -> Any:
    """The groups of a fit's rows; people without one are a level where they were one in the fit, unless told else."""
    from fairstats.data.groups import Groups

    marked = _marked(groups, continuous)
    if marked is None:
        return None
    encoding = getattr(fit, "encoding", None)
    known = encoding is not None and any(MISSING_LEVEL in levels for levels in encoding.levels)
    return Groups.of(marked, data, missing=missing or ("level" if known else "raise"))


def _moments_of(source: Any, groups: Any = None, continuous: Any = (), **options: Any) -> Any:
    import fairstats

    return fairstats.moments(list(source), _marked(groups, continuous), **listed(options))


def _held_out(
    fit: Any,
    X: Any,
    groups: Any,
    data: Any,
    continuous: Any = (),
    missing: str | None = None,
    weights: Any = None,
    folds: Any = 2,
    seed: int = 0,
) -> Any:
    folds = int(folds) if np.ndim(folds) == 0 else np.asarray(folds)
    made = _groups_of(fit, groups, data, continuous, missing)
    return fit.crossfit(X, made, weights=weights, folds=folds, seed=int(seed))


def _audit(data: Any, said: Mapping[str, Any] | None = None, **options: Any) -> Any:
    import fairstats

    return as_called(fairstats.audit(people_of(data), **listed(options)), said)


def _compare(
    data: Any,
    methods: Any = ("none", "og"),
    model: Any = "logistic",
    said: Mapping[str, Any] | None = None,
    answers: Any = None,
    **options: Any,
) -> Any:
    import fairstats

    chosen = [methods] if isinstance(methods, str) else list(methods)
    models = with_callers(model, answers, jobs=options.get("jobs", 1), cache=options.get("cache"))
    made = fairstats.compare(data, methods=chosen, model=models, progress=False, **listed(options))
    return as_called(made, said)


def _save(result: Any, path: str, overwrite: bool = False) -> str:
    return str(save(result, path, overwrite=overwrite))


def _transform(fit: Any, X: Any) -> Any:
    return fit._mapped(X)


def _rows_of(fit: Any, X: Any, groups: Any) -> Any:
    """Rows adjusted by a fit that asks for their groups, which come as a frame with one column an attribute."""
    from fairstats.data.continuous import continuous

    numbers = fit.encoding.continuous_names
    return fit._mapped(
        X, {name: continuous(groups[name], name) if name in numbers else groups[name] for name in groups}
    )


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
    return _own_table(_function(name)(X=X, groups=_groups_of(about["fit"], groups, data, continuous, missing), **about))


def _cluster(method: str, graph: Any, groups: Any = None, nodes: Any = None, data: Any = None, **options: Any) -> Any:
    """A partition: group columns are those of ``nodes``, or come as the frame ``data``."""
    made = [groups] if isinstance(groups, str) else list(groups or ())
    known: Any = made or None
    if data is not None:
        known = {name: data[name] for name in made}
    return _function(method)(graph, known, nodes=nodes, **options)


# What R asks for in other words than Python does; everything else is called by its public name.
_OWN: dict[str, Callable[..., Any]] = {
    "audit": _audit,
    "choose_k": _choose_k,
    "cluster": _cluster,
    "compare": _compare,
    "declared": declared,
    "echo": lambda value=None: value,
    "figure": figure,
    "table": table,
    **TALLIES,
    "fit": _fit,
    "held_out": _held_out,
    "local_law_144": impact_tables,
    "moments_of": _moments_of,
    "neighbors": neighbors,
    "parity": parity,
    "report": written_report,
    "rows": _rows,
    "rows_of": _rows_of,
    "save": _save,
    "simulate": simulated,
    "transform": _transform,
    "verified": verified,
    "verify": verification,
}
