"""The vocabulary of metrics by name, which tables, sentences, reports, R and the documentation read.

The rows are in `vocabulary/`, by subject; their order there is the order of tables.
"""

from __future__ import annotations

from fairstats.errors import InputError, nearest
from fairstats.language import current, say
from fairstats.vocabulary.compared_rates import COMPARED_RATES
from fairstats.vocabulary.familiar import Familiar, familiar
from fairstats.vocabulary.metric import UNKNOWN as UNKNOWN
from fairstats.vocabulary.metric import Cells as Cells
from fairstats.vocabulary.metric import Metric as Metric
from fairstats.vocabulary.rates import RATES
from fairstats.vocabulary.scores import SCORES

METRICS: dict[str, Metric] = {metric.name: metric for metric in (*RATES, *COMPARED_RATES, *SCORES)}
# What other libraries call them, "demographic_parity_difference": wherever a metric is named, these are read too.
FAMILIAR: dict[str, Familiar] = familiar(METRICS.values())


def get(name: str) -> Metric:
    """The row of a metric, by our name or a familiar one.

    Raises
    ------
    InputError
        If there is no such metric.

    Examples
    --------
    >>> get("TPR").heading, get("recall").symbol
    ('True positive rate', 'P(D = 1 | Y = 1)')
    """
    if name in METRICS:
        return METRICS[name]
    meant = FAMILIAR[name].metrics if name in FAMILIAR and not FAMILIAR[name].contrast else ()
    if not meant:
        raise InputError(f"metric has {name!r}; there is no such metric{nearest(name, (*METRICS, *FAMILIAR))}.")
    return METRICS[meant[0]]


def ours(name: str) -> tuple[str, str]:
    """Our name of a metric that may have another, and the contrast that this other name says, "" for none.

    Examples
    --------
    >>> ours("recall"), ours("demographic_parity_ratio"), ours("AUC"), ours("no such name")
    (('TPR', ''), ('selection rate', 'ratio'), ('AUC', ''), ('no such name', ''))
    """
    meant = FAMILIAR.get(name)
    return (name, "") if meant is None or not meant.metrics else (meant.metrics[0], meant.contrast)


def rates(table: str) -> tuple[Metric, ...]:
    """The rates that an ``"audit"`` or a comparison (``"compare"``) estimates, in order."""
    return tuple(m for m in METRICS.values() if m.is_rate and table in m.tables)


def shown(selection: str) -> tuple[str, ...]:
    """The names of a selection, in order.

    Examples
    --------
    >>> shown("contrasted")
    ('TPR', 'FPR', 'PPV')
    """
    return tuple(m.name for m in METRICS.values() if selection in m.shown)


def claimed() -> tuple[str, ...]:
    """What page one looks at, in order."""
    return tuple(m.name for m in sorted(METRICS.values(), key=lambda m: m.claim) if m.claim)


def in_text(name: str) -> str:
    """A metric's heading inside a sentence: lower case unless it is an acronym, or of somebody.

    Examples
    --------
    >>> in_text("TPR"), in_text("AUC"), in_text("Brier score")
    ('true positive rate', 'AUC', 'Brier score')
    """
    head = say(METRICS[name].heading)
    if head == name or not head[1:2].islower() or not current().small_nouns:
        return head
    return head[:1].lower() + head[1:]
