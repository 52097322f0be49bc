"""How often an audit of three attributes and four rates has any false "disparity shown", by what a family is.

Run ``python benchmarks/coverage/audit_family_size.py [--quick]`` (1000 draws a cell, or 150). In the second kind of
cell one group of every attribute truly differs in every rate: shares of the level must not pass on for that.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np

from fairstats.auditing.effective_counts import Evidence
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rows.rates import contrasts
from fairstats.estimates import Estimates
from fairstats.inference.decisions import decide_all, decided
from fairstats.inference.families import Family

ATTRIBUTES, RATES, LABELS = "abc", ("TPR", "FPR", "PPV", "NPV"), ("u", "v", "w")
# people of the three groups, rate, rate of the last group
CELLS = (((400, 300, 200), 0.4, 0.4), ((400, 300, 200), 0.05, 0.05), ((60, 40, 20), 0.3, 0.3))
CELLS += (((400, 300, 200), 0.4, 0.8), ((2000, 500, 500), 0.1, 0.4))


def any_false(rows: Estimates, true: str) -> bool:
    """Whether a disparity is claimed of a group that has none."""
    return any(row.group != true for row in rows.only(verdict="disparity shown"))


def sizes(cell: tuple[tuple[int, ...], float, float], draws: int, rng: np.random.Generator) -> tuple[float, float]:
    """The share of audits with a false claim: each rate by itself, and all together."""
    people, rate, last = cell
    n, p = np.array(people, dtype=float), np.array([rate, rate, last])
    true = "w" if last != rate else ""
    protocol, apart, together = Protocol(("a",), family="audit"), 0, 0
    for _ in range(draws):
        parts = {
            (a, m): Evidence(m, rng.binomial(people, p).astype(float), n, n, n, True, "")
            for a in ATTRIBUTES
            for m in RATES
        }
        undecided = [contrasts(part, a, LABELS, "u", protocol) for (a, _), part in parts.items()]
        if not any(any_false(decided(replace(of, family=Family())), true) for of in undecided):
            continue  # an adjusted p over the audit is never smaller
        apart += 1
        together += any_false(decide_all([undecided])[0], true)
    return apart / draws, together / draws


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    draws = 150 if parser.parse_args().quick else 1000
    rng = np.random.default_rng(14)
    print(f"{draws} draws a cell: nominal 5 %, Monte Carlo error {100 * np.sqrt(0.05 * 0.95 / draws):.1f} points")
    print("people of the groups; rate; rate of the last group | family='rate' | family='audit'")
    for cell in CELLS:
        apart, together = sizes(cell, draws, rng)
        print(f"  {cell[0]}; {cell[1]:g}; {cell[2]:g} | {100 * apart:5.1f} % | {100 * together:5.1f} %", flush=True)


if __name__ == "__main__":
    main()
