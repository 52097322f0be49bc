"""Proxies: which features give the group away, alone and beside all others, in people that no probe was trained on."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import combinations, islice
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, stdtr, stdtrit
from scipy.stats import rankdata

from fairstats.data.groups import Groups, label_names
from fairstats.data.read import Table as TableOfFile
from fairstats.data.read import read_table
from fairstats.data.tables import Columns, Labels, People, named_columns
from fairstats.document import Block, Heading, Paragraph, Table, Title, headings
from fairstats.errors import (
    OF_FILES,
    AbsentError,
    Call,
    InputError,
    Setting,
    in_code,
    listing,
    snippet,
    steps,
    table_in_code,
)
from fairstats.estimates import NAN, SHOWN, Estimate, Estimates
from fairstats.inference.multiplicity import Family
from fairstats.inference.representations.fit_studies import FitStudy
from fairstats.inference.representations.leakage import about, levels_shown, within_strata
from fairstats.inference.representations.probes import FIRST_TESTED, PARTS, spread_evenly
from fairstats.inference.scores.roc import AucResult, stratified_auc
from fairstats.inference.verdicts import Comparison, Undecided, decided
from fairstats.labels import holds_missing, join, label_cautions
from fairstats.language import DataText, Message, enumerated, message, says, translated
from fairstats.provenance import IN_MEMORY, DataSource, call_text, provenance, spelled
from fairstats.text import count, level, number, p_value, percent, span
from fairstats.validation import (
    ADJUSTMENTS,
    MISSING,
    Adjust,
    Missing,
    answering,
    choose,
    confidence,
    items,
    random_seed,
    shown,
)

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]

ALONE, ADDED = "AUC of features", "AUC added by feature"
OF_PAIR, ADDED_BY_PAIR = "AUC of pairs", "AUC added by pair"
LEFT = "AUC of features left"
OF_MISSING = "AUC of missing values"
QUESTION = message("Features that give the group away")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
CLASSES = 20  # of a number, at most: quantiles of the rows that train
FEWEST = 20  # rows of a class, at least
CURVE = 2  # the degree of the curve over a number's ranks to which shares of classes are drawn
PAIR_CLASSES = 6  # of a number of a pair, at most
TESTED = range(FIRST_TESTED, PARTS)
UNTESTED = range(1, FIRST_TESTED)  # whose people, learned of from the parts before, give the order of dropping
MOST_STEPS = 12  # of dropping features
MOST_WITHOUT = 20  # features whose absence trees are trained for
MOST_CROSSED = 10  # pairs whose joint classes the trees have as a column
RECODED, RECODED_IN_EACH = 0.99, 0.9  # of everybody, and of each level, have the value that stands for their level
CATEGORIES = 254  # that the trees take; rarer labels are one
ALONE_METHOD = message("shares of the level by classes of the feature, learned on other people; van Elteren, DeLong")
JOINT_METHOD = message("boosted trees, trained on other people; van Elteren, DeLong")
ADDED_METHOD = message("boosted trees, trained again without the feature; paired DeLong, t")
PAIR_METHOD = message(
    "shares of the level by classes of both features, drawn to both added up, learned on other people; DeLong"
)
ADDED_BY_PAIR_METHOD = message(
    "the smallest lead of the pair over each feature alone, both added up, and guessing; paired DeLong, t"
)
MISSING_METHOD = message("shares of the level among people with and without a value, learned on other people; DeLong")
LEFT_METHOD = message("boosted trees, trained again without the features dropped so far; van Elteren, DeLong")
UNUSED = message("without it the trees predict the same")
NOT_TRAINED = message("trained again without each of {n} features only, those dropped first")
FEW = message("fewer than two people of the level, or of the others, to test with")
TOGETHER = message(
    "All features together tell {group} from {reference} with an AUC of {auc} ({level} interval {low} to {high}); "
    "0.5 is guessing."
)
BEST_PREDICTED = message(
    "Of the {n} levels of {attribute} all features together tell {group} best, from all others with an AUC of {auc} "
    "({level} interval {low} to {high}); 0.5 is guessing. Shown to be predictable: {list}."
)
SOME = message("Shown to give {attribute} away by themselves: {n} of {total} features ({list}).")
NONE = message(
    "None of {total} features is shown to give {attribute} away by itself. An AUC up to about {auc} may have been "
    "missed: {n} people were tested."
)
ONE = message("Shown to give {attribute} away: {list}.")
NOT_ONE = message(
    "Not shown to give {attribute} away: {list}. An AUC up to about {auc} may have been missed: {n} people were tested."
)
SOME_ADD = message("Shown to add to what the others tell of {attribute}: {n} of {total} ({list}).")
STRONGEST = message(
    "The strongest single proxy is {feature}: it tells {group} from {reference} with an AUC of {auc} ({level} limits "
    "{low} to {high})."
)
GROUP_ITSELF = message(
    "{feature} is no proxy but {attribute} itself in other values: one to one for all {n} people. It is set apart: "
    "leave it out of what decisions use, and of the features here. What follows of {attribute} is of the others."
)
NEARLY_GROUP_ITSELF = message(
    "{feature} is no proxy but {attribute} itself in other values: one to one but for {apart} of {n} people. It is set "
    "apart: leave it out of what decisions use, and of the features here. What follows of {attribute} is of the others."
)
LEVEL_ITSELF = message(
    "{feature} is no proxy but whether {attribute} is {level}: one to one for all {n} people. It is set apart: leave "
    "it out of what decisions use, and of the features here. What follows of {attribute} is of the others."
)
NEARLY_LEVEL_ITSELF = message(
    "{feature} is no proxy but whether {attribute} is {level}: one to one but for {apart} of {n} people. It is set "
    "apart: leave it out of what decisions use, and of the features here. What follows of {attribute} is of the others."
)
MISSING_TELLS = message(
    "Whether {feature} is missing tells {group} from {reference} by itself, whatever its values: with an AUC of {auc} "
    "({level} limits {low} to {high}); it is missing for {missing} of the {n} people who were tested."
)
WITHOUT = message(
    "Without {list}, a model that is trained again tells {group} from {reference} with an AUC of {auc} ({level} "
    "limits {low} to {high}); more than guessing is not shown."
)
LEFT_ALONE = message("Among those that are left, still shown alone: {list}.")
STILL = message(
    "Even without {list}, a model that is trained again tells {group} from {reference} with an AUC of {auc} ({level} "
    "limits {low} to {high})."
)
IN_TURN = message(
    "Dropped in turn: each step drops the feature that tells most, alone or in a pair, by the half of the people that "
    "was not tested, so that the choice does not favor what is left. There may be a shorter way."
)
STRONGEST_PAIR = message(
    "Of pairs that tell more together than both added up, {first} and {second} tell {group} from {reference} best: "
    "with an AUC of {auc} ({level} limits {low} to {high}), alone with {one} and {other}."
)
PAIR = "{first} × {second}"
PAIR_OF_NEITHER = message(
    "{first} and {second} together tell {group} from {reference} (AUC {auc}), although neither is shown to do so alone "
    "({one}, {other})."
)
BETTER_PAIR = message(
    "{first} and {second} together tell {group} from {reference} better (AUC {auc}) than each alone ({one}, {other}) "
    "and than both added up."
)
PAIRS = message("Pairs shown to tell {attribute} better together: {n} of {total}.")
NO_PAIR = message(
    "None of {total} pairs is shown to tell {attribute} better than each of its features and both added up."
)
NONE_ADDS = message("None of {total} features is shown to add to what the others tell of {attribute}.")
BELOW = message(
    "{feature} alone has an AUC of {auc}, above that of all features together: a model of several features also learns "
    "from chance."
)
PAIR_ABOVE = message(
    "{first} and {second} together have an AUC of {auc}, above that of all features: boosted trees may miss a pair "
    "among many features."
)
OF_ONE_PERSON = message(
    "Nearly everybody has a value of their own in {list}, as in an identifier; leave identifiers out of the features: "
    "until then what the others are shown to add means little."
)
DATES_AS_DAYS = message("Dates are read as numbers of days: {list}.")
NAMED = message("Of {total} features that were named. Seed {seed}.")
EVERY = message(
    "Of {total} features: all columns but those of the groups. A decision or an outcome among them is no feature: "
    "{setting} names those that a model reads. Seed {seed}."
)
OF_ONE_FEATURE = message("Seed {seed}.")
FAMILIES = message(
    "Where nothing tells {attribute}, each of these families has a finding in at most {share}% of data sets, all of "
    "them together in more: {list}."
)
OF_FAMILY = {
    ALONE: message("features alone"),
    ADDED: message("what features add"),
    ADDED_BY_PAIR: message("pairs"),
    OF_MISSING: message("whether features are missing"),
}
WHOLE_FAMILY = message("all features together (and what is left of them)")
BY_CHANCE = message(
    "Half of the people are tested, and the seed says who: with another one what is not shown may be, and what is "
    "barely shown may not."
)
UNDER_GUESSING = message(
    "An AUC below 0.5 is chance: what was learned of other people is the other way round among those tested."
)
NEXT = message(
    "A feature that gives a group away can bring it into decisions that never see it. Next: ask of each that is shown, "
    "alone or in a pair, whether the decision needs it; leave out those that it does not need, and run "
    "this again."
)
NEEDED = message("Where some are needed, run what follows.")
RUN_AUDIT = message("{call}  # how the decisions differ by {attribute}")
RUN_COMPARE = message("{call}  # what adjusting the data costs")
RUN = (RUN_AUDIT, RUN_COMPARE)
GUESSED = message(
    "{column} is taken for the decision or the outcome: of the other columns it alone has two values. If it is "
    "neither, name another."
)
NAMELESS = message(
    "{name} stands for the column of decisions, or of the outcome that a model predicts; if it is one of the features, "
    "take it out of them, here and in the comparison."
)
UNLABELED = message("{name} stands for the label of that column which helps the person.")
UNLABELED_OF = message("{name} stands for the label of {column} which helps the person: {one} or {other}.")
OF_RECODED = (GROUP_ITSELF, NEARLY_GROUP_ITSELF, LEVEL_ITSELF, NEARLY_LEVEL_ITSELF)
WITH_PAIRS = message(
    "That comparison has the products of pairs that tell more together ({list}): without them most methods leave what "
    "a pair tells, as they move means of single features."
)
NO_COMPARISON = message(
    "No comparison of what adjusting the data costs is proposed. It would be without {list}, which tells most: it "
    "takes no missing values, dates or labels of more than {n} kinds. Impute or merge those first."
)
TO_RUN = (NEEDED, *RUN, NO_COMPARISON, WITH_PAIRS, GUESSED, NAMELESS, UNLABELED, UNLABELED_OF)
NOT_COMPARED = message(
    "That comparison is without {list}: it takes no missing values, dates or labels of more than {n} kinds."
)
MAY_BE_CODES = message(
    "Taken as amounts, though perhaps codes: {list}. Neighbors among codes, as of postcodes, have nothing in common; "
    "their AUC, and so the order of the features, is then not right. {setting} takes each value as a class of its own."
)
ADDS_MEANS = message(
    "What a feature adds is the AUC that a model loses when it is trained again without the feature; what others say "
    "as well is no loss."
)
ADDED_OF = message("What a feature adds is estimated of {n}: those that come first by the half that was not tested.")
ALIKE = message(
    "Say the same, or nearly: {list}. Neither of two that do adds to the other; what they tell is gone only without "
    "both."
)
AS = message("{name} as {other}")
CONSTANT = message("Left out, as one value only tells nothing: {list}.")
EMPTY = message("Left out, as missing for everybody: {list}.")
NOT_KNOWN = message("The {attribute} of {n} people is not known; they are left out.")
NOT_KNOWN_OF_ONE = message("The {attribute} of one person is not known, who is left out.")
PEOPLE = message("People by {attribute}: {list}; {n} of them were tested.")
OF_LEVEL = message("{n} {group}")
FIRST = 5
MOST_LINES = 12  # of the printed table
LEAST_LINES = 2  # of a level
MOST_LEVELS = 12  # whose people are counted in a sentence
TINY = 1e-12  # what rounding leaves of a standard error of 0
MOST_PAIRS = 3  # that have a sentence of their own
KINDS = 50  # of labels in a comparison, at most: each is a column
# of a call, where the data do not tell which column it is, or which of its labels helps
OUTCOME, FAVORABLE = "OUTCOME", "FAVORABLE"
# words of a column's name that say that its numbers are codes
CODE_WORDS = frozenset(
    {"code", "zip", "zipcode", "postcode", "postal", "plz", "fip", "tract", "id", "isco", "soc", "sic", "naic", "nace"}
    | {"occupation", "industry"}
)
SCATTERED, SEVERAL = 5, 5  # the usual step between codes, and the people of one
SAMPLED = 1000  # people by whom unlike features are known as such
KNOWN = 0.5  # of the people of whom one of two features is known: of so many both are, where they are compared
CORRELATED = 0.99  # the ranks of two numbers that say nearly the same
DISTINCT = 0.9  # the share of different values from which labels, and whole numbers close together, are identifiers


@dataclass(frozen=True, repr=False)
class Proxies(FitStudy):
    """What ``proxies`` found; ``estimates`` are the numbers, ``statements`` say them. Attributes as of ``FitStudy``."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name == "passes":
                rows = 'result.estimates.where(verdict="disparity shown")'
                raise AbsentError(f"passes is of an audit; {rows} has the features that are shown.")
            return super().__getattr__(name)

    def _content(self) -> Iterator[Block]:
        """The headline, the strongest features, and what else is to be said."""
        yield Title(1, self._title)
        first = headlines(self)
        yield from (Paragraph(translated(line), kind="command" if is_call(line) else "") for line in first)
        yield self._table()
        if self.pairs():
            yield self._pair_table()
        if self.left():
            yield self._left_table()
        yield from (Paragraph(translated(line)) for line in self.statements if line not in first)

    def attributes(self) -> list[str]:
        """Return the attributes that were asked about.

        Examples
        --------
        >>> import numpy as np
        >>> import fairstats as fs
        >>> x = np.arange(60.0)
        >>> fs.proxies({"sex": ["f", "m"] * 30, "x": x}, "sex").attributes()
        ['sex']
        """
        return list(dict.fromkeys(row.attribute for row in self.estimates))

    def features(self) -> list[tuple[Estimate, Estimate]]:
        """Return of each feature and level its AUC alone and what it adds to the others, by its lower limit.

        First those that are shown alone, then those that are shown to add to the others.

        Examples
        --------
        >>> import numpy as np
        >>> import fairstats as fs
        >>> x = np.arange(60.0)
        >>> found = fs.proxies({"sex": ["f", "m"] * 30, "x": x}, "sex")
        >>> [(alone.term, added.term) for alone, added in found.features()]
        [('x', 'x')]
        """
        alone = sorted((r for r in self.estimates if r.metric == ALONE and r.role == "main"), key=strength)
        added = {(r.attribute, r.group, r.term): r for r in self.estimates if r.metric == ADDED}
        both = [(row, added[row.attribute, row.group, row.term]) for row in alone]
        return sorted(both, key=lambda pair: all(row.verdict not in SHOWN for row in pair))

    def _by_level(self, most: int) -> list[tuple[Estimate, Estimate]]:
        """The features by the level that they tell, the strongest of each, of all levels as many."""
        of: dict[tuple[str, str], list[tuple[Estimate, Estimate]]] = {}
        for pair in self.features():
            of.setdefault((pair[0].attribute, pair[0].group), []).append(pair)
        names = self.attributes()
        blocks = sorted(of.values(), key=lambda block: names.index(block[0][0].attribute))
        each = max(most // len(blocks), LEAST_LINES) if blocks else 0
        return [pair for block in blocks for pair in block[:each]][:most]

    def pairs(self) -> list[tuple[Estimate, Estimate]]:
        """Return of each pair shown to tell more together its AUC, the largest first, and what the pair adds.

        Examples
        --------
        >>> import numpy as np
        >>> import fairstats as fs
        >>> rng = np.random.default_rng(0)
        >>> a, b = rng.integers(0, 2, (2, 400))
        >>> found = fs.proxies({"sex": np.where(a == b, "f", "m"), "a": a, "b": b}, "sex")
        >>> [pair.term for pair, added in found.pairs()]
        ['a × b']
        """
        of = {(r.attribute, r.group, r.term): r for r in self.estimates if r.metric == OF_PAIR}
        added = [r for r in self.estimates if r.metric == ADDED_BY_PAIR]
        both = [(of[row.attribute, row.group, row.term], row) for row in added]
        return sorted(both, key=lambda pair: -pair[0].estimate)

    def left(self) -> list[Estimate]:
        """Return what is left as features are dropped in turn and trees trained again, of the level known best.

        Examples
        --------
        >>> import numpy as np
        >>> import fairstats as fs
        >>> rng = np.random.default_rng(0)
        >>> g = rng.integers(0, 2, 400)
        >>> table = {"sex": np.where(g, "f", "m"), "height": g + rng.normal(size=400), "luck": rng.normal(size=400)}
        >>> [row.term for row in fs.proxies(table, "sex").left()]  # dropped
        ['height']
        """
        best: dict[tuple[str, str], Estimate] = {}
        for row in self.estimates:
            other = best.get((row.attribute, row.term))
            if row.metric == LEFT and (other is None or row.conf_low > other.conf_low):
                best[row.attribute, row.term] = row
        return list(best.values())

    @property
    def all_together(self) -> dict[str, Estimate]:
        """What all features together tell of each attribute, of the level that they tell best."""
        rows = sorted((row for row in self.estimates if row.role == "omnibus"), key=lambda row: row.conf_low)
        return {row.attribute: row for row in rows}

    def _left_table(self) -> Table:
        """A line a step: the feature that is dropped as well, and what those left tell when trained again."""
        every = self.left()
        several = len({(row.attribute, row.group) for row, _ in self.features()}) > 1
        lines = []
        for attribute in dict.fromkeys(row.attribute for row in every):
            steps_of = [row for row in every if row.attribute == attribute]
            for row in (self.all_together[attribute], *steps_of):
                lines.append(
                    (
                        row.term or "(none)",
                        *((f"{row.attribute} = {row.group}",) if several else ()),
                        number(row.estimate, 2),
                        span(row.conf_low, row.conf_high, lambda v: number(v, 2)),
                        p_value(row.p_adjusted),
                    )
                )
        words = [Heading(label, kind="text") for label in ("dropped in turn", *(["tells best"] if several else []))]
        return Table("", (*words, *headings("", "AUC left", _limits(every), "adj. p")[1:]), tuple(lines), "")

    def _pair_table(self) -> Table:
        """A line a pair and level, the strongest: its AUC, and what it adds to the better of both and to their sum."""
        every = self.pairs()
        several = len({(row.attribute, row.group) for row, _ in self.features()}) > 1
        lines = [
            (
                row.term,
                *((f"{row.attribute} = {row.group}",) if several else ()),
                number(row.estimate, 2),
                span(row.conf_low, row.conf_high, lambda v: number(v, 2)),
                number(added.estimate, 3),
                p_value(added.p_adjusted),
            )
            for row, added in every[:MOST_LINES]
        ]
        words = [Heading(label, kind="text") for label in ("pair", *(["tells"] if several else []))]
        numbers = headings("", "AUC", _limits([row for row, _ in every]), "adds", "adj. p")[1:]
        return Table("", (*words, *numbers), tuple(lines), total=len(every), rest=snippet("tidy() has all"))

    def _table(self) -> Table:
        """A line a feature and level, the strongest of each level: its AUC alone, and what it adds to the others."""
        every, chosen = self.features(), self._by_level(MOST_LINES)
        whom: dict[tuple[str, str], tuple[str, ...]]
        whom = {(row.attribute, row.group): (row.group,) for row, _ in every}
        if len(self.attributes()) > 1:
            whom = {(attribute, group): (f"{attribute} = {group}",) for attribute, group in whom}
        elif len(whom) == 1:  # which the headline names
            whom = dict.fromkeys(whom, ())
        lines = [
            (
                row.term,
                *whom[row.attribute, row.group],
                number(row.estimate, 2),
                span(row.conf_low, row.conf_high, lambda v: number(v, 2)),
                p_value(row.p_adjusted),
                number(beside.estimate, 3),
                p_value(beside.p_adjusted),
            )
            for row, beside in chosen
        ]
        words = [Heading(label, kind="text") for label in ("feature", *(["tells"] if len(whom) > 1 else []))]
        numbers = headings("", "AUC", _limits([row for row, _ in every]), "adj. p", "adds", "adj. p")[1:]
        return Table("", (*words, *numbers), tuple(lines), total=len(every), rest=snippet("tidy() has all"))


def is_call(line: str) -> bool:
    """Whether a statement is a call to be copied."""
    return any(says(line, one) for one in RUN)


def headlines(found: Proxies) -> list[str]:
    """What a page begins with: what tells most, what all tell together, what is left, and what to do next."""
    first = (
        *OF_RECODED,
        PAIR_OF_NEITHER,
        STRONGEST_PAIR,
        STRONGEST,
        TOGETHER,
        BEST_PREDICTED,
        WITHOUT,
        LEFT_ALONE,
        STILL,
        MISSING_TELLS,
        MAY_BE_CODES,
        NEXT,
        *TO_RUN,
    )
    return [line for line in found.statements if any(says(line, one) for one in first)]


def answers(found: Proxies) -> list[str]:
    """What a page answers first: what tells most and what all tell together, of several attributes a sentence each."""
    lines = [
        line
        for line in found.statements
        if any(says(line, one) for one in (*OF_RECODED, PAIR_OF_NEITHER, STRONGEST, TOGETHER, BEST_PREDICTED))
    ]
    names = found.attributes()
    if len(names) == 1:
        return lines
    apart = [line for line in lines if any(says(line, one) for one in OF_RECODED)]
    first: dict[str, str] = {}
    for line in (line for line in lines if line not in apart):
        first.setdefault(str(line.values["attribute"]) if isinstance(line, Message) else line, line)
    return [*apart, *first.values()]


def strength(row: Estimate) -> tuple[bool, float]:
    """By which features are in order: what is shown first, then by the limit below; of few people an AUC is noise."""
    return row.verdict not in SHOWN, -row.estimate if row.conf_low != row.conf_low else -row.conf_low


def _limits(rows: Sequence[Estimate]) -> str:
    """What limits of a family are called: by their level, where all rows have one."""
    levels = {row.conf_level for row in rows if row.conf_low == row.conf_low}
    return f"{level(levels.pop())} limits" if len(levels) == 1 else "limits"


@answering
def proxies(
    data: People | None = None,
    groups: Labels = None,
    *,
    features: Sequence[str] | None = None,
    codes: Sequence[str] | None = None,
    conf_level: float = 0.95,
    p_adjust: Adjust = "bonferroni",
    missing: Missing = "drop",
    seed: int = 0,
) -> Proxies:
    """Estimate how well each feature tells the groups apart, alone, and what it adds to all the others.

    Parameters
    ----------
    data : table or path
        A row a person.
    groups : str or list of str
        Columns of labels; each is asked about by itself.
    features : list of str, optional
        Columns of numbers or labels; by default all but those of the groups. A factor is one feature, whole.
    codes : list of str, optional
        Features whose whole numbers are codes, such as postcodes and occupations: each value is a class of its own.
    conf_level : float
        Confidence level of a family: all features alone, all that features add, all that pairs add, and whether each
        is missing; what all tell together, and what is left of them, is one of its own. Where nothing tells the group,
        each errs in at most 5%, and all of them in more (measured with three families: in 9%).
    p_adjust : {"bonferroni", "holm", "bh", "none"}
        How p-values and limits of a family are adjusted.
    missing : {"drop", "level", "raise"}
        What happens to people without a group: they are left out, are a group of their own, or are an error.
    seed : int
        Of the parts that people are cut into, and the trees.

    Returns
    -------
    Proxies
        Rows of metric "AUC of features" (``term`` is the feature; of role "omnibus" all together) and "AUC added by
        feature"; of pairs shown to tell more together "AUC of pairs" and "AUC added by pair"; "AUC of features left"
        as features are dropped in turn (``term`` is the last one dropped); "AUC of missing values", of whether a
        feature is missing. A feature that is the group itself in other values has a sentence and no row. Of two
        groups the second is told from the first, of more each from all others. The verdict "disparity shown" says that
        the feature, or the pair, gives the group away beyond chance.

    Raises
    ------
    InputError
        If a column is unknown, a group is a feature, or there are fewer than 12 people of a level to learn from.

    Notes
    -----
    People come in random order, cut into six parts; the last three are told apart by what was learned on all parts
    before, so that nobody is tested by what has seen them and the tests are independent of each other. Alone, a
    feature's classes are scored by the level's share among those learned from, which sees any curve. Classes are
    labels, or up to 20 quantiles; a missing value is a class, and so is a value of many people, such as 0. Shares of
    quantiles are drawn to a quadratic curve over the ranks as far as chance explains their distance from it (empirical
    Bayes): raw ones rank classes of few people by chance, too. The AUC is of this score, which can fall short of the
    best that the feature allows where people are few and the curve has several turns. Together
    they train boosted trees; what a feature adds is the AUC that is lost when trees are trained again without it, of
    more than 20 features for those that come first by the half that is not tested. A feature that adds nothing may
    still be a proxy: others say the same.

    Every pair of features is scored, too: by what both say added up (in log odds), and by how far the level's share in
    each of their joint classes (of a number at most six) is from that, as far as chance does not explain the distance.
    A pair is shown where its AUC is above that of each of the two alone, of both added up, and of guessing (the
    largest of four p-values, adjusted over all pairs and levels). Features that tell the group independently of each
    other, however well both do, are no such pair; one that takes noise out of another is.

    Trees seldom find such a pair among many features. So pairs that are shown in the half of the people who are not
    tested (in parts of their own, learned from those before) are a column of joint classes for the trees.

    Where all together tell the group, features are dropped one after another and trees are trained again each time,
    until that they tell more than guessing is not shown, or twelve are dropped. Each step drops the feature with the
    largest AUC, alone or in such a pair, in the half that is not tested: the order does not depend on the people that
    what is left is measured by. A step is taken only where the one before is shown, so that all steps have the error
    rate of one (a fixed sequence); of more than two groups each step is adjusted over their levels.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44; van Elteren (1960); Berger (1982), Technometrics 24 (the
    largest of several p-values); Lei, G'Sell, Rinaldo, Tibshirani & Wasserman (2018), Journal of the American
    Statistical Association 113 (leaving one feature out); Maurer, Hothorn & Lehmacher (1995), in Biometrie in der
    chemisch-pharmazeutischen Industrie 6 (fixed sequences); Dawid (1984), Present position and potential developments:
    the prequential approach.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> rng = np.random.default_rng(0)
    >>> sex = np.repeat(["f", "m"], 300)
    >>> people = {"sex": sex, "height": rng.normal(170, 7, 600) + 12 * (sex == "m"), "luck": rng.normal(size=600)}
    >>> result = fs.proxies(people, "sex")
    >>> print(result.statements[3])
    Shown to give sex away by themselves: 1 of 2 features (height).
    >>> print([row.term for row in result.left()])
    ['height']
    """
    share, drawn = confidence(conf_level), random_seed(seed)
    choose("p_adjust", p_adjust, ADJUSTMENTS)
    choose("missing", missing, MISSING)
    source, paths = None, tuple[str, ...]()
    if isinstance(data, (str, os.PathLike)):
        data = read_table(data, labels=label_names(groups))
    if isinstance(data, TableOfFile):
        paths = data.paths
        source, data = DataSource(data.name, data.sha256, data.rows, data.columns), data.frame
    table, roles = named_columns(data, {}, {"groups": groups})
    columns = Columns(table)
    if roles["groups"] is None:
        raise InputError("groups", "is absent; proxies are of groups; name one column or several.")
    names = label_names(roles["groups"])
    if not names:
        raise InputError("groups", f"has {shown(roles['groups'])}; it is a column of labels or several; name them.")
    coded = [] if codes is None else items("codes", codes, "names of features")
    every = _features(columns, features, names, coded)
    values = [np.unique(one.values[~np.isnan(one.values)]).size for one in every]
    empty = [one.name for one, n in zip(every, values, strict=True) if not n]
    used = [one for one, n in zip(every, values, strict=True) if n > 1 or (n and np.isnan(one.values).any())]
    constant = [one.name for one in every if one not in used and one.name not in empty]
    if not used:
        raise InputError(
            "features", f"has {shown([one.name for one in every])}, none of which varies; name one that does."
        )
    rows: list[Estimate] = []
    labels: dict[str, list[str]] = {}
    people, itself = list[Message](), list[Message]()
    recoded: dict[str, None] = {}
    lacking: set[str] = set()  # attributes that somebody's group is missing of
    given = [{name: columns.factor(name, "groups")} if name in columns else name for name in names]
    groups_of = [Groups.of(one, table, missing=missing) for one in given]
    work = [_work(len(levels_shown([join(cell) for cell in levels.cells[1]])), len(used)) for levels in groups_of]
    pieces = steps("proxies", range(sum(map(len, work))), work=[cost for of in work for cost in of])
    for at, (name, levels) in enumerate(zip(names, groups_of, strict=True)):
        of_level, cells = levels.cells
        keep = np.ones(columns.n, dtype=bool) if levels.keep is None else levels.keep
        labels[name] = [join(c) if len(c) > 1 else c[0] for c in cells]
        within = islice(pieces, len(work[at]))
        apart = {one.name: differ for one in used if (differ := _recoded(one.values[keep], of_level))}
        kept = [one for one in used if one.name not in apart]
        if not kept:
            raise InputError(
                "features",
                f"has {listing([*apart])} alone, which is {name!r} itself, or one level of it, in other values; name "
                "others.",
            )
        rows += _rows(name, of_level, labels[name], kept, keep, share, p_adjust, drawn, within)
        deque(within, maxlen=0)  # of steps that were not needed
        recoded |= dict.fromkeys(apart)
        for feature, (n, label) in apart.items():
            values_of = {"feature": DataText(feature), "attribute": DataText(name), "n": count(len(of_level))}
            values_of |= {} if label is None else {"level": DataText(labels[name][label])}
            values_of |= {"apart": count(n)} if n else {}
            exact, nearly = OF_RECODED[:2] if label is None else OF_RECODED[2:]
            itself.append((nearly if n else exact).format(**values_of))
        each = zip(labels[name], np.bincount(of_level, minlength=len(labels[name])), strict=True)
        sizes = enumerated((OF_LEVEL.format(n=count(n), group=DataText(one)) for one, n in each), MOST_LEVELS)
        people.append(PEOPLE.format(attribute=DataText(name), list=sizes, n=count(rows[-1].n)))
        if len(of_level) < columns.n or any(map(holds_missing, labels[name])):
            lacking.add(name)
        if unknown := columns.n - len(of_level):
            people.append(
                (NOT_KNOWN if unknown > 1 else NOT_KNOWN_OF_ONE).format(attribute=DataText(name), n=count(unknown))
            )
    deque(pieces, maxlen=0)
    found = Proxies(QUESTION, ", ".join(names), (), columns.n, drawn, share, Estimates(rows))
    facts = {"total": len(used), "seed": drawn, "setting": Setting("features")}
    source = source or DataSource(IN_MEMORY, "", columns.n, len(columns.names))
    settings: dict[str, Any] = {"groups": names if len(names) > 1 else names[0]}
    settings |= {} if features is None else {"features": list(features)}
    settings |= {"codes": coded} if coded else {}
    settings |= {"conf_level": share, "p_adjust": p_adjust, "missing": missing, "seed": drawn}
    call = call_text("fairstats.proxies", source, settings)
    used_all, used = used, [one for one in used if one.name not in recoded]
    unique, dates = _identifiers(used), [one.name for one in used if one.is_date]
    cautions = [
        line.format(list=DataText(listing(left, FIRST)))
        for line, left in ((CONSTANT, constant), (EMPTY, empty))
        if left
    ]
    cautions += [OF_ONE_PERSON.format(list=DataText(listing(unique, FIRST)))] if unique else []
    cautions += [DATES_AS_DAYS.format(list=DataText(listing(dates, FIRST)))] if dates else []
    chosen = (OF_ONE_FEATURE if len(used_all) == 1 else EVERY if features is None else NAMED).format(**facts)
    strong = {row.attribute for row in rows if row.metric in (ALONE, OF_PAIR) and row.role == "main"
              and (row.metric == OF_PAIR or row.verdict in SHOWN)}  # fmt: skip
    use = [IN_TURN] if any(row.metric == LEFT for row in rows) else []
    use += [ADDS_MEANS] if any(row.metric == ADDED and row.verdict in SHOWN for row in rows) else []
    use += [ADDED_OF.format(n=MOST_WITHOUT)] if len(used) > MOST_WITHOUT else []
    if alike := _alike(used):
        pairs = [AS.format(name=DataText(name), other=DataText(other)) for name, other in alike]
        use = [ALIKE.format(list=enumerated(pairs, FIRST)), *use]
    if strong:
        use.append(NEXT)
    if strong and label_names(groups) == names:  # labels that stand beside the data are no column to name
        shown_to = [name for name in names if name in strong]
        others = [name for name in columns.features if name not in {*names, *(one.name for one in used_all)}]
        without = missing if any(name in lacking for name in shown_to) else None
        use += _next(columns, paths, used, others, shown_to, without, found)
    if perhaps := [one.name for one in used if not one.is_factor and _may_be_codes(one)]:
        setting = Setting("codes", [*coded, *perhaps])
        use = [MAY_BE_CODES.format(list=DataText(listing(perhaps, FIRST)), setting=setting), *use]
    said = _statements(found, [one.name for one in used_all])
    chance = _of_chance(rows, len(used), p_adjust, share)
    lines = (*itself, *said, *chance, *use, *people, *cautions, *label_cautions(labels), chosen)
    return replace(found, statements=lines, data=(source,), provenance=provenance(call, drawn))


@dataclass(frozen=True, eq=False)
class _Feature:
    """One column: numbers with NaN where missing, or codes of labels with NaN."""

    name: str
    values: Floats
    is_factor: bool
    is_date: bool = False

    def classes(self, train: Codes) -> Codes:
        """The class of every row, ends of classes by the quantiles of the rows that train; the last is "missing"."""
        present = self.values[train]
        present = present[~np.isnan(present)]
        if self.is_factor:
            code, most = np.nan_to_num(self.values, nan=-1).astype(np.intp), int(np.nanmax(self.values, initial=0)) + 1
            return np.where(code < 0, most, code)
        often, times = np.unique(_quantiles(present), return_counts=True)
        often = often[times > 1]  # values of many people, each a class; the others have quantiles of their own
        rest = _quantiles(present[~np.isin(present, often)])
        ends = np.unique(np.concatenate([often, np.nextafter(often, np.inf), rest]))
        return np.where(np.isnan(self.values), len(ends) + 1, np.searchsorted(ends, self.values, side="right"))

    def for_trees(self) -> Floats:
        """Numbers as they are; of a factor with many labels the rarest are one."""
        if not self.is_factor or np.nanmax(self.values, initial=0) < CATEGORIES:
            return self.values
        code = np.nan_to_num(self.values, nan=-1).astype(np.intp)
        order = np.argsort(-np.bincount(code[code >= 0]), kind="stable")
        rank = np.argsort(order, kind="stable")
        return np.where(code < 0, np.nan, np.minimum(rank[code], CATEGORIES - 1))


def _quantiles(values: Floats) -> Floats:
    """Where up to 20 classes of as many people end."""
    many = int(np.clip(values.size // FEWEST, 1, CLASSES))
    return np.quantile(values, np.arange(1, many) / many, method="higher") if values.size else values


def _features(
    columns: Columns, features: Sequence[str] | None, groups: Sequence[str], coded: Sequence[str]
) -> list[_Feature]:
    named = isinstance(features, (list, tuple)) and all(isinstance(f, str) for f in features)
    if features is not None and not named:
        raise InputError(
            "features", f"has {shown(features)}; it is a list of column names; pass {in_code(['age', 'income'])}."
        )
    parts = {part for name in groups for part in (name, *name.split(":"))}
    names = list(features) if features is not None else [name for name in columns.features if name not in parts]
    if both := [name for name in names if name in parts]:
        raise InputError("features", f"has {both[0]!r}, which is one of the groups; leave it out: it is no proxy.")
    if not names or len(set(names)) < len(names):
        raise InputError("features", f"has {shown(names)}; name at least one column, each once.")
    if unknown := [name for name in coded if name not in names]:
        raise InputError("codes", f"has {shown(unknown[0])}, which is none of the features ({listing(names)}).")
    result = []
    for name in names:
        if name in columns and not columns.is_numeric(name):
            known = columns.labels(name, "features")
            days = _days(known.levels)
            values = known.codes.astype(float) if days is None else days[known.codes]
            result.append(_Feature(name, np.where(known.codes < 0, np.nan, values), days is None, days is not None))
        else:
            values = columns.numeric(name, "features")
            if np.isinf(values).any():
                raise InputError(
                    "features", f"has infinite values in {name!r}; leave those rows out, or code them as missing."
                )
            if name in coded:
                if (values[~np.isnan(values)] % 1 != 0).any():
                    raise InputError("codes", f"has {name!r}, which has fractions; codes are whole; leave it out.")
                known = ~np.isnan(values)
                values = values.copy()
                values[known] = np.unique(values[known], return_inverse=True)[1]
            result.append(_Feature(name, values, name in coded))
    return result


def _days(levels: Sequence[str]) -> Floats | None:
    """Labels that are all dates, or times, as days; None of other labels, and of so few that each is a class."""
    if len(levels) <= CLASSES:
        return None
    try:
        times = [datetime.fromisoformat(level) for level in levels]
    except ValueError:
        return None
    return np.array([(time.replace(tzinfo=time.tzinfo or UTC) - EPOCH) / timedelta(days=1) for time in times])


def _may_be_codes(feature: _Feature) -> bool:
    """Whether whole numbers are called like codes, or lie scattered, each of several people, in steps of no unit."""
    present = feature.values[~np.isnan(feature.values)]
    distinct, times = np.unique(present, return_counts=True)
    if feature.is_date or distinct.size <= CLASSES or (distinct % 1 != 0).any():
        return False
    if not 0 < distinct[0] <= distinct[-1] < 2**53:
        return False
    if CODE_WORDS & {word.rstrip("s") for word in re.split(r"[^a-z]+", feature.name.lower())}:
        return distinct.size < DISTINCT * present.size
    gaps = np.diff(distinct)
    scattered = np.median(gaps) > SCATTERED and np.gcd.reduce(gaps.astype(np.int64)) == 1
    return bool(scattered and np.median(times) >= SEVERAL)


def _next(
    columns: Columns,
    paths: Sequence[str],
    used: Sequence[_Feature],
    others: Sequence[str],
    groups: Sequence[str],
    missing: str | None,
    found: Proxies,
) -> Iterator[Message]:
    """Calls that run as they are but for placeholders, with the features that a comparison takes.

    paths: of the files that the data came from.
    others: columns that are neither features nor groups; the only one with two values is taken for the decision.
    missing: what a comparison does with people without a group, where there are some.
    found: what has the pairs that are shown.
    """
    of_two = [name for name in others if columns.series(name, "features").drop_nulls().n_unique() == 2]
    outcome = of_two[0] if len(of_two) == 1 else OUTCOME
    labels = () if outcome == OUTCOME else columns.factor(outcome, "features").levels
    helps = None if spelled("1", labels) else FAVORABLE  # 1, or what means it, is the default
    given: list[str | tuple[str, Any]] = [(OF_FILES, [*paths])] if paths else [table_in_code()]
    by = ("groups", groups[0] if len(groups) == 1 else [*groups])
    compared = [one for one in used if not one.is_date and not np.isnan(one.values).any()
                and (not one.is_factor or np.unique(one.values).size <= KINDS)]  # fmt: skip
    terms = [one.name if one.name.isidentifier() else f"`{one.name}`" for one in compared]
    terms = [
        f"C({term})" if one.is_factor and columns.is_numeric(one.name) else term
        for one, term in zip(compared, terms, strict=True)
    ]
    term_of = dict(zip((one.name for one in compared), terms, strict=True))
    together = {row.term for row, _ in found.pairs()}
    both = [(a, b) for a, b in combinations(term_of, 2) if PAIR.format(first=a, second=b) in together]
    pairs = [f"{term_of[a]}:{term_of[b]}" for a, b in both]
    yield NEEDED
    of = enumerated([DataText(name) for name in groups])
    favorable: list[tuple[str, Any]] = [("favorable", helps)] if helps else []
    yield RUN_AUDIT.format(call=Call("audit", (*given, ("decision", outcome), *favorable, by)), attribute=of)
    alone: dict[str, Estimate] = {}
    for row, _ in found.features():
        if row.attribute in groups and row.verdict in SHOWN:
            alone.setdefault(row.attribute, row)
    lost = [name for name in dict.fromkeys(row.term for row in alone.values()) if name in {one.name for one in used}
            and name not in term_of]  # fmt: skip
    if lost:
        yield NO_COMPARISON.format(list=enumerated([DataText(name) for name in lost]), n=KINDS)
    elif terms:
        formula = ("features", f"~ {' + '.join([*terms, *pairs])}")
        positive: list[tuple[str, Any]] = [("positive", helps)] if helps else []
        without: list[tuple[str, Any]] = [("missing", missing)] if missing else []
        predicted = (("outcome", outcome), *positive, by, formula, *without)
        yield RUN_COMPARE.format(call=Call("compare", (*given, *predicted)))
        if pairs:
            yield WITH_PAIRS.format(list=DataText(listing(pairs, FIRST)))
    if outcome != OUTCOME:
        yield GUESSED.format(column=DataText(outcome))
    else:
        yield NAMELESS.format(name=OUTCOME)
        yield UNLABELED.format(name=FAVORABLE)
    if helps and outcome != OUTCOME:
        one, other = map(DataText, labels)
        yield UNLABELED_OF.format(name=FAVORABLE, column=DataText(outcome), one=one, other=other)
    if terms and not lost and (left := [one.name for one in used if one not in compared]):
        yield NOT_COMPARED.format(list=DataText(listing(left, FIRST)), n=KINDS)


def _recoded(values: Floats, codes: Codes) -> tuple[int, int | None] | None:
    """How many people differ where values are the levels, or one level of several, which is named; else None."""
    value = np.unique(values, return_inverse=True)[1]  # missing is one of them
    size = int(codes.max()) + 1
    for label in (None, *(range(size) if size > 2 else ())):
        own = codes if label is None else codes == label
        seen = np.zeros((int(own.max()) + 1, int(value.max()) + 1))
        np.add.at(seen, (own.astype(np.intp), value), 1)
        stands = seen.argmax(axis=1)
        alike = seen.max(axis=1)
        in_each = bool((alike >= RECODED_IN_EACH * seen.sum(axis=1)).all())
        if len(set(stands)) == len(seen) and in_each and alike.sum() >= RECODED * codes.size:
            return int(codes.size - alike.sum()), label
    return None


def _alike(features: Sequence[_Feature]) -> list[tuple[str, str]]:
    """Features beside an earlier one of the same content: one to one by values, or of nearly the same ranks."""
    found: list[tuple[str, str]] = []
    before: dict[bytes, str] = {}
    ranked: list[tuple[str, Floats]] = []
    for i, one in enumerate(features):
        key, may_say = _one_to_one(one.values)
        same = [before[key]] if key in before else []
        if may_say:
            before.setdefault(key, one.name)
        if not one.is_factor:
            rank, length = _ranks(one.values)
            if length:
                same += [name for name, other in ranked if abs(rank @ other) >= CORRELATED * length]
                ranked.append((one.name, rank / length))
        absent = np.isnan(one.values)
        others = (other for other in features[:i] if absent.any() or np.isnan(other.values).any())
        same = same or [other.name for other in others if _alike_where_known(one, other)]
        if same:
            found.append((one.name, same[0]))
    return found


def _alike_where_known(one: _Feature, other: _Feature) -> bool:
    """Whether two features say the same of the people of whom both are known, where these are most of either's."""
    known = ~np.isnan(one.values) & ~np.isnan(other.values)
    either = np.count_nonzero(~np.isnan(one.values) | ~np.isnan(other.values))
    if known.all() or known.sum() < max(FEWEST, KNOWN * either):
        return False
    if not np.ptp(one.values[known]) or not np.ptp(other.values[known]):
        return False
    rows = np.flatnonzero(known)
    some = rows[:: max(rows.size // SAMPLED, 1)]  # most pairs are unlike, which few people tell
    return all(
        _say_the_same(one.values[at], other.values[at], both_numbers=not (one.is_factor or other.is_factor))
        for at in (some, rows)
    )


def _say_the_same(values: Floats, others: Floats, *, both_numbers: bool) -> bool:
    key, may_say = _one_to_one(values)
    if may_say and key == _one_to_one(others)[0]:
        return True
    (rank, length), (other_rank, other_length) = _ranks(values), _ranks(others)
    return both_numbers and bool(abs(rank @ other_rank) >= CORRELATED * length * other_length)


def _one_to_one(values: Floats) -> tuple[bytes, bool]:
    """What columns that are one to one have alike, and whether it says anything: of nearly all different values not."""
    _, first, place = np.unique(values, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[place].tobytes(), 2 * first.size <= place.size  # by who has each first


def _ranks(values: Floats) -> tuple[Floats, float]:
    """Ranks less their mean, 0 where a value is missing, and their length."""
    rank = rankdata(values, nan_policy="omit")
    rank = np.nan_to_num(rank - np.nanmean(rank))
    return rank, float(np.linalg.norm(rank))


def _identifiers(features: Sequence[_Feature]) -> list[str]:
    """Features in which nearly everybody has a label, or one of some whole numbers, of their own."""
    result = []
    for one in features:
        present = one.values[~np.isnan(one.values)]
        distinct = np.unique(present)
        close = one.is_factor or ((present % 1 == 0).all() and np.ptp(present) <= 10 * present.size)
        if present.size > FEWEST and distinct.size >= DISTINCT * present.size and close:
            result.append(one.name)
    return result


def _rows(
    attribute: str,
    codes: Codes,
    levels: Sequence[str],
    features: Sequence[_Feature],
    keep: NDArray[np.bool_],
    conf_level: float,
    rule: Adjust,
    seed: int,
    pieces: Iterator[object],
) -> list[Estimate]:
    """All rows of one attribute, each family decided; of pairs those that are shown to tell more together."""
    rng = np.random.default_rng(seed)
    if few := [label for label, n in zip(levels, np.bincount(codes), strict=True) if n < 2 * PARTS]:
        raise InputError(
            "groups",
            f"has {attribute!r} with fewer than {2 * PARTS} people of {listing(few)}; they cannot be both "
            "learned from and tested; leave them out, or join them with others.",
        )
    features = [replace(one, values=one.values[keep]) for one in features]
    part = spread_evenly(codes, rng)
    tested = part >= FIRST_TESTED
    learned = [_learned(one, codes, part, len(levels)) for one in features]
    shares = [_scores(one, part) for one in learned]
    family, names = Family(conf_level, rule), [one.name for one in features]
    order, crossed = _order(attribute, codes, levels, features, part, family)
    people = _People(features, learned, codes, part, len(levels), seed)
    every = range(len(features))
    joint = _trees(people, every, crossed, pieces)
    without = {j: _trees(people, [i for i in every if i != j], crossed, pieces) for j in order[:MOST_WITHOUT]}
    families: dict[str, list[Comparison]] = {ALONE: [], ADDED: []}
    rows, together = list[Estimate](), list[Estimate]()
    for label in levels_shown(levels):
        group, reference = about(tuple(levels), label)
        positive, strata = (codes == label)[tested], part[tested]
        row = Estimate(ALONE, attribute, group, reference=reference, n=float(tested.sum()))
        whole = _area(replace(row, role="omnibus", method=JOINT_METHOD), joint[tested, label], positive, strata)
        together += decided(Undecided([whole], Family(conf_level), alone=True))
        for j, (one, score) in enumerate(zip(features, shares, strict=True)):
            about_one = replace(row, term=one.name, method=ALONE_METHOD)
            families[ALONE].append(_area(about_one, score[tested, label], positive, strata))
            added = replace(about_one, metric=ADDED, method=ADDED_METHOD)
            if j in without:
                families[ADDED].append(_gain(added, joint[tested, label], without[j][tested, label], positive, strata))
            else:
                rows.append(replace(added, status="unestimable", reason=NOT_TRAINED.format(n=MOST_WITHOUT)))
    rows += together
    for comparisons in families.values():
        rows += decided(Undecided(comparisons, family, alone=True))
    if len(features) > 1:
        rows += _pairs(attribute, codes, levels, names, learned, part, family)
    rows += _missing(attribute, codes, levels, features, part, family)
    if any(row.verdict in SHOWN for row in together):
        rows += _dropped_in_turn(attribute, levels, people, order, crossed, without, family, pieces)
    return rows


def _missing(
    attribute: str, codes: Codes, levels: Sequence[str], features: Sequence[_Feature], part: Codes, family: Family
) -> list[Estimate]:
    """How well it tells a level that a feature is missing, whatever its values; a family of its own."""
    tested, comparisons = part >= FIRST_TESTED, []
    for one in features:
        if not (absent := np.isnan(one.values)).any() or absent.all():
            continue
        shares = _scores(_learned(_Feature(one.name, absent.astype(float), True), codes, part, len(levels)), part)
        for label in levels_shown(levels):
            group, reference = about(tuple(levels), label)
            row = Estimate(OF_MISSING, attribute, group, reference=reference, term=one.name, method=MISSING_METHOD)
            row = replace(row, n=float(tested.sum()), events=float(absent[tested].sum()))
            comparisons.append(_area(row, shares[tested, label], (codes == label)[tested], part[tested]))
    return list(decided(Undecided(comparisons, family, alone=True))) if comparisons else []


def _order(
    attribute: str,
    codes: Codes,
    levels: Sequence[str],
    features: Sequence[_Feature],
    part: Codes,
    family: Family,
) -> tuple[list[int], list[tuple[int, int]]]:
    """The order in which features are dropped, and the pairs shown: both by people who are not tested."""
    names = [one.name for one in features]
    learned = [_learned(one, codes, part, len(levels), UNTESTED) for one in features]
    rows = _pairs(attribute, codes, levels, names, learned, part, family) if len(names) > 1 else []
    of_term = {PAIR.format(first=names[i], second=names[j]): (i, j) for i, j in combinations(range(len(names)), 2)}
    pairs: dict[tuple[int, int], float] = {}
    for row in sorted((row for row in rows if row.metric == OF_PAIR), key=lambda row: -row.estimate):
        pairs.setdefault(of_term[row.term], row.estimate)
    among = np.isin(part, UNTESTED)
    strata, alone = part[among], np.full(len(names), 0.5)
    for label in levels_shown(levels):
        parts = _Parts((codes == label)[among], strata)
        areas = [parts.mean_and_error(parts.placed(_scores(one, part)[among, label]))[0] for one in learned]
        alone = np.fmax(alone, areas)
    order: list[int] = []
    while left := [i for i in range(len(names)) if i not in order]:
        whole = [(area, pair) for pair, area in pairs.items() if not set(pair) & set(order)]
        _, best = max([*whole, *((alone[i], (i,)) for i in left)], key=lambda one: one[0])
        order.append(max(best, key=lambda i: alone[i]))
    return order, list(pairs)[:MOST_CROSSED]


def _work(levels: int, features: int) -> list[float]:
    """What trees cost for each tested part, at most: of all features, without each, then as they are dropped."""
    whole = [float(now * levels) for now in TESTED]
    many = min(features, MOST_WITHOUT) if features > 1 else 0
    alone = [cost * (1 - 1 / features) for _ in range(many) for cost in whole]
    return (
        whole
        + alone
        + [cost * (1 - step / features) for step in range(2, min(features, MOST_STEPS + 1)) for cost in whole]
    )


def _dropped_in_turn(
    attribute: str,
    levels: Sequence[str],
    people: _People,
    order: Sequence[int],
    crossed: Sequence[tuple[int, int]],
    without: Mapping[int, Floats],
    family: Family,
    pieces: Iterator[object],
) -> list[Estimate]:
    """What features tell that are left, trained again after each that is dropped, until that is not shown.

    The order is fixed by other people, and a step is taken only where the one before is shown, so that all steps share
    one error rate without a further adjustment (Maurer, Hothorn & Lehmacher 1995).
    """
    tested = people.part >= FIRST_TESTED
    rows: list[Estimate] = []
    for step in range(1, min(len(order), MOST_STEPS + 1)):  # how many there will be is not known
        left = sorted(order[step:])
        joint = without[order[0]] if step == 1 else _trees(people, left, crossed, pieces)
        comparisons = []
        for label in levels_shown(levels):
            group, reference = about(tuple(levels), label)
            row = Estimate(LEFT, attribute, group, reference=reference, n=float(tested.sum()), method=LEFT_METHOD)
            row = replace(row, term=people.features[order[step - 1]].name)
            positive = (people.codes == label)[tested]
            comparisons.append(_area(row, joint[tested, label], positive, people.part[tested]))
        rows += (decision := decided(Undecided(comparisons, family, alone=True)))
        if not any(row.verdict in SHOWN for row in decision):
            break
    return rows


@dataclass(frozen=True, eq=False)
class _Learned:
    """What the parts before a tested one say of a feature.

    classes: of every row.
    share: of every level in each class, drawn a little to that of everybody, or to a curve.
    coarse: of each class, the fewer ones that it is of in a pair.
    seen: how many of these were learned from.
    part: the tested one.
    """

    classes: Codes
    share: Floats
    coarse: Codes
    seen: int
    part: int


@dataclass(frozen=True, eq=False)
class _People:
    """What trees are trained with: features, what was learned of each, the levels' codes, and the part of everybody."""

    features: Sequence[_Feature]
    learned: Sequence[Sequence[_Learned]]
    codes: Codes
    part: Codes
    levels: int
    seed: int


def _learned(feature: _Feature, codes: Codes, part: Codes, levels: int, tested: range = TESTED) -> list[_Learned]:
    """A feature's classes and the shares of levels in them, for each tested part."""
    result = []
    for now in tested:
        train = np.flatnonzero(part < now)
        classes = feature.classes(train)
        many = int(classes.max()) + 1
        seen = np.bincount(classes[train] * levels + codes[train], minlength=many * levels).reshape(many, levels)
        everybody = seen.sum(axis=0) / seen.sum()
        share = (seen + everybody) / (seen.sum(axis=1, keepdims=True) + 1)
        ordered = np.full(many, not feature.is_factor)
        ordered[~seen.any(axis=1)] = False
        ordered[classes[np.isnan(feature.values)]] = False
        if ordered.sum() > CURVE + 1:
            share[ordered] = _near_a_curve(seen[ordered].astype(float), everybody * (1 - everybody))
        coarse = np.arange(many)
        if not feature.is_factor and ordered.any():
            n = np.where(ordered, seen.sum(axis=1), 0)
            most = int(np.clip(np.sqrt(train.size / FEWEST), 2, PAIR_CLASSES))
            middle = (np.cumsum(n) - n / 2) / n.sum()
            coarse = np.where(ordered, many + np.floor(most * middle).astype(np.intp), coarse)
            coarse = np.unique(coarse, return_inverse=True)[1]
        result.append(_Learned(classes, share, coarse, np.unique(coarse[seen.any(axis=1)]).size, now))
    return result


def _scores(learned: Sequence[_Learned], part: Codes) -> Floats:
    """Of each tested row the share of every level in its class."""
    out = np.full((part.size, learned[0].share.shape[1]), NAN)
    for one in learned:
        test = part == one.part
        out[test] = one.share[one.classes[test]]
    return out


def _pairs(
    attribute: str,
    codes: Codes,
    levels: Sequence[str],
    names: Sequence[str],
    learned: Sequence[Sequence[_Learned]],
    part: Codes,
    family: Family,
) -> list[Estimate]:
    """The rows of pairs that are shown to tell a level better than each feature, both added up, and guessing."""
    tested, comparisons = np.isin(part, [one.part for one in learned[0]]), []
    strata = part[tested]
    for label in levels_shown(levels):
        group, reference = about(tuple(levels), label)
        of_level, positive = codes == label, (codes == label)[tested]
        parts = _Parts(positive, strata)
        alone = [parts.placed(_scores(one, part)[tested, label]) for one in learned]
        areas = [parts.mean_and_error(one)[0] for one in alone]
        for i, j in combinations(range(len(names)), 2):
            term = PAIR.format(first=names[i], second=names[j])
            row = Estimate(ADDED_BY_PAIR, attribute, group, reference=reference, n=float(tested.sum()), term=term)
            row = replace(row, method=ADDED_BY_PAIR_METHOD)
            together, added_up = _of_pair(learned[i], learned[j], of_level, label, part)
            placed = parts.placed(together[tested])
            area, se, _ = parts.mean_and_error(placed)
            if not area > max(areas[i], areas[j], 0.5):
                comparisons.append(_not_ahead(row))
                continue
            rivals = (alone[i], alone[j], parts.placed(added_up[tested]), np.full(placed.size, 0.5))
            leads = [parts.mean_and_error(placed - one) for one in rivals]
            result = AucResult(area, se, NAN, NAN, int(positive.sum()), int((~positive).sum()))
            comparisons.append(_lead(row, leads, result, strata, positive))
    rows = decided(Undecided(comparisons, family, alone=True))
    shown_pairs = {(row.group, row.term) for row in rows if row.verdict in SHOWN}
    return [row for row in rows if (row.group, row.term) in shown_pairs]


def _not_ahead(row: Estimate) -> Comparison:
    """A pair that tells no more than one of its features does: a member of the family whose row nobody sees."""
    return Comparison(1.0, lambda level: [row])


def _of_pair(
    first: Sequence[_Learned], second: Sequence[_Learned], of_level: NDArray[np.bool_], label: int, part: Codes
) -> tuple[Floats, Floats]:
    """Of each tested row the score of a level by both features' joint classes, and by both added up."""
    together, added_up = np.full(part.size, NAN), np.full(part.size, NAN)
    for one, other in zip(first, second, strict=True):
        train, test = np.flatnonzero(part < one.part), np.flatnonzero(part == one.part)
        least = 0.5 / train.size
        a, b = (logit(np.clip(each.share[:, label], least, 1 - least)) for each in (one, other))
        sure = expit(a[one.classes] + b[other.classes] - logit(of_level[train].mean()))
        sides = [each.coarse[each.classes] for each in (one, other)]
        many = int(sides[1].max()) + 1
        cell = sides[0] * many + sides[1]
        if (int(sides[0].max()) + 1) * many > part.size:
            cell = np.unique(cell, return_inverse=True)[1]
        n = np.bincount(cell[train], minlength=int(cell.max()) + 1)
        rest = np.bincount(cell[train], of_level[train] - sure[train], n.size) / np.maximum(n, 1)
        # by moments: how far shares of joint classes are from both added up, less what chance explains
        variance = float(np.mean(sure[train] * (1 - sure[train])))
        free = int(np.count_nonzero(n)) - one.seen - other.seen + 1
        apart = float(n @ rest**2) - max(free, 0) * variance
        between = max(apart, 0.0) / (train.size - float(n @ n) / train.size + 1) if free > 0 else 0.0
        added_up[test] = sure[test]
        together[test] = (sure + (between * n / (between * n + variance) * rest)[cell])[test]
    return together, added_up


def _lead(
    row: Estimate,
    leads: Sequence[tuple[float, float, int]],
    result: AucResult,
    strata: Codes,
    positive: NDArray[np.bool_],
) -> Comparison:
    """The smallest lead of a pair's AUC over its rivals, and that AUC; the largest p-value is that of all (Berger)."""
    p = max(_p_of_lead(*one) for one in leads)
    smallest = min(lead for lead, _, _ in leads)

    def rows(level: float) -> list[Estimate]:
        ends = np.array([_limits_of_lead(*one, level) for one in leads]).min(axis=0)
        low, high = max(float(ends[0]), -1.0), min(max(float(ends[1]), 0.0), 1.0)
        of_pair = replace(row, metric=OF_PAIR, role="supplementary", method=PAIR_METHOD)
        return [
            row.with_interval(smallest, low, high, level, p_value=p),
            of_pair.with_interval(
                result.auc, *within_strata(result, strata, positive)(level), level, std_error=result.std_error
            ),
        ]

    return Comparison(p, rows)


def _p_of_lead(lead: float, se: float, left: int) -> float:
    """The two-sided p-value of a lead; of a perfect pair over what does not vary that of disjoint pairs of people."""
    if lead <= 0:
        return 1.0
    return 2 * float(stdtr(left, -lead / se)) if se > TINY else min(2 * (1 - lead) ** (left + 1), 1.0)


def _limits_of_lead(lead: float, se: float, left: int, conf_level: float) -> tuple[float, float]:
    """The limits that leave out 0 where the p-value is below the level."""
    if se <= TINY and lead > 0:
        return float(((1 - conf_level) / 2) ** (1 / (left + 1)) - (1 - lead)), lead
    reach = float(stdtrit(left, (1 + conf_level) / 2)) * se
    return lead - reach, lead + reach


def _near_a_curve(seen: Floats, variance: Floats) -> Floats:
    """Shares of levels (classes × levels) drawn to their quadratic curve, as far as chance explains what is between.

    Raw shares of few people put classes in the wrong order, and their AUC falls short of the feature's.

    seen: people by class and level, classes in the order of the feature.
    variance: of one person's level.
    """
    n = seen.sum(axis=1, keepdims=True)
    share, middle = seen / n, (np.cumsum(n) - n.ravel() / 2) / n.sum()
    powers, root = np.vander(middle - 0.5, CURVE + 1), np.sqrt(n)
    curve = powers @ np.linalg.lstsq(root * powers, root * share, rcond=None)[0]
    apart = np.sum(n * (share - curve) ** 2, axis=0) - (len(n) - CURVE - 1) * variance
    between = np.maximum(apart, 0.0) / (n.sum() - np.sum(n**2) / n.sum())  # by moments, as of DerSimonian and Laird
    return np.asarray(curve + between / (between + variance / n) * (share - curve))


def _trees(
    people: _People, used: Sequence[int], crossed: Sequence[tuple[int, int]], pieces: Iterator[object]
) -> Floats:
    """Of each tested row the probabilities by the used features; where there is none, those of everybody.

    crossed: pairs whose joint classes are a column of their own, where both are used: trees would seldom find them.
    pieces: of the whole computation, as `_work` has them; one is taken for each tested part.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier

    codes, part = people.codes, people.part
    joint = np.full((codes.size, people.levels), 1 / people.levels)
    if not used:
        return joint
    columns = [people.features[j].for_trees() for j in used]
    pairs = [pair for pair in crossed if set(pair) <= set(used)]
    factors = [*(people.features[j].is_factor for j in used), *(True for _ in pairs)]
    for i, now in enumerate(TESTED):
        next(pieces, None)
        train, test = np.flatnonzero(part < now), np.flatnonzero(part == now)
        learned = [one[i] for one in people.learned]
        X = np.column_stack([*columns, *(_joint_classes(learned[a], learned[b], train) for a, b in pairs)])
        trees = HistGradientBoostingClassifier(
            max_iter=60, max_leaf_nodes=16, early_stopping=False, random_state=people.seed, categorical_features=factors
        ).fit(X[train], codes[train])
        joint[test] = trees.predict_proba(X[test])
    return joint


def _joint_classes(first: _Learned, second: _Learned, train: Codes) -> Floats:
    """Of every row the joint class of two features; the rarest are one."""
    sides = first.coarse[first.classes], second.coarse[second.classes]
    cell = sides[0] * (int(sides[1].max()) + 1) + sides[1]
    seen, n = np.unique(cell[train], return_counts=True)
    kept = np.sort(seen[np.argsort(-n, kind="stable")[: CATEGORIES - 1]])
    at = np.minimum(np.searchsorted(kept, cell), len(kept) - 1)
    return np.where(kept[at] == cell, at, len(kept)).astype(float)


def _area(row: Estimate, scores: Floats, positive: NDArray[np.bool_], strata: Codes) -> Comparison:
    """The AUC within parts, whose value of no disparity is one half; below it there is only chance."""
    result, _, p = stratified_auc(scores, positive, strata)
    limits = within_strata(result, strata, positive)

    def rows(level: float) -> list[Estimate]:
        low, high = limits(level)
        return [row.with_interval(result.auc, low, max(high, 0.5), level, p_value=p if result.auc > 0.5 else 1.0)]

    if np.isnan(result.auc):
        return Comparison(1.0, lambda level: [replace(row, status="unestimable", reason=FEW)])
    return Comparison(p if result.auc > 0.5 else 1.0, rows)


def _gain(row: Estimate, first: Floats, second: Floats, positive: NDArray[np.bool_], strata: Codes) -> Comparison:
    """By how much the AUC within parts is larger with the feature than without it."""
    parts = _Parts(positive, strata)
    gain, se, left = parts.mean_and_error(parts.placed(first) - parts.placed(second))
    if se == gain == 0:
        return Comparison(1.0, lambda level: [replace(row, estimate=0.0, p_value=1.0, reason=UNUSED)])
    p = _p_of_lead(gain, se, left)

    def rows(level: float) -> list[Estimate]:
        low, high = _limits_of_lead(gain, se, left, level)
        low, high = max(low, -1.0), min(max(high, 0.0), 1.0)  # an AUC can lose no more than 1
        return [row.with_interval(gain, low, high, level, std_error=se, p_value=p)]

    return Comparison(p, rows)


class _Parts:
    """People of the test by part and side, among whom placements are taken and averaged.

    positive: whether a person is of the level.
    strata: the part of each.
    """

    def __init__(self, positive: NDArray[np.bool_], strata: Codes) -> None:
        part = np.unique(strata, return_inverse=True)[1]
        self.positive, self.part, self.side = positive, part, 2 * part + positive
        self.n = np.bincount(self.side, minlength=2 * int(part.max()) + 2)
        self.before = np.cumsum(self.n.reshape(-1, 2), axis=0) - self.n.reshape(-1, 2)
        pairs = self.n.reshape(-1, 2).prod(axis=1)
        self.share = np.repeat(pairs / pairs.sum(), 2)

    def placed(self, scores: Floats) -> Floats:
        """Placements: of each person the share of the other side of the part that is on the right side, ties half."""
        order = np.lexsort((scores, self.part))
        value, part = scores[order], self.part[order]
        tie = np.concatenate([[0], np.cumsum((np.diff(value) != 0) | (np.diff(part) != 0))])
        tied = np.stack([np.bincount(tie, side) for side in (~self.positive[order], self.positive[order])])
        below = (np.cumsum(tied, axis=1) - tied / 2)[:, tie]  # of both sides, of all parts so far
        total = self.n.reshape(-1, 2)[part]
        of_case = (below[0] - self.before[part, 0]) / total[:, 0]
        of_control = 1 - (below[1] - self.before[part, 1]) / total[:, 1]
        out = np.empty(scores.size)
        out[order] = np.where(self.positive[order], of_case, of_control)
        return out

    def mean_and_error(self, placed: Floats) -> tuple[float, float, int]:
        """The AUC of placements, or of their differences, its standard error by DeLong, and degrees of freedom."""
        means = np.bincount(self.side, placed, self.n.size) / self.n
        variances = np.bincount(self.side, (placed - means[self.side]) ** 2, self.n.size) / (self.n - 1) / self.n
        left = int((self.n.reshape(-1, 2).min(axis=1) - 1).sum())
        return float(self.share @ means) / 2, float(np.sqrt(self.share**2 @ variances)), left


def _missed(rows: Sequence[Estimate]) -> float:
    """About the AUC whose lower limit is one half: limits are as wide there, in log odds, as those of the rows."""
    reach = [logit(row.estimate) - logit(row.conf_low) for row in rows if 0 < row.conf_low <= row.estimate < 1]
    return float(expit(max(reach, default=NAN)))


def _statements(found: Proxies, features: Sequence[str]) -> Iterator[str]:
    """What all features tell together, which of them tell it alone, which add to the others, and which pairs do."""
    of_term = {PAIR.format(first=a, second=b): (a, b) for a, b in combinations(features, 2)}
    for attribute in dict.fromkeys(row.attribute for row in found.estimates):
        of = [row for row in found.estimates if row.attribute == attribute]
        best = found.all_together[attribute]
        levels = [row for row in of if row.role == "omnibus"]
        pairs: dict[str, Estimate] = {}  # each with the level that it tells best
        for row, _ in found.pairs():
            if row.attribute == attribute:
                pairs.setdefault(row.term, row)
        strongest_pairs = list(pairs.values())
        (leading, _) = next(pair for pair in found.features() if pair[0].attribute == attribute)
        single = len({row.term for row in of if row.metric == ALONE and row.role == "main"}) == 1
        alone = leading.estimate if leading.verdict in SHOWN and not single else NAN
        ahead = [round(row.estimate, 2) > round(alone, 2) for row in strongest_pairs]
        said = [
            _of_pair_and_each(row, of_term[row.term], of, is_first=i == 0 and ahead[i])
            for i, row in enumerate(strongest_pairs[:MOST_PAIRS])
        ]
        later = [line for line in said if says(line, BETTER_PAIR)]
        hidden = [line for line, first in zip(said, ahead, strict=False) if first and says(line, PAIR_OF_NEITHER)]
        yield from hidden
        if alone == alone:
            yield STRONGEST.format(feature=DataText(leading.term), **_told(leading))
        yield from (line for line in said if line not in hidden and line not in later)
        predictable = [row.group for row in levels if row.verdict in SHOWN]
        if len(levels) > 1 and predictable:
            listed = DataText(listing(predictable, FIRST))
            yield BEST_PREDICTED.format(**_told(best), n=len(levels), list=listed)
        else:
            yield TOGETHER.format(**_told(best))
        if left := [row for row in found.left() if row.attribute == attribute]:
            dropped = enumerated([DataText(row.term) for row in left], MOST_STEPS)
            yield (STILL if left[-1].verdict in SHOWN else WITHOUT).format(list=dropped, **_told(left[-1]))
            gone = {row.term for row in left}
            still = [
                r for r in of if r.metric == ALONE and r.role == "main" and r.verdict in SHOWN and r.term not in gone
            ]
            if alone_still := dict.fromkeys(row.term for row in still):
                yield LEFT_ALONE.format(list=enumerated([DataText(name) for name in alone_still], MOST_STEPS))
        for row in sorted((r for r in of if r.metric == OF_MISSING and r.verdict in SHOWN), key=strength)[:FIRST]:
            facts = {"missing": count(row.events), "n": count(row.n), "feature": DataText(row.term)}
            yield MISSING_TELLS.format(**_told(row), **facts)
        alike = (row for row in of if row.metric == ALONE and row.role == "main" and row.group == best.group)
        strongest = max(alike, key=lambda row: np.nan_to_num(row.estimate))
        families = ((ALONE, ONE, NOT_ONE),) if single else ((ALONE, SOME, NONE), (ADDED, SOME_ADD, NONE_ADDS))
        for metric, some, none in families:
            rows = sorted(
                (r for r in of if r.metric == metric and r.role == "main" and (metric == ALONE or r.status == "ok")),
                key=strength,
            )
            names = list(dict.fromkeys(row.term for row in rows if row.verdict == "disparity shown"))
            total = len({row.term for row in rows})
            found_of = {"attribute": DataText(attribute), "n": len(names), "total": total}
            most = MOST_LINES if metric == ALONE else len(names)  # the table is in their order
            if names:
                yield some.format(list=DataText(listing(names, most)), **found_of)
                continue
            found_of |= {"n": count(best.n), "auc": number(_missed(rows), 2), "list": DataText(rows[0].term)}
            yield none.format(**found_of)
        if not single and round(strongest.estimate, 2) > max(round(best.estimate, 2), 0.5):
            yield BELOW.format(feature=DataText(strongest.term), auc=number(strongest.estimate, 2))
        yield from later
        if not single:
            some = PAIRS if len(pairs) > MOST_PAIRS else NO_PAIR
            if not 0 < len(pairs) <= MOST_PAIRS:
                alone_terms = {row.term for row in of if row.metric == ALONE and row.role == "main"}
                possible = count(comb(len(alone_terms), 2))
                yield some.format(attribute=DataText(attribute), n=len(pairs), total=possible)
        for row in strongest_pairs[:1]:
            whole = next(one for one in levels if one.group == row.group)
            if round(row.estimate, 2) > round(whole.estimate, 2):
                first, second = map(DataText, of_term[row.term])
                yield PAIR_ABOVE.format(first=first, second=second, auc=number(row.estimate, 2))


def _of_chance(rows: Sequence[Estimate], features: int, p_adjust: Adjust, share: float) -> Iterator[str]:
    """What chance does to a finding, and to what is not one."""
    metrics = {row.metric for row in rows} | ({ADDED_BY_PAIR} if features > 1 else set())
    if any(row.metric == ALONE and round(row.estimate, 2) < 0.5 for row in rows):
        yield UNDER_GUESSING
    if any(row.metric == ALONE and row.verdict not in SHOWN for row in rows):
        yield BY_CHANCE
    if p_adjust in ("bonferroni", "holm"):
        families = [WHOLE_FAMILY, *(name for metric, name in OF_FAMILY.items() if metric in metrics)]
        names = enumerated([DataText(row) for row in dict.fromkeys(row.attribute for row in rows)])
        yield FAMILIES.format(attribute=names, share=percent(1 - share, 0), list=enumerated(families, len(families)))


def _told(row: Estimate) -> dict[str, Any]:
    """How well a level is told, for a sentence."""
    return {
        "attribute": DataText(row.attribute),  # by which a page finds the sentences of one
        "group": DataText(row.group),
        "reference": row.reference,
        "level": level(row.conf_level),
        "auc": number(row.estimate, 2),
        "low": number(row.conf_low, 2),
        "high": number(row.conf_high, 2),
    }


def _of_pair_and_each(row: Estimate, names: tuple[str, str], rows: Sequence[Estimate], *, is_first: bool) -> str:
    """The sentence of a pair, with the AUC of each of its features; is_first: no feature and no pair tells as much."""
    alone = [next(r for r in rows if r.metric == ALONE and r.term == name and r.group == row.group) for name in names]
    one, other = (number(each.estimate, 2) for each in alone)
    first, second = map(DataText, names)
    shown_alone = any(each.verdict in SHOWN for each in alone)
    sentence = PAIR_OF_NEITHER if not shown_alone else STRONGEST_PAIR if is_first else BETTER_PAIR
    return sentence.format(first=first, second=second, one=one, other=other, **_told(row))
