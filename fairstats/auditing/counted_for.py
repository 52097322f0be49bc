"""What a tally was counted for: the columns that an audit of it need not name again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fairstats.auditing.protocol import Protocol, read_protocol

if TYPE_CHECKING:
    from fairstats.auditing.tally import Tally

Roles = dict[str, tuple[str, ...]]
OTHERS = ("decision", "outcome", "score", "strata", "weights", "clusters")


def roles_of(declared: Protocol) -> Roles:
    """Return the columns of a protocol by the argument that names them.

    Examples
    --------
    >>> roles_of(Protocol(("sex", "race"), decision="hired"))
    {'groups': ('sex', 'race'), 'decision': ('hired',)}
    """
    named = {role: getattr(declared, role) for role in OTHERS}
    return {"groups": declared.groups} | {role: (name,) for role, name in named.items() if name}


def with_roles(tally: Tally, asked: Mapping[str, Any], protocol: Any = None) -> dict[str, Any]:
    """Return the columns of a call, those that it leaves out as the tally was counted for them.

    Groups are the tally's where the call names none. The others (decision, outcome, score, strata, weights, clusters)
    are the tally's where the call names none of them: who names one has chosen.

    Parameters
    ----------
    tally : Tally
        People counted.
    asked : mapping
        Argument to column, or None.
    protocol : str or Path, optional
        A file that may name columns, too.

    Returns
    -------
    dict

    Examples
    --------
    >>> import fairstats as fs
    >>> counted = fs.tally({"sex": ["f", "m"], "hired": [0, 1]}, "hired", "sex")
    >>> with_roles(counted, {"decision": None, "groups": None})
    {'decision': 'hired', 'groups': 'sex'}
    """
    declared = {} if protocol is None else read_protocol(protocol)[0]
    named = {role for role, value in asked.items() if value is not None} | set(declared)
    own = dict(asked)
    if "groups" not in named and "groups" in tally.roles:
        names = tally.roles["groups"]
        own["groups"] = list(names) if len(names) > 1 else names[0]
    if not named & set(OTHERS):
        own |= {role: names[0] for role, names in tally.roles.items() if role != "groups"}
    return own
