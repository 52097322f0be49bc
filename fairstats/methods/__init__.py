"""One decomposition a file, mathematics only; `results` are what they return, `solvers` how some are found."""
