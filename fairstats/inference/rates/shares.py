"""Shares of one sample: exact laws beside a known share or a finite pool, and limits of all shares together."""

from __future__ import annotations

import numpy as np
import scipy  # its stats load when they are first used: a second of CPU that most audits need not
from numpy.typing import ArrayLike, NDArray

from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.rates.strata import ConditionalLaw, Sum, conditional_law

Floats = NDArray[np.float64]
TIE = 1 + 1e-7  # as in R's binom.test
FAR = 1e-9  # below every level: the benchmark is outside by any rule
WIDTH = 40.0  # standard deviations; what is beyond has no digits


def known_share(events: float, n: float, share: float) -> tuple[float, ConditionalLaw]:
    """The exact binomial p-value of R's ``binom.test``, and the law of the events under any odds beside the share.

    >>> round(known_share(15, 405, 0.057)[0], 4)
    0.0862
    """
    guess = (events + 0.5) / (n + 1)
    values = _around(events, n, guess, n * share)
    log_odds = float(np.log(guess / (1 - guess)) - np.log(share / (1 - share)))
    law = ConditionalLaw(Sum(int(values[0]), scipy.stats.binom.pmf(values, n, guess)), log_odds, events, 0.0, n)
    return _minimum_likelihood(scipy.stats.binom.pmf(values, n, share), values, events), law


def finite_pool(events: float, n: float, of_group: float, pool: float) -> tuple[float, ConditionalLaw | None]:
    """The same of n people drawn from a pool: hypergeometric, R's ``fisher.test``; None where nothing could vary.

    >>> round(finite_pool(3, 10, 50, 100)[0], 4)
    0.3178
    """
    law = conditional_law([events], [of_group], [n - events], [pool - of_group])
    if law is None:
        return 1.0, None
    values = np.arange(law.least, law.most + 1)
    return _minimum_likelihood(scipy.stats.hypergeom.pmf(values, pool, of_group, n), values, events), law


def _around(events: float, n: float, guess: float, expected: float) -> Floats:
    """The events that have a probability that counts, under the data's own share and under the expected one."""
    width = WIDTH * np.sqrt(n * 0.25) + 50
    low, high = (min(events, expected), max(events, expected)) if n < 1e6 else (n * guess, n * guess)
    return np.arange(max(0.0, np.floor(low - width)), min(n, np.ceil(high + width)) + 1)


def _minimum_likelihood(probabilities: Floats, values: Floats, events: float) -> float:
    here = probabilities[int(events - values[0])]
    return float(min(1.0, probabilities[probabilities <= here * TIE].sum()))


def odds_limits(p: float, law: ConditionalLaw, conf_level: float) -> tuple[float, float]:
    """Limits of the odds ratio that leave 1 out exactly where the test rejects."""
    return law.central_limits(conf_level, mid=False) if p < FAR else law.matching_limits(conf_level, mid=False)


def sison_glaz(counts: ArrayLike, conf_level: float = 0.95) -> tuple[Floats, Floats]:
    """Limits of all shares of a multinomial sample together, by Sison and Glaz.

    counts: people by category, shape (k,).
    Source: Sison & Glaz (1995), JASA 90, 366-369; May & Johnson (2000), Journal of Statistical Software 5(6).

    >>> low, high = sison_glaz([56, 72, 73, 59, 62, 87, 58])
    >>> low.round(3).tolist()[:2], high.round(3).tolist()[:2]
    ([0.079, 0.113], [0.164, 0.199])
    """
    x = np.asarray(counts, dtype=float)
    n = x.sum()
    before, p = 0.0, _together(0, x)
    c = 0
    while p < conf_level and c < n:
        c += 1
        before, p = p, _together(c, x)
    c = max(c - 1, 0)
    extra = (conf_level - before) / (p - before) if p > before else 0.0
    share = x / n
    return np.maximum(share - c / n, 0.0), np.minimum(share + (c + 2 * max(extra, 0.0)) / n, 1.0)


def _together(c: int, x: Floats) -> float:
    """The probability that every count is within c of the observed one, by an Edgeworth series."""
    n = x.sum()
    x = x[x > 0]
    poisson = scipy.stats.poisson
    high, low = x + c, np.maximum(x - c, 0)
    inside = poisson.cdf(high, x) - poisson.cdf(low - 1, x)
    factorial = [
        x**r * (1 + (poisson.cdf(low - 1, x) - poisson.cdf(low - r - 1, x) - poisson.cdf(high, x)
                     + poisson.cdf(high - r, x)) / inside)
        for r in (1, 2, 3, 4)
    ]  # fmt: skip
    m1, f2, f3, f4 = factorial
    m2 = f2 + m1 - m1**2
    m3 = f3 + f2 * (3 - 3 * m1) + (m1 - 3 * m1**2 + 2 * m1**3)
    m4 = f4 + f3 * (6 - 4 * m1) + f2 * (7 - 12 * m1 + 6 * m1**2) + m1 - 4 * m1**2 + 6 * m1**3 - 3 * m1**4
    s2 = m2.sum()
    if s2 <= 0:
        return 0.0
    z = (n - m1.sum()) / np.sqrt(s2)
    g1, g2 = m3.sum() / s2**1.5, (m4 - 3 * m2**2).sum() / s2**2
    series = 1 + g1 * (z**3 - 3 * z) / 6 + g2 * (z**4 - 6 * z**2 + 3) / 24
    series += g1**2 * (z**6 - 15 * z**4 + 45 * z**2 - 15) / 72
    density = series * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    return float(inside.prod() * density / np.sqrt(s2) / poisson.pmf(n, n))


def goodman(counts: ArrayLike, conf_level: float = 0.95) -> tuple[Floats, Floats]:
    """Limits of all shares together, by Goodman: Wilson's at a level that Bonferroni gives.

    Source: Goodman (1965), Technometrics 7, 247-254.

    >>> [round(float(v), 4) for v in goodman([23, 12, 44])[0]]
    [0.1863, 0.0792, 0.4239]
    """
    x = np.asarray(counts, dtype=float)
    return wilson(x, np.full(x.shape, x.sum()), 1 - (1 - conf_level) / x.size)
