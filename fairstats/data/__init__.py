"""A user's table, rows or graph, judged once."""
