"""Group variables that are numbers and no labels: the mark that says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fairstats.arguments import word
from fairstats.arrays import array


@dataclass(frozen=True)
class Continuous:
    """Marks a group variable as continuous: its own column of Z, not a set of levels."""

    values: Any
    name: str = ""


def continuous(values: Any, name: str = "") -> Continuous:
    """Mark a group variable as continuous: it becomes one numeric column, not a set of levels.

    Parameters
    ----------
    values : str, int or array (n,)
        The name of a column of ``data`` (``FairTransformer`` takes its position, too), or the numbers themselves.
    name : str, optional
        A name for an array.

    Returns
    -------
    Continuous
        To be passed as ``groups``.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.continuous("racepctblack").values
    'racepctblack'
    """
    word("name", name)
    position = isinstance(values, (int, np.integer)) and not isinstance(values, bool)
    if not isinstance(values, str) and not position and not hasattr(values, "to_numpy"):  # read with the data
        array("values", values, missing=True, dims=(1,))
    return Continuous(values, name or (values if isinstance(values, str) else "group"))
