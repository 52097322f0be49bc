"""What a method returns: projections, kernels, erasers, maps; their prices, held-out scores and files."""
