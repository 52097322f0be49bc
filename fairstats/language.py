"""The language of a report: a sentence is one message with named places, said in the language that is being written.

Outside a report everything is English: errors, commands and summaries are. What results hold (methods, reasons,
cautions) are messages: English as text, made of a template, which is the code that logic compares, and of values; a
page says them in its own language (`translated`), and files keep both beside the text.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from fairstats.errors import PAGES, Call, FrontEnd, InputError, Setting, nearest, with_hint, writing_for

ENGLISH = "en"
FOLDER = Path(__file__).resolve().parent / "locale"
_DOMAIN = "fairstats"
LONGEST = 100_000  # characters of a message in a file
_NUMBERS = re.compile(r"(?<![\w.,])(?!0,)\d+(?:,\d{3})*(?:\.\d+)?(?![\w.,]*\d)")
_PLACE = re.compile(r"\{(\w+)\}")
_DATIVE = "_dative}"  # the end of a place of a translation in which names of groups are declined

# Name of a custom -> what it is in English, and what a translator has to know.
CUSTOMS = {
    "decimal mark": (".", "before the decimals of a number"),
    "thousands mark": (",", "between groups of three digits"),
    "tag": ("en-US", "language and country as word processors name them"),
    "nouns": ("small", "small or capital: the first letter of a noun inside a sentence"),
    "datives": ("-", "“Noun Form” of a word for a group whose form in the place {group_dative} is another; - for none"),
}


@dataclass(frozen=True)
class Language:
    """One language: its messages, and how its numbers are written; English is what stands in the code."""

    code: str
    messages: gettext.NullTranslations = field(default_factory=gettext.NullTranslations, compare=False)

    def _custom(self, name: str) -> str:
        """A custom of the language, which its catalog says in the context "language"."""
        text = self.messages.pgettext("language", name)
        return CUSTOMS[name][0] if text == name else text

    @cached_property
    def decimal(self) -> str:
        """What stands before the decimals."""
        return self._custom("decimal mark")

    @cached_property
    def thousands(self) -> str:
        """What stands between groups of three digits."""
        return self._custom("thousands mark")

    @cached_property
    def tag(self) -> str:
        """Language and country, as word processors name them."""
        return self._custom("tag")

    @cached_property
    def small_nouns(self) -> bool:
        """Whether a heading begins with a small letter inside a sentence."""
        return self._custom("nouns") == "small"

    @cached_property
    def _datives(self) -> tuple[str, str]:
        noun, _, form = self._custom("datives").partition(" ")
        return rf"\b{noun}\b", form or noun

    def dative(self, text: str) -> str:
        """Names of groups as they stand after a preposition."""
        noun, form = self._datives
        return re.sub(noun, form, text)


_IN_CODE = Language(ENGLISH)
_NOW: ContextVar[Language] = ContextVar("language of the report", default=_IN_CODE)


def languages() -> tuple[str, ...]:
    """The codes of the languages there are.

    >>> languages()
    ('de', 'en')
    """
    return tuple(sorted({ENGLISH, *(path.parts[-3] for path in FOLDER.glob(f"*/LC_MESSAGES/{_DOMAIN}.mo"))}))


def language(code: str) -> Language:
    """The language of a code."""
    if code not in languages():
        named = " or ".join(map(repr, languages()))
        raise InputError(
            "language",
            with_hint(
                f"has {code!r}; reports, tables and figures are in {named}",
                nearest(code, languages()),
                "pass one of them.",
            ),
        )
    return _catalog(code)


@cache
def _catalog(code: str) -> Language:
    return _IN_CODE if code == ENGLISH else Language(code, gettext.translation(_DOMAIN, FOLDER, [code]))


@contextmanager
def in_language(chosen: Language) -> Iterator[None]:
    """Within the block, and in its thread only, messages are said in a language."""
    token = _NOW.set(chosen)
    try:
        yield
    finally:
        _NOW.reset(token)


@contextmanager
def speaking(chosen: Language, front: FrontEnd = PAGES) -> Iterator[None]:
    """The same for readers of whatever front end: arguments are written as in Python."""
    with in_language(chosen), writing_for(front):
        yield


def current() -> Language:
    """The language in which messages are said now."""
    return _NOW.get()


def say(message: str, /, **values: object) -> str:
    """A message of the catalog, its places filled.

    message: English, a whole clause: word order is the translator's. It stands here as it is, never put together.
    **values: what stands in the places ``{name}``.
    """
    text = _NOW.get().messages.gettext(message) if message else ""
    return _filled(text, values) if values else text


def _filled(text: str, values: Mapping[str, object]) -> str:
    """A text with its places filled, which a translation may ask for in the dative."""
    if _DATIVE in text:
        dative = _NOW.get().dative
        values = {**values, **{f"{name}_dative": dative(str(value)) for name, value in values.items()}}
    return text.format(**values)


def say_number(one: str, many: str, n: float, /, **values: object) -> str:
    """A message whose form depends on a number.

    >>> say_number("{n} row", "{n} rows", 1, n=1)
    '1 row'
    """
    text = _NOW.get().messages.ngettext(one, many, int(n) if n == 1 else 2)
    return _filled(text, values)


def mark(message: str) -> str:
    """A message that is said elsewhere, marked for the catalog where it stands."""
    return message


class DataText(str):
    """A text of the data inside a message (a group, a column), which no language changes.

    ``attribute`` says whose level it is, so that a report can call the group by its declared name.
    """

    __slots__ = ("attribute",)
    attribute: str

    def __new__(cls, text: str, attribute: str = "") -> DataText:
        result = super().__new__(cls, text)
        result.attribute = attribute
        return result

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        return str(self), self.attribute


Value = Any  # what stands in a place: a Message, a DataText, a Setting, a Call, a number, or its English text


class Message(str):
    """A text that a result holds: English as a `str`, with the template and the values that it is made of.

    The template is its code: logic compares that, never the text, and another language says it again from both.

    >>> reason = message("fewer than {n} people", n=30)
    >>> reason, reason.template
    ('fewer than 30 people', 'fewer than {n} people')
    >>> with speaking(language("de")):
    ...     translated(reason)
    'weniger als 30 Personen'
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, Value]

    def __new__(cls, template: str, values: Mapping[str, Value]) -> Message:
        result = super().__new__(cls, _fill(template, values, _in_python) if values else template)
        result.template, result.values = template, values
        return result

    def __copy__(self) -> Message:
        return self

    def __deepcopy__(self, memo: object) -> Message:
        return self

    def format(self, **values: Value) -> Message:  # type: ignore[override]
        """The message of the same template with its places filled."""
        return Message(self.template, values)

    def __getnewargs__(self) -> tuple[str, Mapping[str, Value]]:  # type: ignore[override]
        return self.template, dict(self.values)


def message(template: str, /, **values: Value) -> Message:
    """A text of the catalog that a result holds.

    template: English; it stands here as it is, never put together.
    **values: what stands in the places ``{name}``: a message, a text of the data, a number, or the English text of a
        number.

    >>> message("{n} people", n=3)
    '3 people'
    """
    return Message(template, values)


def joined(parts: Iterable[str], between: str = "; ") -> str:
    """Texts side by side, each a message or none; empty ones are left out.

    >>> both = joined([message("Wilson score interval"), "", "Dunn"])
    >>> both, both.values["part0"].template
    ('Wilson score interval; Dunn', 'Wilson score interval')
    """
    kept = [part for part in parts if part]
    if len(kept) < 2:
        return kept[0] if kept else ""
    names = [f"part{i}" for i in range(len(kept))]
    return Message(between.join(f"{{{name}}}" for name in names), dict(zip(names, kept, strict=True)))


def unjoined(text: str, between: str = "; ") -> list[str]:
    """The texts that were joined.

    >>> unjoined(joined([message("Dunn"), message("pooled Z")])), unjoined("")
    (['Dunn', 'pooled Z'], [])
    """
    if isinstance(text, Message) and text.template == between.join(f"{{part{i}}}" for i in range(len(text.values))):
        return [one for value in text.values.values() for one in unjoined(value, between)]
    return [text] if text else []


def listed(parts: Iterable[str], most: int | None = None) -> str:
    """Texts with commas; from `most` on, how many further ones there are.

    >>> listed(["f", "m", "x"], 2)
    'f, m and 1 more'
    """
    every = list(parts)
    shown, more = joined(every[:most], ", "), len(every) - len(every[:most])
    return message("{shown} and {n} more", shown=shown, n=more) if more else shown


def enumerated(parts: Iterable[str], most: int = 6) -> str:
    """Messages, or texts of the data, as a sentence lists them; past `most` how many further ones there are.

    >>> enumerated(["f", "m", "x"])
    'f, m and x'
    """
    every = list(parts)
    if not 1 < len(every) <= most:
        return listed(every, most)
    return message("{first} and {last}", first=listed(every[:-1]), last=every[-1])


def labels_of(attribute: str, labels: Iterable[str], most: int | None = None) -> str:
    """Groups of an attribute with commas, as `listed` writes them."""
    return listed((DataText(label, attribute) for label in labels), most)


def parts(text: str) -> Iterator[Message]:
    """A message and the messages in it; nothing of a plain text."""
    if isinstance(text, Message):
        yield text
        for value in text.values.values():
            yield from parts(value)


def says(text: str, code: Message) -> bool:
    """Whether a text is, or holds, a message of that template.

    >>> FEW = message("fewer than {n} people")
    >>> says(joined([FEW.format(n=30), message("suppressed")]), FEW), says("fewer than 30 people", FEW)
    (True, False)
    """
    return any(part.template == code.template for part in parts(text))


def translated(text: str) -> str:
    """A text that a result holds in the language of the report; what is no message stays as it is.

    >>> with speaking(language("de")):
    ...     translated(joined([message("Wilson score interval"), "a label 3.5"]))
    'Wilson-Score-Intervall; a label 3.5'
    >>> with speaking(language("de")):
    ...     translated(message("{part} ({share})", part=message("rates"), share="0.3%"))
    'Raten (0,3\xa0%)'
    """
    if not isinstance(text, Message):
        return text
    wording = _NOW.get().messages.gettext(text.template) if text.template else ""
    return _fill(wording, text.values, _spoken)


def _spoken(value: Value) -> str:
    """A value of a message in the language of the report."""
    if isinstance(value, (Message, DataText)):
        return translated(value)
    text = str(value)
    sign = next((sign for sign in ("p = ", "p < ", "<") if text.startswith(sign)), "")
    number = text.removeprefix(sign).removesuffix("%")
    if (sign and "." not in number) or not _NUMBERS.fullmatch(number.removeprefix("\N{MINUS SIGN}")):
        return text  # "p = 1,000" of a page is in its language already
    return say("{share}%", share=written(number)) if text.endswith("%") else f"{sign}{written(number)}"


def _in_python(value: Value) -> str:
    return value.in_python() if isinstance(value, (Setting, Call)) else str(value)


def _fill(template: str, values: Mapping[str, Value], spoken: Callable[[Value], str]) -> str:
    """The template with its places filled; nothing but names of places is read, so that any text may be a template."""
    of_dative = _NOW.get().dative

    def filled(place: re.Match[str]) -> str:
        name = place[1].removesuffix("_dative")
        if place[1] in values:
            return spoken(values[place[1]])
        return of_dative(spoken(values[name])) if name in values else place[0]

    return _PLACE.sub(filled, template)


def as_record(text: Message) -> list[Any]:
    """A message as plain data for a file: its template and its values, beside which the text itself stands.

    >>> as_record(message("{text} of {group}", text=message("nobody"), group=DataText("m", "sex")))
    ['{text} of {group}', {'text': ['nobody', {}], 'group': {'label': 'm', 'of': 'sex'}}]
    """

    def plain(value: Value) -> Any:
        if isinstance(value, Message):
            return as_record(value)
        if isinstance(value, DataText):
            return {"label": str(value), "of": value.attribute}
        if isinstance(value, Setting):
            return {"argument": value.argument} | ({} if value.value is ... else {"value": value.value})
        if isinstance(value, Call):
            given = value.kept()
            return {"function": value.function} | ({} if given is None else {"of": list(given)})
        return value if type(value) in (int, float, str) else str(value)

    return [text.template, {name: plain(value) for name, value in text.values.items()}]


def records(texts: Iterable[str]) -> dict[str, list[Any]]:
    """The records of the messages among texts, each once, by their English text."""
    return {str(text): as_record(text) for text in dict.fromkeys(texts) if isinstance(text, Message)}


def of_record(record: Any) -> Message:
    """The message of such a record, which nobody vouches for: a template is only ever filled, and looked up.

    >>> of_record(["fewer than {n} people", {"n": 30}])
    'fewer than 30 people'
    """
    match record:
        case [str() as template, dict() as given]:
            values = {str(name): _of_plain(value) for name, value in given.items()}
        case _:
            raise ValueError("no record of a message")
    if len(template) + sum(len(str(values.get(place, ""))) for place in _PLACE.findall(template)) > LONGEST:
        raise ValueError("a message that is too long")
    return Message(template, values)


def _of_plain(value: Any) -> Value:
    match value:
        case list():
            return of_record(value)
        case {"label": str() as label, "of": str() as attribute}:
            return DataText(label, attribute)
        case {"argument": str() as argument, "value": (str() | int() | float()) as given}:
            return Setting(argument, given)
        case {"argument": str() as argument, "value": list() as given} if all(isinstance(one, str) for one in given):
            return Setting(argument, given)
        case {"argument": str() as argument}:
            return Setting(argument)
        case {"function": str() as function, "of": list() as given}:
            return Call(function, tuple(map(_of_argument, given)))
        case {"function": str() as function}:
            return Call(function)
        case str() | int() | float():
            return value
    raise ValueError("no value of a message")


def _of_argument(given: Any) -> str | tuple[str, Any]:
    """What stands in a call: text, or a name with its value, a text or several."""
    match given:
        case str():
            return given
        case [str() as name, str() as value]:
            return name, value
        case [str() as name, [*values]] if all(isinstance(one, str) for one in values):
            return name, values
    raise ValueError("no argument of a call")


def renamed(text: str, group: Callable[[str, str], str], column: Callable[[str], str] = str) -> str:
    """The same text with the groups in it called by other names, of their attribute and label; and the columns."""
    if not isinstance(text, Message):
        return text

    def other(value: Value) -> Value:
        if isinstance(value, DataText):
            attribute = value.attribute
            return DataText(group(attribute, str(value)) if attribute else column(str(value)), attribute)
        return renamed(value, group, column) if isinstance(value, Message) else value

    return Message(text.template, {place: other(value) for place, value in text.values.items()})


def numbers(text: str) -> str:
    """A text that is English with its numbers as the language writes them.

    >>> with speaking(language("de")):
    ...     numbers("4.5 to 1,234.5, a.b")
    '4,5 to 1\u202f234,5, a.b'
    """
    return _NUMBERS.sub(lambda result: written(result[0]), text) if _NOW.get().decimal != "." else text


def written(number: str) -> str:
    """An English number as the language writes it.

    >>> with speaking(language("de")):
    ...     written("12.3"), written("1,234.5")
    ('12,3', '1\u202f234,5')
    """
    here = _NOW.get()
    return number if here.decimal == "." else number.translate({ord("."): here.decimal, ord(","): here.thousands})
