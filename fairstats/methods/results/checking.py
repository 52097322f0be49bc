"""A warning, at the call that makes a fit, of each guarantee that does not hold on its data."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from fairstats.errors import FairstatsWarning
from fairstats.naming import bound

if TYPE_CHECKING:
    from fairstats.methods.results.guarantee import Guarantee

P = ParamSpec("P")
T = TypeVar("T")
_WITHIN = ContextVar("_WITHIN", default=False)  # whether a method calls another, whose promises are then its own affair
WAY_OUT = (
    "Do not rely on it here; outliers and columns of very different size are the usual reason (scale=True brings them "
    "to one size)."
)


def failures(guarantees: Sequence[Guarantee]) -> list[str]:
    """Return the guarantees that do not hold, each with its number and its bound.

    Examples
    --------
    >>> from fairstats.methods.results.guarantee import Guarantee
    >>> failures([Guarantee("largest correlation", 0.2, 1e-9), Guarantee("gap", 0.0, 1e-6)])
    ['largest correlation: 0.2 (at most 1e-09)']
    """
    return [f"{g.statement}: {g.value:.3g} (at most {g.tolerance:.3g})" for g in guarantees if not g.holds]


def checked(remedy: str = WAY_OUT) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorate a method: its result's failing guarantees are warned of in the line that called it."""

    def decorate(method: Callable[P, T]) -> Callable[P, T]:
        signature = inspect.signature(method)

        @functools.wraps(method)
        def fitted(*args: P.args, **kwargs: P.kwargs) -> T:
            bound(method.__name__, signature, args, kwargs)
            within = _WITHIN.set(True)
            try:
                made = method(*args, **kwargs)
            finally:
                _WITHIN.reset(within)
            failing = failures(getattr(made, "guarantees", ()))
            if failing and not _WITHIN.get():
                what = "a guarantee does" if len(failing) == 1 else f"{len(failing)} guarantees do"
                name = getattr(made, "method", method.__name__)
                warnings.warn(
                    f"{name}: {what} not hold on these data: {'; '.join(failing)}. {remedy}",
                    FairstatsWarning,
                    stacklevel=2,
                )
            return made

        return fitted

    return decorate
