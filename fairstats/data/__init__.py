"""A user's table, rows or graph, checked once."""
