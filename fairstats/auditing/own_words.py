"""The words and the comparison that a protocol declares: how its sentences call people, decisions and groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from fairstats.arguments import shown, text
from fairstats.errors import InputError, listing, nearest
from fairstats.labels import one_label

_PHRASE = "pass words as they stand in a sentence, without a full stop"
_TWINS = (("favorable", "unfavorable"), ("positive", "negative"))
_MAPS = ("attributes", "groups")


@dataclass(frozen=True)
class Words:
    """What the sentences of a report call the people, what was decided, what happened, and the groups.

    Attributes
    ----------
    title : str
        Of the report.
    unit : str
        The people, as a plural noun: "arrestees".
    population : str
        What follows that noun where the data are described: "arrested in Toronto, 1997 to 2002".
    favorable, unfavorable : str
        Verb phrases of the two decisions: "were released", "were held".
    positive, negative : str
        Verb phrases of the two outcomes: "were re-arrested", "were not re-arrested".
    score : str
        The score as a noun with its article: "the COMPAS score".
    attributes : tuple of (column, name)
        Names of the attributes.
    groups : tuple of (column, label, name)
        Names of their groups, as they stand before the unit: "Black".
    """

    title: str = ""
    unit: str = ""
    population: str = ""
    favorable: str = ""
    unfavorable: str = ""
    positive: str = ""
    negative: str = ""
    score: str = ""
    attributes: tuple[tuple[str, str], ...] = ()
    groups: tuple[tuple[str, str, str], ...] = ()

    def attribute(self, column: str) -> str:
        """The name of an attribute, of an intersection its parts with a cross between them."""
        known = dict(self.attributes)
        return " × ".join(known.get(part, part) for part in column.split(":"))

    def people(self, noun: str) -> str:
        """The people with what is said of the population; its noun is said once where both have it.

        Examples
        --------
        >>> Words(unit="people", population="people arrested in Toronto").people("people")
        'people arrested in Toronto'
        """
        noun = self.unit or noun
        repeated = self.population.lower().startswith(f"{noun.lower()} ")
        return self.population if repeated else f"{noun} {self.population}".rstrip()

    def group(self, column: str, label: str) -> str:
        """The name of a group, "" where none was given."""
        return next((name for a, own, name in self.groups if (a, own) == (column, label)), "")

    def given(self) -> dict[str, Any]:
        """The words that were given, as `fairstats.audit` takes them.

        Examples
        --------
        >>> own_words({"unit": "arrestees", "groups": {"colour": {"1": "Black"}}}).given()
        {'unit': 'arrestees', 'groups': {'colour': {'1': 'Black'}}}
        """
        said: dict[str, Any] = {name: getattr(self, name) for name in KEYS if name not in _MAPS}
        names: dict[str, dict[str, str]] = {}
        for column, label, name in self.groups:
            names.setdefault(column, {})[label] = name
        said |= {"attributes": dict(self.attributes), "groups": names}
        return {name: value for name, value in said.items() if value}


NO_WORDS = Words()
KEYS = tuple(f.name for f in fields(Words))


def own_words(value: Any) -> Words:
    """Judge the words of a protocol, without the data.

    Parameters
    ----------
    value : None, mapping or Words
        Some of the names of `Words`; ``attributes`` maps columns to names, ``groups`` columns to names by label.

    Returns
    -------
    Words

    Raises
    ------
    InputError
        If a name is unknown, a phrase is no text on one line, one of two phrases lacks the other, or there is a
        phrase and no unit.

    Examples
    --------
    >>> made = own_words({"unit": "arrestees", "groups": {"colour": {"Black": "Black"}}})
    >>> made.unit, made.group("colour", "Black")
    ('arrestees', 'Black')
    """
    if isinstance(value, Words):
        return value
    if value is None:
        return NO_WORDS
    if not isinstance(value, Mapping):
        raise InputError(
            f"words has {shown(value)}; it is a mapping of {listing(KEYS, 12)}; pass some of them, "
            "as in {'unit': 'arrestees'}."
        )
    for name in value:
        if name not in KEYS:
            raise InputError(
                f"words has {shown(name)}; there is no such entry{nearest(str(name), KEYS)}; "
                f"the entries are {', '.join(KEYS)}."
            )
    said: dict[str, Any] = {k: _phrase(f"words[{k!r}]", v) for k, v in value.items() if k not in _MAPS}
    for one, other in (*_TWINS, *(pair[::-1] for pair in _TWINS)):
        if one in said and other not in said:
            raise InputError(
                f"words has {one!r} without {other!r}; both sides of a decision or an outcome are spoken of; "
                f"add words[{other!r}]."
            )
    phrases = [name for name in ("favorable", "positive", "score") if name in said]
    if phrases and "unit" not in said:
        raise InputError(
            f"words has {phrases[0]!r} without 'unit'; a phrase needs the people that it is said of; "
            "add words['unit'], as in 'arrestees'."
        )
    attributes = _mapping("words['attributes']", value.get("attributes", {}))
    groups = _mapping("words['groups']", value.get("groups", {}))
    return Words(
        **said,
        attributes=tuple((a, _phrase(f"words['attributes'][{a!r}]", v)) for a, v in attributes.items()),
        groups=tuple(
            (a, one_label("words", label), _phrase(f"words['groups'][{a!r}][{label!r}]", name))
            for a, names in groups.items()
            for label, name in _mapping(f"words['groups'][{a!r}]", names).items()
        ),
    )


def _mapping(said: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InputError(f"{said} has {shown(value)}; it maps each name in the data to words; pass a mapping.")
    return value


def _phrase(said: str, value: Any) -> str:
    phrase = text(said, value, _PHRASE)
    if not phrase.strip() or "\n" in phrase or phrase.rstrip().endswith("."):
        raise InputError(f"{said} has {shown(value)}; that is no phrase of a sentence; {_PHRASE}.")
    return " ".join(phrase.split())


def known_words(words: Words, labels: Mapping[str, Sequence[str]]) -> None:
    """Refuse names of attributes and groups that the data do not have.

    Parameters
    ----------
    words : Words
        As declared.
    labels : mapping
        Attribute to the labels of its groups.

    Raises
    ------
    InputError
        If an attribute is not audited, or has no such group.

    Examples
    --------
    >>> known_words(Words(attributes=(("sex", "gender"),)), {"sex": ["f", "m"]})
    """
    for column in (*(a for a, _ in words.attributes), *(a for a, _, _ in words.groups)):
        if column not in labels:
            raise InputError(
                f"words names the attribute {column!r}; the audited attributes are {listing(list(labels))}"
                f"{nearest(column, labels)}; name one of them."
            )
    for column, label, _ in words.groups:
        _known("words", column, label, labels[column])


def _known(argument: str, column: str, label: str, labels: Sequence[str]) -> None:
    if label not in labels:
        raise InputError(
            f"{argument} names the group {label!r}; {column!r} has no such group{nearest(label, labels)}; "
            f"its groups are {listing(list(labels), 12)}."
        )


def own_focus(value: Any) -> tuple[str, ...]:
    """Judge the comparison of page one: an attribute and two of its groups, ``{"race": ["Black", "White"]}``.

    Parameters
    ----------
    value : None or mapping
        One attribute to two labels.

    Returns
    -------
    tuple of str
        Attribute and two labels; empty where none is declared.

    Raises
    ------
    InputError
        If it names anything but one attribute and two different groups.

    Examples
    --------
    >>> own_focus({"race": ["Black", "White"]})
    ('race', 'Black', 'White')
    >>> own_focus(("race", "Black", "White"))
    ('race', 'Black', 'White')
    """
    if value is None or (isinstance(value, tuple) and not value):
        return ()
    if isinstance(value, tuple) and len(value) == 3 and all(isinstance(part, str) for part in value):
        return value  # as a protocol holds it
    if not isinstance(value, Mapping) or len(value) != 1:
        raise InputError(
            f"focus has {shown(value)}; it maps one attribute to the two groups of page one; "
            "pass {'race': ['Black', 'White']}."
        )
    ((column, pair),) = value.items()
    if not isinstance(pair, (list, tuple)) or len(pair) != 2:
        raise InputError(
            f"focus has {shown(pair)} for {shown(column)}; a comparison is of two groups; pass two labels."
        )
    labels = tuple(one_label("focus", label) for label in pair)
    if labels[0] == labels[1]:
        raise InputError(f"focus has the group {labels[0]!r} twice; a comparison is of two groups; name another one.")
    return (text("focus", column, "name the attribute"), *labels)


def known_focus(focus: tuple[str, ...], labels: Mapping[str, Sequence[str]]) -> None:
    """Refuse a focus on an attribute or a group that the data do not have.

    Parameters
    ----------
    focus : tuple of str
        As declared.
    labels : mapping
        Attribute to the labels of its groups.

    Raises
    ------
    InputError
        If the attribute is not audited, or has no such group.

    Examples
    --------
    >>> known_focus(("sex", "f", "m"), {"sex": ["f", "m"]})
    """
    if not focus:
        return
    column, *pair = focus
    if column not in labels:
        raise InputError(
            f"focus names the attribute {column!r}; the audited attributes are {listing(list(labels))}"
            f"{nearest(column, labels)}; name one of them."
        )
    for label in pair:
        _known("focus", column, label, labels[column])
