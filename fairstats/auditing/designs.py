"""A survey's design as a value: the columns that say how its people were drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

from fairstats.errors import InputError, in_code, listing, named, nearest, with_hint
from fairstats.inference.rates.sampling import SingleUnits
from fairstats.validation import ELSEWHERE, answering, flag, number, one_of, shown, text

Kind = Literal["BRR", "JK1", "JKn", "bootstrap", "other"]
KINDS = ("BRR", "JK1", "JKn", "bootstrap", "other")
RULES = ("fail", "certainty", "adjust", "average")
FEWEST_REPLICATES = 2
UNIT = "\0sampling unit"  # each cell of a tally is of one unit; no column is called so


@dataclass(frozen=True, repr=False)
class SurveyDesign:
    """Names of columns and rules; each "" or () where there is none. `survey_design` makes it.

    calibration: columns that the weights were calibrated to.
    clusters, fpc, drawn: of several stages a name each, in their order.
    combined_weights: whether replicates hold whole weights, not factors of the weights. scale, rscales: what squared
        deviations of replicates are multiplied with; NaN and () are those of the kind.
    """

    weights: str = ""
    strata: str = ""
    clusters: str | tuple[str, ...] = ""
    fpc: str | tuple[str, ...] = ""
    nest: bool = False
    drawn: str | tuple[str, ...] = ""
    single_units: SingleUnits = "fail"
    calibration: tuple[str, ...] = ()
    base_weights: str = ""
    calibrated_weights: str = ""
    replicate_weights: tuple[str, ...] = ()
    combined_weights: bool = True
    kind: str = ""
    scale: float | None = None
    rscales: tuple[float, ...] = ()
    mse: bool = False
    domain: str = ""

    def __bool__(self) -> bool:
        """Whether there is a design."""
        return bool(self.weights)

    def given(self) -> dict[str, Any]:
        """What is not the default, as `survey_design` takes it."""
        return {f.name: v for f in fields(self) if (v := getattr(self, f.name)) != f.default}

    def __repr__(self) -> str:
        """The call that makes it."""
        return f"fairstats.survey_design({', '.join(f'{name}={value!r}' for name, value in self.given().items())})"

    @property
    def words(self) -> str:
        """Columns and rules as they were passed, long lists cut."""
        entries = ((k, listing(v, 4) if isinstance(v, tuple) else v) for k, v in self.given().items())
        return ", ".join(f"{name} {value}" if value is not True else name for name, value in entries)

    @property
    def columns(self) -> dict[str, str]:
        """The columns that tell units of the first stage apart, by argument."""
        return {"strata": self.strata, **self.stages[0]} if self.strata else self.stages[0]

    @property
    def stages(self) -> list[dict[str, str]]:
        """The columns of every stage, by argument."""
        of = {"clusters": self.clusters, "fpc": self.fpc, "drawn": self.drawn}
        every = {role: (names,) if isinstance(names, str) else names for role, names in of.items()}
        return [
            {role: names[i] for role, names in every.items() if names[i : i + 1] not in ((), ("",))}
            for i in range(max(map(len, every.values())))
        ]


NO_DESIGN = SurveyDesign()


@answering
def survey_design(
    *,
    weights: str,
    strata: str | None = None,
    clusters: str | Sequence[str] | None = None,
    fpc: str | Sequence[str] | None = None,
    nest: bool = False,
    drawn: str | Sequence[str] | None = None,
    single_units: SingleUnits = "fail",
    calibration: str | Sequence[str] | None = None,
    base_weights: str | None = None,
    calibrated_weights: str | None = None,
    replicate_weights: str | Sequence[str] | None = None,
    combined_weights: bool = True,
    kind: Kind | None = None,
    scale: float | None = None,
    rscales: Sequence[float] | None = None,
    mse: bool = False,
    domain: str | None = None,
) -> SurveyDesign:
    """Say how the people of a survey were drawn, by the columns of their table; `audit` takes it as ``design=``.

    Parameters
    ----------
    weights : str
        Column of sampling weights, at least 0: how many people of the population a row stands for.
    strata : str, optional
        Column of the strata that units were drawn within.
    clusters : str or list of str, optional
        Column of the units that were drawn first (PSUs); without one each row is a unit. Of several stages name that of
        the first alone, as where units were drawn with replacement, or those of all with an `fpc` each.
    fpc : str or list of str, optional
        Column with the number of units in the stratum's population, or with the share of them that was drawn; of a
        later stage in the unit that they were drawn in.
    nest : bool
        Whether labels of clusters begin anew in each stratum.
    drawn : str or list of str, optional
        Column with how many units were drawn of the stratum, where not all of them have a row (the table was cut); of
        several stages one each.
    single_units : {"fail", "certainty", "adjust", "average"}
        What a stratum of one drawn unit adds to a variance: an error, nothing, its square around the mean of all, or
        the average of the other strata (R's option ``survey.lonely.psu``).
    calibration : str or list of str, optional
        Columns whose totals in the population `weights` were made to meet (calibration, raking, post-stratification):
        numbers as they are, labels as a column of 0 and 1 each; with `base_weights`. Where only numbers are named, and
        the size of the population was met, too, name a column of 1.
    base_weights : str, optional
        Column of the weights before they were calibrated; for the errors of R's ``rake``, a column of 1.
    calibrated_weights : str, optional
        Column of the calibrated weights of all rows, where `weights` is 0 for those outside a subset.
    replicate_weights : str or list of str, optional
        Columns with the weights of each replicate, in place of strata, clusters and fpc; ``"rw*"`` is all that begin
        so.
    combined_weights : bool
        Whether they are whole weights; False where they are factors that `weights` are multiplied with.
    kind : {"BRR", "JK1", "JKn", "bootstrap", "other"}, optional
        How replicates were made, which says their scale; ``"JKn"`` needs `rscales`, ``"other"`` needs `scale`.
    scale : float, optional
        What the sum of the squared deviations is multiplied with.
    rscales : sequence of float, optional
        What each replicate's squared deviation is multiplied with.
    mse : bool
        Whether deviations are from the estimate; otherwise from the mean of the replicates.
    domain : str, optional
        Column of True and False: who is audited, such as adults (R's ``subset(design, ...)``). The others are in no
        count, and their units stay in the variances. Without it the domain is everybody of a weight above 0.

    Returns
    -------
    SurveyDesign
        Names and rules; the columns are read by `audit`.

    Raises
    ------
    InputError
        If what is given does not go together.

    References
    ----------
    Lumley (2010), Complex Surveys; Wolter (2007), Introduction to Variance Estimation. R: ``survey::svydesign``,
    ``survey::svrepdesign``.

    Examples
    --------
    >>> import fairstats as fs
    >>> people = {"s": [1] * 8 + [2] * 8, "unit": [1, 1, 2, 2, 3, 3, 4, 4] * 2, "w": [1.0, 2] * 8}
    >>> people |= {"sex": ["f", "m"] * 8, "hired": [0, 1, 1, 1, 0, 0, 1, 1] * 2}
    >>> design = fs.survey_design(weights="w", strata="s", clusters="unit", nest=True)
    >>> fs.audit(people, "hired", "sex", design=design).estimates[0].df
    6.0
    """
    result: dict[str, Any] = {"weights": text("weights", weights, COLUMN)}
    columns = {"strata": strata, "clusters": clusters, "fpc": fpc, "drawn": drawn}
    for name, value in columns.items():
        if value is not None:
            result[name] = text(name, value, COLUMN) if name == "strata" else _of_stages(name, value)
    _check_stages(result)
    result |= _calibrated(calibration, {"base_weights": base_weights, "calibrated_weights": calibrated_weights})
    if domain is not None:
        result["domain"] = text("domain", domain, "pass the name of a column of True and False")
    result["nest"], result["mse"] = flag("nest", nest), flag("mse", mse)
    result["combined_weights"] = flag("combined_weights", combined_weights)
    result["single_units"] = one_of("single_units", single_units, RULES)
    if kind is not None:
        kind = one_of("kind", kind, KINDS)
    if replicate_weights is None:
        of_replicates = {"kind": kind, "scale": scale, "rscales": rscales, "mse": mse or None}
        of_replicates["combined_weights"] = None if result["combined_weights"] else False
        for name, given in of_replicates.items():
            if given is not None:
                raise InputError(
                    name,
                    f"has {shown(given)}; it is of replicates; name their columns by replicate_weights, or drop it.",
                )
        if result["nest"] and not (strata and clusters):
            raise InputError(
                "nest", f"is {in_code(True)}; it is of clusters within strata; name both columns, or drop it."
            )
    else:
        beside = {**columns, "nest": nest or None, "calibration": calibration}
        result |= _replicates(beside, replicate_weights, kind, scale, rscales)
    return SurveyDesign(**result)


COLUMN = "pass the name of a column of data"


def _of_stages(name: str, value: Any) -> str | tuple[str, ...]:
    """The column of one stage, or those of several."""
    if not isinstance(value, (list, tuple)):
        return text(name, value, COLUMN)
    names = tuple(text(name, one, COLUMN) for one in value)
    way = "a column of its own for every stage, the first one first"
    way = "each column once" if name == "calibration" else way
    if len(set(names)) < len(names) or not names:
        raise InputError(name, f"has {shown(value)}; name {way}.")
    return names if len(names) > 1 else names[0]


def _calibrated(calibration: Any, beside: Mapping[str, Any]) -> dict[str, Any]:
    """The columns that weights were calibrated to, and those of the weights before and after."""
    of_weights = {name: text(name, value, COLUMN) for name, value in beside.items() if value is not None}
    if calibration is None:
        for name, value in of_weights.items():
            raise InputError(name, f"has {shown(value)}; it goes with calibration, which names columns; drop it.")
        return {}
    names = _of_stages("calibration", calibration)
    if "base_weights" not in of_weights:
        way = f"and {named('base_weights')} is absent; name the column of the weights before they were calibrated."
        raise InputError("calibration", f"has {shown(calibration)}, {way}")
    return {"calibration": (names,) if isinstance(names, str) else names, **of_weights}


def _check_stages(given: Mapping[str, Any]) -> None:
    """Later stages add to a variance by the share that the earlier ones drew, which has to be known of each."""
    stages = {name: 1 if isinstance(given[name], str) else len(given[name])
              for name in ("clusters", "fpc", "drawn") if name in given}  # fmt: skip
    if max(stages.values(), default=1) > 1 and (len({*stages.values()}) > 1 or not {"clusters", "fpc"} <= {*stages}):
        listed = ", ".join(f"{name} {n}" for name, n in stages.items())
        raise InputError(
            "clusters",
            f"and what goes with it name different numbers of stages ({listed}); name an fpc for each stage, or the "
            "clusters of the first stage alone, which is right where units were drawn with replacement.",
        )


def _replicates(
    columns: Mapping[str, Any], replicate_weights: Any, kind: Any, scale: Any, rscales: Any
) -> dict[str, Any]:
    for name, value in columns.items():
        if value is not None:
            raise InputError(
                "replicate_weights",
                f"has {shown(replicate_weights)}, and {named(name)} has {shown(value)}, which replicates hold already; "
                "drop one of the two.",
            )
    names = replicate_weights if isinstance(replicate_weights, (list, tuple)) else [replicate_weights]
    names = tuple(text("replicate_weights", one, COLUMN) for one in names)
    if len(set(names)) < len(names) or (len(names) < FEWEST_REPLICATES and "*" not in "".join(names)):
        raise InputError("replicate_weights", f"has {shown(names)}; pass two different columns or more, or 'rw*'.")
    if kind is None:
        raise InputError("kind", f"is absent; it says how the replicates were made; pass one of {', '.join(KINDS)}.")
    if kind == "JKn" and rscales is None:
        raise InputError(
            "rscales",
            "is absent; of a stratified jackknife each replicate has its own, (n - 1)/n of its stratum's units.",
        )
    if kind == "other" and scale is None:
        raise InputError("scale", "is absent; of replicates of another kind nothing else says it; pass it.")
    out: dict[str, Any] = {"replicate_weights": names, "kind": kind}
    if scale is not None:
        out["scale"] = number("scale", scale)
        if not out["scale"] > 0:
            raise InputError("scale", f"has {scale}; it is above 0.")
    if rscales is not None:
        values = rscales if isinstance(rscales, (list, tuple)) else [rscales]
        out["rscales"] = tuple(number("rscales", one) for one in values)
        if not all(one >= 0 for one in out["rscales"]):
            raise InputError("rscales", f"has {shown(rscales)}; each is at least 0.")
    return out


ENTRIES = tuple(f.name for f in fields(SurveyDesign))


def design_of(value: Any) -> SurveyDesign:
    """A design, or a mapping of what `survey_design` takes, as a protocol file has it."""
    if isinstance(value, SurveyDesign):
        return value
    if not isinstance(value, Mapping):
        raise InputError(
            "design", f"has {shown(value)}; it is no design; pass fairstats.survey_design(weights=..., strata=...)."
        )
    for name in value:
        if name not in ENTRIES:
            ours = next((one for one in ELSEWHERE.get(name, ()) if one in ENTRIES), "")
            hint = f"; did you mean {ours!r}?" if ours else nearest(str(name), ENTRIES)
            raise InputError("design", with_hint(f"has {shown(name)}", hint, f"the entries are {', '.join(ENTRIES)}."))
    if "weights" not in value:
        raise InputError("design", "has no weights; name the column of sampling weights.")
    return survey_design(**value)


def refuse_beside(given: Mapping[str, Any]) -> None:
    """What is not estimated under a design is refused: it would be computed as of plain weights."""
    ways = {
        "weights": "a design has its own weights",
        "clusters": "a design has its own clusters",
    }
    for name, why in ways.items():
        if value := given.get(name):
            raise InputError(name, f"has {shown(value)}, and {named('design')} is given; {why}; drop one of the two.")
