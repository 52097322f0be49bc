"""Spectral clustering under fairness constraints."""
