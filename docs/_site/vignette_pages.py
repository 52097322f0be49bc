"""Pages of the site from `vignettes/`: percent scripts become pages whose cells run like all others."""

from __future__ import annotations

import re
from pathlib import Path

VIGNETTES = Path(__file__).resolve().parents[2] / "vignettes"


def page(script: str) -> str:
    """A percent script as MyST: markdown cells as they are, code cells under ``run``."""
    cells = re.split(r"^# %%", script.partition("# ---\n\n")[2], flags=re.M)[1:]
    return "\n\n".join(_cell(cell) for cell in cells) + "\n"


def _cell(cell: str) -> str:
    head, _, body = cell.partition("\n")
    if "[markdown]" in head:
        return re.sub(r"^# ?", "", body.strip("\n"), flags=re.M)
    return f"```{{run}} python\n{body.strip()}\n```"


def write(folder: Path) -> None:
    """Write a page for each vignette, where it changed."""
    folder.mkdir(exist_ok=True)
    for script in sorted(VIGNETTES.glob("*.py")):
        target, text = folder / f"{script.stem}.md", page(script.read_text(encoding="utf-8"))
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")
