"""Public test doubles."""
