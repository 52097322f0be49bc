"""The methods that ``compare()`` knows by name, and those that a caller brings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fairstats.arguments import items, shown
from fairstats.comparing.cache import identity_of
from fairstats.comparing.group_aware import SHOWN, CorrelationRemoved, GroupsShownInTraining
from fairstats.data.design import Design
from fairstats.errors import InputError, NumericalError, listing, nearest
from fairstats.methods.parts.limits import most_components
from fairstats.methods.registry import METHODS

MOST_K = 10  # where nothing is said


@dataclass(frozen=True)
class Standardized:
    """No method: the features less their training means, over their training standard deviations if scaled."""

    center: np.ndarray
    scale: np.ndarray

    def transform(self, design: Design) -> np.ndarray:
        """Standardized rows (n, p)."""
        return np.asarray((design.X - self.center) / self.scale)


@dataclass(frozen=True)
class ComparedMethod:
    """One method: ``make(design, k)`` fits training rows, and the fit's ``transform(other)`` gives features."""

    name: str
    make: Callable[[Design, int], Any]

    @property
    def reduces(self) -> bool:
        """Whether it makes components, so that their number matters."""
        return not isinstance(self.make, (Unadjusted, Whole, GroupsShownInTraining, CorrelationRemoved))

    def most(self, design: Design) -> int:
        """Return the largest number of components that one of the package's methods allows; others are not asked."""
        if not isinstance(self.make, Built):
            return design.p
        try:
            return most_components(METHODS[self.make.function].function, design, self.make.settings)
        except InputError:  # it says so when it is fitted, with its name
            return design.p

    @property
    def identity(self) -> str:
        """Text of all but the data that its results depend on; part of the key of a stored cell."""
        import fairstats

        return f"{self.name} {fairstats.__version__} {identity_of(self.make)}"

    def features(self, train: Design, held: Design, k: int) -> tuple[Any, np.ndarray, np.ndarray]:
        """A fit of the training rows, and adjusted features of these and of the rows held out by it."""
        try:
            fit = self.make(train, k)
        except InputError as refused:
            raise InputError(
                f"methods has {self.name!r}, which refused the training rows of a split: {refused}"
            ) from None
        # What a model learns from is not what it is shown later, where it learns with the groups.
        seen = getattr(fit, "training", fit.transform)(train)
        return fit, self._checked(seen, train.n), self._checked(fit.transform(held), held.n)

    def _checked(self, made: Any, n: int) -> np.ndarray:
        out = np.asarray(made, dtype=float)
        if out.ndim != 2 or len(out) != n:
            raise InputError(
                f"methods has {self.name!r}, whose transform gave an array of shape {out.shape} for {n} rows; "
                "it must give one row of numbers for each."
            )
        if not np.isfinite(out).all():
            raise NumericalError(f"methods has {self.name!r}, whose transform gave missing or infinite numbers.")
        return out


def most_allowed(methods: Sequence[ComparedMethod], design: Design) -> int:
    """Return the largest number of components that all methods allow, and no more than are tried by default."""
    return min(MOST_K, *(one.most(design) for one in methods))


def methods_asked(methods: Any, scale: bool) -> tuple[ComparedMethod, ...]:
    """Return the methods that the argument ``methods`` asks for, in its order.

    Parameters
    ----------
    methods : str, (name, callable) or sequence of these
        ``callable(design, k)`` returns an object with ``transform(design) -> array (n, any)``.
    scale : bool
        Whether features are divided by their standard deviations.

    Returns
    -------
    tuple of ComparedMethod

    Raises
    ------
    InputError
        An unknown name (with the nearest), the same name twice, no name.

    Examples
    --------
    >>> [a.name for a in methods_asked(("none", "og"), scale=True)]
    ['none', 'og']
    """
    asked = (
        [methods] if isinstance(methods, str) or _is_pair(methods) else items("methods", methods, "names of methods")
    )
    made = tuple(
        ComparedMethod(str(m[0]), m[1]) if _is_pair(m) else ComparedMethod(str(m), _built_in(m, scale)) for m in asked
    )
    names = [a.name for a in made]
    if not names:
        raise InputError(f"methods is empty; name at least one of {listing(known(), 12)}.")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"methods has {listing(twice)} more than once; give each a name of its own.")
    return made


def known() -> list[str]:
    """Names that ``methods`` may hold.

    Examples
    --------
    >>> known()[:3]
    ['none', 'pca', 'og']
    """
    rows = [row for row in METHODS.values() if not row.needs]
    return ["none", *(name for row in rows for name in (row.name, *row.variants)), *SHOWN, "correlation_remover"]


def _is_pair(value: Any) -> bool:
    return isinstance(value, (tuple, list)) and len(value) == 2 and isinstance(value[0], str) and callable(value[1])


def _built_in(name: Any, scale: bool) -> Callable[[Design, int], Any]:
    names = known()
    if not isinstance(name, str) or name not in names:
        raise InputError(
            f"methods has {shown(name)}, which is not known{nearest(str(name), names)}; it can hold "
            f"{listing(names, 12)}, or a pair (name, function of a design and k)."
        )
    if name == "none":
        return Unadjusted(scale)
    if name in SHOWN:
        return GroupsShownInTraining(name, scale)
    if name == "correlation_remover":
        return CorrelationRemoved(scale)
    row = next(row for row in METHODS.values() if name == row.name or name in row.variants)
    if not row.reduces:
        return Whole(row.name, scale)
    return Built(row.name, {**row.variants.get(name, {}), "scale": scale})


@dataclass(frozen=True)
class Built:
    """One of the package's methods with its settings; a class, so that other processes can be sent it."""

    function: str
    settings: dict[str, Any]

    def __call__(self, design: Design, k: int) -> Any:
        return METHODS[self.function].function(design, None, k=k, **self.settings)


@dataclass(frozen=True)
class Whole:
    """A method that gives every feature back, adjusted; the features are then standardized as without it."""

    function: str
    scale: bool

    def __call__(self, design: Design, k: int) -> WholeRows:
        fit = METHODS[self.function].function(design, None)
        center, spread = design.X.mean(axis=0), design.X.std(axis=0, ddof=1)
        return WholeRows(fit, Standardized(center, spread if self.scale else np.ones_like(spread)))


@dataclass(frozen=True)
class WholeRows:
    """A fit of whole rows, and their units."""

    fit: Any
    units: Standardized

    def transform(self, design: Design) -> np.ndarray:
        """Adjusted rows (n, p), standardized by the training rows as they were."""
        return self.units.transform(replace(design, X=self.fit.transform(design)))


@dataclass(frozen=True)
class Unadjusted:
    """Every feature, as it is or standardized."""

    scale: bool

    def __call__(self, design: Design, k: int) -> Standardized:
        spread = design.X.std(axis=0, ddof=1)
        return Standardized(design.X.mean(axis=0), spread if self.scale else np.ones_like(spread))
