"""Page one: the question, the answer in one sentence, one table that is the forest, what this does not show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from fairstats import metrics
from fairstats.auditing.answer import (
    FEW,
    MOST_ANSWERS,
    Answer,
    amounts_of,
    answers,
    declared,
    distance,
    farther,
    quantities,
    seen,
    widest,
)
from fairstats.auditing.group_studies import GroupStudy, of_pay
from fairstats.auditing.result import Audit
from fairstats.auditing.sentences import (
    BY_CHANCE,
    CLASS_ERRORS,
    FOUR_FIFTHS,
    MOST_FINDINGS,
    PageOne,
    alike_beside,
    also,
    amounts_where_crossed,
    answer_deed,
    as_word,
    at_once,
    beside_margin,
    but_of,
    by_size,
    class_errors,
    classes_beside,
    columns_named,
    combinations_found,
    crossed_gaps,
    crossed_people,
    detectable_too,
    farthest_shown,
    four_fifths,
    gap_beside,
    gaps_of_combinations,
    group_cell,
    group_people,
    has_gap_beside,
    has_tentative,
    headline,
    in_code,
    largest_gaps,
    left_out,
    low_in_a_stratum,
    main_findings,
    meetings,
    open_beside,
    open_together,
    others,
    outcomes_beside,
    page_one,
    parts,
    qualified,
    ratios_beside,
    reversals,
    several,
    short_of,
    single_spaced,
    spoken_of,
    strata_name,
    unclear_side,
    unequal,
    unknown_beside,
    varying,
    where_crossed,
    who_has_amounts,
    who_scores_higher,
    with_plain_verbs,
    without_amount,
    without_ratio,
)
from fairstats.comparing.metrics import SELECTIONS
from fairstats.comparing.result import (
    FOCUS,
    UNADJUSTED,
    Comparison,
    Naming,
    answer_and_more,
    called_term,
    comparison_headline,
    possible,
    predicted_gaps,
    predicted_value,
)
from fairstats.document import Forest, Heading, Paragraph, Table
from fairstats.errors import Call, InputError
from fairstats.estimates import SHOWN, Estimate, Estimates, Result, negated
from fairstats.inference.representations.fit_studies import FitStudy
from fairstats.inference.representations.leakage import Leakage
from fairstats.inference.verdicts import beyond
from fairstats.labels import split
from fairstats.language import mark, say, say_number, translated
from fairstats.reporting import words
from fairstats.reporting.bundle import Bundle, gather, of_alternatives, of_models, of_periods, of_probabilities
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.actions import actions
from fairstats.reporting.sections.audit import cuts_beside, outcomes, sweep_lines
from fairstats.reporting.sections.classes import class_card, class_pages
from fairstats.reporting.sections.comparison import price_of
from fairstats.reporting.sections.decomposition import decomposition_page, decompositions
from fairstats.reporting.sections.fits import (
    COMPONENTS,
    fits_page,
    leakage_page,
    leakage_picture,
    leaks_of,
    leaks_on_page_one,
    results_page,
)
from fairstats.reporting.sections.other import (
    by_groups,
    change_page,
    changes,
    clusters_page,
    group_studies,
    group_studies_page,
    subgroup_scans,
    subgroups_page,
    what_differs,
)
from fairstats.reporting.sections.scorecard import card_title, open_errors, scorecard, withheld_together
from fairstats.reporting.sections.shared import (
    ABOUT_NAMES,
    attribute_name,
    before_relying,
    beside_answer,
    blank,
    broken_guarantees,
    crossed_ratios,
    how_to_check,
    impact,
    read_next,
    source_line,
    unshown,
    who_and_when,
    with_group_names,
)
from fairstats.reporting.sections.studies import alternatives_page, models_page, monitor_page
from fairstats.reporting.sections.uncertain import (
    before_bound,
    beside_headline,
    claims_beside,
    probabilities_page,
    shown_by_bound,
)
from fairstats.reporting.tables import adjusted_note, level_of, number_or_dash, table, text
from fairstats.reporting.words import explained
from fairstats.text import capital, listed, percent, setting

# Page one of a report without an audit: of fits, of a comparison, of a change, of a clustering.


def without_audit(bundle: Bundle) -> dict[str, Any]:
    """The context of page one without an audit: of a comparison, fits, leaks, changes, subgroups, gaps, clusterings."""
    studies = group_studies(bundle)
    kinds: tuple[tuple[Sequence[Result], Callable[[Bundle], dict[str, Any]]], ...] = (
        ([one for one in bundle.others if isinstance(one, Comparison)], comparison_page),
        (() if not bundle.fits else (*bundle.fits, *leaks_of(bundle)), fits_page),
        (leaks_of(bundle), leakage_page),
        (changes(bundle), change_page),
        (subgroup_scans(bundle), subgroups_page),
        (studies, partial(several_studies_page, studies=studies)),
        (decompositions(bundle), decomposition_page),
        (bundle.partitions, clusters_page),
        (bundle.others, results_page),
    )
    found, page = next((kind for kind in kinds if kind[0]), kinds[-1])
    made = page(bundle)
    return made | {"points": [*made["points"], *also_found(bundle, found)]}


def also_found(bundle: Bundle, on_page: Sequence[Result] = ()) -> list[tuple[str, str]]:
    """Of each study that page one is not about, the title and the answer of its own page one."""
    others = [one for one in bundle.others if not any(one is other for other in on_page)]
    pairs = answers_of(bundle, [one for one in others if isinstance(one, GroupStudy)])
    for one in others:
        if isinstance(one, (FitStudy, Comparison, Leakage)) and not isinstance(one, GroupStudy):
            alone = gather([one], None, bundle.auditor)
            title = alone.title if alone.title.endswith("?") else f"{alone.title}."
            pairs.append((title, without_audit(alone)["sentence"]))
    return pairs


def study_page(bundle: Bundle, study: GroupStudy) -> dict[str, Any]:
    """The context of page one of one study."""
    if of_models(study):
        return models_page(bundle, study)
    if of_alternatives(study):
        return alternatives_page(bundle, study)
    if of_periods(study):
        return monitor_page(bundle, study)
    if of_probabilities(study):
        return probabilities_page(bundle, study)
    return group_studies_page(replace(bundle, others=(study,)))


def answers_of(bundle: Bundle, studies: Sequence[GroupStudy]) -> list[tuple[str, str]]:
    """The question of each study, and the answer that its page one has alone; beside an audit claims of a bound."""
    pairs = list[tuple[str, str]]()
    for study in studies:
        heading, sentence = by_groups(translated(study.question), study, bundle), study_page(bundle, study)["sentence"]
        of_study = [(f"{heading}.", sentence)]
        if of_probabilities(study):
            if bundle.audit is not None:
                of_study = claims_beside(bundle.audit, study, heading, sentence)
            alike = [one for one in group_studies(bundle) if one.question == study.question]
            if study is not alike[0]:
                why = "; ".join(text for _, text in what_differs(study, alike))
                lead, text = of_study[-1]
                again = say("Why this answer may differ from that of the same question above: {list}.", list=why)
                of_study[-1] = lead, f"{text} {again}"
        pairs += of_study
    return pairs


def several_studies_page(bundle: Bundle, studies: Sequence[GroupStudy]) -> dict[str, Any]:
    """The context of page one of several studies: the answer of the first, then of each other, and all their tables."""
    if len(studies) == 1:
        return study_page(bundle, studies[0])
    pages = [study_page(bundle, study) for study in studies]
    pairs = list(zip(studies, pages, strict=True))
    tables = [
        replace(one, caption=by_groups(one.caption, study, bundle)) for study, page in pairs for one in page["tables"]
    ]
    drawn = [
        replace(one, name=f"{one.name}-{i}", svg=one.svg.replace(f'"{one.name}-', f'"{one.name}-{i}-'))
        for i, page in enumerate(pages)
        for one in page["figures"][:1]
    ]

    def lines_of(key: str) -> list[str]:
        return list(dict.fromkeys(line for page in pages for line in page[key]))

    return blank() | {
        **{name: pages[0][name] for name in ("who", "question", "sentence", "paragraphs")},
        "points": answers_of(bundle, studies[1:]),
        "tables": tables,
        "figures": drawn,
        "unshown": lines_of("unshown"),
        "rely": lines_of("rely"),
        "check": pages[0]["check"],
        "next": [] if any(map(of_pay, studies)) else [("comparison", say("All numbers"))],
        "source": source_line(bundle),
    }


def comparison_page(bundle: Bundle) -> dict[str, Any]:
    """The context of page one of a comparison: price against gap, method by method.

    Raises
    ------
    InputError
        The report has no comparison.
    """
    compared = [other for other in bundle.others if isinstance(other, Comparison)]
    if not compared:
        raise InputError("preset", "needs a comparison of methods; pass one.", value="comparison")
    items = [answer_and_more(one, _naming(one)) for one in compared]
    return blank() | {
        "who": _who(bundle, compared[0]),
        "question": _question(compared[0]),
        "sentence": " ".join([*broken_guarantees(bundle), *(wording for wording, _ in items)]),
        "context": [_trained(compared[0]), _tried(compared[0])],
        "points": [
            *(point for point in map(_predicted, compared) if point[1]),
            *(point for _, more in items for point in more),
        ],
        "tables": [result for one in compared if (result := price_and_gap(one))],
        "figures": [drawn] if (drawn := _picture(compared[0])) else [],
        "unshown": [
            say("It does not show which price is worth paying, nor why the groups differ."),
            say("The outcome is taken as recorded; where its recording differs between groups, so do these numbers."),
        ],
        "rely": _before_use(compared[0]),
        "next": [("comparison", say("Rates by group, gaps and what the methods keep"))],
        "source": source_line(bundle),
    }


def _naming(compared: Comparison) -> Naming:
    """How the sentences of a comparison call methods, groups and the outcome: of one adjustment it is that."""
    adjusting = {term.variant for term in compared.terms} - {UNADJUSTED}

    def method(name: str) -> str:
        return say("the adjustment") if {name} == adjusting else words.method_title(name)

    return Naming(method, group_people, as_word)


def _predicted(compared: Comparison) -> tuple[str, str]:
    """Of which share of both groups of the finding each method predicts the outcome."""
    p, (gaps, _), naming = compared.protocol, comparison_headline(compared), _naming(compared)
    said = []
    for term in compared.terms[:MOST_PREDICTED] if gaps else ():
        rows = compared.estimates.only(metric=SELECTIONS, contrast="none", **compared.of(term))
        shares = [next(iter(rows.only(group=group)), None) for group in (gaps[0].group, gaps[0].reference)]
        if all(row is not None and words.shown(row) for row in shares):
            first, other = (percent(row.estimate) for row in shares if row is not None)
            method = called_term(term, len(p.models), naming.method)
            said.append(say("{share}% and {other}% with {method}", share=first, other=other, method=method))
    if not said:
        return "", ""
    about = say("For how many {value} is predicted.", value=predicted_value(compared, naming))
    return about, say("For {group} and {reference}: {each}.", each="; ".join(said), **naming.sides(gaps[0]))


def _trained(compared: Comparison) -> str:
    """What was done, before what was found: with which methods a model was trained beside none."""
    methods = dict.fromkeys(term.method for term in compared.terms)
    adjusting = [words.method_and_name(name) for name in methods if name != "none"]
    if not adjusting or len(adjusting) == len(methods) or len(adjusting) > MOST_DEFINED:
        return say("What was done: a model was trained with every method.")
    return say_number(
        "What was done: a model was trained without and with an adjustment of its features by {methods}.",
        "What was done: a model was trained without and with adjustments of its features: {methods}.",
        len(adjusting),
        methods=listed(adjusting),
    )


MOST_PREDICTED = 4  # methods of its sentence
MOST_DEFINED = 3  # methods over the findings; of more the table's note says what they make


def _tried(compared: Comparison) -> str:
    """What was done to which features, and from where on a prediction is the outcome, in words."""
    p = compared.protocol
    done = say(
        "It predicts {outcome} from the features {features}, was trained on some people, once for each method, and "
        "tried on the others (held out). A score is the number that it gives a person.",
        outcome=in_code(p.outcome),
        features=p.features,
    )
    if _few(compared):
        done = " ".join(filter(None, (done, explained(_adjusting(compared)))))
        if any(map(words.reduces, _adjusting(compared))):
            done = f"{done} {say(COMPONENTS)}"
    if any(term.scale != "probability" for term in compared.terms):
        return done
    cut = say(
        "The model predicts {value} where its score, a probability, is {threshold} or more, a cut-off that was set and "
        "not found from the data.",
        value=as_word(p.outcome, p.positive),
        threshold=words.setting(p.threshold),
    )
    return f"{done} {cut}"


def _adjusting(compared: Comparison) -> list[str]:
    """The methods that are named and need words: of several models each, else those that adjust."""
    several = len(compared.protocol.models) > 1
    return list(dict.fromkeys(term.method for term in compared.terms if several or term.method != "none"))


def _few(compared: Comparison) -> bool:
    """Whether the methods are few enough to be defined before the findings, and not below the table."""
    return len(_adjusting(compared)) <= MOST_DEFINED


def _before_use(compared: Comparison) -> list[str]:
    """What to do before one of the methods is used."""
    return [
        say("Decide whether the predictions are right often enough, and which gap may remain."),
        say(
            "Where decisions will be made from another cut-off than {threshold}, compare again with it.",
            threshold=words.setting(compared.protocol.threshold),
        ),
        say("Audit the decisions that the chosen model makes of new people: `{call}`.", call=Call("audit")),
        *([cut] if (cut := _cut(compared)) else []),
    ]


def _cut(compared: Comparison) -> str:
    """That limits of so few splits reach all that is possible, where they do."""
    rows = [row for row in compared.estimates.only(role=("main", FOCUS)) if row.conf_low == row.conf_low]
    if all(possible(row, row.conf_low, row.conf_high) == (row.conf_low, row.conf_high) for row in rows):
        return ""
    return say(
        "Compare over more splits than {n}: some limits would lie beyond all that is possible and are cut there.",
        n=words.count(compared.protocol.n_repeats),
    )


def _who(bundle: Bundle, compared: Comparison) -> str:
    p = compared.protocol
    people = say_number(
        "{n} people: {train} to train on, {test} held out to measure on, in {splits} split",
        "{n} people: {train} to train on, {test} held out to measure on, in each of {splits} splits",
        p.n_repeats,
        n=words.count(p.n_train + p.n_test),
        train=words.count(p.n_train),
        test=words.count(p.n_test),
        splits=p.n_repeats,
    )
    return f"{people} · {who_and_when(bundle)}"


def _picture(compared: Comparison) -> Drawing | None:
    """Of the attribute that the sentence is about."""
    gaps, _ = comparison_headline(compared)
    return price_of("page-one-price", with_group_names(compared), gaps[0].attribute) if gaps else None


def _question(compared: Comparison) -> str:
    return say(
        "A model that predicts {outcome} may predict it less often for one group of {groups} than for another. Does it "
        "bring the groups closer together to adjust the features beforehand, and is the model still right as often?",
        outcome=in_code(compared.protocol.outcome),
        groups=listed(list(map(in_code, compared.references))),
    )


def price_and_gap(compared: Comparison, most: int = 40, *, pairs: bool = True) -> Table | None:
    """A line a method and model: how well it predicts, and how far the groups are apart.

    pairs: whether pairs of scores stand beside the gap in predictions; without predictions they do.
    """
    gaps, _ = comparison_headline(compared)
    if not gaps:
        return None
    gap = gaps[0]
    everybody = compared.estimates.only(attribute="", contrast="none")
    levels = {m: rows for m in ("AUC", "accuracy") if (rows := everybody.only(metric=m))}
    models, conf_level = compared.protocol.models, compared.protocol.conf_level
    headings = [text(say("method and model") if len(models) > 1 else say("method"))]
    for metric, rows in levels.items():
        headings += [Heading(words.heading(metric), words.unit_of(metric)), Heading(level_of(rows, conf_level))]
    fewer = False
    if predicted := predicted_gaps(compared, gap):
        fewer = predicted[0].estimate <= 0  # the sentences go by the first method, too
        predicted = Estimates(map(negated, predicted)) if fewer else predicted
        headings += [Heading(say("fewer") if fewer else say("more"), say("points"))]
        headings += [Heading(level_of(predicted, conf_level))]
    pairs = pairs or not predicted
    headings += [Heading(say("pairs"), say("of 100")), Heading(level_of(gaps, conf_level))] if pairs else []
    lines = []
    for term in compared.terms:
        current = compared.of(term)
        cells = [called_term(term, len(models), words.plain_title)]
        for rows in levels.values():
            cells += _cells(next(iter(rows.only(**current)), None))
        cells += _cells(next(iter(predicted.only(**current)), None), 100) if predicted else []
        cells += _cells(next(iter(gaps.only(**current)), None), 100) if pairs else []
        lines.append(cells)
    often = (
        mark("Fewer: how much less often {value} is predicted for {group} than for {reference}.")
        if fewer
        else mark("More: how much more often {value} is predicted for {group} than for {reference}.")
    )
    naming = _naming(compared)
    about = naming.sides(gap)
    note = say(often, value=predicted_value(compared, naming), **about) + " "
    if pairs:
        of_pairs = mark(
            "Pairs: how often the one among {group} scores higher in a random pair with one among {reference}, ties "
            "half; 50 is no difference."
        )
        note += say(of_pairs, **about) + " "
    note += say(
        "Accuracy: the share of right predictions. AUC: how often a person recorded as {value} scores higher than "
        "another one; 0.5 is a coin. All are means over the splits, of people held out.",
        value=as_word(compared.protocol.outcome, compared.protocol.positive),
    )
    note = f"{note} {adjusted_note(predicted or gaps, compared.protocol)}".rstrip()
    if len(models) > 1:
        note += " " + say("Each line is a method, then the model that predicts of what it makes.")
    meant = explained(term.model for term in compared.terms if len(models) > 1)
    if not _few(compared):
        meant = f"{explained(_adjusting(compared))} {meant}".strip()
    return table(
        say("How well each method predicts, and the gap that it leaves"),
        headings,
        lines,
        f"{note} {meant}".strip(),
        most,
    )


def _cells(row: Estimate | None, times: float = 1.0) -> list[str]:
    if row is None or not words.shown(row):
        return [words.DASH, words.DASH]

    def show(value: float) -> str:
        of_100 = times == 100 or metrics.METRICS[row.metric].scale == "percent"
        return words.percent(value) if of_100 else words.number(value, 3)

    return [show(row.estimate), words.span(*possible(row, row.conf_low, row.conf_high), show)]


def findings(bundle: Bundle) -> dict[str, Any]:
    """The context of ``sections/findings.html.j2``."""
    return _findings(bundle)


def _findings(bundle: Bundle, crude: bool = False) -> dict[str, Any]:
    if bundle.audit is None:
        return without_audit(bundle)
    audit = replace(bundle.audit, protocol=with_plain_verbs(bundle.audit.protocol))
    built = answers(audit, crude=crude)
    tabled = None if crude else attributes_table(audit, built)
    page, card = page_one(audit, built), scorecard(audit, built)
    withheld = {
        one.attribute: withheld_together(audit, one.attribute, one.metric, one.flags)[0] for one in spoken_of(built)
    }
    # what the rule looks at comes first
    ruled = four_fifths(audit, page.head.metric, crude) if page is not None and audit.protocol.four_fifths else []
    models = [study for study in group_studies(bundle) if of_models(study)]
    on_page = models if len(models) == 1 else []
    but = {} if page is None else qualified(audit, page, built)
    but = {name: n + len(on_page) for name, n in but.items()}  # the point of the models comes first
    answered = headline(audit, built, True, withheld, most=1 if tabled else MOST_ANSWERS)
    bounded = [study for study in group_studies(bundle) if of_probabilities(study)]
    by_these = [beside_headline(audit, spoken_of(built), study) for study in bounded]
    answered = " ".join(filter(None, [answered, *by_these, all_beyond(audit, built)]))
    points = [] if page is None else main_findings(audit, page, built)
    paragraphs = _context(audit, page, built, card, points, but, tabled=tabled is not None)
    if page is not None and (without := without_ratio(audit)):
        paragraphs.append(("", [without]))
    limits = beside_answer(audit)
    if limits:
        paragraphs.append((say(ABOUT_NAMES["known_limits"]), [limits]))
    if amounts := amounts_of(audit):
        apart = answers(amounts)
        answered = " ".join([answered, headline(amounts, apart, True)])
        paragraphs.append(("", [who_has_amounts(audit), *_of_amounts(amounts, spoken_of(apart))]))
    if ruled and page is not None:
        low = low_in_a_stratum(audit, page.head.metric)
        beside = [*low, *ratios_beside(audit, page.head.metric, crude)]
        if low:
            of_each = mark("The ratios of each {strata} by itself stand in a table of their own.")
            beside.append(say(of_each, strata=strata_name(audit)))
        rest = [*ruled[1:], *beside, *crossed_ratios(audit, FOUR_FIFTHS.get(page.head.metric, ""))]
        paragraphs = [("", rest), ("", [answered]), *paragraphs]
        answered = ruled[0]
    result = blank()
    result |= {
        "who": who_and_when(replace(bundle, audit=audit)),
        "sentence": " ".join(filter(None, [*broken_guarantees(bundle), answered, *unclear_side(audit)])),
        "context": [line for _, part in paragraphs for line in part],
        "paragraphs": [Paragraph(" ".join(part), lead=lead) for lead, part in paragraphs],
        "points": points,
        "open": "" if page is None else open_errors(audit, built),
        "at_once": "" if page is None else f"{_by_chance(audit, page, built, card)} {at_once(audit, page)}".strip(),
        "first": [tabled] if tabled else [],
        "card": card,
        "card_title": "" if card is None else card_title(card, audit),
        "actions": actions(audit, page, built) if audit.protocol.action_plan else None,
        "unshown": [*unshown(bundle), *_over_all(audit, built, bounded)],
        "rely": [*before_relying(bundle), *dict.fromkeys(line for study in bounded for line in before_bound(study))],
        "check": how_to_check(bundle),
        "next": [
            (at, (at == "sensitivity" and _other_cuts(audit, built)) or item) for at, item in read_next(bundle, page)
        ],
        "source": source_line(bundle),
    }
    if on_page:  # whoever compares models asks that first, and then of the audit of one of them
        compared = models_page(bundle, models[0])
        of = say("The audit of {decision}:", decision=in_code(_decided_by(audit)))
        lead = Paragraph(f"{of} {result['sentence']}")
        result["paragraphs"] = [*compared["paragraphs"][:1], lead, *result["paragraphs"]]
        result |= {name: compared[name] for name in ("question", "sentence")}
        result["points"] = (
            compared["points"][-1:] + result["points"]
        )  # how often each is right; rates are on later pages
    further = also_found(bundle, on_page)
    result["points"] = [*result["points"], *further]
    if leaks_on_page_one(bundle) and (picture := leakage_picture(leaks_of(bundle), "page-one-leakage")):
        result["figures"] = [picture]
    if audit.protocol.classes:
        tables, drawn = class_pages(audit, built)
        card = class_card(audit, built)
        result |= {
            "tables": [] if card else tables,
            "card": card,
            "card_title": say("Every class by group") if card else "",
            "figures": [] if card else drawn,
            "context": [],
            "paragraphs": list(map(Paragraph, filter(None, [*_beside_classes(audit, built), limits]))),
            "points": [*_class_findings(audit, built), *further],
        }
    return result


def _by_chance(audit: Audit, page: PageOne, result: tuple[Answer, ...], card: Forest | None) -> str:
    """Why findings are tentative, where no dagger in the table says so."""
    daggers = card is not None and any(cell.text.startswith(words.ALONE) for row in card.rows for cell in row)
    return say(BY_CHANCE) if has_tentative(audit, page, result) and not daggers else ""


def _decided_by(audit: Audit) -> str:
    """The column that the answers are about: the decision, or the score that a cut-off decides by."""
    p = audit.protocol
    return p.decision or p.score or p.outcome


def attributes_table(audit: Audit, built: Sequence[Answer]) -> Table | None:
    """Of attributes too many for a sentence each a line, the farthest first, then one of each of their combinations.

    The group that is named is the one whose difference is shown to be farthest, else the largest estimate.
    """
    lead = next((one for one in built if one.has_difference and one.within is None and not one.taken_back), None)
    if len(built) <= MOST_ANSWERS or lead is None or lead.metric != "selection rate":
        return None
    about = {"metric": lead.metric, "role": "main", "given": "", "term": "", "status": "ok"}
    gaps = {one.attribute: crossed_gaps(audit, one.attribute, lead.metric) for one in built}
    crossed = gaps_of_combinations(audit, lead.metric)
    order = sorted(gaps, key=lambda name: _farthest_of(gaps[name]), reverse=True)
    order += sorted(crossed, key=lambda name: widest(crossed[name]), reverse=True)
    gaps |= {name: crossed_gaps(audit, name, lead.metric) for name in crossed}
    lines, named = [], list[Estimate]()
    for attribute in order:
        rows, columns = gaps[attribute], audit.protocol.columns_of(attribute)
        rates = {row.group: row for row in audit.estimates.only(attribute=attribute, contrast="none", **about)}
        row = farthest_shown(rows) if len(columns) > 1 else None
        row = row or max(rows, key=lambda one: _farthest_of([one]), default=None)
        if row is None or not {row.group, row.reference} <= {*rates}:
            continue
        named.append(row)
        k = sum(one.verdict in SHOWN for one in rows)
        line = [attribute_name(attribute, audit), say("{k} of {n}", k=words.count(k), n=words.count(len(rows)))]
        for end in (row.group, row.reference):
            labels = split(end) if len(columns) > 1 else [end]
            line.append(" × ".join(group_cell(*one) for one in zip(columns, labels, strict=True)))
            line.append(percent(rates[end].estimate))
        lines.append([*line, number_or_dash(row), words.interval(row)])
    headings = [text(say("attribute")), text(say("differences shown")), text(say("farthest group"))]
    headings += [Heading(say("selection rate"), "%"), text(say("compared with")), Heading(say("selection rate"), "%")]
    headings += [Heading(say("gap"), say("points")), Heading(level_of(named, audit.protocol.conf_level))]
    caption = say("Each attribute, the farthest difference first, then each combination of attributes")
    note = say("Where no difference is shown, the group is that with the largest estimate.")
    return table(caption, headings, lines, note if any(row.verdict not in SHOWN for row in named) else "")


def _farthest_of(rows: Sequence[Estimate]) -> tuple[bool, float]:
    """Of differences the one farthest from none: of those shown by its limits, else by its estimate."""
    far = ((row.verdict in SHOWN, distance(row)[0] if row.verdict in SHOWN else abs(row.estimate)) for row in rows)
    return max(far, default=(False, 0.0))


def _other_cuts(audit: Audit, result: Sequence[Answer]) -> str:
    """At how many cut-offs of a score each gap that is shown is there, by limits of each cut-off by itself."""
    each, chosen = list[str](), audit.protocol.threshold or 0.0
    for one in spoken_of(result):
        for line in sweep_lines(audit, one.attribute) if one.differs else ():
            if line.group == one.group:
                below = line.y[min(range(len(line.x)), key=lambda i: abs(line.x[i] - chosen))] < 0
                k = cuts_beside(line)[not below]
                called = audit.protocol.called(one.attribute)
                text = mark("{k} of {n} ({name})") if each else mark("a gap at {k} of {n} tried ({name})")
                if k == len(line.x):
                    text = mark("all {n} ({name})") if each else mark("a gap at all {n} tried ({name})")
                each.append(say(text, name=called, k=k, n=len(line.x)))
    return say("Cut-offs, each tested by itself: {each}", each=", ".join(each)) if each else ""


def _over_all(audit: Audit, result: Sequence[Answer], bounded: Sequence[GroupStudy]) -> list[str]:
    """That the answer need not hold with those who are missing, where it need not."""
    found = [one for one in result if one.bounds is not None and one.code not in ("flagged", "unanswered")]
    if not found:
        return []
    if all(any(shown_by_bound(audit, one, study) for study in bounded) for one in found):
        return [
            say(
                "Whether it holds over all people: those who are missing could overturn it, unless the probabilities "
                "are right."
            )
        ]
    return [say("Whether it holds over all people: those who are missing could overturn it.")]


def _beside_classes(audit: Audit, result: tuple[Answer, ...]) -> list[str]:
    """What belongs to the answers of several classes: where they lie, how strata vary, people left out."""
    lines = [without_ratio(audit)]
    for one in spoken_of(result):
        view = seen(audit, one)
        lines += [beside_margin(view, one), varying(view, one.family), left_out(one)]
    return [line for line in lines if line]


def _class_findings(audit: Audit, result: tuple[Answer, ...]) -> list[tuple[str, str]]:
    """Up to five findings: which other classes differ and their order, errors by class, combinations."""
    named = [(audit.protocol.called(one.attribute), one) for one in spoken_of(result)]
    parts = ((say("Classes by {name}:", name=name), classes_beside(audit, one)) for name, one in named)
    errors = ((say("Errors by {name}:", name=name), class_errors(audit, one.attribute)) for name, one in named)
    far = min(result, key=farther)
    crossed = where_crossed(seen(audit, far), [replace(far, term="")], counted=True)
    found = [(lead, " ".join(texts)) for lead, texts in (*parts, *errors) if texts]
    crossed = [*crossed[:1], *_class_errors_where_crossed(audit), *crossed[1:]]
    return [*found[: MOST_FINDINGS - len(crossed[:2])], *crossed][:MOST_FINDINGS]


def _class_errors_where_crossed(audit: Audit) -> list[tuple[str, str]]:
    """The errors of classes of each intersection that has a difference of one shown."""
    p, found = audit.protocol, list[tuple[str, str]]()
    for attribute in filter(p.is_crossed, audit.references):
        rows = audit.estimates.only(attribute=attribute, contrast="difference", role="main")
        if any(row.verdict in SHOWN for row in rows if row.metric in CLASS_ERRORS):
            name = listed(list(map(p.called, p.columns_of(attribute))))
            found.append((say("Errors by {name}:", name=name), " ".join(class_errors(audit, attribute))))
    return found


def four_fifths_findings(bundle: Bundle) -> dict[str, Any]:
    """Page one with the tables of the rule of four fifths, and the crude numbers first, as the rule reads them."""
    result = _findings(bundle, crude=True)
    audit = bundle.audit
    if audit is None:
        raise InputError("preset", "needs an audit of decisions or scores; pass one.", value="four_fifths")
    tables: list[Table] = []
    audit = words.worded(audit)
    for attribute in declared(audit)[:MOST_ANSWERS]:
        about = attribute_name(attribute, audit), audit.estimates.only(attribute=attribute), by_size(audit, attribute)
        for rate in ("selection rate", "scoring rate"):
            built = impact(*about, rate, audit.protocol, note=not tables)
            tables += [built] if built else []
    if not tables:
        raise InputError(
            "preset", "needs an audit of decisions or scores of people counted one by one.", value="four_fifths"
        )
    return result | {"tables": tables}


def four_fifths_outcomes(bundle: Bundle) -> dict[str, Any] | None:
    """The outcomes by group without the ratios that page one has in its tables."""
    result = outcomes(bundle)
    if result is None or bundle.audit is None:
        return result
    names = [attribute_name(name, bundle.audit) for name in declared(bundle.audit)[:MOST_ANSWERS]]
    parts = [part | {"impact": None, "ratio": ""} if part["attribute"] in names else part for part in result["parts"]]
    return result | {"parts": parts}


def _context(
    audit: Audit,
    page: PageOne | None,
    result: tuple[Answer, ...],
    card: Forest | None,
    points: Sequence[tuple[str, str]],
    but: Mapping[str, int],
    tabled: bool = False,
) -> list[tuple[str, list[str]]]:
    """What belongs to the answers: how many people, who else differs, outcome rates, what is no evidence, strata.

    Of several attributes each has a paragraph, which begins with its name, and what is of all of them the last.

    points: the main findings; but: the number of the finding that qualifies the answer of an attribute.
    tabled: whether a table has the gaps of all attributes and their combinations.
    """
    if page is None:
        texts = _of_amounts(audit, [one for one in spoken_of(result) if one.metric in quantities()])
        return [("", [text]) for text in texts]
    lead = next(one for one in result if one.attribute == page.attribute)
    spoken = spoken_of(result)
    names = {one.attribute for one in spoken}
    drawn = 0 if card is None else sum(len(row) > 1 for row in card.rows)
    whole = drawn == sum(cell.attribute in names for cell in audit.cells)  # every group has its line, with its dot
    opened = open_together(result)
    paragraphs: list[tuple[str, list[str]]] = []
    crossed = combinations_found(audit, result)
    all_far = bool(_gaps_beyond(audit, spoken))
    for one in spoken[:1] if tabled else spoken:
        name = audit.protocol.called(one.attribute) if len(spoken) > 1 else ""
        of_gap = open_beside(audit, one) if one in opened else gap_beside(audit, one, name, in_table=card is not None)
        said = [
            of_gap,
            "" if all_far else beside_margin(audit, one),
            outcomes_beside(audit, one, page.level, after_gap=bool(of_gap)) if one.group else "",
            but_of(audit, one, but[one.attribute]) if one.attribute in but else "",
            short_of(audit, one),
            also(audit, one) if whole else others(audit, one),
            "" if whole else unknown_beside(audit, one),
            *(found.text for found in reversals(audit, one) if found.shown),
            _withheld_rate(audit, one),
            alike_beside(audit, one),
        ]
        kept = [text for text in said if text]
        if kept and not kept[0].startswith(capital(name)):  # which the sentence of the gap begins with
            kept[0] = say("{name}: {text}", name=capital(name), text=kept[0])
        paragraphs.append((capital(name), kept))
    lines = [*(varying(audit, one.family) for one in spoken), *map(left_out, spoken)]
    lines += [*meetings(audit, result), *_open_where_crossed(audit, spoken)]
    if not tabled:
        lines += [
            f"{claim} {text}".rstrip() for claim, text in crossed if (claim, text) not in points
        ]  # no room for it
    lines += [who_scores_higher(audit, page, result), unequal(audit, lead)]
    if lines[-1]:
        lines += [detectable_too(audit, one) for one in spoken if one is not lead]
    lines += largest_gaps(audit, [one for one in result if one is not lead])
    paragraphs.append(("", [line for line in lines if line]))
    if len(spoken) == 1:
        return [("", [line for _, part in paragraphs for line in part])]
    return [part for part in paragraphs if part[1]]


def _withheld_rate(audit: Audit, one: Answer) -> str:
    """What the withheld groups of an attribute have together; "" where that is not known."""
    n, k = withheld_together(audit, one.attribute, one.metric, one.flags)
    if not n:
        return ""
    values = {"n": words.count(n), "k": words.count(k), "share": percent(k / n, 0 if n < FEW else 1)}
    values |= {"name": audit.protocol.called(one.attribute), "people": audit.protocol.labels.unit or say("people")}
    text = say(
        "Of the {n} {people} in withheld groups of {name}, {share}% ({k}) {event}; this is not tested.",
        **values,
        **parts(answer_deed(audit.protocol, one)),
    )
    return single_spaced(text)


def _open_where_crossed(audit: Audit, spoken: Sequence[Answer]) -> list[str]:
    """Where all declared attributes are within the margin: which of their intersections are open."""
    if not all(one.code == "equivalence shown" for one in spoken):
        return []
    lines = []
    for name in filter(audit.protocol.is_crossed, audit.references):
        about = {"attribute": name, "contrast": "difference", "role": "main", "given": "", "term": ""}
        rows = [row for row in audit.estimates.only(metric=spoken[0].metric, **about) if row.status == "ok"]
        p, columns = audit.protocol, audit.protocol.columns_of(name)
        left = [crossed_people(p, columns, split(row.group)) for row in rows if row.verdict == "inconclusive"]
        values = {"names": columns_named(p, name), "k": len(left), "n": len(rows), "groups": words.listed(left, 3)}
        if left:
            base = crossed_people(p, columns, split(rows[0].reference))
            text = mark(
                "{names} together: for {k} of {n} combinations equality with {reference} within the margin is not "
                "shown: {groups}."
            )
            lines.append(say(text, reference=base, **values))
    return lines


def _gaps_beyond(audit: Audit, spoken: Sequence[Answer]) -> list[Estimate]:
    """The gaps that the answers name, where each lies wholly beyond the declared margin; else none."""
    margin = audit.protocol.margin.difference
    with_gap = [one for one in spoken if has_gap_beside(audit, one) and one.bounds is None and one.gap is not None]
    gaps = [row for one in with_gap for row in (one.all_shown if several(audit, one) else [one.gap]) if row is not None]
    return gaps if len(with_gap) == len(spoken) and margin and all(beyond(row, margin) for row in gaps) else []


def all_beyond(audit: Audit, result: Sequence[Answer]) -> str:
    """That the gaps of all answers lie beyond the declared margin; "" where one does not, or none was declared."""
    n = len(_gaps_beyond(audit, spoken_of(result)))
    values = {"margin": setting(100 * (audit.protocol.margin.difference or 0.0)), "n": n}
    if n == 2:
        return say(
            "Both gaps exceed the margin, the {margin} percentage points that this audit treats as small.", **values
        )
    return (
        say_number(
            "This gap exceeds the margin, the {margin} percentage points that this audit treats as small.",
            "These {n} gaps exceed the margin, the {margin} percentage points that this audit treats as small.",
            n,
            **values,
        )
        if n
        else ""
    )


def _of_amounts(audit: Audit, spoken: Sequence[Answer]) -> list[str]:
    """What belongs to answers about amounts: the gaps beside, who else differs, where each lies."""
    lines = []
    for one in spoken:
        said = (
            gap_beside(audit, one),
            alike_beside(audit, one),
            others(audit, one),
            unknown_beside(audit, one),
            left_out(one),
            beside_margin(audit, one),
            without_amount(audit, one),
        )
        text = " ".join(filter(None, said))
        name = capital(audit.protocol.called(one.attribute))
        lines.append(say("{name}: {text}", name=name, text=text) if len(spoken) > 1 and text else text)
    return [text for text in [*lines, *amounts_where_crossed(audit, spoken)] if text]
