"""How far a call from R is, told to R now and then."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from fairstats.progress import heard_by

PAUSE = 0.1  # seconds between two looks; each takes the way over the bridge


@contextmanager
def shown_by(told: Callable[[str, int, int], Any] | None) -> Iterator[None]:
    """Within the block R hears of the steps, in its one thread; True as its answer ends the call.

    Examples
    --------
    >>> from fairstats.progress import steps
    >>> with shown_by(lambda *step: print(*step)):
    ...     sum(steps("sums", [1, 2]))
    sums 0 2
    sums 2 2
    3
    """
    if told is None:
        yield
        return
    latest = -PAUSE

    def tell(what: str, done: int, total: int) -> None:
        nonlocal latest
        if threading.current_thread() is not threading.main_thread():
            return
        if done < total and time.monotonic() - latest < PAUSE:
            return
        if told(what, done, total):
            raise KeyboardInterrupt
        latest = time.monotonic()

    with heard_by(tell):
        yield
