"""What one metric is and how it is said; a rate is a conditional share of the count table."""

from __future__ import annotations

from dataclasses import dataclass, field

PERCENT, SCORE, RATIO, PEOPLE, PLAIN = "percent", "score", "ratio", "people", "plain"
UNITS = {PERCENT: "%", SCORE: "", RATIO: "", PEOPLE: "people", PLAIN: ""}
INFINITY = float("inf")
UNKNOWN = 2  # the place of an unknown outcome or decision in the count table
Cells = tuple[tuple[int, int], ...]
# "D=+" is the decision that helps the person; a part holds where the cell (y, d) has it
_PARTS = {"": (None, None), "Y=1": (1, None), "Y=0": (0, None), "D=1": (None, 1), "D=0": (None, 0)}


@dataclass(frozen=True)
class Metric:
    """What one metric is and how it is said."""

    name: str  # in code and in tables
    heading: str
    meaning: str  # a noun phrase
    event: str = ""  # of a rate: which share is counted ...
    given: str = ""  # ... among whom; "" is everybody whose event is known
    complement: str = ""  # the metric that is 1 less this one
    needs: tuple[str, ...] = ()  # columns, where event and given do not say
    scale: str = PERCENT
    range: tuple[float, float] = (0.0, 1.0)
    null: float = 0.0  # the value that shows no disparity between a group and its reference
    better: str = ""  # "higher", "lower", or "" where neither is
    question: str = ""
    matters: str = ""
    misleads: str = ""
    sentence: str = ""  # of the finding
    empty: str = "nobody in the denominator"  # what an empty denominator means
    reference: str = ""
    function: str = ""  # "module:name" of the statistic
    aliases: dict[str, str] = field(default_factory=dict, hash=False)  # library -> its name there
    short: str = ""  # over a narrow column
    claim: int = 0  # place among the claims of page one, 0 for none
    tables: tuple[str, ...] = ("audit", "compare")  # for rates: who estimates it
    shown: tuple[str, ...] = ()  # in which selections; everything else stands in the tidy rows

    @property
    def is_rate(self) -> bool:
        """Whether it is a share of the count table."""
        return bool(self.event)

    @property
    def columns(self) -> tuple[str, ...]:
        """Which of outcome, decision and score it needs."""
        said = self.event + self.given
        return self.needs or tuple(c for c, letter in (("outcome", "Y"), ("decision", "D")) if letter in said)

    @property
    def symbol(self) -> str:
        """The share as a conditional probability, "" for what is no rate."""
        if not self.is_rate:
            return ""
        return f"P({_spaced(self.event)}{' | ' + _spaced(self.given) if self.given else ''})"

    def cells(self, favors: int = 1) -> tuple[Cells, Cells]:
        """The cells (outcome, decision) of numerator and denominator, 2 for an unknown one.

        Parameters
        ----------
        favors : {0, 1}
            The decision that helps the person.

        Examples
        --------
        >>> Metric("PPV", "PPV", "of those predicted positive ...", event="Y=1", given="D=1").cells()
        (((1, 1),), ((0, 1), (1, 1)))
        """
        known = self.event + self.given
        among = [
            (y, d)
            for y in range(3)
            for d in range(3)
            if not (("Y" in known and y == UNKNOWN) or ("D" in known and d == UNKNOWN))
            and _holds(self.given, y, d, favors)
        ]
        return tuple(c for c in among if _holds(self.event, *c, favors)), tuple(among)


def _holds(part: str, y: int, d: int, favors: int) -> bool:
    if part == "D=Y":
        return y == d
    if part == "D≠Y":
        return y != d
    outcome, decision = (None, favors) if part == "D=+" else _PARTS[part]
    return outcome in (None, y) and decision in (None, d)


def _spaced(part: str) -> str:
    return part.replace("=", " = ").replace("≠", " ≠ ")
