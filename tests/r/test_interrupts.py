"""Ctrl-C in a call from R: Python's half ends cleanly, whatever it was at."""

import signal
import sys
import threading
import time

import pytest

from fairstats.r.interrupts import python_hears_interrupts

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"),
    pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals go to main threads"),
]


def test_an_interrupt_that_other_code_swallows_still_ends_the_call():
    with pytest.raises(KeyboardInterrupt), python_hears_interrupts():
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt as told:
            raise ValueError("not a valid buffer format string") from told


def test_an_import_is_ended_first(tmp_path, monkeypatch):
    (tmp_path / "half_made.py").write_text(
        "import signal, time\nsignal.raise_signal(signal.SIGINT)\ntime.sleep(0.2)\nmade = True\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(KeyboardInterrupt), python_hears_interrupts():
        import half_made

        assert half_made.made
        time.sleep(20)
    assert sys.modules.pop("half_made").made


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
