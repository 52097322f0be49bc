"""Warnings of others kept back while something runs, in several threads at once too."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_LOCK = threading.Lock()
_managers: list[warnings.catch_warnings[None]] = []
_inside = 0


@contextmanager
def ignoring(category: type[Warning] = Warning, message: str = "") -> Iterator[None]:
    """Ignore warnings of a category, or those that begin with a message; afterward all is as it was.

    Python's own `warnings.catch_warnings` puts back what it found: where two threads overlap, the second finds the
    filter of the first, and leaves it there for good. Here the first to come notes the filters, the last to go puts
    them back.

    Examples
    --------
    >>> with ignoring(UserWarning):
    ...     warnings.warn("nobody hears this", UserWarning)
    """
    global _inside
    with _LOCK:
        if _inside == 0:
            _managers.append(warnings.catch_warnings())
            _managers[-1].__enter__()
        _inside += 1
        warnings.filterwarnings("ignore", message, category)
    try:
        yield
    finally:
        with _LOCK:
            _inside -= 1
            if _inside == 0:
                _managers.pop().__exit__(None, None, None)
