"""Arrays out of an .npz file that nobody vouches for: no pickle, and never more memory than the file is long."""

from __future__ import annotations

import io
import math
import zipfile

import numpy as np

_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


def read_arrays(data: bytes) -> dict[str, np.ndarray]:
    """Arrays by name; ValueError or zipfile's own errors where the bytes are no plain, uncompressed .npz file.

    Examples
    --------
    >>> sheet = io.BytesIO()
    >>> np.savez(sheet, a=np.arange(3))
    >>> read_arrays(sheet.getvalue())["a"].tolist()
    [0, 1, 2]
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        # What numpy's savez writes is stored as it is; a small file that unfolds into a large one is none of ours.
        if any(m.compress_type != zipfile.ZIP_STORED for m in members) or sum(m.file_size for m in members) > len(data):
            raise ValueError("its arrays are compressed")
        names = [m.filename.removesuffix(".npy") for m in members]
        if len(set(names)) < len(names):
            raise ValueError("two arrays of one name")
        return {name: _array(archive.read(member)) for name, member in zip(names, members, strict=True)}


def _array(raw: bytes) -> np.ndarray:
    stream = io.BytesIO(raw)
    shape, by_column, dtype = _HEADERS[np.lib.format.read_magic(stream)](stream)
    if dtype.kind not in "biufU":
        raise ValueError(f"an array of the type {dtype}")
    # numpy.load would set memory aside for whatever shape the header states.
    if math.prod(shape) * dtype.itemsize != len(raw) - stream.tell():
        raise ValueError(f"an array of the shape {shape} in {len(raw)} bytes")
    flat = np.frombuffer(raw, dtype, offset=stream.tell())
    return np.array(flat.reshape(shape, order="F" if by_column else "C"))
