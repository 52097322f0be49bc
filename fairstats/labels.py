"""The text of group labels: what a value is called, when text is a number, how labels are joined and ordered.

Two different groups never get one name. Numbers that are equal are one group (2, 2.0 and R's 2); a number and a text
that look alike are two, and are refused.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.attached import attached
from fairstats.errors import InputError, listing, of_column, renaming, snippet
from fairstats.language import DataText, Message, joined, listed, mark, message, say
from fairstats.validation import more, most, of_r, shown, word

MISSING_LEVEL = "(missing)"
OF_BYTES = ": numpy.char.decode(array), or series.str.decode('utf-8') in pandas"
IN_PANDAS = ' (a missing value makes pandas read floats; dtype="string" or "Int64" does not)'
MOST_EXACT = 2**53  # from here on, different whole numbers are the same float
INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?(?:inf|Inf|INF|[Ii]nfinity)")
PADDED = re.compile(r"[+-]?0[0-9]")
_NO_LABEL = (complex, np.complexfloating, tuple, frozenset, slice, range, BaseException)
_MISSING_WORDS = {
    "",
    "na",
    "n/a",
    "nan",
    "nil",
    "none",
    "null",
    "unknown",
    "not known",
    "missing",
    "not stated",
    "-",
    "?",
}
_OF = r"(sex|gender|race|ethnicity|race ?/ ?ethnicity)"
_UNKNOWN = re.compile(
    rf"|({_OF} )?(unknown|undisclosed|unspecified|missing|n/a|not (known|disclosed|specified|reported|provided|stated))"
    rf"( {_OF})?|no (answer|response|data)|(i )?((declin|refus)\w*( to .*)?|((prefer|cho+s|wish)\w*|do|did) not .*"
    r"|(do|did)n.?t .*)|unbekannt|keine angabe|[ko]\. ?a\.?|fehl(t|end)|nicht (erhoben|bekannt|angegeben)|[?-]+"
)
# Codes of surveys, side by side in the order of their distance from zero: below all labels, above them.
_CODES = {-1: re.compile(r"((-1|-(7+|8+|9+|9*[78])) ?)+"), 1: re.compile(r"((7+|8+|9+|9*[78]) )*9+")}
TOTALS = (
    "total",
    "totals",
    "grand total",
    "subtotal",
    "sum",
    "all",
    "overall",
    "combined",
    "everyone",
    "everybody",
    "both",
    "both sexes",
    "company",
)
# at the end of a label the word for a sum, whatever is before it: "2024 total"; not "Total hip replacement"
_SUMS = {
    *("total", "totals", "subtotal", "subtotals", "gesamt", "insgesamt", "summe", "zwischensumme", "gesamtsumme"),
    *("ergebnis", "teilergebnis", "gesamtergebnis", "totale", "totali", "totaux", "totales", "somme", "suma"),
    *("totaal", "eindtotaal", "totalt"),
}
_TOTAL = re.compile(
    rf"{'|'.join(TOTALS)}|((grand |sub)?totals?|all|overall|combined|sum)( of)?( all)? (the )?"
    r"(appl(icants|ications)|candidates|employees|hires|workers|staff|people|persons|respondents|groups|races|"
    r"ethnicities|races? ethnicit(y|ies)|sexes|genders|categories|company)|(company|sub|group) ?wide"
    r"|both genders|totale? (g[eé]n[eé]rale?|geral|complessivo)"
)
_OTHERS = re.compile(r"\bothers?\b")
_OF_OTHERS = re.compile(
    rf"(all|total|sum of) (?!others?\b).*|known( {_OF})?|((racial|ethnic|visible|other) )*minorit(y|ies)|non.?white"
    r"|people of colou?r|bi?poc"
)
_EVERYBODY = re.compile(
    r"((n|no\.|num|numbers?|total|all|count|of|anzahl|gesamt)[\W_]+)*"
    r"(totals?|sum|all|n|count|overall|every(one|body)|people|persons?|pool|appl(icants?|ications?|ied)|candidates?|"
    r"bewerber(innen)?|bewerbungen|personen|gesamt|insgesamt|summe)([\W_]+(n|totals?|count))?"
)
SEXES = {
    **dict.fromkeys(("male", "m", "man", "men"), mark("men")),
    **dict.fromkeys(("female", "f", "woman", "women"), mark("women")),
}
LOOK_ALIKE = message("Groups that may be one in several spellings are audited apart: {list_of}.")
PERHAPS_MISSING = message(
    "Labels that may mean that the group is not known are groups like any other: {list_of}. If so, make them missing, "
    "as empty cells, NA and n/a in a file are."
)
TAKEN_AS_MISSING = message(
    "Under the law of employment people whose label says that their group is not known are in no group and set no "
    "highest rate; they are counted as (missing): {list_of}."
)
PERHAPS_SUMS = message(
    "Groups that may hold people of other groups are compared like any other; if they do, these people are counted "
    "twice: {list_of}."
)
# Of the lines of a table of counts, whose people may be counted twice, or be per cents.
SAME_LINE = message(
    "Row {row} of the counts is the same as a row before it, in all columns; where it is the same people, leave it "
    "out: they are counted twice."
)
HUNDREDS = message(
    "'{total}' is 100 in every row; where '{selected}' is in per cents, take numbers of people instead: verdicts and "
    "limits are those of 100 people a row."
)
PERSON_A_ROW = message(
    "'{selected}' is 0 or 1 in each of the {n} rows, of {groups} groups: where a row is a person, '{total}' is no "
    "number of people; pass the table itself to {call}."
)
BLOCKS = message(
    "The lines of '{name}' are {blocks} blocks of {n} people, {k} of them selected, which begin with {list_of}; where "
    "these are the same people, by sex and by race, they are counted more than once: take one block at a time."
)
SEX_AND_RACE = message(
    "'{name}' has labels of a sex ('{sex}') and of a race ('{race}'); where these are the same people, by sex and by "
    "race, they are counted more than once and compared with one another: take one at a time."
)
OTHER_ATTRIBUTES = message(
    "'{name}' has other labels for each of {list_of} in '{column}', of {least} to {most} people; where these are the "
    "same people, by one attribute and by another, they are counted more than once and compared with one another: take "
    "the rows of one at a time."
)
ADDED_UP = message("Rows of the same {groups} are added up over {list_of}; to compare within it, pass {setting}.")
OF_NOBODY = message("'{total}' is 0 for {list_of} in '{name}': a group of nobody has no rate, and is left out.")
SUM_OF_REST = message(
    "'{label}' in '{name}' has {n} people, {k} of them selected, as many as the other rows together; where it is their "
    "sum, leave its row out: they are counted twice."
)
SUM_OF_SOME = message(
    "'{label}' in '{name}' has {n} people, {k} of them selected, exactly as many as {list_of} together; where it is "
    "their sum, leave its row out: they are counted twice, and it may be the reference."
)
OF_LINES = (
    *(
        SAME_LINE,
        HUNDREDS,
        PERSON_A_ROW,
        BLOCKS,
        SEX_AND_RACE,
        OTHER_ATTRIBUTES,
        ADDED_UP,
        OF_NOBODY,
        SUM_OF_REST,
        SUM_OF_SOME,
    ),
)
ODD_ANSWERS = message(
    "Labels that may be missing values or sums of others count like any label that is not the chosen one: {list_of}. "
    "If so, make them missing."
)
ALL_OTHERS = message("In {name} {chosen} is set against all other labels: {list_of}.")
PERHAPS_SCORE = message(
    "In {name} {chosen} is set against all other labels: {list_of}. If these are scores, of which the decision is a "
    "cut, pass {score} and {threshold} in place of it."
)
_TRUTH = {"True": "True", "TRUE": "True", "true": "True", "False": "False", "FALSE": "False", "false": "False"}


def label(value: Any) -> str:
    """The text of a group label: whole floats lose their ``.0``, midnights their ``00:00:00``, as in R.

    >>> label(2.0), label(True), label(np.datetime64("2020-01-01T00:00:00"))
    ('2', 'True', '2020-01-01')
    """
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    if isinstance(value, Decimal) and value.is_finite() and value == value.to_integral_value():
        return str(int(value))
    if isinstance(value, np.datetime64):
        return _moment(str(value).replace("T", " "))
    if isinstance(value, datetime):  # pandas' Timestamp, too; a Period is its own text
        return _moment(str(value.replace(tzinfo=None)))
    return str(value)


def _moment(text: str) -> str:
    """A date and time as R prints it: no fraction of zeros, and no time where it is midnight."""
    day, _, time = text.partition(" ")
    time = time.rstrip("0").rstrip(".") if "." in time else time
    return day if time in ("", "00:00", "00:00:00") else f"{day} {time}"


LONGEST_NUMBER = 18  # letters of a label that may be written in two ways; an exponent of more digits has no Decimal


def look_alike(labels: Iterable[str]) -> list[tuple[str, ...]]:
    """Labels that differ by no more than blanks, case, the form of their characters, or some that print nothing.

    So do two words for one sex, and one number written in two ways, but for leading zeros.

    >>> look_alike(["f", "Female ", "m", "m\N{ZERO WIDTH SPACE}", "x"])
    [('f', 'Female '), ('m', 'm\\u200b')]
    >>> look_alike(["0", "1", "1.0", "01"])
    [('1', '1.0')]
    """
    result: dict[object, list[str]] = {}
    for text in labels:
        plain = unicodedata.normalize("NFKC", text).casefold()
        if not plain.isprintable():  # a fifth of the time of looking at every letter
            plain = "".join(letter for letter in plain if unicodedata.category(letter) != "Cf")
        plain = " ".join(plain.split())
        same: object = SEXES.get(plain, plain)
        if len(plain) <= LONGEST_NUMBER and _NUMBER.fullmatch(plain) and not PADDED.match(plain):
            same = Decimal(plain)
        result.setdefault(same, []).append(text)
    return [tuple(texts) for texts in result.values() if len(texts) > 1]


def unclear_sexes(labels: Collection[str]) -> bool:
    """Whether two labels are the same sex, as "m" and "Male" are, or one sex alone is told by its label.

    >>> unclear_sexes(["m", "Male", "f"]), unclear_sexes(["m", "w"]), unclear_sexes(["m", "f", "x", "y"])
    (True, True, False)
    """
    found = [SEXES[plain] for plain in (label.strip().casefold() for label in labels) if plain in SEXES]
    return len(found) > len({*found}) or (len({*found}) == 1 and len(labels) > 1)


def is_unknown(label: str) -> bool:
    """Whether a label says by its words that the category is not known, such as "Decline to state"."""
    return _UNKNOWN.fullmatch(label.strip().casefold()) is not None


def unknown_labels(labels: Iterable[str]) -> list[str]:
    """Labels that say in words that the group is not known; a sign alone may stand for everybody.

    >>> unknown_labels(["f", "Unknown", "-", "Other/Unknown", "Decline to state"])
    ['Unknown', 'Decline to state']
    """
    return [label for label in labels if is_unknown(label) and label.strip("?- ")]


def like_missing(labels: Iterable[str]) -> list[str]:
    """Labels that look like a missing value, whole or on a side of a slash, and are groups nonetheless.

    >>> like_missing(["f", "n/a", "  ", "Unknown", "Other/Unknown", "Decline to state", "m/f"])
    ['n/a', '  ', 'Unknown', 'Other/Unknown', 'Decline to state']
    """

    def absent(text: str) -> bool:
        return _is_missing_word(text) or is_unknown(text)

    every = list(labels)
    codes = missing_codes(every)
    return [
        text
        for text in every
        if text != MISSING_LEVEL
        and (text in codes or absent(text) or any(absent(part) for part in text.split("/") if part.strip()))
    ]


def missing_codes(labels: Iterable[str]) -> list[str]:
    """Whole numbers that surveys write for a missing value, where they are far from the others.

    Far is farther than any two neighbors of the others, which are two at least, from each other. Any number is far from
    words.

    >>> missing_codes(["0", "1", "-99"]), missing_codes(["1", "2", "8", "9"]), missing_codes(map(str, range(10)))
    (['-99'], ['8', '9'], [])
    >>> missing_codes(["f", "m", "-99", "8", "9"]), missing_codes(["f", "m", "2"]), missing_codes(["9", "1-4", "5-9"])
    (['-99', '8', '9'], [], [])
    """
    every = [text for text in labels if text != MISSING_LEVEL]
    numbers = [text for text in every if INTEGER.fullmatch(text)]
    if len(numbers) < len(every):
        words = [text for text in every if text not in numbers]
        if len(words) < 2 or any(letter.isdigit() for text in words for letter in text):
            return []
        found = set[int]()
        for sign, codes in _CODES.items():
            side = sorted((n for n in map(int, numbers) if sign * n > 0), key=abs)
            found |= {*side} if codes.fullmatch(" ".join(map(str, side))) else set()
        return [text for text in numbers if int(text) in found]
    others = {*map(int, every)}
    for sign, codes in _CODES.items():
        line = sorted(sign * n for n in others)
        for i in range(2, len(line)):
            far = line[i] - line[i - 1] > max(b - a for a, b in pairwise(line[:i]))
            if far and codes.fullmatch(" ".join(str(sign * n) for n in line[i:])):
                others -= {sign * n for n in line[i:]}
                break
    return [text for text in every if int(text) not in others]


def number_codes(values: NDArray[np.float64]) -> list[int]:
    """The least and the largest of numbers where they are codes of surveys for a missing value and far from the others.

    Far is farther than these are spread; below numbers of at least 0, farther than any two neighbors of these.

    >>> number_codes(np.arange(-1.0, 11)[[0, *range(2, 12)]]), number_codes(np.array([-99, 0.1, 0.9, 999]))
    ([-1], [-99, 999])
    >>> number_codes(np.array([1.0, 60, 98, 99])), number_codes(np.array([-9.0, -4, 3]))
    ([], [])
    """
    line, found = np.unique(values), list[int]()
    for sign, codes in sorted(_CODES.items(), reverse=True):
        if len(line) < 3:
            break
        end, others = (line[0], line[1:]) if sign < 0 else (line[-1], line[:-1])
        near = np.diff(others).max() if sign < 0 and others[0] >= 0 else np.ptp(others)
        if np.abs(others - end).min() > near and codes.fullmatch(f"{end:.0f}") and end == np.round(end):
            found, line = [int(end), *found], others
    return found


def odd_classes(labels: Sequence[str]) -> list[str]:
    """Classes that may be missing values, the sum of the others, or one class in two spellings.

    >>> odd_classes(["yes", "no", "Declined", "n/a", "Total", "No"])
    ['no', 'n/a', 'Total', 'No']
    """
    twice = {text for same in look_alike(labels) for text in same}
    odd = {*_odd(labels)}
    return [text for text in labels if text in twice or text in odd]


def _odd(labels: Sequence[str]) -> list[str]:
    codes = missing_codes(labels)
    return [t for t in labels if t in codes or _is_missing_word(t) or is_total(t)]


def odd_answers(labels: Mapping[str, Sequence[str]]) -> list[Message]:
    """The caution on labels beside one that is chosen of three or more: missing values and sums among the rest.

    >>> odd_answers({"hired": ["yes", "no", "n/a"], "paid": ["yes", "-"]})[0].values["list_of"]
    "hired ('n/a')"
    """
    found = {name: _odd(every) for name, every in labels.items() if len(every) > 2}
    items = [written(name, odd) for name, odd in found.items() if odd]
    return [ODD_ANSWERS.format(list_of=listed(items))] if items else []


def refuse_spellings(argument: str, one: str, labels: Iterable[str], column: str) -> None:
    """A label that is chosen has one spelling: people with another would count as if they had another label."""
    same = next((ones for ones in look_alike(labels) if one in ones), ())
    if same:
        raise InputError(
            argument,
            f"has {one!r}; {column!r} spells it in {len(same)} ways ({listing(map(repr, same))}), and people with "
            "another spelling would count as if it were the opposite; write it in one way in all rows "
            f"({renaming(column, [text for text in same if text != one], one)}), or, if these are different labels, "
            "call one of them otherwise.",
        )


def _is_missing_word(text: str) -> bool:
    return text.strip().casefold().strip("()<>.") in _MISSING_WORDS


def is_total(level: str) -> bool:
    """Whether a level, or a part of a joined one, is a word for everybody.

    >>> [*map(is_total, ("Grand total", "Total:Female", "All races", "Total applicants", "All minorities"))]
    [True, True, True, True, False]
    >>> [*map(is_total, ("Total*", "Overall (all)", "2024 total", "Grand total (all)", "Total hip replacement"))]
    [True, True, True, True, False]
    """
    for part in split(level):
        words = _words(part)
        alone = _words(_BRACKETS.sub(" ", part)) or words
        if _TOTAL.fullmatch(" ".join(words)) or (words and {*TOTALS}.issuperset(words)) or {*alone[-1:]} & _SUMS:
            return True
    return False


_BRACKETS = re.compile(r"\(.*?\)|\[.*?\]")


def _words(label: str) -> list[str]:
    """The words of a label, without marks and numbers, as in "Total*" and "Total 2024"."""
    return [word for word in re.findall(r"[^\W_]+", label.casefold()) if not word.isdigit()]


def has_word_of_sum(label: str) -> bool:
    """Whether any word of a label is one for a sum, as in a line of subtotals.

    >>> [*map(has_word_of_sum, ("North Total", "Total Nord", "Totaler Nord"))]
    [True, True, False]
    """
    return not _SUMS.isdisjoint(_words(label))


def counts_everybody(label: str) -> bool:
    """Whether a label is a word for the people of whom some are selected, such as "applicants".

    >>> [*map(counts_everybody, ("applicants", "No. of people", "n_total", "Applied", "not hired", "no"))]
    [True, True, True, True, False, False]
    """
    return _EVERYBODY.fullmatch(label.strip().casefold()) is not None


def like_sums(labels: Iterable[str]) -> list[str]:
    """Labels beside two others at least, whose people these may be, too.

    >>> like_sums(["White", "Black", "All minorities", "All others"]), like_sums(["White", "Non-White"])
    (['All minorities'], [])
    """
    every = list(labels)
    found = [t for t in every if is_total(t) or _OF_OTHERS.fullmatch(t.strip().casefold())]
    return found if len(every) > 2 else []


def says_sum(label: str) -> bool:
    """Whether a label has a word for everybody, or is one for the people of several others.

    >>> [*map(says_sum, ("Company total", "All women", "Candidates of 1978", "White people", "All others"))]
    [True, True, True, False, False]
    """
    low = label.strip().casefold()
    if _OF_OTHERS.fullmatch(low) is not None or (low != "n" and counts_everybody(low.partition(" of ")[0])):
        return True
    return is_total(label) or (not {*TOTALS, *_SUMS}.isdisjoint(_words(label)) and _OTHERS.search(low) is None)


def written(name: str, labels: Iterable[str]) -> Message:
    """A column with labels as code writes them."""
    return message(
        "{name} ({list})", name=DataText(name), list=joined((DataText(repr(label)) for label in labels), ", ")
    )


def quoted(label: str) -> str:
    """A label as a sentence has it: in quotes where it begins or ends with a blank, which nobody would see.

    >>> quoted("female"), quoted("female ")
    ('female', '"female "')
    """
    return in_words(label) if label == label.strip() else f'"{label}"'


def label_cautions(
    labels: Mapping[str, Sequence[str]], declared: Mapping[tuple[str, str], str] | None = None
) -> list[Message]:
    """What the labels of columns of groups give reason to look at: one in two spellings, missing values and sums.

    declared: names by column and label; a label is no missing value, and no sum, where its name does not look like one.

    >>> label_cautions({"race": ["White", "Black", "n/a"]})[0].values["list_of"]
    "race ('n/a')"
    """
    same = [written(name, one) for name, every in labels.items() for one in look_alike(every)]
    kinds = ((PERHAPS_MISSING, like_missing), (PERHAPS_SUMS, like_sums))
    items = [(LOOK_ALIKE, same)]
    names = declared or {}
    for text, find in kinds:
        found = {
            name: [one for one in find(every) if (name, one) not in names or find([names[name, one]])]
            for name, every in labels.items()
        }
        items.append((text, [written(name, some) for name, some in found.items() if some]))
    return [text.format(list_of=listed(some, 4)) for text, some in items if some]


def one_label(argument: str, value: Any) -> str:
    """Return the text of a label that an argument names: a text, a number, a logical or a day.

    >>> one_label("favorable", 1.0)
    '1'
    """
    value = attached.from_r(value) if of_r(value) else value
    plain = isinstance(value, (str, int, float, np.number, np.bool_, Decimal, np.datetime64)) or hasattr(value, "year")
    if not plain or is_missing(value) or value == "":
        raise InputError(argument, f"has {shown(value)}; a label is text or a number; pass one of the data's.")
    return label(value)


# R's missing values as rpy2 hands them out: an integer and a logical among them are numbers to everybody else.
MISSING_OF_R = {"NAIntegerType": "integer", "NALogicalType": "logical", "NACharacterType": "character"}


def is_missing(value: Any) -> bool:
    """None, NaN, pandas' NA and NaT, numpy's masked, rpy2's NA."""
    if value is None or value is np.ma.masked:
        return True
    unequal = value != value
    return unequal is True or unequal is np.True_ or type(value).__name__ in ("NAType", "NaTType", *MISSING_OF_R)


def is_number(value: Any) -> bool:
    """A number, which a logical is not."""
    return isinstance(value, (int, float, np.number, Decimal)) and not isinstance(value, bool)


def refuse_nameless(values: Iterable[Any], argument: str) -> None:
    """Refuse what is no label: bytes, complex and infinite numbers, tuples, objects that have no text of their own.

    >>> refuse_nameless(["a", 1, 1j], "groups")
    Traceback (most recent call last):
    ...
    fairstats.errors.InputError: groups holds 1j, which is no label; give one text, number, logical or day a row.
    """
    for value in values:
        if isinstance(value, (str, bool, int, np.bool_, np.integer)) or is_missing(value):
            continue
        if isinstance(value, (bytes, bytearray)):
            raise InputError(
                argument,
                f"holds {shown(value)}, which is bytes and no text; decode it{snippet(OF_BYTES)}.",
            )
        infinite = isinstance(value, (float, np.floating, Decimal)) and not math.isfinite(value)
        wordless = type(value).__str__ is object.__str__ and type(value).__repr__ is object.__repr__
        if infinite or wordless or callable(value) or isinstance(value, _NO_LABEL):
            raise InputError(
                argument, f"holds {shown(value)}, which is no label; give one text, number, logical or day a row."
            )


def distinct(values: Sequence[Any], argument: str) -> list[str]:
    """The labels of different values, or an error where two of them have one name."""
    refuse_nameless(values, argument)
    names = [label(v) for v in values]
    if len(set(names)) < len(names):
        twice = next(n for n in names if names.count(n) > 1)
        items = sorted({type(v).__name__ for v, n in zip(values, names, strict=True) if n == twice})
        raise InputError(
            argument,
            f"has different values with the same label {twice!r} (as {listing(items)}); it cannot be known "
            "whether they are one group: make the column text, or numbers.",
        )
    refuse_inexact(values, argument)
    return names


def refuse_inexact(values: Iterable[Any], argument: str) -> None:
    """Floats so large that different whole numbers share one: labels have been lost before we saw them."""
    for v in values:
        if isinstance(v, (float, np.floating)) and np.isfinite(v):
            exact = 2 ** (np.finfo(v).nmant + 1) if isinstance(v, np.floating) else MOST_EXACT
            if abs(float(v)) >= exact:
                raise InputError(
                    argument,
                    f"has labels stored as floating-point numbers so large ({label(v)}) that different "
                    f"whole numbers share one; read the column as text or as integers{snippet(IN_PANDAS)}.",
                )


def of_text(texts: Iterable[str]) -> dict[str, str] | None:
    """The labels of texts that are all numbers or all logicals, or None where they are to stay text.

    A text file says ``1`` for a number or for a name. It is a number where all different texts of the column are, none
    has a leading zero, and no two of them are the same number: ``1`` beside ``1.0`` stays text, and two groups. TRUE
    beside True is one logical.

    >>> of_text(["1.0", "0.0"]), of_text(["1", "1.0"]), of_text(["01", "2"]), of_text(["TRUE", "True"])
    ({'1.0': '1', '0.0': '0'}, None, None, {'TRUE': 'True', 'True': 'True'})
    """
    texts = list(dict.fromkeys(texts))
    if not texts:
        return None
    if all(INTEGER.fullmatch(t) for t in texts):
        return {t: t for t in texts}
    if all(t in _TRUTH for t in texts):
        return {t: _TRUTH[t] for t in texts}
    if all(_NUMBER.fullmatch(t) and not PADDED.match(t) for t in texts):
        numbers = {t: int(t) if INTEGER.fullmatch(t) else float(t) for t in texts}
        if any(isinstance(v, float) and MOST_EXACT <= abs(v) < np.inf for v in numbers.values()):
            return None
        labels = {t: label(v) for t, v in numbers.items()}
    else:
        return None
    return labels if len(set(labels.values())) == len(labels) else None


def is_numeric_text(text: str) -> bool:
    """Whether a label is that of a number."""
    return _NUMBER.fullmatch(text) is not None


def join(parts: Iterable[str]) -> str:
    """One label of several: joined by ``:``, and a ``:`` inside a part is written ``\\:``.

    >>> join(["x:y", "z"]), join(["x", "y:z"]), join(["f", "b"])
    ('x\\\\:y:z', 'x:y\\\\:z', 'f:b')
    """
    return ":".join(p.replace("\\", "\\\\").replace(":", "\\:") for p in parts)


def split(joined: str) -> list[str]:
    """The parts of a label that `join` made.

    >>> split(join(["x:y", "z\\\\"]))
    ['x:y', 'z\\\\']
    """
    if "\\" not in joined:
        return joined.split(":")
    parts, escaped = [""], False
    for letter in joined:
        if letter == ":" and not escaped:
            parts.append("")
            continue
        escaped = letter == "\\" and not escaped
        parts[-1] += "" if escaped else letter
    return parts


def holds_missing(level: str) -> bool:
    """Whether a level, or a part of a joined one, stands for people without a label."""
    return not {MISSING_LEVEL, missing_in_words()}.isdisjoint(split(level))


def missing_in_words() -> str:
    """What a report calls the group of people without a label; the blank in a translation is one that no label has."""
    return say("(missing)")


def in_words(level: str) -> str:
    """A level as a page shows it: what stands for a label that is missing is said in the language of the page."""
    return level.replace(MISSING_LEVEL, missing_in_words()) if holds_missing(level) else level


def ordered(levels: Iterable[str], numbers: Sequence[bool] = (False,)) -> list[str]:
    """Levels in the order a reader expects: numbers by value, text by the alphabet, missing ones last.

    ``numbers`` says for every part of a joined label whether it is a number.

    >>> ordered(["10", "9", "(missing)"], [True]), ordered(["10", "9"])
    (['9', '10', '(missing)'], ['10', '9'])
    """

    def key(level: str) -> tuple[Any, ...]:
        parts = split(level) if len(numbers) > 1 else [level]
        return tuple(
            (True, Decimal(0), "") if p == MISSING_LEVEL else (False, Decimal(p) if number else Decimal(0), p)
            for p, number in zip(parts, numbers, strict=True)
        )

    return sorted(levels, key=key)


def refuse_reserved(name: str, levels: Collection[str], argument: str = "groups") -> None:
    """A label that reads like the level of people without one would be counted with them; no file can hold some."""
    longest = most("FAIRSTATS_MAX_LABEL")
    for level in levels:
        if len(level) > longest:
            raise InputError(
                argument,
                f"has a label of {len(level)} letters, {level[:40]!r}...; a label may have "
                f"{more('FAIRSTATS_MAX_LABEL')}; cut it.",
                value=name,
            )
        with of_column(argument, name):
            word(argument, level)
    if MISSING_LEVEL in levels:
        raise InputError(
            argument,
            f"has the label {MISSING_LEVEL!r}, which is the name of people without a label here; "
            f"make these missing ({snippet('None, NaN, NA')}), or give the label another name.",
            value=name,
        )


def column_parts(name: str, names: Iterable[str]) -> list[str]:
    """The columns that a name means: itself, or the columns that ``:`` joins in it.

    >>> column_parts("a:b", ["a", "b"]), column_parts("a:b", ["a:b", "a"]), column_parts("a:b:c", ["a:b", "c"])
    (['a', 'b'], ['a:b'], ['a:b', 'c'])
    """
    names = set(names)
    if name in names or ":" not in name:
        return [name]
    pieces = name.split(":")
    ways = _ways(pieces, names)
    if len(ways) > 1:
        raise InputError(
            f"{name!r} can be read as {listing((' and '.join(map(repr, way)) for way in ways), 3)}; rename the columns "
            "whose names hold ':'."
        )
    return ways[0] if ways else pieces


def _ways(pieces: list[str], names: set[str]) -> list[list[str]]:
    if not pieces:
        return [[]]
    ways = []
    for i in range(1, len(pieces) + 1):
        head = ":".join(pieces[:i])
        if head in names:
            ways += [[head, *rest] for rest in _ways(pieces[i:], names)]
    return ways


def renamed(levels: Sequence[str], numbers: Sequence[bool]) -> tuple[Mapping[str, str], tuple[bool, ...]]:
    """Return labels that were read as text, with the parts that are all numbers named as numbers are."""
    parts = [split(level) if len(numbers) > 1 else [level] for level in levels]
    marks, columns = [], []
    for j, number in enumerate(numbers):
        texts = [p[j] for p in parts]
        numbers_of = None if number else of_text(t for t in texts if t != MISSING_LEVEL)
        marks.append(number or (numbers_of is not None and all(map(is_numeric_text, numbers_of.values()))))
        columns.append([t if numbers_of is None else numbers_of.get(t, t) for t in texts])
    new = [join(row) if len(numbers) > 1 else row[0] for row in zip(*columns, strict=True)]
    return dict(zip(levels, new, strict=True)), tuple(marks)


def one_a_row(values: Sequence[Any], rows: int, names: Iterable[str]) -> bool:
    """Return whether a list beside a table holds labels: one a row, a label twice, and none of them a column's name.

    >>> one_a_row(["f", "m", "f"], 3, ["age"]), one_a_row(["sex", "race"], 2, ["sex", "race"])
    (True, False)
    """
    if len(values) != rows or not all(isinstance(value, str) for value in values):
        return False
    return len(set(values)) < rows and set(values).isdisjoint(names)
