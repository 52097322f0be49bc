"""``audit()``: a table of people and a declared protocol in, every estimate with its interval and status out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fairstats.auditing.estimation import estimate
from fairstats.auditing.input import label_columns, observe
from fairstats.auditing.protocol import DEFAULTS, declare
from fairstats.auditing.result import Audit
from fairstats.auditing.words.cautions import cautions
from fairstats.studies.provenance import call_text, provenance, take_in


def audit(
    data: Any,
    *,
    outcome: str | None = None,
    decision: str | None = None,
    score: str | None = None,
    threshold: float | None = None,
    groups: str | list[str] | None = None,
    favorable: Any = 1,
    positive: Any = 1,
    predicts: Any = None,
    reference: Any = "largest_group",
    conf_level: float = 0.95,
    adjust: str = "holm",
    equivalence: float | None = None,
    strata: str | list[str] | None = None,
    weights: str | None = None,
    weight_type: str = "frequency",
    clusters: str | None = None,
    min_n: int = 1,
    missing: str = "level",
    seed: int = 0,
    protocol: str | Path | None = None,
) -> Audit:
    """Audit decisions, outcomes or scores by group.

    Outcome, decision or score may be absent; what can be estimated from the rest is. Rates that need the outcome use
    the people whose outcome is known, and likewise for the decision: each rate has its own denominator.

    Parameters
    ----------
    data : table, str or Path
        A pandas, polars or pyarrow table, a dictionary of columns, or a CSV, Parquet or Arrow file; one row a person.
    outcome : str, optional
        Column of what happened (two values); `positive` is the label that counts as 1.
    decision : str, optional
        Column of what was decided (two values); `favorable` is the label that helps the person.
    score : str, optional
        Column of a number; with `threshold` the decision is ``1`` where score >= threshold and ``0`` elsewhere.
    threshold : float, optional
        Where scores become decisions.
    groups : str or list of str
        Columns to audit. Several are audited one by one and then together; ``"sex:race"`` asks for an intersection.
    favorable, positive : label
        See `decision` and `outcome`. 1 also means True.
    predicts : label, optional
        The decision that says "positive" of the outcome. By default the decision with the outcome's own positive label
        (or ``1``, a score at or above the threshold; pass ``0`` where low scores predict the outcome). Where the two
        columns have different labels it must be given, because a wrong guess would exchange true and false positives.
    reference : {"largest_group", "highest_rate"}, label or mapping
        Whom the others are compared with; a mapping names a group for each attribute. Against the highest rate (of
        favorable decisions) the intervals are simultaneous over all pairs of groups.
    conf_level : float
        Confidence level, in (0, 1).
    adjust : {"holm", "bh", "bonferroni", "max-t", "none"}
        Adjustment of p-values and intervals. The family is the comparisons of one rate within one attribute.
        ``"max-t"`` is the single-step procedure that uses the correlation of comparisons with one reference. Against
        the highest rate it is Bonferroni over all pairs of groups, whatever is asked for.
    equivalence : float, optional
        Margin for differences of rates, in (0, 1), declared in advance.
    strata : str or list of str, optional
        Columns of legitimate factors to adjust for.
    weights : str, optional
        Column of weights, at least 0.
    weight_type : {"frequency", "probability"}
        Whether a weight counts people or is an inverse sampling probability.
    clusters : str, optional
        Column of sampling clusters, whose members are dependent.
    min_n : int
        Groups and denominators with fewer people are suppressed: listed, without any number. So are further groups
        where a suppressed count could be computed from the others (``docs/suppression.md``); statistics over all groups
        are of those shown.
    missing : {"level", "drop", "raise"}
        What happens to people without a group.
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
    FileError
        If a file cannot be read.

    References
    ----------
    Wilson (1927), Newcombe (1998), Koopman (1984), Holm (1979), Schuirmann (1987); a report lists what it used.

    Examples
    --------
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> result = audit(data, decision="hired", groups="sex", reference="m")
    >>> row = result.estimates.where(metric="selection rate", contrast="difference")[0]
    >>> row.group, round(row.estimate, 2), row.verdict
    ('f', -0.4, 'disparity shown')
    """
    given = {k: v for k, v in locals().items() if k in DEFAULTS and v != DEFAULTS[k]}
    declared = declare(given, protocol)
    columns, source = take_in(data, label_columns(declared))
    seen, declared = observe(columns, declared)
    found = estimate(seen, declared)
    call = call_text("fairstats.audit", source, given if protocol is None else {**given, "protocol": protocol})
    return Audit(
        protocol=declared,
        flow=found.flow,
        cells=tuple(found.cells),
        references=found.references,
        estimates=found.estimates,
        curves=tuple(found.curves),
        data=source,
        provenance=provenance(call, declared.seed),
        notes=cautions(seen, declared, found.references, found.estimates),
    )
