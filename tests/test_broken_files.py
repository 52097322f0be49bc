"""A file that is broken, or no file at all: one error that names it, or what stands in it; never anything else."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

import pytest

import fairstats as fs
import fairstats.r
from fairstats.errors import FairstatsError, FairstatsWarning
from tests.broken_files import ASKED, CHECKED, KINDS, PEOPLE, broken, content, file_name, place, whole
from tests.wrong_values import alarm

# The argument of the file, and those that its text gives.
ARGUMENTS = (
    "path has",
    "to has",
    "protocol has",
    "report has",
    "decision=",
    "groups=",
    "outcome=",
)  # the file's, or of its text


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("whole")


def fault(read: Any, path: Path, expected: str = "") -> str:
    """What is wrong with the answer to a file: "" where it is an error that names it, or a result."""
    try:
        with alarm(10), warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", FairstatsWarning)
            answer = read(path)
    except FairstatsError as error:
        names = (path.name[:30], repr(path.name)[1:30], *ARGUMENTS)
        return "" if any(name in str(error) for name in names) else f"no file in: {error}"
    except Exception as error:  # noqa: BLE001  any other is the fault that is looked for
        return f"{type(error).__name__}: {str(error)[:150]}"
    return "" if not expected or content(answer) == expected else "another content, silently"


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_broken_bytes_are_one_error_that_names_the_file(kind: str, folder: Path, tmp_path: Path) -> None:
    read, raw = KINDS[kind][1], whole(kind, folder)
    expected = content(read(place(kind, folder)))
    entries = {}
    for name, changed in broken(raw).items():
        (tmp_path / file_name(kind)).write_bytes(changed)
        bits = kind in CHECKED and ("changed" in name or "random" in name)
        entries[name] = fault(read, tmp_path / file_name(kind), expected if bits else "")
    assert {name: text for name, text in entries.items() if text} == {}


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_under_the_ending_of_another_kind_is_one_error_that_names_it(
    kind: str, folder: Path, tmp_path: Path
) -> None:
    entries = {}
    for other in KINDS:
        (tmp_path / file_name(kind)).write_bytes(whole(other, folder))
        entries[other] = fault(KINDS[kind][1], tmp_path / file_name(kind))
    assert {name: text for name, text in entries.items() if text} == {}


def places(folder: Path, name: str) -> dict[str, Path]:
    """Paths at which there is no file to read."""
    (folder / f"folder-{name}").mkdir()
    os.mkfifo(folder / f"pipe-{name}")
    (folder / f"loop-{name}").symlink_to(f"loop-{name}")
    (folder / f"dangling-{name}").symlink_to("nowhere")
    (folder / "device").mkdir(exist_ok=True)
    (folder / "device" / name).symlink_to("/dev/zero")
    (folder / "text").write_text("x")
    return {
        "absent": folder / f"absent-{name}",
        "absent folder": folder / "absent" / name,
        "a folder": folder / f"folder-{name}",
        "a pipe": folder / f"pipe-{name}",
        "a link to itself": folder / f"loop-{name}",
        "a link to nothing": folder / f"dangling-{name}",
        "a device": folder / "device" / name,
        "a name too long": folder / ("x" * 300 + name),
        "a folder that is a file": folder / "text" / name,
        "no UTF-8": folder / ("\udcff" + name),
        "a NUL": folder / ("\0" + name),
    }


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_one_error_that_names_it(kind: str, tmp_path: Path) -> None:
    entries = {name: fault(KINDS[kind][1], path) for name, path in places(tmp_path, file_name(kind)).items()}
    assert {name: text for name, text in entries.items() if text} == {}


def writers() -> dict[str, Any]:
    """Everything that writes a file, as functions of its path."""
    audit = fs.audit(PEOPLE, **ASKED)
    return {
        "people.html": lambda path: fs.report(audit, to=path),
        "people.json": lambda path: fs.report(audit, to=path),
        "people.npz": audit.save,
        "people.svg": audit.plot().save,
        "people.md": fs.table(audit).save,
        "people.docx": fs.table(audit).to_docx,
        "people.xlsx": fs.table(audit).to_xlsx,
        "people.rds": lambda path: fairstats.r.write_rds(audit, path),
    }


@pytest.mark.long
@pytest.mark.parametrize("name", ["people.html", "people.json", "people.npz", "people.svg", "people.md", "people.docx",
                                  "people.xlsx", "people.rds"])  # fmt: skip
def test_where_nothing_can_be_written_is_one_error_that_names_the_file(name: str, tmp_path: Path) -> None:
    write = writers()[name]
    bad = places(tmp_path, name)
    for allowed in ("absent", "a pipe", "a device", "a link to nothing", "no UTF-8"):
        del bad[allowed]
    entries = {where: fault(write, path) for where, path in bad.items()}
    assert {where: text for where, text in entries.items() if text} == {}
    for where, path in bad.items():
        with pytest.raises(FairstatsError):
            write(path)
        assert where == "a folder" or path.name not in os.listdir(tmp_path) or path.is_symlink()
