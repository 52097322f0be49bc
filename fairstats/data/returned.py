"""Numbers made of a table, given back as the kind of table that came in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np

from fairstats.data.columns import Columns, is_table


def like(given: Any, values: np.ndarray, names: Sequence[str]) -> Any:
    """Return numbers as a table of the kind that was given, with its rows' names; an array for what is no table.

    Parameters
    ----------
    given : table, array, sparse matrix or Design
        What the numbers were made of.
    values : array (n, c)
    names : sequence of str, length c
        Of the columns.

    Returns
    -------
    pandas, polars or pyarrow table; dict of arrays; or array (n, c)

    Examples
    --------
    >>> import pandas as pd
    >>> like(pd.DataFrame({"x": [1, 2]}, index=["a", "b"]), np.eye(2), ["s", "t"]).loc["b"].tolist()
    [0.0, 1.0]
    >>> like({"x": [1, 2]}, np.eye(2), ["s", "t"])["t"].tolist()
    [0.0, 1.0]
    """
    if not is_table(given) or isinstance(given, Columns):
        return values
    if isinstance(given, Mapping):
        return {name: values[:, j] for j, name in enumerate(names)}
    if hasattr(given, "iloc"):
        import pandas as pd

        return pd.DataFrame(values, index=given.index, columns=list(names))
    backend = nw.get_native_namespace(Columns(given)._frame)
    return nw.from_dict({name: values[:, j] for j, name in enumerate(names)}, backend=backend).to_native()
