"""``decompose()`` and ``adjusted_gap()``: which part of a gap between groups their covariates account for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.adjusted import APART as NO_RANGE
from fairstats.auditing.adjusted import no_common_range
from fairstats.auditing.arguments import AuditArguments
from fairstats.auditing.audit import Column
from fairstats.auditing.covariates import Covariates, formula_text, refuse_infinite
from fairstats.auditing.group_studies import LIMITS, SEXES
from fairstats.auditing.input import check_binary, check_levels, label_column, no_cluster
from fairstats.auditing.protocol import Words, declare, label_words, resolve
from fairstats.auditing.protocol import check_labels as check_words
from fairstats.data.formula import Formula, terms_of
from fairstats.data.tables import Columns, Factor, People, named_columns
from fairstats.document import Block, Heading, Paragraph, Table, Title
from fairstats.errors import InputError, Setting, in_code, listing, nearest, rows_at, warn, with_hint
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.parts.adjusted import ONE_COEFFICIENT, Adjusted, AdjustedPair, adjusted_gaps, one_sided
from fairstats.inference.parts.coefficients import (
    COEFFICIENTS,
    CONSTANT,
    ENDOWMENTS,
    EXPLAINED,
    FORMS,
    GAP,
    INTERACTION,
    UNEXPLAINED,
    WEIGHTS,
    Decomposed,
    GapPart,
    GapTerm,
    by_coefficients,
)
from fairstats.inference.parts.matched import by_matching
from fairstats.inference.parts.quantiles import Balance, by_reweighting, quantile, recentered
from fairstats.inference.parts.strata import by_strata
from fairstats.inference.parts.units import Pair, limits, paired
from fairstats.inference.representations.fit_studies import FitStudy
from fairstats.labels import odd_answers, one_label
from fairstats.language import DataText, Message, enumerated, joined, mark, message, say, says, translated
from fairstats.provenance import Attribute, by_size, call_text, provenance, run_records, take_in
from fairstats.text import (
    capital,
    compact,
    count,
    difference,
    difference_in_points,
    json_plain,
    level,
    number,
    percent,
    small,
    span,
)
from fairstats.validation import answering, between, confidence, flag, one_of, random_seed, shown, word

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

Method = Literal["oaxaca", "kitagawa", "yun", "fairlie", "reweighting", "rif", "gelbach"]
Coefficients = Literal["pooled_with_group", "reference", "group", "average", "share", "pooled"]
METHODS: tuple[Method, ...] = ("oaxaca", "kitagawa", "yun", "fairlie", "reweighting", "rif", "gelbach")
OF_DECISIONS, OF_QUANTILES = ("yun", "fairlie"), ("reweighting", "rif")
NAMES = {
    "oaxaca": message("Oaxaca and Blinder"),
    "kitagawa": message("Kitagawa and Das Gupta"),
    "yun": message("Yun, logistic regression"),
    "fairlie": message("Fairlie, in formula order"),
    "reweighting": message("reweighting, DiNardo, Fortin and Lemieux"),
    "rif": message("regression of recentered influences, RIF"),
    "gelbach": message("Gelbach"),
}
WORDS = {
    GAP: mark("gap"),
    EXPLAINED: mark("accounted for"),
    UNEXPLAINED: mark("not accounted for"),
    ENDOWMENTS: mark("covariates (endowments)"),
    COEFFICIENTS: mark("coefficients"),
    INTERACTION: mark("interaction"),
}
QUESTION = message("What accounts for the gap in {value}")
QUESTION_OF_AMOUNTS = message("What accounts for the gap in the {value}")
VALUES = {
    "amount": message("mean of {name}"),
    "decision": message("{name}"),
    "quantile": message("{x} quantile of {name}"),
}
WHOLE = message(
    "The {value} is {x} among {group} and {y} among {reference}, {gap} ({level}% confidence interval {low} to {high})"
)
WHOLE_RATES = message(
    "The rate of {value} is {x}% among {group} and {y}% among {reference}, {gap} ({level}% confidence interval {low} "
    "to {high})"
)
FOUND = message("{whole}. Of this gap, {explained} is accounted for by {list}; {rest} ({limits}) is not.")
FOUND_OPPOSITE = message(
    "{whole}. By {list} alone the gap would go the other way ({explained}, {ends}); {rest} ({limits}) is not accounted "
    "for."
)
FOUND_BEYOND = message(
    "{whole}. By {list} alone the gap would be larger ({explained}, {ends}); the rest goes the other way, {rest} "
    "({limits})."
)
BARE = message("The {value} is {x} among {group} and {y} among {reference}")
BARE_RATES = message("The rate of {value} is {x}% among {group} and {y}% among {reference}")
ONLY_GAP = message("{whole}; the parts of this gap are unknown: {why}.")
WITH_SHARE = message("{part} ({share})")
ROBUST = message("HC3, t")
LESS, MORE = message("{gap} less"), message("{gap} more")
POINTS = message("{number} percentage points")
IN_UNIT = message("{number} {unit}")
IN_THREE = message("In three parts: covariates {endowments}, coefficients {coefficients}, interaction {interaction}.")
UNDIVIDED_IN_TWO = message(
    "In the division in two, what is not accounted for is not divided by variable where {list} are compared, because "
    "they have fewer than 10 people for each column of the regression."
)
OTHER_FORM = message("By another way to divide the gap, {high} is accounted for.")
OTHER_FORMS = message("By {n} other ways to divide the gap, {low} to {high} is accounted for.")
OTHER_FORM_OPPOSITE = message("By another way to divide the gap, it would go the other way by {high}.")
OTHER_FORMS_OPPOSITE = message("By {n} other ways to divide the gap, it would go the other way by {low} to {high}.")
UNDIVIDED = message(
    "What is not accounted for is not divided by variable where {list} are compared, because they have fewer than 10 "
    "people for each column of the regression."
)
UNDIVIDED_SINCE = message(
    "What is not accounted for is not divided by variable where {list} are compared, because their own slopes or those "
    "of the reference cannot be used: {why}."
)
TAINTED = message(
    "A variable that may itself be a result of the treatment under audit hides a part of the gap. Check whether "
    "this holds of {list}."
)
BALANCED = message(
    "The weights leave {n} of {count} people; the largest difference of a covariate falls from {before} to {after} "
    "standard deviations."
)
NO_LIMITS = message("no interval")
BELOW_HUNDREDTH = message("less than 0.01")
APART = message("One group only: {list}.")
NOBODY_ALIKE = message(
    "Groups that are compared have no range of {list} in common: nobody of one is like anybody of the other."
)
LEFT_OUT = message("{n} of {count} people are left out: an entry is missing.")
INTERPOLATED = message("This quantile is interpolated (R's type 7), that of an audit is not (type 2).")
TOO_FEW = message("fewer than two people")
OF_GROUPS = (FOUND, FOUND_OPPOSITE, FOUND_BEYOND, ONLY_GAP)  # what is found of a group
CONSTANT_NAME = mark("(constant)")
SIGN = mark("Gap: {group} less {reference}; below 0 where {group} get less.")
ZERO_POINTS = mark(
    "How what is not accounted for divides among numeric variables depends on where their 0 is; its sum does not."
)
MOST_GROUPS = 3
LONGEST = 60
FEWEST = 2


@dataclass(frozen=True, repr=False)
class Decomposition(FitStudy):
    """What ``decompose`` found; ``estimates`` are the numbers, ``statements`` say them.

    Attributes
    ----------
    question, method : str
        A heading, and the name of the method.
    statements : tuple of str
    n, seed : int
        People whose entries are all known; the seed of drawn samples.
    conf_level : float
    estimates : Estimates
        A row a part (its ``metric``), and a row for each variable's share in it (its ``term``), first those of the
        coefficients that were asked for, then the parts under all others (role "sensitivity").
    value : str
        The column of the amount or the decision.
    kind : str
        "amount", "decision" or "quantile".
    decomposed_by, coefficients : str
        The method and the coefficients by their names.
    explained_by : str
        The formula.
    favorable : str
        The label of the decision that helps, "" of amounts.
    quantile : float, optional
        None of means.
    unit : str
        Of the amounts, as it was passed.
    labels : dict
        What pages call groups and columns, as it was passed.
    data : tuple of DataSource
    provenance : Provenance, optional
    """

    value: str
    kind: str
    decomposed_by: str
    coefficients: str
    explained_by: str
    favorable: str = ""
    quantile: float | None = None
    unit: str = ""
    labels: Mapping[str, Any] = field(default_factory=dict)

    def groups(self) -> list[str]:
        """Return the groups whose gaps are decomposed.

        Examples
        --------
        >>> import fairstats as fs
        >>> people = {"pay": [9.0, 8, 7, 9, 6, 5, 7, 6], "sex": ["m", "f"] * 4, "old": [1, 1, 0, 0, 0, 1, 1, 0]}
        >>> fs.decompose(people, "pay", "sex", explained_by=["old"], reference="m").groups()
        ['f']
        """
        return list(dict.fromkeys(row.group for row in self.estimates if row.metric == GAP))

    def parts(self, group: str | None = None) -> pd.DataFrame:
        """Return the parts under the coefficients that were asked for, with their shares of the gap.

        Parameters
        ----------
        group : str, optional
            One group; all by default.

        Returns
        -------
        pandas.DataFrame
            Columns group, reference, component, term ("" for the whole), estimate, std_error, conf_low, conf_high,
            share, status, reason.

        Raises
        ------
        InputError
            If no group is called so.

        Examples
        --------
        >>> import fairstats as fs
        >>> people = {"pay": [9.0, 8, 7, 9, 6, 5, 7, 6], "sex": ["m", "f"] * 4, "old": [1, 1, 0, 0, 0, 1, 1, 0]}
        >>> found = fs.decompose(people, "pay", "sex", explained_by=["old"], reference="m").parts()
        >>> found.loc[found.term == "", ["component", "estimate"]].round(2).values.tolist()
        [['gap', -0.25], ['explained', 0.0], ['unexplained', -0.25]]
        """
        import pandas as pd

        if group is not None and not (isinstance(group, str) and group in self.groups()):
            raise InputError("group", f"has {shown(group)}; the gaps are those of {listing(self.groups())}; name one.")
        rows = [row for row in main_rows(self) if group in (None, row.group)]
        gaps = {row.group: row.estimate for row in rows if row.metric == GAP}
        same = ("estimate", "std_error", "conf_low", "conf_high")
        columns = ("group", "reference", "component", "term", *same, "share", "status", "reason")
        lines = [
            (
                *(row.group, row.reference, row.metric, row.term, *(getattr(row, name) for name in same)),
                *(share_of(row, gaps), row.status, str(row.reason)),
            )
            for row in rows
        ]
        return pd.DataFrame(lines, columns=columns)

    def sensitivity(self) -> pd.DataFrame:
        """Return the parts of each gap under every choice of coefficients.

        Returns
        -------
        pandas.DataFrame
            Columns group, coefficients, explained, explained_low, explained_high, unexplained, reason.

        Examples
        --------
        >>> import fairstats as fs
        >>> people = {"pay": [9.0, 8, 7, 9, 6, 5, 7, 6], "sex": ["m", "f"] * 4, "old": [1, 1, 0, 0, 0, 1, 1, 0]}
        >>> found = fs.decompose(people, "pay", "sex", explained_by=["old"], reference="m").sensitivity()
        >>> found.coefficients.tolist()
        ['pooled_with_group', 'reference', 'group', 'average', 'share', 'pooled']
        """
        import pandas as pd

        columns = ("group", "coefficients", EXPLAINED, "explained_low", "explained_high", UNEXPLAINED, "reason")
        whole = [row for row in self.estimates if not row.term and row.estimator != "threefold"]
        rest = {(row.group, row.estimator): row.estimate for row in whole if row.metric == UNEXPLAINED}
        lines = [
            (
                row.group,
                row.estimator,
                row.estimate,
                row.conf_low,
                row.conf_high,
                rest[row.group, row.estimator],
                row.reason,
            )
            for row in whole
            if row.metric == EXPLAINED
        ]
        return pd.DataFrame(lines, columns=columns)

    def _content(self) -> Iterator[Block]:
        yield Title(1, self._title)
        shown = [text for text in self.statements if not says(text, LEFT_OUT)]  # the title counts those left out
        yield from map(Paragraph, map(translated, shown))  # settings in the words of the front end
        yield self._table()

    @property
    def _title(self) -> str:
        read = self.data[0].rows
        people = f"{count(self.n)} of {count(read)}" if read > self.n else count(self.n)
        return f"{self.question} ({self.method}), {people} people"

    def _table(self) -> Table:
        """A line a part and a variable."""
        rows = main_rows(self)
        several = len(self.groups()) > 1
        gaps = {row.group: row.estimate for row in rows if row.metric == GAP}
        unit = "points" if self.kind == "decision" else self.unit
        heads = [*([Heading("group", kind="text")] if several else []), Heading("part", kind="text")]
        heads += [Heading("estimate", unit), Heading(f"{level(self.conf_level)} limits", unit), Heading("share", "%")]
        lines = []
        for row in rows:
            name = f"- {variable(self, row.term)[:LONGEST]}" if row.term else WORDS[row.metric]
            cells = [*([str(called(self, row.group))] if several else []), name, part_text(self, row.estimate)]
            cells += [span(row.conf_low, row.conf_high, partial(part_text, self)), percent(share_of(row, gaps))]
            lines.append(tuple(cells))
        said = self.groups()[:MOST_GROUPS]  # why they have no parts
        left = (row for row in rows if row.reason and (row.status == "ok" or row.group not in said))
        reasons = dict.fromkeys(f"{capital(str(row.reason))}." for row in left)
        return Table("", tuple(heads), tuple(lines), " ".join((*signs(self), *reasons)))

    def _brief(self) -> str:
        return f"{self.question} ({self.method}); {self.statements[0]}"

    def glance(self) -> pd.DataFrame:
        """One row: the gap of the first group, its parts, and what was declared."""
        import pandas as pd

        row = {"value": self.value, "n": self.n, "method": self.decomposed_by, "coefficients": self.coefficients}
        first = {r.metric: r.estimate for r in main_rows(self) if r.group == self.groups()[0] and not r.term}
        row |= {name: first.get(name, math.nan) for name in (GAP, EXPLAINED, UNEXPLAINED)}
        return pd.DataFrame([{**row, "conf_level": self.conf_level, "seed": self.seed}])

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready (schema ``fairstats/decomposition/1``)."""
        keep = ("value", "kind", "decomposed_by", "coefficients", "explained_by", "favorable", "quantile", "unit")
        return {
            **super().to_dict(),
            "schema": "fairstats/decomposition/1",
            **{name: getattr(self, name) for name in keep},
            "labels": json_plain(self.labels),
            **run_records(self.data, self.provenance),
        }


def value_of(name: str, kind: str, favorable: str, at: float | None) -> str:
    """What a gap is in, as a phrase."""
    text = DataText(f"{name} = {favorable}" if favorable else name)
    return VALUES[kind].format(name=text, x=f"{at:g}") if at is not None else VALUES[kind].format(name=text)


def called(result: Decomposition, label: str) -> str:
    """What pages call a group: by the words given, women and men by these where the column is of sexes."""
    attribute = next(row.attribute for row in result.estimates)
    given = label_words(result.labels).group(attribute, label)
    if given:
        return DataText(given)
    plain = {name.strip().lower() for row in result.estimates for name in (row.group, row.reference) if name}
    of_sexes = attribute.casefold() in ("sex", "gender", "geschlecht") or plain <= SEXES.keys()
    return (SEXES.get(label.strip().lower()) if of_sexes else None) or DataText(label)


def variable(result: Decomposition, term: str) -> str:
    """What pages call a term of the formula: by the words given; a column in a C() without it."""
    column = term.removeprefix("C(").removesuffix(")") if term.startswith("C(") else term
    return label_words(result.labels).attribute(column.strip("`"))


def part_text(result: Decomposition, value: float) -> str:
    """A part as it is printed: of decisions in percentage points, of amounts with the decimals of the largest part."""
    if result.kind == "decision":
        return percent(value)
    digits = _decimals(result)
    return compact(value) if digits is None else small(value, digits)


def _decimals(result: Decomposition) -> int | None:
    """The decimals of amounts; None where the largest part is so small or large that numbers have their own."""
    size = max((abs(row.estimate) for row in main_rows(result) if not row.term and row.status == "ok"), default=0.0)
    return max(0, 2 - math.floor(math.log10(size))) if 1e-4 <= size < 1e6 else None


def _difference(result: Decomposition, gap: float, one: float, other: float) -> str:
    """A part as it is printed beside the two numbers that it is the difference of."""
    if result.kind == "decision":
        return difference_in_points(gap, one, other)
    digits = _decimals(result)
    return compact(gap) if digits is None else difference(gap, one, other, digits)


def main_rows(result: Decomposition) -> list[Estimate]:
    """The gap and its parts under the coefficients that were asked for, in the order of the table."""
    return [row for row in result.estimates if row.role == "main"]


def share_of(row: Estimate, gaps: Mapping[str, float]) -> float:
    """The share of a part in its gap; NaN where there is no gap."""
    gap = gaps[row.group]
    return row.estimate / gap if gap else math.nan


# What people, columns and formulas are: read once, without those of whom an entry is missing.


@dataclass(frozen=True, eq=False)
class _People:
    """People whose entries are all known: what they got, their groups, their covariates."""

    y: Floats
    groups: Attribute
    X: Floats
    terms: tuple[GapTerm, ...]
    factors: Mapping[str, Factor]
    weights: Floats | None
    clusters: NDArray[np.intp] | None
    formula: Formula
    decision: str
    left_out: int
    read: int
    notes: list[Message]  # cautions on the labels of the decision


def _people(
    table: Columns, roles: Mapping[str, Any], covariates: str | Sequence[str], argument: str, favorable: Any
) -> _People:
    text = formula_text(argument, covariates)
    groups, decision, notes = roles["groups"], "", list[Message]()
    if not isinstance(groups, str):
        raise InputError("groups", f"has {shown(groups)}; a gap is decomposed by one column at a time; name one.")
    factor = label_column(table, "groups", groups)
    keep = factor.codes >= 0
    if roles["decision"] is not None:
        y, decision, notes = _decided(table, roles, favorable)
    else:
        y = _amounts(table, roles["amount"])
    keep &= ~np.isnan(y)
    weights = None if roles["weights"] is None else _weighted(table, roles["weights"])
    clusters = None
    if roles["clusters"] is not None:
        labels = label_column(table, "clusters", roles["clusters"])
        no_cluster(roles["clusters"], int((labels.codes < 0).sum()))
        clusters = labels.codes.astype(np.intp)
    if weights is not None:
        keep &= weights > 0
    known = Covariates.of(text, table, keep, argument)
    formula, keep = known.formula, known.keep
    terms = tuple(GapTerm(name, columns, levels) for name, columns, levels in terms_of(formula))
    codes = factor.codes[keep].astype(np.int32)
    attribute = by_size(Attribute(groups, codes, factor.levels))
    check_levels(groups, attribute.labels)
    used = {"groups": groups, **{r: roles[r] for r in ("amount", "decision", "weights", "clusters")}}
    for role, name in used.items():
        if name in formula.variables and role not in ("clusters", "weights"):
            raise InputError(
                argument, f"has {name!r}, which is {role}, too; a gap cannot account for itself; leave it out."
            )
    return _People(
        y[keep],
        attribute,
        known.X,
        terms,
        known.factors,
        None if weights is None else weights[keep],
        None if clusters is None else np.unique(clusters[keep], return_inverse=True)[1].ravel(),
        formula,
        decision,
        int((~keep).sum()),
        len(keep),
        notes,
    )


def _amounts(table: Columns, name: str) -> Floats:
    """The amounts; what has two values is more likely a decision."""
    way = f"for a decision pass {Setting('decision', ... if name == 'amount' else name)} in its place."
    levels = label_column(table, "amount", name).levels if table.is_labels(name) else ()
    if len(levels) == 2 and not any(letter.isdigit() for label in levels for letter in label):
        raise InputError("amount", f"has {name!r}, which has two labels, {' and '.join(map(repr, levels))}; {way}")
    y = table.numeric(name, "amount")
    refuse_infinite("amount", name, y)
    if set(np.unique(y[~np.isnan(y)])) == {0, 1}:
        warn(f"{Setting('amount', name)} has the values 0 and 1 alone; {way}")
    return y


def _decided(table: Columns, roles: Mapping[str, Any], favorable: Any) -> tuple[Floats, str, list[Message]]:
    factor = label_column(table, "decision", roles["decision"])
    declared = declare(AuditArguments(decision=roles["decision"], groups=roles["groups"], favorable=favorable))
    if "favorable" not in declared.chosen:
        check_binary("decision", roles["decision"], factor)
    helps = resolve(declared, outcome=None, decision=factor.levels, attributes=(roles["groups"],)).favorable
    place = factor.levels.index(helps) if helps in factor.levels else -2
    notes = odd_answers({roles["decision"]: factor.levels})
    return np.where(factor.codes < 0, np.nan, factor.codes == place).astype(float), helps, notes


def _weighted(table: Columns, name: str) -> Floats:
    weights = table.numeric(name, "weights")
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any() or not weights.any():
        rows = f" ({rows_at(np.flatnonzero(bad))})" if bad.any() else ""
        raise InputError(
            "weights", f"has {name!r}{rows}; weights are finite numbers of at least 0, not all 0; correct them."
        )
    return weights


def _reference_of(attribute: Attribute, reference: Any) -> int:
    """The place of the reference: by default the largest group."""
    if reference is None:
        return 0
    wanted = one_label("reference", reference)
    if wanted not in attribute.labels:
        raise InputError(
            "reference",
            with_hint(
                f"has {wanted!r}; {attribute.name!r} has no such group",
                nearest(wanted, attribute.labels),
                f"its groups are {listing(attribute.labels)}.",
            ),
        )
    return attribute.labels.index(wanted)


def _paired(people: _People, code: int, reference: int) -> tuple[Pair, tuple[GapTerm, ...], NDArray[np.intp]]:
    """The people of a group and of the reference, with the columns that vary among them."""
    codes = people.groups.codes
    rows = np.flatnonzero((codes == code) | (codes == reference))
    X = people.X if len(rows) == len(codes) else people.X[rows]  # two groups need no copy
    member = codes[rows] == code
    flat = [np.ptp(X[:, j]) == 0 for j in range(X.shape[1])]
    terms: list[GapTerm] = []
    columns: list[int] = []
    for term in people.terms:
        kept = [j for j in term.columns if not flat[j]]
        levels = len(kept) + 1 if term.levels else 0
        if term.levels and kept and X[:, list(term.columns)].any(axis=1).all():  # nobody has the omitted level
            kept, levels = kept[1:], len(kept)
        terms.append(GapTerm(term.name, tuple(range(len(columns), len(columns) + len(kept))), levels))
        columns += kept
    weights = None if people.weights is None else people.weights[rows]
    clusters = None if people.clusters is None else people.clusters[rows]
    order = np.concatenate([np.flatnonzero(~member), np.flatnonzero(member)])
    X = X if len(columns) == X.shape[1] else X[:, columns]
    return paired(people.y[rows], X, member, weights, clusters), tuple(terms), rows[order]


# The call.


@answering
def decompose(
    data: People | None = None,
    amount: Column = None,
    groups: Column = None,
    *,
    decision: Column = None,
    explained_by: str | Sequence[str] = "",
    reference: Any = None,
    coefficients: Coefficients | float | None = None,
    method: Method | None = None,
    threefold: bool = False,
    quantile: float | None = None,
    weights: Column = None,
    clusters: Column = None,
    favorable: Any = AuditArguments.favorable,
    unit: str | None = AuditArguments.unit,
    labels: Mapping[str, Any] | None = None,
    conf_level: float = AuditArguments.conf_level,
    seed: int = AuditArguments.seed,
) -> Decomposition:
    """Decompose the gap between groups in an amount or a decision into what covariates account for, and the rest.

    The gap is that of each group less that of the reference. People of whom an entry is missing are left out, and
    counted.

    Parameters
    ----------
    data : table or path
        A row a person.
    amount, decision : str or array_like, shape (n,)
        What people were given: a number, or one of two labels. One of both.
    groups : str or array_like, shape (n,)
        Groups of people.
    explained_by : str or list of str
        A formula, ``"~ age + education"``, or columns: numbers as they are, text as factors.
    reference : label, optional
        The group that the others are compared with; the largest by default.
    coefficients : str or float, optional
        Whose slopes the explained part takes: "pooled_with_group" (default), "pooled", "reference", "group", "average",
        "share" (of people), or the weight of the reference's. "reference" or "group" for reweighting: whose people are
        weighted to be like the others; the reference's by default.
    method : str, optional
        "oaxaca" (default for amounts), "kitagawa" (means by strata, no model), "gelbach"; of decisions "yun" (default),
        "fairlie"; of quantiles "reweighting" (default), "rif".
    threefold : bool
        Whether the gap is also split into endowments, coefficients and their interaction, from the group's viewpoint.
    quantile : float, optional
        Decompose this quantile in place of the mean, in (0, 1).
    weights, clusters : str or array_like, optional
        Probability weights, and labels of people who depend on each other.
    favorable : label
        The decision that helps the person.
    unit : str, optional
        What amounts are counted in, such as "EUR/h".
    labels : dict, optional
        What pages call groups and columns: ``{"groups": {"sex": {"1": "women"}}, "attributes": {"yrs": "years"}}``.
        Rows keep the names of the data; f, m and the like are called women and men without it.
    conf_level : float
    seed : int
        Of Fairlie's samples.

    Returns
    -------
    Decomposition
        Rows with limits; ``parts()`` has each part's share of the gap.

    Raises
    ------
    InputError
        If a column is unknown or unusable, the formula cannot be read, a level holds one person, or covariates follow
        from each other.

    Notes
    -----
    The unexplained part is what these covariates do not account for, whatever the reason: covariates that are absent
    raise or lower it, and a covariate that is itself a result of the treatment hides it.
    Errors have those of the covariates' means (Jann 2008) and are robust (HC3; of clusters CR3), limits by t. With
    fewer than 10 people a column in a group the unexplained part is not divided by variable: so few give no reliable
    slopes of their own. What numeric variables leave unexplained depends on where their 0 is; parts of factors do not
    depend on the level that is left out (Gardeazabal & Ugidos 2004; Yun 2005).

    References
    ----------
    Oaxaca (1973), International Economic Review 14; Blinder (1973), Journal of Human Resources 8; Kitagawa (1955), JASA
    50; Das Gupta (1993); Jann (2008), Stata Journal 8; Yun (2004), Economics Letters 82; Yun (2005), Economic Inquiry
    43; Fairlie (2005), Journal of Economic and Social Measurement 30; Gelbach (2016), Journal of Labor Economics 34;
    DiNardo, Fortin & Lemieux (1996), Econometrica 64; Firpo, Fortin & Lemieux (2009), Econometrica 77. R: ``oaxaca``
    (whose gap is reference less group), ``ddecompose``; Stata: ``oaxaca``.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> years = np.arange(60) % 30
    >>> sex = np.repeat(["m", "f"], 30)
    >>> people = {"pay": 20 + years - 2 * (sex == "f"), "sex": sex, "years": years + 3 * (sex == "m")}
    >>> result = fs.decompose(people, "pay", "sex", explained_by="~ years", reference="m")
    >>> result.estimates.where(metric="explained", role="main", term="")[0].estimate.__round__(3)
    -3.0
    """
    level_, drawn, three = confidence(conf_level), random_seed(seed), flag("threefold", threefold)
    at = None if quantile is None else between("quantile", quantile, 0, 1, "pass a share such as 0.5, the median")
    roles: dict[str, Any] = {"amount": amount, "decision": decision, "weights": weights, "clusters": clusters}
    data, roles = named_columns(data, roles, {"groups": groups})
    kind = _kind(roles, at)
    counted_in = "" if unit is None else word("unit", unit)
    if counted_in and kind == "decision":
        raise InputError("unit", f"has {shown(unit)}; it is of amounts, and there are none; leave it out.")
    way = _way(method, kind)
    form = _form(coefficients, way)
    if three and way not in ("oaxaca", "yun"):
        raise InputError(
            "threefold",
            f"has {in_code(True)}; {way!r} has two parts only; leave it out, or pass {Setting('method', 'oaxaca')}.",
        )
    table, source = take_in(data, [roles["groups"]] if isinstance(roles["groups"], str) else ())
    people = _people(table, roles, explained_by, "explained_by", favorable)
    base = _reference_of(people.groups, reference)
    words = _words(labels, people, str(roles[_role(kind)]))
    declared = {name: value for name, value in roles.items() if value is not None}
    declared |= {"explained_by": people.formula.text, "reference": people.groups.labels[base]}
    declared |= {} if coefficients is None else {"coefficients": coefficients}
    declared |= {} if method is None else {"method": method}
    declared |= {"threefold": True} if three else {}
    declared |= {} if at is None else {"quantile": at}
    declared |= {"favorable": people.decision} if people.decision else {}
    declared |= {"unit": counted_in} if counted_in else {}
    declared |= {"labels": words.given()} if words.given() else {}
    declared |= {"conf_level": level_, "seed": drawn}
    rows: list[Estimate] = []
    balances: list[str] = []
    undivided: dict[str, dict[str, None]] = {}  # why what is left is not divided, and the groups of whom it holds
    ranges: dict[str, None] = {}
    for code, name in enumerate(people.groups.labels):
        if code == base:
            continue
        done, of_group, balance = _decomposed(people, code, base, way, form, three, at, drawn, kind, level_)
        rows += of_group
        if done.undivided:
            few = [label for label, so in zip((name, people.groups.labels[base]), done.few, strict=True) if so]
            undivided.setdefault(done.why_undivided, {}).update(dict.fromkeys(few or [name]))
        ranges |= dict.fromkeys(_without_range(people, code, base))
        balances += [] if balance is None else [_balanced(balance)]
    result = Decomposition(
        (QUESTION if kind == "decision" else QUESTION_OF_AMOUNTS).format(
            value=value_of(words.attribute(str(roles[_role(kind)])), kind, people.decision, at)
        ),
        NAMES[way],
        (),
        len(people.y),
        drawn,
        level_,
        Estimates(rows),
        str(roles[_role(kind)]),
        kind,
        way,
        form if isinstance(form, str) else f"{form:g}",
        people.formula.text,
        favorable=people.decision,
        quantile=at,
        unit=counted_in,
        labels=words.given(),
        data=(source,),
        provenance=provenance(call_text("fairstats.decompose", source, declared), drawn),
    )
    return replace(
        result, statements=(*_findings(result, people), *balances, *_cautions(result, people, undivided, [*ranges]))
    )


def _words(labels: Mapping[str, Any] | None, people: _People, value: str) -> Words:
    """What pages call the groups and the columns; a decomposition takes no other words."""
    words = label_words(labels)
    if others := [name for name in words.given() if name not in ("groups", "attributes")]:
        raise InputError(
            "labels", f"has {others[0]!r}; a decomposition takes 'groups' and 'attributes' alone; leave it out."
        )
    columns: dict[str, tuple[str, ...]] = dict.fromkeys((value, *people.formula.variables), ())
    check_words(words, {**columns, people.groups.name: people.groups.labels})
    return words


def _role(kind: str) -> str:
    return "decision" if kind == "decision" else "amount"


def _kind(roles: Mapping[str, Any], at: float | None) -> str:
    given = [name for name in ("amount", "decision") if roles[name] is not None]
    if len(given) != 1:
        fact = "amount is absent, and so is decision" if not given else "amount and decision are both given"
        raise InputError(f"{fact}; a gap is that of one of them; pass one.")
    if roles["groups"] is None:
        raise InputError("groups", "is absent; name the column of groups.")
    if given == ["decision"]:
        if at is not None:
            raise InputError("quantile", f"has {at:g} beside decision; decisions have no quantiles; leave it out.")
        return "decision"
    return "amount" if at is None else "quantile"


def _way(method: Any, kind: str) -> Method:
    if method is None:
        return {"amount": "oaxaca", "decision": "yun", "quantile": "reweighting"}[kind]  # type: ignore[return-value]
    way = one_of("method", method, METHODS)
    if way in OF_DECISIONS and kind != "decision":
        raise InputError(
            "method",
            f"has {way!r}, which is of decisions; pass {Setting('decision')}, or {Setting('method', 'oaxaca')}.",
        )
    if kind == "quantile" and way not in OF_QUANTILES:
        raise InputError(
            "method", f"has {way!r} beside quantile; quantiles take 'reweighting' or 'rif'; pass one of them."
        )
    if kind != "quantile" and way == "rif":
        raise InputError(
            "method", f"has 'rif', which is of a quantile; pass {Setting('quantile', 0.5)} for the median."
        )
    return way


def _form(coefficients: Any, way: Method) -> str | float:
    if way == "reweighting":
        return "reference" if coefficients is None else one_of("coefficients", coefficients, ("reference", "group"))
    if way in ("kitagawa", "gelbach"):
        only = "average" if way == "kitagawa" else "pooled_with_group"
        if coefficients not in (None, only):
            raise InputError(
                "coefficients", f"has {shown(coefficients)}; method {way!r} takes {only!r} only; leave it out."
            )
        return only
    if coefficients is None:
        return "pooled_with_group"
    if isinstance(coefficients, str):
        return one_of("coefficients", coefficients, FORMS)
    share = between("coefficients", coefficients, 0, 1, "pass the weight of the reference's, or a name", ends="[]")
    return next((name for name, weight in WEIGHTS.items() if weight == share), share)  # 1 is the reference's


def _decomposed(
    people: _People,
    code: int,
    base: int,
    way: Method,
    form: str | float,
    threefold: bool,
    at: float | None,
    seed: int,
    kind: str,
    conf_level: float,
) -> tuple[Decomposed, list[Estimate], Balance | None]:
    """The parts of one group's gap, and their rows."""
    labels = people.groups.labels
    pair, terms, rows = _paired(people, code, base)
    about: dict[str, Any] = {"attribute": people.groups.name, "group": labels[code], "reference": labels[base]}
    balance = None
    if min(len(pair.y) - pair.start, pair.start) < FEWEST:
        done = Decomposed(tuple(GapPart(c, "", "", math.nan, reason=TOO_FEW) for c in (GAP, EXPLAINED, UNEXPLAINED)))
    elif way == "kitagawa":
        done = _of_strata(people, pair, rows)
    elif way == "reweighting":
        done, balance = by_reweighting(pair, str(form), at)
    elif way == "fairlie":
        done = by_matching(pair, terms, form, seed)
    else:
        of = recentered(pair, at) if way == "rif" and at is not None else pair
        link = "logit" if way == "yun" else "identity"
        done = by_coefficients(of, terms, form, link=link, threefold=threefold, separate=way != "gelbach")
    chosen = form if isinstance(form, str) else f"{form:g}"
    out = [_level_row(pair, side, about, kind, at) for side in (0, 1)]
    out += [_row(part, about, chosen, pair, conf_level, threefold) for part in done.parts]
    return done, out, balance


def _of_strata(people: _People, pair: Pair, rows: NDArray[np.intp]) -> Decomposed:
    numeric = [name for name, levels in people.formula.variables.items() if levels is None]
    if numeric or any(not term.levels for term in people.terms):
        which = numeric[0] if numeric else people.terms[-1].name
        raise InputError(
            "explained_by",
            f"has {which!r}, which is no factor that stands alone; method 'kitagawa' takes strata; write "
            "C(column) for a number of few values, or make classes.",
        )
    names = [term.name for term in people.terms]
    factors = list(people.factors.values())
    codes = np.stack([factor.codes[rows].astype(np.intp) for factor in factors], axis=1)
    order = [list(people.factors).index(name.removeprefix("C(").removesuffix(")").strip("`")) for name in names]
    return by_strata(pair, codes[:, order], names)


def _level_row(pair: Pair, side: int, about: Mapping[str, Any], kind: str, at: float | None) -> Estimate:
    """The mean, rate or quantile of one side."""
    rows = pair.sides[side]
    y, w = pair.y[rows], pair.weights[rows]
    name = {"amount": "mean", "decision": "selection rate", "quantile": "quantile"}[kind]
    value = float(w @ y / w.sum()) if at is None else quantile(y, w, at)
    group = about["group"] if side == 0 else about["reference"]
    term = "" if at is None else f"{at:g}"
    return Estimate(
        *(name, about["attribute"], group),
        given="" if side == 0 else about["group"],
        n=float(len(y)),
        estimate=value,
        term=term,
        role="supplementary",
    )


def _row(
    part: GapPart,
    about: Mapping[str, Any],
    chosen: str,
    pair: Pair,
    conf_level: float,
    threefold: bool,
) -> Estimate:
    errors = ROBUST if pair.clusters is None else message("CR3 of clusters, t")
    wanted = "threefold" if threefold else chosen
    main = part.form in ("", wanted)
    row = Estimate(
        part.component,
        contrast="difference",
        term=part.term,
        n=float(len(pair.y)),
        estimator=part.form,
        role="main" if main else "sensitivity",
        method=errors,
        reason=part.reason,
        **about,
    )
    return _with_limits(row, part.estimate, part.std_error, part.df, conf_level, part.skewness)


COLLINEAR_PAIR = message("the covariates of these people follow from each other or from the group")


# What is said.


def _findings(result: Decomposition, people: _People) -> list[str]:
    """A sentence a group: its gap, what its covariates account for, and what not."""
    terms = enumerated(DataText(variable(result, term.name)) for term in people.terms)
    bare, whole = (BARE_RATES, WHOLE_RATES) if result.kind == "decision" else (BARE, WHOLE)
    out: list[str] = []
    for group in result.groups()[:MOST_GROUPS]:
        rows = [row for row in result.estimates if row.group == group and not row.term]
        gap = next(row for row in rows if row.metric == GAP)
        known = {row.metric: row for row in rows if row.estimator == result.coefficients and row.status == "ok"}
        levels = _levels(result, group)
        side = -1 if gap.estimate < 0 else 1  # in the direction of the gap, which is said in words
        width = _in_unit(result, _difference(result, side * gap.estimate, *(side * level for level in levels)))
        width = POINTS.format(number=width) if result.kind == "decision" else width
        limits = sorted((side * gap.conf_low, side * gap.conf_high))
        values = {
            "group": called(result, group),
            "reference": called(result, gap.reference),
            "level": percent(result.conf_level, 0 if round(100 * result.conf_level, 6) % 1 == 0 else 1),
            "value": value_of(variable(result, result.value), result.kind, result.favorable, result.quantile),
            "x": _in_unit(result, part_text(result, levels[0])),
            "y": _in_unit(result, part_text(result, levels[1])),
            "gap": (LESS if side < 0 else MORE).format(gap=width),
            "low": part_text(result, limits[0]),
            "high": part_text(result, limits[1]),
        }
        values["whole"] = (whole if gap.conf_low == gap.conf_low else bare).format(**values)
        if EXPLAINED not in known:
            why = next(
                row.reason for row in rows if row.metric == EXPLAINED and row.estimator in ("", result.coefficients)
            )
            out.append(ONLY_GAP.format(why=why, **values))
            continue
        rest, part = known[UNEXPLAINED], side * known[EXPLAINED].estimate
        less, more = (LESS, MORE) if side < 0 else (MORE, LESS)  # in the direction of the gap, and in the other
        left = _difference(result, side * rest.estimate, side * gap.estimate, part)
        values |= {"list": terms, "rest": _in_unit(result, left), "limits": _limits(result, rest, side)}
        template = FOUND_OPPOSITE if part < 0 else FOUND_BEYOND if part > abs(gap.estimate) else FOUND
        values["explained"] = _in_unit(result, part_text(result, abs(part)))
        if template is FOUND:
            share = share_of(known[EXPLAINED], {group: gap.estimate})
            if 0 < share < 1:
                values["explained"] = WITH_SHARE.format(part=values["explained"], share=f"{percent(share)}%")
        else:
            way = -side if part < 0 else side
            values["ends"] = _limits(result, known[EXPLAINED], way)
            values["explained"] = (more if part < 0 else less).format(gap=values["explained"])
        if template is FOUND_BEYOND:
            size = _in_unit(result, part_text(result, abs(rest.estimate)))
            values |= {"rest": more.format(gap=size), "limits": _limits(result, rest, -side)}
        out.append(template.format(**values))
        three = {row.metric: row for row in rows if row.estimator == "threefold" and row.status == "ok"}
        if three:
            parts = {ENDOWMENTS: "endowments", COEFFICIENTS: "coefficients", INTERACTION: "interaction"}
            sizes = {name: part_text(result, side * three[metric].estimate) for metric, name in parts.items()}
            out.append(IN_THREE.format(**sizes))
    if len(result.groups()) == 1 and EXPLAINED in known:
        forms = [
            side * row.estimate
            for row in result.estimates
            if row.metric == EXPLAINED and not row.term and row.status == "ok" and row.estimator != result.coefficients
        ]
        if forms:
            one, several, low, high = OTHER_FORM, OTHER_FORMS, min(forms), max(forms)
            if high < 0:
                one, several, low, high = OTHER_FORM_OPPOSITE, OTHER_FORMS_OPPOSITE, -high, -low
            ends = {"low": part_text(result, low), "high": _in_unit(result, part_text(result, high))}
            out.append((one if len(forms) == 1 else several).format(n=len(forms), **ends))
    return out


def signs(result: Decomposition) -> list[str]:
    """How the numbers of the parts are read: the direction of the gap, and what a variable's rest depends on."""
    rows = main_rows(result)
    called_so = {name: translated(called(result, getattr(rows[0], name))) for name in ("group", "reference")}
    lines = [say(SIGN, **called_so)] if len(result.groups()) == 1 else []
    divided = any(row.metric == UNEXPLAINED and row.term not in ("", CONSTANT) for row in rows)
    return [*lines, say(ZERO_POINTS)] if divided else lines


def _in_unit(result: Decomposition, number: str) -> str:
    """A number with the unit of the amounts, where they have one."""
    return IN_UNIT.format(number=number, unit=DataText(result.unit)) if result.unit else number


def _limits(result: Decomposition, row: Estimate, side: int) -> str:
    """The limits of a part in the direction of the gap, where it has any."""
    if math.isnan(row.conf_low) and math.isnan(row.conf_high):
        return NO_LIMITS
    low, high = sorted((side * row.conf_low, side * row.conf_high))
    return LIMITS.format(low=part_text(result, low), high=part_text(result, high))


def _levels(result: Decomposition, group: str) -> tuple[float, float]:
    """The mean, rate or quantile of a group and of the reference."""
    rows = [row for row in result.estimates if row.role == "supplementary"]
    return (
        next(row.estimate for row in rows if row.group == group and not row.given),
        next(row.estimate for row in rows if row.given == group),
    )


def _in_deviations(size: float) -> str:
    """A standardized difference with the two digits that it is read by."""
    return number(size, 2) if size >= 0.01 else BELOW_HUNDREDTH


def _balanced(balance: Balance) -> str:
    return BALANCED.format(
        n=count(round(balance.effective)),
        count=count(balance.people),
        before=_in_deviations(balance.before),
        after=_in_deviations(balance.after),
    )


def _cautions(
    result: Decomposition, people: _People, undivided: Mapping[str, Iterable[str]], ranges: Sequence[str]
) -> list[str]:
    out: list[str] = []
    for why, groups in undivided.items():
        names = enumerated(called(result, name) for name in groups)
        in_two = UNDIVIDED_IN_TWO if any(row.estimator == "threefold" for row in result.estimates) else UNDIVIDED
        out.append(in_two.format(list=names) if not why else UNDIVIDED_SINCE.format(list=names, why=why))
    apart = [f"{name} = {people.factors[name].levels[i]}" for name, i in _apart(people)]
    if apart:
        out.append(APART.format(list=enumerated(map(DataText, apart), 3)))
    if ranges:
        out.append(NOBODY_ALIKE.format(list=enumerated(map(DataText, ranges), 3)))
    out.append(TAINTED.format(list=enumerated([DataText(variable(result, term.name)) for term in people.terms])))
    if result.quantile is not None and (result.quantile != 0.5 or people.weights is not None):
        out.append(INTERPOLATED)
    out += people.notes
    if people.left_out:
        out.append(LEFT_OUT.format(n=count(people.left_out), count=count(people.read)))
    return out


def _without_range(people: _People, code: int, base: int) -> list[str]:
    """The covariates that are numbers of which a group and the reference have no range in common."""
    numbers = {term.name: people.X[:, term.columns[0]] for term in people.terms if not term.levels}
    return no_common_range(numbers, people.groups.codes == code, people.groups.codes == base)


def _apart(people: _People) -> list[tuple[str, int]]:
    """Levels of factors that hold people of one group only."""
    return [
        (name, i)
        for name, factor in people.factors.items()
        for i in one_sided(factor.codes, people.groups.codes, len(factor.levels))
    ]


# The adjusted gap.


ADJUSTED, PLAIN = "adjusted gap", "group coefficient"
ONE_GROUP = message("one group only: {list}")


@answering
def adjusted_gap(
    data: People | None = None,
    amount: Column = None,
    groups: Column = None,
    *,
    decision: Column = None,
    adjust_for: str | Sequence[str] = "",
    reference: Any = None,
    weights: Column = None,
    clusters: Column = None,
    favorable: Any = AuditArguments.favorable,
    conf_level: float = AuditArguments.conf_level,
) -> Estimates:
    """Estimate the gap between people who are alike: what it would be if everybody's covariates were those of all.

    Parameters
    ----------
    data : table or path
        A row a person.
    amount, decision : str or array_like, shape (n,)
        What people were given: a number, or one of two labels. One of both.
    groups : str or array_like, shape (n,)
        Groups of people.
    adjust_for : str or list of str
        A formula, ``"~ grade + tenure + C(site)"``, or columns.
    reference : label, optional
        The group that the others are compared with; the largest by default.
    weights, clusters : str or array_like, optional
        Probability weights, and labels of people who depend on each other.
    favorable : label
        The decision that helps the person.
    conf_level : float

    Returns
    -------
    Estimates
        Of each group the gap as it is (metric "gap"), the adjusted gap, and beside it the plain coefficient of the
        group (role "sensitivity"). A ``reason`` says which levels of a factor hold one group only: there nothing but
        the regression compares people; and where slopes are common to both groups, since one has fewer than 10 people
        a column.

    Raises
    ------
    InputError
        As for `decompose`.

    Notes
    -----
    Regressions of each group are standardized to everybody (g-computation with interactions of group and
    covariates). Errors are HC3's, with t corrected for skewness as in an audit; with at most 100 people in a group,
    weighted or not, residuals are permuted, too, and the larger p counts. Clustered people have CR2's with
    Satterthwaite's degrees of freedom. What is adjusted for is taken as given: a covariate that is itself a
    result of the treatment hides a part of the gap.

    References
    ----------
    Lin (2013), Annals of Applied Statistics 7, 295-318; Pustejovsky & Tipton (2018), Journal of Business & Economic
    Statistics 36, 672-683; Freedman & Lane (1983), Journal of Business & Economic Statistics 1, 292-298.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> years = np.arange(60) % 30
    >>> sex = np.repeat(["m", "f"], 30)
    >>> people = {"pay": 20 + years - 2 * (sex == "f"), "sex": sex, "years": years + 3 * (sex == "m")}
    >>> rows = fs.adjusted_gap(people, "pay", "sex", adjust_for="~ years", reference="m")
    >>> [(row.metric, round(row.estimate, 3)) for row in rows]
    [('gap', -2.0), ('adjusted gap', 1.0), ('group coefficient', 1.0)]
    """
    level_ = confidence(conf_level)
    roles: dict[str, Any] = {"amount": amount, "decision": decision, "weights": weights, "clusters": clusters}
    data, roles = named_columns(data, roles, {"groups": groups})
    _kind(roles, None)
    table, _ = take_in(data, [roles["groups"]] if isinstance(roles["groups"], str) else ())
    people = _people(table, roles, adjust_for, "adjust_for", favorable)
    base = _reference_of(people.groups, reference)
    codes = people.groups.codes.astype(np.intp)
    arguments = codes, base, people.weights, people.clusters
    crude = adjusted_gaps(people.y, people.X[:, :0], *arguments)
    apart = [f"{name} = {people.factors[name].levels[i]}" for name, i in _apart(people)]
    overlap = ONE_GROUP.format(list=enumerated(map(DataText, apart))) if apart else ""
    rows = []
    for code, one in adjusted_gaps(people.y, people.X, *arguments).items():
        about: dict[str, Any] = {
            "attribute": people.groups.name,
            "group": people.groups.labels[code],
            "reference": people.groups.labels[base],
            "contrast": "difference",
            "n": float(np.isin(codes, (code, base)).sum()),
        }
        ranges = _without_range(people, code, base)
        of_ranges = NO_RANGE.format(list=enumerated(map(DataText, ranges))) if ranges else ""
        reason = joined([one.reason, overlap, of_ranges])
        rows.append(_tested(Estimate(GAP, **about), crude[code], level_))
        rows.append(_tested(Estimate(ADJUSTED, reason=reason, **about), one, level_))
        method = ONE_COEFFICIENT.format(text=one.errors)
        plain = Estimate(PLAIN, method=method, reason=reason, role="sensitivity", **about)
        rows.append(_with_limits(plain, one.plain, one.plain_error, one.plain_df, level_))
    return Estimates(rows)


def _tested(row: Estimate, adjusted: Adjusted, conf_level: float) -> Estimate:
    """A gap with the limits that an audit gives it."""
    pair = AdjustedPair.of(adjusted)
    if not math.isfinite(adjusted.estimate):
        return replace(row, status="unestimable", reason=row.reason or COLLINEAR_PAIR)
    if pair.reason:
        row = replace(row, reason=joined([pair.reason, row.reason]))
        return _with_limits(row, adjusted.estimate, adjusted.std_error, adjusted.df, conf_level)
    low, high = pair.difference_limits(conf_level)
    row = row.with_interval(adjusted.estimate, low, high, conf_level, p_value=pair.p_value, method=pair.method)
    return row.changed(std_error=adjusted.std_error, df=math.nan if pair.permuted else adjusted.df)


def _with_limits(
    row: Estimate, value: float, error: float, df: float, conf_level: float, skewness: float = 0.0
) -> Estimate:
    if not math.isfinite(value):
        return replace(row, status="unestimable", reason=row.reason or COLLINEAR_PAIR, method="")
    low, high = (float(end) for end in limits(value, error, df, conf_level, skewness))
    return row.with_interval(value, low, high, conf_level, std_error=error, df=df)
