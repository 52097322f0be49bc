"""Every file that fairstats reads, how it is read, and the bytes of such a file broken in every way."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

import fairstats as fs
import fairstats.r
from fairstats.data.read import _WRITERS, write_table
from tests.laws.every_result import people

PEOPLE = people(40)
ASKED = {"decision": "hired", "groups": "sex", "outcome": "good"}
PROTOCOL = 'decision = "hired"\ngroups = ["sex"]\noutcome = "good"\nconf_level = 0.9\n'

# A suffix, how a file of that kind is written, and how it is read.
Kind = tuple[Callable[[Path], Any], Callable[[Path], Any]]
KINDS: dict[str, Kind] = {
    **{suffix: (lambda path: write_table(PEOPLE, path), fs.read_table) for suffix in _WRITERS},
    ".xlsx": (lambda path: PEOPLE.to_excel(path, index=False), fs.read_table),
    ".json of people": (lambda path: PEOPLE.to_json(path, orient="records"), fs.read_table),
    ".npz": (lambda path: fs.og(PEOPLE[["u", "v", "w"]], PEOPLE["sex"], k=1).save(path), fs.load),
    ".toml": (lambda path: path.write_text(PROTOCOL), lambda path: fs.audit(PEOPLE, protocol=path)),
    ".json": (lambda path: fs.report(fs.audit(PEOPLE, **ASKED), to=path), lambda path: fs.verify_report(path, PEOPLE)),
    ".html": (lambda path: fs.report(fs.audit(PEOPLE, **ASKED), to=path), lambda path: fs.verify_report(path, PEOPLE)),
    ".rds of a result": (lambda path: fairstats.r.write_rds({"a": [1.0, 2.0]}, path), fairstats.r.read_rds),
}
# What stands in the file is checked by its format: a changed byte is found, or changed nothing.
CHECKED = (".csv.gz", ".tsv.gz", ".npz", ".rds")


def file_name(kind: str) -> str:
    """The name of a file of a kind."""
    return f"people{kind.partition(' ')[0]}"


def place(kind: str, folder: Path) -> Path:
    """Where the valid file of a kind stands."""
    return folder / kind / file_name(kind)


@cache
def whole(kind: str, folder: Path) -> bytes:
    """The bytes of a valid file."""
    path = place(kind, folder)
    path.parent.mkdir()
    KINDS[kind][0](path)
    return path.read_bytes()


def broken(raw: bytes) -> dict[str, bytes]:
    """Bytes with one thing wrong, by what it is."""
    n, rng = len(raw), random.Random(20261122)
    entries = {
        "nothing": b"",
        "the first byte": raw[:1],
        "the first four bytes": raw[:4],
        "without the first byte": raw[1:],
        "without the last byte": raw[:-1],
        "without the last 100 bytes": raw[:-100],
        "twice": raw * 2,
        "backward": raw[::-1],
        "zeros": bytes(n),
        "ones": b"\xff" * n,
        "a mark of UTF-8 before it": b"\xef\xbb\xbf" + raw,
        "as UTF-16": raw.decode("latin-1").encode("utf-16"),
        "compressed": gzip.compress(raw),
        "zeros after it": raw + bytes(1000),
        "a NUL in it": raw[: n // 2] + b"\0" + raw[n // 2 :],
        "a quote before it": b'"' + raw,
        "brackets": b"[" * 20_000,
        "digits": b"9" * 20_000,
        "lines": b"\n" * 20_000,
        "a long line": b"a," * 20_000,
        "escapes": b"\x1b[2J\x1b]0;title\x07\n" * 20,
    }
    for i in range(12):
        at = (2 * i + 1) * n // 24
        entries[f"the byte at {2 * i + 1}/24 changed"] = raw[:at] + bytes([raw[at] ^ 1 << i % 8]) + raw[at + 1 :]
    for i in range(6):
        at = rng.randrange(n)
        entries[f"eight random bytes, {i + 1}"] = raw[:at] + rng.randbytes(8) + raw[at + 8 :]
    for i in range(1, 8):
        entries[f"cut after {i}/8"] = raw[: i * n // 8]
    return entries


def content(answer: Any) -> Any:
    """What was read, in a form that can be compared."""
    return answer.frame.to_csv() if isinstance(getattr(answer, "frame", None), pd.DataFrame) else repr(answer)
