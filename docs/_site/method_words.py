"""What a method's page says beside its docstring: its problem, its estimator, where its source is wrong, its cost.

A method of the registry without a row here has a page from its docstring alone.
"""

from __future__ import annotations

from dataclasses import dataclass

# Costs by what a method is made of; n rows, p features, q columns of groups, k components.
MOMENTS = (
    "One pass over the rows, about 1.1 to 1.2 times a bare Gram matrix: O(np²) time and O(p²) memory, whatever n is; then an "
    "eigenproblem of p × p. Where p > n, products with the rows instead, and no p × p or n × n matrix. Moments of parts "
    "add up, so files larger than memory, streams and clusters give the same fit."
)
ROWS = "The rows themselves are needed, in memory; nothing of size n × n is formed unless the text above says so."
SOUND = "We know of no statement of the source that does not hold; what it states is a test of ours."


@dataclass(frozen=True)
class Words:
    """Prose of one page; "" takes what the docstring or the registry says."""

    problem: str
    estimator: str
    differs: str = ""
    cost: str = ""


WORDS: dict[str, Words] = {
    "pca": Words(
        "Keep as much of the variation of p features as k numbers a row can. Nothing is asked of the groups: this is what the "
        "other methods are priced against.",
        "X_c = V D Uᵀ; scores S = X_c U_k, reconstruction S U_kᵀ.",
    ),
    "og": Words(
        "Rebuild the data from k components that are uncorrelated with the groups, so that a model trained on them has no linear "
        "access to the group.",
        "X_c = V D Uᵀ to rank k, M_Z the projector off the group columns Z: scores S = M_Z X_c U_k, adjusted data S U_kᵀ. A "
        'new row is s = (x − μ)U_k − (z − z̄)Λ with Λ = (ZᵀZ)⁻¹ZᵀX_cU_k, so its group has to be known. ``basis="residual"`` '
        "takes U from M_Z X_c, which is the optimum.",
        "Lemma 2.2 states that the scores from PCA's own basis are optimal. They are not: for SᵀZ = 0, ‖X_c − SUᵀ‖² = ‖P_ZX_c‖² + "
        "‖M_ZX_c − SUᵀ‖², whose minimum is the rank-k SVD of M_ZX_c. Counter-example: two rows a group, X_c = (±3, 0) in step "
        "with the group plus (0, ±1) within it; for k = 1 the paper's basis leaves an extra error of 36, the optimum 32 (the "
        "example below). The default is the paper's method; the summary prints the extra error of both. The literal P_Z of the "
        "paper projects on uncentered indicators (``intercept=False``), and leaves correlations as large as 0.57. Tables 1 "
        "and 2 of the paper print shares of all people under the names of conditional rates.",
    ),
    "sog": Words(
        "The components of OG, with loadings that are sparse enough to be read: few features a component.",
        "Component j maximizes sᵀX_cu over ‖s‖ ≤ 1, s orthogonal to Z and to the earlier scores, ‖u‖₂ ≤ 1, ‖u‖₁ ≤ t, by alternating "
        "s and u; the threshold of u is found exactly by sorting. It runs on the moments: C ← C − Cuuᵀ C/d² after each component.",
        "The paper's appendix and its R code test the unnormalized vector against t, and crash for legal t. Starts of ours are "
        "deterministic, and end at least as high as every seed of the R code on the inputs that were compared.",
    ),
    "fair_pca": Words(
        "Find k components on which all groups have the same mean, for people whose group need not be known later.",
        "Maximize tr(UᵀX_cᵀX_cU) over orthonormal U with ZᵀX_cU = 0: the leading eigenvectors of X_cᵀX_c in the complement of "
        'X_cᵀZ. ``equalize="covariance"`` (fair PCA-S) first keeps the directions in which the groups\' covariances differ least.',
        "The authors' code scales the appended components of the trade-off by λ³ where the paper has λ; we follow the paper. "
        "The plain deflation (I − QQᵀ)C(I − QQᵀ) would let a removed direction back in where X is rank-deficient.",
    ),
    "fair_kernel_pca": Words(
        "The same for non-linear features: functions from a kernel's feature space that have equal means in all groups.",
        "Ordinary kernel PCA of K − KZ(ZᵀKZ)⁺ZᵀK, K the centered kernel; with ``landmarks`` the Nyström approximation.",
        "The authors solve a generalized eigenproblem that is singular where K is, and add a ridge of 1e-5. Neither is needed. "
        "The sigmoid kernel is indefinite: its negative part is cut off, and the share reported.",
        "The exact kernel holds n × n numbers (O(n²) memory, O(n³) time); with m landmarks O(nm) memory and O(nm²) time.",
    ),
    "minimax_pca": Words(
        "Plain PCA may serve a small group badly. Find the k components for which the worst-off group loses as little as can be, "
        "each group compared with its own best components.",
        "Minimize over U the largest RE_g(U) − min_V RE_g(V). The dual φ(w) = Σ w_gσ_g − Σᵢ≤k λᵢ(Σ w_gS_g) is concave in the "
        "weights of the groups; for two groups its root is found, and the tied eigenspace rotated until both losses are equal.",
        "The title's *one extra dimension* is not needed for two groups: an exact solution of rank k exists (Tantipongpipat et al. "
        "2019; Shen et al. 2025), and is what we return. The linear program of the 2018 paper guarantees only k + G − 1 components for "
        "G groups; the bound here is k + ⌊√(2G + 1/4) − 3/2⌋.",
        MOMENTS + " One such matrix a group; some tens of eigenproblems.",
    ),
    "disparity_pca": Words(
        "Trade the error of the reconstruction against the gap between the errors of two named groups, by one number λ.",
        'The k algebraically largest eigenvectors of λS + (1 − λ)(S_B − S_A); λ = 1 is PCA. ``lam="balance"`` finds the λ at which '
        "the gap is 0.",
        "The gap may jump over 0 as λ moves (in the notes' own example from 4.67 to −9.67 at λ = 86/101), so that no λ balances the "
        "groups; at the jump the tied eigenspace is rotated until it does.",
    ),
    "leace_pca": Words(
        "Principal components of features from which every linear trace of the groups has been erased: the strongest competitor of OG "
        "that needs no group of new people.",
        "PCA of r(X), with r the map of ``leace``.",
    ),
    "leace": Words(
        "Change p features as little as possible so that no linear predictor can tell the groups from them; new people's groups need "
        "not be known.",
        "r(x) = x − W⁺PW(x − μ), W = Σ_xx^(−1/2), P the projector onto the columns of WΣ_xz.",
        "The authors' code shrinks Σ_xx by default, and then the map is no longer the least change; its threshold for the rank of "
        "WΣ_xz is absolute (0.01) and leaves a weak concept in place. Here nothing is shrunk, and ranks are relative.",
    ),
    "fpca": Words(
        "Bound the differences of the groups' means (δ) and covariances (μ) on the components, by convex programming.",
        "A semidefinite program over matrices 0 ⪯ P ⪯ I of trace k; the loadings are the k leading eigenvectors of P.",
        "P is in general far from a projector: the bounds hold for P, and carry over to its k leading eigenvectors only where δ = 0. "
        "The paper has one t and one φ for both signs, and tr P ≤ k, with which P may vanish; the authors' program has what is here.",
        "A semidefinite program of p × p: seconds for 60 features, minutes for 100.",
    ),
    "mbf_pca": Words(
        "Make the whole distributions of the groups' scores alike, not their means alone, as the maximum mean discrepancy measures it.",
        "Maximize the explained variance over orthonormal U with MMD²(U) ≤ τ: an exact penalty on the Stiefel manifold (REPMS), "
        "with an augmented Lagrangian at the end.",
        "The penalty alone finds only the solutions that are best for some price of discrepancy, and doubling it overshoots. A τ below "
        "1/n₀ + 1/n₁ asks for less discrepancy than samples of equal distributions show: a fit to noise.",
        "O(n²) time, memory O(n) (the kernel is formed block by block): seconds for a thousand rows at τ = 1e-3, minutes at 1e-6.",
    ),
    "inlp_pca": Words(
        "Components after directions that tell the groups were taken out one by one, until k are left.",
        "PCA of the features off the directions that successive linear probes found.",
        "No promise follows from stopping: what is left may still tell the groups.",
        "One logistic probe a round: O(np) memory.",
    ),
    "inlp": Words(
        "Erase a concept from embeddings by projecting away, round after round, what a linear classifier finds.",
        "x ↦ (I − BBᵀ)(x − μ) + μ, B an orthonormal basis of the probes' coefficients.",
        "That no probe remains is not promised: the procedure stops after its rounds. ``leace`` does promise it, with the least change.",
        "One logistic probe a round: O(np) memory.",
    ),
    "rlace_pca": Words(
        "Components after the subspace of the minimax game is taken out.",
        "PCA of the features off the subspace of rank p − k that ``rlace`` finds.",
        "As for ``rlace``.",
        "One logistic fit a step of the game.",
    ),
    "rlace": Words(
        "Erase a concept with the projection of given rank against which the best linear adversary does worst.",
        "max over P, min over θ of the logistic loss of X(I − P)θ, P relaxed to the Fantope; dual averaging, the adversary solved to "
        "its optimum at each step.",
        "The authors alternate single gradient steps, which oscillate. Chance is reached where, and only where, all groups have the "
        "same mean (Belrose et al. 2023, theorem 3.1): then ``leace`` reaches it in closed form, with less change.",
        "One logistic fit a step of the game.",
    ),
    "residualize": Words(
        "The simplest adjustment: each feature less what the groups predict of it.",
        "M_Z X with the features' means added back; a new row needs its group.",
        "",
        "One regression: O(npq) time, the adjusted table in memory.",
    ),
    "location_scale": Words(
        "Bring every feature to the same mean and spread in every group, as is done with batches of a laboratory.",
        "x ↦ μ + s (x − m_g)/s_g, feature by feature; s the pooled standard deviation within groups.",
        "This is ComBat without its empirical Bayes step, which borrows strength across thousands of features and would leave "
        "differences in a few.",
        "Two passes over the rows.",
    ),
    "spectral": Words(
        "Find communities of a graph without regard to the groups: what the fair clustering is priced against.",
        "k-means on the rows of the eigenvectors of the k smallest eigenvalues of the Laplacian.",
        "",
        "A sparse eigenproblem by block Lanczos: O(edges · k) a step; 100 000 vertices and 5 million edges in seconds.",
    ),
    "fair_spectral": Words(
        "Find communities each of which is made up of the groups as the whole graph is.",
        "Minimize tr(HᵀLH) over HᵀDH = I and FᵀH = 0, F the centered indicators of the groups; then k-means on the rows of H.",
        "The guarantee is of the embedding H. Rounding to clusters gives it up in part; the summary prints the balance of every "
        "cluster. The authors' algorithm inverts in the null space of F, which "
        "makes a sparse graph dense; here the constraint is projected out of every product.",
        "1.05 times the plain spectral clustering.",
    ),
}
