"""Numbers and lists as text, and values as JSON holds them: console, report and figures write them the same way.

Every number that is printed goes through here: thousands are separated, a minus is a minus sign and no hyphen.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from fairstats.language import message, say, written

DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"
THOUSANDS = ","


def number(value: float, digits: int = 1) -> str:
    """A number with a fixed number of digits, halves rounded away from 0 as by hand; a dash where there is none.

    >>> number(-0.04, 1), number(-1234.5, 0), number(46.25), number(float("nan"))
    ('0.0', '−1,235', '46.3', '–')
    """
    if math.isnan(value):
        return DASH
    if math.isinf(value):
        return "\N{INFINITY}" if value > 0 else f"{MINUS}\N{INFINITY}"
    text = f"{_nudged(value, digits):{THOUSANDS}.{digits}f}"
    return written(text.lstrip("-") if not text.strip("-0.") else text.replace("-", MINUS))


LINE = 0.8  # of the rule of four fifths


def impact_ratio(value: float, line: float = LINE) -> str:
    """An impact ratio with two digits, or with as many as say on which side of a line it is, four fifths by default.

    >>> impact_ratio(0.85), impact_ratio(0.798), impact_ratio(0.802), impact_ratio(0.79996), impact_ratio(0.8)
    ('0.85', '0.798', '0.802', '0.79996', '0.80')
    """
    if abs(value - line) < 1e-9 or number(value, 2) != number(line, 2):
        return number(value, 2)
    texts = (number(value, digits) for digits in range(3, 9))
    return next((text for text in texts if text != number(line, len(text) - 2)), number(value, 2))


def _nudged(value: float, digits: int) -> float:
    """A number that rounds to so many digits as by hand, halves away from 0."""
    return value + math.copysign(1e-9 * 10**-digits, value)


def small(value: float, digits: int = 1) -> str:
    """A number of which only 0 is printed as 0: smaller ones have up to three digits more.

    >>> small(-0.04), small(0.04, 0), small(-0.05), small(0.0004), small(0.0), small(-1e-16)
    ('−0.04', '0.04', '−0.1', '0.0004', '0.0', '0.0')
    """
    first = number(value, digits)
    more = (number(value, digits + further) for further in (1, 2, 3))  # a result is printed with hundreds
    return first if first.strip("0.,") else next((text for text in more if text.strip("0.,")), first)


def signed(value: float, digits: int = 1) -> str:
    """A number with its sign, a plus too; 0 has none.

    >>> signed(3.0), signed(-3.0), signed(0.01), signed(0.0)
    ('+3.0', '−3.0', '+0.01', '0.0')
    """
    text = small(value, digits)
    return f"+{text}" if value > 0 and text.strip("0.,") else text


def significant(value: float, digits: int) -> str:
    """A number with at most so many significant digits, zeros at the end left out.

    >>> significant(-0.50, 3), significant(1234.5, 6), significant(2.5e-9, 3)
    ('−0.5', '1,234.5', '2.5e−09')
    """
    return written(f"{value:{THOUSANDS}.{digits}g}".replace("-", MINUS))


def tiny(value: float, digits: int = 1) -> str:
    """A number of which only the size matters, as a power of ten.

    >>> tiny(2.53e-9), tiny(1e-8, 0), tiny(0.0)
    ('2.5e−09', '1e−08', '0')
    """
    if value == 0:
        return "0"
    return written(f"{value:.{digits}e}".replace("-", MINUS))


def count(value: float) -> str:
    """A count: whole where it is whole or 1,000 and more, one digit where weights make a smaller one a fraction.

    >>> count(12.0), count(12.25)
    ('12', '12.3')
    >>> count(12345.0), count(138736.3)
    ('12,345', '138,736')
    """
    whole = math.isfinite(value) and (value >= 1000 or abs(value - round(value)) < 1e-9)
    return number(value, 0 if whole else 1)


def percent(value: float, digits: int = 1) -> str:
    """A share as per cent, without the sign (the unit stands beside it).

    >>> percent(0.7414), percent(-0.0004)
    ('74.1', '−0.04')
    """
    return small(100 * value, digits)


def subtracts(one: float, other: float, gap: float, digits: int = 1) -> bool:
    """Whether two numbers, as printed, are as far apart as their printed difference says.

    >>> subtracts(46.2, 38.6, 7.6), subtracts(46.24, 38.56, 7.68)
    (True, False)
    """
    one, other, gap = (round(_nudged(value, digits), digits) for value in (one, other, gap))
    return not abs(abs(one - other) - abs(gap)) > 0.5 * 10**-digits  # where a number is absent there is no sum


def difference(gap: float, one: float, other: float, digits: int = 1) -> str:
    """A difference in a sentence that has both numbers: "about" where a reader who subtracts finds another one.

    >>> difference(7.6, 46.2, 38.6), difference(7.68, 46.24, 38.56), difference(0.04, 46.24, 46.2)
    ('7.6', 'about 7.7', 'about 0.04')
    """
    text = small(gap, digits)
    return text if text == number(gap, digits) and subtracts(one, other, gap, digits) else message("about {n}", n=text)


def difference_in_points(gap: float, one: float, other: float) -> str:
    """The difference of two shares that a sentence has in per cent."""
    return difference(100 * gap, 100 * one, 100 * other)


def compact(value: float, digits: int = 4) -> str:
    """A number of unknown size: so many significant digits, never an exponent for everyday sizes.

    >>> compact(0.012345), compact(123.4), compact(-1.5e-9), compact(-11263.4, 3)
    ('0.01235', '123.4', '−1.5e−09', '−11,263')
    """
    if not math.isfinite(value):
        return number(value)
    everyday = 1e-4 <= abs(value) < 1e6
    return significant(value, digits) if value and not everyday else number(value, _places(value, digits))


def _places(value: float, digits: int) -> int:
    return digits - 1 if value == 0 else max(0, digits - 1 - math.floor(math.log10(abs(value))))


def setting(value: float) -> str:
    """A setting as it was given: no digits that nobody wrote.

    >>> setting(5.0), setting(0.25), setting(50000.0)
    ('5', '0.25', '50,000')
    """
    return significant(value, 10)


def p_value(value: float, absent: str = DASH) -> str:
    """A p-value with three digits, never 0: a smaller one says so.

    >>> p_value(0.04321), p_value(1e-9), p_value(float("nan"), "")
    ('0.043', '<0.001', '')
    """
    if math.isnan(value):
        return absent
    return f"<{number(0.001, 3)}" if value < 0.0005 else number(value, 3)


def p_equals(value: float) -> str:
    """A p-value inside a sentence.

    >>> p_equals(0.04321), p_equals(1e-9)
    ('p = 0.043', 'p < 0.001')
    """
    shown = p_value(value)
    return f"p < {shown[1:]}" if shown.startswith("<") else f"p = {shown}"


def level(value: float) -> str:
    """A confidence level in per cent; an adjusted one with as many digits as tell it from 100.

    >>> level(0.95), level(1 - 0.05 / 6), level(1 - 0.05 / 20000)
    ('95%', '99.17%', '99.99975%')
    """
    return say("{share}%", share=level_number(value))


def level_number(value: float) -> str:
    """A confidence level as `level` writes it, without the sign."""
    if math.isnan(value):
        return DASH
    tail = 100 * (1 - value)
    digits = 2 if tail >= 0.01 or tail <= 0 else 1 - math.floor(math.log10(tail))
    text = f"{100 * value:.{digits}f}"
    return written(text.rstrip("0").rstrip("."))


class NumberText(str):
    """A number with its unit or its interval as text that remembers these parts, each as text; "" where it has none."""

    __slots__ = ("high", "low", "unit", "value")
    value: str
    unit: str
    low: str
    high: str

    def __new__(cls, text: str, low: str = "", high: str = "", value: str = "", unit: str = "") -> NumberText:
        result = super().__new__(cls, text)
        result.low, result.high, result.value, result.unit = low, high, value, unit
        return result


def span(low: float, high: float, show: Callable[[float], str]) -> str:
    """An interval as "a to b"; a dash where there is none.

    >>> span(0.1, 0.25, percent)
    '10.0 to 25.0'
    """
    if math.isnan(low) and math.isnan(high):
        return DASH
    ends = {"low": show(low), "high": show(high)}
    return NumberText(say("{low} to {high}", **ends), **ends)


def with_interval(value: str, interval: str) -> str:
    """A number with its interval in brackets.

    >>> with_interval("17.0", span(0.1, 0.25, percent))
    '17.0 (10.0 to 25.0)'
    """
    text = say("{value} ({interval})", value=value, interval=interval)
    return NumberText(text, interval.low, interval.high, value) if isinstance(interval, NumberText) else text


MOST_DIGITS = 6  # of a limit of a ratio that lies beside 1 or 0.80


def ratio_span(low: float, high: float) -> str:
    """The interval of a ratio, with more digits where two would print a limit beside 1 or 0.80 as 1 or 0.80.

    >>> ratio_span(0.857, 0.9964), ratio_span(0.61, 0.798), ratio_span(0.61, 1.0)
    ('0.857 to 0.996', '0.610 to 0.798', '0.61 to 1.00')
    """
    digits = 2
    while digits < MOST_DIGITS and any(
        abs(end - line) > 1e-9 and round(end, digits) == line for end in (low, high) for line in (1, LINE)
    ):
        digits += 1
    return span(low, high, lambda end: number(end, digits))


def listed(items: Sequence[str], most: int = 6) -> str:
    """``a, b and c``, shortened past ``most``.

    >>> listed(["a", "b", "c"]), listed([])
    ('a, b and c', 'none')
    """
    if not items:
        return say("none")
    kept = list(items[:most])
    if len(items) > most:
        return say("{shown} and {n} more", shown=", ".join(kept), n=len(items) - most)
    return kept[0] if len(kept) == 1 else say("{first} and {last}", first=", ".join(kept[:-1]), last=kept[-1])


_CODE = re.compile(r"`([^`\\]+)`")
_EQUATION = re.compile(" [=≠] ")
_COLUMNS: ContextVar[frozenset[str]] = ContextVar("columns that stand in sentences as code", default=frozenset())


@contextmanager
def columns_as_code(names: Iterable[str]) -> Iterator[None]:
    """While a report of these columns is written their names are set as code; a label in backticks stays a label."""
    token = _COLUMNS.set(frozenset(names))
    try:
        yield
    finally:
        _COLUMNS.reset(token)


def code_parts(text: str) -> list[str]:
    """The text in parts, of which every second is the name of a column, or a column with its label.

    >>> with columns_as_code(["loan"]):
    ...     code_parts("had `loan = 1` or `loan`, `x`")
    ['had ', 'loan = 1', ' or ', 'loan', ', `x`']
    """
    parts = [""]
    for place, part in enumerate(_CODE.split(text)):
        if place % 2 and not {part, _EQUATION.split(part)[0]}.isdisjoint(_COLUMNS.get()):
            parts += [part, ""]
        else:
            parts[-1] += f"`{part}`" if place % 2 else part
    return parts


def capital(sentence: str) -> str:
    """The sentence with its first letter large; the others as they are, and a name that is written small as it is, too.

    >>> capital("share of P(X>Y)"), capital("iOS")
    ('Share of P(X>Y)', 'iOS')
    """
    return sentence if sentence[1:2].isupper() else sentence[:1].upper() + sentence[1:]


_IN_JSON = frozenset({str, int, bool, type(None)})


def json_plain(value: Any) -> Any:
    """A value as JSON holds it: tuples are lists, numpy numbers numbers, NaN is None, infinities are "Inf", "-Inf".

    >>> json_plain({"a": (1.0, float("nan"), float("inf"))})
    {'a': [1.0, None, 'Inf']}
    """
    if type(value) in _IN_JSON:  # most of what a table holds
        return value
    if isinstance(value, Mapping):
        return {str(k): json_plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_plain(v) for v in value]
    if hasattr(value, "tolist"):
        return json_plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("Inf" if value > 0 else "-Inf")
    return value
