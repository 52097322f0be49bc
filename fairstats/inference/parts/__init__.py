"""Gaps between two groups: decomposed into parts, and adjusted for covariates."""
