"""Page one of fits: what was removed from what, what still leaks, what it costs, and who pays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from fairstats.errors import InputError
from fairstats.estimates import Estimate
from fairstats.inference.representations.leakage_result import Leakage
from fairstats.language import again, mark, say
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle, Fit, name_of, removing
from fairstats.reporting.method_words import made_by
from fairstats.reporting.sections import several_fits
from fairstats.reporting.sections.page_one_parts import blank, source_line, who_and_when
from fairstats.reporting.sections.score_pictures import leakage_picture
from fairstats.reporting.sections.shared import broken_guarantees
from fairstats.reporting.sections.who_pays import COUNTED, by_group, change_of, losses
from fairstats.reporting.tables import Heading, Table, level_of, table, text
from fairstats.text import capital, level, listed

LINEAR, CURVED = "AUC of linear probe", "AUC of non-linear probe"
PROBES = {LINEAR: mark("a linear model"), CURVED: mark("a non-linear model")}
ZERO = 1e-8  # smaller values of a guarantee are rounding
FITTED = mark(
    "What is kept and lost is measured on the rows that the methods were fitted to, without intervals: of other rows "
    "they may keep less."
)
AREA = mark(
    "AUC: how often a model that is shown the components tells which of two rows that it was not trained on is of the "
    "group, where one is and one is not, for the group that it tells best; 1 is always, 0.5 chance. Such a model is a "
    "probe: a linear one sees straight lines only, a non-linear one curves, too."
)
NOT_ASKED = mark("What a model can still tell of the groups was not tested.")
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
        raise InputError("preset='method' needs a fit; pass what a method such as fairstats.og returned.")
    leaks = leaks_of(bundle)
    lead = next((fit for fit in bundle.fits if fit.method != "pca"), bundle.fits[0])
    picture = leakage_picture(leaks, "page-one-leakage") if leaks else None
    removed = removing(lead)
    made = blank() | {
        "who": _who(bundle, lead),
        "question": "" if lead.method == "pca" else _question(lead) if removed else _asked_of_errors(lead),
        "sentence": " ".join([*broken_guarantees(bundle), _answer(lead, leaks)]),
        "context": [said for said in (_guaranteed(lead), _price(lead), _who_pays(lead)) if said],
        "tables": [made for made in (_side_by_side(bundle.fits, leaks), *_losses(bundle.fits)) if made],
        "figures": [picture] if picture else [],
        "unshown": [
            say("That a model cannot tell the groups from these numbers does not make decisions made from them equal.")
            if removed or leaks
            else say("Components that describe the groups equally well do not make decisions made from them equal."),
            *([say("Probes look for more than a guarantee names; another probe may find still more.")] * bool(leaks)),
            say(FITTED),
            *([] if several_fits.same_features(bundle.fits) else [say(OTHER_FEATURES)]),
        ],
        "source": source_line(bundle),
    }
    several = several_fits.compared(bundle.fits)
    return made | _together(bundle, several, leaks) if several else made


def _losses(fits: Sequence[Fit]) -> list[Table]:
    """Who pays, of fits to different features apart."""
    return losses(fits) if several_fits.same_features(fits) else [made for fit in fits for made in losses([fit])]


def leakage_page(bundle: Bundle) -> dict[str, Any]:
    """The context of page one of a report on leakage alone: who can still be told from the scores."""
    leaks = leaks_of(bundle)
    told = [said for made in leaks if (said := _told(made))]
    picture = leakage_picture(leaks, "page-one-leakage")
    counted = say(
        "{n} rows of held-out scores, {k} components, {folds} folds",
        n=words.count(leaks[0].n),
        k=words.count(leaks[0].k),
        folds=words.count(leaks[0].folds),
    )
    return blank() | {
        "who": f"{counted} · {who_and_when(bundle)}" if len(leaks) == 1 else who_and_when(bundle),
        "question": say("Can a model tell {groups} from scores that it was not trained on?", groups=groups_of(leaks)),
        "sentence": " ".join(f"{capital(said)}." for said in told) or say("No fold is large enough for a probe."),
        "context": [say(AREA), *dict.fromkeys(_judged_by(made) for made in leaks)],
        "figures": [picture] if picture else [],
        "unshown": [
            say("That a model cannot tell the groups from these numbers does not make decisions made from them equal."),
            say("Probes look for more than a guarantee names; another probe may find still more."),
        ],
        "next": [("comparison", say("Every probe and distance"))],
        "source": source_line(bundle),
    }


def leaks_of(bundle: Bundle) -> list[Leakage]:
    """The analyses of leakage that a report was given."""
    return [other for other in bundle.others if isinstance(other, Leakage)]


def groups_of(leaks: Sequence[Leakage]) -> str:
    """The attributes that are told."""
    return listed(list(dict.fromkeys(row.attribute for made in leaks for row in made.estimates)))


def _judged_by(made: Leakage) -> str:
    """What is a leak, and why no leak is not shown."""
    said = (
        say(
            "A leak is more than {n} refits leak that know nothing of the groups.",
            n=words.count(made.permutations),
        )
        if made.refits
        else say("The fit is taken as given: what it leaks of its own estimation noise counts as a leak.")
    )
    if made.margin is None:
        return f"{said} {say('No margin was declared, so that there is no leak cannot be shown.')}"
    return said


def _who(bundle: Bundle, fit: Fit) -> str:
    """How many rows of how many features, by whom and when; of fits to different features neither."""
    if not several_fits.same_features(bundle.fits):
        return who_and_when(bundle)
    groups, features = by_group(fit), len(getattr(fit, "features", ()))
    rows = sum(price.n for price in groups if price.attribute == groups[0].attribute)
    counted = say("{n} rows of data, {features} features", n=words.count(rows), features=words.count(features))
    return f"{counted} · {who_and_when(bundle)}" if rows and features else who_and_when(bundle)


def _together(bundle: Bundle, fits: list[Fit], leaks: Sequence[Leakage]) -> dict[str, Any]:
    """Question, sentence and context of several methods: each is named in all of them."""
    groups = listed(list(dict.fromkeys(a for fit in fits for a in attributes(fit)))) or say("the groups")
    told = several_fits.told(fits, leaks)
    kept = several_fits.kept(fits, [_shares(fit)[0] for fit in fits])
    most = []
    for fit in fits:
        known = [p for p in by_group(fit) if change_of(p) == change_of(p)]
        worst = max(known, key=change_of, default=None)
        most += [(fit, f"{worst.attribute} = {worst.level}", change_of(worst))] if worst and len(known) > 1 else []
    unasked = "" if told or not any(map(removing, fits)) else say(NOT_ASKED)
    return {
        "question": several_fits.question(fits, groups),
        "sentence": " ".join(filter(None, (*broken_guarantees(bundle), told or kept))),
        "context": [said for said in (kept if told else "", several_fits.payers(most), unasked) if said],
    }


def attributes(fit: Fit) -> list[str]:
    """What was removed."""
    return list(dict.fromkeys(row.attribute for row in fit.estimates if row.attribute))


def _question(fit: Fit) -> str:
    return say(
        "Do the components of {method} still tell {groups}, and what does removing it cost?",
        method=name_of(fit),
        groups=_removed(fit),
    )


def _asked_of_errors(fit: Fit) -> str:
    return say(
        "Does {method} describe every group of {groups} about equally well, and what does that cost?",
        method=name_of(fit),
        groups=_removed(fit),
    )


def _shared_out(fit: Fit) -> str:
    """Of a method that takes nothing out: how well each group is described, beside plain components."""
    values = {"method": name_of(fit), "groups": _removed(fit), "n": len(getattr(fit, "features", ())), "k": fit.k}
    errors = by_group(fit)
    if not errors:
        return say(
            "{method} shares out among the groups of {groups} what {k} components lose of {n} features.", **values
        )
    ends: dict[str, str] = {}
    for name, loss in (("own", lambda p: p.error), ("plain", lambda p: p.pca_error)):
        least, most = min(errors, key=loss), max(errors, key=loss)
        ends |= {f"{name}_low": words.compact(loss(least)), f"{name}_low_group": least.level}
        ends |= {f"{name}_high": words.compact(loss(most)), f"{name}_high_group": most.level}
    return say(
        "{method} shares out among the groups of {groups} what {k} components lose of {n} features: mean squared "
        "errors run from {own_low} ({own_low_group}) to {own_high} ({own_high_group}), with principal components from "
        "{plain_low} ({plain_low_group}) to {plain_high} ({plain_high_group}). It takes no group out of them.",
        **values,
        **ends,
    )


def _removed(fit: Fit) -> str:
    return listed(attributes(fit)) if attributes(fit) else say("the groups")


def _answer(fit: Fit, leaks: Sequence[Leakage]) -> str:
    """What still leaks, before anything that holds; without a test of it, what was removed from what."""
    features = len(getattr(fit, "features", ()))
    values = {"method": name_of(fit), "groups": _removed(fit), "n": features, "k": fit.k}
    own = [made for made in leaks if made.method == fit.method] or list(leaks)
    if fit.method == "pca" and not own:
        return say("{k} principal components of {n} features; nothing was removed from them.", **values)
    if fit.method != "pca" and not removing(fit):
        told = _told(own[0]) if own else ""
        return f"{capital(told)}. {_shared_out(fit)}" if told else _shared_out(fit)
    left = say("The method {method} was to take {groups} out of {n} features, leaving {k} components.", **values)
    if not own:
        return f"{left} {say(NOT_ASKED)}"
    told = _told(own[0])
    removed = say("The method {method} was to take {groups} out of {n} features.", **values)
    return f"{capital(told)}. {removed}" if told else left


def _told(made: Leakage) -> str:
    """The stronger probe first: who is told from whom, with which AUC."""
    best: dict[str, Estimate] = {}
    for row in made.estimates:
        known = row.metric in PROBES and words.shown(row)
        if known and (row.metric not in best or row.estimate > best[row.metric].estimate):
            best[row.metric] = row
    ranked = sorted(best.values(), key=lambda r: -r.estimate)
    if not ranked:
        return ""
    first, *others = ranked
    start = say(
        "{probe} tells {group} from {others} ({attribute}) by the scores of {method} with {auc}",
        probe=say(PROBES[first.metric]),
        group=first.group,
        others=again(first.reference) or say("everybody else"),
        attribute=first.attribute,
        method=made.method,
        auc=_auc(first),
    )
    shown = first.verdict == "disparity shown"
    start = (
        say("the groups can still be told: {told}", told=start)
        if shown
        else say("no leak is shown: {told}", told=start)
    )
    more = [
        say("{probe} with {auc}", probe=say(PROBES[r.metric]), auc=_auc(r))
        if r.group == first.group
        else say("{probe} tells {group} best, with {auc}", probe=say(PROBES[r.metric]), group=r.group, auc=_auc(r))
        for r in others
    ]
    return "; ".join([start, *more, say("0.5 is no better than chance")])


def _auc(row: Estimate) -> str:
    interval = words.span(row.conf_low, row.conf_high, lambda v: words.number(v, 2))
    values = {"auc": words.number(row.estimate, 2), "level": level(row.conf_level), "interval": interval}
    return say("an AUC of {auc} ({level} interval {interval})", **values)


def _guaranteed(fit: Fit) -> str:
    """The guarantees in words, whose numbers stand with the components."""
    held = [g for g in fit.guarantees if g.holds]
    if not held:
        return ""
    zero = say("0, up to rounding")
    said = [f"{again(g.statement)}: {zero if abs(g.value) < ZERO else words.compact(g.value)}" for g in held]
    return say("Guaranteed, and checked on these data: {guarantees}.", guarantees="; ".join(said[:2]))


def _shares(fit: Fit) -> tuple[float, float]:
    """The shares of the variation that the fit and plain components carry."""
    error, plain, total = (getattr(fit, key, None) for key in ("error", "pca_error", "total"))
    if error is None or plain is None or not total:
        return math.nan, math.nan
    return 1 - error / total, 1 - plain / total


def _price(fit: Fit) -> str:
    own, plain = _shares(fit)
    if own != own or fit.method == "pca":
        return ""
    return say(
        "The {k} components carry {own} % of the variation, principal components carry {plain} %: the price is {price} "
        "percentage points.",
        k=fit.k,
        own=words.percent(own),
        plain=words.percent(plain),
        price=words.percent(plain - own, 2),
    )


def _who_pays(fit: Fit) -> str:
    known = [p for p in by_group(fit) if change_of(p) == change_of(p)]
    if len(known) < 2 or fit.method == "pca":
        return ""
    most = max(known, key=change_of)
    if change_of(most) < 5e-4:
        return ""
    return say(
        "{attribute} = {group} pays most: its mean squared error rises by {share} %, from {old} to {new}.",
        attribute=most.attribute,
        group=most.level,
        share=words.percent(change_of(most)),
        old=words.compact(most.pca_error),
        new=words.compact(most.error),
    )


def _side_by_side(fits: Sequence[Fit], leaks: Sequence[Leakage]) -> Table | None:
    """A line a method: what it carries, what it costs, what still leaks."""
    headings = [text(say("method")), text(say("what it makes of the features"))]
    headings += [] if (alike := several_fits.same_features(fits)) else [Heading(say("features"))]
    headings.append(Heading(say("components")))
    headings.append(Heading(say("variation carried"), "%"))
    headings.append(Heading(say("price"), say("points")))
    probed = {made.method: made for made in leaks}
    limits = level_of([r for made in leaks for r in made.estimates if r.metric in PROBES])
    if probed:
        headings += [Heading(say("AUC, linear")), Heading(limits)]
        headings += [Heading(say("AUC, non-linear")), Heading(limits)]
    lines = []
    for fit in fits:
        own, plain = _shares(fit)
        line = [name_of(fit), made_by(fit.method)]
        line += [] if alike else [words.count(len(getattr(fit, "features", ())))]
        line += [str(fit.k), words.percent(own), words.percent(plain - own, 2)]
        for probe in PROBES if probed else ():
            rows = probed[fit.method].estimates.only(metric=probe, status="ok") if fit.method in probed else ()
            best = max(rows, key=lambda r: r.estimate, default=None)
            line += [words.DASH, words.DASH] if best is None else _number_and_interval(best)
        lines.append(line)
    note = say(
        "Components: the new numbers that stand for the features. Variation: how far the rows differ, as their total "
        "variance. Price: variation carried by as many principal components less that of the method."
    )
    first = _shares(fits[0])[1]
    counted = [fit for fit in fits if abs(_shares(fit)[1] - first) > COUNTED]
    others = " ".join(
        say(
            "{method} counts the variation otherwise: of it as many principal components carry {plain} %.",
            method=name_of(fit),
            plain=words.percent(_shares(fit)[1]),
        )
        for fit in counted
        if fit.k == fits[0].k and alike
    )
    note = f"{note} {others}".strip()
    caption = (
        say("What each method keeps, costs and still tells") if probed else say("What each method keeps and costs")
    )
    return table(caption, headings, lines, f"{note} {say(AREA)}" if probed else note)


def _number_and_interval(row: Estimate) -> list[str]:
    return [words.number(row.estimate, 2), words.span(row.conf_low, row.conf_high, lambda v: words.number(v, 2))]
