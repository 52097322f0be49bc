"""Do the groups differ in spread? The check beside every permutation test of location (Anderson 2006)."""

from __future__ import annotations

import numpy as np
from scipy import special

from fairstats.data.encoding import Encoding
from fairstats.estimates import Estimate


def dispersion(scores: np.ndarray, codes: np.ndarray | None, encoding: Encoding) -> Estimate:
    """One-way analysis of variance of the distances to the group centroids.

    Parameters
    ----------
    scores : array (n, k)
    codes : array (n,) or None
        Group of each row; None where the groups are several attributes or continuous.
    encoding : Encoding

    Returns
    -------
    Estimate
        Metric "dispersion": F, its p-value, and the ratio of the largest to the smallest mean distance. Equal to
        ``anova(vegan::betadisper(dist, g, type = "centroid"))``.
    """
    attribute = ", ".join((*encoding.names, *encoding.continuous_names))
    if codes is None:
        return Estimate(
            "dispersion", attribute=attribute, status="unestimable", reason="needs one categorical attribute"
        )
    n, G = len(codes), int(codes.max()) + 1
    size = np.bincount(codes, minlength=G)
    centroid = np.stack([np.bincount(codes, c, minlength=G) for c in scores.T], axis=1) / size[:, None]
    distance = np.sqrt(np.sum((scores - centroid[codes]) ** 2, axis=1))
    mean = np.bincount(codes, distance, minlength=G) / size
    between = float(size @ (mean - distance.mean()) ** 2)
    within = float(np.sum((distance - mean[codes]) ** 2))
    if n <= G or within == 0:
        return Estimate(
            "dispersion", attribute=attribute, n=float(n), status="unestimable", reason="no spread within the groups"
        )
    F = (between / (G - 1)) / (within / (n - G))
    return Estimate(
        "dispersion",
        attribute=attribute,
        n=float(n),
        estimate=float(mean.max() / mean.min()) if mean.min() > 0 else np.inf,
        statistic=F,
        df=float(G - 1),
        p_value=float(special.fdtrc(G - 1, n - G, F)),
        method="analysis of variance of distances to group centroids",
    )
