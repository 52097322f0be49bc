"""Groups in lines, metrics in columns: the plain frame of what a result estimates of each group."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairstats.arguments import shown
from fairstats.errors import InputError, listing, nearest
from fairstats.estimates import NAN, Estimate, Estimates

if TYPE_CHECKING:
    import pandas as pd


def group_matrix(
    rows: Estimates,
    attributes: Mapping[str, Sequence[str]],
    attribute: str = "",
    method: Callable[[Estimate], str] | None = None,
) -> pd.DataFrame:
    """The estimates of every group as a frame: a line a group, a column a metric.

    Parameters
    ----------
    rows : Estimates
        Of a result. Those of one group alone are shown, without comparisons and without conditions.
    attributes : mapping of str to sequence of str
        The attributes of the result, with groups that stand first and whether they have rows or not.
    attribute : str
        Which one; the first by default.
    method : callable, optional
        The name of what made a row, where several methods are compared: lines are then by method and group.

    Returns
    -------
    pandas.DataFrame
        Not a number where a group is suppressed or its denominator is empty.

    Examples
    --------
    >>> rows = Estimates([Estimate("TPR", "sex", "f", estimate=0.5), Estimate("TPR", "sex", "m", estimate=0.75)])
    >>> group_matrix(rows, {"sex": ()}).TPR.to_dict()
    {'f': 0.5, 'm': 0.75}
    """
    import pandas as pd

    if not isinstance(attribute, str):
        joined = listing((a for a in attributes if ":" in a), 2)
        raise InputError(
            f"attribute has {shown(attribute)}; it is the name of one; pass one of {listing(attributes)}"
            f"{f' (an intersection is one text: {joined})' * bool(joined)}."
        )
    chosen = attribute or next(iter(attributes))
    if chosen not in attributes:
        hint = nearest(chosen, attributes)
        raise InputError(
            f"attribute has {chosen!r}; the result has no such attribute{hint}; it has {listing(attributes)}."
        )
    own = [row for row in rows if row.attribute == chosen and _plain(row)]
    names = list(dict.fromkeys([*attributes[chosen], *(row.group for row in own)]))
    metrics = list(dict.fromkeys(row.metric for row in own))
    methods = list(dict.fromkeys(method(row) for row in own)) if method else []
    lines: list[Any] = [(m, g) for m in methods for g in names] if method else names
    cell = {((method(row), row.group) if method else row.group, row.metric): row for row in own}
    values = [[cell[line, m].estimate if (line, m) in cell else NAN for m in metrics] for line in lines]
    index = pd.MultiIndex.from_tuples(lines, names=["method", chosen]) if method else pd.Index(lines, name=chosen)
    return pd.DataFrame(values, index=index, columns=metrics, dtype=float)


def _plain(row: Estimate) -> bool:
    """Whether a row is about one group alone, as the data have it."""
    compared = row.contrast != "none" or row.reference or row.versus
    return row.role == "main" and bool(row.group) and not (compared or row.given or row.estimator or row.term)
