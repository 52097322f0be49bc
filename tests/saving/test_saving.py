"""A fit comes back from its file as it was; anything else is refused, and nothing in it is run."""

from __future__ import annotations

import io
import json
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.cli import run
from fairstats.errors import FileError, writing_for
from fairstats.words_in_r import InR


@pytest.fixture
def fit(rng: np.random.Generator) -> tuple[pd.DataFrame, fairstats.Projection]:
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=60),
            "b": rng.normal(size=60),
            "s": rng.choice(["x", "y"], 60),
            "g": rng.choice(["u", "v", "w"], 60),
        }
    )
    return frame, fairstats.og("~ (a + b + s)^2", "g", k=3, data=frame, scale=True)


def test_what_is_loaded_equals_what_was_saved(fit, tmp_path: Path) -> None:
    frame, result = fit
    again = fairstats.load(result.save(tmp_path / "fit.npz"))
    np.testing.assert_array_equal(again.transform(frame), result.transform(frame))
    assert again.summary() == result.summary()
    pd.testing.assert_frame_equal(again.tidy(), result.tidy())
    np.testing.assert_array_equal(again.crossfit(frame, "g").scores, result.crossfit(frame, "g").scores)


def rewrite(path: Path, change) -> Path:
    with np.load(path) as stored:
        arrays = dict(stored)
    header = json.loads(arrays.pop("header").tobytes())
    change(header, arrays)
    np.savez(path, header=np.frombuffer(json.dumps(header).encode(), dtype=np.uint8), **arrays)
    return path


def test_a_newer_or_damaged_file_is_refused(fit, tmp_path: Path) -> None:
    path = fit[1].save(tmp_path / "fit.npz")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FileError, match="damaged"):
        fairstats.load(path)
    path.write_bytes(b"hello")
    with pytest.raises(FileError, match="not a result"):
        fairstats.load(path)
    path.write_bytes(whole)
    with pytest.raises(FileError, match="format 99, and this version"):
        fairstats.load(rewrite(path, lambda h, a: h.update(format=99)))
    path.write_bytes(whole)
    with pytest.raises(FileError, match="damaged"):
        fairstats.load(rewrite(path, lambda h, a: a.pop("a0")))
    with pytest.raises(FileError, match="there is no file"):
        fairstats.load(tmp_path / "none.npz")
    with pytest.raises(FileError, match=r"does not end in .npz"):
        fit[1].save(tmp_path / "fit.pkl")
    with pytest.raises(FileError, match=r"saveRDS\(\) writes and readRDS\(\) reads"):
        fit[1].save(tmp_path / "fit.rds")
    (tmp_path / "fit.rds").write_bytes(b"\x1f\x8b")
    with pytest.raises(FileError, match=r"files of R are read by readRDS\(\) in R, where fair_save\(\) writes"):
        fairstats.load(tmp_path / "fit.rds")
    (tmp_path / "renamed.rds").write_bytes(whole)  # a result under another name is one
    assert fairstats.load(tmp_path / "renamed.rds")


def test_a_class_outside_the_closed_set_is_refused(fit, tmp_path: Path) -> None:
    path = fit[1].save(tmp_path / "fit.npz")

    def change(header: dict, arrays: dict) -> None:
        header["result"] = {"@class": "Popen", "fields": {"args": ["touch", str(tmp_path / "ran")]}}

    with pytest.raises(FileError, match="damaged"):
        fairstats.load(rewrite(path, change))
    assert not (tmp_path / "ran").exists()


FOREIGN = {
    "theirs.csv": (b"a,b\n1,2\n", ""),
    "theirs.rds": (b"\x1f\x8b", "; files of R are read by readRDS() in R, where fair_save() writes .npz files"),
    "broken.npz": (bytes(range(1, 100)), ""),
    "theirs.npz": (None, ""),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_foreign_file_is_refused_in_the_words_of_its_reader(name: str, tmp_path: Path, capsys) -> None:
    data, of_r = FOREIGN[name]
    file = tmp_path / name
    if data is None:
        np.savez(file, a=np.arange(3))
    else:
        file.write_bytes(data)
    no_result = "is not a result that this package saved"
    json_of_audit = ".npz files, and the audit in a report's .json."
    with pytest.raises(FileError) as python:
        fairstats.load(file)
    assert str(python.value).endswith(f"{no_result}{of_r}; load reads what result.save(path) writes, {json_of_audit}")
    with pytest.raises(FileError) as r, writing_for(InR()):
        fairstats.load(file)
    assert "; fair_load() reads what fair_save() writes, .npz files, and the audit in the .json" in str(r.value)
    assert "result.save" not in str(r.value)
    assert ("readRDS() in R;" in str(r.value)) is bool(of_r)
    assert run(["compare-audits", str(file), str(file)]) == 2
    said = capsys.readouterr().err
    assert said.endswith(f"{no_result}{of_r}; give a file that --to FILE.npz wrote, or the .json of an audit.\n")


def test_pickled_arrays_are_refused(tmp_path: Path) -> None:
    trap = np.array([{"a": 1}], dtype=object)
    buffer = io.BytesIO()
    np.savez(buffer, header=trap, allow_pickle=True)
    assert pickle.dumps(trap)
    path = tmp_path / "fit.npz"
    path.write_bytes(buffer.getvalue())
    with pytest.raises(FileError, match="not a result"):
        fairstats.load(path)
