"""The results of methods (projections, kernels, erasers, maps), their prices, held-out scores and files."""
