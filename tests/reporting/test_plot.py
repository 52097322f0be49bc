"""One figure of one result: the same drawing as in the report, to look at or to save."""

from __future__ import annotations

import numpy as np
import pytest

import fairstats
from fairstats.errors import InputError


def test_every_result_has_its_figures() -> None:
    people = fairstats.arrests()
    fit = fairstats.og(["age", "checks"], "colour", k=2, data=people)
    audit = fairstats.audit(people, decision="released", favorable="Yes", groups="colour")
    frame = fairstats.disparity_path(
        fairstats.disparity_pca(
            ["age", "checks"], "colour", 1, data=people, lam=0.5, advantaged="White", disadvantaged="Black"
        ),
        ["age", "checks"],
        "colour",
        data=people,
        lams=np.linspace(0, 1, 5),
    )
    path = fairstats.sog_path(["age", "checks"], "colour", 1, ts=[1.0, 1.2, 1.4], data=people)
    for drawn in (
        fit.plot(),
        fairstats.plot(audit),
        fairstats.plot(audit, "differences"),
        fairstats.plot(frame),
        fairstats.plot(path),
    ):
        assert drawn.svg.startswith("<svg") and drawn.alt
    assert "White" in fairstats.plot(audit).alt


def test_what_has_no_figure_says_so() -> None:
    with pytest.raises(InputError, match="kind has 'screen'; the choices are scree; did you mean 'scree'"):
        fairstats.plot(fairstats.pca(np.eye(3), k=1), "screen")
    with pytest.raises(InputError, match="result has 3, of which"):
        fairstats.plot(3)
