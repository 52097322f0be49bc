"""A baseline: regress the groups out of every feature."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairstats.choices import Missing
from fairstats.data.centered import Centered
from fairstats.data.columns import Tabular
from fairstats.data.design import Design
from fairstats.methods.parts.lattices import shift_notes
from fairstats.methods.parts.level_rows import NOTE, regressed
from fairstats.methods.results.checking import checked
from fairstats.methods.results.group_map import GroupMap
from fairstats.methods.results.guarantee import Guarantee


@checked()
def residualize(
    X: Any, groups: Any, *, data: Tabular | None = None, weights: Any = None, missing: Missing = "raise"
) -> GroupMap:
    """Replace every feature by its residuals on the groups, with its mean added back: M_Z X.

    Parameters
    ----------
    X : array (n, p), table, column names or formula
    groups : column name(s) of ``data``, labels (n,), ``continuous(...)``, or several of these
    data : table, optional
        Where column names and formulas are looked up.
    weights : str or array (n,), optional
        As for ``og``: relative, at least 0.
    missing : {"raise", "level", "drop"}
        Rows whose group is missing.

    Returns
    -------
    GroupMap
        ``transform`` needs the group of a row.

    Raises
    ------
    InputError
        No groups.

    Guarantees
    ----------
    Every adjusted feature is uncorrelated with every group indicator (and continuous attribute).
    No other adjustment with that property changes the training rows by less.

    Notes
    -----
    This is LEACE with the label of every row at hand (oracle LEACE): ``r(x, z) = x − Σ_xzΣ_zz⁺(z − z̄)``.

    References
    ----------
    Belrose (2023), "Least-squares concept erasure with oracle concept labels", EleutherAI, theorem 1.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> X = np.array([[1.0], [3.0], [11.0], [13.0]])
    >>> fs.comparators.residualize(X, ["a", "a", "b", "b"]).transform(X, ["a", "a", "b", "b"]).ravel().tolist()
    [6.0, 8.0, 6.0, 8.0]
    """
    design = X if isinstance(X, Design) else Design.of(X, groups, data=data, weights=weights, missing=missing)
    view, M, share, lost = regressed(design.counted(), "residualize")
    return GroupMap(
        method="residualize",
        title="Residuals on the groups",
        scaling=view.scaling,
        encoding=view.encoding,
        coefficients=M,
        share=share,
        total=view.total,
        error=lost,
        guarantees=(_uncorrelated(view, M),),
        notes=(NOTE, *shift_notes(X, design)),
    )


def _uncorrelated(view: Centered, M: np.ndarray) -> Guarantee:
    left = np.abs(view.cross_z - view.gram_z @ M)
    size = np.sqrt(np.outer(np.diag(view.gram_z), np.full(left.shape[1], max(view.total, 1e-300))))
    return Guarantee(
        "largest |covariance| of an adjusted feature with a group, relative", float((left / size).max()), 1e-10
    )
