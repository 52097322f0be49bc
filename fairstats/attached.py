"""What results and readers call of the layers above them: attached by the package's ``__init__``."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

attached: Any = SimpleNamespace()
