"""The families of one audit held to one error rate together: Holm over families, each adjusted within itself.

A family is the comparisons of one rate of one attribute. Every family starts with an equal share of the error rate. A
family of which *every* comparison is rejected passes its share on, in equal parts; one that is rejected in part keeps
it, since its other comparisons may still err.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fairstats import metrics
from fairstats.choices import BH
from fairstats.estimates import Estimate

# attribute, metric, what is held fixed
Question = tuple[str, str, str]


def across(p: Sequence[float], others: Sequence[float]) -> list[float]:
    """Adjust the p-values of one family for the other families of the audit, with strong control of any false claim.

    Parameters
    ----------
    p : sequence of float
        p-values of one family, adjusted within it by a rule that bounds the chance of any false claim at every level
        (Holm, Bonferroni, single-step max-t); NaN stays NaN.
    others : sequence of float
        The largest such p-value of each other family: the level at which the whole family is rejected.

    Returns
    -------
    list of float
        The smallest level at which each comparison is rejected.

    Notes
    -----
    With m families of which r are rejected whole, every other one is judged at alpha/(m - r). Suppose all false
    hypotheses are rejected and no true one. Then the families that are not rejected whole, m - r of them, are those
    that contain a true hypothesis, and each errs with a chance of at most alpha/(m - r): together at most alpha,
    whatever the dependence. Rejecting more never lowers a level. These two conditions are those of the sequential
    rejection principle, so the chance of any false claim is at most alpha whichever hypotheses are true. Passing a
    share on when a family is rejected in *part* would not keep it: m families, each with one true and one grossly
    false hypothesis, would err with a chance of up to alpha (1/m + ... + 1). With one comparison a family it is Holm's
    procedure.

    References
    ----------
    Goeman & Solari (2010), The sequential rejection principle of familywise error control, Annals of Statistics 38,
    3782-3810; Bretz, Maurer, Brannath & Posch (2009), Statistics in Medicine 28, 586-604; Kordzakhia & Dmitrienko
    (2013), Superchain procedures in clinical trials with multiple objectives, Statistics in Medicine 32, 486-508;
    Holm (1979), Scand. J. Statist. 6, 65-70.

    Examples
    --------
    >>> across([0.01], [0.02, 0.5]), across([0.02], [0.01, 0.5])
    ([0.03], [0.04])
    """
    ranked = np.sort(np.asarray(others, dtype=float))
    families = ranked.size + 1
    left = families - np.arange(families)  # families that are not yet rejected whole
    # the level at which as many of the others are rejected whole while this family is not
    reached = np.concatenate([[0.0], np.maximum.accumulate(ranked * left[:-1])])
    own = np.asarray(p, dtype=float)[:, None] * left
    return [float(v) for v in np.minimum(np.maximum(reached, own).min(axis=1), 1.0)]


@dataclass(frozen=True)
class Together:
    """What every family of an audit tells the others: their p-values, by question.

    Attributes
    ----------
    tests : mapping
        Of the tests of no difference: the largest p-value adjusted within the family; under Benjamini and Hochberg
        the unadjusted p-values of all its comparisons.
    equal : mapping
        Of the tests of practical equality, by question and contrast: the largest adjusted p-value.
    """

    tests: Mapping[Question, tuple[float, ...]]
    equal: Mapping[tuple[Question, str], tuple[float, ...]]

    @classmethod
    def of(cls, rows: Iterable[Estimate], adjust: str) -> Together:
        """Collect the families of an audit from rows that were adjusted within each of them.

        Examples
        --------
        >>> row = Estimate("FPR", "sex", "f", p_value=0.01, p_adjusted=0.02, verdict="disparity shown")
        >>> Together.of([row], "holm").tests
        {('sex', 'FPR', ''): (0.02,)}
        """
        said = list(rows)
        tests: dict[Question, tuple[float, ...]] = {}
        for question, family in judged_families(said).items():
            values = [row.p_value if adjust == BH else row.p_adjusted for row in family]
            tests[question] = tuple(values) if adjust == BH else (max(values),)
        equal: dict[tuple[Question, str], tuple[float, ...]] = {}
        for row in said:
            if row.verdict and row.role != "focus" and row.p_equivalence == row.p_equivalence:
                key = _margin_of(row)
                equal[key] = (max(*equal.get(key, ()), row.p_equivalence, 0.0),)
        return cls(tests, equal)

    def beside(self, row: Estimate) -> tuple[float, ...]:
        """What the other families bring to the test of no difference of a row."""
        own = question_of(row)
        return tuple(p for question, values in self.tests.items() if question != own for p in values)

    def beside_equal(self, row: Estimate) -> tuple[float, ...]:
        """What the other families bring to the test of practical equality of a row."""
        own = _margin_of(row)
        return tuple(p for question, values in self.equal.items() if question != own for p in values)


def question_of(row: Estimate) -> Question:
    """The family that a row belongs to: one metric of one attribute, given the same strata.

    A rate and its complement are one question: their differences have one test.

    Examples
    --------
    >>> question_of(Estimate("FNR", "sex", "f", "ratio")), question_of(Estimate("TPR", "sex", "f"))
    (('sex', 'TPR', ''), ('sex', 'TPR', ''))
    """
    known = metrics.METRICS.get(row.metric)
    return row.attribute, min(row.metric, (known and known.complement) or row.metric, key=_place), row.given


def _place(metric: str) -> int:
    return list(metrics.METRICS).index(metric) if metric in metrics.METRICS else -1


def _margin_of(row: Estimate) -> tuple[Question, str]:
    """The family of a test of practical equality: a ratio of complements is another one than that of the rates."""
    return question_of(row), f"ratio of {row.metric}" if row.contrast == "ratio" else row.contrast


def judged_families(rows: Iterable[Estimate]) -> dict[Question, list[Estimate]]:
    """The families whose comparisons have a verdict, and a row a comparison: the difference stands for its ratio.

    The comparison of page one is a second look at two groups, in a family of its own, and is not among them.

    Examples
    --------
    >>> row = Estimate("FPR", "sex", "f", "difference", p_adjusted=0.5, verdict="inconclusive")
    >>> len(judged_families([row])), len(judged_families([Estimate("FPR", "sex", "f")]))
    (1, 0)
    """
    found: dict[Question, dict[tuple[str, str], Estimate]] = {}
    for row in rows:
        if row.verdict and row.role != "focus" and row.p_adjusted == row.p_adjusted:
            found.setdefault(question_of(row), {}).setdefault((row.group, row.reference), row)
    return {question: list(family.values()) for question, family in found.items()}
