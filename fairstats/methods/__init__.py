"""One decomposition a file; `results` are what they return, `parts` what several share, `solvers` find some optima."""

from __future__ import annotations
