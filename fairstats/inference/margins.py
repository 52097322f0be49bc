"""The margins of practical equality that a protocol declares, each on the scale of what it is for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from fairstats.arguments import real, shown
from fairstats.errors import InputError, nearest
from fairstats.estimates import Estimate
from fairstats.language import say
from fairstats.text import percent, significant

AREAS = ("P(X>Y)", "AUC")  # how the names of what the margin of AUCs is for begin
_WAYS = {
    "difference": (0.0, 1.0, "a difference of rates, above 0 and below 1; pass, say, 0.05"),
    "ratio": (0.0, 1.0, "the smallest tolerable ratio of rates, above 0 and below 1; pass, say, 0.8 (and its inverse)"),
    "auc": (0.0, 0.5, "a difference of AUCs, and of P(X>Y) from one half, above 0 and below 0.5; pass, say, 0.05"),
    "leakage": (0.0, 0.5, "how far an AUC of the groups may exceed one half, above 0 and below 0.5; pass, say, 0.05"),
}


@dataclass(frozen=True)
class Margins:
    """From which size on a disparity matters; None where nothing was declared, and no equivalence can be shown."""

    difference: float | None = None  # of rates
    ratio: float | None = None  # the smallest tolerable ratio of rates; the largest is its inverse
    auc: float | None = None  # of AUCs, and of P(X>Y) from one half
    leakage: float | None = None  # of the AUC of groups told from scores, from one half

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) is not None for field in fields(self))

    def around(self, row: Estimate) -> tuple[float, float]:
        """The declared bounds of what a row estimates; infinite where none was declared.

        Examples
        --------
        >>> Margins(ratio=0.8, auc=0.05).around(Estimate("P(X>Y)"))
        (0.45, 0.55)
        """
        if row.contrast == "ratio":
            return (0.0, math.inf) if self.ratio is None else (self.ratio, 1 / self.ratio)
        margin = self.auc if row.metric.startswith(AREAS) else self.difference
        equal = 0.5 if row.metric.startswith(AREAS[0]) and row.contrast == "none" else 0.0
        return (-math.inf, math.inf) if margin is None else (equal - margin, equal + margin)

    @property
    def words(self) -> str:
        """The margins that were declared, or that none was.

        Examples
        --------
        >>> Margins(difference=0.05, ratio=0.8).words
        '±5.0 points for differences of rates; 0.8 to 1.25 for ratios of rates'
        """
        said = []
        if self.difference is not None:
            said.append(say("±{margin} points for differences of rates", margin=percent(self.difference)))
        if self.ratio is not None:
            said.append(
                say(
                    "{low} to {high} for ratios of rates",
                    low=significant(self.ratio, 3),
                    high=significant(1 / self.ratio, 3),
                )
            )
        if self.auc is not None:
            said.append(
                say("±{margin} for differences of AUCs and of P(X>Y) from 0.5", margin=significant(self.auc, 3))
            )
        if self.leakage is not None:
            said.append(say("{margin} for the AUC of leakage above 0.5", margin=significant(self.leakage, 3)))
        return "; ".join(said) or say("none declared, so equivalence cannot be shown")


NO_MARGINS = Margins()


def margins(value: Any) -> Margins:
    """The declared margins of a number, which is one for differences of rates, or of a mapping.

    Parameters
    ----------
    value : None, float, mapping or Margins
        A mapping has some of the names ``difference``, ``ratio``, ``auc`` and ``leakage``.

    Returns
    -------
    Margins

    Raises
    ------
    InputError
        If a name is unknown, or a margin is no number of its scale.

    Examples
    --------
    >>> margins(0.05) == margins({"difference": 0.05}), margins(None).difference
    (True, None)
    """
    if isinstance(value, Margins):
        return value
    if value is None:
        return NO_MARGINS
    if not isinstance(value, Mapping):
        return Margins(difference=_margin("equivalence", "difference", value))
    for name in value:
        if name not in _WAYS:
            raise InputError(
                f"equivalence has {name!r}; there is no such margin{nearest(str(name), _WAYS)}; "
                f"the margins are {', '.join(_WAYS)}."
            )
    return Margins(**{name: _margin(f"equivalence[{name!r}]", name, v) for name, v in value.items() if v is not None})


def _margin(said: str, name: str, value: Any) -> float:
    low, high, way = _WAYS[name]
    number = real(value)
    if number is None or not low < number < high:
        raise InputError(f"{said} has {shown(value)}; a margin is {way}.")
    return number
