"""How much somebody else's data may ask for: a limit only refuses, and a variable of the environment raises it."""

from __future__ import annotations

import os
from dataclasses import dataclass

from fairstats.errors import InputError


@dataclass(frozen=True)
class Limit:
    """A bound: its number, and what it counts."""

    most: int
    what: str

    def __post_init__(self) -> None:
        assert self.most > 0


LIMITS = {
    "FAIRSTATS_MAX_BYTES": Limit(4_000_000_000, "bytes that a compressed file may unfold into"),
    "FAIRSTATS_MAX_SEQUENCE": Limit(200_000_000, "numbers that an .rds file may ask for without holding them"),
    "FAIRSTATS_MAX_GROUPS": Limit(200, "groups of one attribute"),
    "FAIRSTATS_MAX_SUBGROUPS": Limit(1000, "subgroups that are judged together"),
    "FAIRSTATS_MAX_LABEL": Limit(1000, "letters of a label, a title or a name on a page"),
    "FAIRSTATS_MAX_POWER": Limit(20, "power of a sum of terms in a formula"),
    "FAIRSTATS_MAX_TEMPLATE": Limit(20_000_000, "turns of loops, calls and letters of a template"),
}


def most(name: str) -> int:
    """Return a limit: that of the environment, else the package's own.

    Examples
    --------
    >>> most("FAIRSTATS_MAX_GROUPS")
    200
    """
    given = os.environ.get(name, "")
    if not given:
        return LIMITS[name].most
    if not (given.isascii() and given.isdecimal() and len(given) <= 18 and int(given) > 0):
        raise InputError(f"the variable {name} has {given[:40]!r}; it counts {LIMITS[name].what}; set a whole number.")
    return int(given)


def more(name: str) -> str:
    """Return a limit with the way out of it, as a part of a sentence.

    Examples
    --------
    >>> more("FAIRSTATS_MAX_GROUPS")
    'at most 200 (or as many as the variable FAIRSTATS_MAX_GROUPS of the environment says)'
    """
    return f"at most {most(name)} (or as many as the variable {name} of the environment says)"


def refuse_long(**texts: str) -> None:
    """Refuse texts of more letters than a page holds.

    Examples
    --------
    >>> refuse_long(title="x" * 1001)
    Traceback (most recent call last):
    fairstats.errors.InputError: title has 1001 letters; it may have at most 1000 (or as many ...); shorten it.
    """
    for argument, text in texts.items():
        if len(text) > most("FAIRSTATS_MAX_LABEL"):
            said = more("FAIRSTATS_MAX_LABEL")
            raise InputError(f"{argument} has {len(text)} letters; it may have {said}; shorten it.")
