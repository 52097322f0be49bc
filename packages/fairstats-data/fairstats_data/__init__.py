"""The tables that the examples of fairstats use, under their own license: ``fairstats.arrests()`` reads one."""
