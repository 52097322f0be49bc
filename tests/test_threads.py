"""Several threads at once: the same bytes as one after the other, and nothing of the process changed afterward."""

from __future__ import annotations

import gc
import os
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.errors import ignoring


def _audit(seed: int) -> fairstats.Audit:
    rng = np.random.default_rng(seed)
    n = 150
    people = pd.DataFrame({"g": np.array(["a", "b", "c"])[rng.integers(0, 3, n)], "d": rng.integers(0, 2, n)})
    people["y"], people["s"] = rng.integers(0, 2, n), rng.random(n)
    return fairstats.audit(people, decision="d", outcome="y", score="s", groups="g")


def _texts(seed: int) -> tuple[str, str, str]:
    report = fairstats.report(_audit(seed))
    return report.html, report.json, report.csv


def test_two_threads_that_keep_warnings_back_leave_no_filter(recwarn: pytest.WarningsRecorder) -> None:
    before, first, second = list(warnings.filters), threading.Event(), threading.Event()

    def one() -> None:
        with ignoring(UserWarning):
            first.set()
            second.wait(10)

    def other() -> None:
        first.wait(10)
        with ignoring(RuntimeWarning, "other"):
            second.set()
            thread.join()  # the first to come is gone before the second

    thread = threading.Thread(target=one)
    last = threading.Thread(target=other)
    thread.start()
    last.start()
    last.join()
    assert list(warnings.filters) == before


@pytest.mark.long
def test_figures_drawn_in_threads_are_equal_and_leave_the_settings_of_matplotlib() -> None:
    import matplotlib

    audits = [_audit(seed) for seed in range(4)]
    expected = [audit.plot("rates")._repr_png_()[0] for audit in audits]
    before, filters = dict(matplotlib.rcParams), list(warnings.filters)
    with ThreadPoolExecutor(8) as pool:
        items = list(pool.map(lambda i: audits[i % 4].plot("rates")._repr_png_()[0] == expected[i % 4], range(24)))
    assert items == [True] * 24
    assert dict(matplotlib.rcParams) == before and list(warnings.filters) == filters


def _resident() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_reports_of_eight_threads_are_those_of_one_and_memory_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    seeds = 6
    expected = [_texts(seed) for seed in range(seeds)]

    def run(count: int) -> float:
        with ThreadPoolExecutor(8) as pool:
            equal = list(pool.map(lambda i: _texts(i % seeds) == expected[i % seeds], range(count)))
        assert equal == [True] * count
        gc.collect()
        return _resident()

    warm = run(24)
    assert run(48) - warm < 30, "MB that 48 more reports leave behind"
