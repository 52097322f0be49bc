"""The tidy rows of an audit, one kind of row a file."""
