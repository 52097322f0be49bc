"""What a reader copies from the documentation runs: every example of a public name, pasted into an empty session."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator
from typing import Any

import pytest

import fairstats

OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def public() -> Iterator[tuple[str, Any]]:
    """Every public function and class, and what a public class offers, by the name that a reader types."""
    for name in fairstats.__all__:
        thing = getattr(fairstats, name)
        if inspect.ismodule(thing):
            yield from ((f"fs.{name}.{inner}", getattr(thing, inner)) for inner in thing.__all__)
            continue
        yield f"fs.{name}", thing
        if inspect.isclass(thing):
            offered = inspect.getmembers(thing, lambda member: callable(member) or isinstance(member, property))
            yield from ((f"fs.{name}.{inner}", member) for inner, member in offered if not inner.startswith("_"))


EXAMPLES = {doc: path for path, thing in public() if ">>> " in (doc := inspect.getdoc(thing) or "")}


@pytest.mark.long
@pytest.mark.parametrize(("path", "doc"), [(path, doc) for doc, path in EXAMPLES.items()], ids=EXAMPLES.values())
def test_an_example_runs_when_it_is_pasted(path: str, doc: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    example = doctest.DocTestParser().get_doctest(doc, {}, path, None, 0)
    names: list[str] = []
    doctest.DocTestRunner(optionflags=OPTIONS, verbose=False).run(example, out=names.append)
    assert not names, "".join(names)


def test_every_public_function_has_an_example() -> None:
    functions = {name: thing for name in fairstats.__all__ if inspect.isroutine(thing := getattr(fairstats, name))}
    assert [name for name, thing in functions.items() if ">>> " not in (inspect.getdoc(thing) or "")] == []
    assert len(functions) > 40 and len(EXAMPLES) > 90
