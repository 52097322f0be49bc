"""The package's exceptions and warnings: one type per kind, each also the builtin one that a caller expects.

A message names the argument, the value, the fact and the way out. Arguments and ways out are values, which each front
end (Python, the command line, R) writes in its words when the message is written: `named`, `Setting`, `Call`,
`snippet`.
"""

from __future__ import annotations

import difflib
import os
import re
import sys
import threading
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import PurePath
from time import perf_counter
from typing import Any, TypeVar

# C0 and C1 without tab and newline, what reverses or isolates the direction of text, line separators, halves of
# characters: a terminal acts on these, or shows something else than what is there.
_ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def escaped_json(text: str) -> str:
    r"""JSON in which the characters of `visible` stand as JSON's own codes: the same values.

    >>> escaped_json('["\u202e"]')
    '["\\u202e"]'
    """
    return _ACTING.sub(lambda result: f"\\u{ord(result.group()):04x}", text)


def visible(text: str) -> str:
    r"""Text with the characters that a terminal would obey shown as what they are: labels and file names are data.

    >>> print(visible("a \x1b[2J b \u202e c"))
    a \x1b[2J b \u202e c
    """
    return _ACTING.sub(lambda result: ascii(result.group())[1:-1], text)


# Front ends: each writes arguments, and what is done with them, as its user would type it.


class FrontEnd:
    """Python's words, which other front ends replace by theirs.

    in_r: whether R's user reads them.
    """

    in_r = False

    def named(self, argument: str) -> str:
        """Return the name of an argument."""
        return argument

    def entry(self, argument: str, *names: str) -> str:
        """Return an entry of an argument that is a mapping, by its names from outside in."""
        return argument + "".join(f"[{name!r}]" for name in names)

    def value(self, value: Any) -> str:
        """Return a value as it is written."""
        return repr(value)

    def setting(self, argument: str, value: Any) -> str:
        """Return an argument with the value to give it; ``...`` leaves the value to the reader."""
        return f"{argument}={'' if value is ... else self.value(value)}"

    def snippet(self, text: str) -> str:
        """Return what takes the place of a piece of Python."""
        return text

    def call(self, function: str, arguments: Sequence[str | tuple[str, Any]] | None) -> str:
        """Return a function of the package, with what it is given; None leaves that to the reader."""
        given = None if arguments is None else [one if isinstance(one, str) else self.given(*one) for one in arguments]
        return f"fairstats.{function}" + ("" if given is None else f"({', '.join(given)})")

    def given(self, argument: str, value: Any) -> str:
        """Return a value as an argument of a call; one without a name is known by its place."""
        if argument == OF_FILES:
            return self.files(value)
        written = self.formula(value) if isinstance(value, str) and value.startswith("~") else self.value(value)
        return f"{argument}={written}" if argument else written

    def files(self, paths: Sequence[str]) -> str:
        """Return files as the data of a call: functions take the path of one, and a table of several."""
        return self.value(paths[0]) if len(paths) == 1 else self.table_in_code()

    def kind(self, value: Any) -> str:
        """Return what a value is, where itself is too long to show."""
        return f"of type {type(value).__name__}"

    def formula(self, text: str) -> str:
        """Return a formula as it is given."""
        return self.value(text)

    def strong(self, verdict: str) -> str:
        """Return a verdict in a text so that it is found at a glance, where there is a way to show that."""
        return verdict

    def table(self) -> str:
        """Return what a table in memory is called where the front end knows its name, else ""."""
        return ""

    def table_in_code(self) -> str:
        """Return what stands for a table in memory in a call."""
        return self.table() or "data"

    def in_classes(self, column: str, bounds: Sequence[float]) -> str:
        """Return how the numbers of a column are cut into classes."""
        return f"pandas.cut(data[{column!r}], {bounds})"

    def renaming(self, column: str, labels: Sequence[str], one: str) -> str:
        """Return the line that gives labels of a column the name of one of them."""
        return f"data[{column!r}] = data[{column!r}].replace({dict.fromkeys(labels, one)})"

    def takes(self, argument: str, value: str) -> bool:
        """Whether what runs takes that value of its argument."""
        return True

    def leaving_out(self, column: str) -> str:
        """Return how the rows without a value of a column are left out; "" where it is no column of a table."""
        return f"leave these rows out first{f': data.dropna(subset=[{column!r}])' if column else ''}"

    def filling(self, column: str, label: str) -> str:
        """Return how the empty cells of a column that has one label are given the other one."""
        spelled = [label] if label in ("True", "False") or label.lstrip("-").isdecimal() else []  # no text in memory
        return f"data[{column!r}] = data[{column!r}].isin([{', '.join([*spelled, repr(label)])}])"

    def installation(self, package: str, extra: str) -> str:
        """Return how a package is installed, which an extra of ours has."""
        return f"pip install {package} (part of the extra {extra})"


class _OnPages(FrontEnd):
    """Python's words on pages, which have the names of files without the folders of whoever ran them."""

    def files(self, paths: Sequence[str]) -> str:
        return super().files(_names(paths))


def _names(paths: Sequence[str]) -> list[str]:
    return [PurePath(path).name for path in paths]


OF_FILES = "files"  # names the paths among the arguments of a `Call`
PYTHON, PAGES = FrontEnd(), _OnPages()
_front: ContextVar[FrontEnd] = ContextVar("front", default=PYTHON)


@contextmanager
def writing_for(front: FrontEnd) -> Iterator[None]:
    """Within the block messages are in the words of that front end."""
    token = _front.set(front)
    try:
        yield
    finally:
        _front.reset(token)


def in_r() -> bool:
    """Whether messages are read in R at present."""
    return _front.get().in_r


@dataclass(frozen=True)
class Setting:
    """An argument with the value that a message speaks of, written by whichever front end shows it.

    >>> f"pass {Setting('margin', 0.05)}", f"name the column with {Setting('score')}"
    ('pass margin=0.05', 'name the column with score=')
    """

    argument: str
    value: Any = ...

    def __str__(self) -> str:
        return _front.get().setting(self.argument, self.value)

    def in_python(self) -> str:
        """Return Python's words, which results and reports keep."""
        return PYTHON.setting(self.argument, self.value)


@dataclass(frozen=True)
class Call:
    """A function of the package in a message, alone or with what it is given, in the words of a front end.

    >>> f"pass what {Call('audit')} returned", f"{Call('leakage', ('fit', 'X', 'groups'))}"
    ('pass what fairstats.audit returned', 'fairstats.leakage(fit, X, groups)')
    >>> str(Call("audit", ((OF_FILES, ["folder/people.csv"]), ("groups", "sex"))))  # to be run as it is
    "fairstats.audit('folder/people.csv', groups='sex')"
    """

    function: str
    arguments: tuple[str | tuple[str, Any], ...] | None = None

    def __str__(self) -> str:
        return _front.get().call(self.function, self.arguments)

    def in_python(self) -> str:
        """Return Python's words, which results and reports keep."""
        return PAGES.call(self.function, self.arguments)

    def kept(self) -> tuple[str | tuple[str, Any], ...] | None:
        """Return the arguments as files keep them, which others read: files by their names alone."""
        if self.arguments is None:
            return None
        are_files = [not isinstance(one, str) and one[0] == OF_FILES for one in self.arguments]
        return tuple(
            (OF_FILES, _names(one[1])) if files else one for one, files in zip(self.arguments, are_files, strict=True)
        )


def in_classes(column: str, bounds: Sequence[float]) -> str:
    """Return in a message how numbers are cut into classes, as the front end writes it."""
    return _front.get().in_classes(column, bounds)


def renaming(column: str, labels: Sequence[str], one: str) -> str:
    """Return in a message the line that gives labels of a column the name of one of them."""
    return _front.get().renaming(column, labels, one)


def takes(argument: str, value: str) -> bool:
    """Whether what runs takes that value of its argument."""
    return _front.get().takes(argument, value)


def leaving_out(column: str) -> str:
    """Return in a message how the rows without a value of a column are left out of a table."""
    return _front.get().leaving_out(column)


def filling(column: str, label: str) -> str:
    """Return in a message how the empty cells of a column that has one label are given the other one."""
    return _front.get().filling(column, label)


def named(argument: str) -> str:
    """Return the name of an argument in a message."""
    return _front.get().named(argument)


def entry_of(argument: str, *names: str) -> str:
    """Return what an entry of an argument is called in a message.

    >>> entry_of("margin", "ratio")
    "margin['ratio']"
    """
    return _front.get().entry(argument, *names)


def strong(verdict: str) -> str:
    """Return a verdict in a text as the front end sets it off."""
    return _front.get().strong(verdict)


def table_name() -> str:
    """Return what the user calls the table in memory, "" where nobody knows."""
    return _front.get().table()


def table_in_code() -> str:
    """Return what stands for the table in memory in a call."""
    return _front.get().table_in_code()


def in_code(value: object) -> str:
    """Return a value in a message as the front end writes it."""
    return _front.get().value(value)


def kind_in_code(value: object) -> str:
    """Return what a value is, in a message, as the front end says it."""
    return _front.get().kind(value)


def formula_in_code(text: str) -> str:
    """Return a formula in a message as the front end writes it."""
    return _front.get().formula(text)


def snippet(text: str) -> str:
    """Return a piece of Python in a message as the front end writes it."""
    return _front.get().snippet(text)


class FairstatsError(Exception):
    """Base of every error that the package raises on purpose."""

    def __str__(self) -> str:
        return visible(super().__str__())

    def _render_traceback_(self) -> list[str]:
        """The lines of the error in a notebook: the caller's code and the message; `%debug` has all frames.

        IPython itself prints every frame of the package with its code, 90 lines for a misspelled column.
        """
        import traceback

        frames: list[tuple[Any, int]] = []
        for frame, line in traceback.walk_tb(self.__traceback__):
            home = str(frame.f_globals.get("__name__", "")).partition(".")[0]
            if home == __package__:
                break
            frames += [] if home in ("IPython", "ipykernel") else [(frame, line)]
        lines = traceback.StackSummary.extract(iter(frames)).format()
        return [
            "Traceback (most recent call last):",
            *(text.rstrip() for text in lines),
            f"{type(self).__name__}: {self}",
        ]


class InputError(FairstatsError, ValueError):
    """An argument or a data set cannot be used as it is.

    ``InputError("k", "has 9; it is at most 2.")`` names the argument apart, so that a caller that passed its own
    argument on can say its name: `fairstats.validation.renamed_arguments`. ``value`` is which of its values is meant.

    >>> from fairstats import InputError
    >>> print(InputError("k", "has 9; it is at most 2."))
    k has 9; it is at most 2.
    >>> print(InputError("groups", "has one level.", value="sex"))
    groups='sex' has one level.
    """

    def __init__(self, *parts: str, value: Any = ...) -> None:
        super().__init__(*parts)
        self.argument, self.fact = parts if len(parts) == 2 else ("", *parts)
        self.value = value

    def __str__(self) -> str:
        subject = named(self.argument) if self.value is ... else str(Setting(self.argument, self.value))
        between = "" if not self.argument or self.fact[:1] == ":" else " "
        return visible(f"{subject}{between}{self.fact}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.argument, self.fact) if self.argument else (self.fact,), vars(self)


@contextmanager
def of_column(argument: str, name: object) -> Iterator[None]:
    """Errors about an argument say which of its columns they are about: ``groups='sex' has ...``."""
    try:
        yield
    except InputError as error:
        if error.argument == argument:
            error.value = name
        raise


class UnknownColumn(InputError):
    """A column that was named is none of the table's."""


class OutOfRange(InputError):
    """A whole number is beyond what the data allow; ``most`` is the largest that they do, or None."""

    def __init__(self, argument: str, fact: str, most: int | None = None) -> None:
        super().__init__(argument, fact)
        self.most = most

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.argument, self.fact, self.most), vars(self)


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

    It names the package by itself, which an index has under this name; each front end says how it is installed.

    >>> print(not_installed("fpca", "cvxpy", "compare"))
    fpca needs cvxpy, which is not installed: pip install cvxpy (part of the extra compare).
    """
    return DependencyError(
        f"{what} needs {package}, which is not installed: {_front.get().installation(package, extra)}."
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


ANY_OF = 'pass data["COLUMN"].isin([...]), which is True for them, in the place of the column'
_PACKAGE = os.path.dirname(__file__) + os.sep


def warn(text: str) -> None:
    """Warn at the line outside the package from which it was called, whichever function found the fact."""
    frame, place, outside = sys._getframe(1), 2, 2
    while frame is not None:
        place += 1
        if frame.f_code.co_filename.startswith(_PACKAGE):
            outside = place
        frame = frame.f_back  # type: ignore[assignment]
    warnings.warn(text, FairstatsWarning, stacklevel=outside)


class RWarning(FairstatsWarning):
    """A warning that R code raised, in R's words."""


def nearest(name: str, present: Iterable[str]) -> str:
    """The hint ``; did you mean 'race'?`` for a misspelled name, or an empty string."""
    names = [str(k) for k in present]
    spelling = unicodedata.normalize("NFC", str(name))
    composed = [k for k in names if k != str(name) and unicodedata.normalize("NFC", k) == spelling]
    if composed:  # ü as one character or as two: no eye sees which
        return f"; did you mean {composed[0]!a}, whose letters look the same?"
    same = [k for k in names if k.strip().casefold() == str(name).strip().casefold()]
    close = same or difflib.get_close_matches(str(name), names, n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else ""


def with_hint(fact: str, hint: str, way: str = "") -> str:
    """Return a fact with the hint of `nearest`; what follows a question is a sentence of its own.

    >>> print(with_hint("no method", nearest("og1", ["og", "pca"]), "it can be og, pca."))
    no method; did you mean 'og'? It can be og, pca.
    >>> with_hint("no method", "", "it can be og, pca."), with_hint("no method", "")
    ('no method; it can be og, pca.', 'no method.')
    """
    if not hint:
        return f"{fact}; {way}" if way else f"{fact}."
    return f"{fact}{hint} {way[:1].upper()}{way[1:]}".rstrip()


def listing(values: Iterable[object], most: int = 5) -> str:
    """``4, 17, 90`` or, for a long list, its first entries and how many more there are."""
    items = [str(v) for v in values]
    shown = ", ".join(items[:most])
    return shown if len(items) <= most else f"{shown} and {len(items) - most} more"


def rows_at(places: Iterable[int]) -> str:
    """``row 4`` or ``rows 4, 17``: places count from 0 and rows from 1.

    >>> rows_at([3]), rows_at([3, 16])
    ('row 4', 'rows 4, 17')
    """
    numbers = [int(place) + 1 for place in places]
    return f"row{'s' * (len(numbers) > 1)} {listing(numbers)}"


# The outer net of an edge: whatever somebody else's bytes make a reader raise is one sentence with the way out.


# No bytes can cause these: they are faults of the program, and stay what they are.
FAULTS = (AssertionError, NameError, ImportError, NotImplementedError, SyntaxError)


@contextmanager
def edge(what: str, way: str, kind: type[FairstatsError] = FileError) -> Iterator[None]:
    """Turn what foreign bytes raise within the block into one error; its cause is kept as ``__cause__``.

    what: the file or the argument.
    way: the way out.

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

    >>> reason(MemoryError()), reason(ValueError("no number.\\nAt line 3"))
    ('it does not fit into memory', 'no number')
    """
    if isinstance(problem, MemoryError):
        return "it does not fit into memory"
    if isinstance(problem, RecursionError):
        return "it is nested too deeply"
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror
    text = (str(problem).splitlines() or [""])[0][:200].rstrip(" .")
    named = isinstance(problem, (KeyError, AttributeError, TypeError)) or not text
    return f"{type(problem).__name__}: {text}".rstrip(": ") if named else text


def was_interrupted(problem: BaseException | None) -> bool:
    """Return whether Ctrl-C is behind an exception: C code that was stopped may call it an error of its own."""
    seen = 0
    while problem is not None and seen < 100:
        if isinstance(problem, KeyboardInterrupt):
            return True
        problem, seen = problem.__cause__ or problem.__context__, seen + 1
    return False


# Warnings of others kept back while something runs, in several threads at once too.


_LOCK = threading.Lock()
_managers: list[warnings.catch_warnings[None]] = []
_inside = 0


@contextmanager
def ignoring(category: type[Warning] = Warning, message: str = "") -> Iterator[None]:
    """Ignore warnings of a category, or those that begin with a message; afterward all is as it was.

    Python's own `warnings.catch_warnings` puts back what it found: where two threads overlap, the second finds the
    filter of the first, and leaves it there for good. Here the first to come notes the filters, the last to go puts
    them back.

    >>> with ignoring(UserWarning):
    ...     warnings.warn("nobody hears this", UserWarning)
    """
    global _inside
    with _LOCK:
        if _inside == 0:
            _managers.append(warnings.catch_warnings())
            _managers[-1].__enter__()
        _inside += 1
        warnings.filterwarnings("ignore", message, category)
    try:
        yield
    finally:
        with _LOCK:
            _inside -= 1
            if _inside == 0:
                _managers.pop().__exit__(None, None, None)


# How far a long computation is: whoever shows it listens; where nobody does, a long one is announced in a line.


Item = TypeVar("Item")
Listener = Callable[[str, int, int], None]  # what is done, how much of it, of how much
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)
ANNOUNCED = 5.0  # seconds to go from which a computation is announced
TIMED = 0.5  # seconds of work on which that forecast rests at least: first steps load what they need


def steps(what: str, items: Iterable[Item], total: int | None = None, work: Sequence[float] = ()) -> Iterator[Item]:
    """The items one by one, each reported to whoever listens.

    ``total`` is how many, where they do not know themselves; ``work`` what each costs beside the others.

    Examples
    --------
    >>> with heard_by(print):
    ...     sum(steps("sums", [1, 2]))
    sums 0 2
    sums 1 2
    sums 2 2
    3
    """
    most = total if total is not None or not isinstance(items, Sized) else len(items)
    if most is None:
        yield from items
        return
    tell = _listener.get() or _announcing(work or [1.0] * most)
    for i, item in enumerate(items):
        tell(what, i, most)
        yield item
    tell(what, most, most)


def _announcing(work: Sequence[float]) -> Listener:
    """A listener that writes one line to stderr as soon as the steps done let expect that many seconds are to go."""
    began, announced = perf_counter(), False

    def tell(what: str, done: int, total: int) -> None:
        nonlocal announced
        taken, finished = perf_counter() - began, sum(work[:done])
        if announced or taken < TIMED or not finished:
            return
        left = taken * (sum(work) - finished) / finished
        if left >= ANNOUNCED:
            announced = True
            minutes = f" ({left / 60:.0f} minutes)" if left >= 120 else ""
            announce(f"{what}: {done} of {total} done, about {left:.0f} s to go{minutes}")

    return tell


def announce(text: str) -> None:
    """Write a line to stderr, unless somebody listens to the steps."""
    if _listener.get() is None:
        print(f"fairstats: {text}", file=sys.stderr)


@contextmanager
def heard_by(tell: Listener) -> Iterator[None]:
    """Within the block ``tell`` hears of every step."""
    token = _listener.set(tell)
    try:
        yield
    finally:
        _listener.reset(token)
