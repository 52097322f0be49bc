"""`templates/README.md` is a contract: its table of names is what templates receive, each of the kind that it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.document import Block, Chapter, Forest, Paragraph, Table
from fairstats.reporting.bundle import Bundle, gather
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.render import plain
from fairstats.reporting.report import CONTEXT, context

README_FILE = Path(__file__).resolve().parents[2] / "templates" / "README.md"
README = README_FILE.read_text()
ROW = re.compile(r"^\| `([\w.\[\]]+)` \| ([^|]+) \| [^|]+ \|$", re.M)
RECORD = Path(__file__).resolve().parents[1] / "snapshots" / "context_names.txt"
BY_RENDERING = {"fonts_css"}  # added when the page is made


def listed() -> dict[str, str]:
    """Return what the README says of each name."""
    return {name: kind.strip() for name, kind in ROW.findall(README)}


def fits(value: Any, kind: str) -> bool:
    """Whether a value is of the kind that the README says."""
    if kind.endswith(" or none"):
        return value is None or fits(value, kind.removesuffix(" or none"))
    if kind == "pairs":
        return isinstance(value, list) and all(len(p) == 2 and all(isinstance(t, str) for t in p) for p in value)
    if kind.startswith("list of "):
        return isinstance(value, list) and all(fits(v, kind.removeprefix("list of ")) for v in value)
    if kind == "Chapters":
        return isinstance(value, dict) and all(v is None or isinstance(v, Chapter) for v in value.values())
    entries = {
        "text": str,
        "number": (bool, int, float),
        "Paragraph": Paragraph,
        "Table": Table,
        "Forest": Forest,
        "Drawing": Drawing,
        "section": dict,
    }
    return isinstance(value, entries[kind])


def names(value: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every name of a context with its value: ``outcomes.parts[].rates`` and the like."""
    for key, part in value.items():
        path = f"{before}{key}"
        if isinstance(part, list) and part and isinstance(part[0], dict):
            for entry in part:
                yield from names(entry, f"{path}[].")
        else:
            yield path, part
            if isinstance(part, dict) and path != "document":
                yield from names(part, f"{path}.")


def audit() -> fairstats.Audit:
    rng = np.random.default_rng(3)
    n = 900
    people = pd.DataFrame({"race": rng.choice(["a", "b", "c"], n, p=(0.5, 0.3, 0.2)), "sex": rng.choice(["f", "m"], n)})
    people["score"] = rng.uniform(size=n)
    people["hired"] = (people.score + 0.2 * (people.race == "a") > 0.6).astype(int)
    people["good"] = (rng.uniform(size=n) < 0.2 + 0.6 * people.score).astype(int)
    people["band"] = np.where(people.score > 0.5, "high", "low")
    columns = {"decision": "hired", "outcome": "good", "score": "score", "strata": "band"}
    return fairstats.audit(people, groups=["race", "sex"], positive_prediction="1", **columns)


@cache
def bundle() -> Bundle:
    """Return a report of everything: an audit, fits, their extra error, a clustering, a comparison, a leakage."""
    arrests = fairstats.arrests()[:400]
    fit = fairstats.og("~ age + checks + year", groups="colour", data=arrests, k=2, scale=True)
    graph = fairstats.simulate.sbm(120, 3, (0.6, 0.4), (0.5, 0.3, 0.2, 0.05), seed=1)
    wanted = {"outcome": "released", "positive": "Yes", "groups": "colour", "features": ["age", "checks", "year"]}
    others = (
        fairstats.compare(arrests, **wanted, methods=["none", "og"], n_repeats=2),
        fairstats.leakage(fit.crossfit(arrests)),
    )
    extra = fairstats.extra_error(fit, arrests, permutations=0)
    rows = audit().estimates[:3]  # a result that has no section of its own
    return gather([audit(), fit, extra, rows, fairstats.fair_spectral_clustering(graph, "group", 3), *others], "t", "a")


@pytest.fixture(scope="module")
def everything() -> Bundle:
    return bundle()


@pytest.fixture(scope="module")
def contexts(everything: Bundle) -> list[dict[str, Any]]:
    """Return contexts that have every section, and those in which as many as possible are none."""
    small = fairstats.audit({"sex": ["f", "m"] * 40, "hired": [0, 1, 1, 1] * 20}, decision="hired", groups="sex")
    bare = gather([fairstats.pca(np.eye(4), k=2)], "t", "")
    return [context(everything), context(everything, "ll144"), context(gather([small], "t", "")), context(bare)]


@pytest.mark.long
def test_the_readme_lists_exactly_the_names_that_templates_receive(contexts: list[dict[str, Any]]) -> None:
    received = {name for one in contexts for name, _ in names(one) if not re.search(r"\[\]\.\w+\[\]", name)}
    containers = {name for name in received if any(other.startswith(f"{name}.") for other in received)}
    present = listed()
    nameless = {name for name in containers if name not in present}  # a section that is never none needs no line
    empty = {name.removesuffix("[]") for name in {n.rpartition(".")[0] for n in present} if name.endswith("[]")}
    assert received - nameless - empty == set(present) - BY_RENDERING


@pytest.mark.long
def test_every_value_is_of_the_kind_that_the_readme_says(contexts: list[dict[str, Any]]) -> None:
    present = listed()
    for one in contexts:
        for name, value in names(one):
            if name in present:
                assert fits(value, present[name]), f"{name} is {type(value).__name__}, not {present[name]}"


@pytest.mark.long
def test_a_section_that_may_be_none_is_none_somewhere(contexts: list[dict[str, Any]]) -> None:
    optional = {name for name, kind in listed().items() if kind == "section or none"}
    absent = {name for one in contexts for name, value in names(one) if value is None}
    assert optional <= absent


def test_tables_and_drawings_have_the_fields_that_the_readme_says(contexts: list[dict[str, Any]]) -> None:
    first = contexts[0]
    for kind, example in (
        ("Table", plain(first["data"]["counts"])),
        ("Drawing", plain(first["outcomes"]["parts"][0]["figures"][0])),
    ):
        (sentence,) = re.findall(rf"^A {kind} has (.*?); (?:show|`{{{{)", README, flags=re.M | re.S)
        fields = re.sub(r"\([^)]*\)", "", sentence)
        assert set(re.findall(r"`(\w+)`", fields)) == set(vars(example))


def test_the_blocks_are_those_of_the_page() -> None:
    text = (README_FILE.parent / "report.html.j2").read_text()
    (wording,) = re.findall(r"^## Blocks of `report.html.j2`\n`([^`]*)`$", README, flags=re.M)
    assert wording.split(", ") == re.findall(r"{% block (\w+) %}", text)


def test_every_form_of_block_has_a_template_and_its_fields_in_the_readme() -> None:
    sentence = README[README.index("A Chapter has") : README.index("## Files beside")]
    text = dict(re.findall(r"`(\w+)` \(((?:[^()]|\(\))*)\)", sentence))
    for block in (cls for cls in Block.__subclasses__() if cls not in (Chapter, Table)):
        form = block.__name__.lower()
        assert set(re.findall(r"`(\w+)`", text[form])) >= {f.name for f in fields(block)}, form
    forms = {cls.__name__.lower() for cls in Block.__subclasses__()} - {"chapter"}
    assert forms == {path.name.partition(".")[0] for path in (README_FILE.parent / "blocks").iterdir()}


def test_the_json_beside_the_page_has_the_names_that_the_readme_says(everything: Bundle) -> None:
    sentence = README[README.index("`results.json` (`schema`") : README.index("An absent number is null")]
    assert {*everything.document, "software", "pages"} == set(re.findall(r"`([a-z_0-9]+)`", sentence)) - {"name"}


def test_the_number_of_the_schema_rises_with_a_name_that_is_removed() -> None:
    schema, *recorded = RECORD.read_text().splitlines()
    removed = sorted(set(recorded) - set(listed()))
    assert not removed or schema != CONTEXT, f"raise the number of CONTEXT: {removed} are no longer there"
    current = "\n".join([CONTEXT, *sorted(listed())]) + "\n"
    assert RECORD.read_text() == current, f"the names changed as they may; write to {RECORD.name}:\n{current}"
    assert f"`{CONTEXT}`" in README
