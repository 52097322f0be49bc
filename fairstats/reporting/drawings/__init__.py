"""Which figures a result has: one row a kind in `registry.py`, and what each draws, by the class of the result."""
