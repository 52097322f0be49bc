"""What is shown of each model beside the baseline, in a few lines: the print, and the headline of a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from fairstats.auditing.alternatives import FROM_TO, MAY_GROW, MORE_CHANGES, OF_GROUP
from fairstats.auditing.group_studies import (
    MOST_SAID,
    NONE,
    SMALL,
    GroupStudy,
    before_and_after,
    data_text,
    direction,
    limits,
    way_shown,
)
from fairstats.auditing.models import (
    AHEAD,
    ALIKE,
    ALL_ONE,
    INCOMPLETE,
    LESS_THAN_EVEN,
    LESS_THAN_HALF,
    NO_OUTCOME,
    NOT_EXCLUDED,
    OF_GROUPS,
    ONE_ANSWER,
    PEOPLE,
    PERSON,
    RANKED_ROUND,
    RATES,
    TURNED_ROUND,
    lead,
    spoken_last,
)
from fairstats.document import Heading, Paragraph, Table, Title, as_text
from fairstats.errors import Call, listing, snippet, strong
from fairstats.estimates import UNSETTLED, Estimate
from fairstats.inference.verdicts import decisive_interval, decisive_level
from fairstats.labels import LOOK_ALIKE, PERHAPS_MISSING, PERHAPS_SUMS
from fairstats.language import DataText, Message, enumerated, joined, listed, message, says
from fairstats.text import count, difference_in_points, level, p_equals, percent, span

SELECTED, ACCURACY = "selection rate", "accuracy"
MOST_LINES, FEWEST_MODELS = 40, 3  # of all that is printed
LEAST_LINES = 3  # models that have a line in any case, however long their names are
Words = tuple[Callable[[str], str], Callable[[Estimate], str]]
GAP_BESIDE = message("Gap in selection between {group} and {reference}, compared with “{baseline}”: {parts}.")
OF_GAPS = {
    "smaller": message("shown to be smaller with {models}"),
    "larger": message("shown to be larger with {models}"),
    "changed": message("shown to change with {models}, and which is the larger is not settled"),
    "smaller within": message("shown to be smaller, by less than the margin of {margin} points, with {models}"),
    "larger within": message("shown to be larger, by less than the margin of {margin} points, with {models}"),
    "changed within": message("shown to change, by less than the margin of {margin} points, with {models}"),
    "within": message("shown to be less than the margin of {margin} points apart with {models}"),
    "": message("no change is shown with {models}"),
}
GAPS_OF_OTHERS = message("Gap in selection of other groups, compared with “{baseline}”: {groups}.")
OF_OTHER = message("{group} ({people}) {parts}")
MORE_GROUPS = message("further groups: {n}")
OF_ITS_GAP = {
    "smaller": message("smaller with {models}"),
    "larger": message("larger with {models}"),
    "changed": message("changed (which is larger is not settled) with {models}"),
    "within": message("less than the margin apart with {models}"),
}
NO_OTHER = message("no other change is shown")
NO_OTHER_OF = message("no other change is shown, and none for {groups}")
GROUP_OF = message("{group} ({people})")
RIGHT_BESIDE = message("Right decisions, compared with “{baseline}”: {parts}.")
OF_RIGHT = {
    "higher": message("shown to be more with {models}"),
    "lower": message("shown to be fewer with {models}"),
    "higher within": message("shown to be more, by less than the margin of {margin} points, with {models}"),
    "lower within": message("shown to be fewer, by less than the margin of {margin} points, with {models}"),
    "within": message("shown to be less than the margin of {margin} points apart with {models}"),
    "near": message("shown to be at most {margin} points fewer with {models}"),
    "": message("no difference is shown with {models}"),
}
NAMED, WITH_CHANGE = message("“{model}”"), message("“{model}” (change {change} points, {limits})")
ELSEWHERE = {
    "smaller": message("Gaps that are shown to be smaller than with “{baseline}”: {gaps}."),
    "larger": message("Gaps that are shown to be larger than with “{baseline}”: {gaps}."),
    "changed": message("Gaps that are shown to change, and which is the larger is not settled: {gaps}."),
}
OF_RATE, OF_RATE_AND_GROUP = message("{rate} ({models})"), message("{rate}, {group} ({models})")
USELESS = (ALL_ONE, LESS_THAN_HALF, LESS_THAN_EVEN, TURNED_ROUND, RANKED_ROUND, ONE_ANSWER)
COUNTED = (NONE, SMALL)
OF_EVERY_GROUP = (FROM_TO, OF_GROUP, MORE_CHANGES, NOT_EXCLUDED, MAY_GROW)
LAST = (LOOK_ALIKE, PERHAPS_MISSING, PERHAPS_SUMS, INCOMPLETE, NO_OUTCOME, ALIKE)
WORDS = {
    "within": "within margin",
    "": UNSETTLED,
    **{f"{way} within": f"{way}, within margin" for way in ("smaller", "larger", "changed", "higher", "lower")},
}


def beside_baseline(result: GroupStudy, metric: str, group: str) -> list[Estimate]:
    """The comparisons of a gap, or without a group of a rate of everybody, of each model with the baseline."""
    rows = [row for row in result.compared() if row.versus == result.settings["baseline"]]
    return [row for row in rows if (row.metric, row.group) == (metric, group)]


def of_selection(result: GroupStudy, group: str, reference: str) -> Message | None:
    """With which models the gap in selection is shown to be smaller than the baseline's, larger, or neither.

    group, reference: what the sentence calls them.
    """
    rows = _early(result, beside_baseline(result, SELECTED, _group(result)))
    parts = _parts(result, rows, OF_GAPS, lambda row: way_shown(row, result.estimates))
    about = {"group": group, "reference": reference, "baseline": DataText(result.settings["baseline"])}
    return GAP_BESIDE.format(parts=parts, **about) if parts else None


def of_other_groups(result: GroupStudy, called: Callable[[Estimate], str] = data_text) -> Message | None:
    """The same of the gaps in selection of the other groups, those of which a change is shown first.

    called: what the sentence calls the group of a row.
    """
    baseline, first = result.settings["baseline"], _group(result)
    rows = [row for row in result.compared() if (row.metric, row.versus) == (SELECTED, baseline) and row.group]
    of: dict[str, list[Estimate]] = {}
    for row in _early(result, rows):
        if row.group != first:
            of.setdefault(row.group, []).append(row)

    def place(found: list[Estimate]) -> tuple[bool, float]:
        return not any(direction(row, result.estimates) for row in found), -found[0].n

    groups, none, others = list[Message](), list[Message](), False
    for found in sorted(of.values(), key=place):
        sides: dict[str, list[Message]] = {}
        for row in found:
            sides.setdefault(direction(row, result.estimates), []).append(NAMED.format(model=DataText(row.model)))
        parts = [said.format(models=enumerated(sides[way])) for way, said in OF_ITS_GAP.items() if way in sides]
        about = {
            "group": called(found[0]),
            "people": PERSON if found[0].n == 1 else PEOPLE.format(n=count(found[0].n)),
        }
        if parts:
            groups.append(OF_OTHER.format(parts=joined(parts, ", "), **about))
            others |= "" in sides
        else:
            none.append(GROUP_OF.format(**about))
    if left := groups[MOST_SAID:]:
        groups[MOST_SAID:] = [MORE_GROUPS.format(n=len(left))]
    if none:
        groups.append((NO_OTHER_OF if others else OF_GROUPS[""]).format(groups=enumerated(none, MOST_SAID)))
    elif others:
        groups.append(NO_OTHER)
    return GAPS_OF_OTHERS.format(groups=joined(groups), baseline=DataText(baseline)) if groups else None


def of_right(result: GroupStudy, *, numbers: bool = True) -> Message | None:
    """Which models are shown to be right more often than the baseline, or less often, or neither.

    numbers: whether one or two models have the change and its limits.
    """
    rows = _early(result, beside_baseline(result, ACCURACY, ""))
    parts = _parts(result, rows, OF_RIGHT, lambda row: way_of(result, row), numbers)
    return RIGHT_BESIDE.format(parts=parts, baseline=DataText(result.settings["baseline"])) if parts else None


def elsewhere(
    result: GroupStudy, way: str, most: int = MOST_SAID, words: Words | None = None, *, whole: bool = False
) -> Message | None:
    """Of which other rates gaps are shown to be larger, smaller or changed, and with which models.

    words: what the sentence calls a rate and the group of a row. whole: of all rates and groups, and all models.
    """
    of: dict[tuple[str, str], list[Estimate]] = {}
    rows = [row for row in result.compared() if row.group and row.versus == result.settings["baseline"]]
    for row in rows if whole else _early(result, rows):
        where = row.metric, row.group
        if (whole or row.metric != SELECTED) and direction(row, result.estimates) == way:
            of.setdefault(where, []).append(row)
    if not of:
        return None
    several = len({row.group for row in rows}) > 1
    rate, group = (RATES.__getitem__, data_text) if words is None else words
    gaps = [
        (OF_RATE_AND_GROUP if several else OF_RATE).format(
            rate=rate(metric),
            group=group(found[0]),
            models=listed((NAMED.format(model=DataText(row.model)) for row in found), MOST_SAID),
        )
        for (metric, _), found in of.items()
    ]
    return ELSEWHERE[way].format(gaps=listed(gaps, most), baseline=DataText(result.settings["baseline"]))


def way_of(result: GroupStudy, row: Estimate) -> str:
    """What a comparison shows, as `way_shown` beside the margin of the result."""
    return way_shown(row, result.estimates, result.settings.get("margin") or 0.0)


def shown_words(result: GroupStudy, row: Estimate) -> str:
    """What a comparison with the baseline shows, in a few words."""
    way = way_of(result, row)
    return f"at most {percent(result.settings['margin'])} lower" if way == "near" else WORDS.get(way, way)


def in_short(result: GroupStudy) -> str:
    """The answer, a line a model, and in which other gaps a change is shown: at most `MOST_LINES` lines.

    Of a search for an alternative the answer and the conditions, without what changes for every group.
    """
    if "candidates" in result.settings:
        said = [text for text in result.statements if not any(says(text, code) for code in OF_EVERY_GROUP)]
        tables = [block for block in result._content() if isinstance(block, Table)][:1]
        last = [f"This is the answer in short; {snippet('summary() has all numbers')}."]
        last = last if len(said) < len(result.statements) else []
        return as_text([Title(1, result._title), *map(Paragraph, said), *tables, *map(Paragraph, last)])
    about = {"metric": SELECTED, "group": _group(result), "contrast": "difference", "versus": "", "estimator": ""}
    rows = [row for row in result.estimates.only(**about) if row.model and row.status == "ok"]
    if not rows:
        return result.summary()
    baseline, first, last_of = result.settings["baseline"], rows[0], spoken_last(result.estimates)
    early = baseline in last_of or last_of >= {row.model for row in rows} - {
        baseline
    }  # then every comparison rests on them
    of = of_selection(result, data_text(first), DataText(first.reference, first.attribute))
    answer = [*_said(result, (AHEAD,)), *filter(None, (of, of_right(result)))]
    useless = _said(result, USELESS)
    before, after = ([*useless, *answer], []) if early else (answer, useless)
    none = [] if result.shown() else _said(result, COUNTED)
    beside = [*none, *after, *_said(result, LAST)]
    found = any(_may_be_alternative(result, row, first.group) for row in rows)
    last = [f"A model that is chosen by these numbers is tested by {Call('alternatives')}."] if found else []
    if last_of and not early:
        names = listing([f"“{name}”" for name in sorted(last_of)])
        last.append(f"Sentences on gaps leave out {names}, no better than one answer for everybody; the table has it.")
    rows = sorted(rows, key=lambda row: row.model != baseline and row.model in last_of)

    def lines(most: int, gaps: int, ways: Sequence[str]) -> str:
        apart = [text for way in ways if (text := elsewhere(result, way, gaps))]
        between = _between_others(result, first.group, named=gaps > 1)
        table = _table(result, rows, most)
        left = _unsettled(result, first.group, {row.model for row in rows[:most]})
        more = f"Comparisons that are not settled, not printed: {left}" if left else "This is the answer in short"
        rest = [*between, *filter(None, [of_other_groups(result)]), *apart, *beside]
        rest += [f"{more}; {snippet('summary() has all numbers')}.", *last]
        return as_text([Title(1, result._title), *map(Paragraph, before), table, *map(Paragraph, rest)])

    # every model has its line before gaps in other rates have theirs, and of these the larger ones stay
    every = tuple(ELSEWHERE)
    for gaps, ways in ((3, every), (2, every), (1, every), (1, ("larger", "changed")), (1, ("larger",)), (1, ())):
        if len((text := lines(len(rows), gaps, ways)).splitlines()) <= MOST_LINES:
            return text
    rows.sort(key=lambda row: (row.model != baseline, row.model in last_of, abs(row.estimate)))
    least = min(LEAST_LINES, len(rows))
    for most in range(len(rows) - 1, least, -1):
        if len((text := lines(most, 1, ())).splitlines()) <= MOST_LINES:
            return text
    return lines(least, 1, ())  # a line says how many more there are


def _unsettled(result: GroupStudy, group: str, models: Collection[str]) -> int:
    """How many comparisons that are not settled have no line in a table of these models."""
    baseline, of = result.settings["baseline"], ((SELECTED, group), (ACCURACY, ""))
    return sum(
        row.verdict == "inconclusive"
        and not (row.versus == baseline and row.model in models and (row.metric, row.group) in of)
        for row in result.compared()
    )


def _said(result: GroupStudy, codes: Sequence[Message]) -> list[str]:
    return [text for text in result.statements if any(says(text, code) for code in codes)]


def _may_be_alternative(result: GroupStudy, row: Estimate, group: str) -> bool:
    """Whether a model's gap is shown to be smaller than the baseline's, and accuracy is not shown to be lower."""
    if row.model in spoken_last(result.estimates):
        return False
    gap, right = (
        next((one for one in beside_baseline(result, *of) if one.model == row.model), None)
        for of in ((SELECTED, group), (ACCURACY, ""))
    )
    smaller = gap is not None and direction(gap, result.estimates) == "smaller"
    return smaller and (right is None or direction(right, result.estimates) != "lower")


def _between_others(result: GroupStudy, group: str, named: bool) -> list[str]:
    """What is shown of pairs without the baseline: gap in selection and accuracy by name, of the rest how many.

    named: whether there is room for names.
    """
    baseline, of, rest = result.settings["baseline"], dict[str, dict[str, list[str]]](), Counter[str]()
    for row in [row for row in result.compared() if row.versus != baseline]:
        way = direction(row, result.estimates)
        said = {(SELECTED, group): "the gap", (ACCURACY, ""): "the share of right decisions"}.get(
            (row.metric, row.group)
        )
        if named and said and way in ("smaller", "larger", "higher", "lower"):
            first, second = (row.model, row.versus)[:: 1 if way in ("smaller", "higher") else -1]
            of.setdefault(said, {}).setdefault(first, []).append(f"“{second}”")
        elif way:
            rest[str(RATES[row.metric])] += 1
    lines = []
    for said, pairs in of.items():
        parts = "; ".join(f"with “{first}” than with {enumerated(others)}" for first, others in pairs.items())
        lines.append(
            f"Between the others {said} is shown to be {'smaller' if said == 'the gap' else 'higher'} {parts}."
        )
    each = listed(f"{n} in {rate}" for rate, n in rest.items())
    return [*lines, *([f"Shown between the others, not printed: {rest.total()} ({each})."] if rest else [])]


def _group(result: GroupStudy) -> str:
    """The group that the answer is about: of the clearest change, or of the clearest gap, or the largest."""
    if (first := lead(result.estimates, SELECTED)) is not None:
        return first.group
    rows = [row for row in result.compared() if row.metric == SELECTED and row.group]
    return max(rows, key=lambda row: row.n).group if rows else ""


def _early(result: GroupStudy, rows: Sequence[Estimate]) -> list[Estimate]:
    """Without the models whose gaps are spoken of last, where there are others."""
    last = spoken_last(result.estimates)
    return [row for row in rows if row.model not in last] or list(rows)


def _parts(
    result: GroupStudy,
    rows: Sequence[Estimate],
    of: dict[str, Message],
    way: Callable[[Estimate], str],
    numbers: bool = True,
) -> str:
    """The models of every direction; of one or two models the change and its limits."""
    margin, parts = result.settings.get("margin") or 0.0, list[str]()
    few = numbers and len(rows) < FEWEST_MODELS
    for name, said in of.items():
        found = [row for row in rows if way(row) == name]
        if found:
            each = [_named(result, row) if few else NAMED.format(model=DataText(row.model)) for row in found]
            parts.append(said.format(models=enumerated(each), margin=percent(margin)))
    return joined(parts)


def _named(result: GroupStudy, row: Estimate) -> Message:
    before, after = before_and_after(row, result.estimates)
    low, high = decisive_interval(row)
    change = difference_in_points(row.estimate, after, before)
    return WITH_CHANGE.format(
        model=DataText(row.model), change=change, limits=limits(row.changed(conf_low=low, conf_high=high))
    )


def _table(result: GroupStudy, rows: Sequence[Estimate], most: int) -> Table:
    """Lines of the gap in selection, then of accuracy, a model each: the number and its change, both with limits."""
    baseline, first = result.settings["baseline"], rows[0]
    every = result.estimates.only(metric=ACCURACY, group="", contrast="none", versus="")
    right = {row.model: row for row in every}
    gaps, changes = (
        {row.model: row for row in beside_baseline(result, *of)} for of in ((SELECTED, first.group), (ACCURACY, ""))
    )
    compared, level_of = [*gaps.values(), *changes.values()], level(first.conf_level)
    note = f"Gap: {first.group} − {first.reference} in selection. Change: less that with “{baseline}”; smaller, "
    note += f"larger: in size. Intervals: {level_of} of each number; "
    if all(row.conf_low == row.conf_low for row in compared):
        together = " for all of a rate together" * (result.settings.get("p_adjust") == "bonferroni")
        note += f"of changes {level(result.conf_level)}{together}"
    else:
        note += "of changes adjusted p of no change"
    limited = [row for row in compared if row.conf_low == row.conf_low]
    equal = {decisive_level(row) for row in limited if row.verdict == "equivalence shown"}
    note += f"; within margin by its test ({', '.join(sorted(equal))})." if equal else "."
    if any(way_shown(row, result.estimates).startswith("changed") for row in compared):
        note += " Changed: which is the smaller in size is not settled."
    if left := len(rows) - most:
        note += f" {left} more model{'s' * (left > 1)}: {snippet('summary()')}."
    heads = (Heading("gap with", kind="text"), Heading("points"), Heading("interval"), Heading("change"),
             Heading("interval"), Heading("shown", kind="text"))  # fmt: skip
    lines = [_line(result, row, gaps.get(row.model)) for row in rows[:most]]
    if right:
        lines.append(("accuracy with", "%", "", "", "", ""))
        lines += [_line(result, right[row.model], changes.get(row.model)) for row in rows[:most]]
    return Table("", heads, tuple(lines), note)


def _line(result: GroupStudy, row: Estimate, change: Estimate | None) -> tuple[str, ...]:
    """A number of a model, its limits, the change beside the baseline, and what that shows."""
    cells = [row.model, percent(row.estimate), span(row.conf_low, row.conf_high, percent)]
    if change is None:
        return (*cells, "", "", "")
    low, high = decisive_interval(change)
    limited = span(low, high, percent) if low == low else p_equals(change.p_adjusted)
    return (*cells, percent(change.estimate), limited, _strong(result, change))


def _strong(result: GroupStudy, row: Estimate) -> str:
    words = shown_words(result, row)
    return strong(words) if direction(row, result.estimates) not in ("", "within") else words
