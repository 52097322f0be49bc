"""Inference for the extra error ‖P_Z V_k D_k‖²: could so much of the components go with the groups by chance?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fairstats.arguments import MOST_PERMUTATIONS, confidence, instance, random_seed, whole
from fairstats.data.columns import Tabular
from fairstats.errors import InputError
from fairstats.estimates import NAN, Estimates
from fairstats.inference.representations.dispersion import dispersion
from fairstats.inference.representations.extra_error_result import ExtraError
from fairstats.inference.representations.extra_error_rows import component_rows, total_rows
from fairstats.inference.representations.judged_rows import judged_rows
from fairstats.inference.representations.noncentral import null_tail, total_interval
from fairstats.inference.representations.quadratic_forms import least_accurate, tail
from fairstats.inference.representations.studentized_rows import permutation_p
from fairstats.methods.results.projection import Projection


def extra_error(
    fit: Projection,
    X: Any = None,
    groups: Any = None,
    *,
    data: Tabular | None = None,
    permutations: int = 999,
    seed: int = 0,
    conf_level: float = 0.95,
) -> ExtraError:
    """Test whether the groups explain more of a fit's components than chance would, with an interval for how much.

    Parameters
    ----------
    fit : Projection
        ``og`` with the svd basis, or ``pca`` with groups: components that were chosen without looking at the groups.
    X, groups, data : as in the fit, optional
        The rows. Instead of them ``X`` may be the `Moments` of the fit by cell, which have no permutations; without
        either only the asymptotic p-value of equal distributions is available.
    permutations : int
        Permutations of the rows; p = (1 + #{≥}) / (1 + permutations), ties counted.
    seed : int
        For the permutations, and for the halves where rows are split.
    conf_level : float

    Returns
    -------
    ExtraError

    Raises
    ------
    InputError
        If the components looked at the groups, or the fit has no groups.

    Notes
    -----
    The null hypothesis is that the groups have equal means on the components; their spreads may differ. The interval
    inverts the distribution of ‖m + ε‖², ε with the covariance of each group by itself (Welch, James and Johansen;
    see ``total_interval`` in the source); the permutation p-value is that of a studentized statistic (Chung & Romano).

    The components of a fit follow the noise of its own rows, the more the more features are left out: with 150 and 100
    rows and 5 of 25 components of equal variance, 95 % limits from the same rows cover 83 %. So where some are left out
    (k < p), and p ≥ n/5 or p − k ≥ (np)^¼/2, interval and p-values are about the components that a random half of the
    rows gives, judged on the other half and counted for n rows; the number itself stays the fit's. From moments there
    is then no inference. (np)^¼ is, in standard deviations, the least effect whose direction principal components can
    find (Baik, Ben Arous & Péché 2005); the error of the limits is about (p − k) over that.

    A percentile bootstrap of a statistic that cannot be negative covers 0 never, and is not offered.

    References
    ----------
    Stewart & Love (1968), Psychological Bulletin 70 (redundancy index); Johansen (1980), Biometrika 67, 85-92; Chung &
    Romano (2013), Annals of Statistics 41, 484-507; Baik, Ben Arous & Péché (2005), Annals of Probability 33; Anderson
    (2006), Biometrics 62 (dispersion).

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np, fairstats as fs
    >>> rng = np.random.default_rng(0)
    >>> g = np.repeat(["a", "b"], 50)
    >>> X = rng.standard_normal((100, 4)) + 2.0 * (g == "b")[:, None]
    >>> fs.extra_error(fs.og(X, g, k=2), X, g, permutations=99).p_permutation
    0.01
    """
    permutations = whole("permutations", permutations, 0, MOST_PERMUTATIONS, "more would not change p")
    conf_level, seed = confidence(conf_level), random_seed(seed)
    _judge(fit)
    assert fit.encoding is not None
    q, n = len(fit.encoding.kept), fit.scaling.n
    observed, A2 = float(fit.energy @ fit.group_share), float(fit.energy.sum())
    found = judged_rows(fit, X, groups, data, seed)
    p_perm, p_asym, low, high, used, ways, studentized = NAN, NAN, NAN, NAN, 0, set(), True
    if found.part is not None and not found.part.unknown:
        first, limits = null_tail(found.part), total_interval(found.part, conf_level)
        p_asym, low, high = first.value, found.factor * limits.low, found.factor * limits.high
        ways = {first.method, limits.method}
    elif found.exchangeable:
        first = tail(observed, fit.energy / (n - 1), q)
        p_asym, ways = first.value, {first.method}
    if found.rows is not None and permutations:
        p_perm, studentized = permutation_p(*found.rows, permutations, seed)
        used = permutations
    made = ExtraError(
        method=fit.method,
        n=n,
        q=q,
        observed=observed,
        expected=NAN if fit.scaling.weighted else q / (n - 1) * A2,
        total=fit.total,
        energy=A2,
        p_permutation=p_perm,
        p_asymptotic=p_asym,
        permutations=used,
        seed=seed,
        conf_low=low,
        conf_high=high,
        conf_level=conf_level,
        judged=found.n,
        why=found.why,
        estimates=Estimates(),
    )
    attribute = ", ".join((*fit.encoding.names, *fit.encoding.continuous_names))
    spread = [] if found.scores is None else [dispersion(*found.scores, fit.encoding)]
    rows = total_rows(made, attribute, least_accurate(ways), studentized) + component_rows(fit, found, conf_level)
    return replace(made, estimates=rows + Estimates(spread))


def _judge(fit: Projection) -> None:
    instance("fit", fit, Projection, "a fit of components", "pass what fairstats.og or fairstats.pca returned")
    if fit.encoding is None:
        raise InputError("fit has no groups; pass them to og or pca.")
    if not fit.diagnostics.get("blind_to_groups", False):
        raise InputError(
            f"fit ({fit.title}) chose its components by looking at the groups, which a test of the groups must "
            "not; use og with basis='svd', or pca."
        )
