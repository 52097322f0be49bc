"""The sentences of a summary below its headline table: all groups at once, impact ratios, strata, sensitivity."""

from __future__ import annotations

from collections.abc import Sequence

from fairstats import metrics
from fairstats.auditing.rows.adverse_impact import METRICS, SMALL
from fairstats.auditing.rows.missing import AND, SAMPLING
from fairstats.auditing.rows.withheld import WITHHELD
from fairstats.auditing.words.finding import EFFECT, gap_text, range_text
from fairstats.estimates import Estimate, Estimates
from fairstats.glossary import SHOWN
from fairstats.inference.rates.four_fifths import BELOW, side
from fairstats.inference.rates.stratified_rows import LEFT_OUT
from fairstats.inference.rates.unmeasured_factors import BOUND, E_VALUE, OF_LIMIT
from fairstats.text import number, p_equals, setting, signed

MOST_GROUPS = 12


def remarks(rows: Estimates, metric: str, strata: str) -> list[str]:
    """Yield the sentences below the table of one rate of one attribute.

    Parameters
    ----------
    rows : Estimates
        The rows of the attribute.
    metric : str
        The headline rate.
    strata : str
        The legitimate factors, or "".

    Returns
    -------
    list of str

    Examples
    --------
    >>> gap = Estimate("FPR", "sex", "f", "difference", "m", "sex", estimate=0.1, conf_low=0.02, conf_high=0.2)
    >>> remarks(Estimates([gap]), "FPR", "")
    []
    """
    found = [
        _omnibus(rows.only(metric=metric, role="all groups", contrast="none")),
        _largest(rows.only(metric=metric, role="all groups", contrast="difference", status="ok")),
        _impact(rows.where(metric=METRICS.get(metric, ("", ""))[0], contrast="ratio", role="main", status="ok")),
        *_given(rows, strata),
        *_bounds(rows),
        _power(rows),
    ]
    return [sentence for sentence in found if sentence]


def _omnibus(rows: Estimates) -> str:
    if not rows:
        return ""
    row = rows[0]
    if row.status != "ok":
        return f"All groups at once: not estimable, {row.reason}."
    statistic = f"statistic {number(row.statistic, 1)} on {setting(row.df)} df"
    return f"All groups at once: {row.method}, {statistic}, {p_equals(row.p_value)}."


def _largest(rows: Estimates) -> str:
    if not rows:
        return ""
    row = rows[0]
    return f"{range_text(row)}."


def _impact(rows: Estimates) -> str:
    if not rows:
        return ""
    ratios = _first(
        [f"{r.group} {number(r.estimate, 2)} ({number(r.conf_low, 2)} to {number(r.conf_high, 2)})" for r in rows]
    )
    short = [r for r in rows if side(r.estimate) == BELOW]
    below = [f"{r.group}{' (under 2 % of the people)' * (SMALL in r.reason)}" for r in short]
    name = metrics.METRICS[rows[0].metric].heading
    highest = "the highest rate"
    if any(r.estimate > 1 for r in rows):  # that of a group which the rule does not count is higher
        highest += " of groups with 2 % of the people or more"
    return f"{name} to {rows[0].reference}, {highest}: {ratios}. Below 0.8: {_first(below, ', ') or 'none'}."


def _first(parts: Sequence[str], mark: str = "; ", unit: str = "") -> str:
    """The parts in one line, as many as the tables show groups; the rest is counted."""
    hidden = len(parts) - MOST_GROUPS
    return mark.join(parts[:MOST_GROUPS]) + unit + (f"{mark}… and {hidden} more, all in tidy()" if hidden > 0 else "")


def _given(rows: Estimates, strata: str) -> list[str]:
    def odds(group: str) -> str:
        row = rows.where(metric="common odds ratio", group=group)[0]
        if row.status != "ok":
            return f"common odds ratio not estimable: {row.reason}"
        limits = f"{number(row.conf_low, 2)} to {number(row.conf_high, 2)}"
        return f"common odds ratio {number(row.estimate, 2)} ({limits}), {p_equals(row.p_adjusted)}"

    def effect(row: Estimate) -> str:
        if row.status != "ok":
            return f"difference within strata not estimable: {row.reason}"
        left_out = f" ({row.reason.partition(';')[0]})" if LEFT_OUT in row.reason else ""
        return f"difference within strata {gap_text(row)}, {row.verdict}{left_out}"

    def unmeasured(row: Estimate) -> str:
        if row.verdict not in SHOWN:
            return ""
        known = {(r.metric, r.term): r.estimate for r in rows.only(group=row.group, role="sensitivity", status="ok")}
        keys = ((E_VALUE, ""), (E_VALUE, OF_LIMIT), (BOUND, ""))
        if not known.keys() >= set(keys):
            return ""
        ratio, limit, bound = (number(known[key], 2) for key in keys)
        return (
            f" To explain it, an unmeasured factor would need risk ratios of {ratio} (E-value; {limit} for the limit); "
            f"the test withstands odds of {bound} (Rosenbaum)."
        )

    effects = [r for r in rows.where(metric=EFFECT) if r.status != "suppressed"]
    hidden = len(effects) - MOST_GROUPS
    return [
        f"Given {strata}: {r.group} against {r.reference}: {effect(r)}; {odds(r.group)}.{unmeasured(r)}"
        for r in effects[:MOST_GROUPS]
    ] + ([f"Given {strata}: … and {hidden} more group{'s' * (hidden > 1)}, all in tidy()."] if hidden > 0 else [])


def _bounds(rows: Estimates) -> list[str]:
    def ends(row: Estimate) -> str:
        return f"{row.group} {signed(100 * row.conf_low, 1)} to {signed(100 * row.conf_high, 1)}"

    every = rows.only(role="bound", contrast="difference")
    headline = "selection rate" if every.only(metric="selection rate") else "base rate"
    every = every.only(metric=headline)
    missing = dict.fromkeys(r.given for r in every)
    # bounds by one gap at a time can miss the truth where people have both
    cells = [what for what in missing if what == WITHHELD]
    told = [what for what in missing if AND in what] or [what for what in missing if what != WITHHELD]
    told += cells
    said = []
    for what in told:
        bounds, limits = every.only(given=what, term=""), every.only(given=what, term=SAMPLING)
        more = f"; {SAMPLING}, {_first([ends(row) for row in limits])}" if limits else ""
        said.append(
            f"Whatever the {_plural(what)} are, the difference of these people lies within: "
            f"{_first([ends(row) for row in bounds], unit=' points')}{more}."
        )
    return said


def _plural(word: str) -> str:
    return word if word.endswith("s") else f"{word}s"


def _power(rows: Estimates) -> str:
    found = rows.only(role="power", term="below", status="ok")
    if not found:
        return ""
    sizes = _first([f"{row.group} {number(100 * row.estimate, 1)}" for row in found])
    return f"Smallest difference that would be detected with power 0.8, in points: {sizes}."
