"""What withheld people may do to a verdict: the test, the limits and the estimate at their worst case."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import fairstats
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.sensitivity import OVERTURNED, WITHHELD, tempered
from fairstats.auditing.tally import CodedTally
from fairstats.estimates import NAN, Estimate
from fairstats.inference.multiplicity import Margins
from fairstats.inference.rates.exact import unconditional_test
from fairstats.inference.rates.two_rates import miettinen_nurminen


def arrested() -> Any:
    """The 63 women who were not released are withheld: of those who are left everybody was."""
    return fairstats.tally(fairstats.arrests(), "released", "sex").withhold(min_n=70)


def test_a_disparity_that_withheld_people_explain_is_not_shown():
    result = fairstats.audit(arrested(), favorable="Yes")
    row = result.estimates.where(metric="selection rate", contrast="difference", role="main")[0]
    bound = result.estimates.where(metric="selection rate", contrast="difference", given=WITHHELD)[0]
    assert (row.verdict, row.reason) == ("inconclusive", OVERTURNED)
    # the estimate of those who were sent lies outside the bounds, and within the limits, which hold both
    assert bound.conf_high < row.estimate < row.conf_high
    assert row.conf_low < min(0, bound.conf_low)
    men = 3954, 4783
    p = [float(unconditional_test(380, 380 + lost, *men)) for lost in range(1, 70)]
    assert row.p_value >= max(p) > 0.05
    low = min(miettinen_nurminen(380, 380 + lost, *men)[0] for lost in range(1, 70))
    assert row.conf_low == pytest.approx(float(low))
    rate = result.estimates.where(metric="selection rate", contrast="none", group="Female", role="main")[0]
    assert rate.conf_low < 380 / 449 < 380 / 381 < rate.conf_high
    assert "Disparity shown" not in result.finding()


def test_a_disparity_that_they_cannot_explain_is_shown():
    """Forty withheld people of 2,000 do not make up for a difference of 30 points."""
    n = np.array([700, 300, 396, 604, 3])
    rows = {"g": ["a", "a", "b", "b", "b"], "d": [1, 0, 1, 0, 0], "x": ["u", "u", "u", "u", "v"]}
    tally = fairstats.tally({**{k: np.repeat(v, n) for k, v in rows.items()}}, "d", ["g", "x"]).withhold(min_n=5)
    result = fairstats.audit(tally, groups="g")
    row = result.estimates.where(metric="selection rate", contrast="difference", role="main")[0]
    plain = fairstats.audit({k: np.repeat(v, n)[:2000] for k, v in rows.items()}, "d", "g").estimates
    own = plain.where(metric="selection rate", contrast="difference", role="main")[0]
    assert row.verdict == own.verdict == "disparity shown"
    assert own.p_value <= row.p_value < 1e-10 and row.conf_high > own.conf_high - 0.01


@pytest.mark.parametrize(
    ("changed", "low", "high", "stands"),
    [
        ({"role": "focus"}, 0.1, 0.3, False),
        ({"given": "dept"}, 0.1, 0.3, False),
        (
            {"metric": "P(X>Y)", "contrast": "none", "estimate": 0.6, "conf_low": 0.58, "conf_high": 0.62},
            0.57,
            0.64,
            True,
        ),
        # without sampling error the bounds exclude one half, with it they do not
        (
            {"metric": "P(X>Y)", "contrast": "none", "estimate": 0.6, "conf_low": 0.52, "conf_high": 0.68},
            0.57,
            0.64,
            False,
        ),
        (
            {"metric": "AUC", "verdict": "equivalence shown", "conf_low": 0.0, "conf_high": 0.05, "estimate": 0.02},
            0.01,
            0.04,
            True,
        ),
        (
            {"metric": "AUC", "verdict": "equivalence shown", "conf_low": 0.0, "conf_high": 0.09, "estimate": 0.02},
            0.01,
            0.04,
            False,
        ),
    ],
)
def test_a_verdict_about_scores_stands_where_the_moved_limits_do(
    changed: dict[str, Any], low: float, high: float, stands: bool
) -> None:
    row = Estimate(
        "FPR", "g", "b", "difference", "a", estimate=0.2, p_value=0.01, verdict="disparity shown", reason="few"
    )
    row = replace(row, **changed)
    bound = replace(row, role="bound", given=WITHHELD, conf_low=low, conf_high=high, verdict="")
    protocol = Protocol(("g",), equivalence=Margins(difference=0.2, auc=0.1))
    (found,) = tempered([row], [bound], CodedTally((), np.zeros(0)), protocol)
    assert (found.verdict == row.verdict) == stands
    if not stands:
        assert (found.verdict, found.reason) == ("inconclusive", f"few; {OVERTURNED}")
    if found.conf_low == found.conf_low:
        assert found.conf_low <= min(low, row.conf_low) and found.conf_high >= max(high, row.conf_high)
    (silent,) = tempered([row], [], CodedTally((), np.zeros(0)), protocol)
    assert silent.verdict == "inconclusive"
    open_ = replace(row, verdict="inconclusive", reason="", conf_low=NAN, conf_high=NAN)
    assert tempered([open_], [], CodedTally((), np.zeros(0)), protocol) == [open_]
