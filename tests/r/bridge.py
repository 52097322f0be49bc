"""R in this process, for the tests that need it: skipped with what is missing, in CI a failure."""

from __future__ import annotations

import functools
import os

import pytest

from tests.oracle.r import requires_r


def requires_bridge(*packages: str) -> None:
    """Skip the calling test or module where R, its packages or rpy2 are missing; in CI fail instead."""
    requires_r(*packages)
    reason = _missing()
    if reason and os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    if reason:
        pytest.skip(reason, allow_module_level=True)


@functools.cache
def _missing() -> str:
    from fairstats.errors import DependencyError
    from fairstats.r.sessions import session

    try:
        session()
    except DependencyError as problem:
        return str(problem)
    return ""
