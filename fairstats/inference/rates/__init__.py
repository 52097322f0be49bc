"""Proportions: one, two, many; weighted; within strata."""
