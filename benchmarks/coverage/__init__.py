"""How often verdicts are wrong and intervals miss: every cell of the grid, seeded, in one command."""
