"""``alternatives()``: whether a candidate is as accurate as the model in use and leaves a smaller gap."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from fairstats.auditing.arguments import AuditArguments, DefaultLabel
from fairstats.auditing.group_studies import (
    MOST_SAID,
    GroupStudy,
    before_and_after,
    change_shown,
    data_text,
    direction,
    larger,
    largest,
    limits,
    margin_digits,
    no_larger,
    result_of,
    size_limit,
    sum_of_gaps,
)
from fairstats.auditing.models import (
    CHANGED,
    INCOMPLETE,
    NOT_EXCLUDED,
    PAIRED,
    POINTS,
    RATES,
    Compared,
    Decisions,
    baseline_of,
    less_than_half,
    named,
    people_of,
    tallied,
    wrong_more_often,
)
from fairstats.errors import Call, InputError, Setting, listing, nearest, with_hint
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.rates.paired import PairedRate
from fairstats.inference.rates.two_rates import miettinen_nurminen
from fairstats.labels import one_label
from fairstats.language import DataText, Message, enumerated, joined, listed, message
from fairstats.text import count, difference_in_points, percent
from fairstats.validation import (
    COLUMN,
    answering,
    between,
    choose,
    confidence,
    one_column,
    random_seed,
    renamed_arguments,
    word,
)

Floats = NDArray[np.float64]

ALTERNATIVES = message("Search for a less discriminatory alternative")
CHOSE = message("the half that chose")
FOUND = message(
    "“{model}” is a less discriminatory alternative to “{baseline}”: {rate}, {group} and {reference}: a gap of {gap} "
    "percentage points in place of {other} (change {change}, {limits}). Change of accuracy: {right} points "
    "({accuracy}); at most {margin} less were allowed. It was chosen on other people; candidates tried: {count}."
)
NOT_FOUND = message(
    "No less discriminatory alternative to “{baseline}” is shown. Candidates tried: {count}. The best among "
    "those who chose, “{model}”, has among the others, {rate}, {group} and {reference}, a gap of {gap} percentage "
    "points; that of “{baseline}” is {other} (change {change}, {limits}). Change of accuracy: {right} points "
    "({accuracy}); at most {margin} less were allowed."
)
NOT_FOUND_OF_ONE = message(
    "“{model}” is not shown to be a less discriminatory alternative to “{baseline}”. Among those who tested "
    "it has, {rate}, {group} and {reference}, a gap of {gap} percentage points; that of “{baseline}” is {other} "
    "(change {change}, {limits}). Change of accuracy: {right} points ({accuracy}); at most {margin} less were allowed."
)
ONE_NOT_BETTER = message(
    "“{model}” is not shown to be a less discriminatory alternative to “{baseline}”, and was not tested: {reason}."
)
LACKS_ACCURACY = message("among those who chose it is more than {margin} percentage points less accurate")
LACKS_GAP = message("among those who chose its {gap} is not smaller")
LACKS_BOTH = message(
    "among those who chose it is more than {margin} percentage points less accurate, and its {gap} is not smaller"
)
SHOWN_IN_PART = message(
    "“{model}” leaves a smaller gap between {group} and {reference} than “{baseline}” ({rate}: {gap} percentage points "
    "in place of {other}, change {change}, {limits}), and is at most {margin} points less accurate (change {right}, "
    "{accuracy}): both are shown. Not shown is that no gap of another group is more than {apart} points larger: "
    "{list}. So it is not called a less discriminatory alternative. Candidates tried: {count}."
)
MAY_BE_LARGER = message("that of {group} ({n} people who served to test) may be up to {most} points larger")
IS_LARGER = message("that of {group} ({n} people who served to test) is larger, by up to {most} points")
MORE_OF_THEM = message("further groups: {n}")
SETTLES = message(
    "What would settle it: among those who test about {list}, with {reference} in proportion (a chance of 80% or more "
    "if these gaps keep their size; roughly, by the limits found here); or a wider {setting}, declared before the "
    "numbers are seen, of more than {most} points here."
)
SETTLES_BY_MARGIN = message(
    "What would settle it: a wider {setting}, declared before the numbers are seen, of more than {most} points here."
)
PEOPLE_OF = message("{n} people of {group}")
NOT_SMALLER = message("Not shown is that the gap is smaller; that accuracy is at most {margin} points less is shown.")
NOT_AS_ACCURATE = message(
    "Not shown is that accuracy is at most {margin} points less; that the gap is smaller is shown."
)
NEITHER = message("Neither is it shown that the gap is smaller, nor that accuracy is at most {margin} points less.")
TURNED = message(
    "The gap is shown to change, as observed to the other side; which gap is the smaller in size would be shown if the "
    "limits of the sum of both gaps, {sum} points ({limits}), left out 0."
)
PERHAPS_TURNED = message(
    "The gap is shown to change, perhaps to the other side; which gap is the smaller in size would be shown if the "
    "limits of the sum of both gaps, {sum} points ({limits}), left out 0."
)
COMES_FROM = message("Where the change of the gap comes from, {rate}: {parts}.")
HIGHER_FOR = message("higher for {group} (change {change}, {limits})")
LOWER_FOR = message("lower for {group} (change {change}, {limits})")
OPEN_FOR = message("for {group} no change is shown (change {change}, {limits})")
NO_OTHER_LARGER = message("The gaps of the other groups are shown to be at most {margin} points larger: {list}.")
LARGER = message(
    "{group} and {reference}: the gap is larger with “{model}”, {gap} percentage points in place of {other} "
    "(change {change}, {limits})."
)
PERHAPS_LARGER = message(
    "{group} and {reference}: that the gap is at most {margin} points larger is not shown, {gap} percentage points in "
    "place of {other}; in size it may be up to {most} points larger (change {change}, {limits}; {n} people of the "
    "group served to test)."
)
FEW_PEOPLE = message("not compared, fewer than {n} people whom the rate is about in a half")
FEW = message("Not compared, with fewer than {n} people whom the rate is about in one of the halves: {list}.")
FROM_TO = message("From “{baseline}” to “{model}”, among the {n} people who tested:")
OF_GROUP = message("{group}: {changes}.")
FALLS = message("{rate} falls from {before}% to {after}% (change {change}, {limits})")
RISES = message("{rate} rises from {before}% to {after}% (change {change}, {limits})")
NO_CHANGE, GROUP_MOST = message("{rate} {list} points"), message("{group} {most}")
MORE_CHANGES = message("Further groups with changes, which the table has: {n}.")
GAP_GROWS = message(
    "{rate}, {group} and {reference}: the gap is larger with “{model}”, {gap} percentage points in place of {other} "
    "(change {change}, {limits})."
)
MAY_GROW = message("Gaps that are larger in size with “{model}” as observed, of which no change is shown: {parts}.")
GAP_MAY_GROW = message(
    "{rate}, {group} and {reference}, {gap} percentage points in place of {other} (change {change}, {limits})"
)
LARGEST_STILL = message(
    "Among those who tested, the gap between {group} and {reference} is the largest with “{model}” as well as with "
    "“{baseline}”."
)
LARGEST_NOW = message(
    "Among those who tested, the largest gap to {reference} is that of {group} with “{model}”, {gap} percentage "
    "points, and that of {before} with “{baseline}”, {other}."
)
LARGEST_DECIDES = message(
    "The gap between {group} and {reference} decides, the largest with “{baseline}” among people who served to "
    "choose. The {rate} of these groups rests on {n} and {m} people who served to choose, and on {k} and {l} who "
    "served to test."
)
NAMED_DECIDES = message(
    "The gap between {group} and {reference} decides, as this run was set. The {rate} of these groups rests on {n} "
    "and {m} people who served to choose, and on {k} and {l} who served to test."
)
DRAWN = message("The halves were drawn with seed {seed}; others may choose another candidate.")
DRAWN_OF_ONE = message("The halves were drawn with seed {seed}; others may show something else.")
NOBODY_BETTER = message(
    "No less discriminatory alternative is shown. Candidates tried: {count}; among those who chose, none is at most "
    "{margin} percentage points less accurate and has a smaller largest gap of any group."
)
NO_SMALLER_OF_GROUP = message(
    "No less discriminatory alternative is shown. Candidates tried: {count}; among those who chose, none is at most "
    "{margin} percentage points less accurate and has a smaller gap between {group} and {reference}."
)
NONE_LEFT = message(
    "No less discriminatory alternative is shown. Candidates tried: {count}; of none of them decisions are shown to "
    "depend on the outcome."
)
NOBODY_OF_REST = message(
    "No less discriminatory alternative is shown. Candidates tried: {count}; among those who chose, of the candidates "
    "whose decisions are shown to depend on the outcome none is at most {margin} percentage points less accurate and "
    "has a smaller largest gap of any group."
)
NO_SMALLER_OF_REST = message(
    "No less discriminatory alternative is shown. Candidates tried: {count}; among those who chose, of the candidates "
    "whose decisions are shown to depend on the outcome none is at most {margin} percentage points less accurate and "
    "has a smaller gap between {group} and {reference}."
)
EXCLUDED = message("“{model}” is not considered as an alternative: {reason}.")
ONE_WAY = message("it decides in one way about everybody who chose")
NOT_SHOWN_TO_PREDICT = message(
    "that its decisions depend on the outcome is not shown among those who chose (true less false positive rate)"
)
NO_SMALLER_GAP = message(
    "“{model}”: change of accuracy {right} points ({limits}), near enough; its gap is {gap} points, that of "
    "{group} ({n} people who chose), not smaller than that of “{baseline}”, {other} ({others})."
)
NOT_NEAR = message(
    "“{model}”: change of accuracy {right} points ({limits}), more than {margin} less; its gap is {gap} points, that "
    "of {group} ({n} people who chose), smaller than that of “{baseline}”, {other} ({others})."
)
NEITHER_NEAR_NOR_SMALLER = message(
    "“{model}”: change of accuracy {right} points ({limits}), more than {margin} less; its gap is {gap} points, that "
    "of {group} ({n} people who chose), not smaller than that of “{baseline}”, {other} ({others})."
)
LARGEST_GAP = message("largest gap of any group")
GAP_BETWEEN = message("gap between {group} and {reference}")
CHOSEN = message(
    "Chosen was “{model}”: of the candidates that those who chose show to be at most {margin} points less accurate "
    "than “{baseline}”, the one whose {gap} is the smallest."
)
CHOSEN_AS_OBSERVED = message(
    "Chosen was “{model}”: of the candidates that are, as observed among those who chose, at most {margin} points less "
    "accurate than “{baseline}”, the one whose {gap} is the smallest; none that is shown to be so came before it."
)
TESTED = message(
    "“{model}” was tested, because those who chose show it to be at most {margin} points less accurate than "
    "“{baseline}”, and its {gap} is smaller among them."
)
TESTED_AS_OBSERVED = message(
    "“{model}” was tested, because among those who chose it is, as observed, at most {margin} points less accurate "
    "than “{baseline}”, and its {gap} is smaller."
)
OTHERS_LAST = message("Candidates with which another gap is more than {apart} points larger, as observed, came last.")
NONE_BUT_LAST = message(
    "With “{model}” the gap of {group} is {grown} points larger than with “{baseline}”, as observed, and {apart} are "
    "allowed: without that no candidate that is near enough leaves a smaller gap than “{baseline}”."
)
PASSED_OVER = message(
    "“{model}” was not chosen, although its gap, {gap} points ({group}), is smaller in size than that of “{best}”, "
    "{other} ({others}), among those who chose: {reasons}."
)
NOT_SHOWN_NEAR = message(
    "that it is at most {margin} points less accurate is not shown (change of accuracy {right}, {limits})"
)
NOT_OBSERVED_NEAR = message(
    "as observed it is more than {margin} points less accurate (change of accuracy {right}, {limits})"
)
OTHER_GAP = message("the gap of {group} is {grown} points larger than with “{baseline}”, and {apart} are allowed")
MORE_CANDIDATES = message("Further candidates, which the table has: {n}.")
MORE_PASSED_OVER = message("Further candidates with a smaller gap that were not chosen, which the table has: {n}.")
LESS_WHO_CHOSE = message("Models that are right for less than half of the people who chose: {list}.")
SOUGHT = message("Candidates are compared by their largest gap of any group.")
DECLARED = message("{setting} lets the gap of one group decide that was declared beforehand.")
UNUSED = message("No candidate was tested: the {n} people of the other half are not used yet.")
ONE_CANDIDATE = message(
    "With one candidate half of the people choose as well: whether it is considered, and which gap decides. "
    "{compare_models} uses all people, and may show what half of them do not.",
    compare_models=Call("compare_models"),
)
MOST_CHANGES = 6  # groups
CHANCE = 0.8  # that as many people show it, on both sides of 0
FEWEST = 30  # people of a group in either half: below, chance decides which gap is the largest


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
    gap_margin: float | None = None,
    split: str | None = None,
    threshold: float | None = None,
    favorable: Any = AuditArguments.favorable,
    positive: Any = AuditArguments.positive,
    positive_prediction: Any = AuditArguments.positive_prediction,
    reference: str | None = None,
    group: str | None = None,
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
    gap_margin : float, optional
        By how much the gap of any other group may be larger; as much as `margin` by default.
    split : str, optional
        A column that is 1 for who chooses and 0 for who tests; drawn by `seed`, within groups, by default.
    threshold, favorable, positive, positive_prediction, reference
        As in `compare_models`.
    group : str, optional
        The group whose gap to the reference decides which candidate is chosen, and whether it is an alternative; by
        default that with the largest gap.
    conf_level : float
    seed : int

    Returns
    -------
    GroupStudy
        The change of the gap of the group that the model in use treats most unlike the reference, and of the accuracy,
        of the candidate that was chosen, among those who test; of role "supplementary" the gaps in other rates and of
        other groups, and the rates of every group (``by_rate()``). Of every candidate gap and accuracy among those who
        chose (``given``; ``by_candidate()``).

    Raises
    ------
    InputError
        If a column is unknown or unusable for its role, a half lacks a group, or no two groups have enough people.

    Notes
    -----
    Of the candidates that those who choose show to be at most `margin` less accurate, the one with the smallest largest
    gap is chosen; where none of these has a smaller gap, of those that are near enough as observed. Those of which
    another group's gap is more than `gap_margin` larger, as observed, come after all others. An alternative is
    found if the other half shows that its gap is smaller in size, that it is at most `margin` less accurate, and that
    no gap of another group is more than `gap_margin` larger; all claims have to hold, so that none
    needs an adjustment (Berger, 1982). Not considered is a candidate whose decisions are not shown by those who choose
    to depend on the outcome (true positive rate above false positive rate), such as one that says yes to everybody.
    Groups of fewer than 30 people whom the rate is about in either half neither
    choose nor test.

    References
    ----------
    Cox (1975), Biometrika 62, 441-444 (data splitting); Berger (1982), Technometrics 24, 295-300 (claims that all have
    to hold); Tango (1998), Statistics in Medicine 17, 891-908.

    Examples
    --------
    >>> import fairstats as fs
    >>> people = {"sex": ["f", "m"] * 200, "y": [0, 0, 1, 1] * 100, "old": [0, 1] * 200, "new": [0, 0, 1, 1] * 100}
    >>> result = fs.alternatives(people, ["old", "new"], "sex", outcome="y", reference="m")
    >>> result.statements[0][:51]
    '“new” is a less discriminatory alternative to “old”'
    """
    names = named(candidates, "candidates")
    level, by, drawn = confidence(conf_level), one_column("groups", groups), random_seed(seed)
    choose("metric", metric, dict.fromkeys(("selection rate", "TPR", "FPR")))
    margin = between("margin", margin, 0, 1, "pass 0.02 for 2 percentage points")
    apart = margin
    if gap_margin is not None:
        apart = between("gap_margin", gap_margin, 0, 1, "pass 0.05 for 5 percentage points")
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
    about = Compared(by, people.labels, base, tuple(names), (), level, margin, "none", joint=False)
    tried = [
        row.changed(given=CHOSE)
        for rate in (metric, "accuracy")
        for row in about.alone(rate, *_among(people, rate, choosing))
    ]
    few = _few(people, metric, choosing)
    compared = [label for label in people.labels if label not in few and label != people.labels[base]]
    if not compared or people.labels[base] in few:
        raise InputError(
            "groups",
            f"has {by!r} with fewer than {FEWEST} people of {listing(few)} in a half, whom the {metric} is about; a "
            "gap needs two groups of as many; join small groups, or pass more people.",
        )
    decides = None if group is None else _named_group(group, compared, people.labels, base)
    right = _among(people, "accuracy", choosing)
    of = _tried(Estimates(tried), metric, list(names), first, right, level, compared, decides)
    useless = _useless(people, choosing, list(names), first, level)
    considered = {name: one for name, one in of.items() if name not in useless}
    best, lacks = _chosen(considered, first, margin, apart)
    widest = of[first].widest.group
    rows = [*tried, *(one.right for name, one in of.items() if name != first)]
    rows = [row.changed(reason=useless[row.model]) if row.model in useless else row for row in rows]
    at, whom = [people.labels.index(widest), base], people.counted[metric][0]
    sizes = [np.bincount(people.codes[whom & half], minlength=len(people.labels))[at] for half in (choosing, ~choosing)]
    both = {"group": DataText(widest, by), "reference": DataText(people.labels[base], by)}
    deciding = (LARGEST_DECIDES if decides is None else NAMED_DECIDES).format(
        **both, baseline=DataText(first), rate=RATES[metric],
        **dict(zip("nmkl", map(count, np.ravel(sizes).astype(float)), strict=True)),
    )  # fmt: skip
    there = np.bincount(people.codes[whom & choosing], minlength=len(people.labels)).astype(float)
    nobody = NOBODY_BETTER if decides is None else NO_SMALLER_OF_GROUP
    if useless:
        nobody = NOBODY_OF_REST if decides is None else NO_SMALLER_OF_REST
        nobody = NONE_LEFT if len(useless) == len(names) - 1 else nobody
    excluded = [EXCLUDED.format(model=DataText(name), reason=why) for name, why in useless.items()]
    excluded[MOST_SAID:] = [MORE_CANDIDATES.format(n=len(excluded) - MOST_SAID)] if excluded[MOST_SAID:] else []
    gap_words = GAP_BETWEEN.format(**both) if decides else LARGEST_GAP
    lines: list[str] = [nobody.format(count=len(names) - 1, margin=percent(margin), **both)]
    if len(names) == 2:
        lines, excluded = [_not_better(of, useless, first, margin, gap_words)], []
    lines += _none_better(considered, first, margin, dict(zip(people.labels, there, strict=True)))
    if decides is not None:
        lines.append(deciding)
    elif len(compared) > 1:
        lines += [SOUGHT, DECLARED.format(setting=Setting("group", ...))]
    lines.append(UNUSED.format(n=count(float((~choosing).sum()))))
    if best:
        pair = [list(names).index(name) for name in (first, best)]
        test = replace(about, models=(first, best), pairs=((1, 0),))
        main, others = [], list[Estimate]()
        # the margin is of what accuracy may lose: no equality is tested, and a gap smaller by less than it is smaller
        test = replace(test, margin=None)
        for rate in (metric, "accuracy"):
            counted = _among(people, rate, ~choosing, pair)
            built, beside = test.rate(rate, *counted)
            rows += [*beside, *test.each(rate, *counted)]
            others += [row for row in built if rate == metric and row.group in compared and row.group != widest]
            main += [row if row.group == (widest if rate == metric else "") else _beside(row, few) for row in built]
        rest, beside = _other_rates(test, people, metric, ~choosing, pair)
        rows += beside
        lines = _found(main, others, Estimates(rows), len(names) - 1, margin, apart)
        gap = next(row for row in main if row.role == "main")
        lines += _largest_now(Estimates(rows), gap, compared) if len(compared) > 1 else []
        lines.append(deciding)
        lines += _of_choice(of, first, best, margin, apart, gap_words)
        lines += _passed_over(of, first, best, margin, apart, lacks)
        about_models = {"model": DataText(best), "baseline": DataText(first)}
        lines.append(FROM_TO.format(n=count(float((~choosing).sum())), **about_models))
        lines += _by_group(Estimates(rows), metric, [*compared, people.labels[base]])
        elsewhere = [row for row in [*main, *rest] if row.group in compared and row.metric != metric]
        every = Estimates(rows)
        quoted = [row for row in others if not no_larger(row, every, apart)]
        lines += _larger_elsewhere([row for row in others if row not in quoted] + elsewhere, every)
        rows = [*main, *rest, *rows]
    lines[1:1] = excluded
    wrong = {row.model for row in wrong_more_often(Estimates(tried))}
    place = 0 if wrong & {first, best} else 1  # before the answer where that is about such a model
    lines[place:place] = less_than_half(Estimates(tried), LESS_WHO_CHOSE)
    lines += [ONE_CANDIDATE] if len(names) == 2 else []
    lines += [(DRAWN_OF_ONE if len(names) == 2 else DRAWN).format(seed=drawn)] if split is None else []
    lines += [FEW.format(n=FEWEST, list=_listed(few, by))] if few else []
    lines += [INCOMPLETE.format(n=count(people.lost))] if people.lost else []
    settings: dict[str, Any] = {"candidates": names, "groups": by, "outcome": outcome, "baseline": first}
    settings |= {
        "metric": metric,
        "margin": margin,
        "gap_margin": gap_margin,
        "split": split,
        "threshold": threshold,
        "reference": reference,
    }
    settings |= {"group": decides}
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


def _few(people: Decisions, rate: str, choosing: NDArray[np.bool_]) -> list[str]:
    """The groups of too few people, whom the rate is about, in a half."""
    whom, size = people.counted[rate][0], len(people.labels)
    least = np.minimum(*(np.bincount(people.codes[whom & half], minlength=size) for half in (choosing, ~choosing)))
    return [label for label, n in zip(people.labels, least, strict=True) if n < FEWEST]


def _named_group(group: str, compared: Sequence[str], labels: Sequence[str], base: int) -> str:
    """The group that was named, which has to be one that is compared."""
    name = one_label("group", group)
    if name not in labels:
        way = f"the groups are {listing(labels)}; name one of these."
        raise InputError("group", with_hint(f"has {name!r}", nearest(name, labels), way))
    if name == labels[base]:
        raise InputError("group", f"has {name!r}, which is the reference; name another group, or another reference.")
    if name not in compared:
        raise InputError(
            "group",
            f"has {name!r}, of whom fewer than {FEWEST} people in a half are those the rate is about; name one of "
            f"{listing(compared)}, or pass more people.",
        )
    return name


@dataclass(frozen=True)
class Candidate:
    """A candidate among those who choose: the change of its accuracy, the gap that decides, and the others."""

    right: Estimate
    widest: Estimate
    grown: float  # by how much the gap of a group that does not decide is larger than with the model in use, at most
    grower: str  # that group

    @property
    def model(self) -> str:
        """Its name."""
        return self.right.model

    @property
    def gap(self) -> float:
        """The size of the gap that decides."""
        return abs(self.widest.estimate)


def _tried(
    rows: Estimates,
    metric: str,
    names: list[str],
    first: str,
    counted: tuple[Floats, Floats],
    level: float,
    compared: Sequence[str],
    decides: str | None,
) -> dict[str, Candidate]:
    """Every model by its name. counted: people by group, and about whom two models are right."""
    (n, right), i = counted, names.index(first)
    both = right.sum(axis=0)
    change = PairedRate(both.diagonal(), both[i, i], both[i], n.sum())
    about = Estimate("accuracy", contrast="difference", versus=first, role="supplementary", method=PAIRED, given=CHOSE)
    about = about.changed(attribute=rows[0].attribute, n=float(n.sum()))
    found = zip(names, *(v.tolist() for v in (change.change, *change.limits(level))), strict=True)
    gaps: dict[str, dict[str, Estimate]] = {name: {} for name in names}
    for row in rows.only(metric=metric, contrast="difference"):
        if row.group in compared:
            gaps[row.model][row.group] = row
    size = {name: {group: abs(row.estimate) for group, row in of.items()} for name, of in gaps.items()}
    widest = {name: decides or max(of, key=of.__getitem__) for name, of in size.items()}
    others = [group for group in compared if group != widest[first]]
    return {
        name: Candidate(
            about.changed(model=name).with_interval(moved, low, high, level), gaps[name][widest[name]],
            *max(((size[name][group] - size[first][group], group) for group in others), default=(0.0, "")),
        )
        for name, moved, low, high in found
    }  # fmt: skip


def _useless(
    people: Decisions, choosing: NDArray[np.bool_], names: list[str], first: str, level: float
) -> dict[str, Message]:
    """Candidates whose decisions say nothing of the outcome, whatever their gap, and why; first: the model in use."""
    assert people.predicts is not None
    true, predicts = people.counted["TPR"][0][choosing], people.predicts[choosing]
    selects = people.counted["selection rate"][1][choosing]
    n, n_other = float(true.sum()), float((~true).sum())
    if not n or not n_other:
        return {}
    every = np.ones(len(names))
    low, _ = miettinen_nurminen(
        predicts[true].sum(axis=0), n * every, predicts[~true].sum(axis=0), n_other * every, level
    )
    one_way = np.isin(selects.sum(axis=0), (0, len(selects)))
    return {
        name: ONE_WAY if one_way[k] else NOT_SHOWN_TO_PREDICT
        for k, name in enumerate(names)
        if name != first and (one_way[k] or low[k] <= 0)
    }


def _chosen(
    tried: dict[str, Candidate], first: str, margin: float, apart: float
) -> tuple[str, dict[str, list[Message]]]:
    """The candidate that is chosen, and by name what made the others lose that leave a smaller gap.

    Candidates are chosen of those shown to be near in accuracy, else of those that are so as observed; those of which
    another gap is more than `apart` larger come after the others.
    """
    for most, near in itertools.product((apart, np.inf), (NOT_SHOWN_NEAR, NOT_OBSERVED_NEAR)):
        lacks: dict[str, list[Message]] = {
            one.model: [
                *([near] if (one.right.conf_low if near is NOT_SHOWN_NEAR else one.right.estimate) < -margin else []),
                *([OTHER_GAP] if one.grown > most else []),
            ]
            for one in tried.values()
        }
        left = [one for one in tried.values() if not lacks[one.model]]
        best = min(left, key=lambda one: one.gap, default=tried[first])
        if best.gap < tried[first].gap:
            return best.model, {name: why for name, why in lacks.items() if tried[name].gap < best.gap}
    return "", {}


def _none_better(tried: dict[str, Candidate], first: str, margin: float, sizes: dict[str, float]) -> list[str]:
    """What each candidate lacks among those who choose, those that are near in accuracy first."""
    order = sorted(
        (one for one in tried.values() if one.model != first), key=lambda one: (one.right.estimate < -margin, one.gap)
    )
    now, lines = tried[first], list[str]()
    for one in order[:MOST_SAID]:
        by = one.widest.attribute
        about: dict[str, Any] = {"model": DataText(one.model), "baseline": DataText(first), "margin": percent(margin)}
        about |= _accuracy(one, margin)
        about |= {"gap": percent(one.widest.estimate), "group": DataText(one.widest.group, by)}
        about |= {"n": count(sizes[one.widest.group]), "other": percent(now.widest.estimate)}
        about |= {"others": DataText(now.widest.group, by)}
        code = NO_SMALLER_GAP
        if one.right.estimate < -margin:
            code = NOT_NEAR if one.gap < now.gap else NEITHER_NEAR_NOR_SMALLER
        lines.append(code.format(**about))
    left = len(order) - MOST_SAID
    return [*lines, *([MORE_CANDIDATES.format(n=left)] if left > 0 else [])]


def _not_better(
    tried: dict[str, Candidate], useless: dict[str, Message], first: str, margin: float, gap: Message
) -> Message:
    """Why the only candidate was not tested."""
    one = next(one for name, one in tried.items() if name != first)
    near = LACKS_ACCURACY if one.gap < tried[first].gap else LACKS_BOTH
    reason = useless.get(one.model) or (near if one.right.estimate < -margin else LACKS_GAP)
    reason = reason.format(margin=percent(margin), gap=gap)
    return ONE_NOT_BETTER.format(model=DataText(one.model), baseline=DataText(first), reason=reason)


def _of_choice(
    tried: dict[str, Candidate], first: str, best: str, margin: float, apart: float, gap: Message
) -> list[str]:
    """By which rule the candidate was chosen; gap: which has to be the smallest."""
    one = tried[best]
    about: dict[str, Any] = {"model": DataText(best), "baseline": DataText(first), "gap": gap}
    codes = (TESTED, TESTED_AS_OBSERVED) if len(tried) == 2 else (CHOSEN, CHOSEN_AS_OBSERVED)
    code = codes[one.right.conf_low < -margin]
    lines: list[str] = [code.format(margin=percent(margin), **about)]
    if one.grower and (len(tried) > 2 or one.grown > apart):  # there are other groups
        about |= _grown(one, apart)
        lines.append((NONE_BUT_LAST if one.grown > apart else OTHERS_LAST).format(**about))
    return lines


def _passed_over(
    tried: dict[str, Candidate], first: str, best: str, margin: float, apart: float, lacks: dict[str, list[Message]]
) -> list[str]:
    """Why candidates that leave a smaller gap than the chosen one were not chosen."""
    chosen, order = tried[best], sorted((tried[name] for name in lacks), key=lambda one: one.gap)
    lines = [
        PASSED_OVER.format(
            model=DataText(one.model), best=DataText(best),
            gap=percent(one.widest.estimate), group=DataText(one.widest.group, one.widest.attribute),
            other=percent(chosen.widest.estimate), others=DataText(chosen.widest.group, one.widest.attribute),
            reasons=joined(
                code.format(
                    baseline=DataText(first), margin=percent(margin), **_accuracy(one, margin), **_grown(one, apart)
                )
                for code in lacks[one.model]
            ),
        )
        for one in order[:MOST_SAID]
    ]  # fmt: skip
    left = len(order) - MOST_SAID
    return [*lines, *([MORE_PASSED_OVER.format(n=left)] if left > 0 else [])]


def _grown(one: Candidate, apart: float) -> dict[str, str]:
    """The other group whose gap grows the most, by how much, and by how much it may."""
    grown = percent(one.grown, margin_digits(apart, one.grown))
    return {"group": DataText(one.grower, one.widest.attribute), "grown": grown, "apart": percent(apart)}


def _accuracy(one: Candidate, margin: float) -> dict[str, str]:
    """The change of accuracy with its limits, with a digit more where one would be printed as the margin."""
    change = one.right.estimate
    return {"right": percent(change, margin_digits(margin, -change)), "limits": limits(one.right, margin)}


def _beside(row: Estimate, few: Sequence[str] = ()) -> Estimate:
    """A row that decides nothing by itself; of a group with few people it is not compared."""
    row = row.changed(role="supplementary", verdict="", p_adjusted=float("nan"), p_equivalence=float("nan"))
    return row.changed(reason=FEW_PEOPLE.format(n=FEWEST)) if row.group in few else row


def _found(
    main: Sequence[Estimate], others: Sequence[Estimate], rows: Estimates, candidates: int, margin: float, apart: float
) -> list[str]:
    """Whether the candidate is an alternative, and what is not shown; apart: how much larger other gaps may be."""
    gap, accuracy = (row for row in main if row.role == "main")
    smaller, as_accurate = larger(gap, rows) < 0, accuracy.conf_low > -margin
    about = {"margin": percent(margin), "model": DataText(gap.model), "baseline": DataText(gap.versus)}
    refusing = [row for row in others if not no_larger(row, rows, apart)]
    found = smaller and as_accurate and not refusing
    alone = smaller and as_accurate and refusing  # nothing else refuses the candidate
    refusing.sort(key=lambda row: -size_limit(row, rows))
    not_found = SHOWN_IN_PART if alone else NOT_FOUND_OF_ONE if candidates == 1 else NOT_FOUND
    line = (FOUND if found else not_found).format(
        list=_refusing(refusing, rows, apart),
        apart=percent(apart),
        rate=RATES[gap.metric],
        accuracy=limits(accuracy, margin),
        right=percent(accuracy.estimate),
        count=candidates,
        **_gaps(gap, rows),
        **about,
    )
    way = direction(gap, rows)
    source = [_comes_from(gap, rows)] if way else []
    if found:
        names = _listed([row.group for row in others], gap.attribute)
        near = [NO_OTHER_LARGER.format(list=names, margin=percent(apart))] if others else []
        return [line, *source, *near]
    lacking = NOT_AS_ACCURATE if smaller else NOT_SMALLER if as_accurate else NEITHER
    second = _settles(refusing, rows, apart) if alone else [lacking.format(**about)]
    about["margin"] = percent(apart)
    why = list[str]()
    if way == "larger":
        why.append(LARGER.format(**_gaps(gap, rows), **about))
    elif way == "changed":
        before, after = before_and_after(gap, rows)
        total = sum_of_gaps(gap, rows)
        code = TURNED if before * after < 0 else PERHAPS_TURNED
        why.append(code.format(sum=percent(total.estimate), limits=limits(total)))
    return [line, *second, *why, *(
        (LARGER if larger(row, rows) > 0 else PERHAPS_LARGER).format(
            n=count(row.n), most=_size_limit(row, rows, apart), **_gaps(row, rows), **about,
        )
        for row in refusing
    ), *source]  # fmt: skip


def _refusing(refusing: Sequence[Estimate], rows: Estimates, apart: float) -> str:
    """The groups whose gaps refuse a candidate, and by how much these may be larger."""
    parts = [
        (IS_LARGER if larger(row, rows) > 0 else MAY_BE_LARGER).format(
            group=data_text(row), n=count(row.n), most=_size_limit(row, rows, apart)
        )
        for row in refusing[:MOST_SAID]
    ]
    left = len(refusing) - MOST_SAID
    return joined([*parts, *([MORE_OF_THEM.format(n=left)] if left > 0 else [])])


def _settles(refusing: Sequence[Estimate], rows: Estimates, apart: float) -> list[str]:
    """How many people of these groups, or which margin, would have shown that no other gap is larger.

    Of a gap that is shown to change, more people would rather show that it is larger.
    """
    if any(map(change_shown, refusing)):
        return []
    most = {"setting": Setting("gap_margin", ...), "most": _size_limit(refusing[0], rows, apart)}
    needed = [(people_needed(row, apart), row) for row in refusing]
    parts = [PEOPLE_OF.format(n=count(n), group=data_text(row)) for n, row in needed if n > row.n]
    if not parts:
        return [SETTLES_BY_MARGIN.format(**most)]
    reference = DataText(refusing[0].reference, refusing[0].attribute)
    return [SETTLES.format(list=enumerated(parts, MOST_SAID), reference=reference, **most)]


def people_needed(row: Estimate, apart: float) -> float:
    """How many people show, with a chance of 80%, that a gap which keeps its size is at most `apart` larger; 0: none.

    Of two digits, by the limits of a change, whose width goes with one over the root of the people. Of a gap near 0
    the change has to stay within `apart` on both sides; of others the chance is larger.

    >>> people_needed(Estimate("TPR", n=100).with_interval(0.0, -0.0980, 0.0980, 0.95), 0.02)
    6600.0
    """
    if not apart:
        return 0.0
    reach = float(ndtri(0.5 + row.conf_level / 2))
    error = (row.conf_high - row.conf_low) / 2 / reach
    needed = row.n * (error * (reach + float(ndtri(0.5 + CHANCE / 2))) / apart) ** 2
    return float(f"{needed:.2g}")


def _size_limit(row: Estimate, rows: Estimates, apart: float) -> str:
    most = size_limit(row, rows)
    return percent(most, margin_digits(apart, most))


def _comes_from(gap: Estimate, rows: Estimates) -> str:
    """Whose rate moved, of the two groups of a gap that changed."""
    about, parts = {"metric": gap.metric, "reference": "", "contrast": "difference", "given": ""}, list[str]()
    for group in (gap.group, gap.reference):
        (row,) = rows.only(group=group, model=gap.model, versus=gap.versus, **about)
        code = {"higher": HIGHER_FOR, "lower": LOWER_FOR}.get(direction(row, rows), OPEN_FOR)
        change = difference_in_points(row.estimate, *reversed(before_and_after(row, rows)))
        parts.append(code.format(group=data_text(row), change=change, limits=limits(row)))
    return COMES_FROM.format(rate=RATES[gap.metric], parts=joined(parts))


def _largest_now(rows: Estimates, gap: Estimate, compared: Sequence[str]) -> list[str]:
    """Whose gap is the largest with the candidate, and with the model in use, among those who test."""
    ends = []
    for model in (gap.versus, gap.model):
        gaps = rows.only(metric=gap.metric, model=model, contrast="difference", versus="", given="")
        ends.append(max((row for row in gaps if row.group in compared), key=lambda row: abs(row.estimate)))
    old, new = ends
    about: dict[str, Any] = {"model": DataText(gap.model), "baseline": DataText(gap.versus)}
    about |= {"reference": DataText(new.reference, new.attribute)}
    about |= {"gap": percent(new.estimate), "other": percent(old.estimate)}
    code = LARGEST_STILL if old.group == new.group == gap.group else LARGEST_NOW
    return [code.format(group=data_text(new), before=data_text(old), **about)]


def _other_rates(
    test: Compared, people: Decisions, metric: str, half: NDArray[np.bool_], pair: list[int]
) -> tuple[list[Estimate], list[Estimate]]:
    """The changes of the gaps in the other rates, and what stands beside them."""
    changes, beside = list[Estimate](), list[Estimate]()
    for rate in [rate for rate in people.counted if rate not in (metric, "accuracy")]:
        counted = _among(people, rate, half, pair)
        built, late = test.rate(rate, *counted)
        changes, beside = changes + built, [*beside, *late, *test.each(rate, *counted)]
    assert people.predicts is not None
    predicts, true = people.predicts[half][:, pair], people.counted["TPR"][0][half]
    of = [tallied(people.codes[half], by, len(people.labels))[1] for by in (predicts & true[:, None], predicts)]
    built, late = test.predictive(*of)
    beside += test.each_predictive(*of)
    late = [_beside(row) if row.role == "main" else row for row in [*beside, *late]]  # changes that are not estimable
    return [_beside(row) for row in [*changes, *built]], late


def _by_group(rows: Estimates, metric: str, groups: Sequence[str]) -> list[str]:
    """What changes for every group, those first who are shown to lose accuracy; then of each rate what is open."""
    changed = {group: list[str]() for group in groups}
    loses, still = set[str](), list[str]()
    for rate in dict.fromkeys((metric, "accuracy", *RATES)):
        changes = rows.only(metric=rate, reference="", contrast="difference", status="ok")
        of = [row for group in groups for row in changes if row.group == group and row.versus]
        unsettled = [row for row in of if row.conf_low <= 0 <= row.conf_high]
        for row in [row for row in of if row not in unsettled]:
            before, after = before_and_after(row, rows)
            about: dict[str, Any] = {"rate": RATES[rate], "limits": limits(row)}
            about["change"] = difference_in_points(row.estimate, after, before)
            code = FALLS if row.conf_high < 0 else RISES
            changed[row.group].append(code.format(before=percent(before), after=percent(after), **about))
            loses |= {row.group} if rate == "accuracy" and code is FALLS else set()
        if unsettled:
            largest = sorted(((max(-row.conf_low, row.conf_high), row) for row in unsettled), key=lambda one: -one[0])
            each = [GROUP_MOST.format(group=data_text(row), most=percent(most)) for most, row in largest]
            still.append(NO_CHANGE.format(rate=RATES[rate], list=listed(each, 6)))
    by = rows[0].attribute
    order = sorted((group for group in groups if changed[group]), key=lambda group: group not in loses)
    said: list[str] = [OF_GROUP.format(group=DataText(name, by), changes=joined(changed[name])) for name in order]
    left = len(said) - MOST_CHANGES
    left_over = [NOT_EXCLUDED.format(parts=joined(still))] if still else []
    return [*said[:MOST_CHANGES], *([MORE_CHANGES.format(n=left)] if left > 0 else []), *left_over]


def _larger_elsewhere(changes: Sequence[Estimate], rows: Estimates) -> list[str]:
    """Which gaps in other rates are larger with the candidate, first those whose limits show it, then a change."""
    grows, changed, may = list[str](), list[str](), list[str]()
    for row in changes:
        before, after = before_and_after(row, rows)
        if abs(after) > abs(before):
            about = {"rate": RATES[row.metric], "model": DataText(row.model), **_gaps(row, rows)}
            way = direction(row, rows)
            if way == "larger":
                grows.append(GAP_GROWS.format(**about))
            elif way:
                about |= {"baseline": DataText(row.versus), "gap": POINTS.format(n=about["gap"])}
                changed.append(CHANGED.format(**about))
            else:
                may.append(GAP_MAY_GROW.format(**about))
    return [*grows, *changed, *([MAY_GROW.format(model=DataText(changes[0].model), parts=joined(may))] if may else [])]


def _gaps(row: Estimate, rows: Estimates) -> dict[str, Any]:
    """The group of a change, the gaps that both models leave, and the limits of the change."""
    before, after = before_and_after(row, rows)
    about: dict[str, Any] = {"group": data_text(row), "reference": DataText(row.reference, row.attribute)}
    about["change"] = difference_in_points(row.estimate, after, before)
    return about | {"gap": percent(after), "other": percent(before), "limits": limits(row)}


def _listed(labels: Sequence[str], attribute: str) -> str:
    return listed([DataText(label, attribute) for label in labels], 6)
