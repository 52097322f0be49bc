"""How many components: parallel analysis, and cross-validated error with a method's condition and without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from fairstats.data.centered import centered
from fairstats.data.design import Design
from fairstats.data.tables import Tabular
from fairstats.document import Block, Bullets, Heading, Paragraph, Table, Title
from fairstats.errors import Call, InputError, InputTypeError, Setting, nearest, with_hint
from fairstats.estimates import Estimate, Estimates, Worded
from fairstats.inference.means import LossSample
from fairstats.inference.representations.fit_studies import ROUNDING, about_origin, filled, weighted_method
from fairstats.language import DataText, joined, message
from fairstats.methods.arguments import most_components
from fairstats.methods.crossfit import counted_folds
from fairstats.methods.registry import METHODS
from fairstats.methods.registry import method as row_of
from fairstats.methods.results import Projection
from fairstats.provenance import DataSource, Provenance, recorded
from fairstats.text import compact, percent
from fairstats.validation import (
    ELSEWHERE,
    MOST_PERMUTATIONS,
    Missing,
    answering,
    confidence,
    flag,
    one_of,
    random_seed,
    shown,
    whole,
    word,
)

if TYPE_CHECKING:
    import pandas as pd


# The result of choosing a number of components, and its text.


ERROR, NUMBER, SIZE, CHANCE = "cross-validated error", "number of components", "component", "component by chance"
Rule = Literal["least error", "fewest within one standard error", "parallel analysis"]
RULES: tuple[Any, Any, Any] = (
    message("least error"),
    message("fewest within one standard error"),
    message("parallel analysis"),
)
LEAST, FEWEST, PARALLEL = RULES


WHICH = (
    "The rules differ. k is that of the least error; the fewest within one standard error is for who wants fewer "
    "components at about that error; parallel analysis asks which components are larger than chance, and can miss weak "
    "ones after a strong one."
)
OF_A_MODEL = "For a model, choose k by the model's own cross-validated score, as a grid search does."
SHRINKING = message(
    "Least squares does not draw predictions toward the means; a model that does, such as probabilistic PCA or factor "
    "analysis, may predict better than they do."
)
APART = 3  # the largest standard deviation over the smallest, from which a word on scale is said
SCALES = message(
    "The standard deviations of the features go from {low} ({least}) to {high} ({most}), and errors are in their "
    "units: the largest decide. {setting} divides each feature by its own.",
)
DEPENDENT = message(
    "Of {p} features {n} can be computed from the others ({features}), as columns of 0 and 1 that add up to 1. "
    "Entries of a person are then computed from the others, whatever the components: that alone decides k, and "
    "fewer components can have huge errors. Leave one level of each column out, as a formula with the column's name "
    "does."
)
NAMED = 6  # features that a note names
SURELY = 1e-9  # of a feature's length: less is left of it by the features before it where they determine it


@dataclass(frozen=True, repr=False)
class ComponentSelection(Worded):
    """How many components the data support, with a method's condition and without it.

    Attributes
    ----------
    method : str
    n, p : int
        Rows and features.
    max_k : int
        The largest number that was tried.
    folds, permutations, seed : int
    estimates : Estimates
        The numbers chosen; the cross-validated error of each number; each component's size, and by chance.
    notes : tuple of str
        What to know of the features before a number is taken.
    data : tuple of DataSource
    provenance : Provenance, optional
        The call and the versions.
    """

    method: str
    n: int
    p: int
    max_k: int
    folds: int
    permutations: int
    seed: int
    estimates: Estimates
    notes: tuple[str, ...] = ()
    data: tuple[DataSource, ...] = ()
    provenance: Provenance | None = field(default=None, compare=False)

    @property
    def k(self) -> int:
        """The number of components, fewer than features, of the method with the least cross-validated error.

        It is a number even where none predicts better than the means.
        """
        return self.chosen(self.method, LEAST)

    def chosen(self, fit: str, rule: Rule) -> int:
        """Return the number that a rule chooses for the method, or for ``"pca"``."""
        one_of("rule", rule, get_args(Rule))
        if word("fit", fit) not in self.fits:
            raise InputError("fit", f"has {shown(fit)}; this choice is of {' and '.join(self.fits)}; name one of them.")
        return int(self.estimates.where(metric=NUMBER, fit=fit, estimator=rule)[0].estimate)

    @property
    def fits(self) -> tuple[str, ...]:
        """The method, and principal components beside it."""
        return tuple(dict.fromkeys((self.method, "pca")))

    def _content(self) -> Iterator[Block]:
        """The numbers that each rule chooses, and the errors that they rest on."""
        yield Title(1, f"Number of components of {self.method}, 1 to {self.max_k} tried")
        yield Paragraph(f"{self.n} rows, {self.p} features, {self.folds} folds, seed {self.seed}")
        chosen = self.estimates.only(metric=NUMBER)
        yield from map(Paragraph, self._recommended())
        rules = [rule for rule in RULES if chosen.only(estimator=rule)]
        rows = tuple((rule, *(self._number(name, rule) for name in self.fits)) for rule in rules)
        yield Table("", (Heading("rule", kind="text"), *map(Heading, self.fits)), rows)
        yield Bullets(tuple(f"{row.fit}, {row.estimator}: {row.reason}" for row in chosen if row.reason))
        if self._helps(self.method) and len({self.chosen(self.method, rule) for rule in rules}) > 1:
            yield Paragraph(WHICH)
        yield from map(Paragraph, self.notes)
        errors = tuple((str(j), *map(self._error, self.fits, [float(j)] * 2)) for j in range(1, self.max_k + 1))
        caption = "Cross-validated error, and the share of the variation that it leaves"
        yield Table(caption, tuple(map(Heading, ("k", *self.fits))), errors)
        if self._as_many():
            yield Paragraph("With as many components as features nothing is left to predict, so that k is less.")
        worst = max(row.estimate for row in self.estimates.only(metric=ERROR))
        if worst > self.estimates.where(metric=ERROR, fit="pca", k=0.0)[0].estimate:
            yield Paragraph("Above 100% the components predict entries worse than the means of the features do.")
        yield Paragraph(
            "Each entry of a held-out row is predicted from the row's other entries, so that more components do not "
            "win by themselves."
        )

    def _recommended(self) -> Iterator[str]:
        """The number to take and why, or that none can be recommended, and what else there is to choose it by."""
        (row,) = self.estimates.where(metric=ERROR, fit=self.method, k=float(self.k))
        of, error = f"numbers below {self.p}" if self._as_many() else "numbers tried", self._share(row.estimate)
        if self._helps(self.method):
            yield f"Take k = {self.k}: of the {of} it has the least error {error} in entries of people not fitted."
            yield f"That is to describe the features. {OF_A_MODEL} It often wants more."
            return
        yield (
            f"No number of components can be recommended: k = {self.k} has the least error of the {of}, but more than "
            "the means alone."
        )
        yield SHRINKING
        above = [int(row.estimate) for row in self.estimates.only(metric=NUMBER, fit=self.method, estimator=PARALLEL)]
        if above and above[0]:
            yield f"To describe the data: parallel analysis finds components larger than chance up to k = {above[0]}."
        yield OF_A_MODEL

    def _as_many(self) -> bool:
        """Whether as many components as features were tried, which is no choice."""
        return self.max_k >= self.p > 1

    def _helps(self, name: str) -> bool:
        """Whether some number of components predicts better than the means, with which the errors begin."""
        none, *errors = (row.estimate for row in self.estimates.only(metric=ERROR, fit=name))
        return errors[self.chosen(name, LEAST) - 1] < none

    def _number(self, name: str, rule: Rule) -> str:
        return str(self.chosen(name, rule)) if rule == PARALLEL or self._helps(name) else "none"

    def _error(self, name: str, k: float) -> str:
        (row,) = self.estimates.where(metric=ERROR, fit=name, k=k)
        return f"{compact(row.estimate, 5)} {self._share(row.estimate)}".rstrip()

    def _share(self, error: float) -> str:
        total = self.estimates.where(metric=ERROR, fit="pca", k=0.0)[0].estimate
        if error > MANY * total > 0:
            return f"({compact(error / total)} times)"
        return f"({percent(error / total)}%)" if total > 0 else ""

    def _brief(self) -> str:
        least = f"k = {self.k} has the least cross-validated error" + (
            f" below k = {self.p}" if self._as_many() else ""
        )
        least += "" if self._helps(self.method) else ", but more than the means alone"
        return f"{self.method}, {self.n} rows, {self.p} features; {least}"

    def glance(self) -> pd.DataFrame:
        """One row about the whole."""
        import pandas as pd

        row = {"method": self.method, "n": self.n, "p": self.p, "k": self.k, "max_k": self.max_k, "folds": self.folds}
        return pd.DataFrame([{**row, "permutations": self.permutations, "seed": self.seed}])

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready (schema ``fairstats/choice-of-k/1``)."""
        keep = ("method", "n", "p", "k", "max_k", "folds", "permutations", "seed")
        return {
            "schema": "fairstats/choice-of-k/1",
            **{name: getattr(self, name) for name in keep},
            "estimates": self.estimates.to_records(),
        }


Floats = NDArray[np.float64]
MANY = 10  # times the error without components: more is printed as such, and no share
MOST = 10  # components that are tried where nothing is said
CHANCE_LEVEL = 0.95  # of what chance makes of a component (Horn took the mean, which is exceeded every other time)
NO_REST = 1e-9  # of a feature that its own entry decides: nothing else predicts it


@answering
@recorded
def select_k(
    X: Any,
    groups: Any = None,
    method: str = "fair_pca",
    *,
    data: Tabular | None = None,
    weights: Any = None,
    missing: Missing = "raise",
    scale: bool = False,
    max_k: int | None = None,
    folds: int | Any = 5,
    permutations: int = 99,
    conf_level: float = 0.95,
    seed: int = 0,
    **settings: Any,
) -> ComponentSelection:
    """Find how many components the data support, by cross-validated error and parallel analysis, beside plain PCA.

    Parameters
    ----------
    X, groups, data, weights, missing, scale : as for ``fair_pca``
    method : str
        The public name of a method that makes linear components, such as "og" or "minimax_pca".
    max_k : int, optional
        The largest number to try; 10, or what the folds allow, by default.
    folds : int or labels (n,)
        Stratified by group.
    permutations : int
        Of each column by itself, for the parallel analysis; 0 leaves it out.
    conf_level : float
        Of the errors' intervals.
    seed : int
    **settings
        Further arguments of the method.

    Returns
    -------
    ComponentSelection
        ``k`` is the number with the least cross-validated error; ``plot()`` draws the errors.

    Raises
    ------
    InputError
        A method that makes no linear components, or that the rows of a fold do not allow.

    Notes
    -----
    *Cross-validation.* On new rows the error of a reconstruction falls with every component, since a row's own entries
    go into it. So each entry x_ij of a held-out row is predicted from the others: for a map x → xH, by the value that
    the map gives back when it is put in, which has the residual (x − xH)_ij/(1 − H_jj); for principal components (and
    sparse ones, in their span) that is least squares of the other entries on their loadings (Bro et al. 2008). Where an
    entry decides itself (H_jj = 1, as with k = p), nothing predicts it, and its error is its distance from the mean.
    Besides the least error the fewest components are reported whose error is within one standard error of it, that of
    the difference over people.

    *Parallel analysis.* A component counts where it, and all before it, are larger than in 95% of the data sets whose
    columns are permuted one by one, which keeps each feature's spread and cuts its ties with the others (Horn 1965;
    Buja & Eyuboglu 1992). The method is fitted to the permuted columns too, with the groups where they were. After a
    strong first component this is known to miss weaker ones, and for many weak ones cross-validation is the better
    guide.

    References
    ----------
    Bro, Kjeldahl, Smilde & Kiers (2008), Cross-validation of component models: a critical look at current methods,
    Analytical and Bioanalytical Chemistry 390, 1241-1251; Horn (1965), A rationale and test for the number of factors
    in factor analysis, Psychometrika 30, 179-185; Buja & Eyuboglu (1992), Remarks on parallel analysis, Multivariate
    Behavioral Research 27, 509-540.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> rng = np.random.default_rng(0)
    >>> g = np.repeat(["a", "b"], 100)
    >>> X = rng.standard_normal((200, 2)) @ rng.standard_normal((2, 8)) * 2 + rng.standard_normal((200, 8))
    >>> result = fs.select_k(X, g, "og", permutations=19)
    >>> result.k, result.chosen("pca", "parallel analysis")
    (2, 2)
    """
    named = row_of(word("method", method))
    if named.result != "projection":
        names = [name for name, row in METHODS.items() if row.result == "projection"]
        raise InputError("method", f"has {method!r}, which makes no linear components; use one of {', '.join(names)}.")
    present = set(signature(named.function).parameters)
    if "k" in settings:
        raise InputError(f"k is what {Call('select_k')} chooses; leave it out, or pass {Setting('max_k')}.")
    if wrong := [name for name in settings if name not in present - {"X", "groups"}]:
        own = signature(select_k).parameters
        ours = next((name for name in ELSEWHERE.get(wrong[0], ()) if name in own), "")
        if ours:
            raise InputTypeError(f"{wrong[0]} is called {ours} here: select_k(X, groups, {ours}={wrong[0]}).")
        hint = nearest(wrong[0], own) or nearest(wrong[0], present)
        raise InputError(with_hint(f"{wrong[0]} is no argument of {method}", hint, "" if hint else "leave it out."))
    if lacking := [name for name in named.needs if name not in settings]:
        raise InputError(f"{lacking[0]} is missing; {method} needs it; pass {lacking[0]}= to select_k.")
    permutations = whole("permutations", permutations, 0, MOST_PERMUTATIONS, "more would not change the choice")
    conf_level, seed, scale = confidence(conf_level), random_seed(seed), flag("scale", scale)
    if not isinstance(X, Design):
        current = not named.groups
        X = Design.of(X, groups, data=data, weights=weights, missing=missing, among_features=current)
    design = X
    if design.groups is None:
        raise InputError(
            "groups", "is missing; folds are stratified by them, and the method's condition is about them."
        )
    if scale:
        design = replace(design, spread=centered(design, scale=True).scaling.scale)
    design, fold = counted_folds(design, folds, seed)
    fits: dict[str, Mapping[str, Any]] = {method: {"scale": scale, **settings}, "pca": {"scale": scale}}
    allowed = min(
        most_components(row_of(name).function, design.take(fold != f), chosen)
        for name, chosen in fits.items()
        for f in np.unique(fold)
    )
    tried = min(MOST, allowed) if max_k is None else whole("max_k", max_k, 1, allowed, "components in every fold")
    rows: list[Estimate] = []
    curves: list[Estimate] = []
    for name, chosen in fits.items():
        errors = _errors(name, chosen, design, fold, tried)
        curves += _curve(name, errors, design, conf_level)
        rows += _fewest(name, errors[:, : design.p], design.weights)
    for name, chosen in fits.items() if permutations else ():
        sizes, chance = _parallel(name, chosen, design, tried, permutations, seed)
        rows.append(_counted(name, sizes, chance, design, permutations, seed))
        curves += _sizes(name, sizes, chance, design, permutations)
    return ComponentSelection(
        method=method,
        n=design.n,
        p=design.p,
        max_k=tried,
        folds=len(np.unique(fold)),
        permutations=permutations,
        seed=seed,
        estimates=Estimates([*rows, *curves]),
        notes=(*_dependent(design), *(() if scale else _scales(design))),
    )


def _scales(design: Design) -> tuple[str, ...]:
    """Say that features differ much in spread, where they do."""
    sd = centered(design, scale=True).scaling.scale
    assert sd is not None
    low, high = int(np.argmin(sd)), int(np.argmax(sd))
    if sd[high] < APART * sd[low]:
        return ()
    names = {"least": DataText(design.features[low]), "most": DataText(design.features[high])}
    setting = Setting("scale", True)
    return (SCALES.format(low=compact(sd[low]), high=compact(sd[high]), setting=setting, **names),)


def _dependent(design: Design) -> tuple[str, ...]:
    """Say that features are determined by others, where there are more rows than features and some are."""
    if design.n <= design.p:
        return ()
    X = design.X.toarray() if hasattr(design.X, "toarray") else np.asarray(design.X)
    rest = X - X.mean(axis=0)
    left = np.abs(np.diag(np.linalg.qr(rest, mode="r")))  # of each feature after those before it
    length = np.linalg.norm(rest, axis=0)
    names = [DataText(design.features[j]) for j in np.flatnonzero((left <= SURELY * length) & (length > 0))]
    if not names:
        return ()
    more = [message("{n} more", n=len(names) - NAMED)] if len(names) > NAMED else []
    return (DEPENDENT.format(n=len(names), p=design.p, features=joined([*names[:NAMED], *more], ", ")),)


def left_out(fit: Projection, design: Design) -> Floats:
    """Return the squared error (n,) of rows whose entries are predicted one by one from the others.

    In the units of the fit; what OG takes out for a row's group counts as error, as in its price.
    """
    rest = about_origin(fit, design)
    H = fit.weights @ fit.loadings.T
    if np.abs(H - H.T).max() > 1e-8:  # sparse loadings, which are not orthogonal: least squares on their span
        H = fit.loadings @ np.linalg.pinv(fit.loadings)
    free = 1 - np.diag(H)
    alone = free < NO_REST
    wrong = np.where(alone, rest, (rest - rest @ H) / np.where(alone, 1.0, free))
    if fit.coefficients is not None and fit.group_means is None:
        wrong = wrong + fit._encode(design, None, "raise", design.n) @ fit.coefficients @ fit.loadings.T
    return np.asarray(np.einsum("np,np->n", wrong, wrong))


def _errors(name: str, settings: Mapping[str, Any], design: Design, fold: Any, max_k: int) -> Floats:
    """Errors (n, 1 + most) of every row with 0, 1 ... components."""
    method, out = row_of(name).function, np.empty((design.n, 1 + max_k))
    for f in np.unique(fold):
        train, kept = design.take(fold != f), fold == f
        new = design.take(kept)
        for k in range(1, max_k + 1):
            fit = method(train, None, **settings, k=k)
            out[kept, k] = left_out(fit, new)
            if k == 1:
                out[kept, 0] = np.sum(about_origin(fit, new) ** 2, axis=1)
    return out


def _curve(name: str, errors: Floats, design: Design, conf_level: float) -> list[Estimate]:
    n = float(design.n if design.weights is None else design.weights.sum())
    rows = []
    for k, values in enumerate(errors.T):
        sample = LossSample.of(values, ROUNDING * float(errors.max()), design.weights)
        row = Estimate(ERROR, fit=name, k=float(k), n=n, estimate=sample.mean, role="component")
        row = filled(row, sample.mean, (sample,), conf_level, tested=False)
        row = row if design.weights is None else weighted_method(row)
        rows.append(replace(row, method=joined([message("entries of held-out rows, left out one by one"), row.method])))
    return rows


def _fewest(name: str, errors: Floats, weights: Floats | None) -> list[Estimate]:
    """The number with the least error, and the fewest whose error is within one standard error of it.

    Of errors (n, 1 + most) with 0, 1 ... components, but not with as many as features: nothing is left to predict.
    """
    none, *means = np.average(errors, axis=0, weights=weights)
    if not means:  # one feature: one component, with which nothing is predicted
        means, errors = [none], np.repeat(errors, 2, axis=1)
    errors, best = errors[:, 1:], int(np.argmin(means))
    enough = best
    for k in range(best):
        sample = LossSample.of(errors[:, k] - errors[:, best], 0.0, weights)
        if sample.mean <= np.sqrt(sample.variance / sample.n):
            enough = k
            break
    last = best + 1 == errors.shape[1] > 1
    reason = (
        message("by least squares no number of components predicts better than the means")
        if means[best] >= none
        else message("the error still falls at the largest number tried")
        if last
        else ""
    )
    about = Estimate(NUMBER, fit=name, n=float(len(errors)))
    return [
        replace(
            about, estimator=LEAST, estimate=best + 1.0, method=message("cross-validation by entries"), reason=reason
        ),
        replace(
            about, estimator=FEWEST, estimate=enough + 1.0, method=message("paired differences of people's errors")
        ),
    ]


def _parallel(
    name: str, settings: Mapping[str, Any], design: Design, max_k: int, permutations: int, seed: int
) -> tuple[Floats, Floats]:
    """Sizes (most,) of the components, and those of data whose columns were permuted (permutations, most)."""
    method, rng = row_of(name).function, np.random.default_rng(seed)
    X = design.X.toarray() if hasattr(design.X, "toarray") else np.asarray(design.X)
    chance = np.array(
        [
            _lengths(method(replace(design, X=rng.permuted(X, axis=0)), None, **settings, k=max_k), max_k)
            for _ in range(permutations)
        ]
    )
    return _lengths(method(design, None, **settings, k=max_k), max_k), chance


def _lengths(fit: Projection, max_k: int) -> Floats:
    """Variances (most,) of the components less what the groups explain of them, where that is taken out."""
    out = np.zeros(max_k)
    out[: fit.k] = fit.score_energy[:max_k] / fit.scaling.weight
    return out


def _counted(name: str, sizes: Floats, chance: Floats, design: Design, permutations: int, seed: int) -> Estimate:
    above = sizes > np.quantile(chance, CHANCE_LEVEL, axis=0)
    count = int(np.argmin(above)) if not above.all() else len(above)
    reason = (
        message("every number tried is above chance")
        if above.all()
        else message("no component is above chance")
        if not count
        else ""
    )
    how = message(
        "{n} permutations of each column, {m}% of them, seed {k}", n=permutations, m=f"{100 * CHANCE_LEVEL:g}", k=seed
    )
    return Estimate(
        NUMBER, fit=name, estimator=PARALLEL, n=float(design.n), estimate=float(count), method=how, reason=reason
    )


def _sizes(name: str, sizes: Floats, chance: Floats, design: Design, permutations: int) -> list[Estimate]:
    limit = np.quantile(chance, CHANCE_LEVEL, axis=0)
    about = Estimate(SIZE, fit=name, n=float(design.n), role="component")
    rows = []
    for j, (current, other) in enumerate(zip(sizes, limit, strict=True)):
        p = (1 + int(np.sum(chance[:, j] >= current))) / (1 + permutations)
        rows.append(
            replace(
                about, k=j + 1.0, estimate=float(current), p_value=p, method=message("variance; p of permuted columns")
            )
        )
        result = replace(about, metric=CHANCE, k=j + 1.0, estimate=float(other))
        rows.append(replace(result, method=message("{m}% of those of permuted columns", m=f"{100 * CHANCE_LEVEL:g}")))
    return rows
