"""Names that other libraries give to metrics: which rows of our tables each of them means, and what computes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from fairstats.vocabulary.metric import Metric

AT_ONCE, MAIN = "all groups", "main"
GAPS = ("difference", "ratio")
# Criteria by their names, and the rate whose largest difference and smallest ratio over the groups they are.
CRITERIA = {
    "demographic_parity": "selection rate",
    "statistical_parity": "selection rate",
    "equal_opportunity": "TPR",
    "predictive_equality": "FPR",
    "predictive_parity": "PPV",
    "accuracy_parity": "accuracy",
}
# Further names of metrics, beside those that their rows have ("aliases"), their headings and their symbols.
OTHERS = {
    "recall": "TPR",
    "recall_score": "TPR",
    "sensitivity": "TPR",
    "hit_rate": "TPR",
    "specificity": "TNR",
    "precision": "PPV",
    "precision_score": "PPV",
    "accuracy_score": "accuracy",
    "zero_one_loss": "classification error",
    "prevalence": "base rate",
    "roc_auc_score": "AUC",
    "brier_score_loss": "Brier score",
    "disparate_impact": "impact ratio",
    "disparate_impact_ratio": "impact ratio",
}
# What is computed from people alone, and no table has.
FROM_PEOPLE = (
    "equalized_odds_ratio",
    "treatment_equality",
    "conditional_use_accuracy_equality",
    "balance_for_the_positive_class",
    "balance_for_the_negative_class",
    "brier_parity",
)
STATISTICS = (
    *("demographic_parity_difference", "demographic_parity_ratio", "equal_opportunity_difference"),
    *("equal_opportunity_ratio", "equalized_odds_difference", "predictive_parity_difference"),
    *("predictive_parity_ratio", *FROM_PEOPLE, "abroca"),
)


@dataclass(frozen=True)
class Familiar:
    """What a familiar name means in our tables."""

    name: str
    metrics: tuple[str, ...] = ()  # the metric, or that whose largest gap it is
    contrast: str = ""  # of that gap; "" is the metric itself, whatever the contrast
    own: str = ""  # the metric that a comparison of methods has under this name

    @property
    def call(self) -> str:
        """The function that computes it from people, "" where there is none."""
        return f"fairstats.stats.{self.name}" if self.name in STATISTICS else ""

    def holds(self, row: Any, at_once: set[tuple[str, str, str]], any_role: bool) -> bool:
        """Whether a row is of this name."""
        if row.metric not in self.metrics:
            return False
        if not self.contrast:
            return True
        alone = row.role == MAIN and _place(row) not in at_once
        return bool(row.contrast == self.contrast and (any_role or row.role == AT_ONCE or alone))


def familiar(metrics: Iterable[Metric]) -> dict[str, Familiar]:
    """Return what every familiar name means, from the rows of the vocabulary and the tables above.

    Examples
    --------
    >>> rate = Metric("TPR", "True positive rate", "share", event="D=1", given="Y=1")
    >>> known = familiar([rate])
    >>> known["true_positive_rate"].metrics, known["equal_opportunity_ratio"].contrast
    (('TPR',), 'ratio')
    """
    rows = {metric.name: metric for metric in metrics}
    plain: dict[str, list[str]] = {}
    for metric in rows.values():
        for name in dict.fromkeys(map(_word, (metric.name, metric.heading, *metric.aliases.values()))):
            plain.setdefault(name, []).append(metric.name)
    for name, meant in OTHERS.items():
        plain[name] = [meant]
    known = {name: Familiar(name, tuple(meant)) for name, meant in plain.items() if name not in rows}
    gaps: dict[str, tuple[str, ...]] = {stem: (rate,) for stem, rate in CRITERIA.items()}
    gaps |= {name: tuple(meant) for name, meant in plain.items() if all(m in rows and rows[m].is_rate for m in meant)}
    for stem, meant_by in gaps.items():
        for contrast in GAPS:
            name = f"{stem}_{contrast}"
            own = next((m for m in rows if _word(m) == name), "")
            known[name] = Familiar(name, meant_by, contrast, own)
    own_gap = "equalized odds difference"
    known[_word(own_gap)] = Familiar(_word(own_gap), (own_gap,))
    return known | {name: Familiar(name) for name in FROM_PEOPLE if name not in known}


def meaning(wanted: Iterable[Familiar], rows: Iterable[Any], any_role: bool) -> Callable[[Any], bool]:
    """Return whether a row of a table is what one of some familiar names means in it.

    Parameters
    ----------
    wanted : iterable of Familiar
        The names.
    rows : iterable of rows
        The whole table. The gap of a criterion is the row over all groups; where an attribute has none, because it
        has two groups, it is their one comparison.
    any_role : bool
        Whether rows of every role are meant, since the caller says which.
    """
    whole = tuple(rows)
    at_once = {_place(row) for row in whole if row.role == AT_ONCE}
    present = {row.metric for row in whole}
    names = [Familiar(f.name, (f.own,)) if f.own and f.own in present else f for f in wanted]
    return lambda row: any(name.holds(row, at_once, any_role) for name in names)


def _place(row: Any) -> tuple[str, str, str]:
    return row.metric, row.contrast, row.attribute


def _word(name: str) -> str:
    """A name as code writes it."""
    return name.lower().replace(" ", "_").replace("-", "_")
