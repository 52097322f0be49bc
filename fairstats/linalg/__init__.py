"""Eigenpairs, subspaces and rotations that methods are made of."""
