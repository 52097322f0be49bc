"""What one kind of figure is: the results that have it, what can be chosen, and how it is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from fairstats.reporting.figures.style import Drawing
from fairstats.results import Figure


class Subject(NamedTuple):
    """One figure among those of a kind; what a kind does not distinguish is ""."""

    metric: str = ""
    attribute: str = ""
    term: str = ""  # of a comparison: method and model; of held-out scores: the component


@dataclass(frozen=True)
class Kind:
    """One row of the table of figures."""

    name: Figure
    of: type
    choices: Callable[[Any], Iterable[Subject]]  # of one result, what comes first is drawn where nothing is asked
    draw: Callable[[Any, Subject], Drawing]
