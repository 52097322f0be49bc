"""R functions called from Python: values converted, warnings and errors as Python's, one call at a time."""

from __future__ import annotations

import itertools
import warnings
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fairstats.errors import ConversionError, InputError, RError, RWarning
from fairstats.r.engine import engine
from fairstats.r.records import recorded
from fairstats.rvalues.to_python import to_python
from fairstats.rvalues.to_rvalue import to_rvalue
from fairstats.rvalues.to_vector import text_of
from fairstats.rvalues.values import Atom, Items, Null, Value, strings, text

Named = Sequence[tuple[str, Any]]


class RObject:
    """An R object that stays in R: a model, a function, an environment, or data not yet converted.

    It prints as it does in R. `from_r` converts it; the methods of `Session` take it as an argument.
    """

    def __init__(self, key: str, classes: Sequence[str]) -> None:
        self._key = key
        self.classes = list(classes)
        # R is told with the next question: this may run in any thread, in the midst of a call.
        weakref.finalize(self, _RELEASED.append, key).atexit = False

    def __repr__(self) -> str:
        return "\n".join(t or "" for t in strings(_ask("print", [("", self)])["value"]) or [])


_KEYS = itertools.count(1)
_RELEASED: deque[str] = deque()


class Session:
    """The R of this process. Any thread may call; R does one thing at a time."""

    def call(self, function: str | RObject, /, *arguments: Any, **named: Any) -> Any:
        """Call an R function with Python values, and convert what it returns.

        Parameters
        ----------
        function : str or RObject
            A name such as ``"median"`` or ``"stats::median"``, or a function that `keep` returned.
        *arguments, **named : any
            Values of the table in `fairstats.rvalues.to_python`, or `RObject`. A name with underscores means the one
            with dots where the function has that: ``na_rm=True`` is ``na.rm = TRUE``.

        Returns
        -------
        any
            What the function returned, by the same table. Each text that R warned of is one `RWarning` a call.

        Raises
        ------
        RError
            R stopped: its message, call and traceback.
        ConversionError
            An argument or the value has no counterpart in the other language.

        Examples
        --------
        >>> session().call("stats::median", [1.0, float("nan"), 9.0], na_rm=True)
        5.0
        """
        name, values = _called(function, arguments, named)
        return _converted("call", values, name=name)

    def keep_call(self, function: str | RObject, /, *arguments: Any, **named: Any) -> RObject:
        """Like `call`, but the value stays in R.

        Examples
        --------
        >>> session().keep_call("rle", ["a", "a", "b"]).classes
        ['rle']
        """
        name, values = _called(function, arguments, named)
        return _kept("call", values, name=name)

    def eval(self, code: str, /, **values: Any) -> Any:
        """Evaluate R code and convert the value of its last expression.

        Parameters
        ----------
        code : str
            R code; without ``values`` it runs in R's workspace.
        **values : any
            Variables of the code, in a scope of its own above the workspace.

        Returns
        -------
        any
            See `call`, also for what it raises.

        Examples
        --------
        >>> session().eval("sum(x^2)", x=[3, 4])
        25.0
        """
        return _converted("eval", list(values.items()), code=code)

    def keep(self, code: str, /, **values: Any) -> RObject:
        """Like `eval`, but the value stays in R: models, functions, environments.

        Examples
        --------
        >>> fit = session().keep("lm(dist ~ speed, data = cars)")
        >>> session().call("coef", fit).round(3).to_dict()
        {'(Intercept)': -17.579, 'speed': 3.932}
        """
        return _kept("eval", list(values.items()), code=code)

    def get(self, name: str) -> Any:
        """The value of a variable of R's workspace, or of what is attached to it.

        Examples
        --------
        >>> round(session().get("pi"), 4)
        3.1416
        """
        return _converted("get", [], name=name)

    def assign(self, name: str, value: Any) -> None:
        """Give a variable of R's workspace a value.

        Examples
        --------
        >>> session().assign("x", [1, 2, 3])
        >>> session().eval("rev(x)").tolist()
        [3, 2, 1]
        """
        _ask("assign", [("", value)], name=name)


def session() -> Session:
    """R, inside this process: started when first used, the same one ever after.

    Returns
    -------
    Session

    Raises
    ------
    DependencyError
        rpy2, R or R's jsonlite is missing; or this Python itself runs inside R.

    Examples
    --------
    >>> session().call("toupper", "r")
    'R'
    """
    engine()
    return Session()


def to_r(obj: Any) -> RObject:
    """An R object with the value of a Python object.

    Parameters
    ----------
    obj : any
        A value of the table in `fairstats.rvalues.to_python`, or a result of this package (which becomes an R list with
        data frames and a class).

    Returns
    -------
    RObject

    Raises
    ------
    ConversionError
        The object, or a part of it, has no counterpart that would keep its meaning.

    Examples
    --------
    >>> to_r([1.5, 2.5])
    [1] 1.5 2.5
    """
    return _kept("identity", [("", obj)])


def from_r(robject: Any) -> Any:
    """The Python value of an R object.

    Parameters
    ----------
    robject : RObject or object of rpy2
        What `to_r`, `Session.keep` and `Session.keep_call` return, or what ``rpy2.robjects.r(...)`` does.

    Returns
    -------
    any
        By the table in `fairstats.rvalues.to_python`.

    Raises
    ------
    ConversionError
        The object, or a part of it, is no data: a function, an environment, a model...

    Examples
    --------
    >>> from_r(to_r({"a": True, "b": "text"}))
    {'a': True, 'b': 'text'}
    """
    kept = _kept_in_r(robject)
    if not isinstance(kept, RObject):
        raise InputError(f"from_r was given a {type(robject).__name__}, which is no R object; to_r() makes one.")
    return _converted("identity", [("", kept)])


def _kept_in_r(value: Any) -> Any:
    """An object of rpy2 as one of ours; anything else as it is."""
    if type(value).__module__.partition(".")[0] != "rpy2" or not engine().owns(value):
        return value
    key = str(next(_KEYS))
    return RObject(key, engine().take(key, value))


def _called(function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[str | None, Named]:
    values = [*(("", a) for a in arguments), *named.items()]
    return (function, values) if isinstance(function, str) else (None, [("", function), *values])


def _converted(action: str, arguments: Named, *, name: str | None = None, code: str | None = None) -> Any:
    return to_python(_ask(action, arguments, name=name, code=code, told=4)["value"])


def _kept(action: str, arguments: Named, *, name: str | None = None, code: str | None = None) -> RObject:
    key = str(next(_KEYS))
    answer = _ask(action, arguments, name=name, code=code, keep=key, told=4)
    return RObject(key, [c for c in strings(answer["classes"]) or [] if c])


def _ask(
    action: str,
    arguments: Named,
    *,
    name: str | None = None,
    code: str | None = None,
    keep: str | None = None,
    told: int = 3,
) -> dict[str, Value]:
    """Put one question to R; what R warned of is warned ``told`` frames up, what it raised is raised."""
    arguments = [(name, _kept_in_r(a)) for name, a in arguments]
    held = [i for i, (_, a) in enumerate(arguments) if isinstance(a, RObject)]
    values = [
        Null() if i in held else to_rvalue(recorded(a), n or f"argument {i + 1}") for i, (n, a) in enumerate(arguments)
    ]
    question = {
        "action": text(action),
        "name": Null() if name is None else text(name),
        "code": Null() if code is None else text(code),
        "keep": Null() if keep is None else text(keep),
        "arguments": Items(values, {"names": text_of([n for n, _ in arguments])}),
        "held": Atom("integer", np.array(held, dtype="<i4") + 1),
        "keys": text_of([arguments[i][1]._key for i in held]),
        "released": text_of(_released()),
    }
    answer = engine().ask(Items(list(question.values()), {"names": text(*question)}))
    assert isinstance(answer, Items)
    names = [str(name) for name in strings(answer.attributes["names"]) or []]
    answers = dict(zip(names, answer.values, strict=True))
    for words in strings(answers["warnings"]) or []:
        warnings.warn(str(words), RWarning, stacklevel=told)
    _STATES[_one(answers["state"])](answers)
    return answers


def _released() -> list[str]:
    keys = []
    while _RELEASED:
        keys.append(_RELEASED.popleft())
    return keys


def _one(value: Value) -> str:
    return (strings(value) or [""])[0] or ""


def _failed(answer: Mapping[str, Value]) -> None:
    raise RError(_one(answer["message"]), _one(answer["call"]), tuple(t for t in strings(answer["trace"]) or [] if t))


def _not_converted(answer: Mapping[str, Value]) -> None:
    raise ConversionError(_one(answer["message"]))


def _interrupted(_: Mapping[str, Value]) -> None:
    raise KeyboardInterrupt


_STATES = {
    "value": lambda said: None,
    "error": _failed,
    "conversion": _not_converted,
    "interrupt": _interrupted,
}
