"""How far a long computation is: it says so, and whoever shows it listens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")
Listener = Callable[[str, int, int], None]  # what is done, how much of it, of how much
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


def steps(what: str, items: Sequence[Item]) -> Iterator[Item]:
    """The items one by one, each said to whoever listens.

    Examples
    --------
    >>> with heard_by(print):
    ...     sum(steps("sums", [1, 2]))
    sums 0 2
    sums 1 2
    sums 2 2
    3
    """
    tell = _listener.get()
    for i, item in enumerate(items):
        if tell is not None:
            tell(what, i, len(items))
        yield item
    if tell is not None:
        tell(what, len(items), len(items))


@contextmanager
def heard_by(tell: Listener) -> Iterator[None]:
    """Within the block ``tell`` hears of every step."""
    token = _listener.set(tell)
    try:
        yield
    finally:
        _listener.reset(token)
