"""Samples of numbers: ranks, ROC curves, calibration."""
