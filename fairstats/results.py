"""The verbs that every result has, and the one place through which a result finds its drawings and its file."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from fairstats.errors import AbsentError, visible
from fairstats.naming import answering

if TYPE_CHECKING:
    import os
    from pathlib import Path

    import pandas as pd

    from fairstats.estimates import Estimates
    from fairstats.reporting.figures.style import Drawing

Figure = Literal[
    "calibration",
    "changes",
    "choice",
    "claims",
    "clusters",
    "crude_adjusted",
    "differences",
    "ecdf",
    "errors",
    "explained",
    "flow",
    "forest",
    "funnel",
    "group_loss",
    "hundred",
    "matrix",
    "outcome_by_score",
    "path",
    "price_gap",
    "probes",
    "rates",
    "ratios",
    "roc",
    "score_distribution",
    "scree",
    "study",
    "thresholds",
]
LONGEST = 400  # characters of a short form
MOST_LINES = 60  # of a summary that is shown unasked


@runtime_checkable
class Result(Protocol):
    """What every result of the package offers: its rows, and four ways to read them."""

    @property
    def estimates(self) -> Estimates:
        """Every number of the result, one row each."""

    def summary(self) -> str:
        """The result as text, at most 80 columns wide."""

    def tidy(self, **where: object) -> pd.DataFrame:
        """``estimates`` as a pandas frame with the columns of the glossary, all rows or those with the given values."""

    def glance(self) -> pd.DataFrame:
        """One row about the whole."""

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-ready; ``schema`` names the form."""

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the result to a file that ``fairstats.load`` reads."""


class Saved:
    """What can be written to a file and read again."""

    __slots__ = ()

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write it to an ``.npz`` file that ``fairstats.load`` reads; no pickle.

        An earlier result of ours is replaced, a file that fairstats did not write only with ``overwrite=True``.
        """
        saved: Path = import_module("fairstats.saving.files").save(self, path, overwrite=overwrite)
        return saved


# Where the forms are that people look for on the result itself.
FORMS: dict[str, str] = {
    **{f"to_{form}": f"fs.table(result).to_{form}()" for form in ("csv", "html", "latex", "markdown", "gt")},
    **{f"to_{form}": f'fs.table(result).save("table.{end}")' for form, end in (("docx", "docx"), ("xlsx", "xlsx"))},
    "to_excel": 'fs.table(result).save("table.xlsx")',
    "to_word": 'fs.report(result, to="report.docx")',
    "to_pdf": 'fs.report(result, to="report.pdf")',
    "to_json": "result.to_dict()",
    **dict.fromkeys(("to_frame", "to_pandas", "to_df", "to_dataframe"), "result.tidy()"),
}


class Described(Saved):
    """What says its `summary` and its `_brief`, and is shown by these in a console and in a notebook."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in FORMS:
                kind = type(self).__name__
                raise AbsentError(f"{name} is no method of {kind}; {FORMS[name]} does that.")
            return object.__getattribute__(self, name)  # once more: what a property raises stays what it is

    if TYPE_CHECKING:

        def summary(self) -> str:
            """The result as text."""

        def _brief(self) -> str:
            """What the short form says: how many, which groups, the first finding."""

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        text = visible(" ".join(self._brief().split()))
        return f"<{type(self).__name__}: {text if len(text) <= LONGEST else text[: LONGEST - 1] + '…'}>"

    def _repr_html_(self) -> str:
        shown: str = import_module("fairstats.reporting.displayed").html_of(self)
        return shown

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What IPython shows in a console: the summary, its first lines where it is long."""
        printer.text(repr(self) if cycle else self._console())

    def _console(self) -> str:
        lines = self.summary().split("\n")
        if len(lines) > MOST_LINES:
            more = len(lines) - MOST_LINES + 1
            lines = [*lines[: MOST_LINES - 1], f"... and {more} more lines; print(result) shows all"]
        return "\n".join(lines)


class Reads(Described):
    """A result says its `estimates`, `summary`, `glance`, `to_dict` and `_brief`; the rest follows from these."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def estimates(self) -> Estimates:
            """Every number of the result, one row each."""

    @answering
    def tidy(self, **where: object) -> pd.DataFrame:
        """Return ``estimates`` as a pandas frame with the columns of the glossary.

        Parameters
        ----------
        **where
            Column and value, to choose rows as `Estimates.where` does: ``metric="TPR", role="main"``.

        Returns
        -------
        pandas.DataFrame
            One row an estimate.

        Raises
        ------
        InputError
            There is no such column, or no row has that value.
        """
        return (self.estimates.where(**where) if where else self.estimates).to_frame()

    @property
    def plots(self) -> tuple[Figure, ...]:
        """The kinds of figures that `plot` has of this result, its default first."""
        kinds: tuple[Figure, ...] = import_module("fairstats.reporting.plot").plots(self)
        return kinds

    @answering
    def plot(
        self,
        kind: Figure | None = None,
        *,
        metric: str | None = None,
        attribute: str | None = None,
        term: str | None = None,
    ) -> Drawing:
        """Draw one figure of the result, as it stands in the report; ``plots`` names the kinds.

        Parameters
        ----------
        kind : str, optional
            One of ``plots``; the first by default.
        metric, attribute, term : str, optional
            Which of the figures of that kind; the first by default. ``term``: method and model of a comparison,
            component of held-out scores.

        Returns
        -------
        Drawing

        Raises
        ------
        InputError
            The result has no such figure; the message names those it has.
        """
        drawing: Drawing = import_module("fairstats.reporting.plot").plot(
            self, kind, metric=metric, attribute=attribute, term=term
        )
        return drawing
