"""Commands on results: verify, report, plot, tally, leakage, completion, help."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.cli import cli, run
from fairstats.data.datasets import ARRESTS
from fairstats.data.read import write_table
from fairstats.files import is_ours

WHO = ["--groups", "colour", "--decision", "released", "--favorable", "Yes"]
FEATURES = ["--groups", "colour", "--features", "age,checks,year", "-k", "2"]


@pytest.fixture(scope="module")
def saved(tmp_path_factory) -> Path:
    """An audit and a fit as they are saved, and the report in three forms."""
    folder = tmp_path_factory.mktemp("saved")
    targets = [word for end in ("npz", "pdf", "html", "json") for word in ("--to", str(folder / f"a.{end}"))]
    assert run(["audit", str(ARRESTS), *WHO, *targets]) == 0
    assert run(["fit", "og", str(ARRESTS), *FEATURES, "--to", str(folder / "fit.npz")]) == 0
    return folder


@pytest.mark.long
@pytest.mark.parametrize("form", ["pdf", "html", "json"])
def test_a_report_follows_from_its_data_and_from_no_other(saved, form, tmp_path, capsys):
    report = str(saved / f"a.{form}")
    assert run(["verify", report, str(ARRESTS)]) == 0
    assert "all agree within 1e-9" in capsys.readouterr().out
    frame = fairstats.arrests()
    frame.loc[0, "released"] = {"Yes": "No", "No": "Yes"}[frame["released"][0]]
    write_table(frame, tmp_path / "changed.csv")
    assert run(["verify", report, str(tmp_path / "changed.csv")]) == 1
    printed = capsys.readouterr()
    assert "does not agree" in printed.out and "not the recorded one" in printed.out and printed.err == ""


@pytest.mark.long
def test_edited_pages_end_with_1_and_what_cannot_be_reproduced_with_4(saved, tmp_path, capsys):
    page = (saved / "a.html").read_text()
    (tmp_path / "edited.html").write_text(page.replace("<h1", "<p>No disparity.</p><h1", 1))
    assert run(["verify", str(tmp_path / "edited.html"), str(ARRESTS)]) == 1
    assert "the file is not the one that they give" in capsys.readouterr().out
    joined = str(tmp_path / "joined.html")
    assert run(["report", str(saved / "a.npz"), str(saved / "fit.npz"), "--to", joined]) == 0
    assert run(["verify", joined, str(ARRESTS)]) == 4
    assert "Not verified: og" in capsys.readouterr().out


def test_what_is_no_report_is_bad_input(tmp_path, capsys):
    (tmp_path / "a.json").write_text("{}")
    assert run(["verify", str(tmp_path / "a.json"), str(ARRESTS)]) == 2
    assert run(["verify", "nowhere.pdf", str(ARRESTS)]) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_saved_results_are_joined_in_one_report(saved, tmp_path, capsys):
    target = tmp_path / "r.json"
    assert run(["report", str(saved / "*.npz"), "--to", str(target), "--title", "Both"]) == 0
    result = json.loads(target.read_text())
    expected = fairstats.report(fairstats.load(saved / "a.npz"), fairstats.load(saved / "fit.npz"), title="Both")
    assert result == json.loads(expected.json) and result["audit"] and result["fits"][0]["method"] == "og"
    assert run(["report", str(saved / "a.npz")]) == 2
    assert "--to report.html" in capsys.readouterr().err


def test_the_report_of_a_saved_audit_does_not_replace_its_data(tmp_path, capsys):
    data = tmp_path / "people.csv"
    shutil.copy(ARRESTS, data)
    assert run(["audit", str(data), *WHO, "--to", str(tmp_path / "a.npz")]) == 0
    assert run(["report", str(tmp_path / "a.npz"), "--to", str(data), "--force"]) == 2
    assert data.read_bytes() == ARRESTS.read_bytes()


@pytest.mark.long
@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_figure_is_written_in_the_form_of_its_ending(saved, ending, tmp_path, capsys):
    target = tmp_path / f"f.{ending}"
    plot = ["plot", str(saved / "a.npz"), "--kind", "differences", "--to", str(target)]
    assert run(plot) == 0
    expected = fairstats.load(saved / "a.npz").plot("differences")
    assert capsys.readouterr().out.split() == expected.caption.split()
    assert target.read_bytes() == expected.save(tmp_path / f"g.{ending}").read_bytes()
    assert is_ours(target) and run(plot) == 0
    target.write_bytes(b"mine")
    assert run(plot) == 2


def test_a_figure_has_the_dots_that_were_named(saved, tmp_path, capsys):
    for dpi in (60, 120):
        assert run(["plot", str(saved / "a.npz"), "--dpi", str(dpi), "--to", str(tmp_path / "f.png")]) == 0
        header = (tmp_path / "f.png").read_bytes()[16:20]
        width = fairstats.load(saved / "a.npz").plot().width
        assert int.from_bytes(header) == pytest.approx(width / 25.4 * dpi, abs=2)
    assert run(["plot", str(saved / "a.npz"), "--dpi", "9", "--to", str(tmp_path / "f.png")]) == 2
    assert "--dpi has 9" in capsys.readouterr().err


def test_without_a_target_the_figures_of_a_result_are_listed(saved, capsys):
    assert run(["plot", str(saved / "a.npz")]) == 0
    assert capsys.readouterr().out.split() == list(fairstats.load(saved / "a.npz").plots)
    assert run(["plot", str(saved / "a.npz"), "--kind", "rate", "--to", "x.svg"]) == 2
    assert "--kind has 'rate'" in capsys.readouterr().err and not Path("x.svg").exists()


def test_tallies_of_parts_add_up_to_the_audit_of_the_whole(tmp_path, capsys):
    frame = fairstats.arrests()
    count = ["--groups", "colour,sex", "--decision", "released"]
    for name, part in {"may": frame.iloc[:999], "june": frame.iloc[999:]}.items():
        write_table(part, tmp_path / f"{name}.csv")
        assert run(["tally", str(tmp_path / f"{name}.csv"), *count, "--to", str(tmp_path / f"{name}.npz")]) == 0
    assert run(["tally", str(tmp_path / "*.npz"), "--to", str(tmp_path / "both.npz")]) == 0
    assert "5,226 rows" in capsys.readouterr().out
    audit = ["--groups", "colour", "--favorable", "Yes", "--format", "json"]  # the decision is the tally's
    expected = fairstats.audit(ARRESTS, "released", "colour", favorable="Yes").estimates.to_records()
    for files in (["both.npz"], ["may.npz", "june.npz"]):
        assert run(["audit", *(str(tmp_path / f) for f in files), *audit]) == 0
        result = json.loads(capsys.readouterr().out)["audit"]
        assert result["estimates"] == expected and result["data"]["name"] == ", ".join(files)
    assert run(["tally", str(tmp_path / "may.npz"), *count]) == 2
    assert run(["audit", str(tmp_path / "may.npz"), str(tmp_path / "may.csv"), *audit]) == 2
    assert run(["tally", str(tmp_path / "may.npz"), "--format", "json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["schema"] == "fairstats/tally/1" and printed.err.count("\n") == 2


@pytest.fixture
def few(tmp_path) -> Path:
    """Six hundred arrests: leakage takes its time."""
    write_table(fairstats.arrests().iloc[:600], tmp_path / "few.csv")
    return tmp_path / "few.csv"


@pytest.mark.long
def test_leakage_is_that_of_the_call_for_a_method_a_saved_fit_and_held_out_scores(few, tmp_path, capsys):
    fast = ["--permutations", "5"]
    assert run(["leakage", "og", str(few), *FEATURES, *fast, "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)["others"][0]["estimates"]
    frame = fairstats.read_table(few).frame
    fit = fairstats.og(["age", "checks", "year"], "colour", 2, data=frame)
    expected = fairstats.leakage(fit, ["age", "checks", "year"], "colour", data=frame, permutations=5)
    assert result == expected.estimates.to_records()
    fit.save(tmp_path / "fit.npz")
    assert run(["leakage", str(tmp_path / "fit.npz"), str(few), *fast, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["others"][0]["estimates"] == result
    scores = fairstats.leakage(fit.crossfit(frame, folds=3, seed=4), seed=4, permutations=5).estimates.to_records()
    three = [*fast, "--held-out", "--folds", "3", "--seed", "4", "--format", "json"]
    for start in (["og", str(few), *FEATURES], [str(tmp_path / "fit.npz"), str(few)]):
        assert run(["leakage", *start, *three]) == 0
        assert json.loads(capsys.readouterr().out)["others"][0]["estimates"] == scores
    fit.crossfit(["age", "checks", "year"], "colour", data=frame).save(tmp_path / "held.npz")
    items = ["leakage", str(tmp_path / "held.npz"), *fast]
    gates = ["--fail-on", "leakage>0.99,leakage>0.3"]
    assert run([*items, *gates, "--to", str(tmp_path / "l.npz")]) == 1
    printed = capsys.readouterr()
    assert "held-out scores" in printed.out and printed.err.count("gate failed") == 1
    assert "AUC of a probe above 0.3" in printed.err
    assert run([*items, "--fail-on", "ratio<0.8"]) == 2
    assert run([*items[:2], str(few)]) == 2
    assert run(["leakage", "ogg", str(few), *FEATURES]) == 2 and run(["leakage", "og"]) == 2
    assert "did you mean 'og'" in capsys.readouterr().err
    assert run(["report", str(tmp_path / "l.npz"), "--to", str(tmp_path / "l.html")]) == 0


def test_what_leakage_of_a_file_saves_is_read_again_with_its_file(few, tmp_path, capsys):
    file = tmp_path / "leak.npz"
    assert run(["leakage", "og", str(few), *FEATURES, "--permutations", "2", "--to", str(file)]) == 0
    (source,) = fairstats.load(file).data
    assert (source.name, source.rows) == ("few.csv", 600)
    assert run(["plot", str(file), "--to", str(tmp_path / "leak.svg")]) == 0
    assert run(["report", str(file), "--to", str(tmp_path / "leak.json")]) == 0
    (shown,) = json.loads((tmp_path / "leak.json").read_text())["others"]
    assert shown["data"] == [source.to_dict()]


def test_a_saved_result_of_another_kind_is_named(saved, capsys):
    assert run(["apply", str(saved / "a.npz"), str(ARRESTS), "--to", "x.csv"]) == 2
    assert "holds an audit; what is needed is a fit with components" in capsys.readouterr().err
    assert run(["audit", str(saved / "fit.npz"), *WHO]) == 2
    assert "holds a projection; what is needed is a tally" in capsys.readouterr().err


def test_bash_takes_the_script_that_completes(capsys):
    if shutil.which("bash") is None:
        pytest.skip("no bash here")
    assert run(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    code = f"{script}\ncomplete -p fairstats"
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0 and "_fairstats_completion" in done.stdout, done.stderr
    assert run(["completion", "fish"]) == 0 and run(["completion", "zsh"]) == 0 and run(["completion", "csh"]) == 2


def test_help_of_a_command_is_that_of_its_option(capsys):
    for words in (["audit"], ["protocol", "init"], []):
        assert run(["help", *words]) == 0
        out = capsys.readouterr().out
        assert run([*words, "--help"]) == 0
        assert capsys.readouterr().out == out
    assert run(["help", "aduit"]) == 2 and run(["help", "audit", "x"]) == 2


def test_every_command_is_in_the_readme_or_the_help():
    from click.testing import CliRunner

    text = CliRunner().invoke(cli, ["--help"]).output
    assert all(f"\n  {name} " in text for name in cli.commands)


@pytest.mark.long
def test_price_extra_error_and_number_of_components_are_those_of_the_calls(few, tmp_path, capsys):
    frame, columns = fairstats.read_table(few).frame, ["age", "checks", "year"]
    fit = fairstats.og(columns, "colour", 2, data=frame)
    fit.save(tmp_path / "fit.npz")
    calls = {
        ("price", "og"): fairstats.price_of_fairness(fit, columns, "colour", data=frame),
        ("extra-error", "og", "--permutations", "9"): fairstats.extra_error(
            fit, columns, "colour", data=frame, permutations=9
        ),
        ("select-k", "og", "--permutations", "9"): fairstats.select_k(
            columns, "colour", "og", data=frame, permutations=9
        ),
    }
    for (command, method, *fast), expected in calls.items():
        given = [one for one in FEATURES if one not in ("-k", "2")] if command == "select-k" else FEATURES
        file = tmp_path / f"{command}.npz"
        assert run([command, method, str(few), *given, *fast, "--format", "json", "--to", "-", "--to", str(file)]) == 0
        written = json.loads(capsys.readouterr().out)
        (shown,) = written["others"] + written["extra_errors"]
        assert fairstats.load(file).to_dict()["estimates"] == shown["estimates"]
        assert shown["estimates"] == expected.estimates.to_records()
        if command != "select-k":
            assert run([command, str(tmp_path / "fit.npz"), str(few), *fast]) == 0
            assert capsys.readouterr().out.strip() == str(expected.summary()).strip()
    assert (
        run(["price", "pca", str(few), *FEATURES]) == 2 and run(["extra-error", "fair_pca", str(few), *FEATURES]) == 2
    )
    assert run(["select-k", "ogg", str(few)]) == 2


@pytest.mark.parametrize("command", ["price", "extra-error", "select-k", "tradeoff"])
def test_the_examples_of_help_run(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng, n = np.random.default_rng(0), 300
    people = pd.DataFrame({"race": rng.choice(["a", "b"], n), "age": rng.integers(18, 70, n)})
    people.assign(priors=rng.poisson(2, n), charges=rng.poisson(3, n)).to_csv("people.csv", index=False)
    written = (cli.commands[command].help or "").replace("\\\n", " ")
    examples = re.findall(rf"fairstats ({command} .*)", written)
    assert examples
    for line in examples:
        assert run(shlex.split(line)) == 0, line
