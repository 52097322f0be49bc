"""Models that the R session fits which called Python: asked over the bridge while a comparison runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.comparing.models import Model, Trained
from fairstats.errors import InputError
from fairstats.rvalues.to_python import to_python
from fairstats.rvalues.to_rvalue import to_rvalue
from fairstats.rvalues.wire import pack, unpack

Floats = NDArray[np.float64]


@dataclass
class Caller:
    """The R session: one function of a header and buffers, and the numbers of fits that nobody needs any more."""

    answers: Callable[[str, list[Any]], Any]
    done: list[int] = field(default_factory=list)

    def ask(self, name: str, **arguments: Any) -> tuple[Any, tuple[str, ...]]:
        """R's answer as a Python value, and what R warned of."""
        header, buffers = pack(to_rvalue(arguments))
        answer, parts, error, told = self.answers(header, list(buffers))
        if error:
            raise InputError(f"model has {name!r}, at which R stopped: {error.strip()}")
        return to_python(unpack(answer, parts), ""), tuple(told)


@dataclass
class _Fit:
    """A fit that R keeps; when it goes, R is told with the next call, never in the middle of anything else."""

    caller: Caller
    name: str
    number: int

    def __call__(self, X: Floats) -> Floats:
        chances, _ = self.caller.ask(self.name, fit=self.number, X=X)
        return np.asarray(chances, dtype=float)

    def __del__(self) -> None:
        self.caller.done.append(self.number)


@dataclass(frozen=True)
class TrainedInR:
    """``train(X, y, seed)`` of a model of the session's, by its place among them."""

    caller: Caller
    name: str
    place: int

    def __call__(self, X: Floats, y: NDArray[np.intp], seed: int) -> Trained:
        done, self.caller.done = self.caller.done, []
        number, told = self.caller.ask(
            self.name, model=self.place, X=X, y=np.asarray(y, dtype=float), seed=int(seed), done=[str(i) for i in done]
        )
        return Trained(_Fit(self.caller, self.name, int(number)), "probability", told)


def with_callers(asked: Any, answers: Any, *, jobs: int, cache: Any) -> list[Any]:
    """The models of a call: names, reductions (the lists of their arguments), and those that the R session fits.

    Raises
    ------
    InputError
        More than one process, which have no R to ask; or a cache, which cannot know what R would do.

    Examples
    --------
    >>> with_callers(["logistic"], None, jobs=1, cache=None)
    ['logistic']
    """
    import fairstats

    caller = Caller(answers)
    each = [asked] if isinstance(asked, (str, dict)) else list(asked)
    out: list[Any] = []
    for one in each:
        if not isinstance(one, dict):
            out.append(one)
        elif "here" not in one:
            out.append(fairstats.reduction(**one))
        else:
            name = str(one["name"])
            if jobs != 1:
                raise InputError(
                    f"jobs = {jobs} and the model {name!r} is fitted by this session of R; leave jobs out."
                )
            if cache is not None:
                raise InputError(
                    f"cache is given and the model {name!r} is fitted by R, whose code no key of a cache knows; leave "
                    "cache out."
                )
            out.append(Model(name, TrainedInR(caller, name, int(one["here"]))))
    return out
