"""A valid call of everything public that takes an argument, and the list of what is public: the two must agree."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

import fairstats as fs
import fairstats.r
import fairstats.sklearn
from fairstats.estimates import Estimate, Estimates
from fairstats.methods.registry import METHODS
from fairstats.reporting.figures.style import Drawing
from fairstats.result_classes import SAVED, class_of
from tests.laws.every_result import fit, graph, made, people
from tests.wrong_values import MEANINGLESS, arguments

PEOPLE = people(60)
STAFF = {
    "sex": ["women", "men"] * 20,
    "grade": ["a", "a", "b", "b"] * 10,
    "pay": [float(2000 + 37 * (i * 7 % 40)) for i in range(40)],
    "extra": [float(i * 11 % 4) for i in range(40)],
    "hours": [100.0 + i % 3 for i in range(40)],
}
X = PEOPLE[["u", "v", "w"]].to_numpy()
SEX = PEOPLE["sex"].to_numpy()
GRAPH = graph()
VERTICES = {"name": [f"v{i}" for i in range(30)], "race": ["a", "b", "c"] * 10}
KNOWN = {"from": ["v1", "v2", "v3"], "to": ["v2", "v3", "v1"], "weight": [1.0, 1.0, 0.5]}


@cache
def out_of_fold() -> fs.OutOfFoldScores:
    return fs.og(X, SEX).crossfit(X, SEX)


@cache
def plain() -> fs.Projection:
    return fs.pca(X, SEX)


@cache
def regressed() -> fs.Projection:
    """A fit whose scores need the groups of new rows."""
    return fs.og(X, SEX, basis="residual")


@cache
def audited() -> fs.Audit:
    return fs.audit(PEOPLE, decision="hired", groups="sex", outcome="good")


@cache
def audited_later() -> fs.Audit:
    later = PEOPLE.assign(hired=PEOPLE["hired"].to_numpy()[::-1])
    return fs.audit(later, decision="hired", groups="sex", outcome="good")


@cache
def report_file() -> str:
    file = f"{tempfile.mkdtemp()}/audit.json"
    fs.report(audited(), to=file)
    return file


@cache
def clustered() -> fs.Partition:
    return fs.fair_spectral_clustering(GRAPH, VERTICES["race"], n_init=1)


@cache
def transformer() -> Any:
    return fairstats.sklearn.FairTransformer("og", k=1).fit(X, sensitive_features=SEX)


def _transformer(**options: Any) -> Any:
    """scikit-learn's constructors judge nothing: `fit` does."""
    return fairstats.sklearn.FairTransformer(**options).fit(X, sensitive_features=SEX)


@cache
def outcome_moments() -> fs.Moments:
    return fs.Moments.of(X, SEX, y=PEOPLE["good"].to_numpy())


def rds(name: str) -> str:
    fairstats.r.write_rds({"a": [1.0]}, name)
    return name


NUMBERS = PEOPLE.drop(columns=["race", "dept"])

COUNTS = {"sex": list("fmfm"), "job": list("aabb"), "people": [9, 8, 7, 6], "hired": [3, 4, 2, 5]}


def written(name: str) -> str:
    NUMBERS.to_csv(name, index=False)
    return name


ROWS = Estimates([Estimate("selection rate", "sex", "f", n=9.0), Estimate("selection rate", "sex", "m", n=8.0)])

# Name -> the callable and its arguments. "*name" stands for arguments by position without a name of their own.
Call = tuple[Callable[..., Any], dict[str, Any]]
CALLS: dict[str, Callable[[], Call]] = {
    "Estimate": lambda: (Estimate, dict.fromkeys(arguments(Estimate), "") | _estimate()),
    "Estimate.changed": lambda: (ROWS[0].changed, {}),
    "Estimate.blank": lambda: (ROWS[0].blank, {"role": "power"}),
    "Estimate.with_interval": lambda: (
        ROWS[0].with_interval,
        {"estimate": 0.5, "low": 0.4, "high": 0.6, "conf_level": 0.95, "std_error": 0.1, "method": "Wilson"},
    ),
    "Estimate.with_test": lambda: (ROWS[0].with_test, {"statistic": 2.0, "p_value": 0.05, "df": 1.0, "reason": ""}),
    "Estimates": lambda: (Estimates, {"rows": list(ROWS)}),
    "Estimates.column": lambda: (ROWS.column, {"name": "n"}),
    "Estimates.map": lambda: (ROWS.map, {"change": lambda row: row}),
    "Estimates.only": lambda: (ROWS.only, {"group": "f"}),
    "Estimates.where": lambda: (ROWS.where, {"group": "f"}),
    "Estimates.with_p_adjusted": lambda: (ROWS.with_p_adjusted, {"adjusted": [0.1, 0.2]}),
    "FeatureMap.crossfit": lambda: (fit("leace").crossfit, {"X": PEOPLE, "groups": SEX}),
    "FeatureMap.reconstruct": lambda: (fit("leace").reconstruct, {"X": X}),
    "GroupAdjustment.transform": lambda: (fit("residualize").transform, {"X": X, "groups": SEX}),
    "Audit.by_group": lambda: (audited().by_group, {"attribute": "sex"}),
    "Comparison.by_group": lambda: (made("comparison").by_group, {"attribute": "sex"}),
    "AuditComparison.worsened": lambda: (fs.compare_audits(audited(), audited_later()).worsened, {"by": 0.05}),
    "Audit.passes": lambda: (
        fs.audit(PEOPLE, "hired", "sex", margin=0.5, favorable=1).passes,
        {"metric": ["selection rate"]},
    ),
    "Audit.bootstrap": lambda: (audited().bootstrap, {"replicates": 20}),
    "Comparison.label": lambda: (made("comparison").label, {"row": made("comparison").estimates[0]}),
    "Comparison.of": lambda: (made("comparison").of, {"term": made("comparison").terms[0]}),
    "Eraser.transform": lambda: (fit("leace").transform, {"X": X}),
    "FairTransformer": lambda: (
        _transformer,
        {"method": "og", "k": 1, "group_columns": [], "scale": False, "options": {"basis": "svd"}},
    ),
    "FairTransformer.fit": lambda: (fairstats.sklearn.FairTransformer("og").fit, {"X": X, "sensitive_features": SEX}),
    "FairTransformer.fit_transform": lambda: (
        fairstats.sklearn.FairTransformer("og").fit_transform,
        {"X": X, "sensitive_features": SEX},
    ),
    "FairTransformer.get_feature_names_out": lambda: (
        transformer().get_feature_names_out,
        {"input_features": ["u", "v", "w"]},
    ),
    "FairTransformer.get_feature_names_out of kept features": lambda: (
        fairstats.sklearn.FairTransformer("leace").fit(X, sensitive_features=SEX).get_feature_names_out,
        {"input_features": ["u", "v", "w"]},
    ),
    "FairTransformer.transform": lambda: (transformer().transform, {"X": X, "sensitive_features": SEX}),
    "Graph.by_vertex": lambda: (fs.graph(GRAPH).by_vertex, {"groups": VERTICES["race"]}),
    "OutOfFoldScores": lambda: (
        fs.OutOfFoldScores,
        {
            "scores": out_of_fold().scores,
            "folds": out_of_fold().folds,
            "groups": SEX,
            "method": "ours",
            "seed": 1,
            "weights": np.ones(60),
        },
    ),
    "OutOfFoldScores.counted": lambda: (out_of_fold().counted, {"weights": np.ones(60)}),
    "KernelProjection.crossfit": lambda: (fs.fair_kernel_pca(X, SEX).crossfit, {"X": X, "groups": SEX}),
    "KernelProjection.transform": lambda: (fs.fair_kernel_pca(X, SEX).transform, {"X": X}),
    "Moments.collapse": lambda: (fs.Moments.of(X, {"sex": SEX, "race": PEOPLE["race"]}).collapse, {"keep": ("sex",)}),
    "Moments.of": lambda: (fs.Moments.of, {"X": X, "groups": SEX}),
    "Moments.within_outcome": lambda: (outcome_moments().within_outcome, {"label": "1"}),
    "Partition.augment": lambda: (clustered().augment, {"data": VERTICES}),
    "Partition.error": lambda: (clustered().error, {"truth": VERTICES["race"]}),
    "Projection.augment": lambda: (fit("og", basis="residual").augment, {"data": PEOPLE, "groups": SEX}),
    "Projection.crossfit": lambda: (plain().crossfit, {"X": X, "groups": SEX}),
    "Projection.reconstruct": lambda: (regressed().reconstruct, {"X": X, "groups": SEX}),
    "Projection.transform": lambda: (regressed().transform, {"X": X, "groups": SEX}),
    "Projection.tidy": lambda: (plain().tidy, {"table": "loadings"}),
    "Projection.transform_to": lambda: (fit("og").transform_to, {"source": written("rows.csv"), "to": "s.parquet"}),
    "Drawing.save": lambda: (plain().plot().save, {"path": "scree.svg"}),
    "r.method": lambda: (fairstats.r.method, {"code": "prcomp(X, rank. = k)", "predict": "p", "name": "prcomp"}),
    "r.metric": lambda: (fairstats.r.metric, {"code": "mean(d)", "name": "share"}),
    "r.model": lambda: (fairstats.r.model, {"*function": ["glm"], "predict": "p", "outcome": "number", "name": "glm"}),
    "r.read_rds": lambda: (fairstats.r.read_rds, {"path": rds("rows.rds")}),
    "r.write_rds": lambda: (fairstats.r.write_rds, {"obj": ROWS, "path": "rows.rds"}),
    "Reads.plot": lambda: (audited().plot, {"kind": "rates", "metric": "selection rate", "attribute": "sex"}),
    "Reads.tidy": lambda: (audited().tidy, {"metric": "selection rate"}),
    "Saved.save": lambda: (audited().save, {"path": "audit.npz"}),
    "Report.form": lambda: (fs.report(plain()).form, {"target": "a.html"}),
    "Report.write": lambda: (fs.report(plain()).write, {"*targets": ["a.html"]}),
    "ComponentSelection.chosen": lambda: (made("choice of k").chosen, {"fit": "og", "rule": "least error"}),
    "select_k": lambda: (fs.select_k, {"X": X, "groups": SEX, "method": "og", "permutations": 3, "folds": 2}),
    "component_tests": lambda: (fs.component_tests, {"scores": out_of_fold()}),
    "continuous": lambda: (fs.continuous, {"values": [1.0, 2.5], "name": "age"}),
    "disparity_path": lambda: (fs.disparity_path, {"fit": fit_of_two(), "X": X, "groups": SEX}),
    "extra_error": lambda: (fs.extra_error, {"fit": plain(), "X": X, "groups": SEX, "permutations": 9}),
    "fair_spectral_clustering": lambda: (
        fs.fair_spectral_clustering,
        {"graph": GRAPH, "groups": "race", "nodes": VERTICES, "compare_unconstrained": False, "n_init": 1},
    ),
    "graph": lambda: (fs.graph, {"data": GRAPH, "nodes": VERTICES}),
    "graph as it is": lambda: (fs.graph, {"data": fs.graph(GRAPH), "component": "largest"}),
    "graph of edges": lambda: (
        fs.graph,
        {"data": KNOWN, "nodes": VERTICES, "source": "from", "target": "to", "weight": "weight", "id": "name"},
    ),
    "reconstruction_error_by_group": lambda: (
        fs.reconstruction_error_by_group,
        {"fit": plain(), "X": X, "groups": SEX},
    ),
    "leakage": lambda: (fs.leakage, {"scores": out_of_fold(), "permutations": 9}),
    "leakage of a fit": lambda: (fs.leakage, {"fit": plain(), "X": X, "groups": SEX, "permutations": 3}),
    "proxies": lambda: (fs.proxies, {"data": PEOPLE, "groups": "sex", "features": ["u", "race"]}),
    "load": lambda: (fs.load, {"path": audited().save("saved.npz"), "kind": fs.Audit}),
    "decompose": lambda: (
        fs.decompose,
        {"data": PEOPLE, "decision": "hired", "groups": "sex", "explained_by": ["race"], "coefficients": "pooled"},
    ),
    "Decomposition.parts": lambda: (made("decomposition").parts, {"group": "f"}),
    "adjusted_gap": lambda: (
        fs.adjusted_gap,
        {"data": PEOPLE, "decision": "hired", "groups": "sex", "adjust_for": ["race"]},
    ),
    "subgroup_scan": lambda: (
        fs.subgroup_scan,
        {"data": PEOPLE, "decision": "hired", "groups": ["sex", "race"], "outcome": "good", "min_n": 3},
    ),
    "subgroup_scan of a score": lambda: (
        fs.subgroup_scan,
        {"data": PEOPLE.assign(s=[0.3, 0.7] * 30), "score": "s", "groups": ["sex", "race"]}
        | {"outcome": "good", "min_n": 3, "bands": 1},
    ),
    "subgroup_scan of a tally": lambda: (
        fs.subgroup_scan,
        {
            "data": fs.tally(PEOPLE, "hired", ["sex", "race"], outcome="good"),
            "decision": "hired",
            "groups": ["sex", "race"],
            "outcome": "good",
            "metric": "TPR",
            "min_n": 3,
        },
    ),
    "compare_audits": lambda: (
        fs.compare_audits,
        {"before": audited(), "after": audited_later(), "metric": "selection rate"},
    ),
    "local_law_144": lambda: (fs.local_law_144, {"audit": audited()}),
    "moments": lambda: (fs.moments, {"source": NUMBERS, "groups": "sex", "features": ["u", "v"]}),
    "moments of a file": lambda: (
        fs.moments,
        {"source": written("rows.csv"), "groups": "sex", "features": ["u", "v"], "y": "good", "weights": "hired"},
    ),
    "moments of chunks": lambda: (fs.moments, {"source": [NUMBERS] * 2, "groups": "sex", "features": ["u"]}),
    "fair_pca_stream": lambda: (
        fs.fair_pca_stream,
        {"source": NUMBERS, "groups": "sex", "k": 1, "features": ["u", "v"], "passes": 2, "sketch": 2},
    ),
    "fair_pca_stream of chunks": lambda: (
        fs.fair_pca_stream,
        {"source": [NUMBERS] * 3, "groups": "sex", "k": 1, "features": ["u", "v"]},
    ),
    "moments of an array": lambda: (fs.moments, {"source": X, "groups": SEX}),
    "kneighbors_graph": lambda: (fs.kneighbors_graph, {"X": X, "n_neighbors": 3}),
    "plot": lambda: (fs.plot, {"result": plain(), "kind": "scree"}),
    "tradeoff": lambda: (
        fs.tradeoff,
        {"X": X, "groups": SEX, "methods": ["pca", "og"], "k": 1},
    ),
    "price_of_fairness": lambda: (fs.price_of_fairness, {"fit": fit_of_two(), "X": X, "groups": SEX}),
    "bootstrap_loadings": lambda: (fs.bootstrap_loadings, {"fit": plain(), "X": X, "groups": SEX, "replicates": 20}),
    "read_table": lambda: (fs.read_table, {"path": fs.datasets.ARRESTS, "labels": ["sex"]}),
    "fairlearn_reduction": lambda: (fs.fairlearn_reduction, {}),
    "table": lambda: (fs.table, {"result": audited(), "kind": "rates", "attribute": "sex", "metric": ["TPR"]}),
    "ResultTable.to_frame": lambda: (fs.table(audited()).to_frame, {"numbers": True}),
    "ResultTable.to_csv": lambda: (fs.table(audited()).to_csv, {"numbers": True}),
    "ResultTable.save": lambda: (fs.table(audited()).save, {"path": "t.md"}),
    "ResultTable.to_docx": lambda: (fs.table(audited()).to_docx, {"path": "t.docx"}),
    "ResultTable.to_latex": lambda: (
        fs.table(audited()).to_latex,
        {"caption": "Rates", "note": "Wilson", "label": "tab:rates", "long": True},
    ),
    "ResultTable.to_markdown": lambda: (fs.table(audited()).to_markdown, {"caption": "Rates", "note": "Wilson"}),
    "ResultTable.to_xlsx": lambda: (fs.table(audited()).to_xlsx, {"path": "t.xlsx"}),
    "report": lambda: (fs.report, {"*results": [plain()], "to": "r.html"}),
    "simulate.gaussian_groups": lambda: (fs.simulate.gaussian_groups, {"n": 20, "p": 3}),
    "simulate.sbm": lambda: (fs.simulate.sbm, {"n": 20}),
    "simulate.shifted_factors": lambda: (fs.simulate.shifted_factors, {"n": 20, "p": 3, "k": 1}),
    "sog_path": lambda: (fs.sog_path, {"X": X, "groups": SEX, "ts": [1.2, 1.5]}),
    "tally": lambda: (fs.tally, {"data": PEOPLE, "decision": "hired", "groups": "sex", "outcome": "good"}),
    "from_counts": lambda: (
        fs.from_counts,
        {"table": COUNTS, "groups": "sex", "selected": "hired", "total": "people", "strata": "job"},
    ),
    "representation": lambda: (
        fs.representation,
        {"data": PEOPLE, "groups": "race", "benchmark": {"a": 0.5, "b": 0.3, "c": 0.2}},
    ),
    "representation of a pool": lambda: (
        fs.representation,
        {"data": PEOPLE[:20], "groups": "race", "benchmark": PEOPLE, "kind": "pool"},
    ),
    "survey_design": lambda: (
        fs.survey_design,
        {
            "weights": "w",
            "strata": "s",
            "clusters": "psu",
            "fpc": "N",
            "nest": True,
            "single_units": "adjust",
            "domain": "adult",
        },
    ),
    "stages": lambda: (
        fs.stages,
        {
            "data": {"race": ["a", "b"], "took": [48, 259], "passed": [26, 206], "hired": [11, 35]},
            "stages": ["passed", "hired"],
            "groups": "race",
            "total": "took",
        },
    ),
    "matched_pairs": lambda: (
        fs.matched_pairs,
        {
            "data": {"ad": [1, 1, 2, 2, 3, 3], "race": ["b", "w"] * 3, "call": [0, 1, 0, 1, 1, 1]},
            "decision": "call",
            "groups": "race",
            "blocks": "ad",
            "clusters": "ad",
        },
    ),
    "compare_models": lambda: (
        fs.compare_models,
        {
            "data": {"sex": ["f", "m"] * 10, "paid": [1, 0, 1, 1] * 5, "a": [0, 1, 1, 1] * 5, "b": [1, 0] * 10},
            "models": {"old": "a", "new": "b"},
            "groups": "sex",
            "outcome": "paid",
        },
    ),
    "monitor": lambda: (
        fs.monitor,
        {
            "data": {"month": [1] * 8 + [2] * 8, "sex": ["f", "m"] * 8, "hired": [0, 1, 1, 1] * 4},
            "decision": "hired",
            "groups": "sex",
        },
    ),
    "group_probabilities": lambda: (
        fs.group_probabilities,
        {
            "data": {
                "hired": [0, 1, 1, 1] * 5,
                "pw": [0.9, 0.2, 0.5, 0.7] * 5,
                "pb": [0.1, 0.8, 0.5, 0.3] * 5,
                "race": ["White", "Black", "White", "White"] * 5,
            },
            "decision": "hired",
            "groups": {"White": "pw", "Black": "pb"},
            "known": "race",
        },
    ),
    "alternatives": lambda: (
        fs.alternatives,
        {
            "data": {"sex": ["f", "m"] * 80, "paid": [1, 0, 1, 1] * 40, "a": [0, 1, 1, 1] * 40, "b": [1, 0] * 80},
            "candidates": {"old": "a", "new": "b"},
            "groups": "sex",
            "outcome": "paid",
        },
    ),
    "pay_transparency": lambda: (
        fs.pay_transparency,
        {
            "data": STAFF,
            "pay": "pay",
            "groups": "sex",
            "variable_pay": "extra",
            "category": "grade",
            "hours": "hours",
            "about": {"employer": "Example Ltd", "period": "2026"},
        },
    ),
    "gender_pay_gap": lambda: (
        fs.gender_pay_gap,
        {"data": STAFF, "pay": "pay", "groups": "sex", "bonus": "extra", "hours": "hours"},
    ),
    "Tally.withhold": lambda: (fs.tally(PEOPLE, "hired", "sex", outcome="good").withhold, {"min_n": 2}),
    "verify_report": lambda: (fs.verify_report, {"report": report_file(), "data": PEOPLE}),
    "spectral_clustering": lambda: (
        fs.spectral_clustering,
        {"graph": GRAPH, "groups": "race", "nodes": VERTICES, "n_init": 1},
    ),
    **{
        f"datasets.{name}": lambda name=name: (getattr(fs.datasets, name), {})
        for name in ("adult", "communities", "compas", "credit", "german_credit", "law_school")
    },
}


def fit_of_two() -> fs.Projection:
    return fs.disparity_pca(X, SEX, lam=0.7, advantaged="m", disadvantaged="f")


def _estimate() -> dict[str, Any]:
    numbers = [name for name, value in inspect.signature(Estimate).parameters.items() if value.annotation == "float"]
    return {"metric": "TPR", "contrast": "none", "status": "ok", "role": "main", **dict.fromkeys(numbers, 0.5)}


# What an argument does take of the values that mean nothing elsewhere.
ANYTHING = MEANINGLESS
TAKES: dict[str, dict[str, tuple[str, ...]]] = {
    # A fit whose result needs no groups takes them, so that all fits are called alike, and does not look at them.
    "FeatureMap.reconstruct": {"groups": ANYTHING},
    "Eraser.transform": {"groups": ANYTHING},
    "KernelProjection.transform": {"groups": ANYTHING},
    # scikit-learn passes y to every step of a pipeline.
    "FairTransformer.fit": {"y": ANYTHING},
    "FairTransformer.fit_transform": {"y": ANYTHING},
    "Graph.by_vertex": {"groups": ANYTHING},  # what carries no names stays as it is, and is checked as groups
}
# There is no valid call of these: they are there to say why not.
REFUSING = {"KernelProjection.reconstruct"}

# Judged by tests of their own: they have a valid call for every kind of input.
ELSEWHERE = {"audit", "compare", *(name for name, row in METHODS.items() if not row.comparator)}


def public() -> Iterator[str]:
    """Names of every public function, and every public method of every public class, that takes an argument."""
    for name in dir(fs):
        value = getattr(fs, name)
        if isinstance(value, ModuleType):
            if name in ("datasets", "simulate"):
                yield from (f"{name}.{inner}" for inner in value.__all__ if arguments(getattr(value, inner)))
        elif inspect.isclass(value):
            yield from methods(value)
        elif callable(value) and name not in ELSEWHERE and inspect.signature(value).parameters:
            yield name
    yield from (
        "Estimate",
        "Estimates",
        "OutOfFoldScores",
        "FairTransformer",
        *methods(fairstats.sklearn.FairTransformer),
    )
    yield from (f"r.{name}" for name in ("method", "metric", "model", "read_rds", "write_rds"))
    for cls in (*map(class_of, SAVED), Drawing):
        yield from methods(cls)


def methods(cls: type) -> Iterator[str]:
    """Names of the methods of a class that are ours and take an argument."""
    for name in dir(cls):
        value = getattr(cls, name)
        current = name[0] != "_" and inspect.isfunction(value) and value.__module__.startswith("fairstats")
        if current and value.__qualname__ not in REFUSING and set(inspect.signature(value).parameters) - {"self"}:
            yield value.__qualname__


N = 60
RNG = np.random.default_rng(0)
TABLE = {
    "sex": ["f", "m"] * (N // 2),
    "hired": RNG.integers(0, 2, N).tolist(),
    "y": RNG.integers(0, 2, N).tolist(),
    **{name: RNG.normal(size=N).tolist() for name in ("s", "a", "b")},
}
STUDIES: dict[str, tuple[Any, dict[str, Any]]] = {
    "audit": (
        fs.audit,
        {"data": TABLE, "decision": "hired", "groups": "sex", "outcome": "y"}
        | {"law": "credit", "about": {"system": "Screener"}, "action_plan": True, "shrunken": False},
    ),
    "audit of a score": (
        fs.audit,
        {"data": TABLE, "groups": "sex", "outcome": "y", "score": "s", "threshold": 0.1},
    ),
    "compare": (
        fs.compare,
        {"data": TABLE, "outcome": "y", "groups": "sex", "features": ["a", "b"], "n_repeats": 2, "k": 1,
         "progress": False},
    ),
}  # fmt: skip

FEATURES = RNG.normal(size=(40, 4))
LABELS = np.array(["a", "b"] * 20)
SHORT: dict[str, dict[str, Any]] = {
    "mbf_pca": {"n_init": 1, "max_iter": 5, "tau": 0.5},
    "rlace": {"max_iter": 20},
    "rlace_pca": {"max_iter": 20},
    "inlp": {"rounds": 1},
}


def fit_call(name: str) -> tuple[Any, dict[str, Any]]:
    """A method and a call of it, on few rows and with few steps."""
    row = METHODS[name]
    valid = {"X": FEATURES + 0.5 * (LABELS == "b")[:, None], "groups": LABELS, **row.needs, **SHORT.get(name, {})}
    return row.function, {**valid, "k": 1} if row.reduces else valid
