"""What an audit and a comparison share: where data came from, how many rows went where."""
