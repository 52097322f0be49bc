"""One target under atheris, which follows what the readers do:  python -m fuzz.led TARGET [options of libFuzzer]"""

from __future__ import annotations

import sys

import atheris

LED_BY = [
    "fairstats.data.read", "fairstats.data.read", "fairstats.data.formula",
    "fairstats.data.formula", "fairstats.rvalues", "fairstats.saving", "fairstats.auditing.protocol",
    "tomllib", "formulaic.parser",
]  # fmt: skip
with atheris.instrument_imports(include=LED_BY):
    from fuzz.texts import attempt

if __name__ == "__main__":
    target = sys.argv.pop(1)
    atheris.Setup(sys.argv, lambda raw: attempt(target, raw))
    atheris.Fuzz()
