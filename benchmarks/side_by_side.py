"""Two computations timed in turn, in one process and on one BLAS thread, so that a busy machine slows both.

Import this before numpy: it pins the thread pools, of which numpy and scipy bring one each.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time
from typing import Any

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"


def ratio(ours: Callable[[], Any], theirs: Callable[[], Any], repeats: int = 5) -> float:
    """The median over ``repeats`` pairs of (time of ours / time of theirs); the first, cold pair does not count."""
    pairs = [(_seconds(ours), _seconds(theirs)) for _ in range(repeats + 1)]
    return median(a / b for a, b in pairs[1:])


def report(case: str, beside: str, measured: float, at_most: float) -> bool:
    """Print one row of the table; whether the ratio is within its bound."""
    fine = measured <= at_most
    print(f"{case:<52} {beside:<34} {measured:6.2f} x   at most {at_most:g} x   {'ok' if fine else 'MISSED'}")
    return fine


def cpu_seconds(run: Callable[[], Any]) -> float:
    """Seconds of the processor, user and system, which other work on the machine changes little."""
    start = process_time()
    run()
    return process_time() - start


def _seconds(run: Callable[[], Any]) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start
