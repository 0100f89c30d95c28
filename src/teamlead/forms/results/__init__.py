"""What agents hand in when they have finished: text into a `Result`, held to its contract."""
