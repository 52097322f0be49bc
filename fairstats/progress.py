"""How far a long computation is: it says so, and whoever shows it listens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")
Listener = Callable[[str, int, int], None]  # what is done, how much of it, of how much
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


def steps(what: str, items: Iterable[Item], total: int | None = None) -> Iterator[Item]:
    """The items one by one, each said to whoever listens; ``total`` is how many, where they do not know themselves.

    Examples
    --------
    >>> with heard_by(print):
    ...     sum(steps("sums", [1, 2]))
    sums 0 2
    sums 1 2
    sums 2 2
    3
    """
    tell, most = _listener.get(), total if total is not None or not isinstance(items, Sized) else len(items)
    if tell is None or most is None:
        yield from items
        return
    for i, item in enumerate(items):
        tell(what, i, most)
        yield item
    tell(what, most, most)


@contextmanager
def heard_by(tell: Listener) -> Iterator[None]:
    """Within the block ``tell`` hears of every step."""
    token = _listener.set(tell)
    try:
        yield
    finally:
        _listener.reset(token)
