"""What is in a file, and the choices of an audit: facts alone; every line that is offered is one that can be taken."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from dataclasses import fields

import pandas as pd
import pytest

import fairstats
from fairstats.auditing.arguments import AuditArguments
from fairstats.cli import run
from fairstats.cli.protocol import described
from fairstats.data.datasets import ARRESTS

LINE = re.compile(r"# ([\w.]+ = .*)")
NASTY = pd.DataFrame(
    {
        'q"uo\\te': ["a\nb", 'c"d', "a\nb", "\x7f"] * 3,
        "code": ["01", "2", "01", "2"] * 3,
        "yes": [True, False, None, True] * 3,
        "id": [f"p{i}" for i in range(12)],
        "x": [0.5, 1.5, None, 2.5] * 3,
        "empty": [None] * 12,
        "none": [1] * 12,
    }
)


def test_describe_counts_what_is_there(capsys):
    assert run(["describe", str(ARRESTS), "--format", "json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    frame = fairstats.arrests()
    assert facts["rows"] == 5226 and [c["name"] for c in facts["columns"]] == list(frame.columns)
    for column in facts["columns"]:
        values = frame[column["name"]]
        assert column["missing"] == values.isna().sum() and column["distinct"] == values.nunique()
        assert {level["label"]: level["n"] for level in column["levels"]} == values.astype(str).value_counts().to_dict()
    assert run(["describe", str(ARRESTS)]) == 0
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 80
    assert "colour: text, 2 different\n    White (3,938), Black (1,288)\n" in printed


def test_a_role_is_named_exactly_where_an_audit_takes_the_column():
    frame = NASTY.assign(d=[0, 1] * 6, g=list("ab") * 6)
    for column in described(frame):
        if column.name in ("d", "g", "none"):  # one label is a decision where the other is declared: nobody lists it
            continue
        for role, call in {
            "outcome or decision": {"decision": column.name, "groups": "g"},
            "decision of several classes": {"decision": column.name, "groups": "g"},
            "groups": {"decision": "d", "groups": column.name},
            "score": {"decision": "d", "groups": "g", "score": column.name},
            "amount": {"groups": "g", "amount": column.name},
        }.items():
            if role in ("score", "amount", "decision of several classes") and column.distinct <= 2:
                continue
            if role == "outcome or decision" and column.distinct > 2:
                continue  # audits take several labels, one against the rest or all; only two are listed
            try:
                label = column.levels[0][0] if column.levels else 1
                fairstats.audit(frame, **call, **({"favorable": label} if role == "outcome or decision" else {}))
                taken = True
            except fairstats.FairstatsError:
                taken = False
            possible = role in column.roles
            assert taken or not possible, (column.name, role)
            if (
                not role.endswith(("groups", "classes")) or column.name != "id"
            ):  # twelve groups of one person each: possible, and pointless
                assert possible == taken, (column.name, role)


@pytest.mark.parametrize("frame", [NASTY, None], ids=["nasty", "arrests"])
def test_nothing_is_chosen_and_every_line_is_one_that_may_be_taken(frame, tmp_path, capsys):
    data = ARRESTS
    if frame is not None:
        data = tmp_path / "nasty.csv"
        frame.to_csv(data, index=False)
    target = tmp_path / "audit.toml"
    assert run(["protocol", "init", str(data), "--to", str(target)]) == 0
    text = target.read_text()
    assert tomllib.loads(text) == {}
    offered = {}
    for line in text.splitlines():
        assert not line or line.startswith("#")
        if result := LINE.fullmatch(line):
            ((name, value),) = tomllib.loads(result[1]).items()
            offered.setdefault(name, []).append(value)
    unlikely = {line.split()[1].rstrip(":") for line in text.splitlines() if ": no column " in line}
    assert {*offered, *unlikely, "threshold"} == {f.name for f in fields(AuditArguments)}
    table = fairstats.read_table(data).frame
    for role in ("decision", "outcome", "score", "weights", "clusters"):
        assert set(offered.get(role, ())) <= set(table.columns)


def test_a_protocol_that_was_filled_in_is_the_audits(tmp_path, capsys):
    target = tmp_path / "audit.toml"
    assert run(["protocol", "init", str(ARRESTS), "--to", str(target)]) == 0
    assert run(["audit", str(ARRESTS), "--protocol", str(target)]) == 2
    assert "all absent" in capsys.readouterr().err
    groups, largest = '["sex", "colour", "citizen"]', '{ "sex" = "Male", "colour" = "White", "citizen" = "Yes" }'
    taken = ('decision = "released"', 'favorable = "Yes"', f"groups = {groups}", f"reference = {largest}")
    text = target.read_text()
    for line in taken:
        assert f"# {line}" in text, line
        text = text.replace(f"# {line}", line)
    target.write_text(text)
    assert run(["protocol", "init", str(ARRESTS), "--to", str(target)]) == 2  # what was chosen is not lost
    assert "choices were made in it" in capsys.readouterr().err and target.read_text() == text
    assert run(["audit", str(ARRESTS), "--protocol", str(target), "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)["audit"]
    reference = {"sex": "Male", "colour": "White", "citizen": "Yes"}
    expected = fairstats.audit(ARRESTS, "released", list(reference), favorable="Yes", reference=reference)
    assert result["estimates"] == expected.estimates.to_records() and result["protocol"]["declared"]


@pytest.mark.parametrize(("outcome", "predicts"), [("two_year_recid", "1"), ("repaid", "0")])
def test_of_a_harm_the_other_label_is_offered_as_favorable_and_it_predicts_a_harm(outcome, predicts, tmp_path) -> None:
    data, target = tmp_path / "p.csv", tmp_path / "audit.toml"
    data.write_text(f"sex,denied,{outcome}\n" + "f,0,1\nm,1,0\nf,1,1\nm,0,0\n" * 9)
    assert run(["protocol", "init", str(data), "--to", str(target)]) == 0
    text = target.read_text()
    for line in ('favorable = "0"', 'positive = "1"', f'positive_prediction = "{predicts}"'):
        assert f"\n# {line}" in text, line


def test_the_column_of_pay_is_offered_as_the_amount_of_a_protocol(tmp_path, capsys):
    data, target = tmp_path / "pay.csv", tmp_path / "audit.toml"
    data.write_text("sex,wage\nf,30\nm,40\nf,50\nm,60\nf,31\nm,44\n")
    assert run(["protocol", "init", str(data), "--to", str(target)]) == 0
    text = target.read_text()
    for line in ('amount = "wage"', 'unit = "', "quantiles = [0.1, 0.5, 0.9]", 'groups = ["sex"]'):
        assert f"\n# {line}" in text, line
        text = text.replace(f"\n# {line}", f"\n{line}")
    target.write_text(text.replace('unit = "..."', 'unit = "EUR/h"'))
    assert run(["audit", str(data), "--protocol", str(target), "--format", "json"]) == 0
    audit = json.loads(capsys.readouterr().out)["audit"]
    assert audit["estimates"] == fairstats.audit(data, amount="wage", groups="sex", unit="EUR/h").estimates.to_records()


def test_a_protocol_is_written_once_and_replaced_only_where_it_is_ours(tmp_path, capsys):
    target = tmp_path / "audit.toml"
    assert run(["protocol", "init", str(ARRESTS), "--to", str(target)]) == 0
    assert run(["protocol", "init", str(ARRESTS), "--to", str(target)]) == 0
    target.write_text('groups = ["colour"]  # mine\n')
    assert run(["protocol", "init", str(ARRESTS), "--to", str(target)]) == 2
    assert "--force" in capsys.readouterr().err and "mine" in target.read_text()
    assert run(["protocol", "init", str(ARRESTS)]) == 0
    assert capsys.readouterr().out.startswith("# Written by fairstats")


def test_a_protocol_is_short_and_guesses_from_names(tmp_path, capsys):
    """Of columns as COMPAS has them: the charge of a person is no group, and their sex is no decision."""
    n = 600
    frame = pd.DataFrame(
        {"id": range(n), "sex": ["Male", "Female"] * (n // 2), "age_cat": ["25 - 45", "Under 25"] * 300}
    )
    frame["race"] = [["African-American", "Caucasian", "Other"][i % 3] for i in range(n)]
    frame["c_charge_desc"] = [f"charge {i % 83}" for i in range(n)]
    frame["c_charge_degree"], frame["two_year_recid"] = ["F", "M"] * 300, [0, 0, 1, 1] * 150
    frame["decile_score"], frame["juv_fel_count"] = [i % 10 + 1 for i in range(n)], [i % 5 for i in range(n)]
    path = tmp_path / "compas.csv"
    frame.to_csv(path, index=False)
    assert run(["protocol", "init", str(path)]) == 0
    text = capsys.readouterr().out
    assert len(text.splitlines()) < 60 and "charge 1" not in text
    assert '# groups = ["race", "sex", "age_cat"]' in text and '# outcome = "two_year_recid"' in text
    assert '# score = "decile_score"  # 1 to 10' in text and "# decision: no column " in text
    assert '# labels.groups."race" = { "African-American" = "African-American", ' in text
    filled = text.replace('# labels.unit = "people"', 'labels.unit = "defendants"')
    for line in ("groups", "outcome", "score", "threshold", "reference", "labels.groups", "about", "action_plan"):
        filled = filled.replace(f"# {line}", line)
    plan = tmp_path / "audit.toml"
    plan.write_text("favorable = 0\n" + filled)
    protocol = fairstats.audit(frame, protocol=plan).protocol
    assert protocol.labels.group("race", "Caucasian") == "Caucasian" and protocol.about.system == "..."
    assert protocol.action_plan and protocol.threshold == 6


def test_a_protocol_offers_a_decision_of_several_classes_by_its_name(tmp_path, capsys):
    labels = ["accept", "review", "reject", "accept"]
    frame = pd.DataFrame({"grp": list("aabb") * 30, "decision": labels * 30, "truth": labels[::-1] * 30})
    path, plan = tmp_path / "people.csv", tmp_path / "audit.toml"
    frame.to_csv(path, index=False)
    assert run(["protocol", "init", str(path)]) == 0
    text = capsys.readouterr().out
    for line in ('decision = "decision"', 'outcome = "truth"', 'groups = ["grp"]', 'class_order = ["accept", "'):
        assert f"\n# {line}" in text, line
        text = text.replace(f"\n# {line}", f"\n{line}")
    plan.write_text(text)
    protocol = fairstats.audit(frame, protocol=plan).protocol
    assert set(protocol.classes) == set(labels) and protocol.outcome == "truth"
    path.write_text("id,text\n" + "".join(f"{i},t{i}\n" for i in range(30)))
    assert run(["protocol", "init", str(path)]) == 0
    assert '# favorable = "..."' in capsys.readouterr().out  # no label is invented


def test_a_protocol_offers_the_one_column_of_two_labels_as_decision_and_as_outcome(tmp_path, capsys):
    frame = pd.DataFrame({"sex": ["Male", "Female"] * 50, "income": ["<=50K", "<=50K", ">50K", "<=50K"] * 25})
    path, plan = tmp_path / "adult.csv", tmp_path / "audit.toml"
    frame.to_csv(path, index=False)
    assert run(["protocol", "init", str(path)]) == 0
    text = capsys.readouterr().out
    assert '# decision = "income"  # in place of the outcome' in text and '# outcome = "income"' in text
    plan.write_text(
        text.replace("# decision =", "decision =").replace("# favorable =", "favorable =").replace("# groups", "groups")
    )
    assert fairstats.audit(frame, protocol=plan).protocol.favorable in ("<=50K", ">50K")


def test_describe_says_how_a_table_of_counts_is_audited(tmp_path, capsys):
    path = tmp_path / "counts.csv"
    path.write_text("group,applicants,hires\nWhite,520,156\nBlack,180,36\n")
    assert run(["describe", str(path)]) == 0
    assert "fairstats audit FILE --groups group --selected hires --total applicants." in " ".join(
        capsys.readouterr().out.split()
    )
    assert run(["describe", str(ARRESTS)]) == 0
    assert "--selected" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("race,advanced,not advanced\nWhite,156,364\nBlack,36,144\n", "fairstats audit FILE --groups race --selected "
         "advanced --not-selected 'not advanced'."),
        ("race,hired,rejected\nWhite,364,156\nBlack,36,144\n", "--selected hired --not-selected rejected."),
        ("race,hired,rejected,total\nWhite,156,364,520\nBlack,36,144,180\n", "--selected hired --total total."),
        ("race,hired,out,people\nWhite,156,364,520\nBlack,36,144,180\n", "--selected hired --total people."),
        (",White,Black\napplicants,520,180\nhires,156,36\n", "transpose the table: a line a group, with its label"),
        (",White,Black\nhired,156,36\nrejected,364,144\n", "transpose the table: a line a group, with its label"),
    ],
)  # fmt: skip
def test_describe_recommends_no_total_of_those_who_were_not_selected(lines, words, tmp_path, capsys):
    path = tmp_path / "counts.csv"
    path.write_text(lines)
    assert run(["describe", str(path)]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert words in text and ("--total" in text) is ("--total" in words)
    assert run(["protocol", "init", str(path)]) == 0
    assert ("--selected" in capsys.readouterr().out) is ("White,Black" not in lines)


@pytest.mark.parametrize("template", ["{group} {count}", "{count}_{group}", "{count} ({group})"])
@pytest.mark.parametrize("counts", [("applicants", "hires"), ("hires", "applicants")])
def test_counts_of_each_group_in_columns_of_their_own_are_to_be_made_long(template, counts, tmp_path, capsys):
    """Jobs as lines: the jobs are not the groups; the recipe of the guide has the counts of every job and group."""
    values = {("Male", "applicants"): [200, 100], ("Male", "hires"): [80, 30],
              ("Female", "applicants"): [210, 120], ("Female", "hires"): [85, 24]}  # fmt: skip
    columns = {template.format(group=g, count=c): values[g, c] for g in ("Male", "Female") for c in counts}
    wide, path = pd.DataFrame({"Job": ["Clerk", "Driver"], **columns}), tmp_path / "wide.csv"
    wide.to_csv(path, index=False)
    assert run(["describe", str(path)]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "of Male, Female in columns of their own, make the table long: a line for each Job and group" in text
    assert "--selected" not in text
    assert run(["protocol", "init", str(path)]) == 0
    assert "--selected" not in capsys.readouterr().out
    as_long = ["audit", "--groups", "sex", "--selected", "hires", "--total", "applicants"]
    assert run([*as_long, str(path)]) == 2  # the same advice
    advice = "make the table long: a line for each Job and group, with the name of the group in a column"
    assert advice in text and advice in capsys.readouterr().err
    wide[:1].drop(columns="Job").to_csv(path, index=False)  # a row of counts alone
    assert run(["describe", str(path)]) == 0 and run(["protocol", "init", str(path)]) == 0
    assert "make the table long: a line for each group, with" in " ".join(capsys.readouterr().out.split())
    assert run([*as_long, str(path)]) == 2
    assert "make the table long: a line for each group, with" in capsys.readouterr().err


def test_labels_in_several_spellings_and_missing_values_are_named_with_the_line_that_mends_them(tmp_path, capsys):
    path, labels = tmp_path / "x.csv", ["f"] * 3 + ["f ", "F"] + ["m"] * 4 + ["?"]
    frame = pd.DataFrame({"g": labels, "hired": ["yes", "Yes", "no", "no", "no"] * 2, "h": list("abcab") * 2})
    frame["code"] = [1, 2, 1, 2, -99] * 2
    frame.to_csv(path, index=False)
    assert run(["describe", str(path)]) == 0
    text = capsys.readouterr().out
    assert "    3 spellings of one label: 'f' (3), 'F' (1), 'f ' (1)\n    may be missing values: '?' (1)\n" in text
    assert "    2 spellings of one label: 'Yes' (2), 'yes' (2)\n    could be: outcome or decision, " in text
    assert '    m (4), f (3), ? (1), F (1), "f " (1)' in text  # as in the notes, the blank can be seen
    assert text.count("spellings") == 2 and text.count("missing values") == 2
    assert "    may be missing values: '-99' (2)\n" in text
    assert run(["describe", str(path), "--format", "json"]) == 0
    notes = [column["notes"] for column in json.loads(capsys.readouterr().out)["columns"]]
    assert [len(one) for one in notes] == [2, 1, 0, 1]
    assert run(["protocol", "init", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "# Look at hired: 2 spellings of one label: 'Yes' (2), 'yes' (2)." in lines
    with pytest.raises(fairstats.InputError) as refused:
        fairstats.audit(frame, "hired", "h", favorable="yes")
    way = re.search(r"\(data\['hired'\] = data\['hired'\]\.replace\((.*)\)\), or, if", str(refused.value))
    assert way
    frame["hired"] = frame["hired"].replace(ast.literal_eval(way[1]))
    assert frame["hired"].value_counts().to_dict() == {"no": 6, "yes": 4}
    fairstats.audit(frame, "hired", "h", favorable="yes")


def test_rows_that_stand_there_twice_are_counted(tmp_path, capsys):
    path, table = tmp_path / "x.csv", pd.DataFrame({"id": [*range(150), *range(9)], "g": [*"abc"] * 53})
    table.to_csv(path, index=False)
    assert run(["describe", str(path)]) == 0
    assert "\nRows that repeat an earlier one in every column, id included: 9.\n" in capsys.readouterr().out
    table.assign(g=range(159)).to_csv(path, index=False)
    assert run(["describe", str(path)]) == 0
    assert "repeat" not in capsys.readouterr().out


def test_of_many_spellings_few_have_a_line():
    labels = [f"{text}{i}" for i in range(6) for text in ("Theft ", "theft ")]
    (column,) = described(pd.DataFrame({"charge": labels * 2}))
    assert [note.partition(":")[0] for note in column.notes] == ["2 spellings of one label"] * 3 + [
        "other labels in several spellings"
    ]
    assert all(column.notes[3].count(f"theft {i}") == 1 for i in range(3, 6))


def test_the_protocol_names_its_own_file(tmp_path):
    assert run(["protocol", "init", str(ARRESTS), "--to", str(tmp_path / "plan.toml")]) == 0
    text = (tmp_path / "plan.toml").read_text()
    assert "plan.toml" in text and "audit.toml" not in text


def test_a_label_that_means_a_refusal_is_no_missing_value_of_a_decision(tmp_path, capsys):
    """Declined may be an answer that was not given elsewhere."""
    (tmp_path / "p.csv").write_text("approved,ethnic\n" + "declined,A\napproved,declined\ndeclined,B\n" * 4)
    assert run(["describe", str(tmp_path / "p.csv")]) == 0
    decision, ethnic = capsys.readouterr().out.split("ethnic: ")
    assert "missing values" not in decision and "may be missing values: 'declined' (4)" in ethnic


def test_a_protocol_of_counts_offers_their_columns_and_is_carried_out(tmp_path, capsys) -> None:
    path, plan = tmp_path / "counts.csv", tmp_path / "audit.toml"
    path.write_text(
        'job,sex,applicants,hires\nClerk,f,"1,000",100\nClerk,m,200,20\nCook,f,200,80\nCook,m,"1,000",400\n'
    )
    assert run(["describe", str(path)]) == 0
    counts = "--selected hires --total applicants"
    assert f"FILE --groups sex --strata job {counts}." in " ".join(capsys.readouterr().out.split())
    assert run(["protocol", "init", str(path)]) == 0
    text = capsys.readouterr().out
    assert f"fairstats audit FILE {counts} --protocol audit.toml\n" in text and "# outcome" not in text
    assert "# decision: hires, how many were selected of applicants; --selected names it.\n" in text
    assert '# reference = "largest_group"' in text  # rows of counts tell no sizes
    for name in ("groups", "strata", "law"):
        assert f"\n# {name} = " in text
        text = text.replace(f"\n# {name} = ", f"\n{name} = ")
    plan.write_text(text)
    assert run(["audit", str(path), *counts.split(), "--protocol", str(plan)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "at the same rate (within the same job, all taken together): not below" in said
