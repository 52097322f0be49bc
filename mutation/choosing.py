"""Which tests are tried against a mutant, and in what order."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from mutation.recording import IMPORTED, text_of
from mutation.sites import Mutant

BUDGET = 40.0  # recorded seconds of tests against one mutant
FIRST = 8.0  # of these the seconds of quick tests, which come first
DEFAULTS = (  # tests that read signatures and tables, and so run no line of what they are about
    *("tests/laws/test_defaults.py", "tests/inference/test_default_levels.py"),
    *("tests/auditing/test_messages.py", "tests/auditing/test_cautions.py"),
    "tests/laws/test_fit_summaries.py::test_whoever_names_no_number_of_components_gets_two_and_no_seed_0",
)
KIN = 4  # cases of one test that are tried before other tests have had their turn


def covering(mutant: Mutant, tests: dict[str, dict[str, Any]]) -> list[str]:
    """The tests that run a mutant's line, else its statement, else its file.

    What runs while a module is imported runs in whichever test asks for it first: there every test of the file counts,
    those of test files that import it, which may read its tables and run nothing, and those that read its signatures.
    """
    lines = {name: test["lines"].get(mutant.file, set()) for name, test in tests.items() if name != IMPORTED}
    for wanted in ({mutant.line}, {mutant.statement}) if mutant.local else ():
        found = [name for name, run in lines.items() if run & wanted]
        if found:
            return found
    reads = {
        file: not mutant.local and imports(file, mutant.file) for file in {name.partition("::")[0] for name in lines}
    }
    return [
        name
        for name, run in lines.items()
        if run or reads[name.partition("::")[0]] or (not mutant.local and name.startswith(DEFAULTS))
    ]


def imports(test_file: str, file: str) -> bool:
    """Whether a file of tests names a module of the package in its imports."""
    package, _, name = file.removesuffix(".py").replace("/", ".").rpartition(".")
    return bool(re.search(rf"from {re.escape(package)}(\.{name} import|\ import .*\b{name}\b)", text_of(test_file)))


def ordered(mutant: Mutant, names: list[str], tests: dict[str, dict[str, Any]], budget: float = BUDGET) -> list[str]:
    """The tests of the module's own file first, then the quick ones; a few cases of each before more of the same.

    What fits the first seconds comes first, then whatever else fits the budget: only the budget leaves a test out.
    """
    own = f"test_{Path(mutant.file).stem}.py"
    kin: Counter[str] = Counter()
    ranked = []
    for name in sorted(names, key=lambda name: tests[name]["seconds"]):
        base = name.partition("[")[0]
        near = own in name or mutant.file in name or name.startswith(DEFAULTS)
        ranked.append((not near, kin[base] // KIN, tests[name]["seconds"], name))
        kin[base] += 1
    chosen, spent = dict[str, None](), 0.0
    for most in (min(FIRST, budget), budget):
        for *_, seconds, name in sorted(ranked):
            if name not in chosen and (not chosen or spent + seconds <= most):
                chosen[name] = None
                spent += seconds
    return list(chosen)
