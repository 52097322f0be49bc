"""OG equals the numbers of the authors' own code."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.errors import FairstatsWarning


def runs(shared: Path, name: str) -> list[dict]:
    return json.loads((shared / "golden" / "og" / f"{name}_OG_summary.json").read_text())


@pytest.mark.parametrize(("fn", "rescale"), [("OG", True), ("OG", False), ("OGi", True)])
def test_small_input(shared: Path, fn: str, rescale: bool) -> None:
    folder = shared / "golden" / "og"
    data = pd.read_csv(folder / "small_input.csv")
    run = next(r for r in runs(shared, "small") if r["fn"] == fn and r["rescale"] == rescale)
    X, z = data.drop(columns="z").to_numpy(), data["z"].to_numpy()
    # without an intercept scores stay correlated with the group, which the fit says
    reported = pytest.warns(fairstats.FairstatsWarning, match="guarantee") if fn == "OGi" else contextlib.nullcontext()
    with reported:
        fit = fairstats.og(X, z, k=run["K"], scale=rescale, center=rescale, intercept=fn == "OG")
    assert fit.error == pytest.approx(run["err_total"], rel=1e-9)
    assert fit.pca_error == pytest.approx(run["err_svd_k"], rel=1e-9)
    if fn == "OG":
        assert fit.extra_error == pytest.approx(run["extra_err_intercept_z"], rel=1e-9)
    adjusted = fit.reconstruct(X, z)
    if rescale:
        adjusted = (adjusted - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    authors = pd.read_csv(folder / f"small_{fn}_rescale{str(rescale).upper()}_Xtilde.csv").to_numpy()
    np.testing.assert_allclose(adjusted, authors, atol=1e-9)


def test_the_papers_projection_without_intercept_leaves_correlation(shared: Path) -> None:
    data = pd.read_csv(shared / "golden" / "og" / "small_input.csv")
    X, z = data.drop(columns="z").to_numpy(), data["z"].to_numpy()
    run = next(r for r in runs(shared, "small") if r["fn"] == "OGi" and r["rescale"])
    with pytest.warns(FairstatsWarning, match="og: a guarantee does not hold"):
        fit = fairstats.og(X, z, k=3, scale=True, intercept=False)
    S = fit.transform(X, z)
    largest = max(abs(np.corrcoef(S[:, j], z)[0, 1]) for j in range(3))
    assert largest == pytest.approx(run["max_abs_cor_S_z"], rel=1e-8)
    assert not fit.guarantees[0].holds


def test_compas_gram_and_reconstruction(shared: Path) -> None:
    folder = shared / "golden" / "og"
    data = pd.read_csv(folder / "compas_input_6features_z.csv")
    run = next(r for r in runs(shared, "compas") if r["fn"] == "OG" and r["rescale"])
    fit = fairstats.og(
        "~ (age + juv_fel + juv_misd + juv_other + priors + felony)^2", groups="z", data=data, k=10, scale=True
    )
    assert list(fit.features) == json.loads((folder / "compas_columns.json").read_text())["columns"]
    for ours, theirs in (
        (fit.error, "err_total"),
        (fit.pca_error, "err_svd_k"),
        (fit.extra_error, "extra_err_intercept_z"),
    ):
        assert ours == pytest.approx(run[theirs], rel=1e-9)
    gram = json.loads((folder / "compas_OG_gram.json").read_text())
    S = fit.transform(data)
    size = np.sqrt(np.diag(S.T @ S))
    # Their singular vectors have signs of their own, so entries are compared up to those.
    np.testing.assert_allclose(
        np.abs(S.T @ S / np.outer(size, size)), np.abs(np.array(gram["S_gram"]) / np.outer(size, size)), atol=1e-9
    )
    adjusted = (fit.reconstruct(data.head(200)) - fit.scaling.center) / fit.scaling.scale
    authors = pd.read_csv(folder / "compas_OG_rescaleTRUE_Xtilde_first200.csv").to_numpy()
    np.testing.assert_allclose(adjusted, authors, atol=1e-9)
