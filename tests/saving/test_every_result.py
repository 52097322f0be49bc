"""Every result comes back from its file as it was; a file that says otherwise is one error that names it."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.errors import FileError
from fairstats.estimates import Described
from fairstats.r.remote import restored
from fairstats.result_classes import IN_FILES, RESULT_CLASSES, class_of
from fairstats.saving import FORMAT, OLDER, from_bytes, to_bytes
from tests.laws.every_result import MADE, TABLES, X, made, people

pytestmark = pytest.mark.filterwarnings("ignore::fairstats.errors.FairstatsWarning")


@pytest.mark.parametrize("name", MADE)
def test_what_is_loaded_equals_what_was_saved(name: str, tmp_path: Path) -> None:
    result = made(name)
    again = fairstats.load(result.save(tmp_path / "result.npz"))
    assert type(again) is type(result)
    pd.testing.assert_frame_equal(again.tidy(), result.tidy())
    pd.testing.assert_frame_equal(again.glance(), result.glance())
    assert again.to_dict() == result.to_dict()
    assert (again.summary(), str(again), repr(again)) == (result.summary(), str(result), repr(result))
    if hasattr(result, "transform"):
        np.testing.assert_array_equal(again.transform(people()), result.transform(people()))
    if hasattr(result, "scores"):
        np.testing.assert_array_equal(again.scores, result.scores)
        np.testing.assert_array_equal(again.groups.cells[0], result.groups.cells[0])
    assert fairstats.report(again, title="t").csv == fairstats.report(result, title="t").csv


def test_what_is_loaded_serves_what_comes_after(tmp_path: Path) -> None:
    kept = fairstats.load(made("held out").save(tmp_path / "held.npz"))
    assert fairstats.leakage(kept, permutations=19).estimates == made("leakage").estimates
    audit = fairstats.load(made("audit").save(tmp_path / "audit.npz"))
    assert audit.bootstrap(replicates=50) == made("audit").bootstrap(replicates=50)


def rewritten(path: Path, change: Any) -> Path:
    with np.load(path) as stored:
        arrays = dict(stored)
    header = json.loads(arrays.pop("header").tobytes())
    change(header["result"], arrays)
    np.savez(path, header=np.frombuffer(json.dumps(header).encode(), dtype=np.uint8), **arrays)
    return path


@pytest.mark.long
@pytest.mark.parametrize("name", [n for n in MADE if n not in TABLES])
@pytest.mark.parametrize("change", ["wrong type", "missing", "class"])
def test_a_field_of_another_type_is_refused(name: str, change: str, tmp_path: Path) -> None:
    """Every field of every class, one by one."""
    path = made(name).save(tmp_path / "result.npz")
    whole = path.read_bytes()
    for field in fields(made(name)):
        if change == "missing" and not (field.default is MISSING and field.default_factory is MISSING):
            continue
        value = getattr(made(name), field.name)

        def spoil(result: Any, _: Any, field: Any = field, value: Any = value) -> None:
            if change == "missing":
                result["fields"].pop(field.name)
            elif change == "class":
                result["fields"][field.name] = {"@class": "Popen", "fields": {"args": "true"}}
            else:
                result["fields"][field.name] = 7 if isinstance(value, str) else "x"

        path.write_bytes(whole)
        with pytest.raises(FileError, match="damaged"):
            fairstats.load(rewritten(path, spoil))


ROWS = {
    "an unknown column": lambda r, a: r["@estimates"].update(nothing=["x"]),
    "an unknown role": lambda r, a: r["@estimates"].update(role={"@list": ["boss"] * _size(r)}),
    "an unknown status": lambda r, a: r["@estimates"].update(status={"@list": ["fine"] * _size(r)}),
    "a column too short": lambda r, a: r["@estimates"].update(group={"@list": ["x"]}),
    "numbers for text": lambda r, a: r["@estimates"].update(group={"@list": [1] * _size(r)}),
    "text for numbers": lambda r, a: r["@estimates"].update(n={"@list": ["1"] * _size(r)}),
    "no metric": lambda r, a: r["@estimates"].pop("metric"),
    "not a table": lambda r, a: r.update({"@estimates": 3}),
    "a table and more": lambda r, a: r.update({"@class": "Audit"}),
    "an array that is not there": lambda r, a: r["@estimates"].update(n={"@array": "a99"}),
}


def _size(result: dict[str, Any]) -> int:
    return len(result["@estimates"]["metric"]["@list"])


@pytest.mark.parametrize("what", ROWS)
def test_a_table_that_is_none_is_refused(what: str, tmp_path: Path) -> None:
    path = made("group losses").save(tmp_path / "rows.npz")
    with pytest.raises(FileError, match="damaged"):
        fairstats.load(rewritten(path, ROWS[what]))


@pytest.mark.parametrize(("older", "whose"), [(1, "fairstats before 0.2"), (2, "0.2 in development")])
def test_an_older_format_is_refused_by_name(older: int, whose: str, tmp_path: Path) -> None:
    """Fits of format 2 had `l`, `center` of two types and `max_steps` among their settings, and other fields."""
    path = made("og").save(tmp_path / "fit.npz")
    with np.load(path) as stored:
        arrays = dict(stored)
    header = {**json.loads(arrays.pop("header").tobytes()), "format": older}
    np.savez(path, header=np.frombuffer(json.dumps(header).encode(), dtype=np.uint8), **arrays)
    with pytest.raises(
        FileError, match=rf"fit\.npz' has format {older}, of {re.escape(whose)}.* make the result again"
    ):
        fairstats.load(path)


def test_bytes_are_those_of_the_file_and_an_error_names_where_they_came_from(tmp_path: Path) -> None:
    data = to_bytes(made("audit"))
    assert made("audit").save(tmp_path / "a.npz").read_bytes() == data
    assert from_bytes(data, "it").to_dict() == made("audit").to_dict()
    with pytest.raises(FileError, match=r"^the attribute is not a result"):
        from_bytes(data[:100], "the attribute")


def test_a_result_crosses_to_r_with_its_bytes_and_comes_back_by_them() -> None:
    there = restored(to_bytes(made("og")))
    assert there.error == "" and there.object.to_dict() == made("og").to_dict()
    refused = restored(b"no such thing")
    assert (
        refused.object is None
        and refused.kind.split()[0] == "FileError"
        and refused.error.startswith("it is not a result")
    )


def test_every_older_format_has_a_name() -> None:
    assert set(OLDER) == set(range(1, FORMAT))


def test_the_closed_set_names_classes_that_there_are() -> None:
    assert all(class_of(name).__name__ == name for name in IN_FILES)


def test_every_class_of_results_has_a_row() -> None:
    """A class without one has no name in the package, and neither files nor R know it."""
    for module in pkgutil.walk_packages(fairstats.__path__, "fairstats."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    last = {cls.__name__: cls.__module__ for cls in _descendants(Described) if not [*_descendants(cls)]}
    assert last.items() <= {name: row.home for name, row in RESULT_CLASSES.items()}.items()


def _descendants(base: type) -> Iterator[type]:
    for cls in base.__subclasses__():
        if cls.__module__.startswith("fairstats."):
            yield from (cls, *_descendants(cls))


def moments() -> fairstats.Moments:
    frame = people()
    return fairstats.Moments.of(X, ["sex", "race"], data=frame, weights="score")


def test_moments_are_kept_and_fit_as_before(tmp_path: Path) -> None:
    again = fairstats.load(moments().save(tmp_path / "moments.npz"), fairstats.Moments)
    assert repr(again) == repr(moments())
    assert fairstats.og(again, k=2).estimates == fairstats.og(moments(), k=2).estimates
    assert fairstats.og(again + moments(), k=2).estimates == fairstats.og(moments() + moments(), k=2).estimates


SPOILED = {
    "a feature too few": lambda fields: fields["features"]["@tuple"].pop(),
    "a group too few": lambda fields: fields["cells"]["@tuple"].pop(),
    "a group of no level": lambda fields: fields["cells"]["@tuple"].__setitem__(0, {"@tuple": ["f", "z"]}),
    "an attribute too few": lambda fields: fields["attributes"]["@tuple"].pop(),
    "products of another size": lambda fields: fields.update(scatter=fields["shift"]),
    "counts of another size": lambda fields: fields.update(n=fields["shift"]),
}


@pytest.mark.parametrize("what", SPOILED)
def test_moments_whose_parts_do_not_belong_together_are_refused(what: str, tmp_path: Path) -> None:
    path = moments().save(tmp_path / "moments.npz")
    with pytest.raises(FileError, match="damaged"):
        fairstats.load(rewritten(path, lambda result, _: SPOILED[what](result["fields"])))
