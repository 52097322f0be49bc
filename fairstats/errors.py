"""The package's exceptions and warnings: one type per kind, each also the builtin one that a caller expects.

A message names the argument, the value, the fact and the way out. Messages reach R verbatim, so they speak of
arguments, not of Python.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

# C0 and C1 without tab and newline, what reverses or isolates the direction of text, line separators, halves of
# characters: a terminal acts on these, or shows something else than what is there.
_ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def escaped_json(text: str) -> str:
    r"""JSON in which the characters of `visible` stand as JSON's own codes: the same values.

    Examples
    --------
    >>> escaped_json('["\u202e"]')
    '["\\u202e"]'
    """
    return _ACTING.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def visible(text: str) -> str:
    r"""Text with the characters that a terminal would obey shown as what they are: labels and file names are data.

    Examples
    --------
    >>> print(visible("a \x1b[2J b \u202e c"))
    a \x1b[2J b \u202e c
    """
    return _ACTING.sub(lambda found: ascii(found.group())[1:-1], text)


class FairstatsError(Exception):
    """Base of every error that the package raises on purpose."""

    def __str__(self) -> str:
        return visible(punctuated(super().__str__()))


_ASKED = re.compile(r"(did you mean '[^'\n]*'\?)(?:; ([a-z])|\.)")


def punctuated(text: str) -> str:
    """Return a message whose hint is a question: what follows is a sentence of its own, and no full stop.

    Examples
    --------
    >>> punctuated("no method; did you mean 'og'?; it can be og, pca.")
    "no method; did you mean 'og'? It can be og, pca."
    """
    return _ASKED.sub(_after_question, text)


def _after_question(found: re.Match[str]) -> str:
    return f"{found[1]} {found[2].upper()}" if found[2] else found[1]


class InputError(FairstatsError, ValueError):
    """An argument or a data set cannot be used as it is."""


class OutOfRange(InputError):
    """A whole number is beyond what the data allow; ``most`` is the largest that they do, or None."""

    def __init__(self, message: str, argument: str = "", most: int | None = None) -> None:
        super().__init__(message)
        self.argument, self.most = argument, most


class AbsentError(InputError, AttributeError):
    """A result has no such part; the message says how to get it."""


class InputTypeError(InputError, TypeError):
    """An argument is of a type that cannot be used; scikit-learn asks for a TypeError where entries are no numbers."""


class ConversionError(FairstatsError, TypeError):
    """A value has no counterpart in the other language that would keep what it means."""


class FileError(FairstatsError, OSError):
    """A file cannot be read or written as asked."""


class SourceError(FairstatsError, RuntimeError):
    """A database, a cluster or another engine did not answer: a lost connection, a missing right, a type it lacks."""


class DependencyError(FairstatsError, ImportError):
    """An optional package is missing; the message says which extra installs it."""


def not_installed(what: str, package: str, extra: str) -> DependencyError:
    """The error of an optional package that is missing: what needs it, how it is installed, the extra that has it.

    It names the package by itself, which an index has under this name; R's package says it in R's words.

    Examples
    --------
    >>> print(not_installed("fpca", "cvxpy", "compare"))
    fpca needs cvxpy, which is not installed: pip install cvxpy (part of the extra compare).
    """
    return DependencyError(
        f"{what} needs {package}, which is not installed: pip install {package} (part of the extra {extra})."
    )


class RError(FairstatsError, RuntimeError):
    """R stopped: its message, the R call that raised the error, and the calls that led there, outermost first."""

    def __init__(self, message: str, call: str = "", traceback: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.call = call
        self.traceback = list(traceback)

    def __str__(self) -> str:
        return visible(f"R: {self.message}" + (f" (in {self.call})" if self.call else ""))

    def __reduce__(self) -> tuple[type, tuple[str, str, tuple[str, ...]]]:
        # Errors travel between processes by pickle, which knows only the arguments of Exception.
        return type(self), (self.message, self.call, tuple(self.traceback))


class NumericalError(FairstatsError, ArithmeticError):
    """A computation did not reach the accuracy that its result promises."""


class FairstatsWarning(UserWarning):
    """Something the user should know, though the result stands."""

    def __str__(self) -> str:
        return visible(super().__str__())


class RWarning(FairstatsWarning):
    """A warning that R code raised, in R's words."""


def nearest(name: str, known: Iterable[str]) -> str:
    """The hint ``; did you mean 'race'?`` for a misspelled name, or an empty string."""
    names = [str(k) for k in known]
    same = [k for k in names if k.casefold() == str(name).casefold()]
    close = same or difflib.get_close_matches(str(name), names, n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else ""


def listing(values: Iterable[object], most: int = 5) -> str:
    """``4, 17, 90`` or, for a long list, its first entries and how many more there are."""
    items = [str(v) for v in values]
    shown = ", ".join(items[:most])
    return shown if len(items) <= most else f"{shown} and {len(items) - most} more"
