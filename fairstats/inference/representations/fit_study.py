"""What was found about a fit on people that it did not see, or on other samples: the result, and its text."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairstats.errors import visible
from fairstats.estimates import Estimate, Estimates
from fairstats.results import Reads
from fairstats.text import compact, level, p_value, span

if TYPE_CHECKING:
    import pandas as pd

IN_SAMPLE, LOADING = "in sample", "loading"
MOST_LINES = 40


@dataclass(frozen=True, repr=False)
class FitStudy(Reads):
    """What ``price`` or ``stability`` found about a fit; ``estimates`` are the numbers, ``statements`` say them.

    Attributes
    ----------
    question : str
        What was asked, as a heading.
    method : str
        Of the fit.
    statements : tuple of str
    n, seed : int
        Rows, and the seed of folds or samples.
    conf_level : float
    estimates : Estimates
    """

    question: str
    method: str
    statements: tuple[str, ...]
    n: int
    seed: int
    conf_level: float
    estimates: Estimates

    @property
    def heading(self) -> str:
        """The question with the method that it was asked of."""
        return f"{self.question} ({self.method})"

    def summary(self) -> str:
        """The statements, and a line a number; those in sample stand beside."""
        beside = {about(row): row.estimate for row in self.estimates if row.estimator == IN_SAMPLE}
        rows = [row for row in self.estimates if row.estimator != IN_SAMPLE and row.metric != LOADING]
        tested = any(not math.isnan(row.p_value) for row in rows)
        head = f"{'':<24}{'estimate':>10}  {level(self.conf_level) + ' interval':<20}"
        head += ("adjusted p" if tested else "") + ("   in sample" if beside else "")
        lines = [f"{self.heading}, {self.n} rows, seed {self.seed}"]
        lines += [line for text in self.statements for line in textwrap.wrap(text, 80)]
        lines += ["", head.rstrip()]
        for row in rows[:MOST_LINES]:
            name = about(row)
            line = f"{name[:23]:<24}{compact(row.estimate):>10}  {span(row.conf_low, row.conf_high, compact):<20}"
            if tested:
                line += f"{p_value(row.p_value if math.isnan(row.p_adjusted) else row.p_adjusted):>10}"
            lines.append((line + (f"{compact(beside[name]):>12}" if name in beside else "")).rstrip())
        if len(rows) < len(self.estimates) - len(beside) or len(rows) > MOST_LINES:
            lines.append("All of it, loadings included: tidy().")
        return visible("\n".join(lines))

    def _brief(self) -> str:
        return f"{self.heading}, {self.n} rows; {' '.join(self.statements)}"

    def glance(self) -> pd.DataFrame:
        """One row about the whole."""
        import pandas as pd

        row = {"question": self.question, "method": self.method, "n": self.n, "seed": self.seed}
        return pd.DataFrame([{**row, "conf_level": self.conf_level, "estimate": self.estimates[0].estimate}])

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready (schema ``fairstats/fit-study/1``)."""
        keep = ("question", "method", "n", "seed", "conf_level")
        return {
            "schema": "fairstats/fit-study/1",
            **{name: getattr(self, name) for name in keep},
            "statements": list(self.statements),
            "estimates": self.estimates.to_records(),
        }


def about(row: Estimate) -> str:
    """Return what a number of a study is about, in few words."""
    share = "share of variation" if "share" in row.metric else ""
    who = f"{row.attribute} = {row.group}" if row.group else ""
    who = f"{row.group} less {row.reference}" if row.reference else who
    return share or row.term or who or "in all"
