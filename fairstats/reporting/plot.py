"""One figure of one result, as it stands in the report: to look at in a notebook, or to save."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairstats.arguments import choose, one_of, word
from fairstats.auditing.audit import Audit
from fairstats.cluster.partition import Partition
from fairstats.errors import InputError
from fairstats.estimates import Estimates
from fairstats.methods.results.kernel import KernelProjection
from fairstats.methods.results.projection import Projection
from fairstats.reporting.figures.clusters import clusters
from fairstats.reporting.figures.dot import dot
from fairstats.reporting.figures.forest import forest
from fairstats.reporting.figures.path import path
from fairstats.reporting.figures.scree import scree
from fairstats.reporting.figures.style import Drawing
from fairstats.results import Figure
from fairstats.studies.curve import Curve


def plot(result: Any, kind: Figure = "") -> Drawing:
    """Draw one figure of a result, as it stands in the report.

    Parameters
    ----------
    result : Projection, KernelProjection, Audit, Partition, or the table of ``disparity_path`` or ``sog_path``
    kind : str, optional
        Projections: "scree". Audit: "rates" (default) or "differences", of its first attribute and decision.
        Partition: "clusters", by its first attribute. A path table: "path".

    Returns
    -------
    Drawing
        ``svg``, ``alt`` and ``caption``; notebooks show it, ``save(path)`` writes the SVG.

    Raises
    ------
    InputError
        A result or a kind that has no figure.

    Examples
    --------
    >>> import numpy as np, fairstats as fs
    >>> fit = fs.pca(np.diag([3.0, 2.0, 1.0]), k=2)
    >>> plot(fit, "scree").svg.startswith("<svg")
    True
    """
    for cls, kinds in _KINDS.items():
        if isinstance(result, cls):
            return choose("kind", word("kind", kind) or next(iter(kinds)), kinds)(result)
    if hasattr(result, "columns") and {"lam", "t"} & set(result.columns):
        one_of("kind", word("kind", kind) or "path", ("path",))
        return _path(result)
    raise InputError(f"result is a {type(result).__name__}; pass a fit, an audit, a partition, or the table of a path.")


def _scree(fit: Projection | KernelProjection) -> Drawing:
    rows = fit.estimates
    shares = rows.where(metric="variance share").column("estimate")
    explained = rows.where(metric="R2").column("estimate")
    told = explained if len(explained) == len(shares) else []
    caption = f"The components carry {100 * sum(shares):.1f} % of the total variation."
    return scree("scree", shares, caption=caption, explained=told)


def _rates(audit: Audit) -> Drawing:
    rows = _first(audit, "none")
    reference = audit.references.get(rows[0].attribute, "")
    return dot(
        "rates",
        list(rows),
        caption=f"{rows[0].metric} by {rows[0].attribute}.",
        reference=reference,
        axis=f"{rows[0].metric}, %",
    )


def _differences(audit: Audit) -> Drawing:
    rows = _first(audit, "difference")
    caption = f"Differences of the {rows[0].metric} by {rows[0].attribute}, against {rows[0].reference}."
    return forest("differences", list(rows), caption=caption, margin=audit.protocol.equivalence.difference)


def _first(audit: Audit, contrast: str) -> Estimates:
    for metric in ("selection rate", "base rate"):
        rows = audit.estimates.where(metric=metric, contrast=contrast)
        rows = Estimates(r for r in rows if r.attribute == rows[0].attribute and r.group and r.role == "main")
        if len(rows):
            return rows
    raise InputError("the audit has neither a decision nor an outcome to draw.")


def _clusters(made: Partition) -> Drawing:
    if not made.compositions:
        raise InputError("the partition has no groups to draw clusters by; pass groups= to spectral.")
    table = made.compositions[0]
    return clusters("clusters", table, caption=f"Clusters of {made.n} vertices by {table.attribute}.")


def _path(table: Any) -> Drawing:
    setting = "lam" if "lam" in table.columns else "t"
    lines = [
        Curve("path", "", str(c), tuple(table[setting].astype(float)), tuple(table[c].astype(float)))
        for c in table.columns
        if c not in (setting, "nonzero", "explained")
    ]
    caption = f"Errors over {setting}, {len(table)} settings."
    return path(
        "path",
        lines,
        caption=caption,
        setting={"lam": "λ"}.get(setting, setting),
        axis="mean squared error" if setting == "lam" else "squared error",
    )


_KINDS: dict[type, dict[str, Callable[[Any], Drawing]]] = {
    Projection: {"scree": _scree},
    KernelProjection: {"scree": _scree},
    Partition: {"clusters": _clusters},
    Audit: {"rates": _rates, "differences": _differences},
}
