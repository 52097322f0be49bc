"""An attacker who has only what an audit publishes: its dictionary (results.json), its frame and its texts."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import product

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array

KINDS = [(y, d) for y in (0, 1, 2) for d in (0, 1, 2)]  # outcome and decision: no, yes, unknown
COUNTS = {
    "n": lambda y, d: True,
    "positives": lambda y, d: y == 1,
    "negatives": lambda y, d: y == 0,
    "yes": lambda y, d: d == 1,
    "no": lambda y, d: d == 0,
    "outcome known": lambda y, d: y < 2,
    "decision known": lambda y, d: d < 2,
    "both known": lambda y, d: y < 2 and d < 2,
    "tp": lambda y, d: (y, d) == (1, 1),
    "fp": lambda y, d: (y, d) == (0, 1),
    "fn": lambda y, d: (y, d) == (1, 0),
    "tn": lambda y, d: (y, d) == (0, 0),
    "P": lambda y, d: y == 1 and d < 2,
    "N": lambda y, d: y == 0 and d < 2,
    "PP": lambda y, d: d == 1 and y < 2,
    "PN": lambda y, d: d == 0 and y < 2,
    "right": lambda y, d: y == d and y < 2,
}
RATES = {  # metric: numerator, denominator; the decision "yes" is the favorable one and predicts the positive outcome
    "base rate": ("positives", "outcome known"),
    "selection rate": ("yes", "decision known"),
    "TPR": ("tp", "P"),
    "FNR": ("fn", "P"),
    "FPR": ("fp", "N"),
    "TNR": ("tn", "N"),
    "PPV": ("tp", "PP"),
    "NPV": ("tn", "PN"),
    "accuracy": ("right", "both known"),
}
CELLS = {"favorable": "yes", "unfavorable": "no", "positives": "positives", "negatives": "negatives"}
FLOW = {
    "rows analyzed": (lambda y, d: True, 1),
    "outcome missing": (lambda y, d: y == 2, 1),
    "decision missing": (lambda y, d: d == 2, 1),
    "with outcome and decision": (lambda y, d: y < 2 and d < 2, 1),
}


@dataclass(eq=False)
class Attacker:
    """The linear program of what was read: one unknown a cell of the listed attributes, and kind."""

    published: dict
    atoms: list[str] = field(init=False)

    def __post_init__(self) -> None:
        listed = {}
        for cell in self.published["cells"]:
            listed.setdefault(cell["attribute"], []).append(cell["group"])
        self.listed = listed
        self.finest = ":".join(name for name in listed if ":" not in name)  # of pairs the cells are nowhere listed
        alone = [listed[name] for name in self.finest.split(":")]
        self.atoms = listed.get(self.finest) or [":".join(atom) for atom in product(*alone)]
        self.equal, self.values, self.floors = [], [], []
        self._read()

    @cache  # noqa: B019 (an attacker lives as long as its test)
    def rows(self, attribute: str, group: str, count: str) -> np.ndarray:
        """Coefficients of a count of one group."""
        current, parts = attribute.split(":"), group.split(":")
        finest = self.finest.split(":")
        out = np.zeros((len(self.atoms), len(KINDS)))
        for i, atom in enumerate(self.atoms):
            of = dict(zip(finest, atom.split(":"), strict=True))
            if all(of[a] == p for a, p in zip(current, parts, strict=True)):
                out[i] = [COUNTS[count](*kind) for kind in KINDS]
        return out.ravel()

    def _learn(self, row: np.ndarray, value: float | None) -> None:
        if value is not None and not math.isnan(value):
            self.equal.append(row)
            self.values.append(value)

    def _read(self) -> None:
        for step in self.published["flow"]:
            if step["label"] in FLOW:
                row = np.tile([FLOW[step["label"]][0](*kind) for kind in KINDS], len(self.atoms)).astype(float)
                self._learn(row, step["n"])
        for cell in self.published["cells"]:
            about = (cell["attribute"], cell["group"])
            self.floors.append(self.rows(*about, "n"))
            for name in ("n", "tp", "fp", "fn", "tn", *CELLS):
                self._learn(self.rows(*about, CELLS.get(name, name)), cell[name])
        for row in self.published["estimates"]:
            if row["metric"] in RATES and row["group"] and row["role"] == "main" and row["contrast"] != "ratio":
                self._rate(row)
            if row["role"] == "main" and row["metric"] in RATES and row["status"] == "suppressed":
                assert all(row[k] is None for k in ("n", "events", "estimate", "conf_low", "p_value", "statistic")), row

    def _rate(self, row: dict) -> None:
        above, below = (self.rows(row["attribute"], row["group"], name) for name in RATES[row["metric"]])
        self._learn(below, row["n"])
        self._learn(above, row["events"])
        if row["contrast"] == "none" and row["n"] is not None and row["estimate"] is not None:
            self._learn(above, round(row["n"] * row["estimate"]))
        if row["metric"] == "selection rate" and row["contrast"] == "difference":
            self._bounds(row)

    def _bounds(self, row: dict) -> None:
        """Bounds over missing decisions give the number of missing decisions away."""
        about = (row["attribute"], row["group"])
        for other in self.published["estimates"]:
            same = all(other[k] == row[k] for k in ("metric", "attribute", "group", "reference"))
            if same and other["given"] == "missing decision":
                assert row["n"] is not None, other
                self._learn(self.rows(*about, "decision known"), row["n"])

    @cached_property
    def sums(self) -> tuple[csr_array, np.ndarray]:
        """Every published sum once, with its value."""
        present = np.unique(np.column_stack([np.array(self.equal), self.values]), axis=0)
        return csr_array(present[:, :-1]), present[:, -1]

    def range(self, attribute: str, group: str, count: str) -> tuple[float, float]:
        """The least and the greatest value that agree with everything published."""
        cost = self.rows(attribute, group, count)
        ends = []
        for sign in (1, -1):
            result = linprog(
                sign * cost,
                A_eq=self.sums[0],
                b_eq=self.sums[1],
                A_ub=-csr_array(np.array(self.floors)),
                b_ub=-np.ones(len(self.floors)),
                method="highs",
            )
            assert result.status == 0, result.message
            ends.append(sign * result.fun)
        return ends[0], ends[1]
