"""``python -m fairstats`` is the command ``fairstats``."""

from fairstats.cli import main

if __name__ == "__main__":
    main()
