"""Statistics as functions of arrays, and the tidy rows beside them."""
