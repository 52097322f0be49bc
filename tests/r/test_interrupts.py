"""Ctrl-C in a call from R: Python's half ends cleanly, whatever it was at."""

import signal
import sys
import threading
import time

import pytest

from fairstats.r.remote import call, python_hears_interrupts
from fairstats.rvalues.convert import to_rvalue
from fairstats.rvalues.wire import pack

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"),
    pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals go to main threads"),
]


def test_an_interrupt_that_other_code_swallows_still_ends_the_call():
    with pytest.raises(KeyboardInterrupt), python_hears_interrupts():
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt as reported:
            raise ValueError("not a valid buffer format string") from reported


def test_an_import_is_ended_first(tmp_path, monkeypatch):
    (tmp_path / "unfinished.py").write_text(
        "import signal, time\nsignal.raise_signal(signal.SIGINT)\ntime.sleep(0.2)\nmade = True\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(KeyboardInterrupt), python_hears_interrupts():
        import unfinished

        assert unfinished.made
        time.sleep(20)
    assert sys.modules.pop("unfinished").made


def test_who_listened_before_listens_again():
    def mine(number, frame):
        raise AssertionError("not while Python listens")

    before = signal.signal(signal.SIGINT, mine)
    try:
        with pytest.raises(KeyboardInterrupt), python_hears_interrupts():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is mine
        with pytest.raises(AssertionError, match="not while"):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_who_watches_how_far_a_call_is_may_end_it():
    seen = []

    def reported(*step):
        seen.append(step)
        return len(seen) == 2

    arguments = {"data": {"sex": ["f", "m"] * 9, "hired": [1, 0, 1] * 6}, "decision": "hired", "groups": "sex"}
    answer = call("audit", *pack(to_rvalue(arguments)), {}, reported)
    assert (answer.kind, len(seen)) == ("interrupt", 2)
    assert call("audit", *pack(to_rvalue(arguments)), {}, lambda *step: False).kind == ""
