"""One decision, outcome or score, audited by group."""
