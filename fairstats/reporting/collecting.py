"""Python's search for circular garbage, made rarer while a page is laid out: a sixth of the time that this takes."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = (100_000, 50, 100)  # objects made, and searches of younger ones, before the next search
_lock = threading.Lock()
_inside = 0
_before = gc.get_threshold()


@contextmanager
def seldom() -> Iterator[None]:
    """Within the block garbage is looked for seldom; the last thread that leaves restores what the first one found.

    Examples
    --------
    >>> with seldom():
    ...     gc.get_threshold() == SELDOM
    True
    """
    global _inside, _before
    with _lock:
        if not _inside:
            _before = gc.get_threshold()
            gc.set_threshold(*SELDOM)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                gc.set_threshold(*_before)
