"""An audit made by hand for the report's tests: every status, markup in names, long names, absent numbers."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from fairstats.auditing.counts import Cell
from fairstats.auditing.protocol import Resolved
from fairstats.auditing.result import Audit
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.multiplicity import Margins
from fairstats.provenance import Curve, DataSource, FlowStep, Provenance

SCRIPT = "<script>alert(1)</script>"
IMAGE = '"><img src=x onerror=alert(2)>'
LONG = "Native Hawaiian, other Pacific Islander, or descent recorded under an older form of the register"
RACE = {"White": (600, 0.60), "Black & brown": (400, 0.48), SCRIPT: (120, 0.61), LONG: (40, 0.35), "$x_1$": (0, NAN)}
SEX = {"male": (800, 0.55), IMAGE: (360, 0.56)}
LEVELS = {"race": RACE, "sex": SEX, "sex:race": {f"{s}, {r}": (n, p) for s, (r, (n, p)) in product(SEX, RACE.items())}}
REFERENCES = {"race": "White", "sex": "male", "sex:race": "male, White"}
VERDICTS = ("disparity shown", "equivalence shown", "inconclusive")
BASE = {"selection rate": 0.0, "TPR": 0.12, "FPR": -0.18, "PPV": 0.05, "NPV": 0.1, "accuracy": 0.07}


def _rate(metric: str, attribute: str, group: str, n: float, p: float) -> Estimate:
    if n == 0:
        why = "no positives" if metric == "TPR" else "nobody in the group"
        return Estimate(metric, attribute, group, n=0, events=0, method="Wilson", status="unestimable", reason=why)
    if group == LONG and metric != "selection rate":
        return Estimate(metric, attribute, group, n=n, status="suppressed", reason="fewer than 50 people")
    events = round(n * (p + BASE[metric]))
    share, half = events / n, 0.98 / n**0.5
    return Estimate(
        metric,
        attribute,
        group,
        n=n,
        events=events,
        estimate=share,
        conf_low=max(share - half, 0.0),
        conf_high=min(share + half, 1.0),
        conf_level=0.95,
        method="Wilson",
    )


def _contrast(kind: str, row: Estimate, base: Estimate, at: int) -> Estimate:
    head = {"contrast": kind, "reference": base.group, "method": "Newcombe; Fisher exact"}
    if row.status != "ok":
        status = "excluded" if row.n == 0 else row.status
        return Estimate(row.metric, row.attribute, row.group, n=row.n, status=status, reason=row.reason, **head)
    value = row.estimate - base.estimate if kind == "difference" else row.estimate / base.estimate
    return Estimate(
        row.metric,
        row.attribute,
        row.group,
        n=row.n,
        events=row.events,
        estimate=value,
        conf_low=value - 0.06,
        conf_high=value + 0.06,
        conf_level=0.9875,
        p_value=0.0004 * at**3,
        p_adjusted=min(1.0, 0.001 * at**3),
        verdict=VERDICTS[at % 3] if kind == "difference" else "",
        **head,
    )


def _rows() -> list[Estimate]:
    rows = []
    for (attribute, levels), metric in product(LEVELS.items(), BASE):
        rates = {g: _rate(metric, attribute, g, float(n), p) for g, (n, p) in levels.items()}
        rows += rates.values()
        base = rates[REFERENCES[attribute]]
        others = [r for r in rates.values() if r is not base]
        rows += [_contrast(kind, r, base, at) for kind in ("difference", "ratio") for at, r in enumerate(others)]
        if attribute == "race":
            at = len(rows) % 3
            rows.append(replace(_contrast("difference", rates["Black & brown"], rates[SCRIPT], at), role="headline"))
    for group, (n, p) in RACE.items():
        entries = {"estimate": 0.7 + p / 10, "conf_low": 0.66 + p / 10, "conf_high": 0.75 + p / 10, "conf_level": 0.95}
        if n == 0:
            entries = {"status": "unestimable", "reason": "no positives"}
        rows.append(Estimate("AUC", "race", group, n=float(n), method="DeLong", **entries))
    rows.append(
        Estimate(
            "P(X>Y)",
            "race",
            "Black & brown",
            reference="White",
            n=400.0,
            estimate=0.62,
            conf_low=0.59,
            conf_high=0.65,
            conf_level=0.95,
            statistic=1234.0,
            p_value=1e-9,
            method="Brunner-Munzel, t; logit limits",
            verdict="disparity shown",
        )
    )
    rows.append(
        Estimate(
            "selection rate",
            "race",
            "Black & brown",
            "difference",
            "White",
            "threshold 6",
            400.0,
            estimate=-0.1,
            conf_low=-0.2,
            conf_high=float("inf"),
            conf_level=0.95,
        )
    )
    return rows


def _cell(attribute: str, group: str, n: float, p: float) -> Cell:
    yes = 0.0 if n == 0 else round(n * p)
    return Cell(attribute, group, n, yes, n - yes, n - yes, yes, 0.6 * yes, 0.4 * (n - yes), 0.4 * yes, 0.6 * (n - yes))


def _curves() -> tuple[Curve, ...]:
    at = [i / 400 for i in range(401)]
    groups = [g for g, (n, _) in RACE.items() if n]
    roc = [Curve("roc", "race", g, tuple(at), tuple(x ** (0.4 + 0.1 * i) for x in at)) for i, g in enumerate(groups)]
    ecdf = [Curve("ecdf", "race", g, tuple(at), tuple(x ** (0.7 + 0.3 * i) for x in at)) for i, g in enumerate(groups)]
    bins = (0.1, 0.3, 0.5, 0.7, 0.9)
    calibrated = [
        Curve(
            "calibration",
            "race",
            g,
            bins,
            tuple(b**1.1 for b in bins),
            tuple(b**1.1 - 0.05 for b in bins),
            tuple(b**1.1 + 0.05 for b in bins),
        )
        for g in groups
    ]
    return (*roc, *ecdf, *calibrated)


def sample() -> Audit:
    """The audit."""
    cells = tuple(_cell(a, g, float(n), p) for a, levels in LEVELS.items() for g, (n, p) in levels.items())
    return Audit(
        Resolved(
            groups=("race", "sex", "sex:race"),
            outcome="two_year_recid",
            decision="",
            score=f"score {SCRIPT}",
            threshold=5.0,
            favorable="0",
            margin=Margins(difference=0.05),
            min_n=50,
        ),
        (FlowStep("rows read", 1170), FlowStep("outcome missing", 10, "no follow-up"), FlowStep("rows analyzed", 1160)),
        cells,
        REFERENCES,
        Estimates(_rows()),
        _curves(),
        DataSource(f"data {IMAGE}.csv", "ab" * 32, 1170, 12),
        Provenance(f"audit('{SCRIPT}')", 0, {"fairstats": "0.1.0", "python": "3.11"}, "2024-03-01T10:00:00+00:00"),
        (f"A caution about {SCRIPT}.",),
    )
