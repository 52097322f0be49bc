"""How often an audit of three attributes and four rates has any false "disparity shown", by what a family is.

In the second kind of cell one group of every attribute truly differs in every rate.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.coverage.cells import Cell, Shares
from fairstats.auditing.counts import Evidence
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rates import contrasts
from fairstats.estimates import Estimates
from fairstats.inference.verdicts import decide_all

ATTRIBUTES, RATES, LABELS = "abc", ("TPR", "FPR", "PPV", "NPV"), ("u", "v", "w")
# people of the three groups, rate, rate of the last group
AUDITS = (((400, 300, 200), 0.4, 0.4), ((400, 300, 200), 0.05, 0.05), ((60, 40, 20), 0.3, 0.3))
AUDITS += (((400, 300, 200), 0.4, 0.8), ((2000, 500, 500), 0.1, 0.4))


def any_false(rows: Estimates, true: str) -> bool:
    """Whether a disparity is claimed of a group that has none."""
    return any(row.group != true for row in rows.only(verdict="disparity shown"))


def sizes(cell: tuple[tuple[int, ...], float, float], rng: np.random.Generator, draws: int) -> Shares:
    """The share of audits with a false claim: each rate by itself, and all together."""
    people, rate, last = cell
    n, p = np.array(people, dtype=float), np.array([rate, rate, last])
    true = "w" if last != rate else ""
    rate_wise, whole = Protocol(("a",)), Protocol(("a",), family="audit")
    apart = together = 0
    for _ in range(draws):
        parts = {
            (a, m): Evidence(m, rng.binomial(people, p).astype(float), n, n, n, True, "")
            for a in ATTRIBUTES
            for m in RATES
        }
        if not any_false(_decided(parts, rate_wise), true):
            continue  # an adjusted p over the audit is never smaller
        apart += 1
        together += any_false(_decided(parts, whole), true)
    return {"family='rate'": apart / draws, "family='audit'": together / draws}


def _decided(parts: dict[tuple[str, str], Evidence], protocol: Protocol) -> Estimates:
    return decide_all([[contrasts(part, a, LABELS, "u", protocol) for (a, _), part in parts.items()]])[0]


TABLE = 'Three attributes of three groups, four rates: any false "disparity shown" in the audit'


def cells() -> list[Cell]:
    """The cells of the table."""
    return [
        Cell(
            TABLE,
            f"{', '.join(map(str, people))} people, rate {rate:g}"
            + (f", of the last {last:g}" if last != rate else ""),
            partial(sizes, (people, rate, last)),
            1000,
            60 * (k == 2),
            most={"family='audit'": 0.06},
        )
        for k, (people, rate, last) in enumerate(AUDITS)
    ]
