"""R beside Python: the values of one in the other, R called from Python, results as plain R records.

`values` is the one form that both bridges share; `wire` writes it as bytes, `to_python` and `to_rvalue` say what it
means. `engine` and `sessions` are the bridge from Python (rpy2), `remote` is what the R package calls (reticulate);
`rds` reads and writes R's files, `models` lets R fit what `compare` predicts with, `callables` adjust features and
measure people, `plots` draw. Names are loaded when first used:
only sessions and models need R and the extra ``r``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairstats.errors import RError
    from fairstats.r.models import RPlot, method, metric, model, plot, write_rds
    from fairstats.r.sessions import RObject, Session, from_r, session, to_r
    from fairstats.rvalues.rds import read_rds

_HOME = {
    "RError": "errors",
    "RObject": "r.sessions",
    "RPlot": "r.models",
    "Session": "r.sessions",
    "from_r": "r.sessions",
    "method": "r.models",
    "metric": "r.models",
    "model": "r.models",
    "plot": "r.models",
    "read_rds": "rvalues.rds",
    "session": "r.sessions",
    "to_r": "r.sessions",
    "write_rds": "r.models",
}
__all__ = [
    "RError",
    "RObject",
    "RPlot",
    "Session",
    "from_r",
    "method",
    "metric",
    "model",
    "plot",
    "read_rds",
    "session",
    "to_r",
    "write_rds",
]


if not TYPE_CHECKING:  # to a type checker, a name that is not imported above is a mistake

    def __getattr__(name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module 'fairstats.r' has no attribute {name!r}")
        value = getattr(importlib.import_module(f"fairstats.{_HOME[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
