"""A file becomes a table with its hash, and a table a file, by the suffix."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw

from fairstats.arguments import items, word
from fairstats.data import delimited
from fairstats.edges import edge
from fairstats.errors import FileError, InputError, listing, not_installed, visible
from fairstats.files import existing, file_sha256
from fairstats.replacing import replacing
from fairstats.unpacking import GZIP, unpacked

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Table:
    """A table that came from a file: the pandas frame, the file's name and SHA-256, its rows and columns."""

    frame: pd.DataFrame
    name: str
    sha256: str
    rows: int
    columns: int


def read_table(path: str | os.PathLike[str], *, labels: Iterable[str] = ()) -> Table:
    """Read a table from a file, with the hash that a report needs.

    Parameters
    ----------
    path : str or path
        ``.csv`` (separator and encoding are found), ``.tsv``, both also with ``.gz``; ``.parquet``; ``.feather`` and
        ``.arrow``, where a pandas index with a name is a column, and one without is none; ``.rds``, a data frame of R.
    labels : iterable of str, optional
        Columns of a text file that hold labels: text, unless all are numbers spelled in one way. Other columns are
        numbers where they can be; leading zeros (``01``) stay text in all.

    Returns
    -------
    Table
        The frame beside the name, SHA-256, rows and columns of the file.

    Raises
    ------
    FileError
        The file is missing, empty, damaged, or of a kind that is not read.
    InputError
        The table has no rows, two different columns of one name, or rows of unequal length.
    DependencyError
        Parquet and Arrow files need the ``scale`` extra.

    Examples
    --------
    >>> import fairstats as fs
    >>> from fairstats.data.datasets import ARRESTS
    >>> fs.read_table(ARRESTS).rows
    5226
    """
    wanted = tuple(word("labels", name) for name in items("labels", labels, "names of columns"))
    file = existing(path)
    reader = _READERS.get(_suffix(file))
    if reader is None:
        raise FileError(_unknown_suffix(file))
    try:
        if file.stat().st_size == 0:
            raise FileError(f"{file.name} is empty; it needs a header line and at least one row.")
        with ThreadPoolExecutor(1) as beside, edge(file.name, "copy it, or write it, again"):
            hashed = beside.submit(file_sha256, file)  # while the file is read
            frame = reader(file, wanted)
        sha256 = hashed.result()
    except PermissionError:
        raise FileError(f"{str(file)!r} may not be read by this user; change its permissions.") from None
    if not len(frame):
        raise InputError(f"{file.name} has no rows; nothing can be estimated from it.")
    return Table(frame, visible(file.name), sha256, *frame.shape)


def write_table(frame: Any, path: str | os.PathLike[str]) -> None:
    """Write a table; a file that exists is replaced in one step or left as it was.

    Parameters
    ----------
    frame : pandas, polars or pyarrow table
    path : str or path
        The suffix decides the form, as in `read_table`.

    Raises
    ------
    FileError
        The folder is missing, or the suffix is unknown.

    Examples
    --------
    >>> import pandas as pd, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_table(pd.DataFrame({"a": [1, 2]}), f"{folder}/a.csv")
    ...     read_table(f"{folder}/a.csv").frame["a"].tolist()
    [1, 2]
    """
    file = Path(path)
    if _suffix(file) not in _WRITERS:
        raise FileError(f"{file.name} cannot be written: its suffix is none of {listing(_WRITERS, 9)}.")
    with replacing(file) as beside:
        _WRITERS[_suffix(file)](nw.from_native(frame, eager_only=True), beside)


def _suffix(file: Path) -> str:
    suffixes = [s.lower() for s in file.suffixes]
    return "".join(suffixes[-2:]) if suffixes[-1:] == [".gz"] else "".join(suffixes[-1:])


def _unknown_suffix(file: Path) -> str:
    known = listing(_READERS, 9)
    if _suffix(file) in (".rda", ".rdata"):
        return f"{file.name} holds a workspace of R, which is many objects; save the table: saveRDS(x, 'table.rds')."
    return f"{file.name} is not of a kind that is read ({known}); save the table as CSV or Parquet."


Labels = tuple[str, ...]
Reader = Callable[[Path, Labels], "pd.DataFrame"]


def _read_delimited(separator: str | None) -> Reader:
    return lambda file, labels: delimited.parse(file.read_bytes(), file.name, separator, labels)


def _read_compressed(separator: str | None) -> Reader:
    def read(file: Path, labels: Labels) -> pd.DataFrame:
        raw = file.read_bytes()
        if not raw.startswith(GZIP):
            raise FileError(f"{file.name} is not a gzip file; take .gz from its name, or fetch it again.")
        return delimited.parse(unpacked(raw, file.name), file.name, separator, labels)

    return read


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise not_installed("a Parquet or Arrow file", "pyarrow", "scale") from None
    return pyarrow


def _read_arrow(open_table: Callable[[Any, str], Any]) -> Reader:
    def read(file: Path, labels: Labels) -> pd.DataFrame:
        pa = _arrow()
        try:
            table = open_table(pa, str(file))
            frame = table.to_pandas()
        except (pa.ArrowException, OSError, ValueError) as error:  # pandas' own notes in it may be broken, too
            reason, kind = str(error).splitlines()[0].rstrip("."), _suffix(file)[1:]
            raise FileError(f"{file.name} cannot be read as a {kind} file ({reason}); write it again.") from None
        frame = delimited.single_columns(frame, file.name)
        frame = _with_named_index(frame)
        return _whole_again(frame, table, pa)

    return read


def _with_named_index(frame: pd.DataFrame) -> pd.DataFrame:
    """Named parts of a pandas index as columns in front; what has no name only numbers the rows."""
    unnamed = [i for i, name in enumerate(frame.index.names) if name is None]
    if len(unnamed) == frame.index.nlevels:
        return frame.reset_index(drop=True)
    return frame.droplevel(unnamed).reset_index()


def _whole_again(frame: pd.DataFrame, table: Any, pa: Any) -> pd.DataFrame:
    """Integers with gaps as nullable integers: the floats that pandas makes of them run into each other."""
    import pandas as pd

    for field in table.schema:
        if pa.types.is_integer(field.type) and field.name in frame and frame[field.name].dtype.kind == "f":
            kind = str(field.type).capitalize().replace("Uint", "UInt")
            column = table.column(table.schema.get_all_field_indices(field.name)[0])
            frame[field.name] = column.to_pandas(types_mapper={field.type: pd.api.types.pandas_dtype(kind)}.get).array
    return frame


def _open_parquet(pa: Any, path: str) -> Any:
    import pyarrow.parquet

    # Not read_table: that goes through a data set, which refuses names that stand twice without saying which.
    return pyarrow.parquet.ParquetFile(path).read()


def _open_ipc(pa: Any, path: str) -> Any:
    from pyarrow import ipc

    with pa.OSFile(path) as stream:
        try:
            return ipc.open_file(stream).read_all()
        except pa.ArrowInvalid:
            stream.seek(0)
            return ipc.open_stream(stream).read_all()


def _read_rds(file: Path, labels: Labels) -> pd.DataFrame:
    # What R's values mean is known at the top, beside the bridges; a file of them is the one thing that enters here.
    from fairstats.rvalues.rds import read_frame

    return read_frame(file)


def _write_rds(frame: Any, file: Path) -> None:
    from fairstats.rvalues.rds import rds_bytes

    file.write_bytes(rds_bytes(frame.to_pandas()))


def _write_delimited(separator: str, squeeze: Callable[[bytes], bytes]) -> Callable[[Any, Path], None]:
    def write(frame: Any, file: Path) -> None:
        text = io.StringIO()
        frame.to_pandas().to_csv(text, sep=separator, index=False, lineterminator="\n")
        if "\r" in text.getvalue():  # only the characters that end rows here are quoted in cells
            text = io.StringIO()
            frame.to_pandas().to_csv(text, sep=separator, index=False, lineterminator="\r\n")
        file.write_bytes(squeeze(text.getvalue().encode()))

    return write


def _marked(frame: Any) -> Any:
    """The table as Arrow has it, with the mark by which the command line knows that it may replace the file."""
    made = frame.to_arrow()
    return made.replace_schema_metadata({**(made.schema.metadata or {}), b"fairstats.table": b"1"})


def _write_parquet(frame: Any, file: Path) -> None:
    _arrow()
    import pyarrow.parquet

    pyarrow.parquet.write_table(_marked(frame), file)


def _write_ipc(frame: Any, file: Path) -> None:
    _arrow()
    from pyarrow import feather

    feather.write_feather(_marked(frame), str(file), compression="uncompressed")


def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)  # no clock in the file: the same table gives the same bytes


_READERS: dict[str, Reader] = {
    ".csv": _read_delimited(None),
    ".tsv": _read_delimited("\t"),
    ".csv.gz": _read_compressed(None),
    ".tsv.gz": _read_compressed("\t"),
    ".parquet": _read_arrow(_open_parquet),
    ".feather": _read_arrow(_open_ipc),
    ".arrow": _read_arrow(_open_ipc),
    ".rds": _read_rds,
}
_WRITERS: dict[str, Callable[[Any, Path], None]] = {
    ".csv": _write_delimited(",", bytes),
    ".tsv": _write_delimited("\t", bytes),
    ".csv.gz": _write_delimited(",", _gzip),
    ".tsv.gz": _write_delimited("\t", _gzip),
    ".parquet": _write_parquet,
    ".feather": _write_ipc,
    ".arrow": _write_ipc,
    ".rds": _write_rds,
}
