"""``Subgroups``: what was found about every subgroup, and its sentences."""

from __future__ import annotations

import textwrap
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from fairstats.auditing.resolved import Resolved
from fairstats.errors import visible
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.representations.fit_study import FitStudy
from fairstats.labels import split
from fairstats.language import stored
from fairstats.studies.provenance import DataSource, Provenance, run_records
from fairstats.text import count, json_plain, level_number, p_value, percent, span

if TYPE_CHECKING:
    import pandas as pd

QUESTION = stored("Subgroups that differ from everybody")
EVERYBODY = "everybody"
FLAGGED, WITHIN = "flagged", "equivalence shown"
FEW = stored("fewer than {least} people")
ALIKE = stored("the same people as {list}")
ALL = stored("everybody is in it")
NONE_FLAGGED = stored(
    "None of {count} subgroups is flagged at a false discovery rate of {fdr} % ({said} of everybody: {rate} %)."
)
SOME_FLAGGED = stored(
    "Flagged at a false discovery rate of {fdr} %: {flagged} of {count} subgroups ({said} of everybody: {rate} %)."
)
TOLERATED = stored(
    "Up to {tolerance} percentage points from everybody are no disparity; shown to be so near: {within} of {count}."
)
ONE = stored(
    "{list} (n = {n}): {own} %, a difference of {said} percentage points from everybody ({said_low} to {said_high})."
)
TOGETHER = stored(
    "The limits of all {count} subgroups hold together with {level} % confidence; how subgroups overlap is allowed for."
)
REACHED = stored(
    "By the limits, which all hold together, {within} of the flagged subgroups may be no disparity; flags promise only "
    "that few of them are false."
)
LEFT = stored("Further subgroups, which are not judged: {left}.")
MOST = 5
MOST_LINES = 30


@dataclass(frozen=True, repr=False)
class Subgroups(FitStudy):
    """What ``subgroups`` found; ``estimates`` are the numbers, ``statements`` say them.

    Attributes
    ----------
    question, method : str
        A heading, and the name of the data.
    statements : tuple of str
    n, seed : int
        People in the denominator of the rate; the seed of the joint level.
    conf_level : float
        Of all limits together.
    estimates : Estimates
        A row a subgroup, against everybody; the first row is everybody's rate.
    metric : str
        The rate.
    depth, smallest : int
        The most columns of a subgroup, and its fewest people.
    fdr, tolerance : float
        The false discovery rate of flags, and how far from everybody is no disparity.
    adjust : str
        "bh" or "by".
    protocol : Resolved
        Columns and labels of decision and outcome, as the data spell them.
    data : tuple of DataSource
    provenance : Provenance, optional
        The call and the versions.
    """

    metric: str
    depth: int
    smallest: int
    fdr: float
    tolerance: float
    adjust: str
    protocol: Resolved
    data: tuple[DataSource, ...] = ()
    provenance: Provenance | None = None

    def flagged(self) -> Estimates:
        """Return the rows of the subgroups that are flagged.

        Examples
        --------
        >>> import fairstats as fs
        >>> people = {"sex": ["f"] * 90 + ["m"] * 90, "hired": [1] * 20 + [0] * 100 + [1] * 60}
        >>> [(row.group, round(row.estimate, 2)) for row in fs.subgroups(people, "hired", "sex").flagged()]
        [('f', -0.22), ('m', 0.22)]
        """
        return Estimates(row for row in self.estimates if row.verdict == FLAGGED)

    def judged(self) -> list[Estimate]:
        """Return the rows of subgroups with limits, first those that are for sure the farthest from everybody.

        Examples
        --------
        >>> import fairstats as fs
        >>> people = {"sex": ["f"] * 90 + ["m"] * 70 + ["x"] * 20, "hired": [1] * 20 + [0] * 100 + [1] * 60}
        >>> [row.group for row in fs.subgroups(people, "hired", "sex").judged()]
        ['x', 'f', 'm']
        """
        rows = [row for row in self.estimates if row.contrast == "difference" and row.status == "ok"]
        return sorted(rows, key=lambda row: (-max(row.conf_low, -row.conf_high), row.p_value))

    def summary(self) -> str:
        """The statements, and a line a subgroup: people, rate, difference from everybody, adjusted p-value."""
        rows = self.judged()
        lines = [f"{QUESTION}: {self.metric}, {self.method}"]
        lines += [line for text in self.statements for line in textwrap.wrap(text, 80)]
        lines += ["", f"{'':<31}{'people':>7}{'rate':>7}{'excess':>8}  {'limits':<15}{'p':>7}"]
        for row in rows[:MOST_LINES]:
            about = who(row.attribute, row.group)
            if len(about) > 30:
                lines += textwrap.wrap(about, 80)
                about = ""
            limits = span(row.conf_low, row.conf_high, percent)
            said = (
                f"{about:<31}{count(row.n):>7}{percent(row.events / row.n):>7}{percent(row.estimate):>8}  {limits:<15}"
            )
            lines.append(f"{said}{p_value(row.p_adjusted):>7}{' *' if row.verdict == FLAGGED else ''}")
        if len(rows) > MOST_LINES:
            lines.append(f"... and {len(rows) - MOST_LINES} more: tidy() has all.")
        lines.append("* flagged. Rates in per cent, excess in percentage points, p-values adjusted.")
        return visible("\n".join(lines))

    def _brief(self) -> str:
        return f"{self.heading}; {self.statements[0]}"

    def glance(self) -> pd.DataFrame:
        """One row: how many subgroups were judged and flagged, everybody's rate, and what was declared."""
        import pandas as pd

        row = {"metric": self.metric, "n": self.n, "rate": self.estimates[0].estimate, "judged": len(self.judged())}
        row |= {"flagged": len(self.flagged()), **self._declared(), "conf_level": self.conf_level, "seed": self.seed}
        return pd.DataFrame([row])

    def _declared(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("depth", "smallest", "tolerance", "fdr", "adjust")}

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready (schema ``fairstats/subgroups/1``)."""
        asked = {"protocol": json_plain(asdict(self.protocol)), **run_records(self.data, self.provenance)}
        return {
            **super().to_dict(),
            "schema": "fairstats/subgroups/1",
            "metric": self.metric,
            **self._declared(),
        } | asked


def who(attribute: str, group: str) -> str:
    """A subgroup by the labels of its columns.

    Examples
    --------
    >>> who("sex:age", "f:65 and more")
    'sex = f, age = 65 and more'
    """
    columns, labels = attribute.split(":"), split(group) if ":" in attribute else [group]
    if len(columns) != len(labels):  # a column's own name has a colon
        return f"{attribute} = {group}"
    return ", ".join(f"{column} = {label}" for column, label in zip(columns, labels, strict=True))


def columns(found: Subgroups) -> list[str]:
    """The columns that the subgroups are made of."""
    names = found.protocol.groups
    return [name for name in names if ":" not in name or not set(name.split(":")) <= set(names)]  # no intersection


def said_of(found: Subgroups) -> tuple[str, ...]:
    """How many subgroups are flagged, the first few of them, and what the numbers of all of them promise."""
    rows = found.judged()
    flagged = [row for row in rows if row.verdict == FLAGGED]
    words = {"count": len(rows), "said": found.metric, "rate": percent(found.estimates[0].estimate)}
    words |= {"fdr": level_number(found.fdr), "flagged": len(flagged)}
    said = [(SOME_FLAGGED if flagged else NONE_FLAGGED).format(**words)]
    for row in flagged[:MOST]:
        said.append(
            ONE.format(
                list=who(row.attribute, row.group),
                n=count(row.n),
                own=percent(row.events / row.n),
                said=percent(row.estimate),
                said_low=percent(row.conf_low),
                said_high=percent(row.conf_high),
            )
        )
    if found.tolerance:
        within = sum(row.verdict == WITHIN for row in rows)
        said.append(TOLERATED.format(tolerance=percent(found.tolerance), within=within, count=len(rows)))
    said.append(TOGETHER.format(count=len(rows), level=level_number(found.conf_level)))
    reached = sum(row.conf_low <= found.tolerance and row.conf_high >= -found.tolerance for row in flagged)
    if reached:
        said.append(REACHED.format(within=reached))
    left = sum(row.status != "ok" for row in found.estimates)
    return (*said, LEFT.format(left=left)) if left else tuple(said)
