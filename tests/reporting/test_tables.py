"""Tables of a page: nothing is printed that holds nothing, and what is short is not broken."""

from __future__ import annotations

import re
from pathlib import Path
from zipfile import ZipFile

import pytest

import fairstats
from fairstats.document import Heading, Table, headings, table_text
from fairstats.reporting.bundle import gather
from fairstats.reporting.report import context
from fairstats.reporting.tables import size, table, text, widths

HEADINGS = (text("group"), Heading("rate", "%"), Heading("adjusted p"), text("verdict"))


@pytest.mark.parametrize("empty", ["–", ""])
def test_a_column_with_nothing_in_it_is_not_printed(empty: str) -> None:
    result = table("t", HEADINGS, [("a", "1.0", empty, "reference"), ("b", "2.0", empty, "")])
    assert [h.label for h in result.headings] == ["group", "rate", "verdict"]
    assert result.rows == (("a", "1.0", "reference"), ("b", "2.0", ""))


def test_a_column_with_one_number_is_printed_and_so_are_the_groups_and_the_head_of_no_row() -> None:
    assert len(table("t", HEADINGS, [("–", "1", "–", "x"), ("–", "–", "0.01", "y")]).headings) == 4
    assert table("t", HEADINGS, [("", "–", "–", "–")]).rows == (("",),)
    assert len(table("t", HEADINGS, []).headings) == 4


def test_no_table_of_a_fit_has_a_column_of_dashes() -> None:
    people = fairstats.arrests()[:500]
    fit = fairstats.og("~ age + checks + year", groups="colour", data=people, k=2, scale=True)
    bundle = gather(
        [fit, fairstats.price_of_fairness(fit, people), fairstats.component_tests(fit.crossfit(people))], None, ""
    )
    result: list[Table] = []

    def collect(part: object) -> None:
        if isinstance(part, Table):
            result.append(part)
        for inside in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
            collect(inside)

    collect(context(bundle))
    assert len(result) > 4
    assert [
        t.caption for t in result for column in list(zip(*t.rows, strict=True))[1:] if set(column) <= {"–", ""}
    ] == []


def test_short_words_stay_whole_where_there_is_room_and_numbers_everywhere() -> None:
    """The widths are those of the face: each word of a column is narrower than it, of numbers each whole cell."""
    from fairstats.reporting.sketch import width

    headings = [text("Gruppe"), *(Heading("99%-Intervall", "%-Punkte") for _ in range(4)), text("Befund")]
    row = ("African-American", *("−20,7 bis 27,2",) * 4, "Unterschied nachgewiesen")
    result = table("t", headings, [row])
    shares = [share * 63.78 / 100 for share in widths(result)]  # em of 8 points in 180 mm
    assert size(result) == "full" and 99 < sum(widths(result)) <= 100
    for cell, room in zip(row, shares, strict=True):
        assert width(cell, 1.0) < room
    crowded = table("t", [*headings[:-1], *headings[1:3], headings[-1]], [(*row[:-1], *row[1:3], row[-1])])
    for cell, share in zip(crowded.rows[0], widths(crowded), strict=True):
        assert max(width(word, 1.0) for word in re.split("[ -]", cell)) < share * 63.78 / 100


def test_a_short_word_beside_long_remarks_is_not_broken() -> None:
    from fairstats.reporting.sketch import width

    headings = [text("group"), text("coefficients"), Heading("accounted for"), Heading("95% interval"), text("remark")]
    rows = [
        ("women", "both groups together, with a coefficient of the group", "−5,814", "−7,331 to −4,318", ""),
        ("X", "the reference's", "135", "−11,138 to 11,710", "its covariates are collinear here: a column is constant"),
    ]
    padding = 0.7  # em, as in print.css
    points = 180 / 25.4 * 72 / 8.5  # em of 8.5 points in 180 mm
    assert width("women", 1.0) + padding <= widths(table("t", headings, rows))[0] * points / 100


def test_a_name_that_just_fits_is_not_broken_by_rounded_widths() -> None:
    """German "(ohne Angabe)" lost its last bracket to the next line: pages have widths of one decimal."""
    from fairstats.reporting.sketch import width

    name = "(ohne\N{NO-BREAK SPACE}Angabe)"
    heads = [Heading(f"{label}{at}", "%") for at, label in enumerate(("Rate", "Differenz", "Abstand", "Ereignisse"))]
    for n in range(1, 5):
        shown = table("t", [text("Gruppe"), *heads[:n], text("Befund")], [(name, *("−14,5",) * n, "offen " * 30)])
        points = 180 / 25.4 * 72 / 8.5  # em of 8.5 points in 180 mm
        assert size(shown) == "full" and width(name, 1.0) + 0.7 <= round(widths(shown)[0], 1) * points / 100


def test_where_headings_take_too_much_numbers_keep_their_width() -> None:
    from fairstats.reporting.sketch import width

    headings = [text("method and model"), *(Heading("Classification error", "%") for _ in range(11))]
    row = ("none", *("0.8223",) * 11)
    result = table("t", headings, [row])
    for cell, share in zip(row, widths(result), strict=True):
        assert width(cell, 1.0) < share * 63.78 / 100


def test_a_column_without_a_word_has_a_place_in_text() -> None:
    heads = (*headings("group", ("rate", "%")), Heading("", kind="word"))
    lines = table_text(Table("", heads, (("f" * 90, "8.0", ""), ("m", "74.1", ""))))
    assert "74.1" in lines and max(map(len, lines.splitlines())) <= 80


def test_tables_of_a_survey_say_that_counts_are_sums_of_weights_and_give_the_rows() -> None:
    people = {"g": ["a", "b"] * 60, "d": [0, 1, 1, 1] * 30, "x": [*range(1, 121)], "w": [1.5, 2.5, 3.5] * 40}
    drawn = {"weights": "w", "weight_type": "probability"}
    weighted, plain = fairstats.audit(people, "d", "g", **drawn), fairstats.audit(people, "d", "g")
    shown = fairstats.table({"weighted": weighted, "plain": plain}, "rates")
    said = " ".join(str(shown).split())
    assert "k of n: sums of weights of the people counted by the rate" in said
    assert "rows: unweighted n." in said and "plain: Wilson score interval. k of n: people counted" in said
    frame = shown.to_frame()
    assert frame["rows"].tolist() == ["60", "60", "\N{EN DASH}", "\N{EN DASH}"]
    means = fairstats.table(fairstats.audit(people, amount="x", groups="g", **drawn), "means")
    assert "n: sums of weights. rows: unweighted n." in " ".join(str(means).split())
    assert means.to_frame()["rows"].tolist() == ["60", "60"]
    assert "rows" not in fairstats.table(fairstats.audit(people, "d", "g", **drawn, min_n=5), "rates").to_frame()


def test_a_table_of_one_attribute_names_the_others_and_how_to_ask_for_them() -> None:
    people = {"g": ["a", "b"] * 60, "h": ["u", "u", "v"] * 40, "d": [0, 1, 1, 1] * 30}
    result = fairstats.audit(people, "d", ["g", "h"])
    assert "Other attributes: h, g:h (attribute=). Other tables: " in " ".join(str(fairstats.table(result)).split())
    assert "k of n: people counted by the rate, of those it is about." in " ".join(
        str(fairstats.table(result, "rates")).split()
    )
    assert "Other attributes: h, g:h" in fairstats.table(result)._repr_html_()
    assert "Other attributes" not in str(fairstats.table(result, attribute="h"))
    assert "Other attributes" not in str(fairstats.table(fairstats.audit(people, "d", "g")))


@pytest.mark.parametrize("ending", ["tex", "md", "docx", "html", "txt", "csv", "xlsx"])
def test_a_written_table_has_no_word_of_the_program(ending: str, tmp_path: Path) -> None:
    people = {"g": ["a", "b"] * 60, "h": ["u", "u", "v"] * 40, "d": [0, 1, 1, 1] * 30}
    written = fairstats.table(fairstats.audit(people, "d", ["g", "h"]), "rates").save(tmp_path / f"t.{ending}")
    files = ZipFile(written) if ending in ("docx", "xlsx") else None
    parts = [files.read(name) for name in files.namelist()] if files else [written.read_bytes()]
    whole = b" ".join(parts).decode(errors="ignore")
    assert "Other attributes" not in whole and "attribute=" not in whole and "g:h" not in whole
    assert ending == "csv" or "Selection rate" in whole


def test_a_table_of_contrasts_says_for_how_many_comparisons_its_intervals_are_adjusted() -> None:
    people = {"g": [*"abcde"] * 60, "h": ["u", "v", "v"] * 100, "d": [0, 1, 1, 1] * 75}
    result = fairstats.audit(people, "d", ["g", "h"])
    for kind in ("differences", "ratios"):
        text = " ".join(str(fairstats.table(result, kind)).split())
        about = {"attribute": "g", "metric": "selection rate", "role": "main"}
        (each,) = {row.conf_level for row in result.estimates.where(contrast=kind[:-1], **about)}
        assert f"adjusted for {round(0.05 / (1 - each))} comparisons, to hold together with 95%" in text
    assert "adjusted for" not in str(fairstats.table(fairstats.audit(people, "d", "h"), "differences"))
