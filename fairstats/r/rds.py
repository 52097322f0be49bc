"""R's data files as the public calls: values and results of this package to ``.rds`` and back."""

from __future__ import annotations

import os
from typing import Any

from fairstats.r.records import recorded
from fairstats.rvalues.rds import read_rds
from fairstats.rvalues.rds import write_rds as write_values

__all__ = ["read_rds", "write_rds"]


def write_rds(obj: Any, path: str | os.PathLike[str]) -> None:
    """Write a file for R's ``readRDS``: a result of this package, a table, an array, a list...

    In R a fit, an audit, a comparison or a table of estimates is a list of plain vectors and data frames with a class.
    The R package's ``print``, ``tidy`` and ``predict`` work on it; without that package it is a list to look into.
    Neither needs Python. A file that exists is replaced in one step or left as it was.

    Parameters
    ----------
    obj : any
        A result of this package, or a value of the table in `fairstats.rvalues.to_python`.
    path : str or path
        The file; its folder must exist.

    Raises
    ------
    ConversionError
        The object, or a part of it, has no counterpart in R.
    FileError
        The folder is missing or may not be written.

    Examples
    --------
    >>> import tempfile
    >>> import fairstats as fs
    >>> import numpy as np
    >>> fit = fs.pca(np.random.default_rng(0).normal(size=(50, 3)), k=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_rds(fit, f"{folder}/fit.rds")
    ...     read_rds(f"{folder}/fit.rds").classes
    ('fairstats_fit', 'fairstats', 'prcomp')
    """
    write_values(recorded(obj), path)
