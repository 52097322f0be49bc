"""The way of an audit: its stages in order, from ``audit(...)`` to the result, and whether one is entered twice.

A stage is a room: some files of ``fairstats/auditing`` and ``fairstats/data``. Leaves that everybody calls (errors,
statistics, tidy rows) belong to none. A stage is left when it returns to the conductor that called it; what one stage
calls of another meanwhile (methods of a tally or of a rate, mostly) is counted apart. Run ``python
tools/trace_audit.py``; it exits with 1 where a stage is entered again after it was left.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import fairstats

ROOT = Path(fairstats.__file__).parent
CONDUCTORS = (
    "auditing/audit.py",
    "auditing/people.py",
    "auditing/estimation.py",
)  # they call the stages one after the other
STAGES = {
    "declare": ("auditing/protocol.py", "data/role_columns.py"),
    "judge": ("auditing/input.py", "auditing/attributes.py", "data/"),
    "count": ("auditing/tally.py", "auditing/cells.py"),
    "code": ("auditing/coding.py", "auditing/resolved.py", "auditing/withheld_cells.py"),
    "withhold": ("auditing/suppression/withholding.py",),
    "weigh": ("auditing/effective_counts.py", "auditing/counts.py"),
    "refer": ("auditing/references.py",),
    "estimate": ("auditing/rows/",),
    "decide": ("inference/decisions.py",),
    "mark": ("auditing/suppression/marking.py",),
    "caution": ("auditing/words/",),
    "result": ("auditing/result.py",),
}


def stage_of(file: str) -> str:
    """The stage that a file belongs to, "" for a conductor or a leaf."""
    path = file.removeprefix(f"{ROOT}/") if file.startswith(str(ROOT)) else ""
    if path in CONDUCTORS:
        return ""
    return next((stage for stage, files in STAGES.items() if path and path.startswith(files)), "")


class Trace:
    """The stages in the order in which the conductors entered them, and the calls from one stage into another."""

    def __init__(self) -> None:
        self.stages: list[str] = []
        self.inner: dict[tuple[str, str], int] = {}
        self._within: list[tuple[FrameType, str]] = []

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        """What the interpreter calls at every call and return."""
        if event == "return" and self._within and self._within[-1][0] is frame:
            self._within.pop()
        if event != "call" or not (stage := stage_of(frame.f_code.co_filename)):
            return
        if frame.f_code.co_name.startswith("<") and frame.f_code.co_name != "<lambda>":  # a module, a comprehension
            return
        if self._within:
            outer = self._within[-1][1]
            if outer != stage:
                self.inner[outer, stage] = self.inner.get((outer, stage), 0) + 1
                self._within.append((frame, stage))
            return
        self._within.append((frame, stage))
        if not self.stages or self.stages[-1] != stage:
            self.stages.append(stage)

    def returns(self) -> list[str]:
        """Stages that were entered again after they had been left."""
        return sorted({stage for stage in self.stages if self.stages.count(stage) > 1})


@contextmanager
def tracing() -> Iterator[Trace]:
    """Trace the calls of the body."""
    trace = Trace()
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(None)


def traced(run: Callable[[], Any]) -> Trace:
    """The way of one audit; run once before, so that nothing is imported on it."""
    run()
    with tracing() as trace:
        run()
    return trace


def example() -> Callable[[], Any]:
    """An audit with everything: several attributes, people without a group, strata, scores, suppression."""
    table = fairstats.datasets.arrests().head(800).assign(score=lambda t: (t["age"] % 40) / 40)
    table.loc[table.index % 37 == 0, "colour"] = None
    roles: dict[str, Any] = {"outcome": "employed", "groups": ["colour", "sex"], "strata": "citizen"}
    roles |= {"score": "score", "threshold": 0.4, "positive": "Yes", "min_n": 8, "missing": "level"}
    return lambda: fairstats.audit(table, **roles)


def main() -> int:
    """Print the way of the example."""
    trace = traced(example())
    print("stages:", " -> ".join(trace.stages))
    for (outer, inner), calls in sorted(trace.inner.items()):
        print(f"within {outer}: {calls} calls of {inner}")
    print("entered again:", ", ".join(trace.returns()) or "none")
    return 1 if trace.returns() else 0


if __name__ == "__main__":
    sys.exit(main())
