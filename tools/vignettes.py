"""Execute vignettes (jupytext percent scripts) and write one self-contained HTML file for each.

Usage: python tools/vignettes.py [--to FOLDER] [SCRIPT...]      (without scripts: all of vignettes/)
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import jupytext
from nbconvert import HTMLExporter
from nbconvert.preprocessors import ExecutePreprocessor

ROOT = Path(__file__).resolve().parent.parent


def execute(script: Path, folder: Path) -> Path:
    """Run a script cell by cell in a folder of its own; an error in a cell stops everything."""
    notebook = jupytext.read(script)
    with tempfile.TemporaryDirectory() as workplace:
        ExecutePreprocessor(timeout=300, kernel_name="python3").preprocess(notebook, {"metadata": {"path": workplace}})
    # The page must not ask another host for scripts: nothing in it is interactive.
    exporter = HTMLExporter(template_name="basic", mathjax_url="", require_js_url="", jquery_url="", mermaid_js_url="")
    body, _ = exporter.from_notebook_node(notebook)
    title = notebook.cells[0].source.splitlines()[0].lstrip("# ")
    target = folder / f"{script.stem}.html"
    target.write_text(PAGE.format(title=title, body=body), encoding="utf-8")
    return target


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c }}
pre {{ font: 13px/1.4 ui-monospace, "DejaVu Sans Mono", monospace; overflow-x: auto }}
pre {{ padding: .5rem .8rem; margin: .4rem 0 }}
.input pre {{ background: #f4f4f4; border-left: 3px solid #0b4f8a }}
.output pre {{ white-space: pre-wrap }}
.output {{ overflow-x: auto }}
.prompt, .anchor-link {{ display: none }}
table {{ border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; border: 0 }}
th, td {{ padding: .2rem .6rem; text-align: right; border: 0; border-bottom: 1px solid #ccc }}
img {{ max-width: 100%; height: auto }}
</style></head><body>
{body}
</body></html>
"""


def main() -> None:
    """Execute the named vignettes, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scripts", nargs="*", type=Path)
    parser.add_argument("--to", type=Path, default=ROOT / "vignettes", help="folder for the HTML files")
    chosen = parser.parse_args()
    for script in chosen.scripts or sorted((ROOT / "vignettes").glob("*.py")):
        print(f"wrote {execute(script, chosen.to)}", flush=True)


if __name__ == "__main__":
    main()
