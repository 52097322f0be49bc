"""The protocol of a written audit as the object that it was, judged again."""

from __future__ import annotations

import typing
from dataclasses import fields, is_dataclass, replace
from typing import Any

from fairstats.auditing.asked import Asked
from fairstats.auditing.protocol import Protocol, declare
from fairstats.errors import InputError, listing


def protocol_of(written: Any) -> Protocol:
    """Build the protocol of an audit from the JSON of its report.

    Parameters
    ----------
    written : dict
        Its fields, as ``Audit.to_dict()["protocol"]`` has them.

    Returns
    -------
    Protocol

    Raises
    ------
    InputError
        If it is no protocol that this version knows, or no audit could have had it.

    Examples
    --------
    >>> protocol_of({"groups": ["sex"], "decision": "hired", "equivalence": {"ratio": 0.8}}).equivalence.ratio
    0.8
    """
    values = _values(Protocol, written, "protocol")
    asked = {f.name for f in fields(Asked)}
    made = declare(Asked(**{name: value for name, value in values.items() if name in asked and value != ""}))
    return replace(made, **{name: value for name, value in values.items() if name not in asked})


def _values(cls: Any, written: Any, where: str) -> dict[str, Any]:
    if not isinstance(written, dict):
        raise InputError(f"report has no {where} that can be read; pass the report of an audit, as it was written.")
    hints = typing.get_type_hints(cls)
    strange = [name for name in written if name not in hints]
    if strange:
        raise InputError(
            f"report has a {where} with {listing(strange, 3)}, which this version of fairstats does not know; "
            "verify it with the version that wrote it."
        )
    return {name: _value(hints[name], value, name) for name, value in written.items()}


def _value(hint: Any, value: Any, name: str) -> Any:
    return hint(**_values(hint, value, name)) if isinstance(hint, type) and is_dataclass(hint) else _frozen(value)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
