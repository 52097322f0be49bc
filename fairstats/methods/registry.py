"""One row a method: where it is, what it takes and gives, who proposed it. Everything that lists methods reads this.

The package's ``__init__``, ``compare``, the command line, scikit-learn, the R bridge, the report's references and the
laws of the tests look here; nothing here imports a method before it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal

from fairstats.errors import InputError, listing, nearest, with_hint
from fairstats.language import mark

Result = Literal["projection", "kernel projection", "eraser", "group map"]

ALIVERTI = (
    "Aliverti, E., Lum, K., Johndrow, J. E. and Dunson, D. B. (2021). Removing the influence of group variables in "
    "high-dimensional predictive modelling. JRSS A 184, 791-811. doi:10.1111/rssa.12613"
)
KLEINDESSNER = (
    "Kleindessner, M., Donini, M., Russell, C. and Zafar, M. B. (2023). Efficient fair PCA for fair representation "
    "learning. AISTATS, PMLR 206, 5250-5270. doi:10.48550/arXiv.2302.13319"
)
LEE = (
    "Lee, J., Kim, G., Olfat, M., Hasegawa-Johnson, M. and Yoo, C. D. (2022). Fast and efficient MMD-based fair PCA "
    "via optimization over Stiefel manifold. AAAI 36, 7363-7371. doi:10.1609/aaai.v36i7.20699"
)
BELROSE = (
    "Belrose, N., Schneider-Joseph, D., Ravfogel, S., Cotterell, R., Raff, E. and Biderman, S. (2023). LEACE: perfect "
    "linear concept erasure in closed form. NeurIPS 36. doi:10.48550/arXiv.2306.03819"
)
SAMADI = (
    "Samadi, S., Tantipongpipat, U., Morgenstern, J., Singh, M. and Vempala, S. (2018). The price of fair PCA: one "
    "extra dimension. NeurIPS 31. doi:10.48550/arXiv.1811.00103"
)
RAVFOGEL_2020 = (
    "Ravfogel, S., Elazar, Y., Gonen, H., Twiton, M. and Goldberg, Y. (2020). Null it out: guarding protected "
    "attributes by iterative nullspace projection. ACL, 7237-7256. doi:10.18653/v1/2020.acl-main.647"
)
RAVFOGEL_2022 = (
    "Ravfogel, S., Twiton, M., Goldberg, Y. and Cotterell, R. (2022). Linear adversarial concept erasure. ICML, "
    "PMLR 162, 18400-18421. doi:10.48550/arXiv.2201.12091"
)


@dataclass(frozen=True)
class Method:
    """A method by its public name.

    Attributes
    ----------
    name, home : str
        The public name, which is also ``method`` of its results, and the function as ``"module:name"``.
    about : str
        What it does, in a line of a list.
    references : tuple of str
        Who proposed it; a report that shows a fit of it prints these.
    result : str
        What it returns.
    comparator : bool
        Whether it is what others propose, and so lives in ``fairstats.comparators``.
    extra : str
        The extra of this package that it needs, or "".
    moments : bool
        Whether `Moments` may stand in the place of rows.
    weights : bool
        Whether it takes weights.
    groups : bool
        Whether it needs groups.
    hides : bool
        Whether it promises equal means of the groups on every component.
    removes : bool
        Whether it is meant to take the groups out; otherwise it shares out the error among them, or knows none.
    needs : mapping
        Arguments without a default, each with a value that any data of two groups ``a``, ``b`` allow.
    variants : mapping
        Further names in ``compare``, and the settings that they stand for.
    title : str
        What sentences call it, before its public name.
    makes : str
        What a report says that it makes of the features, in a clause for readers who know no statistics.
    did : str
        What it has done where its guarantee holds, as a clause about ``{method}`` and ``{groups}``; "" where it takes
        nothing out.
    """

    name: str
    home: str
    about: str
    references: tuple[str, ...]
    result: Result = "projection"
    comparator: bool = False
    extra: str = ""
    moments: bool = True
    weights: bool = True
    groups: bool = True
    hides: bool = False
    removes: bool = True
    needs: Mapping[str, Any] = field(default_factory=dict)
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    title: str = ""
    makes: str = ""
    did: str = ""

    @property
    def function(self) -> Callable[..., Any]:
        """The method itself, imported now."""
        module, _, name = self.home.partition(":")
        return getattr(import_module(module), name)  # type: ignore[no-any-return]

    @property
    def reduces(self) -> bool:
        """Whether it makes k components; otherwise it gives every feature back, adjusted."""
        return self.result in ("projection", "kernel projection")


def _row(name: str, home: str, about: str, references: str | tuple[str, ...], **more: Any) -> tuple[str, Method]:
    cited = (references,) if isinstance(references, str) else references
    return name, Method(name, f"{home}:{name}", about, cited, **more)


METHODS: dict[str, Method] = dict(
    [
        _row(
            "pca", "fairstats.methods.pca",
            "principal components, to compare with",
            "Jolliffe, I. T. (2002). Principal component analysis. Springer. doi:10.1007/b98835", groups=False,
            removes=False,
            title=mark("principal components"),
            makes=mark("as few new numbers as asked that keep most of the variation; groups play no part"),
        ),
        _row(
            "og", "fairstats.methods.og",
            "scores orthogonal to the groups with least squared error", ALIVERTI,
            hides=True, variants={"og-residual": {"basis": "residual"}},
            title=mark("orthogonal PCA"),
            makes=mark("principal components minus the average differences between groups"),
            did=mark("{method} made the new features uncorrelated with {groups} on these rows"),
        ),
        _row(
            "sog", "fairstats.methods.sog",
            "the same with sparse loadings", ALIVERTI, hides=True, needs={"t": 1.6},
            title=mark("sparse orthogonal PCA"),
            makes=mark("new numbers of few features each that are uncorrelated with the groups"),
            did=mark("{method} made the new features uncorrelated with {groups} on these rows"),
        ),
        _row(
            "fair_pca", "fairstats.methods.fair_pca",
            "components on which the groups have equal means, or equal means and similar covariances",
            KLEINDESSNER, hides=True, variants={"fair_pca-s": {"equalize": "covariance", "directions": 0.5}},
            title=mark("fair PCA"),
            makes=mark("new numbers with the same mean in every group"),
            did=mark("{method} gave the new features the same mean in every group of {groups}"),
        ),
        _row(
            "fair_kernel_pca", "fairstats.methods.kernel_pca",
            "the same in the feature space of a kernel",
            (KLEINDESSNER, "Williams, C. K. I. and Seeger, M. (2001). Using the Nyström method to speed up kernel "
             "machines. NIPS 13, 682-688."),
            result="kernel projection", moments=False, hides=True,
            title=mark("fair kernel PCA"),
            makes=mark("new numbers, curved functions of the features, with the same mean in every group"),
            did=mark("{method} gave the new features the same mean in every group of {groups}"),
        ),
        _row(
            "minimax_pca", "fairstats.methods.minimax",
            "the largest loss of a group is as small as can be",
            (SAMADI, "Tantipongpipat, U., Samadi, S., Singh, M., Morgenstern, J. and Vempala, S. (2019). "
             "Multi-criteria dimensionality reduction with applications to fairness. NeurIPS 32. "
             "doi:10.48550/arXiv.1902.11281"),
            removes=False,
            title=mark("minimax PCA"),
            makes=mark("new numbers that describe the worst described group as well as can be"),
        ),
        _row(
            "disparity_pca", "fairstats.methods.disparity",
            "reconstruction traded against the gap in losses of two groups", SAMADI,
            needs={"lam": 0.7, "advantaged": "a", "disadvantaged": "b"}, removes=False,
            title=mark("disparity PCA"),
            makes=mark("new numbers that trade a good description for an equally good one of two groups"),
        ),
        _row(
            "leace_pca", "fairstats.methods.leace",
            "principal components after least-squares concept erasure", BELROSE, hides=True,
            title=mark("concept erasure with PCA"),
            makes=mark("new numbers after the least change by which no linear model can tell the groups"),
            did=mark("{method} made the new features uncorrelated with {groups} on these rows"),
        ),
        _row(
            "leace", "fairstats.methods.leace",
            "the least change of the features that leaves no linear trace of the groups", BELROSE,
            result="eraser", hides=True,
            title=mark("concept erasure"),
            makes=mark("the features after the least change by which no linear model can tell the groups"),
            did=mark("{method} made the features uncorrelated with {groups} on these rows"),
        ),
        _row(
            "fpca", "fairstats.methods.fpca",
            "bounds on differences of means and covariances, as a semidefinite program",
            "Olfat, M. and Aswani, A. (2019). Convex formulations for fair principal component analysis. AAAI 33, "
            "663-670. doi:10.1609/aaai.v33i01.3301663",
            comparator=True, extra="compare", hides=True,
            title=mark("fair PCA by bounds"),
            makes=mark("new numbers whose means and spreads differ little between the groups"),
            did=mark("{method} bounded how far means and spreads of the new features differ by {groups}"),
        ),
        _row(
            "mbf_pca", "fairstats.methods.mbf",
            "a bound on the maximum mean discrepancy, on the Stiefel manifold", LEE,
            comparator=True, extra="compare", moments=False,
            title=mark("fair PCA by mean discrepancy"),
            makes=mark("new numbers whose distributions differ little between the groups"),
            did=mark("{method} bounded how far distributions of the new features differ by {groups}"),
        ),
        _row(
            "inlp_pca", "fairstats.methods.probed",
            "principal components after iterative nullspace projection", RAVFOGEL_2020,
            comparator=True, moments=False,
            title=mark("null-space projection with PCA"),
            makes=mark("new numbers without the directions by which linear models tell the groups"),
            did=mark("{method} took out directions by which linear models told {groups}"),
        ),
        _row(
            "inlp", "fairstats.methods.probed",
            "directions that linear classifiers find are projected away, one by one", RAVFOGEL_2020,
            result="eraser", comparator=True, moments=False,
            title=mark("null-space projection"),
            makes=mark("the features without the directions by which linear models tell the groups"),
            did=mark("{method} took out directions by which linear models told {groups}"),
        ),
        _row(
            "rlace_pca", "fairstats.methods.probed",
            "principal components after erasing by a minimax game", RAVFOGEL_2022,
            comparator=True, moments=False,
            title=mark("minimax erasure with PCA"),
            makes=mark("new numbers without the directions by which a linear model tells the groups best"),
            did=mark("{method} took out the directions by which a linear model told {groups} best"),
        ),
        _row(
            "rlace", "fairstats.methods.probed",
            "the projection against which the best linear adversary does worst", RAVFOGEL_2022,
            result="eraser", comparator=True, moments=False,
            title=mark("minimax erasure"),
            makes=mark("the features without the directions by which a linear model tells the groups best"),
            did=mark("{method} took out the directions by which a linear model told {groups} best"),
        ),
        _row(
            "residualize", "fairstats.methods.location_scale",
            "each feature less its regression on the groups", ALIVERTI,
            result="group map", comparator=True, moments=False, hides=True,
            title=mark("residuals"),
            makes=mark("each feature less what the groups predict of it"),
            did=mark("{method} made the features uncorrelated with {groups} on these rows"),
        ),
        _row(
            "quadratic_leace", "fairstats.methods.leace",
            "equal means and covariances in all groups by the least change",
            BELROSE, result="group map", comparator=True, moments=False, hides=True,
            title=mark("quadratic concept erasure"),
            makes=mark("the features after the least change that makes means and covariances of all groups equal"),
            did=mark("{method} gave the features the same means and covariances in every group of {groups}"),
        ),
        _row(
            "location_scale", "fairstats.methods.location_scale",
            "each feature at the same mean and spread in every group",
            "Johnson, W. E., Li, C. and Rabinovic, A. (2007). Adjusting batch effects in microarray expression data "
            "using empirical Bayes methods. Biostatistics 8, 118-127. doi:10.1093/biostatistics/kxj037",
            result="group map", comparator=True, moments=False, hides=True,
            title=mark("equal means and spreads"),
            makes=mark("each feature with the same mean and spread in every group"),
            did=mark("{method} gave each feature the same mean and spread in every group of {groups}"),
        ),
    ]
)  # fmt: skip


def method(name: str) -> Method:
    """Return the row of a method.

    >>> method("og").result
    'projection'
    """
    if name not in METHODS:
        raise InputError(
            "method",
            with_hint(
                f"has {name!r}, which is not known",
                nearest(str(name), METHODS),
                f"use one of {listing(METHODS, 20)}.",
            ),
        )
    return METHODS[name]


def refit(fit: Any) -> Callable[..., Any]:
    """Return the function that made a fit, for the same on other rows."""
    return METHODS[fit.method].function
