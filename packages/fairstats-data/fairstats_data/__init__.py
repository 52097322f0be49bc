"""The arrests table that the examples of fairstats use, under its own license; ``fairstats.arrests()`` reads it."""
