"""The parts of a `Comparison`: its terms, its protocol, and the values of every split behind its means."""

from __future__ import annotations

from collections import Counter

import numpy as np

from fairstats.comparing.input import People
from fairstats.comparing.one_split import SplitResult
from fairstats.comparing.overall_rows import first_of, study_values
from fairstats.comparing.plan import Plan
from fairstats.comparing.result import ComparisonProtocol, SplitValues, Term
from fairstats.comparing.rows import Splits
from fairstats.comparing.score_measures import cut


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
    held = round(float(np.mean([r.held.sum() for r in results])))
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
        repeats=len(results),
        test_size=held / (held + trained) if plan.given else float(test_size),
        n_train=trained,
        n_test=held,
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
