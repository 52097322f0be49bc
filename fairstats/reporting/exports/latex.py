"""A table as LaTeX (booktabs): what comes from data is text there, never a command."""

from __future__ import annotations

import re
import unicodedata

from fairstats.errors import visible
from fairstats.reporting.tables import Heading, Table

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    # after the end of a row these would be an option of it, and two hyphens a dash
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "-": "{-}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    "\N{MINUS SIGN}": "$-$",
    "\N{EN DASH}": "--",
    "\N{EM DASH}": "---",
    "\N{MULTIPLICATION SIGN}": r"$\times$",
    "\N{PLUS-MINUS SIGN}": r"$\pm$",
    "\N{LESS-THAN OR EQUAL TO}": r"$\leq$",
    "\N{GREATER-THAN OR EQUAL TO}": r"$\geq$",
    "\N{NOT EQUAL TO}": r"$\neq$",
    "\N{MIDDLE DOT}": r"\textperiodcentered{}",
    "\N{SUPERSCRIPT TWO}": r"\textsuperscript{2}",
    "\N{NO-BREAK SPACE}": "~",
    "\N{NARROW NO-BREAK SPACE}": r"\,",
}
_GREEK = {"λ": r"$\lambda$", "α": r"$\alpha$", "τ": r"$\tau$", "χ": r"$\chi$", "η": r"$\eta$", "∞": r"$\infty$"}
_NEGATIVE = re.compile(r"(?<!\w)-(?=\d)")  # a sign, not a hyphen
_TABLE = {ord(key): value for key, value in (_SPECIAL | _GREEK).items()}


def escaped(text: str) -> str:
    r"""Text that LaTeX sets as it is.

    Examples
    --------
    >>> print(escaped("50 % of R&D_{x} \\input"))
    50 \% of R\&D\_\{x\} \textbackslash{}input
    """
    plain = unicodedata.normalize("NFC", visible(re.sub(r"\s*\n\s*", " ", text)))
    return _NEGATIVE.sub("\N{MINUS SIGN}", plain).translate(_TABLE)


def latex(table: Table) -> str:
    """Return a ``table`` environment that needs the packages booktabs and textcomp.

    Examples
    --------
    >>> print(latex(Table("A & B", (Heading("group"), Heading("rate", "%")), (("x_1", "74.1"),))))
    \\begin{table}
    \\centering
    \\caption{A \\& B}
    \\begin{tabular}{rr}
    \\toprule
    group & rate (\\%) \\\\
    \\midrule
    x\\_1 & 74.1 \\\\
    \\bottomrule
    \\end{tabular}
    \\end{table}
    """
    sides = "".join("r" if heading.kind == "number" else "l" for heading in table.headings)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escaped(table.caption)}}}",
        rf"\begin{{tabular}}{{{sides}}}",
        r"\toprule",
        _row(map(headed, table.headings)),
        r"\midrule",
        *(_row(row) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if table.note:
        lines.append(rf"\par\smallskip\footnotesize {escaped(table.note)}")
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def headed(heading: Heading) -> str:
    """A heading with its unit, as one text."""
    return f"{heading.label} ({heading.unit})" if heading.unit else heading.label


def _row(cells: object) -> str:
    return " & ".join(escaped(str(cell)) for cell in cells) + r" \\"  # type: ignore[attr-defined]
