"""Bounds over all that is missing: every completion by brute force; the interval around them by simulation."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest

from fairstats.auditing.audit import audit
from fairstats.inference.rates.sensitivity import Gaps, bounds_with_error, difference_bounds
from fairstats.reporting.bundle import gather
from fairstats.reporting.report import context


def completions(gaps: Gaps) -> list[float]:
    """The difference in every completion of the data, person by person."""
    people = []
    for place, (yes, no, unknown) in zip(("own", "base", "only own", "only base", "either"), gaps, strict=True):
        groups = {"own": "o", "base": "b", "only own": "o-", "only base": "b-", "either": "ob-"}[place]
        for decisions, count in (((1,), yes), ((0,), no), ((0, 1), unknown)):
            people += [[(g, d) for g in groups for d in decisions]] * int(count)
    items = []
    for chosen in product(*people):
        rates = [[d for g, d in chosen if g == group] for group in "ob"]
        if all(rates):
            items.append(float(np.mean(rates[0]) - np.mean(rates[1])))
    return items


@pytest.mark.parametrize(
    "gaps",
    [
        Gaps((2, 1, 1), (1, 2, 0), either=(0, 1, 2)),
        Gaps((2, 2, 0), (3, 1, 0), either=(1, 1, 1)),
        Gaps((1, 1, 1), (2, 1, 1), (0, 1, 1), (1, 0, 1)),
        Gaps((3, 0, 0), (0, 3, 0), either=(0, 0, 3)),
        Gaps((1, 3, 1), (2, 1, 1)),
    ],
)
def test_the_bounds_are_those_of_every_completion(gaps):
    result = completions(gaps)
    assert difference_bounds(gaps) == pytest.approx((min(result), max(result)))


def missing(rng, n: int, share: float, p: float, q: float, worst: bool) -> Gaps:
    """Two groups whose rates differ by p - q; gaps at random, or so that the truth is at a bound."""
    current = rng.random(n) < 0.5
    y = rng.random(n) < np.where(current, p, q)
    chance = np.where(current == y, 2 * share, 0.0) if worst else share
    no_group, no_decision = rng.random(n) < chance, rng.random(n) < chance

    def present(of: np.ndarray) -> tuple[float, float, float]:
        seen = of & ~no_decision
        return float((seen & y).sum()), float((seen & ~y).sum()), float((of & no_decision).sum())

    return Gaps(present(current & ~no_group), present(~current & ~no_group), either=present(no_group))


@pytest.mark.long
@pytest.mark.parametrize(
    ("n", "share", "p", "q", "worst"),
    [
        (200, 0.1, 0.5, 0.4, True),
        pytest.param(400, 0.05, 0.3, 0.3, True, marks=pytest.mark.slow),
        pytest.param(400, 0.02, 0.5, 0.5, False, marks=pytest.mark.slow),
        (400, 0.0, 0.5, 0.4, False),
    ],
)
def test_the_interval_holds_the_truth_wherever_between_the_bounds_it_is(n, share, p, q, worst):
    rng, draws, kept = np.random.default_rng(1), 400, 0
    for _ in range(draws):
        low, high = bounds_with_error(missing(rng, n, share, p, q, worst))
        kept += low <= p - q <= high
    assert kept / draws >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / draws)


def test_without_gaps_it_is_the_interval_of_two_rates():
    from fairstats.inference.rates.two_rates import miettinen_nurminen

    for counts in ((40, 60, 55, 45), (0, 5, 3, 90)):
        gaps = Gaps((*counts[:2], 0), (*counts[2:], 0))
        wanted = miettinen_nurminen(counts[0], sum(counts[:2]), counts[2], sum(counts[2:]))
        assert bounds_with_error(gaps) == pytest.approx([float(v) for v in wanted], abs=1e-6)


def test_people_who_lack_group_and_decision_are_in_the_joint_bounds_of_an_audit():
    """The reviewer's case: the truth lay outside every printed bound."""
    rows = [("a", 1)] * 10 + [("a", 0)] * 10 + [("b", 1)] * 10 + [("b", 0)] * 10
    lost = [(None, None)] * 10 + [(None, 1)] * 2 + [("b", None)] * 2
    result = audit(pd.DataFrame(rows + lost, columns=["g", "d"]), "d", "g", reference="a")
    bounds = result.estimates.where(role="bounds", group="b", term="")
    assert bounds.column("given") == ["missing groups", "missing decision", "missing groups and decision"]
    joint = bounds[-1]
    # the truth: those without either were b, and selected; those without a group were b; the others, too
    truth = (10 + 10 + 2 + 2) / (20 + 14) - 0.5
    assert joint.conf_low <= truth <= joint.conf_high
    assert not any(b.conf_low <= truth <= b.conf_high for b in bounds[:2])
    (limits,) = result.estimates.where(role="bounds", group="b", term="with sampling error")
    assert limits.conf_low < joint.conf_low and limits.conf_high > joint.conf_high
    assert limits.conf_level == 0.975  # the level of the comparison as audited, with (missing) as a further group
    text = " ".join(result.summary().split())
    assert "Whatever the missing groups and decisions are" in text and "Whatever the missing groups are" not in text


def test_intersections_have_bounds_by_the_cells_that_a_person_may_be_in(rng):
    data = pd.DataFrame({"s": ["f", "m"] * 12, "a": ["o", "o", "y", "y"] * 6, "d": rng.integers(0, 2, 24)})
    gaps = pd.DataFrame({"s": ["f", None, None], "a": [None, "o", None], "d": [1, 0, 1]})
    whole = pd.concat([data, gaps], ignore_index=True)
    result = audit(whole, "d", "s:a", reference="m:o").estimates
    (row,) = result.where(role="bounds", group="f:y", given="missing groups", term="")
    items = []
    for first, second, third in product("oy", "fm", product("fm", "oy")):
        filled = whole.assign(s=[*data.s, "f", second, third[0]], a=[*data.a, first, "o", third[1]])
        rates = filled.groupby(["s", "a"])["d"].mean()
        items.append(rates["f", "y"] - rates["m", "o"])
    assert (row.conf_low, row.conf_high) == pytest.approx((min(items), max(items)))


def test_withheld_people_of_unknown_group_leave_no_bound():
    data = pd.DataFrame({"g": ["a"] * 60 + ["b"] * 50 + [None] * 3, "d": [0, 1] * 56 + [0]})
    assert not audit(data, decision="d", groups="g", min_n=10).estimates.only(role="bounds")


@pytest.mark.parametrize("level", [0.0, 1e-9, 0.2, 0.5, 0.95])
def test_with_sampling_error_bounds_are_no_narrower_at_any_level(level):
    """Found by fuzzing: at levels under one half the one-sided quantile is negative, at 0 (of max-t) it is infinite."""
    gaps = Gaps((0, 1, 0), (2, 0, 1), either=(0, 0, 0))
    low, high = difference_bounds(gaps)
    below, above = bounds_with_error(gaps, level)
    assert below <= low <= high <= above


@pytest.mark.long
def test_bounds_of_five_people_cover():
    """A hundred people, five of the group; the group of those whose answer is that of their group is often missing."""
    rng, covered = np.random.default_rng(1), 0
    for _ in range(300):
        current, y = rng.random(100) < 0.05, rng.random(100) < 0.5
        lost = (current == y) & (rng.random(100) < 0.6)
        items = [(float((m & y & ~lost).sum()), float((m & ~y & ~lost).sum()), 0.0) for m in (current, ~current)]
        either = (float((lost & y).sum()), float((lost & ~y).sum()), 0.0)
        low, high = bounds_with_error(Gaps(*items, either=either))
        covered += low <= 0 <= high
    assert covered >= 0.93 * 300 - 3 * np.sqrt(300 * 0.93 * 0.07)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("groups", ["g", ["g", "h"]])
@pytest.mark.parametrize("role", ["decision", "outcome"])
def test_people_who_are_left_out_may_do_what_people_who_are_kept_may(seed, groups, role):
    """The bounds over missing groups do not depend on `missing=`; with "drop" there were none."""
    rng = np.random.default_rng(seed)
    n = 500
    g, h = (rng.choice(list("ab"), n).astype(object) for _ in range(2))
    d = np.where(rng.random(n) < 0.05, np.nan, rng.random(n) < np.where(g == "a", 0.7, 0.4))
    g[rng.random(n) < 0.2], h[rng.random(n) < 0.1] = None, None
    data = {"g": g, "h": h, "d": d, "w": rng.integers(1, 4, n)}
    weights = {"weights": "w"} if seed % 2 else {}
    kept, dropped = (audit(data, **{role: "d"}, groups=groups, missing=rule, **weights) for rule in ("level", "drop"))
    arguments = {"role": "bounds", "term": "", "given": "missing groups"}
    entries = {(r.attribute, r.group, r.reference): (r.conf_low, r.conf_high) for r in kept.estimates.only(**arguments)}
    entries |= {(a, y, x): (-high, -low) for (a, x, y), (low, high) in entries.items()}
    result = dropped.estimates.only(**arguments)
    assert len(result) >= len([groups] if isinstance(groups, str) else groups)
    for row in result:
        pair = entries.get((row.attribute, row.group, row.reference))
        assert pair is None or (row.conf_low, row.conf_high) == pytest.approx(pair)
    assert sum((row.attribute, row.group, row.reference) in entries for row in result) >= 1


def test_a_disparity_that_people_left_out_could_undo_is_not_the_whole_first_sentence():
    data = {"g": ["a"] * 100 + ["b"] * 100 + [None] * 100, "d": [1] * 70 + [0] * 30 + [1] * 45 + [0] * 55 + [0, 1] * 50}
    text = audit(data, "d", "g", missing="drop").finding()
    assert text.index("Disparity shown among those who are known, not over all.") > 0
    assert text.startswith("Among those with known g: ")
    assert "with the 100 whose g is not known at worst, and sampling error, that of people with `g` b may be" in text
    assert "labeled" not in text
    (note,) = (n for n in audit(data, "d", "g", missing="drop", min_n=5).notes if "left out" in n)
    assert "100 people" in note and "missing='level'" in note


def test_people_labeled_unknown_are_said_to_be_outside_of_the_bound_over_missing_groups() -> None:
    groups = ["a"] * 100 + ["b"] * 100 + ["unknown"] * 40 + [None] * 60
    data = {"g": groups, "d": [1] * 70 + [0] * 30 + [1] * 45 + [0] * 55 + [0, 1] * 50}
    text = audit(data, "d", "g").finding()
    _, _, said = text.partition(
        "with the 60 whose g is not known at worst, and sampling error, that of people with `g` b may be anything "
        "between "
    )
    assert (
        'points more, not counting people labeled "unknown", a group of their own here (if their g is not known, leave '
        "these cells empty). Disparity shown among those who are known, not over all."
    ) in said
    recoded = audit({**data, "g": [None if group == "unknown" else group for group in groups]}, "d", "g").finding()
    assert "labeled" not in recoded and recoded.partition("gap lies between ")[2][:20] != said[:20]
    page = context(gather([audit(data, "d", "g")], None, ""), "generic")["findings"]
    assert 'not counting people labeled "unknown"' in str(page["sentence"])
