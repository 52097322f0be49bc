"""What a fresh environment does with the wheel: run by `tests/test_installed.py` there, with a folder, without pytest.

The folder holds ``people.csv`` and ``expected.json``, what the environment of the tests made of it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import math
import sys
from pathlib import Path
from typing import Any

import fairstats
from fairstats.cli import run

AUDIT = ["--groups", "race,sex", "--decision", "hired", "--outcome", "good", "--score", "score", "--strata", "dept"]
# What cannot be written without a package, and the extra that has it.
NEEDED = {
    "html": {},
    "pdf": {"weasyprint": "report"},
    "docx": {"matplotlib": "report", "docx": "tables"},
    "parquet": {"pyarrow": "scale"},
}


def command(*words: str) -> tuple[int, str, str]:
    """Return the exit code of a command, and what it printed and complained."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    return code, out.getvalue(), err.getvalue()


def close(a: Any, b: Any) -> bool:
    """Whether two values of JSON are the same, numbers within 1e-8 relative (other versions, other rounding)."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(close(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(close, a, b))
    if isinstance(a, float) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=1e-8, abs_tol=1e-10)
    return bool(a == b)


def audits(folder: Path) -> None:
    """Text, JSON, CSV and Markdown of an audit, by the numbers that are expected."""
    data = str(folder / "people.csv")
    code, text, err = command("audit", data, *AUDIT)
    assert code == 0 and text.startswith("Audit of people.csv"), err
    files = {ending: folder / f"audit.{ending}" for ending in ("json", "csv", "md", "npz")}
    code, _, err = command("audit", data, *AUDIT, *(word for file in files.values() for word in ("--to", str(file))))
    assert code == 0, err
    expected = json.loads((folder / "expected.json").read_text())
    for result in (
        json.loads(files["json"].read_text())["audit"]["estimates"],
        fairstats.load(files["npz"]).estimates.to_records(),
    ):
        assert len(result) == len(expected)
        different = [(a, b) for a, b in zip(result, expected, strict=True) if not close(a, b)]
        assert not different, different[0]
    assert files["csv"].read_text().count("\n") == len(expected) + 1
    page = files["md"].read_text()
    assert page.startswith("# ") and "| --- |" in page
    has_figures = importlib.util.find_spec("matplotlib") is not None
    assert has_figures == ("![" in page) != ("figures of the report are given in words" in err), err


def fits(folder: Path) -> None:
    """A method and its guarantee; a table in, the adjusted table out."""
    code, _, err = command("fit", "og", str(folder / "people.csv"), "--groups", "race", "--features", "~ x * z", "-k",
                           "2", "--to", str(folder / "adjusted.csv"))  # fmt: skip
    assert code == 0, err
    frame = fairstats.read_table(folder / "adjusted.csv").frame
    assert frame.groupby("race")["x"].mean().std() < 1e-9
    for method in (fairstats.pca, fairstats.leace, fairstats.fair_pca):
        assert method(["x", "z", "score"], *(() if method is fairstats.pca else ("race",)), data=frame).summary()


def extras(folder: Path) -> None:
    """What needs a package that is not here says so in one line with exit code 2; what is here works."""
    for ending, packages in NEEDED.items():
        target = folder / f"audit.{ending}"
        code, _, err = command("audit", str(folder / "people.csv"), *AUDIT, "--to", str(target), "-q")
        missing = [extra for package, extra in packages.items() if not importlib.util.find_spec(package)]
        if not missing:
            assert code == 0 and target.stat().st_size > 1000, (ending, err)
            continue
        assert code == 2 and not target.exists(), (ending, code)
        assert err.startswith("fairstats: error: ") and err.count("\n") == 1, err
        assert any(f"part of the extra {extra}" in err for extra in missing), err
    if not importlib.util.find_spec("matplotlib"):
        code, _, err = command("plot", str(folder / "audit.npz"), "--to", str(folder / "a.svg"))
        assert code == 2 and "matplotlib" in err and "extra report" in err, err
    code, _, err = command("demo", "--to-dir", str(folder))
    assert code == 2 and "fairstats-data" in err, err


if __name__ == "__main__":
    place = Path(fairstats.__file__).resolve()
    assert "site-packages" in place.parts, f"this is not the wheel: {place}"
    for check in (audits, fits, extras):
        check(Path(sys.argv[1]))
    print(sys.version.split()[0], *sorted({m.split(".")[0] for m in sys.modules} & {"numpy", "pandas", "scipy"}))
