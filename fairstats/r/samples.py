"""What R asks for by other names than Python: simulated data, graphs of neighbors, the range of a rate over groups."""

from __future__ import annotations

from typing import Any

from fairstats.arguments import one_of
from fairstats.data import simulate
from fairstats.data.graphs import Graph
from fairstats.data.neighbors import neighbor_graph
from fairstats.inference.rates.familiar import demographic_parity_difference, equal_opportunity_difference
from fairstats.inference.rates.familiar_odds import equalized_odds_difference

PARITIES = {
    "demographic_parity": demographic_parity_difference,
    "equal_opportunity": equal_opportunity_difference,
    "equalized_odds": equalized_odds_difference,
}


def parity(name: str, truth: Any, estimate: Any, groups: Any, weights: Any = None, **options: Any) -> dict[str, float]:
    """Return the range of a rate over the groups with its limits, as yardstick's tables call them.

    Examples
    --------
    >>> made = parity("demographic_parity", [0, 1] * 20, [1] * 20 + [0] * 20, ["a"] * 20 + ["b"] * 20)
    >>> made["estimate"], made["lower"] > 0.5
    (1.0, True)
    """
    row = PARITIES[name](truth, estimate, groups=groups, sample_weight=weights, **options)
    return {"estimate": row.estimate, "lower": row.conf_low, "upper": row.conf_high}


def simulated(kind: str, **options: Any) -> dict[str, Any]:
    """Return simulated rows, or a graph and its table of vertices, as parts that R knows.

    Examples
    --------
    >>> sorted(simulated("gaussian_groups", n=30, p=3))
    ['group', 'loadings', 'scores', 'x', 'y']
    """
    one_of("kind", kind, ("sbm", "shifted_factors", "gaussian_groups"))
    made = getattr(simulate, kind)(**options)
    if isinstance(made, Graph):
        return {"graph": made.weights.tocsc(), "nodes": _frame(made.table)}
    return {"x": made.X, "group": made.groups, "y": made.y, "scores": made.scores, "loadings": made.loadings}


def neighbors(X: Any, **options: Any) -> Any:
    """Return the weights of the graph that joins each row to its nearest rows.

    Examples
    --------
    >>> neighbors([[0.0], [1.0], [9.0]], neighbors=1).nnz
    4
    """
    return neighbor_graph(X, **options).weights.tocsc()


def _frame(table: Any) -> Any:
    import pandas as pd

    return pd.DataFrame(table)
