"""The centered view of a fit's input: by moments, or by rows where p > n or where X is sparse and wide."""

from __future__ import annotations

from typing import Any

from fairstats.arguments import flag
from fairstats.data.centered_moments import CenteredMoments
from fairstats.data.centered_rows import CenteredRows, by_products
from fairstats.data.centered_view import Centered as Centered
from fairstats.data.centered_view import GroupCells as GroupCells
from fairstats.data.centered_view import Residual as Residual
from fairstats.data.design import Design
from fairstats.data.moments import Moments
from fairstats.errors import InputError, listing

# Up to this size second moments are kept by group, which the price by group needs; beyond it they cost too much.
SMALL_SCATTER, SMALL_ROWS = 1_000_000, 4_000_000
BESIDE_MOMENTS = "groups was given beside moments, which already hold theirs; leave it out."


def centered(
    X: Any,
    groups: Any = None,
    *,
    data: Any = None,
    weights: Any = None,
    missing: str = "raise",
    scale: bool = False,
    among_features: bool = False,
) -> Centered:
    """Return the centered view of any input of a fit.

    Parameters
    ----------
    X : array (n, p), sparse matrix, table, column names, formula, Design or Moments
    groups, data, weights, missing : as for every fit
    scale : bool
        Divide columns by their standard deviation (ddof 1).
    among_features : bool
        Whether a group variable may be a feature.

    Returns
    -------
    Centered
        By rows where p > n, or where they are sparse and many columns wide; by moments otherwise: of every cell of the
        groups where they are small.

    Examples
    --------
    >>> centered([[1.0, 2.0], [3.0, 2.0], [5.0, 5.0]]).covariance.tolist()
    [[8.0, 6.0], [6.0, 6.0]]
    """
    scale = flag("scale", scale)
    if isinstance(X, Moments):
        if groups is not None:
            raise InputError(BESIDE_MOMENTS)
        _refuse_one_group(X)
        return CenteredMoments(X, scale=scale)
    if not isinstance(X, Design):
        own = among_features
        X = Design.of(X, groups, data=data, weights=weights, missing=missing, among_features=own)
    design = X.counted()
    if design.p > design.n or by_products(design.X):
        return CenteredRows(design, scale=scale)
    cells = len(design.groups.cells[1]) if design.groups else 1
    small = cells * design.p**2 <= SMALL_SCATTER and design.n * design.p <= SMALL_ROWS
    return CenteredMoments(Moments.of(design, by_cell=small), scale=scale, design=design)


def by_rows(view: Centered) -> Centered:
    """Return the same data by their rows, where these are at hand and sums of squares do not resolve them."""
    if view.resolved or view.design is None:
        return view
    return CenteredRows(view.design, scale=view.scaling.scale is not None)


def centered_by_group(
    X: Any,
    groups: Any = None,
    *,
    data: Any = None,
    weights: Any = None,
    missing: str = "raise",
    scale: bool = False,
    spanned: bool = False,
    products: bool = False,
) -> Centered:
    """Return the centered view whose second moments by group are at hand, for methods that compare groups.

    Parameters
    ----------
    X, groups, data, weights, missing, scale : as for ``centered``
    spanned : bool
        Whether the method asks for ``moments_within_span`` alone, which rows of p > n have without a p × p matrix.
    products : bool
        Whether it can do with ``group_products`` of sparse rows.

    Raises
    ------
    InputError
        No groups, or one level among the rows of positive weight.
    """
    scale = flag("scale", scale)
    if isinstance(X, Moments):
        return centered(X, groups, scale=scale)
    design = X if isinstance(X, Design) else Design.of(X, groups, data=data, weights=weights, missing=missing)
    if design.groups is None:
        raise InputError("groups is missing; this method compares their losses.")
    design = rows_to_compare(design)
    if (spanned and design.p > design.n) or (products and by_products(design.X)):
        return CenteredRows(design, scale=scale)
    return CenteredMoments(Moments.of(design), scale=scale, design=design)


def _refuse_one_group(moments: Moments) -> None:
    for name, levels in zip(moments.attributes, moments.levels, strict=True):
        if len(levels) < 2 and name != moments.outcome:
            raise InputError(
                f"groups={name!r} has one level ({listing(levels)}) in these moments; at least two groups are needed "
                "to compare: add the moments of other people."
            )


def rows_to_compare(design: Design) -> Design:
    """Return the rows of positive weight of a design with groups, of which every attribute has two levels at least.

    Raises
    ------
    InputError
        One level among these rows.
    """
    design = design.counted()
    assert design.groups is not None
    for name, factor in zip(design.groups.names, design.groups.factors, strict=True):
        if len(factor.levels) < 2:
            raise InputError(
                f"groups={name!r} has one level ({listing(factor.levels)}) among the rows of positive weight; at least "
                "two groups are needed to compare."
            )
    return design
