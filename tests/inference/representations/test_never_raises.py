"""The extra error and the leakage of a fit are answers on any finite data: numbers, or their absence with a reason."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairstats
from fairstats.errors import FairstatsWarning, InputError

# what a feature may be: noise, a constant, few values, mostly zero, the groups themselves, huge, tiny, a copy
KINDS = ("noise", "constant", "ties", "zeros", "separated", "shifted", "huge", "tiny", "copy")


def column(kind: str, codes: np.ndarray, rng: np.random.Generator, before: np.ndarray) -> np.ndarray:
    noise = rng.normal(size=codes.size)
    return {
        "noise": noise,
        "constant": np.full(codes.size, 3.7),
        "ties": np.round(noise),
        "zeros": np.where(rng.random(codes.size) < 0.9, 0.0, noise),
        "separated": codes.astype(float),
        "shifted": noise + 9.0 * codes,
        "huge": 1e9 * noise,
        "tiny": 1e-9 * noise,
        "copy": before,
    }[kind]


@st.composite
def data(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int, bool, int]:
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    sizes = draw(st.lists(st.sampled_from((1, 2, 3, 6, 15)), min_size=2, max_size=4))
    codes = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    types = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=6)) * draw(st.sampled_from((1, 1, 8)))
    X = np.empty((codes.size, 0))
    for kind in types:
        last = X[:, -1] if X.shape[1] else np.ones(codes.size)
        X = np.column_stack([X, column(kind, codes, rng, last)])
    k = draw(st.integers(1, min(X.shape)))
    return X, codes, k, draw(st.booleans()), draw(st.integers(0, 3))


@settings(max_examples=12)
@given(data())
def test_the_extra_error_and_leakage_of_a_fit_never_raise(drawn: tuple[np.ndarray, np.ndarray, int, bool, int]) -> None:
    answered(*drawn)


@pytest.mark.slow
@settings(max_examples=80)
@given(data())
def test_they_never_raise_on_more_data(drawn: tuple[np.ndarray, np.ndarray, int, bool, int]) -> None:
    answered(*drawn)


def answered(X: np.ndarray, codes: np.ndarray, k: int, scale: bool, permutations: int) -> None:
    """Each of them is a number, or absent with a reason."""
    groups = np.array(list("abcd"))[codes]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FairstatsWarning)
        for method in (fairstats.pca, fairstats.og):
            try:
                fit = method(X, groups, k=k, scale=scale)
            except InputError:
                continue  # data without such a fit, a constant column with scale=True, have no answer about it
            result = fairstats.extra_error(fit, X, groups, permutations=permutations)
            assert np.isfinite(result.observed) and result.summary() and result.to_dict()
            assert np.isnan(result.conf_low) or 0 <= result.conf_low <= result.conf_high
            assert np.isfinite(result.conf_low) or result.why
            assert all(np.isnan(p) or 0 <= p <= 1 for p in (result.p_permutation, result.p_asymptotic))
            leaks = fairstats.leakage(fit, X, groups, permutations=permutations, margin=0.1)
            assert leaks.summary() and leaks.to_dict()
            assert all(r.status == "ok" or r.reason for r in leaks.estimates)
            assert all(not 0 <= r.estimate <= 1 or r.conf_low <= r.conf_high for r in leaks.estimates if r.verdict)


def test_tails_of_forms_of_any_size_are_probabilities() -> None:
    from fairstats.inference.representations.quadratic_forms import tail

    for scale in (1e-200, 1e-9, 1.0, 1e9, 1e200):
        for x in (1e-30, 1e-3, 1.0, 40.0, 1e4):
            for delta in (0.0, 1e-3, 30.0, 1e5):
                lam = scale * np.array([1.0, 1e-6, 0.3])
                assert 0 <= tail(x * scale, lam, 1, np.array([delta, 0.0, delta])).value <= 1
