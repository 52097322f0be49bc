"""Columns passed themselves, in place of their names: with or without a table, and never by position in silence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import fairstats
from fairstats.data import tables
from fairstats.errors import FileError, InputError

N = 400
RNG = np.random.default_rng(8)
TABLE = pd.DataFrame(
    {
        "sex": RNG.choice(["f", "m"], N),
        "race": RNG.choice(["a", "b", "c"], N),
        "hired": RNG.choice(["no", "yes"], N),
        "good": RNG.integers(0, 2, N),
        "grade": RNG.random(N),
        "w": RNG.integers(1, 4, N),
        "site": np.arange(N) % 20,
    },
    index=[f"p{i}" for i in range(N)],
)
NAMED = fairstats.audit(TABLE, "hired", "sex", outcome="good", favorable="yes", positive_prediction="yes").estimates
LABELS = {"favorable": "yes", "positive_prediction": "yes"}


def values(rows: fairstats.Estimates) -> list[tuple[object, ...]]:
    return [(r.metric, r.group, r.contrast, r.reference, str(r.estimate), str(r.conf_low), r.verdict) for r in rows]


WAYS = {
    "series": lambda t: {"decision": t.hired, "groups": t.sex, "outcome": t.good},
    "arrays": lambda t: {k: v.to_numpy() for k, v in WAYS["series"](t).items()},
    "lists": lambda t: {k: v.tolist() for k, v in WAYS["series"](t).items()},
    "polars": lambda t: {k: pl.Series(v.tolist()) for k, v in WAYS["series"](t).items()},
    "categories": lambda t: {**WAYS["series"](t), "groups": t.sex.astype("category")},
    "in another order": lambda t: {**WAYS["series"](t), "groups": t.sex.sample(frac=1, random_state=3)},
}
TABLES = {"no table": None, "pandas": TABLE, "polars": pl.from_pandas(TABLE), "dictionary": TABLE.to_dict("list")}


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("table", TABLES)
def test_columns_themselves_give_the_numbers_of_their_names(way, table):
    if table in ("polars", "dictionary") and way == "in another order":
        pytest.skip("the table has no index")
    audit = fairstats.audit(TABLES[table], **WAYS[way](TABLE), **LABELS)
    assert values(audit.estimates) == values(NAMED)
    named = way in ("series", "categories", "in another order")
    assert audit.protocol.decision == ("hired" if named else "decision")
    assert audit.protocol.groups == (("sex",) if named else ("group",))


def test_columns_and_names_stand_beside_each_other():
    audit = fairstats.audit(TABLE, "hired", TABLE.sex.to_numpy(), outcome=TABLE.good == 1, **LABELS)
    assert values(audit.estimates) == values(NAMED)
    weighted = fairstats.audit(
        TABLE, "hired", "sex", weights=TABLE.w, clusters=TABLE.site.tolist(), strata=TABLE[["race"]], favorable="yes"
    )
    same = fairstats.audit(TABLE, "hired", "sex", weights="w", clusters="site", strata="race", favorable="yes")
    assert values(weighted.estimates) == values(same.estimates)
    scored = fairstats.audit(score=TABLE.grade, threshold=0.5, groups=TABLE.sex)
    assert values(scored.estimates) == values(
        fairstats.audit(TABLE, score="grade", threshold=0.5, groups="sex").estimates
    )


BOTH = {"sex": TABLE.sex, "race": TABLE.race.to_numpy()}


@pytest.mark.parametrize("groups", [["sex", "race"], TABLE[["sex", "race"]], BOTH, [TABLE.sex, TABLE.race]])
def test_several_attributes_are_several_columns(groups):
    audit = fairstats.audit(TABLE, "hired", groups, favorable="yes")
    same = fairstats.audit(TABLE, "hired", ["sex", "race"], favorable="yes")
    assert audit.protocol.groups == same.protocol.groups == ("sex", "race", "sex:race")
    assert values(audit.estimates) == values(same.estimates)


def test_one_column_in_two_roles_has_two_names():
    audit = fairstats.audit(outcome=TABLE.good, decision=TABLE.good, groups=TABLE.sex)
    assert (audit.protocol.outcome, audit.protocol.decision) == ("outcome", "good")


def test_rows_that_do_not_belong_together_are_refused():
    with pytest.raises(InputError, match=r"groups and decision have different indexes \(groups lacks 'p0'"):
        fairstats.audit(decision=TABLE.hired, groups=TABLE.sex.rename(lambda name: name + "!"), favorable="yes")
    with pytest.raises(InputError, match="groups and data have different indexes"):
        fairstats.audit(TABLE, "hired", TABLE.sex.reset_index(drop=True), favorable="yes")
    with pytest.raises(InputError, match="decision has 400, groups has 399 entries"):
        fairstats.audit(decision=TABLE.hired, groups=TABLE.sex[1:], favorable="yes")
    with pytest.raises(InputError, match="read a file with fairstats"):
        fairstats.audit("people.csv", TABLE.hired, "sex")
    with pytest.raises(InputError, match="data is absent, and decision has 'hired'"):
        fairstats.audit(decision="hired", groups="sex")
    with pytest.raises(InputError, match=r"data has an array of shape \(5, 2\), whose columns have no names"):
        fairstats.audit(np.zeros((5, 2)), "a", "b")
    with pytest.raises(InputError, match=r"groups has fairstats.continuous\('age'\), which is no set of groups"):
        fairstats.audit(TABLE, "hired", fairstats.continuous("age"))
    with pytest.raises(InputError, match="decision has an array of shape"):
        fairstats.audit(TABLE, np.zeros((N, 2)), "sex")


def test_an_argument_of_another_library_is_answered_with_the_call_that_does_it():
    y, p, g = TABLE.good, TABLE.hired, TABLE.sex
    with pytest.raises(InputError, match=r"audit\(outcome=y_true, decision=y_pred, groups=sensitive_features\)\.$"):
        fairstats.audit(y_true=y, y_pred=p, sensitive_features=g)
    with pytest.raises(TypeError, match=r"audit\(data, decision, groups=sensitive_features\)"):
        fairstats.audit(TABLE, "hired", sensitive_features="sex")
    with pytest.raises(InputError, match="desicion is no argument of audit; did you mean 'decision'"):
        fairstats.audit(TABLE, desicion="hired")
    with pytest.raises(InputError, match="audit has 4 arguments by position; it takes 3"):
        fairstats.audit(TABLE, "hired", "sex", "good")
    with pytest.raises(
        InputError, match="data is passed by position and by name; by position audit takes data, decision"
    ):
        fairstats.audit(TABLE, data=TABLE)
    with pytest.raises(InputError, match="by position proxies takes data, groups; name or leave out what else"):
        fairstats.proxies("~ hired + good", groups="sex", data=TABLE)
    with pytest.raises(InputError, match="sensitive_features is called groups here: compare"):
        fairstats.compare(TABLE, outcome="good", sensitive_features="sex")
    with pytest.raises(InputError, match="y is absent; brier_score needs it"):
        fairstats.stats.brier_score([0.1])
    with pytest.raises(InputError, match="alpha is no argument of wilson"):
        fairstats.stats.wilson(1, 2, alpha=0.05)


def test_a_label_is_spelled_as_the_data_spell_it_in_every_role():
    with pytest.raises(InputError, match=r"did you mean 'yes'\? Its labels are no, yes; pass favorable='no' or"):
        fairstats.audit(TABLE, "hired", "sex", favorable="Yes")
    with pytest.raises(InputError, match=r"did you mean 'f'\? The groups are"):
        fairstats.audit(TABLE, "hired", "sex", favorable="yes", reference="F")
    logical = TABLE.assign(hired=TABLE.hired == "yes")
    for spelled in (True, 1, "TRUE", "true"):
        assert fairstats.audit(logical, "hired", "sex", favorable=spelled).protocol.favorable == "True"


def test_a_file_that_is_no_saved_result_is_said_to_be_none(tmp_path):
    (tmp_path / "a.json").write_text("{}")
    with pytest.raises(FileError, match=r"is not a result that this package saved"):
        fairstats.load(tmp_path / "a.json")


@pytest.mark.parametrize("names", [["g", "h"], ["g", "g:h"]])
def test_names_of_columns_and_intersections_are_names_however_few_the_rows(names: list[str]) -> None:
    """Found by fuzzing: two names beside a table of two rows were taken as the labels of two people."""
    cells = pd.DataFrame({"g": ["a", "b"], "h": ["u", "v"], "d": [0, 1], "n": [40, 50]})
    audit = fairstats.audit(cells, "d", names, weights="n", weight_type="frequency")
    assert list(audit.references) == (["g", "h", "g:h"] if ":" not in names[1] else ["g", "g:h"])


def test_a_list_of_names_beside_a_dictionary_makes_one_frame_of_it(monkeypatch) -> None:
    """A frame of a million rows of text takes half a second; the length of a list of names needs none."""
    made, plain = [], tables._from_mapping
    monkeypatch.setattr(tables, "_from_mapping", lambda data, argument: made.append(argument) or plain(data, argument))
    data = {name: TABLE[name].to_numpy(object) for name in ("sex", "race", "hired")}
    named = fairstats.audit(data, "hired", ["sex", "race"], favorable="yes")
    assert made == ["data"]
    assert values(named.estimates) == values(
        fairstats.audit(TABLE, "hired", ["sex", "race"], favorable="yes").estimates
    )
