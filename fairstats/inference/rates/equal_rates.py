"""The tests that two rates are equal, by name: the exact unconditional one is behind every verdict."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairstats.inference.rates.two_rate_tests import fisher_exact, mid_p, z_test
from fairstats.inference.rates.unconditional import unconditional_test


def _without_statistic(test: Callable[..., Any]) -> Callable[..., tuple[float, Any]]:
    return lambda e1, n1, e0, n0: (float("nan"), test(e1, n1, e0, n0))


# each gives (statistic, p); an exact test has no statistic besides the table
TESTS: dict[str, Callable[..., tuple[Any, Any]]] = {
    "unconditional": _without_statistic(unconditional_test),
    "fisher": _without_statistic(fisher_exact),
    "mid-p": _without_statistic(mid_p),
    "z": z_test,
}
TEST_NAMES = {
    "unconditional": "exact unconditional test",
    "fisher": "Fisher's exact test",
    "mid-p": "Fisher's mid-p test",
    "z": "pooled z-test",
}
