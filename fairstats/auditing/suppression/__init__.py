"""Small groups withheld: what is hidden, what must be hidden with it, and what follows for the rest."""
