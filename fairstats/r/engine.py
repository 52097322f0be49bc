"""R inside this process, through rpy2: started once, entered by one thread at a time, spoken to in bytes."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import shutil
import signal
import socket
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fairstats.errors import DependencyError, not_installed
from fairstats.rvalues.values import Value
from fairstats.rvalues.wire import pack, unpack

_HERE = Path(__file__).parent
# The wheel carries a copy of the R package's file; an editable install reads that file itself.
_WIRE = (_HERE / "_wire.R", _HERE.parent.parent / "r" / "fairstats" / "R" / "wire.R")


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
            answer = self._take(self._rinterface.StrSexpVector([key]), value)
            classes = list(answer)
            del answer
        return classes

    def owns(self, value: Any) -> bool:
        """Whether a value is an object of rpy2."""
        return isinstance(value, self._rinterface.Sexp)

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


def wire_file(places: Sequence[Path] = _WIRE) -> Path:
    """The R side of the wire: in the wheel beside this file, in a checkout in the R package."""
    return next(place for place in places if place.is_file())


def _start() -> Engine:
    rinterface = _rinterface()
    with _process_kept(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that R, started in this thread, will not answer Ctrl-C: we see to that
        rinterface.initr(interactive=False)
    own = rinterface.evalr("new.env(parent = baseenv())")
    if not rinterface.evalr('requireNamespace("jsonlite", quietly = TRUE)')[0]:
        raise DependencyError(
            "the R package jsonlite is missing, by which R and Python talk; in R, install.packages('jsonlite') "
            "installs it (on Debian: apt-get install r-cran-jsonlite)."
        )
    for file in (wire_file(), _HERE / "session.R"):
        rinterface.evalr(file.read_text(encoding="utf-8"), envir=own)
    # The other way round reticulate, and the R package on it, must not start a second Python here.
    os.environ["R_SESSION_INITIALIZED"] = f'PID={os.getpid()}:NAME="rpy2"'
    own["session_mask_quit"]()
    if "TZ" not in os.environ:
        own["session_know_zone"](rinterface.StrSexpVector([_zone()]))
    return Engine(rinterface, own["session_ask"], own["session_take"])


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
    hears, tells = socket.socketpair()
    tells.setblocking(False)
    signal.signal(signal.SIGINT, lambda number, frame: struck.append(frame))
    others = signal.set_wakeup_fd(tells.fileno(), warn_on_full_buffer=False)
    watcher = threading.Thread(target=_pass_on, args=(hears, rlib), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(others)
        tells.close()
        watcher.join()
        hears.close()
        rlib.R_interrupts_pending = 0
        signal.signal(signal.SIGINT, before)
        if struck:  # also where R stopped in the midst of packing, which is an error of rpy2's
            before(signal.SIGINT, struck[0])


def _pass_on(hears: socket.socket, rlib: Any) -> None:
    while number := hears.recv(1):
        if number[0] == signal.SIGINT:
            rlib.R_interrupts_pending = 1
