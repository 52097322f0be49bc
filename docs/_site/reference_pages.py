"""Pages of the reference from the registries: one page a public name, and an index by subject."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import collected
import method_pages
import metric_pages

import fairstats
from fairstats.methods.registry import METHODS, Method

METHODLIKE = {*METHODS, "spectral_clustering", "fair_spectral_clustering"}  # their pages read as a paper's page does
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Entry:
    """A public name: what a reader types, its page, the object, and its row in the registry of methods."""

    name: str
    thing: object
    method: Method | None = None

    @property
    def page(self) -> str:
        return self.name.replace("fs.", "").replace(".", "-")

    @property
    def about(self) -> str:
        """The first line of its docstring."""
        return (inspect.getdoc(self.thing) or "").splitlines()[0].replace("|", r"\|")


# Subjects of the top level: a heading, a word to the reader, the names. A name that no subject has is an error.
SUBJECTS = (
    ("Audits", "How decisions, predictions or scores treat groups.",
     "audit tally from_counts survey_design group_probabilities compare_audits subgroup_scan representation stages "
     "matched_pairs compare_models alternatives monitor "
     "pay_transparency gender_pay_gap "
     "decompose adjusted_gap local_law_144 load"),
    ("Comparisons", "What models still predict, by group, from raw and from adjusted data.",
     "compare fairlearn_reduction"),
    ("What a fit costs and hides", "On rows that the fit has not seen.",
     "tradeoff extra_error price_of_fairness bootstrap_loadings select_k leakage proxies component_tests "
     "reconstruction_error_by_group disparity_path sog_path"),
    ("Clusters of a graph", "Spectral clustering, plain and fair.",
     "spectral_clustering fair_spectral_clustering graph kneighbors_graph"),
    ("Out into the world", "Reports, tables, pictures, and the check that a report follows from its data.",
     "report table plot verify_report"),
    ("Data", "Tables in; moments in one pass, fair PCA where columns are too many; data with a known truth.",
     "read_table arrests datasets moments fair_pca_stream continuous simulate"),
    ("Results", "What the functions return; every result has `summary()`, `tidy()`, `plot()` and `save()`.",
     "Audit Tally AuditComparison SubgroupScan GroupStudy Comparison Projection KernelProjection Eraser "
     "GroupAdjustment OutOfFoldScores Leakage ExtraError "
     "FitStudy Decomposition Tradeoff Proxies ComponentSelection Partition Moments Graph Estimates Estimate Report "
     "ResultTable Verification"),
    ("Errors", "What is raised, and when.", "FairstatsError InputError FairstatsWarning"),
)  # fmt: skip

STATISTICS = {
    "multiplicity": ("Many comparisons", "Adjusted p-values and simultaneous levels."),
    "rates": ("Rates", "Statistics of counts: one rate, two, many; strata, weights, equivalence."),
    "scores": ("Scores", "Statistics of ranked or calibrated scores."),
    "amounts": ("Amounts", "Statistics of pay and other amounts: means, medians, quarters."),
    "representations": ("Representations", "Statistics of features and embeddings."),
}


def subjects() -> Iterator[tuple[str, str, list[Entry]]]:
    """Every public name once, by subject."""
    left = set(fairstats.__all__) - set(METHODS) - {"stats", "comparators"}
    ours = [m for m in METHODS.values() if not m.comparator]
    theirs = [m for m in METHODS.values() if m.comparator]
    yield (
        "Methods",
        "Data made free of a group variable; the guarantee is checked as a number.",
        [Entry(f"fs.{m.name}", m.function, m) for m in ours],
    )
    yield (
        "Comparators",
        "What others propose, as fits of the same kind.",
        [Entry(f"fs.comparators.{m.name}", m.function, m) for m in theirs],
    )
    for heading, about, names in SUBJECTS:
        entries = [Entry(f"fs.{name}", getattr(fairstats, name)) for name in names.split() if name in left]
        left -= set(names.split())
        yield heading, about, entries
    if left:
        raise ValueError(f"docs/_site/reference_pages.py: no subject has {sorted(left)}")
    for room, (heading, about) in STATISTICS.items():
        items = [
            Entry(f"fs.stats.{name}", thing)
            for name in fairstats.stats.__all__
            if _room(thing := getattr(fairstats.stats, name)) == room
        ]
        yield heading, about, items


def _room(statistic: object) -> str:
    """The room of `inference/` where a statistic lives."""
    room = inspect.unwrap(statistic).__module__.split(".")[2]  # type: ignore[arg-type]
    return {"disparity_indices": "rates", "fairness_metrics": "rates", "regression": "rates", "means": "scores"}.get(
        room, room
    )


def r_names() -> set[str]:
    """What the R package exports."""
    text = (ROOT / "r" / "fairstats" / "NAMESPACE").read_text(encoding="utf-8")
    return set(re.findall(r"^export\(\"?([^\")]+)", text, flags=re.M))


def page(entry: Entry, exported: set[str], near: Sequence[Entry] = ()) -> str:
    """The page of one name, with links to those near it in the list of its subject."""
    last = entry.name.rsplit(".", 1)[-1]
    path = entry.name.replace("fs.", "fairstats.", 1)
    lines = [f"``{entry.name}``", "=" * (len(entry.name) + 4), ""]
    facts = []
    in_r = next((name for name in (f"fair_{last}", last) if name in exported), "")
    if in_r:
        facts += [f"In R: ``{in_r}()``, in the pages of the R package."]
    if entry.method:
        facts += [f"Result: {entry.method.result}."]
        facts += ["Takes weights." if entry.method.weights else "Takes no weights."]
        facts += ["Takes :doc:`moments <moments>` in the place of rows."] if entry.method.moments else []
        facts += [f"Needs the extra ``{entry.method.extra}``."] if entry.method.extra else []
    lines += [" ".join(facts), ""] if facts else []
    if inspect.ismodule(entry.thing):
        lines += [f".. automodule:: {entry.thing.__name__}", "   :members:", ""]
    elif inspect.isclass(entry.thing):
        lines += [f".. autoclass:: {path}", "   :members:", "   :inherited-members: Exception", ""]
    elif last in METHODLIKE:
        lines += [*method_pages.body(last, entry.thing), "Arguments", "---------", "", f".. autofunction:: {path}", ""]
    else:
        lines += [f".. autofunction:: {path}", ""]
    links = ", ".join(f":doc:`{other.name} <{other.page}>`" for other in near if other is not entry)
    lines += [".. rubric:: See also", "", links, ""] if links else []
    return "\n".join(lines)


def index(result: list[tuple[str, str, list[Entry]]]) -> str:
    """The list of all names by subject, with the first line of each."""
    lines = ["Reference", "=========", "", "Every public name, by subject. ``import fairstats as fs`` goes first.", ""]
    lines += [
        "Metrics",
        "-------",
        "",
        ":doc:`What each metric asks, when it misleads, and its interval <metrics>`;",
        ":doc:`the columns of every table <columns>`.",
        "",
    ]
    for heading, about, entries in result:
        lines += [heading, "-" * len(heading), "", about, "", ".. list-table::", "   :widths: 30 70", ""]
        for entry in entries:
            lines += [f"   * - :doc:`{entry.name} <{entry.page}>`", f"     - {entry.about}"]
        lines += ["", ".. toctree::", "   :hidden:", ""] + [f"   {entry.page}" for entry in entries] + [""]
    lines += [".. toctree::", "   :hidden:", "", "   metrics", "   columns", "   ../metrics", ""]
    return "\n".join(lines)


def write(folder: Path) -> None:
    """Write the pages that changed, and remove those of names that are gone."""
    folder.mkdir(exist_ok=True)
    items = list(subjects())
    exported = r_names()
    pages = {
        f"{entry.page}.rst": page(entry, exported, entries[max(0, i - 4) : i + 5])
        for _, _, entries in items
        for i, entry in enumerate(entries)
    }
    pages["index.rst"] = index(items)
    pages |= metric_pages.pages()
    pages["columns.md"] = collected.columns()
    pages["names_elsewhere.txt"] = collected.names_elsewhere()
    pages["bibliography.txt"] = collected.bibliography(entry.thing for _, _, entries in items for entry in entries)
    pages["sources.txt"] = collected.sources((ROOT / "paper" / "paper.bib").read_text(encoding="utf-8"))
    for file in folder.iterdir():
        if file.name not in pages:
            file.unlink()
    for name, text in pages.items():
        target = folder / name
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")
