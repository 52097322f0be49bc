"""The result of ``compare()``: what each method costs and what it changes between groups, on held-out people."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from fairstats.arguments import flag, instance
from fairstats.errors import visible
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.results import Reads
from fairstats.studies.curve import Curve
from fairstats.studies.flow import FlowStep
from fairstats.studies.group_matrix import group_matrix
from fairstats.studies.provenance import DataSource, Provenance
from fairstats.text import json_plain

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = "fairstats/comparison/1"


@dataclass(frozen=True)
class Term:
    """One method with one model; `problems` counts the splits in which something went wrong, by what."""

    name: str  # "og · logistic", or "og, k = 2 · logistic" among several k
    method: str
    model: str
    variant: str = ""  # the method, with its k among several
    k: int = 0  # components; 0 where the method has none
    baseline: int = 0  # which term it is compared with
    scale: str = "probability"  # of its scores: or "decision function", "prediction"
    threshold: float = 0.5  # on that scale
    splits: int = 1
    problems: dict[str, int] = field(default_factory=dict)
    versus: str = ""  # of a difference: the baseline's method

    @property
    def caution(self) -> str:
        """The problems in words, for the rows that rest on them."""
        return "; ".join(f"in {count} of {self.splits} splits {what}" for what, count in self.problems.items())


@dataclass(frozen=True)
class ScoreCurve(Curve):
    """A curve of one term: the distribution of held-out scores of a group (`group` is "" for everybody)."""

    term: str = ""


@dataclass(frozen=True)
class ComparisonProtocol:
    """What was compared, and how."""

    outcome: str
    groups: tuple[str, ...]
    features: str  # the formula, or the names
    n_features: int
    methods: tuple[str, ...]
    models: tuple[str, ...]
    k: tuple[int, ...]
    scale: bool
    repeats: int
    test_size: float
    n_train: int
    n_test: int
    positive: str
    favorable: str  # "" where no prediction was said to help: then "positive rate" stands for "selection rate"
    threshold: float
    conf_level: float
    missing: str
    seed: int
    adjust: str = "holm"
    given: bool = False  # the splits came from the caller
    train_on: str = "training"  # or "measured": the rows that it is measured on
    representation: bool = False


@dataclass(frozen=True)
class SplitValues:
    """One metric of one term and group in every split."""

    term: str
    metric: str
    attribute: str
    group: str
    n: float
    values: tuple[float, ...]


@dataclass(frozen=True, repr=False)
class Comparison(Reads):
    """Methods × models × groups on held-out people: print it, ``tidy()`` it, ``fairstats.report`` it.

    Attributes
    ----------
    protocol : ComparisonProtocol
    terms : tuple of Term
        Methods × models in the order given; the first method is what the others are compared with.
    references : dict
        Attribute → the group that the others are compared with (the largest).
    estimates : Estimates
        `fit`, `model` and `k` say which term: the method, the model, the components.
        ``contrast="none"``: a metric of one term in a group (`group`; "" is everybody).
        ``contrast="difference"`` with `reference`: the group less its reference, within a term.
        With `versus`: the method less that one; with `reference` also, it is the change of the gap between groups.
        "P(X>Y)" and "Kolmogorov-Smirnov distance" compare the held-out scores of a group with its reference's.
    shares : Estimates
        The joint shares of Table 2 of Aliverti et al.; not rates, and kept apart for that reason.
    curves : tuple of ScoreCurve
    splits : tuple of SplitValues
    """

    protocol: ComparisonProtocol
    terms: tuple[Term, ...]
    references: dict[str, str]
    flow: tuple[FlowStep, ...]
    estimates: Estimates
    shares: Estimates
    curves: tuple[ScoreCurve, ...]
    splits: tuple[SplitValues, ...]
    data: DataSource
    provenance: Provenance
    notes: tuple[str, ...] = ()

    def summary(self) -> str:
        """The comparison as text, at most 80 columns wide."""
        from fairstats.comparing.text import summarize

        return visible(summarize(self))

    def finding(self) -> str:
        """The gap between groups and the AUC of every method, in a sentence or two."""
        from fairstats.comparing.text import finding

        return visible(" ".join(finding(self).split()))

    def joint_shares(self) -> Estimates:
        """The rows of Table 2 of Aliverti et al. (2021) under their names.

        They are shares of everybody in a group that sum to 1, "positive" meaning the outcome that is *not* predicted:
        TPR is the share with neither outcome nor prediction, TNR with both, FNR with the prediction alone, FPR with
        the outcome alone. The conditional rates are in ``estimates``.
        """
        return self.shares

    def splits_frame(self) -> pd.DataFrame:
        """One row a split, term, metric and group: the values behind the means."""
        import pandas as pd

        rows = [
            (i + 1, s.term, s.metric, s.attribute, s.group, s.n, value)
            for s in self.splits
            for i, value in enumerate(s.values)
        ]
        return pd.DataFrame(rows, columns=["split", "term", "metric", "attribute", "group", "n", "estimate"])

    def by_group(self, attribute: str = "") -> pd.DataFrame:
        """Every metric of every group under each method, as a frame with a line a method and group.

        Parameters
        ----------
        attribute : str
            Which of the attributes; the first by default.

        Returns
        -------
        pandas.DataFrame
            The index is the method with its model, and the group; NaN where there is no estimate.
        """
        return group_matrix(self.estimates, dict.fromkeys(self.references, ()), attribute, self.label)

    def glance(self) -> pd.DataFrame:
        """One row: people, splits, methods, models, groups, and splits with problems."""
        import pandas as pd

        p = self.protocol
        row: dict[str, Any] = {"rows": p.n_train + p.n_test, "n_train": p.n_train, "n_test": p.n_test}
        ks = ", ".join(map(str, p.k))
        row |= {"features": p.n_features, "methods": len(p.methods), "models": len(p.models), "k": ks}
        row |= {"attributes": len(p.groups), "repeats": p.repeats, "estimates": len(self.estimates)}
        row["problems"] = sum(max(t.problems.values(), default=0) for t in self.terms)
        return pd.DataFrame([{**row, "conf_level": p.conf_level, "seed": p.seed}])

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-ready (schema ``fairstats/comparison/1``): absent numbers are None."""
        return {
            "schema": SCHEMA,
            "finding": self.finding(),
            "protocol": json_plain(asdict(self.protocol)),
            "terms": [json_plain(asdict(term)) for term in self.terms],
            "data": json_plain(asdict(self.data)),
            "flow": [json_plain(asdict(step)) for step in self.flow],
            "references": dict(self.references),
            "estimates": self.estimates.to_records(),
            "joint_shares": self.shares.to_records(),
            "curves": [json_plain(asdict(curve)) for curve in self.curves],
            "splits": [json_plain(asdict(values)) for values in self.splits],
            "notes": list(self.notes),
            "provenance": json_plain(asdict(self.provenance)),
        }

    def label(self, row: Estimate) -> str:
        """The name of the term that a row is about, "og · logistic", or of a difference, "og vs none · logistic"."""
        instance("row", row, Estimate, "a row of the comparison", "pass one of its estimates")
        own = [t for t in self.terms if t.method == row.fit and float(t.k) == (0 if math.isnan(row.k) else row.k)]
        if not own:
            return row.term
        name = f"{own[0].variant} vs {self.terms[own[0].baseline].variant}" if row.versus else own[0].variant
        return f"{name} · {row.model}" if row.model else name

    def of(self, term: Term, versus: bool = False) -> dict[str, Any]:
        """What `where` selects the rows of a term by, or those of its difference from its baseline."""
        instance("term", term, Term, "a term of the comparison", "pass one of its terms")
        at = self.terms[term.baseline].method if flag("versus", versus) else ""
        return {"fit": term.method, "model": term.model, "versus": at, "k": float(term.k) if term.k else NAN}

    def _brief(self) -> str:
        p = self.protocol
        tried = f"{', '.join(p.methods)} with {', '.join(p.models)}"
        return (
            f"{p.n_train + p.n_test} rows, groups {', '.join(p.groups)}; {tried}, {p.repeats} splits; {self.finding()}"
        )
