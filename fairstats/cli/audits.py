"""``fairstats completion`` and ``fairstats help``: what a shell and its user ask."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.shell_completion import get_completion_class

from fairstats.cli.io import (
    BRIEF,
    FILES,
    INPUT_FORMAT,
    QUIET,
    Gate,
    Outputs,
    Share,
    columns,
    exchanged_labels,
    exit_code,
    expanded,
    fail_on,
    failures,
    is_quiet,
    loaded,
    named_or_formula,
    note,
    of_audit,
    of_file,
    of_labels,
    options,
    outputs,
    pairs_of,
    people,
    report_words,
    say,
    showing,
    source,
    write_report,
)
from fairstats.errors import InputError, listing
from fairstats.validation import GATES, renamed_arguments

SHELLS = ("bash", "zsh", "fish")


@click.command(short_help="Print what makes a shell complete commands and options.")
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the script that completes commands and options by TAB.

    \b
      bash: eval "$(fairstats completion bash)"      in ~/.bashrc
      zsh:  eval "$(fairstats completion zsh)"       in ~/.zshrc
      fish: fairstats completion fish | source       in ~/.config/fish/config.fish
    """
    result = get_completion_class(shell)
    assert result is not None  # the choices are click's own
    root = click.get_current_context().find_root().command
    click.echo(result(root, {}, "fairstats", "_FAIRSTATS_COMPLETE").source())


@click.command("help", short_help="Show the help of a command.")
@click.argument("words", nargs=-1, metavar="[COMMAND]...")
def help_(words: tuple[str, ...]) -> None:
    """Show the help of COMMAND, or of all."""
    context = click.get_current_context().find_root()
    command = context.command
    for word in words:
        result = command.get_command(context, word) if isinstance(command, click.Group) else None
        if result is None:
            raise click.UsageError(f"no such command {word!r}.")
        command = result
        context = click.Context(command, parent=context, info_name=word)
    click.echo(command.get_help(context))


# ``fairstats audit``: one table, or several files as one, in; the audit, a report, a gate's verdict out.


COUNTS = (
    click.option("--selected", metavar="COLUMN", help="Of a table of counts, a line a group: how many were selected."),
    click.option("--total", metavar="COLUMN", help="Of a table of counts: how many there were."),
    click.option(
        "--not-selected", metavar="COLUMN", help="Of a table of counts: in place of --total, how many others."
    ),
)


def _counted(files: list[str], input_format: str | None, choices: dict[str, Any]) -> Any:
    """What is audited: people, or the counts of a line that options name; these then leave the choices."""
    selected, total, others = (choices.pop(name) for name in ("selected", "total", "not_selected"))
    source = people(files, input_format)
    if selected is None and total is None and others is None:
        return source
    if selected is None or (total is None) == (others is None):
        raise InputError(
            "--selected and --total, or --selected and --not-selected, name the two counts of a line; give both of a "
            "pair, or none."
        )
    if choices.get("decision"):
        raise InputError("--decision was given beside --selected, which is the decision; leave it out.")
    from fairstats.auditing.people import from_counts
    from fairstats.auditing.protocol import read_protocol

    declared = read_protocol(choices["protocol"])[0] if choices.get("protocol") else {}
    groups, strata = (choices.get(name) or declared.get(name) for name in ("groups", "strata"))
    return from_counts(source, groups or [], selected, total or "", not_selected=others or "", strata=strata or None)


@click.command(short_help="Audit decisions, outcomes or scores by group.")
@FILES
@options(
    of_audit(),
    *COUNTS,
    click.option("--protocol", metavar="TOML",
                 help="File with these choices, declared before looking at the data (fairstats protocol init)."),
    fail_on(GATES["audit"]),
    click.option("--metric", multiple=True, callback=columns, metavar="RATE",
                 help="Rates that --fail-on disparity and no-equivalence ask, by commas. [all]"),
    BRIEF,
    click.option("--ll144-exclude", multiple=True, metavar="GROUP=TEXT", callback=pairs_of,
                 help="A category of less than 2% to leave out of the ratios, and the auditor's justification, with "
                      "--preset ll144; repeatable."),
    click.option("--ll144-unknown", multiple=True, metavar="LABEL",
                 help="Label of people whose category is not known, with --preset ll144; repeatable; beside every "
                      "one like Unknown or Decline to state."),
    click.option("--ll144-measure", metavar="RATE",
                 help="'scoring rate': those selected are those with a score above the median of the sample, with "
                      "--preset ll144."),
    INPUT_FORMAT,
    outputs(".html, .pdf, .json, .csv: report; .npz: the audit itself; .parquet ...: its rows", "report", "saved",
            "table", can_open=True),
    report_words,
)  # fmt: skip
def audit(files: tuple[str, ...], out: Outputs, gates: list[Gate], metric: list[str], brief: bool,
          ll144_exclude: dict[str, str] | None, ll144_unknown: tuple[str, ...],
          ll144_measure: str | None, input_format: str | None, words: dict[str, Any],
          **choices: Any) -> int:  # fmt: skip
    """Audit outcomes, decisions or scores in FILE by group.

    Prints the audit, or writes the report where --to names files. Several files, and patterns such as 'p*.parquet',
    are one table; - is standard input; saved tallies (.npz, fairstats tally) are added up.

    \b
      fairstats audit compas.csv --outcome two_year_recid --groups race \\
        --score decile_score --threshold 5 --favorable 0 --to audit.pdf
      zcat people.csv.gz | fairstats audit - --groups sex --decision hired --format json
      fairstats audit counts.csv --groups race --selected hires --total applicants
    """
    read = expanded(files)
    out.check([*read, choices["protocol"]])
    if metric and all(gate.name == "ratio" for gate in gates):
        raise InputError(
            "--metric is of a gate; pass --fail-on disparity or --fail-on no-equivalence with it, or leave it out: an "
            "audit has all rates that its columns allow, those of errors beside --outcome."
        )
    from fairstats.auditing.arguments import ARGUMENTS, MEASURES, AuditArguments
    from fairstats.auditing.audit import audit as run_audit
    from fairstats.auditing.tally import Tally
    from fairstats.data.read import read_table
    from fairstats.provenance import call_text
    from fairstats.validation import EMPLOYMENT

    source = _counted(read, input_format, choices)
    given = {name: value for name, value in choices.items() if value not in (None, [])}
    if words["preset"] == "four_fifths" and not choices["protocol"]:  # whose page is of that law
        given.setdefault("law", EMPLOYMENT)
    if isinstance(source, str) and not choices["protocol"] and not given.keys() & {*MEASURES}:
        columns = read_table(source).frame.columns
        raise InputError(
            f"--outcome, --decision, --score and --amount are all absent; {Path(source).name} has the columns "
            f"{listing(columns, 20)}; name the columns of the decision and of the groups, such as "
            "--decision hired --groups sex; fairstats describe tells which column could be which."
        )
    with showing(is_quiet()), of_file(choices["protocol"], given, ARGUMENTS):
        result = run_audit(source, **given)
    if isinstance(source, Tally):  # which does not know its files
        data = replace(result.data, name=listing([Path(name).name for name in read], 3))
        result = replace(result, data=data)
        if data.counts is not None:
            chosen = {name: value for name, value in given.items() if value != getattr(AuditArguments, name, None)}
            call = call_text("fairstats.audit", data, chosen)
            result = replace(result, provenance=replace(result.provenance, call=call))
    of_law = {"exclude": ll144_exclude, "unknown": list(ll144_unknown) or None, "measure": ll144_measure}
    tables = _tables_of_law(result, words["preset"], of_law)
    beside = tables if any(of_law.values()) else ()
    gates = [replace(gate, metric=tuple(metric)) for gate in gates]
    if metric:  # one that there is not is refused before anything is printed
        failures(gates, result, tables)
    write_report(out, [result, *beside], words, saved=lambda: result, table=result.tidy)
    if not out.on_stdout:
        if tables:
            from fairstats.reporting.sections.other import said_by_law

            say(lambda: said_by_law(tables) if out else "\n\n".join(map(str, tables)))
        elif out:
            from fairstats.auditing.result import printed_with_cautions
            from fairstats.reporting.report import audit_under_law

            reported, crude = audit_under_law(result, words["preset"]), words["preset"] == "four_fifths"
            say(lambda: printed_with_cautions(reported, crude))  # it begins as the report does
        else:
            say(result.__str__ if brief else result.summary)
    return exit_code(gates, result, tables)


def _tables_of_law(result: Any, preset: str, chosen: dict[str, Any]) -> tuple[Any, ...]:
    """The tables of Local Law 144 where the preset is theirs; what was chosen for them is refused elsewhere."""
    if preset == "ll144":
        from fairstats.auditing.local_law_144 import local_law_144

        with renamed_arguments(exclude="ll144_exclude", unknown="ll144_unknown", measure="ll144_measure"):
            return local_law_144(result, **chosen)
    for name, value in chosen.items():
        if value:
            raise InputError(f"--ll144-{name} is of the tables of Local Law 144; pass --preset ll144, or leave it out.")
    return ()


# ``fairstats tally``: people counted once; counts of months, files or sites added up.


@click.command(short_help="Count people once; add up counts of months, files or sites.")
@FILES
@options(
    of_audit("decision", "groups", "outcome", "score", "amount", "strata", "weights", "clusters"),
    *COUNTS,
    INPUT_FORMAT,
    outputs(".npz: the tally; .json: its cells", "saved", "json"),
)  # fmt: skip
def tally(files: tuple[str, ...], input_format: str | None, out: Outputs, **choices: Any) -> None:
    """Count the people of FILE, or add up the tallies in FILE (.npz), which have to count the same columns.

    An audit of the tally gives the numbers of an audit of the people, and knows their columns. A tally may hold cells
    of one person: it is as confidential as the people are.

    \b
      fairstats tally may.csv --groups sex --decision hired --to may.npz
      fairstats tally may.npz june.npz --to both.npz
      fairstats audit both.npz
    """
    read = expanded(files)
    out.check(read)
    import fairstats

    wide = choices["selected"] is not None
    source = _counted(read, input_format, choices)
    given = {name: value for name, value in choices.items() if value not in (None, [])}
    if isinstance(source, fairstats.Tally):
        if given and not wide:
            raise InputError(
                f"--{next(iter(given))} was given beside saved tallies, whose columns are chosen already; leave it out."
            )
        counted = source
    else:
        counted = fairstats.tally(source, **given)
    out.write(saved=lambda: counted, json=lambda: _json(counted))
    if not out.on_stdout:
        say(_tally_line(counted))


def _json(counted: Any) -> str:
    import json

    return json.dumps(counted.to_dict(), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _tally_line(counted: Any) -> str:
    return f"{counted._brief()}."


# ``fairstats compare-audits``: two saved audits in; by how much each difference between groups changed, and a gate,
# out.


@click.command(short_help="Test whether differences changed between two audits.")
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="AFTER")
@options(
    click.option("--metric", multiple=True, callback=columns, metavar="RATE",
                 help="Rates to compare, by commas. [all that both audits have]"),
    click.option("--conf-level", type=Share(), help="Confidence level, of all comparisons together. [0.95]"),
    of_audit("p_adjust"),
    fail_on(GATES["change"]),
    outputs(".html, .pdf, .json, .csv: report; .npz: the result", "report", "saved", "table", can_open=True),
    report_words,
)  # fmt: skip
def compare_audits(
    before: str, after: str, gates: list[Gate], out: Outputs, words: dict[str, Any], **choices: Any
) -> int:
    """Test whether the differences between groups changed from the audit in BEFORE to that in AFTER, of other people.

    Both are audits that were saved: fairstats audit may.csv ... --to may.npz.

    \b
      fairstats compare-audits may.npz june.npz --fail-on drift
      fairstats compare-audits may.npz june.npz --fail-on "worse>0.05"
    """
    out.check([before, after])
    import fairstats

    audits = [loaded(name, fairstats.Audit, "audit", "fairstats audit") for name in (before, after)]
    result = fairstats.compare_audits(
        *audits, **{name: value for name, value in choices.items() if value not in (None, [])}
    )
    write_report(out, [result], words, saved=lambda: result, table=result.tidy)
    if not out.on_stdout:
        say(result.summary)
    return exit_code(gates, result)


# ``fairstats subgroup-scan``: people in; which combinations of their labels differ from everybody, and a gate, out.


@click.command(short_help="Find subgroups that differ from everybody.")
@FILES
@options(
    of_audit("decision", "groups", "outcome", "score"),
    click.option("--metric", metavar="RATE", help="The rate, such as TPR or FPR. [selection rate]"),
    click.option("--bands", type=int, metavar="N", help="Bands of the score, a chance of the outcome; 1 for none. [5]"),
    of_audit("favorable", "positive", "positive_prediction"),
    click.option("--max-order", type=int, metavar="N", help="Most columns that a subgroup is a combination of. [2]"),
    click.option("--min-n", type=int, metavar="N", help="The least number of people in a subgroup. [10]"),
    click.option("--margin", type=Share(), metavar="SHARE",
                 help="How far from everybody is no disparity (declare it in advance). [0]"),
    click.option("--conf-level", type=Share(), help="Confidence level, of all limits together. [0.95]"),
    click.option("--fdr", type=Share(), metavar="SHARE", help="False discovery rate of what is flagged. [0.05]"),
    click.option("--p-adjust", metavar="METHOD", help="How flags are found: bh, or by under any dependence. [bh]"),
    of_audit("missing"),
    click.option("--seed", type=int, help="Seed of the joint level of the limits. [0]"),
    fail_on(GATES["study"]),
    INPUT_FORMAT,
    outputs(".html, .pdf, .json, .csv: report; .npz: the result", "report", "saved", "table", can_open=True),
    report_words,
)  # fmt: skip
def subgroup_scan(files: tuple[str, ...], gates: list[Gate], input_format: str | None, out: Outputs,
                  words: dict[str, Any], **choices: Any) -> int:  # fmt: skip
    """Find out which subgroups of the people in FILE differ from everybody, of all combinations of the groups' labels.

    Several files are one table; saved tallies (.npz, fairstats tally) are added up.

    \b
      fairstats subgroup-scan people.csv --decision hired --groups sex,race,age_class
      fairstats subgroup-scan people.csv --decision hired --outcome good --metric FPR \\
        --groups sex,race --margin 0.05 --fail-on disparity --to subgroups.html
      fairstats subgroup-scan people.csv --score risk --outcome good --groups sex,race
    """
    read = expanded(files)
    out.check(read)
    import fairstats

    source = people(read, input_format)
    result = fairstats.subgroup_scan(
        source, **{name: value for name, value in choices.items() if value not in (None, [])}
    )
    if isinstance(source, fairstats.Tally):  # which does not know its files
        result = replace(result, method=listing([Path(name).name for name in read], 3))
    write_report(out, [result], words, saved=lambda: result, table=result.tidy)
    if not out.on_stdout:
        say(result.summary)
    return exit_code(gates, result)


# ``fairstats representation``: the groups of the people in a file beside a benchmark.


def _benchmark(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> Any:
    """Shares or counts by label (LABEL=NUMBER), or the file that has the pool."""
    if len(given) == 1 and "=" not in given[0]:
        if re.fullmatch(r"[\d.,]+%?", given[0]):
            raise click.BadParameter(f"{given[0]!r} is no LABEL=NUMBER; write each group's share, as in F=0.5,M=0.5.")
        return given[0]
    result = {}
    for part in (piece for value in given for piece in value.split(",")):
        label, _, number = part.rpartition("=")
        try:
            result[label] = float(number.removesuffix("%")) / (100 if number.endswith("%") else 1)
        except ValueError:
            raise click.BadParameter(f"{part!r} is no LABEL=NUMBER, as in Black=0.154.") from None
    return result


def _written(
    result: Any,
    out: Outputs,
    words: dict[str, Any],
    gates: list[Gate],
    brief: str = "",
    short: Callable[[], str] | None = None,
) -> int:
    """A result printed or written, and the exit code of its gates.

    brief: what is printed in place of the summary where files are written. short: what is printed in its place anyway.
    """
    write_report(out, [result], words, saved=lambda: result, table=result.tidy)
    if not out.on_stdout:
        say(brief if brief and out else short or result.summary)
    return exit_code(gates, result)


STUDY = (
    of_audit("p_adjust"),
    click.option("--conf-level", type=Share(), help="Confidence level, of all comparisons together. [0.95]"),
    fail_on(GATES["study"]),
    outputs(".html, .pdf, .json, .csv: report; .npz: the result", "report", "saved", "table", can_open=True),
    report_words,
)


def _given(choices: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in choices.items() if value not in (None, [], ())}


@click.command(short_help="Compare the shares of groups with a benchmark.")
@click.argument("file")
@options(
    click.option("--groups", metavar="COLUMN", required=True, help="The column of groups."),
    click.option("--benchmark", multiple=True, required=True, callback=_benchmark, metavar="LABEL=SHARE",
                 help="Share (or count) of a group in the pool, repeatable; or a file that has the column of groups."),
    click.option("--kind", type=click.Choice(["population", "sample", "pool"]),
                 help="What counts of a benchmark are. [sample; shares: population]"),
    click.option("--weights", metavar="COLUMN", help="How many people a row stands for."),
    click.option("--method", type=click.Choice(["goodman", "sison-glaz", "clopper-pearson"]),
                 help="Simultaneous limits of the shares. [goodman]"),
    *STUDY,
)  # fmt: skip
def representation(file: str, out: Outputs, gates: list[Gate], words: dict[str, Any], **choices: Any) -> int:
    """Compare the shares of groups among the people in FILE with those of the pool that they came from.

    \b
      fairstats representation hires.csv --groups race --benchmark Black=0.154
      fairstats representation hires.csv --groups race --benchmark applicants.csv --kind pool
    """
    out.check([file])
    import fairstats

    return _written(fairstats.representation(source([file]), **_given(choices)), out, words, gates)


@click.command(short_help="Compare groups at every stage of a selection.")
@click.argument("file")
@options(
    click.option("--stages", multiple=True, required=True, callback=columns, metavar="COLUMN",
                 help="Columns of the stages in their order, by commas."),
    click.option("--groups", metavar="COLUMN", required=True, help="The column of groups."),
    click.option("--total", metavar="COLUMN", help="Of a table of counts: how many began."),
    click.option("--weights", metavar="COLUMN", help="How many people a row stands for."),
    click.option("--strata", metavar="COLUMN", help="Compare within this column too, such as the posting."),
    click.option("--reference", metavar="GROUP", help="The group that others are compared with. [the largest]"),
    *STUDY,
)  # fmt: skip
def stages(file: str, out: Outputs, gates: list[Gate], words: dict[str, Any], **choices: Any) -> int:
    """Compare groups at every stage of a selection, among those who reached it, and in the end.

    \b
      fairstats stages people.csv --stages screened,interviewed,hired --groups race
      fairstats stages counts.csv --stages passed,promoted --total took --groups race
    """
    out.check([file])
    import fairstats

    return _written(fairstats.stages(source([file]), **_given(choices)), out, words, gates)


@click.command(short_help="Compare groups within pairs or blocks of alike applications.")
@click.argument("file")
@options(
    click.option("--decision", metavar="COLUMN", required=True, help="A column of two values."),
    click.option("--groups", metavar="COLUMN", required=True, help="The column of groups."),
    click.option("--blocks", metavar="COLUMN", required=True, help="The column of pairs or blocks, such as the ad."),
    click.option("--clusters", metavar="COLUMN", help="What applications of several blocks share, such as the name."),
    of_audit("favorable"),
    click.option("--reference", metavar="GROUP", help="The group that others are compared with. [the largest]"),
    click.option("--seed", type=int, help="Seed of the exchanges over clusters. [0]"),
    *STUDY,
)  # fmt: skip
def matched_pairs(file: str, out: Outputs, gates: list[Gate], words: dict[str, Any], **choices: Any) -> int:
    """Compare groups within blocks of applications that are alike but for the group.

    \b
      fairstats matched-pairs sent.csv --decision call --groups race --blocks ad_id \\
        --clusters first_name
    """
    out.check([file])
    import fairstats

    return _written(fairstats.matched_pairs(source([file]), **_given(choices)), out, words, gates)


def _models(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """``--models old=yhat_1,new=yhat_2``, or the columns alone, as names and columns."""
    parts = [piece.strip().rpartition("=") for value in given for piece in value.split(",") if piece.strip()]
    names = [name or column for name, _, column in parts]
    if twice := {name for name in names if names.count(name) > 1}:
        raise click.BadParameter(f"{listing(sorted(twice))} is named twice; give every model its own name.")
    return {name: column for name, (*_, column) in zip(names, parts, strict=True)}


OF_MODELS = (
    click.option("--groups", metavar="COLUMN", required=True, help="The column of groups."),
    click.option("--threshold", type=float, help="The columns hold scores; from here on the decision is 1."),
    of_audit("favorable", "positive", "positive_prediction"),
    click.option("--reference", metavar="GROUP", help="The group that others are compared with. [the largest]"),
)


@click.command("group-probabilities", short_help="Bound a gap between groups known only as probabilities.")
@click.argument("file")
@options(
    click.option("--decision", metavar="COLUMN", required=True, help="A column of two values."),
    click.option("--groups", multiple=True, required=True, callback=_models, metavar="GROUP=COLUMN",
                 help="Groups and the columns of their probabilities, by commas."),
    click.option("--known", metavar="COLUMN", help="The group itself where it is known, empty elsewhere."),
    click.option("--drawn-at-random", is_flag=True,
                 help="Declare that people whose group is known were drawn at random: their difference comes first."),
    of_audit("favorable"),
    click.option("--reference", metavar="GROUP", help="The group that others are compared with. [the largest]"),
    click.option("--seed", type=int, help="Seed of the folds. [0]"),
    *STUDY[:2],
    BRIEF,
    *STUDY[2:],
)  # fmt: skip
def group_probabilities(
    file: str, out: Outputs, gates: list[Gate], brief: bool, words: dict[str, Any], **choices: Any
) -> int:
    """Bound the gap in selection between groups that are known only as probabilities of the people in FILE.

    \b
      fairstats group-probabilities people.csv --decision hired \\
        --groups White=p_white,Black=p_black --reference White
    """
    out.check([file])
    import fairstats

    result = fairstats.group_probabilities(source([file]), **_given(choices))
    return _written(result, out, words, gates, short=result.__str__ if brief or out else None)


@click.command("compare-models", short_help="Compare models by the gaps between groups that they leave.")
@click.argument("file")
@options(
    click.option("--models", multiple=True, required=True, callback=_models, metavar="NAME=COLUMN",
                 help="Columns of the models' decisions, by commas; the first is the baseline."),
    click.option("--outcome", metavar="COLUMN", help="What happened: error rates and accuracy are compared too."),
    click.option("--baseline", metavar="NAME", help="The model that others are compared with. [the first]"),
    click.option("--versus", type=click.Choice(["baseline", "all"]),
                 help="Each model beside the baseline, or every pair. [baseline]"),
    click.option("--margin", type=Share(), help="From which change of a gap or of accuracy on it matters, as 0.02."),
    *OF_MODELS,
    *STUDY[:2],
    BRIEF,
    fail_on(GATES["study"], "a gap is shown to be larger or only changed, or accuracy lower, and not shown to stay "
            "within --margin"),
    *STUDY[3:],
)  # fmt: skip
def compare_models(
    file: str, out: Outputs, gates: list[Gate], brief: bool, words: dict[str, Any], **choices: Any
) -> int:
    """Compare models that decided about the same people in FILE, whom none of them was trained on.

    \b
      fairstats compare-models people.csv --models old=yhat_1,new=yhat_2 \\
        --groups race --outcome repaid
    """
    out.check([file])
    import fairstats

    result = fairstats.compare_models(source([file]), **_given(choices))
    return _written(result, out, words, gates, short=result.__str__ if brief or out else None)


@click.command(short_help="Watch a gap between groups period by period.")
@FILES
@options(
    click.option("--decision", metavar="COLUMN", required=True, help="A column of two values."),
    click.option("--groups", metavar="COLUMN", required=True, help="The column of groups."),
    click.option("--period", metavar="COLUMN", help="The column of periods, such as 2024-03. [month]"),
    click.option("--levels", multiple=True, callback=columns, metavar="GROUP,...",
                 help="All groups that will be watched, also those with nobody yet. [those of the first call]"),
    of_audit("favorable"),
    click.option("--reference", metavar="GROUP",
                 help="The group that others are compared with. [the largest of the first period]"),
    click.option("--margin", type=Share(), metavar="SHARE", help="The largest gap that raises no alarm. [0]"),
    click.option("--baseline", metavar="PERIOD", help="The last period of those that later ones are compared with."),
    click.option("--looks", type=int, help="How many periods are planned, 2 to 24. [without an end]"),
    click.option("--spending", type=click.Choice(["obrien-fleming", "pocock"]),
                 help="How the error is spent over planned looks. [obrien-fleming]"),
    click.option("--conf-level", type=Share(), help="One minus the chance of a false alarm, in all periods. [0.95]"),
    click.option("--state", metavar="JSON", help="File of the periods so far: read where it is there, written anew."),
    click.option("--brief", is_flag=True, help="Print the answer alone, without tables."),
    fail_on(GATES["monitor"]),
    INPUT_FORMAT,
    outputs(".html, .pdf, .json, .csv: report; .npz: the result", "report", "saved", "table", can_open=True),
    report_words,
)  # fmt: skip
def monitor(files: tuple[str, ...], input_format: str | None, out: Outputs, gates: list[Gate], brief: bool,
            words: dict[str, Any], **choices: Any) -> int:  # fmt: skip
    """Watch the gap between groups in FILE period by period: one error rate, however often one looks.

    The question is whether there is a gap; with --baseline, whether it is no longer what it was up to that period.

    Several files are one table. With --state the files have the periods after its last, and all are tested together;
    --fail-on alarm gives a scheduler exit code 1 from the alarm on, --fail-on new-alarm only where the periods of FILE
    raise one, --fail-on labels where in these labels of decisions or groups may have changed places, or the reference
    is gone. The last periods again, with the same counts, are not counted twice.

    \b
      fairstats monitor 2024-*.csv --period month --decision hired --groups race \\
        --state monitor.json --fail-on alarm
    """
    read = expanded(files)
    out.check([*read, choices["state"]])
    import fairstats
    from fairstats.auditing.monitor import in_brief

    result = fairstats.monitor(source(read, input_format), **_given(choices))
    if (text := exchanged_labels(result)) and all(gate.name != "labels" for gate in gates):
        note(text)
    return _written(result, out, words, gates, short=partial(in_brief, result) if brief else result.__str__)


@click.command(short_help="Ask whether a candidate is as accurate and leaves a smaller gap.")
@click.argument("file")
@options(
    click.option("--candidates", multiple=True, required=True, callback=_models, metavar="NAME=COLUMN",
                 help="Columns of the candidates' decisions, by commas; the first is the model in use."),
    click.option("--outcome", metavar="COLUMN", required=True, help="What happened."),
    click.option("--baseline", metavar="NAME", help="The model in use. [the first]"),
    click.option("--metric", type=click.Choice(["selection rate", "TPR", "FPR"]),
                 help="The rate whose gap is to be smaller. [selection rate]"),
    click.option("--margin", type=Share(), help="How much less accurate it may be. [0.02]"),
    click.option("--gap-margin", type=Share(), help="How much larger the gap of another group may be. [--margin]"),
    click.option("--group", metavar="GROUP", help="The group whose gap to the reference decides. [largest gap]"),
    click.option("--split", metavar="COLUMN", help="1 for who chooses, 0 for who tests. [drawn]"),
    click.option("--seed", type=int, help="Seed of the halves. [0]"),
    *OF_MODELS,
    STUDY[1],
    BRIEF,
    fail_on(GATES["search"], "the gap is shown to be larger or only changed, or accuracy lower and not within "
            "--margin. alternative: one is found"),
    *STUDY[3:],
)  # fmt: skip
def alternatives(file: str, out: Outputs, gates: list[Gate], brief: bool, words: dict[str, Any], **choices: Any) -> int:
    """Ask whether one of many candidates is as accurate as the model in use and leaves a smaller gap.

    \b
      fairstats alternatives people.csv --candidates now=yhat,a=yhat_a,b=yhat_b \\
        --groups race --outcome repaid
    """
    out.check([file])
    import fairstats

    result = fairstats.alternatives(source([file]), **_given(choices))
    return _written(result, out, words, gates, short=result.__str__ if brief else None)


@click.command(short_help="Report pay as the European directive or the British regulations ask.")
@click.argument("file")
@options(
    click.option("--pay", metavar="COLUMN", required=True, help="All pay (eu), or hourly pay or that of --hours (uk)."),
    click.option("--groups", metavar="COLUMN", required=True, help="The column of groups."),
    click.option("--law", type=click.Choice(["eu", "uk"]), default="eu", show_default=True,
                 help="Directive (EU) 2023/970, or the British regulations of 2017."),
    click.option("--variable-pay", metavar="COLUMN", help="eu: complementary or variable pay, a part of the pay."),
    click.option("--category", metavar="COLUMN", help="eu: categories of the same work or work of equal value."),
    click.option("--bonus", metavar="COLUMN", help="uk: the bonus of the twelve months."),
    click.option("--hours", metavar="COLUMN", help="The hours that the pay is of."),
    click.option("--reference", metavar="GROUP", help="The group of men. [that which is called so]"),
    click.option("--margin", type=Share(), help="eu: the gap from which reasons are asked for. [0.05]"),
    click.option("--min-n", type=int, help="Withhold numbers of groups of fewer people. [5]"),
    of_labels("What the report calls groups: groups.sex.1=women."),
    click.option("--about", metavar="KEY=TEXT", multiple=True, callback=pairs_of,
                 help="For page one: employer=..., period=...; repeatable."),
    *STUDY[1:],
)  # fmt: skip
def pay(file: str, law: str, out: Outputs, gates: list[Gate], words: dict[str, Any], **choices: Any) -> int:
    """Report the pay of women and men in FILE, a row a worker, as a law asks; audit --amount takes weights.

    \b
      fairstats pay pay.csv --pay pay --groups sex --category grade --hours hours --to pay.pdf
      fairstats pay pay.csv --law uk --pay hourly --groups sex --bonus bonus
    """
    out.check([file])
    import fairstats

    given = _given(choices)
    foreign, other = (("bonus",), "uk") if law == "eu" else (("variable_pay", "category", "margin"), "eu")
    for name in foreign:
        if name in given:
            raise InputError(name, f"is not of the law {law!r}; leave it out, or pass --law {other}.")
    from fairstats.auditing.pay import answer_of_pay

    report_of = fairstats.pay_transparency if law == "eu" else fairstats.gender_pay_gap
    result = report_of(source([file]), **given)
    brief = f"{answer_of_pay(result)}\n\nWithout --to all figures are printed, and what the law asks for."
    return _written(result, out, words, gates, brief)


# ``fairstats decompose``: what accounts for a gap.


@click.command(short_help="Decompose a gap in pay or decisions into what covariates account for, and the rest.")
@FILES
@options(
    click.option("--amount", metavar="COLUMN", help="What people were given, a number."),
    click.option("--decision", metavar="COLUMN", help="What was decided about the person (two values)."),
    click.option("--groups", metavar="COLUMN", help="The column of groups."),
    click.option("--explained-by", metavar="FORMULA", help="'~ age + education', or columns with commas."),
    click.option("--reference", metavar="GROUP", help="Whom the others are compared with. [the largest group]"),
    click.option("--coefficients", metavar="NAME", help="Whose slopes: a name, or the weight of the reference's."),
    click.option("--method", metavar="NAME", help="oaxaca, kitagawa, gelbach, yun, fairlie, reweighting or rif."),
    click.option("--threefold", is_flag=True, help="Endowments, coefficients and their interaction."),
    click.option("--quantile", type=float, help="Decompose this quantile in place of the mean."),
    click.option("--weights", metavar="COLUMN", help="Probability weights."),
    click.option("--clusters", metavar="COLUMN", help="People of one label depend on each other."),
    of_audit("favorable", "unit", "conf_level"),
    of_labels("What the report calls groups and columns: groups.sex.1=women, attributes.sex=gender."),
    click.option("--seed", type=int, help="Seed of Fairlie's samples. [0]"),
    INPUT_FORMAT,
    outputs(".html, .pdf, .json, .csv: report; .npz: the result", "report", "saved", "table", can_open=True),
    report_words,
)  # fmt: skip
def decompose(files: tuple[str, ...], input_format: str | None, out: Outputs, words: dict[str, Any],
              **choices: Any) -> int:  # fmt: skip
    """Find out which part of the gap between groups in FILE their covariates account for.

    \b
      fairstats decompose pay.csv --amount wage --groups sex --reference m \\
        --explained-by "~ age + education"
      fairstats decompose people.csv --decision hired --groups sex --explained-by age,education \\
        --to gap.html
    """
    read = expanded(files)
    out.check(read)
    import fairstats

    given = {name: value for name, value in choices.items() if value not in (None, False)}
    if "explained_by" in given:
        given["explained_by"] = named_or_formula(given["explained_by"])
    if "coefficients" in given:
        given["coefficients"] = number_or_text(given["coefficients"])
    result = fairstats.decompose(source(read, input_format), **given)
    write_report(out, [result], words, saved=lambda: result, table=result.parts)
    if not out.on_stdout:
        say(result.summary)
    return 0


def number_or_text(value: str) -> float | str:
    """A number where it is one."""
    try:
        return float(value)
    except ValueError:
        return value


# ``fairstats verify``: does a report follow from the data?


CODES = {"verified": 0, "disagreement": 1, "partly verified": 4}


@click.command(short_help="Recompute a report from the data, and compare every number.")
@click.argument("report")
@FILES
@options(INPUT_FORMAT)
def verify(report: str, files: tuple[str, ...], input_format: str | None) -> int:
    """Repeat the audit, or the report of pay, models, a watched gap or probable groups, in REPORT on FILE, and compare.

    Every number has to be the same within 1e-9, the SHA-256 of the data the one in the report, and the file byte for
    byte the one that these results give. Ends with exit code 1 where something differs, and with 4 where the numbers
    agree and the rest cannot be verified: the pages, which cannot be made again here (other software, templates of
    one's own, further results), or which file was audited, where the report is of a data frame or another table in
    memory, of which it records no SHA-256. REPORT is a PDF, HTML or JSON file. A table of counts is read as it was for
    the report, which records the columns.

    \b
      fairstats verify audit.pdf people.csv
    """
    from fairstats.data.read import ENDINGS
    from fairstats.reporting.verify import verify_report

    if Path(report).suffix.lower() in {*ENDINGS} - {".json"}:
        raise InputError(
            f"REPORT has {report!r}, a table; the report, a PDF, HTML or JSON file that fairstats wrote, comes first: "
            f"fairstats verify audit.pdf {report}."
        )
    result = verify_report(report, source(expanded(files), input_format))
    say(result.summary)
    return CODES[result.status]


# ``fairstats report``: saved results joined in one report.


@click.command(short_help="Join saved results in one report.")
@click.argument("saved", nargs=-1, required=True, metavar="SAVED...")
@options(outputs(".html, .pdf, .json, .csv", "report", can_open=True), report_words)
def report(saved: tuple[str, ...], out: Outputs, words: dict[str, Any]) -> None:
    """Write one report on the results in SAVED: files (.npz) that commands such as audit, compare-models, alternatives,
    monitor, fit and leakage wrote by --to.

    \b
      fairstats report audit.npz fit.npz leakage.npz --to report.pdf
    """
    if twice := [name for name in saved if saved.count(name) > 1]:
        raise InputError(f"SAVED has {twice[0]!r} twice; name it once.")
    read = expanded(saved)
    if not out:
        raise click.UsageError("nothing is to be written; name a file with --to report.html.")
    out.check(read)
    import fairstats

    write_report(out, [fairstats.load(path) for path in read], words)


# ``fairstats demo``: an audit of the table that ships, two ways to take the groups out, what is left, the report.


FEATURES = "~ age + checks + employed + citizen + year"
WORDS = {
    "unit": "arrestees",
    "favorable": "were released",
    "unfavorable": "were held",
    "groups": {"colour": {"Black": "Black", "White": "White"}},
}


@click.command(short_help="Audit 5,226 arrests in Toronto, with a report.")
@click.option("--to-dir", default=".", show_default=True, metavar="DIR", help="Where to write; made when absent.")
@click.option("--force", is_flag=True, help="Replace also files that fairstats did not write.")
def demo(to_dir: str, force: bool) -> None:
    """Audit 5,226 arrests in Toronto: were Black arrestees released less often than White ones?

    Then it takes the groups out of what was known of them, by og and by fair_pca: at what price, and what still leaks.
    """
    from fairstats.data.datasets import arrests_file

    data, folder = arrests_file(), Path(to_dir)
    out = Outputs(tuple(str(folder / f"audit.{suffix}") for suffix in ("html", "pdf", "json")), force=force)
    folder.mkdir(parents=True, exist_ok=True)
    out.check()
    click.get_current_context().meta[QUIET] = True  # the files are the output of this command, and are printed as such
    results = _results(data)
    write_report(out, results, {"title": "Released on a summons: 5,226 arrests in Toronto"})
    say("\n".join(out.files))
    say(results[0].finding)


def _results(data: Path) -> list[Any]:
    """The audit; two fits of what was known of the arrestees; what scores of people not fitted still tell of them."""
    import sklearn.ensemble  # noqa: F401  loads the threads that are limited here
    from threadpoolctl import threadpool_limits

    import fairstats

    with threadpool_limits(1):  # the table is small: threads would wait for each other
        result = fairstats.audit(data, groups="colour", decision="released", favorable="Yes", labels=WORDS)
        present: dict[str, Any] = {"groups": "colour", "data": fairstats.arrests(), "k": 2, "scale": True}
        fits = [fairstats.og(FEATURES, **present), fairstats.fair_pca(FEATURES, **present)]
        leaks = [fairstats.leakage(fit.crossfit(present["data"]), permutations=0) for fit in fits]
    return [result, *fits, *leaks]
