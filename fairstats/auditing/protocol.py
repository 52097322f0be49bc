"""The protocol: what was decided before looking at the rates, checked once, from arguments or from ``audit.toml``."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fairstats.arguments import confidence, number, one_of, random_seed, shown, text, whole
from fairstats.auditing.asked import Asked, Unsaid
from fairstats.auditing.own_words import NO_WORDS, Words, own_focus, own_words
from fairstats.choices import (
    ADJUSTMENTS,
    ALL_PAIRS,
    AUDIT,
    FAMILIES,
    MISSING,
    WEIGHT_TYPES,
    Adjust,
    FamilyOf,
    Missing,
    adjustment,
    controllable,
)
from fairstats.data.continuous import Continuous
from fairstats.edges import reason
from fairstats.errors import FileError, InputError, nearest, visible
from fairstats.files import existing
from fairstats.inference.families import Family
from fairstats.inference.margins import NO_MARGINS, Margins, margins
from fairstats.labels import label, one_label


@dataclass(frozen=True)
class Protocol:
    """What was decided before looking: labels are text, as the groups are."""

    groups: tuple[str, ...]  # audited attributes; "sex:race" is the intersection
    outcome: str = ""  # column names; "" where the audit has none
    decision: str = ""
    score: str = ""
    threshold: float | None = Asked.threshold  # decision = score >= threshold
    positive: str = label(Asked.positive)  # the outcome label that counts as 1
    favorable: str = label(Asked.favorable)  # the decision label that helps the person
    predicts: str = ""  # the decision label that says "positive" of the outcome; "" where that cannot be asked
    reference: str = Asked.reference  # the rule, or a level
    conf_level: float = Asked.conf_level
    adjust: Adjust = Asked.adjust
    family: FamilyOf = Asked.family  # whose false claims are bounded: those of one rate, or of the whole audit
    equivalence: Margins = NO_MARGINS
    min_n: int = Asked.min_n
    missing: Missing = Asked.missing  # what happens to people without a group
    strata: str = ""
    weights: str = ""
    weight_type: str = ""
    clusters: str = ""
    unused: tuple[str, ...] = ()  # parts of a sampling design of R's survey that the audit does without
    order: tuple[tuple[str, ...], ...] = ()  # of ordered columns: an attribute, and its groups as tables have them
    focus: tuple[str, ...] = ()  # attribute and two groups: the comparison of page one
    words: Words = NO_WORDS  # what sentences call people, decisions and groups
    seed: int = Asked.seed
    declared: bool = False  # True only when read from a protocol file
    source: str = ""  # that file's name
    sha256: str = ""  # and its hash
    changed: str = ""  # when that file was last changed, ISO 8601 in UTC

    @property
    def multiplicity(self) -> Family:
        """How the comparisons of one rate are adjusted, and the declared margins."""
        all_pairs = adjustment(self.adjust, self.reference) is ALL_PAIRS
        return Family(self.conf_level, self.adjust, all_pairs, self.family == AUDIT, self.equivalence)


def declare(asked: Asked, file: str | Path | None = None) -> Protocol:
    """Check what can be checked without data and freeze it.

    Parameters
    ----------
    asked : Asked
        The arguments of `audit`.
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
    >>> declare(Asked(groups="race", decision="hired", favorable="yes")).groups
    ('race',)
    """
    made = _judged(asked)
    if file is None:
        _refuse_unsaid_side(made, asked.favorable)
        return _together(made)
    declared, origin = read_protocol(file)
    planned = _judged(replace(Asked(), **declared))
    _refuse_contradictions(asked, made, planned, declared, origin["source"])
    # what the file is silent about may be said by the caller
    values = {**{f.name: getattr(made, f.name) for f in fields(made)}, **{n: getattr(planned, n) for n in declared}}
    whole = Protocol(**{**values, **origin})
    _refuse_unsaid_side(whole, declared.get("favorable", asked.favorable))
    return _together(whole)


def read_protocol(file: str | Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read ``audit.toml``: the arguments of `audit` by name, at the top or under ``[audit]``.

    Parameters
    ----------
    file : str or Path
        The file.

    Returns
    -------
    declared, origin : dict
        The arguments, and the file's name, SHA-256 and time of its last change.

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
    path = existing(file, "protocol")
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise FileError(f"protocol has {str(file)!r}; it cannot be read ({error.strerror}); check the path.") from error
    try:
        content = tomllib.loads(raw.decode("utf-8"))
    except (RecursionError, ValueError) as error:  # not TOML, not UTF-8, a number of thousands of digits
        raise InputError(
            f"protocol has {str(file)!r}; it is not TOML: {reason(error)}; write one name = value a line."
        ) from error
    declared = content.get("audit", content)
    if not isinstance(declared, dict):
        raise InputError(f"protocol has {str(file)!r}; its entry audit is no table; write [audit] above the entries.")
    known = tuple(f.name for f in fields(Asked))
    for name in declared:
        if name not in known:
            raise InputError(
                f"protocol has the entry {name!r}; an audit has no such argument{nearest(name, known)}; "
                f"the entries are {', '.join(known)}."
            )
    changed = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")
    origin = {"source": visible(path.name), "sha256": hashlib.sha256(raw).hexdigest(), "changed": changed}
    return declared, {"declared": True, **origin}


def _refuse_contradictions(
    asked: Asked, made: Protocol, planned: Protocol, declared: dict[str, Any], source: str
) -> None:
    """What the caller said beside the file must be what the file says: a label is its text, a name a list of one."""
    for name in asked.said():
        if name in declared and _text(getattr(made, name)) != _text(getattr(planned, name)):
            raise InputError(
                f"{name} has {shown(getattr(asked, name))}; the protocol {source} declares {shown(declared[name])}; "
                f"drop the argument, or declare the other value in the file before looking at the data."
            )


def _refuse_unsaid_side(made: Protocol, favorable: Any) -> None:
    """Words for the favorable decision need its label: a default would put them on either side."""
    phrase = made.words.favorable
    if phrase and isinstance(favorable, Unsaid) and (made.decision or made.threshold is not None):
        reached = "" if made.threshold is None else f", which is a score of {made.threshold:g} or more"
        raise InputError(
            f"words has 'favorable' ({shown(phrase)}) and favorable is absent; the phrase would be said of the "
            f"default, 1{reached}; pass favorable=1 if that is meant, otherwise the other label."
        )


def _text(value: Any) -> Any:
    return value.upper() if isinstance(value, str) else value


def _judged(asked: Asked) -> Protocol:
    """Every argument on its own."""
    return Protocol(
        groups=_names("groups", asked.groups),
        outcome=_column("outcome", asked.outcome),
        decision=_column("decision", asked.decision),
        score=_column("score", asked.score),
        threshold=None if asked.threshold is None else number("threshold", asked.threshold),
        positive=one_label("positive", asked.positive),
        favorable=one_label("favorable", asked.favorable),
        predicts="" if asked.predicts is None else one_label("predicts", asked.predicts),
        reference=_reference(asked.reference),
        conf_level=confidence(asked.conf_level),
        adjust=_adjust(asked.adjust),
        family=one_of("family", asked.family, FAMILIES),
        equivalence=margins(asked.equivalence),
        min_n=whole("min_n", asked.min_n, 1),
        missing=one_of("missing", asked.missing, MISSING),
        strata=":".join(_names("strata", asked.strata)),
        weights=_column("weights", asked.weights),
        weight_type=one_of("weight_type", asked.weight_type, WEIGHT_TYPES),
        clusters=_column("clusters", asked.clusters),
        focus=own_focus(asked.focus),
        words=own_words(asked.words),
        seed=random_seed(asked.seed),
    )


def _together(p: Protocol) -> Protocol:
    """The arguments beside each other; what has no meaning without another is cleared."""
    undo = f", or take the # from a line of the protocol {p.source!r} that does" if p.source else ""
    if not (p.outcome or p.decision or p.score):
        raise InputError(
            f"outcome, decision and score are all absent; nothing can be audited; name at least one column{undo}."
        )
    if not p.groups:
        raise InputError(f"groups is absent; an audit compares groups; name one column or several{undo}.")
    controllable(p.family, p.adjust, p.reference)
    if p.threshold is not None:
        if not p.score:
            raise InputError(f"threshold has {p.threshold:g}; it needs scores; name the column with score=.")
        if p.decision:
            raise InputError(
                f"threshold has {p.threshold:g} and decision has {p.decision!r}; the decisions would be defined "
                f"twice; drop one of the two."
            )
        for name, value in (("favorable", p.favorable), ("predicts", p.predicts or "1")):
            if value not in ("0", "1"):
                raise InputError(
                    f"{name} has {value!r}; a threshold makes the decisions 1 (score at or above it) and 0; "
                    f"pass {name}=1 or {name}=0."
                )
    return p if p.weights else replace(p, weight_type="")


def _names(argument: str, value: Any) -> tuple[str, ...]:
    """The names of columns, each once."""
    if value is None:
        return ()
    if isinstance(value, Continuous):
        raise InputError(
            f"{argument} has continuous({value.name or value.values!r}), which is no set of groups; an audit compares "
            "groups; cut the numbers into classes, and name the column that has them."
            if isinstance(value.values, str) or value.name
            else f"{argument} has continuous numbers; an audit compares groups; cut them into classes."
        )
    names = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, (list, tuple)) else (value,)
    for name in names:
        if not isinstance(name, str) or not name:
            raise InputError(f"{argument} has {shown(name)}; a column is named by text; pass one name or a list.")
    repeated = sorted({n for n in names if names.count(n) > 1})
    if repeated:
        raise InputError(f"{argument} has {repeated[0]!r} more than once; each column is used once; drop the repeat.")
    return names


def _column(argument: str, value: Any) -> str:
    return "" if value is None else text(argument, value, "pass the name of a column of data")


def _adjust(value: Any) -> Adjust:
    if isinstance(value, str) and value == "max-t":  # which the package had: why it is no more
        raise InputError(
            "adjust has 'max-t'; exchanging the labels of all groups says nothing of one comparison once another is "
            "real (it made false claims in up to 33 %); pass adjust='bonferroni'."
        )
    name: Adjust = one_of("adjust", value, ADJUSTMENTS)
    return name


def _reference(reference: Any) -> str:
    if isinstance(reference, Mapping):
        named = {text("reference", a, "name each attribute"): one_label("reference", v) for a, v in reference.items()}
        return "; ".join(f"{attribute}={level}" for attribute, level in named.items())
    return one_label("reference", reference)
