"""``compare_models()``: whether one model's gap between groups is smaller than another's, about the same people."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.arguments import AuditArguments, DefaultLabel
from fairstats.auditing.chance import Agreement, agreement
from fairstats.auditing.group_studies import (
    LIMITS,
    MOST_SAID,
    SHOWN,
    SUM,
    GroupStudy,
    before_and_after,
    data_text,
    direction,
    headline,
    larger,
    largest,
    limits,
    no_larger,
    result_of,
    sum_of_gaps,
)
from fairstats.auditing.input import check_binary
from fairstats.auditing.protocol import Protocol, resolve
from fairstats.data.tables import Columns, Factor, check_labels
from fairstats.errors import InputError, Setting, listing
from fairstats.estimates import Estimate, Estimates, negated
from fairstats.inference.multiplicity import ADJUSTMENTS, Family, Margins
from fairstats.inference.rates.equivalence import p_outside, p_within
from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.rates.paired import PairedGap, PairedPredictive, PairedRate
from fairstats.inference.rates.two_rates import miettinen_nurminen
from fairstats.inference.scores.paired import Areas, PairedArea, PairedAreas
from fairstats.inference.scores.roc import AreaGap, StudentArea, auc_gap_row, auc_row
from fairstats.inference.verdicts import (
    Comparison,
    Undecided,
    barely,
    decided,
    decisive_interval,
    decisive_level,
    remains,
)
from fairstats.labels import is_numeric_text, one_label
from fairstats.language import DataText, Message, joined, listed, message
from fairstats.provenance import DataSource, take_in
from fairstats.text import count, difference_in_points, percent, small
from fairstats.text import level as level_text
from fairstats.validation import (
    COLUMN,
    Adjust,
    answering,
    between,
    choose,
    confidence,
    items,
    one_column,
    renamed_arguments,
    word,
)

Floats = NDArray[np.float64]
AREA = "AUC"
FEW_SAID = 2  # pairs with sentences of their own, where there are more than MOST_SAID
FEWEST = 30  # people of a group whose gap may be called the largest
QUESTION = message("Models compared by the gaps that they leave")
GAPS = message("Tango's limits of both groups combined (MOVER), and the test that agrees with them")
PAIRED = message("Tango's limits of two rates of the same people, and the test that agrees with them")
WILSON = message("Wilson interval, joint with that of the gap")
WILSON_ALONE = message("Wilson interval")
GAP_ALONE = message("Miettinen-Nurminen interval")
GAP = message("Miettinen-Nurminen interval, joint with that of the accuracy")
CORRELATED = message("Wilson limits of both rates combined by their correlation (MOVER)")
NOBODY = message("a group has nobody whom the rate counts")
PREDICTIVE = message("Wilson limits of both values combined by their correlation, then of both groups (MOVER)")
ONE_PREDICTIVE = message("Wilson limits of both values combined by their correlation (MOVER)")
NOBODY_PREDICTED = message("a model predicts it of nobody in a group")
ONE_AREA = message("logit limits of both AUCs combined by DeLong's correlation (MOVER)")
PAIRED_AREAS = message("logit limits of the AUCs combined by DeLong's correlation, then of both groups (MOVER)")
ONE_OUTCOME = message("a group has fewer than two people of an outcome")
SMALLER = message(
    "{rate}, {group} and {reference}: a gap of {gap} with “{model}”, of {other} with “{baseline}”; "
    "smaller with “{model}” (change {change}, {limits})."
)
LARGER = message(
    "{rate}, {group} and {reference}: a gap of {gap} with “{model}”, of {other} with “{baseline}”; "
    "larger with “{model}” (change {change}, {limits})."
)
CHANGED = message(
    "{rate}, {group} and {reference}: a gap of {gap} with “{model}”, of {other} with “{baseline}”: "
    "a change ({change}, {limits}); which gap is the smaller is not settled."
)
OF_PAIRS = message("{rate}, {group} and {reference}: a gap of {gaps}; {changes}.")
OF_PAIRS_SMALLER = message("smaller with “{model}” than with “{baseline}” (change {change}, {limits})")
OF_PAIRS_LARGER = message("larger with “{model}” than with “{baseline}” (change {change}, {limits})")
OF_PAIRS_CHANGED = message(
    "changed from “{baseline}” to “{model}” (change {change}, {limits}), and which is the smaller is not settled"
)
PAIR_SMALLER = message(
    "Between {group} and {reference} “{model}” leaves a smaller gap than “{baseline}”: {rate}, {gap} with “{model}” "
    "and {other} with “{baseline}” (change {change}, {limits})."
)
PAIR_LARGER = message(
    "Between {group} and {reference} “{model}” leaves a larger gap than “{baseline}”: {rate}, {gap} with “{model}” "
    "and {other} with “{baseline}” (change {change}, {limits})."
)
PAIR_CHANGED = message(
    "Between {group} and {reference} “{model}” and “{baseline}” leave different gaps, and which is the smaller is "
    "not settled: {rate}, {gap} with “{model}” and {other} with “{baseline}” (change {change}, {limits}; sum of both "
    "gaps {sum})."
)
PAIR_ALIKE = message(
    "Between {group} and {reference} “{model}” and “{baseline}” leave gaps that differ by less than the margin: "
    "{rate}, {gap} with “{model}” and {other} with “{baseline}” (change {change}, {limits})."
)
PAIR_OPEN = message(
    "Which of “{model}” and “{baseline}” leaves the smaller gap between {group} and {reference} is not shown: {rate}, "
    "{gap} with “{model}” and {other} with “{baseline}” (change {change}, {limits})."
)
PAIR_GROUPS = message("Gaps of the other groups, {rate}, “{model}” beside “{baseline}”: {parts}.")
OF_GROUPS = {  # what is known of the gaps of some groups, in the order in which it is said
    "smaller": message("smaller for {groups}"),
    "larger": message("larger for {groups}"),
    "changed": message("changed for {groups} (which is larger is not settled)"),
    "within": message("less than the margin apart for {groups}"),
    "": message("no change is shown for {groups}"),
}
LARGEST = message("Largest gap of any group of {fewest} people or more, {rate}: {each}.")
LARGEST_OF = message(
    "Largest gap of any group of {fewest} people or more, {rate}, with every model between {group} and {reference}: "
    "{each}."
)
SMALLEST = message(
    "Smallest gap between {group} and {reference}, {rate}: {gap} with “{model}” ({share}% and {other}%); largest: "
    "{most} with “{worst}” ({share_of}% and {other_of}%)."
)
SMALLEST_OF = message(
    "Largest gap of any group of {fewest} people or more, {rate}, with every model between {group} and {reference}: "
    "from {gap} with “{model}” ({share}% and {other}%) to {most} with “{worst}” ({share_of}% and {other_of}%)."
)
WITH_MODEL = message("{gap} with “{model}”")
WITH_MODEL_OF = message("{gap} with “{model}” ({group})")
PAIR_RIGHT = message(
    "Accuracy: {share}% with “{model}” and {other}% with “{baseline}”; no change is shown (change {change}, {limits})."
)
PAIR_RIGHT_NEAR = message(
    "Accuracy: {share}% with “{model}” and {other}% with “{baseline}”; no change is shown, but that “{model}” is at "
    "most {margin} percentage points less accurate is (change {change}, {limits})."
)
PAIR_RIGHT_ALIKE = message(
    "Accuracy: {share}% with “{model}” and {other}% with “{baseline}”, less than the margin apart (change {change}, "
    "{limits})."
)
PAIR_RIGHT_BARELY = message(
    "Accuracy: {share}% with “{model}” and {other}% with “{baseline}”, less than the margin apart (change {change}, "
    "{limits} at {near}; at {level}, by which a difference would be shown, the limits include 0)."
)
PAIR_RIGHT_LOWER = message(
    "Accuracy: {share}% with “{model}” and {other}% with “{baseline}”: lower with “{lower}”, within the margin of "
    "{margin} percentage points (change {change}, {limits})."
)
PAIR_RIGHT_CHANGED = message(
    "Accuracy: {share}% with “{model}” and {other}% with “{baseline}” (change {change}, {limits})."
)
MORE_WITHIN = message("Further gaps and rates within the margin, or no worse by more: {n}.")
MORE_PAIRS = message("Further pairs of models: {n}; what is shown of them is below.")
LESS_THAN_HALF = message("Models that are right for less than half of the people: {list}.")
LESS_THAN_EVEN = message("Models whose AUC of everybody is below 0.5, that of scores without order: {list}.")
TURNED_ROUND = message(
    "The opposite decisions would be right more often: check whether labels mean the same in all columns."
)
RANKED_ROUND = message(
    "Scores in the opposite order would have a higher AUC: check whether higher means the same in all columns."
)
OF_ONE_MODEL, OF_ONE_AREA = message("{share}% with “{model}” ({limits})"), message("{share} with “{model}” ({limits})")
RIGHT_OF = message("{share}% with “{model}”")
ONE_ANSWER = message("The same decision for everybody would be right for {share}%, no less than {list}.")
NO_OUTCOME = message("No outcome was given: how often each model is right was not looked at.")
AHEAD = message("“{model}” is shown to be right more often than “{baseline}” and to leave a smaller gap in selection.")
NO_LARGER = message(
    "{rate}, {group} and {reference}: a gap of {gap} with “{model}”, of {other} with “{baseline}”; that it is at most "
    "{margin} larger with “{model}” is shown (change {change}, {limits})."
)
AS_LARGE = message(
    "{rate}, {group} and {reference}: a gap of {gap} with “{model}”, of {other} with “{baseline}”, less than {margin} "
    "apart (change {change}, {limits})."
)
NOT_ZERO = message("That it changed is shown, too.")
RATES = {"selection rate": message("selection rate"), "TPR": message("true positive rate"),
         "FPR": message("false positive rate"),
         "PPV": message("positive predictive value"), "accuracy": message("accuracy"),
         AREA: message("AUC")}  # fmt: skip
NOT_EXCLUDED = message("Where no change is shown, the largest that the data do not exclude: {parts}.")
GAP_IN, OF_EVERYBODY = message("gap in {rate}"), message("{rate} of everybody")
OPEN = message("{what} {most}")
OPEN_GROUP = message("{what} {most} ({group}, {people})")
PEOPLE, PERSON = message("{n} people"), message("1 person")
SUM_OF_SIDES = message(
    "A change of more than 100 points is the sum of two gaps: from one side with the one model to the other side with "
    "the other."
)
SHORT_POINTS = message("{n} points")
UNSETTLED = message("No change is shown: {parts}.")  # by steps, as Holm's, there are no limits
UNSETTLED_IN = message("{what} ({unsettled} of {count} comparisons)")
OF_TWO_VALUES = message(
    "Two values at most have {list}: these are decisions, whose AUC is of one cut-off and below that of the scores "
    "that they come from as a rule; compare scores with scores."
)
HIGHER_AREA = message("{model} has a higher AUC than {baseline} for everybody together, by {change} ({limits}).")
LOWER_AREA = message("{model} has a lower AUC than {baseline} for everybody together, by {change} ({limits}).")
ALIKE = message("{model} and {baseline} decide alike about everybody here.")
ALL_ONE = message("{model} decides in one way about everybody here.")
POINTS = message("{n} percentage points")
ONLY_BASELINE = message("Each model is compared with “{baseline}” only, and not with the others.")
OTHER_PAIRS = message("To compare every pair, pass {setting}.")
MORE_ACCURATE = message("{model} is more accurate than {baseline} by {change} percentage points ({limits}).")
LESS_ACCURATE = message("{model} is less accurate than {baseline} by {change} percentage points ({limits}).")
AS_ACCURATE = message(
    "That {model} is at most {margin} percentage points less accurate than {baseline} is shown (change {change}, "
    "{limits})."
)
INCOMPLETE = message("Left out for all models, without a group, an outcome or a decision of a model: {n}.")
MOST_MODELS = 200
Change = PairedGap | PairedRate | PairedPredictive | PairedAreas | PairedArea


@answering
def compare_models(
    data: Any,
    models: Mapping[str, str] | Sequence[str],
    groups: str,
    *,
    outcome: str | None = None,
    baseline: str | None = None,
    versus: Literal["baseline", "all"] = "baseline",
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
        A row a person whom no model was trained on; people count once, without weights or clusters.
    models : dict of str, or list of str
        Name of the model, and the column of its decisions; a list names the columns alone.
    groups : str
        The column of groups.
    outcome : str, optional
        The column of what happened: with it true and false positive rates, accuracy and PPV are compared too.
    baseline : str, optional
        The model that the others are compared with; the first by default.
    versus : {"baseline", "all"}
        Each model beside the baseline, or every pair of models, the one named later less the earlier.
    threshold : float, optional
        The columns hold scores; from here on the decision is 1. With an outcome their AUCs are compared too.
    favorable, positive, positive_prediction : label
        The decision that helps, the outcome that counts as 1, the decision that predicts it.
    reference : str, optional
        The group that others are compared with; the largest by default.
    margin : float, optional
        From which change of a gap, or of accuracy, on it matters, such as 0.02.
    p_adjust : {"bonferroni", "holm", "bh", "none"}
        Over the pairs of models and groups of one rate. Only "bonferroni" and "none" have limits.
    conf_level : float

    Returns
    -------
    GroupStudy
        Contrast "difference" with ``model`` and ``versus``: the gap of the model (group less reference) less that of
        the baseline, with the verdict; of accuracy and AUC also that of everybody. With ``model`` alone: its rates, and
        its gaps of role "supplementary"; limits of a model's accuracy and of its gap hold together. "disagreement":
        whom both models decide differently.

    Raises
    ------
    InputError
        If a column is unknown or unusable for its role, or there are fewer than two models or groups.

    Notes
    -----
    The estimand is the change of the gap when this population is decided by the other model, both fixed; training
    again would add its own variation (`compare`). People are counted once, so what two models have in common cancels:
    of each group the difference of two paired rates has Tango's score limits, and both groups' are combined (of AUCs,
    DeLong's by their correlation). A change is called smaller or larger only where the sign of the sum of both gaps is
    shown as well. Of a change ``estimate`` is the gap (group less reference) with ``model`` less that with ``versus``,
    in sentences too; smaller and larger are of size, and no matter of its sign.

    References
    ----------
    Tango (1998), Statistics in Medicine 17, 891-908; Zou & Donner (2008), Statistics in Medicine 27, 1693-1702;
    Newcombe (1998), Statistics in Medicine 17, 2635-2650; DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44,
    837-845.

    Examples
    --------
    >>> import fairstats as fs
    >>> people = {"sex": ["f", "m"] * 40, "a": [0, 1, 1, 1] * 20, "b": [1, 1, 1, 0] * 20}
    >>> row = fs.compare_models(people, {"old": "a", "new": "b"}, "sex", reference="m").compared()[0]
    >>> row.model, row.versus, row.estimate, row.verdict
    ('new', 'old', 1.0, 'disparity shown')
    """
    names = named(models, "models")
    level, by = confidence(conf_level), one_column("groups", groups)
    choose("p_adjust", p_adjust, ADJUSTMENTS)
    choose("versus", versus, dict.fromkeys(("baseline", "all")))
    if margin is not None:
        margin = between("margin", margin, 0, 1, "pass 0.02 for 2 percentage points")
    first = baseline_of(names, baseline)
    labels_of = {"favorable": favorable, "positive": positive, "positive_prediction": positive_prediction}
    people = people_of(data, names, by, outcome, threshold, labels_of)
    base = largest(people.labels, np.bincount(people.codes).astype(float), reference)
    order = [first, *(name for name in names if name != first)]
    pairs = tuple((k, i) for i in range(len(order) if versus == "all" else 1) for k in range(i + 1, len(order)))
    about = Compared(by, people.labels, base, tuple(order), pairs, level, margin, p_adjust)
    rows: list[Estimate] = []
    main: list[Estimate] = []
    at = [list(names).index(name) for name in order]
    for metric, (whom, events) in people.counted.items():
        built, late = about.rate(metric, *tallied(people.codes[whom], events[whom][:, at], len(people.labels)))
        rows, main = rows + late, main + built
    if people.predicts is not None:
        true, predicts = people.counted["TPR"][0], people.predicts[:, at]
        of = (tallied(people.codes, events, len(people.labels))[1] for events in (predicts & true[:, None], predicts))
        built, late = about.predictive(*of)
        rows, main = rows + late, main + built
    if people.scores is not None:
        built, late = about.areas(people.codes, people.scores[:, at], people.counted["TPR"][0])
        rows, main = rows + late, main + built
    beside = Estimates(rows)
    first_gap = lead(Estimates([*main, *rows]), "selection rate")
    commoner = people.commoner
    one_answer = _one_answer(beside, commoner)
    some = len(_no_better(beside, commoner)) < len(order)  # then it tells models apart
    last = spoken_last(beside)
    most = MOST_SAID if len(pairs) <= MOST_SAID else FEW_SAID
    # of every pair those of the baseline are the question
    own = len(order) - 1 if versus == "all" and most < len(order) <= MOST_SAID + 1 else most
    lines, answered = _pairs(main, beside, margin or 0.0, first_gap, last, own, first)
    decisions = people.counted["selection rate"][1][:, at]
    useless = [*_one_way(about, decisions), *less_than_half(beside), *(one_answer if some else [])]
    early = first in last or last >= {*order} - {first}  # then every comparison rests on them
    lines = [
        *(useless if early else []),
        *(_ahead(main, beside, first) if len(order) > 2 else []),
        *lines,
    ]
    lines += _largest(beside, first_gap, len(order))
    gap_of = attrgetter("metric", "group")
    lines += headline(main, lambda *of: _sentence(of, beside), answered, against(main, beside), gap_of, most)
    lines += (
        [] if margin is None else _within([row for row in main if row.group or row not in answered], beside, margin)
    )
    lines += _unsettled(main)
    lines += [] if some else one_answer
    if people.scores is not None:
        two = [name for name, scores in zip(names, people.scores.T, strict=True) if np.unique(scores).size < 3]
        lines += [OF_TWO_VALUES.format(list=listed(map(DataText, two), MOST_SAID))] if two else []
    lines += [*([] if early else useless), *_alike(about, decisions)]
    if len(order) > 2 and versus == "baseline":
        lines += [ONLY_BASELINE.format(baseline=DataText(first)), OTHER_PAIRS.format(setting=Setting("versus", "all"))]
    lines += [NO_OUTCOME] if outcome is None else []
    lines += [INCOMPLETE.format(n=count(people.lost))] if people.lost else []
    settings: dict[str, Any] = {"models": names, "groups": by, "outcome": outcome, "baseline": first}
    settings |= {"versus": versus if versus == "all" else None}
    settings |= {"threshold": threshold, "reference": reference, "margin": margin, "p_adjust": p_adjust}
    settings |= {name: value for name, value in labels_of.items() if not isinstance(value, DefaultLabel)}
    settings["conf_level"] = level
    n = people.codes.size
    return result_of(QUESTION, "compare_models", people.source, [*main, *rows], lines, n, level, by, settings)


@dataclass(frozen=True)
class Decisions:
    """Those whom all models decided about, n: their groups, and by rate whom it is about and whom each model counts."""

    labels: tuple[str, ...]
    codes: NDArray[np.intp]
    counted: dict[str, tuple[NDArray[np.bool_], NDArray[np.bool_]]]
    source: DataSource
    lost: int
    half: NDArray[np.bool_] | None = None
    predicts: NDArray[np.bool_] | None = None  # the outcome, shape (n, models), where it is known
    scores: Floats | None = None  # shape (n, models), where they are known and so is the outcome

    @property
    def commoner(self) -> float:
        """The share of people with the commoner outcome, 0 where outcomes are not known."""
        if "TPR" not in self.counted:
            return 0.0
        have, n = int(self.counted["TPR"][0].sum()), self.codes.size
        return max(have, n - have) / n


def people_of(
    data: Any,
    names: Mapping[str, str],
    by: str,
    outcome: str | None,
    threshold: float | None,
    labels_of: dict[str, Any],
    split: str | None = None,
) -> Decisions:
    columns, source = take_in(data, [by])
    factor = columns.factor(by, "groups")
    check_labels(by, factor)
    given: dict[str, Any] = {name: "" if value is None else one_label(name, value) for name, value in labels_of.items()}
    of = dict.fromkeys(names.values(), "a model")
    for argument, column, what in (
        ("groups", by, "groups"), ("outcome", outcome, "what happened"), ("split", split, "who chooses")
    ):  # fmt: skip
        if column is not None and word(argument, column, COLUMN) in of:
            raise InputError(
                argument, f"has {column!r}, which is the column of {of[column]}; name the column of {what}."
            )
        of |= {} if column is None else {column: what}
    out = None if outcome is None else columns.factor(outcome, "outcome")
    if out is not None and outcome is not None and isinstance(labels_of["positive"], DefaultLabel):
        check_binary("outcome", outcome, out)
    if threshold is not None:  # of scores, those from the cut-off on predict the outcome
        given["positive_prediction"] = given["positive_prediction"] or "1"
    rules = Protocol((by,), outcome=outcome or "", decision=next(iter(names.values())), **given)
    chosen = "" if isinstance(labels_of["favorable"], DefaultLabel) else given["favorable"]
    decided_by = _factors(columns, names, threshold, chosen)
    with renamed_arguments(decision="models"):
        rules = resolve(
            rules,
            outcome=None if out is None else out.levels,
            decision=tuple(dict.fromkeys(level for one in decided_by for level in one.levels)),
            attributes=(by,),
        )
    for column, one in zip(names.values(), decided_by, strict=True):
        if (one.codes < 0).all():
            raise InputError("models", f"has {column!r}, of which all values are missing; name another column.")
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
    scores = predicts = None
    if out is not None:
        true = (out.codes == _place(out, rules.positive))[known]
        predicts = whom(rules.positive_prediction)
        counted |= {"TPR": (true, predicts), "FPR": (~true, predicts)}
        counted["accuracy"] = (everybody, predicts == true[:, None])
        if threshold is not None:
            scores = np.stack([columns.numeric(column, "models") for column in names.values()], axis=1)[known]
    half = None if split is None else _split(columns, word("split", split))[known]
    return Decisions(tuple(labels), codes, counted, source, int((~known).sum()), half, predicts, scores)


def _split(columns: Columns, name: str) -> NDArray[np.bool_]:
    factor = columns.factor(name, "split")
    if set(factor.levels) not in ({"0", "1"}, {"False", "True"}) or (factor.codes < 0).any():
        raise InputError("split", f"has {name!r}, which is not 1 for who chooses and 0 for who tests; code it so.")
    return np.isin(factor.levels, ("1", "True"))[factor.codes]


def named(models: Any, argument: str) -> dict[str, str]:
    """Name and column of every model."""
    if isinstance(models, str):
        raise InputError(
            argument, f"has {models!r}; two models or more are compared; pass {Setting(argument, [models, 'another'])}."
        )
    named_by = list(models) if isinstance(models, Mapping) else items(argument, models, "columns")
    columns = [word(argument, models[name] if isinstance(models, Mapping) else name, COLUMN) for name in named_by]
    if twice := [column for column, times in Counter(columns).items() if times > 1]:
        raise InputError(argument, f"has the column {listing(twice)} twice; name each model's own column once.")
    names = {word(argument, name): column for name, column in zip(named_by, columns, strict=True)}
    if not 2 <= len(names) <= MOST_MODELS or "" in names:
        few = f"has {listing(names)} only" if len(names) < 2 else f"has {len(names)} names"
        raise InputError(argument, f"{few}; name 2 to {MOST_MODELS} models with the columns of theirs.")
    return names


def baseline_of(names: Mapping[str, str], baseline: str | None) -> str:
    first = next(iter(names)) if baseline is None else word("baseline", baseline)
    if first not in names:
        raise InputError("baseline", f"has {first!r}; the models are {listing(names)}; name one of these.")
    return first


def _factors(columns: Columns, names: Mapping[str, str], threshold: float | None, favorable: str) -> list[Factor]:
    """The decisions of every model; of scores 1 from the threshold on."""
    if threshold is None:
        found = [columns.factor(column, "models") for column in names.values()]
        usual = found[0].levels
        for column, one in zip(names.values(), found, strict=True):
            if len(one.levels) == len(usual) == 2 and not {*one.levels} & {*usual}:
                first = next(iter(names.values()))
                raise InputError(
                    "models",
                    f"has {first!r} with {listing(usual)} and {column!r} with {listing(one.levels)}; code the "
                    "decisions of all models by the same labels.",
                )
            if len(one.levels) > 2 and not favorable and all(map(is_numeric_text, one.levels)):
                raise InputError(
                    "models",
                    f"has {column!r} with {len(one.levels)} numbers; decisions must have two; of scores say from "
                    f"which on the decision is 1 ({Setting('threshold', 0.5)}); with an outcome AUCs are compared.",
                )
            if not favorable:
                check_binary("decision", column, one)
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
class Compared:
    """What all rates are compared by."""

    attribute: str
    labels: tuple[str, ...]
    reference: int
    models: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]  # places of a model and of the one that it is compared with
    level: float
    margin: float | None
    p_adjust: Adjust
    joint: bool = True  # whether limits of a model's accuracy and of its gap hold together

    @property
    def level_alone(self) -> float:
        """The level of the limits of a model's rates and gaps."""
        return 1 - (1 - self.level) / 2 if self.joint else self.level

    def rate(self, metric: str, n: Floats, both: Floats) -> tuple[list[Estimate], list[Estimate]]:
        """The changes of one rate, which are one family, and what stands beside them.

        n: those whom the rate is about, shape (groups,). both: whom two models count, shape (groups, models, models).
        """
        beside = self.alone(metric, n, both)
        members: list[tuple[Estimate, PairedGap | PairedRate]] = []
        for k, other in self.pairs:
            table = np.stack([both[:, k, k], both[:, other, other], both[:, k, other], n], axis=1)
            models = Estimate(metric, self.attribute, model=self.models[k], versus=self.models[other])
            apart = table[:, 0] + table[:, 1] - 2 * table[:, 2]
            beside += [
                models.changed(metric="disagreement", group=label, role="supplementary", given=RATES[metric],
                               n=n[i], events=apart[i], estimate=apart[i] / n[i])
                for i, label in enumerate(self.labels) if n[i]
            ]  # fmt: skip
            about = models.changed(contrast="difference")
            for i, row in self._others(about):
                at = [i, self.reference]
                if not n[at].all():
                    beside.append(row.changed(status="unestimable", reason=NOBODY))
                    continue
                gap = PairedGap(*(PairedRate(*map(float, v)) for v in table[at]))
                members.append((row.changed(n=float(n[i]), events=float(apart[i]), method=GAPS), gap))
            if metric == "accuracy":
                people = PairedRate(*map(float, table.sum(axis=0)))
                row = about.changed(n=float(n.sum()), events=float(apart.sum()), method=PAIRED)
                members.append((row, people))
        return self._decided(members, beside)

    def each(self, metric: str, n: Floats, both: Floats) -> list[Estimate]:
        """The change of the rate of every group, from one model to the other."""
        rows = []
        for (k, other), (i, label) in itertools.product(self.pairs, enumerate(self.labels)):
            if n[i]:
                of = (both[i, k, k], both[i, other, other], both[i, k, other], n[i])
                found = PairedRate(*map(float, of))
                row = Estimate(metric, self.attribute, label, "difference", role="supplementary", method=PAIRED)
                row = row.changed(model=self.models[k], versus=self.models[other], n=float(n[i]))
                row = row.changed(events=found.first + found.second - 2 * found.both)
                low, high = map(float, found.limits(self.level))
                error = float(found.std_error)
                rows.append(row.with_interval(float(found.change), low, high, self.level, std_error=error))
        return rows

    def predictive(self, hits: Floats, predicted: Floats) -> tuple[list[Estimate], list[Estimate]]:
        """The changes of the gap in the positive predictive value, which are one family, and the values.

        hits, predicted: of whom two models predict it those with the outcome, and all, shape (groups, models, models).
        """
        metric, beside, joint = "PPV", list[Estimate](), self.level_alone
        rate_method, gap_method = (WILSON, GAP) if self.joint else (WILSON_ALONE, GAP_ALONE)
        for k, model in enumerate(self.models):
            y, n = hits[:, k, k], predicted[:, k, k]
            about = Estimate(metric, self.attribute, model=model, role="supplementary")
            for i, label in enumerate(self.labels):
                if n[i]:
                    row = about.changed(group=label, n=float(n[i]), events=float(y[i]), method=rate_method)
                    low, high = wilson(y[i], n[i], joint)
                    beside.append(row.with_interval(float(y[i] / n[i]), float(low), float(high), joint))
            for i, row in self._others(about.changed(contrast="difference", method=gap_method)):
                if n[i] and n[self.reference]:
                    at = i, self.reference
                    low, high = miettinen_nurminen(y[i], n[i], y[at[1]], n[at[1]], joint)
                    row = row.changed(n=float(n[i]), events=float(y[i]))
                    gap = float(y[i] / n[i] - y[at[1]] / n[at[1]])
                    beside.append(row.with_interval(gap, float(low), float(high), joint))
        members: list[tuple[Estimate, PairedPredictive]] = []
        for k, other in self.pairs:
            models = Estimate(metric, self.attribute, model=self.models[k], versus=self.models[other])
            of = [np.stack([v[:, k, k], v[:, other, other], v[:, k, other]], axis=1) for v in (hits, predicted)]
            for i, row in self._others(models.changed(contrast="difference")):
                found = PairedPredictive(*(v[[i, self.reference]] for v in of))
                if found.predicted[:, :2].all():
                    members.append((row.changed(n=float(found.predicted[0] @ [1, 1, -1]), method=PREDICTIVE), found))
                else:
                    beside.append(row.changed(status="unestimable", reason=NOBODY_PREDICTED))
        return self._decided(members, beside)

    def each_predictive(self, hits: Floats, predicted: Floats) -> list[Estimate]:
        """The change of the positive predictive value of every group, from one model to the other."""
        rows = []
        for k, other in self.pairs:
            of = [np.stack([v[:, k, k], v[:, other, other], v[:, k, other]], axis=1) for v in (hits, predicted)]
            known = np.flatnonzero(of[1][:, :2].all(axis=1))
            found = PairedPredictive(*(v[known] for v in of))
            labels = [self.labels[i] for i in known]
            for label, n, (change, low, high, error) in zip(
                labels, found.predicted @ [1, 1, -1], found.each(self.level), strict=True
            ):
                row = Estimate("PPV", self.attribute, label, "difference", role="supplementary", method=ONE_PREDICTIVE)
                row = row.changed(model=self.models[k], versus=self.models[other], n=float(n))
                rows.append(row.with_interval(change, low, high, self.level, std_error=error))
        return rows

    def areas(
        self, codes: NDArray[np.intp], scores: Floats, positive: NDArray[np.bool_]
    ) -> tuple[list[Estimate], list[Estimate]]:
        """The changes of the gap in AUC, which are one family, and the AUCs; scores: shape (people, models)."""
        beside: list[Estimate] = []
        found = [Areas.of(scores[codes == i], positive[codes == i]) for i in range(len(self.labels))]
        everybody = Areas.of(scores, positive)
        joint = 1 - (1 - self.level) / 2
        for k, model in enumerate(self.models):
            about = Estimate(AREA, self.attribute, model=model, role="supplementary")
            for label, areas in zip((*self.labels, ""), (*found, everybody), strict=True):
                beside.append(auc_row(areas.alone(k, joint), about.changed(group=label), joint))
            for i, row in self._others(about.changed(contrast="difference")):
                current, base = (StudentArea(found[at].alone(k, joint)) for at in (i, self.reference))
                beside.append(auc_gap_row(AreaGap(current, base), row.changed(n=float(found[i].n)), joint))
        members: list[tuple[Estimate, PairedAreas | PairedArea]] = []
        for k, other in self.pairs:
            models = Estimate(AREA, self.attribute, model=self.models[k], versus=self.models[other])
            whole = PairedArea(everybody, k, other)
            if whole.known:
                row = models.changed(contrast="difference", n=float(everybody.n), method=ONE_AREA)
                members.append((row, whole))
            for i, row in self._others(models.changed(contrast="difference")):
                row = row.changed(n=float(found[i].n), method=PAIRED_AREAS)
                change = PairedAreas(found[i], found[self.reference], k, other)
                if change.known:
                    members.append((row, change))
                else:
                    beside.append(row.changed(status="unestimable", reason=ONE_OUTCOME))
        return self._decided(members, beside)

    def _others(self, about: Estimate) -> list[tuple[int, Estimate]]:
        """The place of every group but the reference, and its row."""
        reference = self.labels[self.reference]
        return [
            (i, about.changed(group=label, reference=reference))
            for i, label in enumerate(self.labels) if i != self.reference
        ]  # fmt: skip

    def _decided(
        self, members: Sequence[tuple[Estimate, Change]], beside: list[Estimate]
    ) -> tuple[list[Estimate], list[Estimate]]:
        if not members:
            return [], beside
        family = Family(self.level, self.p_adjust, margins=Margins(difference=self.margin))
        of = [self._comparison(row, found) for row, found in members]
        main = list(decided(Undecided(of, family, alone=True)))
        pairs = zip(main, (found for _, found in members), strict=True)
        return main, [
            *beside,
            *(_sum(row, found) for row, found in pairs if not isinstance(found, PairedRate | PairedArea)),
        ]

    def _comparison(self, about: Estimate, found: Change) -> Comparison:
        limits_at = cache(found.limits)
        p = p_outside(limits_at, 0.0)
        equal = () if self.margin is None else (p_within(limits_at, -self.margin, self.margin),)

        def rows(level: float) -> list[Estimate]:
            row = about.with_interval(found.change, *limits_at(level), level, std_error=found.std_error)
            return [row.changed(p_value=p)]

        return Comparison(p, rows, equal)

    def alone(self, metric: str, n: Floats, both: Floats) -> list[Estimate]:
        """Rates and gaps of every model."""
        size, base, level = len(self.labels), self.reference, self.level_alone
        rate_method, gap_method = (WILSON, GAP) if self.joint else (WILSON_ALONE, GAP_ALONE)
        sums = np.einsum("gmm->mg", both)
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
                row = about.changed(group=label, n=float(n[i]), events=float(sums[k, i]), method=rate_method)
                low, high = map(float, limits[:, k, i])
                rows.append(row.with_interval(float(sums[k, i] / n[i]), low, high, level))
            for j, (i, label) in enumerate(apart):
                assert gaps is not None
                row = about.changed(group=label, contrast="difference", reference=self.labels[base], method=gap_method)
                row = row.changed(n=float(n[i]), events=float(sums[k, i]))
                gap = float(sums[k, i] / n[i] - sums[k, base] / n[base])
                low, high = map(float, gaps[:, k, j])
                rows.append(row.with_interval(gap, low, high, level))
        return rows


def _sum(row: Estimate, found: PairedGap | PairedPredictive | PairedAreas) -> Estimate:
    """The sum of both gaps at the level of their change: where both have a sign, these say which gap is the larger."""
    low, high = found.sum_limits(row.conf_level)
    plain = Estimate(row.metric, row.attribute, row.group, "difference", row.reference, estimator=SUM, n=row.n)
    plain = plain.changed(model=row.model, versus=row.versus, role="supplementary", method=CORRELATED)
    return plain.with_interval(found.sum, low, high, row.conf_level)


def _sentence(of: Sequence[Estimate], rows: Estimates) -> str:
    """On a change that is shown, or on those of one gap between several pairs of models."""
    row = of[0]
    if len(of) > 1:
        names = {name for one in of for name in (one.versus, one.model)}
        every = rows.only(metric=row.metric, group=row.group, contrast="difference", versus="")
        gaps = {one.model: one.estimate for one in every if not one.estimator}
        each = [
            WITH_MODEL.format(gap=(_number if k else _size)(row, gaps[name]), model=DataText(name))
            for k, name in enumerate(name for name in gaps if name in names)
        ]
        by_side = {-1: OF_PAIRS_SMALLER, 1: OF_PAIRS_LARGER, 0: OF_PAIRS_CHANGED}
        changes = [_of_gaps(by_side[larger(one, rows)], one, rows) for one in of]
        about = {"group": data_text(row), "reference": DataText(row.reference, row.attribute)}
        return OF_PAIRS.format(rate=RATES[row.metric], gaps=listed(each), changes=joined(changes), **about)
    if row.group:
        return _of_gaps({1: LARGER, -1: SMALLER, 0: CHANGED}[larger(row, rows)], row, rows)
    more, less = (HIGHER_AREA, LOWER_AREA) if row.metric == AREA else (MORE_ACCURATE, LESS_ACCURATE)
    if row.estimate > 0:
        return more.format(**_named_in(row))
    return less.format(**_named_in(negated(row)))


def wrong_more_often(rows: Estimates) -> list[Estimate]:
    """The accuracies whose limits are below one half, and then the AUCs; rows: of models, without those of changes."""
    return [
        row for metric in ("accuracy", AREA) for row in rows.only(metric=metric, group="", contrast="none", versus="")
        if row.model and row.conf_high < 0.5
    ]  # fmt: skip


def less_than_half(rows: Estimates, of_people: Message = LESS_THAN_HALF) -> list[str]:
    """Which models are right for less than half of the people, or rank them worse than chance; what that may be.

    rows: of models, without those of changes. of_people: the sentence on accuracy.
    """
    lines: list[str] = []
    for metric, said, one, turned in (
        ("accuracy", of_people, OF_ONE_MODEL, TURNED_ROUND),
        (AREA, LESS_THAN_EVEN, OF_ONE_AREA, RANKED_ROUND),
    ):
        found = [row for row in wrong_more_often(rows) if row.metric == metric]
        each = [one.format(share=_number(row, row.estimate), **_named_in(row)) for row in found]
        lines += [said.format(list=listed(each, MOST_SAID))] if found else []
        lines += [turned] if any(_agreement(rows, row.model).side <= 0 for row in found) else []
    return lines


def _agreement(rows: Estimates, model: str) -> Agreement:
    """Of a rare outcome most predictions may be wrong, and the opposite ones no better."""
    rates = rows.only(metric=("TPR", "FPR"), model=model, contrast="none", versus="")
    return agreement(row for row in rates if row.group)


def _one_answer(rows: Estimates, share: float) -> list[str]:
    """Which models are right for no more people than one answer for everybody, the commoner outcome, would be."""
    each = [RIGHT_OF.format(model=DataText(row.model), share=percent(row.estimate)) for row in _no_better(rows, share)]
    return [ONE_ANSWER.format(share=percent(share), list=listed(each, MOST_SAID))] if each else []


def _no_better(rows: Estimates, share: float) -> list[Estimate]:
    """The accuracies of everybody that are no higher than a share."""
    right = rows.only(metric="accuracy", group="", contrast="none", versus="")
    return [row for row in right if row.estimate <= share]


def spoken_last(rows: Estimates) -> set[str]:
    """Models that err as often as one answer for everybody, or more than by chance: a small gap is no merit of theirs.

    So are those that select everybody or nobody. Those that one answer for everybody equals are not among them where
    it equals all models.
    """
    models = {row.model for row in rows.only(contrast="none", versus="") if row.model}
    about = {"model": min(models, default=""), "contrast": "none", "versus": ""}
    have, lack = (sum(row.n for row in rows.only(metric=name, **about) if row.group) for name in ("TPR", "FPR"))
    equaled = {row.model for row in _no_better(rows, max(have, lack) / (have + lack) if have + lack else 0.0)}
    wrong = {row.model for row in wrong_more_often(rows)} | _of_one_way(rows)
    return wrong | (equaled if equaled < models else set())


def _of_one_way(rows: Estimates) -> set[str]:
    """Models that select everybody or nobody."""
    counts: dict[str, list[float]] = {}
    for row in rows.only(metric="selection rate", contrast="none", versus=""):
        if row.model and row.group:
            counts.setdefault(row.model, []).extend((row.events, row.n - row.events))
    return {name for name, of in counts.items() if not any(of[::2]) or not any(of[1::2])}


def _ahead(main: Sequence[Estimate], rows: Estimates, baseline: str) -> list[Message]:
    """Models shown to be right more often than the baseline and to leave smaller gaps, the smallest first."""
    gaps = [row for row in main if row.metric == "selection rate" and row.group and row.versus == baseline]
    right = [row for row in main if row.metric == "accuracy" and not row.group and row.versus == baseline]
    found, last = list[tuple[float, Message]](), spoken_last(rows)
    for row in (row for row in right if row.verdict in SHOWN and row.estimate > 0 and row.model not in last):
        of = [gap for gap in gaps if gap.model == row.model]
        if of and all(gap.verdict in SHOWN and larger(gap, rows) < 0 for gap in of):
            size = max(abs(before_and_after(gap, rows)[1]) for gap in of)
            found.append((size, AHEAD.format(model=DataText(row.model), baseline=DataText(baseline))))
    return [said for _, said in sorted(found, key=lambda one: one[0])][:MOST_SAID]


def largest_gaps(rows: Estimates, metric: str = "selection rate") -> list[Estimate]:
    """Of each model the largest gap in a rate of the groups with FEWEST people or more; none of a single group."""
    of = rows.only(metric=metric, contrast="none", versus="", given="")
    least = {name: min(row.n for row in of if row.group == name) for name in {row.group for row in of} - {""}}
    gaps = [row for row in rows.only(metric=metric, contrast="difference", versus="", status="ok", given="")
            if row.model and not row.estimator and least[row.group] >= FEWEST]  # fmt: skip
    if len(least) < 3:  # a reference and one group
        return []
    names = dict.fromkeys(row.model for row in gaps)
    return [max((row for row in gaps if row.model == name), key=lambda row: abs(row.estimate)) for name in names]


def first_of_gaps(row: Estimate, rows: Estimates) -> tuple[bool, bool, bool, float, float, float]:
    """What orders the changes of a rate's gaps: those shown, of these the one whose limits are farthest from 0.

    Groups of few people come last, and before them changes of which it is open which gap is the larger. Without limits,
    or where nothing is shown, the smallest p-value is the first.
    """
    shown = row.verdict in SHOWN
    of = rows.only(metric=row.metric, group=row.group, contrast="none", versus="")
    few = min((one.n for one in of), default=0.0) < FEWEST
    clear = min(abs(row.conf_low), abs(row.conf_high)) if shown and row.conf_low == row.conf_low else 0.0
    return not shown, few, shown and not larger(row, rows), -clear, row.p_adjusted, -abs(row.estimate)


def changes(rows: Estimates, metric: str) -> list[Estimate]:
    """The shown changes of the gap in a rate, the clearest beside the baseline first; `spoken_last` come last."""
    of, last = [row for row in rows.only(metric=metric) if row.group and row.verdict in SHOWN], spoken_last(rows)
    pairs = [row for row in rows.only(metric=metric) if row.versus]
    baseline = {row.versus for row in pairs} - {row.model for row in pairs}  # of every pair the one that comes first

    def order(row: Estimate) -> tuple[Any, ...]:
        found = first_of_gaps(row, rows)
        return not last.isdisjoint((row.model, row.versus)), found[:2], row.versus not in baseline, found[2:]

    return sorted(of, key=order)


def of_models(rows: Estimates, metric: str, group: str, contrast: str = "difference") -> list[Estimate]:
    """A row a model, the smallest gap or the highest rate first."""
    found = rows.only(metric=metric, group=group, contrast=contrast, versus="", status="ok", estimator="")
    order = (lambda row: abs(row.estimate)) if contrast == "difference" else (lambda row: -row.estimate)
    return sorted((row for row in found if row.model and row.estimate == row.estimate), key=order)


def fewest(rows: Estimates, metric: str, group: str) -> float:
    """The fewest people that a share of the group or of its reference is of, over the models."""
    gaps = rows.only(metric=metric, group=group, contrast="difference")
    (reference,) = {row.reference for row in gaps if row.reference}
    of = [rows.only(metric=metric, group=one, contrast="none", versus="") for one in (group, reference)]
    return min((min((row.n for row in found if row.model), default=0.0) for found in of), default=0.0)


def lead(rows: Estimates, metric: str) -> Estimate | None:
    """The gap that the sentences on a rate are about: a shown change first, then of FEWEST people or more a shown gap.

    A gap alone is not adjusted for all groups and models, so that of a handful of people comes last.
    """
    changed = {row.group: float(i) for i, row in reversed([*enumerate(changes(rows, metric))])}
    last = spoken_last(rows)

    def order(row: Estimate) -> tuple[float, bool, bool, bool, float]:
        small, width = fewest(rows, metric, row.group) < FEWEST, row.conf_high - row.conf_low
        apart, clear = row.conf_low > 0 or row.conf_high < 0, -abs(row.estimate) / width if width > 0 else 0.0
        return changed.get(row.group, np.inf), small, not apart, row.model in last, clear

    groups = dict.fromkeys(row.group for row in rows.only(metric=metric, contrast="difference", versus=""))
    gaps = [(order(row), row) for group in groups for row in of_models(rows, metric, group)]
    of = [(first, row) for first, row in gaps if row.group in changed or not first[2] or not first[1]]
    return min(of, key=lambda one: one[0], default=(None, None))[1]


def _largest(rows: Estimates, first: Estimate | None, models: int) -> list[str]:
    """The largest gap of any group with each model, and with which the gap of the first one is smallest and largest."""
    gaps = largest_gaps(rows)
    same = first is not None and {row.group for row in gaps} == {first.group}
    smallest = [] if first is None or (models < 3 and not same) else _smallest(rows, first, same)
    if not gaps or (same and smallest):
        return smallest
    one = gaps[0]
    alike = len({row.group for row in gaps}) == 1
    each = [
        (WITH_MODEL if alike else WITH_MODEL_OF).format(
            gap=_size(row, row.estimate) if row is one else _number(row, row.estimate),
            model=DataText(row.model),
            group=data_text(row),
        )
        for row in gaps
    ]
    about = {"group": data_text(one), "reference": DataText(one.reference, one.attribute)}
    template = LARGEST_OF if alike else LARGEST
    return [template.format(rate=RATES[one.metric], each=listed(each, MOST_SAID), fewest=FEWEST, **about), *smallest]


def _smallest(rows: Estimates, first: Estimate, largest: bool) -> list[str]:
    """With which model a gap is smallest and largest, with both shares; nothing where all are alike.

    largest: whether it is the largest of any group with every model.
    """
    least, most = (of := of_models(rows, first.metric, first.group))[0], of[-1]
    if abs(least.estimate) == abs(most.estimate):
        return []
    shares = [
        percent(rows.only(metric=gap.metric, model=gap.model, group=group, contrast="none", versus="")[0].estimate)
        for gap in (least, most)
        for group in (first.group, first.reference)
    ]
    return [
        (SMALLEST_OF if largest else SMALLEST).format(
            fewest=FEWEST,
            rate=RATES[first.metric], group=data_text(first), reference=DataText(first.reference, first.attribute),
            model=DataText(least.model), worst=DataText(most.model), gap=_size(least, least.estimate),
            most=_number(most, most.estimate),
            **dict(zip(("share", "other", "share_of", "other_of"), shares, strict=True)),
        )
    ]  # fmt: skip


def _pairs(
    main: Sequence[Estimate],
    rows: Estimates,
    margin: float,
    lead: Estimate | None,
    last: set[str],
    most: int,
    baseline: str,
) -> tuple[list[str], list[Estimate]]:
    """Of each pair of models which leaves the smaller gap in selection, and their accuracy; and the rows of that.

    lead: the gap that is spoken of first. Pairs of the baseline come first, then those of which it is shown which gap
    is the smaller. last: models whose pairs come after all others. most: pairs that have a sentence.
    """
    pairs: dict[tuple[str, str], list[Estimate]] = {(row.model, row.versus): [] for row in main}
    for row in main:
        if row.metric == "selection rate" and row.group:
            pairs[row.model, row.versus].append(row)

    def order(row: Estimate) -> tuple[Any, ...]:
        other = row.verdict not in SHOWN and lead is not None and row.group != lead.group
        return row.verdict not in SHOWN, other, first_of_gaps(row, rows)

    firsts = {pair: min(gaps, key=order) for pair, gaps in pairs.items() if gaps}

    def place(pair: tuple[str, str]) -> tuple[Any, ...]:
        about = baseline not in pair, not larger(firsts[pair], rows)
        return not last.isdisjoint(pair), *about, order(firsts[pair])

    ordered = sorted(firsts, key=place)
    ordered += [pair for pair in pairs if pair not in firsts]
    lines, answered = list[str](), list[Estimate]()
    for pair in ordered[:most]:
        of = [row for row in main if (row.model, row.versus) == pair]
        if gaps := pairs[pair]:
            first = firsts[pair]
            side = larger(first, rows)
            codes = {"equivalence shown": PAIR_ALIKE, "inconclusive": PAIR_OPEN}
            by_side = {-1: PAIR_SMALLER, 1: PAIR_LARGER, 0: codes.get(first.verdict, PAIR_CHANGED)}
            lines.append(_of_gaps(by_side[side], first, rows))
            if any(row.verdict != "inconclusive" for row in gaps if row is not first):
                about = {"model": DataText(first.model), "baseline": DataText(first.versus)}
                of_side: dict[str, list[DataText]] = {name: [] for name in OF_GROUPS}
                for row in [row for row in gaps if row is not first]:
                    of_side[direction(row, rows)].append(data_text(row))
                parts = [OF_GROUPS[name].format(groups=listed(of, MOST_SAID)) for name, of in of_side.items() if of]
                lines.append(PAIR_GROUPS.format(rate=RATES[first.metric], parts=joined(parts), **about))
            answered.append(first)
        for row in [row for row in of if row.metric == "accuracy" and not row.group]:
            share, other = (
                rows.only(metric="accuracy", group="", model=name, contrast="none", versus="")[0].estimate
                for name in pair
            )
            alike = PAIR_RIGHT_NEAR if _as_accurate(row, margin) else PAIR_RIGHT
            if row.verdict == "equivalence shown":
                alike = PAIR_RIGHT_LOWER if remains(row) else PAIR_RIGHT_BARELY if barely(row) else PAIR_RIGHT_ALIKE
            code = PAIR_RIGHT_CHANGED if row.verdict in SHOWN else alike
            named = _named_in(row) | {"change": difference_in_points(row.estimate, share, other)}
            named |= {"margin": percent(margin), "near": decisive_level(row), "level": level_text(row.conf_level)}
            lower = DataText(row.model if row.estimate < 0 else row.versus)
            lines.append(code.format(share=percent(share), other=percent(other), lower=lower, **named))
            answered.append(row)
    left = len(pairs) - most
    return lines + ([MORE_PAIRS.format(n=left)] if left > 0 else []), answered


def against(main: Sequence[Estimate], rows: Estimates) -> list[Estimate]:
    """The gaps that are shown to be larger with the model of a pair that leaves the smaller one in selection."""
    gaps = [row for row in main if row.metric == "selection rate" and row.group]
    gaps.sort(key=lambda row: -row.p_adjusted)  # of a pair the last one counts, which is the clearest
    sides = {(row.model, row.versus): larger(row, rows) for row in gaps}
    shown = [row for row in main if row.group and row.verdict in SHOWN]
    return [row for row in shown if larger(row, rows) * sides.get((row.model, row.versus), 0) < 0]


def _of_gaps(code: Message, row: Estimate, rows: Estimates, margin: str = "") -> str:
    """A sentence on the gaps that two models leave, whose change has the sign that it has in the table."""
    total = sum_of_gaps(row, rows)
    other, gap = before_and_after(row, rows)
    about = {"group": data_text(row), "reference": DataText(row.reference, row.attribute), "rate": RATES[row.metric]}
    named = _named_in(row)
    if row.metric != AREA:
        named["change"] = difference_in_points(row.estimate, gap, other)
    named["margin"] = margin
    named["sum"] = joined([_number(row, total.estimate), _named_in(total)["limits"]], ", ")
    line = code.format(gap=_size(row, gap), other=_number(row, other), **about, **named)
    return joined([line, NOT_ZERO], " ") if row.verdict == "equivalence shown" and remains(row) else line


def _named_in(row: Estimate) -> dict[str, Any]:
    """Both models of a row, the change and its limits."""
    low, high = (_number(row, end) for end in decisive_interval(row))
    about = {"model": DataText(row.model), "baseline": DataText(row.versus), "change": _number(row, row.estimate)}
    return about | {"limits": LIMITS.format(low=low, high=high) if row.conf_low == row.conf_low else limits(row)}


def _number(row: Estimate, value: float) -> str:
    return small(value, 3) if row.metric == AREA else percent(value)


def _size(row: Estimate, value: float) -> str:
    """With its unit."""
    number = _number(row, value)
    return number if row.metric == AREA else POINTS.format(n=number)


def _as_accurate(row: Estimate, margin: float) -> bool:
    """Whether a model is shown to lose no more accuracy than the margin, and not shown to be more accurate."""
    return row.metric != AREA and -margin < row.conf_low <= 0


def _within(main: Sequence[Estimate], rows: Estimates, margin: float) -> list[str]:
    """Which gaps differ by less than the margin or are no larger by more, and which models lose no more accuracy.

    A gap is larger in size by more than the margin only if the change is, on the side of the sign of both gaps' sum.
    """
    lines: list[str] = []
    for row in main:
        if not row.group:
            if _as_accurate(row, margin):
                lines.append(AS_ACCURATE.format(margin=percent(margin), **_named_in(row)))
        elif row.verdict not in SHOWN:
            as_large = row.verdict == "equivalence shown"
            if as_large or no_larger(row, rows, margin):
                lines.append(_of_gaps(AS_LARGE if as_large else NO_LARGER, row, rows, margin=_size(row, margin)))
    left = len(lines) - MOST_SAID
    return [*lines[:MOST_SAID], *([MORE_WITHIN.format(n=left)] if left > 0 else [])]


def _unsettled(main: Sequence[Estimate]) -> list[str]:
    """Of each rate in which something is not settled, the largest change that the data do not exclude."""
    parts, code, largest = list[str](), NOT_EXCLUDED, 0.0
    for metric, whole in dict.fromkeys((row.metric, not row.group) for row in main):
        rows = [row for row in main if (row.metric, not row.group) == (metric, whole)]
        if unsettled := [row for row in rows if row.verdict == "inconclusive"]:
            most = max(unsettled, key=lambda row: max(abs(row.conf_low), abs(row.conf_high)))
            limit = max(abs(most.conf_low), abs(most.conf_high))
            size, largest = _number(most, limit), max(largest, limit)
            about: dict[str, Any] = {"unsettled": len(unsettled), "count": len(rows)}
            about["what"] = (OF_EVERYBODY if whole else GAP_IN).format(rate=RATES[metric])
            about["most"] = size if metric == AREA else SHORT_POINTS.format(n=size)
            about |= {"group": data_text(most), "people": PERSON if most.n == 1 else PEOPLE.format(n=count(most.n))}
            several = len({row.group for row in rows}) > 1
            one = OPEN_GROUP if several else OPEN
            if most.conf_low != most.conf_low:
                one, code = UNSETTLED_IN, UNSETTLED
            parts.append(one.format(**about))
    lines: list[str] = [code.format(parts=joined(parts))] if parts else []
    return [*lines, *([SUM_OF_SIDES] if largest > 1 else [])]


def _one_way(about: Compared, events: NDArray[np.bool_]) -> list[str]:
    """Models that decide in one way about everybody, whose gap of 0 says nothing else of them."""
    one_way = [name for k, name in enumerate(about.models) if events[:, k].all() or not events[:, k].any()]
    return [ALL_ONE.format(model=DataText(name)) for name in one_way[:MOST_SAID]]


def _alike(about: Compared, events: NDArray[np.bool_]) -> list[str]:
    """Models that decide alike about everybody: a column or a threshold may be the wrong one."""
    names = [DataText(name) for name in about.models]
    same = [(k, i) for k, i in about.pairs if (events[:, k] == events[:, i]).all()]
    return [ALIKE.format(model=names[k], baseline=names[i]) for k, i in same[:MOST_SAID]]


def tallied(codes: NDArray[np.intp], events: NDArray[np.bool_], groups: int) -> tuple[Floats, Floats]:
    """People of each group, and whom two models count, shape (groups, models, models).

    codes: shape (n,). events: whom each model counts, shape (n, models).
    """
    n = np.bincount(codes, minlength=groups)
    parts = np.split(events[np.argsort(codes, kind="stable")].astype(float), np.cumsum(n)[:-1])
    return n.astype(float), np.stack([part.T @ part for part in parts])
