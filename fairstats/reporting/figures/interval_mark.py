"""One difference with its interval as a mark on an axis that all lines of a table share, small enough for a cell."""

from __future__ import annotations

import html

from fairstats.language import say
from fairstats.reporting.figures import style

WIDTH, HEIGHT = 42.0, 5.0  # mm
RADIUS = 1.15


def interval_mark(
    name: str, estimate: float, low: float, high: float, reach: float, verdict: str, margin: float | None = None
) -> style.Drawing:
    """Draw a difference: filled where a disparity is shown, a diamond where equivalence is, open where neither is.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    estimate, low, high : float
        The difference and its interval.
    reach : float
        The axis runs from -reach to reach.
    verdict : str
        Its verdict.
    margin : float, optional
        Declared margin of practical equality, drawn as a band.

    Returns
    -------
    Drawing
        42 mm wide; what it draws stands beside it in the table.

    Examples
    --------
    >>> interval_mark("m", -0.1, -0.2, -0.05, 0.3, "disparity shown").alt
    'Less often: the interval lies left of no difference.'
    """

    def at(value: float) -> float:
        return round((0.5 + 0.48 * max(-1.0, min(1.0, value / reach))) * WIDTH, 2)

    middle, x = HEIGHT / 2, at(estimate)
    parts = []
    if margin is not None:
        wide = round(at(margin) - at(-margin), 2)
        parts.append(f'<rect x="{at(-margin)}" y="0" width="{wide}" height="{HEIGHT}" fill="{style.BAND}"/>')
    parts.append(f'<path d="M{at(0.0)} 0V{HEIGHT}" stroke="{style.INK}" stroke-width="0.25"/>')
    if low == low:  # Holm's steps have no interval
        parts.append(f'<path d="M{at(low)} {middle}H{at(high)}" stroke="{style.INK}" stroke-width="0.35"/>')
    fill = "#fff" if verdict == "inconclusive" else style.ACCENT
    pen = f'fill="{fill}" stroke="{style.ACCENT}" stroke-width="0.35"'
    if verdict == "equivalence shown":
        r = 1.25 * RADIUS
        corners = f"M{x - r:.2f} {middle}L{x} {middle - r:.2f}L{x + r:.2f} {middle}L{x} {middle + r:.2f}Z"
        parts.append(f'<path d="{corners}" {pen}/>')
    else:
        parts.append(f'<circle cx="{x}" cy="{middle}" r="{RADIUS}" {pen}/>')
    alt = say("The interval includes no difference.")
    if high < 0:
        alt = say("Less often: the interval lies left of no difference.")
    elif low > 0:
        alt = say("More often: the interval lies right of no difference.")
    frame = f'<svg viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-labelledby="{name}-title {name}-desc">'
    title = say("The difference as a mark.")
    label = f'<title id="{name}-title">{title}</title><desc id="{name}-desc">{html.escape(alt)}</desc>'
    return style.Drawing(name, f"{frame}{label}{''.join(parts)}</svg>", title, alt, WIDTH)
