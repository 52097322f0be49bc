"""``audit()``: a table of people and a declared protocol in, every estimate with its interval and status out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from fairstats.auditing.asked import Asked
from fairstats.auditing.coding import code
from fairstats.auditing.counted_for import with_roles
from fairstats.auditing.estimation import estimate
from fairstats.auditing.level_order import in_level_order
from fairstats.auditing.people import people
from fairstats.auditing.protocol import Protocol, declare
from fairstats.auditing.result import Audit
from fairstats.auditing.tally import Tally
from fairstats.auditing.words.cautions import cautions
from fairstats.choices import Adjust, FamilyOf, Missing, WeightType
from fairstats.data.columns import People
from fairstats.data.role_columns import named_columns
from fairstats.naming import answering
from fairstats.studies.provenance import call_text, provenance

Column = str | Collection[Any] | None  # its name in the table, or the column itself
Columns = Column  # or several: a list of names or of columns, a table


@answering
def audit(
    data: People | Tally | None = None,
    decision: Column = Asked.decision,
    groups: Columns = Asked.groups,
    *,
    outcome: Column = Asked.outcome,
    score: Column = Asked.score,
    threshold: float | None = Asked.threshold,
    favorable: Any = Asked.favorable,
    positive: Any = Asked.positive,
    predicts: Any = Asked.predicts,
    reference: Any = Asked.reference,
    conf_level: float = Asked.conf_level,
    adjust: Adjust = Asked.adjust,
    family: FamilyOf = Asked.family,
    equivalence: float | Mapping[str, float] | None = Asked.equivalence,
    strata: Columns = Asked.strata,
    weights: Column = Asked.weights,
    weight_type: WeightType = Asked.weight_type,
    clusters: Column = Asked.clusters,
    min_n: int = Asked.min_n,
    missing: Missing = Asked.missing,
    focus: Mapping[str, Sequence[Any]] | None = Asked.focus,
    words: Mapping[str, Any] | None = Asked.words,
    seed: int = Asked.seed,
    protocol: str | Path | None = None,
) -> Audit:
    """Audit decisions, outcomes or scores by group.

    Outcome, decision or score may be absent; what can be estimated from the rest is. Rates that need the outcome use
    the people whose outcome is known, and likewise for the decision: each rate has its own denominator.

    In place of a column's name the column itself may be passed, as a list, array or series, beside `data` or without
    it: ``audit(decision=y_pred, outcome=y_true, groups=sex)``. Rows that carry an index are paired by it.

    Parameters
    ----------
    data : table, path, where the rows are, or Tally, optional
        One row a person: a pandas, polars or pyarrow table, a dictionary of columns; a CSV, Parquet or Arrow file, a
        folder or a pattern of them; a polars lazy frame, a DuckDB relation, an Ibis table or a Dask data frame, which
        do the counting; an Arrow data set or stream, an iterator of tables. Or people already counted
        (`fairstats.tally`), whose columns need not be named again: groups are those of the tally where none are named,
        and so are all other columns where none of them is.
    decision : str, optional
        Column of what was decided (two values); `favorable` is the label that helps the person.
    groups : str or list of str
        Columns to audit. Several are audited one by one and then together; ``"sex:race"`` asks for an intersection.
    outcome : str, optional
        Column of what happened (two values); `positive` is the label that counts as 1.
    score : str, optional
        Column of a number; with `threshold` the decision is ``1`` where score >= threshold and ``0`` elsewhere.
    threshold : float, optional
        Where scores become decisions.
    favorable, positive : label
        See `decision` and `outcome`. 1, the default, also means True, and Yes where the labels are Yes and No.
    predicts : label, optional
        The decision that says "positive" of the outcome. By default the decision with the outcome's own positive label
        (or ``1``, a score at or above the threshold; pass ``0`` where low scores predict the outcome). Where the two
        columns have different labels it must be given, because a wrong guess would exchange true and false positives.
    reference : {"largest_group", "highest_rate"}, label or mapping
        Whom the others are compared with; a mapping names a group for each attribute. Against the highest rate (of
        favorable decisions) the intervals are simultaneous over all pairs of groups.
    conf_level : float
        Confidence level, in (0, 1).
    adjust : {"bonferroni", "holm", "bh", "none"}
        Adjustment of p-values and intervals. The family is the comparisons of one rate over all attributes of
        `groups`; those of intersections are a family of their own. Bonferroni gives test and interval one level.
        ``"holm"`` shows a little more where much is shown, and has p-values only; ``"bh"`` bounds the share of false
        claims, says *flagged* in place of *disparity shown*, and its intervals bound the share of flags whose interval
        misses. Against the highest rate it is Bonferroni over all pairs of groups, whatever is asked for.
    family : {"rate", "audit"}
        Whose false claims are bounded together: those of each rate by itself, or those of the whole audit as one
        family.
    equivalence : float or mapping, optional
        Margin of practical equality, declared in advance: a number for differences of rates, in (0, 1), or a mapping of
        ``"difference"``, ``"ratio"`` (the smallest tolerable one, in (0, 1)), ``"auc"`` (for differences of AUCs, and
        for P(X>Y) from one half) and ``"leakage"``. Without one no equivalence is shown.
    strata : str or list of str, optional
        Columns of legitimate factors to adjust for.
    weights : str, optional
        Column of weights, at least 0.
    weight_type : {"frequency", "probability"}
        Whether a weight counts people or is an inverse sampling probability. With the latter, and with clusters,
        intervals and tests rest on effective sizes and Student's t; there are no exact tests.
    clusters : str, optional
        Column of sampling clusters, whose members are dependent; a group needs at least four.
    min_n : int
        Groups and denominators with fewer people are suppressed: listed, without any number. So are further groups
        where a suppressed count could be computed from the others, and what would be said of all groups at once.
    missing : {"level", "drop", "raise"}
        What happens to people without a group.
    focus : mapping, optional
        One comparison, as an attribute and two of its groups: ``{"race": ["Black", "White"]}``. It is the answer of
        that attribute. Without it every group is compared with the reference.
    words : mapping, optional
        What the report's sentences say: ``title``, ``unit`` (the people, a plural noun: "arrestees"), ``population``,
        ``favorable`` and ``unfavorable`` (verb phrases of the decision: "were released", "were held"), ``positive`` and
        ``negative`` (of the outcome), ``score``, ``attributes`` (column to name) and ``groups`` (column to label to
        name: "Black"). Without them sentences speak of columns and labels.
    seed : int
        Seed of everything random.
    protocol : str or Path, optional
        A file ``audit.toml`` that declares these arguments in advance; contradicting it is an error.

    Returns
    -------
    Audit
        ``print(audit(...).summary())``, ``.tidy()``, ``.finding()``.

    Raises
    ------
    InputError
        If an argument or a column cannot be used as asked; the message says why and what to do.
    FileError, SourceError, DependencyError
        If a file cannot be read, an engine does not answer, or a package is not installed.

    References
    ----------
    Wilson (1927), Newcombe (1998), Koopman (1984), Agresti & Min (2001), Holm (1979), Schuirmann (1987); a report lists
    what it used.

    Examples
    --------
    >>> import fairstats as fs
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> result = fs.audit(data, "hired", "sex", reference="m")
    >>> row = result.estimates.where(metric="selection rate", contrast="difference")[0]
    >>> row.group, round(row.estimate, 2), row.verdict
    ('f', -0.4, 'disparity shown')
    """
    single = {"decision": decision, "outcome": outcome, "score": score, "weights": weights, "clusters": clusters}
    data, columns = named_columns(data, single, {"groups": groups, "strata": strata})
    if isinstance(data, Tally):
        columns = with_roles(data, columns, protocol)
    asked = Asked(
        **columns,
        threshold=threshold,
        favorable=favorable,
        positive=positive,
        predicts=predicts,
        reference=reference,
        conf_level=conf_level,
        adjust=adjust,
        family=family,
        equivalence=equivalence,
        weight_type=weight_type,
        min_n=min_n,
        missing=missing,
        focus=focus,
        words=words,
        seed=seed,
    )
    declared = declare(asked, protocol)  # judged, before anything is compared
    return carry_out(data, declared, asked.said() | ({} if protocol is None else {"protocol": protocol}))


def carry_out(data: Any, declared: Protocol, said: Mapping[str, Any]) -> Audit:
    """Audit data by a protocol that is judged already; ``said`` is what the call in the provenance says.

    Parameters
    ----------
    data : table, str, Path or Tally
        As `audit` takes it.
    declared : Protocol
        What to look at; that of an earlier audit repeats it.
    said : mapping
        Arguments by name.

    Returns
    -------
    Audit

    Raises
    ------
    InputError, FileError
        As `audit`.

    Examples
    --------
    >>> carry_out({"sex": ["f", "m"] * 9, "hired": [1, 0, 1] * 6}, Protocol(("sex",), decision="hired"), {}).data.rows
    18
    """
    counted, source = people(data, declared)
    tally, resolved = code(counted, declared)
    found = estimate(tally, resolved)
    call = call_text("fairstats.audit", source, dict(said))
    made = Audit(
        protocol=resolved,
        flow=found.flow,
        cells=tuple(found.cells),
        references=found.references,
        estimates=found.estimates,
        curves=tuple(found.curves),
        data=source,
        provenance=provenance(call, resolved.seed),
        notes=cautions(tally, resolved, found.references, found.estimates),
    )
    return in_level_order(made, counted)
