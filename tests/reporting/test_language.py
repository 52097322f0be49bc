"""The language of a report: the catalog is current and complete, and only the page is translated."""

from __future__ import annotations

import copy
import importlib.util
import io
import json
import pickle
import re
import sys
from pathlib import Path
from threading import Thread

import pytest

import fairstats
from fairstats.cli import run
from fairstats.errors import InputError
from fairstats.language import (
    DataText,
    as_record,
    current,
    joined,
    language,
    languages,
    message,
    of_record,
    renamed,
    say,
    speaking,
    translated,
)
from tests.reporting.sample import sample

ROOT = Path(__file__).parents[2]
CODES = [code for code in languages() if code != "en"]
PLACE = re.compile(r"\{(\w+)\}")


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("catalog", ROOT / "tools" / "catalog.py")
    result = importlib.util.module_from_spec(spec)
    sys.modules["catalog"] = result  # its dataclass looks there for its own module
    spec.loader.exec_module(result)
    return result


def catalog(code: str):
    from babel.messages.pofile import read_po

    path = ROOT / "fairstats" / "locale" / code / "LC_MESSAGES" / "fairstats.po"
    return read_po(io.BytesIO(path.read_bytes()), locale=code)


@pytest.mark.skipif(not (ROOT / "tools").is_dir(), reason="not a checkout")
def test_every_message_of_the_code_is_in_every_catalog_and_what_reports_read_is_compiled(tool, capsys):
    assert tool.main(["--check"]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("code", CODES)
def test_a_catalog_is_complete(code):
    result = catalog(code)
    assert len(result) > 300 and not result.obsolete
    for entry in result:
        text = entry.string if entry.pluralizable else (entry.string,)
        assert all(text) or not entry.id, entry.id
        assert not entry.fuzzy or not entry.id, entry.id


@pytest.mark.parametrize("code", CODES)
def test_a_translation_has_the_places_of_its_message(code):
    """A verb phrase may stand whole, or as its verb and the rest."""
    for entry in catalog(code):
        if not entry.id:
            continue
        arguments = entry.id if entry.pluralizable else (entry.id,)
        text = entry.string if entry.pluralizable else (entry.string,)
        for ours, theirs in zip(arguments, text, strict=True):
            assert _places(theirs) == _places(ours), theirs


def _places(text: str) -> set[str]:
    result = {place.removesuffix("_dative") for place in PLACE.findall(text)}
    for whole, before in (("event", ""), ("condition", "condition_")):
        if {f"{before}verb", f"{before}rest"} & result:
            result = result - {f"{before}verb", f"{before}rest"} | {whole}
    return result


def test_an_unknown_language_is_named_with_those_there_are(capsys):
    with pytest.raises(InputError, match=r"language has 'ger'; reports, tables and figures are in 'de' or 'en'"):
        fairstats.report(sample(), language="ger")
    assert run(["report", "a.npz", "--to", "a.html", "--language", "ger"]) == 2
    assert "'de', 'en'" in capsys.readouterr().err


def test_only_the_page_is_translated(tmp_path):
    audit = sample()
    english, german = fairstats.report(audit), fairstats.report(audit, language="de")
    assert german.id == english.id and german.csv == english.csv
    assert german.json.replace('"language": "de"', '"language": "en"').replace(german.title, english.title) == (
        english.json
    )
    assert '<html lang="de">' in german.html and '<html lang="en">' in english.html
    assert "nachgewiesen" in german.html and "nachgewiesen" not in english.html
    assert current().code == "en" and "Disparity" not in german.html


def test_a_language_is_that_of_its_thread():
    lines = []
    with speaking(language("de")):
        other = Thread(target=lambda: lines.append(say("{low} to {high}", low=1, high=2)))
        other.start()
        other.join()
        assert say("{low} to {high}", low=1, high=2) == "1 bis 2"
    assert lines == ["1 to 2"]


def test_a_german_report_is_verified(tmp_path):
    data = tmp_path / "people.csv"
    data.write_text("sex,hired\n" + "f,0\nf,1\nm,1\nm,1\n" * 30)
    report = fairstats.report(fairstats.audit(str(data), "hired", "sex"), language="de", to=tmp_path / "a.html")
    assert fairstats.verify_report(report.files[0], str(data)).ok
    page = Path(report.files[0]).read_text()
    share = "50\N{NO-BREAK SPACE}% (30 von 60)"
    assert page.count(share) >= 1
    Path(report.files[0]).write_text(page.replace(share, share.replace("50", "60")))
    assert not fairstats.verify_report(report.files[0], str(data)).ok


def test_what_is_no_message_stays_as_it_is():
    rows = message("rows read")
    with speaking(language("de")):
        assert translated("rows read") == "rows read" and translated("3.5 parts") == "3.5 parts"
        assert translated(rows) == "gelesene Zeilen" and rows == "rows read"
        named = message("observed extremes: {one} and {other}", one=DataText("3.5", "g"), other=message("left out"))
        assert translated(named) == "beobachtete Extreme: 3.5 und ausgelassen"
        assert translated(message("fewer than {n} people", n="1,234.5")) == "weniger als 1\u202f234,5 Personen"


def test_a_message_in_a_file_is_only_filled():
    """Neither attributes of values nor formats are read, and one that unfolds is refused."""
    result = of_record(["{a.__class__} {b!r:>9} {c}", {"a": 1, "c": {"label": "{d}", "of": ""}, "d": 2}])
    assert result == "{a.__class__} {b!r:>9} {d}"
    nested: list[object] = ["ha" * 100, {}]
    for _ in range(12):
        nested = ["{x}" * 10, {"x": nested}]
    for wrong in (
        nested,
        "text",
        ["t"],
        ["t", []],
        [3, {}],
        ["{x}", {"x": None}],
        ["{x}", {"x": {"label": 3, "of": ""}}],
    ):
        with pytest.raises(ValueError, match="message"):
            of_record(wrong)


def test_messages_outlive_copies_and_pickles():
    whole = joined([message("fewer than {n} people", n=30), message("without {groups}", groups=DataText("m", "sex"))])
    for same in (
        copy.deepcopy(whole),
        pickle.loads(pickle.dumps(whole)),
        of_record(json.loads(json.dumps(as_record(whole)))),
    ):
        assert same == whole and translated_to_german(same) == "weniger als 30 Personen; ohne m"
    assert renamed(whole, lambda attribute, label: f"{attribute} {label}") == "fewer than 30 people; without sex m"


def translated_to_german(text: str) -> str:
    with speaking(language("de")):
        return translated(text)


def test_people_without_a_group_have_a_name_in_a_german_report():
    """On no page, in no table and no figure is the code of the results, which files keep."""
    people = {"sex": ["f", "m", "f", None] * 60, "job": ["x", None, "y", "x", "y"] * 48}
    audit = fairstats.audit(people | {"hired": [1, 0, 1, 1, 0, 1] * 40}, "hired", ["sex", "job"])
    page = fairstats.report(audit, language="de").html
    assert "(missing)" not in page and "(ohne\u00a0Angabe)" in page.replace("&nbsp;", "\u00a0")
    assert "(missing)" in audit.estimates.column("group") and "bei fest" not in page


def test_a_group_does_not_stand_between_than_and_more():
    """„häufiger bei X als bei Y", never „bei X als bei Y häufiger"; a number and its sign have a blank that holds."""
    catalog = language("de").messages._catalog
    wordings = [text for text in catalog.values() if isinstance(text, str)]
    assert not [text for text in wordings if re.search(r"\{place\} (?:\{times\} so )?(?:häufig|selten)", text)]
    assert not [text for text in wordings if re.search(r"[\d}] ?%(?![\w-])", text) and "}%-" not in text]


def test_german_declines_men_after_a_preposition_and_nothing_else():
    data = {"sex": ["f"] * 50 + ["m"] * 90, "hired": [1] * 40 + [0] * 10 + [1] * 40 + [0] * 50}
    table = fairstats.table(fairstats.audit(data, "hired", "sex"), "impact", language="de").to_markdown()
    assert "Seite eins vergleicht mit Männern." in table and "| Männer |" in table
    assert "**Auswahlrate (nach sex): Verhältnisse" in table
    with speaking(language("de")):
        assert say("{group} against {reference}", group="Männer", reference="Männer") == "Männer gegenüber Männern"
        assert say("{group} against {reference}", group="Frauen", reference="White") == "Frauen gegenüber White"
        pair = message("{group} against {reference}", group=message("women"), reference=message("men"))
        assert translated(pair) == "Frauen gegenüber Männern"


def test_the_margin_has_one_german_word_and_limits_are_those_of_an_interval():
    catalog = language("de").messages._catalog
    wordings = {text for key, text in catalog.items() if isinstance(text, str) and "margin" in str(key)}
    assert sum("Toleranz" in text for text in wordings) > 80
    assert not [
        text for text in wordings if re.search(r"Spanne|Äquivalenzgrenze|(innerhalb|jenseits) der Grenze\b", text)
    ]
