"""Fuzzers: bytes and texts that coverage leads (atheris), and whole audits, fits and comparisons (hypothesis)."""
