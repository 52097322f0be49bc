"""Attributes as the reader of groups takes them."""

from __future__ import annotations

import pytest

from fairstats.data.groups import Groups
from fairstats.errors import InputError


def test_an_attribute_named_twice_is_refused() -> None:
    with pytest.raises(InputError, match="groups has 'g' more than once"):
        Groups.of(["g", "g"], {"g": ["a", "b"]})
