"""What is written where: nothing that is read is replaced, nothing foreign without --force, stdout holds one result."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pandas as pd
import pytest

import fairstats
from fairstats.cli import run
from fairstats.cli.io import Outputs
from fairstats.data.datasets import ARRESTS
from fairstats.data.read import read_table, write_table
from fairstats.files import is_ours

AUDIT = ["audit", str(ARRESTS), "--groups", "colour", "--decision", "released", "--favorable", "Yes"]


@pytest.mark.long
@pytest.mark.parametrize("ending", ["json", "csv", "html", "pdf", "npz", "parquet"])
def test_a_file_of_fairstats_is_replaced_and_a_foreign_one_is_not(tmp_path, ending, capsys):
    file = tmp_path / f"out.{ending}"
    assert run([*AUDIT, "--to", str(file)]) == 0
    assert is_ours(file)
    first = file.read_bytes()
    assert run([*AUDIT, "--conf-level", "0.9", "--to", str(file)]) == 0
    assert file.read_bytes() != first
    file.write_bytes(b"a letter to my mother, which mentions fairstats\n")
    capsys.readouterr()
    assert run([*AUDIT, "--to", str(file)]) == 2
    err = capsys.readouterr().err
    assert "nothing in it says that fairstats wrote it" in err and "--force" in err and err.count("\n") == 1
    assert file.read_bytes().startswith(b"a letter")
    assert run([*AUDIT, "--to", str(file), "--force"]) == 0 and is_ours(file)


def test_an_empty_file_may_be_filled(tmp_path):
    file = tmp_path / "made-by-mktemp.json"
    file.touch()
    assert run([*AUDIT, "--to", str(file)]) == 0


@pytest.mark.parametrize("link", [False, True])
def test_what_is_read_is_never_replaced_not_even_by_force(tmp_path, link, capsys):
    data = tmp_path / "people.csv"
    data.write_bytes(ARRESTS.read_bytes())
    target = tmp_path / "other.csv"
    target.symlink_to(data) if link else None
    audit = ["audit", str(data), *AUDIT[2:], "--to", str(target if link else data), "--force"]
    assert run(audit) == 2
    assert "is read; writing would destroy it" in capsys.readouterr().err
    pattern = ["audit", str(tmp_path / "p*.csv"), *AUDIT[2:], "--to", str(data), "--force"]
    assert run(pattern) == 2 and data.read_bytes() == ARRESTS.read_bytes()


def test_a_table_of_people_is_not_taken_for_one_of_ours(tmp_path, capsys):
    kept = tmp_path / "kept.csv"
    write_table(read_table(ARRESTS).frame, kept)
    assert not is_ours(kept)
    assert run(["fit", "og", str(ARRESTS), "--groups", "colour", "--features", "age,checks", "-k", "1", "--scores",
                str(kept)]) == 2  # fmt: skip
    assert "--force" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["json", "csv", "html"])
def test_standard_output_holds_the_result_alone(form, capsys):
    assert run([*AUDIT, "--to", "-", "--format", form]) == 0
    printed = capsys.readouterr()
    starts = {"json": '{\n "schema"', "csv": "result,", "html": "<!doctype html>"}
    assert printed.out.startswith(starts[form]) and printed.err == ""


def test_the_adjusted_table_goes_down_a_pipe(capsys):
    assert (
        run(["fit", "og", str(ARRESTS), "--groups", "colour", "--features", "age,checks", "-k", "1", "--to", "-"]) == 0
    )
    printed = capsys.readouterr().out
    assert printed.splitlines()[0].split(",")[-2:] == ["age", "checks"] and printed.count("\n") == 5227


BAD = {
    "no form": (["--to", "-"], "say in which form"),
    "form without stdout": (["--to", "a.json", "--format", "csv"], "--format csv is of standard output"),
    "unknown form": (["--format", "xyz"], "--format has 'xyz'"),
    "unknown ending": (["--to", "a.xyz"], "--to has 'a.xyz'"),
    "nothing to open": (["--open"], "name one: --to audit.html"),
}


@pytest.mark.parametrize("case", BAD)
def test_targets_are_checked_before_the_work(case, capsys, monkeypatch, tmp_path):
    from fairstats.auditing import audit as home

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(home, "audit", lambda *_, **__: pytest.fail("the audit was made first"))
    words, message = BAD[case]
    assert run([*AUDIT, *words]) == 2
    err = capsys.readouterr().err
    assert message in err and err.count("\n") == 1 and err.startswith("fairstats: error: ")
    assert list(tmp_path.iterdir()) == []


def test_quiet_leaves_results_and_errors(tmp_path, capsys):
    latin = tmp_path / "latin.csv"
    latin.write_bytes("group;hired\nZoë;1\nZoë;0\nb;1\nb;0\n".encode("latin-1"))
    audit = ["audit", str(latin), "--groups", "group", "--decision", "hired", "--to", str(tmp_path / "a.json")]
    assert run(audit) == 0
    printed = capsys.readouterr()
    assert "note:" in printed.err and "wrote" in printed.err
    assert run([*audit, "-q"]) == 0
    quiet = capsys.readouterr()
    assert (quiet.out, quiet.err) == (printed.out, "")
    assert run(["audit", "nowhere.csv", "-q"]) == 2 and capsys.readouterr().err.startswith("fairstats: error")


def test_open_shows_the_first_file(tmp_path, monkeypatch, capsys):
    shown = []
    monkeypatch.setattr(click, "launch", lambda path: shown.append(path) or 0)
    page = str(tmp_path / "a.html")
    assert run([*AUDIT, "--to", page, "--to", str(tmp_path / "a.json"), "--open"]) == 0
    assert shown == [page]
    monkeypatch.setattr(click, "launch", lambda path: 1)
    assert run([*AUDIT, "--to", page, "--open"]) == 0
    assert "nothing here opens it" in capsys.readouterr().err


def test_a_saved_audit_is_the_audit(tmp_path):
    assert run([*AUDIT, "--to", str(tmp_path / "a.npz")]) == 0
    audit = fairstats.audit(ARRESTS, "released", "colour", favorable="Yes")
    assert fairstats.load(tmp_path / "a.npz", fairstats.Audit).estimates.to_records() == audit.estimates.to_records()


def test_brief_says_the_finding_and_counts_the_cautions(capsys):
    assert run([*AUDIT, "--groups", "sex", "--brief"]) == 0
    printed = capsys.readouterr().out
    audit = fairstats.audit(ARRESTS, "released", ["colour", "sex"], favorable="Yes")
    found = re.sub(r"The farthest difference that is shown is one of combinations: .*?\)\. ", "", audit.finding())
    assert found != audit.finding()  # which has a line of its own below the tables
    assert " ".join(printed.split()).startswith(f"Audit of arrests.csv: 5,226 rows {found}")
    assert len(printed.splitlines()) <= 24 and max(map(len, printed.splitlines())) <= 80
    assert f"{len(audit.notes)} caution" in printed


def test_the_json_schema_is_what_marks_a_file(tmp_path):
    file = tmp_path / "a.json"
    file.write_text(json.dumps({"schema": "somebody/1", "about": "fairstats"}))
    assert not is_ours(file)
    assert not is_ours(Path(tmp_path / "no-suffix"))


def test_outputs_are_false_where_nothing_is_written():
    assert not Outputs() and Outputs(("-",), "json").files == []


def test_words_and_what_a_law_publishes_are_given_at_the_shell(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("p.csv").write_text("g,d\n" + "1,0\n2,1\n1,1\n2,1\n" * 20)
    lines = ["--labels", "unit=people", "--labels", "groups.g.1=coastal", "--labels", "favorable=were hired"]
    lines += ["--favorable", "1"]
    items = ["audit", "p.csv", "--decision", "d", "--groups", "g"]
    assert run([*items, *lines, "--labels", "unfavorable=were not", "--to", "a.html"]) == 0
    assert "Coastal" in Path("a.html").read_text()
    capsys.readouterr()
    assert run([*items, "--preset", "ll144", "--ll144-notice", "tool=Screen 2", "--to", "b.html"]) == 0
    assert "Screen 2" in Path("b.html").read_text()
    printed = capsys.readouterr().out
    assert "By g the lowest impact ratio is" in printed and "Disparity" not in printed and "no conclusion" in printed
    few = ["--ll144-exclude", "3=two people"]
    Path("p.csv").write_text(Path("p.csv").read_text() + "3,1\nNot stated,1\nNo self-ID,0\nDeclined,1\n")
    assert run([*items, "--preset", "ll144", *few, "--ll144-unknown", "No self-ID"]) == 0
    assert "two people" in (printed := capsys.readouterr().out)
    assert "('Declined', 'No self-ID', 'Not stated', or blank)" in printed
    assert run([*items, "--preset", "ll144", *few, "--to", "c.html"]) == 0
    assert "two people" in Path("c.html").read_text() and "Declined" in capsys.readouterr().out
    assert run([*items, *few]) == 2 and "--preset ll144" in capsys.readouterr().err
    assert run([*items, "--preset", "ll144", "--ll144-notice", "tol=x", "--to", "d.html"]) == 2
    assert "--ll144-notice has 'tol'" in capsys.readouterr().err
    for wrong in ("unit", "groups.g=x", "=x", "favorable=were hired"):
        assert run([*items, "--labels", wrong]) == 2


def test_a_shell_completes_options_and_whole_brackets(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("g,d\n" + "a,1\nb,0\n" * 40)
    assert run(["audit", "a.csv", "--decision", "d", "--groups", "g", "--reference", "White"]) == 2
    assert "no group is called so" in capsys.readouterr().err
    assert run(["compare-audits", "a.npz", "b.npz", "c.npz"]) == 2
    assert "extra argument (c.npz); fairstats compare-audits --help" in capsys.readouterr().err


def test_the_summary_beside_a_file_names_what_a_shell_has(tmp_path, capsys):
    frame = pd.DataFrame({"sex": ["f", "m"] * 40, "hired": ([0, 1, 1, 1] * 20)})
    source, out = tmp_path / "a.csv", tmp_path / "out.csv"
    frame.to_csv(source, index=False)
    command = ["audit", str(source), "--decision", "hired", "--favorable", "1", "--groups", "sex"]
    assert run([*command, "--to", str(out)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[lines.index("Cautions") - 2].endswith("without --brief or --to all numbers are printed.")
    text = " ".join(" ".join(lines).split())
    notes = fairstats.audit(frame, "hired", "sex", favorable=1).notes
    assert notes and all(note in text for note in notes)
    assert run(command) == 0  # as it says
    assert len(capsys.readouterr().out.splitlines()) > 25
    assert str(fairstats.audit(frame, "hired", "sex", favorable=1)).endswith("summary() has all numbers.")


def test_labels_of_units_that_begin_anew_are_answered_by_what_a_shell_has(tmp_path, capsys):
    frame = pd.DataFrame({"g": ["a", "b"] * 40, "d": [0, 1, 1, 1] * 20, "w": 2.5, "s": [1] * 40 + [2] * 40})
    frame.assign(k=[*range(8)] * 10).to_csv(tmp_path / "s.csv", index=False)
    command = ["audit", str(tmp_path / "s.csv"), "--decision", "d", "--groups", "g", "--brief"]
    command += ["--design", "weights=w,strata=s,clusters=k"]
    assert run(command) == 2
    assert "where labels begin anew in each stratum, pass --design nest=true;" in capsys.readouterr().err
    assert run([*command, "--design", "nest=true"]) == 0


def test_files_of_one_list_are_each_written_and_a_comma_in_a_name_stays(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["audit", str(ARRESTS), "--groups", "colour", "--decision", "released", "--favorable", "Yes", "--to"]
    assert run([*words, "one.html, two.json"]) == 0 and run([*words, "a,b.html"]) == 0
    names = ["a,b.html", "a.b,c.html", "report v1.2, final.html"]
    assert [run([*words, name]) for name in names[1:]] == [0, 0]
    assert sorted(path.name for path in tmp_path.iterdir()) == [*names[:2], "one.html", names[2], "two.json"]


@pytest.mark.parametrize("names", ["b.xlsx,b.json", "b.json, b.xlsx", "b.htm,b.json"])
def test_a_list_with_an_ending_that_there_is_not_is_no_file_of_that_name(names, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("c.csv").write_text("race,n,hires\nWhite,520,156\nBlack,180,36\n")
    audit = ["audit", "c.csv", "--groups", "race", "--selected", "hires", "--total", "n", "--to"]
    assert run([*audit, names]) == 2
    wrong = next(name.strip() for name in names.split(",") if "json" not in name)
    assert f"--to has '{wrong}'; the ending can be" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["c.csv"]
    assert run([*audit, "J.Smith, audit.json"]) == 0 and Path("J.Smith, audit.json").is_file()


@pytest.mark.parametrize("law", [[], ["--law", "employment"]])
def test_what_is_printed_beside_a_report_of_four_fifths_begins_as_the_report_does(law, tmp_path, capsys):
    """Berkeley's admissions, where departments turn the answer round: 0.68 without regard to them, 0.94 within them."""
    lines = [("A", "m", 825, 512), ("A", "f", 108, 89), ("B", "m", 560, 353), ("B", "f", 25, 17),
             ("C", "m", 325, 120), ("C", "f", 593, 202), ("D", "m", 417, 138), ("D", "f", 375, 131),
             ("E", "m", 191, 53), ("E", "f", 393, 94), ("F", "m", 373, 22), ("F", "f", 341, 24)]  # fmt: skip
    data, to = tmp_path / "ucb.csv", tmp_path / "ucb.md"
    data.write_text("dept,sex,n,k\n" + "".join(f"{a},{b},{n},{k}\n" for a, b, n, k in lines))
    call = ["audit", str(data), "--groups", "sex", "--selected", "k", "--total", "n", "--strata", "dept"]
    first = "Women were selected at 0.68 of the rate of men, the highest (without regard to dept: 30.4% against 44.5%)"
    assert run([*call, *law, "--preset", "four_fifths", "--to", str(to)]) == 0
    printed = " ".join(capsys.readouterr().out.split()).partition(" rows ")[2]
    assert printed.startswith(f"{first}: below four fifths (0.80)")
    assert " Within the same dept it is " in printed and "Disparity shown" not in printed  # which it is not within them
    assert first in " ".join(to.read_text("utf-8")[:1500].split())
    assert run([*call, "--law", "employment", "--to", str(to)]) == 0  # another report begins within departments
    assert "Men were selected at 0.94" in " ".join(capsys.readouterr().out.split()).partition(" rows ")[2][:60]


def test_a_preset_that_there_is_not_is_refused_with_all_that_there_are_and_help_has_them(tmp_path, capsys):
    presets = sorted(
        path.name.removesuffix(".html.j2") for path in (Path(__file__).parents[2] / "templates" / "presets").iterdir()
    )
    data = tmp_path / "d.csv"
    data.write_text("sex,n,k\nf,80,20\nm,90,30\n")
    call = ["audit", str(data), "--groups", "sex", "--selected", "k", "--total", "n", "--preset", "fancy"]
    assert run([*call, "--to", str(tmp_path / "d.html")]) == 2
    assert f"the presets are {', '.join(presets)};" in " ".join(capsys.readouterr().err.split())
    assert run(["audit", "--help"]) == 0
    help_of = " ".join(capsys.readouterr().out.split()).partition("--preset TEXT")[2][:250]
    assert all(name in help_of for name in presets) and len(presets) == 6
