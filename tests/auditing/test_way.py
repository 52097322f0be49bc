"""The way of an audit: judge once, count once, and no return to a stage that was left."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pandas as pd

from fairstats.auditing import audit as estimation
from fairstats.auditing.audit import audit
from fairstats.auditing.tally import Tally

TOOL = Path(__file__).parents[2] / "tools" / "trace_audit.py"


def tool():
    spec = importlib.util.spec_from_file_location("trace_audit", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_stage_of_an_audit_is_entered_again_after_it_was_left():
    trace_audit = tool()
    trace = trace_audit.traced(trace_audit.example())
    assert trace.stages == [
        *("declare", "judge", "count", "code", "withhold", "weigh", "refer", "estimate", "decide", "mark", "caution")
    ]
    assert trace.returns() == []
    assert ("decide", "count") not in trace.inner
    assert ("estimate", "judge") not in trace.inner


def test_a_return_to_a_stage_is_seen(monkeypatch):
    trace_audit = tool()
    own, withhold = estimation.decide_all, estimation.views
    monkeypatch.setattr(estimation, "views", lambda tally, protocol: (own([[]]), withhold(tally, protocol))[1])
    assert trace_audit.traced(trace_audit.example()).returns() == ["decide"]


def test_a_table_of_people_is_counted_once(monkeypatch):
    tallies = []
    own = Tally.of

    def counted(observations):
        tallies.append(own(observations))
        return tallies[-1]

    monkeypatch.setattr(Tally, "of", counted)
    table = pd.DataFrame({"a": list("xyxyyx") * 9, "b": list("uuvuvv") * 9, "d": [0, 1, 1] * 18})
    audit(table, "d", ["a", "b"])
    assert len(tallies) == 1
    assert len(tallies[0]) == len(table.drop_duplicates())
