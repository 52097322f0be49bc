"""Small audits of every kind, and all the sentences that they say: what `test_sentences` reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import product
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd

from fairstats import validation
from fairstats.auditing.audit import audit
from fairstats.auditing.result import Audit, remarks
from fairstats.auditing.sentences import claim_text
from fairstats.metrics import METRICS
from fairstats.reporting.bundle import gather
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections import SECTIONS


def people(n: int = 160) -> pd.DataFrame:
    """Two attributes, a factor, an outcome, a decision and scores; a small group, and missing values."""
    rng = np.random.default_rng(4)
    sex = np.where(np.arange(n) % 2, "woman", "man")
    race = rng.choice(["Green", "Blue", "Red"], n, p=[0.5, 0.44, 0.06])
    chance = np.where(sex == "man", 0.65, 0.3)
    data = pd.DataFrame({"sex": sex, "race": race, "age": rng.choice(["old", "young"], n)})
    data["rearrest"] = (rng.random(n) < chance).astype(float)
    data["release"] = (rng.random(n) < chance).astype(float)
    data["points"] = np.round(10 * (rng.random(n) + chance))
    data["risk"] = np.round(0.1 + 0.8 * rng.random(n), 1)
    data["weight"], data["people"], data["court"] = rng.uniform(1, 3, n), rng.integers(1, 3, n), np.arange(n) // 4
    return data


def gaps(data: pd.DataFrame) -> pd.DataFrame:
    """The same with people whose group, outcome or decision is not known."""
    out = data.copy()
    out.loc[::19, "sex"], out.loc[3::23, "rearrest"], out.loc[5::29, "release"] = None, np.nan, np.nan
    return out


def protocols() -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and arguments of every audit."""
    d, y, s = {"decision": "release"}, {"outcome": "rearrest"}, {"score": "points"}
    cut = {**s, "threshold": 9}
    for p_adjust, reference in product(validation.ADJUSTMENTS, (*validation.REFERENCES, "Blue")):
        yield f"{p_adjust}, {reference}", {**d, "groups": "race", "p_adjust": p_adjust, "reference": reference}
    questions = {"decision": d, "outcome": y, "score": s, "both": {**y, **d}, "outcome and score": {**y, **s}}
    questions |= {"threshold": {**y, **cut}, "threshold alone": {**cut, "favorable": 0}}
    questions |= {"probabilities": {**y, "score": "risk"}}
    for name, question in questions.items():
        yield name, {**question, "groups": "sex"}
    yield "decision in strata", {**d, "groups": "sex", "strata": "age"}
    yield "outcome in strata", {**y, "groups": "race", "strata": "age"}
    yield "strata that nobody shares", {**d, "groups": "sex", "strata": "court"}
    yield "two attributes", {**d, "groups": ["sex", "race"]}
    yield "margin", {**y, **d, "groups": "sex", "margin": 0.3}
    yield "suppressed", {**y, **d, "groups": "race", "min_n": 20}
    yield "gaps", {**y, **d, "groups": "sex", "data": "gaps"}
    yield "gaps dropped", {**y, **d, "groups": "sex", "missing": "drop", "data": "gaps"}
    yield "nobody", {**d, "groups": "sex", "data": "nobody"}
    yield "everybody", {**y, **d, "groups": "sex", "data": "everybody"}
    yield "probability weights", {**y, **d, "groups": "sex", "weights": "weight", "weight_type": "probability"}
    yield "frequency weights", {**d, "groups": "sex", "weights": "people"}
    yield "clusters", {**y, **d, "groups": "sex", "clusters": "court"}


def audits() -> Iterator[tuple[str, Audit]]:
    """Every audit by name."""
    whole = people()
    tables = {"": whole, "gaps": gaps(whole), "nobody": whole.assign(release=lambda t: (t.index == 1).astype(float))}
    tables["everybody"] = whole.assign(release=np.where(whole.sex == "man", 1.0, whole.release))
    for name, arguments in protocols():
        yield name, audit(tables[arguments.pop("data", "")], **arguments)


def _undrawn(name: str, paint: object, *, caption: str, alt: str, **_: object) -> Drawing:
    return Drawing(name, "", caption, alt, 0.0)


def report_texts(result: Audit) -> Iterator[str]:
    """Every text that a report of the audit would show, figures by caption and alternative text."""
    with patch("fairstats.reporting.figures.style.draw", _undrawn):
        bundle = gather([result], None, "the auditor")
        for section in SECTIONS.values():
            yield from _texts(section(bundle))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _texts(part)
    elif is_dataclass(value):
        for f in fields(value):
            yield from _texts(getattr(value, f.name))


def console_sentences(result: Audit) -> Iterator[str]:
    """The finding, every comparison with a verdict as a sentence, the remarks and the cautions."""
    yield result.finding()
    yield from (claim_text(result, row) for row in result.estimates if row.verdict)
    for attribute in result.references:
        rows = result.estimates.where(attribute=attribute)
        for metric in dict.fromkeys(row.metric for row in rows if row.metric in METRICS):
            yield from remarks(rows, metric, result.protocol.strata)
    yield from result.notes
