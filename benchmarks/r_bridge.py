"""R and Python: a million rows and twenty columns there and back, and what an audit from R costs beside Python's.

Audits are timed in seconds of the processor, in one process and by turns, so that other work on the machine slows both.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fairstats.r.sessions import from_r, session, to_r

ROOT = Path(__file__).resolve().parents[1]
ROWS, BOUND = 1_000_000, 3.0
FIRST, TIMES = 2.5, 1.5  # seconds of a session's first audit; later ones as times Python's
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


CALLS = """
spent <- function(f) {
  before <- sum(proc.time()[c(1, 2, 4, 5)])
  f()
  sum(proc.time()[c(1, 2, 4, 5)]) - before
}
first <- spent(function() {
  suppressMessages(library(fairstats))
  fair_audit(data.frame(hired = c(1, 0, 0, 1), sex = c("f", "m")), "hired", "sex")
})
reticulate::py_run_string("
import time
import pandas, fairstats
def spent(people, **names):
    before = time.process_time()
    fairstats.audit(people, 'hired', **names)
    return time.process_time() - before
")
result <- c(first = first)
for (n in c(7000, 100000)) {
  set.seed(1)
  people <- data.frame(hired = rbinom(n, 1, 0.4), good = rbinom(n, 1, 0.5), sex = sample(c("f", "m"), n, TRUE),
    race = sample(letters[1:5], n, TRUE))
  main <- reticulate::import_main(convert = FALSE)
  here <- reticulate::r_to_py(people)
  for (groups in list("race", c("race", "sex"))) {
    outcome <- if (length(groups) > 1) "good"
    ratios <- replicate(9, spent(function() fair_audit(people, "hired", groups, outcome = outcome)) /
      reticulate::py_to_r(main$spent(here, groups = as.list(groups), outcome = outcome)))
    result[paste(n, "rows,", length(groups), "attributes")] <- median(ratios[-1])
  }
}
writeLines(paste(names(result), format(result), sep = "\t"))
"""


def calls() -> bool:
    """The first audit of a session in seconds, and later ones beside Python's; R's package and its Python are there."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "calls.R"
        script.write_text(CALLS)
        done = subprocess.run(
            ["Rscript", "--vanilla", str(script)], capture_output=True, text=True, env=_environment(), check=True
        )
    (_, first), *later = (line.split("\t") for line in done.stdout.splitlines())
    fine = float(first) < FIRST and all(float(times) < TIMES for _, times in later)
    print(f"the first audit of a session: {float(first):.2f} s of the processor, at most {FIRST} s")
    for case, times in later:
        print(f"an audit from R, {case:<28} {float(times):.2f} x Python's, at most {TIMES} x")
    return fine


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
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "bridge.R"
        script.write_text(f"n <- {ROWS}\n" + FRAME + YARDSTICK + RETICULATE)
        command = ["Rscript", "--vanilla", str(script), str(ROOT)]
        done = subprocess.run(command, capture_output=True, text=True, env=_environment(), check=True)
    took, yardstick, same = done.stdout.split()
    return _record("reticulate", float(took), float(yardstick), same == "TRUE")


def _environment() -> dict[str, str]:
    """That of an R session which starts this Python."""
    apart = ("LD_LIBRARY_PATH", "R_HOME", "R_SESSION_INITIALIZED", "PYTHON_SESSION_INITIALIZED")
    kept = {k: v for k, v in os.environ.items() if k not in apart}
    return kept | {"RETICULATE_PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}


def _record(bridge: str, took: float, yardstick: float, same: bool) -> bool:
    fine = same and took < BOUND
    case, beside = f"{bridge}: {ROWS} x 20, R to Python to R", "saveRDS + readRDS, not compressed"
    verdict = f"{took:.2f} s, at most {BOUND:g} s   {'ok' if fine else 'MISSED'}"
    print(f"{case:<52} {beside:<34} {took / yardstick:6.2f} x   {verdict}")
    print(f"{'':<52} every value and type came back: {same}")
    return fine


if __name__ == "__main__":
    sys.exit(0 if all([calls(), through_rpy2(), through_reticulate()]) else 1)
