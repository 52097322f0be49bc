"""Changes the package one thing at a time and sees whether a test fails: `python -m mutation`."""
