"""Which packages a form of output needs; one that is missing is said before the work."""

from __future__ import annotations

from importlib.util import find_spec

from fairstats.errors import not_installed

_FIGURE = ("a figure", "matplotlib", "matplotlib", "report")
_PDF = ("a PDF", "weasyprint", "weasyprint", "report")
_ARROW = ("a Parquet or Arrow file", "pyarrow", "pyarrow", "scale")
_NEEDED = {
    ".pdf": (_PDF,),
    ".docx": (_FIGURE, ("a Word document", "docx", "python-docx", "tables")),
    **dict.fromkeys((".parquet", ".feather", ".arrow"), (_ARROW,)),
}


def refuse_without_packages(kind: str, ending: str) -> None:
    """A package that is missing is said before the work: of a kind of output, or of the ending of its file."""
    needed = (_FIGURE,) if kind == "drawing" else _NEEDED.get(ending, ())
    for what, module, package, extra in needed:
        if find_spec(module) is None:
            raise not_installed(what, package, extra)
