"""Ctrl-C inside a call from R ends the Python half first, then R's."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

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
