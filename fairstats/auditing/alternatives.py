"""``alternatives()``: whether a candidate is as accurate as the model in use and leaves a smaller gap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.arguments import AuditArguments, DefaultLabel
from fairstats.auditing.group_studies import GroupStudy, data_text, largest, limits, result_of
from fairstats.auditing.models import (
    COLUMN,
    INCOMPLETE,
    RATES,
    Compared,
    Decisions,
    baseline_of,
    larger,
    named,
    people_of,
    tallied,
)
from fairstats.errors import InputError, listing
from fairstats.estimates import Estimate, Estimates
from fairstats.language import DataText, message
from fairstats.text import count, percent
from fairstats.validation import answering, between, choose, confidence, random_seed, renamed_arguments, word

Floats = NDArray[np.float64]

ALTERNATIVES = message("A less discriminatory alternative")
CHOSE = message("the half that chose")
FOUND = message(
    "{model} is a less discriminatory alternative to {baseline}: {rate}, {group} and {reference}: a gap of {gap} "
    "percentage points, smaller than {other} (change {limits}), and accuracy at most {margin} points less "
    "({accuracy}). It was chosen on other people; candidates tried: {count}."
)
NOT_FOUND = message(
    "No less discriminatory alternative to {baseline} is shown. Candidates tried: {count}. The best among those who "
    "chose, {model}, has among the others, {rate}, {group} and {reference}, a gap of {gap} percentage points; that of "
    "{baseline} is {other} (change {limits}). Change of accuracy: {accuracy} points; at most {margin} less were "
    "allowed."
)
NOT_SMALLER = message("Not shown is that the gap is smaller; that accuracy is at most {margin} points less is shown.")
NOT_AS_ACCURATE = message(
    "Not shown is that accuracy is at most {margin} points less; that the gap is smaller is shown."
)
NEITHER = message("Neither is it shown that the gap is smaller, nor that accuracy is at most {margin} points less.")
NOBODY_BETTER = message(
    "No less discriminatory alternative is shown. Candidates tried: {count}; none that is at most {margin} percentage "
    "points less accurate has a smaller gap among those who chose."
)


@answering
def alternatives(
    data: Any,
    candidates: Mapping[str, str] | Sequence[str],
    groups: str,
    *,
    outcome: str,
    baseline: str | None = None,
    metric: Literal["selection rate", "TPR", "FPR"] = "selection rate",
    margin: float = 0.02,
    split: str | None = None,
    threshold: float | None = None,
    favorable: Any = AuditArguments.favorable,
    positive: Any = AuditArguments.positive,
    positive_prediction: Any = AuditArguments.positive_prediction,
    reference: str | None = None,
    conf_level: float = 0.95,
    seed: int = 0,
) -> GroupStudy:
    """Ask whether one of many candidates is as accurate as the model in use and leaves a smaller gap.

    One half of the people chooses the candidate, the other half tests it: however many are tried, a claim is as rare
    as if one had been.

    Parameters
    ----------
    data : table or path
        A row a person whom no candidate was trained on.
    candidates : dict of str, or list of str
        Name and column of the decisions of every candidate, the model in use among them.
    groups, outcome : str
        The columns of groups, and of what happened.
    baseline : str, optional
        The model in use; the first by default.
    metric : {"selection rate", "TPR", "FPR"}
        The rate whose gap is to be smaller.
    margin : float
        How much less accurate an alternative may be.
    split : str, optional
        A column that is 1 for who chooses and 0 for who tests; drawn by `seed`, within groups, by default.
    threshold, favorable, positive, positive_prediction, reference
        As in `compare_models`.
    conf_level : float
    seed : int

    Returns
    -------
    GroupStudy
        The change of the gap of the group that the model in use treats most unlike the reference, and of the accuracy,
        of the candidate that was chosen, among those who test. Of every candidate gap and accuracy among those who
        chose (``given``).

    Raises
    ------
    InputError
        If a column is unknown or unusable for its role, or a half lacks a group.

    Notes
    -----
    A candidate is chosen if it is no less accurate than the margin allows, as observed, and has the smallest largest
    gap. An alternative is found if the other half shows both that its gap is smaller in size and that it is at most
    `margin` less accurate; both claims have to hold, so that neither needs an adjustment (Berger, 1982).

    References
    ----------
    Cox (1975), Biometrika 62, 441-444 (data splitting); Berger (1982), Technometrics 24, 295-300 (claims that all have
    to hold); Tango (1998), Statistics in Medicine 17, 891-908.

    Examples
    --------
    >>> import fairstats as fs
    >>> people = {"sex": ["f", "m"] * 200, "y": [0, 0, 1, 1] * 100, "old": [0, 1] * 200, "new": [0, 0, 1, 1] * 100}
    >>> result = fs.alternatives(people, ["old", "new"], "sex", outcome="y", reference="m")
    >>> result.statements[0][:50]
    'new is a less discriminatory alternative to old: s'
    """
    names = named(candidates, "candidates")
    level, by, drawn = confidence(conf_level), word("groups", groups), random_seed(seed)
    choose("metric", metric, dict.fromkeys(("selection rate", "TPR", "FPR")))
    margin = between("margin", margin, 0, 1, "pass 0.02 for 2 percentage points")
    first = baseline_of(names, baseline)
    labels_of = {"favorable": favorable, "positive": positive, "positive_prediction": positive_prediction}
    with renamed_arguments(models="candidates"):
        people = people_of(data, names, by, word("outcome", outcome, COLUMN), threshold, labels_of, split)
    base = largest(people.labels, np.bincount(people.codes).astype(float), reference)
    choosing = _halves(people.codes, drawn) if people.half is None else people.half
    for half, does in ((choosing, "chooses"), (~choosing, "tests")):
        here = np.bincount(people.codes[half], minlength=len(people.labels))
        if lacking := [label for label, n in zip(people.labels, here, strict=True) if not n]:
            raise InputError(
                "split", f"leaves nobody of {listing(lacking)} in the half that {does}; join small groups."
            )
    about = Compared(by, people.labels, base, tuple(names), (), level, margin, "none")
    tried = [
        row.changed(given=CHOSE)
        for rate in (metric, "accuracy")
        for row in about.alone(rate, *_among(people, rate, choosing))
    ]
    group, best = _best(Estimates(tried), metric, first, margin)
    rows = list(tried)
    lines: list[str] = [NOBODY_BETTER.format(count=len(names) - 1, margin=percent(margin))]
    if best:
        pair = [list(names).index(name) for name in (first, best)]
        test = replace(about, models=(first, best), pairs=((1, 0),))
        main = []
        for rate in (metric, "accuracy"):
            built, beside = test.rate(rate, *_among(people, rate, ~choosing, pair))
            rows += beside
            main += [row if row.group == (group if rate == metric else "") else _beside(row) for row in built]
        lines = _found(main, Estimates(rows), len(names) - 1, margin)
        rows = main + rows
    lines += [INCOMPLETE.format(n=count(people.lost))] if people.lost else []
    settings: dict[str, Any] = {"candidates": names, "groups": by, "outcome": outcome, "baseline": first}
    settings |= {"metric": metric, "margin": margin, "split": split, "threshold": threshold, "reference": reference}
    settings |= {name: value for name, value in labels_of.items() if not isinstance(value, DefaultLabel)}
    settings |= {"conf_level": level, "seed": drawn}
    n = people.codes.size
    return result_of(ALTERNATIVES, "alternatives", people.source, rows, lines, n, level, by, settings, seed=drawn)


def _halves(codes: NDArray[np.intp], seed: int) -> NDArray[np.bool_]:
    """Who chooses: of every group half of the people, drawn."""
    shuffled = np.random.default_rng(seed).permutation(codes.size)
    order = shuffled[np.argsort(codes[shuffled], kind="stable")]
    half = np.zeros(codes.size, dtype=bool)
    half[order[::2]] = True
    return half


def _among(people: Decisions, rate: str, half: NDArray[np.bool_], models: Any = slice(None)) -> tuple[Floats, Floats]:
    """Who of a half a rate is about, and whom two models count."""
    whom, events = people.counted[rate]
    return tallied(people.codes[whom & half], events[whom & half][:, models], len(people.labels))


def _best(tried: Estimates, metric: str, first: str, margin: float) -> tuple[str, str]:
    """The group that the model in use treats most unlike the reference, and the candidate that is chosen, or ""."""
    gaps: dict[str, float] = {}
    widest = ("", -1.0)
    for row in tried.only(metric=metric, contrast="difference"):
        size = abs(row.estimate)
        gaps[row.model] = max(gaps.get(row.model, 0.0), size)
        if row.model == first and size > widest[1]:
            widest = (row.group, size)
    accuracy = {row.model: row.estimate for row in tried.only(metric="accuracy", contrast="none", group="")}
    near = [name for name in gaps if accuracy[name] >= accuracy[first] - margin]
    best = min(near, key=lambda name: gaps[name])
    return widest[0], best if gaps[best] < gaps[first] else ""


def _beside(row: Estimate) -> Estimate:
    return row.changed(role="supplementary", verdict="", p_adjusted=float("nan"), p_equivalence=float("nan"))


def _found(main: Sequence[Estimate], rows: Estimates, candidates: int, margin: float) -> list[str]:
    gap, accuracy = (row for row in main if row.role == "main")
    before, after = (
        rows.only(metric=gap.metric, group=gap.group, model=name, contrast="difference", versus="", given="")[
            0
        ].estimate
        for name in (gap.versus, gap.model)
    )
    smaller, as_accurate = larger(gap, rows) < 0, accuracy.conf_low > -margin
    found = smaller and as_accurate
    lacking = NOT_AS_ACCURATE if smaller else NOT_SMALLER if as_accurate else NEITHER
    line = (FOUND if found else NOT_FOUND).format(
        model=DataText(gap.model),
        baseline=DataText(gap.versus),
        rate=RATES[gap.metric],
        group=data_text(gap),
        reference=DataText(gap.reference, gap.attribute),
        gap=percent(after),
        other=percent(before),
        limits=limits(gap),
        accuracy=limits(accuracy),
        margin=percent(margin),
        count=candidates,
    )
    return [line] if found else [line, lacking.format(margin=percent(margin))]
