"""Numbers and statuses as the report words them: one home for digits, units and the three verdicts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from fairstats.estimates import STATUSES, Estimate

DASH = "\N{EN DASH}"
MINUS = "-"  # ASCII, so that a copied table pastes as numbers; the report's numeral face draws it as a minus

# metric -> (heading, what it says in plain words)
METRICS: dict[str, tuple[str, str]] = {
    "base rate": ("Base rate", "share of people with the positive outcome"),
    "selection rate": ("Selection rate", "share of people who received the favourable decision"),
    "TPR": ("True positive rate", "of those with the positive outcome, the share predicted positive"),
    "FPR": ("False positive rate", "of those with the negative outcome, the share predicted positive"),
    "TNR": ("True negative rate", "of those with the negative outcome, the share predicted negative"),
    "FNR": ("False negative rate", "of those with the positive outcome, the share predicted negative"),
    "PPV": ("Positive predictive value", "of those predicted positive, the share with the positive outcome"),
    "NPV": ("Negative predictive value", "of those predicted negative, the share with the negative outcome"),
    "accuracy": ("Accuracy", "share of people whose prediction equals their outcome"),
    "AUC": ("AUC", "chance that a person with the positive outcome scores higher than one without"),
    "P(X>Y)": ("P(X>Y)", "chance that a random member of the group scores higher than one of the reference, ties half"),
    "score shift": ("Shift", "median of all differences of two scores, one from the group and one from the reference"),
    "Brier score": ("Brier score", "mean squared distance of score and outcome; smaller is better"),
    "calibration intercept": ("Calibration intercept", "0 when the scores are right on average"),
    "calibration slope": ("Calibration slope", "1 when a higher score means as much more risk as it says"),
    "equalized odds": ("Equalized odds", "larger of the gaps of true and false positive rates"),
    "impact ratio": ("Impact ratio", "selection rate over that of the reference"),
    "shortfall": ("Shortfall", "people more who would have to be selected to reach the reference's rate"),
    "R2": ("R\N{SUPERSCRIPT TWO}", "share of a component's variation that the groups explain"),
    "extra error": ("Extra error", "variation that the method leaves out, beyond what it must"),
}
BOUNDED = ("AUC", "P(X>Y)", "Brier score", "calibration intercept", "calibration slope", "R2")
RATES = ("base rate", "selection rate", "TPR", "FPR", "TNR", "FNR", "PPV", "NPV", "accuracy")


def heading(metric: str) -> str:
    """The metric's name as a heading; an unknown metric keeps the name that it brings."""
    return METRICS.get(metric, (metric[:1].upper() + metric[1:], ""))[0]


def in_text(metric: str) -> str:
    """The metric's name inside a sentence: lower case unless it is an acronym.

    >>> in_text("selection rate"), in_text("AUC")
    ('selection rate', 'AUC')
    """
    name = heading(metric)
    return name if len(name) < 2 or name[1].isupper() or name[1] == "(" else name[:1].lower() + name[1:]


def meaning(metric: str) -> str:
    """What the metric says in plain words, "" where the report has no sentence for it."""
    return METRICS.get(metric, ("", ""))[1]


def number(value: float, digits: int = 1) -> str:
    """A number with a fixed number of digits; a dash where there is none.

    >>> number(-0.04, 1), number(1234.5, 0), number(float("nan"))
    ('0.0', '1234', '–')
    """
    if math.isnan(value):
        return DASH
    if math.isinf(value):
        return "\N{INFINITY}" if value > 0 else f"{MINUS}\N{INFINITY}"
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text


def count(value: float) -> str:
    """A count: whole where it is whole, one digit where weights make it a fraction."""
    whole = math.isfinite(value) and abs(value - round(value)) < 1e-9
    return number(value, 0 if whole else 1)


def percent(value: float, digits: int = 1) -> str:
    """A share as per cent, without the sign (the unit stands in the header)."""
    return number(100 * value, digits)


def compact(value: float) -> str:
    """A number of unknown size: four significant digits, never an exponent for everyday sizes."""
    if not math.isfinite(value):
        return number(value)
    return f"{value:.4g}" if value and not 1e-4 <= abs(value) < 1e6 else number(value, _places(value))


def _places(value: float) -> int:
    return 3 if value == 0 else max(0, 3 - math.floor(math.log10(abs(value))))


def plain(value: float) -> str:
    """A setting as it was given: no digits that nobody wrote.

    >>> plain(5.0), plain(0.25)
    ('5', '0.25')
    """
    return f"{value:.10g}"


def p_value(value: float) -> str:
    """A p-value with three digits; a smaller one says so.

    >>> p_value(0.04321), p_value(1e-9)
    ('0.043', '<0.001')
    """
    return "<0.001" if value < 0.0005 else number(value, 3)


def spread(low: float, high: float, show: Callable[[float], str]) -> str:
    """An interval as "a to b"."""
    return DASH if math.isnan(low) and math.isnan(high) else f"{show(low)} to {show(high)}"


def scale(row: Estimate) -> Callable[[float], str]:
    """How the row's numbers are printed: shares and their differences in per cent, ratios and scores as they are."""
    if row.contrast == "ratio":
        return lambda value: number(value, 2)
    if row.metric in (*RATES, "equalized odds"):
        return percent
    return (lambda value: number(value, 3)) if row.metric in BOUNDED else compact


def unit(row: Estimate) -> str:
    """The unit of the row's estimate, "" for a pure number."""
    if row.contrast == "ratio" or row.metric not in (*RATES, "equalized odds"):
        return ""
    return " points" if row.contrast == "difference" else " %"


def estimate(row: Estimate) -> str:
    """The estimate with its unit, or why there is none."""
    return f"{scale(row)(row.estimate)}{unit(row)}" if shown(row) else status(row)


def shown(row: Estimate) -> bool:
    """Whether the row has a number to print."""
    return row.status == "ok" and not math.isnan(row.estimate)


def interval(row: Estimate) -> str:
    """The row's interval as "a to b" in the unit of its estimate."""
    return spread(row.conf_low, row.conf_high, scale(row)) if shown(row) else DASH


def status(row: Estimate) -> str:
    """The status in words, with its reason.

    >>> status(Estimate("TPR", status="unestimable", reason="no positives"))
    'not estimable: no positives'
    """
    said = STATUSES[row.status]
    if row.status == "ok":
        return "not computed"
    return f"{said.split(':')[0]}: {row.reason}" if row.reason else said


def claim(row: Estimate) -> str:
    """What a row of page one is about, in words."""
    what = heading(row.metric)
    attribute = f" ({row.attribute})" if row.attribute else ""
    if row.reference:
        kind = {"difference": "difference", "ratio": "ratio", "none": ""}[row.contrast]
        return f"{what}{', ' + kind if kind else ''}: {row.group} against {row.reference}{attribute}"
    return f"{what}: {row.group}{attribute}" if row.group else f"{what}{': ' + row.term if row.term else ''}"


def listed(items: Sequence[str], most: int = 6) -> str:
    """``a, b and c``, shortened past ``most``.

    >>> listed(["a", "b", "c"]), listed([])
    ('a, b and c', 'none')
    """
    if not items:
        return "none"
    kept = list(items[:most])
    if len(items) > most:
        return f"{', '.join(kept)} and {len(items) - most} more"
    return kept[0] if len(kept) == 1 else f"{', '.join(kept[:-1])} and {kept[-1]}"
