"""Page one of fits: what was removed from what, what still leaks, what it costs, and who pays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from fairstats.auditing.local_law_144 import ImpactTable
from fairstats.auditing.sentences import column_name, group_cell, group_people, in_code, level_name, unit_of
from fairstats.comparing.result import Comparison
from fairstats.document import Heading, Paragraph, Table, Title
from fairstats.errors import Call, InputError, snippet
from fairstats.estimates import Estimate, Estimates, Result
from fairstats.inference.multiplicity import rejected
from fairstats.inference.representations.choosing_k import ERROR, LEAST, MANY, NUMBER, SHRINKING, ComponentSelection
from fairstats.inference.representations.extra_error import ExtraError
from fairstats.inference.representations.fit_studies import IN_SAMPLE, LOADING, LOSS_METRIC, METRIC, FitStudy
from fairstats.inference.representations.leakage import OF_SCORES, Leakage
from fairstats.inference.representations.proxies import MAY_BE_CODES, NEXT, TO_RUN, Proxies, answers, headlines, is_call
from fairstats.inference.representations.tradeoff import SAME_SIDES, Tradeoff
from fairstats.language import mark, say, say_number, says, translated
from fairstats.methods.crossfit import OutOfFoldScores
from fairstats.methods.registry import METHODS
from fairstats.methods.results import GroupPrice, losses_made_even
from fairstats.provenance import Curve
from fairstats.reporting import words
from fairstats.reporting.bundle import Bundle, Fit, name_of, removing
from fairstats.reporting.figures.fits import group_loss, path, price_gap, scree, unbroken
from fairstats.reporting.figures.rates import forest_plot
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.other import lowest_ratio
from fairstats.reporting.sections.shared import (
    attribute_name,
    blank,
    broken_guarantees,
    leakage_picture,
    source_line,
    unrounded,
    who_and_when,
)
from fairstats.reporting.tables import GENERAL, estimates_table, level_of, methods_note, number_or_dash, table, text
from fairstats.reporting.words import explained, method_and_name, method_did, method_title, method_words, plain_title
from fairstats.text import capital, level, listed, p_equals

# Page one of several methods at once: what each keeps, what still leaks of each, whom each costs most.


MOST = 8  # methods of a sentence
QUESTION = mark(
    "A model that never sees {groups} can still treat the groups differently, because other features go with it. "
    "Several methods changed the features to prevent that. Can the groups still be told apart, what is lost, and for "
    "whom?"
)
QUESTION_OF_ERRORS = mark(
    "Fewer numbers in place of many features describe some groups worse than others. What does each of these methods "
    "keep of the features, and which group of {groups} is described worst?"
)


def compared(fits: Sequence[Fit]) -> list[Fit]:
    """The fits that page one speaks of together; none where there is but one beside plain components."""
    items = [fit for fit in fits if fit.method != "pca"]
    return items if len(items) > 1 else []


def question(fits: Sequence[Fit], groups: str) -> str:
    """What is asked of all of them."""
    return say(QUESTION if all(map(removing, fits)) else QUESTION_OF_ERRORS, groups=groups)


def leakage_sentence(fits: Sequence[Fit], leaks: Sequence[Leakage]) -> str:
    """How well the better probe tells the groups after each method, "" where none was probed."""
    lines: list[str] = []
    sides = ("", "", "")
    for fit in fits:
        before = [row for result in leaks if result.method == fit.method for row in result.before]
        for best in _largest_leak(fit, leaks):
            them, sides = sides, (best.attribute, best.group, best.reference)
            lines.append(_leakage_line(best, method_title(name_of(fit)), before, them == sides))
    return " ".join(f"{line}." for line in lines[:MOST])


def _largest_leak(fit: Fit, leaks: Sequence[Leakage]) -> list[Estimate]:
    """The group that a model tells best after a method; none where none was tested."""
    rows = [r for result in leaks if result.method == fit.method for r in result.probed]
    return sorted(filter(words.shown, rows), key=lambda row: -row.estimate)[:1]


def same_features(fits: Sequence[Fit]) -> bool:
    """Whether all were fitted to the same features; otherwise no number of one stands beside one of another."""
    return len({tuple(getattr(fit, "features", ())) for fit in fits}) == 1


def kept_sentence(fits: Sequence[Fit], shares: Sequence[float]) -> str:
    """What each carries of the variation, "" where that is not known."""
    if not same_features(fits):
        each = [
            say(
                "{share}% of {n} features with {k} of {method}",
                share=words.percent(share),
                n=words.count(len(getattr(fit, "features", ()))),
                k=fit.k,
                method=method_title(name_of(fit)),
            )
            for fit, share in zip(fits, shares, strict=True)
            if share == share
        ]
        return say("Each keeps of the variation of its own features: {each}.", each=listed(each, MOST)) if each else ""
    features = len(getattr(fits[0], "features", ()))
    alike = len({fit.k for fit in fits}) == 1  # which is then said once
    each = [
        say("{share}% with {method}", share=words.percent(share), method=method_title(name_of(fit)))
        if alike
        else say(
            "{share}% with {k} of {method}", share=words.percent(share), method=method_title(name_of(fit)), k=fit.k
        )
        for fit, share in zip(fits, shares, strict=True)
        if share == share
    ]
    if not each:
        return ""
    if alike:
        return say(
            "Of how the rows differ, {k} new numbers keep {each}.",
            k=fits[0].k,
            n=words.count(features),
            each=listed(each, MOST),
        )
    return say("Of the variation of {n} features is kept: {each}.", n=words.count(features), each=listed(each, MOST))


def payers(most: Sequence[tuple[Fit, str, float]]) -> str:
    """The groups whose error each method raises beside as many principal components, the worst first."""
    of: dict[str, list[str]] = {}
    for fit, group, change in most:
        shown = say("{group} ({change}%)", group=group, change=words.signed(100 * change))
        of.setdefault(method_title(name_of(fit)), []).append(shown)
    each = [say("with {method} for {groups}", method=method, groups=listed(groups)) for method, groups in of.items()]
    if not each:
        return ""
    return say(
        "The error of the features, computed back, is larger than from as many principal components: {each}. Decisions "
        "about these people rest on less accurate data.",
        each="; ".join(each[:MOST]),
    )


# Who pays: the error of each group beside that of principal components, and the table of several fits.


COUNTED = 5e-4  # of a whole: more than rounding shows


def by_group(fit: Fit) -> tuple[GroupPrice, ...]:
    """The errors by group, of a fit that keeps them."""
    return tuple(getattr(getattr(fit, "price", None), "by_group", ()))


def change_of(price: GroupPrice) -> float:
    """By which share the error of a group exceeds that of principal components; NaN where these make none."""
    return price.error / price.pca_error - 1 if price.pca_error > 0 else math.nan


def losses(fits: Sequence[Fit]) -> list[Table]:
    """Who pays: the mean squared error of each group, of principal components and of every method."""
    priced = [fit for fit in fits if fit.method != "pca" and by_group(fit)]
    if not priced:
        return []
    groups = [(p.attribute, p.level) for p in by_group(priced[0])]
    errors = [{(p.attribute, p.level): p for p in by_group(fit)} for fit in priced]
    plain = say("without adjustment") if all(map(removing, priced)) else say("principal components")
    headings = [text(say("group")), Heading(say("rows")), Heading(plain)]
    headings += [h for fit in priced for h in (Heading(plain_title(name_of(fit))), Heading(say("change"), "%"))]
    lines = []
    for group in groups:
        current = errors[0][group]
        line = [
            group_cell(*group, f"{column_name(group[0])} = {level_name(*group)}"),
            words.count(current.n),
            words.compact(current.pca_error),
        ]
        for present in errors:
            price = present.get(group)
            line += (
                [words.DASH, words.DASH] if price is None else [words.compact(price.error), _percent(change_of(price))]
            )
        lines.append(line)
    others = " ".join(
        say(
            "{method} counts errors otherwise: those of principal components beside it are {values}, line by line.",
            method=plain_title(name_of(fit)),
            values=" · ".join(words.compact(present[group].pca_error) for group in groups),
        )
        for fit, present in zip(priced, errors, strict=True)
        if all(g in present for g in groups)
        and any(abs(present[g].pca_error - p.pca_error) > COUNTED * p.pca_error for g, p in errors[0].items())
    )
    note = say(
        "Error: how far the features that are computed back from the new numbers are from the true ones (mean "
        "squared error, in units of the features as they were fitted). Change: against as many principal components "
        "without the adjustment; above 0: described worse."
    )
    note = f"{note} {others}".strip()
    return [table(say("Error of the features computed back from the new numbers, by group"), headings, lines, note)]


def _percent(change: float) -> str:
    return words.DASH if change != change else f"{'+' if change > 0 else ''}{words.percent(change)}"


SHOWN, EQUAL = "disparity shown", "equivalence shown"
LINEAR, CURVED = "AUC of linear probe", "AUC of non-linear probe"
PROBES = {LINEAR: mark("a linear model"), CURVED: mark("a non-linear model")}
KINDS = {LINEAR: mark("linear"), CURVED: mark("non-linear")}
ZERO = 1e-8  # smaller values of a guarantee are rounding
FITTED = mark(
    "What is kept and lost is measured on the rows that the methods were fitted to, without intervals: of other rows "
    "they may keep less."
)
PRICED = mark(
    "What is kept and lost here is measured on the rows that the methods were fitted to; what {methods} costs new "
    "people, with intervals, stands further on."
)
PAIRS = mark(
    "Pairs: shown the new numbers of two rows that it was not trained on, one of each group, a model says which is "
    "which; the share in which it is right is called AUC, 50% is chance. A linear model sees straight lines only, a "
    "non-linear one curves, too."
)
BEFORE_IT = {  # by whether the method makes components
    True: mark("Before: the same from as many principal components of the features, which take no group out."),
    False: mark("Before: the same from the features themselves."),
}
COMPONENTS = mark("Principal components are the weighted sums of the features that keep most of how the rows differ.")
DECISIONS = mark("Whether decisions made from these numbers are equal: hiding the groups does not ensure it.")
AUDIT = mark("Audit the decisions that are made from the new numbers: `{call}`.")
UNPAIRED = mark("Whether before and after differ by more than chance was not tested.")
NOT_TESTED = mark("Whether a model can still tell the groups of {groups} apart: that was not tested.")
SAME_AVERAGES = mark("{method} gave the new numbers the same average in every group of {groups} on these rows")
OTHER_WAYS = mark("With the same averages the groups may still differ in other ways, which a model can use.")
OTHER_FEATURES = mark(
    "The methods were fitted to different features: what they keep and cost is no comparison of the methods."
)


def fits_page(bundle: Bundle) -> dict[str, Any]:
    """The context of page one of a report on fits.

    Raises
    ------
    InputError
        The report has no fit.
    """
    if not bundle.fits:
        raise InputError("preset", "needs a fit of a method; pass one.", value="method")
    leaks = leaks_of(bundle)
    lead = next((fit for fit in bundle.fits if fit.method != "pca"), bundle.fits[0])
    picture = leakage_picture(leaks, "page-one-leakage") if leaks else None
    removed, several = removing(lead), compared(bundle.fits)
    result = blank() | {
        "who": _who(bundle, lead),
        "question": "" if lead.method == "pca" else _question(lead, leaks) if removed else _question_of_errors(lead),
        "sentence": " ".join([*broken_guarantees(bundle), _answer(lead, leaks)]),
        "context": [
            *map(_of_other_rows, leaks),
            *map(_too_few, leaks),
            _what_was_done(lead),
            *([_pairs(leaks)] if leaks else []),
        ],
        "points": [point for point in (_who_pays(lead), _guaranteed(lead), _meaning([lead], leaks)) if point],
        "tables": [
            result
            for result in (
                leakage_table(leaks),
                _side_by_side(bundle.fits)
                if len(bundle.fits) > 1 and not (several and _brief(several, leaks))
                else None,
                *_losses(bundle.fits),
            )
            if result
        ],
        "figures": [picture] if picture else [],
        "unshown": [
            *([] if leaks or not removed else [say(NOT_TESTED, groups=_removed(lead))]),
            say(DECISIONS)
            if removed or leaks
            else say("Components that describe the groups equally well do not make decisions made from them equal."),
            *_unshown_of_leaks(leaks),
            _measured_on(bundle),
            *([] if same_features(bundle.fits) else [say(OTHER_FEATURES)]),
        ],
        "rely": _before_use(several or [lead], leaks) if lead.method != "pca" else [],
        "source": source_line(bundle),
    }
    return result | _together(bundle, several, leaks) if several else result


def _measured_on(bundle: Bundle) -> str:
    """That the numbers of the page are of the rows of the fits, and where those of new people are, if given."""
    studies = (one for one in bundle.others if isinstance(one, FitStudy) and one.estimates[0].metric == METRIC)
    priced = [method_title(name) for name in dict.fromkeys(one.method for one in studies)]
    return say(PRICED, methods=listed(priced)) if priced else say(FITTED)


def _what_was_done(fit: Fit) -> str:
    """Which features became what, in words."""
    names, makes = getattr(fit, "features", ()), method_words(fit.method)
    if not (names and makes):
        return ""
    values = {
        "n": words.count(len(names)),
        "features": listed([in_code(name) for name in names], MOST),
        "method": method_title(name_of(fit)),
        "k": fit.k,
        "makes": makes,
    }
    if not words.reduces(fit.method):
        return say("What was done: the {n} features {features} were changed by {method}: {makes}.", **values)
    many = mark("What was done: {k} new numbers replace the {n} features {features}. Method: {method}, {makes}.")
    done = (
        many
        if fit.k != 1
        else mark("What was done: one number replaces the {n} features {features}. Method: {method}, {makes}.")
    )
    return " ".join([say(done, **values), say(COMPONENTS), *([say(OTHER_WAYS)] if _averages(fit) else [])])


def _averages(fit: Fit) -> bool:
    """Whether being uncorrelated with the groups means the same averages: of labels, which a fit has errors of."""
    row = METHODS.get(fit.method)
    return row is not None and row.did == METHODS["og"].did and bool(by_group(fit))


def _unshown_of_leaks(leaks: Sequence[Leakage]) -> list[str]:
    if not leaks:
        return []
    lines = [say("Whether another kind of model can tell the groups apart better than those tried here.")]
    if any(result.before for result in leaks):
        lines.append(say(UNPAIRED))
    shown = any(row.verdict == SHOWN for result in leaks for row in result.probed)
    lines += [_not_beyond(result) for result in leaks if result.recognized]
    if not shown and any(result.margin is None for result in leaks):
        lines.append(
            say("That no model can tell the groups apart: no margin was declared up to which that would not matter.")
        )
    return lines


def _before_use(fits: Sequence[Fit], leaks: Sequence[Leakage]) -> list[str]:
    """What to do before what fits made is used: test what can be told, weigh the worst price, audit the decisions."""
    removing_ones = [fit for fit in fits if removing(fit)]
    tested = {result.method for result in leaks}
    untested = [method_title(name_of(fit)) for fit in removing_ones if fit.method not in tested]
    groups = dict.fromkeys(a for fit in fits for a in attributes(fit))
    lines = []
    if untested and groups:
        lines.append(
            say(
                "Test on rows that {methods} did not see whether a model can still tell {groups}: `{call}`.",
                call=Call("leakage"),
                methods=listed(untested),
                groups=listed(list(map(in_code, groups))),
            )
        )
    lines += _not_free(leaks)
    if _weighed(fits, leaks):
        lines.append(
            say("Decide what matters more: that groups are hard to tell apart, or that more of the features is kept.")
        )
    changes = [change_of(p) for fit in fits for p in by_group(fit)]
    if max((c for c in changes if c == c), default=0.0) > COUNTED:
        lines.append(say("Decide whether the use allows that one group is described worse than before."))
    lines.append(say(AUDIT, call=Call("audit")))
    return lines


def _meaning(fits: Sequence[Fit], leaks: Sequence[Leakage]) -> tuple[str, str] | None:
    """What a model that uses the new numbers can do with them; None of methods that take no group out."""
    if not all(map(removing, fits)) or (fits and all(fit.method == "pca" for fit in fits)):
        return None
    rows = [row for result in leaks for row in result.probed if words.shown(row)]
    names = [row.attribute for row in rows] or [name for fit in fits for name in attributes(fit)]
    groups = listed([in_code(name) for name in dict.fromkeys(names)]) if names else say("the groups")
    if any(row.verdict == SHOWN for row in rows):
        text = mark(
            "A model that uses the new numbers can still treat the groups of {groups} differently: they are not hidden "
            "from it."
        )
    elif rows:
        text = mark(
            "No model tried here is shown to tell the groups of {groups} apart. Other models may, and decisions may "
            "still differ."
        )
    else:
        text = mark(
            "The new numbers serve where equal averages are enough. They cannot be called free of {groups} until it is "
            "tested what a model can still tell."
        )
    return say("What this means for use."), say(text, groups=groups)


def _not_free(leaks: Sequence[Leakage]) -> list[str]:
    """Not to call free of the groups what gives them away."""
    shown = [r.method for r in leaks if any(row.verdict == SHOWN for row in r.probed)]
    if not shown:
        return []
    of_scores = [say("Test what the scores themselves tell, by more models: `{call}`.", call=snippet(OF_SCORES))]
    return [
        *(of_scores if any(result.recognized for result in leaks) else []),
        say(
            "Do not call the new numbers of {methods} free of {groups}: a model can still tell the groups apart.",
            methods=listed([method_title(name) for name in dict.fromkeys(shown)]),
            groups=groups_of(leaks),
        ),
    ]


def _not_beyond(leakage: Leakage) -> str:
    """That what a model recognizes is not shown to be more than what refits to shuffled data leave it."""
    best = max(leakage.recognized, key=lambda row: row.estimate)
    return say(
        "That {method} leaves more to tell than it does where the data are shuffled at random between the groups: "
        "there {probe} was right in {mean}% of pairs on average, and here in {share}% (p = {p}).",
        method=method_title(leakage.method),
        probe=say(PROBES[best.metric]),
        mean=words.percent(_same(best, leakage.refitted)[0].estimate),
        share=words.percent(best.estimate),
        p=words.p_value(_same(best, leakage.estimates)[0].p_adjusted),
    )


MOST_LEAKS = 12


def leakage_table(leaks: Sequence[Leakage]) -> Table | None:
    """In how many of 100 pairs each model tells which group from which, before and after, and what that shows."""
    rows = [(result, row) for result in leaks for row in result.probed]
    if len(rows) > MOST_LEAKS:  # of each model the group that it tells best
        best: dict[tuple[str, str, str], tuple[Leakage, Estimate]] = {}
        for result, row in rows:
            at = (result.method, row.attribute, row.metric)
            if words.shown(row) and (at not in best or row.estimate > best[at][1].estimate):
                best[at] = (result, row)
        left, rows = len(rows) - len(best), list(best.values())
    else:
        left = 0
    if not rows:
        return None
    before = [r for result in leaks for r in result.before]
    methods = len({result.method for result in leaks}) > 1
    headings = [text(say("method"))] if methods else []
    headings += [text(say("model")), text(say("groups"))]
    headings += [Heading(say("before"), "%"), Heading(level_of(before), "%")] if before else []
    headings += [Heading(say("after"), "%"), Heading(level_of([row for _, row in rows]), "%")]
    headings += [Heading(say("adjusted p")), text(say("above chance"))]
    several = len({(row.attribute, row.group) for _, row in rows}) > 1  # each of them is told from all others
    lines = []
    for result, row in rows:
        earlier = next(iter(_same(row, result.before)), None)
        line = [plain_title(result.method)] if methods else []
        line += [say(KINDS[row.metric]), level_name(row.attribute, row.group) if several else _sides(row)]
        line += _share_and_limits(earlier) if before else []
        tested = _same(row, result.estimates)[0] if words.shown(row) else row
        lines.append([*line, *_share_and_limits(row), words.p_value(tested.p_adjusted), _conclusion(tested, row)])
    low, high = (words.count(end(row.n for _, row in rows)) for end in (min, max))
    of_one = mark(
        "Percent: of 100 pairs those in which the model is right. Tested on {n} rows, about half; trained on the other "
        "half."
    )
    of_folds = mark(
        "Percent: of 100 pairs those in which the model is right. Tested on {n} rows, about half of each fold; trained "
        "on the other half."
    )
    note = say(
        of_one if all(result.folds == 1 for result in leaks) else of_folds,
        n=low if low == high else say("{low} to {high}", low=low, high=high),
    )
    note = " ".join([note, *dict.fromkeys(map(_leak_rule, leaks))])
    note += " " + say("p is adjusted for the tests of a method.")
    if any(result.recognized for result in leaks):
        note += " " + say(
            "In these scores: right in more than 50 of 100 pairs by an interval of these scores alone; p is of whether "
            "that is more than with shuffled data, which is not shown."
        )
    if several:
        note += " " + say("Each group is told apart from everybody else.")
    if left:
        note += " " + say("Of each model the group that it tells apart best; {n} more rows are in results.csv.", n=left)
    return table(
        say("How well a model tells the groups apart, before the adjustment and after it"),
        headings,
        lines,
        note,
        2 * MOST_LEAKS,
    )


def other_measures(leakage: Leakage) -> tuple[str, str, Table | None]:
    """What else was measured of scores and groups: how many measures show it, how models were tested, a line each."""
    models = [
        say("{model}: {method}.", model=capital(say(kind)), method=translated(row.method))
        for metric, kind in PROBES.items()
        for row in leakage.estimates.only(metric=metric)[:1]
        if row.method
    ]
    rows = [row for row in leakage.estimates if row.metric not in PROBES and words.shown(row)]
    tested = [row for row in rows if row.p_adjusted == row.p_adjusted]
    values = {"method": capital(plain_title(leakage.method)), "n": len(tested)}
    found = sum(rejected(row.p_adjusted, leakage.conf_level) for row in tested)
    if not found and any(row.verdict == SHOWN for row in leakage.estimates if row.metric in PROBES):
        heading = say_number(
            "{method}: {n} other measure, of {rows} rows, did not detect what a model of page one did",
            "{method}: {n} other measures, of {rows} rows, did not detect what a model of page one did",
            len(tested),
            rows=words.count(max((row.n for row in tested), default=0)),
            **values,
        )
    else:
        heading = say_number(
            "{method}: {k} of {n} other measure shows that scores and groups depend on each other",
            "{method}: {k} of {n} other measures show that scores and groups depend on each other",
            len(tested),
            k=found,
            **values,
        )
    headings = [text(say("measure")), Heading(say("rows")), Heading(say("estimate")), Heading(say("adjusted p"))]
    lines = [
        [
            f"{words.heading(row.metric)}: {_sides(row)}" if row.group else words.heading(row.metric),
            words.count(row.n),
            words.number(row.estimate, 3),
            words.p_value(row.p_adjusted),
        ]
        for row in rows
    ]
    note = say(
        "MMD²: how far the distributions of the scores of two groups are apart. Distance correlation: how far scores "
        "and groups depend on each other. Both are 0 where there is nothing to find, and may come out below it."
    )
    caption = say(
        "Other measures of what the scores of {method} tell of the groups", method=plain_title(leakage.method)
    )
    built = table(caption, headings, lines, f"{note} {methods_note(rows)}", 30) if lines else None
    return (
        heading,
        say("How the models of page one were tested. {methods}", methods=" ".join(models)) if models else "",
        built,
    )


def _sides(row: Estimate) -> str:
    everybody = row.reference in ("", "all others")
    others = say("everybody else") if everybody else level_name(row.attribute, row.reference)
    return say("{group} from {others}", group=level_name(row.attribute, row.group), others=others)


def _both_groups(row: Estimate) -> dict[str, str]:
    """Who is told from whom."""
    everybody = row.reference in ("", "all others")
    others = say("everybody else") if everybody else group_people(row.attribute, row.reference)
    return {"group": group_people(row.attribute, row.group), "others": others}


def _share_and_limits(row: Estimate | None) -> list[str]:
    if row is None or not words.shown(row):
        return [words.DASH, words.DASH]
    return [words.percent(row.estimate), words.span(row.conf_low, row.conf_high, words.percent)]


def _conclusion(row: Estimate, printed: Estimate) -> str:
    """Whether the group is still told, which was tested; a change from before was not.

    printed: the same, or given these scores where the group is recognized in them.
    """
    if not words.shown(row):
        return words.DASH
    if row.verdict == EQUAL:
        return say("hardly")
    if row.verdict == SHOWN:
        return say("shown")
    return say("in these scores") if printed.verdict == SHOWN else say("not shown")


def _losses(fits: Sequence[Fit]) -> list[Table]:
    """Who pays, of fits to different features apart."""
    return losses(fits) if same_features(fits) else [result for fit in fits for result in losses([fit])]


def leakage_page(bundle: Bundle) -> dict[str, Any]:
    """The context of page one of a report on leakage alone: who can still be told from the scores."""
    leaks = leaks_of(bundle)
    lines = [wording for result in leaks if (wording := _leak_sentence(result, _leaks_alone(leaks)))]
    picture, built = leakage_picture(leaks, "page-one-leakage"), leakage_table(leaks)
    of_one = mark("{n} rows, each described by {k} new numbers of one fit that was not made of these rows")
    of_folds = mark("{n} rows, each described by {k} new numbers of a fit that had not seen it ({folds} folds)")
    counted = say(
        of_one if leaks[0].folds == 1 else of_folds,
        n=words.count(leaks[0].n),
        k=words.count(leaks[0].k),
        folds=words.count(leaks[0].folds),
    )
    return blank() | {
        "who": f"{counted} · {who_and_when(bundle)}" if len(leaks) == 1 else who_and_when(bundle),
        "question": say(
            "A model that never sees {groups} can still treat the groups differently, if what it does see gives them "
            "away. The features were changed to prevent that. Can a model tell the groups apart from the result, on "
            "rows that it was not trained on?",
            groups=groups_of(leaks),
        ),
        "sentence": " ".join([_apart(leaks), *lines]) if lines else say("No fold is large enough to test a model on."),
        "context": [
            *dict.fromkeys(map(_of_other_rows, leaks)),
            *dict.fromkeys(map(_too_few, leaks)),
            _pairs(leaks),
            *dict.fromkeys(map(_scored, leaks)),
        ],
        "points": [point] if lines and (point := _meaning([], leaks)) else [],
        "tables": [built] if built else [],
        "figures": [picture] if picture else [],
        "unshown": [
            say(DECISIONS),
            *_unshown_of_leaks(leaks),
        ],
        "rely": [
            *_not_free(leaks),
            say(AUDIT, call=Call("audit")),
        ],
        "source": source_line(bundle),
    }


def _apart(leaks: Sequence[Leakage]) -> str:
    """Whether the groups can still be told apart, in one plain sentence."""
    rows = [(result.method, row) for result in leaks for row in result.estimates if row.metric in PROBES]
    recognized = [(result.method, row) for result in leaks for row in result.recognized]
    shown = [(method, row) for method, row in rows if row.verdict == SHOWN]
    still = [method_and_name(method) for method in dict.fromkeys(method for method, _ in shown)]
    groups = [in_code(name) for name in dict.fromkeys(row.attribute for _, row in shown or recognized or rows)]
    values = {"groups": listed(groups), "methods": listed(still)}
    if recognized and not still:
        return say(
            "From these scores a model can tell the groups of {groups} apart better than by chance. That {methods} "
            "leaves more to tell than it does where data are shuffled at random is not shown.",
            groups=listed(groups),
            methods=listed([method_and_name(method) for method in dict.fromkeys(method for method, _ in recognized)]),
        )
    if still and all(result.method not in METHODS or METHODS[result.method].removes for result in leaks):
        return say_number(
            "After the adjustment by {methods} a model can still tell the groups of {groups} apart better than by "
            "chance.",
            "After each of these adjustments a model can still tell the groups of {groups} apart better than by "
            "chance: {methods}.",
            len(still),
            **values,
        )
    if still:
        return say("After {methods} the groups of {groups} can still be told apart better than by chance.", **values)
    if all(row.verdict == EQUAL for _, row in rows):
        return say("The groups of {groups} can hardly be told apart any more.", **values)
    return say("It is not shown that the groups of {groups} can still be told apart.", **values)


def _leaks_alone(leaks: Sequence[Leakage]) -> bool:
    """Whether one method was tested and leaks, which the first sentence then says by its name."""
    return len(leaks) == 1 and any(row.verdict == SHOWN for row in _best(leaks[0])[:1])


def _scored(leakage: Leakage) -> str:
    """What the scores are, in words."""
    makes, method = method_words(leakage.method), method_title(leakage.method)
    if not makes:
        return ""
    done = say(
        "What was done: new numbers (scores) replace the features of each row. Method: {method}, {makes}. They are of "
        "a fit that had not seen the row.",
        method=method,
        makes=makes,
    )
    return f"{done} {say(COMPONENTS)}" if words.reduces(leakage.method) else done


def _pairs(leaks: Sequence[Leakage]) -> str:
    """What a pair is, and what the share before is of, where it is known and the same for all."""
    makes = {words.reduces(result.method) for result in leaks if result.before}
    return say(PAIRS) if len(makes) != 1 or None in makes else f"{say(PAIRS)} {say(BEFORE_IT[makes == {True}])}"


def leaks_of(bundle: Bundle) -> list[Leakage]:
    """The analyses of leakage that a report was given."""
    return [other for other in bundle.others if isinstance(other, Leakage)]


def groups_of(leaks: Sequence[Leakage]) -> str:
    """The attributes that are told."""
    return listed([in_code(name) for name in dict.fromkeys(row.attribute for r in leaks for row in r.estimates)])


def _of_other_rows(leakage: Leakage) -> str:
    """That one fit was tested on other rows than its own, "" where the method was fitted in folds of them."""
    if leakage.folds != 1:
        return ""
    return say(
        "Tested was one fit of {method} on {n} rows that it was not made of; nothing was fitted to these.",
        method=method_title(leakage.method),
        n=words.count(leakage.n),
    )


def _too_few(leakage: Leakage) -> str:
    """That so few refits can show no leak, "" where they can."""
    if not leakage.too_few:
        return ""
    return say(
        "With {n} refits no leak beyond theirs can be shown, however large: no p-value can be below {p}. Take "
        "{least} or more.",
        n=words.count(leakage.permutations),
        p=words.p_value(1 / (1 + leakage.permutations)),
        least=words.count(leakage.fewest),
    )


def _leak_rule(leakage: Leakage) -> str:
    """What counts as a leak."""
    if not leakage.refits:
        return say("The fit is taken as given: what it leaks of its own estimation noise counts as a leak.")
    return say(
        "Above chance: right in more than 50 of 100 pairs, and in more than where all was repeated with data shuffled "
        "at random between the groups, {n} times; so p is {least} at the least.",
        n=words.count(leakage.permutations),
        least=words.significant(1 / (1 + leakage.permutations), 2),
    )


def _who(bundle: Bundle, fit: Fit) -> str:
    """How many rows of how many features, by whom and when; of fits to different features neither."""
    if not same_features(bundle.fits):
        return who_and_when(bundle)
    groups, features = by_group(fit), len(getattr(fit, "features", ()))
    rows = sum(price.n for price in groups if price.attribute == groups[0].attribute)
    counted = say(
        "{n} {people}, {features} features",
        n=words.count(rows),
        people=unit_of(say("rows of data")),
        features=words.count(features),
    )
    return f"{counted} · {who_and_when(bundle)}" if rows and features else who_and_when(bundle)


def _together(bundle: Bundle, fits: list[Fit], leaks: Sequence[Leakage]) -> dict[str, Any]:
    """Question, sentence and context of several methods: each is named in all of them."""
    named = [in_code(name) for name in dict.fromkeys(a for fit in fits for a in attributes(fit))]
    groups = listed(named) if named else say("the groups")
    reported = leakage_sentence(fits, leaks)
    kept = kept_sentence(fits, [_shares(fit)[0] for fit in fits])
    most = []
    for fit in fits:
        items = [p for p in by_group(fit) if change_of(p) == change_of(p)]
        worse = sorted((p for p in items if change_of(p) > COUNTED), key=change_of, reverse=True)
        most += [(fit, group_people(p.attribute, p.level), change_of(p)) for p in worse if len(items) > 1]
    weighed = _weighed(fits, leaks)
    more = weighed if len(fits) > 2 else ""  # of two the shares say it
    of_each = _leak_of_each(fits, leaks)
    stated = of_each or (_apart(leaks) if reported else kept)
    return {
        "question": question(fits, groups),
        "sentence": " ".join(filter(None, (*broken_guarantees(bundle), stated))),
        "context": [
            wording
            for wording in (
                *dict.fromkeys(map(_of_other_rows, leaks)),
                *dict.fromkeys(map(_too_few, leaks)),
                explained(name_of(fit) for fit in fits) if _brief(fits, leaks) else "",
                _pairs(leaks) if leaks else "",
                say(COMPONENTS) if any(words.reduces(fit.method) for fit in fits) else "",
            )
            if wording
        ],
        "points": [
            (about, found)
            for about, found in (
                (say("Whether the groups can still be told apart."), "" if of_each else reported),
                (say("What is kept."), " ".join(filter(None, (kept, more))) if reported else ""),
                (say("Who is described less accurately."), payers(most)),
                _meaning(fits, leaks) or ("", ""),
            )
            if found
        ],
    }


def _leak_of_each(fits: Sequence[Fit], leaks: Sequence[Leakage]) -> str:
    """After each method in how many pairs a model tells the same group; "" where that is not shown of all."""
    best = [(fit, row) for fit in fits for row in _largest_leak(fit, leaks)]
    sides = {(row.attribute, row.group, row.reference) for _, row in best}
    if len(best) < len(fits) or len(sides) != 1 or not all(row.verdict == SHOWN and removing(fit) for fit, row in best):
        return ""
    each = [
        say(
            "{share}% after {method} ({limits})",
            share=words.percent(row.estimate),
            method=method_and_name(name_of(fit)),
            limits=_limits(row),
        )
        for fit, row in best
    ]
    earlier = {
        words.percent(same.estimate)
        for fit, row in best
        for result in leaks
        if result.method == fit.method
        for same in _same(row, result.before)[:1]
    }
    if len(earlier) == 1 and all(result.before for result in leaks):
        return say(
            "After each adjustment a model can still tell {group} from {others}. Before, it was right in {before}% of "
            "pairs; now it is in {each}. 50% is chance. Whether that rose or fell was not tested.",
            each=listed(each, MOST),
            before=min(earlier),
            **_both_groups(best[0][1]),
        )
    return say(
        "After each adjustment a model can still tell {group} from {others} better than by chance, which is 50% of "
        "pairs: {each}.",
        each=listed(each, MOST),
        **_both_groups(best[0][1]),
    )


def _brief(fits: Sequence[Fit], leaks: Sequence[Leakage]) -> bool:
    """Whether the sentences say what the table of methods would: of two methods that were both tested."""
    return len(fits) == 2 and bool(_weighed(fits, leaks))


def _weighed(fits: Sequence[Fit], leaks: Sequence[Leakage]) -> str:
    """Which method leaves least to tell and which keeps most; "" where that is not known of all."""
    leaks_left = {fit.method: rows[0].estimate for fit in fits if (rows := _largest_leak(fit, leaks))}
    kept = {fit.method: _shares(fit)[0] for fit in fits}
    if (
        len(leaks_left) < len(fits)
        or len(leaks_left) < 2
        or any(map(math.isnan, kept.values()))
        or not same_features(fits)
    ):
        return ""
    least, most = min(leaks_left, key=leaks_left.__getitem__), max(kept, key=kept.__getitem__)
    values = {"least": method_title(least), "most": method_title(most)}
    if least == most:
        return say("In these data {least} hides the groups best and keeps most (not tested).", **values)
    return say("In these data {least} hides the groups best, {most} keeps most (not tested).", **values)


def attributes(fit: Fit) -> list[str]:
    """What was removed."""
    return list(dict.fromkeys(row.attribute for row in fit.estimates if row.attribute))


def _question(fit: Fit, leaks: Sequence[Leakage]) -> str:
    tested = mark(
        "A model that never sees {groups} can still treat the groups differently, because other features go with it. "
        "The features were changed to prevent that. Can the groups still be told apart, what is lost, and for whom?"
    )
    untested = mark(
        "A model that never sees {groups} can still treat the groups differently, because other features go with it. "
        "The features were changed to prevent that. What did the change do, what is lost, and for whom?"
    )
    return say(tested if leaks else untested, groups=_removed(fit))


def _question_of_errors(fit: Fit) -> str:
    return say(
        "Fewer numbers in place of many features describe some groups worse than others. Are all groups of {groups} "
        "described about equally well here, and what does that cost?",
        groups=_removed(fit),
    )


def _shared_out(fit: Fit) -> str:
    """Of a method that takes nothing out: how well each group is described, beside plain components."""
    values = {
        "method": method_and_name(name_of(fit)),
        "groups": _removed(fit),
        "n": len(getattr(fit, "features", ())),
        "k": fit.k,
    }
    errors = by_group(fit)
    if not errors:
        return say(
            "What k = {k} components lose of {n} features is shared out among the groups of {groups} ({method}).",
            **values,
        )
    ends: dict[str, str] = {}
    for name, loss in (("fit", lambda p: p.error), ("plain", lambda p: p.pca_error)):
        least, most = min(errors, key=loss), max(errors, key=loss)
        ends |= {
            f"{name}_low": words.compact(loss(least)),
            f"{name}_low_group": level_name(least.attribute, least.level),
        }
        ends |= {
            f"{name}_high": words.compact(loss(most)),
            f"{name}_high_group": level_name(most.attribute, most.level),
        }
    return say(
        "With k = {k} components of {n} features, {method} describes the groups of {groups} with errors from {fit_low} "
        "({fit_low_group}) to {fit_high} ({fit_high_group}); principal components, with errors from {plain_low} "
        "({plain_low_group}) to {plain_high} ({plain_high_group}). It takes no group out of them.",
        **values,
        **ends,
    )


def _removed(fit: Fit) -> str:
    return listed([in_code(name) for name in attributes(fit)]) if attributes(fit) else say("the groups")


def _answer(fit: Fit, leaks: Sequence[Leakage]) -> str:
    """What still leaks, before anything that holds; then what the method has done to the features, at which price."""
    current = [result for result in leaks if result.method == fit.method] or list(leaks)
    reported = _leak_sentence(current[0], _leaks_alone(current)) if current else ""
    if fit.method == "pca":
        values = {"n": len(getattr(fit, "features", ())), "k": fit.k}
        stated = (
            "" if current else say("{k} principal components of {n} features; nothing was removed from them.", **values)
        )
    else:
        stated = _done(fit, tested=bool(reported)) if removing(fit) else _shared_out(fit)
    apart = _apart(current) if reported else ""
    return " ".join(filter(None, (apart, reported, stated)))


def _done(fit: Fit, tested: bool) -> str:
    """What its method did to the features, where its guarantees hold, and at which price; never that a group is gone.

    tested: whether what a model can still tell is said before.
    """
    current, plain = _shares(fit)
    groups, name = _removed(fit), method_and_name(name_of(fit))
    if not all(guarantee.holds for guarantee in fit.guarantees):
        done = say("{method} was meant to adjust the features for {groups}", method=name, groups=groups)
    else:
        called = say("It") if tested else say("The adjustment by {method}", method=name)
        given = say(SAME_AVERAGES, method=called, groups=groups)
        done = given if _averages(fit) else method_did(name_of(fit), groups, called)
    lines = [say("{statement}.", statement=done)]
    if not tested:
        lines.append(say("Whether a model can still tell the groups apart was not tested."))
    if current == current:
        kept = {"kept": words.percent(current), "plain": words.percent(plain)}
        lines.append(
            say(
                "The price: the new numbers keep {kept}% of how the rows differ; as many numbers without the "
                "adjustment keep {plain}%.",
                **kept,
            )
        )
    return " ".join(lines)


SAME_PROBE = ("metric", "attribute", "group", "reference")
CERTAIN = 0.9  # an AUC from which the groups are told almost perfectly


def _leakage_line(row: Estimate, method: str, before: Sequence[Estimate] = (), them: bool = False) -> str:
    """Whom a model can tell from whom after a method, in how many pairs, and before; or that this is not shown.

    them: whether who is told from whom was said.
    """
    same = _same(row, before)
    values = {
        "method": method,
        "probe": say(PROBES[row.metric]),
        "share": words.percent(row.estimate),
        "before": words.percent(same[0].estimate) if same else "",
        "limits": _limits(row) if same else say("{interval}; 50% is chance", interval=_limits(row)),
        "whom": say("them apart") if them else say("{group} from {others}", **_both_groups(row)),
    }
    change = _printed(same[0]) - _printed(row) if same else 0.0
    if row.verdict == SHOWN and not method:
        text = mark("{model} can tell {whom} in {share}% of pairs ({limits})")
        if same:
            text = mark(
                "{model} can tell {whom} in {share}% of pairs ({limits}; 50% is chance), {before}% before the "
                "adjustment"
            )
        values["model"] = capital(values["probe"])
    elif row.verdict == SHOWN and row.estimate >= CERTAIN:
        text = mark("After {method} {probe} can still tell {whom} almost perfectly: in {share}% of pairs ({limits})")
    elif row.verdict == SHOWN and same and change < 0:
        text = mark(
            "After {method} {probe} still tells {whom} in {share}% of pairs ({limits}), more than the "
            "{before}% before (change not tested)"
        )
    elif row.verdict == SHOWN and same and change > 0:
        text = mark(
            "After {method} {probe} still tells {whom} in {share}% of pairs ({limits}), less than the "
            "{before}% before (change not tested)"
        )
    elif row.verdict == SHOWN and same:
        text = mark("After {method} {probe} still tells {whom} in {share}% of pairs ({limits}), as before")
    elif row.verdict == SHOWN:
        text = mark("After {method} {probe} still tells {whom} in {share}% of pairs ({limits})")
    elif row.verdict == EQUAL:
        text = mark("After {method} {probe} tells {whom} hardly better than by chance: in {share}% of pairs ({limits})")
    else:
        text = mark(
            "After {method} it is not shown that {probe} can tell {whom}: it does in {share}% of pairs ({limits})"
        )
    return say(text, **values)


def _printed(row: Estimate) -> float:
    """A share as it is printed: what is more or less than before must be so for its reader."""
    return round(row.estimate, 3)


def _leak_sentence(leakage: Leakage, named: bool = False) -> str:
    """The stronger probe first: who is told from whom, with which AUC; then what the other one finds.

    named: whether the sentence before names the method.
    """
    ranked = _best(leakage)
    if not ranked:
        return ""
    first, *others = ranked
    lines = [_leakage_line(first, "" if named else method_title(leakage.method), leakage.before)]
    for row in others:
        values = {"probe": say(PROBES[row.metric]), "group": _both_groups(row)["group"]}
        values["pairs"] = _share_of_pairs(row, leakage.before)
        if row.verdict == SHOWN:
            lines.append(
                say("{probe} can, too ({pairs})", **values)
                if first.verdict == SHOWN and row.group == first.group
                else say("{probe} tells {group} best ({pairs})", **values)
            )
        elif row.verdict == EQUAL:
            lines.append(say("{probe} tells them hardly better than by chance ({pairs})", **values))
        else:
            lines.append(
                say("that {probe} can is not shown ({pairs})", **values)
                if first.verdict == SHOWN
                else say("nor is it shown that {probe} can ({pairs})", **values)
                if first.verdict != EQUAL
                else say("that {probe} cannot is not shown ({pairs})", **values)
            )
    return "; ".join(lines) + "."


def _best(leakage: Leakage) -> list[Estimate]:
    """Of each model the group that it tells best, the model that tells better first."""
    best: dict[str, Estimate] = {}
    for row in leakage.probed:
        if words.shown(row) and (row.metric not in best or row.estimate > best[row.metric].estimate):
            best[row.metric] = row
    return sorted(best.values(), key=lambda r: -r.estimate)


def _same(row: Estimate, before: Sequence[Estimate]) -> list[Estimate]:
    """What the same model found of the same group before the adjustment, where it is known."""
    return [r for r in before if all(getattr(r, key) == getattr(row, key) for key in SAME_PROBE) and words.shown(r)]


def _limits(row: Estimate) -> str:
    interval = words.span(row.conf_low, row.conf_high, words.percent)
    return say("{level} CI {interval}", level=level(row.conf_level), interval=interval)


def _share_of_pairs(row: Estimate, before: Sequence[Estimate]) -> str:
    """In how many pairs a group is told, and was before where that is known."""
    values = {"share": words.percent(row.estimate), "limits": _limits(row)}
    for same in _same(row, before)[:1]:
        return say("{share}% of pairs, {limits}; before {before}%", before=words.percent(same.estimate), **values)
    return say("{share}% of pairs, {limits}", **values)


def _guaranteed(fit: Fit) -> tuple[str, str] | None:
    """That the guarantees were checked, whose numbers stand with the components."""
    if not fit.guarantees or not all(guarantee.holds for guarantee in fit.guarantees):
        return None
    return (
        say("What the method promises, the same averages in every group, holds on these rows.")
        if _averages(fit)
        else say("What the method promises holds on these rows."),
        say(
            "It was checked on the rows that the method was fitted to (table “{caption}”). Whether it holds for other "
            "rows is not known.",
            caption=_checked(name_of(fit)),
        ),
    )


def _shares(fit: Fit) -> tuple[float, float]:
    """The shares of the variation that the fit and plain components carry."""
    error, plain, total = (getattr(fit, key, None) for key in ("error", "pca_error", "total"))
    if error is None or plain is None or not total:
        return math.nan, math.nan
    return 1 - error / total, 1 - plain / total


def _price(fit: Fit) -> tuple[str, str] | None:
    """How much of the variation is kept, and how much less than by as many principal components."""
    current, plain = _shares(fit)
    if current != current or fit.method == "pca":
        return None
    price = say(
        "{k} principal components keep {plain}%: the price is {price} percentage points.",
        k=fit.k,
        plain=words.percent(plain, 2),
        price=words.percent(plain - current, 2),
    )
    return (
        say("The {k} new numbers keep {kept}% of the variation.", k=fit.k, kept=words.percent(current, 2)),
        f"{price} {unrounded([(plain, current, plain - current)], 2)}".strip(),
    )


def _who_pays(fit: Fit) -> tuple[str, str] | None:
    """Which group is described worse, by how much."""
    items = [p for p in by_group(fit) if change_of(p) == change_of(p)]
    if len(items) < 2 or fit.method == "pca":
        return None
    most = max(items, key=change_of)
    if change_of(most) < COUNTED:
        return None
    worse = sorted((p for p in items if change_of(p) >= COUNTED), key=change_of, reverse=True)
    each = listed(
        [
            say("by {share}% for {group}", share=words.percent(change_of(p)), group=group_people(p.attribute, p.level))
            for p in worse
        ],
        MOST,
    )
    return (
        say("Accuracy of the data falls most for {group}.", group=group_people(most.attribute, most.level)),
        say(
            "The error of the features, computed back from the new numbers, is larger than without the adjustment: "
            "{each} (mean squared error). Decisions about these people rest on less accurate data.",
            each=each,
        )
        if removing(fit)
        else say(
            "The error of the features, computed back from the new numbers, is larger than with principal components: "
            "{each} (mean squared error).",
            each=each,
        ),
    )


def _side_by_side(fits: Sequence[Fit]) -> Table:
    """A line a method: what it carries and what it costs."""
    headings = [text(say("method")), text(say("what it makes of the features"))]
    headings += [] if (alike := same_features(fits)) else [Heading(say("features"))]
    headings.append(Heading(say("new numbers")))
    headings.append(Heading(say("variation kept"), "%"))
    headings.append(Heading(say("price"), say("points")))
    lines = []
    for fit in fits:
        current, plain = _shares(fit)
        line = [plain_title(name_of(fit)), method_words(fit.method)]
        line += [] if alike else [words.count(len(getattr(fit, "features", ())))]
        lines.append([*line, str(fit.k), words.percent(current), words.percent(plain - current, 2)])
    note = say(
        "New numbers: what stands for the features. Variation: how far the rows differ, as their total variance. "
        "Price: variation kept by as many principal components less that of the method."
    )
    first = _shares(fits[0])[1]
    counted = [fit for fit in fits if abs(_shares(fit)[1] - first) > COUNTED]
    others = " ".join(
        say(
            "{method} counts the variation otherwise: of it as many principal components keep {plain}%.",
            method=name_of(fit),
            plain=words.percent(_shares(fit)[1]),
        )
        for fit in counted
        if fit.k == fits[0].k and alike
    )
    note = " ".join(filter(None, (note, others)))
    return table(say("What each method keeps and costs"), headings, lines, note)


# Representation: what a fitted decomposition guarantees, what it costs, component by component.


MOST_BARS = 20


FEW_GROUPS, FEW_LEAKS = 4, 2  # beside which page one has room for the picture of what leaks


def leaks_on_page_one(bundle: Bundle) -> bool:
    """Whether page one of an audit has the picture of what still leaks."""
    leaks, audit = leaks_of(bundle), bundle.audit
    alone = 0 < len(leaks) == len(bundle.others) <= FEW_LEAKS
    return alone and audit is not None and len(audit.cells) <= FEW_GROUPS and not audit.protocol.outcome


def representation(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/representation.html.j2``."""
    parts = [_fit(i, fit, bundle.extra_errors) for i, fit in enumerate(bundle.fits)]
    for part in parts:
        if part["losses"] and bundle.audit is None:  # page one has the table
            part["losses"]["table"] = None
        if len(parts) == 1 and bundle.audit is None:  # and of one fit the price
            part["sentence"] = ""
    parts += [_extra(extra) for extra in bundle.extra_errors]
    compared = any(isinstance(other, Comparison) for other in bundle.others)
    beside_audit = bundle.audit is not None and not leaks_on_page_one(bundle)
    shown = beside_audit or (bundle.audit is None and compared and not bundle.fits)  # otherwise page one shows it
    leaks = leakage_picture([r for r in bundle.others if isinstance(r, Leakage)], "leakage") if shown else None
    return {"parts": parts, "leaks": leaks} if parts or leaks else None


def _fit(index: int, fit: Fit, extras: Sequence[ExtraError]) -> dict[str, Any]:
    name = name_of(fit)
    title = plain_title(name)
    rows = fit.estimates
    items = [g.holds for g in fit.guarantees]
    if all(items):
        verdict = say("what it guarantees holds on these rows")
    else:
        verdict = say("{k} of {n} guarantees hold", k=sum(items), n=len(items))
    tested = any(extra.method == fit.method for extra in extras)  # then its table has the intervals too
    return {
        "heading": say_number(
            "{method} with {k} component: {verdict}",
            "{method} with {k} components: {verdict}",
            fit.k,
            method=capital(title),
            k=fit.k,
            verdict=verdict,
        ),
        "sentence": _representation_price(fit),
        "guarantees": _guarantees(name, fit),
        "scree": scree_of(f"scree-{index}", rows, adjusts_after(fit.method)),
        "components": None
        if tested
        else _components(capital(title), rows.only(metric="R2"), adjusts_after(fit.method)),
        "losses": losses_of(index, title, fit),
        "others": None,
    }


def losses_of(index: int, name: str, fit: Fit) -> dict[str, Any] | None:
    """Return who pays: the error of each group under PCA of the same dimension and under the fit."""
    price = getattr(getattr(fit, "price", None), "by_group", ())
    if not price:
        return None
    groups = sorted(price, key=lambda p: -p.n)
    changes = [(p, p.error / p.pca_error - 1) for p in groups if p.pca_error > 0]
    most = max(changes, key=lambda pair: pair[1], default=None)
    caption = say("The error of each group.")
    if most is not None and most[1] > 0:
        values = {"group": group_cell(most[0].attribute, most[0].level), "share": words.percent(most[1])}
        caption = say(
            "The error grows most for {group}: by {share}% of what it is with principal components.", **values
        )
    labels = [f"{level_name(p.attribute, p.level)} (n = {words.count(p.n)})" for p in groups]
    drawn = [(label, p.pca_error, p.error) for label, p in zip(labels, groups, strict=True)]
    what = say("mean squared error of a row")
    if even := losses_made_even(fit):
        what = translated(even[0])
        drawn = [(label, before, after) for label, (_, before, after) in zip(labels, even[1], strict=True)]
        caption = say(
            "The largest of the groups is {after} with {method} and {before} with principal components: {what}.",
            before=words.compact(max(before for _, before, _ in even[1])),
            after=words.compact(max(after for *_, after in even[1])),
            method=name,
            what=what,
        )
    figure = group_loss(
        f"losses-{index}", drawn, caption=caption, before=say("principal components"), after=name, what=what
    )
    headings = [
        text(say("group")),
        Heading(say("rows")),
        Heading(say("principal components")),
        Heading(name),
        Heading(say("change"), "%"),
    ]
    rows = [
        (
            group_cell(p.attribute, p.level, f"{column_name(p.attribute)} = {level_name(p.attribute, p.level)}"),
            words.count(p.n),
            words.compact(p.pca_error),
            words.compact(p.error),
            words.percent(p.error / p.pca_error - 1) if p.pca_error > 0 else words.DASH,
        )
        for p in groups
    ]
    note = say("Mean squared error of a row, in squared units of the (scaled) features; as many principal components.")
    return {
        "figure": figure,
        "table": table(
            say("Error of the features computed back, by group, before and after {method}", method=name),
            headings,
            rows,
            note,
        ),
    }


def _representation_price(fit: Fit) -> str:
    error, plain, total = (getattr(fit, key, None) for key in ("error", "pca_error", "total"))
    if error is None or plain is None or not total:
        return ""
    if fit.method == "pca":
        return say("They carry {kept}% of the variation.", kept=words.percent(1 - error / total, 2))
    return " ".join(_price(fit) or ())


def _guarantees(name: str, fit: Fit) -> Table | None:
    rows = [
        (translated(g.statement), words.tiny(g.value), _allowed(g.tolerance), holding(g.holds)) for g in fit.guarantees
    ]
    headings = [text(say("statement")), Heading(say("value")), Heading(say("at most")), text(say("checked"))]
    note = say(
        "Score: a new number of a row. Group indicator: 1 for rows of the group, 0 for others. Where they are not "
        "correlated, the averages are the same."
    )
    return table(_checked(name), headings, rows, note if _averages(fit) else "") if rows else None


def _checked(name: str) -> str:
    """The caption of the table of guarantees."""
    return say("What {method} guarantees, checked on the rows of the fit", method=plain_title(name))


def _allowed(tolerance: float) -> str:
    """The most that a guarantee allows, in words where it is rounding."""
    return say("0, but for rounding") if tolerance < ZERO else words.tiny(tolerance, 0)


def holding(holds: bool) -> str:
    """Whether a guarantee holds, in a cell."""
    return say("holds") if holds else say("does not hold")


def adjusts_after(method: str) -> bool:
    """Whether the groups are taken out of components that are found already: the rows of these are from before."""
    return method == "og"


def scree_of(name: str, rows: Estimates, before: bool) -> Drawing | None:
    """Draw what the components carry, and how much of it goes with the groups (or did, before adjustment)."""
    drawn = list(rows.only(metric="variance share"))[:MOST_BARS]
    if not drawn:
        return None
    shares = [r.estimate for r in drawn]
    # of the sum of squares, which R2 is not where that is about 0 and not about the mean
    explained = [r.events / (s.events or 1.0) for r, s in zip(rows.only(metric="R2"), drawn, strict=False)]
    complete = len(explained) == len(shares)
    taken = sum(s * e for s, e in zip(shares, explained, strict=True)) if complete else 0.0
    carried = words.percent(sum(shares), 2)
    if before:
        caption = say(
            "Before adjustment the components carry {share}% of the total variation; {taken} percentage points of "
            "that go with the groups (hatched) and are taken out.",
            share=carried,
            taken=words.percent(taken, 2),
        )
    elif round(taken, 4):
        caption = say(
            "The components carry {share}% of the total variation; {taken} percentage points of that go with the "
            "groups (hatched).",
            share=carried,
            taken=words.percent(taken, 2),
        )
    else:
        caption = say("The components carry {share}% of the total variation.", share=carried)
    return scree(name, shares, caption=caption, explained=explained if complete else ())


def _components(name: str, rows: Estimates, before: bool) -> Table | None:
    if not any(round(row.estimate, 4) for row in rows):  # all print 0.00
        return None
    headings = [
        text(say("component")),
        Heading(say("explained by groups"), "%"),
        Heading(say("interval"), "%"),
        Heading("F"),
        Heading("p"),
        Heading(say("adjusted p")),
    ]
    cells = [
        (
            translated(r.term),
            words.percent(r.estimate, 2),
            words.span(r.conf_low, r.conf_high, lambda v: words.percent(v, 2)),
            words.number(r.statistic, 2),
            words.p_value(r.p_value),
            words.p_value(r.p_adjusted),
        )
        for r in rows
    ]
    caption = (
        say("{method}: share of each component that the groups explained before adjustment", method=name)
        if before
        else say("{method}: share of each component that the groups explain", method=name)
    )
    return table(caption, headings, cells, methods_note(rows), 12)


def _capital(text: str) -> str:
    """Return a reason as a sentence."""
    return f"{text[0].upper()}{text[1:]}." if text else ""


def extra_heading(extra: ExtraError) -> str:
    """How much of the components the groups explain, and how much chance alone would."""
    share = words.percent(extra.observed / extra.energy if extra.energy > 0 else 0.0, 2)
    values = {"method": extra.method, "share": share}
    if extra.expected:
        return say(
            "Extra error of {method}: the groups explain {share}% of the components, {times} times what chance alone "
            "would",
            times=words.number(extra.observed / extra.expected),
            **values,
        )
    return say("Extra error of {method}: the groups explain {share}% of the components", **values)


def _extra(extra: ExtraError) -> dict[str, Any]:
    rows = extra.estimates
    others = Estimates(r for r in rows if r.metric != "R2")
    return {
        "heading": extra_heading(extra),
        "sentence": " ".join(filter(None, (translated(extra.tested), _capital(translated(extra.why))))),
        "guarantees": None,
        "scree": None,
        "components": _components(extra.method, rows.where(metric="R2"), adjusts_after(extra.method)),
        "losses": None,
        "others": estimates_table(say("The extra error in total"), others, GENERAL),
    }


# Page one of what has no page of its own: studies of fits, losses of groups, tests, scores, tables of a law.


def results_page(bundle: Bundle) -> dict[str, Any]:
    """The context of page one of any other results: what each of them found, in a sentence or two."""
    items: list[Result] = [*bundle.extra_errors, *bundle.others]
    found = [one for one in items if isinstance(one, Proxies)]
    if found and len(found) == len(items):
        return proxies_page(bundle, found)
    compared_costs = [one for one in items if isinstance(one, Tradeoff)]
    if compared_costs and len(compared_costs) == len(items):
        return tradeoff_page(bundle, compared_costs)
    lines = [sentence for result in items if (sentence := _found(result))]
    return blank() | {
        "who": who_and_when(bundle),
        "sentence": " ".join(lines) or say("The results follow."),
        "unshown": [say("Why the groups differ: a gap is not by itself discrimination.")],
        "source": source_line(bundle),
    }


def proxies_page(bundle: Bundle, found: Sequence[Proxies]) -> dict[str, Any]:
    """Page one of which features give the groups away: what all tell together, each in a picture, both its numbers."""
    groups = listed(list(dict.fromkeys(name for one in found for name in one.attributes())))
    first = [line for one in found for line in answers(one)]
    lines = [line for one in found for line in headlines(one) if line not in first]
    to_do = [line for line in lines if any(says(line, one) for one in (NEXT, *TO_RUN))]
    cautions = [line for line in lines if says(line, MAY_BE_CODES)]
    said = [line for line in lines if line not in {*to_do, *cautions}]
    said += [line for one in found for line in one.statements if line not in {*lines, *first}]
    explained = [
        say(
            "Every AUC is of people whom the model had not seen: boosted trees learned from other people, and half "
            "of the people were scored. Limits of single features allow for all of them, those of pairs for all "
            "pairs."
        ),
        say(
            "AUC: how often a score made of a feature, learned on other people, ranks a random person of the group "
            "above one of the others; 1 is always, 0.5 is guessing. Added: how much lower the AUC of all features "
            "together is when a model is trained again without this one; by a pair, how far its AUC is above the "
            "largest of each alone, both added up, and guessing."
        ),
    ]
    next_ones: list[Paragraph] = []  # what is to be copied stands on lines of its own
    for copied, group in groupby(to_do, key=is_call):
        part = list(map(translated, group))
        next_ones += [Paragraph(text, "command") for text in part] if copied else [Paragraph(" ".join(part))]
    return blank() | {
        "who": f"{say('{n} people', n=words.count(found[0].n))} · {who_and_when(bundle)}",
        "question": say("How well do the features tell {groups}, each alone and all together?", groups=groups),
        "sentence": " ".join(map(translated, first)),
        "context": [*map(translated, cautions), *explained],
        "tables": [
            *(proxies_table(one, attribute=name) for one in found for name in one.attributes()),
            *(pairs_table(one) for one in found if one.pairs()),
            *(left_table(one) for one in found if one.left()),
        ],
        "findings_last": True,
        "actions": [
            Title(2, say("Main findings")),
            Paragraph(" ".join(map(translated, said))),
            *next_ones,
        ],
        "figures": [
            drawn
            for i, one in enumerate(found)
            for j, name in enumerate(one.attributes())
            if (drawn := proxies_picture(f"page-one-proxies-{i}-{j}", one, name))
        ],
        "unshown": [
            say("A feature that adds nothing may still give a group away: others may say the same."),
            say("That a feature gives a group away does not show that decisions use it, nor that they should not."),
            say("Three features that tell the group only together may be missed: only pairs are searched."),
        ],
        "rely": [
            say("Whether adjusting the features takes away what they tell: `{call}`.", call=Call("leakage")),
            say("Audit the decisions that use them: `{call}`.", call=Call("audit")),
        ],
        "source": source_line(bundle),
    }


MOST_FEATURES, MOST_FEATURE_LINES, MOST_METHOD_LINES = 16, 24, 40


def proxies_picture(name: str, result: Proxies, attribute: str) -> Drawing | None:
    """Draw the AUC of all features together, and of each by itself, with their limits; the line is guessing."""
    pairs = [pair for pair in result.features() if pair[0].attribute == attribute]
    every = [row for row, _ in pairs if words.shown(row)]
    alone = every[:MOST_FEATURES]
    if not alone:
        return None
    joint = [row for row in result.estimates.only(attribute=attribute, role="omnibus") if words.shown(row)]
    rows = [*joint, *alone]
    caption = say(
        "AUC of all features together and of each by itself, the highest lower limit first; the line at 0.5 is "
        "guessing, filled where the group is shown to be given away. Lines: {limits}.",
        limits=level_of(rows, result.conf_level),
    )
    if len(every) > len(alone):
        caption += " " + say("Features drawn: {k} of {n}.", k=len(alone), n=len(every))
    several = len({row.group for row in every}) > 1
    called = {row: f"{row.term}: {row.group}" if several else row.term for row, _ in pairs}
    adds = [called[row] for row, added in pairs if added.verdict in (SHOWN, "flagged")]
    some = say("Shown to add to what the others tell: {features}.", features=listed(adds))
    none = say("None is shown to add to what the others tell.")
    caption += f" {some if adds else none}"
    if len(result.attributes()) > 1:
        caption = f"{capital(attribute_name(attribute))}: {caption}"
    together = say("all together")
    called |= {row: f"{together}: {row.group}" if several else together for row in joint}
    axis = say("AUC (0.5: guessing)")
    return forest_plot(
        name,
        rows,
        caption=caption,
        axis=axis,
        labels=[called[row] for row in rows],
        called=lambda row: (
            say("AUC of {feature} by itself", feature=row.term) if row.term else say("AUC, all together")
        ),
    )


def _tells(result: Proxies, row: Estimate) -> str:
    """A feature, with the level that it tells where several are asked about."""
    levels = {(one.attribute, one.group) for one, _ in result.features()}
    return str(row.term) if len(levels) == 1 else f"{row.term}: {row.attribute} = {row.group}"


def _level_told(row: Estimate) -> str:
    return say("{attribute} = {group}", attribute=attribute_name(row.attribute), group=row.group)


def proxies_table(result: Proxies, most: int = MOST_FEATURE_LINES, attribute: str = "") -> Table:
    """A line a feature and level, level by level, of all attributes or one: its AUC alone, and what it adds."""
    of = replace(result, estimates=result.estimates.only(attribute=attribute)) if attribute else result
    every = of._by_level(most)
    several = len({(row.attribute, row.group) for row, _ in every}) > 1
    one_attribute = len(of.attributes()) == 1
    headings = [
        text(say("feature")),
        *([text(say("tells"))] if several else []),
        Heading(say("AUC alone")),
        Heading(level_of([row for row, _ in every], result.conf_level)),
    ]
    headings += [Heading(say("adjusted p")), Heading(say("added to the others"))]
    headings += [Heading(level_of([row for _, row in every], result.conf_level)), Heading(say("adjusted p"))]
    lines = [
        [
            str(alone.term),
            *([alone.group if one_attribute else _level_told(alone)] if several else []),
            *(cell(row) for row in (alone, added) for cell in (number_or_dash, words.interval, _adjusted)),
        ]
        for alone, added in every
    ]
    caption = say("Each feature alone, and what it adds to the others")
    if attribute and len(result.attributes()) > 1:
        caption = f"{capital(attribute_name(attribute))}: {caption}"
    note = say("What is shown first, then by the lower limit of the AUC alone.")
    if several:
        note = say("Level by level; of each what is shown first, then by the lower limit of the AUC alone.")
    return replace(table(caption, headings, lines, note, most), total=len(of.features()))


def left_table(result: Proxies) -> Table:
    """A line a step: the feature that is dropped as well, and what a model tells that is trained again without them."""
    every = result.left()
    several = len({(one.attribute, one.group) for one, _ in result.features()}) > 1
    lines = []
    for attribute in dict.fromkeys(row.attribute for row in every):
        for row in (result.all_together[attribute], *(row for row in every if row.attribute == attribute)):
            told = [_level_told(row)] * several
            lines.append([row.term or say("none"), *told, number_or_dash(row), words.interval(row), _adjusted(row)])
    first = [text(say("dropped in turn")), *([text(say("tells best"))] if several else [])]
    of = [Heading(say("AUC left")), Heading(level_of(every, result.conf_level)), Heading(say("adjusted p"))]
    caption = say("What is left as features are dropped one after another, trained again each time")
    return table(caption, [*first, *of], lines, "", MOST_FEATURE_LINES)


def pairs_table(result: Proxies) -> Table:
    """A line a pair that is shown to tell more together: its AUC, and what it adds to its features."""
    names = result.attributes()
    every = sorted(result.pairs(), key=lambda pair: names.index(pair[0].attribute))
    limits = [level_of([pair[i] for pair in every], result.conf_level) for i in (0, 1)]
    words_of = (say("AUC of the pair"), limits[0], say("added by the pair"), limits[1], say("adjusted p"))
    lines = []
    for of, added in every:
        numbers = [cell(row) for row in (of, added) for cell in (number_or_dash, words.interval)]
        lines.append([_tells(result, of), *numbers, _adjusted(added)])
    caption = say("Pairs that tell more together than each alone and both added up")
    return table(caption, [text(say("pair")), *map(Heading, words_of)], lines, "", MOST_FEATURE_LINES)


def _adjusted(row: Estimate) -> str:
    return words.p_value(row.p_adjusted)


def tradeoff_page(bundle: Bundle, found: Sequence[Tradeoff]) -> dict[str, Any]:
    """Page one of what methods cost and what they leave: both of every method, drawn against each other."""
    return blank() | {
        "who": f"{say('{n} people', n=words.count(found[0].n))} · {who_and_when(bundle)}",
        "sentence": " ".join(translated(line) for one in found for line in one.answers()),
        "context": [line for one in found for line in (meant_by_costs(one), *beside_answers(one))],
        "tables": [
            *map(tradeoff_table, found),
            *(differences_table(one) for one in found if any(one.differences())),
        ],
        "figures": [
            tradeoff_picture(f"page-one-tradeoff-{i}", one) for i, one in enumerate(found) if len(one.points()) > 1
        ],
        "unshown": [
            say("It does not show which price is worth paying, nor why the groups differ."),
            say(DECISIONS),
        ],
        "source": source_line(bundle),
    }


def beside_answers(found: Tradeoff) -> list[str]:
    """What is said beside which methods come first."""
    answers = found.answers()
    return [translated(line) for line in found.statements if line not in answers]


def meant_by_costs(found: Tradeoff) -> str:
    """What the numbers and their limits are."""
    if found.estimates[0].metric == LOSS_METRIC:
        return say(
            "Error: of the features of people held out, rebuilt by each method. Gap: the error of a group less that of "
            "the largest. The limits hold for all numbers of a table together."
        )
    return say(
        "AUC: how well the outcome, or the group, of people held out is predicted by a linear discriminant on the "
        "scores; 0.5 is guessing. The limits hold for all numbers of a table together."
    )


def tradeoff_picture(name: str, found: Tradeoff) -> Drawing:
    """Draw what every method costs against what it leaves."""
    points = found.points()
    of_errors = points[0][1].metric == LOSS_METRIC
    drawn = say(
        "What {n} methods cost against what they leave ({first}: open point); the lines are the limits.",
        n=len(points),
        first=points[0][0],
    )
    best = say("The further left and the nearer to the line of no gap, the better.")
    if of_errors and len({cost.k for _, cost, _ in points}) > 1:
        best = say(
            "Of methods with as many components: the further left and the nearer to the line of no gap, the better."
        )
    if not of_errors:
        best = say("The further right and the nearer to the line of guessing the group, the better.")
    runs = [unbroken(point for point in points if point.method in curve) for curve in found.curves]
    broken = say("A line is broken where the widest gap becomes that of another group, on the other side of no gap.")
    return price_gap(
        name,
        points,
        caption=f"{drawn} {best} {broken if any(len(run) > 1 for run in runs) else ''}".rstrip(),
        price=say("error of the rebuilt features") if of_errors else say("AUC of the outcome"),
        gap=say("widest gap to the largest group") if of_errors else say("AUC of the group"),
        curves=found.curves,
    )


def tradeoff_table(found: Tradeoff, most: int = MOST_METHOD_LINES) -> Table:
    """A line a method: its components, its cost, what it leaves."""
    points = found.points()
    gap = points[0][2].contrast == "difference"
    headings = [
        text(say("method")),
        Heading(say("components")),
        Heading(say("error") if gap else say("AUC of the outcome")),
    ]
    headings += [Heading(level_of([row for _, row, _ in points]))]
    headings += [Heading(say("widest gap") if gap else say("AUC of the group"))]
    headings += [Heading(level_of([row for *_, row in points]))]
    whose = found._whose()
    several = len(set(whose)) > 1
    headings += [text(say("of"))] if several else []
    lines = [
        [
            name,
            words.count(cost.k),
            *(cell(row) for row in (cost, left) for cell in (number_or_dash, words.interval)),
            *([translated(of)] if several else []),
        ]
        for (name, cost, left), of in zip(points, whose, strict=True)
    ]
    note = "" if several or not gap else say("Widest gap: {whose}.", whose=translated(whose[0]))
    return table(say("What each method costs and leaves"), headings, lines, note, most)


def differences_table(found: Tradeoff, most: int = MOST_METHOD_LINES) -> Table:
    """A line a method after the first: its cost and what it leaves, less those of the first, of the same people."""
    points = list(found.differences())
    error = points[0][1].metric == LOSS_METRIC
    limits = Heading(level_of([row for _, row, _ in points]))
    cost = Heading(say("error") if error else say("AUC of the outcome"))
    left = Heading(say("widest gap") if error else say("AUC of the group"))
    several = len(set(found._whose())) > 1
    lines = [
        [
            name,
            *(cell(row) for row in (cost, left) for cell in (number_or_dash, words.interval)),
            *([translated(of)] if several else []),
        ]
        for (name, cost, left), of in zip(points, found._whose(points), strict=True)
    ]
    headings = [text(say("method")), cost, limits, left, limits, *([text(say("of"))] if several else [])]
    first, title = found.subtracted()
    notes = [say(SAME_SIDES, method=first)] if several else []
    notes += map(translated, [*found.signed(), *found.not_subtracted()])
    if any(row.reason for _, *rows in points for row in rows):
        notes.append(say("{dash}: the same for every person of a group, so no interval.", dash=words.DASH))
    note = " ".join(notes)
    return table(say(title, method=first), headings, lines, note, most)


def _found(result: Result) -> str:
    """What a result found: a claim with its numbers."""
    if isinstance(result, ExtraError):
        return f"{extra_heading(result)}."
    if isinstance(result, ComponentSelection):
        return " ".join([_chosen(result), *map(translated, result.notes)])
    if isinstance(result, ImpactTable):
        return lowest_ratio(result)
    if isinstance(result, OutOfFoldScores):
        return say(
            "Scores of {n} rows by {method}, each of a fit that had not seen the row ({folds} folds). What a model can "
            "tell of the groups from them was not tested.",
            n=words.count(len(result.scores)),
            method=result.method,
            folds=len(set(result.folds.tolist())),
        )
    return study_sentences(result) or _of_rows(result.estimates)


def _of_rows(rows: Estimates) -> str:
    """The clearest difference of losses between groups; of other tests how many show a difference."""
    tests = [row for row in rows if words.shown(row) and row.p_adjusted == row.p_adjusted]
    if not tests:
        return ""
    row = min(tests, key=lambda one: one.p_adjusted)
    if row.metric == LOSS_METRIC:
        return _loss_sentence(rows, row)
    return say_number(
        "{k} of {n} test shows a difference between groups (smallest adjusted p: {p}).",
        "{k} of {n} tests show a difference between groups (smallest adjusted p: {p}).",
        len(tests),
        k=sum(map(_rejects, tests)),
        n=len(tests),
        p=words.p_value(row.p_adjusted),
    )


def _rejects(row: Estimate) -> bool:
    return rejected(row.p_adjusted, row.conf_level if row.conf_level == row.conf_level else 0.95)


def _loss_sentence(rows: Estimates, row: Estimate) -> str:
    """Which of two groups a method describes worse, with both losses."""
    alone = rows.only(metric=LOSS_METRIC, contrast="none", attribute=row.attribute, fit=row.fit)
    losses = {one.group: words.compact(one.estimate) for one in alone}
    groups = (row.group, row.reference) if row.estimate > 0 else (row.reference, row.group)
    worse = mark(
        "{method} describes {group} worse than {reference} ({attribute}): its mean squared reconstruction error is "
        "{one} against {other}, a gap of {gap} ({p})."
    )
    unsettled = mark(
        "That {method} describes {group} worse than {reference} ({attribute}) is not shown: its mean squared "
        "reconstruction error is {one} against {other}, a gap of {gap} ({p})."
    )
    return say(
        worse if _rejects(row) else unsettled,
        method=row.fit,
        group=groups[0],
        reference=groups[1],
        attribute=row.attribute,
        one=losses.get(groups[0], words.DASH),
        other=losses.get(groups[1], words.DASH),
        gap=words.compact(abs(row.estimate)),
        p=p_equals(row.p_adjusted),
    )


def _chosen(selection: ComponentSelection) -> str:
    """With how many components the error of each method is least, or that none of them predicts anything."""
    lines = []
    for fit in selection.fits:
        k = selection.chosen(fit, LEAST)
        lines.append(
            say("By least squares no number of components of {fit} predicts better than the means.", fit=fit)
            if not selection._helps(fit)
            else say_number(
                "The error of {fit} is least with {k} component.",
                "The error of {fit} is least with {k} components.",
                k,
                fit=fit,
                k=k,
            )
        )
    if not selection._helps(selection.method):
        lines.append(translated(SHRINKING))
    return " ".join(lines)


# Studies of a fit that a report was given: the price for new people, stability, the number of components.


def study_sentences(result: Result) -> str:
    """What a study found, as sentences; "" for other results."""
    if not isinstance(result, FitStudy):
        return ""
    # whose templates a result that was loaded from a file needs
    from fairstats.inference.representations import fit_studies  # noqa: F401

    return " ".join(map(translated, result.statements))


def rows_of(result: Result) -> Estimates:
    """The rows that a page has of a result: of studies neither loadings, nor parts in sample, nor what is drawn."""
    if isinstance(result, FitStudy):
        return Estimates(row for row in result.estimates if row.metric != LOADING and not _part_in_sample(row))
    if isinstance(result, ComponentSelection):
        return result.estimates.where(metric=NUMBER)
    return result.estimates


def _part_in_sample(row: Estimate) -> bool:
    """Of the rows that the fit was made of, which flatter it, a page has what it costs in all."""
    return row.estimator == IN_SAMPLE and bool(row.group or row.term)


def note_of(result: Result) -> str:
    """Where the rows are that the page leaves out, "" where it has all."""
    return say("Further rows: results.csv.") if len(rows_of(result)) < len(result.estimates) else ""


def figure_of(name: str, result: Result) -> Drawing | None:
    """The picture of a choice of the number of components, None for other results."""
    return errors_by_k(name, result) if isinstance(result, ComponentSelection) else None


def errors_by_k(name: str, selection: ComponentSelection) -> Drawing:
    """Draw the cross-validated error over the number of components, of a method and of principal components."""
    nothing = selection.estimates.where(metric=ERROR, fit="pca", k=0.0)[0].estimate
    lines, wording = [], [_chosen(selection), say("Line across: the error of the means, without components.")]
    for fit in selection.fits:
        found = selection.estimates.only(metric=ERROR, fit=fit)
        every = [row for row in found if 0 < row.k < max(selection.p, 2)]  # as many as features predict nothing
        least = min(row.estimate for row in every)
        best = [row.estimate for row in every].index(least)
        out = [i for i, row in enumerate(every) if row.estimate > MANY * max(nothing, least)]
        before, after = [i for i in out if i < best], [i for i in out if i > best]
        rows = every[max(before, default=-1) + 1 : min(after, default=len(every))]
        if hidden := [row for row in every if row not in rows]:
            wording += [
                say(
                    "Not drawn of {fit}: k = {list}, where errors reach {error}.",
                    fit=fit,
                    list=", ".join(words.count(row.k) for row in hidden),
                    error=words.compact(max(row.estimate for row in hidden)),
                )
            ]
        columns = ([getattr(row, key) for row in rows] for key in ("k", "estimate", "conf_low", "conf_high"))
        x, y, low, high = (tuple(map(float, column)) for column in columns)
        lines.append(Curve("path", "", fit, x, y, low=low, high=high))
    if selection.max_k >= selection.p > 1:
        wording += [
            say("k = {k} is not drawn: with as many components as features nothing is left to predict.", k=selection.p)
        ]
    return path(
        name,
        lines,
        caption=" ".join(wording),
        setting=say("number of components"),
        axis=say("cross-validated error"),
        chosen=float(selection.k) if selection._helps(selection.method) else None,
        null=nothing,
        order=selection.fits,
        counted=True,
        equal=say("means"),
    )
