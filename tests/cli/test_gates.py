"""Gates: what ends a command with exit code 1, and only that."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import fairstats as fs
from fairstats.cli import run
from fairstats.data.datasets import ARRESTS

AUDIT = ["audit", str(ARRESTS), "--groups", "colour", "--decision", "released", "--favorable", "Yes"]


@pytest.fixture
def equal(tmp_path) -> list[str]:
    """Two groups of which exactly half are hired: 4000 people each."""
    pd.DataFrame({"group": ["a", "b"] * 4000, "hired": [0, 0, 1, 1] * 2000}).to_csv(tmp_path / "e.csv", index=False)
    return ["audit", str(tmp_path / "e.csv"), "--groups", "group", "--decision", "hired"]


# Black 955/1288 against White 3379/3938: ratio 0.864
@pytest.mark.parametrize(
    ("gate", "code"), [("ratio<0.8", 0), ("ratio<0.9", 1), ("ratio < 0.865", 1), ("ratio<.86", 0), ("disparity", 1)]
)
def test_the_ratio_gate_reads_the_estimated_ratio(gate, code, capsys):
    assert run([*AUDIT, "--fail-on", gate]) == code
    err = capsys.readouterr().err
    assert ("gate failed" in err and "Black against White" in err) == bool(code)


def test_the_ratio_gate_and_the_report_draw_one_line_where_rounding_puts_four_fifths_below_it(tmp_path, capsys):
    assert (24 / 150) / (96 / 480) < 0.8 and 24 * 480 * 5 == 96 * 150 * 4
    (tmp_path / "c.csv").write_text("race,people,hires\nWhite,480,96\nHispanic,150,24\n")
    audit = ["audit", str(tmp_path / "c.csv"), "--groups", "race", "--selected", "hires", "--total", "people"]
    audit += ["--law", "employment"]
    assert run([*audit, "--fail-on", "ratio<0.8", "--to", str(tmp_path / "c.html")]) == 0
    assert "not below four fifths" in (tmp_path / "c.html").read_text()
    assert run([*audit, "--fail-on", "ratio<0.8001"]) == 1
    (tmp_path / "c.csv").write_text("race,people,hires\nWhite,480,96\nHispanic,150,23\n")
    assert run([*audit, "--fail-on", "ratio<0.8"]) == 1


def test_the_ratio_gate_sees_the_highest_rate_although_another_group_is_the_reference(tmp_path, capsys):
    frame = pd.DataFrame({"g": ["big"] * 1000 + ["best"] * 100, "d": [1] * 500 + [0] * 500 + [1] * 90 + [0] * 10})
    frame.to_csv(tmp_path / "x.csv", index=False)
    audit = ["audit", str(tmp_path / "x.csv"), "--groups", "g", "--decision", "d", "--fail-on", "ratio<0.8"]
    assert run(audit) == 1  # 0.5 / 0.9; against the largest group the ratio is 1.8
    assert "big against best" in capsys.readouterr().err


def test_of_equal_ratios_the_gate_names_the_one_to_the_highest_rate(tmp_path, capsys):
    (tmp_path / "c.csv").write_text("race,people,hires\nWhite,100,30\nAsian,50,20\nBlack,60,0\n")
    audit = ["audit", str(tmp_path / "c.csv"), "--groups", "race", "--selected", "hires", "--total", "people"]
    assert run([*audit, "--law", "employment", "--fail-on", "ratio<0.8"]) == 1
    assert "Black against Asian (0.00), impact ratio of White against Asian (0.75)" in capsys.readouterr().err


def test_under_local_law_144_the_ratio_gate_asks_the_categories_of_its_tables_alone(tmp_path, capsys):
    rows = "White,800,240\nBlack,300,88\nTwo or more,20,2\nUnknown,120,24\n"  # 0.3; 0.2933; 0.1; 0.2
    (tmp_path / "u.csv").write_text(f"race,applicants,selected\n{rows}")
    audit = ["audit", str(tmp_path / "u.csv"), "--groups", "race", "--selected", "selected", "--total", "applicants"]
    law = [*audit, "--preset", "ll144", "--ll144-exclude", "Two or more=20 people"]
    assert run([*law, "--fail-on", "ratio<0.8"]) == 0
    assert run([*law, "--fail-on", "ratio<0.977"]) == 0 and run([*audit, "--fail-on", "ratio<0.8"]) == 1
    capsys.readouterr()
    assert run([*law, "--fail-on", "ratio<0.98"]) == 1
    err = capsys.readouterr().err
    assert "impact ratio below 0.98 in 1 of 2 groups: impact ratio of Black against White (0.978)" in err
    assert run([*law[:-2], "--fail-on", "ratio<0.8"]) == 1  # nobody is excluded
    assert "impact ratio of Two or more against White (0.33)" in capsys.readouterr().err
    (tmp_path / "u.csv").write_text("race,applicants,selected\nWhite,800,240\nUnknown,120,24\n")
    assert run([*law[:-2], "--fail-on", "ratio<0.8"]) == 2
    assert "its only level is 'White', missing values and blanks apart" in capsys.readouterr().err


def test_under_local_law_144_the_gates_of_verdicts_ask_the_categories_of_its_tables_alone(tmp_path, capsys):
    rows = "White,800,240\nBlack,300,88\nNative,20,16\nUnknown,20,4\n"
    (tmp_path / "u.csv").write_text(f"race,applicants,selected\n{rows}")
    audit = ["audit", str(tmp_path / "u.csv"), "--groups", "race", "--selected", "selected", "--total", "applicants"]
    audit += ["--margin", "0.15"]
    law = [*audit, "--preset", "ll144", "--ll144-exclude", "Native=20 people"]
    for gate, fact in (("disparity", "disparity shown in 1 comparison"), ("no-equivalence", "in 1 of 2 comparisons")):
        assert run([*audit, "--fail-on", gate]) == 1  # Native and Unknown
        assert fact in capsys.readouterr().err
        assert run([*law, "--fail-on", gate]) == 0
        capsys.readouterr()
        assert run([*law[:-2], "--fail-on", gate]) == 1  # Native is not excluded
        err = capsys.readouterr().err
        assert "of Native against White" in err and "Unknown against" not in err
        assert err.endswith("Not included, as they have no impact ratio: (missing).\n")
        assert run([*law, "--reference", "Native", "--fail-on", gate]) == 2
        err = capsys.readouterr().err
        assert "those of race are compared with 'Native', which has none; name another by --reference" in err


def test_the_order_of_classes_is_named_as_it_is_printed(tmp_path, capsys):
    people = pd.DataFrame({"g": ["a", "b"] * 300, "d": ["x", "z", "y", "y", "x", "y"] * 100})
    people.to_csv(tmp_path / "x.csv", index=False)
    audit = ["audit", str(tmp_path / "x.csv"), "--groups", "g", "--decision", "d", "--class-order", "x,y,z"]
    for name in ("P(X>Y)", "P(X>Y) of classes"):
        assert run([*audit, "--fail-on", "disparity", "--metric", name]) == 1
        assert "in 1 comparison: P(X>Y) of classes of b against a" in capsys.readouterr().err


def test_no_equivalence_needs_a_margin_and_passes_where_it_is_shown(equal, capsys):
    assert run([*equal, "--fail-on", "no-equivalence"]) == 2
    assert "--margin 0.05" in capsys.readouterr().err
    assert run([*equal, "--fail-on", "no-equivalence", "--margin", "0.05"]) == 0
    assert run([*equal, "--fail-on", "no-equivalence", "--margin", "0.01"]) == 1
    assert "equivalence is not shown" in capsys.readouterr().err


def test_several_gates_each_say_that_they_failed(capsys):
    assert run([*AUDIT, "--fail-on", "ratio<0.9,disparity"]) == 1
    assert capsys.readouterr().err.count("gate failed") == 2
    assert run([*AUDIT, "--fail-on", "ratio<0.9", "--fail-on", "disparity"]) == 1
    assert capsys.readouterr().err.count("gate failed") == 2


@pytest.mark.parametrize(
    "gate", ["ratio", "ratio<", "ratio<8", "ratio<x", "ratio>0.8", "leakage>0.6", "disparities", ""]
)
def test_what_is_no_gate_is_refused_with_those_that_there_are(gate, capsys):
    assert run([*AUDIT, "--fail-on", gate]) == 2
    err = capsys.readouterr().err
    assert "disparity, no-equivalence, ratio<0.8" in err or "as in ratio<0.8" in err
    assert err.count("\n") == 1


@pytest.mark.long
@pytest.mark.parametrize("gate", ["disparity", "ratio<0.8", "ratio<0.01"])
@pytest.mark.parametrize("groups", ["g", "g,h"])
def test_a_gate_of_which_nothing_is_known_is_not_passed(gate, groups, tmp_path, capsys):
    """It ended with 0 where every group is withheld, and said of ratios "name --decision" where it was named."""
    people = pd.DataFrame({"g": ["a"] * 6 + ["b"] * 5, "h": list("uuvvuuvvuuv"), "d": [1, 0] * 5 + [1]})
    people.to_csv(tmp_path / "p.csv", index=False)
    audit = ["audit", str(tmp_path / "p.csv"), "--decision", "d", "--groups", groups, "--fail-on", gate, "--brief"]
    assert run([*audit, "--min-n", "9"]) == 2
    err = capsys.readouterr().err
    assert f"no comparison of {groups.replace(',', ', ')} can be made" in err
    assert "fewer than 9 people" in err and "--decision" not in err
    assert run(audit) == int(groups == "g,h" and gate == "ratio<0.8")  # of the intersections
    assert run([*audit, "--min-n", "9", "--fail-on", "no-equivalence", "--margin", "0.9"]) == 2


def test_one_attribute_of_which_nothing_is_known_is_enough(tmp_path, capsys):
    """Nobody of the second group of h has a decision."""
    people = pd.DataFrame(
        {"g": ["a", "b"] * 30, "h": ["u"] * 50 + ["v"] * 10, "d": [1, 1, 0, 0] * 12 + [1, 1] + [None] * 10}
    )
    people.to_csv(tmp_path / "p.csv", index=False)
    audit = ["audit", str(tmp_path / "p.csv"), "--decision", "d", "--groups", "g,h", "--brief"]
    assert run([*audit, "--fail-on", "disparity"]) == 2
    assert "no comparison of h can be made" in capsys.readouterr().err
    people.assign(d=[1, 0] * 25 + [None] * 10).to_csv(tmp_path / "p.csv", index=False)
    assert run([*audit, "--fail-on", "disparity"]) == 1  # what is shown is shown


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("audit --tolerance 1", "--margin"),
        ("audit --equivalence 1", "--margin"),
        ("audit --sensitive-features g", "--groups"),
        ("audit --group g", "--groups"),
        ("subgroup-scan --tolerance 1", "--margin"),
        ("audit --zzz", ""),
    ],
)
def test_an_option_that_there_is_not_is_answered_with_the_one_that_is_meant(words, meant, capsys):
    """Dashes are no letters: --tolerance was answered with --force, --margin with --min-n."""
    name, *rest = words.split()
    assert run([name, str(ARRESTS), *rest]) == 2
    err = capsys.readouterr().err
    assert (f"did you mean {meant!r};" in err) if meant else "did you mean" not in err


CELLS = [("A", "easy", 400, 500), ("A", "hard", 450, 1500), ("B", "easy", 720, 1200), ("B", "hard", 130, 800)]


def _written(path, cells) -> list[str]:
    rows = [(g, s, int(i < k)) for g, s, k, n in cells for i in range(n)]
    pd.DataFrame(rows, columns=["g", "dept", "h"]).to_csv(path, index=False)
    return ["audit", str(path), "--decision", "h", "--groups", "g", "--brief"]


def test_with_strata_every_gate_asks_within_them(tmp_path, capsys):
    """Crude rates of 42.5% each passed, where within dept the ratios are 0.75 and 0.54."""
    audit = _written(tmp_path / "rev.csv", CELLS)
    margin = ["--margin", "0.05"]
    assert run([*audit, "--fail-on", "ratio<0.8,disparity"]) == 0
    assert run([*audit, *margin, "--fail-on", "no-equivalence"]) == 0
    within = [*audit, "--strata", "dept"]
    capsys.readouterr()
    assert run([*within, "--fail-on", "ratio<0.8"]) == 1
    err = capsys.readouterr().err
    # Mantel-Haenszel by hand: sum(a n0 / N) / sum(b n1 / N)
    ratio = (720 * 500 / 1700 + 130 * 1500 / 2300) / (400 * 1200 / 1700 + 450 * 800 / 2300)
    assert f"in 1 of 2 groups: risk ratio within strata of B against A ({ratio:.2f})." in err
    assert run([*within, "--fail-on", f"ratio<{ratio - 0.001:.4f}"]) == 0
    assert run([*within, "--fail-on", f"ratio<{ratio + 0.001:.4f}"]) == 1
    assert run([*within, "--reference", "B", "--fail-on", "ratio<0.8"]) == 1  # whichever group is the reference
    assert "risk ratio within strata of B against A" in capsys.readouterr().err
    assert run([*within, *margin, "--fail-on", "no-equivalence"]) == 1
    assert (
        "in 1 of 1 comparison: risk difference within strata of B against A: −16.3 points (" in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("selected", "text"),
    [  # of 1,000, 600 and 600 in each of two jobs of unequal size
        ((340, 173, 240), "in 1 of 3 groups: risk ratio within strata of Black against Asian (0.72)"),
        ((300, 168, 320), "in 2 of 3 groups: risk ratio within strata of Black against Asian (0.53), risk ratio"),
    ],
)
@pytest.mark.parametrize("reference", ["White", "Black", "highest_rate"])
def test_within_strata_the_ratio_gate_asks_of_the_highest_rate_whatever_the_reference(
    selected, text, reference, tmp_path, capsys
) -> None:
    """White 0.85 of Asian and Black 0.85 of White passed beside a headline of Black at 0.72 of Asian."""
    table = pd.DataFrame({"race": ["White", "Black", "Asian"], "h": selected, "n": [1000, 600, 600]})
    table = pd.concat([table.assign(job="a"), table.assign(job="b", h=2 * table.h, n=2 * table.n)])
    few = pd.DataFrame({"race": "Few", "h": [20, 3], "n": [20, 20], "job": ["a", "b"]})  # the rule does not count them
    tables = [(table, "credit"), (table, "employment")]
    tables += [(pd.concat([table, few]), "employment")] if reference != "highest_rate" else []
    for people, law in tables:
        people.to_csv(tmp_path / "t.csv", index=False)
        call = ["audit", str(tmp_path / "t.csv"), "--groups", "race", "--selected", "h", "--total", "n", "--brief"]
        call += ["--strata", "job", "--law", law, "--reference", reference]
        assert run([*call, "--fail-on", "ratio<0.8"]) == 1
        assert text in capsys.readouterr().err
        assert run([*call, "--fail-on", "ratio<0.5"]) == 0


@pytest.mark.parametrize("law", ["employment", "credit"])
def test_a_ratio_gate_that_passes_within_strata_says_which_pooled_ratio_is_below_it(law, tmp_path, capsys) -> None:
    lines = "job,sex,n,k\na,f,1000,100\na,m,200,20\nb,f,200,80\nb,m,1000,400\n"
    (tmp_path / "same.csv").write_text(lines)
    call = ["audit", str(tmp_path / "same.csv"), "--groups", "sex", "--selected", "k", "--total", "n", "--brief"]
    call += ["--strata", "job", "--law", law, "--fail-on"]
    assert run([*call, "ratio<0.8"]) == 0
    err = capsys.readouterr().err
    together = "note: over all strata of job together (Mantel-Haenszel) no ratio is below 0.8"
    assert f"{together}; below it without regard to job: f against m (0.43).\n" in err
    assert run([*call, "ratio<0.4"]) == 0 and "without regard" not in capsys.readouterr().err


JOBS = "job,sex,n,k\na,f,100,10\na,m,100,40\nb,f,100,40\nb,m,100,10\nc,f,300,150\nc,m,300,150\n"
FEW = "job,sex,n,k\na,f,700,98\na,m,150,18\nb,f,260,70\nb,m,40,10\nc,f,12,0\nc,m,240,60\n"


@pytest.mark.parametrize(
    ("lines", "options", "code", "text"),
    [
        (JOBS, [], 1, "ratio below 0.8, beyond chance, in one job alone in 2 comparisons: impact ratio (a) of f "
                      "against m (0.25), impact ratio (b) of m against f (0.25)."),
        (FEW, [], 0, "no ratio is below 0.8; below it in one job alone, not shown to be beyond chance: c, f against m "
                     "(0.00).\n"),
        (JOBS, ["--min-n", "5"], 0, "no ratio is below 0.8; those of each job alone are not in this audit."),
    ],
)  # fmt: skip
def test_a_ratio_gate_within_strata_passes_no_single_one_in_silence(lines, options, code, text, tmp_path, capsys):
    """Rates the other way round in two jobs, whose common ratio is 1; nobody hired of twelve, p = 0.049 of one test."""
    (tmp_path / "t.csv").write_text(lines)
    call = ["audit", str(tmp_path / "t.csv"), "--groups", "sex", "--selected", "k", "--total", "n", "--brief"]
    call += ["--strata", "job", "--law", "employment", *options, "--fail-on", "ratio<0.8"]
    assert run(call) == code
    assert text in capsys.readouterr().err


def test_with_strata_a_crude_difference_fails_no_gate(tmp_path, capsys):
    """The opposite: the same rates within each dept, applied for unequally often."""
    cells = [("A", "easy", 480, 800), ("A", "hard", 40, 200), ("B", "easy", 120, 200), ("B", "hard", 160, 800)]
    audit = _written(tmp_path / "opposite.csv", cells)
    assert run([*audit, "--fail-on", "disparity"]) == 1 and run([*audit, "--fail-on", "ratio<0.8"]) == 1
    within = [*audit, "--strata", "dept"]
    assert run([*within, "--fail-on", "disparity,ratio<0.8"]) == 0
    assert run([*within, "--margin", "0.08", "--fail-on", "no-equivalence"]) == 0
    result = fs.audit(str(tmp_path / "opposite.csv"), "h", "g", strata="dept", margin=0.08)
    assert result.passes() and result.passes().compared == 1
    other = fs.audit(str(tmp_path / "opposite.csv"), "h", "g", strata="dept", margin=0.001)
    assert "risk difference within strata by g of B against A, within dept: inconclusive" in str(other.passes())


def test_where_the_strata_hold_one_group_each_no_gate_passes(tmp_path, capsys):
    """Nothing is known within strata: the equal crude rates are no reason to pass."""
    audit = _written(tmp_path / "apart.csv", [("A", "easy", 400, 800), ("B", "hard", 400, 800)])
    within = [*audit, "--strata", "dept", "--margin", "0.1"]
    for gate, code in (("disparity", 2), ("ratio<0.8", 2), ("no-equivalence", 1)):
        assert run([*audit, "--margin", "0.1", "--fail-on", gate]) == 0
        assert run([*within, "--fail-on", gate]) == code, gate
    assert not fs.audit(str(tmp_path / "apart.csv"), "h", "g", strata="dept", margin=0.1).passes()


def test_a_rate_that_has_no_comparison_within_strata_says_so(tmp_path, capsys):
    """Error rates are compared without regard to strata: the message says that of them, and of them alone."""
    audit = _written(tmp_path / "errors.csv", CELLS)
    people = pd.read_csv(tmp_path / "errors.csv")
    rank = people.groupby(["g", "h"]).cumcount()
    people.assign(y=((people.g == "A") & (rank % 5 > 0) | (rank % 5 == 0)).astype(int)).to_csv(audit[1], index=False)
    assert run([*audit, "--outcome", "y", "--strata", "dept", "--fail-on", "disparity"]) == 1
    err = capsys.readouterr().err
    assert "(without regard to dept)" in err and "within strata of B against A: " in err


def test_the_ratio_gate_of_classes_says_that_they_have_none_and_names_them(tmp_path, capsys):
    people = pd.DataFrame({"g": ["a", "b"] * 60, "d": ["yes", "no", "yes", "later"] * 30})
    people.to_csv(tmp_path / "x.csv", index=False)
    audit = ["audit", str(tmp_path / "x.csv"), "--groups", "g", "--decision", "d", "--fail-on", "ratio<0.8"]
    assert run(audit) == 2
    err = capsys.readouterr().err
    assert "3 classes have no ratio of selection rates" in err and "or --favorable yes." in err
    assert run([*audit, "--class-order", "no,later,yes"]) == 2
    assert "helps the person in the place of --class-order: --favorable yes." in capsys.readouterr().err
    assert run([*audit, "--favorable", "yes"]) == 1  # nobody of b
    capsys.readouterr()
    assert run([*audit[:-1], "disparity"]) == 1
    assert "class share (yes) of b against a" in capsys.readouterr().err


@pytest.mark.long
def test_the_gate_of_leakage_fails_where_the_summary_says_that_groups_are_recognized(tmp_path, capsys):
    """Whole numbers that tell nothing of the group: og gives each group a lattice of its own, as every refit does."""
    rng = np.random.default_rng(0)
    g = np.where(rng.random(1200) < 0.5, "a", "b")
    people = pd.DataFrame({"age": rng.integers(0, 6, 1200), "days": rng.integers(0, 3, 1200), "g": g})
    people.to_csv(tmp_path / "x.csv", index=False)
    people.assign(age=rng.normal(size=1200), days=rng.normal(size=1200)).to_csv(tmp_path / "y.csv", index=False)
    gate = ["--groups", "g", "--features", "age,days", "-k", "2", "--fail-on", "disparity", "--permutations"]
    for name, permutations, code, words in (
        ("x", "19", 1, "gate failed: the group is recognized, if not more than in refits, in 1 comparison: AUC of non"),
        ("y", "19", 0, ""),
        ("y", "9", 2, "with 9 refits no leak beyond theirs can be shown, so there is nothing to pass; take --permutat"),
    ):
        assert run(["leakage", "og", str(tmp_path / f"{name}.csv"), *gate, permutations]) == code
        printed = capsys.readouterr()
        assert words in printed.err and (code == 1) == ("recognized in these scores" in " ".join(printed.out.split()))


def test_a_gate_asks_the_named_rates_alone(tmp_path, capsys):
    """Made so: of those with y = 1, 40 of 50 are hired in both groups; of those with y = 0, 10 of 50 and 40 of 50."""
    cells = [(g, y, h, n) for g, low in (("a", 10), ("b", 40)) for y, k in ((1, 40), (0, low))
             for h, n in ((1, k), (0, 50 - k))]  # fmt: skip
    rows = [(g, y, h) for g, y, h, n in cells for _ in range(4 * n)]
    people = pd.DataFrame(rows, columns=["g", "y", "h"])
    people.to_csv(tmp_path / "p.csv", index=False)
    audit = ["audit", str(tmp_path / "p.csv"), "--groups", "g", "--outcome", "y", "--decision", "h", "--margin", "0.15"]
    for gate in ("disparity", "no-equivalence"):
        for rates, code in (("TPR", 0), ("FNR", 0), ("recall", 0), ("TPR,FPR", 1), ("TNR", 1), ("AUC", 2)):
            assert run([*audit, "--fail-on", gate, "--metric", rates]) == code, (gate, rates)
    capsys.readouterr()
    assert run([*audit, "--fail-on", "ratio<0.8", "--metric", "TPR"]) == run([*audit, "--metric", "TPR"]) == 2
    assert "--metric is of a gate" in capsys.readouterr().err
    result = fs.audit(people, "h", "g", outcome="y", margin=0.15)
    assert not result.passes()
    assert result.passes("TPR") and result.passes(["FNR"]).compared == 1
    assert {row.metric for row in result.passes(["TPR", "FPR"]).failures} == {"FPR"}
    with pytest.raises(fs.InputError, match="needs a score; this audit has none; name its column by score="):
        result.passes("AUC")
    with pytest.raises(fs.InputError, match="did you mean 'tpr'"):
        result.passes("tprr")


def test_the_named_rate_is_asked_within_declared_strata(tmp_path):
    """The opposite: crude selection rates differ, those within each dept are equal."""
    cells = [("A", "easy", 480, 800), ("A", "hard", 40, 200), ("B", "easy", 120, 200), ("B", "hard", 160, 800)]
    audit = [*_written(tmp_path / "opposite.csv", cells), "--metric", "selection rate", "--margin", "0.08"]
    assert run([*audit, "--fail-on", "no-equivalence"]) == 1
    assert run([*audit, "--strata", "dept", "--fail-on", "no-equivalence,disparity"]) == 0


def test_a_gate_counts_a_comparison_once(tmp_path, capsys):
    """A rate and its complement differ by the same points; the lowest to the highest rate is one pair of groups."""
    rows = [(g, y, h) for g, share in (("a", 10), ("b", 40), ("c", 50)) for y in (0, 1)
            for h, n in ((1, share), (0, 100 - share)) for _ in range(2 * n)]  # fmt: skip
    pd.DataFrame(rows, columns=["g", "y", "h"]).to_csv(tmp_path / "p.csv", index=False)
    audit = ["audit", str(tmp_path / "p.csv"), "--groups", "g", "--reference", "a"]
    audit += ["--outcome", "y", "--decision", "h"]
    for rates, names, count in (("TPR", "TPR", 2), ("FNR", "FNR", 2), ("TPR,FNR", "TPR", 2), ("TPR,FPR", "TPR", 4)):
        assert run([*audit, "--fail-on", "disparity", "--metric", rates]) == 1
        line = capsys.readouterr().err
        each = [
            f"{names} of {g} against a: {'−' if names == 'FNR' else '+'}{k}.0 points ("
            for g, k in (("b", 30), ("c", 40))
        ]
        assert f"in {count} comparisons: {each[0]}" in line and f"), {each[1]}" in line, line
    pairs = [*audit[:-4], "--decision", "h", "--fail-on"]
    for reference in "abc":  # a is below it of b, which may be the reference, and of c
        assert run([*pairs, "ratio<0.6", "--reference", reference]) == 1
        line = capsys.readouterr().err
        assert "below 0.6 in 1 of 3 groups: " in line and "ratio of a against c (0.20)." in line.replace(
            "selection rate", "ratio"
        )
    assert run([*pairs, "ratio<0.5"]) == 1  # 10/50 and, beside it, 10/40 only where b is the highest
    assert "in 1 of 3 groups: impact ratio of a against c (0.20)." in capsys.readouterr().err
    assert run([*pairs, "ratio<0.9"]) == 1
    line = capsys.readouterr().err
    assert "in 2 of 3 groups: impact ratio of a against c (0.20), impact ratio of b against c (0.80)." in line


def test_an_intersection_that_is_named_is_asked_and_one_that_is_not_is_said_to_be_left_out(tmp_path, capsys) -> None:
    """Selected 75% and 25%: alike by sex and by race, 50 points apart where they cross."""
    cells = [("f", "a", 1800), ("f", "b", 600), ("m", "a", 600), ("m", "b", 1800)]
    rows = [(sex, race, int(i < k)) for sex, race, k in cells for i in range(2400)]
    people, path = pd.DataFrame(rows, columns=["sex", "race", "hired"]), tmp_path / "people.csv"
    people.to_csv(path, index=False)
    named = fs.audit(people, "hired", ["sex", "race"], margin=0.05, intersections=["sex:race"]).passes()
    assert not named and {row.group for row in named.failures} == {"f:b", "m:a"} and named.compared == 5
    pairs = fs.audit(people, "hired", ["sex", "race"], margin=0.05).passes()
    found = " ".join(str(pairs).split())
    assert pairs and found.endswith(
        "not included: sex:race, where 2 differences are shown (included with intersections=['sex:race'])"
    )
    few = fs.audit(people, "hired", ["sex", "race"], margin=0.001).passes()
    assert not few and "not included: sex:race" in str(few)  # a gate that fails says so, too
    full = fs.audit(people, "hired", ["sex", "race"], margin=0.05, intersections="full").passes()
    assert not full and full.failures == named.failures and full.compared == 5  # "full" names them all
    command = ["audit", str(path), "--decision", "hired", "--groups", "sex,race", "--margin", "0.05"]
    command += ["--fail-on", "no-equivalence"]
    assert run([*command, "--intersections", "sex:race"]) == 1 and run(command) == 0
    line = capsys.readouterr().err
    assert "equivalence is not shown in 2 of 5 comparisons" in line
    assert "does not include sex:race, where 2 differences are shown (included with --intersections sex:race)." in line
    assert run([*command, "--margin", "0.001"]) == 1 and "Not included: sex:race" in capsys.readouterr().err


def test_a_gate_says_which_groups_have_too_few_people_to_decide(tmp_path, capsys):
    """Half of two groups of 3000 people are hired, and 1 of 6 people of a third."""
    rows = [(g, int(i < k)) for g, k, n in (("a", 1500, 3000), ("b", 1500, 3000), ("z", 1, 6)) for i in range(n)]
    people, path = pd.DataFrame(rows, columns=["g", "hired"]), tmp_path / "people.csv"
    people.to_csv(path, index=False)
    result = fs.audit(people, "hired", "g", margin=0.05).passes()
    assert {row.group for row in result.failures} == {"z"} and result.small == ("z (6)",)
    assert "too few people (under 30) to decide: z (6); join small groups in the data" in str(result)
    assert fs.audit(people.assign(g=people.g.replace("z", "b")), "hired", "g", margin=0.05).passes()
    hidden = fs.audit(people, "hired", "g", margin=0.05, min_n=10).passes()
    assert hidden.small == () and "withheld groups cannot pass; join small groups in the data" in str(hidden)
    command = ["audit", str(path), "--decision", "hired", "--groups", "g", "--margin", "0.05", "--fail-on"]
    assert run([*command, "no-equivalence"]) == 1
    assert "in 1 of 2 comparisons" in (err := capsys.readouterr().err) and "Too few people (under 30)" in err
    assert run([*command, "ratio<0.8"]) == 1
    err = capsys.readouterr().err
    assert "z against a (0.33)" in err and "Under 30 people: z (6); join small groups in the data." in err


def test_a_margin_of_ratios_and_one_of_differences_are_told_apart():
    people = pd.DataFrame({"g": ["a"] * 400 + ["b"] * 400, "hired": [1] * 200 + [0] * 200 + [1] * 100 + [0] * 300})
    text = " ".join(str(fs.audit(people, "hired", "g", margin={"difference": 0.05, "ratio": 0.8}).passes()).split())
    for of, numbers in (
        ("", r"−25\.0 points \(90% interval −\S+ to −\S+; margin −5\.0 to \+5\.0\)"),
        (" (ratio)", r"0\.500 \(90% interval \S+ to \S+; margin 0\.800 to 1\.250\)"),
    ):
        assert re.search(re.escape(f"selection rate{of} by g of b against a: disparity shown, ") + numbers, text)


def test_a_criterion_is_answered_with_its_rates(tmp_path):
    people = pd.DataFrame({"g": ["a", "b"] * 60, "y": [0, 0, 1, 1] * 30, "h": [0, 1, 1, 1, 0] * 24})
    result = fs.audit(people, "h", "g", outcome="y", margin=0.3)
    classes = fs.audit(people.assign(y=people.y + people.h, h=people.h + people.y), "h", "g", outcome="y", margin=0.3)
    errors, selected = ("TPR", "FPR"), ("selection rate",)
    meant = {"equalized odds": errors, "equalized_odds": errors, "Demographic parity": selected}
    meant |= {"equal opportunity": ("TPR",), "predictive parity": ("PPV",), "four-fifths rule": selected}
    for word, rates in meant.items():
        hint = f"pass {' and '.join(map(repr, rates))}\\."
        with pytest.raises(fs.InputError, match=hint):
            result.plot(metric=word)
        if word == "four-fifths rule":  # which asks of ratios
            with pytest.raises(fs.InputError, match=hint):
                result.passes(word)
        else:
            assert result.passes(word) == result.passes(rates)
        assert result.passes(rates).compared == len(rates)
    assert classes.passes(["TPR", "selection rate"]).compared == 6


def scored(tmp_path, n: int = 8000) -> tuple[pd.DataFrame, list[str]]:
    """Two groups with the same scores and rates, and the command that audits them."""
    half = n // 2
    cycle = {"y": [0, 0, 1, 1], "h": [0, 1, 0, 1], "score": [0.2, 0.4, 0.6, 0.8]}
    people = pd.DataFrame({"g": ["a"] * half + ["b"] * half} | {k: v * (n // 4) for k, v in cycle.items()})
    people.to_csv(tmp_path / "scored.csv", index=False)
    words = ["audit", str(tmp_path / "scored.csv"), "--groups", "g", "--decision", "h", "--outcome", "y"]
    return people, [*words, "--score", "score", "--fail-on", "no-equivalence", "--margin"]


def test_a_gate_that_passes_says_what_it_did_not_ask_and_how_to_ask_it(tmp_path, capsys):
    people, command = scored(tmp_path)

    def audit(margin):
        return fs.audit(people, "h", "g", outcome="y", score="score", margin=margin)

    some, every = audit(0.1).passes(), audit({"difference": 0.1, "auc": 0.05}).passes()
    assert some and every and every.compared == some.compared + 2
    text = " ".join(str(some).split())
    assert "not included: P(X>Y), AUC (such comparisons need margin={'difference': 0.1, 'auc': 0.05})" in text
    left = "Brier score, calibration intercept (no margin can be declared for such comparisons)"
    assert left in text and left in " ".join(str(every).split()) and "need margin" not in str(every)
    assert max(map(len, str(some).splitlines())) <= 80
    assert "not included" not in str(audit(0.1).passes("TPR"))
    assert run([*command, "0.1"]) == 0
    line = capsys.readouterr().err
    assert "does not include P(X>Y), AUC (such comparisons need --margin difference=0.1,auc=0.05)." in line
    assert run([*command, "difference=0.1,auc=0.05", "--metric", "AUC"]) == 0 and capsys.readouterr().err == ""
    assert run([*command, "0.1", "--metric", "AUC"]) == 2
    assert "such comparisons need --margin difference=0.1,auc=0.05; they are of selection" in capsys.readouterr().err
    answers = {"Brier score": "no margin can be declared", "brier": "did you mean 'brier_score'"}
    answers |= {"calibration": "did you mean 'calibration_", "nothing": "there are selection rate, TPR"}
    answers["gap of means"] = "no comparison of this audit is of it; they are of selection rate"
    for word, said in answers.items():
        with pytest.raises(fs.InputError, match=said):
            audit(0.1).passes(word)
    with pytest.raises(fs.InputError, match="'equality'; there is no such metric"):
        audit(None).passes("equality")


def test_a_gate_that_fails_has_its_numbers_and_the_farthest_comparison_first(tmp_path, capsys):
    """0.5, 0.54 and 0.7 of 1000 people: 4 and 20 points; limits of Wald at 97.5% from both one-sided tests at 0.025."""
    rows = [(g, int(i < k)) for g, k in (("a", 500), ("b", 540), ("c", 700)) for i in range(1000)]
    people = pd.DataFrame(rows, columns=["g", "h"])
    people.to_csv(tmp_path / "p.csv", index=False)
    command = ["audit", str(tmp_path / "p.csv"), "--groups", "g", "--decision", "h", "--reference", "a"]
    text = " ".join(str(fs.audit(people, "h", "g", reference="a", margin=0.05).passes()).split())
    assert run([*command, "--margin", "0.05", "--fail-on", "no-equivalence"]) == 1
    line = capsys.readouterr().err
    found = r"\+([\d.]+) points \(95% interval ([+−][\d.]+) to ([+−][\d.]+); margin −5\.0 to \+5\.0\)"
    for said in (text, line):
        gaps = [[float(one.replace("−", "-")) for one in numbers] for numbers in re.findall(found, said)]
        assert said.index("of c against a") < said.index("of b against a") and len(gaps) == 2
        for (gap, low, high), rate in zip(gaps, (0.7, 0.54), strict=True):
            half = 100 * stats.norm.ppf(0.975) * np.sqrt((0.25 + rate * (1 - rate)) / 1000)
            assert (gap, low, high) == pytest.approx((100 * rate - 50, gap - half, gap + half), abs=0.11)
    assert run([*command, "--fail-on", "disparity"]) == 1
    assert "in 1 comparison: selection rate of c against a: +20.0 points (97.5% interval" in capsys.readouterr().err


def test_of_a_decision_that_flags_the_printed_gap_is_that_of_the_table_and_the_gate_says_its_side(tmp_path, capsys):
    """Flagged are 60% of a u and 20% of b v: 40 points fewer; the gate compares those who are not flagged."""
    shares = {("a", "u"): 60, ("a", "v"): 50, ("b", "u"): 40, ("b", "v"): 20}
    rows = [(*g, int(i % 100 < share), i % 2) for g, share in shares.items() for i in range(1000 - 200 * (g[0] == "b"))]
    pd.DataFrame(rows, columns=["g", "h", "s", "y"]).to_csv(tmp_path / "p.csv", index=False)
    command = [
        "audit",
        str(tmp_path / "p.csv"),
        "--groups",
        "g,h",
        "--outcome",
        "y",
        "--score",
        "s",
        "--threshold",
        "1",
    ]
    for gate in (["disparity"], ["no-equivalence", "--margin", "0.05"]):
        assert run([*command, "--favorable", "0", "--brief", "--metric", "selection rate", "--fail-on", *gate]) == 1
        out = capsys.readouterr()
        assert "b:v against a:u (g × h), −40.0 points." in " ".join(out.out.split())
        assert re.search(r"selection rate of b against a: \+25\.0 points .* Selection rate: s below 1\.", out.err)
    assert run([*command, "--brief", "--fail-on", "disparity"]) == 1
    assert "Selection rate:" not in capsys.readouterr().err
    assert run([*command, "--brief", "--fail-on", "disparity", "--metric", "TRP"]) == 2
    out = capsys.readouterr()
    assert not out.out and "did you mean 'TPR'?" in out.err  # before anything is printed


def test_a_ratio_of_a_rate_is_not_asked_for_that_of_its_complement_and_familiar_names_are_taken() -> None:
    """TPR 0.90 against 0.95 is a ratio of 0.95, FNR 0.10 against 0.05 one of 2."""
    size = 4000
    hits = np.concatenate([np.arange(size) < share * size for share in (0.90, 0.95)]).astype(int)
    people = {"g": ["a"] * size + ["b"] * size, "y": [1] * 2 * size, "d": hits}
    people = pd.concat([pd.DataFrame(people), pd.DataFrame(people).assign(y=0, d=1 - hits)])
    ratios = fs.audit(people, "d", "g", outcome="y", margin={"ratio": 0.8}, reference="b")
    assert ratios.passes("TPR") and ratios.passes("TPR").compared == 1
    assert not ratios.passes("FNR") and [row.metric for row in ratios.passes("FNR").failures] == ["FNR"]
    assert ratios.passes("equal_opportunity_ratio").compared == 1
    with pytest.raises(fs.InputError, match="no comparison of this audit is of it"):
        ratios.passes("equal_opportunity_difference")
    differences = fs.audit(people, "d", "g", outcome="y", margin=0.1, reference="b")
    assert differences.passes("equal_opportunity_difference").compared == 1 == differences.passes("FNR").compared
    gate = ratios.passes("FNR")
    assert repr(gate) == str(gate) and repr(gate).startswith("fails: 1 of 1 comparison (")


def test_a_gate_of_one_metric_says_which_intersections_it_does_not_include(tmp_path, capsys):
    people, command = scored(tmp_path)
    people["sex"] = np.repeat(["f", "m", "f", "m"], len(people) // 4)
    people.to_csv(tmp_path / "scored.csv", index=False)
    command[command.index("g")] = "g,sex"
    assert run([*command, "0.1", "--metric", "TPR"]) == 0
    assert "does not include g:sex (included with --intersections g:sex)" in capsys.readouterr().err


def test_the_gate_of_a_search_names_every_subgroup_by_its_columns(tmp_path, capsys) -> None:
    """Two columns share the labels no and yes, so that black:no alone is two subgroups."""
    rng = np.random.default_rng(3)
    race, old, ill = (
        rng.choice(["black", "white"], 4000),
        rng.choice(["no", "yes"], 4000),
        rng.choice(["no", "yes"], 4000),
    )
    hired = (rng.random(4000) < np.where(race == "black", 0.3, 0.5)).astype(int)
    pd.DataFrame({"race": race, "old": old, "ill": ill, "hired": hired}).to_csv(tmp_path / "p.csv", index=False)
    run(
        [
            "subgroup-scan",
            str(tmp_path / "p.csv"),
            "--decision",
            "hired",
            "--groups",
            "race,old,ill",
            "--fail-on",
            "disparity",
        ]
    )
    many, named, more = re.search(
        r"flagged in (\d+) comparisons: (.*) and (\d+) more", capsys.readouterr().err
    ).groups()
    assert int(many) == named.count(" of ") + int(more) and int(many) > 6
    assert "selection rate of race = black against everybody" in named


def test_a_ratio_gate_says_which_of_its_groups_the_tables_of_local_law_144_leave_out_or_may(tmp_path, capsys):
    race = ["White"] * 600 + ["Black"] * 360 + ["Other"] * 15 + ["Unknown"] * 25
    hired = [1, 1, 0] * 200 + [1, 1, 0] * 120 + [0] * 14 + [1] + [0] * 20 + [1] * 5
    pd.DataFrame({"race": race, "hired": hired}).to_csv(tmp_path / "p.csv", index=False)
    audit = ["audit", str(tmp_path / "p.csv"), "--decision", "hired", "--groups", "race", "--fail-on", "ratio<0.8"]
    assert run(audit) == 1
    text = capsys.readouterr().err
    assert "in 2 of 4 groups" in text and "under 2% of the people: Other; perhaps of unknown group: Unknown" in text
    assert run([*audit, "--preset", "ll144", "--to", str(tmp_path / "r.html")]) == 1
    text = capsys.readouterr().err
    assert "in 1 of 3 groups" in text and "Under 2% of the data used, which may be excluded: Other. Under 30" in text


def test_what_failed_is_in_what_pytest_shows_of_a_failed_assertion() -> None:
    """pytest cuts the middle out of a long text: it keeps the first 118 letters."""
    data = {"g": ["a", "b"] * 200, "d": [1, 0, 1, 1] * 100, "y": [1, 0, 0, 1] * 100}
    gate = fs.audit(data, "d", "g", outcome="y", favorable=1, margin=0.05).passes(["selection rate", "FPR"])
    start = " ".join(repr(gate)[:118].split())
    assert not gate and "selection rate by g" in start and "FPR by g" in start and "asked" not in repr(gate)
    with pytest.raises(fs.InputError, match="did you mean 'equal_opportunity'"):
        fs.audit(data, "d", "g", outcome="y", favorable=1, margin=0.05).passes("equal_oportunity")


@pytest.mark.parametrize("law", [["--law", "employment"], ["--preset", "ll144"]])
def test_a_ratio_just_below_the_line_is_printed_with_the_digits_that_say_so(law, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("counts.csv").write_text("race,n,hires\nWhite,2000,1000\nAsian,2000,796\n")  # 0.796
    audit = ["audit", "counts.csv", "--groups", "race", "--selected", "hires", "--total", "n", *law]
    assert run([*audit, "--fail-on", "ratio<0.8", "--to", "r.html"]) == 1
    text = "".join(capsys.readouterr())
    assert "below 0.8" in text and "(0.796)" in text and "0.796" in Path("r.html").read_text()


@pytest.mark.parametrize(("law", "code"), [("employment", 0), ("", 1)])
def test_under_the_law_of_four_fifths_its_gate_does_not_count_groups_under_two_percent(law, code, tmp_path, capsys):
    rows = [("White", 520, 156), ("Asian", 60, 21), ("Native American", 8, 1)]  # 8 of 588 people; 0.36, 0.86
    pd.DataFrame(rows, columns=["race", "applicants", "hires"]).to_csv(tmp_path / "c.csv", index=False)
    call = ["audit", str(tmp_path / "c.csv"), "--groups", "race", "--selected", "hires", "--total", "applicants"]
    assert run([*call, *(["--law", law] if law else []), "--fail-on", "ratio<0.8"]) == code
    capsys.readouterr()


@pytest.mark.parametrize(("of_c", "code", "text"), [(50, 1, "beyond chance, in one s alone"), (17, 2, "undecided")])
def test_a_ratio_gate_does_not_pass_while_withheld_people_decide_a_ratio_within_strata(
    of_c, code, text, tmp_path, capsys
):
    """It ended with 0 where the group that may be the highest within strata had no ratio; of people it ends with 1."""
    n = [600, 200, 290, 100, 12, 2, 60, 340, 31, 170, of_c, 110 - of_c]
    cells = [(g, s, y) for s in "pq" for g in "abc" for y in (1, 0)]
    people = pd.DataFrame(np.repeat(np.array(cells), n, axis=0), columns=["g", "s", "y"])
    fs.tally(people, "y", "g", strata="s").withhold(5).save(tmp_path / "w.npz")
    assert run(["audit", str(tmp_path / "w.npz"), "--law", "employment", "--fail-on", "ratio<0.8"]) == code
    assert text in capsys.readouterr().err
