"""Tables as R keeps them: broom's names of columns, NA where there is nothing, one row a point of a curve."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fairstats.glossary import GLOSSARY
from fairstats.rvalues.values import NA_REAL
from fairstats.studies.curve import Curve

if TYPE_CHECKING:
    import pandas as pd

_NOBS = {"rows": "nobs", "n": "nobs"}  # what broom's friends look for


def r_names(frame: pd.DataFrame) -> pd.DataFrame:
    """A table with broom's column names: ``std.error``, ``conf.low``, ``adj.p.value``."""
    return na_numbers(frame).rename(columns=lambda c: GLOSSARY[c].r_name if c in GLOSSARY else _dotted(str(c)))


def na_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """A table whose absent numbers are R's NA; R shows NaN as the result of a computation."""
    missing = {c: frame[c].to_numpy().copy() for c in frame.columns if frame[c].dtype == float}
    for values in missing.values():
        values[np.isnan(values)] = NA_REAL
    return frame.assign(**missing)


def _dotted(name: str) -> str:
    return name if name.startswith(".") else name.replace("_", ".")


def said(result: Any) -> dict[str, Any]:
    """What every result says: its summary, what is printed, its rows under a unique ``term``, broom's ``glance``."""
    words: dict[str, Any] = {"summary": result.summary(), "printed": str(result)}
    table = r_names(result.tidy().reset_index(drop=True)).rename(columns={"term": "name"})
    table.insert(0, "term", [row.label for row in result.estimates])  # broom's friends want one column that is unique
    words["tidy"] = absent_texts(table)
    words["glance"] = absent_texts(r_names(result.glance()).rename(columns=_NOBS))
    return words


def absent_texts(table: pd.DataFrame) -> pd.DataFrame:
    """Text that is not there as R's NA; in Python it is empty."""
    texts = [name for name in table.columns if np.asarray(table[name]).dtype.kind in "OUT"]
    return table.assign(**{name: _texts([v or None for v in table[name]]) for name in texts})


def _texts(values: Sequence[str | None]) -> Any:
    import pandas as pd

    return pd.array(values, dtype="str")  # text also where all of it is absent


def curve_rows(curves: Iterable[Curve]) -> pd.DataFrame:
    """The points of curves, a row a point: of which kind, attribute and group, with a band where there is one."""
    import pandas as pd

    frames = [
        pd.DataFrame(
            {
                "kind": one.kind,
                "attribute": one.attribute,
                "group": _texts([one.group or None] * len(one.x)),
                "term": _texts([getattr(one, "term", None)] * len(one.x)),
                "x": np.array(one.x, dtype=float),
                "y": np.array(one.y, dtype=float),
                "conf.low": np.array(one.low or [NA_REAL] * len(one.x), dtype=float),
                "conf.high": np.array(one.high or [NA_REAL] * len(one.x), dtype=float),
            }
        )
        for one in curves
    ]
    columns = ["kind", "attribute", "group", "term", "x", "y", "conf.low", "conf.high"]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)
