"""Methods and their parameters in one held-out frame: error against gap, or accuracy against leakage."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from inspect import signature
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairstats.data.centered import centered
from fairstats.data.design import Design, refuse_unsquarable
from fairstats.data.tables import Tabular
from fairstats.document import Block, Table, headings
from fairstats.errors import Call, InputError, OutOfRange, Setting, ignoring, listing, nearest, snippet, with_hint
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.representations.fit_studies import (
    HELD_OUT,
    LOSS_METRIC,
    SAME,
    FitStudy,
    levels_of,
    squared_errors,
)
from fairstats.inference.representations.fit_studies import ROUNDING as ALIKE
from fairstats.inference.scores.roc import placements
from fairstats.language import DataText, enumerated, joined, message, say, says
from fairstats.methods.arguments import erased_notes, shift_notes
from fairstats.methods.crossfit import counted_folds
from fairstats.methods.feature_maps import FeatureMap
from fairstats.methods.registry import METHODS
from fairstats.methods.results import DOMINATED, ROUNDING, Projection
from fairstats.metrics import PROBES
from fairstats.provenance import recorded
from fairstats.text import capital, compact, count, level, number, span
from fairstats.validation import answering, confidence, flag, random_seed, shown, whole

SEVERAL = ", as in methods=[..., ('fair_pca', {'k': [1, 2, 3]})]"
QUESTION = message("What do methods cost, and what do they leave?")
SAME_SPAN = message(
    "The lines of fair_pca with a tradeoff above 0 are alike: its 2k scores span the same space whatever the weight. "
    "Only a model that does not rescale its features sees the weight."
)
OF_ERROR = message(
    "The features are rebuilt with the least error by {method} (error {error}); the widest gap in error from the "
    "largest group is smallest with {fair} ({gap}, {group} less {reference})."
)
OF_AS_MANY = message(
    "With k = {k} components, the features are rebuilt with the least error by {method} (error {error}); the widest "
    "gap in error from the largest group is smallest with {fair} ({gap}, {group} less {reference})."
)
OF_OUTCOME = message(
    "The outcome is predicted best with {method} (AUC {area}); the group is found least with {fair} (AUC {group_area} "
    "for {group} against all others, where 0.5 is none)."
)
FOUND = message(
    "The outcome is predicted best with {method} (AUC {area}). A linear score finds a group with {found}; that is not "
    "shown with {fair}: the limits of every group's AUC reach 0.5, which is chance, or lie below it."
)
AT_CHANCE = message(
    "The outcome is predicted best with {method} (AUC {area}). That a linear score finds a group is not shown with "
    "{fair}: the limits of every group's AUC reach 0.5, which is chance, or lie below it."
)
WITH_SCORES = message(
    "With {n} scores, not {k}: {methods}. A linear score finds a group in them (AUC {area} for {group})."
)
WITH_SCORES_AT_CHANCE = message(
    "With {n} scores, not {k}: {methods}. That a linear score finds a group in them is not shown (AUC {area} for "
    "{group})."
)
WITH_COMPONENTS = message(
    "With {n} components, not {k}: {methods} (error {error}; widest gap {gap}, {group} less {reference})."
)
APPENDED = message(
    "Of the 2k scores of fair_pca with a tradeoff above 0 the first k are those without a tradeoff; the other k are "
    "those of pca, times the tradeoff, in which the groups can be found."
)
OTHERS, ANY = message("the other {n}"), message("any of the {n} methods")
MOST_AT_CHANCE = 4  # methods that are named; of more, those by which the group is found are
AT_K = message("k = {k}: {answer}")
UNPREDICTED = message(
    "With no method is the outcome shown to be predicted better than by chance: all limits of its AUC reach 0.5, or "
    "lie below it."
)
UNEQUAL = message(
    "The methods have {low} to {high} components. More components rebuild more, so compare methods with equally many."
)
UNEQUAL_SCORES = message(
    "The methods have {low} to {high} scores. More scores can predict more, and less where there are few people to "
    "learn from, so compare methods with equally many."
)
TRAINED = message("What predicts from the scores learned from {n} people, half of a fold, and was tried on the others.")
SIGNED = message(
    "Gaps are subtracted with their signs: where one is below 0 (a group with a smaller error than the largest), a "
    "difference below 0 is no smaller gap."
)
MEANS_ALONE = message("Without components, from the means of the features alone, the error is {error}.")
FIRST_OPEN = message("Which method comes first in {what} may be chance: no difference from {methods} is shown.")
GIVEN = message("The limits are of these fits: with other folds the numbers move, too.")
COSTS = {False: message("error"), True: message("predicting the outcome")}
LEAVES = {False: message("the widest gap"), True: message("finding the group least")}
LESS = message("{group} less {reference}")
OF_ALL = message("Settings of all methods: {settings}.")
OF_METHOD = message("Settings of {method}: {settings}.")
COMPARED = message("Groups: {groups}. Features: {features}. Folds: {folds}.")
COMPARED_WITH_OUTCOME = message("Groups: {groups}. Outcome: {outcome}. Features: {features}. Folds: {folds}.")
MOST_NAMED = 12  # features
OWN_MEANS = message(
    "{method} rebuilds each group from the group's mean, and pca all people from one mean: its error can be smaller "
    "for this reason alone."
)
BY_GROUP = message("Scores of {methods} depend on the group of a person, which has to be known of new people, too.")
SHIFTED = message(
    "The AUC of a group is of a linear discriminant on the scores. By {methods} each group is moved by an amount of "
    "its own, and features here take values in steps or lie close together: a model that is not linear, such as trees, "
    "can find the group where the discriminant does not. {leakage} measures that."
)
LINEAR_ONLY = message(
    "The AUC of a group is of a linear discriminant on the scores; other models may find more. {leakage} asks them too."
)
PAIRED = message("Each method less {method}, on the same people")
PAIRED_AT_K = message("Each method less {method} with as many components, on the same people")
OF_WORST = message(
    "minimax_pca is made for its objective, by default that the largest loss of a group is small (the group's error "
    "less that of as many components of its own). Here it is compared by other numbers."
)
OF_REMOVING = message("Not made to make the errors of groups alike, but to take the groups out of scores: {methods}.")
OF_SHARING = message("Not made to take the groups out of scores, but to share out the error among them: {methods}.")
SAME_SIDES = message(
    "Of: the groups of the method's own line above, and {method} is measured of the same ones here; its line above can "
    "be of others."
)
NOT_PAIRED = message("Without those that have no {method} of as many components: {methods}.")
PAIRED_LIMITS = message("differences between methods of the same held-out people, limits joint over all (max-t)")
JOINT = message("means over held-out people, limits joint over all rows (max-t)")
PROBED = PROBES["linear probe"]
ACCURACY = "AUC"
DRAWS = 20_000  # of the largest of correlated normal values, from which the joint limits come
DEFAULT = tuple(
    name for name, row in METHODS.items() if row.result == "projection" and not row.comparator and not row.needs
)


class Point(NamedTuple):
    """A method, its cost and what it leaves."""

    method: str
    cost: Estimate
    left: Estimate

    def __repr__(self) -> str:
        cost, left = (_digits(row)(row.estimate) for row in self[1:])
        return f"Point(method={self.method!r}, k={count(self.cost.k)}, cost={cost}, left={left})"


@dataclass(frozen=True, repr=False)
class Tradeoff(FitStudy):
    """What ``tradeoff`` found: a line a method and parameter, of its cost and of what it leaves.

    Attributes
    ----------
    question, method : str
        A heading, and the names of the methods.
    statements : tuple of str
    n, seed : int
        People, and the seed of folds and limits.
    conf_level : float
        Of all intervals of methods together, and of all differences between methods together.
    estimates : Estimates
        ``fit`` is the method and ``term`` the settings that its fits have not in common; ``statements`` has the others.
        Rows with ``versus`` are a method less the first one, in pairs.
    curves : tuple of tuple of str
        The lines of a method with a list in the place of one setting.
    """

    curves: tuple[tuple[str, ...], ...] = ()

    def answers(self) -> list[str]:
        """The statements that say which methods come first, and where that may be chance; of unequal k also that."""
        codes = [OF_ERROR, OF_AS_MANY, OF_OUTCOME, FOUND, AT_CHANCE, AT_K, UNPREDICTED, FIRST_OPEN]
        codes += [WITH_SCORES, WITH_SCORES_AT_CHANCE, WITH_COMPONENTS]
        at_one_k = any(says(self.statements[0], code) for code in (OF_AS_MANY, AT_K))
        codes += [] if at_one_k else [UNEQUAL, UNEQUAL_SCORES]
        return [line for line in self.statements if any(says(line, code) for code in codes)]

    def points(self) -> list[Point]:
        """Each method with its cost and the widest of its gaps, or the group best found, one shown before others.

        Examples
        --------
        Error against leakage, of two calls with the same folds and seed:

        >>> import numpy as np
        >>> import pandas as pd
        >>> import fairstats as fs
        >>> rng = np.random.default_rng(0)
        >>> g = np.repeat(["a", "b"], 100)
        >>> X = rng.standard_normal((200, 4)) * [3, 2, 1, 1] + 2.0 * (g == "b")[:, None]
        >>> errors = fs.tradeoff(X, g, ["pca", "fair_pca"]).points()
        >>> areas = fs.tradeoff(X, g, ["pca", "fair_pca"], y=X[:, 1] > 0).points()
        >>> both = [(a.method, a.cost.estimate, b.left.estimate) for a, b in zip(errors, areas, strict=True)]
        >>> table = pd.DataFrame(both, columns=["method", "error", "leakage"])
        >>> axes = table.plot.scatter("error", "leakage")
        """
        single, found = self.estimates.only(versus=""), []
        for name in dict.fromkeys(map(_named, single)):
            rows = [row for row in single if _named(row) == name]
            cost = next(row for row in rows if not row.attribute)
            found.append(Point(name, cost, max((row for row in rows if row.attribute), key=_width)))
        return found

    def differences(self) -> Iterator[Point]:
        """Each method after the first, less the first with as many components: its cost, and the widest of its gaps."""
        paired = {_place(row): row for row in self.estimates if row.versus}
        components = {name: cost.k for name, cost, _ in self.points()}
        for name, cost, left in self.points():
            if _place(cost) in paired and components[str(paired[_place(cost)].versus)] == cost.k:
                yield Point(name, paired[_place(cost)], paired[_place(left)])

    def subtracted(self) -> tuple[str, str]:
        """Return the method whose numbers are taken off, and what the differences are of: of one fit, or at each k."""
        names = list(dict.fromkeys(row.versus for row in self.estimates if row.versus))
        return (names[0], PAIRED) if len(names) == 1 else (str(self.estimates[0].fit), PAIRED_AT_K)

    def signed(self) -> list[str]:
        """Return the sentence about the signs of differences, where a gap below 0 is one of those subtracted."""
        gaps = [row for row in self.estimates if row.attribute and not row.versus and row.metric == LOSS_METRIC]
        return [SIGNED.format()] if any(row.estimate < 0 for row in gaps) else []

    def not_subtracted(self) -> list[str]:
        """Return the sentence that names the methods of no difference, where there are some."""
        compared = {name for name, *_ in self.differences()}
        base = self.estimates[0].fit
        left = [name for name, cost, _ in self.points() if cost.fit != base and name not in compared]
        return [NOT_PAIRED.format(method=base, methods=enumerated(left, MOST_NAMED))] if compared and left else []

    def _whose(self, points: Iterable[Point] | None = None) -> list[str]:
        """Of each point the groups between which the gap is, or the group that is found."""
        return [
            LESS.format(group=_level(self, row), reference=DataText(row.reference, row.attribute))
            if row.reference
            else _level(self, row)
            for *_, row in points or self.points()
        ]

    def _content(self) -> Iterator[Block]:
        yield from super()._content()
        if lines := self._lines(self.differences(), self._whose(self.differences())):
            first, of = self.subtracted()
            cost, left = self._headings()
            title = of.format(method=first)
            same = any(row.reason for _, *rows in self.differences() for row in rows)
            labels = headings("method", cost, self._limits(), left, self._limits(), *self._of())
            notes: list[str] = [SAME_SIDES.format(method=first)] if self._of() else []
            notes += self.signed()
            notes += self.not_subtracted()
            notes += ["–: the same for every person of a group, so no interval."] if same else []
            yield Table(title, labels, lines, " ".join(notes))

    def _table(self) -> Table:
        cost, left = self._headings()
        lines = tuple(
            (name, count(row.k), *rest)
            for (name, row, _), (_, *rest) in zip(self.points(), self._lines(self.points(), self._whose()), strict=True)
        )
        by_group = self.estimates[0].metric == ACCURACY
        about = self._whose()
        of = "" if self._of() else f" of {about[0]}"
        found = f"AUC of a linear discriminant on the scores{of} against all others, 0.5 is none"
        meant = found if by_group else about[0]
        meant = meant if by_group or of else "of a group less the largest group"
        note = f"{capital(left)}: {meant}. All rows: tidy()."
        labels = ("method", "k", cost, self._limits(), left, self._limits(), *self._of())
        return Table("", headings(*labels), lines, note)

    def _headings(self) -> tuple[str, str]:
        return ("AUC", "leakage") if self.estimates[0].metric == ACCURACY else ("error", "widest gap")

    def _limits(self) -> str:
        return f"{level(self.conf_level)} interval"

    def _of(self) -> list[str]:
        return ["of"] if len(set(self._whose())) > 1 else []

    def _lines(self, points: Iterable[Point], whose: list[str]) -> tuple[tuple[str, ...], ...]:
        return tuple(
            (
                name,
                *(text for row in (cost, left) for text in (_digits(row)(row.estimate), _span(row))),
                *([of] if self._of() else []),
            )
            for (name, cost, left), of in zip(points, whose, strict=True)
        )


def _level(result: Tradeoff, row: Estimate) -> DataText:
    """A group by its name, with its column where there are groups of several columns."""
    several = len({row.attribute for row in result.estimates}) > 2  # that of everybody is ""
    return DataText(f"{row.attribute} = {row.group}" if several else row.group, row.attribute)


def _answer(result: Tradeoff, points: list[Point]) -> str:
    """Which of some methods costs least, and which leaves least; of some among others with how many components."""
    answer = _first(result, points)
    unequal = len(points) < len(result.points())
    return AT_K.format(k=int(points[0][1].k), answer=answer) if unequal and _of_outcome(points) else answer


def _of_outcome(points: list[Point]) -> bool:
    return points[0][1].metric == ACCURACY


def _first(result: Tradeoff, points: list[Point]) -> str:
    outcome = _of_outcome(points)
    unequal = len(points) < len(result.points())
    even, sign = (0.5, -1) if outcome else (0.0, 1)
    best = min(sign * cost.estimate for _, cost, _ in points)
    least = min(abs(left.estimate - even) for *_, left in points)
    cost = next(row for _, row, _ in points if sign * row.estimate == best)
    if outcome and (chance := _at_chance(result, points)):
        found = [name for name, *_ in points if name not in chance]
        of_many = (OTHERS if found else ANY).format(n=len(chance))
        best_ones = enumerated([name for name, row, _ in points if row.estimate == cost.estimate])
        said = {"method": best_ones, "area": _digits(cost)(cost.estimate)}
        said["fair"] = enumerated(chance) if len(chance) <= MOST_AT_CHANCE else of_many
        return FOUND.format(found=enumerated(found, MOST_NAMED), **said) if found else AT_CHANCE.format(**said)
    left = next(row for *_, row in points if abs(row.estimate - even) == least)
    values = {
        "method": enumerated([name for name, row, _ in points if row.estimate == cost.estimate]),
        "fair": enumerated([name for name, _, row in points if abs(row.estimate - even) == least]),
        "group": _level(result, left),
    }
    if outcome:
        return OF_OUTCOME.format(area=_digits(cost)(cost.estimate), group_area=_digits(left)(left.estimate), **values)
    sides = {"gap": compact(left.estimate), "reference": DataText(left.reference, left.attribute)}
    values |= {"error": compact(cost.estimate), **sides}
    return OF_AS_MANY.format(k=int(points[0][1].k), **values) if unequal else OF_ERROR.format(**values)


def _width(row: Estimate) -> tuple[bool, float]:
    return row.metric == PROBED and row.conf_low > 0.5, abs(row.estimate)


def _at_chance(result: Tradeoff, points: list[Point]) -> list[str]:
    """The methods of which no limits of a group's AUC lie above 0.5; what is below it on held-out people is chance."""
    groups = [row for row in result.estimates if row.metric == PROBED and not row.versus]
    found = {_named(row) for row in groups if row.conf_low > 0.5}
    return [name for name, *_ in points if name not in found]


def _open(result: Tradeoff, points: list[Point], influence: NDArray[np.float64]) -> Iterator[str]:
    """Of two answers about some methods those in which no difference from another is shown, of the same people.

    influence: how much each person moves each row of a method, shape (n, rows).
    """
    column = {_place(row): j for j, row in enumerate(result.estimates.only(versus=""))}
    paired = [row for row in result.estimates if row.versus and row.std_error > 0]
    c = max(((row.conf_high - row.estimate) / row.std_error for row in paired), default=0.0)
    outcome = _of_outcome(points)
    costs, left = [cost for _, cost, _ in points], [gap for *_, gap in points]
    sizes = np.ones(len(left)) if outcome else np.where([row.estimate < 0 for row in left], -1.0, 1.0)
    of_costs = np.full(len(costs), -1.0 if outcome else 1.0)  # a large AUC is good, and an error or a gap is bad
    answers = [(costs, of_costs, COSTS[outcome])]
    answers += [] if outcome and _at_chance(result, points) else [(left, sizes, LEAVES[outcome])]
    for rows, sign, what in answers:
        size = sign * [row.estimate for row in rows]
        moved = influence[:, [column[_place(row)] for row in rows]] * sign
        best = int(np.argmin(size))
        error = np.sqrt(np.sum((moved - moved[:, [best]]) ** 2, axis=0))
        near = (size > size[best]) & (size - size[best] <= c * error)
        if near.any():
            others = [name for (name, *_), one in zip(points, near, strict=True) if one]
            yield FIRST_OPEN.format(what=what.format(), methods=enumerated(others, MOST_NAMED))


def _place(row: Estimate) -> tuple[str, ...]:
    return str(row.fit), str(row.term), str(row.metric), str(row.attribute), str(row.group)


def _alike(points: list[Point], unlike: Mapping[str, int]) -> list[list[Point]]:
    """The methods whose answers are compared: those with a number of components that most have.

    What most have is counted among the methods with as many as their k, where two of these can be compared.
    """
    for counted in ([point for point in points if point.method not in unlike], points):
        times = Counter(point.cost.k for point in counted)
        if (most := max(times.values(), default=0)) > 1:
            return [[point for point in points if point.cost.k == k] for k in sorted(times) if times[k] == most]
    return [points]


def _beside(result: Tradeoff, points: list[Point], unlike: Mapping[str, int]) -> Iterator[str]:
    """Of methods with another number of components than their k: how many, what they cost and what they leave."""
    alike: dict[tuple[Any, ...], list[Point]] = {}
    for point in points:
        written = (_digits(row)(row.estimate) for row in (point.cost, point.left))
        key = (point.cost.k, unlike[point.method], point.left.attribute, point.left.group, *written)
        alike.setdefault(key, []).append(point)
    for (n, k, *_, error, size), of_them in alike.items():
        left = of_them[0].left
        methods = enumerated([point.method for point in of_them], MOST_NAMED)
        values = {"n": int(n), "k": k, "methods": methods, "group": _level(result, left)}
        if _of_outcome(points):
            yield (WITH_SCORES if left.conf_low > 0.5 else WITH_SCORES_AT_CHANCE).format(area=size, **values)
        else:
            reference = DataText(left.reference, left.attribute)
            yield WITH_COMPONENTS.format(error=error, gap=size, reference=reference, **values)


def _span(row: Estimate) -> str:
    return span(row.conf_low, row.conf_high, _digits(row))


def _digits(row: Estimate) -> Callable[[float], str]:
    """How a number is written: areas all with as many digits, errors of any size with as many that count."""
    return compact if row.metric == LOSS_METRIC else partial(number, digits=3)


def _named(row: Estimate) -> str:
    return f"{row.fit} ({row.term})" if row.term else row.fit


@answering
@recorded
def tradeoff(
    X: Any,
    groups: Any = None,
    methods: Sequence[Any] = DEFAULT,
    *,
    k: int = 2,
    y: Any = None,
    data: Tabular | str | os.PathLike[str] | None = None,
    scale: bool = False,
    folds: int | Any = 5,
    seed: int = 0,
    conf_level: float = 0.95,
) -> Tradeoff:
    """Compare what methods cost with what they leave, on the same people whom no fit has seen.

    Parameters
    ----------
    X : array (n, p), table, column names or formula
    groups : column name(s) of ``data`` or labels (n,)
    methods : sequence of str or (str, dict)
        Names of methods, by default all of this package that make components and need no argument; beside a name its
        settings. A list in the place of a setting stands for each of its values:
        ``("fair_pca", {"k": [1, 2, 3]})``.
    k : int
        Components of the methods that reduce.
    y : column name of ``data`` or labels (n,), optional
        An outcome of two levels. Then accuracy is compared with leakage; without it, error with the gap in error.
    data : table or path, optional
        Where column names and formulas are looked up.
    scale : bool
        Divide each feature by its standard deviation first, for every method that does so.
    folds : int or labels (n,)
        Every method is fitted without each fold in turn. Of few folds each fit learns from few people, and leaves in
        the scores of others what it did not learn of the group.
    seed : int
        Of the folds, which are stratified by group, and of the limits.
    conf_level : float
        Of all intervals of methods together, and of all differences between methods together.

    Returns
    -------
    Tradeoff
        Without y, metric "reconstruction loss": the mean squared error of a person, in all, and its difference between
        each group and the largest. With y, "AUC" of y, and "AUC of linear probe" of each level against the others:
        linear scores of the adjusted data that are fitted within a fold on one half and tried on the other. Rows with
        ``versus`` are each number less that of the first method: paired differences, of the same people.
        ``fairstats.plot(result)`` draws one against the other.

    Raises
    ------
    InputError
        A method that is not known or does not rebuild features (without y), errors in different units (``scale``
        of some methods alone), y that has not two levels, continuous groups.

    Notes
    -----
    Error and leakage are of two calls, without y and with it, and no picture has both: limits hold for the numbers of
    one call together. With the same folds and seed the fits are the same, and ``points()`` of both are in one order:
    the example of ``Tradeoff.points`` joins and draws them.

    ``fair_pca`` with ``tradeoff`` above 0 has 2k scores, whose span, and so the error, is the same whatever the weight;
    a model that rescales its features finds the group in them alike. A list of its weights is no curve; one of k is.
    Compare it with others at 2k.

    All methods are evaluated on the same people, so that their numbers are correlated. Limits are estimate ± c times
    the standard error with one c for all rows: the quantile of the largest of normal values of their correlation. Given
    the fits, errors of a fold's people are independent (Bayle et al. 2020). AUCs have DeLong's variance, doubled: the
    halves of a fold score each other, so that their AUCs are correlated where there is little to find. Where there is
    nothing, at most 2% of samples (4% with few people of the group in a fold) find a group after a method that does
    not need the group of new people. ``og`` and its kin move new people by what they learned of their groups, chance
    included, and so leave something.

    References
    ----------
    Bayle, Bayle, Janson & Mackey (2020), Cross-validation confidence intervals for test error, NeurIPS 33; DeLong,
    DeLong & Clarke-Pearson (1988), Biometrics 44; Hothorn, Bretz & Westfall (2008), Simultaneous inference in general
    parametric models, Biometrical Journal 50.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> rng = np.random.default_rng(0)
    >>> g = np.repeat(["a", "b"], 100)
    >>> X = rng.standard_normal((200, 4)) * [3, 2, 1, 1] + 2.0 * (g == "b")[:, None]
    >>> result = fs.tradeoff(X, g, ["pca", ("fair_pca", {"k": [1, 2, 3]})])
    >>> [(r.fit, r.term, round(r.estimate, 1)) for r in result.estimates.only(attribute="", versus="")]
    [('pca', '', 3.2), ('fair_pca', 'k=1', 12.0), ('fair_pca', 'k=2', 9.4), ('fair_pca', 'k=3', 8.3)]
    """
    conf_level, seed, scale = confidence(conf_level), random_seed(seed), flag("scale", scale)
    if isinstance(k, (Sequence, np.ndarray)) and not isinstance(k, str):
        raise InputError(
            "k",
            f"has {shown(k)}; it is one number for all methods; several are a setting of a method{snippet(SEVERAL)}.",
        )
    k = whole("k", k, 1, 10_000, "components")
    curves = list(_curves(methods, scale))
    items = [pair for curve in curves for pair in curve]
    fixed = _in_common(items)
    design = Design.of(X, groups, data=data, y=y).counted()
    if design.groups is None or not design.groups.names:
        raise InputError("groups", "has no labels; people are compared between levels; name some, or cut into classes.")
    if design.y is not None and len(design.y.levels) != 2:
        raise InputError("y", f"has the levels {listing(design.y.levels)}; two are needed; make it one of two.")
    refuse_unsquarable(design.X, design.features)
    design, fold = counted_folds(design, folds, seed)
    if any(settings.get("scale") is True for _, settings in items):  # of a level that only a fold has, there is none
        design = replace(design, spread=centered(design, None, scale=True).scaling.scale)
    levels = [one for of_attribute in levels_of(design) for one in of_attribute]
    weighed = sum(name == "fair_pca" and bool(settings.get("tradeoff")) for name, settings in items)
    own_means: list[str] = []
    by_group: list[str] = []
    unlike: dict[str, int] = {}
    divided: dict[bool, str] = {}
    rows: list[Estimate] = []
    influence: list[NDArray[np.float64]] = []
    means_alone, dominated = 0.0, []
    for name, settings in items:
        about: dict[str, Any] = {
            "fit": name,
            "term": _term(settings, fixed[name]),
            "estimator": HELD_OUT,
        }
        parts = list(_held_out(name, settings, k, design, fold))
        about["k"] = float(getattr(parts[0][1], "k", design.p))
        divided[parts[0][1].scaling.scale is not None] = name
        if y is None and len(divided) > 1:
            raise InputError(
                "methods",
                f"divides each feature by its standard deviation for {divided[True]} and not for {divided[False]}, so "
                "that their errors are in different units; give every method the same scale, or pass "
                f"{Setting('y')}.",
            )
        dominated += [note for note in getattr(parts[0][1], "notes", ()) if says(note, DOMINATED)]
        means_alone = _means_alone(parts, design) if y is None and not rows else means_alone
        own_means += [name] if getattr(parts[0][1], "group_means", None) is not None else []
        by_group += [name] if getattr(parts[0][1], "coefficients", None) is not None else []
        results = _errors(parts, design, levels, about) if y is None else _probed(parts, design, levels, about, seed)
        for row, values in results:
            rows.append(row)
            influence.append(values)
        if about["k"] != settings.get("k", k):
            unlike[_named(rows[-1])] = settings.get("k", k)
    moved = np.column_stack(influence)
    result = Tradeoff(
        QUESTION,
        ", ".join(dict.fromkeys(name for name, _ in items)),
        (),
        design.n,
        seed,
        conf_level,
        Estimates([*_with_limits(rows, moved, conf_level, seed), *_paired(rows, moved, conf_level, seed)]),
        tuple(
            tuple(f"{name} ({_term(settings, fixed[name])})" for name, settings in curve)
            for curve in curves
            if len(varied := [a for a in curve[0][1] if len({str(settings[a]) for _, settings in curve}) > 1]) == 1
            and (curve[0][0], *varied) != ("fair_pca", "tradeoff")  # whose scores span the same whatever the weight
        ),
    )
    ks = [row.k for row in rows]
    assert design.groups is not None
    answered = _alike(result.points(), unlike)
    compared = {point.method for points in answered for point in points}
    others = [point for point in result.points() if point.method in unlike and point.method not in compared]
    statements = [
        *(line for points in answered for line in (_answer(result, points), *_open(result, points, moved))),
        *_beside(result, others, unlike),
        *(
            [UNPREDICTED.format()]
            if y is not None and all(not one.conf_low > 0.5 for _, one, _ in result.points())
            else []
        ),
        *(
            [(UNEQUAL if y is None else UNEQUAL_SCORES).format(low=int(min(ks)), high=int(max(ks)))]
            if len(set(ks)) > 1
            else []
        ),
        *([MEANS_ALONE.format(error=compact(means_alone))] if y is None else []),
        *([OWN_MEANS.format(method=enumerated(list(dict.fromkeys(own_means))))] if y is None and own_means else []),
        *([BY_GROUP.format(methods=enumerated(list(dict.fromkeys(by_group)), MOST_NAMED))] if by_group else []),
        *([] if y is None else [*_shifted(by_group, design)] or [LINEAR_ONLY.format(leakage=Call("leakage"))]),
        *([] if y is None else [TRAINED.format(n=count(np.unique(fold, return_counts=True)[1].min() // 2))]),
        *([say(APPENDED)] if weighed else []),
        *([say(SAME_SPAN)] if weighed > 1 else []),
        *_made_for(list(fixed), of_errors=y is None),
        *([] if y is None else _rare(fixed, design, fold)),
        *dominated[:1],
        GIVEN.format(),
        *_settings_in_common(fixed),
        (COMPARED if design.y is None else COMPARED_WITH_OUTCOME).format(
            groups=enumerated([DataText(name) for name in design.groups.names]),
            outcome=DataText(y if isinstance(y, str) else str(getattr(y, "name", None) or "y")),
            features=enumerated([DataText(name) for name in design.features], MOST_NAMED),
            folds=len(np.unique(fold)),
        ),
    ]
    return replace(result, statements=tuple(statements))


def _made_for(names: Sequence[str], of_errors: bool) -> list[str]:
    """Which of several methods are made for another gap than the one by which all are compared."""
    if len(names) < 2:
        return []
    others = [name for name in names if METHODS[name].groups and METHODS[name].removes == of_errors]
    code = OF_REMOVING if of_errors else OF_SHARING
    lines: list[str] = [code.format(methods=enumerated(others, MOST_NAMED))] if others else []
    return [*lines, *([OF_WORST.format()] if of_errors and "minimax_pca" in names else [])]


def _rare(names: Iterable[str], design: Design, fold: NDArray[Any]) -> Iterator[str]:
    """The caution for features of rare levels; a linear score is of half of a fold."""
    for name in names:
        yield from erased_notes(name, design, 0.5 / len(np.unique(fold)))


def _shifted(by_group: Sequence[str], design: Design) -> Iterator[str]:
    """The caution of methods that take groups out by moving each, where the places of values then tell the group."""
    methods = [name for name in dict.fromkeys(by_group) if METHODS[name].removes]
    if methods and shift_notes(None, design):
        yield SHIFTED.format(methods=enumerated(methods, MOST_NAMED), leakage=Call("leakage"))


def _in_common(items: Sequence[tuple[str, dict[str, Any]]]) -> dict[str, dict[str, Any]]:
    """Of each method the settings that all of its fits have alike."""
    fixed: dict[str, dict[str, Any]] = {}
    for name, settings in items:
        before = fixed.get(name, settings)
        fixed[name] = {a: v for a, v in before.items() if a in settings and str(settings[a]) == str(v)}
    return fixed


def _settings_in_common(fixed: dict[str, dict[str, Any]]) -> Iterator[str]:
    """What all methods have alike, then what all fits of some have besides."""
    first, *others = fixed.values()
    every = {a: v for a, v in first.items() if others and all(str(one.get(a)) == str(v) for one in others)}
    if every:
        yield OF_ALL.format(settings=_settings(every))
    besides = {name: own for name, settings in fixed.items() if (own := _settings(settings, every))}
    for own in dict.fromkeys(besides.values()):
        names = [name for name, settings in besides.items() if settings == own]
        yield OF_METHOD.format(method=enumerated(names, MOST_NAMED), settings=own)


def _settings(settings: Mapping[str, Any], known: Iterable[str] = ()) -> str:
    """Settings in the words of whoever reads them; of those that a file cannot keep the text."""
    kept = {a: v if isinstance(v, (bool, int, float)) else str(v) for a, v in settings.items() if a not in known}
    each: list[Any] = [Setting(a, v) for a, v in kept.items()]
    return joined(each, ", ")


def _term(settings: Mapping[str, Any], known: Iterable[str] = ()) -> str:
    return ", ".join(f"{a}={v}" for a, v in settings.items() if a not in known)


def _curves(methods: Any, scale: bool) -> Iterator[list[tuple[str, dict[str, Any]]]]:
    """Each entry of ``methods``: its name with every combination of its settings."""
    if isinstance(methods, str) or not isinstance(methods, Sequence) or not methods:
        raise InputError("methods", f"has {methods!r}; pass a list of names, or of names with their settings.")
    for item in methods:
        name, settings = (item, {}) if isinstance(item, str) else item if _is_pair(item) else (item, None)
        if settings is None:
            raise InputError(
                "methods", f"has {shown(item)}; pass a name, or {snippet('a pair of a name and its settings')}."
            )
        if name not in METHODS:
            way = f"methods are {listing(list(METHODS), 40)}."
            raise InputError("methods", with_hint(f"has {name!r}, which is no method", nearest(name, METHODS), way))
        scaled = {"scale": True} if scale and "scale" in signature(METHODS[name].function).parameters else {}
        settings = settings | {a: v for a, v in scaled.items() if a not in settings}
        grids = [list(v) if isinstance(v, (list, tuple, np.ndarray)) else [v] for v in settings.values()]
        yield [(name, dict(zip(settings, values, strict=True))) for values in product(*grids)]


def _is_pair(item: Any) -> bool:
    return (
        isinstance(item, (tuple, list)) and len(item) == 2 and isinstance(item[0], str) and isinstance(item[1], Mapping)
    )


def _held_out(
    name: str, settings: dict[str, Any], k: int, design: Design, fold: NDArray[Any]
) -> Iterator[tuple[NDArray[np.bool_], Any]]:
    row = METHODS[name]
    missing = [argument for argument in row.needs if argument not in settings]
    if missing:
        example = ", ".join(f"{argument!r}: {row.needs[argument]!r}" for argument in missing)
        raise InputError(
            "methods", f"has {name!r}, which needs {listing(missing)}; pass ({name!r}, {{...}}), such as {{{example}}}."
        )
    options = {**({"k": k} if row.reduces else {}), **settings}
    for f in np.unique(fold):
        with ignoring():
            try:
                fit = row.function(design.take(fold != f), None, **options)
            except OutOfRange as refused:  # by one of several methods, which the error names
                refused.fact = f"of {name} {refused.fact}"
                raise
            yield fold == f, fit


def _errors(
    parts: list[tuple[Any, Any]], design: Design, levels: list[Any], about: dict[str, Any]
) -> Iterator[tuple[Estimate, NDArray[np.float64]]]:
    """Mean squared errors, in all and between each group and the largest, with their influence of each person (n,)."""
    loss = np.empty(design.n)
    for kept, fit in parts:
        part = design.take(kept)
        if isinstance(fit, Projection):
            loss[kept] = squared_errors(fit, part)
        elif isinstance(fit, FeatureMap):
            sd = 1.0 if fit.scaling.scale is None else fit.scaling.scale
            X = part.X.toarray() if hasattr(part.X, "toarray") else part.X
            loss[kept] = np.sum(((X - fit._mapped(part)) / sd) ** 2, axis=1)
        else:
            raise InputError(
                "methods", f"has {about['fit']!r}, which rebuilds no features; pass {Setting('y')}, or leave it out."
            )
        loss[kept & (loss <= ROUNDING * fit.total / fit.scaling.weight)] = 0.0
    w = np.ones(design.n) if design.weights is None else design.weights
    every = np.ones(design.n, dtype=bool)
    folds = [kept for kept, _ in parts]
    mean, values = _mean(loss, w, every, folds)
    yield Estimate(LOSS_METRIC, n=design.n, estimate=mean, method=JOINT, **about), values
    for attribute in dict.fromkeys(one.attribute for one in levels):
        first, *others = [one for one in levels if one.attribute == attribute]
        base, of_base = _mean(loss, w, first.rows, folds)
        for one in others:
            mean, values = _mean(loss, w, one.rows, folds)
            apart = Estimate(
                LOSS_METRIC, attribute, one.group, "difference", first.group, n=one.n, method=JOINT, **about
            )
            yield replace(apart, estimate=mean - base), values - of_base


def _means_alone(parts: list[tuple[Any, Any]], design: Design) -> float:
    """The mean squared error of people whose features are taken to be the means of the others, in the fits' units."""
    X = design.X.toarray() if hasattr(design.X, "toarray") else design.X
    w = np.ones(design.n) if design.weights is None else design.weights
    loss = np.empty(design.n)
    for kept, fit in parts:
        rest = X[kept] - np.average(X[~kept], axis=0, weights=w[~kept])
        loss[kept] = np.sum((rest if fit.scaling.scale is None else rest / fit.scaling.scale) ** 2, axis=1)
    return float(np.average(loss, weights=w))


def _mean(
    loss: NDArray[np.float64], w: NDArray[np.float64], rows: NDArray[np.bool_], folds: list[NDArray[np.bool_]]
) -> tuple[float, NDArray[np.float64]]:
    """A weighted mean over some rows, and how much each person moves it: about the mean of its fold."""
    mass = np.where(rows, w, 0.0)
    values = np.zeros(len(loss))
    for kept in folds:
        inside = kept & (mass > 0)
        if inside.any():
            values[inside] = mass[inside] * (loss[inside] - np.average(loss[inside], weights=mass[inside]))
    return float(mass @ loss / mass.sum()), values / mass.sum()


def _probed(
    parts: list[tuple[Any, Any]], design: Design, levels: list[Any], about: dict[str, Any], seed: int
) -> Iterator[tuple[Estimate, NDArray[np.float64]]]:
    """AUCs of the outcome and of each level against the others, by a linear score within each fold."""
    if design.weights is not None:
        raise InputError("weights", "go with no y here; leave one out.")
    assert design.y is not None
    targets = [("", "", design.y.codes == len(design.y.levels) - 1)]
    for attribute in dict.fromkeys(one.attribute for one in levels):
        of_it = [one for one in levels if one.attribute == attribute]
        targets += [(attribute, one.group, one.rows) for one in (of_it[1:] if len(of_it) == 2 else of_it)]
    adjusted = [(kept, fit._mapped(design.take(kept))) for kept, fit in parts]
    for attribute, group, positive in targets:
        area, values = _area(adjusted, positive, seed)
        metric = PROBED if attribute else ACCURACY
        yield Estimate(metric, attribute, group, n=design.n, estimate=area, method=JOINT, **about), values


def _area(
    adjusted: list[tuple[NDArray[np.bool_], NDArray[np.float64]]], positive: NDArray[np.bool_], seed: int
) -> tuple[float, NDArray[np.float64]]:
    """The mean AUC over halves of folds, each scored by the other half, and how much each person moves it.

    The two AUCs of a fold share their people. Where nothing is to be found, what chance put into one half raises both
    or lowers both (correlation 0.6 to 0.9); the standard deviation of their mean is at most the mean of both, which
    the factor √2 allows for.
    """
    values, areas = np.zeros(len(positive)), []
    for kept, S in adjusted:
        places = np.flatnonzero(kept)
        truth, order = positive[places], np.random.default_rng(seed).permutation(len(places))
        halves = np.empty(len(places), dtype=np.intp)
        for side in (truth, ~truth):  # of a small group as many people are in each half
            halves[order[side[order]]] = np.arange(side.sum()) % 2
        for half in (0, 1):
            train, test = halves != half, halves == half
            if min(np.bincount(truth[train], minlength=2).min(), np.bincount(truth[test], minlength=2).min()) < 2:
                raise InputError(
                    "folds", "leave fewer than two people of a group or outcome in half a fold; take fewer."
                )
            design = np.column_stack([np.ones(train.sum()), S[train]])
            direction = np.linalg.lstsq(design, truth[train].astype(float), rcond=None)[0][1:]
            share, case = placements(S[test] @ direction, truth[test]), truth[test]
            areas.append(float(share[case].mean()))
            n = np.where(case, case.sum(), (~case).sum())
            values[places[test]] = np.sqrt(2 / (n * (n - 1))) * (share - areas[-1])
    return float(np.mean(areas)), values / len(areas)


def _paired(rows: list[Estimate], influence: NDArray[np.float64], conf_level: float, seed: int) -> Iterator[Estimate]:
    """Every row of a method less that of the first method: people are the same, so that much of the chance cancels.

    Where the first method has several numbers of components, the others are compared with it at as many.
    """
    bases = [j for j, row in enumerate(rows) if row.fit == rows[0].fit]
    at_k = len(bases) < len(rows) and len({rows[j].k for j in bases}) > 1
    places = [(row.k if at_k else 0, *_place(row)[2:]) for row in rows]
    first = {places[j]: j for j in reversed(bases)}
    pairs = [(j, first[place]) for j, place in enumerate(places) if first.get(place, j) != j]
    apart = [
        replace(
            rows[j],
            estimate=rows[j].estimate - rows[base].estimate,
            versus=_named(rows[base]),
            contrast="difference",
            method=PAIRED_LIMITS,
        )
        for j, base in pairs
    ]
    if pairs:
        mine, other = (influence[:, side] for side in np.transpose(pairs))
        moved, size = mine - other, np.linalg.norm(mine, axis=0) + np.linalg.norm(other, axis=0)
        moved[:, np.linalg.norm(moved, axis=0) <= ALIKE * size] = 0.0  # the same components but for rounding
        apart = [
            replace(r, estimate=0.0) if abs(r.estimate) <= ALIKE * s else r for r, s in zip(apart, size, strict=True)
        ]
        yield from _with_limits(apart, moved, conf_level, seed)


def _with_limits(
    rows: list[Estimate], influence: NDArray[np.float64], conf_level: float, seed: int
) -> Iterator[Estimate]:
    """Rows with standard errors, and limits that hold for all together."""
    error = np.sqrt(np.sum(influence**2, axis=0))
    unit = influence / np.where(error > 0, error, 1.0)
    values, turn = np.linalg.eigh(unit.T @ unit)
    normal = np.random.default_rng(seed).standard_normal((DRAWS, len(rows)))
    largest = np.abs(normal * np.sqrt(np.maximum(values, 0.0)) @ turn.T).max(axis=1)
    c = float(np.quantile(largest, conf_level))
    for row, se in zip(rows, error.tolist(), strict=True):
        if row.versus and se <= ROUNDING * abs(row.estimate):
            yield replace(row, std_error=0.0, conf_level=conf_level, reason=SAME)
            continue
        low, high = row.estimate - c * se, row.estimate + c * se
        if row.metric != LOSS_METRIC and not row.versus:
            low, high = max(low, 0.0), min(high, 1.0)
        elif row.contrast == "none":
            low = max(low, 0.0)
        yield replace(row, std_error=se, conf_low=low, conf_high=high, conf_level=conf_level)
