"""``--fail-on``: what ends a command with exit code 1, judged from the rows of its result."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import click

from fairstats.errors import InputError, listing, visible
from fairstats.glossary import SHOWN

GATE_FAILED = 1
AUDIT = ("disparity", "no-equivalence", "ratio<0.8")
PROBE = "AUC of"  # how the metrics of probes begin
CHANGE = ("drift", "worse", "worse>0.05")
SUBGROUPS = ("disparity",)
LEAKAGE = ("disparity", "no-equivalence", "leakage>0.6")
_LIMITED = re.compile(r"(ratio)\s*<\s*([0-9.]+)|(leakage|worse)\s*>\s*([0-9.]+)")


@dataclass(frozen=True)
class Gate:
    """One condition under which a command fails: its name, its limit where it has one, and the text it was given as."""

    name: str
    limit: float
    text: str


def fail_on(forms: Sequence[str]) -> Any:
    """The option of a command whose gates have these forms."""

    def read(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> list[Gate]:
        return [_gate(text.strip(), forms) for value in given for text in value.split(",")]

    said = " or ".join([*([", ".join(forms[:-1])] if forms[1:] else []), forms[-1]])
    number = " (any number)" if any(char.isdigit() for char in said) else ""
    return click.option(
        "--fail-on", "gates", multiple=True, callback=read, metavar="GATE",
        help=f"End with exit code 1 where this holds: {said}{number}; repeatable.",
    )  # fmt: skip


def _gate(text: str, forms: Sequence[str]) -> Gate:
    limited = _LIMITED.fullmatch(text)
    name = (limited[1] or limited[3]) if limited else text
    if not any(re.match(r"[a-z-]+", form)[0] == name for form in forms):  # type: ignore[index]
        raise click.BadParameter(f"{text!r} is no gate of this command; it can be {listing(forms)}.")
    try:
        limit = float(limited[2] or limited[4]) if limited else 0.0
    except ValueError:
        limit = 2.0
    if limit > 1 or (limited is None and text in ("ratio", "leakage")):
        raise click.BadParameter(f"{text!r} has no number from 0 to 1, as in {forms[-1]}.")
    return Gate(name, limit, text)


def failures(gates: Iterable[Gate], result: Any) -> list[str]:
    """Return one line for each gate that failed: what, where, how often.

    Raises
    ------
    InputError
        A gate asks for something that the result has no rows of.
    """
    return [line for gate in gates if (line := _WAYS[gate.name](gate, result))]


def _disparity(gate: Gate, result: Any) -> str:
    rows = result.estimates.where(verdict=SHOWN)
    word = SHOWN[0] if any(row.verdict == SHOWN[0] for row in rows) else SHOWN[1]
    return _line(word, "comparisons", rows) if len(rows) else ""


def _no_equivalence(gate: Gate, result: Any) -> str:
    """Every comparison that the margin is for; one that could not be estimated is not shown to be equivalent either."""
    from fairstats.auditing.gate import compared  # they bring NumPy and SciPy, which help does not need
    from fairstats.auditing.result import Audit

    if isinstance(result, Audit):
        rows = compared(result) if result.protocol.equivalence else []
    else:
        rows = [row for row in result.estimates.where(role="main") if row.metric.startswith(PROBE)]
        rows = rows if result.margin is not None else []
    if not rows:
        raise InputError(
            f"--fail-on has {gate.text!r}; no margin was declared, so equivalence cannot be shown; declare it in "
            "advance: --equivalence 0.05."
        )
    left = [row for row in rows if row.verdict != "equivalence shown"]
    return _line("equivalence is not shown", "comparisons", left) if left else ""


def _ratio(gate: Gate, result: Any) -> str:
    ratios = [r for role in ("main", "all groups") for r in result.estimates.where(role=role, contrast="ratio")]
    ratios = [row for row in ratios if row.metric in ("selection rate", "impact ratio") and row.status == "ok"]
    if not ratios:
        raise InputError(f"--fail-on has {gate.text!r}; the audit has no ratio of selection rates; name --decision.")
    below = [row for row in ratios if row.estimate < gate.limit]
    return _line(f"ratio of selection rates below {gate.limit:g}", "comparisons", below) if below else ""


def _leakage(gate: Gate, result: Any) -> str:
    rows = [row for row in result.estimates if row.metric.startswith(PROBE) and row.estimate > gate.limit]
    return _line(f"AUC of a probe above {gate.limit:g}", "rows", rows) if rows else ""


def _drift(gate: Gate, result: Any) -> str:
    """A group that has no rate any more is no change that is shown, and no peace either."""
    rows = result.drifts()
    return _line("a change is shown", "comparisons", rows) if len(rows) else _absent(result)


def _worse(gate: Gate, result: Any) -> str:
    """A difference that is larger than before, and surely moved there by more than the limit."""
    rows = result.worsened(gate.limit)
    by = f" by more than {gate.limit:g}" if gate.limit else ""
    return _line(f"a difference became larger{by}", "comparisons", rows) if len(rows) else _absent(result)


def _absent(result: Any) -> str:
    rows = [row for row in result.estimates if row.status != "ok"]
    return _line("there is no rate to compare", "comparisons", rows) if rows else ""


_WAYS = {
    "drift": _drift,
    "worse": _worse,
    "disparity": _disparity,
    "no-equivalence": _no_equivalence,
    "ratio": _ratio,
    "leakage": _leakage,
}


def _line(what: str, of: str, rows: Sequence[Any]) -> str:
    places = dict.fromkeys(_place(row) for row in rows)
    return f"gate failed: {what} in {len(rows)} {of}: {listing(places, 3)}."


def _place(row: Any) -> str:
    among = f"{row.group} against {row.reference}" if row.reference else row.group or f"the groups of {row.attribute}"
    return f"{row.metric} of {among}"


def judged(gates: Iterable[Gate], result: Any) -> int:
    """Say on stderr which gates failed; return the exit code."""
    lines = failures(gates, result)
    for line in lines:
        click.echo(visible(f"fairstats: {line}"), err=True)
    return GATE_FAILED if lines else 0
