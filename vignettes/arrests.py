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
# # Arrested for the same thing: who was released?
#
# Between 1997 and 2002 the police of Toronto arrested 5226 people in this table for possession of a small quantity of
# marijuana. An officer could release the person with a summons or take them to the station. The question of this page
# is whether Black arrestees were released less often than White ones, how sure the data make us, and what they do not
# show.
#
# The table ships with the package. It comes from R's carData (Fox, Weisberg & Price), by way of Michael Friendly; the
# arrests were part of a series of articles in the *Toronto Star*.

# %%
import fairstats

people = fairstats.arrests()
people.head()

# %% [markdown]
# ## The audit
#
# The only decision to name is which one helps the person: being released. There is no outcome ("did the person appear
# in court?") in the table, so there are no error rates to compare, only rates of release.

# %%
audit = fairstats.audit(people, decision="released", favorable="Yes", groups="colour")
print(audit.finding())

# %%
print(audit.summary())

# %% [markdown]
# Every number above is a row of one table, with its numerator, its denominator, its interval and the name of the
# method. That table is what the report, the JSON file and R read.

# %%
columns = ["contrast", "group", "reference", "events", "n", "estimate", "conf_low", "conf_high"]
audit.tidy()[columns].round(4)

# %% [markdown]
# ## The same in a figure
#
# Rates with Wilson intervals; the dashed line is the reference group's.

# %%
audit.plot("rates", metric="selection rate", attribute="colour")

# %% [markdown]
# ## By hand
#
# Nothing here is hidden. The difference is a subtraction, and its interval holds every difference that a score test does
# not reject (Miettinen and Nurminen): at each end, with the two rates that fit the data best while they differ by just
# that much, the observed difference is 1.96 standard errors away.

# %%
from math import log, sqrt

from scipy.optimize import minimize_scalar

released, arrested = {"Black": 955, "White": 3379}, {"Black": 1288, "White": 3938}
p = {g: released[g] / arrested[g] for g in released}
difference = p["Black"] - p["White"]


def standard_errors_away(end):
    def unlikely(white):
        rates = {"Black": white + end, "White": white}
        return -sum(released[g] * log(rates[g]) + (arrested[g] - released[g]) * log(1 - rates[g]) for g in rates)

    white = minimize_scalar(unlikely, bounds=(max(0, -end) + 1e-9, min(1, 1 - end) - 1e-9), options={"xatol": 1e-12}).x
    rates, n = {"Black": white + end, "White": white}, sum(arrested.values())
    variance = sum(rates[g] * (1 - rates[g]) / arrested[g] for g in rates) * n / (n - 1)
    return (difference - end) / sqrt(variance)


row = audit.estimates.where(metric="selection rate", contrast="difference")[0]
for end in (row.conf_low, row.conf_high):
    assert abs(abs(standard_errors_away(end)) - 1.959964) < 1e-5
print(
    "{:.1f} points, 95 % interval {:.1f} to {:.1f}".format(
        *(100 * x for x in (difference, row.conf_low, row.conf_high))
    )
)

# %% [markdown]
# ## Two attributes at once
#
# Give several columns and each is audited by itself, then their intersection (of three columns or more,
# that of every two). Small cells stay in the table with wide
# intervals; none is dropped. The reference is the largest group of each attribute, unless you name another.

# %%
both = fairstats.audit(people, decision="released", favorable="Yes", groups=["colour", "sex"])
both.plot("rates", metric="selection rate", attribute="colour:sex")

# %% [markdown]
# ## What else differs between the groups
#
# The groups also differ in age, in employment and in how many police data bases their names were found. Part of the
# 11.7 points goes with these. Whether a difference in `checks` excuses a difference in release, or is itself a trace of
# how people are policed, is a question that the data cannot answer.

# %%
yes = {name: people[name] == "Yes" for name in ("employed", "citizen")}
people.assign(**yes).groupby("colour")[["age", "checks", *yes]].mean().round(3)

# %% [markdown]
# `og` rebuilds such covariates from components that are uncorrelated with colour. Its summary says how
# much of each component went with colour, what that costs, and what the guarantee is: a number computed from the data.

# %%
formula = "~ (age + checks + employed + citizen)**2"
fit = fairstats.og(formula, groups="colour", data=people, k=4, scale=True)
print(fit.summary())

# %%
print(fairstats.extra_error(fit, formula, "colour", data=people, permutations=199))

# %% [markdown]
# The adjusted covariates have the same mean in both groups, to rounding:

# %%
adjusted = fit.reconstruct(people)
gap = adjusted.groupby(people.colour).mean().diff().iloc[1].abs().max()
assert gap < 1e-9
print(f"largest difference of means after the adjustment: {gap:.1e}")

# %% [markdown]
# ## Declared in advance
#
# An audit is worth more when the reference, the margin and the level were fixed before anybody looked. Write them into
# a file; the audit then says that it was declared, and prints the file's hash. With an equivalence margin the verdict
# has three values, and "no disparity found" can no longer be mistaken for "equal".

# %%
from pathlib import Path

Path("audit.toml").write_text("""
decision = "released"
favorable = "Yes"
groups = ["colour", "sex"]
margin = 0.05
""")
declared = fairstats.audit(people, protocol="audit.toml")
verdicts = declared.tidy().query("metric == 'selection rate' and contrast == 'difference'")
verdicts[["group", "reference", "estimate", "conf_low", "conf_high", "verdict"]].round(3)

# %% [markdown]
# ## The report
#
# One call writes the pages that a reader meets: findings first, then protocol, data, rates, limits.

# %%
report = fairstats.report(declared, fit, to=["audit.html", "audit.json"], auditor="the vignette")
print(report.summary())

# %% [markdown]
# ## What this does not show
#
# - The table holds people who were arrested. Who is stopped and searched in the first place is not in it.
# - `colour` is what the police wrote down.
# - A difference of rates is not by itself a statement about the reasons of an officer; an equal rate would not be proof
#   of equal treatment either.
