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
# # Three sites that may not share rows
#
# An audit is made of counts: how many people there are of every combination of labels. So sites that may not share the
# rows of their people can each count their own, and send the counts. `fs.tally` counts; tallies add up.
#
# Here three offices stand in for the sites: the arrests of 1997 and 1998, of 1999 and 2000, and of 2001 and 2002. In
# earnest each block below runs at another place, on rows that nobody else sees.

# %%
import tempfile
from pathlib import Path

import fairstats

people = fairstats.arrests()
offices = {"first": (1997, 1998), "second": (1999, 2000), "third": (2001, 2002)}
sent = Path(tempfile.mkdtemp())

# %% [markdown]
# ## At each site
#
# A tally of all combinations is as confidential as the people: a cell may hold one person. Before it leaves, every cell
# of fewer than ten people loses its count (`withhold`). What is left says that such a cell exists, and that it has
# between one and nine people. A continuous score would first be put into bins, and a withheld cell would not tell its
# score.

# %%
arguments = {"decision": "released", "groups": ["colour", "sex"], "strata": "checks"}
for name, years in offices.items():
    tally = fairstats.tally(people[people["year"].isin(years)], **arguments)
    leaving = tally.withhold(min_n=10)
    leaving.save(sent / f"{name}.npz")
    print(f"{name}: {leaving}")

# %% [markdown]
# The cells that were withheld are named, without their counts:

# %%
leaving.withheld()[:3]

# %% [markdown]
# ## Where the tallies meet
#
# Loading a tally runs no code of the sender. The sum is the tally of all people whose cells were sent.

# %%
together = sum(fairstats.load(file) for file in sorted(sent.glob("*.npz")))
audit = fairstats.audit(together, **arguments, favorable="Yes", reference={"colour": "White", "sex": "Male"})
print(audit.finding())

# %% [markdown]
# The audit says what it does not know: how many cells were withheld, which, and how many people they may have.

# %%
print(next(note for note in audit.notes if "withheld" in note))

# %% [markdown]
# And it bounds what these people could change. The bounds are of the people, without sampling error; the interval of
# the estimate is about sampling error alone. Of women few are left, and mostly those released: where a group is small
# the rarer decision is the one that is withheld, so the estimate of the cells that were sent lies outside its bounds.
# That is why a verdict stands only where the withheld people could not overturn it.

# %%
bounds = audit.estimates.where(role="bounds", given="withheld cells", contrast="difference", metric="selection rate")
for row in bounds:
    entry = audit.estimates.only(role="main", contrast="difference", metric="selection rate", given="", term="")
    verdict = next(r.verdict for r in entry if (r.attribute, r.group) == (row.attribute, row.group))
    ends = f"{row.conf_low:+.3f} to {row.conf_high:+.3f}"
    print(f"{row.group} less {row.reference}: {row.estimate:+.3f} of the cells sent, within {ends}: {verdict}")

# %%
import matplotlib.pyplot as plt


def draw(rows, ends, title):
    figure, axes = plt.subplots(figsize=(7, 0.8 + 0.45 * len(rows)), layout="constrained")
    for y, row in enumerate(rows):
        axes.plot(ends(row), [y, y], color="#0b4f8a", linewidth=1.2)
        axes.plot(row.estimate, y, "o", color="#0b4f8a")
    axes.axvline(0, color="#999999", linewidth=0.8)
    axes.set_yticks(range(len(rows)), [f"{row.group} less {row.reference}" for row in rows])
    axes.set_xlabel(title)
    plt.show()


draw(bounds, lambda row: [row.conf_low, row.conf_high], "difference in the share released: cells sent, and bounds")

# %% [markdown]
# ## Beside the rows
#
# Nobody could see this in earnest: the audit of all rows, from which each difference lies within its bounds.

# %%
whole = fairstats.audit(people, **arguments, favorable="Yes", reference={"colour": "White", "sex": "Male"})
exact = whole.estimates.where(metric="selection rate", contrast="difference", role="main")
for row in bounds:
    entry = next(r for r in exact if (r.attribute, r.group) == (row.attribute, row.group))
    assert row.conf_low <= entry.estimate <= row.conf_high
    print(f"{row.group} less {row.reference}: {entry.estimate:+.3f} of all people")

# %%
draw(exact, lambda row: [row.conf_low, row.conf_high], "difference in the share released: all people, 95 % interval")

# %% [markdown]
# ## What the rule does not do
#
# A withheld cell can be computed by whoever knows the total of its site from elsewhere, if it is the only one there; so
# publish no totals of sites beside the tally. Nothing is protected from somebody who knows the people of a cell. Fewer
# columns make larger cells: a site that counts `checks` for nothing loses people for nothing.
