"""Quadratic erasure: equal means and equal covariances in all groups, by the least change (Belrose et al. 2023)."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairstats.arguments import flag
from fairstats.choices import Missing
from fairstats.data.columns import Tabular
from fairstats.data.design import Design
from fairstats.errors import InputError
from fairstats.linalg.shrinkage import linear_shrinkage
from fairstats.linalg.transport import barycenter, transport
from fairstats.methods.parts.lattices import shift_notes
from fairstats.methods.parts.level_rows import LevelRows, centered_rows, levels_of, masses, regressed
from fairstats.methods.results.checking import checked
from fairstats.methods.results.group_map import GroupMap
from fairstats.methods.results.guarantee import Guarantee

NOTE = (
    "New rows need their group. Means and covariances are made equal, so neither a linear nor a quadratic probe of the "
    "training rows finds the groups; other probes may."
)
SINGULAR = 1e-10  # of a covariance matrix of features of unit spread: an eigenvalue below is none


@checked()
def quadratic_leace(
    X: Any,
    groups: Any,
    *,
    data: Tabular | None = None,
    weights: Any = None,
    missing: Missing = "raise",
    shrinkage: bool = False,
) -> GroupMap:
    """Give every group the same mean and the same covariance matrix by the least change of the rows.

    Parameters
    ----------
    X : array (n, p), table, column names or formula
    groups : column name of ``data`` or labels (n,)
        One attribute; ``"sex:race"`` is an intersection.
    data : table, optional
        Where column names and formulas are looked up.
    weights : str or array (n,), optional
        Relative, at least 0. Heavy rows are not repeated rows: covariances divide by Σw − Σw²/Σw of a group, which is
        n − 1 without weights.
    missing : {"raise", "level", "drop"}
        Rows whose group is missing.
    shrinkage : bool
        Draw the covariances of each group toward a multiple of the identity first (Bodnar, Gupta & Parolya 2014), as
        the authors' program does; those of the adjusted rows are then equal approximately only.

    Returns
    -------
    GroupMap
        ``transform`` needs the group of a row: ``r(x) = μ + A_g (x − m_g)``.

    Raises
    ------
    InputError
        No groups, several attributes or a continuous one; a group whose covariances are singular, without shrinkage.

    Guarantees
    ----------
    Every group has the same mean and, without shrinkage, the same covariance matrix in the training rows.
    Without shrinkage no other change of these rows with that property is smaller in mean square, the covariances of
    the groups counted with their weights.

    Notes
    -----
    The common covariance matrix is the barycenter of the groups' in Wasserstein distance, and A_g the optimal transport
    of one normal distribution to the other; by Gelbrich's bound no transport of other distributions with these moments
    is shorter. As in the authors' program groups count by their sizes; the common mean here is that of all rows, which
    is the barycenter's (theirs is the plain mean over groups).

    References
    ----------
    Belrose, Schneider-Joseph, Ravfogel, Cotterell, Raff & Biderman (2023), "LEACE", NeurIPS, and the authors' program
    concept-erasure (QuadraticEraser); Álvarez-Esteban, del Barrio, Cuesta-Albertos & Matrán (2016), "A fixed-point
    approach to barycenters in Wasserstein space", Journal of Mathematical Analysis and Applications 441; Gelbrich
    (1990), Mathematische Nachrichten 147.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> X, g = np.array([[1.0], [3.0], [10.0], [16.0]]), ["a", "a", "b", "b"]
    >>> fs.comparators.quadratic_leace(X, g).transform(X, g).ravel().round(6).tolist()
    [5.5, 9.5, 5.5, 9.5]
    """
    shrinkage = flag("shrinkage", shrinkage)
    design = X if isinstance(X, Design) else Design.of(X, groups, data=data, weights=weights, missing=missing)
    design = design.counted()
    levels, codes, parts = levels_of(design, "quadratic_leace")
    view, M, share, _ = regressed(design, "quadratic_leace")
    rows, mass = centered_rows(design, view), masses(design)
    means = np.array([part.mean(rows) for part in parts])
    unit = float(np.abs(rows).max()) or 1.0  # products of covariances are formed, and have to be numbers
    within = (rows - means[codes]) / unit
    found = [part.mean_covariance(within)[1] for part in parts]
    weight = np.array([part.mass.sum() for part in parts])
    varies = np.sqrt(np.mean([np.diag(S) for S in found], axis=0)) * unit > 1e-12 * abs(design.X).max(axis=0)
    if shrinkage:
        found = [_shrunk(S, part) for S, part in zip(found, parts, strict=True)]
    else:
        _judge_ranks(found, levels, varies, parts)
    block = np.ix_(varies, varies)
    K = np.array([S[block] for S in found])
    middle = barycenter(K, weight / weight.sum())
    maps, made = {}, np.empty_like(within)
    for level, part, S in zip(levels, parts, K, strict=True):
        maps[level] = np.eye(len(varies))
        maps[level][block] = transport(S, middle)
        made[part.inside] = within[part.inside] @ maps[level]
    return GroupMap(
        method="quadratic_leace",
        title="Equal means and covariances (quadratic LEACE)",
        scaling=view.scaling,
        encoding=view.encoding,
        coefficients=M,
        share=share,
        total=view.total,
        error=float(mass @ np.sum((rows - unit * made) ** 2, axis=1)),
        factors=maps,
        guarantees=_alike(made[:, varies], parts, None if shrinkage else middle),
        settings={"shrinkage": shrinkage},
        notes=(NOTE, *shift_notes(X, design)),
    )


def _shrunk(S: np.ndarray, part: LevelRows) -> np.ndarray:
    alpha, beta = linear_shrinkage(S, part.count)
    return alpha * S + beta * np.eye(len(S))


def _judge_ranks(found: list[np.ndarray], levels: tuple[str, ...], varies: np.ndarray, parts: list[LevelRows]) -> None:
    sd = np.sqrt(np.maximum(np.mean([np.diag(S) for S in found], axis=0), 0.0))[varies]
    for level, S, part in zip(levels, found, parts, strict=True):
        if len(sd) and np.linalg.eigvalsh(S[np.ix_(varies, varies)] / np.outer(sd, sd))[0] < SINGULAR:
            raise InputError(
                f"groups has the level {level!r}, whose {int(part.inside.sum())} rows have covariances of the "
                f"{len(sd)} features that are singular: no map makes them another group's. Pass shrinkage=True, leave "
                "features out, or use residualize."
            )


def _alike(rows: np.ndarray, parts: list[LevelRows], middle: np.ndarray | None) -> tuple[Guarantee, ...]:
    """Means and covariances by group of the adjusted rows, centered."""
    found = [part.mean_covariance(rows) for part in parts]
    spread = np.sqrt(np.maximum(np.mean([np.diag(S) for _, S in found], axis=0), 1e-300))
    means = max(float(np.max(np.abs(mean) / spread, initial=0.0)) for mean, _ in found)
    promised = [
        Guarantee("largest difference of a group's mean from the overall one, in standard deviations", means, 1e-9)
    ]
    if middle is not None:
        size = np.outer(spread, spread)
        off = max(float(np.max(np.abs(S - middle) / size, initial=0.0)) for _, S in found)
        promised.append(Guarantee("largest difference of two covariances, in standard deviations", off, 1e-7))
    return tuple(promised)
