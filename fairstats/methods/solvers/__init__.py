"""Iterations that find a method's optimum, apart from what the method means."""
