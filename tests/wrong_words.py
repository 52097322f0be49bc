"""A valid line of every command, and wrong words for every option and file of it, made from the commands themselves."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from fairstats.cli import COMMANDS, run
from tests.laws.every_result import people

WORDS = (
    "", "x", "-1", "0", "1.5", "nan", "inf", "1e400", "9" * 400, "x" * 5000, "a,b", ",", "a=b", "=", "[", "~", "~ u",
    "sex", "~ x +", "..", "/", "nowhere/x.html", "x.csv", "people.csv", "empty.csv", "pipe.csv", "\x1b[2J", "\udcff",
    "'; rm -rf", "é", "null", "-", "{}", "%s", "*",
)  # fmt: skip
# Opens a browser; waits for a terminal.
SKIPPED = {"opened"}
LINES: dict[str, list[str]] = {
    "describe": ["describe", "people.csv"],
    "protocol init": ["protocol", "init", "people.csv"],
    "audit": ["audit", "people.csv", "--groups", "sex", "--decision", "hired"],
    "compare-audits": [
        "compare-audits",
        "audit.npz",
        "later.npz",
        "--metric",
        "selection rate",
        "--to",
        "c.json",
        "--force",
    ],
    "decompose": ["decompose", "people.csv", "--groups", "sex", "--decision", "hired", "--explained-by", "~ race"],
    "subgroup-scan": ["subgroup-scan", "people.csv", "--groups", "sex,race", "--decision", "hired", "--min-n", "3"],
    "representation": ["representation", "people.csv", "--groups", "sex", "--benchmark", "f=0.5"],
    "stages": ["stages", "people.csv", "--groups", "sex", "--stages", "hired"],
    "matched-pairs": ["matched-pairs", "people.csv", "--decision", "hired", "--groups", "sex", "--blocks", "dept"],
    "compare-models": ["compare-models", "people.csv", "--models", "hired,good", "--groups", "sex"],
    "monitor": ["monitor", "people.csv", "--decision", "hired", "--groups", "sex", "--period", "good"],
    "alternatives": [
        *(
            "alternatives",
            "many.csv",
            "--candidates",
            "a=hired,b=score",
            "--threshold",
            "0",
            "--groups",
            "sex",
            "--outcome",
            "good",
        ),
    ],
    "group-probabilities": [
        *("group-probabilities", "scores.csv", "--decision", "hired", "--groups", "a=score,b=rest"),
    ],
    "pay": ["pay", "people.csv", "--pay", "score", "--groups", "sex"],
    "tally": ["tally", "people.csv", "--groups", "sex", "--decision", "hired", "--to", "t.json", "--force"],
    "verify": ["verify", "audit.json", "people.csv"],
    "report": ["report", "audit.npz", "--to", "r.json", "--force"],
    "plot": ["plot", "audit.npz"],
    "fit": ["fit", "og", "people.csv", "--groups", "sex", "--features", "u,v,w", "-k", "1"],
    "apply": ["apply", "fit.npz", "people.csv", "--to", "a.csv", "--force"],
    "leakage": [
        *("leakage", "og", "people.csv", "--groups", "sex", "--features", "u,v,w", "-k", "1"),
        *("--permutations", "2"),
    ],
    "price": ["price", "og", "people.csv", "--groups", "sex", "--features", "u,v,w", "-k", "1"],
    "extra-error": [
        *("extra-error", "og", "people.csv", "--groups", "sex", "--features", "u,v,w", "-k", "1"),
        *("--permutations", "2"),
    ],
    "select-k": [
        *("select-k", "og", "people.csv", "--groups", "sex", "--features", "u,v,w", "--permutations", "2"),
    ],
    "proxies": ["proxies", "people.csv", "--groups", "sex", "--features", "u,v"],
    "tradeoff": [
        *("tradeoff", "people.csv", "--groups", "sex", "--features", "u,v,w", "-k", "1", "--methods", "pca,og"),
        *("--set", "og.basis=residual"),
    ],
    "compare": [
        *("compare", "people.csv", "--groups", "sex", "--outcome", "good", "--features", "u,v", "--n-repeats", "2"),
        *("-k", "1", "--methods", "og"),
    ],
    "cluster": ["cluster", "edges.csv", "--nodes", "people.csv", "--groups", "sex", "--id", "id", "--n-init", "1"],
    "demo": ["demo", "--to-dir", "demo"],
    "completion": ["completion", "bash"],
    "help": ["help", "audit"],
}


def options() -> Iterator[tuple[str, click.Parameter]]:
    """Every command and what it takes, flags apart."""
    for command in COMMANDS:
        inner = command.commands.values() if isinstance(command, click.Group) else [command]
        for one in inner:
            name = one.name if one is command else f"{command.name} {one.name}"
            for parameter in one.params:
                if not getattr(parameter, "is_flag", False) and parameter.name not in SKIPPED:
                    yield str(name), parameter


def line(command: str, parameter: click.Parameter, word: str) -> list[str]:
    """The valid line with one word wrong."""
    valid = LINES[command]
    if isinstance(parameter, click.Option):
        long = [flag for flag in parameter.opts if flag.startswith("--")] or parameter.opts
        return [*valid, long[0], word]
    words = command.count(" ") + 1
    places = [p.name for p in _command(command).params if isinstance(p, click.Argument)]
    at = words + places.index(parameter.name)
    return [*valid[:at], word, *valid[at + 1 :]]


def _command(name: str) -> click.Command:
    first, _, rest = name.partition(" ")
    result = next(command for command in COMMANDS if command.name == first)
    return result.commands[rest] if rest and isinstance(result, click.Group) else result


def prepare(folder: Path) -> None:
    """The files that the lines name, in the folder that is the current one."""
    table = people(40).assign(id=[f"v{i}" for i in range(40)])
    table.to_csv(folder / "people.csv", index=False)
    (folder / "edges.csv").write_text(
        "from,to\n" + "".join(f"v{i},v{(i + step) % 40}\n" for i in range(40) for step in (1, 2, 3))
    )
    table.assign(rest=1 - table["score"]).to_csv(folder / "scores.csv", index=False)
    people(160).to_csv(folder / "many.csv", index=False)
    (folder / "empty.csv").write_text("")
    os.mkfifo(folder / "pipe.csv")
    assert run([*LINES["audit"], "--to", "audit.npz", "--to", "audit.json"]) == 0
    table.assign(hired=table["hired"].to_numpy()[::-1]).to_csv(folder / "later.csv", index=False)
    assert run(["audit", "later.csv", *LINES["audit"][2:], "--to", "later.npz"]) == 0
    assert run([*LINES["fit"], "--to", "fit.npz"]) == 0
