"""Plain arguments checked: the one place where a number, a choice, a flag, a text or an array that a user gave is read.

Every function takes the argument's name and its value, and returns the value as the package uses it or raises an
`InputError` of one form: the argument has the value; the fact; the way out.
"""

from __future__ import annotations

import functools
import inspect
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from numbers import Real
from typing import Any, Final, Literal, ParamSpec, TypeVar

from fairstats.errors import (
    Call,
    InputError,
    InputTypeError,
    OutOfRange,
    Setting,
    in_code,
    kind_in_code,
    named,
    nearest,
    with_hint,
)
from fairstats.language import say

Option = TypeVar("Option")
Name = TypeVar("Name", bound=str)
Kind = TypeVar("Kind")

MOST_SEED = 2**32 - 1  # what numpy's and scikit-learn's generators take alike
MOST_PERMUTATIONS = 10_000_000
_LONGEST = 60


def shown(value: Any) -> str:
    """How a message shows a value: its text where that is short, its kind where it is not.

    Examples
    --------
    >>> import numpy as np
    >>> shown("holm"), shown(np.zeros((2, 3))), shown(10**300), shown(len)
    ("'holm'", 'an array of shape (2, 3)', 'a whole number of more than 60 digits', 'the function len')
    """
    if value is None or isinstance(value, (bool, float, complex)):
        return in_code(value)
    if isinstance(value, int):
        return repr(value) if abs(value) < 10**_LONGEST else f"a whole number of more than {_LONGEST} digits"
    if isinstance(value, (str, bytes)):
        return repr(value if len(value) <= _LONGEST else value[: _LONGEST - 3]) + "…" * (len(value) > _LONGEST)
    if hasattr(value, "dtype") and hasattr(value, "ndim"):
        if value.ndim == 1:
            return f"{len(value)} value{'s' * (len(value) != 1)}"
        return in_code(value.item()) if value.ndim == 0 else f"an array of shape {value.shape}"
    if callable(value) and hasattr(value, "__name__"):
        return f"the {'class' if isinstance(value, type) else 'function'} {value.__name__}"
    if isinstance(value, (list, tuple, dict, set, frozenset)) and len(value) <= 6:
        text = in_code(value)
        if len(text) <= _LONGEST and " at 0x" not in text:
            return text
    return f"a value {kind_in_code(value)}"


def of_r(value: Any) -> bool:
    """Whether a value is an object of R: of rpy2, or one that a session keeps.

    >>> of_r(1)
    False
    """
    kind = type(value)
    return kind.__module__.partition(".")[0] == "rpy2" or getattr(kind, "kept_in_r", False)


# what others call an option
SYNONYMS = {
    **dict.fromkeys(("fdr", "fdr_bh", "benjamini-hochberg", "benjamini_hochberg"), "bh"),
    **dict.fromkeys(("survey", "sampling", "design", "pweight", "pweights", "aweight"), "probability"),
    **dict.fromkeys(("fweight", "fweights", "freq", "count", "counts"), "frequency"),
    **dict.fromkeys(("eeoc", "four fifths", "four_fifths", "4/5", "80%", "title vii", "title7"), "employment"),
    "ecoa": "credit",
    **dict.fromkeys(("omit", "ignore", "exclude", "remove", "na.omit"), "drop"),
}


def choose(argument: str, value: Any, options: Mapping[str, Option]) -> Option:
    """Return what a closed set has under a name.

    Parameters
    ----------
    argument : str
        Name of the argument, for the message.
    value : str
        What was asked for.
    options : mapping
        The closed set.

    Returns
    -------
    object
        ``options[value]``.

    Raises
    ------
    InputError
        If `value` is not in the set; the message names the others, and the nearest.

    Examples
    --------
    >>> choose("interval", "wilson", {"wilson": 1})
    1
    """
    if not isinstance(value, str) or value not in options:
        hint = nearest(SYNONYMS.get(value.lower(), value), options) if isinstance(value, str) else ""
        hint = "; did you mean 'none'?" if value is None and "none" in options else hint
        raise InputError(argument, with_hint(f"has {shown(value)}; the choices are {', '.join(options)}", hint))
    return options[value]


def one_of(argument: str, value: Name, names: Iterable[str]) -> Name:
    """Return a name that is in a closed set of names.

    >>> one_of("target", "parity", ("parity", "equal_opportunity"))
    'parity'
    """
    choose(argument, value, dict.fromkeys(names))
    return value


def plain(value: Any) -> Any:
    """A single logical or number of numpy as Python's own; numpy is not loaded for it, the command line starts here."""
    single = getattr(value, "ndim", None) == 0 and type(value).__name__ != "MaskedConstant"  # whose item is 0.0
    return value.item() if single and getattr(getattr(value, "dtype", None), "kind", "") in {*"biuf"} else value


def real(value: Any) -> float | None:
    """The finite number that a plain value is, or None: logicals, text and arrays are no numbers.

    >>> import numpy as np
    >>> real(2), real(np.float64(0.5)), real(True), real("2"), real(10**400)
    (2.0, 0.5, None, None, None)
    """
    value = plain(value)
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


_NUMERAL = re.compile(r"\s*[+-]?\d+(\.\d+)?\s*", re.ASCII)


def number(argument: str, value: Any, way: str = "pass one") -> float:
    """Return a finite number.

    >>> number("threshold", 5)
    5.0
    """
    result = real(value)
    if result is None:
        refuse_text(argument, value)
        raise InputError(argument, f"has {shown(value)}; it is a finite number; {way}.")
    return result


def refuse_text(argument: str, value: Any, low: float = -math.inf, high: float = math.inf) -> None:
    """Refuse a number that is written as text, with how to pass it, where it would be taken.

    >>> refuse_text("threshold", "0.5")
    Traceback (most recent call last):
    ...
    fairstats.errors.InputError: threshold has '0.5', which is text; pass threshold=0.5.
    """
    if isinstance(value, str) and _NUMERAL.fullmatch(value):
        meant = float(value) if "." in value else int(value)
        if low <= meant <= high:
            raise InputError(argument, f"has {shown(value)}, which is text; pass {Setting(argument, meant)}.")


def between(argument: str, value: Any, low: float, high: float, way: str = "pass one", *, ends: str = "()") -> float:
    """Return a number within an interval.

    low, high: the ends of the interval; infinite ones are never reached.
    way: the way out, for the message.
    ends: which ends belong to it.

    >>> between("conf_level", 0.9, 0, 1)
    0.9
    >>> between("tau", -1, 0, math.inf, "pass a bound above 0")
    Traceback (most recent call last):
    ...
    fairstats.errors.InputError: tau has -1; it is a number above 0; pass a bound above 0.
    """
    result = real(value)
    if result is None:
        refuse_text(argument, value, low, high)
    above = result is not None and (result >= low if ends[0] == "[" else result > low)
    if result is None or not above or not (result <= high if ends[1] == "]" else result < high):
        raise InputError(
            argument,
            f"has {shown(value)}; it is {' '.join(filter(None, ('a number', within(low, high, ends))))}; {way}.",
        )
    return result


def within(low: float, high: float, ends: str) -> str:
    """Return an interval in words, its ends told apart as in ``"[)"``."""
    if ends == "[]" and math.isfinite(high):
        return f"from {low:g} to {high:g}"
    least = f"{'of at least' if ends[0] == '[' else 'above'} {low:g}" if math.isfinite(low) else ""
    most = f"{'at most' if ends[1] == ']' else 'below'} {high:g}" if math.isfinite(high) else ""
    return " and ".join(filter(None, (least, most)))


LARGEST_ALPHA = 0.2  # a level up to here is an error rate that was passed as a level


def confidence(conf_level: Any) -> float:
    """Return the argument ``conf_level``, a confidence level above 0.2 and below 1.

    >>> confidence(0.95)
    0.95
    """
    result = between("conf_level", conf_level, 0, 1, "pass 0.95 for an interval of 95%")
    if result <= LARGEST_ALPHA:
        raise InputError(
            "conf_level",
            f"has {shown(conf_level)}, an interval that misses {100 * (1 - result):g} times in 100; if it is an error "
            f"rate, pass its complement, {Setting('conf_level', round(1 - result, 9))}.",
        )
    return result


def whole(argument: str, value: Any, low: int, high: int | None = None, why: str = "") -> int:
    """Return a whole number within bounds; whole floats count (R sends 2 as 2.0).

    low, high: both belong; None is no upper bound.
    why: where the upper bound comes from, for the message.

    >>> whole("k", 2.0, 1, 5, "5 features")
    2
    """
    reach = f"at least {low}" if high is None else f"{low} to {high}"
    if (result := real(value)) is None or not result.is_integer():
        if "." not in str(value):
            refuse_text(argument, value, low, math.inf if high is None else high)
        raise InputError(argument, f"has {shown(value)}; it is a whole number; it can be {reach} here.")
    count = int(value)
    if count < low or (high is not None and count > high):
        reach += f" here ({why})" if why else " here"
        raise OutOfRange(argument, f"has {shown(count)}; it can be {reach}.", high)
    return count


def random_seed(seed: Any) -> int:
    """Return the argument ``seed``, the same for every generator.

    >>> random_seed(7)
    7
    """
    return whole("seed", seed, 0, MOST_SEED, "32 bits")


def flag(argument: str, value: Any) -> bool:
    """Return a logical: text such as "no" is none.

    Examples
    --------
    >>> flag("scale", True)
    True
    """
    value = plain(value)
    if not isinstance(value, bool):
        raise InputError(argument, f"has {shown(value)}; it is yes or no; pass {in_code(True)} or {in_code(False)}.")
    return value


def text(argument: str, value: Any, way: str = "pass text") -> str:
    """Return a text that is not empty.

    >>> text("attribute", "sex")
    'sex'
    """
    if isinstance(value, str) and not value:
        raise InputError(argument, f"has ''; it must be text; {way}.")
    return word(argument, value, way)


OF_ONE_COLUMN = "it is the name of one column; run this once for each, or join columns into one."
COLUMN = "put it into data as a column, and pass the name of that"  # to `word`, of a column that is passed itself


def word(argument: str, value: Any, way: str = "") -> str:
    """Return a text, which may be empty; ``way`` says what to pass in place of anything else.

    >>> word("group", "")
    ''
    """
    if not way and isinstance(value, (list, tuple)) and value and isinstance(value[0], str):
        raise InputError(argument, f"has {shown(value)}, a list; it is one name; pass {value[0]!r}.")
    if not isinstance(value, str):
        raise InputError(argument, f"has {shown(value)}; it must be text; {way or 'pass text'}.")
    if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise InputError(argument, f"has {shown(value)}; it holds bytes that are no UTF-8; write it in UTF-8.")
    return value


def one_column(argument: str, value: Any) -> str:
    """Return the name of the one column that an argument takes, also out of a list; of several, say what to do.

    >>> one_column("groups", "race"), one_column("groups", ["race"])
    ('race', 'race')
    """
    if isinstance(value, (list, tuple)) and len(value) == 1:
        value = value[0]
    if isinstance(value, (list, tuple)) and all(isinstance(name, str) for name in value):
        raise InputError(argument, f"has {shown(value)}; {OF_ONE_COLUMN}")
    return word(argument, value, COLUMN)


def instance(argument: str, value: Any, kind: type[Kind] | tuple[type[Kind], ...], what: str, way: str) -> Kind:
    """Return a value of a class, which ``what`` describes and ``way`` says how to get.

    Examples
    --------
    >>> instance("fit", 3, Mapping, "a mapping", "pass a dictionary")
    Traceback (most recent call last):
    ...
    fairstats.errors.InputError: fit has 3; it is a mapping; pass a dictionary.
    """
    if not isinstance(value, kind):
        raise InputError(argument, f"has {shown(value)}; it is {what}; {way}.")
    return value


def items(argument: str, value: Any, what: str) -> list[Any]:
    """Return the entries of a list; a text, a mapping or a single value is none.

    Examples
    --------
    >>> items("k", (1, 2), "numbers of components")
    [1, 2]
    """
    if not isinstance(value, (str, bytes, Mapping, set, frozenset, type)):
        try:
            entries = iter(value)
        except TypeError:
            pass
        else:
            return list(entries)
    alone = Setting(argument, [value]) if isinstance(value, str) else "one"
    raise InputError(argument, f"has {shown(value)}; it is a list of {what}; pass {alone}.")


# What an argument is called: by the name that it has in the function that a user called.


Given = ParamSpec("Given")
Answer = TypeVar("Answer")


@contextmanager
def renamed_arguments(**names: str) -> Iterator[None]:
    """Errors about an argument under the name that it has in the function that a user called.

    Examples
    --------
    >>> from fairstats.validation import number
    >>> with renamed_arguments(t="ts"):
    ...     number("t", "x")
    Traceback (most recent call last):
    ...
    fairstats.errors.InputError: ts has 'x'; it is a finite number; pass one.
    """
    try:
        yield
    except InputError as error:
        error.argument = names.get(error.argument, error.argument)
        raise


# What other libraries call an argument, and our names for it; the first that a function has is meant.
ELSEWHERE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("sensitive_features", "sensitive_feature", "protected_attribute", "protected"), ("groups",)),
    **dict.fromkeys(("protected_attribute_names", "prot_attr", "attributes", "attr_cols"), ("groups",)),
    **dict.fromkeys(("protected_attributes", "sensitive", "sensitive_attribute", "sensitive_attributes"), ("groups",)),
    **dict.fromkeys(("protected_groups", "protected_columns", "sensitive_columns", "attribute"), ("groups",)),
    **dict.fromkeys(("unprivileged_groups", "unpriv_group", "unprivileged"), ("groups",)),
    **dict.fromkeys(("attr", "sensitive_column", "protected_column", "group_by", "groupby"), ("groups",)),
    **dict.fromkeys(("label_names", "label_name", "label_value", "label_column"), ("outcome", "y")),
    **dict.fromkeys(("privileged_groups", "priv_group", "privileged", "ref_groups_dict"), ("reference",)),
    **dict.fromkeys(("control_features", "controls", "covariates"), ("strata", "adjust_for", "explained_by")),
    "stratify": ("strata",),
    "strata": ("adjust_for",),  # of a gap that is adjusted for covariates
    **dict.fromkeys(("stratum", "strat"), ("strata",)),
    **dict.fromkeys(("psu", "psus", "ids", "id", "cluster", "cluster_id", "cluster_col"), ("clusters",)),
    **dict.fromkeys(("weight", "pweights", "survey_weights"), ("weights",)),
    "repweights": ("replicate_weights",),
    **dict.fromkeys(("label", "label_col", "labels_col", "target_column", "target_col"), ("outcome", "y")),
    **dict.fromkeys(("pay", "salary", "wage", "income"), ("amount", "pay")),
    "outcome": ("amount",),
    "amount": ("pay",),
    **dict.fromkeys(("epsilon", "eps", "tau"), ("margin",)),
    **dict.fromkeys(("pos_label", "favorable_label"), ("favorable",)),
    **dict.fromkeys(("score_threshold", "cutoff", "cut_off", "cut"), ("threshold",)),
    "n_boot": ("replicates",),
    **dict.fromkeys(("y_true", "y", "target", "actual", "truth", "ground_truth"), ("outcome", "y", "y_true")),
    **dict.fromkeys(("y_pred", "prediction", "pred", "y_hat", "d", "predicted"), ("decision", "y_pred")),
    "predictions": ("decision", "y_pred", "models", "candidates"),
    **dict.fromkeys(("reference", "expected", "population"), ("benchmark",)),  # of a representation
    **dict.fromkeys(("variables", "vars", "predictors", "columns"), ("features",)),
    **dict.fromkeys(("confidence", "confidence_level", "ci_level"), ("conf_level",)),
    **dict.fromkeys(("ref_group", "reference_group", "ref_groups"), ("reference",)),
    **dict.fromkeys(("prob", "proba", "probability", "probabilities"), ("score", "scores", "y_score")),
    **dict.fromkeys(("y_score", "y_prob", "y_proba", "probs", "s"), ("score", "scores", "y_score")),
    **dict.fromkeys(("sample_weight", "w", "weights", "counts"), ("weights", "sample_weight")),
    **dict.fromkeys(("pairs", "pair", "matched"), ("blocks",)),
    **dict.fromkeys(("n_components", "n_clusters"), ("k",)),
    **dict.fromkeys(("output", "out", "filename", "file"), ("to", "path")),
    **dict.fromkeys(("o", "pdf", "html", "path"), ("to",)),
    "metrics": ("metric",),
    "by": ("period", "groups"),
    "groups": ("group_columns",),
    "group": ("term",),  # of a figure
    "random_state": ("seed",),
    "favourable": ("favorable",),
    **dict.fromkeys(("rejected", "unselected"), ("not_selected",)),
    # names that arguments had before version 0.2
    **dict.fromkeys(("tolerance", "equivalence"), ("margin",)),
    "words": ("labels",),
    "focus": ("headline",),
    "adjust": ("p_adjust",),
    "adjust_method": ("p_adjust_method",),
    "predicts": ("positive_prediction",),
    "depth": ("max_order",),
    "smallest": ("min_n",),
    **dict.fromkeys(("most", "kmax", "max_components"), ("max_k",)),
    "about": ("ll144_notice",),
    "neighbors": ("n_neighbors",),
    "starts": ("n_init",),
    "unit_rows": ("normalize_rows",),
    "plain": ("compare_unconstrained",),
    "landmarks": ("n_landmarks",),
    "around": ("center_by",),
    "steps": ("max_iter",),
    "rate": ("learning_rate",),
    "repeats": ("n_repeats",),
    "jobs": ("n_jobs",),
    "df": ("data",),
}


# Reports of laws, which count every worker once, and what a caller who asks for more may use.
MANY = 8  # arguments that an error lists
MANY_NAMED = 3  # arguments in an example of a call
ONCE_EACH = dict.fromkeys(
    ("pay_transparency", "gender_pay_gap"),
    "the law counts every worker once, and compares them as they are; pass a row a worker, or take fairstats.audit "
    "with amount=, which has weights=, clusters=, strata= and adjust_for=",
)
TO_FILE = dict.fromkeys(("to_csv", "to_frame", "to_gt", "to_html"), "; save(path) writes a file")

_STYLE = (
    "what it returns has .figure, a matplotlib Figure to be changed (its axes: .figure.axes), and .save(path, dpi=); "
    "ax= takes axes of your own, in the size and the fonts that they have"
)
_SIZE = "the size is that of .figure, a matplotlib Figure: drawing.figure.set_size_inches(6, 3) before save"
# arguments that other packages have for what is had otherwise here
_COUNTS = "counts of people are a table of their own, fairstats.from_counts(table, groups, selected=..., total=...)"
_CLUSTERED = (
    "standard errors follow from what was drawn: clusters= names the column of who belongs together, weights= that of "
    "weights, fairstats.survey_design the whole design of a survey"
)
_DESIGN = "the design of a survey is a value of its own, design=fairstats.survey_design(weights=..., clusters=..., ...)"
# What functions of any name take.
BY_NAME = {"tidy": "; name a column for each value, as in tidy(role='main')"}
NO_ARGUMENT: dict[str, dict[str, str]] = {
    "audit": dict.fromkeys(("selected", "total", "events", "n", "count", "counts"), _COUNTS)
    | dict.fromkeys(("metric", "metrics"), "it has all rates that its columns allow; result.tidy(metric=...) has some")
    | dict.fromkeys(("n_bootstrap", "n_boot", "bootstrap"), "its limits need none; result.bootstrap() has those")
    | dict.fromkeys(("cov_type", "cov_kwds", "vcov", "robust"), _CLUSTERED)
    | dict.fromkeys(("method", "test"), "every number has one method, which its row in result.tidy() names")
    | dict.fromkeys(("four_fifths", "eighty_percent"), "the rule of four fifths is said with law='employment'")
    | dict.fromkeys(("fpc", "nest", "replicate_weights", "repweights"), _DESIGN)
    | {"language": "reports, tables and figures have one: fairstats.report(result, to=..., language='de')"}
    | {"formula": "it takes columns by name, and no formula: audit(data, decision='hired', groups=['sex', 'race'])"},
    "leace": {"y": "what it takes out of X is passed as groups="},
    "compare_models": {"labels": "models have the names of models={'Model A': 'column'}, groups the labels of their "
                                 "column: write there what pages shall have"},
    "compare": {"labels": "its reports, tables and figures have them: fairstats.report(result, labels=...)"},
    "passes": {name: f"a margin is declared before, fairstats.audit(..., margin={example})"
               for name, example in (("ratio", "{'ratio': 0.8}"), ("difference", "0.05"), ("margin", "0.05"))},
    "plot": dict.fromkeys(("title", "figsize", "size", "xlabel", "color", "dpi"), _STYLE),
    "save": dict.fromkeys(("figsize", "size", "width", "height"), _SIZE),
    "report": dict.fromkeys(("format", "kind", "type"), "the ending of the file says it, to='report.pdf'"),
    "table": {"format": "what it returns has .to_latex(), .to_html(), .to_markdown() and .save(path)",
              "digits": "digits are those of the report; result.tidy() has the numbers, to be rounded otherwise"},
}  # fmt: skip


def bound(function: str, signature: inspect.Signature, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Return the arguments of a call by name, or the error that says which argument is unknown, missing or too many.

    >>> def audit(data, *, groups=None): pass
    >>> bound("audit", inspect.signature(audit), (1,), {"sensitive_features": "sex"})
    Traceback (most recent call last):
    ...
    fairstats.errors.InputTypeError: sensitive_features is called groups here: audit(data, groups=sensitive_features).
    """
    try:
        return signature.bind(*args, **kwargs)
    except TypeError as error:
        raise InputTypeError(_wrong_call(function, signature, args, kwargs) or f"{function}: {error}.") from None


def _wrong_call(function: str, signature: inspect.Signature, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    if function in ("audit", "compare", "compare_models", "alternatives") and (
        result := _no_table(function, args, kwargs)
    ):
        return result
    parameters = dict(signature.parameters)
    if "self" in parameters:
        parameters.pop("self")
        args = args[1:]
    present = [name for name, p in parameters.items() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    placed = [n for n, p in parameters.items() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    any_name = any(p.kind == p.VAR_KEYWORD for p in parameters.values())
    unknown = [name for name in kwargs if name not in present and not any_name]
    meant = {name: next((n for n in ELSEWHERE.get(name, ()) if n in present), "") for name in unknown}
    if "label" in meant and "labels" in present and isinstance(kwargs["label"], Mapping):
        meant["label"] = "labels"
    if "amount" in kwargs and "adjust_for" in present:  # of amounts covariates are adjusted for, numeric ones, too
        meant |= {name: "adjust_for" for name in ("controls", "covariates") if name in meant}
    taken = [*placed[: len(args)], *(meant.get(name) or name for name in kwargs)]
    twice = next((name for name in unknown if meant[name] and taken.count(meant[name]) > 1), "")
    if twice in ("unprivileged_groups", "unpriv_group", "unprivileged"):
        return (
            f"{twice} is no argument of {function}: all groups are compared with the reference; leave it out, and name "
            f"the privileged group with {Setting('reference')}."
        )
    if twice:
        return f"{twice} is called {meant[twice]} here, and {meant[twice]} is passed twice so; pass it once."
    if unknown and all(meant.values()):
        passed = {name: _in_our_form(name, kwargs[name]) for name in kwargs}
        first = [*placed[: len(args)], *(f"{meant.get(name, name)}={text}" for name, text in passed.items())]
        wording = ", ".join(f"{name} is called {ours}" for name, ours in meant.items())
        return f"{wording} here: {function}({', '.join(first)})."
    if unknown:
        name = next(n for n in unknown if not meant[n])
        if function in ONCE_EACH and name in ("weights", "clusters", "strata", "adjust_for"):
            return f"{name} is no argument of {function}: {ONCE_EACH[function]}."
        if name == "alpha" and "conf_level" in present:
            return f"alpha is no argument of {function}; its complement is: 0.05 is {Setting('conf_level', 0.95)}."
        if way := NO_ARGUMENT.get(function, {}).get(name, ""):
            return f"{name} is no argument of {function}: {way}."
        more = f" and {len(present) - MANY} more, which help() has" if len(present) > MANY + 1 else ""
        names = ", ".join(present[: MANY if more else None])
        has = f"its arguments are {names}{more}" if present else "it has none"
        hint = f"{has}{TO_FILE.get(function, '')}."
        return with_hint(f"{name} is no argument of {function}", nearest(name, present), hint)
    if args and not present and not any_name:
        return f"{function} takes no argument{TO_FILE.get(function, '')}."
    if args and not present:
        return f"{function} takes no argument by position{BY_NAME.get(function, '')}."
    if len(args) > len(placed):
        some = ", ".join(f"{name}=" for name in present[:MANY_NAMED])
        so = f"{len(placed)} so ({', '.join(placed)})" if placed else "none so"
        others = "" if placed else f", as in {some}"
        several = "s" * (len(args) != 1)
        others += TO_FILE.get(function, "")
        return f"{function} has {len(args)} argument{several} by position; it takes {so}; name the others{others}."
    both = [name for name in placed[: len(args)] if name in kwargs]
    if both:
        so = f"by position {function} takes {', '.join(placed)}"
        return f"{both[0]} is passed by position and by name; {so}; name or leave out what else stands there."
    lacking = [n for n in placed[len(args) :] if parameters[n].default is inspect.Parameter.empty]
    lacking += [n for n in present if n not in placed and parameters[n].default is inspect.Parameter.empty]
    absent = [name for name in lacking if name not in kwargs]
    example = f": {_CALLS[function]}" if function in _CALLS else ""
    return f"{absent[0]} is absent; {function} needs it; pass it{example}." if absent else ""


# Calls of functions whose needed arguments a name alone does not explain.
_CALLS = {
    "sog": "sog(X, groups, k, t), with t the bound of the sum of absolute loadings of a component, such as 2.0",
    "from_counts": "from_counts(data, groups='race', selected='hires', total='applicants')",
}


def _in_our_form(name: str, value: Any) -> str:
    """What to write for an argument that another library takes in another form; else its name."""
    meant = ELSEWHERE.get(name, ())
    if isinstance(value, (list, tuple)) and len(value) == 1 and meant and meant[0] in ("outcome", "decision"):
        return in_code(value[0])  # a list of one column
    if not isinstance(value, (list, tuple)) or len(value) != 1 or not isinstance(value[0], Mapping):
        return name
    return in_code(value[0]) if meant == ("reference",) else in_code([*value[0]]) if meant == ("groups",) else name


def _predicts(value: Any) -> bool:
    """Whether it is a fitted model, or a list or dict that has one."""
    inside = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    return hasattr(value, "predict") or any(hasattr(one, "predict") for one in inside)


def _no_table(function: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """What to write where outcomes and predictions, a model, or audits stand in the place of the table."""
    if function == "audit" and args and hasattr(args[0], "predict"):
        return (
            "data has a model; an audit is of what was decided; pass its decisions, with the table that has the "
            "groups: audit(X, decision=model.predict(X), groups=...)."
        )
    if function == "audit" and args and isinstance(args[0], str) and is_formula(args[0]):
        return f"{args[0]!r} {no_formula(args[0])}"
    if function in ("compare_models", "alternatives") and any(map(_predicts, args)):
        return (
            f"{function} takes no fitted models: make each model's predictions a column of the table, and name these: "
            f"{function}(table.assign(a=model.predict(X)), ['a', ...], groups=...)."
        )
    if function == "compare" and len(args) == 2 and all(hasattr(one, "estimates") for one in args):
        return (
            "data has an audit; compare fits methods to a table; "
            f"{Call('compare_audits', ('before', 'after'))} says what two audits differ in, "
            f"{Call('compare_models')} what models do to the same people."
        )
    if function != "audit":
        return ""
    groups = next((n for n in kwargs if "groups" in ELSEWHERE.get(n, ())), "")
    if len(args) > 1 and groups and all(getattr(one, "ndim", 1) == 1 and not isinstance(one, str) for one in args[:2]):
        return f"{groups} is called groups here: audit(outcome=y_true, decision=y_pred, groups={groups})."
    return ""


def is_formula(text: str) -> bool:
    """Whether a text has the sign of a formula, which in the name of a file is a home folder or a copy.

    >>> is_formula("hired ~ sex"), is_formula("~/people.csv"), is_formula("people.csv~"), is_formula("people~1.csv")
    (True, False, False, False)
    """
    return "~" in text and not re.search(r"[/\\]|~$|~\S*\.\w+$", text)


def no_formula(formula: str) -> str:
    """What to write in place of a formula such as 'hired ~ sex + race', of which an audit takes the columns.

    >>> no_formula("hired ~ sex + race")
    "is a formula; an audit takes columns by name: audit(data, decision='hired', groups=['sex', 'race'])."
    >>> no_formula("hired ~ C(race)")
    'is a formula; an audit takes columns by name: audit(data, decision=..., groups=...).'
    """
    call, name = "decision=..., groups=...", r"[^\W\d][\w.]*"
    if re.fullmatch(rf"\s*{name}\s*~\s*{name}(\s*[+*:]\s*{name})*\s*", formula):
        left, *right = re.findall(name, formula)
        call = f"decision={in_code(left)}, groups={in_code(right[0] if len(right) == 1 else right)}"
    return f"is a formula; an audit takes columns by name: audit(data, {call})."


def given_by(cls: type, function: str) -> None:
    """Let a class that is called without its fields name the function that gives its objects."""
    made = cls.__init__  # type: ignore[misc]

    @functools.wraps(made)
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            made(self, *args, **kwargs)
        except TypeError as wrong:
            try:
                inspect.signature(made).bind(self, *args, **kwargs)
            except TypeError:
                text = f"{cls.__name__} is what {Call(function)} returns, and is not made by hand; call that function."
                raise InputTypeError(text) from None
            raise wrong

    cls.__init__ = init  # type: ignore[misc]


def answering(function: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """Return a public function that answers an unknown argument by the name that it has here.

    >>> @answering
    ... def audit(data, *, groups=None): return groups
    >>> audit(1, tail="sex")
    Traceback (most recent call last):
    ...
    fairstats.errors.InputTypeError: tail is no argument of audit; its arguments are data, groups.
    """
    signature = inspect.signature(function)
    name = function.__qualname__.removesuffix(".__init__").rpartition(".")[2]  # a class is called by its own

    @functools.wraps(function)
    def wrapper(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
        bound(name, signature, args, kwargs)
        return function(*args, **kwargs)

    return wrapper


# What `--fail-on` ends a command by, of each kind of result; a limit is an example.


GATES = {
    "audit": ("disparity", "no-equivalence", "ratio<0.8"),
    "change": ("drift", "worse", "worse>0.05"),
    "study": ("disparity",),
    "monitor": ("alarm", "new-alarm", "labels"),
    "search": ("disparity", "alternative"),
    "leakage": ("disparity", "no-equivalence", "leakage>0.6"),
}


def gate_name(text: str) -> str:
    """A gate without its limit.

    >>> gate_name("ratio < 0.8"), gate_name("no-equivalence")
    ('ratio', 'no-equivalence')
    """
    return re.split("[<>]", text)[0].strip()


GATE_NAMES = frozenset(gate_name(form) for forms in GATES.values() for form in forms)


# How much somebody else's data may ask for: a limit only refuses, and a variable of the environment raises it.


@dataclass(frozen=True)
class Limit:
    """A bound: its number, and what it counts."""

    most: int
    what: str

    def __post_init__(self) -> None:
        assert self.most > 0


LIMITS = {
    "FAIRSTATS_MAX_BYTES": Limit(4_000_000_000, "bytes that a compressed file may unfold into"),
    "FAIRSTATS_MAX_SEQUENCE": Limit(200_000_000, "numbers that an .rds file may ask for without holding them"),
    "FAIRSTATS_MAX_GROUPS": Limit(5000, "groups of one attribute"),
    "FAIRSTATS_MAX_SUBGROUPS": Limit(10_000, "subgroups that are tested together"),
    "FAIRSTATS_MAX_LABEL": Limit(1000, "letters of a label, a title or a name on a page"),
    "FAIRSTATS_MAX_LEVELS": Limit(1000, "labels of a column in a formula"),
    "FAIRSTATS_MAX_POWER": Limit(20, "power of a sum of terms in a formula"),
    "FAIRSTATS_MAX_TEMPLATE": Limit(20_000_000, "turns of loops, calls and letters of a template"),
}


def most(name: str) -> int:
    """Return a limit: that of the environment, else the package's own.

    >>> most("FAIRSTATS_MAX_GROUPS")
    5000
    """
    given = os.environ.get(name, "")
    if not given:
        return LIMITS[name].most
    if not (given.isascii() and given.isdecimal() and len(given) <= 18 and int(given) > 0):
        raise InputError(f"the variable {name} has {given[:40]!r}; it counts {LIMITS[name].what}; set a whole number.")
    return int(given)


def more(name: str) -> str:
    """Return a limit with the way out of it, as a part of a sentence.

    >>> more("FAIRSTATS_MAX_GROUPS")
    'at most 5000 (or as many as the variable FAIRSTATS_MAX_GROUPS of the environment says)'
    """
    return f"at most {most(name)} (or as many as the variable {name} of the environment says)"


def refuse_long(**texts: str) -> None:
    """Refuse texts of more letters than a page holds.

    >>> refuse_long(title="x" * 1001)
    Traceback (most recent call last):
    fairstats.errors.InputError: title has 1001 letters; it may have at most 1000 (or as many ...); shorten it.
    """
    for argument, text in texts.items():
        if len(text) > most("FAIRSTATS_MAX_LABEL"):
            wording = more("FAIRSTATS_MAX_LABEL")
            raise InputError(argument, f"has {len(text)} letters; it may have {wording}; shorten it.")


# The closed sets of choices of an audit, each choice with its words: what code, console, report and help all read.


# What a type checker knows of the tables below; a test says that they hold the same names.
Adjust = Literal["bonferroni", "holm", "bh", "none"]
FamilyOf = Literal["rate", "audit"]
ByP = Adjust  # where only p-values are adjusted
Missing = Literal["level", "drop", "raise"]
WeightType = Literal["frequency", "probability"]
Law = Literal["employment", "credit"]
Intersections = Literal["pairs", "full"]
Contrast = Literal["difference", "ratio"]
OnUnknown = Literal["raise", "mean"]  # a level of new rows that the fit has not seen
ON_UNKNOWN = ("raise", "mean")


@dataclass(frozen=True)
class Choice:
    """One value of an argument: its name in code, its words inside a sentence, and what it means."""

    name: str
    words: str
    meaning: str


def _table(*choices: Choice) -> dict[str, Choice]:
    return {choice.name: choice for choice in choices}


LARGEST_GROUP, HIGHEST_RATE = "largest_group", "highest_rate"
BONFERRONI: Final = "bonferroni"
HOLM: Final = "holm"
BH: Final = "bh"
NONE: Final = "none"
RATE, AUDIT = "rate", "audit"
PAIRS, FULL = "pairs", "full"

ADJUSTMENTS = _table(
    Choice(BONFERRONI, "Bonferroni", "family-wise error, under any dependence; intervals that agree"),
    Choice(HOLM, "Holm", "family-wise error, under any dependence; p-values only"),
    Choice(BH, "Benjamini-Hochberg", "false discovery rate: comparisons are flagged"),
    Choice(NONE, "not adjusted", "each comparison at its own level"),
)
# Against the highest rate the reference is itself a result of the data, whatever adjustment was asked for.
ALL_PAIRS = Choice(
    "all pairs", "Bonferroni over all pairs of groups", "family-wise error, whichever group has the highest rate"
)
REFERENCES = _table(
    Choice(LARGEST_GROUP, "the largest group of each attribute", "chosen by size, not by the rates"),
    Choice(HIGHEST_RATE, "the group with the highest rate", "chosen by the rates; intervals are simultaneous"),
)
INTERSECTIONS = _table(
    Choice(PAIRS, "of every two columns", "what differs only where two of them meet"),
    Choice(FULL, "of all columns at once", "the product of all groups, of which many may hold few people"),
)
FAMILIES = _table(
    Choice(RATE, "the comparisons of one rate over all attributes", "each rate adjusted by itself"),
    Choice(AUDIT, "all comparisons of the audit", "all rates adjusted together"),
)
EMPLOYMENT, CREDIT = "employment", "credit"
LAWS = _table(
    Choice(EMPLOYMENT, "decisions on employment", "the rule of four fifths is looked at (29 CFR 1607.4(D))"),
    Choice(CREDIT, "decisions on credit", "four fifths is no threshold of lending law"),
)
NAMED = Choice("named", "named in the protocol", "a group given by its label")
MISSING = _table(
    Choice(
        "level",
        "people with no recorded group are counted apart, as (missing); their comparisons count in the adjustment",
        "a group (missing)",
    ),
    Choice("drop", "people without a group are left out, and counted", "left out"),
    Choice("raise", "people without a group are an error", "an error"),
)
WEIGHT_TYPES = _table(
    Choice("frequency", "each row stands for that many people", "whole numbers"),
    Choice("probability", "inverse sampling probabilities", "linearized variances"),
)


def adjustment(p_adjust: str, reference: str) -> Choice:
    """The adjustment that is in force: against the highest rate, Bonferroni over all pairs of groups.

    >>> adjustment("holm", "largest_group").words, adjustment("none", "highest_rate").words
    ('Holm', 'Bonferroni over all pairs of groups')
    """
    return ALL_PAIRS if reference == HIGHEST_RATE else ADJUSTMENTS[p_adjust]


def adjusted_by(p_adjust: str, reference: str) -> str:
    """How the comparisons of a family are adjusted, as the end of a sentence.

    >>> adjusted_by("holm", "largest_group"), adjusted_by("none", "largest_group")
    ('adjusted by Holm', 'not adjusted')
    >>> adjusted_by("holm", "race=highest_rate; sex=Male")
    'adjusted by Holm; of race by Bonferroni over all pairs of groups'
    """
    chosen = adjustment(p_adjust, reference)
    wording = say(chosen.words) if chosen.name == NONE else say("adjusted by {method}", method=say(chosen.words))
    parts = [part.rpartition("=") for part in reference.split("; ")]
    apart = [attribute for attribute, equals, rule in parts if equals and rule == HIGHEST_RATE]
    if not apart:
        return wording
    names = f" {say('and')} ".join(apart)
    return say("{words}; of {names} by {method}", words=wording, names=names, method=say(ALL_PAIRS.words))


def any_highest(reference: str) -> bool:
    """Whether the data choose the reference of any attribute; a label that only holds the words is a label.

    >>> any_highest("highest_rate"), any_highest("race=highest_rate; sex=Male"), any_highest("not highest_rate")
    (True, True, False)
    """
    rules = [part.rpartition("=") for part in reference.split("; ")]
    return reference == HIGHEST_RATE or any(equals and rule == HIGHEST_RATE for _, equals, rule in rules)


def controllable(family: str, p_adjust: str, reference: str) -> None:
    """Refuse a scope of error control for which no rule is known.

    >>> controllable("audit", "holm", "largest_group")
    """
    if family == AUDIT and p_adjust == NONE:
        raise InputError(
            "family",
            f"has 'audit' and {named('p_adjust')} has 'none'; without an adjustment no error rate is held "
            f"over the audit; "
            f"pass {Setting('p_adjust', 'bonferroni')}, or leave family at 'rate'.",
        )
    if family == AUDIT and p_adjust == BH and any_highest(reference):
        raise InputError(
            "family",
            f"has 'audit', {named('p_adjust')} has 'bh' and {named('reference')} has 'highest_rate'; the "
            f"share of false claims is not "
            f"known where the data choose the reference; pass {Setting('p_adjust', 'bonferroni')}, or name "
            f"the reference.",
        )


def reference_rule(reference: str) -> Choice:
    """The rule behind a reference; a label is no rule.

    >>> reference_rule("largest_group").words, reference_rule("Male").words
    ('the largest group of each attribute', 'named in the protocol')
    """
    return REFERENCES.get(reference, NAMED)


def names(choices: Mapping[str, Choice] | Iterable[str]) -> str:
    """The names of a closed set as help prints them.

    >>> names(MISSING)
    'level, drop or raise'
    """
    *first, last = choices
    return f"{', '.join(first)} or {last}" if first else last
