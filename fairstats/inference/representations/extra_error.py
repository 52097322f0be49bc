"""Inference for the extra error ‖P_Z V_k D_k‖²: could so much of the components go with the groups by chance?"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fairstats.arguments import MOST_PERMUTATIONS, confidence, instance, random_seed, whole
from fairstats.data.columns import is_table
from fairstats.data.design import Design
from fairstats.errors import InputError
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.multiplicity import adjust
from fairstats.inference.representations.dispersion import dispersion
from fairstats.inference.representations.noncentral import r2_interval, total_interval
from fairstats.inference.representations.quadratic_forms import MATCHED, tail
from fairstats.methods.results.projection import Projection
from fairstats.results import Reads
from fairstats.text import level, p_equals, p_value, percent

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class ExtraError(Reads):
    """The extra error of a fit, with its null distribution.

    Attributes
    ----------
    observed : float
        Σ d_j² R_j².
    expected : float
        Its mean over permutations of the rows, q/(n − 1)·‖A‖², exact under exchangeability; NaN for a weighted fit.
    p_permutation, p_asymptotic : float
        NaN where the data do not allow it; ``estimates`` says why.
    conf_low, conf_high : float
        Interval for the part that the groups explain in the population, ‖P_Z E(A)‖².
    estimates : Estimates
        All of it as rows: total, shares, one row a component, dispersion.
    """

    method: str
    n: int
    q: int
    observed: float
    expected: float
    total: float
    energy: float
    p_permutation: float
    p_asymptotic: float
    permutations: int
    seed: int
    conf_low: float
    conf_high: float
    conf_level: float
    estimates: Estimates

    def glance(self) -> pd.DataFrame:
        """One row about the whole."""
        import pandas as pd

        return pd.DataFrame([{f.name: getattr(self, f.name) for f in fields(self) if f.name != "estimates"}])

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        keep = ("method", "n", "q", "observed", "expected", "total", "energy", "permutations", "seed")
        return {
            "schema": "fairstats/extra_error/1",
            **{k: getattr(self, k) for k in keep},
            "estimates": self.estimates.to_records(),
        }

    def summary(self) -> str:
        """The extra error, what chance alone would give, its p-value and its interval, as text."""
        ratio = self.observed / self.expected if self.expected else NAN
        say = (
            f"The groups explain {self.observed:.6g} of the {self.energy:.6g} sums of squares of the components "
            f"({percent(self.observed / self.energy, 2)} %)"
        )
        say += (
            "; rows are weighted, so what chance would explain is not known."
            if np.isnan(self.expected)
            else f"; chance alone would explain {self.expected:.4g} on average, so this is {ratio:.1f} times as much."
        )
        lines = ["Extra error of the fit", *textwrap.wrap(say, 80), ""]
        if np.isfinite(self.conf_low):
            lines.append(
                f"  {level(self.conf_level)} interval for the part the groups explain: "
                f"{self.conf_low:.6g} to {self.conf_high:.6g}"
            )
        if np.isfinite(self.p_permutation):
            lines.append(
                f"  permutation {p_equals(self.p_permutation)} ({self.permutations} permutations, seed {self.seed})"
            )
        if np.isfinite(self.p_asymptotic):
            lines.append(f"  asymptotic  {p_equals(self.p_asymptotic)} (tail of Σ d²/(n−1)·χ²)")
        lines += ["", "component   % by groups   interval             F        p   adjusted p"]
        for r in self.estimates.where(metric="R2"):
            lines.append(
                f"{r.term.split()[-1]:>9}   {100 * r.estimate:>11.2f}   {100 * r.conf_low:>5.2f} to "
                f"{100 * r.conf_high:<6.2f}  {r.statistic:>8.2f}   {p_value(r.p_value):>6}   "
                f"{p_value(r.p_adjusted):>10}"
            )
        spread = self.estimates.only(metric="dispersion")
        if spread and np.isfinite(spread[0].p_value):
            say = (
                f"Exchangeability is what is tested: unequal dispersion of the groups breaks it too. Dispersion check: "
                f"F = {spread[0].statistic:.2f}, {p_equals(spread[0].p_value)}."
            )
            lines += ["", *textwrap.wrap(say, 80)]
        return "\n".join(lines)

    def _brief(self) -> str:
        share = 100 * self.observed / self.energy if self.energy else 0.0
        tested = self.p_asymptotic if np.isnan(self.p_permutation) else self.p_permutation
        p = "" if np.isnan(tested) else f", p = {tested:.2g}"
        return f"{self.method}, {self.n} rows; the groups explain {share:.2f} % of the components{p}"


def extra_error(
    fit: Projection,
    X: Any = None,
    groups: Any = None,
    *,
    data: Any = None,
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
        The rows; without them (a fit from moments) only the asymptotic p-value is available.
    permutations : int
        Permutations of the rows; p = (1 + #{≥}) / (1 + permutations), ties counted.
    seed : int
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
    The null hypothesis is exchangeability of the rows. The asymptotic p-value is that of Σ d_j²/(n−1)·χ²_q. The
    interval inverts the non-central quadratic form Σ λ_j χ²_q(δ_j), λ_j = d_j²(1−R_j²)/(n−1−q), along the observed
    proportions of the δ_j; that of each component the non-central F. A percentile bootstrap of a statistic that
    cannot be negative covers 0 never, and is not offered.

    References
    ----------
    Stewart & Love (1968), Psychological Bulletin 70 (redundancy index); Imhof (1961); Anderson (2006), Biometrics 62
    (dispersion).

    Examples
    --------
    >>> import numpy as np, fairstats as fs
    >>> rng = np.random.default_rng(0)
    >>> g = np.repeat(["a", "b"], 50)
    >>> X = rng.standard_normal((100, 4)) + 2.0 * (g == "b")[:, None]
    >>> extra_error(fs.og(X, g, k=2), X, g, permutations=99).p_permutation
    0.01
    """
    permutations = whole("permutations", permutations, 0, MOST_PERMUTATIONS, "more would not change p")
    conf_level, seed = confidence(conf_level), random_seed(seed)
    instance("fit", fit, Projection, "a fit of components", "pass what fairstats.og or fairstats.pca returned")
    _judge(fit)
    assert fit.encoding is not None
    q, n = len(fit.encoding.kept), fit.scaling.n
    energy, share = fit.energy, fit.group_share
    observed, A2 = float(energy @ share), float(energy.sum())
    spread: Estimates = Estimates()
    p_perm, p_asym, low, high, used, how = NAN, NAN, NAN, NAN, 0, ""
    why = "weighted rows are not exchangeable: described, not tested"
    if not fit.scaling.weighted:
        why = "from moments only: no permutations"
        p_asym, tail_by = tail(observed, energy / (n - 1), q)
        low, high, limits_by = total_interval(energy, share, n, q, conf_level)
        how = f" ({MATCHED})" if MATCHED in (tail_by, limits_by) else ""
    if not fit.scaling.weighted and X is not None:
        A, Q, codes = _scores(fit, X, groups, data)
        p_perm, used, why = _permutation(A, Q, observed, permutations, seed), permutations, ""
        spread = Estimates([dispersion(A, codes, fit.encoding)])
    expected = NAN if fit.scaling.weighted else q / (n - 1) * A2
    made = ExtraError(
        fit.method,
        n,
        q,
        observed,
        expected,
        fit.total,
        A2,
        p_perm,
        p_asym,
        used,
        seed,
        low,
        high,
        conf_level,
        Estimates(),
    )
    attribute = ", ".join((*fit.encoding.names, *fit.encoding.continuous_names))
    rows = _total_rows(made, attribute, why, how) + _components(fit, n, q, conf_level) + spread
    return replace(made, estimates=rows)


def _judge(fit: Projection) -> None:
    if fit.encoding is None:
        raise InputError("fit has no groups; pass them to og or pca.")
    if not fit.diagnostics.get("blind_to_groups", False):
        raise InputError(
            f"fit ({fit.title}) chose its components by looking at the groups, which a test of the groups must "
            "not; use og with basis='svd', or pca."
        )


def _total_rows(made: ExtraError, attribute: str, why: str, how: str) -> Estimates:
    """The total, what chance would give, and the shares."""
    method = "Σ d²/(n−1)·χ² tail; interval by inverting the non-central form" + how
    n, q, part = float(made.n), made.q, made.observed / made.energy
    about: Any = {"attribute": attribute, "n": n}
    tested: Any = {**about, "df": float(q), "conf_level": made.conf_level, "estimate": made.observed}
    permuted = not np.isnan(made.p_permutation)
    return Estimates(
        [
            Estimate(
                "extra error",
                **tested,
                statistic=made.observed,
                conf_low=made.conf_low,
                conf_high=made.conf_high,
                p_value=made.p_permutation if permuted else made.p_asymptotic,
                reason=why,
                method=f"permutation ({made.permutations}, seed {made.seed}); {method}" if permuted else method,
            ),
            Estimate("extra error, asymptotic", **tested, p_value=made.p_asymptotic, method=method),
            _known("extra error expected by chance", about, made.expected, "exact mean over permutations"),
            Estimate(
                "redundancy index",
                **about,
                estimate=part,
                method="share of the components' sum of squares (Stewart & Love)",
            ),
            _known(
                "redundancy index, adjusted",
                about,
                NAN if np.isnan(made.expected) else 1 - (1 - part) * (n - 1) / (n - 1 - q),
                "bias-adjusted",
            ),
            Estimate(
                "share of total variation", **about, estimate=made.observed / made.total, method="share of ‖X_c‖²"
            ),
        ]
    )


def _known(metric: str, about: dict[str, Any], value: float, method: str) -> Estimate:
    """Return the row of a number about chance; it is unestimable for weighted rows, which are not exchangeable."""
    if np.isnan(value):
        return Estimate(metric, **about, status="unestimable", reason="weighted rows are not exchangeable")
    return Estimate(metric, **about, estimate=value, method=method)


def _scores(fit: Projection, X: Any, groups: Any, data: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Centered components A (n × k), an orthonormal basis of Z, and the codes where the groups are one attribute."""
    assert fit.encoding is not None
    formula = fit.scaling.formula
    if data is None and formula is not None:
        X, data = formula.text, X
    elif data is None and fit.scaling.named and is_table(X):
        X, data = list(fit.features), X
    if groups is None and data is not None:
        groups = [*fit.encoding.names, *fit.encoding.continuous_names]
    design = X if isinstance(X, Design) else Design.of(X, fit.encoding.ask(groups), data=data)
    if design.groups is None:
        raise InputError("groups is missing; they are what the components are tested against.")
    if design.n != fit.scaling.n:
        raise InputError(f"X has {design.n} rows and the fit had {fit.scaling.n}; pass the rows of the fit.")
    A = replace(fit, encoding=None, linear=replace(fit.linear, coefficients=None)).transform(design)
    Q = np.linalg.qr(fit.encoding.encode(design.groups))[0]
    codes = design.groups.factors[0].codes if len(design.groups.factors) == 1 else None
    return A, Q, codes


def _permutation(A: np.ndarray, Q: np.ndarray, observed: float, permutations: int, seed: int) -> float:
    if permutations < 1:
        return NAN
    rng = np.random.default_rng(seed)
    threshold = observed * (1 - 1e-12)  # ties count, to rounding
    reached = sum(float(np.sum((Q[rng.permutation(len(A))].T @ A) ** 2)) >= threshold for _ in range(permutations))
    return (1 + reached) / (1 + permutations)


def _components(fit: Projection, n: int, q: int, conf_level: float) -> Estimates:
    rows = fit.estimates.where(metric="R2")
    adjusted = adjust(np.array(rows.column("p_value"), dtype=float))
    ends = [(NAN, NAN) if fit.scaling.weighted else r2_interval(r.estimate, q, n, conf_level) for r in rows]
    return Estimates(
        replace(
            r,
            conf_low=low,
            conf_high=high,
            conf_level=conf_level,
            p_adjusted=float(p),
            method="F-test; interval by inverting the non-central F; Holm over components",
        )
        for r, (low, high), p in zip(rows, ends, adjusted, strict=True)
    )
