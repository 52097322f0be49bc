"""Plain arguments judged: the one place where a number, a choice, a flag, a text or an array that a user gave is read.

Every function takes the argument's name and its value, and returns the value as the package uses it or raises an
`InputError` of one form: the argument has the value; the fact; the way out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any, TypeVar

from fairstats.errors import InputError, OutOfRange, nearest

Option = TypeVar("Option")
Name = TypeVar("Name", bound=str)
Kind = TypeVar("Kind")

MOST_SEED = 2**32 - 1  # what numpy's and scikit-learn's generators take alike
MOST_PERMUTATIONS = 10_000_000
_LONGEST = 60


def shown(value: Any) -> str:
    """How a message shows a value: its text where that is short, its kind where it is not.

    Examples
    --------
    >>> import numpy as np
    >>> shown("holm"), shown(np.zeros((2, 3))), shown(10**300), shown(len)
    ("'holm'", 'an array of shape (2, 3)', 'a whole number of more than 60 digits', 'the function len')
    """
    if value is None or isinstance(value, (bool, float, complex)):
        return repr(value)
    if isinstance(value, int):
        return repr(value) if abs(value) < 10**_LONGEST else f"a whole number of more than {_LONGEST} digits"
    if isinstance(value, (str, bytes)):
        return repr(value if len(value) <= _LONGEST else value[: _LONGEST - 3]) + "…" * (len(value) > _LONGEST)
    if hasattr(value, "dtype") and hasattr(value, "ndim"):
        return repr(value.item()) if value.ndim == 0 else f"an array of shape {value.shape}"
    if callable(value) and hasattr(value, "__name__"):
        return f"the {'class' if isinstance(value, type) else 'function'} {value.__name__}"
    if isinstance(value, (list, tuple, dict, set, frozenset)) and len(value) <= 6:
        text = repr(value)
        if len(text) <= _LONGEST and " at 0x" not in text:
            return text
    return f"a value of type {type(value).__name__}"


def choose(argument: str, value: Any, options: Mapping[str, Option]) -> Option:
    """Return what a closed set has under a name.

    Parameters
    ----------
    argument : str
        Name of the argument, for the message.
    value : str
        What was asked for.
    options : mapping
        The closed set.

    Returns
    -------
    object
        ``options[value]``.

    Raises
    ------
    InputError
        If `value` is not in the set; the message names the others, and the nearest.

    Examples
    --------
    >>> choose("interval", "wilson", {"wilson": 1})
    1
    """
    if not isinstance(value, str) or value not in options:
        end = (nearest(value, options) if isinstance(value, str) else "") or "."
        raise InputError(f"{argument} has {shown(value)}; the choices are {', '.join(options)}{end}")
    return options[value]


def one_of(argument: str, value: Name, names: Iterable[str]) -> Name:
    """Return a name that is in a closed set of names.

    Examples
    --------
    >>> one_of("target", "parity", ("parity", "equal_opportunity"))
    'parity'
    """
    choose(argument, value, dict.fromkeys(names))
    return value


def plain(value: Any) -> Any:
    """A single logical or number of numpy as Python's own; numpy is not loaded for it, the command line starts here."""
    single = getattr(value, "ndim", None) == 0 and type(value).__name__ != "MaskedConstant"  # whose item is 0.0
    return value.item() if single and getattr(getattr(value, "dtype", None), "kind", "") in {*"biuf"} else value


def real(value: Any) -> float | None:
    """The finite number that a plain value is, or None: logicals, text and arrays are no numbers.

    Examples
    --------
    >>> import numpy as np
    >>> real(2), real(np.float64(0.5)), real(True), real("2"), real(10**400)
    (2.0, 0.5, None, None, None)
    """
    value = plain(value)
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def number(argument: str, value: Any, way: str = "pass one") -> float:
    """Return a finite number.

    Examples
    --------
    >>> number("threshold", 5)
    5.0
    """
    made = real(value)
    if made is None:
        raise InputError(f"{argument} has {shown(value)}; it is a finite number; {way}.")
    return made


def between(argument: str, value: Any, low: float, high: float, way: str = "pass one", *, ends: str = "()") -> float:
    """Return a number within an interval.

    Parameters
    ----------
    argument : str
    value : number
    low, high : float
        The ends of the interval; infinite ones are never reached.
    way : str
        The way out, for the message.
    ends : {"()", "[]", "[)", "(]"}
        Which ends belong to it.

    Raises
    ------
    InputError
        If `value` is no number, or outside.

    Examples
    --------
    >>> between("conf_level", 0.9, 0, 1)
    0.9
    >>> between("tau", -1, 0, math.inf, "pass a bound above 0")
    Traceback (most recent call last):
    ...
    fairstats.errors.InputError: tau has -1; it is a number above 0; pass a bound above 0.
    """
    made = real(value)
    above = made is not None and (made >= low if ends[0] == "[" else made > low)
    if made is None or not above or not (made <= high if ends[1] == "]" else made < high):
        raise InputError(f"{argument} has {shown(value)}; it is a number {within(low, high, ends)}; {way}.")
    return made


def within(low: float, high: float, ends: str) -> str:
    """Return an interval in words, its ends told apart as in ``"[)"``."""
    if ends == "[]" and math.isfinite(high):
        return f"from {low:g} to {high:g}"
    least = f"{'of at least' if ends[0] == '[' else 'above'} {low:g}" if math.isfinite(low) else ""
    most = f"{'at most' if ends[1] == ']' else 'below'} {high:g}" if math.isfinite(high) else ""
    return " and ".join(filter(None, (least, most)))


def confidence(conf_level: Any) -> float:
    """Return the argument ``conf_level``, a confidence level.

    Examples
    --------
    >>> confidence(0.95)
    0.95
    """
    return between("conf_level", conf_level, 0, 1, "pass 0.95 for an interval of 95 %")


def whole(argument: str, value: Any, low: int, high: int | None = None, why: str = "") -> int:
    """Return a whole number within bounds; whole floats count (R sends 2 as 2.0).

    Parameters
    ----------
    argument : str
    value : number
    low, high : int
        Both belong; None is no upper bound.
    why : str
        Where the upper bound comes from, for the message.

    Examples
    --------
    >>> whole("k", 2.0, 1, 5, "5 features")
    2
    """
    reach = f"at least {low}" if high is None else f"{low} to {high}"
    if (made := real(value)) is None or not made.is_integer():
        raise InputError(f"{argument} has {shown(value)}; it is a whole number; it can be {reach} here.")
    count = int(value)
    if count < low or (high is not None and count > high):
        reach += f" here ({why})" if why else " here"
        raise OutOfRange(f"{argument} has {shown(count)}; it can be {reach}.", argument, high)
    return count


def random_seed(seed: Any) -> int:
    """Return the argument ``seed``, the same for every generator.

    Examples
    --------
    >>> random_seed(7)
    7
    """
    return whole("seed", seed, 0, MOST_SEED, "32 bits")


def flag(argument: str, value: Any) -> bool:
    """Return a logical: text such as "no" is none.

    Examples
    --------
    >>> flag("scale", True)
    True
    """
    value = plain(value)
    if not isinstance(value, bool):
        raise InputError(f"{argument} has {shown(value)}; it is yes or no; pass True or False.")
    return value


def text(argument: str, value: Any, way: str = "pass text") -> str:
    """Return a text that is not empty.

    Examples
    --------
    >>> text("attribute", "sex")
    'sex'
    """
    if isinstance(value, str) and not value:
        raise InputError(f"{argument} has ''; it must be text; {way}.")
    return word(argument, value, way)


def word(argument: str, value: Any, way: str = "pass text") -> str:
    """Return a text, which may be empty.

    Examples
    --------
    >>> word("group", "")
    ''
    """
    if not isinstance(value, str):
        raise InputError(f"{argument} has {shown(value)}; it must be text; {way}.")
    if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise InputError(f"{argument} has {shown(value)}; it holds bytes that are no UTF-8; write it in UTF-8.")
    return value


def instance(argument: str, value: Any, kind: type[Kind] | tuple[type[Kind], ...], what: str, way: str) -> Kind:
    """Return a value of a class, which ``what`` describes and ``way`` says how to get.

    Examples
    --------
    >>> instance("fit", 3, Mapping, "a mapping", "pass a dictionary")
    Traceback (most recent call last):
    ...
    fairstats.errors.InputError: fit has 3; it is a mapping; pass a dictionary.
    """
    if not isinstance(value, kind):
        raise InputError(f"{argument} has {shown(value)}; it is {what}; {way}.")
    return value


def items(argument: str, value: Any, what: str) -> list[Any]:
    """Return the entries of a list; a text, a mapping or a single value is none.

    Examples
    --------
    >>> items("k", (1, 2), "numbers of components")
    [1, 2]
    """
    if not isinstance(value, (str, bytes, Mapping, set, frozenset, type)):
        try:
            entries = iter(value)
        except TypeError:
            pass
        else:
            return list(entries)
    raise InputError(f"{argument} has {shown(value)}; it is a list of {what}; pass one.")
