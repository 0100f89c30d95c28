"""What a task's work is, and whether it holds."""
