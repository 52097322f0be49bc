"""The result of a leakage analysis, and the sentences that say it."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from fairstats.errors import visible
from fairstats.estimates import Estimate, Estimates
from fairstats.results import Reads
from fairstats.text import number, p_equals

if TYPE_CHECKING:
    import pandas as pd

NO_MARGIN = "No margin was declared (equivalence=), so that there is no leak cannot be shown."


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
    margin : float or None
        An AUC of less than one half and this does not matter.
    refits : str
        What the method was fitted to again: permuted labels, or exchanged residuals; "" where all is conditional on the
        scores.
    before : Estimates
        The AUCs of the same probes on what the fit started from (principal components of the same number, or the
        features), where that is known.
    call : str
        What repeats it.
    data : tuple of DataSource
        The file that the rows are from, where a command read one.
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
    margin: float | None = None
    refits: str = ""
    before: Estimates = field(default_factory=lambda: Estimates(()))
    call: str = ""
    data: tuple[Any, ...] = ()

    def summary(self) -> str:
        """The statements and what they rest on."""
        used = "" if self.pairwise_n == self.n else f" (a random {self.pairwise_n} of the rows, seed {self.seed})"
        lines = [
            f"Leakage of held-out scores: {self.method}, k = {self.k}, n = {self.n}, {self.folds} folds",
            *(f"  {line}" for line in self.statements),
            "AUC: probes trained and tested on rows held out together; 0.5 is no leakage.",
            self.null,
            *([NO_MARGIN] if self.margin is None else []),
            f"MMD², distance correlation: {self.permutations} {'refits' if self.refits else 'permutations'}{used}.",
            f"p-values are one-sided for AUCs, and adjusted within attribute and statistic ({self.adjusted}).",
        ]
        return visible("\n".join(textwrap.fill(line, 80, subsequent_indent="    ") for line in lines))

    @property
    def null(self) -> str:
        """What the verdicts are judged against, as a sentence."""
        if self.refits:
            return (
                f"The method is judged against {self.permutations} refits on {self.refits}: what it leaks of its own "
                "estimation noise is no leak."
            )
        return (
            "Conditional on these scores: what a fit leaks of its own estimation noise counts as a leak; "
            "leakage() of the fit and its rows judges it against refits."
        )

    @property
    def adjusted(self) -> str:
        """How p-values are adjusted over levels."""
        return "largest AUC of the refits; Holm" if self.refits else "Holm"

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
            "before": self.before.to_records(),
            "data": [asdict(one) for one in self.data],
        }

    def _about(self) -> dict[str, Any]:
        apart = ("estimates", "statements", "before", "data", "call")
        return {k: v for k, v in vars(self).items() if k not in apart}


def statement(name: str, rows: Sequence[Estimate], probes: Iterable[str], margin: float | None) -> str:
    """Return one sentence about an attribute from the verdicts of its probes.

    Parameters
    ----------
    name : str
        The attribute.
    rows : sequence of Estimate
        Rows of both probes, with verdicts.
    probes : iterable of str
        Names of the linear and of the non-linear probe.
    margin : float or None
        The declared one.

    Returns
    -------
    str

    Examples
    --------
    >>> statement("sex", [], ("linear probe", "non-linear probe"), None)
    'sex: no fold is large enough for a probe; cross-fit with fewer folds.'
    """
    parts = []
    for probe in probes:
        known = [r for r in rows if r.metric == f"AUC of {probe}" and r.status == "ok"]
        if not known:
            return f"{name}: no fold is large enough for a probe; cross-fit with fewer folds."
        worst = max(known, key=lambda r: r.estimate if math.isnan(r.p_value) else -r.p_value)
        parts.append(f"{probe.removesuffix(' probe')}: {_word(known, margin)}, {_auc_text(worst)}")
    return f"{name}: {'; '.join(parts)}."


def _word(rows: Sequence[Estimate], margin: float | None) -> str:
    """What the verdicts of all levels say of the attribute: as in every table, equivalence first."""
    verdicts = [r.verdict for r in rows]
    if margin is not None and all(v == "equivalence shown" for v in verdicts):
        return f"no leak beyond AUC {number(0.5 + margin, 2)} shown"
    return "leak shown" if "disparity shown" in verdicts else "inconclusive"


def _auc_text(row: Estimate) -> str:
    about = "" if row.reference != "all others" else f" for {row.group}"
    p = "" if math.isnan(row.p_adjusted) else f", {p_equals(row.p_adjusted)}"
    return f"AUC {number(row.estimate, 2)} [{number(row.conf_low, 2)}, {number(row.conf_high, 2)}]{about}{p}"


def beside(rows: Sequence[Estimate], before: Sequence[Estimate], probes: Iterable[str], what: str) -> str:
    """Return what the same probes found before the adjustment, and whether they find more after it; "" if unknown.

    Parameters
    ----------
    rows, before : sequence of Estimate
        Of one attribute, after and before.
    probes : iterable of str
    what : str
        What they were given before.

    Examples
    --------
    >>> row = Estimate("AUC of linear probe", "sex", estimate=0.9, conf_low=0.8, conf_high=0.95)
    >>> beside([row], [replace(row, estimate=0.6, conf_low=0.5, conf_high=0.7)], ["linear probe"], "the features")
    ' Before (the features): linear AUC 0.60 [0.50, 0.70]; the linear probe finds more after than before.'
    """
    said, more = [], []
    for probe in probes:
        after = {r.group: r for r in rows if r.metric == f"AUC of {probe}" and r.status == "ok"}
        known = [r for r in before if r.metric == f"AUC of {probe}" and r.status == "ok" and r.group in after]
        if not known:
            return ""
        most = max(known, key=lambda r: r.estimate)
        said.append(f"{probe.removesuffix(' probe')} {_auc_text(replace(most, p_adjusted=math.nan))}")
        more += [probe] if any(after[r.group].conf_low > r.conf_high for r in known) else []
    found = f"; the {' and the '.join(more)} {'finds' if len(more) == 1 else 'find'} more after than before"
    return f" Before ({what}): {', '.join(said)}{found if more else ''}."


def unjudged(rows: Iterable[Estimate]) -> Estimates:
    """Return rows of what is not in question, without tests and verdicts."""
    nan = math.nan
    return Estimates(
        replace(r, p_value=nan, p_adjusted=nan, p_equivalence=nan, statistic=nan, verdict="") for r in rows
    )


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
    if row.status != "ok":
        return f"{name}: not estimable: {row.reason}."
    shown = "dependence shown" if row.p_value <= alpha else "inconclusive"
    return f"{name}: {shown} (distance correlation {number(row.estimate, 3)}, {p_equals(row.p_value)})."
