"""Odd rows and options of the fits that look at means, covariances and losses, and of the comparators."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

import fairstats as fs
from tests.pinned.fits import LOOSE as LOOSE
from tests.pinned.fits import three, two
from tests.pinned.paths import OTHERS, ROLES, fitted, many, pairs, short, times
from tests.pinned.reading import Cases, attempt

X2, G2 = two()
X3, G3 = three()
CROSS = np.array([[2.0, 0, 0], [-2, 0, 0], [0, 0, 2], [0, 0, -2], [0, 1, 0], [0, -1, 0]]), list("aabbcc")
NOTES = np.array([[2.0, 0], [3, 0], [4, 0], [0, 1], [0, 2], [0, 3]]), list("aaabbb")


def flat(X: np.ndarray) -> np.ndarray:
    """With a constant column, and one that is the sum of others."""
    return np.column_stack([X, np.full(len(X), 3.0), X[:, 0] + X[:, 1]])


def of_losses() -> Cases:
    """minimax_pca and disparity_pca: many groups, ties, sparse rows, moments, what has no answer."""
    fit = fs.minimax_pca
    weights = times(G3)
    cases: Cases = {
        f"minimax, {name}": call
        for name, call in {
            "many groups": lambda: fitted(fit, *many(), k=2),
            "thirteen groups": lambda: fitted(fs.pca, *many(90, 13, 13), k=12),
            "ties": lambda: losses(fit(*CROSS, k=1)),
            "of times, scaled": lambda: fitted(fit, X3, G3, weights=weights, scale=True),
            "overall, of times": lambda: fitted(fit, X3, G3, weights=weights, around="overall", k=3),
            "moments": lambda: fitted(fit, fs.moments(X3, G3, by_cell=True), None),
            "error of moments": lambda: fitted(fit, fs.moments(X3, G3, by_cell=True), None, objective="error"),
            "constants": lambda: fitted(fit, flat(X2), G2, k=3),
            "k of all": lambda: fitted(fit, X2, G2, k=5),
            "nash by weights": lambda: fitted(fit, X2, G2, objective="nash", solver="mw"),
            "steps for nothing": lambda: fitted(fit, X2, G2, steps=5),
            "rate for nothing": lambda: fitted(fit, X2, G2, rate=5.0, solver="sdp"),
            "no rate": lambda: fitted(fit, X2, G2, rate=0.0, solver="mw"),
            "a number": lambda: fitted(fit, X2, fs.continuous(X2[:, 0], "age")),
            "none": lambda: fitted(fit, X2, None),
        }.items()
    }
    for objective in ("loss", "error", "variance"):
        for around in ("group", "overall"):
            cases[f"minimax of sparse rows, {objective} {around}"] = lambda o=objective, a=around: losses(
                fit(*wide_sparse(), k=2, objective=o, around=a)
            )
    disparity = fs.disparity_pca
    for name, call in {
        "that jumps": lambda: short(disparity(*NOTES, 1, lam="balance", center=False, **ROLES), NOTES[0]),
        "of times": lambda: fitted(disparity, X2, G2, lam="balance", weights=times(G2), scale=True, **ROLES),
        "swapped": lambda: fitted(disparity, X2, G2, lam="balance", advantaged="b", disadvantaged="a"),
        "of nothing": lambda: fitted(disparity, np.zeros((6, 2)), NOTES[1], 1, lam="balance", **ROLES),
        "not reached": lambda: fitted(disparity, X3, G3, k=1, lam="balance", advantaged="a", disadvantaged="c"),
        "of no level": lambda: fitted(disparity, X2, G2, lam=0.5, advantaged="q", disadvantaged="b"),
        "of one level": lambda: fitted(disparity, X2, G2, lam=0.5, advantaged="b", disadvantaged="b"),
        "beyond 1": lambda: fitted(disparity, X2, G2, lam=1.5, **ROLES),
        "uncentered, scaled": lambda: fitted(disparity, X2, G2, lam=0.5, center=False, scale=True, **ROLES),
        "moments": lambda: fitted(disparity, fs.moments(X2, G2, by_cell=True), None, lam=0.5, **ROLES),
    }.items():
        cases[f"disparity, {name}"] = call
    path = fs.disparity_path
    for name, call in {
        "whole": lambda: path(disparity(X2, G2, lam=0.5, **ROLES), X2, G2),
        "some": lambda: path(disparity(X3, G3, lam=0.5, scale=True, **ROLES), X3, G3, lams=[0, 0.25, 1]),
        "uncentered": lambda: path(disparity(X2, G2, lam=0.5, center=False, **ROLES), X2, G2, lams=[0.1, 0.9]),
        "of times": lambda: path(
            disparity(X2, G2, lam=0.5, weights=times(G2), **ROLES), X2, G2, weights=times(G2), lams=[0.5]
        ),
        "of moments": lambda: path(
            disparity(X2, G2, lam=0.5, **ROLES), fs.moments(X2, G2, by_cell=True), lams=[0.3, 0.6]
        ),
        "of weighted moments": lambda: path(
            disparity(X2, G2, lam=0.5, **ROLES), fs.moments(X2, G2, weights=times(G2), by_cell=True)
        ),
        "of moments without weights": lambda: path(
            disparity(X2, G2, lam=0.5, weights=times(G2), **ROLES), fs.moments(X2, G2, by_cell=True)
        ),
        "of another fit": lambda: path(fs.pca(X2, G2), X2, G2),
        "beyond 1": lambda: path(disparity(X2, G2, lam=0.5, **ROLES), X2, G2, lams=[2]),
        "without groups": lambda: path(disparity(X2, G2, lam=0.5, **ROLES), X2),
    }.items():
        cases[f"path of disparity, {name}"] = call
    return cases


def losses(fit: Any) -> dict[str, Any]:
    """What is settled of a fit whose directions may tie."""
    told = {name: fit.diagnostics[name] for name in ("losses", "bound", "dimension")}
    return told | {"price": (fit.total, fit.error), "checked": [one.holds for one in fit.guarantees]}


def wide_sparse(n: int = 40, p: int = 1000) -> tuple[Any, np.ndarray]:
    """So many columns that no matrix of their products is formed."""
    rng = np.random.default_rng(4)
    rows = np.zeros((n, p))
    at = rng.integers(0, 60, (n, 8))
    rows[np.arange(n)[:, None], at] = np.round(rng.random((n, 8)) * (1 + np.arange(n)[:, None] % 3), 3)
    return sparse.csr_array(rows), np.array(["a", "b", "c"])[np.arange(n) % 3]


def of_means() -> Cases:
    """og, sog, fair_pca, leace: degenerate rows, several attributes, numbers, moments, outcomes, messages."""
    cases: Cases = {}
    age = fs.continuous(np.round(X3[:, 0] + np.cos(np.arange(len(X3))), 3), "age")
    for name, method, options in (
        ("pca", fs.pca, {}),
        ("og", fs.og, {}),
        ("og residual", fs.og, {"basis": "residual", "scale": True}),
        ("sog", fs.sog, {"t": 1.6}),
        ("fair_pca", fs.fair_pca, {}),
        ("fair_pca tradeoff", fs.fair_pca, {"tradeoff": 1.0, "k": 1}),
        ("fair_pca covariance", fs.fair_pca, {"equalize": "covariance", "directions": 2, "k": 1}),
        ("leace_pca", fs.leace_pca, {}),
        ("leace_pca shrunk", fs.leace_pca, {"shrinkage": True}),
        ("leace", fs.leace, {"shrinkage": True, "scale": True}),
        ("leace orthogonal", fs.leace, {"projection": "orthogonal", "scale": True}),
        ("residualize", OTHERS.residualize, {}),
    ):
        for told, call in {
            "equal means": lambda m=method, o=options: checks(m(*pairs(), **o)),
            "constants": lambda m=method, o=options: fitted(m, flat(X3), G3, **o),
            "times": lambda m=method, o=options: fitted(m, X3, G3, weights=times(G3), **o),
            "a number": lambda m=method, o=options: fitted(m, X3, age, **o),
            "more columns than rows": lambda m=method, o=options: fitted(m, X3[:9, :].T[:, :9], list("aabbb"), **o),
            "no groups": lambda m=method, o=options: fitted(m, X3, None, **o),
            "moments": lambda m=method, o=options: fitted(m, fs.moments(X3, G3, by_cell=True), None, **o),
            "sparse": lambda m=method, o=options: fitted(m, sparse.csr_array(X3), G3, **o),
        }.items():
            if (name, told) != ("fair_pca covariance", "constants"):  # there directions tie
                cases[f"{name}, {told}"] = call
    y = np.arange(len(G3)) % 2
    options: dict[str, dict[str, Any]] = {
        "all but k": {"k": 4},
        "share of directions": {"equalize": "covariance", "directions": 0.6, "k": 1},
        "too small a share": {"equalize": "covariance", "directions": 0.1},
        "too many directions": {"equalize": "covariance", "directions": 5},
        "no directions": {"equalize": "covariance"},
        "directions for nothing": {"directions": 2},
        "one in common": {"equalize": "covariance", "directions": 1, "k": 1, "tradeoff": 0.3},
        "of the good": {"target": "equal_opportunity", "y": y, "weights": times(G3)},
        "tradeoff of the good": {"target": "equal_opportunity", "y": y, "tradeoff": 0.25, "scale": True},
        "an outcome for nothing": {"y": y},
        "no outcome": {"target": "equal_opportunity"},
        "no such outcome": {"target": "equal_opportunity", "y": y, "positive": "q"},
        "groups of one level": {"target": "equal_opportunity", "y": (G3 == "a").astype(int)},
        "tradeoff beyond 1": {"tradeoff": 2},
        "no tradeoff": {"tradeoff": 0},
    }
    for name, given in options.items():
        cases[f"fair_pca, {name}"] = lambda o=given: fitted(fs.fair_pca, X3, G3, **o)
    square = np.array([[1.0, 0, 0, 0], [-1, 0, 0, 0], [0, 2, 0, 0], [0, -2, 0, 0], [0, 0, 1, 1], [0, 0, -1, -1]])
    for name, call in {
        "covariances that tie": lambda: checks(
            fs.fair_pca(square, list("abababab"[:6]), 1, equalize="covariance", directions=2)
        ),
        "wide covariances": lambda: checks(
            fs.fair_pca(
                X3[:6].T @ X3[:6, :2] @ np.ones((2, 40)) + np.eye(5, 40),
                list("aabbb"),
                2,
                equalize="covariance",
                directions=30,
            )
        ),
        "outcome of moments": lambda: fitted(
            fs.fair_pca, fs.moments(X3, G3, y=y, by_cell=True), None, target="equal_opportunity"
        ),
        "outcome beside moments": lambda: fitted(fs.fair_pca, fs.moments(X3, G3), G3),
        "two features": lambda: fitted(fs.fair_pca, X3[:, :2], G3),
    }.items():
        cases[f"fair_pca, {name}"] = call
    for name, call in {
        "path": lambda: fs.sog_path(X3, G3, 2, ts=[1.05, 1.3, 2.0]),
        "path of no bound": lambda: fs.sog_path(X3, G3, 2, ts=["x"]),
        "path beyond": lambda: fs.sog_path(X3, G3, 2, ts=[9]),
        "cut short": lambda: fitted(fs.sog, X3, G3, t=1.3, max_iter=2),
        "too many": lambda: fitted(fs.sog, X3 * np.r_[1, 1, 1, 0, 0], G3, k=4, t=1.5),
        "bounds of moments": lambda: fitted(fs.sog, fs.moments(X3, G3), None, t="cv"),
        "bound of times": lambda: short(fs.sog(X3, G3, t="cv", weights=times(G3), scale=True, folds=2)),
        "beyond": lambda: fitted(fs.sog, X3, G3, t=0.5),
    }.items():
        cases[f"sog, {name}"] = call
    return cases


def checks(fit: Any) -> dict[str, Any]:
    """What is settled where directions tie."""
    return {"total": fit.total, "notes": fit.notes, "checked": [(one.statement, one.holds) for one in fit.guarantees]}


def of_comparators() -> Cases:
    """Maps and searches of others: degenerate rows, messages, ends."""
    cases: Cases = {}
    scale, leave = OTHERS.location_scale, OTHERS.quadratic_leace
    alone = np.where((G2 == "a")[:, None] & (np.arange(5) == 1), 2.0, X2)
    for name, call in {
        "constants": lambda: fitted(scale, flat(X3), G3),
        "of times": lambda: fitted(scale, X3, G3, weights=times(G3)),
        "prior of times": lambda: fitted(scale, X3, G3, weights=times(G3), empirical_bayes=True),
        "prior with constants": lambda: fitted(scale, flat(X3), G3, empirical_bayes=True),
        "sparse": lambda: fitted(scale, sparse.csr_array(X3), G3, protect=["x1"]),
        "prior of two features": lambda: fitted(scale, X3[:, :2], G3, empirical_bayes=True),
        "flat in one group": lambda: fitted(scale, alone, G2),
        "protect all": lambda: fitted(scale, X2, G2, protect=[f"x{j}" for j in range(1, 6)]),
        "protect another": lambda: fitted(scale, X2, G2, protect="x9"),
        "protect what is a group": lambda: fitted(scale, np.column_stack([X2, G2 == "a"]), G2, protect="x6"),
        "protect one twice": lambda: fitted(scale, flat(X2), G2, protect=["x1", "x2", "x7"]),
        "one row of a group": lambda: fitted(scale, X2, ["z", *G2[1:]]),
        "no groups": lambda: fitted(scale, X2, None),
        "unknown groups": lambda: scale(X2, G2).transform(X2[:3], ["q", "a", "b"], on_unknown="mean"),
        "unknown groups of all": lambda: leave(X2, G2).transform(X2[:3], ["q", "a", "b"], on_unknown="mean"),
        "unknown groups refused": lambda: scale(X2, G2).transform(X2[:3], ["q", "a", "b"]),
        "new rows without groups": lambda: scale(X2, G2).transform(X2[:3]),
        "groups of other length": lambda: scale(X2, G2).transform(X2[:3], ["a"]),
        "new rows not known": lambda: scale(X2, G2).transform(np.full((1, 5), np.nan), ["a"]),
        "record": lambda: scale(X2, G2, protect="x1", empirical_bayes=True).to_dict(),
        "record of all": lambda: leave(X2, G2).to_dict() | {"table": leave(X2, G2).tidy()},
    }.items():
        cases[f"location, {name}"] = call
    for name, call in {
        "of times": lambda: fitted(leave, X2, G2, weights=times(G2)),
        "shrunk, of times": lambda: fitted(leave, X3, G3, weights=times(G3), shrinkage=True),
        "constants": lambda: fitted(leave, np.column_stack([X2, np.ones(len(X2))]), G2),
        "singular": lambda: fitted(leave, flat(X2), G2),
        "nine features": lambda: fitted(leave, np.hstack([X2, np.cos(X2)]), G2),
    }.items():
        cases[f"quadratic, {name}"] = call
    unseen = {"on_unknown": "mean"}
    for name, fit in {"og": fs.og, "minimax": fs.minimax_pca, "sog": lambda X, g: fs.sog(X, g, t=1.5)}.items():
        cases[f"{name}, new groups"] = lambda f=fit: new_groups(f(X3, G3), unseen)
    inlp, rlace = OTHERS.inlp, OTHERS.rlace
    for name, call in {
        "in small units": lambda: fitted(inlp, 1e-6 * X2, G2, rounds=2),
        "in large units": lambda: fitted(inlp, 1e6 * X2, G2, rounds=2, penalty=1e-3),
        "at chance": lambda: fitted(inlp, *pairs(), until_chance=True, penalty=1e-3),
        "of nothing": lambda: fitted(inlp, np.zeros((8, 3)), list("aabbaabb")),
        "of times": lambda: fitted(inlp, X3, G3, rounds=1, weights=times(G3), scale=True),
        "too many rounds": lambda: fitted(inlp, X2, G2, rounds=5),
        "sparse": lambda: fitted(inlp, sparse.csr_array(X2), G2),
        "of a number": lambda: fitted(inlp, X2, fs.continuous(X2[:, 0], "age")),
        "record": lambda: inlp(X2, G2, rounds=2).to_dict() | {"one": inlp(X2, G2, rounds=2).glance()},
    }.items():
        cases[f"inlp, {name}"] = call
    cases["rlace, cut short"] = lambda: fitted(rlace, X3, G3, rank=1, max_iter=11)
    cases["rlace, rank too large"] = lambda: fitted(rlace, X3, G3, rank=5)
    cases["fpca, no such directions"] = lambda: fitted(OTHERS.fpca, X3, G3, k=4, delta=1e-3)
    cases["fpca, one level"] = lambda: fitted(OTHERS.fpca, X3, ["a"] * len(X3))
    cases["fpca, of a number"] = lambda: fitted(OTHERS.fpca, X3, fs.continuous(X3[:, 0], "age"))
    for name, options in {
        "quiet": {"tau": 1e-7, "k": 1, "starts": 1, "max_iter": 3},
        "tau of 0": {"tau": 0.0},
        "no starts": {"starts": 0},
    }.items():
        cases[f"mbf_pca, {name}"] = lambda o=options: fitted(OTHERS.mbf_pca, X2[:40, :3], G2[:40], **o)
    return cases


def new_groups(fit: Any, unseen: dict[str, Any]) -> dict[str, Any]:
    given = ["q", "a", "b"]
    return {
        "scores": fit.transform(X3[:3], given, **unseen),
        "rows": fit.reconstruct(X3[:3], given, **unseen),
        "refused": attempt(lambda: fit.transform(X3[:3], given)),
        "none": attempt(lambda: fit.transform(X3[:3])),
        "table": fit.tidy("loadings"),
        "record": fit.to_dict()["price"],
        "wrong": attempt(lambda: fit.tidy("other")),
    }


CASES: Cases = of_losses() | of_means() | of_comparators()
