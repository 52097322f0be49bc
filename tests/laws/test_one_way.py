"""Who follows a parameter reads one file of a method, and data become a matrix once: traced, call by call."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fairstats
from fairstats.data.design import Design
from fairstats.data.formula import Formula
from fairstats.data.tables import Columns
from tests.public_calls import STUDIES

METHOD_FILES = Path(fairstats.__file__).parent / "methods"


def files_of_calls(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Counter[Path]:
    """The files whose functions are called on the way, and how often."""
    files: Counter[str] = Counter()

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "call":
            files[frame.f_code.co_filename] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        function(*args, **kwargs)
    finally:
        sys.setprofile(before)
    return Counter({Path(name): count for name, count in files.items()})


@pytest.mark.parametrize(("features", "builder"), [(["a", "b"], (Columns, "matrix")), ("~ a * b", (Formula, "matrix"))])
def test_compare_builds_its_matrix_once(
    features: Any, builder: tuple[type, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    built: Counter[str] = Counter()

    def counting(owner: type, name: str) -> None:
        original = getattr(owner, name)

        def counted(*args: Any, **kwargs: Any) -> Any:
            built[f"{owner.__name__}.{name}"] += 1
            return original(*args, **kwargs)

        monkeypatch.setattr(owner, name, staticmethod(counted) if owner is Design else counted)

    for owner, name in ((Design, "of"), (Columns, "matrix"), (Formula, "matrix")):
        counting(owner, name)
    _, valid = STUDIES["compare"]
    fairstats.compare(
        **{**valid, "features": features, "methods": ["none", "og", "fair_pca", "leace"], "representation": True}
    )
    assert built == {"Design.of": 1, f"{builder[0].__name__}.{builder[1]}": 1}
