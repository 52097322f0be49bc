"""Which rows ask the same question, and which of them are judged: a rate and its complement are one."""

from __future__ import annotations

from collections.abc import Iterable

from fairstats import metrics
from fairstats.estimates import Estimate

# attribute, metric, what is held fixed
Question = tuple[str, str, str]


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
