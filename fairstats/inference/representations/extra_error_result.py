"""The result of an analysis of the extra error, and its text."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from fairstats.estimates import Estimates
from fairstats.results import Reads
from fairstats.text import level, number, p_equals, p_value, percent, significant

if TYPE_CHECKING:
    import pandas as pd

WIDTH = 80


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
        Of equal means of the groups on the components. NaN where the data do not allow it; ``estimates`` says why.
    conf_low, conf_high : float
        Interval for the part that the groups explain in the population, ‖P_Z E(A)‖²; groups may differ in spread.
    judged : int
        The rows that interval and p-values rest on: all, or where there are many features only those that the
        components were not fitted to (then they are about components of half of the rows); 0 where there are none.
    why : str
        Why interval and p-values are absent, or whose components they are about.
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
    judged: int
    why: str
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
        lines = ["Extra error of the fit", *textwrap.wrap(self._found(), WIDTH), ""]
        if np.isfinite(self.conf_low):
            lines.append(
                f"  {level(self.conf_level)} interval for the part the groups explain: "
                f"{significant(self.conf_low, 6)} to {significant(self.conf_high, 6)}"
            )
        if np.isfinite(self.p_permutation):
            lines.append(
                f"  permutation {p_equals(self.p_permutation)} ({self.permutations} permutations, seed {self.seed})"
            )
        if np.isfinite(self.p_asymptotic):
            lines.append(f"  asymptotic  {p_equals(self.p_asymptotic)}")
        lines += [f"  {line}" for line in textwrap.wrap(self.why, WIDTH - 2)]
        lines += ["", "component   % by groups   interval             F        p   adjusted p"]
        for r in self.estimates.where(metric="R2"):
            span = (
                f"{percent(r.conf_low, 2):>5} to {percent(r.conf_high, 2):<6}" if np.isfinite(r.conf_low) else " " * 15
            )
            tested = f"{number(r.statistic, 2):>8}" if np.isfinite(r.statistic) else " " * 8
            lines.append(
                f"{r.term.split()[-1]:>9}   {percent(r.estimate, 2):>11}   {span}  {tested}   "
                f"{p_value(r.p_value):>6}   {p_value(r.p_adjusted):>10}".rstrip()
            )
        said = [self.tested, *self._spread()]
        return "\n".join([*lines, "", *textwrap.wrap(" ".join(filter(None, said)), WIDTH)]).rstrip()

    @property
    def tested(self) -> str:
        """What the p-values are about, as a sentence; "" where there are none."""
        if np.isfinite(self.conf_low):
            return "Equal means of the groups are what is tested; their spreads may differ."
        if np.isnan(self.p_permutation) and np.isnan(self.p_asymptotic):
            return ""
        return "Equal distributions of the groups are what is tested: unequal spreads break them as well as means."

    def _spread(self) -> list[str]:
        rows = self.estimates.only(metric="dispersion")
        if not rows or not np.isfinite(rows[0].p_value):
            return []
        return [f"Dispersion check: F = {number(rows[0].statistic, 2)}, {p_equals(rows[0].p_value)}."]

    def _found(self) -> str:
        share = self.observed / self.energy if self.energy > 0 else 0.0
        say = (
            f"The groups explain {significant(self.observed, 6)} of the {significant(self.energy, 6)} sums of squares "
            f"of the components ({percent(share, 2)} %)"
        )
        if np.isnan(self.expected):
            return f"{say}; rows are weighted, so what chance would explain is not known."
        if self.expected <= 0:
            return f"{say}; nothing varies."
        ratio = self.observed / self.expected
        return (
            f"{say}; chance alone would explain {significant(self.expected, 4)} on average, so this is "
            f"{number(ratio, 1)} times as much."
        )

    def _brief(self) -> str:
        share = 100 * self.observed / self.energy if self.energy else 0.0
        tested = self.p_asymptotic if np.isnan(self.p_permutation) else self.p_permutation
        p = "" if np.isnan(tested) else f", p = {significant(tested, 2)}"
        return f"{self.method}, {self.n} rows; the groups explain {number(share, 2)} % of the components{p}"
