"""R's data files: ``.rds`` read and written without R, by the table of types that the bridges share."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairstats.edges import edge
from fairstats.errors import InputError
from fairstats.files import existing, file_path
from fairstats.replacing import atomic_write
from fairstats.rvalues.serialized import deserialize
from fairstats.rvalues.serializing import serialize
from fairstats.rvalues.to_python import to_python
from fairstats.rvalues.to_rvalue import to_rvalue
from fairstats.unpacking import unpacked

if TYPE_CHECKING:
    import pandas as pd

_R_LEVEL = 6  # what saveRDS uses; Python's 9 takes five times as long


def read_rds(path: str | os.PathLike[str]) -> Any:
    """Read what R's ``saveRDS`` wrote; R itself is not needed, and no code in the file is run.

    Parameters
    ----------
    path : str or path
        A file of ``saveRDS``: plain or packed by gzip, bzip2 or xz.

    Returns
    -------
    any
        By the table in `fairstats.rvalues.to_python`: a data frame becomes a pandas one, and so on.

    Raises
    ------
    FileError
        The file is missing, damaged, or no file of ``saveRDS`` in its usual form.
    ConversionError
        It holds, anywhere, what is no data: a function, an environment, a model. The message says where.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_rds({"a": 1, "b": [0.5, 1.5]}, f"{folder}/x.rds")
    ...     read_rds(f"{folder}/x.rds")
    {'a': 1, 'b': array([0.5, 1.5])}
    """
    file = existing(path)
    with edge(file.name, "copy it, or save it again in R"):
        return to_python(deserialize(bytes(unpacked(file.read_bytes(), file.name)), file.name), file.name)


def write_rds(obj: Any, path: str | os.PathLike[str]) -> None:
    """Write a value of the table in `fairstats.rvalues.to_python` for R's ``readRDS``."""
    atomic_write(file_path("path", path), rds_bytes(obj))


def rds_bytes(obj: Any) -> bytes:
    """The content of that file: the same object gives the same bytes, since no clock is in it."""
    return gzip.compress(serialize(to_rvalue(obj, "obj")), _R_LEVEL, mtime=0)


def read_frame(file: Path) -> pd.DataFrame:
    """The data frame in an ``.rds`` file, for `fairstats.read_table`; row names are left behind."""
    import pandas as pd

    value = read_rds(file)
    if not isinstance(value, pd.DataFrame):
        kind = type(value).__name__
        raise InputError(f"{file.name} holds no data frame (but a {kind}); in R, as.data.frame() may make one.")
    return value.reset_index(drop=True)
