"""``compare_models()``: whether one model's gap between groups is smaller than another's, about the same people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.arguments import AuditArguments, DefaultLabel
from fairstats.auditing.group_studies import SHOWN, GroupStudy, data_text, headline, largest, limits, result_of
from fairstats.auditing.input import check_binary
from fairstats.auditing.protocol import Protocol, resolve
from fairstats.data.tables import Columns, Factor, check_labels
from fairstats.errors import InputError, listing
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.multiplicity import ADJUSTMENTS, Family, Margins
from fairstats.inference.rates.equivalence import p_outside, p_within
from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.rates.paired import PairedGap, PairedRate
from fairstats.inference.rates.two_rates import miettinen_nurminen
from fairstats.inference.verdicts import Comparison, Undecided, decided
from fairstats.labels import one_label
from fairstats.language import DataText, message
from fairstats.provenance import DataSource, take_in
from fairstats.text import count, percent
from fairstats.validation import Adjust, answering, between, choose, confidence, items, random_seed, shown, word

Floats = NDArray[np.float64]
QUESTION = message("Models compared by the gaps that they leave")
SUM = message("sum of both gaps")
GAPS = message("Tango's limits of both groups combined (MOVER), and the test that agrees with them")
PAIRED = message("Tango's limits of two rates of the same people, and the test that agrees with them")
WILSON = message("Wilson interval, joint with that of the gap")
GAP = message("Miettinen-Nurminen interval, joint with that of the accuracy")
CORRELATED = message("Wilson limits of both rates combined by their correlation (MOVER)")
NOBODY = message("a group has nobody whom the rate counts")
SMALLER = message(
    "{rate}, {group} and {reference}: a gap of {gap} percentage points with {model}, of {other} with {baseline}; "
    "smaller with {model} (change {change}, {limits})."
)
LARGER = message(
    "{rate}, {group} and {reference}: a gap of {gap} percentage points with {model}, of {other} with {baseline}; "
    "larger with {model} (change {change}, {limits})."
)
CHANGED = message(
    "{rate}, {group} and {reference}: a gap of {gap} percentage points with {model}, of {other} with {baseline}: "
    "a change ({change}, {limits}); which gap is the smaller is not settled."
)
RATES = {"selection rate": message("selection rate"), "TPR": message("true positive rate"),
         "FPR": message("false positive rate"), "accuracy": message("accuracy")}  # fmt: skip
MORE_ACCURATE = message("{model} is more accurate than {baseline} by {change} percentage points ({limits}).")
LESS_ACCURATE = message("{model} is less accurate than {baseline} by {change} percentage points ({limits}).")
AS_ACCURATE = message("{model} is at most {margin} percentage points less accurate than {baseline} ({limits}).")
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
NOBODY_BETTER = message(
    "No less discriminatory alternative is shown. Candidates tried: {count}; none that is at most {margin} percentage "
    "points less accurate has a smaller gap among those who chose."
)
INCOMPLETE = message("Left out for all models, without a group, an outcome or a decision of a model: {n}.")
MOST_MODELS = 200


@answering
def compare_models(
    data: Any,
    models: Mapping[str, str] | Sequence[str],
    groups: str,
    *,
    outcome: str | None = None,
    baseline: str | None = None,
    threshold: float | None = None,
    favorable: Any = AuditArguments.favorable,
    positive: Any = AuditArguments.positive,
    positive_prediction: Any = AuditArguments.positive_prediction,
    reference: str | None = None,
    margin: float | None = None,
    p_adjust: Adjust = "bonferroni",
    conf_level: float = 0.95,
) -> GroupStudy:
    """Compare models that decide about the same people by the gaps between groups that they leave.

    Parameters
    ----------
    data : table or path
        A row a person whom no model was trained on.
    models : dict of str, or list of str
        Name of the model, and the column of its decisions; a list names the columns alone.
    groups : str
        The column of groups.
    outcome : str, optional
        The column of what happened: with it true and false positive rates and accuracy are compared too.
    baseline : str, optional
        The model that the others are compared with; the first by default.
    threshold : float, optional
        The columns hold scores; from here on the decision is 1.
    favorable, positive, positive_prediction : label
        The decision that helps, the outcome that counts as 1, the decision that predicts it.
    reference : str, optional
        The group that others are compared with; the largest by default.
    margin : float, optional
        From which change of a gap, or of accuracy, on it matters, such as 0.02.
    p_adjust : {"bonferroni", "holm", "bh", "none"}
        Over the models and groups of one rate.
    conf_level : float

    Returns
    -------
    GroupStudy
        Contrast "difference" with ``model`` and ``versus``: the gap of the model (group less reference) less that of
        the baseline, with the verdict; of accuracy also that of everybody. With ``model`` alone: its rates, and its
        gaps of role "supplementary"; limits of a model's accuracy and of its gap hold together. "disagreement": whom
        both models decide differently.

    Raises
    ------
    InputError
        If a column is unknown or unusable for its role, or there are fewer than two models or groups.

    Notes
    -----
    The estimand is the change of the gap when this population is decided by the other model, both fixed; training
    again would add its own variation (`compare`). People are counted once, so what two models have in common cancels:
    of each group the difference of two paired rates has Tango's score limits, and both groups' are combined. A change
    is called smaller or larger only where the sign of the sum of both gaps is shown as well.

    References
    ----------
    Tango (1998), Statistics in Medicine 17, 891-908; Zou & Donner (2008), Statistics in Medicine 27, 1693-1702;
    Newcombe (1998), Statistics in Medicine 17, 2635-2650.

    Examples
    --------
    >>> import fairstats as fs
    >>> people = {"sex": ["f", "m"] * 40, "a": [0, 1, 1, 1] * 20, "b": [1, 1, 1, 0] * 20}
    >>> row = fs.compare_models(people, {"old": "a", "new": "b"}, "sex", reference="m").compared()[0]
    >>> row.model, row.versus, row.estimate, row.verdict
    ('new', 'old', 1.0, 'disparity shown')
    """
    names = _named(models, "models")
    level, by = confidence(conf_level), word("groups", groups)
    choose("p_adjust", p_adjust, ADJUSTMENTS)
    if margin is not None:
        margin = between("margin", margin, 0, 1, "pass 0.02 for 2 percentage points")
    first = _baseline(names, baseline)
    labels_of = {"favorable": favorable, "positive": positive, "positive_prediction": positive_prediction}
    people = _people(data, names, by, outcome, threshold, labels_of)
    base = largest(people.labels, np.bincount(people.codes).astype(float), reference)
    about = _Compared(by, people.labels, base, tuple(names), list(names).index(first), level, margin, p_adjust)
    rows: list[Estimate] = []
    main: list[Estimate] = []
    for metric, (whom, events) in people.counted.items():
        built, late = about.rate(metric, people.codes[whom], events[whom])
        rows, main = rows + late, main + built
    beside = Estimates(rows)
    lines = [*headline(main, lambda row: _sentence(row, beside)), *_accuracy(main, margin)]
    lines += [INCOMPLETE.format(n=count(people.lost))] if people.lost else []
    settings: dict[str, Any] = {"models": names, "groups": by, "outcome": outcome, "baseline": first}
    settings |= {"threshold": threshold, "reference": reference, "margin": margin, "p_adjust": p_adjust}
    settings |= {name: value for name, value in labels_of.items() if not isinstance(value, DefaultLabel)}
    settings["conf_level"] = level
    n = people.codes.size
    return result_of(QUESTION, "compare_models", people.source, [*main, *rows], lines, n, level, by, settings)


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
    names = _named(candidates, "candidates")
    level, by, drawn = confidence(conf_level), word("groups", groups), random_seed(seed)
    choose("metric", metric, dict.fromkeys(("selection rate", "TPR", "FPR")))
    margin = between("margin", margin, 0, 1, "pass 0.02 for 2 percentage points")
    first = _baseline(names, baseline)
    labels_of = {"favorable": favorable, "positive": positive, "positive_prediction": positive_prediction}
    people = _people(data, names, by, word("outcome", outcome), threshold, labels_of, split)
    base = largest(people.labels, np.bincount(people.codes).astype(float), reference)
    choosing = _halves(people.codes, drawn) if people.half is None else people.half
    for half, does in ((choosing, "chooses"), (~choosing, "tests")):
        here = np.bincount(people.codes[half], minlength=len(people.labels))
        if lacking := [label for label, n in zip(people.labels, here, strict=True) if not n]:
            raise InputError(
                "split", f"leaves nobody of {listing(lacking)} in the half that {does}; join small groups."
            )
    about = _Compared(by, people.labels, base, tuple(names), list(names).index(first), level, margin, "none")
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
        test = replace(about, models=(first, best), baseline=0)
        main = []
        for rate in (metric, "accuracy"):
            codes, events = _among(people, rate, ~choosing)
            built, beside = test.rate(rate, codes, events[:, pair])
            rows += beside
            main += [row if row.group == (group if rate == metric else "") else _beside(row) for row in built]
        lines = [_found(main, Estimates(rows), len(names) - 1, margin)]
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


def _among(people: _People, rate: str, half: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    whom, events = people.counted[rate]
    return people.codes[whom & half], events[whom & half]


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


def _found(main: Sequence[Estimate], rows: Estimates, candidates: int, margin: float) -> str:
    gap, accuracy = (row for row in main if row.role == "main")
    before, after = (
        rows.only(metric=gap.metric, group=gap.group, model=name, contrast="difference", versus="", given="")[
            0
        ].estimate
        for name in (gap.versus, gap.model)
    )
    found = _larger(gap, rows) < 0 and accuracy.conf_low > -margin
    return (FOUND if found else NOT_FOUND).format(
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


@dataclass(frozen=True)
class _People:
    """Those whom all models decided about, n: their groups, and by rate whom it is about and whom each model counts."""

    labels: tuple[str, ...]
    codes: NDArray[np.intp]
    counted: dict[str, tuple[NDArray[np.bool_], NDArray[np.bool_]]]
    source: DataSource
    lost: int
    half: NDArray[np.bool_] | None = None


def _people(
    data: Any,
    names: Mapping[str, str],
    by: str,
    outcome: str | None,
    threshold: float | None,
    labels_of: dict[str, Any],
    split: str | None = None,
) -> _People:
    columns, source = take_in(data, [by])
    factor = columns.factor(by, "groups")
    check_labels(by, factor)
    given: dict[str, Any] = {name: "" if value is None else one_label(name, value) for name, value in labels_of.items()}
    if outcome is not None and word("outcome", outcome) in names.values():
        raise InputError(
            "outcome", f"has {outcome!r}, which is the column of a model; name the column of what happened."
        )
    out = None if outcome is None else columns.factor(outcome, "outcome")
    if out is not None and outcome is not None:
        check_binary("outcome", outcome, out, given["positive"])
    rules = Protocol((by,), outcome=outcome or "", decision=next(iter(names.values())), **given)
    decided_by = _factors(columns, names, threshold, given["favorable"])
    rules = resolve(
        rules,
        outcome=None if out is None else out.levels,
        decision=tuple(dict.fromkeys(level for one in decided_by for level in one.levels)),
        attributes=(by,),
    )
    known = np.all([one.codes >= 0 for one in (factor, *decided_by, *([] if out is None else [out]))], axis=0)

    def whom(label: str) -> NDArray[np.bool_]:
        return np.stack([one.codes == _place(one, label) for one in decided_by], axis=1)[known]

    codes = factor.codes[known].astype(np.intp)
    n = np.bincount(codes, minlength=len(factor.levels)).astype(float)
    labels = [label for label, people in zip(factor.levels, n, strict=True) if people]
    if len(labels) < 2:
        raise InputError("groups", f"has {by!r} with fewer than two groups that anybody is in; name another column.")
    codes = (np.cumsum(n > 0) - 1)[codes]
    everybody = np.ones(codes.size, dtype=bool)
    counted = {"selection rate": (everybody, whom(rules.favorable))}
    if out is not None:
        true = (out.codes == _place(out, rules.positive))[known]
        predicts = whom(rules.positive_prediction)
        counted |= {"TPR": (true, predicts), "FPR": (~true, predicts)}
        counted["accuracy"] = (everybody, predicts == true[:, None])
    half = None if split is None else _split(columns, word("split", split))[known]
    return _People(tuple(labels), codes, counted, source, int((~known).sum()), half)


def _split(columns: Columns, name: str) -> NDArray[np.bool_]:
    values = columns.numeric(name, "split")
    if not np.isin(values, (0.0, 1.0)).all() or np.unique(values).size < 2:
        raise InputError("split", f"has {name!r}, which is not 1 for who chooses and 0 for who tests; code it so.")
    return values == 1


def _named(models: Any, argument: str) -> dict[str, str]:
    """Name and column of every model."""
    entries = models if isinstance(models, Mapping) else {name: name for name in items(argument, models, "columns")}
    names = {word(argument, name): word(argument, column) for name, column in entries.items()}
    if not 2 <= len(names) <= MOST_MODELS or "" in names:
        raise InputError(argument, f"has {shown(models)}; name 2 to {MOST_MODELS} models with the columns of theirs.")
    return names


def _baseline(names: Mapping[str, str], baseline: str | None) -> str:
    first = next(iter(names)) if baseline is None else word("baseline", baseline)
    if first not in names:
        raise InputError("baseline", f"has {first!r}; the models are {listing(names)}; name one of these.")
    return first


def _factors(columns: Columns, names: Mapping[str, str], threshold: float | None, favorable: str) -> list[Factor]:
    """The decisions of every model; of scores 1 from the threshold on."""
    if threshold is None:
        found = [columns.factor(column, "models") for column in names.values()]
        for column, one in zip(names.values(), found, strict=True):
            check_binary("decision", column, one, favorable)
        return found
    cut = between("threshold", threshold, -np.inf, np.inf, "pass the score from which the decision is 1")
    scores = [columns.numeric(column, "models") for column in names.values()]
    return [Factor(np.where(np.isnan(score), -1, score >= cut).astype(np.intp), ("0", "1")) for score in scores]


def _place(factor: Factor, label: str) -> int:
    """The code of a label, that of nobody where it is not met."""
    if label not in factor.levels and len(factor.levels) > 1:
        raise InputError("models", f"has columns with the labels {listing(factor.levels)}, of which none is {label!r}; "
                         "code the decisions of all models by the same labels.")  # fmt: skip
    return factor.levels.index(label) if label in factor.levels else len(factor.levels)


@dataclass(frozen=True)
class _Compared:
    """What all rates are compared by."""

    attribute: str
    labels: tuple[str, ...]
    reference: int
    models: tuple[str, ...]
    baseline: int
    level: float
    margin: float | None
    p_adjust: Adjust

    def rate(
        self, metric: str, codes: NDArray[np.intp], events: NDArray[np.bool_]
    ) -> tuple[list[Estimate], list[Estimate]]:
        """The changes of one rate, which are one family, and what stands beside them.

        codes: groups of those whom the rate is about, shape (n,). events: whom each model counts, shape (n, models).
        """
        size = len(self.labels)
        n = np.bincount(codes, minlength=size).astype(float)
        sums = np.stack([np.bincount(codes[e], minlength=size) for e in events.T]).astype(float)
        same = events & events[:, [self.baseline]]
        both = np.stack([np.bincount(codes[e], minlength=size) for e in same.T]).astype(float)
        beside = self.alone(metric, codes, events)
        members: list[tuple[Estimate, PairedGap | PairedRate]] = []
        whole = metric == "accuracy"
        for k, model in enumerate(self.models):
            if k == self.baseline:
                continue
            table = np.stack([sums[k], sums[self.baseline], both[k], n], axis=1)
            both_models = Estimate(metric, self.attribute, model=model, versus=self.models[self.baseline])
            apart = sums[k] + sums[self.baseline] - 2 * both[k]
            beside += [
                both_models.changed(metric="disagreement", group=label, role="supplementary", given=RATES[metric],
                                    n=n[i], events=apart[i], estimate=apart[i] / n[i])
                for i, label in enumerate(self.labels) if n[i]
            ]  # fmt: skip
            about = both_models.changed(contrast="difference")
            for i, label in enumerate(self.labels):
                if i != self.reference:
                    at = [i, self.reference]
                    row = about.changed(group=label, reference=self.labels[self.reference], n=float(n[i]))
                    if not n[at].all():
                        beside.append(row.changed(status="unestimable", reason=NOBODY))
                        continue
                    gap = PairedGap(*(PairedRate(*map(float, v)) for v in table[at]))
                    members.append((row.changed(events=float(apart[i]), method=GAPS), gap))
            if whole:
                people = PairedRate(*map(float, table.sum(axis=0)))
                row = about.changed(n=float(n.sum()), events=float(apart.sum()), method=PAIRED)
                members.append((row, people))
        if not members:
            return [], beside
        family = Family(self.level, self.p_adjust, margins=Margins(difference=self.margin))
        of = [self._comparison(row, found) for row, found in members]
        main = list(decided(Undecided(of, family, alone=True)))
        pairs = zip(main, (found for _, found in members), strict=True)
        return main, [*beside, *(_sum(row, found) for row, found in pairs if isinstance(found, PairedGap))]

    def _comparison(self, about: Estimate, found: PairedGap | PairedRate) -> Comparison:
        limits_at = cache(found.limits)
        p = p_outside(limits_at, 0.0)
        equal = () if self.margin is None else (p_within(limits_at, -self.margin, self.margin),)

        def rows(level: float) -> list[Estimate]:
            row = about.with_interval(found.change, *limits_at(level), level, std_error=found.std_error)
            return [row.changed(p_value=p)]

        return Comparison(p, rows, equal)

    def alone(self, metric: str, codes: NDArray[np.intp], events: NDArray[np.bool_]) -> list[Estimate]:
        """Rates and gaps of every model; limits of its accuracy and of one gap hold together."""
        size, base, level = len(self.labels), self.reference, 1 - (1 - self.level) / 2
        n = np.bincount(codes, minlength=size).astype(float)
        sums = np.stack([np.bincount(codes[e], minlength=size) for e in events.T]).astype(float)
        labels = [(i, label) for i, label in enumerate(self.labels) if n[i]]
        apart = [(i, label) for i, label in labels if i != base and n[base]]
        at = [i for i, _ in apart]
        gaps = np.stack(miettinen_nurminen(sums[:, at], n[at], sums[:, [base]], n[base], level)) if at else None
        if metric == "accuracy":  # of everybody, too
            n, sums = np.append(n, n.sum()), np.column_stack([sums, sums.sum(axis=1)])
            labels.append((size, ""))
        limits = np.stack(wilson(sums, n, level))
        rows = []
        for k, model in enumerate(self.models):
            about = Estimate(metric, self.attribute, model=model, role="supplementary")
            for i, label in labels:
                row = about.changed(group=label, n=float(n[i]), events=float(sums[k, i]), method=WILSON)
                low, high = map(float, limits[:, k, i])
                rows.append(row.with_interval(float(sums[k, i] / n[i]), low, high, level))
            for j, (i, label) in enumerate(apart):
                assert gaps is not None
                row = about.changed(group=label, contrast="difference", reference=self.labels[base], method=GAP)
                row = row.changed(n=float(n[i]), events=float(sums[k, i]))
                gap = float(sums[k, i] / n[i] - sums[k, base] / n[base])
                low, high = map(float, gaps[:, k, j])
                rows.append(row.with_interval(gap, low, high, level))
        return rows


def _sum(row: Estimate, found: PairedGap) -> Estimate:
    """The sum of both gaps at the level of their change: where both have a sign, these say which gap is the larger."""
    limits_at = found.sum_limits(row.conf_level)
    plain = Estimate(row.metric, row.attribute, row.group, "difference", row.reference, estimator=SUM, n=row.n)
    plain = plain.changed(model=row.model, versus=row.versus, role="supplementary", method=CORRELATED)
    return plain.with_interval(found.sum, *limits_at, row.conf_level)


def is_improvement(row: Estimate, rows: Estimates) -> bool:
    """Whether a row says of a model that its gap is smaller, or its accuracy higher, than the baseline's.

    >>> better = Estimate("accuracy", model="b", versus="a", estimate=0.1, verdict="disparity shown")
    >>> is_improvement(better, Estimates())
    True
    """
    if not (row.model and row.versus and row.verdict in SHOWN):
        return False
    return _larger(row, rows) < 0 if row.group else row.estimate > 0


def _larger(row: Estimate, rows: Estimates) -> int:
    """1 where the gap of the model is shown to be larger in size than the baseline's, -1 smaller, 0 neither."""
    if row.verdict not in SHOWN:
        return 0
    (total,) = rows.only(metric=row.metric, group=row.group, model=row.model, estimator=SUM)
    sign = int(total.conf_low > 0) - int(total.conf_high < 0)
    return sign * (1 if row.estimate > 0 else -1)


def _sentence(row: Estimate, rows: Estimates) -> str:
    change = {"model": DataText(row.model), "baseline": DataText(row.versus), "limits": limits(row)}
    change["change"] = percent(row.estimate)
    if not row.group:
        return (MORE_ACCURATE if row.estimate > 0 else LESS_ACCURATE).format(
            **change | {"change": percent(abs(row.estimate))}
        )
    gaps = [
        rows.only(metric=row.metric, group=row.group, model=model, contrast="difference", versus="")[0].estimate
        for model in (row.model, row.versus)
    ]
    code = {1: LARGER, -1: SMALLER, 0: CHANGED}[_larger(row, rows)]
    who = {"group": data_text(row), "reference": DataText(row.reference, row.attribute), "rate": RATES[row.metric]}
    return code.format(gap=percent(gaps[0]), other=percent(gaps[1]), **who, **change)


def _accuracy(main: Sequence[Estimate], margin: float | None) -> list[str]:
    """Which models lose no more accuracy than the margin."""
    rows = [row for row in main if not row.group and margin is not None and -margin < row.conf_low <= 0]
    return [
        AS_ACCURATE.format(model=DataText(row.model), baseline=DataText(row.versus), margin=percent(margin or 0.0),
                           limits=limits(row))
        for row in rows
    ]  # fmt: skip
