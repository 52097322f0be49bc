"""A fit from its loadings, the one door to a projection: what it keeps, what it loses, what it costs each group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fairstats.data.centered import Centered
from fairstats.data.encoding import Encoding
from fairstats.data.scaling import Scaling
from fairstats.methods.results.fit_parts import Components, LinearMap, Price
from fairstats.methods.results.guarantee import Guarantee
from fairstats.methods.results.price import priced
from fairstats.methods.results.projection import Projection


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

    Parameters
    ----------
    view : Centered
        The data that the method was fitted to.
    U : array (p, k)
        The loadings.
    method, title, settings : str, str, mapping
        The method's public name, its name in a heading, and the arguments that make the fit again.
    guarantees, notes, diagnostics : as the result has them
    linear : LinearMap, optional
        Where scores are not X_c U, or depend on the group of a row.
    components : Components, optional
        Sizes of the components and what the groups explain of them, where the method knows them.
    price : Price, optional
        The total and both errors, where the method knows them; by group it is worked out here.
    scaling, encoding : Scaling, Encoding, optional
        Where the method's differ from the view's.
    grouped : bool
        False where the result knows nothing of the groups.
    pca : array (p, d), optional
        Loadings of the PCA that the fit is priced against, where the method has them.

    Returns
    -------
    Projection

    Examples
    --------
    >>> from fairstats.data.centered import centered
    >>> view = centered(np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 2.0], [0.0, -2.0]]))
    >>> fit = from_loadings(view, np.array([[1.0], [0.0]]), method="pca", title="First feature", settings={"k": 1})
    >>> fit.error, fit.pca_error
    (8.0, 2.0)
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
        notes=(*notes, *_without_variation(view, U, components.energy)),
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
