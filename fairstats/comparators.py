"""Methods that others propose, to compare with: FPCA, MbF-PCA, INLP, R-LACE, residuals and the like.

Each is a function like those of the package itself; `fairstats.compare` knows them by the same names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairstats.methods.registry import METHODS as _METHODS

if TYPE_CHECKING:
    from fairstats.methods.fpca import fpca
    from fairstats.methods.leace import quadratic_leace
    from fairstats.methods.location_scale import location_scale, residualize
    from fairstats.methods.mbf import mbf_pca
    from fairstats.methods.probed import inlp, inlp_pca, rlace, rlace_pca

__all__ = [
    "fpca",
    "inlp",
    "inlp_pca",
    "location_scale",
    "mbf_pca",
    "quadratic_leace",
    "residualize",
    "rlace",
    "rlace_pca",
]


if not TYPE_CHECKING:  # to a type checker, a name that is not imported above is a mistake

    def __getattr__(name: str) -> Any:
        if name not in _METHODS or not _METHODS[name].comparator:
            raise AttributeError(f"module 'fairstats.comparators' has no attribute {name!r}")
        return _METHODS[name].function


def __dir__() -> list[str]:
    return sorted(name for name, row in _METHODS.items() if row.comparator)
