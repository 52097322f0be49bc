"""What an argument is called: by the name that it has in the function that a user called."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from fairstats.errors import InputError, InputTypeError, nearest

Given = ParamSpec("Given")
Answer = TypeVar("Answer")
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


# What other libraries call an argument, and our names for it; the first that a function has is meant.
ELSEWHERE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("sensitive_features", "sensitive_feature", "protected_attribute", "protected"), ("groups",)),
    **dict.fromkeys(("protected_attribute_names", "prot_attr", "attributes"), ("groups",)),
    **dict.fromkeys(("privileged_groups", "priv_group", "privileged", "ref_groups_dict"), ("reference",)),
    **dict.fromkeys(("control_features", "controls", "covariates", "stratify"), ("strata",)),
    **dict.fromkeys(("tolerance", "epsilon", "tau"), ("margin", "equivalence")),
    **dict.fromkeys(("pos_label", "favorable_label"), ("favorable",)),
    "score_threshold": ("threshold",),
    "n_boot": ("replicates",),
    **dict.fromkeys(("y_true", "y", "target"), ("outcome", "y")),
    **dict.fromkeys(("y_pred", "predictions", "y_hat"), ("decision", "d")),
    **dict.fromkeys(("y_score", "y_prob", "y_proba", "probs"), ("score", "scores", "s")),
    "sample_weight": ("weights", "w"),
    "n_components": ("k",),
    "random_state": ("seed",),
    "favourable": ("favorable",),
    **dict.fromkeys(("tolerance", "margin"), ("equivalence",)),
    "df": ("data",),
}


def bound(function: str, signature: inspect.Signature, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Return the arguments of a call by name, or the error that says which argument is unknown, missing or too many.

    Examples
    --------
    >>> def audit(data, *, groups=None): pass
    >>> bound("audit", inspect.signature(audit), (1,), {"sensitive_features": "sex"})
    Traceback (most recent call last):
    ...
    fairstats.errors.InputTypeError: sensitive_features is called groups here: audit(data, groups=sensitive_features).
    """
    try:
        return signature.bind(*args, **kwargs)
    except TypeError as error:
        raise InputTypeError(_wrong_call(function, signature, args, kwargs) or f"{function}: {error}.") from None


def _wrong_call(function: str, signature: inspect.Signature, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    if function in ("audit", "compare") and (found := _no_table(function, args, kwargs)):
        return found
    parameters = dict(signature.parameters)
    if "self" in parameters:
        parameters.pop("self")
        args = args[1:]
    known = [name for name, p in parameters.items() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    placed = [n for n, p in parameters.items() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    any_name = any(p.kind == p.VAR_KEYWORD for p in parameters.values())
    unknown = [name for name in kwargs if name not in known and not any_name]
    meant = {name: next((n for n in ELSEWHERE.get(name, ()) if n in known), "") for name in unknown}
    taken = [*placed[: len(args)], *(meant.get(name) or name for name in kwargs)]
    twice = next((name for name in unknown if meant[name] and taken.count(meant[name]) > 1), "")
    if twice:
        return f"{twice} is called {meant[twice]} here, and {meant[twice]} is passed twice so; pass it once."
    if unknown and all(meant.values()):
        first = [*placed[: len(args)], *(f"{meant.get(name, name)}={name}" for name in kwargs)]
        said = ", ".join(f"{name} is called {ours}" for name, ours in meant.items())
        return f"{said} here: {function}({', '.join(first)})."
    if unknown:
        name = next(n for n in unknown if not meant[n])
        return f"{name} is no argument of {function}{nearest(name, known)}; its arguments are {', '.join(known)}."
    if len(args) > len(placed):
        so = f"{len(placed)} so ({', '.join(placed)})" if placed else "none so"
        several = "s" * (len(args) != 1)
        return f"{function} has {len(args)} argument{several} by position; it takes {so}; name the others."
    both = [name for name in placed[: len(args)] if name in kwargs]
    if both:
        return f"{both[0]} is passed by position and by name; pass it once."
    lacking = [n for n in placed[len(args) :] if parameters[n].default is inspect.Parameter.empty]
    lacking += [n for n in known if n not in placed and parameters[n].default is inspect.Parameter.empty]
    absent = [name for name in lacking if name not in kwargs]
    return f"{absent[0]} is absent; {function} needs it; pass it." if absent else ""


def _no_table(function: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """What to write where outcomes and predictions, a model, or audits stand in the place of the table."""
    if function == "audit" and args and hasattr(args[0], "predict"):
        return (
            "data has a model; an audit is of what was decided; pass its decisions, with the table that has the "
            "groups: audit(X, decision=model.predict(X), groups=...)."
        )
    if function == "compare" and len(args) == 2 and all(hasattr(one, "estimates") for one in args):
        return (
            "data has an audit; compare fits methods to a table; change(before, after) says what two audits differ in."
        )
    if function != "audit":
        return ""
    groups = next((n for n in kwargs if "groups" in ELSEWHERE.get(n, ())), "")
    if len(args) > 1 and groups and all(getattr(one, "ndim", 1) == 1 and not isinstance(one, str) for one in args[:2]):
        return f"{groups} is called groups here: audit(outcome=y_true, decision=y_pred, groups={groups})."
    return ""


def answering(function: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """Return a public function that answers an unknown argument by the name that it has here.

    Examples
    --------
    >>> @answering
    ... def audit(data, *, groups=None): return groups
    >>> audit(1, by="sex")
    Traceback (most recent call last):
    ...
    fairstats.errors.InputTypeError: by is no argument of audit; its arguments are data, groups.
    """
    signature = inspect.signature(function)

    @functools.wraps(function)
    def door(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
        bound(function.__name__, signature, args, kwargs)
        return function(*args, **kwargs)

    return door
