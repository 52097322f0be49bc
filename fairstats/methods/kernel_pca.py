"""Fair kernel PCA: functions of the features whose group means agree (Kleindessner et al. 2023, section 4.4)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from fairstats.data.centered import CenteredRows, centered
from fairstats.data.centered_view import Centered, Scaling
from fairstats.data.design import Design
from fairstats.data.groups import Encoding
from fairstats.data.moments import Moments
from fairstats.data.tables import Features, Labels, Tabular, Weights
from fairstats.errors import InputError, Setting
from fairstats.labels import one_label
from fairstats.language import DataText, message
from fairstats.linalg.eigen import EPS
from fairstats.linalg.subspace import leading_pairs, top_outside
from fairstats.methods.arguments import TARGETS, favorable, opportunity_note
from fairstats.methods.kernel_result import CHUNK, PARAMETERS, KernelProjection, kernel_matrix, prepared
from fairstats.methods.results import Components, Guarantee, KernelMap, Price, checked
from fairstats.validation import Missing, between, flag, number, one_of, random_seed, shown, whole

# Fair kernel PCA with the whole n × n kernel.


MOST_ROWS = 10_000  # three n × n matrices of 0.8 GB each


@dataclass(frozen=True)
class KernelPart:
    """A fair kernel PCA as the exact or the landmark route computes it: energies, coefficients, offsets, notes."""

    basis: np.ndarray
    coefficients: np.ndarray
    offset: np.ndarray
    energy: np.ndarray
    share: np.ndarray
    total: float
    best: float
    encoding: Encoding
    correlation: float
    removed: int
    rank: int
    clipped: float = 0.0
    notes: tuple[str, ...] = ()
    dimension: int = 0  # of the span of all components
    kept: float = 0.0  # the sum of squares in that span


def part_notes(removed: int, k: int, rank: int, clipped: float, kernel: str) -> tuple[str, ...]:
    """Return notes about the rank and the negative eigenvalues of a kernel."""
    out = []
    if removed == 0:
        out.append("Group means in feature space do not differ beyond rounding: nothing was removed.")
    if rank < k:
        out.append(f"The kernel has rank {rank} once the groups' directions are out: {k - rank} components are 0.")
    if clipped > 0:
        out.append(f"The {kernel} kernel is indefinite: {100 * clipped:.2g}% of its spectrum was negative and cut off.")
    return tuple(out)


def exact_part(
    design: Design,
    view: Centered,
    k: Any,
    kernel: str,
    parameters: dict[str, Any],
    center: bool,
    indefinite: bool,
    shift: np.ndarray | None,
    tradeoff: float = 0.0,
) -> KernelPart:
    """Return the components from the centered, weighted kernel of all rows, and the centering of new rows undone."""
    n = design.n
    if n > MOST_ROWS:
        raise InputError(
            "X",
            f"has {n} rows, and the exact kernel {8e-9 * n * n:.1f} GB; pass {Setting('n_landmarks')} (500, "
            f"say) for the Nyström "
            f"approximation. Up to {MOST_ROWS} rows are taken exactly.",
        )
    rows = prepared(view.scaling, design.X, shift)
    w = np.ones(n) if design.weights is None else design.weights
    root, share = np.sqrt(w), w / w.sum()
    assert design.groups is not None
    Z = root[:, None] * view.encoding.encode(design.groups)
    k = whole("k", k, 1, n - int(center) - Z.shape[1], f"{n} rows less the groups' directions")
    K = kernel_matrix(kernel, parameters, rows, rows)
    means = K @ share if center else np.zeros(n)
    K -= means[:, None]
    K -= means - (share @ means)
    K *= root[:, None]
    K *= root
    clipped = 0.0
    if indefinite:
        K, Z, clipped = _positive_part(K, Z)
    energy, A, removed = _fair_components(K, Z, k)
    correlation, rank, dimension, kept = _correlation(K @ A, Z), int((energy > 0).sum()), k, float(energy.sum())
    if tradeoff:
        values, plain = _plain_components(K, k)
        dimension, kept = _span(K, np.hstack([A, plain]))
        A, energy = np.hstack([A, tradeoff * plain]), np.concatenate([energy, tradeoff**2 * values])
    total = float(np.trace(K))
    best = float(leading_pairs(K, dimension, tolerance=1e-6)[0].sum()) if dimension else 0.0
    scores = K @ A
    coefficients = root[:, None] * A
    lift = coefficients.sum(axis=0)
    # Centering of a new row's kernels, k − (k·w̄)1 − m + m·w̄, moved into the coefficients and the offset.
    offset = (share @ means) * lift - means @ coefficients if center else np.zeros(A.shape[1])
    return KernelPart(
        rows,
        coefficients - np.outer(share, lift) if center else coefficients,
        offset,
        energy,
        _exact_share(scores, Z, energy),
        total,
        best,
        view.encoding,
        correlation,
        removed,
        rank,
        clipped,
        part_notes(removed, k, rank, clipped, kernel),
        dimension,
        kept,
    )


def _fair_components(K: np.ndarray, Z: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Energies (k,), coefficients A (n × k; scores are KA), directions taken out: kernel PCA of K − KZ(ZᵀKZ)⁺ZᵀK."""
    noise = 64 * EPS * float(np.trace(K))
    Z = np.linalg.qr(Z)[0]
    values, R = np.linalg.eigh(Z.T @ K @ Z)
    G = Z @ R[:, values > noise] / np.sqrt(values[values > noise])
    W = K @ G
    energy, V = leading_pairs(K - W @ W.T, k)
    solid = energy > noise
    A = (V - G @ (W.T @ V)) * np.where(solid, 1 / np.sqrt(np.where(solid, energy, 1.0)), 0.0)
    return np.where(solid, energy, 0.0), A, G.shape[1]


def _plain_components(K: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Energies (k,) and coefficients (n × k) of kernel PCA."""
    values, V = leading_pairs(K, k)
    solid = values > 64 * EPS * float(np.trace(K))
    return np.where(solid, values, 0.0), V * np.where(solid, 1 / np.sqrt(np.where(solid, values, 1.0)), 0.0)


def _span(K: np.ndarray, A: np.ndarray) -> tuple[int, float]:
    """The dimension of the span of components with coefficients A (n × m), and the sum of squares in it."""
    KA = K @ A
    values, V = np.linalg.eigh(A.T @ KA)
    inside = values > 1e-10
    scores = KA @ (V[:, inside] / np.sqrt(values[inside]))
    return int(inside.sum()), float(np.sum(scores * scores))


def _positive_part(K: np.ndarray, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """K without its negative eigenvalues, Z within K's range, and the share of the spectrum that was cut off.

    With Z in that range so are the coefficients, and the kernels of a new row, which are not cut, give the same scores.
    """
    values, V = np.linalg.eigh(K)
    V, kept = V[:, values > 0], values[values > 0]
    return (V * kept) @ V.T, V @ (V.T @ Z), float(-values[values < 0].sum() / np.abs(values).sum())


def _exact_share(scores: np.ndarray, Z: np.ndarray, energy: np.ndarray) -> np.ndarray:
    """R² of each score on the groups."""
    inner = np.linalg.qr(Z)[0].T @ scores
    return np.einsum("qk,qk->k", inner, inner) / np.where(energy > 0, energy, 1.0)


def _correlation(scores: np.ndarray, Z: np.ndarray) -> float:
    size = np.outer(np.linalg.norm(Z, axis=0), np.linalg.norm(scores, axis=0))
    return float((np.abs(Z.T @ scores) / np.where(size > 0, size, 1.0)).max(initial=0.0))


# Fair kernel PCA on the features of landmarks: a linear fair PCA, from one pass over the rows.


def nystrom_part(
    design: Design,
    view: Centered,
    k: Any,
    kernel: str,
    parameters: dict[str, Any],
    center: bool,
    n_landmarks: Any,
    seed: int,
    shift: np.ndarray | None,
    tradeoff: float = 0.0,
) -> KernelPart:
    """Find the components from moments of the landmarks' features, whose products approximate the kernel."""
    count = whole("n_landmarks", n_landmarks, 1, design.n, f"{design.n} rows")
    chosen = np.sort(np.random.default_rng(seed).permutation(design.n)[:count])
    basis = prepared(view.scaling, design.X[chosen], shift)
    normal = _inverse_root(kernel_matrix(kernel, parameters, basis, basis))
    mapped = centered(_feature_moments(design, view.scaling, kernel, parameters, basis, normal, shift))
    mean = mapped.scaling.center if center else np.zeros(count)
    C = mapped.covariance
    if not center:
        C = C + mapped.scaling.weight * np.outer(*(mapped.scaling.center,) * 2)
    Q = mapped.mean_directions
    r = Q.shape[1]
    k = whole("k", k, 1, count - r, f"{count} landmarks, {r} directions taken by the groups")
    energy, U = top_outside(C, k, Q)
    total = float(np.trace(C))
    solid = energy > 64 * EPS * total
    U, energy = U * solid, energy * solid
    left = np.abs(mapped.cross_z @ U)
    size = np.sqrt(np.outer(np.diag(mapped.gram_z), np.maximum(energy, 1e-10 * total)))
    rank, dimension, kept = int(solid.sum()), k, float(energy.sum())
    correlation = float((left / np.where(size > 0, size, 1.0)).max())
    if tradeoff:
        values, V = leading_pairs(C, k)
        basis_of, s, _ = np.linalg.svd(np.hstack([U, V]), full_matrices=False)
        S = basis_of[:, s > 1e-8]
        dimension, kept = S.shape[1], float(np.sum(S * (C @ S)))
        U, energy = np.hstack([U, tradeoff * V]), np.concatenate([energy, tradeoff**2 * values])
    lost = mapped.explained(U)
    return KernelPart(
        basis,
        normal @ U,
        -mean @ U,
        energy,
        lost / np.where(energy > 0, energy, 1.0),
        total,
        float(leading_pairs(C, dimension, tolerance=1e-6)[0].sum()) if dimension else 0.0,
        mapped.encoding,
        correlation,
        r,
        rank,
        0.0,
        (
            *part_notes(r, k, rank, 0.0, kernel),
            f"{count} of {design.n} rows are landmarks; totals and shares are of the approximated feature space.",
        ),
        dimension,
        kept,
    )


def _inverse_root(K: np.ndarray) -> np.ndarray:
    """K^(−1/2) on what K spans beyond rounding; scikit-learn's bound of 1e-12 is in the units of the data."""
    values, V = np.linalg.eigh(K)
    solid = values > len(K) * EPS * values[-1]
    return np.asarray((V[:, solid] / np.sqrt(values[solid])) @ V[:, solid].T)


def _feature_moments(
    design: Design,
    scaling: Scaling,
    kernel: str,
    parameters: dict[str, Any],
    basis: np.ndarray,
    normal: np.ndarray,
    shift: np.ndarray | None,
) -> Moments:
    """Moments of the approximate features, from one chunk of rows at a time."""
    names = tuple(f"f{j + 1}" for j in range(len(basis)))
    groups, total = design.groups, None
    assert groups is not None
    for i in range(0, design.n, CHUNK):
        rows = slice(i, i + CHUNK)
        F = kernel_matrix(kernel, parameters, prepared(scaling, design.X[rows], shift), basis) @ normal
        # Not Groups.take, which drops levels that a chunk happens to lack and so changes their order.
        part = replace(
            groups,
            factors=tuple(f.take(rows) for f in groups.factors),
            continuous=groups.continuous[rows],
        )
        w = None if design.weights is None else design.weights[rows]
        result = Moments.of(Design(F, names, part, weights=w), by_cell=False)
        total = result if total is None else total + result
    assert total is not None
    return total


MEANS = 10.0  # times what varies: from here on the default width is one of the means
ALONE = 1e-4  # of the variation: the part of all features but one, below which they do not count


@checked()
def fair_kernel_pca(
    X: Features,
    groups: Labels,
    k: int = 2,
    *,
    data: Tabular | None = None,
    weights: Weights = None,
    missing: Missing = "raise",
    scale: bool = False,
    kernel: Literal["rbf", "polynomial", "linear", "sigmoid"] = "rbf",
    gamma: float | None = None,
    degree: int = 3,
    coef0: float = 1.0,
    center: bool = True,
    n_landmarks: int | None = None,
    y: Any = None,
    target: Literal["parity", "equal_opportunity"] = "parity",
    positive: Any = 1,
    tradeoff: float | None = None,
    seed: int = 0,
) -> KernelProjection:
    """Find kernel principal components among the functions of the features that have the same mean in all groups.

    Parameters
    ----------
    X : array (n, p), sparse matrix, table, column names, formula or Design
        Rows, not moments. Sparse rows are made dense.
    groups : column name(s) of ``data`` or labels (n,)
        Two levels or many, several attributes, ``continuous(...)``.
    k : int
        Number of components.
    data : table, optional
        Where column names and formulas are looked up.
    weights : str or array (n,), optional
        As for ``og``: relative, at least 0. With landmarks heavy rows are not repeated rows: landmarks are drawn from
        the rows there are.
    missing : {"raise", "level", "drop"}
        Rows whose group is missing.
    scale : bool
        Standardize the features (ddof 1) before the kernel. Otherwise ``rbf``, and ``linear`` with ``center``, see
        centered rows, which changes no kernel of theirs; the others see rows as they are.
    kernel : {"rbf", "polynomial", "linear", "sigmoid"}
        As scikit-learn defines them.
    gamma : float, optional
        By default 1/(p · var X), the variance over all entries, as in the authors' program: a default for features of
        like means and spreads.
    degree, coef0 : int, float
        Of the polynomial (and coef0 of the sigmoid) kernel.
    center : bool
        Center in feature space. False is what the authors' experiments do; group means are equal all the same.
    n_landmarks : int, optional
        Rows drawn for the Nyström approximation; without it the kernel is exact and n × n.
    y, target, positive : as for ``fair_pca``
        With "equal_opportunity" everything is of the rows whose y is ``positive``; the others are scored as well.
    tradeoff : float in [0, 1], optional
        Append λ times the ordinary kernel principal components: 2k scores, of which only the first k are fair.
    seed : int
        Of the draw of landmarks.

    Returns
    -------
    KernelProjection
        ``transform`` needs no group.

    Raises
    ------
    InputError
        Parameters out of range, no groups, moments, more rows than an exact kernel can hold, or no gamma where its
        default would be of no use: the features' means have ten times the variance that the features have, or one
        feature (a time in seconds, say) has more than 99.99% of it.

    Guarantees
    ----------
    Every group has the same mean on every score.
    With the exact kernel, no orthonormal functions in the kernel's feature space with that property explain more of
    the sum of squares there; with landmarks, none in the span of the landmarks' features.

    Notes
    -----
    The authors solve a generalized eigenproblem, singular where K is, and then add 1e-5·I. It is not needed: taking the
    directions of the group means out of the features leaves the kernel K − KZ(ZᵀKZ)⁺ZᵀK, whose ordinary kernel PCA is
    the solution. The rank of ZᵀKZ and of that kernel are compared with tr K; components beyond its rank are 0.
    The sigmoid kernel (and a polynomial with coef0 < 0) is indefinite: its negative part is cut off, and the share
    reported. The exact kernel holds n × n numbers, which is the method's own object and this package's only such one.

    References
    ----------
    Kleindessner, Donini, Russell & Zafar (2023), "Efficient fair PCA for fair representation learning", AISTATS.
    Williams & Seeger (2001), "Using the Nyström method to speed up kernel machines", NIPS 13.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> g = np.arange(60) % 2
    >>> X = rng.standard_normal((60, 3)) + g[:, None]
    >>> fit = fs.fair_kernel_pca(X, g, k=2)
    >>> bool(np.ptp([fit.transform(X)[g == a].mean(axis=0) for a in (0, 1)], axis=0).max() < 1e-12)
    True
    """
    parameters = _parameters(kernel, degree, coef0)
    share = _share(tradeoff)
    center, seed = flag("center", center), random_seed(seed)
    positive = one_label("positive", positive)
    design = _rows(X, groups, data, y, weights, missing, target, positive)
    view = CenteredRows(design, scale=flag("scale", scale))
    # Distances, and products that are centered afterward, do not change with the origin of the rows; rounding does.
    shift = view.scaling.center if kernel == "rbf" or (kernel == "linear" and center) else None
    parameters["gamma"] = 1.0 if gamma is None and kernel == "linear" else _gamma(gamma, view.scaling, design, shift)
    parameters = {name: parameters[name] for name in PARAMETERS[kernel]}
    indefinite = kernel == "sigmoid" or (kernel == "polynomial" and coef0 < 0)
    if n_landmarks is None:
        part = exact_part(design, view, k, kernel, parameters, center, indefinite, shift, share)
    else:
        if indefinite:
            raise InputError(
                f"{Setting('n_landmarks', n_landmarks)} needs a positive definite kernel; {kernel} with "
                f"coef0={coef0:g} is not. "
                f"Leave landmarks out, or use {Setting('kernel', 'rbf')}."
            )
        part = nystrom_part(design, view, k, kernel, parameters, center, n_landmarks, seed, shift, share)
    count = len(part.energy) // (2 if share else 1)
    settings = {
        "k": count,
        "scale": scale,
        "kernel": kernel,
        "gamma": gamma,
        "degree": degree,
        "coef0": coef0,
        "center": center,
        "n_landmarks": n_landmarks,
        "seed": seed,
        "target": target,
        "positive": positive,
        "tradeoff": None if tradeoff is None else share,
    }
    notes = (*part.notes, *([opportunity_note(positive, design.n)] if target == "equal_opportunity" else []))
    return KernelProjection(
        method="fair_kernel_pca",
        title="Fair kernel PCA (equal group means)"
        + ("" if n_landmarks is None else ", Nyström approximation")
        + (f", with {share:g} × kernel PCA" if share else ""),
        scaling=view.scaling,
        kernel_map=KernelMap(
            name=kernel,
            parameters=parameters,
            basis=part.basis,
            coefficients=part.coefficients,
            offset=part.offset,
            shift=shift,
        ),
        components=Components(part.energy, part.share),
        price=Price(total=part.total, error=part.total - part.kept, pca_error=part.total - part.best),
        encoding=part.encoding,
        guarantees=(_equal_means(part.correlation, target, positive),),
        settings=settings,
        notes=(*notes, *([_tradeoff_note(count, share, part.dimension)] if share else [])),
        diagnostics={"directions_removed": part.removed, "rank": part.rank, "clipped": part.clipped}
        | ({"blocks": (count, count), "dimension": part.dimension} if share else {}),
    )


def _rows(X: Any, groups: Any, data: Any, y: Any, weights: Any, missing: Missing, target: str, positive: str) -> Design:
    """The rows that the fit is of: those that count, and with equal opportunity those of positive outcome."""
    equal = one_of("target", target, TARGETS) != "parity"
    if isinstance(X, Moments):
        raise InputError("X", "is moments, and a kernel needs the rows; pass them, or use fair_pca.")
    if y is not None and not equal:
        raise InputError(
            f"y goes with {Setting('target', 'equal_opportunity')} only; leave it out, or name that target."
        )
    outcome = y if equal else None
    if not isinstance(X, Design):
        X = Design.of(X, groups, data=data, y=outcome, weights=weights, missing=missing)
    if X.groups is None:
        raise InputError("groups", "is missing; fair_kernel_pca equalizes their means.")
    chosen = favorable(X.counted(), positive) if equal else X.counted()
    assert isinstance(chosen, Design)
    return chosen


def _share(tradeoff: Any) -> float:
    if tradeoff is None:
        return 0.0
    return between("tradeoff", tradeoff, 0, 1, "it weighs kernel PCA's components; pass such a weight", ends="[]")


def _tradeoff_note(k: int, share: float, dimension: int) -> str:
    return (
        f"Scores {k + 1} to {2 * k} are {share:g} times kernel PCA's and do tell the groups apart; the guarantee is "
        f"of the first {k}. The price is that of their span, which has {dimension} dimensions, beside kernel PCA of "
        "as many."
    )


def _equal_means(correlation: float, target: str, positive: str) -> Guarantee:
    statement = message("equal group means: largest |correlation| of a score with a group")
    if target != "parity":
        statement = message(
            "equal group means, among rows with y={label}: largest |correlation| of a score with a group",
            label=DataText(str(positive)),
        )
    return Guarantee(statement, correlation, 1e-8)


def _parameters(kernel: Any, degree: Any, coef0: Any) -> dict[str, Any]:
    one_of("kernel", kernel, PARAMETERS)
    return {"degree": whole("degree", degree, 1, 100, "the power of a polynomial"), "coef0": number("coef0", coef0)}


def _gamma(gamma: float | None, scaling: Scaling, design: Design, shift: np.ndarray | None) -> float:
    """The kernel's width, checked; by default 1/(p · variance over all entries), 1 where that is 0."""
    rows = prepared(scaling, design.X, shift)
    mean = np.average(rows.mean(axis=1), weights=design.weights)
    variance = np.average(((rows - mean) ** 2).mean(axis=1), weights=design.weights)
    if gamma is not None:
        width = between("gamma", gamma, 0, math.inf)
        # in units of the data: products of rows times gamma have to be numbers
        most = max(float(np.abs(rows).max()), 1e-150)
        if math.log10(width) + 2 * math.log10(most) > 150:
            raise InputError("gamma", f"has {shown(gamma)}; no number holds gamma times their products; pass less.")
        return width
    if shift is not None and scaling.scale is None:
        variance = _with_means(variance, shift, scaling.features)
    _check_spreads(rows, scaling, design.weights)
    return 1.0 if variance == 0 else float(1 / (rows.shape[1] * variance))


def _with_means(within: float, means: np.ndarray, features: tuple[str, ...]) -> float:
    """The variance over all entries, from that of the centered ones; refused where it is one of the means."""
    variance = within + float(np.var(means))
    if variance > MEANS * within > 0:
        far = features[int(np.argmax(np.abs(means - np.median(means))))]
        raise InputError(
            f"gamma is not given, and its default would be made of the features' means ({far!r} is far from the "
            f"others), not of what varies: pass {Setting('scale', True)}, or {Setting('gamma')}."
        )
    return variance


def _check_spreads(rows: np.ndarray, scaling: Scaling, weights: Any) -> None:
    """Refuse a default width where one feature makes up the distances alone: the others would not count, unsaid."""
    if scaling.scale is not None or rows.shape[1] < 2:
        return
    largest = float(np.abs(rows).max()) or 1.0
    mean = np.average(rows / largest, axis=0, weights=weights)
    spreads = np.average((rows / largest - mean) ** 2, axis=0, weights=weights)
    j, total = int(np.argmax(spreads)), float(spreads.sum())
    others = float(np.delete(spreads, j).sum())  # the total less the largest would be 0 from 1e-16 of it on
    if 64 * len(rows) * EPS**2 * total < others < ALONE * total:
        raise InputError(
            f"gamma is not given, and the feature {scaling.features[j]!r} makes up {100 * spreads[j] / total:.6g}% of "
            f"the features' variation: its default would let no other count. Pass {Setting('scale', True)}, "
            f"or {Setting('gamma')}."
        )
