"""Code in the pages runs: what stands inside sentences and cells of tables, and blocks that the site only shows.

Blocks marked ``{run}`` are run by the site. A call in a sentence is run after the blocks above it, among a reader's own
things (`reader`): a table of people, a result, a fit. It is Python of ours if it begins with ``fs`` or ``fr``, or if
reader or page have every name in it; calls of R begin with functions that neither has. Three dots stand for the usual
arguments of a function; one without the arguments that it needs, as ``fs.table()``, is a name.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import re
import shlex
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats as fs
import fairstats.cli
from fairstats.errors import InputError

ROOT = Path(__file__).resolve().parents[1]
BUILT = {"_build", "reference", "vignettes"}  # by make docs
PAGES = [ROOT / "README.md", *sorted(p for p in (ROOT / "docs").rglob("*.md") if not BUILT & set(p.parts))]

# What three dots stand for.
DOTS: dict[str, dict[str, Any]] = {
    "audit": {"data": "people", "decision": "'released'", "favorable": "'Yes'", "groups": "'colour'"},
    "tally": {"data": "people", "decision": "'hired'", "groups": "'colour'"},
    "by_group": {"metric": "metric", "y_true": "y_true", "y_pred": "y_pred", "groups": "s"},
    "leakage": {"fit": "fit.crossfit(X, groups)", "permutations": "19"},
    "fair_pca": {"X": "people[['age', 'checks', 'hired']]", "groups": "groups", "k": "1"},
    "demographic_parity_difference": {"y_true": "y_true", "y_pred": "y_pred", "sensitive_features": "s"},
    "MetricFrame": {"metrics": "metric", "y_true": "y_true", "y_pred": "y_pred", "sensitive_features": "s"},
}
# Named without fs. in tables of calls.
FUNCTIONS = {"audit", "leakage"}


RUN = re.compile(r"^```\{run\} python\n((?::[^\n]*\n)*)(.*?)^```$", re.S | re.M)


def calls(text: str) -> Iterator[str]:
    """Every call in code inside a sentence."""
    text = re.sub(r"^(`{3,}).*?^\1\s*$", "", text, flags=re.S | re.M)
    for code in dict.fromkeys(re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text)):
        try:
            tree = ast.parse(code, mode="eval")
        except SyntaxError:
            continue
        if any(isinstance(node, ast.Call) for node in ast.walk(tree)):
            yield code


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
        "change": fs.compare_audits(may, june),
        "monitor": fs.monitor(people.assign(month=np.arange(len(people)) // 300), "hired", "sex", period="month"),
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


def in_order(page: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every call of a page, with what the blocks above it have made, up to one that needs files of others."""
    made: dict[str, Any] = {"display": lambda *_: None}
    text = page.read_text()
    place, needs = 0, False
    for block in (*RUN.finditer(text), None):
        for code in calls(text[place : block.start() if block else None]):
            yield code, made
        needs = needs or bool(block and ":needs:" in block[1])
        if block and not needs:
            with contextlib.suppress(*[Exception] * (":raises:" in block[1])):
                exec(compile(block[2], str(page), "exec"), made)  # noqa: S102  our own pages
        place = block.end() if block else len(text)


def evaluated(code: str, page: Path, things: dict[str, Any]) -> bool:
    """Run a call, or find what it names; False where it is none of Python."""
    tree = ast.parse(code, mode="eval")
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if not (re.match(r"(fs|fr)\.", code) or names <= things.keys()):
        return False
    tree = ast.fix_missing_locations(Filled().visit(tree))
    call = tree.body
    if isinstance(call, ast.Call) and not call.args and not call.keywords:
        function = eval(compile(ast.Expression(call.func), str(page), "eval"), things)  # noqa: S307  our own pages
        try:
            inspect.signature(function).bind()
        except TypeError:
            return True
    eval(compile(tree, str(page), "eval"), things)  # noqa: S307
    return True


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::fairstats.errors.FairstatsWarning")
@pytest.mark.parametrize(
    "page", [pytest.param(p, id=str(p.relative_to(ROOT))) for p in PAGES if [*calls(p.read_text())]]
)
def test_calls_inside_sentences_run(page: Path, reader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, things = reader
    monkeypatch.chdir(folder)
    fs.r.write_rds(things["people"], "people.rds")
    faults = {}
    for code, made in in_order(page):
        of_page = {name: made[name] for name in OF_PAGES if name in made} | OF_PAGE.get(page.name, lambda _: {})(things)
        try:
            evaluated(code, page, made | things | of_page | imported(code))
        except Exception as error:  # noqa: BLE001  all of a page are told
            faults[code] = f"{type(error).__name__}: {error}"
    assert faults == {}


# what a page means by a name of its own; other names that a reader has, too, are the reader's
OF_PAGES = ("result", "found")
OF_PAGE: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "classes.md": lambda reader: {
        "data": reader["people"].assign(decision=np.resize(["accept", "review", "reject"], len(reader["people"])))
    },
    "models.md": lambda reader: {
        f"by_{group}": fs.compare_models(reader["people"], ["ill", "admitted"], group, outcome="approved")
        for group in ("sex", "race")
    },
    "reading-a-report.md": lambda reader: {
        "audit": reader["result"],
        "decomposition": fs.decompose(reader["people"], decision="hired", groups="sex", explained_by="colour"),
    },
    "uncertain-groups.md": lambda reader: {
        "audit": reader["result"],
        "table": reader["people"].assign(p=0.3, q=0.7, self_reported=reader["people"]["sex"]),
        "decision": "hired",
        "groups": {"White": "p", "Black": "q"},
    },
    "which-groups.md": lambda reader: {"X": ["checks", "hired"]},
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
    postcode = things["people"]["year"] * 10 + things["people"]["checks"]
    things["people"].assign(age=age, postcode=postcode).to_csv("people.csv", index=False)
    paid().to_csv("pay.csv", index=False)
    for line in code.splitlines():
        words = shlex.split(line)
        if words[:1] == ["fairstats"]:
            expected = (0, 1) if "--fail-on" in words else (0,)
            assert fairstats.cli.run(words[1:]) in expected, (line, capsys.readouterr().err)


def test_what_is_run_is_python() -> None:
    things = {"fs": fs, "result": fs.Estimates(), "print": lambda *_: None}
    ours = ("fs.table()", "result.tidy()", "print(result)", "fs.stats.wilson(3, 9)")
    others = ("tidy(result)", "fair_audit()", "P(X>Y)", "fisher.test()", "result.tidy(metric=name)", "transform()")
    assert {code: evaluated(code, ROOT, things) for code in (*ours, *others)} == {
        **dict.fromkeys(ours, True),
        **dict.fromkeys(others, False),
    }
    for code in ("fs.tables()", "fs.table(result, name)", 'result.tidy(rolle="main")'):
        with pytest.raises((AttributeError, NameError, TypeError, InputError)):
            evaluated(code, ROOT, things)
