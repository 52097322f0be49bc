"""One figure of one result: the same drawing as in the report, to look at or to save."""

from __future__ import annotations

import numpy as np
import pytest

import fairstats as fs
from fairstats.errors import InputError


def test_every_result_has_its_figures() -> None:
    people = fs.arrests()
    fit = fs.og(["age", "checks"], "colour", k=2, data=people)
    audit = fs.audit(people, decision="released", favorable="Yes", groups="colour")
    frame = fs.disparity_path(
        fs.disparity_pca(
            ["age", "checks"], "colour", 1, data=people, lam=0.5, advantaged="White", disadvantaged="Black"
        ),
        ["age", "checks"],
        "colour",
        data=people,
        lams=np.linspace(0, 1, 5),
    )
    path = fs.sog_path(["age", "checks"], "colour", 1, ts=[1.0, 1.2, 1.4], data=people)
    for drawn in (fit.plot(), fs.plot(audit), fs.plot(audit, "differences"), fs.plot(frame), fs.plot(path)):
        assert drawn.svg.startswith("<svg") and drawn.alt
    assert "White" in fs.plot(audit).alt


def test_what_has_no_figure_says_so() -> None:
    with pytest.raises(InputError, match="kind has 'screen'; the choices are scree; did you mean 'scree'"):
        fs.plot(fs.pca(np.eye(3), k=1), "screen")
    with pytest.raises(InputError, match="result has 3, of which"):
        fs.plot(3)
