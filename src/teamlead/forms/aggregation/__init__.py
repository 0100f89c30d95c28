"""Several agents' results as one."""
