"""The protocol: what was decided before looking at the rates, checked once, from arguments or from ``audit.toml``."""

from __future__ import annotations

import hashlib
import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any

from fairstats.choices import ADJUSTMENTS, LARGEST_GROUP, MISSING, WEIGHT_TYPES
from fairstats.errors import FileError, InputError, nearest
from fairstats.files import existing
from fairstats.inference.rates.one_rate import choose
from fairstats.labels import label

DEFAULTS: dict[str, Any] = {
    "outcome": None,
    "decision": None,
    "score": None,
    "threshold": None,
    "groups": None,
    "favorable": 1,
    "positive": 1,
    "predicts": None,
    "reference": "largest_group",
    "conf_level": 0.95,
    "adjust": "holm",
    "equivalence": None,
    "strata": None,
    "weights": None,
    "weight_type": "frequency",
    "clusters": None,
    "min_n": 1,
    "missing": "level",
    "seed": 0,
}


@dataclass(frozen=True)
class Protocol:
    """What was decided before looking: labels are text, as the groups are."""

    groups: tuple[str, ...]  # audited attributes; "sex:race" is the intersection
    outcome: str = ""  # column names; "" where the audit has none
    decision: str = ""
    score: str = ""
    threshold: float | None = None  # decision = score >= threshold
    positive: str = "1"  # the outcome label that counts as 1
    favorable: str = "1"  # the decision label that helps the person
    predicts: str = ""  # the decision label that says "positive" of the outcome; "" where that cannot be asked
    reference: str = "largest_group"  # the rule, or a level
    conf_level: float = 0.95
    adjust: str = "holm"
    equivalence: float | None = None  # margin for differences of rates
    min_n: int = 1
    missing: str = "level"  # what happens to people without a group
    strata: str = ""
    weights: str = ""
    weight_type: str = ""
    clusters: str = ""
    seed: int = 0
    declared: bool = False  # True only when read from a protocol file
    source: str = ""  # that file's name
    sha256: str = ""  # and its hash


def declare(arguments: Mapping[str, Any], file: str | Path | None = None) -> Protocol:
    """Check what can be checked without data and freeze it.

    Parameters
    ----------
    arguments : mapping
        The arguments of `audit`; absent ones take their defaults.
    file : str or Path, optional
        A protocol file. What it declares wins over defaults, and contradicting it is an error.

    Returns
    -------
    Protocol

    Raises
    ------
    InputError
        If an argument has a value that no data could make sensible, or contradicts the file.

    Examples
    --------
    >>> declare({"groups": "race", "decision": "hired", "favorable": "yes"}).groups
    ('race',)
    """
    values = {**DEFAULTS, **arguments}
    origin: dict[str, Any] = {}
    if file is not None:
        declared, origin = read_protocol(file)
        values.update(_agreeing(declared, arguments, origin["source"]))
    _check_numbers(values)
    _check_columns(values)
    return Protocol(
        groups=_attributes(values["groups"]),
        outcome=_column("outcome", values["outcome"]),
        decision=_column("decision", values["decision"]),
        score=_column("score", values["score"]),
        threshold=None if values["threshold"] is None else float(values["threshold"]),
        positive=label(values["positive"]),
        favorable=label(values["favorable"]),
        predicts="" if values["predicts"] is None else label(values["predicts"]),
        reference=_reference(values["reference"]),
        conf_level=float(values["conf_level"]),
        adjust=values["adjust"],
        equivalence=None if values["equivalence"] is None else float(values["equivalence"]),
        min_n=int(values["min_n"]),
        missing=values["missing"],
        strata=":".join(_names(values["strata"])),
        weights=_column("weights", values["weights"]),
        weight_type=values["weight_type"] if values["weights"] else "",
        clusters=_column("clusters", values["clusters"]),
        seed=int(values["seed"]),
        **origin,
    )


def read_protocol(file: str | Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read ``audit.toml``: the arguments of `audit` by name, at the top or under ``[audit]``.

    Parameters
    ----------
    file : str or Path
        The file.

    Returns
    -------
    declared, origin : dict
        The arguments, and the file's name and SHA-256.

    Raises
    ------
    FileError
        If the file cannot be read.
    InputError
        If it is not TOML, or declares something that `audit` does not know.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "audit.toml"
    >>> _ = path.write_text('groups = ["sex"]\\ndecision = "hired"')
    >>> read_protocol(path)[0]
    {'groups': ['sex'], 'decision': 'hired'}
    """
    path = existing(file)
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise FileError(f"protocol has {str(file)!r}; it cannot be read ({error.strerror}); check the path.") from error
    try:
        content = tomllib.loads(raw.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(
            f"protocol has {str(file)!r}; it is not TOML: {error}; write one name = value a line."
        ) from None
    declared = content.get("audit", content)
    for name in declared:
        if name not in DEFAULTS:
            raise InputError(
                f"protocol has the entry {name!r}; an audit has no such argument{nearest(name, DEFAULTS)}; "
                f"the entries are {', '.join(DEFAULTS)}."
            )
    return declared, {"declared": True, "source": path.name, "sha256": hashlib.sha256(raw).hexdigest()}


def _agreeing(declared: dict[str, Any], given: Mapping[str, Any], source: str) -> dict[str, Any]:
    for name, value in declared.items():
        asked = given.get(name, DEFAULTS[name])
        if asked != DEFAULTS[name] and not _same(name, asked, value):
            raise InputError(
                f"{name} has {asked!r}; the protocol {source} declares {value!r}; "
                f"drop the argument, or declare the other value in the file before looking at the data."
            )
    return declared


def _same(name: str, asked: Any, declared: Any) -> bool:
    """Whether an argument says what the file says: one name is a list of one, and a label is its text."""
    if name in ("groups", "strata"):
        return _names(asked) == _names(declared)
    if name in ("favorable", "positive", "predicts") and asked is not None and declared is not None:
        return label(asked).upper() == label(declared).upper()
    return bool(asked == declared)


def _check_numbers(values: Mapping[str, Any]) -> None:
    _in_range("conf_level", values["conf_level"], 0, 1, "a confidence level lies between 0 and 1; pass 0.95")
    if values["equivalence"] is not None:
        way = "a margin is a difference of rates above 0 and below 1; pass, say, 0.05"
        _in_range("equivalence", values["equivalence"], 0, 1, way)
    if values["threshold"] is not None and not _finite(values["threshold"]):
        raise InputError(f"threshold has {values['threshold']!r}; a threshold is a finite number; pass one.")
    _whole("min_n", values["min_n"], 1)
    _whole("seed", values["seed"], 0)
    choose("adjust", values["adjust"], ADJUSTMENTS)
    choose("missing", values["missing"], MISSING)
    choose("weight_type", values["weight_type"], WEIGHT_TYPES)


def _check_columns(values: Mapping[str, Any]) -> None:
    if not any(values[name] is not None for name in ("outcome", "decision", "score")):
        raise InputError(
            "outcome, decision and score are all absent; nothing can be audited; name at least one column."
        )
    if values["threshold"] is not None and values["score"] is None:
        raise InputError(f"threshold has {values['threshold']!r}; it needs scores; name the column with score=.")
    if values["threshold"] is not None and values["decision"] is not None:
        raise InputError(
            f"threshold has {values['threshold']!r} and decision has {values['decision']!r}; the decisions would be "
            f"defined twice; drop one of the two."
        )
    for name in ("favorable", "predicts"):
        if values["threshold"] is not None and values[name] is not None and label(values[name]) not in ("0", "1"):
            raise InputError(
                f"{name} has {values[name]!r}; a threshold makes the decisions 1 (score at or above it) and 0; "
                f"pass {name}=1 or {name}=0."
            )


def _in_range(name: str, value: Any, low: float, high: float, way: str) -> None:
    if not _finite(value) or not low < value < high:
        raise InputError(f"{name} has {value!r}; {way}.")


def _whole(name: str, value: Any, least: int) -> None:
    if not _finite(value) or value != int(value) or value < least:
        raise InputError(f"{name} has {value!r}; it is a whole number of at least {least}; pass one.")


def _finite(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)


def _names(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(str(v) for v in value)


def _column(argument: str, value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    raise InputError(f"{argument} has {value!r}; a column is named by text; pass the name of a column of data.")


def _attributes(groups: Any) -> tuple[str, ...]:
    names = _names(groups)
    if not names:
        raise InputError("groups is absent; an audit compares groups; name one column or several.")
    repeated = sorted({n for n in names if names.count(n) > 1})
    if repeated:
        raise InputError(f"groups has {repeated[0]!r} more than once; each attribute is audited once; drop the repeat.")
    return names


def _reference(reference: Any) -> str:
    if isinstance(reference, Mapping):
        return "; ".join(f"{attribute}={label(level)}" for attribute, level in reference.items())
    return label(reference)


def references_by_attribute(reference: str, attributes: Iterable[str]) -> dict[str, str]:
    """Which rule or level each attribute has: ``sex=Male; race=White`` names them one by one.

    Examples
    --------
    >>> references_by_attribute("race=White", ["sex", "race"])
    {'sex': 'largest_group', 'race': 'White'}
    >>> references_by_attribute("Male", ["sex"])
    {'sex': 'Male'}
    """
    known = tuple(attributes)
    parts = [part.partition("=") for part in reference.split("; ")]
    if not all(separator and attribute in known for attribute, separator, _ in parts):
        return dict.fromkeys(known, reference)
    named = {attribute: level for attribute, _, level in parts}
    return {attribute: named.get(attribute, LARGEST_GROUP) for attribute in known}
