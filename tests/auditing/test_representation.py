"""Shares of groups beside a benchmark: courts' numbers, R's and scipy's tests, limits that agree, the error rate."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, binomtest, fisher_exact, hypergeom

import fairstats as fs
from fairstats.cli import run
from fairstats.inference.rates.shares import finite_pool, goodman, known_share, odds_limits, sison_glaz


@pytest.mark.parametrize(
    ("events", "n", "share", "sd"),
    [(339, 870, 0.791, -29.1), (15, 405, 0.057, -1.7), (15, 405, 0.154, -6.5)],
)
def test_standard_deviations_are_those_that_the_court_printed(events: int, n: int, share: float, sd: float) -> None:
    """Castaneda v. Partida, note 17; Hazelwood, note 17."""
    result = fs.representation({"in": events, "others": n - events}, benchmark={"in": share})
    (row,) = result.compared()
    assert round(row.statistic, 1) == sd
    assert row.p_value == pytest.approx(binomtest(events, n, share).pvalue, rel=1e-9)
    short = result.estimates.where(metric="shortfall")[0]
    assert short.estimate == pytest.approx(n * share - events)
    ratio = result.estimates.where(contrast="ratio")[0]
    assert ratio.estimate == pytest.approx(events / n / share)


@pytest.mark.long
@pytest.mark.parametrize("n", [1, 6, 25, 60])
@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.9])
def test_the_test_is_binom_test_and_limits_agree_with_it(n: int, share: float) -> None:
    for x in range(n + 1):
        p, law = known_share(x, n, share)
        assert p == pytest.approx(binomtest(x, n, share).pvalue, rel=1e-9)
        for level in (0.9, 0.95, 0.99):
            low, high = odds_limits(p, law, level)
            if abs(p - (1 - level)) > 1e-9:  # a tie is decided by rounding
                assert (p <= 1 - level) == (not low <= 1 <= high), (x, level)


def test_the_test_beside_a_pool_is_the_hypergeometric_one() -> None:
    for x in range(11):
        p, law = finite_pool(x, 10, 12, 30)
        assert p == pytest.approx(fisher_exact([[x, 12 - x], [10 - x, 8 + x]]).pvalue, rel=1e-6)
        assert law is not None
        low, high = odds_limits(p, law, 0.95)
        assert (p <= 0.05) == (not low <= 1 <= high)


def test_beside_a_sample_it_is_the_audit_of_both() -> None:
    sample = fs.representation({"a": 12, "b": 28}, benchmark={"a": 50, "b": 50}, kind="sample")
    frame = {"g": ["x"] * 40 + ["y"] * 100, "d": [1] * 12 + [0] * 28 + [1] * 50 + [0] * 50}
    audited = fs.audit(frame, "d", "g", reference="y").estimates
    other = audited.where(metric="selection rate", contrast="difference", group="x", role="main")[0]
    row = sample.compared()[0]
    for name in ("estimate", "conf_low", "conf_high", "p_value"):
        assert getattr(row, name) == pytest.approx(getattr(other, name), rel=1e-6)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["population", "pool"])
def test_a_verdict_errs_in_at_most_five_percent_of_samples(kind: str) -> None:
    """Exactly, by every count that may come of 4 to 25 people of a group that has 2% to 50% of the pool."""
    worst = 0.0
    for n in (4, 8, 25):
        for of_group in (4, 20, 100):
            pool = 200
            share = of_group / pool
            values = np.arange(max(0, n - (pool - of_group)), min(n, of_group) + 1)
            law = binom.pmf(values, n, share) if kind == "population" else hypergeom.pmf(values, pool, of_group, n)
            shown = [_shown(int(x), n, of_group, pool, kind) for x in values]
            worst = max(worst, float(law[shown].sum()))
    assert 0.02 < worst <= 0.05


def _shown(x: int, n: int, of_group: int, pool: int, kind: str) -> bool:
    counts = {"in": of_group, "out": pool - of_group}
    benchmark = counts if kind == "pool" else {k: v / pool for k, v in counts.items()}
    row = fs.representation({"in": x, "out": n - x}, benchmark=benchmark, kind=kind).compared()[0]
    outside = row.conf_low > 0 or row.conf_high < 0
    assert outside == (row.p_adjusted <= 0.05) == (row.verdict == "disparity shown")
    return outside


@pytest.mark.long
@pytest.mark.parametrize("draws", [120, pytest.param(400, marks=pytest.mark.slow)])
def test_simultaneous_limits_cover_all_shares(draws: int) -> None:
    share, rng = np.array([0.5, 0.2, 0.2, 0.1]), np.random.default_rng(3)
    samples = rng.multinomial(150, share, draws)
    for limits in (goodman, sison_glaz):
        kept = [bool(np.all((low <= share) & (share <= high))) for low, high in map(limits, samples)]
        assert 0.92 <= np.mean(kept) <= 0.995
    low, high = goodman([23, 12, 44])
    z2 = 5.731129  # chi-square of one degree of freedom at 1 - 0.05/3
    x, n = np.array([23, 12, 44]), 79
    root = np.sqrt(z2 * (z2 + 4 * x * (n - x) / n))
    np.testing.assert_allclose(low, (z2 + 2 * x - root) / (2 * (n + z2)), rtol=1e-5)
    np.testing.assert_allclose(high, (z2 + 2 * x + root) / (2 * (n + z2)), rtol=1e-5)


def test_all_shares_at_once() -> None:
    row = fs.representation({"a": 30, "b": 50, "c": 20}, benchmark={"a": 0.2, "b": 0.5, "c": 0.3}).estimates
    (all_of,) = row.where(role="omnibus")
    assert all_of.statistic == pytest.approx(100 / 20 + 0 + 100 / 30) and all_of.df == 2
    few = fs.representation({"a": 3, "b": 3, "c": 1}, benchmark={"a": 0.2, "b": 0.5, "c": 0.3}).estimates
    assert few.where(role="omnibus")[0].p_value == pytest.approx(0.35, abs=0.1)


def test_people_counts_weights_and_tallies_are_one() -> None:
    people = pd.DataFrame({"race": ["a"] * 12 + ["b"] * 28 + [None] * 2, "d": [1] * 42})
    long = pd.DataFrame({"race": ["a", "b", None], "n": [12, 28, 2]})
    benchmark = {"a": 0.5, "b": 0.5}
    rows = [
        fs.representation({"a": 12, "b": 28}, "race", benchmark=benchmark),
        fs.representation(people, "race", benchmark=benchmark),
        fs.representation(long, "race", benchmark=benchmark, weights="n"),
        fs.representation(fs.tally(people, "d", "race"), "race", benchmark=benchmark),
    ]
    for other in rows[1:]:
        assert other.estimates.only(contrast="difference", group="a") == rows[0].estimates.only(
            contrast="difference", group="a"
        )
        assert "2 people is not known" in other.statements[-1]
    pool = fs.representation(people[:20], "race", benchmark=people, kind="pool")
    assert pool.compared()[0].reference == "benchmark"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"benchmark": {"a": 15.4}}, "add up to 15.4"),
        ({"benchmark": {"a": 15.4}}, "divide by 100"),
        ({"benchmark": {"a": 20, "b": 80}}, "may be per cents or people; .* pass kind='sample'"),
        ({"benchmark": {"a": 20}}, "may be per cents or people; .* a sample of 20 people"),
        ({"benchmark": {"a": 0.2, "b": 0.7}}, "add up to 0.9; they are 1 in all"),
        ({"benchmark": {"A": 0.2}}, "did you mean 'a'.* groups of data are a, b|b, a"),
        ({"benchmark": {"a": 0, "b": 1}}, "between 0 and 1"),
        ({"benchmark": None}, "^benchmark"),
        ({"benchmark": {"a": 0.2}, "kind": "pool"}, "pass counts"),
        ({"benchmark": {"a": 2, "b": 90}, "kind": "pool"}, "holds those who were chosen"),
        ({"benchmark": {"a": 0.2}, "conf_level": 95}, "conf_level"),
    ],
)
def test_bad_benchmarks_are_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(fs.InputError, match=words):
        fs.representation({"a": 12, "b": 28}, **options)


def test_command_report_and_gate(tmp_path, capsys) -> None:
    path = tmp_path / "hires.csv"
    pd.DataFrame({"race": ["Black"] * 15 + ["White"] * 390}).to_csv(path, index=False)
    page = tmp_path / "r.html"
    options = ["representation", str(path), "--groups", "race", "--benchmark", "Black=0.154,White=0.846"]
    assert run([*options, "--fail-on", "disparity", "--to", str(page)]) == 1
    text = page.read_text()
    assert "6.5 standard deviations" in text and "Forest plot" in text
    assert run([*options[:-1], "Black=x"]) == 2
    assert "LABEL=NUMBER" in capsys.readouterr().err
    german = fs.report(fs.representation({"a": 3, "b": 17}, benchmark={"a": 0.5, "b": 0.5}), language="de").html
    assert "Standardabweichungen" in german
    assert max(map(len, fs.representation({"a": 3, "b": 17}, benchmark={"a": 0.5}).summary().split("\n"))) <= 80


def test_a_line_of_totals_is_no_group() -> None:
    counts = {"MA": 339, "other": 531, "Total": 870}
    table = pd.DataFrame({"race": list(counts), "n": list(counts.values())})
    with pytest.raises(fs.InputError, match=r"data has 'Total' in row 3 of 'group', with 870 people.* counted twice"):
        fs.representation(counts, benchmark={"MA": 0.791})
    with pytest.raises(fs.InputError, match="data has 'Total' in row 3 of 'race'"):
        fs.representation(table, "race", benchmark={"MA": 0.791}, weights="n")
    with pytest.raises(fs.InputError, match="benchmark has 'Total' in row 3"):
        fs.representation({"MA": 339, "other": 531}, benchmark=counts)


def test_a_sample_says_of_how_many_people_it_is() -> None:
    for benchmark in ({"a": 200, "b": 800}, {"a": 20, "b": 980}):
        sample = fs.representation({"a": 12, "b": 28}, benchmark=benchmark)
        assert "The benchmark is a sample of 1,000 people" in str(sample)
    assert "sample of" not in str(fs.representation({"a": 12, "b": 28}, benchmark={"a": 0.2, "rest": 0.1}))
    assert "von 1\u202f000 Personen" in fs.report(sample, language="de").html
    assert fs.representation({"a": 12, "b": 28}, benchmark={"a": 0.33, "b": 0.66}).compared()  # rounded


def test_labels_in_another_spelling_are_refused_and_unknown_ones_are_left_out() -> None:
    with pytest.raises(
        fs.InputError, match="benchmark has 'black', where data has 'Black'; write both in the same way"
    ):
        fs.representation({"Black": 15, "White": 300}, benchmark={"black": 0.2, "White": 0.8})
    known = fs.representation({"Black": 15, "White": 300}, benchmark={"Black": 0.2, "White": 0.8})
    for nobody in (None, "", " ", float("nan")):
        result = fs.representation({"Black": 15, nobody: 22, "White": 300}, benchmark={"Black": 0.2, "White": 0.8})
        assert result.estimates == known.estimates and "22 people is not known" in result.statements[-1]
    counts = pd.Series(["Black"] * 15 + ["White"] * 300).value_counts()
    shares = pd.Series({"Black": 0.2, "White": 0.8})
    by_name = {row.group: row for row in fs.representation(counts, benchmark=shares).shown()}
    assert by_name == {row.group: row for row in known.shown()}


@pytest.mark.parametrize("size", [1, 1000])  # shares, counts
def test_a_misspelt_group_of_a_benchmark_is_refused(size: int) -> None:
    people = {"Black": 15, "White": 390}
    text = "benchmark has 'Balck'; no group of data is called so; did you mean 'Black'"
    with pytest.raises(fs.InputError, match=text):
        fs.representation(people, benchmark={"Balck": 0.2 * size, "White": 0.8 * size})
    # a group that nobody is in
    for nobody in ({"Balck": 0.1, "Black": 0.1, "White": 0.8}, {"Hispanic": 0.2, "White": 0.7}):
        result = fs.representation(people, benchmark={label: share * size for label, share in nobody.items()})
        assert nobody.keys() <= {row.group for row in result.compared()}
    ages = fs.representation({"20-29": 4, "40-49": 5}, benchmark={"20-29": 0.5 * size, "30-39": 0.1 * size})
    assert "30-39" in {row.group for row in ages.compared()}


def test_a_benchmark_without_the_column_of_counts_says_so() -> None:
    hires = {"race": ["a", "b"], "hires": [4, 9]}
    with pytest.raises(fs.InputError, match="benchmark has no column 'hires', in which data has its numbers of people"):
        fs.representation(
            hires, "race", benchmark={"race": ["a", "b"], "people": [40, 50], "old": [1, 2]}, weights="hires"
        )
    same = fs.representation(hires, "race", benchmark=hires, weights="hires", kind="sample")
    assert same.estimates.where(metric="shortfall").column("estimate") == [0.0, 0.0]  # and not 3e-16


def test_a_table_of_counts_is_no_list_of_people() -> None:
    table = {"race": ["Black", "White"], "n": [15, 390]}
    with pytest.raises(fs.InputError, match=r"data has one row for each of Black, White, .* weights='n'"):
        fs.representation(table, "race", benchmark={"Black": 0.154})
    with pytest.raises(fs.InputError, match=r"benchmark has one row for each .*; pass them by label"):
        fs.representation({"race": ["Black", "White"] * 20}, "race", benchmark=table | {"old": [1, 2]})


def test_a_benchmark_may_be_a_table_of_shares_or_counts_a_line_a_group(tmp_path) -> None:
    people, shares = {"race": ["Black"] * 15 + ["White"] * 390}, {"Black": 0.154, "White": 0.846}
    path = tmp_path / "census.csv"
    pd.DataFrame({"race": list(shares), "share": list(shares.values())}).to_csv(path, index=False)
    by_label = fs.representation(people, "race", benchmark=shares)
    assert fs.representation(people, "race", benchmark=str(path)).estimates == by_label.estimates
    counted = {"race": ["Black", "White"], "n": [15, 390]}
    of_counts = fs.representation(counted, "race", benchmark=str(path), weights="n")
    assert of_counts.estimates == by_label.estimates
    counts = {"race": ["White", "Black"], "people": [846, 154]}
    by_count = fs.representation(people, "race", benchmark={"Black": 154, "White": 846})
    assert fs.representation(people, "race", benchmark=counts).shown() == by_count.shown()


def test_what_the_limits_leave_open_is_said() -> None:
    lines = fs.representation({"Black": 60, "White": 340}, benchmark={"Black": 0.154, "White": 0.846}).statements
    assert lines[0] == "No difference is shown (2 compared)."
    assert lines[1].startswith("Black: 60 of 400 (15.0%) beside 15.4% in the benchmark, a difference of −0.4 ")
    one = fs.representation({"Black": 61, "White": 339}, benchmark={"Black": 0.154, "White": 0.846}).statements
    assert "), 1 fewer than expected, " in one[1] + one[2]


def test_the_command_takes_per_cents(tmp_path, capsys) -> None:
    path = tmp_path / "staff.csv"
    pd.DataFrame({"race": ["Black"] * 15 + ["White"] * 390}).to_csv(path, index=False)
    assert run(["representation", str(path), "--groups", "race", "--benchmark", "Black=15.4%"]) == 0
    assert "15 of 405 (3.7%) beside 15.4% in the benchmark" in " ".join(capsys.readouterr().out.split())


def test_a_benchmark_that_is_whole_without_a_group_of_the_data_is_refused() -> None:
    """Its other groups would be compared with shares of whom the third is no part."""
    shares = {"a": 0.6, "b": 0.4}
    with pytest.raises(fs.InputError, match="add up to 1 without c, of whom data has 30; give each a share"):
        fs.representation({"a": 40, "b": 30, "c": 30}, benchmark=shares)
    assert fs.representation({"a": 40, "b": 30, "c": 30}, benchmark={"a": 0.6, "b": 0.39}).estimates
    assert fs.representation({"a": 40, "b": 30}, benchmark=shares).estimates
