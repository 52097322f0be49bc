"""What a user writes, as a type checker sees it: `tests/test_types.py` compares with the comments; it is never run.

A comment says what is revealed (the class, without its module), or that the line is an error and which.
"""

from typing import reveal_type

import polars as pl

import fairstats
from fairstats import comparators, stats
from fairstats.sklearn import FairTransformer

people = {"sex": ["f", "m"], "hired": [0, 1], "x": [1.0, 2.0]}
audit = fairstats.audit(people, "hired", "sex")
reveal_type(audit)  # Audit
reveal_type(audit.estimates)  # Estimates
reveal_type(audit.estimates.where(metric="selection rate"))  # Estimates
reveal_type(audit.estimates[0].estimate)  # float
reveal_type(audit.finding())  # str
reveal_type(audit.summary())  # str
reveal_type(audit.to_dict())  # dict[str, Any]
reveal_type(audit.bootstrap(replicates=10))  # Estimates
reveal_type(audit.plot("roc", attribute="sex"))  # Plot
reveal_type(audit.plot().save("rates.pdf"))  # Path
reveal_type(audit.save("audit.npz"))  # Path
reveal_type(fairstats.tally(people, "hired", "sex"))  # Tally
reveal_type(fairstats.tally(people, "hired", "sex").summary())  # str
reveal_type(fairstats.local_law_144(audit))  # ImpactTables
reveal_type(fairstats.report(audit))  # Report
reveal_type(fairstats.report(audit).write("audit.html"))  # Report
reveal_type(fairstats.plot(audit))  # Drawing
reveal_type(fairstats.table(audit, "rates"))  # ResultTable
reveal_type(fairstats.table(audit, "rates").to_latex())  # str
reveal_type(fairstats.audit(decision=[1, 0], outcome=[1, 1], groups=["f", "m"]))  # Audit
reveal_type(stats.equalized_odds_difference([1, 0], [1, 1], groups=["f", "m"]))  # Estimate
reveal_type(stats.by_group(lambda y, d, s, w: 1.0, [1, 0], groups=["f", "m"]))  # Estimates

fit = fairstats.og("~ x", "sex", data=people)
reveal_type(fit)  # Projection
reveal_type(fit.estimates)  # Estimates
reveal_type(fit.transform([[1.0], [2.0]]))  # ndarray[tuple[Any, ...], dtype[Any]]
reveal_type(fit.transform(people))  # dict[str, ndarray[tuple[Any, ...], dtype[Any]]]
reveal_type(fit.reconstruct(pl.DataFrame(people)))  # DataFrame
reveal_type(fit.components_)  # ndarray[tuple[Any, ...], dtype[Any]]
reveal_type(fit.sdev)  # ndarray[tuple[Any, ...], dtype[Any]]
reveal_type(fit.guarantees)  # tuple[Guarantee, ...]
reveal_type(fit.transform_to("rows.csv", "scores.parquet"))  # Path
reveal_type(fairstats.pca(["x"], data=people))  # Projection
reveal_type(fairstats.sog(["x"], "sex", data=people, t=1.0))  # Projection
reveal_type(fairstats.fair_pca(["x"], "sex", data=people))  # Projection
reveal_type(fairstats.minimax_pca(["x"], "sex", data=people))  # Projection
traded = fairstats.disparity_pca(["x"], "sex", data=people, lam=0.5, advantaged="m", disadvantaged="f")
reveal_type(traded)  # Projection
reveal_type(fairstats.leace_pca(["x"], "sex", data=people))  # Projection
reveal_type(fairstats.fair_kernel_pca(["x"], "sex", data=people))  # KernelProjection
reveal_type(fairstats.leace(["x"], "sex", data=people))  # Eraser
reveal_type(comparators.residualize(["x"], "sex", data=people))  # GroupAdjustment
reveal_type(fairstats.comparators.fpca(["x"], "sex", data=people))  # Projection

out_of_fold = fit.crossfit(people, "sex")
reveal_type(out_of_fold)  # OutOfFoldScores
reveal_type(out_of_fold.estimates)  # Estimates
reveal_type(fairstats.leakage(out_of_fold))  # Leakage
reveal_type(fairstats.leakage(out_of_fold).estimates)  # Estimates
reveal_type(fairstats.component_tests(out_of_fold))  # Estimates
reveal_type(fairstats.extra_error(fit))  # ExtraError
reveal_type(fairstats.reconstruction_error_by_group(fit, people, "sex"))  # Estimates
reveal_type(fairstats.moments("rows.csv", "sex"))  # Moments

model = fairstats.fairlearn_reduction()
comparison = fairstats.compare(people, outcome="hired", groups="sex", features=["x"], model=model)
reveal_type(comparison)  # Comparison
reveal_type(comparison.estimates)  # Estimates

reveal_type(fairstats.kneighbors_graph([[0.0], [1.0]], 1))  # Graph
reveal_type(fairstats.simulate.sbm(10))  # Graph
reveal_type(fairstats.fair_spectral_clustering(fairstats.graph([[0.0]]), ["f"]))  # Partition

reveal_type(fairstats.load("audit.npz").estimates)  # Estimates
reveal_type(fairstats.load("audit.npz", fairstats.Audit))  # Audit
reveal_type(fairstats.load("fit.npz", fairstats.Projection).k)  # int
reveal_type(stats.p_adjust([0.1]))  # ndarray[tuple[Any, ...], dtype[float64]]
reveal_type(FairTransformer("og").fit([[1.0]], sensitive_features=["f"]))  # FairTransformer

fairstats.audit(people, desicion="hired", groups="sex")  # error: Unexpected keyword argument "desicion" for "audit"
fairstats.audit(people, 3, "sex")  # error: Argument 2 to "audit" has incompatible type "int"
fairstats.audit(people, "hired", "sex", p_adjust="hom")  # error: Argument "p_adjust" to "audit" has incompatible type
fairstats.og(["x"], "sex", data=people, basis="svt")  # error: Argument "basis" to "og" has incompatible type
fairstats.spectral_clustering([[0.0]], component="largst")  # error: Argument "component" to "spectral_clustering"
fairstats.audit(3, "hired", "sex")  # error: Argument 1 to "audit" has incompatible type "int"
fairstats.og(3, "sex")  # error: Argument 1 to "og" has incompatible type "int"
fairstats.og(["x"], 3, data=people)  # error: Argument 2 to "og" has incompatible type "int"
fairstats.og(["x"], "sex", data=3)  # error: Argument "data" to "og" has incompatible type "int"
audit.plot("rok")  # error: Argument 1 to "plot" of "Reads" has incompatible type
fit.tidy("loading")  # error: Argument 1 to "tidy" of "Projection" has incompatible type
print(audit.estimats)  # error: "Audit" has no attribute "estimats"
print(fairstats.audti)  # error: Module has no attribute "audti"
