"""The scorecard of page one: every group of every declared attribute, with its people, rates, gap and errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from fairstats.auditing.amounts import WEIGHTS_WITHIN
from fairstats.auditing.answer import (
    FEW,
    OVERTURNED,
    RATES,
    SCORES,
    Answer,
    complement,
    declared,
    distance,
    quantities,
    undone,
)
from fairstats.auditing.protocol import Protocol, Resolved
from fairstats.auditing.rates import HEADLINES
from fairstats.auditing.result import FEWEST_FREEDOM, Audit, bounds_over_withheld, design_lines, plain
from fairstats.auditing.sentences import (
    BY_CHANCE,
    ERRORS,
    NO_RATIO,
    answer_event,
    deed,
    error_noun,
    error_word,
    errors_of,
    few_counted,
    level_of,
    not_settled,
    outcome_event,
    ratio_of,
    short_deed,
    short_name,
    spoken_of,
    strata_name,
    without_auxiliary,
)
from fairstats.auditing.suppression import HIGHEST_RATE
from fairstats.document import Forest, ForestCell, Heading
from fairstats.estimates import SHOWN, Estimate, alone, negated
from fairstats.inference.verdicts import NO_INTERVAL, beyond, comparisons_of, decisive_interval, remains
from fairstats.labels import holds_missing
from fairstats.language import mark, say, say_number, says, translated
from fairstats.reporting import words
from fairstats.reporting.figures.rates import interval_mark, rate_mark
from fairstats.reporting.sections.shared import (
    RANGES,
    bounds_within,
    by_size,
    cells_withheld,
    ratios_under_law,
    stand_for_more,
)
from fairstats.reporting.tables import crude_levels, has_limits, text
from fairstats.text import capital, level_number, listed, percent
from fairstats.validation import BH, CREDIT, EMPLOYMENT, HOLM

MOST_GROUPS = 10  # lines of the scorecard, those of the references apart
MOST_OF_DEED = 12  # letters of a participle in the heading of a narrow column
MOST_KNOWN = 4  # groups whose people with a known decision a note counts
FEWEST = 30  # people whose share is read as that of their group
DOT = "\N{BLACK CIRCLE}"
STEPS = (1, 2, 5, 10, 20, 25, 50)  # between the ticks of an axis, in points
CHANCE = "P(X>Y)"
Keyed = dict[tuple[str, str], Estimate]


def ticks(low: float, high: float, most: int) -> tuple[float, ...]:
    """Ticks at round shares around all that is drawn, between which there are so many steps at most.

    >>> ticks(-0.19, 0.137, 4), ticks(0.0, 0.58, 4)
    ((-0.2, -0.1, 0.0, 0.1, 0.2), (0.0, 0.2, 0.4, 0.6))
    """
    for step in STEPS:
        first, last = math.floor(100 * low / step + 1e-9), math.ceil(100 * high / step - 1e-9)
        if last - first <= most:
            break
    return tuple(k * step / 100 for k in range(first, max(last, first + 1) + 1))


def scorecard(audit: Audit, result: Sequence[Answer]) -> Forest | None:
    """A line a group of the attributes that have an answer; None where no group has a rate.

    The reference first, then the others by size; where there are more than ten, those farthest from their reference.
    """
    answers = [one for one in spoken_of(result) if one.metric]
    if any(one.metric in quantities() for one in answers):
        return _amounts_card(audit, answers)
    card = _card_of(audit, answers)
    if card is None:
        return None
    order, rates, gaps = _in_order(audit, answers), card.rates, card.gaps
    references = {(name, audit.references[name]) for name in order}
    lines = [(name, group) for name in order for group in _groups(audit, name)]
    others = [line for line in lines if line not in references and line in rates]
    kept = {*references, *_farthest(others, gaps)}
    rows: list[tuple[ForestCell, ...]] = []
    for name in order:
        rows.append((ForestCell(capital(audit.protocol.called(name))),))
        of_name = [line for line in lines if line[0] == name and line in kept]
        if len(kept) < len(references) + len(others):  # farthest below the reference first
            of_name.sort(key=lambda line: -math.inf if line in references else gaps[line].estimate)
        rows += [card.row(line, line in references, f"card-{len(rows) + i}") for i, line in enumerate(of_name)]
    left = [line for line in others if line not in kept]
    withheld = any(gaps[line].status == "suppressed" for line in others if line in kept and line in gaps)
    note = f"{card.note(left, withheld)} {_elsewhere(audit, order)}".strip()
    return Forest(card.headings, tuple(rows), note)


def _in_order(audit: Audit, answers: Sequence[Answer]) -> list[str]:
    """The attributes that have an answer, as the table has them."""
    return [name for name in audit.references if name in {one.attribute for one in answers}]


def _card_of(audit: Audit, answers: Sequence[Answer]) -> _Card | None:
    """The columns of a table of rates, scores or outcomes; None where no group has a rate."""
    order = _in_order(audit, answers)
    metrics = (*(one.metric for one in answers), *HEADLINES)
    metric = next((name for name in metrics if any(row.group for row in _rows(audit, name, "none").values())), "")
    rates, gaps = (
        {key: row for key, row in _rows(audit, metric, contrast).items() if key[0] in order}
        for contrast in ("none", "difference")
    )
    if not any(map(words.shown, rates.values())):
        return None
    gaps = rates if metric == CHANCE else gaps  # it is itself a comparison
    if any(one.flags for one in answers):
        rates, gaps = ({key: complement(row) for key, row in rows.items()} for rows in (rates, gaps))
    called = answer_event(
        audit.protocol, next((one for one in answers if one.metric == metric), Answer("", "unanswered", metric))
    )
    return _Card(audit, metric, rates, gaps, answers, called)


def error_nouns(audit: Audit) -> dict[str, str]:
    """What titles call the errors."""
    return {metric: error_noun(audit.protocol, metric) for metric in ERRORS}


MEANS, MEDIANS = ("mean amount", "gap of means"), ("median amount", "gap of medians")


def _amounts_card(audit: Audit, answers: Sequence[Answer]) -> Forest | None:
    """The same of amounts: people, mean or median, the gap as it is, and that of people who are alike."""
    protocol, averages = audit.protocol, MEDIANS if answers[0].metric in MEDIANS else MEANS
    order = _in_order(audit, answers)
    levels, gaps, differences = (
        {key: row for key, row in _rows(audit, metric, contrast).items() if key[0] in order}
        for metric, contrast in ((averages[0], "none"), (averages[1], "none"), (averages[0], "difference"))
    )
    if not any(map(words.shown, levels.values())):
        return None
    in_percent = any(map(words.shown, gaps.values()))
    gaps = gaps if in_percent else differences
    alike: Keyed = {}
    adjusted = bool(protocol.alike and not protocol.strata)  # the answer is within strata where both are declared
    metric = "adjusted gap of means" if adjusted else "gap of means within strata"
    if in_percent and averages == MEANS:
        rows = audit.estimates.only(metric=metric, role="main", contrast="none", term="")
        alike = {(row.attribute, row.group): row for row in rows if row.attribute in order}
    references = {(name, audit.references[name]) for name in order}
    lines = [(name, group) for name in order for group in _groups(audit, name)]
    others = [line for line in lines if line not in references and line in levels]
    kept = {*references, *_farthest(others, gaps)}
    unit, share = protocol.unit, "%" if in_percent else protocol.unit
    wide = "number gap wide"
    headings = [
        text(say("Group")),
        Heading(say("people"), kind="number people"),
        Heading(say("mean") if averages == MEANS else say("median"), unit, "number rate wide"),
        Heading(say("crude gap") if alike else say("gap") if in_percent else say("difference"), share, wide),
    ]
    if alike:
        names = strata_name(audit)
        within = say("alike in {names}", names=names) if adjusted else say("within {strata}", strata=names)
        headings.append(Heading(within, share, wide))
    headings.append(text(say("finding")))
    cells: list[tuple[ForestCell, ...]] = []
    for name in order:
        cells.append((ForestCell(capital(protocol.called(name))),))
        for line in (line for line in lines if line[0] == name and line in kept):
            level, gap = levels.get(line), gaps.get(line)
            called, answer = short_name(protocol, *line), alike.get(line, gap)
            reference = line in references
            cells.append(
                (
                    ForestCell(say("{group} (reference)", group=called) if reference else called),
                    ForestCell(words.count(level.n) if level is not None and level.n == level.n else words.DASH),
                    ForestCell(words.estimate(level) if level is not None else words.DASH),
                    _gap_cell(gap, protocol.conf_level),
                    *([_gap_cell(alike.get(line), protocol.conf_level)] if alike else []),
                    ForestCell("" if reference or answer is None else status(_less(answer), protocol.margin.gap)),
                )
            )
    compared = [*gaps.values(), *alike.values()]
    apart = crude_levels(gaps.values(), alike.values(), protocol) if alike else ""
    levels_of = [*alike.values()] if apart else compared
    note = [_less_is_a_gap(averages) if in_percent else "", *level_lines(protocol, levels_of)]
    note.append(_size_open(map(_less, (alike or gaps).values()), protocol.margin.gap))
    note.append(say("Gaps are computed before rounding.") if averages == MEANS and in_percent else "")
    note.append(say(WEIGHTS_WITHIN) if alike and not adjusted else "")
    note.append(apart)
    if protocol.min_n > 1 and any(row.status == "suppressed" for row in (*levels.values(), *compared)):
        note.append(say(WITHHELD, n=protocol.min_n))
    note += [_further([line for line in others if line not in kept], gaps), _elsewhere(audit, order)]
    return Forest(tuple(headings), tuple(cells), " ".join(filter(None, note)))


def _gap_cell(row: Estimate | None, conf_level: float) -> ForestCell:
    """A gap with its interval; conf_level: of all intervals of its family together."""
    if row is None or not words.shown(row):
        return ForestCell(words.DASH)
    return ForestCell(words.estimate(row), words.interval(row, conf_level))


def _less(row: Estimate) -> Estimate:
    """A gap as a difference, which is below 0 where the group gets less."""
    if row.contrast == "difference":
        return row
    return negated(row)


def _less_is_a_gap(averages: tuple[str, str]) -> str:
    if averages == MEANS:
        return say("Gap: by how much the mean is below that of the reference, in % of it; below 0 it is above.")
    return say("Gap: by how much the median is below that of the reference, in % of it; below 0 it is above.")


def error_name(audit: Audit, metric: str) -> str:
    """What an error rate is called over its table: as in the scorecard, and by its name in the field."""
    plain = capital(error_word(audit.protocol, metric))
    rate = words.in_text(metric)
    return plain if plain == capital(rate) else say("{plain} ({rate})", plain=plain, rate=rate)


def card_title(card: Forest, audit: Audit) -> str:
    """What the scorecard has: every group, or those whose intervals lie farthest from no gap."""
    drawn = sum(len(row) > 1 for row in card.rows)
    named = [row[0].text for row in card.rows if len(row) == 1]
    names = [name for name in audit.references if capital(audit.protocol.called(name)) in named]
    values = {"n": drawn - len(names), "names": listed([audit.protocol.called(name) for name in names])}
    of_some = not set(declared(audit)) <= set(names)  # of many attributes those without a difference have no lines
    if drawn >= sum(cell.attribute in names for cell in audit.cells):
        return say("Every group of {names}", **values) if of_some else say("Every group")
    if of_some:
        return say("Of {names}: references, and the {n} groups with the strongest evidence of a gap", **values)
    if len(names) == 1:
        return say("The reference and the {n} groups with the strongest evidence of a gap", **values)
    return say("The references and the {n} groups with the strongest evidence of a gap", **values)


def _rows(audit: Audit, metric: str, contrast: str) -> Keyed:
    rows = audit.estimates.only(metric=metric, contrast=contrast, role="main", given="", term="")
    return {(row.attribute, row.group): row for row in rows}


def _groups(audit: Audit, name: str) -> list[str]:
    """The reference first, the largest next, people of unknown group last."""
    return sorted(by_size(audit, name), key=lambda group: (group != audit.references[name], holds_missing(group)))


def _farthest(lines: Sequence[tuple[str, str]], gaps: Keyed) -> list[tuple[str, str]]:
    """The lines whose intervals lie farthest from equality, where there are too many."""
    if len(lines) <= MOST_GROUPS:
        return list(lines)
    known = [line for line in lines if line in gaps and words.shown(gaps[line])]
    return sorted(known, key=lambda line: distance(gaps[line]), reverse=True)[:MOST_GROUPS]


def withheld_together(audit: Audit, name: str, metric: str, flagged: bool) -> tuple[float, float]:
    """What subtraction gives of the withheld groups of an attribute: people, and those decided; 0 where nothing."""
    kept = audit.protocol
    if metric != "selection rate":
        return 0, 0
    cells = {one: [cell for cell in audit.cells if cell.attribute == one] for one in audit.references}
    whole = next((c for one, c in cells.items() if one in plain(audit) and all(cell.n == cell.n for cell in c)), [])
    hidden = [cell for cell in cells.get(name, []) if cell.n != cell.n]
    if not whole or len(hidden) < 2 or kept.weights or kept.missing != "level" or cells_withheld(audit):
        return 0, 0
    count = "unfavorable" if flagged else "favorable"
    shown = [cell for cell in cells[name] if cell.n == cell.n]
    n, k = (sum(getattr(c, part) for c in whole) - sum(getattr(c, part) for c in shown) for part in ("n", count))
    return (n, k) if kept.min_n <= n and 0 < k < n else (0, 0)


WITHHELD = mark("Withheld: a group of fewer than {n} people, or one from which such a group could be computed.")


def _further(left: Sequence[tuple[str, str]], gaps: Keyed) -> str:
    """How many groups are not in the table; "" where all are."""
    if not left:
        return ""
    n = len(left)
    if any(line not in gaps or not words.shown(gaps[line]) for line in left):
        return say_number(
            "{n} further group, with less evidence of a gap or withheld, is in the tables.",
            "{n} further groups, with less evidence of a gap or withheld, are in the tables.",
            n,
            n=n,
        )
    return say_number(
        "{n} further group, with less evidence of a gap, is in the tables.",
        "{n} further groups, with less evidence of a gap, are in the tables.",
        n,
        n=n,
    )


def _elsewhere(audit: Audit, order: Sequence[str]) -> str:
    """Where the attributes stand that have no line, as of many those without a difference; "" where all have some."""
    names = [audit.protocol.called(name) for name in declared(audit) if name not in order]
    return say("The groups of {names} are in the tables of later pages.", names=listed(names, 12)) if names else ""


def _is_long(label: str) -> bool:
    """Whether a word of a heading would break in a column of a rate."""
    return max(map(len, label.split()), default=0) > 7


def _counts(rows: Keyed) -> dict[tuple[str, str], tuple[float, float]]:
    """Of each line those who were counted, and those with the outcome."""
    return {line: (row.n, row.events) for line, row in rows.items()}


class _Card:
    """The columns of the scorecard: with a declared margin the findings beside it, otherwise the errors."""

    def __init__(
        self, audit: Audit, metric: str, rates: Keyed, gaps: Keyed, result: Sequence[Answer], called: tuple[str, bool]
    ) -> None:
        self.audit, self.metric, self.rates, self.gaps, self.called = audit, metric, rates, gaps, called
        self.within = [one for one in result if one.within is not None]
        self.of_chances = metric == CHANCE  # each of two groups, without a rate of either
        self.flagged = any(one.flags for one in result)
        self.margin = audit.protocol.margin.auc if self.of_chances else audit.protocol.margin.difference
        self.base = _rows(audit, "base rate", "none") if metric != "base rate" else {}
        self.outcomes_apart = {line for line, gap in _rows(audit, "base rate", "difference").items() if remains(gap)}
        self.ratios = ratios_under_law(audit, metric)
        errors = {m: _rows(audit, m, "none") for m in errors_of(audit)}
        errors = {m: rows for m, rows in errors.items() if any(r.status != "unestimable" for r in rows.values())}
        # two gaps, a finding and errors do not fit a page, nor do a ratio, a finding and two errors
        beside_margin = 0 if self.within else 2
        beside_gaps = len(errors) - bool(self.within)  # a second gap takes the room of the last error
        room = beside_margin if self.margin else beside_gaps  # of columns, the error that harms first
        self.errors = dict([*errors.items()][:room])
        if _counts(self.base) == _counts(self.errors.get("PPV", {})):  # outcomes are known of one decision alone
            self.base = {}
        self.findings = bool(self.margin) or not errors
        self.beside = {m: _rows(audit, m, "difference") for m in self.errors}
        self.cells = {(cell.attribute, cell.group): cell for cell in audit.cells}
        self.level = level_of(audit, tuple(result))
        self.bounds = {name: bounds_over_withheld(audit, metric, name) for name in audit.references}
        if self.flagged:
            self.bounds = {name: {k: complement(b) for k, b in ends.items()} for name, ends in self.bounds.items()}
        self.bounds_within = {name: bounds_within(audit, name, metric) for name in audit.references}
        # declared strata are the question: what holds them fixed has the verdict
        self.compared = {**gaps}
        for one in self.within:
            for line in (line for line in rates if line[0] == one.attribute):
                self.compared.pop(line, None)
                for gap in _within(audit, *line, SCORES if self.of_chances else RATES):
                    self.compared[line] = complement(gap) if self.flagged else gap
        # beside two gaps there is no room for one that can be read
        self.has_marks = not (self.within or self.of_chances)
        self.overturned = {line for line, gap in gaps.items() if undone(audit, gap) is not None}
        ends = [row.estimate for row in rates.values() if words.shown(row)]
        if self.margin is not None:
            ends = [v for row in gaps.values() for v in decisive_interval(row) if v == v]
            ends += [self.margin, -self.margin]
        self.ticks = ticks(min([0.0, *ends]), max([0.0, *ends]), 2)

    @property
    def headings(self) -> tuple[Heading, ...]:
        """What each column holds."""
        labels, (rate, in_words) = self.audit.protocol.labels, self.called
        called = "" if self.errors else labels.unit  # a short word where columns are many
        people = "number people" if self.errors else "number people wide"
        columns = [text(say("Group"))]
        columns.append(Heading(called or say("people"), kind=people))
        outcome = without_auxiliary(labels.positive) or say("outcome rate")
        shares = [outcome_event(self.audit, outcome).replace("`", "")] if self.base else []
        share = without_auxiliary(rate) if in_words or self.flagged else words.in_text(self.metric)
        shares += [] if self.of_chances else [share]
        alone = not (self.errors or self.base)
        columns += [
            Heading(share, "%", "number rate wide" if alone or (_is_long(share) and not self.errors) else "number rate")
            for share in shares
        ]
        columns += [Heading(self._scale(), "", "mark")] if self.has_marks else []
        beside = self.errors or self.margin or self.within or self.ratios
        gap = "number gap" if beside else "number gap wide"  # room for dots
        gap = "number gap found" if beside and self.findings else gap
        unit = "%" if self.of_chances else say("points")
        if self.of_chances:
            share = say("{rate}, crude", rate=share) if self.within else share
            columns.append(Heading(share, unit, "number gap wide"))
        else:
            columns.append(Heading(say("crude gap") if self.within else say("gap"), unit, gap))
        if self.within:
            columns.append(Heading(say("within {strata}", strata=strata_name(self.audit)), unit, "number gap"))
        columns += [text(say("finding"))] if self.findings else []  # beside the gap that it is of
        if self.ratios:
            ratio = say(RATIO_HEADINGS[self.audit.protocol.law])
            if any(row.given for row in self.ratios):
                ratio = say("ratio within {strata}", strata=strata_name(self.audit))
            columns.append(Heading(ratio, kind="number ratio"))
        for metric in self.errors:
            name = self._error_column(metric)
            kind = "number rate" if metric == "PPV" or _is_long(name) else "number"
            columns.append(Heading(name, "%", "number rate long" if metric == "PPV" and self.in_full else kind))
        return tuple(columns)

    @property
    def in_full(self) -> bool:
        """Whether the heading of the predictive value says of whom it is a share, which no note has to say then."""
        protocol = self.audit.protocol
        return bool(protocol.labels.positive) and len(short_deed(protocol)) > MOST_OF_DEED

    def _error_column(self, metric: str) -> str:
        """What an error is called over its column, where a long participle would take four lines."""
        protocol = self.audit.protocol
        if metric != "PPV" or len(short_deed(protocol)) <= MOST_OF_DEED:
            return error_word(protocol, metric)
        return of_those(protocol) if self.in_full else say("right when so decided")

    def row(self, line: tuple[str, str], reference: bool, mark: str) -> tuple[ForestCell, ...]:
        """The line of one group."""
        (name, group), audit = line, self.audit
        row, gap, bounds = self.rates.get(line), self.gaps.get(line), self.bounds[line[0]]
        compared = self.compared.get(line)
        sign = f" {OVERTURNED}" * (line in self.overturned)
        contrast = "none" if self.of_chances else "difference"
        crude = self._gap(gap, bounds.get((group, contrast)), dotted=not self.within)
        called = short_name(audit.protocol, name, group)
        n = next(c.n for c in audit.cells if (c.attribute, c.group) == line)
        cells = [
            ForestCell(
                say("{group} (reference)", group=called) if reference else called,
                say("under {n} people", n=FEWEST) if n < FEWEST else "",
            ),
            ForestCell(words.count(n) if n == n else words.DASH),
            *([self._outcome(line)] if self.base else []),
            *([] if self.of_chances else [self._rate(row, bounds.get((group, "none")))]),
            *([ForestCell("", mark=self._mark(row, compared, line, mark, reference))] if self.has_marks else []),
            crude if self.findings else replace(crude, text=f"{crude.text}{sign}"),
            *([self._gap(compared, self.bounds_within[name].get((group, contrast)))] if self.within else []),
        ]
        if self.findings:
            known = None if compared is None or reference else _centered(compared) if self.of_chances else compared
            found = "" if known is None else f"{status(known, self.margin)}{sign}"
            cells.append(ForestCell(found))
        cells += [self._ratio(line)] if self.ratios else []
        cells += [self._error(rows.get(line), self.beside[m].get(line)) for m, rows in self.errors.items()]
        return tuple(cells)

    def _scale(self) -> str:
        """The ticks of the axis that the marks of all lines share, an en space between them."""
        each = [words.percent(tick, 0) for tick in self.ticks]
        if self.margin is None:
            each[-1] = say("{share}%", share=each[-1])
        return "\N{EN SPACE}".join(each)

    def _ratio(self, line: tuple[str, str]) -> ForestCell:
        """The rate over the highest of the attribute; none of people whose group is not known."""
        if holds_missing(line[1]):
            return ForestCell(words.DASH)
        rows = [row for row in self.ratios if row.attribute == line[0]]
        ratio = next((row for row in rows if row.group == line[1]), None)
        if ratio is None:  # the ratios of the others are to it
            return ForestCell(
                words.number(1.0, 2)
                if any(row.reference == line[1] and words.shown(row) for row in rows)
                else words.DASH
            )
        bounds = self.audit.estimates.only(metric=ratio.metric, role="bounds")
        return ForestCell(ratio_of(ratio, bounds) if words.shown(ratio) else words.DASH)

    def _mark(
        self, row: Estimate | None, gap: Estimate | None, line: tuple[str, str], name: str, reference: bool
    ) -> object:
        if row is None or not words.shown(row):
            return None
        if self.margin is not None:
            if gap is None or not words.shown(gap):
                return None
            ends = gap.estimate, *decisive_interval(gap)
            return interval_mark(name, *ends, self.ticks, gap.verdict, self.margin)
        base = self.rates.get((line[0], self.audit.references[line[0]]))
        middle = base.estimate if base is not None and words.shown(base) else None
        filled = gap is not None and gap.verdict in SHOWN
        return rate_mark(name, row.estimate, middle, self.ticks, filled=filled, square=reference)

    def _rate(self, row: Estimate | None, bound: Estimate | None = None) -> ForestCell:
        """A share in per cent."""
        if row is None or not words.shown(row):
            return ForestCell(words.DASH)
        show = _share(row.n < FEW)
        if bound is None and few_counted(row):
            return ForestCell(say("{k} of {n}", k=words.count(row.events), n=words.count(row.n)))
        if bound is not None:
            return ForestCell(words.span(bound.conf_low, bound.conf_high, show))
        return ForestCell(show(row.estimate))

    def _outcome(self, line: tuple[str, str]) -> ForestCell:
        """The share with the outcome, which is described and has no verdict, with a dot as the errors have it."""
        cell = self._rate(self.base.get(line))
        return replace(cell, text=f"{DOT} {cell.text}") if line in self.outcomes_apart else cell

    def _error(self, row: Estimate | None, gap: Estimate | None) -> ForestCell:
        """An error rate with a dot where its difference from the reference is beyond chance, a dagger where alone."""
        if row is None or not words.shown(row):
            return ForestCell(words.DASH)
        share, below = _share(row.n < FEW)(row.estimate), ""
        if few_counted(row):
            share = say("{k} of {n}", k=words.count(row.events), n=words.count(row.n))
        elif row.n < FEWEST:
            below = say("n={n}", n=words.count(row.n))
        return ForestCell(f"{self._sign(gap)} {share}".strip(), below)

    def _sign(self, gap: Estimate | None) -> str:
        if gap is None or gap.verdict not in SHOWN:
            return ""
        return words.ALONE if alone(gap, self.level) else DOT

    def _gap(self, row: Estimate | None, bound: Estimate | None = None, dotted: bool = True) -> ForestCell:
        if row is None or not words.shown(row):
            return ForestCell(words.DASH)
        pair = (self.rates.get((row.attribute, group)) for group in (row.group, row.reference))
        show = _share(any(rate is not None and rate.n < FEW for rate in pair))

        def signed(value: float) -> str:
            return f"{'+' * (value > 0 and not self.of_chances)}{show(value)}"

        value = signed(row.estimate) if bound is None else words.span(bound.conf_low, bound.conf_high, signed)
        present = row.conf_low == row.conf_low
        ends = words.span(*decisive_interval(row), show) if present else words.p_value(row.p_adjusted)
        return ForestCell(
            f"{DOT} {value}" if dotted and row.verdict in SHOWN and not self.margin else value, f"({ends})"
        )

    def note(self, left: Sequence[tuple[str, str]], withheld: bool) -> str:
        """What the marks say, which level the intervals have, what is withheld, and which groups are not in the table.

        left: the groups that are not in the table; withheld: whether one that is has no numbers.
        """
        protocol = self.audit.protocol
        lines = []
        if "PPV" in self.errors and not self.in_full:
            name = capital(self._error_column("PPV"))
            lines.append(say("{name}: {what}.", name=name, what=of_those(protocol)))
        if stand_for_more(protocol):
            notes = [
                note for note in design_lines(self.audit.notes) if not any(says(note, one) for one in FEWEST_FREEDOM)
            ]
            lines += list(map(translated, notes)) or [
                say("People are sums of weights: those whom the people of the data stand for.")
            ]
        lines.append(self._known())
        lines += [self._signs(), *self._levels()]
        if self.margin:
            lines.append(say(GRAY) if self.has_marks else say(MARGIN))
            compared = self.compared.values()
            lines.append(_size_open(map(_centered, compared) if self.of_chances else compared, self.margin))
        if protocol.four_fifths and any(map(words.shown, self.ratios)):
            within = any(row.given for row in self.ratios)
            text = say(IMPACT_WITHIN, strata=strata_name(self.audit)) if within else say(IMPACT_RATIO)
            lines += [text, *self._highest()]
        single = [row for row in self.ratios if not self.audit.protocol.is_crossed(row.attribute)]
        lines += [say(NO_RATIO)] if any(row.reason == HIGHEST_RATE for row in single) else []
        if any(self.bounds.values()):
            lines.append(say(RANGES))
        lines.append(self._rounded())
        if withheld and protocol.min_n > 1:
            lines.append(say(WITHHELD, n=protocol.min_n))
            rows = [*self.gaps.values()]
            if 0 < sum(row.status == "ok" for row in rows) < _comparisons(protocol, rows):
                lines.append(say("The comparisons of withheld groups are among those adjusted for."))
        lines.append(_further(left, self.gaps))
        return " ".join(filter(None, lines))

    def _levels(self) -> list[str]:
        """The level of the intervals, of crude gaps apart where that is another one."""
        protocol, gaps = self.audit.protocol, self.gaps.values()
        within = [row for row in self.compared.values() if row.given] if self.within else []
        crude = crude_levels(gaps, within, protocol) if any(map(has_limits, within)) else ""
        return [*level_lines(protocol, within if crude else [*gaps]), crude]

    def _known(self) -> str:
        """Of how many people a rate of everybody is, where entries of some whom the table counts are missing."""
        metric = words.metric_row(self.metric)
        if metric.given:
            return ""
        shown = {line: row.n for line, row in self.rates.items() if line in self.cells and words.shown(row)}
        known = {line: n for line, n in shown.items() if n < self.cells[line].n}
        if len(known) > MOST_KNOWN:
            return say("People of whom an entry is missing are counted as people, and are in no rate.")
        each = [
            say("{n} {group}", n=words.count(n), group=short_name(self.audit.protocol, *line))
            for line, n in known.items()
        ]
        of: dict[tuple[str, ...], str] = {("decision",): mark("Rates are of people whose decision is known: {groups}.")}
        rest = mark("Rates are of people whose entries are known: {groups}.")
        return say(of.get(metric.columns, rest), groups=words.listed(each)) if each else ""

    def _signs(self) -> str:
        """What dots, diamonds, daggers and dashes say, of those that the table has."""
        dotted = self.has_marks or self.margin is None  # otherwise neither the picture nor the gaps have dots
        drawn = [gap for gap in self.compared.values() if words.shown(gap)] if dotted else []
        beside = [(rows.get(line), self.beside[m].get(line)) for m, rows in self.errors.items() for line in self.rates]
        signs = {self._sign(gap) for row, gap in beside if row is not None and words.shown(row)}
        lines = []
        apart = self.base and self.outcomes_apart & self.rates.keys()
        errors = [gap for row, gap in beside if row is not None and words.shown(row) and gap is not None]
        if any(gap.verdict == "equivalence shown" for gap in errors):
            lines.append(say("Filled dot: differs beyond chance; else not settled, or within the margin."))
        elif errors or apart or any(gap.verdict in SHOWN for gap in drawn) or signs - {""}:
            lines.append(say("Filled dot: differs beyond chance; else not settled."))
        elif self.has_marks and any(gap.verdict == "inconclusive" for gap in drawn):
            lines.append(say("Open dot: whether the group differs from the reference is not settled."))
        if any(gap.verdict == "equivalence shown" for gap in drawn):
            lines.append(say("Diamond: the difference is within the margin."))
        if self.overturned:
            lines.append(
                say("{sign} Among those who are known; those who are missing could overturn it.", sign=OVERTURNED)
            )
        if words.ALONE in signs:
            lines.append(f"{words.ALONE} {say(BY_CHANCE)}")
        return " ".join(lines)

    def _highest(self) -> list[str]:
        """Which groups the ratios are to, where one of them is not in the table."""
        crossed = self.audit.protocol.is_crossed
        rows = [row for row in self.ratios if words.shown(row) and row.reference and not crossed(row.attribute)]
        best = {r.attribute: r.reference for r in rows}
        references = {name: self.audit.references[name] for name in best}
        if len(best) == 1 and best != references:
            (name,) = best
            group, other = (short_name(self.audit.protocol, name, of[name]) for of in (best, references))
            return [
                say("Ratios: to {group}, the highest rate; gaps and findings: to {other}.", group=group, other=other)
            ]
        if best != references:
            return [say("Ratios: to the highest rate; gaps and findings: to the reference.")]
        if all(line in self.rates for line in best.items()):  # where the ratio is 1
            return []
        groups = [short_name(self.audit.protocol, name, one) for name, one in best.items()]
        return [say("Highest: {groups}.", groups=words.listed(groups))] if groups else []

    def _rounded(self) -> str:
        """Say why a printed gap, here or in a finding, may not be that of the printed shares."""
        if self.of_chances or not self.gaps:
            return ""
        return say("Gaps and ratios: of unrounded rates.") if self.ratios else say("Gaps: of unrounded rates.")


def open_errors(audit: Audit, result: tuple[Answer, ...]) -> str:
    """Of which errors without a column no difference is shown."""
    answers = [one for one in spoken_of(result) if one.metric]
    card = None if any(one.metric in quantities() for one in answers) else _card_of(audit, answers)
    tabled = () if card is None else card.errors
    return not_settled(audit, result, tabled)


def of_those(protocol: Resolved) -> str:
    """The event of a predictive value, and of whom it is a share."""
    had, decided = without_auxiliary(deed(protocol, "Y=1")), short_deed(protocol)
    return say("{had}, of those {decided}", had=had, decided=decided)


def _comparisons(protocol: Protocol, gaps: Iterable[Estimate]) -> int:
    """For how many comparisons the intervals of gaps are adjusted."""
    return comparisons_of((row.conf_level for row in gaps if row.status == "ok"), protocol.conf_level)


def level_lines(protocol: Protocol, gaps: Sequence[Estimate]) -> list[str]:
    """The level that the intervals of all gaps have together, and for how many comparisons they are adjusted."""
    rows = [row for row in gaps if row.status == "ok" and row.conf_level == row.conf_level]
    if protocol.p_adjust == HOLM:
        return [f"{capital(translated(NO_INTERVAL))}."]
    if not rows or protocol.p_adjust == BH:
        return []
    level = level_number(protocol.conf_level)
    many = _comparisons(protocol, rows)
    equal = [row for row in rows if row.verdict == "equivalence shown" and row.margin_low == row.margin_low]
    values = {"level": level, "n": many, "equal": level_number(2 * protocol.conf_level - 1)}
    values["alpha"] = level_number(1 - protocol.conf_level)
    if len(equal) == len(rows):
        values["level"] = values["equal"]
    if many < 2:
        lines = [say("{level}% intervals.", **values)]
    elif unknown := len({(row.attribute, row.group) for row in rows if holds_missing(row.group)}):
        wording = mark("{level}% intervals, adjusted for {n} comparisons, {k} of them of people of unknown group.")
        if unknown == 1:
            wording = mark("{level}% intervals, adjusted for {n} comparisons, one of them of people of unknown group.")
        lines = [say(wording, k=unknown, **values)]
    else:
        lines = [say("{level}% intervals, adjusted for {n} comparisons.", **values)]
    if equal:
        lines.append(
            say("That of a gap within the margin is the {equal}% interval, by which the test shows it.", **values)
            if len(equal) < len(rows)
            else say("Showing equality at the {alpha}% level uses {equal}% intervals, by convention.", **values)
        )
    return lines


MARGIN = mark("The margin is treated as small in this audit, not by law.")
GRAY = mark("Gray: the margin (of this audit, not of law).")


def _share(few: bool) -> Callable[[float], str]:
    """How a share is printed: of few people without decimals."""
    return lambda value: percent(value, 0 if few else 1)


RATIO_HEADINGS = {EMPLOYMENT: mark("impact ratio"), CREDIT: mark("ratio")}
IMPACT_RATIO = mark(
    "Impact ratio: the rate of the favorable decision over the highest of the attribute; the rule of four fifths "
    "(29 CFR 1607.4(D)) looks for 0.80, here of groups with 2% of the people or more; these stand for 2% of the labor "
    "force or of the workforce (29 CFR 1607.15(A)(2)(a)), which the data do not hold."
)
IMPACT_WITHIN = mark(
    "Ratio within {strata}: the impact ratio of people with the same {strata} (Mantel-Haenszel), to the group for "
    "which it is highest; the rule of four fifths (29 CFR 1607.4(D)) looks for 0.80, here of groups with 2% of the "
    "people or more; these stand for 2% of the labor force or of the workforce (29 CFR 1607.15(A)(2)(a)), which the "
    "data do not hold."
)


def status(row: Estimate, margin: float | None) -> str:
    """A verdict as whoever has to act on it reads it."""
    if row.status == "suppressed":
        return say("withheld")
    if words.shown(row) and row.verdict == "disparity shown" and not beyond(row, margin):
        return say(DIRECTIONS[margin is not None, row.estimate > 0])
    if words.shown(row) and not row.verdict:  # its reason is said with the answer
        return say("no verdict")
    if words.shown(row):
        return words.verdict(row, margin)
    return words.short_status(row) if row.given else words.status(row)  # a long reason stands with the other numbers


def _centered(row: Estimate) -> Estimate:
    """A chance of a higher score as a difference from one half."""
    low, high = row.conf_low - 0.5, row.conf_high - 0.5
    return row.changed(estimate=row.estimate - 0.5, conf_low=low, conf_high=high)


def _size_open(gaps: Iterable[Estimate], margin: float | None) -> str:
    """What a finding of an open size means, where a margin was declared and a difference is not shown beyond it."""
    if margin is None or not any(gap.verdict == "disparity shown" and not beyond(gap, margin) for gap in gaps):
        return ""
    return say("Size open: beyond chance, perhaps within the margin.")


DIRECTIONS = {  # of a difference from the reference that is shown: whether a margin was declared, and whether above 0
    (True, True): mark("size open"),
    (True, False): mark("size open"),
    (False, True): mark("higher, beyond chance"),
    (False, False): mark("lower, beyond chance"),
}


def _within(audit: Audit, name: str, group: str, metric: str) -> list[Estimate]:
    rows = audit.estimates.only(metric=metric, attribute=name, role="main", group=group)
    return [row for row in rows if row.given == audit.protocol.strata]
