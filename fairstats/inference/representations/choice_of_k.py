"""The result of choosing a number of components, and its text."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from fairstats.arguments import one_of, shown, word
from fairstats.errors import InputError, visible
from fairstats.estimates import Estimates
from fairstats.results import Reads
from fairstats.text import percent

if TYPE_CHECKING:
    import pandas as pd

ERROR, NUMBER, SIZE, CHANCE = "cross-validated error", "number of components", "component", "component by chance"
Rule = Literal["least error", "fewest within one standard error", "parallel analysis"]
RULES: tuple[Rule, Rule, Rule] = ("least error", "fewest within one standard error", "parallel analysis")
LEAST, FEWEST, PARALLEL = RULES


@dataclass(frozen=True, repr=False)
class ChoiceOfK(Reads):
    """How many components the data support, with a method's condition and without it.

    Attributes
    ----------
    method : str
    n, p : int
        Rows and features.
    most : int
        The largest number that was tried.
    folds, permutations, seed : int
    estimates : Estimates
        The numbers chosen; the cross-validated error of each number; each component's size, and by chance.
    """

    method: str
    n: int
    p: int
    most: int
    folds: int
    permutations: int
    seed: int
    estimates: Estimates

    @property
    def k(self) -> int:
        """The number of components of the method with the least cross-validated error."""
        return self.chosen(self.method, LEAST)

    def chosen(self, fit: str, rule: Rule) -> int:
        """Return the number that a rule chooses for the method, or for ``"pca"``."""
        one_of("rule", rule, get_args(Rule))
        if word("fit", fit) not in self.fits:
            raise InputError(f"fit has {shown(fit)}; this choice is of {' and '.join(self.fits)}; name one of them.")
        return int(self.estimates.where(metric=NUMBER, fit=fit, estimator=rule)[0].estimate)

    @property
    def fits(self) -> tuple[str, ...]:
        """The method, and principal components beside it."""
        return tuple(dict.fromkeys((self.method, "pca")))

    def summary(self) -> str:
        """The numbers that each rule chooses, and the errors that they rest on."""
        lines = [
            f"Number of components of {self.method}, 1 to {self.most} tried",
            f"{self.n} rows, {self.p} features, {self.folds} folds, seed {self.seed}",
            "",
            f"{'rule':<36}" + "".join(f"{name[:20]:>22}" for name in self.fits),
        ]
        for rule in RULES:
            rows = self.estimates.only(metric=NUMBER, estimator=rule)
            if len(rows):
                lines.append(f"{rule:<36}" + "".join(f"{self.chosen(name, rule):>22}" for name in self.fits))
        for row in (row for row in self.estimates.only(metric=NUMBER) if row.reason):
            note = f"{row.fit}, {row.estimator}: {row.reason}"
            lines += textwrap.wrap(note, 80, subsequent_indent="  ")
        lines += ["", "Cross-validated error, and the share of the variation that it leaves"]
        lines.append(f"{'k':>4}" + "".join(f"{name[:24]:>28}" for name in self.fits))
        for j in range(1, self.most + 1):
            cells = [self.estimates.where(metric=ERROR, fit=name, k=float(j))[0] for name in self.fits]
            lines.append(f"{j:>4}" + "".join(f"{c.estimate:>16.5g} {self._share(c.estimate):>11}" for c in cells))
        why = (
            "Each entry of a held-out row is predicted from the row's other entries, so that more components do not "
            "win by themselves."
        )
        return visible("\n".join([*lines, "", *textwrap.wrap(why, 80)]))

    def _share(self, error: float) -> str:
        total = self.estimates.where(metric=ERROR, fit="pca", k=0.0)[0].estimate
        return f"({percent(error / total)} %)" if total > 0 else ""

    def _brief(self) -> str:
        return f"{self.method}, {self.n} rows, {self.p} features; k = {self.k} has the least cross-validated error"

    def glance(self) -> pd.DataFrame:
        """One row about the whole."""
        import pandas as pd

        row = {"method": self.method, "n": self.n, "p": self.p, "k": self.k, "most": self.most, "folds": self.folds}
        return pd.DataFrame([{**row, "permutations": self.permutations, "seed": self.seed}])

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready (schema ``fairstats/choice-of-k/1``)."""
        keep = ("method", "n", "p", "k", "most", "folds", "permutations", "seed")
        return {
            "schema": "fairstats/choice-of-k/1",
            **{name: getattr(self, name) for name in keep},
            "estimates": self.estimates.to_records(),
        }
