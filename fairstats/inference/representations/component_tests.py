"""Does a component, on rows that its fit did not see, still differ between the groups? By ranks, one at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.arguments import choose, confidence, shown
from fairstats.choices import ByP
from fairstats.errors import InputError
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.multiplicity import ADJUSTMENTS
from fairstats.inference.multiplicity import adjust as adjust_p
from fairstats.inference.scores.brunner_munzel import relative_effect_estimate
from fairstats.inference.scores.rank_rows import shift_estimate
from fairstats.inference.scores.survey_ranks import design_estimate, superiority_by_design
from fairstats.methods.results.heldout import HeldOut


def component_tests(
    scores: HeldOut, *, weights: Any = None, conf_level: float = 0.95, adjust: ByP = "holm"
) -> Estimates:
    """Test every component of held-out scores for a difference between each group and the others, by two rank tests.

    Parameters
    ----------
    scores : HeldOut
        From ``fit.crossfit(X, groups)`` of any method.
    weights : array (n,), optional
        Probability weights; by default those of the fit that was crossfitted. Probabilities are then the weighted
        ones, with linearized errors, and the test is the Wald test on the logit scale that belongs to them; there is
        no Mann-Whitney test of weighted people.
    conf_level : float
    adjust : str
        Over all rows of a metric.

    Returns
    -------
    Estimates
        Two rows a component, group and fold (term "component 1", given "fold 1"): the group against all others, or the
        second of two groups against the first. Metric "P(X>Y)" has Brunner and Munzel's test, which lets the groups
        differ in spread. Metric "score shift" (role "beside") has Mann and Whitney's, of equal distributions, and the
        shift that Hodges and Lehmann estimate where the shapes agree.

    Raises
    ------
    InputError
        If ``scores`` are not held-out scores, or the groups have no categorical attribute.

    Notes
    -----
    Rows are compared within a fold: over folds, what the fit removed by chance from one comes back with the opposite
    sign in another, and the two cancel. A method whose map depends on the group (``og``) carries the sampling error of
    its coefficients into new rows; with few rows for each coefficient this test sees it, as an adversary would.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np, fairstats as fs
    >>> rng = np.random.default_rng(0)
    >>> g = np.repeat(["a", "b"], 100)
    >>> X = rng.standard_normal((200, 3)) + (g == "b")[:, None]
    >>> bool(fs.component_tests(fs.pca(X, g, k=1).crossfit(X, g))[0].p_adjusted < 0.001)
    True
    """
    held, conf_level = scores, confidence(conf_level)
    choose("adjust", adjust, ADJUSTMENTS)
    if not isinstance(held, HeldOut):
        raise InputError(
            f"scores has {shown(held)}; in-sample scores show nothing about new people; pass fit.crossfit(X, groups)."
        )
    if not held.groups.names:
        raise InputError("scores has no categorical group variable to compare by; cross-fit with one.")
    held = held.counted(weights)
    order: list[Estimate] = []
    shifts: list[Estimate] = []
    for attribute, made in zip(held.groups.names, held.groups.factors, strict=True):
        pairs = [(made.levels[1], made.levels[0])] if len(made.levels) == 2 else [(v, "") for v in made.levels]
        for j in range(held.scores.shape[1]):
            for level, other in pairs:
                for number, fold in enumerate(np.unique(held.folds)):
                    part = held.folds == fold
                    mine = part & (made.codes == made.levels.index(level))
                    about: dict[str, Any] = {
                        "attribute": attribute,
                        "group": level,
                        "reference": other or "all others",
                        "term": f"component {j + 1}",
                        "given": f"fold {number + 1}",
                    }
                    row = _compared(held, j, mine, part & ~mine, conf_level)
                    order.append(replace(row, **about, method=f"{row.method}, held-out scores"))
                    if held.weights is None:
                        row = shift_estimate(held.scores[mine, j], held.scores[part & ~mine, j], conf_level=conf_level)
                        shifts.append(replace(row, **about, role="beside", method=f"{row.method}, held-out scores"))
    return _adjusted(order, adjust) + _adjusted(shifts, adjust)


def _adjusted(rows: list[Estimate], how: ByP) -> Estimates:
    table = Estimates(rows)
    return table.with_p_adjusted(adjust_p(np.array(table.column("p_value"), dtype=float), how))


def _compared(held: HeldOut, j: int, mine: NDArray[np.bool_], theirs: NDArray[np.bool_], conf_level: float) -> Estimate:
    x, y = held.scores[mine, j], held.scores[theirs, j]
    if held.weights is None:
        return relative_effect_estimate(x, y, conf_level=conf_level)
    v, w = held.weights[mine], held.weights[theirs]
    found = superiority_by_design(x, y, x_weights=v, y_weights=w, conf_level=conf_level)
    return design_estimate(Estimate("P(X>Y)", n=float(v.sum())), found, conf_level)
