"""Write the catalogs of messages again: every sentence of the code into each ``.po``, each ``.mo`` from its ``.po``.

``--check`` only says whether that would change anything; ``--new fr`` begins a language. Translators edit the ``.po``.
"""

from __future__ import annotations

import ast
import io
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "fairstats" / "locale"
WORDS = ("say", "mark", "message")
PLACE = re.compile(r"\{\w+\}")  # a message of places and marks is the same in every language
PAGES = [("**.j2", "jinja2"), ("**.css", "jinja2")]
FIXED = datetime(2026, 1, 1, tzinfo=UTC)  # a catalog changes when its messages do


@dataclass(frozen=True)
class Message:
    """One message, the file that says it, and what a translator has to know."""

    text: str | tuple[str, str]
    file: str
    context: str | None = None
    comment: str = ""


def messages() -> Iterator[Message]:
    """Every message: of the code, of the templates, and of the tables whose words pages print."""
    from fairstats.language import CUSTOMS

    for name, (english, meaning) in CUSTOMS.items():
        yield Message(name, "fairstats/language.py", "language", f"{meaning}; English: {english!r}")
    for file in sorted((ROOT / "fairstats").rglob("*.py")):
        if "cli" not in file.parts:  # commands have a `say` of their own, and stay English
            yield from of_code(file)
    result = extract_from_dir(ROOT / "templates", method_map=PAGES, keywords=dict.fromkeys(WORDS))
    for name, _, text, _, _ in sorted(result, key=lambda row: row[:2]):
        yield Message(text, f"templates/{name}")
    yield from of_tables()


def of_code(file: Path) -> Iterator[Message]:
    """The messages of one file, in f-strings too, which Babel passes over."""
    calls = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        name = getattr(call.func, "id", "")
        texts = [a.value for a in call.args[:2] if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        alike = name == "message" and texts and not any(letter.isalpha() for letter in PLACE.sub("", texts[0]))
        if name in WORDS and texts and not alike:
            yield Message(texts[0], str(file.relative_to(ROOT)))
        elif name == "say_number" and len(texts) == 2:
            yield Message((texts[0], texts[1]), str(file.relative_to(ROOT)))


def of_tables() -> Iterator[Message]:
    """The words of the tables: metrics, choices, statuses, verdicts."""
    from fairstats import estimates, validation
    from fairstats.metrics import METRICS
    from fairstats.reporting.words import GENERAL

    for metric in METRICS.values():
        row = (metric.heading, metric.meaning, metric.question, metric.matters, metric.misleads)
        for text in (*row, metric.sentence):
            yield Message(text, "fairstats/vocabulary", comment=metric.name)
    for table in (
        validation.ADJUSTMENTS,
        validation.REFERENCES,
        validation.FAMILIES,
        validation.INTERSECTIONS,
        validation.MISSING,
        validation.WEIGHT_TYPES,
    ):
        for choice in (*table.values(), validation.ALL_PAIRS, validation.NAMED):
            yield from (Message(text, "fairstats/validation.py") for text in (choice.words, choice.meaning))
    for text in (*estimates.STATUSES.values(), *estimates.VERDICTS):
        yield Message(text, "fairstats/estimates.py")
    for text in GENERAL:
        yield Message(text, "fairstats/reporting/words.py")


def template() -> Catalog:
    """All messages, without translations."""
    result = Catalog(project="fairstats", charset="utf-8", creation_date=FIXED)
    for message in messages():
        if message.text:
            comments = [message.comment] if message.comment else []
            result.add(message.text, locations=[(message.file, 0)], context=message.context, auto_comments=comments)
    return result


def updated(path: Path, code: str) -> Catalog:
    """The catalog of a language with the messages that there are now; none is guessed from another."""
    old = read_po(io.BytesIO(path.read_bytes()), locale=code) if path.exists() else Catalog(locale=code)
    new = Catalog(
        locale=code, project="fairstats", charset="utf-8", creation_date=FIXED, revision_date=FIXED, fuzzy=False,
        last_translator="the fairstats authors", language_team=code, header_comment=old.header_comment,
    )  # fmt: skip
    for message in template():
        if message.id:
            present = old.get(message.id, message.context)
            text, noted = (present.string, present.user_comments) if present else ("", ())
            new.add(
                message.id, text, message.locations, (), message.auto_comments, noted, context=message.context,
            )  # fmt: skip
    return new


def as_po(catalog: Catalog) -> bytes:
    """The text that a translator edits."""
    sheet = io.BytesIO()
    write_po(sheet, catalog, width=120, include_lineno=False, ignore_obsolete=True)
    return sheet.getvalue()


def as_mo(catalog: Catalog) -> bytes:
    """What a report reads."""
    sheet = io.BytesIO()
    write_mo(sheet, catalog)
    return sheet.getvalue()


def main(arguments: list[str]) -> int:
    """Write, or compare."""
    check = "--check" in arguments
    codes = [path.parts[-3] for path in sorted(FOLDER.glob("*/LC_MESSAGES/fairstats.po"))]
    codes += arguments[arguments.index("--new") + 1 :][:1] if "--new" in arguments else []
    stale = []
    for code in codes:
        path = FOLDER / code / "LC_MESSAGES" / "fairstats.po"
        catalog = updated(path, code)
        for file, content in ((path, as_po(catalog)), (path.with_suffix(".mo"), as_mo(catalog))):
            if not file.exists() or file.read_bytes() != content:
                stale.append(str(file.relative_to(ROOT)))
                if not check:
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_bytes(content)
        empty = [m.id for m in catalog if m.id and not (all(m.string) if m.pluralizable else m.string)]
        print(f"{code}: {len(catalog)} messages, {len(empty)} not translated")
    if check and stale:
        print(f"not current: {', '.join(stale)}; run python tools/catalog.py")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
