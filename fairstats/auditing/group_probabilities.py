"""``group_probabilities()``: a gap between groups known only as probabilities, such as from surname and address."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, pdtr, pdtrc

from fairstats.auditing.answer import IF_OVERTURNED, OVERTURNED
from fairstats.auditing.arguments import AuditArguments, DefaultLabel
from fairstats.auditing.group_studies import (
    ASSOCIATION,
    AT_RANDOM,
    AT_WORST,
    BOUND,
    CALIBRATION,
    CORRECTED,
    ENDS,
    EXCLUDED,
    LACKING,
    LIMITS,
    LINEAR,
    MUCH_LESS,
    SIGNS,
    TOO_MUCH,
    WEIGHTED,
    GroupStudy,
    bounded_rows,
    data_text,
    decided_rows,
    largest,
    limits,
    overturned,
    p_of_draws,
    result_of,
    study_p,
)
from fairstats.auditing.input import check_binary
from fairstats.auditing.protocol import Protocol, resolve
from fairstats.auditing.sentences import as_word
from fairstats.data.tables import Columns
from fairstats.document import Heading, Paragraph, Table, Title, as_text
from fairstats.errors import Call, InputError, Setting, listing, named, snippet, strong
from fairstats.estimates import SHOWN, UNSETTLED, Estimate, Estimates
from fairstats.inference.multiplicity import ADJUSTMENTS, rejected
from fairstats.inference.rates.equivalence import p_outside
from fairstats.inference.rates.one_rate import critical
from fairstats.inference.rates.uncertain import (
    UncertainGroups,
    associations,
    biases,
    bound_limits,
    calibrated,
    compared_terms,
    departures,
    drawn_at_random,
    jump_where_alike,
    slopes,
    unordered,
)
from fairstats.labels import like_missing, odd_answers, one_label
from fairstats.language import DataText, Message, joined, listed, message, says
from fairstats.provenance import DataSource, take_in
from fairstats.text import DASH, count, number, p_value, percent, span
from fairstats.text import level as level_text
from fairstats.validation import COLUMN, Adjust, answering, choose, confidence, flag, random_seed, shown, word

Floats = NDArray[np.float64]
QUESTION = message("Groups known as probabilities")
METRIC = "selection rate"
MEAN = message("mean probability")
WHERE_LOW, WHERE_HIGH = message("low probabilities"), message("high probabilities")  # see `_low`
OUTER = message("bound with limits of both ends")
ALONE = message("bound, without sampling error")
KNOWN_SHARE = message("group known")  # term of the share of people whose group is known
RIGHT = message("the probabilities are right")
RIGHT_FOR = message("the probabilities are right for the other {n} people")
BY_WEIGHTS = message("weighted by the probabilities, delta method")
BY_SLOPES = message("linear regression on the probabilities, robust errors")
BY_ERRORS = message("covariance of decisions with known groups less their probabilities, delta method")
BY_GROUPS = message("covariance of decisions and probabilities within known groups, delta method")
BY_KNOWN = message("weighted and corrected by the people whose group is known, delta method")
ALIKE = message("score test of decisions, probabilities and their products, drawn without replacement")
SCORE = message("score test of means and of products with the probability")
BY_RANKS = message("rank association of at least half of what the probabilities imply, Bonferroni over groups")
BY_ZEROS = message("Poisson, 1 in 100 of the people with a probability of 0")
NO_SPREAD = message("the probabilities do not vary enough")
NO_ERROR = message("too few people, or all decided alike")
NOT_POSITIVE = message("the corrected rate of a group is not between 0 and 100%")
FEW_KNOWN = message("fewer than {n} people are known to be in a group")
SMALLER, LARGER = message("a smaller share"), message("a larger share")
DIFFERS = message(
    "Whoever is in which group, {share} of {group} than of {reference} was recorded as {decision}: by {size} "
    "percentage points ({error}), if {right}, which the data cannot show."
)
OPEN = message(
    "It is open whether a smaller or a larger share of {group} than of {reference} was recorded as {decision}: whoever "
    "is in which group, the difference lies between {low} and {high} percentage points ({error}), if {right}, which "
    "the data cannot show."
)
INTERVAL = message("{level} limits")
ADJUSTED_P = message("adjusted p-values")
WITHOUT_ERROR = message("without sampling error; {p}")
BOTH_WAYS = message("{interval}; without sampling error {ends}")
TOGETHER = message(
    "Limits of the bounds of differences have the level {each}, so that they hold together at {level}; those of other "
    "estimates have the level {level}, each by itself."
)
BOTH_TOGETHER = message(
    "Limits of the bounds of differences have the level {each}, so that they hold together at {level}, and so do those "
    "of corrected differences; limits of other estimates have the level {level}, each by itself."
)
APART = message(
    "Limits of the bounds of differences have the level {each}, those of other estimates {level}, each by itself."
)
ALL_APART = message(
    "Limits of the bounds of differences have the level {each}, those of corrected differences {corrected}, those of "
    "other estimates {level}, each by itself."
)
EACH = message("Limits with sampling error have the level {level}, each by itself.")
LEVELS = (TOGETHER, BOTH_TOGETHER, APART, ALL_APART, EACH)
KNOWN = message(
    "As every group is known, if none was filled in from the probabilities: {share} of {group} than of {reference} was "
    "recorded as {decision}, by {gap} percentage points ({limits})."
)
KNOWN_OPEN = message(
    "It is open whether a smaller or a larger share of {group} than of {reference} was recorded as {decision}: among "
    "these people the difference is {gap} percentage points ({limits}), if no group was filled in from the "
    "probabilities."
)
WITHIN = message("{interval} {low} to {high}")
OF_KNOWN = (KNOWN, KNOWN_OPEN)
ANSWERS = (DIFFERS, OPEN, *OF_KNOWN)
EVERYBODY = message(
    "A group is given for all {n} people compared: if none was filled in, no probability is needed, and {call} answers "
    "this exactly."
)
WRONG_FOR_ALL = message(
    "The groups are not as frequent as the probabilities say (p {p}); no difference here rests on these. {shares}. So "
    "it is as well where groups that nobody stated were filled in from the probabilities."
)
SHOWN_FOR = message("A gap is shown for {k} of the {n} groups compared with {reference}.")
SHOWN_FOR_NONE = message("No gap is shown for any of the {n} groups compared with {reference}.")
AUDIT_THEM = message(
    "A corrected difference has no verdict, since the data cannot show that these people were drawn at random. If you "
    "know that they were, {call} of a table with their rows alone has a verdict about everybody they were drawn from."
)
FROM_KNOWN = message(
    "Corrected by the {n} people whose group is known, if these were drawn at random, which {shown}, the difference "
    "from {reference} is, in percentage points with {interval}: {list}. That is no verdict."
)
DECLARED = message(
    "If the {n} people of known group were drawn at random, as declared ({shown}), {share} of {group} than of "
    "{reference} was recorded as {decision}, by {gap} percentage points ({limits})."
)
DECLARED_OPEN = message(
    "If the {n} people of known group were drawn at random, as declared ({shown}), it is open whether a smaller or a "
    "larger share of {group} than of {reference} was recorded as {decision}: the difference is {gap} percentage points "
    "({limits})."
)
NOT_SHOWN = message("the data cannot show it"), message("the data cannot show")  # by itself, and in a clause
NOT_REFUTED = (
    message("not refuted, p {p}; the data cannot show it"),
    message("the data do not refute (p {p}) and cannot show"),
)
OF_DECLARED = (DECLARED, DECLARED_OPEN)
IF_DRAWN = "*"  # a corrected difference that is shown if known people were drawn at random, as declared
OF_OTHERS = (  # shown and open, of the groups that the first sentence does not name
    message("If so, a gap is shown for other groups, too, in percentage points with {interval}: {list}."),
    message("If so, it is open for other groups, in percentage points with {interval}: {list}."),
)
WITHOUT_IT = message("Without that assumption: {answer}")
WERE_THEY_DRAWN = message(
    "Corrected by the {n} people whose group is known, if these had been drawn at random, which is refuted (p {p}), "
    "the difference from {reference} would be, in percentage points with {interval}: {list}."
)
CORRECTED_OF = message("{group} {gap} ({limits})")
IF_RIGHT = message(
    "A verdict comes from the bound alone. It supposes that the probabilities are right for these people: of those "
    "with 30% for a group, 30% are in it. Without people whose group is known the data cannot show that."
)
UNTESTED = message(
    "A verdict comes from the bound alone. It takes the {known} known groups as they are, and supposes that the "
    "probabilities are right for the other {others} people: of those with 30% for a group, 30% are in it. The data "
    "cannot show that: it takes {fewest} people of known group with probabilities, and there are {k}. Where it depends "
    "on the group whether it is known, probabilities that are right for everybody are wrong for these {others}."
)
FITS = message(
    "A verdict comes from the bound alone. It supposes that the probabilities are right for the other {others} people: "
    "of those with 30% for a group, 30% are in it. Among {n} whose group is known no departure from that is found "
    "(p {p})."
)
REFUTED = message(
    "No verdict is given: among {n} people whose group is known, the groups are not as frequent as the probabilities "
    "say (for all groups {p}). {shares}. Either these people were not drawn at random, or the probabilities are wrong, "
    "and the bound with them."
)
REFUTED_IF_DRAWN = message(
    "No verdict is given: among {n} people whose group is known, the groups are not as frequent as the probabilities "
    "say (for all groups {p}). {shares}. If these people were drawn at random, as declared, the probabilities are "
    "wrong, and the bound with them."
)
ON_AVERAGE = message(
    "Their shares, and their mean probabilities: {list}; {group} differs most ({errors} standard errors)"
)
BY_HALVES = message(
    "Where the probabilities of {group} are low ({most}% or less), their mean is {low_mean}%, and {low}% are in this "
    "group; where they are high, {high_mean}% and {high}%; with 10 points more of probability {rise} points more are "
    "in it ({errors} standard errors off)"
)
OF_BOTH = message("{group} {share}% and {mean}%")
UNCHECKED = message(
    "No verdict is given: the {n} people whose group is known do not look like a random sample ({p}), so that they "
    "cannot show whether the probabilities are right for the others."
)
WRONG_IF_DRAWN = message("If they were drawn at random after all, the probabilities are wrong (p {p}).")
WITHOUT_KNOWN = message("Without known groups, a verdict holds if the probabilities are right for all.")
BY_CHOICE = message(
    "If people stated their group by choice, leave known groups out where the probabilities are right for all, or take "
    "probabilities of those who did not state it."
)
CONTRADICTED = message(
    "No verdict is given, however people of known group were drawn: among {n} of them the probabilities do not fit. "
    "{parts}. Rows of people and of probabilities were mixed up (as where tables are put together by their order), "
    "columns of probabilities were swapped, or the probabilities are wrong."
)
TOO_SHARP = message(
    "No verdict is given, however people of known group were drawn: among {n} of them the probabilities do not fit. "
    "{parts}. The most probable group was assigned, probabilities were moved towards 0 and 1 in another way, some rows "
    "of people and of probabilities were mixed up, or the probabilities are wrong."
)
IN_EXCLUDED = message(
    "{k} are in a group whose probability is 0 for them (most often {group}), which no way of drawing people causes "
    "({p})"
)
AS_FREQUENT = message(
    "{group} is about as frequent at high as at low probabilities of it ({p}): of those with {most}% or less (mean "
    "{low_mean}%) {low}% are in it, of the others (mean {high_mean}%) {high}%"
)
LESS_FREQUENT = message(
    "{group} is less frequent at high than at low probabilities of it ({p}): of those with {most}% or less (mean "
    "{low_mean}%) {low}% are in it, of the others (mean {high_mean}%) {high}%"
)
LESS_THAN_IMPLIED = message(
    "{group} is less concentrated at high probabilities of it than these say ({p}): of those with {most}% or less "
    "{low}% are in it where they say {low_mean}%, of the others {high}% where they say {high_mean}%"
)
P_ALONE = message("p {p}")
P_BY_CHANCE = message("p {p}; by chance this happens to {share} of random samples")
# the tests of the premises, by their term: why a row has no verdict where they refute them
WITHHELD: dict[str, Message] = {
    CALIBRATION: message("no verdict: the known groups refute the probabilities"),
    AT_RANDOM: message("no verdict: people whose group is known are not like the others"),
}
WITHOUT_LIMITS = message("without sampling error")
ASSIGNED = message("no verdict: all probabilities are 0 or 1")
EITHER_WAY = (ASSOCIATION, EXCLUDED)  # what refutes the probabilities, however people of known group were drawn
UNLIKE = message(
    "People whose group is known are not like the others (p {p}): {rate}% of them are selected and {other}% of the "
    "others. Their mean probabilities, and those of the others: {list}. Of these numbers, {most} differs most."
)
UNLIKE_TOGETHER = message(
    "People whose group is known are not like the others (p {p}): among those selected, the mean probability of "
    "{group} is {selected}% for them and {other_selected}% for the others; among those not selected, {refused}% and "
    "{other_refused}%. Decision and probability together differ more than either alone."
)
SHARPER = message(
    "Probabilities of people whose group is not known are closer to 0 and 1 than those of people of known group (p "
    "{p}; mean sums of squares {other} and {share}). They are different people, as from other places or of groups that "
    "state it less often, or their probabilities were computed in another way. If these were moved towards 0 and 1, "
    "the bound is too narrow, with or without known groups."
)
BLUNTER = message(
    "Probabilities of people whose group is not known are less close to 0 and 1 than those of people of known group (p "
    "{p}; mean sums of squares {other} and {share}). They are different people, as from other places or of groups that "
    "state it more often, or their probabilities were computed in another way."
)
ALL_THE_SAME = message(  # where those selected are as many, which no probabilities change
    "If they were computed in another way, people of known group may have been drawn at random all the same. The data "
    "cannot show which."
)
OF_DIFFERENT = (UNLIKE, UNLIKE_TOGETHER)  # a spread alone may differ by how probabilities were computed
NO_SAMPLE = (*OF_DIFFERENT, SHARPER, BLUNTER, ALL_THE_SAME)
OF_UNLIKE = (*NO_SAMPLE, WRONG_IF_DRAWN)
SELECTED = message("the share selected")
PROBABILITY_OF = message("the mean probability of {group}")
BRACKET = message(
    "In size, the gap is larger than the weighted difference and smaller than that of linear regression, if {right} "
    "and two conditions hold. First, among people with the same probability, the group with the lower rate is "
    "selected less often. Second, within each group, people are selected less often the higher their probability of "
    "the group with the lower rate."
)
ONLY_KNOWN = message(
    "People of known group who were drawn at random show how large the gap is without these conditions. Whether these "
    "hold, those of them can show who have probabilities, too."
)
BOTH_HOLD = message(
    "If they were drawn at random, the {n} people whose group is known show that both conditions hold: {parts}."
)
ONE_FAILS = message(
    "If they were drawn at random, the {n} people whose group is known show that a condition does not hold: {parts}."
)
CONDITIONS_OPEN = message(
    "Whether both conditions hold is not settled by the {n} people whose group is known: {parts}."
)
OF_CONDITIONS = (ONLY_KNOWN, BOTH_HOLD, ONE_FAILS, CONDITIONS_OPEN)
BY_BIASES = message(
    "of the difference of {group} from {reference} that is weighted by the probabilities alone, {lacking} points are "
    "missing by the first ({lacking_limits}); that of linear regression on them has {much} points too much by the "
    "second ({much_limits}); where a condition holds, its number has the sign of the gap"
)
BIASED = message(
    "With more than two groups the weighted difference may be larger or smaller than the gap, and so may that of "
    "linear regression; the gap need not lie between the two. The weighted one leaves out what any of the groups "
    "differ by among people with the same probabilities; linear regression counts as a gap what the probabilities go "
    "with within a group. Only people of known group who were drawn at random can show how large the gap is."
)
CERTAIN = message(
    "The probabilities of {share}% of people are 0 or 1, and the bound takes their groups as known. Where people "
    "stated these groups, the other probabilities have to be those of people who did not; where the most probable "
    "group was assigned, the bound is too narrow: pass the probabilities that it was chosen by."
)
ALL_CERTAIN = message(
    "No verdict is given: {which} are 0 or 1, so that everybody is put into one group, and the bound leaves out every "
    "doubt of that. If the most probable group was assigned, pass the probabilities that it was chosen by. If the "
    "groups are known, {call} of these groups answers this exactly."
)
ALL_OF_THEM = message("all probabilities")
ALL_OF_OTHERS = message("all probabilities of the {n} people whose group is not known")
TAKEN = message(
    "Taking everybody's group as given by these, the difference from {reference} is, in percentage points "
    "({interval}): {list}. Where the most probable group was assigned, it may be of another size, and the limits are "
    "too narrow."
)
NOT_CORRECTED = message("Not corrected by people whose group is known: {list} ({reason}).")
UNNAMED = message("Of the people, {share}% are expected to be in none of the named groups; they are not compared.")
IN_NO_GROUP = message("Known, but in no named group: {list}.")
LABEL_N = message("{group} {n}")
NO_DECISION = message("Left out, without a decision: {n} of {every} people.")
NO_PROBABILITIES = message(
    "The group of {known} people is known. {n} of them have no probabilities: they are in the bound with their group, "
    "and have no part in checks of the probabilities."
)
K_OF_N = message("{k} of {n}")
ZEROS = message(
    "{n} people have a probability of 0 of every named group: they count as certain to be in none of them. Where this "
    "stands for probabilities that are not known, leave these cells empty."
)
NOTHING_KNOWN = message(
    "Of {n} of {every} people neither the group nor all probabilities are known: the bound leaves them out. With them "
    "at worst, and sampling error ({interval}), the difference of {group} from {reference} lies between {low} and "
    "{high} percentage points."
)
UNDONE = message(
    "Of {n} of {every} people neither the group nor all probabilities are known: the bound leaves them out. With them "
    "at worst, and sampling error ({interval}), the difference of {group} from {reference} lies between {low} and "
    "{high} percentage points: the gap is shown among the others, not over all people."
)
SHOWN_WITH_THEM = message(
    "Of {n} of {every} people neither the group nor all probabilities are known: the bound leaves them out. With them "
    "at worst, and sampling error ({interval}), the difference of {group} from {reference} lies between {low} and "
    "{high} percentage points: the gap is shown over all people, too."
)
LEFT_OUT = message("Of {n} of {every} people neither the group nor all probabilities are known: they are left out.")
NAME_KNOWN = message(
    "Where the group itself is known of some of them, {known} names its column, and they count.", known=Setting("known")
)
ALL_WITH_THEM = message(
    "Of {n} of {every} people neither the group nor all probabilities are known: the bound leaves them out. With them "
    "at worst, and sampling error ({interval}), differences from {reference} are, in percentage points: {list}. These "
    "gaps are shown over all people, too."
)
SOME_UNDONE = message(
    "Of {n} of {every} people neither the group nor all probabilities are known: the bound leaves them out. With them "
    "at worst, and sampling error ({interval}), differences from {reference} are, in percentage points: {list}. Shown "
    "among the others, not over all people: {undone}."
)
AT_WORST_OF = message("{group} {low} to {high}")
OF_UNDONE = (UNDONE, SOME_UNDONE)
OF_LEFT_OUT = (NOTHING_KNOWN, SHOWN_WITH_THEM, ALL_WITH_THEM, *OF_UNDONE)
TOLERANCE = 0.01  # by which a probability of 0 or 1 may be off
MOST_LINES = 3  # sentences of one kind, where there are many groups
MOST_GROUPS = 6  # in one sentence
ASSIGNED_APART = 0.001  # of people whose group is assigned, at most, whose group is not the most probable one
ASSIGNED_LEVEL = 1e-6  # at which the probabilities exclude so few of them
FILLED_LEVEL = 1e-4  # at which some groups are filled in
MUCH = 0.1  # of the people have probabilities of 0 or 1
FEWEST = 10  # people whose group is known; in all, of those with probabilities, and in each group that is corrected


@answering
def group_probabilities(
    data: Any,
    decision: str,
    groups: Mapping[str, str],
    *,
    known: str | None = None,
    drawn_at_random: bool = False,
    favorable: Any = AuditArguments.favorable,
    reference: str | None = None,
    p_adjust: Adjust = "bonferroni",
    conf_level: float = 0.95,
    seed: int = 0,
) -> GroupStudy:
    """Bound the gap in selection between groups that are known only as probabilities of each person.

    Nobody is put into a group: no probability is cut at a threshold, and fairstats computes none.

    Parameters
    ----------
    data : table or path
        A row a person.
    decision : str
        A column of decisions.
    groups : dict of str
        Group, and the column of its probabilities, such as ``{"White": "p_white", "Black": "p_black"}``. Those of a
        person add up to 1; what is left to 1 belongs to none of the named groups. Empty cells of people whose group is
        `known` are no matter; people of whom neither is known are left out of the bound, and a row and a sentence say
        what they could change at worst.
    known : str, optional
        A column of the group itself where it is known, missing elsewhere. These people are in their group with
        certainty in all estimates but "corrected". Those of them who have probabilities, too, check these, for which
        they have to be drawn at random: where they refute the probabilities, or were not drawn at random, no verdict
        is given. Where fewer than 10 have both, nothing is checked, and the answer says what it supposes.
        Where it is known of everybody, both ends of the bound are the difference itself, whatever the probabilities.
        A group of it that has no column counts as none of the named ones, where probabilities leave something to 1.
    drawn_at_random : bool
        Declare that the people whose group is known were drawn at random from all, which you know from how they were
        found: the answer then begins with the corrected difference and its limits, under this condition. Where the
        data refute it, that comes first. The verdict stays that of the bound.
    favorable : label
        The decision that helps; one that is named is set against all others.
    reference : str, optional
        The group that others are compared with; that with the most expected people by default.
    p_adjust : {"bonferroni", "holm", "bh", "none"}
        Over the groups, of bounds and of corrected differences.
    conf_level : float
    seed : int
        Of the folds in which people choose each other's terms of the bound.

    Returns
    -------
    GroupStudy
        Of every group's selection rate and of every difference, by ``estimator``: "bound" with limits of the whole
        bound, and the verdict of a difference, none where all probabilities are 0 or 1; role "bounds", its ends without
        sampling error; neither has an estimate.
        "bound at worst" has limits with the people of whom nothing is known, where there are some.
        With `known`, term "group known" has the share of these people.
        "weighted", "linear" (of differences) and, with `known`, "corrected" have one, and no verdict. With two groups
        and `known`, "what weighted lacks" and "what linear has too much".

    Raises
    ------
    InputError
        If a column is unknown or unusable for its role, probabilities are not between 0 and 1 or add up to more
        than 1, or there are fewer than two groups.

    Notes
    -----
    Given the probabilities p of a person and the rate q at which such people are selected, at most min(p, q) of them
    are both in the group and selected, at least max(0, p + q - 1). The difference has both ends at once. The bound is
    the narrowest for what the data tell if q is fitted well; if not, it is wider and holds. With two groups the
    weighted difference lacks E Cov(decision, group | p) / Var(group), that of linear regression has
    E Cov(decision, p | group) / Var(p) too much.

    References
    ----------
    Kallus, Mao & Zhou (2022), Management Science 68, 1959-1981 (bounds); Chen, Kallus, Mao, Svacha & Udell (2019),
    FAT* '19, 339-348 (weighted); Elzayn et al. (2025), Quarterly Journal of Economics 140, 113-163 (linear).

    Examples
    --------
    >>> import fairstats as fs
    >>> people = {"hired": [0, 1, 1, 1, 0, 0, 1, 0] * 50, "p": [0.1, 0.1, 0.1, 0.1, 0.9, 0.9, 0.9, 0.9] * 50}
    >>> people["q"] = [1 - p for p in people["p"]]
    >>> row = fs.group_probabilities(people, "hired", {"f": "p", "m": "q"}, reference="m").compared()[0]
    >>> round(row.conf_low, 2), round(row.conf_high, 2), row.verdict
    (-0.78, -0.21, 'disparity shown')
    """
    level, drawn = confidence(conf_level), random_seed(seed)
    choose("p_adjust", p_adjust, ADJUSTMENTS)
    declared = flag("drawn_at_random", drawn_at_random)
    if declared and known is None:
        raise InputError(
            "drawn_at_random",
            f"is of people whose group is known, and no column of it is named; pass {named('known')}, or leave it out.",
        )
    people = _people(data, word("decision", decision), _named(groups), known, favorable, drawn)
    if declared and people.known is None:
        raise InputError(
            "drawn_at_random",
            f"is of people whose group is known, of whom fewer than {FEWEST} have probabilities, which nothing is "
            f"corrected by; leave it out, and audit these people by themselves: {Call('audit')} of a table with their "
            "rows alone has a verdict about everybody they were drawn from.",
        )
    labels = people.labels
    base = largest(labels, people.of.shares.sum(axis=0)[: len(labels)], reference)
    by = "group"  # what the column of known groups is called says how they are known, not what they are
    check = _calibration(people, by, level)
    drawing, contradicting = _drawing(people, by), _contradicting(people, by)
    refuting = [row for row in (*check[-1:], *contradicting, *drawing) if row.p_value <= 1 - level]
    refuted = [] if people.all_known else refuting  # a bound without probabilities holds whatever these are
    not_drawn = any(row.term == AT_RANDOM for row in refuted)
    rows = [row for i, label in enumerate(labels) for row in _rates(people, i, Estimate(METRIC, by, label), level)]
    items, beside = [], []
    for i, label in enumerate(labels):
        if i != base:
            about = Estimate(METRIC, by, label, "difference", labels[base], n=_people_of(people, i))
            items.append(_bound(people.of, i, base, about, people.nothing))
            beside += _estimators(people, i, base, about, level)
            beside += [] if refuting else _biases(people, i, about, level)  # which suppose right probabilities
    beside = _corrected_together(beside, level, p_adjust)
    no_p = {"p_value": math.nan, "p_adjusted": math.nan}
    if not_drawn:
        beside = [row.changed(**no_p) for row in beside]
    if refuted or people.assigned:
        terms = {row.term for row in refuted}
        why = joined(  # people who were not drawn at random say nothing of the probabilities, but what is so either way
            reason
            for reason, there in (
                (ASSIGNED, people.assigned),
                (WITHHELD[CALIBRATION], bool(terms) and (not not_drawn or not terms.isdisjoint(EITHER_WAY))),
                (WITHHELD[AT_RANDOM], not_drawn),
            )
            if there
        )
        decided = decided_rows(items, level, p_adjust)  # whose limits are those that a verdict would come from
        built = [[row.changed(verdict="", reason=joined([row.reason, why]), **no_p), *ends] for row, *ends in decided]
    else:
        built = decided_rows(items, level, p_adjust)
    main = [both[0] for both in built]
    rows += [row for both in built for row in both] + beside + _share_known(people, by)
    rows += [*check, *contradicting, *drawing]
    settings: dict[str, Any] = {"decision": decision, "groups": dict(groups), "known": known, "reference": reference}
    settings |= {} if isinstance(favorable, DefaultLabel) else {"favorable": favorable}
    settings |= {"drawn_at_random": True} if declared else {}
    settings |= {"p_adjust": p_adjust, "conf_level": level, "seed": drawn}
    unlike = [text for row in refuted if row.term == AT_RANDOM for text in _unlike(people, row, base, level)]
    lines = _statements(main, Estimates(rows), people, check, refuted, unlike, level, p_adjust, declared, base)
    n = people.of.selected.size
    return result_of(QUESTION, "group_probabilities", people.source, rows, lines, n, level, by, settings, seed=drawn)


@dataclass(frozen=True)
class _People:
    """Those with a decision, of whom the group or all probabilities are known.

    The probabilities ``of`` people whose group is known are 0 and 1; ``stated`` has those of the table where it has
    some. ``known``, of those with both, is 1 in the column of the group, else NaN; None where these are too few.
    """

    labels: tuple[str, ...]
    decision: DataText  # that is compared, as sentences say it
    of: UncertainGroups
    stated: UncertainGroups
    known: Floats | None
    probable: NDArray[np.bool_]  # who has probabilities in the table
    of_known: int  # people whose group is known
    nothing: Floats  # decisions of those of whom neither is known
    source: DataSource
    undecided: int
    notes: list[Message]  # cautions on the labels of the decision

    @property
    def checked(self) -> NDArray[np.bool_]:
        assert self.known is not None
        return np.isfinite(self.known[:, 0])

    @property
    def others(self) -> int:
        """People whose group is not known."""
        return int(self.of.selected.size) - self.of_known

    @property
    def all_known(self) -> bool:
        """Whether the group of everybody in the bound is known."""
        return not self.others

    @property
    def assigned(self) -> bool:
        """Whether the probabilities of all whose group is not known are 0 or 1, which puts them into groups."""
        return not self.all_known and bool((self.of.shares.max(axis=1) == 1).all())

    @property
    def right(self) -> Message:
        """The condition of the bound."""
        return RIGHT_FOR.format(n=count(self.others)) if self.of_known else RIGHT

    @property
    def without(self) -> int:
        """People whose group is known and who have no probabilities."""
        return int((~self.probable).sum())


def _named(groups: Any) -> dict[str, str]:
    if not isinstance(groups, Mapping) or len(groups) < 2:
        raise InputError(
            "groups",
            f"has {shown(groups)}; name two groups or more, each with the column of its probabilities: "
            f"{Setting('groups', {'White': 'p_white', 'Black': 'p_black'})}.",
        )
    names = {one_label("groups", group): word("groups", column) for group, column in groups.items()}
    if len(set(names.values())) < len(names):
        raise InputError("groups", f"has {listing(names.values())}; every group has a column of its own.")
    return names


def _in_digits(shares: Floats) -> Floats:
    """Probabilities in 14 digits: people of the same ones are such as well in a file, which may have 15."""
    at_least = np.maximum(np.abs(shares), 1e-100)
    unit = 10.0 ** (13 - np.floor(np.log10(at_least)))
    return np.rint(shares * unit) / unit


def _people(data: Any, decision: str, names: dict[str, str], known: str | None, favorable: Any, seed: int) -> _People:
    if decision in names.values():
        raise InputError("decision", f"has {decision!r}, which is a column of probabilities; name that of decisions.")
    columns, source = take_in(data, [])
    factor = columns.factor(decision, "decision")
    if isinstance(favorable, DefaultLabel):
        check_binary("decision", decision, factor)
    rules = Protocol(("group",), decision=decision, favorable=one_label("favorable", favorable))
    rules = resolve(rules, decision=factor.levels, outcome=None, attributes=("group",))
    shares = _in_digits(np.column_stack([columns.numeric(column, "groups") for column in names.values()]))
    for column, values in zip(names.values(), shares.T, strict=True):
        if (wrong := (values < 0) | (values > 1)).any():
            at = int(np.argmax(wrong))
            raise InputError(
                "groups",
                f"has {column!r} with {values[at]:g} (row {at + 1}); a probability is between 0 and 1, and 50% is 0.5.",
            )
    total = shares.sum(axis=1)
    # each of two decimals is off by 0.005 at most, and their sum by what floating point adds
    rounding = 0.005 * len(names) + 1e-9
    if (wrong := total > 1 + rounding).any():
        at = int(np.argmax(wrong))
        raise InputError(
            "groups",
            f"has probabilities that add up to {total[at]:g} (row {at + 1}); those of a person add up to 1 at most, "
            f"and by rounding to {1 + rounding:g}; correct them, or name groups that exclude each other.",
        )
    labels, decided, probable = tuple(names), factor.codes >= 0, ~np.isnan(total)
    if (both := int((decided & probable).sum())) < 2:
        raise InputError("groups", _too_few(columns, decided, probable, both, {decision, known, *names.values()}))
    rest = total[decided & probable].min() < 1 - rounding
    shares = shares / np.where(probable & (total > 0) & ~(rest & (total <= 1)), total, 1.0)[:, None]
    if rest:
        shares = np.column_stack([shares, np.clip(1 - shares.sum(axis=1), 0.0, 1.0)])
    groups, unnamed = np.full_like(shares, np.nan), list[Message]()
    if known is not None:
        groups, unnamed = _known(columns, word("known", known, COLUMN), labels, decided, shares.shape[1])
    with_group = np.isfinite(groups[:, 0])
    used, selected = decided & (probable | with_group), np.zeros(decided.size)
    if rules.favorable in factor.levels:  # else it was decided of nobody
        selected = (factor.codes == factor.levels.index(rules.favorable)).astype(float)
    nothing, undecided = selected[decided & ~used], int((~decided).sum())
    shares, groups, probable, with_group, selected = (
        of[used] for of in (shares, groups, probable, with_group, selected)
    )
    certain = np.where(with_group[:, None], groups, shares)
    for i, label in enumerate(labels):
        if not certain[:, i].any() and not shares[probable, i].any():
            raise InputError("groups", f"has {names[label]!r}, which is 0 for everybody; leave the group out.")
    both = probable & with_group
    if both.sum() >= FEWEST and not with_group.all() and not (np.abs(groups - shares)[both] > TOLERANCE).any():
        raise InputError(
            "known",
            f"has {known!r}, and the probabilities of all {int(both.sum()):,} people whose group is known are 1 for it "
            "and 0 for the others: by these nothing can be tested. Pass the probabilities that they had before, or "
            f"leave these cells of {listing(names.values())} empty: a known group counts as it is.",
        )
    among, expected, apart = _most_probable(groups[both], shares[both])
    if apart <= among * ASSIGNED_APART and pdtr(apart, among - expected) < ASSIGNED_LEVEL:
        every = f"all {among:,}" if not apart else f"{among - apart:,} of the {among:,}"
        raise InputError(
            "known",
            f"has {known!r}, which is the most probable group of {every} people of known group, where by the "
            f"probabilities it would be that of {expected:,.0f}: it is assigned, not known. Leave {named('known')} "
            "out: the bound then rests on the probabilities alone. Or name a column of groups that were not made from "
            "them.",
        )
    if jump_where_alike(groups[both], shares[both]) < FILLED_LEVEL:
        raise InputError(
            "known",
            f"has {known!r}, in which groups are much more frequent as soon as they are the most probable one "
            "(p < 0.0001), as where the most probable group is filled in for people whose group is not known; how "
            "frequent a known group is changes steadily with its probability, also with a wrong one. Leave empty the "
            f"cells of people whose group is not known. If none was filled in, leave {named('known')} out, or audit "
            f"the people of known group alone ({Call('audit')}), which needs no probabilities.",
        )
    for i, label in enumerate(labels):
        if not certain[:, i].any():
            raise InputError("known", f"has {known!r}, by which nobody is in {label}; leave out that group, or known.")
    stated = np.where(probable[:, None], shares, certain)
    zeros = int((probable & ~with_group & ~shares[:, : len(labels)].any(axis=1)).sum())
    notes = [*unnamed, *([ZEROS.format(n=count(zeros))] if zeros else []), *odd_answers({decision: factor.levels})]
    return _People(
        labels=labels,
        decision=DataText(as_word(decision, "" if isinstance(favorable, DefaultLabel) else rules.favorable)),
        of=UncertainGroups(selected, certain, seed),
        stated=UncertainGroups(selected, stated, seed),
        known=np.where(both[:, None], groups, np.nan) if both.sum() >= FEWEST else None,
        probable=probable,
        of_known=int(with_group.sum()),
        nothing=nothing,
        source=source,
        undecided=undecided,
        notes=notes,
    )


def _too_few(
    columns: Columns,
    decided: NDArray[np.bool_],
    probable: NDArray[np.bool_],
    both: int,
    used: Collection[str | None],
) -> str:
    """That nobody or one person has a decision and all probabilities, and, as after a merge, what names the people."""
    n, m = int(decided.sum()), int(probable.sum())
    fact = f"has fewer than two people with all probabilities and a decision ({n:,} have a decision, {m:,} all "
    fact += "probabilities"
    if both or not n:
        return f"{fact}); pass more."
    example = ""
    for name in columns.names:
        if name in used:
            continue
        values = columns.series(name, "data").to_list()
        of_each = [values[i] for i in np.flatnonzero(decided | probable)]
        if None not in of_each and len(set(map(str, of_each))) == len(of_each):
            parts = ((decided, "where a decision is"), (probable, "where probabilities are"))
            each = " and ".join(f"{values[int(of.argmax())]!r} {where}" for of, where in parts if of.any())
            example = f": {name!r} is {each}"
            break
    return (
        f"{fact}, nobody both). After a merge this means that no id of the one table is in the other{example}. Write "
        "the ids alike in both (numbers or text in both, with the same zeros in front and no spaces), and merge again."
    )


def _most_probable(known: Floats, shares: Floats) -> tuple[int, float, int]:
    """How many people there are, of how many their group should be the most probable one, of how many it is not."""
    most = shares >= shares.max(axis=1, initial=0.0, keepdims=True) - 1e-9
    return len(known), float((shares * most).sum()), int(len(known) - (known * most).sum())


def _known(
    columns: Columns, name: str, labels: Sequence[str], decided: NDArray[np.bool_], size: int
) -> tuple[Floats, list[Message]]:
    """1 in the column of the group that is known, NaN in all where none is, shape (n, size); who is in no named one."""
    factor = columns.factor(name, "known")
    here = np.bincount(factor.codes[decided & (factor.codes >= 0)], minlength=len(factor.levels))
    others = [label for label in factor.levels if label not in labels]
    if unclear := [label for label in like_missing(factor.levels) if label in others]:
        raise InputError(
            "known",
            f"has {name!r} with {listing(map(repr, unclear))}, which may mean that the group is not known; leave empty "
            "the cells of people whose group is not known, or give the label another name.",
        )
    if others and size == len(labels):
        raise InputError(
            "known",
            f"has {name!r} with {listing(others)}; the groups are {listing(labels)}, whose probabilities add up to 1 "
            "for everybody, so that nobody can be in another; call groups alike in both, or give each further group a "
            "column of its probabilities, 0 for people who cannot be in it.",
        )
    found = {label for label, n in zip(factor.levels, here, strict=True) if n}
    if others and (lacking := [label for label in labels if label not in found]):
        raise InputError(
            "known",
            f"has {name!r} with {listing(others)}, which are no named groups, and with nobody of {listing(lacking)}; "
            "call them alike in both, or, if nobody known is in such a group, leave it out of the groups.",
        )
    place = np.array([labels.index(label) if label in labels else size - 1 for label in factor.levels], dtype=int)
    codes = factor.codes.astype(np.intp)
    if (n := int(here.sum())) < FEWEST:
        raise InputError("known", f"has {name!r}, known of {n} people; {FEWEST} are the fewest; leave it out.")
    rest = sorted(
        ((n, label) for label, n in zip(factor.levels, here, strict=True) if n and label in others), reverse=True
    )
    items = [LABEL_N.format(group=DataText(label, name), n=count(float(n))) for n, label in rest]
    notes = [IN_NO_GROUP.format(list=listed(items, MOST_GROUPS))] if items else []
    return np.where((codes >= 0)[:, None], np.eye(size)[place[np.maximum(codes, 0)]], np.nan), notes


def _people_of(people: _People, group: int) -> float:
    return float(people.of.shares[:, group].sum())


def _rates(people: _People, group: int, about: Estimate, level: float) -> list[Estimate]:
    """The bound of a group's rate, its ends, and the weighted and the corrected rate."""
    about = about.changed(n=_people_of(people, group))
    _, rows = _bound(people.of, group, None, about, people.nothing[:0])
    return [*rows(level), *_estimators(people, group, None, about, level)]


def _bound(
    of: UncertainGroups, group: int, reference: int | None, about: Estimate, nothing: Floats
) -> tuple[float, Any]:
    """The p-value of a bound, and at a level its row with limits and that with its ends; neither has an estimate.

    nothing: decisions of people of whom nothing is known; with some, a row more has the limits with these at worst.
    """
    ends = of.ends(group, reference)
    limits_at = cache(lambda level: bound_limits(ends, level))
    p = p_outside(limits_at, 0.0) if reference is not None else float("nan")
    bound, plain = (
        about.changed(estimator=BOUND, method=OUTER),
        about.changed(estimator=ENDS, role="bounds", method=ALONE),
    )

    def rows(level: float) -> list[Estimate]:
        row = bound.with_interval(math.nan, *limits_at(level), level).changed(p_value=p)
        both = [row, plain.with_interval(math.nan, ends[0].estimate, ends[1].estimate)]
        if reference is None or not nothing.size:
            return both
        worst = about.changed(estimator=AT_WORST, role="supplementary", method=OUTER)
        at_worst = bound_limits(of.ends(group, reference, nothing), level)
        return [*both, worst.with_interval(math.nan, *at_worst, level)]

    return p, rows


def _estimators(people: _People, group: int, reference: int | None, about: Estimate, level: float) -> list[Estimate]:
    """Estimates of one number under conditions, each with limits of its own and without a verdict."""
    z = float(critical(level))
    about, low = about.changed(role="supplementary"), 0.0 if reference is None else -1.0

    def row(name: str, found: tuple[float, float] | None, method: str, otherwise: str) -> Estimate:
        if found is None or not low <= found[0] <= 1:
            return about.changed(estimator=name, status="unestimable", reason=otherwise)
        value, error = found
        if not error > 1e-9:  # limits of no width would claim to be sure
            return about.changed(estimator=name, status="unestimable", reason=NO_ERROR)
        ends = max(low, value - z * error), min(1.0, value + z * error)
        return about.changed(estimator=name, method=method).with_interval(value, *ends, level, std_error=error)

    weighted = people.of.weighted(group, reference)
    value, (center, error) = weighted.estimate, weighted.shrunken(1.0)
    ends = max(low, min(value, center - z * error)), min(1.0, max(value, center + z * error))
    result = [about.changed(estimator=WEIGHTED, method=BY_WEIGHTS).with_interval(value, *ends, level, std_error=error)]
    if reference is not None:
        result.append(row(LINEAR, people.of.linear(group, reference), BY_SLOPES, NO_SPREAD))
    if people.known is not None:
        fewest = np.nansum(people.known, axis=0)[[group] if reference is None else [group, reference]].min()
        by, of = people.stated.corrected, people.probable
        found = by(people.known, group, reference, of) if fewest >= FEWEST else None
        if found is not None and reference is not None:  # a difference of rates that are none is withheld with them
            rates = [by(people.known, one, None, of) for one in (group, reference)]
            found = found if all(one is not None and 0 <= one[0] <= 1 for one in rates) else None
        result.append(row(CORRECTED, found, BY_KNOWN, FEW_KNOWN.format(n=FEWEST) if fewest < FEWEST else NOT_POSITIVE))
    return result


def _corrected_together(rows: Sequence[Estimate], level: float, p_adjust: Adjust) -> list[Estimate]:
    """The rows, of which corrected differences are one family, as bounds are: with its level and adjusted p-values.

    Those that are withheld count in the family. None has a verdict.
    """

    def at(row: Estimate, each: float) -> list[Estimate]:
        if row.status != "ok":
            return [row]
        reach = float(critical(each)) * row.std_error
        ends = max(-1.0, row.estimate - reach), min(1.0, row.estimate + reach)
        return [row.changed(p_value=p_of(row)).with_interval(row.estimate, *ends, each, std_error=row.std_error)]

    def p_of(row: Estimate) -> float:
        return float(2 * ndtr(-abs(row.estimate) / row.std_error)) if row.status == "ok" else 1.0

    items = [(p_of(row), partial(at, row)) for row in rows if row.estimator == CORRECTED]
    family = iter(decided_rows(items, level, p_adjust))
    return [next(family)[0].changed(verdict="") if row.estimator == CORRECTED else row for row in rows]


def _biases(people: _People, group: int, about: Estimate, level: float) -> list[Estimate]:
    """What both estimators of a difference of two groups err by, as known people show."""
    if people.known is None or people.of.shares.shape[1] > 2:
        return []
    among = people.checked
    of = people.of.selected[among], people.stated.shares[among, group], people.known[among, group]
    z, about = float(critical(level)), about.changed(role="supplementary", n=float(among.sum()))
    named = zip((LACKING, TOO_MUCH), (BY_ERRORS, BY_GROUPS), biases(*of), strict=False)
    return [
        about.changed(estimator=name, method=method).with_interval(
            value, value - z * error, value + z * error, level, std_error=error
        )
        for name, method, (value, error) in named if error > 1e-9
    ]  # fmt: skip


def _conditions(rows: Estimates, people: _People) -> Message:
    """Whether known people show that the gap lies between the weighted difference and that of linear regression."""
    found = [rows.only(estimator=name) for name in (LACKING, TOO_MUCH)]
    if not all(found):
        return ONLY_KNOWN
    (lacking,), (much,) = found
    place = people.labels.index(lacking.group)
    weighted = people.stated.weighted(place, 1 - place).estimate
    first, second = _side(lacking), _side(much)
    gap = next((_side(row) for row in rows.only(estimator=CORRECTED, contrast="difference", status="ok")), 0)
    code = CONDITIONS_OPEN
    if first == second != 0 and first * weighted > 0:  # the gap is the weighted difference and what it lacks
        code = BOTH_HOLD
    elif first * second < 0 or first * gap < 0 or second * gap < 0:
        code = ONE_FAILS
    parts = BY_BIASES.format(
        lacking=percent(lacking.estimate), lacking_limits=limits(lacking), much=percent(much.estimate),
        much_limits=limits(much), **_pair(lacking),
    )  # fmt: skip
    return code.format(n=count(lacking.n), parts=parts)


def _side(row: Estimate) -> int:
    """The sign that the limits of a row show, 0 where they show none."""
    return int(row.conf_low > 0) - int(row.conf_high < 0)


def _calibration(people: _People, by: str, level: float) -> list[Estimate]:
    """Shares of known groups less the mean probabilities, and the test of both for all groups, which is the last."""
    if people.known is None:
        return []
    among = people.checked
    known, shares = people.known[among], people.stated.shares[among]
    m, z = len(known), float(critical(level))
    rows = []
    for i, label in enumerate(people.labels):
        named = Estimate("share", by, label, "difference", MEAN, CALIBRATION, role="supplementary")
        low = _low(shares[:, i])
        for given, part in (("", np.full(m, True)), (WHERE_LOW, low), (WHERE_HIGH, ~low)):
            n, wrong = int(part.sum()), (known - shares)[part, i]
            if given and not FEWEST <= n < m:
                continue
            gap, error = float(wrong.mean()), float(wrong.std(ddof=1) / np.sqrt(n))
            about = named.changed(given=given, n=float(n), events=float(known[part, i].sum()))
            ends = max(-1.0, gap - z * error), min(1.0, gap + z * error)
            rows.append(about.with_interval(gap, *ends, level, std_error=error))
    statistic, df, p = calibrated(known, shares, people.stated.seed)
    about = Estimate("share", by, term=CALIBRATION, role="omnibus", n=float(m))
    return [*rows, about.with_test(statistic, p, df, method=SCORE)]


def _share_known(people: _People, by: str) -> list[Estimate]:
    """The share of people whose group is known, where it is of some."""
    if not people.of_known:
        return []
    n, known = float(people.of.selected.size), float(people.of_known)
    return [Estimate("share", by, term=KNOWN_SHARE, role="supplementary", n=n, events=known, estimate=known / n)]


def _drawing(people: _People, by: str) -> list[Estimate]:
    """The test that people whose group is known are like the others, where there are others."""
    if people.known is None or (of := people.probable & ~people.checked).sum() == 0:
        return []
    of |= people.checked
    statistic, df, p = drawn_at_random(people.checked[of], people.stated.shares[of], people.of.selected[of])
    about = Estimate("selection rate", by, term=AT_RANDOM, role="omnibus", n=float(people.checked.sum()))
    if p != p:
        return [about.changed(status="unestimable", reason=NO_ERROR)]
    return [about.with_test(statistic, p, df, method=ALIKE)]


def _contradicting(people: _People, by: str) -> list[Estimate]:
    """Tests of the probabilities that hold however people of known group were drawn, of `EITHER_WAY`."""
    if people.known is None:
        return []
    size = len(people.labels)
    known, shares = (of[people.checked][:, :size] for of in (people.known, people.stated.shares))
    about = Estimate("share", by, role="omnibus", n=float(len(known)))
    p = min(1.0, size * float(unordered(known, shares).min()))
    among, none = known[shares == 0].sum(), (shares == 0).any(axis=1).sum()
    beyond = float(pdtrc(among - 1, TOLERANCE * none)) if among else 1.0  # what is left is rounding and slips
    return [
        about.changed(term=ASSOCIATION).with_test(math.nan, p, method=BY_RANKS),
        about.changed(term=EXCLUDED, events=float(among)).with_test(math.nan, beyond, method=BY_ZEROS),
    ]


def contradicted(rows: Estimates, level: float) -> list[Estimate]:
    """The tests of `EITHER_WAY` that refute the probabilities, in its order."""
    found = [row for term in EITHER_WAY for row in rows.only(role="omnibus", term=term)]
    return [row for row in found if row.p_value <= 1 - level]


def _unlike(people: _People, row: Estimate, base: int, level: float) -> list[str]:
    """What differs most between people of known group and others, and whether the spread of probabilities differs."""
    order = _base_last(people, base)
    selected, among, of = people.of.selected, people.checked, people.probable
    shares = people.stated.shares[:, : len(people.labels)]
    theirs, others = among, of & ~among
    squares = (people.stated.shares**2).sum(axis=1)
    every, known = compared_terms(shares[of][:, order], selected[of], squares[of]), among[of]
    apart = np.abs(every[known].mean(axis=0) - every[~known].mean(axis=0))
    apart = apart / np.maximum(every.std(axis=0, ddof=1), 1e-12)  # in standard deviations
    of_each = 2 * ndtr(-apart / math.sqrt(1 / known.sum() + 1 / (~known).sum()))
    p_spread, selected_differ = float(of_each[-1]), bool(of_each[0] <= 1 - level)
    closer = bool(squares[others].mean() > squares[theirs].mean())
    values = {"share": number(squares[theirs].mean(), 2), "other": number(squares[others].mean(), 2)}
    spread = [(SHARPER if closer else BLUNTER).format(p=p_value(p_spread), **values)] * (p_spread <= 1 - level)
    if spread and apart[-1] >= apart.max() and not selected_differ:
        return [*spread, ALL_THE_SAME.format()]
    also = spread if closer else []
    means = (
        apart[: 1 + len(order)] if spread and apart[-1] >= apart.max() else apart[:-1]
    )  # shares selected are to be read
    most = int(means.round(9).argmax())  # of two groups both have the same
    if most > len(order):
        group = order[most - len(order) - 1]
        parts = {
            name: percent(shares[who & (selected == decision), group].mean())
            for name, who, decision in (
                ("selected", theirs, 1), ("other_selected", others, 1),
                ("refused", theirs, 0), ("other_refused", others, 0),
            ) if (who & (selected == decision)).any()
        }  # fmt: skip
        if len(parts) == 4:
            named = DataText(people.labels[group], row.attribute)
            return [UNLIKE_TOGETHER.format(p=p_value(row.p_value), group=named, **parts), *also]
        most = 0  # nobody of some is selected, or everybody is
    names = [SELECTED, *(PROBABILITY_OF.format(group=DataText(people.labels[i], row.attribute)) for i in order)]
    differs = UNLIKE.format(
        p=p_value(row.p_value),
        rate=percent(selected[theirs].mean()),
        other=percent(selected[others].mean()),
        list=listed(_both(row, people.labels, shares[theirs].mean(axis=0), shares[others].mean(axis=0)), MOST_GROUPS),
        most=names[most],
    )
    return [differs, *also]


def _base_last(people: _People, base: int) -> list[int]:
    """Places of the groups, so that of terms that are alike that of a compared group is named."""
    return [*(i for i in range(len(people.labels)) if i != base), base]


def _both(row: Estimate, labels: Sequence[str], shares: Floats, means: Floats) -> list[str]:
    """Of every group two percentages, which a sentence lists."""
    return [
        OF_BOTH.format(group=DataText(label, row.attribute), share=percent(share), mean=percent(mean))
        for label, share, mean in zip(labels, shares, means, strict=True)
    ]


def _low(shares: Floats) -> NDArray[np.bool_]:
    """Whose probability of a group is below the median; where nobody's is, whose is the lowest."""
    below = shares < np.median(shares)
    return below if below.any() else shares == shares.min()


def _frequent(people: _People, row: Estimate, base: int) -> Message:
    """How frequent the known groups are, and by their probabilities should be, where the test finds most."""
    assert people.known is not None
    size, order = len(people.labels), _base_last(people, base)
    every = [of[people.checked] for of in (people.known, people.stated.shares)]
    level, slope = (np.abs(of[:size]) for of in departures(*every))
    known, shares = (of[:, :size] for of in every)
    by_level = slope.max() <= level.max()
    terms = level if by_level else slope
    group = order[int(terms[order].round(9).argmax())]
    about = {"group": DataText(people.labels[group], row.attribute), "errors": number(terms[group])}
    if by_level:
        each = _both(row, people.labels, known.mean(axis=0), shares.mean(axis=0))
        return ON_AVERAGE.format(list=listed(each, MOST_GROUPS), **about)
    rise = number(10 * float(slopes(known[:, [group]], shares[:, [group]])[0]))
    return BY_HALVES.format(rise=rise, **about, **_halves(known[:, group], shares[:, group]))


def _halves(known: Floats, shares: Floats) -> dict[str, str]:
    """Percentages of known people of a group, and their mean probabilities, where these are low and where high."""
    low = _low(shares)
    means = {"low": known[low], "low_mean": shares[low], "high": known[~low], "high_mean": shares[~low]}
    return {"most": percent(shares[low].max())} | {name: percent(of.mean()) for name, of in means.items()}


def _contradictions(people: _People, rows: Sequence[Estimate], n: str | Message) -> Message:
    """What refutes the probabilities however people of known group were drawn, and what may have caused it."""
    assert people.known is not None
    known, shares = (of[people.checked][:, : len(people.labels)] for of in (people.known, people.stated.shares))
    parts, statement = list[Message](), TOO_SHARP
    for row in rows:
        p = P_ALONE.format(p=p_value(row.p_value))
        if row.term == EXCLUDED:
            group = int((known * (shares == 0)).sum(axis=0).argmax())
            named = DataText(people.labels[group], row.attribute)
            parts.append(IN_EXCLUDED.format(k=count(row.events), group=named, p=p))
            continue
        group = int(unordered(known, shares).argmin())
        of_group = known[:, [group]], shares[:, [group]]
        high = ~_low(of_group[1][:, 0])[:, None]  # whose share in the group is printed beside that of the others
        found, _, errors = (float(of[0]) for of in associations(of_group[0], high.astype(float)))
        code = LESS_THAN_IMPLIED if found > 2 * errors else LESS_FREQUENT if found < -2 * errors else AS_FREQUENT
        statement = TOO_SHARP if code is LESS_THAN_IMPLIED else CONTRADICTED
        each = _halves(known[:, group], shares[:, group])
        parts.append(code.format(p=p, group=DataText(people.labels[group], row.attribute), **each))
    return statement.format(n=n, parts=joined(parts))


def _statements(
    main: Sequence[Estimate],
    rows: Estimates,
    people: _People,
    check: list[Estimate],
    refuted: list[Estimate],
    unlike: list[str],
    level: float,
    p_adjust: Adjust,
    declared: bool,
    base: int,
) -> list[str]:
    """What is shown of every group, what that supposes, how the estimators err, and what stands beside."""
    about: dict[str, str] = {}
    if check:
        n = count(check[-1].n)
        n = K_OF_N.format(k=n, n=count(people.of_known)) if people.without else n
        about = {"n": n, "p": p_of_draws(check[-1].p_value)}
    from_known = corrected_in_order(rows)
    corrected = []
    if from_known and not people.all_known:
        p = next((row.p_value for row in rows.only(role="omnibus", term=AT_RANDOM)), math.nan)
        corrected = _from_known(from_known, people, {"n": about["n"]}, p, bool(unlike), declared, level)
    left: dict[str, list[DataText]] = {}
    lacking = rows.only(contrast="difference", estimator=CORRECTED, status="unestimable")
    for row in [] if people.all_known else lacking:
        left.setdefault(row.reason, []).append(data_text(row))
    either_way = contradicted(rows, level) if refuted else []
    # known people declared to be drawn at random come first, or right after what refutes that, or the probabilities
    # whether or not they were drawn so
    after = bool(unlike or either_way or people.assigned)
    lead, beside = (corrected, []) if declared and not after else ([], corrected if declared else [])
    from_others = [
        *(corrected if not declared else []),
        *(NOT_CORRECTED.format(list=listed(names, MOST_LINES), reason=why) for why, names in left.items()),
    ]
    found = any(row.verdict in SHOWN for row in main)
    say_answer = known_answer if people.all_known else answer
    answers = [
        say_answer(row, _ends(row, rows), _words(row, people) | {"right": people.right})
        for row in in_order(main, rows)[:MOST_LINES]
    ]
    if len(main) > MOST_LINES:
        k, shown = len(_shown(main)), {"n": len(main), "reference": _pair(main[0])["reference"]}
        answers.append(SHOWN_FOR.format(k=k, **shown) if k else SHOWN_FOR_NONE.format(**shown))
    if lead:
        answers[0] = WITHOUT_IT.format(answer=answers[0])
    if people.assigned:
        answers = _taken(in_order(main, rows), rows, people)
    if refuted:  # of people who were not drawn at random the check of the probabilities says nothing of the others
        wrong = check[-1].p_value <= 1 - level
        refutation = REFUTED_IF_DRAWN if declared else REFUTED
        refutation = UNCHECKED if unlike else refutation
        p = refuted[-1].p_value
        by_chance = P_BY_CHANCE.format(p=p_value(p), share=level_text(1 - level))
        values: dict[str, str] = {"p": P_ALONE.format(p=p_of_draws(p)) if p <= MUCH_LESS else by_chance}
        if not unlike:
            values["shares"] = _frequent(people, refuted[-1], base)
        said = refutation.format(n=about["n"], **values)
        if either_way:
            said = _contradictions(people, either_way, about["n"])
        answers = [*(answers[:1] if people.assigned and not either_way else []), said]
        if unlike and not either_way:
            perhaps = p > MUCH_LESS or any(says(text, ALL_THE_SAME) for text in unlike)
            from_others += [WRONG_IF_DRAWN.format(p=about["p"])] if wrong and perhaps else []
            sharper = any(says(text, SHARPER) for text in unlike)  # these would get a verdict without known groups
            from_others += [] if people.assigned else [BY_CHOICE if sharper else WITHOUT_KNOWN]
    lines = [*lead, *answers, *beside, *([] if found else [*unlike, *from_others])]
    if people.all_known:
        lines.append(EVERYBODY.format(n=count(people.of_known), call=Call("audit")))
        if check and check[-1].p_value <= 1 - level:
            lines.append(WRONG_FOR_ALL.format(p=about["p"], shares=_frequent(people, check[-1], base)))
    elif not refuted and not people.assigned:
        lines.append(_premise(people, about))
    lines += from_others if found else []
    lines += [AUDIT_THEM.format(call=Call("audit"))] if corrected and not unlike else []
    lines.append(levels_text(main, from_known, level, p_adjust))
    first = len(lead) + len(answers) + len(beside)
    certain = float((people.stated.shares[people.probable].max(axis=1) == 1).mean())
    if certain >= MUCH and not people.all_known and not people.assigned:
        lines.insert(first, CERTAIN.format(share=percent(certain)))
    if (people.of.shares.max(axis=1) == 1).all():
        pass  # the bound is one number, which all estimates are
    elif people.of.shares.shape[1] > 2:
        lines.append(BIASED)
    elif not refuted:
        lines += [BRACKET.format(right=people.right), _conditions(rows, people)]
    if people.of.shares.shape[1] > len(people.labels):
        unnamed = float(people.of.shares[:, -1].mean())
        lines.insert(first, UNNAMED.format(share=percent(unnamed)))
    decided = people.of.selected.size + people.nothing.size
    about_worst = {"n": count(people.nothing.size), "every": count(decided)}
    at_worst = [] if people.assigned else _at_worst(main, rows, about_worst)
    at_worst += [LEFT_OUT.format(**about_worst)] if people.assigned and people.nothing.size else []
    lines[first:first] = [*at_worst, *([NAME_KNOWN] if at_worst and not people.of_known else [])]
    lost = []
    if check and people.without:
        lost.append(NO_PROBABILITIES.format(known=count(people.of_known), n=count(people.without)))
    if people.undecided:
        lost.append(NO_DECISION.format(n=count(people.undecided), every=count(people.undecided + decided)))
    return [*lines, *people.notes, *lost]


def _taken(main: Sequence[Estimate], rows: Estimates, people: _People) -> list[Message]:
    """That everybody is put into a group, and the differences that follow; the first sentence has the way out."""
    which = ALL_OF_OTHERS.format(n=count(people.others)) if people.of_known else ALL_OF_THEM
    each = [
        CORRECTED_OF.format(group=data_text(row), gap=percent(_ends(row, rows).conf_low), limits=limits(row))
        if row.conf_low == row.conf_low
        else LABEL_N.format(group=data_text(row), n=percent(_ends(row, rows).conf_low))
        for row in main
    ]
    levels = levels_of(main)
    interval = INTERVAL.format(level=listed(levels)) if levels else WITHOUT_LIMITS
    taken = TAKEN.format(reference=_pair(main[0])["reference"], interval=interval, list=listed(each, MOST_GROUPS))
    return [ALL_CERTAIN.format(which=which, call=Call("audit")), taken]


def _premise(people: _People, about: Mapping[str, str]) -> str:
    """What a verdict rests on, and whether people of whom both group and probabilities are known contradict it."""
    if about:
        return FITS.format(others=count(people.others), **about)
    if not people.of_known:
        return IF_RIGHT
    known = people.of_known
    values = {"known": known, "others": people.others, "k": known - people.without, "fewest": FEWEST}
    return UNTESTED.format(**{name: count(n) for name, n in values.items()})


def _at_worst(main: Sequence[Estimate], rows: Estimates, about: Mapping[str, str]) -> list[str]:
    """What people of whom nothing is known could change of the gaps shown, or else of the first that is said."""
    said = in_order(_shown(main), rows) or in_order(main, rows)[:1]
    found = [(row, worst) for row in said for worst in rows.only(estimator=AT_WORST, group=row.group)]
    levels = levels_of([worst for _, worst in found])
    interval = INTERVAL.format(level=listed(levels)) if levels else WITHOUT_LIMITS
    if len(found) > 1:
        each = [AT_WORST_OF.format(**_pair(row), **_ends_at(worst)) for row, worst in found]
        lost = [data_text(row) for row, _ in found if overturned(row, rows)]
        values = {
            **about,
            "interval": interval,
            "reference": _pair(main[0])["reference"],
            "list": listed(each, MOST_GROUPS),
        }
        return [
            SOME_UNDONE.format(undone=listed(lost, MOST_GROUPS), **values) if lost else ALL_WITH_THEM.format(**values)
        ]
    of_one = [
        (
            NOTHING_KNOWN if row.verdict not in SHOWN else UNDONE if overturned(row, rows) else SHOWN_WITH_THEM,
            row,
            worst,
        )
        for row, worst in found
    ]
    return [code.format(**_ends_at(worst), **_pair(row), **about, interval=interval) for code, row, worst in of_one]


def _ends_at(worst: Estimate) -> dict[str, str]:
    return {"low": percent(worst.conf_low), "high": percent(worst.conf_high)}


def _shown(main: Sequence[Estimate]) -> list[Estimate]:
    return [row for row in main if row.verdict in SHOWN]


def _pair(row: Estimate) -> dict[str, DataText]:
    return {"group": data_text(row), "reference": DataText(row.reference, row.attribute)}


OF_REFUTED = (REFUTED, REFUTED_IF_DRAWN, UNCHECKED, CONTRADICTED, TOO_SHARP)
BEFORE = (
    *OF_DECLARED,
    *OF_OTHERS,
    *ANSWERS,
    SHOWN_FOR,
    SHOWN_FOR_NONE,
    EVERYBODY,
    ALL_CERTAIN,
    TAKEN,
    *OF_REFUTED,
    *OF_UNDONE,
)
AFTER = (
    *(
        LEFT_OUT,
        NOTHING_KNOWN,
        SHOWN_WITH_THEM,
        ALL_WITH_THEM,
        UNTESTED,
        WRONG_FOR_ALL,
        *NO_SAMPLE,
        WRONG_IF_DRAWN,
    ),
    *(WITHOUT_KNOWN, BY_CHOICE, CERTAIN, NO_DECISION, UNNAMED, NOT_CORRECTED, IN_NO_GROUP, ZEROS, NAME_KNOWN),
)
RIGHT_IF: dict[str, str] = {
    BOUND: "probabilities are right",
    WEIGHTED: "no gap at equal probabilities",
    LINEAR: "same rate throughout each group",
    CORRECTED: "known people drawn at random",
}
OF_MANY = {  # what one group lacks is weighed into every other
    WEIGHTED: "no gap between any of the groups at equal probabilities",
}
MOST_PRINTED = 30  # lines
MOST_TABLED, FEWEST_TABLED = 6, 3  # differences, of two lines each
MOST_ANSWERED = 2  # with a sentence, where there are more lines


def answered(result: GroupStudy) -> list[str]:
    """The sentences that say the answer, and what could overturn it."""
    codes = (*BEFORE, *([WERE_THEY_DRAWN] if result.settings.get("drawn_at_random") else []))
    return [text for text in result.statements if any(says(text, code) for code in codes)]


def in_short(result: GroupStudy) -> str:
    """The answer, every estimate with what it supposes, and what known people show of that, in `MOST_PRINTED` lines."""

    def texts_of(codes: Sequence[Message]) -> list[str]:
        return [text for text in result.statements if any(says(text, code) for code in codes)]

    answers, before, tested = texts_of(ANSWERS), answered(result), _of_premises(result)
    after = [text for code in AFTER for text in texts_of([code])]

    def printed(most: int, cautions: Sequence[str]) -> str:
        left = len(after) - len(cautions)
        last = f"Further cautions: {left}" if left else "This is the answer in short"
        rest = filter(None, [tested, *cautions, f"{last}; {snippet('summary() has all numbers')}."])
        first = [text for text in before if text not in answers[most:]]
        shown = _short_table(result, tabled)
        return as_text([Title(1, result._title), *map(Paragraph, first), shown, *map(Paragraph, rest)])

    def fits(most: int, cautions: Sequence[str]) -> bool:
        return len(printed(most, cautions).splitlines()) <= MOST_PRINTED

    tabled = MOST_TABLED
    # of several differences the table has all limits
    most = len(answers) if len(answers) <= MOST_ANSWERED else max(1, min(MOST_ANSWERED, len(result.shown())))
    while most > 1 and not fits(most, []):
        most -= 1
    while tabled > max(FEWEST_TABLED, len(result.shown())) and not fits(most, []):
        tabled -= 1
    if tabled >= len(result.compared()) and not fits(most, []):  # then the table alone has these limits
        before = [text for text in before if not any(says(text, code) for code in OF_OTHERS)]
    cautions = list[str]()
    for text in after:
        cautions += [text] if fits(most, [*cautions, text]) else []
    return printed(most, cautions)


def _of_premises(result: GroupStudy) -> str:
    """What people whose group is known show of the conditions of the estimates."""
    rows, alpha = result.estimates, 1 - result.conf_level
    check, drawn = rows.only(role="omnibus", term=CALIBRATION), rows.only(role="omnibus", term=AT_RANDOM)
    if check and check[0].p_value != check[0].p_value:
        return ""  # all probabilities are 0 or 1, and agree with the groups of everybody
    if not check:
        return "" if "known" in result.settings else "Without people whose group is known no condition is tested."
    who = f"{count(check[0].n)} people of known group"
    either_way = [] if all_known(result) else contradicted(rows, result.conf_level)
    if either_way:
        p = min(row.p_value for row in either_way)
        who += f": right probabilities refuted however they were drawn (p {p_value(p)})"
    if any(row.p_value <= alpha for row in drawn):
        text = f"{who}{';' if either_way else ':'} not like the others (p {p_value(drawn[0].p_value)})"
        return f"{text}." if either_way else f"{text}, so that they test nothing else."
    if either_way:
        return f"{who}."
    refuted = check[0].p_value <= alpha
    if refuted and result.settings.get("drawn_at_random"):
        drawn = Estimates(())  # the first sentence has that p
    open_still = not refuted or any(row.status == "ok" for row in drawn)
    shown = [f"right probabilities {'refuted' if refuted else 'not refuted'} (p {p_of_draws(check[0].p_value)})"]
    shown += [f"drawn at random not refuted (p {p_value(row.p_value)})" for row in drawn if row.status == "ok"]
    if not refuted:
        of_both = ((LACKING, "weighted lacks"), (TOO_MUCH, "linear has too much"))
        found = [
            f"{much} {percent(row.estimate)} ({limits(row)})"
            for name, much in of_both
            for row in rows.only(estimator=name)
        ]
        shown += [f"by probabilities alone {', '.join(found)}"] if found else []
    return f"{who}: {'; '.join(shown)}.{' Not refuted is not shown.' * open_still}"


def others(result: GroupStudy) -> int | None:
    """How many people there are whose group is not known; None where it is known of nobody."""
    found = result.estimates.only(term=KNOWN_SHARE)
    return int(found[0].n - found[0].events) if found else None


def all_known(result: GroupStudy) -> bool:
    """Whether no number of the bound rests on probabilities, since every group is known."""
    return others(result) == 0


def right(result: GroupStudy) -> Message:
    """The condition of the bound."""
    n = others(result)
    return RIGHT if n is None else RIGHT_FOR.format(n=count(n))


def assigned(row: Estimate) -> bool:
    """Whether a difference has no verdict because the probabilities put everybody into a group."""
    return not row.verdict and says(row.reason, ASSIGNED)


def refutes(row: Estimate, term: str) -> bool:
    """Whether a difference has no verdict because this premise is refuted."""
    return not row.verdict and says(row.reason, WITHHELD[term])


def _short_table(result: GroupStudy, most: int) -> Table:
    """Of one difference a line an estimator; of several a line a difference, and below it one of limits."""
    of = {row.group: (row, ends, beside) for row, ends, beside in bounded_rows(result)}
    ordered = [of[row.group] for row in in_order([row for row, *_ in of.values()], result.estimates)]
    main, base = [row for row, *_ in ordered], ordered[0][0].reference
    verdicts, each = any(row.verdict for row in main), level_text(result.conf_level)
    bounds, of_known = levels_of(main), levels_of(corrected_in_order(result.estimates))

    def limited(row: Estimate) -> str:
        return span(row.conf_low, row.conf_high, percent) if row.conf_low == row.conf_low else study_p(row)

    together = f", together {each}" * (bounds not in ([], [each]) and result.settings["p_adjust"] == "bonferroni")
    of_bounds = f"{listed(bounds)}{together}"
    right_if = RIGHT_IF | (OF_MANY if any(says(text, BIASED) for text in result.statements) else {})
    wrong, exact, n = refutes(main[0], CALIBRATION), all_known(result), others(result)
    if wrong:
        right_if[BOUND] = f"{right_if[BOUND]} (refuted)"
    elif n is not None:  # the line of one difference has no room for the number, which the answer has
        right_if[BOUND] = "probabilities right for the others"
        if len(ordered) > 1:
            right_if[BOUND] = f"probabilities are right for the other {count(n)} people"
    if refutes(main[0], AT_RANDOM):
        right_if[CORRECTED] = "drawn at random (doubtful)"
    elif result.settings.get("drawn_at_random"):
        right_if[CORRECTED] = "drawn at random, as declared"
    who = "people" if wrong or n is None else "the others"
    need = f"Weighted and linear need right probabilities, too{', which are refuted' * wrong}: of {who} with 30% for a"
    need += " group, 30% are in it."
    if refutes(main[0], AT_RANDOM):  # a shorter note leaves room for what differs
        need = "Weighted and linear need right probabilities, too."
    more = [f"More groups: {len(ordered) - most} ({snippet('tidy()')})."] if ordered[most:] else []
    if len(ordered) == 1 and not exact:
        note = [f"Differences of selection rates in points{f'; limits: {of_bounds}' if bounds else ''}."]
        note.append("A verdict comes from the bound alone." if verdicts else "Nothing has a verdict.")
        note.append(need)
        row, ends, beside = ordered[0]
        heads = [Heading(f"{row.group} − {base}", kind="text"), Heading("right if", kind="text")]
        lines: list[tuple[str, ...]] = [
            (BOUND, right_if[BOUND], span(ends.conf_low, ends.conf_high, percent), limited(row))
        ]
        for one in beside:
            found = (percent(one.estimate), limited(one)) if one.status == "ok" else (DASH, "")
            lines.append((one.estimator, right_if[one.estimator], *found))
        return Table("", (*heads, Heading("estimate"), Heading("limits")), tuple(lines), " ".join(note))
    if exact:
        heads = [Heading(f"from {base}", kind="text"), Heading("difference"), Heading("limits" if bounds else "p")]
        lines = [
            (row.group, percent(ends.conf_low), limited(row), strong(SIGNS.get(row.verdict, "")))
            for row, ends, _ in ordered[:most]
        ]
        note = [f"Differences of selection rates in points; {f'limits: {of_bounds}' if bounds else 'adjusted p'}."]
        note.append(f"D: disparity shown, ?: {UNSETTLED}.")
        return Table("", (*heads, Heading("", kind="word")), tuple(lines), " ".join([*note, *more]))
    names = [one.estimator for one in ordered[0][2]]
    heads = [Heading(f"from {base}", kind="text"), *map(Heading, (BOUND, *names))]
    lines = []
    for row, ends, beside in ordered[:most]:
        whole = span(ends.conf_low, ends.conf_high, percent)
        sizes = (f"{IF_DRAWN * shown_if_declared(result, one)}{percent(one.estimate)}" for one in beside)
        mark = OVERTURNED * overturned(row, result.estimates)
        lines.append((row.group, whole, *sizes, strong(f"{SIGNS.get(row.verdict, '')}{mark}")))
        first = limited(row) if row.conf_low == row.conf_low else f"p {limited(row)}" if row.verdict else DASH
        lines.append(("limits", first, *(limited(one) if one.status == "ok" else "" for one in beside), ""))
    levels = each
    if bounds and {*bounds, *of_known} != {each}:
        both = " and corrected" * (bounds == of_known)
        apart_from = f"; corrected {listed(of_known)}" * bool(of_known and bounds != of_known)
        levels = f"bound{both} {of_bounds}{apart_from}; others {each}"
    if not bounds:
        and_corrected = " and corrected" * any(one.p_adjusted == one.p_adjusted for *_, some in ordered for one in some)
        levels = f"{each}, bound{and_corrected} adjusted p" if verdicts else f"{each}, of the bound none"
    note = [f"Differences of selection rates in points; limits: {levels}."]
    note.append(f"Right if, {'; '.join(f'{name}: {right_if[name]}' for name in (BOUND, *names))}.")
    note.append(need)
    note.append(f"By the bound alone, D: disparity shown, ?: {UNSETTLED}." if verdicts else "Nothing has a verdict.")
    if any(overturned(row, result.estimates) for row, *_ in ordered[:most]):
        note.append(f"{OVERTURNED}: {IF_OVERTURNED}.")
    if any(shown_if_declared(result, one) for *_, beside in ordered[:most] for one in beside):
        note.append(f"{IF_DRAWN}: shown, if drawn at random.")
    return Table("", (*heads, Heading("", kind="word")), tuple(lines), " ".join([*note, *more]))


def apart(ends: Estimate) -> bool:
    """Whether the ends of a bound exclude a difference of 0, without sampling error."""
    return not ends.conf_low <= 0 <= ends.conf_high


def _ends(row: Estimate, rows: Estimates) -> Estimate:
    (ends,) = rows.only(role="bounds", contrast="difference", group=row.group)
    return ends


def in_order(main: Sequence[Estimate], rows: Estimates) -> list[Estimate]:
    """Differences that are shown, the clearest first; then bounds that exclude 0; the largest first."""

    def place(row: Estimate) -> tuple[bool, float, bool, float]:
        of = {one.estimator: one for one in rows.only(contrast="difference", group=row.group, status="ok")}
        sized = of[WEIGHTED]
        if refutes(row, CALIBRATION):  # then what is weighted by the probabilities has the wrong size
            sized = of.get(CORRECTED, sized)
        there = row.verdict in SHOWN
        return not there, row.p_adjusted if there else 0.0, not apart(_ends(row, rows)), -abs(sized.estimate)

    return sorted(main, key=place)


def corrected_in_order(rows: Estimates) -> list[Estimate]:
    """Corrected differences, the clearest first: those whose limits leave out 0 come before the others."""
    found = rows.only(contrast="difference", estimator=CORRECTED, status="ok")
    return sorted(found, key=lambda row: -abs(row.estimate / row.std_error))


def ends_text(low: float, high: float) -> str:
    """Two ends; one number where both are printed alike."""
    least, most = percent(low), percent(high)
    return least if least == most else LIMITS.format(low=least, high=most)


def _words(row: Estimate, people: _People) -> dict[str, str]:
    """What a sentence calls the groups of a difference, the decision and the limits."""
    return _pair(row) | {"decision": people.decision, "interval": INTERVAL.format(level=level_text(row.conf_level))}


def answer(row: Estimate, ends: Estimate, called: Mapping[str, str]) -> Message:
    """What the bound shows of one difference, with its limits, or where there are none with its adjusted p.

    called: what the sentence calls group, reference, decision, interval, and the condition that is "right".
    """
    words = dict(called)
    error, (low, high) = words.pop("interval"), (row.conf_low, row.conf_high)
    if low != low:
        error, (low, high) = WITHOUT_ERROR.format(p=limits(row)), (ends.conf_low, ends.conf_high)
    elif row.verdict not in SHOWN and apart(ends):
        error = BOTH_WAYS.format(interval=error, ends=ends_text(ends.conf_low, ends.conf_high))
    if row.verdict in SHOWN:
        size = ends_text(*sorted((abs(low), abs(high))))
        return DIFFERS.format(share=SMALLER if ends.conf_high < 0 else LARGER, size=size, error=error, **words)
    return OPEN.format(low=percent(low), high=percent(high), error=error, **words)


def known_answer(row: Estimate, ends: Estimate, called: Mapping[str, str]) -> Message:
    """What is shown of one difference where every group is known, so that both ends of its bound are one number."""
    words = {name: text for name, text in called.items() if name != "right"}
    return sized(row.changed(estimate=ends.conf_low), row.verdict in SHOWN, OF_KNOWN, words)


def sized(row: Estimate, shown: bool, codes: Sequence[Message], called: Mapping[str, str]) -> Message:
    """A difference with its limits, or else its adjusted p, by the code of one that is shown or of one that is open."""
    words = dict(called)
    interval, limited = words.pop("interval"), row.conf_low == row.conf_low
    gap, low, high = row.estimate, row.conf_low, row.conf_high
    if shown:  # without a sign, since the sentence has a direction
        words["share"] = SMALLER if gap < 0 else LARGER
        gap, (low, high) = abs(gap), sorted((abs(low), abs(high)))
    within = WITHIN.format(interval=interval, low=percent(low), high=percent(high)) if limited else limits(row)
    return codes[0 if shown else 1].format(gap=percent(gap), limits=within, **words)


def declared_answer(row: Estimate, level: float, called: Mapping[str, str]) -> Message:
    """What a corrected difference says if known people were drawn at random, at the level of the family.

    called: has their number "n" as well, and what the data show of that ("shown").
    """
    return sized(row, rejected(row.p_adjusted, level), OF_DECLARED, called)


def shown_if_declared(result: GroupStudy, row: Estimate) -> bool:
    """Whether an estimate shows a gap if known people were drawn at random, where that is declared."""
    corrected = row.estimator == CORRECTED and bool(result.settings.get("drawn_at_random"))
    return corrected and rejected(row.p_adjusted, result.conf_level)


def levels_of(rows: Sequence[Estimate]) -> list[str]:
    """The levels of the limits that rows have."""
    return [level_text(level) for level in sorted({row.conf_level for row in rows if row.conf_low == row.conf_low})]


def levels_text(main: Sequence[Estimate], corrected: Sequence[Estimate], level: float, p_adjust: str) -> str:
    """At which levels the limits of differences, of corrected ones and of other estimates are."""
    each, others, alone = levels_of(main), levels_of(corrected), level_text(level)
    if {*each, *others} <= {alone}:
        return EACH.format(level=alone)
    values = {"each": listed(each), "level": alone}
    if p_adjust == "bonferroni":
        return (BOTH_TOGETHER if others else TOGETHER).format(**values)
    return ALL_APART.format(corrected=listed(others), **values) if others else APART.format(**values)


def corrected_of(row: Estimate) -> Message:
    """A corrected difference with its limits, as one of several in a sentence."""
    return CORRECTED_OF.format(group=data_text(row), gap=percent(row.estimate), limits=limits(row))


def _from_known(
    rows: Sequence[Estimate],
    people: _People,
    about: dict[str, str],
    p: float,
    refuted: bool,
    declared: bool,
    level: float,
) -> list[str]:
    """Corrected differences, under the premise that known people were drawn at random, or although it is refuted.

    p: of the test of that premise, NaN where there is none.
    """
    each = [corrected_of(row) for row in rows]
    limited = levels_of(rows)
    values: dict[str, Any] = {"interval": INTERVAL.format(level=listed(limited)) if limited else ADJUSTED_P}
    shown = NOT_SHOWN if p != p else [code.format(p=p_value(p)) for code in NOT_REFUTED]
    if declared and not refuted:
        parted: tuple[list[Message], list[Message]] = ([], [])
        for row, text in zip(rows[1:], each[1:], strict=True):
            parted[not rejected(row.p_adjusted, level)].append(text)
        others = [
            code.format(list=listed(part, MOST_LINES), **values)
            for code, part in zip(OF_OTHERS, parted, strict=True)
            if part
        ]
        called = _words(rows[0], people) | about | {"shown": shown[0]}
        return [declared_answer(rows[0], level, called), *others]
    sentence = WERE_THEY_DRAWN if refuted else FROM_KNOWN
    values |= {"reference": _pair(rows[0])["reference"]} | ({"p": p_value(p)} if refuted else {"shown": shown[1]})
    return [sentence.format(list=listed(each, MOST_GROUPS), **about, **values)]
