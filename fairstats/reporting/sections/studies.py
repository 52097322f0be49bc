"""Page one of models compared on the same people, and of a gap watched period by period."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from fairstats.auditing import alternatives, models, models_in_short, monitor
from fairstats.auditing.answer import FEW
from fairstats.auditing.group_studies import (
    BEFORE,
    OF_PERIOD,
    SHOWN,
    SINCE,
    GroupStudy,
    before_and_after,
    direction,
    larger,
    levels_together,
    limits,
    one_limit,
    outside,
    sum_of_gaps,
    watched_rows,
)
from fairstats.auditing.sentences import as_word, group_cell, group_people, in_code
from fairstats.document import Bullets, Heading, Paragraph, Table
from fairstats.errors import Call
from fairstats.estimates import Estimate, Estimates, negated
from fairstats.inference.verdicts import barely, decisive_interval, decisive_level, remains
from fairstats.labels import LOOK_ALIKE, PERHAPS_MISSING, PERHAPS_SUMS
from fairstats.language import Message, mark, say, say_number, says, translated
from fairstats.reporting import words
from fairstats.reporting.bundle import Bundle, of_alternatives, of_models, of_periods
from fairstats.reporting.figures.periods import HEIGHT
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.other import (
    MOST_PERIOD_LINES,
    condition_table,
    finding_of,
    model_pictures,
    model_table,
    models_picture,
    period_table,
    periods_picture,
    study_picture,
)
from fairstats.reporting.sections.shared import blank, how_to_check, source_line, stands_alone, verifiable, who_and_when
from fairstats.reporting.tables import equality_note, interval_below, level_of, table, text, word
from fairstats.text import capital, difference, level, level_number, number, percent, significant, small, with_interval

SELECTED, HITS, FALSE_ALARMS, ACCURACY = "selection rate", "TPR", "FPR", "accuracy"
PREDICTED = "PPV"
WITH_OUTCOME = (HITS, FALSE_ALARMS, PREDICTED, models.AREA, ACCURACY)
MOST = 4  # models, or pairs of models, of one sentence
MOST_MODELS = 12  # of the table of page one
MOST_TRIED = 24  # lines of the table of candidates
MOST_CHANGES = 40  # of the table of what changes with a candidate
MOST_PERIODS = 12  # of the table of page one, the latest
LOW = 44.0  # mm, of a picture that has a table of groups and one of periods above it
MOST_WATCHED = 8  # groups of the table of page one


# Models: who is selected, who is mistaken for what, how often each is right.


def models_page(bundle: Bundle, result: GroupStudy) -> dict[str, Any]:
    """The context of page one of `compare_models`."""
    if not result.estimates.only(metric=SELECTED, contrast="difference", versus="", status="ok"):
        statements = " ".join(map(translated, result.statements))
        return blank() | {"who": _who(bundle, result), "question": _question(result), "sentence": statements}
    leads = {metric: models.lead(result.estimates, metric) for metric in (SELECTED, *WITH_OUTCOME)}
    pair = leads[SELECTED]
    known = [metric for metric in WITH_OUTCOME if result.estimates.only(metric=metric, contrast="difference")]
    ordered = _in_order(result)
    changed = [metric for metric in ordered if metric in known and metric != ACCURACY]
    found = [*changed, *(metric for metric in (HITS, FALSE_ALARMS) if metric in known and metric not in changed)]
    points = [(_rate(result, metric), _finding(result, leads[metric], metric)) for metric in found]
    points += [_right(result, leads[ACCURACY])] if ACCURACY in known else []
    spoken = [leads[metric] for metric in (SELECTED, *found, *([ACCURACY] if ACCURACY in ordered else []))]
    short, beside = ([], []) if pair is None else _in_short(result, pair)
    last, every = models.spoken_last(result.estimates), set(result.settings["models"])
    baseline = result.settings["baseline"]
    in_use = baseline in last or last >= every - {baseline}  # then every comparison rests on them
    several = len(every) >= models_in_short.FEWEST_MODELS
    tabled = bool(short) and several  # whose numbers are in the tables
    details = [
        *beside,
        *([] if in_use else [*_wrong(result), *_equaled(result, apart=True)]),
        *_equaled(result, apart=False),
        *([] if pair is None or tabled else _not_in_short(result, pair) if short else _costs(result, pair)),
        *_largest(result, pair, brief=tabled),
        *([] if pair is None or tabled else [_gaps(result, pair, SELECTED)]),
        *([] if pair is None or _changes_of(result, pair) else _right_beside(result, pair)),
        *([] if pair is None or short else _also(result, pair)),
        *([] if pair is None or tabled or not _changes_of(result, pair) else _open(result, SELECTED, pair.group)),
        *([] if short else _others(result, {row.group for row in spoken if row is not None})),
        *([] if pair is None or tabled else _gaps_last(result, pair, SELECTED)),
    ]
    terms = [
        _compared(result),
        *(translated(t) for t in result.statements if any(says(t, one) for one in OF_PEOPLE)),
    ]
    return blank() | {
        "who": _who(bundle, result),
        "question": _question(result),
        "sentence": " ".join(
            [
                *([*_wrong(result), *_equaled(result, apart=True)] if in_use else []),
                *_ahead(result),
                *(short or _headline(result, pair, [one for one in ordered if one in known])),
            ]
        ),
        "context": [*details, *terms],
        "paragraphs": [Paragraph(" ".join(lines)) for lines in (details, terms) if lines],
        "points": points,
        "tables": [
            models_table(result, "" if pair is None else pair.group, beside=not several or pair is None),
            *([baseline_table(result, pair)] if several and pair is not None else []),
        ],
        "figures": [_drawn(result, pair)] if _on_page_one(bundle, result) else [],
        "findings_last": True,
        "unshown": [
            say("Why the groups differ, nor which model is fair: that is a question of law and policy."),
            say("Where no difference between two models is shown, that does not make them alike."),
            say("What happens when a model is trained again: each is taken as it is."),
            *([say("The outcome is taken as recorded.")] if known else []),
        ],
        "rely": [
            *(translated(text) for text in result.statements if any(says(text, one) for one in TO_RELY_ON)),
            say("Decide beforehand which gap matters most, and how many right decisions it may cost."),
            say("A model that was chosen by this table may look better here than on new people: compare again."),
            say("Audit the decisions of the chosen model: `{call}`.", call=Call("audit")),
        ],
        "check": how_to_check(bundle) if verifiable(bundle) else None,
        "next": [("comparison", say("Every comparison of two models"))],
        "source": source_line(bundle),
    }


def _wrong(result: GroupStudy) -> list[str]:
    """Which models decide in one way, are right for less than half of the people, or rank them worse than chance."""
    return [translated(text) for text in result.statements if any(says(text, code) for code in OF_WRONG)]


def _equaled(result: GroupStudy, *, apart: bool) -> list[str]:
    """Which models one answer for everybody equals; apart: where there are models to be spoken of last, else others."""
    if bool(models.spoken_last(result.estimates)) is not apart:
        return []
    return [translated(text) for text in result.statements if says(text, models.ONE_ANSWER)]


def _ahead(result: GroupStudy) -> list[str]:
    """Which models are right more often than another one and leave a smaller gap."""
    return [translated(text) for text in result.statements if says(text, models.AHEAD)]


def _late(result: GroupStudy, row: Estimate) -> bool:
    """Whether a row is of a model whose gaps are spoken of last; that of a baseline of all comparisons is no matter."""
    last = models.spoken_last(result.estimates)
    if row.versus and result.settings.get("versus") != "all":
        last -= {result.settings["baseline"]}
    return not last.isdisjoint((row.model, row.versus))


def _drawn(result: GroupStudy, pair: Estimate | None) -> Drawing:
    """Each model's accuracy and gap, of the group that the sentence is about; without an outcome every comparison."""
    if pair is not None and (SELECTED, pair.group) in model_pictures(result):
        return models_picture("page-one-models", result, SELECTED, pair.group)
    return study_picture("page-one-study", result)


def _on_page_one(bundle: Bundle, result: GroupStudy) -> bool:
    """Whether the picture has room on page one, or no other place: of many comparisons it is on the next page."""
    return not stands_alone(bundle) or bool(model_pictures(result)) or len(result.compared()) <= MOST_MODELS


TO_RELY_ON = (models.ONLY_BASELINE, LOOK_ALIKE, PERHAPS_MISSING, PERHAPS_SUMS)
OF_PEOPLE = (models.INCOMPLETE, models.ALIKE, models.NO_OUTCOME)
OF_WRONG = (models.ALL_ONE, models.LESS_THAN_HALF, models.LESS_THAN_EVEN, models.TURNED_ROUND, models.RANKED_ROUND,
            alternatives.LESS_WHO_CHOSE)  # fmt: skip
BESIDE = (models.NO_LARGER, models.AS_LARGE, models.PAIR_RIGHT_NEAR, models.AS_ACCURATE, monitor.MOVED)


def beside_page_one(name: str, result: GroupStudy) -> dict[str, Any]:
    """What the pages after the first have beside the tables: a heading, what page one leaves out, every comparison."""
    if of_alternatives(result):
        if not result.compared():
            return {"heading": say("All numbers")}
        said = Bullets(tuple(_said(result, AFTERWARD)))
        return {"heading": say("Every candidate, and what changes for whom"), "found": said,
                "rows": candidates_table(result)}  # fmt: skip
    if not (of_models(result) or of_periods(result)):
        return {}
    found = [capital(translated(one)) for one in result.statements if any(says(one, code) for code in BESIDE)]
    found = [*(_by_direction(result) if of_models(result) else []), *found]
    many = bool(model_pictures(result)) or len(result.compared()) > MOST_MODELS  # else page one has this picture
    drawn = [study_picture(name, result)] if of_models(result) and many else []
    heading = say("Every comparison of two models") if of_models(result) else say("Evidence period by period")
    section = {"heading": heading, "sentence": "", "found": Bullets(tuple(found)), "figure": drawn}
    if of_models(result) and len(_groups(result)) > 1:  # page one has those of one group
        return section | {"more": [models_table(result, most=MOST_CHANGES), model_table(result)]}
    if of_periods(result) and len(watched_rows(result)) <= MOST_PERIODS and len(result.compared()) == 1:
        return section | {"more": period_table(result, brief=True)}  # the rest is on page one
    return section


def _by_direction(result: GroupStudy) -> list[str]:
    """Which gaps are shown to be smaller than the baseline's, larger or changed, and how many comparisons show none."""
    about = words.in_text, _called
    lines = [
        models_in_short.elsewhere(result, way, MOST_MODELS, about, whole=True) for way in models_in_short.ELSEWHERE
    ]
    rows = result.compared()
    open_ = sum(row.verdict == "inconclusive" for row in rows)
    rest = [say("No difference is shown in {k} of {n} comparisons.", k=open_, n=len(rows))] if open_ else []
    return [*(translated(line) for line in lines if line is not None), *rest]


def _who(bundle: Bundle, result: GroupStudy) -> str:
    return f"{say('{n} people', n=words.count(result.n))} · {who_and_when(bundle)}"


def _question(result: GroupStudy) -> str:
    values = {"n": len(result.settings["models"]), "groups": in_code(result.attribute)}
    if result.settings.get("outcome"):
        return say(
            "The {n} models decide about the same people. Two models may be right about as often, and yet one of them "
            "may turn away more people of one group. Which leaves the smaller gap between the groups of {groups}, and "
            "how often is each one right?",
            **values,
        )
    return say(
        "The {n} models decide about the same people, and one of them may turn away more people of one group. Which "
        "leaves the smaller gap between the groups of {groups}?",
        **values,
    )


def _headline(result: GroupStudy, pair: Estimate | None, others: Sequence[str]) -> list[str]:
    """Which models' gaps in selection are shown to differ, or none; and in which other rates gaps are."""
    if pair is None:
        lines, last = [_gaps(result, pair, SELECTED)], list[str]()
    else:
        lines = [
            say("Gap in selection between {group} and {reference}:", **_pair(pair)),
            *_settled(result, pair, SELECTED, late=False),
        ]
        lines += [] if _changes_of(result, pair) else _open(result, SELECTED, pair.group)
        last = _settled(result, pair, SELECTED, late=True)
    shown = [row for row in result.compared() if row.group and row.verdict in SHOWN]
    early = {row.metric for row in shown if not _late(result, row)}
    for some, code in (
        ([one for one in others if one in early], mark("Other gaps that are shown to differ: {rates}.")),
        ([one for one in others if one not in early], mark("Only with {models} other gaps are shown to differ: "
                                                           "{rates}.")),
    ):  # fmt: skip
        if some:
            of = [_quoted(name) for name in _last_of(result, [row for row in shown if row.metric in some])]
            values = {"rates": words.listed([words.in_text(metric) for metric in some]), "models": words.listed(of)}
            lines.append(say(code, **values))
        lines, last = [*lines, *last], []
    if not others and result.settings.get("outcome"):
        lines.append(say("No gap in another rate is shown to differ."))
    return lines


def _in_short(result: GroupStudy, pair: Estimate) -> tuple[list[str], list[str]]:
    """Which models are shown to leave a smaller or a larger gap than the baseline, and to be right more or less often.

    Then the same of other groups and of other rates.

    Nothing where no change is shown, where every pair was compared, and of many models, whose number is said.
    """
    shown = [row for row in _changes_of(result, pair) if not _late(result, row)]
    if not shown or len(shown) > MOST or result.settings.get("versus") == "all":
        return [], []
    first = (
        models_in_short.of_selection(result, _pair(pair)["group"], _pair(pair)["reference"]),
        models_in_short.of_right(result, numbers=False),
    )
    others = models_in_short.of_other_groups(result, lambda row: group_cell(row.attribute, row.group))
    beside = others, models_in_short.elsewhere(result, "larger", MOST, (words.in_text, _called))
    spoken, rest = ([translated(line) for line in lines if line is not None] for lines in (first, beside))
    return spoken, rest


def _not_in_short(result: GroupStudy, pair: Estimate) -> list[str]:
    """What the headline leaves out: how often models are right, or of many by how much gaps change; and other gaps."""
    rows = [row for row in models_in_short.beside_baseline(result, SELECTED, pair.group) if not _late(result, row)]
    few = len(rows) < models_in_short.FEWEST_MODELS  # whose changes the headline has
    lines = _costs(result, pair) if few else _settled(result, pair, SELECTED, late=False)
    others = [models_in_short.elsewhere(result, way, MOST, (words.in_text, _called)) for way in ("smaller", "changed")]
    return [*lines, *(translated(line) for line in others if line is not None)]


def _called(row: Estimate) -> str:
    return group_people(row.attribute, row.group)


def _last_of(result: GroupStudy, rows: Sequence[Estimate]) -> list[str]:
    """The models of some rows whose gaps are spoken of last."""
    last = models.spoken_last(result.estimates)
    return [name for name in result.settings["models"] if name in last and any(
        name in (row.model, row.versus) for row in rows)]  # fmt: skip


def _groups(result: GroupStudy) -> dict[str, float]:
    """The groups but the reference, and their people."""
    rows = result.estimates.only(metric=SELECTED, model=result.settings["baseline"], versus="")
    apart = {row.group for row in rows if row.contrast == "difference"}
    return {row.group: row.n for row in rows if row.contrast == "none" and row.group in apart}


def _gaps(result: GroupStudy, pair: Estimate | None, metric: str) -> str:
    """With which model the groups are least and most apart, with both shares."""
    if pair is None:
        return say(
            "No gap is shown, and each comparison has a group of fewer than {n} people in this rate.", n=models.FEWEST
        )
    rows = models.of_models(result.estimates, metric, pair.group)
    values = _pair(pair)
    rest = [row for row in rows if not _late(result, row)] or rows
    least, most = (_shares(result, row) for row in (rest[0], rest[-1]))
    lines = []
    several = metric == SELECTED and bool(models.largest_gaps(result.estimates))
    if metric == SELECTED and not several and all(row.conf_high < 0 for row in rows):
        lines.append(say("Every model selects a smaller share of {group} than of {reference}.", **values))
    elif metric == SELECTED and not several and all(row.conf_low > 0 for row in rows):
        lines.append(say("Every model selects a larger share of {group} than of {reference}.", **values))
    if len(rest) < len(rows):
        last = [_quoted(name) for name in _last_of(result, rows)]
        if not rest[1:]:
            return " ".join([*lines, _gap_with(result, rest[0])])
        lines.append(say("Without {models} the gap is smallest with {model}: {share} of {group} against {other} of "
                         "{reference}, {gap} apart.", models=words.listed(last, MOST), **values, **least))  # fmt: skip
        return " ".join([*lines, say("It is largest with {model}: {share} against {other}, {gap} apart.", **most)])
    if several:
        lines.append(say("Their gap is smallest with {model}: {share} of {group} against {other} of {reference}, {gap} "
                         "apart.", **values, **least))  # fmt: skip
        most_of = [say("It is largest with {model}: {share} against {other}, {gap} apart.", **most)]
        return " ".join([*lines, *(most_of if len(rows) > 1 else [])])
    lines.append(
        say("In these data the gap is smallest with {model}: {share} of {group} against {other} of {reference}, "
            "{gap} apart.", **values, **least)
        if metric == SELECTED
        else say("Smallest gap: {model}, {share} of {group} against {other} of {reference}, {gap} apart.",
                 **values, **least)
    )  # fmt: skip
    if len(rows) > 1:
        lines.append(
            say("It is largest with {model}: {share} against {other}, {gap} apart.", **most)
            if metric == SELECTED
            else say("Largest: {model}, {share} against {other}, {gap} apart.", **most)
        )
    return " ".join(lines)


def _gap_with(result: GroupStudy, row: Estimate) -> str:
    """The shares of both groups with one model."""
    values = _pair(row) | _shares(result, row)
    return say("With {model}: {share} of {group} against {other} of {reference}, {gap} apart.", **values)


def _gaps_last(result: GroupStudy, pair: Estimate, metric: str) -> list[str]:
    """The gaps with the models that are spoken of last, where there are others."""
    rows = models.of_models(result.estimates, metric, pair.group)
    late = [row for row in rows if _late(result, row)]
    return [_gap_with(result, row) for row in late[:MOST]] if len(late) < len(rows) else []


def _largest(result: GroupStudy, pair: Estimate | None, *, brief: bool = False) -> list[str]:
    """Of several groups the largest gap with each model, and which group the sentences after it are about.

    brief: nothing where only models that are spoken of last have it in another group than that of the page.
    """
    gaps = sorted(models.largest_gaps(result.estimates), key=lambda row: _late(result, row))
    if not gaps:
        return []
    values = _pair(gaps[0]) | {"fewest": models.FEWEST}
    same = {row.group for row in gaps} == {gaps[0].group}
    early = [row for row in gaps if not _late(result, row)]
    if brief and not same and pair is not None and {row.group for row in early} == {pair.group}:
        return []
    if same and pair is not None and pair.group == gaps[0].group:
        return [
            say("With every model the largest gap of any group of {fewest} people or more is that of {group}.",
                **values)
        ]  # fmt: skip
    each = [
        say(
            mark("{gap} with {model}") if same else mark("{gap} with {model} ({group})"),
            gap=_shares(result, row)["gap"],
            model=_quoted(row.model),
            group=_pair(row)["group"],
        )
        for row in gaps[:MOST_MODELS]
    ]
    apart = mark("The largest gap of any group of {fewest} people or more: {each}.")
    text = mark("The largest gap of any group of {fewest} people or more is with every model that of {group}: {each}.")
    lines = [say(text if same else apart, each=words.listed(each), **values)]
    if pair is None:
        return lines
    about = _pair(pair)["group"]
    changed = any(row.group == pair.group for row in models.changes(result.estimates, SELECTED))
    lead = mark("A change is shown for {group}.") if changed else mark("The clearest gap is that of {group}.")
    return [*lines, say(lead, group=about)]


def _cost(result: GroupStudy, better: str, worse: str) -> str:
    """How often a model is right beside another; nothing where these two were not compared in it."""
    rows = models.of_models(result.estimates, ACCURACY, "", "none")
    share = {one.model: percent(one.estimate) for one in rows}
    for row in result.compared():
        if row.metric != ACCURACY or row.group or {row.model, row.versus} != {better, worse}:
            continue
        values = {"model": _quoted(better), "share": share[better], "other": _quoted(worse), "before": share[worse]}
        if row.verdict == "equivalence shown":
            values["margin"] = percent(result.settings["margin"])
            if remains(row):
                low, high = decisive_interval(row)
                apart = _apart(row.changed(conf_low=low, conf_high=high), rows, turned=row.estimate < 0)
                values |= {"of": apart["better"], "by": apart["by"], "limits": apart["limits"]}
                return say("{model} is right for {share}% of people, {other} for {before}%: {of} more often, by {by} "
                           "({limits}), within the margin of {margin} points.", **values)  # fmt: skip
            return say("{model} is right for {share}% of people, {other} for {before}%, less than {margin} points "
                       "apart.", **values)  # fmt: skip
        apart = _apart(row, rows, turned=row.estimate < 0)
        values |= {"by": apart["by"], "limits": apart["limits"]}
        if row.verdict not in SHOWN:
            return say("{model} is right for {share}% of people, {other} for {before}%, {by} apart ({limits}); no "
                       "difference in this is shown.", **values)  # fmt: skip
        if apart["better"] == values["model"]:
            return say("{model} is right more often, for {share}% of people against {before}% with {other}, by {by} "
                       "({limits}).", **values)  # fmt: skip
        return say("{model} is right less often, for {share}% of people against {before}% with {other}, by {by} "
                   "({limits}).", **values)  # fmt: skip
    return ""


def _pair(row: Estimate) -> dict[str, str]:
    """The people of both groups of a row."""
    one, other = (group_people(row.attribute, label) for label in (row.group, row.reference))
    return {"group": one, "reference": other}


def _shares(result: GroupStudy, row: Estimate) -> dict[str, str]:
    """The model of a gap, the shares of both groups, and how far they are apart."""
    about = {"metric": row.metric, "model": row.model, "contrast": "none", "versus": ""}
    share, other = (result.estimates.only(group=g, **about)[0] for g in (row.group, row.reference))
    few = models.fewest(result.estimates, row.metric, row.group) < FEW
    values = {"model": _quoted(row.model), "share": _share(share, few), "other": _share(other, few)}
    return values | {"gap": _points(row.metric, abs(row.estimate), share.estimate, other.estimate, few)}


def _share(row: Estimate, few: bool) -> str:
    """A share in per cent, of few people with its counts and without decimals; an AUC as it is."""
    if row.metric == models.AREA:
        return number(row.estimate, 3)
    if not few:
        return say("{share}%", share=percent(row.estimate))
    share, k, n = percent(row.estimate, 0), words.count(row.events), words.count(row.n)
    return say("{share}% ({k} of {n})", share=share, k=k, n=n)


def _points(metric: str, gap: float, one: float, other: float, few: bool) -> str:
    """How far two numbers are apart, with the unit."""
    if metric == models.AREA:
        return translated(difference(gap, one, other, 3))
    n = translated(difference(100 * gap, 100 * one, 100 * other, 0 if few else 1))
    return say_number("{n} point", "{n} points", round(100 * gap) if few else 2, n=n)


def _settled(result: GroupStudy, pair: Estimate, metric: str, *, late: bool) -> list[str]:
    """Which gaps are shown to be smaller than which, or to be as large within the margin.

    late: of the pairs with a model whose gaps are spoken of last, or of the others.
    """
    lines = list[str]()
    rows = [row for row in models.changes(result.estimates, metric) if row.group == pair.group]
    rows = [row for row in rows if _late(result, row) is late]
    first = result.settings["baseline"]  # of every pair those of the baseline are the question
    rows.sort(key=lambda row: (not larger(row, result.estimates), first not in (row.model, row.versus)))
    summed = len(rows) > MOST and all(row.versus == first for row in rows) and not late
    if summed:
        lines += _against_baseline(result, rows)
    elif len(rows) > MOST:
        compared = [row for row in result.compared() if (row.metric, row.group) == (metric, rows[0].group)]
        compared = [row for row in compared if _late(result, row) is late]
        sides = sum(larger(row, result.estimates) != 0 for row in rows)
        last = [_quoted(name) for name in _last_of(result, result.compared())]
        known = mark("In {n} of {count} comparisons it is shown which gap is the smaller.")
        if late:
            known = mark("With {models} it is shown in {n} of {count} comparisons which gap is the smaller.")
        elif len(compared) < sum((row.metric, row.group) == (metric, rows[0].group) for row in result.compared()):
            known = mark("Without {models} it is shown in {n} of {count} comparisons which gap is the smaller.")
        lines.append(say(known, n=sides, count=len(compared), models=words.listed(last, MOST)))
    for row in rows[: 0 if summed else 1 if len(rows) > MOST else MOST]:
        side = larger(row, result.estimates)
        few = models.fewest(result.estimates, metric, row.group) < FEW
        values = _apart(row, models.of_models(result.estimates, metric, row.group), turned=side > 0, few=few)
        values |= _both_gaps(result, row, turned=side > 0)
        text = mark("The gap is shown to be smaller with {better} than with {worse}, by {by} ({limits}).")
        if side and values["turned"]:
            text = mark(
                "The gap is shown to be smaller with {better} than with {worse}: {of_better} and {of_worse}, a change "
                "of {by} ({limits})."
            )
        if not side:
            text = mark(
                "The gap changes between {better} and {worse}, by {by} ({limits}); which is the smaller is not settled."
            )
            if values["turned"]:
                text = mark(
                    "The gap changes from {of_worse} with {worse} to {of_better} with {better}, by {by} ({limits}); "
                    "which is the smaller in size is not settled (sum of both gaps {sum}, {ends})."
                )
        lines.append(say(text, **values))
    return [*lines, *_equal(result, metric, pair.group, late=late)]


def _costs(result: GroupStudy, pair: Estimate) -> list[str]:
    """How often the models are right whose gaps are shown to differ, the smaller first; else those farthest apart."""
    first = result.settings["baseline"]
    rows = sorted(
        _changes_of(result, pair),
        key=lambda row: (
            _late(result, row), not larger(row, result.estimates), first not in (row.model, row.versus)
        ),
    )  # fmt: skip
    if len(rows) > MOST:  # of which the headline names one
        if all(row.versus == first for row in rows):
            rows.sort(key=lambda row: (_late(result, row), larger(row, result.estimates) >= 0, -abs(row.estimate)))
        rows = rows[:1]
    pairs = [
        (row.versus, row.model) if larger(row, result.estimates) > 0 else (row.model, row.versus) for row in rows
    ] or [_ends(result, pair)]
    return [*filter(None, (_cost(result, *one) for one in pairs))]


def _against_baseline(result: GroupStudy, rows: Sequence[Estimate]) -> list[str]:
    """How many of many models are shown to leave a smaller or a larger gap than the baseline, and which the most."""
    metric, group = rows[0].metric, rows[0].group
    compared = [row for row in result.compared() if (row.metric, row.group) == (metric, group)]
    compared = [row for row in compared if not _late(result, row)]
    lines = []
    for side, known in (
        (-1, mark("Shown to leave a smaller gap than {baseline}: {n} of {count} models, most of all {model}, by {by} "
                  "({limits}).")),
        (1, mark("Shown to leave a larger gap than {baseline}: {n} of {count} models, most of all {model}, by {by} "
                 "({limits}).")),
    ):  # fmt: skip
        of = [row for row in rows if larger(row, result.estimates) == side]
        if not of:
            continue
        most = max(of, key=lambda row: abs(row.estimate))
        values = _apart(most, models.of_models(result.estimates, metric, group), turned=side > 0)
        values |= {"model": _quoted(most.model), "baseline": _quoted(most.versus)}
        lines.append(say(known, n=len(of), count=len(compared), **values))
    if unsettled := sum(not larger(row, result.estimates) for row in rows):
        lines.append(say("Of {n} a change is shown, and which gap is the smaller is not settled.", n=unsettled))
    return lines


def _both_gaps(result: GroupStudy, row: Estimate, turned: bool) -> dict[str, Any]:
    """The gaps of both models of a change, whether their signs differ, and their sum, which settles the smaller.

    turned: whether the baseline is called the better one.
    """
    before, gap = before_and_after(row, result.estimates)
    worse, better = (gap, before) if turned else (before, gap)
    scale = partial(number, digits=3) if row.metric == models.AREA else percent
    total = sum_of_gaps(row, result.estimates)
    return {
        "turned": gap * before < 0,
        "of_better": scale(better),
        "of_worse": scale(worse),
        "sum": scale(total.estimate),
        "ends": words.span(total.conf_low, total.conf_high, scale),
    }


def _ends(result: GroupStudy, pair: Estimate) -> tuple[str, str]:
    """The models with the smallest and the largest gap of a group."""
    rows = models.of_models(result.estimates, pair.metric, pair.group)
    early = [row for row in rows if not _late(result, row)]
    rows = early if early[1:] else rows
    return rows[0].model, rows[-1].model


def _right_beside(result: GroupStudy, pair: Estimate) -> list[str]:
    """Which models are shown to be right more often than others, of those whose gap is not shown to change."""
    said = [{row.model, row.versus} for row in _changes_of(result, pair)] or [{*_ends(result, pair)}]
    rows = [row for row in result.compared() if row.metric == ACCURACY and not row.group and row.verdict in SHOWN]
    rest = [row for row in rows if {row.model, row.versus} not in said]
    rest.sort(key=lambda row: _late(result, row))
    return [_cost(result, *((row.model, row.versus)[:: 1 if row.estimate > 0 else -1])) for row in rest[:MOST]]


def _changes_of(result: GroupStudy, pair: Estimate) -> list[Estimate]:
    """The shown changes of the gap of a group."""
    return [row for row in models.changes(result.estimates, pair.metric) if row.group == pair.group]


def _equal(result: GroupStudy, metric: str, group: str, *, late: bool) -> list[str]:
    """Which models leave gaps that are shown to be less than the margin apart, and whether a change is shown, too."""
    rows = [row for row in result.compared() if (row.metric, row.group) == (metric, group)]
    rows = [row for row in rows if row.verdict == "equivalence shown" and _late(result, row) is late]
    if len(rows) > MOST:
        pairs = [say("{model} and {other}", model=_quoted(row.model), other=_quoted(row.versus)) for row in rows[:MOST]]
        margin = _points(metric, result.settings["margin"], 0, result.settings["margin"], False)
        return [say("Shown to be less than {margin} apart: the gaps of {pairs}; and more, {n} in all.", margin=margin,
                    pairs="; ".join(pairs), n=len(rows))]  # fmt: skip
    lines = []
    for row in rows:
        values = {"model": _quoted(row.model), "baseline": _quoted(row.versus)}
        values |= {"margin": _points(metric, result.settings["margin"], 0, result.settings["margin"], False)}
        values["limits"] = words.span(*decisive_interval(row), percent)
        text = mark("The gaps of {model} and {baseline} are shown to be less than {margin} apart (change {limits}).")
        if remains(row):
            text = mark(
                "The gaps of {model} and {baseline} are shown to be less than {margin} apart, and not the same (change "
                "{limits})."
            )
        lines.append(say(text, **values))
    return lines


def _also(result: GroupStudy, pair: Estimate) -> list[str]:
    """The other groups of which a change of this gap is shown, between which models and by how much."""
    of: dict[str, list[str]] = {}
    for row in models.changes(result.estimates, pair.metric):
        if row.group != pair.group:
            side = larger(row, result.estimates)
            values = _apart(row, models.of_models(result.estimates, row.metric, row.group), turned=side > 0)
            known = mark("smaller with {better} than with {worse}, by {by}")
            text = say(
                known if side else mark("{better} and {worse}, {by}, which is the smaller is not settled"), **values
            )
            of.setdefault(row.group, []).append(text)
    named = words.listed([_sized(result, group, "; ".join(pairs)) for group, pairs in of.items()], MOST)
    return [say("A change of this gap is also shown for {groups}.", groups=named)] if of else []


def _others(result: GroupStudy, spoken: set[str]) -> list[str]:
    """The groups of which the page says nothing else: those without a shown change, and those with few people."""
    spoken = spoken | {row.group for row in result.shown()}
    compared = [row for row in result.compared() if row.group and row.group not in spoken]
    near = {row.group for row in compared} - {row.group for row in compared if row.verdict != "equivalence shown"}
    rest = {group: n for group, n in _groups(result).items() if group not in spoken | near}
    many, few = (
        [_sized(result, group) for group, n in rest.items() if (n < models.FEWEST) is small] for small in (False, True)
    )
    lines = [say("For {groups} no change of any gap is shown.", groups=words.listed(many, MOST))] if many else []
    if near:
        names = words.listed([_sized(result, group) for group in sorted(near)], MOST)
        lines.append(say("For {groups} gaps are shown to be less than the margin apart: see the table of every "
                         "comparison.", groups=names))  # fmt: skip
    return [*lines, *([say("Not spoken of here: {groups}.", groups="; ".join(few))] if few else [])]


def _sized(result: GroupStudy, group: str, pairs: str = "") -> str:
    """The people of a group, of fewer than models.FEWEST how many they are; pairs: of models, in the same brackets."""
    n = _groups(result)[group]
    if n >= models.FEWEST:
        people = group_people(result.attribute, group)
        return f"{people} ({pairs})" if pairs else people
    if pairs:
        return say_number("{group} ({n} person; {pairs})", "{group} ({n} people; {pairs})", n, group=group,
                          n=words.count(n), pairs=pairs)  # fmt: skip
    return say_number("{group} ({n} person)", "{group} ({n} people)", n, group=group, n=words.count(n))


def _apart(row: Estimate, rows: Sequence[Estimate], turned: bool, few: bool = False) -> dict[str, str]:
    """The two models of a row, the better one first, and how far their numbers are apart; rows: the numbers."""
    better, worse = (row.versus, row.model) if turned else (row.model, row.versus)
    numbers = {one.model: one.estimate for one in rows}
    low, high = (row.conf_low, row.conf_high) if row.estimate > 0 else (-row.conf_high, -row.conf_low)
    digits = 0 if few else 1
    return {
        "better": _quoted(better),
        "worse": _quoted(worse),
        "by": _points(row.metric, abs(row.estimate), numbers[better], numbers[worse], few),
        "limits": words.span(
            low, high, lambda end: small(end, 3) if row.metric == models.AREA else percent(end, digits)
        )
        if row.conf_low == row.conf_low
        else translated(limits(row)),
    }


def _open(result: GroupStudy, metric: str, group: str) -> list[str]:
    """Between which models no difference of this gap, or without a group of this rate, is shown."""
    rows = [row for row in result.compared() if row.metric == metric and row.group == group and words.shown(row)]
    rest = [row for row in rows if row.verdict not in (*SHOWN, "equivalence shown")]
    rest.sort(key=lambda row: _late(result, row))
    if not rest:
        return []
    if len(rest) == len(rows):
        alone = mark("No difference of this gap is shown between the two models{most}.")
        every = mark("No difference of this gap is shown between any two of the models that were compared{most}.")
        if not group:
            alone = mark("No difference of this rate is shown between the two models{most}.")
            every = mark("No difference of this rate is shown between any two of the models that were compared{most}.")
        largest = max(abs(end) for row in rows for end in (row.conf_low, row.conf_high))
        most = ""
        if largest == largest:
            most = say("; one of {points} is not excluded", points=_points(metric, largest, 0, largest, False))
        return [say(alone if len(rows) == 1 else every, most=most)]
    if len(rest) > MOST:
        return [say("In {k} of {n} comparisons of two models no difference is shown.", k=len(rest), n=len(rows))]
    pairs = [say("{model} and {other}", model=_quoted(row.model), other=_quoted(row.versus)) for row in rest]
    values = {"group": group_people(result.attribute, group) if group else "", "pairs": "; ".join(pairs)}
    if len(pairs) == 1:
        template = mark("Of the gap of {group} no difference is shown between {pairs}.")
        return [say(template if group else mark("No difference of this rate is shown between {pairs}."), **values)]
    template = mark("Of the gap of {group} no difference is shown in these pairs: {pairs}.")
    return [say(template if group else mark("No difference of this rate is shown in these pairs: {pairs}."), **values)]


def _quoted(model: str) -> str:
    """The name of a model, which may have commas, in a sentence."""
    return say("“{model}”", model=model)


def _rate(result: GroupStudy, metric: str) -> str:
    """What a rate is a share of."""
    values = {"rate": words.heading(metric), "outcome": _outcome(result)}
    if metric == models.AREA:
        return say(
            "AUC: how often the scores of each model put a person recorded as {outcome} above one who is not.",
            outcome=values["outcome"],
        )
    if metric == PREDICTED:
        return say("{rate}: of the people of whom each model predicts {outcome}, the share recorded so.", **values)
    if metric == HITS:
        return say("{rate}: of the people recorded as {outcome}, the share of whom each model predicts it.", **values)
    return say("{rate}: of the people not recorded as {outcome}, the share of whom each model predicts it.", **values)


def _finding(result: GroupStudy, pair: Estimate | None, metric: str) -> str:
    """The gaps that the models leave in a rate, and which of them are shown to differ."""
    if pair is None:
        return _gaps(result, pair, metric)
    lines = [_gaps(result, pair, metric), *_settled(result, pair, metric, late=False), *_also(result, pair)]
    lines += [*_open(result, metric, pair.group), *_gaps_last(result, pair, metric)]
    return " ".join([*lines, *_settled(result, pair, metric, late=True)])


def _in_order(result: GroupStudy) -> list[str]:
    """The rates in which a gap is shown to change, in the order in which the result says them."""
    rows = [row for row in result.compared() if row.group and row.verdict in SHOWN]
    first = models.against(result.compared(), result.estimates)
    rows.sort(key=lambda row: (_late(result, row), row not in first, row.p_adjusted))
    return [*dict.fromkeys(row.metric for row in rows)]


def _outcome(result: GroupStudy) -> str:
    """The outcome that models predict, as a word where it is one."""
    return as_word(result.settings["outcome"], str(result.settings.get("positive") or ""))


def _right(result: GroupStudy, pair: Estimate | None) -> tuple[str, str]:
    """How often each model is right, beside one answer for everybody, and which is shown to be right more often."""
    rows = models.of_models(result.estimates, ACCURACY, "", "none")
    each = [say("{share}% with {model}", share=percent(row.estimate), model=_quoted(row.model)) for row in rows[:MOST]]
    lines = [say("Right: {each}.", each="; ".join(each)), *_one_answer(result, rows)]
    compared = [row for row in result.compared() if row.metric == ACCURACY and not row.group]
    more = [
        say("{better} than {worse}, by {by} ({limits})", **_apart(row, rows, turned=row.estimate < 0))
        for row in [one for one in compared if one.verdict in SHOWN or remains(one)][:MOST]
    ]
    lines += [say("Shown to be right more often: {each}.", each="; ".join(more))] if more else []
    for row in [one for one in compared if one.verdict == "equivalence shown"][:MOST]:
        text = mark(
            "How often {model} and {baseline} are right differs by less than {margin} points (change {limits})."
        )
        if remains(row):
            text = mark("{lower} is right less often than {higher}, by less than {margin} points (change {limits}).")
        elif barely(row):
            text = mark(
                "How often {model} and {baseline} are right differs by less than {margin} points (change {limits} at "
                "{near}; at {level}, by which a difference would be shown, the limits include 0)."
            )
        higher, lower = (row.model, row.versus)[:: 1 if row.estimate > 0 else -1]
        values = {"model": _quoted(row.model), "baseline": _quoted(row.versus), "near": decisive_level(row)}
        values |= {"higher": _quoted(higher), "lower": _quoted(lower), "level": level(row.conf_level)}
        values["margin"] = percent(result.settings["margin"])
        lines.append(say(text, limits=words.span(*decisive_interval(row), percent), **values))
    lines += _open(result, ACCURACY, "")
    lines += [_finding(result, pair, ACCURACY)] if models.changes(result.estimates, ACCURACY) else []
    return say("How often each model is right."), " ".join(lines)


def _one_answer(result: GroupStudy, rows: Sequence[Estimate]) -> list[str]:
    """How often one answer for everybody is right, and whether every model is right less often."""
    about = {"model": rows[0].model, "contrast": "none", "versus": ""}
    have, lack = (sum(r.n for r in result.estimates.only(metric=m, **about) if r.group) for m in (HITS, FALSE_ALARMS))
    if not (have and lack):
        return []
    share = max(have, lack) / (have + lack)
    if all(row.conf_high < share for row in rows):
        text = mark(
            "Predicting {outcome} for everybody would be right for {share}% of them, more often than any model."
        )
        if have < lack:
            text = mark(
                "Predicting {outcome} for nobody would be right for {share}% of them, more often than any model."
            )
    else:
        text = mark("Predicting {outcome} for everybody would be right for {share}% of them.")
        if have < lack:
            text = mark("Predicting {outcome} for nobody would be right for {share}% of them.")
    return [say(text, share=percent(share), outcome=_outcome(result))]


def _compared(result: GroupStudy) -> str:
    """What selected means, what a gap is, and why the same people matter."""
    threshold, favorable = result.settings.get("threshold"), result.settings.get("favorable")
    if threshold is not None:
        what = say("Selected: a score of {threshold} or more.", threshold=words.setting(threshold))
    elif favorable is not None:
        what = say("Selected: the decision {favorable}.", favorable=favorable)
    else:
        what = say("Selected: the decision that helps.")
    about = _pair(result.estimates.only(metric=SELECTED, contrast="difference")[0])
    about |= {"level": level(result.conf_level)}
    about |= {"group": say("the group")} if len(_groups(result)) > 1 else {}
    if result.settings.get("p_adjust") == "bonferroni":
        gap = say(
            "Gap: how far the shares of {group} and {reference} are apart, in percentage points. In brackets: limits "
            "at {level} confidence that allow for all comparisons of one rate.",
            **about,
        )
    else:
        gap = say("Gap: how far the shares of {group} and {reference} are apart, in percentage points.", **about)
    if margin := result.settings.get("margin"):
        gap += " " + say("The margin of this run is {margin} points.", margin=percent(margin))
        if any(says(one, models.NO_LARGER) for one in result.statements):
            gap += " " + say("The following pages list the gaps that are shown to grow by no more than this.")
    return f"{what} {gap}"


def models_table(result: GroupStudy, group: str = "", most: int = MOST_MODELS, beside: bool = False) -> Table:
    """A line a model and group, or a line a model: how often it is right, whom it selects, how far groups are apart.

    beside: with what either number is shown to be beside that of the baseline.
    """
    every = [row for row in result.estimates.only(metric=SELECTED, contrast="difference", versus="") if row.model]
    rows = [row for row in every if not row.estimator and group in ("", row.group)]
    several = len({row.group for row in rows}) > 1
    turned = beside and not several and all(row.estimate <= 0 for row in rows)  # else changes have the sign of gaps
    right = {row.model: row for row in models.of_models(result.estimates, ACCURACY, "", "none")}
    first = rows[0]
    labels = {label for row in rows for label in (row.group, row.reference)}
    named = {label: group_cell(result.attribute, label) for label in labels}
    headings = [text(say("model")), *([text(say("group"))] if several else [])]
    who = say("right, of all") if several else say("right")
    headings += [Heading(who, "%"), Heading(level_of(right.values(), result.conf_level))] if right else []
    headings += [text(say("shown"))] if right and beside else []
    headings += [
        Heading(say("selected of the group") if several else say("{group} selected", group=named[first.group]), "%"),
        Heading(say("{group} selected", group=named[first.reference]), "%"),
        Heading(say("fewer, by") if turned else say("gap"), say("points")),
        Heading(level_of(rows, result.conf_level)),
        *([text(say("shown"))] if beside else []),
    ]
    lines, last = list[list[str]](), models.spoken_last(result.estimates) - {result.settings["baseline"]}
    smallest = len(rows) > most and not several
    if smallest:
        rows.sort(key=lambda row: (row.model != result.settings["baseline"], abs(row.estimate)))
    rows.sort(key=lambda row: row.model in last)
    for row in rows[:most]:
        about = {"metric": SELECTED, "model": row.model, "contrast": "none", "versus": ""}
        shares = [result.estimates.only(group=group, **about)[0] for group in (row.group, row.reference)]
        accuracy = right.get(row.model)
        cells = [row.model, *([named[row.group]] if several else [])]
        if right:
            cells += [words.DASH] * 2 if accuracy is None else _percents(accuracy)
            cells += [_beside(result, ACCURACY, "", row.model)] if beside else []
        if turned:
            row = negated(row)
        cells += [*(percent(one.estimate) for one in shares), *_percents(row)]
        cells += [_beside(result, SELECTED, row.group or row.reference, row.model)] if beside else []
        lines.append(cells)
    note = (
        say("Fewer: how many percentage points fewer of {group} than of {reference} are selected.", **_pair(first))
        if turned
        else say(
            "Gap: the share of {group} less that of {reference}.",
            group=say("the group") if several else _pair(first)["group"],
            reference=_pair(first)["reference"],
        )
    )
    note = f"{say('Right: the decision is what the outcome later was.')} {note}" if right else note
    about = {"metric": SELECTED, "model": first.model, "contrast": "none", "versus": ""}
    sizes = {row.group: row.n for row in result.estimates.only(**about)}
    each = [
        say("{n} {people}", people=group_people(result.attribute, group), n=words.count(n))
        for group, n in sizes.items()
    ]
    note += " " + say("Counted: {each}.", each=", ".join(each))
    if right:
        note += " " + say("The limits of a model's two numbers hold together.")
    if beside:
        note += " " + say("Shown: beside {baseline}.", baseline=_quoted(result.settings["baseline"]))
    if len(rows) > most:
        more = mark("{n} more models, with larger gaps, are on the following pages.")
        if any(row.model in last for row in rows[most:]):
            more = mark("{n} more models are on the following pages.")
        note += " " + say(more if smallest else mark("{n} more lines are in results.csv."), n=len(rows) - most)
    caption = mark("Each model: how often it is right, and whom it selects")
    caption = caption if right else mark("Each model: whom it selects")
    return table(say(caption), headings, lines, note, most)


def baseline_table(result: GroupStudy, pair: Estimate, most: int = MOST_MODELS) -> Table:
    """A line a model: how accuracy and the gap in selection change beside the baseline, and what that shows."""
    baseline, last = result.settings["baseline"], models.spoken_last(result.estimates)
    gaps, right = (
        {row.model: row for row in models_in_short.beside_baseline(result, *of)}
        for of in ((SELECTED, pair.group), (ACCURACY, ""))
    )
    level = [*gaps.values(), *right.values()]
    headings = [text(say("model"))]
    for name in [say("change of right")] * bool(right) + [say("change of the gap")]:
        headings += [Heading(name, say("points")), Heading(level_of(level, result.conf_level)), text(say("shown"))]
    lines, interval = list[list[str]](), interval_below(level)
    for name in sorted(gaps, key=lambda name: name in last):
        cells = [name]
        for of in [right] * bool(right) + [gaps]:
            row = of.get(name)
            limited = "" if row is None else interval(row, percent)
            cells += [words.DASH] * 3 if row is None else [
                percent(row.estimate), limited, finding_of(row, result.estimates, result.margin)]  # fmt: skip
        lines.append(cells)
    note = say(
        "Change: with the model less with {baseline}; the gap is the share of {group} less that of {reference}. "
        "Smaller, larger: in size.", baseline=_quoted(baseline), **_pair(pair),
    )  # fmt: skip
    note = " ".join(filter(None, (note, equality_note(level), translated(levels_together(result)))))
    return table(say("Each model beside {baseline}", baseline=_quoted(baseline)), headings, lines, note, most)


def _beside(result: GroupStudy, metric: str, group: str, model: str) -> str:
    """What the gap of a model, or its accuracy, is shown to be beside that of the baseline."""
    rows = models_in_short.beside_baseline(result, metric, group)
    return next((finding_of(row, result.estimates, result.margin) for row in rows if row.model == model), "")


def _percents(row: Estimate) -> list[str]:
    return [percent(row.estimate), words.span(row.conf_low, row.conf_high, percent)]


# Alternatives: one half of the people chooses among candidates, the other half tests the one that is chosen.


def alternatives_page(bundle: Bundle, result: GroupStudy) -> dict[str, Any]:
    """The context of page one of `alternatives`."""
    chose, tested = (half_of(result, choosing) for choosing in (True, False))
    compared = next((row for row in result.compared() if row.group), None)
    wrong, metric = _wrong(result), result.settings["metric"]
    first, *others = [text for text in result.statements if not any(says(text, code) for code in OF_WRONG)]
    beside = [text for text in others if not any(says(text, code) for code in IN_POINTS)]
    answer = translated(first) if compared is None else _alternative(result, tested, compared)
    group = model_pictures(result)[0][1] if compared is None else compared.group
    reference = next(group_people(row.attribute, row.reference) for row in result.estimates if row.reference)
    return blank() | {
        "who": _who(bundle, result),
        "question": say(
            "A model is in use. Does another one leave a smaller gap between the groups of {groups}, and is it right "
            "about as often? Candidates tried: {n}. Some of the people served to choose one, the others to test it.",
            groups=in_code(result.attribute),
            n=len(result.settings["candidates"]) - 1,
        ),
        "sentence": " ".join([*wrong, answer] if first is not result.statements[0] else [answer, *wrong]),
        "context": [
            *map(translated, beside),
            say("Gap: the share of a group less that of {reference}, in percentage points. In brackets: limits at "
                "{level} confidence.", reference=reference, level=level(result.conf_level)),
        ],
        "points": [*([] if compared is None else _tested(result, tested, compared)), _choice(result, chose, compared)],
        "tables": [candidates_table(result) if compared is None else condition_table(result)],
        "figures": [models_picture("page-one-models", result, metric, group)],
        "findings_last": True,
        "unshown": [
            say("Whether the smaller gap is small enough, nor why the groups differ."),
            say("Gaps between the groups of other columns than {groups}.", groups=in_code(result.attribute)),
            *([say("What the candidates that were not chosen would do: of all of them one was tested.")]
              if compared else []),
            *([] if says(first, alternatives.FOUND) else [say("That there is none: another split may find one.")]),
            say("The outcome is taken as recorded."),
        ],
        "rely": [
            say("No candidate may have been trained on these people."),
            say("The people who test can be used once: a second search, or another seed, needs new people."),
            say("Audit the decisions of the model that is taken: `{call}`.", call=Call("audit")),
        ],
        "check": how_to_check(bundle) if verifiable(bundle) else None,
        "next": [("comparison", beside_page_one("", result)["heading"])],
        "source": source_line(bundle),
    }  # fmt: skip


OF_OTHERS = (alternatives.NO_OTHER_LARGER, alternatives.LARGER, alternatives.PERHAPS_LARGER, alternatives.LARGEST_STILL,
             alternatives.LARGEST_NOW)  # fmt: skip
OF_CHOICE = (alternatives.LARGEST_DECIDES, alternatives.NAMED_DECIDES, alternatives.CHOSEN,
             alternatives.TESTED, alternatives.TESTED_AS_OBSERVED,
             alternatives.CHOSEN_AS_OBSERVED, alternatives.NONE_BUT_LAST)  # fmt: skip
LABEL_FIRST = (alternatives.LARGER, alternatives.PERHAPS_LARGER, alternatives.OF_GROUP)
GROWN = (alternatives.GAP_GROWS, models.CHANGED)
# What a page after the first has: every change for every group, and the candidates that were not chosen.
AFTERWARD = (alternatives.FROM_TO, alternatives.OF_GROUP, alternatives.MORE_CHANGES, models.NOT_EXCLUDED,
             alternatives.MAY_GROW, alternatives.PASSED_OVER, alternatives.MORE_PASSED_OVER,
             alternatives.OTHERS_LAST)  # fmt: skip
IN_POINTS = (*OF_OTHERS, *OF_CHOICE, *GROWN, *AFTERWARD, alternatives.COMES_FROM, alternatives.DRAWN,
             alternatives.DECLARED)  # fmt: skip


def _said(result: GroupStudy, codes: Sequence[Message]) -> list[str]:
    """The statements of these forms; a label at the beginning stays as it is."""
    found = [(text, code) for text in result.statements for code in codes if says(text, code)]
    return [translated(text) if code in LABEL_FIRST else capital(translated(text)) for text, code in found]


def _tested(result: GroupStudy, tested: GroupStudy, change: Estimate) -> list[tuple[str, str]]:
    """Short findings among those who tested: whose rate changed, other groups, and gaps in other rates."""
    of = {row.model: row for row in models.of_models(tested.estimates, change.metric, change.group)}
    new, old = (_shares(tested, of[name]) for name in (change.model, change.versus))
    values = _pair(change) | {"model": new["model"], "baseline": old["model"], "rate": words.in_text(change.metric)}
    values |= {"share": new["share"], "other": new["other"], "before": old["share"], "other_before": old["other"]}
    shares = say(
        "{rate} of {group}: {before} with {baseline}, {share} with {model}; of {reference}: {other_before} and "
        "{other}.",
        **values,
    )
    points = [(say("Whose rate changed."), " ".join([capital(shares), *_said(result, [alternatives.COMES_FROM])]))]
    if others := _said(result, OF_OTHERS):
        points.append((say("Gaps of the other groups."), " ".join(others)))
    by_itself = say("Each interval is at {level} by itself, not adjusted for their number.",
                    level=level(result.conf_level))  # fmt: skip
    points.append((say("What changes for each group."), f"{_risen_and_fallen(result)} {by_itself}"))
    grown = _said(result, GROWN) or [say("None is shown to be larger.")]
    if _said(result, [alternatives.MAY_GROW]):
        grown.append(say("Those that are larger as observed, without a change being shown, are on the next pages."))
    return [*points, (say("Gaps in other rates."), " ".join(grown))]


def _risen_and_fallen(result: GroupStudy) -> str:
    """Of which groups which rates are shown to rise, and to fall; the numbers are in a table."""
    lines = []
    for side, some, none in (
        ("higher", mark("Shown to rise: {rates}."), mark("Nothing is shown to rise.")),
        ("lower", mark("Shown to fall: {rates}."), mark("Nothing is shown to fall.")),
    ):
        of: dict[str, list[str]] = {}
        for row, *_ in result.changes_by_rate():
            if row.group and not row.reference and direction(row, result.estimates) == side:
                of.setdefault(row.metric, []).append(group_people(row.attribute, row.group))
        rates = [
            say("{rate} ({groups})", rate=words.in_text(name), groups=words.listed(groups))
            for name, groups in of.items()
        ]
        lines.append(say(some, rates="; ".join(rates)) if rates else say(none))
    return " ".join(lines)


def changes_table(result: GroupStudy) -> Table:
    """What changes from the model in use to the candidate: a line a rate and group, or gap."""
    changes = result.changes_by_rate()
    first = changes[0][0]
    headings = [text(say("rate")), text(say("of")), Heading(say("people")), *(
        Heading(name, "%") for name in (first.versus, first.model)
    ), Heading(say("change"), say("points")), Heading(level_of([first], result.conf_level))]  # fmt: skip
    lines = []
    for row, old, new in sorted(changes, key=lambda line: (bool(line[0].reference), bool(line[0].group))):
        who = group_cell(result.attribute, row.group) if row.group else say("everybody")
        if row.reference:
            who = say("{group} less {reference}", group=who, reference=group_cell(result.attribute, row.reference))
        numbers = [percent(old.estimate), percent(new.estimate), *_percents(row)]
        lines.append([words.heading(row.metric), who, words.count(row.n), *numbers])
    note = say(
        "Among those who tested. Lines of two groups are gaps, in points, and the people of the first are counted. "
        "Each interval is at {level} by itself, not adjusted for their number.",
        level=level(result.conf_level),
    )
    if len(lines) > MOST_CHANGES:
        note += " " + say("{n} more lines are in results.csv.", n=len(lines) - MOST_CHANGES)
    return table(say("What changes with the candidate"), headings, lines[:MOST_CHANGES], note, MOST_CHANGES)


def half_of(result: GroupStudy, choosing: bool) -> GroupStudy:
    """The rows of the people who chose among candidates, or of those who tested the choice."""
    return replace(result, estimates=Estimates(row for row in result.estimates if bool(row.given) is choosing))


def _alternative(result: GroupStudy, tested: GroupStudy, change: Estimate) -> str:
    """Whether the candidate is an alternative, with the rates, the gaps and the accuracy of both models."""
    of = {row.model: row for row in models.of_models(tested.estimates, change.metric, change.group)}
    right = {row.model: row for row in models.of_models(tested.estimates, ACCURACY, "", "none")}
    new, old = (of[name] for name in (change.model, change.versus))
    values = {"model": _quoted(new.model), "baseline": _quoted(old.model)}
    first = next(text for text in result.statements if not any(says(text, code) for code in OF_WRONG))
    if says(first, alternatives.FOUND):
        lines = [say("{model} is a less discriminatory alternative to {baseline}, the model in use.", **values)]
    elif says(first, alternatives.SHOWN_IN_PART):
        margin = result.settings["margin"]
        apart, refusing = result.settings.get("gap_margin", margin), first.values["list"]  # type: ignore[attr-defined]
        lines = [
            say("{model} leaves a smaller gap in {rate} between {group} and {reference} than {baseline}, the model in "
                "use, and is at most {margin} points less accurate: both are shown. Not shown is that no gap of "
                "another group is more than {apart} points larger: {list}. So it is not called a less discriminatory "
                "alternative.", rate=words.in_text(change.metric), margin=percent(margin), apart=percent(apart),
                list=translated(refusing), **_pair(new), **values)
        ]  # fmt: skip
    elif len(result.settings["candidates"]) == 2:
        lines = [say("{model} is not shown to be a less discriminatory alternative to {baseline}, the model in use.",
                     **values)]  # fmt: skip
    else:
        lines = [say("No less discriminatory alternative to {baseline}, the model in use, is shown; {model} came "
                     "nearest among those who chose.", **values)]  # fmt: skip
    lines.append(
        say("Between {group} and {reference} the gap in {rate} is {gap} points with {model}, {gap_before} with "
            "{baseline}.", rate=words.in_text(change.metric), gap=percent(new.estimate),
            gap_before=percent(old.estimate), **_pair(new), **values)
    )  # fmt: skip
    by = _apart(change, [new, old], turned=False) | {"level": level(change.conf_level)}
    if new.estimate * old.estimate < 0:
        lines.append(say("That is a change of {by} ({level} CI {limits}), to the other side.", **by))
    elif abs(new.estimate) < abs(old.estimate):
        lines.append(say("The gap is smaller by {by} ({level} CI {limits}).", **by))
    else:
        lines.append(say("The gap is larger by {by} ({level} CI {limits}).", **by))
    if change.verdict == "inconclusive":
        lines.append(say("That is not shown to be a change."))
    lines += _most_changed(tested)
    accuracy = next(row for row in result.compared() if row.metric == ACCURACY and not row.group)
    lines.append(
        say("{model} is right for {share}% of people, {baseline} for {before}%: a change of {change} points ({level} "
            "CI {limits}), where a loss of {margin} was allowed.", **values, level=level(accuracy.conf_level),
            share=percent(right[new.model].estimate), before=percent(right[old.model].estimate),
            change=words.signed(100 * accuracy.estimate),
            limits=words.span(accuracy.conf_low, accuracy.conf_high, percent),
            margin=percent(result.settings["margin"]))
    )  # fmt: skip
    return " ".join(lines)


def _most_changed(tested: GroupStudy) -> list[str]:
    """Whose rate changes most, of those that are shown to, which another rate than that of the gap may be.

    Groups of few people are in the table of all changes only.
    """
    changes = [line for line in tested.changes_by_rate() if line[0].group and not line[0].reference]
    shown = [
        line for line in changes
        if direction(line[0], tested.estimates) in ("higher", "lower") and line[0].n >= models.FEWEST
    ]  # fmt: skip
    if not shown:
        return []
    row, old, new = max(shown, key=lambda line: abs(line[0].estimate))
    values = {"rate": words.in_text(row.metric), "group": group_people(row.attribute, row.group)}
    values |= {"before": percent(old.estimate), "after": percent(new.estimate), "n": words.count(row.n)}
    values |= {"fewest": str(models.FEWEST), "level": level(row.conf_level)}
    values["by"] = translated(difference(100 * row.estimate, 100 * new.estimate, 100 * old.estimate, 1))
    values["limits"] = words.span(row.conf_low, row.conf_high, percent)
    rises = mark(
        "The largest change shown for one group of {fewest} people or more: the {rate} of {group} ({n} people) rises "
        "from {before}% to {after}%, a change of {by} points ({level} CI by itself: {limits})."
    )
    falls = mark(
        "The largest change shown for one group of {fewest} people or more: the {rate} of {group} ({n} people) falls "
        "from {before}% to {after}%, a change of {by} points ({level} CI by itself: {limits})."
    )
    return [say(rises if row.estimate > 0 else falls, **values)]


def _choice(result: GroupStudy, chose: GroupStudy, change: Estimate | None) -> tuple[str, str]:
    """How many people chose and tested, who drew them, and by which rule the candidate was chosen."""
    n = next(row.n for row in chose.estimates if row.metric == ACCURACY and not row.group)
    values = {"chose": words.count(n), "tested": words.count(result.n - n)}
    if result.settings.get("split"):
        lines = [say("{chose} people chose and {tested} others tested, as a column of the data says.", **values)
                 if change is not None
                 else say("{chose} people chose, as a column of the data says; the {tested} others were not needed.",
                          **values)]  # fmt: skip
    else:
        seed = result.settings["seed"]
        lines = [say("{chose} people, drawn at random (seed {seed}), chose and {tested} others tested.",
                     seed=seed, **values)
                 if change is not None
                 else say("{chose} people, drawn at random (seed {seed}), chose; the {tested} others were not needed.",
                          seed=seed, **values)]  # fmt: skip
    left = len(_said(result, [alternatives.PASSED_OVER]))
    passed = (
        [say("Candidates with a smaller gap that were not chosen, and why, are on the next pages.")] if left else []
    )
    return say("How the candidate was chosen."), " ".join([*lines, *_said(result, OF_CHOICE), *passed])


def candidates_table(result: GroupStudy, most: int = MOST_TRIED) -> Table:
    """A line a candidate: how often it is right and its gap, among those who chose and those who tested."""
    metric = result.settings["metric"]
    halves = [half_of(result, choosing) for choosing in (True, False)]
    every = [row for row in halves[0].estimates.only(metric=metric, contrast="difference") if not row.estimator]
    several = len({row.group for row in every}) > 1
    headings = [text(say("candidate")), *([text(say("group"))] if several else [])]
    tested = [row for row in halves[1].estimates.only(metric=metric, contrast="difference") if not row.estimator]
    for did in (say("chose"), say("tested"))[: 1 + bool(tested)]:
        headings += [
            Heading(say(mark("right of all, {half}") if several else mark("right, {half}"), half=did), "%"),
            Heading(say("gap, {half}", half=did), say("points")),
        ]
        headings += [Heading(level_of(every, result.conf_level))]
    headings.insert(3 if several else 2, Heading(say("change of accuracy, chose"), say("points")))
    lines, first = list[list[str]](), {row.model for row in tested}
    many = len(every) > most

    def place(row: Estimate) -> tuple[bool, bool, float]:
        """The model in use, of too many the one chosen, and those with the smallest gaps."""
        used = row.model == result.settings["baseline"]
        return not used, many and row.model not in first, many * abs(row.estimate)

    for row in sorted(every, key=place)[:most]:
        name = say("{model} (in use)", model=row.model) if row.model == result.settings["baseline"] else row.model
        cells = [name, *([group_cell(result.attribute, row.group)] if several else [])]
        for half in halves[: 1 + bool(tested)]:
            right = half.estimates.only(metric=ACCURACY, model=row.model, contrast="none", group="", versus="")
            gap = half.estimates.only(metric=metric, model=row.model, contrast="difference", group=row.group, versus="")
            cells += [percent(right[0].estimate), *_percents(gap[0])] if right and gap else [words.DASH] * 3
        changed = halves[0].estimates.only(metric=ACCURACY, model=row.model, contrast="difference", group="")
        change = words.DASH
        if changed:
            value, interval = _percents(changed[0])
            change = with_interval(value, interval)
        cells.insert(3 if several else 2, change)
        lines.append(cells)
    group, base = (group_people(result.attribute, label) for label in (every[0].group, every[0].reference))
    about = {"group": say("the group") if several else group, "reference": base, "rate": words.in_text(metric)}
    note = (
        say("Gap: the share of {group} less that of {reference} ({rate}). Chose, tested: the two halves of the people. "
            "Only the candidate that was chosen, and the model in use, were tested; the gap of a choice looks smaller "
            "among those who chose.", **about)
        if tested
        else say("Gap: the share of {group} less that of {reference} ({rate}).", **about)
    )  # fmt: skip
    if many:
        note += " " + say("{n} more lines are in results.csv.", n=len(every) - most)
    caption = (
        say("Every candidate among those who chose, and the chosen one among those who tested")
        if tested
        else say("Every candidate among those who chose")
    )
    return table(caption, headings, lines, note, most)


# A gap that is watched: whether it changed, since when, for how many people.


def monitor_page(bundle: Bundle, result: GroupStudy) -> dict[str, Any]:
    """The context of page one of `monitor`."""
    raised = _raised(result)
    first = _nearest(result) if raised is None else raised
    in_sentence = (monitor.BASELINE, *ALARMS) if len(result.compared()) == 1 else ()
    quiet = (
        monitor.QUIET,
        monitor.QUIET_ONE,
        monitor.QUIET_OTHERS,
        *((monitor.CONSTANT, monitor.CONSTANT_EACH) if raised is not None else ()),
        monitor.AFTER,
        monitor.AFTER_IN,
        monitor.MOVED,
        monitor.NEXT,
        monitor.NEXT_OVER,
        monitor.LARGEST,
        monitor.IS_THERE,
    )  # said elsewhere
    by_size = [one for one in result.statements if says(one, monitor.LARGEST)]
    over = any(says(one, monitor.PLANNED_OVER) for one in result.statements)
    left = result.statements[1:] if raised is not None else result.statements  # the first is its alarm
    rest = [one for one in left if not any(says(one, code) for code in (*in_sentence, *quiet))]
    return blank() | {
        "who": _who(bundle, result),
        "question": _watched(result, first),
        "sentence": _alarm(result, raised) if raised is not None else _no_alarm(result, first),
        "context": [*_people(result, first), *map(translated, rest)],
        "tables": [*([watched_table(result)] if result.compared()[1:] else []), latest_table(result, first)],
        "figures": [periods_picture("page-one-periods", result, first.group, LOW if result.compared()[1:] else HEIGHT)],
        "unshown": [
            say("Why the gap changed: other people may have applied, or the rules may have changed."),
            say("No alarm is no proof that nothing changed; small or short changes may be missed."),
            say(
                "In which period the gap changed, and how large it has been since: both are chosen by the data, and "
                "the gap is too large as a rule; the months after the alarm tell."
            )
            if raised is not None
            else say("That the groups are treated alike: no margin of equality was tested."),
        ],
        "rely": [
            say("Look for what changed at about that time: rules, model, applicants, records.")
            if raised is not None
            else say(
                "All planned looks are done: later periods are another question, with a chance of a false alarm of "
                "its own."
            )
            if over
            else say("Go on with the same settings: the chance of a false alarm is for all periods together."),
            *(
                [
                    say(
                        "The reference is {reference}, the largest group of {period}; it stays in later periods.",
                        **_pair(first) | {"period": result.periods[0]},
                    )
                ]
                if by_size
                else []
            ),
            say("Reference and margin have to be fixed before the periods are seen.")
            if result.settings.get("margin")
            else say("Reference and baseline have to be fixed before the periods are seen.")
            if result.settings.get("baseline")
            else say("The reference has to be fixed before the periods are seen."),
            *(
                []
                if raised is None
                else [say("Audit the decisions since then (`{call}`); all planned looks are done.", call=Call("audit"))]
                if over
                else [
                    say(
                        "Audit the decisions since then (`{call}`), and go on with the same settings.",
                        call=Call("audit"),
                    )
                ]
            ),
        ],
        "check": how_to_check(bundle) if verifiable(bundle) else None,
        "next": [("comparison", say("Evidence period by period"))],
        "source": source_line(bundle),
    }


ALARMS = (monitor.FALLEN, monitor.RISEN, monitor.LOWER, monitor.HIGHER, monitor.BEYOND_BELOW, monitor.BEYOND_ABOVE)


def _nearest(result: GroupStudy) -> Estimate:
    """The row of the group with the most evidence of a gap; of as much, that of the most people, or the larger gap."""
    return min(result.compared(), key=_evidence)


def _evidence(row: Estimate) -> tuple[float, float, float]:
    return row.p_adjusted, -row.n, -abs(row.estimate)


def _raised(result: GroupStudy) -> Estimate | None:
    """The row of the group whose alarm was first."""
    if result.alarm is None:
        return None
    group = next(row.group for row, *_ in watched_rows(result) if _alarmed(result, row))
    return next(row for row in result.compared() if row.group == group)


def _alarmed(result: GroupStudy, row: Estimate) -> bool:
    """Whether the first alarm was that of this group and period."""
    return row.given == result.alarm and row.p_adjusted <= 1 - result.conf_level


def _about(result: GroupStudy, row: Estimate) -> dict[str, str]:
    return {"decision": as_word(result.settings["decision"], result.settings.get("favorable", "")), **_pair(row)}


def _watched(result: GroupStudy, row: Estimate) -> str:
    """Why a gap is watched, and what an alarm means."""
    values = _about(result, row) | {"n": len(result.periods), "error": level_number(1 - result.conf_level)}
    if result.compared()[1:]:
        values["group"] = say("people of the other groups")
    if last := result.settings.get("baseline"):
        return say(
            "A gap between groups may open after a decision has come into use. Is the gap between {group} and "
            "{reference} in the share recorded as {decision} what it was up to {last}? It was looked at in each period "
            "since; while nothing changes, the chance of a false alarm in any of them is at most {error}%.",
            last=last,
            **values,
        )
    return say(
        "A gap between groups may open after a decision has come into use. Are {group} recorded as {decision} as "
        "often as {reference}? It was looked at in each period; while there is no gap that matters, the chance of a "
        "false alarm in any of them is at most {error}%.",
        **values,
    )


def _sided(gap: float) -> str:
    """How far a rate is from the reference's, with its side."""
    if gap < 0:
        return say("{points} points lower", points=percent(-gap))
    return say("{points} points higher", points=percent(gap))


def _term(result: GroupStudy, row: Estimate, term: str) -> Estimate | None:
    return next(iter(result.estimates.only(group=row.group, term=term)), None)


def _alarm(result: GroupStudy, row: Estimate) -> str:
    """Since when the rate is how far from the reference's, and how far it was before."""
    since, before = _term(result, row, SINCE), _term(result, row, BEFORE)
    assert since is not None
    values = _about(result, row) | {"alarm": str(result.alarm), "now": _sided(since.estimate)}
    values["when"] = _from_to(since.given, str(result.alarm), about=True)
    if before is not None:
        return say(
            "Alarm in {alarm}: the gap between {group} and {reference} is no longer what it was. {when} "
            "the share recorded as {decision} was {now} among {group} than among {reference} (chosen by the data, it "
            "is too large as a rule); up to {last} it was {before} ({level}% limits: {limits}).",
            level=level_number(before.conf_level),
            last=result.settings["baseline"],
            before=_sided(before.estimate),
            limits=_change_limits(before),
            **values,
        )
    if margin := result.settings.get("margin"):
        return say(
            "Alarm in {alarm}: the gap between {group} and {reference} was larger than the {margin} points that were "
            "allowed, in some period by then. {when} the share recorded as {decision} was {now} among {group} than "
            "among {reference} (chosen by the data, it is too large as a rule).",
            margin=significant(100 * margin, 3),
            **values,
        )
    return say(
        "Alarm in {alarm}: {group} and {reference} differ. {when} the share recorded as "
        "{decision} was {now} among {group} than among {reference} (chosen by the data, it is too large as a rule).",
        **values,
    )


def _from_to(since: str, until: str, *, about: bool = False) -> str:
    """From a period to another, or in the one."""
    if since == until:
        return say("In {period}", period=since)
    if about:
        return say("From about {since} to {alarm}", since=since, alarm=until)
    return say("From {since} to {alarm}", since=since, alarm=until)


def _change_limits(row: Estimate) -> str:
    """Limits of a gap, group less reference, which may lie on both sides."""
    if row.conf_high <= 0:
        return words.span(-row.conf_high, -row.conf_low, percent)
    if row.conf_low >= 0:
        return words.span(row.conf_low, row.conf_high, percent)
    return say("from {low} lower to {high} higher", low=percent(-row.conf_low), high=percent(row.conf_high))


def _no_alarm(result: GroupStudy, row: Estimate) -> str:
    """That there was none, and both rates of the latest period."""
    looked = len({one.given for one, *_ in watched_rows(result)})
    groups = sum(one.reason != monitor.NO_BASELINE for one in result.compared())
    if groups > 1:
        quiet = say_number(
            "No alarm about any of the {groups} groups compared with {reference} in the one period that was looked at.",
            "No alarm about any of the {groups} groups compared with {reference} in the {n} periods that were looked "
            "at.",
            looked,
            n=looked,
            groups=groups,
            reference=_pair(row)["reference"],
        )
    else:
        quiet = say_number(
            "No alarm in the one period that was looked at.",
            "No alarm in the {n} periods that were looked at.",
            looked,
            n=looked,
        )
    if margin := result.settings.get("margin"):
        quiet += " " + say("A gap of up to {margin} points was allowed.", margin=significant(100 * margin, 3))
    return " ".join(filter(None, (quiet, "" if groups > 1 else _rates_in(result, row, result.periods[-1]))))


def _rates(result: GroupStudy, group: str) -> dict[str, Estimate]:
    """The rate of a group by period."""
    rows = result.estimates.only(group=group, contrast="none", estimator=str(OF_PERIOD))
    return {row.given: row for row in rows}


def _rates_in(result: GroupStudy, row: Estimate, period: str) -> str:
    both = [_rates(result, name).get(period) for name in (row.group, row.reference)]
    if None in both:
        return ""
    share, other = (percent(one.estimate) for one in both if one is not None)
    return say(
        "In {period} {share}% of {group} and {other}% of {reference} were recorded as {decision}.",
        period=period,
        share=share,
        other=other,
        **_about(result, row),
    )


def _people(result: GroupStudy, row: Estimate) -> list[str]:
    """Both rates in the period of the alarm, and how many people the gap since the change is."""
    since = _term(result, row, SINCE)
    if since is None or result.alarm is None:
        return []
    lines = [_rates_in(result, row, result.alarm)]
    names = list(result.periods)
    among = names[names.index(since.given) : names.index(result.alarm) + 1]
    mine, theirs = (_rates(result, name) for name in (row.group, row.reference))
    counted = [(mine[name], theirs[name]) for name in among if name in mine and name in theirs]
    lost = sum(one.n * other.estimate - one.events for one, other in counted)
    values = _about(result, row) | {"n": words.count(round(abs(lost))), "when": _from_to(since.given, result.alarm)}
    if round(abs(lost)) and lost > 0:
        lines.append(
            say(
                "{when} about {n} fewer {group} were recorded as {decision} than at the rates of {reference}.",
                **values,
            )
        )
    elif round(abs(lost)):
        lines.append(
            say(
                "{when} about {n} more {group} were recorded as {decision} than at the rates of {reference}.",
                **values,
            )
        )
    return [line for line in [*lines, _after(result, row)] if line]


def _after(result: GroupStudy, row: Estimate) -> str:
    """How far the rates were apart after the alarm."""
    late = list(result.periods)[list(result.periods).index(str(result.alarm)) + 1 :]
    gaps = [gap.estimate for known, gap, *_ in watched_rows(result) if known.group == row.group and known.given in late]
    gaps = [gap for gap in gaps if gap == gap]
    if not gaps:
        return ""
    low, high = sorted(map(abs, (min(gaps), max(gaps))))
    values = {"first": late[0], "last": late[-1], "low": percent(low), "high": percent(high)} | _pair(row)
    if not late[1:]:
        values["gap"] = _sided(gaps[0])
        text = mark(
            "After the alarm, in {first}, the share of {group} was {gap} than that of {reference}. Whether the gap has "
            "changed again was not tested."
        )
    elif max(gaps) < 0:
        text = mark(
            "After the alarm, from {first} to {last}, the share of {group} stayed below that of {reference}: by {low} "
            "to {high} points, period by period. Whether the gap has changed again was not tested."
        )
    elif min(gaps) > 0:
        text = mark(
            "After the alarm, from {first} to {last}, the share of {group} stayed above that of {reference}: by {low} "
            "to {high} points, period by period. Whether the gap has changed again was not tested."
        )
    else:
        values |= {"low": _sided(min(gaps)), "high": _sided(max(gaps))}
        text = mark(
            "After the alarm, from {first} to {last}, the share of {group} was between {low} and {high} than that of "
            "{reference}, period by period. Whether the gap has changed again was not tested."
        )
    return say(text, **values)


def watched_table(result: GroupStudy) -> Table:
    """A line a group: its gap so far with the limits, and its alarm; alarms first, then the most evidence."""
    alarms, last = result.alarms, {known.group: known for known, *_ in watched_rows(result)}
    rows = sorted(result.compared(), key=lambda row: ((*alarms, row.group).index(row.group), *_evidence(row)))
    headings = [
        text(say("group")),
        Heading(say("people")),
        Heading(say("gap so far"), say("points")),
        Heading(say("limits"), say("points")),
        text(say("alarm")),
    ]
    lines = []
    for row in rows[:MOST_WATCHED]:
        known = last.get(row.group, row)
        there, apart = words.shown(known), row.reason == monitor.NO_BASELINE
        limits_of = one_limit(row) or words.interval(row)
        lines.append(
            [
                group_cell(row.attribute, row.group),
                words.count(known.n) if there else words.DASH if apart else "0",
                words.signed(100 * known.estimate) if there else words.DASH,
                limits_of if there else words.DASH,
                alarms.get(row.group) or (say("not compared") if apart else say("none")),
            ]
        )
    about = {"reference": _pair(rows[0])["reference"], "decision": _about(result, rows[0])["decision"]}
    meaning = (
        mark(
            "Gap so far: of all periods that were looked at, the share of the group recorded as {decision} (selection "
            "rate) less that of {reference}. Limits: of a gap that is the same in all periods; those of all groups "
            "hold together with {level} confidence."
        )
        if result.settings.get("looks")
        else mark(
            "Gap so far: of all periods that were looked at, the share of the group recorded as {decision} (selection "
            "rate) less that of {reference}. Limits: in some period the gap was above the lower one, in some below "
            "the upper one; those of all groups and periods hold together with {level} confidence."
        )
    )
    note = say(meaning, level=level(result.conf_level), **about)
    if any(map(outside, rows[:MOST_WATCHED])):
        note += " " + say(
            "\N{DAGGER}: no interval is about the mean gap of all periods, in which it need not have been the same; "
            "what is known of a gap in some period is on the following pages (so far)."
        )
    if (left := len(rows) - MOST_WATCHED) > 0:
        note += " " + say_number(
            "One more group is on the following pages.", "{n} more groups are on the following pages.", left, n=left
        )
    return table(say("Every group"), headings, lines, note)


def latest_table(result: GroupStudy, row: Estimate) -> Table:
    """A line a period, that of the alarm and the latest: both rates and the gap with its band."""
    watched = [line for line in watched_rows(result) if line[0].group == row.group]
    headings = [
        word(say("period")),
        Heading(say("people")),
        *(Heading(group_cell(row.attribute, label), "%") for label in (row.group, row.reference)),
        Heading(say("gap"), say("points")),
        Heading(say("limits"), say("points")),
        text(say("alarm")),
    ]
    raised = next((one.given for one, *_ in watched if _alarmed(result, one)), None)
    lines = []
    for known, gap, mine, other in watched:
        counted = sum(one.n for one in (mine, other) if one is not None)
        rates = [percent(one.estimate) if one is not None else words.DASH for one in (mine, other)]
        both = [words.signed(100 * gap.estimate), words.interval(gap)] if words.shown(gap) else [words.DASH] * 2
        lines.append([known.given, words.count(counted), *rates, *both, say("alarm") if known.given == raised else ""])
    note = say(
        "Gap: the share of {group} recorded as {decision} (selection rate) less that of {reference}. Limits: of one "
        "period each, so wide that all of them hold together with {level} confidence; the alarm takes all periods "
        "together and sees smaller changes.",
        level=level(result.conf_level),
        **_about(result, row),
    )
    if raised:
        note += " " + say(
            "The alarm is given once, in the first period with evidence enough: that later ones have no mark does not "
            "mean that the gap has closed."
        )
    since = next((one.given for one in result.estimates.only(group=row.group, term=monitor.SINCE)), "")
    names, kept = [line[0] for line in lines], len(lines[-MOST_PERIODS:])
    early: list[int] = []
    for name in dict.fromkeys(filter(None, (raised, since))):  # those that are before the latest take their places
        if (at := names.index(name)) < len(lines) - kept:
            early, kept = sorted([*early, at]), kept - 2
    shown = list[list[str]]()
    places = [*early, *range(len(lines) - kept, len(lines))]
    for at, before in zip(places, [places[0] - 1, *places], strict=False):
        if (n := at - before - 1) and shown:
            shown.append(
                [say_number("… {n} period", "… {n} periods", n, n=words.count(n)), *[""] * (len(headings) - 1)]
            )
        shown.append([*lines[at][:-1], lines[at][-1] or say("change, about") * (names[at] == since)])
    if left := len(lines) - len(places):
        some = mark("{n} periods that are not in this table are on the following pages.")
        if not early:
            some = mark("{n} earlier periods are on the following pages.")
        more = mark("{n} more lines are in results.csv.")
        note += " " + say(some if len(watched_rows(result)) <= MOST_PERIOD_LINES else more, n=left)
    if len({one.group for one in result.compared()}) > 1:
        note += " " + (
            say("The other groups are on the following pages.")
            if result.alarm
            else say(
                mark("Of all groups {group} have the most evidence of a gap; the others are on the following pages.")
                if all(row.p_adjusted < one.p_adjusted for one in result.compared() if one.group != row.group)
                else mark("The table is of {group}; the other groups are on the following pages."),
                **_pair(row),
            )
        )
    return table(say("Period by period"), headings, shown, note, MOST_PERIODS)
