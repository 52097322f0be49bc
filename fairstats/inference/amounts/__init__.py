"""Statistics of amounts: means and their ratios, quantiles, and shares in the quarters of everybody's amounts."""
