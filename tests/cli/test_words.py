"""One style of error, a shell's words, verdicts bold where somebody reads them at a terminal."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from fairstats.cli import cli, run
from fairstats.cli.audits import audit
from fairstats.cli.fits import cluster, fit
from fairstats.cli.io import Shell
from fairstats.data.datasets import ARRESTS
from fairstats.errors import InputError, Setting, writing_for

AUDIT = ["audit", str(ARRESTS), "--groups", "colour", "--decision", "released", "--favorable", "Yes"]
WRONG = [
    ["audit"], ["audit", "x.csv", "--nonsense"], ["nonsense"], ["aduit"], ["fit", "nonsense", "x"], ["audit", "--to"],
    ["audit", str(ARRESTS), "--conf-level", "x"], ["audit", str(ARRESTS), "--to", "/"], ["apply", "x.npz", "y.csv"],
    ["audit", str(ARRESTS), "--seed", "1.5"], ["cluster", str(ARRESTS)], ["audit", str(ARRESTS)], ["audit", "."],
    [*AUDIT, "--protocol", "nowhere.toml"], [*AUDIT, "--score", "age", "--threshold", "3"], [*AUDIT, "--strata", "x"],
    ["audit", str(ARRESTS), "--groups", "age", "--decision", "checks"], [*AUDIT, "--p-adjust", "holmes"],
]  # fmt: skip
PYTHON = re.compile(
    r"in tidy\(\)|\b\w+\(\)|\bTrue\b|\bNone\b|\bNaN\b|\bdtype|\bpandas|fairstats\.\w|\[Errno|Traceback"
    r"|\b[a-z]+_[a-z_]+ has\b"
    r"|\b(groups|favorable|score|decision|outcome|reference|conf_level|min_n|equivalence|family)="
)


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_every_error_is_one_line_in_one_style_without_pythons_words(words, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert run(words) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1
    assert re.match(r"fairstats: error: \S.*[.?]$", printed.err), printed.err
    assert not PYTHON.search(printed.err.replace(str(ARRESTS), "")), printed.err


def test_a_misspelled_option_or_command_is_answered_with_the_right_one(capsys):
    run(["aduit"])
    assert "did you mean 'audit'" in capsys.readouterr().err
    run([*AUDIT, "--favorible", "Yes"])
    assert "--favo" in capsys.readouterr().err


SAID = {
    "audit p.csv --decision hired --groups sex --conf-level 9x": "'9x' is no number; write 0.05 or 5%",
    "audit p.csv --decision hired --groups sex --title X": "--title is of a report, and none is written; add --to",
    "audit p.csv --decision hired --groups sex --labels m=Men": "groups.COLUMN.GROUP=... (as in groups.sex.M=Men)",
    "tally p.csv": "--outcome, --decision, --score and --amount are all absent",
    "audit p.csv --decision hired": "--groups is absent",
    "leakage og p.csv --groups sex --features agee": "--features agee is not a column",
    "plot p.csv": "that this package saved; give a file that --to FILE.npz wrote, or the .json of an audit",
    "tally p.csv --groups sex --decision hired --to p.toml": "the ending can be .npz, .json;",
    "audit p.csv -reference m": "no such option '-r'; options are words after two dashes; fairstats audit --help",
    "leakage p.csv --groups sex": "missing argument 'FILE...', after METHOD or a saved fit, as in fairstats leakage og",
    "price p.csv --groups sex": "the words are, in this order, fairstats price METHOD FILE...",
    "representation p.csv --groups sex --benchmark 0.5": "'0.5' is no LABEL=NUMBER; write each group's share, as in F=",
    "decompose p.csv --decision hired --groups sex --explained-by agee": "--explained-by has 'agee', which is not a",
    "protocol p.csv": "no such command 'p.csv'; a protocol of a table is begun by fairstats protocol init p.csv",
    "verify p.csv in/people.csv": "REPORT has 'p.csv', a table; the report, a PDF, HTML or JSON file",
    "report p.npz p.npz --to p.html": "SAVED has 'p.npz' twice; name it once.",
    "audit p.csv --decision hired --groups sex --score age --threshold 50%": "'50%' is no number; write it as the",
    "audit p.csv --decision hired --groups sex --inert": "--inert is of a .csv, and none is written",
    "audit p.csv --decision hired --groups sex --to q.csv --paper letter": "--paper is of .pdf, .docx, .html",
    "audit p.csv --decision hired --groups sex --to q.json --language de": "--language is of a report, and .json stay",
    "audit p.csv --decision hired --groups sex --ll144-notice vendor=X": "--ll144-notice is of a report, and none is",
    "audit p.csv --decision hired --groups sex --intersections full": "--intersections has 'full', and --groups names",
    "monitor q.csv --period id --decision hired --groups sex": "--period has 'id', another value for every person;",
    "audit p.csv --alpha 0.05": "no such option '--alpha'; its complement is: 0.05 is --conf-level 0.95",
    "audit p.csv --output p.pdf": "no such option '--output'; did you mean '--to'",
    "audit p.csv --fail-on ratio=0.7": "did you mean 'ratio<0.7'? It can be disparity, no-equivalence, ratio<0.8;",
    "audit p.csv --fail-on disparty": "did you mean 'disparity'?",
    "audit p.csv --group sex": "no such option '--group'; did you mean '--groups'; fairstats audit --help",
    "compare-models p.csv --models hired,age --groups sex,hired": "'sex,hired'; it is the name of one column",
    "group-probabilities p.csv --decision hired --groups age": "probabilities: --groups White=p_white,Black=p_black.",
    "audit p.csv --decision sex --groups hired": "did you swap them? Pass --decision hired and --groups sex, or, if "
    "not, --favorable f or --favorable m, whichever helps the person.",
    "tradeoff p.csv --groups job --features age,sex": "or give a formula such as '~ age + sex', which makes contrasts",
    "leakage gog p.csv": "did you mean 'og'? It can be",
    "audit p.csv --decision hired --groups sex --favorable yes": "pass --favorable 0 or --favorable 1",
    "audit p.csv --decision hired --groups sex --design weights=age,strata=jobs": "has strata 'jobs'; data have no",
    "describe x.csv": "there is no file 'x.csv'.",
    "describe pp.csv": "did you mean 'p.csv'?",
    "describe p.cvs": "there is no file 'p.cvs'; did you mean 'p.csv'?",
    "describe p": "there is no file 'p'; did you mean",
    "describe in/peopel.csv": "there is no file 'in/peopel.csv'; did you mean 'in/people.csv'?",
    "audit p.csv --decision hired --groups sex age": "there is no file 'age'; if it is one of several columns of an "
    "option, write them by commas (A,B), or the option again.",
    "audit p.csv --decision hired --groups sex+age": "several columns are a list; pass --groups sex,age.",
    "decompose p.csv --decision hired --groups sex --explained-by age+job": "pass the formula '~ age+job', or the "
    "columns: age,job.",
    "fit p.csv --groups sex": "'p.csv' is no method; METHOD comes before FILE, as in 'og p.csv'. It can be pca, og,",
    "fit og p.csv --k 2": "no such option '--k'; did you mean '-k'; fairstats fit --help",
    "fit p.csv --method og": "'--method'; METHOD is a word without an option: fairstats fit METHOD FILE",
    "audit p.csv --protocol p.toml": "there is no file 'p.toml'.",
    "audit p.csv --protocol init.toml": "or take the # from a line of the protocol 'init.toml' that does.",
    "audit p.csv --decision hired --protocol init.toml": "several, or take the # from a line of the protocol",
}


@pytest.mark.parametrize("words", SAID)
def test_errors_speak_of_what_was_typed(words, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("sex,age,hired,job\nf,30,1,1\nm,40,0,2\nf,50,0,1\nm,60,1,2\n")
    rows = (f"{i},{'fm'[i % 2]},{i % 3 % 2}\n" for i in range(40))
    (tmp_path / "q.csv").write_text("id,sex,hired\n" + "".join(rows))
    (tmp_path / "p.html").touch()
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "people.csv").touch()
    assert run(["protocol", "init", "p.csv", "--to", "init.toml", "--quiet"]) == 0
    assert run(words.split()) == 2
    err = capsys.readouterr().err
    assert SAID[words] in err and not PYTHON.search(err), err
    assert not (tmp_path / "p.toml").exists()


@pytest.mark.parametrize("typed", ["--quantiles 0.25,0.75", "--quantiles 0.25 --quantiles 0.75"])
def test_quantiles_are_given_by_commas_or_one_by_one(typed, capsys, tmp_path):
    (tmp_path / "p.csv").write_text("sex,wage\n" + "f,30\nm,40\nf,50\nm,60\nf,31\nm,44\n" * 40)
    assert run(["audit", str(tmp_path / "p.csv"), "--amount", "wage", "--groups", "sex", *typed.split()]) == 0
    assert re.findall(r"(\d+)% quantile", capsys.readouterr().out) == ["25", "75"]
    assert run(["audit", str(tmp_path / "p.csv"), "--amount", "wage", "--groups", "sex", "--quantiles", "0.1,x"]) == 2
    assert "'0.1,x' is no list of numbers; write 0.1,0.9" in capsys.readouterr().err


def test_what_a_tally_says_is_absent_can_be_given_to_it(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("sex,wage\nf,30\nm,40\nf,50\nm,60\nf,31\nm,44\n")
    assert run(["tally", "p.csv"]) == 2
    flags = set(re.findall(r"--[a-z-]+", capsys.readouterr().err))
    assert flags and flags <= {flag for option in cli.commands["tally"].params for flag in option.opts}
    assert run(["tally", "p.csv", "--groups", "sex", "--amount", "wage", "--to", "t.npz", "--quiet"]) == 0
    assert run(["audit", "t.npz"]) == 0
    assert "48.00 against 37.00" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("spelling", ["--favorable", "--favourable"])
def test_both_spellings_of_favorable_are_options(spelling, capsys):
    assert run([*AUDIT[:-2], spelling, "Yes", "--brief"]) == 0
    assert "74.1% against" in capsys.readouterr().out


@pytest.mark.long
def test_a_summary_at_the_shell_has_no_python_in_it(shared, capsys):
    compas = str(shared / "data" / "compas-scores-two-years.csv")
    assert run(["audit", compas, "--outcome", "two_year_recid", "--groups", "race,sex", "--score", "decile_score",
                "--threshold", "5", "--favorable", "0"]) == 0  # fmt: skip
    printed = capsys.readouterr().out
    assert not PYTHON.search(printed), PYTHON.search(printed)
    assert "--to FILE.csv" in printed and max(map(len, printed.splitlines())) <= 80


def at_a_shell(command: click.Command, *arguments: object) -> str:
    shell = Shell()
    shell.learn(command, audit)
    with writing_for(shell):
        return str(Setting(*arguments) if arguments[1:] else InputError(arguments[0], "has 9."))


def test_arguments_become_the_options_of_the_command_that_runs():
    assert at_a_shell(fit, "k") == "-k has 9." and at_a_shell(fit, "X") == "--features has 9."
    assert at_a_shell(audit, "min_n", 5) == "--min-n 5"
    assert at_a_shell(audit, "missing", "level") == "--missing level"
    assert at_a_shell(audit, "groups", "my column") == "--groups 'my column'"
    assert at_a_shell(audit, "score", ...) == "--score"
    assert at_a_shell(fit, "scale", True) == "--scale" and at_a_shell(fit, "scale", False) == "no --scale"
    assert at_a_shell(fit, "target", "parity") == "--set target=parity"  # not the --to-node of cluster
    assert at_a_shell(cluster, "normalized", False) == "--unnormalized"
    assert at_a_shell(cluster, "component", "largest") == "--largest-component"
    assert at_a_shell(audit, "by_cell", True) == "by_cell=True"  # no command has it


def test_a_caution_about_people_without_a_group_names_the_command_that_bounds_them(capsys, monkeypatch, tmp_path):
    rows = [f"{group},{i % 2}" for group in ("a", "b", "") for i in range(50)]
    (tmp_path / "p.csv").write_text("\n".join(["race,hired", *rows]) + "\n")
    monkeypatch.chdir(tmp_path)
    assert run(["audit", "p.csv", "--groups", "race", "--decision", "hired"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "fairstats group-probabilities bounds the differences by them; --known names the column" in printed
    assert not PYTHON.search(printed)


def test_words_of_the_data_stay_as_they_are(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("sex,hired\n" + "margin=3,1\nall in tidy(),0\nmargin=3,0\nall in tidy(),1\n" * 20)
    assert run(["audit", "p.csv", "--groups", "sex", "--decision", "hired"]) == 0
    out = capsys.readouterr().out
    assert "margin=3" in out and "all in tidy()" in out and "--margin 3" not in out


def test_a_report_from_the_shell_has_the_words_of_one_from_python(monkeypatch, tmp_path):
    import fairstats

    monkeypatch.chdir(tmp_path)
    table = "sex,w,hired\n" + "f,2,1\nm,3,0\nf,1,0\nm,5,1\n,4,1\n" * 20
    (tmp_path / "p.csv").write_text(table)
    assert run(["audit", "p.csv", "--groups", "sex", "--decision", "hired", "--weights", "w", "--missing", "drop",
                "--min-n", "5", "--to", "shell.html", "--quiet"]) == 0  # fmt: skip
    result = fairstats.audit("p.csv", groups="sex", decision="hired", weights="w", missing="drop", min_n=5)
    page = fairstats.report(result).html
    assert "missing=" in page and "missing=" in (tmp_path / "shell.html").read_text()
    assert "--missing" not in (tmp_path / "shell.html").read_text()


@pytest.mark.parametrize("words", [["-V"], ["--version"]])
def test_the_version_is_printed(words, capsys):
    import fairstats

    assert run(words) == 0 and capsys.readouterr().out == f"fairstats {fairstats.__version__}\n"


def test_the_help_tells_exit_codes_and_completion(capsys):
    assert run(["--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    for wording in (
        "Exit code 0: done",
        " 1: a gate",
        " 2: bad usage",
        " 3: a fault",
        " 130: interrupted",
        "completion",
    ):
        assert wording in text, wording
    for name, command in cli.commands.items():
        assert run([name, "--help"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert command.short_help or command.help, name
        assert max(map(len, lines)) <= 100, name


def at_a_terminal(words: list[str] = AUDIT, **environment: str) -> str:
    leader, follower = pty.openpty()
    env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")} | {"TERM": "xterm"} | environment
    command = [sys.executable, "-m", "fairstats", *words]
    with subprocess.Popen(command, stdout=follower, stderr=subprocess.DEVNULL, stdin=follower, env=env) as process:
        os.close(follower)
        text = b""
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:  # what Linux says when the other side is closed
                break
            if not part:
                break
            text += part
    os.close(leader)
    assert process.returncode == 0
    return text.decode().replace("\r\n", "\n")


@pytest.mark.long
def test_verdicts_are_bold_at_a_terminal_and_nowhere_else(capsys):
    assert run(AUDIT) == 0
    plain = capsys.readouterr().out
    assert "\x1b" not in plain
    bold = at_a_terminal()
    assert "\x1b[1mDisparity shown.\x1b[0m" in bold and "<0.001 \x1b[1mD\x1b[0m" in bold
    assert re.sub(r"\x1b\[[01]m", "", bold) == plain
    assert at_a_terminal(NO_COLOR="1") == plain == at_a_terminal(TERM="dumb")


@pytest.mark.long
def test_what_only_looks_like_a_verdict_is_not_bold(tmp_path):
    file = tmp_path / "people.csv"
    file.write_text("g,d\n" + "D,1\nDisparity shown,0\nD,0\n" * 40)
    printed = at_a_terminal(words=["audit", str(file), "--groups", "g", "--decision", "d"])
    bold = set(re.findall(r"\x1b\[1m(.*?)\x1b\[0m", printed))
    assert bold == {"Disparity shown.", "D"}
    assert not re.search(r"^ *\x1b\[1m", printed, re.M)  # the groups' names, which begin lines of the table


@pytest.mark.parametrize("command", ["report", "plot"])
def test_what_takes_saved_results_names_the_commands_that_write_them(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, "--help"]) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in ("audit", "compare-models", "alternatives", "monitor", "fit", "leakage"))


@pytest.mark.parametrize(("entries", "words", "said"), [
    ('reference = "Mal"', [], "--protocol has 'rules.toml': entry reference has 'Mal'; no group is called so; did you"),
    ('favorable = "yes"', [], "'hired' has no such label; its labels are 0, 1; pass favorable = "),
    ("", ["--favorable", "yes"], "error: --favorable has 'yes'; 'hired' has no such label; its labels are 0"),
])  # fmt: skip
def test_errors_of_a_protocol_file_name_its_entries_and_those_of_the_call_its_options(
    entries: str, words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text("sex,hired\n" + "Male,1\nFemale,0\nMale,0\nFemale,1\n" * 20)
    Path("rules.toml").write_text(f'groups = ["sex"]\ndecision = "hired"\n{entries}\n')
    assert run(["audit", "people.csv", "--protocol", "rules.toml", *words]) == 2
    assert said in capsys.readouterr().err


def test_two_entries_in_one_option_are_refused_and_no_label_holds_the_second(tmp_path, capsys):
    file = tmp_path / "p.csv"
    file.write_text("sex,hired\n" + "f,1\nm,0\n" * 20)
    call = ["audit", str(file), "--groups", "sex", "--decision", "hired"]
    for option, text in (("--labels", "groups.sex.m=men,groups.sex.f=women"), ("--about", "system=X, period=2024")):
        assert run([*call, option, text]) == 2
        assert "has a second entry" in capsys.readouterr().err


def test_shares_may_be_in_per_cent(capsys):
    """At a shell 95% is 0.95, of a level, of a margin and of several margins."""
    outputs = []
    for level, margin, ratio in (("0.95", "0.3", "0.8"), ("95%", "30 %", "80%")):
        assert run([*AUDIT, "--conf-level", level, "--margin", f"difference={margin},ratio={ratio}"]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] and "\u00b130.0 points" in outputs[0]


def test_a_figure_that_a_result_does_not_have_is_refused_without_a_file_too(capsys, tmp_path):
    saved = str(tmp_path / "a.npz")
    run([*AUDIT, "--to", saved])
    capsys.readouterr()
    assert run(["plot", saved, "--kind", "pie"]) == 2
    assert "--kind has 'pie'; the choices are rates" in capsys.readouterr().err
    assert run(["plot", saved, "--kind", "rates"]) == 0
