"""Run one fuzzer, or all of them in turn:  python -m fuzz [TARGET ...] --seconds 600

Each target of bytes runs in a process of its own, from the seeds in ``fuzz/seeds`` and what earlier runs found
(``build/fuzz/corpus``, not in the tree). What breaks is written to ``build/fuzz``: make a test of it in
``tests/test_found_by_fuzzing.py``, then mend the cause.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from fuzz.texts import TARGETS
from fuzz.whole import LAWS, hold

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "fuzz"


def of_bytes(target: str, seconds: int) -> int:
    """Let atheris run one target, in a process that ends with the first fault."""
    corpus = BUILD / "corpus" / target
    corpus.mkdir(parents=True, exist_ok=True)
    words = [
        *(sys.executable, "-m", "fuzz.led", target, str(corpus), str(ROOT / "fuzz" / "seeds" / target)),
        *(f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=3000", "-max_len=4096", "-print_final_stats=1"),
        f"-artifact_prefix={BUILD}/{target}-",
    ]
    done = subprocess.run(words, cwd=ROOT, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    runs = next((line.split()[-1] for line in done.stderr.splitlines() if "number_of_executed_units" in line), "?")
    print(f"{target:12} {runs:>10} runs  {'clean' if done.returncode == 0 else 'a fault'}", flush=True)
    if done.returncode:
        print(done.stderr[-4000:])
    return done.returncode


def main() -> int:
    """Read the command line, run, and say how many runs each had."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join([*TARGETS, *LAWS]))
    parser.add_argument("--seconds", type=int, default=600, help="for all targets together")
    arguments = parser.parse_args()
    targets = arguments.targets or [*TARGETS, *LAWS]
    unknown = [name for name in targets if name not in {**TARGETS, **LAWS}]
    if unknown:
        parser.error(f"no target {unknown[0]!r}; these are {', '.join([*TARGETS, *LAWS])}")
    each, worst = max(arguments.seconds // len(targets), 1), 0
    for name in targets:
        if name in TARGETS:
            worst |= of_bytes(name, each)
        else:
            runs, results = hold(name, each)
            print(f"{name:12} {runs:>10} runs  clean, {results} of them with a result", flush=True)
    return int(worst != 0)


if __name__ == "__main__":
    sys.exit(main())
