"""The parts that audits and comparisons share: where data came from, how many rows went where."""
