"""The result of a leakage analysis, and the sentences that say it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairstats.errors import visible
from fairstats.estimates import Estimate, Estimates
from fairstats.results import Reads
from fairstats.text import p_equals

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Leakage(Reads):
    """What held-out scores tell about the group; ``estimates`` are the numbers, ``statements`` say them.

    Attributes
    ----------
    estimates : Estimates
        AUC of both probes and MMD² for each level, distance correlation for each attribute.
    statements : tuple of str
        One an attribute.
    method : str
        What made the scores.
    n, k, folds, pairwise_n : int
        Rows, components, folds, and the rows that MMD² and the distance correlation used.
    permutations, seed : int
    conf_level : float
    """

    estimates: Estimates
    statements: tuple[str, ...]
    method: str
    n: int
    k: int
    folds: int
    pairwise_n: int
    permutations: int
    seed: int
    conf_level: float

    def summary(self) -> str:
        """The statements and what they rest on."""
        used = "" if self.pairwise_n == self.n else f" (a random {self.pairwise_n} of the rows, seed {self.seed})"
        lines = [
            f"Leakage of held-out scores: {self.method}, k = {self.k}, n = {self.n}, {self.folds} folds",
            *(f"  {line}" for line in self.statements),
            "AUC: probes trained and tested on rows held out together; 0.5 is no leakage.",
            f"MMD², distance correlation: {self.permutations} permutations{used}.",
            "p-values adjusted by Holm within attribute and statistic.",
        ]
        return visible("\n".join(textwrap.fill(line, 80, subsequent_indent="    ") for line in lines))

    def _brief(self) -> str:
        return f"{self.method}, {self.n} rows, {self.k} components, {self.folds} folds; {' '.join(self.statements)}"

    def glance(self) -> pd.DataFrame:
        """One row about the run."""
        import pandas as pd

        return pd.DataFrame([self._about()])

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-ready."""
        return {
            "schema": "fairstats/leakage/1",
            **self._about(),
            "statements": list(self.statements),
            "estimates": self.estimates.to_records(),
        }

    def _about(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if k not in ("estimates", "statements")}


def statement(
    name: str, rows: Sequence[Estimate], probes: Iterable[str], alpha: float, noise: Mapping[str, float]
) -> str:
    """Return one sentence about an attribute from the rows of its probes.

    Parameters
    ----------
    name : str
        The attribute.
    rows : sequence of Estimate
        Rows of both probes, adjusted.
    probes : iterable of str
        Names of the linear and of the non-linear probe.
    alpha : float
        An adjusted p-value at most this, and an AUC above one half, is leakage.
    noise : mapping of str to float
        The AUC of each level that the estimation noise of a fit explains.

    Returns
    -------
    str

    Examples
    --------
    >>> statement("sex", [], ("linear probe", "non-linear probe"), 0.05, {})
    'sex: no fold is large enough for a probe; cross-fit with fewer folds.'
    """
    linear, other = (_worst([r for r in rows if r.metric == f"AUC of {p}" and r.status == "ok"]) for p in probes)
    if linear is None or other is None:
        return f"{name}: no fold is large enough for a probe; cross-fit with fewer folds."
    holds = "linear leakage" if _leaks(linear, alpha) else "linear guarantee holds"
    worse = "non-linear leakage" if _leaks(other, alpha) else "no non-linear leakage shown"
    return f"{name}: {holds} ({_auc_text(linear, alpha, noise)}); {worse}, {_auc_text(other, alpha, noise)}."


def _worst(rows: list[Estimate]) -> Estimate | None:
    """Return the row of the level with the largest test statistic."""
    return max(rows, key=lambda r: r.statistic, default=None)


def _leaks(row: Estimate, alpha: float) -> bool:
    return row.p_adjusted <= alpha and row.estimate > 0.5


def _auc_text(row: Estimate, alpha: float, noise: Mapping[str, float]) -> str:
    about = "" if row.reference != "all others" else f" for {row.group}"
    explained = _leaks(row, alpha) and row.estimate <= noise[row.group]
    why = ", no more than the estimation noise of a fit to so few rows" if explained else ""
    return f"AUC {row.estimate:.2f} [{row.conf_low:.2f}, {row.conf_high:.2f}]{about}{why}"


def numeric_statement(name: str, row: Estimate, alpha: float) -> str:
    """Return one sentence about a continuous attribute from its distance correlation.

    Parameters
    ----------
    name : str
        The attribute.
    row : Estimate
        Its distance correlation.
    alpha : float
        A p-value at most this shows dependence.

    Returns
    -------
    str

    Examples
    --------
    >>> numeric_statement("age", Estimate("distance correlation", estimate=0.2, p_value=0.001), 0.05)
    'age: dependence shown (distance correlation 0.200, p = 0.001).'
    """
    shown = "dependence shown" if row.p_value <= alpha else "no dependence shown"
    return f"{name}: {shown} (distance correlation {row.estimate:.3f}, {p_equals(row.p_value)})."
