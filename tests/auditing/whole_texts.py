"""Small audits of every kind whose whole texts are pinned, each letter and digit: what `test_whole_texts` compares.

``python -m tests.auditing.whole_texts`` writes the pinned texts again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import fairstats as fs
from fairstats.auditing.own_words import NO_WORDS
from fairstats.auditing.result import Audit
from fairstats.auditing.words.answer import answer, beside_margin, context, people_of, question, verdict
from fairstats.auditing.words.families import among_families
from fairstats.auditing.words.finding import claim_text, claims, held_fixed
from fairstats.auditing.words.page_one import page_one
from fairstats.auditing.words.phrases import measured, share_of
from fairstats.metrics import rates
from tests.auditing import sentences

PINNED = Path(__file__).parent.parent / "snapshots" / "whole_texts.txt"
WORDS: dict[str, Any] = {
    "unit": "defendants",
    "favorable": "were released",
    "unfavorable": "were held",
    "positive": "were re-arrested",
    "negative": "stayed free",
    "score": "a risk score",
    "attributes": {"race": "colour"},
    "groups": {"race": {"Green": "green", "Blue": "Blue defendants"}},
}
DEALT = {"decision": "release"}
BOTH = {**DEALT, "outcome": "rearrest"}
Texts = dict[str, Callable[[], Audit]]


@cache
def everybody() -> pd.DataFrame:
    return sentences.people()


@cache
def many(groups: int = 20, each: int = 40) -> pd.DataFrame:
    """More groups than a table shows, with strata, scores, and a decision that is missing once a group."""
    at = np.arange(groups * each)
    data = pd.DataFrame({"g": [f"v{i:02d}" for i in at // each], "z": np.where(at % 3, "p", "q")})
    data["s"] = np.round((at * 37 % 101) / 101 + 0.01 * (at // each), 3)
    data["d"] = np.where(at % each < each // 2 - at // each % 7, 1.0, 0.0)
    data.loc[at < each, "d"] = 1.0
    data["y"] = (at * 7 % 5 < 2).astype(int)
    data.loc[at % each == each - 1, "d"] = np.nan
    return data


@cache
def counted(*shares: tuple[str, int, int], column: str = "d") -> pd.DataFrame:
    """People of groups, each with the number of whom something holds."""
    rows = [(label, int(i < k)) for label, k, n in shares for i in range(n)]
    return pd.DataFrame(rows, columns=["g", column])


def named() -> pd.DataFrame:
    """Labels that no table is laid out for, and weights that fill a line."""
    long = "people whose forebears came from the islands beyond the western sea and stayed"
    data = counted((" blank ", 9, 30), (long, 20, 60), ("two\nlines", 7, 20), ("x", 1, 4)).copy()
    return data.assign(w=np.where(data.g == "x", 3.0, 4e6), s=np.arange(len(data)) % 17 / 3)


def declared() -> Audit:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rules.toml"
        path.write_text('groups = ["sex"]\ndecision = "release"\noutcome = "rearrest"\npredicts = 0\n')
        return fs.audit(everybody(), protocol=path)


def by_sex(**options: Any) -> Callable[[], Audit]:
    return lambda: fs.audit(everybody(), **{"groups": "sex", **options})


def by_race(**options: Any) -> Callable[[], Audit]:
    return lambda: fs.audit(everybody(), **{"groups": "race", **options})


def in_gaps(**options: Any) -> Callable[[], Audit]:
    return lambda: fs.audit(sentences.gaps(everybody()), **{"groups": "sex", **options})


def of_counts(*shares: tuple[str, int, int], **options: Any) -> Callable[[], Audit]:
    return lambda: fs.audit(counted(*shares), "d", "g", **options)


def of_tally(**options: Any) -> Callable[[], Audit]:
    def made() -> Audit:
        counts = fs.tally(everybody(), "release", ["sex", "race"], **options)
        return fs.audit(counts.withhold(min_n=5))

    return made


def rules() -> Texts:
    """How groups are compared and adjusted, and what was declared."""
    cases: Texts = {
        "one decision": by_race(**DEALT),
        "all at once": by_race(**DEALT, adjust="max-t"),
        "false discovery rate": by_race(**DEALT, adjust="bh", reference="Red", conf_level=0.9),
        "nothing adjusted": by_sex(**BOTH, adjust="none"),
        "the audit as one family": by_race(**BOTH, family="audit"),
        "the audit as one family of pairs": by_race(**DEALT, family="audit", reference="highest_rate"),
        "both columns": by_sex(**BOTH),
        "the other labels": by_sex(**BOTH, favorable=0, positive=0, predicts=0),
        "only outcomes": by_race(outcome="rearrest", reference="highest_rate"),
        "two attributes": by_sex(**DEALT, groups=["sex", "race"]),
        "three attributes": by_sex(**DEALT, groups=["sex", "race", "age"], reference="Blue"),
        "a reference each": by_sex(**DEALT, groups=["sex", "race"], reference={"sex": "woman"}),
        "margins": by_sex(**BOTH, equivalence={"difference": 0.3, "ratio": 0.7}),
        "declared": declared,
        "withheld groups": by_race(**BOTH, min_n=20),
        "withheld by those who counted": of_tally(),
        "named comparison": by_race(**DEALT, focus={"race": ["Red", "Green"]}),
        "named comparison with the reference": by_sex(**BOTH, focus={"sex": ["man", "woman"]}),
        "unknown": in_gaps(**BOTH),
        "unknown dropped": in_gaps(**BOTH, missing="drop", conf_level=0.9),
    }
    return cases


def designs() -> Texts:
    """Strata, weights, clusters, scores."""
    points = {"score": "points"}
    drawn = {"weights": "weight", "weight_type": "probability"}
    return {
        "within strata": by_race(**DEALT, strata="age"),
        "within two columns of strata": by_sex(**DEALT, strata=["age", "race"]),
        "outcomes within strata": by_sex(outcome="rearrest", strata="age", reference="man"),
        "drawn": by_sex(**BOTH, **drawn),
        "drawn in clusters within strata": by_sex(**DEALT, **drawn, clusters="court", strata="age"),
        "counted twice": by_race(**DEALT, weights="people"),
        "clusters": by_sex(**DEALT, clusters="court"),
        "scores": by_race(**points),
        "scores and outcomes": by_race(**points, outcome="rearrest"),
        "scores with a margin": by_sex(**points, outcome="rearrest", equivalence=0.4),
        "a cut": by_sex(**points, threshold=9, outcome="rearrest"),
        "a cut that is bad for people": by_race(**points, threshold=9, favorable=0),
        "probabilities": by_race(score="risk", outcome="rearrest"),
        "everything": by_race(**BOTH, **points, strata="age"),
    }


def sizes() -> Texts:
    """Few people and many, equal and constant, and groups beyond what a table shows."""
    few, more = ("f", 10, 50), ("m", 30, 50)
    every = counted(few, more).assign(d=1, y=0)
    return {
        "many groups": lambda: fs.audit(many(15), "d", "g", strata="z"),
        "many groups of scores": lambda: fs.audit(many(14, 20), groups="g", score="s"),
        "many small intersections": lambda: fs.audit(many(8), "d", ["g", "z"], missing="drop", min_n=14),
        "many small groups": lambda: fs.audit(many(14, 10), "d", "g", strata="z"),
        "beyond the margin": of_counts(few, more, equivalence=0.1),
        "not beyond the margin": of_counts(few, more, equivalence={"difference": 0.25}),
        "equal": of_counts(("a", 500, 1000), ("b", 505, 1000), equivalence=0.1),
        "equal, other way": of_counts(("b", 505, 1000), ("a", 500, 1000), equivalence=0.1, reference="b"),
        "equal, and of three": of_counts(("a", 500, 1000), ("b", 505, 1000), ("c", 600, 1000), equivalence=0.08),
        "different and equal": of_counts(("a", 5000, 10000), ("b", 4700, 10000), equivalence=0.1),
        "groups of few": of_counts(("a", 2, 3), ("b", 1, 3), ("c", 3, 4)),
        "nobody to compare": of_counts(("a", 1, 1), ("b", 1, 1), min_n=2),
        "everybody and nobody": lambda: fs.audit(every, "d", "g", outcome="y"),
        "2 % of the people": of_counts(("a", 300, 1000), ("b", 200, 1000), ("c", 10, 12)),
        "small differences, not adjusted": of_counts(("a", 18, 60), ("b", 30, 60), ("c", 29, 60), adjust="none"),
        "names and weights": lambda: fs.audit(named(), "d", "g", weights="w"),
        "long names of scores": lambda: fs.audit(named(), groups="g", score="s"),
    }


def in_words() -> Texts:
    """The same in words of the protocol's own, wholly and in part."""
    part = {key: WORDS[key] for key in ("unit", "favorable", "unfavorable")}
    cut = {"unit": "people", "score": "a points score", "positive": "paid", "negative": "did not pay"}
    told = {"words": WORDS, "favorable": 1, "groups": "race"}
    man = {"words": {**WORDS, "attributes": {}, "groups": {"sex": {"man": "male"}}}, "favorable": 1}
    turned = {**part, "positive": "stayed free", "negative": "were re-arrested"}
    equal = of_counts(("a", 500, 1000), ("b", 505, 1000), equivalence=0.1, favorable=1, words=part)
    return {
        "in words": by_race(**BOTH, **told),
        "in words of one decision": by_race(**DEALT, **told, reference="highest_rate"),
        "in words of outcomes": by_race(outcome="rearrest", words=WORDS),
        "in words, the other labels": by_sex(**BOTH, words=turned, favorable=0, predicts=1),
        "in words that lack the outcomes": by_sex(**BOTH, favorable=1, words=part),
        "in words of a cut": by_sex(score="points", threshold=9, outcome="rearrest", words=cut),
        "in words of a cut that is bad for people": by_sex(score="points", threshold=9, favorable=0, words=cut),
        "in words of scores": by_race(score="points", words=WORDS),
        "in words, equal": equal,
        "in words within strata": by_sex(**DEALT, **man, strata="age"),
        "in words, one group named": by_sex(**BOTH, **man, equivalence=0.3),
        "in words of groups alone": by_sex(
            score="points", words={"groups": {"sex": {"man": "male", "woman": "female"}}}
        ),
    }


CASES: Texts = rules() | designs() | sizes() | in_words()


def texts(result: Audit) -> Iterator[str]:
    """The summary, the sentences of page one, every claim, what each rate is."""
    protocol, page = result.protocol, page_one(result)
    yield result.summary()
    yield f"answer: {answer(result, page)}"
    if page is not None:
        other = page.other_way()
        yield f"question: {question(result, page)}"
        yield f"verdict: {verdict(page)}"
        yield f"margin: {beside_margin(result, page)}"
        yield f"picked: {page.picked}"
        yield f"groups: {people_of(result, page)}"
        yield f"other way: {answer(result, other)}"
        yield f"fixed: {held_fixed(result, page)}"
        yield f"fixed: {held_fixed(result, other)}"
        yield from (f"beside: {sentence}" for sentence in (*context(result, page), *context(result, other)))
    yield f"families: {among_families(result)}"
    yield from (f"measured: {sentence}" for sentence in measured(protocol))
    yield from (f"claim: {claim_text(result, row)}" for row in claims(result))
    if protocol.words != NO_WORDS or protocol.threshold is not None:
        about = {row.metric for row in result.estimates.where(contrast="none", role="main")}
        yield from (f"{one.name}: {share_of(protocol, one.name)}" for one in rates("audit") if one.name in about)


def said(name: str) -> list[str]:
    """The lines of one audit, each sentence once."""
    whole, *rest = texts(CASES[name]())
    return [
        *whole.splitlines(),
        *(line.replace("\n", "\\n") for line in dict.fromkeys(rest) if not line.endswith(": ")),
    ]


def stored() -> dict[str, list[str]]:
    """The pinned lines by audit."""
    found: dict[str, list[str]] = {}
    for block in PINNED.read_text(encoding="utf-8").split("\n\n# ")[1:]:
        name, *lines = block.rstrip("\n").split("\n")
        found[name] = lines
    return found


def write() -> None:
    """Pin them."""
    out = ["Whole texts of small audits; `python -m tests.auditing.whole_texts` writes them."]
    out += ["\n".join((f"# {name}", *said(name))) for name in CASES]
    PINNED.write_text("\n\n".join(out) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
