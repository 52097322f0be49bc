"""The report of a decomposition: its words, its waterfall, the tables of parts and of coefficients."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.auditing.decompose import part_text
from fairstats.cli import run
from fairstats.errors import InputError


def result(unit: str | None = None) -> fairstats.Decomposition:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"sex": rng.choice(["f", "m"], 300), "years": rng.integers(0, 30, 300)})
    frame["pay"] = 10 + 0.2 * frame.years - (frame.sex == "f") + rng.normal(size=300)
    return fairstats.decompose(frame, "pay", "sex", explained_by="~ years", reference="m", unit=unit)


def test_page_one_has_the_sentence_the_waterfall_and_the_tables():
    text = str(fairstats.report(result()).html)
    assert "is accounted for by years" in text and "Waterfall." in text
    assert "Parts of the gap" in text and "What is accounted for, by whose coefficients" in text
    assert "discriminat" not in text.partition("Blinder, A. S.")[0] and "caused" not in text  # but for a title of 1973
    first = " ".join(re.sub("<[^>]*>", " ", text).partition("Parts of the gap")[0].split())
    assert (
        "Method: Oaxaca and Blinder; coefficients of both groups together, with a coefficient of the group. Parts are "
        "computed before rounding: as printed they may not add up to the last digit." in first
    )
    assert "vor dem Runden berechnet" in fairstats.report(result(), language="de").html
    assert "Oaxaca, R. (1973)" in text and "Jann, B. (2008)" in text
    read = re.sub("<[^>]*>", " ", text)
    assert len(re.findall("<h[1-6][^>]*>[^<]*What accounts for the gap", text)) == 1  # the title
    assert re.search(
        r"The mean of pay is \d+\.\d{3} among women and \d+\.\d{3} among men, \d\.\d{3} less \(95% confidence ",
        read,
    )
    assert "In the unit of pay." in read and "What accounts for the gap in the mean of pay" in read
    assert {len(digits) for digits in re.findall(r"−\d\.(\d+) \(", read.partition("Figure 1")[0])} == {3}


def test_groups_and_columns_are_called_by_labels(tmp_path, capsys):
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"sex": rng.choice(["1", "2"], 300), "years.since": rng.integers(0, 30, 300)})
    frame["grade"], frame["pay"] = rng.integers(0, 3, 300), rng.normal(20, 2, 300)
    names = {"groups": {"sex": {"1": "women", "2": "men"}}, "attributes": {"years.since": "years", "pay": "hourly pay"}}
    found = fairstats.decompose(
        frame, "pay", "sex", explained_by="~ `years.since` + C(grade)", reference="2", labels=names
    )
    text = " ".join(found.summary().split())
    assert "The mean of hourly pay is" in text and "accounted for by years and grade;" in text
    assert "C(grade)" not in text and "years.since" not in text and set(found.groups()) == {"1"}
    read = re.sub("<[^>]*>", " ", str(fairstats.report(found).html).partition("What is needed to run it again")[0])
    assert "C(grade)" not in read and "years.since" not in read and "Gap: women less men; below 0" in read
    sizes = frame.sex.value_counts()
    assert f"300 people: {sizes['1']} women and {sizes['2']} men" in read
    found.save(tmp_path / "parts.npz")
    assert fairstats.load(tmp_path / "parts.npz").summary() == found.summary()
    assert found.to_dict()["labels"] == names
    for labels, fact in (
        ({"unit": "staff"}, "'unit'; a decomposition takes"),
        ({"groups": {"sex": {"3": "x"}}}, "'3'"),
    ):
        with pytest.raises(InputError, match=fact):
            fairstats.decompose(frame, "pay", "sex", explained_by=["grade"], labels=labels)
    frame.to_csv(tmp_path / "pay.csv", index=False)
    command = ["decompose", str(tmp_path / "pay.csv"), "--amount", "pay", "--groups", "sex", "--explained-by", "grade"]
    assert run([*command, "--labels", "groups.sex.1=women"]) == 0
    assert "among women" in capsys.readouterr().out


def test_the_waterfall_leads_to_the_gap():
    found = result()
    assert found.plots == ("waterfall",)
    drawing = fairstats.plot(found, "waterfall", term="f")
    assert [part.split(":")[0] for part in drawing.alt.removeprefix("Waterfall. ").split("; ")] == [
        "years",
        "not accounted for",
        "gap",
    ]


def test_the_unit_stands_at_the_numbers_in_the_tables_and_at_the_axis():
    found = result("EUR/h")
    read = re.sub("<[^>]*>", " ", str(fairstats.report(found).html))
    assert re.search(
        r"The mean of pay is \d+\.\d+ EUR/h among women and \d+\.\d+ EUR/h among men, (about )?\d+\.\d+ EUR/h less \(",
        read,
    )
    assert "In EUR/h." in read and "pay (EUR/h)" in read and "By 5 other ways to divide the gap" in read
    assert "EUR/h among women" in " ".join(found.summary().split())
    assert "unit='EUR/h'" in found.provenance.call
    assert [part_text(found, value) for value in (0.0, 3.2, -1e-5)] == ["0.000", "3.200", "−0.00001"]  # only 0 is 0
    with pytest.raises(InputError, match="it is of amounts, and there are none"):
        people = {"hired": [0, 1] * 20, "sex": list("fm") * 20, "old": [1, 1, 0, 0] * 10}
        fairstats.decompose(people, decision="hired", groups="sex", explained_by="old", unit="EUR/h")


def test_page_one_of_a_joint_report_has_the_answer_of_every_study() -> None:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"sex": rng.choice(["f", "m"], 300), "years": rng.integers(0, 30, 300)})
    frame["hours"] = rng.normal(30, 5, 300)
    frame["pay"] = 10 + 0.2 * frame.years - (frame.sex == "f") + rng.normal(size=300)
    audit = fairstats.audit(frame, amount="pay", groups="sex", reference="m", adjust_for="~ years")
    parts = fairstats.decompose(frame, "pay", "sex", explained_by="~ years", reference="m")
    costs = fairstats.tradeoff(["years", "hours", "pay"], "sex", ["pca", "og"], k=1, data=frame)
    alone = {id(one): fairstats.report(one).contents.context["findings"]["sentence"] for one in (parts, costs)}
    joint = fairstats.report(audit, parts, costs)
    points = dict(joint.contents.context["findings"]["points"])
    assert points["What accounts for the gap in the mean of pay."] == alone[id(parts)]
    assert points["What methods cost and what they leave: pca and og."] == alone[id(costs)]
    two = fairstats.report(parts, costs).contents.context["findings"]
    assert two["sentence"] == alone[id(parts)] and alone[id(costs)] in dict(two["points"]).values()
    (part,) = (one for one in joint.contents.context["comparison"]["parts"] if one["found"])
    assert part["rows"].rows[0][0] == "pca" and part["figure"] is not None
    assert "each row" not in joint.html or "`reason`" not in joint.html


def test_page_one_of_two_decompositions_says_of_each_by_what_it_divides() -> None:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"sex": rng.choice(["f", "m"], 300), "years": rng.integers(0, 30, 300)})
    frame["hours"] = rng.normal(30, 5, 300)
    frame["pay"] = 10 + 0.2 * frame.years - (frame.sex == "f") + rng.normal(size=300)
    found = [
        fairstats.decompose(frame, "pay", "sex", explained_by=by, reference="m")
        for by in ("~ years", "~ years + hours")
    ]
    page = fairstats.report(*found).contents.context["findings"]
    lead, said = page["points"][0]
    assert lead == "What accounts for the gap in the mean of pay, by years and hours."
    assert page["sentence"] == found[0].statements[0] and said.startswith(found[1].statements[0])
    assert not any(found[1].statements[0] in line for line in page["context"])


def test_every_group_is_answered_and_labels_that_are_no_sexes_keep_their_names() -> None:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(
        {"race": rng.choice(["w", "b", "h"], 600, p=[0.6, 0.2, 0.2]), "years": rng.integers(0, 30, 600)}
    )
    frame["pay"] = 10 + 0.2 * frame.years - (frame.race == "b") + rng.normal(size=600)
    found = fairstats.decompose(frame, "pay", "race", explained_by="~ years", reference="w")
    said = fairstats.report(found).contents.context["findings"]["sentence"]
    assert "among b and " in said and "among h and " in said and " among w" in said and "women" not in found.summary()
    audit = fairstats.audit(frame, amount="pay", groups="race", reference="w")
    assert said in dict(fairstats.report(audit, found).contents.context["findings"]["points"]).values()
    third = frame.assign(sex=frame.race.map({"w": "w", "b": "m", "h": "d"}))
    assert " among women" in fairstats.decompose(third, "pay", "sex", explained_by="~ years", reference="w").summary()
