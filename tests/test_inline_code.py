"""Code in the pages runs: what stands inside sentences and cells of tables, and blocks that the site only shows.

Blocks marked ``{run}`` are run by the site. A call in a sentence is run among a reader's own things (`Reader`): a table
of people, a result, a fit. Three dots stand for the usual arguments of that function.
"""

from __future__ import annotations

import ast
import re
import shlex
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats as fs
import fairstats.cli

ROOT = Path(__file__).resolve().parents[1]
BUILT = {"_build", "reference", "vignettes"}  # by make docs
PAGES = [ROOT / "README.md", *sorted(p for p in (ROOT / "docs").rglob("*.md") if not BUILT & set(p.parts))]

# Calls that are no Python of ours, each with what they are.
OTHERS = {
    **dict.fromkeys(
        (
            *(
                "fair_compare_audits(may, june)",
                "fair_audit(data, decision, group)",
                "fair_audit(data, decision, groups)",
            ),
            *("prcomp(x)", "P(X>Y)", "pca(x)", "og(x, group)", "og(x, groups)", "install_fairstats()", "saveRDS()"),
            *("fair_compare()", "fair_tally()", "fair_audit()", "augment()", 'fair_load("audit.npz")'),
            *('fair_audit(people, decision = "hired", group = "sex")', "autoplot(result)", "plot(result)"),
            *('fair_audit(people, decision = "hired", groups = "sex")', "predict(fit, new)"),
            *('fair_figure(result, "rates", to = "rates.png")', 'fair_report(result, to = "audit.pdf")'),
            *(
                'fair_save(fit, "fit.npz")',
                'saveRDS(fit, "fit.rds")',
                "demographic_parity(group)(data, truth, estimate)",
            ),
            *("fairness_check(explainer, protected, privileged)", "eval_stats_parity(data, outcome, group, probs)"),
            *("metric_set(accuracy, demographic_parity(group))", "fair_demographic_parity()"),
            *("fair_equal_opportunity()", "fair_equalized_odds()"),
        ),
        "R",
    ),
    **dict.fromkeys(
        (
            *("Group().get_crosstabs(df)", "Bias().get_disparity_predefined_groups(df, ref_groups_dict={...})"),
            *("Fairness().get_group_value_fairness", "disparate_impact()", "equal_opportunity_difference()"),
            "BinaryLabelDataset(df, label_names, protected_attribute_names, favorable_label)",
            *("statistical_parity_difference()", "average_odds_difference()"),
        ),
        "aequitas or AIF360",
    ),
    **dict.fromkeys(("tidy()", "glance()", "summary()"), "a method by its name"),
    "group_by().agg()": "polars",
    'rpy2.robjects.r("...")': "rpy2",
    **dict.fromkeys(("P(Y = 1)", "P(D = 1)", "P(D = Y)"), "probabilities"),
}
# What three dots stand for.
DOTS: dict[str, dict[str, Any]] = {
    "audit": {"data": "people", "decision": "'released'", "favorable": "'Yes'", "groups": "'colour'"},
    "tally": {"data": "people", "decision": "'hired'", "groups": "'colour'"},
    "leakage": {"fit": "fit.crossfit(X, groups)", "permutations": "19"},
    "fair_pca": {"X": "people[['age', 'checks', 'hired']]", "groups": "groups", "k": "1"},
    "demographic_parity_difference": {"y_true": "y_true", "y_pred": "y_pred", "sensitive_features": "s"},
    "MetricFrame": {"metrics": "metric", "y_true": "y_true", "y_pred": "y_pred", "sensitive_features": "s"},
}
# Named without fs. in tables of calls.
FUNCTIONS = {"audit", "leakage"}


def sentences(page: Path) -> str:
    """A page without its blocks."""
    return re.sub(r"^(`{3,}).*?^\1\s*$", "", page.read_text(), flags=re.S | re.M)


def calls() -> Iterator[tuple[Path, str]]:
    """Every call in code inside a sentence, with its page."""
    for page in PAGES:
        for code in dict.fromkeys(re.findall(r"(?<!`)`([^`\n]+)`(?!`)", sentences(page))):
            try:
                tree = ast.parse(code, mode="eval")
            except SyntaxError:
                continue
            if any(isinstance(node, ast.Call) for node in ast.walk(tree)):
                yield page, code


def blocks(language: str) -> Iterator[tuple[Path, str]]:
    """Every block of a language that the site does not run, with its page."""
    for page in PAGES[1:]:  # the README's are of `test_documents`, as are those of two pages
        if page.name not in ("command-line.md", "r-and-python.md"):
            for code in re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.S | re.M):
                yield page, code


def identified(result: Iterator[tuple[Path, str]]) -> list[Any]:
    return [pytest.param(p, code, id=f"{p.relative_to(ROOT)}: {' '.join(code.split())[:60]}") for p, code in result]


class Filled(ast.NodeTransformer):
    """Calls with three dots, with what these stand for."""

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if any(isinstance(arg, ast.Constant) and arg.value is ... for arg in node.args):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            given = {keyword.arg for keyword in node.keywords}
            node.args = []
            node.keywords += [
                ast.keyword(key, ast.parse(text, mode="eval").body)
                for key, text in DOTS[name].items()
                if key not in given
            ]
        return node


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A folder and the things that a reader has in a session: small, so that everything is quick."""
    folder = tmp_path_factory.mktemp("reader")
    rng = np.random.default_rng(8)
    people = fs.arrests().head(1200).reset_index(drop=True)
    people["hired"] = (people["released"] == "Yes").astype(int)
    people["race"], people["year"] = people["colour"], 2024
    for name in ("branch", "ill", "admitted", "approved"):
        people[name] = rng.integers(0, 2, len(people))
    people["risk"] = rng.random(len(people)).round(2)
    result = fs.audit(people, decision="released", favorable="Yes", groups="colour", margin=0.05)
    X, groups = people[["age", "checks"]], people["colour"]
    fit = fs.og(["age", "checks"], "colour", k=1, data=people)
    y, d, s = people["hired"].to_numpy(), rng.integers(0, 2, len(people)), people["sex"]
    may, june = (fs.audit(half, "hired", "sex") for half in (people.head(600), people.tail(600)))
    from sklearn.metrics import accuracy_score

    result.save(folder / "audit.npz")
    (folder / "hospital").mkdir()
    people.to_parquet(folder / "hospital" / "one.parquet")
    people.to_csv(folder / "arrests.csv", index=False)
    for name, part in (("may", people.head(600)), ("june", people.tail(600))):
        part.to_csv(folder / f"{name}.csv", index=False)
    things = {
        "c": people["race"],
        "d": d,
        "demographic_parity_difference": fs.stats.demographic_parity_difference,
        "fit": fit,
        "found": fs.compare_audits(may, june),
        "fs": fs,
        "groups": groups,
        "june": june,
        "staff": paid(),
        "kind": "rates",
        "may": may,
        "metric": accuracy_score,
        "new": people.head(),
        "people": people,
        "print": lambda *_: None,
        "result": result,
        "s": s,
        "table": people,
        "tally": fs.tally(people, "hired", ["sex", "colour"]),
        "X": X,
        "y": y,
        "y_pred": d,
        "y_true": y,
        **{name: getattr(fs, name) for name in FUNCTIONS},
    }
    return folder, things


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::fairstats.errors.FairstatsWarning")
@pytest.mark.parametrize(("page", "code"), identified((p, c) for p, c in calls() if c not in OTHERS))
def test_a_call_inside_a_sentence_runs(page: Path, code: str, reader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, things = reader
    monkeypatch.chdir(folder)
    things = {**things, **imported(code)}
    if page.name in RESULTS and "result" in code:
        things["result"] = RESULTS[page.name](things["people"])
    if page.name == "which-groups.md" and "X" in code:
        things["X"] = ["checks", "hired"]
    if code == 'fs.read_table("people.rds")' and not Path("people.rds").exists():
        fs.r.write_rds(things["people"], "people.rds")
    tree = ast.fix_missing_locations(Filled().visit(ast.parse(code, mode="eval")))
    eval(compile(tree, str(page), "eval"), things)  # noqa: S307  our own pages


# what `result` is on a page, where it is no audit of two decisions
RESULTS = {
    "classes.md": lambda people: fs.audit(people.assign(year=people["checks"] % 3), "year", "colour"),
    "models.md": lambda people: fs.compare_models(people, ["ill", "admitted"], "colour", outcome="approved"),
}


def imported(code: str) -> dict[str, Any]:
    """Modules of others that a piece of code uses, and ours for R."""
    result: dict[str, Any] = {}
    if "fr." in code:
        result["fr"] = fs.r
    if "duckdb." in code:
        result["duckdb"] = pytest.importorskip("duckdb")
    if "MetricFrame" in code:
        result["MetricFrame"] = pytest.importorskip("fairlearn.metrics").MetricFrame
    return result


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::fairstats.errors.FairstatsWarning")
@pytest.mark.parametrize(("page", "code"), identified(blocks("python")))
def test_a_block_that_the_site_only_shows_runs(
    page: Path, code: str, reader: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, things = reader
    monkeypatch.chdir(folder)
    things = {**things, **imported(code)}
    people = things["people"]
    yes = people.assign(hired=np.where(people["hired"] == 1, "yes", "no"))
    yes.to_csv("people.csv", index=False)
    if "ibis" in code:
        ibis, arrow = pytest.importorskip("ibis"), pytest.importorskip("pyarrow")

        class Database:
            def table(self, name: str) -> Any:
                backend = ibis.duckdb.connect()
                backend.con.register("rows", arrow.Table.from_pandas(people))
                backend.con.execute(f"CREATE TABLE {name} AS SELECT * FROM rows")
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", DeprecationWarning)  # Ibis calls what this DuckDB has renamed
                    return backend.table(name)

        monkeypatch.setattr(ibis.postgres, "connect", lambda *_, **__: Database())
        things["ibis"] = ibis
    exec(compile(code, str(page), "exec"), things)  # noqa: S102  our own pages


def paid(n: int = 300) -> pd.DataFrame:
    """A pay file, as the guide's pages about pay have it."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"sex": rng.choice(["f", "m"], n), "grade": rng.choice(["a", "b"], n), "age": rng.integers(20, 60, n)}
    )
    frame["education"] = rng.choice(["school", "college"], n)
    frame["pay"] = frame["wage"] = np.round(np.exp(rng.normal(3 + 0.1 * (frame["sex"] == "m"), 0.3)), 2)
    return frame.assign(bonus=rng.integers(0, 3, n), hours=rng.choice([20, 38], n))


@pytest.mark.long
@pytest.mark.parametrize(("page", "code"), identified((p, c) for p, c in blocks("bash") if "fairstats " in c))
def test_a_command_that_the_site_only_shows_runs(
    page: Path, code: str, reader: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, things = reader
    monkeypatch.chdir(folder)
    age = np.where(things["people"]["age"] < 25, "young", "old")
    things["people"].assign(age=age).to_csv("people.csv", index=False)
    paid().to_csv("pay.csv", index=False)
    for line in code.splitlines():
        words = shlex.split(line)
        if words[:1] == ["fairstats"]:
            expected = (0, 1) if "--fail-on" in words else (0,)
            assert fairstats.cli.run(words[1:]) in expected, (line, capsys.readouterr().err)


def test_what_is_not_run_is_on_a_page_and_no_call_of_ours() -> None:
    members = {code for _, code in calls()}
    assert len(members) > 50
    # R's calls are on the list by both names of an argument that is about to be renamed
    assert {code for code in set(OTHERS) - members if "group" not in code} == set()
    assert not [code for code in OTHERS if re.match(r"(fs|fairstats|result|fit)\.", code)]
