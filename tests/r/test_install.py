"""From a checkout to a report, as a new R user would: the package, its environment, five lines."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.oracle.r import requires_r

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_install_fairstats_makes_an_environment_that_later_sessions_find(tmp_path):
    requires_r("reticulate", "tibble")
    library = tmp_path / "library"
    library.mkdir()
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "RETICULATE_PYTHON", "VIRTUAL_ENV")}
    env |= {"WORKON_HOME": str(tmp_path / "environments"), "R_LIBS": str(library), "TZ": "UTC"}

    def r(code: str, folder: Path) -> str:
        done = subprocess.run(["Rscript", "--vanilla", "-e", code], cwd=folder, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    r(f'install.packages("r/fairstats", repos = NULL, lib = "{library}", quiet = TRUE)', ROOT)
    r('fairstats::install_fairstats(".", constraints = "constraints.txt")', ROOT)
    lines = [
        "library(fairstats)",
        'df <- data.frame(sex = rep(c("f", "m"), c(40, 60)), hired = rep(c(1, 0, 1, 0), c(10, 30, 30, 30)))',
        'a <- fair_audit(df, decision = "hired", group = "sex")',
        'report(a, to = "audit.pdf")',
        "cat(a$finding)",
    ]
    assert "25.0%" in r("; ".join(lines), tmp_path)
    assert (tmp_path / "audit.pdf").read_bytes().startswith(b"%PDF")
