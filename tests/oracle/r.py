"""R as an independent oracle: one ``Rscript --vanilla`` a call, JSON in and out with every digit.

A script sees its payload as ``input`` and its last value is the answer::

    run_r("lapply(input$cases, function(case) wilcox.test(case$x, case$y)$p.value)", {"cases": [...]})

Starting R costs a quarter of a second, so a test file batches its cases into one call (a module-scoped fixture).
"""

from __future__ import annotations

import functools
import json
import math
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

# R's own words for the numbers that JSON cannot hold
_SPECIAL = {"NaN": math.nan, "NA": math.nan, "Inf": math.inf, "-Inf": -math.inf}

_WRAPPER = """
options(warn = 1, digits = 17)
here <- commandArgs(trailingOnly = TRUE)[1]
input <- jsonlite::fromJSON(file.path(here, "input.json"), simplifyDataFrame = FALSE, simplifyMatrix = FALSE)
output <- source(file.path(here, "script.R"), local = new.env())$value
# jsonlite writes 15 digits; text keeps the 17 that tell two doubles apart, and NaN, NA and the infinities
as_text <- function(v) structure(sprintf("#%.17g", v), dim = dim(v), names = names(v))
output <- rapply(list(output), as_text, classes = "numeric", how = "replace")[[1]]
writeLines(jsonlite::toJSON(output, auto_unbox = TRUE, na = "string", null = "null", force = TRUE),
           file.path(here, "output.json"))
"""


def run_r(script: str, payload: Mapping[str, Any] | None = None, *, timeout: float = 300) -> Any:
    """The value of an R script, given a payload that it reads as ``input``.

    Vectors of length one come back as numbers, longer ones as lists, named lists as dictionaries; NaN, NA and the
    infinities survive. An error in R raises ``RuntimeError`` with R's own message.
    """
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "wrapper.R").write_text(_WRAPPER)
        (here / "script.R").write_text("input <- get('input', envir = globalenv())\n" + script)
        (here / "input.json").write_text(json.dumps(_to_json(payload or {}), allow_nan=False))
        done = subprocess.run(
            [_rscript() or "Rscript", "--vanilla", str(here / "wrapper.R"), folder],
            check=False,
            capture_output=True,
            text=True,
            timeout=timeout,
            env=_environment(),
        )
        if done.returncode:
            raise RuntimeError(f"R stopped:\n{done.stderr}\n--- script ---\n{script}")
        return _from_json(json.loads((here / "output.json").read_text()))


def requires_r(*packages: str) -> None:
    """Skip the calling test or module, with the line that installs what is missing; in CI fail instead."""
    missing = _missing(("jsonlite", *packages))
    if not missing:
        return
    message = "R is the oracle here and is missing: apt-get install " + " ".join(missing)
    if os.environ.get("CI") == "true":
        pytest.fail(message, pytrace=False)
    pytest.skip(message, allow_module_level=True)


@functools.cache
def _missing(packages: tuple[str, ...]) -> list[str]:
    if _rscript() is None:
        return ["r-base-core", *_apt(packages)]
    arguments = ", ".join(f'"{p}"' for p in packages)
    code = f"cat(Filter(function(p) !requireNamespace(p, quietly = TRUE), c({arguments})))"
    result = subprocess.run(
        ["Rscript", "--vanilla", "-e", code], capture_output=True, text=True, check=True, env=_environment()
    )
    return _apt(tuple(result.stdout.split()))


def _apt(packages: tuple[str, ...]) -> list[str]:
    return [f"r-cran-{p.lower()}" for p in packages]


def _rscript() -> str | None:
    return shutil.which("Rscript")


def _environment() -> dict[str, str]:
    # A Python distribution's own libraries on the loader's path make R load the wrong BLAS or libstdc++.
    return {k: v for k, v in os.environ.items() if k not in ("LD_LIBRARY_PATH", "R_HOME", "R_LIBS_USER")}


def _to_json(value: Any) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(k): _to_json(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_to_json(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Inf" if value > 0 else "-Inf")
    return value


def _from_json(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _from_json(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_from_json(v) for v in value]
    if isinstance(value, str) and value.startswith("#"):
        number = value[1:]
        return _SPECIAL[number] if number in _SPECIAL else float(number)
    return value
