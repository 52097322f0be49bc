"""Large vectors on their way from R: memory that R fills part by part, so that nothing is there twice."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairstats.arrays import Lent


class Parcel:
    """Buffers of one call, in one block: numbers of a data frame's columns are those of a matrix, side by side.

    Examples
    --------
    >>> parcel = Parcel(4)
    >>> parcel.open(4)
    >>> parcel.fill(b"ab")
    >>> parcel.fill(b"cd")
    >>> bytes(parcel.buffers[0])
    b'abcd'
    """

    def __init__(self, size: float) -> None:
        self._block = np.empty(int(size), np.uint8).view(Lent)
        self._used = self._filled = 0
        self.buffers: list[Any] = []

    def close(self) -> None:
        """Let go of the memory: R lets go of the parcel only when it next collects."""
        self.buffers.clear()
        self._block = np.empty(0, np.uint8).view(Lent)

    def add(self, data: Any) -> None:
        """One buffer as a whole."""
        self.buffers.append(data)

    def open(self, size: float) -> None:
        """One buffer of so many bytes, to be filled."""
        self.buffers.append(self._block[self._used : self._used + int(size)])
        self._used += int(size)
        self._filled = 0

    def fill(self, data: Any) -> None:
        """The next part of the buffer that was opened last."""
        part = np.frombuffer(data, np.uint8)
        self.buffers[-1][self._filled : self._filled + part.size] = part
        self._filled += part.size

    def fill_rows(self, data: Any, rows: float, columns: float) -> None:
        """The next rows of a matrix of doubles, which R stores by column."""
        part = np.frombuffer(data, "<f8").reshape((-1, int(columns)), order="F")
        matrix = self.buffers[-1].view("<f8").reshape((int(rows), int(columns)), order="F")
        matrix[self._filled : self._filled + len(part)] = part
        self._filled += len(part)
