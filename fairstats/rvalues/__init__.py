"""R's values and .rds files, without R."""
