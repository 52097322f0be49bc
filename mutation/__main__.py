"""Change one thing in the package at a time and see whether a test fails.

    python -m mutation record [tests/that_part ...]   which tests run which lines (longer than the tests; once)
    python -m mutation run methods -n 120 --seed 1    a sample of mutants, each against the tests that run its line
    python -m mutation report                         what was killed, what survived

A room is a folder of the package (``inference``, ``methods``, ``auditing`` without its words, ``auditing/words``).
Mutants are drawn systematically from all sites in the order of file and operator, so that each has its share. Files are
never changed. Results are kept in ``build/mutants``, and what stands there is not run again (but with ``--again`` those
that survived). Mutants that nobody could tell are named in ``tests/mutants.toml``, each with its reason.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tomllib
import traceback
from collections.abc import Callable
from typing import Any

import pytest

from mutation.choosing import BUDGET, covering, ordered
from mutation.recording import IMPORTED, QUIET, Names, record, recorded, stored
from mutation.sites import ROOMS, ROOT, STORE, Mutant, every, sample
from mutation.trying import FirstFailure, Trial, attempt_anew, dividable, divided, preload, sound

TESTS = (
    *("tests/inference", "tests/methods", "tests/auditing", "tests/laws", "tests/oracle", "tests/comparing"),
    *("tests/pinned", "tests/presets", "tests/saving", "tests/golden"),
    *("tests/test_metrics.py", "tests/test_familiar_names.py"),
    *("fairstats/inference", "fairstats/methods", "fairstats/auditing"),
)
ALIVE = ("survived", "untested")


class Results:
    """What became of every mutant: one line each in a file that several processes write, the last one holds."""

    def __init__(self) -> None:
        self.path = STORE / "results.jsonl"
        self.known: dict[str, dict[str, Any]] = {}
        for line in self.path.read_text().splitlines() if self.path.exists() else []:
            value = json.loads(line)
            self.known[value["key"]] = value

    def note(self, mutant: Mutant, seeds: list[int], outcome: str, tests: int, killer: str = "") -> None:
        """Print one, and add it to the file."""
        found = {"outcome": outcome, "tests": tests, "killer": killer, "seeds": seeds}
        with self.path.open("a") as file:
            file.write(json.dumps({"key": mutant.key, **vars(mutant), **found}) + "\n")
        where = f"{mutant.file}:{mutant.line}  {mutant.before[:60]} → {mutant.after[:60]}"
        print(f"{outcome:9}{tests:4} tests  {where}", flush=True)


def equivalents() -> set[str]:
    """The mutants that nobody could tell."""
    named = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text()).get("equivalent", [])
    return {row["mutant"] for row in named}


def drawn(rooms: list[str], n: int, seed: int) -> list[tuple[Mutant, list[int]]]:
    """The sample of each room that has no result yet, with the seeds that drew each."""
    results, waiting = Results(), []
    for room in rooms:
        for mutant in sample(every(room), n, seed):
            known = results.known.get(mutant.key)
            if known is None:
                waiting.append((mutant, [seed]))
            elif seed not in known["seeds"]:
                seeds = sorted({seed, *known["seeds"]})
                results.note(mutant, seeds, known["outcome"], known["tests"], known["killer"])
    return waiting


def surviving(rooms: list[str], seed: int) -> list[tuple[Mutant, list[int]]]:
    """What survived of an earlier sample and still is in the code: code that changed since would be drawn otherwise."""
    known, equal = Results().known, equivalents()
    alive = {key: value["seeds"] for key, value in known.items() if value["outcome"] in ALIVE and key not in equal}
    found = [mutant for room in rooms for mutant in every(room) if seed in alive.get(mutant.key, [])]
    return [(mutant, alive[mutant.key]) for mutant in found]


def shared_out(items: list[Any], jobs: int, do: Callable[[list[Any]], None]) -> None:
    """Let several processes do a part of the items each."""
    children = []
    for part in range(jobs):
        child = os.fork()
        if not child:
            code = 1
            try:
                do(items[part::jobs])
                code = 0
            except Exception:  # noqa: BLE001  (this process ends here)
                traceback.print_exc()
            finally:
                os._exit(code)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)


def run(rooms: list[str], asked: argparse.Namespace) -> None:
    """Run a sample of mutants, those that have no result yet."""
    tests = still_there(recorded())
    seconds = {name: test["seconds"] for name, test in tests.items()}
    waiting = surviving(rooms, asked.seed) if asked.again else drawn(rooms, asked.n, asked.seed)
    imported = tests[IMPORTED]["lines"]
    chosen = {m.key: ordered(m, covering(m, tests), tests, asked.budget) for m, _ in waiting}
    at_import = [(m, s) for m, s in waiting if not m.local]
    local = [(m, s) for m, s in waiting if m.local]

    def work(trial: Trial) -> None:
        shared_out(local, asked.jobs, lambda part: one_by_one(trial, part))

    def one_by_one(trial: Trial, part: list[tuple[Mutant, list[int]]]) -> None:
        results, passing, note = Results(), dict[str, bool](), STORE / f"last.{os.getpid()}"
        for mutant, seeds in part:
            names = [name for name in chosen[mutant.key] if passing.get(name, True)]
            outcome, killer = trial.attempt(mutant, names, str(note)), ""
            while outcome not in ALIVE:
                killer = note.read_text()
                if killer not in passing:  # a test that fails by itself tells nothing
                    passing[killer] = trial.attempt(None, [killer]) == "survived"
                if passing[killer]:
                    break
                names = names[names.index(killer) + 1 :]
                outcome, killer = trial.attempt(mutant, names, str(note)), ""
            if outcome not in ALIVE or not left_for(mutant):
                results.note(mutant, seeds, outcome, len(names), killer)
        note.unlink(missing_ok=True)

    def left_for(mutant: Mutant) -> list[str]:
        """The tests that only a process of its own can try: all of what imports run, and those that use threads."""
        names = chosen[mutant.key]
        if not mutant.local or mutant.line in imported.get(mutant.file, set()):
            return names
        return [name for name in names if not dividable(name)]

    def anew(part: list[tuple[Mutant, list[int]]]) -> None:
        results, note = Results(), STORE / f"last.{os.getpid()}"
        for mutant, seeds in part:
            names, killer, outcome = left_for(mutant), "", "killed"
            while outcome not in ALIVE:
                note.write_text("")
                spent = sum(seconds[name] for name in names)
                outcome, killer = attempt_anew(mutant, names, spent, FirstFailure(str(note))), note.read_text()
                if outcome in ALIVE or sound(killer, names, spent):
                    break
                names = [name for name in names if killer and name != killer]  # what fails by itself tells nothing
            results.note(mutant, seeds, outcome, len(chosen[mutant.key]), killer if outcome not in ALIVE else "")
        note.unlink(missing_ok=True)

    def session() -> int:
        os.dup2(out, 1)
        os.dup2(errors, 2)
        files = sorted({name.partition("::")[0] for m, _ in local for name in chosen[m.key]})
        pytest.main([*QUIET, "-s", *files], plugins=[Trial(work, seconds)])
        return 0

    preload()
    out, errors = os.dup(1), os.dup(2)
    divided(session, 1e6)
    done = {key for key, value in Results().known.items() if not asked.again or value["outcome"] not in ALIVE}
    again = [(m, s) for m, s in local if m.key not in done and left_for(m)]
    shared_out(at_import + again, asked.jobs, anew)


def still_there(tests: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The tests of the record that pytest still finds: one whose case has another name now would stop all with it."""
    path = STORE / "names.json"
    path.unlink(missing_ok=True)
    files = sorted({name.partition("::")[0] for name in tests if name != IMPORTED})
    divided(lambda: int(pytest.main([*QUIET, "--collect-only", *files], plugins=[Names(path)])), 1e4)
    names = {IMPORTED, *json.loads(path.read_text())}
    return {name: test for name, test in tests.items() if name in names}


def room_of(file: str) -> str:
    """The room that a file is in."""
    return max((room for room in ROOMS if file.startswith(f"fairstats/{room}/")), key=len)


def report(rooms: list[str]) -> None:
    """Print the share of killed mutants of every sample, and those that survive."""
    equal = equivalents()
    print(f"{'room':16}{'seed':>10}{'mutants':>9}{'killed':>9}{'equivalent':>12}{'gaps':>7}{'score':>9}")
    gaps: dict[str, dict[str, Any]] = {}
    for room in rooms:
        found = {key: value for key, value in Results().known.items() if room_of(value["file"]) == room}
        for seed in sorted({seed for value in found.values() for seed in value["seeds"]}):
            own = {key: value for key, value in found.items() if seed in value["seeds"]}
            alive = {key: value for key, value in own.items() if value["outcome"] in ALIVE}
            left = {key: value for key, value in alive.items() if key not in equal}
            gaps |= left
            killed = len(own) - len(alive)
            score = killed / max(killed + len(left), 1)
            print(f"{room:16}{seed:10}{len(own):9}{killed:9}{len(alive) - len(left):12}{len(left):7}{score:9.1%}")
    for key, value in gaps.items():
        print(f"  {value['outcome']} {value['tests']} tests, line {value['line']}: {key}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m mutation", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("do", choices=["record", "run", "report"])
    parser.add_argument("what", nargs="*", help="of record: tests; of the others: rooms")
    parser.add_argument("-n", type=int, default=60)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--budget", type=float, default=BUDGET, help="seconds of tests against one mutant")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--again", action="store_true", help="of run: those that survived, once more")
    asked = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    if asked.do == "record":
        record(asked.what or [path for path in TESTS if not stored(path).exists()])
        return
    unknown = [room for room in asked.what if room not in ROOMS]
    if unknown:
        parser.error(f"no room {unknown[0]!r}; these are {', '.join(ROOMS)}")
    if asked.do == "report":
        report(asked.what or list(ROOMS))
    else:
        run(asked.what or list(ROOMS), asked)


if __name__ == "__main__":
    main()
