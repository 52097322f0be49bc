"""How often an audit of several classes claims any difference where there is none: shares of classes and P(X>Y)."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.coverage.cells import Cell, Shares
from fairstats.auditing.audit import estimate
from fairstats.auditing.protocol import Resolved
from fairstats.auditing.tally import CodedTally
from fairstats.provenance import Attribute

TABLE = 'Several classes, equal in all groups: any false "disparity shown", and the test of all classes at once'
RARE = {3: (0.55, 0.44, 0.01), 4: (0.4, 0.3, 0.29, 0.01)}
# people of each group, number of classes, whether these have an order
AUDITS = (
    ((4, 4), 3, True),
    ((8, 8), 3, False),
    ((12, 8), 3, True),
    ((40, 10), 4, True),
    ((60, 60), 3, False),
    ((300, 200), 4, True),
    ((20, 8, 8), 3, False),
    ((200, 60, 40), 3, True),
    ((60, 40, 20, 8), 4, False),
    ((100, 100, 100, 100, 100), 3, True),
    ((300, 100, 50, 30, 20), 4, False),
)


def sizes(case: tuple[tuple[int, ...], int, bool], rng: np.random.Generator, draws: int) -> Shares:
    """The share of audits with any claim, and of those whose omnibus test rejects."""
    people, k, ranked = case
    groups = tuple("abcde"[: len(people)])
    attribute = Attribute("g", np.repeat(np.arange(len(people), dtype=np.int32), k), groups)
    codes, known = np.tile(np.arange(k), len(people)), np.zeros(len(people) * k, dtype=np.int8)
    claims = at_once = 0
    for _ in range(draws):
        counts = np.array([rng.multinomial(n, RARE[k]) for n in people], dtype=float)
        present = np.flatnonzero(counts.sum(axis=0) > 0)
        classes = tuple("wxyz"[i] for i in present)  # a class that nobody got is none
        order = np.argsort(np.concatenate([present, np.setdiff1d(np.arange(k), present)]))
        kept = counts.ravel() > 0
        tally = CodedTally(
            (attribute,), counts.ravel(), decision=known, numbers={"score": order[codes.astype(int)] * 1.0}
        )
        protocol = Resolved(("g",), decision="d", classes=classes, ranked=ranked, reference="a")
        rows = estimate(tally.take(kept), protocol).estimates
        claims += any(row.verdict == "disparity shown" for row in rows)
        at_once += any(row.p_value <= 0.05 for row in rows.only(metric="class distribution"))
    return {"verdict": claims / draws, "all classes at once": at_once / draws}


def cells() -> list[Cell]:
    """The cells of the table."""
    return [
        Cell(
            TABLE,
            f"{', '.join(map(str, people))} people, {k} classes, one of 1 %{', in order' * has_order}",
            partial(sizes, (people, k, has_order)),
            1000,
            40 * (i == 2),
            most={"verdict": 0.06, "all classes at once": 0.06},
        )
        for i, (people, k, has_order) in enumerate(AUDITS)
    ]
