"""What several methods share: their arguments judged against the data, and the last step of a search for directions."""
