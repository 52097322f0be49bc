"""What a fit costs, and what its scores still tell about the groups."""
