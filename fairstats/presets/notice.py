"""What Local Law 144 has published beside its tables: the tool, who uses it, the data, the day of distribution."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairstats.arguments import shown, text
from fairstats.errors import InputError, listing, nearest
from fairstats.language import mark

# the order in which they stand on page one, with their words
FIELDS = {
    "tool": mark("Tool"),
    "vendor": mark("Vendor"),
    "version": mark("Version"),
    "employer": mark("Employer or employment agency"),
    "distributed": mark("Distribution date of the tool"),
    "data": mark("Source and explanation of the data"),
    "independence": mark("Independence of the auditor"),
}
Notice = tuple[tuple[str, str], ...]


def notice(value: Any) -> Notice:
    """Judge what is published beside the tables of Local Law 144.

    Parameters
    ----------
    value : None or mapping
        Some of ``tool``, ``vendor``, ``version``, ``employer``, ``distributed`` (the day on which the tool came into
        use), ``data`` (their source, and whether they are historical or test data and why) and ``independence``.

    Returns
    -------
    tuple of (name, text)
        In the order of the law's notice.

    Raises
    ------
    InputError
        If a name is unknown or a value is no text.

    References
    ----------
    Rules of the City of New York, title 6, section 5-302 (published results).

    Examples
    --------
    >>> notice({"vendor": "Acme", "tool": "Ranker"})
    (('tool', 'Ranker'), ('vendor', 'Acme'))
    """
    if value is None:
        return ()
    if not isinstance(value, Mapping):
        raise InputError(
            f"about has {shown(value)}; it is a mapping of {listing(FIELDS, 12)}; pass {{'tool': name, ...}}."
        )
    for name in value:
        if name not in FIELDS:
            raise InputError(
                f"about has {shown(name)}; there is no such entry{nearest(str(name), FIELDS)}; "
                f"the entries are {', '.join(FIELDS)}."
            )
    return tuple((name, text(f"about[{name!r}]", value[name])) for name in FIELDS if name in value)
