"""``matched_pairs()``: audits in which alike applications differ by the group alone: resumes, names in prompts."""

from __future__ import annotations

from functools import partial
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.arguments import AuditArguments, DefaultLabel
from fairstats.auditing.group_studies import (
    MOST_SAID,
    GroupStudy,
    data_text,
    decided_rows,
    headline,
    largest,
    limits,
    result_of,
    without_value,
)
from fairstats.auditing.input import check_binary
from fairstats.data.tables import check_labels
from fairstats.errors import InputError, listing
from fairstats.estimates import Estimate
from fairstats.inference.multiplicity import ADJUSTMENTS, rejected
from fairstats.inference.rates.one_rate import critical
from fairstats.inference.rates.paired import tango_at
from fairstats.inference.rates.shares import known_share
from fairstats.inference.rates.strata import conditional_law
from fairstats.labels import one_label, refuse_spellings
from fairstats.language import DataText, joined, message
from fairstats.provenance import spelled, take_in
from fairstats.text import count, p_equals, p_value, percent
from fairstats.validation import Adjust, answering, choose, confidence, random_seed, word

Floats = NDArray[np.float64]
QUESTION = message("Matched applications that differ by the group")
EQUAL = message("equal")
OVER = message("over {group}")  # of several groups: the other of the two
EQUAL_BESIDE = message("equal, {group} and {reference}")
BETWEEN, SAME = message("between groups"), message("same group")
SIGN = message("exact sign test over the blocks and Tango's limits, widened where the test shows nothing")
MCNEMAR = message("exact McNemar test and Tango's limits, widened where the test shows nothing")
LOGIT = message("conditional logistic regression within blocks, exact")
NORMAL = message("mean over the blocks, normal limits")
SHUFFLED = message("groups exchanged among clusters")
FLIPPED = message("signs exchanged by cluster")
NO_BLOCK = message("no block has both groups")
ALIKE = message("no block favors either group")
ONE = message(
    "Of {n} blocks {group} has the higher rate in {events}, {reference} in {other}; in {equal} both are equal ({p})."
)
TWO_TESTS = message(
    "Of {n} blocks {group} has the higher rate in {events}, {reference} in {other}; in {equal} both are equal (over "
    "blocks {p}, over {clusters} clusters {q}; the larger one counts, adjusted {adjusted})."
)
DIFFERENCE = message(
    "The shares of blocks in which {group} and {reference} have the higher rate differ by {gap} percentage points "
    "({limits})."
)
FEW_CLUSTERS = message(
    "With {clusters} clusters no difference between {group} and {reference} can be shown: their test gives no p-value "
    "below {least}."
)
CLUSTERS_COUNT = message("the p-value of the clusters is the larger one and counts")
EXACT, DRAWS = 20_000, 9999


@answering
def matched_pairs(
    data: Any,
    decision: str,
    groups: str,
    blocks: str,
    *,
    clusters: str | None = None,
    favorable: Any = AuditArguments.favorable,
    reference: str | None = None,
    p_adjust: Adjust = "bonferroni",
    conf_level: float = 0.95,
    seed: int = 0,
) -> GroupStudy:
    """Compare groups within blocks of applications that are alike but for the group.

    Parameters
    ----------
    data : table or path
        A row an application: a resume that was sent, a prompt that a model answered.
    decision : str
        A column of two values.
    groups, blocks : str
        The column of groups, and that of the blocks: the ad, the pair, the prompt. Blocks may have any size.
    clusters : str, optional
        What applications of several blocks have in common: the first name, of which each belongs to one group (the
        names are a sample), or the template of a resume. The larger p-value, of blocks or of clusters, then counts.
    favorable : label
        The decision that helps.
    reference : str, optional
        The group that others are compared with; the largest by default, the first of several as large.
    p_adjust : {"bonferroni", "holm", "bh", "none"}
        Over the groups.
    conf_level : float
    seed : int
        Of the exchanges over clusters, where there are too many to try all.

    Returns
    -------
    GroupStudy
        Metric "selection rate": rates. "share favored": of the blocks with both groups, in which share each has the
        higher rate; contrast "difference", with the verdict: the share that favors the group less the share that
        favors the reference. "common odds ratio": within blocks. "disagreement": how often two applications of one
        block were decided differently, of two groups and of the same one, which is what chance alone does. With
        clusters "selection rate", role "sensitivity": the difference with a p-value by exchanging clusters.

    Raises
    ------
    InputError
        If a column is unknown or unusable for its role, or no block has two groups.

    Notes
    -----
    The sign test over blocks is exact for any number of them; where every block holds one application of each group it
    is McNemar's. The limits of the difference are Tango's, of all blocks; where test and limits disagree the wider one
    decides. Where the p-value of clusters counts, they are as many times wider as its statistic is smaller. Without
    error of the block's own, an audit that sends the same name twice shows the disagreement that is no discrimination.

    References
    ----------
    Bertrand & Mullainathan (2004), American Economic Review 94, 991-1013; McNemar (1947), Psychometrika 12; Tango
    (1998), Statistics in Medicine 17, 891-908; Breslow & Day (1980), Statistical Methods in Cancer Research I, chapter
    7; Miettinen (1976), American Journal of Epidemiology 103, 226-235.

    Examples
    --------
    >>> import fairstats as fs
    >>> sent = {"pair": [1, 1, 2, 2, 3, 3], "race": ["b", "w"] * 3, "call": [0, 1, 0, 1, 1, 1]}
    >>> fs.matched_pairs(sent, "call", "race", "pair", reference="w").compared()[0].p_value
    0.5
    """
    level, drawn = confidence(conf_level), random_seed(seed)
    choose("p_adjust", p_adjust, ADJUSTMENTS)
    named = {"decision": decision, "groups": groups, "blocks": blocks}
    named |= {} if clusters is None else {"clusters": clusters}
    named = {role: word(role, name) for role, name in named.items()}
    columns, source = take_in(data, list(named.values()))
    factors = {role: columns.factor(name, role) for role, name in named.items()}
    check_labels(groups, factors["groups"])
    one = one_label("favorable", favorable)
    if isinstance(favorable, DefaultLabel):
        check_binary("decision", decision, factors["decision"], one)
        one = spelled(one, factors["decision"].levels) or one
    if one not in factors["decision"].levels:
        raise InputError(
            "favorable", f"has {favorable!r}; the decisions are {listing(factors['decision'].levels)}; name one."
        )
    refuse_spellings("favorable", one, factors["decision"].levels, decision)
    present = [f.codes >= 0 for f in factors.values()]
    known = np.all(present, axis=0)
    codes = {role: f.codes[known].astype(np.intp) for role, f in factors.items()}
    good = (codes["decision"] == factors["decision"].levels.index(one)).astype(float)
    labels = factors["groups"].levels
    n = np.bincount(codes["groups"], minlength=len(labels)).astype(float)
    base = largest(labels, n, reference)
    events = np.bincount(codes["groups"], good, len(labels))
    rows = [
        Estimate("selection rate", groups, labels[i], n=n[i], events=events[i], estimate=events[i] / n[i])
        for i in range(len(labels))
        if n[i]
    ]
    number, late, items, cells = len(factors["blocks"].levels), [], [], {}
    clustered: dict[str, tuple[Estimate, float]] = {}
    for i, label in enumerate(labels):
        if i == base or not n[i]:
            continue
        about = Estimate("share favored", groups, label, "difference", labels[base])
        cells[label] = block = _by_block(codes, good, i, base, number)
        signs = np.sign(block[0] * block[3] - block[2] * block[1])
        up, down = float((signs > 0).sum()), float((signs < 0).sum())
        if not signs.size:
            late.append(about.changed(status="unestimable", reason=NO_BLOCK))
            continue
        over, under, equal = "", "", EQUAL
        if len(labels) > 2:
            over, under = (OVER.format(group=DataText(one)) for one in (labels[base], label))
            equal = EQUAL_BESIDE.format(group=DataText(label), reference=DataText(labels[base]))
        sums = ((label, over, up), (labels[base], under, down), ("", equal, signs.size - up - down))
        for who, term, k in sums:
            share = about.changed(contrast="none", reference="", group=who, term=term, n=float(signs.size), events=k)
            rows.append(share.changed(estimate=k / signs.size, versus=label if len(labels) > 2 else ""))
        pairs = bool((block[1] == 1).all() and (block[3] == 1).all())
        of_clusters = 0.0
        if clusters is not None:
            clustered[label] = _clustered(groups, label, labels[base], codes, good, i, base, clusters, drawn)
            of_clusters = clustered[label][0].p_value
        items.append(_signed(about, up, down, signs.size, MCNEMAR if pairs else SIGN, of_clusters))
    if not items:
        raise InputError("blocks", f"has {blocks!r}, of which no block holds {labels[base]!r} and another group; see "
                         "that both columns are the right ones.")  # fmt: skip
    built = decided_rows(items, level, p_adjust)
    rows += [row for (row,) in built] + late
    for label, block in cells.items():
        if block.shape[1]:
            rows += [*_odds(groups, label, labels[base], block, blocks, level)]
            rows += [*_disagreement(groups, label, labels[base], block, level)]
            if label in clustered:
                rows.append(clustered[label][0])
    say_one = partial(_sentence, clustered=clustered)
    lines = headline([row for (row,) in built], say_one)
    if len(lines) == 1:
        lines += [say_one(row) for (row,) in built[:MOST_SAID]]
    for (row,) in built[:MOST_SAID]:
        if row.conf_low == row.conf_low:
            values = {"group": data_text(row), "reference": DataText(row.reference, row.attribute)}
            lines.append(DIFFERENCE.format(**values, gap=percent(row.estimate), limits=limits(row)))
        of, least = clustered.get(row.group, (row, 0.0))
        if not rejected(least, level):
            of_two = {"group": data_text(row), "reference": DataText(row.reference, row.attribute)}
            lines.append(FEW_CLUSTERS.format(clusters=count(of.n), least=p_value(least), **of_two))
    settings: dict[str, Any] = {**named, "favorable": favorable, "reference": reference}
    settings |= {"p_adjust": p_adjust, "conf_level": level, "seed": drawn}
    lines += without_value(list(named.values()), present)
    return result_of(QUESTION, "matched_pairs", source, rows, lines, n.sum(), level, groups, settings, seed=drawn)


def _by_block(codes: dict[str, NDArray[np.intp]], good: Floats, group: int, base: int, number: int) -> Floats:
    """Events and applications of the group and of the reference in the blocks with both, shape (4, blocks)."""
    parts = []
    for side in (group, base):
        chosen = codes["groups"] == side
        parts += [np.bincount(codes["blocks"][chosen], good[chosen], number)]
        parts += [np.bincount(codes["blocks"][chosen], minlength=number).astype(float)]
    table = np.stack(parts).astype(float)
    return table[:, (table[1] > 0) & (table[3] > 0)]


def _signed(
    about: Estimate, up: float, down: float, number: int, method: str, of_clusters: float = 0.0
) -> tuple[float, Any]:
    """The sign test, and the difference of the shares with Tango's limits; a larger p-value of clusters widens both.

    of_clusters: the p-value of the clusters, 0 without.
    """
    uneven = up + down
    of = about.changed(n=float(number), events=up, method=method)
    alone = float(known_share(up, uneven, 0.5)[0]) if uneven else 1.0
    z = float((up - down) / np.sqrt(uneven)) if uneven else 0.0
    outweighed = of_clusters > alone
    # test-based limits (Miettinen, 1976): as many times wider as the statistic of the clusters is smaller
    quantile = float(critical(1 - of_clusters)) if outweighed else 0.0
    wider = (abs(z) / quantile if quantile else np.inf) if outweighed else 1.0
    reason = joined([ALIKE if not uneven else "", CLUSTERS_COUNT if outweighed else ""])

    def rows(level: float) -> list[Estimate]:
        low, high = tango_at(up, down, number, wider * critical(level)) if np.isfinite(wider) else (-1.0, 1.0)
        row = of.with_interval((up - down) / number, float(low), float(high), level, reason=reason)
        return [row.with_test(z, alone)]

    return max(alone, of_clusters), rows


def _odds(by: str, group: str, reference: str, block: Floats, blocks: str, level: float) -> list[Estimate]:
    law = conditional_law(*block)
    if law is None:
        return []
    about = Estimate("common odds ratio", by, group, "ratio", reference, given=blocks, role="supplementary")
    low, high = law.matching_limits(level, mid=False)
    about = about.changed(n=float(block[1].sum()), events=float(block[0].sum()), method=LOGIT)
    return [about.with_interval(law.likeliest, low, high, level, p_value=law.p_value(mid=False))]


def _disagreement(by: str, group: str, reference: str, block: Floats, level: float) -> list[Estimate]:
    """How often two of a block were decided differently: of two groups, and of the same one, where it has two."""
    e1, n1, e0, n0 = block
    between = (e1 * (n0 - e0) + e0 * (n1 - e1)) / (n1 * n0)
    pairs = (n1 > 1).astype(float) + (n0 > 1)
    some = pairs > 0
    if not some.any():
        return []
    within = np.zeros(e1.size)
    for e, m in ((e1, n1), (e0, n0)):
        within += np.where(m > 1, 2 * e * (m - e) / np.maximum(m * (m - 1), 1), 0.0)
    within, between = within[some] / pairs[some], between[some]
    about = Estimate("disagreement", by, group, "none", reference, role="supplementary", n=float(some.sum()))
    rows = [about.changed(term=BETWEEN, estimate=float(between.mean()))]
    rows.append(about.changed(term=SAME, estimate=float(within.mean())))
    gap = between - within
    if gap.size > 1:
        error = float(gap.std(ddof=1) / np.sqrt(gap.size))
        ends = gap.mean() - critical(level) * error, gap.mean() + critical(level) * error
        rows.append(about.changed(contrast="difference", term=BETWEEN, method=NORMAL).with_interval(
            float(gap.mean()), float(ends[0]), float(ends[1]), level, std_error=error))  # fmt: skip
    return rows


def _clustered(
    by: str,
    group: str,
    reference: str,
    codes: dict[str, NDArray[np.intp]],
    good: Floats,
    i: int,
    base: int,
    clusters: str,
    seed: int,
) -> tuple[Estimate, float]:
    """The difference of the rates with a p-value of clusters as what was sampled, and the least one that it can be."""
    chosen = (codes["groups"] == i) | (codes["groups"] == base)
    side, y = (codes["groups"][chosen] == i).astype(float), good[chosen]
    _, place = np.unique(codes["clusters"][chosen], return_inverse=True)
    n, of_group, events = (np.bincount(place, v).astype(float) for v in (np.ones(y.size), side, y))
    rng = np.random.default_rng(seed)
    about = Estimate("selection rate", by, group, "difference", reference, term=clusters, role="sensitivity")
    estimate = float(y[side == 1].mean() - y[side == 0].mean())
    if ((of_group == 0) | (of_group == n)).all():  # a cluster has one group, as a name has
        members = of_group > 0
        observed, drawn = _exchanged(events, n, members, rng)
        how, k = SHUFFLED, int(members.sum())
        least = (1 + (2 * k == n.size)) / comb(n.size, k)  # of as many, exchanging all has the same gap
    else:
        weight = np.where(side == 1, 1 / side.sum(), -1 / (1 - side).sum())
        parts = np.bincount(place, weight * (y - y.mean())).astype(float)
        observed, drawn = abs(parts.sum()), _flipped(parts, rng)
        how, least = FLIPPED, 2.0 ** (1 - n.size)
    beyond = (drawn >= observed * (1 - 1e-9)).sum()
    p = float(beyond / drawn.size if drawn.size != DRAWS else (1 + beyond) / (1 + DRAWS))
    return about.changed(n=float(n.size), estimate=estimate, p_value=p, method=how), least


def _exchanged(events: Floats, n: Floats, members: NDArray[np.bool_], rng: np.random.Generator) -> tuple[float, Floats]:
    k, size = int(members.sum()), members.size

    def gaps(chosen: NDArray[np.bool_]) -> Floats:
        e, m = chosen @ events, chosen @ n
        return np.abs(e / m - (events.sum() - e) / (n.sum() - m))

    if comb(size, k) <= EXACT:
        every = np.zeros((comb(size, k), size), dtype=bool)
        for row, places in enumerate(combinations(range(size), k)):
            every[row, list(places)] = True
    else:
        every = rng.random((DRAWS, size)).argsort(axis=1) < k
    return float(gaps(members[None])[0]), gaps(every)


def _flipped(parts: Floats, rng: np.random.Generator) -> Floats:
    if 2.0**parts.size <= EXACT:
        signs = np.array(list(product((-1.0, 1.0), repeat=parts.size)))
    else:
        signs = rng.choice([-1.0, 1.0], (DRAWS, parts.size))
    return np.asarray(np.abs(signs @ parts))


def _sentence(row: Estimate, clustered: dict[str, tuple[Estimate, float]]) -> str:
    other = row.events - round(row.estimate * row.n)
    values = {
        "group": data_text(row),
        "reference": DataText(row.reference, row.attribute),
        "events": count(row.events),
        "n": count(row.n),
        "other": count(other),
        "equal": count(row.n - row.events - other),
        "p": p_equals(row.p_adjusted),
    }
    if row.group not in clustered:
        return ONE.format(**values)
    of, _ = clustered[row.group]
    both = {"p": p_equals(row.p_value), "q": p_equals(of.p_value), "adjusted": p_equals(row.p_adjusted)}
    return TWO_TESTS.format(**values | both, clusters=count(of.n))
