"""Whole reports in other languages: in a pseudo-language every word is inside marks, in German none is English."""

from __future__ import annotations

import ast
import html
import json
import re
from functools import cache
from gettext import NullTranslations
from pathlib import Path

import numpy as np
import pytest

import fairstats
from fairstats import language
from fairstats.reporting import render
from fairstats.reporting.bundle import without_data
from fairstats.saving import from_bytes, to_bytes
from tests.auditing.sentences import audits, people
from tests.reporting.test_layout import LEFT, RIGHT, pages

OPEN, CLOSE = "«", "»"
# Words of the data, of formulas and of files, which no language translates.
OURS = re.compile(
    r"\b(rearrest|release|points|risk|court|weight|age|[sS]ex|[rR]ace|woman|man|Green|Blue|Red|AUC|fairstats|audit|results|"
    r"report|json|csv|gz|SHA|UTC|python|numpy|scipy|pandas|scikit|learn|[0-9a-f]{8,})\b"
)
# Of these no German sentence has one; data and references are taken out before.
ENGLISH = re.compile(
    r"(?<![\w=(])(the|of|and|is|are|were|with|between|by|at|from|that|this|which|not|no|for|to|or|if|than|each|their|be|"
    r"has|have|had|all|other|groups|difference|people|selection|under|more|fewer|nobody|exact|pooled|limits|among|whose|"
    r"when|where)(?![\w-])"
)


class Pseudo(NullTranslations):
    """English inside marks, a third longer."""

    def gettext(self, message: str) -> str:
        more = len(message) * 3 // 10
        return f"{OPEN}{message}{' ooooo' * (more // 5)}{' ' * (more % 5 > 0)}{'o' * (more % 5)}{CLOSE}"

    def ngettext(self, one: str, many: str, n: int) -> str:
        return self.gettext(one if n == 1 else many)


@pytest.fixture
def pseudo(monkeypatch):
    monkeypatch.setattr(language, "languages", lambda: ("en", "zz"))
    monkeypatch.setattr(language, "_catalog", lambda code: language.Language(code, Pseudo()))
    return "zz"


def shown(page: str) -> list[str]:
    """Every text that a reader sees or hears: of elements, figures and labels, and what style sheets put there."""
    page = without_data(page)
    page = re.sub(r'<ul class="references">.*?</ul>', "", page, flags=re.S)
    page = re.sub(r"<td[^>]*>fairstats\.\w+\([^<]*", "<td>", page)
    sheets = "".join(re.findall(r"<style.*?</style>", page, re.S))
    result = re.findall(r"content: ([^;}]*)", sheets)
    result = [" ".join(re.findall(r'"([^"]*)"', wording)) for wording in result]
    body = re.sub(r"<style.*?</style>|<!--.*?-->", "", page, flags=re.S)
    result += re.findall(r'(?:aria-label|alt|title|data-head)="([^"]*)"', body)
    result += re.findall(r'<meta name="description" content="([^"]*)"', body)
    body = re.sub(r'</text><text x="?[\d.]+"? y="?[\d.]+"?>', " ", body)  # a title of two lines
    result += re.split(r"<[^>]+>", re.sub(r"</?(?:code|strong)>|<wbr>", "", body))  # within a sentence
    return [html.unescape(text).strip() for text in result if text.strip()]


def outside(text: str) -> str:
    """What is left of a text without what stands inside marks."""
    while (less := re.sub(f"{OPEN}[^{OPEN}{CLOSE}]*({CLOSE}|\N{HORIZONTAL ELLIPSIS})", " ", text)) != text:
        text = less
    return text


def report(code: str, **more) -> fairstats.Report:
    arguments = {"outcome": "rearrest", "score": "points", "threshold": 9, "strata": "age", "margin": 0.05}
    arguments["about"] = {"known_limits": "court"}
    return fairstats.report(fairstats.audit(people(), groups=["sex", "race"], **arguments), language=code, **more)


@pytest.mark.long
def test_every_word_of_a_page_is_a_message(pseudo):
    left = {
        word
        for text in shown(report(pseudo, title="1").html)
        for word in re.findall(r"[^\W\d_]{2,}", OURS.sub(" ", outside(text)))
    }
    assert left == set()


@pytest.mark.long
def test_words_that_are_a_third_longer_still_fit_the_page(pseudo, tmp_path):
    assert beyond(pages(report(pseudo), tmp_path)) == []


@pytest.mark.slow  # longer words are above, and German pages in test_layout.py
def test_german_words_fit_the_page(tmp_path):
    assert beyond(pages(report("de"), tmp_path)) == []


def beyond(result) -> list[str]:
    """Words more than two points (0.7 mm) beyond a margin: the paper has 42 of them there."""
    return [word for page in result for x, _, end, _, word in page.words if x < LEFT - 2 or end > RIGHT + 2]


def english(page: str, names: list[str]) -> list[str]:
    data = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})")
    return [text for text in shown(page) if ENGLISH.search(data.sub(" ", text))]


def test_no_page_of_an_audit_in_german_has_an_english_word():
    names = ["people (Häufigkeit", "people angibt"]  # a column
    pages_of = {name: fairstats.report(audit, language="de").html for name, audit in audits()}
    left = {name: lines for name, page in pages_of.items() if (lines := english(page, names))}
    assert left == {}


def other_results() -> dict[str, tuple[list[object], str]]:
    """Everything but audits that a report tells of, with the preset of its page."""
    rng = np.random.default_rng(0)
    groups = rng.choice(["u", "v", "w"], 240, p=[0.5, 0.3, 0.2])
    X = rng.normal(size=(240, 4)) + 1.5 * (groups == "v")[:, None]
    y = (X.sum(axis=1) + rng.logistic(size=240) > 1).astype(int)
    table = {"g": groups, "y": y, **{f"x{j}": X[:, j] for j in range(4)}}
    compared = fairstats.compare(table, outcome="y", groups="g", features=["x0", "x1", "x2"], methods=["pca", "og"],
                          k=1, n_repeats=3, representation=True, progress=False)  # fmt: skip
    fit = fairstats.og(X, groups=groups, k=2)
    leak = fairstats.leakage(fit.crossfit(X, groups), permutations=0)
    fits = [
        fairstats.pca(X, k=2),
        fairstats.sog(X, groups, k=2, t=1.6),
        fairstats.fair_pca(X, groups, k=2),
        fairstats.fair_pca(X, groups, k=1, equalize="covariance", directions=0.5),
        fairstats.fair_kernel_pca(X, groups, k=2),
        fairstats.minimax_pca(X, groups, k=2),
        fairstats.disparity_pca(
            X[groups != "w"], groups[groups != "w"], k=2, lam=0.7, advantaged="u", disadvantaged="v"
        ),
        fairstats.leace_pca(X, groups, k=2),
        fairstats.leace(X, groups),
        fairstats.comparators.inlp(X, groups),
        fairstats.comparators.rlace(X, groups),
        fairstats.comparators.residualize(X, groups),
        fairstats.comparators.location_scale(X, groups),
    ]
    studies = [
        fairstats.price_of_fairness(fit, X, groups),
        fairstats.bootstrap_loadings(fit, X, groups, replicates=20),
        fairstats.select_k(X, groups, "og", permutations=9),
        fairstats.extra_error(fit, X, groups),
        fairstats.component_tests(fit.crossfit(X, groups)),
    ]
    graph = fairstats.simulate.sbm(90, 3, (0.5, 0.3, 0.2), (0.5, 0.3, 0.2, 0.05), seed=1)
    clustered = fairstats.fair_spectral_clustering(graph, {"sex": np.arange(90) % 2}, 3)
    law = fairstats.audit({"sex": groups, "hired": y}, "hired", "sex")
    entries = {
        "fit": ([fit, leak], "method"),
        "comparison": ([compared], "comparison"),
        "studies": ([fit, *studies], "method"),
    }
    entries |= {"clusters": ([clustered], "generic"), "law": ([law], "ll144"), "fifths": ([law], "four_fifths")}
    later = fairstats.audit({"sex": groups[::-1], "hired": y}, "hired", "sex")
    entries["change"] = [fairstats.compare_audits(law, later)], "monitoring"
    return entries | {f"fit of {one.method}": ([one], "method" if hasattr(one, "k") else "generic") for one in fits}


# Names: of methods and what they set, of measures called by letters, of columns of these tables.
NAMES = re.compile(
    r"\b\w+ = [\w.+-]+|\b(\w+_(pca|clustering)|location_scale|og|pca|sog|leace|inlp|rlace|residualize|none|logistic|"
    r"PCA|MMD|NCut|RatioCut|tr|LH|UᵀU|group|hired)\b"
)


@pytest.fixture(scope="module")
def others():
    return other_results()


@pytest.mark.long
def test_every_word_of_other_pages_is_a_message(pseudo, others, monkeypatch):
    monkeypatch.setattr(
        render, "faces_css", lambda page: ""
    )  # marks are in no face that ships: each page would cut one
    left = {}
    for name, (results, preset) in others.items():
        page = fairstats.report(*results, preset=preset, language=pseudo, title="1").html
        words = {
            word
            for text in shown(page)
            for word in re.findall(r"[^\W\d_]{2,}", OURS.sub(" ", NAMES.sub(" ", outside(text))))
        }
        if words:
            left[name] = sorted(words)
    assert left == {}


@pytest.mark.long
def test_no_page_of_a_fit_a_comparison_a_clustering_or_a_law_in_german_has_an_english_word(others):
    for name, (results, preset) in others.items():
        page = fairstats.report(*results, preset=preset, language="de").html
        assert english(page, ["group"]) == [], name


# Results of every kind of the net, of which the German page has no text that a result holds in English.
CASES = (
    "everything",
    "drawn in clusters within strata",
    "withheld groups",
    "change",
    "comparison",
    "subgroups",
    "leace",
    "price",
    "group losses",
    "component tests",
    "partition",
)
MADE = re.compile(r"\d\d:\d\d:\d\d\+00:00")  # when a page was made


def of(result: object) -> str:
    """The German page of a result, without its data and the time."""
    return MADE.sub("", without_data(fairstats.report(result, language="de").html))


@cache
def fragments() -> tuple[str, ...]:
    """The fixed parts of every message of a result that its German is without."""
    from fairstats import metrics

    messages = language.language("de").messages
    result = set()
    files = [file.read_text() for file in sorted(Path(fairstats.__file__).parent.rglob("*.py"))]
    for text in (text for text in files if "message(" in text):
        for call in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)):
            if getattr(call.func, "id", "") == "message" and isinstance(call.args[0], ast.Constant):
                template = str(call.args[0].value)
                german = messages.gettext(template)
                parts = (part.strip(" .,;:()") for part in re.split(r"\{\w+\}", template))
                result |= {part for part in parts if " " in part and len(part) > 13 and part not in german}
    return tuple(sorted(result - set(metrics.METRICS)))


@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_no_german_page_has_an_english_text_of_a_result_saved_or_not(case):
    from tests.net import CASES as NET

    assert len(fragments()) > 300
    result = NET[case]()
    page = of(result)
    text = " ".join(" ".join(shown(page)).split()).replace("\N{NO-BREAK SPACE}", " ")
    assert [part for part in fragments() if part in text] == []
    assert of(from_bytes(to_bytes(result), "it")) == page


@pytest.mark.long
def test_an_audit_in_json_says_german_and_one_without_its_messages_english():
    audit = fairstats.audit(people(), groups=["sex", "race"], decision="release", outcome="rearrest", min_n=20)
    document = audit.to_dict()
    read = from_bytes(json.dumps(document).encode(), "it")
    assert of(read) == of(audit)
    changed = json.loads(json.dumps(document).replace("fewer than 20 people, or", "fewer than 21 people, or"))
    page = of(from_bytes(json.dumps(changed).encode(), "it"))
    assert "fewer than 21 people, or would reveal a smaller group" in page  # its message is of 20
    plain = from_bytes(json.dumps({k: v for k, v in document.items() if k != "messages"}).encode(), "it")
    assert plain.estimates.column("reason") == audit.estimates.column("reason")
    assert "fewer than 20 people" in of(plain)
