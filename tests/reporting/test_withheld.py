"""No output tells anything of people who are withheld: whatever was decided about them, every file is the same.

That is stronger than looking for their numbers: nothing can be computed by subtraction from files that do not differ.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.reporting.bundle import without_data

FORMS = (".html", ".md", ".docx", ".json", ".csv")


def _people(small: list[tuple[str, int, int, float]]) -> pd.DataFrame:
    """Large groups a and b, and some people of c and d with these answers."""
    rng = np.random.default_rng(7)
    n = 400
    frame = pd.DataFrame({"race": rng.choice(["a", "b"], n), "sex": rng.choice(["f", "m"], n)})
    frame["score"] = rng.uniform(size=n).round(3)
    frame["hired"] = (frame.score + 0.2 * (frame.race == "a") > 0.6).astype(int)
    frame["good"] = (rng.uniform(size=n) < 0.2 + 0.6 * frame.score).astype(int)
    rest = pd.DataFrame(small, columns=["race", "hired", "good", "score"]).assign(sex="f")
    return pd.concat([frame, rest[frame.columns]], ignore_index=True)


FIRST = _people([("c", 1, 1, 0.9), ("c", 1, 0, 0.8), ("c", 0, 0, 0.1), ("c", 1, 1, 0.7), ("d", 1, 0, 0.6)])
OTHER_ANSWERS = _people([("c", 0, 0, 0.2), ("c", 0, 1, 0.1), ("c", 1, 1, 0.9), ("c", 0, 0, 0.3), ("d", 0, 1, 0.2)])
OTHER_COUNTS = _people([("c", 1, 1, 0.9), ("c", 1, 0, 0.8), ("d", 0, 0, 0.1), ("d", 1, 1, 0.7), ("d", 1, 0, 0.6)])


EXCHANGED = _people([("c", 1, 1, 0.9), ("c", 1, 0, 0.8), ("d", 0, 0, 0.1), ("c", 1, 1, 0.7), ("c", 1, 0, 0.6)])


def _files(people: pd.DataFrame, **more) -> dict[str, bytes]:
    rules = {"decision": "hired", "outcome": "good", "positive_prediction": "1", "min_n": 6}
    report = fairstats.report(fairstats.audit(people, **{**rules, **more}))
    files = {f"{form} {name}": content for form in FORMS for name, content in report.form(f"a{form}").items()}
    page = without_data(report.html).encode()  # its data are the JSON, which is compared
    return {**files, ".html a.html": page, "summary": report.contents.bundle.audit.summary().encode()}


@pytest.fixture(scope="module", autouse=True)
def _one_hour():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1700000000")
        yield


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return _files(FIRST, groups="race", score="score")


@pytest.mark.long
@pytest.mark.parametrize("other", [OTHER_ANSWERS, OTHER_COUNTS], ids=["other answers", "other counts"])
def test_no_file_changes_with_what_was_decided_about_people_who_are_withheld(other, files):
    changed = _files(other, groups="race", score="score")
    assert list(changed) == list(files) and len(files) >= len(FORMS) + 1
    assert [name for name in files if files[name] != changed[name]] == []


@pytest.mark.long
def test_the_files_do_change_with_what_was_decided_about_people_who_are_shown(files):
    people = FIRST.copy()
    people.loc[0, "hired"] = 1 - people.loc[0, "hired"]
    changed = _files(people, groups="race", score="score")
    assert [name for name in files if files[name] == changed[name] and Path(name).suffix != ".png"] == []


@pytest.mark.long
def test_beside_another_attribute_no_file_tells_whose_answers_are_whose():
    """People of one sex, whose totals are shown, are in other groups of race, which are not."""
    rows = [_files(people, groups=["race", "sex"]) for people in (FIRST, EXCHANGED, OTHER_COUNTS)]
    assert [name for name in rows[0] if not rows[0][name] == rows[1][name] == rows[2][name]] == []


def test_the_pages_of_the_pdf_are_the_page(files):
    """The PDF is made of the page that was compared, and of the JSON and CSV that were."""
    report = fairstats.report(
        fairstats.audit(FIRST, "hired", "race", outcome="good", positive_prediction="1", score="score", min_n=6)
    )
    assert report.contents.rendered[0].encode() == files[".html a.html"]
