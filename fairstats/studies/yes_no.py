"""Which label of a column says yes: 1, True, or the Yes of Yes and No."""

from __future__ import annotations

from collections.abc import Sequence

# The words of yes and of no: what is told as an argument, and the answers that it means where all labels are answers.
_MEANINGS = (
    (("1", "True", "TRUE", "true"), ("Yes", "YES", "yes")),
    (("0", "False", "FALSE", "false"), ("No", "NO", "no")),
)


def spelled(text: str, labels: Sequence[str]) -> str:
    """Return the label that a text means, "" where it means none: 1 also means True, or the Yes of Yes and No.

    Examples
    --------
    >>> spelled("1", ("False", "True")), spelled("1", ("No", "Yes")), spelled("1", ("Maybe", "Yes"))
    ('True', 'Yes', '')
    """
    if text in labels:
        return text
    for told, answers in _MEANINGS:
        if text in told:
            plain = all(one.casefold() in ("yes", "no") for one in labels)
            return next((one for one in (*told, *answers * plain) if one in labels), "")
    return ""


def truth(text: str) -> str:
    """Return "1" for 1 and the logical true in any spelling, "0" for the other, "" for every other text.

    Examples
    --------
    >>> truth("TRUE"), truth("0"), truth("Yes")
    ('1', '0', '')
    """
    return next((told[0] for told, _ in _MEANINGS if text in told), "")


def counterpart(text: str) -> str:
    """Return the other label of a column of which only one is met, "" where it cannot be known.

    Examples
    --------
    >>> counterpart("0"), counterpart("FALSE"), counterpart("Yes"), counterpart("hired")
    ('1', 'TRUE', 'No', '')
    """
    (true, yes), (false, no) = _MEANINGS
    pairs = [*zip(true, false, strict=True), *zip(yes, no, strict=True)]
    return {a: b for pair in pairs for a, b in (pair, pair[::-1])}.get(text, "")
