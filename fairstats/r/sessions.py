"""R functions called from Python: values converted, warnings and errors as Python's, one call at a time."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import itertools
import os
import re
import shutil
import signal
import socket
import sys
import threading
import warnings
import weakref
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fairstats.errors import ConversionError, DependencyError, InputError, RError, RWarning, not_installed
from fairstats.labels import is_missing
from fairstats.r.records import recorded
from fairstats.rvalues.convert import (
    Atom,
    Items,
    Null,
    Value,
    data_to_python,
    of_index,
    sent,
    strings,
    text,
    text_of,
    to_python,
    to_rvalue,
)
from fairstats.rvalues.wire import pack, unpack

# R inside this process, through rpy2: started once, entered by one thread at a time, spoken to in bytes.


_HERE = Path(__file__).parent


class Engine:
    """The embedded R, and the functions of it that Python calls."""

    def __init__(self, rinterface: Any, ask: Any, take: Any) -> None:
        self._rinterface = rinterface
        self._ask = ask
        self._take = take
        self._process = os.getpid()

    def ask(self, question: Value) -> Value:
        """R's answer to a question."""
        self._refuse_fork()
        header, buffers = pack(question)
        raw, items = self._rinterface.ByteSexpVector, self._rinterface.ListSexpVector
        with _entered():
            answer = self._ask(raw(header.encode()), items([raw(b) for b in buffers]))
            text, copies = self._copy(answer[0]).decode(), [self._copy(b) for b in answer[1]]
            # Freed here, under the lock: rpy2 itself frees R objects in any thread at any time.
            del answer
        return unpack(text, copies)

    def take(self, key: str, value: Any) -> list[str]:
        """Keep an object of rpy2 by a name, and say of which classes it is."""
        self._refuse_fork()
        with _entered():
            # In a list: R would evaluate a call that is an argument.
            answer = self._take(self._rinterface.StrSexpVector([key]), self._rinterface.ListSexpVector([value]))
            classes = list(answer)
            del answer
        return classes

    def owns(self, value: Any) -> bool:
        """Whether a value is an object of rpy2 that R has; its NA of text is none."""
        return isinstance(value, self._rinterface.Sexp) and not is_missing(value)

    def _refuse_fork(self) -> None:
        if os.getpid() != self._process:
            raise DependencyError(
                "R was started before this process was forked and cannot be used in both; start processes afresh "
                "(multiprocessing's 'spawn') and call fairstats.r.session() in each."
            )

    def _copy(self, vector: Any) -> bytearray:
        """A raw vector's bytes; copied, because the memory is R's to free."""
        return bytearray(self._rinterface.vector_memoryview(vector, "char", "B") if len(vector) else b"")


_STARTING = threading.Lock()
_STARTED: list[Engine] = []


def engine() -> Engine:
    """The engine of this process; R starts when it is first asked for, whichever threads ask at once."""
    with _STARTING:
        if not _STARTED:
            _refuse_reticulate()
            _STARTED.append(_start())
        return _STARTED[0]


def shared_file(name: str, here: Path = _HERE) -> Path:
    """A file of the R package that Python reads, too: in the wheel beside this file, in a checkout in the R package."""
    copy = here / f"_{name}"
    return copy if copy.is_file() else _HERE.parent.parent / "r" / "fairstats" / "R" / name


def _start() -> Engine:
    rinterface = _rinterface()
    with _process_kept(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that R, started in this thread, will not answer Ctrl-C: we see to that
        rinterface.initr(interactive=False)
    current = rinterface.evalr("new.env(parent = baseenv())")
    if not rinterface.evalr('requireNamespace("jsonlite", quietly = TRUE)')[0]:
        raise DependencyError(
            "the R package jsonlite is missing, by which R and Python talk; in R, install.packages('jsonlite') "
            "installs it (on Debian: apt-get install r-cran-jsonlite)."
        )
    for file in (shared_file("wire.R"), _HERE / "session.R"):
        rinterface.evalr(file.read_text(encoding="utf-8"), envir=current)
    # The other way round reticulate, and the R package on it, must not start a second Python here.
    os.environ["R_SESSION_INITIALIZED"] = f'PID={os.getpid()}:NAME="rpy2"'
    current["session_mask_quit"]()
    if "TZ" not in os.environ:
        current["session_know_zone"](rinterface.StrSexpVector([_zone()]))
    return Engine(rinterface, current["session_ask"], current["session_take"])


def _zone() -> str:
    import tzlocal  # which rpy2 brings

    return str(tzlocal.get_localzone_name())


def _refuse_reticulate() -> None:
    host = os.environ.get("R_SESSION_INITIALIZED", "")  # a child process inherits it, with another PID
    if "rpycall" in sys.modules or (f"PID={os.getpid()}:" in host and "reticulate" in host):
        raise DependencyError(
            "this Python runs inside R (reticulate), and a second bridge to the same R would end both; call R "
            "functions in R, and pass their values to Python."
        )


def _rinterface() -> Any:
    if importlib.util.find_spec("rpy2") is None:
        raise not_installed("the bridge to R", "rpy2", "r")
    if "R_HOME" not in os.environ and shutil.which("R") is None:
        raise DependencyError(
            "the bridge to R needs R, which is not on the PATH; install it (on Debian: apt-get install r-base-core) "
            "or set R_HOME."
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rinterface: Any = importlib.import_module("rpy2.rinterface")
            embedded: Any = importlib.import_module("rpy2.rinterface_lib.embedded")
    except Exception as problem:  # rpy2 fails in many ways where it was compiled against another R
        raise DependencyError(
            f"rpy2 could not load R ({type(problem).__name__}: {problem}); install both again: pip install "
            "--force-reinstall --no-binary rpy2-rinterface rpy2."
        ) from problem
    if not embedded.isinitialized():
        # What an earlier R left in .RData of this folder is not the caller's.
        embedded.set_initoptions(("rpy2", "--quiet", "--no-save", "--no-restore-data"))
    return rinterface


@contextlib.contextmanager
def _process_kept() -> Iterator[None]:
    """Run the block, then restore the environment: R's LD_LIBRARY_PATH would make every child load R's BLAS."""
    before, on_interrupt = dict(os.environ), signal.getsignal(signal.SIGINT)
    yield
    for name in set(os.environ) - set(before):
        if not name.startswith(("R_", "PYTHON_SESSION")):  # those R reads itself
            del os.environ[name]
    os.environ.update({k: v for k, v in before.items() if not k.startswith("R_")})
    if _in_main_thread():
        signal.signal(signal.SIGINT, on_interrupt)


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


@contextlib.contextmanager
def _entered() -> Iterator[None]:
    """R for this thread alone: rpy2's lock, R's output on Python's streams, a stack limit, Ctrl-C."""
    from rpy2.rinterface_lib import openrlib

    callbacks: Any = importlib.import_module("rpy2.rinterface_lib.callbacks")
    rlib = openrlib.rlib
    with openrlib.rlock:
        before = callbacks.consolewrite_print, callbacks.consolewrite_warnerror, rlib.R_CStackLimit
        callbacks.consolewrite_print, callbacks.consolewrite_warnerror = _to_stdout, _to_stderr
        rlib.R_CStackLimit = openrlib.ffi.cast("uintptr_t", _stack_limit())
        try:
            with _interruptible(rlib):
                yield
        finally:
            callbacks.consolewrite_print, callbacks.consolewrite_warnerror, rlib.R_CStackLimit = before


def _stack_limit() -> int:
    """Bytes of stack after which R stops a recursion; -1 (never) in other threads: R knows only the main one's."""
    if sys.platform != "linux" or not _in_main_thread():
        return -1
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_STACK)
    return -1 if soft == resource.RLIM_INFINITY else int(0.9 * soft)


def _to_stdout(text: str) -> None:
    sys.stdout.write(text)


def _to_stderr(text: str) -> None:
    sys.stderr.write(text)


@contextlib.contextmanager
def _interruptible(rlib: Any) -> Iterator[None]:
    """Ctrl-C stops R while it computes, and reaches Python once R has stopped.

    R installs no handler of its own here, and Python's would wait for R: a thread that is told of the signal at once
    tells R.
    """
    before = signal.getsignal(signal.SIGINT)
    if not _in_main_thread() or not callable(before):
        yield
        return
    struck: list[Any] = []
    receiver, sender = socket.socketpair()
    sender.setblocking(False)
    signal.signal(signal.SIGINT, lambda number, frame: struck.append(frame))
    others = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
    watcher = threading.Thread(target=_pass_on, args=(receiver, rlib), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(others)
        sender.close()
        watcher.join()
        receiver.close()
        rlib.R_interrupts_pending = 0
        signal.signal(signal.SIGINT, before)
        if struck:  # also where R stopped in the midst of packing, which is an error of rpy2's
            before(signal.SIGINT, struck[0])


def _pass_on(receiver: socket.socket, rlib: Any) -> None:
    while number := receiver.recv(1):
        if number[0] == signal.SIGINT:
            rlib.R_interrupts_pending = 1


Named = Sequence[tuple[str, Any]]


class RObject:
    """An R object that stays in R: a model, a function, an environment, or data not yet converted.

    It prints as it does in R. `from_r` converts it; the methods of `Session` take it as an argument.
    """

    kept_in_r = True  # by which readers of arrays know it

    def __init__(self, key: str, classes: Sequence[str]) -> None:
        self._key = key
        self.classes = list(classes)
        # R is told with the next question: this may run in any thread, in the midst of a call.
        weakref.finalize(self, _RELEASED.append, key).atexit = False

    def __repr__(self) -> str:
        return "\n".join(t or "" for t in strings(_ask("print", [("", self)])["value"]) or [])


_KEYS = itertools.count(1)
_RELEASED: deque[str] = deque()


class Session:
    """The R of this process. Any thread may call; R does one thing at a time."""

    def call(self, function: str | RObject, /, *arguments: Any, **named: Any) -> Any:
        """Call an R function with Python values, and convert what it returns.

        Parameters
        ----------
        function : str or RObject
            A name such as ``"median"`` or ``"stats::median"``, or a function that `keep` returned.
        *arguments, **named : any
            Values of the table in the guide "R from Python", or `RObject`. A name with underscores means the one
            with dots where the function has that: ``na_rm=True`` is ``na.rm = TRUE``.

        Returns
        -------
        any
            What the function returned, by the same table. Each text that R warned of is one `RWarning` a call.

        Raises
        ------
        RError
            R stopped: its message, call and traceback.
        ConversionError
            An argument or the value has no counterpart in the other language.

        Examples
        --------
        >>> session().call("stats::median", [1.0, float("nan"), 9.0], na_rm=True)
        5.0
        """
        name, values = _called(function, arguments, named)
        return _converted("call", values, name=name)

    def keep_call(self, function: str | RObject, /, *arguments: Any, **named: Any) -> RObject:
        """Like `call`, but the value stays in R.

        Examples
        --------
        >>> session().keep_call("rle", ["a", "a", "b"]).classes
        ['rle']
        """
        name, values = _called(function, arguments, named)
        return _kept("call", values, name=name)

    def eval(self, code: str, /, **values: Any) -> Any:
        """Evaluate R code and convert the value of its last expression.

        Parameters
        ----------
        code : str
            R code; without ``values`` it runs in R's workspace.
        **values : any
            Variables of the code, in a scope of its own above the workspace.

        Returns
        -------
        any
            See `call`, also for what it raises.

        Examples
        --------
        >>> session().eval("sum(x^2)", x=[3, 4])
        25.0
        """
        return _converted("eval", list(values.items()), code=code)

    def keep(self, code: str, /, **values: Any) -> RObject:
        """Like `eval`, but the value stays in R: models, functions, environments.

        Examples
        --------
        >>> fit = session().keep("lm(dist ~ speed, data = cars)")
        >>> session().call("coef", fit).round(3).to_dict()
        {'(Intercept)': -17.579, 'speed': 3.932}
        """
        return _kept("eval", list(values.items()), code=code)

    def get(self, name: str) -> Any:
        """The value of a variable of R's workspace, or of what is attached to it.

        Examples
        --------
        >>> round(session().get("pi"), 4)
        3.1416
        """
        return _converted("get", [], name=name)

    def assign(self, name: str, value: Any) -> None:
        """Give a variable of R's workspace a value.

        Examples
        --------
        >>> session().assign("x", [1, 2, 3])
        >>> session().eval("rev(x)").tolist()
        [3, 2, 1]
        """
        _ask("assign", [("", value)], name=name)


def session() -> Session:
    """R, inside this process: started when first used, the same one ever after.

    Returns
    -------
    Session

    Raises
    ------
    DependencyError
        rpy2, R or R's jsonlite is missing; or this Python itself runs inside R.

    Examples
    --------
    >>> session().call("toupper", "r")
    'R'
    """
    engine()
    return Session()


def to_r(obj: Any) -> RObject:
    """An R object with the value of a Python object.

    Parameters
    ----------
    obj : any
        A value of the table in the guide "R from Python", or a result of this package (which becomes an R list with
        data frames and a class).

    Returns
    -------
    RObject

    Raises
    ------
    ConversionError
        The object, or a part of it, has no counterpart that would keep its meaning.

    Examples
    --------
    >>> to_r([1.5, 2.5])
    [1] 1.5 2.5
    """
    return _kept("identity", [("", obj)])


def from_r(robject: Any) -> Any:
    """The Python value of an R object.

    Parameters
    ----------
    robject : RObject or object of rpy2
        What `to_r`, `Session.keep` and `Session.keep_call` return, or what ``rpy2.robjects.r(...)`` does.

    Returns
    -------
    any
        By the table in the guide "R from Python".

    Raises
    ------
    ConversionError
        The object, or a part of it, is no data: a function, an environment, a model...

    Examples
    --------
    >>> from_r(to_r({"a": True, "b": "text"}))
    {'a': True, 'b': 'text'}
    """
    kept = _kept_in_r(robject)
    if not isinstance(kept, RObject):
        raise InputError(f"from_r was given a {type(robject).__name__}, which is no R object; to_r() makes one.")
    return _converted("identity", [("", kept)])


def data_from_r(robject: Any) -> Any:
    """What a call was given as an object of R, as `from_r` has it, but for columns of lists, which nobody need read."""
    kept = _kept_in_r(robject)
    return data_to_python(_ask("identity", [("", kept)], reported=4)["value"])


def _kept_in_r(value: Any) -> Any:
    """An object of rpy2 as one of ours; anything else as it is."""
    if type(value).__module__.partition(".")[0] != "rpy2" or not engine().owns(value):
        return value
    key = str(next(_KEYS))
    return RObject(key, engine().take(key, value))


def _called(function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[str | None, Named]:
    values = [*(("", a) for a in arguments), *named.items()]
    return (function, values) if isinstance(function, str) else (None, [("", function), *values])


def _converted(action: str, arguments: Named, *, name: str | None = None, code: str | None = None) -> Any:
    answer = _ask(action, arguments, name=name, code=code, reported=4, indexed=True)
    try:
        return to_python(answer["value"])
    except ConversionError as problem:
        raise ConversionError(f"{problem}{_KEEPING[action]}") from None


_KEEPING = {
    "call": " keep_call() leaves it in R, where it prints and is an argument of other calls.",
    "eval": " keep() leaves it in R, where it prints and is an argument of other calls.",
    "get": " keep() with its name leaves it in R, where it prints and is an argument of other calls.",
    "identity": " It prints as it is, and call() takes it as an argument.",
}


def _kept(action: str, arguments: Named, *, name: str | None = None, code: str | None = None) -> RObject:
    key = str(next(_KEYS))
    answer = _ask(action, arguments, name=name, code=code, keep=key, reported=4)
    return RObject(key, [c for c in strings(answer["classes"]) or [] if c])


def _ask(
    action: str,
    arguments: Named,
    *,
    name: str | None = None,
    code: str | None = None,
    keep: str | None = None,
    reported: int = 3,
    indexed: bool = False,
) -> dict[str, Value]:
    """Put one question to R; what R warned of is warned ``reported`` frames up, what it raised is raised.

    indexed: whether row names that stand for rows of a frame among the arguments are the index of that.
    """
    arguments = [(name, _kept_in_r(a)) for name, a in arguments]
    items = [i for i, (_, a) in enumerate(arguments) if isinstance(a, RObject)]
    values = [
        Null() if i in items else to_rvalue(recorded(a), n or f"argument {i + 1}") for i, (n, a) in enumerate(arguments)
    ]
    question = {
        "action": text(action),
        "name": Null() if name is None else text(name),
        "code": Null() if code is None else text(code),
        "keep": Null() if keep is None else text(keep),
        "arguments": Items(values, {"names": text_of([n for n, _ in arguments])}),
        "held": Atom("integer", np.array(items, dtype="<i4") + 1),
        "keys": text_of([arguments[i][1]._key for i in items]),
        "released": text_of(_released()),
    }
    answer = engine().ask(Items(list(question.values()), {"names": text(*question)}))
    assert isinstance(answer, Items)
    names = [str(name) for name in strings(answer.attributes["names"]) or []]
    answers = dict(zip(names, answer.values, strict=True))
    for words in strings(answers["warnings"]) or []:
        warnings.warn(str(words), RWarning, stacklevel=reported)
    _STATES[_one(answers["state"])](answers)
    if indexed:
        by_row = _one(answers["head"]) in _BY_ROW
        beside = any("data.frame" in arguments[i][1].classes for i in items)  # of whose rows the answer may be
        pairs = zip(arguments, values, strict=True)
        used = [value for (n, _), value in pairs if not by_row or _gives_rows(n, code)]
        answers["value"] = of_index(answers["value"], sent([] if beside else used, by_row))
    return answers


def _gives_rows(name: str | None, code: str | None) -> bool:
    """Whether predict() can answer for the rows of an argument: the code has its name, or it is not passed as data."""
    return name != "data" if code is None else bool(re.search(rf"(?<![\w.]){re.escape(name or '')}(?![\w.])", code))


_BY_ROW = frozenset({"predict", "fitted", "residuals"})  # of R, with an entry for each row


def _released() -> list[str]:
    keys = []
    while _RELEASED:
        keys.append(_RELEASED.popleft())
    return keys


def _one(value: Value) -> str:
    return (strings(value) or [""])[0] or ""


def _failed(answer: Mapping[str, Value]) -> None:
    raise RError(_one(answer["message"]), _one(answer["call"]), tuple(t for t in strings(answer["trace"]) or [] if t))


def _not_converted(answer: Mapping[str, Value]) -> None:
    raise ConversionError(_one(answer["message"]))


def _interrupted(_: Mapping[str, Value]) -> None:
    raise KeyboardInterrupt


_STATES = {
    "value": lambda wording: None,
    "error": _failed,
    "conversion": _not_converted,
    "interrupt": _interrupted,
}
