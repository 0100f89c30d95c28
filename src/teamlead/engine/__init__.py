"""The loop: facts in, effects out. Knows the core and the ports, nothing else."""
