"""A file that fairstats did not write is replaced by no door of the package unasked; an earlier output of ours is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fairstats
from fairstats.errors import FileError, InputError
from fairstats.files import is_ours
from tests.results import results

LETTER = b"Dear fairstats,\nthis file was written by me, about fairstats/report/1.\n"
WRITERS: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "report": (
        lambda file, **more: fairstats.report(results()["audit"], to=file, **more),
        ("html", "pdf", "docx", "md", "json", "csv"),
    ),
    "write": (lambda file, **more: fairstats.report(results()["audit"]).write(file, **more), ("json",)),
    "table": (
        lambda file, **more: fairstats.table(results()["audit"], "rates").save(file, **more),
        ("html", "tex", "md", "txt", "csv", "docx", "xlsx"),
    ),
    "to_xlsx": (lambda file, **more: fairstats.table(results()["audit"], "rates").to_xlsx(file, **more), ("xlsx",)),
    "figure": (lambda file, **more: results()["audit"].plot().save(file, **more), ("svg", "png", "pdf")),
    "save": (lambda file, **more: results()["audit"].save(file, **more), ("npz",)),
}  # fmt: skip
CASES = [(name, ending) for name, (_, endings) in WRITERS.items() for ending in endings]


@pytest.mark.long
@pytest.mark.parametrize(("text", "ending"), CASES, ids=[f"{text} .{ending}" for text, ending in CASES])
def test_a_foreign_file_stays_and_one_of_fairstats_is_replaced(text: str, ending: str, tmp_path: Path) -> None:
    write, file = WRITERS[text][0], tmp_path / f"out.{ending}"
    file.write_bytes(LETTER)
    with pytest.raises(FileError, match=r"nothing in it says that fairstats wrote it; .* pass overwrite=True\.$"):
        write(file)
    assert file.read_bytes() == LETTER and {f.name for f in tmp_path.iterdir()} == {file.name}
    write(file, overwrite=True)
    first = file.read_bytes()
    assert first != LETTER and (is_ours(file) or ending in ("csv", "txt"))
    write(file)  # an earlier output
    file.write_bytes(b"")
    write(file)  # an empty file holds nothing
    assert file.stat().st_size == len(first)
    with pytest.raises(InputError, match="overwrite has 'yes'"):
        write(file, overwrite="yes")


def test_not_even_overwrite_replaces_an_input(tmp_path: Path) -> None:
    data = tmp_path / "people.csv"
    fairstats.arrests().to_csv(data, index=False)
    audit = fairstats.audit(data, "released", "colour")
    with pytest.raises(FileError, match="holds the data or the protocol of this result"):
        fairstats.report(audit, to=data, overwrite=True)
    with pytest.raises(FileError, match="holds the data or the protocol of this result"):
        fairstats.table(audit, "rates").save(data, overwrite=True)


def test_a_foreign_picture_in_the_folder_of_a_report_stays(tmp_path: Path) -> None:
    report = fairstats.report(results()["audit of scores"], to=tmp_path / "a.md")
    picture = next((tmp_path / "a_files").iterdir())
    picture.write_bytes(LETTER)
    with pytest.raises(FileError, match="nothing in it says that fairstats wrote it"):
        report.write(tmp_path / "a.md")
    assert picture.read_bytes() == LETTER


def test_a_document_that_only_speaks_of_us_is_not_ours(tmp_path: Path) -> None:
    docx = pytest.importorskip("docx", reason="python-docx is not installed; it is among the extra tables")
    letter = docx.Document()
    letter.core_properties.title = "A review of fairstats"
    letter.save(tmp_path / "a.docx")
    assert not is_ours(tmp_path / "a.docx")
