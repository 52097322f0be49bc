"""What stands where: the values of each section as blocks, in the order of the page, for every form of the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from fairstats.auditing.sentences import ALSO_COMPARED
from fairstats.document import (
    Block,
    Bullets,
    Chapter,
    Checklist,
    Definitions,
    Figure,
    Forest,
    Glossary,
    Links,
    Paragraph,
    Points,
    Signature,
    Table,
    Terms,
    Title,
    Together,
)
from fairstats.language import mark, say
from fairstats.reporting.figures.style import Drawing

Values = Mapping[str, Any]


def in_order(*parts: object) -> tuple[Block, ...]:
    """Values as blocks: a text is a paragraph, a drawing a figure; lists are opened, and what is empty is left out.

    Examples
    --------
    >>> in_order("a", None, ["b", ""], Bullets(()))
    (Paragraph(text='a', kind=''), Paragraph(text='b', kind=''))
    """
    result: list[Block] = []
    for part in parts:
        if isinstance(part, (list, tuple)):
            result += in_order(*part)
        elif isinstance(part, Drawing):
            result.append(Figure(part))
        elif isinstance(part, str):
            result += [Paragraph(part)] if part else []
        elif isinstance(part, Block) and not _empty(part):
            result.append(part)
    return tuple(result)


def _empty(block: Block) -> bool:
    return not any(getattr(block, name, "") for name in ("text", "items", "lines", "rows", "drawing", "blocks"))


def content(context: Values, preset: str = "generic") -> dict[str, Chapter | None]:
    """The sections of a report by their names, made of the values that templates may use."""
    first, limits = context["findings"], context["limits"]
    law = context["local_law"] if preset == "ll144" else None
    kind = "law" if law else "" if (first["points"] and context["protocol"]) or len(first["figures"]) > 1 else "short"
    top = _law(first, law) if law else _page_one(first)
    result: dict[str, Chapter | None] = {"findings": Chapter("findings", "", top, say("Page one"), kind)}
    for name, (heading, order) in _SECTIONS.items():
        values = context.get(name)
        result[name] = Chapter(name, heading(values), in_order(*order(values))) if values else None
    if law:
        annex = say("Annex: intervals, which the law does not ask for")
        result["outcomes"] = Chapter("local-law", annex, in_order(law["annex"]))
    known = context["methods"] | ({"adjustment": []} if law else {})  # the law tests no comparison
    more = _further(known)
    result |= {
        "further": Chapter("further", say("Appendix: further results"), more) if more else None,
        "methods": Chapter("methods", say("Appendix: Methods"), _methods(known)),
        "limits": Chapter("limits", say("Provenance and sign-off"), _signed(limits)),
    }
    return _Numbered().sections(result)


class _Numbered:
    """Tables and figures with numbers in the order of the page, by which they can be cited."""

    def __init__(self) -> None:
        self.tables = self.figures = 0

    def sections(self, chapters: dict[str, Chapter | None]) -> dict[str, Chapter | None]:
        """The same sections, with numbers in captions."""
        return {
            name: replace(chapter, blocks=self._blocks(chapter.blocks)) if chapter else None
            for name, chapter in chapters.items()
        }

    def _blocks(self, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
        return tuple(self._block(block, *blocks[i + 1 : i + 2]) for i, block in enumerate(blocks))

    def _block(self, block: Block, following: Block | None = None) -> Block:
        """A block with its number; the caption of the table of page one is the heading before it."""
        if isinstance(block, Together):
            return replace(block, blocks=self._blocks(block.blocks))
        if isinstance(block, Table) and block.caption:
            return replace(block, caption=self._table(block.caption))
        if isinstance(block, Title) and isinstance(following, Forest):
            return replace(block, text=self._table(block.text))
        if isinstance(block, Figure):
            self.figures += 1
            caption = say("Figure {n}. {caption}", n=self.figures, caption=block.drawing.caption)
            return Figure(replace(block.drawing, caption=caption))
        return block

    def _table(self, caption: str) -> str:
        self.tables += 1
        return say("Table {n}. {caption}", n=self.tables, caption=caption)


MOST_TABLES = 2  # before a picture, so that what a page does not show still stands on it


def _page_one(values: Values) -> Any:
    """Who and when, the question, the answer, the table that is the forest, two pictures, limits, where to read on."""
    figures = Together("figures halves", in_order(values["figures"]))
    ends = Together("ends", tuple(Together("", blocks) for blocks in _ends(values)), "unshown")
    points = [Title(2, say("Main findings")), Points(tuple(values["points"]))] if values["points"] else []
    points.append(Paragraph(values["open"], "open", say(ALSO_COMPARED) if values["open"] else ""))
    points.append(Paragraph(values["at_once"], "open"))
    last, figures_last = values["findings_last"], values["figures_last"] or len(values["tables"]) > MOST_TABLES
    return in_order(
        Paragraph(values["who"], "who"),
        Paragraph(values["question"], "asked"),
        _answer(values),
        values["first"],
        [values["tables"], figures, points] if last else points,
        [Title(2, values["card_title"]), values["card"]] if values["card"] else None,
        None if last else values["tables"],
        values["actions"],
        ends if last else (ends, figures) if figures_last else (figures, ends),
        Paragraph(values["source"], "source"),
    )


def _answer(values: Values) -> Together:
    return Together(
        "answer",
        in_order(
            Paragraph(values["sentence"], "finding"), values["paragraphs"] or Paragraph(" ".join(values["context"]))
        ),
    )


def _ends(values: Values) -> Iterator[Any]:
    if values["unshown"]:
        yield in_order(Title(2, say("What this does not show")), values["unshown"])
    if before := in_order(values["rely"], values["check"]):
        yield in_order(Title(2, say("Before you rely on it")), before, Links(tuple(values["next"])))
    elif values["next"]:
        yield in_order(Title(2, say("Read next")), Links(tuple(values["next"])))


EXCLUDING = mark("Impact ratio: rate over the highest rate among the categories that are not excluded.")
NONE_EXCLUDED = mark("Impact ratio: rate over the highest rate; no category was excluded.")


def _law(values: Values, law: Values) -> Any:
    """Page one of New York City's Local Law 144 (6 RCNY § 5-300 ff.): its tables; intervals stand in an annex."""
    ratio = say(EXCLUDING if law["excluded"] else NONE_EXCLUDED)
    return in_order(
        Paragraph(values["who"], "who"),
        law["sentence"],
        Paragraph(values["question"], "asked"),
        _answer(values),
        Definitions(tuple(law["about"])),
        law["tables"],
        Paragraph(" ".join((ratio, *law["unknown"])), "note"),
        Paragraph(
            say("The rates say neither why they differ nor how far chance reaches: intervals stand in the annex."),
            "note",
        ),
        Paragraph(values["source"], "source"),
    )


def _protocol(values: Values) -> Any:
    return (
        values["declaration"],
        Definitions(tuple(values["groups"]), say("Groups")),
        Definitions(tuple(values["rules"]), say("Rules")),
    )


def _cautions(values: Values) -> Any:
    notes = values["cautions"]
    return [Title(3, say("Cautions that follow from these data")), Bullets(tuple(notes))] if notes else None


def _outcomes(values: Values) -> Iterator[Any]:
    for part in values["parts"]:
        yield Title(3, part["heading"])
        at_once = Paragraph(part["at_once"], "at-once")
        if part["matrix"]:  # a large picture, after which the sentence would stand alone on the next page
            yield at_once
        yield [part["figures"], part["matrix"], part["rates"]]
        if not part["matrix"]:
            yield at_once
        yield [Paragraph(part["ratio"], "at-once"), part["impact"]]
        yield part["impact_by_stratum"]
        yield part["shrunken"]
    yield _defined(values["terms"])


def _errors(values: Values) -> Iterator[Any]:
    for part in values["parts"]:
        yield [Title(3, part["heading"]), part["quantities"], part["difference_figure"], part["rates"]]
        yield [_figures(part["figures"]), part["scores"], part["impact"]]
    yield [Paragraph(text) for text in values.get("crossed", ())]
    yield _defined(values["terms"])


def _defined(items: Any) -> Terms | None:
    return Terms(say("Defined in the appendix:"), tuple(items)) if items else None


def _representation(values: Values) -> Iterator[Any]:
    if values["leaks"]:
        yield Title(3, say("What still leaks"))
        yield values["leaks"]
    for part in values["parts"]:
        yield [Title(3, part["heading"]), part["sentence"], part["guarantees"], part["scree"], part["components"]]
        yield [[losses["figure"], losses["table"]] if (losses := part["losses"]) else None, part["others"]]


def _clusters(values: Values) -> Iterator[Any]:
    yield values["reading"]
    for part in values["parts"]:
        yield [Title(3, part["heading"]), part["sentence"], part["price"], part["figures"], part["tables"]]
        yield [part["solution"], Bullets(tuple(part["notes"]))]


def _comparison(values: Values) -> Iterator[Any]:
    for part in values["comparisons"]:
        yield [Title(3, part["heading"]), part["sentence"], part["price"], part["tables"], _figures(part["figures"])]
        yield Bullets(tuple(part["notes"]))
    for part in values["parts"]:
        yield [Title(3, part["heading"]), part["sentence"], part["found"], part["figure"], part["rows"]]
        yield part.get("more")


def _sensitivity(values: Values) -> Any:
    strata = [[part["figure"], part["table"]] for part in values["strata"]]
    return strata, _figures(values["figures"]), values["steady"], values["tables"]


def _further(values: Values) -> tuple[Block, ...]:
    """Ratios to the highest rate, and the scores of all groups."""
    return in_order(
        values["ratios"],
        [[Title(3, part["heading"]), part["figures"], part["tables"]] for part in values["scores"]],
    )


def _methods(values: Values) -> Any:
    """What each term means, how intervals are computed and adjusted, and where that is from."""
    defined = tuple((part["id"], part["name"], part["meaning"]) for part in values["definitions"])
    return in_order(
        [Title(3, say("Definitions")), Glossary(defined)] if defined else None,
        Definitions(tuple(values["compared"]), say("What was compared, and how")) if values["compared"] else None,
        Definitions(tuple(values["intervals"]), say("Intervals and tests")) if values["intervals"] else None,
        [Title(3, say("Adjustment")), [Paragraph(text) for text in values["adjustment"]]]
        if values["adjustment"]
        else None,
        values["levels"],
        Title(3, say("What no statistic here can say")),
        Bullets(tuple(values["general"]), "general"),
        [Title(3, say("References")), Bullets(tuple(values["references"]), "references")]
        if values["references"]
        else None,
    )


def _signed(values: Values) -> Any:
    files = say("The PDF holds results.csv (every row) and results.json (everything); the web page holds the second.")
    return in_order(
        Definitions(tuple(values["provenance"]), say("What is needed to run it again")),
        Paragraph(files, "note pages"),
        Checklist(tuple(values["attested"])),
        Signature(tuple(values["signed"])),
    )


def _figures(drawings: Any) -> Together:
    return Together("figures", in_order(drawings))


def _scope(values: Values) -> str:
    if values["declared"]:
        return say("Scope and protocol, read from a file")
    return say("Scope and protocol, given with the run")


# Name of a section -> its heading, and its values in their order.
_SECTIONS: dict[str, tuple[Callable[[Values], str], Callable[[Values], Any]]] = {
    "protocol": (_scope, _protocol),
    "data": (
        lambda values: f"{say('Data:')} {values['summary']}",
        lambda values: (values["lost"], values["flow"], values["counts"], values["excluded"], _cautions(values)),
    ),
    "outcomes": (lambda values: say("Outcomes by group"), _outcomes),
    "errors": (lambda values: str(values["heading"]), _errors),
    "representation": (lambda values: say("Details of the methods"), _representation),
    "clusters": (lambda values: say("Clusters"), _clusters),
    "comparison": (lambda values: str(values["heading"]), _comparison),
    "sensitivity": (lambda values: say("Do the findings depend on our choices?"), _sensitivity),
}
