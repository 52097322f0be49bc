"""Projection: the one result of every linear method, and its verbs."""

from __future__ import annotations

import functools
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, get_args, overload

import numpy as np
from scipy import sparse, special

from fairstats.data.centered_view import Centered, GroupCells, Residual, Scaling
from fairstats.data.design import refuse_nonfinite
from fairstats.data.groups import Encoding
from fairstats.data.tables import Columns, like
from fairstats.document import Block, Bullets, Paragraph, Table, Title, as_text, headings
from fairstats.errors import AbsentError, Call, InputError, Setting, snippet, warn
from fairstats.estimates import Estimate, Estimates, Worded
from fairstats.language import DataText, message
from fairstats.linalg.matrices import centered_product
from fairstats.methods.crossfit import OutOfFoldScores, crossfit, groups_like, matrix_like
from fairstats.text import capital, count, number, p_value, significant, tiny
from fairstats.validation import ON_UNKNOWN, OnUnknown, bound, one_of

if TYPE_CHECKING:
    import pandas as pd
    from narwhals.typing import IntoDataFrameT

    from fairstats.data.groups import Encoding


# What the fits of components are made of: their maps, the components themselves, and the price.


@dataclass(frozen=True, kw_only=True)
class LinearMap:
    """A linear map to k scores, ``S = ((X − center)/scale) B − Z Λ``, and back, ``X̃ = S Uᵀ + Z M``, about the origin.

    weights: b; equal to the loadings where those are orthonormal, shape (p, k).
    loadings: u, shape (p, k).
    origin: what is added to a reconstruction, in the units of the data, shape (p,).
    coefficients: Λ, where the scores depend on the group of a row, shape (q, k).
    group_means: m, where a reconstruction does, shape (q, p).
    """

    weights: np.ndarray
    loadings: np.ndarray
    origin: np.ndarray
    coefficients: np.ndarray | None = None
    group_means: np.ndarray | None = None


@dataclass(frozen=True, kw_only=True)
class KernelMap:
    """A map to k scores through a kernel, ``s(x) = k(x, basis) A + b``.

    name, parameters: the kernel and the parameters that it has.
    basis: the rows of the fit, or the landmarks, as the kernel sees them: less ``shift`` or standardized, shape (m, p).
    coefficients, offset: a and b; the centering in feature space is part of them, shape (m, k).
    shift: what is subtracted from rows before the kernel sees them, shape (p,).
    """

    name: str
    parameters: Mapping[str, float]
    basis: np.ndarray
    coefficients: np.ndarray
    offset: np.ndarray
    shift: np.ndarray | None = None


@dataclass(frozen=True)
class Components:
    """The components of a fit by their sizes.

    energy: squared length of each component before the groups' part is removed (d_j²), shape (k,).
    group_share: R_j²: the share of each component that the groups explain; NaN where no groups were given, shape (k,).
    """

    energy: np.ndarray
    group_share: np.ndarray


@dataclass(frozen=True)
class GroupPrice:
    """Mean squared error ‖x − x̃‖² of the people of one level, in the units of the fit.

    Over the levels of an attribute n · error sums to the fit's ``error``, and n · pca_error to its ``pca_error``.
    """

    attribute: str
    level: str
    n: float  # summed weights
    error: float
    pca_error: float


@dataclass(frozen=True, kw_only=True)
class Price:
    """What a fit leaves of the data's sum of squares, beside principal components of the same number.

    total, error, pca_error: ‖X_c‖², ‖X_c − X̃‖² and the same for plain PCA of the same k; in feature space for a
        kernel.
    by_group: the two errors by level, where the data give them.

    >>> Price(total=10.0, error=4.0, pca_error=3.0).extra
    1.0
    """

    total: float
    error: float
    pca_error: float
    by_group: tuple[GroupPrice, ...] = ()

    @property
    def extra(self) -> float:
        """What the method's condition costs: its error less that of PCA."""
        return self.error - self.pca_error


# A guarantee: a sentence about the data of a fit, checked as a number.


@dataclass(frozen=True)
class Guarantee:
    """What a method promises about the data it was fitted to, checked as a number."""

    statement: str
    value: float
    tolerance: float

    @property
    def holds(self) -> bool:
        """Whether the number is within its tolerance."""
        return bool(self.value <= self.tolerance)

    def to_dict(self) -> dict[str, Any]:
        """Return statement, value, tolerance and verdict, JSON-ready."""
        return {**vars(self), "holds": self.holds}


# A warning, at the call that makes a fit, of each guarantee that does not hold on its data.


P = ParamSpec("P")
T = TypeVar("T")
_WITHIN = ContextVar("_WITHIN", default=False)  # whether a method calls another, whose promises are then its own affair


def _way_out() -> str:
    return (
        "Do not rely on it here; outliers, columns of very different size and features that are not centered are the "
        "usual reason (scaled and centered features are of one size)."
    )


def of_components(k: int) -> str:
    """How many components, in words."""
    return f"{k} component{'s' if k != 1 else ''}"


def features_of(fit: Any) -> str:
    """How many features a fit is of, in words."""
    p = len(fit.features)
    return f"{p} feature{'s' if p != 1 else ''}"


def rows_of(fit: Any) -> str:
    """How many rows a fit is of, and whether they are weighted."""
    return f"{fit.scaling.n}{' weighted' * fit.scaling.weighted} rows"


def failures(guarantees: Sequence[Guarantee]) -> list[str]:
    """Return the guarantees that do not hold, each with its number and its bound.

    >>> from fairstats.methods.results import Guarantee
    >>> failures([Guarantee("largest correlation", 0.2, 1e-9), Guarantee("gap", 0.0, 1e-6)])
    ['largest correlation: 0.2 (at most 1e-09)']
    """
    return [f"{g.statement}: {g.value:.3g} (at most {g.tolerance:.3g})" for g in guarantees if not g.holds]


def checked(remedy: str = "") -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorate a method: its result's failing guarantees are warned of in the line that called it."""

    def decorate(method: Callable[P, T]) -> Callable[P, T]:
        signature = inspect.signature(method)

        @functools.wraps(method)
        def fitted(*args: P.args, **kwargs: P.kwargs) -> T:
            bound(method.__name__, signature, args, kwargs)
            within = _WITHIN.set(True)
            try:
                result = method(*args, **kwargs)
            finally:
                _WITHIN.reset(within)
            failing = failures(getattr(result, "guarantees", ()))
            if failing and not _WITHIN.get():
                what = "a guarantee does" if len(failing) == 1 else f"{len(failing)} guarantees do"
                name = getattr(result, "method", method.__name__)
                warn(f"{name}: {what} not hold on these data: {'; '.join(failing)}. {remedy or _way_out()}")
            return result

        return fitted

    return decorate


# The tidy rows, the one-row glance and the text summary of a projection.


def f_test(share: np.ndarray, q: int, n: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the F statistic and p-value of R² from q regressors and an intercept, n rows."""
    rest = n - 1 - q
    with np.errstate(divide="ignore", invalid="ignore"):
        F = (share / q) / ((1 - share) / rest) if rest > 0 else np.full_like(share, np.nan)
    return F, special.fdtrc(q, rest, F) if rest > 0 else np.full_like(share, np.nan)


def _whole(fit: ComponentFit) -> float:
    """Return the total that shares are fractions of, or 1 where nothing varies, so that all shares are 0."""
    return fit.total or 1.0


def tidy_rows(fit: ComponentFit) -> Estimates:
    """Return the rows of ``Projection.estimates``."""
    rows = []
    attribute = "" if fit.encoding is None else ", ".join((*fit.encoding.names, *fit.encoding.continuous_names))
    q = 0 if fit.encoding is None else len(fit.encoding.kept)
    blind = fit.diagnostics.get("blind_to_groups", False) and not fit.scaling.weighted
    F, p = f_test(fit.group_share, q, fit.scaling.n) if q else (np.full(fit.k, np.nan),) * 2
    for j in range(fit.k):
        term = message("component {n}", n=j + 1)
        if fit._adjusts_components:  # whose scores, which users have, know nothing of the groups
            term = message("component {n} before the adjustment", n=j + 1)
        rows.append(
            Estimate(
                "variance share",
                term=term,
                role="component",
                n=fit.scaling.n,
                events=float(fit.energy[j]),
                estimate=float(fit.energy[j] / _whole(fit)),
                method=message("squared length over total"),
            )
        )
        if np.isfinite(fit.group_share[j]):
            rows.append(
                Estimate(
                    "R2",
                    attribute=attribute,
                    term=term,
                    role="component",
                    n=fit.scaling.n,
                    estimate=float(fit.group_share[j]),
                    events=float(fit._about_means[j] * fit.group_share[j]),
                    df=float(q),
                    statistic=float(F[j]) if blind else np.nan,
                    p_value=float(p[j]) if blind else np.nan,
                    method=message("regression of the component on the groups, F-test")
                    if blind
                    else message("regression of the component on the groups (descriptive)"),
                )
            )
    rows.append(
        Estimate(
            "extra error",
            attribute=attribute,
            role="price",
            n=fit.scaling.n,
            events=fit.extra_error,
            estimate=fit.extra_error / _whole(fit),
            method=message("share of the total sum of squares, against PCA"),
        )
    )
    return Estimates([*rows, *guarantee_rows(fit.guarantees, fit.scaling.n)])


def guarantee_rows(guarantees: Sequence[Guarantee], n: float) -> list[Estimate]:
    """Return each promise with the number that checks it; the reason says where it does not hold."""
    return [
        Estimate(
            "guarantee",
            term=g.statement,
            role="guarantee",
            n=n,
            estimate=g.value,
            method=message("at most {n}", n=tiny(g.tolerance, 0)),
            reason="" if g.holds else message("does not hold"),
        )
        for g in guarantees
    ]


def glance_row(fit: ComponentFit) -> pd.DataFrame:
    """Return the row of ``Projection.glance``."""
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "method": fit.method,
                "n": fit.scaling.n,
                "p": len(fit.features),
                "k": fit.k,
                "total": fit.total,
                "error": fit.error,
                "pca_error": fit.pca_error,
                "extra_error": fit.extra_error,
                "explained": 1 - fit.error / _whole(fit),
                "guarantees_hold": all(g.holds for g in fit.guarantees),
            }
        ]
    )


def brief(fit: Any) -> str:
    """Return the short form of any fit: its sizes, its groups, what it costs, and whether its guarantees hold."""
    names = () if fit.encoding is None else (*fit.encoding.names, *fit.encoding.continuous_names)
    lines = [rows_of(fit), features_of(fit)]
    lines += [of_components(fit.k)] if hasattr(fit, "k") else []
    lines += [f"groups {', '.join(names)}"] if names else []
    failing, count = failures(fit.guarantees), len(fit.guarantees)
    kept = f"does not hold: {failing[0]}" if failing else f"{count} guarantee{'s hold' if count != 1 else ' holds'}"
    lost = fit.extra_error if hasattr(fit, "extra_error") else fit.error
    price = f"extra error {number(100 * lost / fit.total, 2)}%" if fit.total > 0 else "nothing to explain"
    return f"{fit.method}, {', '.join(lines)}; {f'{kept}; ' if fit.guarantees else ''}{price}"


def opening(fit: Any, sizes: str, *more: str) -> Iterator[Block]:
    """What every fit says first: its title, its sizes, guarantees that do not hold, and the levels of its groups."""
    yield Title(1, fit.title)
    yield from map(Paragraph, (sizes, *more))
    yield from (Paragraph(f"DOES NOT HOLD: {text}", "finding") for text in failures(fit.guarantees))
    if fit.encoding is not None:
        every = [f"{a} ({', '.join(lv)})" for a, lv in zip(fit.encoding.names, fit.encoding.levels, strict=True)]
        every += [f"{c} (continuous)" for c in fit.encoding.continuous_names]
        yield Paragraph(f"Groups: {'; '.join(every)}")
        # each column once, also where an attribute is an intersection; PCA adjusts for none, and promises nothing
        columns = dict.fromkeys(chain.from_iterable(name.split(":") for name in fit.encoding.names))
        whole = any(len(name.split(":")) == len(columns) for name in fit.encoding.names)
        if fit.guarantees and len(columns) > 1 and not whole:
            yield Paragraph(
                "Each attribute is adjusted for by itself, so that means of their intersections may still differ; "
                f"{Setting('groups', ':'.join(columns))} adjusts for these."
            )


PRINTED = 25  # lines of print(fit), as of print(audit)
FIRST = 3  # components in them


def printed(fit: Any, tables: Iterable[Block]) -> str:
    """The text of ``print(fit)``: its summary, or where that is long its beginning, these tables and its guarantees."""
    text: str = fit.summary()
    if text.count("\n") < PRINTED:
        return text
    many = {0: "No note", 1: "1 note"}.get(len(fit.notes), f"{len(fit.notes)} notes")
    last = Paragraph(f"{many}; {snippet('summary() has all')}.")
    return as_text([*opening(fit, *fit._sizes()), *tables, *_guaranteed(fit), last])


def _guaranteed(fit: Any) -> Iterator[Block]:
    if fit.guarantees:
        yield Title(2, "Guarantees, checked on the data of the fit")
        yield Bullets(tuple(_checked(g) for g in fit.guarantees))


def closing(fit: Any) -> Iterator[Block]:
    """What every fit says last: each guarantee with its number, and notes."""
    yield from _guaranteed(fit)
    if fit.notes:
        yield Title(2, "Notes")
        yield Bullets(tuple(fit.notes))


def _checked(g: Guarantee) -> str:
    tested = "holds" if g.holds else "DOES NOT HOLD"
    return f"{g.statement}: {significant(g.value, 2)} (at most {tiny(g.tolerance, 0)}): {tested}"


def more_note(number_of_rows: int, most: int) -> str:
    """What stands under a table that shows the first rows only."""
    return f"... and {number_of_rows - most} more; {snippet('all in tidy()')}" if number_of_rows > most else ""


def _components(fit: ComponentFit, most: int = 10) -> Table:
    with_groups = bool(np.isfinite(fit.group_share).any())
    q = 0 if fit.encoding is None else len(fit.encoding.kept)
    principal = fit.diagnostics.get("blind_to_groups", False)
    tested = with_groups and principal and not fit.scaling.weighted
    p = f_test(fit.group_share, q, fit.scaling.n)[1] if tested else None
    rows = []
    for j in range(min(fit.k, most)):
        row = [str(j + 1), significant(fit.energy[j], 6), number(100 * fit.energy[j] / _whole(fit), 2)]
        row += [number(100 * fit.group_share[j], 2)] if with_groups else []
        row += [p_value(p[j], "")] if p is not None else []
        rows.append(tuple(row))
    named = f"{'Principal c' if principal else 'C'}omponents{' before the adjustment' * fit._adjusts_components}"
    heads = ["sum of squares", "% of total", *["% explained by groups"] * with_groups, *["p"] * (p is not None)]
    caption = f"{named}{', and what the groups explain of them' * with_groups}"
    notes = [more_note(fit.k, most)]
    if principal and with_groups and fit.scaling.weighted:
        notes.append("No p-values: the F-test is of rows that count alike, and these are weighted.")
    return Table(caption, headings("component", *heads), tuple(rows), " ".join(filter(None, notes)))


def _price(fit: ComponentFit) -> Table:
    def row(name: str, part: float) -> tuple[str, str, str]:
        return name, f"{number(100 * part / _whole(fit), 2)}%", significant(part, 6)

    rows = [
        row("explained by PCA of the same k", _whole(fit) - fit.pca_error),
        row("explained by this fit", _whole(fit) - fit.error),
        row("extra error", fit.extra_error),
    ]
    other = fit.diagnostics.get("other_basis")
    if other is not None:
        rows.append(row(f"extra error, {other[0]}", other[1]))
    return Table("", headings("price", "share of the total", "sum of squares"), tuple(rows))


# What minimax_pca makes even, where that is not the mean squared error.
MADE_EVEN = {
    "loss": message("loss of a group: its error less that of as many components of its own"),
    "variance": message("variation kept of a group, below the most that could be kept of any"),
    "nash": message("variation kept of a group, below the most that could be kept of any"),
}


def losses_made_even(fit: Any) -> tuple[str, list[tuple[str, float, float]]] | None:
    """What a fit makes even, and it of each group with PCA of the same k and with the fit; None of other fits."""
    if fit.method != "minimax_pca" or (what := MADE_EVEN.get(fit.settings["objective"])) is None:
        return None
    plain, ours = fit.diagnostics["pca_losses"], fit.diagnostics["losses"]
    sizes = [row.level for row in sorted(fit.price.by_group, key=lambda row: -row.n)] or list(ours)
    return what, [(name, plain[name], ours[name]) for name in sizes]


def _price_by_group(fit: ComponentFit, price: Sequence[GroupPrice], most: int = 12) -> Iterator[Block]:
    if even := losses_made_even(fit):
        what, groups = even
        lines = tuple((name, significant(before, 5), significant(after, 5)) for name, before, after in groups[:most])
        heads = headings("group", "PCA of the same k", "this fit")
        yield Table(capital(what), heads, lines, more_note(len(groups), most))
    if price:
        rows = (
            (f"{row.attribute}={row.level}", count(row.n), significant(row.pca_error, 5), significant(row.error, 5))
            for row in price[:most]
        )
        heads = headings("mean squared error by group", "n", "PCA of the same k", "this fit")
        yield Table("", heads, tuple(rows), more_note(len(price), most))
    elif fit.encoding is not None:
        yield Paragraph(f"The price by group: {Call('reconstruction_error_by_group', ())} of the fit and its rows.")


# What every fit of k components has and says, whether its scores are linear or come through a kernel.


def beside_scores(data: Any, scores: np.ndarray) -> Any:
    """The table with a column for each score (n, k) added; the same kind of table as given."""
    import narwhals as nw

    frame = nw.from_native(Columns(data)._frame, eager_only=True)
    columns = {f".score_{j + 1}": column for j, column in enumerate(np.asarray(scores).T)}
    native = data if hasattr(data, "iloc") else frame.to_native()  # pandas: names of columns as they were
    if hasattr(native, "index"):  # pandas aligns on the index, which may be anything
        return native.assign(**columns)
    backend = nw.get_native_namespace(frame)
    items = [nw.new_series(name, column.tolist(), backend=backend) for name, column in columns.items()]
    return frame.with_columns(*items).to_native()


class ComponentFit(Worded, ABC):
    """The fields that fits of k components share, what follows from them, and their rows."""

    method: str
    title: str
    settings: Mapping[str, Any]
    scaling: Scaling
    components: Components
    price: Price
    encoding: Encoding | None
    guarantees: tuple[Guarantee, ...]
    notes: tuple[str, ...]
    diagnostics: Mapping[str, Any]

    @abstractmethod
    def _mapped(self, X: Any, groups: Any = None) -> np.ndarray:
        """Return the scores of new rows (n × k)."""

    @property
    def _scores(self) -> list[str]:
        """Names of the scores in a table."""
        return [f"score_{j + 1}" for j in range(self.k)]

    @property
    def k(self) -> int:
        """Number of components."""
        return len(self.components.energy)

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the p features."""
        return self.scaling.features

    @property
    def energy(self) -> np.ndarray:
        """Squared length of each component (k,), before the groups' part is removed."""
        return self.components.energy

    @property
    def _about_means(self) -> np.ndarray:
        """Squared length of each component about its mean (k,), of which the groups explain a share."""
        return np.asarray(self.diagnostics.get("about_means", self.energy))

    @property
    def group_share(self) -> np.ndarray:
        """R_j² (k,): the share of each component that the groups explain; NaN where no groups were given."""
        return self.components.group_share

    @property
    def singular_values(self) -> np.ndarray:
        """Lengths of the components (k,)."""
        return np.sqrt(self.energy)

    @property
    def _adjusts_components(self) -> bool:
        """Whether the groups' part is taken out of components that are found already, as og does."""
        return False

    @property
    def score_energy(self) -> np.ndarray:
        """Squared length of each score (k,): of a component, or of what is left of it without the groups' part."""
        return self.energy

    @property
    def sdev(self) -> np.ndarray:
        """Standard deviations of the scores (k,), as R's ``prcomp`` has them; with weights those of ``cov.wt``.

        Sums of squares are divided as those of ``scale`` are: by n − 1, with weights by Σw − Σw²/Σw, which does not
        depend on the unit of the weights.
        """
        return np.sqrt(self.score_energy / self.scaling.divisor)

    @property
    def explained_variance_ratio_(self) -> np.ndarray:
        """Share of the total in each score (k,); of PCA scikit-learn's."""
        return self.score_energy / _whole(self)

    @property
    def x(self) -> np.ndarray:
        """Raise AbsentError: a fit keeps no rows; R's ``prcomp`` has the scores of its rows here."""
        raise AbsentError(
            f"x is not kept, since a fit holds no rows of data; {snippet('fit.transform(X)')} gives the scores of "
            "these rows."
        )

    @property
    def total(self) -> float:
        """‖X_c‖², the sum of squares about the mean; in feature space for a kernel."""
        return self.price.total

    @property
    def error(self) -> float:
        """‖X_c − X̃‖², what the fit leaves of the total."""
        return self.price.error

    @property
    def pca_error(self) -> float:
        """What principal components of the same k would leave of the total."""
        return self.price.pca_error

    @property
    def extra_error(self) -> float:
        """What the method's condition costs: the error minus that of PCA of the same k."""
        return self.price.extra

    @cached_property
    def estimates(self) -> Estimates:
        """One row a component and number: share of variation, share explained by the groups with its F-test, price."""
        return tidy_rows(self)

    def glance(self) -> pd.DataFrame:
        """Return one row about the fit."""
        return glance_row(self)

    def _brief(self) -> str:
        return brief(self)

    def _content(self) -> Iterator[Block]:
        """What was fitted, what it costs, and what it guarantees with the check as a number."""
        yield from opening(self, *self._sizes())
        yield _components(self)
        yield _price(self)
        yield from self._price_by_group()
        yield from closing(self)

    def __str__(self) -> str:
        return printed(self, [_components(self, FIRST), _price(self)])

    def _sizes(self) -> tuple[str, ...]:
        centered, scaled = self.settings.get("center", True), self.scaling.scale is not None
        treated = " and ".join(word for word, so in (("centered", centered), ("scaled", scaled)) if so) or "as they are"
        return (f"{rows_of(self)}, {features_of(self)} ({treated}), {of_components(self.k)}",)

    def _price_by_group(self) -> Iterable[Block]:
        return ()

    def _common(self) -> dict[str, Any]:
        """What ``to_dict`` of every such fit begins with, and what it ends with."""
        return {
            "method": self.method,
            "title": self.title,
            "k": self.k,
            "n": self.scaling.n,
            "features": list(self.features),
            "settings": dict(self.settings),
            "energy": self.energy.tolist(),
            "total": self.total,
            "error": self.error,
            "pca_error": self.pca_error,
            "guarantees": [g.to_dict() for g in self.guarantees],
            "estimates": self.estimates.to_records(),
            "notes": list(self.notes),
        }


Tidy = Literal["estimates", "loadings"]


@dataclass(frozen=True, repr=False, kw_only=True)
class Projection(ComponentFit):
    """A linear map to k scores, ``S = ((X − center)/scale) B − Z Λ``, and back, ``X̃ = S Uᵀ``.

    Attributes
    ----------
    method, title : str
        Name of the function that made it, and what it is called in a heading.
    settings : dict
        The arguments, beside the data, with which ``method`` was called.
    scaling : Scaling
        Features, center (p,), scale (p,) or None, n.
    linear : LinearMap
        ``weights`` B (p, k), ``loadings`` U (p, k), ``origin`` (p,), and ``coefficients`` Λ (q, k) and ``group_means``
        (q, p), or None; each is an attribute of the fit as well.
    components : Components
        ``energy`` d_j² (k,) and ``group_share`` R_j² (k,), attributes of the fit as well.
    price : Price
        ``total`` ‖X_c‖², ``error`` ‖X_c − X̃‖² and ``pca_error`` of plain PCA of the same k, attributes of the fit as
        well, and the errors ``by_group``.
    encoding : Encoding or None
        Z, the groups as numbers.
    guarantees : tuple of Guarantee
    notes : tuple of str
    diagnostics : dict
        What the method noted of its work.
    """

    method: str
    title: str
    settings: Mapping[str, Any]
    scaling: Scaling
    linear: LinearMap
    components: Components
    price: Price
    encoding: Encoding | None = None
    guarantees: tuple[Guarantee, ...] = ()
    notes: tuple[str, ...] = ()
    diagnostics: Mapping[str, Any] = field(default_factory=dict)

    @property
    def weights(self) -> np.ndarray:
        """B (p, k): a row's scores are its centered and scaled features times these."""
        return self.linear.weights

    @property
    def loadings(self) -> np.ndarray:
        """U (p, k): scores times Uᵀ reconstruct the centered and scaled features."""
        return self.linear.loadings

    @property
    def origin(self) -> np.ndarray:
        """What is added to a reconstruction (p,), in the units of the data."""
        return self.linear.origin

    @property
    def coefficients(self) -> np.ndarray | None:
        """Λ (q, k), where the scores depend on the group of a row."""
        return self.linear.coefficients

    @property
    def group_means(self) -> np.ndarray | None:
        """M (q, p), where a reconstruction adds the mean of a row's group."""
        return self.linear.group_means

    @property
    def rotation(self) -> np.ndarray:
        """The loadings (p, k) under the name that R's ``prcomp`` has for them."""
        return self.loadings

    @property
    def _adjusts_components(self) -> bool:
        removed = self.coefficients is not None and self.group_means is None
        return removed and bool(np.isfinite(self.group_share).all())

    @property
    def score_energy(self) -> np.ndarray:
        known = self.diagnostics.get("score_energy")
        if known is not None:
            return np.asarray(known)
        return self._about_means * (1 - self.group_share) if self._adjusts_components else self.energy

    @property
    def components_(self) -> np.ndarray:
        """The loadings as rows (k, p), as scikit-learn's decompositions have them."""
        return self.loadings.T

    @overload
    def transform(
        self, X: IntoDataFrameT, groups: Any = None, *, on_unknown: OnUnknown = "raise"
    ) -> IntoDataFrameT: ...
    @overload
    def transform(
        self, X: Mapping[str, Any], groups: Any = None, *, on_unknown: OnUnknown = "raise"
    ) -> dict[str, np.ndarray]: ...
    @overload
    def transform(self, X: Any, groups: Any = None, *, on_unknown: OnUnknown = "raise") -> np.ndarray: ...
    def transform(self, X: Any, groups: Any = None, *, on_unknown: OnUnknown = "raise") -> Any:
        """Return scores of new rows.

        Parameters
        ----------
        X : array (n, p), sparse matrix or table
            A table is matched by column names; a formula's fit needs a table.
        groups : as in the fit
            Needed where the scores depend on the group (``coefficients`` is not None).
        on_unknown : {"raise", "mean"}
            A group level that the fit has not seen is an error, or treated as average: in its attribute alone, where
            there are several, while an intersection (``"sex:race"``) is one attribute, unknown as a whole.

        Returns
        -------
        array (n, k), or the kind of table that X is
            A table's columns are ``score_1`` … ``score_k``, its rows are named as those of X.
        """
        return like(X, self._mapped(X, groups, on_unknown), self._scores)

    def _mapped(self, X: Any, groups: Any = None, on_unknown: OnUnknown = "raise") -> np.ndarray:
        one_of("on_unknown", on_unknown, ON_UNKNOWN)
        matrix = matrix_like(self.scaling, X)
        B = self.weights if self.scaling.scale is None else self.weights / self.scaling.scale[:, None]
        center = self.scaling.center
        scores = matrix @ B - center @ B if sparse.issparse(matrix) else centered_product(matrix, center, B)
        if not np.isfinite(scores).all():
            refuse_nonfinite(matrix, self.features)
        if self.coefficients is not None:
            scores -= self._encode(X, groups, on_unknown, len(scores)) @ self.coefficients
        return np.asarray(scores)

    @overload
    def reconstruct(
        self, X: IntoDataFrameT, groups: Any = None, *, on_unknown: OnUnknown = "raise"
    ) -> IntoDataFrameT: ...
    @overload
    def reconstruct(
        self, X: Mapping[str, Any], groups: Any = None, *, on_unknown: OnUnknown = "raise"
    ) -> dict[str, np.ndarray]: ...
    @overload
    def reconstruct(self, X: Any, groups: Any = None, *, on_unknown: OnUnknown = "raise") -> np.ndarray: ...
    def reconstruct(self, X: Any, groups: Any = None, *, on_unknown: OnUnknown = "raise") -> Any:
        """Return the adjusted data (n × p) in the original units: unscaled, mean added back.

        But ``og(center=False)`` takes the mean out with the groups: its data are about 0.

        An array, or the kind of table that X is, with the names of the features.
        """
        return like(X, self._rebuilt(X, groups, on_unknown), self.features)

    def _rebuilt(self, X: Any, groups: Any, on_unknown: OnUnknown) -> np.ndarray:
        adjusted = self._mapped(X, groups, on_unknown) @ self.loadings.T
        if self.group_means is not None:
            adjusted = adjusted + self._encode(X, groups, on_unknown, len(adjusted)) @ self.group_means
        return (adjusted if self.scaling.scale is None else adjusted * self.scaling.scale) + self.origin

    def crossfit(
        self,
        X: Any,
        groups: Any = None,
        *,
        data: Any = None,
        weights: Any = None,
        folds: int | Any = 2,
        seed: int = 0,
    ) -> OutOfFoldScores:
        """Make held-out scores: fitted and transformed inside folds, stratified by group.

        Components of the folds are turned to those of the first fold (orthogonal Procrustes on the loadings), so that
        component j means the same in all. ``folds`` is a number, or the fold of each row. Compare rows of one fold
        only: across folds the fits have seen each other's rows, and noise shows up as its mirror image. Hence two
        folds, the largest parts in which rows share a fit that saw none of them.

        A weighted fit needs its ``weights`` again, and an unweighted one takes none; rows of weight 0 are scored, and
        count for nothing else. With a trade-off the fair and the other components are turned separately. Where a
        fold's minimax solution has fewer components than another's, its span is turned within the larger one.
        """
        return crossfit(self, X, groups, data, weights, folds, seed)

    def transform_to(self, source: Any, to: Any, *, keep: list[str] | None = None, progress: bool = False) -> Path:
        """Write the scores of files (a path, glob or data set) to the Parquet file ``to``, chunk by chunk."""
        from fairstats.data.stream import transform_files

        return transform_files(self, source, to, keep=keep, progress=progress)

    def tidy(self, table: Tidy = "estimates", **where: object) -> pd.DataFrame:  # type: ignore[override]  # no column is called table
        """Return a tidy table as a pandas frame.

        Parameters
        ----------
        table : {"estimates", "loadings"}
            ``estimates`` with the columns of the glossary; or one row a feature and component, with its loading.
        **where
            Column and value, to choose rows of ``estimates`` as `Estimates.where` does.

        Returns
        -------
        pandas.DataFrame
            Of loadings: ``feature``, ``component`` (from 1), ``loading``.
        """
        if one_of("table", table, get_args(Tidy)) == "estimates":
            return super().tidy(**where)
        if where:
            raise InputError(f"{next(iter(where))} chooses estimates; the loadings have none; leave it out.")
        import pandas as pd

        p, k = self.loadings.shape
        feature, component = np.repeat(list(self.features), k), np.tile(np.arange(1, k + 1), p)
        return pd.DataFrame({"feature": feature, "component": component, "loading": self.loadings.ravel()})

    def _price_by_group(self) -> Iterator[Block]:
        return _price_by_group(self, self.price.by_group)

    def augment(self, data: Any, groups: Any = None) -> Any:
        """Return ``data`` with the columns ``.score_1`` … ``.score_k`` added; the same kind of table as given."""
        Columns(data)  # what is no table is refused by this argument's name, not by that of a transformation
        return beside_scores(data, self._mapped(data, groups))

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the data, JSON-ready."""
        return {
            "schema": "fairstats/projection/1",
            **self._common(),
            "center": self.scaling.center.tolist(),
            "loadings": self.loadings.tolist(),
            "scale": None if self.scaling.scale is None else self.scaling.scale.tolist(),
            "price": [vars(p) for p in self.price.by_group],
        }

    def _encode(self, X: Any, groups: Any, on_unknown: str, n: int) -> np.ndarray:
        assert self.encoding is not None
        result = groups_like(self.encoding, X, groups, n, f"the scores of {self.method} depend on")
        return self.encoding.encode(result, on_unknown=on_unknown)


# What a fit costs each group: mean squared reconstruction error beside that of PCA of the same dimension.


ROUNDING = 1e-13  # of the variation of a person: what is lost of less is arithmetic, not price


def dimension(fit: Projection) -> int:
    """Return the dimension of PCA that a fit is priced against.

    It is k, but for a fit whose scores span less (components appended to their own span), or that spends more of them
    on a fractional solution.
    """
    return int(fit.diagnostics.get("dimension", fit.k))


def plain(fit: Projection, V: np.ndarray) -> Projection:
    """Return PCA with loadings V (p × d), about the point that the fit's error is about: means, group means or 0."""
    M = fit.group_means
    linear = LinearMap(
        weights=V, loadings=V, origin=fit.origin, coefficients=None if M is None else M @ V, group_means=M
    )
    return replace(fit, scaling=replace(fit.scaling, center=fit.origin), linear=linear)


def priced(view: Centered, fit: Projection, V: np.ndarray | None = None) -> Projection:
    """Return the fit with its price by group, where the data keep second moments by group (or the rows are at hand).

    ``V`` (p × d) are the loadings of the PCA that ``fit.pca_error`` is of, where the method has them.
    """
    cells = view.cells
    if cells is None:
        return fit
    V = view.leading(min(dimension(fit), view.max_rank))[1] if V is None else V
    same = V is fit.weights and V is fit.loadings and fit.coefficients is None
    maps = [fit] if same else [fit, plain(fit, V)]
    mass, lost = view.cell_losses([_residual(each, cells) for each in maps])
    nothing = ROUNDING * fit.price.total / max(float(np.sum(mass)), 1.0)
    lost = [np.where(np.abs(each) <= nothing, 0.0, each) for each in lost]
    return replace(fit, price=replace(fit.price, by_group=_by_level(cells, mass, lost[0], lost[-1])))


def _residual(fit: Projection, cells: GroupCells) -> Residual:
    return Residual(fit.scaling.center, fit.weights, fit.loadings, _added(fit, cells.cells))


def _added(fit: Projection, cells: tuple[tuple[str, ...], ...]) -> np.ndarray:
    """Return what a row of each cell adds to its residual (x − center)(I − BUᵀ): another origin, its group (G × p)."""
    out = np.zeros((len(cells), len(fit.loadings))) + (fit.scaling.center - fit.origin)
    out = out if fit.scaling.scale is None else out / fit.scaling.scale
    if fit.encoding is None:
        return out
    Z = fit.encoding.raw(cells)[:, list(fit.encoding.kept)] - fit.encoding.center
    if fit.coefficients is not None:
        out = out + Z @ fit.coefficients @ fit.loadings.T
    return out if fit.group_means is None else out - Z @ fit.group_means


def _by_level(present: GroupCells, mass: np.ndarray, ours: np.ndarray, theirs: np.ndarray) -> tuple[GroupPrice, ...]:
    out = []
    for a, name in enumerate(present.attributes):
        for level in present.levels[a]:
            current = np.array([cell[a] == level for cell in present.cells]) * mass
            if current.sum() > 0:
                out.append(
                    GroupPrice(
                        name,
                        level,
                        float(current.sum()),
                        float(current @ ours / current.sum()),
                        float(current @ theirs / current.sum()),
                    )
                )
    return tuple(out)


# A fit from its loadings, the one door to a projection: what it keeps, what it loses, what it costs each group.


def from_loadings(
    view: Centered,
    U: np.ndarray,
    *,
    method: str,
    title: str,
    settings: Mapping[str, Any],
    guarantees: tuple[Guarantee, ...] = (),
    notes: tuple[str, ...] = (),
    diagnostics: Mapping[str, Any] | None = None,
    linear: LinearMap | None = None,
    components: Components | None = None,
    price: Price | None = None,
    scaling: Scaling | None = None,
    encoding: Encoding | None = None,
    grouped: bool = True,
    pca: np.ndarray | None = None,
) -> Projection:
    """Build the projection on loadings U with its price, in all and by group.

    What a method does not say is worked out from the data: right for orthonormal loadings, scores X_c U and the
    reconstruction X_c U Uᵀ about the mean.

    view: the data that the method was fitted to.
    U: the loadings, shape (p, k).
    method, title, settings: the method's public name, its name in a heading, and the arguments that make the fit again.
    linear: where scores are not X_c U, or depend on the group of a row.
    components: sizes of the components and what the groups explain of them, where the method knows them.
    price: the total and both errors, where the method knows them; by group it is worked out here.
    scaling, encoding: where the method's differ from the view's.
    grouped: False where the result knows nothing of the groups.
    pca: loadings of the PCA that the fit is priced against, where the method has them, shape (p, d).
    """
    if components is None:
        energy = np.maximum(np.diag(view.along(U)), 0.0)
        components = Components(energy, view.shares(U, energy) if view.grouped else np.full(len(energy), np.nan))
    if price is None:
        best, _ = view.leading(min(U.shape[1], view.max_rank))
        kept = float(components.energy.sum())
        price = Price(total=view.total, error=view.total - kept, pca_error=view.total - float(best.sum()))
    if encoding is None and grouped and view.grouped:
        encoding = view.encoding
    fit = Projection(
        method=method,
        title=title,
        settings=settings,
        scaling=view.scaling if scaling is None else scaling,
        linear=linear or LinearMap(weights=U, loadings=U, origin=view.scaling.center),
        components=components,
        price=price,
        encoding=encoding,
        guarantees=guarantees,
        notes=(*notes, *_without_variation(view, U, components.energy), *_dominated(view)),
        diagnostics=diagnostics or {},
    )
    return priced(view, fit, pca)


def _without_variation(view: Centered, U: np.ndarray, energy: np.ndarray) -> tuple[str, ...]:
    """A note of the components that are nothing but rounding, beside what their columns vary."""
    # Column by column: one of large unit does not make the variation of the others rounding.
    empty = int((energy <= 1e-12 * (U**2).T @ view.squares).sum())
    if not empty:
        return ()
    which = "1 of the components holds" if empty == 1 else f"{empty} of the components hold"
    return (f"{which} no variation, and which directions these are is arbitrary; a smaller k loses nothing.",)


NEARLY_ALL = 0.99
DOMINATED = message(
    "{feature} makes up at least {share}% of what the features vary, and the first component is nearly it alone. With "
    "{setting} every feature counts alike."
)


def _dominated(view: Centered) -> tuple[str, ...]:
    """A note of a feature beside which no other counts, where features have the units that they came with."""
    squares = np.asarray(view.squares)
    if view.scaling.scale is not None or len(squares) < 3 or not squares.max() > NEARLY_ALL * squares.sum():
        return ()
    share = f"{min(np.floor(1000 * squares.max() / squares.sum()) / 10, 99.9):.1f}"
    feature = DataText(view.scaling.features[int(np.argmax(squares))])
    return (DOMINATED.format(feature=feature, share=share, setting=Setting("scale", True)),)
