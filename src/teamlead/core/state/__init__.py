"""What is true of a session now. Only `core.evolve` changes it."""
