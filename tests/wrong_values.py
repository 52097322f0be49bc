"""Wrong values for every argument of a function, made from its signature, and the judge of what came of them."""

from __future__ import annotations

import inspect
import re
import signal
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from fairstats.errors import FairstatsError, FairstatsWarning, FileError

# One of each kind that an argument may be taken for by mistake: nothing, a name, a number out of range, a fraction, an
# unknown number, nothing at all of many, what is no value, and rows of another number.
WRONG: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "text": lambda: "x",
    "-1": lambda: -1,
    "1.5": lambda: 1.5,
    "nan": lambda: float("nan"),
    "[]": list,
    "object": object,
    "wrong length": lambda: np.arange(7.0),
}
# No argument can mean these, unless a table says which.
MEANINGLESS = ("object",)
SECONDS = 30  # of a busy machine; nothing takes one on a quiet one


@contextmanager
def alarm(seconds: float = SECONDS) -> Iterator[None]:
    """Whatever takes longer is a `TimeoutError`."""

    def stop(*_: Any) -> None:
        raise TimeoutError(f"no answer in {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def arguments(function: Callable[..., Any]) -> list[str]:
    """The names of a function's arguments, without those that only pass others on."""
    passing = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    return [name for name, p in inspect.signature(function).parameters.items() if p.kind not in passing]


def call(function: Callable[..., Any], given: Mapping[str, Any]) -> Any:
    """Call a function; under a name with a star stand arguments that have a place and no name."""
    placed = [value for name, values in given.items() if name.startswith("*") for value in values]
    return function(*placed, **{name: value for name, value in given.items() if not name.startswith("*")})


def faults(function: Callable[..., Any], valid: Mapping[str, Any], means: Mapping[str, tuple[str, ...]]) -> list[str]:
    """What is wrong with the answers to wrong values: a raw exception, a hang, an error that names no argument.

    ``means`` says which of the `MEANINGLESS` values an argument does take.
    """
    items = []
    for argument in dict.fromkeys([*(name for name in arguments(function) if f"*{name}" not in valid), *valid]):
        for name, make in WRONG.items():
            wrong = [make()] if argument.startswith("*") else make()
            answer = _answer(function, {**valid, argument: wrong}, argument.lstrip("*"))
            if not answer and name in MEANINGLESS and name not in means.get(argument, ()):
                answer = "was accepted"
            if answer and answer != "refused":
                items.append(f"{argument} = {name}: {answer}")
    return items


def _answer(function: Callable[..., Any], given: dict[str, Any], argument: str) -> str:
    try:
        with alarm(), warnings.catch_warnings():
            warnings.simplefilter("ignore", FairstatsWarning)
            call(function, given)
    except FairstatsError as error:
        word = re.search(rf"(?<![A-Za-z0-9_]){argument}(?![A-Za-z0-9_])", str(error))
        named = word or isinstance(error, FileError)  # which names the file
        return "refused" if named else f"not named in: {error}"
    except Exception as error:  # noqa: BLE001  any other is the fault that is looked for
        return f"{type(error).__name__}: {str(error)[:150]}"
    return ""
