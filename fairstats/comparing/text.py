"""A comparison as text: the finding, rates by group, gaps between groups, what each method costs, cautions."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fairstats import metrics
from fairstats.comparing.headline import FEW, headline, holding, reversals
from fairstats.comparing.metrics import CERTAIN, DISCREPANCY, EXPLAINED, ODDS, PARITY, SECONDS
from fairstats.comparing.one_split import BROKEN
from fairstats.estimates import Estimate, Estimates
from fairstats.language import again, say, stored
from fairstats.text import count, level, number, p_value, signed

if TYPE_CHECKING:
    from fairstats.comparing.result import Comparison

WIDTH = 80
MOST_GROUPS = 8
GAPS, LEVELS = metrics.shown("gaps"), metrics.shown("levels")
PAPER = stored(
    "Models were trained on the rows that they are measured on, as some papers do: these are apparent rates, too good, "
    "and serve only for comparison with such tables."
)
FEW_HELD_OUT = stored("Fewer than {few} people are held out of {groups}: their rates say little.")
LOST = stored("Rates that are not estimable ({groups}): {said}.")
CONSTANT = stored(
    "Some rates do not vary from split to split ({groups}); they and their differences have no interval and no test, "
    "since what another sample would change in them is not known."
)
ABOUT_MODELS = stored(
    "Intervals and tests are about models trained on these people and applied to others of the same population. They "
    "know that splits share people and are stratified. They cover chance in who is predicted, not in who the model was "
    "trained on: with other training data shares predicted and mean scores would vary more."
)
RECORDED = stored("The outcome is taken as recorded; where its recording differs between groups, so do these rates.")
COSTS = metrics.shown("costs")


def cautions(result: Comparison, more: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the cautions that belong beside the numbers, the problems of each term first."""
    notes = [f"{t.name}: {t.caution}." for t in result.terms if t.problems]
    small = sorted({r.group for r in result.estimates.where(metric="accuracy", contrast="none") if r.n < FEW})
    if small:
        notes.append(FEW_HELD_OUT.format(few=FEW, groups=", ".join(small)))
    lost = {(r.reason, r.group) for r in result.estimates if r.status == "unestimable" and r.group}
    for reason in sorted({reason for reason, _ in lost}):
        groups = ", ".join(sorted(group for why, group in lost if why == reason))
        notes.append(LOST.format(groups=groups, said=reason))
    certain = sorted({r.group for r in result.estimates if r.group and CERTAIN in r.reason})
    if certain:
        notes.append(CONSTANT.format(groups=", ".join(certain)))
    notes.append(ABOUT_MODELS)
    if result.protocol.train_on == "measured":
        notes.insert(0, PAPER)
    notes.append(RECORDED)
    return (*more, *notes)


def finding(result: Comparison) -> str:
    """Return the finding: guarantees that failed, then the gap and the price of every method."""
    return " ".join([*_broken(result), *_found(result)])


def answer_and_context(result: Comparison) -> tuple[str, list[str]]:
    """Return the finding in two parts: guarantees that failed and the gap; how it was picked and the price."""
    first, *more = _found(result)
    rows, _ = headline(result)
    turned = len(reversals(result, rows[0])) if rows else 0  # which follow the first, and belong to the answer
    return " ".join([*_broken(result), first, *more[:turned]]), more[turned:]


def _broken(result: Comparison) -> list[str]:
    """A sentence for each guarantee that did not hold, with the most splits that one term met it in."""
    most: dict[tuple[str, str], tuple[int, int]] = {}
    for term in result.terms:
        for what, times in term.problems.items():
            if what.startswith(BROKEN):
                at = (term.variant or term.method, what)
                most[at] = max(most.get(at, (0, 0)), (times, term.splits))
    return [
        say("{method}: in {k} of {n} splits {what}.", method=name, k=times, n=splits, what=again(what))
        for (name, what), (times, splits) in most.items()
    ]


def _found(result: Comparison) -> list[str]:
    """How far the groups are apart with every method, and what each costs, of the first model: a sentence each."""
    first = result.terms[0]
    rows, among = headline(result)
    if not rows:
        return [say("No two groups could be compared on held-out people.")]
    row = rows[0]
    terms = [term for term in result.terms if term.model == first.model]
    names = {t.name: t.name if len(result.protocol.models) > 1 else t.name.partition(" · ")[0] for t in terms}
    gaps = [_with(rows.where(**result.of(t))[0], names[t.name], 100) for t in terms]
    areas = result.estimates.only(metric="AUC", attribute="", contrast="none")
    prices = [_with(own[0], names[t.name], 1) for t in terms if (own := areas.only(**result.of(t)))]
    values = {"group": row.group, "reference": row.reference, "attribute": row.attribute, "gaps": ", ".join(gaps)}
    if result.protocol.train_on == "training":
        said = say(
            "A person with {attribute} = {group} scores higher than one with {attribute} = {reference} in so many of "
            "100 random held-out pairs: {gaps}; 50 is no difference.",
            **values,
        )
    else:
        said = say(
            "A person with {attribute} = {group} scores higher than one with {attribute} = {reference} in so many of "
            "100 random pairs: {gaps}; 50 is no difference.",
            **values,
        )
    if among > 1 and row.conf_level == row.conf_level:
        picked = say(
            "Of {n} comparisons of two groups this one is furthest from 50 with {method}; the intervals hold for all "
            "{n} at once (Bonferroni: {level} each).",
            n=among,
            method=names[first.name],
            level=level(row.conf_level),
        )
        return [said, *_reversed(result, row, names), picked, *holding(rows, terms, names, result), *_areas(prices)]
    return [said, *_reversed(result, row, names), *holding(rows, terms, names, result), *_areas(prices)]


def _reversed(result: Comparison, row: Estimate, names: dict[str, str]) -> list[str]:
    """A sentence on every method with which the gap runs the other way."""
    return [
        say(
            "{method} reversed the gap in the {rate}: {group} less {reference} is {old} percentage points with {first} "
            "and {new} ({low} to {high}) with {method}.",
            method=names.get(term.name, term.name),
            rate=metrics.in_text(after.metric),
            group=row.group,
            reference=row.reference,
            first=names.get(result.label(before), result.label(before)),
            old=signed(100 * before.estimate),
            new=signed(100 * after.estimate),
            low=signed(100 * after.conf_low),
            high=signed(100 * after.conf_high),
        )
        for term, before, after in reversals(result, row)
    ]


def _areas(prices: Sequence[str]) -> list[str]:
    return [f"AUC: {', '.join(prices)}."] if prices else []


def _with(row: Estimate, name: str, times: int) -> str:
    """The number of one method, with its interval."""
    digits = 1 if times == 100 else 3
    if math.isnan(row.estimate):
        return say("not estimable with {method}", method=name)
    value = number(times * row.estimate, digits)
    if math.isnan(row.conf_low):
        return say("{value} with {method}", value=value, method=name)
    ends = {"low": number(times * row.conf_low, digits), "high": number(times * row.conf_high, digits)}
    return say("{value} with {method} ({interval})", value=value, method=name, interval=say("{low} to {high}", **ends))


def summarize(result: Comparison) -> str:
    """The text of ``Comparison.summary``.

    Parameters
    ----------
    result : Comparison
        The comparison.

    Returns
    -------
    str
        Lines of at most 80 characters.
    """
    lines = [f"Comparison of {len(result.protocol.methods)} methods on {result.data.name}", ""]
    lines += [*_wrapped(finding(result)), "", *_protocol(result), ""]
    lines += [*_wrapped(_columns(result)), ""]
    for attribute in ("", *result.references):
        lines += _levels(result, attribute)
    for attribute, reference in result.references.items():
        lines += _gaps(result, attribute, reference)
    lines += [*_costs(result), *_parity(result), *_representation(result)]
    lines += ["Cautions"]
    for note in result.notes:
        lines += _wrapped(note, "  - ", "    ")
    return "\n".join(line.rstrip() for line in lines).rstrip()


def _wrapped(text: str, first: str = "", rest: str = "") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=rest or " " * len(first))


def _protocol(result: Comparison) -> list[str]:
    p = result.protocol
    helps = f", {p.favorable} helps" if p.favorable else ""
    entries = {
        "Outcome": f"{p.outcome} = {p.positive}{helps}",
        "Groups": "; ".join(f"{a} (reference {r})" for a, r in result.references.items()),
        "Features": f"{p.n_features} columns{' (standardized)' if p.scale else ''}: {p.features}",
        "Methods": f"{', '.join(p.methods)}; {', '.join(map(str, p.k))} components where a method has them",
        "Models": ", ".join(p.models),
        "Splits": f"{p.repeats}, {count(p.n_train)} people trained on and {count(p.n_test)} held out, "
        f"{'as given' if p.given else 'by group and outcome'}; seed {p.seed}",
        "Adjusted p": "Holm; a family is one metric within one attribute",
    }
    return [line for name, text in entries.items() for line in _wrapped(text, f"  {name:<11}", " " * 13)]


def _columns(result: Comparison) -> str:
    p = result.protocol
    share = f"sel.: share predicted {p.favorable}" if p.favorable else f"pos.: share predicted {p.positive}"
    return f"Means over the splits, of n people held out; {share}; mean: mean score."


def _clip(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _levels(result: Comparison, attribute: str) -> list[str]:
    """One line a term and group: the means of the metrics over splits."""
    rows = result.estimates.where(attribute=attribute, contrast="none", reference="")
    columns = [m for m in LEVELS if any(r.metric == m for r in rows)]
    rows = rows.where(metric=(*columns, "accuracy"))
    heading = f"By {_clip(attribute, 20)}" if attribute else "Everybody"
    lines = [f"{heading:<24}{'n':>7}" + "".join(f"{metrics.get(m).short or m:>7}" for m in columns)]
    groups = list(dict.fromkeys(r.group for r in rows))
    for term in result.terms:
        lines += [f"  {_clip(term.name, 60)}"] if attribute else []
        for group in groups[:MOST_GROUPS]:
            own = {r.metric: r for r in rows.where(**result.of(term), group=group)}
            name = f"    {_clip(group, 19)}" if attribute else f"  {term.name}"
            if len(name) > 23:
                lines.append(_clip(name, WIDTH))
                name = ""
            cells = "".join(f"{_number(own[m].estimate):>7}" for m in columns)
            lines.append(f"{name:<24}{number(own['accuracy'].n, 0):>7}{cells}")
    return [*lines, *_more(groups), ""]


def _more(groups: Sequence[str]) -> list[str]:
    hidden = len(groups) - MOST_GROUPS
    return [f"  ... and {hidden} more groups; all in tidy()"] if hidden > 0 else []


def _number(value: float) -> str:
    return "" if math.isnan(value) else number(value, 3)


def _gaps(result: Comparison, attribute: str, reference: str) -> list[str]:
    """Group less reference for each term, then how the method changes that gap."""
    rows = result.estimates.where(attribute=attribute, reference=reference, role="main")
    groups = list(dict.fromkeys(r.group for r in rows))
    columns = [m for m in GAPS if any(r.metric == m for r in rows)]
    lines = []
    for group in groups[:MOST_GROUPS]:
        lines += _wrapped(f"{group} less {reference} ({attribute}): difference, interval, adjusted p")
        for metric in columns:
            own = rows.where(group=group, metric=metric)
            shown = "P(X>Y), no difference is 0.5" if metric == "P(X>Y)" else metric
            lines += [f"  {shown}", *_lines(result, own)]
        lines.append("")
    return [*lines, *_more(groups)]


def _costs(result: Comparison) -> list[str]:
    rows = result.estimates.where(attribute="", contrast="difference", metric=COSTS)
    lines = []
    for metric in COSTS:
        own = rows.where(metric=metric)
        lines += [f"  {metric}", *_lines(result, own)] if len(own) else []
    return ["Between methods, everybody: difference, interval, adjusted p", *lines, ""] if lines else []


def _parity(result: Comparison) -> list[str]:
    """Gaps over all groups of each attribute, where there are more than two or several are asked for."""
    lines = []
    for attribute in result.references:
        rows = result.estimates.where(attribute=attribute, contrast="none", metric=(PARITY, ODDS))
        lines += _wrapped(
            f"Largest less smallest rate over the groups of {attribute}; chance makes it larger: compare methods"
        )
        lines += [
            line for metric in (PARITY, ODDS) for line in (f"  {metric}", *_lines(result, rows.where(metric=metric)))
        ]
        lines.append("")
    return lines


def _representation(result: Comparison) -> list[str]:
    """What each variant keeps of the variance, and what its scores give away, on the test rows."""
    rows = result.estimates.where(contrast="none", metric=(EXPLAINED, DISCREPANCY, SECONDS))
    if not rows:
        return []
    lines = ["Representations of the test rows: mean, interval"]
    for metric in (EXPLAINED, DISCREPANCY, SECONDS):
        for reference in dict.fromkeys((r.attribute, r.group, r.reference) for r in rows.where(metric=metric)):
            attribute, group, against = reference
            own = rows.where(metric=metric, attribute=attribute, group=group, reference=against)
            lines += [f"  {metric}{f', {group} against {against}' if against else ''}", *_lines(result, own)]
    return [*lines, ""]


def _lines(result: Comparison, rows: Estimates) -> Iterator[str]:
    for row in rows:
        name = f"    {_clip(result.label(row), 36)}"
        if math.isnan(row.estimate):
            yield f"{name:<41}not estimable"
            continue
        interval = "" if math.isnan(row.conf_low) else f"[{number(row.conf_low, 3)}, {number(row.conf_high, 3)}]"
        yield f"{name:<41}{number(row.estimate, 3):>7} {interval:<18} {p_value(row.p_adjusted, ''):>8}"
