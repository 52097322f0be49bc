"""What a person at a terminal, or a pipeline, meets: files, one line of error, exit codes that mean something."""

from __future__ import annotations

import importlib
import inspect
import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.cli import cli, run
from fairstats.data.datasets import ARRESTS, arrests
from fairstats.data.read import read_table
from fairstats.estimates import Estimates

AUDIT = importlib.import_module("fairstats.auditing.audit")
ARREST_AUDIT = ["audit", str(ARRESTS), "--groups", "colour", "--decision", "released", "--favorable", "Yes"]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """Four hundred people in two groups: the score is higher in one of them."""
    rng = np.random.default_rng(5)
    group = rng.choice(["a", "b"], 400)
    x = rng.normal(size=(400, 3)) + (group == "b")[:, None]
    frame = pd.DataFrame(x, columns=["u", "v", "w"]).assign(group=group, y=(x.sum(1) > rng.normal(size=400)) * 1)
    frame.to_csv(tmp_path / "people.csv", index=False)
    return tmp_path / "people.csv"


def terminal(*arguments: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-m", "fairstats", *arguments], capture_output=True, text=True, **options)


def test_an_audit_without_files_prints_its_summary_and_nothing_else(capsys):
    assert run(ARREST_AUDIT) == 0
    printed = capsys.readouterr()
    assert "955/1,288" in printed.out and "3,379/3,938" in printed.out
    assert printed.err == ""
    assert max(map(len, printed.out.splitlines())) <= 80


def test_the_command_line_gives_the_numbers_of_the_python_call(tmp_path, capsys):
    from fairstats.auditing.audit import audit

    target = tmp_path / "audit.json"
    assert run([*ARREST_AUDIT, "--conf-level", "0.9", "--p-adjust", "bonferroni", "--to", str(target)]) == 0
    rows = audit(ARRESTS, groups="colour", decision="released", favorable="Yes", conf_level=0.9, p_adjust="bonferroni")
    assert rows.estimates.to_records() == _estimates(json.loads(target.read_text()))


def _estimates(value):
    """The rows of the estimates, wherever the report's schema puts them."""
    if isinstance(value, dict):
        for name, inside in value.items():
            result = inside if name == "estimates" else _estimates(inside)
            if result:
                return result
    if isinstance(value, list):
        return next((result for inside in value if (result := _estimates(inside))), None)
    return None


def test_with_files_the_printed_audit_is_on_stdout_and_the_files_are_named_on_stderr(tmp_path, capsys):
    files = [str(tmp_path / name) for name in ("a.html", "a.json", "a.csv")]
    assert run([*ARREST_AUDIT, *(word for f in files for word in ("--to", f))]) == 0
    printed = capsys.readouterr()
    assert run([*ARREST_AUDIT, "--brief"]) == 0
    answered, cautions = printed.out.split("\nCautions\n")
    brief = capsys.readouterr().out  # of which there is the number where they do not follow
    assert answered == brief.replace("\n1 caution; ", "\nCautions follow; ") and "74.1% against" in answered
    assert "1 caution" in brief and "1 caution" not in printed.out
    assert "The protocol was given with the call" in cautions
    assert [line for line in printed.err.splitlines() if line.startswith("wrote")] == [f"wrote {f}" for f in files]
    assert all(Path(f).stat().st_size for f in files)


def test_groups_may_be_repeated_or_separated_by_commas(capsys):
    run([*ARREST_AUDIT, "--groups", "sex"])
    repeated = capsys.readouterr().out
    run(["audit", str(ARRESTS), "--groups", "colour,sex", "--decision", "released", "--favorable", "Yes"])
    assert capsys.readouterr().out == repeated
    assert "colour:sex" in repeated


def test_a_gate_fails_with_code_1_only_where_a_disparity_is_shown(tmp_path, capsys):
    assert run([*ARREST_AUDIT, "--fail-on", "disparity"]) == 1
    assert "gate failed: disparity shown" in capsys.readouterr().err
    equal = pd.DataFrame({"group": ["a", "b"] * 50, "hired": [0, 0, 1, 1] * 25})
    equal.to_csv(tmp_path / "equal.csv", index=False)
    audit = ["audit", str(tmp_path / "equal.csv"), "--groups", "group", "--decision", "hired"]
    assert run([*audit, "--fail-on", "disparity"]) == 0
    assert run(ARREST_AUDIT) == 0


BAD_CALLS = {
    "no such column": ([*ARREST_AUDIT, "--strata", "yeer"], "did you mean 'year'"),
    "no such file": (["audit", "arests.csv", "--groups", "colour", "--decision", "released"], "there is no file"),
    "no such label": (["audit", str(ARRESTS), "--groups", "colour", "--decision", "sex"], "--favorable has '1', its"),
    "a measurement as groups": (["audit", str(ARRESTS), "--groups", "age", "--decision", "released"], "in the file if"),
    "missing folder": ([*ARREST_AUDIT, "--to", "no/such/folder/a.pdf"], "there is no folder 'no/such/folder'"),
    "unknown suffix": ([*ARREST_AUDIT, "--to", "a.odt"], "a.odt"),
    "confidence": ([*ARREST_AUDIT, "--conf-level", "95"], "--conf-level has 95"),
    "k too large": (["fit", "og", str(ARRESTS), "--groups", "colour", "--features", "age,checks", "-k", "9"], "k"),
    "formula": (["fit", "og", str(ARRESTS), "--groups", "colour", "--features", "~ agee"], "agee"),
    "no such setting": (
        ["fit", "og", str(ARRESTS), "--groups", "colour", "--features", "age,checks", "--set", "bases=residual"],
        "did you mean 'basis'",
    ),
    "no such method": (
        [
            "compare",
            str(ARRESTS),
            "--outcome",
            "released",
            "--positive",
            "Yes",
            "--groups",
            "colour",
            "--features",
            "age,checks",
            "--methods",
            "none,ogg",
        ],
        "did you mean 'og'",
    ),
    "one group": (["fit", "og", str(ARRESTS), "--features", "~ age + checks"], "groups"),
}


@pytest.mark.parametrize("case", BAD_CALLS)
def test_bad_input_is_one_line_on_stderr_and_code_2(case, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments, message = BAD_CALLS[case]
    assert run(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("fairstats: error: ") and printed.err.count("\n") == 1
    assert message in printed.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments", [["audit"], ["audit", "x.csv", "--nonsense"], ["nonsense"], ["fit", "nonsense", "x"]]
)
def test_bad_usage_is_code_2_and_points_to_the_help(arguments, capsys):
    assert run(arguments) == 2
    assert "--help" in capsys.readouterr().err


def test_a_fault_of_the_program_is_not_mistaken_for_a_failed_gate(monkeypatch, capsys):
    def broken(*_, **__):
        raise ZeroDivisionError("1/0")

    monkeypatch.setattr(AUDIT, "audit", broken)
    assert run([*ARREST_AUDIT, "--fail-on", "disparity"]) == 3
    assert "fault of the program" in capsys.readouterr().err


def test_an_interrupted_run_says_so_and_ends_with_130(monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(AUDIT, "audit", interrupted)
    assert run(ARREST_AUDIT) == 130
    assert "interrupted" in capsys.readouterr().err


def test_a_note_about_the_file_goes_to_stderr_as_one_line(tmp_path, capsys):
    file = tmp_path / "latin.csv"
    file.write_bytes("group;hired\nZoë;1\nZoë;0\nb;1\nb;0\n".encode("latin-1"))
    assert run(["audit", str(file), "--groups", "group", "--decision", "hired"]) == 0
    printed = capsys.readouterr()
    assert printed.err.startswith("fairstats: note: latin.csv is not UTF-8") and printed.err.count("\n") == 1
    assert "Zoë" in printed.out


@pytest.mark.long
def test_a_reader_that_stops_early_meets_no_traceback():
    command = f"{sys.executable} -m fairstats {' '.join(ARREST_AUDIT)} | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.stdout.count("\n") == 1
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr


def test_og_writes_a_table_whose_features_no_longer_follow_the_groups(people, tmp_path, capsys):
    target = tmp_path / "adjusted.parquet"
    assert run(["fit", "og", str(people), "--groups", "group", "--features", "~ u + v + w", "-k", "2",
                "--to", str(target)]) == 0  # fmt: skip
    before, after = read_table(people).frame, read_table(target).frame
    assert list(after.columns) == ["group", "y", "u", "v", "w"]
    gaps = [f.groupby("group")[["u", "v", "w"]].mean().diff().iloc[1].abs() for f in (before, after)]
    assert gaps[0].min() > 0.5 and gaps[1].max() < 1e-12
    assert capsys.readouterr() == ("", f"wrote {target}\n")


def test_a_formula_leaves_no_raw_feature_beside_the_adjusted_ones(tmp_path):
    target = tmp_path / "adjusted.csv"
    assert run(["fit", "og", str(ARRESTS), "--groups", "colour", "--features", "~ (age + checks + sex)**2", "-k", "3",
                "--to", str(target)]) == 0  # fmt: skip
    frame = read_table(target).frame
    assert "sex" not in frame.columns and {"colour", "released", "age", "age:checks"} <= set(frame.columns)
    assert len(frame) == 5226


def test_scores_stand_beside_the_input(people, tmp_path, capsys):
    target = tmp_path / "scores.csv"
    assert run(["fit", "pca", str(people), "--features", "u,v,w", "-k", "2", "--scores", str(target), "--summary"]) == 0
    frame = read_table(target).frame
    assert list(frame.columns[-2:]) == [".score_1", ".score_2"] and len(frame) == 400
    assert abs(np.corrcoef(frame[".score_1"], frame[".score_2"])[0, 1]) < 1e-12
    assert "2 components" in capsys.readouterr().out


def test_a_setting_reaches_the_method(people, tmp_path, capsys):
    import fairstats

    fit = ["fit", "og", str(people), "--groups", "group", "--features", "u,v,w", "-k", "1", "--to"]
    assert run([*fit, str(tmp_path / "a.csv"), "--set", "basis=residual", "--set", "intercept=true"]) == 0
    frame = read_table(people).frame
    expected = fairstats.og(["u", "v", "w"], "group", 1, data=frame, basis="residual").reconstruct(frame)
    np.testing.assert_allclose(read_table(tmp_path / "a.csv").frame[["u", "v", "w"]], expected, atol=1e-12)
    assert run([*fit, str(tmp_path / "b.csv")]) == 0
    assert np.abs(read_table(tmp_path / "b.csv").frame[["u", "v", "w"]] - expected).to_numpy().max() > 1e-3


def test_a_saved_fit_adjusts_new_rows_as_it_adjusted_the_first(people, tmp_path, capsys):
    fit, whole, part = (str(tmp_path / name) for name in ("fit.npz", "whole.csv", "part.csv"))
    assert run(["fit", "og", str(people), "--groups", "group", "--features", "~ u * v", "-k", "2", "--to", fit,
                "--to", whole]) == 0  # fmt: skip
    read_table(people).frame.iloc[5:9].to_csv(tmp_path / "new.csv", index=False)
    assert run(["apply", fit, str(tmp_path / "new.csv"), "--to", part, "--scores", str(tmp_path / "scores.csv")]) == 0
    pd.testing.assert_frame_equal(read_table(part).frame, read_table(whole).frame.iloc[5:9].reset_index(drop=True))
    assert ".score_2" in read_table(tmp_path / "scores.csv").frame
    assert run(["apply", fit, str(tmp_path / "new.csv")]) == 2
    assert run(["apply", whole, str(tmp_path / "new.csv"), "--to", part]) == 2
    no_fit = str(Estimates().save(tmp_path / "rows.npz"))
    assert run(["apply", no_fit, str(tmp_path / "new.csv"), "--to", part]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_group_that_the_fit_has_not_seen_is_an_error_or_average(people, tmp_path, capsys):
    fit, new, out = (str(tmp_path / name) for name in ("fit.npz", "new.csv", "out.csv"))
    assert run(["fit", "og", str(people), "--groups", "group", "--features", "u,v", "-k", "2", "--to", fit]) == 0
    rows = read_table(people).frame.iloc[:5]
    rows.assign(group=[*rows["group"][:3], "c", "c"]).to_csv(new, index=False)
    assert run(["apply", fit, new, "--to", out]) == 2 and not Path(out).exists()
    assert "has a level that the fit has not seen: c (rows 4, 5)" in capsys.readouterr().err
    assert run(["apply", fit, new, "--to", out, "--on-unknown", "mean"]) == 0
    note = "2 of 5 rows are treated as average, as the fit has not seen their groups."
    assert note in " ".join(capsys.readouterr().err.split())


def test_errors_about_the_rows_of_a_saved_fit_name_their_file(people, tmp_path, capsys):
    fit, new, out = (str(tmp_path / name) for name in ("fit.npz", "new.csv", "out.csv"))
    assert run(["fit", "og", str(people), "--groups", "group", "--features", "u,v", "-k", "2", "--to", fit]) == 0
    frame = read_table(people).frame
    frame.iloc[:20].to_csv(new, index=False)
    for command in ("price", "extra-error"):
        assert run([command, fit, new]) == 2
        assert f"{new!r} has 20 rows and the fit had {len(frame)}" in capsys.readouterr().err.replace("\n", " ")
    for options in ([], ["--held-out"]):
        assert run(["leakage", fit, new, "--permutations", "0", *options]) == 0
        assert capsys.readouterr().out.startswith("Leakage of one fit on 20 rows that it was not made of: og, k = 2")
    frame.drop(columns="u").to_csv(new, index=False)
    assert run(["apply", fit, new, "--to", out]) == 2
    assert f"{new!r} lacks the columns u that the fit used" in capsys.readouterr().err.replace("\n", " ")


def test_without_features_every_numeric_column_is_one_and_the_note_names_them(people, tmp_path, capsys):
    target = tmp_path / "adjusted.csv"
    assert run(["fit", "og", str(people), "--groups", "group", "--to", str(target)]) == 0
    assert sorted(read_table(target).frame.columns) == ["group", "u", "v", "w", "y"]
    assert "note: 4 features, as --features names none: u, v, w, y.\n" in capsys.readouterr().err
    frame = read_table(people).frame
    frame.assign(id=range(len(frame)), note="x", place="y").to_csv(people, index=False)
    for command in (["fit", "og"], ["leakage", "og", "--permutations", "0"], ["tradeoff", "--methods", "pca,og"]):
        written = ["--to", str(target), "--force"]
        assert run([*command, str(people), "--groups", "group", *written]) == 0
        said = capsys.readouterr().err
        assert said.count("5 features, as --features names none: u, v, w, y, id, and not note, place, which hold") == 1
        assert "--features has 'id' among its features, which counts the rows" in said
    assert run(["fit", "og", str(people), "--groups", "group", "--features", "u,v", *written]) == 0
    assert "note" not in capsys.readouterr().err
    assert run(["fit", "--help"]) == 0 and "[all columns of numbers but" in " ".join(capsys.readouterr().out.split())


def test_messages_of_apply_name_what_its_rows_lack_and_no_option_that_it_has_not(people, tmp_path, capsys):
    fit, new, out = (str(tmp_path / name) for name in ("fit.npz", "new.csv", "out.csv"))
    frame = read_table(people).frame
    assert run(["fit", "og", str(people), "--groups", "group", "--features", "u,v", "-k", "2", "--to", fit]) == 0
    capsys.readouterr()
    frame.drop(columns="group").to_csv(new, index=False)
    assert run(["apply", fit, new, "--to", out]) == 2
    said = capsys.readouterr().err
    assert f"{new!r} has no column group; add that column" in said and "--" not in said
    typo = frame.astype({"v": str})
    typo.loc[2, "v"] = "n/k"
    typo.to_csv(new, index=False)
    assert run(["apply", fit, new, "--to", out]) == 2
    assert "column v holds text ('n/k' in row 3); numbers are needed: correct or code it.\n" in capsys.readouterr().err
    frame.assign(v="low").to_csv(new, index=False)
    assert run(["apply", fit, new, "--to", out]) == 2
    said = capsys.readouterr().err
    assert "column v holds text ('low' in row 1)" in said and "formula" not in said


def test_apply_writes_scores_to_standard_output_of_unseen_groups_and_of_kernels(people, tmp_path, capsys):
    fit, new, out = (str(tmp_path / name) for name in ("fit.npz", "new.csv", "out.csv"))
    rows = read_table(people).frame.iloc[:5].assign(group="c")
    rows.to_csv(new, index=False)
    features = {"groups": "group", "data": read_table(people).frame, "k": 2}
    for method in (fairstats.minimax_pca, fairstats.fair_kernel_pca):
        saved = method(["u", "v", "w"], **features)
        saved.save(fit)
        is_kernel = method is fairstats.fair_kernel_pca
        expected = saved.transform(rows) if is_kernel else saved.transform(rows, on_unknown="mean")
        capsys.readouterr()
        assert run(["apply", fit, new, "--on-unknown", "mean", "--scores", "-"]) == 0
        written = pd.read_csv(io.StringIO(capsys.readouterr().out))
        assert list(written.columns) == [*rows.columns, ".score_1", ".score_2"]
        np.testing.assert_allclose(written[[".score_1", ".score_2"]], expected, rtol=1e-12)
        assert run(["apply", fit, new, "--on-unknown", "mean", "--force", "--to", out]) == (2 if is_kernel else 0)
    assert "--to is for adjusted features, which a kernel's components have none of" in capsys.readouterr().err
    assert run(["apply", fit, new, "--scores", "-", "--to", "-"]) == 2


def test_one_cell_of_text_in_a_column_of_numbers_is_named_with_its_row(people):
    frame = read_table(people).frame.astype({"v": str})
    frame.loc[4, "v"] = "3,5"
    with pytest.raises(fairstats.InputError, match=r"X='v' holds text \('3,5' in row 5, with a decimal comma\)"):
        fairstats.pca(["u", "v"], data=frame)
    with pytest.raises(fairstats.InputError, match=r"columns that are not numbers \(group\); leave them out, or give"):
        fairstats.pca(["u", "group"], data=frame)


COMPARISON = ["--outcome", "y", "--groups", "group", "--features", "~ u + v + w", "-k", "3", "--n-repeats", "6"]


def test_a_comparison_prints_what_the_python_call_gives(people, capsys):
    from fairstats.comparing.compare import compare

    assert run(["compare", str(people), *COMPARISON, "--methods", "none,og", "--seed", "3"]) == 0
    expected = compare(people, outcome="y", groups="group", features="~ u + v + w", k=3, n_repeats=6, seed=3)
    assert capsys.readouterr().out == expected.summary() + "\n"


def test_a_comparison_writes_a_report(people, tmp_path, capsys):
    target = tmp_path / "compare.html"
    assert run(["compare", str(people), *COMPARISON, "--features", "u,v,w", "--to", str(target)]) == 0
    page = target.read_text()
    assert "From no adjustment to orthogonal PCA the gap goes from" in page
    assert capsys.readouterr().err.endswith(f"wrote {target}\n")


def test_the_demo_writes_three_files_and_says_what_they_show(tmp_path):
    done = terminal("demo", "--to-dir", str(tmp_path / "new"))
    assert done.returncode == 0, done.stderr
    *files, finding = done.stdout.splitlines()
    assert files == [str(tmp_path / "new" / f"audit.{s}") for s in ("html", "pdf", "json")]
    assert Path(files[1]).read_bytes().startswith(b"%PDF-1.7")
    frame = arrests()
    share = (frame.released == "Yes").groupby(frame.colour).mean() * 100
    assert f"{share['Black']:.1f}% against {share['White']:.1f}%" in finding
    assert f"```text\n{finding}\n```" in (Path(__file__).parents[1] / "README.md").read_text()
    page = Path(files[0]).read_text()
    assert (
        "still be told apart after orthogonal PCA" in page
        and "Orthogonal PCA with 2 components" in page
        and "Fair PCA with 2 components" in page
    )
    with pytest.importorskip("pikepdf").open(files[1]) as pages:
        assert len(pages.pages) <= 5


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from fairstats.cli import cli, run; run(['--help'])\n"
        "heavy = {'pandas', 'scipy', 'sklearn', 'statsmodels', 'matplotlib', 'weasyprint', 'rich'}\n"
        "sys.exit(bool(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, "a heavy package was imported for --help"
    for command in ("audit", "fit", "apply", "compare", "demo"):
        assert command in done.stdout


@pytest.mark.parametrize("name", ["audit", "compare"])
def test_every_argument_of_the_python_call_is_an_option(name):
    call = getattr(fairstats, name)
    options = {parameter.name for parameter in cli.commands[name].params}
    assert set(inspect.signature(call).parameters) - {"data", "progress", "labels"} <= options


def test_the_published_error_rates_of_compas_come_out_of_the_command(shared, tmp_path):
    target = tmp_path / "rates.csv"
    compas = str(shared / "data" / "compas-scores-two-years.csv")
    assert run(["audit", compas, "--outcome", "two_year_recid", "--groups", "race", "--score", "decile_score",
                "--threshold", "5", "--favorable", "0", "--to", str(target)]) == 0  # fmt: skip
    rows = read_table(target).frame
    rows = rows[(rows.attribute == "race") & (rows.contrast == "none")].set_index(["metric", "group"])["estimate"]
    # Angwin, Larson, Mattu, Kirchner (2016): "How we analyzed the COMPAS recidivism algorithm", ProPublica.
    published = {("FPR", "African-American"): 44.85, ("FPR", "Caucasian"): 23.45,
                 ("FNR", "African-American"): 27.99, ("FNR", "Caucasian"): 47.72}  # fmt: skip
    assert {key: round(100 * rows[key], 2) for key in published} == published


@pytest.mark.slow
def test_the_compas_audit_with_pdf_takes_less_than_15_seconds(shared, tmp_path):
    compas = str(shared / "data" / "compas-scores-two-years.csv")
    start = time.perf_counter()
    done = terminal("audit", compas, "--outcome", "two_year_recid", "--groups", "race", "--score", "decile_score",
                    "--threshold", "5", "--favorable", "0", "--to", str(tmp_path / "a.pdf"),
                    env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert time.perf_counter() - start < 15


def test_compare_takes_several_k_models_and_splits_from_a_file(people, tmp_path, capsys):
    frame = pd.DataFrame({"s1": ["train"] * 300 + ["test"] * 100, "s2": ["test"] * 100 + [None] * 50 + ["train"] * 250})
    frame.to_csv(tmp_path / "splits.csv", index=False)
    words = ["--methods", "pca,og", "-k", "1,2", "--model", "logistic,linear-svm", "--representation"]
    words += ["--splits", str(tmp_path / "splits.csv"), "--cache", str(tmp_path / "cells")]
    assert run(["compare", str(people), "--outcome", "y", "--groups", "group", "--features", "u,v,w", *words]) == 0
    printed = capsys.readouterr().out
    assert "og, k = 2 · linear-svm" in printed and "2, 275 people trained on and 100 held out, as given" in printed
    assert "explained variance" in printed and len(list((tmp_path / "cells").iterdir())) == 2 * 4 * 3
    (tmp_path / "bad.csv").write_text("s\nTrain\n")
    assert run(["compare", str(people), "--outcome", "y", "--groups", "group", "--features", "u", "--splits",
                str(tmp_path / "bad.csv")]) == 2  # fmt: skip
    assert "'Train'; each cell says train, test or nothing" in capsys.readouterr().err


def test_an_option_whose_value_was_forgotten_is_named(capsys):
    assert run(["audit", "people.csv", "--decision", "d", "--favorable", "--groups", "g"]) == 2
    assert "--favorable needs a value; '--groups' follows it" in capsys.readouterr().err
