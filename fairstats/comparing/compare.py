"""``compare()``: what a model predicts for people held out, from data adjusted in several ways."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from fairstats.comparing.methods import chosen_methods, models, most_allowed
from fairstats.comparing.plan import (
    TRAIN_ON,
    Panel,
    People,
    Plan,
    SplitRows,
    TrainOn,
    given_splits,
    holdout_counts,
    people,
    variants,
)
from fairstats.comparing.result import Comparison, ComparisonProtocol, SplitValues, Term, cautions
from fairstats.comparing.rows import Splits, curves, estimates, first_of, joint_shares, study_values
from fairstats.comparing.splits import SplitResult, cut, run_split
from fairstats.data.design import Design
from fairstats.data.groups import label_names
from fairstats.data.tables import Tabular
from fairstats.errors import InputError, Setting, SourceError, steps
from fairstats.files import file_path
from fairstats.methods.arguments import erased_notes
from fairstats.provenance import call_text, provenance, take_in
from fairstats.validation import (
    MISSING,
    Missing,
    answering,
    between,
    choose,
    confidence,
    flag,
    items,
    number,
    one_of,
    random_seed,
    shown,
    text,
    whole,
)

SELDOM = 1e-6  # how often a split may train on nobody who differs in a column, for it to count by default

# The parts of a `Comparison`: its terms, its protocol, and the values of every split behind its means.


def terms_of(plan: Plan, results: list[SplitResult]) -> tuple[Term, ...]:
    """Variants × models in the order given, with what went wrong in how many splits."""
    pairs = [(v, m.name) for v in range(len(plan.variants)) for m in plan.models]
    base = first_of(plan.variants)
    terms = []
    for t, (v, model) in enumerate(pairs):
        variant = plan.variants[v]
        problems = Counter(problem for r in results for problem in dict.fromkeys(r.problems[t]))
        scale = results[0].scales[t]
        at = cut(scale, plan.threshold)
        terms.append(
            Term(
                f"{variant.name} · {model}",
                variant.method.name,
                model,
                variant.name,
                variant.k,
                pairs.index((base[v], model)),
                scale,
                at,
                len(results),
                dict(sorted(problems.items())),
            )
        )
    return tuple(terms)


def values_of(splits: Splits) -> tuple[SplitValues, ...]:
    """Every metric of every term and panel, split by split."""
    by_panel = (
        SplitValues(term.name, m.metric, panel.attribute, panel.group, float(m.n[g]), tuple(m.values[:, t, g].tolist()))
        for measure in splits.measures
        for t, term in enumerate(splits.terms)
        for m in [measure.at(t)]
        for g, panel in enumerate(splits.plan.panels)
    )
    return (*by_panel, *study_values(splits))


def protocol_of(
    people: People,
    plan: Plan,
    results: list[SplitResult],
    scale: bool,
    test_size: float,
    conf_level: float,
    missing: str,
    seed: int,
) -> ComparisonProtocol:
    """The declared side of the result."""
    kept = round(float(np.mean([r.holdout_counts.sum() for r in results])))
    trained = round(float(np.mean([r.trained for r in results])))
    return ComparisonProtocol(
        outcome=people.outcome,
        groups=tuple(a.name for a in people.attributes),
        features=people.features,
        n_features=plan.design.p,
        methods=tuple(dict.fromkeys(v.method.name for v in plan.variants)),
        models=tuple(m.name for m in plan.models),
        k=tuple(sorted({v.k for v in plan.variants if v.k})),
        scale=bool(scale),
        n_repeats=len(results),
        test_size=kept / (kept + trained) if plan.given else float(test_size),
        n_train=trained,
        n_test=kept,
        positive=people.positive,
        favorable=people.favorable,
        threshold=float(plan.threshold),
        conf_level=float(conf_level),
        missing=missing,
        seed=seed,
        given=bool(plan.given),
        train_on=plan.train_on,
        representation=plan.representation,
    )


@answering
def compare(
    data: Tabular | str | Path,
    *,
    outcome: str,
    groups: Any,
    features: Any,
    methods: Any = ("none", "og"),
    model: Any = "logistic",
    k: int | Sequence[int] | None = None,
    scale: bool = True,
    n_repeats: int = 50,
    test_size: float = 0.25,
    splits: Any = None,
    train_on: TrainOn = "training",
    representation: bool = False,
    cache: str | Path | None = None,
    positive: Any = 1,
    favorable: Any = None,
    threshold: float = 0.5,
    conf_level: float = 0.95,
    missing: Missing = "raise",
    seed: int = 0,
    n_jobs: int = 1,
    progress: bool = True,
) -> Comparison:
    """Compare methods by what models predict from them for people held out, over repeated splits.

    Each split is stratified by group and outcome. Every method is fitted to the training rows; the rows held out are
    transformed by that fit (og with the coefficients of the training rows and the groups of the new ones), and a model
    trained on the adjusted training rows predicts their outcome.

    Estimates are means over the splits. Their intervals hold for the models trained on these people when they meet new
    ones: Nadeau and Bengio's variance, plus what stratification holds fixed (a rate that depends on group and outcome
    alone is the same in every split, and not for that reason known). How models of another training sample would
    differ is not in them; error rates and AUC hardly depend on it, mean scores and shares predicted do.

    Parameters
    ----------
    data : table, str or Path
        A pandas, polars or pyarrow table, a dictionary of columns, or a CSV, Parquet or Arrow file; one row a person.
    outcome : str
        Column of two values that is predicted; `positive` is the label that counts as 1.
    groups : str or list of str
        Columns of groups: what the methods adjust for, and by which predictions are compared. ``"sex:race"`` is an
        intersection.
    features : str or list of str
        A formula such as ``"~ (age + priors)**2"``, or names of numeric columns.
    methods : sequence of str or (name, callable)
        "none", "pca", "og", "og-residual" and further methods of the package; or ``callable(design, k)`` returning an
        object with ``transform(design)``. The others are compared with the first.
    model : str, estimator, (name, estimator) or sequence of these
        "logistic", "linear-svm", "rbf-svm", "mlp", "lasso", "random-forest", or scikit-learn estimators; each is
        trained on each method's features.
    k : int or sequence of int, optional
        Number of components; by default the largest that all methods allow, 10 at most. With several, each method is
        fitted with each, and compared with the first method of the same number.
    scale : bool
        Divide the features by their standard deviations in the training rows.
    n_repeats : int
        Number of splits.
    test_size : float
        Share of people held out, in (0, 1).
    splits : sequence of (train, test), optional
        Row numbers or masks of splits that are given, in place of random ones; `n_repeats` and `test_size` do not
        count.
    train_on : {"training", "measured"}
        The rows that models are trained on: the training rows, or the test rows that they are measured on, as the
        tables of Lee et al. (2022) and Kleindessner et al. (2023) were made. Methods are fitted to the training rows
        in both.
    representation : bool
        Also the variance that each method keeps of the test rows, MMD² between groups and the seconds it took.
    cache : path, optional
        A folder for finished cells (split × method × k × model): a run that was interrupted goes on from there, one
        that grows computes what is new. Cells are named by a hash of the data and everything else they depend on.
    positive, favorable : label
        The outcome that is predicted (1 also means True, and Yes of Yes and No), and the predicted outcome that helps
        the person: with it the share predicted so is called selection rate; without it the share predicted positive is
        reported as positive rate.
    threshold : float
        A score of at least this predicts the positive outcome; decision functions are cut at 0.
    conf_level : float
        Confidence level, above 0.2 and below 1.
    missing : {"raise", "level", "drop"}
        What happens to people without a group.
    seed : int
        Seed of the splits and of the models; results do not depend on `n_jobs`.
    n_jobs : int
        Processes at once.
    progress : bool
        A progress bar on stderr, where that is a terminal.

    Returns
    -------
    Comparison
        ``print(result)``, ``.tidy()``, ``.splits_frame()``, ``.joint_shares()``.

    Raises
    ------
    InputError
        An outcome without two values, a group too small to be in both parts, an unknown method or model, k too large,
        missing or infinite features.
    NumericalError
        A method or model that gives missing or infinite numbers.

    References
    ----------
    Nadeau & Bengio (2003) for the intervals; Aliverti, Lum, Johndrow & Dunson (2021), section 4, for the design.

    Examples
    --------
    >>> import fairstats as fs, numpy as np
    >>> rng = np.random.default_rng(1)
    >>> group = rng.integers(0, 2, 400)
    >>> x = rng.normal(size=(400, 2)) + 2 * group[:, None]
    >>> data = {"g": group, "a": x[:, 0], "b": x[:, 1], "y": (x.sum(axis=1) + rng.logistic(size=400) > 2).astype(int)}
    >>> result = fs.compare(data, outcome="y", groups="g", features=["a", "b"], k=2, n_repeats=5, progress=False)
    >>> [round(abs(r.estimate), 1) for r in result.estimates.where(metric="mean score", contrast="difference")][:2]
    [0.6, 0.0]
    """
    choose("train_on", train_on, TRAIN_ON)
    count = whole("n_repeats", n_repeats, 1, 100_000, "more would not change the means")
    workers = whole("n_jobs", n_jobs, 1, 1024, "processes")
    seed, conf_level = random_seed(seed), confidence(conf_level)
    test_size = between("test_size", test_size, 0, 1, "pass the share of people to hold out, such as 0.25")
    threshold = number("threshold", threshold, "pass the score from which on it is positive")
    scale, representation = flag("scale", scale), flag("representation", representation)
    show = flag("progress", progress)
    folder = "" if cache is None else os.fspath(file_path("cache", cache))
    one_of("missing", missing, MISSING)
    text("outcome", outcome, "pass the name of a column of data")
    call = _call(
        outcome=outcome,
        groups=groups,
        features=features,
        methods=methods,
        model=model,
        k=k,
        scale=scale,
        n_repeats=n_repeats,
        test_size=test_size,
        splits=splits,
        train_on=train_on,
        representation=representation,
        positive=positive,
        favorable=favorable,
        threshold=threshold,
        conf_level=conf_level,
        missing=missing,
        seed=seed,
    )
    columns, source = take_in(data, [outcome, *label_names(groups)])
    checked = people(columns, outcome, groups, features, positive, favorable, missing)
    given_rows = () if splits is None else given_splits(splits, checked.design.n)
    count = len(given_rows) or count
    plan = _plan(checked, chosen_methods(methods, scale), models(model), k, test_size, threshold, given_rows)
    plan = replace(plan, train_on=train_on, representation=representation, cache=folder)
    results = _run(plan, np.random.SeedSequence(seed).spawn(count), workers, show)
    terms = terms_of(plan, results)
    measured = Splits(plan, terms, results, "selection rate" if checked.favorable else "positive rate", conf_level)
    comparison = Comparison(
        protocol=protocol_of(checked, plan, results, scale, test_size, conf_level, missing, seed),
        terms=terms,
        references=checked.references,
        flow=checked.flow,
        estimates=estimates(measured),
        shares=joint_shares(measured),
        curves=curves(measured),
        splits=values_of(measured),
        data=source,
        provenance=provenance(call_text("fairstats.compare", source, call), seed),
    )
    share = 1.0 if train_on == "measured" else comparison.protocol.n_test / checked.design.n
    names = dict.fromkeys(term.method for term in terms)
    rare = [note for name in names for note in erased_notes(name, checked.design, share)]
    return replace(comparison, notes=cautions(comparison, (*checked.notes, *rare)))


def _plan(
    people: People,
    arguments: Any,
    trained: Any,
    k: Any,
    test_size: float,
    threshold: float,
    given: tuple[SplitRows, ...],
) -> Plan:
    values = holdout_counts(np.bincount(people.strata), test_size)
    n_train = min(len(r.train) for r in given) if given else people.design.n - int(values.sum())
    most = min(people.design.p, n_train)
    limit = f"{people.design.p} features, {n_train} rows to train on"
    k = min(most, most_allowed(arguments, _varying(people.design, n_train))) if k is None else k
    several = [k] if np.isscalar(k) else items("k", k, "numbers of components")
    wanted = [whole("k", one, 1, most, limit) for one in several]
    if not wanted or len(set(wanted)) < len(wanted):
        raise InputError("k", f"has {shown(k)}; it is one or several different numbers of components; pass each once.")
    everybody = Panel("", "", np.ones(people.design.n, dtype=bool))
    panels, pairs = [everybody], []
    for attribute in people.attributes:
        reference = len(panels)
        for code, level in enumerate(attribute.labels):
            if code:
                pairs.append((len(panels), reference))
            panels.append(Panel(attribute.name, level, attribute.codes == code))
    selects = int(people.favorable in ("", people.positive))
    return Plan(
        people.design,
        people.y,
        tuple(panels),
        tuple(pairs),
        variants(arguments, wanted),
        trained,
        people.strata,
        values,
        threshold,
        selects,
        given,
    )


def _varying(design: Design, n_train: int) -> Design:
    """Without columns in which so few people differ that a split may train on none of them."""
    apart = np.array([design.n - np.unique(column, return_counts=True)[1].max() for column in design.X.T])
    used = np.flatnonzero(apart * np.log1p(-n_train / design.n) < np.log(SELDOM))
    if not 0 < used.size < design.p:
        return design
    return replace(design, X=design.X[:, used], features=tuple(design.features[j] for j in used))


def _run(plan: Plan, seeds: list[np.random.SeedSequence], n_jobs: int, progress: bool) -> list[SplitResult]:
    """Run all splits in order; the first in this process, so that bad input fails before others start."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    first = run_split(plan, 0, seeds[0])
    rest = _others(plan, seeds[1:], n_jobs, first.grids)
    quiet = not (progress and console.is_terminal)
    shown = track(rest, f"{len(seeds)} splits", len(seeds), 1, console=console, transient=True, disable=quiet)
    return list(steps("splits", (one for part in ([first], shown) for one in part), len(seeds)))


def _others(plan: Plan, seeds: list[np.random.SeedSequence], n_jobs: int, grids: Any) -> Iterator[SplitResult]:
    if n_jobs == 1 or len(seeds) < 2:
        yield from (run_split(plan, i, seed, grids) for i, seed in enumerate(seeds, 1))
        return
    from joblib import Parallel, delayed

    tasks: Iterable[Any] = (delayed(run_split)(plan, i, seed, grids) for i, seed in enumerate(seeds, 1))
    try:
        yield from Parallel(n_jobs=n_jobs, return_as="generator")(tasks)
    except BrokenExecutor as problem:
        kept = "finished cells are kept" if plan.cache else f"{Setting('cache', 'folder')} keeps what is finished"
        what = f"one of the {n_jobs} processes of n_jobs was ended from outside, as when memory runs out"
        raise SourceError(f"{what}; {kept}: run it again, with a smaller n_jobs.") from problem


def _call(**given: Any) -> dict[str, Any]:
    """The arguments that are not the defaults, callables and estimators by name."""
    defaults = compare.__kwdefaults__ or {}
    return {k: _shown(v) for k, v in given.items() if k not in defaults or not _same(v, defaults[k])}


def _same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and value == default


def _shown(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_shown(v) for v in value]
    plain = isinstance(value, (str, int, float, bool, Path, type(None)))
    return value if plain else getattr(value, "__name__", getattr(value, "name", type(value).__name__))
