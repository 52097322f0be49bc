"""R's words: what messages say to R's user, and reports that R's user made."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from fairstats.errors import ANY_OF, OF_FILES, FrontEnd
from fairstats.inference.representations.leakage import OF_SCORES, OTHERWISE
from fairstats.inference.representations.tradeoff import SEVERAL
from fairstats.labels import IN_PANDAS
from fairstats.methods.registry import METHODS
from fairstats.result_classes import classes_in_r
from fairstats.saving import LOADED


@dataclass(frozen=True)
class InR(FrontEnd):
    """R's words: ``x`` is the features, arguments stand apart from their values, which are R's.

    data: what R's user calls the table.
    code: the table as the call has it.
    """

    data: str = ""
    code: str = ""
    in_r = True

    def table(self) -> str:
        return self.data

    def table_in_code(self) -> str:
        return self.code or "data"

    def named(self, argument: str) -> str:
        return "x" if argument == "X" else argument

    def entry(self, argument: str, *names: str) -> str:
        return "$".join((argument, *names))

    def value(self, value: Any) -> str:
        match value:
            case None:
                return "NULL"
            case bool():
                return str(value).upper()
            case float() if not math.isfinite(value):
                return {"nan": "NaN", "inf": "Inf"}.get(str(value), "-Inf")
            case float() if value.is_integer() and abs(value) < 1e15:
                return f"{value:.0f}"
            case [one]:
                return self.value(one)
            case [*_]:
                return f"c({', '.join(map(self.value, value))})"
            case {**entries}:
                return f"list({', '.join(f'{name} = {self.value(one)}' for name, one in entries.items())})"
        return repr(value)

    def setting(self, argument: str, value: Any) -> str:
        return self.named(argument) if value is ... else f"{self.named(argument)} = {self.value(value)}"

    def kind(self, value: Any) -> str:
        known = classes_in_r(value)
        return f"of class {known[0]}" if known else super().kind(value)

    def formula(self, text: str) -> str:
        return text

    def snippet(self, text: str) -> str:
        return _SNIPPETS.get(text, text)

    def call(self, function: str, arguments: Sequence[str | tuple[str, Any]] | None) -> str:
        each = (self.named(one) if isinstance(one, str) else self.given(*one) for one in arguments or ())
        given = ", ".join(each)
        if function == "continuous":
            return f"continuous = {given}".rstrip()
        if function == "survey_design":
            return f"svydesign({given})"  # R's package survey
        name = function.removeprefix("stats.")
        is_bare = name in METHODS or name in _BARE or name.startswith("fair_")
        return f"{name if is_bare else f'fair_{name}'}({given})"

    def given(self, argument: str, value: Any) -> str:
        if argument == OF_FILES:
            return self.files(value)
        written = super().given("", value)
        return f"{argument} = {written}" if argument else written

    def in_classes(self, column: str, bounds: Sequence[float]) -> str:
        return f"cut(data${column}, {self.value(bounds)})"

    def renaming(self, column: str, labels: Sequence[str], one: str) -> str:
        return f"data${column}[data${column} %in% {self.value([*labels])}] <- {self.value(one)}"

    def leaving_out(self, column: str) -> str:
        return f"leave these rows out first{f': data[!is.na(data[[{self.value(column)}]]), ]' if column else ''}"

    def filling(self, column: str, label: str) -> str:
        cells = f"data[[{self.value(column)}]]"
        return f"{cells} <- {cells} %in% {self.value(label)}"

    def installation(self, package: str, extra: str) -> str:
        return f'install_fairstats(extras = "{extra}")'


class ReportFromR(InR):
    """The words of a report that R's user made, which has the names of files without the folders of whoever ran it."""

    def files(self, paths: Sequence[str]) -> str:
        return super().files([PurePath(path).name for path in paths])


REPORT_FROM_R = ReportFromR()

# Functions of R's package that have no prefix, beside the methods.
_BARE = ("fair_pca_stream", "spectral_clustering", "disparity_path", "sog_path", "fairlearn_reduction")
_SNIPPETS = {
    "fairstats.from_counts takes a table of counts": "fair_from_counts takes a table of counts",
    "pass what fairstats.from_counts makes of them": "pass what fair_from_counts makes of them",
    "result.summary(): all of it as text; result.tidy(): every number; result.plots: the figures.": (
        "summary(): all of it as text; tidy(): every number; plot() and fair_figure(): the figures."
    ),
    "report() was given": "fair_report() was given",
    ANY_OF: "write first data$COLUMN <- data$COLUMN %in% c(...), which is TRUE for them",
    "report(one, *local_law_144(one), *local_law_144(other), preset='ll144')": "one audit to each report",
    "finding() has the whole answer": "$finding has the whole answer",
    " (of a file read_table(path, labels=[...]))": "",
    "None, NaN, NA": "NA",
    "all in to_frame()": 'all in tidy(x, role = "all")',
    "fairstats.table(result, 'impact by stratum')": 'fair_table(result, "impact by stratum")',
    "all in tidy()": 'all in tidy(x, role = "all")',
    "tidy()": 'tidy(x, role = "all")',
    "a pandas, polars or pyarrow table": "a data frame",
    "an index of pandas that a file or an engine holds as a column": "row names that a file holds as a column",
    OF_SCORES: "fair_leakage(fair_crossfit(fit, x, groups))",
    "fit.crossfit(X, groups)": "fair_crossfit(fit, x, groups)",
    "fit.transform(X)": "predict(fit, x)",
    OTHERWISE: "",
    ", where fair_save() writes .npz files": "",
    LOADED: (
        "fair_load() reads what fair_save() writes, .npz files, and the audit in the .json of a report by fair_report()"
    ),
    "save each of them by result.save(path), and load that .npz file": (
        "save each of them by fair_save(x, path), and read that .npz file by fair_load()"
    ),
    SEVERAL: ', as in methods = list("og", fair_pca = list(k = 1:3))',
    IN_PANDAS: "",
    ", with the table as data=": ", with the data frame as data",
    "pandas.cut(column, 5)": "cut(column, 5)",
    "or a scikit-learn estimator": "or a function such as glm (see fair_model())",
    "an instance of a scikit-learn estimator, or a model of R by fairstats.r.model()": (
        "the name of another model, or a function such as glm (see fair_model())"
    ),
    "give pairs (name, estimator)": "give a list with names",
    ", or a pair (name, function of a design and k)": "",
    " (in Python data[outcome] == value)": " (data$outcome == value)",
    "a pair of a name and its settings": "a list of settings by that name, as in list(sog = list(t = c(1.2, 1.5)))",
    "it stands in the source tree of fairstats: pip install ./packages/fairstats-data": (
        "install_fairstats() of a checkout installs it, too; carData::Arrests is the same table"
    ),
}
