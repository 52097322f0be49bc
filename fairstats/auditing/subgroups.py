"""``subgroups()``: every combination of labels of several columns in, which of them differ from everybody out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from fairstats.arguments import between, choose, confidence, one_of, random_seed, whole
from fairstats.auditing.asked import Asked
from fairstats.auditing.audit import Column, Columns
from fairstats.auditing.coding import CodedTally, code
from fairstats.auditing.counted_for import with_roles
from fairstats.auditing.people import people
from fairstats.auditing.protocol import declare
from fairstats.auditing.resolved import Resolved
from fairstats.auditing.subgroup_cells import RatePeople, Subgroup, people_of, subgroups_of
from fairstats.auditing.subgroups_result import ALIKE, ALL, EVERYBODY, FEW, QUESTION, Subgroups, said_of, who
from fairstats.auditing.tally import Tally
from fairstats.auditing.words.phrases import measured
from fairstats.choices import Missing
from fairstats.data.columns import People
from fairstats.data.role_columns import named_columns
from fairstats.errors import InputError, listing
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.multiplicity import adjust as adjust_p
from fairstats.inference.multiplicity import benjamini_yekutieli
from fairstats.inference.rates.one_rate import INTERVAL_NAMES, clopper_pearson
from fairstats.inference.rates.part_and_whole import METHOD, excess_limits, excess_p, joint_tail
from fairstats.metrics import Metric
from fairstats.naming import answering
from fairstats.studies.provenance import DataSource, call_text, provenance
from fairstats.vocabulary.rates import RATES

ByFDR = Literal["bh", "by"]
FLAGGING = ("bh", "by")
RateName = Literal[
    "base rate",
    "selection rate",
    "positive rate",
    "TPR",
    "FPR",
    "TNR",
    "FNR",
    "PPV",
    "NPV",
    "FDR",
    "FOR",
    "accuracy",
    "classification error",
]
METRICS = {metric.name: metric for metric in RATES if metric.is_rate}


@answering
def subgroups(
    data: People | Tally | None = None,
    decision: Column = None,
    groups: Columns = None,
    *,
    outcome: Column = None,
    metric: RateName = "selection rate",
    favorable: Any = Asked.favorable,
    positive: Any = Asked.positive,
    predicts: Any = Asked.predicts,
    depth: int = 2,
    smallest: int = 10,
    tolerance: float = 0.0,
    conf_level: float = Asked.conf_level,
    fdr: float = 0.05,
    adjust: ByFDR = "bh",
    missing: Missing = Asked.missing,
    seed: int = Asked.seed,
) -> Subgroups:
    """Test which subgroups of people differ from everybody in a rate, subgroups that nobody named included.

    The subgroups are all labels of each column of groups, and all combinations of labels of up to `depth` columns.

    Parameters
    ----------
    data : table, path, where the rows are, or Tally, optional
        As in `audit`; of people already counted no column need be named again.
    decision, outcome : str, optional
        Columns of two values, of which the rate needs one or both.
    groups : str or list of str
        Single columns whose labels make the subgroups.
    metric : str
        The rate, a share of people: "selection rate", "TPR", "accuracy" ...
    favorable, positive, predicts : label
        As in `audit`.
    depth : int
        The most columns that a subgroup is a combination of.
    smallest : int
        The least number of people in the denominator of the rate; smaller subgroups are listed as excluded.
    tolerance : float
        How far from everybody's rate is no disparity, to either side, in [0, 1).
    conf_level : float
        Confidence that the limits of all subgroups hold together.
    fdr : float
        The expected share of subgroups flagged by mistake among all that are flagged, in (0, 1).
    adjust : {"bh", "by"}
        Benjamini and Hochberg's procedure, or Benjamini and Yekutieli's, which holds under any dependence and flags
        less.
    missing : {"level", "drop", "raise"}
        What happens to people without a group.
    seed : int
        Of the draws that find the joint level of the limits.

    Returns
    -------
    Subgroups
        A row a subgroup: its people, by how much its rate exceeds everybody's, with limits that hold for all subgroups
        together, and its p-value; the verdict is "flagged" (under a false discovery rate: of all flags a share may be
        false), "equivalence shown" where its limits are within the tolerance. ``flagged()`` are those flagged.

    Raises
    ------
    InputError
        If an argument has a value that no data make sensible, a column is unknown or unusable for its role, the rate
        needs a column that is absent, there are too many subgroups, none of `smallest` people, or people are weighted,
        clustered or withheld.

    Notes
    -----
    Limits and p-values join exact limits of the subgroup and of all others, and are meant for few people, too. Their
    joint level is that of the largest of correlated normal variables (a multiplier bootstrap), never below Bonferroni's
    share. How often a limit is crossed, and which share of flags is false, is in the page of verdicts. Subgroups
    overlap, so that their p-values are dependent; Benjamini and Hochberg's bound is proved for independent and for
    positively dependent ones, and measured for these. Everybody includes the subgroup, so that a large one cannot be
    far from everybody.

    References
    ----------
    Cherian & Candes (2024), Statistical inference for fairness auditing, Journal of Machine Learning Research 25;
    Benjamini & Hochberg (1995), JRSS B 57; Benjamini & Yekutieli (2001), Annals of Statistics 29.

    Examples
    --------
    >>> import fairstats as fs
    >>> people = fs.arrests()
    >>> found = fs.subgroups(people, "released", ["colour", "sex", "employed"], favorable="Yes")
    >>> print(found.statements[1][-80:])
    60.7 %, a difference of −22.2 percentage points from everybody (−29.1 to −15.5).
    """
    rate = choose("metric", metric, METRICS)
    deep, least = whole("depth", depth, 1), whole("smallest", smallest, 1)
    margin = between("tolerance", tolerance, 0, 1, ends="[)")
    level, share = confidence(conf_level), between("fdr", fdr, 0, 1)
    way, drawn = one_of("adjust", adjust, FLAGGING), random_seed(seed)
    data, columns = named_columns(data, {"decision": decision, "outcome": outcome}, {"groups": groups})
    sides = {"favorable": favorable, "positive": positive, "predicts": predicts, "missing": missing}
    asked = {"metric": rate.name, "depth": deep, "smallest": least, "tolerance": margin, "fdr": share}
    asked |= {"conf_level": level, "adjust": way, "seed": drawn}
    said = {name: value for name, value in {**columns, **sides}.items() if value is not None} | asked
    coded, source, resolved = _coded(data, columns, rate, sides)
    counted = people_of(coded, rate)
    judged = _judged(counted, subgroups_of(counted, deep, least), rate, least)
    table = _decided(counted, judged, level, share, margin, way, drawn)
    n = int(counted.n.sum())
    made = Subgroups(
        QUESTION,
        source.name,
        (),
        n,
        drawn,
        level,
        table,
        rate.name,
        deep,
        least,
        fdr=share,
        tolerance=margin,
        adjust=way,
        protocol=resolved,
        data=(source,),
        provenance=provenance(call_text("fairstats.subgroups", source, said), drawn),
    )
    return replace(made, statements=(*said_of(made), *measured(resolved)))


def _coded(
    data: Any, columns: dict[str, Any], rate: Metric, sides: Mapping[str, Any]
) -> tuple[CodedTally, DataSource, Resolved]:
    """People counted by single columns, without what a subgroup's limits do not know."""
    said = columns
    if isinstance(data, Tally):
        columns = with_roles(data, columns)
        for name in ("weights", "clusters"):
            if columns.get(name):
                raise InputError(
                    f"data has people with {name} ({columns[name]!r}); subgroups are judged of people who count once "
                    f"and are independent; count them without {name}=, or audit with it."
                )
        if data.most.any():
            raise InputError(
                "data has cells that were withheld; subgroups are judged of whole counts; pass the tally as counted."
            )
    given: dict[str, Any] = {name: columns.get(name) for name in ("decision", "outcome", "groups")}
    for name in rate.columns:
        if given[name] is None:
            raise InputError(f"metric has {rate.name!r}, which needs the {name}; name its column with {name}=.")
    given |= {name: said[name] for name in ("decision", "outcome") if name not in rate.columns}
    declared = declare(Asked(**given, **sides))
    counted, source = people(data, declared)
    joined = [name for name in declared.groups if name not in counted.factors]
    if joined:
        raise InputError(
            f"groups has {joined[0]!r}; subgroups are made of single columns; name {listing(joined[0].split(':'))}."
        )
    coded, resolved = code(counted, declared)
    own = tuple(a for a in coded.attributes if a.name in declared.groups)
    return replace(coded, attributes=own), source, resolved


def _judged(counted: RatePeople, found: list[Subgroup], rate: Metric, smallest: int) -> list[tuple[Subgroup, Estimate]]:
    """Every subgroup with the start of its row, which says why where it is not judged."""
    whole = float(counted.n.sum())
    seen: dict[bytes, Subgroup] = {}
    out = []
    for own in found:
        row = Estimate(rate.name, own.attribute, own.group, "difference", EVERYBODY, n=own.n, events=own.events)
        alike = seen.setdefault(np.packbits(own.members & (counted.n > 0)).tobytes(), own)
        if own.n == 0:
            row = replace(row, status="unestimable", reason=rate.empty)
        elif own.n == whole:
            row = replace(row, status="excluded", reason=ALL)
        elif own.n < smallest:
            row = replace(row, status="excluded", reason=FEW.format(least=smallest))
        elif alike is not own:
            row = replace(row, status="excluded", reason=ALIKE.format(list=who(alike.attribute, alike.group)))
        out.append((own, row))
    if all(row.status != "ok" for _, row in out):
        raise InputError(
            f"smallest has {smallest}; no subgroup short of everybody has so many people in the denominator of the "
            f"{rate.name}; the largest has {max(own.n for own in found):g}; lower it, or name other groups."
        )
    return out


def _decided(
    counted: RatePeople,
    judged: list[tuple[Subgroup, Estimate]],
    conf_level: float,
    fdr: float,
    tolerance: float,
    adjust: ByFDR,
    seed: int,
) -> Estimates:
    """Everybody's rate, and the rows of all subgroups at their joint level, each with its verdict."""
    known = [own for own, row in judged if row.status == "ok"]
    events, n = (np.array([getattr(own, name) for own in known]) for name in ("events", "n"))
    whole = float(counted.events.sum()), float(counted.n.sum())
    some = counted.n > 0
    members = np.stack([own.members[some] for own in known])
    tail = joint_tail(members, counted.events[some], counted.n[some], conf_level, seed)
    low, high = excess_limits(events, n, *whole, tail)
    p = excess_p(events, n, *whole, tolerance)
    adjusted = benjamini_yekutieli(p) if adjust == "by" else adjust_p(p, "bh")
    numbers = iter(np.stack([events / n - whole[0] / whole[1], low, high, p, adjusted], axis=1).tolist())
    rows = [_everybody(judged[0][1], *whole, conf_level)]
    for _, row in judged:
        if row.status == "ok":
            estimate, least, most, own, together = next(numbers)
            row = row.with_interval(
                estimate, least, most, 1 - 2 * tail, p_value=own, p_adjusted=together, method=METHOD
            )
            within = -tolerance <= least and most <= tolerance
            row = replace(
                row,
                verdict="flagged" if together <= fdr else "equivalence shown" if within else "inconclusive",
            )
        rows.append(row)
    return Estimates(rows)


def _everybody(row: Estimate, events: float, n: float, conf_level: float) -> Estimate:
    low, high = map(float, clopper_pearson(events, n, conf_level))
    about = Estimate(row.metric, group=EVERYBODY, n=n, events=events, role="beside")
    return about.with_interval(events / n, low, high, conf_level, method=INTERVAL_NAMES["clopper-pearson"])
