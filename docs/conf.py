"""How Sphinx builds the site: ``make docs`` writes ``docs/_build/html``."""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_site"))

import method_pages  # noqa: E402  from the folder above
import reference_pages  # noqa: E402
import report_pages  # noqa: E402
import vignette_pages  # noqa: E402

import fairstats  # noqa: E402

project = "fairstats"
author = "The fairstats authors"
copyright = "The fairstats authors, BSD 3-Clause"
release = version = fairstats.__version__
language = "en"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "two_languages",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_build", "_site"]
myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3

# Docstrings are numpydoc's; these sections are ours beside the usual ones.
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_param = False  # the type of a parameter is prose ("array (n, p)"), no name to link
napoleon_custom_sections = ["Guarantees", "Costs"]
autodoc_typehints = "none"
autodoc_member_order = "bysource"
default_role = "py:obj"

# Prompts stay behind when an example is copied.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = "fairstats"
html_static_path = ["_static"]
html_extra_path = ["_build/extra"]  # the reports of the gallery
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": [], "start": []}


def bars(app, what, name, thing, options, lines):
    """Keep |x| as it is written: in a docstring a bar is an absolute value, never a substitution."""
    if what == "function" and name.rsplit(".", 1)[-1] in reference_pages.METHODLIKE:
        lines[:] = [*method_pages.without(lines), ""]
    lines[:] = [line if line.lstrip().startswith(">>>") else line.replace("|", r"\|") for line in lines]


def state() -> str:
    """A hash of everything that cells run: a change of it has every page read again, nothing else has."""
    result = hashlib.sha256()
    for folder, pattern in (
        ("fairstats", "**/*.py"),
        ("templates", "*"),
        ("r/fairstats/R", "*.R"),
        ("docs/_site", "two_languages.py"),
        ("benchmarks/gallery", "*.py"),
    ):
        for file in sorted((HERE.parent / folder).glob(pattern)):
            result.update(file.read_bytes() if file.is_file() else b"")
    return result.hexdigest()


# What axe-core finds fault with in the theme's pages, and what is said instead.
MENDED = (
    (r'(<button[^>]*search-button-field[^>]*?) aria-label="Search"', r'\1 aria-label="Search Ctrl+K"'),  # what is seen
    (r'<summary>(?=<span class="toctree-toggle")', '<summary aria-label="Pages of this section">'),
    (r'<th class="head">\s*(?:<p></p>)?\s*</th>', "<td></td>"),  # an empty cell heads nothing
    (r"<th></th>", "<td></td>"),
)


def mend(app, exception):
    """Mend the pages that were written; the reports are no pages of the theme."""
    for file in () if exception else Path(app.outdir).rglob("*.html"):
        if file.parent.name == "reports":
            continue
        text = page = file.read_text(encoding="utf-8")
        for result, instead in MENDED:
            text = re.sub(result, instead, text)
        if text != page:
            file.write_text(text, encoding="utf-8")


def setup(app):
    """Write the pages that come from the registries, before Sphinx looks for its sources."""
    reference_pages.write(HERE / "reference")
    vignette_pages.write(HERE / "vignettes")
    report_pages.write(HERE / "_build" / "extra", state())
    app.connect("build-finished", mend)
    app.add_config_value("state_of_the_package", state(), "env")
    app.connect("autodoc-process-docstring", bars, priority=100)
