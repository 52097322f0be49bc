"""The Python inside the R process of test_types: checks what R sends, and makes what R is to receive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairstats.errors import ConversionError
from fairstats.r.remote import Answer
from fairstats.rvalues.convert import to_python, to_rvalue
from fairstats.rvalues.wire import unpack
from tests.r.table import TYPES, differs


def check(code: str, header: str, buffers: Sequence[Any]) -> str:
    """What is wrong with the value that R sent for a row of the table, or how it was refused."""
    try:
        sent = to_python(unpack(header, buffers))["value"]
    except ConversionError as refused:
        return str(refused)
    return differs(sent, TYPES[code]())


def make(code: str) -> Answer:
    """The Python value of a row, as R receives every answer."""
    return Answer(to_rvalue(TYPES[code]()))
