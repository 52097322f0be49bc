"""R called from Python: what it warns of, how it stops, who may call it, and what stays in R."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fairstats import r as fr
from fairstats.errors import ConversionError, DependencyError, InputError, RError, RWarning
from fairstats.r.sessions import shared_file
from tests.r import bridge
from tests.r.bridge import requires_bridge

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def r() -> fr.Session:
    requires_bridge()
    return fr.session()


def python(code: str, **environment: str) -> subprocess.CompletedProcess:
    env = {k: v for k, v in os.environ.items() if not k.startswith(("R_", "PYTHON_SESSION"))}
    command = [sys.executable, "-W", "ignore", "-c", code]
    env |= {"PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(command, capture_output=True, text=True, env=env, timeout=120)


def test_arguments_are_positional_named_and_kept(r):
    fit = r.keep("lm(dist ~ speed, data = d)", d=r.get("cars"))
    new = pd.DataFrame({"speed": [10.0, 20.0]})
    result = r.call("predict", fit, newdata=new, interval="confidence", level=0.9)
    assert list(result.columns) == ["fit", "lwr", "upr"]
    np.testing.assert_allclose(result["fit"], [21.744993, 61.069079], rtol=1e-6)
    assert fit.classes == ["lm"] and "Coefficients:" in repr(fit)


@pytest.mark.parametrize("index", [None, [10, 20, 30, 40, 50], list("vwxyz"), [2, 3, 4, 5, 6], [1, 2, 3, 4, 5]])
def test_rows_that_come_back_have_the_labels_of_the_frame_that_went_in(r, index):
    people = pd.DataFrame({"age": [20.0, 30.0, 65.0, 70.0, 50.0], "sex": list("fmfmf"), "y": [0, 1, 1, 0, 1]}, index)
    r.assign("sent", people)
    kept = r.keep("d", d=people)
    wanted = {
        "subset({}, age > 60, select = c(age, sex))": people.loc[people["age"] > 60, ["age", "sex"]],
        "head({}, 2)": people.head(2),
        "transform({}, age = age * 2)": people.assign(age=people["age"] * 2),
        "with({0}, {0}[order(-age), ])": people.sort_values("age", ascending=False),
    }
    for code, frame in wanted.items():
        rows = r.eval(code.format("d"), d=people)
        pd.testing.assert_frame_equal(rows, frame, check_dtype=False, check_index_type=False)
        if index is None and not code.startswith("transform"):  # which makes a frame anew
            frame = frame.set_axis(frame.index + 1)  # as R has them, of a frame that went in earlier
        if not (index is None and code.startswith("transform")):
            frame = frame.set_axis(frame.index.astype("str"))
        for rows in (r.eval(code.format("d"), d=kept), r.eval(code.format("sent"))):
            pd.testing.assert_frame_equal(rows, frame, check_dtype=False, check_index_type=False)
    assert [part.index.tolist() for part in r.eval("split(d, d$sex)", d=people).values()] == [
        people.index[people["sex"] == sex].tolist() for sex in "fm"
    ]
    fit = r.keep("lm(y ~ age, d)", d=people)
    people["fitted"] = r.call("predict", fit, people)
    expected = np.polyval(np.polyfit(people["age"], people["y"], 1), people["age"])
    np.testing.assert_allclose(people["fitted"], expected)
    assert r.call("residuals", fit).index.tolist() == [str(i + 1 if index is None else i) for i in people.index]
    for code in ("predict(m, d)", "{ x <- 1; stats::predict(m, newdata = d) }"):
        pd.testing.assert_series_equal(people["fitted"], r.eval(code, m=fit, d=people), check_names=False)
    for values in (
        r.eval("predict(m)", m=fit, d=people),
        r.call("predict", fit, data=people),
    ):  # of another frame's rows
        assert values.index.tolist() == [str(i + 1 if index is None else i) for i in people.index]
    limits = r.call("predict", fit, people, interval="confidence")
    np.testing.assert_allclose(people["fitted"] - limits["fit"], 0, atol=1e-12)


def test_row_names_of_r_and_names_of_groups_stay_as_r_has_them(r):
    people = pd.DataFrame({"g": [1, 2, 3], "x": [1.0, 2.0, 4.0]})
    late = r.eval("subset(data.frame(a = c(5, 6, 7)), a > 5)")
    assert late.index.tolist() == ["2", "3"]
    assert r.eval("identical(late, subset(data.frame(a = c(5, 6, 7)), a > 5))", late=late)
    for values in ({}, {"d": people}):
        assert r.eval("data.frame(x = 1:2, row.names = c(2019L, 2020L))", **values).index.tolist() == ["2019", "2020"]
    # As many groups as rows, named as R names the rows.
    code = "sapply(split(d$x, d$g), sum)"
    assert r.eval(code, d=people).to_dict() == {"1": 1.0, "2": 2.0, "3": 4.0}
    assert r.call(r.keep(f"function(d) {code}"), people).to_dict() == {"1": 1.0, "2": 2.0, "3": 4.0}


def test_a_row_never_has_the_label_of_another(r):
    trial = pd.DataFrame({"x": [1.0, 2.0, 3.0]}, index=[101, 102, 103])
    r.assign("trial", trial)
    r.eval("adults <- trial; NULL")
    assert r.eval("subset(adults, x > 1)").index.tolist() == ["102", "103"]
    # A whole frame of R counts from 0, and text pairs with none of its rows.
    r.assign("people", trial.reset_index(drop=True))
    whole = r.get("people")
    whole["old"] = r.eval("transform(subset(people, x > 1), old = TRUE)")["old"]
    assert whole.index.tolist() == [0, 1, 2] and whole["old"].isna().all()
    # Rows 2 and 3 are of either frame, and stay as R has them.
    people, others = trial.reset_index(drop=True), trial.set_axis([2, 3, 4])
    for data in (others, r.keep("d", d=others)):
        assert r.eval("subset(e, x < 3)", d=people, e=data).index.tolist() == ["2", "3"]
    assert r.eval("subset(d, x > 1)", d=people, e=trial.set_axis(list("abc"))).index.tolist() == [1, 2]


def test_counts_by_one_factor_and_tables_of_variance_are_tables_of_pandas(r):
    assert r.eval("table(c('a', 'b', 'a'))").to_dict() == {"a": 2, "b": 1}
    assert r.eval("tapply(c(1, 2, 3), c('a', 'b', 'a'), mean)").to_dict() == {"a": 2.0, "b": 2.0}
    result = r.eval("anova(lm(dist ~ speed, cars))")
    assert result.index.tolist() == ["speed", "Residuals"] and result["Df"].tolist() == [1, 48]
    with pytest.raises(ConversionError, match=r"class table, .* as\.data\.frame"):
        r.eval("table(cars$speed > 9, cars$dist > 9)")


def test_an_index_of_an_earlier_variable_says_nothing_of_an_argument_of_its_name(r):
    people = pd.DataFrame({"x": [1.0, 2.0, 3.0]})
    r.assign("d", people.set_axis([3, 2, 1]))
    assert r.eval("d[2:3, , drop = FALSE]", d=people).index.tolist() == [1, 2]
    assert r.eval("d[2:3, , drop = FALSE]").index.tolist() == ["2", "1"]


def test_predictions_for_rows_that_r_put_in_another_order_have_no_index_of_the_frame(r):
    people = pd.DataFrame({"age": [50.0, 20.0, 40.0, 30.0], "y": [0, 1, 1, 0]})
    fit = r.keep("lm(y ~ age, d)", d=people)
    by_row = "stats::predict(m, newdata = d)", "fitted(lm(y ~ age, d))", "f <- lm(y ~ age, data = d); fitted(f)"
    for code in by_row:
        assert r.eval(code, m=fit, d=people).index.tolist() == [0, 1, 2, 3]
    reorder = "{ d <- d[order(d$age), ]; rownames(d) <- NULL; d }"
    for code in (
        f"predict(m, {reorder})",
        f"d <- {reorder}; predict(m, d)",
        f"fitted(lm(y ~ age, {reorder}))",
        f"again <- function(d) {reorder}; predict(m, again(d))",
        "predict(m, merge(d, data.frame(age = c(20, 30, 40, 50))))",
    ):
        assert r.eval(code, m=fit, d=people).index.tolist() == ["1", "2", "3", "4"], code


def test_a_vector_with_gaps_is_a_vector_of_r(r):
    for values, kind in (([1, None, 3], "integer"), (["a", None], "character"), ([None, True], "logical"),
                         ([0.5, None], "numeric")):  # fmt: skip
        assert r.eval("class(x)", x=values) == kind
        assert r.eval("is.na(x)", x=values).tolist() == [value is None for value in values]
    assert r.eval("is.list(x)", x=[1, None, "a"]) and r.eval("is.list(x)", x=[None, None])


def test_a_missing_number_of_r_is_left_out_by_numpy_and_is_na_again_in_r(r):
    numbers = r.eval("c(.2, .7, NA, .9)")
    assert np.nanmin(numbers) == 0.2 and np.nanmax(numbers) == 0.9
    assert r.eval("is.na(x) & !is.nan(x)", x=r.eval("c(1, NA, NaN)")).tolist() == [False, True, False]


def test_underscores_are_dots_where_the_function_or_its_method_has_that_argument(r):
    x = np.array([1.0, np.nan, 9.0])
    assert r.call("stats::median", x, na_rm=True) == 5.0
    assert r.call("quantile", x, probs=0.5, na_rm=True, names=False) == 5.0  # of quantile.default
    assert r.call(r.keep("function(two_words = 1) two_words"), two_words=7) == 7


def test_the_call_that_r_sees_names_the_data_and_does_not_hold_them(r):
    fit = r.keep_call("lm", "dist ~ speed", data=r.get("cars"))
    assert r.call("deparse", r.keep("fit$call", fit=fit)) == "lm(formula = x1, data = data)"


def test_a_function_without_arguments_answers_in_its_own_words(r):
    assert r.call("nlevels", r.keep("factor('a')")) == 1 and r.call("getwd") == r.eval("getwd()")
    with pytest.raises(RError, match='argument "x" is missing'):
        r.call("mean")


def test_values_are_variables_of_a_separate_scope(r):
    r.assign("kept", 1)
    assert r.eval("kept <- x; kept", x=5) == 5
    assert r.get("kept") == 1
    r.eval("kept <- 2L")
    assert r.get("kept") == 2


def test_an_error_carries_the_message_the_call_and_the_calls_that_led_there(r):
    r.eval("inner <- function(x) stop('no ', x); outer_one <- function() inner('bread'); NULL")
    with pytest.raises(RError, match=r'^R: no bread \(in inner\("bread"\)\)$') as caught:
        r.eval("outer_one()")
    assert caught.value.message == "no bread" and caught.value.call == 'inner("bread")'
    assert caught.value.traceback == ["outer_one()", 'inner("bread")', 'stop("no ", x)']
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.traceback == caught.value.traceback


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("1 +", r"(?s)unexpected end of input(?!.*in parse)"),
        ("no_such_thing", "^R: object 'no_such_thing' not found$"),
        ("stop()", "^R: "),
        ("h <- function(n) h(n + 1); h(1)", "too close to the limit|nested too deeply"),
        ("quit()", "would end Python too"),
        ("base::q('no', 3)", "would end Python too"),
        ("library(noSuchPackage)", "noSuchPackage"),
        (
            "rlang_like <- structure(class = c('own', 'error', 'condition'), list(message = 'mine')); stop(rlang_like)",
            "mine",
        ),
    ],
)
def test_r_is_usable_after_every_kind_of_error(r, code, message):
    with pytest.raises(RError, match=message):
        r.eval(code)
    assert r.eval("1 + 1") == 2


def test_a_name_that_r_does_not_know_is_an_error_in_its_words(r):
    with pytest.raises(RError, match="no_such_function"):
        r.call("no_such_function", 1)
    with pytest.raises(RError, match="noSuchPackage"):
        r.call("noSuchPackage::f", 1)
    with pytest.raises(RError, match="no function"):
        r.call(r.keep("1"), 1)
    with pytest.raises(InputError, match="no R object"):
        fr.from_r(1)


def test_arguments_without_counterpart_are_named(r):
    with pytest.raises(ConversionError, match="na_rm is a object"):
        r.call("median", 1, na_rm=object())


def test_warnings_are_python_s_each_text_once_a_call_at_the_caller_s_line(r):
    with pytest.warns(RWarning) as caught:
        assert r.eval("for (i in 1:100) warning('again'); warning('and this'); 'done'") == "done"
    assert [str(w.message) for w in caught] == ["again", "and this"]
    assert caught[0].filename == __file__
    with pytest.warns(RWarning, match="NaNs produced"):
        assert np.isnan(r.call("log", -1.0))


def test_what_r_prints_and_says_reaches_python_s_streams(r, capsys):
    r.eval("cat('é printed\\n'); message('said')")
    out, err = capsys.readouterr()
    assert out == "é printed\n" and err == "said\n"


def test_four_threads_do_not_mix_their_answers(r):
    def work(i: int) -> float:
        frame = pd.DataFrame({"x": np.full(1000, float(i)), "f": pd.Categorical(["a", "b"] * 500)})
        kept = fr.to_r(frame)
        with pytest.raises(RError, match=f"^R: stop {i}$"):
            r.eval("stop('stop ', i, call. = FALSE)", i=i)
        return r.call("sum", r.keep("d$x", d=kept))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(60))) == [1000.0 * i for i in range(60)]


def test_objects_that_python_forgets_are_freed_in_r(r):
    r.assign("freed", False)
    kept = r.keep(
        "local({ e <- new.env(); reg.finalizer(e, function(e) assign('freed', TRUE, envir = globalenv())); e })"
    )
    r.eval("invisible(gc())")
    assert r.get("freed") is False and kept.classes == ["environment"]
    del kept
    r.eval("invisible(gc())")
    assert r.get("freed") is True


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
@pytest.mark.parametrize("code", ["i <- 0; repeat i <- i + 1", "Sys.sleep(30)"])
def test_ctrl_c_stops_r_and_leaves_it_usable(r, code):
    assert threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs behind
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            r.eval(code)
        timer.join()
        assert r.eval("1 + 1") == 2
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_starting_r_leaves_the_environment_of_children_alone():
    requires_bridge()
    code = (
        "import os, signal; before = dict(os.environ); mine = lambda *_: None; signal.signal(signal.SIGINT, mine)\n"
        "from fairstats.r import session; session()\n"
        "new = (k for k in os.environ if os.environ[k] != before.get(k))\n"
        "print([k for k in new if not k.startswith(('R_', 'PYTHON_S'))])\n"
        "print(signal.getsignal(signal.SIGINT) is mine, session().eval('Sys.timezone()'))"
    )
    done = python(code, TZ="Europe/Berlin")
    assert done.stdout.splitlines() == ["[]", "True Europe/Berlin"], done.stderr


def test_a_container_without_systemd_and_tz_is_quiet():
    requires_bridge()
    env = {k: v for k, v in os.environ.items() if k != "TZ" and not k.startswith(("R_", "PYTHON_SESSION"))}
    code = "from fairstats.r import session; print(session().eval('Sys.time()').tzinfo)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**env, "PYTHONPATH": str(ROOT)}, timeout=120
    )
    assert done.returncode == 0 and done.stderr == ""


def test_python_inside_r_is_refused():
    code = "import os, sys; {}; from fairstats.r import session; session()"
    for inside in (
        "sys.modules['rpycall'] = sys",
        "os.environ['R_SESSION_INITIALIZED'] = f'PID={os.getpid()}:NAME=\"reticulate\"'",
    ):
        done = python(code.format(inside))
        assert done.returncode == 1 and "DependencyError: this Python runs inside R" in done.stderr


def test_r_inside_python_refuses_to_start_another_python(r):
    file = str(ROOT / "r" / "fairstats" / "R" / "python.R")
    with pytest.raises(RError, match="R runs inside Python"):
        r.eval("here <- new.env(); sys.source(file, here); here$start_remote()", file=file)


def test_a_child_of_r_is_not_inside_r():
    requires_bridge()
    code = "from fairstats.r import session; print(session().eval('1L'))"
    assert python(code, R_SESSION_INITIALIZED='PID=1:NAME="reticulate"').stdout == "1\n"


def test_without_rpy2_the_message_names_the_extra():
    hidden = (
        "import importlib.util as u; find = u.find_spec; u.find_spec = lambda n: None if n == 'rpy2' else find(n)\n"
    )
    done = python(hidden + "import fairstats.r as r; r.session()")
    assert "DependencyError: the bridge to R needs rpy2" in done.stderr and "part of the extra r" in done.stderr


def test_in_ci_the_bridge_must_not_be_skipped(monkeypatch):
    monkeypatch.setattr(bridge, "requires_r", lambda *packages: None)
    monkeypatch.setattr(bridge, "_missing", lambda: "the bridge to R needs rpy2")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="needs rpy2"):
        requires_bridge()
    monkeypatch.setenv("CI", "")
    with pytest.raises(pytest.skip.Exception, match="needs rpy2"):
        requires_bridge()


def test_without_r_the_message_names_it(tmp_path):
    requires_bridge()
    done = python("import fairstats.r as r; r.session()", PATH=str(tmp_path))
    assert "DependencyError: the bridge to R needs R, which is not on the PATH" in done.stderr


def test_a_fork_is_refused(r, monkeypatch):
    engine = fr.sessions.engine()
    monkeypatch.setattr(engine, "_process", -1)
    with pytest.raises(DependencyError, match="forked"):
        r.eval("1")


def test_the_wire_is_found_in_the_wheel_and_in_a_checkout(tmp_path):
    (tmp_path / "_wire.R").write_text("")
    assert shared_file("wire.R", tmp_path) == tmp_path / "_wire.R"
    assert shared_file("predicted.R", tmp_path) == ROOT / "r/fairstats/R/predicted.R"


def test_threads_that_ask_first_at_once_share_one_r():
    requires_bridge()
    code = (
        "from concurrent.futures import ThreadPoolExecutor; from fairstats.r import from_r, to_r\n"
        "with ThreadPoolExecutor(4) as pool: kept = list(pool.map(to_r, range(8)))\n"
        "print([from_r(k) for k in kept])"
    )
    assert python(code).stdout == "[0, 1, 2, 3, 4, 5, 6, 7]\n"


def test_ending_python_ends_r_quietly():
    requires_bridge()
    code = (
        "import threading; from fairstats.r import session, to_r\n"
        "kept = to_r([1, 2]); threading.Thread(target=lambda: session().eval('Sys.sleep(0.1)')).start()"
    )
    done = python(code)
    assert done.returncode == 0 and done.stderr == ""


RELEASED, COLOUR = "factor(c('No', 'Yes', 'Yes')[1 + (1:60) %% 3])", "factor(c('b', 'a')[1 + (1:60) %% 2])"
ARRESTS = f"data.frame(released = {RELEASED}, colour = {COLOUR})"


def test_objects_of_rpy2_are_data_wherever_data_go(r):
    import fairstats

    ro = pytest.importorskip("rpy2.robjects")
    frame = ro.r(ARRESTS)
    present = fr.from_r(frame)
    assert present["colour"].tolist()[:2] == ["a", "b"]
    wanted = fairstats.audit(present, "released", "colour", favorable="Yes").tidy()
    columns = {name: ro.r(f"{ARRESTS}${name}") for name in ("released", "colour")}
    for data in (frame, ro.r(f"tibble::as_tibble({ARRESTS})"), r.keep(ARRESTS), columns):
        pd.testing.assert_frame_equal(fairstats.audit(data, "released", "colour", favorable="Yes").tidy(), wanted)
    alone = fairstats.audit(decision=columns["released"], groups=columns["colour"], favorable="Yes").tidy()
    assert alone["estimate"].tolist() == pytest.approx(wanted["estimate"].tolist(), nan_ok=True)
    # names and labels as R's vectors: those that are columns are their names
    said = {"decision": "released", "groups": "colour", "favorable": "Yes"}
    named = {name: ro.StrVector([text]) for name, text in said.items()}
    pd.testing.assert_frame_equal(fairstats.audit(frame, **named).tidy(), wanted)
    # a factor is its labels and not its codes, and missing integers are missing
    X = pd.DataFrame({"x": np.sqrt(np.arange(60.0)), "y": np.arange(60.0) ** 2})
    assert fairstats.og(X, columns["colour"], k=1).encoding.levels == (("a", "b"),)
    assert fairstats.tally(frame, "released", "colour").rows.sum() == 60
    assert r.call("nrow", frame) == 60
    assert fr.from_r(ro.r("c(1L, NA)")).isna().tolist() == [False, True]
    with pytest.raises(ConversionError, match="R class function, which is not converted"):
        fr.from_r(ro.r("function(x) x"))
    # a column of lists keeps no table back that nobody reads it of; a model says how its predictions become a column
    listed = ro.r(f"{{ d <- {ARRESTS}; d$fits <- rep(list(mean), 60); d$parts <- as.list(1:60); d }}")
    pd.testing.assert_frame_equal(fairstats.audit(listed, "released", "colour", favorable="Yes").tidy(), wanted)
    with pytest.raises(fairstats.InputError, match="groups='parts' holds list values, which are no labels"):
        fairstats.audit(listed, "released", "parts", favorable="Yes")
    with pytest.raises(ConversionError, match=r"class glm, lm, .*data\$p <- predict\(model, type = \"response\"\)\.$"):
        fairstats.audit(ro.r("glm(am ~ wt, binomial, mtcars)"), "released", "colour")
    made = ro.r("structure(list(call = quote(f(x)), predictions = 1:3, n = 3L), class = 'ranger.prediction')")
    with pytest.raises(ConversionError, match=r"; take a part of it in R, as x\$predictions; it has predictions, n\."):
        fr.from_r(made)
    with pytest.raises(InputError, match="given a dict, which is no R object"):
        fr.from_r({})


def test_integers_of_64_bits_keep_every_digit(r):
    requires_bridge("bit64")
    result = r.eval("bit64::as.integer64(c('9007199254740993', '-1'))")
    assert result.tolist() == [9007199254740993, -1] and result.dtype == np.int64
    assert r.eval("bit64::as.integer64(c(1, NA))").isna().tolist() == [False, True]
    there = r.keep(
        "data.frame(id = bit64::as.integer64(c('5000000001', '9007199254740993', NA)), n = bit64::as.integer64(3:1))"
    )
    frame = r.eval("d", d=there)
    assert frame["id"].tolist()[:2] == [5000000001, 9007199254740993] and frame["n"].dtype == np.int64
    assert r.eval("identical(as.list(d), as.list(e))", d=there, e=frame)
    # of numbers that R never had those alone that nothing else in R holds
    wide = pd.DataFrame({"id": [2**53 + 1, -1, 2], "n": [2**40, 1, 2]})
    assert r.eval("c(class(d$id), class(d$n), format(d$id[1]))", d=wide).tolist() == [
        "integer64",
        "numeric",
        str(2**53 + 1),
    ]


def test_missing_values_that_rpy2_hands_out_are_missing_or_refused(r):
    """Columns and lists of rpy2's vectors hold them as objects of rpy2, or as the number -2147483648."""
    import fairstats

    ro = pytest.importorskip("rpy2.robjects")
    frame = pd.DataFrame({"y": [1, 0] * 30})
    for name, code in {
        "whole": "c(NA, rep_len(0:1, 59))",
        "number": "as.numeric(1:60)",
        "yes": "c(NA, rep_len(c(TRUE, FALSE), 59))",
        "text": "c(NA, rep_len(c('a', 'b'), 59))",
        "factor": "factor(c(NA, rep_len(c('a', 'b'), 59)))",
    }.items():
        frame[name] = ro.r(code)
    frame["number"] = frame["number"].where(frame["number"] > 1, -(2.0**31))
    calls = {
        "whole": lambda: fairstats.audit(frame, "whole", "text", favorable=1),
        "number": lambda: fairstats.audit(frame, amount="number", groups="text"),
        "factor": lambda: fairstats.audit(frame, "y", "factor", favorable=1),
    }
    for name, call in calls.items():
        with pytest.raises(InputError, match=f"{name}' with -2147483648, which rpy2 makes of R's missing"):
            call()
    columns = {"yes": ro.r("c(NA, rep_len(c(TRUE, FALSE), 59))"), "text": ro.r("c(NA, rep_len(c('a', 'b'), 59))")}
    wanted = fairstats.audit(columns, "yes", "text", favorable=True)
    result = fairstats.audit(frame, "yes", "text", favorable=True)
    pd.testing.assert_frame_equal(result.tidy(), wanted.tidy())
    present = ro.r("c(1L, NA)"), ro.r("c(TRUE, NA)"), ro.r("c('x', NA)")
    for vector, kind in zip(present, ("integer", "logical", "character"), strict=True):
        assert r.eval("list(typeof(x), is.na(x))", x=list(vector))[0] == kind
        assert r.eval("is.na(x)", x=list(vector)).tolist() == [False, True]
        assert r.call("is.na", vector[1]) is True and r.call("typeof", vector[1]) == kind


def test_predictions_of_rpy2_for_a_data_frame_of_rpy2_are_of_its_rows(r):
    import fairstats

    ro = pytest.importorskip("rpy2.robjects")
    ro.r("cars.of.r <- transform(mtcars, am = factor(am)); rownames(cars.of.r) <- NULL")
    ro.r("model.of.r <- lm(mpg ~ wt, cars.of.r)")
    data, scores = ro.r("cars.of.r"), ro.r("predict(model.of.r, cars.of.r)")
    wanted = fairstats.audit(fr.from_r(data).assign(s=np.asarray(scores)), score="s", threshold=20, groups="am")
    for given in (scores, r.keep("predict(model.of.r, cars.of.r)")):
        audit = fairstats.audit(data, score=given, threshold=20, groups="am")
        assert audit.tidy()["estimate"].equals(wanted.tidy()["estimate"])
    with pytest.raises(InputError, match="different indexes"):
        fairstats.audit(data, score=ro.r("predict(model.of.r, cars.of.r[32:1, ])"), threshold=20, groups="am")
    ro.r("cars.of.r$mpg[c(3, 30)] <- NA")
    gaps = fairstats.audit(ro.r("cars.of.r"), score="mpg", threshold=20, groups="am")
    assert gaps.tidy(metric="selection rate")["n"].max() < 20


def test_objects_of_rpy2_are_not_evaluated_and_keep_their_class(r, tmp_path):
    ro = pytest.importorskip("rpy2.robjects")
    with pytest.raises(ConversionError, match="R class call, which is not converted; only data cross"):
        fr.from_r(ro.r("quote(stop('this ran'))"))
    assert fr.from_r(ro.r("array(c(0.5, 1), 2L, list(c('a', 'b')))")).to_dict() == {"a": 0.5, "b": 1.0}
    data = ro.r("data.frame(g = factor(c('a', 'b')), y = 1:2)")
    assert len(fr.plot("plot(y ~ as.integer(g), d)", d=data).pages) == 1
    fr.write_rds(data, tmp_path / "d.rds")
    assert r.eval("identical(readRDS(f), d)", f=str(tmp_path / "d.rds"), d=data)


def test_instants_come_back_to_the_microsecond(r):
    instants = pd.date_range("2024-01-01 00:00:00.000001", periods=1000, freq="7001us", tz="UTC")
    assert (fr.from_r(fr.to_r(pd.DataFrame({"t": instants})))["t"] == instants).all()
