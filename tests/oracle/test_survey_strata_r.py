"""Comparisons within strata of a legitimate factor under whole designs of surveys, against R's survey."""

from __future__ import annotations

import numpy as np
import pytest

import fairstats as fs
from tests.oracle.r import requires_r, run_r
from tests.oracle.test_survey_designs_r import DESIGNS, HEAD, LINEAR, REPLICATED, designed, sample

# Functions of estimated totals, by survey's own delta method (rates, means) or from the statistic of each replicate;
# of scores the influence of each person, found by adding a little to one weight at a time.
ANSWER = """
answer <- function(design) {
  d <- design$variables; w <- weights(design, "sampling"); levels <- sort(unique(d$job))
  average <- function(of, y, group, standard) { # a function of the weights
    cells <- lapply(levels, function(h) {
      one <- which(d$job == h & d$g == group); other <- which(d$job == h & d$g == "a")
      list(one = one, other = other, y1 = y[one], y0 = y[other],
        above = outer(y[one], y[other], function(a, b) (a > b) + 0.5 * (a == b)))
    })
    function(w) {
      each <- vapply(cells, function(cell) {
        v <- w[cell$one]; u <- w[cell$other]; n <- sum(v); m <- sum(u)
        c(if (standard == "mh") n * m / (n + m) else n + m, of(cell, v, u, n, m))
      }, numeric(2))
      sum(each[1, ] * each[2, ]) / sum(each[1, ])
    }
  }
  gap <- function(cell, v, u, n, m) sum(v * cell$y1) / n - sum(u * cell$y0) / m
  chance <- function(cell, v, u, n, m) drop(v %*% cell$above %*% u) / n / m
  slopes <- function(f) { # five points: exact to 1e-11
    h <- 0.02
    sapply(seq_along(w), function(i) {
      at <- function(k) { v <- w; v[i] <- v[i] + k * h; f(v) }
      (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / 12 / h
    })
  }
  error <- function(f) {
    if (inherits(design, "svyrep.design")) return(as.numeric(SE(withReplicates(design, function(w, d) f(w)))))
    as.numeric(SE(svytotal(slopes(f), design)))
  }
  both <- function(f) c(f(w), error(f))
  groups <- function(of, y, standard) lapply(c("b", "e"), function(group) both(average(of, y, group, standard)))
  list(rate = groups(gap, d$d, "mh"), everybody = groups(gap, d$d, "all"), mean = groups(gap, d$x, "mh"),
    chance = groups(chance, d$x, "mh"))
}
"""


@pytest.fixture(scope="module")
def answers():
    requires_r("survey")
    made, rng = sample(), np.random.default_rng(8)
    made = made.assign(job=rng.choice(["x", "y", "z"], len(made), p=[0.4, 0.4, 0.2]))
    return made, run_r(HEAD + ANSWER + DESIGNS, {"made": made.to_dict("list")})


@pytest.mark.long
@pytest.mark.parametrize("which", [*LINEAR, *REPLICATED])
def test_gaps_within_strata_have_the_errors_of_survey(answers, which):
    people, design, wanted = designed(answers, which)
    found = fs.audit(people, "d", "g", score="x", strata="job", reference="a", design=design).estimates
    amounts = fs.audit(people, amount="x", groups="g", strata="job", reference="a", design=design).estimates
    metrics = {
        "rate": found.where(metric="risk difference within strata"),
        "everybody": found.where(metric="standardized difference"),
        "mean": amounts.where(metric="mean difference within strata"),
        "chance": found.where(metric="P(X>Y) within strata"),
    }
    for name, rows in metrics.items():
        for k, group in enumerate("be"):
            (row,) = rows.where(group=group)
            assert (row.estimate, row.std_error) == pytest.approx(tuple(wanted[name][k]), rel=1e-8), name
