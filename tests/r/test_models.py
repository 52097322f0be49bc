"""Models that R fits in compare: R's own numbers, R's warnings counted, R's errors in R's words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.errors import ConversionError, InputError, NumericalError, RError
from fairstats.r.models import model
from tests.oracle.r import run_r
from tests.r.bridge import requires_bridge

LDA = {"predict": "predict(fit, newdata)$posterior"}


@pytest.fixture(scope="module", autouse=True)
def bridge() -> None:
    requires_bridge("MASS", "rpart", "nnet", "ranger")


@pytest.fixture
def people(rng) -> pd.DataFrame:
    g = rng.integers(0, 2, 300)
    a, b = rng.normal(size=300) + g, rng.normal(size=300)
    return pd.DataFrame({"g": g, "a": a, "b": b, "y": (a + rng.logistic(size=300) > 0.5).astype(int)})


def compared(data: pd.DataFrame, result: object, **options: object):
    given = {"methods": ["none", "og"], "k": 2, "n_repeats": 4, "seed": 3, "progress": False, **options}
    return fairstats.compare(data, outcome="y", groups="g", features=["a", "b"], model=result, **given)


@pytest.mark.long
def test_scores_are_those_of_r_called_directly(rng):
    X, new = rng.normal(size=(200, 3)), rng.normal(size=(50, 3))
    y = (X[:, 0] + rng.logistic(size=200) > 0).astype(int)
    script = """
    d <- data.frame(x1 = input$X[[1]], x2 = input$X[[2]], x3 = input$X[[3]], y = input$y)
    n <- data.frame(x1 = input$new[[1]], x2 = input$new[[2]], x3 = input$new[[3]])
    probit <- glm(y ~ ., family = binomial("probit"), data = d)
    list(
      glm = unname(predict(glm(y ~ ., family = "binomial", data = d), n, type = "response")),
      lda = unname(predict(MASS::lda(y ~ ., data = d), n)$posterior[, 2]),
      loose = unname(predict(glm(y ~ ., family = "binomial", data = d, control = list(maxit = 25, epsilon = 1e-2)), n,
                             type = "response"))
    )
    """
    directly = run_r(script, {"X": X.T, "new": new.T, "y": y})
    entries = {
        "glm": model("glm", family="binomial"),
        "lda": model("MASS::lda", outcome="factor", **LDA),
        "loose": model("stats::glm", family="binomial", control={"maxit": 25, "epsilon": 1e-2}),
    }
    for name, expected in directly.items():
        np.testing.assert_allclose(entries[name].train(X, y, 0).score(new), expected, rtol=1e-13)


def test_what_a_class_of_r_predicts_is_known_as_to_r_itself(rng):
    X, new = rng.normal(size=(200, 2)), rng.normal(size=(50, 2))
    y = (X[:, 0] + rng.logistic(size=200) > 0).astype(int)
    script = """
    d <- data.frame(x1 = input$X[[1]], x2 = input$X[[2]])
    n <- data.frame(x1 = input$new[[1]], x2 = input$new[[2]])
    f <- cbind(d, y = factor(input$y))
    seeded <- function(value) { set.seed(5); value }
    list(
      glm = unname(predict(glm(y ~ ., binomial, f), n, type = "response")),
      `nnet::multinom` = unname(predict(nnet::multinom(y ~ ., f, trace = FALSE), n, type = "probs")),
      `rpart::rpart of numbers` = unname(predict(rpart::rpart(y ~ ., cbind(d, y = input$y)), n)),
      `stats::lm` = unname(pmin(pmax(predict(lm(y ~ ., cbind(d, y = input$y)), n), 0), 1)),
      `MASS::lda` = unname(predict(MASS::lda(y ~ ., data = f), n)$posterior[, "1"]),
      `rpart::rpart` = unname(predict(rpart::rpart(y ~ ., f), n, type = "prob")[, "1"]),
      `nnet::nnet` = unname(seeded(predict(nnet::nnet(y ~ ., f, size = 2, trace = FALSE), n)[, 1])),
      `ranger::ranger` = predict(ranger::ranger(y ~ ., f, probability = TRUE, seed = 1), n)$predictions[, "1"]
    )
    """
    options = {
        "nnet::nnet": {"size": 2, "trace": False},
        "nnet::multinom": {"trace": False},
        "rpart::rpart of numbers": {"outcome": "number"},
        "ranger::ranger": {"probability": True, "seed": 1},
    }
    for name, expected in run_r(script, {"X": X.T, "new": new.T, "y": y}).items():
        scores = model(name.split(" ")[0], **options.get(name, {})).train(X, y, 5).score(new)
        np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=1e-15, err_msg=name)


def test_compare_with_r_s_glm_gives_the_numbers_of_our_logistic_regression(people):
    ours, theirs = compared(people, "logistic"), compared(people, ("logistic", model("glm", family="binomial")))
    pd.testing.assert_frame_equal(ours.tidy(), theirs.tidy(), rtol=1e-6, atol=1e-8)


def test_the_result_names_the_model_and_its_call(people):
    result = compared(people, ["logistic", model("glm", family="binomial")])
    assert {t.model for t in result.terms} == {"logistic", "glm (R)"}
    assert "glm (R)" in result.provenance.call and "glm (R)" in str(result)


@pytest.mark.long
def test_what_r_warns_of_is_counted_and_not_repeated(people):
    people["y"] = (people["a"] > 0.5).astype(int)
    result = compared(people, model("glm", family="binomial"), methods=["none"])
    (term,) = result.terms
    assert set(term.problems.values()) == {4}
    assert any("fitted probabilities numerically 0 or 1" in p for p in term.problems)


def test_what_predicting_warns_of_is_a_problem_too(rng):
    X = rng.normal(size=(100, 2))
    fitted = model("glm", family="binomial").train(X[:, [0, 1, 0]], rng.integers(0, 2, 100), 0)
    assert any("rank-deficient" in p for p in fitted.problems)
    assert len(fitted.score(X[:, [0, 1, 0]])) == 100


def test_the_seed_reaches_r(rng):
    X, y = rng.normal(size=(50, 2)), rng.integers(0, 2, 50)
    noisy = model("lm", predict="runif(nrow(newdata))")
    scores = [noisy.train(X, y, seed).score(X) for seed in (1, 1, 2)]
    np.testing.assert_array_equal(scores[0], scores[1])
    assert not np.array_equal(scores[0], scores[2])


@pytest.mark.long
def test_processes_start_an_r_each_and_agree(people):
    one = compared(people, model("glm", family="binomial"), methods=["none"])
    two = compared(people, model("glm", family="binomial"), methods=["none"], n_jobs=2)
    pd.testing.assert_frame_equal(one.tidy(), two.tidy())


@pytest.mark.parametrize(
    ("result", "error", "message"),
    [
        (lambda: model("", family="binomial"), InputError, "no name of an R function"),
        (lambda: model(len), InputError, "function has a value of type builtin_function_or_method, and R fits a model"),
        (lambda: model("glm", outcome="factr"), InputError, "did you mean 'factor'"),
        (lambda: model("glm", family=object()), ConversionError, "family is a object"),
    ],
)
def test_bad_input_is_refused_at_once(result, error, message):
    with pytest.raises(error, match=message):
        result()


@pytest.mark.parametrize(
    ("result", "error", "message"),
    [
        (model("glmm", family="binomial"), RError, "no function 'glmm' in this session; .* as in MASS::lda"),
        (model("ranger"), RError, "no function 'ranger' in this session; .* as in ranger::ranger"),
        (model("glm", family="binomiall"), RError, "binomiall"),
        (model("lm", predict="2 * predict(fit, newdata)"), NumericalError, r"no numbers in \[0, 1\]"),
        (
            model("glm", family="binomial", predict="c(0.5, 0.5)"),
            NumericalError,
            "R predicted 2 values for",
        ),
        (model("MASS::lda", predict="predict(fit, newdata)"), NumericalError, "lda of R predicted 1 values"),
        (model("MASS::lda", predict="predict(fit, newdata)$class"), NumericalError, "or predict, R code"),
        (model("ranger::ranger"), NumericalError, "predicted classes in place of probabilities; .* probability=True"),
        (model("stats::model.frame"), RError, "no applicable method .*; pass predict, R code of fit and newdata"),
    ],
)
def test_what_r_cannot_fit_or_predict_stops_with_the_reason(people, result, error, message):
    with pytest.raises(error, match=message):
        compared(people, result)
