"""A million rows and twenty columns from R to Python and back, on both bridges, beside R's own file and back."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fairstats.r.sessions import from_r, session, to_r

ROWS, BOUND = 1_000_000, 3.0
FRAME = """
set.seed(1)
n <- as.integer(n)
city <- paste("city number", 1:1000)
frame <- data.frame(
  replicate(8, rnorm(n), simplify = FALSE), replicate(3, sample(c(1:99, NA), n, TRUE), simplify = FALSE),
  replicate(2, sample(c(TRUE, FALSE, NA), n, TRUE), simplify = FALSE),
  replicate(2, factor(sample(c(letters, NA), n, TRUE)), simplify = FALSE),
  replicate(2, as.Date("2000-01-01") + sample(9000L, n, TRUE), simplify = FALSE),
  replicate(3, sample(c(city, NA), n, TRUE), simplify = FALSE)
)
names(frame) <- paste0("column", 1:20)
frame$column1[1:2] <- c(NA, NaN)
"""
YARDSTICK = """
yardstick <- min(vapply(1:3, function(i) system.time({
  saveRDS(frame, file.path(tempdir(), "yardstick.rds"), compress = FALSE)
  readRDS(file.path(tempdir(), "yardstick.rds"))
})[["elapsed"]], 0))
"""
RETICULATE = """
folder <- commandArgs(trailingOnly = TRUE)[[1L]]
sys.source(file.path(folder, "r/fairstats/R/wire.R"), environment())
remote <- reticulate::import("fairstats.r.remote", convert = FALSE)
there_and_back <- function(x) {
  sent <- wire_pack(list(value = x))
  answer <- remote$call("echo", sent$header, sent$buffers, reticulate::dict())
  unserialize(reticulate::py_to_r(answer$packed))$value
}
invisible(there_and_back(frame[1:10, ]))
took <- min(vapply(1:3, function(i) system.time(there_and_back(frame))[["elapsed"]], 0))
cat(took, yardstick, identical(there_and_back(frame), frame), "\\n")
"""


def through_rpy2() -> bool:
    r = session()
    frame = r.keep(FRAME + "frame", n=ROWS)
    from_r(to_r([1.0]))
    taken = []
    for _ in range(3):
        start = time.perf_counter()
        back = to_r(from_r(frame))
        taken.append(time.perf_counter() - start)
    same = r.call("identical", frame, back)
    yardstick = r.eval(YARDSTICK + "yardstick", frame=frame)
    return _record("rpy2", min(taken), yardstick, same)


def through_reticulate() -> bool:
    root = Path(__file__).resolve().parents[1]
    apart = ("LD_LIBRARY_PATH", "R_HOME", "R_SESSION_INITIALIZED", "PYTHON_SESSION_INITIALIZED")
    environment = {k: v for k, v in os.environ.items() if k not in apart}
    environment |= {"RETICULATE_PYTHON": sys.executable, "PYTHONPATH": str(root)}
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "bridge.R"
        script.write_text(f"n <- {ROWS}\n" + FRAME + YARDSTICK + RETICULATE)
        command = ["Rscript", "--vanilla", str(script), str(root)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    took, yardstick, same = done.stdout.split()
    return _record("reticulate", float(took), float(yardstick), same == "TRUE")


def _record(bridge: str, took: float, yardstick: float, same: bool) -> bool:
    fine = same and took < BOUND
    case, beside = f"{bridge}: {ROWS} x 20, R to Python to R", "saveRDS + readRDS, not compressed"
    verdict = f"{took:.2f} s, at most {BOUND:g} s   {'ok' if fine else 'MISSED'}"
    print(f"{case:<52} {beside:<34} {took / yardstick:6.2f} x   {verdict}")
    print(f"{'':<52} every value and type came back: {same}")
    return fine


if __name__ == "__main__":
    rpy2, reticulate = through_rpy2(), through_reticulate()
    sys.exit(0 if rpy2 and reticulate else 1)
