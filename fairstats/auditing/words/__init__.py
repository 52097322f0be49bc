"""What an audit says in sentences."""
