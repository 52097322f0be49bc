"""The page as other programs take it: one reading of it into blocks, and a writer for each form."""
