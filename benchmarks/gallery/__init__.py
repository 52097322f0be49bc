"""Every kind of report by one command: ``python -m benchmarks.gallery --to DIR [--only change leakage] [--form pdf]``.

Most are of people simulated here or of the arrests of `fairstats.arrests`, so that they may be shown on the site
(``docs/conf.py`` writes those as web pages). Those of COMPAS and Adult are made where ``FAIRSTATS_DATA``
names a folder that has the data, and are named as left out elsewhere.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import fairstats

FORMS = ("pdf", "html")
FEATURES = "~ age + checks + year + employed + citizen"
DEFENDANTS = {
    "unit": "defendants",
    "favorable": "were rated low risk",
    "unfavorable": "were rated medium or high risk",
    "positive": "were rearrested",
    "negative": "were not rearrested",
    "score": "decile score (1–10)",
    "groups": {
        "race": {"African-American": "Black", "Caucasian": "White", "Other": "other race"},
        "sex": {"Male": "men", "Female": "women"},
    },
}
RISK = {  # what is published of the scores
    "system": "COMPAS",
    "version": "unpublished",
    "vendor": "Northpointe",
    "period": "2013–March 2014, rearrest in 2 years",
    "jurisdiction": "Broward County, FL",
    "intended_use": "pretrial release",
    "known_limits": "people scored after March 2014 are left out: the file lacks nearly all of them not rearrested",
}
LENDING = {
    "system": "Invented loan model",
    "version": "1.0",
    "vendor": "in house",
    "period": "1994",
    "jurisdiction": "United States",
    "intended_use": "credit (an example: the score predicts income)",
    "known_limits": "nobody applied for a loan; “approved” means that an invented model would approve",
    "prepared_by": "A. Lee",
}


ARRESTED = {
    "unit": "arrestees",
    "attributes": {
        "colour": "color",
        "age": "age",
        "checks": "entries in police databases",
        "year": "year of arrest",
        "employedYes": "employment",
        "citizenYes": "citizenship",
    },
}
COLOR = {"unit": "arrestees", "attributes": {"colour": "color"}}  # what leaks knows no features
DISTRICT = {"attributes": {"school": "district"}}


class Kind(NamedTuple):
    """A kind of report: what it is of, its results, and what else `fairstats.report` is to know."""

    title: str
    results: Callable[[], Sequence[Any]]
    options: Mapping[str, Any] = MappingProxyType({})
    forms: tuple[str, ...] = FORMS
    needs: str = ""  # a file of FAIRSTATS_DATA


def read(name: str) -> pd.DataFrame:
    """Read a table of the folder of data."""
    return pd.read_csv(Path(os.environ["FAIRSTATS_DATA"], "data", name))


def compas(**options: Any) -> Sequence[Any]:
    """Scores of risk of 7,214 defendants, of whom 4 or less is the favorable score."""
    roles: dict[str, Any] = {"outcome": "two_year_recid", "score": "decile_score", "threshold": 5, "favorable": 0}
    file = Path(
        os.environ["FAIRSTATS_DATA"], "data", "compas-scores-two-years.csv"
    )  # whose fingerprint stands on page one
    return [fairstats.audit(file, groups=["race", "sex"], **roles, **options)]


def compas_of_two_years(**options: Any) -> Sequence[Any]:
    """The same of the 6,207 who were screened before April 2014: of later ones the file keeps the rearrested alone."""
    people = read("compas-scores-two-years.csv")
    roles: dict[str, Any] = {"outcome": "two_year_recid", "score": "decile_score", "threshold": 5, "favorable": 0}
    return [
        fairstats.audit(people[people.compas_screening_date < "2014-04-01"], groups=["race", "sex"], **roles, **options)
    ]


def adult() -> Sequence[Any]:
    """Decisions of a logistic regression on people that it was not fitted to."""
    from sklearn.compose import make_column_transformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    people = read("fairml_adult.csv")
    numbers = ["age", "education_num", "capital_gain", "capital_loss", "hours_per_week"]
    texts = ["workclass", "education", "marital_status", "occupation", "relationship", "native_country"]
    seen, new = train_test_split(people, test_size=0.35, random_state=1, stratify=people.income)
    coder = make_column_transformer(
        (StandardScaler(), numbers), (OneHotEncoder(handle_unknown="ignore", min_frequency=20), texts)
    )
    model = make_pipeline(coder, LogisticRegression(max_iter=400)).fit(seen[numbers + texts], seen.income == ">50K")
    score = model.predict_proba(new[numbers + texts])[:, 1].round(6)
    new = new.assign(score=score, earns_over_50k=new.income == ">50K")
    labels = {"unit": "people", "favorable": "were approved", "unfavorable": "were refused"}
    labels |= {
        "positive": "earn over $50,000",
        "negative": "earn up to $50,000",
        "false_positives": "approvals of lower earners",
        "false_negatives": "refusals of higher earners",
        "score": "score",
    }
    named = {
        "sex": {"Male": "men", "Female": "women"},
        "race": {
            "White": "White",
            "Black": "Black",
            "Asian-Pac-Islander": "Asian or Pacific",
            "Amer-Indian-Eskimo": "American Indian",
            "Other": "other race",
        },
    }
    roles: dict[str, Any] = {"outcome": "earns_over_50k", "margin": 0.05, "about": LENDING}
    roles |= {"labels": {**labels, "groups": named}, "reference": {"sex": "Male", "race": "White"}}
    roles |= {"law": "credit", "action_plan": True}
    return [
        fairstats.audit(new, groups=["sex", "race"], score="score", threshold=0.5, favorable=1, positive=True, **roles)
    ]


def hired(**options: Any) -> Sequence[Any]:
    """Two attributes without a difference."""
    rng, n = np.random.default_rng(7), 4000
    people = pd.DataFrame(
        {
            "gender": rng.choice(["women", "men"], n, p=[0.46, 0.54]),
            "age": rng.choice(["under 40", "40 and over"], n, p=[0.6, 0.4]),
            "hired": rng.choice(["yes", "no"], n, p=[0.3, 0.7]),
        }
    )
    labels: dict[str, Any] = {"unit": "candidates", "favorable": "were hired", "unfavorable": "were turned down"}
    labels["groups"] = {"age": {"under 40": "under-40", "40 and over": "40-and-over"}}
    return [fairstats.audit(people, "hired", ["gender", "age"], favorable="yes", labels=labels, **options)]


@cache
def small() -> Sequence[Any]:
    """Groups of 2 to 210 people, of whom those under 10 are withheld."""
    sizes = {"White": 210, "Black": 26, "Asian": 18, "Hispanic": 22, "Native American": 4, "Pacific Islander": 2}
    promoted = {"White": 82, "Black": 6, "Asian": 14, "Hispanic": 8, "Native American": 1, "Pacific Islander": 1}
    rows = [
        (group, ("F", "M")[i % 2], "promoted" if i < promoted[group] else "not promoted")
        for group, n in sizes.items()
        for i in range(n)
    ]
    people = pd.DataFrame(rows, columns=["ethnicity", "sex", "result"])
    labels = {"unit": "employees", "favorable": "were promoted", "unfavorable": "were not promoted"}
    options: dict[str, Any] = {"min_n": 10, "labels": labels, "action_plan": True}
    return [fairstats.audit(people, "result", ["ethnicity", "sex"], favorable="promoted", **options)]


@cache
def regions() -> Sequence[Any]:
    """Twenty groups of one attribute."""
    rng, n = np.random.default_rng(7), 12000
    names = [f"{where} {what}" for what in ("Coast", "Hills", "Plains", "Valley") for where in WHERE]
    rates = np.clip(rng.normal(0.62, 0.05, 20), 0.4, 0.8)
    place = rng.choice(20, n, p=rng.dirichlet(np.ones(20) * 3))
    granted = np.where(rng.random(n) < rates[place], "granted", "refused")
    people = pd.DataFrame({"region": np.array(names)[place], "decision": granted})
    labels = {"unit": "applications", "favorable": "were granted", "unfavorable": "were refused"}
    return [fairstats.audit(people, "decision", "region", favorable="granted", labels=labels, action_plan=True)]


def reviewed() -> Sequence[Any]:
    """Applications accepted, reviewed or rejected, beside what an expert says of each."""
    rng, n = np.random.default_rng(9), 3000
    labels = np.array(["reject", "review", "accept"])
    expert = labels[rng.choice(3, n, p=[0.3, 0.3, 0.4])]
    decision = np.where(rng.random(n) < 0.7, expert, labels[rng.integers(3, size=n)])
    race = rng.choice(["White", "Black", "Asian"], n, p=[0.5, 0.3, 0.2])
    decision[(race == "Black") & (decision == "accept") & (rng.random(n) < 0.3)] = "reject"
    people = {"race": race, "decision": decision, "expert": expert}
    return [fairstats.audit(people, "decision", "race", outcome="expert", class_order=list(labels), margin=0.05)]


WHERE = ("North", "East", "South", "West", "Central")


def loans(**options: Any) -> Sequence[Any]:
    """Nothing by the first attribute, 25 points by the second."""
    rng, n = np.random.default_rng(8), 5000
    ethnicity = rng.choice(["White", "Black", "Asian"], n, p=[0.7, 0.18, 0.12])
    approved = rng.random(n) < np.where(ethnicity == "Black", 0.36, 0.62)
    people = {"sex": rng.choice(["Female", "Male"], n), "ethnicity": ethnicity}
    people["loan"] = np.where(approved, "approved", "declined")
    return [fairstats.audit(pd.DataFrame(people), "loan", ["sex", "ethnicity"], favorable="approved", **options)]


@cache
def screened() -> Sequence[Any]:
    """Applicants for a job who were hired, the law of employment declared."""
    rng, n = np.random.default_rng(8), 5000
    race = rng.choice(["White", "Black", "Asian"], n, p=[0.7, 0.18, 0.12])
    sex = rng.choice(["Female", "Male"], n)
    hired = np.where(rng.random(n) < np.where(race == "Black", 0.2, 0.3), "hired", "not hired")
    people = pd.DataFrame({"sex": sex, "race": race, "result": hired})
    labels = {"unit": "applicants", "favorable": "were hired", "unfavorable": "were not hired"}
    options: dict[str, Any] = {"law": "employment", "labels": labels, "action_plan": True}
    return [fairstats.audit(people, "result", ["sex", "race"], favorable="hired", **options)]


APPLICANTS = {"unit": "applicants", "favorable": "were approved", "unfavorable": "were declined"}
BEWERBER = {
    "unit": "Personen",
    "favorable": "wurden angenommen",
    "unfavorable": "wurden abgelehnt",
    "attributes": {"sex": "Geschlecht", "ethnicity": "Herkunft"},
    "groups": {
        "sex": {"Male": "Männer", "Female": "Frauen"},
        "ethnicity": {"White": "weiße", "Black": "schwarze", "Asian": "asiatische"},
    },
}


def applicants() -> pd.DataFrame:
    """Scores of a screen of applicants, categories as Local Law 144 has them; two of seven are under 2%."""
    rng, n = np.random.default_rng(7), 9000
    race = rng.choice(list(RACES), n, p=list(RACES.values()))
    sex = rng.choice(["Male", "Female", "(missing)"], n, p=[0.54, 0.45, 0.01])
    shift = -0.08 * (sex == "Female") - 0.12 * (race == "Black or African American") - 0.06 * (race == LATINO)
    score = np.clip(rng.normal(60 + 100 * shift, 15), 0, 100)
    return pd.DataFrame({"sex": sex, "race_ethnicity": race, "selected": np.where(score >= 60, "yes", "no")})


LATINO = "Hispanic or Latino"
RACES = {
    "White": 0.44, "Black or African American": 0.17, LATINO: 0.16, "Asian": 0.16, "Two or More Races": 0.05,
    "Native Hawaiian or Pacific Islander": 0.012, "American Indian or Alaska Native": 0.008,
}  # fmt: skip
NOTICE = {"tool": "Resume screener", "vendor": "Example Inc.", "distributed": "2025-03-01"}


@cache
def law() -> Sequence[Any]:
    """The audit that Local Law 144 of New York City asks for."""
    people = applicants().replace("(missing)", None)
    labels = {"attributes": {"race_ethnicity": "race/ethnicity"}}
    return [fairstats.audit(people, "selected", ["sex", "race_ethnicity"], favorable="yes", labels=labels)]


def shortlisted(gap: float, rng: np.random.Generator) -> pd.DataFrame:
    """The applicants of one quarter."""
    sex = rng.choice(["women", "men"], 3500, p=[0.45, 0.55])
    chosen = np.where(rng.random(3500) < np.where(sex == "women", 0.4 - gap, 0.4), "yes", "no")
    return pd.DataFrame({"sex": sex, "shortlisted": chosen})


def change() -> Sequence[Any]:
    """Two quarters, the gap of the second smaller, each audited from its file."""
    rng = np.random.default_rng(7)
    labels = {"unit": "applicants", "favorable": "were shortlisted", "unfavorable": "were not shortlisted"}
    audits = []
    with tempfile.TemporaryDirectory() as folder:
        for quarter, gap in (("2025-Q1", 0.14), ("2025-Q2", 0.05)):
            file = Path(folder, f"{quarter}.csv")
            shortlisted(gap, rng).to_csv(file, index=False)
            audits.append(fairstats.audit(file, "shortlisted", "sex", favorable="yes", labels=labels))
    return [fairstats.compare_audits(*audits)]


@cache
def subgroups() -> Sequence[Any]:
    """Subgroups of the people who were arrested."""
    people = fairstats.arrests()
    people["work"] = people["employed"].map({"Yes": "employed", "No": "unemployed"})
    return [fairstats.subgroup_scan(people, "released", ["colour", "sex", "work"], favorable="Yes")]


def staff() -> pd.DataFrame:
    """3,000 employees, the women paid 3% less in the same grade and seldom in the upper ones."""
    rng, n = np.random.default_rng(7), 3000
    sex = rng.choice(["women", "men"], n, p=[0.45, 0.55])
    grade = rng.binomial(4, np.where(sex == "women", 0.35, 0.5))
    hourly = 18 * 1.12**grade * np.exp(rng.normal(0, 0.15, n)) * np.where(sex == "women", 0.97, 1.0)
    bonus = np.where(rng.random(n) < np.where(sex == "women", 0.3, 0.4), rng.lognormal(5, 0.5, n).round(), np.nan)
    hours = rng.choice([85.0, 130.0, 165.0], n)
    people = {"sex": sex, "grade": grade.astype(str), "tenure": rng.gamma(2, 4, n).round(1), "hours": hours}
    total = hourly.round(2) * hours + np.nan_to_num(bonus)
    return pd.DataFrame({**people, "hourly": hourly.round(2), "bonus": bonus, "pay": total})


def pay() -> Sequence[Any]:
    """Pay by the hour, of everybody and of people of one grade."""
    options: dict[str, Any] = {"reference": "men", "unit": "EUR/h", "strata": "grade", "margin": {"gap": 0.05}}
    labels = {"unit": "employees", "amount": "earn per hour"}
    return [fairstats.audit(staff(), amount="hourly", groups="sex", labels=labels, **options)]


def pay_transparency() -> Sequence[Any]:
    """The figures of the directive on pay transparency."""
    columns: dict[str, Any] = {"variable_pay": "bonus", "category": "grade", "hours": "hours"}
    return [fairstats.pay_transparency(staff(), pay="pay", groups="sex", **columns, reference="men")]


def gap() -> Sequence[Any]:
    """What of the gap in pay goes with grade and tenure."""
    explained = "~ grade + tenure"
    columns = {"amount": "hourly", "groups": "sex", "explained_by": explained}
    labels = {"attributes": {"hourly": "pay per hour", "tenure": "years of service"}}
    return [fairstats.decompose(staff(), **columns, reference="men", unit="EUR/h", labels=labels)]


@cache
def fits(*methods: str) -> list[Any]:
    """Fits without the color of the arrested."""
    people = fairstats.arrests()
    return [getattr(fairstats, name)(FEATURES, "colour", 3, data=people, scale=True) for name in methods]


@cache
def leak(method: str) -> Any:
    """What a model still tells of the groups from scores that it was not fitted to."""
    (fit,) = fits(method)
    return fairstats.leakage(fit, fairstats.arrests(), permutations=39)


def compared() -> Sequence[Any]:
    """A model of the plain features beside those of adjusted ones."""
    features = ["age", "checks", "year"]
    people = fairstats.arrests()
    options: dict[str, Any] = {"positive": "Yes", "threshold": 0.85, "n_repeats": 10, "progress": False}
    return [fairstats.compare(people, outcome="released", groups="colour", features=features, **options)]


def models() -> Sequence[Any]:
    """Three models of who is released, beside each other on the people that they were not fitted to."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    people = fairstats.arrests()
    people["works"], people["citizens"] = ((people[name] == "Yes").astype(int) for name in ("employed", "citizen"))
    fitted = people.index % 2 == 0
    sets = {"checks": ["checks"], "checks, work": ["checks", "works"], "all": ["checks", "works", "citizens", "age"]}
    table = people.loc[~fitted, ["colour", "released"]]
    for name, columns in sets.items():
        model = make_pipeline(StandardScaler(), LogisticRegression())
        model.fit(people.loc[fitted, columns], people.loc[fitted, "released"] == "Yes")
        table[name] = model.predict_proba(people.loc[~fitted, columns])[:, 1]
    options: dict[str, Any] = {"outcome": "released", "positive": "Yes", "threshold": 0.8, "margin": 0.02}
    return [fairstats.compare_models(table, list(sets), "colour", versus="all", **options)]


def monitored() -> Sequence[Any]:
    """Two years of decisions by month, the second year compared with the first; the gap begins in its fourth month."""
    rng = np.random.default_rng(7)
    months = [f"{year}-{month:02d}" for year in (2023, 2024) for month in range(1, 13)]
    rows = []
    for k, month in enumerate(months):
        for sex, n in (("women", 650), ("men", 850)):
            rate = 0.32 + 0.03 * np.sin(k / 3) - (0.09 if sex == "women" and k > 14 else 0.0)
            rows.append(pd.DataFrame({"month": month, "sex": sex, "hired": rng.random(n) < rate}))
    return [fairstats.monitor(pd.concat(rows), "hired", "sex", favorable=True, baseline="2023-12")]


def clusters() -> Sequence[Any]:
    """A graph of two communities, clustered with and without fair shares."""
    graph, groups = graph_of_friends()
    return [fairstats.fair_spectral_clustering(graph, {"school": groups}, k=2)]


def graph_of_friends() -> tuple[Any, Any]:
    """400 people in two communities, most of one community's people in one group."""
    rng, n = np.random.default_rng(7), 400
    community = np.arange(n) % 2
    group = np.where(rng.random(n) < 0.8, community, 1 - community)
    odds = np.where(community[:, None] == community, 0.08, 0.02)
    links = np.triu(rng.random((n, n)) < odds, 1)
    return (links + links.T).astype(float), np.array(["north", "south"])[group]


KINDS = {
    "compas": Kind(
        "COMPAS with words for the outcome alone",
        lambda: compas(labels={part: DEFENDANTS[part] for part in ("unit", "positive", "negative")}),
        needs="compas-scores-two-years.csv",
    ),
    "compas-labels": Kind(
        "COMPAS with labels and a declared pair",
        lambda: compas_of_two_years(
            labels=DEFENDANTS,
            headline={"race": ["African-American", "Caucasian"]},
            reference={"race": "Caucasian", "sex": "Male"},
            about=RISK,
        ),
        needs="compas-scores-two-years.csv",
    ),
    "adult": Kind("Two attributes, an outcome and a margin (Adult)", adult, needs="fairml_adult.csv"),
    "nothing-shown": Kind("Decisions alone, no difference shown", hired),
    "equivalence": Kind(
        "The same with a declared margin",
        lambda: hired(margin=0.05, action_plan=True),
        {"auditor": "Ada Example"},
    ),
    "small-groups": Kind("Small groups, those under 10 people withheld", small),
    "regions": Kind("Twenty regions", regions),
    "second-attribute": Kind(
        "A difference by the second attribute alone",
        lambda: loans(labels=APPLICANTS, action_plan=True),
        forms=("pdf", "html", "md", "docx"),
    ),
    "four-fifths": Kind("Hiring by the four-fifths rule", screened, {"preset": "four_fifths"}),
    "local-law-144": Kind(
        "The bias audit of Local Law 144", law, {"preset": "ll144", "ll144_notice": NOTICE}
    ),
    "classes": Kind("A decision of three ordered classes beside an outcome of the same", reviewed),
    "change": Kind("The change between two audits", change),
    "subgroups": Kind("A search of subgroups", subgroups),
    "pay": Kind("Pay by group and within grades", pay),
    "pay-transparency": Kind("The figures of the directive on pay transparency", pay_transparency),
    "gap": Kind("What accounts for a gap in pay", gap),
    "fit": Kind("One fit", lambda: fits("og"), {"labels": ARRESTED}),
    "fits": Kind(
        "Two fits with what leaks of them",
        lambda: [*fits("og", "fair_pca"), leak("og"), leak("fair_pca")],
        {"labels": ARRESTED},
    ),
    "leakage": Kind("Leakage alone", lambda: [leak("og")], {"labels": COLOR}),
    "comparison": Kind("Models compared", compared),
    "models": Kind("Three models of the same people", models),
    "monitor": Kind("A gap watched by month, beside a baseline", monitored),
    "clusters": Kind("A clustering", clusters, {"labels": DISTRICT}),
    "german": Kind("An audit in German", lambda: loans(labels=BEWERBER, action_plan=True), {"language": "de"}),
}  # fmt: skip
KINDS = {name: kind._replace(results=cache(kind.results)) for name, kind in KINDS.items()}


def make(folder: Path, names: Sequence[str] = tuple(KINDS), forms: Sequence[str] = ()) -> list[Path]:
    """Write reports into a folder, each in its forms or in those named; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name in names:
        kind = KINDS[name]
        files += [folder / f"{name}.{form}" for form in forms or kind.forms]
        fairstats.report(*kind.results(), to=files[-len(forms or kind.forms) :], overwrite=True, **kind.options)
    return files


def available(names: Sequence[str] = tuple(KINDS)) -> list[str]:
    """The kinds whose data are there."""
    folder = os.environ.get("FAIRSTATS_DATA", "")
    return [n for n in names if not KINDS[n].needs or (folder and Path(folder, "data", KINDS[n].needs).exists())]


def main() -> None:
    """Make the reports and say how long each took."""
    parser = argparse.ArgumentParser(description="Make every kind of report.")
    parser.add_argument("--to", type=Path, required=True, help="folder")
    parser.add_argument("--only", nargs="*", default=list(KINDS), choices=list(KINDS), help="kinds")
    parser.add_argument("--form", nargs="*", default=[], choices=["pdf", "html", "md", "docx"])
    options = parser.parse_args()
    names = options.only
    for name in available(names):
        start = time.process_time()
        files = make(options.to, [name], options.form)
        print(f"{name}: {time.process_time() - start:.1f} s CPU, {', '.join(file.name for file in files)}", flush=True)
    for name in names:
        if name not in available(names):
            print(f"{name}: left out, {KINDS[name].needs} is not in the folder that FAIRSTATS_DATA names")
