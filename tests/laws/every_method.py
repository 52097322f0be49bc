"""Every method of the registry as a function of X, g and k, with the settings that data of two groups allow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fairstats.methods.registry import METHODS, Method

Fit = Callable[..., Any]
ROLES = {"advantaged": "a", "disadvantaged": "b"}

# Settings by which a method is held to the laws beside its defaults, its variants and what it needs.
FORMS: dict[str, dict[str, dict[str, Any]]] = {
    "minimax_pca": {
        "minimax_pca": {},
        "minimax_pca overall": {"center_by": "overall"},
        "minimax_pca nash": {"objective": "nash"},
        "minimax_pca nested": {"nested": True},
    },
    "leace": {"leace": {}, "leace shrunk": {"shrinkage": True}, "leace orthogonal": {"projection": "orthogonal"}},
    "leace_pca": {"leace_pca": {}, "leace_pca shrunk": {"shrinkage": True}},
    "rlace": {"rlace": {"max_iter": 60}},
    "rlace_pca": {"rlace_pca": {"max_iter": 60}},
    "inlp": {"inlp": {"rounds": 2}},
    "location_scale": {
        "location_scale": {},
        "location_scale protect": {"protect": ["x1", "x3"]},
        "location_scale bayes": {"empirical_bayes": True},
    },
    "mbf_pca": {"mbf_pca": {"tau": 0.1, "n_init": 1}},
    "fair_kernel_pca": {
        "kernel rbf": {"kernel": "rbf", "gamma": 0.05},
        "kernel linear": {"kernel": "linear"},
        "kernel landmarks": {"n_landmarks": 20, "gamma": 0.05},
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
    for _name, _settings in {**FORMS.get(_method.name, {_method.name: {}}), **_method.variants}.items():
        EVERY[_name], OF[_name] = _form(_method, dict(_settings)), _method
PROJECTIONS = {name: fit for name, fit in EVERY.items() if OF[name].result == "projection"}
# What changes components of equal group means too.
BEYOND_MEANS = {"sog": "sparse loadings", "fair_pca-s": "similar covariances"}
ROWS_ONLY = {"mbf_pca", "inlp", "inlp_pca", "rlace", "rlace_pca"}  # dense rows, that is
# how far apart two of their ends may be; mbf's steps amplify what processors round differently (by 6e-3 with AVX-512)
SEARCHES = {"mbf_pca": 2e-2, "rlace": 1e-3, "rlace_pca": 1e-3, "fpca": 1e-4}


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
