"""``representation()``: the groups of some people beside those of the pool they came from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

from fairstats.auditing.group_studies import (
    MOST_SAID,
    Counts,
    GroupStudy,
    by_label,
    counts_of,
    data_text,
    decided_rows,
    headline,
    limits,
    result_of,
)
from fairstats.auditing.tally import Tally
from fairstats.data.tables import Columns
from fairstats.errors import InputError, Setting, listing, nearest, with_hint
from fairstats.estimates import NAN, Estimate
from fairstats.inference.multiplicity import ADJUSTMENTS
from fairstats.inference.rates.exact import decisive_test
from fairstats.inference.rates.one_rate import clopper_pearson
from fairstats.inference.rates.shares import finite_pool, goodman, known_share, odds_limits, sison_glaz
from fairstats.inference.rates.strata import ConditionalLaw
from fairstats.inference.rates.two_rates import koopman, miettinen_nurminen
from fairstats.labels import is_number, look_alike
from fairstats.labels import label as label_text
from fairstats.language import message
from fairstats.provenance import take_in
from fairstats.text import count, number, percent
from fairstats.validation import Adjust, answering, choose, confidence, one_of, random_seed

Floats = NDArray[np.float64]
BenchmarkKind = Literal["population", "sample", "pool"]
SharesMethod = Literal["goodman", "sison-glaz", "clopper-pearson"]
ROUNDING = 0.0051  # by which a published share may be off, of whole per cents
KINDS = ("population", "sample", "pool")
BENCHMARK = message("benchmark")
QUESTION = message("Representation beside a benchmark")
ONE = message(
    "{group}: {events} of {n} ({share}%) beside {benchmark}% in the benchmark, a difference of {gap} percentage points "
    "({limits}), {shortfall} fewer than expected, {sd} standard deviations."
)
MORE = message(
    "{group}: {events} of {n} ({share}%) beside {benchmark}% in the benchmark, a difference of {gap} percentage points "
    "({limits}), {shortfall} more than expected, {sd} standard deviations."
)
EXACT = message("exact binomial test (minimum likelihood) and limits that agree with it")
POOL = message("exact hypergeometric test and limits of the odds that agree with it")
SAMPLE = message("exact unconditional test and Miettinen-Nurminen interval")
LIMITS = {
    "goodman": message("Goodman's simultaneous limits"),
    "sison-glaz": message("Sison and Glaz's simultaneous limits"),
    "clopper-pearson": message("Clopper-Pearson limits, Bonferroni"),
}
OF_SAMPLE = message("The benchmark is a sample of {n} people, whose own error is in the limits.")
CHI_SQUARE = message("Pearson's chi-square test of all shares")
DRAWN = message("multinomial test of all shares, drawn")
DRAWS = 9999
EMPTY = message("nobody of the pool is in the group")


@answering
def representation(
    data: Any,
    groups: str | None = None,
    *,
    benchmark: Any,
    kind: BenchmarkKind | None = None,
    weights: str | None = None,
    method: SharesMethod = "goodman",
    p_adjust: Adjust = "bonferroni",
    conf_level: float = 0.95,
    seed: int = 0,
) -> GroupStudy:
    """Compare the shares of groups among some people with those of the pool that they came from.

    Parameters
    ----------
    data : table, path, Tally or dict
        People, a row each; counts, with `weights`; or counts by label, ``{"Black": 15, "White": 390}``.
    groups : str, optional
        The column of groups; not needed of counts by label.
    benchmark : dict, table or path
        Shares by label, ``{"Black": 0.154}``, each between 0 and 1, of all groups or of some; or counts by label, or a
        table with the column of groups: a row a person (or `weights`), or a row a group with one column of numbers.
    kind : {"population", "sample", "pool"}, optional
        What counts of a benchmark are: a "population" whose shares are known, a "sample" that has an error of its
        own (the default, unless they add up to 100, as per cents do), or the finite "pool" from which the people were
        chosen. Shares are a population.
    weights : str, optional
        A column of whole numbers: how many people a row stands for.
    method : {"goodman", "sison-glaz", "clopper-pearson"}
        The simultaneous limits of the shares themselves.
    p_adjust : {"bonferroni", "holm", "bh", "none"}
        Over all groups, as in `audit`.
    conf_level : float
    seed : int
        Of the test of all shares at once, which is drawn where a group is expected fewer than 5 times.

    Returns
    -------
    GroupStudy
        Metric "share": contrast "none", the shares with simultaneous limits; "difference" to the benchmark, with
        verdict, exact p-value, and ``statistic`` in standard deviations, as courts print it; "ratio" to the
        benchmark; role "omnibus", all shares at once, where the benchmark has them all. Metric "shortfall": people
        fewer than expected.

    Raises
    ------
    InputError
        If shares are not between 0 and 1, add up to more than 1, or to less where every group has one, if counts may
        be per cents, no group of the benchmark is known, or a pool has fewer of a group than were chosen from it.

    Notes
    -----
    Beside a population the test is R's ``binom.test``, beside a pool ``fisher.test``, beside a sample the exact
    unconditional test of two rates. Limits agree with the test. More than two or three standard deviations are what
    Castaneda v. Partida, 430 U.S. 482 (1977), note 17, calls suspect to a social scientist.

    References
    ----------
    Goodman (1965), Technometrics 7, 247-254; Sison & Glaz (1995), JASA 90, 366-369; Fay (2010), The R Journal 2.

    Examples
    --------
    >>> import fairstats as fs
    >>> result = fs.representation({"Mexican-American": 339, "other": 531}, benchmark={"Mexican-American": 0.791})
    >>> [round(row.statistic, 1) for row in result.estimates.where(contrast="difference")]
    [-29.1]
    """
    level, way = confidence(conf_level), one_of("method", method, tuple(LIMITS))
    choose("p_adjust", p_adjust, ADJUSTMENTS)
    drawn = random_seed(seed)
    people = counts_of("data", data, groups, weights)
    n = float(people.n.sum())
    if n < 1:
        raise InputError("data", "has nobody of a known group; nothing can be estimated from it.")
    expected, pool, what = _benchmark(benchmark, people, weights, kind)
    place = {label: i for i, label in enumerate(people.labels)}
    labels = [*people.labels, *(label for label in expected if label not in place)]
    counts = np.array([people.n[place[label]] if label in place else 0.0 for label in labels])
    rows = _shares(labels, counts, people.attribute, way, level)
    items, late = [], []
    for label, x in zip(labels, counts, strict=True):
        if label not in expected:
            continue
        about = Estimate("share", people.attribute, label, "difference", BENCHMARK, n=n, events=float(x))
        if what == "pool" and x > expected[label] * pool:
            raise InputError(
                "benchmark",
                f"has {expected[label] * pool:g} people of {label!r} in the pool, of whom {x:g} were chosen; "
                f"the pool holds those who were chosen; correct it, or pass {Setting('kind', 'sample')}.",
            )
        if not 0 < expected[label] < 1 and what != "sample":
            late.append(about.changed(status="unestimable", reason=EMPTY))
            continue
        p, make = _comparison(about, float(x), n, expected[label], pool, what)
        items.append((p, make))
    alone = len(labels) == 2  # the share of the other group is the rest: one question
    built = (
        [rows for one in items for rows in decided_rows([one], level, p_adjust)]
        if alone
        else decided_rows(items, level, p_adjust)
    )
    rows += [row for three in built for row in three] + late
    if len(expected) == len(labels) and len(labels) > 1 and what == "population":
        rows.append(_all_at_once(people.attribute, counts, np.array([expected[v] for v in labels]), drawn))
    lines = headline([three[0] for three in built], partial(_sentence, expected))
    if len(lines) == 1:  # what the limits leave open
        lines += [_sentence(expected, first) for first, *_ in built[:MOST_SAID]]
    if what == "sample":
        lines.append(OF_SAMPLE.format(n=count(pool)))
    text = benchmark if isinstance(benchmark, (dict, str)) else "benchmark"
    settings: dict[str, Any] = {"groups": groups, "benchmark": text, "kind": what, "weights": weights, "method": way}
    settings |= {"p_adjust": p_adjust, "conf_level": level}
    return result_of(
        QUESTION, "representation", people.source, rows, lines, n, level, people.attribute, settings, seed=drawn,
        lost=people.lost,
    )  # fmt: skip


def _benchmark(
    given: Any, people: Counts, weights: str | None, kind: str | None
) -> tuple[dict[str, float], float, str]:
    """The share of every group, the people that they are of (0 for plain shares), and what kind of benchmark it is."""
    if kind is not None:
        one_of("kind", kind, KINDS)
    given = _by_line(by_label(given), people.attribute, weights)
    plain = isinstance(given, Mapping) and given and all(is_number(v) for v in given.values())
    if plain and all(0 <= float(v) <= 1 for v in given.values()) and sum(map(float, given.values())) <= 1 + 1e-9:
        if kind not in (None, "population"):
            raise InputError(
                "kind", f"has {kind!r}; benchmark has shares, of how many people is not known; pass counts."
            )
        result = {label_text(k): float(v) for k, v in given.items()}
        if wrong := [k for k, v in result.items() if not 0 < v < 1]:
            raise InputError("benchmark", f"has {result[wrong[0]]:g} for {wrong[0]!r}; a share is between 0 and 1.")
        _some_known(result, people.labels)
        if set(people.labels) <= set(result) and 1 - sum(result.values()) > ROUNDING * len(result):
            raise InputError(
                "benchmark",
                f"has a share of each group of data, which add up to {sum(result.values()):g}; they are 1 in all; "
                "correct them, or give the rest of the benchmark a label, too.",
            )
        lacking = [label for label in people.labels if label not in result]
        if lacking and sum(result.values()) >= 1 - 1e-6:
            n = count(sum(k for label, k in zip(people.labels, people.n, strict=True) if label in lacking))
            raise InputError(
                "benchmark",
                f"has shares that add up to 1 without {listing(lacking)}, of whom data has {n}; give each a share, "
                "or leave these people out.",
            )
        return result, 0.0, "population"
    if plain and any(float(v) != round(float(v)) for v in given.values()):
        total = sum(map(float, given.values()))
        way = "; of per cents divide by 100" if total > 2 else ", so that nobody is in two groups"
        raise InputError(
            "benchmark", f"has shares that add up to {total:g}; shares are between 0 and 1, and 1 in all{way}."
        )
    other = counts_of("benchmark", given, people.attribute if not plain else None, weights)
    total = float(other.n.sum())
    if total < 1:
        raise InputError("benchmark", "has nobody of a known group; pass shares or counts of the pool.")
    _some_known(other.labels, people.labels)
    if kind is None and ((total == 100 and (plain or weights)) or len(other.labels) == 1):
        raise InputError(
            "benchmark",
            f"has {listing(other.labels)} with {total:g} in all, which may be per cents or people; of per cents divide "
            f"by 100, which makes shares of them; of a sample of {total:g} people pass {Setting('kind', 'sample')}.",
        )
    share = {label: float(k) / total for label, k in zip(other.labels, other.n, strict=True)}
    absent = {label: 0.0 for label in people.labels if label not in share}
    return share | absent, total, kind or "sample"


def _by_line(given: Any, attribute: str, weights: str | None) -> Any:
    """A table of a line a group and one column of numbers as numbers by label; anything else as it is."""
    if isinstance(given, Tally) or (isinstance(given, Mapping) and not any(np.ndim(v) for v in given.values())):
        return given
    columns = take_in(given, [attribute])[0] if isinstance(given, (str, Path)) else Columns(given, "benchmark")
    numbers = [name for name in columns.names if name != attribute and columns.is_numeric(name)]
    if attribute not in columns or len(numbers) != 1 or weights in numbers:
        return given
    factor = columns.labels(attribute, "groups")
    if not columns.n == len(factor.levels) > 1:
        return given
    return dict(zip(factor.labels, columns.numeric(numbers[0], "benchmark").tolist(), strict=True))


def _some_known(given: Iterable[str], labels: Sequence[str]) -> None:
    """A benchmark has at least one group of the data, and none whose name is nearly that of one which it lacks."""
    if not set(given) & set(labels):
        raise InputError(
            "benchmark",
            with_hint(
                f"has {listing(given)}; no group of data is called so",
                next((hint for one in given if (hint := nearest(one, labels))), ""),
                f"the groups of data are {listing(labels)}; name one or more of these.",
            ),
        )
    for same in look_alike([*labels, *(one for one in given if one not in labels)]):
        if same[0] in labels and (apart := [one for one in same if one not in labels]):
            raise InputError("benchmark", f"has {apart[0]!r}, where data has {same[0]!r}; write both in the same way.")
    without = [label for label in labels if label not in set(given)]
    for one in given:
        # labels of other numbers, as of ages or pay bands, are other groups
        near = (
            [] if one in labels else [label for label in without if re.sub(r"\D", "", label) == re.sub(r"\D", "", one)]
        )
        if hint := nearest(one, near):
            way = f"if {one!r} is a group that nobody of data is in, name every group of data."
            raise InputError("benchmark", with_hint(f"has {one!r}; no group of data is called so", hint, way))


def _shares(labels: list[str], counts: Floats, attribute: str, way: str, level: float) -> list[Estimate]:
    n = counts.sum()
    ends = {"goodman": goodman, "sison-glaz": sison_glaz}.get(way)
    adjusted = 1 - (1 - level) / len(labels)
    low, high = ends(counts, level) if ends else clopper_pearson(counts, np.full(counts.shape, n), adjusted)
    return [
        Estimate("share", attribute, label, n=float(n), events=float(x), method=LIMITS[way]).with_interval(
            float(x / n), float(a), float(b), level
        )
        for label, x, a, b in zip(labels, counts, low, high, strict=True)
    ]


def _comparison(about: Estimate, x: float, n: float, share: float, pool: float, kind: str) -> tuple[float, Any]:
    """The p-value of one group beside the benchmark, and its rows at a level: difference, ratio, people."""
    if kind == "sample":
        y = round(share * pool)
        p = float(decisive_test(x, n, y, pool))
        pooled = (x + y) / (n + pool)
        spread = np.sqrt(pooled * (1 - pooled) * (1 / n + 1 / pool))
        z = (x / n - share) / spread if spread > 0 else 0.0

        def of_sample(level: float) -> list[Estimate]:
            low, high = (float(v) for v in miettinen_nurminen(x, n, y, pool, level))
            least, most = (float(v) for v in koopman(x, n, y, pool, level))
            return _rows(about, x, n, share, (low + share, high + share), (least, most), z, p, level, SAMPLE)

        return p, of_sample
    law: ConditionalLaw | None
    if kind == "pool":
        p, law = finite_pool(x, n, round(share * pool), pool)
        variance = n * share * (1 - share) * (pool - n) / max(pool - 1, 1)
    else:
        p, law = known_share(x, n, share)
        variance = n * share * (1 - share)
    z = (x - n * share) / np.sqrt(variance) if variance > 0 else 0.0

    def of_law(level: float) -> list[Estimate]:
        low, high = (_share_at(law, odds, n) for odds in odds_limits(p, law, level)) if law else (share, share)
        how = POOL if kind == "pool" else EXACT
        return _rows(about, x, n, share, (low, high), (low / share, high / share), z, p, level, how)

    return p, of_law


def _share_at(law: ConditionalLaw, odds: float, n: float) -> float:
    """The expected share of the group where its odds are so many times those of the benchmark."""
    if odds in (0.0, np.inf):
        return (law.least if odds == 0 else law.most) / n
    return law.law.tilted(float(np.log(odds)) - law.shift).mean / n


def _rows(
    about: Estimate,
    x: float,
    n: float,
    share: float,
    ends: tuple[float, float],
    ratios: tuple[float, float],
    z: float,
    p: float,
    level: float,
    method: str,
) -> list[Estimate]:
    tested = about.changed(method=method)
    gap = tested.with_interval(x / n - share, ends[0] - share, ends[1] - share, level).with_test(float(z), p)
    ratio = tested.changed(contrast="ratio").with_interval(x / n / share if share else NAN, *ratios, level)
    people = tested.changed(metric="shortfall", contrast="none", reference="", role="supplementary")
    numbers = (n * share - x, n * (share - ends[1]), n * (share - ends[0]))
    fewer, least, most = (round(float(v), 9) + 0.0 for v in numbers)
    return [gap, ratio, people.with_interval(fewer, least, most, level)]


def _all_at_once(attribute: str, counts: Floats, share: Floats, seed: int) -> Estimate:
    """Pearson's test of all shares; drawn where a group is expected fewer than 5 times."""
    share, n = share / share.sum(), counts.sum()
    expected = n * share
    statistic = float(((counts - expected) ** 2 / expected).sum())
    about = Estimate("share", attribute, role="omnibus", n=float(n))
    if expected.min() >= 5:
        df = counts.size - 1.0
        return about.with_test(statistic, float(chdtrc(df, statistic)), df, method=CHI_SQUARE)
    samples = np.random.default_rng(seed).multinomial(int(n), share, DRAWS)
    beyond = ((samples - expected) ** 2 / expected).sum(axis=1) >= statistic * (1 - 1e-12)
    return about.with_test(statistic, float((1 + beyond.sum()) / (1 + DRAWS)), method=DRAWN)


def _sentence(expected: dict[str, float], row: Estimate) -> str:
    share = expected[row.group]
    return (ONE if row.estimate < 0 else MORE).format(
        group=data_text(row),
        events=count(row.events),
        n=count(row.n),
        share=percent(row.events / row.n),
        benchmark=percent(share),
        gap=percent(row.estimate),
        limits=limits(row),
        shortfall=count(round(abs(row.n * share - row.events))),
        sd=number(row.statistic, 1),
    )
