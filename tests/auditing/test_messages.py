"""What a page says of an audit can be said in every language: a text of several words is a message of the catalogs."""

from __future__ import annotations

import io
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

from fairstats.auditing import sentences
from fairstats.language import ENGLISH, FOLDER, languages
from fairstats.metrics import METRICS

PIECES = {  # of sentences in the console, or said only within a message
    *("border case: ", "are in strata where one of the two groups is absent"),
    *("Also settled by ", "with numbers in tidy()"),
    *METRICS,  # names of metrics are asked of rows, too
    "had been ",  # asked of a text, not said
    *("omnibus", "common strata", "homogeneity of odds ratios"),  # asked of rows: the vocabulary has their words
    "under 2% of the people: the rule does not count this group",  # asked of rows
    "fairstats.table(result, 'impact by stratum')",  # a piece of Python
    *("Estimate | None", r")(?= \()"),  # an annotation, a pattern
}


def of_code(code: CodeType) -> Iterator[str]:
    """The texts of a function and of what is inside it, its docstring apart."""
    described = bool(code.co_consts) and isinstance(code.co_consts[0], str) and code.co_name != "<genexpr>"
    for constant in code.co_consts[int(described) :]:
        yield from of_code(constant) if isinstance(constant, CodeType) else of_value(constant)


def of_value(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, tuple, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from of_value(part)


def texts(module: ModuleType) -> Iterator[str]:
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            yield from of_code(value.__code__)
        elif not name.startswith("__"):
            yield from of_value(value)


def messages(code: str) -> set[str]:
    """What the catalog of a language has, both forms of what depends on a number."""
    pofile = pytest.importorskip("babel.messages.pofile")
    path = FOLDER / code / "LC_MESSAGES" / "fairstats.po"
    arguments = (message.id for message in pofile.read_po(io.BytesIO(path.read_bytes())))
    return {text for one in arguments for text in ((one,) if isinstance(one, str) else one)}


def test_every_text_of_several_words_is_a_message_of_every_catalog() -> None:
    wording = {text for text in texts(sentences) if " " in text.strip()} - PIECES
    assert wording
    for code in set(languages()) - {ENGLISH}:
        assert wording <= messages(code)
