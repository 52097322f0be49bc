"""``fairstats cluster``: the numbers of the Python call, files by suffix, and one line for bad input."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.cli import run


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A block model of 120 people and three who know nobody, as the two tables that a user has."""
    result = fairstats.simulate.sbm(120, 2, 2, (0.6, 0.4, 0.2, 0.05), seed=2)
    upper = result.weights.tocoo()
    kept = upper.row < upper.col
    names = np.array([f"p{i:03d}" for i in range(123)])
    pd.DataFrame({"strength": 2.0, "a": names[upper.row[kept]], "b": names[upper.col[kept]]}).to_csv(
        tmp_path / "edges.csv", index=False
    )
    gender = np.append(np.where(result.table["group"] == 1, "f", "m"), ["f", "m", "m"])
    pd.DataFrame({"gender": gender, "name": names}).to_csv(tmp_path / "nodes.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


CALL = ["cluster", "edges.csv", "--from", "a", "--to-node", "b", "--weight", "strength"]
NODES = ["--nodes", "nodes.csv", "--id", "name", "--groups", "gender"]


def test_it_prints_what_the_python_call_says(files: Path, capsys: pytest.CaptureFixture) -> None:
    assert run([*CALL, *NODES, "-k", "2", "--largest-component", "--unnormalized", "--seed", "3"]) == 0
    graph = fairstats.graph(
        pd.read_csv("edges.csv"), nodes=pd.read_csv("nodes.csv"), source="a", target="b", weight="strength", id="name",
        component="largest",
    )  # fmt: skip
    result = fairstats.fair_spectral_clustering(graph, "gender", 2, normalized=False, seed=3)
    printed = capsys.readouterr()
    assert printed.out == result.summary() + "\n" and printed.err == ""
    assert "3 of 123 vertices" in printed.out


def test_zeros_of_a_column_that_is_not_named_are_asked_about_and_empty_cells_are_explained(
    files: Path, capsys: pytest.CaptureFixture
) -> None:
    edges = pd.read_csv("edges.csv")
    edges.assign(strength=edges.index % 2).to_csv("edges.csv", index=False)
    call = ["cluster", "edges.csv", "--from", "a", "--to-node", "b", *NODES, "--largest-component", "--to", "c.csv"]
    assert run(call) == 2
    assert (
        "pass --weight strength or call the column 'weight'; if each row is a link, pass --unweighted."
        in capsys.readouterr().err
    )
    assert run([*call[:-2], "--unweighted"]) == 0
    assert "Links without weights: each counts 1." in capsys.readouterr().out
    edges.to_csv("edges.csv", index=False)
    assert run(call) == 0
    empty = int(pd.read_csv("c.csv")[".cluster"].isna().sum())
    said = f"{empty} of 123 vertices lie outside the largest component: their .cluster is empty."
    assert empty == 3 and said in " ".join(capsys.readouterr().err.split())


def test_files_are_written_by_suffix(files: Path, capsys: pytest.CaptureFixture) -> None:
    targets = ["--to", "clusters.csv", "--to", "report.html", "--to", "report.json"]
    assert run([*CALL, *NODES, "--largest-component", *targets]) == 0
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("wrote ") == 3
    table = pd.read_csv("clusters.csv")
    assert list(table) == ["gender", "name", ".cluster"] and table[".cluster"].isna().sum() == 3
    (partition,) = json.loads(Path("report.json").read_text())["partitions"]
    assert table[".cluster"].dropna().astype(int).tolist() == partition["labels"]


def test_plain_clusters_need_no_groups(files: Path, capsys: pytest.CaptureFixture) -> None:
    assert run([*CALL, "--unconstrained", "-k", "2", "--to", "clusters.csv", "--summary"]) == 0
    assert "Normalized spectral clustering" in capsys.readouterr().out
    assert list(pd.read_csv("clusters.csv")) == ["vertex", ".cluster"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (NODES, "isolated vertices (p120, p121, p122), and the normalized form divides by the degree"),
        (["-k", "2"], "name the groups with --nodes and --groups"),
        (["--unconstrained", "--groups", "gender"], "give it with --nodes"),
        ([*NODES[:4], "--groups", "gendr", "--largest-component"], "did you mean 'gender'"),
        ([*NODES, "--unweighted"], "--weight strength names weights that --unweighted leaves out"),
        ([*NODES, "-k", "1", "--largest-component"], "k has 1; it"),
        (["--nodes", "nodes.csv", "--id", "gender", "--groups", "gender"], "several rows for the same vertex"),
        ([*NODES, "--to", "no/such/folder.csv"], "there is no folder"),
    ],
)
def test_bad_input_is_said_on_stderr_with_code_2(
    files: Path, capsys: pytest.CaptureFixture, arguments: list[str], message: str
) -> None:
    assert run([*CALL, *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and message in printed.err
    assert {f.name for f in files.iterdir()} == {"edges.csv", "nodes.csv"}


def test_a_disconnected_graph_is_a_note(files: Path, capsys: pytest.CaptureFixture) -> None:
    assert run([*CALL, *NODES, "--unnormalized", "-k", "4"]) == 0
    assert "note: graph has 4 connected components (sizes 120, 1, 1, 1)" in capsys.readouterr().err


def test_balance_and_rows_of_length_one_are_those_of_the_python_call(files: Path) -> None:
    more = ["-k", "2", "--largest-component", "--normalize-rows", "--balance", "0.9", "--to", "made.npz"]
    assert run([*CALL, *NODES, *more]) == 0
    graph = fairstats.graph(
        pd.read_csv("edges.csv"), nodes=pd.read_csv("nodes.csv"), source="a", target="b", weight="strength", id="name",
        component="largest",
    )  # fmt: skip
    ours = fairstats.fair_spectral_clustering(graph, "gender", 2, normalize_rows=True, balance=0.9)
    made = fairstats.load("made.npz")
    assert made.labels.tolist() == ours.labels.tolist() and made.settings["balance"] == 0.9
    assert run([*CALL, "--unconstrained", "--balance", "0.9"]) == 2
