"""The vocabulary of metrics: each row is true, and everything that speaks of a metric speaks from its row."""

from __future__ import annotations

import ast
import string
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats import stats
from fairstats.auditing.audit import audit
from fairstats.auditing.result import Audit
from fairstats.comparing.result import Comparison
from fairstats.metrics import METRICS, Metric, rates

ROOT = Path(__file__).parents[1]
FIELDS = {"outcome", "decision", "score", "by", "group", "reference", "attribute", "given", "rate", "base", "gap"}
FIELDS |= {"estimate", "size", "side", "interval"}


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    n = 600
    x = rng.normal(size=(n, 3))
    chance = 1 / (1 + np.exp(-x[:, 0]))
    columns = {"g": rng.choice(list("ab"), n), "x1": x[:, 0], "x2": x[:, 1], "x3": x[:, 2], "s": chance}
    columns |= {"y": (rng.random(n) < chance).astype(int), "z": rng.choice(["u", "v"], n)}
    return pd.DataFrame({**columns, "d": (rng.random(n) < chance).astype(int)})


@pytest.fixture(scope="module")
def audited(people) -> Audit:
    return audit(people, outcome="y", decision="d", score="s", groups="g", strata="z")


@pytest.fixture(scope="module")
def compared(people) -> Comparison:
    arguments = {"outcome": "y", "groups": "g", "features": ["x1", "x2", "x3"], "methods": ["none", "og"]}
    return fairstats.compare(people, **arguments, n_repeats=4, representation=True, progress=False)


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_a_row_is_complete_and_its_sentences_can_be_filled(metric: Metric):
    assert metric.heading and metric.meaning and not metric.meaning.endswith(".")
    assert metric.range[0] < metric.range[1] and metric.better in ("higher", "lower", "")
    for text in (metric.sentence, metric.question):
        assert {name for _, name, _, _ in string.Formatter().parse(text) if name} <= FIELDS
    assert all(not text or text.endswith((".", "}.")) for text in (metric.matters, metric.misleads))
    if metric.claim:
        assert metric.sentence
    if metric.function:
        assert callable(getattr(stats, metric.function))


@pytest.mark.parametrize("metric", rates("audit") + rates("compare"), ids=lambda m: m.name)
def test_a_complement_is_the_rest_of_the_same_people(metric: Metric):
    if not metric.complement:
        return
    (events, among), (others, same) = metric.cells(), METRICS[metric.complement].cells()
    assert among == same and set(events) | set(others) == set(among) and not set(events) & set(others)
    assert METRICS[metric.complement].complement == metric.name


def test_names_elsewhere_are_names_there():
    metrics = pytest.importorskip("fairlearn.metrics")
    named = {m.aliases["fairlearn"] for m in METRICS.values() if "fairlearn" in m.aliases}
    assert {name for name in named if not hasattr(metrics, name)} == set()


def test_the_rates_are_those_of_scikit_learn(people, audited):
    from sklearn.metrics import accuracy_score, precision_score, recall_score

    current = people[people.g == "b"]
    y, d = current.y, current.d
    expected = {"TPR": recall_score(y, d), "TNR": recall_score(y, d, pos_label=0), "PPV": precision_score(y, d)}
    expected |= {"NPV": precision_score(y, d, pos_label=0), "accuracy": accuracy_score(y, d)}
    expected |= {"base rate": y.mean(), "selection rate": d.mean()}
    for metric in rates("audit"):
        (row,) = audited.estimates.where(metric=metric.name, group="b", contrast="none")
        value = expected.get(metric.name)
        value = 1 - expected[metric.complement] if value is None else value
        assert row.estimate == pytest.approx(value), metric.name


def test_every_metric_of_a_result_has_a_row_in_the_vocabulary(audited, compared):
    for result in (audited, compared):
        assert {r.metric for r in result.estimates} - set(METRICS) == set()


def test_bootstrap_audit_and_comparison_know_the_same_rates(audited, compared):
    drawn = audited.bootstrap(replicates=50)
    assert list(dict.fromkeys(drawn.column("metric"))) == [m.name for m in rates("audit")]
    members = {r.metric for r in compared.estimates if METRICS[r.metric].is_rate}
    assert members == {m.name for m in rates("compare")} - {"selection rate"}  # nobody said which prediction helps


def test_the_page_of_metrics_is_written_from_the_vocabulary():
    subprocess.run([sys.executable, str(ROOT / "tools" / "metrics_page.py"), "--check"], check=True, cwd=ROOT)


@pytest.mark.parametrize("leaf", ["metrics", "text"])
def test_the_vocabulary_is_a_leaf(leaf: str):
    tree = ast.parse((ROOT / "fairstats" / f"{leaf}.py").read_text(encoding="utf-8"))
    named = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert named <= {
        "__future__",
        "collections.abc",
        "contextlib",
        "contextvars",
        "dataclasses",
        "typing",
        "fairstats.errors",
        "fairstats.language",
    }


@pytest.mark.parametrize("name", ["FDR", "FOR"])
def test_a_rate_added_as_a_row_is_in_everything(name, people, audited, compared, tmp_path):
    """What a new rate must appear in; nothing but fairstats/metrics.py knew of these two before."""
    from click.testing import CliRunner

    from fairstats.cli.audits import audit as command
    from fairstats.r.records import record
    from fairstats.rvalues.convert import to_python

    current = people[people.g == "b"]
    chosen = current[current.d == (name == "FDR")]
    wrong = float((chosen.y != chosen.d).mean())
    (row,) = audited.estimates.where(metric=name, group="b", contrast="none")
    assert row.estimate == pytest.approx(wrong) and row.n == len(chosen)
    (gap,) = audited.estimates.where(metric=name, group="b", contrast="difference", role="main")
    assert gap.verdict and gap.conf_low < gap.estimate < gap.conf_high
    assert set(compared.estimates.where(metric=name).column("status")) == {"ok"}
    assert audited.bootstrap(replicates=50).where(metric=name, group="b")[0].estimate == pytest.approx(wrong)
    people.to_csv(tmp_path / "people.csv", index=False)
    items = ["--outcome", "y", "--decision", "d", "--groups", "g", "--to", str(tmp_path / "out.csv")]
    assert CliRunner().invoke(command, [str(tmp_path / "people.csv"), *items], standalone_mode=False).exception is None
    assert f",{name}," in (tmp_path / "out.csv").read_text()
    # the page shows the rates that its sections choose; what is attached to it has all
    assert f",{name}," in fairstats.report(audited).csv
    assert name in set(to_python(record(audited).fields["tidy"], "")["metric"])
    assert METRICS[name].heading in (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
