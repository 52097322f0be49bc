"""What an argument is called: by the name that it has in the function that a user called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from fairstats.errors import InputError

_FIRST_WORD = re.compile(r"\w+")


@contextmanager
def known_as(**names: str) -> Iterator[None]:
    """Errors about an argument under the name that it has in the function that a user called.

    Examples
    --------
    >>> from fairstats.arguments import number
    >>> with known_as(t="ts"):
    ...     number("t", "x")
    Traceback (most recent call last):
    ...
    fairstats.errors.InputError: ts has 'x'; it is a finite number; pass one.
    """
    try:
        yield
    except InputError as error:
        message = str(error)
        first = _FIRST_WORD.match(message)
        if first is None or first.group() not in names:
            raise
        raise InputError(names[first.group()] + message[first.end() :]) from None
