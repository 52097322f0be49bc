"""Some 60 audits, fits and comparisons whose numbers stand in ``tests/snapshots/net.tsv``: a change moves none unseen.

``python -m tests.net`` writes them again; read the difference before you commit it. That a number is right is what
the other tests say.
"""

from __future__ import annotations

import math
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import fairstats
from fairstats.auditing.result import Audit
from fairstats.estimates import IDENTITY
from tests.auditing import sentences
from tests.laws.every_result import X, made, people

PINNED = Path(__file__).parent / "snapshots" / "net.tsv"
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
        path.write_text('groups = ["sex"]\ndecision = "release"\noutcome = "rearrest"\npositive_prediction = 0\n')
        return fairstats.audit(everybody(), protocol=path)


def by_sex(**options: Any) -> Callable[[], Audit]:
    return lambda: fairstats.audit(everybody(), **{"groups": "sex", **options})


def by_race(**options: Any) -> Callable[[], Audit]:
    return lambda: fairstats.audit(everybody(), **{"groups": "race", **options})


def in_gaps(**options: Any) -> Callable[[], Audit]:
    return lambda: fairstats.audit(sentences.gaps(everybody()), **{"groups": "sex", **options})


def of_counts(*shares: tuple[str, int, int], **options: Any) -> Callable[[], Audit]:
    return lambda: fairstats.audit(counted(*shares), "d", "g", **options)


def of_tally(**options: Any) -> Callable[[], Audit]:
    def result() -> Audit:
        counts = fairstats.tally(everybody(), "release", ["sex", "race"], **options)
        return fairstats.audit(counts.withhold(min_n=5))

    return result


def rules() -> Texts:
    """How groups are compared and adjusted, and what was declared."""
    cases: Texts = {
        "one decision": by_race(**DEALT),
        "all at once": by_race(**DEALT, p_adjust="bonferroni"),
        "false discovery rate": by_race(**DEALT, p_adjust="bh", reference="Red", conf_level=0.9),
        "nothing adjusted": by_sex(**BOTH, p_adjust="none"),
        "the audit as one family": by_race(**BOTH, family="audit"),
        "the audit as one family of pairs": by_race(**DEALT, family="audit", reference="highest_rate"),
        "both columns": by_sex(**BOTH),
        "the other labels": by_sex(**BOTH, favorable=0, positive=0, positive_prediction=0),
        "only outcomes": by_race(outcome="rearrest", reference="highest_rate"),
        "two attributes": by_sex(**DEALT, groups=["sex", "race"]),
        "three attributes": by_sex(**DEALT, groups=["sex", "race", "age"], reference="Blue"),
        "a reference each": by_sex(**DEALT, groups=["sex", "race"], reference={"sex": "woman"}),
        "margins": by_sex(**BOTH, margin={"difference": 0.3, "ratio": 0.7}),
        "declared": declared,
        "withheld groups": by_race(**BOTH, min_n=20),
        "withheld by those who counted": of_tally(),
        "named comparison": by_race(**DEALT, headline={"race": ["Red", "Green"]}),
        "named comparison with the reference": by_sex(**BOTH, headline={"sex": ["man", "woman"]}),
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
        "scores with a margin": by_sex(**points, outcome="rearrest", margin=0.4),
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
        "many groups": lambda: fairstats.audit(many(15), "d", "g", strata="z"),
        "many groups of scores": lambda: fairstats.audit(many(14, 20), groups="g", score="s"),
        "many small intersections": lambda: fairstats.audit(many(8), "d", ["g", "z"], missing="drop", min_n=14),
        "many small groups": lambda: fairstats.audit(many(14, 10), "d", "g", strata="z"),
        "beyond the margin": of_counts(few, more, margin=0.1),
        "not beyond the margin": of_counts(few, more, margin={"difference": 0.25}),
        "equal": of_counts(("a", 500, 1000), ("b", 505, 1000), margin=0.1),
        "equal, other way": of_counts(("b", 505, 1000), ("a", 500, 1000), margin=0.1, reference="b"),
        "equal, and of three": of_counts(("a", 500, 1000), ("b", 505, 1000), ("c", 600, 1000), margin=0.08),
        "different and equal": of_counts(("a", 5000, 10000), ("b", 4700, 10000), margin=0.1),
        "groups of few": of_counts(("a", 2, 3), ("b", 1, 3), ("c", 3, 4)),
        "nobody to compare": of_counts(("a", 1, 1), ("b", 1, 1), min_n=2),
        "everybody and nobody": lambda: fairstats.audit(every, "d", "g", outcome="y"),
        "2 % of the people": of_counts(("a", 300, 1000), ("b", 200, 1000), ("c", 10, 12)),
        "small differences, not adjusted": of_counts(("a", 18, 60), ("b", 30, 60), ("c", 29, 60), p_adjust="none"),
        "names and weights": lambda: fairstats.audit(named(), "d", "g", weights="w"),
        "long names of scores": lambda: fairstats.audit(named(), groups="g", score="s"),
    }


def fits() -> dict[str, Callable[[], Any]]:
    """What methods, inferences and comparisons say of the laws' people."""
    names = ("og", "minimax", "kernel", "leace", "residualize", "partition", "component tests", "price", "group losses")
    named = {name: (lambda name=name: made(name)) for name in (*names, "subgroups", "change", "bootstrap")}
    options = {"features": X, "methods": ["none", "og", "pca"], "k": [1, 2], "n_repeats": 3, "representation": True}
    named["comparison"] = lambda: fairstats.compare(people(), outcome="good", groups="sex", favorable=1, **options)
    return {**named, "impact": lambda: made("impact table").estimates}


CASES: dict[str, Callable[[], Any]] = {**rules(), **designs(), **sizes(), **fits()}
NUMBERS = ("n", "estimate", "conf_low", "conf_high", "p_value", "p_adjusted")
CLOSE, NOISE = 1e-6, 1e-9  # relative and absolute: what two processors differ by


def lines(name: str) -> dict[str, list[float]]:
    """The numbers of a result by what they are about; those beside the main rows as a count and sums."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = CASES[name]()
    matches: dict[str, list[float]] = {}
    for row in result.estimates if hasattr(result, "estimates") else result:
        about = [
            str(getattr(row, c))
            for c in IDENTITY
            if getattr(row, c) not in ("", "main") and str(getattr(row, c)) != "nan"
        ]
        numbers = [float(getattr(row, c)) for c in NUMBERS]
        # the lasso's solver stops by its tolerance: the last digits differ between processors
        if row.metric == "fit seconds" or row.model == "lasso":
            continue
        if row.role == "main":
            matches[" | ".join([name, *about])] = numbers
        else:
            sums = matches.setdefault(
                " | ".join([name, row.role, row.metric, row.contrast]), [0.0] * (1 + len(numbers))
            )
            sums[0] += 1
            sums[1:] = [a + (b if math.isfinite(b) else 0.0) for a, b in zip(sums[1:], numbers, strict=True)]
    return {key.encode("unicode_escape").decode(): values for key, values in matches.items()}


def stored() -> dict[str, list[float]]:
    """The numbers that stand in the file."""
    rows = (line.split("\t") for line in PINNED.read_text(encoding="utf-8").splitlines())
    return {about: [float(value or "nan") for value in values] for about, *values in rows}


def agree(result: list[float], kept: list[float]) -> bool:
    """Whether two lines of numbers are the same but for rounding."""
    return len(result) == len(kept) and bool(np.allclose(result, kept, rtol=CLOSE, atol=NOISE, equal_nan=True))


def write() -> None:
    """Write the file again."""
    rows = (item for name in CASES for item in lines(name).items())
    text = ("\t".join([about, *("" if v != v else f"{v:.9g}" for v in values)]) for about, values in rows)
    PINNED.write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
