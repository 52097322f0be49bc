# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # What the papers say, and what we get
#
# A method that is published has numbers that go with it. This page sets them beside ours. Each table was made by one
# command, named above it, from the public files that the papers used (the folder that `FAIRSTATS_DATA` names); the
# commands print every row with its difference and, where that is larger than twice the paper's own spread, the reason.
# Their results are small files in `benchmarks/papers/results`, which this page reads.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

import fairstats

RESULTS = Path(fairstats.__file__).resolve().parent.parent / "benchmarks" / "papers" / "results"
pd.set_option("display.width", 110, "display.max_rows", 200, "display.max_colwidth", None)


def results(name):
    """One table: the paper's number, ours, the paper's spread, what explains a difference."""
    return pd.read_csv(RESULTS / f"{name}.csv")


def verdicts(table):
    """How many numbers agree, how many differ for a stated reason, and how many for one that nobody found."""
    return table["verdict"].value_counts().reindex(["ok", "explained", "open"], fill_value=0).rename("numbers")


# %% [markdown]
# ## Fair PCA: Adult, COMPAS, German
#
# `python -m benchmarks.papers.fair_pca Adult COMPAS German 10`
#
# Lee et al. (2022) and Kleindessner et al. (2023) compare methods by the variance they keep, the MMD² between the groups
# and what three classifiers make of the scores. Their programs train the classifiers on the very rows on which they
# measure them, so these accuracies are too good; `compare(train_on="measured")` does the same, for the sake of comparison.
# PCA, fair PCA, fair PCA-S and fair kernel PCA agree split by split, to the last digit stored (a test of the suite).
# The methods that search (FPCA, MbF-PCA) find other solutions of the same problems than the authors' did. INLP and RLACE
# leave it open which k directions are kept: theirs are what rounding made of it, and k directions drawn at random from
# those allowed ("any k") keep just as much; ours keep the directions with the most variance.

# %%
names = [n for n in ("adult", "compas", "german") if (RESULTS / f"fair_pca_{n}_k10.csv").exists()]
tables = {name: results(f"fair_pca_{name}_k10") for name in names}
pd.DataFrame({name: verdicts(table) for name, table in tables.items()})

# %%
figure, all_axes = plt.subplots(1, len(names), figsize=(3.4 * len(names), 3.2), layout="constrained", squeeze=False)
for axes, (name, table) in zip(all_axes[0], tables.items()):
    split = table["item"].str.rsplit(" ", n=1)
    chosen = table[split.str[1].eq("%Var") & table["paper"].notna()]
    axes.plot([0, 100], [0, 100], color="gray", linewidth=0.8)
    axes.errorbar(chosen["paper"], chosen["ours"], xerr=2 * chosen["sd"], fmt="o", color="#0b4f8a", markersize=4)
    axes.set(title=name, xlabel="variance kept, paper, % (± 2 sd)", ylabel="ours, %")
    high = 1.1 * max(chosen["paper"].max(), chosen["ours"].max())
    axes.set(xlim=(0, high), ylim=(0, high))
plt.show()

# %% [markdown]
# What differs by more than twice the papers' spread, and why:

# %%
differ = pd.concat(table.assign(data=name) for name, table in tables.items()).query("verdict == 'explained'")
differ[["data", "item", "paper", "ours", "remark"]].round(3).set_index("data")

# %% [markdown]
# ## Minimax PCA: credit
#
# `python -m benchmarks.papers.minimax`
#
# Samadi et al. (2018) ask that the largest loss of a group be as small as can be. Our optimum is that of the authors'
# eigenvalue program to twelve digits for every rank; the multiplicative weights of the paper stop above it. No extra
# dimension is needed for two groups. The losses of plain PCA are theirs, too.

# %%
credit = results("minimax")
rank = credit["item"].str.extract(r"credit r=(\d+): (.*)")
credit = credit.assign(r=pd.to_numeric(rank[0]), what=rank[1]).dropna(subset=["r", "paper"])
figure, axes = plt.subplots(figsize=(7, 3), layout="constrained")
for what, label, style in (
    ("largest loss of PCA", "PCA", "s-"),
    ("multiplicative weights", "multiplicative weights (authors)", "^-"),
    ("largest loss", "optimum (authors)", "o-"),
):
    part = credit[credit["what"] == what]
    axes.plot(part["r"], part["paper"], style, markersize=4, linewidth=0.8, label=label)
axes.plot(
    credit.query("what == 'largest loss'")["r"], credit.query("what == 'largest loss'")["ours"], "k.", label="ours"
)
axes.set(xlabel="components", ylabel="largest loss of a group", yscale="log", xticks=range(2, 21, 2))
axes.legend(frameon=False)
plt.show()
verdicts(credit)

# %% [markdown]
# ## Orthogonal to groups: COMPAS, Table 2
#
# `python -m benchmarks.papers.aliverti`
#
# Aliverti et al. (2021) print one random test set, and not which rows, which interactions, which forest. Its White people
# are predicted with fewer errors, by the unadjusted methods, than in any reading we tried (the second table): about two
# standard deviations of a test set, and open. The forest on OG's components is worse there than ours because OG was
# fitted anew to the test rows. "TPR" to "FPR" of that table are shares of everybody in a group, which sum to 1, with
# "positive" for *not* reoffending; the conditional rates are in `aliverti_compas_rates.csv`.

# %%
compas = results("aliverti_compas")
verdicts(compas)

# %%
item = compas["item"].str.rsplit(", ", n=2, expand=True)
shown = compas.assign(column=item[0], metric=item[1], group=item[2]).query("metric in ('CE', 'AUC')")
side_by_side = shown.melt(["column", "metric", "group"], ["paper", "ours"], var_name="of")
side_by_side = side_by_side.pivot(index="column", columns=["metric", "group", "of"], values="value").round(3)
order = pd.MultiIndex.from_product([["CE", "AUC"], ["White", "non-white"], ["paper", "ours"]])
side_by_side.reindex(shown["column"].unique())[order]

# %%
results("aliverti_compas_readings")[["item", "paper", "ours", "sd"]].round(3).set_index("item")

# %% [markdown]
# The simulation of Figure 1: how far apart the distributions of predictions are for the two groups (Kolmogorov-Smirnov
# distance; 0.1 is what 125 people on each side give by chance).

# %%
print(results("aliverti_simulation").query("item.str.contains('1b')")[["item", "ours"]].to_string(index=False))

# %% [markdown]
# ## The notes' worked example
#
# `python -m benchmarks.papers.worked_example`
#
# Six points in the plane. The disparity jumps over 0 at λ = 86/101, where no eigenvector balances the errors; a rotation
# within the tied eigenspace does.

# %%
print(results("worked_example")[["item", "paper", "ours"]].round(3).to_string(index=False))

# %% [markdown]
# ## Run time, and fairness against accuracy
#
# `python -m benchmarks.papers.runtime`
#
# The papers' figures print no numbers. Ours: seconds of one fit against the number of features, and fair PCA's trade-off
# beside fairlearn's reductions (Agarwal et al. 2018) on Adult.

# %%
seconds = results("runtime_features")
parts = seconds["item"].str.extract(r"seconds, d=(\d+), (.*)")
wide = seconds.assign(d=pd.to_numeric(parts[0]), method=parts[1]).pivot(index="d", columns="method", values="ours")
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
for method in wide:
    left.plot(wide.index, wide[method], "o-", markersize=3, linewidth=0.8, label=method)
left.set(xlabel="features", ylabel="seconds", yscale="log")
left.legend(frameon=False, fontsize=6, ncols=3, loc="lower left", bbox_to_anchor=(0, 1))
if (RESULTS / "runtime_curves.csv").exists():
    curves = results("runtime_curves")
    point = curves["item"].str.extract(r"(fair PCA|reduction), (.*): (.*)")
    points = curves.assign(method=point[0], at=point[1], what=point[2])
    points = points.pivot(index=["method", "at"], columns="what", values="ours").reset_index()
    for method, part in points.groupby("method"):
        part = part.sort_values("ΔDP")
        right.plot(part["ΔDP"], part["% accuracy"], "o-", markersize=3, linewidth=0.8, label=method)
    right.set(xlabel="ΔDP", ylabel="% accuracy")
    right.legend(frameon=False)
plt.show()

# %% [markdown]
# ## Fair spectral clustering
#
# `python -m benchmarks.papers.fair_spectral` prints figures 2 to 5 of Kleindessner et al. (2019) at reduced size, with each
# conclusion and the numbers that decide it. Eigenvalues, cuts and balance equal the authors' to nine digits (tests of the
# suite).
