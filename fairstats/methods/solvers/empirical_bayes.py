"""ComBat's estimates of a group's shifts and variances from those that it has in all features."""

from __future__ import annotations

import numpy as np

from fairstats.errors import NumericalError


def shrunk(
    shift: np.ndarray, variance: np.ndarray, n: float, part: float, tolerance: float = 1e-12, most: int = 10_000
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return a group's shifts γ* and variances δ²* (m,) under priors from their moments, and the last relative change.

    Parameters
    ----------
    shift, variance : arrays (m,)
        Of standardized features: means, and variances that divide by ``part`` times n, of the group's rows.
    n : float
        Rows.
    part : float
        (n − 1)/n where weights are equal.

    Raises
    ------
    NumericalError
        The equations do not settle.

    References
    ----------
    Johnson, Li & Rabinovic (2007), Biostatistics 8, section 3.2: γ ~ N(γ̄, τ²), δ² ~ inverse gamma(λ, θ).

    Examples
    --------
    >>> shrunk(np.array([0.0, 1.0, 2.0]), np.array([0.5, 1.0, 1.5]), 1e9, 1.0)[0].round(6).tolist()
    [0.0, 1.0, 2.0]
    """
    mean, spread = float(shift.mean()), float(shift.var(ddof=1))
    m, s2 = float(variance.mean()), float(variance.var(ddof=1))
    if s2 <= 1e-20 * m**2:  # equal variances: the prior holds them where they are
        return (spread * n * shift + variance * mean) / (spread * n + variance), variance, 0.0
    a, b = (2 * s2 + m**2) / s2, (m * s2 + m**3) / s2
    squares = variance * part * n  # about the group's own mean
    gamma, delta = shift, variance
    for _ in range(most):
        new = (spread * n * shift + delta * mean) / (spread * n + delta)
        below = (0.5 * (squares + n * (shift - new) ** 2) + b) / (n / 2 + a - 1)
        size = np.abs(shift).max() + np.sqrt(spread) + np.finfo(float).tiny
        moved = max(float(np.max(np.abs(new - gamma)) / size), float(np.max(np.abs(below - delta) / delta)))
        gamma, delta = new, below
        if moved <= tolerance:
            return gamma, delta, moved
    raise NumericalError(f"empirical Bayes did not settle in {most} steps; pass empirical_bayes=False.")
