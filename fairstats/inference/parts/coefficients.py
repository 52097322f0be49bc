"""Oaxaca and Blinder's decomposition of a gap of means, and Yun's of a gap of decisions, with errors of every part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.inference.parts.models import FEWEST_FREE, GapFit, fitted, freedom, predicted
from fairstats.inference.parts.units import Floats, Pair, Spread, derivatives, spread_of
from fairstats.language import message

Numbers = NDArray[Any]  # real, or complex where derivatives are taken

GAP, EXPLAINED, UNEXPLAINED, INTERACTION = "gap", "explained", "unexplained", "interaction"
ENDOWMENTS, COEFFICIENTS = "endowments", "coefficients"
CONSTANT = "(constant)"
# How slopes for the explained part are chosen; a number is the weight of the reference's.
FORMS = ("pooled_with_group", "reference", "group", "average", "share", "pooled")
WEIGHTS = {"reference": 1.0, "group": 0.0, "average": 0.5}
FEW = message("the {side} has fewer than 10 people a column: its own slopes are uncertain")
RESTING = message(
    "what the slopes of the {side} say of the others rests on few people, such as those of one level: no error is known"
)
FEWEST = 10  # people a column, below which a group has no slopes of its own by default
SIDES = (message("group"), message("reference group"))


@dataclass(frozen=True)
class GapTerm:
    """A variable of the regression.

    columns: its columns of the design without the intercept.
    levels: how many levels its factor has, 0 where it is no factor that stands alone.
    """

    name: str
    columns: tuple[int, ...]
    levels: int = 0


@dataclass(frozen=True)
class GapPart:
    """One part of the gap, or of a variable's share in it (``term`` is "" for the whole).

    skewness: of the estimate, which its limits allow for.
    """

    component: str
    term: str
    form: str
    estimate: float
    std_error: float = float("nan")
    df: float = float("nan")
    reason: str = ""
    skewness: float = 0.0


@dataclass(frozen=True, eq=False)
class Decomposed:
    """Parts in order, and why what is unexplained is not divided by variable, which takes slopes of each group.

    few: whether the group and the reference have fewer than `FEWEST` people a column.
    why_undivided: why one of them has no slopes, "" where its people are too few.
    """

    parts: tuple[GapPart, ...]
    undivided: bool = False
    few: tuple[bool, bool] = (False, False)
    why_undivided: str = ""


@dataclass(frozen=True, eq=False)
class _Model:
    """Everything that the parts are functions of, as places in one vector."""

    pair: Pair
    link: str
    terms: Sequence[GapTerm]
    fits: Mapping[str, GapFit]
    by_group: bool  # each group has slopes of its own
    forms: Mapping[str, float | str]  # name -> weight of the reference's slopes, or the name of a regression
    places: Mapping[str, slice]

    def part(self, theta: Numbers, name: str) -> Numbers:
        return theta[self.places[name]]


def by_coefficients(
    pair: Pair,
    terms: Sequence[GapTerm],
    form: str | float,
    *,
    link: str = "identity",
    threefold: bool = False,
    separate: bool = True,
) -> Decomposed:
    """Decompose the gap of a group from its reference by regressions.

    pair: the people.
    terms: of the columns of ``pair.Z``.
    form: whose slopes the explained part takes: one of `FORMS`, or the weight of the reference's.
    link: "identity" (Oaxaca 1973, Blinder 1973) or "logit" (Yun 2004).
    threefold: endowments, coefficients and interaction, from the group's viewpoint.
    separate: whether what is not explained is given by variable too, which takes slopes of each group.
    Returns: the gap; the parts and their terms under the form; the parts under all other forms.
    Source: Jann (2008), Stata Journal 8, 453-479, whose errors have those of the covariates; Yun (2005), Economic
    Inquiry 43, 766-772, for factors; Yun (2004), Economics Letters 82, 275-280.
    """
    group, reference = pair.sides
    whole, k = slice(0, len(pair.y)), pair.Z.shape[1]
    fits = {
        "own group": fitted(link, group, pair.y, pair),
        "own reference": fitted(link, reference, pair.y, pair),
        "pooled": fitted(link, whole, pair.y, pair),
        "pooled_with_group": fitted(link, whole, pair.y, pair, with_group=True),
    }
    few = [rows.stop - rows.start < FEWEST * (k + 1) for rows in pair.sides]
    free = _free(pair, fits) if link == "identity" else [np.inf, np.inf]
    resting = [RESTING.format(side=s) if d < FEWEST_FREE else "" for s, d in zip(SIDES, free, strict=True)]
    own = [fits["own group"].reason or resting[0], fits["own reference"].reason or resting[1]]
    by_group = separate and not any(few) and not any(own)
    share = float(pair.weights[reference].sum() / pair.weights.sum())
    weight = {**WEIGHTS, "share": share}
    chosen = form if isinstance(form, str) else f"{form:g}"
    forms: dict[str, float | str] = {
        name: weight.get(name, name) for name in dict.fromkeys((chosen, *FORMS)) if name in FORMS
    }
    forms = {**({} if chosen in FORMS else {chosen: float(form)}), **forms}
    without = {name: _absent(name, value, fits) for name, value in forms.items()}
    possible = {name: value for name, value in forms.items() if not without[name]}
    model = _laid_out(pair, link, terms, fits, by_group, possible)
    theta, spread = _estimated(model)
    wanted = _outputs(model, chosen, threefold)
    values = _parts(model, theta, wanted).real
    errors, df = spread.of(derivatives(lambda at: _parts(model, at, wanted), theta))
    errors, skewness = _of_products(model, theta, spread, wanted, errors)
    sides = {name: _sides(value) for name, value in {**forms, "threefold": 0.5}.items()}  # whose slopes they take
    parts = []
    for (c, t, f), v, s, d, skew in zip(wanted, values, errors, df, skewness, strict=True):
        own_sides = sides.get(f, [])
        least = min((free[i] for i in own_sides), default=np.inf)
        reasons = [*(resting[i] for i in own_sides), *(FEW.format(side=SIDES[i]) for i in own_sides if few[i])]
        error, d = (float(s), min(float(d), least)) if least >= FEWEST_FREE else (np.nan, np.nan)
        parts.append(GapPart(c, t, f, float(v), error, d, next(filter(None, reasons), ""), float(skew)))
    if threefold:
        parts = [_threefold(part, fits) if part.form == "threefold" else part for part in parts]
    parts += [
        GapPart(component, "", name, float("nan"), reason=reason)
        for name, reason in without.items()
        if reason
        for component in (EXPLAINED, UNEXPLAINED)
    ]
    why = "" if any(few) else own[0] or own[1]
    return Decomposed(tuple(parts), separate and not by_group, (few[0], few[1]), why)


def _absent(name: str, value: float | str, fits: Mapping[str, GapFit]) -> str:
    """Why a form of coefficients has no numbers here, "" where it has."""
    needed = [value] if isinstance(value, str) else []
    if not isinstance(value, str):
        needed = [*(["own reference"] if value != 0 else []), *(["own group"] if value != 1 else [])]
    return next((fits[need].reason for need in needed if fits[need].reason), "")


def _free(pair: Pair, fits: Mapping[str, GapFit]) -> list[float]:
    """The degrees of freedom of what the slopes of the group, and of the reference, say of the other's people."""
    out = []
    for rows, other, name in zip(pair.sides, pair.sides[::-1], ("own group", "own reference"), strict=True):
        at = pair.weights[other] @ pair.common[other] / pair.weights[other].sum()  # np.average copies the columns
        out.append(np.inf if fits[name].reason else freedom(pair, rows, fits[name], at))
    return out


def _sides(value: float | str) -> list[int]:
    """Whose own slopes a form takes, by the weight of the reference's: 0 the group's, 1 the reference's."""
    return [] if isinstance(value, str) else [side for side, weight in enumerate((1 - value, value)) if weight != 0]


def _threefold(part: GapPart, fits: Mapping[str, GapFit]) -> GapPart:
    reason = fits["own group"].reason or fits["own reference"].reason
    return GapPart(part.component, part.term, part.form, float("nan"), reason=reason) if reason else part


def _laid_out(
    pair: Pair,
    link: str,
    terms: Sequence[GapTerm],
    fits: Mapping[str, GapFit],
    by_group: bool,
    forms: Mapping[str, float | str],
) -> _Model:
    k = pair.Z.shape[1]
    widths = {"y group": 1, "y reference": 1, "z group": k, "z reference": k}
    widths |= {name: len(fit.coefficients) for name, fit in fits.items() if not fit.reason}
    if link == "logit":
        widths |= {f"p {form} {side}": 1 for form in _evaluated(forms, fits) for side in ("group", "reference")}
    ends = np.cumsum(list(widths.values()))
    places = {name: slice(int(end) - width, int(end)) for (name, width), end in zip(widths.items(), ends, strict=True)}
    return _Model(pair, link, terms, fits, by_group, forms, places)


def _evaluated(forms: Mapping[str, float | str], fits: Mapping[str, GapFit]) -> dict[str, float | str]:
    """The coefficients whose mean predictions are needed in both groups."""
    by_group = not fits["own group"].reason and not fits["own reference"].reason
    return {**forms, **({"reference": 1.0, "group": 0.0} if by_group else {})}


def _slopes(model: _Model, theta: Numbers, value: float | str) -> Numbers:
    """Intercept and slopes of a form; of a regression with the group's column, the intercept is the reference's."""
    if isinstance(value, str):
        return model.part(theta, value)[: 1 + model.pair.Z.shape[1]]
    if value == 1:
        return model.part(theta, "own reference")
    if value == 0:
        return model.part(theta, "own group")
    return value * model.part(theta, "own reference") + (1 - value) * model.part(theta, "own group")


def _estimated(model: _Model) -> tuple[Floats, Spread]:
    """The vector of estimates, and the covariance that the people give it."""
    pair, places = model.pair, model.places
    width = max(place.stop for place in places.values())
    theta = np.zeros(width)
    totals = [float(pair.weights[rows].sum()) for rows in pair.sides]
    for side, rows in zip(("group", "reference"), pair.sides, strict=True):
        share = pair.weights[rows] / pair.weights[rows].sum()
        theta[places[f"y {side}"]] = share @ pair.y[rows]
        theta[places[f"z {side}"]] = share @ pair.Z[rows]
    fits = {name: fit for name, fit in model.fits.items() if not fit.reason}
    for name, fit in fits.items():
        theta[places[name]] = fit.coefficients
    moved: dict[str, Floats] = {}  # derivative of a mean prediction by its coefficients
    evaluated = _evaluated(model.forms, model.fits) if model.link == "logit" else {}
    for form, value in evaluated.items():
        slopes = _slopes(model, theta, value)
        for side, rows in zip(("group", "reference"), pair.sides, strict=True):
            X, share = pair.common[rows], pair.weights[rows] / pair.weights[rows].sum()
            p, v = predicted(model.link, X @ slopes)
            name = f"p {form} {side}"
            theta[places[name]] = share @ p
            moved[name] = (share * v) @ X
    unit = _unit_weights(pair)
    first = {"own group": pair.start}
    used = [
        {name: fit for name, fit in fits.items() if not (name.startswith("own") and name != f"own {side}")}
        for side in ("group", "reference")
    ]

    def raw(block: slice, side: int) -> Floats:
        X, w = pair.design[block], pair.weights[block]
        named = ("group", "reference")[side]
        jack = w / np.sqrt(totals[side] * (totals[side] - unit[block]))
        columns = [
            (jack * (pair.y[block] - theta[places[f"y {named}"]]))[:, None],
            jack[:, None] * (X[:, 1:-1] - theta[places[f"z {named}"]]),
        ]
        for name, fit in used[side].items():
            start = first.get(name, 0)
            residuals = fit.residuals[block.start - start : block.stop - start]
            columns.append(X[:, : len(fit.coefficients)] * (w * residuals)[:, None])
        for form, value in evaluated.items():
            p = predicted(model.link, X[:, :-1] @ _slopes(model, theta, value))[0]
            columns.append((jack * (p - theta[places[f"p {form} {named}"]]))[:, None])
        return np.concatenate(columns, axis=1)

    maps = []
    for place_of, named in enumerate(("group", "reference")):
        means = [_unit_rows(places[name], width) for name in (f"y {named}", f"z {named}")]
        steps = [fit.bread @ _unit_rows(places[name], width) for name, fit in used[place_of].items()]
        for form, value in evaluated.items():
            selector = _selector(model, value, width)
            for step in steps:
                for other in ("group", "reference"):
                    place = places[f"p {form} {other}"]
                    step[:, place] += (step @ selector @ moved[f"p {form} {other}"])[:, None]
        direct = [_unit_rows(places[f"p {form} {named}"], width) for form in evaluated]
        maps.append(np.concatenate([*means, *steps, *direct]))
    return theta, spread_of(pair, raw, (maps[0], maps[1]), 1 + pair.Z.shape[1] if model.by_group else 1)


def _unit_rows(place: slice, width: int) -> Floats:
    return np.eye(width)[place]


def _selector(model: _Model, value: float | str, width: int) -> Floats:
    """The matrix that takes the coefficients of a form out of the vector of estimates."""
    columns = 1 + model.pair.Z.shape[1]
    out = np.zeros((width, columns))
    parts = [(value, 1.0)] if isinstance(value, str) else [("own reference", value), ("own group", 1 - value)]
    for name, weight in parts:
        if weight:
            start = model.places[str(name)].start
            out[start : start + columns] = weight * np.eye(columns)
    return out


def _unit_weights(pair: Pair) -> Floats:
    """The weight that is left out with each person: the person's, or that of the cluster in the same group."""
    if pair.clusters is None:
        out = pair.weights.copy()
        for rows in pair.sides:
            if rows.stop - rows.start == 1:
                out[rows] = 0.0
        return out
    out = np.empty(len(pair.y))
    for rows in pair.sides:
        sums = np.bincount(pair.clusters[rows], pair.weights[rows])
        one = np.count_nonzero(sums) == 1
        out[rows] = 0.0 if one else sums[pair.clusters[rows]]
    return out


Output = tuple[str, str, str]


def _outputs(model: _Model, chosen: str, threefold: bool) -> list[Output]:
    names = [term.name for term in model.terms]
    out: list[Output] = [(GAP, "", "")]
    if threefold:
        if not model.fits["own group"].reason and not model.fits["own reference"].reason:
            for component in (ENDOWMENTS, COEFFICIENTS, INTERACTION):
                shown = ["", *names, *([CONSTANT] if component == COEFFICIENTS else [])]
                out += [(component, term, "threefold") for term in shown]
        else:
            out += [(c, "", "threefold") for c in (ENDOWMENTS, COEFFICIENTS, INTERACTION)]
    for form in model.forms:
        terms = names if form == chosen else []
        out += [(EXPLAINED, t, form) for t in ("", *terms)]
        priced = [*terms, CONSTANT] if terms and model.by_group else []
        out += [(UNEXPLAINED, t, form) for t in ("", *priced)]
    return out


def _parts(model: _Model, theta: Numbers, wanted: Sequence[Output]) -> Numbers:
    """The parts of the gap as functions of the estimates."""
    gap = (model.part(theta, "y group") - model.part(theta, "y reference"))[0]
    values: dict[Output, object] = {(GAP, "", ""): gap}
    for form, value in model.forms.items():
        values |= _twofold(model, theta, form, value, gap)
    if any(form == "threefold" for _, _, form in wanted):
        values |= _three(model, theta, gap)
    return np.array([values[output] for output in wanted])


def _of_products(
    model: _Model, theta: Floats, spread: Spread, wanted: Sequence[Output], errors: Floats
) -> tuple[Floats, Floats]:
    """Errors and skewness of the explained parts, each a difference of means times slopes.

    Where both factors are uncertain, the product's variance has that of both together, and it is skewed.
    Source: Goodman (1960), JASA 55, 708-713; MacKinnon, Lockwood & Williams (2004), Multivariate Behavioral Research
    39, 99-128, whose limits are those of the distribution of the product.
    """
    errors, skewness, width = errors.copy(), np.zeros(len(wanted)), len(theta)
    covariance = spread.of_group + spread.of_reference
    apart = _unit_rows(model.places["z group"], width) - _unit_rows(model.places["z reference"], width)
    columns = {term.name: list(term.columns) for term in model.terms} | {"": list(range(model.pair.Z.shape[1]))}
    for i, (component, name, form) in enumerate(wanted):
        if component != EXPLAINED or model.link != "identity":
            continue
        of_means = apart[columns[name]]
        of_slopes = _selector(model, model.forms[form], width).T[1:][columns[name]]
        means, slopes = of_means @ theta, of_slopes @ theta
        both = of_means @ covariance @ of_slopes.T
        for_means, for_slopes = (part @ covariance @ part.T for part in (of_means, of_slopes))
        errors[i] = np.sqrt(max(errors[i] ** 2 + np.sum(for_means * for_slopes) + np.sum(both * both.T), 0.0))
        if errors[i] > 0:
            third = 6 * (for_means @ slopes + both @ means) @ (both.T @ slopes + for_slopes @ means)
            skewness[i] = third / errors[i] ** 3
    return errors, skewness


def _twofold(model: _Model, theta: Numbers, form: str, value: float | str, gap: object) -> dict[Output, object]:
    star = _slopes(model, theta, value)
    z = [model.part(theta, f"z {side}") for side in ("group", "reference")]
    difference = (z[0] - z[1]) * star[1:]
    by_term = {term.name: difference[list(term.columns)].sum() for term in model.terms}
    whole = difference.sum()
    values: dict[Output, object] = {}
    total = whole
    if model.link == "logit":
        p = [model.part(theta, f"p {form} {side}")[0] for side in ("group", "reference")]
        total = p[0] - p[1]
        by_term = {name: total * part / whole for name, part in by_term.items()}
    values[EXPLAINED, "", form] = total
    values |= {(EXPLAINED, name, form): part for name, part in by_term.items()}
    values[UNEXPLAINED, "", form] = gap - total  # type: ignore[operator]
    if not model.by_group:
        return values
    by_group = [model.part(theta, f"own {side}") for side in ("group", "reference")]
    parts = _by_term(model, z[0], by_group[0] - star)
    less = _by_term(model, z[1], by_group[1] - star)
    unexplained = {name: parts[name] - less[name] for name in parts}
    rest = gap - total  # type: ignore[operator]
    if model.link == "logit":
        every = sum(unexplained.values())
        unexplained = {name: rest * part / every for name, part in unexplained.items()}
    values |= {(UNEXPLAINED, name, form): part for name, part in unexplained.items()}
    return values


def _by_term(model: _Model, z: Numbers, slopes: Numbers) -> dict[str, Numbers]:
    """x̄β of each variable and of the constant; the slopes of a factor's levels sum to nothing (Yun 2005)."""
    shift = model.pair.shift
    products = (z + shift) * slopes[1:]
    constant = slopes[0] - shift @ slopes[1:]
    out = {}
    for term in model.terms:
        columns = list(term.columns)
        part = products[columns].sum()
        if term.levels:
            level = (
                slopes[1:][columns] / np.where(model.pair.spread[columns] > 0, model.pair.spread[columns], 1)
            ).sum()
            part = part - level / term.levels
            constant = constant + level / term.levels
        out[term.name] = part
    return {**out, CONSTANT: constant}


def _three(model: _Model, theta: Numbers, gap: object) -> dict[Output, object]:
    """Endowments at the group's coefficients, coefficients at the group's endowments, and what they share."""
    if model.fits["own group"].reason or model.fits["own reference"].reason:
        return {(c, "", "threefold"): complex("nan") for c in (ENDOWMENTS, COEFFICIENTS, INTERACTION)}
    by_group = [model.part(theta, f"own {side}") for side in ("group", "reference")]
    z = [model.part(theta, f"z {side}") for side in ("group", "reference")]
    apart = z[0] - z[1]
    difference = by_group[0] - by_group[1]
    moved = {t.name: (apart * by_group[0][1:])[list(t.columns)].sum() for t in model.terms}
    priced = _by_term(model, z[0], difference)
    both = {t.name: -(apart * difference[1:])[list(t.columns)].sum() for t in model.terms}
    totals = [sum(moved.values()), sum(priced.values()), sum(both.values())]
    if model.link == "logit":
        p = {
            (form, side): model.part(theta, f"p {form} {side}")[0]
            for form in ("group", "reference")
            for side in ("group", "reference")
        }
        whole = [p["group", "group"] - p["group", "reference"], p["group", "group"] - p["reference", "group"]]
        whole.append(gap - whole[0] - whole[1])  # type: ignore[operator]
        for parts, old, new in zip((moved, priced, both), totals, whole, strict=True):
            parts.update({name: new * part / old for name, part in parts.items()})
        totals = whole
    values: dict[Output, object] = {}
    for component, total, parts in zip(
        (ENDOWMENTS, COEFFICIENTS, INTERACTION), totals, (moved, priced, both), strict=True
    ):
        values[component, "", "threefold"] = total
        values |= {(component, name, "threefold"): part for name, part in parts.items()}
    return values
