"""The outer net of an edge: whatever somebody else's bytes make a reader raise is one sentence with the way out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fairstats.errors import FairstatsError, FileError

# No bytes can cause these: they are faults of the program, and stay what they are.
FAULTS = (AssertionError, NameError, ImportError, NotImplementedError, SyntaxError)


@contextmanager
def edge(what: str, way: str, kind: type[FairstatsError] = FileError) -> Iterator[None]:
    """Turn what foreign bytes raise within the block into one error; its cause is kept as ``__cause__``.

    Parameters
    ----------
    what : str
        The file or the argument.
    way : str
        The way out.
    kind : class
        The error.

    Examples
    --------
    >>> with edge("cell.json", "write it again"):
    ...     {}["rows"]
    Traceback (most recent call last):
    fairstats.errors.FileError: cell.json cannot be read (KeyError: 'rows'); write it again.
    """
    try:
        yield
    except (FairstatsError, Warning, *FAULTS):
        raise
    except Exception as problem:
        if was_interrupted(problem):
            raise KeyboardInterrupt from problem
        raise kind(f"{what} cannot be read ({reason(problem)}); {way}.") from problem


def reason(problem: BaseException) -> str:
    """Return what an exception says, in one line.

    Examples
    --------
    >>> reason(MemoryError()), reason(ValueError("no number.\\nAt line 3"))
    ('it does not fit into memory', 'no number')
    """
    if isinstance(problem, MemoryError):
        return "it does not fit into memory"
    if isinstance(problem, RecursionError):
        return "it is nested too deeply"
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror
    said = (str(problem).splitlines() or [""])[0][:200].rstrip(" .")
    named = isinstance(problem, (KeyError, AttributeError, TypeError)) or not said
    return f"{type(problem).__name__}: {said}".rstrip(": ") if named else said


def was_interrupted(problem: BaseException | None) -> bool:
    """Return whether Ctrl-C is behind an exception: C code that was stopped may call it an error of its own."""
    seen = 0
    while problem is not None and seen < 100:
        if isinstance(problem, KeyboardInterrupt):
            return True
        problem, seen = problem.__cause__ or problem.__context__, seen + 1
    return False
