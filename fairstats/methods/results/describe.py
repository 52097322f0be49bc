"""The tidy rows, the one-row glance and the text summary of a projection."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from fairstats.estimates import Estimate, Estimates
from fairstats.methods.results.checking import failures
from fairstats.text import count, number, significant, tiny

if TYPE_CHECKING:
    import pandas as pd

    from fairstats.data.encoding import Encoding
    from fairstats.methods.results.component_fit import ComponentFit
    from fairstats.methods.results.fit_parts import GroupPrice
    from fairstats.methods.results.guarantee import Guarantee

WIDTH = 80


def f_test(share: np.ndarray, q: int, n: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the F statistic and p-value of R² from q regressors and an intercept, n rows."""
    rest = n - 1 - q
    with np.errstate(divide="ignore", invalid="ignore"):
        F = (share / q) / ((1 - share) / rest) if rest > 0 else np.full_like(share, np.nan)
    return F, special.fdtrc(q, rest, F) if rest > 0 else np.full_like(share, np.nan)


def _whole(fit: ComponentFit) -> float:
    """Return the total that shares are fractions of, or 1 where nothing varies, so that all shares are 0."""
    return fit.total or 1.0


def tidy_rows(fit: ComponentFit) -> Estimates:
    """Return the rows of ``Projection.estimates``."""
    rows = []
    attribute = "" if fit.encoding is None else ", ".join((*fit.encoding.names, *fit.encoding.continuous_names))
    q = 0 if fit.encoding is None else len(fit.encoding.kept)
    blind = fit.diagnostics.get("blind_to_groups", False) and not fit.scaling.weighted
    F, p = f_test(fit.group_share, q, fit.scaling.n) if q else (np.full(fit.k, np.nan),) * 2
    for j in range(fit.k):
        term = f"component {j + 1}"
        rows.append(
            Estimate(
                "variance share",
                term=term,
                role="component",
                n=fit.scaling.n,
                events=float(fit.energy[j]),
                estimate=float(fit.energy[j] / _whole(fit)),
                method="squared length over total",
            )
        )
        if np.isfinite(fit.group_share[j]):
            rows.append(
                Estimate(
                    "R2",
                    attribute=attribute,
                    term=term,
                    role="component",
                    n=fit.scaling.n,
                    estimate=float(fit.group_share[j]),
                    events=float(fit.energy[j] * fit.group_share[j]),
                    df=float(q),
                    statistic=float(F[j]) if blind else np.nan,
                    p_value=float(p[j]) if blind else np.nan,
                    method="regression of the component on the groups, F-test"
                    if blind
                    else "regression of the component on the groups (descriptive)",
                )
            )
    rows.append(
        Estimate(
            "extra error",
            attribute=attribute,
            role="price",
            n=fit.scaling.n,
            events=fit.extra_error,
            estimate=fit.extra_error / _whole(fit),
            method="share of the total sum of squares, against PCA",
        )
    )
    return Estimates([*rows, *guarantee_rows(fit.guarantees, fit.scaling.n)])


def guarantee_rows(guarantees: Sequence[Guarantee], n: float) -> list[Estimate]:
    """Return each promise with the number that checks it; the reason says where it does not hold."""
    return [
        Estimate(
            "guarantee",
            term=g.statement,
            role="guarantee",
            n=n,
            estimate=g.value,
            method=f"at most {tiny(g.tolerance, 0)}",
            reason="" if g.holds else "does not hold",
        )
        for g in guarantees
    ]


def glance_row(fit: ComponentFit) -> pd.DataFrame:
    """Return the row of ``Projection.glance``."""
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "method": fit.method,
                "n": fit.scaling.n,
                "p": len(fit.features),
                "k": fit.k,
                "total": fit.total,
                "error": fit.error,
                "pca_error": fit.pca_error,
                "extra_error": fit.extra_error,
                "explained": 1 - fit.error / _whole(fit),
                "guarantees_hold": all(g.holds for g in fit.guarantees),
            }
        ]
    )


def summarize(fit: ComponentFit, by_group: Sequence[GroupPrice] | None = None) -> str:
    """Return the text of ``summary``; ``by_group`` is what each group loses, None where nothing is reconstructed."""
    scaled = "centered and scaled" if fit.scaling.scale is not None else "centered"
    lines = [fit.title, f"{fit.scaling.n} rows, {len(fit.features)} features ({scaled}), {fit.k} components"]
    lines += failure_lines(fit.guarantees)
    lines += [
        *group_lines(fit.encoding),
        "",
        *_components(fit),
        "",
        *_price(fit, by_group),
        *guarantee_lines(fit.guarantees),
    ]
    for note in fit.notes:
        lines += ["", *textwrap.wrap(note, WIDTH)]
    return "\n".join(lines)


def brief(fit: Any) -> str:
    """Return the short form of any fit: its sizes, its groups, what it costs, and whether its guarantees hold."""
    names = () if fit.encoding is None else (*fit.encoding.names, *fit.encoding.continuous_names)
    said = [f"{fit.scaling.n} rows", f"{len(fit.features)} features"]
    said += [f"{fit.k} components"] if hasattr(fit, "k") else []
    said += [f"groups {', '.join(names)}"] if names else []
    failing, count = failures(fit.guarantees), len(fit.guarantees)
    held = f"does not hold: {failing[0]}" if failing else f"{count} guarantee{'s hold' if count != 1 else ' holds'}"
    lost = fit.extra_error if hasattr(fit, "extra_error") else fit.error
    price = f"extra error {number(100 * lost / fit.total, 2)} %" if fit.total > 0 else "nothing to explain"
    return f"{fit.method}, {', '.join(said)}; {f'{held}; ' if fit.guarantees else ''}{price}"


def group_lines(encoding: Encoding | None) -> list[str]:
    """Return the attributes of a fit with their levels."""
    if encoding is None:
        return []
    every = [f"{a} ({', '.join(lv)})" for a, lv in zip(encoding.names, encoding.levels, strict=True)]
    every += [f"{c} (continuous)" for c in encoding.continuous_names]
    return textwrap.wrap("Groups: " + "; ".join(every), WIDTH, subsequent_indent="  ")


def failure_lines(guarantees: Sequence[Guarantee]) -> list[str]:
    """Return the lines about guarantees that do not hold, which stand first in a summary."""
    failing = [f"DOES NOT HOLD: {text}" for text in failures(guarantees)]
    return [line for text in failing for line in textwrap.wrap(text, WIDTH, subsequent_indent="  ")]


def guarantee_lines(guarantees: Sequence[Guarantee]) -> list[str]:
    """Return each guarantee with its number, under a heading; nothing where there is none."""
    lines = ["", "Guarantees, checked on the data of the fit"] if guarantees else []
    for g in guarantees:
        judged = "holds" if g.holds else "DOES NOT HOLD"
        text = f"{g.statement}: {significant(g.value, 2)} (at most {tiny(g.tolerance, 0)}): {judged}"
        lines += textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")
    return lines


def _components(fit: ComponentFit, most: int = 10) -> list[str]:
    with_groups = bool(np.isfinite(fit.group_share).any())
    q = 0 if fit.encoding is None else len(fit.encoding.kept)
    blind = with_groups and fit.diagnostics.get("blind_to_groups", False) and not fit.scaling.weighted
    named = "Principal components before the adjustment" if blind else "Components"
    lines = [
        f"{named}{', and what the groups explain of them' * with_groups}",
        "component   sum of squares   % of total"
        + ("   % explained by groups" if with_groups else "")
        + ("        p" if blind else ""),
    ]
    p = f_test(fit.group_share, q, fit.scaling.n)[1] if blind else None
    for j in range(min(fit.k, most)):
        line = f"{j + 1:>9}   {significant(fit.energy[j], 6):>14}   {number(100 * fit.energy[j] / _whole(fit), 2):>10}"
        if with_groups:
            line += f"   {number(100 * fit.group_share[j], 2):>21}"
        if p is not None:
            line += f"   {number(p[j], 3):>6}" if p[j] >= 0.001 else "   <0.001"
        lines.append(line)
    if fit.k > most:
        lines.append(f"  ... and {fit.k - most} more; all in tidy()")
    return lines


def _price(fit: ComponentFit, by_group: Sequence[GroupPrice] | None) -> list[str]:
    pct = 100 / _whole(fit)
    extra = significant(fit.extra_error, 6)
    lines = [
        "Price (shares of the total sum of squares)",
        f"  explained by PCA of the same k   {number(100 - fit.pca_error * pct, 2):>8} %",
        f"  explained by this fit            {number(100 - fit.error * pct, 2):>8} %",
        f"  extra error                      {number(fit.extra_error * pct, 2):>8} %   ({extra})",
    ]
    other = fit.diagnostics.get("other_basis")
    if other is not None:
        lines.append(f"  extra error, {other[0]:<19} {number(other[1] * pct, 2):>8} %   ({significant(other[1], 6)})")
    return lines if by_group is None else lines + _price_by_group(fit, by_group)


def _price_by_group(fit: ComponentFit, price: Sequence[GroupPrice], most: int = 12) -> list[str]:
    if not price:
        return ["  by group: group_losses() of the fit and its rows"] if fit.encoding is not None else []
    lines = ["", "Mean squared error by group              n     PCA of the same k     this fit"]
    for row in price[:most]:
        name = f"{row.attribute}={row.level}"
        lines.append(
            f"  {name[:30]:<30} {count(row.n):>9} {significant(row.pca_error, 5):>21} {significant(row.error, 5):>12}"
        )
    if len(price) > most:
        lines.append(f"  ... and {len(price) - most} more")
    return lines
