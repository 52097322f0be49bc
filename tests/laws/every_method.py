"""Every method of the registry as a function of X, g and k, with the settings that data of two groups allow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fairstats.methods.registry import METHODS, Method

Fit = Callable[..., Any]

# What stands for a method where its defaults do not do, or more than one of its forms is to keep the laws.
FORMS: dict[str, dict[str, dict[str, Any]]] = {
    "og": {"og": {}, "og residual": {"basis": "residual"}},
    "fair_pca": {"fair_pca": {}, "fair_pca S": {"equalize": "covariance", "l": 4}},
    "minimax_pca": {"minimax": {}, "minimax overall": {"center": "overall"}},
    "disparity_pca": {"disparity": {"lam": 0.7, "advantaged": "a", "disadvantaged": "b"}},
    "rlace": {"rlace": {"max_iter": 60}},
    "rlace_pca": {"rlace_pca": {"max_iter": 60}},
    "inlp": {"inlp": {"rounds": 2}},
    "mbf_pca": {"mbf_pca": {"tau": 0.1, "starts": 1}},
    "fair_kernel_pca": {
        "kernel rbf": {"kernel": "rbf", "gamma": 0.05},
        "kernel linear": {"kernel": "linear"},
        "kernel landmarks": {"landmarks": 20, "gamma": 0.05},
    },
}


def _form(method: Method, settings: dict[str, Any]) -> Fit:
    def fit(X: Any, g: Any = None, k: Any = 2, **more: Any) -> Any:
        chosen = {**method.needs, **settings, **more}
        return method.function(X, g, **({"k": k} if method.reduces else {}), **chosen)

    return fit


EVERY: dict[str, Fit] = {}
OF: dict[str, Method] = {}
for _method in METHODS.values():
    for _name, _settings in FORMS.get(_method.name, {_method.name: {}}).items():
        EVERY[_name], OF[_name] = _form(_method, _settings), _method
PROJECTIONS = {name: fit for name, fit in EVERY.items() if OF[name].result == "projection"}
ROWS_ONLY = {"mbf_pca", "inlp", "inlp_pca", "rlace", "rlace_pca"}  # dense rows, that is
SEARCHES = {"mbf_pca": 1e-3, "rlace": 1e-3, "rlace_pca": 1e-3, "fpca": 1e-4}  # how far apart two of their ends may be


def sample(seed: int = 3, n: int = 160, p: int = 7) -> tuple[np.ndarray, np.ndarray]:
    """Rows of p features about 5, of different spread and mean in two groups."""
    rng = np.random.default_rng(seed)
    g = rng.choice(["a", "b"], n, p=[0.6, 0.4])
    spread = np.where((g == "a")[:, None], np.linspace(3, 1, p), np.linspace(1.5, 2, p))
    return rng.standard_normal((n, p)) * spread + 1.5 * rng.standard_normal(p) * (g == "b")[:, None] + 5.0, g


def wide(n: int = 24, p: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """More features than rows."""
    return np.random.default_rng(8).standard_normal((n, p)) * np.linspace(3, 0.3, p), np.tile(["a", "b"], n // 2)


def apart(a: np.ndarray, b: np.ndarray, size: float | None = None) -> float:
    """Largest difference relative to ``size``, or to the largest number."""
    return float(np.abs(a - b).max() / (np.abs(b).max() if size is None else size))
